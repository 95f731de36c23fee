//! The shortest encoding of each value, as Flax's library chooses it.

use jarrah_array::{Array, Error, Literal, Result};

use super::{ARRAY, CHUNKED, Item, NAMES};

/// The byte that begins a value of `count` parts: one for few, or one that says the size of the number that follows.
fn head(out: &mut Vec<u8>, count: usize, few: Option<(u8, usize)>, sized: [Option<u8>; 3]) -> Result<()> {
    let [one, two, four] = sized;
    match (few, one, u8::try_from(count), u16::try_from(count), u32::try_from(count)) {
        (Some((first, most)), ..) if count <= most => out.push(first | count as u8),
        (_, Some(code), Ok(n), ..) => out.extend([code, n]),
        (_, _, _, Ok(n), _) => {
            out.extend(two);
            out.extend(n.to_be_bytes());
        }
        (.., Ok(n)) => {
            out.extend(four);
            out.extend(n.to_be_bytes());
        }
        _ => return Err(Error::input(format!("{count} bytes in one value of MessagePack")).op("to_msgpack")),
    }
    Ok(())
}

fn map(out: &mut Vec<u8>, count: usize) -> Result<()> {
    head(out, count, Some((0x80, 15)), [None, Some(0xde), Some(0xdf)])
}

fn list(out: &mut Vec<u8>, count: usize) -> Result<()> {
    head(out, count, Some((0x90, 15)), [None, Some(0xdc), Some(0xdd)])
}

fn text(out: &mut Vec<u8>, text: &str) -> Result<()> {
    head(out, text.len(), Some((0xa0, 31)), [Some(0xd9), Some(0xda), Some(0xdb)])?;
    out.extend(text.bytes());
    Ok(())
}

fn binary(out: &mut Vec<u8>, bytes: &[u8]) -> Result<()> {
    head(out, bytes.len(), None, [Some(0xc4), Some(0xc5), Some(0xc6)])?;
    out.extend(bytes);
    Ok(())
}

fn number(out: &mut Vec<u8>, n: usize) {
    let n = n as u64;
    match (u8::try_from(n), u16::try_from(n), u32::try_from(n)) {
        (Ok(n), ..) if n < 128 => out.push(n),
        (Ok(n), ..) => out.extend([0xcc, n]),
        (_, Ok(n), _) => {
            out.push(0xcd);
            out.extend(n.to_be_bytes());
        }
        (.., Ok(n)) => {
            out.push(0xce);
            out.extend(n.to_be_bytes());
        }
        _ => {
            out.push(0xcf);
            out.extend(n.to_be_bytes());
        }
    }
}

/// An extension of a type that is no number of bytes itself.
fn extension(out: &mut Vec<u8>, kind: i8, bytes: &[u8]) -> Result<()> {
    match bytes.len() {
        1 | 2 | 4 | 8 | 16 => out.push(0xd4 + bytes.len().ilog2() as u8),
        count => head(out, count, None, [Some(0xc7), Some(0xc8), Some(0xc9)])?,
    }
    out.push(kind as u8);
    out.extend(bytes);
    Ok(())
}

/// Elements as `[shape, dtype, bytes]`.
fn elements(out: &mut Vec<u8>, dims: &[usize], dtype: &str, bytes: &[u8]) -> Result<()> {
    let mut packed = Vec::with_capacity(bytes.len() + 64);
    list(&mut packed, 3)?;
    list(&mut packed, dims.len())?;
    for &extent in dims {
        number(&mut packed, extent);
    }
    text(&mut packed, dtype)?;
    binary(&mut packed, bytes)?;
    extension(out, ARRAY, &packed)
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
    out.push(0xc3);
    text(out, "shape")?;
    map(out, dims.len())?;
    for (i, &extent) in dims.iter().enumerate() {
        text(out, &i.to_string())?;
        number(out, extent);
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
