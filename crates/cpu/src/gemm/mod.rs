//! Matrix products: C\[M, N\] (= or +=) A\[M, K\] B\[K, N\], batched, any strides for A and B.
//!
//! Each element of C is a sum in the accumulator type: of each [block](jarrah_base::chains) of K the chain `acc = 0; for
//! k ascending: acc = fma(a[k], b[k], acc)`, added in order, and rounded once to C's type (after the addition of the old
//! C under `accumulate`). Of `bf16`, the chain takes two elements in turn, the second one first, and counts subnormal numbers as
//! zeros. Sums of integers wrap, so that no order is told apart. Nothing else enters its bits: not M, N, strides, batch, threads or
//! the instruction set.
//!
//! # Operands
//!
//! A [`OperandSource`] says where an operand's elements come from (`source.rs`, `matrix.rs`):
//!
//! * **memory**: a [`Strided`] batch of matrices, packed as it is read, or read in place;
//! * **panels**: a right operand that was packed beforehand ([`PackedB`], [`PackedPanels`]; `packed.rs`);
//! * a **prologue**: a loop that computes blocks of the operand, such as weights from integers and scales ([`Prologue`]). Where it
//!   has machine code for [row blocks](RowBlock), rows of B are multiplied or packed while they are in registers.
//!
//! # Drivers
//!
//! Three drivers share the work among tasks; the first that fits computes a product:
//!
//! | driver | product | equation of a task |
//! |---|---|---|
//! | `dots.rs` | a batch of products of one row and one column | `c[i] = a[i, :] b[i, :]`, several chains side by side |
//! | `few_rows.rs`, `fused.rs` | few rows of A, contiguous rows of B | `C[:, j] += A[:, k] B[k, j]`, a few units `k` at a time: B is read once, in the order of memory, or computed once in registers |
//! | `blocked.rs`, `block.rs` | any | `C[i, j] += A[i, k] B[k, j]` for blocks of rows, columns and K that stay in caches, from packed operands |
//!
//! All end in `Context::finish` (`context.rs`), which rounds sums to C and hands each finished tile to the **epilogue**, a loop that
//! reads the tile while it is in a cache.
//!
//! # Packing and microkernels
//!
//! Operands are packed as *units*: the elements of each row and column that one step of a microkernel multiplies. A unit is one
//! element of `f32`, `f64`, `i32`, `i64` or complex numbers, an `f16` widened to `f32`, or a [`Word`] of as many `bf16`, `i8` or `i16` as 32 bits
//! hold, adjacent along K. `element.rs` says which unit an element type has ([`Factor`]) and how units are multiplied;
//! `vector.rs` the registers of each instruction set; `kernel.rs` lists the microkernels, which hold a tile of C in registers
//! along K, and for few rows read rows of B in place ([`Streamed`]). `pack.rs` copies elements to a *panel*: the units of the rows or
//! columns of a tile, one unit of K behind the other.
//!
//! # Row blocks of a prologue
//!
//! With up to sixteen rows of A, machine code computes a row block of B in registers, multiplies it there, and stores none of it
//! (`vector/row_blocks.rs`). In a product with scales a row block is a group of rows, whose sums times their scales are added to C.
//! Registers of 256 bits hold the chains of four rows, so the code computes a row block again for every four of up to twelve. With
//! more rows of A the same code packs row blocks ([`Destination::Panels`]), and microkernels scale a group's sums as they leave the
//! registers (`Scaled`); rows that do not fill row blocks are written to memory and packed. Eight 4-bit codes of a column in a 32-bit word
//! become pairs of `bf16` by one permutation of a table, or by two shifts where the processor lacks the permutation; the words are
//! prepared with the weights, and otherwise made from bytes where there are few rows.
//!
//! In a product of groups of rows (`RaggedDot`) each group is a product whose right operand begins at its matrix; groups of up to
//! sixteen rows have code for as many rows, and matrices are computed for groups with rows only.
//!
//! # Subnormal numbers
//!
//! A processor with AVX2 but no instruction for words of `bf16` multiplies them as `f32` while MXCSR flushes subnormal numbers
//! (`flushed.rs`); its packed rows of A are widened to `f32` (`Kernels::widened`), B stays in words. Machine code that multiplies
//! words of a row block does so (`Effect::Flush`) only where nothing that makes the words can meet a subnormal number
//! (`vector/emit/lower/known.rs`).
//!
//! The order of sums is a contract (NUMERICS.md, Contractions) that every instruction set follows, so a new unit needs a `Vector`
//! for each. Sums of integers are exact in any order; products of other integers, and with other result types, are rewritten by
//! `over_sums` of the compiler.

