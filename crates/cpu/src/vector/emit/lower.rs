//! Lowers a kernel's body to blocks: for each level of reductions the values that are computed once per row, then those that are
//! computed for every column.

mod arg;
mod known;
mod rows;
pub(super) mod scalars;
mod tables;
mod units;

use jarrah_base::DType;
use jarrah_tile::{Axis, Class, Inst, LoopKernel, LoopReducer, Map, Reg};
use rustc_hash::{FxHashMap, FxHashSet};

use super::alloc::MOST_DIMS;
use super::graph::{Base, Block, Effect, GROUP, Graph, Home, Node, Parts, Shared};
use super::values::{Kind, kind};
use crate::vector::element::compute_type;
use crate::vector::fold::CHUNK;
use crate::vector::row_blocks::{Calls, Scaling, To};
use tables::Tables;

/// The most groups that a loop processes side by side.
pub(super) const MOST_COPIES: usize = 4;
/// The most weight of a value that a later loop computes again instead of loading it.
const LIGHT: usize = 8;

/// The part of a kernel that a function computes; see [`crate::vector::program::Goal`].
pub(in crate::vector) struct Task<'a> {
    pub kernel: &'a LoopKernel,
    pub types: &'a [(DType, Class)],
    pub reductions: &'a [usize],
    pub stores: &'a [usize],
    /// For each instruction the number of its result, if that is given: per row, or per column after a column reduction.
    pub given: &'a [Option<u16>],
    pub partial: &'a [Option<u16>],
    /// The dimension along which rows run, if there are rows.
    pub run: Option<usize>,
    /// The most columns of a row.
    pub cols: usize,
    /// The calls that take the task's values instead of stores, if each row is a call that makes several rows.
    pub calls: Option<&'a Calls>,
}

impl Task<'_> {
    /// How far the index of the dimension of rows moves from one row to the next.
    pub fn moves(&self) -> usize {
        match (self.calls, self.run) {
            (Some(calls), Some(dim)) => calls.next[dim],
            _ => 1,
        }
    }

    /// The number of factors of a call.
    fn factors(&self) -> usize {
        self.calls.map_or(0, Calls::factors)
    }
}

/// The memory that a pointer of the table points to.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::vector) enum Source {
    Input(usize, Map),
    Output(usize, Map),
    Given(u16),
    Partial(u16),
    /// The columns of partial extremes.
    PartialIndex(u16),
    /// Lanes of a column reduction, a row of them for each lane.
    Lanes(u16),
    /// A row of chains.
    Chain(u16),
    /// The factors by which the values of a row are multiplied, for a row of chains.
    Factor(u16),
    /// The words of a panel, by their distance from the first word that a call writes.
    Panel(u32),
}

impl Source {
    /// The distance in elements from the memory of `other` to the memory of `self`, if it is the same for all rows and columns.
    fn from(&self, other: &Source) -> Option<i64> {
        match (self, other) {
            (Source::Input(i, map), Source::Input(j, first))
                if i == j && map.rows == first.rows && map.col == first.col =>
            {
                map.offset.checked_sub(first.offset)
            }
            (Source::Factor(f), Source::Factor(first)) => Some(i64::from(*f) - i64::from(*first)),
            (Source::Panel(at), Source::Panel(first)) => Some(i64::from(*at) - i64::from(*first)),
            _ => (self == other).then_some(0),
        }
    }
}

/// A pointer, and how far it moves from row to row.
#[derive(Clone, Debug)]
pub(in crate::vector) struct Pointer {
    pub source: Source,
    pub size: usize,
    pub pitch: i64,
}

/// A value that a loop over columns carries from group to group.
pub(super) struct Carried {
    pub identity: Home,
    /// The slots in which the copies' values are left when the loop ends.
    pub slots: Vec<u16>,
    /// Whether each copy has a value of its own.
    pub split: bool,
}

/// The slots of a reduction's accumulators: per value, per part, per copy.
pub(super) type Folded = Vec<Vec<Vec<u16>>>;

/// A loop over columns.
#[derive(Default)]
pub(super) struct Columns {
    pub block: Block,
    pub carried: Vec<Carried>,
}

