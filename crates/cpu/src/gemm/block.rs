//! The blocked loops of one task: a range of rows by a range of columns of C.

use std::ops::Range;

use jarrah_base::CHAIN;

use super::element::{Accumulator, Factor, Rounded, Streamed, Tiled, Unit};
use super::kernel::{Chains, Kernels, STREAMED, fold_on};
use super::origin::{Advancing, Origin, Room};
use super::pack::{View, narrow, panel, panels};
use super::packed::width;
use super::{Epilogue, EpilogueTile, Gemm, Scales};
use crate::buffers::Scratch;
use crate::isa::Isa;

/// Units of K per block: a panel of B (32 KiB) and one of A then share the first-level cache.
pub(super) const DEPTH: usize = 256;

const _: () = assert!(DEPTH.is_multiple_of(CHAIN) && (CHAIN / 2).is_multiple_of(STREAMED));

/// The number of panels of columns that are computed between two calls of the epilogue.
const GROUP: usize = 8;

/// Columns of the accumulator tile when C cannot hold accumulators.
pub(super) const STAGED: usize = 1024;

/// Where the microkernels find B.
#[derive(Clone, Copy)]
pub(super) enum Source<T: Factor> {
    /// Units top..top + depth of K in panels, the first of which begins at column `first`.
    Packed { ptr: *const T::Unit, first: usize, top: usize, depth: usize },
    /// In the caller's memory, with unit column stride; `T` is its own unit.
    Direct(View<T>),
}

// SAFETY: operands are only read.
unsafe impl<T: Factor> Sync for Source<T> {}

/// The state that all tasks of one product share.
pub(super) struct Context<'a, T: Factor, O> {
    pub isa: Isa,
    pub kernels: &'static Kernels<T::Unit>,
    pub g: &'a Gemm<'a, T, O>,
    /// The number of units along K.
    pub units: usize,
    /// Units of K per block.
    pub depth: usize,
    /// The most rows of a panel of A.
    pub tall: usize,
    pub epilogue: Option<Epilogue<'a, O>>,
    /// Whether C holds the accumulators between blocks of K.
    pub in_place: bool,
    /// All rows of A in panels, if they are packed before the tasks: tile by tile of each block of K.
    pub rows: Option<*const T::Unit>,
}

// SAFETY: operands are only read, and tasks write disjoint parts of C.
unsafe impl<T: Factor, O> Sync for Context<'_, T, O> {}

impl<'a, T: Streamed, O: Rounded<Acc = T::Acc>> Context<'a, T, O> {
    pub fn new(isa: Isa, g: &'a Gemm<'a, T, O>, epilogue: Option<Epilogue<'a, O>>) -> Self {
        let units = g.k.div_ceil(T::Unit::TOGETHER);
        let in_place = O::EXACT && !g.accumulate;
        let kernels = T::Unit::kernels(isa);
        // Sums of groups and the scaled sums of a tile share the registers, so that a panel of B is read by more tiles, and stays in the
        // first-level cache.
        let (depth, tall) = match g.scales {
            Some(_) => (DEPTH / 2, kernels.scaled[1].len()),
            None => (DEPTH, kernels.rows()),
        };
        Context { isa, kernels, g, units, depth, tall, epilogue, in_place, rows: None }
    }

    /// This context with all rows of A packed in `rows`.
    pub fn with_rows(&self, rows: Option<&'a Scratch>) -> Self {
        Context { rows: rows.map(Scratch::first), ..*self }
    }

    /// The rows of a tile of C.
    pub fn high(&self) -> usize {
        16 * self.kernels.rows()
    }

    /// The number of units in one A whose rows are all packed in panels, as [`pack`](Self::pack) writes them.
    pub fn packed_rows(&self) -> usize {
        let heads = self.units.div_ceil(self.depth) * self.kernels.front();
        self.g.m * (self.kernels.places(self.units) + heads)
    }

    /// The offset, in an A [packed whole](Self::packed_rows), of the panels of the rows from `row` on and of the units from `k`
    /// on.
    fn of_rows(&self, batch: usize, row: usize, k: usize) -> usize {
        let (kernels, depth) = (self.kernels, (self.units - k).min(self.depth));
        let before = kernels.places(k) + k / self.depth * kernels.front();
        batch * self.packed_rows() + self.g.m * before + row * kernels.row(depth)
    }

