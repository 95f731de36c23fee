//! The product of rows of weights and a block of values or keys.

use super::rows::BLOCK;
use super::{AttentionFloat, Operand, multiply};
use crate::gemm::{Kernels, panels};

/// The keys or values of a block as rows of `width` accumulators.
#[derive(Clone, Copy)]
pub(super) struct Block<A> {
    ptr: *const A,
    dim: usize,
    width: usize,
    /// Whether all numbers are finite, so that a weight of zero adds nothing.
    finite: bool,
}

impl<A: AttentionFloat> Block<A> {
    /// The block of the `count` rows at `ptr`.
    ///
    /// # Safety
    /// The rows are initialised, and stay as they are.
    pub unsafe fn new(ptr: *const A, count: usize, dim: usize, width: usize) -> Self {
        let zero = A::default();
        // SAFETY: the caller's contract.
        let values = unsafe { std::slice::from_raw_parts(ptr, count * width) };
        let finite = values.iter().fold(true, |finite, &v| finite & (v * zero == zero));
        Block { ptr, dim, width, finite }
    }

    /// Adds to row r of `out`, for each r, the sum over the keys j in `counted[r]` of `weights[r, j]` times row j, in one
    /// chain. Weights of other keys are zero.
    ///
    /// # Safety
    /// `weights` has a block for each row, and `out` a row of `width`.
    pub unsafe fn mix(&self, kernels: &Kernels<A>, weights: *const A, counted: &[u64], out: *mut A) {
        // SAFETY: the caller's contract.
        unsafe {
            let mut row = 0;
            for n in panels(counted.len(), kernels.rows()) {
                let bits = &counted[row..row + n];
                let (weights, out) = (weights.add(row * BLOCK), out.add(row * self.width));
                row += n;
                if self.finite {
                    self.product(kernels, n, reach(bits), weights, self.ptr, out);
                    continue;
                }
                for (r, &bits) in bits.iter().enumerate() {
                    let (weights, out) = (weights.add(r * BLOCK), out.add(r * self.width));
                    if bits & bits.wrapping_add(1) == 0 {
                        self.product(kernels, 1, reach(&[bits]), weights, self.ptr, out);
                    } else {
                        self.chosen(kernels, bits, weights, out);
                    }
                }
            }
        }
    }

    /// One row of [`Block::mix`], from copies of the keys that count.
    unsafe fn chosen(&self, kernels: &Kernels<A>, bits: u64, weights: *const A, out: *mut A) {
        let count = bits.count_ones() as usize;
        let mut few = [A::default(); BLOCK];
        let mut scratch = crate::buffers::Scratch::new::<A>(count * self.width);
        let rows = scratch.ptr::<A>();
        let keys = (0..BLOCK).filter(|j| bits >> j & 1 == 1);
        // SAFETY: as many keys as bits were counted; the rest is the caller's contract.
        unsafe {
            for (to, j) in keys.enumerate() {
                few[to] = *weights.add(j);
                std::ptr::copy_nonoverlapping(
                    self.ptr.add(j * self.width),
                    rows.add(to * self.width),
                    self.width,
                );
            }
            self.product(kernels, 1, count, few.as_ptr(), rows, out);
        }
    }

    unsafe fn product(
        &self,
        kernels: &Kernels<A>,
        n: usize,
        depth: usize,
        weights: *const A,
        rows: *const A,
        out: *mut A,
    ) {
        let a = Operand { ptr: weights, row: BLOCK, col: 1 };
        // SAFETY: the caller's contract.
        unsafe { multiply(kernels, (n, self.dim, depth), a, (rows, self.width), (out, self.width), true) }
    }
}

/// The number of keys, from the first on, up to the last that any of the rows sees.
pub(super) fn reach(bits: &[u64]) -> usize {
    let all = bits.iter().fold(0, |all, bits| all | bits);
    BLOCK - all.leading_zeros() as usize
}
