//! One safetensors file: a header of JSON, then the bytes of the tensors, without gaps.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use jarrah_base::{DType, Error, Result, files};
pub use safetensors::tensor::Dtype;
use safetensors::tensor::Metadata;
use safetensors::{SafeTensorError, SafeTensors};
use serde_json::{Map, Value, json};

use crate::encoding::TensorEncoding;
use crate::listing::{Entry, Listing};
use crate::tensor::Tensor;

/// The longest header that the format's own reader accepts, in bytes.
const LONGEST_HEADER: usize = 100_000_000;
/// The key of the texts beside the tensors.
pub const METADATA: &str = "__metadata__";

/// Whether a file begins as one of safetensors does: with the length of a header that fits into it.
pub(crate) fn plausible(data: &[u8]) -> bool {
    let Some((length, rest)) = data.split_first_chunk::<8>() else { return false };
    u64::from_le_bytes(*length) <= rest.len() as u64 && rest.first() == Some(&b'{')
}

pub(crate) fn list(data: &[u8]) -> Result<Listing> {
    let (header, metadata) = SafeTensors::read_metadata(data).map_err(|e| wrong(data, &e))?;
    let start = header + size_of::<u64>();
    let mut entries = Vec::new();
    for name in metadata.offset_keys() {
        let info = metadata.info(&name).expect("invariant: the name is one of the header's");
        let encoding = encoding(info.dtype).ok_or_else(|| {
            Error::input(format!("the tensor {name} has the element type {:?}", info.dtype))
        })?;
        let bytes = info.data_offsets.1 - info.data_offsets.0;
        if encoding.bytes(&info.shape) != Some(bytes) {
            let message = format!("the tensor {name}, {encoding}{:?}, has {bytes} bytes", info.shape);
            return Err(Error::input(message));
        }
        let (dims, start) = (info.shape.clone(), start + info.data_offsets.0);
        entries.push(Entry { name, encoding, dims, strides: None, file: 0, start, bytes });
    }
    let texts = Metadata::metadata(&metadata).clone().unwrap_or_default();
    Ok(Listing { entries, metadata: texts.into_iter().collect(), ..Listing::default() })
}

/// The kind of a text file that stands in the place of weights, in words, and advice; `None` for any other file. No text of the
/// file is repeated: an error of a server may be shown to somebody who must not read the server's files.
fn text(data: &[u8]) -> Option<(&'static str, &'static str)> {
    let head = &data[..data.len().min(40)];
    // The last character may be cut in two.
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    let is_text = |c: char| !c.is_control() || c.is_whitespace();
    if text.is_empty() || !text.chars().all(is_text) {
        return None;
    }
    let begins = text.trim_start().to_ascii_lowercase();
    Some(match () {
        () if begins.starts_with("version https://git-lfs") => (
            "a pointer of Git LFS",
            "`git lfs pull` in the repository that it is from brings the weights in its place",
        ),
        () if begins.starts_with("<!doctype html") || begins.starts_with("<html") => (
            "a page of HTML",
            "the server that it was copied from gave a page in its place: open it to see why, and copy the file again",
        ),
        () => (
            "text",
            "weights are in files of safetensors or GGUF, or in what torch.save writes; name the folder of a model, the folder of a run, or a GGUF file",
        ),
    })
}

/// An error that explains why a file is not a safetensors file.
fn wrong(data: &[u8], error: &SafeTensorError) -> Error {
    let length = data.first_chunk::<8>().map(|n| u64::from_le_bytes(*n));
    let cut = "the file may be cut short: compare its size with the original's, and copy it again";
    if let Some((what, help)) = text(data) {
        return Error::input(format!("the file has no weights: it is {what}")).help(help);
    }
    match (error, length) {
        (SafeTensorError::HeaderTooSmall, _) | (_, None) => {
            Error::input(format!("{} bytes are too few for a safetensors file", data.len())).help(cut)
        }
        // The number is the first bytes of some other file.
        (SafeTensorError::HeaderTooLarge, _) => {
            let error =
                format!("the file of {} bytes does not begin with the length of a header", data.len());
            Error::input(error).help("it is no safetensors file")
        }
        (SafeTensorError::InvalidHeaderLength, Some(length)) => {
            Error::input(format!("the header would have {length} bytes, and the file has {}", data.len()))
                .help("it is cut short, or no safetensors file")
        }
        (SafeTensorError::MetadataIncompleteBuffer, _) => {
            Error::input("the tensors that the header lists are not all there, or something is behind them")
                .help(cut)
        }
        (SafeTensorError::InvalidOffset(name), _) => {
            Error::input(format!("the bytes of the tensor {name} overlap others, or leave a gap"))
        }
        (SafeTensorError::TensorInvalidInfo, _) => {
            Error::input("a tensor's bytes are not as many as its type and shape say")
        }
        (SafeTensorError::ValidationOverflow, _) => Error::input("a tensor is larger than any memory"),
        (other, _) => Error::input(format!("the header is not that of a safetensors file: {other}")),
    }
}

