//! The gradient of attention: its tasks, and what each of them writes.

use super::band::{Part, Wanted};
use super::call::FloatsMut;
use super::rows::BLOCK;
use super::{AttentionCall, AttentionFloat, Heads, HeadsMut, Pairs, TILE};
use crate::buffers::Scratch;
use crate::gemm::{Factor, Isa, Rounded};
use crate::threads::ThreadPool;

/// The operands of [`backward`] besides q, k and v, and its results.
#[derive(Clone, Copy)]
pub struct Gradients<T: Factor> {
    /// The cotangent of o, `[B, T, H, E]`.
    pub d_o: Heads<T>,
    /// The cotangent of lse, `[B, T, H]`, if it has one.
    pub d_lse: Option<Heads<T::Acc>>,
    /// The cotangent of q, written.
    pub dq: HeadsMut<T>,
    /// The cotangent of k, written.
    pub dk: HeadsMut<T>,
    /// The cotangent of v, written.
    pub dv: HeadsMut<T>,
    /// The cotangent of the bias, written if it is asked for.
    pub d_bias: Option<Pairs<FloatsMut>>,
    /// The cotangent of the sinks, written if it is asked for, and its strides.
    pub d_sinks: Option<(FloatsMut, [usize; 2])>,
}

/// Computes the cotangents of q, k and v, and of the bias and the sinks; see the [module](super) for the equations and their
/// order. There is at least one query, and every result that is asked for has an element.
///
/// # Safety
/// Every element that the extents and strides name is readable or, in results, writable; results overlap nothing.
pub unsafe fn backward<T: Rounded<Acc: AttentionFloat>>(
    pool: &ThreadPool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    gradients: &Gradients<T>,
) {
    // SAFETY: the same contract; the instruction set was detected.
    unsafe { backward_on(Isa::detect(), pool, attention, q, k, v, gradients) }
}

/// [`backward`] on a chosen instruction set, with the same bits.
///
/// # Safety
/// As for [`backward`]; `isa` is one of [`Isa::available`].
pub unsafe fn backward_on<T: Rounded<Acc: AttentionFloat>>(
    isa: Isa,
    pool: &ThreadPool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    gradients: &Gradients<T>,
) {
    attention.check();
    let rows = attention.batch * attention.heads * attention.queries;
    let mut scratch = Scratch::new::<T::Acc>(3 * rows + 3 * BLOCK);
    let mut carve = scratch.carve::<T::Acc>();
    let of = Softmaxes { shift: carve(rows), norm: carve(rows), delta: carve(rows) };
    let f = Backward { isa, x: attention, q, k, v, g: gradients, of };
    f.projections(pool);
    f.biases(pool);
    f.sinks(pool);
}

pub(super) struct Backward<'a, T: Factor> {
    pub isa: Isa,
    pub x: &'a AttentionCall<'a>,
    pub q: Heads<T>,
    pub k: Heads<T>,
    pub v: Heads<T>,
    pub g: &'a Gradients<T>,
    /// The statistics of each query's softmax, written by the tasks that sum the cotangents of queries and read by later tasks.
    pub of: Softmaxes<T::Acc>,
}

// SAFETY: operands are only read, and tasks write disjoint parts of results.
unsafe impl<T: Factor> Sync for Backward<'_, T> {}

/// Statistics of each query, `[B, H, T]`; see [`Statistics`](super::slopes::Statistics).
#[derive(Clone, Copy)]
pub(super) struct Softmaxes<A> {
    pub shift: *mut A,
    pub norm: *mut A,
    pub delta: *mut A,
}

