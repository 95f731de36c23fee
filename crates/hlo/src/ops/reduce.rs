use std::sync::Arc;

use jarrah_base::{DType, Dims, Error, Literal, Result, Type, c128};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::gather::shifted;
use super::{Axes, BroadcastInDim, Comparison, ElementwiseKind, Pad, Reshape, Slice, TransposeAxes, check};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// Combines all elements along some axes, which the result lacks.
///
/// A named reducer takes one operand and starts from its identity. A general one takes `n` operands, then `n` scalar
/// initial values, and has `n` results.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Reduce {
    /// How two values are combined.
    pub reducer: Reducer,
    /// The axes, increasing.
    pub axes: Axes,
}

/// How two values are combined.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
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
    General(#[serde(with = "crate::serial::apart")] ProgramRef),
}

/// Checks that a program takes and returns these types.
pub(crate) fn check_body(body: &Program, takes: &[Type], returns: &[Type]) -> Result<()> {
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

/// Checks operands, initial values and the program of a general reduction; returns the operands without the values.
pub(super) fn check_general<'a>(operands: &'a [Type], body: &Program) -> Result<&'a [Type]> {
    let (inputs, initial) = operands.split_at(operands.len() / 2);
    let (true, Some(&first)) = (inputs.len() == initial.len(), inputs.first()) else {
        let found = operands.len();
        let text = format!("takes as many initial values as operands, {found} were given together");
        return Err(Error::program(text));
    };
    for (i, (&input, &start)) in inputs.iter().zip(initial).enumerate() {
        check::tensors(&[input, start], &["operand", "initial value"])?;
        if !input.same_dims(first) {
            return Err(Error::program(format!(
                "shapes differ: operand 0 is {first}, operand {i} is {input}"
            )));
        }
        if start != Type::scalar(input.dtype()) {
            let wanted = Type::scalar(input.dtype());
            let text = format!("initial value {i} is {start}, operand {i} {input} needs {wanted}");
            return Err(Error::program(text));
        }
    }
    let takes: TypeVec = initial.iter().chain(initial).copied().collect();
    check_body(body, &takes, initial)?;
    Ok(inputs)
}

impl Reducer {
    /// The reducers that combine two values by an elementwise function.
    pub const COMBINING: [Reducer; 7] =
        [Reducer::Add, Reducer::Mul, Reducer::Max, Reducer::Min, Reducer::And, Reducer::Or, Reducer::Xor];

    /// The scalar from which a reduction starts, and which changes nothing when it is combined.
    ///
    /// # Errors
    /// The reducer is a program, or finds positions.
    pub fn identity(&self, dtype: DType) -> Result<Literal> {
        let scalar = Type::scalar(dtype);
        let (lowest, highest) = dtype.integer_range().unwrap_or_default();
        let real = dtype.float_range();
        // Complex numbers are ordered by their real parts, then by their imaginary parts.
        let extreme = |x: f64| Literal::full_c128(scalar, c128::new(x, x));
        let integer = |value: i128| Literal::from_i128s(scalar, &[value]);
        let ones = || if dtype == DType::Bool { integer(1) } else { integer(-1) };
        match (self, real) {
            // Where there is no zero its bits are those of the smallest number.
            (Reducer::Add | Reducer::Or | Reducer::Xor, _) => Literal::zeros(scalar),
            (Reducer::Mul, _) => Literal::full(scalar, 1.0),
            (Reducer::And, _) => ones(),
            (Reducer::Max, Some((lowest, _))) => Literal::full(scalar, lowest),
            (Reducer::Min, Some((_, highest))) => Literal::full(scalar, highest),
            (Reducer::Max, None) if dtype.is_complex() => extreme(f64::NEG_INFINITY),
            (Reducer::Min, None) if dtype.is_complex() => extreme(f64::INFINITY),
            (Reducer::Max, None) => integer(lowest),
            (Reducer::Min, None) => integer(highest),
            (Reducer::ArgMax(_) | Reducer::ArgMin(_) | Reducer::General(_), _) => {
                Err(Error::internal(format!("{} has no identity", self.word())))
            }
        }
    }

