use std::collections::BTreeMap;

use jarrah_base::{DType, Error, Literal, Result, Type, c128};
use rmp::encode;

use super::budget::PathBudget;
use super::item::{Item, Items, wrong};
use crate::element::{dtype_of, name_of};

/// The key that a map of chunks has.
pub(crate) const CHUNKED: &str = "__msgpack_chunked_array__";

// The extension types of Flax: arrays, complex numbers, and scalars of NumPy.
pub(crate) const ARRAY: i8 = 1;
pub(crate) const COMPLEX: i8 = 2;
pub(crate) const SCALAR: i8 = 3;

/// How deep maps and lists may stand in each other.
const DEPTH: usize = 200;

/// The most axes that arrays of NumPy have.
const AXES: usize = 64;

/// The name of a dtype in files, if there is one: elements of fewer than eight bits have none.
pub(crate) fn flax_name(dtype: DType) -> Option<&'static str> {
    name_of(dtype).filter(|_| dtype.bits() >= 8 || dtype == DType::Bool)
}

/// A node of a tree that `flax.serialization` writes: an array, or more nodes by name.
#[derive(Clone, Debug)]
pub enum FlaxNode {
    /// An array.
    Array(Literal),
    /// Nodes by name.
    Map(BTreeMap<String, FlaxNode>),
}

/// The arrays in a file of `flax.serialization`, with the keys of their paths in the order of the file. Numbers are scalars, positions in lists
/// are keys, and what is nothing is left out.
///
/// # Errors
/// The bytes are no MessagePack, end too early or late, or hold what is no array, such as a text: an error that says where; the paths of
/// all arrays together are too long for a file of this length (`Input`).
///
/// ```
/// use jarrah_formats::msgpack::read_flax;
/// // {"a": [true, nil]}
/// let leaves = read_flax(&[0x81, 0xa1, b'a', 0x92, 0xc3, 0xc0])?;
/// assert_eq!(leaves[0].0, ["a", "0"]);
/// assert_eq!(leaves[0].1.to_f64_vec(), [1.0]);
/// assert_eq!(leaves.len(), 1);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn read_flax(bytes: &[u8]) -> Result<Vec<(Vec<String>, Literal)>> {
    let mut walk = Walk {
        items: Items::new(bytes),
        keys: Vec::new(),
        leaves: Vec::new(),
        budget: PathBudget::new(bytes.len()),
    };
    walk.node()?;
    walk.items.finish()?;
    Ok(walk.leaves)
}

struct Walk<'a> {
    items: Items<'a>,
    keys: Vec<String>,
    leaves: Vec<(Vec<String>, Literal)>,
    budget: PathBudget,
}

impl Walk<'_> {
    /// Reads a node and all below it.
    fn node(&mut self) -> Result<()> {
        let start = self.items.position();
        if self.keys.len() > DEPTH {
            return Err(wrong(format!("values stand in each other {DEPTH} deep at byte {start}")));
        }
        let array = match self.items.next()? {
            Item::Nil => return Ok(()),
            Item::Bool(x) => Literal::from_bools(&[], &[x])?,
            Item::Integer(x) => Literal::scalar(x),
            Item::Unsigned(x) => i64::try_from(x).map_or_else(|_| Literal::scalar(x), Literal::scalar),
            Item::Float(x) => Literal::scalar(x),
            Item::Extension(ARRAY | SCALAR, bytes) => PackedArray::read(bytes)?.literal()?,
            Item::Extension(COMPLEX, bytes) => Literal::scalar(complex(bytes)?),
            Item::List(count) => return (0..count).try_for_each(|i| self.child(i.to_string())),
            Item::Map(count) => {
                for _ in 0..count {
                    let key = key(&mut self.items)?;
                    if key == CHUNKED {
                        let array = chunked(&mut self.items, count)?;
                        return self.put(array);
                    }
                    self.child(key)?;
                }
                return Ok(());
            }
            Item::Text(_) | Item::Bytes(_) | Item::Extension(..) => {
                let name = self.keys.join(".");
                return Err(wrong(format!("the value {name} at byte {start} is no array")));
            }
        };
        self.put(array)
    }

    fn put(&mut self, array: Literal) -> Result<()> {
        self.budget.take(self.keys.iter().map(String::len), size_of::<String>())?;
        self.leaves.push((self.keys.clone(), array));
        Ok(())
    }

    fn child(&mut self, key: String) -> Result<()> {
        self.keys.push(key);
        self.node()?;
        self.keys.pop();
        Ok(())
    }
}

