//! Records of files that are read from the front, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::{Error, Result};

use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, RecordDamage};
use super::source::{RecordSource, SourcePosition, SourceReader, no_position};
use super::stream_codec::StreamCompression;

/// The extent of damage.
pub(crate) enum Skip {
    /// The next record can be read.
    Record,
    /// The rest of the file cannot be read.
    File,
}

/// The next piece of a file.
pub(crate) enum Framed {
    /// A record, and the number of bytes that were read for it.
    Record {
        bytes: Vec<u8>,
        read: u64,
    },
    Damaged {
        text: String,
        read: u64,
        skip: Skip,
    },
    /// An error that is none of the file.
    Failed(Error),
    End,
}

/// The way in which a format puts records one behind the other.
pub(crate) trait Framing: Send + Sync {
    /// The compression of a file that begins with these bytes.
    fn compression(&self, head: &[u8]) -> StreamCompression;

    /// # Errors
    /// The input cannot be read or decompressed.
    fn next(&self, input: &mut dyn BufRead) -> io::Result<Framed>;
}

/// Files that are read in order, and the treatment of their damage.
pub(crate) struct OrderedFiles {
    pub paths: Vec<Arc<Path>>,
    on_damage: OnDamage,
    skipped: AtomicU64,
}

impl OrderedFiles {
    pub(crate) fn new<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> Self {
        let paths = paths.iter().map(|path| path.as_ref().into()).collect();
        OrderedFiles { paths, on_damage, skipped: AtomicU64::new(0) }
    }

    /// The number of times that damage was gone around.
    pub(crate) fn skipped(&self) -> u64 {
        self.skipped.load(Ordering::Relaxed)
    }
}

/// The next piece of files that are read in order.
pub(crate) enum Step {
    Record(Vec<u8>),
    Damaged(RecordDamage),
    End,
}

/// A reader that can go on behind damage.
pub(crate) trait StepReader: Send {
    fn files(&self) -> &OrderedFiles;

    /// # Errors
    /// A file cannot be opened, or there is not enough memory for a record.
    fn step(&mut self) -> Result<Step>;

    /// The file of the next record, and the place in it.
    fn at(&self) -> (usize, u64);

    fn go_to(&mut self, file: usize, place: u64);

    /// The number of sound records, and all damage there is: each record is read.
    fn verify(&mut self) -> Result<(u64, Vec<RecordDamage>)> {
        let (mut count, mut found) = (0, Vec::new());
        loop {
            match self.step()? {
                Step::Record(_) => count += 1,
                Step::Damaged(damage) => found.push(damage),
                Step::End => return Ok((count, found)),
            }
        }
    }
}

