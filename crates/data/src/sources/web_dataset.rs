//! WebDataset: a tar file, in which files whose names differ in their endings alone are a sample.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::record_bytes::RecordBytes;
use super::record_files::{OnDamage, ReadFault, RecordDamage, RecordFile, RecordFiles};
use super::record_writer::{RecordWriter, unwritten, whole_as_named};
use super::stream_codec;
use super::tf_example::{TfExample, TfFeature};

const BLOCK: usize = 512;
/// The feature with the name that the files of a sample share.
const KEY: &str = "__key__";

/// WebDataset files, plain or compressed by gzip or zstd (which are decompressed to memory). A sample is a [`TfExample`](crate::TfExample): a feature for each file, which its ending names, and `__key__`, what their names have in common.
///
/// ```
/// use jarrah_data::{RandomAccess, RecordWriter, TfExample, TfFeature, WebDataset, WebDatasetWriter};
/// let path = std::env::temp_dir().join(format!("doc-{}.tar", std::process::id()));
/// let bytes = |text: &str| TfFeature::Bytes(vec![text.into()]);
/// let sample = TfExample::from([("__key__".into(), bytes("cats/1")), ("txt".into(), bytes("a cat")), ("cls".into(), bytes("3"))]);
/// WebDatasetWriter::write_file(&path, &mut |writer| writer.write(&sample.encode()))?;
/// assert_eq!(TfExample::decode(&WebDataset::open(&[&path])?.get(0)?)?, sample);
/// # std::fs::remove_file(&path).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: the package `webdataset`.
pub struct WebDataset;

impl WebDataset {
    /// The samples of these files, by number: the headers of each file are gone through once.
    ///
    /// # Errors
    /// A file cannot be read, or is damaged so that its samples cannot be told apart (`Input`).
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<RecordFiles> {
        Self::open_with(paths, OnDamage::Fail)
    }

    /// As [`open`](Self::open), with a treatment of damage. The format has checksums for headers alone.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with<P: AsRef<Path>>(paths: &[P], on_damage: OnDamage) -> Result<RecordFiles> {
        let open = |path: &P| -> Result<Box<dyn RecordFile>> {
            Ok(Box::new(WebDatasetFile::open(path.as_ref(), on_damage)?))
        };
        Ok(RecordFiles::new(paths.iter().map(open).collect::<Result<_>>()?, on_damage))
    }
}

/// Whether a file begins with a header of tar.
pub(crate) fn begins(file: &[u8]) -> bool {
    file.get(..BLOCK).is_some_and(is_header)
}

/// Whether the checksum of a header fits: the sum of its bytes, with spaces in the place of the sum.
fn is_header(header: &[u8]) -> bool {
    let sum: u64 = header.iter().map(|&byte| u64::from(byte)).sum();
    let stored: u64 = header[148..156].iter().map(|&byte| u64::from(byte)).sum();
    header[0] != 0 && number(&header[148..156]) == Some(sum - stored + 8 * 32)
}

/// A number in octal digits, or behind a byte of 128 in binary.
fn number(field: &[u8]) -> Option<u64> {
    if field[0] == 0x80 {
        let (high, low) = field.split_at(field.len() - 8);
        let mut word = [0; 8];
        word.copy_from_slice(low);
        return high.iter().skip(1).all(|&byte| byte == 0).then(|| u64::from_be_bytes(word));
    }
    let text = std::str::from_utf8(field).ok()?.trim_matches([' ', '\0']);
    if text.is_empty() { Some(0) } else { u64::from_str_radix(text, 8).ok() }
}

fn text(field: &[u8]) -> String {
    let end = field.iter().position(|&byte| byte == 0).unwrap_or(field.len());
    String::from_utf8_lossy(&field[..end]).into_owned()
}

/// A file in the tar file.
struct Entry {
    name: String,
    start: usize,
    len: usize,
}

/// The files of a tar file, and its damage.
fn entries(file: &[u8], mut each: impl FnMut(Entry)) -> Vec<(usize, &'static str)> {
    let mut damage = Vec::new();
    let (mut at, mut long_name) = (0, None);
    while let Some(header) = file.get(at..at + BLOCK) {
        if header.iter().all(|&byte| byte == 0) {
            // The end: blocks of zeros. Files that were joined go on behind them.
            at += BLOCK;
            continue;
        }
        if !is_header(header) {
            damage.push((at, "the checksum of a header of tar does not fit"));
            // The next header that is sound.
            let next = (at / BLOCK + 1..file.len() / BLOCK)
                .find(|block| is_header(&file[block * BLOCK..(block + 1) * BLOCK]));
            match next {
                Some(block) => at = block * BLOCK,
                None => return damage,
            }
            continue;
        }
        let start = at + BLOCK;
        let len = number(&header[124..136]).and_then(|len| usize::try_from(len).ok());
        let Some(len) = len.filter(|&len| len <= file.len() - start) else {
            damage.push((at, "the file ends within a file of tar"));
            return damage;
        };
        let content = &file[start..start + len];
        match header[156] {
            b'L' => long_name = Some(text(content)),
            b'x' => long_name = pax_path(content).or(long_name),
            b'0' | 0 | b'7' => {
                let (name, prefix) = (text(&header[..100]), text(&header[345..500]));
                let is_posix = &header[257..263] == b"ustar\0" && !prefix.is_empty();
                let short = if is_posix { format!("{prefix}/{name}") } else { name };
                each(Entry { name: long_name.take().unwrap_or(short), start, len });
            }
            // Global settings, folders and links.
            b'g' => {}
            _ => long_name = None,
        }
        at = start.saturating_add(len.next_multiple_of(BLOCK));
    }
    if file.get(at..).is_some_and(|rest| rest.iter().any(|&byte| byte != 0)) {
        damage.push((at, "the file ends within a header of tar"));
    }
    damage
}