/// A key of a map: a text or a number.
fn key(items: &mut Items<'_>) -> Result<String> {
    let start = items.position();
    match items.next()? {
        Item::Integer(n) => Ok(n.to_string()),
        Item::Unsigned(n) => Ok(n.to_string()),
        Item::Text(text) => std::str::from_utf8(text)
            .map(str::to_owned)
            .map_err(|_| wrong(format!("the key at byte {start} is no text in UTF-8"))),
        _ => Err(wrong(format!("the key at byte {start} is neither a text nor a number"))),
    }
}

/// Reads a key that is the number `i`: numbered values of a map stand in order.
fn numbered(items: &mut Items<'_>, i: usize) -> Result<()> {
    let start = items.position();
    match key(items)? == i.to_string() {
        true => Ok(()),
        false => Err(wrong(format!(
            "the key at byte {start} is not {i}, though these values are numbered in order"
        ))),
    }
}

fn extent(items: &mut Items<'_>) -> Result<usize> {
    let start = items.position();
    match items.next()? {
        Item::Integer(n) if n >= 0 => Ok(n as usize),
        Item::Unsigned(n) => Ok(n as usize),
        _ => Err(wrong(format!("byte {start} begins no extent"))),
    }
}

/// Reads the extents of `rank` axes with `next`; more axes than are supported are an error.
fn extents<'a>(
    items: &mut Items<'a>,
    rank: usize,
    next: impl Fn(&mut Items<'a>, usize) -> Result<usize>,
) -> Result<Vec<usize>> {
    if rank > AXES {
        return Err(wrong(format!("an array has {rank} axes, more than {AXES}")));
    }
    (0..rank).map(|i| next(items, i)).collect()
}

/// An array as `[shape, dtype, bytes]`.
pub(crate) struct PackedArray<'a> {
    pub dims: Vec<usize>,
    /// NumPy's name of the dtype.
    pub name: String,
    pub data: &'a [u8],
}

impl<'a> PackedArray<'a> {
    /// # Errors
    /// `bytes` is not such an array.
    pub fn read(bytes: &'a [u8]) -> Result<PackedArray<'a>> {
        let broken = || wrong("an array is not [shape, dtype, bytes]");
        let items = &mut Items::new(bytes);
        let Item::List(3) = items.next()? else { return Err(broken()) };
        let Item::List(rank) = items.next()? else { return Err(broken()) };
        let dims = extents(items, rank, |items, _| extent(items))?;
        let (Item::Text(name) | Item::Bytes(name)) = items.next()? else { return Err(broken()) };
        let name = String::from_utf8_lossy(name).into_owned();
        let (Item::Bytes(data) | Item::Text(data)) = items.next()? else { return Err(broken()) };
        items.finish()?;
        Ok(PackedArray { dims, name, data })
    }

    /// Its value.
    ///
    /// # Errors
    /// There is no such dtype here, or the number of bytes is not that of the shape.
    pub fn literal(&self) -> Result<Literal> {
        let dtype = dtype_of(&self.name).filter(|dtype| flax_name(*dtype).is_some());
        let dtype = dtype.ok_or_else(|| wrong(format!("an array is of dtype {:?}", self.name)))?;
        literal(dtype, &self.dims, self.data)
    }
}

fn literal(dtype: DType, dims: &[usize], data: &[u8]) -> Result<Literal> {
    let count = dims.iter().try_fold(dtype.size(), |all, &extent| all.checked_mul(extent));
    if count != Some(data.len()) {
        return Err(wrong(format!("an array of {dtype} and shape {dims:?} has {} bytes", data.len())));
    }
    match dtype {
        DType::Bool => Literal::from_bools(dims, &data.iter().map(|&byte| byte != 0).collect::<Vec<_>>()),
        _ => Literal::from_bytes(Type::tensor(dtype, dims.iter().copied()), data),
    }
}

/// A pair of floats.
pub(crate) fn complex(bytes: &[u8]) -> Result<c128> {
    let items = &mut Items::new(bytes);
    match (items.next()?, items.next()?, items.next()?, items.is_at_end()) {
        (Item::List(2), Item::Float(re), Item::Float(im), true) => Ok(c128::new(re, im)),
        _ => Err(wrong("a complex number is not a pair of floats")),
    }
}

/// Reads the rest of a map of `count` entries that holds an array in chunks, after the first key: the marker, the shape, and the
/// parts.
pub(crate) fn chunked(items: &mut Items<'_>, count: usize) -> Result<Literal> {
    let broken = || wrong("an array in chunks is not a shape and chunks");
    let (true, Item::Bool(true)) = (count == 3, items.next()?) else { return Err(broken()) };
    let expect = |items: &mut Items<'_>, name: &str| -> Result<usize> {
        match (key(items)?, items.next()?) {
            (own, Item::Map(count)) if own == name => Ok(count),
            _ => Err(broken()),
        }
    };
    let rank = expect(items, "shape")?;
    let dims = extents(items, rank, |items, i| numbered(items, i).and_then(|()| extent(items)))?;
    let parts = expect(items, "chunks")?;
    let (mut dtype, mut data) = (None, Vec::new());
    for i in 0..parts {
        numbered(items, i)?;
        let Item::Extension(ARRAY, bytes) = items.next()? else { return Err(broken()) };
        let part = PackedArray::read(bytes)?.literal()?;
        if dtype.is_some_and(|dtype| dtype != part.dtype()) {
            return Err(wrong("the chunks of an array are of several dtypes"));
        }
        dtype = Some(part.dtype());
        data.extend(part.bytes());
    }
    literal(dtype.ok_or_else(broken)?, &dims, &data)
}

