//! The file `checkpoint`, in which Orbax before OCDBT kept the structure of a tree and its small values, in MessagePack.
//!
//! Source: Orbax's `msgpack_utils.py` and `aggregate_handlers.py`; the specification of MessagePack.

use jarrah_base::{DType, Result};
use serde_json::Value;

use super::array::ZarrArray;
use super::chunk::{Codecs, Layout, elements};
use super::element::dtype_of;
use super::input::Input;
use super::key::{DEPTH, OrbaxKey};
use super::wrong;

/// The name of the file.
pub(super) const FILE: &str = "checkpoint";

/// Names of leaves may have this many times the file's bytes together, and [`SPARE`] more.
const RATIO: usize = 64;
const SPARE: usize = 1 << 20;

/// The value of a leaf, or of an empty node, in the file.
pub(super) enum Packed {
    /// The array lies in a folder of its own.
    Elsewhere,
    /// An empty node, by Orbax's name of its type.
    Empty(&'static str),
    Text(String),
    /// An array, its elements in row-major order, and whether it is a number.
    Array(Box<ZarrArray>, Vec<u8>, bool),
}

/// The leaves of the file, with their paths.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<(Vec<OrbaxKey>, Packed)>> {
    let mut walk = Walk {
        keys: Vec::new(),
        leaves: Vec::new(),
        left: bytes.len().saturating_mul(RATIO).saturating_add(SPARE),
    };
    let mut input = Input::new(bytes, "file of MessagePack");
    walk.node(&mut input)?;
    input.finish()?;
    Ok(walk.leaves)
}

struct Walk {
    keys: Vec<OrbaxKey>,
    leaves: Vec<(Vec<OrbaxKey>, Packed)>,
    /// The bytes that names may still have.
    left: usize,
}

/// An item of MessagePack, up to the items in it.
enum Item<'a> {
    Nil,
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(&'a [u8]),
    Bytes(&'a [u8]),
    List(usize),
    Map(usize),
    Extension(u8, &'a [u8]),
}

fn item<'a>(input: &mut Input<'a>) -> Result<Item<'a>> {
    let first = input.byte()?;
    Ok(match first {
        0x00..=0x7f => Item::Integer(i128::from(first)),
        0x80..=0x8f => Item::Map(usize::from(first & 15)),
        0x90..=0x9f => Item::List(usize::from(first & 15)),
        0xa0..=0xbf => Item::Text(input.take(usize::from(first & 31))?),
        0xc0 => Item::Nil,
        0xc1 => return Err(wrong("the file of MessagePack has the byte c1, which begins no item")),
        0xc2 | 0xc3 => Item::Bool(first == 0xc3),
        0xc4..=0xc6 => {
            let length = length(input, 1 << (first - 0xc4))?;
            Item::Bytes(input.take(length)?)
        }
        0xc7..=0xc9 => {
            let length = length(input, 1 << (first - 0xc7))?;
            Item::Extension(input.byte()?, input.take(length)?)
        }
        0xca => Item::Float(f64::from(f32::from_bits(number(input, 4)? as u32))),
        0xcb => Item::Float(f64::from_bits(number(input, 8)?)),
        0xcc..=0xcf => Item::Integer(i128::from(number(input, 1 << (first - 0xcc))?)),
        0xd0..=0xd3 => {
            let width = 1usize << (first - 0xd0);
            let unused = 64 - 8 * width as u32;
            Item::Integer(i128::from((number(input, width)? << unused) as i64 >> unused))
        }
        0xd4..=0xd8 => Item::Extension(input.byte()?, input.take(1 << (first - 0xd4))?),
        0xd9..=0xdb => {
            let length = length(input, 1 << (first - 0xd9))?;
            Item::Text(input.take(length)?)
        }
        0xdc | 0xdd => Item::List(length(input, 2 << (first - 0xdc))?),
        0xde | 0xdf => Item::Map(length(input, 2 << (first - 0xde))?),
        0xe0..=0xff => Item::Integer(i128::from(first as i8)),
    })
}

/// A number of `width` bytes, the highest first.
fn number(input: &mut Input<'_>, width: usize) -> Result<u64> {
    Ok(input.take(width)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn length(input: &mut Input<'_>, width: usize) -> Result<usize> {
    Ok(usize::try_from(number(input, width)?).unwrap_or(usize::MAX))
}

fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| wrong("a text of the file of MessagePack is not of UTF-8"))
}

impl Walk {
    fn put(&mut self, value: Packed) -> Result<()> {
        let name = self.keys.iter().map(|key| match key {
            OrbaxKey::Name(name) => name.len() + size_of::<OrbaxKey>(),
            OrbaxKey::Index(_) => size_of::<OrbaxKey>(),
        });
        let left = self.left.checked_sub(name.sum());
        self.left = left.ok_or_else(|| wrong("the names of the leaves are longer than their file allows"))?;
        self.leaves.push((self.keys.clone(), value));
        Ok(())
    }

