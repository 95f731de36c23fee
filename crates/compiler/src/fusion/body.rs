//! The body of one kernel.

use jarrah_base::{DType, Dims, Error, Literal, Result, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Operands, ProgramRef, Value};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::graph::{Base, Kind};
use super::group::{Class, Form, Group, Grouping, UnitId};
use crate::view::{View, Window};

/// A kernel and the arrays it works on.
pub struct Built {
    pub kernel: Kernel,
    /// The operands, each with the extents under which the kernel reads it.
    pub inputs: Vec<(Value, Dims)>,
    /// The values that the kernel stores.
    pub outputs: Vec<Value>,
}

/// A value of the body, with a bit set of the block axes it has.
#[derive(Clone, Copy)]
struct Block {
    value: Value,
    axes: u8,
}

struct Body<'g, 'a> {
    grouping: &'g Grouping<'a>,
    unit: UnitId,
    group: &'g Group,
    /// The extents of the iteration space: the grid's axes, then the block's.
    dims: Dims,
    grid: usize,
    b: Builder,
    /// The positions along the grid's axes.
    positions: Vec<Value>,
    known: FxHashMap<(Base, View), Block>,
    nodes: FxHashMap<(u32, View), SmallVec<[Block; 2]>>,
    specs: Vec<BlockSpec>,
    inputs: Vec<(Value, Dims)>,
    /// The arrays that windows are parts of, by their extents.
    arrays: FxHashMap<(Value, Dims), Value>,
}

/// The kernel of a group that stores `outputs`.
pub fn build(grouping: &Grouping<'_>, unit: UnitId, group: &Group, outputs: Vec<Value>) -> Result<Built> {
    let (dims, grid) = axes(group);
    let mut b = Builder::new(if group.has_windows { "windows" } else { "kernel" });
    let positions = (0..grid).map(|_| b.param(Type::scalar(DType::I32), "")).collect();
    let mut body = Body {
        grouping,
        unit,
        group,
        dims,
        grid,
        b,
        positions,
        known: FxHashMap::default(),
        nodes: FxHashMap::default(),
        specs: Vec::new(),
        inputs: Vec::new(),
        arrays: FxHashMap::default(),
    };
    let mut stores = Vec::new();
    for &value in &outputs {
        let class = grouping.class_of(body.node_of(value)?);
        let block = body.array(value, group.class_view(class))?;
        stores.push((value, class, block));
    }
    let (mut specs, mut returned) = (Vec::new(), Vec::new());
    for (value, class, block) in stores {
        let (ty, spec, block) = body.store(value, class, block)?;
        specs.push((ty, spec));
        returned.push(block);
    }
    let Body { b, dims, grid, specs: inputs_specs, inputs, .. } = body;
    let body = b.finish(&returned)?;
    let params: Vec<Value> = body.param_values().collect();
    // Drops what no result needs.
    let body = ProgramRef::new(body.extract(&params, body.results())?);
    let kernel =
        Kernel { form: KernelForm::Loop, ..Kernel::new(dims[..grid].into(), inputs_specs, specs, body) };
    Ok(Built { kernel, inputs, outputs })
}

/// The extents of the space's axes, and how many of them belong to the grid.
fn axes(group: &Group) -> (Dims, usize) {
    let dims = group.dims();
    let block = match group.form {
        _ if group.has_windows => dims.len(),
        Form::Column(_) => 2,
        Form::Row(1) => 0,
        _ => 1,
    };
    let grid = dims.len().saturating_sub(block);
    (dims, grid)
}

impl Body<'_, '_> {
    fn node_of(&self, value: Value) -> Result<u32> {
        self.grouping.graph.node_of[value.index()]
            .ok_or_else(|| Error::internal(format!("{value:?} is computed by no kernel")))
    }

    fn strides(&self, view: &View) -> Result<SmallVec<[isize; 6]>> {
        view.strides(&self.dims)
            .ok_or_else(|| Error::internal(format!("{view:?} is no view over {:?}", &self.dims[..])))
    }

    /// The block axes along which a view with these strides moves.
    fn block_axes(&self, strides: &[isize]) -> u8 {
        let block = strides[self.grid..].iter().enumerate();
        block.fold(0, |axes, (i, &stride)| axes | u8::from(stride != 0) << i)
    }

    fn extents(&self, axes: u8) -> Dims {
        let block = self.dims[self.grid..].iter().enumerate();
        block.filter(|(i, _)| axes >> i & 1 == 1).map(|(_, &d)| d).collect()
    }

    fn ty(&self, dtype: DType, axes: u8) -> Type {
        Type::tensor(dtype, self.extents(axes))
    }