    /// Packs A's rows of a tile of C to their place in `to`, which has room for all rows.
    ///
    /// # Safety
    /// A has these rows; no other thread writes them to `to`.
    pub unsafe fn pack(&self, batch: usize, rows: Range<usize>, to: *mut T::Unit) {
        let mut room = Room::default();
        for k in (0..self.units).step_by(self.depth) {
            let units = k..(k + self.depth).min(self.units);
            let to = to.wrapping_add(self.of_rows(batch, rows.start, k));
            // SAFETY: forwarded.
            unsafe { self.pack_block(batch, rows.clone(), units, to, &mut room) };
        }
    }

    /// Packs units of rows of A in panels, each behind its heads.
    ///
    /// # Safety
    /// A has these rows and units, and `to` has room for them and for the heads of each panel.
    unsafe fn pack_block(
        &self,
        batch: usize,
        rows: Range<usize>,
        units: Range<usize>,
        to: *mut T::Unit,
        room: &mut Room,
    ) {
        let (g, a, most) = (self.g, self.g.a.of(batch), self.tall);
        let (kernels, depth, height) = (self.kernels, units.len(), T::Unit::TOGETHER);
        // Contiguous columns of A are read a few at a time through all panels; rows all at once.
        let in_columns = a.runs_along(true);
        let step = if in_columns { 16 } else { depth.clamp(1, a.most() / height) };
        for top in (0..depth).step_by(step) {
            let steps = step.min(depth - top);
            let first = units.start + top;
            let ks = first * height..((first + steps) * height).min(g.k);
            // SAFETY: these rows and columns are inside A; `to` holds rows x depth units and heads.
            unsafe {
                let all = in_columns.then(|| a.part(rows.clone(), ks.clone(), room));
                let mut row = 0;
                for count in panels(rows.len(), most) {
                    let lines = rows.start + row..rows.start + row + count;
                    let from = match all {
                        Some(all) => all.from(row, 0),
                        None => a.part(lines, ks.clone(), room),
                    };
                    let to = to.add(row * kernels.row(depth) + kernels.row(top) * count);
                    if kernels.widened {
                        let to = to.cast::<T::Acc>();
                        panel(self.isa, from, count, ks.len(), to, count);
                        // The missing elements of the last unit are zeros.
                        for missing in ks.len()..height * steps {
                            to.add(missing * count).write_bytes(0, count);
                        }
                    } else {
                        panel(self.isa, from, count, ks.len(), to, count);
                    }
                    row += count;
                }
            }
        }
        if let Some(write) = kernels.heads {
            let mut row = 0;
            for count in panels(rows.len(), most) {
                // SAFETY: the panel was packed behind the room for its heads.
                unsafe { write(to.add(row * kernels.row(depth)), depth, count) };
                row += count;
            }
        }
    }

    fn c(&self, batch: usize, row: usize, col: usize) -> *mut O {
        self.g.c.wrapping_add(batch * self.g.c_batch + row * self.g.c_row + col)
    }

    /// Rounds `staged` accumulators into C, if C does not hold them, and hands the tile to the epilogue.
    ///
    /// # Safety
    /// The rows and columns of C are the caller's own; `staged` holds them in rows so far apart.
    pub unsafe fn finish(
        &self,
        batch: usize,
        rows: Range<usize>,
        cols: Range<usize>,
        staged: Option<(*const T::Acc, usize)>,
    ) {
        let c = self.c(batch, rows.start, cols.start);
        if let Some((staged, stride)) = staged {
            for r in 0..rows.len() {
                // SAFETY: `staged` holds these rows and columns, and the part of C is this task's own.
                let (acc, c) = unsafe {
                    (
                        std::slice::from_raw_parts(staged.add(r * stride), cols.len()),
                        std::slice::from_raw_parts_mut(c.add(r * self.g.c_row), cols.len()),
                    )
                };
                if self.g.accumulate {
                    c.iter_mut().zip(acc).for_each(|(c, &acc)| *c = O::narrow(c.widen().plus(acc)));
                } else {
                    // SAFETY: the instruction set was detected.
                    unsafe { narrow(self.isa, acc, c) };
                }
            }
        }
        if let Some(epilogue) = self.epilogue {
            let c_owner = std::marker::PhantomData;
            epilogue(EpilogueTile { batch, rows, cols, c, c_row: self.g.c_row, c_owner });
        }
    }

