//! The instructions of a loop, from its stores back to its loads.

use std::ops::Range;

use jarrah_base::{DType, Literal};
use jarrah_hlo::ops::{BlockIndex, Comparison, ElementwiseKind, Kernel, Reducer as Fold};
use jarrah_hlo::{Instr, Op, Value};
use rustc_hash::FxHashMap;

use super::dims::{DimId, Dims};
use super::nest::{Nest, NestBox, folded};
use crate::kernel::{Class, Inst, LoopKernel, Map, Reg, Scalar, Store};
use crate::ops::{Axis, Binary, Direction, Reducer, Unary};

/// Whether the loop IR has the function.
pub fn has_loop(kind: ElementwiseKind) -> bool {
    function(kind).is_some()
}

/// An elementwise function as instructions of a loop.
enum Function {
    Unary(Unary),
    Binary(Binary),
    Square,
}

/// How a loop computes a function; `None` for those that are computed element by element, without a loop.
fn function(kind: ElementwiseKind) -> Option<Function> {
    use ElementwiseKind as K;
    let unary = |f| Some(Function::Unary(f));
    let binary = |f| Some(Function::Binary(f));
    match kind {
        K::Abs => unary(Unary::Abs),
        K::Negate => unary(Unary::Negate),
        K::Sign => unary(Unary::Sign),
        K::Floor => unary(Unary::Floor),
        K::Ceil => unary(Unary::Ceil),
        K::RoundNearestEven => unary(Unary::RoundNearestEven),
        K::RoundNearestAfz => unary(Unary::RoundNearestAfz),
        K::Exponential => unary(Unary::Exponential),
        K::ExponentialMinusOne => unary(Unary::ExponentialMinusOne),
        K::Log => unary(Unary::Log),
        K::LogPlusOne => unary(Unary::LogPlusOne),
        K::Logistic => unary(Unary::Logistic),
        K::Tanh => unary(Unary::Tanh),
        K::Sqrt => unary(Unary::Sqrt),
        K::Rsqrt => unary(Unary::Rsqrt),
        K::Cbrt => unary(Unary::Cbrt),
        K::Sine => unary(Unary::Sine),
        K::Cosine => unary(Unary::Cosine),
        K::Tan => unary(Unary::Tan),
        K::Erf => unary(Unary::Erf),
        K::ErfInv => unary(Unary::ErfInv),
        K::Not => unary(Unary::Not),
        K::Popcnt => unary(Unary::Popcnt),
        K::CountLeadingZeros => unary(Unary::CountLeadingZeros),
        K::Add => binary(Binary::Add),
        K::Subtract => binary(Binary::Subtract),
        K::Multiply => binary(Binary::Multiply),
        K::Divide => binary(Binary::Divide),
        K::Remainder => binary(Binary::Remainder),
        K::Power => binary(Binary::Power),
        K::Maximum => binary(Binary::Maximum),
        K::Minimum => binary(Binary::Minimum),
        K::And => binary(Binary::And),
        K::Or => binary(Binary::Or),
        K::Xor => binary(Binary::Xor),
        K::ShiftLeft => binary(Binary::ShiftLeft),
        K::ShiftRightArithmetic => binary(Binary::ShiftRightArithmetic),
        K::ShiftRightLogical => binary(Binary::ShiftRightLogical),
        K::Atan2 => binary(Binary::Atan2),
        K::Square => Some(Function::Square),
        K::Asin
        | K::Acos
        | K::Atan
        | K::Sinh
        | K::Cosh
        | K::Asinh
        | K::Acosh
        | K::Atanh
        | K::Erfc
        | K::Lgamma
        | K::Digamma
        | K::BesselI0e
        | K::BesselI1e
        | K::Conj
        | K::Polygamma
        | K::Zeta
        | K::NextAfter
        | K::Mulhi => None,
    }
}

