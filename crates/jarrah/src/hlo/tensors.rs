//! Safetensors files whose tensors are called "0", "1", ...
//!
//! The format has no integers of less than eight bits, no 16-byte complex numbers and only some of the small floats.
//! These are stored as the bytes they are here: small ones as `U8` of the same shape, complex ones of 16 bytes as `F64`
//! with a last axis of two.

use std::fs;
use std::ops::Range;
use std::path::Path;

use jarrah::{Error, Result};
use jarrah_base::{DType, Literal, Type};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

use super::{count, load};
use crate::output::show_bytes;

/// The tensors of a file in the order of their numbers, without knowing what they are for.
pub struct Stored {
    path: String,
    content: Vec<u8>,
    tensors: Vec<StoredTensor>,
}

struct StoredTensor {
    dtype: Dtype,
    dims: Vec<usize>,
    /// Where its bytes are in the content of the file.
    bytes: Range<usize>,
}

/// The tensors of the file at `path`.
pub fn read(path: &Path) -> Result<Stored> {
    let (shown, content) = load::bytes(path)?;
    let wrong = |e: String| Error::input(format!("{shown} is no safetensors file: {e}"));
    let file = SafeTensors::deserialize(&content).map_err(|e| wrong(e.to_string()))?;
    let mut tensors = Vec::new();
    for index in 0..file.len() {
        let view = file.tensor(&index.to_string()).map_err(|_| {
            let names = file.names().iter().take(8).map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
            Error::input(format!("{shown} has {} tensors, but none called \"{index}\"", file.len()))
                .help(format!("name them \"0\", \"1\", ... in argument order; there are {names}"))
        })?;
        let start = view.data().as_ptr().addr() - content.as_ptr().addr();
        let bytes = start..start + view.data().len();
        tensors.push(StoredTensor { dtype: view.dtype(), dims: view.shape().to_vec(), bytes });
    }
    Ok(Stored { path: shown, content, tensors })
}

impl Stored {
    /// Where they come from, for people.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The types that the tensors have if nothing else is said of them.
    pub fn types(&self) -> Result<Vec<Type>> {
        let one = |(i, tensor): (usize, &StoredTensor)| {
            let dtype = from_file(tensor.dtype).ok_or_else(|| {
                let dtype = tensor.dtype;
                Error::input(format!("tensor \"{i}\" of {} is {dtype:?}, which is not supported", self.path))
            })?;
            Ok(Type::tensor(dtype, tensor.dims.iter().copied()))
        };
        self.tensors.iter().enumerate().map(one).collect()
    }

    /// The tensors as values of these types, one after another so that they need not all be held.
    pub fn literals(&self, types: &[Type]) -> Result<impl Iterator<Item = Result<Literal>>> {
        if self.tensors.len() != types.len() {
            let (found, wanted) = (self.tensors.len(), types.len());
            return Err(Error::input(format!(
                "{} has {}, the program takes {}",
                self.path,
                count(found, "tensor"),
                count(wanted, "argument")
            )));
        }
        let one = |(i, (StoredTensor { dtype, dims, bytes }, &ty)): (usize, (&StoredTensor, &Type))| {
            let wanted = as_stored(ty);
            if (*dtype, dims) != (wanted.0, &wanted.1) {
                return Err(Error::input(format!(
                    "tensor \"{i}\" of {} is {dtype:?}{dims:?}, argument {i} of the program is {ty}",
                    self.path
                ))
                .help(format!("such an argument is stored as {:?}{:?}", wanted.0, wanted.1)));
            }
            let bytes = &self.content[bytes.clone()];
            if ty.dtype() == DType::Bool {
                let bytes: Vec<u8> = bytes.iter().map(|&b| u8::from(b != 0)).collect();
                return Literal::from_bytes(ty, &bytes);
            }
            Literal::from_bytes(ty, bytes)
        };
        Ok(self.tensors.iter().zip(types).enumerate().map(one))
    }
}

/// Writes tensors as "0", "1", ...; `-` is the standard output.
pub fn write(path: &Path, literals: &[Literal]) -> Result<()> {
    let mut views = Vec::new();
    for (i, literal) in literals.iter().enumerate() {
        let (dtype, dims) = as_stored(literal.ty());
        let view = TensorView::new(dtype, dims, literal.bytes());
        let view = view.map_err(|e| Error::internal(format!("result {i} cannot be stored: {e}")))?;
        views.push((i.to_string(), view));
    }
    let bytes = safetensors::serialize(views, None)
        .map_err(|e| Error::internal(format!("the results cannot be stored: {e}")))?;
    if path == Path::new("-") {
        return show_bytes(&bytes);
    }
    fs::write(path, bytes).map_err(|e| Error::io("write", path, &e))
}

/// The element types that the format has under their own name.
const NAMED: &[(DType, Dtype)] = &[
    (DType::Bool, Dtype::BOOL),
    (DType::I8, Dtype::I8),
    (DType::I16, Dtype::I16),
    (DType::I32, Dtype::I32),
    (DType::I64, Dtype::I64),
    (DType::U8, Dtype::U8),
    (DType::U16, Dtype::U16),
    (DType::U32, Dtype::U32),
    (DType::U64, Dtype::U64),
    (DType::BF16, Dtype::BF16),
    (DType::F16, Dtype::F16),
    (DType::F32, Dtype::F32),
    (DType::F64, Dtype::F64),
    (DType::F8E4M3FN, Dtype::F8_E4M3),
    (DType::F8E5M2, Dtype::F8_E5M2),
    (DType::F8E8M0FNU, Dtype::F8_E8M0),
    (DType::C64, Dtype::C64),
];

fn from_file(dtype: Dtype) -> Option<DType> {
    NAMED.iter().find(|(_, stored)| *stored == dtype).map(|(ours, _)| *ours)
}

/// How a tensor of this type is stored.
fn as_stored(ty: Type) -> (Dtype, Vec<usize>) {
    let mut dims: Vec<usize> = ty.dims().iter().filter_map(|d| d.constant()).collect();
    let named = NAMED.iter().find(|(ours, _)| *ours == ty.dtype()).map(|(_, stored)| *stored);
    let dtype = named.unwrap_or_else(|| {
        if ty.dtype() == DType::C128 {
            dims.push(2);
            return Dtype::F64;
        }
        Dtype::U8
    });
    (dtype, dims)
}
