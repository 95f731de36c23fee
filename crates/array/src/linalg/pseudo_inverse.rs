//! The pseudo-inverse, and least squares.

use jarrah_base::DType;

use super::norms::{rank, squares};
use super::{adjoint, decomposable, extents, promoted, refuse};
use crate::array::Array;
use crate::custom::custom_jvp;
use crate::elementwise::where_;
use crate::lax;

/// The distance from 1 to the next number.
pub(super) fn epsilon(dtype: DType) -> f64 {
    if dtype.real() == DType::F64 { f64::EPSILON } else { f32::EPSILON.into() }
}

/// The pseudo-inverse (Moore, Penrose) of matrices `[.., m, n]`, `[.., n, m]`: [`pinv_with`] the tolerance
/// `10 max(m, n) epsilon`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[0.5f32, 0.0, 0.0, 0.0], &[2, 2]);
/// assert_eq!(linalg::pinv(&a).to_vec::<f32>()?, [2.0, 0.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pinv(a: &Array) -> Array {
    let a = decomposable("pinv", a);
    let (m, n) = extents(&a);
    pinv_with(&a, 10.0 * m.max(n) as f64 * epsilon(a.dtype()))
}

/// The pseudo-inverse of matrices whose singular values of at most `tolerance` times the largest count as zero.
///
/// Its derivative is that at constant rank (Golub, Pereyra, The differentiation of pseudo-inverses, 1973).
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[2.0f32, 0.0, 0.0, 0.001], &[2, 2]);
/// let p = linalg::pinv_with(&a, 0.01);
/// assert_eq!(p.round_to(4).to_vec::<f32>()?, [0.5, 0.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn pinv_with(a: &Array, tolerance: f64) -> Array {
    let a = decomposable("pinv", a);
    if a.size() == 0 {
        return a.t();
    }
    let pinv = custom_jvp(
        move |a: &Array| inverted(a, tolerance),
        move |a: &Array, da: &Array| {
            let p = inverted(a, tolerance);
            let (ph, dah) = (adjoint(&p), adjoint(da));
            let (m, n) = extents(a);
            // P' = -P A' P + P P^H A'^H (I - A P) + (I - P A) A'^H P^H P, products of the short sides first.
            let (left, right, middle) = match m >= n {
                true => (p.matmul(&ph).matmul(&dah), dah.matmul(&ph).matmul(&p), p.matmul(da).matmul(&p)),
                false => (p.matmul(&ph.matmul(&dah)), dah.matmul(&ph.matmul(&p)), p.matmul(&da.matmul(&p))),
            };
            let within = left.matmul(a).matmul(&p);
            let beyond = p.matmul(&a.matmul(&right));
            (p, left - within + right - beyond - middle)
        },
    );
    pinv(&a)
}

/// `V diag(1 / s) U^H`, zeros for the inverses of small singular values.
#[track_caller]
fn inverted(a: &Array, tolerance: f64) -> Array {
    let (u, s, vh) = lax::linalg::svd(a);
    let kept = s.gt(s.slice(-1, 0..1) * tolerance);
    let inverses = where_(&kept, 1.0 / where_(&kept, &s, 1.0), 0.0);
    (adjoint(&vh) * inverses.expand_dims(-2)).matmul(&adjoint(&u))
}

/// The `X` with the least `|A X - B|`, and among these the one of least length; singular values of at most `max(m, n) epsilon`
/// times the largest count as zero: see [`lstsq_with`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[1.0f32, 0.0, 0.0, 2.0, 0.0, 0.0], &[3, 2]);
/// let (x, residual, rank, _) = linalg::lstsq(&a, &Array::from_slice(&[1.0f32, 4.0, 3.0]));
/// assert_eq!((x.to_vec::<f32>()?, residual.to_vec::<f32>()?), (vec![1.0, 2.0], vec![9.0]));
/// assert_eq!(rank.item::<i32>()?, 2);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lstsq(a: &Array, b: &Array) -> (Array, Array, Array, Array) {
    let (a, _) = promoted(a, b);
    let largest = a.shape().iter().copied().max().unwrap_or(1);
    lstsq_with(&a, b, largest as f64 * epsilon(a.dtype()))
}

/// Least squares with a `tolerance` for small singular values: `(x, residuals, rank, singular_values)`.
///
/// `A` is `[m, n]` and `B` `[m]` or `[m, k]`; `x` is `[n]` or `[n, k]`, `residuals` the squared lengths of the columns of
/// `A X - B`, `[1]` or `[k]`, `rank` an `i32`, and the singular values descend. The derivative of `x` is that at constant
/// rank.
///
/// # Errors
///
/// A program error unless `A` is a matrix and `B` a vector or matrix with as many rows.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[2.0f32, 0.0, 0.0, 0.001], &[2, 2]);
/// let (x, residuals, rank, s) = linalg::lstsq_with(&a, &Array::from_slice(&[4.0f32, 3.0]), 0.01);
/// assert_eq!(x.round_to(4).to_vec::<f32>()?, [2.0, 0.0]);
/// assert_eq!((residuals.round_to(4).item::<f32>()?, rank.item::<i32>()?), (9.0, 1));
/// assert_eq!(s.round_to(4).to_vec::<f32>()?, [2.0, 0.001]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lstsq_with(a: &Array, b: &Array, tolerance: f64) -> (Array, Array, Array, Array) {
    let (a, b) = promoted(a, b);
    let a = decomposable("lstsq", &a);
    if a.rank() != 2 || !(1..=2).contains(&b.rank()) || a.shape()[0] != b.shape()[0] {
        let message = format!("the matrix is {}, the right-hand side {}", a.ty(), b.ty());
        refuse("lstsq", message, "these are [m, n] and [m] or [m, k]; stacks of systems need vmap");
    }
    let columns = if b.rank() == 1 { b.expand_dims(-1) } else { b.clone() };
    let x = pinv_with(&a, tolerance).matmul(&columns);
    let residuals = squares(&(&columns - a.matmul(&x))).sum(0);
    let s = lax::linalg::svd(&a).1;
    let rank = rank(&s, tolerance);
    (if b.rank() == 1 { x.squeeze(-1) } else { x }, residuals, rank, s)
}
