use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};

use super::reduce::{addition, check_general};
use super::window::dilated;
use super::{
    Axes, ElementwiseKind, Gather, Pad, Reduce, Reducer, Reverse, Slice, Window, WindowArg, WindowSelect,
    check,
};
use crate::builder::Builder;
use crate::example::{Example, ints, varied};
use crate::program::{Program, Value};
use crate::rules::*;

/// The elements of each window combined, in row-major order within the window.
///
/// Sums and products of floats are in `f64`, in which those of `f64` carry what their steps round away, and are rounded once.
/// Other steps are in the element type, but for those of a general reducer that rounds floats narrower than `f64`
/// ([`crate::widened`]).
///
/// A named reducer takes one operand, starts from its identity and passes over padding. A general one takes `n` operands,
/// then `n` scalar initial values, which the padding consists of too, and has `n` results.
///
/// Windows along one axis that all end at its last element ([`Window::cumulative`]) a named reducer combines from there,
/// the last element first: each takes one element more than the next.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ReduceWindow {
    /// How two values are combined; positions of extrema are not found this way.
    pub reducer: Reducer,
    /// Where the windows lie.
    pub window: Window,
}

impl ReduceWindow {
    fn inputs(&self, operands: usize) -> usize {
        if matches!(self.reducer, Reducer::General(_)) { operands / 2 } else { 1 }
    }

    /// The axis along which the windows are all running extrema or products, each of one element more than the last or
    /// next, and whether they begin at its end.
    fn running(&self, operand: Type) -> Result<Option<(usize, bool)>> {
        let dims = operand.dims();
        if dims.contains(&0) {
            return Ok(None);
        }
        let Some(cumulative) = self.window.cumulative(&dims)? else { return Ok(None) };
        let (axis, extent) = (cumulative.axis, dims[cumulative.axis]);
        let reach = i128::from(!cumulative.from_end);
        let whole = cumulative.reach == reach && self.window.count(axis, extent)? == extent;
        Ok(whole.then_some((axis, cumulative.from_end)))
    }

    /// The program whose derivative the op has; `None` for a sum. Running extrema and products are those of pairs, as in JAX:
    /// where elements are equal, this says how they share a tangent.
    fn differentiated(&self, operands: &[Type]) -> Result<Option<Program>> {
        let kind = match self.reducer.elementwise() {
            Some(kind) if matches!(self.reducer, Reducer::Max | Reducer::Min | Reducer::Mul) => kind,
            Some(_) | None => return Ok(None),
        };
        let Some((axis, from_end)) = self.running(operands[0])? else { return Ok(None) };
        let mut b = Builder::new("running");
        let x = b.param(operands[0], "");
        let x = if kind == ElementwiseKind::Multiply { doubles(&mut b, x)? } else { x };
        let reverse = Reverse { axes: smallvec![axis] };
        let x = if from_end { b.one(reverse.clone(), &[x])? } else { x };
        let y = running_pairs(&mut b, kind, x, axis)?;
        let y = if from_end { b.one(reverse, &[y])? } else { y };
        let y = b.convert(y, operands[0].dtype())?;
        b.finish(&[y]).map(Some)
    }

    /// `jvp` of the largest or smallest: the tangent of the first element that attains it.
    fn extremum_jvp(&self, cx: &mut JvpCx<'_>, select: WindowSelect) -> Result<Jvp> {
        let Tangent::Value(tangent) = cx.tangents[0] else {
            return Ok(Jvp::Zero);
        };
        let arg = WindowArg { select, window: self.window.clone(), to: WindowArg::index_type(cx.ty(0))? };
        let positions = cx.b.one(arg, &[cx.operands[0]])?;
        // Backwards these are the sums of the cotangents of the windows of an element.
        let dtype = cx.ty(0).dtype();
        let tangent = cx.b.convert(tangent, self.window.sums_in(dtype))?;
        let read = WindowArg::read(cx.b, tangent, positions)?;
        Ok(Jvp::Tangents(vec![Tangent::Value(cx.b.convert(read, dtype)?)]))
    }

    /// The program whose derivative is that of a product over windows: windows laid side by side, multiplied in `f64`.
    fn wide_product(&self, operand: Type) -> Result<Program> {
        let mut b = Builder::new("reduce_window");
        let x = b.param(operand, "");
        let wide = doubles(&mut b, x)?;
        let definition = self.definition(&[b.ty(wide)])?;
        let product = b.inline(&definition, &[wide])?;
        let product = b.convert(product[0], operand.dtype())?;
        b.finish(&[product])
    }

