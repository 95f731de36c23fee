//! Row blocks: the rows of a right operand that a prologue's machine code computes in one call, in registers.

use jarrah_base::{CHAIN, DType};

use super::panel_shape;
use crate::isa::{Isa, has_bf16};

/// A few rows of a right operand, computed at once in registers, and the use that machine code makes of them there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RowBlock {
    /// The units of a column of the block.
    pub units: usize,
    /// Whether two rows make a unit.
    pub words: bool,
    /// The destination of the rows.
    pub to: Destination,
}

/// The destination of a row block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Destination {
    /// The block is multiplied by so many rows of the left operand, and added to as many rows of sums.
    Sums {
        /// The rows of the left operand.
        rows: usize,
        /// The distance between the scales of a group and those of the next, in elements, if a block is a group whose sum is added times its scales.
        scales: Option<usize>,
    },
    /// The block is packed in panels.
    Panels {
        /// The columns of a panel.
        columns: usize,
    },
}

/// The row blocks of a prologue.
#[derive(Clone, Copy)]
pub struct FusedRows {
    /// The shape and destination of a block.
    pub block: RowBlock,
    /// Whether the machine code computes the scales, too; otherwise it reads them.
    pub computes_scales: bool,
    /// The number of columns of a panel, if the prologue reads inputs that lie in panels.
    pub panel: Option<usize>,
}

impl RowBlock {
    /// The rows of the block.
    pub fn rows(&self) -> usize {
        if self.words { 2 * self.units } else { self.units }
    }

    /// The block of a product of `m` rows of such elements, `k` of each, with a right operand that a prologue computes: it is multiplied
    /// where there are [few rows](RowBlock::multiplied), otherwise [packed](RowBlock::packed).
    pub fn of(
        dtype: DType,
        [m, k]: [usize; 2],
        in_panels: bool,
        groups: Option<(usize, usize)>,
    ) -> Option<RowBlock> {
        RowBlock::multiplied(dtype, [m, k], in_panels, groups).or_else(|| RowBlock::packed(dtype, k))
    }

    /// The block that is multiplied by `m` rows of `k` such elements; `None` if there are too many rows.
    ///
    /// `in_panels` says whether the prologue goes through panels, `groups` the elements of a group whose sum has scales, and the distance
    /// between the scales of a group and those of the next.
    pub fn multiplied(
        dtype: DType,
        [m, k]: [usize; 2],
        in_panels: bool,
        groups: Option<(usize, usize)>,
    ) -> Option<RowBlock> {
        let isa = Isa::detect();
        let each = groups.map(|(each, _)| each);
        let words = match dtype {
            DType::F32 | DType::F16 => false,
            DType::BF16 => true,
            _ => return None,
        };
        // The most factors of a block: each is an instruction in its code, or two if no instruction multiplies words.
        let factors = match isa {
            Isa::Avx512 if !words || has_bf16() => 1024,
            _ if words => 128,
            _ => 256,
        };
        // The rows of A whose chains fit in registers, or several such sets one after another, each of which computes the block again.
        let together = if words { 2 } else { 1 };
        let rows = match isa {
            Isa::Avx512 if m <= 16 => m,
            Isa::Avx2 | Isa::Portable if m <= 12 => m,
            _ => return None,
        };
        let block = |units, scales| RowBlock { units, words, to: Destination::Sums { rows, scales } };
        if let Some((each, stride)) = groups.filter(|(each, _)| each / together * rows <= factors) {
            return Some(block(each / together, Some(stride)));
        }
        // A block of K is computed as a group with the scale 1, if the code for it is not too long.
        if groups.is_none() && in_panels && k.is_multiple_of(CHAIN) && CHAIN / together * rows <= factors {
            return Some(block(CHAIN / together, Some(0)));
        }
        // Otherwise whole row blocks make a block of K and a group.
        let within = each.unwrap_or(k);
        let fits = |units: &usize| {
            within.is_multiple_of(units * together) && (*units == 4 || units * rows <= factors / 2)
        };
        // Rows a power of two apart share a set of the first-level cache, so a block has no more rows than the set has lines. With
        // registers of 256 bits, the code comes back to each line twice as often.
        let most = match (in_panels, isa) {
            (true, _) => 32,
            (false, Isa::Avx2 | Isa::Portable) => 4,
            (false, Isa::Avx512) => 16,
        };
        let units = [32, 16, 8, 4].into_iter().filter(|units| *units <= most).find(fits)?;
        Some(block(units, None))
    }

    /// The block of `k` rows of such elements that is packed in panels; `None` if there is none.
    pub fn packed(dtype: DType, k: usize) -> Option<RowBlock> {
        let (columns, together) = panel_shape(dtype)?;
        let words = match dtype {
            DType::F32 => false,
            DType::BF16 => true,
            _ => return None,
        };
        let units = [16, 8, 4].into_iter().find(|units| k.is_multiple_of(units * together))?;
        Some(RowBlock { units, words, to: Destination::Panels { columns } })
    }
}