/// A fold of more than [`CHUNK`] columns: what follows each chunk, and the fold of the chunks' results.
pub(super) struct Chunks {
    pub each: Block,
    pub all: Columns,
}

pub(super) struct Phase {
    /// The block that runs once per row, before the columns.
    pub row: Block,
    pub columns: Option<Columns>,
    pub chunks: Option<Chunks>,
}

pub(super) struct Lowered {
    pub shared: Shared,
    pub pointers: Vec<Pointer>,
    pub phases: Vec<Phase>,
    /// The block that runs once per row, after all columns.
    pub last: Block,
    /// The pointers that point to lanes.
    pub lanes: Vec<u16>,
    /// The constants 0 to 7 and 8 to 15, from which masks of narrow vectors are made.
    pub ramp: [Home; 2],
    /// Whether loops over columns flush subnormal numbers to zero, except where [`Effect::Flush`] turns that off.
    pub flushes: bool,
}

struct Lowering<'a> {
    task: &'a Task<'a>,
    shared: Shared,
    pointers: Vec<Pointer>,
    accesses: FxHashMap<(u16, DType, i32), u16>,
    levels: Vec<usize>,
    /// The values that later blocks read from slots.
    slots: FxHashMap<usize, Vec<u16>>,
    buffers: FxHashMap<usize, u16>,
    folded: FxHashMap<usize, Folded>,
    /// The values that are looked up in tables instead of being computed.
    tables: Tables,
}

/// The blocks of a task; `None` where there is no code for something in it.
pub(super) fn lower(task: &Task<'_>, wide: bool) -> Option<Lowered> {
    let folds = task.kernel.body.iter().any(Inst::is_reduction);
    if task.kernel.rank() > MOST_DIMS || (folds && task.cols > CHUNK * CHUNK) {
        return None;
    }
    let mut l = Lowering::new(task, Shared::new(wide));
    l.tables = tables::of(task, l.shared.dots)?;
    l.levels = l.levels();
    l.run()
}

/// The loops over columns of a task: one for each level of reductions.
struct Loops {
    /// The stores of values of each column, which the last loop has, and of values of a row.
    wide_stores: Vec<usize>,
    row_stores: Vec<usize>,
    /// The instructions from which stores and reductions are computed.
    needed: FxHashSet<usize>,
    /// The reductions.
    folds: Vec<usize>,
    /// The first loop that computes a value of each column.
    first: FxHashMap<usize, usize>,
    /// The values of each column that each loop computes; others are read from a buffer of an earlier loop.
    computed: Vec<FxHashSet<usize>>,
}

