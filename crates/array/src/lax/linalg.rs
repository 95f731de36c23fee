//! The decompositions and triangular solutions as they are, of stacks of matrices in the last two axes, without promotion
//! and broadcasting; [`crate::linalg`] has functions with both.
//!
//! A decomposition that does not exist is all NaN. Where an op reads one triangle of a matrix, the other one has no gradient.

pub use super::reflections::{ormqr, ormqr_transposed};
use jarrah_base::{DType, Error, Location};
pub use jarrah_hlo::ops::MatrixTranspose;
use jarrah_hlo::ops::{
    Cholesky, Eig, Eigh, Geqrf, Hessenberg, HouseholderProduct, Lu, Qr, Schur, Svd, TriangularSolve,
    Tridiagonal, TridiagonalSolve,
};

use crate::array::Array;
use crate::control::scan;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::trace::{apply, apply_one};
use crate::{concatenate, lax};

/// The triangle of a matrix that is read or written, including the diagonal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Triangle {
    /// The elements on and below the diagonal.
    Lower,
    /// The elements on and above the diagonal.
    Upper,
}

/// The options of [`triangular_solve`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TriangularOptions {
    /// Whether `op(A) X = B` is solved; else `X op(A) = B`.
    pub left_side: bool,
    /// The triangle of `A` that is read.
    pub triangle: Triangle,
    /// The operation `op` on `A`: none, the transpose or the adjoint.
    pub transpose: MatrixTranspose,
    /// Whether the diagonal of `A` counts as ones, and is not read.
    pub unit_diagonal: bool,
}

impl Default for TriangularOptions {
    /// `A X = B` with a lower triangular `A`.
    fn default() -> Self {
        TriangularOptions {
            left_side: true,
            triangle: Triangle::Lower,
            transpose: MatrixTranspose::None,
            unit_diagonal: false,
        }
    }
}

/// The results of an op that has this many.
#[track_caller]
fn results<const N: usize>(op: impl Into<jarrah_hlo::Op>, operands: &[&Array]) -> [Array; N] {
    match apply(op, operands).try_into() {
        Ok(results) => results,
        Err(_) => fail(Error::internal("an op has another number of results").at(Location::caller())),
    }
}

/// The triangular factor of Hermitian positive definite matrices `[.., n, n]`: `A = L L^H`, or `A = U^H U`.
///
/// Only the named triangle of `A` is read, and the other triangle of the result is zero. If `A` is not positive definite the
/// result is NaN.
///
/// ```
/// use jarrah_array::lax::linalg::{Triangle, cholesky};
/// use jarrah_array::Array;
/// let a = Array::new(&[4.0f32, 9.0, 2.0, 10.0], &[2, 2]);
/// assert_eq!(cholesky(&a, Triangle::Lower).to_vec::<f32>()?, [2.0, 0.0, 1.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cholesky(a: &Array, triangle: Triangle) -> Array {
    apply_one(Cholesky { lower: triangle == Triangle::Lower }, &[a])
}

/// The upper triangular `U` with a positive diagonal and `U^T U = R^T R + w w^T`, of real matrices `R`, `[.., n, n]`, and
/// vectors `w`, `[.., n]`: the factor of a matrix changed by one of rank one.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (r, w) = (Array::new(&[3.0f32], &[1, 1]), Array::from_slice(&[4.0f32]));
/// assert_eq!(lax::linalg::cholesky_update(&r, &w).to_vec::<f32>()?, [5.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cholesky_update(r: &Array, w: &Array) -> Array {
    let rows = concatenate(&[r, &w.expand_dims(-2)], -2);
    let (_, updated) = qr(&rows);
    let diagonal = updated.diagonal(0, -2, -1).expand_dims(-1);
    where_(&diagonal.lt(0), -&updated, &updated)
}

