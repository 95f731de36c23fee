//! Which axes of a kernel's values are the same dimension.

use jarrah_base::Type;
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel};
use jarrah_hlo::{Instr, Op, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::known::is_around;

/// A dimension of the nest: the grid's axes first, then those of blocks.
pub type DimId = usize;

/// The dimension of each axis of a value, `None` for extent one.
pub type ValueDims = SmallVec<[Option<DimId>; 4]>;

/// An array with the specification of its blocks.
pub struct Array<'a> {
    pub ty: Type,
    pub spec: &'a BlockSpec,
    pub strides: Vec<i64>,
    pub extents: Vec<usize>,
    /// The dimension of each array axis within the block, `None` where the block lacks it.
    pub within: ValueDims,
}

impl Array<'_> {
    /// The dimensions of a block.
    fn block(&self) -> ValueDims {
        let axes = self.within.iter().zip(&self.spec.axes);
        let kept = axes.filter(|(_, index)| !matches!(index, BlockIndex::Point { .. } | BlockIndex::First));
        kept.map(|(dim, _)| *dim).collect()
    }
}

/// A part of an axis on which another value lies: what a pad or a concatenation puts there.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The dimension of the whole axis.
    pub whole: DimId,
    /// The dimension of the value that is put there; `None` where the value has one position along the axis.
    pub part: Option<DimId>,
    pub start: usize,
    pub count: usize,
}

/// The dimensions of a kernel's values.
pub struct Dims<'a> {
    parent: Vec<DimId>,
    extents: Vec<usize>,
    pub values: Vec<ValueDims>,
    /// Inputs, then outputs.
    pub arrays: Vec<Array<'a>>,
    pub places: Vec<Place>,
    /// For each dimension that is a part of another one: that, and where it begins there.
    wholes: FxHashMap<DimId, (DimId, usize)>,
}

