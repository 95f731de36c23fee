//! Linear algebra of stacks of matrices in the last two axes, as `numpy.linalg` and `scipy.linalg` have it.
//!
//! Integers become floats, operands are promoted to one dtype, and leading axes broadcast. Decompositions are computed in
//! `f32`, `f64`, `c64` and `c128`; `x^H` is the conjugate transpose. What has a derivative has it at every order, unless its
//! docs say otherwise. [`crate::lax::linalg`] has the ops under these functions.
//!
//! An operand that is no stack of matrices, or not of square ones where these are needed, is a program error, as are leading
//! axes that do not broadcast and decompositions of other dtypes.
//!
//! ```
//! use jarrah_array::{Array, linalg};
//! let a = Array::new(&[2.0f32, 1.0, 1.0, 3.0], &[2, 2]);
//! let b = Array::from_slice(&[3.0f32, 4.0]);
//! assert_eq!(linalg::solve(&a, &b).to_vec::<f32>()?, [1.0, 1.0]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

mod decompositions;
mod determinant;
mod forms;
mod functions;
mod iterative;
mod norms;
mod products;
mod pseudo_inverse;
mod solve;
mod structured;

use jarrah_base::{DType, Error, Location};

pub use crate::lax::linalg::{MatrixTranspose, Triangle};
pub use decompositions::{
    cholesky, cholesky_upper, eig, eigh, eigvals, eigvalsh, lu, qr, qr_complete, qr_pivoted, qr_r, qr_raw,
    svd, svd_complete, svdvals,
};
pub use determinant::{det, slogdet};
pub use forms::{eigh_tridiagonal, hessenberg, polar, polar_left, rsf2csf, schur, schur_complex};
pub use functions::{expm, expm_frechet, funm, solve_sylvester, sqrtm};
pub use iterative::{IterativeOptions, bicgstab, cg, gmres};
pub use norms::{MatrixNorm, cond, cond_by, matrix_norm, matrix_rank, norm, vector_norm};
pub use products::{matrix_power, multi_dot, tensorinv, tensorsolve};
pub use pseudo_inverse::{lstsq, lstsq_with, pinv, pinv_with};
pub use solve::{cho_factor, cho_solve, inv, lu_factor, lu_solve, solve, solve_positive, solve_triangular};
pub use structured::{
    block_diag, circulant, companion, convolution_matrix, dft, fiedler, fiedler_companion, hadamard, hankel,
    helmert, hilbert, invhilbert, invpascal, leslie, pascal, pascal_lower, toeplitz,
};

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::operators::{broadcast_shapes, promote_types};

/// Fails with a program error about an operand.
#[track_caller]
fn refuse(op: &str, message: String, help: &str) -> ! {
    fail(with_context(Error::program(message).op(op).at(Location::caller()).help(help)))
}

/// `a`, which has to be a stack of matrices, with integers as floats.
#[track_caller]
fn matrices(op: &str, a: &Array) -> Array {
    if a.rank() < 2 {
        refuse(op, format!("{} is no matrix", a.ty()), "matrices stand in the last two axes");
    }
    a.inexact()
}

/// As [`matrices`], of a dtype that decompositions are computed in.
#[track_caller]
fn decomposable(op: &str, a: &Array) -> Array {
    let a = matrices(op, a);
    if !matches!(a.dtype(), DType::F32 | DType::F64 | DType::C64 | DType::C128) {
        let message = format!("works on f32, f64, c64 and c128, the operand is {}", a.ty());
        refuse(op, message, "convert it with astype");
    }
    a
}

/// As [`decomposable`], of square matrices.
#[track_caller]
fn square(op: &str, a: &Array) -> Array {
    let a = decomposable(op, a);
    check_square(op, &a);
    a
}

#[track_caller]
fn check_square(op: &str, a: &Array) {
    let (m, n) = extents(a);
    if m != n {
        refuse(
            op,
            format!("the matrices of {} are not square", a.ty()),
            "the last two extents have to be equal",
        );
    }
}

/// The numbers of rows and columns of a stack of matrices.
fn extents(a: &Array) -> (usize, usize) {
    let shape = a.shape();
    (shape[shape.len() - 2], shape[shape.len() - 1])
}

/// The matrices transposed and conjugated.
#[track_caller]
fn adjoint(a: &Array) -> Array {
    a.conj().t()
}

/// `(A + A^H) / 2`.
#[track_caller]
fn hermitian(a: &Array) -> Array {
    (a + adjoint(a)) * 0.5
}

/// Both arrays converted to one float or complex dtype.
#[track_caller]
fn promoted(a: &Array, b: &Array) -> (Array, Array) {
    let dtype = promote_types(a.dtype(), b.dtype());
    (a.astype(dtype).inexact(), b.astype(dtype).inexact())
}

/// Two stacks of matrices with their leading axes broadcast to the same extents.
#[track_caller]
fn aligned(op: &str, a: &Array, b: &Array) -> (Array, Array) {
    let (x, y) = (a.shape(), b.shape());
    let Some(lead) = broadcast_shapes(&x[..x.len() - 2], &y[..y.len() - 2]) else {
        let message = format!("leading axes do not broadcast: {} and {}", a.ty(), b.ty());
        refuse(op, message, "extents have to be equal, or one of them 1")
    };
    let of = |s: &[usize]| [&lead[..], &s[s.len() - 2..]].concat();
    (a.broadcast_to(&of(&x)), b.broadcast_to(&of(&y)))
}
