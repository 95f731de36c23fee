//! Text whose records are lines, and JSON Lines, whose records are lines that are not blank.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use jarrah_base::{Error, MappedFile, Result};

use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};
use super::record_stream::{Framed, Framing, RecordStream, Skip};
use super::record_writer::{RecordWriter, unwritten, whole};
use super::stream_codec::{StreamCompression, StreamWriter};

/// The longest line: what is longer is no text.
const LONGEST: usize = 1 << 30;

fn too_long() -> String {
    format!("a line has more than {LONGEST} bytes")
}

/// A line without the mark of its end.
fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

macro_rules! lines {
    ($(#[$doc:meta])* $name:ident, $skips_blank:literal) => {
        $(#[$doc])*
        pub struct $name;

        impl $name {
            /// The lines of these plain files, by number: each file is gone through once to find them, 8 bytes of memory for each.
            ///
            /// # Errors
            /// A file cannot be read, or is compressed (`Input`).
            pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
                open(paths, $skips_blank)
            }

            /// The lines of these files in order; files compressed by gzip or zstd are known by their first bytes.
            pub fn in_order<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> RecordStream {
                RecordStream::new(paths, Arc::new(LineFraming { skips_blank: $skips_blank }), on_damage)
            }
        }
    };
}

lines! {
    /// JSON Lines: each record is a line, as it is written; blank lines are none. The lines are not parsed.
    ///
    /// ```
    /// use jarrah_data::{JsonLines, RandomAccess};
    /// let path = std::env::temp_dir().join(format!("lines-{}.jsonl", std::process::id()));
    /// std::fs::write(&path, "{\"a\": 1}\n\n{\"a\": 2}\n").unwrap();
    /// assert_eq!(&*JsonLines::open(&[&path])?.get(1)?, b"{\"a\": 2}");
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    JsonLines, true
}

lines! {
    /// Text: each record is a line, without the mark of its end.
    ///
    /// ```
    /// use jarrah_data::{RandomAccess, TextLines};
    /// let path = std::env::temp_dir().join(format!("lines-{}.txt", std::process::id()));
    /// std::fs::write(&path, "so\r\nit\n\ngoes").unwrap();
    /// let lines = TextLines::open(&[&path])?;
    /// assert_eq!((lines.len(), &*lines.get(0)?, &*lines.get(3)?), (4, &b"so"[..], &b"goes"[..]));
    /// # std::fs::remove_file(&path).unwrap();
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    TextLines, false
}

fn open<P: AsRef<Path>>(paths: &[P], skips_blank: bool) -> Result<RecordFiles> {
    let open = |path: &P| -> Result<Box<dyn RecordFile>> {
        Ok(Box::new(LineFile::open(path.as_ref(), skips_blank)?))
    };
    Ok(RecordFiles::new(paths.iter().map(open).collect::<Result<_>>()?, OnDamage::Fail))
}

struct LineFile {
    file: Arc<MappedFile>,
    /// Where each line begins.
    starts: Vec<u64>,
}

impl LineFile {
    fn open(path: &Path, skips_blank: bool) -> Result<Self> {
        let file = Arc::new(MappedFile::open(path)?);
        let compression = compression(&file);
        if compression != StreamCompression::None {
            return Err(Error::input(format!("{} is compressed ({compression:?})", path.display()))
                .help("the lines of a compressed file are read in order only: by `in_order`"));
        }
        let (mut starts, mut at) = (Vec::new(), 0);
        for line in file.split_inclusive(|&byte| byte == b'\n') {
            if !skips_blank || !is_blank(line) {
                starts.push(at as u64);
            }
            at += line.len();
        }
        Ok(LineFile { file, starts })
    }
}

impl RecordFile for LineFile {
    fn len(&self) -> u64 {
        self.starts.len() as u64
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let start = self.starts[record as usize] as usize;
        let rest = &self.file[start..];
        // Blank lines may stand before the next record.
        let next = self.starts.get(record as usize + 1).map_or(rest.len(), |&next| next as usize - start);
        let end = rest[..next].iter().position(|&byte| byte == b'\n').unwrap_or(next);
        Ok(RecordBytes::mapped(&self.file, start..start + trimmed(&rest[..end]).len()))
    }

    fn damage(&self) -> &[RecordDamage] {
        &[]
    }
}

struct LineFraming {
    skips_blank: bool,
}

/// The compression of a file that begins with these bytes. A text may begin like a stream of zlib: with `x^`.
fn compression(head: &[u8]) -> StreamCompression {
    match StreamCompression::of(head) {
        StreamCompression::Zlib => StreamCompression::None,
        compression => compression,
    }
}

impl Framing for LineFraming {
    fn compression(&self, head: &[u8]) -> StreamCompression {
        compression(head)
    }

    fn next(&self, input: &mut dyn BufRead) -> io::Result<Framed> {
        let mut read = 0;
        loop {
            let mut line = Vec::new();
            let got = (&mut *input).take(LONGEST as u64 + 1).read_until(b'\n', &mut line)?;
            if got == 0 {
                return Ok(Framed::End);
            }
            read += got as u64;
            if got > LONGEST {
                return Ok(Framed::Damaged { text: too_long(), read, skip: Skip::File });
            }
            if self.skips_blank && is_blank(&line) {
                continue;
            }
            line.truncate(trimmed(&line).len());
            return Ok(Framed::Record { bytes: line, read });
        }
    }
}

/// How files of lines are compressed. As text: nothing, `gzip` or `zstd`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineOptions {
    /// The compression of the whole file: none, gzip or zstd.
    pub compression: StreamCompression,
}

impl FromStr for LineOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.parse()? {
            StreamCompression::Zlib => {
                Err(Error::input("files of lines are not compressed by zlib, which shows no mark")
                    .help("they have gzip, zstd, or no compression"))
            }
            compression => Ok(LineOptions { compression }),
        }
    }
}

/// A writer of lines, of text or of JSON.
pub struct LineWriter<W: Write> {
    out: StreamWriter<W>,
    written: u64,
}

impl<W: Write> LineWriter<W> {
    /// A file that is written to `out`.
    pub fn new(out: W, options: LineOptions) -> Self {
        LineWriter { out: StreamWriter::new(out, options.compression), written: 0 }
    }
}

impl<W: Write> RecordWriter for LineWriter<W> {
    /// # Errors
    /// The record has a line feed, or ends with a carriage return, and would not be read as it is (`Input`).
    fn write(&mut self, record: &[u8]) -> Result<()> {
        if record.contains(&b'\n') || record.ends_with(b"\r") {
            return Err(Error::input(format!(
                "record {} is no line: it has a line feed within",
                self.written
            ))
            .help("convert records of bytes to ArrayRecord, Bagz or TFRecord"));
        }
        self.written += 1;
        self.out.write_all(record).and_then(|()| self.out.write_all(b"\n")).map_err(unwritten)
    }

    fn finish(&mut self) -> Result<()> {
        self.out.finish().map_err(unwritten)
    }
}

impl LineWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the lines that `write` writes: it appears whole, or not at all.
    ///
    /// # Errors
    /// An error of `write`, or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        options: LineOptions,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        whole(path.as_ref(), &mut |out| {
            let mut writer = LineWriter::new(out, options);
            write(&mut writer)?;
            writer.finish()
        })
    }
}
