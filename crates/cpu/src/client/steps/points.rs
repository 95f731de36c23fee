//! Kernels whose points run steps.
//!
//! Points along axes where no order is seen run on several threads. Where the map finds blocks of results, it says before the run
//! whether any two points store the same block; where two do, all points run in order. Each thread has a room of its own: for the position, for
//! copies of blocks, for scratch arrays and for whatever the steps of the body need. A block that is contiguous and lies inside
//! its array is used where it is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use jarrah_base::{Error, Result, Type};
use jarrah_execute::{OWN, Place, PlacedArray, PlacedProgram, SHARED, Step, StepSite, assignment, nested};
use jarrah_hlo::Rules;
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Kernel, KernelOutput, Start};
use jarrah_runtime::Way;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::{copy, row_major};
use crate::client::device::{BuiltStep, Cpu, Frame, FramePointers, StepBuilder};
use crate::client::memory::Pointer;
use crate::copy::copy as strided;

/// A kernel of less work than this stays on the calling thread.
const SMALL: f64 = 8192.0;
/// How many portions of points there are for each thread: enough that points of unequal work end at about the same time.
const PORTIONS: usize = 64;

/// A position, or where a block begins.
type Starts = SmallVec<[i64; 6]>;

struct Points {
    grid: SmallVec<[usize; 6]>,
    order: Order,
    /// The results whose blocks the map finds, where points run at the same time only if it finds each block once.
    found_apart: Vec<usize>,
    /// How many leading grid axes have points that share no scratch.
    independent: usize,
    inputs: Vec<View>,
    outputs: Vec<Output>,
    scratch: Vec<Scratch>,
    positions: Vec<Place>,
    map: Vec<BuiltStep>,
    /// The results of the map.
    found: Vec<Place>,
    body: Vec<BuiltStep>,
    /// The contents of results before the first point.
    begin: Vec<Begin>,
    /// The base of a thread's room, and where the memory of the body's steps lies in it.
    room: u32,
    own: usize,
    shared: usize,
    /// The bytes of a room, how many there are, and where.
    bytes: usize,
    rooms: usize,
    all: Place,
}

/// The grid axes whose points run at the same time; those along the others run one after another.
struct Order {
    apart: Vec<usize>,
    in_order: Vec<usize>,
}

impl Order {
    /// All points one after another.
    fn row_major(axes: usize) -> Order {
        Order { apart: Vec::new(), in_order: (0..axes).collect() }
    }
}

/// The blocks of an array.
struct View {
    array: PlacedArray,
    spec: BlockSpec,
    dims: Vec<usize>,
    strides: Vec<isize>,
    /// The strides of a copy of the block.
    block_strides: Vec<isize>,
    /// The base that the body's parameter for the block is bound to.
    base: u32,
    /// A copy of the block, in a thread's room.
    copy: Place,
    bytes: usize,
    /// Whether the body may work on the block where it lies, if it is inside.
    direct: bool,
}

struct Output {
    /// Where the body's result goes.
    result: View,
    held: Held,
}

/// The block of a result that the body is given.
enum Held {
    Nothing,
    /// The block, in whose place the result goes.
    InPlace,
    /// A copy of the block.
    Copied(Box<View>),
}

/// A scratch array in a thread's room.
struct Scratch {
    /// The bases that the body reads and writes, equal where the array is changed in place.
    bases: (u32, u32),
    copies: (Place, Place),
    bytes: usize,
}

/// The contents of a result before the first point.
enum Begin {
    Zeros(PlacedArray),
    Copy(PlacedArray, Place),
}

/// The part of an array that a block covers.
struct Part {
    /// The bytes from the start of the array, and from that of the block.
    from: usize,
    into: usize,
    extents: SmallVec<[usize; 6]>,
    strides: SmallVec<[isize; 6]>,
    /// Whether all of the block lies inside.
    inside: bool,
}

/// The places of a room, one behind the other.
#[derive(Default)]
struct Room {
    base: u32,
    bytes: usize,
}

