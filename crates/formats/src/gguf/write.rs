use std::io::{self, Write};
use std::path::Path;

use jarrah_base::{DType, Error, Result, files};

use super::{ALIGNMENT, DEFAULT_ALIGNMENT, GgufField, GgufFields, MAGIC, TYPES};
use crate::blocks;
use crate::encoding::{BlockType, TensorEncoding};
use crate::safetensors::check_names;
use crate::tensor::Tensor;

const VERSION: u32 = 3;

/// How tensors of floats are stored in a GGUF file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(non_camel_case_types, reason = "the names that llama.cpp has for them")]
pub enum GgufStore {
    /// As they are: `F32`, `F16`, `BF16` and the like, or the blocks that they are stored in.
    AsIs,
    /// Matrices as `F32`, vectors too.
    F32,
    /// Matrices as `F16`, vectors as `F32`.
    F16,
    /// Matrices as `BF16`, vectors as `F32`.
    BF16,
    /// Matrices of whole blocks as `Q8_0`, vectors as `F32`, other matrices as `F16`.
    Q8_0,
    /// Matrices of whole blocks as `Q4_0`, vectors as `F32`, other matrices as `F16`.
    Q4_0,
}

impl GgufStore {
    /// The encoding in which a tensor is stored: rows of matrices are divided into blocks; vectors, such as norms and biases,
    /// stay exact.
    fn encoding(self, tensor: &Tensor<'_>) -> Result<TensorEncoding> {
        let blocks = |block: BlockType| match tensor.dims().last() {
            Some(row) if row % TensorEncoding::Blocks(block).block().0 == 0 => TensorEncoding::Blocks(block),
            _ => TensorEncoding::Plain(DType::F16),
        };
        let encoding = tensor.encoding();
        let whole = tensor.strides.is_none() && tensor.dtype == encoding.dtype();
        if self == GgufStore::AsIs && whole {
            return Ok(encoding);
        }
        let ty = tensor.ty()?;
        Ok(match self {
            _ if !ty.dtype().is_float() => TensorEncoding::Plain(ty.dtype()),
            GgufStore::AsIs => TensorEncoding::Plain(ty.dtype()),
            _ if tensor.dims().len() < 2 => TensorEncoding::Plain(DType::F32),
            GgufStore::F32 => TensorEncoding::Plain(DType::F32),
            GgufStore::F16 => TensorEncoding::Plain(DType::F16),
            GgufStore::BF16 => TensorEncoding::Plain(DType::BF16),
            GgufStore::Q8_0 => blocks(BlockType::Q8_0),
            GgufStore::Q4_0 => blocks(BlockType::Q4_0),
        })
    }
}