impl<T: Rounded<Acc: AttentionFloat>> Backward<'_, T> {
    /// The cotangents of q, k and v. If there are few heads, the cotangents of k and v are summed by tasks of their own, each
    /// with a part of the keys, after those of q, each with a part of the queries, so that all threads have work; the order of
    /// each sum is the same.
    fn projections(&self, pool: &ThreadPool) {
        let AttentionCall { batch, kv_heads, heads, queries, keys, .. } = *self.x;
        let (groups, threads, group) = (batch * kv_heads, pool.threads(), self.x.group());
        if groups == 0 {
            return;
        }
        let whole = |at: usize| {
            let (b, kv) = (at / kv_heads, at % kv_heads);
            Part { b, heads: kv * group..(kv + 1) * group, keys: 0..keys, queries: 0..queries }
        };
        // In separate tasks, two of the five matrix products are computed twice.
        if 7 * groups >= 5 * threads * groups.div_ceil(threads) {
            // SAFETY: each task has its own key head and the query heads that read it; the rest is the caller's contract.
            return pool.run(groups, &|at| unsafe { self.task(whole(at), Wanted::Both) });
        }
        let pieces = |count: usize, unit: usize, tasks: usize| {
            let units = count.div_ceil(unit).max(1);
            let each = units.div_ceil((3 * threads).div_ceil(tasks)) * unit;
            (count.div_ceil(each).max(1), each)
        };
        let (key_pieces, key_step) = pieces(keys, BLOCK, groups);
        let (query_pieces, query_step) = pieces(queries, TILE, batch * heads);
        let cut = |piece: usize, step: usize, count: usize| piece * step..((piece + 1) * step).min(count);
        pool.run(batch * heads * query_pieces, &|task| {
            let (at, queries) = (task / query_pieces, cut(task % query_pieces, query_step, queries));
            let (b, h) = (at / heads, at % heads);
            // SAFETY: each task has its own head and queries; the rest is the caller's contract.
            unsafe { self.task(Part { b, heads: h..h + 1, keys: 0..keys, queries }, Wanted::Queries) };
        });
        pool.run(groups * key_pieces, &|task| {
            let keys = cut(task % key_pieces, key_step, keys);
            // SAFETY: each task has its own keys; the rest is the caller's contract.
            unsafe { self.task(Part { keys, ..whole(task / key_pieces) }, Wanted::Keys) };
        });
    }

    /// The cotangent of the bias: summed over the axes along which the bias broadcasts, over sequences, then heads, then queries.
    fn biases(&self, pool: &ThreadPool) {
        let Some(out) = self.g.d_bias else { return };
        let AttentionCall { batch, heads, queries, keys, .. } = *self.x;
        let [per_batch, per_head, per_query, per_key] = out.strides.map(|stride| stride > 0);
        let (own_batches, own_heads) = (if per_batch { batch } else { 1 }, if per_head { heads } else { 1 });
        let pieces = match (per_query, per_key) {
            (true, _) => queries.div_ceil(TILE),
            (false, true) => keys.div_ceil(BLOCK),
            (false, false) => 1,
        };
        pool.run(own_batches * own_heads * pieces, &|task| {
            let (at, piece) = (task / pieces, task % pieces);
            let of = |own: bool, i: usize, count: usize| if own { i..i + 1 } else { 0..count };
            let batches = of(per_batch, at / own_heads, batch);
            let all = of(per_head, at % own_heads, heads);
            let (mut rows, mut columns) = (0..queries, 0..keys);
            if per_query {
                rows = piece * TILE..((piece + 1) * TILE).min(queries);
            } else if per_key {
                columns = piece * BLOCK..((piece + 1) * BLOCK).min(keys);
            }
            let cols = if per_key { columns.len() } else { 1 };
            let height = if per_query { rows.len() } else { 1 };
            let mut scratch = Scratch::new::<T::Acc>(height * cols);
            let sums = scratch.ptr::<T::Acc>();
            // SAFETY: the scratch has the sums; each task has its own elements of the result.
            unsafe {
                std::slice::from_raw_parts_mut(sums, height * cols).fill(T::Acc::default());
                let part = |b, h| Part { b, heads: h..h + 1, keys: columns.clone(), queries: rows.clone() };
                for b in batches.clone() {
                    for h in all.clone() {
                        self.task(part(b, h), Wanted::Bias { sums, cols });
                    }
                }
                for i in 0..height {
                    let at = out.at(batches.start, all.start, rows.start + i, columns.start);
                    out.ptr.store(at, cols, sums.add(i * cols));
                }
            }
        });
    }

    /// The cotangent of the sinks: summed over sequences, if they share the sinks, then queries.
    fn sinks(&self, pool: &ThreadPool) {
        let Some((out, [per_batch, per_head])) = self.g.d_sinks else { return };
        let AttentionCall { batch, heads, queries, .. } = *self.x;
        let (own_batches, own_heads) =
            (if per_batch > 0 { batch } else { 1 }, if per_head > 0 { heads } else { 1 });
        pool.run(own_batches * own_heads, &|task| {
            let of = |own: bool, i: usize, count: usize| if own { i..i + 1 } else { 0..count };
            let batches = of(per_batch > 0, task / own_heads, batch);
            let all = of(per_head > 0, task % own_heads, heads);
            let mut sum = T::Acc::default();
            // SAFETY: all queries have been seen; each task has its own element of the result.
            unsafe {
                for b in batches.clone() {
                    for h in all.clone() {
                        let sink: T::Acc = self.x.sink(b, h);
                        if sink == T::Acc::NEG_INFINITY {
                            continue;
                        }
                        for i in 0..queries {
                            let at = (b * heads + h) * queries + i;
                            let share = (sink - *self.of.shift.add(at)).exp() * *self.of.norm.add(at);
                            sum = sum + share * (T::Acc::default() - *self.of.delta.add(at));
                        }
                    }
                }
                out.store(batches.start * per_batch + all.start * per_head, 1, &raw const sum);
            }
        });
    }
}
