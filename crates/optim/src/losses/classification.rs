use jarrah_array::{Along, Array, DType, nn, where_};

/// `-t log sigmoid(x) - (1 - t) log sigmoid(-x)` of logits `x` and labels `t` between 0 and 1, for each of independent classes; in nats.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::sigmoid_binary_cross_entropy;
/// let loss = sigmoid_binary_cross_entropy(&Array::scalar(0.0), &Array::scalar(1.0));
/// assert!((loss.item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Goodfellow, Bengio and Courville, Deep learning (2016), 6.2.
#[track_caller]
pub fn sigmoid_binary_cross_entropy(logits: &Array, labels: &Array) -> Array {
    let labels = labels.astype(logits.dtype());
    let (yes, no) = (nn::log_sigmoid(logits), nn::log_sigmoid(&-logits));
    -(&labels * yes) - (1.0 - &labels) * no
}

/// [`sigmoid_binary_cross_entropy`] times `(1 - p)^gamma`, where `p` is the probability of the label, so that what is right counts less;
/// with `alpha`, times `alpha` for label 1 and `1 - alpha` for label 0.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((sigmoid_focal_loss(&Array::scalar(0.0), &Array::scalar(1.0), None, 0.0).item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Lin et al., Focal loss for dense object detection (2017).
#[track_caller]
pub fn sigmoid_focal_loss(logits: &Array, labels: &Array, alpha: Option<f64>, gamma: f64) -> Array {
    let labels = labels.astype(logits.dtype());
    let (yes, no) = (nn::log_sigmoid(logits), nn::log_sigmoid(&-logits));
    // log(1 - p) = log((1 - t) sigmoid(x) + t sigmoid(-x)).
    let terms = jarrah_array::stack(&[&yes, &no], -1);
    let weights = jarrah_array::stack(&[&(1.0 - &labels), &labels], -1);
    let wrong = nn::logsumexp_weighted(&terms, &weights, -1).0;
    let loss = sigmoid_binary_cross_entropy(logits, &labels) * (wrong * gamma).exp();
    match alpha {
        Some(alpha) => (&labels * alpha + (1.0 - &labels) * (1.0 - alpha)) * loss,
        None => loss,
    }
}

/// As [`super::softmax_cross_entropy`], `-sum(t log_softmax(x))`, along other axes.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((softmax_cross_entropy_along(&Array::zeros(&[2]), &Array::ones(&[2]), 0).item::<f32>()? - 2.0 * 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn softmax_cross_entropy_along(logits: &Array, labels: &Array, along: impl Into<Along>) -> Array {
    let along = along.into();
    -(labels * logits.log_softmax(along.clone())).sum(along)
}

/// As [`super::softmax_cross_entropy_with_integer_labels`], with the classes along `axis`; where there is a `mask`, of the shape of the
/// logits, only its classes are possible, and an example without any has a loss of zero.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let labels = Array::from_slice(&[1i32]);
/// assert!((softmax_cross_entropy_with_integer_labels_along(&Array::zeros(&[2, 1]), &labels, 0, None).index(0).item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn softmax_cross_entropy_with_integer_labels_along(
    logits: &Array,
    labels: &Array,
    axis: isize,
    mask: Option<&Array>,
) -> Array {
    let classes = logits.moveaxis(axis, -1);
    let Some(mask) = mask else { return super::softmax_cross_entropy_with_integer_labels(&classes, labels) };
    let mask = mask.moveaxis(axis, -1);
    let position = labels.one_hot(classes.shape()[classes.rank() - 1], DType::Bool);
    let right = where_(&position, &classes, 0.0).sum(-1);
    let loss = classes.logsumexp(jarrah_array::along(-1).mask(&mask)) - right;
    where_(&mask.any(-1), &loss, loss.zeros_like())
}

/// As [`super::softmax_cross_entropy`], but a label of zero gives zero also where the logit is infinite, where the other gives NaN.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((safe_softmax_cross_entropy(&Array::from_slice(&[0.0f32, 0.0, f32::NEG_INFINITY]), &Array::from_slice(&[1.0f32, 0.0, 0.0])).item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn safe_softmax_cross_entropy(logits: &Array, labels: &Array) -> Array {
    let log = logits.log_softmax(-1);
    let some = labels.ne(0.0);
    let safe = where_(&some, &log, log.zeros_like());
    -where_(&some, labels * safe, log.zeros_like()).sum(-1)
}

/// [`super::softmax_cross_entropy`] plus `epsilon sum(t (1 - softmax(x)))`, the first term of a series (Poly-1).
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((poly_loss_cross_entropy(&Array::zeros(&[2]), &Array::from_slice(&[1.0f32, 0.0]), 1.0, -1).item::<f32>()? - (2f32.ln() + 0.5)).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Leng et al., PolyLoss (2022).
#[track_caller]
pub fn poly_loss_cross_entropy(
    logits: &Array,
    labels: &Array,
    epsilon: f64,
    along: impl Into<Along>,
) -> Array {
    let along = along.into();
    let missing = (labels * (1.0 - logits.softmax(along.clone()))).sum(along.clone());
    softmax_cross_entropy_along(logits, labels, along) + missing * epsilon
}

/// `(1 - alpha) t + alpha / classes`: labels that are less sure, along the last axis.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert_eq!(smooth_labels(&Array::from_slice(&[1.0f32, 0.0]), 0.5).to_vec::<f32>()?, [0.75, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Müller, Kornblith and Hinton, When does label smoothing help? (2019).
#[track_caller]
pub fn smooth_labels(labels: &Array, alpha: f64) -> Array {
    let classes = labels.shape().last().copied().unwrap_or(1);
    labels * (1.0 - alpha) + alpha / classes as f64
}

/// As [`smooth_labels`], with the classes along `axis` that are in `mask`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert_eq!(smooth_labels_along(&Array::from_slice(&[1.0f32, 0.0]), 0.5, 0, &Array::from_slice(&[true, true])).to_vec::<f32>()?, [0.75, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn smooth_labels_along(labels: &Array, alpha: f64, axis: isize, mask: &Array) -> Array {
    let classes = mask.astype(labels.dtype()).sum(jarrah_array::along(axis).keepdims());
    labels * (1.0 - alpha) + alpha / classes
}
