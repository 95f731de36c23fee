//! Solutions of square systems.

use super::{
    aligned, check_square, cholesky, decomposable, extents, hermitian, matrices, promoted, refuse, square,
};
use crate::array::Array;
use crate::custom::custom_jvp;
use crate::lax;
use crate::lax::linalg::{MatrixTranspose, Triangle, TriangularOptions, triangular_solve};

/// Prepares `A` and `b` for a solver: both in one dtype, `b` as a stack of matrices with the leading axes of `A`. The flag says
/// whether `b` was a vector.
#[track_caller]
pub(super) fn system(op: &str, a: &Array, b: &Array) -> (Array, Array, bool) {
    let (a, b) = promoted(a, b);
    let a = matrices(op, &a);
    check_square(op, &a);
    let vector = b.rank() == 1;
    let columns = match b.rank() {
        0 => {
            refuse(op, format!("the right-hand side is {}", b.ty()), "it is a vector or a stack of matrices")
        }
        1 => b.expand_dims(-1),
        _ => b.clone(),
    };
    if extents(&columns).0 != extents(&a).0 {
        let message = format!("rows differ: the matrix is {}, the right-hand side {}", a.ty(), b.ty());
        let help = "a stack of vectors needs a last axis of extent one: expand_dims(-1)";
        refuse(op, message, if vector { "the right-hand side has one element a row" } else { help });
    }
    let (a, columns) = aligned(op, &a, &columns);
    (a, columns, vector)
}

/// `x` without its last axis if the right-hand side was a vector.
#[track_caller]
pub(super) fn restored(x: Array, vector: bool) -> Array {
    if vector { x.squeeze(-1) } else { x }
}

/// The rows of `b` in the order of a permutation, one for each matrix.
#[track_caller]
fn permuted_rows(b: &Array, permutation: &Array) -> Array {
    if b.size() == 0 {
        return b.clone();
    }
    let mut shape = b.shape().to_vec();
    let last = shape.len() - 1;
    shape[last - 1] = permutation.shape()[last - 1];
    let rows = permutation.expand_dims(-1).broadcast_to(&shape);
    lax::take_along_axis(b, &rows, last - 1)
}

/// `P A = L U` of a stack of square matrices.
struct Factors {
    lu: Array,
    permutation: Array,
}

impl Factors {
    #[track_caller]
    fn of(a: &Array) -> Factors {
        let (lu, _, permutation) = lax::linalg::lu(a);
        Factors { lu, permutation }
    }

    /// `op(A)^-1 b`: `U^-1 L^-1 P b`, or `P^T op(L)^-1 op(U)^-1 b`.
    #[track_caller]
    fn solve(&self, b: &Array, transpose: MatrixTranspose) -> Array {
        let lower = TriangularOptions { unit_diagonal: true, transpose, ..TriangularOptions::default() };
        let upper =
            TriangularOptions { triangle: Triangle::Upper, transpose, ..TriangularOptions::default() };
        if transpose == MatrixTranspose::None {
            let x = triangular_solve(&self.lu, &permuted_rows(b, &self.permutation), lower);
            return triangular_solve(&self.lu, &x, upper);
        }
        let x = triangular_solve(&self.lu, b, upper);
        let x = triangular_solve(&self.lu, &x, lower);
        permuted_rows(&x, &self.permutation.argsort(-1))
    }
}

/// The factorization of a matrix, as a function that solves for a right side.
type Solver = Box<dyn Fn(&Array) -> Array>;

/// `X = A^-1 B`. Its tangent `X' = A^-1 (B' - A' X)` reuses the factorization of `A` (Giles, Collected matrix derivative results,
/// 2008).
#[track_caller]
fn solved(a: Array, b: Array, factor: fn(&Array) -> Solver) -> Array {
    let solve = custom_jvp(
        move |(a, b): &(Array, Array)| factor(a)(b),
        move |(a, b): &(Array, Array), (da, db): &(Array, Array)| {
            let solver = factor(a);
            let x = solver(b);
            let change = solver(&(db - da.matmul(&x)));
            (x, change)
        },
    );
    solve(&(a, b))
}

/// The solution `X` of `A X = B`, by an LU decomposition with partial pivoting.
///
/// `A` is `[.., n, n]`, and `B` a vector `[n]` or matrices `[.., n, k]`, whose leading axes broadcast with those of `A`; the
/// result has the shape of `B`. A singular `A` gives infinities or NaN.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[2.0f32, 0.0, 0.0, 4.0], &[2, 2]);
/// assert_eq!(linalg::solve(&a, &Array::from_slice(&[1.0f32, 1.0])).to_vec::<f32>()?, [0.5, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn solve(a: &Array, b: &Array) -> Array {
    let (a, b, vector) = system("solve", &decomposable("solve", a), b);
    let x = solved(a, b, |a| {
        let factors = Factors::of(a);
        Box::new(move |b| factors.solve(b, MatrixTranspose::None))
    });
    restored(x, vector)
}

