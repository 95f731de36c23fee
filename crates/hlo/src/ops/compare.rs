use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};

use super::elementwise::{ElementwiseKind, equal_types};
use crate::example::{Example, varied};
use crate::program::Value;
use crate::rules::*;

/// Whether a comparison of two tensors holds, element by element.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Compare {
    /// The comparison.
    pub comparison: Comparison,
    /// For floats, whether to use the total order `-NaN < -inf < .. < -0 < 0 < .. < inf < NaN`.
    pub total_order: bool,
}

/// A comparison of two numbers; with a NaN only `Ne` holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// `(predicate, on_true, on_false)`: element by element, which of the two the predicate says.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Select;

/// `(min, x, max)`: `x` moved into the interval, element by element; NaN stays.
///
/// The derivative is one in the operand that is taken, and zero at the bounds themselves, where it is undefined.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Clamp;

impl Comparison {
    /// Every comparison.
    pub const ALL: [Comparison; 6] =
        [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le, Comparison::Gt, Comparison::Ge];

    /// The name in StableHLO.
    pub fn name(self) -> &'static str {
        match self {
            Comparison::Eq => "EQ",
            Comparison::Ne => "NE",
            Comparison::Lt => "LT",
            Comparison::Le => "LE",
            Comparison::Gt => "GT",
            Comparison::Ge => "GE",
        }
    }

    /// The comparison with that StableHLO name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }
}

impl Rules for Compare {
    fn name(&self) -> &'static str {
        "compare"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 2)?;
        let ty = equal_types(operands)?;
        if self.total_order && !ty.dtype().is_float() {
            return Err(Error::program(format!("the total order is one of floats, not of {ty}")));
        }
        Ok(TypeVec::from_slice(&[ty.with_dtype(DType::Bool)]))
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a comparison is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Whether a comparison of two tensors holds, element by element.",
            source: "StableHLO specification, compare",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let operands = vec![varied(&[6], -1.0, 1.0), varied(&[6], -0.9, 1.1)];
        let example = |comparison: Comparison| {
            let op = Compare { comparison, total_order: false };
            Example::new(comparison.name(), op, operands.clone())
        };
        let mut all: Vec<Example> = Comparison::ALL.into_iter().map(example).collect();
        let total = Compare { comparison: Comparison::Lt, total_order: true };
        all.push(Example::new("total order", total, operands.clone()));
        all
    }
}

impl Rules for Select {
    fn name(&self) -> &'static str {
        "select"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 3)?;
        let ty = equal_types(&operands[1..])?;
        if operands[0] != ty.with_dtype(DType::Bool) {
            let error = format!("the predicate is {}, which does not fit branches of {ty}", operands[0]);
            return Err(Error::program(error).help("broadcast the predicate to the shape of the branches"));
        }
        Ok(TypeVec::from_slice(&[ty]))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let on_true = cx.tangents[1].instantiate(cx.b)?;
        let on_false = cx.tangents[2].instantiate(cx.b)?;
        Ok(Jvp::Tangents(vec![Tangent::Value(cx.b.select(cx.operands[0], on_true, on_false)?)]))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let (ct, predicate) = (cx.cotangent()?, cx.known(0)?);
        let zeros = cx.b.zeros_like(ct)?;
        let on_true = if cx.is_linear(1) { Some(cx.b.select(predicate, ct, zeros)?) } else { None };
        let on_false = if cx.is_linear(2) { Some(cx.b.select(predicate, zeros, ct)?) } else { None };
        Ok(Transpose::Cotangents(vec![None, on_true, on_false]))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Operand 1 where the predicate, operand 0, holds, elsewhere operand 2.",
            source: "StableHLO specification, select",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let predicate = jarrah_base::Literal::from_bools(&[2, 2], &[true, false, false, true]);
        let predicate = predicate.expect("invariant: four elements");
        vec![Example::new(
            "matrix",
            Select,
            vec![predicate, varied(&[2, 2], -1.0, 1.0), varied(&[2, 2], 2.0, 3.0)],
        )]
    }
}

/// Makes the tangent `chosen` where all conditions hold, and leaves it elsewhere.
fn choose(cx: &mut JvpCx<'_>, conditions: &[Value], chosen: Value, tangent: &mut Tangent) -> Result<()> {
    let mut all = conditions[0];
    for &condition in &conditions[1..] {
        all = cx.b.binary(ElementwiseKind::And, all, condition)?;
    }
    let otherwise = tangent.instantiate(cx.b)?;
    *tangent = Tangent::Value(cx.b.select(all, chosen, otherwise)?);
    Ok(())
}

impl Rules for Clamp {
    fn name(&self) -> &'static str {
        "clamp"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, 3)?;
        Ok(TypeVec::from_slice(&[equal_types(operands)?]))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let (min, x, max) = (cx.operands[0], cx.operands[1], cx.operands[2]);
        let mut tangent = Tangent::Zero(cx.ty(1));
        if let Some(dx) = cx.tangents[1].value() {
            let (above_min, below_max) =
                (cx.b.compare(Comparison::Gt, x, min)?, cx.b.compare(Comparison::Lt, x, max)?);
            choose(cx, &[above_min, below_max], dx, &mut tangent)?;
        }
        if let Some(dmin) = cx.tangents[0].value() {
            let (below, ordered) =
                (cx.b.compare(Comparison::Lt, x, min)?, cx.b.compare(Comparison::Lt, min, max)?);
            choose(cx, &[below, ordered], dmin, &mut tangent)?;
        }
        if let Some(dmax) = cx.tangents[2].value() {
            let above = cx.b.compare(Comparison::Gt, x, max)?;
            choose(cx, &[above], dmax, &mut tangent)?;
        }
        Ok(Jvp::Tangents(vec![tangent]))
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("clamp is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::AsIs)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(2.0 * results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Operand 1 moved into the interval from operand 0 to operand 2, element by element.",
            source: "StableHLO specification, clamp",
        }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let operands = vec![varied(&[8], -0.6, -0.4), varied(&[8], -1.0, 1.0), varied(&[8], 0.4, 0.6)];
        vec![Example::new("vector", Clamp, operands)]
    }
}
