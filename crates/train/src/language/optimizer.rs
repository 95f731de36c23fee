//! How the weights of a run move.

use jarrah_optim::schedules::{constant, join, linear, warmup_constant, warmup_cosine_decay};
use jarrah_optim::transforms::{clip_by_global_norm, identity};
use jarrah_optim::{GradientTransformation, LossScale, Schedule, chain, loss_scaled};

use crate::recipe::{ComputePrecision, Decay, LossScaling, Recipe, Updates};

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
    let clip = if o.clip > 0.0 { clip_by_global_norm(o.clip) } else { identity() };
    let updates = Updates { rate: schedule(recipe), betas: o.betas, eps: o.eps, decay: o.weight_decay };
    let method = o.name.optimizer(updates);
    let optimizer = chain([clip, method]);
    match recipe.precision {
        ComputePrecision::F32 | ComputePrecision::BF16 => optimizer,
        ComputePrecision::F16 => loss_scaled(loss_scale(recipe), optimizer),
    }
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

    use jarrah_array::Array;
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