    /// The memory for the chains and the sums of a product of few rows, over these columns.
    fn few_rows(&self, batch: usize, cols: &Range<usize>) -> FewRows<T::Acc> {
        let (g, width) = (self.g, cols.len());
        let staged = if self.in_place { 0 } else { g.m * width };
        // Rows a power of two apart would evict one another from the first-level cache.
        let apart = width + 3 * self.kernels.cols();
        let mut memory = Scratch::new::<T::Acc>(staged + g.m * apart);
        let first = memory.ptr::<T::Acc>();
        let sums = match self.in_place {
            true => (self.c(batch, 0, cols.start).cast::<T::Acc>(), g.c_row),
            false => (first, width),
        };
        FewRows { parked: (first.wrapping_add(staged), apart), sums, _memory: memory }
    }

    /// Multiplies few rows by a row-major B, which is read once, a few rows at a time, while the chains of these columns stay in
    /// the first-level cache.
    ///
    /// # Safety
    /// `b` has rows from one column to the next, and is read so many at a time; the columns of C are this task's own.
    pub unsafe fn stream(&self, batch: usize, cols: Range<usize>, a: View<T>, b: Origin<'_, T>) {
        let g = self.g;
        let (streams, width) = (T::streams(self.isa), cols.len());
        let (height, chain, front) = (T::Unit::TOGETHER, T::Unit::BLOCK, self.kernels.front());
        let mut units = Scratch::new::<T::Unit>(if T::EXACT { 0 } else { g.m * (front + self.units) });
        let heads = units.ptr::<T::Unit>();
        let a: View<T::Unit> = if T::EXACT {
            View { ptr: a.ptr.cast(), row: a.row, col: a.col }
        } else {
            let to = heads.wrapping_add(front * g.m);
            // SAFETY: A has these rows, and the scratch is as large, with their heads.
            unsafe {
                panel(self.isa, a, g.m, g.k, to, g.m);
                if let Some(write) = self.kernels.heads {
                    write(heads, self.units, g.m);
                }
            }
            View { ptr: to.cast_const(), row: 1, col: g.m as isize }
        };
        let lent = self.few_rows(batch, &cols);
        let ((parked, apart), (acc, stride)) = (lent.parked, lent.sums);
        let (mut room, mut last) = (Room::default(), Scratch::new::<T>(0));
        // SAFETY: k.. stays below K; the chains and sums are this task's own.
        unsafe {
            if g.k == 0 {
                (0..g.m).for_each(|r| acc.add(r * stride).write_bytes(0, width));
            }
            let mut k = 0;
            while k < self.units {
                let (depth, kernels) =
                    if g.k / height < k + STREAMED { (1, streams.one) } else { (STREAMED, streams.several) };
                let present = k * height..((k + depth) * height).min(g.k);
                let mut rows = b.part(present.clone(), cols.clone(), &mut room);
                if present.len() < depth * height {
                    // The last unit has fewer rows; the missing rows are zeros.
                    last = Scratch::new::<T>(height * width);
                    let to = last.ptr::<T>();
                    to.write_bytes(0, height * width);
                    for row in 0..present.len() {
                        let from = rows.ptr.offset(row as isize * rows.row);
                        std::ptr::copy_nonoverlapping(from, to.add(row * width), width);
                    }
                    rows = View { ptr: to.cast_const(), row: width as isize, col: 1 };
                }
                let (begins, ends) =
                    (k.is_multiple_of(chain), (k + depth).is_multiple_of(chain) || k + depth == self.units);
                let mut row = 0;
                for count in panels(g.m, kernels.len()) {
                    let from = (parked.add(row * apart), apart as isize);
                    let to = if ends { (acc.add(row * stride), stride as isize) } else { from };
                    let (resume, add) = (!begins, ends && k >= chain);
                    let chains = Chains { from, resume, heads: heads.wrapping_add(row), to, add };
                    kernels[count - 1](a.at(row, k), a.row, a.col, rows.ptr, rows.row, width, &chains);
                    row += count;
                }
                k += depth;
            }
            self.finish(batch, 0..g.m, cols, (!self.in_place).then_some((acc.cast_const(), stride)));
        }
        drop(last);
    }

    /// The number of places that `units` units of all rows of A take among the [`factors`](Self::factors).
    pub fn places(&self, units: usize) -> usize {
        self.g.m * self.kernels.places(units)
    }