/// Writes the GGUF file `path` of these fields and tensors, at once and whole. `general.alignment` is 32 where the fields do
/// not say it; the names of tensors and fields are the caller's, who knows the architecture.
///
/// A block of `Q8_0` has the scale max |x| / 127 and the codes nearest to x / scale; one of `Q4_0` the scale m / -8, where m is
/// the first x of the largest magnitude, and the codes trunc(x / scale + 8.5).
///
/// # Errors
/// Two tensors have one name; a tensor has more than four axes, or elements that the format lacks (`Input`); the disk refuses.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_formats::{GgufField, GgufFields, GgufStore, Tensor, Tensors, save_gguf};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("w.gguf");
/// let value = Literal::from_slice(&[1, 32], &std::array::from_fn::<f32, 32, _>(|i| i as f32))?;
/// let fields = GgufFields(vec![("general.architecture".into(), GgufField::from("llama"))]);
/// save_gguf(&path, &fields, &[Tensor::of("output.weight", &value)], GgufStore::Q8_0)?;
/// let tensors = Tensors::open(&path)?;
/// assert_eq!(tensors.get("output.weight")?.encoding().to_string(), "Q8_0");
/// assert_eq!(tensors.get("output.weight")?.literal()?.get_f64(31).round(), 31.0);
/// assert_eq!(tensors.fields().get("general.architecture").unwrap().as_str(), Some("llama"));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `gguf-py` of llama.cpp, `gguf_writer.py` and `quants.py`.
pub fn save_gguf(
    path: impl AsRef<Path>,
    fields: &GgufFields,
    tensors: &[Tensor<'_>],
    store: GgufStore,
) -> Result<()> {
    let path = path.as_ref();
    check_names(tensors)?;
    let alignment = fields.get(ALIGNMENT).map_or(Some(DEFAULT_ALIGNMENT), GgufField::as_usize);
    let alignment = alignment
        .filter(|a| a.is_power_of_two())
        .ok_or_else(|| Error::input(format!("{ALIGNMENT} is no power of two")).op("gguf"))?;
    let mut header = Vec::new();
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend((tensors.len() as u64).to_le_bytes());
    header.extend((fields.0.len() as u64).to_le_bytes());
    for (name, field) in &fields.0 {
        text(&mut header, name);
        header.extend(field.kind().to_le_bytes());
        value(&mut header, field).map_err(|e| e.context(format!("in the field {name}")))?;
    }
    let mut placed = Vec::new();
    let mut at = 0usize;
    for tensor in tensors {
        let encoding = store.encoding(tensor)?;
        let number = TYPES.iter().find_map(|&(number, known)| (known == encoding).then_some(number));
        let (Some(number), Some(bytes), 0..=4) = (number, encoding.bytes(tensor.dims()), tensor.dims().len())
        else {
            let message = format!("{tensor} cannot be stored in a GGUF file");
            return Err(Error::input(message)
                .op("gguf")
                .help("it has at most four axes, and floats or signed integers"));
        };
        text(&mut header, tensor.name());
        header.extend((tensor.dims().len() as u32).to_le_bytes());
        header.extend(tensor.dims().iter().rev().flat_map(|&dim| (dim as u64).to_le_bytes()));
        header.extend(number.to_le_bytes());
        header.extend((at as u64).to_le_bytes());
        let padded = bytes.next_multiple_of(alignment);
        placed.push((tensor, encoding, padded - bytes));
        at += padded;
    }
    header.resize(header.len().next_multiple_of(alignment), 0);
    let mut failed = None;
    let written = files::replace_with(path, &mut |file: &mut dyn Write| {
        file.write_all(&header)?;
        for &(tensor, encoding, padding) in &placed {
            elements(tensor, encoding, file).map_err(|e| {
                let shown = io::Error::other(e.to_string());
                failed = Some(e);
                shown
            })?;
            file.write_all(&vec![0; padding])?;
        }
        Ok(())
    });
    failed.map_or(written, Err)
}

fn elements(tensor: &Tensor<'_>, encoding: TensorEncoding, file: &mut dyn Write) -> Result<()> {
    let mut put = |bytes: &[u8]| {
        file.write_all(bytes).map_err(|e| Error::environment(format!("cannot write {}: {e}", tensor.name())))
    };
    if let (true, Some(bytes)) = (encoding == tensor.encoding(), tensor.stored()) {
        return put(bytes);
    }
    let block = match encoding {
        TensorEncoding::Blocks(block) => block,
        TensorEncoding::Plain(dtype) => return tensor.clone().to(dtype)?.write_to(file),
        _ => return Err(Error::internal(format!("{encoding} is not written"))),
    };
    let (count, bytes) = encoding.block();
    // Stretches are whole blocks, since rows are.
    tensor.clone().to(DType::F32)?.stretches(&mut |stretch| {
        let mut out = Vec::with_capacity(stretch.len() / 4 / count * bytes);
        for part in stretch.chunks_exact(4 * count) {
            let numbers: Vec<f32> = part.as_chunks().0.iter().map(|&x| f32::from_le_bytes(x)).collect();
            let at = out.len();
            out.resize(at + bytes, 0);
            match block {
                BlockType::Q8_0 => blocks::encode_q8_0(&numbers, &mut out[at..]),
                _ => blocks::encode_q4_0(&numbers, &mut out[at..]),
            }
        }
        put(&out)
    })
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

fn value(out: &mut Vec<u8>, field: &GgufField) -> Result<()> {
    match field {
        GgufField::U8(x) => out.push(*x),
        GgufField::I8(x) => out.extend(x.to_le_bytes()),
        GgufField::U16(x) => out.extend(x.to_le_bytes()),
        GgufField::I16(x) => out.extend(x.to_le_bytes()),
        GgufField::U32(x) => out.extend(x.to_le_bytes()),
        GgufField::I32(x) => out.extend(x.to_le_bytes()),
        GgufField::F32(x) => out.extend(x.to_le_bytes()),
        GgufField::Bool(x) => out.push(u8::from(*x)),
        GgufField::Text(x) => text(out, x),
        GgufField::U64(x) => out.extend(x.to_le_bytes()),
        GgufField::I64(x) => out.extend(x.to_le_bytes()),
        GgufField::F64(x) => out.extend(x.to_le_bytes()),
        GgufField::Array(kind, fields) => {
            out.extend(kind.to_le_bytes());
            out.extend((fields.len() as u64).to_le_bytes());
            for field in fields {
                if field.kind() != *kind {
                    return Err(Error::input("an array has fields of several kinds").op("gguf"));
                }
                value(out, field)?;
            }
        }
    }
    Ok(())
}
