use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

use crate::checkpoint::Checkpoint;
use crate::layout::{StepNames, folder_names};

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
