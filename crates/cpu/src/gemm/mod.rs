//! Matrix products: C\[M, N\] (= or +=) A\[M, K\] B\[K, N\], batched, any strides for A and B.
//!
//! Each element of C is a sum in the accumulator type: of each [block](jarrah_base::chains) of K the chain `acc = 0; for
//! k ascending: acc = fma(a[k], b[k], acc)`, added in order, and rounded once to C's type (after the addition of the old
//! C under `accumulate`). Of `bf16`, the chain takes two elements in turn, the second one first, and counts subnormal numbers as
//! zeros. Sums of integers wrap, so that no order is told apart. Nothing else enters its bits: not M, N, strides, batch, threads or the instruction set.
//!
//! # How operands are packed
//!
//! Operands are packed as *units*: the elements of each row and column that one step of a microkernel multiplies. A unit is one
//! element of `f32`, `f64`, `i32`, `i64` or complex numbers, an `f16` widened to `f32`, or a [`Word`] of as many `bf16`, `i8` or `i16` as 32 bits
//! hold, adjacent along K. `element.rs` says which unit an element type has ([`Factor`]) and how units are multiplied;
//! `vector.rs` the registers of each instruction set; `kernel.rs` lists the microkernels, which hold a tile of C in registers
//! along K, and for few rows read rows of B in place (`Streamed`). `pack.rs` copies, `origin.rs` finds or makes operands while
//! they are packed, `packed.rs` holds a B packed ahead or in panels, `dots.rs` batches of dot products. Each task has a range of rows and columns of C and packs
//! what it reads of A and B itself, so no task waits for another. Where K is long, sums are gathered in adjacent rows and stored
//! to C when complete (`block.rs`).
//!
//! # Right operands that a loop makes
//!
//! With up to sixteen rows of A, the loop that makes B row by row (weights as integers with scales) is machine code that makes
//! rows in registers, multiplies them there, and stores none (`vector/streaming.rs`). In a product in groups a call makes one
//! group, and adds its sums times the scales to C. Registers of 256 bits hold the chains of four rows, so a call makes its rows
//! of B again for every four of up to twelve. With more rows the same calls write their units into the panels of B (`Filling`),
//! and microkernels scale a group's sums as they leave the registers (`Scaled`); rows that do not fill a call are made row by row
//! and packed. Eight 4-bit codes of a column in a 32-bit word become pairs of `bf16` by one permutation of a table, or by two
//! shifts where the processor lacks the permutation; the words are prepared with the weights, and otherwise made from bytes where
//! there are few rows.
//!
//! In a product of groups of rows (`RaggedDot`) each group is a product whose right operand begins at its matrix; groups of up to
//! sixteen rows have the code for as many, and matrices that a loop makes are made for groups with rows only.
//!
//! # Subnormal numbers
//!
//! A processor with AVX2 but no instruction for words of `bf16` multiplies them as `f32` while MXCSR flushes subnormal numbers
//! (`flushed.rs`); its packed rows of A are widened to `f32` (`Kernels::widened`), B stays in words. Machine code that multiplies
//! words as it makes them does so (`Effect::Flush`) only where nothing that makes the words can meet a subnormal number
//! (`vector/emit/lower/known.rs`).
//!
//! The order of sums is a contract (NUMERICS.md, Contractions) that every instruction set follows, so a new unit needs a `Vector`
//! for each. Sums of integers are exact in any order; products of other integers, and with other result types, are rewritten by
//! `over_sums` of the compiler.

mod block;
mod dots;
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod eights;
mod element;
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(crate) mod flushed;
mod kernel;
mod origin;
mod pack;
mod packed;
mod vector;

pub use crate::isa::Isa;
use crate::isa::has_bf16;
pub use element::{Accumulator, Factor, Pack, Rounded, Streamed, Tiled, Unit, Word};
pub use kernel::{Kernels, Streams};
pub use origin::{Advance, Advancing, Filling, Made, Make, Operand};
pub use packed::{PackedB, Panels};

