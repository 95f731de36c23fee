//! Folders of checkpoints by step: those of a run, of a manager, of Orbax's manager.

use std::path::{Path, PathBuf};

use jarrah::checkpoint::{Lock, StepNames, StoredFormat, at_of, latest_of};
use jarrah::formats::{OrbaxCheckpoint, Tensors};
use jarrah::run::names::CHECKPOINTS;
use jarrah::run::{is_run, resolve};
use jarrah::{Error, Result};

/// A folder of checkpoints by step.
pub struct Steps {
    pub folder: PathBuf,
    pub names: StepNames,
}

impl Steps {
    /// The steps of the run or the folder at `path`; none where that is one checkpoint, or weights and no step is asked for.
    ///
    /// # Errors
    /// The folder has steps of several kinds, or cannot be read (`Input`).
    pub fn find(path: &Path, step: Option<u64>) -> Result<Option<Steps>> {
        if is_run(path) {
            let folder = resolve(path)?.join(CHECKPOINTS);
            return Ok(Some(Steps { folder, names: StepNames::default() }));
        }
        let is_one = !path.is_dir() || StoredFormat::is_run(path) || OrbaxCheckpoint::is_at(path);
        // Weights that are damaged are told by the reader of weights.
        let has_weights = || !matches!(Tensors::find_in(path), Ok(None));
        if is_one || (step.is_none() && has_weights()) {
            return Ok(None);
        }
        // A manager that has not saved yet has its lock.
        let names = StepNames::find(path)?.or(path.join(Lock::FILE).exists().then(StepNames::default));
        Ok(names.map(|names| Steps { folder: path.to_owned(), names }))
    }

    /// The steps of the run or the folder at `path`.
    ///
    /// # Errors
    /// It is neither (`Input`); as [`find`](Self::find).
    pub fn of(path: &Path) -> Result<Steps> {
        match Steps::find(path, None)? {
            Some(steps) => Ok(steps),
            None => Ok(Steps { folder: resolve(path)?.join(CHECKPOINTS), names: StepNames::default() }),
        }
    }

    /// The steps, in order.
    pub fn all(&self) -> Result<Vec<u64>> {
        if self.folder.exists() { self.names.steps(&self.folder) } else { Ok(Vec::new()) }
    }

    /// The folder of a step.
    pub fn path(&self, step: u64) -> PathBuf {
        self.folder.join(self.names.name(step))
    }

    /// Whether this program wrote them, so that a manager of it may open the folder.
    pub fn are_ours(&self) -> Result<bool> {
        let is_ours = |step: u64| StoredFormat::is_run(self.path(step));
        Ok(self.folder.join(Lock::FILE).exists() || self.all()?.into_iter().any(is_ours))
    }

    /// The folder of the checkpoint of `step`, or of the newest one.
    ///
    /// # Errors
    /// There is none, or it is damaged (`Input`).
    pub fn at(&self, step: Option<u64>) -> Result<PathBuf> {
        let wanted = match step {
            None => self.all()?.pop(),
            step => step,
        };
        if let Some(path) = wanted.map(|step| self.path(step)).filter(|path| is_of_others(path)) {
            return Ok(path);
        }
        if self.are_ours()? {
            let checkpoint = match step {
                Some(step) => at_of(&self.folder, &self.names, step),
                None => latest_of(&self.folder, &self.names),
            };
            return Ok(checkpoint?.path().to_owned());
        }
        let all = self.all()?;
        match step.or(all.last().copied()).filter(|step| all.contains(step)) {
            Some(step) => Ok(self.path(step)),
            None => {
                let there: Vec<String> = all.iter().map(u64::to_string).collect();
                let step = step.map_or_else(String::new, |step| format!(" of step {step}"));
                let error = format!("there is no checkpoint{step} in {}", self.folder.display());
                Err(Error::input(error).help(format!("there are: {}", there.join(", "))))
            }
        }
    }
}

/// The item by which checkpoints of this program are known.
const JARRAH: &str = "jarrah";

/// Whether another program saved the checkpoint at `path` with Orbax: one of this program that has lost its manifest names that still.
pub fn is_of_others(path: &Path) -> bool {
    let is_ours = |checkpoint: OrbaxCheckpoint| checkpoint.metadata()["item_handlers"].get(JARRAH).is_some();
    !StoredFormat::is_run(path)
        && OrbaxCheckpoint::is_at(path)
        && OrbaxCheckpoint::open(path).is_ok_and(|checkpoint| !is_ours(checkpoint))
}

/// The folder or file that a user means: of a run or of a folder of steps, the newest checkpoint or that of `step`.
///
/// # Errors
/// There is no such step (`Input`).
pub fn located(path: &Path, step: Option<u64>) -> Result<PathBuf> {
    match (Steps::find(path, step)?, step) {
        (Some(steps), _) => steps.at(step),
        (None, None) => Ok(path.to_owned()),
        (None, Some(step)) if path.exists() => Err(Error::input(format!(
            "{} is no folder of several steps: it has no step {step}",
            path.display()
        ))
        .help("leave out --step, or name the folder of a run or of a manager of checkpoints")),
        (None, Some(_)) => Err(jarrah::run::missing(path)),
    }
}
