//! How the weights of a run move.

use jarrah_array::Array;
use jarrah_optim::contrib::{DimensionNumbers, MatrixDimensions, Muon, muon};
use jarrah_optim::schedules::{constant, join, linear, warmup_constant, warmup_cosine_decay};
use jarrah_optim::transforms::{
    add_decayed_weights, clip_by_block_rms, clip_by_global_norm, identity, scale_by_factored_rms,
    scale_by_learning_rate,
};
use jarrah_optim::{
    Adam, Factored, GradientTransformation, Lion, LossScale, Mask, Schedule, Sgd, adamw, chain, lion,
    loss_scaled, sgd,
};

use crate::recipe::{ComputePrecision, Decay, LossScaling, Method, Recipe};

/// The root mean square of Muon's updates, which is about that of AdamW's: one learning rate serves both.
const MUON_RMS: f64 = 0.2;

/// The learning rate of each step: linear warm-up, then what the recipe says, to the last step.
pub fn schedule(recipe: &Recipe) -> Schedule {
    let optimizer = &recipe.optimizer;
    let steps = recipe.steps as usize;
    let warmup = (optimizer.warmup as usize).min(steps / 2);
    let [peak, end] = optimizer.rates();
    let rise = || linear(0.0, peak, warmup);
    match optimizer.schedule {
        Decay::Cosine => warmup_cosine_decay(0.0, peak, warmup, steps, end),
        Decay::Linear => join([rise(), linear(peak, end, steps - warmup)], [warmup]),
        Decay::Wsd => {
            let fall = steps.div_ceil(10);
            join([rise(), constant(peak), linear(peak, end, fall)], [warmup, steps - fall])
        }
        Decay::Constant => warmup_constant(0.0, peak, warmup),
    }
}

/// The optimizer of a recipe.
pub fn optimizer(recipe: &Recipe) -> GradientTransformation {
    let o = &recipe.optimizer;
    let ([b1, b2], decay, rate) = (o.betas, o.weight_decay, schedule(recipe));
    let clip = if o.clip > 0.0 { clip_by_global_norm(o.clip) } else { identity() };
    let method = match o.name {
        Method::AdamW => adamw(rate, Adam { b1, b2, eps: o.eps, ..Adam::default() }, decay, decaying()),
        Method::Muon => {
            let options = Muon {
                beta: b1,
                consistent_rms: Some(MUON_RMS),
                adam_b1: b1,
                adam_b2: b2,
                adam_weight_decay: decay,
                eps: o.eps,
                ..Muon::default()
            };
            muon(rate, options, decay, decaying(), matrices())
        }
        Method::Lion => lion(rate, Lion { b1, b2, ..Lion::default() }, decay, decaying()),
        Method::Adafactor => chain([
            scale_by_factored_rms(Factored::default()),
            clip_by_block_rms(1.0),
            add_decayed_weights(decay, decaying()),
            scale_by_learning_rate(rate),
        ]),
        Method::Sgd => chain([
            add_decayed_weights(decay, decaying()),
            sgd(rate, Sgd { momentum: (b1 > 0.0).then_some(b1), nesterov: false }),
        ]),
    };
    let optimizer = chain([clip, method]);
    match recipe.precision {
        ComputePrecision::F32 | ComputePrecision::BF16 => optimizer,
        ComputePrecision::F16 => loss_scaled(loss_scale(recipe), optimizer),
    }
}

/// The number of arrays that the optimizer keeps for each parameter, of the shape of the parameter.
pub fn moments(recipe: &Recipe) -> usize {
    match recipe.optimizer.name {
        Method::AdamW => 2,
        Method::Muon | Method::Lion | Method::Sgd => 1,
        Method::Adafactor => 0,
    }
}

/// Weight decay is for matrices, also those of experts, and not for biases, which are stacks of vectors in experts.
fn decaying() -> Mask {
    Mask::new(|path: &str, x: &Array| x.rank() >= 2 && !path.ends_with("bias"))
}

/// The matrices of layers: as files have them, `[outputs, inputs]`, those of experts one behind the other.
fn matrices() -> MatrixDimensions {
    MatrixDimensions::new(|path: &str, x: &Array| {
        let layers = ["blocks", "mtp"].iter().any(|list| path.starts_with(list));
        // Of experts biases are stacks of vectors, which are no matrices.
        let inner = layers && !path.contains("router") && !path.ends_with("bias");
        let held = DimensionNumbers { reduction: vec![-1], output: vec![-2] };
        (inner && matches!(x.rank(), 2 | 3)).then_some(held)
    })
}

fn loss_scale(recipe: &Recipe) -> LossScale {
    let LossScaling { initial, period, factor, min } = recipe.loss_scale;
    match period {
        0 => LossScale::Static(initial),
        period => LossScale::Dynamic { initial, period: period as usize, factor, min },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use jarrah_nn::State;

    use super::*;
    use crate::recipe::Settings;

    #[test]
    fn rates_rise_and_fall_as_the_recipe_says() {
        let rates = |kind: &str| -> Vec<f32> {
            let kind = format!("optimizer.schedule={kind}");
            let keys =
                ["steps=20", "optimizer.lr=1", "optimizer.min_lr=0", "optimizer.warmup=4", kind.as_str()];
            let schedule = schedule(&Recipe::from_toml("", "r.toml", &keys).unwrap());
            let at = |step: i32| schedule.at(&Array::scalar(step)).item().unwrap();
            [0, 2, 4, 12, 18, 19, 20].map(at).to_vec()
        };
        let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        let linear = rates("linear");
        assert!(near(&linear, &[0.0, 0.5, 1.0, 0.5, 0.125, 0.0625, 0.0]), "{linear:?}");
        let wsd = rates("wsd");
        assert!(near(&wsd, &[0.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.0]), "{wsd:?}");
        let constant = rates("constant");
        assert!(near(&constant, &[0.0, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0]), "{constant:?}");
        let cosine = rates("cosine");
        assert!(near(&cosine, &[0.0, 0.5, 1.0, 0.5, 0.0380602, 0.0096074, 0.0]), "{cosine:?}");
    }

    #[test]
    fn stacks_of_biases_are_no_matrices() {
        let recipe = Recipe::from_toml("", "r.toml", &["optimizer.name=muon"]).unwrap();
        let mut params = State::default();
        for path in ["blocks.0.mlp.down", "blocks.0.mlp.down_bias"] {
            params.set(path, Array::ones(&[3, 2]));
        }
        let state = optimizer(&recipe).init(&params);
        let found = jarrah_optim::tree::get_all_with_path(&state, "muon");
        let of = |end: &str| found.iter().any(|(path, _)| path.ends_with(end));
        assert!(of(".mlp.down") && !of(".mlp.down_bias"), "{found:?}");
    }
}
