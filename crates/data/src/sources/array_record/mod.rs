//! ArrayRecord: Riegeli's chunks of records, with an index behind them.
//!
//! A file is a sequence of chunks, of which each has `group_size` records that are compressed together. Behind them stand a chunk with the place of
//! each chunk, and, in the last 64 KiB, a chunk with the place of the former.
//!
//! Transposed chunks, which split protocol buffers into columns, are refused.

mod chunk;
mod index;
mod options;
mod riegeli;
mod writer;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use jarrah_base::{MappedFile, Result};

use self::chunk::{Chunk, Fault};
use self::index::Index;
pub use self::options::ArrayRecordOptions;
use self::riegeli::Damage;
pub use self::writer::ArrayRecordWriter;
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};

/// ArrayRecord files.
///
/// Source: `grain.ArrayRecordDataSource`; the package `array_record`.
pub struct ArrayRecord;

impl ArrayRecord {
    /// The records of these files, one file behind the other. A damaged record is an error.
    ///
    /// # Errors
    /// A file cannot be read, or is no ArrayRecord file with an index that is sound (`Input`).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
        Self::open_with(paths, OnDamage::Fail)
    }

    /// As [`open`](Self::open), with a treatment of damage. Where damaged records are left out, a damaged index is made again from the chunks that are
    /// found; so plain files of Riegeli/records, which have none, can be read, too.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> Result<RecordFiles> {
        let files = paths.iter().map(|path| open_file(path.as_ref(), on_damage));
        Ok(RecordFiles::new(files.collect::<Result<_>>()?, on_damage))
    }
}

/// The greatest number of decoded chunks that are kept, and of their bytes.
const KEPT: usize = 16;
const KEPT_BYTES: usize = 64 << 20;

/// The chunks of several records that were decoded last, the oldest first.
#[derive(Default)]
struct Kept {
    chunks: VecDeque<(usize, Arc<Chunk>)>,
    bytes: usize,
}

impl Kept {
    fn find(&self, number: usize) -> Option<Arc<Chunk>> {
        self.chunks.iter().rev().find(|(kept, _)| *kept == number).map(|(_, chunk)| chunk.clone())
    }

    /// Keeps a chunk; the newest one is kept however large it is.
    fn keep(&mut self, number: usize, chunk: Arc<Chunk>) {
        self.bytes += chunk.bytes();
        self.chunks.push_back((number, chunk));
        while self.chunks.len() > KEPT || self.chunks.len() > 1 && self.bytes > KEPT_BYTES {
            if let Some((_, oldest)) = self.chunks.pop_front() {
                self.bytes -= oldest.bytes();
            }
        }
    }
}

/// The records of a file, by number.
pub(crate) fn open_file(path: &Path, on_damage: OnDamage) -> Result<Box<dyn RecordFile>> {
    Ok(Box::new(ArrayRecordFile::open(path, on_damage)?))
}

struct ArrayRecordFile {
    path: Arc<Path>,
    file: Arc<MappedFile>,
    index: Index,
    damage: Vec<RecordDamage>,
    kept: Mutex<Kept>,
}

impl ArrayRecordFile {
    fn open(path: &Path, on_damage: OnDamage) -> Result<Self> {
        let file = Arc::new(MappedFile::open(path)?);
        let path: Arc<Path> = path.into();
        let damaged =
            |Damage { offset, text }| RecordDamage { path: path.clone(), record: None, offset, text };
        let (index, damage) = match index::stored(&file) {
            Ok(index) => (index, Vec::new()),
            Err(Fault::Failed(e)) => return Err(e),
            Err(Fault::Damaged(found)) if on_damage == OnDamage::Fail => {
                let error: jarrah_base::Error = damaged(found).into();
                return Err(
                    error.context(format!("while {} was opened as an ArrayRecord file", path.display()))
                );
            }
            Err(Fault::Damaged(found)) => {
                let (index, mut damage) = index::found(&file);
                damage.insert(0, found);
                (index, damage)
            }
        };
        let damage = damage.into_iter().map(damaged).collect();
        Ok(ArrayRecordFile { path, file, index, damage, kept: Mutex::default() })
    }

    fn chunk(&self, number: usize) -> Result<Arc<Chunk>, Fault> {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(chunk) = kept().find(number) {
            return Ok(chunk);
        }
        let chunk = Arc::new(self.decode(number)?);
        kept().keep(number, chunk.clone());
        Ok(chunk)
    }

    fn decode(&self, number: usize) -> Result<Chunk, Fault> {
        let header = riegeli::read_header(&self.file, self.index.offset(number))?;
        let expected = self.index.records(number);
        if header.records != expected {
            let text = format!("a chunk of {} records, where the index has {expected}", header.records);
            return Err(Fault::Damaged(Damage { offset: header.begin, text }));
        }
        Chunk::decode(&self.file, &header)
    }
}

impl RecordFile for ArrayRecordFile {
    fn len(&self) -> u64 {
        self.index.len()
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let (number, within) = self.index.locate(record);
        // A chunk of one record is not asked for again by its neighbours.
        let found = match self.index.records(number) {
            1 => self.decode(number).map(|chunk| chunk.record(0)),
            _ => self.chunk(number).map(|chunk| chunk.record(within)),
        };
        found.map_err(|fault| match fault {
            Fault::Damaged(Damage { offset, text }) => ReadFault::Damaged(RecordDamage {
                path: self.path.clone(),
                record: Some(record),
                offset,
                text,
            }),
            Fault::Failed(e) => ReadFault::Failed(e),
        })
    }

    fn damage(&self) -> &[RecordDamage] {
        &self.damage
    }
}
