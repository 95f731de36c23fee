use jarrah_array::{Array, vmap};

/// `max(0, 1 - y t)` of outputs `y` and targets `t`, each -1 or 1.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((hinge_loss(&Array::scalar(0.5), &Array::scalar(1.0)).item::<f32>()? - 0.5).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Cortes and Vapnik, Support-vector networks (1995).
#[track_caller]
pub fn hinge_loss(outputs: &Array, targets: &Array) -> Array {
    (1.0 - outputs * targets).maximum(0)
}

/// `max(0, -y t)` of outputs `y` and targets `t`, each -1 or 1.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((perceptron_loss(&Array::scalar(-0.5), &Array::scalar(1.0)).item::<f32>()? - 0.5).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Rosenblatt, The perceptron (1958).
#[track_caller]
pub fn perceptron_loss(outputs: &Array, targets: &Array) -> Array {
    (-outputs * targets).maximum(0)
}

/// `max over k of (y_k + 1 - [k = t]) - y_t` of scores `y` `[.., V]` and labels `t` `[..]`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((multiclass_hinge_loss(&Array::from_slice(&[2.0f32, 1.0, 0.0]), &Array::scalar(1)).item::<f32>()? - 2.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Crammer and Singer, On the algorithmic implementation of multiclass kernel-based vector machines (2001).
#[track_caller]
pub fn multiclass_hinge_loss(scores: &Array, labels: &Array) -> Array {
    let right = labels.one_hot(scores.shape()[scores.rank() - 1], scores.dtype());
    (scores + 1.0 - &right).max(-1) - (scores * right).sum(-1)
}

/// `max over k of y_k - y_t` of scores `y` `[.., V]` and labels `t` `[..]`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((multiclass_perceptron_loss(&Array::from_slice(&[2.0f32, 1.0, 0.0]), &Array::scalar(1)).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Collins, Discriminative training methods for hidden Markov models (2002).
#[track_caller]
pub fn multiclass_perceptron_loss(scores: &Array, labels: &Array) -> Array {
    let right = labels.one_hot(scores.shape()[scores.rank() - 1], scores.dtype());
    scores.max(-1) - (scores * right).sum(-1)
}

/// `max(0, |a - p| - |a - n| + margin)`, with `|x| = (sum(x^degree) + eps)^(1 / degree)` along the last axis. Usual are a degree of 2, a
/// margin of 1 and `eps = 1e-6`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// let x = Array::ones(&[3]);
/// assert!((triplet_margin_loss(&x, &x, &x, 2, 1.0, 1e-6).item::<f32>()? - 1.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Schroff, Kalenichenko and Philbin, FaceNet (2015).
#[track_caller]
pub fn triplet_margin_loss(
    anchors: &Array,
    positives: &Array,
    negatives: &Array,
    degree: i32,
    margin: f64,
    eps: f64,
) -> Array {
    let distance = |to: &Array| ((anchors - to).pow(degree).sum(-1) + eps).pow(1.0 / f64::from(degree));
    (distance(positives) - distance(negatives) + margin).maximum(0)
}

/// The loss `max(y) - <t, y>` of scores `y` and targets `t`, both `[.., V]`, for a function `max` from vectors to scalars: its gradient is
/// that of `max`, the prediction, minus the target.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::make_fenchel_young_loss;
/// let loss = make_fenchel_young_loss(|y: &Array| y.logsumexp(..));
/// let found = loss(&Array::zeros(&[1, 2]), &Array::new(&[1.0f32, 0.0], &[1, 2]));
/// assert!((found.index(0).item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Blondel, Martins and Niculae, Learning with Fenchel-Young losses (2020).
pub fn make_fenchel_young_loss(max: impl Fn(&Array) -> Array) -> impl Fn(&Array, &Array) -> Array {
    move |scores, targets| {
        let shape = scores.shape();
        let (rows, width) = (shape[..shape.len().saturating_sub(1)].to_vec(), shape[shape.len() - 1]);
        let flat = scores.reshape(&[scores.size() / width.max(1), width]);
        let best = vmap(|y: &Array| max(y))(&flat).reshape(&rows);
        best - (targets * scores).sum(-1)
    }
}
