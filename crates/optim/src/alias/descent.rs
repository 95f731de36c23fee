use jarrah_array::random::Key;

use super::adaptive::descend;
use crate::options::options;
use crate::transforms::*;
use crate::*;

/// Fromage: [`scale_by_trust_ratio_with`] norms of at least `min_norm`, the learning rate `lr m`, and weight decay `m - 1`, where
/// `m = 1 / sqrt(1 + lr^2)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = fromage(0.1, 1e-6);
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
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
        /// The factor on the ratio of norms.
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
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = lars(0.1, Lars::default(), 1e-4, Mask::matrices(), Mask::all());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
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
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = noisy_sgd(0.1, 1e-4, 0.55, &jarrah_array::random::Key::new(0));
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
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
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = sign_sgd(0.1);
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Bernstein et al., signSGD (2018).
pub fn sign_sgd(learning_rate: impl Into<Schedule>) -> GradientTransformation {
    descend(learning_rate, scale_by_sign())
}

/// The sign of the average gradient times the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = signum(0.1, 0.9);
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Bernstein et al., signSGD (2018).
pub fn signum(learning_rate: impl Into<Schedule>, beta: f64) -> GradientTransformation {
    chain([ema(beta, false), scale_by_sign(), scale_by_learning_rate(learning_rate)])
}

/// Optimistic gradient descent: [`scale_by_optimistic_gradient`], then the learning rate. Usual are `alpha = beta = 1`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = optimistic_gradient_descent(0.1, 1.0, 1.0);
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Mokhtari et al., A unified analysis of extra-gradient and optimistic gradient methods (2019).
pub fn optimistic_gradient_descent(
    learning_rate: impl Into<Schedule>,
    alpha: f64,
    beta: f64,
) -> GradientTransformation {
    descend(learning_rate, scale_by_optimistic_gradient(alpha, beta))
}

/// Rprop: [`scale_by_rprop`], and the sign flipped.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = rprop(0.1, Rprop::default());
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? <= 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Riedmiller and Braun, A direct adaptive method for faster backpropagation learning (1993).
pub fn rprop(learning_rate: f64, options: Rprop) -> GradientTransformation {
    chain([scale_by_rprop(learning_rate, options), scale(-1.0)])
}

/// SM3: [`scale_by_sm3`] with `b2 = 1` and `eps = 1e-8`, then the learning rate.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::*;
/// let optimizer = sm3(0.1, 0.9);
/// let p = Array::scalar(1.0);
/// let (u, _) = optimizer.update(&p, &optimizer.init(&p), &p);
/// assert!(u.item::<f32>()? < 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Anil et al., Memory-efficient adaptive optimization (2019).
pub fn sm3(learning_rate: f64, momentum: f64) -> GradientTransformation {
    chain([scale_by_sm3(momentum, 1.0, 1e-8), scale(-learning_rate)])
}

/// Gradient descent with Polyak's step size: [`sgd`] with the rate `scaling`, then [`scale_by_polyak`]. Needs the `value` of the loss.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::{Extra, PolyakSgd, polyak_sgd};
/// let optimizer = polyak_sgd(PolyakSgd::default());
/// let p = Array::scalar(2.0);
/// let extra = Extra::new().value(&Array::scalar(4.0));
/// let (u, _) = optimizer.update_with(&Array::scalar(4.0), &optimizer.init(&p), &p, &extra);
/// assert_eq!(u.item::<f32>()?, -1.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Loizou et al., Stochastic Polyak step-size for SGD (2021).
pub fn polyak_sgd(options: PolyakSgd) -> GradientTransformation {
    chain([sgd(options.scaling, Sgd::default()), scale_by_polyak(options)])
}