use std::ops::Range;

use jarrah_base::DType;

use crate::buffers::Scratch;
use crate::threads::Pool;
use block::{Context, DEPTH, STAGED, Source};
pub(crate) use kernel::prefetch;
use origin::Origin;
#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(crate) use pack::x86::transpose_words;
pub(crate) use pack::{View, panel, panels};

/// A batch of strided matrices; strides count elements and may be zero or negative.
#[derive(Clone, Copy, Debug)]
pub struct Strided<T> {
    /// Element (0, 0) of the first matrix.
    pub ptr: *const T,
    /// From a row to the next.
    pub row: isize,
    /// From a column to the next.
    pub col: isize,
    /// From a matrix to the next.
    pub batch: isize,
}

// SAFETY: an address is plain data; `gemm`'s caller vouches for what is behind it.
unsafe impl<T> Send for Strided<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Strided<T> {}

impl<T> Strided<T> {
    /// A row-major matrix with rows `row` elements apart.
    pub fn row_major(ptr: *const T, row: usize) -> Strided<T> {
        Strided { ptr, row: row as isize, col: 1, batch: 0 }
    }

    /// A column-major matrix (the transpose of a row-major one) with columns `col` elements apart.
    pub fn col_major(ptr: *const T, col: usize) -> Strided<T> {
        Strided { ptr, row: 1, col: col as isize, batch: 0 }
    }

    /// This batch with matrices `batch` elements apart.
    pub fn batched(self, batch: isize) -> Strided<T> {
        Strided { batch, ..self }
    }

    fn view(&self, batch: usize) -> View<T> {
        let ptr = self.ptr.wrapping_offset(batch as isize * self.batch);
        View { ptr, row: self.row, col: self.col }
    }
}

/// The right operand.
#[derive(Clone, Copy)]
pub enum Rhs<'a, T: Factor> {
    /// In the caller's layout.
    Unpacked(Operand<'a, T>),
    /// Packed in panels beforehand.
    Packed(Panels<'a, T>),
}

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
    /// The left operand.
    pub a: Operand<'a, T>,
    /// The right operand.
    pub b: Rhs<'a, T>,
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
    pub scales: Option<Scales<'a>>,
}

/// Scales of groups of rows of B: C is the sum, over groups in order, of the sum of the group times the scale of group and column, by fused multiply-adds
/// in [blocks](jarrah_base::chains) of groups.
#[derive(Clone, Copy)]
pub struct Scales<'a> {
    /// The elements of a group, as [`fit`](Scales::fit) says.
    pub each: usize,
    /// A row of scales for each group, contiguous in memory.
    pub of: Operand<'a, f32>,
    /// The most columns whose scales are asked for at once; each request begins at a multiple of it.
    pub most: usize,
}

