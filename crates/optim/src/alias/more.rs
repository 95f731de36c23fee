use jarrah_array::random::Key;

use crate::options::options;
use crate::*;

/// `parts`, then the learning rate.
fn descend(learning_rate: impl Into<Schedule>, part: GradientTransformation) -> GradientTransformation {
    chain([part, scale_by_learning_rate(learning_rate)])
}

macro_rules! descents {
    ($($(#[$doc:meta])* $name:ident($options:ty) = $scale:ident;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(learning_rate: impl Into<Schedule>, options: $options) -> GradientTransformation {
                descend(learning_rate, $scale(options))
            }
        )*
    };
}

descents! {
    /// AdaBelief: [`scale_by_belief`], then the learning rate.
    ///
    /// Source: Zhuang et al., AdaBelief optimizer (2020).
    adabelief(AdaBelief) = scale_by_belief;
    /// AMSGrad: [`scale_by_amsgrad`], then the learning rate.
    ///
    /// Source: Reddi, Kale and Kumar, On the convergence of Adam and beyond (2018).
    amsgrad(Amsgrad) = scale_by_amsgrad;
    /// NovoGrad: [`scale_by_novograd`], then the learning rate.
    ///
    /// Source: Ginsburg et al., Stochastic gradient methods with layer-wise adaptive moments (2019).
    novograd(Novograd) = scale_by_novograd;
    /// RAdam: [`scale_by_radam`], then the learning rate.
    ///
    /// Source: Liu et al., On the variance of the adaptive learning rate and beyond (2019).
    radam(Radam) = scale_by_radam;
    /// Yogi: [`scale_by_yogi`], then the learning rate.
    ///
    /// Source: Zaheer et al., Adaptive methods for nonconvex optimization (2018).
    yogi(Yogi) = scale_by_yogi;
}

/// NAdam: [`adam`] with Nesterov's momentum.
///
/// Source: Dozat, Incorporating Nesterov momentum into Adam (2016).
pub fn nadam(learning_rate: impl Into<Schedule>, options: Adam) -> GradientTransformation {
    adam(learning_rate, Adam { nesterov: true, ..options })
}

/// NAdamW: [`adamw`] with Nesterov's momentum.
///
/// Source: Dozat (2016); Loshchilov and Hutter (2017).
pub fn nadamw(
    learning_rate: impl Into<Schedule>,
    options: Adam,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    adamw(learning_rate, Adam { nesterov: true, ..options }, weight_decay, mask)
}

/// Adamax with decoupled weight decay.
///
/// Source: Kingma and Ba, Adam (2014), section 7.1; Loshchilov and Hutter (2017).
pub fn adamaxw(
    learning_rate: impl Into<Schedule>,
    b1: f64,
    b2: f64,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([scale_by_adamax(b1, b2, eps), decay, scale_by_learning_rate(learning_rate)])
}

/// Adadelta: weight decay, [`scale_by_adadelta`], then the learning rate.
///
/// Source: Zeiler, ADADELTA (2012).
pub fn adadelta(
    learning_rate: impl Into<Schedule>,
    rho: f64,
    eps: f64,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([decay, scale_by_adadelta(rho, eps), scale_by_learning_rate(learning_rate)])
}

/// Adan: [`scale_by_adan`], weight decay, then the learning rate.
///
/// Source: Xie et al., Adan: adaptive Nesterov momentum algorithm (2022).
pub fn adan(
    learning_rate: impl Into<Schedule>,
    options: Adan,
    weight_decay: impl Into<Schedule>,
    mask: Mask,
) -> GradientTransformation {
    let decay = add_decayed_weights(weight_decay, mask);
    chain([scale_by_adan(options), decay, scale_by_learning_rate(learning_rate)])
}

