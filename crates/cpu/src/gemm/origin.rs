//! Operands of products, in memory or made by a loop while they are packed.

use std::ops::Range;

use super::Strided;
use super::pack::View;
use crate::buffers::Scratch;

/// An operand of a product.
#[derive(Clone, Copy)]
pub enum Operand<'a, T> {
    /// In memory.
    Strided(Strided<T>),
    /// Made by a loop, part by part, as it is read.
    Made(Made<'a, T>),
}

impl<T> From<Strided<T>> for Operand<'_, T> {
    fn from(strided: Strided<T>) -> Self {
        Operand::Strided(strided)
    }
}

/// The function that writes a part of an operand. Arguments: the operand's index in the batch, its lines, the places of each
/// line, and the destination, where lines are [`Made::apart`] elements apart.
pub type Make<'a, T> = dyn Fn(usize, Range<usize>, Range<usize>, *mut T) + Sync + 'a;

/// The function that makes rows of an operand and adds their products to chains, one for each row of the other operand.
/// Arguments: the operand's index in the batch, its first row and the number of calls, the columns, the factors (for each call
/// the units of each row of the other operand in turn), and the chains of these columns.
pub type Advance<'a> = dyn Fn(usize, (usize, usize), Range<usize>, *mut u8, &[*mut u8]) + Sync + 'a;

/// A loop that multiplies an operand's rows as it makes them.
#[derive(Clone, Copy)]
pub struct Advancing<'a> {
    /// The number of rows of the other operand that a call multiplies.
    pub rows: usize,
    /// The units of rows that a call makes.
    pub units: usize,
    /// Whether a call makes a group, and adds its sum times the scales.
    pub scaled: bool,
    /// Whether calls make the scales, too; otherwise the scales are given as one more chain.
    pub makes_scales: bool,
    /// The number of columns of a panel, if the loop reads inputs that lie in panels.
    pub panel: Option<usize>,
    /// Runs calls.
    pub run: &'a Advance<'a>,
}

/// A loop that writes an operand's rows to panels as it makes them.
#[derive(Clone, Copy)]
pub struct Filling<'a> {
    /// The rows that a call makes.
    pub rows: usize,
    /// The columns of a panel.
    pub panel: usize,
    /// Runs calls for one panel, which is passed as the one chain; there are no factors.
    pub run: &'a Advance<'a>,
}

/// An operand that is nowhere in memory as a whole.
pub struct Made<'a, T> {
    /// Writes parts of the operand, of at most [`Made::MOST`] places of each line, or at most [`Made::MOST_SCALES`] scales.
    pub make: &'a Make<'a, T>,
    /// The distance between lines that were made, in elements.
    pub apart: usize,
    /// Whether lines are the operand's columns instead of its rows.
    pub columns: bool,
    /// Multiplies rows as they are made, for as many rows of the other operand as the product has, or a divisor of that number.
    pub advance: Option<Advancing<'a>>,
    /// Writes rows to panels as they are made, if the rows fill whole calls.
    pub fill: Option<Filling<'a>>,
}

impl<T> Clone for Made<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Made<'_, T> {}

impl<T> Made<'_, T> {
    /// The most places of a line that are made at a time.
    pub const MOST: usize = 512;

    /// The number of elements that are made at a time, about: they stay in the first-level cache until they are packed.
    pub(super) const PART: usize = 4096;

    /// The distance between lines that are made, in elements: lines a power of two apart would evict one another from the
    /// first-level
    /// cache.
    pub const APART: usize = Self::MOST + 16;

    /// The most scales of a group that are made at a time.
    pub const MOST_SCALES: usize = 2048;

    /// The distance between the scales of a group and those of the next, in elements.
    pub const SCALES_APART: usize = Self::MOST_SCALES + 16;
}

impl<'a, T: Copy> Operand<'a, T> {
    /// The operand of a product of the batch.
    pub(super) fn of(&self, batch: usize) -> Origin<'a, T> {
        match self {
            Operand::Strided(strided) => Origin::Memory(strided.view(batch)),
            Operand::Made(made) => Origin::Made { made: *made, batch, row: 0, col: 0 },
        }
    }
}

