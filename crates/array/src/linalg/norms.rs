//! Norms of vectors and matrices.

use jarrah_base::DType;

use super::pseudo_inverse::epsilon;
use super::{extents, inv, matrices, svdvals};
use crate::Ellipsis;
use crate::along::along;
use crate::array::Array;
use crate::elementwise::where_;
use crate::numpy::IntoAxes;

/// Norms of matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatrixNorm {
    /// The root of the sum of the squares of all elements: `fro`.
    Frobenius,
    /// The sum of the singular values: `nuc`.
    Nuclear,
    /// The largest singular value: 2.
    Spectral,
    /// The smallest singular value: -2.
    SmallestSingular,
    /// The largest sum of the absolute values of a column: 1.
    LargestColumn,
    /// The smallest sum of the absolute values of a column: -1.
    SmallestColumn,
    /// The largest sum of the absolute values of a row: infinity.
    LargestRow,
    /// The smallest sum of the absolute values of a row: minus infinity.
    SmallestRow,
}

/// A root or power of sums that are not negative, where the derivative at a sum of zero is defined as zero.
#[track_caller]
fn rooted(sums: &Array, root: fn(&Array, f64) -> Array, exponent: f64) -> Array {
    let zero = sums.eq(0);
    where_(&zero, 0.0, root(&where_(&zero, 1.0, sums), exponent))
}

/// `re^2 + im^2`.
#[track_caller]
pub(super) fn squares(x: &Array) -> Array {
    if x.dtype().is_complex() { x.real().square() + x.imag().square() } else { x.square() }
}

/// The Euclidean length of all elements: `sqrt(sum |x|^2)`.
///
/// The gradient is `x / |x|`, and 0 where all elements are 0.
///
/// ```
/// use jarrah_array::{Array, grad, linalg};
/// assert_eq!(linalg::norm(&Array::from_slice(&[3.0f32, -4.0])).item::<f32>()?, 5.0);
/// assert_eq!(grad(linalg::norm)(&Array::zeros(&[2])).to_vec::<f32>()?, [0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn norm(x: &Array) -> Array {
    let axes: Vec<isize> = (0..x.rank() as isize).collect();
    vector_norm(x, 2.0, &axes[..])
}

/// The norm of vectors along axes: `(sum |x|^order)^(1 / order)`.
///
/// The order infinity is the largest absolute value, minus infinity the smallest, and 0 counts what is not zero. The
/// gradient of a norm that is 0 counts as 0; the orders 1 and infinity have that of [`Array::abs`] and [`Array::max`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let x = Array::new(&[3.0f32, -4.0, 0.0, 1.0], &[2, 2]);
/// assert_eq!(linalg::vector_norm(&x, 1, -1).to_vec::<f32>()?, [7.0, 1.0]);
/// assert_eq!(linalg::vector_norm(&x, f64::INFINITY, [0, 1]).item::<f32>()?, 4.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn vector_norm(x: &Array, order: impl Into<f64>, axes: impl IntoAxes) -> Array {
    let (x, order, axes) = (x.inexact(), order.into(), axes.into_axes());
    let axes = &axes[..];
    // Squares and other powers of narrow floats are wide: the result may fit where they do not.
    let (dtype, wide) = (x.dtype().real(), x.astype(x.dtype().accumulator()));
    if order == 2.0 {
        return rooted(&squares(&wide).sum(axes), |x, _| x.sqrt(), 0.5).astype(dtype);
    }
    if order == 0.0 {
        return x.ne(0).astype(x.dtype().real()).sum(axes);
    }
    let sizes = x.abs();
    if order == 1.0 {
        return sizes.sum(axes);
    }
    if order == f64::INFINITY && x.size() == 0 {
        return sizes.sum(axes);
    }
    if order == f64::INFINITY {
        return sizes.max(axes);
    }
    if order == f64::NEG_INFINITY {
        return sizes.min(axes);
    }
    let power = |x: &Array, exponent: f64| x.pow(exponent);
    let sizes = wide.abs();
    // A zero to a negative power is infinite.
    let powers = if order > 0.0 { rooted(&sizes, power, order) } else { power(&sizes, order) };
    rooted(&powers.sum(axes), power, 1.0 / order).astype(dtype)
}

