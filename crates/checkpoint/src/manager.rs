use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use jarrah_base::{Error, Result, files};
use jarrah_store::{Disk, Files};

use crate::agreement::Agreement;
use crate::backup::Backup;
use crate::catalog::{absent, at_of, latest_of};
use crate::checkpoint::Checkpoint;
use crate::directory::{Directory, READ, restore_name};
use crate::items::CheckpointItems;
use crate::layout::StepNames;
use crate::lock::{Claim, Lock};
use crate::manifest::{Content, DAMAGED};
use crate::meeting::Meeting;
use crate::processes::Processes;
use crate::retention::{Keep, StepInfo, kept};
use crate::save_when::{Moment, SaveWhen};

/// Which checkpoints are made, and which stay.
#[derive(Clone, Debug)]
pub struct CheckpointManagerOptions {
    /// The rules by which [`should_save`](CheckpointManager::should_save) asks for checkpoints; all processes have rules of the same kinds.
    pub save: Vec<SaveWhen>,
    /// The rules by which checkpoints stay; the newest one always does. Without a rule all stay.
    pub keep: Vec<Keep>,
    /// The names of the folders.
    pub names: StepNames,
    /// A second place that checkpoints are copied to, and restored from where the first one has lost them.
    pub backup: Option<Backup>,
    /// The processes that save together; none where this one saves alone.
    pub processes: Option<Processes>,
    /// Shards of so many bytes and more that are as in the newest checkpoint are links to its files, and not written again; none writes all. A file that is linked is compared
    /// with the shard first, so that damage does not spread. Each checkpoint is whole without the others, for readers of Orbax, too. File systems without hard links,
    /// and backups, have a file for each. Such files must not be changed in place.
    pub link_unchanged: Option<usize>,
    /// How long a process waits for another one to begin the save that it has begun. One at work is waited for; one that falls silent is lost after two minutes. With a backup it is longer than a copy takes.
    pub patience: Duration,
}

