use jarrah_base::{DType, Dims, Result, Type};
use smallvec::SmallVec;

use super::{BlockIndex, BlockSpec, Kernel, Start};
use crate::builder::Builder;
use crate::ops::{Clamp, Comparison, DynamicSlice, DynamicUpdateSlice, ElementwiseKind, Pad, Scan};
use crate::program::{Operands, Program, Value};
use crate::rules::Rules;

impl Kernel {
    /// The kernel in ordinary ops, over operands of these types: a scan over the grid points, each of which cuts its
    /// blocks out of the arrays, runs the body, and puts its blocks into the results that are carried.
    ///
    /// # Errors
    /// The types do not fit.
    ///
    /// ```
    /// use jarrah_base::Type;
    /// use jarrah_hlo::{Op, Rules, ops::Kernel};
    ///
    /// for example in Kernel::examples() {
    ///     let Op::Kernel(kernel) = &example.op else { continue };
    ///     let types: Vec<Type> = example.operands.iter().map(|x| x.ty()).collect();
    ///     assert_eq!(kernel.definition(&types)?.result_types()[..], kernel.infer(&types)?[..]);
    /// }
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn definition(&self, operands: &[Type]) -> Result<Program> {
        self.infer(operands)?;
        let mut b = Builder::new(self.body.name());
        let params: Vec<Value> = operands.iter().map(|&ty| b.param(ty, "")).collect();
        if self.has_no_points() {
            let mut begun = Vec::new();
            for output in &self.outputs {
                begun.push(match output.start {
                    Start::Fresh | Start::Zeros => b.zeros(output.ty)?,
                    Start::Operand(i) => params[i],
                });
            }
            return b.finish(&begun);
        }
        let (whole, blocked) = params.split_at(self.prefetch);
        let types = operands.iter().skip(self.prefetch);
        let inputs: Vec<Room> =
            self.inputs.iter().zip(types).map(|(block, ty)| self.room(block, *ty)).collect();
        let outputs: Vec<Room> =
            self.outputs.iter().map(|output| self.room(&output.block, output.ty)).collect();

        let mut args = whole.to_vec();
        for (room, &x) in inputs.iter().zip(blocked) {
            args.push(room.pad(&mut b, x)?);
        }
        let consts = args.len();
        for (room, output) in outputs.iter().zip(&self.outputs) {
            args.push(match output.start {
                Start::Fresh | Start::Zeros => b.zeros(room.ty())?,
                Start::Operand(i) => room.pad(&mut b, params[i])?,
            });
        }
        for &ty in &self.scratch {
            args.push(b.zeros(ty)?);
        }
        let carry = args.len() - consts;
        let length = self.grid.iter().product();
        for axis in 0..self.grid.len() {
            let positions = b.iota(Type::tensor(DType::I32, self.grid.iter().copied()), axis)?;
            args.push(b.reshape(positions, &[length])?);
        }
        let types = b.types(&args);
        let body = self.step(&types[..consts + carry], &inputs, &outputs)?;
        let last = b.push(Scan { body: body.into(), consts, carry, length, reverse: false }, &args)?;
        let mut results = Vec::new();
        for (room, &last) in outputs.iter().zip(&last) {
            results.push(room.inside(&mut b, last)?);
        }
        b.finish(&results)
    }