mod block;
mod blocked;
mod context;
mod dots;
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod eights;
mod element;
mod few_rows;
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(crate) mod flushed;
mod fused;
mod kernel;
mod matrix;
mod pack;
mod packed;
mod row_block;
mod source;
mod vector;

pub use crate::isa::Isa;
pub use element::{Accumulator, Factor, Pack, Rounded, Streamed, Tiled, Unit, Word};
pub use kernel::{Kernels, Streams};
pub use matrix::{
    PROLOGUE_COLUMNS, PROLOGUE_SCALES, PROLOGUE_SCALES_STRIDE, PROLOGUE_STRIDE, Prologue, Strided,
};
pub use packed::{PackedB, PackedPanels};
pub use row_block::{Destination, FusedRows, RowBlock};
pub use source::OperandSource;

use std::ops::Range;

use jarrah_base::DType;

use crate::threads::ThreadPool;
pub(crate) use blocked::LOCAL_COLUMNS;
use context::Context;
pub(crate) use kernel::prefetch;
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(crate) use pack::x86::transpose_words;
pub(crate) use pack::{View, panel, panels};

/// One (batched) product.
#[derive(Clone, Copy)]
pub struct Gemm<'a, T: Factor, O> {
    /// The number of independent products.
    pub batch: usize,
    /// Rows of A and C.
    pub m: usize,
    /// Columns of B and C.
    pub n: usize,
    /// Columns of A, rows of B.
    pub k: usize,
    /// The left operand, in memory or computed by a prologue.
    pub a: OperandSource<'a, T>,
    /// The right operand.
    pub b: OperandSource<'a, T>,
    /// Element (0, 0) of the first result; results have contiguous rows.
    pub c: *mut O,
    /// From a row of C to the next.
    pub c_row: usize,
    /// From one C to the next.
    pub c_batch: usize,
    /// Adds to C instead of overwriting it.
    pub accumulate: bool,
    /// The scales of groups of rows of B; not possible for a batch of several products, for sums that are not `f32`, or with
    /// `accumulate`.
    pub scales: Option<GroupScales<'a>>,
}

/// Scales of groups of rows of B: C is the sum, over groups in order, of the sum of the group times the scale of group and column, by fused multiply-adds
/// in [blocks](jarrah_base::chains) of groups.
#[derive(Clone, Copy)]
pub struct GroupScales<'a> {
    /// The elements of a group, as [`fit`](GroupScales::fit) says.
    pub each: usize,
    /// A row of scales for each group, contiguous in memory.
    pub source: OperandSource<'a, f32>,
    /// The most columns whose scales are asked for at once; each request begins at a multiple of it.
    pub most: usize,
}

impl GroupScales<'_> {
    /// Whether groups of `each` elements of this type may have scales: whole units of K, which share a block of it evenly.
    pub fn fit(dtype: DType, each: usize) -> bool {
        let together = match dtype {
            DType::F32 | DType::F16 => 1,
            DType::BF16 => 2,
            _ => return false,
        };
        each.is_power_of_two() && each >= 4 * together && each <= jarrah_base::CHAIN
    }
}

// SAFETY: addresses are plain data; `gemm`'s caller vouches for what is behind them.
unsafe impl<T: Factor, O> Send for Gemm<'_, T, O> {}
// SAFETY: as above.
unsafe impl<T: Factor, O> Sync for Gemm<'_, T, O> {}

/// A finished part of C, still in cache, handed to the epilogue by the thread that computed it.
pub struct EpilogueTile<'a, O> {
    /// Which product of the batch.
    pub batch: usize,
    /// The rows of C.
    pub rows: Range<usize>,
    /// The columns of C.
    pub cols: Range<usize>,
    c: *mut O,
    c_row: usize,
    c_owner: std::marker::PhantomData<&'a mut O>,
}

impl<O> EpilogueTile<'_, O> {
    /// Row `row` of C (counted in C, so within `rows`), the columns `cols` of it.
    pub fn row(&mut self, row: usize) -> &mut [O] {
        assert!(self.rows.contains(&row), "row {row} is outside {:?}", self.rows);
        // SAFETY: the row lies in this tile, which no other thread touches while it is borrowed.
        unsafe {
            std::slice::from_raw_parts_mut(self.c.add((row - self.rows.start) * self.c_row), self.cols.len())
        }
    }

    /// The tile's first element and the distance between its rows.
    pub fn raw(&mut self) -> (*mut O, usize) {
        (self.c, self.c_row)
    }
}

