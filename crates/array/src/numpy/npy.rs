//! Arrays as NumPy's files: single ones as `.npy`, several as `.npz`.

use std::collections::BTreeMap;
use std::io::{BufReader, Cursor, Read, Write};
use std::path::Path;

use jarrah_base::{DType, Error, Literal, Result, Type, elements, files, memory};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::array::Array;
use crate::lax;

/// The first bytes of every file; the version follows.
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
    files::replace(path, &to_bytes(path, x)?)
}

/// The content of a `.npy` file with the array; errors name `path`.
#[track_caller]
fn to_bytes(path: &Path, x: &Array) -> Result<Vec<u8>> {
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
    Ok(bytes)
}

/// The array in a `.npy` file.
///
/// # Errors
/// The file cannot be read, or is no `.npy` file; its elements are objects, texts or dates, or are stored with the highest byte
/// first.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let path = std::env::temp_dir().join(format!("example-load-{}.npy", std::process::id()));
/// numpy::save(&path, &Array::arange(4).reshape(&[2, 2]))?;
/// assert_eq!(numpy::load(&path)?.to_string(), "i32[2,2]\n[[0, 1],\n [2, 3]]");
/// # std::fs::remove_file(&path).unwrap();
/// assert!(numpy::load(&path).is_err());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn load(path: impl AsRef<Path>) -> Result<Array> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|e| Error::io("read", path, &e))?;
    from_bytes(path, &bytes)
}

/// The array in the content of a `.npy` file; errors name `path`.
fn from_bytes(path: &Path, bytes: &[u8]) -> Result<Array> {
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

/// Writes arrays by name to a `.npz` file, which appears at once and whole in the place of an older one.
///
/// # Errors
/// As [`save`]; two arrays have one name.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let path = std::env::temp_dir().join(format!("example-{}.npz", std::process::id()));
/// numpy::savez(&path, [("x", &Array::from_slice(&[1.0f32, 2.0])), ("n", &Array::scalar(3))])?;
/// let arrays = numpy::loadz(&path)?;
/// assert_eq!(arrays["x"].to_vec::<f32>()?, [1.0, 2.0]);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn savez<'a>(
    path: impl AsRef<Path>,
    arrays: impl IntoIterator<Item = (&'a str, &'a Array)>,
) -> Result<()> {
    write_archive(path.as_ref(), arrays, CompressionMethod::Stored)
}

/// As [`savez`], compressed.
///
/// # Errors
/// As [`savez`].
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let path = std::env::temp_dir().join(format!("example-compressed-{}.npz", std::process::id()));
/// numpy::savez_compressed(&path, [("x", &Array::zeros(&[1000]))])?;
/// assert_eq!(numpy::loadz(&path)?["x"].shape(), [1000]);
/// assert!(std::fs::metadata(&path).unwrap().len() < 1000);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn savez_compressed<'a>(
    path: impl AsRef<Path>,
    arrays: impl IntoIterator<Item = (&'a str, &'a Array)>,
) -> Result<()> {
    write_archive(path.as_ref(), arrays, CompressionMethod::Deflated)
}

#[track_caller]
fn write_archive<'a>(
    path: &Path,
    arrays: impl IntoIterator<Item = (&'a str, &'a Array)>,
    method: CompressionMethod,
) -> Result<()> {
    let failed = |name: &str, why: &dyn std::fmt::Display| {
        Error::input(format!("{}: the array {name} cannot be written: {why}", path.display()))
    };
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method).large_file(true);
    for (name, x) in arrays {
        let bytes = to_bytes(path, x)?;
        archive.start_file(format!("{name}.npy"), options).map_err(|error| failed(name, &error))?;
        archive.write_all(&bytes).map_err(|error| failed(name, &error))?;
    }
    let whole = archive.finish().map_err(|error| Error::input(format!("{}: {error}", path.display())))?;
    files::replace(path, &whole.into_inner())
}

/// The arrays in a `.npz` file, compressed or not, by their names.
///
/// # Errors
/// The file cannot be read, or is no `.npz` file; it contains an array that [`load`] cannot read.
///
/// ```
/// use jarrah_array::{Array, numpy};
/// let path = std::env::temp_dir().join(format!("example-loadz-{}.npz", std::process::id()));
/// numpy::savez(&path, [("w", &Array::ones(&[2])), ("b", &Array::scalar(3))])?;
/// let arrays = numpy::loadz(&path)?;
/// # std::fs::remove_file(&path).unwrap();
/// assert_eq!(arrays.keys().collect::<Vec<_>>(), ["b", "w"]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn loadz(path: impl AsRef<Path>) -> Result<BTreeMap<String, Array>> {
    let path = path.as_ref();
    let wrong = |why: &dyn std::fmt::Display| {
        Error::input(format!("{} is no .npz file that can be read: {why}", path.display()))
    };
    let file = std::fs::File::open(path).map_err(|e| Error::io("read", path, &e))?;
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| wrong(&error))?;
    let mut arrays = BTreeMap::new();
    for i in 0..archive.len() {
        let mut entry = archive.by_index(i).map_err(|error| wrong(&error))?;
        let name = entry.name().map_err(|error| wrong(&error))?.into_owned();
        let name = name.strip_suffix(".npy").unwrap_or(&name).to_owned();
        let size = entry.size();
        if memory::limit().is_some_and(|limit| size > limit as u64) {
            return Err(wrong(&format!("{name} has {size} bytes, more than there is memory")));
        }
        let mut bytes = Vec::new();
        entry.by_ref().take(size).read_to_end(&mut bytes).map_err(|error| wrong(&error))?;
        let array =
            from_bytes(path, &bytes).map_err(|error| error.context(format!("while reading {name}")))?;
        arrays.insert(name, array);
    }
    Ok(arrays)
}

/// The text between two marks.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(inside, _)| inside)
}
