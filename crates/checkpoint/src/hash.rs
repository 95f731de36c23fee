//! The identity of a training state, whatever file it lies in.

use std::sync::{Mutex, PoisonError};

use blake3::Hasher;
use blake3::hazmat::{
    ChainingValue, HasherExt, Mode, left_subtree_len, merge_subtrees_non_root, merge_subtrees_root,
};
use jarrah_base::{Result, parallel};
use jarrah_formats::OrbaxStretch;
use serde_json::Value;

use crate::layout::orbax::STATE;
use crate::manifest::{Content, ItemRecord, TensorRecord};

/// blake3 over the step, every tensor by name (type, shape and content), the data position, and the items beside `state`.
///
/// `tensor` gives the checksum of a whole tensor by its number, `json` those of the files of an item. Each part is preceded by its length, so no two states feed the same bytes.
///
/// # Errors
/// `tensor` failed.
pub fn content_hash(
    content: &Content,
    tensor: impl Fn(usize) -> Result<String>,
    json: impl Fn(&ItemRecord) -> Vec<String>,
) -> Result<String> {
    let mut hasher = Hasher::new();
    text(&mut hasher, "jarrah training state 1");
    number(&mut hasher, content.step);
    tree(&mut hasher, content, STATE, &tensor)?;
    value(&mut hasher, &content.state.data);
    let mut others: Vec<&ItemRecord> =
        content.items.iter().filter(|item| item.name != STATE || item.is_json).collect();
    others.sort_by(|a, b| a.name.cmp(&b.name));
    for item in others {
        text(&mut hasher, &item.name);
        match item.is_json {
            true => json(item).iter().for_each(|sum| text(&mut hasher, sum)),
            false => tree(&mut hasher, content, &item.name, &tensor)?,
        }
    }
    Ok(hex(&hasher))
}

/// The tensors of an item, by name.
fn tree(
    hasher: &mut Hasher,
    content: &Content,
    item: &str,
    tensor: &impl Fn(usize) -> Result<String>,
) -> Result<()> {
    let mut tensors: Vec<(usize, &TensorRecord)> =
        content.tensors.iter().enumerate().filter(|(_, record)| record.item == item).collect();
    tensors.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    number(hasher, tensors.len() as u64);
    for (at, record) in tensors {
        text(hasher, &record.name);
        text(hasher, &record.dtype);
        number(hasher, record.shape.len() as u64);
        record.shape.iter().for_each(|&n| number(hasher, n as u64));
        text(hasher, &tensor(at)?);
    }
    Ok(())
}

/// Threads share the bytes of a large value by pieces of so many: a power of two, as the parts of the tree are whose root blake3 is.
const PIECE: usize = 1 << 20;

/// A value of as many bytes is read by all threads.
pub const LARGE: usize = 8 << 20;

/// Fills `out` with the bytes of a stretch, and gives their checksum: a block is hashed when it was read, while it is in the cache.
///
/// # Errors
/// The stretch has fewer bytes, or cannot be read.
pub fn read_hashed(stretch: &OrbaxStretch, out: &mut [u8]) -> Result<String> {
    let len = out.len();
    let piece = PIECE.max(stretch.block().next_power_of_two());
    let pieces: Vec<Mutex<&mut [u8]>> = out.chunks_mut(piece).map(Mutex::new).collect();
    sum(len, piece, &pieces, |begin, out, hasher| {
        let mut at = begin;
        for block in out.lock().unwrap_or_else(PoisonError::into_inner).chunks_mut(stretch.block()) {
            stretch.read_at(at, block)?;
            hasher.update(block);
            at += block.len() as u64;
        }
        Ok(())
    })
}

/// The checksum of bytes in memory.
///
/// # Errors
/// None.
pub fn sum_of(bytes: &[u8]) -> Result<String> {
    let pieces: Vec<&[u8]> = bytes.chunks(PIECE).collect();
    sum(bytes.len(), PIECE, &pieces, |_, of, hasher| {
        hasher.update(of);
        Ok(())
    })
}

