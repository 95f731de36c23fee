//! A body compiled to steps over the registers of a tile.

use jarrah_base::{DType, Error, Result};
use jarrah_tile::{Axis, Binary, Class, Inst, LoopKernel, LoopReducer, Map, Reg, Unary};

use super::body::{Isa, Kernel, fast};
use super::element::compute_type;
use super::gelu::{self, Gelu, GeluBody};
use super::table;

/// Where an operand of a step lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// Unused.
    None,
    /// A scratch tile: rows packed.
    Tile(u16),
    /// One scratch element per row.
    Row(u16),
    /// A constant of the program.
    Const(u16),
    /// The elements of an input, in memory.
    Load(u16),
    /// The elements of an output, in memory.
    Store(u16),
    /// The result of an earlier reduction: per row, or per column after a column reduction.
    Given(u16),
    /// The partial result of a reduction over this tile's columns.
    Partial(u16),
    /// The index of a partial extreme.
    PartialIndex(u16),
    /// The lanes of a column reduction.
    Lanes(u16),
}

/// The elements a step covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Extent {
    /// Rows × columns.
    Full,
    /// One element per row.
    Row,
    /// One element.
    One,
}

/// The base to which a step adds its counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    Zero,
    /// The tile's first column.
    Col,
    /// The tile's first index along a dimension.
    Row(usize),
    /// The position of the tile's first row in the reduced extent.
    Lane,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub place: Place,
    /// Bytes per element.
    pub size: u8,
}

pub(super) const NOWHERE: Operand = Operand { place: Place::None, size: 0 };

/// A call of a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub kernel: Kernel,
    pub extent: Extent,
    /// Whether rows that follow each other without gaps may be taken as one.
    pub flat: bool,
    /// Whether the step has a result even if there are no elements.
    pub fold: bool,
    pub dst: Operand,
    pub dst2: Operand,
    pub src: [Operand; 4],
    pub dst_step: isize,
    pub src_step: isize,
    pub base: Base,
}

/// A buffer and the part of its map the tile's position moves.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub buffer: usize,
    pub map: Map,
    pub size: usize,
}

/// Straight-line steps for one tile.
#[derive(Default)]
pub(super) struct Program {
    pub steps: Vec<Step>,
    pub consts: Vec<u64>,
    /// Tiles that hold a constant for the life of a task: (tile, constant, element size).
    pub filled: Vec<(u16, u16, u8)>,
    pub tiles: u16,
    pub rows: u16,
    pub loads: Vec<Access>,
    pub stores: Vec<Access>,
}

/// The part of a kernel that one program computes.
pub(super) struct Goal<'a> {
    /// The reductions that the program runs.
    pub reductions: &'a [usize],
    /// The stores that the program does.
    pub stores: &'a [usize],
    /// For each instruction, the index of its result if that is given.
    pub given: &'a [Option<u16>],
    /// For each instruction, the index of its partial result (or lanes) if it is to leave one.
    pub partial: &'a [Option<u16>],
    /// The dimension along which the rows of a tile run, if there are rows.
    pub run: Option<usize>,
    /// The columns of a row, the clamp of `pick`.
    pub cols: usize,
    /// Whether rows are long enough to treat a per-row operand as a splat.
    pub splat: bool,
    /// Whether the last instruction may write an output in place of a copy.
    pub direct: bool,
}

#[derive(Clone, Copy)]
enum Loc {
    /// Not computed, or computed inside another step.
    Nowhere,
    At(Place),
}

pub(super) struct Compiler<'a> {
    kernel: &'a LoopKernel,
    types: &'a [(DType, Class)],
    isa: Isa,
    goal: Goal<'a>,
    needed: Vec<bool>,
    last: Vec<usize>,
    /// The instruction that computes this one inside its own step.
    absorbed: Vec<Option<usize>>,
    gelus: Vec<(usize, Gelu)>,
    loc: Vec<Loc>,
    free: Vec<u16>,
    temporaries: Vec<u16>,
    program: Program,
}