    /// The reduction with windows laid side by side, over operands of these types.
    ///
    /// The order of combination is that of the reduction.
    ///
    /// # Errors
    /// The operands do not fit the operation.
    pub fn definition(&self, operands: &[Type]) -> Result<Program> {
        let mut b = Builder::new("reduce_window");
        let params: Vec<Value> = operands.iter().map(|&ty| b.param(ty, "")).collect();
        let (inputs, initial) = params.split_at(self.inputs(params.len()));
        let rank = self.window.rank();
        let mut patches = Vec::with_capacity(inputs.len());
        for (i, &input) in inputs.iter().enumerate() {
            let padding = match initial.get(i) {
                Some(&value) => value,
                None => {
                    let identity = self.reducer.identity(b.ty(input).dtype())?;
                    b.constant(identity)?
                }
            };
            patches.push(patches_of(&mut b, &self.window, input, padding)?);
        }
        patches.extend(initial);
        let reduce = Reduce { reducer: self.reducer.clone(), axes: (rank..2 * rank).collect() };
        let results = b.push(reduce, &patches)?;
        b.finish(&results)
    }
}

/// `x` in `f64`, or with parts of that type.
fn doubles(b: &mut Builder, x: Value) -> Result<Value> {
    let dtype = b.ty(x).dtype();
    let wide = if dtype.is_complex() {
        DType::C128
    } else if dtype.is_float() {
        DType::F64
    } else {
        dtype
    };
    b.convert(x, wide)
}

/// `y[i] = x[0] . x[1] . ... . x[i]` along `axis`: every other result is that of the pairs of neighbours, and the rest is
/// one step more.
fn running_pairs(b: &mut Builder, kind: ElementwiseKind, x: Value, axis: usize) -> Result<Value> {
    let ty = b.ty(x);
    let extent = ty.dim(axis);
    if extent < 2 {
        return Ok(x);
    }
    let part = |b: &mut Builder, v: Value, start: usize, limit: usize, stride: usize| -> Result<Value> {
        let mut slice = Slice {
            starts: smallvec![0; ty.rank()],
            limits: b.ty(v).dims(),
            strides: smallvec![1; ty.rank()],
        };
        (slice.starts[axis], slice.limits[axis], slice.strides[axis]) = (start, limit, stride);
        b.one(slice, &[v])
    };
    let (left, right) = (part(b, x, 0, extent - 1, 2)?, part(b, x, 1, extent, 2)?);
    let pairs = b.binary(kind, left, right)?;
    let odd = running_pairs(b, kind, pairs, axis)?;
    let mut even = part(b, x, 0, 1, 1)?;
    let rest = (extent - 1) / 2;
    if rest > 0 {
        let (before, next) = (part(b, odd, 0, rest, 1)?, part(b, x, 2, extent, 2)?);
        let later = b.binary(kind, before, next)?;
        even = b.concatenate(&[even, later], axis)?;
    }
    // Interleaved: the two side by side behind the axis, which then takes both. The last odd one may be missing.
    let odd = if extent.is_multiple_of(2) {
        odd
    } else {
        {
            let filler = part(b, even, 0, 1, 1)?;
            b.concatenate(&[odd, filler], axis)?
        }
    };
    let mut dims = b.ty(even).dims();
    dims.insert(axis + 1, 1);
    let (even, odd) = (b.reshape(even, &dims)?, b.reshape(odd, &dims)?);
    let both = b.concatenate(&[even, odd], axis + 1)?;
    dims.remove(axis + 1);
    dims[axis] = extent + extent % 2;
    let both = b.reshape(both, &dims)?;
    part(b, both, 0, extent, 1)
}

