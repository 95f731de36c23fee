use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_store::{Condition, Draft, EntryKind, LocalStore, Name, ObjectStore};

use crate::layout::StepNames;
use crate::retention::{Keep, StepInfo, kept};

/// Files are copied in pieces of so many bytes.
const PIECE: usize = 4 << 20;

/// An object by which the second place is told from the first one.
const PROBE: &str = "jarrah-probe";

/// A second place for checkpoints: a disk that is slower and lasts longer, or a bucket. A manager saves into its own folder first, which may be in memory or on the
/// machine's disk, and copies checkpoints from there. The second place belongs to one run.
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
/// assert_eq!(manager.restore(None)?.json("data")?, 11);
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
        Backup { store, every: 0, keep: Vec::new() }
    }

    /// A checkpoint is copied if it is so many steps behind the last copy.
    pub fn every(mut self, steps: u64) -> Backup {
        self.every = steps;
        self
    }

    /// The rules by which copies stay; the newest one always does. Without a rule all do.
    ///
    /// # Errors
    /// A rule asks for times or measurements, which are not looked for in the second place (`Program`).
    pub fn keep(mut self, rules: Vec<Keep>) -> Result<Backup> {
        let asks = |rule: &&Keep| matches!(rule, Keep::Best { .. } | Keep::Every(_) | Keep::Within(_));
        if let Some(rule) = rules.iter().find(asks) {
            return Err(Error::program(format!("copies are to be kept by the rule {rule:?}"))
                .op("checkpoint")
                .help("copies are kept by their steps: Latest, EverySteps, Steps or Custom"));
        }
        self.keep = rules;
        Ok(self)
    }

    /// Clears what a killed run left unfinished in the second place, and checks that it is not the first one.
    pub(crate) fn open(&self, own: &dyn ObjectStore) -> Result<()> {
        let probe = Name::new(PROBE)?;
        // A place that is out of reach now may come back: that is told by each save.
        let Ok(Some(_)) = self.store.create(&probe).and_then(|upload| upload.finish(Condition::Always))
        else {
            return Ok(());
        };
        let is_own = own.open(&probe)?.is_some();
        let _ = self.store.delete(&probe);
        match is_own {
            true => Err(Error::input("the backup of the checkpoints is their own folder")
                .op("checkpoint")
                .help("name another place, which outlives the first one")),
            false => self.store.clear_unfinished(&Name::root()),
        }
    }

    /// Copies the checkpoint of a step if that is due, and removes older copies; the bytes are read from `from`. A copy of this step that is there is from before the
    /// run went back: it is replaced when all of the new one has come.
    pub(crate) fn take(&self, from: &dyn ObjectStore, names: &StepNames, step: u64) -> Result<()> {
        let folder = Name::new(names.name(step))?;
        let last = self.steps(names)?.into_iter().rfind(|&other| other != step);
        if last.is_some_and(|last| step < last.saturating_add(self.every)) {
            return self.store.delete_folder(&folder).map(drop);
        }
        copy(from, self.store.draft(&folder)?, &folder)?.replace()?;
        if self.keep.is_empty() {
            return Ok(());
        }
        let steps = self.steps(names)?;
        let info = |&step: &u64| StepInfo { step, time: None, metrics: Default::default() };
        let all: Vec<StepInfo> = steps.iter().map(info).collect();
        for (&old, is_kept) in steps.iter().zip(kept(&self.keep, &all)) {
            if !is_kept && old != step && steps.last() != Some(&old) {
                self.remove(names, old)?;
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

    /// Brings the copy of a step back: it takes the place of what is there when all of it has come.
    pub(crate) fn bring(&self, to: &dyn ObjectStore, names: &StepNames, step: u64) -> Result<()> {
        let folder = Name::new(names.name(step))?;
        copy(&*self.store, to.draft(&folder)?, &folder)?.replace()
    }

    /// Removes the copy of a step, and says whether there was one.
    pub(crate) fn remove(&self, names: &StepNames, step: u64) -> Result<bool> {
        self.store.delete_folder(&Name::new(names.name(step))?)
    }
}

/// Copies a folder into a draft.
fn copy(from: &dyn ObjectStore, draft: Box<dyn Draft>, folder: &Name) -> Result<Box<dyn Draft>> {
    let mut folders = vec![Name::root()];
    let mut piece = Vec::new();
    while let Some(below) = folders.pop() {
        for entry in from.list(&folder.with(&below))? {
            let name = below.join(&entry.name)?;
            if entry.kind == EntryKind::Folder {
                folders.push(name);
                continue;
            }
            let Some(object) = from.open(&folder.with(&name))? else {
                let error = format!("{folder}/{name} was removed while it was copied");
                return Err(Error::environment(error).op("checkpoint"));
            };
            let mut upload = draft.create(&name)?;
            for begin in (0..object.len()).step_by(PIECE) {
                piece.resize(PIECE.min((object.len() - begin) as usize), 0);
                object.read_at(begin, &mut piece)?;
                upload.write(&piece)?;
            }
            upload.finish(Condition::Always)?;
        }
    }
    Ok(draft)
}