impl Default for CheckpointManagerOptions {
    /// Asks for a checkpoint at every step, and keeps the last three.
    fn default() -> Self {
        CheckpointManagerOptions {
            save: vec![SaveWhen::EverySteps(1)],
            keep: vec![Keep::Latest(3)],
            names: StepNames::default(),
            backup: None,
            processes: None,
            link_unchanged: None,
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

/// The file in which process 0 tells the others the step that is restored.
const STEP: &str = "step";

/// A checkpoint that is durable.
#[derive(Debug)]
pub struct Saved {
    /// Its step.
    pub step: u64,
    /// Its folder.
    pub path: PathBuf,
    /// The bytes written, without those of files that are links.
    pub bytes: u64,
    /// How long the writing took, behind the training loop.
    pub took: Duration,
    /// The steps removed for it.
    pub removed: Vec<u64>,
    /// Why an old one could not be removed.
    pub not_removed: Option<Error>,
    /// Why it could not be copied to the backup.
    pub not_backed_up: Option<Error>,
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
/// [`save`](Self::save), and one that `save` handed out by [`close`](Self::close), too. Dropping the manager waits for the save under way, whose failure is printed then.
pub struct CheckpointManager {
    directory: Arc<Directory>,
    options: CheckpointManagerOptions,
    under_way: Option<UnderWay>,
    /// The first failure of a save that the next save has handed out.
    failed: Option<Error>,
    /// The number of the last save, of those of several processes.
    last: Option<u64>,
    /// The number of the restore behind it.
    restored: Option<u64>,
    /// The last step that has a checkpoint, and the step of the save under way.
    saved: Option<u64>,
    pending: Option<u64>,
    /// When the last save began, or the manager was opened.
    since: Instant,
    /// With the other processes, on steps that are saved by clocks and notices.
    agreement: Option<Agreement>,
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
    /// The directory cannot be made or written, another process writes it, a rule keeps the latest 0, or the backup is the directory itself.
    pub fn open(dir: impl AsRef<Path>, options: CheckpointManagerOptions) -> Result<Self> {
        let dir = dir.as_ref();
        checked(&options)?;
        let unwritable = |e: std::io::Error| {
            Error::input(format!("cannot write checkpoints to {}: {e}", dir.display()))
                .help("give a folder that can be written; `latest`, `Checkpoint::open` and `CheckpointWatcher` read without writing")
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
    /// The directory cannot be read or cleared, a rule keeps the latest 0, or the backup is the directory itself.
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
        if let Some(backup) = options.backup.as_ref() {
            let is_first = options.processes.as_ref().is_none_or(Processes::is_first);
            if is_first {
                backup.open(directory.store())?;
            }
        }
        let (directory, since) = (Arc::new(directory), Instant::now());
        let (saved, pending) = (None, None);
        let several = options.processes.as_ref().filter(|processes| processes.count() > 1);
        let agreement = match several.filter(|_| options.save.iter().any(SaveWhen::is_local)) {
            Some(processes) => {
                let name = format!("steps_{}", processes.next());
                let (directory, patience) = (directory.clone(), options.patience);
                Some(Agreement::begin(directory, &options.save, processes.clone(), name, patience)?)
            }
            None => None,
        };
        let mut manager = CheckpointManager {
            directory,
            options,
            under_way: None,
            failed: None,
            last: None,
            restored: None,
            saved,
            pending,
            since,
            agreement,
            _lock: lock,
        };
        manager.saved = manager.steps()?.pop();
        Ok(manager)
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.directory.path()
    }

    /// Whether a rule asks for a checkpoint of this step. None is asked for of a step that was saved already, or of one before it.
    ///
    /// Several processes ask about the same steps in the same order, and get the same answers. Where a rule is a clock or a notice, the call may wait for the others, for the
    /// patience or four minutes at most; if they do not agree, [`wait`](Self::wait) says why.
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
        let saved = self.saved.max(self.pending);
        let moment = Moment { step, saved, since: self.since };
        let asks = |rule: &SaveWhen| match &self.agreement {
            Some(_) if rule.is_local() => false,
            _ => rule.asks(&moment),
        };
        if saved.is_some_and(|saved| step <= saved) {
            return false;
        }
        // Asked about every step: the answer of the agreement does not depend on the other rules.
        let is_agreed = self.agreement.as_ref().is_some_and(|agreement| agreement.asks(step));
        is_agreed || self.options.save.iter().any(asks)
    }

    /// Whether a notice among the rules says that the machine is about to be taken away. Of several processes all say so from the step on that they save for it.
    pub fn reached_preemption(&self) -> bool {
        if let Some(agreement) = &self.agreement {
            return agreement.is_preempted();
        }
        let is_given = |rule: &SaveWhen| matches!(rule, SaveWhen::Preempted(notice) if notice.is_given());
        self.options.save.iter().any(is_given)
    }

    /// Starts to write a checkpoint and returns; waits first while the save before it is under way. One of this step that is there is replaced. Values that the device has in memory of the host are not copied: they
    /// must not be overwritten meanwhile.
    pub fn save(&mut self, items: impl Into<CheckpointItems>) -> Submitted {
        let items = items.into();
        let (start, before) = (Instant::now(), self.pending);
        let previous = self.wait();
        let waited = start.elapsed();
        if let (Some(Err(error)), Some(step)) = (&previous, before) {
            self.failed.get_or_insert_with(|| unsaved(error, step));
        }
        self.pending = Some(items.step());
        self.since = Instant::now();
        self.agreement.iter().for_each(Agreement::save_begins);
        let (directory, options) = (self.directory.clone(), self.options.clone());
        self.restored = None;
        self.last = options.processes.as_ref().map(Processes::next);
        let number = self.last.unwrap_or(0);
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

    /// The steps that have a checkpoint, here or in the backup, in order. That of a save under way is not among them.
    ///
    /// # Errors
    /// The directory or the backup cannot be read (`Environment`).
    pub fn steps(&self) -> Result<Vec<u64>> {
        let mut steps = self.directory.steps()?;
        if let Some(backup) = &self.options.backup {
            steps.extend(backup.steps(self.directory.names())?);
            steps.sort_unstable();
            steps.dedup();
        }
        Ok(steps)
    }

    /// The last of [`steps`](Self::steps).
    ///
    /// # Errors
    /// As [`steps`](Self::steps).
    pub fn latest_step(&self) -> Result<Option<u64>> {
        Ok(self.steps()?.pop())
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

    /// Opens the checkpoint of a step, or the newest one. A save under way is waited for first. Several processes call it together: process 0 tells the others the step.
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
        let together = self.options.processes.as_ref().filter(|of| of.count() > 1);
        let number = together.map(Processes::next);
        self.restored = number;
        let own = |step| match step {
            Some(step) => at_of(self.dir(), self.directory.names(), step),
            None => latest_of(self.dir(), self.directory.names()),
        };
        let found = |step| match &self.options.backup {
            Some(backup) if self.is_first() => self.restore_with(backup, step, own),
            _ => own(step),
        };
        let (Some(processes), Some(number)) = (&self.options.processes, number) else {
            return found(step);
        };
        let (store, name) = (self.directory.store(), restore_name(number));
        let (index, patience) = (processes.index(), self.options.patience);
        let meeting = Meeting::new(store, processes.session(), &name, index, patience)?;
        match processes.is_first() {
            true => {
                let outcome = meeting.alive(|| found(step));
                let told = match &outcome {
                    Ok(checkpoint) => checkpoint.step().to_string(),
                    Err(error) => error.message().to_owned(),
                };
                meeting.tell(STEP, told.as_bytes())?;
                outcome
            }
            false => {
                let (_, told) = meeting.told(0, &[STEP])?;
                // If this fails, process 0 is gone, and waits for it no more.
                let _ = meeting.tell(&format!("{READ}{index}"), b"");
                let told = String::from_utf8_lossy(&told).into_owned();
                match told.parse() {
                    Ok(step) => own(Some(step)),
                    Err(_) => Err(Error::input(told).op("checkpoint").context("so says process 0")),
                }
            }
        }
    }

    /// As [`restore`](Self::restore), with the copies of a backup: that of the step that is asked for, or of the newest one, is brought back where that step has no
    /// checkpoint, or a damaged one.
    fn restore_with(
        &self,
        backup: &Backup,
        step: Option<u64>,
        own: impl Fn(Option<u64>) -> Result<Checkpoint>,
    ) -> Result<Checkpoint> {
        let names = self.directory.names();
        let copies = match backup.steps(names) {
            Ok(copies) => copies,
            // The backup is out of reach: the first place may have all that is asked for.
            Err(error) => {
                return own(step).map_err(|own| own.context(format!("nor is the backup read: {error}")));
            }
        };
        let here = self.directory.steps()?;
        let Some(wanted) = step.or(copies.last().copied().max(here.last().copied())) else {
            return own(step);
        };
        let found =
            if here.contains(&wanted) { own(Some(wanted)) } else { Err(absent(&here, wanted, self.dir())) };
        let is_lost = match &found {
            Ok(_) => false,
            Err(error) => !here.contains(&wanted) || error.advice() == Some(DAMAGED),
        };
        if is_lost && copies.contains(&wanted) {
            backup.bring(self.directory.store(), names, wanted)?;
            return own(Some(wanted));
        }
        match step {
            Some(_) => found,
            None => own(None),
        }
    }

    /// Waits for the save under way, and gives the right to write back.
    ///
    /// # Errors
    /// The save failed, or an earlier one whose failure [`save`](Self::save) handed out: the first of them.
    pub fn close(mut self) -> Result<()> {
        let last = self.wait().transpose().map(drop);
        self.failed.take().map_or(last, Err)
    }

    /// The outcome of the save under way, if it is done.
    pub fn poll(&mut self) -> Option<Result<Saved>> {
        match self.under_way.as_ref() {
            Some(UnderWay::Thread(handle)) if !handle.is_finished() => None,
            _ => self.wait(),
        }
    }

    /// The outcome of the save under way, once it is done; `None` without one. Before a save, the reason for which processes do not agree on steps any more.
    pub fn wait(&mut self) -> Option<Result<Saved>> {
        if self.under_way.is_none() {
            return self.agreement.as_ref().and_then(Agreement::failure).map(Err);
        }
        let outcome = match self.under_way.take()? {
            UnderWay::Thread(handle) => {
                handle.join().unwrap_or_else(|_| Err(Error::internal("the checkpoint thread panicked")))
            }
            UnderWay::Refused(error) => Err(error),
        };
        let pending = self.pending.take();
        if outcome.is_ok() {
            self.saved = self.saved.max(pending);
        }
        Some(outcome)
    }

    /// Removes the checkpoint of `step`, be it damaged, and its copy in a backup.
    ///
    /// # Errors
    /// There is none, its folder holds files of others, or it cannot be removed.
    pub fn remove(&mut self, step: u64) -> Result<()> {
        if let Some(Err(error)) = self.wait() {
            return Err(error);
        }
        if !self.is_first() {
            return Ok(());
        }
        // A copy that stayed would come back.
        let names = self.directory.names();
        let had_copy = self.options.backup.as_ref().map_or(Ok(false), |backup| backup.remove(names, step))?;
        let steps = self.directory.steps()?;
        match steps.contains(&step) {
            true => self.directory.remove(step)?,
            false if had_copy => {}
            false => return Err(absent(&steps, step, self.directory.path())),
        }
        self.saved = self.steps()?.pop();
        Ok(())
    }

    /// Removes the checkpoints after `step`, which a run that goes on from `step` makes anew, and gives their steps.
    ///
    /// # Errors
    /// One cannot be removed.
    pub fn discard_after(&mut self, step: u64) -> Result<Vec<u64>> {
        if let Some(Err(error)) = self.wait() {
            return Err(error);
        }
        let (mut after, own) = (self.steps()?, self.directory.steps()?);
        after.retain(|&s| s > step && self.is_first());
        for &s in after.iter().rev() {
            // A copy that stayed would come back.
            if let Some(backup) = &self.options.backup {
                backup.remove(self.directory.names(), s)?;
            }
            if own.contains(&s) {
                self.directory.remove(s)?;
            }
        }
        self.saved = self.steps()?.into_iter().rfind(|&s| s <= step);
        Ok(after)
    }

    /// Whether this process is the one that removes checkpoints.
    fn is_first(&self) -> bool {
        self.options.processes.as_ref().is_none_or(Processes::is_first)
    }
}

impl Drop for CheckpointManager {
    fn drop(&mut self) {
        let step = self.pending;
        if let (Some(Err(error)), Some(step)) = (self.wait(), step) {
            // Nobody asks for the outcome any more, and a checkpoint that is not there is to be known of.
            eprintln!("warning: {}", unsaved(&error, step));
        }
        let has_met = self.agreement.take().is_some() || self.last.max(self.restored).is_some();
        if let Some(processes) = &self.options.processes
            && processes.is_first()
            && processes.count() > 1
            && has_met
        {
            // The next run removes what stays.
            let _ = self.directory.leave(processes, self.last, self.restored);
        }
    }
}

fn unsaved(error: &Error, step: u64) -> Error {
    error.clone().context(format!("the checkpoint of step {step} was not saved"))
}

fn checked(options: &CheckpointManagerOptions) -> Result<()> {
    if options.keep.iter().any(|rule| matches!(rule, Keep::Latest(0))) {
        return Err(Error::input("the latest 0 checkpoints are to be kept").help("keep at least one"));
    }
    Ok(())
}

fn save(
    directory: &Directory,
    options: &CheckpointManagerOptions,
    number: u64,
    items: &CheckpointItems,
) -> Result<Saved> {
    let start = Instant::now();
    let together = options.processes.as_ref().filter(|processes| processes.count() > 1);
    let of_save = together.map(|processes| (processes, number, options.patience));
    let bytes = directory.write(items, of_save, options.link_unchanged)?;
    let took = start.elapsed();
    let (removed, not_removed) = match together.is_none_or(Processes::is_first) {
        true => retain(directory, items.step(), &options.keep),
        false => (Vec::new(), None),
    };
    let backup = options.backup.as_ref().filter(|_| together.is_none_or(Processes::is_first));
    let copied = backup.map(|backup| backup.take(directory.store(), directory.names(), items.step()));
    let not_backed_up = copied.and_then(Result::err);
    let path = directory.folder(items.step());
    Ok(Saved { step: items.step(), path, bytes, took, removed, not_removed, not_backed_up })
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
