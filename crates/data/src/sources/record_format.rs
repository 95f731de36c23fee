//! Formats of records by name and by content: looking into files, and converting them.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use jarrah_base::{Error, MappedFile, Result};
use serde_json::Value;

use super::array_record::{ArrayRecord, ArrayRecordWriter};
#[cfg(feature = "arrow")]
use super::arrow::{self, Arrow};
use super::bagz::{self, Bagz, BagzOptions, BagzWriter};
use super::csv::{Csv, CsvOptions, CsvWriter};
use super::hugging_face::{self, HuggingFaceFolder};
use super::image_folder::ImageFolder;
use super::json_object::JsonObject;
use super::lines::{JsonLines, LineWriter, TextLines};
#[cfg(feature = "parquet")]
use super::parquet::{Parquet, ParquetRecords, ParquetWriter};
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, RecordDamage, RecordFiles};
use super::record_schema::RecordSchema;
use super::record_stream::RecordStream;
use super::record_writer::RecordWriter;
use super::source::{InOrder, RecordSource, SourceReader};
use super::stream_codec::StreamCompression;
use super::tf_record::{self, TfRecord, TfRecordWriter};
use super::tfds::TfdsFolder;
use super::web_dataset::{self, WebDataset, WebDatasetWriter};
use crate::dataset::RandomAccess;
use crate::discover;

/// A format of files of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// See [`ArrayRecord`].
    ArrayRecord,
    /// See [`Bagz`].
    Bagz,
    /// See [`TfRecord`].
    TfRecord,
    /// See [`JsonLines`].
    JsonLines,
    /// See [`TextLines`].
    Text,
    /// See [`Csv`].
    Csv,
    /// See [`WebDataset`].
    WebDataset,
    /// See `Arrow`: with the feature `arrow`.
    #[cfg(feature = "arrow")]
    Arrow,
    /// See `Parquet`: with the feature `parquet`.
    #[cfg(feature = "parquet")]
    Parquet,
    /// See [`ImageFolder`]: a folder, which is read only.
    ImageFolder,
    /// See [`TfdsFolder`]: a folder, which is read only.
    Tfds,
    /// See [`HuggingFaceFolder`]: a folder, which is read only.
    HuggingFace,
}

/// Each format with its name and the endings of its files.
const FORMATS: &[(RecordFormat, &str, &[&str])] = &[
    (RecordFormat::ArrayRecord, "array_record", &["array_record", "arrayrecord", "riegeli"]),
    (RecordFormat::Bagz, "bagz", &["bagz", "bag"]),
    (RecordFormat::TfRecord, "tf_record", &["tfrecord", "tfrecords", "tf_record"]),
    (RecordFormat::JsonLines, "jsonl", &["jsonl", "ndjson"]),
    (RecordFormat::Text, "text", &["txt", "text"]),
    (RecordFormat::Csv, "csv", &["csv", "tsv"]),
    (RecordFormat::WebDataset, "web_dataset", &["tar"]),
    #[cfg(feature = "arrow")]
    (RecordFormat::Arrow, "arrow", &["arrow"]),
    #[cfg(feature = "parquet")]
    (RecordFormat::Parquet, "parquet", &["parquet"]),
    (RecordFormat::ImageFolder, "image_folder", &[]),
    (RecordFormat::Tfds, "tfds", &[]),
    (RecordFormat::HuggingFace, "hugging_face", &[]),
];

impl fmt::Display for RecordFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORMATS.iter().find(|(format, ..)| format == self).map_or("", |(_, name, _)| name))
    }
}

impl FromStr for RecordFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = FORMATS.iter().find(|(_, name, _)| *name == text);
        found.map(|(format, ..)| *format).ok_or_else(|| {
            Error::input(format!("`{text}` is no format of records"))
                .help(format!("the formats are {}", RecordFormat::names().join(", ")))
        })
    }
}

impl RecordFormat {
    /// The names of all formats.
    ///
    /// ```
    /// use jarrah_data::RecordFormat;
    /// assert!(RecordFormat::names().contains(&"jsonl"));
    /// ```
    pub fn names() -> Vec<&'static str> {
        FORMATS.iter().map(|(_, name, _)| *name).collect()
    }

    /// Whether records are objects of JSON.
    fn has_objects(self) -> bool {
        #[cfg(feature = "parquet")]
        if self == RecordFormat::Parquet {
            return true;
        }
        #[cfg(feature = "arrow")]
        if self == RecordFormat::Arrow {
            return true;
        }
        matches!(self, RecordFormat::JsonLines | RecordFormat::Csv)
    }
}

