use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use jarrah_formats::OrbaxCheckpoint;
use jarrah_store::Name;

use crate::checkpoint::Checkpoint;
use crate::layout::{StepNames, folder_names};
use crate::stored::StoredFormat;

/// The beginnings of the name of a folder that is being replaced; the second is that of earlier releases.
const REPLACED: [&str; 2] = [".jarrah-old-", ".jarrah-replaced-"];

/// The checkpoints of a directory.
pub struct Listing {
    /// The snapshots that open, by ascending step.
    pub good: Vec<Checkpoint>,
    /// The snapshots that do not open: their step, their folder, and what is wrong.
    pub damaged: Vec<(u64, PathBuf, Error)>,
}

/// The checkpoints in `dir`. Tensors are not read: see [`Checkpoint::verify`].
///
/// # Errors
/// `dir` is missing or cannot be read.
pub fn list(dir: impl AsRef<Path>) -> Result<Listing> {
    list_of(dir.as_ref(), &StepNames::default())
}

/// As [`list`], of folders with these names.
///
/// ```
/// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, StepNames, at_of, latest_of, list_of};
/// # let dir = tempfile::tempdir().unwrap();
/// # let dir = dir.path();
/// let names = StepNames::new("epoch-", 3)?;
/// let mut manager =
///     CheckpointManager::open(dir, CheckpointManagerOptions { names: names.clone(), ..Default::default() })?;
/// for step in [1, 2] {
///     manager.save(CheckpointItems::new(step).json("data", step)?);
/// }
/// manager.close()?;
/// assert_eq!(list_of(dir, &names)?.good.len(), 2);
/// assert!(latest_of(dir, &names)?.path().ends_with("epoch-002"));
/// assert_eq!(at_of(dir, &names, 1)?.step(), 1);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// As [`list`].
pub fn list_of(dir: &Path, names: &StepNames) -> Result<Listing> {
    let mut listing = Listing { good: Vec::new(), damaged: Vec::new() };
    for step in steps(dir, names)? {
        match found(dir, names, step) {
            Some(Ok(checkpoint)) => listing.good.push(checkpoint),
            Some(Err((path, error))) => listing.damaged.push((step, path, error)),
            None => {}
        }
    }
    Ok(listing)
}

/// The checkpoint of a step, or its folder and what is wrong with it; none where the folder was removed since it was listed.
fn found(
    dir: &Path,
    names: &StepNames,
    step: u64,
) -> Option<std::result::Result<Checkpoint, (PathBuf, Error)>> {
    let attempt = || path(dir, names, step).map(|path| opened(step, &path).map_err(|error| (path, error)));
    // A writer may replace the folder between two reads of its files: then the second attempt finds the new one.
    match attempt().filter(|found| found.is_ok()).or_else(attempt) {
        Some(Err((path, _))) if !path.exists() => None,
        found => found,
    }
}

/// The folder of a step. Between two renames of a writer that replaces it, maybe one that was killed there, the old folder is hidden, and whole.
fn path(dir: &Path, names: &StepNames, step: u64) -> Option<PathBuf> {
    let name = names.name(step);
    let hidden = REPLACED.map(|prefix| dir.join(format!("{prefix}{name}")));
    std::iter::once(dir.join(name)).chain(hidden).find(|path| path.is_dir())
}

fn opened(step: u64, path: &Path) -> Result<Checkpoint> {
    let checkpoint = Checkpoint::open(path)?;
    match checkpoint.step() {
        found if found == step => Ok(checkpoint),
        found => Err(Error::input(format!("{} holds step {found}", path.display()))
            .help("the folder was renamed; give it the name of its step")),
    }
}

/// The checkpoint of the highest step in `dir`.
///
/// # Errors
/// There is none, or it is damaged; an older one is never taken silently.
pub fn latest(dir: impl AsRef<Path>) -> Result<Checkpoint> {
    latest_of(dir.as_ref(), &StepNames::default())
}

/// As [`latest`], of folders with these names: see [`list_of`].
///
/// # Errors
/// As [`latest`].
pub fn latest_of(dir: &Path, names: &StepNames) -> Result<Checkpoint> {
    let mut damaged = None;
    for step in steps(dir, names)?.into_iter().rev() {
        match (found(dir, names, step), damaged) {
            (Some(Ok(checkpoint)), None) => return Ok(checkpoint),
            (Some(Ok(checkpoint)), Some(error)) => {
                let error: Error = error;
                return Err(error.context(format!(
                    "the newest whole checkpoint is that of --step {}",
                    checkpoint.step()
                )));
            }
            (Some(Err((_, error))), before) => damaged = Some(before.unwrap_or(error)),
            (None, before) => damaged = before,
        }
    }
    Err(match damaged {
        Some(error) => error.context("no checkpoint of the run is whole"),
        None => Error::input(format!("there is no checkpoint in {}", dir.display())),
    })
}

