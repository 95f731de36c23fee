use jarrah_base::{DType, Error, Result, Type};

use jarrah_hlo::Builder;
use jarrah_hlo::Op;
use jarrah_hlo::Value;
use jarrah_hlo::ops::{Convolution, DotGeneral};

/// Whether [`over_sums`] has a definition of `op`, for operands of these types: a product or a convolution of floats narrower than two
/// bytes, of integers other than `i8`, `i16`, `i32` and `i64`, or with results of another type than that of the operands or of what is
/// summed.
pub fn has_sum_definition(op: &Op, operands: &[Type]) -> bool {
    let Some((factor, sum)) = factor_and_sum(op, operands) else { return false };
    let (dtype, out) = (operands[0].dtype(), result(op));
    dtype != factor || out != Some(sum) && out != Some(dtype)
}

/// The type of the results of a product or a convolution.
fn result(op: &Op) -> Option<DType> {
    match op {
        Op::DotGeneral(op) => Some(op.out),
        Op::Convolution(op) => Some(op.out),
        _ => None,
    }
}

/// The type in which the operands of a product or a convolution of real numbers are multiplied, and the type of the sum.
///
/// Sums of integers wrap, so that 32 bits are enough where no more are kept, or where there are too few terms for more.
fn factor_and_sum(op: &Op, operands: &[Type]) -> Option<(DType, DType)> {
    let (out, &[lhs, rhs]) = (result(op)?, operands) else { return None };
    let dtype = lhs.dtype();
    if dtype.is_complex() {
        return None;
    }
    if dtype.is_float() {
        return Some((dtype.factor(), dtype.accumulator()));
    }
    let terms = match op {
        Op::DotGeneral(op) => op.lhs_contract.iter().map(|&axis| lhs.dim(axis) as u128).product(),
        _ => rhs.extents().map(|extent| extent as u128).product(),
    };
    let most = 1_u128.checked_shl(2 * dtype.bits()).and_then(|product| product.checked_mul(terms));
    let kept = !out.is_float() && !out.is_complex() && out != DType::Bool && out.bits() <= 32;
    let factor = match dtype {
        _ if !kept && most.is_none_or(|most| most >= 1 << 31) => return Some((DType::I64, DType::I64)),
        DType::I16 | DType::U8 => DType::I16,
        _ if dtype.bits() <= 8 => DType::I8,
        _ => DType::I32,
    };
    Some((factor, DType::I32))
}

/// A product or a convolution as one whose results are what is summed, rounded once, of the operands as what they are multiplied as.
///
/// # Errors
/// `op` is another one, or as [`Builder::push`].
pub fn over_sums(b: &mut Builder, op: &Op, operands: &[Value]) -> Result<Value> {
    let types = b.types(operands);
    let other = || Error::internal("is no product of real numbers").op(op.name());
    let (factor, sum) = factor_and_sum(op, &types).ok_or_else(other)?;
    let mut wide = Vec::with_capacity(operands.len());
    for &operand in operands {
        wide.push(b.convert(operand, factor)?);
    }
    let (op, out): (Op, DType) = match op {
        Op::DotGeneral(op) => (DotGeneral { out: sum, ..(**op).clone() }.into(), op.out),
        Op::Convolution(op) => (Convolution { out: sum, ..(**op).clone() }.into(), op.out),
        _ => return Err(other()),
    };
    let sums = b.one(op, &wide)?;
    b.convert(sums, out)
}