    /// `block` broadcast along the axes it lacks.
    fn spread(&mut self, block: Block, axes: u8) -> Result<Value> {
        if block.axes == axes {
            return Ok(block.value);
        }
        let ty = self.ty(self.b.ty(block.value).dtype(), axes);
        let all: Axes = (0..8).filter(|i| axes >> i & 1 == 1).collect();
        let kept: Axes = (0..all.len()).filter(|&i| block.axes >> all[i] & 1 == 1).collect();
        self.b.broadcast_in_dim(block.value, &ty.dims(), &kept)
    }

    fn read(&mut self, base: Base, view: View) -> Result<Block> {
        match base {
            Base::Array(value) => self.array(value, view),
            Base::Stored(value) if self.grouping.home(value) == Some(self.unit) => self.array(value, view),
            Base::Stored(value) => {
                let key = (base, view);
                if let Some(&block) = self.known.get(&key) {
                    return Ok(block);
                }
                let block = self.load(value, &key.1)?;
                self.known.insert(key, block);
                Ok(block)
            }
            Base::Splat(value) => {
                let program = self.grouping.graph.program;
                let index = self.grouping.graph.definitions[value.index()];
                let Some(Op::Constant(constant)) = index.map(|i| &program.instrs()[i].op) else {
                    return Err(Error::internal("a constant that is none"));
                };
                let value = self.b.constant(constant.value.clone())?;
                Ok(Block { value, axes: 0 })
            }
            Base::Iota(dtype) => self.iota(dtype, view),
        }
    }

    /// `sum over axes of position * stride`, computed in an integer type of at least 32 bits, then converted.
    fn iota(&mut self, dtype: DType, view: View) -> Result<Block> {
        if let Some(&block) = self.known.get(&(Base::Iota(dtype), view.clone())) {
            return Ok(block);
        }
        let strides = self.strides(&view)?;
        let counter = if dtype.is_integer() && dtype.size() >= 4 { dtype } else { DType::I32 };
        let mut sum: Option<Block> = None;
        for (axis, &stride) in strides.iter().enumerate() {
            if stride == 0 {
                continue;
            }
            let mut term = if axis < self.grid {
                let position = self.positions[axis];
                Block { value: self.b.convert(position, counter)?, axes: 0 }
            } else {
                let axes = 1 << (axis - self.grid);
                let ty = self.ty(counter, axes);
                Block { value: self.b.iota(ty, 0)?, axes }
            };
            if stride != 1 {
                let bytes = (stride as i128).to_le_bytes();
                let factor = Literal::from_bytes(Type::scalar(counter), &bytes[..counter.size()])?;
                let factor = self.b.constant(factor)?;
                let factor = self.spread(Block { value: factor, axes: 0 }, term.axes)?;
                term.value = self.b.mul(term.value, factor)?;
            }
            sum = Some(match sum {
                None => term,
                Some(sum) => {
                    let axes = sum.axes | term.axes;
                    let (x, y) = (self.spread(sum, axes)?, self.spread(term, axes)?);
                    Block { value: self.b.add(x, y)?, axes }
                }
            });
        }
        let mut block = match sum {
            Some(block) => block,
            None => {
                let zero = Literal::zeros(Type::scalar(counter))?;
                Block { value: self.b.constant(zero)?, axes: 0 }
            }
        };
        block.value = self.b.convert(block.value, dtype)?;
        self.known.insert((Base::Iota(dtype), view), block);
        Ok(block)
    }

    fn array(&mut self, value: Value, view: View) -> Result<Block> {
        let key = (Base::Array(value), view);
        if let Some(&block) = self.known.get(&key) {
            return Ok(block);
        }
        let view = key.1.clone();
        let graph = &self.grouping.graph;
        let own = self.grouping.home(value) == Some(self.unit);
        let block = match graph.node_of[value.index()] {
            Some(node) if own || graph.is_recomputed(value, &view, self.group.is_column()) => {
                let blocks = self.node(node, view)?;
                let results = graph.instr(graph.node(node)).results();
                let at = results.into_iter().position(|v| v == value).unwrap_or(0);
                blocks[at]
            }
            _ => self.load(value, &view)?,
        };
        self.known.insert(key, block);
        Ok(block)
    }

