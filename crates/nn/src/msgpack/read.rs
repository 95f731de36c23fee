//! Reading of untrusted bytes: every count is checked against the number of bytes left before memory is reserved for it.

use jarrah_array::{Array, DType, Error, Literal, Result, Type, c128};
use jarrah_tree::{Path, PathKey};
use rmp::Marker;

use super::{ARRAY, CHUNKED, COMPLEX, NAMES, SCALAR};
use crate::State;

/// How deep maps and lists may stand in each other.
const DEPTH: usize = 200;

/// The most axes that arrays of NumPy have.
const AXES: usize = 64;

/// A value of MessagePack.
enum Value<'a> {
    None,
    Bool(bool),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'a [u8]),
    Binary(&'a [u8]),
    List(usize),
    Map(usize),
    Extension(i8, &'a [u8]),
}

struct Reader<'a> {
    whole: &'a [u8],
    at: usize,
}

fn wrong(error: impl Into<String>) -> Error {
    Error::input(error).op("from_msgpack").help("give bytes of `flax.serialization` or `State::to_msgpack`")
}

impl<'a> Reader<'a> {
    fn new(whole: &'a [u8]) -> Self {
        Reader { whole, at: 0 }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let left = &self.whole[self.at..];
        let Some(taken) = left.get(..count) else {
            let (at, left) = (self.at, left.len());
            return Err(wrong(format!("{count} bytes are said to follow byte {at}, and {left} do")));
        };
        self.at += count;
        Ok(taken)
    }

    fn unsigned(&mut self, bytes: usize) -> Result<u64> {
        Ok(self.take(bytes)?.iter().fold(0, |n, &byte| n << 8 | u64::from(byte)))
    }

    fn signed(&mut self, bytes: usize) -> Result<i64> {
        let unused = 64 - 8 * bytes as u32;
        Ok((self.unsigned(bytes)? as i64) << unused >> unused)
    }

    /// A number of parts, each of at least one byte.
    fn count(&mut self, bytes: usize, each: usize) -> Result<usize> {
        let count = self.unsigned(bytes)? as usize;
        self.possible(count, each)
    }

    fn possible(&self, count: usize, each: usize) -> Result<usize> {
        let left = self.whole.len() - self.at;
        if count.saturating_mul(each) > left {
            return Err(wrong(format!("byte {} begins {count} values, and {left} bytes follow", self.at)));
        }
        Ok(count)
    }

    fn value(&mut self) -> Result<Value<'a>> {
        use Marker::*;
        let start = self.at;
        let code = self.take(1)?[0];
        Ok(match Marker::from_u8(code) {
            FixPos(n) => Value::Integer(n.into()),
            FixNeg(n) => Value::Integer(n.into()),
            FixMap(count) => Value::Map(self.possible(count.into(), 2)?),
            FixArray(count) => Value::List(self.possible(count.into(), 1)?),
            FixStr(count) => Value::Text(self.take(count.into())?),
            Null => Value::None,
            False => Value::Bool(false),
            True => Value::Bool(true),
            Bin8 => Value::Binary(self.counted(1)?),
            Bin16 => Value::Binary(self.counted(2)?),
            Bin32 => Value::Binary(self.counted(4)?),
            Str8 => Value::Text(self.counted(1)?),
            Str16 => Value::Text(self.counted(2)?),
            Str32 => Value::Text(self.counted(4)?),
            F32 => Value::Float(f32::from_bits(self.unsigned(4)? as u32).into()),
            F64 => Value::Float(f64::from_bits(self.unsigned(8)?)),
            U8 => Value::Unsigned(self.unsigned(1)?),
            U16 => Value::Unsigned(self.unsigned(2)?),
            U32 => Value::Unsigned(self.unsigned(4)?),
            U64 => Value::Unsigned(self.unsigned(8)?),
            I8 => Value::Integer(self.signed(1)?),
            I16 => Value::Integer(self.signed(2)?),
            I32 => Value::Integer(self.signed(4)?),
            I64 => Value::Integer(self.signed(8)?),
            Array16 => Value::List(self.count(2, 1)?),
            Array32 => Value::List(self.count(4, 1)?),
            Map16 => Value::Map(self.count(2, 2)?),
            Map32 => Value::Map(self.count(4, 2)?),
            FixExt1 => self.extension(1)?,
            FixExt2 => self.extension(2)?,
            FixExt4 => self.extension(4)?,
            FixExt8 => self.extension(8)?,
            FixExt16 => self.extension(16)?,
            Ext8 => self.count(1, 1).and_then(|count| self.extension(count))?,
            Ext16 => self.count(2, 1).and_then(|count| self.extension(count))?,
            Ext32 => self.count(4, 1).and_then(|count| self.extension(count))?,
            Reserved => return Err(wrong(format!("byte {start} is {code:#x}, which begins no value"))),
        })
    }

    /// The bytes that a number of `bytes` bytes counts.
    fn counted(&mut self, bytes: usize) -> Result<&'a [u8]> {
        let count = self.count(bytes, 1)?;
        self.take(count)
    }

    fn extension(&mut self, count: usize) -> Result<Value<'a>> {
        let kind = self.take(1)?[0] as i8;
        Ok(Value::Extension(kind, self.take(count)?))
    }
}

