use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result, files};
use jarrah_store::{Disk, Files};

use crate::catalog::{absent, at_of, latest_of};
use crate::checkpoint::Checkpoint;
use crate::directory::Directory;
use crate::items::CheckpointItems;
use crate::layout::StepNames;
use crate::lock::{Claim, Lock};
use crate::manifest::Content;
use crate::processes::Processes;
use crate::retention::{Keep, StepInfo, kept};
use crate::save_when::{Moment, SaveWhen};

/// Which checkpoints are made, and which stay.
#[derive(Clone, Debug)]
pub struct CheckpointManagerOptions {
    /// The rules by which [`should_save`](CheckpointManager::should_save) asks for checkpoints.
    pub save: Vec<SaveWhen>,
    /// The rules by which checkpoints stay; the newest one always does. Without a rule all stay.
    pub keep: Vec<Keep>,
    /// The names of the folders.
    pub names: StepNames,
    /// The processes that save together; none where this one saves alone.
    pub processes: Option<Processes>,
    /// How long a process waits for what another one has to write.
    pub patience: Duration,
}

impl Default for CheckpointManagerOptions {
    /// Asks for a checkpoint at every step, and keeps the last three.
    fn default() -> Self {
        CheckpointManagerOptions {
            save: vec![SaveWhen::EverySteps(1)],
            keep: vec![Keep::Latest(3)],
            names: StepNames::default(),
            processes: None,
            patience: Duration::from_secs(600),
        }
    }
}

impl CheckpointManagerOptions {
    /// So many of the highest steps stay, and the one with the lowest value of a metric.
    pub fn keeping(latest: usize, best: Option<&str>) -> CheckpointManagerOptions {
        let best = best.map(|metric| Keep::Best { metric: metric.to_owned(), highest: false, count: 1 });
        let keep = [Keep::Latest(latest)].into_iter().chain(best).collect();
        CheckpointManagerOptions { keep, ..CheckpointManagerOptions::default() }
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

/// The outcome of [`CheckpointManager::save`].
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
pub struct CheckpointManager {
    directory: Arc<Directory>,
    options: CheckpointManagerOptions,
    under_way: Option<UnderWay>,
    /// The number of saves that were begun.
    saves: u64,
    /// The last step that was saved.
    saved: Option<u64>,
    /// When the last save began, or the manager was opened.
    since: Instant,
    // Held while the manager lives.
    _lock: Option<Lock>,
}

enum UnderWay {
    Thread(JoinHandle<Result<Saved>>),
    Refused(Error),
}

impl CheckpointManager {
    /// Opens `dir`, which is made if it is missing, and clears what a killed writer left in it.
    ///
    /// # Errors
    /// The directory cannot be made or written, another process writes it, or `options.keep` is zero.
    pub fn open(dir: impl AsRef<Path>, options: CheckpointManagerOptions) -> Result<Self> {
        let dir = dir.as_ref();
        checked(&options)?;
        let unwritable = |e: std::io::Error| {
            Error::input(format!("cannot write checkpoints to {}: {e}", dir.display()))
                .help("give a folder that can be written")
        };
        let is_first = options.processes.as_ref().is_none_or(Processes::is_first);
        if !dir.is_dir() {
            fs::create_dir_all(dir).and_then(|()| files::sync_names(dir)).map_err(unwritable)?;
        }
        let lock = match is_first.then(|| Lock::claim(dir)).transpose().map_err(unwritable)? {
            None => None,
            Some(Claim::Ours(lock)) => Some(lock),
            Some(Claim::Theirs(_)) => {
                return Err(Error::input(format!("another process writes checkpoints to {}", dir.display()))
                    .help(
                        "end it, or give this run a folder of its own; several processes save together where the options have \
                         their `processes`; `latest` and `CheckpointWatcher` read beside a writer",
                    ));
            }
            Some(Claim::Unsupported) => None,
        };
        let directory = Directory::new(dir, options.names.clone(), Arc::new(Disk))?;
        // Without a lock it is not known whose the unfinished files are.
        if lock.is_some() {
            directory.clear()?;
        }
        CheckpointManager::of(directory, options, lock)
    }

    /// Opens the directory `dir` of another file system, and clears what a killed writer left in it. No lock keeps others away: the caller has the only right to write
    /// there.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_checkpoint::{CheckpointManager, CheckpointManagerOptions, Snapshot, SnapshotState};
    /// use jarrah_store::{Files, SimulatedDisk};
    /// let disk = Arc::new(SimulatedDisk::new());
    /// let mut manager = CheckpointManager::with_files("/run", CheckpointManagerOptions::default(), disk.clone())?;
    /// manager.save(Snapshot { step: 1, tensors: Vec::new(), state: SnapshotState::default() });
    /// manager.wait().expect("one save is under way")?;
    /// assert!(disk.crash(0).status("/run/step_00000001/jarrah/metadata".as_ref()).is_ok());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The directory cannot be read or cleared, or `options.keep` is zero.
    pub fn with_files(
        dir: impl AsRef<Path>,
        options: CheckpointManagerOptions,
        files: Arc<dyn Files>,
    ) -> Result<Self> {
        checked(&options)?;
        let directory = Directory::new(dir.as_ref(), options.names.clone(), files)?;
        if options.processes.as_ref().is_none_or(Processes::is_first) {
            directory.clear()?;
        }
        CheckpointManager::of(directory, options, None)
    }

    fn of(
        directory: Directory,
        options: CheckpointManagerOptions,
        lock: Option<Lock>,
    ) -> Result<CheckpointManager> {
        let saved = directory.steps()?.pop();
        let (directory, since) = (Arc::new(directory), Instant::now());
        Ok(CheckpointManager { directory, options, under_way: None, saves: 0, saved, since, _lock: lock })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.directory.path()
    }

    /// Whether a rule asks for a checkpoint of this step. None is asked for of a step that was saved already, or of one before it.
    ///
    /// ```
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, Preemption, SaveWhen};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let notice = Preemption::new();
    /// let save = vec![SaveWhen::EverySteps(100), SaveWhen::Preempted(notice.clone())];
    /// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions { save, ..Default::default() })?;
    /// assert!(!manager.should_save(99) && manager.should_save(100));
    /// manager.save(CheckpointItems::new(100));
    /// assert!(!manager.should_save(100) && !manager.should_save(101));
    /// notice.give();
    /// assert!(manager.should_save(101) && manager.reached_preemption());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn should_save(&self, step: u64) -> bool {
        let moment = Moment { step, saved: self.saved, since: self.since };
        self.saved.is_none_or(|saved| step > saved) && self.options.save.iter().any(|rule| rule.asks(&moment))
    }

