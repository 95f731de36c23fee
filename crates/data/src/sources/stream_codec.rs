//! Files that are compressed as a whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use flate2::Compression;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};
use jarrah_base::{Error, MappedFile, Result, memory};
use ruzstd::decoding::StreamingDecoder;

use super::codec;
use super::record_bytes::RecordBytes;
use super::record_files::RecordDamage;

/// The compression of a whole file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StreamCompression {
    /// None.
    #[default]
    None,
    /// Members of gzip, one or several.
    Gzip,
    /// A stream of zlib.
    Zlib,
    /// Frames of zstd, one or several.
    Zstd,
}

impl StreamCompression {
    /// The compression that a file's first bytes show. Texts and TFRecord files may begin like a stream of zlib, too: for them, more is looked at.
    ///
    /// ```
    /// use jarrah_data::StreamCompression;
    /// assert_eq!(StreamCompression::of(&[0x1f, 0x8b, 8]), StreamCompression::Gzip);
    /// assert_eq!(StreamCompression::of(b"so it goes"), StreamCompression::None);
    /// ```
    pub fn of(bytes: &[u8]) -> Self {
        match bytes {
            [0x1f, 0x8b, 8, ..] => StreamCompression::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => StreamCompression::Zstd,
            // A window of 32 KiB, no dictionary, and one of four levels.
            [0x78, 0x01 | 0x5e | 0x9c | 0xda, ..] => StreamCompression::Zlib,
            _ => StreamCompression::None,
        }
    }

    /// The compression of a file to write that has this name: gzip of `.gz`, zstd of `.zst`.
    pub(crate) fn of_name(path: &Path) -> Self {
        match path.extension().and_then(|end| end.to_str()) {
            Some("gz") => StreamCompression::Gzip,
            Some("zst") => StreamCompression::Zstd,
            _ => StreamCompression::None,
        }
    }

    /// The bytes that `input` stands for.
    pub(crate) fn reader(self, input: impl BufRead + Send + 'static) -> Box<dyn BufRead + Send> {
        const BUFFER: usize = 1 << 16;
        match self {
            StreamCompression::None => Box::new(input),
            StreamCompression::Gzip => {
                Box::new(io::BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input)))
            }
            StreamCompression::Zlib => {
                Box::new(io::BufReader::with_capacity(BUFFER, ZlibDecoder::new(input)))
            }
            StreamCompression::Zstd => Box::new(io::BufReader::with_capacity(
                BUFFER,
                Frames { input: Some(Box::new(input)), frame: None },
            )),
        }
    }
}

/// The content of a file: mapped, or in memory where it is compressed by gzip or zstd.
///
/// # Errors
/// The file cannot be read or decompressed (`Input`), or there is not enough memory (`Environment`).
pub(crate) fn content(path: &Path) -> Result<RecordBytes> {
    let file = Arc::new(MappedFile::open(path)?);
    let compression = match StreamCompression::of(&file) {
        StreamCompression::None | StreamCompression::Zlib => {
            let length = file.len();
            return Ok(RecordBytes::mapped(&file, 0..length));
        }
        compression => compression,
    };
    let fail = |e: io::Error| Error::io("read", path, &e);
    let mut reader = compression.reader(BufReader::new(File::open(path).map_err(fail)?));
    let mut bytes = Vec::new();
    loop {
        // A growing vector takes up to three times the room for a moment.
        let more = (bytes.len() / 2).max(1 << 20);
        memory::check(2 * more, &format_args!("the content of {}", path.display()))?;
        match (&mut reader).take(more as u64).read_to_end(&mut bytes) {
            Ok(read) if read < more => return Ok(RecordBytes::from(bytes)),
            Ok(_) => {}
            Err(e) => {
                let text = format!("it cannot be read on: {e}");
                let offset = bytes.len() as u64;
                return Err(RecordDamage { path: path.into(), record: None, offset, text }.into());
            }
        }
    }
}

impl FromStr for StreamCompression {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "" | "uncompressed" => Ok(StreamCompression::None),
            "gzip" => Ok(StreamCompression::Gzip),
            "zlib" => Ok(StreamCompression::Zlib),
            "zstd" => Ok(StreamCompression::Zstd),
            _ => Err(Error::input(format!("`{text}` is no compression of a file"))
                .help("the compressions are uncompressed, gzip, zlib and zstd")),
        }
    }
}

type Input = Box<dyn BufRead + Send>;

/// Frames of zstd, one behind the other.
struct Frames {
    /// The input between frames.
    input: Option<Input>,
    frame: Option<Box<StreamingDecoder<Input, ruzstd::decoding::FrameDecoder>>>,
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(frame) = &mut self.frame {
                let read = frame.read(buffer)?;
                if read > 0 {
                    return Ok(read);
                }
                self.input = self.frame.take().map(|frame| frame.into_inner());
            }
            let Some(mut input) = self.input.take() else { return Ok(0) };
            let head = input.fill_buf()?;
            if head.is_empty() {
                self.input = Some(input);
                return Ok(0);
            }
            // A frame that is to be skipped has its length behind its mark.
            if (0x50..=0x5f).contains(&head[0]) {
                let mut header = [0; 8];
                input.read_exact(&mut header)?;
                let length = u64::from(u32::from_le_bytes([header[4], header[5], header[6], header[7]]));
                io::copy(&mut (&mut input).take(length), &mut io::sink())?;
                self.input = Some(input);
                continue;
            }
            let frame = StreamingDecoder::new(input).map_err(|e| io::Error::other(e.to_string()))?;
            self.frame = Some(Box::new(frame));
        }
    }
}

/// A writer that compresses what is written.
pub(crate) enum StreamWriter<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zlib(ZlibEncoder<W>),
    /// The bytes of the frame that is next.
    Zstd(W, Vec<u8>),
}

/// The bytes of a frame of zstd.
const FRAME: usize = 4 << 20;

impl<W: Write> Write for StreamWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        StreamWriter::write_all(self, bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> StreamWriter<W> {
    pub(crate) fn new(out: W, compression: StreamCompression) -> Self {
        match compression {
            StreamCompression::None => StreamWriter::Plain(out),
            StreamCompression::Gzip => StreamWriter::Gzip(GzEncoder::new(out, Compression::default())),
            StreamCompression::Zlib => StreamWriter::Zlib(ZlibEncoder::new(out, Compression::default())),
            StreamCompression::Zstd => StreamWriter::Zstd(out, Vec::new()),
        }
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            StreamWriter::Plain(out) => out.write_all(bytes),
            StreamWriter::Gzip(out) => out.write_all(bytes),
            StreamWriter::Zlib(out) => out.write_all(bytes),
            StreamWriter::Zstd(out, frame) => {
                frame.extend_from_slice(bytes);
                if frame.len() >= FRAME {
                    out.write_all(&codec::zstd(frame))?;
                    frame.clear();
                }
                Ok(())
            }
        }
    }

    pub(crate) fn finish(&mut self) -> io::Result<()> {
        match self {
            StreamWriter::Plain(_) => Ok(()),
            StreamWriter::Gzip(out) => out.try_finish(),
            StreamWriter::Zlib(out) => out.try_finish(),
            StreamWriter::Zstd(out, frame) => {
                out.write_all(&codec::zstd(frame))?;
                frame.clear();
                Ok(())
            }
        }
    }
}
