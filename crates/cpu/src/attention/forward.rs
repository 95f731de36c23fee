//! The online softmax over blocks of keys.

use std::ops::Range;

use super::mix::{Block, reach};
use super::rows::{BLOCK, Softmax};
use super::{AttentionCall, AttentionFloat, Heads, HeadsMut, KvStorage, Operand, TILE, gather, multiply};
use crate::buffers::Scratch;
use crate::gemm::{Factor, Isa, Rounded, Tiled, panels};
use crate::threads::ThreadPool;

/// The most accumulators that a task keeps for its queries, so that they stay in the second-level cache.
const KEPT: usize = 32 << 10;

/// Computes o, the weighted values, and lse, the logarithm of the weights' sum; see the [module](super) for the equations
/// and their order.
///
/// q is `[B, T, H, D]`, k `[B, S, kv_heads, D]`, v `[B, S, kv_heads, E]`, o `[B, T, H, E]`, `lse` is `[B, T, H]`. A query that
/// sees no key gives o = 0 and lse = -∞, or the sink, unless the scores of hidden pairs are finite. A non-finite number of a key that
/// has no weight because it is hidden has no influence.
///
/// # Safety
/// Every element that the extents and strides name is readable or, in results, writable; results overlap nothing.
pub unsafe fn forward<T: Rounded<Acc: AttentionFloat>>(
    pool: &ThreadPool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: KvStorage<'_, T>,
    v: KvStorage<'_, T>,
    o: HeadsMut<T>,
    lse: HeadsMut<T::Acc>,
) {
    // SAFETY: the same contract; the instruction set was detected.
    unsafe { forward_on(Isa::detect(), pool, attention, q, k, v, o, lse) }
}

/// [`forward`] on a chosen instruction set, with the same bits.
///
/// # Safety
/// As for [`forward`]; `isa` is one of [`Isa::available`].
pub unsafe fn forward_on<T: Rounded<Acc: AttentionFloat>>(
    isa: Isa,
    pool: &ThreadPool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: KvStorage<'_, T>,
    v: KvStorage<'_, T>,
    o: HeadsMut<T>,
    lse: HeadsMut<T::Acc>,
) {
    attention.check();
    if attention.has_no_query() {
        return;
    }
    let mut first = 0;
    // Only batches of paged sequences are split into several parts.
    while first < attention.batch {
        let (together, part) = attention.part(k.pages, first);
        let (k, v) = (k.from(first), v.from(first));
        let (mut q, mut o, mut lse) = (q.from(first), o.from(first), lse.from(first));
        if part.queries > attention.queries {
            (q.seq, o.seq, lse.seq) = (q.batch, o.batch, lse.batch);
        }
        // SAFETY: the caller's contract for the sequences from `first` on.
        unsafe { part_on(pool, &Forward { isa, attention: &part, q, k, v }, o, lse) };
        first += together;
    }
}

/// [`forward_on`] for one part of the batch; see [`AttentionCall::part`].
///
/// # Safety
/// As for [`forward_on`].
unsafe fn part_on<T: Rounded<Acc: AttentionFloat>>(
    pool: &ThreadPool,
    f: &Forward<'_, T>,
    o: HeadsMut<T>,
    lse: HeadsMut<T::Acc>,
) {
    let attention = f.attention;
    let heads = attention.batch * attention.kv_heads;
    let most = (KEPT / (attention.group() * attention.value_dim.max(1))).max(1);
    let parts = if pool.threads() == 1 { 1 } else { (4 * pool.threads()).div_ceil(heads) };
    let chunk = attention.queries.div_ceil(parts).min(most).next_multiple_of(TILE);
    let chunks = attention.queries.div_ceil(chunk);
    pool.run(heads * chunks, &|task| {
        // Under a causal mask the last queries are the longest work: they go first.
        let (head, chunk_index) = (task % heads, chunks - 1 - task / heads);
        let first = chunk_index * chunk;
        let count = chunk.min(attention.queries - first);
        // SAFETY: each task has its own key head and queries; the rest is the caller's contract.
        unsafe {
            let (b, kv) = (head / attention.kv_heads, head % attention.kv_heads);
            f.task(b, kv, first, count, &mut |t| f.write(t, o, lse));
        }
    });
}