impl<'a> Compiler<'a> {
    pub fn compile(
        kernel: &'a LoopKernel,
        types: &'a [(DType, Class)],
        isa: Isa,
        goal: Goal<'a>,
    ) -> Result<Program> {
        let n = kernel.body.len();
        let mut c = Compiler {
            kernel,
            types,
            isa,
            goal,
            needed: vec![false; n],
            last: vec![0; n],
            absorbed: vec![None; n],
            gelus: Vec::new(),
            loc: vec![Loc::Nowhere; n],
            free: Vec::new(),
            temporaries: Vec::new(),
            program: Program::default(),
        };
        c.mark();
        c.fuse();
        c.liveness();
        for i in 0..n {
            if c.needed[i] && c.absorbed[i].is_none() {
                c.inst(i)?;
                c.release(i);
            }
        }
        for &s in c.goal.stores {
            c.store(s)?;
        }
        Ok(c.program)
    }

    fn is_target(&self, i: usize) -> bool {
        self.goal.reductions.contains(&i)
    }

    fn mark(&mut self) {
        for &s in self.goal.stores {
            self.needed[self.kernel.stores[s].value.index()] = true;
        }
        for &r in self.goal.reductions {
            self.needed[r] = true;
        }
        for i in (0..self.needed.len()).rev() {
            if !self.needed[i] || (self.goal.given[i].is_some() && !self.is_target(i)) {
                continue;
            }
            for r in self.kernel.body[i].operands() {
                self.needed[r.index()] = true;
            }
        }
    }

    fn operands(&self, i: usize) -> Vec<Reg> {
        if self.goal.given[i].is_some() && !self.is_target(i) {
            vec![]
        } else {
            self.kernel.body[i].operands()
        }
    }

