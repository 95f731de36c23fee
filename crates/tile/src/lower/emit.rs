//! The instructions of a loop, from its stores back to its loads.

use std::ops::Range;

use jarrah_base::{DType, Literal, work};
use jarrah_hlo::ops::{BlockIndex, Comparison, ElementwiseKind, Kernel, Reducer};
use jarrah_hlo::{Instr, Op, Value};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::body::Body;
use super::dims::{DimId, Dims};
use super::functions::{Function, function};
use super::narrow::{is_narrow, stored, wide};
use super::nest::{Nest, NestBox, folded};
use crate::kernel::{Class, Inst, LoopKernel, Map, Reg, ScalarBits, Store};
use crate::ops::{Axis, Binary, Direction, LoopReducer, Unary};

/// The most instructions of a loop. Devices number what a loop holds (registers, constants, up to four parts of each) in sixteen
/// bits, and a longer body runs as well in several loops.
const MOST_INSTS: usize = 1 << 13;

/// Values that an instruction reads, and whether it reads them after the reduction of a column reduction.
type Reads = SmallVec<[(Value, bool); 4]>;

/// Writes the loop; values that a column reduction needs both before and after it are computed twice.
pub struct Emit<'a> {
    kernel: &'a Kernel,
    dims: &'a Dims<'a>,
    nest: &'a Nest,
    /// The part of the nest that the loop runs over.
    within: &'a NestBox,
    definitions: Vec<Option<usize>>,
    known: FxHashMap<(Value, bool), Reg>,
    /// The numbers that narrow elements stand for.
    decoded: FxHashMap<(Reg, DType), Reg>,
    body: Body,
    loops: LoopKernel,
}

