use jarrah_array::numpy::tensordot;
use jarrah_array::{Array, DType, Error, Tree, TreeExt, along, fail, where_};

use crate::GradientTransformation;
use crate::tree::{self, NormOrder, abs_sq};

/// Every element clamped to `[-max_delta, max_delta]`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::clip(1.0);
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
/// use jarrah_optim::transforms::global_norm;
/// let norm = global_norm(&(Array::scalar(3.0), Array::from_slice(&[4.0f32])));
/// assert_eq!(norm.item::<f32>()?, 5.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn global_norm<T: Tree<Array>>(tree: &T) -> Array {
    tree::norm(tree, NormOrder::Two)
}

/// Updates scaled to a global norm of at most `max_norm`: `u = g`, or `g / norm max_norm` where `norm >= max_norm`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::clip_by_global_norm(1.0);
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

/// Each leaf scaled to a root mean square of at most `threshold`: `u = g / max(1, rms(g) / threshold)`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::clip_by_block_rms(1.0);
/// let g = Array::from_slice(&[3.0f32, -3.0]);
/// assert_eq!(t.update(&g, &t.init(&g), &g).0.to_vec::<f32>()?, [1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Shazeer and Stern, Adafactor (2018), section 6.
pub fn clip_by_block_rms(threshold: f64) -> GradientTransformation {
    GradientTransformation::stateless("clip_by_block_rms", move |updates, _| {
        updates.map(|g| g / (abs_sq(g).mean(..).sqrt() / threshold).maximum(1.0))
    })
}

/// The norm of each unit of a weight, in the shape of the weight: of the whole of a vector, of a column of a matrix, of an output channel
/// of a kernel of a convolution, `[.., in, out]`.
///
/// Panics for more than five axes; [`unitwise_norm_along`] takes the axes.
///
/// ```
/// use jarrah_array::Array;
/// let norms = jarrah_optim::transforms::unitwise_norm(&Array::new(&[3.0f32, 0.0, 4.0, 1.0], &[2, 2]));
/// assert_eq!(norms.to_vec::<f32>()?, [5.0, 1.0, 5.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn unitwise_norm(x: &Array) -> Array {
    let lanes = x.shape().iter().filter(|&&n| n != 1).count();
    let axes: &[isize] = match x.rank() {
        rank if lanes <= 1 => return unitwise_norm_along(x, &(0..rank as isize).collect::<Vec<isize>>()),
        2 | 3 => &[0],
        4 => &[0, 1, 2],
        5 => &[0, 1, 2, 3],
        _ => {
            let error = Error::program(format!("{} has no units that are known", x.ty()));
            fail(error.op("unitwise_norm").help("give the axes of a unit to unitwise_norm_along"))
        }
    };
    unitwise_norm_along(x, axes)
}

/// The norm along some axes, in the shape of `x`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::unitwise_norm_along;
/// assert_eq!(unitwise_norm_along(&Array::new(&[3.0f32, 4.0], &[1, 2]), &[1]).to_vec::<f32>()?, [5.0, 5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn unitwise_norm_along(x: &Array, axes: &[isize]) -> Array {
    abs_sq(x).sum(along(axes).keepdims()).sqrt().broadcast_to(&x.shape())
}

/// `g` where its norm is below `max_norm`, else scaled to it: `g max_norm / max(norm, eps)`. All have the same shape.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::transforms::unitwise_clip;
/// assert_eq!(unitwise_clip(&Array::scalar(5.0), &Array::scalar(1.0), &Array::scalar(5.0), 1e-6).ravel().to_vec::<f32>()?, [1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn unitwise_clip(norm: &Array, max_norm: &Array, g: &Array, eps: f64) -> Array {
    where_(&norm.lt(max_norm), g, g * (max_norm / norm.maximum(eps)))
}

/// Each unit of an update scaled to a norm of at most `clipping` times that of its parameter, which counts as at least `eps`.
///
/// ```
/// use jarrah_array::Array;
/// let t = jarrah_optim::transforms::adaptive_grad_clip(0.5, 1e-3);
/// let (g, p) = (Array::from_slice(&[3.0f32, 4.0]), Array::from_slice(&[0.0f32, 2.0]));
/// assert_eq!(t.update(&g, &t.init(&p), &p).0.to_vec::<f32>()?, [0.6, 0.8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Brock et al., High-performance large-scale image recognition without normalization (2021).
pub fn adaptive_grad_clip(clipping: f64, eps: f64) -> GradientTransformation {
    GradientTransformation::stateless("adaptive_grad_clip", move |updates, params| {
        updates.zip([params], |g, [p]| {
            let max_norm = unitwise_norm(p).maximum(eps) * clipping;
            unitwise_clip(&unitwise_norm(g), &max_norm, g, 1e-6)
        })
    })
}

