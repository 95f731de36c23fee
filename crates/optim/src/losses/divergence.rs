use jarrah_array::{Along, Array, where_};

/// `sum(t (log t - q))`, the divergence of the distribution `exp(q)` from the distribution `t`, along the last axis; in nats.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let uniform = Array::from_slice(&[0.5f32, 0.5]);
/// assert!((kl_divergence(&uniform.log(), &uniform).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kullback and Leibler, On information and sufficiency (1951).
#[track_caller]
pub fn kl_divergence(log_predictions: &Array, targets: &Array) -> Array {
    kl_divergence_along(log_predictions, targets, super::last())
}

/// As [`kl_divergence`], along other axes.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let uniform = Array::from_slice(&[0.5f32, 0.5]);
/// assert!((kl_divergence_along(&uniform.log(), &uniform, 0).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kl_divergence_along(log_predictions: &Array, targets: &Array, along: impl Into<Along>) -> Array {
    let none = targets.eq(0.0);
    let log = where_(&none, targets.zeros_like(), where_(&none, targets.ones_like(), targets).log());
    (targets * (log - log_predictions)).sum(along)
}

/// `sum(exp(t) (t - q))`: as [`kl_divergence`], with the logarithms of targets.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let uniform = Array::from_slice(&[0.5f32, 0.5]);
/// assert!((kl_divergence_with_log_targets(&uniform.log(), &uniform.log()).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kl_divergence_with_log_targets(log_predictions: &Array, log_targets: &Array) -> Array {
    kl_divergence_with_log_targets_along(log_predictions, log_targets, super::last())
}

/// As [`kl_divergence_with_log_targets`], along other axes.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let uniform = Array::from_slice(&[0.5f32, 0.5]);
/// assert!((kl_divergence_with_log_targets_along(&uniform.log(), &uniform.log(), 0).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn kl_divergence_with_log_targets_along(
    log_predictions: &Array,
    log_targets: &Array,
    along: impl Into<Along>,
) -> Array {
    (log_targets.exp() * (log_targets - log_predictions)).sum(along)
}

/// [`kl_divergence`] plus `sum(exp(q) - t)`: convex, and not negative, also where the sums are not one.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let uniform = Array::from_slice(&[0.5f32, 0.5]);
/// assert!((generalized_kl_divergence(&uniform.log(), &uniform).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Kingma, Convex optimization, 3.1; `optax.losses.generalized_kl_divergence`.
#[track_caller]
pub fn generalized_kl_divergence(log_predictions: &Array, targets: &Array) -> Array {
    generalized_kl_divergence_along(log_predictions, targets, super::last())
}

/// As [`generalized_kl_divergence`], along other axes.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let uniform = Array::from_slice(&[0.5f32, 0.5]);
/// assert!((generalized_kl_divergence_along(&uniform.log(), &uniform, 0).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn generalized_kl_divergence_along(
    log_predictions: &Array,
    targets: &Array,
    along: impl Into<Along>,
) -> Array {
    let along = along.into();
    kl_divergence_along(log_predictions, targets, along.clone())
        + (log_predictions.exp() - targets).sum(along)
}
