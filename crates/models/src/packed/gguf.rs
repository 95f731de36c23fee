//! Matrices in blocks of llama.cpp.

use jarrah_array::{Array, DType, Error, Literal, Result, Type};
use jarrah_formats::{Block, Encoding, Tensors};
use jarrah_quant::{QuantizedTensor, Scheme};

use super::{Method, Wanted};

/// How a GGUF file has its weights: which of them are in few bits, each says by itself.
#[derive(Debug)]
pub struct Gguf;

/// The scheme of blocks that are kept as they are.
fn scheme(encoding: Encoding) -> Option<Scheme> {
    match encoding {
        Encoding::Blocks(Block::Q4_0) => Some(Scheme::Q4_0),
        Encoding::Blocks(Block::Q8_0) => Some(Scheme::Q8_0),
        _ => None,
    }
}

impl Method for Gguf {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        scheme(files.find(of.name)?.encoding())?;
        Some((of.name.to_owned(), Type::tensor(DType::F32, of.dims.iter().copied())))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let tensor = files.get(of.name)?;
        let found = scheme(tensor.encoding()).zip(tensor.stored());
        let (scheme, bytes) = found.ok_or_else(|| Error::internal(format!("{} is in blocks", of.name)))?;
        let rows = tensor.dims().first().copied().unwrap_or(0);
        let blocks = Array::from_slice(bytes).reshape(&[rows, bytes.len().checked_div(rows).unwrap_or(0)]);
        of.made(|| QuantizedTensor::from_gguf(&blocks, scheme))
    }

    fn keeps(&self) -> bool {
        false
    }

    fn fits(&self, of: &Wanted<'_>) -> bool {
        of.dims.len() == 2
    }

    fn dense(&self, files: &Tensors, of: &Wanted<'_>, dtype: Option<DType>) -> Result<Literal> {
        let tensor = files.get(of.name)?;
        match dtype {
            Some(dtype) => tensor.to(dtype)?.literal(),
            None => tensor.literal(),
        }
    }
}