    /// Whether a notice among the rules says that the machine is about to be taken away.
    pub fn reached_preemption(&self) -> bool {
        let is_given = |rule: &SaveWhen| matches!(rule, SaveWhen::Preempted(notice) if notice.is_given());
        self.options.save.iter().any(is_given)
    }

    /// Starts to write a checkpoint and returns; waits first while the save before it is under way. Values that the device has in memory of the host are not copied: they
    /// must not be overwritten meanwhile.
    pub fn save(&mut self, items: impl Into<CheckpointItems>) -> Submitted {
        let items = items.into();
        let start = Instant::now();
        let previous = self.wait();
        let waited = start.elapsed();
        self.saved = self.saved.max(Some(items.step()));
        self.since = Instant::now();
        let (directory, options, number) = (self.directory.clone(), self.options.clone(), self.saves);
        self.saves += 1;
        let job = move || save(&directory, &options, number, &items);
        let thread = thread::Builder::new().name("checkpoint".into()).spawn(job);
        self.under_way = Some(match thread {
            Ok(handle) => UnderWay::Thread(handle),
            Err(e) => {
                UnderWay::Refused(Error::environment(format!("cannot start the checkpoint thread: {e}")))
            }
        });
        Submitted { waited, previous }
    }

    /// Whether a save is under way.
    pub fn is_saving(&self) -> bool {
        matches!(&self.under_way, Some(UnderWay::Thread(handle)) if !handle.is_finished())
    }

    /// The steps that have a checkpoint, in order. That of a save under way is not among them.
    ///
    /// # Errors
    /// The directory cannot be read (`Environment`).
    pub fn steps(&self) -> Result<Vec<u64>> {
        self.directory.steps()
    }

    /// The step whose value of a metric is the lowest, or the highest, of the whole checkpoints; none, if none has the metric.
    ///
    /// # Errors
    /// The directory cannot be read (`Environment`).
    pub fn best_step(&self, metric: &str, highest: bool) -> Result<Option<u64>> {
        let all = infos(&self.directory)?;
        let best = kept(&[Keep::Best { metric: metric.to_owned(), highest, count: 1 }], &all);
        Ok(all.iter().zip(best).find(|(_, best)| *best).map(|(info, _)| info.step))
    }

