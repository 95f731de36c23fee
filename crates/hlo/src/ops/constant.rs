use jarrah_base::{DType, Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};

use crate::example::{Example, varied};
use crate::rules::*;

/// A tensor that the program carries.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Constant {
    /// The tensor.
    pub value: Literal,
}

/// The position along an axis, counted from zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Iota {
    /// The type of the result.
    pub ty: Type,
    /// The axis.
    pub axis: usize,
}

impl Rules for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 0)?;
        Ok(TypeVec::from_slice(&[self.value.ty()]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a constant has no operand"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Refuse("a constant has no operand"))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        if !is_prefix(&self.value, &fewer.value, cx.results[0]) {
            return Ok(Rows::Refuse("its value depends on the number of rows"));
        }
        Ok(Rows::Apart)
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs { summary: "A tensor that the program carries.", source: "StableHLO specification, constant" }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("scalar", Constant { value: Literal::scalar(1.5f32) }, vec![]),
            Example::new("matrix", Constant { value: varied(&[2, 3], -1.0, 1.0) }, vec![]),
        ]
    }
}

impl Rules for Iota {
    fn name(&self) -> &'static str {
        "iota"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 0)?;
        if self.axis >= self.ty.rank() {
            return Err(Error::program(format!("{} has no axis {}", self.ty, self.axis)));
        }
        if self.ty.dtype() == DType::Bool {
            return Err(Error::program("counts in integers or floats, not in truth values"));
        }
        Ok(TypeVec::from_slice(&[self.ty]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("iota has no operand"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Refuse("iota has no operand"))
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    fn rows_apart(&self, fewer: &Self, _: &RowsCx<'_>) -> Result<Rows> {
        Ok(if self.axis == fewer.axis { Rows::Apart } else { Rows::Alike })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The position along an axis, counted from zero.",
            source: "StableHLO specification, iota",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        vec![
            Example::new("columns", Iota { ty: Type::tensor(DType::I32, [2, 3]), axis: 1 }, vec![]),
            Example::new("rows of floats", Iota { ty: Type::tensor(DType::F32, [2, 3]), axis: 0 }, vec![]),
        ]
    }
}