impl Scales<'_> {
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
/// ```
/// use jarrah_cpu::gemm::{Gemm, Rhs, Strided, gemm};
/// use jarrah_cpu::threads::Pool;
/// let (a, b, mut c) = ([1.0f32, 2.0, 3.0, 4.0], [5.0f32, 6.0, 7.0, 8.0], [0.0f32; 4]);
/// let product = Gemm {
///     batch: 1, m: 2, n: 2, k: 2,
///     a: Strided::row_major(a.as_ptr(), 2).into(),
///     b: Rhs::Unpacked(Strided::row_major(b.as_ptr(), 2).into()),
///     c: c.as_mut_ptr(), c_row: 2, c_batch: 0, accumulate: false, scales: None,
/// };
/// // SAFETY: each array holds the 2 x 2 elements its strides name.
/// unsafe { gemm(Pool::global(), &product, None) };
/// assert_eq!(c, [19.0, 22.0, 43.0, 50.0]);
/// ```
pub unsafe fn gemm<T: Streamed, O: Rounded<Acc = T::Acc>>(
    pool: &Pool,
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
pub unsafe fn gemm_on<T: Streamed, O: Rounded<Acc = T::Acc>>(
    isa: Isa,
    pool: &Pool,
    g: &Gemm<'_, T, O>,
    epilogue: Option<Epilogue<'_, O>>,
) {
    if g.batch == 0 || g.m == 0 || g.n == 0 {
        return;
    }
    // SAFETY: forwarded contract.
    if epilogue.is_none() && unsafe { dots::dots(isa, pool, g) } {
        return;
    }
    let cx = Context::new(isa, g, epilogue);
    // SAFETY: forwarded contract.
    unsafe {
        match &g.b {
            Rhs::Packed(b) => {
                b.check(isa, g.k, g.n);
                let work = 2 * g.m * g.n * g.k.max(1) * g.batch;
                let threads = if work < SMALL { 1 } else { pool.threads() };
                let (high, wide) = part(&cx, 1, threads);
                let (down, across) = (g.m.div_ceil(high), g.n.div_ceil(wide));
                let pieces = if cx.in_place { across } else { across.max(g.n.div_ceil(STAGED)) };
                let rows = pack_rows(&cx, pool, high, pieces);
                let cx = cx.with_rows(rows.as_ref());
                run(pool, g.batch * down * across, work, &|task| {
                    let (batch, at) = (task / (down * across), task % (down * across));
                    let (top, first) = (at / across * high, at % across * wide);
                    let (rows, cols) = (top..(top + high).min(g.m), first..(first + wide).min(g.n));
                    let ptr = b.of_batch(batch);
                    cx.rows(batch, rows, cols, Source::Packed { ptr, first: 0, top: 0, depth: cx.units });
                });
            }
            Rhs::Unpacked(b) => match (&g.a, b.of(0).advance()) {
                // A call multiplies fewer rows than A has: the product is computed in parts of its rows.
                (Operand::Strided(a), Some(Advancing { rows, .. })) if rows < g.m => {
                    for top in (0..g.m).step_by(rows) {
                        let a = Strided { ptr: a.ptr.wrapping_offset(top as isize * a.row), ..*a };
                        let c = g.c.wrapping_add(top * g.c_row);
                        let part = Gemm { m: rows, a: a.into(), c, ..*g };
                        let whole = |mut tile: EpilogueTile<'_, O>| {
                            tile.rows = tile.rows.start + top..tile.rows.end + top;
                            if let Some(epilogue) = epilogue {
                                epilogue(tile);
                            }
                        };
                        let epilogue: Option<Epilogue<'_, O>> = epilogue.is_some().then_some(&whole);
                        unpacked(&Context::new(isa, &part, epilogue), pool, b);
                    }
                }
                _ => unpacked(&cx, pool, b),
            },
        }
    }
}

/// How a product with `m` rows of such elements may [multiply](Made::advance) the right operand's `k` rows as they are made, in
/// groups of `each` if the sums of groups have scales; `None` if it may not.
pub fn streams(
    dtype: DType,
    [m, k]: [usize; 2],
    in_panels: bool,
    groups: Option<(usize, usize)>,
) -> Option<Streaming> {
    let isa = Isa::detect();
    let each = groups.map(|(each, _)| each);
    let words = match dtype {
        DType::F32 | DType::F16 => false,
        DType::BF16 => true,
        _ => return None,
    };
    // The most factors of a call: each is an instruction in its code, or two if no instruction multiplies words.
    let factors = match isa {
        Isa::Avx512 if !words || has_bf16() => 1024,
        _ if words => 128,
        _ => 256,
    };
    // The rows of A in a call: those whose chains fit in registers, or several such sets one after another, each of which makes
    // the right operand again.
    let together = if words { 2 } else { 1 };
    let rows = match isa {
        Isa::Avx512 if m <= 16 => m,
        Isa::Avx2 | Isa::Portable if m <= 12 => m,
        _ => return None,
    };
    if let Some((each, apart)) = groups.filter(|(each, _)| each / together * rows <= factors) {
        return Some(Streaming { rows, units: each / together, words, scales: Some(apart) });
    }
    // A block of K is computed as a group with the scale 1, if the code for it is not too long.
    let block = jarrah_base::CHAIN;
    if groups.is_none() && in_panels && k.is_multiple_of(block) && block / together * rows <= factors {
        return Some(Streaming { rows, units: block / together, words, scales: Some(0) });
    }
    // Otherwise a call takes some units, so that whole calls make a block of K and a group.
    let within = each.unwrap_or(k);
    let fits = |units: &usize| {
        within.is_multiple_of(units * together) && (*units == 4 || units * rows <= factors / 2)
    };
    // Rows a power of two apart share a set of the first-level cache, so a call takes no more rows than the set has places. With
    // registers of 256 bits, a call comes back to each line twice as often.
    let most = match (in_panels, isa) {
        (true, _) => 32,
        (false, Isa::Avx2 | Isa::Portable) => 4,
        (false, Isa::Avx512) => 16,
    };
    let units = [32, 16, 8, 4].into_iter().filter(|units| *units <= most).find(fits)?;
    Some(Streaming { rows, units, words, scales: None })
}

