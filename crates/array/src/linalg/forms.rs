//! Forms that are similar to a matrix.

use super::structured::subdiagonal;
use super::{adjoint, decomposable, extents, refuse, square, svd};
use crate::array::Array;
use crate::lax;
use crate::lax::linalg::Triangle;
use crate::operators::promote_types;

/// `A = Z T Z^H` of matrices `[.., n, n]` with a unitary `Z` and an upper triangular `T`: `(t, z)`.
///
/// Of real matrices both are real, and `T` has a block of two on the diagonal for each complex pair of eigenvalues:
/// [`schur_complex`] has none. It has no derivative.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (t, z) = linalg::schur(&Array::new(&[1.0f32, 2.0, 0.0, 3.0], &[2, 2]));
/// assert_eq!(t.to_vec::<f32>()?, [1.0, 2.0, 0.0, 3.0]);
/// assert_eq!(z.to_vec::<f32>()?, [1.0, 0.0, 0.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn schur(a: &Array) -> (Array, Array) {
    lax::linalg::schur(&square("schur", a))
}

/// As [`schur`], in complex numbers, with a triangular `T`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let quarter_turn = Array::new(&[0.0f32, -1.0, 1.0, 0.0], &[2, 2]);
/// let (t, _) = linalg::schur_complex(&quarter_turn);
/// assert_eq!(t.index((1, 0)).abs().item::<f32>()?, 0.0);
/// assert_eq!(t.diag(0).imag().sort(0).round_to(4).to_vec::<f32>()?, [-1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn schur_complex(a: &Array) -> (Array, Array) {
    let a = square("schur_complex", a);
    let dtype = a.dtype().complex().unwrap_or(a.dtype());
    lax::linalg::schur(&a.astype(dtype))
}

/// The complex Schur form computed from a real one: the results of [`schur_complex`] from the `(t, z)` of [`schur`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[0.0f32, -1.0, 1.0, 0.0], &[2, 2]);
/// let (t, z) = linalg::schur(&a);
/// let (t, z) = linalg::rsf2csf(&t, &z);
/// assert!(z.matmul(&t).matmul(&z.conj().t()).allclose(a, 0.0, 1e-5).item::<bool>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rsf2csf(t: &Array, z: &Array) -> (Array, Array) {
    let (triangular, turn) = schur_complex(t);
    let z = z.matmul(&turn);
    (triangular, z)
}

/// `A = Q H Q^H` of matrices `[.., n, n]` with a unitary `Q` and a Hessenberg matrix `H`, zero below the first subdiagonal:
/// `(h, q)`. It has no derivative.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (h, q) = linalg::hessenberg(&Array::ones(&[3, 3]));
/// assert_eq!(h.index((2, 0)).item::<f32>()?, 0.0);
/// assert_eq!(q.index(0).to_vec::<f32>()?, [1.0, 0.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hessenberg(a: &Array) -> (Array, Array) {
    let a = square("hessenberg", a);
    let n = extents(&a).0;
    if n == 0 {
        return (a.clone(), a);
    }
    let (packed, taus) = lax::linalg::hessenberg(&a);
    let vectors = packed.slice(-2, 1..).slice(-1, ..n - 1);
    let inner = lax::linalg::householder_product(&vectors, &taus);
    let (mut low, high) = (vec![0; a.rank()], vec![0; a.rank()]);
    low[a.rank() - 2..].fill(1);
    let q = lax::pad(&inner, &Array::full(&[], 0, a.dtype()), &low, &high);
    let corner = Array::eye_in(n, n, 0, a.dtype()) * Array::arange(n).eq(0).astype(a.dtype());
    (packed.triu(-1), q + corner)
}

/// `A = U P` of matrices `[.., m, n]`, of which `m` is not less than `n`, with orthonormal columns of `U` and a Hermitian
/// positive semidefinite `P`: `(u, p)`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (u, p) = linalg::polar(&Array::new(&[-2.0f32, 0.0, 0.0, 3.0], &[2, 2]));
/// assert_eq!(u.to_vec::<f32>()?, [-1.0, 0.0, 0.0, 1.0]);
/// assert_eq!(p.to_vec::<f32>()?, [2.0, 0.0, 0.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn polar(a: &Array) -> (Array, Array) {
    let (u, s, vh) = svd(&decomposable("polar", a));
    (u.matmul(&vh), (adjoint(&vh) * s.expand_dims(-2)).matmul(&vh))
}

/// `A = P U` of matrices `[.., m, n]`, of which `m` is not above `n`, with a Hermitian positive semidefinite `P` and
/// orthonormal rows of `U`: `(u, p)`.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (u, p) = linalg::polar_left(&Array::new(&[2.0f32, 0.0, 0.0, -3.0], &[2, 2]));
/// assert_eq!(u.diag(0).round_to(4).to_vec::<f32>()?, [1.0, -1.0]);
/// assert_eq!(p.diag(0).round_to(4).to_vec::<f32>()?, [2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn polar_left(a: &Array) -> (Array, Array) {
    let (u, s, vh) = svd(&decomposable("polar_left", a));
    (u.matmul(&vh), (&u * s.expand_dims(-2)).matmul(&adjoint(&u)))
}

/// The eigenvalues, ascending, of symmetric tridiagonal matrices with `diagonal`, `[.., n]`, and `off_diagonal`,
/// `[.., n - 1]`, by way of the full matrices.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let w = linalg::eigh_tridiagonal(&Array::zeros(&[2]), &Array::ones(&[1]));
/// assert_eq!(w.round().to_vec::<f32>()?, [-1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eigh_tridiagonal(diagonal: &Array, off_diagonal: &Array) -> Array {
    let dtype = promote_types(diagonal.dtype(), off_diagonal.dtype());
    let (d, e) = (diagonal.astype(dtype).inexact(), off_diagonal.astype(dtype).inexact());
    let n = d.shape().last().copied().unwrap_or(0);
    if e.rank() != d.rank() || n == 0 || e.shape()[e.rank() - 1] + 1 != n {
        let message = format!("the diagonal is {}, the other {}", d.ty(), e.ty());
        refuse("eigh_tridiagonal", message, "the second has one element less than the first");
    }
    let lower = subdiagonal(&e);
    let full = d.expand_dims(-1) * Array::eye_in(n, n, 0, d.dtype()) + &lower + adjoint(&lower);
    lax::linalg::eigh(&full, Triangle::Lower).1
}