/// `patches[o.., w..] = padded[o * stride + w * dilation]`: the windows side by side.
fn patches_of(b: &mut Builder, window: &Window, operand: Value, padding: Value) -> Result<Value> {
    let result = window.result(b.ty(operand))?;
    let rank = window.rank();
    let pad = Pad {
        low: window.low.clone(),
        high: window.high.clone(),
        interior: window.base_dilations.iter().map(|d| d - 1).collect(),
    };
    if result.elements()? == 0 {
        let dims = result.extents().chain(window.sizes.iter().copied());
        return b.zeros(result.with_dims(dims));
    }
    let mut x = if window.is_unpadded() { operand } else { b.one(pad, &[operand, padding])? };
    // From the last axis on: the axis becomes (windows, places), of which the places are put behind everything.
    for axis in (0..rank).rev() {
        let ty = b.ty(x);
        let (count, size) = (result.dim(axis), window.sizes[axis]);
        let (stride, dilation) = (window.strides[axis], window.dilations[axis]);
        let starts = (0..count).flat_map(|i| (0..size).map(move |w| (i * stride + w * dilation) as i64));
        let starts: Vec<i64> = starts.collect();
        let index = b.constant(jarrah_base::Literal::from_slice(&[count, size], &starts)?)?;
        let mut sizes = ty.dims();
        sizes[axis] = 1;
        let gather = Gather {
            offset_axes: (0..axis).chain(axis + 2..ty.rank() + 1).collect(),
            collapsed_axes: smallvec![axis],
            operand_batch_axes: Axes::new(),
            indices_batch_axes: Axes::new(),
            index_map: smallvec![axis],
            index_vector_axis: 2,
            sizes,
            sorted: false,
        };
        x = b.one(gather, &[x, index])?;
        // Axes are now: axis + 1 of before, this one's places, those behind, the places of later axes.
        x = b.move_axis(x, axis + 1, rank)?;
    }
    Ok(x)
}

