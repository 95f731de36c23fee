//! Decompositions, transforms and random bits.

use jarrah_hlo::Op;
use jarrah_hlo::ops::{FftKind, MatrixTranspose, RngAlgorithm};

use super::attributes::integers;
use crate::ir::{Attr, IrOp};

/// The attributes of an op of this family.
pub(super) fn linalg(op: &Op, out: &mut IrOp) {
    let mut set = |name: &str, attr: Attr| out.attributes.set(name, attr);
    match op {
        Op::Fft(op) => {
            let kind = match op.kind {
                FftKind::Fft => "FFT",
                FftKind::Ifft => "IFFT",
                FftKind::Rfft => "RFFT",
                FftKind::Irfft => "IRFFT",
            };
            set("fft_type", Attr::Enum("stablehlo.fft_type", kind));
            set("fft_length", integers(&op.lengths));
        }
        Op::RngBitGenerator(op) => {
            let algorithm = match op.algorithm {
                RngAlgorithm::Default => "DEFAULT",
                RngAlgorithm::Threefry => "THREE_FRY",
                RngAlgorithm::Philox => "PHILOX",
            };
            set("rng_algorithm", Attr::Enum("stablehlo.rng_algorithm", algorithm));
        }
        Op::TriangularSolve(op) => {
            let transpose = match op.transpose_a {
                MatrixTranspose::None => "NO_TRANSPOSE",
                MatrixTranspose::Transpose => "TRANSPOSE",
                MatrixTranspose::Adjoint => "ADJOINT",
            };
            set("left_side", Attr::Bool(op.left_side));
            set("lower", Attr::Bool(op.lower));
            set("unit_diagonal", Attr::Bool(op.unit_diagonal));
            set("transpose_a", Attr::Enum("stablehlo.transpose", transpose));
        }
        Op::Cholesky(op) => set("lower", Attr::Bool(op.lower)),
        Op::Qr(op) => set("full_matrices", Attr::Bool(op.full_matrices)),
        Op::Eigh(op) => set("lower", Attr::Bool(op.lower)),
        Op::Svd(op) => {
            set("full_matrices", Attr::Bool(op.full_matrices));
            set("compute_uv", Attr::Bool(op.compute_uv));
        }
        Op::Eig(op) => {
            set("left", Attr::Bool(op.left));
            set("right", Attr::Bool(op.right));
        }
        Op::Schur(op) => set("compute_vectors", Attr::Bool(op.compute_vectors)),
        Op::Tridiagonal(op) => set("lower", Attr::Bool(op.lower)),
        _ => {}
    }
}
