//! Arrow IPC: tables in batches of rows, as a stream or as a file, of which a record is a row as an object of JSON.

mod value;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow_ipc::{MetadataVersion, convert, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use jarrah_base::{MappedFile, Result};

use super::guard::guarded;
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};

/// Arrow files: streams (as the package `datasets` writes them) and files of Arrow IPC. A record is a row as an object of JSON: numbers, texts, lists and structs are
/// those of JSON, bytes that are no UTF-8 are in base64, dates, times and decimals are texts, and what JSON does not have (NaN, infinities) is null.
///
/// Compressed buffers, unions, views of lists and runs are refused.
///
/// Source: Apache Arrow, columnar format, "Serialization and Interprocess Communication".
pub struct Arrow;

impl Arrow {
    /// The rows of these files, by number: the heads of the batches of each file are gone through once.
    ///
    /// # Errors
    /// A file cannot be read, is none of Arrow IPC, or has columns that are not read (`Input`).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
        Self::open_with(paths, OnDamage::Fail)
    }

    /// As [`open`](Self::open), with a treatment of damage. Where damaged records are left out, the batches before damage that hides the next ones are read.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> Result<RecordFiles> {
        let open = |path: &P| -> Result<Box<dyn RecordFile>> {
            Ok(Box::new(ArrowFile::open(path.as_ref(), on_damage)?))
        };
        Ok(RecordFiles::new(paths.iter().map(open).collect::<Result<_>>()?, on_damage))
    }
}

/// The mark of a file, before which a stream has nothing.
const MAGIC: &[u8] = b"ARROW1\0\0";
const CONTINUATION: [u8; 4] = [0xff; 4];
const HEAD: usize = 8;

/// Whether a file begins with the mark of a file of Arrow IPC, or with a schema.
pub(crate) fn begins(file: &[u8]) -> bool {
    file.starts_with(MAGIC)
        || matches!(message(file, 0), Ok(Some(found)) if root_as_message(&found.head).is_ok_and(|m| m.header_as_schema().is_some()))
}

/// A message: its head, and where its body lies.
struct Found {
    head: Vec<u8>,
    body: usize,
    end: usize,
}

/// The message at a byte; `None` behind the last one.
fn message(file: &[u8], at: usize) -> Result<Option<Found>, String> {
    let cut = || "the file ends within a message".to_owned();
    let word = |at: usize| -> Option<[u8; 4]> { file.get(at..at + 4)?.try_into().ok() };
    let Some(first) = word(at) else {
        return if at >= file.len() { Ok(None) } else { Err(cut()) };
    };
    // Files of before 2019 have the length alone.
    let (start, length) = match first == CONTINUATION {
        true => (at + HEAD, word(at + 4).ok_or_else(cut)?),
        false => (at + 4, first),
    };
    let length = i32::from_le_bytes(length);
    if length == 0 {
        return Ok(None);
    }
    let length = usize::try_from(length).map_err(|_| format!("a message has a head of {length} bytes"))?;
    // A copy is aligned as the head must be.
    let head = file.get(start..start.saturating_add(length)).ok_or_else(cut)?.to_vec();
    let parsed = guarded(|| root_as_message(&head))?;
    let size = usize::try_from(parsed.bodyLength()).unwrap_or(usize::MAX);
    let body = start + length;
    let end = body.checked_add(size).filter(|&end| end <= file.len()).ok_or_else(cut)?;
    Ok(Some(Found { head, body, end }))
}

/// A batch of rows.
struct Batch {
    found: Found,
    /// The number of rows up to its end.
    rows: u64,
    /// The columns, once they were looked at.
    columns: OnceLock<RecordBatch>,
}

struct ArrowFile {
    path: Arc<Path>,
    content: Buffer,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    batches: Vec<Batch>,
    damage: Vec<RecordDamage>,
    /// The batch that was read last, where its columns are no part of the mapped file.
    last: Mutex<Option<(usize, RecordBatch)>>,
}

