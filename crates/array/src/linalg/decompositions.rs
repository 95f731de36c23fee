//! Factors of matrices.

use jarrah_base::DType;

use super::{adjoint, decomposable, extents, hermitian, square, vector_norm};
use crate::array::Array;
use crate::control::scan;
use crate::custom::stop_gradient;
use crate::elementwise::where_;
use crate::lax;
use crate::lax::linalg::Triangle;

/// The lower triangular `L` with `A = L L^H`, of Hermitian positive definite matrices `[.., n, n]`.
///
/// `A` counts as `(A + A^H) / 2`, so that its gradient is Hermitian too. Where it is not positive definite the result is NaN.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[4.0f32, 2.0, 2.0, 10.0], &[2, 2]);
/// assert_eq!(linalg::cholesky(&a).to_vec::<f32>()?, [2.0, 0.0, 1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cholesky(a: &Array) -> Array {
    lax::linalg::cholesky(&hermitian(&square("cholesky", a)), Triangle::Lower)
}

/// The upper triangular `U` with `A = U^H U`: see [`cholesky`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let u = linalg::cholesky_upper(&Array::new(&[4.0f32, 2.0, 2.0, 5.0], &[2, 2]));
/// assert_eq!(u.to_vec::<f32>()?, [2.0, 1.0, 0.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cholesky_upper(a: &Array) -> Array {
    lax::linalg::cholesky(&hermitian(&square("cholesky_upper", a)), Triangle::Upper)
}

/// The eigenvalues, ascending, and eigenvectors of Hermitian matrices `[.., n, n]`: `(w, v)` with `A V = V diag(w)`.
///
/// `A` counts as `(A + A^H) / 2`. Vectors are columns of length one, whose signs, or phases, are unspecified. Where
/// eigenvalues are equal, the derivative of their vectors counts as zero.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (w, v) = linalg::eigh(&Array::new(&[2.0f32, 0.0, 0.0, -3.0], &[2, 2]));
/// assert_eq!(w.to_vec::<f32>()?, [-3.0, 2.0]);
/// assert_eq!(v.abs().to_vec::<f32>()?, [0.0, 1.0, 1.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eigh(a: &Array) -> (Array, Array) {
    let (v, w) = lax::linalg::eigh(&hermitian(&square("eigh", a)), Triangle::Lower);
    (w, v)
}

/// The eigenvalues of Hermitian matrices, ascending: see [`eigh`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let values = linalg::eigvalsh(&Array::new(&[2.0f32, 1.0, 1.0, 2.0], &[2, 2]));
/// assert_eq!(values.round_to(4).to_vec::<f32>()?, [1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eigvalsh(a: &Array) -> Array {
    lax::linalg::eigh(&hermitian(&square("eigvalsh", a)), Triangle::Lower).1
}

/// The eigenvalues and right eigenvectors of matrices `[.., n, n]`: `(w, v)` with `A V = V diag(w)`, both complex.
///
/// Vectors are columns of length one whose largest element is positive; the order is unspecified.
///
/// ```
/// use jarrah_array::{Array, c64, linalg};
/// let turn = Array::new(&[0.0f32, -1.0, 1.0, 0.0], &[2, 2]);
/// let (w, v) = linalg::eig(&turn);
/// assert_eq!(w.imag().abs().to_vec::<f32>()?, [1.0, 1.0]);
/// assert_eq!(v.shape(), [2, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eig(a: &Array) -> (Array, Array) {
    lax::linalg::eig_right(&square("eig", a))
}

/// The eigenvalues of matrices `[.., n, n]`, complex, in no specified order: see [`eig`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// // A quarter turn has the eigenvalues i and -i.
/// let values = linalg::eigvals(&Array::new(&[0.0f32, -1.0, 1.0, 0.0], &[2, 2]));
/// assert_eq!(values.imag().sort(0).round_to(4).to_vec::<f32>()?, [-1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eigvals(a: &Array) -> Array {
    lax::linalg::eig_values(&square("eigvals", a))
}

