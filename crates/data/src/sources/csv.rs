//! CSV: rows of named columns, as RFC 4180 has them.

use std::io::Write;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use jarrah_base::{Error, Result};
use serde_json::{Map, Value};

use super::json_object::{JsonObject, plain};
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};
use super::record_writer::{RecordWriter, unwritten, whole_as_named};
use super::stream_codec;

/// The form of a CSV file. As text: nothing, or `delimiter:;`, with `tab` for a tabulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvOptions {
    /// The byte between the fields of a row; `None` means a tabulator for files named `.tsv`, and a comma for others.
    pub delimiter: Option<u8>,
}

impl CsvOptions {
    fn delimiter_of(self, path: &Path) -> u8 {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        let is_tsv = plain.ends_with(".tsv");
        self.delimiter.unwrap_or(if is_tsv { b'\t' } else { b',' })
    }
}

impl Default for CsvOptions {
    /// By the file's name.
    fn default() -> Self {
        CsvOptions { delimiter: None }
    }
}

impl FromStr for CsvOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let delimiter = match text.strip_prefix("delimiter:") {
            None if text.is_empty() => None,
            Some("tab") => Some(b'\t'),
            Some(one) if one.len() == 1 && !matches!(one, "\"" | "\n" | "\r") => Some(one.as_bytes()[0]),
            _ => {
                return Err(Error::input(format!("`{text}` is no option of CSV"))
                    .help("the option is delimiter:C, with a byte of ASCII or `tab`"));
            }
        };
        Ok(CsvOptions { delimiter })
    }
}

/// CSV files, plain or compressed by gzip or zstd (which are decompressed to memory), whose first row names the columns. A record is a row as an object of JSON, whose values are texts: a CSV file does not say which are numbers.
///
/// ```
/// use jarrah_data::{Csv, RandomAccess};
/// let path = std::env::temp_dir().join(format!("doc-{}.csv", std::process::id()));
/// std::fs::write(&path, "word,count\n\"so, it\",1\n").unwrap();
/// assert_eq!(&*Csv::open(&[&path])?.get(0)?, br#"{"word":"so, it","count":"1"}"#);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: RFC 4180.
pub struct Csv;

impl Csv {
    /// The rows of these files, by number: each file is gone through once to find them, 8 bytes of memory for each.
    ///
    /// # Errors
    /// A file cannot be read, or its first row does not name columns (`Input`).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
        Self::open_with(paths, CsvOptions::default(), OnDamage::Fail)
    }

    /// As [`open`](Self::open), with options. A row is damaged if it has more or fewer fields than there are columns, is not UTF-8, or if a quoted field of
    /// it does not end.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<P: AsRef<Path>>(
        paths: &[P],
        options: CsvOptions,
        on_damage: OnDamage,
    ) -> Result<RecordFiles> {
        let open = |path: &P| -> Result<Box<dyn RecordFile>> {
            Ok(Box::new(CsvFile::open(path.as_ref(), options)?))
        };
        Ok(RecordFiles::new(paths.iter().map(open).collect::<Result<_>>()?, on_damage))
    }
}

struct CsvFile {
    path: Arc<Path>,
    file: RecordBytes,
    delimiter: u8,
    columns: Vec<String>,
    /// Where each row begins, and where the last one ends.
    starts: Vec<u64>,
}

impl CsvFile {
    fn open(path: &Path, options: CsvOptions) -> Result<Self> {
        let file = stream_codec::content(path)?;
        let delimiter = options.delimiter_of(path);
        // Some editors begin a file in UTF-8 with a mark.
        let mut at = if file.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let header = row_end(&file, at);
        let wrong = |text: &str| -> Error {
            RecordDamage { path: path.into(), record: None, offset: at as u64, text: text.to_owned() }.into()
        };
        let columns = fields(&file[at..header], delimiter).map_err(wrong)?;
        let is_doubled = |(i, name): (usize, &String)| columns[..i].contains(name);
        if let Some((_, name)) = columns.iter().enumerate().find(|entry| is_doubled(*entry)) {
            return Err(wrong(&format!("two columns have the name {name}")));
        }
        at = header;
        let mut starts = vec![at as u64];
        while at < file.len() {
            at = row_end(&file, at);
            starts.push(at as u64);
        }
        // An empty line is no row.
        let is_row = |pair: &[u64]| !trimmed(&file[pair[0] as usize..pair[1] as usize]).is_empty();
        let mut kept: Vec<u64> = starts.windows(2).filter(|pair| is_row(pair)).map(|pair| pair[0]).collect();
        kept.push(at as u64);
        let starts = kept;
        Ok(CsvFile { path: path.into(), file, delimiter, columns, starts })
    }
}

/// The end of the row at `at`: behind a line feed that is in no quotes.
fn row_end(file: &[u8], at: usize) -> usize {
    let mut is_quoted = false;
    let end = file[at..].iter().position(|&byte| {
        is_quoted ^= byte == b'"';
        byte == b'\n' && !is_quoted
    });
    end.map_or(file.len(), |end| at + end + 1)
}

fn trimmed(row: &[u8]) -> &[u8] {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    row.strip_suffix(b"\r").unwrap_or(row)
}