impl<R: StepReader> SourceReader<RecordBytes> for R {
    fn next(&mut self) -> Result<Option<RecordBytes>> {
        loop {
            let (file, place) = self.at();
            match self.step()? {
                Step::Record(bytes) => return Ok(Some(bytes.into())),
                Step::End => return Ok(None),
                Step::Damaged(damage) if self.files().on_damage == OnDamage::Fail => {
                    self.go_to(file, place);
                    return Err(damage.into());
                }
                Step::Damaged(_) => {
                    self.files().skipped.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
    }

    fn position(&self) -> SourcePosition {
        let (file, place) = self.at();
        SourcePosition { file: file as u64, place }
    }

    fn seek(&mut self, position: SourcePosition) -> Result<()> {
        let count = self.files().paths.len();
        let file = usize::try_from(position.file).unwrap_or(usize::MAX);
        if file > count || file == count && position.place > 0 {
            return Err(no_position(position, &format_args!("{count} files")));
        }
        self.go_to(file, position.place);
        Ok(())
    }
}

struct Files {
    ordered: OrderedFiles,
    framing: Arc<dyn Framing>,
}

/// Records of one or several files in order, one file behind the other. Files compressed by gzip, zlib or zstd are known by their first bytes.
///
/// A position is a file and a byte of its content. In a plain file it is reached at once, in a compressed one by decompressing what stands before it.
///
/// ```
/// use jarrah_data::{IterDataset, JsonLines, OnDamage};
/// let path = std::env::temp_dir().join(format!("stream-{}.jsonl", std::process::id()));
/// std::fs::write(&path, "{\"a\": 1}\n\n{\"a\": 2}\n").unwrap();
/// let lines = IterDataset::records(JsonLines::in_order(&[&path], OnDamage::Fail));
/// assert_eq!(lines.iter()?.count(), 2);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct RecordStream(Arc<Files>);

impl RecordStream {
    pub(crate) fn new<P: AsRef<Path>>(paths: &[P], framing: Arc<dyn Framing>, on_damage: OnDamage) -> Self {
        RecordStream(Arc::new(Files { ordered: OrderedFiles::new(paths, on_damage), framing }))
    }

    /// The number of times that damage was gone around.
    pub fn skipped(&self) -> u64 {
        self.0.ordered.skipped()
    }

    /// The number of sound records of all files, and all damage there is: each record is read.
    ///
    /// # Errors
    /// A file cannot be opened, or there is not enough memory for a record.
    pub fn verify(&self) -> Result<(u64, Vec<RecordDamage>)> {
        self.stream().verify()
    }

    fn stream(&self) -> StreamReader {
        StreamReader { files: self.0.clone(), file: 0, place: 0, record: None, input: None }
    }
}

impl RecordSource for RecordStream {
    type Item = RecordBytes;

    fn reader(&self) -> Result<Box<dyn SourceReader<RecordBytes>>> {
        Ok(Box::new(self.stream()))
    }
}

struct StreamReader {
    files: Arc<Files>,
    file: usize,
    /// The byte of the file's content that is next.
    place: u64,
    /// The number of the next record in its file; `None` where the file was not read from the front.
    record: Option<u64>,
    input: Option<Box<dyn BufRead + Send>>,
}

impl StepReader for StreamReader {
    fn files(&self) -> &OrderedFiles {
        &self.files.ordered
    }

    fn at(&self) -> (usize, u64) {
        (self.file, self.place)
    }

    fn go_to(&mut self, file: usize, place: u64) {
        (self.file, self.place, self.input) = (file, place, None);
    }

    fn step(&mut self) -> Result<Step> {
        loop {
            let Some(path) = self.files.ordered.paths.get(self.file).cloned() else { return Ok(Step::End) };
            let input = match &mut self.input {
                Some(input) => input,
                none => {
                    self.record = (self.place == 0).then_some(0);
                    none.insert(opened(&path, self.place, &*self.files.framing)?)
                }
            };
            let damaged =
                |text: String, record, offset| RecordDamage { path: path.clone(), record, offset, text };
            let framed = match self.files.framing.next(&mut **input) {
                Ok(framed) => framed,
                Err(e) => {
                    let damage = damaged(format!("it cannot be read on: {e}"), None, self.place);
                    self.go_to(self.file + 1, 0);
                    return Ok(Step::Damaged(damage));
                }
            };
            match framed {
                Framed::Record { bytes, read } => {
                    self.place += read;
                    self.record = self.record.map(|record| record + 1);
                    return Ok(Step::Record(bytes));
                }
                Framed::Damaged { text, read, skip } => {
                    let damage = damaged(text, self.record, self.place);
                    self.place += read;
                    self.record = self.record.map(|record| record + 1);
                    if let Skip::File = skip {
                        self.go_to(self.file + 1, 0);
                    }
                    return Ok(Step::Damaged(damage));
                }
                Framed::Failed(e) => return Err(e.context(format!("while {} was read", path.display()))),
                Framed::End => self.go_to(self.file + 1, 0),
            }
        }
    }
}

/// The content of a file from a byte on.
fn opened(path: &Path, place: u64, framing: &dyn Framing) -> Result<Box<dyn BufRead + Send>> {
    let fail = |e: io::Error| Error::io("read", path, &e);
    let mut input = BufReader::with_capacity(1 << 18, File::open(path).map_err(fail)?);
    let compression = framing.compression(input.fill_buf().map_err(fail)?);
    if compression == StreamCompression::None {
        io::Seek::seek(&mut input, io::SeekFrom::Start(place)).map_err(fail)?;
        return Ok(Box::new(input));
    }
    let mut reader = compression.reader(input);
    let skipped = io::copy(&mut (&mut reader).take(place), &mut io::sink()).map_err(fail)?;
    match skipped == place {
        true => Ok(reader),
        false => Err(no_position(
            SourcePosition { file: 0, place },
            &format_args!("{skipped} bytes in {}", path.display()),
        )),
    }
}
