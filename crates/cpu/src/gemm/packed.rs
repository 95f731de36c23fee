//! The right operand packed ahead: panels of columns, each contiguous along K.

use std::ops::Range;

use jarrah_base::{Error, Result};

use super::Shared;
use super::element::{Factor, Tiled, Unit};
use super::kernel::Kernels;
use super::matrix::{BlockBuffer, Matrix, PROLOGUE_BLOCK, PROLOGUE_COLUMNS, Strided};
use super::pack::panel;
use crate::buffers::Allocation;
use crate::isa::Isa;
use crate::threads::ThreadPool;

/// A K x N operand packed once for many products, such as a weight.
///
/// Elements are kept as units, in panels of the register tile's width, so that products with
/// few rows read memory once and in order.
pub struct PackedB<T: Factor> {
    memory: Allocation,
    isa: Isa,
    k: usize,
    n: usize,
    element: std::marker::PhantomData<T>,
}

/// Right operands of a batch, packed in panels.
pub struct PackedPanels<'a, T: Factor> {
    ptr: *const T::Unit,
    /// The number of units from an operand of the batch to the next.
    batch: usize,
    isa: Isa,
    k: usize,
    n: usize,
    memory: std::marker::PhantomData<&'a [T::Unit]>,
}

// SAFETY: what is behind the address is only read; who made it vouches for it.
unsafe impl<T: Factor> Send for PackedPanels<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Factor> Sync for PackedPanels<'_, T> {}

impl<T: Factor> Clone for PackedPanels<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Factor> Copy for PackedPanels<'_, T> {}

impl<T: Factor> PackedPanels<'_, T> {
    /// Operands of `k` rows and `n` columns that lie at `ptr` in whole panels, as wide and with as many elements together as
    /// [`panel_shape`](super::panel_shape) says.
    ///
    /// # Safety
    /// The memory holds `k / together * n` units for each operand of the product's batch, as long as this is used.
    pub unsafe fn at(ptr: *const T, k: usize, n: usize) -> Self {
        let isa = Isa::detect();
        let batch = len(T::Unit::kernels(isa), k, n);
        PackedPanels { ptr: ptr.cast(), batch, isa, k, n, memory: std::marker::PhantomData }
    }

    pub(super) fn check(&self, isa: Isa, k: usize, n: usize) {
        let has = (self.isa, self.k, self.n);
        assert!(has == (isa, k, n), "the packed operand is {has:?}, not {:?}", (isa, k, n));
    }

    pub(super) fn of_batch(&self, batch: usize) -> *const T::Unit {
        self.ptr.wrapping_add(batch * self.batch)
    }
}

impl<T: Factor> PackedB<T> {
    /// Packs the first matrix of `b`, `k` rows by `n` columns.
    ///
    /// # Errors
    /// An environment error when there is no memory for it.
    ///
    /// # Safety
    /// All elements that the extents and strides name are readable.
    pub unsafe fn new(pool: &ThreadPool, b: &Strided<T>, k: usize, n: usize) -> Result<PackedB<T>> {
        let isa = Isa::detect();
        let bytes = len(T::Unit::kernels(isa), k, n) * size_of::<T::Unit>();
        let mut memory = Allocation::new(bytes)
            .ok_or_else(|| Error::environment(format!("no memory for a packed operand of {bytes} bytes")))?;
        // SAFETY: the memory holds `len` units; the source is the caller's contract.
        unsafe { pack(isa, pool, Matrix::Memory(b.view(0)), k, n, Shared(memory.as_mut_ptr().cast())) };
        Ok(PackedB { memory, isa, k, n, element: std::marker::PhantomData })
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        (self.k, self.n)
    }

    /// The panels, which all products of a batch share.
    pub fn panels(&self) -> PackedPanels<'_, T> {
        let ptr = self.memory.as_ptr().cast();
        PackedPanels { ptr, batch: 0, isa: self.isa, k: self.k, n: self.n, memory: std::marker::PhantomData }
    }
}