/// How rows of such elements, `k` of them, may be written to panels as they are made; `None` if that is not possible.
pub fn fills(dtype: DType, k: usize) -> Option<Fills> {
    let (columns, together) = panel_shape(dtype)?;
    let words = match dtype {
        DType::F32 => false,
        DType::BF16 => true,
        _ => return None,
    };
    let units = [16, 8, 4].into_iter().find(|units| k.is_multiple_of(units * together))?;
    Some(Fills { units, words, columns })
}

/// How a product writes rows to panels as they are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fills {
    /// The units of rows that a call makes.
    pub units: usize,
    /// Whether two rows make a unit.
    pub words: bool,
    /// The columns of a panel.
    pub columns: usize,
}

impl Fills {
    /// The rows that a call makes.
    pub fn rows(&self) -> usize {
        if self.words { 2 * self.units } else { self.units }
    }
}

/// How a product multiplies rows as they are made.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Streaming {
    /// The rows of the left operand that a call multiplies; the product's are so many or a multiple of them.
    pub rows: usize,
    /// The units of rows that a call makes.
    pub units: usize,
    /// Whether two rows make a unit.
    pub words: bool,
    /// The distance between the scales of a group and those of the next, in elements, if a call makes a group and adds its sum
    /// times its scales.
    pub scales: Option<usize>,
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

/// The most bytes of a B that stays in the first-level cache beside A and C: reading it only once, row by row, gains nothing, so
/// the sums stay in registers instead.
const RESIDENT_B: usize = 32 << 10;

/// The fewest rows whose accumulators in registers keep the multiply-add units busy.
const RESIDENT_ROWS: usize = 4;

/// The most bytes of B packed at a time by one thread for itself.
const LOCAL_B: usize = 512 << 10;

/// The most bytes of A that are packed before the tasks: they stay in the last-level cache.
const AHEAD: usize = 16 << 20;

/// The number of pieces of columns from which on it is faster to pack A once before the tasks than once for each piece.
const AGAIN: usize = 3;

/// The number of columns of a task that multiplies panels as they are made.
const ADVANCED: usize = 256;

/// The most bytes of chains that stay in the first-level cache beside rows of B.
const CHAINS: usize = 24 << 10;

