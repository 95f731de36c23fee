use jarrah_array::{Along, Array, custom_jvp, where_};

/// `(p - t)^2`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((squared_error(&Array::scalar(3.0), &Array::scalar(1.0)).item::<f32>()? - 4.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn squared_error(predictions: &Array, targets: &Array) -> Array {
    (predictions - targets).square()
}

/// `(p - t)^2 / 2`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((l2_loss(&Array::scalar(3.0), &Array::scalar(1.0)).item::<f32>()? - 2.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Bishop, Pattern recognition and machine learning, 1.1.
#[track_caller]
pub fn l2_loss(predictions: &Array, targets: &Array) -> Array {
    squared_error(predictions, targets) * 0.5
}

/// `e^2 / 2` of small errors `e = p - t`, `delta (|e| - delta / 2)` where `|e| > delta`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((huber_loss(&Array::scalar(3.0), &Array::scalar(0.0), 1.0).item::<f32>()? - 2.5).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Huber, Robust estimation of a location parameter (1964).
#[track_caller]
pub fn huber_loss(predictions: &Array, targets: &Array, delta: f64) -> Array {
    let error = (predictions - targets).abs();
    let quadratic = error.minimum(delta);
    let linear = error - &quadratic;
    quadratic.square() * 0.5 + linear * delta
}

/// `log(cosh(p - t))`, without overflow: about `e^2 / 2` of small errors, `|e| - log 2` of large ones.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((log_cosh(&Array::scalar(1000.0), &Array::scalar(0.0)).item::<f32>()? - (1000.0 - 2f32.ln())).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Chen et al., Log hyperbolic cosine loss improves variational auto-encoder (2019).
#[track_caller]
pub fn log_cosh(predictions: &Array, targets: &Array) -> Array {
    let value = |error: &Array| {
        let size = error.abs();
        let small = size.lt(1);
        // For small errors, `2 sinh(e / 2)^2` is `cosh(e) - 1` without cancellation.
        let half = (where_(&small, &size, 0) * 0.5).sinh();
        let large = &size - 2f64.ln() + (&size * -2.0).exp().log1p();
        where_(&small, (half.square() * 2.0).log1p(), large)
    };
    custom_jvp(value, move |error: &Array, tangent: &Array| (value(error), tangent * error.tanh()))(
        &(predictions - targets),
    )
}

/// The cosine of the angle between vectors along the last axis, `<p, t> / (|p| |t|)`; squared norms are at least `epsilon`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::cosine_similarity;
/// let (a, b) = (Array::from_slice(&[3.0f32, 0.0]), Array::from_slice(&[1.0f32, 1.0]));
/// assert!((cosine_similarity(&a, &b, 0.0).item::<f32>()? - 0.5f32.sqrt()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cosine_similarity(predictions: &Array, targets: &Array, epsilon: f64) -> Array {
    cosine_similarity_along(predictions, targets, epsilon, super::last())
}

/// As [`cosine_similarity`], along other axes.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let x = Array::ones(&[2, 3]);
/// assert!((cosine_similarity_along(&x, &x, 0.0, [0, 1]).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cosine_similarity_along(
    predictions: &Array,
    targets: &Array,
    epsilon: f64,
    along: impl Into<Along>,
) -> Array {
    let along = along.into();
    let unit = |x: &Array| x / x.square().sum(along.clone().keepdims()).maximum(epsilon).sqrt();
    (unit(predictions) * unit(targets)).sum(along.clone())
}

/// `1 -` [`cosine_similarity`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((cosine_distance(&Array::from_slice(&[1.0f32, 0.0]), &Array::from_slice(&[0.0f32, 1.0]), 0.0).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cosine_distance(predictions: &Array, targets: &Array, epsilon: f64) -> Array {
    1.0 - cosine_similarity(predictions, targets, epsilon)
}

/// `1 -` [`cosine_similarity_along`].
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let x = Array::ones(&[2, 3]);
/// assert!((cosine_distance_along(&x, &x, 0.0, 0).index(0).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cosine_distance_along(
    predictions: &Array,
    targets: &Array,
    epsilon: f64,
    along: impl Into<Along>,
) -> Array {
    1.0 - cosine_similarity_along(predictions, targets, epsilon, along)
}