    /// One grid point: takes the prefetched operands, the padded inputs, the padded results, the scratch arrays and the
    /// position; returns the padded results and the scratch arrays.
    fn step(&self, types: &[Type], inputs: &[Room], outputs: &[Room]) -> Result<Program> {
        let mut b = Builder::new(self.body.name());
        let params: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
        let position: Vec<Value> = self.grid.iter().map(|_| b.param(Type::scalar(DType::I32), "")).collect();
        let (whole, rest) = params.split_at(self.prefetch);
        let (arrays, rest) = rest.split_at(inputs.len());
        let (results, scratch) = rest.split_at(outputs.len());

        let mut args = position.clone();
        args.extend(whole);
        let found = match &self.map {
            Some(map) => b.inline(map, &args)?,
            None => Vec::new(),
        };
        for (room, &array) in inputs.iter().zip(arrays) {
            let starts = room.starts(&mut b, &position, &found)?;
            args.push(room.cut(&mut b, array, &starts)?);
        }
        let mut places = Vec::with_capacity(outputs.len());
        for room in outputs {
            places.push(room.starts(&mut b, &position, &found)?);
        }
        for i in self.held() {
            args.push(outputs[i].cut(&mut b, results[i], &places[i])?);
        }
        args.extend(self.fresh_scratch(&mut b, &position, scratch)?);
        let computed = b.inline(&self.body, &args)?;
        let (blocks, scratch) = computed.split_at(outputs.len());
        let mut returned = Vec::with_capacity(computed.len());
        for (i, (room, &block)) in outputs.iter().zip(blocks).enumerate() {
            // A later point that holds the block reads zeros outside of the result, whatever was stored there.
            let block = match self.outputs[i].start {
                Start::Fresh => block,
                _ => room.mask(&mut b, block, &places[i])?,
            };
            returned.push(room.put(&mut b, results[i], block, &places[i])?);
        }
        returned.extend(scratch);
        b.finish(&returned)
    }

    /// The scratch arrays before a point: zeros for the first of those that are not independent of each other.
    fn fresh_scratch(&self, b: &mut Builder, position: &[Value], scratch: &[Value]) -> Result<Vec<Value>> {
        let independent = self.independent_axes();
        if scratch.is_empty() || independent == 0 {
            return Ok(scratch.to_vec());
        }
        let zero = b.scalar(0i32)?;
        let mut first: Option<Value> = None;
        for &at in &position[independent..] {
            let at_start = b.compare(Comparison::Eq, at, zero)?;
            first = Some(match first {
                Some(first) => b.binary(ElementwiseKind::And, first, at_start)?,
                None => at_start,
            });
        }
        let mut fresh = Vec::with_capacity(scratch.len());
        for &array in scratch {
            let zeros = b.zeros_like(array)?;
            fresh.push(match first {
                Some(first) => {
                    let first = b.broadcast_in_dim(first, &b.ty(array).dims(), &[])?;
                    b.select(first, zeros, array)?
                }
                None => zeros,
            });
        }
        Ok(fresh)
    }

    fn room(&self, block: &BlockSpec, ty: Type) -> Room {
        let axes = block.axes.iter().zip(ty.extents()).map(|(&index, extent)| {
            let size = index.size(extent).unwrap_or(1);
            let steps = index.grid().and_then(|g| self.grid.get(g)).copied().unwrap_or(1);
            let (low, high) = match index {
                BlockIndex::Whole | BlockIndex::First => (0, 0),
                BlockIndex::Block { .. } | BlockIndex::Point { .. } => {
                    // No point cuts a block where the grid is empty, and yet there is one to cut.
                    (0, size.saturating_mul(steps.max(1)).saturating_sub(extent))
                }
                BlockIndex::At { .. } | BlockIndex::PointAt { .. } => (size, size),
            };
            Axis { index, extent, size, low, high }
        });
        Room { ty, axes: axes.collect() }
    }
}

/// An array with as much room around it as its blocks reach outside.
struct Room {
    ty: Type,
    axes: SmallVec<[Axis; 6]>,
}

struct Axis {
    index: BlockIndex,
    /// The elements of the array.
    extent: usize,
    /// The elements of a block.
    size: usize,
    /// The room in front.
    low: usize,
    /// The room behind.
    high: usize,
}

impl Room {
    /// The type of the array with the room around it.
    fn ty(&self) -> Type {
        self.ty.with_dims(self.axes.iter().map(|axis| axis.low + axis.extent + axis.high))
    }

    /// The array with zeros around it.
    fn pad(&self, b: &mut Builder, x: Value) -> Result<Value> {
        if self.ty() == self.ty {
            return Ok(x);
        }
        let zero = b.zeros(Type::scalar(self.ty.dtype()))?;
        let low = self.axes.iter().map(|axis| axis.low as i64).collect();
        let high = self.axes.iter().map(|axis| axis.high as i64).collect();
        b.one(Pad { low, high, interior: self.axes.iter().map(|_| 0).collect() }, &[x, zero])
    }

