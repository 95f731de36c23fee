use jarrah_array::{Array, Tree, TreeExt, where_};

use crate::GradientTransformation;

/// Every element clamped to `[-max_delta, max_delta]`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::clip(1.0);
/// let g = Array::from_slice(&[-3.0f32, 0.5]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [-1.0, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn clip(max_delta: f64) -> GradientTransformation {
    GradientTransformation::stateless("clip", move |updates, _| {
        updates.map(|g| g.clip(-max_delta, max_delta))
    })
}

/// The square root of the sum of the squares of all elements of all leaves.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::global_norm;
/// let norm = global_norm(&(Array::scalar(3.0f32), Array::from_slice(&[4.0f32])));
/// assert_eq!(norm.item::<f32>()?, 5.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn global_norm<T: Tree<Array>>(tree: &T) -> Array {
    let squares = tree.leaves().into_iter().map(|leaf: &Array| leaf.square().sum(..));
    let total = squares.reduce(|a, b| a + b);
    total.unwrap_or_else(|| Array::full(&[], 0.0, jarrah_array::DType::F32)).sqrt()
}

/// Updates scaled to a global norm of at most `max_norm`: `u = g`, or `g / norm max_norm` where `norm >= max_norm`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::clip_by_global_norm(1.0);
/// let g = Array::from_slice(&[3.0f32, 4.0]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [0.6, 0.8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Pascanu, Mikolov and Bengio, On the difficulty of training recurrent neural networks (2012).
pub fn clip_by_global_norm(max_norm: f64) -> GradientTransformation {
    GradientTransformation::stateless("clip_by_global_norm", move |updates, _| {
        let norm = global_norm(updates);
        let small = norm.lt(max_norm);
        updates.map(|g| where_(&small, g, (g / norm.astype(g.dtype())) * max_norm))
    })
}
