use jarrah_array::{Along, Array};

/// `(p - t)^2`.
#[track_caller]
pub fn squared_error(predictions: &Array, targets: &Array) -> Array {
    (predictions - targets).square()
}

/// `(p - t)^2 / 2`.
///
/// Source: Bishop, Pattern recognition and machine learning, 1.1.
#[track_caller]
pub fn l2_loss(predictions: &Array, targets: &Array) -> Array {
    squared_error(predictions, targets) * 0.5
}

/// `e^2 / 2` of small errors `e = p - t`, `delta (|e| - delta / 2)` where `|e| > delta`.
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
/// Source: Chen et al., Log hyperbolic cosine loss improves variational auto-encoder (2019).
#[track_caller]
pub fn log_cosh(predictions: &Array, targets: &Array) -> Array {
    let error = predictions - targets;
    error.logaddexp(-&error) - 2f64.ln()
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
#[track_caller]
pub fn cosine_distance(predictions: &Array, targets: &Array, epsilon: f64) -> Array {
    1.0 - cosine_similarity(predictions, targets, epsilon)
}

/// `1 -` [`cosine_similarity_along`].
#[track_caller]
pub fn cosine_distance_along(
    predictions: &Array,
    targets: &Array,
    epsilon: f64,
    along: impl Into<Along>,
) -> Array {
    1.0 - cosine_similarity_along(predictions, targets, epsilon, along)
}