impl Room {
    fn take(&mut self, bytes: usize) -> Place {
        let offset = self.bytes;
        let taken = bytes.checked_next_multiple_of(64).unwrap_or(usize::MAX);
        self.bytes = self.bytes.saturating_add(taken);
        Place { base: self.base, offset }
    }
}

pub fn step(b: &mut StepBuilder, site: &StepSite<'_>, op: &Kernel) -> Result<Box<dyn Step<Cpu>>> {
    let nested = nested(site)?;
    let of_body = assignment(nested, 0)?;
    let mut room = Room { base: b.base(), bytes: 0 };
    // The memory that the body's steps ask for is a part of each room.
    let (own, shared) = (std::mem::take(&mut b.own), std::mem::take(&mut b.shared));
    let positions: Vec<Place> = op.grid.iter().map(|_| room.take(size_of::<i32>())).collect();
    let (whole, blocked) = site.operands.split_at(op.prefetch);
    let uses = op.body.use_counts();
    let mut params = positions.clone();
    params.extend(whole.iter().map(|array| array.loc));
    let outside = params.clone();

    let mut inputs = Vec::new();
    for (array, spec) in blocked.iter().zip(&op.inputs) {
        let is_used = uses[params.len()] > 0;
        let block = op.body.params()[params.len()].ty;
        // A result that lies on the operand may be written before the block is read.
        let written = site.results.iter().any(|result| result.loc == array.loc);
        let view = View::new(b, &mut room, (*array, spec, block), &op.grid, !written);
        params.push(Place::base(view.base));
        if is_used {
            inputs.push(view);
        }
    }
    let (mut outputs, mut begin, mut results) = (Vec::new(), Vec::new(), Vec::new());
    for (i, (array, output)) in site.results.iter().zip(&op.outputs).enumerate() {
        let block = op.body.ty(op.body.results()[i]);
        let fresh = output.start == Start::Fresh;
        let in_place = !fresh && of_body.donations[i] == Some(params.len());
        let result = View::new(b, &mut room, (*array, &output.block, block), &op.grid, fresh || in_place);
        results.push(Place::base(result.base));
        let held = match (fresh, in_place) {
            (true, _) => Held::Nothing,
            (_, true) => {
                params.push(Place::base(result.base));
                Held::InPlace
            }
            (_, false) => {
                let view = View::new(b, &mut room, (*array, &output.block, block), &op.grid, false);
                params.push(Place::base(view.base));
                Held::Copied(Box::new(view))
            }
        };
        let is_covered = output.block.covers(output.ty, &op.grid);
        match output.start {
            Start::Fresh if is_covered => {}
            Start::Fresh | Start::Zeros => begin.push(Begin::Zeros(*array)),
            Start::Operand(i) => begin.push(Begin::Copy(site.operands[i], array.loc)),
        }
        outputs.push(Output { result, held });
    }
    let mut scratch = Vec::new();
    for (i, ty) in op.scratch.iter().enumerate() {
        let in_place = of_body.donations[op.outputs.len() + i] == Some(params.len());
        let bytes = ty.bytes()?;
        let (read, first) = (b.base(), room.take(bytes));
        let (write, second) = if in_place { (read, first) } else { (b.base(), room.take(bytes)) };
        params.push(Place::base(read));
        results.push(Place::base(write));
        scratch.push(Scratch { bases: (read, write), copies: (first, second), bytes });
    }
    let arena = room.take(of_body.arena());
    let body = b.block(&PlacedProgram { program: &op.body, assignment: of_body, params, results, arena })?;
    let (mut map, mut found) = (Vec::new(), Vec::new());
    if let Some(program) = &op.map {
        let of_map = assignment(nested, 1)?;
        found = program.results().iter().map(|_| room.take(size_of::<i32>())).collect();
        let arena = room.take(of_map.arena());
        let results = found.clone();
        map = b.block(&PlacedProgram { program, assignment: of_map, params: outside, results, arena })?;
    }
    let (of_body_own, of_body_shared) = (room.take(b.own).offset, room.take(b.shared).offset);
    (b.own, b.shared) = (own, shared);

    let (order, rooms) = order(op, site, b.plans.threads);
    let stays = |output: &KernelOutput| order.apart.iter().any(|&axis| !output.block.moves_along(axis));
    let found_apart = (0..outputs.len()).filter(|&i| stays(&op.outputs[i])).collect();
    Ok(Box::new(Points {
        grid: op.grid.clone(),
        order,
        found_apart,
        independent: op.independent_axes(),
        inputs,
        outputs,
        scratch,
        positions,
        map,
        found,
        body,
        begin,
        room: room.base,
        own: of_body_own,
        shared: of_body_shared,
        bytes: room.bytes,
        rooms,
        all: b.shared(room.bytes.saturating_mul(rooms)),
    }))
}

