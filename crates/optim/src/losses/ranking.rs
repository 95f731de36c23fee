use jarrah_array::{Array, DType, Error, fail, stop_gradient, where_};

use super::cosine_similarity;

/// `-sum(t log_softmax(x))` of the scores `x` of a list of documents and their relevance `t`, both `[.., documents]`, for each list; where
/// there is a `mask` only what is in it is in the list, and a list without documents has a loss of zero. `weights` multiply the labels.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((ranking_softmax_loss(&Array::zeros(&[2]), &Array::from_slice(&[1.0f32, 0.0]), None, None).item::<f32>()? - 2f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Cao et al., Learning to rank: from pairwise approach to listwise approach (2007).
#[track_caller]
pub fn ranking_softmax_loss(
    logits: &Array,
    labels: &Array,
    mask: Option<&Array>,
    weights: Option<&Array>,
) -> Array {
    let mut labels = labels.astype(logits.dtype());
    let mut logits = logits.clone();
    if let Some(mask) = mask {
        labels = where_(mask, &labels, labels.zeros_like());
        logits = where_(mask, &logits, f64::NEG_INFINITY);
    }
    if let Some(weights) = weights {
        labels *= weights;
    }
    let Some(mask) = mask else { return -(labels * logits.log_softmax(-1)).sum(-1) };
    let log = where_(mask, logits.log_softmax(-1), 0.0);
    let loss = -(labels * log).sum(-1);
    where_(&mask.any(-1), &loss, loss.zeros_like())
}

/// The mean over all pairs of one class of `-log(exp(s) / (exp(s) + sum exp of those of other classes))`, where `s` is the cosine similarity
/// of the pair over `temperature`, as a rule 0.07 (NT-Xent).
///
/// * `embeddings`: `[n, width]`; `labels`: integers `[n]`
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::ntxent;
/// let loss = ntxent(&Array::ones(&[4, 2]), &Array::from_slice(&[0i32, 0, 1, 1]), 0.5);
/// // All are alike: each pair competes with two others.
/// assert!((loss.item::<f32>()? - 3f32.ln()).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Chen et al., A simple framework for contrastive learning of visual representations (2020).
#[track_caller]
pub fn ntxent(embeddings: &Array, labels: &Array, temperature: f64) -> Array {
    if embeddings.rank() != 2 || labels.shape() != embeddings.shape()[..1] {
        let error =
            Error::program(format!("embeddings {} and labels {} do not fit", embeddings.ty(), labels.ty()));
        fail(error.op("ntxent").help("give one label for each row of embeddings: [n, width] and [n]"));
    }
    let n = labels.size();
    let epsilon = if embeddings.dtype() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) };
    let similar =
        cosine_similarity(&embeddings.expand_dims(0), &embeddings.expand_dims(1), epsilon) / temperature;
    let same = labels.expand_dims(1).eq(labels.expand_dims(0));
    let pairs = &same & !Array::eye(n).astype(DType::Bool);
    let none = f64::NEG_INFINITY;
    let (other, matched) = (where_(&same, none, &similar), where_(&pairs, &similar, none));
    let largest = stop_gradient(&other.max(-1).maximum(matched.max(-1)).expand_dims(-1));
    let others = where_(&same, 0.0, (where_(&same, &largest, &similar) - &largest).exp());
    let shifted = where_(&pairs, &similar, &largest) - &largest;
    let denominator = others.sum(jarrah_array::along(-1).keepdims()) + shifted.exp();
    let log = where_(&pairs, shifted - denominator.log(), 0.0);
    -log.sum(..) / pairs.astype(embeddings.dtype()).sum(..)
}
