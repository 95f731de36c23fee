use jarrah_base::{DType, Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};

use crate::example::{Example, varied};
use crate::rules::*;

/// Floats rounded to those that have so many exponent and mantissa bits, in the type they have.
///
/// The mantissa is rounded to the nearest, ties to even; what is then too large becomes infinite, what is too small for
/// a normal number of that format becomes zero, both with their sign. Without mantissa bits a NaN becomes infinite.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ReducePrecision {
    /// Bits of the exponent, at least 1.
    pub exponent_bits: u32,
    /// Bits of the mantissa, without the leading one.
    pub mantissa_bits: u32,
}

impl Rules for ReducePrecision {
    fn name(&self) -> &'static str {
        "reduce_precision"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 1)?;
        if !operands[0].dtype().is_float() {
            return Err(Error::program(format!("takes floats, the operand is {}", operands[0])));
        }
        if self.exponent_bits == 0 {
            return Err(Error::program("a float has at least one exponent bit, exponent_bits is 0"));
        }
        Ok(TypeVec::from_slice(operands))
    }

    /// Tangents are rounded as values are.
    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Linear(1))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        Ok(Transpose::Cotangents(vec![Some(cx.b.one(self.clone(), &[ct])?)]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Floats rounded to those with fewer exponent and mantissa bits.",
            source: "StableHLO specification, reduce_precision",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let op = |exponent_bits, mantissa_bits| ReducePrecision { exponent_bits, mantissa_bits };
        let mut halves =
            Literal::zeros(Type::tensor(DType::F16, [3])).expect("invariant: three elements fit");
        halves.bytes_mut().copy_from_slice(&[0xff, 0x3b, 0x01, 0x38, 0x55, 0x35]);
        vec![
            Example::new("as bf16", op(8, 7), vec![varied(&[2, 3], -1.0, 1.0)]),
            Example::new("as f16", op(5, 10), vec![varied(&[5], -1.0, 1.0)]),
            Example::new("wider", op(11, 52), vec![varied(&[4], -1.0, 1.0)]),
            Example::new("halves", op(5, 8), vec![halves]),
        ]
    }
}