    fn node(&mut self, index: u32, view: View) -> Result<SmallVec<[Block; 2]>> {
        if let Some(blocks) = self.nodes.get(&(index, view.clone())) {
            return Ok(blocks.clone());
        }
        let node = self.grouping.graph.node(index);
        let instr = self.grouping.graph.instr(node);
        let source = self.b.set_source(instr.source);
        let over = match node.kind {
            Kind::Map | Kind::Copy => view.clone(),
            Kind::Place => {
                let blocks: SmallVec<[Block; 2]> = smallvec![self.place(index)?];
                self.b.set_source(source);
                self.nodes.insert((index, view), blocks.clone());
                return Ok(blocks);
            }
            // A reduction is computed once per row or column, never under another view.
            Kind::Row { .. } | Kind::Column(_) => {
                if view != self.group.class_view(Class::Part) {
                    return Err(Error::internal("a reduction is read other than it is computed"));
                }
                View::contiguous(node.size)
            }
        };
        let mut operands: SmallVec<[Block; 4]> = SmallVec::new();
        for access in &node.operands {
            let view = over.compose(&access.view);
            let view = view.ok_or_else(|| Error::internal("views that do not compose"))?;
            operands.push(self.read(access.base, view)?);
        }
        self.b.set_source(instr.source);
        let full = (1 << (self.dims.len() - self.grid)) - 1;
        let axes = match node.kind {
            Kind::Map | Kind::Copy => operands.iter().fold(0, |axes, o| axes | o.axes),
            Kind::Row { .. } | Kind::Column(_) | Kind::Place => full,
        };
        let mut values = Operands::new();
        for operand in operands {
            values.push(self.spread(operand, axes)?);
        }
        let blocks: SmallVec<[Block; 2]> = match (&node.kind, &instr.op) {
            (Kind::Copy, _) => smallvec![Block { value: values[0], axes }],
            (Kind::Map, op) => {
                let results = self.b.push(op.clone(), &values)?;
                results.into_iter().map(|value| Block { value, axes }).collect()
            }
            (Kind::Row { .. } | Kind::Column(_), Op::Reduce(reduce)) => {
                let mut x = values[0];
                // A row of one element has no axis in the space: it gets one of extent one to reduce.
                if full == 0 {
                    x = self.b.broadcast_in_dim(x, &[1], &[])?;
                }
                let inside = usize::from(self.group.is_column());
                let axis = (self.dims.len() - self.grid).saturating_sub(1 + inside);
                let reduce = Reduce { reducer: reduce.reducer.clone(), axes: smallvec![axis] };
                let value = self.b.one(reduce, &[x])?;
                smallvec![Block { value, axes: full & !(1 << axis) }]
            }
            (_, op) => return Err(Error::internal(format!("{} in a kernel", op.name()))),
        };
        self.b.set_source(source);
        self.nodes.insert((index, view), blocks.clone());
        Ok(blocks)
    }

    /// The result of a pad or a concatenation: each operand is one block, which the body puts at its place.
    fn place(&mut self, index: u32) -> Result<Block> {
        let graph = &self.grouping.graph;
        let node = graph.node(index);
        let instr = graph.instr(node);
        // For each axis of the space the axis of the result that is cut, if it is that one.
        let mut inside = node.size;
        let placed = graph.placed(instr);
        let axes: SmallVec<[Option<usize>; 6]> = self
            .dims
            .iter()
            .map(|&extent| {
                inside /= extent;
                placed.iter().find(|p| p.inner == inside && p.extent == extent).map(|p| p.axis)
            })
            .collect();
        if axes.iter().flatten().count() != placed.len() {
            return Err(Error::internal("an axis along which arrays are put is no axis of the space"));
        }
        let mut operands = Operands::new();
        for access in &node.operands {
            let Base::Stored(value) = access.base else {
                operands.push(self.read(access.base, access.view.clone())?.value);
                continue;
            };
            let own = graph.program.ty(value).dims();
            let dims =
                self.dims.iter().zip(&axes).map(|(&extent, axis)| axis.map_or(extent, |axis| own[axis]));
            let dims: Dims = dims.collect();
            operands.push(self.whole(value, dims));
        }
        let op: Op = match &instr.op {
            Op::Pad(pad) => {
                let counts =
                    |counts: &[i64]| axes.iter().map(|axis| axis.map_or(0, |axis| counts[axis])).collect();
                let interior = axes.iter().map(|_| 0).collect();
                Pad { low: counts(&pad.low), high: counts(&pad.high), interior }.into()
            }
            _ => Concatenate { axis: axes.iter().position(Option::is_some).unwrap_or(0) }.into(),
        };
        let value = self.b.one(op, &operands)?;
        Ok(Block { value, axes: (1 << self.dims.len()) - 1 })
    }

    /// A parameter of the body that is an array as a whole, with other extents.
    fn whole(&mut self, value: Value, dims: Dims) -> Value {
        let ty = self.grouping.graph.program.ty(value);
        let param = self.b.param(ty.with_dims(dims.iter().copied()), "");
        let whole: SmallVec<[BlockIndex; 6]> = dims.iter().map(|_| BlockIndex::Whole).collect();
        self.specs.push(BlockSpec { axes: whole.as_slice().into() });
        self.inputs.push((value, dims));
        param
    }

