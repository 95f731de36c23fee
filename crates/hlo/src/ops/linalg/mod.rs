//! Decompositions and solutions of linear systems, of stacks of matrices in the last two axes.
//!
//! Conventions are LAPACK's, so that what JAX asks of it is one op here. A decomposition that does not exist, such as the
//! Cholesky factor of a matrix that is not positive definite, is all NaN.

mod cholesky;
mod eig;
mod eigh;
mod hessenberg;
mod lu;
mod matrix;
mod qr;
mod schur;
mod svd;
mod triangular_solve;
mod tridiagonal;

pub use cholesky::Cholesky;
pub use eig::Eig;
pub use eigh::Eigh;
pub use hessenberg::Hessenberg;
pub use lu::Lu;
pub use qr::{Geqrf, HouseholderProduct, Qr};
pub use schur::Schur;
pub use svd::Svd;
pub use triangular_solve::{MatrixTranspose, TriangularSolve};
pub use tridiagonal::{Tridiagonal, TridiagonalSolve};
