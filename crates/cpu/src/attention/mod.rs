//! Attention over fixed blocks of keys, forward and backward, without a T x S buffer.
//!
//! For a query q, with the running maximum m = -∞, sum l = 0 and output acc = 0, or with m = sink and l = 1 where there is a
//! sink, each block of 64 keys from position 0 that holds a visible key does
//!
//! ```text
//! s_j  = (sum over d of q_d k_jd) * scale;   s_j = tanh(s_j / cap) * cap;   s_j = s_j + bias_j
//! m'   = max(m, max over visible s_j)
//! p_j  = exp(s_j - m'), 0 where hidden          c = exp(m - m')
//! l    = l * c + sum(p)                         acc = acc * c + (sum over j of (p_j multiplier_j) v_j)
//! ```
//!
//! where a sum of products has the order of a matrix product ([gemm](crate::gemm)), so that 64 of them are one chain,
//! and in the end o = acc / l + 0 (so that a zero is +0) and lse = m + ln l; o = 0 and lse = -∞ where l = 0. Where m' is -∞, 0 is
//! subtracted. The sum has 16 lanes: lane i adds entries i, i + 16, i + 32, i + 48, then halves are added until one is left. A block
//! without a visible key changes nothing, so bits do not depend on which blocks are skipped, on T, on S beyond the visible
//! keys, on batch, chunks of queries, pages or threads. A hidden key is skipped in a chain, whatever its value is.
//!
//! Where hidden pairs have a finite score, a row for which exp(hidden - m) is not 0 in the end is computed again over all S
//! keys, of which the hidden ones have that score: it is the plain softmax.
//!
//! The gradient computes the scores again and takes their softmax as it is defined, the maximum of all first:
//!
//! ```text
//! m    = max(sink, max over visible s_j), and hidden where such keys count      e_j = exp(s_j - m)
//! l    = (sum over j of e_j) + exp(sink - m)                                    p_j = e_j (1 / l), 0 where l = 0
//! dp_j = (sum over e of do_e v_je) multiplier_j           delta = (sum over j of e_j dp_j) (1 / l) - dlse
//! ct_j = p_j (dp_j - delta), 0 where hidden
//! ds_j = ct_j (1 - tanh²(s_j / cap))                      dq    = scale * (sum over j of ds_j k_j)
//! dv_j  = sum over the group's heads, then i, of p_ij multiplier_ij do_i
//! dk_j  = scale * (sum over the group's heads, then i, of ds_ij q_i)
//! dbias = sum of ct over the axes along which it repeats: over sequences, heads, then i, of sums over j
//! dsink = sum over sequences, then i, of -exp(sink - m) (1 / l) delta
//! ```
//!
//! where sums of e, e dp and ct over j have 16 lanes: lane i adds keys i, i + 16, and so on, a product and its sum rounded once, then halves
//! are added until one lane is left. Other sums over j are chains over blocks of 64 keys, and sums over i over tiles of 48 queries from position 0, added
//! in order to 0. As delta is a sum of the same e and dp, the cotangents of a row's scores cancel as far as these numbers go.

mod backward;
mod band;
mod call;
mod forward;
mod mix;
mod rows;
mod slopes;
mod stored;

pub use backward::{Gradients, backward, backward_on};
pub use call::{AttentionCall, Floats, FloatsMut, Pairs, Segments};
pub use forward::{forward, forward_on};
pub use rows::{AttentionFloat, RowKernels};
pub use stored::{Elements, KvStorage, PageTable};

use crate::gemm::{Accumulator, Isa, Kernels, View, panels};
use rows::BLOCK;

/// The number of rows of queries that kernels process together; sums over queries in the gradients of keys and values are chains
/// of this length.
const TILE: usize = 48;

/// A `[B, T, H, D]` operand whose heads are contiguous; strides count elements. A statistic of each query is an operand with D =
/// 1.
#[derive(Clone, Copy, Debug)]
pub struct Heads<T> {
    /// Element (0, 0, 0, 0).
    pub ptr: *const T,
    /// From a sequence to the next.
    pub batch: isize,
    /// From a position to the next.
    pub seq: isize,
    /// From a head to the next.
    pub head: isize,
}

impl<T> Heads<T> {
    /// A dense row-major operand of `seq` positions, `heads` heads and `dim` elements each.
    pub fn dense(ptr: *const T, seq: usize, heads: usize, dim: usize) -> Heads<T> {
        let (head, row) = (dim as isize, (heads * dim) as isize);
        Heads { ptr, batch: seq as isize * row, seq: row, head }
    }