impl<'a> Dims<'a> {
    /// `None` for a body with an op that is no part of a loop, or with one dimension twice in a value. The values of
    /// each of `pairs` have the same dimensions.
    pub fn of(kernel: &'a Kernel, operands: &[Type], pairs: &[[Value; 2]]) -> Option<Dims<'a>> {
        let mut dims = Dims {
            parent: (0..kernel.grid.len()).collect(),
            extents: kernel.grid.to_vec(),
            values: Vec::with_capacity(kernel.body.value_count()),
            arrays: Vec::new(),
            places: Vec::new(),
            wholes: FxHashMap::default(),
        };
        // The positions.
        dims.values.resize(kernel.grid.len(), ValueDims::new());
        let inputs = operands.iter().copied().zip(&kernel.inputs);
        for (ty, spec) in inputs {
            let array = dims.array(ty, spec)?;
            dims.values.push(array.block());
            dims.arrays.push(array);
        }
        for output in &kernel.outputs {
            let array = dims.array(output.ty, &output.block)?;
            dims.arrays.push(array);
        }
        for instr in kernel.body.instrs() {
            let results = dims.results(kernel, instr)?;
            for _ in instr.results() {
                dims.values.push(results.clone());
            }
        }
        for (&result, output) in kernel.body.results().iter().zip(kernel.inputs.len()..) {
            let (to, from) = (dims.arrays[output].block(), dims.value(result));
            dims.unify(&to, &from);
        }
        for pair in pairs {
            let [a, b] = pair.map(|value| dims.value(value));
            dims.unify(&a, &b);
        }
        dims.join_alike();
        dims.find_wholes()?;
        for i in 0..dims.values.len() {
            let mut roots = dims.roots(&dims.values[i]);
            let axes = roots.len();
            roots.sort_unstable();
            roots.dedup();
            if roots.len() != axes {
                return None;
            }
        }
        Some(dims)
    }

    /// Where no value has two dimensions, makes those of one extent the same: their loops become one.
    fn join_alike(&mut self) {
        if self.values.iter().any(|dims| dims.len() > 1) || !self.places.is_empty() {
            return;
        }
        let all: Vec<DimId> = self.values.iter().flatten().flatten().copied().collect();
        let mut first: FxHashMap<usize, DimId> = FxHashMap::default();
        for dim in all {
            let extent = self.extents[self.root(dim)];
            let same = *first.entry(extent).or_insert(dim);
            self.unify(&[Some(same)], &[Some(dim)]);
        }
    }

    /// `None` where a dimension is a part at two places, or of itself.
    fn find_wholes(&mut self) -> Option<()> {
        for &Place { whole, part, start, .. } in &self.places {
            let Some(part) = part.map(|part| self.root(part)) else { continue };
            let place = (self.root(whole), start);
            if self.extents[place.0] <= self.extents[part]
                || *self.wholes.entry(part).or_insert(place) != place
            {
                return None;
            }
        }
        Some(())
    }

    /// The dimension of the nest along which `dim` runs, and the position there of its first one.
    pub fn origin(&self, dim: DimId) -> (DimId, usize) {
        let (mut dim, mut first) = (self.root(dim), 0);
        // Each whole is longer than its parts.
        while let Some(&(whole, start)) = self.wholes.get(&dim) {
            (dim, first) = (whole, first + start);
        }
        (dim, first)
    }

    /// `None` where a map says where blocks are.
    fn array(&mut self, ty: Type, spec: &'a BlockSpec) -> Option<Array<'a>> {
        let extents: Vec<usize> = ty.extents().collect();
        let mut strides = vec![1i64; extents.len()];
        for axis in (1..extents.len()).rev() {
            strides[axis - 1] = strides[axis] * extents[axis] as i64;
        }
        let mut within = ValueDims::new();
        for (&index, &extent) in spec.axes.iter().zip(&extents) {
            within.push(match index {
                BlockIndex::Whole => self.fresh(extent),
                BlockIndex::Block { size, .. } => self.fresh(size),
                BlockIndex::Point { .. } | BlockIndex::First => None,
                BlockIndex::At { .. } | BlockIndex::PointAt { .. } => return None,
            });
        }
        Some(Array { ty, spec, strides, extents, within })
    }

    fn fresh(&mut self, extent: usize) -> Option<DimId> {
        if extent == 1 {
            return None;
        }
        self.parent.push(self.parent.len());
        self.extents.push(extent);
        Some(self.parent.len() - 1)
    }

    fn fresh_all(&mut self, ty: Type) -> ValueDims {
        ty.extents().map(|extent| self.fresh(extent)).collect()
    }

    /// The one that stands for all dimensions found equal to `dim`.
    pub fn root(&self, mut dim: DimId) -> DimId {
        while self.parent[dim] != dim {
            dim = self.parent[dim];
        }
        dim
    }

    /// The dimensions above extent one of a value.
    pub fn roots(&self, dims: &[Option<DimId>]) -> Vec<DimId> {
        dims.iter().flatten().map(|&d| self.root(d)).collect()
    }

    pub fn extent(&self, dim: DimId) -> usize {
        self.extents[self.root(dim)]
    }

    /// The dimension of an axis of which a value takes `count` positions.
    fn whole(&mut self, extent: usize, part: Option<DimId>, start: usize, count: usize) -> Option<DimId> {
        let whole = self.fresh(extent)?;
        self.places.push(Place { whole, part, start, count });
        Some(whole)
    }

    fn unify(&mut self, a: &[Option<DimId>], b: &[Option<DimId>]) {
        for (a, b) in a.iter().zip(b) {
            if let (Some(a), Some(b)) = (a, b) {
                let (a, b) = (self.root(*a), self.root(*b));
                self.parent[a.max(b)] = a.min(b);
            }
        }
    }

    fn value(&self, value: Value) -> ValueDims {
        self.values[value.index()].clone()
    }

    /// The dimensions of each result of an instruction.
    fn results(&mut self, kernel: &Kernel, instr: &Instr) -> Option<ValueDims> {
        let ty = |v: Value| kernel.body.ty(v);
        let operand = |i: usize| instr.operands[i];
        Some(match &instr.op {
            Op::Constant(_) | Op::Iota(_) => self.fresh_all(ty(instr.result())),
            Op::Elementwise(_)
            | Op::Compare(_)
            | Op::Select(_)
            | Op::Clamp(_)
            | Op::Convert(_)
            | Op::BitcastConvert(_)
            | Op::ReducePrecision(_)
            | Op::Threefry2x32(_) => {
                let first = self.value(operand(0));
                for &other in &instr.operands[1..] {
                    let other = self.value(other);
                    self.unify(&first, &other);
                }
                first
            }
            Op::BroadcastInDim(op) => {
                let mut dims = self.fresh_all(ty(instr.result()));
                for (dim, &axis) in self.value(operand(0)).into_iter().zip(&op.axes) {
                    if dim.is_some() {
                        dims[axis] = dim;
                    }
                }
                dims
            }
            Op::Reshape(_) => {
                let mut from = self.value(operand(0)).into_iter().flatten();
                let mut dims = ValueDims::new();
                for extent in ty(instr.result()).extents() {
                    let dim = if extent == 1 { None } else { Some(from.next()?) };
                    if dim.is_some_and(|d| self.extents[d] != extent) {
                        return None;
                    }
                    dims.push(dim);
                }
                dims
            }
            Op::TransposeAxes(op) => {
                let from = self.value(operand(0));
                op.permutation.iter().map(|&axis| from[axis]).collect()
            }
            Op::Slice(_) | Op::Reverse(_) => {
                // An axis that is read as it is stays the same dimension.
                let (from, before) = (self.value(operand(0)), ty(operand(0)));
                let mut dims = ValueDims::new();
                for (axis, (&dim, extent)) in from.iter().zip(ty(instr.result()).extents()).enumerate() {
                    let same = match &instr.op {
                        Op::Reverse(op) => !op.axes.contains(&axis),
                        _ => before.extents().nth(axis) == Some(extent),
                    };
                    dims.push(if same { dim } else { self.fresh(extent) });
                }
                dims
            }
            Op::Pad(op) if !is_around(op) => return None,
            Op::Pad(op) => {
                let (from, before) = (self.value(operand(0)), ty(operand(0)));
                let mut dims = ValueDims::new();
                let extents = before.extents().zip(ty(instr.result()).extents());
                for ((&part, (count, extent)), &low) in from.iter().zip(extents).zip(&op.low) {
                    dims.push(if count == extent {
                        part
                    } else {
                        Some(self.whole(extent, part, low as usize, count)?)
                    });
                }
                dims
            }
            Op::Concatenate(op) => {
                let mut dims = self.value(operand(0));
                let extent = ty(instr.result()).dim(op.axis);
                let whole = self.fresh(extent);
                dims[op.axis] = whole;
                let mut start = 0;
                for &operand in &instr.operands {
                    let mut from = self.value(operand);
                    let (part, count) = (from[op.axis], ty(operand).dim(op.axis));
                    self.places.push(Place { whole: whole?, part, start, count });
                    from[op.axis] = whole;
                    self.unify(&dims, &from);
                    start += count;
                }
                dims
            }
            Op::Reduce(op) => {
                let from = self.value(operand(0));
                let kept = from.into_iter().enumerate().filter(|(axis, _)| !op.axes.contains(axis));
                kept.map(|(_, dim)| dim).collect()
            }
            _ => return None,
        })
    }
}