impl<'a> Emit<'a> {
    pub fn new(kernel: &'a Kernel, dims: &'a Dims<'a>, nest: &'a Nest, within: &'a NestBox) -> Emit<'a> {
        let extent = |d: &DimId| within.range(*d, nest.extents[*d]).len();
        let arrays = &dims.arrays;
        let inputs = kernel.inputs.len();
        Emit {
            kernel,
            dims,
            nest,
            within,
            definitions: kernel.body.definitions(),
            known: FxHashMap::default(),
            decoded: FxHashMap::default(),
            body: Body::default(),
            loops: LoopKernel {
                outer: nest.outer.iter().map(|&d| grid_or(kernel, d, || extent(&d))).collect(),
                reduce: nest.reduce.iter().map(extent).collect(),
                cols: nest.cols.as_ref().map_or(1, extent),
                inputs: arrays[..inputs].iter().map(|a| stored(a.ty.dtype())).collect(),
                outputs: arrays[inputs..].iter().map(|a| stored(a.ty.dtype())).collect(),
                body: Vec::new(),
                stores: Vec::new(),
            },
        }
    }

    pub fn run(mut self) -> Option<LoopKernel> {
        let body = &self.kernel.body;
        let inputs = self.kernel.inputs.len();
        let after = !self.nest.reduce.is_empty();
        for (output, &result) in body.results().iter().enumerate() {
            let value = self.value(result, after)?;
            let map = self.map(inputs + output)?;
            self.loops.stores.push(Store { output, map, value });
        }
        Some(LoopKernel { body: self.body.insts, ..self.loops })
    }

    /// Where the elements of an array lie; `None` if it has a dimension that is not of the nest.
    fn map(&self, array: usize) -> Option<Map> {
        let array = &self.dims.arrays[array];
        let rank = self.nest.outer.len() + self.nest.reduce.len();
        let mut map = Map { offset: 0, rows: vec![0; rank], col: 0 };
        for (axis, &index) in array.spec.axes.iter().enumerate() {
            let stride = array.strides[axis];
            if let Some(dim) = array.within[axis] {
                self.step(&mut map, dim, stride)?;
            }
            let (grid, step) = match index {
                BlockIndex::Point { grid } => (grid, stride),
                BlockIndex::Block { size, grid } if self.nest.merged[grid].is_none() => {
                    (grid, stride * size as i64)
                }
                _ => continue,
            };
            if self.kernel.grid[grid] != 1 {
                let d = self.nest.outer.iter().position(|&o| o == grid)?;
                map.rows[d] += step;
            }
        }
        Some(map)
    }

    /// Lets a map go along a dimension by `stride` at each position.
    fn step(&self, map: &mut Map, dim: DimId, stride: i64) -> Option<()> {
        let (axis, first) = self.along(dim)?;
        map.offset += first * stride;
        match axis {
            Axis::Row(d) => map.rows[d] += stride,
            Axis::Cols => map.col += stride,
        }
        Some(())
    }

    /// The axis of the loop along which a dimension runs, and the position along the dimension at which that begins.
    fn along(&self, dim: DimId) -> Option<(Axis, i64)> {
        let (dim, first) = self.dims.origin(dim);
        let begins = self.within.range(dim, self.nest.extents[dim]).start;
        Some((self.axis(dim)?, begins as i64 - first as i64))
    }

    /// Whether the loop runs over these positions of a dimension, or over none of them.
    fn is_within(&self, dim: Option<DimId>, positions: Range<usize>) -> bool {
        let Some(dim) = dim else { return true };
        let (dim, first) = self.dims.origin(dim);
        let range = self.within.range(dim, self.nest.extents[dim]);
        first + positions.start <= range.start && range.end <= first + positions.end
    }

    fn axis(&self, dim: DimId) -> Option<Axis> {
        if self.nest.cols == Some(dim) {
            return Some(Axis::Cols);
        }
        if let Some(d) = self.nest.outer.iter().position(|&o| o == dim) {
            return Some(Axis::Row(d));
        }
        let d = self.nest.reduce.iter().position(|&r| r == dim)?;
        Some(Axis::Row(self.nest.outer.len() + d))
    }

    fn push(&mut self, inst: Inst) -> Reg {
        self.body.push(inst)
    }

    /// The number of an operand, in the type that its ops are computed in.
    fn number(&mut self, value: Value, after: bool) -> Option<Reg> {
        let (code, dtype) = (self.register(value, after)?, self.kernel.body.ty(value).dtype());
        Some(self.decoded(dtype, code))
    }

    fn decoded(&mut self, dtype: DType, code: Reg) -> Reg {
        if !is_narrow(dtype) {
            return code;
        }
        if let Some(&number) = self.decoded.get(&(code, dtype)) {
            return number;
        }
        let number = self.body.decode(dtype, code);
        self.decoded.insert((code, dtype), number);
        number
    }

    /// `number`, of the wide type of `dtype`, rounded to an element of `dtype`.
    fn rounded(&mut self, dtype: DType, number: Reg) -> Reg {
        if !is_narrow(dtype) {
            return number;
        }
        self.body.encode(wide(dtype), dtype, number)
    }

    /// The register of a value, in the loop or after the reduction of a column reduction. That of a narrow type holds
    /// codes.
    ///
    /// Writes what the value is computed of first, depth first and from the first operand on; bodies may be longer than any
    /// stack is deep, so the values that wait for their operands are listed in `open`.
    fn value(&mut self, value: Value, after: bool) -> Option<Reg> {
        let mut open = vec![(value, after)];
        while let Some(&(value, after)) = open.last() {
            if self.known.contains_key(&(value, after)) {
                open.pop();
                continue;
            }
            work::step(1);
            if self.body.insts.len() > MOST_INSTS {
                return None;
            }
            let reg = match self.definitions[value.index()] {
                Some(index) => {
                    let instr = &self.kernel.body.instrs()[index];
                    let (reads, waiting) = (self.reads(instr, value, after)?, open.len());
                    open.extend(reads.into_iter().rev().filter(|read| !self.known.contains_key(read)));
                    if open.len() > waiting {
                        continue;
                    }
                    self.inst(instr, value, after)?
                }
                None => {
                    let inst = self.parameter(value.index(), after)?;
                    self.push(inst)
                }
            };
            self.known.insert((value, after), reg);
            open.pop();
        }
        self.register(value, after)
    }

    /// The register of a value that is written.
    fn register(&self, value: Value, after: bool) -> Option<Reg> {
        self.known.get(&(value, after)).copied()
    }

    /// The operands that the loop reads to compute a value: of values that are put beside others the one that this part of the
    /// nest runs over. `None` where the loop cannot compute the value.
    fn reads(&self, instr: &Instr, value: Value, after: bool) -> Option<Reads> {
        Some(match &instr.op {
            Op::Constant(_) | Op::Iota(_) | Op::Slice(_) | Op::Reverse(_) => Reads::new(),
            Op::Pad(op) => {
                let whole = &self.dims.values[value.index()];
                let extents = self.kernel.body.ty(instr.operands[0]).dims();
                let mut axes = whole.iter().zip(op.low.iter().zip(&extents));
                let inside =
                    axes.all(|(&dim, (&low, &n))| self.is_within(dim, low as usize..low as usize + n));
                smallvec![(instr.operands[usize::from(!inside)], after)]
            }
            Op::Concatenate(op) => {
                let dim = self.dims.values[value.index()][op.axis];
                let mut end = 0;
                let here = instr.operands.iter().position(|&v| {
                    let start = end;
                    end += self.kernel.body.ty(v).dim(op.axis);
                    self.is_within(dim, start..end)
                });
                smallvec![(instr.operands[here?], after)]
            }
            Op::Reduce(op) => {
                let empty = folded(self.dims, instr)?.is_empty();
                // In a column reduction only what comes before it is computed inside the loop.
                let column = !self.nest.reduce.is_empty();
                if !empty && column && !after {
                    return None;
                }
                match op.reducer {
                    // The position in one element is zero.
                    Reducer::ArgMax(_) | Reducer::ArgMin(_) if empty => Reads::new(),
                    _ => smallvec![(instr.operands[0], after && empty)],
                }
            }
            _ => instr.operands.iter().map(|&operand| (operand, after)).collect(),
        })
    }

    /// A position along a grid axis, or the load of an input.
    fn parameter(&self, index: usize, after: bool) -> Option<Inst> {
        let Some(input) = index.checked_sub(self.kernel.grid.len()) else {
            if self.kernel.grid[index] == 1 {
                return Some(Inst::Const(ScalarBits::of(0i32)));
            }
            let d = self.nest.outer.iter().position(|&o| o == index)?;
            return Some(self.index(Axis::Row(d), DType::I32, after));
        };
        Some(load(input, self.map(input)?, after))
    }

    /// The instructions of a value whose operands are written.
    fn inst(&mut self, instr: &Instr, value: Value, after: bool) -> Option<Reg> {
        let ty = |v: Value| self.kernel.body.ty(v);
        let dtype = ty(value).dtype();
        let operand = |e: &Self, i: usize| e.register(instr.operands[i], after);
        let number = |e: &mut Self, i: usize| e.number(instr.operands[i], after);
        let inst = match &instr.op {
            Op::Constant(op) => Inst::Const(scalar(&op.value)?),
            Op::Iota(op) => {
                let (axis, first) = match self.dims.values[value.index()][op.axis] {
                    None => return Some(self.push(Inst::Const(held(ScalarBits::from_f64(dtype, 0.0))))),
                    Some(dim) => self.along(dim)?,
                };
                // Narrow types have no index of their own.
                let short = i32::try_from(op.ty.dim(op.axis)).is_ok();
                let from = match first {
                    0 if !is_narrow(dtype) => {
                        return Some({
                            let index = self.index(axis, dtype, after);
                            self.push(index)
                        });
                    }
                    0 if short => DType::I32,
                    _ => DType::I64,
                };
                let index = self.index(axis, from, after);
                let mut index = self.push(index);
                if first != 0 {
                    let first = self.body.of(first);
                    index = self.body.binary(Binary::Add, index, first);
                }
                return Some(self.body.encode(from, dtype, index));
            }
            Op::Elementwise(op) => return self.elementwise(op.kind, instr, after),
            Op::ReducePrecision(op) => {
                let x = operand(self, 0)?;
                return self.body.reduce_precision(dtype, op, x);
            }
            Op::Compare(op) => {
                let total = op.total_order && ty(instr.operands[0]).dtype().is_float();
                let (x, y) = (number(self, 0)?, number(self, 1)?);
                Inst::Compare { direction: direction(op.comparison), total, x, y }
            }
            Op::Select(_) => Inst::Select {
                pred: operand(self, 0)?,
                on_true: operand(self, 1)?,
                on_false: operand(self, 2)?,
            },
            Op::Clamp(_) => {
                let (low, x, high) = (number(self, 0)?, number(self, 1)?, number(self, 2)?);
                let clamped = self.push(Inst::Clamp { low, x, high });
                return Some(self.rounded(dtype, clamped));
            }
            Op::Convert(op) => {
                let from = ty(instr.operands[0]).dtype();
                if from == op.to {
                    return operand(self, 0);
                }
                let x = number(self, 0)?;
                return Some(self.body.encode(wide(from), op.to, x));
            }
            Op::BitcastConvert(op) => {
                let x = operand(self, 0)?;
                let from = ty(instr.operands[0]).dtype();
                return Some(self.body.bitcast(stored(from), stored(op.to), x));
            }
            Op::Threefry2x32(_) => {
                let key = [operand(self, 0)?, operand(self, 1)?];
                let count = [operand(self, 2)?, operand(self, 3)?];
                let first = self.push(Inst::Threefry { key, count });
                let second = self.push(Inst::Word1(first));
                let results: Vec<Value> = instr.results().collect();
                self.known.insert((results[0], after), first);
                self.known.insert((results[1], after), second);
                return self.known.get(&(value, after)).copied();
            }
            Op::Slice(_) | Op::Reverse(_) => self.window(value, after)?,
            Op::BroadcastInDim(_)
            | Op::Reshape(_)
            | Op::TransposeAxes(_)
            | Op::Pad(_)
            | Op::Concatenate(_) => {
                let (operand, after) = *self.reads(instr, value, after)?.first()?;
                return self.register(operand, after);
            }
            Op::Reduce(op) => return self.reduce(&op.reducer, instr, after),
            _ => return None,
        };
        Some(self.push(inst))
    }

    /// The load of a part of an input that is one block.
    fn window(&self, value: Value, after: bool) -> Option<Inst> {
        let (input, offset, strides) = self.part(value)?;
        let rank = self.nest.outer.len() + self.nest.reduce.len();
        let mut map = Map { offset, rows: vec![0; rank], col: 0 };
        for (dim, stride) in self.dims.values[value.index()].iter().zip(strides) {
            if let Some(dim) = dim {
                self.step(&mut map, *dim, stride)?;
            }
        }
        Some(load(input, map, after))
    }

    /// The input that a value is a part of, the element at its first position, and the distance along each axis.
    fn part(&self, mut value: Value) -> Option<(usize, i64, Vec<i64>)> {
        let body = &self.kernel.body;
        // The slices and reversals from the value back to the input.
        let mut taken: Vec<&Instr> = Vec::new();
        while let Some(index) = self.definitions[value.index()] {
            taken.push(&body.instrs()[index]);
            value = *body.instrs()[index].operands.first()?;
        }
        let input = value.index().checked_sub(self.kernel.grid.len())?;
        let array = &self.dims.arrays[input];
        if !array.spec.axes.iter().all(|index| matches!(index, BlockIndex::Whole)) {
            return None;
        }
        let (mut offset, mut strides) = (0, array.strides.clone());
        for instr in taken.into_iter().rev() {
            match &instr.op {
                Op::Slice(op) => {
                    for (stride, (&start, &step)) in strides.iter_mut().zip(op.starts.iter().zip(&op.strides))
                    {
                        offset += *stride * start as i64;
                        *stride *= step as i64;
                    }
                }
                Op::Reverse(op) => {
                    let operand = body.ty(instr.operands[0]);
                    for &axis in &op.axes {
                        offset += strides[axis] * (operand.dim(axis) as i64 - 1);
                        strides[axis] = -strides[axis];
                    }
                }
                _ => return None,
            }
        }
        Some((input, offset, strides))
    }

    fn index(&self, axis: Axis, dtype: DType, after: bool) -> Inst {
        let class = match axis {
            _ if after => Class::Col,
            Axis::Cols => Class::Full,
            Axis::Row(_) => Class::Row,
        };
        Inst::Iota { axis, dtype, class }
    }

    fn elementwise(&mut self, kind: ElementwiseKind, instr: &Instr, after: bool) -> Option<Reg> {
        let dtype = self.kernel.body.ty(instr.operands[0]).dtype();
        let value = |e: &Self, i: usize| e.register(instr.operands[i], after);
        let function = match function(kind)?.0 {
            Function::NextAfter => {
                let (x, y) = (value(self, 0)?, value(self, 1)?);
                return self.body.next_after(dtype, x, y);
            }
            Function::HighProduct => {
                let (x, y) = (value(self, 0)?, value(self, 1)?);
                return Some(self.body.high_product(dtype, x, y));
            }
            function => function,
        };
        let x = match function {
            // What is about bits takes those of the type alone, and what copies its sign the sign's bit.
            Function::Unary(Unary::Popcnt | Unary::CountLeadingZeros)
            | Function::Binary(Binary::ShiftRightLogical) => {
                let code = value(self, 0)?;
                self.body.convert(stored(dtype), wide(dtype), code)
            }
            Function::Binary(Binary::ShiftRightArithmetic) if is_narrow(dtype) => {
                let code = value(self, 0)?;
                self.body.extended(dtype, code)
            }
            _ => self.number(instr.operands[0], after)?,
        };
        let result = match function {
            Function::Unary(f) => {
                let y = self.push(Inst::Unary(f, x));
                match f {
                    Unary::CountLeadingZeros if is_narrow(dtype) => {
                        let rest = self.body.of((8 * wide(dtype).size()) as i32 - dtype.bits() as i32);
                        self.body.binary(Binary::Subtract, y, rest)
                    }
                    _ => y,
                }
            }
            Function::Binary(f) => {
                let y = self.number(instr.operands[1], after)?;
                if is_narrow(dtype) && dtype.is_float() && matches!(f, Binary::Power | Binary::Atan2) {
                    // Singles lose by how little a result misses the middle between two narrow numbers.
                    let [x, y] = [x, y].map(|x| self.body.convert(wide(dtype), DType::F64, x));
                    let result = self.body.binary(f, x, y);
                    return Some(self.body.encode(DType::F64, dtype, result));
                }
                self.body.binary(f, x, y)
            }
            _ => self.body.binary(Binary::Multiply, x, x),
        };
        Some(self.rounded(dtype, result))
    }

    fn reduce(&mut self, reducer: &Reducer, instr: &Instr, after: bool) -> Option<Reg> {
        let ty = self.kernel.body.ty(instr.operands[0]);
        let dtype = ty.dtype();
        let dims = folded(self.dims, instr)?;
        let empty = dims.is_empty();
        let fold = match reducer {
            Reducer::Add => LoopReducer::Add,
            Reducer::Mul => LoopReducer::Multiply,
            Reducer::Max => LoopReducer::Maximum,
            Reducer::Min => LoopReducer::Minimum,
            Reducer::And => LoopReducer::And,
            Reducer::Or => LoopReducer::Or,
            Reducer::Xor => LoopReducer::Xor,
            Reducer::ArgMax(to) | Reducer::ArgMin(to) => {
                if empty {
                    return Some(self.push(Inst::Const(held(ScalarBits::from_f64(*to, 0.0)))));
                }
                let mut x = self.number(instr.operands[0], after && empty)?;
                if dtype == DType::Bool {
                    x = self.push(Inst::Convert(DType::U8, x));
                }
                let position = self.push(Inst::ArgReduce { max: matches!(reducer, Reducer::ArgMax(_)), x });
                return Some(self.body.encode(DType::I32, *to, position));
            }
            Reducer::General(_) => return None,
        };
        if empty && (fold != LoopReducer::Add || !dtype.is_float()) {
            return self.register(instr.operands[0], after);
        }
        let mut x = self.number(instr.operands[0], after && empty)?;
        if empty {
            // One element, folded from zero: -0 becomes +0.
            let zero = self.push(Inst::Const(ScalarBits::from_f64(wide(dtype), 0.0)));
            x = self.body.binary(Binary::Add, zero, x);
            return Some(self.rounded(dtype, x));
        }
        if is_narrow(dtype) && dims.iter().any(|&dim| self.nest.extents[dim] == 0) {
            // Of nothing: the least and the greatest number are not those of the type that narrow ones are computed in.
            let identity = match fold {
                LoopReducer::Add => held(ScalarBits::from_f64(dtype, 0.0)),
                LoopReducer::Multiply => held(ScalarBits::from_f64(dtype, 1.0)),
                _ => scalar(&reducer.identity(dtype).ok()?)?,
            };
            return Some(self.push(Inst::Const(identity)));
        }
        // Sums and products of narrower floats are accumulated in `f32`, those of `f32` in `f64`.
        let to = match fold {
            LoopReducer::Add | LoopReducer::Multiply if dtype == DType::F32 => DType::F64,
            LoopReducer::Add | LoopReducer::Multiply if dtype.is_float() && is_narrow(dtype) => DType::F32,
            _ => wide(dtype),
        };
        let x = self.body.convert(wide(dtype), to, x);
        let folded = self.push(Inst::Reduce(fold, x));
        Some(self.body.encode(to, dtype, folded))
    }
}

fn load(input: usize, map: Map, after: bool) -> Inst {
    let class = match (after, map.col) {
        (true, _) => Class::Col,
        (false, 0) => Class::Row,
        (false, _) => Class::Full,
    };
    Inst::Load { input, map, class }
}

fn grid_or(kernel: &Kernel, dim: DimId, block: impl FnOnce() -> usize) -> usize {
    kernel.grid.get(dim).copied().unwrap_or_else(block)
}

/// A constant as loops hold it.
fn held(scalar: ScalarBits) -> ScalarBits {
    ScalarBits { dtype: stored(scalar.dtype), ..scalar }
}

/// The one element that a constant repeats.
fn scalar(value: &Literal) -> Option<ScalarBits> {
    let splat = value.splat()?;
    let mut bits = [0u8; 8];
    bits[..splat.bytes().len()].copy_from_slice(splat.bytes());
    Some(held(ScalarBits { dtype: splat.dtype(), bits: u64::from_le_bytes(bits) }))
}

fn direction(comparison: Comparison) -> Direction {
    match comparison {
        Comparison::Eq => Direction::Eq,
        Comparison::Ne => Direction::Ne,
        Comparison::Lt => Direction::Lt,
        Comparison::Le => Direction::Le,
        Comparison::Gt => Direction::Gt,
        Comparison::Ge => Direction::Ge,
    }
}