/// The sum of gradients of examples, each scaled to a global norm of at most `norm`, and how many were clipped.
///
/// * `grads`: a gradient for each example, `[examples, ..]`
///
/// ```
/// use jarrah_array::Array;
/// let grads = Array::new(&[3.0f32, 4.0, 0.5, 0.0], &[2, 2]);
/// let (sum, clipped) = jarrah_optim::transforms::per_example_global_norm_clip(&grads, 1.0);
/// assert!((sum.index(0).item::<f32>()? - 1.1).abs() < 1e-6);
/// assert_eq!(clipped.item::<i32>()?, 1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Panics unless all leaves have the same first axis.
///
/// Source: Abadi et al., Deep learning with differential privacy (2016).
#[track_caller]
pub fn per_example_global_norm_clip<T: Tree<Array>>(grads: &T, norm: f64) -> (T, Array) {
    let (multipliers, clipped) = multipliers(grads, norm);
    (grads.map_leaves(|g: &Array| tensordot(&multipliers, g, &[0], &[0])), clipped)
}

/// The factor of each example, and how many are below 1.
#[track_caller]
fn multipliers<T: Tree<Array>>(grads: &T, norm: f64) -> (Array, Array) {
    let leaves: Vec<&Array> = grads.leaves();
    let examples = leaves.first().and_then(|g| g.shape().first().copied());
    if examples.is_none() || leaves.iter().any(|g| g.shape().first().copied() != examples) {
        let types: Vec<String> = leaves.iter().map(|g| g.ty().to_string()).collect();
        let error = Error::program(format!("gradients {} have no common axis of examples", types.join(", ")));
        fail(
            error.op("per_example_clip").help("compute them by vmap(grad(loss)), which puts examples first"),
        );
    }
    let squares = leaves.iter().map(|g| {
        let inner: Vec<isize> = (1..g.rank() as isize).collect();
        abs_sq(g).sum(&inner[..])
    });
    let norms = squares.reduce(|a, b| a + b).expect("invariant: there is a leaf").sqrt();
    let factors = (norm / &norms).minimum(1.0);
    let factors = where_(&factors.isnan(), 1.0, factors);
    let clipped = factors.lt(1.0).astype(DType::I32).sum(..).astype(DType::I32);
    (factors, clipped)
}

/// As [`per_example_global_norm_clip`], but each leaf by itself, to its share of the norm: equal shares, or if not `uniform` shares by the
/// number of elements, whose squares sum to that of `norm`. Gives the sums, and for each leaf how many were clipped.
///
/// ```
/// use jarrah_array::Array;
/// let grads = (Array::new(&[3.0f32, 4.0], &[1, 2]), Array::new(&[2.0f32], &[1, 1]));
/// let (sums, clipped) = jarrah_optim::transforms::per_example_layer_norm_clip(&grads, 2f64.sqrt(), true);
/// assert!((sums.0.index(0).item::<f32>()? - 0.6).abs() < 1e-6);
/// assert_eq!(clipped.iter().map(|c| c.item::<i32>().unwrap()).collect::<Vec<_>>(), [1, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: McMahan et al., Learning differentially private recurrent language models (2018).
#[track_caller]
pub fn per_example_layer_norm_clip<T: Tree<Array>>(grads: &T, norm: f64, uniform: bool) -> (T, Vec<Array>) {
    let leaves: Vec<&Array> = grads.leaves();
    let per_example = |g: &Array| (g.size() / g.shape().first().copied().unwrap_or(1).max(1)) as f64;
    let all: f64 = leaves.iter().map(|g| per_example(g)).sum();
    let count = leaves.len() as f64;
    let mut clipped = Vec::new();
    let sums = grads.map_leaves(|g: &Array| {
        let share = if uniform { 1.0 / count } else { per_example(g) / all };
        let (sum, count) = per_example_global_norm_clip(g, norm * share.sqrt());
        clipped.push(count);
        sum
    });
    (sums, clipped)
}
