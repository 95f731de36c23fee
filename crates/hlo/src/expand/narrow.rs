use jarrah_base::{DType, Error, Result, Type};

use crate::builder::Builder;
use crate::op::Op;
use crate::ops::{Convolution, DotGeneral};
use crate::program::Value;

/// Whether [`over_sums`] has a definition of `op`, for operands of these types: a product or a convolution of floats narrower than two
/// bytes, or with results of another type than that of the operands or of what is summed.
pub fn has_sum_definition(op: &Op, operands: &[Type]) -> bool {
    let out = match op {
        Op::DotGeneral(op) => op.out,
        Op::Convolution(op) => op.out,
        _ => return false,
    };
    operands.iter().all(|ty| {
        let dtype = ty.dtype();
        dtype.is_float() && (dtype.factor() != dtype || out != dtype && out != dtype.accumulator())
    })
}

/// A product or a convolution of floats as one whose results are what is summed, rounded once, of the operands as what they are
/// [multiplied as](DType::factor).
///
/// # Errors
/// `op` is another one, or as [`Builder::push`].
pub fn over_sums(b: &mut Builder, op: &Op, operands: &[Value]) -> Result<Value> {
    let mut wide = Vec::with_capacity(operands.len());
    let mut sum = DType::F32;
    for &operand in operands {
        let dtype = b.ty(operand).dtype();
        sum = dtype.accumulator();
        wide.push(b.convert(operand, dtype.factor())?);
    }
    let (op, out): (Op, DType) = match op {
        Op::DotGeneral(op) => (DotGeneral { out: sum, ..(**op).clone() }.into(), op.out),
        Op::Convolution(op) => (Convolution { out: sum, ..(**op).clone() }.into(), op.out),
        op => return Err(Error::internal("is no product").op(op.name())),
    };
    let sums = b.one(op, &wide)?;
    b.convert(sums, out)
}
