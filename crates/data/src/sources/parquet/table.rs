use std::io::{self, Write};
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use ::parquet::basic::{Compression, ConvertedType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::Type;
use jarrah_base::{Error, Result};

use crate::sources::json_object::{JsonObject, plain};
use crate::sources::record_writer::{RecordWriter, unwritten, whole};

/// How Parquet files are written. As text: `uncompressed`, `snappy` (as without a word), `lz4`, `gzip` or `brotli`, and `rows:65536`, the most rows of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParquetOptions {
    compression: Compression,
    rows: usize,
}

impl Default for ParquetOptions {
    /// Snappy, in groups of 65536 rows.
    fn default() -> Self {
        ParquetOptions { compression: Compression::SNAPPY, rows: 1 << 16 }
    }
}

impl FromStr for ParquetOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut options = ParquetOptions::default();
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            let rows =
                option.strip_prefix("rows:").and_then(|rows| rows.parse().ok()).filter(|&rows| rows > 0);
            match (option, rows) {
                (_, Some(rows)) => options.rows = rows,
                ("uncompressed", _) => options.compression = Compression::UNCOMPRESSED,
                ("snappy", _) => options.compression = Compression::SNAPPY,
                ("gzip", _) => options.compression = Compression::GZIP(Default::default()),
                ("lz4", _) => options.compression = Compression::LZ4_RAW,
                ("brotli", _) => options.compression = Compression::BROTLI(Default::default()),
                _ => {
                    return Err(Error::input(format!("`{option}` is no option of Parquet"))
                        .help("the options are uncompressed, snappy, lz4, gzip, brotli and rows:N"));
                }
            }
        }
        Ok(options)
    }
}

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Int,
    Float,
    Text,
}

impl Kind {
    /// The type of a value, of which this is the text; `None` for null.
    fn of(value: &str) -> Option<Self> {
        match value.as_bytes().first() {
            Some(b'n') => None,
            Some(b't' | b'f') => Some(Kind::Bool),
            Some(b'-' | b'0'..=b'9') => {
                Some(if value.parse::<i64>().is_ok() { Kind::Int } else { Kind::Float })
            }
            _ => Some(Kind::Text),
        }
    }

    /// The type that has the values of two.
    fn with(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Kind::Int, Kind::Float) | (Kind::Float, Kind::Int) => Kind::Float,
            _ => Kind::Text,
        }
    }
}

/// The bytes that a file's writer has given and that were not written yet.
#[derive(Clone, Default)]
struct Pending(Arc<Mutex<Vec<u8>>>);

impl Pending {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer of a Parquet file. Records are objects of JSON; the keys of the first group of rows are the columns. A column of numbers, of texts or of truth values has
/// their type, any other has values of JSON as texts.
pub struct ParquetWriter<W> {
    out: W,
    options: ParquetOptions,
    rows: Vec<JsonObject>,
    columns: Vec<(String, Kind)>,
    file: Option<SerializedFileWriter<Pending>>,
    pending: Pending,
    written: u64,
}

fn failed(e: ParquetError) -> Error {
    Error::internal(format!("a Parquet file cannot be written: {e}"))
}

impl<W: Write> ParquetWriter<W> {
    /// A file that is written to `out`.
    pub fn new(out: W, options: ParquetOptions) -> Self {
        let pending = Pending::default();
        ParquetWriter { out, options, rows: Vec::new(), columns: Vec::new(), file: None, pending, written: 0 }
    }

    /// The file, of which the columns are those of the rows that wait.
    fn begin(&mut self) -> Result<SerializedFileWriter<Pending>> {
        for (name, _) in self.rows.iter().flat_map(|row| &row.0) {
            if self.columns.iter().all(|column| column.0 != *name) {
                let kinds = self.rows.iter().filter_map(|row| Kind::of(row.get(name)?));
                self.columns.push((name.clone(), kinds.reduce(Kind::with).unwrap_or(Kind::Text)));
            }
        }
        let field = |(name, kind): &(String, Kind)| {
            let (physical, converted) = match kind {
                Kind::Bool => (Physical::BOOLEAN, ConvertedType::NONE),
                Kind::Int => (Physical::INT64, ConvertedType::NONE),
                Kind::Float => (Physical::DOUBLE, ConvertedType::NONE),
                Kind::Text => (Physical::BYTE_ARRAY, ConvertedType::UTF8),
            };
            let builder = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
            builder.with_converted_type(converted).build().map(Arc::new)
        };
        let fields = self.columns.iter().map(field).collect::<Result<_, _>>().map_err(failed)?;
        let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(failed)?;
        let properties = WriterProperties::builder().set_compression(self.options.compression).build();
        SerializedFileWriter::new(self.pending.clone(), Arc::new(schema), Arc::new(properties))
            .map_err(failed)
    }

