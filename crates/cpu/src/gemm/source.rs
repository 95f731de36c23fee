//! Sources of operands: matrices in memory, panels packed beforehand, and prologues.

use super::element::Factor;
use super::matrix::{Matrix, Prologue, Strided};
use super::packed::Panels;

/// The source of an operand's elements.
#[derive(Clone, Copy)]
pub enum Source<'a, T: Factor> {
    /// Matrices in memory.
    Memory(Strided<T>),
    /// Right operands, packed in panels beforehand.
    Panels(Panels<'a, T>),
    /// A loop that computes blocks of the operand when the product packs or multiplies them.
    Prologue(&'a dyn Prologue<T>),
}

impl<T: Factor> From<Strided<T>> for Source<'_, T> {
    fn from(strided: Strided<T>) -> Self {
        Source::Memory(strided)
    }
}

impl<'a, T: Factor> From<Panels<'a, T>> for Source<'a, T> {
    fn from(panels: Panels<'a, T>) -> Self {
        Source::Panels(panels)
    }
}

impl<'a, T: Factor> Source<'a, T> {
    /// The operand of a product of the batch, element by element; `None` if it lies in panels.
    pub(super) fn matrix(&self, batch: usize) -> Option<Matrix<'a, T>> {
        match *self {
            Source::Memory(strided) => Some(Matrix::Memory(strided.view(batch))),
            Source::Panels(_) => None,
            Source::Prologue(prologue) => Some(Matrix::Computed { prologue, batch, row: 0, col: 0 }),
        }
    }
}