    /// Reads a node and all below it.
    fn node(&mut self, input: &mut Input<'_>) -> Result<()> {
        if self.keys.len() > DEPTH {
            return Err(wrong(format!("the tree is deeper than {DEPTH}")));
        }
        match item(input)? {
            Item::Nil => self.put(Packed::Empty("None")),
            Item::Bool(value) => self.scalar(DType::Bool, "bool", vec![u8::from(value)]),
            Item::Integer(value) => match i64::try_from(value) {
                Ok(value) => self.scalar(DType::I64, "int64", value.to_le_bytes().into()),
                Err(_) => self.scalar(DType::U64, "uint64", (value as u64).to_le_bytes().into()),
            },
            Item::Float(value) => self.scalar(DType::F64, "float64", value.to_le_bytes().into()),
            Item::Text(value) => {
                let value = text(value)?;
                let elsewhere =
                    ["PLACEHOLDER://", "AGGREGATED://"].iter().any(|start| value.starts_with(start));
                self.put(if elsewhere { Packed::Elsewhere } else { Packed::Text(value.to_owned()) })
            }
            Item::Bytes(_) => {
                Err(wrong("the file of MessagePack has a leaf of bytes, which is not read here"))
            }
            Item::List(count) => self.list(input, count, "List"),
            Item::Map(0) => self.put(Packed::Empty("Dict")),
            Item::Map(count) => {
                for _ in 0..count {
                    let key = match item(input)? {
                        Item::Text(key) => text(key)?.to_owned(),
                        Item::Integer(key) => key.to_string(),
                        _ => return Err(wrong("a key of the file of MessagePack is no text")),
                    };
                    if key == "__msgpack_chunked_array__" {
                        return Err(wrong(
                            "an array of more than a gibibyte lies in the file of MessagePack, which is not read here",
                        ));
                    }
                    self.keys.push(OrbaxKey::Name(key));
                    self.node(input)?;
                    self.keys.pop();
                }
                Ok(())
            }
            Item::Extension(code, bytes) => self.extension(code, bytes),
        }
    }

    fn list(&mut self, input: &mut Input<'_>, count: usize, empty: &'static str) -> Result<()> {
        if count == 0 {
            return self.put(Packed::Empty(empty));
        }
        for i in 0..count {
            self.keys.push(OrbaxKey::Index(i));
            self.node(input)?;
            self.keys.pop();
        }
        Ok(())
    }

    /// Orbax's own items: an array (1), a complex number (2), a number of NumPy (3) and a tuple (4).
    fn extension(&mut self, code: u8, bytes: &[u8]) -> Result<()> {
        let mut input = Input::new(bytes, "item of MessagePack");
        let odd = || wrong(format!("an item {code} of the file of MessagePack is not what Orbax writes"));
        match (code, item(&mut input)?) {
            (1 | 3, Item::List(3)) => {
                let Item::List(rank @ 0..=32) = item(&mut input)? else { return Err(odd()) };
                let mut dims = Vec::new();
                for _ in 0..rank {
                    let Item::Integer(extent) = item(&mut input)? else { return Err(odd()) };
                    dims.push(usize::try_from(extent).map_err(|_| odd())?);
                }
                let (Item::Text(name) | Item::Bytes(name)) = item(&mut input)? else { return Err(odd()) };
                let (Item::Text(data) | Item::Bytes(data)) = item(&mut input)? else { return Err(odd()) };
                let name = text(name)?;
                let array = plain(dims, name, dtype_of(name))?;
                let expected =
                    elements(&array.dims).zip(array.dtype).map(|(n, dtype)| n.checked_mul(dtype.size()));
                if expected.is_some_and(|expected| expected != Some(data.len())) {
                    return Err(odd());
                }
                self.put(Packed::Array(Box::new(array), data.to_vec(), code == 3))?;
            }
            (2, Item::List(2)) => {
                let mut data = Vec::new();
                for _ in 0..2 {
                    let Item::Float(part) = item(&mut input)? else { return Err(odd()) };
                    data.extend(part.to_le_bytes());
                }
                self.scalar(DType::C128, "complex128", data)?;
            }
            (4, Item::List(count)) => self.list(&mut input, count, "Tuple")?,
            _ => return Err(odd()),
        }
        input.finish()
    }

    fn scalar(&mut self, dtype: DType, name: &str, bytes: Vec<u8>) -> Result<()> {
        let array = plain(Vec::new(), name, Some(dtype))?;
        self.put(Packed::Array(Box::new(array), bytes, true))
    }
}

/// The description of an array of one chunk, which is all of it.
fn plain(dims: Vec<usize>, name: &str, dtype: Option<DType>) -> Result<ZarrArray> {
    let codecs = Codecs {
        axes: (0..dims.len()).collect(),
        layout: Layout::Elements { little_endian: true },
        bytes: Vec::new(),
    };
    ZarrArray {
        chunk: dims.iter().map(|extent| (*extent).max(1)).collect(),
        dims,
        type_name: name.to_owned(),
        dtype,
        fill: Value::Null,
        codecs,
        prefix: "",
        separator: '.',
    }
    .checked()
}