    /// The operand without its first sequences.
    fn from(mut self, sequence: usize) -> Self {
        self.ptr = self.at(sequence, 0, 0);
        self
    }

    fn at(&self, batch: usize, seq: usize, head: usize) -> *const T {
        let at = batch as isize * self.batch + seq as isize * self.seq + head as isize * self.head;
        self.ptr.wrapping_offset(at)
    }
}

/// A [`Heads`] that is written.
#[derive(Clone, Copy, Debug)]
pub struct HeadsMut<T> {
    /// Element (0, 0, 0, 0).
    pub ptr: *mut T,
    /// From a sequence to the next.
    pub batch: isize,
    /// From a position to the next.
    pub seq: isize,
    /// From a head to the next.
    pub head: isize,
}

impl<T> HeadsMut<T> {
    /// A dense row-major result of `seq` positions, `heads` heads and `dim` elements each.
    pub fn dense(ptr: *mut T, seq: usize, heads: usize, dim: usize) -> HeadsMut<T> {
        let Heads { batch, seq, head, .. } = Heads::dense(ptr.cast_const(), seq, heads, dim);
        HeadsMut { ptr, batch, seq, head }
    }

    /// The result without its first sequences.
    fn from(mut self, sequence: usize) -> Self {
        self.ptr = self.at(sequence, 0, 0);
        self
    }

    fn at(&self, batch: usize, seq: usize, head: usize) -> *mut T {
        let at = batch as isize * self.batch + seq as isize * self.seq + head as isize * self.head;
        self.ptr.wrapping_offset(at)
    }
}

// SAFETY: an address is plain data; the kernels' callers vouch for what is behind it.
unsafe impl<T> Send for Heads<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Heads<T> {}
// SAFETY: as above; tasks write disjoint heads and positions.
unsafe impl<T> Send for HeadsMut<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for HeadsMut<T> {}

/// A row-major or transposed matrix of accumulators in scratch memory.
#[derive(Clone, Copy)]
struct Operand<A> {
    ptr: *const A,
    row: usize,
    col: usize,
}

/// C\[m, n\] = A\[m, k\] B\[k, n\], added to the C that is there (`resume`), in scratch, where rows of B and C are whole
/// registers.
///
/// # Safety
/// The operands hold these extents, `n` rounded up to a register.
unsafe fn multiply<A: Accumulator>(
    kernels: &Kernels<A>,
    (m, n, k): (usize, usize, usize),
    a: Operand<A>,
    b: (*const A, usize),
    c: (*mut A, usize),
    resume: bool,
) {
    let mut col = 0;
    while col < n {
        let registers = if n - col > kernels.lanes { 2 } else { 1 };
        let mut row = 0;
        for count in panels(m, kernels.rows()) {
            let kernel = kernels.strided[registers - 1][count - 1];
            // SAFETY: rows row..row + count and columns col.. are inside the operands.
            unsafe {
                kernel(
                    k,
                    a.ptr.add(row * a.row),
                    a.row as isize,
                    a.col as isize,
                    b.0.add(col),
                    b.1 as isize,
                    c.0.add(row * c.1 + col),
                    c.1 as isize,
                    resume,
                );
            }
            row += count;
        }
        col += registers * kernels.lanes;
    }
}

/// Copies `count` positions of one head into rows of `width` accumulators, zero beyond `dim`.
///
/// # Safety
/// The head holds those positions and `out` those rows.
unsafe fn gather<T: crate::gemm::Factor>(
    isa: Isa,
    src: *const T,
    seq: isize,
    (count, dim, width): (usize, usize, usize),
    out: *mut T::Acc,
) {
    // SAFETY: the caller's contract.
    unsafe { crate::gemm::panel(isa, View { ptr: src, row: 1, col: seq }, dim, count, out, width) }
}

/// Copies `count` keys of one head transposed into `dim` rows of a block, zero beyond `count`.
///
/// # Safety
/// The head holds those keys and `out` has `dim` rows of a block.
unsafe fn gather_transposed<T: crate::gemm::Factor>(
    isa: Isa,
    src: *const T,
    seq: isize,
    (count, dim): (usize, usize),
    out: *mut T::Acc,
) {
    // SAFETY: the caller's contract.
    unsafe { crate::gemm::panel(isa, View { ptr: src, row: seq, col: 1 }, count, dim, out, BLOCK) }
}
