//! The gradient, with probabilities recomputed block by block.

use super::rows::BLOCK;
use super::{AttentionCall, Heads, HeadsMut, Operand, Real, TILE, gather, gather_transposed, multiply};
use crate::buffers::Scratch;
use crate::gemm::{Factor, Isa, Rounded, Tiled};
use crate::threads::Pool;

/// What [`backward`] reads besides q, k and v, and where it writes.
#[derive(Clone, Copy)]
pub struct Gradients<T: Factor> {
    /// The forward result, `[B, T, H, D]`.
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
}

/// Computes the cotangents of q, k and v; see the [module](super) for the equations and their order.
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
    let f = Backward { isa, attention, q, k, v, g: gradients };
    pool.run(attention.batch * attention.kv_heads, &|head| {
        // SAFETY: each task has its own key head and the query heads that read it; the rest is the caller's contract.
        unsafe { f.task(head / attention.kv_heads, head % attention.kv_heads) }
    });
}

struct Backward<'a, T: Factor> {
    isa: Isa,
    attention: &'a AttentionCall<'a>,
    q: Heads<T>,
    k: Heads<T>,
    v: Heads<T>,
    g: &'a Gradients<T>,
}

// SAFETY: operands are only read, and tasks write disjoint heads.
unsafe impl<T: Factor> Sync for Backward<'_, T> {}

impl<T: Rounded<Acc: Real>> Backward<'_, T> {
    unsafe fn task(&self, b: usize, kv: usize) {
        let AttentionCall { dim, queries, keys, .. } = *self.attention;
        let (kernels, rows) = (T::Acc::kernels(self.isa), T::Acc::rows(self.isa));
        let group = self.attention.group();
        let width = dim.next_multiple_of(kernels.lanes);
        let zero = T::Acc::default();
        let scale = T::Acc::from_f64(self.attention.scale);
        let reach = if queries == 0 { 0 } else { self.attention.visible(b, queries - 1) };

        let sizes = 3 * queries * width + 2 * queries + 2 * keys * width + BLOCK * (2 * dim + width);
        let mut scratch = Scratch::new::<T::Acc>(sizes + 2 * TILE * BLOCK + 11 * BLOCK);
        let mut carve = scratch.carve::<T::Acc>();
        let (kt, vt, kb) = (carve(BLOCK * dim), carve(BLOCK * dim), carve(BLOCK * width));
        let (s, dp) = (carve(TILE * BLOCK), carve(TILE * BLOCK));
        let (qs, ds, dq) = (carve(queries * width), carve(queries * width), carve(queries * width));
        let (lse, delta) = (carve(queries), carve(queries));
        let (dk, dv) = (carve(keys * width), carve(keys * width));

        // SAFETY: all scratch ranges were sized above; operands are the caller's contract.
        unsafe {
            std::slice::from_raw_parts_mut(dk, keys * width).fill(zero);
            std::slice::from_raw_parts_mut(dv, keys * width).fill(zero);
            for h in kv * group..(kv + 1) * group {
                gather(self.isa, self.q.at(b, 0, h), self.q.seq, (queries, dim, width), qs);
                gather(self.isa, self.g.d_o.at(b, 0, h), self.g.d_o.seq, (queries, dim, width), ds);
                // The room for dq serves o first.
                gather(self.isa, self.g.o.at(b, 0, h), self.g.o.seq, (queries, dim, width), dq);
                (rows.dots)(queries, dim, ds, dq, width, delta);
                std::slice::from_raw_parts_mut(dq, queries * width).fill(zero);
                for i in 0..queries {
                    *lse.add(i) = *self.g.lse.at(b, i, h);
                    if let Some(d_lse) = self.g.d_lse {
                        *delta.add(i) = *delta.add(i) - *d_lse.at(b, i, h);
                    }
                }
                for block in (0..reach).step_by(BLOCK) {
                    let count = (reach - block).min(BLOCK);
                    gather_transposed(self.isa, self.k.at(b, block, kv), self.k.seq, (count, dim), kt);
                    gather_transposed(self.isa, self.v.at(b, block, kv), self.v.seq, (count, dim), vt);
                    gather(self.isa, self.k.at(b, block, kv), self.k.seq, (count, dim, width), kb);
                    let seen = |i: usize| self.attention.visible(b, i).saturating_sub(block).min(count);
                    for tile in (0..queries).step_by(TILE) {
                        let end = (tile + TILE).min(queries);
                        let Some(start) = (tile..end).find(|&i| seen(i) > 0) else { continue };
                        let mut visible = [0; TILE];
                        let visible = &mut visible[..end - start];
                        visible.iter_mut().enumerate().for_each(|(r, v)| *v = seen(start + r));

                        let mut row = 0;
                        for n in crate::gemm::panels(visible.len(), kernels.rows()) {
                            let (at, extents) = (start + row, (n, visible[row + n - 1], dim));
                            let a = Operand { ptr: qs.add(at * width).cast_const(), row: width, col: 1 };
                            multiply(kernels, extents, a, (kt, BLOCK), (s.add(row * BLOCK), BLOCK), false);
                            let a = Operand { ptr: ds.add(at * width).cast_const(), row: width, col: 1 };
                            multiply(kernels, extents, a, (vt, BLOCK), (dp.add(row * BLOCK), BLOCK), false);
                            row += n;
                        }
                        (rows.gradient)(s, dp, visible, scale, lse.add(start), delta.add(start));
                        let mut row = 0;
                        for n in crate::gemm::panels(visible.len(), kernels.rows()) {
                            let a = Operand { ptr: dp.add(row * BLOCK).cast_const(), row: BLOCK, col: 1 };
                            let c = dq.add((start + row) * width);
                            multiply(
                                kernels,
                                (n, dim, visible[row + n - 1]),
                                a,
                                (kb, width),
                                (c, width),
                                true,
                            );
                            row += n;
                        }
                        let (last, depth) = (visible[visible.len() - 1], visible.len());
                        let from = start * width;
                        let transposed =
                            |ptr: *mut T::Acc| Operand { ptr: ptr.cast_const(), row: 1, col: BLOCK };
                        let c = dv.add(block * width);
                        let extents = (last, dim, depth);
                        multiply(kernels, extents, transposed(s), (ds.add(from), width), (c, width), true);
                        let c = dk.add(block * width);
                        multiply(kernels, extents, transposed(dp), (qs.add(from), width), (c, width), true);
                    }
                }
                for i in 0..queries {
                    let dq = std::slice::from_raw_parts(dq.add(i * width), dim);
                    let out = std::slice::from_raw_parts_mut(self.g.dq.at(b, i, h), dim);
                    out.iter_mut().zip(dq).for_each(|(out, &dq)| *out = T::narrow(dq * scale + zero));
                }
            }
            for j in 0..keys {
                let from = std::slice::from_raw_parts(dk.add(j * width), dim);
                let out = std::slice::from_raw_parts_mut(self.g.dk.at(b, j, kv), dim);
                out.iter_mut().zip(from).for_each(|(out, &dk)| *out = T::narrow(dk * scale + zero));
                let from = std::slice::from_raw_parts(dv.add(j * width), dim);
                let out = std::slice::from_raw_parts_mut(self.g.dv.at(b, j, kv), dim);
                out.iter_mut().zip(from).for_each(|(out, &dv)| *out = T::narrow(dv + zero));
            }
        }
    }
}