/// The fields of a row.
fn fields(row: &[u8], delimiter: u8) -> Result<Vec<String>, &'static str> {
    let text = std::str::from_utf8(row).map_err(|_| "the row is not UTF-8")?;
    let mut rest = trimmed(text.as_bytes());
    let mut fields = Vec::new();
    loop {
        let mut field = Vec::new();
        let end = if let Some(mut quoted) = rest.strip_prefix(b"\"") {
            loop {
                let quote =
                    quoted.iter().position(|&byte| byte == b'"').ok_or("a quoted field does not end")?;
                field.extend_from_slice(&quoted[..quote]);
                quoted = &quoted[quote + 1..];
                match quoted.strip_prefix(b"\"") {
                    Some(after) => {
                        field.push(b'"');
                        quoted = after;
                    }
                    None => break,
                }
            }
            quoted
        } else {
            let end = rest.iter().position(|&byte| byte == delimiter).unwrap_or(rest.len());
            field.extend_from_slice(&rest[..end]);
            &rest[end..]
        };
        fields.push(String::from_utf8(field).map_err(|_| "the row is not UTF-8")?);
        match end.split_first() {
            None => return Ok(fields),
            Some((&byte, after)) if byte == delimiter => rest = after,
            Some(_) => return Err("text stands behind a quoted field"),
        }
    }
}

impl RecordFile for CsvFile {
    fn len(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let [start, end] = [record, record + 1].map(|i| self.starts[i as usize] as usize);
        // Blank lines may stand before the next row.
        let row = &self.file[start..row_end(&self.file, start).min(end)];
        let damaged = |text: String| {
            ReadFault::Damaged(RecordDamage {
                path: self.path.clone(),
                record: Some(record),
                offset: start as u64,
                text,
            })
        };
        let fields = fields(row, self.delimiter).map_err(|text| damaged(text.to_owned()))?;
        if fields.len() != self.columns.len() {
            return Err(damaged(format!(
                "the row has {} fields, but there are {} columns",
                fields.len(),
                self.columns.len()
            )));
        }
        let object: Map<String, Value> =
            self.columns.iter().cloned().zip(fields.into_iter().map(Value::String)).collect();
        Ok(RecordBytes::from(Value::Object(object).to_string().into_bytes()))
    }

    fn damage(&self) -> &[RecordDamage] {
        &[]
    }
}

/// A writer of CSV. Records are objects of JSON; the first one's keys are the columns, which no other may exceed.
pub struct CsvWriter<W> {
    out: W,
    delimiter: u8,
    columns: Option<Vec<String>>,
    written: u64,
}

impl<W: Write> CsvWriter<W> {
    /// A file that is written to `out`, with this byte between fields.
    pub fn new(out: W, delimiter: u8) -> Self {
        CsvWriter { out, delimiter, columns: None, written: 0 }
    }

    fn row(&mut self, fields: impl Iterator<Item = String>) -> Result<()> {
        let mut row = Vec::new();
        for (i, field) in fields.enumerate() {
            if i > 0 {
                row.push(self.delimiter);
            }
            let is_plain = |byte: u8| byte != self.delimiter && !matches!(byte, b'"' | b'\n' | b'\r');
            match field.bytes().all(is_plain) {
                true => row.extend_from_slice(field.as_bytes()),
                false => write!(row, "\"{}\"", field.replace('"', "\"\"")).map_err(unwritten)?,
            }
        }
        if row.is_empty() {
            // An empty line would be no row.
            row.extend_from_slice(b"\"\"");
        }
        row.push(b'\n');
        self.out.write_all(&row).map_err(unwritten)
    }
}

impl<W: Write> RecordWriter for CsvWriter<W> {
    /// # Errors
    /// The record is no object of JSON, or has a key that the first one does not have (`Input`).
    fn write(&mut self, record: &[u8]) -> Result<()> {
        let Some(object) = JsonObject::read(record) else {
            return Err(Error::input(format!(
                "record {} is no object of JSON, which a row of CSV is made of",
                self.written
            )));
        };
        let columns = match self.columns.take() {
            Some(columns) => columns,
            None => {
                let columns: Vec<String> = object.0.iter().map(|entry| entry.0.clone()).collect();
                self.row(columns.iter().cloned())?;
                columns
            }
        };
        if let Some((name, _)) = object.0.iter().find(|entry| !columns.contains(&entry.0)) {
            return Err(Error::input(format!(
                "record {} has the key {name:?}, which the first record does not have",
                self.written
            )));
        }
        self.written += 1;
        let value =
            |name: &String| object.get(name).filter(|value| *value != "null").map_or(String::new(), plain);
        self.row(columns.iter().map(value))?;
        self.columns = Some(columns);
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

impl CsvWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the records that `write` writes: it appears whole, or not at all. `.gz` and `.zst` at the end of its name compress it.
    ///
    /// # Errors
    /// An error of `write`, or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        options: CsvOptions,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        let path = path.as_ref();
        whole_as_named(path, &mut |out| write(&mut CsvWriter::new(out, options.delimiter_of(path))))
    }
}
