use jarrah_base::{DType, Error, Result};
use jarrah_tile::{Class, Inst, LoopKernel};

use super::body::{Isa, Kernel};
use super::collapse::collapse;
use super::column::Columns;
use super::element::compute_type;
use super::fold::CHUNK;
use super::frame::Buffers;
use super::program::{Compiler, Extent, Goal};
use super::rows;
use super::runnable::Runnable;
use super::table;
use crate::threads::ThreadPool;

/// The bytes within which a program's scratch tiles should stay, so that they share the L1 cache with the data that streams by.
const TILE_BUDGET: usize = 24 << 10;
/// The number of elements of a tile, if the budget allows.
pub(super) const TILE: usize = 2048;
/// The longest row that is held in tiles as a whole.
const LONGEST_ROW: usize = 16384;
/// The number of tiles that machine code processes at a time: it keeps nothing in them.
const NATIVE_TILES: usize = 8;
/// The most rows that machine code processes side by side.
pub(super) const MOST_ROWS: usize = 4;
/// The number of rows from which on tasks get whole long rows instead of parts of them.
const MANY_ROWS: usize = 32;
/// Rows at least this long read per-row operands as splats.
const SPLAT: usize = 32;

/// A [`LoopKernel`] made ready to run: its registers laid out in scratch tiles, its instructions bound to kernels
/// compiled for the machine's instruction set. Making one costs microseconds and generates no code.
///
/// The bits it computes are those [`LoopKernel`] fixes, whatever the instruction set, tile sizes and threads.
///
/// ```
/// use jarrah_base::DType;
/// use jarrah_cpu::{threads::ThreadPool, vector::Plan};
/// use jarrah_tile::{Binary, LoopBuilder};
///
/// let mut b = LoopBuilder::new(&[], 3);
/// let (x, y, z) = (b.input(DType::F32), b.input(DType::F32), b.output(DType::F32));
/// let (x, y) = (b.load(x, 0, &[], 1), b.load(y, 0, &[], 1));
/// let sum = b.binary(Binary::Add, x, y);
/// b.store(z, 0, &[], 1, sum);
/// let plan = Plan::new(&b.finish()?)?;
///
/// let (x, y, mut z) = ([1.0f32, 2.0, 3.0], [10.0f32, 20.0, 30.0], [0.0f32; 3]);
/// // SAFETY: each buffer has the three elements the maps reach.
/// unsafe { plan.run(ThreadPool::global(), &[x.as_ptr().cast(), y.as_ptr().cast()], &[z.as_mut_ptr().cast()]) };
/// assert_eq!(z, [11.0, 22.0, 33.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Plan {
    pub(super) kernel: LoopKernel,
    pub(super) isa: Isa,
    /// The bytes `low..high`, relative to the buffer's pointer, within which the kernel accesses each input (`reach[0]`) and each
    /// output (`reach[1]`); `(0, 0)` for no access. [`overlaps`](Plan::overlaps) compares them to find outputs that share memory
    /// with inputs.
    reach: [Vec<(i64, i64)>; 2],
    pub(super) separate: Shape,
    /// How the kernel runs if outputs lie on inputs, if that differs.
    aliased: Option<Shape>,
}

/// The way in which a kernel runs.
pub(super) enum Shape {
    /// A row kernel whose tiles need nothing from each other.
    Tiles(Tiles),
    /// A row kernel with rows too long for a tile: passes over chunks of columns.
    Passes(Passes),
    /// A column reduction.
    Columns(Columns),
}

pub(super) struct Tiles {
    pub program: Runnable,
    pub rows: usize,
    pub cols: usize,
    pub tile_bytes: usize,
    pub row_bytes: usize,
}

/// A reduction of a kernel.
pub(super) struct Reduction {
    pub inst: usize,
    pub level: usize,
    /// The element type of the result.
    pub result: DType,
    /// The type of the accumulators.
    pub compute: DType,
    pub kind: Combine,
}

