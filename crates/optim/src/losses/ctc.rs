use jarrah_array::{Array, DType, Error, concatenate, fail, scan};

use crate::options::options;

options! {
    /// The options of the CTC loss.
    pub struct Ctc {
        /// The class that stands for no label.
        blank_id: usize = 0,
        /// The logarithm of zero.
        log_epsilon: f64 = -1e5,
    }
}

/// `-log` of the probability that a sequence of classes becomes the labels when repetitions are merged and then blanks are removed
/// (connectionist temporal classification), for each sequence.
///
/// * `logits`: `[batch, time, classes]`; `logit_paddings`: `[batch, time]`, 1 behind the end
/// * `labels`: integers `[batch, length]`, not the blank; `label_paddings`: `[batch, length]`, 1 behind the end
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_optim::losses::{Ctc, ctc_loss};
/// // Of the four equally likely pairs of blank and label, three become the label.
/// let (logits, padding) = (Array::zeros(&[1, 2, 2]), Array::zeros(&[1, 2]));
/// let loss = ctc_loss(&logits, &padding, &Array::full(&[1, 1], 1, DType::I32), &Array::zeros(&[1, 1]), Ctc::default());
/// assert!((loss.index(0).item::<f32>()? + 0.75f32.ln()).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Graves et al., Connectionist temporal classification (2006).
#[track_caller]
pub fn ctc_loss(
    logits: &Array,
    logit_paddings: &Array,
    labels: &Array,
    label_paddings: &Array,
    options: Ctc,
) -> Array {
    ctc_loss_with_forward_probs(logits, logit_paddings, labels, label_paddings, options).0
}

/// As [`ctc_loss`], with the logarithms of forward probabilities: `[time, batch, length + 1]` of paths that end in a blank after so many
/// labels, and `[time, batch, length]` of those that end in the label.
///
/// ```
/// use jarrah_array::{Array, DType};
/// use jarrah_optim::losses::{Ctc, ctc_loss_with_forward_probs};
/// let (logits, padding) = (Array::zeros(&[1, 2, 2]), Array::zeros(&[1, 2]));
/// let labels = Array::full(&[1, 1], 1, DType::I32);
/// let (_, blanks, ends) = ctc_loss_with_forward_probs(&logits, &padding, &labels, &Array::zeros(&[1, 1]), Ctc::default());
/// assert_eq!((blanks.shape().to_vec(), ends.shape().to_vec()), (vec![2, 1, 2], vec![2, 1, 1]));
/// ```
#[track_caller]
pub fn ctc_loss_with_forward_probs(
    logits: &Array,
    logit_paddings: &Array,
    labels: &Array,
    label_paddings: &Array,
    options: Ctc,
) -> (Array, Array, Array) {
    let Ctc { blank_id, log_epsilon } = options;
    if logits.rank() != 3 || labels.rank() != 2 || logits.shape()[0] != labels.shape()[0] {
        let error = Error::program(format!("logits {} and labels {} do not fit", logits.ty(), labels.ty()));
        fail(error.op("ctc_loss").help("give [batch, time, classes] and [batch, length]"));
    }
    let (batch, classes, length) = (logits.shape()[0], logits.shape()[2], labels.shape()[1]);
    let dtype = logits.dtype();
    let log = logits.log_softmax(-1);
    let lengths = length as i64 - label_paddings.sum(1).astype(DType::I32);
    let same = labels.slice(1, 0..length.saturating_sub(1)).eq(labels.slice(1, 1..));
    let repeat = concatenate(&[&same.astype(dtype), &Array::full(&[batch, length.min(1)], 0.0, dtype)], 1);
    let blank = log.slice(2, blank_id..blank_id + 1).transpose(&[1, 0, 2]);
    let emit = log.matmul(&labels.one_hot(classes, dtype).swapaxes(1, 2)).transpose(&[1, 0, 2]);
    let nothing = |width: usize| Array::full(&[batch, width], log_epsilon, dtype);
    let first = concatenate(&[&Array::full(&[batch, 1], 0.0, dtype), &nothing(length)], 1);
    let added = |phi: &Array, score: &Array| {
        concatenate(&[&phi.slice(1, 0..1), &phi.slice(1, 1..).logaddexp(score)], 1)
    };
    let paddings = logit_paddings.t().astype(dtype).expand_dims(-1);
    let step = |(phi, last): &(Array, Array), (emit, (blank, pad)): &(Array, (Array, Array))| {
        let open = added(phi, &(last + &repeat * log_epsilon));
        let next = (open.slice(1, 0..length) + emit).logaddexp(last + emit);
        let closed = added(&(open + blank), &(last + blank + (1.0 - &repeat) * log_epsilon));
        let next = pad * last + (1.0 - pad) * next;
        let closed = pad * phi + (1.0 - pad) * closed;
        ((closed.clone(), next.clone()), (closed, next))
    };
    let (_, (phi, ends)) = scan(step, &(first, nothing(length)), &(emit, (blank, paddings)));
    let time = phi.shape()[0];
    let last = |x: &Array| x.slice(0, time - 1..time).squeeze(0);
    let total = added(&last(&phi), &last(&ends));
    let phi = concatenate(&[&phi.slice(0, 0..time - 1), &total.expand_dims(0)], 0);
    let loss = -(total * lengths.one_hot(length + 1, dtype)).sum(-1);
    (loss, phi, ends)
}
