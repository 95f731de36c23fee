use std::fmt;

use jarrah_base::DType;

/// How the elements of a tensor lie in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorEncoding {
    /// Elements one after the other, as [`Literal`](jarrah_base::Literal) has them.
    Plain(DType),
    /// Elements of four bits, two to a byte, the first in its lower half.
    Halves(DType),
    /// Blocks of quantized numbers, as llama.cpp has them.
    Blocks(BlockType),
    /// An encoding whose bytes are passed on but not decoded, by name; a block's elements and bytes.
    Unread(&'static str, usize, usize),
}

/// Blocks of quantized numbers that are decoded here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "the names that llama.cpp has for them")]
pub enum BlockType {
    /// 32 codes of four bits with one scale.
    Q4_0,
    /// 32 codes of eight bits with one scale.
    Q8_0,
    /// 256 codes of four bits; groups of 32 have scales and minima of six bits.
    Q4_K,
    /// 256 codes of six bits; groups of 16 have scales of eight bits.
    Q6_K,
}

impl TensorEncoding {
    /// The element type that the tensor has once it is read; none where it is not decoded.
    pub fn dtype(self) -> Option<DType> {
        match self {
            TensorEncoding::Plain(dtype) | TensorEncoding::Halves(dtype) => Some(dtype),
            TensorEncoding::Blocks(_) => Some(DType::F32),
            TensorEncoding::Unread(..) => None,
        }
    }

    /// The elements and the bytes of a block.
    pub fn block(self) -> (usize, usize) {
        match self {
            TensorEncoding::Plain(dtype) => (1, dtype.size()),
            TensorEncoding::Halves(_) => (2, 1),
            TensorEncoding::Blocks(BlockType::Q4_0) => (32, 18),
            TensorEncoding::Blocks(BlockType::Q8_0) => (32, 34),
            TensorEncoding::Blocks(BlockType::Q4_K) => (256, 144),
            TensorEncoding::Blocks(BlockType::Q6_K) => (256, 210),
            TensorEncoding::Unread(_, elements, bytes) => (elements, bytes),
        }
    }

    /// The bytes of a tensor with the extents `dims`; none where its rows are no whole blocks or its size overflows.
    pub(crate) fn bytes(self, dims: &[usize]) -> Option<usize> {
        let (elements, bytes) = self.block();
        // The extents of an empty tensor must not overflow either: its type would have no size.
        let span = dims.iter().filter(|&&d| d > 0).try_fold(16usize, |n, &d| n.checked_mul(d))?;
        if span > isize::MAX as usize {
            return None;
        }
        let count: usize = dims.iter().product();
        let rows = matches!(self, TensorEncoding::Blocks(_) | TensorEncoding::Unread(..));
        let along = if rows { *dims.last().unwrap_or(&1) } else { count };
        (along % elements == 0).then_some(count / elements * bytes)
    }
}

impl fmt::Display for TensorEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TensorEncoding::Plain(dtype) | TensorEncoding::Halves(dtype) => dtype.fmt(f),
            TensorEncoding::Blocks(block) => fmt::Debug::fmt(block, f),
            TensorEncoding::Unread(name, ..) => f.write_str(name),
        }
    }
}
