//! Bagz: records one behind the other, and the end of each as 8 bytes, behind the records or in a file of their own.
//!
//! The format has no checksums: damage of a record shows only where it is compressed, or where the ends do not fit.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use jarrah_base::{Error, MappedFile, Result, files};

use super::codec::{self, RecordCompression};
use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles, RecordLayout};
use super::record_writer::{RecordWriter, unwritten, whole};

/// How Bagz files are written and read. As text: `zstd:3,limits:separate,layout:interleaved`.
///
/// ```
/// use jarrah_data::{BagzOptions, RecordCompression};
/// let options: BagzOptions = "uncompressed,limits:separate".parse()?;
/// assert_eq!((options.compression, options.separate_limits), (Some(RecordCompression::None), true));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BagzOptions {
    /// How records are compressed: not at all, or by zstd. `None` means zstd for files named `.bagz`, and not at all for others.
    pub compression: Option<RecordCompression>,
    /// Whether the ends of the records of `NAME` are in a file `limits.NAME` beside it.
    pub separate_limits: bool,
    /// The order of the records of several files, for reading.
    pub layout: RecordLayout,
}

impl BagzOptions {
    fn is_zstd(&self, path: &Path) -> Result<bool> {
        match self.compression {
            None => Ok(path.extension().is_some_and(|end| end == "bagz")),
            Some(RecordCompression::None) => Ok(false),
            Some(RecordCompression::Zstd(_)) => Ok(true),
            Some(other) => Err(Error::input(format!("Bagz files cannot be compressed by {other}"))
                .help("they have zstd, or no compression")),
        }
    }
}

impl FromStr for BagzOptions {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut options = BagzOptions::default();
        for option in text.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            match option {
                "uncompressed" => options.compression = Some(RecordCompression::None),
                "zstd" => options.compression = Some(RecordCompression::Zstd(3)),
                "limits:tail" => options.separate_limits = false,
                "limits:separate" => options.separate_limits = true,
                "layout:concatenated" => options.layout = RecordLayout::Concatenated,
                "layout:interleaved" => options.layout = RecordLayout::Interleaved,
                _ => {
                    let level = option.strip_prefix("zstd:").and_then(|level| level.parse().ok());
                    let level = level.filter(|level| (-131_072..=22).contains(level)).ok_or_else(|| {
                        Error::input(format!("`{option}` is no option of Bagz")).help(
                            "the options are uncompressed, zstd, zstd:LEVEL, limits:tail, limits:separate, layout:concatenated \
                             and layout:interleaved",
                        )
                    })?;
                    options.compression = Some(RecordCompression::Zstd(level));
                }
            }
        }
        Ok(options)
    }
}

/// Bagz files.
///
/// Source: the package `bagz`.
pub struct Bagz;

impl Bagz {
    /// The records of these files, one file behind the other. `NAME@4.bagz` stands for the four files from `NAME-00000-of-00004.bagz` on, `NAME@*.bagz`
    /// for as many as the first of them tells.
    ///
    /// # Errors
    /// A file cannot be read, or is no Bagz file (`Input`).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
        Self::open_with(paths, &BagzOptions::default(), OnDamage::Fail)
    }

    /// As [`open`](Self::open), with options.
    ///
    /// # Errors
    /// As [`open`](Self::open); interleaved files have numbers of records that differ by more than one, or grow (`Input`).
    pub fn open_with<P: AsRef<Path>>(
        paths: &[P],
        options: &BagzOptions,
        on_damage: OnDamage,
    ) -> Result<RecordFiles> {
        let mut files: Vec<Box<dyn RecordFile>> = Vec::new();
        for path in paths {
            for shard in shards(path.as_ref())? {
                files.push(Box::new(BagzFile::open(&shard, options)?));
            }
        }
        RecordFiles::laid_out(files, on_damage, options.layout)
    }
}