/// Writes the file `path` of these tensors, at once and whole: wide elements first, then by name, as the format's own
/// writer does. `metadata` are texts beside the tensors; other readers expect `format: pt` among them.
///
/// # Errors
/// Two tensors have one name, or one the format keeps for itself; a type that the format lacks (`Input`); the disk refuses.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_formats::{Tensor, Tensors, save_file};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("w.safetensors");
/// let value = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
/// save_file(&path, &[Tensor::of("w", &value)], &[("format".into(), "pt".into())].into())?;
/// assert_eq!(Tensors::open(&path)?.metadata()["format"], "pt");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn save_file(
    path: impl AsRef<Path>,
    tensors: &[Tensor<'_>],
    metadata: &BTreeMap<String, String>,
) -> Result<()> {
    let path = path.as_ref();
    check_names(tensors)?;
    let mut stored = Vec::new();
    for tensor in tensors {
        stored.push((dtype_of(tensor)?, tensor));
    }
    stored.sort_by(|(left, a), (right, b)| right.cmp(left).then_with(|| a.name().cmp(b.name())));
    let mut rows = Vec::new();
    for (dtype, tensor) in &stored {
        let (name, shape, bytes) = (tensor.name(), tensor.dims().to_vec(), bytes_of(tensor)?);
        rows.push(Row { name, dtype: *dtype, shape, bytes });
    }
    let header = header(&rows, metadata)?;
    let mut failed = None;
    let written = files::replace_with(path, &mut |file: &mut dyn Write| {
        file.write_all(&header)?;
        for (_, tensor) in &stored {
            write_tensor(tensor, file).map_err(|e| {
                let shown = io::Error::other(e.to_string());
                failed = Some(e);
                shown
            })?;
        }
        Ok(())
    });
    failed.map_or(written, Err)
}

/// Checks that the names are each other's, and may stand in a file.
pub(crate) fn check_names(tensors: &[Tensor<'_>]) -> Result<()> {
    let mut names: Vec<&str> = tensors.iter().map(Tensor::name).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Error::input(format!("two tensors are called {}", pair[0])));
    }
    match names.contains(&METADATA) {
        true => Err(Error::input(format!(
            "a tensor is called {METADATA}, a name that the format keeps for itself"
        ))),
        false => Ok(()),
    }
}

/// The bytes that a tensor takes in a file.
pub(crate) fn bytes_of(tensor: &Tensor<'_>) -> Result<usize> {
    match tensor.encoding() {
        TensorEncoding::Halves(dtype) if tensor.dtype == Some(dtype) => Ok(tensor.bytes.len()),
        _ => tensor.ty()?.bytes(),
    }
}

fn write_tensor(tensor: &Tensor<'_>, file: &mut dyn Write) -> Result<()> {
    match (tensor.encoding(), tensor.stored()) {
        (TensorEncoding::Halves(dtype), Some(bytes)) if tensor.dtype == Some(dtype) => file
            .write_all(bytes)
            .map_err(|e| Error::environment(format!("cannot write the tensor {}: {e}", tensor.name()))),
        _ => tensor.write_to(file),
    }
}

fn dtype_of(tensor: &Tensor<'_>) -> Result<Dtype> {
    let ty = tensor.ty()?;
    if tensor.encoding() == TensorEncoding::Halves(DType::F4E2M1FN) && ty.dtype() == DType::F4E2M1FN {
        return Ok(Dtype::F4);
    }
    stored(ty.dtype()).ok_or_else(|| {
        Error::input(format!("{} is {ty}, which safetensors files do not have", tensor.name()))
            .help("convert it with to(DType), or store its bits")
    })
}