pub(super) enum Combine {
    /// Partial results fold to the result.
    Fold(Kernel),
    /// Partial extremes and indices give the index.
    Arg(Kernel),
    /// The chunk that has the element wrote the result.
    Written,
}

pub(super) struct Passes {
    /// One program per level, each with the reductions it runs; `None` where a level has nothing to do.
    pub levels: Vec<Option<Runnable>>,
    /// The program of the stores that happen once per row.
    pub per_row: Option<Runnable>,
    pub reductions: Vec<Reduction>,
    pub tile_bytes: usize,
    pub row_bytes: usize,
}

/// The inputs from which a kernel's shapes are compiled.
pub(super) struct Source<'a> {
    pub kernel: &'a LoopKernel,
    pub types: &'a [(DType, Class)],
    pub isa: Isa,
    pub tier: Tier,
    pub direct: bool,
    pub tile: usize,
}

impl Source<'_> {
    /// The largest element of any register.
    pub fn element(&self) -> usize {
        self.types.iter().map(|t| t.0.size()).max().unwrap_or(1)
    }

    pub fn program(
        &self,
        reductions: &[usize],
        stores: &[usize],
        given: &[Option<u16>],
        partial: &[Option<u16>],
        run: Option<usize>,
    ) -> Result<Runnable> {
        if self.tier == Tier::Native
            && let Some(emitted) = Runnable::native(self, reductions, stores, given, partial, run, None)?
        {
            return Ok(emitted);
        }
        let goal = Goal {
            reductions,
            stores,
            given,
            partial,
            run,
            cols: self.kernel.cols,
            splat: self.kernel.cols >= SPLAT || run.is_none(),
            direct: self.direct,
        };
        Compiler::compile(self.kernel, self.types, self.isa, goal).map(Runnable::Steps)
    }

    /// The elements of a tile for which `tiles` tiles stay within the budget.
    pub fn tile_elements(&self, tiles: u16) -> usize {
        let fit = TILE_BUDGET / (usize::from(tiles).max(1) * self.element());
        fit.clamp(self.tile.min(256), self.tile) / 16 * 16
    }
}

/// The tier that runs the loops of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    /// Loops compiled ahead of time over tiles, one for each instruction or two.
    Interpreter,
    /// Machine code made for the plan, where there is code for all it does; else the interpreter.
    Native,
}

impl Tier {
    /// Both tiers, or the interpreter alone if the build or the processor has no machine code.
    pub fn available(isa: Isa) -> &'static [Tier] {
        if cfg!(all(target_arch = "x86_64", unix, not(jarrah_portable))) && isa != Isa::Portable {
            &[Tier::Interpreter, Tier::Native]
        } else {
            &[Tier::Interpreter]
        }
    }

    pub(super) fn best(isa: Isa) -> Tier {
        *Tier::available(isa).last().unwrap_or(&Tier::Interpreter)
    }
}

impl Plan {
    /// Prepares `kernel` for this machine.
    ///
    /// # Errors
    /// The errors of [`LoopKernel::verify`].
    pub fn new(kernel: &LoopKernel) -> Result<Plan> {
        let isa = Isa::detect();
        Plan::with(kernel, isa, Tier::best(isa), TILE)
    }

    /// As [`Plan::new`] for one of [`Isa::available`], one of [`Tier::available`], and tiles of up to `tile` elements (of
    /// machine code, eight times that): the same bits, other speed.
    ///
    /// # Errors
    /// The errors of [`LoopKernel::verify`]; an instruction set that this machine lacks.
    pub fn with(kernel: &LoopKernel, isa: Isa, tier: Tier, tile: usize) -> Result<Plan> {
        kernel.verify()?;
        if !Isa::available().contains(&isa) {
            return Err(
                Error::environment(format!("this machine does not run {isa:?} code")).op("loop kernel")
            );
        }
        Plan::collapsed(collapse(kernel), isa, tier, tile)
    }

