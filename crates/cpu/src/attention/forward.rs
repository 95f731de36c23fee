//! The online softmax over blocks of keys.

use super::rows::BLOCK;
use super::{AttentionCall, Heads, HeadsMut, Operand, Real, TILE, gather, gather_transposed, multiply};
use crate::buffers::Scratch;
use crate::gemm::{Factor, Isa, Rounded, Tiled};
use crate::threads::Pool;

/// The most accumulators a task keeps for its queries, so that they stay in the second-level cache.
const KEPT: usize = 32 << 10;

/// Computes o = softmax(mask(q kᵀ scale)) v and its log-sum-exp; see the [module](super) for the order.
///
/// q and o are `[B, T, H, D]`, k and v `[B, S, kv_heads, D]`, `lse` is `[B, T, H]`. A query that sees no key gives
/// o = 0 and lse = -∞. A non-finite value of a masked key has no influence.
///
/// # Safety
/// Every element that the extents and strides name is readable or, in results, writable; results overlap nothing.
pub unsafe fn forward<T: Rounded<Acc: Real>>(
    pool: &Pool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
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
pub unsafe fn forward_on<T: Rounded<Acc: Real>>(
    isa: Isa,
    pool: &Pool,
    attention: &AttentionCall<'_>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    o: HeadsMut<T>,
    lse: HeadsMut<T::Acc>,
) {
    attention.check();
    let f = Forward { isa, attention, q, k, v, o, lse };
    let heads = attention.batch * attention.kv_heads;
    if heads == 0 || attention.queries == 0 {
        return;
    }
    let most = (KEPT / (attention.group() * attention.dim.max(1))).max(1);
    let parts = if pool.threads() == 1 { 1 } else { (4 * pool.threads()).div_ceil(heads) };
    let chunk = attention.queries.div_ceil(parts).min(most).next_multiple_of(TILE);
    let chunks = attention.queries.div_ceil(chunk);
    pool.run(heads * chunks, &|task| {
        // Under a causal mask the last queries are the longest work: they go first.
        let (head, chunk_index) = (task % heads, chunks - 1 - task / heads);
        let first = chunk_index * chunk;
        let count = chunk.min(attention.queries - first);
        // SAFETY: each task has its own key head and queries; the rest is the caller's contract.
        unsafe { f.task(head / attention.kv_heads, head % attention.kv_heads, first, count) }
    });
}

struct Forward<'a, T: Factor> {
    isa: Isa,
    attention: &'a AttentionCall<'a>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    o: HeadsMut<T>,
    lse: HeadsMut<T::Acc>,
}

impl<T: Rounded<Acc: Real>> Forward<'_, T> {
    /// Queries first..first + count of all heads that read key head `kv`.
    unsafe fn task(&self, b: usize, kv: usize, first: usize, count: usize) {
        let AttentionCall { dim, .. } = *self.attention;
        let (kernels, rows) = (T::Acc::kernels(self.isa), T::Acc::rows(self.isa));
        let group = self.attention.group();
        let width = dim.next_multiple_of(kernels.lanes);
        let zero = T::Acc::default();
        let scale = T::Acc::from_f64(self.attention.scale);

        let total = group * count;
        let mut scratch = Scratch::new::<T::Acc>(
            total * (dim + width + 2) + BLOCK * (dim + width) + TILE * BLOCK + 6 * BLOCK,
        );
        let mut carve = scratch.carve::<T::Acc>();
        let (acc, kt, vb, s) =
            (carve(total * width), carve(BLOCK * dim), carve(BLOCK * width), carve(TILE * BLOCK));
        let (qs, m, l) = (carve(total * dim), carve(total), carve(total));

        // SAFETY: all scratch ranges were sized above; operands are the caller's contract.
        unsafe {
            for g in 0..group {
                let src = self.q.at(b, first, kv * group + g);
                gather(self.isa, src, self.q.seq, (count, dim, dim), qs.add(g * count * dim));
            }
            std::slice::from_raw_parts_mut(acc, total * width).fill(zero);
            std::slice::from_raw_parts_mut(l, total).fill(zero);
            std::slice::from_raw_parts_mut(m, total).fill(T::Acc::NEG_INFINITY);

            let reach = self.attention.visible(b, first + count - 1);
            for block in (0..reach).step_by(BLOCK) {
                let keys = (reach - block).min(BLOCK);
                gather_transposed(self.isa, self.k.at(b, block, kv), self.k.seq, (keys, dim), kt);
                gather(self.isa, self.v.at(b, block, kv), self.v.seq, (keys, dim, width), vb);
                let values = std::slice::from_raw_parts(vb, keys * width);
                let finite = values.iter().fold(true, |finite, &v| finite & (v * zero == zero));
                for tile in (0..count).step_by(TILE) {
                    let end = (tile + TILE).min(count);
                    let seen =
                        |i: usize| self.attention.visible(b, first + i).saturating_sub(block).min(keys);
                    let Some(start) = (tile..end).find(|&i| seen(i) > 0) else { continue };
                    let mut visible = [0; TILE];
                    let visible = &mut visible[..end - start];
                    visible.iter_mut().enumerate().for_each(|(r, v)| *v = seen(start + r));
                    for g in 0..group {
                        let at = g * count + start;
                        let each = |body: &mut dyn FnMut(usize, usize, usize)| {
                            let mut row = 0;
                            for n in crate::gemm::panels(visible.len(), kernels.rows()) {
                                body(row, n, visible[row + n - 1]);
                                row += n;
                            }
                        };
                        each(&mut |row, n, reach| {
                            let a = Operand { ptr: qs.add((at + row) * dim), row: dim, col: 1 };
                            let c = s.add(row * BLOCK);
                            multiply(kernels, (n, reach, dim), a, (kt, BLOCK), (c, BLOCK), false);
                        });
                        (rows.softmax)(s, visible, scale, m.add(at), l.add(at), acc.add(at * width), width);
                        each(&mut |row, n, reach| {
                            let c = acc.add((at + row) * width);
                            let step = if finite { n } else { 1 };
                            for r in (row..row + n).step_by(step) {
                                let reach = if finite { reach } else { visible[r] };
                                let a = Operand { ptr: s.add(r * BLOCK), row: BLOCK, col: 1 };
                                let c = c.add((r - row) * width);
                                multiply(kernels, (step, dim, reach), a, (vb, width), (c, width), true);
                            }
                        });
                    }
                }
            }

            (rows.finish)(total, m, l, acc, width);
            for g in 0..group {
                for i in 0..count {
                    let (at, h) = (g * count + i, kv * group + g);
                    let o = std::slice::from_raw_parts_mut(self.o.at(b, first + i, h), dim);
                    let lse = self.lse.at(b, first + i, h);
                    if self.attention.visible(b, first + i) == 0 {
                        o.fill(T::narrow(zero));
                        *lse = T::Acc::NEG_INFINITY;
                        continue;
                    }
                    let acc = std::slice::from_raw_parts(acc.add(at * width), dim);
                    o.iter_mut().zip(acc).for_each(|(o, &acc)| *o = T::narrow(acc));
                    *lse = *m.add(at);
                }
            }
        }
    }
}