/// The value at a path: an array, nothing, or more paths, which are in the state then.
enum Found {
    Array(Array),
    Nothing,
}

/// The arrays in `bytes`.
pub fn state(bytes: &[u8]) -> Result<State> {
    let mut reader = Reader::new(bytes);
    let mut state = State::default();
    if let Found::Array(array) = item(&mut reader, &mut Path::default(), &mut state, 0)? {
        state.put(Path::default(), array);
    }
    if reader.at != bytes.len() {
        return Err(wrong(format!("the value ends at byte {} of {}", reader.at, bytes.len())));
    }
    Ok(state)
}

fn item(reader: &mut Reader<'_>, path: &mut Path, state: &mut State, depth: usize) -> Result<Found> {
    if depth > DEPTH {
        return Err(wrong(format!("values stand in each other {DEPTH} deep at byte {}", reader.at)));
    }
    let start = reader.at;
    let array = match reader.value()? {
        Value::None => return Ok(Found::Nothing),
        Value::Bool(x) => Array::scalar(x),
        Value::Integer(x) => Array::scalar(x),
        Value::Unsigned(x) => i64::try_from(x).map_or_else(|_| Array::scalar(x), Array::scalar),
        Value::Float(x) => Array::scalar_in(x, DType::F64),
        Value::Extension(ARRAY | SCALAR, bytes) => elements(bytes)?,
        Value::Extension(COMPLEX, bytes) => complex(bytes)?,
        Value::List(count) => {
            for i in 0..count {
                child(reader, path, state, depth, PathKey::Index(i))?;
            }
            return Ok(Found::Nothing);
        }
        Value::Map(count) => {
            for _ in 0..count {
                let step = key(reader)?;
                if matches!(&step, PathKey::Name(name) if name == CHUNKED) {
                    return chunked(reader, count).map(Found::Array);
                }
                child(reader, path, state, depth, step)?;
            }
            return Ok(Found::Nothing);
        }
        Value::Text(_) | Value::Binary(_) | Value::Extension(..) => {
            return Err(wrong(format!("{} at byte {start} is no array", path.below("value"))));
        }
    };
    Ok(Found::Array(array))
}

fn child(
    reader: &mut Reader<'_>,
    path: &mut Path,
    state: &mut State,
    depth: usize,
    key: PathKey,
) -> Result<()> {
    path.enter(key, |path| {
        if let Found::Array(array) = item(reader, path, state, depth + 1)? {
            state.put(path.clone(), array);
        }
        Ok(())
    })
}

/// A key of a map: a text or a number. Numbers in texts are positions, as in paths.
fn key(reader: &mut Reader<'_>) -> Result<PathKey> {
    let start = reader.at;
    let text = match reader.value()? {
        Value::Integer(n) => n.to_string(),
        Value::Unsigned(n) => n.to_string(),
        Value::Text(text) => std::str::from_utf8(text)
            .map_err(|_| wrong(format!("the key at byte {start} is no text in UTF-8")))?
            .to_owned(),
        _ => return Err(wrong(format!("the key at byte {start} is neither a text nor a number"))),
    };
    // Other spellings of a number, `01` and `+1`, are names: two keys are never one.
    let index = text.parse::<usize>().ok().filter(|index| index.to_string() == text);
    Ok(index.map_or_else(|| PathKey::Name(text), PathKey::Index))
}

/// Reads a key that is the number `i`: numbered values of a map stand in order.
fn numbered(reader: &mut Reader<'_>, i: usize) -> Result<()> {
    let start = reader.at;
    match key(reader)? {
        PathKey::Index(own) if own == i => Ok(()),
        _ => Err(wrong(format!(
            "the key at byte {start} is not {i}, though these values are numbered in order"
        ))),
    }
}