unsafe fn unpacked<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &Pool,
    b: &Operand<'_, T>,
) {
    let g = cx.g;
    let threads = pool.threads();
    let work = 2 * g.m * g.n * g.k.max(1);
    let size = size_of::<T::Unit>();
    // SAFETY: each task computes rows and columns of its own; see `gemm`.
    unsafe {
        let streamed = g.m < RESIDENT_ROWS || cx.units * g.n * size > RESIDENT_B;
        if let Operand::Strided(a) = &g.a
            && b.of(0).runs_along(false)
            && g.m <= 2 * T::streams(cx.isa).several.len()
            && streamed
            && (g.scales.is_none() || b.of(0).advance().is_some())
        {
            let chains = (g.m * g.n * size_of::<T::Acc>()).div_ceil(CHAINS);
            // Making a row from quantized codes is as much work as multiplying several rows.
            let work = if g.scales.is_some() { 4 * work } else { work };
            let small = work * g.batch < SMALL;
            if let Some(advance) = b.of(0).advance() {
                let width = match (g.scales.is_some(), advance.panel) {
                    // A few panels, whose chains and scales stay in the first-level cache.
                    (_, Some(panel)) => {
                        let parts = if small { 1 } else { threads };
                        (ADVANCED / panel).max(1).min(g.n.div_ceil(parts).div_ceil(panel)) * panel
                    }
                    (true, None) => {
                        // The most scales that are made at a time bound the width.
                        let most = Made::<f32>::MOST_SCALES;
                        let parts = chains.max(g.n.div_ceil(most)).next_multiple_of(threads);
                        g.n.div_ceil(parts).next_multiple_of(cx.kernels.cols()).min(most)
                    }
                    (false, None) => {
                        let parts = if small { 1 } else { chains.max((2 * threads).div_ceil(g.batch)) };
                        g.n.div_ceil(parts).next_multiple_of(4 * cx.kernels.cols())
                    }
                };
                let parts = g.n.div_ceil(width);
                let each = cx.places(cx.units);
                let mut factors = Scratch::new::<T::Unit>(g.batch * each);
                let factors = factors.ptr::<T::Unit>();
                for batch in 0..g.batch {
                    cx.factors(a.view(batch), advance.units, factors.wrapping_add(batch * each));
                }
                let factors = Shared(factors);
                run(pool, g.batch * parts, work * g.batch, &|task| {
                    let cols = task % parts * width..(task % parts * width + width).min(g.n);
                    let batch = task / parts;
                    if let Some(advance) = b.of(batch).advance() {
                        cx.advanced(batch, cols, factors.get().wrapping_add(batch * each), advance);
                    }
                });
                return;
            }
            let parts = if small { 1 } else { chains.max((2 * threads).div_ceil(g.batch)) };
            let width = g.n.div_ceil(parts).next_multiple_of(4 * cx.kernels.cols()).min(b.of(0).most());
            let parts = g.n.div_ceil(width);
            run(pool, g.batch * parts, work * g.batch, &|task| {
                let cols = task % parts * width..(task % parts * width + width).min(g.n);
                let batch = task / parts;
                cx.stream(batch, cols, a.view(batch), b.of(batch));
            });
            return;
        }
        let direct = match b {
            Operand::Strided(b) => {
                Some(b).filter(|b| T::EXACT && b.col == 1 && cx.units * g.n * size <= 128 << 10)
            }
            Operand::Made(_) => None,
        };
        if let Some(b) = direct
            && (g.batch == 1 || work >= 8 * SMALL)
        {
            for batch in 0..g.batch {
                shared(cx, pool, batch, 0..g.n, Source::Direct(b.view(batch)));
            }
        } else {
            // Every task packs its own part of B.
            let (high, wide) = part(cx, packing(b), if work * g.batch < SMALL { 1 } else { threads });
            let (down, across) = (g.m.div_ceil(high), g.n.div_ceil(wide));
            let pieces = if direct.is_some() { 1 } else { across.max(g.n.div_ceil(local_columns(cx, wide))) };
            let rows = pack_rows(cx, pool, high, pieces);
            let cx = cx.with_rows(rows.as_ref());
            run(pool, g.batch * down * across, work * g.batch, &|task| {
                let (batch, at) = (task / (down * across), task % (down * across));
                let (top, first) = (at / across * high, at % across * wide);
                let (rows, cols) = (top..(top + high).min(g.m), first..(first + wide).min(g.n));
                match direct {
                    Some(b) => cx.rows(batch, rows, cols, Source::Direct(b.view(batch))),
                    None => local(&cx, batch, rows, cols, b.of(batch)),
                }
            });
        }
    }
}

