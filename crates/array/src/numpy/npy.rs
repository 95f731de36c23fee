//! Single arrays as NumPy's `.npy` files.

use std::path::Path;

use jarrah_base::{DType, Error, Literal, Result, Type, elements, files};

use crate::array::Array;
use crate::lax;

/// What every file begins with; the version follows.
const MAGIC: &[u8] = b"\x93NUMPY";

/// NumPy's names of dtypes, without the mark of the byte order.
const NAMES: [(&str, DType); 14] = [
    ("b1", DType::Bool),
    ("i1", DType::I8),
    ("i2", DType::I16),
    ("i4", DType::I32),
    ("i8", DType::I64),
    ("u1", DType::U8),
    ("u2", DType::U16),
    ("u4", DType::U32),
    ("u8", DType::U64),
    ("f2", DType::F16),
    ("f4", DType::F32),
    ("f8", DType::F64),
    ("c8", DType::C64),
    ("c16", DType::C128),
];

/// Writes an array to a `.npy` file, which appears at once and whole in the place of an older one.
///
/// # Errors
/// The disk refuses; the array could not be computed; NumPy has no such dtype: `bf16`, floats of eight bits and less, integers of
/// less than eight bits. [`crate::save`] writes trees of arrays, these dtypes included.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let path = std::env::temp_dir().join(format!("example-{}.npy", std::process::id()));
/// numpy::save(&path, &Array::from_slice(&[1.0f32, 2.0]))?;
/// assert_eq!(numpy::load(&path)?.to_vec::<f32>()?, [1.0, 2.0]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn save(path: impl AsRef<Path>, x: &Array) -> Result<()> {
    let path = path.as_ref();
    let literal = x.to_literal()?;
    let Some((name, _)) = NAMES.iter().find(|(_, dtype)| *dtype == x.dtype()) else {
        let error = Error::input(format!("{}: .npy files have no dtype {}", path.display(), x.dtype()));
        return Err(error.help("convert it with astype, or save it as safetensors"));
    };
    let order = if x.dtype().size() == 1 { '|' } else { '<' };
    let shape: String = x.shape().iter().map(|d| format!("{d}, ")).collect();
    let shape = if x.rank() == 1 { shape.trim_end() } else { shape.trim_end_matches(", ") };
    let mut header = format!("{{'descr': '{order}{name}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The data begin at a multiple of 64 bytes; a line break ends the header.
    let length = (MAGIC.len() + 4 + header.len() + 1).next_multiple_of(64) - MAGIC.len() - 4;
    header.extend(std::iter::repeat_n(' ', length - header.len() - 1));
    header.push('\n');
    let Ok(length) = u16::try_from(length) else {
        return Err(Error::input(format!(
            "{}: {} has too many axes for a .npy file",
            path.display(),
            x.ty()
        )));
    };
    let mut bytes = MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(literal.bytes());
    files::replace(path, &bytes)
}

/// The array in a `.npy` file.
///
/// # Errors
/// The file cannot be read, or is none of this form; its numbers are objects, texts or dates, or stand with the highest byte first.
#[track_caller]
pub fn load(path: impl AsRef<Path>) -> Result<Array> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, &e))?;
    let wrong =
        |what: &str| Error::input(format!("{} is no .npy file that can be read: {what}", path.display()));
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("it does not begin as one"))?;
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (usize::from(u16::from_le_bytes([*a, *b])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err(wrong("its version is unknown")),
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(|| wrong("its header is cut off"))?;
    let header = str::from_utf8(header).map_err(|_| wrong("its header is no text"))?;
    let name = between(header, "'descr': '", "'").ok_or_else(|| wrong("its dtype is no plain one"))?;
    let (order, name) = name.split_at_checked(1).ok_or_else(|| wrong("it has no dtype"))?;
    let dtype = NAMES.iter().find(|(known, _)| *known == name).map(|(_, dtype)| *dtype);
    let dtype = dtype.ok_or_else(|| wrong(&format!("it has the dtype {name}")))?;
    if order == ">" {
        return Err(wrong("its numbers stand with the highest byte first")
            .help("in NumPy: x.astype(x.dtype.newbyteorder('<'))"));
    }
    let shape = between(header, "'shape': (", ")").ok_or_else(|| wrong("it has no shape"))?;
    let extents = shape.split(',').map(str::trim).filter(|extent| !extent.is_empty());
    let shape: Vec<usize> = extents
        .map(|extent| extent.parse().map_err(|_| wrong("its shape is none")))
        .collect::<Result<_>>()?;
    let size = elements(&shape)?.checked_mul(dtype.size()).ok_or_else(|| wrong("it is too large"))?;
    let data =
        data.get(..size).ok_or_else(|| wrong(&format!("{} of its {size} bytes are there", data.len())))?;
    if dtype == DType::Bool && data.iter().any(|&byte| byte > 1) {
        return Err(wrong("a truth value is neither 0 nor 1"));
    }
    let columns_first = between(header, "'fortran_order': ", ",").is_some_and(|order| order.trim() == "True");
    let stored: Vec<usize> = if columns_first { shape.iter().rev().copied().collect() } else { shape };
    let array = Array::from_literal(Literal::from_bytes(Type::tensor(dtype, stored.iter().copied()), data)?);
    let reversed: Vec<usize> = (0..stored.len()).rev().collect();
    Ok(if columns_first { lax::transpose(&array, &reversed) } else { array })
}

/// The text between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(inside, _)| inside)
}
