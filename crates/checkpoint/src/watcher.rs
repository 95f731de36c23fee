use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use jarrah_base::Result;

use crate::catalog::{at_of, steps};
use crate::checkpoint::Checkpoint;
use crate::layout::StepNames;

/// The time between two looks at a folder.
const PAUSE: Duration = Duration::from_millis(100);

/// A reader that follows the checkpoints of a run that another process writes, without a lock: an evaluation beside a training.
///
/// ```
/// use std::time::Duration;
/// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, CheckpointWatcher};
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path();
/// let mut watcher = CheckpointWatcher::new(dir);
/// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
/// manager.save(CheckpointItems::new(100).json("data", 7)?);
/// let checkpoint = watcher.wait(Duration::from_secs(60))?.expect("it is saved by now");
/// assert_eq!((checkpoint.step(), checkpoint.json("data")?), (100, 7.into()));
/// manager.wait();
/// assert!(watcher.wait(Duration::ZERO)?.is_none());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: Orbax's `wait_for_new_checkpoint` and `checkpoints_iterator`.
#[derive(Debug)]
pub struct CheckpointWatcher {
    dir: PathBuf,
    names: StepNames,
    seen: Option<u64>,
}

impl CheckpointWatcher {
    /// A reader of the folder `dir`, which need not be there yet. Every checkpoint is new to it.
    pub fn new(dir: impl AsRef<Path>) -> CheckpointWatcher {
        CheckpointWatcher { dir: dir.as_ref().to_owned(), names: StepNames::default(), seen: None }
    }

    /// With folders of other names.
    pub fn with_names(mut self, names: StepNames) -> CheckpointWatcher {
        self.names = names;
        self
    }

    /// With checkpoints behind `step` as the new ones.
    pub fn after(mut self, step: u64) -> CheckpointWatcher {
        self.seen = Some(step);
        self
    }

    /// The newest checkpoint, once there is one of a later step than the last that this gave; none, if none comes in this time. Those that were removed before they
    /// were read are passed over.
    ///
    /// # Errors
    /// The checkpoint is damaged (`Input`), or the folder cannot be read (`Environment`).
    pub fn wait(&mut self, timeout: Duration) -> Result<Option<Checkpoint>> {
        let begun = Instant::now();
        loop {
            if let Some(checkpoint) = self.newer()? {
                self.seen = Some(checkpoint.step());
                return Ok(Some(checkpoint));
            }
            let left = timeout.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            thread::sleep(left.min(PAUSE));
        }
    }

    fn newer(&self) -> Result<Option<Checkpoint>> {
        if !self.dir.exists() {
            return Ok(None);
        }
        let mut all = steps(&self.dir, &self.names)?;
        all.retain(|&step| self.seen.is_none_or(|seen| step > seen));
        for &step in all.iter().rev() {
            match at_of(&self.dir, &self.names, step) {
                Ok(checkpoint) => return Ok(Some(checkpoint)),
                // The writer removed it since it was listed.
                Err(_) if !steps(&self.dir, &self.names)?.contains(&step) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}