/// The relative time to pack an element, 1 for an element in memory.
fn packing<T>(operand: &Operand<'_, T>) -> usize {
    if matches!(operand, Operand::Made(_)) { 8 } else { 1 }
}

/// The rows and columns of a task, such that the threads are done soonest: a task packs its rows of A and its columns of B, and
/// the last task is waited for. Threads may differ in speed, so two or four tasks for each thread may be better than one.
fn part<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    b: usize,
    threads: usize,
) -> (usize, usize) {
    let (g, rows, panel) = (cx.g, cx.kernels.rows(), cx.kernels.cols());
    let a = packing(&g.a);
    let mut best = (usize::MAX, g.m.max(1), g.n.max(1));
    for tasks in if threads == 1 { vec![1] } else { vec![threads, 2 * threads, 4 * threads] } {
        let each = tasks.div_ceil(g.batch);
        let mut down = 1;
        while down <= each {
            let high = g.m.div_ceil(down).next_multiple_of(rows);
            let wide = g.n.div_ceil(each.div_ceil(down)).next_multiple_of(panel);
            let count = g.batch * g.m.div_ceil(high) * g.n.div_ceil(wide);
            // For each unit of K, computing a row of a tile takes about as long as packing one row or column; making an element
            // takes longer.
            let time = high * wide / panel + high * a + wide * b;
            let cost = count.div_ceil(threads) * time + time / 8;
            if cost < best.0 {
                best = (cost, high, wide);
            }
            down *= 2;
        }
    }
    (best.1, best.2)
}

/// The least number of columns of B that one thread packs at a time for itself, so that rows are read in long pieces. A is packed
/// once for each such range of columns.
pub(crate) const LOCAL_COLUMNS: usize = 512;

/// The number of columns of B that one thread packs at a time for itself, of its `most` columns.
fn local_columns<T: Streamed, O: Rounded<Acc = T::Acc>>(cx: &Context<'_, T, O>, most: usize) -> usize {
    let (panel, size) = (cx.kernels.cols(), size_of::<T::Unit>());
    let least = if cx.g.scales.is_some() { LOCAL_COLUMNS / 2 } else { LOCAL_COLUMNS };
    (LOCAL_B / (cx.units.max(1) * size) / panel * panel).max(least).min(most)
}

/// Packs all rows of A, if that is less work than packing them again for each of `pieces` pieces of the columns; `high` is the
/// number of rows of a task.
fn pack_rows<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &Pool,
    high: usize,
    pieces: usize,
) -> Option<Scratch> {
    let (g, len) = (cx.g, cx.packed_rows());
    if pieces < AGAIN || g.m <= cx.kernels.rows() || g.batch * len * size_of::<T::Unit>() > AHEAD {
        return None;
    }
    let mut memory = Scratch::new::<T::Unit>(g.batch * len);
    let to = Shared(memory.ptr::<T::Unit>());
    let (each, down) = (high.min(g.m).div_ceil(cx.high()), g.m.div_ceil(high));
    // SAFETY: each task writes the rows of one tile.
    run(pool, g.batch * down * each, 2 * g.m * g.n * g.k.max(1) * g.batch, &|task| unsafe {
        let (batch, at) = (task / (down * each), task % (down * each));
        let (first, last) = (at / each * high, (at / each * high + high).min(g.m));
        let top = first + at % each * cx.high();
        if top < last {
            cx.pack(batch, top..(top + cx.high()).min(last), to.get());
        }
    });
    Some(memory)
}

