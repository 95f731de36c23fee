use jarrah_base::{DType, Error, Literal, Result, Type};
use serde::{Deserialize, Serialize};

use crate::checked::{Failure, NUMBERS, any, filled};
use crate::example::Example;
use crate::ops::Reducer;
use crate::program::Value;
use crate::rules::*;

/// Fails the run unless every element of operand 0, truth values, is true.
///
/// The other operands are numbers for the message, of the same extents: those beside the first element that is false.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Assert {
    /// The message of the failure, with a `{}` for each number.
    pub message: Box<str>,
}

impl Assert {
    /// Runs it on tensors.
    ///
    /// # Errors
    /// An element is false.
    pub fn evaluate(&self, operands: &[Literal]) -> Result<()> {
        let holds = operands[0].to_f64_vec();
        let Some(first) = holds.iter().position(|&holds| holds == 0.0) else { return Ok(()) };
        let mut numbers = Vec::new();
        for operand in &operands[1..] {
            numbers.push(operand.to_f64_vec()[first]);
        }
        Err(Error::program(filled(&self.message, &numbers)))
    }

    /// The element of `x` at the position `first` in row-major order, as an `f64`.
    fn element(cx: &mut CheckCx<'_>, x: Value, first: Value) -> Result<Value> {
        let count = cx.b.ty(x).elements()?;
        let wide = cx.b.convert(x, DType::F64)?;
        let flat = cx.b.reshape(wide, &[count])?;
        let one = cx.b.one(super::DynamicSlice { sizes: [1].into_iter().collect() }, &[flat, first])?;
        cx.b.reshape(one, &[])
    }
}

impl Rules for Assert {
    fn name(&self) -> &'static str {
        "jarrah.assert"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let Some((condition, numbers)) = operands.split_first() else {
            return Err(Error::program("takes a condition, nothing was given"));
        };
        if condition.dtype() != DType::Bool {
            return Err(Error::program(format!("the condition is {condition}, truth values are needed")));
        }
        if numbers.len() > NUMBERS {
            return Err(Error::program(format!(
                "{} numbers are for the message, {NUMBERS} fit",
                numbers.len()
            )));
        }
        for ty in numbers {
            if !ty.same_dims(*condition) || ty.dtype().is_complex() {
                return Err(Error::program(format!(
                    "a number for the message is {ty}, the condition is {condition}: real ones of the same extents are needed"
                )));
            }
        }
        Ok(TypeVec::new())
    }

    fn jvp(&self, _: &mut JvpCx<'_>) -> Result<Jvp> {
        Ok(Jvp::Zero)
    }

    fn partial_eval(&self, _: &mut PartialEvalCx<'_>) -> Result<PartialEval> {
        Ok(PartialEval::AllOrNothing)
    }

    fn transpose(&self, _: &mut TransposeCx<'_>) -> Result<Transpose> {
        Ok(Transpose::Refuse("a check is not linear"))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        if !cx.checker.categories().user {
            return Ok(Checked::AsIs);
        }
        let (condition, numbers) = (cx.operands[0], &cx.operands[1..]);
        let ty = cx.b.ty(condition);
        let count = ty.elements()?;
        if count == 0 {
            return Ok(Checked::Results(Vec::new()));
        }
        let fails = cx.b.unary(super::ElementwiseKind::Not, condition)?;
        let any = any(cx.b, fails)?;
        let mut said = Vec::new();
        if !numbers.is_empty() {
            let flat = cx.b.reshape(fails, &[count])?;
            let positions = cx.b.iota(Type::tensor(DType::I64, [count]), 0)?;
            let none = cx.b.full(Type::tensor(DType::I64, [count]), count as f64)?;
            let failing = cx.b.select(flat, positions, none)?;
            let first = cx.b.reduce(Reducer::Min, failing, &[0])?;
            for &number in numbers {
                said.push(Assert::element(cx, number, first)?);
            }
        }
        cx.fail(any, Failure::User(self.message.clone()), &said)?;
        Ok(Checked::Results(Vec::new()))
    }

    fn effects(&self) -> Effects {
        Effects { observed: true, ..Effects::NONE }
    }

    fn residual_class(&self) -> ResidualClass {
        ResidualClass::Save
    }

    keeps_precision!();

    rows!(Refuse("it checks rows"));

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::movement(operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "Fails the run unless every element of a tensor of truth values is true.",
            source: "jax.experimental.checkify.check",
        }
    }

    no_programs!();

    fn examples() -> Vec<Example> {
        let condition = Literal::from_bools(&[2], &[true, true]).expect("invariant: two elements");
        let number = Literal::from_slice(&[2], &[1.5f32, 2.5]).expect("invariant: two elements");
        vec![Example::new("holds", Assert { message: "it is {}".into() }, vec![condition, number])]
    }
}
