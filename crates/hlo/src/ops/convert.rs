use jarrah_base::{DType, Error, Result, Type};

use crate::example::{Example, ints, varied};
use crate::rules::*;

/// The same numbers in another element type.
///
/// To a narrower float: rounded to nearest even. To an integer: truncated and saturated, NaN to 0. To a truth value:
/// whether it is not zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Convert {
    /// The element type of the result.
    pub to: DType,
}

/// The same bits read as another element type of equal size.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitcastConvert {
    /// The element type of the result.
    pub to: DType,
}

impl Rules for Convert {
    fn name(&self) -> &'static str {
        "convert"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        Ok(TypeVec::from_slice(&[operands[0].with_dtype(self.to)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(if self.to.is_float() { Jvp::Linear(1) } else { Jvp::Zero })
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, from) = (cx.cotangent()?, cx.ty(0).dtype());
        Ok(Transpose::Cotangents(vec![Some(cx.b.convert(ct, from)?)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The same numbers in another element type, rounded or truncated to it.",
            source: "StableHLO specification, convert",
        }
    }

    no_programs!();
    pure!(Recompute);

    fn examples() -> Vec<Example> {
        vec![
            Example::new("to half precision", Convert { to: DType::BF16 }, vec![varied(&[5], -2.0, 2.0)]),
            Example::new("to double", Convert { to: DType::F64 }, vec![varied(&[5], -2.0, 2.0)]),
            Example::new("to integer", Convert { to: DType::I32 }, vec![varied(&[5], -9.0, 9.0)]),
            Example::new("to float", Convert { to: DType::F32 }, vec![ints(&[3], &[-1, 0, 7])]),
            Example::new("to truth value", Convert { to: DType::Bool }, vec![ints(&[3], &[-1, 0, 7])]),
        ]
    }
}

impl Rules for BitcastConvert {
    fn name(&self) -> &'static str {
        "bitcast_convert"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        let from = operands[0];
        if from.dtype().bits() != self.to.bits() || (from.dtype() == DType::Bool) != (self.to == DType::Bool)
        {
            let error = format!("{from} cannot be read as {}: the elements differ in size", self.to);
            return Err(Error::program(error));
        }
        Ok(TypeVec::from_slice(&[from.with_dtype(self.to)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("reading bits as another type is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The same bits read as another element type of equal size.",
            source: "StableHLO specification, bitcast_convert",
        }
    }

    no_programs!();
    pure!(Recompute);

    fn examples() -> Vec<Example> {
        vec![
            Example::new("bits of a float", BitcastConvert { to: DType::U32 }, vec![varied(&[4], -2.0, 2.0)]),
            Example::new(
                "float of bits",
                BitcastConvert { to: DType::F32 },
                vec![ints(&[2], &[1_065_353_216, 0])],
            ),
        ]
    }
}
