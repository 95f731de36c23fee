use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result, files};

use crate::catalog::{absent, list};
use crate::layout::{self, Hidden, names};
use crate::lock::{Claim, Lock};
use crate::read::Checkpoint;
use crate::snapshot::Snapshot;
use crate::storage::{Disk, Storage};
use crate::write::{failed, only_ours, remove, write};

/// Which checkpoints stay.
#[derive(Clone, Debug)]
pub struct ManagerOptions {
    /// How many of the highest steps; at least one.
    pub keep: usize,
    /// The metric whose lowest value keeps one more.
    pub best: Option<String>,
}

impl Default for ManagerOptions {
    fn default() -> Self {
        ManagerOptions { keep: 3, best: None }
    }
}

/// A checkpoint that is durable.
#[derive(Debug)]
pub struct Saved {
    /// Its step.
    pub step: u64,
    /// Its folder.
    pub path: PathBuf,
    /// The bytes written.
    pub bytes: u64,
    /// How long the writing took, behind the training loop.
    pub took: Duration,
    /// The steps removed for it.
    pub removed: Vec<u64>,
    /// Why an old one could not be removed.
    pub not_removed: Option<Error>,
}

/// The outcome of [`Manager::save`].
#[derive(Debug)]
pub struct Submitted {
    /// How long the call waited for the save before it.
    pub waited: Duration,
    /// The outcome of the save before it, unless that was asked for already.
    pub previous: Option<Result<Saved>>,
}

/// The writer of a directory of checkpoints.
///
/// One save is under way at a time, on a thread of its own. A failed one leaves the directory as it was and does not
/// end the run: its error is handed out by the next [`poll`](Self::poll), [`wait`](Self::wait) or
/// [`save`](Self::save). Dropping the manager waits for the save under way.
pub struct Manager {
    dir: PathBuf,
    storage: Arc<dyn Storage>,
    options: ManagerOptions,
    under_way: Option<UnderWay>,
    // Held while the manager lives.
    _lock: Option<Lock>,
}

enum UnderWay {
    Thread(JoinHandle<Result<Saved>>),
    Refused(Error),
}

impl Manager {
    /// Opens `dir`, which is made if it is missing, and clears what a killed writer left in it.
    ///
    /// # Errors
    /// The directory cannot be made or written, another process writes it, or `options.keep` is zero.
    pub fn open(dir: impl AsRef<Path>, options: ManagerOptions) -> Result<Self> {
        let dir = dir.as_ref();
        Self::with_storage(dir, options, Arc::new(Disk))
    }

    /// [`open`](Self::open), writing through `storage`.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn with_storage(
        dir: impl AsRef<Path>,
        options: ManagerOptions,
        storage: Arc<dyn Storage>,
    ) -> Result<Self> {
        let dir = dir.as_ref();
        if options.keep == 0 {
            return Err(Error::input("checkpoint.keep is 0").help("keep at least one checkpoint"));
        }
        let unwritable = |e: std::io::Error| {
            Error::input(format!("cannot write checkpoints to {}: {e}", dir.display()))
                .help("give a folder that can be written")
        };
        if !dir.is_dir() {
            fs::create_dir_all(dir).and_then(|()| files::sync_names(dir)).map_err(unwritable)?;
        }
        let lock = match Lock::claim(dir).map_err(unwritable)? {
            Claim::Ours(lock) => {
                clear_leftovers(&*storage, dir)?;
                Some(lock)
            }
            Claim::Theirs(_) => {
                return Err(Error::input(format!("another process writes checkpoints to {}", dir.display()))
                    .help("end it, or give this run a folder of its own"));
            }
            // Whose the leftovers are cannot be told.
            Claim::Unsupported => None,
        };
        Ok(Manager { dir: dir.to_owned(), storage, options, under_way: None, _lock: lock })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Starts to write `snapshot` and returns; waits first while the save before it is under way.
    pub fn save(&mut self, snapshot: Snapshot) -> Submitted {
        let start = Instant::now();
        let previous = self.wait();
        let waited = start.elapsed();
        let (dir, storage, options) = (self.dir.clone(), self.storage.clone(), self.options.clone());
        let job = move || save(&*storage, &dir, &options, &snapshot);
        let thread = thread::Builder::new().name("checkpoint".into()).spawn(job);
        self.under_way = Some(match thread {
            Ok(handle) => UnderWay::Thread(handle),
            Err(e) => {
                UnderWay::Refused(Error::environment(format!("cannot start the checkpoint thread: {e}")))
            }
        });
        Submitted { waited, previous }
    }

    /// The outcome of the save under way, if it is done.
    pub fn poll(&mut self) -> Option<Result<Saved>> {
        match self.under_way.as_ref()? {
            UnderWay::Thread(handle) if !handle.is_finished() => None,
            _ => self.wait(),
        }
    }

    /// The outcome of the save under way, once it is done; `None` without one.
    pub fn wait(&mut self) -> Option<Result<Saved>> {
        Some(match self.under_way.take()? {
            UnderWay::Thread(handle) => {
                handle.join().unwrap_or_else(|_| Err(Error::internal("the checkpoint thread panicked")))
            }
            UnderWay::Refused(error) => Err(error),
        })
    }

    /// Removes the checkpoint of `step`, be it damaged.
    ///
    /// # Errors
    /// There is none, its folder holds files of others, or it cannot be removed.
    pub fn remove(&mut self, step: u64) -> Result<()> {
        if let Some(Err(error)) = self.wait() {
            return Err(error);
        }
        let listing = list(&self.dir)?;
        let damaged = listing.damaged.iter().any(|d| d.0 == step);
        if !damaged && !listing.good.iter().any(|c| c.step() == step) {
            return Err(absent(&listing, step, &self.dir));
        }
        drop_step(&*self.storage, &self.dir, step)
    }

    /// Removes the checkpoints after `step`, which a run that goes on from `step` makes anew, and gives their steps.
    ///
    /// # Errors
    /// One cannot be removed.
    pub fn discard_after(&mut self, step: u64) -> Result<Vec<u64>> {
        if let Some(Err(error)) = self.wait() {
            return Err(error);
        }
        let listing = list(&self.dir)?;
        let steps = listing.good.iter().map(Checkpoint::step).chain(listing.damaged.iter().map(|d| d.0));
        let mut after: Vec<u64> = steps.filter(|&s| s > step).collect();
        after.sort();
        for &s in after.iter().rev() {
            drop_step(&*self.storage, &self.dir, s)?;
        }
        Ok(after)
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        self.wait();
    }
}

