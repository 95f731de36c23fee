//! Scales, plain or themselves quantized.

use jarrah_array::{Array, DType, Tree};

/// The scales of a quantized tensor, `[.., groups, columns]`; one column is that of all.
#[derive(Clone, Debug, Tree)]
pub enum Scales {
    /// As they are.
    Plain(Array),
    /// Scales that are quantized in turn.
    Nested(Box<NestedScales>),
}

/// Scales that are quantized in turn: scale `j`, counted along groups and then along columns, is `table[codes[j]] * blocks[j / 256] + offset`.
///
/// Source: Dettmers et al., QLoRA, section 3 (double quantization).
#[derive(Clone, Debug, Tree)]
pub struct NestedScales {
    /// `u8`, `[columns, groups]`: the order in which they were quantized.
    pub codes: Array,
    /// `f32`, `[256]`.
    pub table: Array,
    /// `f32`, one for 256 codes.
    pub blocks: Array,
    /// `f32`, a scalar.
    pub offset: Array,
}

/// The codes of scales that share a scale.
pub(crate) const NESTED: usize = 256;

impl Scales {
    /// The scales in `f32`, `[.., groups, columns]`.
    #[track_caller]
    pub fn values(&self) -> Array {
        match self {
            Scales::Plain(scales) => scales.astype(DType::F32),
            Scales::Nested(nested) => nested.values(),
        }
    }

    /// `[.., groups, columns]`.
    pub(crate) fn shape(&self) -> Vec<usize> {
        match self {
            Scales::Plain(scales) => scales.shape().to_vec(),
            Scales::Nested(nested) => nested.codes.shape().iter().rev().copied().collect(),
        }
    }

    /// `x`, which has the shape of scales, with `axes` of extent one for the position in the group.
    #[track_caller]
    pub(crate) fn spread(x: &Array, axes: usize) -> Array {
        let shape = x.shape();
        let (lead, last) = shape.split_at(shape.len() - 1);
        x.reshape(&[lead, &vec![1; axes], last].concat()[..])
    }
}

impl NestedScales {
    #[track_caller]
    fn values(&self) -> Array {
        let count = self.codes.size();
        let values = self.table.take(&self.codes.ravel().astype(DType::I32), 0);
        let blocks = self.blocks.size();
        let maxima = self.blocks.reshape(&[blocks, 1]).broadcast_to(&[blocks, NESTED]);
        let scales = values * maxima.ravel().slice(0, ..count) + &self.offset;
        scales.reshape(&self.codes.shape()[..]).t()
    }
}
