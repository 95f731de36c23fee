use jarrah_base::{DType, ElementKind, Error, Result, Type, c64};
use serde::{Deserialize, Serialize};

use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::op::Op;
use crate::ops::{Comparison, Imag, Real};
use crate::program::Value;
use crate::rules::*;

mod power;
mod slopes;
mod table;

pub use table::ElementwiseKind;

/// A function applied element by element to one tensor, or to two of one type.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Elementwise {
    /// The function.
    pub kind: ElementwiseKind,
}

/// How the tangent of a result follows from that of one operand.
enum Slope {
    /// The function is piecewise constant in it.
    Zero,
    /// `dy = dx`.
    One,
    /// `dy = -dx`.
    MinusOne,
    /// The function is linear: `dy = f(dx)`.
    Itself,
    /// `dy = dx * factor`.
    Times(fn(&mut Point<'_>) -> Result<Value>),
    /// `dy = dx / divisor`.
    Over(fn(&mut Point<'_>) -> Result<Value>),
    /// There is no derivative, because of this.
    Refuse(&'static str),
}

/// Where a derivative is taken: operands and result.
struct Point<'a> {
    b: &'a mut Builder,
    x: Value,
    y: Value,
    out: Value,
}

impl Point<'_> {
    fn full(&mut self, c: f64) -> Result<Value> {
        self.b.full(self.b.ty(self.x), c)
    }

    fn unary(&mut self, kind: ElementwiseKind, v: Value) -> Result<Value> {
        self.b.unary(kind, v)
    }

    /// The slope of the absolute value: 1 at zero too, as in JAX.
    fn sign(&mut self) -> Result<Value> {
        let (zero, one, minus) = (self.full(0.0)?, self.full(1.0)?, self.full(-1.0)?);
        let positive = self.b.compare(Comparison::Ge, self.x, zero)?;
        self.b.select(positive, one, minus)
    }

    fn square(&mut self, v: Value) -> Result<Value> {
        self.b.mul(v, v)
    }

    /// The share of operand `v` in a maximum or minimum: one, or one half where both operands are equal.
    fn share(&mut self, v: Value, other: Value) -> Result<Value> {
        let (zero, one, two) = (self.full(0.0)?, self.full(1.0)?, self.full(2.0)?);
        let chosen = self.b.compare(Comparison::Eq, v, self.out)?;
        let chosen = self.b.select(chosen, one, zero)?;
        let tied = self.b.compare(Comparison::Eq, other, self.out)?;
        let among = self.b.select(tied, two, one)?;
        self.b.div(chosen, among)
    }
}

/// `d|z| = (Re z Re dz + Im z Im dz) / |z|`, and 0 at 0, as in JAX.
fn size_of_complex(cx: &mut JvpCx<'_>, out: Value) -> Result<Jvp> {
    let Tangent::Value(dz) = cx.tangents[0] else { return Ok(Jvp::Zero) };
    let z = cx.operands[0];
    let mut product = |part: Op| -> Result<Value> {
        let (z, dz) = (cx.b.one(part.clone(), &[z])?, cx.b.one(part, &[dz])?);
        cx.b.mul(dz, z)
    };
    let (real, imaginary) = (product(Real.into())?, product(Imag.into())?);
    let sum = cx.b.add(real, imaginary)?;
    let (zero, one) = (cx.b.zeros_like(out)?, cx.b.ones_like(out)?);
    let at_zero = cx.b.compare(Comparison::Eq, out, zero)?;
    let divisor = cx.b.select(at_zero, one, out)?;
    Ok(Jvp::Tangents(vec![Tangent::Value(cx.b.div(sum, divisor)?)]))
}

/// The dtypes a function is defined for.
#[derive(Clone, Copy, PartialEq)]
enum Accepts {
    Any,
    Number,
    Real,
    Signed,
    Inexact,
    Float,
    Integer,
    Bits,
}

impl Accepts {
    fn dtype(self, dtype: DType) -> bool {
        let kind = dtype.kind();
        match self {
            Accepts::Any => true,
            Accepts::Number => kind != ElementKind::Bool,
            Accepts::Real => dtype.is_integer() || dtype.is_float(),
            Accepts::Signed => kind == ElementKind::Signed || dtype.is_differentiable(),
            Accepts::Inexact => dtype.is_differentiable(),
            Accepts::Float => dtype.is_float(),
            Accepts::Integer => dtype.is_integer(),
            Accepts::Bits => dtype.is_integer() || kind == ElementKind::Bool,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Accepts::Any => "any dtype",
            Accepts::Number => "integers, floats and complex numbers",
            Accepts::Real => "integers and floats",
            Accepts::Signed => "signed integers, floats and complex numbers",
            Accepts::Inexact => "floats and complex numbers",
            Accepts::Float => "floats",
            Accepts::Integer => "integers",
            Accepts::Bits => "integers and truth values",
        }
    }
}

impl ElementwiseKind {
    /// How many operands it takes.
    pub fn arity(self) -> usize {
        self.slopes().len()
    }

    /// The function with that StableHLO name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|k| k.name() == name)
    }

    /// Whether it is defined for that element type.
    pub fn accepts_dtype(self, dtype: DType) -> bool {
        self.accepts().dtype(dtype)
    }
}

/// The type of the operands, which must all be equal tensors.
pub(crate) fn equal_types(operands: &[Type]) -> Result<Type> {
    let first = operands[0];
    for (i, &other) in operands.iter().enumerate().skip(1) {
        if first == other {
            continue;
        }
        let (what, help) = if first.dtype() != other.dtype() {
            ("dtypes", "convert one of them")
        } else {
            ("shapes", "broadcast one of them first")
        };
        let (a, b) = match operands.len() {
            2 => ("lhs".to_owned(), "rhs".to_owned()),
            _ => ("operand 0".to_owned(), format!("operand {i}")),
        };
        return Err(Error::program(format!("{what} differ: {a} {first}, {b} {other}")).help(help));
    }
    Ok(first)
}

impl Rules for Elementwise {
    fn name(&self) -> &'static str {
        self.kind.name()
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        arity(operands, self.kind.arity())?;
        let ty = equal_types(operands)?;
        if !self.kind.accepts().dtype(ty.dtype()) {
            let words = self.kind.accepts().words();
            return Err(Error::program(format!("is defined for {words}, not for {ty}")));
        }
        let result = if self.kind == ElementwiseKind::Abs { ty.dtype().real() } else { ty.dtype() };
        Ok(TypeVec::from_slice(&[ty.with_dtype(result)]))
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let slopes = self.kind.slopes();
        let ty = cx.ty(0);
        if slopes.iter().all(|s| matches!(s, Slope::Zero)) {
            return Ok(Jvp::Zero);
        }
        let out = cx.result()?;
        if self.kind == ElementwiseKind::Abs && ty.dtype().is_complex() {
            return size_of_complex(cx, out);
        }
        let (x, y) = (cx.operands[0], cx.operands[cx.operands.len() - 1]);
        let mut point = Point { b: cx.b, x, y, out };
        let mut total = None;
        for (slope, tangent) in slopes.iter().zip(cx.tangents) {
            let Tangent::Value(dx) = *tangent else { continue };
            let negated = matches!(slope, Slope::MinusOne);
            let term = match slope {
                Slope::Zero => continue,
                Slope::Refuse(reason) => return Ok(Jvp::Refuse(reason)),
                Slope::One => dx,
                Slope::Itself => point.b.unary(self.kind, dx)?,
                Slope::MinusOne if total.is_some() => dx,
                Slope::MinusOne => point.b.neg(dx)?,
                Slope::Times(factor) => {
                    let factor = factor(&mut point)?;
                    point.b.mul(dx, factor)?
                }
                Slope::Over(divisor) => {
                    let divisor = divisor(&mut point)?;
                    point.b.div(dx, divisor)?
                }
            };
            total = Some(match total {
                None => term,
                Some(before) if negated => point.b.sub(before, term)?,
                Some(before) => point.b.add(before, term)?,
            });
        }
        Ok(Jvp::Tangents(vec![total.map_or(Tangent::Zero(ty), Tangent::Value)]))
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        let ct = cx.cotangent()?;
        let linear = |i: usize| cx.operands[i].is_linear();
        let cotangents = match self.kind {
            ElementwiseKind::Add => (0..2).map(|i| linear(i).then_some(ct)).collect(),
            ElementwiseKind::Subtract => {
                let second = if linear(1) { Some(cx.b.neg(ct)?) } else { None };
                vec![cx.is_linear(0).then_some(ct), second]
            }
            ElementwiseKind::Negate | ElementwiseKind::Conj => vec![Some(cx.b.unary(self.kind, ct)?)],
            ElementwiseKind::Multiply if linear(0) => {
                let factor = cx.known(1)?;
                vec![Some(cx.b.mul(ct, factor)?), None]
            }
            ElementwiseKind::Multiply => {
                let factor = cx.known(0)?;
                vec![None, Some(cx.b.mul(ct, factor)?)]
            }
            ElementwiseKind::Divide => {
                let divisor = cx.known(1)?;
                vec![Some(cx.b.div(ct, divisor)?), None]
            }
            _ => return Ok(Transpose::Refuse("the function is not linear")),
        };
        Ok(Transpose::Cotangents(cotangents))
    }

    fn batch(&self, _: &mut BatchCx<'_>) -> Result<Batch> {
        Ok(Batch::Elementwise)
    }

    fn checked(&self, cx: &mut CheckCx<'_>) -> Result<Checked> {
        if matches!(self.kind, ElementwiseKind::Divide | ElementwiseKind::Remainder) {
            cx.divisor(cx.operands[1])?;
        }
        Ok(Checked::Numbers)
    }

    rows!(Elementwise);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        Cost::new(results[0].elements()? as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs { summary: self.kind.summary(), source: "StableHLO specification, Ops; CHLO" }
    }

    no_programs!();
    pure!(Recompute);
    keeps_precision!();

    fn examples() -> Vec<Example> {
        let example = |&kind: &ElementwiseKind| {
            let (low, high) = kind.example_range();
            let float = kind.accepts().dtype(DType::F32);
            let operand = |seed: usize| {
                use ElementwiseKind::{BesselI, BesselI0eSlope, ErfcxSlope, Polygamma};
                if float && matches!(kind, Polygamma | BesselI | BesselI0eSlope | ErfcxSlope) && seed == 0 {
                    let orders = [1.0f32, 2.0, 3.0, 1.0];
                    jarrah_base::Literal::from_slice(&[2, 2], &orders).expect("invariant: four elements")
                } else if float {
                    // Two operands take their values from opposite ends, so that no pair ties.
                    let all = varied(&[8], low, high);
                    let values = all.to_f64_vec();
                    let values: Vec<f32> = (0..4).map(|i| values[(i + 4 * seed) % 8] as f32).collect();
                    jarrah_base::Literal::from_slice(&[2, 2], &values).expect("invariant: four elements")
                } else {
                    let shift = seed as i32;
                    ints(&[4], &[1 + shift, 6 - shift, 3, 2].map(|v| v.clamp(low as i32, high as i32)))
                }
            };
            Example::new(kind.name(), Elementwise { kind }, (0..kind.arity()).map(operand).collect())
        };
        let complex = |&kind: &ElementwiseKind| {
            let (low, high) = kind.example_range();
            let operand = |seed: usize| {
                let (re, im) = (varied(&[8], low, high).to_f64_vec(), varied(&[8], 0.2, 0.9).to_f64_vec());
                let values: Vec<c64> = (0..4)
                    .map(|i| c64::new(re[(i + 4 * seed) % 8] as f32, im[i + 2 * seed] as f32))
                    .collect();
                jarrah_base::Literal::from_slice(&[4], &values).expect("invariant: four elements")
            };
            Example::new("complex", Elementwise { kind }, (0..kind.arity()).map(operand).collect())
        };
        // Where the derivative is that of a function of one complex number, which is what the laws test.
        let smooth = |kind: &&ElementwiseKind| {
            use ElementwiseKind::*;
            kind.accepts_dtype(DType::C64) && !matches!(kind, Sign | Maximum | Minimum)
        };
        let all = ElementwiseKind::ALL;
        all.iter().map(example).chain(all.iter().filter(smooth).map(complex)).collect()
    }
}