impl<'a> Lowering<'a> {
    fn new(task: &'a Task<'a>, shared: Shared) -> Lowering<'a> {
        Lowering {
            task,
            shared,
            pointers: Vec::new(),
            accesses: FxHashMap::default(),
            levels: Vec::new(),
            slots: FxHashMap::default(),
            buffers: FxHashMap::default(),
            folded: FxHashMap::default(),
            tables: Tables::default(),
        }
    }

    fn inst(&self, i: usize) -> &Inst {
        &self.task.kernel.body[i]
    }

    fn dtype(&self, i: usize) -> DType {
        self.task.types[i].0
    }

    fn is_given(&self, i: usize) -> bool {
        self.task.given[i].is_some() && !self.task.reductions.contains(&i)
    }

    /// Whether the value is the same in all columns.
    fn is_uniform(&self, i: usize) -> bool {
        matches!(self.task.types[i].1, Class::Scalar | Class::Row)
            || matches!(self.inst(i), Inst::Iota { axis: Axis::Row(_), .. })
    }

    fn operands(&self, i: usize) -> Vec<usize> {
        if self.is_given(i) {
            return vec![];
        }
        match self.tables.of_16.get(&i) {
            Some(table) => vec![table.index],
            None => self.inst(i).operands().iter().map(|r| r.index()).collect(),
        }
    }

    fn levels(&self) -> Vec<usize> {
        let mut levels: Vec<usize> = Vec::with_capacity(self.task.kernel.body.len());
        for i in 0..self.task.kernel.body.len() {
            let level = self.operands(i).into_iter().map(|o| levels[o]).max().unwrap_or(0);
            let folds = !self.is_given(i) && self.inst(i).is_reduction() && !self.task.kernel.is_column();
            levels.push(level + usize::from(folds));
        }
        levels
    }

    fn is_per_row(&self, s: usize) -> bool {
        let store = &self.task.kernel.stores[s];
        !self.task.kernel.is_column() && self.is_uniform(store.value.index()) && store.map.col == 0
    }

    fn pointer(&mut self, source: Source, dtype: DType) -> u16 {
        let size = dtype.size();
        let stride = match &source {
            // A row of one element has no next element.
            Source::Input(_, map) | Source::Output(_, map) if self.task.kernel.cols != 1 => map.col,
            _ => 1,
        };
        // A row may be a call, which makes several rows.
        let by = self.task.moves();
        let pitch = match &source {
            Source::Input(_, map) | Source::Output(_, map) => {
                self.task.run.map_or(0, |d| map.rows[d] * by as i64) * size as i64
            }
            Source::Given(_) | Source::Partial(_) | Source::PartialIndex(_) => size as i64,
            Source::Factor(_) => self.task.factors() as i64 * size as i64,
            Source::Chain(r) => match self.task.calls.map(|calls| &calls.to) {
                Some(To::Chains { scales: Some(Scaling::Apart(apart)), rows })
                    if usize::from(*r) == *rows =>
                {
                    *apart as i64 * size as i64
                }
                _ => 0,
            },
            Source::Panel(_) => match self.task.calls {
                Some(Calls { to: To::Panel(columns), units, .. }) => (units * columns * size) as i64,
                _ => 0,
            },
            Source::Lanes(_) => 0,
        };
        // Memory at a fixed distance from another pointer's memory needs no pointer of its own.
        let found = self.pointers.iter().enumerate().find_map(|(at, p)| {
            let elements = source.from(&p.source)?;
            let bytes = i32::try_from(elements.checked_mul(size as i64)?).ok()?;
            (bytes == 0 || self.task.calls.is_some() && p.size == size).then_some((at, bytes))
        });
        let (at, bytes) = found.unwrap_or_else(|| {
            self.pointers.push(Pointer { source, size, pitch });
            (self.pointers.len() - 1, 0)
        });
        let at = at as u16;
        *self
            .accesses
            .entry((at, dtype, bytes))
            .or_insert_with(|| self.shared.strided((Base::Pointer(at), bytes), dtype, pitch, stride))
    }

    /// A buffer of the frame for a row of elements of `size` bytes.
    fn buffer(&mut self, dtype: DType, elements: usize) -> u16 {
        let at = self.shared.buffers as u32;
        // One more line, so that buffers do not fall into the same sets of the cache.
        self.shared.buffers += (elements.next_multiple_of(GROUP) * dtype.size()).next_multiple_of(64) + 64;
        self.shared.access(Base::Frame(at), dtype, 0)
    }

    /// The weight of an instruction's own work.
    fn weight(&self, i: usize) -> usize {
        use jarrah_tile::{Binary, Unary};
        match self.inst(i) {
            Inst::Unary(f, _) => match f {
                Unary::Abs
                | Unary::Negate
                | Unary::Floor
                | Unary::Ceil
                | Unary::Not
                | Unary::RoundNearestEven => 1,
                Unary::Sign | Unary::IsFinite | Unary::Popcnt | Unary::CountLeadingZeros => 3,
                _ => 2 * LIGHT,
            },
            Inst::Binary(Binary::Divide | Binary::Remainder | Binary::Power | Binary::Atan2, ..)
            | Inst::Threefry { .. } => 2 * LIGHT,
            Inst::Word1(_) => 2 * LIGHT,
            _ if matches!(self.dtype(i), DType::BF16 | DType::F16)
                && !matches!(self.inst(i), Inst::Load { .. }) =>
            {
                7
            }
            _ => 1,
        }
    }

    /// For each instruction the weight of computing its value again in a later loop, up to a bound.
    fn weights_again(&self) -> Vec<usize> {
        let mut weights: Vec<usize> = Vec::with_capacity(self.task.kernel.body.len());
        for i in 0..self.task.kernel.body.len() {
            weights.push(match self.is_uniform(i) || self.is_given(i) {
                true => 0,
                false => {
                    let operands: usize = self.operands(i).into_iter().map(|o| weights[o]).sum();
                    (operands + self.weight(i)).min(4 * LIGHT)
                }
            });
        }
        weights
    }

    fn run(mut self) -> Option<Lowered> {
        let loops = self.loops()?;
        let mut phases = Vec::new();
        for phase in 0..loops.computed.len() {
            phases.push(self.phase(&loops, phase)?);
        }
        let last = self.row_block(phases.len(), &loops.needed, &loops.folds, &loops.row_stores)?;
        let lanes = (self.pointers.iter().enumerate())
            .filter(|(_, p)| matches!(p.source, Source::Lanes(_)))
            .map(|(i, _)| i as u16)
            .collect();
        let ramp = [0, 8].map(|first| {
            self.shared.constant(std::array::from_fn(|i| {
                let low = first + 2 * i as u64;
                (low + 1) << 32 | low
            }))
        });
        let flushes = self.task.calls.is_some_and(|calls| calls.halves);
        Some(Lowered {
            flushes,
            ramp: ramp.map(Home::Const),
            shared: self.shared,
            pointers: self.pointers,
            phases,
            last,
            lanes,
        })
    }

    /// The value that a reduction folds.
    fn operand_of_fold(&self, reduction: usize) -> usize {
        self.inst(reduction).operands()[0].index()
    }

    /// The loop over columns in which a reduction is computed.
    fn loop_of_fold(&self, reduction: usize) -> usize {
        self.levels[reduction] - usize::from(!self.task.kernel.is_column())
    }

    /// The loops over columns, one for each level of reductions, and buffers for the values that a loop leaves to a later one.
    fn loops(&mut self) -> Option<Loops> {
        let task = self.task;
        let value = |s: usize| task.kernel.stores[s].value.index();
        let (row_stores, wide_stores): (Vec<usize>, Vec<usize>) =
            task.stores.iter().copied().partition(|&s| self.is_per_row(s));
        // The needed reductions: all of a row kernel's, or the task's own.
        let stored = task.stores.iter().map(|&s| value(s));
        let needed = self.needed(stored.chain(task.reductions.iter().copied()));
        let folds: Vec<usize> = (0..task.kernel.body.len())
            .filter(|&i| needed.contains(&i) && !self.is_given(i) && self.inst(i).is_reduction())
            .collect();
        let last = (folds.iter().map(|&r| self.loop_of_fold(r)))
            .chain(wide_stores.iter().map(|&s| self.levels[value(s)]))
            .max();
        let last = last.map_or(0, |l| l + 1);
        let mut first: FxHashMap<usize, usize> = FxHashMap::default();
        let mut kept: FxHashSet<usize> = FxHashSet::default();
        let mut computed: Vec<FxHashSet<usize>> = Vec::new();
        let weights = if last > 1 { self.weights_again() } else { Vec::new() };
        for phase in 0..last {
            let mut stack: Vec<usize> = (folds.iter().filter(|&&r| self.loop_of_fold(r) == phase))
                .map(|&r| self.operand_of_fold(r))
                .collect();
            if phase + 1 == last {
                stack.extend(wide_stores.iter().map(|&s| value(s)));
            }
            let mut here = FxHashSet::default();
            while let Some(i) = stack.pop() {
                if self.is_uniform(i) || here.contains(&i) {
                    continue;
                }
                let earlier = first.get(&i).is_some_and(|&f| f < phase);
                if earlier
                    && weights[i] > LIGHT
                    && kind(self.dtype(i))? != Kind::Mask
                    && !matches!(self.inst(i), Inst::Threefry { .. } | Inst::Word1(_))
                {
                    kept.insert(i);
                    continue;
                }
                here.insert(i);
                first.entry(i).or_insert(phase);
                stack.extend(self.operands(i));
            }
            computed.push(here);
        }
        for &i in &kept {
            let size = if kind(self.dtype(i))?.is_wide() { DType::U64 } else { DType::U32 };
            let access = self.buffer(size, task.cols);
            self.buffers.insert(i, access);
        }
        Some(Loops { wide_stores, row_stores, needed, folds, first, computed })
    }

    /// The accesses of the loads, and of the values that are given, among `order`.
    fn loads(&mut self, order: &[usize]) -> FxHashMap<usize, u16> {
        let mut loads: FxHashMap<usize, u16> = FxHashMap::default();
        for &i in order {
            if let Some(g) = self.task.given[i].filter(|_| self.is_given(i)) {
                loads.insert(i, self.pointer(Source::Given(g), self.dtype(i)));
            } else if let Inst::Load { input, map, .. } = self.inst(i) {
                let (input, map) = (*input, map.clone());
                loads.insert(i, self.pointer(Source::Input(input, map), self.dtype(i)));
            }
        }
        loads
    }

    /// The block before one of the loops over columns, and the loop.
    fn phase(&mut self, loops: &Loops, phase: usize) -> Option<Phase> {
        let task = self.task;
        let column_body = task.kernel.is_column() && !task.reductions.is_empty();
        let mut row = self.row_block(phase, &loops.needed, &loops.folds, &[])?;
        let here: Vec<usize> =
            loops.folds.iter().copied().filter(|&r| self.loop_of_fold(r) == phase).collect();
        let stores: &[usize] = if phase + 1 == loops.computed.len() { &loops.wide_stores } else { &[] };
        if here.is_empty() && stores.is_empty() {
            return Some(Phase { row, columns: None, chunks: None });
        }
        let mut local: FxHashMap<usize, Parts> = FxHashMap::default();
        let mut columns = Columns::default();
        let mut order: Vec<usize> = loops.computed[phase].iter().copied().collect();
        order.sort_unstable();
        // Accesses are added before the block is begun, since the block borrows the state in which they are recorded.
        let loads = self.loads(&order);
        let mut outs: Vec<(usize, u16)> = Vec::new();
        for &s in stores.iter().filter(|_| task.calls.is_none()) {
            let store = &task.kernel.stores[s];
            let dtype = task.kernel.outputs[store.output];
            let access = self.pointer(Source::Output(store.output, store.map.clone()), dtype);
            outs.push((store.value.index(), access));
        }
        let uses = task.calls.map(|calls| self.uses(calls));
        let mut lanes: FxHashMap<usize, u16> = FxHashMap::default();
        for &r in here.iter().filter(|_| column_body) {
            let dtype = compute_type(self.dtype(self.operand_of_fold(r)));
            lanes.insert(r, self.pointer(Source::Lanes(task.partial[r]?), dtype));
        }
        let mut shared = std::mem::take(&mut self.shared);
        let mut g = Graph::new(&mut shared);
        // Values of calls are computed where they are used: registers do not hold all of them.
        for &i in order.iter().filter(|_| task.calls.is_none()) {
            let x = match loads.get(&i) {
                Some(&access) => g.load(access, self.dtype(i))?,
                None => self.value(&mut g, i, &mut local)?,
            };
            if let Some(&access) = self.buffers.get(&i).filter(|_| loops.first[&i] == phase) {
                for (p, &value) in x.iter().enumerate() {
                    g.effect(Effect::Store { access, part: p as u8, value });
                }
            }
            local.insert(i, x);
        }
        for &r in &here {
            let parts = self.parts_of(&mut g, self.operand_of_fold(r), &mut local)?;
            if let Some(&access) = lanes.get(&r) {
                self.accumulate_lanes(&mut g, r, &parts, access)?;
            } else {
                let carried = self.accumulate(&mut g, r, &parts, columns.carried.len(), &mut local)?;
                columns.carried.extend(carried);
            }
        }
        for (i, access) in outs {
            let x = self.parts_of(&mut g, i, &mut local)?;
            g.store(access, self.dtype(i), &x);
        }
        if let Some(uses) = &uses {
            self.use_units(&mut g, uses, stores, &loads, &mut local)?;
        }
        columns.block = g.block;
        hoist(&mut row, &mut columns.block, &mut shared);
        self.shared = shared;
        let long = here.iter().any(|&r| {
            matches!(self.inst(r), Inst::Reduce(LoopReducer::Add | LoopReducer::Multiply, _))
                && self.dtype(r).is_float()
        });
        let chunks = if long && task.cols > CHUNK && !column_body { Some(self.chunks(&here)?) } else { None };
        Some(Phase { row, columns: Some(columns), chunks })
    }

    /// All that `roots` are computed from, with themselves.
    fn needed(&self, roots: impl Iterator<Item = usize>) -> FxHashSet<usize> {
        let mut stack: Vec<usize> = roots.collect();
        let mut found = FxHashSet::default();
        while let Some(i) = stack.pop() {
            if found.insert(i) {
                stack.extend(self.operands(i));
            }
        }
        found
    }

    /// Computes the value, after the values that it is computed from, unless they exist: depth first, without recursion, since
    /// bodies may be longer than a stack is deep.
    fn make(
        &self,
        g: &mut Graph<'_>,
        i: usize,
        loads: &FxHashMap<usize, u16>,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<()> {
        let mut open = vec![i];
        while let Some(&i) = open.last() {
            if local.contains_key(&i) || self.is_uniform(i) {
                open.pop();
                continue;
            }
            let x = match loads.get(&i) {
                Some(&access) => g.load(access, self.dtype(i))?,
                None => {
                    let waiting = open.len();
                    let missing = |o: &usize| !local.contains_key(o) && !self.is_uniform(*o);
                    open.extend(self.operands(i).into_iter().rev().filter(missing));
                    if open.len() > waiting {
                        continue;
                    }
                    self.value(g, i, local)?
                }
            };
            local.insert(i, x);
            open.pop();
        }
        Some(())
    }

    /// The value, computed in this block or in an earlier one.
    fn parts_of(&self, g: &mut Graph<'_>, i: usize, local: &mut FxHashMap<usize, Parts>) -> Option<Parts> {
        if let Some(x) = local.get(&i) {
            return Some(x.clone());
        }
        let x: Parts = if let Inst::Const(s) = self.inst(i) {
            g.constant_of(*s)?
        } else if let Some(slots) = self.slots.get(&i) {
            let mask = kind(self.dtype(i))? == Kind::Mask;
            let mut x: Parts = slots.iter().map(|&s| g.slot(s)).collect();
            if mask {
                x = x.iter().map(|&v| g.vector_to_mask(v)).collect();
            }
            x
        } else {
            let &access = self.buffers.get(&i)?;
            let parts = g.parts(kind(self.dtype(i))?.is_wide());
            (0..parts).map(|p| g.node(Node::Load { access, part: p as u8 })).collect()
        };
        local.insert(i, x.clone());
        Some(x)
    }

    /// The value of an elementwise instruction, or of an index.
    fn value(&self, g: &mut Graph<'_>, i: usize, local: &mut FxHashMap<usize, Parts>) -> Option<Parts> {
        let dtype = self.dtype(i);
        let at = |r: Reg| r.index();
        if let Some(table) = self.tables.of_16.get(&i) {
            let x = self.parts_of(g, table.index, local)?;
            return Some(g.look_up(&x, &table.scalars));
        }
        match self.inst(i) {
            Inst::Const(s) => g.constant_of(*s),
            Inst::Iota { axis, .. } => {
                let parts = g.parts(false);
                match axis {
                    Axis::Cols => {
                        let x = g.columns();
                        g.index(dtype, self.task.kernel.cols, &x)
                    }
                    Axis::Row(d) => {
                        let v = g.node(Node::Index { dim: *d as u8 });
                        let n = self.task.kernel.outer.len();
                        let k = self.task.kernel;
                        let extent = if *d < n { k.outer[*d] } else { k.reduce[*d - n] };
                        g.index(dtype, extent, &Parts::from_elem(v, parts))
                    }
                }
            }
            Inst::Unary(f, x) => {
                let of = self.dtype(at(*x));
                let x = self.parts_of(g, at(*x), local)?;
                g.unary(*f, of, &x)
            }
            Inst::Binary(f, x, y) => {
                let (x, y) = (self.parts_of(g, at(*x), local)?, self.parts_of(g, at(*y), local)?);
                g.binary(*f, dtype, &x, &y)
            }
            Inst::Compare { direction, total, x, y } => {
                let of = self.dtype(at(*x));
                let (x, y) = (self.parts_of(g, at(*x), local)?, self.parts_of(g, at(*y), local)?);
                g.compare(*direction, *total, of, &x, &y)
            }
            Inst::Select { pred, on_true, on_false } => {
                let pred = self.parts_of(g, at(*pred), local)?;
                let (yes, no) =
                    (self.parts_of(g, at(*on_true), local)?, self.parts_of(g, at(*on_false), local)?);
                g.select(dtype, &pred, &yes, &no)
            }
            Inst::Clamp { low, x, high } => {
                let [low, x, high] = [low, x, high].map(|r| self.parts_of(g, r.index(), local));
                let y = g.binary(jarrah_tile::Binary::Maximum, dtype, &x?, &low?)?;
                g.binary(jarrah_tile::Binary::Minimum, dtype, &y, &high?)
            }
            Inst::Convert(to, x) => {
                let of = self.dtype(at(*x));
                let x = self.parts_of(g, at(*x), local)?;
                g.convert(of, *to, &x)
            }
            Inst::Bitcast(to, x) => {
                let of = self.dtype(at(*x));
                let x = self.parts_of(g, at(*x), local)?;
                g.bitcast(of, *to, &x)
            }
            Inst::Threefry { .. } => Some(self.threefry(g, i, local)?[0].clone()),
            Inst::Word1(x) => Some(self.threefry(g, at(*x), local)?[1].clone()),
            Inst::Load { .. } | Inst::Reduce(..) | Inst::ArgReduce { .. } | Inst::Pick { .. } => None,
        }
    }

    fn threefry(
        &self,
        g: &mut Graph<'_>,
        i: usize,
        local: &mut FxHashMap<usize, Parts>,
    ) -> Option<[Parts; 2]> {
        let Inst::Threefry { key, count } = self.inst(i) else { return None };
        let [a, b, c, d] = [key[0], key[1], count[0], count[1]].map(|r| self.parts_of(g, r.index(), local));
        Some(g.threefry([&a?, &b?], [&c?, &d?]))
    }
}