/// The order of a kernel's points, and the number of rooms: points run at the same time on up to so many threads.
fn order(op: &Kernel, site: &StepSite<'_>, threads: usize) -> (Order, usize) {
    let is_found = |output: &KernelOutput| output.block.is_found();
    // Blocks that the map counts are the same or apart.
    let is_counted = |output: &KernelOutput| {
        output
            .block
            .axes
            .iter()
            .all(|index| !matches!(*index, BlockIndex::At { size, unit, .. } if unit != size))
    };
    let may_be_apart = |axis: usize| {
        let moves = |output: &KernelOutput| output.block.moves_along(axis) || is_found(output);
        let scratch = op.scratch.is_empty() || axis < op.independent_axes();
        scratch && op.outputs.iter().all(|output| moves(output) && is_counted(output))
    };
    let is_apart = |axis: &usize| op.grid[*axis] > 1 && (op.is_parallel(*axis) || may_be_apart(*axis));
    let types = |arrays: &[PlacedArray]| arrays.iter().map(|array| array.ty).collect::<Vec<Type>>();
    let cost = op.cost(&types(&site.operands), &types(&site.results)).unwrap_or_default();
    let mut order = Order::row_major(op.grid.len());
    if op.effects().is_pure() && cost.flops + cost.bytes >= SMALL {
        (order.apart, order.in_order) = (0..op.grid.len()).partition(is_apart);
    }
    let count: usize = order.apart.iter().map(|&axis| op.grid[axis]).product();
    match threads.min(count).max(1) {
        1 => (Order::row_major(op.grid.len()), 1),
        rooms => (order, rooms),
    }
}

impl View {
    fn new(
        b: &mut StepBuilder,
        room: &mut Room,
        (array, spec, block): (PlacedArray, &BlockSpec, Type),
        grid: &[usize],
        direct: bool,
    ) -> View {
        let dims = array.dims();
        let block_dims: Vec<usize> = block.extents().collect();
        let bytes = block_dims.iter().product::<usize>() * array.size();
        // The elements of a block follow each other if only its first axis above extent one is cut.
        let sizes: Vec<usize> =
            spec.axes.iter().zip(&dims).map(|(index, &extent)| index.size(extent).unwrap_or(1)).collect();
        let cut = sizes.iter().position(|&size| size > 1).unwrap_or(sizes.len());
        let dense = (cut + 1..sizes.len()).all(|axis| sizes[axis] == dims[axis]);
        let direct = direct && dense;
        // A block that is never copied needs no room.
        let stays = direct && spec.is_inside(array.ty, grid);
        View {
            array,
            spec: spec.clone(),
            strides: row_major(&dims),
            dims,
            block_strides: row_major(&block_dims),
            base: b.base(),
            copy: room.take(if stays { 0 } else { bytes }),
            bytes,
            direct,
        }
    }