/// The factors of `P A = L U` with partial pivoting, of matrices `[.., m, n]`: `(lu, pivots, permutation)`.
///
/// `lu` has `U` in its upper triangle and `L`, whose diagonal is one, below. In step `k` row `k` was exchanged with row
/// `pivots[.., k]`; row `i` of `P A` is row `permutation[.., i]` of `A`. Both are `i32`, counted from 0.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::new(&[1.0f32, 2.0, 4.0, 4.0], &[2, 2]);
/// let (lu, pivots, permutation) = lax::linalg::lu(&a);
/// assert_eq!(lu.to_vec::<f32>()?, [4.0, 4.0, 0.25, 1.0]);
/// assert_eq!((pivots.to_vec::<i32>()?, permutation.to_vec::<i32>()?), (vec![1, 1], vec![1, 0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lu(a: &Array) -> (Array, Array, Array) {
    let [lu, pivots, permutation] = results(Lu, &[a]);
    (lu, pivots, permutation)
}

/// The permutation of `size` rows that results from exchanging row `k` with row `pivots[.., k]` for each `k` in order, as [`lu`]
/// returns it.
///
/// # Errors
///
/// A program error unless the pivots are integers, at most `size`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let permutation = lax::linalg::lu_pivots_to_permutation(&Array::from_slice(&[2i32, 2]), 3);
/// assert_eq!(permutation.to_vec::<i32>()?, [2, 0, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lu_pivots_to_permutation(pivots: &Array, size: usize) -> Array {
    if pivots.rank() == 0 || !pivots.dtype().is_integer() || pivots.shape()[pivots.rank() - 1] > size {
        let error = Error::program(format!("{} does not pivot {size} rows", pivots.ty()));
        let error = error.op("lu_pivots_to_permutation").at(Location::caller());
        fail(with_context(error.help("pivots are integers, at most one for each row")));
    }
    let last = pivots.rank() - 1;
    let steps = pivots.shape()[last];
    let shape = [&pivots.shape()[..last], &[size]].concat();
    let place = lax::iota(DType::I32, &shape, last);
    let pivots = lax::move_axis(&pivots.astype(DType::I32), last, 0);
    let exchange = |permutation: &Array, (step, pivot): &(Array, Array)| {
        let pivot = pivot.expand_dims(-1);
        let zero = permutation.zeros_like();
        // One element of each row, as the sum of that element and zeros.
        let pick = |chosen: &Array| lax::select(chosen, permutation, &zero).sum(-1).astype(DType::I32);
        let (here, there) = (place.eq(step), place.eq(&pivot));
        let (from_here, from_there) = (pick(&here).expand_dims(-1), pick(&there).expand_dims(-1));
        (where_(&here, from_there, where_(&there, from_here, permutation)), ())
    };
    scan(exchange, &place, &(Array::arange(steps), pivots)).0
}

/// `A = Q R` with orthonormal columns of `Q` and an upper triangular `R`: `(q, r)`, `[.., m, k]` and `[.., k, n]` with the
/// smaller `k` of `m` and `n`.
///
/// The signs are those of Householder's reflections: the diagonal of `R` may be negative.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::new(&[3.0f32, 4.0], &[2, 1]);
/// let (q, r) = lax::linalg::qr(&a);
/// assert_eq!((q.shape().to_vec(), r.shape().to_vec()), (vec![2, 1], vec![1, 1]));
/// assert_eq!(r.abs().item::<f32>()?, 5.0);
/// assert!((q.matmul(&r) - a).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn qr(a: &Array) -> (Array, Array) {
    let [q, r] = results(Qr { full_matrices: false }, &[a]);
    (q, r)
}

/// As [`qr`], with a square `Q`, `[.., m, m]`, and an `R` of the shape of `A`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::new(&[3.0f32, 4.0], &[2, 1]);
/// let (q, r) = lax::linalg::qr_complete(&a);
/// assert_eq!((q.shape().to_vec(), r.shape().to_vec()), (vec![2, 2], vec![2, 1]));
/// assert!((q.t().matmul(&q) - Array::eye(2)).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn qr_complete(a: &Array) -> (Array, Array) {
    let [q, r] = results(Qr { full_matrices: true }, &[a]);
    (q, r)
}

