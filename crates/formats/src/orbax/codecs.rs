//! Codecs of whole chunks: bytes to bytes.

use std::borrow::Cow;

use jarrah_base::Result;
use serde_json::Value;

use super::{blosc, decompress, wrong};

/// A codec by which the bytes of a chunk are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ByteCodec {
    Zstd,
    Gzip,
    Zlib,
    Blosc,
    /// A checksum of four bytes behind the chunk.
    Crc32c,
}

const NAMES: [(ByteCodec, &str); 5] = [
    (ByteCodec::Zstd, "zstd"),
    (ByteCodec::Gzip, "gzip"),
    (ByteCodec::Zlib, "zlib"),
    (ByteCodec::Blosc, "blosc"),
    (ByteCodec::Crc32c, "crc32c"),
];

impl ByteCodec {
    /// The codec that zarr calls `name`.
    pub fn of(name: &str) -> Result<ByteCodec> {
        let known = NAMES.iter().find(|row| row.1 == name).map(|row| row.0);
        known.ok_or_else(|| {
            wrong(format!("chunks are encoded by {name}, which is not decoded here"))
                .help("decoded are zstd, gzip, zlib, blosc and crc32c")
        })
    }

    /// The name that zarr has for the codec.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The level that descriptions say, of a codec that has levels and is written here.
    pub fn level(self) -> Option<u32> {
        match self {
            ByteCodec::Zstd => Some(1),
            ByteCodec::Gzip => Some(1),
            ByteCodec::Zlib | ByteCodec::Blosc | ByteCodec::Crc32c => None,
        }
    }

    /// Decodes bytes that have at most `most` once they are decoded.
    fn decode(self, bytes: &[u8], most: usize) -> Result<Cow<'_, [u8]>> {
        Ok(Cow::Owned(match self {
            ByteCodec::Crc32c => return checked(bytes).map(Cow::Borrowed),
            ByteCodec::Blosc => blosc::decode(bytes, most)?,
            ByteCodec::Zstd => decompress::zstd(bytes, most)?,
            ByteCodec::Gzip => decompress::gzip(bytes, most)?,
            ByteCodec::Zlib => decompress::zlib(bytes, most)?,
        }))
    }
}

/// The bytes before a checksum that fits them.
fn checked(bytes: &[u8]) -> Result<&[u8]> {
    let (rest, checksum) =
        bytes.split_last_chunk::<4>().ok_or_else(|| decompress::damaged("crc32c", &"it is too short"))?;
    match crc32c::crc32c(rest) == u32::from_le_bytes(*checksum) {
        true => Ok(rest),
        false => Err(wrong("the checksum of a chunk differs: the file is damaged")),
    }
}

/// The bytes of a chunk, which is `expected` bytes once all codecs, the first of them applied first in encoding, are undone.
pub(super) fn decode<'a>(codecs: &[ByteCodec], stored: &'a [u8], expected: usize) -> Result<Cow<'a, [u8]>> {
    let mut bytes = Cow::Borrowed(stored);
    for (i, codec) in codecs.iter().enumerate().rev() {
        // Bytes that were encoded again are little longer than what they encode.
        let most = if i == 0 { expected } else { expected.saturating_add(expected / 8 + (1 << 16)) };
        bytes = match bytes {
            Cow::Borrowed(bytes) => codec.decode(bytes, most)?,
            Cow::Owned(bytes) => Cow::Owned(codec.decode(&bytes, most)?.into_owned()),
        };
    }
    check_length(bytes.len() as u64, expected)?;
    Ok(bytes)
}

/// Checks the length of a chunk's elements.
pub(super) fn check_length(found: u64, expected: usize) -> Result<()> {
    match found == expected as u64 {
        true => Ok(()),
        false => Err(wrong(format!("a chunk has {found} bytes in the place of {expected}"))),
    }
}

/// Whether the codec `bytes` of this configuration stores the lowest byte of an element first.
pub(super) fn little_endian(configuration: &Value) -> Result<bool> {
    match configuration.get("endian").and_then(Value::as_str) {
        None | Some("little") => Ok(true),
        Some("big") => Ok(false),
        Some(other) => Err(wrong(format!("the codec `bytes` has the byte order {other:?}"))),
    }
}