fn save(storage: &dyn Storage, dir: &Path, options: &ManagerOptions, snapshot: &Snapshot) -> Result<Saved> {
    let start = Instant::now();
    let bytes = write(storage, dir, snapshot)?;
    let took = start.elapsed();
    let (removed, not_removed) = retain(storage, dir, options);
    let path = layout::path(dir, snapshot.step);
    Ok(Saved { step: snapshot.step, path, bytes, took, removed, not_removed })
}

/// Removes what `options` does not keep. Damaged checkpoints neither count nor go: a person may want to look at them.
fn retain(storage: &dyn Storage, dir: &Path, options: &ManagerOptions) -> (Vec<u64>, Option<Error>) {
    let good = match list(dir) {
        Ok(listing) => listing.good,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let metric = |c: &Checkpoint| c.state().metrics.get(options.best.as_ref()?).copied();
    let best = good
        .iter()
        .filter_map(|c| Some((metric(c)?, c.step())))
        .filter(|(value, _)| !value.is_nan())
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, step)| step);
    let old = good.len().saturating_sub(options.keep);
    let (mut removed, mut not_removed) = (Vec::new(), None);
    for step in good[..old].iter().map(Checkpoint::step).filter(|&step| Some(step) != best) {
        match drop_step(storage, dir, step) {
            Ok(()) => removed.push(step),
            Err(error) => not_removed = Some(error),
        }
    }
    (removed, not_removed)
}

/// Hides the folder of `step`, then removes it: at no moment is half of it to be seen.
fn drop_step(storage: &dyn Storage, dir: &Path, step: u64) -> Result<()> {
    let (path, hidden) = (layout::path(dir, step), Hidden::Dropped.path(dir, step));
    if hidden.exists() {
        remove(storage, &hidden)?;
    }
    only_ours(&path)?;
    storage.rename(&path, &hidden).map_err(|e| failed("rename", &path, &e))?;
    remove(storage, &hidden)
}

/// Ends what a killed writer began: a replaced checkpoint whose successor never came returns, the rest goes.
fn clear_leftovers(storage: &dyn Storage, dir: &Path) -> Result<()> {
    for name in names(dir)? {
        let Some((reason, step)) = Hidden::parse(&name) else { continue };
        let (hidden, path) = (dir.join(&name), layout::path(dir, step));
        if reason == Hidden::Replaced && !path.exists() {
            storage.rename(&hidden, &path).map_err(|e| failed("rename", &hidden, &e))?;
        } else if only_ours(&hidden).is_ok() {
            remove(storage, &hidden)?;
        }
    }
    Ok(())
}
