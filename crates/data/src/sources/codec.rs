//! Compressed bytes of the formats: what is declared is checked before memory is taken, and output is bounded by it.

use std::cell::RefCell;
use std::fmt::{self, Display};
use std::io::{Read, Write};

use jarrah_base::{Error, Result, memory};
use ruzstd::decoding::FrameDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// How the records of a file are compressed.
///
/// The encoder of zstd has one level, about the first of the reference encoder; a file says the level that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordCompression {
    /// Not at all.
    None,
    /// Zstandard, of a level from -131072 to 22.
    Zstd(i32),
    /// Brotli, of a quality from 0 to 11.
    Brotli(u32),
    /// Snappy's block format.
    Snappy,
}

impl Display for RecordCompression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordCompression::None => write!(f, "uncompressed"),
            RecordCompression::Zstd(level) => write!(f, "zstd:{level}"),
            RecordCompression::Brotli(quality) => write!(f, "brotli:{quality}"),
            RecordCompression::Snappy => write!(f, "snappy"),
        }
    }
}

/// The most room that is taken before any byte is decoded.
const FIRST_ROOM: usize = 1 << 20;

/// An error of a stream, in words that name the codec.
fn damaged(codec: &str, e: &dyn Display) -> Error {
    Error::input(format!("the bytes are not what {codec} writes: {e}"))
}

/// The bytes that a frame of zstd stands for: `size` of them.
pub(crate) fn unzstd(bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    memory::check(size, &"a record")?;
    thread_local! {
        static DECODER: RefCell<FrameDecoder> = RefCell::new(FrameDecoder::new());
    }
    let mut decoded = vec![0; size];
    let written = DECODER.with_borrow_mut(|decoder| decoder.decode_all(bytes, &mut decoded));
    let written = written.map_err(|e| damaged("zstd", &e))?;
    exact(decoded, written, size, "zstd")
}

/// The size of the content that the frame header of zstd declares; `None` where it declares none.
pub(crate) fn zstd_content_size(frame: &[u8]) -> Option<u64> {
    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    let rest = frame.strip_prefix(&MAGIC)?;
    let (&descriptor, rest) = rest.split_first()?;
    let is_single = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let rest = rest.get(usize::from(!is_single) + dictionary..)?;
    let width = match descriptor >> 6 {
        0 if !is_single => return None,
        0 => 1,
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let mut word = [0; 8];
    word[..width].copy_from_slice(rest.get(..width)?);
    let size = u64::from_le_bytes(word);
    // Two bytes count from 256 on: less fits into one.
    Some(if width == 2 { size + 256 } else { size })
}

/// The bytes that a stream of zstd of unknown size stands for: at most as many as there is memory for.
pub(crate) fn unzstd_all(bytes: &[u8]) -> Result<Vec<u8>> {
    match zstd_content_size(bytes) {
        Some(size) => unzstd(bytes, usize::try_from(size).unwrap_or(usize::MAX)),
        None => {
            let decoder = ruzstd::decoding::StreamingDecoder::new(bytes).map_err(|e| damaged("zstd", &e))?;
            read_all(decoder, memory::available() / 2, "zstd")
        }
    }
}

/// A frame of zstd with these bytes.
pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

pub(crate) fn unbrotli(bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    memory::check(size, &"a record")?;
    let decoded = read_all(brotli::Decompressor::new(bytes, 4096), size, "brotli")?;
    let written = decoded.len();
    exact(decoded, written, size, "brotli")
}

/// Bytes compressed by brotli; a window of `2^window` bytes.
pub(crate) fn brotli(bytes: &[u8], quality: u32, window: u32) -> Result<Vec<u8>> {
    let mut compressed = Vec::new();
    let mut writer = brotli::CompressorWriter::new(&mut compressed, 4096, quality, window);
    writer.write_all(bytes).map_err(|e| Error::internal(format!("brotli failed: {e}")))?;
    drop(writer);
    Ok(compressed)
}

pub(crate) fn unsnap(bytes: &[u8], size: usize) -> Result<Vec<u8>> {
    // The stream says its size, too.
    match snap::raw::decompress_len(bytes) {
        Ok(stated) if stated == size => {}
        Ok(stated) => return Err(damaged("snappy", &format_args!("{stated} bytes instead of {size}"))),
        Err(e) => return Err(damaged("snappy", &e)),
    }
    memory::check(size, &"a record")?;
    snap::raw::Decoder::new().decompress_vec(bytes).map_err(|e| damaged("snappy", &e))
}

pub(crate) fn snap(bytes: &[u8]) -> Result<Vec<u8>> {
    let compressed = snap::raw::Encoder::new().compress_vec(bytes);
    compressed.map_err(|e| Error::input(format!("snappy cannot compress {} bytes: {e}", bytes.len())))
}

/// All that a decoder delivers, at most `most` bytes.
fn read_all(decoder: impl Read, most: usize, codec: &str) -> Result<Vec<u8>> {
    let mut decoded = Vec::with_capacity(most.min(FIRST_ROOM));
    // A byte more than there may be shows that there are too many.
    decoder
        .take((most as u64).saturating_add(1))
        .read_to_end(&mut decoded)
        .map_err(|e| damaged(codec, &e))?;
    match decoded.len() > most {
        true => Err(damaged(codec, &format_args!("more than {most} bytes"))),
        false => Ok(decoded),
    }
}

fn exact(mut decoded: Vec<u8>, written: usize, size: usize, codec: &str) -> Result<Vec<u8>> {
    decoded.truncate(written);
    match written == size {
        true => Ok(decoded),
        false => Err(damaged(codec, &format_args!("{written} bytes instead of {size}"))),
    }
}
