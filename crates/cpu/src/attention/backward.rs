//! The gradient, with probabilities recomputed block by block.

use std::ops::Range;

use super::call::{FloatsMut, ones};
use super::forward::sums;
use super::mix::{Block, reach};
use super::rows::{BLOCK, Weights, fold};
use super::{
    AttentionCall, Heads, HeadsMut, Operand, Pairs, Real, TILE, gather, gather_transposed, multiply,
};
use crate::buffers::Scratch;
use crate::gemm::{Factor, Isa, Rounded, Tiled, panels};
use crate::threads::Pool;

/// From this size on, lse is rounded so far off the logarithm that it ends with that gradients take the maximum and the sum of the
/// row instead.
const LARGE: f64 = 1024.0;

/// What [`backward`] reads besides q, k and v, and where it writes.
#[derive(Clone, Copy)]
pub struct Gradients<T: Factor> {
    /// The forward result, `[B, T, H, E]`.
    pub o: Heads<T>,
    /// The forward log-sum-exp, `[B, T, H]`.
    pub lse: Heads<T::Acc>,
    /// The cotangent of o.
    pub d_o: Heads<T>,
    /// The cotangent of lse, if it has one.
    pub d_lse: Option<Heads<T::Acc>>,
    /// The cotangent of q, written.
    pub dq: HeadsMut<T>,
    /// The cotangent of k, written.
    pub dk: HeadsMut<T>,
    /// The cotangent of v, written.
    pub dv: HeadsMut<T>,
    /// The cotangent of the bias, written if it is wanted.
    pub d_bias: Option<Pairs<FloatsMut>>,
    /// The cotangent of the sinks, written if it is wanted, and its strides.
    pub d_sinks: Option<(FloatsMut, [usize; 2])>,
}

/// Computes the cotangents of q, k and v, and of the bias and the sinks; see the [module](super) for the equations and their
/// order.
///
/// # Safety
/// Every element that the extents and strides name is readable or, in results, writable; results overlap nothing.
pub unsafe fn backward<T: Rounded<Acc: Real>>(
    pool: &Pool,
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
pub unsafe fn backward_on<T: Rounded<Acc: Real>>(
    isa: Isa,
    pool: &Pool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    gradients: &Gradients<T>,
) {
    attention.check();
    let f = Backward { isa, x: attention, q, k, v, g: gradients };
    f.projections(pool);
    f.biases(pool);
    f.sinks(pool);
}

struct Backward<'a, T: Factor> {
    isa: Isa,
    x: &'a AttentionCall<'a>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    g: &'a Gradients<T>,
}

// SAFETY: operands are only read, and tasks write disjoint parts of results.
unsafe impl<T: Factor> Sync for Backward<'_, T> {}

/// The pairs that a task visits: some heads of a group, some blocks of keys and some tiles of queries.
#[derive(Clone)]
struct Part {
    b: usize,
    heads: Range<usize>,
    keys: Range<usize>,
    queries: Range<usize>,
}

/// Which cotangents a task sums up. Its part has all keys if that of the queries is among them, all queries and all heads of
/// the group if those of keys and values are.
#[derive(Clone, Copy)]
enum Wanted<A> {
    Queries,
    Keys,
    Both,
    /// That of the bias, in rows of `cols` for each query, or one row for all.
    Bias {
        sums: *mut A,
        cols: usize,
    },
}