    fn part(&self, starts: &[i64]) -> Part {
        let mut part = Part { from: 0, into: 0, extents: smallvec![], strides: smallvec![], inside: true };
        let mut is_outside = false;
        for (axis, (index, &extent)) in self.spec.axes.iter().zip(&self.dims).enumerate() {
            let size = index.size(extent);
            let length = size.unwrap_or(1) as i64;
            let start = starts[axis];
            let first = start.clamp(0, extent as i64);
            let last = start.saturating_add(length).clamp(first, extent as i64);
            part.inside &= last - first == length;
            is_outside |= first == last;
            part.from += first as usize * self.strides[axis] as usize;
            if size.is_some() {
                let skipped = first.saturating_sub(start).clamp(0, length) as usize;
                part.into += skipped * self.block_strides[part.extents.len()] as usize;
                part.extents.push((last - first) as usize);
                part.strides.push(self.strides[axis]);
            }
        }
        if is_outside {
            // Also where no axis is left that could be empty.
            part.extents = smallvec![0];
        }
        part.from *= self.array.size();
        part.into *= self.array.size();
        part
    }

    /// Where the block lies in the array.
    fn place(&self, frame: &Frame<'_>, part: &Part) -> *mut u8 {
        frame.at(self.array.loc).wrapping_add(part.from)
    }

    /// Copies the block out of the array; zeros where it is outside.
    fn load(&self, frame: &Frame<'_>, part: &Part) {
        let to = frame.at(self.copy);
        if !part.inside {
            // SAFETY: the copy is memory of this thread alone.
            unsafe { to.write_bytes(0, self.bytes) };
        }
        self.moved(frame, part, false);
    }

    /// Copies the block into the array, but for what is outside.
    fn store(&self, frame: &Frame<'_>, part: &Part) {
        self.moved(frame, part, true);
    }

    fn moved(&self, frame: &Frame<'_>, part: &Part, back: bool) {
        let array = self.place(frame, part);
        let block = frame.at(self.copy).wrapping_add(part.into);
        if part.extents.contains(&0) {
            return;
        }
        let strides = &self.block_strides[..];
        let size = self.array.size();
        // SAFETY: the extents are cut to the array and to the copy of the block, which are distinct memory; what is stored is
        // stored by no other thread.
        unsafe {
            match back {
                true => {
                    strided(&frame.device.pool, size, &part.extents, block, strides, array, &part.strides)
                }
                false => {
                    strided(&frame.device.pool, size, &part.extents, array, &part.strides, block, strides)
                }
            }
        }
    }
}

/// The starts of the blocks of which a thread has copies, kept from point to point.
struct PointMemory {
    inputs: Vec<Option<Starts>>,
    /// Of results that are changed in place, those that are not stored yet.
    outputs: Vec<Option<Starts>>,
}

impl Points {
    fn memory(&self) -> PointMemory {
        PointMemory { inputs: vec![None; self.inputs.len()], outputs: vec![None; self.outputs.len()] }
    }

    /// Prepares `frame` for a thread that works in room `index`.
    fn enter(&self, frame: &mut Frame<'_>, index: usize) {
        let room = frame.at(self.all).wrapping_add(index * self.bytes);
        frame.bind(self.room, Pointer::new(room));
        frame.bind(OWN, Pointer::new(room.wrapping_add(self.own)));
        frame.bind(SHARED, Pointer::new(room.wrapping_add(self.shared)));
        for scratch in &self.scratch {
            let (first, second) = (frame.at(scratch.copies.0), frame.at(scratch.copies.1));
            frame.bind(scratch.bases.0, Pointer::new(first));
            frame.bind(scratch.bases.1, Pointer::new(second));
        }
    }

