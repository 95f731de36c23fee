//! Streams of zstd, gzip and zlib, which decompress to at most so many bytes.

use std::io::Read;

use jarrah_base::{Error, Result, memory};

use super::wrong;

/// Room for so many decoded bytes: it takes memory as it is written.
pub(super) fn room(bytes: usize) -> Result<Vec<u8>> {
    memory::check(bytes, &"a chunk of a checkpoint")?;
    Ok(vec![0; bytes])
}

pub(super) fn zstd(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    let mut decoded = room(most)?;
    let length = ruzstd::decoding::FrameDecoder::new().decode_all(bytes, &mut decoded);
    decoded.truncate(length.map_err(|e| damaged("zstd", &e))?);
    Ok(decoded)
}

pub(super) fn gzip(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    inflate(flate2::read::MultiGzDecoder::new(bytes), most, "gzip")
}

pub(super) fn zlib(bytes: &[u8], most: usize) -> Result<Vec<u8>> {
    inflate(flate2::read::ZlibDecoder::new(bytes), most, "zlib")
}

fn inflate(decoder: impl Read, most: usize, codec: &str) -> Result<Vec<u8>> {
    memory::check(most, &"a chunk of a checkpoint")?;
    let mut decoded = Vec::new();
    // A byte more than there may be shows that there are too many.
    decoder.take(most as u64 + 1).read_to_end(&mut decoded).map_err(|e| damaged(codec, &e))?;
    Ok(decoded)
}

/// The error about bytes that a codec did not write.
pub(super) fn damaged(codec: &str, e: &dyn std::fmt::Display) -> Error {
    wrong(format!("a chunk is not what {codec} writes: {e}"))
}
