//! Optimizers: the chains with well-known names.

mod adaptive;
mod descent;

pub use adaptive::*;
pub use descent::*;

use crate::options::options;
use crate::transforms::*;
use crate::*;

options! {
    /// The options of stochastic gradient descent.
    pub struct Sgd {
        /// The decay of the momentum; `None` for no momentum.
        momentum: Option<f64> = None,
        /// Whether the momentum is Nesterov's.
        nesterov: bool = false,
    }
}

/// Stochastic gradient descent, `u = -lr t_t` with [`trace`] `t`.
///
/// ```
/// use jarrah_optim::{Sgd, sgd};
/// let optimizer = sgd(0.1, Sgd { momentum: Some(0.9), nesterov: true });
/// # let _ = optimizer;
/// ```
///
/// Source: Sutskever et al., On the importance of initialization and momentum in deep learning (2013).
pub fn sgd(learning_rate: impl Into<Schedule>, options: Sgd) -> GradientTransformation {
    let momentum = options.momentum.map_or_else(identity, |decay| trace(decay, options.nesterov));
    chain([momentum, scale_by_learning_rate(learning_rate)])
}

/// Adam: [`scale_by_adam`], then the learning rate.
///
/// ```
/// use jarrah_optim::{Adam, adam};
/// let optimizer = adam(1e-3, Adam { b2: 0.95, ..Adam::default() });
/// # let _ = optimizer;
/// ```
///
/// Source: Kingma and Ba, Adam: a method for stochastic optimization (2014).
pub fn adam(learning_rate: impl Into<Schedule>, options: Adam) -> GradientTransformation {
    chain([scale_by_adam(options), scale_by_learning_rate(learning_rate)])
}

/// Adam with decoupled weight decay, `u = -lr (adam(g) + weight_decay p)`.
///
/// ```
/// use jarrah_optim::{Adam, Mask, adamw};
/// let optimizer = adamw(3e-4, Adam { b2: 0.95, ..Adam::default() }, 0.1, Mask::matrices());
/// # let _ = optimizer;
/// ```
///
/// Source: Loshchilov and Hutter, Decoupled weight decay regularization (2017).
pub fn adamw(
    learning_rate: impl Into<Schedule>,
    options: Adam,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_adam(options),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}

/// Adamax: [`scale_by_adamax`], then the learning rate.
///
/// ```
/// let optimizer = jarrah_optim::adamax(0.002, 0.9, 0.999, 1e-8);
/// # let _ = optimizer;
/// ```
///
/// Source: Kingma and Ba, Adam (2014), section 7.1.
pub fn adamax(learning_rate: impl Into<Schedule>, b1: f64, b2: f64, eps: f64) -> GradientTransformation {
    chain([scale_by_adamax(b1, b2, eps), scale_by_learning_rate(learning_rate)])
}

/// LAMB: Adam with weight decay, each leaf scaled by [`scale_by_trust_ratio`].
///
/// ```
/// use jarrah_optim::{Adam, Mask, lamb};
/// let optimizer = lamb(1e-3, Adam { eps: 1e-6, ..Adam::default() }, 0.01, Mask::all());
/// # let _ = optimizer;
/// ```
///
/// Source: You et al., Large batch optimization for deep learning (2019).
pub fn lamb(
    learning_rate: impl Into<Schedule>,
    options: Adam,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_adam(options),
        add_decayed_weights(weight_decay, mask),
        scale_by_trust_ratio(),
        scale_by_learning_rate(learning_rate),
    ])
}

/// Lion with decoupled weight decay, `u = -lr (sign(b1 m + (1 - b1) g) + weight_decay p)`.
///
/// ```
/// use jarrah_optim::{Lion, Mask, lion};
/// let optimizer = lion(1e-4, Lion::default(), 1e-3, Mask::all());
/// # let _ = optimizer;
/// ```
///
/// Source: Chen et al., Symbolic discovery of optimization algorithms (2023).
pub fn lion(
    learning_rate: impl Into<Schedule>,
    options: Lion,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    chain([
        scale_by_lion(options),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    ])
}

/// RMSProp: [`scale_by_rms`] or, centered, [`scale_by_stddev`], then the learning rate, then momentum.
///
/// ```
/// use jarrah_optim::{RmsProp, rmsprop};
/// let optimizer = rmsprop(1e-3, RmsProp { momentum: Some(0.9), ..RmsProp::default() });
/// # let _ = optimizer;
/// ```
///
/// Source: Tieleman and Hinton, Lecture 6.5 (2012); Graves (2013).
pub fn rmsprop(learning_rate: impl Into<Schedule>, options: RmsProp) -> GradientTransformation {
    let momentum = options.momentum.map_or_else(identity, |decay| trace(decay, options.nesterov));
    chain([scale_by_rms_with(options), scale_by_learning_rate(learning_rate), momentum])
}

/// Adagrad: [`scale_by_rss`], then the learning rate.
///
/// ```
/// use jarrah_optim::{Adagrad, adagrad};
/// let optimizer = adagrad(0.1, Adagrad::default());
/// # let _ = optimizer;
/// ```
///
/// Source: Duchi, Hazan and Singer, Adaptive subgradient methods (2011).
pub fn adagrad(learning_rate: impl Into<Schedule>, options: Adagrad) -> GradientTransformation {
    chain([scale_by_rss(options), scale_by_learning_rate(learning_rate)])
}