/// The name in a header of pax: lines of a length, a key and a value.
fn pax_path(mut content: &[u8]) -> Option<String> {
    let mut path = None;
    while let Some(space) = content.iter().position(|&byte| byte == b' ') {
        let length: usize = std::str::from_utf8(&content[..space]).ok()?.parse().ok()?;
        let line = content.get(space + 1..length.checked_sub(1)?)?;
        if let Some(value) = line.strip_prefix(b"path=") {
            path = Some(String::from_utf8_lossy(value).into_owned());
        }
        content = content.get(length..)?;
    }
    path
}

/// The name of a file up to the first dot behind its folders, and its ending.
fn split_name(name: &str) -> Option<(&str, &str)> {
    let base = name.rfind('/').map_or(0, |slash| slash + 1);
    let dot = base + name[base..].find('.')?;
    let (key, end) = (&name[..dot], &name[dot + 1..]);
    (dot > base && !end.is_empty()).then_some((key, end))
}

struct WebDatasetFile {
    path: Arc<Path>,
    file: RecordBytes,
    /// For each sample its key, and the endings and places of its files.
    samples: Vec<(String, Vec<(String, usize, usize)>)>,
    damage: Vec<RecordDamage>,
}

impl WebDatasetFile {
    fn open(path: &Path, on_damage: OnDamage) -> Result<Self> {
        let file = stream_codec::content(path)?;
        let mut samples: Vec<(String, Vec<(String, usize, usize)>)> = Vec::new();
        let damage = entries(&file, |Entry { name, start, len }| {
            let Some((key, end)) = split_name(name.strip_prefix("./").unwrap_or(&name)) else { return };
            let part = (end.to_lowercase(), start, len);
            match samples.last_mut() {
                Some((last, parts)) if last == key => parts.push(part),
                _ => samples.push((key.to_owned(), vec![part])),
            }
        });
        let path: Arc<Path> = path.into();
        let place = |(offset, text): (usize, &str)| RecordDamage {
            path: path.clone(),
            record: None,
            offset: offset as u64,
            text: text.to_owned(),
        };
        let damage: Vec<RecordDamage> = damage.into_iter().map(place).collect();
        match (damage.first(), on_damage) {
            (Some(first), OnDamage::Fail) => Err(first.clone().into()),
            _ => Ok(WebDatasetFile { path, file, samples, damage }),
        }
    }
}

impl RecordFile for WebDatasetFile {
    fn len(&self) -> u64 {
        self.samples.len() as u64
    }

    fn get(&self, record: u64) -> Result<RecordBytes, ReadFault> {
        let (key, parts) = &self.samples[record as usize];
        let mut features =
            BTreeMap::from([(KEY.to_owned(), TfFeature::Bytes(vec![key.clone().into_bytes()]))]);
        for (end, start, len) in parts {
            let content = self.file[*start..start + len].to_vec();
            if features.insert(end.clone(), TfFeature::Bytes(vec![content])).is_some() {
                let text = format!("the sample {key} has two files that end with .{end}");
                return Err(ReadFault::Damaged(RecordDamage {
                    path: self.path.clone(),
                    record: Some(record),
                    offset: (start - BLOCK) as u64,
                    text,
                }));
            }
        }
        Ok(RecordBytes::from(TfExample { features }.encode()))
    }

    fn damage(&self) -> &[RecordDamage] {
        &self.damage
    }
}

/// A writer of a WebDataset file. A record that is a [`TfExample`](crate::TfExample) of lists with one value is a sample, a file for each feature, named by its
/// `__key__`, or else by its number; numbers are written as text. An object of JSON is a file ending with `.json`, any other text one with `.txt`, other bytes one with
/// `.bin`.
pub struct WebDatasetWriter<W> {
    out: W,
    written: u64,
    /// The key of the sample before.
    last: Option<String>,
}

impl<W: Write> WebDatasetWriter<W> {
    /// A file that is written to `out`.
    pub fn new(out: W) -> Self {
        WebDatasetWriter { out, written: 0, last: None }
    }

