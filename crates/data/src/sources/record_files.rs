//! Files of records, each found by its number, as one [`RandomAccess`].

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::{Error, ErrorKind, Result};

use super::record_bytes::RecordBytes;
use crate::dataset::RandomAccess;

/// The treatment of damaged records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnDamage {
    /// A damaged record is an error, which names its file, its number and the byte where the damage was found.
    #[default]
    Fail,
    /// Damaged records are left out, and counted.
    Skip,
}

/// Damage of a file: shown as `train.array_record: record 17: the hash of a chunk's data does not fit, at byte 4096`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDamage {
    /// The file.
    pub path: Arc<Path>,
    /// The number of the record in the file, from 0 on; `None` for damage that is of no record, or of nobody knows which ones.
    pub record: Option<u64>,
    /// The byte of the file, or of what it decompresses to where it is compressed as a whole, at which the damage was found.
    pub offset: u64,
    /// A description of the damage.
    pub text: String,
}

impl fmt::Display for RecordDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        if let Some(record) = self.record {
            write!(f, "record {record}: ")?;
        }
        write!(f, "{}, at byte {}", self.text, self.offset)
    }
}

/// The reason why a record was not read.
pub(crate) enum ReadFault {
    Damaged(RecordDamage),
    Failed(Error),
}

impl ReadFault {
    /// The fault of decoding a record: a wrong input is damage, a lack of memory is none.
    pub(crate) fn of(e: Error, path: &Arc<Path>, record: u64, offset: u64) -> Self {
        match e.kind() {
            ErrorKind::Input => ReadFault::Damaged(RecordDamage {
                path: path.clone(),
                record: Some(record),
                offset,
                text: e.message().to_owned(),
            }),
            _ => ReadFault::Failed(e),
        }
    }
}

impl From<RecordDamage> for Error {
    fn from(damage: RecordDamage) -> Error {
        Error::input(damage.to_string())
            .help("open the files so that damaged records are left out, or write them anew")
    }
}

impl From<ReadFault> for Error {
    fn from(fault: ReadFault) -> Error {
        match fault {
            ReadFault::Damaged(damage) => damage.into(),
            ReadFault::Failed(e) => e,
        }
    }
}

/// The order of the records of several files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecordLayout {
    /// All records of a file, then those of the next.
    #[default]
    Concatenated,
    /// The first record of each file, then the second of each.
    Interleaved,
}

/// A file whose records are found by number.
pub(crate) trait RecordFile: Send + Sync {
    fn len(&self) -> u64;

    /// The record of a number below `len`.
    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault>;

    /// The damage that opening the file went around, and that of no record.
    fn damage(&self) -> &[RecordDamage];

    /// Looks for damage of a record, more closely than [`get`](Self::get) does where that costs more.
    fn check(&self, record: u64) -> Result<(), ReadFault> {
        self.get(record).map(drop)
    }
}

/// Records of one or several files, by number: those of the first file, then those of the next.
///
/// Files are mapped into memory: a record takes memory only where it has to be decompressed or put together.
///
/// ```
/// use jarrah_data::{ArrayRecord, ArrayRecordOptions, ArrayRecordWriter, MapDataset, RecordWriter};
/// let path = std::env::temp_dir().join(format!("files-{}.array_record", std::process::id()));
/// ArrayRecordWriter::write_file(&path, &ArrayRecordOptions::default(), &mut |writer| {
///     ["so", "it", "goes"].iter().try_for_each(|word| writer.write(word.as_bytes()))
/// })?;
/// let words = MapDataset::source(ArrayRecord::open(&[&path])?).map(|word| String::from_utf8_lossy(&word).into_owned());
/// assert_eq!((words.len(), words.get(2)?), (3, Some("goes".to_owned())));
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct RecordFiles {
    files: Vec<Box<dyn RecordFile>>,
    /// For each file, the number of records up to its end.
    ends: Vec<u64>,
    layout: RecordLayout,
    on_damage: OnDamage,
    skipped: AtomicU64,
}

