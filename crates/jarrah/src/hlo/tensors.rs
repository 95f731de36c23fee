//! Safetensors files whose tensors are called "0", "1", ...
//!
//! The format has no integers of less than eight bits, no complex numbers of 16 bytes and only some of the small floats.
//! Tensors of these types are stored as others, and the metadata of the file says so: `{"0": "i4"}`. Where it does not, a
//! tensor is what the program declares, if that type is stored so.
//!
//! | types | stored as |
//! |---|---|
//! | `i2`, `i4` | `I8`, the value |
//! | `u2`, `u4` | `U8`, the value |
//! | `f4e2m1fn`, `f6e2m3fn`, `f6e3m2fn` and the `f8` types without a name in the format | `U8`, the bits |
//! | `c128` | `F64` with a last axis of two: real and imaginary parts |

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use jarrah::{Error, Result};
use jarrah_base::{DType, ElementKind, Literal, Type, files};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};

use super::load::Loaded;
use super::{count, load};
use crate::output::show_bytes;

/// The tensors of a file in the order of their numbers.
pub struct Stored {
    path: String,
    content: Vec<u8>,
    tensors: Vec<StoredTensor>,
}

struct StoredTensor {
    dtype: Dtype,
    dims: Vec<usize>,
    /// The type that the metadata name for the tensor, if they do.
    said: Option<DType>,
    /// Where its bytes are in the content of the file.
    bytes: Range<usize>,
}

/// The tensors of the file at `path`.
pub fn read(path: &Path) -> Result<Stored> {
    let (shown, content) = load::bytes(path)?;
    let wrong = |e: String| Error::input(format!("{shown} is no safetensors file: {e}"));
    let file = SafeTensors::deserialize(&content).map_err(|e| wrong(e.to_string()))?;
    let (_, header) = SafeTensors::read_metadata(&content).map_err(|e| wrong(e.to_string()))?;
    let metadata = header.metadata().clone().unwrap_or_default();
    let mut tensors = Vec::new();
    for index in 0..file.len() {
        let name = index.to_string();
        let view = file.tensor(&name).map_err(|_| {
            let names = file.names().iter().take(8).map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
            Error::input(format!("{shown} has {} tensors, but none called \"{index}\"", file.len()))
                .help(format!("name them \"0\", \"1\", ... in argument order; there are {names}"))
        })?;
        // A word of the metadata that names no type has another purpose.
        let said = metadata.get(&name).and_then(|word| DType::from_name(word));
        let start = view.data().as_ptr().addr() - content.as_ptr().addr();
        let bytes = start..start + view.data().len();
        tensors.push(StoredTensor { dtype: view.dtype(), dims: view.shape().to_vec(), said, bytes });
    }
    Ok(Stored { path: shown, content, tensors })
}

impl Stored {
    /// Where they come from, for people.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The types of the tensors as arguments of the program in `file`.
    pub fn types(&self, file: &Loaded) -> Result<Vec<Type>> {
        let named = |tensor: &StoredTensor| tensor.said.or_else(|| from_file(tensor.dtype));
        let certain =
            |tensor: &StoredTensor| tensor.said.is_some() || !STANDS_FOR_OTHERS.contains(&tensor.dtype);
        // A program of open extents declares no whole types.
        let declared = match self.tensors.iter().all(certain) {
            true => Vec::new(),
            false => file.program(None).map_or(Vec::new(), |program| program.param_types()),
        };
        let one = |(i, tensor): (usize, &StoredTensor)| {
            let StoredTensor { dtype, dims, .. } = tensor;
            if let Some(&ty) =
                declared.get(i).filter(|ty| !certain(tensor) && as_stored(**ty) == (*dtype, dims.clone()))
            {
                return Ok(ty);
            }
            let logical = named(tensor).ok_or_else(|| {
                Error::input(format!("tensor \"{i}\" of {} is {dtype:?}, which is not supported", self.path))
            })?;
            let extents = match (logical, dims.as_slice()) {
                (DType::C128, [extents @ .., 2]) => extents,
                (_, extents) => extents,
            };
            let ty = Type::tensor(logical, extents.iter().copied());
            if as_stored(ty) != (*dtype, dims.clone()) {
                return Err(Error::input(format!(
                    "the metadata of {} says that tensor \"{i}\" is {logical}, but it is {dtype:?}{dims:?}",
                    self.path
                )));
            }
            Ok(ty)
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
        let one = |(i, (tensor, &ty)): (usize, (&StoredTensor, &Type))| {
            let StoredTensor { dtype, dims, bytes, .. } = tensor;
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
            let literal = Literal::from_bytes(ty, bytes)?;
            if ty.dtype().bits() >= 8 {
                return Ok(literal);
            }
            match bytes.iter().zip(&*in_file(&literal)).position(|(given, kept)| given != kept) {
                None => Ok(literal),
                Some(at) => Err(Error::input(format!(
                    "element {at} of tensor \"{i}\" of {} is {}, which is no {}",
                    self.path,
                    if *dtype == Dtype::I8 { (bytes[at] as i8).to_string() } else { bytes[at].to_string() },
                    ty.dtype()
                ))),
            }
        };
        Ok(self.tensors.iter().zip(types).enumerate().map(one))
    }
}

/// The bytes of a tensor as a file has them.
fn in_file(literal: &Literal) -> Cow<'_, [u8]> {
    let dtype = literal.dtype();
    let unused = 8u32.saturating_sub(dtype.bits());
    match dtype.kind() {
        ElementKind::Signed if unused > 0 => {
            literal.bytes().iter().map(|&b| (((b << unused) as i8) >> unused) as u8).collect()
        }
        _ => literal.bytes().into(),
    }
}

