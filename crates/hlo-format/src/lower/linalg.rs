//! Decompositions, Fourier transforms and random bits.

use crate::spelled;
use jarrah_base::{Error, Result, Type};
use jarrah_hlo::Op;
use jarrah_hlo::ops::{
    Cholesky, Eig, Eigh, Fft, FftKind, Geqrf, Hessenberg, HouseholderProduct, Lu, MatrixTranspose, Qr,
    RngAlgorithm, RngBitGenerator, Schur, Svd, TriangularSolve, Tridiagonal, TridiagonalSolve,
};

use super::block::{Outcome, all};
use super::cx::Cx;

/// The op with the attributes as stated.
pub(super) fn op(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let operation: Op = match cx.op.name() {
        "stablehlo.fft" => {
            let kind = match cx.word("fft_type")? {
                "FFT" => FftKind::Fft,
                "IFFT" => FftKind::Ifft,
                "RFFT" => FftKind::Rfft,
                "IRFFT" => FftKind::Irfft,
                other => return Err(unknown(cx, "fft_type", other)),
            };
            Fft { kind, lengths: cx.sizes("fft_length")? }.into()
        }
        "stablehlo.rng_bit_generator" => {
            RngBitGenerator { algorithm: algorithm(cx)?, ty: cx.result_type(1)? }.into()
        }
        "stablehlo.cholesky" => Cholesky { lower: cx.flag("lower")? }.into(),
        "stablehlo.triangular_solve" => {
            let transpose_a = match cx.word("transpose_a")? {
                "NO_TRANSPOSE" => MatrixTranspose::None,
                "TRANSPOSE" => MatrixTranspose::Transpose,
                "ADJOINT" => MatrixTranspose::Adjoint,
                other => return Err(unknown(cx, "transpose_a", other)),
            };
            let (left_side, lower) = (cx.flag("left_side")?, cx.flag("lower")?);
            TriangularSolve { left_side, lower, unit_diagonal: cx.flag("unit_diagonal")?, transpose_a }.into()
        }
        "jarrah.lu" => Lu.into(),
        "jarrah.qr" => Qr { full_matrices: cx.flag("full_matrices")? }.into(),
        "jarrah.geqrf" => Geqrf.into(),
        "jarrah.householder_product" => HouseholderProduct.into(),
        "jarrah.eigh" => Eigh { lower: cx.flag("lower")? }.into(),
        "jarrah.svd" => {
            Svd { full_matrices: cx.flag("full_matrices")?, compute_uv: cx.flag("compute_uv")? }.into()
        }
        "jarrah.eig" => Eig { left: cx.flag("left")?, right: cx.flag("right")? }.into(),
        "jarrah.schur" => Schur { compute_vectors: cx.flag("compute_vectors")? }.into(),
        "jarrah.hessenberg" => Hessenberg.into(),
        "jarrah.tridiagonal" => Tridiagonal { lower: cx.flag("lower")? }.into(),
        "jarrah.tridiagonal_solve" => TridiagonalSolve.into(),
        name => return Err(cx.fail(format!("the op {name} is not supported"))),
    };
    let operands = cx.operands()?;
    Ok(all(&cx.push(operation, &operands)?))
}

/// `stablehlo.rng`: each op has its own stream of random numbers.
pub(super) fn rng(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let ty = cx.result_type(0)?;
    cx.stated_extents(ty, 2)?;
    let (a, b) = (cx.operand(0)?, cx.operand(1)?);
    // The op's result number in the module tells its stream from all others.
    let stream = cx.op.results.first().map_or(0, |id| id.index() as u32);
    let drawn = match cx.word("rng_distribution")? {
        "UNIFORM" => spelled::rng_uniform(cx.b(), ty, a, b, stream)?,
        "NORMAL" => spelled::rng_normal(cx.b(), ty, a, b, stream)?,
        other => return Err(unknown(cx, "rng_distribution", other)),
    };
    Ok(all(&[drawn]))
}

fn algorithm(cx: &Cx<'_, '_>) -> Result<RngAlgorithm> {
    match cx.word("rng_algorithm")? {
        "DEFAULT" => Ok(RngAlgorithm::Default),
        "THREE_FRY" => Ok(RngAlgorithm::Threefry),
        "PHILOX" => Ok(RngAlgorithm::Philox),
        other => Err(unknown(cx, "rng_algorithm", other)),
    }
}

/// Random bits from a state, in a tensor whose extents are an operand.
pub(super) fn dynamic_rng_bit_generator(cx: &mut Cx<'_, '_>) -> Result<Outcome> {
    let state = cx.operand(0)?;
    let ty = match cx.result(1)?.concrete() {
        Some(ty) => ty,
        None => Type::tensor(cx.result_dtype(1)?, cx.needed_sizes(1)?),
    };
    let generator = RngBitGenerator { algorithm: algorithm(cx)?, ty };
    Ok(all(&cx.push(generator, &[state])?))
}

fn unknown(cx: &Cx<'_, '_>, name: &str, value: &str) -> Error {
    cx.fail(format!("`{value}` is no {name}"))
}
