//! Matrices in blocks of llama.cpp.

use jarrah_array::{Array, DType, Error, Literal, Result, Type};
use jarrah_formats::{BlockType, TensorEncoding, Tensors};
use jarrah_quant::{QuantizedTensor, Scheme};

use super::method::{Method, Wanted};

/// How a GGUF file has its weights: which of them are in few bits, each says by itself.
#[derive(Debug)]
pub struct Gguf;

/// The scheme of blocks that are kept as they are.
fn scheme(encoding: TensorEncoding) -> Option<Scheme> {
    match encoding {
        TensorEncoding::Blocks(BlockType::Q4_0) => Some(Scheme::Q4_0),
        TensorEncoding::Blocks(BlockType::Q8_0) => Some(Scheme::Q8_0),
        _ => None,
    }
}

impl Method for Gguf {
    fn codes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<(String, Type)> {
        scheme(files.find(of.name)?.encoding())?;
        Some((of.name.to_owned(), Type::tensor(DType::F32, of.dims.iter().copied())))
    }

    fn read(&self, files: &Tensors, of: &Wanted<'_>) -> Result<QuantizedTensor> {
        let wrong = || Error::internal(format!("{} is in blocks", of.name));
        let ty = self.bytes(files, of).ok_or_else(wrong)?;
        let bytes = files.get(of.name)?.stored().ok_or_else(wrong)?;
        let blocks = Array::from_literal(Literal::from_bytes(ty, bytes)?);
        let scheme = scheme(files.get(of.name)?.encoding()).ok_or_else(wrong)?;
        of.made(|| QuantizedTensor::from_gguf(&blocks, scheme))
    }

    fn bytes(&self, files: &Tensors, of: &Wanted<'_>) -> Option<Type> {
        let tensor = files.find(of.name)?;
        let (bytes, rows) = (tensor.stored()?.len(), tensor.dims().first().copied().unwrap_or(0));
        Some(Type::tensor(DType::U8, [rows, bytes.checked_div(rows).unwrap_or(0)]))
    }

    fn of_bytes(&self, files: &Tensors, of: &Wanted<'_>, bytes: &Array) -> Option<QuantizedTensor> {
        Some(QuantizedTensor::from_gguf(bytes, scheme(files.find(of.name)?.encoding())?))
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