/// The width of the panel that begins at column `first` of `n`.
pub(super) fn width<U: Unit>(kernels: &Kernels<U>, first: usize, n: usize) -> usize {
    if n - first <= kernels.lanes { kernels.lanes } else { kernels.cols() }
}

/// The number of units in a packed K x N operand.
pub(super) fn len<U: Unit>(kernels: &Kernels<U>, k: usize, n: usize) -> usize {
    let whole = n / kernels.cols() * kernels.cols();
    k.div_ceil(U::TOGETHER) * (whole + if n > whole { width(kernels, whole, n) } else { 0 })
}

/// Packs columns 0..n of `src` with all threads.
///
/// # Safety
/// `src` is readable there and `out` holds [`len`] units.
pub(super) unsafe fn pack<T: Factor>(
    isa: Isa,
    pool: &ThreadPool,
    src: Matrix<'_, T>,
    k: usize,
    n: usize,
    out: Shared<T::Unit>,
) {
    // A task is a few panels of columns by a few rows, so that rows are read in long pieces and pages are few.
    let cols = 8 * T::Unit::kernels(isa).cols();
    let units = k.div_ceil(T::Unit::TOGETHER);
    let (across, down) = (n.div_ceil(cols), units.div_ceil(DEPTH));
    // SAFETY: each task writes its own rows of the panels of its own columns.
    pool.run(across * down, &|task| unsafe {
        let (first, top) = (task % across * cols, task / across * DEPTH);
        let rows = top..(top + DEPTH).min(units);
        pack_range(isa, src, k, n, first..(first + cols).min(n), rows, out.get());
    });
}

/// The number of rows that are read side by side: rows a power of two apart share a set of the first-level cache, which holds no
/// more lines.
const ROWS: usize = 8;

/// Units of K packed in one go.
const DEPTH: usize = 256;

/// Packs the units `units` of the panels of columns `cols` of a `k x n` operand to their places in `out`; `cols` begins a
/// panel.
///
/// # Safety
/// `src` is readable there and `out` holds [`len`] units.
pub(super) unsafe fn pack_range<T: Factor>(
    isa: Isa,
    src: Matrix<'_, T>,
    k: usize,
    n: usize,
    cols: Range<usize>,
    units: Range<usize>,
    out: *mut T::Unit,
) {
    let (kernels, height) = (T::Unit::kernels(isa), T::Unit::TOGETHER);
    let (nr, lines) = (kernels.cols(), k.div_ceil(height));
    // Contiguous rows are read a few at a time across all panels; contiguous columns are read whole. A prologue writes
    // columns for one panel at a time.
    let in_rows = src.has_contiguous_rows();
    let all = units.len().max(1);
    let (step, wide) = match src {
        Matrix::Memory(_) => (if in_rows { ROWS / height } else { all }, cols.len().max(1)),
        Matrix::Computed { .. } if in_rows => {
            (16, (PROLOGUE_BLOCK / (16 * height) / nr * nr).clamp(nr, PROLOGUE_COLUMNS))
        }
        Matrix::Computed { .. } => ((PROLOGUE_BLOCK / nr).min(PROLOGUE_COLUMNS) / height, nr),
    };
    let (first, rows) = (cols.start, units.start * height..(units.end * height).min(k));
    // SAFETY: these rows and columns exist, and their panels have room for `lines` rows of units.
    if unsafe { src.pack_fused(rows, cols.clone(), lines, out.add(lines * first + units.start * nr)) } {
        return;
    }
    let mut buffer = BlockBuffer::default();
    for top in units.clone().step_by(step) {
        let rows = top * height..((top + step).min(units.end) * height).min(k);
        for left in cols.clone().step_by(wide) {
            let right = (left + wide).min(cols.end);
            // SAFETY: these rows and columns of `src` exist; panels before this one hold `lines * first` units.
            unsafe {
                let block = src.block(rows.clone(), left..right, &mut buffer);
                for first in (left..right).step_by(nr) {
                    let (columns, width) = ((n - first).min(nr), width(kernels, first, n));
                    let from = block.from(0, first - left).transposed();
                    panel(isa, from, columns, rows.len(), out.add(lines * first + top * width), width);
                }
            }
        }
    }
}
