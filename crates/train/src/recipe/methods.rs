//! The optimizers that recipes name.

use jarrah_array::Array;
use jarrah_optim::contrib::{DimensionNumbers, MatrixDimensions, Muon, muon};
use jarrah_optim::transforms::{
    add_decayed_weights, clip_by_block_rms, scale_by_factored_rms, scale_by_learning_rate,
};
use jarrah_optim::{
    Adam, Factored, GradientTransformation, Lion, Mask, Schedule, Sgd, adamw, chain, lion, sgd,
};

use super::choices::choices;

/// The settings of a recipe's optimizer, of which each method takes its part.
pub struct Updates {
    /// The learning rate of each step.
    pub rate: Schedule,
    /// The decays of the averages of gradients and of their squares.
    pub betas: [f64; 2],
    /// The number that keeps a division from zero.
    pub eps: f64,
    /// The share of a matrix by which each step of rate 1 makes it smaller.
    pub decay: f64,
}

/// Declares [`Method`]: each optimizer with its doc, its name in recipes, the number of arrays of the shape of a parameter that it
/// keeps for each parameter, and the function that makes it.
macro_rules! methods {
    ($($(#[$doc:meta])+ $method:ident = $text:literal, keeps $moments:literal, $make:expr;)+) => {
        choices! {
            /// The method by which an optimizer updates the weights.
            pub enum Method {
                $($(#[$doc])+ $method = $text,)+
            }
        }

        impl Method {
            /// The number of arrays that the optimizer keeps for each parameter, of the shape of the parameter.
            pub fn moments(self) -> usize {
                match self {
                    $(Method::$method => $moments,)+
                }
            }

            /// The optimizer.
            pub fn optimizer(self, updates: Updates) -> GradientTransformation {
                let make: fn(Updates) -> GradientTransformation = match self {
                    $(Method::$method => $make,)+
                };
                make(updates)
            }
        }
    };
}

methods! {
    /// Adam with decoupled weight decay.
    AdamW = "adamw", keeps 2, |Updates { rate, betas: [b1, b2], eps, decay }| {
        adamw(rate, Adam { b1, b2, eps, ..Adam::default() }, decay, decaying())
    };
    /// Orthogonalized momentum for the matrices of layers, AdamW for the rest.
    Muon = "muon", keeps 1, |Updates { rate, betas: [b1, b2], eps, decay }| {
        let options = Muon {
            beta: b1,
            consistent_rms: Some(MUON_RMS),
            adam_b1: b1,
            adam_b2: b2,
            adam_weight_decay: decay,
            eps,
            ..Muon::default()
        };
        muon(rate, options, decay, decaying(), matrices())
    };
    /// The sign of an interpolated momentum.
    Lion = "lion", keeps 1, |Updates { rate, betas: [b1, b2], decay, .. }| {
        lion(rate, Lion { b1, b2, ..Lion::default() }, decay, decaying())
    };
    /// Factored second moments.
    Adafactor = "adafactor", keeps 0, |Updates { rate, decay, .. }| {
        chain([
            scale_by_factored_rms(Factored::default()),
            clip_by_block_rms(1.0),
            add_decayed_weights(decay, decaying()),
            scale_by_learning_rate(rate),
        ])
    };
    /// Gradient descent with momentum.
    Sgd = "sgd", keeps 1, |Updates { rate, betas: [b1, _], decay, .. }| {
        chain([
            add_decayed_weights(decay, decaying()),
            sgd(rate, Sgd { momentum: (b1 > 0.0).then_some(b1), nesterov: false }),
        ])
    };
}

/// The root mean square of Muon's updates, which is about that of AdamW's: one learning rate serves both.
const MUON_RMS: f64 = 0.2;

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