/// Moves values that are the same for all groups from a loop to the block before it, and into slots.
fn hoist(row: &mut Block, columns: &mut Block, shared: &mut Shared) {
    let n = columns.nodes.len();
    let mut fixed = vec![false; n];
    for (v, node) in columns.nodes.iter().enumerate() {
        fixed[v] = match node {
            Node::Home(_) | Node::Index { .. } => true,
            Node::Op { .. } | Node::Call { .. } => node.sources().iter().all(|&s| fixed[s as usize]),
            _ => false,
        };
    }
    // Masks have no slots, and values that only hoisted nodes read need none.
    let mut read = vec![false; n];
    for (v, node) in columns.nodes.iter().enumerate() {
        if !fixed[v] || node.is_mask() {
            node.sources().iter().for_each(|&s| read[s as usize] = true);
        }
    }
    for effect in &columns.effects {
        read[effect.value() as usize] = true;
    }
    let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
    for v in 0..n {
        let node = columns.nodes[v];
        if !fixed[v] || node.sources().iter().any(|s| !moved.contains_key(s)) {
            continue;
        }
        let there = match node {
            Node::Op { op, mut src, imm } => {
                for s in src.iter_mut().take(node.sources().len()) {
                    *s = moved[s];
                }
                Node::Op { op, src, imm }
            }
            Node::Call { function, operands } => {
                Node::Call { function, operands: operands.map(|s| moved[&s]) }
            }
            other => other,
        };
        row.nodes.push(there);
        let value = row.nodes.len() as u32 - 1;
        moved.insert(v as u32, value);
        if read[v] && !node.is_mask() && !matches!(node, Node::Home(_)) {
            let slot = shared.slot();
            row.effects.push(Effect::Save { slot, value });
            columns.nodes[v] = Node::Home(Home::Row(slot));
        }
    }
}