    /// Marks operations that run inside the step of their only user.
    fn fuse(&mut self) {
        let mut uses = vec![0usize; self.needed.len()];
        for i in (0..self.needed.len()).filter(|&i| self.needed[i]) {
            for r in self.operands(i) {
                uses[r.index()] += 1;
            }
        }
        for &s in self.goal.stores {
            uses[self.kernel.stores[s].value.index()] += 1;
        }
        let mut absorbs = vec![false; self.needed.len()];
        for i in (0..self.needed.len()).filter(|&i| self.needed[i]) {
            if self.types[i].0 == DType::F32
                && self.extent(i) == Extent::Full
                && let Some(found) = gelu::find(self.kernel, i)
                && self.extent(found.h.index()) == Extent::Full
                && found.inner.iter().all(|&j| uses[j] == 1 && self.absorbed[j].is_none())
            {
                for &j in &found.inner {
                    self.absorbed[j] = Some(i);
                }
                absorbs[i] = true;
                self.gelus.push((i, found));
            }
        }
        for i in (0..self.needed.len()).filter(|&i| self.needed[i]) {
            let taken = absorbs[i] || self.absorbed[i].is_some();
            if taken || self.types[i].0 != DType::F32 || self.extent(i) != Extent::Full {
                continue;
            }
            let candidates = match self.kernel.body[i] {
                Inst::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, x, y) => [Some(x), Some(y)],
                Inst::Unary(Unary::Exponential, x) => [Some(x), None],
                _ => continue,
            };
            for inner in candidates.into_iter().flatten().map(Reg::index) {
                let fits = uses[inner] == 1
                    && !absorbs[inner]
                    && self.absorbed[inner].is_none()
                    && self.extent(inner) == Extent::Full
                    && self.kernel_of_pair(i, inner).is_some();
                if fits {
                    self.absorbed[inner] = Some(i);
                    absorbs[i] = true;
                    break;
                }
            }
        }
    }

    /// Whether the operand would be read as a splat.
    fn splats(&self, r: Reg) -> bool {
        matches!(self.kernel.body[r.index()], Inst::Const(_))
            || (self.goal.splat && self.extent(r.index()) == Extent::Row)
    }

    /// The kernel that runs `inner` inside `outer`, with the operands it takes.
    fn kernel_of_pair(&self, outer: usize, inner: usize) -> Option<(Kernel, Vec<Reg>)> {
        let Inst::Binary(f, x, y) = self.kernel.body[inner] else { return None };
        match self.kernel.body[outer] {
            Inst::Unary(Unary::Exponential, _) if f == Binary::Subtract => {
                Some((table::exp_difference(self.isa, self.splats(x), self.splats(y))?, vec![x, y]))
            }
            Inst::Binary(g, a, b) => {
                let swap = b.index() == inner;
                let z = if swap { a } else { b };
                if z.index() == inner {
                    return None;
                }
                let splat = [x, y, z].map(|r| self.splats(r));
                Some((table::pair(f, g, swap, splat)?, vec![x, y, z]))
            }
            _ => None,
        }
    }

    fn liveness(&mut self) {
        for i in (0..self.needed.len()).filter(|&i| self.needed[i]) {
            let at = self.absorbed[i].unwrap_or(i);
            for r in self.operands(i) {
                self.last[r.index()] = self.last[r.index()].max(at);
            }
        }
        for &s in self.goal.stores {
            self.last[self.kernel.stores[s].value.index()] = usize::MAX;
        }
    }

    fn extent(&self, i: usize) -> Extent {
        match self.types[i].1 {
            Class::Full | Class::Col => Extent::Full,
            Class::Row | Class::Scalar => Extent::Row,
        }
    }

    fn new_tile(&mut self) -> u16 {
        self.free.pop().unwrap_or_else(|| {
            self.program.tiles += 1;
            self.program.tiles - 1
        })
    }

    fn new_row(&mut self) -> Place {
        self.program.rows += 1;
        Place::Row(self.program.rows - 1)
    }

    fn release(&mut self, i: usize) {
        let mut freed = std::mem::take(&mut self.temporaries);
        self.free.append(&mut freed);
        for r in 0..=i {
            if self.last[r] == i
                && let Loc::At(Place::Tile(t)) = self.loc[r]
                && !self.program.filled.iter().any(|f| f.0 == t)
            {
                self.loc[r] = Loc::Nowhere;
                self.free.push(t);
            }
        }
        if self.needed[i]
            && self.last[i] == 0
            && let Loc::At(Place::Tile(t)) = self.loc[i]
        {
            self.free.push(t);
        }
    }

    fn size(&self, r: Reg) -> u8 {
        self.types[r.index()].0.size() as u8
    }

    fn place(&self, r: Reg) -> Result<Place> {
        match self.loc[r.index()] {
            Loc::At(place) => Ok(place),
            Loc::Nowhere => Err(Error::internal(format!("loop kernel: %{} has no place", r.0))),
        }
    }

    /// A tile that holds constant `k` throughout.
    fn filled(&mut self, k: u16, size: u8) -> Place {
        if let Some(f) = self.program.filled.iter().find(|f| f.1 == k && f.2 == size) {
            return Place::Tile(f.0);
        }
        // A tile of its own: the free list must not hand out what lives as long as the task.
        let tile = self.program.tiles;
        self.program.tiles += 1;
        self.program.filled.push((tile, k, size));
        Place::Tile(tile)
    }

    /// The operand for a step of `extent` whose kernel takes splats there, or not.
    fn operand(&mut self, r: Reg, extent: Extent, splat: bool) -> Result<Operand> {
        let size = self.size(r);
        let place = self.place(r)?;
        let place = match (place, extent) {
            (Place::Const(_), _) if splat => place,
            (Place::Const(k), _) => self.filled(k, size),
            (p, Extent::Row) => p,
            (p, _) if self.extent(r.index()) == Extent::Full || splat => p,
            (p, _) => {
                let tile = self.new_tile();
                self.temporaries.push(tile);
                let tile = Place::Tile(tile);
                self.copy(
                    Operand { place: p, size },
                    Operand { place: tile, size },
                    Extent::Full,
                    [size as isize, 0],
                );
                tile
            }
        };
        Ok(Operand { place, size })
    }

    fn copy(&mut self, src: Operand, dst: Operand, extent: Extent, [dst_step, src_step]: [isize; 2]) {
        self.program.steps.push(Step {
            kernel: table::copy(self.isa, src.size.into()),
            extent,
            flat: false,
            fold: false,
            dst,
            dst2: NOWHERE,
            src: [src, NOWHERE, NOWHERE, NOWHERE],
            dst_step,
            src_step,
            base: Base::Zero,
        });
    }

    /// The destination of instruction `i`: an output if it may write there, else scratch.
    fn destination(&mut self, i: usize) -> Operand {
        let size = self.types[i].0.size() as u8;
        if self.extent(i) != Extent::Full {
            return Operand { place: self.new_row(), size };
        }
        if self.goal.direct {
            let store = self.goal.stores.iter().copied().find(|&s| {
                let store = &self.kernel.stores[s];
                store.value.index() == i && (store.map.col == 1)
            });
            if let Some(s) = store {
                return Operand { place: self.store_access(s), size };
            }
        }
        Operand { place: Place::Tile(self.new_tile()), size }
    }

    fn store_access(&mut self, s: usize) -> Place {
        let store = &self.kernel.stores[s];
        let size = self.kernel.outputs[store.output].size();
        self.program.stores.push(Access { buffer: store.output, map: store.map.clone(), size });
        Place::Store(self.program.stores.len() as u16 - 1)
    }

    fn call(&mut self, i: usize, kernel: Option<Kernel>, sources: &[Operand]) -> Result<()> {
        let kernel = kernel.ok_or_else(|| {
            Error::internal(format!(
                "loop kernel: no code for {:?} on {}",
                self.kernel.body[i], self.types[i].0
            ))
        })?;
        let mut src = [NOWHERE; 4];
        src[..sources.len()].copy_from_slice(sources);
        let dst = self.destination(i);
        self.program.steps.push(Step {
            kernel,
            extent: self.extent(i),
            flat: true,
            fold: false,
            dst,
            dst2: NOWHERE,
            src,
            dst_step: 0,
            src_step: 0,
            base: Base::Zero,
        });
        self.loc[i] = Loc::At(dst.place);
        Ok(())
    }

    /// Whether `r` can be a splat in a step of `extent` over `dtype`.
    fn may_splat(&self, r: Reg, extent: Extent, dtype: DType) -> bool {
        table::takes_splats(dtype)
            && (matches!(self.kernel.body[r.index()], Inst::Const(_))
                || (extent == Extent::Full && self.splats(r)))
    }

    fn inst(&mut self, i: usize) -> Result<()> {
        if let Some(g) = self.goal.given[i]
            && !self.is_target(i)
        {
            self.loc[i] = Loc::At(Place::Given(g));
            return Ok(());
        }
        let extent = self.extent(i);
        let dtype = self.types[i].0;
        if self.merged(i)? {
            return Ok(());
        }
        match self.kernel.body[i].clone() {
            Inst::Load { input, map, .. } => self.load(i, input, map),
            Inst::Const(s) => {
                let k = self.program.consts.iter().position(|&c| c == s.bits).unwrap_or_else(|| {
                    self.program.consts.push(s.bits);
                    self.program.consts.len() - 1
                });
                self.loc[i] = Loc::At(Place::Const(k as u16));
                Ok(())
            }
            Inst::Iota { axis, dtype, .. } => self.iota(i, axis, dtype),
            Inst::Unary(f, x) => {
                let x_type = self.types[x.index()].0;
                let x = self.operand(x, extent, false)?;
                self.call(i, table::unary(self.isa, f, x_type), &[x])
            }
            Inst::Convert(to, x) => {
                let from = self.types[x.index()].0;
                let x = self.operand(x, extent, false)?;
                self.call(i, table::convert(self.isa, from, to), &[x])
            }
            Inst::Bitcast(_, x) => {
                let x = self.operand(x, extent, false)?;
                let size = x.size as isize;
                let dst = self.destination(i);
                self.copy(x, dst, extent, [size, size]);
                self.loc[i] = Loc::At(dst.place);
                Ok(())
            }
            Inst::Binary(f, x, y) => {
                let (a, b) = (self.may_splat(x, extent, dtype), self.may_splat(y, extent, dtype));
                let b = b && !a;
                let sources = [self.operand(x, extent, a)?, self.operand(y, extent, b)?];
                self.call(i, table::binary(self.isa, f, dtype, a, b), &sources)
            }
            Inst::Compare { direction, total, x, y } => {
                let of = self.types[x.index()].0;
                let a = !total && self.may_splat(x, extent, of);
                let b = !total && !a && self.may_splat(y, extent, of);
                let sources = [self.operand(x, extent, a)?, self.operand(y, extent, b)?];
                self.call(i, table::compare(self.isa, direction, total, of, a, b), &sources)
            }
            Inst::Select { pred, on_true, on_false } => {
                let may = |c: &Self, r| dtype.size() == 4 && c.may_splat(r, extent, DType::U32);
                let (a, b) = (may(self, on_true), may(self, on_false));
                let sources = [
                    self.operand(pred, extent, false)?,
                    self.operand(on_true, extent, a)?,
                    self.operand(on_false, extent, b)?,
                ];
                self.call(i, Some(table::select(self.isa, dtype, a, b)), &sources)
            }
            Inst::Clamp { low, x, high } => self.clamp(i, low, x, high),
            Inst::Threefry { key, count } => {
                let may = |c: &Self, r| c.may_splat(r, extent, DType::U32);
                let (k, h) = (may(self, key[0]) && may(self, key[1]), may(self, count[0]));
                let sources = [
                    self.operand(key[0], extent, k)?,
                    self.operand(key[1], extent, k)?,
                    self.operand(count[0], extent, h)?,
                    self.operand(count[1], extent, false)?,
                ];
                self.threefry(i, k, h, &sources)
            }
            // The place of the second word was set with the first word's.
            Inst::Word1(_) => Ok(()),
            Inst::Reduce(f, x) => self.reduce(i, f, x),
            Inst::ArgReduce { max, x } => self.arg_reduce(i, max, x),
            Inst::Pick { x, index } => self.pick(i, x, index),
        }
    }

    /// Writes one call for several instructions, of which `i` is the last: a GELU, or a pair. Returns whether it did.
    fn merged(&mut self, i: usize) -> Result<bool> {
        let extent = self.extent(i);
        if let Some((_, gelu)) = self.gelus.iter().find(|(root, _)| *root == i).cloned() {
            let kernel = if gelu.half_first { fast::<GeluBody<true>> } else { fast::<GeluBody<false>> };
            let sources = [
                self.operand(gelu.h, extent, false)?,
                self.operand(gelu.c, extent, true)?,
                self.operand(gelu.k, extent, true)?,
            ];
            self.call(i, Some(kernel(self.isa)), &sources)?;
            return Ok(true);
        }
        let pair =
            (0..i).find(|&j| self.absorbed[j] == Some(i)).and_then(|inner| self.kernel_of_pair(i, inner));
        let Some((kernel, regs)) = pair else { return Ok(false) };
        let mut sources = Vec::with_capacity(3);
        for r in regs {
            sources.push(self.operand(r, extent, self.splats(r))?);
        }
        self.call(i, Some(kernel), &sources)?;
        Ok(true)
    }

    fn reduce(&mut self, i: usize, f: LoopReducer, x: Reg) -> Result<()> {
        let of = self.types[x.index()].0;
        let x = self.operand(x, Extent::Full, false)?;
        let folds = table::folds(self.isa, f, of)
            .ok_or_else(|| Error::internal(format!("loop kernel: no code for reduce {f} on {of}")))?;
        let size = compute_type(of).size() as u8;
        let (kernel, dst, base) = match self.goal.partial[i] {
            Some(p) if self.kernel.is_column() => {
                (folds.accumulate, Operand { place: Place::Lanes(p), size }, Base::Lane)
            }
            Some(p) => (folds.partial, Operand { place: Place::Partial(p), size }, Base::Zero),
            None => (folds.rows, self.destination(i), Base::Zero),
        };
        self.fold(i, kernel, dst, NOWHERE, [x, NOWHERE], base, 0);
        Ok(())
    }

    fn arg_reduce(&mut self, i: usize, max: bool, x: Reg) -> Result<()> {
        let of = self.types[x.index()].0;
        let x = self.operand(x, Extent::Full, false)?;
        let (kernel, _) = table::arg_folds(self.isa, max, of)
            .ok_or_else(|| Error::internal(format!("loop kernel: no code for argmax on {of}")))?;
        let size = compute_type(of).size() as u8;
        let (dst, dst2) = match self.goal.partial[i] {
            Some(p) => (
                Operand { place: Place::PartialIndex(p), size: 4 },
                Operand { place: Place::Partial(p), size },
            ),
            None => (self.destination(i), NOWHERE),
        };
        self.fold(i, kernel, dst, dst2, [x, NOWHERE], Base::Col, 0);
        Ok(())
    }

    fn fold(
        &mut self,
        i: usize,
        kernel: Kernel,
        dst: Operand,
        dst2: Operand,
        [a, b]: [Operand; 2],
        base: Base,
        src_step: isize,
    ) {
        self.program.steps.push(Step {
            kernel,
            extent: Extent::Full,
            flat: false,
            fold: true,
            dst,
            dst2,
            src: [a, b, NOWHERE, NOWHERE],
            dst_step: 0,
            src_step,
            base,
        });
        self.loc[i] = Loc::At(dst.place);
    }

    fn pick(&mut self, i: usize, x: Reg, index: Reg) -> Result<()> {
        let of = self.types[index.index()].0;
        let index = self.operand(index, Extent::Row, false)?;
        let wide = Operand { place: self.new_row(), size: 8 };
        let convert = table::convert(self.isa, of, DType::I64)
            .ok_or_else(|| Error::internal(format!("loop kernel: no conversion of {of}")))?;
        self.program.steps.push(Step {
            kernel: convert,
            extent: Extent::Row,
            flat: false,
            fold: false,
            dst: wide,
            dst2: NOWHERE,
            src: [index, NOWHERE, NOWHERE, NOWHERE],
            dst_step: 0,
            src_step: 0,
            base: Base::Zero,
        });
        let x = self.operand(x, Extent::Full, false)?;
        let dst = match self.goal.partial[i] {
            Some(_) => Operand { place: Place::Given(self.goal.given[i].unwrap_or(0)), size: x.size },
            None => self.destination(i),
        };
        let kernel = table::pick(x.size.into());
        self.fold(i, kernel, dst, NOWHERE, [x, wide], Base::Col, self.goal.cols as isize);
        Ok(())
    }

    fn threefry(&mut self, i: usize, k: bool, h: bool, sources: &[Operand; 4]) -> Result<()> {
        self.call(i, Some(table::threefry(self.isa, k, h)), sources)?;
        let word1 = (i..self.needed.len())
            .filter(|&j| self.needed[j] && self.kernel.body[j] == Inst::Word1(Reg(i as u32)))
            .collect::<Vec<_>>();
        let second =
            if self.extent(i) == Extent::Full { Place::Tile(self.new_tile()) } else { self.new_row() };
        if let Some(step) = self.program.steps.last_mut() {
            step.dst2 = Operand { place: second, size: 4 };
        }
        match (word1.as_slice(), second) {
            ([], Place::Tile(t)) => self.temporaries.push(t),
            ([first, rest @ ..], _) => {
                self.loc[*first] = Loc::At(second);
                // Several readers of the second word share its place, which lives as long as the last.
                let last = word1.iter().map(|&j| self.last[j]).max().unwrap_or(0);
                for &j in rest {
                    self.loc[j] = Loc::At(second);
                    self.last[j] = usize::MAX;
                }
                self.last[*first] = last;
            }
            _ => {}
        }
        Ok(())
    }

    fn clamp(&mut self, i: usize, low: Reg, x: Reg, high: Reg) -> Result<()> {
        let (extent, dtype) = (self.extent(i), self.types[i].0);
        let size = dtype.size() as u8;
        let splat = |c: &Self, r| c.may_splat(r, extent, dtype);
        let (x_splat, low_splat) = (splat(self, x), splat(self, low));
        let low_splat = low_splat && !x_splat;
        let sources = [self.operand(x, extent, x_splat)?, self.operand(low, extent, low_splat)?];
        let middle = match extent {
            Extent::Full => {
                let tile = self.new_tile();
                self.temporaries.push(tile);
                Place::Tile(tile)
            }
            _ => self.new_row(),
        };
        let middle = Operand { place: middle, size };
        let kernel = table::binary(self.isa, Binary::Maximum, dtype, x_splat, low_splat)
            .ok_or_else(|| Error::internal(format!("loop kernel: no maximum on {dtype}")))?;
        self.program.steps.push(Step {
            kernel,
            extent,
            flat: true,
            fold: false,
            dst: middle,
            dst2: NOWHERE,
            src: [sources[0], sources[1], NOWHERE, NOWHERE],
            dst_step: 0,
            src_step: 0,
            base: Base::Zero,
        });
        let high_splat = splat(self, high);
        let high = self.operand(high, extent, high_splat)?;
        self.call(i, table::binary(self.isa, Binary::Minimum, dtype, false, high_splat), &[middle, high])
    }

    fn load(&mut self, i: usize, input: usize, map: Map) -> Result<()> {
        let size = self.kernel.inputs[input].size();
        let extent = self.extent(i);
        let (col, run) = (map.col, self.goal.run.map_or(0, |d| map.rows[d]));
        self.program.loads.push(Access { buffer: input, map, size });
        let place = Place::Load(self.program.loads.len() as u16 - 1);
        // A value that is stored as it was loaded is copied first: another store may overwrite its input before.
        let stores = |s: &&usize| self.kernel.stores[**s].value.index() == i;
        let kept =
            !self.goal.direct && self.goal.stores.len() > 1 && self.goal.stores.iter().any(|s| stores(&s));
        if extent == Extent::Full && col == 1 && !kept {
            self.loc[i] = Loc::At(place);
            return Ok(());
        }
        let step = size as isize * if extent == Extent::Full { col } else { run } as isize;
        let dst = match extent {
            Extent::Full => Place::Tile(self.new_tile()),
            _ => self.new_row(),
        };
        let size = size as u8;
        self.copy(Operand { place, size }, Operand { place: dst, size }, extent, [size as isize, step]);
        self.loc[i] = Loc::At(dst);
        Ok(())
    }

    fn iota(&mut self, i: usize, axis: Axis, dtype: DType) -> Result<()> {
        let extent = self.extent(i);
        let dst = self.destination(i);
        let kernel = table::ramp(self.isa, dtype)
            .ok_or_else(|| Error::internal(format!("loop kernel: no index of type {dtype}")))?;
        let ramp = |dst, extent, base| Step {
            kernel,
            extent,
            flat: false,
            fold: false,
            dst,
            dst2: NOWHERE,
            src: [NOWHERE; 4],
            dst_step: 0,
            src_step: 0,
            base,
        };
        match axis {
            Axis::Cols => self.program.steps.push(ramp(dst, extent, Base::Col)),
            Axis::Row(d) if self.goal.run == Some(d) => {
                self.program.steps.push(ramp(dst, Extent::Row, Base::Row(d)));
            }
            Axis::Row(d) => {
                let one = Operand { place: self.new_row(), size: dst.size };
                self.program.steps.push(ramp(one, Extent::One, Base::Row(d)));
                // The one index serves every row of the tile, or every column after a column reduction.
                let rows = if extent == Extent::Full { Extent::Full } else { Extent::Row };
                self.copy(one, dst, rows, [dst.size as isize, 0]);
            }
        }
        self.loc[i] = Loc::At(dst.place);
        Ok(())
    }

    fn store(&mut self, s: usize) -> Result<()> {
        let store = &self.kernel.stores[s];
        let (value, col) = (store.value, store.map.col);
        let run = self.goal.run.map_or(0, |d| store.map.rows[d]);
        let place = self.place(value)?;
        if let Place::Store(k) = place {
            let written = &self.program.stores[k as usize];
            if written.buffer == store.output && written.map == store.map {
                return Ok(());
            }
        }
        let size = self.size(value);
        let per_row = !self.kernel.is_column() && self.extent(value.index()) == Extent::Row && col == 0;
        let extent = if per_row { Extent::Row } else { Extent::Full };
        let varies = self.extent(value.index()) == extent && !matches!(place, Place::Const(_));
        let dst = Operand { place: self.store_access(s), size };
        let step = size as isize;
        let dst_step = step * if per_row { run } else { col } as isize;
        let src_step = if varies { step } else { 0 };
        self.copy(Operand { place, size }, dst, extent, [dst_step, src_step]);
        Ok(())
    }
}