fn size(reader: &mut Reader<'_>) -> Result<usize> {
    let start = reader.at;
    match reader.value()? {
        Value::Integer(n) if n >= 0 => Ok(n as usize),
        Value::Unsigned(n) => Ok(n as usize),
        _ => Err(wrong(format!("byte {start} begins no extent"))),
    }
}

/// Reads the extents of `rank` axes with `next`; more axes than are supported are an error.
fn extents<'a>(
    reader: &mut Reader<'a>,
    rank: usize,
    next: impl Fn(&mut Reader<'a>, usize) -> Result<usize>,
) -> Result<Vec<usize>> {
    if rank > AXES {
        return Err(wrong(format!("an array has {rank} axes, more than {AXES}")));
    }
    (0..rank).map(|i| next(reader, i)).collect()
}

/// `[shape, dtype, bytes]`.
fn elements(bytes: &[u8]) -> Result<Array> {
    let broken = || wrong("an array is not [shape, dtype, bytes]");
    let reader = &mut Reader::new(bytes);
    let Value::List(3) = reader.value()? else { return Err(broken()) };
    let Value::List(rank) = reader.value()? else { return Err(broken()) };
    let dims = extents(reader, rank, |reader, _| size(reader))?;
    let name = match reader.value()? {
        Value::Text(name) | Value::Binary(name) => String::from_utf8_lossy(name).into_owned(),
        _ => return Err(broken()),
    };
    let (Value::Binary(data) | Value::Text(data)) = reader.value()? else { return Err(broken()) };
    let Some((dtype, _)) = NAMES.iter().find(|(_, own)| *own == name) else {
        return Err(wrong(format!("an array is of dtype {name:?}")));
    };
    let count = dims.iter().try_fold(dtype.size(), |all, &extent| all.checked_mul(extent));
    if count != Some(data.len()) || reader.at != bytes.len() {
        return Err(wrong(format!("an array of {name} and shape {dims:?} has {} bytes", data.len())));
    }
    literal(*dtype, &dims, data)
}

fn literal(dtype: DType, dims: &[usize], data: &[u8]) -> Result<Array> {
    let ty = Type::tensor(dtype, dims.iter().copied());
    let literal = if dtype == DType::Bool {
        Literal::from_bools(dims, &data.iter().map(|&byte| byte != 0).collect::<Vec<_>>())?
    } else {
        Literal::from_bytes(ty, data)?
    };
    Ok(Array::from_literal(literal))
}

/// A pair of floats.
fn complex(bytes: &[u8]) -> Result<Array> {
    let reader = &mut Reader::new(bytes);
    match (reader.value()?, reader.value()?, reader.value()?, reader.at == bytes.len()) {
        (Value::List(2), Value::Float(re), Value::Float(im), true) => Ok(Array::scalar(c128::new(re, im))),
        _ => Err(wrong("a complex number is not a pair of floats")),
    }
}

/// Reads the rest of a map of `count` entries that holds an array in chunks, after the first key: the marker, the shape, and the
/// parts.
fn chunked(reader: &mut Reader<'_>, count: usize) -> Result<Array> {
    let broken = || wrong("an array in chunks is not a shape and chunks");
    let (true, Value::Bool(true)) = (count == 3, reader.value()?) else { return Err(broken()) };
    let expect = |reader: &mut Reader<'_>, name: &str| -> Result<usize> {
        match (key(reader)?, reader.value()?) {
            (PathKey::Name(own), Value::Map(count)) if own == name => Ok(count),
            _ => Err(broken()),
        }
    };
    let rank = expect(reader, "shape")?;
    let dims = extents(reader, rank, |reader, i| numbered(reader, i).and_then(|()| size(reader)))?;
    let parts = expect(reader, "chunks")?;
    let (mut dtype, mut data) = (None, Vec::new());
    for i in 0..parts {
        numbered(reader, i)?;
        let Value::Extension(ARRAY, bytes) = reader.value()? else { return Err(broken()) };
        let part = elements(bytes)?.to_literal()?;
        if dtype.is_some_and(|dtype| dtype != part.dtype()) {
            return Err(wrong("the chunks of an array are of several dtypes"));
        }
        dtype = Some(part.dtype());
        data.extend(part.bytes());
    }
    let dtype = dtype.ok_or_else(broken)?;
    let count = dims.iter().try_fold(dtype.size(), |all, &extent| all.checked_mul(extent));
    if count != Some(data.len()) {
        return Err(wrong(format!("chunks of an array of shape {dims:?} have {} bytes", data.len())));
    }
    literal(dtype, &dims, &data)
}