impl<T: Rounded<Acc: Real>> Backward<'_, T> {
    /// The cotangents of q, k and v. Where there are few heads, those of k and v are summed apart from those of q, by parts
    /// of the keys and of the queries, so that there is work for all threads; the order of each sum is the same.
    fn projections(&self, pool: &Pool) {
        let AttentionCall { batch, kv_heads, heads, queries, keys, .. } = *self.x;
        let (groups, threads, group) = (batch * kv_heads, pool.threads(), self.x.group());
        if groups == 0 {
            return;
        }
        let whole = |at: usize| {
            let (b, kv) = (at / kv_heads, at % kv_heads);
            Part { b, heads: kv * group..(kv + 1) * group, keys: 0..keys, queries: 0..queries }
        };
        // Apart, two of five products are computed twice.
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
        let by_keys = groups * key_pieces;
        pool.run(by_keys + batch * heads * query_pieces, &|task| {
            let cut = |piece: usize, step: usize, count: usize| piece * step..((piece + 1) * step).min(count);
            if task < by_keys {
                let keys = cut(task % key_pieces, key_step, keys);
                // SAFETY: each task has its own keys; the rest is the caller's contract.
                unsafe { self.task(Part { keys, ..whole(task / key_pieces) }, Wanted::Keys) };
                return;
            }
            let task = task - by_keys;
            let (at, queries) = (task / query_pieces, cut(task % query_pieces, query_step, queries));
            let (b, h) = (at / heads, at % heads);
            // SAFETY: each task has its own head and queries; the rest is the caller's contract.
            unsafe { self.task(Part { b, heads: h..h + 1, keys: 0..keys, queries }, Wanted::Queries) };
        });
    }

    /// The cotangent of the bias: the sum over the axes along which it repeats, over sequences, heads, blocks of keys and
    /// queries in this order.
    fn biases(&self, pool: &Pool) {
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

    /// The cotangent of the sinks: the sum over sequences, if these share the sinks, and queries, in order.
    fn sinks(&self, pool: &Pool) {
        let Some((out, [per_batch, per_head])) = self.g.d_sinks else { return };
        let AttentionCall { batch, heads, queries, .. } = *self.x;
        let (own_batches, own_heads) =
            (if per_batch > 0 { batch } else { 1 }, if per_head > 0 { heads } else { 1 });
        pool.run(own_batches * own_heads, &|task| {
            let of = |own: bool, i: usize, count: usize| if own { i..i + 1 } else { 0..count };
            let batches = of(per_batch > 0, task / own_heads, batch);
            let all = of(per_head > 0, task % own_heads, heads);
            let mut sum = T::Acc::default();
            let mut scratch = Scratch::new::<T::Acc>(3 * queries + 2 * BLOCK);
            let mut carve = scratch.carve::<T::Acc>();
            let of = Statistics { shift: carve(queries), norm: carve(queries), delta: carve(queries) };
            // SAFETY: the scratch has three numbers for each query; each task has its own element of the result.
            unsafe {
                for b in batches.clone() {
                    for h in all.clone() {
                        let sink: T::Acc = self.x.sink(b, h);
                        if sink == T::Acc::NEG_INFINITY {
                            continue;
                        }
                        self.statistics(b, h, 0..queries, of);
                        for i in 0..queries {
                            let share = (sink - *of.shift.add(i)).exp() * *of.norm.add(i);
                            sum = sum + share * (T::Acc::default() - *of.delta.add(i));
                        }
                    }
                }
                out.store(batches.start * per_batch + all.start * per_head, 1, &raw const sum);
            }
        });
    }

    /// Writes the statistics of the queries, and says whether the weights of some of them are to be multiplied.
    unsafe fn statistics(&self, b: usize, h: usize, queries: Range<usize>, to: Statistics<T::Acc>) -> bool {
        let Statistics { shift, norm, delta } = to;
        let (large, one) = (T::Acc::from_f64(LARGE), T::Acc::from_f64(1.0));
        let mut normed = false;
        let (dim, rows) = (self.x.value_dim, T::Acc::rows(self.isa));
        let mut scratch = Scratch::new::<T::Acc>(2 * TILE * dim);
        let (o, d_o) = (scratch.ptr::<T::Acc>(), scratch.ptr::<T::Acc>().wrapping_add(TILE * dim));
        for first in queries.clone().step_by(TILE) {
            let (count, at) = ((queries.end - first).min(TILE), first - queries.start);
            // SAFETY: the scratch has a tile of each; the rest is the caller's contract.
            unsafe {
                gather(self.isa, self.g.d_o.at(b, first, h), self.g.d_o.seq, (count, dim, dim), d_o);
                gather(self.isa, self.g.o.at(b, first, h), self.g.o.seq, (count, dim, dim), o);
                (rows.dots)(count, dim, d_o, o, dim, delta.add(at));
                for i in 0..count {
                    *shift.add(at + i) = *self.g.lse.at(b, first + i, h);
                    *norm.add(at + i) = one;
                    if let Some(d_lse) = self.g.d_lse {
                        let delta = delta.add(at + i);
                        *delta = *delta - *d_lse.at(b, first + i, h);
                    }
                }
                let is_large = |&i: &usize| {
                    let lse = *shift.add(at + i);
                    lse >= large || lse <= T::Acc::default() - large && lse > T::Acc::NEG_INFINITY
                };
                let Some(from) = (0..count).find(is_large) else { continue };
                let to = (from..count).rfind(is_large).map_or(from, |last| last + 1);
                let (mut m, mut l) = ([one; TILE], [one; TILE]);
                let found = (m.as_mut_ptr(), l.as_mut_ptr());
                sums(self.isa, self.x, self.q, self.k, (b, h), first + from..first + to, found);
                for i in (from..to).filter(is_large) {
                    *shift.add(at + i) = m[i - from];
                    *norm.add(at + i) = one / l[i - from];
                }
                normed = true;
            }
        }
        normed
    }

    /// Sums up what is wanted over the pairs of a part, heads first, then blocks of keys, then tiles of queries.
    unsafe fn task(&self, part: Part, wanted: Wanted<T::Acc>) {
        let AttentionCall { dim, value_dim, .. } = *self.x;
        let hidden = T::Acc::from_f64(self.x.hidden);
        let kernels = T::Acc::kernels(self.isa);
        let Part { b, heads, keys, queries } = part;
        let (kv, count) = (heads.start / self.x.group(), queries.len());
        let (width, value_width) =
            (dim.next_multiple_of(kernels.lanes), value_dim.next_multiple_of(kernels.lanes));
        let zero = T::Acc::default();
        let (of_queries, of_keys) = match wanted {
            Wanted::Queries => (count, 0),
            Wanted::Keys => (0, keys.len()),
            Wanted::Both => (count, keys.len()),
            Wanted::Bias { .. } => (0, 0),
        };

        let rows = count * (width + value_width + 4) + of_queries * width + of_keys * (width + value_width);
        let mut scratch =
            Scratch::new::<T::Acc>(rows + BLOCK * (dim + value_dim + width) + 4 * TILE * BLOCK + 16 * BLOCK);
        let mut carve = scratch.carve::<T::Acc>();
        let t = Task {
            first: queries.start,
            qs: carve(count * width),
            ds: carve(count * value_width),
            of: Statistics { shift: carve(count), norm: carve(count), delta: carve(count) },
            hidden: carve(count),
            width,
            value_width,
            kt: carve(BLOCK * dim),
            vt: carve(BLOCK * value_dim),
            kb: carve(BLOCK * width),
            s: carve(TILE * BLOCK),
            dp: carve(TILE * BLOCK),
            x: carve(TILE * BLOCK),
            y: carve(TILE * BLOCK),
        };
        let (dq, dk, dv) = (carve(of_queries * width), carve(of_keys * width), carve(of_keys * value_width));
        let scale = T::Acc::from_f64(self.x.scale);

        // SAFETY: all scratch ranges were sized above; operands are the caller's contract.
        unsafe {
            std::slice::from_raw_parts_mut(dk, of_keys * width).fill(zero);
            std::slice::from_raw_parts_mut(dv, of_keys * value_width).fill(zero);
            for h in heads {
                let (from_q, from_o) = (self.q.at(b, queries.start, h), self.g.d_o.at(b, queries.start, h));
                gather(self.isa, from_q, self.q.seq, (count, dim, width), t.qs);
                gather(self.isa, from_o, self.g.d_o.seq, (count, value_dim, value_width), t.ds);
                let normed = self.statistics(b, h, queries.clone(), t.of);
                std::slice::from_raw_parts_mut(dq, of_queries * width).fill(zero);
                let mut span = self.x.reach(b, queries.clone());
                let finite = hidden > T::Acc::NEG_INFINITY && self.x.hides();
                for i in 0..count {
                    let weight =
                        if finite { (hidden - *t.of.shift.add(i)).exp() * *t.of.norm.add(i) } else { zero };
                    *t.hidden.add(i) = weight;
                    if weight != zero {
                        span = 0..self.x.keys;
                    }
                }
                let (begin, end) = (span.start.max(keys.start), span.end.min(keys.end));
                for block in (begin / BLOCK * BLOCK..end).step_by(BLOCK) {
                    let size = (end - block).min(BLOCK);
                    let mut gathered = None;
                    for tile in (0..count).step_by(TILE) {
                        let (mut visible, mut counted) = ([0; TILE], [0; TILE]);
                        for i in tile..(tile + TILE).min(count) {
                            let bits = self.x.visible(b, h, t.first + i, block, size);
                            visible[i - tile] = bits;
                            counted[i - tile] = if *t.hidden.add(i) == zero { bits } else { ones(size) };
                        }
                        let seen = |&bits: &u64| bits != 0;
                        let Some(from) = counted.iter().position(seen) else { continue };
                        let to = counted.iter().rposition(seen).map_or(from, |last| last + 1);
                        let (visible, counted) = (&visible[from..to], &counted[from..to]);
                        let at = tile + from;
                        let key_rows = *gathered.get_or_insert_with(|| self.gather(&t, (b, block, kv), size));
                        let sums = matches!(wanted, Wanted::Bias { .. });
                        self.weigh(&t, (b, h, at, block, size), visible, counted, sums || normed);
                        if let Wanted::Bias { sums, cols } = wanted {
                            self.add_bias(&t, at, visible.len(), block - keys.start, size, sums, cols);
                            continue;
                        }
                        if of_queries > 0 {
                            key_rows.mix(kernels, t.dp, visible, dq.add(at * width));
                        }
                        if of_keys > 0 {
                            let (last, depth) = (reach(counted), counted.len());
                            let transposed =
                                |ptr: *mut T::Acc| Operand { ptr: ptr.cast_const(), row: 1, col: BLOCK };
                            let c = dv.add((block - keys.start) * value_width);
                            let d_o = t.ds.add(at * value_width).cast_const();
                            let extents = (last, value_dim, depth);
                            multiply(
                                kernels,
                                extents,
                                transposed(t.s),
                                (d_o, value_width),
                                (c, value_width),
                                true,
                            );
                            let c = dk.add((block - keys.start) * width);
                            let q = t.qs.add(at * width).cast_const();
                            multiply(
                                kernels,
                                (last, dim, depth),
                                transposed(t.dp),
                                (q, width),
                                (c, width),
                                true,
                            );
                        }
                    }
                }
                for i in 0..of_queries {
                    let dq = std::slice::from_raw_parts(dq.add(i * width), dim);
                    let out = std::slice::from_raw_parts_mut(self.g.dq.at(b, t.first + i, h), dim);
                    out.iter_mut().zip(dq).for_each(|(out, &dq)| *out = T::narrow(dq * scale + zero));
                }
            }
            for j in 0..of_keys {
                let from = std::slice::from_raw_parts(dk.add(j * width), dim);
                let out = std::slice::from_raw_parts_mut(self.g.dk.at(b, keys.start + j, kv), dim);
                out.iter_mut().zip(from).for_each(|(out, &dk)| *out = T::narrow(dk * scale + zero));
                let from = std::slice::from_raw_parts(dv.add(j * value_width), value_dim);
                let out = std::slice::from_raw_parts_mut(self.g.dv.at(b, keys.start + j, kv), value_dim);
                out.iter_mut().zip(from).for_each(|(out, &dv)| *out = T::narrow(dv + zero));
            }
        }
    }

    /// Copies a block of keys and values, transposed, and the keys as they are.
    unsafe fn gather(
        &self,
        t: &Task<T::Acc>,
        (b, block, kv): (usize, usize, usize),
        size: usize,
    ) -> Block<T::Acc> {
        let AttentionCall { dim, value_dim, .. } = *self.x;
        let (k, v) = (self.k.at(b, block, kv), self.v.at(b, block, kv));
        // SAFETY: the task's memory holds a block; keys and values are the caller's contract.
        unsafe {
            gather_transposed(self.isa, k, self.k.seq, (size, dim), t.kt);
            gather_transposed(self.isa, v, self.v.seq, (size, value_dim), t.vt);
            gather(self.isa, k, self.k.seq, (size, dim, t.width), t.kb);
            Block::new(t.kb, size, dim, t.width)
        }
    }

    /// Makes of a tile and a block `s`, by which `do` enters the cotangent of values, `dp`, the cotangents of products of queries
    /// and keys, and, where `all` is said, `x`, those of the scores, of rows that may be multiplied.
    unsafe fn weigh(
        &self,
        t: &Task<T::Acc>,
        (b, h, at, block, size): (usize, usize, usize, usize, usize),
        visible: &[u64],
        counted: &[u64],
        all: bool,
    ) {
        let x = self.x;
        let (kernels, rows) = (T::Acc::kernels(self.isa), T::Acc::rows(self.isa));
        // SAFETY: the task has these rows and a tile of scores; operands are the caller's contract.
        unsafe {
            let mut row = 0;
            for n in panels(visible.len(), kernels.rows()) {
                let reach = reach(&counted[row..row + n]);
                let a = Operand { ptr: t.qs.add((at + row) * t.width).cast_const(), row: t.width, col: 1 };
                let c = (t.s.add(row * BLOCK), BLOCK);
                multiply(kernels, (n, reach, x.dim), a, (t.kt.cast_const(), BLOCK), c, false);
                let ptr = t.ds.add((at + row) * t.value_width).cast_const();
                let a = Operand { ptr, row: t.value_width, col: 1 };
                let c = (t.dp.add(row * BLOCK), BLOCK);
                multiply(kernels, (n, reach, x.value_dim), a, (t.vt.cast_const(), BLOCK), c, false);
                row += n;
            }
            let scale = T::Acc::from_f64(x.scale);
            let (shift, delta) = (t.of.shift.add(at).cast_const(), t.of.delta.add(at).cast_const());
            let plain = x.softcap.is_none() && x.bias.is_none() && x.multiplier.is_none();
            if plain && !all && visible == counted {
                (rows.gradient)(t.s, t.dp, visible, scale, shift, delta);
                return;
            }
            let load = |pairs: &Pairs<super::Floats>, to: *mut T::Acc| {
                for r in 0..visible.len() {
                    let from = pairs.at(b, h, t.first + at + r, block);
                    pairs.ptr.load(from, pairs.strides[3], size, to.add(r * BLOCK));
                }
                to
            };
            (rows.weights)(&Weights {
                s: t.s,
                dp: t.dp,
                visible,
                counted,
                scale,
                cap: x.softcap.map(T::Acc::from_f64),
                bias: x.bias.as_ref().map(|bias| load(bias, t.x)),
                multiplier: x.multiplier.as_ref().map(|multiplier| load(multiplier, t.y).cast_const()),
                shift,
                norm: t.of.norm.add(at),
                delta,
                hidden: t.hidden.add(at),
            });
        }
    }

    /// Adds the cotangents `x` of the scores of a tile and a block to those of the bias.
    unsafe fn add_bias(
        &self,
        t: &Task<T::Acc>,
        at: usize,
        rows: usize,
        column: usize,
        size: usize,
        sums: *mut T::Acc,
        cols: usize,
    ) {
        let strides = self.g.d_bias.map_or([0; 4], |out| out.strides);
        for r in 0..rows {
            let row = if strides[2] > 0 { at + r } else { 0 };
            // SAFETY: the tile has these rows, and the sums are as wide and high as the bias is in this part.
            unsafe {
                let x = &*t.x.add(r * BLOCK).cast::<[T::Acc; BLOCK]>();
                if strides[3] > 0 {
                    let sums = std::slice::from_raw_parts_mut(sums.add(row * cols + column), size);
                    sums.iter_mut().zip(x).for_each(|(sum, &x)| *sum = *sum + x);
                } else {
                    let sum = &mut *sums.add(row);
                    *sum = *sum + fold(x, |x, y| x + y);
                }
            }
        }
    }
}

/// Numbers of each query: its weights are exp(score - shift) norm.
#[derive(Clone, Copy)]
struct Statistics<A> {
    /// lse; the maximum of the scores where lse is [`LARGE`].
    shift: *mut A,
    /// 1; there, 1 by the sum of exp(score - shift).
    norm: *mut A,
    /// do . o - dlse.
    delta: *mut A,
}

/// The memory of a task: its queries, from `first` on, of one head, and a block of keys.
struct Task<A> {
    first: usize,
    /// q, in rows of `width`.
    qs: *mut A,
    /// The cotangent of o, in rows of `value_width`.
    ds: *mut A,
    of: Statistics<A>,
    /// The weight of each hidden key.
    hidden: *mut A,
    width: usize,
    value_width: usize,
    /// Keys and values, transposed, and keys in rows of `width`.
    kt: *mut A,
    vt: *mut A,
    kb: *mut A,
    /// What belongs to the pairs of a tile: see [`Weights`].
    s: *mut A,
    dp: *mut A,
    x: *mut A,
    y: *mut A,
}
