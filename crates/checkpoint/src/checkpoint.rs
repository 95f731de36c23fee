use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_store::{LocalStore, Name};

use crate::folder::Folder;
use crate::hash::content_hash;
use crate::manifest::Content;
use crate::orbax_layout::OrbaxReader;
use crate::safetensors_layout::SafetensorsReader;
use crate::snapshot::{Snapshot, SnapshotState};
use crate::versions::{Layout, check};

/// The most differences that an error about many tensors lists.
const SHOWN: usize = 5;

/// A checkpoint on disk, open for reading.
///
/// Opening checks the manifest, the lengths of all files and the checksums of all bytes but those of tensors; the tensors themselves are mapped, and
/// checked when they are read. Checkpoints of all versions of the format are read.
///
/// ```
/// use jarrah_checkpoint::Checkpoint;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/version_1/step_00000001");
/// let checkpoint = Checkpoint::open(folder)?;
/// assert_eq!((checkpoint.step(), checkpoint.tensors()[0].name.as_str()), (1, "params/wte"));
/// assert_eq!(checkpoint.tensor("params/wte")?.dims(), [2, 3]);
/// checkpoint.verify()?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Checkpoint {
    path: PathBuf,
    content: Content,
    entries: Vec<TensorEntry>,
    index: BTreeMap<String, usize>,
    reader: Reader,
}

enum Reader {
    Safetensors(SafetensorsReader),
    Orbax(OrbaxReader),
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
        let store = LocalStore::new(path)?;
        let (content, layout) = check(&Folder::new(&store, Name::root(), path))?;
        let (types, reader) = match layout {
            Layout::Safetensors(layout) => {
                let (types, reader) = layout.open(path, &content)?;
                (types, Reader::Safetensors(reader))
            }
            Layout::Orbax(layout) => {
                let (types, reader) = layout.open(path, &content)?;
                (types, Reader::Orbax(reader))
            }
        };
        let entries = content.tensors.iter().zip(types).map(|(record, ty)| {
            let (name, blake3) = (record.name.clone(), record.blake3.clone());
            TensorEntry { name, ty, blake3 }
        });
        let entries: Vec<TensorEntry> = entries.collect();
        let index = entries.iter().enumerate().map(|(i, entry)| (entry.name.clone(), i)).collect();
        Ok(Checkpoint { path: path.to_owned(), content, entries, index, reader })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of steps done.
    pub fn step(&self) -> u64 {
        self.content.step
    }

    /// The part that is no tensor.
    pub fn state(&self) -> &SnapshotState {
        &self.content.state
    }

    /// The tensors, in the order in which they were given.
    pub fn tensors(&self) -> &[TensorEntry] {
        &self.entries
    }

    /// The bytes of its files, without the manifest.
    pub fn bytes(&self) -> u64 {
        match &self.reader {
            Reader::Safetensors(reader) => reader.bytes(),
            Reader::Orbax(reader) => reader.bytes(),
        }
    }

    /// One line over the step, every tensor and the data position, in hexadecimal.
    ///
    /// Equal for equal training states: the layout of the files, metrics, the order of the tensors and the rest of the
    /// state do not enter. It stands on the recorded checksums of the tensors, which [`verify`](Self::verify) proves.
    pub fn hash(&self) -> String {
        content_hash(&self.content)
    }

    /// The tensor called `name`.
    ///
    /// # Errors
    /// There is none, or its content is damaged; its files were removed or replaced since the checkpoint was opened.
    pub fn tensor(&self, name: &str) -> Result<Literal> {
        match self.index.get(name) {
            Some(&number) => self.numbered(number),
            None => Err(Error::input(format!("{} has no tensor {name}", self.path.display()))),
        }
    }

    fn numbered(&self, number: usize) -> Result<Literal> {
        let (record, ty) = (&self.content.tensors[number], self.entries[number].ty);
        match &self.reader {
            Reader::Safetensors(reader) => reader.tensor(number, record, ty),
            Reader::Orbax(reader) => reader.tensor(record, ty),
        }
    }

    /// The tensors below `prefix/`, named by what follows it.
    ///
    /// # Errors
    /// The content of one is damaged.
    pub fn group(&self, prefix: &str) -> Result<Vec<(String, Literal)>> {
        let below = |(number, entry): (usize, &TensorEntry)| {
            let name = entry.name.strip_prefix(prefix)?.strip_prefix('/')?.to_owned();
            Some(self.numbered(number).map(|literal| (name, literal)))
        };
        self.entries.iter().enumerate().filter_map(below).collect()
    }

    /// Everything, checked.
    ///
    /// # Errors
    /// The content of a tensor is damaged.
    pub fn load(&self) -> Result<Snapshot> {
        let tensor =
            |(number, entry): (usize, &TensorEntry)| Ok((entry.name.clone(), self.numbered(number)?));
        Ok(Snapshot {
            step: self.step(),
            tensors: self.entries.iter().enumerate().map(tensor).collect::<Result<_>>()?,
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

    /// Reads every tensor and compares every checksum.
    ///
    /// # Errors
    /// The first damaged tensor, or what else differs.
    pub fn verify(&self) -> Result<()> {
        match &self.reader {
            Reader::Safetensors(reader) => reader.verify(&self.content),
            Reader::Orbax(reader) => reader.verify(&self.content),
        }
    }
}