/// The first bytes of a file, by which formats are known, at most.
const HEAD: u64 = 1 << 16;

impl RecordFormat {
    /// The format of a file to write, by the ending of its name; `None` where no format has the ending. `.gz` and `.zst` at the end count for nothing.
    ///
    /// ```
    /// use jarrah_data::RecordFormat;
    /// assert_eq!(RecordFormat::of_name("chats.jsonl.zst"), Some(RecordFormat::JsonLines));
    /// ```
    pub fn of_name(path: impl AsRef<Path>) -> Option<Self> {
        let name = path.as_ref().file_name()?.to_str()?.to_ascii_lowercase();
        let name = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        let end = name.rsplit_once('.')?.1;
        FORMATS.iter().find(|(_, _, ends)| ends.contains(&end)).map(|(format, ..)| *format)
    }

    /// The format of a file, by what it holds. The name matters for files of Bagz, which begin with a record, for CSV, which may be any text, and where there is nothing.
    ///
    /// # Errors
    /// The file cannot be read, or is of no format of these (`Input`).
    pub fn of_file(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if path.is_dir() {
            return Ok(match path {
                path if TfdsFolder::is_one(path) => RecordFormat::Tfds,
                path if HuggingFaceFolder::is_one(path) => RecordFormat::HuggingFace,
                _ => RecordFormat::ImageFolder,
            });
        }
        let file = MappedFile::open(path)?;
        let by_name = RecordFormat::of_name(path);
        if file.is_empty() {
            return Ok(by_name.unwrap_or(RecordFormat::Text));
        }
        // The first chunk of Riegeli/records: a block header, and a chunk without data.
        const SIGNATURE: [u8; 8] = [0x83, 0xaf, 0x70, 0xd1, 0x0d, 0x88, 0x4a, 0x3f];
        if file.starts_with(&SIGNATURE) {
            return Ok(RecordFormat::ArrayRecord);
        }
        if file.starts_with(b"PAR1") && file.ends_with(b"PAR1") {
            #[cfg(feature = "parquet")]
            return Ok(RecordFormat::Parquet);
            #[cfg(not(feature = "parquet"))]
            return Err(Error::input(format!(
                "{} is a Parquet file, which this program was built without",
                path.display()
            ))
            .help("build it with the feature `parquet`"));
        }
        #[cfg(feature = "arrow")]
        if arrow::begins(&file) {
            return Ok(RecordFormat::Arrow);
        }
        if by_name == Some(RecordFormat::Bagz) {
            return Ok(RecordFormat::Bagz);
        }
        if web_dataset::begins(&file) {
            return Ok(RecordFormat::WebDataset);
        }
        let compression = tf_record::compression(&file);
        let fail = |e: std::io::Error| Error::io("read", path, &e);
        let input = BufReader::new(File::open(path).map_err(fail)?);
        let mut head = Vec::new();
        // A damaged stream may show what it is before it ends.
        let read = compression.reader(input).take(HEAD).read_to_end(&mut head);
        if tf_record::begins(&head) {
            return Ok(RecordFormat::TfRecord);
        }
        if web_dataset::begins(&head) {
            return Ok(RecordFormat::WebDataset);
        }
        if compression == StreamCompression::None && bagz::is_sound(&file) {
            return Ok(RecordFormat::Bagz);
        }
        let cut = head.iter().rposition(|&byte| byte == b'\n').map_or(head.len(), |at| at + 1);
        let whole = if head.len() as u64 == HEAD { &head[..cut] } else { &head[..] };
        match std::str::from_utf8(whole) {
            Ok(text) if !text.contains('\0') && (read.is_ok() || !text.is_empty()) => {
                let line = text.lines().find(|line| !line.trim().is_empty());
                let is_json =
                    line.is_some_and(|line| matches!(serde_json::from_str(line), Ok(Value::Object(_))));
                Ok(match by_name {
                    Some(RecordFormat::Csv) => RecordFormat::Csv,
                    _ if is_json => RecordFormat::JsonLines,
                    _ => RecordFormat::Text,
                })
            }
            _ => Err(Error::input(format!("{} is of no format of records that is known", path.display()))
                .help("say its format, if it is damaged or a Bagz file of another name")),
        }
    }