/// An operand of one product, from some row and column on.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a, T> {
    /// In memory.
    Memory(View<T>),
    /// Made as it is read.
    Made { made: Made<'a, T>, batch: usize, row: usize, col: usize },
}

/// Memory for a part that is made.
#[derive(Default)]
pub(super) struct Room(Option<(Scratch, usize)>);

impl<T: Copy> Origin<'_, T> {
    /// The operand without its first rows and columns.
    pub fn from(self, rows: usize, cols: usize) -> Self {
        match self {
            Origin::Memory(view) => Origin::Memory(view.from(rows, cols)),
            Origin::Made { made, batch, row, col } => {
                Origin::Made { made, batch, row: row + rows, col: col + cols }
            }
        }
    }

    /// The memory of the operand; nothing if it is made.
    pub fn in_memory(self) -> Option<View<T>> {
        match self {
            Origin::Memory(view) => Some(view),
            Origin::Made { .. } => None,
        }
    }

    /// Whether neighbours in a column, or else in a row, are read together.
    pub fn runs_along(self, column: bool) -> bool {
        match self {
            Origin::Memory(view) if column => view.row == 1,
            Origin::Memory(view) => view.col == 1,
            Origin::Made { made, .. } => made.columns == column,
        }
    }

    /// The most neighbours of a line that can be read at a time.
    pub fn most(self) -> usize {
        self.in_memory().map_or(Made::<T>::MOST, |_| usize::MAX)
    }

    /// The loop that multiplies the operand's rows as it makes them, if there is one.
    pub fn advance(&self) -> Option<Advancing<'_>> {
        match self {
            Origin::Made { made, .. } => made.advance,
            Origin::Memory(_) => None,
        }
    }

    /// Writes the units of rows and columns to `out`, panel by panel, each panel with room for `lines` rows of units, if a loop
    /// fills panels and whole calls make these rows. Returns whether it did.
    ///
    /// # Safety
    /// The operand has these rows and columns, and `out` room for their units.
    pub unsafe fn fill<U>(self, rows: Range<usize>, cols: Range<usize>, lines: usize, out: *mut U) -> bool {
        let Origin::Made { made, batch, row, col } = self else { return false };
        let Some(Filling { rows: each, panel, run }) = made.fill else { return false };
        let (first, left) = (row + rows.start, col + cols.start);
        if [first, rows.len()].iter().any(|rows| !rows.is_multiple_of(each))
            || [left, cols.len()].iter().any(|cols| !cols.is_multiple_of(panel))
        {
            return false;
        }
        for at in (0..cols.len()).step_by(panel) {
            let to = out.wrapping_add(at * lines).cast::<u8>();
            run(batch, (first, rows.len() / each), left + at..left + at + panel, std::ptr::null_mut(), &[to]);
        }
        true
    }

    /// A part of the operand in memory; a part that is made is written to `room`.
    ///
    /// # Safety
    /// The operand has these rows and columns, and no more than [`Origin::most`] neighbours of a line are asked for.
    pub unsafe fn part(self, rows: Range<usize>, cols: Range<usize>, room: &mut Room) -> View<T> {
        let (made, batch, row, col) = match self {
            Origin::Memory(view) => return view.from(rows.start, cols.start),
            Origin::Made { made, batch, row, col } => (made, batch, row, col),
        };
        let (rows, cols) = (row + rows.start..row + rows.end, col + cols.start..col + cols.end);
        let (lines, places) = if made.columns { (cols, rows) } else { (rows, cols) };
        debug_assert!(places.len() <= made.apart);
        let elements = lines.len() * made.apart;
        if room.0.as_ref().is_none_or(|(_, have)| *have < elements) {
            room.0 = Some((Scratch::new::<T>(elements), elements));
        }
        let to = room.0.as_mut().map_or(std::ptr::null_mut(), |(scratch, _)| scratch.ptr::<T>());
        (made.make)(batch, lines, places, to);
        let view = View { ptr: to.cast_const(), row: made.apart as isize, col: 1 };
        if made.columns { view.transposed() } else { view }
    }
}
