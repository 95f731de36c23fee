//! Transformations that look at the norm of each leaf.

use jarrah_array::{Array, Tree, along, linalg, where_};

use crate::moments::{plus_one, start, zeros};
use crate::options::options;
use crate::tree::{self, NormOrder, abs_sq};
use crate::{GradientTransformation, Leaves};

/// `max(|x|, min_norm)`, with a gradient of zero, not NaN, where `min_norm` is the larger.
///
/// ```
/// use jarrah_array::{Array, grad};
/// use jarrah_optim::transforms::safe_norm;
/// assert_eq!(safe_norm(&Array::from_slice(&[3.0f32, 4.0]), 1.0).item::<f32>()?, 5.0);
/// assert_eq!(grad(|x: &Array| safe_norm(x, 1e-3))(&Array::zeros(&[2])).to_vec::<f32>()?, [0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn safe_norm(x: &Array, min_norm: f64) -> Array {
    at_least(x, min_norm, |x| abs_sq(x).sum(..).sqrt())
}

/// `max(root mean square of x, min_rms)`, with a gradient of zero, not NaN, where `min_rms` is the larger.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_optim::transforms::safe_root_mean_squares;
/// assert_eq!(safe_root_mean_squares(&Array::full(&[4], 2.0, jarrah_array::DType::F32), 1.0).item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn safe_root_mean_squares(x: &Array, min_rms: f64) -> Array {
    at_least(x, min_rms, |x| abs_sq(x).mean(..).sqrt())
}

fn at_least(x: &Array, least: f64, size: impl Fn(&Array) -> Array) -> Array {
    let small = size(x).le(least);
    let safe = size(&where_(&small, x.ones_like(), x));
    where_(&small, safe.full_like(least), safe)
}

options! {
    /// The options of the trust ratio.
    pub struct TrustRatio {
        /// The least norm of parameters and updates.
        min_norm: f64 = 0.0,
        /// The factor on the trust ratio.
        trust_coefficient: f64 = 1.0,
        /// The number added to the norm of the update.
        eps: f64 = 0.0,
    }
}

/// Each leaf's update scaled to the norm of its parameter, `u = g |p| / |g|`; unchanged if either norm is zero.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_trust_ratio();
/// let (g, p) = (Array::scalar(2.0), Array::scalar(-3.0));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: You et al., Large batch optimization for deep learning (2019).
pub fn scale_by_trust_ratio() -> GradientTransformation {
    scale_by_trust_ratio_with(TrustRatio::default())
}

/// As [`scale_by_trust_ratio`], `u = g trust_coefficient |p| / (|g| + eps)`, with norms of at least `min_norm`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::{TrustRatio, scale_by_trust_ratio_with};
/// let t = scale_by_trust_ratio_with(TrustRatio { trust_coefficient: 0.5, ..TrustRatio::default() });
/// let (g, p) = (Array::scalar(2.0), Array::scalar(-4.0));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: You, Gitman and Ginsburg, Large batch training of convolutional networks (2017).
pub fn scale_by_trust_ratio_with(options: TrustRatio) -> GradientTransformation {
    let TrustRatio { min_norm, trust_coefficient, eps } = options;
    GradientTransformation::stateless("scale_by_trust_ratio", move |updates, params| {
        updates.zip([params], |g, [p]| {
            let (param, update) = (safe_norm(p, min_norm), safe_norm(g, min_norm));
            let none = param.eq(0.0) | update.eq(0.0);
            let ratio = param * trust_coefficient / (update + eps);
            g * where_(&none, ratio.ones_like(), ratio)
        })
    })
}

/// Each leaf's update times the norm of its parameter, of at least `min_scale`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_param_block_norm(1e-3);
/// let (g, p) = (Array::scalar(2.0), Array::scalar(-3.0));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn scale_by_param_block_norm(min_scale: f64) -> GradientTransformation {
    GradientTransformation::stateless("scale_by_param_block_norm", move |updates, params| {
        updates.zip([params], |g, [p]| g * safe_norm(p, min_scale))
    })
}

