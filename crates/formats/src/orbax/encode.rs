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
    match codec {
        ByteCodec::Zstd => zstd(bytes, &mut drain),
        ByteCodec::Gzip => {
            let mut encoder = GzEncoder::new(&mut drain, flate2::Compression::new(1));
            let written = encoder.write_all(bytes).and_then(|()| encoder.finish().map(drop));
            written.map_err(|e| Error::internal(format!("gzip: {e}")).op("orbax"))?;
        }
        ByteCodec::Zlib | ByteCodec::Blosc | ByteCodec::Crc32c => {
            return Err(Error::internal(format!("chunks are not encoded by {}", codec.name())).op("orbax"));
        }
    }
    match drain.failed {
        Some(e) => Err(e),
        None => Ok(drain.length),
    }
}

/// Compresses bytes to one frame of zstd.
pub(super) fn zstd(bytes: &[u8], out: &mut dyn Write) {
    let mut encoder = FrameCompressor::new(CompressionLevel::Fastest);
    encoder.set_source(bytes);
    encoder.set_drain(out);
    encoder.compress();
}
