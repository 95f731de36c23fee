//! TFRecord: records between their length and checksums (CRC-32C, rotated), plain or as a stream of gzip or zlib.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use jarrah_base::{Error, MappedFile, Result, memory};

use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};
use super::record_stream::{Framed, Framing, RecordStream, Skip};
use super::record_writer::{RecordWriter, unwritten, whole};
use super::stream_codec::{StreamCompression, StreamWriter};

const HEADER: usize = 12;
const FOOTER: usize = 4;

/// The checksum that is stored: rotated and moved, so that checksums of checksums differ.
fn masked(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// The length of a record, of which the header tells; `None` where its checksum does not fit.
fn length(header: &[u8]) -> Option<u64> {
    let mut word = [0; 8];
    word.copy_from_slice(&header[..8]);
    (masked(&header[..8]) == number(&header[8..])).then(|| u64::from_le_bytes(word))
}

const LENGTH_DAMAGE: &str =
    "the checksum of a record's length does not fit: the rest of the file cannot be read";
const DATA_DAMAGE: &str = "the checksum of a record does not fit";
const CUT: &str = "the file ends within a record";

/// TFRecord files.
///
/// ```
/// use jarrah_data::{RandomAccess, RecordWriter, TfRecord, TfRecordWriter};
/// let path = std::env::temp_dir().join(format!("doc-{}.tfrecord", std::process::id()));
/// TfRecordWriter::write_file(&path, "".parse()?, &mut |writer| writer.write(b"so it goes"))?;
/// assert_eq!(&*TfRecord::open(&[&path])?.get(0)?, b"so it goes");
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `tf.data.TFRecordDataset`, `tf.io.TFRecordWriter`; `grain.TFRecordIterDataset`.
pub struct TfRecord;

impl TfRecord {
    /// The records of these plain files, by number: each file is gone through once to find them, 8 bytes of memory for each.
    ///
    /// # Errors
    /// A file cannot be read, is compressed, or is damaged so that its records cannot be told apart (`Input`).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
        Self::open_with(paths, OnDamage::Fail)
    }

    /// As [`open`](Self::open), with a treatment of damage. Where damaged records are left out, the records before a damaged length are found.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> Result<RecordFiles> {
        let files = paths.iter().map(|path| open_file(path.as_ref(), on_damage));
        Ok(RecordFiles::new(files.collect::<Result<_>>()?, on_damage))
    }

    /// The records of these files in order. Files compressed by gzip or zlib are known by their first bytes.
    pub fn in_order<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> RecordStream {
        RecordStream::new(paths, Arc::new(TfRecordFraming), on_damage)
    }
}

/// The records of a plain file, by number.
pub(crate) fn open_file(path: &Path, on_damage: OnDamage) -> Result<Box<dyn RecordFile>> {
    Ok(Box::new(TfRecordFile::open(path, on_damage)?))
}

struct TfRecordFile {
    path: Arc<Path>,
    file: Arc<MappedFile>,
    /// Where each record begins, and where the last one ends.
    starts: Vec<u64>,
    damage: Vec<RecordDamage>,
}

impl TfRecordFile {
    fn open(path: &Path, on_damage: OnDamage) -> Result<Self> {
        let file = Arc::new(MappedFile::open(path)?);
        let path: Arc<Path> = path.into();
        let (mut starts, mut damage) = (vec![0], Vec::new());
        let mut at = 0_u64;
        while at < file.len() as u64 {
            let start = at as usize;
            let length = file.get(start..start + HEADER).map(length);
            let end = length
                .flatten()
                .and_then(|length| at.checked_add(length)?.checked_add((HEADER + FOOTER) as u64));
            let text = match (length, end) {
                (Some(Some(_)), Some(end)) if end <= file.len() as u64 => {
                    at = end;
                    starts.push(at);
                    continue;
                }
                (Some(None), _) => LENGTH_DAMAGE,
                _ => CUT,
            };
            let record = Some(starts.len() as u64 - 1);
            let found = RecordDamage { path: path.clone(), record, offset: at, text: text.to_owned() };
            if on_damage == OnDamage::Fail {
                let is_compressed = at == 0 && compression(&file) != StreamCompression::None;
                let error: Error = found.into();
                return Err(match is_compressed {
                    true => {
                        error.with_help("a compressed file is read in order only: by `TfRecord::in_order`")
                    }
                    false => error,
                });
            }
            damage.push(found);
            break;
        }
        Ok(TfRecordFile { path, file, starts, damage })
    }
}

