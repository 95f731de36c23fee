use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use ::parquet::errors::ParquetError;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::serialized_reader::ReadOptionsBuilder;
use ::parquet::record::reader::RowIter;
use ::parquet::record::{Field, Row};
use jarrah_base::{Error, Result};
use serde_json::{Map, Value};

use crate::sources::guard::guarded;
use crate::sources::json_object::{bytes_value, double_value, single_value};
use crate::sources::record_bytes::RecordBytes;
use crate::sources::record_files::{OnDamage, RecordDamage};
use crate::sources::record_stream::{OrderedFiles, Step, StepReader};
use crate::sources::source::{RecordSource, SourceReader};

/// Parquet files. A record is a row as an object of JSON: numbers, texts, lists and structs are those of JSON, bytes that are no UTF-8 are in base64, dates and times are
/// texts, and what JSON does not have (NaN, infinities) is null.
///
/// Pages may be uncompressed or compressed by Snappy, Brotli, LZ4 or gzip. Pages in zstd are refused.
///
/// Source: `grain.ParquetIterDataset`; Apache Parquet.
pub struct Parquet;

impl Parquet {
    /// The rows of these files, in order. A position is a file and the number of a row in it.
    pub fn in_order<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> ParquetRecords {
        ParquetRecords(Arc::new(OrderedFiles::new(paths, on_damage)))
    }
}

/// The rows of Parquet files, in order.
#[derive(Clone)]
pub struct ParquetRecords(Arc<OrderedFiles>);

impl ParquetRecords {
    /// The number of times that a group of rows was left out.
    pub fn skipped(&self) -> u64 {
        self.0.skipped()
    }

    /// The number of sound rows, and all damage there is: each row is read.
    ///
    /// # Errors
    /// A file cannot be opened.
    pub fn verify(&self) -> Result<(u64, Vec<RecordDamage>)> {
        RowReader::new(self.0.clone()).verify()
    }
}

impl RecordSource for ParquetRecords {
    type Item = RecordBytes;

    fn reader(&self) -> Result<Box<dyn SourceReader<RecordBytes>>> {
        Ok(Box::new(RowReader::new(self.0.clone())))
    }
}

/// The groups of rows of an open file from one on.
struct OpenFile {
    rows: RowIter<'static>,
    /// For each group, where its pages begin, and the number of rows up to its end.
    groups: Vec<(u64, u64)>,
}

struct RowReader {
    files: Arc<OrderedFiles>,
    file: usize,
    /// The row of the file that is next.
    row: u64,
    open: Option<OpenFile>,
}

fn opened(path: &Path) -> Result<Result<SerializedFileReader<File>, String>> {
    let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
    Ok(guarded(|| SerializedFileReader::new(file)))
}

/// Opens a file at a row.
fn open_at(path: &Path, row: u64) -> Result<Result<OpenFile, String>> {
    let whole = match opened(path)? {
        Ok(reader) => reader,
        Err(text) => return Ok(Err(text)),
    };
    let mut end = 0_u64;
    let groups: Vec<(u64, u64)> = whole
        .metadata()
        .row_groups()
        .iter()
        .map(|group| {
            end = end.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
            let at = group.columns().first().map_or(0, |column| column.data_page_offset());
            (u64::try_from(at).unwrap_or(0), end)
        })
        .collect();
    let first = groups.partition_point(|group| group.1 <= row);
    let before = if first == 0 { 0 } else { groups[first - 1].1 };
    let options = ReadOptionsBuilder::new().with_predicate(Box::new(move |_, i| i >= first)).build();
    let file = File::open(path).map_err(|e| Error::io("read", path, &e))?;
    Ok(guarded(|| -> Result<_, ParquetError> {
        let reader = SerializedFileReader::new_with_options(file, options)?;
        let mut rows = RowIter::from_file_into(Box::new(reader));
        for _ in before..row {
            rows.next().transpose()?;
        }
        Ok(OpenFile { rows, groups })
    }))
}

impl RowReader {
    fn new(files: Arc<OrderedFiles>) -> Self {
        RowReader { files, file: 0, row: 0, open: None }
    }
}

impl StepReader for RowReader {
    fn files(&self) -> &OrderedFiles {
        &self.files
    }

    fn at(&self) -> (usize, u64) {
        (self.file, self.row)
    }

    fn go_to(&mut self, file: usize, place: u64) {
        (self.file, self.row, self.open) = (file, place, None);
    }

    fn step(&mut self) -> Result<Step> {
        loop {
            let Some(path) = self.files.paths.get(self.file).cloned() else { return Ok(Step::End) };
            let damaged = |record, offset, text| {
                Step::Damaged(RecordDamage { path: path.clone(), record, offset, text })
            };
            let open = match &mut self.open {
                Some(open) => open,
                none => match open_at(&path, self.row)? {
                    Ok(open) => none.insert(open),
                    Err(text) => {
                        let step = damaged(None, 0, text);
                        self.go_to(self.file + 1, 0);
                        return Ok(step);
                    }
                },
            };
            match guarded(|| Ok::<_, ParquetError>(open.rows.next().transpose()?.map(json))) {
                Ok(Some(row)) => {
                    self.row += 1;
                    return Ok(Step::Record(row.to_string().into_bytes()));
                }
                Ok(None) => self.go_to(self.file + 1, 0),
                Err(text) => {
                    // The rest of the group of rows is lost.
                    let group = open.groups.partition_point(|group| group.1 <= self.row);
                    let (at, end) = open.groups.get(group).copied().unwrap_or((0, u64::MAX));
                    let step = damaged(
                        Some(self.row),
                        at,
                        format!("the row, and the rest of its group of rows: {text}"),
                    );
                    match open.groups.len() > group + 1 {
                        true => (self.row, self.open) = (end, None),
                        false => self.go_to(self.file + 1, 0),
                    }
                    return Ok(step);
                }
            }
        }
    }
}

fn json(row: Row) -> Value {
    Value::Object(row.into_columns().into_iter().map(|(name, field)| (name, value(&field))).collect())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(x) => (*x).into(),
        Field::Byte(x) => (*x).into(),
        Field::Short(x) => (*x).into(),
        Field::Int(x) => (*x).into(),
        Field::Long(x) => (*x).into(),
        Field::UByte(x) => (*x).into(),
        Field::UShort(x) => (*x).into(),
        Field::UInt(x) => (*x).into(),
        Field::ULong(x) => (*x).into(),
        Field::Float16(x) => double_value(f64::from(*x)),
        Field::Float(x) => single_value(*x),
        Field::Double(x) => double_value(*x),
        Field::Str(text) => text.clone().into(),
        Field::Bytes(bytes) => bytes_value(bytes.data()),
        Field::Group(row) => {
            Value::Object(row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect())
        }
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::MapInternal(map) => {
            let key = |field: &Field| match value(field) {
                Value::String(text) => text,
                other => other.to_string(),
            };
            Value::Object(
                map.entries().iter().map(|(name, field)| (key(name), value(field))).collect::<Map<_, _>>(),
            )
        }
        Field::Decimal(_)
        | Field::Date(_)
        | Field::TimeMillis(_)
        | Field::TimeMicros(_)
        | Field::TimestampMillis(_)
        | Field::TimestampMicros(_) => field.to_string().trim_matches('"').into(),
    }
}