    /// Calls `each` with all positions that are this one along the axes whose points run at the same time.
    fn portion(
        &self,
        order: &Order,
        index: usize,
        mut each: impl FnMut(&[usize]) -> Result<()>,
    ) -> Result<()> {
        let mut position: SmallVec<[usize; 6]> = smallvec![0; self.grid.len()];
        let mut rest = index;
        for &axis in order.apart.iter().rev() {
            position[axis] = rest % self.grid[axis];
            rest /= self.grid[axis];
        }
        loop {
            each(&position)?;
            let next = order.in_order.iter().rposition(|&axis| position[axis] + 1 < self.grid[axis]);
            let Some(next) = next else { return Ok(()) };
            position[order.in_order[next]] += 1;
            for &axis in &order.in_order[next + 1..] {
                position[axis] = 0;
            }
        }
    }

    /// How many portions there are.
    fn portions(&self, order: &Order) -> usize {
        order.apart.iter().map(|&axis| self.grid[axis]).product()
    }

    /// The results of the map for a point.
    fn find(&self, frame: &mut Frame<'_>, position: &[usize]) -> Result<SmallVec<[i32; 8]>> {
        for (&at, &loc) in position.iter().zip(&self.positions) {
            // SAFETY: four bytes of this thread's room, 64-byte aligned; inference says that positions fit.
            unsafe { frame.at(loc).cast::<i32>().write(at as i32) };
        }
        frame.run(&self.map)?;
        // SAFETY: the map wrote an `i32` to each.
        let read = |loc: &Place| unsafe { frame.at(*loc).cast::<i32>().read() };
        Ok(self.found.iter().map(read).collect())
    }

    /// A frame in which this thread runs points alone, observed if the steps of the body are.
    fn alone<'a>(&self, frame: &Frame<'a>) -> Frame<'a> {
        if self.nests() { frame.clone() } else { frame.clone().unobserved() }
    }

    /// Whether no two portions store the same block of a result whose blocks the map finds.
    fn stores_once(&self, frame: &mut Frame<'_>) -> Result<bool> {
        let mut owners: FxHashMap<(usize, Starts), usize> = FxHashMap::default();
        let mut inner = self.alone(frame);
        self.enter(&mut inner, 0);
        let mut once = true;
        for index in 0..self.portions(&self.order) {
            self.portion(&self.order, index, |position| {
                let found = self.find(&mut inner, position)?;
                for &i in &self.found_apart {
                    let starts = self.outputs[i].result.spec.starts(position, &found);
                    once &= *owners.entry((i, starts)).or_insert(index) == index;
                }
                Ok(())
            })?;
            if !once {
                break;
            }
        }
        Ok(once)
    }

    fn point(&self, frame: &mut Frame<'_>, memory: &mut PointMemory, position: &[usize]) -> Result<()> {
        let found = self.find(frame, position)?;
        for (view, last) in self.inputs.iter().zip(&mut memory.inputs) {
            let starts = view.spec.starts(position, &found);
            if last.as_ref() == Some(&starts) {
                continue;
            }
            let part = view.part(&starts);
            if view.direct && part.inside {
                let place = view.place(frame, &part);
                frame.bind(view.base, Pointer::new(place));
            } else {
                view.load(frame, &part);
                let copy = frame.at(view.copy);
                frame.bind(view.base, Pointer::new(copy));
            }
            *last = Some(starts);
        }
        let mut parts: SmallVec<[Option<(Part, Starts)>; 4]> = SmallVec::new();
        for (output, last) in self.outputs.iter().zip(&mut memory.outputs) {
            let view = &output.result;
            let starts = view.spec.starts(position, &found);
            if last.as_ref() == Some(&starts) {
                parts.push(None);
                continue;
            }
            if let Some(before) = last.take() {
                view.store(frame, &view.part(&before));
            }
            let part = view.part(&starts);
            if view.direct && part.inside {
                let place = view.place(frame, &part);
                frame.bind(view.base, Pointer::new(place));
                parts.push(None);
                continue;
            }
            let copy = frame.at(view.copy);
            frame.bind(view.base, Pointer::new(copy));
            match &output.held {
                Held::Nothing => {}
                Held::InPlace => view.load(frame, &part),
                Held::Copied(held) => {
                    held.load(frame, &part);
                    let copy = frame.at(held.copy);
                    frame.bind(held.base, Pointer::new(copy));
                }
            }
            parts.push(Some((part, starts)));
        }
        let is_first = position[self.independent..].iter().all(|&at| at == 0);
        for scratch in self.scratch.iter().filter(|_| is_first) {
            let to = frame.at(Place::base(scratch.bases.0));
            // SAFETY: memory of this thread's room.
            unsafe { to.write_bytes(0, scratch.bytes) };
        }
        frame.run(&self.body)?;
        for ((output, last), part) in self.outputs.iter().zip(&mut memory.outputs).zip(parts) {
            let Some((part, starts)) = part else { continue };
            // A block that the next point may hold again is stored when another one takes its place.
            match output.held {
                Held::InPlace if part.inside => *last = Some(starts),
                _ => output.result.store(frame, &part),
            }
        }
        for Scratch { bases: (read, write), .. } in &self.scratch {
            let (old, new) = (frame.at(Place::base(*read)), frame.at(Place::base(*write)));
            frame.bind(*read, Pointer::new(new));
            frame.bind(*write, Pointer::new(old));
        }
        Ok(())
    }

    /// Stores the blocks that are not stored yet.
    fn finish(&self, frame: &Frame<'_>, memory: &mut PointMemory) {
        for (output, last) in self.outputs.iter().zip(&mut memory.outputs) {
            if let Some(starts) = last.take() {
                output.result.store(frame, &output.result.part(&starts));
            }
        }
    }
}