impl RecordFile for TfRecordFile {
    fn len(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let [start, end] = [record, record + 1].map(|i| self.starts[i as usize] as usize);
        let data = start + HEADER..end - FOOTER;
        if masked(&self.file[data.clone()]) != number(&self.file[data.end..]) {
            return Err(ReadFault::Damaged(RecordDamage {
                path: self.path.clone(),
                record: Some(record),
                offset: data.start as u64,
                text: DATA_DAMAGE.to_owned(),
            }));
        }
        Ok(RecordBytes::mapped(&self.file, data))
    }

    fn damage(&self) -> &[RecordDamage] {
        &self.damage
    }
}

struct TfRecordFraming;

/// Whether content begins with a record.
pub(crate) fn begins(head: &[u8]) -> bool {
    head.get(..HEADER).and_then(length).is_some()
}

/// The compression of a file that begins with these bytes: a length with its checksum is none.
pub(crate) fn compression(head: &[u8]) -> StreamCompression {
    if begins(head) { StreamCompression::None } else { StreamCompression::of(head) }
}

impl Framing for TfRecordFraming {
    fn compression(&self, head: &[u8]) -> StreamCompression {
        compression(head)
    }

    fn next(&self, mut input: &mut dyn BufRead) -> io::Result<Framed> {
        let mut header = [0; HEADER];
        let got = fill(&mut input, &mut header)?;
        if got == 0 {
            return Ok(Framed::End);
        }
        let Some(length) = (got == HEADER).then(|| length(&header)).flatten() else {
            let text = if got == HEADER { LENGTH_DAMAGE } else { CUT };
            return Ok(Framed::Damaged { text: text.to_owned(), read: got as u64, skip: Skip::File });
        };
        let size = usize::try_from(length).unwrap_or(usize::MAX).saturating_add(FOOTER);
        if let Err(e) = memory::check(size, &"a record") {
            return Ok(Framed::Failed(e));
        }
        // The room grows as the bytes come: a length is only believed once they are there.
        let mut data = Vec::with_capacity(size.min(1 << 20));
        input.take(size as u64).read_to_end(&mut data)?;
        let read = (HEADER + data.len()) as u64;
        if data.len() < size {
            return Ok(Framed::Damaged { text: CUT.to_owned(), read, skip: Skip::File });
        }
        let sum = number(&data[size - FOOTER..]);
        data.truncate(size - FOOTER);
        match masked(&data) == sum {
            true => Ok(Framed::Record { bytes: data, read }),
            false => Ok(Framed::Damaged { text: DATA_DAMAGE.to_owned(), read, skip: Skip::Record }),
        }
    }
}

/// Fills `buffer` as far as there are bytes.
fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < buffer.len() {
        match input.read(&mut buffer[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(got)
}

/// How TFRecord files are compressed. As text: nothing, `gzip` or `zlib`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TfRecordOptions {
    /// The compression of the whole file: none, gzip or zlib.
    pub compression: StreamCompression,
}

impl FromStr for TfRecordOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let compression = text.parse()?;
        match compression {
            StreamCompression::Zstd => Err(Error::input("TFRecord files are not compressed by zstd")
                .help("they have gzip, zlib, or no compression")),
            compression => Ok(TfRecordOptions { compression }),
        }
    }
}

/// A writer of a TFRecord file.
///
/// Source: `tf.io.TFRecordWriter`.
pub struct TfRecordWriter<W: Write> {
    out: StreamWriter<W>,
}

impl<W: Write> TfRecordWriter<W> {
    /// A file that is written to `out`.
    pub fn new(out: W, options: TfRecordOptions) -> Self {
        TfRecordWriter { out: StreamWriter::new(out, options.compression) }
    }
}

impl<W: Write> RecordWriter for TfRecordWriter<W> {
    fn write(&mut self, record: &[u8]) -> Result<()> {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&(record.len() as u64).to_le_bytes());
        let sum = masked(&header[..8]);
        header[8..].copy_from_slice(&sum.to_le_bytes());
        let footer = masked(record).to_le_bytes();
        [&header[..], record, &footer]
            .into_iter()
            .try_for_each(|part| self.out.write_all(part))
            .map_err(unwritten)
    }

    fn finish(&mut self) -> Result<()> {
        self.out.finish().map_err(unwritten)
    }
}

impl TfRecordWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the records that `write` writes: it appears whole, or not at all.
    ///
    /// # Errors
    /// An error of `write`, or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        options: TfRecordOptions,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        whole(path.as_ref(), &mut |out| {
            let mut writer = TfRecordWriter::new(out, options);
            write(&mut writer)?;
            writer.finish()
        })
    }
}