/// Writes tensors as "0", "1", ...; `-` is the standard output.
pub fn write(path: &Path, literals: &[Literal]) -> Result<()> {
    let stored: Vec<Cow<[u8]>> = literals.iter().map(in_file).collect();
    let mut views = Vec::new();
    let mut metadata = HashMap::new();
    for (i, (literal, bytes)) in literals.iter().zip(&stored).enumerate() {
        let (dtype, dims) = as_stored(literal.ty());
        let view = TensorView::new(dtype, dims, bytes);
        let view = view.map_err(|e| Error::internal(format!("result {i} cannot be stored: {e}")))?;
        views.push((i.to_string(), view));
        if from_file(dtype) != Some(literal.dtype()) {
            metadata.insert(i.to_string(), literal.dtype().name().to_owned());
        }
    }
    let metadata = Some(metadata).filter(|metadata| !metadata.is_empty());
    let bytes = safetensors::serialize(views, metadata)
        .map_err(|e| Error::internal(format!("the results cannot be stored: {e}")))?;
    let bytes = with_sorted_header(bytes)?;
    if path == Path::new("-") {
        return show_bytes(&bytes);
    }
    files::replace(path, &bytes)
}

/// The bytes of the file with the keys of its header in order: the writer leaves the metadata in random order.
fn with_sorted_header(mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    const LENGTH: usize = 8;
    let damaged = || Error::internal("the file of the results has no header");
    let length = bytes.first_chunk().map(|n| u64::from_le_bytes(*n) as usize).ok_or_else(damaged)?;
    let header = bytes.get_mut(LENGTH..LENGTH + length).ok_or_else(damaged)?;
    let mut parsed: serde_json::Value = serde_json::from_slice(header).map_err(|_| damaged())?;
    parsed.sort_all_objects();
    let sorted = parsed.to_string();
    // The header is padded with spaces; in another order it takes no more.
    let (text, padding) = header.split_at_mut_checked(sorted.len()).ok_or_else(damaged)?;
    text.copy_from_slice(sorted.as_bytes());
    padding.fill(b' ');
    Ok(bytes)
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
    (DType::F8E4M3FNUZ, Dtype::F8_E4M3FNUZ),
    (DType::F8E5M2FNUZ, Dtype::F8_E5M2FNUZ),
    (DType::C64, Dtype::C64),
];

fn from_file(dtype: Dtype) -> Option<DType> {
    NAMED.iter().find(|(_, stored)| *stored == dtype).map(|(ours, _)| *ours)
}

/// The types of the format that store tensors of types without a name in the format.
const STANDS_FOR_OTHERS: [Dtype; 3] = [Dtype::I8, Dtype::U8, Dtype::F64];

/// How a tensor of this type is stored.
fn as_stored(ty: Type) -> (Dtype, Vec<usize>) {
    let mut dims: Vec<usize> = ty.extents().collect();
    if let Some((_, stored)) = NAMED.iter().find(|(ours, _)| *ours == ty.dtype()) {
        return (*stored, dims);
    }
    match ty.dtype().kind() {
        ElementKind::Signed => (Dtype::I8, dims),
        ElementKind::Complex => {
            dims.push(2);
            (Dtype::F64, dims)
        }
        ElementKind::Bool | ElementKind::Unsigned | ElementKind::Float => (Dtype::U8, dims),
    }
}