    /// Prepares a kernel whose dimensions stay as they are; it has an outer one.
    pub(super) fn collapsed(kernel: LoopKernel, isa: Isa, tier: Tier, tile: usize) -> Result<Plan> {
        let types = kernel.verify()?;
        let tile = tile.max(16);
        let shape = |direct| {
            let source = Source { kernel: &kernel, types: &types, isa, tier, direct, tile };
            if kernel.is_column() {
                Columns::compile(&source).map(Shape::Columns)
            } else {
                row_shape(&source)
            }
        };
        let separate = shape(true)?;
        let aliased = if separate.stores_last() { None } else { Some(shape(false)?) };
        let reach = [reach(&kernel, true), reach(&kernel, false)];
        Ok(Plan { isa, reach, separate, aliased, kernel })
    }

    /// Runs the kernel on `pool`; returns when every output is written.
    ///
    /// An output may be an input: then every element of it must be stored by the iteration that alone loads it.
    ///
    /// # Safety
    /// Each input and output is valid, for reads or writes, wherever the kernel's maps reach, is aligned to its
    /// element type, holds valid elements (a `bool` is 0 or 1), and is not written by others meanwhile. An output
    /// overlaps no other output, and an input only as said above.
    ///
    /// # Panics
    /// The number of inputs or outputs is not the kernel's.
    pub unsafe fn run(&self, pool: &ThreadPool, inputs: &[*const u8], outputs: &[*mut u8]) {
        assert_eq!(inputs.len(), self.kernel.inputs.len(), "inputs of the kernel");
        assert_eq!(outputs.len(), self.kernel.outputs.len(), "outputs of the kernel");
        if self.kernel.outer.contains(&0) {
            return;
        }
        let overlaps = self.overlaps(inputs, outputs);
        let shape = self.shape(overlaps);
        let buffers =
            Buffers { inputs, outputs, given: &[], partial: &[], partial_index: &[], stream: !overlaps };
        // SAFETY: the caller's promise.
        unsafe {
            match shape {
                Shape::Tiles(tiles) => rows::run_tiles(self, tiles, pool, &buffers),
                Shape::Passes(passes) => rows::run_passes(self, passes, pool, &buffers),
                Shape::Columns(columns) => columns.run(self, pool, &buffers),
            }
        }
    }

    /// How the kernel runs, depending on whether outputs lie on inputs.
    pub(super) fn shape(&self, overlaps: bool) -> &Shape {
        self.aliased.as_ref().filter(|_| overlaps).unwrap_or(&self.separate)
    }

    /// The machine code of the kernel as text, in Intel's syntax; `None` where the interpreter runs it.
    ///
    /// ```
    /// use jarrah_base::DType;
    /// use jarrah_tile::{LoopBuilder, Unary};
    ///
    /// let mut b = LoopBuilder::new(&[], 64);
    /// let (x, y) = (b.input(DType::F32), b.output(DType::F32));
    /// let x = b.load(x, 0, &[], 1);
    /// let root = b.unary(Unary::Sqrt, x);
    /// b.store(y, 0, &[], 1, root);
    /// let plan = jarrah_cpu::vector::Plan::new(&b.finish()?)?;
    /// assert!(plan.assembly().is_none_or(|text| text.contains("vsqrtps")));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn assembly(&self) -> Option<String> {
        let texts: Vec<String> = self.separate.programs().filter_map(|p| p.text(self)).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    /// The number of instructions of each part of the machine code, by the part's name; none where the interpreter runs.
    pub fn instructions(&self) -> Vec<(String, usize)> {
        self.separate.programs().flat_map(|p| p.counts(self)).collect()
    }

    /// Whether the whole plan is machine code.
    pub fn is_native(&self) -> bool {
        self.separate.programs().all(Runnable::is_native)
    }

    pub(super) fn overlaps(&self, inputs: &[*const u8], outputs: &[*mut u8]) -> bool {
        let span = |base: usize, (low, high): (i64, i64)| {
            (base.wrapping_add_signed(low as isize), base.wrapping_add_signed(high as isize))
        };
        outputs.iter().zip(&self.reach[1]).any(|(o, &out)| {
            let (o_low, o_high) = span(o.addr(), out);
            inputs.iter().zip(&self.reach[0]).any(|(i, &inp)| {
                let (i_low, i_high) = span(i.addr(), inp);
                o_low < i_high && i_low < o_high
            })
        })
    }
}

