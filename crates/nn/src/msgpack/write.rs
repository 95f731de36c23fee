//! The shortest encoding of each value, as Flax's library chooses it.

use jarrah_array::{Array, Error, Literal, Result};
use rmp::encode;

use super::{ARRAY, CHUNKED, Item, NAMES};

/// The number of parts of a value, which has 32 bits in files.
fn count(parts: usize) -> Result<u32> {
    u32::try_from(parts)
        .map_err(|_| Error::input(format!("{parts} bytes in one value of MessagePack")).op("to_msgpack"))
}

/// `written` in a vector, which fails only for want of memory.
fn sure<T, E: std::fmt::Display>(written: std::result::Result<T, E>) -> Result<()> {
    written.map(drop).map_err(|e| Error::input(format!("the value cannot be written: {e}")).op("to_msgpack"))
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
fn elements(out: &mut Vec<u8>, dims: &[usize], dtype: &str, bytes: &[u8]) -> Result<()> {
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
fn array(out: &mut Vec<u8>, array: &Array, most: usize) -> Result<()> {
    let literal: Literal = array.to_literal()?;
    let (dims, bytes, size) = (literal.dims(), literal.bytes(), literal.dtype().size());
    let Some((_, name)) = NAMES.iter().find(|(dtype, _)| *dtype == literal.dtype()) else {
        let error = format!("there is no name for {} in such files", literal.dtype());
        return Err(Error::input(error).op("to_msgpack").help("convert the array to another dtype"));
    };
    if bytes.len() <= most {
        return elements(out, &dims, name, bytes);
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
        elements(out, &[part.len() / size], name, part)?;
    }
    Ok(())
}

/// A map or an array.
pub fn item(out: &mut Vec<u8>, value: &Item, most: usize) -> Result<()> {
    match value {
        Item::Array(x) => array(out, x, most),
        Item::Map(entries) => {
            map(out, entries.len())?;
            for (name, value) in entries {
                text(out, name)?;
                item(out, value, most)?;
            }
            Ok(())
        }
    }
}