/// The norm of matrices `[.., m, n]`.
///
/// ```
/// use jarrah_array::linalg::{MatrixNorm, matrix_norm};
/// use jarrah_array::Array;
/// let x = Array::new(&[3.0f32, 0.0, 0.0, -4.0], &[2, 2]);
/// assert_eq!(matrix_norm(&x, MatrixNorm::Frobenius).item::<f32>()?, 5.0);
/// assert_eq!(matrix_norm(&x, MatrixNorm::Nuclear).item::<f32>()?, 7.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn matrix_norm(x: &Array, norm: MatrixNorm) -> Array {
    let x = matrices("matrix_norm", x);
    match norm {
        MatrixNorm::Frobenius => vector_norm(&x, 2.0, [-2, -1]),
        MatrixNorm::Nuclear => svdvals(&x).sum(-1),
        MatrixNorm::Spectral => largest(svdvals(&x)),
        MatrixNorm::SmallestSingular => svdvals(&x).min(-1),
        MatrixNorm::LargestColumn => largest(x.abs().sum(-2)),
        MatrixNorm::SmallestColumn => x.abs().sum(-2).min(-1),
        MatrixNorm::LargestRow => largest(x.abs().sum(-1)),
        MatrixNorm::SmallestRow => x.abs().sum(-1).min(-1),
    }
}

/// The largest along the last axis of numbers that are not negative; zero for an empty axis.
#[track_caller]
fn largest(x: Array) -> Array {
    x.max(along(-1).initial(0))
}

/// The condition number: the largest singular value of matrices `[.., m, n]` divided by the smallest.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[4.0f32, 0.0, 0.0, 2.0], &[2, 2]);
/// assert_eq!(linalg::cond(&a).item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cond(x: &Array) -> Array {
    let s = svdvals(x);
    s.index((Ellipsis, 0)) / s.index((Ellipsis, -1))
}

/// The condition number by a norm: `|A| |A^-1|` of square matrices, infinite for singular ones. By the largest singular value
/// it is [`cond`], by the smallest the inverse of that, of matrices of any shape.
///
/// ```
/// use jarrah_array::linalg::{self, MatrixNorm};
/// use jarrah_array::Array;
/// let a = Array::new(&[1.0f32, 1.0, 0.0, 2.0], &[2, 2]);
/// // The columns of the matrix add up to at most 3, those of its inverse to 1.
/// assert_eq!(linalg::cond_by(&a, MatrixNorm::LargestColumn).item::<f32>()?, 3.0);
/// assert_eq!(linalg::cond_by(&Array::ones(&[2, 2]), MatrixNorm::LargestRow).item::<f32>()?, f32::INFINITY);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cond_by(x: &Array, norm: MatrixNorm) -> Array {
    match norm {
        MatrixNorm::Spectral => return cond(x),
        MatrixNorm::SmallestSingular => {
            let s = svdvals(x);
            return s.index((Ellipsis, -1)) / s.index((Ellipsis, 0));
        }
        _ => {}
    }
    let x = matrices("cond", x);
    let number = matrix_norm(&x, norm) * matrix_norm(&inv(&x), norm);
    let lost = number.ne(&number) & !x.ne(&x).any([-2, -1]);
    where_(&lost, f64::INFINITY, number)
}

/// How many singular values of matrices `[.., m, n]` are above `max(m, n) epsilon` times the largest: `i32`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// assert_eq!(linalg::matrix_rank(&Array::ones(&[3, 3])).item::<i32>()?, 1);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn matrix_rank(x: &Array) -> Array {
    let s = svdvals(x);
    let (m, n) = extents(x);
    rank(&s, m.max(n) as f64 * epsilon(s.dtype()))
}

/// How many of the singular values are above `tolerance` times the largest.
#[track_caller]
pub(super) fn rank(s: &Array, tolerance: f64) -> Array {
    // A sum over an empty slice, so zero, if there are no singular values.
    let first = s.slice(-1, ..1.min(s.shape()[s.rank() - 1]));
    let largest = first.sum(-1).expand_dims(-1);
    s.gt(largest * tolerance).sum(-1).astype(DType::I32)
}
