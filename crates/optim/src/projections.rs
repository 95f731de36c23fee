//! Euclidean projections to convex sets: the nearest point of the set. The elements of all leaves of a tree are one vector.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_optim::projections::{projection_l2_ball, projection_simplex};
//! let p = projection_simplex(&Array::from_slice(&[2.0f32, 1.5, -1.0]), 1.0);
//! assert_eq!(p.to_vec::<f32>()?, [0.75, 0.25, 0.0]);
//! assert_eq!(projection_l2_ball(&Array::from_slice(&[3.0f32, 4.0]), 1.0).to_vec::<f32>()?, [0.6, 0.8]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! After each step of an optimizer, a projection of the parameters makes it projected gradient descent.

use jarrah_array::{Array, IntoOperand, Tree, TreeExt, concatenate, where_};

use crate::tree::{self, NormOrder};

/// To the numbers that are not negative, `max(x, 0)`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_non_negative(&Array::from_slice(&[-1.0f32, 2.0])).to_vec::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn projection_non_negative<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(|x: &Array| x.maximum(0))
}

/// To the box between `lower` and `upper`, numbers or trees of one array each.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_box(&Array::from_slice(&[-1.0f32, 2.0]), 0.0, 1.0).to_vec::<f32>()?, [0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_box<T: Tree<Array>>(
    tree: &T,
    lower: impl IntoOperand + Copy,
    upper: impl IntoOperand + Copy,
) -> T {
    tree.map_leaves(|x: &Array| x.clip(lower, upper))
}

/// To the cube `[0, scale]^n`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_hypercube(&Array::from_slice(&[-1.0f32, 2.0]), 1.0).to_vec::<f32>()?, [0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_hypercube<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    projection_box(tree, 0.0, scale)
}

/// To the simplex: the vectors that are not negative and whose sum is `scale`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_simplex(&Array::from_slice(&[2.0f32, 1.5, -1.0]), 1.0).to_vec::<f32>()?, [0.75, 0.25, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Duchi et al., Efficient projections onto the l1-ball for learning in high dimensions (2008).
#[track_caller]
pub fn projection_simplex<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    let parts: Vec<Array> = tree.leaves().into_iter().map(Array::ravel).collect();
    if parts.is_empty() {
        return tree.map_leaves(Clone::clone);
    }
    let projected = unit_simplex(&(concatenate(&parts.iter().collect::<Vec<&Array>>(), 0) / scale)) * scale;
    let mut from = 0;
    tree.map_leaves(|x: &Array| {
        let part = projected.slice(0, from..from + x.size());
        from += x.size();
        part.reshape(&x.shape()[..]).astype(x.dtype())
    })
}

fn unit_simplex(x: &Array) -> Array {
    let sorted = x.sort(0).flip(0);
    let count = (Array::arange(x.size() as i64) + 1).astype(x.dtype());
    let sums = sorted.cumsum(0);
    // How many of the largest elements stay positive, and the number that is subtracted from each of them.
    let stays = (1.0 / &count + (sorted - &sums / &count)).gt(0.0);
    let kept = stays.astype(x.dtype()).sum(..);
    let total = where_(&count.eq(&kept), sums, 0.0).sum(..);
    (x + (1.0 - total) / kept).maximum(0)
}

/// To the vectors whose absolute values have the sum `scale`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_l1_sphere(&Array::from_slice(&[-2.0f32, 1.5]), 1.0).to_vec::<f32>()?, [-0.75, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_l1_sphere<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    let signs = tree.map_leaves(Array::sign);
    tree::mul(&signs, &projection_simplex(&tree.map_leaves(Array::abs), scale))
}

/// To the vectors whose absolute values have a sum of at most `scale`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_l1_ball(&Array::from_slice(&[-0.5f32, 0.25]), 1.0).to_vec::<f32>()?, [-0.5, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Duchi et al. (2008).
#[track_caller]
pub fn projection_l1_ball<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    let inside = tree::norm(tree, NormOrder::One).le(scale);
    tree::select(&inside, tree, &projection_l1_sphere(tree, scale))
}

/// To the vectors of norm `scale`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_l2_sphere(&Array::from_slice(&[0.0f32, 4.0]), 1.0).to_vec::<f32>()?, [0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_l2_sphere<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    let factor = scale / tree::norm(tree, NormOrder::Two);
    tree::scale(tree, &factor)
}

/// To the vectors of a norm of at most `scale`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_l2_ball(&Array::from_slice(&[0.0f32, 0.5]), 1.0).to_vec::<f32>()?, [0.0, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_l2_ball<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    let factor = scale / tree::squared_norm(tree).maximum(scale * scale).sqrt();
    tree::scale(tree, &factor)
}

/// To the vectors whose elements are at most `scale` in absolute value.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_linf_ball(&Array::from_slice(&[-3.0f32, 0.5]), 1.0).to_vec::<f32>()?, [-1.0, 0.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_linf_ball<T: Tree<Array>>(tree: &T, scale: f64) -> T {
    projection_box(tree, -scale, scale)
}

/// To the multiples of `a`: `<x, a> / <a, a> a`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_vector(&Array::from_slice(&[2.0f32, 3.0]), &Array::from_slice(&[1.0f32, 0.0])).to_vec::<f32>()?, [2.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_vector<T: Tree<Array>>(x: &T, a: &T) -> T {
    tree::scale(a, &(tree::vdot(x, a) / tree::vdot(a, a)))
}

/// To the plane `<x, a> = b`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_hyperplane(&Array::from_slice(&[2.0f32, 3.0]), &Array::from_slice(&[1.0f32, 0.0]), 1.0).to_vec::<f32>()?, [1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_hyperplane<T: Tree<Array>>(x: &T, a: &T, b: f64) -> T {
    let by = (b - tree::vdot(x, a)) / tree::vdot(a, a);
    tree::add_scale(x, &by, a)
}

/// To the half space `<x, a> <= b`.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_optim::projections::*;
/// assert_eq!(projection_halfspace(&Array::from_slice(&[2.0f32, 3.0]), &Array::from_slice(&[1.0f32, 0.0]), 4.0).to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn projection_halfspace<T: Tree<Array>>(x: &T, a: &T, b: f64) -> T {
    let by = ((b - tree::vdot(x, a)) / tree::vdot(a, a)).minimum(0.0);
    tree::add_scale(x, &by, a)
}