    /// Opens the checkpoint of a step, or the newest one. A save under way is waited for first.
    ///
    /// ```
    /// use jarrah_base::Literal;
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
    /// manager.save(CheckpointItems::new(7).tensors("params", [("w", Literal::scalar(1.5f32))])?);
    /// let checkpoint = manager.restore(None)?;
    /// assert_eq!((checkpoint.step(), checkpoint.items().collect::<Vec<_>>()), (7, vec!["params"]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The save under way failed; there is no such checkpoint, or it is damaged (`Input`): an older one is never taken silently.
    pub fn restore(&mut self, step: Option<u64>) -> Result<Checkpoint> {
        if let Some(Err(error)) = self.wait() {
            return Err(error);
        }
        match step {
            Some(step) => at_of(self.dir(), self.directory.names(), step),
            None => latest_of(self.dir(), self.directory.names()),
        }
    }

    /// Waits for the save under way, and gives the right to write back.
    ///
    /// # Errors
    /// The save failed.
    pub fn close(mut self) -> Result<()> {
        self.wait().transpose().map(drop)
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
            _ if !self.is_first() => Ok(()),
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
        after.retain(|&s| s > step && self.is_first());
        for &s in after.iter().rev() {
            self.directory.remove(s)?;
        }
        self.saved = self.directory.steps()?.into_iter().rfind(|&s| s <= step);
        Ok(after)
    }

    /// Whether this process is the one that removes checkpoints.
    fn is_first(&self) -> bool {
        self.options.processes.as_ref().is_none_or(Processes::is_first)
    }
}

impl Drop for CheckpointManager {
    fn drop(&mut self) {
        self.wait();
        if let (Some(processes), Some(last)) = (&self.options.processes, self.saves.checked_sub(1))
            && processes.is_first()
            && processes.count() > 1
        {
            // The next run removes what stays.
            let _ = self.directory.together(processes, last, self.options.patience).leave();
        }
    }
}

fn checked(options: &CheckpointManagerOptions) -> Result<()> {
    if options.keep.iter().any(|rule| matches!(rule, Keep::Latest(0))) {
        return Err(Error::input("checkpoint.keep is 0").help("keep at least one checkpoint"));
    }
    let local = options.save.iter().find(|rule| rule.is_local());
    match (&options.processes, local) {
        (Some(processes), Some(rule)) if processes.count() > 1 => {
            let error = format!("{} processes are to save by the rule {rule:?}", processes.count());
            Err(Error::program(error).op("checkpoint").help(
                "all processes save the same steps: decide in one of them, and tell the others by a collective",
            ))
        }
        _ => Ok(()),
    }
}

fn save(
    directory: &Directory,
    options: &CheckpointManagerOptions,
    number: u64,
    items: &CheckpointItems,
) -> Result<Saved> {
    let start = Instant::now();
    let together = options.processes.as_ref().filter(|processes| processes.count() > 1);
    let bytes = directory.write(items, together.map(|processes| (processes, number, options.patience)))?;
    let took = start.elapsed();
    let (removed, not_removed) = match together.is_none_or(Processes::is_first) {
        true => retain(directory, items.step(), &options.keep),
        false => (Vec::new(), None),
    };
    let path = directory.folder(items.step());
    Ok(Saved { step: items.step(), path, bytes, took, removed, not_removed })
}

/// Removes what no rule keeps. Damaged checkpoints neither count nor go: a person may want to look at them.
fn retain(directory: &Directory, saved: u64, rules: &[Keep]) -> (Vec<u64>, Option<Error>) {
    if rules.is_empty() {
        return (Vec::new(), None);
    }
    let all = match infos(directory) {
        Ok(all) => all,
        Err(error) => return (Vec::new(), Some(error)),
    };
    let newest = all.last().map(|info| info.step);
    let (mut removed, mut not_removed) = (Vec::new(), None);
    for (info, is_kept) in all.iter().zip(kept(rules, &all)) {
        if is_kept || info.step == saved || Some(info.step) == newest {
            continue;
        }
        match directory.remove(info.step) {
            Ok(()) => removed.push(info.step),
            Err(error) => not_removed = Some(error),
        }
    }
    (removed, not_removed)
}

/// The whole checkpoints of a directory as rules see them.
fn infos(directory: &Directory) -> Result<Vec<StepInfo>> {
    let info = |of: Content| StepInfo { step: of.step, time: of.time(), metrics: of.state.metrics };
    Ok(directory.good()?.into_iter().map(info).collect())
}
