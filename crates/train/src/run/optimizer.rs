//! How the weights of a run move.

use jarrah_array::Array;
use jarrah_optim::contrib::{DimensionNumbers, Matrices, Muon, muon};
use jarrah_optim::{
    Adam, Factored, GradientTransformation, Lion, LossScale, Mask, Schedule, Sgd, adamw, add_decayed_weights,
    chain, clip_by_block_rms, clip_by_global_norm, identity, lion, loss_scaled, scale_by_factored_rms,
    scale_by_learning_rate, sgd, warmup_cosine_decay,
};

use crate::recipe::{LossScaling, Method, Precision, Recipe};

/// The root mean square of Muon's updates, which is about that of AdamW's: one learning rate serves both.
const MUON_RMS: f64 = 0.2;

/// The learning rate of each step: linear warm-up, then a cosine decay to the last step.
pub fn schedule(recipe: &Recipe) -> Schedule {
    let optimizer = &recipe.optimizer;
    let steps = recipe.steps as usize;
    let warmup = (optimizer.warmup as usize).min(steps / 2);
    warmup_cosine_decay(0.0, optimizer.lr, warmup, steps, optimizer.min_lr)
}

/// The optimizer of a recipe.
pub fn optimizer(recipe: &Recipe) -> GradientTransformation {
    let o = &recipe.optimizer;
    let ([b1, b2], decay, rate) = (o.betas, o.weight_decay, schedule(recipe));
    let clip = if o.clip > 0.0 { clip_by_global_norm(o.clip) } else { identity() };
    let method = match o.name {
        Method::AdamW => adamw(rate, Adam { b1, b2, eps: o.eps, ..Adam::default() }, decay, Mask::matrices()),
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
            muon(rate, options, decay, Mask::matrices(), matrices())
        }
        Method::Lion => lion(rate, Lion { b1, b2, ..Lion::default() }, decay, Mask::matrices()),
        Method::Adafactor => chain([
            scale_by_factored_rms(Factored::default()),
            clip_by_block_rms(1.0),
            add_decayed_weights(decay, Mask::matrices()),
            scale_by_learning_rate(rate),
        ]),
        Method::Sgd => chain([
            add_decayed_weights(decay, Mask::matrices()),
            sgd(rate, Sgd { momentum: (b1 > 0.0).then_some(b1), nesterov: false }),
        ]),
    };
    let optimizer = chain([clip, method]);
    match recipe.precision {
        Precision::F32 | Precision::BF16 => optimizer,
        Precision::F16 => loss_scaled(loss_scale(recipe), optimizer),
    }
}

/// The matrices of layers: as files have them, `[outputs, inputs]`, those of experts one behind the other.
fn matrices() -> Matrices {
    Matrices::new(|path: &str, x: &Array| {
        let inner = path.starts_with("blocks") && !path.contains("router");
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
