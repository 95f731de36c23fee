//! Matrices of operands, in memory or computed by a prologue, which are read block by block.

use std::ops::Range;

use super::pack::View;
use super::row_block::{Destination, FusedRows};
use crate::buffers::Scratch;

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

    pub(super) fn view(&self, batch: usize) -> View<T> {
        let ptr = self.ptr.wrapping_offset(batch as isize * self.batch);
        View { ptr, row: self.row, col: self.col }
    }
}

/// A loop that computes an operand block by block, so that the operand as a whole lies nowhere in memory.
///
/// A block is written as *lines*, each a contiguous part of a row of the operand, or of a column.
pub trait Prologue<T>: Sync {
    /// Whether lines are parts of columns instead of rows.
    fn by_columns(&self) -> bool;

    /// The distance between the lines of a block, in elements.
    fn stride(&self) -> usize;

    /// Writes the elements `places` of each of the `lines` of matrix `batch` to `to`: at most [`PROLOGUE_COLUMNS`] elements of a line, or
    /// [`PROLOGUE_SCALES`] scales.
    ///
    /// # Safety
    /// The matrix has these lines, and `to` room for them, [`stride`](Self::stride) apart.
    unsafe fn write(&self, batch: usize, lines: Range<usize>, places: Range<usize>, to: *mut T);

    /// The rows that machine code of the loop computes in registers; `None` if there is no such code.
    fn fused(&self) -> Option<FusedRows> {
        None
    }

    /// Runs the machine code of [`fused`](Self::fused) for the row blocks `blocks.1`, of which the first begins at row `blocks.0`, over the
    /// columns `cols` of matrix `batch`.
    ///
    /// For [`Destination::Sums`], `factors` holds, block after block, the units of each row of the left operand in turn, and `to` the first of these columns of
    /// each row of sums, then of the scales if there are scales that the code does not compute. For [`Destination::Panels`], `cols` are
    /// the columns of a panel, to which the one pointer of `to` points, and there are no factors.
    ///
    /// # Safety
    /// The matrix has these rows and columns; factors, sums, scales and the panel have as many elements.
    unsafe fn run(
        &self,
        batch: usize,
        blocks: (usize, usize),
        cols: Range<usize>,
        factors: *mut u8,
        to: &[*mut u8],
    ) {
        let _ = (batch, blocks, cols, factors, to);
    }
}

/// The most elements of a line that a prologue is asked for at a time.
pub const PROLOGUE_COLUMNS: usize = 512;

/// The distance between lines that a prologue writes, in elements: lines a power of two apart would evict one another from the first-level cache.
pub const PROLOGUE_STRIDE: usize = PROLOGUE_COLUMNS + 16;

/// The most scales of a group that a prologue is asked for at a time.
pub const PROLOGUE_SCALES: usize = 2048;

/// The distance between the scales of a group and those of the next, in elements.
pub const PROLOGUE_SCALES_STRIDE: usize = PROLOGUE_SCALES + 16;

/// The number of elements, about, that a prologue writes at a time: they stay in the first-level cache until they are packed.
pub(super) const PROLOGUE_BLOCK: usize = 4096;

/// One matrix of an operand, from some row and column on.
#[derive(Clone, Copy)]
pub(super) enum Matrix<'a, T> {
    /// In memory.
    Memory(View<T>),
    /// Computed by a prologue, block by block.
    Computed { prologue: &'a dyn Prologue<T>, batch: usize, row: usize, col: usize },
}

/// Memory for a block that a prologue writes.
#[derive(Default)]
pub(super) struct BlockBuffer(Option<(Scratch, usize)>);

impl<'a, T: Copy> Matrix<'a, T> {
    /// The matrix without its first rows and columns.
    pub fn from(self, rows: usize, cols: usize) -> Self {
        match self {
            Matrix::Memory(view) => Matrix::Memory(view.from(rows, cols)),
            Matrix::Computed { prologue, batch, row, col } => {
                Matrix::Computed { prologue, batch, row: row + rows, col: col + cols }
            }
        }
    }

    /// The matrix in memory; `None` if a prologue computes it.
    pub fn in_memory(self) -> Option<View<T>> {
        match self {
            Matrix::Memory(view) => Some(view),
            Matrix::Computed { .. } => None,
        }
    }

