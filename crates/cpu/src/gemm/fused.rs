//! Products of few rows whose right operand a prologue's machine code multiplies in registers: `C += A[:, block] B[block, :]`, one
//! [row block](super::RowBlock) of B after another, each of which lies nowhere in memory.
//!
//! With scales, `C += scale[group] * (A[:, group] B[group, :])`, by a fused multiply-add for each group.

use std::ops::Range;

use jarrah_base::CHAIN;

use super::context::{Chained, Context, SumRows};
use super::element::{Accumulator, Rounded, Streamed, Unit};
use super::kernel::fold_on;
use super::matrix::{BlockBuffer, PROLOGUE_SCALES, Prologue, Strided};
use super::pack::{View, panel};
use super::row_block::{Destination, FusedRows};
use super::{GroupScales, SMALL, Shared, run};
use crate::buffers::Scratch;
use crate::threads::ThreadPool;

/// The number of columns of a task whose prologue goes through panels.
const COLUMNS: usize = 256;

/// Computes a product of few rows, in at least `ranges` ranges of columns, if they are shared among threads.
///
/// # Safety
/// As for [`gemm`](super::gemm()); `prologue` computes the right operands, in `rows` that are multiplied by as many rows as A has.
pub(super) unsafe fn few_rows<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &ThreadPool,
    a: &Strided<T>,
    prologue: &dyn Prologue<T>,
    rows: FusedRows,
    ranges: usize,
) {
    let (g, threads) = (cx.g, pool.threads());
    // Computing a row from quantized codes is as much work as multiplying several rows.
    let work = if g.scales.is_some() { 4 } else { 1 } * 2 * g.m * g.n * g.k.max(1) * g.batch;
    let small = work < SMALL;
    let width = match (g.scales.is_some(), rows.panel) {
        // A few panels, whose chains and scales stay in the first-level cache.
        (_, Some(panel)) => {
            let ranges = if small { 1 } else { threads };
            (COLUMNS / panel).max(1).min(g.n.div_ceil(ranges).div_ceil(panel)) * panel
        }
        (true, None) => {
            // The most scales that a prologue is asked for at a time bound the width.
            let ranges = ranges.max(g.n.div_ceil(PROLOGUE_SCALES)).next_multiple_of(threads);
            g.n.div_ceil(ranges).next_multiple_of(cx.kernels.cols()).min(PROLOGUE_SCALES)
        }
        (false, None) => {
            let ranges = if small { 1 } else { ranges.max((2 * threads).div_ceil(g.batch)) };
            g.n.div_ceil(ranges).next_multiple_of(4 * cx.kernels.cols())
        }
    };
    let each = factors_of(cx, cx.units);
    let mut memory = Scratch::new::<T::Unit>(g.batch * each);
    let factors = memory.ptr::<T::Unit>();
    for batch in 0..g.batch {
        // SAFETY: A has these rows, and there is room for the factors of each product.
        unsafe { write_factors(cx, a.view(batch), rows.block.units, factors.wrapping_add(batch * each)) };
    }
    let (factors, ranges) = (Shared(factors), g.n.div_ceil(width));
    run(pool, g.batch * ranges, work, &|task| {
        let (batch, left) = (task / ranges, task % ranges * width);
        let cols = left..(left + width).min(g.n);
        let factors = factors.get().wrapping_add(batch * each);
        // SAFETY: each task computes columns of its own.
        unsafe { Columns { cx, batch, cols, factors, prologue, rows }.compute() };
    });
}

/// The number of factors in `units` units of all rows of A.
fn factors_of<T: Streamed, O: Rounded<Acc = T::Acc>>(cx: &Context<'_, T, O>, units: usize) -> usize {
    cx.g.m * cx.kernels.places(units)
}