impl Shape {
    /// The programs it runs.
    pub fn programs(&self) -> Box<dyn Iterator<Item = &Runnable> + '_> {
        match self {
            Shape::Tiles(t) => Box::new(std::iter::once(&t.program)),
            Shape::Passes(p) => Box::new(p.levels.iter().flatten().chain(&p.per_row)),
            Shape::Columns(c) => Box::new(c.programs().into_iter()),
        }
    }

    /// Whether every element is read before an element that may lie on it is written.
    fn stores_last(&self) -> bool {
        !matches!(self, Shape::Passes(_)) && self.programs().all(Runnable::is_native)
    }
}

/// The bytes of each input (or output) that any map reaches; an empty span where none does.
fn reach(kernel: &LoopKernel, inputs: bool) -> Vec<(i64, i64)> {
    let dtypes = if inputs { &kernel.inputs } else { &kernel.outputs };
    let mut spans: Vec<Option<(i64, i64)>> = vec![None; dtypes.len()];
    let mut add = |buffer: usize, map| {
        if let Some((low, high)) = kernel.reach(map) {
            let span = spans[buffer].get_or_insert((low, high));
            *span = (span.0.min(low), span.1.max(high));
        }
    };
    if inputs {
        for inst in &kernel.body {
            if let Inst::Load { input, map, .. } = inst {
                add(*input, map);
            }
        }
    } else {
        for store in &kernel.stores {
            add(store.output, &store.map);
        }
    }
    let bytes = |(span, d): (&Option<(i64, i64)>, &DType)| {
        span.map_or((0, 0), |(low, high)| (low * d.size() as i64, (high + 1) * d.size() as i64))
    };
    spans.iter().zip(dtypes).map(bytes).collect()
}

fn row_shape(source: &Source<'_>) -> Result<Shape> {
    let kernel = source.kernel;
    let run = Some(kernel.outer.len() - 1);
    let last = kernel.outer[kernel.outer.len() - 1].max(1);
    let folds = kernel.body.iter().any(Inst::is_reduction);
    let none = vec![None; kernel.body.len()];
    let all: Vec<usize> = (0..kernel.stores.len()).collect();
    let element = source.element();
    let per_row = kernel
        .stores
        .iter()
        .any(|s| extent(source.types[s.value.index()].1) == Extent::Row && s.map.col == 0);
    let native = source.tier == Tier::Native;
    let tile = if native { NATIVE_TILES * source.tile } else { source.tile };
    let splits = !folds && kernel.cols > tile;
    if splits && per_row {
        return passes(source).map(Shape::Passes);
    }
    let few = kernel.outer.iter().product::<usize>() < MANY_ROWS;
    if folds && kernel.cols > LONGEST_ROW && (few || !native) {
        return passes(source).map(Shape::Passes);
    }
    let program = source.program(&[], &all, &none, &none, run)?;
    if native && !program.is_native() {
        return row_shape(&Source { tier: Tier::Interpreter, ..*source });
    }
    let elements = match &program {
        Runnable::Steps(steps) => source.tile_elements(steps.tiles),
        #[cfg(all(target_arch = "x86_64", unix, not(jarrah_portable)))]
        Runnable::Native(_) => tile,
    };
    let cols = if folds { kernel.cols } else { kernel.cols.min(elements) };
    let mut rows = (elements / cols.max(1)).max(1);
    if folds && native && rows > MOST_ROWS {
        rows -= rows % MOST_ROWS;
    }
    let rows = rows.min(last);
    Ok(Shape::Tiles(Tiles {
        program,
        rows,
        cols,
        tile_bytes: round(rows * cols.max(1) * element),
        row_bytes: round(rows * element.max(8)),
    }))
}

