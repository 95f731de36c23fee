use std::sync::Arc;

use jarrah_base::{DType, Dim, Error, Result, Type};
use smallvec::{SmallVec, smallvec};

use super::gather::shifted;
use super::{Axes, BroadcastInDim, Comparison, Pad, Reshape, TransposeAxes, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// Combines all elements along some axes, which the result lacks.
///
/// A named reducer takes one operand and starts from its identity. A general one takes `n` operands, then `n` scalar
/// initial values, and has `n` results.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduce {
    /// How two values are combined.
    pub reducer: Reducer,
    /// The axes, increasing.
    pub axes: Axes,
}

/// How two values are combined.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reducer {
    /// The sum, from 0, along the fixed tree that `NUMERICS.md` describes.
    Add,
    /// The product, from 1, along the same tree.
    Mul,
    /// The largest, from the lowest value; NaN wins.
    Max,
    /// The smallest, from the highest value; NaN wins.
    Min,
    /// The conjunction, bit by bit for integers.
    And,
    /// The disjunction, bit by bit for integers.
    Or,
    /// The exclusive or, bit by bit for integers.
    Xor,
    /// The position of the first largest element along one axis, as an integer of this type; NaN is largest.
    ArgMax(DType),
    /// The position of the first smallest element along one axis, as an integer of this type; NaN is smallest.
    ArgMin(DType),
    /// A program over `n` accumulators, then `n` elements, that returns `n` accumulators.
    General(ProgramRef),
}

/// Checks that a program takes and returns these types.
pub(super) fn check_body(body: &Program, takes: &[Type], returns: &[Type]) -> Result<()> {
    if body.param_types() == takes && body.result_types() == returns {
        return Ok(());
    }
    Err(Error::program(format!(
        "the combining program {} maps {:?} to {:?}, it must map {takes:?} to {returns:?}",
        body.name(),
        body.param_types(),
        body.result_types()
    )))
}

impl Reducer {
    /// Checks that elements of `operand` can be combined.
    pub(super) fn check(&self, operand: Type) -> Result<()> {
        let dtype = operand.dtype();
        let (good, needs) = match self {
            Reducer::Add | Reducer::Mul => (dtype != DType::Bool, "numbers are needed; convert first"),
            Reducer::And | Reducer::Or | Reducer::Xor => {
                (!dtype.is_float(), "integers or truth values are needed")
            }
            Reducer::Max | Reducer::Min | Reducer::General(_) => (true, ""),
            Reducer::ArgMax(to) | Reducer::ArgMin(to) => (to.is_integer(), "positions are integers"),
        };
        if good {
            return Ok(());
        }
        Err(Error::program(format!("cannot combine elements of {operand} by {}: {needs}", self.word())))
    }

    /// The name, for messages.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Reducer::Add => "add",
            Reducer::Mul => "multiply",
            Reducer::Max => "maximum",
            Reducer::Min => "minimum",
            Reducer::And => "and",
            Reducer::Or => "or",
            Reducer::Xor => "xor",
            Reducer::ArgMax(_) => "argmax",
            Reducer::ArgMin(_) => "argmin",
            Reducer::General(_) => "a program",
        }
    }
}

impl Reduce {
    fn kept_axes(&self, rank: usize) -> Axes {
        (0..rank).filter(|a| !self.axes.contains(a)).collect()
    }

    fn result(&self, operand: Type) -> Type {
        operand.with_dims(self.kept_axes(operand.rank()).iter().map(|&a| operand.dim(a)))
    }

    /// A result repeated along the reduced axes.
    fn spread(&self, b: &mut Builder, value: Value, operand: Type) -> Result<Value> {
        b.one(BroadcastInDim { dims: operand.dims().into(), axes: self.kept_axes(operand.rank()) }, &[value])
    }