    /// The array without the room around it.
    fn inside(&self, b: &mut Builder, x: Value) -> Result<Value> {
        if self.ty() == self.ty {
            return Ok(x);
        }
        let starts: Dims = self.axes.iter().map(|axis| axis.low).collect();
        let limits: Dims = self.axes.iter().map(|axis| axis.low + axis.extent).collect();
        b.slice(x, &starts, &limits)
    }

    /// Where the block at a position begins in the array with room, an `i64` per axis: a block that lies outside begins in
    /// the room.
    fn starts(&self, b: &mut Builder, position: &[Value], found: &[Value]) -> Result<Operands> {
        let mut starts = Operands::new();
        for axis in &self.axes {
            let scaled = |b: &mut Builder, at: Value, unit: usize| -> Result<Value> {
                let at = b.convert(at, DType::I64)?;
                let unit = b.scalar(unit as i64)?;
                b.mul(at, unit)
            };
            starts.push(match axis.index {
                BlockIndex::Whole | BlockIndex::First => b.scalar(0i64)?,
                BlockIndex::Block { size, grid } => scaled(b, position[grid], size)?,
                BlockIndex::Point { grid } => b.convert(position[grid], DType::I64)?,
                BlockIndex::At { result, .. } | BlockIndex::PointAt { result } => {
                    let unit = if let BlockIndex::At { unit, .. } = axis.index { unit } else { 1 };
                    let start = scaled(b, found[result], unit)?;
                    let size = b.scalar(axis.size as i64)?;
                    let start = b.add(start, size)?;
                    let (first, last) = (b.scalar(0i64)?, b.scalar((axis.extent + axis.size) as i64)?);
                    b.one(Clamp, &[first, start, last])?
                }
            });
        }
        Ok(starts)
    }

    fn sizes(&self) -> Dims {
        self.axes.iter().map(|axis| axis.size).collect()
    }

    /// The block that begins there.
    fn cut(&self, b: &mut Builder, x: Value, starts: &[Value]) -> Result<Value> {
        let block: Dims = self.axes.iter().filter_map(|axis| axis.index.size(axis.extent)).collect();
        if self.is_whole() {
            return Ok(x);
        }
        let operands: Operands = std::iter::once(x).chain(starts.iter().copied()).collect();
        let cut = b.one(DynamicSlice { sizes: self.sizes() }, &operands)?;
        b.reshape(cut, &block)
    }

    /// The array with `block` where it begins.
    fn put(&self, b: &mut Builder, x: Value, block: Value, starts: &[Value]) -> Result<Value> {
        if self.is_whole() {
            return Ok(block);
        }
        let block = b.reshape(block, &self.sizes())?;
        let operands: Operands = [x, block].into_iter().chain(starts.iter().copied()).collect();
        b.one(DynamicUpdateSlice, &operands)
    }

    fn is_whole(&self) -> bool {
        self.axes.iter().all(|axis| axis.index == BlockIndex::Whole)
    }

    /// The block with zeros where it lies in the room.
    fn mask(&self, b: &mut Builder, block: Value, starts: &[Value]) -> Result<Value> {
        let dims = self.sizes();
        let mut masked = b.reshape(block, &dims)?;
        for (i, axis) in self.axes.iter().enumerate().filter(|(_, axis)| axis.low + axis.high > 0) {
            let at = b.iota(Type::tensor(DType::I64, dims.iter().copied()), i)?;
            let start = b.broadcast_in_dim(starts[i], &dims, &[])?;
            let at = b.add(at, start)?;
            let ty = b.ty(at);
            let low = b.full(ty, axis.low as f64)?;
            let end = b.full(ty, (axis.low + axis.extent) as f64)?;
            let after = b.compare(Comparison::Ge, at, low)?;
            let before = b.compare(Comparison::Lt, at, end)?;
            let inside = b.binary(ElementwiseKind::And, after, before)?;
            let zeros = b.zeros_like(masked)?;
            masked = b.select(inside, masked, zeros)?;
        }
        let ty = b.ty(block);
        b.reshape(masked, &ty.dims())
    }
}