/// The checkpoint of `step` in `dir`.
///
/// # Errors
/// There is none of this step, or it is damaged.
pub fn at(dir: impl AsRef<Path>, step: u64) -> Result<Checkpoint> {
    at_of(dir.as_ref(), &StepNames::default(), step)
}

/// As [`at`], of folders with these names: see [`list_of`].
///
/// # Errors
/// As [`at`].
pub fn at_of(dir: &Path, names: &StepNames, step: u64) -> Result<Checkpoint> {
    match found(dir, names, step) {
        Some(Ok(checkpoint)) => Ok(checkpoint),
        Some(Err((_, error))) => Err(error),
        None => Err(absent(&steps(dir, names)?, step, dir)),
    }
}

/// The error that there is no checkpoint of `step`, with those there are.
pub fn absent(steps: &[u64], step: u64, dir: &Path) -> Error {
    let steps: Vec<String> = steps.iter().map(u64::to_string).collect();
    let error = Error::input(format!("there is no checkpoint of step {step} in {}", dir.display()));
    match steps.is_empty() {
        true => error.help("the folder has no checkpoint yet"),
        false => error.help(format!("there are: {}", steps.join(", "))),
    }
}

/// The steps that have a folder, be it one that is being replaced, in order.
pub fn steps(dir: &Path, names: &StepNames) -> Result<Vec<u64>> {
    let shown =
        |name: &str| REPLACED.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_owned();
    let found: BTreeSet<u64> =
        folder_names(dir)?.iter().filter_map(|name| names.parse(&shown(name))).collect();
    Ok(found.into_iter().filter(|&step| path(dir, names, step).is_some()).collect())
}

impl StepNames {
    /// The names that the folders of checkpoints in `dir` have, by whatever rule a manager gave them; none where no folder is called a step. Folders that are no
    /// checkpoints count where no other is one.
    ///
    /// ```
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions, StepNames};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let names = StepNames::new("epoch-", 3)?;
    /// let options = CheckpointManagerOptions { names: names.clone(), ..Default::default() };
    /// let mut manager = CheckpointManager::open(dir, options)?;
    /// manager.save(CheckpointItems::new(7).json("data", 1)?);
    /// manager.close()?;
    /// assert_eq!(StepNames::find(dir)?, Some(names));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// Two folders have names of different kinds, or one step (`Input`); the folder cannot be read.
    pub fn find(dir: impl AsRef<Path>) -> Result<Option<StepNames>> {
        let dir = dir.as_ref();
        let is_checkpoint = |name: &str| {
            let path = dir.join(name);
            StoredFormat::is_run(&path) || OrbaxCheckpoint::is_at(&path)
        };
        let mut all = Vec::new();
        for name in folder_names(dir)? {
            let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
            // The names of unfinished folders are reserved.
            let is_hidden = name.starts_with(['.', '_']) || Name::new(&name).is_err();
            if !is_hidden && prefix.len() < name.len() && dir.join(&name).is_dir() {
                all.push((prefix, name));
            }
        }
        let checkpoints: Vec<_> = all.iter().filter(|(_, name)| is_checkpoint(name)).cloned().collect();
        match checkpoints.is_empty() {
            false => all = checkpoints,
            true => all.retain(|(prefix, _)| prefix.is_empty() || prefix.ends_with('_')),
        }
        all.sort();
        let Some((prefix, first)) = all.first() else { return Ok(None) };
        let digits = |name: &str| name.len() - prefix.len();
        let is_filled = |name: &&str| digits(name) > 1 && name[prefix.len()..].starts_with('0');
        let filled = all
            .iter()
            .map(|(_, name)| name.as_str())
            .find(|name| name.starts_with(prefix.as_str()) && is_filled(name));
        let common = StepNames::default();
        let names = match filled {
            Some(filled) => StepNames { prefix: prefix.clone(), digits: digits(filled) },
            None if all.iter().all(|(_, name)| common.parse(name).is_some()) => common,
            None => StepNames { prefix: prefix.clone(), digits: 0 },
        };
        match all.iter().find(|(_, name)| names.parse(name).is_none()) {
            Some((_, other)) => Err(Error::input(format!(
                "{} has {first} and {other}, which are no steps of one kind",
                dir.display()
            ))
            .help("name the folder of a checkpoint, or give each kind of checkpoints a folder of its own")),
            None => Ok(Some(names)),
        }
    }

    /// The steps that have a folder of such a name in `dir`, in order.
    ///
    /// ```
    /// use jarrah_checkpoint::StepNames;
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// std::fs::create_dir(dir.join("step_00000100")).unwrap();
    /// assert_eq!(StepNames::default().steps(dir)?, [100]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn steps(&self, dir: impl AsRef<Path>) -> Result<Vec<u64>> {
        steps(dir.as_ref(), self)
    }
}
