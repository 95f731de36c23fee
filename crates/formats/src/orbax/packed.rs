//! The file `checkpoint`, in which Orbax before OCDBT kept the structure of a tree and its small values, in MessagePack.
//!
//! Source: Orbax's `msgpack_utils.py` and `aggregate_handlers.py`; the specification of MessagePack.

use jarrah_base::{DType, Result};
use serde_json::Value;

use super::array::ZarrArray;
use super::chunk::{Codecs, Layout, elements};
use super::key::{DEPTH, OrbaxKey};
use super::wrong;
use crate::element::dtype_of;
use crate::msgpack::{
    ARRAY, CHUNKED, COMPLEX, Item, Items, PackedArray, PathBudget, SCALAR, chunked, complex, flax_name,
};

/// The name of the file.
pub(super) const FILE: &str = "checkpoint";

/// The extension type of a tuple.
const TUPLE: i8 = 4;

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
    let mut walk = Walk { keys: Vec::new(), leaves: Vec::new(), budget: PathBudget::new(bytes.len()) };
    let mut items = Items::new(bytes);
    walk.node(&mut items)?;
    items.finish()?;
    Ok(walk.leaves)
}

struct Walk {
    keys: Vec<OrbaxKey>,
    leaves: Vec<(Vec<OrbaxKey>, Packed)>,
    budget: PathBudget,
}

fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| wrong("a text of the file of MessagePack is not of UTF-8"))
}

impl Walk {
    fn put(&mut self, value: Packed) -> Result<()> {
        let texts = self.keys.iter().map(|key| match key {
            OrbaxKey::Name(name) => name.len(),
            OrbaxKey::Index(_) => 0,
        });
        self.budget.take(texts, size_of::<OrbaxKey>())?;
        self.leaves.push((self.keys.clone(), value));
        Ok(())
    }

    /// Reads a node and all below it.
    fn node(&mut self, items: &mut Items<'_>) -> Result<()> {
        if self.keys.len() > DEPTH {
            return Err(wrong(format!("the tree is deeper than {DEPTH}")));
        }
        match items.next()? {
            Item::Nil => self.put(Packed::Empty("None")),
            Item::Bool(value) => self.scalar(DType::Bool, "bool", vec![u8::from(value)]),
            Item::Integer(value) => self.scalar(DType::I64, "int64", value.to_le_bytes().into()),
            Item::Unsigned(value) => match i64::try_from(value) {
                Ok(value) => self.scalar(DType::I64, "int64", value.to_le_bytes().into()),
                Err(_) => self.scalar(DType::U64, "uint64", value.to_le_bytes().into()),
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
            Item::List(count) => self.list(items, count, "List"),
            Item::Map(0) => self.put(Packed::Empty("Dict")),
            Item::Map(count) => {
                for _ in 0..count {
                    let key = match items.next()? {
                        Item::Text(key) => text(key)?.to_owned(),
                        Item::Integer(key) => key.to_string(),
                        Item::Unsigned(key) => key.to_string(),
                        _ => return Err(wrong("a key of the file of MessagePack is no text")),
                    };
                    if key == CHUNKED {
                        let whole = chunked(items, count)?;
                        let name = flax_name(whole.dtype()).unwrap_or_default();
                        let array = plain(whole.dims(), name, Some(whole.dtype()))?;
                        return self.put(Packed::Array(Box::new(array), whole.bytes().to_vec(), false));
                    }
                    self.keys.push(OrbaxKey::Name(key));
                    self.node(items)?;
                    self.keys.pop();
                }
                Ok(())
            }
            Item::Extension(code, bytes) => self.extension(code, bytes),
        }
    }

    fn list(&mut self, items: &mut Items<'_>, count: usize, empty: &'static str) -> Result<()> {
        if count == 0 {
            return self.put(Packed::Empty(empty));
        }
        for i in 0..count {
            self.keys.push(OrbaxKey::Index(i));
            self.node(items)?;
            self.keys.pop();
        }
        Ok(())
    }

    /// An item of an extension type: those of Flax, and a tuple of Orbax.
    fn extension(&mut self, code: i8, bytes: &[u8]) -> Result<()> {
        let odd = || wrong(format!("an item {code} of the file of MessagePack is not what Orbax writes"));
        match code {
            ARRAY | SCALAR => {
                let PackedArray { dims, name, data } = PackedArray::read(bytes)?;
                let array = plain(dims, &name, dtype_of(&name))?;
                let expected =
                    elements(&array.dims).zip(array.dtype).map(|(n, dtype)| n.checked_mul(dtype.size()));
                if expected.is_some_and(|expected| expected != Some(data.len())) {
                    return Err(odd());
                }
                self.put(Packed::Array(Box::new(array), data.to_vec(), code == SCALAR))
            }
            COMPLEX => {
                let value = complex(bytes)?;
                let data = [value.re.to_le_bytes(), value.im.to_le_bytes()].concat();
                self.scalar(DType::C128, "complex128", data)
            }
            TUPLE => {
                let mut items = Items::new(bytes);
                let Item::List(count) = items.next()? else { return Err(odd()) };
                self.list(&mut items, count, "Tuple")?;
                items.finish()
            }
            _ => Err(odd()),
        }
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
