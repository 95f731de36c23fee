//! Sources of operands: matrices in memory, panels packed beforehand, and prologues.

use super::element::Factor;
use super::matrix::{Matrix, Prologue, Strided};
use super::packed::PackedPanels;

/// The source of an operand's elements.
#[derive(Clone, Copy)]
pub enum OperandSource<'a, T: Factor> {
    /// Matrices in memory.
    Memory(Strided<T>),
    /// Right operands, packed in panels beforehand.
    Panels(PackedPanels<'a, T>),
    /// A loop that computes blocks of the operand when the product packs or multiplies them.
    Prologue(&'a dyn Prologue<T>),
}

impl<T: Factor> From<Strided<T>> for OperandSource<'_, T> {
    fn from(strided: Strided<T>) -> Self {
        OperandSource::Memory(strided)
    }
}

impl<'a, T: Factor> From<PackedPanels<'a, T>> for OperandSource<'a, T> {
    fn from(panels: PackedPanels<'a, T>) -> Self {
        OperandSource::Panels(panels)
    }
}

impl<'a, T: Factor> OperandSource<'a, T> {
    /// The operand of a product of the batch, element by element; `None` if it lies in panels.
    pub(super) fn matrix(&self, batch: usize) -> Option<Matrix<'a, T>> {
        match *self {
            OperandSource::Memory(strided) => Some(Matrix::Memory(strided.view(batch))),
            OperandSource::Panels(_) => None,
            OperandSource::Prologue(prologue) => Some(Matrix::Computed { prologue, batch, row: 0, col: 0 }),
        }
    }
}