    /// Whether the elements of a row are adjacent in memory.
    pub fn has_contiguous_rows(self) -> bool {
        match self {
            Matrix::Memory(view) => view.col == 1,
            Matrix::Computed { prologue, .. } => !prologue.by_columns(),
        }
    }

    /// Whether the elements of a column are adjacent in memory.
    pub fn has_contiguous_columns(self) -> bool {
        match self {
            Matrix::Memory(view) => view.row == 1,
            Matrix::Computed { prologue, .. } => prologue.by_columns(),
        }
    }

    /// The most adjacent elements that a [block](Self::block) may have of a row or column.
    pub fn longest_line(self) -> usize {
        self.in_memory().map_or(PROLOGUE_COLUMNS, |_| usize::MAX)
    }

    /// The prologue, if its machine code multiplies the rows that it computes by this number of rows of A.
    pub fn multiplied(self, rows_of_a: usize) -> Option<(&'a dyn Prologue<T>, FusedRows)> {
        let Matrix::Computed { prologue, .. } = self else { return None };
        let fused = prologue.fused()?;
        match fused.block.to {
            Destination::Sums { rows, .. } if rows == rows_of_a => Some((prologue, fused)),
            _ => None,
        }
    }

    /// Packs rows and columns to `out`, panel by panel, each panel with room for `units` rows of units, if machine code of a prologue packs these
    /// rows and columns as it computes them. Returns whether it did.
    ///
    /// # Safety
    /// The matrix has these rows and columns, and `out` room for their units.
    pub unsafe fn pack_fused<U>(
        self,
        rows: Range<usize>,
        cols: Range<usize>,
        units: usize,
        out: *mut U,
    ) -> bool {
        let Matrix::Computed { prologue, batch, row, col } = self else { return false };
        let Some(FusedRows { block, .. }) = prologue.fused() else { return false };
        let Destination::Panels { columns } = block.to else { return false };
        let (first, left) = (row + rows.start, col + cols.start);
        if [first, rows.len()].iter().any(|rows| !rows.is_multiple_of(block.rows()))
            || [left, cols.len()].iter().any(|cols| !cols.is_multiple_of(columns))
        {
            return false;
        }
        for at in (0..cols.len()).step_by(columns) {
            let to = out.wrapping_add(at * units).cast::<u8>();
            let blocks = (first, rows.len() / block.rows());
            // SAFETY: whole row blocks of a panel, for which the caller has room.
            unsafe {
                prologue.run(batch, blocks, left + at..left + at + columns, std::ptr::null_mut(), &[to])
            };
        }
        true
    }

    /// A block of the matrix in memory; a prologue writes it to `buffer`.
    ///
    /// # Safety
    /// The matrix has these rows and columns, and lines of the block are no longer than [`longest_line`](Self::longest_line).
    pub unsafe fn block(self, rows: Range<usize>, cols: Range<usize>, buffer: &mut BlockBuffer) -> View<T> {
        let (prologue, batch, row, col) = match self {
            Matrix::Memory(view) => return view.from(rows.start, cols.start),
            Matrix::Computed { prologue, batch, row, col } => (prologue, batch, row, col),
        };
        let (by_columns, stride) = (prologue.by_columns(), prologue.stride());
        let (rows, cols) = (row + rows.start..row + rows.end, col + cols.start..col + cols.end);
        let (lines, places) = if by_columns { (cols, rows) } else { (rows, cols) };
        debug_assert!(places.len() <= stride);
        let elements = lines.len() * stride;
        if buffer.0.as_ref().is_none_or(|(_, have)| *have < elements) {
            buffer.0 = Some((Scratch::new::<T>(elements), elements));
        }
        let to = buffer.0.as_mut().map_or(std::ptr::null_mut(), |(scratch, _)| scratch.ptr::<T>());
        // SAFETY: the caller's promise; the buffer has room for the lines.
        unsafe { prologue.write(batch, lines, places, to) };
        let view = View { ptr: to.cast_const(), row: stride as isize, col: 1 };
        if by_columns { view.transposed() } else { view }
    }
}
