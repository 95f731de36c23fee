use jarrah_array::{Array, Error, fail, lax, where_};

/// The cross-entropy of each row of logits with the class that is right there, `logsumexp(logits) - logits[label]`.
///
/// * `logits`: float `[.., V]`, unnormalized log-probabilities
/// * `labels`: integer `[..]`, each in `[0, V)`, or in `[-V, 0)` to count from the last class
///
/// Returns float `[..]`, in nats; NaN where the label is out of range. The label's logit is picked by comparing positions
/// instead of gathering it, so that a compiler makes one pass over each row, forward and backward.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_nn::softmax_cross_entropy_with_integer_labels;
/// let logits = Array::new(&[0.0f32, 0.0, 0.0, 0.0], &[2, 2]);
/// let losses = softmax_cross_entropy_with_integer_labels(&logits, &Array::from_slice(&[0i32, 1]));
/// assert!((losses.mean(..).item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `optax.softmax_cross_entropy_with_integer_labels`; Bishop, Pattern recognition and machine learning, 4.3.4.
#[track_caller]
pub fn softmax_cross_entropy_with_integer_labels(logits: &Array, labels: &Array) -> Array {
    let shape = logits.shape();
    if shape.is_empty() || labels.shape() != shape[..shape.len() - 1] || !labels.dtype().is_integer() {
        let error = Error::program(format!("logits {} and labels {} do not fit", logits.ty(), labels.ty()));
        let error = error.op("softmax_cross_entropy_with_integer_labels");
        fail(error.help("give one integer label for each row of logits: [.., V] and [..]"));
    }
    let classes = shape[shape.len() - 1];
    let labels = lax::normalize_index(labels, classes);
    let position = lax::iota(labels.dtype(), &shape, shape.len() - 1);
    let right = position.eq(labels.expand_dims(-1));
    let picked = where_(&right, logits, 0.0).sum(-1);
    let inside = labels.ge(0) & labels.lt(classes);
    logits.logsumexp(-1) - where_(&inside, picked, f64::NAN)
}

/// The cross-entropy of each row of logits with a distribution, `-sum(p log_softmax(logits))`.
///
/// * `logits`: float `[.., V]`; `labels`: float `[.., V]`, each row a distribution
///
/// Returns float `[..]`, in nats.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_nn::softmax_cross_entropy;
/// let loss = softmax_cross_entropy(&Array::zeros(&[1, 4]), &Array::full(&[1, 4], 0.25, jarrah_array::DType::F32));
/// assert!((loss.mean(..).item::<f32>()? - 4f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `optax.softmax_cross_entropy`.
#[track_caller]
pub fn softmax_cross_entropy(logits: &Array, labels: &Array) -> Array {
    -(labels * logits.log_softmax(-1)).sum(-1)
}