/// One task: packs its columns of B piece by piece and multiplies all rows with each.
unsafe fn local<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    batch: usize,
    rows: Range<usize>,
    cols: Range<usize>,
    b: Origin<'_, T>,
) {
    let (size, units) = (size_of::<T::Unit>(), cx.units.max(1));
    let width = local_columns(cx, cols.len());
    // A product with scales needs all of K at once.
    let whole = cx.g.scales.is_some();
    let depth = (LOCAL_B / (width * size) / DEPTH * DEPTH).clamp(DEPTH, units.max(DEPTH)).min(units);
    let depth = if whole { units } else { depth };
    // The sums of parts of K are kept outside of C until K is complete: rows of C are in different pages, and may be of another
    // type.
    let apart = depth < units;
    let height = T::Unit::TOGETHER;
    let mut scratch = Scratch::new::<T::Unit>(packed::len(cx.kernels, depth * height, width));
    let mut sums = Scratch::new::<T::Acc>(if apart { rows.len() * width } else { 0 });
    for first in cols.clone().step_by(width) {
        let cols = first..(first + width).min(cols.end);
        let c = sums.ptr::<T::Acc>().wrapping_sub(rows.start * width + first);
        let Gemm { batch: products, m, n, k, a, b: right, scales, .. } = *cx.g;
        let gathered = Gemm {
            batch: products,
            m,
            n,
            k,
            a,
            b: right,
            c,
            c_row: width,
            c_batch: 0,
            accumulate: false,
            scales,
        };
        let gathering = Context { rows: cx.rows, ..Context::new(cx.isa, &gathered, None) };
        for top in (0..units).step_by(depth) {
            let depth = depth.min(units - top);
            let lines = (depth * height).min(k - (top * height).min(k));
            let source = Source::Packed { ptr: scratch.ptr(), first, top, depth: depth.min(cx.units) };
            // SAFETY: the scratch holds the packed columns, the sums these rows of them; the rest is the caller's contract.
            unsafe {
                let from = b.from(top * height, first);
                packed::pack_range(cx.isa, from, lines, cols.len(), 0..cols.len(), 0..depth, scratch.ptr());
                match apart {
                    true => gathering.rows(batch, rows.clone(), cols.clone(), source),
                    false => cx.rows(batch, rows.clone(), cols.clone(), source),
                }
            }
        }
        if apart {
            // SAFETY: the sums of these rows and columns are complete.
            unsafe { cx.finish(batch, rows.clone(), cols, Some((sums.ptr::<T::Acc>().cast_const(), width))) };
        }
    }
}

/// Computes the columns `cols` of one product with all threads, from a B that is ready in `source`.
unsafe fn shared<T: Streamed, O: Rounded<Acc = T::Acc>>(
    cx: &Context<'_, T, O>,
    pool: &Pool,
    batch: usize,
    cols: Range<usize>,
    source: Source<T>,
) {
    let g = cx.g;
    let (rows, panel) = (cx.kernels.rows(), cx.kernels.cols());
    let work = 2 * g.m * cols.len() * g.k.max(1);
    let threads = pool.threads();
    if work < SMALL {
        // SAFETY: the one task has all rows and columns to itself.
        unsafe { cx.rows(batch, 0..g.m, cols, source) };
        return;
    }
    let target = if threads == 1 { 1 } else { (work / SMALL).clamp(threads, 4 * threads) };
    let down = g.m.div_ceil(g.m.div_ceil(target).clamp(8 * rows, 16 * rows));
    let high = g.m.div_ceil(down).next_multiple_of(rows);
    let down = g.m.div_ceil(high);
    let wide = cols.len().div_ceil(target.div_ceil(down)).next_multiple_of(panel).max(2 * panel);
    let across = cols.len().div_ceil(wide);
    // SAFETY: each task computes rows and columns of its own; see `gemm`.
    run(pool, down * across, work, &|task| unsafe {
        let top = task / across * high;
        let left = cols.start + task % across * wide;
        cx.rows(batch, top..(top + high).min(g.m), left..(left + wide).min(cols.end), source);
    });
}

fn run(pool: &Pool, tasks: usize, work: usize, body: &(dyn Fn(usize) + Sync)) {
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