/// The files that a name stands for.
fn shards(path: &Path) -> Result<Vec<PathBuf>> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some((before, after)) = name.split_once('@').filter(|_| !path.exists()) else {
        return Ok(vec![path.to_owned()]);
    };
    let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    let (count, end) = match after.strip_prefix('*') {
        Some(end) => (counted(path, before, end)?, end),
        None => (after[..digits].parse().unwrap_or(0), &after[digits..]),
    };
    match count {
        0 | 100_000.. => Ok(vec![path.to_owned()]),
        _ => Ok((0..count)
            .map(|i| path.with_file_name(format!("{before}-{i:05}-of-{count:05}{end}")))
            .collect()),
    }
}

/// The number of shards that the name of the first one tells.
fn counted(path: &Path, before: &str, end: &str) -> Result<u32> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let entries = folder.read_dir().map_err(|e| Error::io("read the folder", folder, &e))?;
    let start = format!("{before}-00000-of-");
    let counts = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_prefix(&start)?.strip_suffix(end).filter(|count| count.len() == 5)?.parse::<u32>().ok()
    });
    let counts: Vec<u32> = counts.collect();
    match counts[..] {
        [count] => Ok(count),
        [] => Err(Error::input(format!("there is no first shard of {}: {start}NNNNN{end}", path.display()))),
        _ => Err(Error::input(format!(
            "{} stands for files of several numbers of shards: {counts:?}",
            path.display()
        ))
        .help("say the number, as in NAME@4.bagz")),
    }
}

/// `limits.NAME` beside a file.
fn limits_path(path: &Path) -> Result<PathBuf> {
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Error::input(format!("{} names no file", path.display())))?;
    Ok(path.with_file_name(format!("limits.{name}")))
}

/// Whether there is a file with the ends of the records beside a file that does not have them.
pub(crate) fn has_separate_limits(path: &Path) -> bool {
    limits_path(path).is_ok_and(|limits| limits.is_file())
}

/// Whether the bytes of a file end with the ends of records, in order.
pub(crate) fn is_sound(file: &[u8]) -> bool {
    let start = file.len().checked_sub(LIMIT).map(|at| word(&file[at..]));
    let limits = start.and_then(|start| file.get(usize::try_from(start).ok()?..)).unwrap_or_default();
    let (words, rest) = limits.as_chunks::<LIMIT>();
    !words.is_empty() && rest.is_empty() && words.is_sorted_by_key(|word| u64::from_le_bytes(*word))
}

const LIMIT: usize = 8;

struct BagzFile {
    path: Arc<Path>,
    records: Arc<MappedFile>,
    /// The file with the ends of the records; `None` where they are behind the records.
    limits: Option<MappedFile>,
    /// Where the ends begin.
    limits_at: usize,
    /// The bytes of records.
    records_len: usize,
    is_zstd: bool,
}

impl BagzFile {
    fn open(path: &Path, options: &BagzOptions) -> Result<Self> {
        let is_zstd = options.is_zstd(path)?;
        let records = Arc::new(MappedFile::open(path)?);
        let length = records.len();
        let wrong = |offset: usize, text: &str| -> Error {
            RecordDamage { path: path.into(), record: None, offset: offset as u64, text: text.to_owned() }
                .into()
        };
        let path: Arc<Path> = path.into();
        if options.separate_limits {
            let limits = MappedFile::open(limits_path(&path)?)?;
            if limits.len() % LIMIT != 0 {
                return Err(wrong(
                    limits.len(),
                    "the file with the ends of the records has no multiple of 8 bytes",
                ));
            }
            let file =
                BagzFile { path, records, limits: Some(limits), limits_at: 0, records_len: length, is_zstd };
            return Ok(file);
        }
        let limits_at = match length {
            0 => 0,
            _ => {
                let last = length.checked_sub(LIMIT).map(|at| (at, word(&records[at..])));
                match last {
                    Some((at, start))
                        if start <= at as u64 && (length as u64 - start).is_multiple_of(LIMIT as u64) =>
                    {
                        start as usize
                    }
                    _ => {
                        return Err(wrong(
                            length.saturating_sub(LIMIT),
                            "the last 8 bytes are not the end of the last record: this is no Bagz file with limits at its tail",
                        ));
                    }
                }
            }
        };
        Ok(BagzFile { path, records, limits: None, limits_at, records_len: limits_at, is_zstd })
    }

