use std::io::Write;
use std::path::Path;

use jarrah_base::{Error, Result};

use super::index::MAGIC;
use super::options::ArrayRecordOptions;
use super::riegeli::{ChunkWriter, SIMPLE};
use crate::sources::codec::{self, RecordCompression};
use crate::sources::protobuf::{put_bytes, put_number, put_varint};
use crate::sources::record_writer::{RecordWriter, unwritten, whole};

/// The largest group of records, in bytes: it is decoded as a whole.
const LARGEST_GROUP: usize = 1 << 40;

/// Records that share a chunk: their sizes as varints, and their bytes.
#[derive(Default)]
struct Group {
    records: u64,
    sizes: Vec<u8>,
    values: Vec<u8>,
}

impl Group {
    fn push(&mut self, record: &[u8]) {
        self.records += 1;
        put_varint(&mut self.sizes, record.len() as u64);
        self.values.extend_from_slice(record);
    }

    /// The data of a simple chunk.
    fn encode(&self, compression: RecordCompression, window: Option<u32>) -> Result<Vec<u8>> {
        let packed = |bytes: &[u8]| -> Result<Vec<u8>> {
            let compressed = match compression {
                RecordCompression::None => return Ok(bytes.to_vec()),
                RecordCompression::Zstd(_) => codec::zstd(bytes),
                RecordCompression::Brotli(quality) => codec::brotli(bytes, quality, window.unwrap_or(22))?,
                RecordCompression::Snappy => codec::snap(bytes)?,
            };
            let mut out = Vec::with_capacity(compressed.len() + 10);
            put_varint(&mut out, bytes.len() as u64);
            out.extend_from_slice(&compressed);
            Ok(out)
        };
        let kind = match compression {
            RecordCompression::None => 0,
            RecordCompression::Zstd(_) => b'z',
            RecordCompression::Brotli(_) => b'b',
            RecordCompression::Snappy => b's',
        };
        let sizes = packed(&self.sizes)?;
        let mut data = vec![kind];
        put_varint(&mut data, sizes.len() as u64);
        data.extend_from_slice(&sizes);
        match compression {
            RecordCompression::None => data.extend_from_slice(&self.values),
            _ => data.extend_from_slice(&packed(&self.values)?),
        }
        Ok(data)
    }
}

/// A writer of an ArrayRecord file.
///
/// The index of all groups is held in memory until the end: 24 bytes for each.
///
/// ```
/// use jarrah_data::{ArrayRecordOptions, ArrayRecordWriter, RecordWriter};
/// let mut writer = ArrayRecordWriter::new(Vec::new(), &"group_size:2,uncompressed".parse()?)?;
/// writer.write(b"so it goes")?;
/// writer.finish()?;
/// // A file has blocks of 64 KiB.
/// assert_eq!(writer.into_inner().len(), 2 << 16);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `array_record.python.array_record_module.ArrayRecordWriter`.
pub struct ArrayRecordWriter<W> {
    chunks: ChunkWriter<W>,
    options: ArrayRecordOptions,
    group: Group,
    /// For each group its offset, its size when decoded, and its number of records.
    index: Vec<[u64; 3]>,
    finished: bool,
}

impl<W: Write> ArrayRecordWriter<W> {
    /// A file that is written to `out`.
    ///
    /// # Errors
    /// A group is to have no record (`Input`), or the beginning of the file cannot be written (`Environment`).
    pub fn new(out: W, options: &ArrayRecordOptions) -> Result<Self> {
        if options.group_size == 0 {
            return Err(Error::input("a group of an ArrayRecord file must have at least one record"));
        }
        let chunks = ChunkWriter::new(out).map_err(unwritten)?;
        let options = options.clone();
        Ok(ArrayRecordWriter { chunks, options, group: Group::default(), index: Vec::new(), finished: false })
    }

    /// The file, which is complete after [`finish`](RecordWriter::finish).
    pub fn into_inner(self) -> W {
        self.chunks.into_inner()
    }

    fn end_group(&mut self) -> Result<()> {
        let data = self.group.encode(self.options.compression, self.options.window_log)?;
        let (records, size) = (self.group.records, self.group.values.len() as u64);
        let at = self.chunks.chunk(SIMPLE, records, size, &data).map_err(unwritten)?;
        self.index.push([at, size, records]);
        self.group.records = 0;
        self.group.sizes.clear();
        self.group.values.clear();
        match self.options.pad_to_block_boundary {
            true => self.chunks.pad().map_err(unwritten),
            false => Ok(()),
        }
    }

    /// The index, and the place of the index three times over in a block of its own.
    fn write_footer(&mut self) -> Result<()> {
        let mut about = Vec::new();
        put_number(&mut about, 1, 1);
        put_number(&mut about, 2, self.index.len() as u64);
        put_number(&mut about, 3, self.index.iter().map(|[_, _, records]| records).sum());
        put_bytes(&mut about, 4, self.options.to_string().as_bytes());
        let mut group = Group::default();
        let mut record = Vec::new();
        put_bytes(&mut record, 1, &about);
        group.push(&record);
        for entry in &self.index {
            record.clear();
            for (field, &value) in (1..).zip(entry) {
                put_number(&mut record, field, value);
            }
            group.push(&record);
        }
        let at = self.write_chunk(&group, self.options.compression)?;
        record.clear();
        put_number(&mut record, 1, at);
        put_number(&mut record, 2, MAGIC);
        let mut group = Group::default();
        (0..3).for_each(|_| group.push(&record));
        self.write_chunk(&group, RecordCompression::None).map(|_| ())
    }

    /// Writes a group, which the rest of its block is left to.
    fn write_chunk(&mut self, group: &Group, compression: RecordCompression) -> Result<u64> {
        let data = group.encode(compression, self.options.window_log)?;
        let size = group.values.len() as u64;
        let at = self.chunks.chunk(SIMPLE, group.records, size, &data).map_err(unwritten)?;
        self.chunks.pad().map_err(unwritten)?;
        Ok(at)
    }
}

impl<W: Write> RecordWriter for ArrayRecordWriter<W> {
    fn write(&mut self, record: &[u8]) -> Result<()> {
        if self.finished {
            return Err(Error::program("the ArrayRecord file is finished: no record can follow"));
        }
        if self.group.values.len() + record.len() > LARGEST_GROUP {
            return Err(
                Error::input("the records of a group have more than 2^40 bytes").help("give fewer a group")
            );
        }
        self.group.push(record);
        match self.group.records >= u64::from(self.options.group_size) {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<()> {
        if self.finished {
            return Ok(());
        }
        self.finished = true;
        if self.group.records > 0 {
            self.end_group()?;
        }
        self.write_footer()
    }
}

impl ArrayRecordWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the records that `write` writes: it appears whole, or not at all.
    ///
    /// # Errors
    /// An error of `write`, or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        options: &ArrayRecordOptions,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        whole(path.as_ref(), &mut |out| {
            let mut writer = ArrayRecordWriter::new(out, options)?;
            write(&mut writer)?;
            writer.finish()
        })
    }
}