/// The function that runs on each finished tile of C.
pub type Epilogue<'a, O> = &'a (dyn Fn(EpilogueTile<'_, O>) + Sync);

/// Computes `g`, and runs `epilogue` once on every tile of C when it is final.
///
/// # Safety
/// All elements of A and B that the extents and strides name are readable and all of C writable; C overlaps neither
/// A nor B, nor do its own rows or batches overlap each other.
///
/// # Panics
/// When A or the scales lie in panels, or B in panels of other extents than the product's.
///
/// ```
/// use jarrah_cpu::gemm::{Gemm, Strided, gemm};
/// use jarrah_cpu::threads::ThreadPool;
/// let (a, b, mut c) = ([1.0f32, 2.0, 3.0, 4.0], [5.0f32, 6.0, 7.0, 8.0], [0.0f32; 4]);
/// let product = Gemm {
///     batch: 1, m: 2, n: 2, k: 2,
///     a: Strided::row_major(a.as_ptr(), 2).into(),
///     b: Strided::row_major(b.as_ptr(), 2).into(),
///     c: c.as_mut_ptr(), c_row: 2, c_batch: 0, accumulate: false, scales: None,
/// };
/// // SAFETY: each array holds the 2 x 2 elements its strides name.
/// unsafe { gemm(ThreadPool::global(), &product, None) };
/// assert_eq!(c, [19.0, 22.0, 43.0, 50.0]);
/// ```
pub unsafe fn gemm<T: Streamed, O: Rounded<Acc = T::Acc>>(
    pool: &ThreadPool,
    g: &Gemm<'_, T, O>,
    epilogue: Option<Epilogue<'_, O>>,
) {
    // SAFETY: the same contract; the instruction set was detected.
    unsafe { gemm_on(Isa::detect(), pool, g, epilogue) }
}

/// [`gemm`] on a chosen instruction set; the result has the same bits on each.
///
/// # Safety
/// As for [`gemm`]; `isa` is one of [`Isa::available`].
///
/// # Panics
/// As [`gemm`], and when B lies in panels of another instruction set.
pub unsafe fn gemm_on<T: Streamed, O: Rounded<Acc = T::Acc>>(
    isa: Isa,
    pool: &ThreadPool,
    g: &Gemm<'_, T, O>,
    epilogue: Option<Epilogue<'_, O>>,
) {
    if g.batch == 0 || g.m == 0 || g.n == 0 {
        return;
    }
    assert!(!matches!(g.a, OperandSource::Panels(_)), "a left operand in panels");
    if let OperandSource::Panels(b) = &g.b {
        b.check(isa, g.k, g.n);
    }
    let cx = Context::new(isa, g, epilogue);
    // SAFETY: forwarded contract.
    unsafe {
        if !dots::dots(&cx, pool) && !few_rows::few_rows(&cx, pool) {
            blocked::blocked(&cx, pool);
        }
    }
}

/// The number of columns of a panel, and the number of elements of a column that are adjacent in it, for types whose elements are
/// packed unchanged.
pub fn panel_shape(dtype: DType) -> Option<(usize, usize)> {
    let isa = Isa::detect();
    fn of<T: Factor>(isa: Isa) -> Option<(usize, usize)> {
        Some((T::Unit::kernels(isa).cols(), T::Unit::TOGETHER))
    }
    match dtype {
        DType::F32 => of::<f32>(isa),
        DType::F64 => of::<f64>(isa),
        DType::BF16 => of::<jarrah_base::bf16>(isa),
        DType::I8 => of::<i8>(isa),
        DType::I16 => of::<i16>(isa),
        DType::I32 => of::<i32>(isa),
        DType::I64 => of::<i64>(isa),
        _ => None,
    }
}

/// The floating-point operations below which a product is not shared among threads: a parallel region costs a few µs.
pub(crate) const SMALL: usize = 1 << 21;

/// Runs tasks, on the threads of the pool if they are this much work, in floating-point operations, that sharing it pays.
fn run(pool: &ThreadPool, tasks: usize, work: usize, body: &(dyn Fn(usize) + Sync)) {
    if work < SMALL {
        (0..tasks).for_each(body);
    } else {
        pool.run(tasks, body);
    }
}

/// A pointer that tasks share.
pub(crate) struct Shared<T>(pub *mut T);

impl<T> Shared<T> {
    /// Access by a method makes a closure capture the wrapper and not the bare pointer.
    pub(crate) fn get(self) -> *mut T {
        self.0
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Shared<T> {}

// SAFETY: whoever dereferences it states which part is its own.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}