    /// Writes the units of all rows of A in the order in which calls multiply them, `count` units of each row to a call: for each
    /// call, the units of each row in turn. They are widened if packed rows are [widened](Kernels::widened).
    ///
    /// # Safety
    /// A has the product's rows, and `to` has room for as many [places](Self::places).
    pub unsafe fn factors(&self, a: View<T>, count: usize, to: *mut T::Unit) {
        let (m, k, places) = (self.g.m, self.g.k, self.kernels.places(self.units));
        let count = self.kernels.places(count);
        let mut packed = Scratch::new::<T::Unit>(if T::EXACT { 0 } else { m * places });
        let a: View<T::Unit> = if T::EXACT {
            View { ptr: a.ptr.cast(), row: a.row, col: a.col }
        } else {
            let packed = packed.ptr::<T::Unit>();
            // SAFETY: A has these rows, and the scratch is as large; accumulators are as large as units, and no unit lacks elements where rows
            // are multiplied as they are made.
            unsafe {
                match self.kernels.widened {
                    true => panel(self.isa, a, m, k, packed.cast::<T::Acc>(), m),
                    false => panel(self.isa, a, m, k, packed, m),
                }
            }
            View { ptr: packed.cast_const(), row: 1, col: m as isize }
        };
        let mut to = to;
        for first in (0..places).step_by(count) {
            for row in 0..m {
                for k in first..(first + count).min(places) {
                    // SAFETY: a row and a unit of A; there is room for as many as there are.
                    unsafe {
                        to.write(*a.at(row, k));
                        to = to.add(1);
                    }
                }
            }
        }
    }

    /// Multiplies few rows, whose units are `factors`, by a B that is multiplied as it is made.
    ///
    /// # Safety
    /// The columns of C are this task's own.
    pub unsafe fn advanced(
        &self,
        batch: usize,
        cols: Range<usize>,
        factors: *mut T::Unit,
        advance: Advancing<'_>,
    ) {
        let g = self.g;
        let lent = self.few_rows(batch, &cols);
        let (parked, (acc, stride)) = (lent.parked, lent.sums);
        // SAFETY: the chains and sums are this task's own.
        unsafe {
            match &g.scales {
                Some(scales) => {
                    let (parked, sums) = ((parked.0.cast(), parked.1), (acc.cast(), stride));
                    self.advance_groups(batch, cols.clone(), factors, advance, scales, parked, sums);
                }
                None => self.advance(batch, cols.clone(), factors, advance, parked, (acc, stride)),
            }
            self.finish(batch, 0..g.m, cols, (!self.in_place).then_some((acc.cast_const(), stride)));
        }
    }

    /// Computes the sums of a product of few rows by a B that is multiplied as it is made; chains and sums are rows, each with
    /// its distance.
    ///
    /// # Safety
    /// `factors` has all units; the chains and the sums have these columns of as many rows.
    unsafe fn advance(
        &self,
        batch: usize,
        cols: Range<usize>,
        factors: *mut T::Unit,
        Advancing { units: count, scaled, run: advance, .. }: Advancing<'_>,
        (chains, apart): (*mut T::Acc, usize),
        (sums, stride): (*mut T::Acc, usize),
    ) {
        let (m, width) = (self.g.m, cols.len());
        let factors_of = |k: usize| factors.wrapping_add(self.places(k));
        let rows_of = |first: *mut T::Acc, next: usize| -> Vec<*mut u8> {
            (0..m).map(|r| first.wrapping_add(r * next).cast()).collect()
        };
        let of = |first: *mut T::Acc, next: usize, r: usize| {
            // SAFETY: these columns of a row of chains or of sums, which are this task's own.
            unsafe { std::slice::from_raw_parts_mut(first.add(r * next), width) }
        };
        if scaled {
            // A call computes a block of K and adds it as a group with the scale 1. Sums begin at -0, to which zeros of either
            // sign are added unchanged.
            let fill = |first: *mut T::Acc, next: usize, r: usize, value: f32| {
                // SAFETY: as above; where a call makes a block sums are `f32`.
                unsafe { std::slice::from_raw_parts_mut(first.add(r * next).cast::<f32>(), width) }
                    .fill(value)
            };
            (0..m).for_each(|r| fill(sums, stride, r, -0.0));
            fill(chains, apart, 0, 1.0);
            let mut rows = rows_of(sums, stride);
            rows.push(chains.cast());
            advance(batch, (0, self.units / count), cols, factors.cast(), &rows);
            return;
        }
        let rows = rows_of(chains, apart);
        for k in (0..self.units).step_by(T::Unit::BLOCK) {
            (0..m).for_each(|r| of(chains, apart, r).fill(T::Acc::default()));
            let calls = (self.units - k).min(T::Unit::BLOCK) / count;
            advance(batch, (k * T::Unit::TOGETHER, calls), cols.clone(), factors_of(k).cast(), &rows);
            for r in 0..m {
                let (sums, chain) = (of(sums, stride, r), of(chains, apart, r));
                match k > 0 {
                    true => sums.iter_mut().zip(chain).for_each(|(sum, &mut x)| *sum = sum.plus(x)),
                    false => sums.copy_from_slice(chain),
                }
            }
        }
    }

