//! The state that the tasks of one product share, and the last step of every driver: rounding to C, and the epilogue.

use std::ops::Range;

use jarrah_base::CHAIN;

use super::element::{Accumulator, Factor, Rounded, Streamed, Tiled, Unit};
use super::kernel::{Kernels, STREAMED};
use super::matrix::Matrix;
use super::pack::narrow;
use super::{Epilogue, EpilogueTile, Gemm};
use crate::buffers::Scratch;
use crate::isa::Isa;

/// Units of K per block: a panel of B (32 KiB) and one of A then share the first-level cache.
pub(super) const DEPTH: usize = 256;

const _: () = assert!(DEPTH.is_multiple_of(CHAIN) && (CHAIN / 2).is_multiple_of(STREAMED));

/// The state that all tasks of one product share.
pub(super) struct Context<'a, T: Factor, O> {
    pub isa: Isa,
    pub kernels: &'static Kernels<T::Unit>,
    pub g: &'a Gemm<'a, T, O>,
    /// The number of units along K.
    pub units: usize,
    /// Units of K per block.
    pub depth: usize,
    /// The most rows of a panel of A.
    pub tall: usize,
    pub epilogue: Option<Epilogue<'a, O>>,
    /// Whether C holds the accumulators between blocks of K.
    pub in_place: bool,
    /// All rows of A in panels, if they are packed before the tasks: tile by tile of each block of K.
    pub rows: Option<*const T::Unit>,
}

// SAFETY: operands are only read, and tasks write disjoint parts of C.
unsafe impl<T: Factor, O> Sync for Context<'_, T, O> {}

impl<'a, T: Streamed, O: Rounded<Acc = T::Acc>> Context<'a, T, O> {
    pub fn new(isa: Isa, g: &'a Gemm<'a, T, O>, epilogue: Option<Epilogue<'a, O>>) -> Self {
        let units = g.k.div_ceil(T::Unit::TOGETHER);
        let in_place = O::EXACT && !g.accumulate;
        let kernels = T::Unit::kernels(isa);
        // Sums of groups and the scaled sums of a tile share the registers, so that a panel of B is read by more tiles, and stays in the
        // first-level cache.
        let (depth, tall) = match g.scales {
            Some(_) => (DEPTH / 2, kernels.scaled[1].len()),
            None => (DEPTH, kernels.rows()),
        };
        Context { isa, kernels, g, units, depth, tall, epilogue, in_place, rows: None }
    }

    /// This context with all rows of A packed in `rows`.
    pub fn with_rows(&self, rows: Option<&'a Scratch>) -> Self {
        Context { rows: rows.map(Scratch::first), ..*self }
    }

    /// The left operand of a product of the batch.
    pub fn a(&self, batch: usize) -> Matrix<'a, T> {
        self.g.a.matrix(batch).expect("invariant: left operands lie in no panels")
    }

    /// The rows of C from a row and a column on.
    pub fn c(&self, batch: usize, row: usize, col: usize) -> SumRows<O> {
        let stride = self.g.c_row;
        SumRows { first: self.g.c.wrapping_add(batch * self.g.c_batch + row * stride + col), stride }
    }

    /// Rounds `sums`, if they do not lie in C already, to C, and hands this part of C to the epilogue.
    ///
    /// # Safety
    /// The rows and columns of C are the caller's own; `sums` has as many.
    pub unsafe fn finish(
        &self,
        batch: usize,
        rows: Range<usize>,
        cols: Range<usize>,
        sums: Option<SumRows<T::Acc>>,
    ) {
        let c = self.c(batch, rows.start, cols.start);
        if let Some(sums) = sums {
            for row in 0..rows.len() {
                // SAFETY: the caller's promise.
                let (sums, c) = unsafe { (sums.row(row, cols.len()), c.row(row, cols.len())) };
                if self.g.accumulate {
                    c.iter_mut().zip(sums).for_each(|(c, &mut sum)| *c = O::narrow(c.widen().plus(sum)));
                } else {
                    // SAFETY: the instruction set was detected.
                    unsafe { narrow(self.isa, sums, c) };
                }
            }
        }
        if let Some(epilogue) = self.epilogue {
            let c_owner = std::marker::PhantomData;
            epilogue(EpilogueTile { batch, rows, cols, c: c.first, c_row: c.stride, c_owner });
        }
    }
}

/// Rows of sums, each contiguous.
pub(super) struct SumRows<A> {
    /// The first element of the first row.
    pub first: *mut A,
    /// The distance between rows, in elements.
    pub stride: usize,
}

impl<A> Clone for SumRows<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for SumRows<A> {}

impl<A> SumRows<A> {
    /// The element of a row and a column.
    pub fn at(self, row: usize, col: usize) -> *mut A {
        self.first.wrapping_add(row * self.stride + col)
    }

    /// The rows from a column on.
    pub fn at_column(self, col: usize) -> SumRows<A> {
        SumRows { first: self.at(0, col), ..self }
    }

    /// The rows as elements of another type of the same size.
    pub fn cast<B>(self) -> SumRows<B> {
        SumRows { first: self.first.cast(), stride: self.stride }
    }

    /// The first `width` elements of a row.
    ///
    /// # Safety
    /// The row has as many elements, and nothing else refers to them during `'r`.
    pub unsafe fn row<'r>(self, row: usize, width: usize) -> &'r mut [A] {
        // SAFETY: the caller's promise.
        unsafe { std::slice::from_raw_parts_mut(self.at(row, 0), width) }
    }
}

/// The chains of a product of few rows over a range of columns, and the sums of the blocks of K before.
pub(super) struct Chained<A> {
    pub chains: SumRows<A>,
    /// The sums, which lie in C, if C holds accumulators.
    pub sums: SumRows<A>,
    _memory: Scratch,
}

impl<A: Accumulator> Chained<A> {
    /// Room for the columns `cols`.
    pub fn new<T: Streamed<Acc = A>, O: Rounded<Acc = A>>(
        cx: &Context<'_, T, O>,
        batch: usize,
        cols: &Range<usize>,
    ) -> Chained<A> {
        let (m, width) = (cx.g.m, cols.len());
        let staged = if cx.in_place { 0 } else { m * width };
        // Rows a power of two apart would evict one another from the first-level cache.
        let stride = width + 3 * cx.kernels.cols();
        let mut memory = Scratch::new::<A>(staged + m * stride);
        let first = memory.ptr::<A>();
        let sums = match cx.in_place {
            true => cx.c(batch, 0, cols.start).cast(),
            false => SumRows { first, stride: width },
        };
        Chained { chains: SumRows { first: first.wrapping_add(staged), stride }, sums, _memory: memory }
    }
}