    fn load(&mut self, value: Value, view: &View) -> Result<Block> {
        if self.group.has_windows {
            return self.window(value, view);
        }
        let strides = self.strides(view)?;
        let ty = self.grouping.graph.program.ty(value);
        let mut moving: SmallVec<[usize; 6]> = (0..strides.len()).filter(|&i| strides[i] != 0).collect();
        moving.sort_unstable_by_key(|&i| std::cmp::Reverse(strides[i]));
        let extents: Dims = moving.iter().map(|&i| self.dims[i]).collect();
        let mut inside = 1;
        for (&axis, &extent) in moving.iter().zip(&extents).rev() {
            if strides[axis] != inside as isize {
                return Err(Error::internal(format!("{view:?} does not cover {ty}")));
            }
            inside *= extent;
        }
        let indices: SmallVec<[BlockIndex; 6]> = moving.iter().map(|&axis| self.index(axis)).collect();
        let (spec, dims) = spec(&ty.dims(), &extents, &indices);
        let axes = self.block_axes(&strides);
        let block = self.b.param(Type::tensor(ty.dtype(), self.extents(axes)), "");
        self.specs.push(spec);
        self.inputs.push((value, dims));
        Ok(Block { value: block, axes })
    }

    /// The part of an array that a view reads: the array is one block, of which the body takes the part.
    fn window(&mut self, value: Value, view: &View) -> Result<Block> {
        let ty = self.grouping.graph.program.ty(value);
        let window = Window::of(view, &self.dims, ty.elements()?)
            .ok_or_else(|| Error::internal(format!("{view:?} is no window of {ty}")))?;
        let extents: Dims = window.axes.iter().map(|a| a.extent).collect();
        let key = (value, extents);
        let mut part = match self.arrays.get(&key) {
            Some(&known) => known,
            None => {
                let param = self.whole(value, key.1.clone());
                self.arrays.insert(key, param);
                param
            }
        };
        if window.axes.iter().any(|a| a.count != a.extent) {
            let starts = window.axes.iter().map(|a| a.start).collect();
            let limits = window.axes.iter().map(|a| a.start + a.count).collect();
            let strides = window.axes.iter().map(|_| 1).collect();
            part = self.b.one(Slice { starts, limits, strides }, &[part])?;
        }
        let backwards: Axes = (0..window.axes.len()).filter(|&i| window.axes[i].backwards).collect();
        if !backwards.is_empty() {
            part = self.b.one(Reverse { axes: backwards }, &[part])?;
        }
        let moving: SmallVec<[usize; 6]> = window.axes.iter().filter_map(|a| a.along).collect();
        if moving.len() < window.axes.len() {
            let dims: Dims = moving.iter().map(|&axis| self.dims[axis]).collect();
            part = self.b.reshape(part, &dims)?;
        }
        let mut order: Axes = (0..moving.len()).collect();
        order.sort_by_key(|&i| moving[i]);
        if !order.is_sorted() {
            part = self.b.transpose(part, &order)?;
        }
        let axes = moving.iter().fold(0, |axes, &axis| axes | 1 << (axis - self.grid));
        Ok(Block { value: part, axes })
    }

    fn index(&self, axis: usize) -> BlockIndex {
        if axis < self.grid { BlockIndex::Point { grid: axis } } else { BlockIndex::Whole }
    }

    /// The type and specification of a result, and the block of it that the body returns.
    fn store(&mut self, value: Value, class: Class, block: Block) -> Result<(Type, BlockSpec, Value)> {
        let ty = self.grouping.graph.program.ty(value);
        let strides = self.strides(&self.group.class_view(class))?;
        let along: SmallVec<[usize; 6]> = (0..strides.len()).filter(|&i| strides[i] != 0).collect();
        let extents: Dims = along.iter().map(|&i| self.dims[i]).collect();
        let indices: SmallVec<[BlockIndex; 6]> = along.iter().map(|&axis| self.index(axis)).collect();
        let (spec, dims) = spec(&ty.dims(), &extents, &indices);
        let axes = self.block_axes(&strides);
        let stored = self.spread(block, axes)?;
        Ok((Type::tensor(ty.dtype(), dims), spec, stored))
    }
}

/// The block specification of an array with extents `dims`, and those extents, if its axes longer than one are
/// `extents` in that order; otherwise that of the array reshaped to `extents`.
fn spec(dims: &[usize], extents: &[usize], indices: &[BlockIndex]) -> (BlockSpec, Dims) {
    if !dims.iter().filter(|d| **d > 1).eq(extents) {
        return (BlockSpec { axes: indices.into() }, extents.into());
    }
    let mut long = indices.iter();
    let axes = dims
        .iter()
        .map(|&d| if d > 1 { *long.next().unwrap_or(&BlockIndex::First) } else { BlockIndex::First });
    (BlockSpec { axes: axes.collect() }, dims.into())
}