/// Each leaf's update times the root mean square of its parameter, of at least `min_scale`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::scale_by_param_block_rms(1e-3);
/// let (g, p) = (Array::from_slice(&[2.0f32, 1.0]), Array::from_slice(&[3.0f32, 3.0]));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.to_vec::<f32>()?, [6.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Shazeer and Stern, Adafactor (2018), section 8.
pub fn scale_by_param_block_rms(min_scale: f64) -> GradientTransformation {
    GradientTransformation::stateless("scale_by_param_block_rms", move |updates, params| {
        updates.zip([params], |g, [p]| g * safe_root_mean_squares(p, min_scale))
    })
}

/// Updates scaled to the global norm `scale_factor`: `u = g scale_factor / (norm + eps)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::normalize_by_update_norm(2.0, 0.0);
/// let g = Array::from_slice(&[3.0f32, 4.0]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [1.2, 1.6]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn normalize_by_update_norm(scale_factor: f64, eps: f64) -> GradientTransformation {
    GradientTransformation::stateless("normalize_by_update_norm", move |updates, _| {
        let norm = (tree::norm(updates, NormOrder::Two) + eps) / scale_factor;
        updates.map(|g| g / &norm)
    })
}

/// Each gradient of two or more axes without its mean along all axes but the first.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::centralize();
/// let g = Array::new(&[1.0f32, 3.0, 4.0, 4.0], &[2, 2]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [-1.0, 1.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Yong et al., Gradient centralization (2020).
pub fn centralize() -> GradientTransformation {
    GradientTransformation::stateless("centralize", |updates, _| {
        updates.map(|g| match g.rank() {
            0 | 1 => g.clone(),
            rank => g - g.mean(along(&(1..rank as isize).collect::<Vec<isize>>()[..]).keepdims()),
        })
    })
}

options! {
    /// The options of NovoGrad.
    pub struct Novograd {
        /// The decay of the average normalized gradient.
        b1: f64 = 0.9,
        /// The decay of the average squared norm.
        b2: f64 = 0.25,
        /// The number added to the root.
        eps: f64 = 1e-6,
        /// The number added under the root.
        eps_root: f64 = 0.0,
        /// The factor on the parameters that are added to the normalized gradient.
        weight_decay: f64 = 0.0,
    }
}

#[derive(Clone, Tree)]
struct NovogradState {
    count: Array,
    mu: Leaves,
    nu: Leaves,
}

/// Momentum of gradients that are divided by the norm of their leaf:
///
/// `v_t = b2 v + (1 - b2) |g|^2`, `m_t = b1 m + g / (sqrt(v_t + eps_root) + eps) + weight_decay p`, `u = m_t`; at first `v_1 = |g|^2`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::Novograd;
/// use jarrah_optim::transforms::scale_by_novograd;
/// let t = scale_by_novograd(Novograd::default());
/// let g = Array::from_slice(&[3.0f32, 4.0]);
/// assert!((t.update(&g, &t.init(&g), &g).0.index(0).item::<f32>()? - 0.6).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ginsburg et al., Stochastic gradient methods with layer-wise adaptive moments (2019).
pub fn scale_by_novograd(options: Novograd) -> GradientTransformation {
    let Novograd { b1, b2, eps, eps_root, weight_decay } = options;
    GradientTransformation::new(
        "scale_by_novograd",
        |params| NovogradState {
            count: start().count,
            mu: zeros(params),
            nu: params.map(|p| Array::full(&[], 0.0, p.dtype())),
        },
        move |updates, state, params| {
            let count = plus_one(&state.count);
            let first = count.eq(1);
            let norms = updates.map(|g| linalg::norm(g).square());
            let nu =
                norms.zip([&state.nu], |n, [v]| where_(&first, n.astype(v.dtype()), n * (1.0 - b2) + v * b2));
            let scaled = updates.beside(&nu, |g, v| g / ((v + eps_root).sqrt() + eps));
            let mu = scaled.zip([params, &state.mu], |u, [p, m]| {
                let u = u + p * weight_decay;
                where_(&first, &u, m * b1 + &u)
            });
            (mu.clone(), NovogradState { count, mu, nu })
        },
    )
}