    /// As [`advance`](Self::advance), for a product with scales, whose sums are `f32`.
    ///
    /// # Safety
    /// As for `advance`; a group is whole calls.
    unsafe fn advance_groups(
        &self,
        batch: usize,
        cols: Range<usize>,
        factors: *mut T::Unit,
        advance: Advancing<'_>,
        scales: &Scales<'_>,
        (chains, apart): (*mut f32, usize),
        (sums, stride): (*mut f32, usize),
    ) {
        let groups = self.units / (scales.each / T::Unit::TOGETHER).max(1);
        let mut block = Scratch::new::<f32>(if groups > CHAIN { self.g.m * cols.len() } else { 0 });
        let mut room = Room::default();
        let most = if advance.makes_scales { usize::MAX } else { scales.most };
        let mut first = cols.start;
        while first < cols.end {
            let part = first..(first / most * most).saturating_add(most).min(cols.end);
            let of_part = |rows: *mut f32| rows.wrapping_add(first - cols.start);
            // SAFETY: there is a row of scales for each group; these columns of the chains and the sums.
            unsafe {
                let of_groups = match advance.makes_scales {
                    true => None,
                    false => Some(scales.of.of(0).part(0..groups, part.clone(), &mut room)),
                };
                let (chains, sums) = ((of_part(chains), apart), (of_part(sums), stride));
                let block = (block.ptr::<f32>(), part.len());
                let each = scales.each / T::Unit::TOGETHER;
                self.advance_part(
                    batch,
                    part.clone(),
                    factors,
                    advance,
                    (each, of_groups),
                    chains,
                    sums,
                    block,
                );
            }
            first = part.end;
        }
    }

    /// As [`advance_groups`](Self::advance_groups), for columns whose scales are in memory, for groups of `each` units; `block`
    /// has room for sums of all rows.
    ///
    /// # Safety
    /// As for `advance_groups`.
    #[allow(clippy::too_many_arguments, reason = "places of three kinds of sums")]
    unsafe fn advance_part(
        &self,
        batch: usize,
        cols: Range<usize>,
        factors: *mut T::Unit,
        Advancing { units: count, scaled, run: advance, .. }: Advancing<'_>,
        (each, scales): (usize, Option<View<f32>>),
        (chains, apart): (*mut f32, usize),
        (sums, stride): (*mut f32, usize),
        (block, of_block): (*mut f32, usize),
    ) {
        let (m, width, together) = (self.g.m, cols.len(), T::Unit::TOGETHER);
        let (groups, fold) = (self.units / each.max(1), fold_on(self.isa));
        let factors_of = |k: usize| factors.wrapping_add(self.places(k));
        let rows: Vec<*mut u8> = (0..m).map(|r| chains.wrapping_add(r * apart).cast()).collect();
        let clear = |first: *mut f32, next: usize| {
            // SAFETY: these columns of rows of chains or of sums, which are this task's own.
            (0..m).for_each(|r| unsafe { first.add(r * next).write_bytes(0, width) });
        };
        if !scaled {
            clear(chains, apart);
        }
        clear(sums, stride);
        for first in (0..groups).step_by(CHAIN) {
            let some = first..(first + CHAIN).min(groups);
            // A further block of groups has a sum of its own, which is added to those before it.
            let (to, next) = if first == 0 { (sums, stride) } else { (block, of_block) };
            if first > 0 {
                clear(to, next);
            }
            if scaled {
                let mut of_sums: Vec<*mut u8> = (0..m).map(|r| to.wrapping_add(r * next).cast()).collect();
                of_sums.extend(scales.map(|scales| scales.at(first, 0).cast_mut().cast::<u8>()));
                let k = first * each;
                advance(batch, (k * together, some.len()), cols.clone(), factors_of(k).cast(), &of_sums);
            } else if let Some(scales) = scales {
                for group in some {
                    let k = group * each;
                    advance(batch, (k * together, each / count), cols.clone(), factors_of(k).cast(), &rows);
                    for r in 0..m {
                        // SAFETY: these columns of a row of chains and of sums, and the scales of the group.
                        unsafe {
                            fold(width, chains.add(r * apart), scales.at(group, 0), to.add(r * next));
                        }
                    }
                }
            }
            for r in (0..m).filter(|_| first > 0) {
                // SAFETY: as above.
                let (sums, block) = unsafe {
                    (
                        std::slice::from_raw_parts_mut(sums.add(r * stride), width),
                        std::slice::from_raw_parts(to.add(r * next), width),
                    )
                };
                sums.iter_mut().zip(block).for_each(|(sum, &x)| *sum += x);
            }
        }
    }