/// The checksum of the bytes of a stretch, of which a block is held for each thread.
///
/// # Errors
/// The stretch cannot be read.
pub fn hashed(stretch: &OrbaxStretch, len: usize) -> Result<String> {
    let piece = PIECE.max(stretch.block().next_power_of_two());
    let pieces: Vec<usize> = (0..len).step_by(piece).map(|begin| piece.min(len - begin)).collect();
    sum(len, piece, &pieces, |begin, &len, hasher| {
        let mut block = vec![0; stretch.block().min(len)];
        for at in (0..len).step_by(block.len()) {
            let block = &mut block[..stretch.block().min(len - at)];
            stretch.read_at(begin + at as u64, block)?;
            hasher.update(block);
        }
        Ok(())
    })
}

/// blake3 of `len` bytes in pieces of `piece` bytes and a last one that may have fewer. `read` gives a hasher the bytes of the piece that begins there.
fn sum<T: Sync>(
    len: usize,
    piece: usize,
    pieces: &[T],
    read: impl Fn(u64, &T, &mut Hasher) -> Result<()> + Sync,
) -> Result<String> {
    let mut hasher = Hasher::new();
    match pieces {
        [] => return Ok(hex(&hasher)),
        [only] => {
            read(0, only, &mut hasher)?;
            return Ok(hex(&hasher));
        }
        _ => {}
    }
    let threads = if len < LARGE { 1 } else { parallel::cores() };
    let numbered: Vec<(usize, &T)> = pieces.iter().enumerate().collect();
    let values = parallel::try_map(threads, &numbered, |(number, of)| {
        let begin = (number * piece) as u64;
        let mut hasher = Hasher::new();
        hasher.set_input_offset(begin);
        read(begin, of, &mut hasher)?;
        Ok::<_, jarrah_base::Error>(hasher.finalize_non_root())
    })?;
    let (left, right) = halves(&values, len, piece);
    Ok(merge_subtrees_root(&left, &right, Mode::Hash).to_hex().to_string())
}

/// The chaining values of the two children of the root of a tree over `len` bytes, from those of its pieces.
fn halves(values: &[ChainingValue], len: usize, piece: usize) -> (ChainingValue, ChainingValue) {
    let below = |values: &[ChainingValue], len: usize| match values {
        [only] => *only,
        _ => {
            let (left, right) = halves(values, len, piece);
            merge_subtrees_non_root(&left, &right, Mode::Hash)
        }
    };
    let left = left_subtree_len(len as u64) as usize;
    let (before, behind) = values.split_at(left / piece);
    (below(before, left), below(behind, len - left))
}

/// The hash as hexadecimal digits.
pub fn hex(hasher: &Hasher) -> String {
    hasher.finalize().to_hex().to_string()
}

fn number(hasher: &mut Hasher, x: u64) {
    hasher.update(&x.to_le_bytes());
}

fn text(hasher: &mut Hasher, s: &str) {
    number(hasher, s.len() as u64);
    hasher.update(s.as_bytes());
}

// Keys are sorted here: whether a map keeps them sorted is a feature some other crate may switch.
fn value(hasher: &mut Hasher, of: &Value) {
    match of {
        Value::Null => text(hasher, "null"),
        Value::Bool(b) => text(hasher, if *b { "true" } else { "false" }),
        Value::Number(n) => {
            text(hasher, "number");
            text(hasher, &n.to_string());
        }
        Value::String(s) => {
            text(hasher, "string");
            text(hasher, s);
        }
        Value::Array(items) => {
            text(hasher, "array");
            number(hasher, items.len() as u64);
            items.iter().for_each(|item| value(hasher, item));
        }
        Value::Object(map) => {
            text(hasher, "object");
            number(hasher, map.len() as u64);
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            for (key, item) in entries {
                text(hasher, key);
                value(hasher, item);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_pieces_is_that_of_the_whole() -> Result<()> {
        let bytes: Vec<u8> = (0..3 * LARGE).map(|i| (i * 31 % 251) as u8).collect();
        for piece in [1024, 4096, PIECE] {
            for len in [0, 1, piece - 1, piece, piece + 1, 2 * piece, 3 * piece + 5, 13 * piece, LARGE + 7] {
                let bytes = &bytes[..len];
                let pieces: Vec<&[u8]> = bytes.chunks(piece).collect();
                let found = sum(len, piece, &pieces, |begin, of, hasher| {
                    assert_eq!(**of, bytes[begin as usize..][..of.len()]);
                    hasher.update(of);
                    Ok(())
                })?;
                assert_eq!(found, hex(Hasher::new().update(bytes)), "{len} bytes in pieces of {piece}");
            }
        }
        Ok(())
    }
}