/// The bytes of a mapped file.
struct Mapped(MappedFile);

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl ArrowFile {
    fn open(path: &Path, on_damage: OnDamage) -> Result<Self> {
        let content = Buffer::from(bytes::Bytes::from_owner(Mapped(MappedFile::open(path)?)));
        let path: Arc<Path> = path.into();
        let damaged = |offset: usize, text: String| RecordDamage {
            path: path.clone(),
            record: None,
            offset: offset as u64,
            text,
        };
        let mut at = if content.starts_with(MAGIC) { MAGIC.len() } else { 0 };
        let begin = at;
        let schema = match message(&content, begin) {
            Ok(Some(found)) => {
                at = found.end;
                schema(&found)
            }
            Ok(None) => Err("there is no schema".to_owned()),
            Err(text) => Err(text),
        };
        let schema = schema.map_err(|text| jarrah_base::Error::from(damaged(begin, text)))?;
        let mut file = ArrowFile {
            path: path.clone(),
            content,
            schema,
            dictionaries: HashMap::new(),
            batches: Vec::new(),
            damage: Vec::new(),
            last: Mutex::default(),
        };
        loop {
            let added = message(&file.content, at).and_then(|found| match found {
                Some(found) => {
                    let end = found.end;
                    file.add(found).map(|()| Some(end))
                }
                None => Ok(None),
            });
            match added {
                Ok(Some(end)) => at = end,
                Ok(None) => return Ok(file),
                Err(text) if on_damage == OnDamage::Fail => return Err(damaged(at, text).into()),
                Err(text) => {
                    file.damage.push(damaged(at, text));
                    return Ok(file);
                }
            }
        }
    }

    /// Adds what a message holds.
    fn add(&mut self, found: Found) -> Result<(), String> {
        let parsed = guarded(|| root_as_message(&found.head))?;
        if let Some(dictionary) = parsed.header_as_dictionary_batch() {
            if !self.batches.is_empty() {
                return Err("dictionaries that change from batch to batch are not read".to_owned());
            }
            if dictionary.data().is_some_and(|data| data.compression().is_some()) {
                return Err(COMPRESSED.to_owned());
            }
            let body = self.content.slice_with_length(found.body, found.end - found.body);
            let version = parsed.version();
            return guarded(|| {
                read_dictionary(&body, dictionary, &self.schema, &mut self.dictionaries, &version)
            });
        }
        let Some(batch) = parsed.header_as_record_batch() else { return Ok(()) };
        if batch.compression().is_some() {
            return Err(COMPRESSED.to_owned());
        }
        let rows = u64::try_from(batch.length()).unwrap_or(u64::MAX);
        // A row takes a bit at least, or it is null throughout.
        let most = (found.end - found.body) as u64 * 8 + NULL_ROWS;
        if rows > most {
            return Err(format!("a batch of {rows} rows has only {} bytes", found.end - found.body));
        }
        let rows = self.batches.last().map_or(0, |batch| batch.rows) + rows;
        self.batches.push(Batch { found, rows, columns: OnceLock::new() });
        Ok(())
    }

    /// The columns of a batch.
    fn columns(&self, number: usize) -> Result<RecordBatch, String> {
        let batch = &self.batches[number];
        if let Some(columns) = batch.columns.get() {
            return Ok(columns.clone());
        }
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, columns)) = last().as_ref().filter(|(kept, _)| *kept == number) {
            return Ok(columns.clone());
        }
        let found = &batch.found;
        let body = self.content.slice_with_length(found.body, found.end - found.body);
        let columns = guarded(|| {
            let parsed = root_as_message(&found.head).map_err(|e| ArrowError::IpcError(e.to_string()))?;
            let batch = parsed
                .header_as_record_batch()
                .ok_or_else(|| ArrowError::IpcError("a message is no batch of rows".to_owned()))?;
            let version: MetadataVersion = parsed.version();
            RecordBatchDecoder::try_new(&body, batch, self.schema.clone(), &self.dictionaries, &version)?
                .read_record_batch()
        })?;
        // Columns of aligned batches are parts of the mapped file, and take no memory.
        match found.body.is_multiple_of(HEAD) {
            true => drop(batch.columns.set(columns.clone())),
            false => *last() = Some((number, columns.clone())),
        }
        Ok(columns)
    }
}

/// The rows that a batch without bytes may have.
const NULL_ROWS: u64 = 1 << 10;

const COMPRESSED: &str = "compressed batches are not read: write the file without compression";

fn schema(found: &Found) -> Result<SchemaRef, String> {
    let schema = guarded(|| {
        let parsed = root_as_message(&found.head).map_err(|e| ArrowError::IpcError(e.to_string()))?;
        let schema = parsed
            .header_as_schema()
            .ok_or_else(|| ArrowError::IpcError("the first message is no schema".to_owned()))?;
        if !schema.endianness().equals_to_target_endianness() {
            return Err(ArrowError::IpcError("its numbers are big-endian".to_owned()));
        }
        convert::try_fb_to_schema(schema)
    })?;
    for field in schema.fields() {
        value::check(field.data_type()).map_err(|kind| {
            format!("the column {:?} is of the type {kind}, which is not read", field.name())
        })?;
    }
    Ok(Arc::new(schema))
}

impl RecordFile for ArrowFile {
    fn len(&self) -> u64 {
        self.batches.last().map_or(0, |batch| batch.rows)
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let number = self.batches.partition_point(|batch| batch.rows <= record);
        let before = if number == 0 { 0 } else { self.batches[number - 1].rows };
        let row = (record - before) as usize;
        let object = self.columns(number).and_then(|columns| guarded(|| value::row(&columns, row)));
        object.map(|object| RecordBytes::from(object.to_string().into_bytes())).map_err(|text| {
            ReadFault::Damaged(RecordDamage {
                path: self.path.clone(),
                record: Some(record),
                offset: self.batches[number].found.body as u64,
                text,
            })
        })
    }

    fn damage(&self) -> &[RecordDamage] {
        &self.damage
    }
}