    /// Computes rows `rows` by columns `cols` of C, over as many units of K as `source` holds; `cols` begins a panel of it.
    ///
    /// # Safety
    /// `source` holds those columns, and the rows and columns of C are this task's own; it holds all of K unless C is
    /// in place, and then the units before it are in C.
    pub unsafe fn rows(&self, batch: usize, rows: Range<usize>, cols: Range<usize>, source: Source<T>) {
        let high = self.high();
        let wide = if self.in_place { cols.len() } else { STAGED };
        // With few rows, panels are multiplied one after another in the order of memory, although that takes several tiles, block
        // by block.
        let few = self.tall..=2 * self.tall;
        let in_order =
            matches!(source, Source::Packed { .. }) && self.rows.is_some() && few.contains(&rows.len());
        let wide = if in_order { self.kernels.cols() } else { wide };
        for left in cols.clone().step_by(wide) {
            for top in rows.clone().step_by(high) {
                // SAFETY: parts of the caller's range.
                unsafe {
                    self.tile(
                        batch,
                        top..(top + high).min(rows.end),
                        left..(left + wide).min(cols.end),
                        source,
                    );
                }
            }
        }
    }

    unsafe fn tile(&self, batch: usize, rows: Range<usize>, cols: Range<usize>, source: Source<T>) {
        let (g, kernels) = (self.g, self.kernels);
        let (most, nr) = (self.tall, kernels.cols());
        let a = g.a.of(batch);
        // One panel of rows reads B once anyway, so its block may be as deep as A's panel fits the cache.
        let depth = match self.rows {
            None if rows.len() <= most && g.scales.is_none() => {
                (64 << 10) / size_of::<T::Unit>() / rows.len()
            }
            _ => self.depth,
        };
        let depth = (depth / self.depth * self.depth).max(self.depth);
        let ks = match source {
            Source::Packed { top, depth, .. } => top..top + depth,
            Source::Direct(_) => 0..self.units,
        };
        let depth = depth.min(ks.len().max(1));
        // A few panels of columns do not repay the packing of A.
        let few = cols.len() <= 4 * nr && self.rows.is_none() && g.scales.is_none();
        let read = a.in_memory().filter(|a| T::EXACT && a.col == 1 && few);
        let pack_a = read.is_none() && self.rows.is_none();
        // Rows a power of two apart would evict one another from the first-level cache.
        let stride = if self.in_place { g.c_row } else { cols.len().next_multiple_of(nr) + nr };
        let mut staged = Scratch::new::<T::Acc>(if self.in_place { 0 } else { rows.len() * stride });
        let acc =
            if self.in_place { self.c(batch, rows.start, cols.start).cast() } else { staged.ptr::<T::Acc>() };
        // SAFETY: these columns have scales.
        let groups = g.scales.as_ref().map(|scales| unsafe { GroupScales::of::<T>(scales, g.k, &cols, nr) });
        let blocks = groups.as_ref().is_some_and(|groups| ks.len() > CHAIN * groups.each);
        let mut before = Scratch::new::<T::Acc>(if blocks { rows.len() * cols.len() } else { 0 });
        let before = before.ptr::<T::Acc>();
        // Adds the sums of a block of groups to those of earlier blocks, if this is not the `first`.
        let join = |to_c: bool, first: bool, part: Range<usize>| {
            for r in 0..rows.len() {
                // SAFETY: rows and columns of this task's own, and of the scratch, which is as large.
                let (c, sum) = unsafe {
                    (
                        std::slice::from_raw_parts_mut(acc.add(r * stride + part.start), part.len()),
                        std::slice::from_raw_parts_mut(before.add(r * cols.len() + part.start), part.len()),
                    )
                };
                for (c, sum) in c.iter_mut().zip(sum) {
                    let both = if first { *c } else { sum.plus(*c) };
                    if to_c {
                        *c = both;
                    } else {
                        *sum = both;
                    }
                }
            }
        };
        let mut scratch = Scratch::new::<T::Unit>(if pack_a { rows.len() * kernels.row(depth) } else { 0 });
        let (mut tail, mut room) = (Tail::default(), Room::default());
        for k in (ks.start..ks.end.max(ks.start + 1)).step_by(depth) {
            let depth = (ks.end - k).min(depth);
            let group = groups.as_ref().map_or(0, |groups| k / groups.each);
            if group > 0 && group.is_multiple_of(CHAIN) {
                join(false, group == CHAIN, 0..cols.len());
            }
            let packed = match self.rows {
                Some(all) => all.wrapping_add(self.of_rows(batch, rows.start, k)),
                None => scratch.ptr::<T::Unit>().cast_const(),
            };
            if pack_a {
                // SAFETY: A has these rows and units, and the scratch is as large.
                unsafe {
                    self.pack_block(batch, rows.clone(), k..k + depth, scratch.ptr(), &mut room);
                }
            }
            for left in cols.clone().step_by(GROUP * nr) {
                let panels_of = left..(left + GROUP * nr).min(cols.end);
                for first in panels_of.clone().step_by(nr) {
                    let valid = (panels_of.end - first).min(nr);
                    // SAFETY: the source holds these columns; tiles stay inside the task's rows and columns, and
                    // those narrower than a register go through `edge`.
                    unsafe {
                        let (b, b_row, wide) = self.b_panel(source, k, depth, first, valid, &mut tail);
                        let mut row = 0;
                        for count in panels(rows.len(), most) {
                            let c = acc.add(row * stride + first - cols.start);
                            let (a, a_row, a_col, table) = match read {
                                None => {
                                    let packed = packed.add(row * kernels.row(depth));
                                    (packed, 1, count as isize, &kernels.packed)
                                }
                                Some(a) => {
                                    let a = a.from(rows.start + row, k);
                                    (a.ptr.cast(), a.row, a.col, &kernels.strided)
                                }
                            };
                            if let Some(groups) = &groups {
                                let kernel = kernels.scaled[wide / kernels.lanes - 1][count - 1];
                                let (each, scales_row) = (groups.each, groups.apart as isize);
                                let scales = groups.row(group).wrapping_add(first - cols.start);
                                let resume = !group.is_multiple_of(CHAIN);
                                let run = |c: *mut T::Acc, c_row: isize| {
                                    let c = c.cast::<f32>();
                                    kernel(
                                        depth / each,
                                        each,
                                        a,
                                        b,
                                        b_row,
                                        c,
                                        c_row,
                                        scales,
                                        scales_row,
                                        resume,
                                    );
                                };
                                if valid == wide || !self.in_place {
                                    run(c, stride as isize);
                                } else {
                                    edge(c, stride, count, valid, wide, resume, |c| run(c, wide as isize));
                                }
                                row += count;
                                continue;
                            }
                            let kernel = table[wide / kernels.lanes - 1][count - 1];
                            if valid == wide || !self.in_place {
                                kernel(depth, a, a_row, a_col, b, b_row, c, stride as isize, k > 0);
                            } else {
                                edge(c, stride, count, valid, wide, k > 0, |c| {
                                    kernel(depth, a, a_row, a_col, b, b_row, c, wide as isize, k > 0);
                                });
                            }
                            row += count;
                        }
                    }
                }
                if k + depth >= self.units {
                    if blocks {
                        join(true, false, panels_of.start - cols.start..panels_of.end - cols.start);
                    }
                    // SAFETY: the group is final.
                    unsafe {
                        let staged = acc.add(panels_of.start - cols.start).cast_const();
                        let staged = (!self.in_place).then_some((staged, stride));
                        self.finish(batch, rows.clone(), panels_of, staged);
                    }
                }
            }
        }
    }

