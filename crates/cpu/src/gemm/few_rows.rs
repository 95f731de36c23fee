//! Products of few rows: `C += A[:, k..k + 4] B[k..k + 4, :]`, four units of K after another, so that each row of B is read once, in the
//! order of memory, while the chains of all rows of C stay in the first-level cache.
//!
//! Tasks are ranges of columns.

use std::ops::Range;

use super::context::{Chained, Context};
use super::element::{Rounded, Streamed, Unit};
use super::kernel::{Chains, STREAMED};
use super::matrix::{BlockBuffer, Matrix};
use super::pack::{View, panel, panels};
use super::source::OperandSource;
use super::{SMALL, fused, run};
use crate::buffers::Scratch;
use crate::threads::ThreadPool;

/// The most bytes of a B that stays in the first-level cache beside A and C: reading it only once, row by row, gains nothing, so
/// the sums stay in registers instead.
const RESIDENT_B: usize = 32 << 10;

/// The fewest rows whose accumulators in registers keep the multiply-add units busy.
const RESIDENT_ROWS: usize = 4;

/// The most bytes of chains that stay in the first-level cache beside rows of B.
const CHAINS: usize = 24 << 10;

/// Computes the product if it has few rows. Returns whether it did.
///
/// # Safety
/// As for [`gemm`](super::gemm()).
pub(super) unsafe fn few_rows<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &ThreadPool,
) -> bool {
    let g = cx.g;
    let (OperandSource::Memory(a), Some(first)) = (&g.a, g.b.matrix(0)) else { return false };
    let multiplied = first.multiplied(g.m);
    let large = g.m < RESIDENT_ROWS || cx.units * g.n * size_of::<T::Unit>() > RESIDENT_B;
    let few = g.m <= 2 * T::streams(cx.isa).several.len();
    if !few || !large || !first.has_contiguous_rows() || (g.scales.is_some() && multiplied.is_none()) {
        return false;
    }
    let work = 2 * g.m * g.n * g.k.max(1);
    let ranges = (g.m * g.n * size_of::<T::Acc>()).div_ceil(CHAINS);
    if let Some((prologue, rows)) = multiplied {
        // SAFETY: forwarded.
        unsafe { fused::few_rows(cx, pool, a, prologue, rows, ranges) };
        return true;
    }
    let ranges = if work * g.batch < SMALL { 1 } else { ranges.max((2 * pool.threads()).div_ceil(g.batch)) };
    let width = g.n.div_ceil(ranges).next_multiple_of(4 * cx.kernels.cols()).min(first.longest_line());
    let ranges = g.n.div_ceil(width);
    run(pool, g.batch * ranges, work * g.batch, &|task| {
        let (batch, left) = (task / ranges, task % ranges * width);
        let cols = left..(left + width).min(g.n);
        if let Some(b) = g.b.matrix(batch) {
            // SAFETY: each task computes columns of its own; see `gemm`.
            unsafe { stream(cx, batch, cols, a.view(batch), b) };
        }
    });
    true
}

/// One task: the columns `cols` of the product of `a` and `b`.
///
/// # Safety
/// `b` has contiguous rows, of which a block is no longer than `cols`; the columns of C are this task's own.
unsafe fn stream<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    batch: usize,
    cols: Range<usize>,
    a: View<T>,
    b: Matrix<'_, T>,
) {
    let (g, kernels) = (cx.g, cx.kernels);
    let (streams, width) = (T::streams(cx.isa), cols.len());
    let (height, chain, front) = (T::Unit::TOGETHER, T::Unit::BLOCK, kernels.front());
    let mut units = Scratch::new::<T::Unit>(if T::EXACT { 0 } else { g.m * (front + cx.units) });
    let heads = units.ptr::<T::Unit>();
    let a: View<T::Unit> = if T::EXACT {
        View { ptr: a.ptr.cast(), row: a.row, col: a.col }
    } else {
        let to = heads.wrapping_add(front * g.m);
        // SAFETY: A has these rows, and the scratch is as large, with their heads.
        unsafe {
            panel(cx.isa, a, g.m, g.k, to, g.m);
            if let Some(write) = kernels.heads {
                write(heads, cx.units, g.m);
            }
        }
        View { ptr: to.cast_const(), row: 1, col: g.m as isize }
    };
    let chained = Chained::new(cx, batch, &cols);
    let (chains, sums) = (chained.chains, chained.sums);
    let (mut buffer, mut last) = (BlockBuffer::default(), None);
    // SAFETY: k.. stays below K; the chains and sums are this task's own.
    unsafe {
        if g.k == 0 {
            (0..g.m).for_each(|r| sums.at(r, 0).write_bytes(0, width));
        }
        let mut k = 0;
        while k < cx.units {
            let (depth, kernels) =
                if g.k / height < k + STREAMED { (1, streams.one) } else { (STREAMED, streams.several) };
            let present = k * height..((k + depth) * height).min(g.k);
            let mut rows = b.block(present.clone(), cols.clone(), &mut buffer);
            if present.len() < depth * height {
                let last: &Scratch = last.insert(whole_unit(rows, present.len(), height, width));
                rows = View { ptr: last.first(), row: width as isize, col: 1 };
            }
            let (begins, ends) =
                (k.is_multiple_of(chain), (k + depth).is_multiple_of(chain) || k + depth == cx.units);
            let mut row = 0;
            for count in panels(g.m, kernels.len()) {
                let from = (chains.at(row, 0), chains.stride as isize);
                let to = if ends { (sums.at(row, 0), sums.stride as isize) } else { from };
                let (resume, add) = (!begins, ends && k >= chain);
                let chains = Chains { from, resume, heads: heads.wrapping_add(row), to, add };
                kernels[count - 1](a.at(row, k), a.row, a.col, rows.ptr, rows.row, width, &chains);
                row += count;
            }
            k += depth;
        }
        cx.finish(batch, 0..g.m, cols, (!cx.in_place).then_some(sums));
    }
}

/// The `present` rows of the last unit of K, and rows of zeros for the elements that the unit lacks.
///
/// # Safety
/// There are as many rows of `width` elements.
unsafe fn whole_unit<T: Copy>(rows: View<T>, present: usize, height: usize, width: usize) -> Scratch {
    let mut memory = Scratch::new::<T>(height * width);
    let to = memory.ptr::<T>();
    // SAFETY: the caller's promise; the memory has as many rows.
    unsafe {
        to.write_bytes(0, height * width);
        for row in 0..present {
            std::ptr::copy_nonoverlapping(rows.at(row, 0), to.add(row * width), width);
        }
    }
    memory
}