/// The QR decomposition as reflections: `(a, taus)`, with `R` in the upper triangle and the vectors below it.
///
/// `Q = H_0 H_1 ...`, `H_i = I - taus[i] v_i v_i^H`, where `v_i` is zero before element `i`, one there, and continues below
/// the diagonal in column `i`. It has no derivative: differentiate [`qr`].
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::new(&[3.0f32, 4.0], &[2, 1]);
/// let (packed, taus) = lax::linalg::geqrf(&a);
/// assert_eq!((packed.shape().to_vec(), taus.shape().to_vec()), (vec![2, 1], vec![1]));
/// // The reflection of v = (1, packed[1]) maps (3, 4) to (packed[0], 0).
/// let (v, tau) = (packed.at((0, 0)).set(1.0), taus.index(0));
/// let r = &a - &v * (tau * (&v * &a).sum(..));
/// assert!((r - packed.at((1, 0)).set(0.0)).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn geqrf(a: &Array) -> (Array, Array) {
    let [packed, taus] = results(Geqrf, &[a]);
    (packed, taus)
}

/// The first columns of the product of reflections `taus` of which `a` has the vectors, as [`geqrf`] returns them.
///
/// ```
/// use jarrah_array::{Array, lax::linalg};
/// let a = Array::new(&[3.0f32, 4.0], &[2, 1]);
/// let (packed, taus) = linalg::geqrf(&a);
/// let q = linalg::householder_product(&packed, &taus);
/// assert_eq!(q.shape(), [2, 1]);
/// assert_eq!(q.to_vec::<f32>()?, linalg::qr(&a).0.to_vec::<f32>()?);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn householder_product(a: &Array, taus: &Array) -> Array {
    apply_one(HouseholderProduct, &[a, taus])
}

/// The eigenvectors and eigenvalues of Hermitian matrices, `A V = V diag(w)`: `(v, w)`, values ascending.
///
/// Only the named triangle of `A` is read. Vectors are columns of length one, whose signs, or phases, are unspecified.
///
/// ```
/// use jarrah_array::{Array, lax::linalg};
/// let a = Array::new(&[2.0f32, 1.0, 1.0, 2.0], &[2, 2]);
/// let (v, w) = linalg::eigh(&a, linalg::Triangle::Lower);
/// assert!((&w - Array::from_slice(&[1.0f32, 3.0])).abs().max(..).item::<f32>()? < 1e-6);
/// assert!((a.matmul(&v) - &v * &w).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eigh(a: &Array, triangle: Triangle) -> (Array, Array) {
    let [v, w] = results(Eigh { lower: triangle == Triangle::Lower }, &[a]);
    (v, w)
}

/// The eigenvalues of general matrices, and their left and right eigenvectors: `(w, u, v)` with `u^H A = w u^H` and
/// `A v = w v` for columns `u`, `v` of length one; all complex. The order is unspecified.
///
/// ```
/// use jarrah_array::{Array, DType, lax};
/// // A quarter of a turn has the eigenvalues i and -i.
/// let a = Array::new(&[0.0f32, -1.0, 1.0, 0.0], &[2, 2]);
/// let (w, _, v) = lax::linalg::eig(&a);
/// assert!((w.imag().sort(0) - Array::from_slice(&[-1.0f32, 1.0])).abs().max(..).item::<f32>()? < 1e-6);
/// assert!((a.astype(DType::C64).matmul(&v) - &v * &w).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn eig(a: &Array) -> (Array, Array, Array) {
    let [w, u, v] = results(Eig { left: true, right: true }, &[a]);
    (w, u, v)
}