    /// `jvp` of the largest or smallest: shared equally among the elements that attain it.
    fn extremum_jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let Tangent::Value(tangent) = cx.tangents[0] else {
            return Ok(Jvp::Zero);
        };
        let result = cx.result()?;
        let (operand, ty) = (cx.operands[0], cx.ty(0));
        let b = &mut *cx.b;
        let spread = self.spread(b, result, ty)?;
        let attains = b.compare(Comparison::Eq, operand, spread)?;
        let zeros = b.zeros(ty)?;
        let tangent = b.select(attains, tangent, zeros)?;
        let ones = b.convert(attains, ty.dtype())?;
        let sum = b.reduce(Reducer::Add, tangent, &self.axes)?;
        let count = b.reduce(Reducer::Add, ones, &self.axes)?;
        Ok(Jvp::Tangents(vec![Tangent::Value(b.div(sum, count)?)]))
    }

    /// `jvp` of the product: halves are multiplied, `(p, t) = (pa pb, ta pb + pa tb)`, until one is left, so that
    /// nothing is divided and zeros do no harm.
    fn product_jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        let Tangent::Value(tangent) = cx.tangents[0] else {
            return Ok(Jvp::Zero);
        };
        let (operand, ty) = (cx.operands[0], cx.ty(0));
        let kept = self.kept_axes(ty.rank());
        let mut dims: SmallVec<[Dim; 6]> = kept.iter().map(|&a| ty.dim(a)).collect();
        let mut count = 1;
        for &axis in &self.axes {
            count *= ty.dim(axis).known()?;
        }
        if count == 0 {
            return Ok(Jvp::Zero);
        }
        dims.insert(0, Dim::new(count));
        let permutation: Axes = self.axes.iter().chain(&kept).copied().collect();
        let b = &mut *cx.b;
        let in_front = |b: &mut Builder, v: Value| {
            let v = b.one(TransposeAxes { permutation: permutation.clone() }, &[v])?;
            b.one(Reshape { dims: dims.clone() }, &[v])
        };
        let (mut p, mut t) = (in_front(b, operand)?, in_front(b, tangent)?);
        let (one, zero) = (b.full(Type::scalar(ty.dtype()), 1.0)?, b.zeros(Type::scalar(ty.dtype()))?);
        while count > 1 {
            let half = count.div_ceil(2);
            let cut = |b: &mut Builder, v: Value, low: usize, high: usize, fill: Value| {
                let mut pad = Pad {
                    low: smallvec![0; dims.len()],
                    high: smallvec![0; dims.len()],
                    interior: smallvec![0; dims.len()],
                };
                pad.low[0] = -(low as i64);
                pad.high[0] = high as i64 - count as i64;
                b.one(pad, &[v, fill])
            };
            let (pa, pb) = (cut(b, p, 0, half, one)?, cut(b, p, half, 2 * half, one)?);
            let (ta, tb) = (cut(b, t, 0, half, zero)?, cut(b, t, half, 2 * half, zero)?);
            let (left, right) = (b.mul(ta, pb)?, b.mul(pa, tb)?);
            t = b.add(left, right)?;
            p = b.mul(pa, pb)?;
            count = half;
        }
        dims.remove(0);
        Ok(Jvp::Tangents(vec![Tangent::Value(b.one(Reshape { dims }, &[t])?)]))
    }
}