    /// The file, which is complete after [`finish`](RecordWriter::finish).
    pub fn into_inner(self) -> W {
        self.out
    }

    fn file(&mut self, name: &str, content: &[u8]) -> Result<()> {
        if name.len() > 100 {
            // GNU's way: a file that is the name of the next.
            let mut long = name.as_bytes().to_vec();
            long.push(0);
            self.entry("././@LongLink", b'L', &long)?;
        }
        self.entry(name, b'0', content)
    }

    fn entry(&mut self, name: &str, kind: u8, content: &[u8]) -> Result<()> {
        let mut header = [0; BLOCK];
        let short = &name.as_bytes()[..name.len().min(100)];
        header[..short.len()].copy_from_slice(short);
        header[100..108].copy_from_slice(b"0000644\0");
        header[108..116].copy_from_slice(b"0000000\0");
        header[116..124].copy_from_slice(b"0000000\0");
        match content.len() as u64 {
            len if len < 1 << 33 => header[124..136].copy_from_slice(format!("{len:011o}\0").as_bytes()),
            len => {
                header[124] = 0x80;
                header[128..136].copy_from_slice(&len.to_be_bytes());
            }
        }
        header[136..148].copy_from_slice(b"00000000000\0");
        header[148..156].fill(b' ');
        header[156] = kind;
        header[257..265].copy_from_slice(b"ustar  \0");
        let sum: u64 = header.iter().map(|&byte| u64::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let padding = [0; BLOCK];
        let padding = &padding[..content.len().next_multiple_of(BLOCK) - content.len()];
        [&header[..], content, padding]
            .into_iter()
            .try_for_each(|part| self.out.write_all(part))
            .map_err(unwritten)
    }

    /// The files of an Example.
    fn sample(&mut self, mut example: TfExample) -> Result<()> {
        let wrong = |text: String| Err(Error::input(format!("record {}: {text}", self.written)));
        let key = match example.features.remove(KEY) {
            None => format!("{:09}", self.written),
            Some(TfFeature::Bytes(values)) if values.len() == 1 => {
                String::from_utf8_lossy(&values[0]).into_owned()
            }
            Some(_) => return wrong(format!("`{KEY}` is no text")),
        };
        let is_key =
            split_name(&format!("{key}.x")).is_some_and(|(same, _)| same == key) && !key.contains('\0');
        if !is_key || example.features.is_empty() {
            return wrong(format!("{key:?} cannot name files of a sample, or the sample has none"));
        }
        if self.last.as_ref() == Some(&key) {
            return wrong(format!("the sample before has the key {key:?}, too, so that they would be one"));
        }
        let mut files = Vec::new();
        for (name, feature) in example.features {
            if name.is_empty() || name.contains(['/', '\0']) || name.to_lowercase() != name {
                return wrong(format!("{name:?} is no ending of a file"));
            }
            files.push(match feature {
                TfFeature::Bytes(mut values) if values.len() == 1 => (name, values.remove(0)),
                TfFeature::Ints(values) if values.len() == 1 => (name, values[0].to_string().into_bytes()),
                TfFeature::Floats(values) if values.len() == 1 => (name, values[0].to_string().into_bytes()),
                _ => return wrong(format!("the feature {name:?} does not have one value")),
            });
        }
        files.iter().try_for_each(|(end, content)| self.file(&format!("{key}.{end}"), content))?;
        self.last = Some(key);
        Ok(())
    }
}

impl<W: Write> RecordWriter for WebDatasetWriter<W> {
    /// # Errors
    /// An Example has a list that is not of one value, or a name that names no file (`Input`).
    fn write(&mut self, record: &[u8]) -> Result<()> {
        match TfExample::decode(record) {
            Ok(example) if !example.features.is_empty() => self.sample(example)?,
            _ => {
                let is_object = matches!(serde_json::from_slice(record), Ok(serde_json::Value::Object(_)));
                let end = match std::str::from_utf8(record) {
                    Ok(_) if is_object => "json",
                    Ok(_) => "txt",
                    Err(_) => "bin",
                };
                self.file(&format!("{:09}.{end}", self.written), record)?;
            }
        }
        self.written += 1;
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        self.out.write_all(&[0; 2 * BLOCK]).map_err(unwritten)
    }
}

impl WebDatasetWriter<Vec<u8>> {
    /// Puts a file in the place of `path` with the samples that `write` writes: it appears whole, or not at all. `.gz` and `.zst` at the end of its name compress it.
    ///
    /// # Errors
    /// An error of `write`, or the file cannot be written.
    pub fn write_file(
        path: impl AsRef<Path>,
        write: &mut dyn FnMut(&mut dyn RecordWriter) -> Result<()>,
    ) -> Result<()> {
        whole_as_named(path.as_ref(), &mut |out| {
            let mut writer = WebDatasetWriter::new(out);
            write(&mut writer)?;
            writer.finish()
        })
    }
}