/// As [`eig`], with the right eigenvectors alone: `(w, v)`.
#[track_caller]
pub(crate) fn eig_right(a: &Array) -> (Array, Array) {
    let [w, v] = results(Eig { left: false, right: true }, &[a]);
    (w, v)
}

/// As [`eig`], without eigenvectors.
#[track_caller]
pub(crate) fn eig_values(a: &Array) -> Array {
    apply_one(Eig { left: false, right: false }, &[a])
}

/// The thin singular value decomposition `A = U diag(s) V^H`: `(u, s, v^H)`, values descending.
///
/// With `k` the smaller of `m` and `n` these are `[.., m, k]`, `[.., k]` and `[.., k, n]`. Signs, or phases, of a vector and
/// its partner are unspecified.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::new(&[0.0f32, 3.0, 4.0, 0.0, 0.0, 0.0], &[3, 2]);
/// let (u, s, vh) = lax::linalg::svd(&a);
/// assert_eq!((u.shape().to_vec(), vh.shape().to_vec()), (vec![3, 2], vec![2, 2]));
/// assert!((&s - Array::from_slice(&[4.0f32, 3.0])).abs().max(..).item::<f32>()? < 1e-6);
/// assert!(((&u * &s).matmul(&vh) - a).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn svd(a: &Array) -> (Array, Array, Array) {
    let [s, u, vh] = results(Svd { full_matrices: false, compute_uv: true }, &[a]);
    (u, s, vh)
}

/// As [`svd`], with square `U` and `V`, `[.., m, m]` and `[.., n, n]`. Only for square matrices it has a derivative: otherwise
/// the vectors that complete `U` or `V` are not determined by the matrix.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (u, s, vh) = lax::linalg::svd_complete(&Array::ones(&[3, 2]));
/// assert_eq!((u.shape().to_vec(), s.shape().to_vec(), vh.shape().to_vec()), (vec![3, 3], vec![2], vec![2, 2]));
/// assert!((u.t().matmul(&u) - Array::eye(3)).abs().max(..).item::<f32>()? < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn svd_complete(a: &Array) -> (Array, Array, Array) {
    let [s, u, vh] = results(Svd { full_matrices: true, compute_uv: true }, &[a]);
    (u, s, vh)
}

/// The singular values, descending.
#[track_caller]
pub(crate) fn svd_values(a: &Array) -> Array {
    apply_one(Svd { full_matrices: false, compute_uv: false }, &[a])
}

/// `A = Z T Z^H` with a unitary `Z` and an upper triangular `T`: `(t, z)`.
///
/// Of real matrices `T` is real, with a block of two on the diagonal for each complex pair of eigenvalues. It has no
/// derivative.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::new(&[0.0f32, 2.0, 2.0, 3.0], &[2, 2]);
/// let (t, z) = lax::linalg::schur(&a);
/// // The eigenvalues of a are on the diagonal.
/// let w = t.diagonal(0, 0, 1).sort(0) - Array::from_slice(&[-1.0f32, 4.0]);
/// assert!(w.abs().max(..).item::<f32>()? < 1e-5);
/// assert!((z.matmul(&t).matmul(&z.t()) - a).abs().max(..).item::<f32>()? < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn schur(a: &Array) -> (Array, Array) {
    let [t, z] = results(Schur { compute_vectors: true }, &[a]);
    (t, z)
}

/// `A = Q H Q^H` with a Hessenberg matrix `H`, zero below the first subdiagonal: `(a, taus)`, packed.
///
/// `H` is stored on and above the subdiagonal; `Q` is a product of `n - 1` reflections as in [`geqrf`], with their vectors one
/// row lower. It has no derivative.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let a = Array::from_slice(&[1.0f32, 2.0, 0.0, 3.0, 1.0, 1.0, 4.0, 0.0, 2.0]).reshape(&[3, 3]);
/// let (packed, taus) = lax::linalg::hessenberg(&a);
/// // One reflection moves the length of (3, 4) to the subdiagonal; the trace stays.
/// assert!((packed.index((1, 0)).abs().item::<f32>()? - 5.0).abs() < 1e-5);
/// assert!((packed.trace(0, 0, 1).item::<f32>()? - 4.0).abs() < 1e-5);
/// assert_eq!(taus.shape(), [2]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hessenberg(a: &Array) -> (Array, Array) {
    let [packed, taus] = results(Hessenberg, &[a]);
    (packed, taus)
}

