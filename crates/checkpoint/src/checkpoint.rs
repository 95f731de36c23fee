use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_store::{LocalStore, Name, ObjectStore};
use serde_json::Value;

use crate::contents::{Contents, Reader};
use crate::folder::Folder;
use crate::hash::content_hash;
use crate::layout::orbax::STATE;
use crate::manifest::{Checksums, ItemRecord};
use crate::orbax_layout::OrbaxReader;
use crate::processes::Processes;
use crate::snapshot::{Snapshot, SnapshotState};
use crate::tree::{CheckpointTree, Entries, TensorEntry};
use crate::versions::{Layout, check};

/// A checkpoint on disk, open for reading.
///
/// Opening checks the manifest, the lengths of all files and the checksums of all bytes but those of tensors; the tensors themselves, and their
/// descriptions, are read and checked when they are asked for. Checkpoints of all versions of the format are read.
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
    contents: Contents,
    /// The items that are trees.
    trees: BTreeMap<String, Entries>,
}

impl Checkpoint {
    /// Opens the checkpoint in the folder `path`.
    ///
    /// # Errors
    /// A file is missing, truncated, damaged outside the tensors' content, or of a newer format version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        if !path.is_dir() {
            let is = if path.exists() { "is a file, and no folder of a checkpoint" } else { "is not there" };
            return Err(Error::input(format!("{} {is}", path.display())).op("checkpoint"));
        }
        Self::opened(Arc::new(LocalStore::new(path)?), Name::root(), path)
    }

    /// Opens the checkpoint in a folder of a store, such as a bucket. All files are asked for by the names that the manifest has for them, so that a store that
    /// cannot list serves one, too; and of a box of a tensor no more bytes than those of the shards that it touches.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_checkpoint::Checkpoint;
    /// use jarrah_store::{LocalStore, Name, ObjectStore};
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/version_2");
    /// let store = Arc::new(LocalStore::new(folder)?);
    /// let checkpoint = Checkpoint::open_in(store, &Name::new("step_00000001")?)?;
    /// assert_eq!(checkpoint.step(), 1);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open); the store cannot be read (`Environment`).
    pub fn open_in(store: Arc<dyn ObjectStore>, folder: &Name) -> Result<Self> {
        let path = store.shown(folder);
        Self::opened(store, folder.clone(), &path)
    }

    fn opened(store: Arc<dyn ObjectStore>, name: Name, path: &Path) -> Result<Self> {
        let folder = Folder::new(&*store, name.clone(), path);
        let (content, layout) = check(&folder)?;
        let (types, reader) = match layout {
            Layout::Safetensors(layout) => {
                let (types, reader) = layout.open(&folder, &content)?;
                (types, Reader::Safetensors(reader))
            }
            Layout::Orbax(layout) => {
                let (types, reader) = layout.open(store.clone(), name, path, &content)?;
                (types, Reader::Orbax(reader))
            }
        };
        let names = content.items.iter().filter(|item| !item.is_json).map(|item| item.name.clone());
        let mut trees: BTreeMap<String, Entries> = names.map(|name| (name, Entries::default())).collect();
        for (number, (record, &ty)) in content.tensors.iter().zip(&types).enumerate() {
            let blake3 = match &record.sums {
                Checksums::Whole { blake3 } => Some(blake3.clone()),
                Checksums::Shards { .. } => None,
            };
            let sharding = match &reader {
                Reader::Safetensors(_) => None,
                Reader::Orbax(reader) => reader.sharding(record)?.map(str::to_owned),
            };
            let entry = TensorEntry { name: record.name.clone(), ty, blake3, sharding };
            trees.entry(record.item.clone()).or_default().add(number, entry);
        }
        trees.entry(STATE.to_owned()).or_default();
        Ok(Checkpoint { contents: Contents { path: path.to_owned(), content, types, reader }, trees })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.contents.path
    }

    /// The number of steps done.
    pub fn step(&self) -> u64 {
        self.contents.content.step
    }

    /// The part that is no tensor.
    pub fn state(&self) -> &SnapshotState {
        &self.contents.content.state
    }

    /// The names of the items.
    pub fn items(&self) -> impl Iterator<Item = &str> {
        self.contents.content.items.iter().map(|item| item.name.as_str())
    }

    /// The names of the items that are trees.
    pub(crate) fn trees(&self) -> impl Iterator<Item = &str> {
        self.items().filter(|name| self.trees.contains_key(*name))
    }

    /// The item `name`, which is a tree of tensors.
    ///
    /// # Errors
    /// There is none (`Input`).
    pub fn tree(&self, name: &str) -> Result<CheckpointTree<'_>> {
        match self.trees.get(name) {
            Some(entries) => Ok(CheckpointTree { contents: &self.contents, entries }),
            None => Err(self.no_item(name, "a tree of tensors")),
        }
    }

    /// The item `name`, which is JSON.
    ///
    /// # Errors
    /// There is none, or its file was removed since the checkpoint was opened (`Input`).
    pub fn json(&self, name: &str) -> Result<Value> {
        let (reader, item) = self.json_item(name, false)?;
        reader.json(&item.json_files()[0])
    }

    /// The item `name`, which is JSON of each process, of this process, or of the only one.
    ///
    /// ```
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, Processes};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
    /// manager.save(CheckpointItems::new(1).process_json("data", 1600)?);
    /// let checkpoint = manager.restore(None)?;
    /// assert_eq!(checkpoint.process_json("data", None)?, 1600);
    /// let second = Processes::new(1, 2, "run")?;
    /// assert!(checkpoint.process_json("data", Some(&second)).is_err());
    /// assert_eq!(checkpoint.all_process_json("data")?, [1600]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is none; another number of processes saved it, which [`all_process_json`](Self::all_process_json) does not mind; its file was removed since the
    /// checkpoint was opened (`Input`).
    pub fn process_json(&self, name: &str, processes: Option<&Processes>) -> Result<Value> {
        let (reader, item) = self.json_item(name, true)?;
        let (index, count) = processes.map_or((0, 1), |processes| (processes.index(), processes.count()));
        match item.json_files() {
            files if files.len() == count => reader.json(&files[index]),
            files => {
                let (saved, path) = (files.len(), self.contents.path.display());
                let of = |count: usize| {
                    if count == 1 { "1 process".to_owned() } else { format!("{count} processes") }
                };
                let error = format!(
                    "{path}: the item {name:?} was saved by {}, and is restored by {}",
                    of(saved),
                    of(count)
                );
                Err(Error::input(error)
                    .op("checkpoint")
                    .help("each process has JSON of its own: restore with as many, or take that of all (`all_process_json`)"))
            }
        }
    }

    /// The item `name`, which is JSON of each process, of all processes in their order: see [`process_json`](Self::process_json).
    ///
    /// # Errors
    /// As [`process_json`](Self::process_json), but for the number of processes.
    pub fn all_process_json(&self, name: &str) -> Result<Vec<Value>> {
        let (reader, item) = self.json_item(name, true)?;
        item.json_files().iter().map(|file| reader.json(file)).collect()
    }

    /// The item `name`, which is JSON, of each process or of all together.
    fn json_item(&self, name: &str, is_of_process: bool) -> Result<(&OrbaxReader, &ItemRecord)> {
        let is_it = |item: &&ItemRecord| {
            item.name == name && item.is_json && item.processes.is_some() == is_of_process
        };
        match (&self.contents.reader, self.contents.content.items.iter().find(is_it)) {
            (Reader::Orbax(reader), Some(item)) => Ok((reader, item)),
            _ => Err(self.no_item(name, if is_of_process { "JSON of each process" } else { "JSON" })),
        }
    }

    fn no_item(&self, name: &str, kind: &str) -> Error {
        let names: Vec<&str> = self.items().collect();
        let error = format!("{} has no item {name:?} that is {kind}", self.contents.path.display());
        Error::input(error).op("checkpoint").help(format!("it has {}", names.join(", ")))
    }

    /// The tensors of the item `state`, in the order in which they were given.
    pub fn tensors(&self) -> &[TensorEntry] {
        self.trees.get(STATE).map_or(&[], |tree| &tree.entries)
    }

    /// The bytes of its files, without the manifest.
    pub fn bytes(&self) -> u64 {
        match &self.contents.reader {
            Reader::Safetensors(reader) => reader.bytes(),
            Reader::Orbax(reader) => reader.bytes(),
        }
    }

    /// One line over the step, every tensor, the data position and the items beside `state`, in hexadecimal.
    ///
    /// Equal for equal training states: the layout of the files, the shards of the tensors, metrics, the order of the tensors and the rest of the
    /// state do not enter. It stands on the recorded checksums, which [`verify`](Self::verify) proves; tensors that were saved in several shards are read for it.
    ///
    /// # Errors
    /// A tensor in several shards is damaged (`Input`).
    pub fn hash(&self) -> Result<String> {
        let sum = |number: usize| {
            let record = &self.contents.content.tensors[number];
            match (&record.sums, &self.contents.reader) {
                (Checksums::Whole { blake3 }, _) => Ok(blake3.clone()),
                (Checksums::Shards { .. }, Reader::Orbax(reader)) => reader.whole_sum(record),
                (Checksums::Shards { .. }, Reader::Safetensors(_)) => {
                    Err(Error::internal("a file of safetensors has no shards"))
                }
            }
        };
        let json = |item: &ItemRecord| match &self.contents.reader {
            Reader::Safetensors(_) => Vec::new(),
            Reader::Orbax(reader) => {
                item.json_files().iter().map(|file| reader.json_sum(file).to_owned()).collect()
            }
        };
        content_hash(&self.contents.content, sum, json)
    }

    /// The tensor called `name` of the item `state`.
    ///
    /// # Errors
    /// There is none, or its content is damaged; its files were removed or replaced since the checkpoint was opened.
    pub fn tensor(&self, name: &str) -> Result<Literal> {
        self.tree(STATE)?.tensor(name)
    }

    /// The tensors of the item `state` below `prefix/`, named by what follows it.
    ///
    /// # Errors
    /// The content of one is damaged.
    pub fn group(&self, prefix: &str) -> Result<Vec<(String, Literal)>> {
        self.tree(STATE)?.group(prefix)
    }

    /// The step, the tensors of the item `state` and the rest, checked.
    ///
    /// # Errors
    /// The content of a tensor is damaged.
    pub fn load(&self) -> Result<Snapshot> {
        Ok(Snapshot { step: self.step(), tensors: self.tree(STATE)?.load()?, state: self.state().clone() })
    }

    /// Checks that the item `state` has exactly these tensors.
    ///
    /// # Errors
    /// It has not: the first differences, with both types.
    pub fn expect(&self, tensors: &[(String, Type)]) -> Result<()> {
        self.tree(STATE)?.expect(tensors)
    }

    /// Reads every tensor and compares every checksum.
    ///
    /// # Errors
    /// The first damaged tensor, or what else differs.
    pub fn verify(&self) -> Result<()> {
        match &self.contents.reader {
            Reader::Safetensors(reader) => reader.verify(&self.contents.content),
            Reader::Orbax(reader) => reader.verify(&self.contents.content),
        }
    }
}

impl fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checkpoint({})", self.contents.path.display())
    }
}