options! {
    /// The options of Adafactor.
    pub struct Adafactor {
        /// The least extent of the second largest axis from which on second moments are factored.
        min_dim_size_to_factor: usize = 128,
        /// The exponent of the decay of second moments.
        decay_rate: f64 = 0.8,
        /// How many steps the decay is behind the count.
        decay_offset: i32 = 0,
        /// Whether updates are multiplied by the root mean square of their parameter.
        multiply_by_parameter_scale: bool = true,
        /// The largest root mean square of an update, if any.
        clipping_threshold: Option<f64> = Some(1.0),
        /// The decay of momentum, if any.
        momentum: Option<f64> = None,
        /// The weight decay, if any: not multiplied by the learning rate.
        weight_decay_rate: Option<f64> = None,
        /// The number added to squares.
        eps: f64 = 1e-30,
        /// Whether second moments are factored.
        factored: bool = true,
    }
}

/// Adafactor: [`scale_by_factored_rms`], [`clip_by_block_rms`], the learning rate if there is one, [`scale_by_param_block_rms`], momentum,
/// weight decay; the sign is flipped last.
///
/// ```
/// use jarrah_optim::{Adafactor, Mask, Schedule, adafactor};
/// let optimizer = adafactor(None::<Schedule>, Adafactor { momentum: Some(0.9), ..Adafactor::default() }, Mask::all());
/// # let _ = optimizer;
/// ```
///
/// Source: Shazeer and Stern, Adafactor: adaptive learning rates with sublinear memory cost (2018).
pub fn adafactor(
    learning_rate: Option<impl Into<Schedule>>,
    options: Adafactor,
    weight_decay_mask: Mask,
) -> GradientTransformation {
    let o = options;
    let mut parts = vec![scale_by_factored_rms(Factored {
        factored: o.factored,
        decay_rate: o.decay_rate,
        step_offset: o.decay_offset,
        min_dim_size_to_factor: o.min_dim_size_to_factor,
        epsilon: o.eps,
    })];
    parts.extend(o.clipping_threshold.map(clip_by_block_rms));
    parts.extend(learning_rate.map(|rate| scale_by_learning_rate(-rate.into())));
    parts.extend(o.multiply_by_parameter_scale.then(|| scale_by_param_block_rms(1e-3)));
    parts.extend(o.momentum.map(|decay| ema(decay, false)));
    parts.extend(o.weight_decay_rate.map(|rate| add_decayed_weights(rate, weight_decay_mask)));
    parts.push(scale(-1.0));
    chain(parts)
}

/// Fromage: [`scale_by_trust_ratio_with`] norms of at least `min_norm`, the learning rate `lr m`, and weight decay `m - 1`, where
/// `m = 1 / sqrt(1 + lr^2)`.
///
/// Source: Bernstein et al., On the distance between two neural networks and the stability of learning (2020).
pub fn fromage(learning_rate: impl Into<Schedule>, min_norm: f64) -> GradientTransformation {
    let rate = learning_rate.into();
    let root = |r: f64| (1.0 + r * r).sqrt();
    let array = |r: &jarrah_array::Array| (r.square() + 1.0).sqrt();
    chain([
        scale_by_trust_ratio_with(TrustRatio { min_norm, ..TrustRatio::default() }),
        scale_by_learning_rate(rate.clone().map(|r| r / root(r), move |r| r / array(r))),
        // 1 / s - 1 = -r^2 / (s + s^2), without cancellation.
        add_decayed_weights(
            rate.map(
                |r| -r * r / (root(r) * (1.0 + root(r))),
                move |r| -r.square() / (array(r) * (array(r) + 1.0)),
            ),
            Mask::all(),
        ),
    ])
}

options! {
    /// The options of LARS.
    pub struct Lars {
        /// By what the ratio of norms is multiplied.
        trust_coefficient: f64 = 0.001,
        /// The number added to the norm of the update.
        eps: f64 = 0.0,
        /// The decay of the momentum.
        momentum: f64 = 0.9,
        /// Whether the momentum is Nesterov's.
        nesterov: bool = false,
    }
}

