//! The encoding of chunks: bytes go on as they are made, so that no chunk is held twice.

use std::io::{self, Write};

use flate2::write::GzEncoder;
use jarrah_base::{Error, Result};
use ruzstd::encoding::{CompressionLevel, FrameCompressor};

use super::chunk::{Codecs, Layout};
use super::codecs::ByteCodec;

/// A place that takes bytes one after the other.
pub(super) trait Sink {
    fn put(&mut self, bytes: &[u8]) -> Result<()>;
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.extend_from_slice(bytes);
        Ok(())
    }
}

/// A sink for encoders of others. It keeps the error of the first failure and drops the bytes behind it, since zstd's encoder panics at errors.
struct Drain<'s> {
    sink: &'s mut dyn Sink,
    length: u64,
    failed: Option<Error>,
}

impl Write for Drain<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failed.is_none() {
            self.length += bytes.len() as u64;
            self.failed = self.sink.put(bytes).err();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Codecs {
    /// Encodes a chunk whose elements are these, in row-major order and with their lowest bytes first. Shards have one chunk each, as Orbax writes them.
    ///
    /// Gives the number of bytes that went to `sink`.
    pub fn write(&self, elements: &[u8], sink: &mut dyn Sink) -> Result<u64> {
        match &self.layout {
            Layout::Elements { .. } => encode(&self.bytes, elements, sink),
            Layout::Shards { codecs, .. } => {
                let length = codecs.write(elements, sink)?;
                let mut index = [0u64.to_le_bytes(), length.to_le_bytes()].concat();
                index.extend(crc32c::crc32c(&index).to_le_bytes());
                sink.put(&index)?;
                Ok(length + index.len() as u64)
            }
        }
    }
}

fn encode(codecs: &[ByteCodec], bytes: &[u8], sink: &mut dyn Sink) -> Result<u64> {
    let Some((codec, rest)) = codecs.split_first() else {
        sink.put(bytes)?;
        return Ok(bytes.len() as u64);
    };
    if !rest.is_empty() {
        let mut encoded = Vec::new();
        encode(&[*codec], bytes, &mut encoded)?;
        return encode(rest, &encoded, sink);
    }
    let mut drain = Drain { sink, length: 0, failed: None };
    let encoded = match codec {
        ByteCodec::Zstd => zstd(bytes, &mut drain),
        ByteCodec::Gzip => {
            let mut encoder = GzEncoder::new(&mut drain, flate2::Compression::new(1));
            encoder.write_all(bytes).and_then(|()| encoder.finish().map(drop))
        }
        ByteCodec::Zlib | ByteCodec::Blosc | ByteCodec::Crc32c => {
            return Err(Error::internal(format!("chunks are not encoded by {}", codec.name())).op("orbax"));
        }
    };
    encoded.map_err(|e| Error::internal(format!("{}: {e}", codec.name())).op("orbax"))?;
    match drain.failed {
        Some(e) => Err(e),
        None => Ok(drain.length),
    }
}

/// Fewer bytes are stored as they are: an encoder takes longer for its tables.
const SMALL: usize = 512;

/// Longer stretches are looked at in samples of this many bytes.
const SAMPLE: usize = 16 << 10;

/// Makes one frame of zstd of the bytes. They are stored as they are where compression saves less than a sixteenth, as it does with most weights.
pub(super) fn zstd(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let samples: Vec<&[u8]> = match bytes.len() {
        0..SMALL => return stored(bytes, out),
        length if length <= 4 * SAMPLE => vec![bytes],
        length => [0, length / 3, length / 3 * 2].map(|start| &bytes[start..start + SAMPLE]).to_vec(),
    };
    let (mut before, mut after, mut compressed) = (0, 0, Vec::new());
    for sample in samples {
        compressed.clear();
        compress(sample, &mut compressed);
        before += sample.len();
        after += compressed.len();
    }
    match after > before - before / 16 {
        true => stored(bytes, out),
        false if before == bytes.len() => out.write_all(&compressed),
        false => {
            compress(bytes, out);
            Ok(())
        }
    }
}

fn compress(bytes: &[u8], out: &mut dyn Write) {
    let mut encoder = FrameCompressor::new(CompressionLevel::Fastest);
    encoder.set_source(bytes);
    encoder.set_drain(out);
    encoder.compress();
}

/// The most bytes of a block of zstd.
const BLOCK: usize = 128 << 10;

/// A frame of zstd with the bytes as they are.
///
/// Source: RFC 8878, sections 3.1.1.1 and 3.1.1.2.
fn stored(bytes: &[u8], out: &mut dyn Write) -> io::Result<()> {
    // The content's size has eight bytes; the window has 128 KiB, as much as a block.
    let mut header = vec![0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0x38];
    header.extend((bytes.len() as u64).to_le_bytes());
    out.write_all(&header)?;
    let count = bytes.len().div_ceil(BLOCK).max(1);
    for number in 0..count {
        let block = &bytes[number * BLOCK..bytes.len().min((number + 1) * BLOCK)];
        // The lowest bit says that the block is the last, the next two that it is stored.
        let header = (block.len() << 3 | usize::from(number + 1 == count)) as u32;
        out.write_all(&header.to_le_bytes()[..3])?;
        out.write_all(block)?;
    }
    Ok(())
}
