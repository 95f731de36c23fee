use jarrah_array::{Array, nn, vmap, where_};

use crate::projections::projection_simplex;

/// The loss of sparsemax for two classes, of a logit and a label of 0 or 1: `sparse_plus(-x)` for label 1, `sparse_plus(x)` for 0.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((sparsemax_loss(&Array::scalar(0.0), &Array::scalar(1.0)).item::<f32>()? - 0.25).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Martins and Astudillo, From softmax to sparsemax (2016).
#[track_caller]
pub fn sparsemax_loss(logits: &Array, labels: &Array) -> Array {
    nn::sparse_plus(&where_(&labels.ne(0), -logits, logits))
}

/// The loss of sparsemax, `<p, y - y_t> + (1 - |p|^2) / 2` with `p` the projection of the scores `y` to the simplex.
///
/// * `scores`: `[n, V]`; `labels`: integers `[n]`
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::losses::*;
/// assert!((multiclass_sparsemax_loss(&Array::new(&[5.0f32, 0.0], &[1, 2]), &Array::from_slice(&[0i32])).index(0).item::<f32>()? - 0.0).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Martins and Astudillo (2016); Blondel, Martins and Niculae, Learning with Fenchel-Young losses (2020).
#[track_caller]
pub fn multiclass_sparsemax_loss(scores: &Array, labels: &Array) -> Array {
    let p = vmap(|y: &Array| projection_simplex(y, 1.0))(scores);
    let right = labels.one_hot(scores.shape()[scores.rank() - 1], scores.dtype());
    let shifted = scores - (scores * right).sum(jarrah_array::along(-1).keepdims());
    let shifted = where_(&p.ne(0.0), &shifted, shifted.zeros_like());
    (&p * shifted).sum(-1) + (1.0 - p.square().sum(-1)) * 0.5
}