impl RecordFiles {
    pub(crate) fn new(files: Vec<Box<dyn RecordFile>>, on_damage: OnDamage) -> Self {
        let mut total = 0_u64;
        let mut ends = Vec::with_capacity(files.len());
        for file in &files {
            total = total.saturating_add(file.len());
            ends.push(total);
        }
        RecordFiles { files, ends, layout: RecordLayout::default(), on_damage, skipped: AtomicU64::new(0) }
    }

    /// Files whose records come in an order.
    ///
    /// # Errors
    /// Interleaved files have numbers of records that differ by more than one, or grow (`Input`).
    pub(crate) fn laid_out(
        files: Vec<Box<dyn RecordFile>>,
        on_damage: OnDamage,
        layout: RecordLayout,
    ) -> Result<Self> {
        let counts: Vec<u64> = files.iter().map(|file| file.len()).collect();
        let is_even = counts.is_sorted_by(|a, b| a >= b)
            && counts.first().zip(counts.last()).is_none_or(|(a, b)| a - b <= 1);
        if layout == RecordLayout::Interleaved && !is_even {
            return Err(Error::input(format!(
                "interleaved files must have equally many records, the first ones perhaps one more: they have {counts:?}"
            )));
        }
        Ok(RecordFiles { layout, ..Self::new(files, on_damage) })
    }

    /// The number of times that a damaged record was left out.
    pub fn skipped(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }

    /// All damage there is: each record is read.
    ///
    /// # Errors
    /// There is not enough memory for a record.
    pub fn verify(&self) -> Result<Vec<RecordDamage>> {
        let mut found = Vec::new();
        for file in &self.files {
            found.extend_from_slice(file.damage());
            for record in 0..file.len() {
                match file.check(record) {
                    Ok(()) => {}
                    Err(ReadFault::Damaged(damage)) => found.push(damage),
                    Err(ReadFault::Failed(e)) => return Err(e),
                }
            }
        }
        Ok(found)
    }

    /// The file with a record, and the record's number in it.
    fn locate(&self, index: u64) -> Result<(usize, u64)> {
        if index >= self.len() {
            return Err(Error::program(format!("there is no record {index} of {}", self.len())));
        }
        if self.layout == RecordLayout::Interleaved {
            let files = self.files.len() as u64;
            return Ok(((index % files) as usize, index / files));
        }
        let file = self.ends.partition_point(|&end| end <= index);
        Ok((file, index - (self.ends[file] - self.files[file].len())))
    }
}

impl RandomAccess for RecordFiles {
    type Item = RecordBytes;

    fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    fn get(&self, index: u64) -> Result<RecordBytes> {
        let (file, record) = self.locate(index)?;
        Ok(self.files[file].get(record)?)
    }

    fn get_many(&self, indices: &[u64]) -> Result<Vec<RecordBytes>> {
        // In the order of the files, records of one chunk come one after the other, so that it is decoded once.
        let mut order: Vec<usize> = (0..indices.len()).collect();
        order.sort_unstable_by_key(|&i| indices[i]);
        let mut records = vec![None; indices.len()];
        for i in order {
            records[i] = Some(self.get(indices[i])?);
        }
        Ok(records.into_iter().flatten().collect())
    }

    fn may_skip(&self) -> bool {
        self.on_damage == OnDamage::Skip
    }

    fn get_sound(&self, index: u64) -> Result<Option<RecordBytes>> {
        let (file, record) = self.locate(index)?;
        match self.files[file].get(record) {
            Ok(record) => Ok(Some(record)),
            Err(ReadFault::Damaged(_)) if self.on_damage == OnDamage::Skip => {
                self.skipped.fetch_add(1, Ordering::Relaxed);
                Ok(None)
            }
            Err(fault) => Err(fault.into()),
        }
    }
}