    /// The panel of B at columns first.. and units k..: pointer, row stride and width.
    unsafe fn b_panel(
        &self,
        source: Source<T>,
        k: usize,
        depth: usize,
        first: usize,
        valid: usize,
        tail: &mut Tail,
    ) -> (*const T::Unit, isize, usize) {
        let nr = self.kernels.cols();
        match source {
            Source::Packed { ptr, first: base, top, depth } => {
                // Only the last panel of the operand is narrow, and then it is the last of this task too.
                let wide = if valid == nr { nr } else { width(self.kernels, 0, valid) };
                (ptr.wrapping_add(depth * (first - base) + (k - top) * wide), wide as isize, wide)
            }
            Source::Direct(b) if valid == nr => (b.at(k, first).cast(), b.row, nr),
            Source::Direct(b) => {
                let wide = width(self.kernels, 0, valid);
                let scratch = tail.0.get_or_insert_with(|| Scratch::new::<T::Unit>(nr * depth));
                let out = scratch.ptr::<T::Unit>();
                // SAFETY: `valid` columns of B exist; the first block of K, the deepest, sized the scratch.
                unsafe { panel(self.isa, b.from(k, first).transposed(), valid, depth, out, wide) };
                (out, wide as isize, wide)
            }
        }
    }
}

/// The rows of chains, and the rows of their sums, each with the distance between rows.
struct FewRows<A> {
    parked: (*mut A, usize),
    /// The rows of sums; they are in C, if C holds accumulators.
    sums: (*mut A, usize),
    _memory: Scratch,
}