/// Hermitian matrices as `A = Q T Q^H` with a real tridiagonal `T`: `(a, diagonal, off_diagonal, taus)`, packed.
///
/// Only the named triangle is read and overwritten. It has no derivative.
///
/// ```
/// use jarrah_array::{Array, lax::linalg};
/// let a = Array::from_slice(&[1.0f32, 3.0, 4.0, 3.0, 2.0, 0.0, 4.0, 0.0, 5.0]).reshape(&[3, 3]);
/// let (_, diagonal, off_diagonal, _) = linalg::tridiagonal(&a, linalg::Triangle::Lower);
/// // One reflection moves the length of (3, 4) to the subdiagonal; the trace stays.
/// assert!((off_diagonal.index(0).abs().item::<f32>()? - 5.0).abs() < 1e-5);
/// assert!((diagonal.sum(..).item::<f32>()? - 8.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn tridiagonal(a: &Array, triangle: Triangle) -> (Array, Array, Array, Array) {
    let [packed, diagonal, off, taus] = results(Tridiagonal { lower: triangle == Triangle::Lower }, &[a]);
    (packed, diagonal, off, taus)
}

/// Solutions `X` of `op(A) X = B`, or of `X op(A) = B`, with triangular `A`, `[.., n, n]`, and `B`, a stack of the same
/// leading axes.
///
/// ```
/// use jarrah_array::lax::linalg::{TriangularOptions, triangular_solve};
/// use jarrah_array::Array;
/// let a = Array::new(&[2.0f32, 0.0, 1.0, 1.0], &[2, 2]);
/// let b = Array::new(&[2.0f32, 3.0], &[2, 1]);
/// assert_eq!(triangular_solve(&a, &b, TriangularOptions::default()).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn triangular_solve(a: &Array, b: &Array, options: TriangularOptions) -> Array {
    let solve = TriangularSolve {
        left_side: options.left_side,
        lower: options.triangle == Triangle::Lower,
        unit_diagonal: options.unit_diagonal,
        transpose_a: options.transpose,
    };
    apply_one(solve, &[a, b])
}

/// Solutions `X`, `[.., n, k]`, of `T X = B` with tridiagonal matrices `T`, of which `lower`, `diagonal` and `upper`, each
/// `[.., n]`, are the bands. The first element of `lower` and the last one of `upper` are not read.
///
/// ```
/// use jarrah_array::{Array, lax::linalg::tridiagonal_solve};
/// let band = |x: f32| Array::from_slice(&[x; 3]);
/// let x = tridiagonal_solve(&band(0.0), &band(2.0), &band(0.0), &Array::ones(&[3, 1]));
/// assert_eq!(x.to_vec::<f32>()?, [0.5; 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn tridiagonal_solve(lower: &Array, diagonal: &Array, upper: &Array, b: &Array) -> Array {
    apply_one(TridiagonalSolve, &[lower, diagonal, upper, b])
}

/// `alpha A A^T + beta C`, of `A`, `[.., n, k]`, and symmetric `C`, `[.., n, n]`.
///
/// ```
/// use jarrah_array::{Array, lax};
/// let (a, c) = (Array::ones(&[2, 3]), Array::ones(&[2, 2]));
/// assert_eq!(lax::linalg::symmetric_product(&a, &c, 1.0, -2.0).to_vec::<f32>()?, [1.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn symmetric_product(a: &Array, c: &Array, alpha: f64, beta: f64) -> Array {
    a.matmul(&a.t()) * alpha + c * beta
}
