use std::path::Path;
use std::sync::Arc;

use jarrah_base::Result;
use jarrah_store::{Condition, EntryKind, LocalStore, Name, ObjectStore};

use crate::layout::StepNames;
use crate::retention::{Keep, StepInfo, kept};

/// Files are copied in pieces of so many bytes.
const PIECE: usize = 4 << 20;

/// A second place for checkpoints: a disk that is slower and lasts longer, or a bucket. A manager saves into its own folder first, which may be in memory or on the
/// machine's disk, and copies checkpoints from there.
///
/// ```
/// use jarrah_checkpoint::{Backup, CheckpointItems, CheckpointManager, CheckpointManagerOptions, Keep};
/// # let dir = tempfile::tempdir().unwrap();
/// # let (fast, durable) = (dir.path().join("fast"), dir.path().join("durable"));
/// let options = || -> jarrah_base::Result<_> {
///     let backup = Some(Backup::folder(&durable)?.every(10));
///     Ok(CheckpointManagerOptions { keep: vec![Keep::Latest(1)], backup, ..Default::default() })
/// };
/// let mut manager = CheckpointManager::open(&fast, options()?)?;
/// for step in 1..=12 {
///     manager.save(CheckpointItems::new(step).json("data", step)?);
/// }
/// manager.close()?;
/// // The fast disk is lost with its machine.
/// std::fs::remove_dir_all(&fast).unwrap();
/// let mut manager = CheckpointManager::open(&fast, options()?)?;
/// assert_eq!(manager.restore(None)?.json("data")?, 10);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Backup {
    store: Arc<dyn ObjectStore>,
    every: u64,
    keep: Vec<Keep>,
}

impl Backup {
    /// A folder, such as one of a file system that all machines see.
    ///
    /// # Errors
    /// The current folder, which the path may begin at, is gone (`Environment`).
    pub fn folder(path: impl AsRef<Path>) -> Result<Backup> {
        Ok(Backup::store(Arc::new(LocalStore::new(path)?)))
    }

    /// A store, such as a bucket.
    pub fn store(store: Arc<dyn ObjectStore>) -> Backup {
        Backup { store, every: 1, keep: Vec::new() }
    }

    /// Of so many saves the last is copied, counted from the beginning of the run.
    pub fn every(mut self, saves: u64) -> Backup {
        self.every = saves.max(1);
        self
    }

    /// The rules by which copies stay. Their times and measurements are not looked at: rules that ask for them keep nothing. The newest one always stays; without a
    /// rule all do.
    pub fn keep(mut self, rules: Vec<Keep>) -> Backup {
        self.keep = rules;
        self
    }

    /// Copies the checkpoint of a step if the save of this number is one that is copied, and removes older copies; the bytes are read from `from`.
    pub(crate) fn take(&self, from: &dyn ObjectStore, names: &StepNames, step: u64, save: u64) -> Result<()> {
        if !(save + 1).is_multiple_of(self.every) {
            return Ok(());
        }
        let folder = Name::new(names.name(step))?;
        // One of this step is from before the run went back.
        self.store.delete_folder(&folder)?;
        copy(from, &*self.store, &folder)?;
        if self.keep.is_empty() {
            return Ok(());
        }
        let steps = self.steps(names)?;
        let info = |&step: &u64| StepInfo { step, time: None, metrics: Default::default() };
        let all: Vec<StepInfo> = steps.iter().map(info).collect();
        for (&old, is_kept) in steps.iter().zip(kept(&self.keep, &all)) {
            if !is_kept && old != step && steps.last() != Some(&old) {
                self.store.delete_folder(&Name::new(names.name(old))?)?;
            }
        }
        Ok(())
    }

    /// The steps that have a copy, in order.
    pub(crate) fn steps(&self, names: &StepNames) -> Result<Vec<u64>> {
        let mut steps: Vec<u64> =
            self.store.folders(&Name::root())?.iter().filter_map(|name| names.parse(name)).collect();
        steps.sort_unstable();
        Ok(steps)
    }

    /// Brings the copy of a step back, in the place of what is there.
    pub(crate) fn bring(&self, to: &dyn ObjectStore, names: &StepNames, step: u64) -> Result<()> {
        let folder = Name::new(names.name(step))?;
        to.delete_folder(&folder)?;
        copy(&*self.store, to, &folder)
    }

    /// Removes the copy of a step.
    pub(crate) fn remove(&self, names: &StepNames, step: u64) -> Result<()> {
        self.store.delete_folder(&Name::new(names.name(step))?).map(drop)
    }
}

/// Copies a folder between stores, where it is not there yet: it appears at once.
fn copy(from: &dyn ObjectStore, to: &dyn ObjectStore, folder: &Name) -> Result<()> {
    let draft = to.draft(folder)?;
    let mut folders = vec![Name::root()];
    let mut piece = Vec::new();
    while let Some(below) = folders.pop() {
        for entry in from.list(&folder.with(&below))? {
            let name = below.join(&entry.name)?;
            if entry.kind == EntryKind::Folder {
                folders.push(name);
                continue;
            }
            // A file that was removed since: the folder is being removed, and its copy would be half of one.
            let Some(object) = from.open(&folder.with(&name))? else { return Ok(()) };
            let mut upload = draft.create(&name)?;
            for begin in (0..object.len()).step_by(PIECE) {
                piece.resize(PIECE.min((object.len() - begin) as usize), 0);
                object.read_at(begin, &mut piece)?;
                upload.write(&piece)?;
            }
            upload.finish(Condition::Always)?;
        }
    }
    draft.publish().map(drop)
}
