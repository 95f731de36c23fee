use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result, files};
use jarrah_store::{Disk, Files};

use crate::catalog::absent;
use crate::directory::Directory;
use crate::layout;
use crate::lock::{Claim, Lock};
use crate::manifest::Content;
use crate::retention::{Keep, StepInfo, kept};
use crate::snapshot::Snapshot;

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
    directory: Arc<Directory>,
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
        checked(&options)?;
        let unwritable = |e: std::io::Error| {
            Error::input(format!("cannot write checkpoints to {}: {e}", dir.display()))
                .help("give a folder that can be written")
        };
        if !dir.is_dir() {
            fs::create_dir_all(dir).and_then(|()| files::sync_names(dir)).map_err(unwritable)?;
        }
        let lock = match Lock::claim(dir).map_err(unwritable)? {
            Claim::Ours(lock) => Some(lock),
            Claim::Theirs(_) => {
                return Err(Error::input(format!("another process writes checkpoints to {}", dir.display()))
                    .help("end it, or give this run a folder of its own"));
            }
            Claim::Unsupported => None,
        };
        let directory = Directory::new(dir, Arc::new(Disk))?;
        // Without a lock it is not known whose the unfinished files are.
        if lock.is_some() {
            directory.clear()?;
        }
        Ok(Manager { directory: Arc::new(directory), options, under_way: None, _lock: lock })
    }

    /// Opens the directory `dir` of another file system, and clears what a killed writer left in it. No lock keeps others away: the caller has the only right to write
    /// there.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_checkpoint::{Manager, ManagerOptions, Snapshot, SnapshotState};
    /// use jarrah_store::{Files, SimulatedDisk};
    /// let disk = Arc::new(SimulatedDisk::new());
    /// let mut manager = Manager::with_files("/run", ManagerOptions::default(), disk.clone())?;
    /// manager.save(Snapshot { step: 1, tensors: Vec::new(), state: SnapshotState::default() });
    /// manager.wait().expect("one save is under way")?;
    /// assert!(disk.crash(0).status("/run/step_00000001/jarrah/metadata".as_ref()).is_ok());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The directory cannot be read or cleared, or `options.keep` is zero.
    pub fn with_files(dir: impl AsRef<Path>, options: ManagerOptions, files: Arc<dyn Files>) -> Result<Self> {
        checked(&options)?;
        let directory = Directory::new(dir.as_ref(), files)?;
        directory.clear()?;
        Ok(Manager { directory: Arc::new(directory), options, under_way: None, _lock: None })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.directory.path()
    }

    /// Starts to write `snapshot` and returns; waits first while the save before it is under way.
    pub fn save(&mut self, snapshot: Snapshot) -> Submitted {
        let start = Instant::now();
        let previous = self.wait();
        let waited = start.elapsed();
        let (directory, options) = (self.directory.clone(), self.options.clone());
        let job = move || save(&directory, &options, &snapshot);
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
        let steps = self.directory.steps()?;
        match steps.contains(&step) {
            true => self.directory.remove(step),
            false => Err(absent(&steps, step, self.directory.path())),
        }
    }

    /// Removes the checkpoints after `step`, which a run that goes on from `step` makes anew, and gives their steps.
    ///
    /// # Errors
    /// One cannot be removed.
    pub fn discard_after(&mut self, step: u64) -> Result<Vec<u64>> {
        if let Some(Err(error)) = self.wait() {
            return Err(error);
        }
        let mut after = self.directory.steps()?;
        after.retain(|&s| s > step);
        for &s in after.iter().rev() {
            self.directory.remove(s)?;
        }
        Ok(after)
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        self.wait();
    }
}

fn checked(options: &ManagerOptions) -> Result<()> {
    match options.keep {
        0 => Err(Error::input("checkpoint.keep is 0").help("keep at least one checkpoint")),
        _ => Ok(()),
    }
}

fn save(directory: &Directory, options: &ManagerOptions, snapshot: &Snapshot) -> Result<Saved> {
    let start = Instant::now();
    let bytes = directory.write(snapshot)?;
    let took = start.elapsed();
    let (removed, not_removed) = retain(directory, options);
    let path = layout::path(directory.path(), snapshot.step);
    Ok(Saved { step: snapshot.step, path, bytes, took, removed, not_removed })
}

/// Removes what `options` does not keep. Damaged checkpoints neither count nor go: a person may want to look at them.
fn retain(directory: &Directory, options: &ManagerOptions) -> (Vec<u64>, Option<Error>) {
    let good = match directory.good() {
        Ok(good) => good,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let info = |of: &Content| StepInfo { step: of.step, time: None, metrics: of.state.metrics.clone() };
    let all: Vec<StepInfo> = good.iter().map(info).collect();
    let best = options.best.clone().map(|metric| Keep::Best { metric, highest: false, count: 1 });
    let rules: Vec<Keep> = [Keep::Latest(options.keep)].into_iter().chain(best).collect();
    let (mut removed, mut not_removed) = (Vec::new(), None);
    for (info, _) in all.iter().zip(kept(&rules, &all)).filter(|(_, kept)| !kept) {
        match directory.remove(info.step) {
            Ok(()) => removed.push(info.step),
            Err(error) => not_removed = Some(error),
        }
    }
    (removed, not_removed)
}
