use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use blake3::Hasher;
use jarrah_base::{Error, Literal, MappedFile, Result, Type};
use jarrah_formats::safetensors::stored;
use safetensors::tensor::SafeTensors;

use crate::hash::{content_hash, hex};
use crate::layout::{MANIFEST, TENSORS};
use crate::manifest::{Manifest, TensorRecord, damaged};
use crate::snapshot::{Snapshot, SnapshotState};

// What an error about many tensors lists.
const SHOWN: usize = 5;

/// A checkpoint on disk, open for reading.
///
/// Opening checks the manifest, the length of the tensor file and its header; the tensors themselves are mapped, and
/// checked when they are read.
pub struct Checkpoint {
    path: PathBuf,
    manifest: Manifest,
    entries: Vec<TensorEntry>,
    index: BTreeMap<String, usize>,
    file: MappedFile,
}

/// A tensor of a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct TensorEntry {
    /// Its name, with the group: `params/wte`.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// blake3 of its little-endian bytes, in hexadecimal.
    pub blake3: String,
}

impl Checkpoint {
    /// Opens the checkpoint in the folder `path`.
    ///
    /// # Errors
    /// A file is missing, truncated, damaged outside the tensors' content, or of a newer format version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let manifest_path = path.join(MANIFEST);
        let text = fs::read(&manifest_path).map_err(|e| Error::io("read", &manifest_path, &e))?;
        let manifest = Manifest::parse(&text, &manifest_path)?;
        let tensors_path = path.join(TENSORS);
        let file = MappedFile::open(&tensors_path)?;
        let record = &manifest.file;
        if file.len() as u64 != record.bytes {
            let what = format!("it has {} bytes, but the manifest says {}", file.len(), record.bytes);
            return Err(damaged(&tensors_path, what));
        }
        let header = usize::try_from(record.header_bytes).ok().and_then(|n| file.get(..n));
        let header = header.ok_or_else(|| damaged(&tensors_path, "it is shorter than its header".into()))?;
        check(&tensors_path, "the header", header, &record.header_blake3)?;
        let entries = agree(&manifest, &file).map_err(|what| damaged(&tensors_path, what))?;
        let index = entries.iter().enumerate().map(|(i, entry)| (entry.name.clone(), i)).collect();
        Ok(Checkpoint { path: path.to_owned(), manifest, entries, index, file })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of steps done.
    pub fn step(&self) -> u64 {
        self.manifest.step
    }

    /// The part that is no tensor.
    pub fn state(&self) -> &SnapshotState {
        &self.manifest.state
    }

    /// The tensors, in the order in which they were given.
    pub fn tensors(&self) -> &[TensorEntry] {
        &self.entries
    }

    /// The size of the tensor file.
    pub fn bytes(&self) -> u64 {
        self.manifest.file.bytes
    }

    /// One line over the step, every tensor and the data position, in hexadecimal.
    ///
    /// Equal for equal training states: the layout of the file, metrics, the order of the tensors and the rest of the
    /// state do not enter. It stands on the recorded checksums of the tensors, which [`verify`](Self::verify) proves.
    pub fn hash(&self) -> String {
        content_hash(&self.manifest)
    }

    /// The tensor called `name`.
    ///
    /// # Errors
    /// There is none, or its content is damaged.
    pub fn tensor(&self, name: &str) -> Result<Literal> {
        let Some(&i) = self.index.get(name) else {
            return Err(Error::input(format!("{} has no tensor {name}", self.path.display())));
        };
        let bytes = self.checked_content(&self.manifest.tensors[i])?;
        Literal::from_bytes(self.entries[i].ty, bytes)
    }

    /// The tensors below `prefix/`, named by what follows it.
    ///
    /// # Errors
    /// The content of one is damaged.
    pub fn group(&self, prefix: &str) -> Result<Vec<(String, Literal)>> {
        let below = |entry: &TensorEntry| {
            let name = entry.name.strip_prefix(prefix)?.strip_prefix('/')?.to_owned();
            Some(self.tensor(&entry.name).map(|literal| (name, literal)))
        };
        self.entries.iter().filter_map(below).collect()
    }

