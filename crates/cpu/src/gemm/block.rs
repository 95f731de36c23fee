//! The blocked loops of one task: a range of rows by a range of columns of C.

use std::ops::Range;

use jarrah_base::CHAIN;

use super::GroupScales;
use super::context::{Context, SumRows};
use super::element::{Accumulator, Factor, Rounded, Streamed, Unit};
use super::matrix::BlockBuffer;
use super::pack::{View, panel, panels};
use super::packed::width;
use crate::buffers::Scratch;

/// The number of panels of columns that are computed between two calls of the epilogue.
const GROUP: usize = 8;

/// Columns of the accumulator tile when C cannot hold accumulators.
pub(super) const STAGED: usize = 1024;

/// A block of B as microkernels read it.
#[derive(Clone, Copy)]
pub(super) enum BlockOfB<T: Factor> {
    /// Units `top..top + depth` of K in panels, the first of which begins at column `first`.
    Packed { ptr: *const T::Unit, first: usize, top: usize, depth: usize },
    /// All of B in the caller's memory, with contiguous rows; an element is a unit.
    InPlace(View<T>),
}

// SAFETY: operands are only read.
unsafe impl<T: Factor> Sync for BlockOfB<T> {}

/// A block of A as microkernels read it.
#[derive(Clone, Copy)]
enum BlockOfA<T: Factor> {
    /// Rows in panels.
    Packed(*const T::Unit),
    /// Rows in the caller's memory; an element is a unit.
    InPlace(View<T>),
}