/// Whole cache lines, and one to spare: tiles whose distance is a power of two fall into the same cache sets.
pub(super) fn round(bytes: usize) -> usize {
    (bytes.div_ceil(64) + 1) * 64
}

fn extent(class: Class) -> Extent {
    match class {
        Class::Full | Class::Col => Extent::Full,
        Class::Row | Class::Scalar => Extent::Row,
    }
}

pub(super) fn reductions(source: &Source<'_>) -> Result<Vec<Reduction>> {
    let kernel = source.kernel;
    let mut level = vec![0usize; kernel.body.len()];
    let mut found = Vec::new();
    for (i, inst) in kernel.body.iter().enumerate() {
        level[i] = inst.operands().iter().map(|r| level[r.index()]).max().unwrap_or(0);
        let of = |x: jarrah_tile::Reg| source.types[x.index()].0;
        let lacks = || Error::internal(format!("loop kernel: no code for {inst:?}"));
        let (dtype, kind) = match *inst {
            Inst::Reduce(f, x) => {
                (of(x), Combine::Fold(table::folds(source.isa, f, of(x)).ok_or_else(lacks)?.combine))
            }
            Inst::ArgReduce { max, x } => {
                (of(x), Combine::Arg(table::arg_folds(source.isa, max, of(x)).ok_or_else(lacks)?.1))
            }
            Inst::Pick { x, .. } => (of(x), Combine::Written),
            _ => continue,
        };
        let compute = compute_type(dtype);
        found.push(Reduction { inst: i, level: level[i], result: source.types[i].0, compute, kind });
        level[i] += 1;
    }
    Ok(found)
}

fn passes(source: &Source<'_>) -> Result<Passes> {
    let kernel = source.kernel;
    let run = Some(kernel.outer.len() - 1);
    let reductions = reductions(source)?;
    let n = kernel.body.len();
    let mut result: Vec<Option<u16>> = vec![None; n];
    for (k, r) in reductions.iter().enumerate() {
        result[r.inst] = Some(k as u16);
    }
    let last = reductions.iter().map(|r| r.level + 1).max().unwrap_or(0);
    let mut levels_of = vec![0usize; n];
    for (i, inst) in kernel.body.iter().enumerate() {
        levels_of[i] = inst.operands().iter().map(|r| levels_of[r.index()]).max().unwrap_or(0);
        levels_of[i] += usize::from(inst.is_reduction());
    }
    let is_per_row = |s: usize| {
        extent(source.types[kernel.stores[s].value.index()].1) == Extent::Row && kernel.stores[s].map.col == 0
    };
    let mut levels = Vec::new();
    for level in 0..=last {
        let here: Vec<usize> = reductions.iter().filter(|r| r.level == level).map(|r| r.inst).collect();
        let stores: Vec<usize> = (0..kernel.stores.len())
            .filter(|&s| !is_per_row(s))
            .filter(|&s| {
                let at = levels_of[kernel.stores[s].value.index()];
                if source.direct { at == level } else { level == last }
            })
            .collect();
        // Results of earlier levels are given; elementwise values of the columns are computed again.
        let given: Vec<Option<u16>> =
            (0..n).map(|i| result[i].filter(|_| levels_of[i] <= level + 1)).collect();
        let partial: Vec<Option<u16>> = (0..n).map(|i| result[i].filter(|_| here.contains(&i))).collect();
        if here.is_empty() && stores.is_empty() {
            levels.push(None);
            continue;
        }
        let program = source.program(&here, &stores, &given, &partial, run)?;
        levels.push(Some(program));
    }
    let row_stores: Vec<usize> = (0..kernel.stores.len()).filter(|&s| is_per_row(s)).collect();
    let per_row = if row_stores.is_empty() {
        None
    } else {
        Some(source.program(&[], &row_stores, &result, &vec![None; n], run)?)
    };
    let element = source.element();
    Ok(Passes {
        levels,
        per_row,
        reductions,
        tile_bytes: round(CHUNK * element),
        row_bytes: round(element.max(8)),
    })
}