struct Forward<'a, T: Factor> {
    isa: Isa,
    attention: &'a AttentionCall<'a>,
    q: Heads<T>,
    k: KvStorage<'a, T>,
    v: KvStorage<'a, T>,
}

/// The memory of a task, which computes the queries `first..first + count` for all heads of a group; row `g * count + i` belongs
/// to the i-th of them in the g-th head.
struct Task<A> {
    b: usize,
    kv: usize,
    first: usize,
    count: usize,
    /// The queries, in rows of `dim`.
    qs: *mut A,
    /// The rows of the result before the division by the sums of weights, in rows of `width`.
    acc: *mut A,
    width: usize,
    /// The maxima and the sums of the rows.
    m: *mut A,
    l: *mut A,
    /// A block of keys, transposed, and of values.
    kt: *mut A,
    vb: *mut A,
    /// The scores of a tile, and the bias or multiplier of its pairs.
    s: *mut A,
    x: *mut A,
    /// Room for keys and values that are widened first and transposed or padded then.
    room: *mut A,
}

impl<T: Rounded<Acc: AttentionFloat>> Forward<'_, T> {
    /// Computes the queries first..first + count of all heads that read key head `kv`, over all keys, and calls `end` with the
    /// rows.
    unsafe fn task(
        &self,
        b: usize,
        kv: usize,
        first: usize,
        count: usize,
        end: &mut dyn FnMut(&Task<T::Acc>),
    ) {
        let AttentionCall { dim, value_dim, .. } = *self.attention;
        let kernels = T::Acc::kernels(self.isa);
        let group = self.attention.group();
        let width = value_dim.next_multiple_of(kernels.lanes);

        let total = group * count;
        let sizes = total * (dim + width + 2) + BLOCK * (dim + width + dim.max(value_dim)) + 2 * TILE * BLOCK;
        let mut scratch = Scratch::new::<T::Acc>(sizes + 9 * BLOCK);
        let mut carve = scratch.carve::<T::Acc>();
        let t = Task {
            b,
            kv,
            first,
            count,
            qs: carve(total * dim),
            acc: carve(total * width),
            width,
            m: carve(total),
            l: carve(total),
            kt: carve(BLOCK * dim),
            vb: carve(BLOCK * width),
            s: carve(TILE * BLOCK),
            x: carve(TILE * BLOCK),
            room: carve(BLOCK * dim.max(value_dim)),
        };

        // SAFETY: all scratch ranges were sized above; operands are the caller's contract.
        unsafe {
            for g in 0..group {
                let src = self.q.at(b, first, kv * group + g);
                gather(self.isa, src, self.q.seq, (count, dim, dim), t.qs.add(g * count * dim));
                self.begin(&t, g * count..(g + 1) * count, kv * group + g);
            }
            self.visible_blocks(&t);
            if T::Acc::from_f64(self.attention.hidden) > T::Acc::NEG_INFINITY && self.attention.hides() {
                self.rows_near_hidden(&t);
            }
            end(&t);
        }
    }

    /// Writes the rows of a task to the results.
    unsafe fn write(&self, t: &Task<T::Acc>, o: HeadsMut<T>, lse: HeadsMut<T::Acc>) {
        let (group, zero) = (self.attention.group(), T::Acc::default());
        // SAFETY: the task has these rows; results are the caller's contract.
        unsafe {
            (T::Acc::rows(self.isa).finish)(group * t.count, t.m, t.l, t.acc, t.width);
            for g in 0..group {
                for i in 0..t.count {
                    let (at, h) = (g * t.count + i, t.kv * group + g);
                    let o =
                        std::slice::from_raw_parts_mut(o.at(t.b, t.first + i, h), self.attention.value_dim);
                    let lse = lse.at(t.b, t.first + i, h);
                    if *t.l.add(at) == zero {
                        o.fill(T::narrow(zero));
                        *lse = T::Acc::NEG_INFINITY;
                        continue;
                    }
                    let acc = std::slice::from_raw_parts(t.acc.add(at * t.width), o.len());
                    o.iter_mut().zip(acc).for_each(|(o, &acc)| *o = T::narrow(acc));
                    *lse = *t.m.add(at);
                }
            }
        }
    }

    /// Initialises rows before the first block: with the sink, if there is one.
    unsafe fn begin(&self, t: &Task<T::Acc>, rows: Range<usize>, h: usize) {
        // SAFETY: the task has these rows; sinks are the caller's contract.
        unsafe {
            let sink: T::Acc = self.attention.sink(t.b, h);
            let sum = if sink == T::Acc::NEG_INFINITY { 0.0 } else { 1.0 };
            let (at, count) = (rows.start, rows.len());
            std::slice::from_raw_parts_mut(t.acc.add(at * t.width), count * t.width).fill(T::Acc::default());
            std::slice::from_raw_parts_mut(t.l.add(at), count).fill(T::Acc::from_f64(sum));
            std::slice::from_raw_parts_mut(t.m.add(at), count).fill(sink);
        }
    }

    /// Processes all blocks with visible keys; hidden keys get no weight.
    unsafe fn visible_blocks(&self, t: &Task<T::Acc>) {
        let x = self.attention;
        let group = x.group();
        let reach = x.reach(t.b, t.first..t.first + t.count);
        let hidden = [T::Acc::NEG_INFINITY; BLOCK];
        let by_head = if x.hides_by_head() { group } else { 1 };
        let first = reach.start / BLOCK * BLOCK;
        let ask = |block: usize| {
            let (place, keys) = ((t.b, block, t.kv), reach.end.saturating_sub(block).min(BLOCK));
            self.k.ask(place, (keys, x.dim));
            self.v.ask(place, (keys, x.value_dim));
        };
        ask(first);
        for block in (first..reach.end).step_by(BLOCK) {
            // The next block is prefetched while this one is computed.
            ask(block + BLOCK);
            let keys = (reach.end - block).min(BLOCK);
            let mut values = None;
            for tile in (0..t.count).step_by(TILE) {
                let end = (tile + TILE).min(t.count);
                if x.segments_are_apart(t.b, t.first + tile..t.first + end, block, keys) {
                    continue;
                }
                for heads in (0..group).step_by(group.div_ceil(by_head)) {
                    let mut visible = [0; TILE];
                    for (i, visible) in (tile..end).zip(&mut visible) {
                        // SAFETY: the mask is the caller's contract.
                        *visible = unsafe { x.visible(t.b, t.kv * group + heads, t.first + i, block, keys) };
                    }
                    let seen = |&bits: &u64| bits != 0;
                    let Some(begin) = visible.iter().position(seen) else { continue };
                    let visible = &visible[begin..end - tile];
                    // SAFETY: the rows and keys are the task's; keys and values are the caller's contract.
                    unsafe {
                        let values = *values.get_or_insert_with(|| self.gather(t, block, keys));
                        for g in heads..heads + group.div_ceil(by_head) {
                            self.tile(t, g, tile + begin, block, keys, values, visible, visible, &hidden);
                        }
                    }
                }
            }
        }
    }

    /// Computes rows again, as the plain softmax of all scores, if hidden pairs have a finite score near enough to the row's
    /// maximum to have a weight.
    unsafe fn rows_near_hidden(&self, t: &Task<T::Acc>) {
        let x = self.attention;
        let group = x.group();
        let (hidden, zero) = (T::Acc::from_f64(x.hidden), T::Acc::default());
        // Runs of such rows, at most a tile each, whose keys that count are the same: the head, and the range of queries.
        let most = if x.apart && x.segments.is_some() { 1 } else { TILE };
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        for g in 0..group {
            for i in 0..t.count {
                // SAFETY: the task has this row.
                let weight = unsafe { (hidden - *t.m.add(g * t.count + i)).exp() };
                if weight == zero {
                    continue;
                }
                match runs.last_mut() {
                    Some((head, run)) if *head == g && run.end == i && run.len() < most => run.end += 1,
                    _ => runs.push((g, i..i + 1)),
                }
            }
        }
        for (g, run) in &runs {
            let at = g * t.count;
            // SAFETY: the task has these rows.
            unsafe { self.begin(t, at + run.start..at + run.end, t.kv * group + g) };
        }
        if runs.is_empty() {
            return;
        }
        for block in (0..x.keys).step_by(BLOCK) {
            let keys = (x.keys - block).min(BLOCK);
            // SAFETY: the rows and keys are the task's; operands are the caller's contract.
            unsafe {
                let values = self.gather(t, block, keys);
                for (g, run) in &runs {
                    let mut visible = [0; TILE];
                    for (i, visible) in run.clone().zip(&mut visible) {
                        *visible = x.visible(t.b, t.kv * group + g, t.first + i, block, keys);
                    }
                    let counted = x.counted(t.b, t.first + run.start, block, keys);
                    let score = |j: usize| if counted >> j & 1 == 1 { hidden } else { T::Acc::NEG_INFINITY };
                    let (visible, all) = (&visible[..run.len()], [counted; TILE]);
                    let (fill, all) = (std::array::from_fn(score), &all[..run.len()]);
                    self.tile(t, *g, run.start, block, keys, values, visible, all, &fill);
                }
            }
        }
    }

    /// Copies a block of keys and of values.
    unsafe fn gather(&self, t: &Task<T::Acc>, block: usize, keys: usize) -> Block<T::Acc> {
        let AttentionCall { dim, value_dim, .. } = *self.attention;
        let place = (t.b, block, t.kv);
        // SAFETY: the task's memory holds a block; keys and values are the caller's contract.
        unsafe {
            self.k.transposed(self.isa, place, (keys, dim), t.room, t.kt);
            self.v.rows(self.isa, place, (keys, value_dim, t.width), t.room, t.vb);
            Block::new(t.vb, keys, value_dim, t.width)
        }
    }

    /// Processes a block of keys for the rows of the g-th head from query `start` on, one row for each of `visible`. Pairs in
    /// `counted`
    /// have weights; those that are not visible have the scores `hidden`.
    unsafe fn tile(
        &self,
        t: &Task<T::Acc>,
        g: usize,
        start: usize,
        block: usize,
        keys: usize,
        values: Block<T::Acc>,
        visible: &[u64],
        counted: &[u64],
        hidden: &[T::Acc; BLOCK],
    ) {
        let x = self.attention;
        let (kernels, rows) = (T::Acc::kernels(self.isa), T::Acc::rows(self.isa));
        let (at, h) = (g * t.count + start, t.kv * x.group() + g);
        // SAFETY: the task has these rows and a tile of scores; operands are the caller's contract.
        unsafe {
            let mut row = 0;
            for n in panels(visible.len(), kernels.rows()) {
                let a = Operand { ptr: t.qs.add((at + row) * x.dim).cast_const(), row: x.dim, col: 1 };
                let c = (t.s.add(row * BLOCK), BLOCK);
                let reach = reach(&visible[row..row + n]);
                multiply(kernels, (n, reach, x.dim), a, (t.kt.cast_const(), BLOCK), c, false);
                row += n;
            }
            let load = |pairs: &super::Pairs<super::Floats>| {
                for r in 0..visible.len() {
                    let from = pairs.at(t.b, h, t.first + start + r, block);
                    pairs.ptr.load(from, pairs.strides[3], keys, t.x.add(r * BLOCK));
                }
            };
            let mut scale = T::Acc::from_f64(x.scale);
            if x.softcap.is_some() || x.bias.is_some() {
                let bias = x.bias.as_ref().map(load).map(|()| t.x.cast_const());
                (rows.adjust)(t.s, visible.len(), scale, x.softcap.map(T::Acc::from_f64), bias);
                scale = T::Acc::from_f64(1.0);
            }
            let (m, l, acc) = (t.m.add(at), t.l.add(at), t.acc.add(at * t.width));
            (rows.softmax)(&Softmax { s: t.s, visible, hidden, scale, m, l, acc, width: t.width });
            if let Some(multiplier) = &x.multiplier {
                load(multiplier);
                (rows.times)(t.s, t.x, counted);
            }
            values.mix(kernels, t.s, counted, acc);
        }
    }
}