/// Writes the units of all rows of A in the order in which row blocks are multiplied, `count` units of each row to a block: for each
/// block, the units of each row in turn. They are widened if packed rows are [widened](super::Kernels::widened).
///
/// # Safety
/// A has the product's rows, and `to` has room for as many [factors](factors_of).
unsafe fn write_factors<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    a: View<T>,
    count: usize,
    mut to: *mut T::Unit,
) {
    let (m, k, places) = (cx.g.m, cx.g.k, cx.kernels.places(cx.units));
    let count = cx.kernels.places(count);
    let mut packed = Scratch::new::<T::Unit>(if T::EXACT { 0 } else { m * places });
    let a: View<T::Unit> = if T::EXACT {
        View { ptr: a.ptr.cast(), row: a.row, col: a.col }
    } else {
        let packed = packed.ptr::<T::Unit>();
        // SAFETY: A has these rows, and the scratch is as large; accumulators are as large as units, and no unit lacks elements where row
        // blocks are multiplied.
        unsafe {
            match cx.kernels.widened {
                true => panel(cx.isa, a, m, k, packed.cast::<T::Acc>(), m),
                false => panel(cx.isa, a, m, k, packed, m),
            }
        }
        View { ptr: packed.cast_const(), row: 1, col: m as isize }
    };
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

/// One task: a range of columns of a product.
struct Columns<'t, 'a, T: Streamed, O> {
    cx: &'t Context<'a, T, O>,
    batch: usize,
    cols: Range<usize>,
    /// All [factors](write_factors) of the product.
    factors: *mut T::Unit,
    prologue: &'t dyn Prologue<T>,
    rows: FusedRows,
}

impl<T: Streamed, O: Rounded<Acc = T::Acc>> Columns<'_, '_, T, O> {
    /// Computes the columns.
    ///
    /// # Safety
    /// The columns of C are this task's own.
    unsafe fn compute(self) {
        let cx = self.cx;
        let chained = Chained::new(cx, self.batch, &self.cols);
        let (chains, sums) = (chained.chains, chained.sums);
        // SAFETY: the chains and sums are this task's own; sums with scales are `f32`.
        unsafe {
            match &cx.g.scales {
                Some(scales) => self.add_groups(scales, chains.cast(), sums.cast()),
                None if self.scales_blocks() => self.add_scaled_blocks(chains.cast(), sums.cast()),
                None => self.add_blocks(chains, sums),
            }
            cx.finish(self.batch, 0..cx.g.m, self.cols, (!cx.in_place).then_some(sums));
        }
    }

    /// Whether a row block is a group, whose sum is added times its scales.
    fn scales_blocks(&self) -> bool {
        matches!(self.rows.block.to, Destination::Sums { scales: Some(_), .. })
    }

    /// Multiplies the row blocks of these units of K by all rows of A, and adds the products to rows of sums over `cols`; behind the sums stand the
    /// scales, if there are scales to read.
    ///
    /// # Safety
    /// The units are whole row blocks; the sums and scales have these columns.
    unsafe fn multiply(&self, units: Range<usize>, cols: Range<usize>, to: &[*mut u8]) {
        let blocks = (units.start * T::Unit::TOGETHER, units.len() / self.rows.block.units);
        let factors = self.factors.wrapping_add(factors_of(self.cx, units.start));
        // SAFETY: the caller's promise; there are factors of all units.
        unsafe { self.prologue.run(self.batch, blocks, cols, factors.cast(), to) };
    }

    /// The addresses of the rows of sums.
    fn addresses<A>(&self, rows: SumRows<A>) -> Vec<*mut u8> {
        (0..self.cx.g.m).map(|row| rows.at(row, 0).cast()).collect()
    }

    /// Computes sums without scales: the chains of each block of K begin at zero, and are added to the sums.
    ///
    /// # Safety
    /// The chains and the sums have these columns of as many rows as A has.
    unsafe fn add_blocks(&self, chains: SumRows<T::Acc>, sums: SumRows<T::Acc>) {
        let (m, width) = (self.cx.g.m, self.cols.len());
        let rows = self.addresses(chains);
        for k in (0..self.cx.units).step_by(T::Unit::BLOCK) {
            let units = k..k + (self.cx.units - k).min(T::Unit::BLOCK);
            // SAFETY: rows of chains and of sums, which are this task's own.
            unsafe {
                (0..m).for_each(|r| chains.row(r, width).fill(T::Acc::default()));
                self.multiply(units, self.cols.clone(), &rows);
                for r in 0..m {
                    let (sums, chain) = (sums.row(r, width), chains.row(r, width));
                    match k > 0 {
                        true => sums.iter_mut().zip(chain).for_each(|(sum, &mut x)| *sum = sum.plus(x)),
                        false => sums.copy_from_slice(chain),
                    }
                }
            }
        }
    }

    /// As [`add_blocks`](Self::add_blocks), where a row block is a block of K: it is added as a group with the scale 1.
    ///
    /// # Safety
    /// As for `add_blocks`.
    unsafe fn add_scaled_blocks(&self, scales: SumRows<f32>, sums: SumRows<f32>) {
        let width = self.cols.len();
        // SAFETY: rows of this task's own.
        unsafe {
            // Sums begin at -0, to which zeros of either sign are added unchanged.
            (0..self.cx.g.m).for_each(|r| sums.row(r, width).fill(-0.0));
            scales.row(0, width).fill(1.0);
            let mut rows = self.addresses(sums);
            rows.push(scales.first.cast());
            self.multiply(0..self.cx.units, self.cols.clone(), &rows);
        }
    }

    /// Computes sums with scales, for as many columns at a time as there are scales at a time.
    ///
    /// # Safety
    /// As for `add_blocks`; a group is whole row blocks.
    unsafe fn add_groups(&self, scales: &GroupScales<'_>, chains: SumRows<f32>, sums: SumRows<f32>) {
        let each = (scales.each / T::Unit::TOGETHER).max(1);
        let groups = self.cx.units / each;
        let (m, width) = (self.cx.g.m, self.cols.len());
        let mut block = Scratch::new::<f32>(if groups > CHAIN { m * width } else { 0 });
        let mut buffer = BlockBuffer::default();
        let most = if self.rows.computes_scales { usize::MAX } else { scales.most };
        let source = scales.source.matrix(0).filter(|_| !self.rows.computes_scales);
        let mut first = self.cols.start;
        while first < self.cols.end {
            let cols = first..(first / most * most).saturating_add(most).min(self.cols.end);
            let column = first - self.cols.start;
            let block = SumRows { first: block.ptr::<f32>(), stride: cols.len() };
            let [chains, sums] = [chains, sums].map(|rows| rows.at_column(column));
            // SAFETY: there is a row of scales for each group; these columns of the chains and the sums.
            unsafe {
                let scales = source.map(|source| source.block(0..groups, cols.clone(), &mut buffer));
                for some in (0..groups).step_by(CHAIN).map(|group| group..(group + CHAIN).min(groups)) {
                    // A further block of groups has sums of its own, which are added to the sums before.
                    let to = if some.start == 0 { sums } else { block };
                    let later = some.start > 0;
                    self.add_block_of_groups(some, each, cols.clone(), scales, chains, to);
                    for r in (0..m).filter(|_| later) {
                        let (sums, block) = (sums.row(r, cols.len()), to.row(r, cols.len()));
                        sums.iter_mut().zip(block).for_each(|(sum, &mut x)| *sum += x);
                    }
                }
                if groups == 0 {
                    (0..m).for_each(|r| sums.row(r, cols.len()).fill(0.0));
                }
            }
            first = cols.end;
        }
    }

    /// Computes the sums of a block of groups of `each` units, over the columns `cols`, for which there are `scales`, unless row blocks come with their scales.
    ///
    /// # Safety
    /// As for `add_groups`.
    unsafe fn add_block_of_groups(
        &self,
        groups: Range<usize>,
        each: usize,
        cols: Range<usize>,
        scales: Option<View<f32>>,
        chains: SumRows<f32>,
        sums: SumRows<f32>,
    ) {
        let (m, width, fold) = (self.cx.g.m, cols.len(), fold_on(self.cx.isa));
        // SAFETY: these columns of rows of chains and of sums, and the scales of each group.
        unsafe {
            (0..m).for_each(|r| sums.row(r, width).fill(0.0));
            if self.scales_blocks() {
                let mut rows = self.addresses(sums);
                rows.extend(scales.map(|scales| scales.at(groups.start, 0).cast_mut().cast::<u8>()));
                return self.multiply(groups.start * each..groups.end * each, cols, &rows);
            }
            let (Some(scales), rows) = (scales, self.addresses(chains)) else { return };
            // Folding leaves zeros in the chains.
            (0..m).for_each(|r| chains.row(r, width).fill(0.0));
            for group in groups {
                self.multiply(group * each..(group + 1) * each, cols.clone(), &rows);
                for r in 0..m {
                    fold(width, chains.at(r, 0), scales.at(group, 0), sums.at(r, 0));
                }
            }
        }
    }
}