    /// Everything, checked.
    ///
    /// # Errors
    /// The content of a tensor is damaged.
    pub fn load(&self) -> Result<Snapshot> {
        let tensors = self.entries.iter().map(|entry| Ok((entry.name.clone(), self.tensor(&entry.name)?)));
        Ok(Snapshot {
            step: self.step(),
            tensors: tensors.collect::<Result<_>>()?,
            state: self.state().clone(),
        })
    }

    /// Checks that the checkpoint has exactly these tensors.
    ///
    /// # Errors
    /// It has not: the first differences, with both types.
    pub fn expect(&self, tensors: &[(String, Type)]) -> Result<()> {
        let mut differences = Vec::new();
        for (name, ty) in tensors {
            match self.index.get(name.as_str()).map(|&i| self.entries[i].ty) {
                Some(found) if found == *ty => {}
                Some(found) => {
                    differences.push(format!("{name}: the model has {ty}, the checkpoint {found}"))
                }
                None => differences.push(format!("{name}: the model has {ty}, the checkpoint nothing")),
            }
        }
        let asked: HashSet<&str> = tensors.iter().map(|(name, _)| name.as_str()).collect();
        for entry in self.entries.iter().filter(|entry| !asked.contains(entry.name.as_str())) {
            differences.push(format!("{}: the model has nothing, the checkpoint {}", entry.name, entry.ty));
        }
        if differences.is_empty() {
            return Ok(());
        }
        let mut error = Error::input(format!(
            "{} is of another model: {} of {} tensors differ",
            self.path.display(),
            differences.len(),
            tensors.len().max(self.entries.len()),
        ));
        for line in differences.iter().take(SHOWN) {
            error = error.context(line);
        }
        if differences.len() > SHOWN {
            error = error.context(format!("and {} more", differences.len() - SHOWN));
        }
        Err(error.help("give the recipe the checkpoint was made with"))
    }

    /// Reads every byte and compares every checksum.
    ///
    /// # Errors
    /// The first damaged tensor, or what else differs.
    pub fn verify(&self) -> Result<()> {
        for record in &self.manifest.tensors {
            self.checked_content(record)?;
        }
        check(&self.path.join(TENSORS), "the file", &self.file, &self.manifest.file.blake3)
    }

    fn checked_content(&self, record: &TensorRecord) -> Result<&[u8]> {
        let bytes = content(&self.file, self.manifest.file.header_bytes, record)
            .expect("invariant: opening compared every place with the file's header");
        check(&self.path.join(TENSORS), &format!("tensor {}", record.name), bytes, &record.blake3)?;
        Ok(bytes)
    }
}

fn content<'a>(file: &'a [u8], header: u64, record: &TensorRecord) -> Option<&'a [u8]> {
    let place = |offset: u64| usize::try_from(header.checked_add(offset)?).ok();
    file.get(place(record.offsets.0)?..place(record.offsets.1)?)
}

fn check(path: &Path, what: &str, bytes: &[u8], expected: &str) -> Result<()> {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    let found = hex(&hasher);
    if found == expected {
        return Ok(());
    }
    Err(damaged(path, format!("{what} has the blake3 checksum {found}, but {expected} was written")))
}

/// The manifest's tensors, if the tensor file's own header says the same of them.
fn agree(manifest: &Manifest, file: &[u8]) -> Result<Vec<TensorEntry>, String> {
    let (_, header) =
        SafeTensors::read_metadata(file).map_err(|e| format!("its header is malformed: {e}"))?;
    let infos = header.tensors();
    let mut names = HashSet::new();
    let mut entries = Vec::with_capacity(manifest.tensors.len());
    for record in &manifest.tensors {
        let differs = || format!("its header and the manifest differ about tensor {}", record.name);
        let info = infos.get(&record.name).ok_or_else(differs)?;
        let offsets = (info.data_offsets.0 as u64, info.data_offsets.1 as u64);
        // The extents first: only then is their product known not to overflow.
        let same = info.shape == record.shape && offsets == record.offsets && names.insert(&record.name);
        let ty = same.then(|| record.ty()).flatten().ok_or_else(differs)?;
        if Some(info.dtype) != stored(ty.dtype())
            || content(file, manifest.file.header_bytes, record).is_none()
        {
            return Err(differs());
        }
        entries.push(TensorEntry { name: record.name.clone(), ty, blake3: record.blake3.clone() });
    }
    if entries.len() != infos.len() {
        return Err(format!("it holds {} tensors, but the manifest names {}", infos.len(), entries.len()));
    }
    Ok(entries)
}