/// The thin decomposition `A = Q R` of matrices `[.., m, n]`: `(q, r)`, `[.., m, k]` with orthonormal columns and
/// `[.., k, n]`, upper triangular, where `k` is the smaller of `m` and `n`.
///
/// The diagonal of `R` may be negative.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (q, r) = linalg::qr(&Array::new(&[3.0f32, 4.0], &[2, 1]));
/// assert_eq!((q.shape(), r.to_vec::<f32>()?), (q.shape(), vec![-5.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn qr(a: &Array) -> (Array, Array) {
    lax::linalg::qr(&decomposable("qr", a))
}

/// As [`qr`], with a square `Q`, `[.., m, m]`, and `R` of the shape of `A`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 7.0], &[3, 2]);
/// let (q, r) = linalg::qr_complete(&a);
/// assert_eq!(q.shape(), [3, 3]);
/// assert_eq!(r.shape(), [3, 2]);
/// assert!(q.matmul(&r).allclose(a, 0.0, 1e-5).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn qr_complete(a: &Array) -> (Array, Array) {
    lax::linalg::qr_complete(&decomposable("qr_complete", a))
}

/// As [`qr`], of `A` with its columns in an order that makes the diagonal of `R` descend in size: `(q, r, permutation)`,
/// where column `i` of `Q R` is column `permutation[.., i]` of `A`, an `i32`.
///
/// Each step takes the column with the largest part outside of the span of the columns before it (Businger, Golub, Linear least
/// squares solutions by Householder transformations, 1965).
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[1.0f32, 0.0, 3.0, 0.0, 2.0, 4.0], &[2, 3]);
/// let (_, r, permutation) = linalg::qr_pivoted(&a);
/// assert_eq!(permutation.to_vec::<i32>()?, [2, 1, 0]);
/// assert_eq!(r.index((0, 0)).item::<f32>()?, -5.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn qr_pivoted(a: &Array) -> (Array, Array, Array) {
    let a = decomposable("qr_pivoted", a);
    if a.size() == 0 {
        let (q, r) = lax::linalg::qr(&a);
        let shape = [&a.shape()[..a.rank() - 2], &[extents(&a).1]].concat();
        return (q, r, lax::iota(DType::I32, &shape, a.rank() - 2));
    }
    let permutation = pivots(&stop_gradient(&a));
    let order = permutation.expand_dims(-2).broadcast_to(&a.shape());
    let (q, r) = lax::linalg::qr(&lax::take_along_axis(&a, &order, a.rank() - 1));
    (q, r, permutation)
}

/// The order of columns of [`qr_pivoted`].
#[track_caller]
fn pivots(a: &Array) -> Array {
    let (m, n) = extents(a);
    let lead = &a.shape()[..a.rank() - 2];
    let place = lax::iota(DType::I32, &[lead, &[n]].concat(), lead.len());
    let step = |(rest, order): &(Array, Array), j: &Array| {
        let sizes = where_(&place.lt(j), -1.0, vector_norm(rest, 2.0, -2));
        let pivot = sizes.argmax(-1).expand_dims(-1);
        // Columns j and pivot change places.
        let exchanged = where_(&place.eq(j), &pivot, where_(&place.eq(&pivot), j, &place));
        let order = lax::take_along_axis(order, &exchanged, lead.len());
        let columns = exchanged.expand_dims(-2).broadcast_to(&rest.shape());
        let rest = lax::take_along_axis(rest, &columns, rest.rank() - 1);
        let chosen = place.eq(j).expand_dims(-2).astype(rest.dtype());
        let column = (&rest * chosen).sum(-1).expand_dims(-1);
        let size = vector_norm(&column, 2.0, [-2, -1]).expand_dims(-1).expand_dims(-1);
        let column = column / where_(&size.eq(0), 1.0, &size);
        let along = adjoint(&column).matmul(&rest);
        ((rest - column.matmul(&along), order), ())
    };
    scan(step, &(a.clone(), place.clone()), &Array::arange(m.min(n))).0.1
}

/// The `R` of [`qr`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let r = linalg::qr_r(&Array::new(&[3.0f32, 4.0], &[2, 1]));
/// assert_eq!(r.abs().round_to(4).to_vec::<f32>()?, [5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn qr_r(a: &Array) -> Array {
    lax::linalg::qr(&decomposable("qr_r", a)).1
}