impl Rules for Reduce {
    fn name(&self) -> &'static str {
        "reduce"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let Some(&first) = operands.first() else {
            return Err(Error::program("takes at least one operand, none was given"));
        };
        check::increasing("axes", &self.axes)?;
        check::axes("axes", &self.axes, first.rank(), &format!("operand {first}"))?;
        self.reducer.check(first)?;
        match &self.reducer {
            Reducer::General(body) => {
                let (inputs, initial) = operands.split_at(operands.len() / 2);
                if inputs.len() != initial.len() {
                    let found = operands.len();
                    let text =
                        format!("takes as many initial values as operands, {found} were given together");
                    return Err(Error::program(text));
                }
                for (i, (&input, &start)) in inputs.iter().zip(initial).enumerate() {
                    check::tensors(&[input, start], &["operand", "initial value"])?;
                    if input.dims() != first.dims() {
                        return Err(Error::program(format!(
                            "shapes differ: operand 0 is {first}, operand {i} is {input}"
                        )));
                    }
                    if start != Type::scalar(input.dtype()) {
                        let wanted = Type::scalar(input.dtype());
                        let text =
                            format!("initial value {i} is {start}, operand {i} {input} needs {wanted}");
                        return Err(Error::program(text));
                    }
                }
                let takes: TypeVec = initial.iter().chain(initial).copied().collect();
                check_body(body, &takes, initial)?;
                Ok(inputs.iter().map(|&ty| self.result(ty)).collect())
            }
            Reducer::ArgMax(to) | Reducer::ArgMin(to) => {
                check::tensors(operands, &["operand"])?;
                let [axis] = self.axes[..] else {
                    let text = format!("positions run along one axis, axes are {}", check::list(&self.axes));
                    return Err(Error::program(text));
                };
                if first.dim(axis).same(Dim::new(0)) == Some(true) {
                    return Err(Error::program(format!("operand {first} has no element along axis {axis}")));
                }
                Ok(smallvec![self.result(first).with_dtype(*to)])
            }
            _ => {
                check::tensors(operands, &["operand"])?;
                Ok(smallvec![self.result(first)])
            }
        }
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        match &self.reducer {
            Reducer::Add => Ok(Jvp::Linear(1)),
            Reducer::Mul => self.product_jvp(cx),
            Reducer::Max | Reducer::Min => self.extremum_jvp(cx),
            Reducer::And | Reducer::Or | Reducer::Xor | Reducer::ArgMax(_) | Reducer::ArgMin(_) => {
                Ok(Jvp::Zero)
            }
            Reducer::General(_) => {
                Ok(Jvp::Refuse("a reduction by a program has no derivative; use a named one"))
            }
        }
    }

    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        if self.reducer != Reducer::Add {
            return Ok(Transpose::Refuse("a reduction that does not add is not linear"));
        }
        let (ct, operand) = (cx.cotangent()?, cx.ty(0));
        Ok(Transpose::Cotangents(vec![Some(self.spread(cx.b, ct, operand)?)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let inputs = match self.reducer {
            Reducer::General(_) => cx.operands.len() / 2,
            _ => 1,
        };
        let initial = &cx.operands[inputs..];
        if initial.iter().any(|v| v.batched) {
            return Ok(Batch::Refuse("the initial value of a reduction differs between batch elements"));
        }
        let mut operands = Vec::with_capacity(cx.operands.len());
        for i in 0..inputs {
            operands.push(cx.batched(i)?);
        }
        operands.extend(initial.iter().map(|v| v.value));
        let reduce = Reduce { reducer: self.reducer.clone(), axes: shifted(&self.axes) };
        let results = cx.b.push(reduce, &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    pure!(Save);

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let mut flops = 0;
        for ty in operands {
            flops += ty.elements()?;
        }
        Cost::new(flops as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "All elements along some axes combined: `out[i] = x[i, 0] + x[i, 1] + ...`, or another operation.",
            source: "StableHLO specification, reduce",
        }
    }

    fn programs(&self) -> SmallVec<[&ProgramRef; 2]> {
        match &self.reducer {
            Reducer::General(body) => smallvec![body],
            _ => SmallVec::new(),
        }
    }

    fn with_programs(&self, programs: &[ProgramRef]) -> Self {
        match (&self.reducer, programs) {
            (Reducer::General(_), [body]) => {
                Reduce { reducer: Reducer::General(body.clone()), axes: self.axes.clone() }
            }
            _ => self.clone(),
        }
    }

    fn examples() -> Vec<Example> {
        let x = || varied(&[3, 4], 0.5, 1.5);
        let n = || ints(&[2, 3], &[6, 3, 5, 1, 12, 4]);
        let by = |reducer: Reducer, axes: &[usize]| Reduce { reducer, axes: axes.into() };
        vec![
            Example::new("sum of rows", by(Reducer::Add, &[1]), vec![x()]),
            Example::new("sum of everything", by(Reducer::Add, &[0, 1]), vec![x()]),
            Example::new(
                "sum along outer axes",
                by(Reducer::Add, &[0, 2]),
                vec![varied(&[2, 3, 2], -1.0, 1.0)],
            ),
            Example::new("sum of nothing", by(Reducer::Add, &[0]), vec![varied(&[0, 2], 0.0, 1.0)]),
            Example::new("sum along no axis", by(Reducer::Add, &[]), vec![x()]),
            Example::new("sum of integers", by(Reducer::Add, &[0]), vec![n()]),
            Example::new("product", by(Reducer::Mul, &[0]), vec![x()]),
            Example::new("product of everything", by(Reducer::Mul, &[0, 1]), vec![varied(&[3, 3], 0.5, 1.5)]),
            Example::new("largest", by(Reducer::Max, &[1]), vec![x()]),
            Example::new("smallest", by(Reducer::Min, &[0, 1]), vec![x()]),
            Example::new("largest integer", by(Reducer::Max, &[1]), vec![n()]),
            Example::new("conjunction", by(Reducer::And, &[1]), vec![n()]),
            Example::new("disjunction", by(Reducer::Or, &[0]), vec![n()]),
            Example::new("exclusive or", by(Reducer::Xor, &[0, 1]), vec![n()]),
            Example::new("position of the largest", by(Reducer::ArgMax(DType::I32), &[1]), vec![x()]),
            Example::new("position of the smallest", by(Reducer::ArgMin(DType::I64), &[0]), vec![x()]),
            Example::new(
                "by a program",
                by(Reducer::General(add_integers()), &[1]),
                vec![n(), ints(&[], &[10])],
            ),
        ]
    }
}

/// The sum of two integers, as a program.
fn add_integers() -> ProgramRef {
    let scalar = Type::scalar(DType::I32);
    let mut b = Builder::new("add");
    let (x, y) = (b.param(scalar, "accumulator"), b.param(scalar, "element"));
    let sum = b.add(x, y).expect("invariant: two integers can be added");
    Arc::new(b.finish(&[sum]).expect("invariant: the result was made above"))
}