impl Step<Cpu> for Points {
    fn run(&self, frame: &mut Frame<'_>) -> Result<()> {
        for begin in &self.begin {
            match begin {
                Begin::Zeros(array) => {
                    // SAFETY: a step's results are writable.
                    unsafe { frame.at(array.loc).write_bytes(0, array.bytes()) };
                }
                Begin::Copy(from, to) if from.loc != *to && frame.at(from.loc) != frame.at(*to) => {
                    // SAFETY: an operand and a result of one type, which share all of their memory or none.
                    unsafe { copy::bytes(frame, frame.at(from.loc), frame.at(*to), from.bytes()) };
                }
                Begin::Copy(..) => {}
            }
        }
        if self.grid.contains(&0) {
            return Ok(());
        }
        if self.rooms == 1 || !self.found_apart.is_empty() && !self.stores_once(frame)? {
            let mut inner = self.alone(frame);
            let mut memory = self.memory();
            self.enter(&mut inner, 0);
            let in_order = Order::row_major(self.grid.len());
            let ran = self.portion(&in_order, 0, |position| self.point(&mut inner, &mut memory, position));
            self.finish(&inner, &mut memory);
            return ran;
        }
        let count = self.portions(&self.order);
        let outer = frame.clone().unobserved();
        let (device, next) = (frame.device, AtomicUsize::new(0));
        let portion = count.div_ceil(self.rooms * PORTIONS);
        // The error of the first of the points that failed.
        let failed: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        device.pool.run(self.rooms, &|room| {
            let mut frame = outer.clone();
            let mut memory = self.memory();
            self.enter(&mut frame, room);
            loop {
                let first = next.fetch_add(portion, Ordering::Relaxed);
                let mut points = first..count.min(first.saturating_add(portion));
                if points.is_empty() {
                    break;
                }
                let ran = points.try_for_each(|index| {
                    let ran = self.portion(&self.order, index, |position| {
                        self.point(&mut frame, &mut memory, position)
                    });
                    ran.map_err(|error| (index, error))
                });
                if let Err((index, error)) = ran {
                    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                    if failed.as_ref().is_none_or(|(before, _)| index < *before) {
                        *failed = Some((index, error));
                    }
                    break;
                }
            }
            self.finish(&frame, &mut memory);
        });
        failed.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
    }

    fn way(&self) -> Way {
        Way::Points
    }

    /// Where threads share the points, nobody observes the steps of the body.
    fn nests(&self) -> bool {
        self.rooms == 1
    }
}
