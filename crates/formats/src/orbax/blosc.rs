//! The container of c-blosc 1: a header of 16 bytes, the starts of blocks, and blocks, each compressed by a codec after its bytes or bits were shuffled.
//!
//! Source: c-blosc's README_CHUNK_FORMAT.rst and README_HEADER.rst; blosclz is FastLZ's second level with distances up to 8191 + 65535.

use jarrah_base::Result;

use super::decompress::{room, zlib, zstd};
use super::wrong;

const HEADER: usize = 16;
/// Blocks of elements of at most so many bytes were split into a stream for each byte of an element.
const SPLITS: usize = 16;
/// The least bytes of a stream.
const STREAM: usize = 128;

/// The bytes that a container has, at most `most`.
pub(super) fn decode(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    let Some((header, _)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(wrong(format!("{} bytes are too few for a container of blosc", bytes.len())));
    };
    let field = |at: usize| word(header, at).unwrap_or(0) as usize;
    let (flags, type_size) = (header[2], usize::from(header[3]).max(1));
    let (length, block, stored) = (field(4), field(8), field(12));
    if stored != bytes.len() || length > most {
        return Err(wrong(format!(
            "a container of blosc of {} bytes says that it has {stored}, and {length} decoded of at most {most}",
            bytes.len()
        )));
    }
    let mut out = room(length)?;
    if flags & 2 != 0 {
        let raw = bytes.get(HEADER..HEADER + length);
        out.copy_from_slice(raw.ok_or_else(|| cut("its bytes"))?);
        return Ok(out);
    }
    if block == 0 && length > 0 {
        return Err(wrong("a container of blosc has blocks of 0 bytes"));
    }
    let mut shuffled = room(block.min(length))?;
    for (i, out) in out.chunks_mut(block.max(1)).enumerate() {
        let start = word(bytes, HEADER + 4 * i).ok_or_else(|| cut("the starts of its blocks"))? as usize;
        let is_whole = out.len() == block;
        let split = flags & 16 == 0 && type_size <= SPLITS && block / type_size >= STREAM && is_whole;
        let shuffled = &mut shuffled[..out.len()];
        streams(bytes, start, if split { type_size } else { 1 }, flags >> 5, shuffled)?;
        match flags & 5 {
            0 => out.copy_from_slice(shuffled),
            4 | 5 => unshuffle_bits(shuffled, out, type_size),
            _ => unshuffle(shuffled, out, type_size),
        }
    }
    Ok(out)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

fn cut(part: &str) -> jarrah_base::Error {
    wrong(format!("a container of blosc is cut short: {part} are not all there"))
}

/// Decompresses the streams of a block that begins at `at`.
fn streams(bytes: &[u8], mut at: usize, count: usize, codec: u8, out: &mut [u8]) -> Result<()> {
    let each = out.len() / count;
    if each * count != out.len() {
        return Err(wrong("a block of blosc has no whole elements"));
    }
    for out in out.chunks_mut(each.max(1)) {
        let length = word(bytes, at).ok_or_else(|| cut("its blocks"))? as usize;
        at += 4;
        let stream = at.checked_add(length).and_then(|end| bytes.get(at..end));
        let stream = stream.ok_or_else(|| cut("its blocks"))?;
        at += length;
        match codec {
            // Streams that do not become shorter are stored as they are.
            _ if length == out.len() => out.copy_from_slice(stream),
            0 => blosclz(stream, out)?,
            1 => {
                let decoded = lz4_flex::block::decompress_into(stream, out);
                let decoded = decoded.map_err(|e| wrong(format!("a block of blosc is not of LZ4: {e}")))?;
                if decoded != out.len() {
                    return Err(wrong("a block of blosc has fewer bytes than it should"));
                }
            }
            3 => put(&zlib(stream, out.len())?, out)?,
            4 => put(&zstd(stream, out.len())?, out)?,
            2 => {
                return Err(wrong("a container of blosc is compressed by snappy, which is not decoded here"));
            }
            _ => {
                return Err(wrong(format!("a container of blosc names the codec {codec}; known are 0 to 4")));
            }
        }
    }
    Ok(())
}

/// Copies the bytes of a stream, which have to be as many as its place has.
fn put(decoded: &[u8], out: &mut [u8]) -> Result<()> {
    if decoded.len() != out.len() {
        return Err(wrong(format!(
            "a block of blosc has {} bytes in the place of {}",
            decoded.len(),
            out.len()
        )));
    }
    out.copy_from_slice(decoded);
    Ok(())
}

/// Puts the bytes of elements together again: all first bytes come first, then all second ones.
fn unshuffle(from: &[u8], out: &mut [u8], size: usize) {
    let count = out.len() / size;
    for (i, element) in out.chunks_exact_mut(size).enumerate() {
        for (j, byte) in element.iter_mut().enumerate() {
            *byte = from[j * count + i];
        }
    }
    out[count * size..].copy_from_slice(&from[count * size..]);
}

/// Likewise where all first bits come first. Elements that are no whole groups of eight stay as they are.
fn unshuffle_bits(from: &[u8], out: &mut [u8], size: usize) {
    let count = out.len() / size;
    if !count.is_multiple_of(8) {
        out.copy_from_slice(from);
        return;
    }
    for (i, element) in out.chunks_exact_mut(size).enumerate() {
        for (j, byte) in element.iter_mut().enumerate() {
            let bit = |k: usize| (from[(j * 8 + k) * (count / 8) + i / 8] >> (i % 8) & 1) << k;
            *byte = (0..8).map(bit).sum();
        }
    }
    out[count * size..].copy_from_slice(&from[count * size..]);
}

/// Decompresses a stream of blosclz: literals, and matches of what was decompressed before.
fn blosclz(from: &[u8], out: &mut [u8]) -> Result<()> {
    const FAR: usize = 8191;
    let short = || wrong("a block of blosc is not of blosclz: it ends early");
    let mut bytes = from.iter().copied();
    let mut next = || bytes.next().map(usize::from).ok_or_else(short);
    let mut at = 0;
    let mut control = next()? & 31;
    loop {
        if control < 32 {
            let end = at + control + 1;
            let literals = out.get_mut(at..end).ok_or_else(|| wrong("a block of blosclz is too long"))?;
            for byte in literals {
                *byte = next()? as u8;
            }
            at = end;
        } else {
            let mut length = (control >> 5) + 2;
            let high = (control & 31) << 8;
            if control >> 5 == 7 {
                loop {
                    let more = next()?;
                    length += more;
                    if more != 255 {
                        break;
                    }
                }
            }
            let low = next()?;
            let distance = match low == 255 && high == 31 << 8 {
                true => (next()? << 8 | next()?) + FAR + 1,
                false => high + low + 1,
            };
            if distance > at || length > out.len() - at {
                return Err(wrong("a block of blosclz refers to bytes outside of it"));
            }
            for i in at..at + length {
                out[i] = out[i - distance];
            }
            at += length;
        }
        match next() {
            Ok(byte) => control = byte,
            Err(_) if at == out.len() => return Ok(()),
            Err(e) => return Err(e),
        }
    }
}