impl<'a, T: Streamed, O: Rounded<Acc = T::Acc>> Context<'a, T, O> {
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
        let mut buffer = BlockBuffer::default();
        for k in (0..self.units).step_by(self.depth) {
            let units = k..(k + self.depth).min(self.units);
            let to = to.wrapping_add(self.of_rows(batch, rows.start, k));
            // SAFETY: forwarded.
            unsafe { self.pack_block(batch, rows.clone(), units, to, &mut buffer) };
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
        buffer: &mut BlockBuffer,
    ) {
        let (g, a, most) = (self.g, self.a(batch), self.tall);
        let (kernels, depth, height) = (self.kernels, units.len(), T::Unit::TOGETHER);
        // Contiguous columns of A are read a few at a time through all panels; rows all at once.
        let in_columns = a.has_contiguous_columns();
        let step = if in_columns { 16 } else { depth.clamp(1, a.longest_line() / height) };
        for top in (0..depth).step_by(step) {
            let steps = step.min(depth - top);
            let first = units.start + top;
            let ks = first * height..((first + steps) * height).min(g.k);
            // SAFETY: these rows and columns are inside A; `to` holds rows x depth units and heads.
            unsafe {
                let all = in_columns.then(|| a.block(rows.clone(), ks.clone(), buffer));
                let mut row = 0;
                for count in panels(rows.len(), most) {
                    let lines = rows.start + row..rows.start + row + count;
                    let from = match all {
                        Some(all) => all.from(row, 0),
                        None => a.block(lines, ks.clone(), buffer),
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

    /// Computes rows `rows` by columns `cols` of C, over as many units of K as `b` holds; `cols` begins a panel of it.
    ///
    /// # Safety
    /// `b` holds those columns, and the rows and columns of C are this task's own; it holds all of K unless C is
    /// in place, and then the units before it are in C.
    pub unsafe fn rows(&self, batch: usize, rows: Range<usize>, cols: Range<usize>, b: BlockOfB<T>) {
        let high = self.high();
        let wide = if self.in_place { cols.len() } else { STAGED };
        // With few rows, panels are multiplied one after another in the order of memory, although that takes several tiles, block
        // by block.
        let few = self.tall..=2 * self.tall;
        let in_order =
            matches!(b, BlockOfB::Packed { .. }) && self.rows.is_some() && few.contains(&rows.len());
        let wide = if in_order { self.kernels.cols() } else { wide };
        for left in cols.clone().step_by(wide) {
            for top in rows.clone().step_by(high) {
                let (rows, cols) = (top..(top + high).min(rows.end), left..(left + wide).min(cols.end));
                // SAFETY: parts of the caller's range.
                unsafe { self.tile(batch, rows, cols, b) };
            }
        }
    }

    /// Computes a tile of C: for each block of K, its rows of A are packed, and multiplied with one panel of B after another.
    ///
    /// # Safety
    /// As for [`rows`](Self::rows).
    unsafe fn tile(&self, batch: usize, rows: Range<usize>, cols: Range<usize>, b: BlockOfB<T>) {
        let (g, nr) = (self.g, self.kernels.cols());
        let ks = match b {
            BlockOfB::Packed { top, depth, .. } => top..top + depth,
            BlockOfB::InPlace(_) => 0..self.units,
        };
        let depth = self.depth_of_tile(rows.len()).min(ks.len().max(1));
        // A few panels of columns do not repay the packing of A.
        let few = cols.len() <= 4 * nr && self.rows.is_none() && g.scales.is_none();
        let read = self.a(batch).in_memory().filter(|a| T::EXACT && a.col == 1 && few);
        let packs_a = read.is_none() && self.rows.is_none();
        // Rows a power of two apart would evict one another from the first-level cache.
        let stride = cols.len().next_multiple_of(nr) + nr;
        let mut staged = Scratch::new::<T::Acc>(if self.in_place { 0 } else { rows.len() * stride });
        let sums = match self.in_place {
            true => self.c(batch, rows.start, cols.start).cast(),
            false => SumRows { first: staged.ptr::<T::Acc>(), stride },
        };
        // SAFETY: these columns have scales.
        let groups = g.scales.as_ref().map(|scales| unsafe { TileScales::of::<T>(scales, g.k, &cols, nr) });
        let blocks = groups.as_ref().is_some_and(|groups| ks.len() > CHAIN * groups.each);
        let mut before = Scratch::new::<T::Acc>(if blocks { rows.len() * cols.len() } else { 0 });
        let before = SumRows { first: before.ptr::<T::Acc>(), stride: cols.len() };
        let tile = Tile { cx: self, rows: rows.clone(), cols: cols.clone(), b, sums, groups, before };
        let mut scratch =
            Scratch::new::<T::Unit>(if packs_a { rows.len() * self.kernels.row(depth) } else { 0 });
        let (mut tail, mut buffer) = (Tail::default(), BlockBuffer::default());
        for k in (ks.start..ks.end.max(ks.start + 1)).step_by(depth) {
            let depth = (ks.end - k).min(depth);
            tile.begin(k);
            let a = match (read, self.rows) {
                (Some(a), _) => BlockOfA::InPlace(a.from(rows.start, k)),
                (None, Some(all)) => BlockOfA::Packed(all.wrapping_add(self.of_rows(batch, rows.start, k))),
                (None, None) => {
                    // SAFETY: A has these rows and units, and the scratch is as large.
                    unsafe {
                        self.pack_block(batch, rows.clone(), k..k + depth, scratch.ptr(), &mut buffer);
                    }
                    BlockOfA::Packed(scratch.ptr::<T::Unit>().cast_const())
                }
            };
            for left in cols.clone().step_by(GROUP * nr) {
                let part = left..(left + GROUP * nr).min(cols.end);
                for first in part.clone().step_by(nr) {
                    // SAFETY: the blocks hold these rows and columns.
                    unsafe { tile.multiply(a, k, depth, first..(first + nr).min(part.end), &mut tail) };
                }
                if k + depth >= self.units {
                    if blocks {
                        tile.add_before(part.start - cols.start..part.end - cols.start);
                    }
                    let sums = (!self.in_place).then(|| sums.at_column(part.start - cols.start));
                    // SAFETY: these columns of the tile are final.
                    unsafe { self.finish(batch, rows.clone(), part, sums) };
                }
            }
        }
    }

    /// The units of K in a block of a tile with this number of rows.
    fn depth_of_tile(&self, rows: usize) -> usize {
        let depth = match self.rows {
            // One panel of rows reads B once anyway, so its block may be as deep as A's panel fits the cache.
            None if rows <= self.tall && self.g.scales.is_none() => (64 << 10) / size_of::<T::Unit>() / rows,
            _ => self.depth,
        };
        (depth / self.depth * self.depth).max(self.depth)
    }

    /// The panel of B at columns first.. and units k..: pointer, row stride and width.
    unsafe fn b_panel(
        &self,
        b: BlockOfB<T>,
        k: usize,
        depth: usize,
        first: usize,
        valid: usize,
        tail: &mut Tail,
    ) -> (*const T::Unit, isize, usize) {
        let nr = self.kernels.cols();
        match b {
            BlockOfB::Packed { ptr, first: base, top, depth } => {
                // Only the last panel of the operand is narrow, and then it is the last of this task too.
                let wide = if valid == nr { nr } else { width(self.kernels, 0, valid) };
                (ptr.wrapping_add(depth * (first - base) + (k - top) * wide), wide as isize, wide)
            }
            BlockOfB::InPlace(b) if valid == nr => (b.at(k, first).cast(), b.row, nr),
            BlockOfB::InPlace(b) => {
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

/// A tile of C while it is computed.
struct Tile<'t, 'a, T: Factor, O> {
    cx: &'t Context<'a, T, O>,
    rows: Range<usize>,
    cols: Range<usize>,
    b: BlockOfB<T>,
    /// The sums of these rows and columns: C itself, if C holds accumulators.
    sums: SumRows<T::Acc>,
    /// The scales of groups, if there are scales.
    groups: Option<TileScales>,
    /// The sums of earlier [blocks](jarrah_base::chains) of groups, if there are several.
    before: SumRows<T::Acc>,
}

impl<T: Streamed, O: Rounded<Acc = T::Acc>> Tile<'_, '_, T, O> {
    /// Begins the block of K from unit `k` on: where a further block of groups begins, the sums of the last one are kept.
    fn begin(&self, k: usize) {
        let group = self.groups.as_ref().map_or(0, |groups| k / groups.each);
        if group == 0 || !group.is_multiple_of(CHAIN) {
            return;
        }
        for row in 0..self.rows.len() {
            // SAFETY: rows of this task's own, and of a scratch that is as large.
            let (before, sums) =
                unsafe { (self.before.row(row, self.cols.len()), self.sums.row(row, self.cols.len())) };
            for (before, sum) in before.iter_mut().zip(sums) {
                *before = if group == CHAIN { *sum } else { before.plus(*sum) };
            }
        }
    }

    /// Adds the sums of the last block of groups to the sums of those before it, in the columns `cols`, counted in the tile.
    fn add_before(&self, cols: Range<usize>) {
        let (before, sums) = (self.before.at_column(cols.start), self.sums.at_column(cols.start));
        for row in 0..self.rows.len() {
            // SAFETY: as in `begin`.
            let (before, sums) = unsafe { (before.row(row, cols.len()), sums.row(row, cols.len())) };
            sums.iter_mut().zip(before).for_each(|(sum, before)| *sum = before.plus(*sum));
        }
    }

    /// Adds the products of the units `k..k + depth` of the tile's rows and of the columns `cols`, a panel of B or less, to the sums.
    ///
    /// # Safety
    /// `a` and the tile's block of B hold these units.
    unsafe fn multiply(&self, a: BlockOfA<T>, k: usize, depth: usize, cols: Range<usize>, tail: &mut Tail) {
        let (cx, kernels) = (self.cx, self.cx.kernels);
        let column = cols.start - self.cols.start;
        // SAFETY: the caller's promise.
        unsafe {
            let (b, b_row, wide) = cx.b_panel(self.b, k, depth, cols.start, cols.len(), tail);
            let (registers, places) = (wide / kernels.lanes - 1, kernels.row(depth));
            let cols = [column, cols.len(), wide];
            match (&self.groups, a) {
                (Some(groups), BlockOfA::Packed(a)) => {
                    let (group, tiles) = (k / groups.each, kernels.scaled[registers]);
                    let (count, each, next) = (depth / groups.each, groups.each, groups.stride as isize);
                    let scales = groups.row(group).wrapping_add(column);
                    let resume = !group.is_multiple_of(CHAIN);
                    self.for_rows(cols, resume, |row, rows, c, c_row| {
                        let (a, c) = (a.add(row * places), c.cast());
                        tiles[rows - 1](count, each, a, b, b_row, c, c_row, scales, next, resume);
                    });
                }
                (_, BlockOfA::Packed(a)) => {
                    let tiles = kernels.packed[registers];
                    self.for_rows(cols, k > 0, |row, rows, c, c_row| {
                        let a = a.add(row * places);
                        tiles[rows - 1](depth, a, 1, rows as isize, b, b_row, c, c_row, k > 0);
                    });
                }
                (_, BlockOfA::InPlace(a)) => {
                    let tiles = kernels.strided[registers];
                    self.for_rows(cols, k > 0, |row, rows, c, c_row| {
                        tiles[rows - 1](depth, a.at(row, 0).cast(), a.row, a.col, b, b_row, c, c_row, k > 0);
                    });
                }
            }
        }
    }

    /// Calls `kernel` for each panel of rows: with its first row, its number of rows, its sums from `column` on, and the distance between them.
    /// The kernel writes `wide` columns; where only `valid` are the tile's, they go through [`edge`].
    ///
    /// # Safety
    /// The tile has these columns, and the kernel writes no other sums than those of its rows.
    #[inline(always)]
    unsafe fn for_rows(
        &self,
        [column, valid, wide]: [usize; 3],
        resume: bool,
        kernel: impl Fn(usize, usize, *mut T::Acc, isize),
    ) {
        let mut row = 0;
        for count in panels(self.rows.len(), self.cx.tall) {
            let c = self.sums.at(row, column);
            if valid == wide || !self.cx.in_place {
                kernel(row, count, c, self.sums.stride as isize);
            } else {
                // SAFETY: the caller's promise.
                unsafe {
                    edge(c, self.sums.stride, count, valid, wide, resume, |c| {
                        kernel(row, count, c, wide as isize);
                    });
                }
            }
            row += count;
        }
    }
}

/// The scales of the columns of a tile, group by group, in whole panels.
struct TileScales {
    memory: Scratch,
    /// The distance between the scales of a group and those of the next.
    stride: usize,
    /// The number of units in a group.
    each: usize,
}

impl TileScales {
    /// The scales of the columns `cols`, of a product of `k` elements.
    ///
    /// # Safety
    /// There are scales of these columns, and of as many groups as `k` elements are.
    unsafe fn of<T: Factor>(
        scales: &GroupScales<'_>,
        k: usize,
        cols: &Range<usize>,
        nr: usize,
    ) -> TileScales {
        let (groups, stride) = (k / scales.each.max(1), cols.len().next_multiple_of(nr));
        let mut memory = Scratch::new::<f32>(groups * stride);
        let to = memory.ptr::<f32>();
        let mut buffer = BlockBuffer::default();
        let from = scales.source.matrix(0).expect("invariant: scales lie in no panels");
        let mut first = cols.start;
        while first < cols.end {
            let part = first..(first / scales.most * scales.most + scales.most).min(cols.end);
            // SAFETY: the caller's promise; the memory has as many rows of as many.
            unsafe {
                let rows = from.block(0..groups, part.clone(), &mut buffer);
                for group in 0..groups {
                    let to = to.add(group * stride + first - cols.start);
                    std::ptr::copy_nonoverlapping(rows.at(group, 0), to, part.len());
                }
            }
            first = part.end;
        }
        for group in 0..groups {
            // SAFETY: what the last panel has more.
            unsafe { to.add(group * stride + cols.len()).write_bytes(0, stride - cols.len()) };
        }
        TileScales { memory, stride, each: (scales.each / T::Unit::TOGETHER).max(1) }
    }

    /// The scales of a group.
    fn row(&self, group: usize) -> *const f32 {
        self.memory.first::<f32>().wrapping_add(group * self.stride)
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