/// As [`solve`], of Hermitian positive definite matrices, by a Cholesky decomposition: `scipy.linalg.solve` with
/// `assume_a="pos"`. `A` counts as `(A + A^H) / 2`; where it is not positive definite the result is NaN.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[4.0f32, 0.0, 0.0, 1.0], &[2, 2]);
/// assert_eq!(linalg::solve_positive(&a, &Array::from_slice(&[2.0f32, 3.0])).to_vec::<f32>()?, [0.5, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn solve_positive(a: &Array, b: &Array) -> Array {
    let (a, b, vector) = system("solve_positive", &decomposable("solve_positive", a), b);
    let x = solved(hermitian(&a), b, |a| {
        let factor = lax::linalg::cholesky(a, Triangle::Lower);
        Box::new(move |b| from_cholesky(&factor, b))
    });
    restored(x, vector)
}

/// The inverse of matrices `[.., n, n]`; infinities or NaN where there is none.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[2.0f32, 0.0, 0.0, 4.0], &[2, 2]);
/// assert_eq!(linalg::inv(&a).to_vec::<f32>()?, [0.5, 0.0, 0.0, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn inv(a: &Array) -> Array {
    let a = square("inv", a);
    let n = extents(&a).0;
    solve(&a, &Array::eye_in(n, n, 0, a.dtype()))
}

/// The solution `X` of `A X = B` with triangular matrices, of which the other triangle is not read; shapes are those of
/// [`solve`].
///
/// A matrix with ones on the diagonal and solutions from the right: [`lax::linalg::triangular_solve`].
///
/// ```
/// use jarrah_array::lax::linalg::Triangle;
/// use jarrah_array::{Array, linalg};
/// let a = Array::new(&[2.0f32, 9.0, 1.0, 1.0], &[2, 2]);
/// let b = Array::from_slice(&[2.0f32, 3.0]);
/// assert_eq!(linalg::solve_triangular(&a, &b, Triangle::Lower).to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn solve_triangular(a: &Array, b: &Array, triangle: Triangle) -> Array {
    let (a, b, vector) = system("solve_triangular", a, b);
    let options = TriangularOptions { triangle, ..TriangularOptions::default() };
    restored(triangular_solve(&a, &b, options), vector)
}

/// The factor of Hermitian positive definite matrices that [`cho_solve`] takes: [`cholesky`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// // Only the lower triangle has elements.
/// let factor = linalg::cho_factor(&Array::new(&[4.0f32, 2.0, 2.0, 5.0], &[2, 2]));
/// assert_eq!(factor.to_vec::<f32>()?, [2.0, 0.0, 1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cho_factor(a: &Array) -> Array {
    cholesky(&square("cho_factor", a))
}

/// The solution `X` of `A X = B` from the lower factor `L` of `A = L L^H`; shapes are those of [`solve`].
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let factor = linalg::cho_factor(&Array::new(&[4.0f32, 0.0, 0.0, 1.0], &[2, 2]));
/// let x = linalg::cho_solve(&factor, &Array::from_slice(&[2.0f32, 3.0]));
/// assert_eq!(x.to_vec::<f32>()?, [0.5, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cho_solve(factor: &Array, b: &Array) -> Array {
    let (factor, b, vector) = system("cho_solve", factor, b);
    restored(from_cholesky(&factor, &b), vector)
}

/// `L^-H L^-1 b`.
#[track_caller]
fn from_cholesky(factor: &Array, b: &Array) -> Array {
    let options = TriangularOptions::default();
    let x = triangular_solve(factor, b, options);
    triangular_solve(factor, &x, TriangularOptions { transpose: MatrixTranspose::Adjoint, ..options })
}

/// The factors of square matrices that [`lu_solve`] takes: `(lu, pivots)`, packed as [`lax::linalg::lu`] says.
///
/// ```
/// use jarrah_array::{Array, linalg};
/// let (lu, pivots) = linalg::lu_factor(&Array::new(&[1.0f32, 3.0, 2.0, 4.0], &[2, 2]));
/// // The rows are exchanged; 0.5 is the element of L below the diagonal.
/// assert_eq!(lu.to_vec::<f32>()?, [2.0, 4.0, 0.5, 1.0]);
/// assert_eq!(pivots.to_vec::<i32>()?, [1, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lu_factor(a: &Array) -> (Array, Array) {
    let (lu, pivots, _) = lax::linalg::lu(&square("lu_factor", a));
    (lu, pivots)
}

/// The solution `X` of `op(A) X = B` from the factors of `A`; shapes are those of [`solve`].
///
/// ```
/// use jarrah_array::lax::linalg::MatrixTranspose;
/// use jarrah_array::{Array, linalg};
/// let (lu, pivots) = linalg::lu_factor(&Array::new(&[0.0f32, 2.0, 1.0, 0.0], &[2, 2]));
/// let b = Array::from_slice(&[4.0f32, 3.0]);
/// let solve = |transpose| linalg::lu_solve((&lu, &pivots), &b, transpose).to_vec::<f32>();
/// assert_eq!(solve(MatrixTranspose::None)?, [3.0, 2.0]);
/// assert_eq!(solve(MatrixTranspose::Transpose)?, [1.5, 4.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn lu_solve((lu, pivots): (&Array, &Array), b: &Array, transpose: MatrixTranspose) -> Array {
    let (aligned, b, vector) = system("lu_solve", lu, b);
    let n = extents(&aligned).0;
    let lead = aligned.rank() - 2;
    let permutation = lax::linalg::lu_pivots_to_permutation(pivots, n);
    let permutation = permutation.broadcast_to(&[&aligned.shape()[..lead], &[n]].concat());
    restored(Factors { lu: aligned, permutation }.solve(&b, transpose), vector)
}