/// LARS: weight decay, [`scale_by_trust_ratio_with`] for the leaves in `trust_ratio_mask`, the learning rate, then momentum.
///
/// Source: You, Gitman and Ginsburg, Large batch training of convolutional networks (2017).
pub fn lars(
    learning_rate: impl Into<Schedule>,
    options: Lars,
    weight_decay: impl Into<Schedule>,
    weight_decay_mask: Mask,
    trust_ratio_mask: Mask,
) -> GradientTransformation {
    let Lars { trust_coefficient, eps, momentum, nesterov } = options;
    let ratio = scale_by_trust_ratio_with(TrustRatio { trust_coefficient, eps, ..TrustRatio::default() });
    chain([
        add_decayed_weights(weight_decay, weight_decay_mask),
        masked(ratio, trust_ratio_mask),
        scale_by_learning_rate(learning_rate),
        trace(momentum, nesterov),
    ])
}

/// Stochastic gradient descent on gradients with noise: [`add_noise`], then the learning rate. Usual are `eta = 0.01`, `gamma = 0.55`.
///
/// Source: Neelakantan et al., Adding gradient noise improves learning for very deep networks (2015).
pub fn noisy_sgd(
    learning_rate: impl Into<Schedule>,
    eta: f64,
    gamma: f64,
    key: &Key,
) -> GradientTransformation {
    descend(learning_rate, add_noise(eta, gamma, key))
}

/// The sign of the gradient times the learning rate.
///
/// Source: Bernstein et al., signSGD (2018).
pub fn sign_sgd(learning_rate: impl Into<Schedule>) -> GradientTransformation {
    descend(learning_rate, scale_by_sign())
}

/// The sign of the average gradient times the learning rate.
///
/// Source: Bernstein et al., signSGD (2018).
pub fn signum(learning_rate: impl Into<Schedule>, beta: f64) -> GradientTransformation {
    chain([ema(beta, false), scale_by_sign(), scale_by_learning_rate(learning_rate)])
}

/// Optimistic gradient descent: [`scale_by_optimistic_gradient`], then the learning rate. Usual are `alpha = beta = 1`.
///
/// Source: Mokhtari et al., A unified analysis of extra-gradient and optimistic gradient methods (2019).
pub fn optimistic_gradient_descent(
    learning_rate: impl Into<Schedule>,
    alpha: f64,
    beta: f64,
) -> GradientTransformation {
    descend(learning_rate, scale_by_optimistic_gradient(alpha, beta))
}

/// Optimistic Adam: [`scale_by_adam`], [`scale_by_optimistic_gradient`], then the learning rate.
///
/// Source: Daskalakis et al., Training GANs with optimism (2017).
pub fn optimistic_adam_v2(
    learning_rate: impl Into<Schedule>,
    alpha: f64,
    beta: f64,
    options: Adam,
) -> GradientTransformation {
    chain([
        scale_by_adam(options),
        scale_by_optimistic_gradient(alpha, beta),
        scale_by_learning_rate(learning_rate),
    ])
}

/// Optimistic Adam in its older form, whose learning rate is `alpha`; `optimism` is the learning rate, as a rule.
///
/// Source: Daskalakis et al., Training GANs with optimism (2017).
pub fn optimistic_adam(learning_rate: f64, optimism: f64, options: Adam) -> GradientTransformation {
    optimistic_adam_v2(1.0, learning_rate, optimism, options)
}

/// Rprop: [`scale_by_rprop`], and the sign flipped.
///
/// Source: Riedmiller and Braun, A direct adaptive method for faster backpropagation learning (1993).
pub fn rprop(learning_rate: f64, options: Rprop) -> GradientTransformation {
    chain([scale_by_rprop(learning_rate, options), scale(-1.0)])
}

/// SM3: [`scale_by_sm3`] with `b2 = 1` and `eps = 1e-8`, then the learning rate.
///
/// Source: Anil et al., Memory-efficient adaptive optimization (2019).
pub fn sm3(learning_rate: f64, momentum: f64) -> GradientTransformation {
    chain([scale_by_sm3(momentum, 1.0, 1e-8), scale(-learning_rate)])
}

/// Gradient descent with Polyak's step size: [`sgd`] with the rate `scaling`, then [`scale_by_polyak`]. Needs the `value` of the loss.
///
/// Source: Loizou et al., Stochastic Polyak step-size for SGD (2021).
pub fn polyak_sgd(options: PolyakSgd) -> GradientTransformation {
    chain([sgd(options.scaling, Sgd::default()), scale_by_polyak(options)])
}