    /// The names of the splits of a folder; none where this format has none.
    ///
    /// # Errors
    /// The folder cannot be read, or is not of this format (`Input`).
    pub fn splits(self, path: impl AsRef<Path>) -> Result<Vec<String>> {
        match self {
            RecordFormat::Tfds => {
                let folder = TfdsFolder::open(path)?;
                Ok(folder.splits().into_iter().map(|(name, _)| name.to_owned()).collect())
            }
            RecordFormat::HuggingFace => {
                let folder = HuggingFaceFolder::open(path)?;
                Ok(folder.splits().into_iter().map(str::to_owned).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The split to read: `split`, or the only one that a folder has.
    fn split_of(self, path: &Path, split: Option<&str>) -> Result<String> {
        if let Some(split) = split {
            return Ok(split.to_owned());
        }
        let mut splits = self.splits(path)?;
        match (splits.len(), splits.pop()) {
            (1, Some(split)) => Ok(split),
            (_, last) => {
                splits.extend(last);
                Err(Error::input(format!("the folder {} has several splits", path.display()))
                    .help(format!("say which one is to be read: {}", splits.join(", "))))
            }
        }
    }

    /// The files that records are read from.
    ///
    /// # Errors
    /// The folder cannot be read, or has no such split (`Input`).
    pub fn files(self, path: impl AsRef<Path>, split: Option<&str>) -> Result<Vec<PathBuf>> {
        let path = path.as_ref();
        match self {
            RecordFormat::Tfds => TfdsFolder::open(path)?.files(&self.split_of(path, split)?),
            RecordFormat::HuggingFace => {
                Ok(HuggingFaceFolder::open(path)?.files(&self.split_of(path, split)?)?.to_vec())
            }
            RecordFormat::ImageFolder => {
                let mut files = Vec::new();
                discover::walk(path, &mut files)?;
                Ok(files)
            }
            _ => Ok(vec![path.to_owned()]),
        }
    }

    /// The records of files of this format in order. Of a folder with splits, it is the only one.
    ///
    /// # Errors
    /// A file cannot be read, or is not of this format (`Input`).
    pub fn open<P: AsRef<Path>>(self, paths: &[P], on_damage: OnDamage) -> Result<FormatRecords> {
        self.open_split(paths, None, on_damage)
    }

    /// As [`open`](Self::open), of a split, where the format has splits.
    ///
    /// # Errors
    /// As [`open`](Self::open); there is no such split, or the format has none (`Input`).
    pub fn open_split<P: AsRef<Path>>(
        self,
        paths: &[P],
        split: Option<&str>,
        on_damage: OnDamage,
    ) -> Result<FormatRecords> {
        let folder = || match paths {
            [folder] => Ok(folder.as_ref()),
            _ => Err(Error::input("folders are read one by one")),
        };
        if let (Some(split), false) = (split, matches!(self, RecordFormat::Tfds | RecordFormat::HuggingFace))
        {
            return Err(Error::input(format!("files of the format {self} have no split `{split}`")));
        }
        Ok(match self {
            RecordFormat::ArrayRecord => {
                FormatRecords::Indexed(ArrayRecord::open_with(paths, on_damage)?.into())
            }
            RecordFormat::Bagz => {
                let separate_limits = paths.iter().any(|path| bagz::has_separate_limits(path.as_ref()));
                let options = BagzOptions { separate_limits, ..BagzOptions::default() };
                FormatRecords::Indexed(Bagz::open_with(paths, &options, on_damage)?.into())
            }
            RecordFormat::TfRecord => FormatRecords::InOrder(TfRecord::in_order(paths, on_damage)),
            RecordFormat::JsonLines => FormatRecords::InOrder(JsonLines::in_order(paths, on_damage)),
            RecordFormat::Text => FormatRecords::InOrder(TextLines::in_order(paths, on_damage)),
            RecordFormat::Csv => {
                FormatRecords::Indexed(Csv::open_with(paths, CsvOptions::default(), on_damage)?.into())
            }
            RecordFormat::WebDataset => {
                FormatRecords::Indexed(WebDataset::open_with(paths, on_damage)?.into())
            }
            #[cfg(feature = "arrow")]
            RecordFormat::Arrow => FormatRecords::Indexed(Arrow::open_with(paths, on_damage)?.into()),
            #[cfg(feature = "parquet")]
            RecordFormat::Parquet => FormatRecords::Table(Parquet::in_order(paths, on_damage)),
            RecordFormat::ImageFolder => {
                FormatRecords::Indexed(ImageFolder::open_with(folder()?, on_damage)?.into())
            }
            RecordFormat::HuggingFace => {
                let split = self.split_of(folder()?, split)?;
                HuggingFaceFolder::open(folder()?)?.records(&split, on_damage)?
            }
            RecordFormat::Tfds => {
                let split = self.split_of(folder()?, split)?;
                FormatRecords::Indexed(TfdsFolder::open(folder()?)?.records_with(&split, on_damage)?.into())
            }
        })
    }

    /// As [`open`](Self::open), and records of plain TFRecord files, of JSON Lines and of text are found by number, too: each of these files is gone through once.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_by_number<P: AsRef<Path>>(self, paths: &[P], on_damage: OnDamage) -> Result<FormatRecords> {
        let is_plain = || {
            let compressions = paths.iter().map(|path| {
                let file = MappedFile::open(path.as_ref())?;
                Ok(tf_record::compression(&file))
            });
            let compressions = compressions.collect::<Result<Vec<_>>>()?;
            Ok::<_, Error>(compressions.iter().all(|c| *c == StreamCompression::None))
        };
        Ok(match self {
            RecordFormat::TfRecord if is_plain()? => {
                FormatRecords::Indexed(TfRecord::open_with(paths, on_damage)?.into())
            }
            RecordFormat::JsonLines if is_plain()? => FormatRecords::Indexed(JsonLines::open(paths)?.into()),
            RecordFormat::Text if is_plain()? => FormatRecords::Indexed(TextLines::open(paths)?.into()),
            format => format.open(paths, on_damage)?,
        })
    }

    /// Puts a file of this format in the place of `path`, with the records that `write` writes; `options` are those of the format, as text. Without
    /// options, `.gz` and `.zst` at the end of a name compress the file.
    ///
    /// # Errors
    /// An error of `write`, the options are none of the format (`Input`), or the file cannot be written.
    pub fn write_file(
        self,
        path: impl AsRef<Path>,
        options: Option<&str>,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        let path = path.as_ref();
        let by_name = match path.extension().and_then(|end| end.to_str()) {
            Some("gz") => "gzip",
            Some("zst") => "zstd",
            _ => "",
        };
        match self {
            RecordFormat::ArrayRecord => {
                ArrayRecordWriter::write_file(path, &options.unwrap_or("default").parse()?, write)
            }
            RecordFormat::Bagz => BagzWriter::write_file(path, &options.unwrap_or("").parse()?, write),
            RecordFormat::TfRecord => {
                TfRecordWriter::write_file(path, options.unwrap_or(by_name).parse()?, write)
            }
            RecordFormat::JsonLines | RecordFormat::Text => {
                LineWriter::write_file(path, options.unwrap_or(by_name).parse()?, write)
            }
            RecordFormat::Csv => CsvWriter::write_file(path, options.unwrap_or("").parse()?, write),
            RecordFormat::WebDataset if options.is_none_or(str::is_empty) => {
                WebDatasetWriter::write_file(path, write)
            }
            RecordFormat::WebDataset => Err(Error::input("WebDataset files have no options")),
            #[cfg(feature = "arrow")]
            RecordFormat::Arrow => Err(Error::input("Arrow files are only read")
                .help("write the rows to Parquet, JSON Lines or ArrayRecord")),
            #[cfg(feature = "parquet")]
            RecordFormat::Parquet => ParquetWriter::write_file(path, options.unwrap_or("").parse()?, write),
            RecordFormat::ImageFolder | RecordFormat::Tfds | RecordFormat::HuggingFace => {
                Err(Error::input("folders are only read")
                    .help("write samples to WebDataset, a .tar, or to ArrayRecord"))
            }
        }
    }
}

/// The records of files of a format, in order.
pub enum FormatRecords {
    /// Records that are also found by number.
    Indexed(std::sync::Arc<RecordFiles>),
    /// Records that are read from the front.
    InOrder(RecordStream),
    /// Rows of Parquet, with the feature `parquet`.
    #[cfg(feature = "parquet")]
    Table(ParquetRecords),
}

impl FormatRecords {
    /// The number of times that damage was gone around.
    pub fn skipped(&self) -> u64 {
        match self {
            FormatRecords::Indexed(files) => files.skipped(),
            FormatRecords::InOrder(stream) => stream.skipped(),
            #[cfg(feature = "parquet")]
            FormatRecords::Table(rows) => rows.skipped(),
        }
    }

    /// The number of sound records, and all damage there is: each record is read.
    ///
    /// # Errors
    /// There is not enough memory for a record.
    pub fn verify(&self) -> Result<(u64, Vec<RecordDamage>)> {
        match self {
            FormatRecords::Indexed(files) => {
                let damage = files.verify()?;
                let lost = damage.iter().filter(|damage| damage.record.is_some()).count() as u64;
                Ok((files.len().saturating_sub(lost), damage))
            }
            FormatRecords::InOrder(stream) => stream.verify(),
            #[cfg(feature = "parquet")]
            FormatRecords::Table(rows) => rows.verify(),
        }
    }
}

impl RecordSource for FormatRecords {
    type Item = RecordBytes;

    fn reader(&self) -> Result<Box<dyn SourceReader<RecordBytes>>> {
        match self {
            FormatRecords::Indexed(files) => InOrder::of(files.clone()).reader(),
            FormatRecords::InOrder(stream) => stream.reader(),
            #[cfg(feature = "parquet")]
            FormatRecords::Table(rows) => rows.reader(),
        }
    }
}

impl HuggingFaceFolder {
    /// The records of a split, in order.
    ///
    /// # Errors
    /// There is no such split; a file of it is missing, cannot be read, or is of another format than the others (`Input`).
    pub fn records(&self, split: &str, on_damage: OnDamage) -> Result<FormatRecords> {
        let files = self.files(split)?;
        if let Some(missing) = self.missing_shard(split)? {
            return Err(Error::input(format!("the shard {} is missing", missing.display())));
        }
        let Some(first) = files.first() else {
            return Err(Error::input(format!("the split `{split}` has no files")));
        };
        let format = hugging_face::format_of(first).and_then(|name| name.parse::<RecordFormat>().ok());
        let Some(format) = format else {
            let text = format!("{} is of a format that this program does not read", first.display());
            return Err(
                Error::input(text).help("Parquet and Arrow are read with the features `parquet` and `arrow`")
            );
        };
        for path in files {
            let is_lines = format != RecordFormat::JsonLines || RecordFormat::of_file(path)? == format;
            if hugging_face::format_of(path) != hugging_face::format_of(first) || !is_lines {
                let text = format!(
                    "{} is no file of the format {format}, as others of the split are",
                    path.display()
                );
                return Err(Error::input(text).help("files of JSON have an object in each line"));
            }
        }
        format.open(files, on_damage)
    }
}

/// A look into a file of records.
#[derive(Clone, Debug)]
pub struct RecordInspection {
    /// The format of the file.
    pub format: RecordFormat,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of sound records.
    pub records: u64,
    /// The kind of the first records, up to 1000.
    pub schema: RecordSchema,
    /// The first records.
    pub first: Vec<RecordBytes>,
    /// All damage.
    pub damage: Vec<RecordDamage>,
}

/// The records that a schema is told from.
const SCHEMA: usize = 1000;

impl RecordInspection {
    /// Reads all of a file, or of a split of a folder: of `format`, or of the one that its content shows.
    ///
    /// # Errors
    /// The file cannot be read, or is of no format that is known; there is no such split (`Input`).
    pub fn of(
        path: impl AsRef<Path>,
        format: Option<RecordFormat>,
        split: Option<&str>,
        first: usize,
    ) -> Result<Self> {
        let path = path.as_ref();
        let format = format.map_or_else(|| RecordFormat::of_file(path), Ok)?;
        let source = format.open_split(&[path], split, OnDamage::Skip)?;
        let mut bytes = 0;
        for file in format.files(path, split)? {
            bytes += std::fs::metadata(&file).map_err(|e| Error::io("read", &file, &e))?.len();
        }
        let (records, mut damage) = source.verify()?;
        let mut reader = source.reader()?;
        let mut shown = Vec::new();
        let mut schema = RecordSchema::default();
        let mut count = 0;
        // Whether a line is JSON shows only when it is parsed.
        let is_json = format == RecordFormat::JsonLines;
        let mut place = reader.position().place;
        while is_json || count < SCHEMA.max(first) {
            let Some(record) = reader.next()? else { break };
            if is_json && let Err(e) = serde_json::from_slice::<serde::de::IgnoredAny>(&record) {
                let text = format!("the line is not JSON: {e}");
                damage.push(RecordDamage {
                    path: path.into(),
                    record: Some(count as u64),
                    offset: place,
                    text,
                });
            }
            place = reader.position().place;
            if count < SCHEMA {
                schema.add(&record);
            }
            if count < first {
                shown.push(record);
            }
            count += 1;
        }
        Ok(RecordInspection { format, bytes, records, schema, first: shown, damage })
    }
}

/// Records that were converted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordConversion {
    /// The number of records that were written.
    pub records: u64,
    /// The sum of their sizes.
    pub bytes: u64,
    /// The number of times that damage was gone around.
    pub skipped: u64,
}

impl RecordConversion {
    /// Writes the records of files, one behind the other, to a file of another format. The bytes of a record stay as they are, except in JSON Lines:
    /// there an object of JSON is a line, the values of a record of TFDS are one, and any other text is the `text` of one. CSV and Parquet have objects as rows, and
    /// WebDataset has files of samples (see [`WebDatasetWriter`]). Of folders with splits, `split` is read, or the only one.
    ///
    /// # Errors
    /// A file cannot be read or is damaged, there is no such split, the format to write cannot hold a record (`Input`), or the file cannot be written. Then `to` is as
    /// it was.
    pub fn run<P: AsRef<Path>>(
        from: &[P],
        from_format: Option<RecordFormat>,
        split: Option<&str>,
        to: impl AsRef<Path>,
        to_format: RecordFormat,
        options: Option<&str>,
        on_damage: OnDamage,
    ) -> Result<Self> {
        let mut done = RecordConversion::default();
        to_format.write_file(to, options, &mut |writer| {
            for path in from {
                let format = from_format.map_or_else(|| RecordFormat::of_file(path), Ok)?;
                let source = format.open_split(&[path], split, on_damage)?;
                let mut reader = source.reader()?;
                let is_converted = to_format.has_objects() && format != RecordFormat::JsonLines;
                let features = match format {
                    RecordFormat::Tfds if is_converted => Some(TfdsFolder::open(path)?.features()?),
                    _ => None,
                };
                let converted = |record: &[u8]| match &features {
                    Some(features) => features.json(record),
                    None => json_line(record),
                };
                while let Some(record) = reader.next()? {
                    match is_converted {
                        true => writer.write(&converted(&record).map_err(|e| {
                            e.context(format!(
                                "while record {} of {} was converted",
                                done.records,
                                path.as_ref().display()
                            ))
                        })?)?,
                        false => writer.write(&record)?,
                    }
                    done.records += 1;
                    done.bytes += record.len() as u64;
                }
                done.skipped += source.skipped();
            }
            Ok(())
        })?;
        Ok(done)
    }
}

/// A record as a line of JSON.
fn json_line(record: &[u8]) -> Result<Vec<u8>> {
    let text = std::str::from_utf8(record).map_err(|_| {
        Error::input("a record that is no text cannot be a line of JSON")
            .help("convert it to ArrayRecord, Bagz or TFRecord")
    })?;
    match JsonObject::read(record) {
        // Line feeds of JSON stand between its values, never in them.
        Some(_) => Ok(record
            .trim_ascii()
            .iter()
            .map(|&byte| if byte == b'\n' || byte == b'\r' { b' ' } else { byte })
            .collect()),
        None => Ok(serde_json::json!({ "text": text }).to_string().into_bytes()),
    }
}
