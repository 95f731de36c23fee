use jarrah_base::{DType, Error, Result, Type};

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::{Convolution, DotGeneral};
use crate::program::Value;

/// Whether [`over_singles`] has a definition of `op`, for operands of these types: a product or a convolution of floats narrower
/// than two bytes.
pub fn has_single_definition(op: &Op, operands: &[Type]) -> bool {
    let is_narrow = |ty: &Type| ty.dtype().is_float() && ty.dtype().bits() < 16;
    matches!(op, Op::DotGeneral(_) | Op::Convolution(_)) && operands.iter().all(is_narrow)
}

/// A product or a convolution of narrow floats: that of the same numbers as `f32`, which holds all of them and is what their
/// products are summed in, rounded once.
///
/// # Errors
/// `op` is another one, or as [`Builder::push`].
pub fn over_singles(b: &mut Builder, op: &Op, operands: &[Value]) -> Result<Value> {
    let mut wide = Vec::with_capacity(operands.len());
    for &operand in operands {
        wide.push(b.convert(operand, DType::F32)?);
    }
    let (op, out): (Op, DType) = match op {
        Op::DotGeneral(op) => (DotGeneral { out: DType::F32, ..(**op).clone() }.into(), op.out),
        Op::Convolution(op) => (Convolution { out: DType::F32, ..(**op).clone() }.into(), op.out),
        op => return Err(Error::internal("is no product").op(op.name())),
    };
    let sums = b.one(op, &wide)?;
    b.convert(sums, out)
}