impl Rules for ReduceWindow {
    fn name(&self) -> &'static str {
        "reduce_window"
    }

    fn infer(&self, operands: &[Type]) -> Result<TypeVec> {
        let Some(&first) = operands.first() else {
            return Err(Error::program("takes at least one operand, none was given"));
        };
        self.window.check(first.rank(), &format!("operand {first}"))?;
        match &self.reducer {
            Reducer::General(body) => {
                let inputs = check_general(operands, body)?;
                inputs.iter().map(|&ty| self.window.result(ty)).collect()
            }
            Reducer::ArgMax(_) | Reducer::ArgMin(_) => {
                Err(Error::program("positions of extrema are no reduction of windows")
                    .help("window_arg finds them"))
            }
            reducer => {
                check::tensors(operands, &["operand"])?;
                reducer.check(first)?;
                Ok(smallvec![self.window.result(first)?])
            }
        }
    }

    fn jvp(&self, cx: &mut JvpCx<'_>) -> Result<Jvp> {
        if let Some(definition) = self.differentiated(&cx.b.types(cx.operands))? {
            return tangents_by_definition(cx, &definition);
        }
        match &self.reducer {
            Reducer::Add => Ok(Jvp::Linear(1)),
            Reducer::Max => self.extremum_jvp(cx, WindowSelect::Ge),
            Reducer::Min => self.extremum_jvp(cx, WindowSelect::Le),
            Reducer::Mul => {
                let definition = self.wide_product(cx.ty(0))?;
                tangents_by_definition(cx, &definition)
            }
            Reducer::General(_) => {
                let types = cx.b.types(cx.operands);
                let definition = self.definition(&types)?;
                tangents_by_definition(cx, &definition)
            }
            Reducer::And | Reducer::Or | Reducer::Xor | Reducer::ArgMax(_) | Reducer::ArgMin(_) => {
                Ok(Jvp::Zero)
            }
        }
    }

    /// Each element gets the sum of the cotangents of the windows it is in: windows over the cotangents, `stride` apart,
    /// padded so that the window that ends at the element comes first.
    fn transpose(&self, cx: &mut TransposeCx<'_>) -> Result<Transpose> {
        if self.reducer != Reducer::Add {
            return Ok(Transpose::Refuse("a reduction of windows that does not add is not linear"));
        }
        let (ct, operand) = (cx.cotangent()?, cx.ty(0));
        let counts = cx.b.ty(ct).dims();
        let extents = operand.dims();
        if counts.contains(&0) || extents.contains(&0) {
            return Ok(Transpose::Cotangents(vec![Some(cx.b.zeros(operand)?)]));
        }
        let w = &self.window;
        let mut spread = w.clone();
        let narrow = |n: i128| {
            i64::try_from(n).map_err(|_| Error::program("the padding of the transposed windows is too large"))
        };
        for axis in 0..w.rank() {
            let reach = dilated(w.sizes[axis], w.dilations[axis]);
            let places = dilated(extents[axis], w.base_dilations[axis]);
            let covered = dilated(counts[axis], w.strides[axis]);
            let low = reach - 1 - i128::from(w.low[axis]);
            spread.low[axis] = narrow(low)?;
            // There are as many windows as elements: `low + covered + high - reach = places - 1`.
            spread.high[axis] = narrow(places - 1 + reach - low - covered)?;
            spread.base_dilations[axis] = w.strides[axis];
            spread.strides[axis] = w.base_dilations[axis];
        }
        let result = cx.b.one(ReduceWindow { reducer: Reducer::Add, window: spread }, &[ct])?;
        Ok(Transpose::Cotangents(vec![Some(result)]))
    }

    fn batch(&self, cx: &mut BatchCx<'_>) -> Result<Batch> {
        let inputs = self.inputs(cx.operands.len());
        if cx.operands[inputs..].iter().any(|v| v.batched) {
            let types: Vec<Type> = (0..cx.operands.len()).map(|i| cx.ty(i)).collect();
            let definition = self.definition(&types)?;
            return batch_by_definition(cx, &definition);
        }
        let mut operands = Vec::with_capacity(cx.operands.len());
        for i in 0..inputs {
            operands.push(cx.batched(i)?);
        }
        operands.extend(cx.operands[inputs..].iter().map(|v| v.value));
        let batched = ReduceWindow { reducer: self.reducer.clone(), window: self.window.batched() };
        let results = cx.b.push(batched, &operands)?;
        Ok(Batch::Results(results.into_iter().map(Batched::yes).collect()))
    }

    pure!(Save);
    keeps_precision!();

    fn checked(&self, _: &mut CheckCx<'_>) -> Result<Checked> {
        Ok(Checked::Numbers)
    }

    fn rows_apart(&self, _: &Self, cx: &RowsCx<'_>) -> Result<Rows> {
        let apart = cx.operands.iter().flatten().all(|growth| self.window.is_single(growth.axis));
        Ok(if apart { Rows::Alike } else { Rows::Refuse("its windows reach over the rows") })
    }

    fn cost(&self, operands: &[Type], results: &[Type]) -> Result<Cost> {
        let places: f64 = self.window.sizes.iter().map(|&s| s as f64).product();
        let windows = results.first().map_or(Ok(0), |ty| ty.elements())?;
        Cost::new(places * windows as f64 * results.len() as f64, operands, results)
    }

    fn docs(&self) -> Docs {
        Docs {
            summary: "The elements of each window combined: `out[i] = x[i s] + x[i s + 1] + ...`, or another operation.",
            source: "StableHLO specification, reduce_window",
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
                ReduceWindow { reducer: Reducer::General(body.clone()), window: self.window.clone() }
            }
            _ => self.clone(),
        }
    }

    fn examples() -> Vec<Example> {
        let x = || varied(&[4, 6], 0.5, 1.5);
        let by = |reducer: Reducer, window: Window| ReduceWindow { reducer, window };
        let pool = || Window::new(&[2, 3]).strided(&[1, 2]).padded(&[0, 1], &[1, 2]);
        let odd = Window {
            dilations: smallvec![2, 1],
            base_dilations: smallvec![2, 3],
            ..Window::new(&[2, 4]).strided(&[3, 2]).padded(&[2, -1], &[1, 3])
        };
        let running = Window::new(&[1, 6]).padded(&[0, 5], &[0, 0]);
        let n = || ints(&[2, 3], &[6, 3, 5, 1, 12, 4]);
        let pairs = Window::new(&[1, 2]);
        let general = |dtype| Reducer::General(addition(dtype));
        vec![
            Example::new("sum", by(Reducer::Add, pool()), vec![x()]),
            Example::new("sum with dilations", by(Reducer::Add, odd.clone()), vec![x()]),
            Example::new("running sum", by(Reducer::Add, running.clone()), vec![x()]),
            Example::new("no window", by(Reducer::Add, Window::new(&[5, 1])), vec![x()]),
            Example::new("largest", by(Reducer::Max, pool()), vec![x()]),
            Example::new("largest of windows of padding", by(Reducer::Max, odd.clone()), vec![n()]),
            Example::new("smallest", by(Reducer::Min, pool()), vec![x()]),
            Example::new("product", by(Reducer::Mul, pool()), vec![x()]),
            Example::new("running product", by(Reducer::Mul, running), vec![x()]),
            Example::new("sum of integers", by(Reducer::Add, pairs.clone()), vec![n()]),
            Example::new("conjunction", by(Reducer::And, pairs.clone()), vec![n()]),
            Example::new("disjunction", by(Reducer::Or, pairs.clone()), vec![n()]),
            Example::new("exclusive or", by(Reducer::Xor, pairs), vec![n()]),
            Example::new("by a program", by(general(DType::F32), odd), vec![x(), varied(&[], 0.25, 0.5)]),
        ]
    }
}