/// Writes the loop; values that a column reduction needs both before and after it are computed twice.
pub struct Emit<'a> {
    kernel: &'a Kernel,
    dims: &'a Dims<'a>,
    nest: &'a Nest,
    /// The part of the nest that the loop runs over.
    within: &'a NestBox,
    definitions: Vec<Option<usize>>,
    known: FxHashMap<(Value, bool), Reg>,
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
            loops: LoopKernel {
                outer: nest.outer.iter().map(|&d| grid_or(kernel, d, || extent(&d))).collect(),
                reduce: nest.reduce.iter().map(extent).collect(),
                cols: nest.cols.as_ref().map_or(1, extent),
                inputs: arrays[..inputs].iter().map(|a| a.ty.dtype()).collect(),
                outputs: arrays[inputs..].iter().map(|a| a.ty.dtype()).collect(),
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
        Some(self.loops)
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
        self.loops.body.push(inst);
        Reg(self.loops.body.len() as u32 - 1)
    }

    /// The register of a value, in the loop or after the reduction of a column reduction.
    fn value(&mut self, value: Value, after: bool) -> Option<Reg> {
        if let Some(&reg) = self.known.get(&(value, after)) {
            return Some(reg);
        }
        let reg = match self.definitions[value.index()] {
            Some(index) => self.inst(&self.kernel.body.instrs()[index], value, after)?,
            None => {
                let inst = self.parameter(value.index(), after)?;
                self.push(inst)
            }
        };
        self.known.insert((value, after), reg);
        Some(reg)
    }

    /// A position along a grid axis, or the load of an input.
    fn parameter(&self, index: usize, after: bool) -> Option<Inst> {
        let Some(input) = index.checked_sub(self.kernel.grid.len()) else {
            if self.kernel.grid[index] == 1 {
                return Some(Inst::Const(Scalar::of(0i32)));
            }
            let d = self.nest.outer.iter().position(|&o| o == index)?;
            return Some(self.index(Axis::Row(d), DType::I32, after));
        };
        Some(load(input, self.map(input)?, after))
    }

    fn inst(&mut self, instr: &Instr, value: Value, after: bool) -> Option<Reg> {
        let ty = |v: Value| self.kernel.body.ty(v);
        let dtype = ty(value).dtype();
        let operand = |e: &mut Self, i: usize| e.value(instr.operands[i], after);
        let inst = match &instr.op {
            Op::Constant(op) => Inst::Const(scalar(&op.value)?),
            Op::Iota(op) => match self.dims.values[value.index()][op.axis] {
                None => Inst::Const(Scalar::from_f64(dtype, 0.0)),
                Some(dim) => match self.along(dim)? {
                    (axis, 0) => self.index(axis, dtype, after),
                    (axis, first) => {
                        let index = self.index(axis, DType::I64, after);
                        let index = self.push(index);
                        let first = self.push(Inst::Const(Scalar::of(first)));
                        let index = self.push(Inst::Binary(Binary::Add, index, first));
                        Inst::Convert(dtype, index)
                    }
                },
            },
            Op::Elementwise(op) => self.elementwise(op.kind, instr, after)?,
            Op::Compare(op) => {
                let total = op.total_order && ty(instr.operands[0]).dtype().is_float();
                let (x, y) = (operand(self, 0)?, operand(self, 1)?);
                Inst::Compare { direction: direction(op.comparison), total, x, y }
            }
            Op::Select(_) => Inst::Select {
                pred: operand(self, 0)?,
                on_true: operand(self, 1)?,
                on_false: operand(self, 2)?,
            },
            Op::Clamp(_) => {
                Inst::Clamp { low: operand(self, 0)?, x: operand(self, 1)?, high: operand(self, 2)? }
            }
            Op::Convert(op) => Inst::Convert(op.to, operand(self, 0)?),
            Op::BitcastConvert(op) => Inst::Bitcast(op.to, operand(self, 0)?),
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
            Op::BroadcastInDim(_) | Op::Reshape(_) | Op::TransposeAxes(_) => return operand(self, 0),
            Op::Slice(_) | Op::Reverse(_) => self.window(value, after)?,
            Op::Pad(op) => {
                let whole = &self.dims.values[value.index()];
                let extents = ty(instr.operands[0]).dims();
                let mut axes = whole.iter().zip(op.low.iter().zip(&extents));
                let inside =
                    axes.all(|(&dim, (&low, &n))| self.is_within(dim, low as usize..low as usize + n));
                return operand(self, usize::from(!inside));
            }
            Op::Concatenate(op) => {
                let dim = self.dims.values[value.index()][op.axis];
                let mut end = 0;
                let here = instr.operands.iter().position(|&v| {
                    let start = end;
                    end += ty(v).dim(op.axis);
                    self.is_within(dim, start..end)
                });
                return operand(self, here?);
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
    fn part(&self, value: Value) -> Option<(usize, i64, Vec<i64>)> {
        let Some(index) = self.definitions[value.index()] else {
            let input = value.index().checked_sub(self.kernel.grid.len())?;
            let whole = |index: &BlockIndex| matches!(index, BlockIndex::Whole);
            let array = &self.dims.arrays[input];
            return array.spec.axes.iter().all(whole).then(|| (input, 0, array.strides.clone()));
        };
        let instr = &self.kernel.body.instrs()[index];
        let operand = *instr.operands.first()?;
        let (input, mut offset, mut strides) = self.part(operand)?;
        match &instr.op {
            Op::Slice(op) => {
                for (stride, (&start, &step)) in strides.iter_mut().zip(op.starts.iter().zip(&op.strides)) {
                    offset += *stride * start as i64;
                    *stride *= step as i64;
                }
            }
            Op::Reverse(op) => {
                let extents: Vec<usize> = self.kernel.body.ty(operand).extents().collect();
                for &axis in &op.axes {
                    offset += strides[axis] * (extents[axis] as i64 - 1);
                    strides[axis] = -strides[axis];
                }
            }
            _ => return None,
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

    fn elementwise(&mut self, kind: ElementwiseKind, instr: &Instr, after: bool) -> Option<Inst> {
        let function = function(kind)?;
        let x = self.value(instr.operands[0], after)?;
        Some(match function {
            Function::Unary(f) => Inst::Unary(f, x),
            Function::Binary(f) => Inst::Binary(f, x, self.value(instr.operands[1], after)?),
            Function::Square => Inst::Binary(Binary::Multiply, x, x),
        })
    }

    fn reduce(&mut self, reducer: &Fold, instr: &Instr, after: bool) -> Option<Reg> {
        let dtype = self.kernel.body.ty(instr.operands[0]).dtype();
        let empty = folded(self.dims, instr)?.is_empty();
        // In a column reduction only what comes before it is computed inside the loop.
        let column = !self.nest.reduce.is_empty();
        if !empty && column && !after {
            return None;
        }
        let mut x = self.value(instr.operands[0], after && empty)?;
        let fold = match reducer {
            Fold::Add => Reducer::Add,
            Fold::Mul => Reducer::Multiply,
            Fold::Max => Reducer::Maximum,
            Fold::Min => Reducer::Minimum,
            Fold::And => Reducer::And,
            Fold::Or => Reducer::Or,
            Fold::Xor => Reducer::Xor,
            Fold::ArgMax(to) | Fold::ArgMin(to) => {
                if empty {
                    return Some(self.push(Inst::Const(Scalar::from_f64(*to, 0.0))));
                }
                if dtype == DType::Bool {
                    x = self.push(Inst::Convert(DType::U8, x));
                }
                let position = self.push(Inst::ArgReduce { max: matches!(reducer, Fold::ArgMax(_)), x });
                return Some(match to {
                    DType::I32 => position,
                    _ => self.push(Inst::Convert(*to, position)),
                });
            }
            Fold::General(_) => return None,
        };
        if !empty && dtype == DType::F32 && matches!(fold, Reducer::Add | Reducer::Multiply) {
            let wide = self.push(Inst::Convert(DType::F64, x));
            let folded = self.push(Inst::Reduce(fold, wide));
            return Some(self.push(Inst::Convert(dtype, folded)));
        }
        if !empty {
            return Some(self.push(Inst::Reduce(fold, x)));
        }
        // One element, folded from zero: -0 becomes +0.
        if fold == Reducer::Add && dtype.is_float() {
            let zero = self.push(Inst::Const(Scalar::from_f64(dtype, 0.0)));
            x = self.push(Inst::Binary(Binary::Add, zero, x));
        }
        Some(x)
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

/// The one element that a constant repeats.
fn scalar(value: &Literal) -> Option<Scalar> {
    let splat = value.splat()?;
    let mut bits = [0u8; 8];
    bits[..splat.bytes().len()].copy_from_slice(splat.bytes());
    Some(Scalar { dtype: splat.dtype(), bits: u64::from_le_bytes(bits) })
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