/// The bytes that `flax.serialization.to_bytes` gives for a tree, with arrays of more than `most` bytes in chunks of `most` bytes; Flax itself
/// takes 2^30. Each value has its shortest encoding, as Flax's library chooses it.
///
/// # Errors
/// An array is of a dtype that such files lack, or a value has more than 2^32 - 1 bytes (`Input`).
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_formats::msgpack::{FlaxNode, read_flax, write_flax};
/// let w = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
/// let bytes = write_flax(&FlaxNode::Map([("w".into(), FlaxNode::Array(w.clone()))].into()), 1 << 30)?;
/// assert_eq!(read_flax(&bytes)?, [(vec!["w".to_string()], w)]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn write_flax(tree: &FlaxNode, most: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write_node(&mut bytes, tree, most)?;
    Ok(bytes)
}

fn write_node(out: &mut Vec<u8>, node: &FlaxNode, most: usize) -> Result<()> {
    match node {
        FlaxNode::Array(x) => write_array(out, x, most),
        FlaxNode::Map(entries) => {
            map(out, entries.len())?;
            for (name, node) in entries {
                text(out, name)?;
                write_node(out, node, most)?;
            }
            Ok(())
        }
    }
}

/// The number of parts of a value, which has 32 bits in files.
fn count(parts: usize) -> Result<u32> {
    u32::try_from(parts).map_err(|_| wrong(format!("{parts} bytes in one value of MessagePack")))
}

/// `written` in a vector, which fails only for want of memory.
fn sure<T, E: std::fmt::Display>(written: Result<T, E>) -> Result<()> {
    written.map(drop).map_err(|e| wrong(format!("the value cannot be written: {e}")))
}

fn map(out: &mut Vec<u8>, entries: usize) -> Result<()> {
    sure(encode::write_map_len(out, count(entries)?))
}

fn text(out: &mut Vec<u8>, text: &str) -> Result<()> {
    count(text.len())?;
    sure(encode::write_str(out, text))
}

fn number(out: &mut Vec<u8>, n: usize) -> Result<()> {
    sure(encode::write_uint(out, n as u64))
}

/// Elements as `[shape, dtype, bytes]`.
fn write_elements(out: &mut Vec<u8>, dims: &[usize], dtype: &str, bytes: &[u8]) -> Result<()> {
    let mut packed = Vec::with_capacity(bytes.len() + 64);
    sure(encode::write_array_len(&mut packed, 3))?;
    sure(encode::write_array_len(&mut packed, count(dims.len())?))?;
    for &extent in dims {
        number(&mut packed, extent)?;
    }
    text(&mut packed, dtype)?;
    count(bytes.len())?;
    sure(encode::write_bin(&mut packed, bytes))?;
    sure(encode::write_ext_meta(out, count(packed.len())?, ARRAY))?;
    out.extend(packed);
    Ok(())
}

/// Writes an array, in chunks if it has more than `most` bytes.
fn write_array(out: &mut Vec<u8>, literal: &Literal, most: usize) -> Result<()> {
    let (dims, bytes, size) = (literal.dims(), literal.bytes(), literal.dtype().size());
    let Some(name) = flax_name(literal.dtype()) else {
        let error = Error::input(format!("there is no name for {} in such files", literal.dtype()));
        return Err(error.op("msgpack").help("convert the array to another dtype"));
    };
    if bytes.len() <= most {
        return write_elements(out, &dims, name, bytes);
    }
    map(out, 3)?;
    text(out, CHUNKED)?;
    sure(encode::write_bool(out, true))?;
    text(out, "shape")?;
    map(out, dims.len())?;
    for (i, &extent) in dims.iter().enumerate() {
        text(out, &i.to_string())?;
        number(out, extent)?;
    }
    let chunk = (most / size).max(1) * size;
    text(out, "chunks")?;
    map(out, bytes.len().div_ceil(chunk))?;
    for (i, part) in bytes.chunks(chunk).enumerate() {
        text(out, &i.to_string())?;
        write_elements(out, &[part.len() / size], name, part)?;
    }
    Ok(())
}
