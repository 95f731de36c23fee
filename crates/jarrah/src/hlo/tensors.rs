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
use std::ops::Range;
use std::path::Path;

use jarrah::{Error, Result};
use jarrah_base::{DType, ElementKind, Literal, Type, files};
use jarrah_formats::safetensors::{Dtype, Row, described, element, framed, stored};
use safetensors::SafeTensors;

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
        let named = |tensor: &StoredTensor| tensor.said.or_else(|| element(tensor.dtype));
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
    let contents: Vec<Cow<[u8]>> = literals.iter().map(in_file).collect();
    let all: Vec<(String, (Dtype, Vec<usize>), &[u8])> = literals
        .iter()
        .zip(&contents)
        .enumerate()
        .map(|(i, (literal, bytes))| (i.to_string(), as_stored(literal.ty()), &**bytes))
        .collect();
    let named = literals
        .iter()
        .zip(&all)
        .filter(|(literal, (_, (dtype, _), _))| element(*dtype) != Some(literal.dtype()));
    let metadata =
        named.map(|(literal, (name, ..))| (name.clone(), literal.dtype().name().to_owned())).collect();
    let mut rows: Vec<(Row<'_>, &[u8])> = all
        .iter()
        .map(|(name, (dtype, shape), bytes)| {
            (Row { name, dtype: *dtype, shape: shape.clone(), bytes: bytes.len() }, *bytes)
        })
        .collect();
    // Wide elements first, as other writers have them.
    rows.sort_by(|(a, _), (b, _)| b.dtype.cmp(&a.dtype).then_with(|| a.name.cmp(b.name)));
    let (rows, parts): (Vec<Row<'_>>, Vec<&[u8]>) = rows.into_iter().unzip();
    let mut header = serde_json::Value::Object(described(&rows, &metadata)?);
    header.sort_all_objects();
    let serde_json::Value::Object(header) = header else { return Err(Error::internal("a header is a map")) };
    let mut bytes = framed(&header)?;
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    if path == Path::new("-") {
        return show_bytes(&bytes);
    }
    files::replace(path, &bytes)
}

/// The types of the format that store tensors of types without a name in the format.
const STANDS_FOR_OTHERS: [Dtype; 3] = [Dtype::I8, Dtype::U8, Dtype::F64];

/// How a tensor of this type is stored.
fn as_stored(ty: Type) -> (Dtype, Vec<usize>) {
    let mut dims: Vec<usize> = ty.extents().collect();
    if let Some(stored) = stored(ty.dtype()) {
        return (stored, dims);
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