    /// The elementwise function that combines two values; `None` for programs and positions.
    pub fn elementwise(&self) -> Option<ElementwiseKind> {
        match self {
            Reducer::Add => Some(ElementwiseKind::Add),
            Reducer::Mul => Some(ElementwiseKind::Multiply),
            Reducer::Max => Some(ElementwiseKind::Maximum),
            Reducer::Min => Some(ElementwiseKind::Minimum),
            Reducer::And => Some(ElementwiseKind::And),
            Reducer::Or => Some(ElementwiseKind::Or),
            Reducer::Xor => Some(ElementwiseKind::Xor),
            Reducer::ArgMax(_) | Reducer::ArgMin(_) | Reducer::General(_) => None,
        }
    }

    /// Checks that elements of `operand` can be combined.
    pub(crate) fn check(&self, operand: Type) -> Result<()> {
        let dtype = operand.dtype();
        let (good, needs) = match self {
            Reducer::Add | Reducer::Mul => (dtype != DType::Bool, "numbers are needed; convert first"),
            Reducer::And | Reducer::Or | Reducer::Xor => {
                (!dtype.is_float() && !dtype.is_complex(), "integers or truth values are needed")
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
        b.one(BroadcastInDim { dims: operand.dims(), axes: self.kept_axes(operand.rank()) }, &[value])
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
        let mut dims: Dims = kept.iter().map(|&a| ty.dim(a)).collect();
        let mut count: usize = self.axes.iter().map(|&a| ty.dim(a)).product();
        if count == 0 {
            return Ok(Jvp::Zero);
        }
        dims.insert(0, count);
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

impl Reduce {
    /// The reduction by a program that combines neighbours, `half` pairs at a time, until one is left.
    fn tree(&self, body: &Program, operands: &[Type], sub: &dyn Transforms) -> Result<Program> {
        let mut b = Builder::new("reduce");
        let params: Vec<Value> = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let (inputs, initial) = params.split_at(operands.len() / 2);
        let ty = operands[0];
        let kept = self.kept_axes(ty.rank());
        let extents = ty.dims();
        let mut count: usize = self.axes.iter().map(|&a| extents[a]).product();
        let width: usize = kept.iter().map(|&a| extents[a]).product();
        let rows = |n: usize| [n, width];
        let result = self.result(ty);
        let order: Axes = self.axes.iter().chain(&kept).copied().collect();
        let mut values = Vec::with_capacity(inputs.len());
        for &input in inputs {
            let moved = b.transpose(input, &order)?;
            values.push(b.reshape(moved, &rows(count))?);
        }
        let all = |n: usize| vec![true; n];
        let combine = |b: &mut Builder, n: usize, left: &[Value], right: &[Value]| -> Result<Vec<Value>> {
            let size = n * width;
            let (batched, _) = sub.batch(body, size, &all(2 * left.len()), &all(left.len()))?;
            let args: Vec<Value> =
                left.iter().chain(right).map(|&v| b.reshape(v, &[size])).collect::<Result<_>>()?;
            let combined = b.inline(&batched, &args)?;
            combined.into_iter().map(|v| b.reshape(v, &rows(n))).collect()
        };
        while count > 1 && width > 0 {
            let half = count / 2;
            let every_other = |b: &mut Builder, first: usize| -> Result<Vec<Value>> {
                let slice = Slice {
                    starts: smallvec![first, 0],
                    limits: smallvec![2 * half, width],
                    strides: smallvec![2, 1],
                };
                values.iter().map(|&v| b.one(slice.clone(), &[v])).collect()
            };
            let (left, right) = (every_other(&mut b, 0)?, every_other(&mut b, 1)?);
            let mut next = combine(&mut b, half, &left, &right)?;
            if count % 2 == 1 {
                for (next, &v) in next.iter_mut().zip(&values) {
                    let last = b.slice(v, &[count - 1, 0], &[count, width])?;
                    *next = b.concatenate(&[*next, last], 0)?;
                }
            }
            values = next;
            count = half + count % 2;
        }
        let mut starts = Vec::with_capacity(initial.len());
        for &start in initial {
            starts.push(b.broadcast_in_dim(start, &rows(1), &[])?);
        }
        if count == 1 && width > 0 {
            starts = combine(&mut b, 1, &starts, &values)?;
        }
        let results: Vec<Value> =
            starts.into_iter().map(|v| b.reshape(v, &result.dims())).collect::<Result<_>>()?;
        b.finish(&results)
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
                let inputs = check_general(operands, body)?;
                Ok(inputs.iter().map(|&ty| self.result(ty)).collect())
            }
            Reducer::ArgMax(to) | Reducer::ArgMin(to) => {
                check::tensors(operands, &["operand"])?;
                let [axis] = self.axes[..] else {
                    let text = format!("positions run along one axis, axes are {}", check::list(&self.axes));
                    return Err(Error::program(text));
                };
                if first.dim(axis) == 0 {
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
            Reducer::General(body) => {
                let definition = self.tree(body, &cx.b.types(cx.operands), cx.sub)?;
                tangents_by_definition(cx, &definition)
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
        if let Reducer::General(body) = &self.reducer
            && initial.iter().any(|v| v.batched)
        {
            let types: TypeVec = (0..cx.operands.len()).map(|i| cx.ty(i)).collect();
            let definition = self.tree(body, &types, cx.sub)?;
            return batch_by_definition(cx, &definition);
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
    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let meets = cx.operands.iter().flatten().any(|growth| self.axes.contains(&growth.axis));
        Ok(if meets { Rows::Refuse("it reduces the rows") } else { Rows::Alike })
    }

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
                by(Reducer::General(addition(DType::I32)), &[1]),
                vec![n(), ints(&[], &[10])],
            ),
            Example::new(
                "by a program, in floats",
                by(Reducer::General(addition(DType::F32)), &[0, 2]),
                vec![varied(&[3, 2, 2], -1.0, 1.0), varied(&[], 0.5, 1.0)],
            ),
            Example::new(
                "by a program, two at once",
                by(Reducer::General(log_sum()), &[0]),
                vec![
                    varied(&[5, 2], -1.0, 1.0),
                    varied(&[5, 2], 0.5, 1.5),
                    varied(&[], -3.0, -2.0),
                    varied(&[], 0.0, 0.25),
                ],
            ),
            Example::new(
                "nothing by a program",
                by(Reducer::General(addition(DType::F32)), &[0]),
                vec![varied(&[0, 2], -1.0, 1.0), varied(&[], 0.5, 1.0)],
            ),
        ]
    }
}

/// The sum of two numbers, as a program.
pub(super) fn addition(dtype: DType) -> ProgramRef {
    let scalar = Type::scalar(dtype);
    let mut b = Builder::new("add");
    let (x, y) = (b.param(scalar, "accumulator"), b.param(scalar, "element"));
    let sum = b.add(x, y).expect("invariant: two numbers can be added");
    Arc::new(b.finish(&[sum]).expect("invariant: the result was made above"))
}

/// `log(exp(x) + exp(y))` and the larger of `x` and `y`, of pairs of accumulators and elements, as a program.
fn log_sum() -> ProgramRef {
    let build = || -> Result<Program> {
        let scalar = Type::scalar(DType::F32);
        let mut b = Builder::new("log_sum");
        let [x, m, y, n] = [(); 4].map(|()| b.param(scalar, ""));
        let (larger, gap) = (b.binary(ElementwiseKind::Maximum, x, y)?, b.sub(x, y)?);
        let gap = b.unary(ElementwiseKind::Abs, gap)?;
        let gap = b.neg(gap)?;
        let rest = b.exp(gap)?;
        let rest = b.unary(ElementwiseKind::LogPlusOne, rest)?;
        let sum = b.add(larger, rest)?;
        let larger = b.binary(ElementwiseKind::Maximum, m, n)?;
        b.finish(&[sum, larger])
    };
    Arc::new(build().expect("invariant: the operands are floats"))
}