/// The QR decomposition as reflections, as `numpy.linalg.qr` returns it with the mode `raw`: the transpose of the packed
/// matrix of [`lax::linalg::geqrf`], and `taus`. It has no derivative.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (packed, taus) = linalg::qr_raw(&Array::ones(&[5, 3]));
/// assert_eq!(packed.shape(), [3, 5]);
/// assert_eq!(taus.shape(), [3]);
/// ```
#[track_caller]
pub fn qr_raw(a: &Array) -> (Array, Array) {
    let (packed, taus) = lax::linalg::geqrf(&decomposable("qr_raw", a));
    (packed.t(), taus)
}

/// The thin singular value decomposition of matrices `[.., m, n]`: `(u, s, v^H)` with `A = U diag(s) V^H`, singular values
/// descending.
///
/// With `k` the smaller of `m` and `n` these are `[.., m, k]`, `[.., k]` and `[.., k, n]`. Signs, or phases, of a vector and
/// its partner are unspecified. `numpy.linalg.svd` is [`svd_complete`] unless it is called with `full_matrices=False`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[0.0f32, 2.0, 0.0, 1.0, 0.0, 0.0], &[2, 3]);
/// let (u, s, vh) = linalg::svd(&a);
/// assert_eq!((u.shape(), vh.shape()), (linalg::qr(&a).0.shape(), a.shape()));
/// assert_eq!(s.to_vec::<f32>()?, [2.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn svd(a: &Array) -> (Array, Array, Array) {
    lax::linalg::svd(&decomposable("svd", a))
}

/// As [`svd`], with square `U` and `V`. Only for square matrices it has a derivative: otherwise the vectors that complete `U` or
/// `V` are not determined by the matrix.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (u, s, vh) = linalg::svd_complete(&Array::new(&[0.0f32, 3.0, 4.0, 0.0, 0.0, 0.0], &[3, 2]));
/// assert_eq!(s.round_to(4).to_vec::<f32>()?, [4.0, 3.0]);
/// assert_eq!(u.shape(), [3, 3]);
/// assert_eq!(vh.shape(), [2, 2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn svd_complete(a: &Array) -> (Array, Array, Array) {
    lax::linalg::svd_complete(&decomposable("svd_complete", a))
}

/// The singular values of matrices `[.., m, n]`, descending: see [`svd`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let s = linalg::svdvals(&Array::new(&[3.0f32, 0.0, 0.0, -4.0], &[2, 2]));
/// assert_eq!(s.round_to(4).to_vec::<f32>()?, [4.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn svdvals(a: &Array) -> Array {
    lax::linalg::svd_values(&decomposable("svdvals", a))
}

/// The factors of `A = P L U` of matrices `[.., m, n]`: `(p, l, u)`, a permutation matrix, `[.., m, k]`, lower triangular
/// with ones on the diagonal, and `[.., k, n]`, upper triangular, where `k` is the smaller of `m` and `n`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (p, l, u) = linalg::lu(&Array::new(&[1.0f32, 2.0, 4.0, 4.0], &[2, 2]));
/// assert_eq!(p.to_vec::<f32>()?, [0.0, 1.0, 1.0, 0.0]);
/// assert_eq!(l.to_vec::<f32>()?, [1.0, 0.0, 0.25, 1.0]);
/// assert_eq!(u.to_vec::<f32>()?, [4.0, 4.0, 0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lu(a: &Array) -> (Array, Array, Array) {
    let a = decomposable("lu", a);
    let (packed, _, permutation) = lax::linalg::lu(&a);
    let (m, n) = extents(&a);
    let k = m.min(n);
    let l = packed.slice(-1, 0..k).tril(-1) + Array::eye_in(m, k, 0, a.dtype());
    let u = packed.slice(-2, 0..k).triu(0);
    // Row `i` of P^T A is row `permutation[i]` of A.
    let p = permutation.one_hot(m, a.dtype().real()).t();
    (p, l, u)
}