/// The scales of the columns of a tile, group by group, in whole panels.
struct GroupScales {
    memory: Scratch,
    /// The distance between the scales of a group and those of the next.
    apart: usize,
    /// The number of units in a group.
    each: usize,
}

impl GroupScales {
    /// The scales of the columns `cols`, of a product of `k` elements.
    ///
    /// # Safety
    /// There are scales of these columns, and of as many groups as `k` elements are.
    unsafe fn of<T: Factor>(scales: &Scales<'_>, k: usize, cols: &Range<usize>, nr: usize) -> GroupScales {
        let (groups, apart) = (k / scales.each.max(1), cols.len().next_multiple_of(nr));
        let mut memory = Scratch::new::<f32>(groups * apart);
        let to = memory.ptr::<f32>();
        let (from, mut room) = (scales.of.of(0), Room::default());
        let mut first = cols.start;
        while first < cols.end {
            let part = first..(first / scales.most * scales.most + scales.most).min(cols.end);
            // SAFETY: the caller's promise; the memory has as many rows of as many.
            unsafe {
                let rows = from.part(0..groups, part.clone(), &mut room);
                for group in 0..groups {
                    let to = to.add(group * apart + first - cols.start);
                    std::ptr::copy_nonoverlapping(rows.at(group, 0), to, part.len());
                }
            }
            first = part.end;
        }
        for group in 0..groups {
            // SAFETY: what the last panel has more.
            unsafe { to.add(group * apart + cols.len()).write_bytes(0, apart - cols.len()) };
        }
        GroupScales { memory, apart, each: (scales.each / T::Unit::TOGETHER).max(1) }
    }

    /// The scales of a group.
    fn row(&self, group: usize) -> *const f32 {
        self.memory.first::<f32>().wrapping_add(group * self.apart)
    }
}

/// Room for the columns of an unpacked B that do not fill a panel.
#[derive(Default)]
struct Tail(Option<Scratch>);

/// Runs a kernel that writes `wide` columns on a part of C that has only `valid`.
unsafe fn edge<A: Accumulator>(
    c: *mut A,
    stride: usize,
    count: usize,
    valid: usize,
    wide: usize,
    resume: bool,
    kernel: impl FnOnce(*mut A),
) {
    let mut room = [A::default(); 12 * 32];
    // SAFETY: `count` rows of `valid` columns of C belong to the caller's tile; the room holds the largest tile.
    unsafe {
        if resume {
            for r in 0..count {
                std::ptr::copy_nonoverlapping(c.add(r * stride), room.as_mut_ptr().add(r * wide), valid);
            }
        }
        kernel(room.as_mut_ptr());
        for r in 0..count {
            std::ptr::copy_nonoverlapping(room.as_ptr().add(r * wide), c.add(r * stride), valid);
        }
    }
}