    fn limits(&self) -> &[u8] {
        match &self.limits {
            Some(limits) => limits,
            None => &self.records[self.limits_at..],
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; LIMIT];
    word.copy_from_slice(&bytes[..LIMIT]);
    u64::from_le_bytes(word)
}

impl RecordFile for BagzFile {
    fn len(&self) -> u64 {
        (self.limits().len() / LIMIT) as u64
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let at = record as usize * LIMIT;
        let limits = self.limits();
        let start = if at == 0 { 0 } else { word(&limits[at - LIMIT..]) };
        let end = word(&limits[at..]);
        if start > end || end > self.records_len as u64 {
            return Err(ReadFault::Damaged(RecordDamage {
                path: self.path.clone(),
                record: Some(record),
                offset: (self.limits_at + at) as u64,
                text: format!("the record is to lie from byte {start} to {end} of {}", self.records_len),
            }));
        }
        let range = start as usize..end as usize;
        if !self.is_zstd || range.is_empty() {
            return Ok(RecordBytes::mapped(&self.records, range));
        }
        let decoded = codec::unzstd_all(&self.records[range]);
        decoded.map(RecordBytes::from).map_err(|e| ReadFault::of(e, &self.path, record, start))
    }

    fn damage(&self) -> &[RecordDamage] {
        &[]
    }
}

/// A writer of a Bagz file. The ends of records are held in memory until the end: 8 bytes for each.
///
/// ```
/// use jarrah_data::{BagzOptions, BagzWriter, RecordWriter};
/// let mut writer = BagzWriter::new(Vec::new(), None);
/// writer.write(b"so it goes")?;
/// writer.finish()?;
/// assert_eq!(writer.into_inner(), b"so it goes\x0a\0\0\0\0\0\0\0");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `bagz.Writer`.
pub struct BagzWriter<W> {
    out: W,
    is_zstd: bool,
    /// Whether the ends are no part of this file.
    is_separate: bool,
    written: u64,
    limits: Vec<u8>,
    finished: bool,
}

impl<W: Write> BagzWriter<W> {
    /// A file that is written to `out`, its records compressed by zstd or, with `None`, as they are.
    pub fn new(out: W, zstd: Option<i32>) -> Self {
        BagzWriter {
            out,
            is_zstd: zstd.is_some(),
            is_separate: false,
            written: 0,
            limits: Vec::new(),
            finished: false,
        }
    }

    /// The file, which is complete after [`finish`](RecordWriter::finish).
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl<W: Write> RecordWriter for BagzWriter<W> {
    fn write(&mut self, record: &[u8]) -> Result<()> {
        if self.finished {
            return Err(Error::program("the Bagz file is finished: no record can follow"));
        }
        // An empty record stays empty.
        let compressed = (self.is_zstd && !record.is_empty()).then(|| codec::zstd(record));
        let record = compressed.as_deref().unwrap_or(record);
        self.out.write_all(record).map_err(unwritten)?;
        self.written += record.len() as u64;
        self.limits.extend_from_slice(&self.written.to_le_bytes());
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.finished, true) || self.is_separate {
            return Ok(());
        }
        self.out.write_all(&self.limits).map_err(unwritten)
    }
}

impl BagzWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the records that `write` writes: it appears whole, or not at all. A file of separate limits is put in its
    /// place right behind it.
    ///
    /// # Errors
    /// An error of `write`, the options name another compression than zstd (`Input`), or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        options: &BagzOptions,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        let path = path.as_ref();
        let level = match (options.is_zstd(path)?, options.compression) {
            (false, _) => None,
            (true, Some(RecordCompression::Zstd(level))) => Some(level),
            (true, _) => Some(3),
        };
        let mut limits = Vec::new();
        whole(path, &mut |out| {
            let mut writer = BagzWriter::new(out, level);
            writer.is_separate = options.separate_limits;
            write(&mut writer)?;
            writer.finish()?;
            limits = std::mem::take(&mut writer.limits);
            Ok(())
        })?;
        let limits_path = limits_path(path)?;
        if options.separate_limits {
            return files::replace(limits_path, &limits);
        }
        // The ends of an older file of this name would be taken for those of the new one.
        match std::fs::remove_file(&limits_path) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io("remove", &limits_path, &e)),
            _ => Ok(()),
        }
    }
}