    /// Writes the rows that wait as a group.
    fn end_group(&mut self) -> Result<()> {
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.begin()?,
        };
        let rows = std::mem::take(&mut self.rows);
        let first = self.written - rows.len() as u64;
        for (i, row) in rows.iter().enumerate() {
            for (name, value) in &row.0 {
                let column = self.columns.iter().find(|column| column.0 == *name);
                let fits = |known: Kind| Kind::of(value.get()).is_none_or(|kind| known.with(kind) == known);
                if !column.is_some_and(|column| fits(column.1)) {
                    return Err(Error::input(format!(
                        "record {} has a value of {name:?} that the column of the first {} records does not have",
                        first + i as u64,
                        self.options.rows
                    ))
                    .help("write with larger groups, such as --options rows:1000000"));
                }
            }
        }
        if !rows.is_empty() {
            let mut group = file.next_row_group().map_err(failed)?;
            self.columns
                .iter()
                .try_for_each(|column| write_column(&mut group, &rows, column))
                .map_err(failed)?;
            group.close().map_err(failed)?;
        }
        self.file = Some(file);
        self.out.write_all(&self.pending.take()).map_err(unwritten)
    }
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Pending>,
    rows: &[JsonObject],
    (name, _): &(String, Kind),
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let value = |row: &JsonObject| row.get(name).filter(|value| *value != "null").map(str::to_owned);
    let values = || rows.iter().filter_map(value);
    let levels: Vec<i16> = rows.iter().map(|row| i16::from(value(row).is_some())).collect();
    let levels = Some(&levels[..]);
    match column.untyped() {
        ColumnWriter::BoolColumnWriter(writer) => {
            let values: Vec<bool> = values().map(|value| value == "true").collect();
            writer.write_batch(&values, levels, None)?;
        }
        ColumnWriter::Int64ColumnWriter(writer) => {
            let values: Vec<i64> = values().filter_map(|value| value.parse().ok()).collect();
            writer.write_batch(&values, levels, None)?;
        }
        ColumnWriter::DoubleColumnWriter(writer) => {
            let values: Vec<f64> = values().filter_map(|value| value.parse().ok()).collect();
            writer.write_batch(&values, levels, None)?;
        }
        ColumnWriter::ByteArrayColumnWriter(writer) => {
            let values: Vec<ByteArray> =
                values().map(|value| ByteArray::from(plain(&value).into_bytes())).collect();
            writer.write_batch(&values, levels, None)?;
        }
        _ => return Err(ParquetError::General("a column has a type that was not asked for".to_owned())),
    }
    column.close()
}

impl<W: Write> RecordWriter for ParquetWriter<W> {
    /// # Errors
    /// The record is no object of JSON, or, at the end of a group of rows, has a key or a value that its column does not have (`Input`).
    fn write(&mut self, record: &[u8]) -> Result<()> {
        let Some(row) = JsonObject::read(record) else {
            return Err(Error::input(format!(
                "record {} is no object of JSON, which a row of Parquet is made of",
                self.written
            )));
        };
        self.rows.push(row);
        self.written += 1;
        if self.rows.len() >= self.options.rows { self.end_group() } else { Ok(()) }
    }

    fn finish(&mut self) -> Result<()> {
        if !self.rows.is_empty() || self.file.is_none() {
            self.end_group()?;
        }
        if let Some(file) = self.file.take() {
            file.close().map_err(failed)?;
        }
        self.out.write_all(&self.pending.take()).map_err(unwritten)
    }
}

impl ParquetWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the records that `write` writes: it appears whole, or not at all.
    ///
    /// # Errors
    /// An error of `write`, or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        options: ParquetOptions,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        whole(path.as_ref(), &mut |out| {
            let mut writer = ParquetWriter::new(out, options);
            write(&mut writer)?;
            writer.finish()
        })
    }
}