/// The element types of the format and their names in its files.
const TYPES: [(Dtype, DType, &str); 19] = [
    (Dtype::BOOL, DType::Bool, "BOOL"),
    (Dtype::I8, DType::I8, "I8"),
    (Dtype::I16, DType::I16, "I16"),
    (Dtype::I32, DType::I32, "I32"),
    (Dtype::I64, DType::I64, "I64"),
    (Dtype::U8, DType::U8, "U8"),
    (Dtype::U16, DType::U16, "U16"),
    (Dtype::U32, DType::U32, "U32"),
    (Dtype::U64, DType::U64, "U64"),
    (Dtype::BF16, DType::BF16, "BF16"),
    (Dtype::F16, DType::F16, "F16"),
    (Dtype::F32, DType::F32, "F32"),
    (Dtype::F64, DType::F64, "F64"),
    (Dtype::C64, DType::C64, "C64"),
    (Dtype::F8_E4M3, DType::F8E4M3FN, "F8_E4M3"),
    (Dtype::F8_E4M3FNUZ, DType::F8E4M3FNUZ, "F8_E4M3FNUZ"),
    (Dtype::F8_E5M2, DType::F8E5M2, "F8_E5M2"),
    (Dtype::F8_E5M2FNUZ, DType::F8E5M2FNUZ, "F8_E5M2FNUZ"),
    (Dtype::F8_E8M0, DType::F8E8M0FNU, "F8_E8M0"),
];

/// The element type that the format stores a dtype as, if it has one for elements that take whole bytes.
///
/// ```
/// use jarrah_base::DType;
/// use jarrah_formats::safetensors::{Dtype, element, stored};
/// assert_eq!((stored(DType::BF16), element(Dtype::BF16)), (Some(Dtype::BF16), Some(DType::BF16)));
/// assert_eq!((stored(DType::I4), element(Dtype::F4)), (None, None));
/// ```
pub fn stored(dtype: DType) -> Option<Dtype> {
    TYPES.iter().find(|(_, ours, _)| *ours == dtype).map(|(stored, ..)| *stored)
}

/// The dtype of an element type of the format, if there is one here: see [`stored`].
pub fn element(dtype: Dtype) -> Option<DType> {
    TYPES.iter().find(|(stored, ..)| *stored == dtype).map(|(_, ours, _)| *ours)
}

fn dtype_name(dtype: Dtype) -> &'static str {
    TYPES.iter().find(|(stored, ..)| *stored == dtype).map_or("F4", |(.., name)| name)
}

/// A tensor of a file that is to be written.
pub struct Row<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its element type.
    pub dtype: Dtype,
    /// Its extents.
    pub shape: Vec<usize>,
    /// The bytes that it takes.
    pub bytes: usize,
}

/// The head of a file of these tensors, behind which their bytes follow in the order of the rows, without gaps: the length of the header, the
/// header, and spaces up to a multiple of eight bytes. `metadata` are texts beside the tensors.
///
/// # Errors
/// Two tensors have one name, or one has the name that the format keeps for itself; the tensors are too many for the format (`Input`).
pub fn header(rows: &[Row<'_>], metadata: &BTreeMap<String, String>) -> Result<Vec<u8>> {
    framed(&described(rows, metadata)?)
}

/// The header of a file of these tensors, as JSON.
///
/// # Errors
/// As [`header`], but for the length.
pub fn described(rows: &[Row<'_>], metadata: &BTreeMap<String, String>) -> Result<Map<String, Value>> {
    let mut all = Map::new();
    if !metadata.is_empty() {
        all.insert(METADATA.to_owned(), json!(metadata));
    }
    let mut end = 0;
    for row in rows {
        let start = end;
        end += row.bytes;
        let about = json!({"dtype": dtype_name(row.dtype), "shape": row.shape, "data_offsets": [start, end]});
        if row.name == METADATA {
            return Err(Error::input(format!(
                "a tensor is called {METADATA}, a name that the format keeps for itself"
            )));
        }
        if all.insert(row.name.to_owned(), about).is_some() {
            return Err(Error::input(format!("two tensors are called {}", row.name)));
        }
    }
    Ok(all)
}

/// A header with its length before it and spaces behind it: see [`header`].
///
/// # Errors
/// It is longer than readers accept (`Input`).
pub fn framed(described: &Map<String, Value>) -> Result<Vec<u8>> {
    let text = serde_json::to_vec(described).map_err(|e| Error::internal(e.to_string()))?;
    let length = text.len().next_multiple_of(8);
    if length > LONGEST_HEADER {
        let count = described.len();
        return Err(
            Error::input(format!("{count} tensors are too many for one file")).help("write them in shards")
        );
    }
    let mut head = (length as u64).to_le_bytes().to_vec();
    head.extend(text);
    head.resize(size_of::<u64>() + length, b' ');
    Ok(head)
}

fn encoding(dtype: Dtype) -> Option<TensorEncoding> {
    match dtype {
        Dtype::F4 => Some(TensorEncoding::Halves(DType::F4E2M1FN)),
        Dtype::F6_E2M3 => Some(TensorEncoding::Unread("F6_E2M3", 4, 3)),
        Dtype::F6_E3M2 => Some(TensorEncoding::Unread("F6_E3M2", 4, 3)),
        _ => element(dtype).map(TensorEncoding::Plain),
    }
}
