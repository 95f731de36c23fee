//! `jarrah checkpoint prune`: the checkpoints that no rule keeps are removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use jarrah::checkpoint::{
    Checkpoint, CheckpointManager, CheckpointManagerOptions, Keep, StepInfo, StoredFormat, StoredTree,
    list_of,
};
use jarrah::formats::OrbaxCheckpoint;
use jarrah::train::size;
use jarrah::{Error, Result};
use jarrah_store::{LocalStore, Name, ObjectStore};

use crate::output::show;
use crate::steps::{Steps, is_of_others};

/// Removes the checkpoints in a folder that no rule keeps, or tells which these are.
pub fn prune(path: &Path, rules: &[Keep], dry_run: bool) -> Result<()> {
    if rules.is_empty() {
        return Err(Error::input("no rule says which checkpoints stay")
            .help("say --keep 3, --every 1000 or --best val_loss; several rules keep more"));
    }
    let Some(steps) = Steps::find(path, None)? else {
        return Err(if path.exists() { no_steps(path) } else { jarrah::run::missing(path) });
    };
    if !steps.are_ours()? {
        return remove(path, rules, infos(&steps)?, dry_run, &steps, &mut |step| remove_step(&steps, step));
    }
    // The right to write comes first: nobody adds a checkpoint behind the list.
    let mut manager = if dry_run { None } else { Some(manager(&steps)?) };
    let info = |checkpoint: &Checkpoint| StepInfo {
        step: checkpoint.step(),
        time: fs::metadata(checkpoint.path()).and_then(|of| of.modified()).ok(),
        metrics: checkpoint.state().metrics.clone(),
    };
    let listed = list_of(&steps.folder, &steps.names)?;
    for (step, _, error) in listed.damaged.iter().filter(|(_, path, _)| !is_of_others(path)) {
        tell_damaged(*step, error)?;
    }
    let all: Vec<StepInfo> = listed.good.iter().map(info).collect();
    remove(path, rules, all, dry_run, &steps, &mut |step| match &mut manager {
        Some(manager) => manager.remove(step),
        None => Ok(()),
    })
}

/// The manager of a folder that this program writes.
fn manager(steps: &Steps) -> Result<CheckpointManager> {
    let options = CheckpointManagerOptions { names: steps.names.clone(), ..Default::default() };
    CheckpointManager::open(&steps.folder, options)
}

/// Removes the checkpoint of a step, a damaged one too.
///
/// # Errors
/// There is none, or it cannot be removed.
pub fn remove_step(steps: &Steps, step: u64) -> Result<()> {
    if steps.are_ours()? {
        return manager(steps)?.remove(step);
    }
    steps.at(Some(step))?;
    LocalStore::new(&steps.folder)?.delete_folder(&Name::new(steps.names.name(step))?).map(drop)
}

/// The checkpoints that Orbax's manager wrote into a folder, as rules see them.
fn infos(steps: &Steps) -> Result<Vec<StepInfo>> {
    let mut found = Vec::new();
    for step in steps.all()? {
        let folder = steps.path(step);
        if !OrbaxCheckpoint::is_at(&folder) {
            continue;
        }
        let info = |checkpoint: OrbaxCheckpoint| {
            let nanoseconds = checkpoint.metadata()["commit_timestamp_nsecs"].as_u64();
            let time = nanoseconds.map(|nanoseconds| UNIX_EPOCH + Duration::from_nanos(nanoseconds));
            Ok(StepInfo { step, time, metrics: checkpoint.metrics()? })
        };
        match OrbaxCheckpoint::open(&folder).and_then(info) {
            Ok(info) => found.push(info),
            Err(error) => tell_damaged(step, &error)?,
        }
    }
    Ok(found)
}

/// A damaged checkpoint is passed over: it neither counts for a rule nor goes.
fn tell_damaged(step: u64, error: &Error) -> Result<()> {
    show(&format!("step {step:>8}  damaged, neither counts nor goes: {}\n", error.message()))
}

/// Reads all of a checkpoint.
fn verified(path: &Path) -> Result<()> {
    if StoredFormat::is_run(path) {
        return Checkpoint::open(path)?.verify();
    }
    let tree = StoredTree::open(path)?;
    let mut arrays = tree.leaves().iter().filter(|leaf| leaf.ty().is_some());
    arrays.try_for_each(|leaf| leaf.literal().map(drop))
}

/// Lists the checkpoints that Orbax's manager wrote.
pub fn list(steps: &Steps) -> Result<()> {
    for StepInfo { step, metrics, .. } in infos(steps)? {
        let path = steps.path(step);
        let metrics: String = metrics.iter().map(|(name, value)| format!("  {name} {value}")).collect();
        show(&format!("step {step:>8}  {:>9}{metrics}  {}\n", size(bytes_of(&path)?), path.display()))?;
    }
    Ok(())
}

/// The bytes of the files of a folder and below it.
fn bytes_of(folder: &Path) -> Result<usize> {
    let failed = |e: std::io::Error| Error::io("read", folder, &e);
    let mut bytes = 0;
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let of = entry.metadata().map_err(failed)?;
        bytes += if of.is_dir() { bytes_of(&entry.path())? } else { of.len() as usize };
    }
    Ok(bytes)
}

fn no_steps(path: &Path) -> Error {
    Error::input(format!("there are no checkpoints by step in {}", path.display()))
        .help("name the folder of a run, or the one that a manager of checkpoints was given")
}

/// Removes the checkpoints that no rule keeps, and tells their steps. The newest one that stays is read first: if that is damaged, it does not count.
fn remove(
    path: &Path,
    rules: &[Keep],
    mut all: Vec<StepInfo>,
    dry_run: bool,
    steps: &Steps,
    remove: &mut dyn FnMut(u64) -> Result<()>,
) -> Result<()> {
    if all.is_empty() {
        return Err(no_steps(path));
    }
    for rule in rules {
        let Keep::Best { metric, .. } = rule else { continue };
        if !all.iter().any(|info| info.metrics.contains_key(metric)) {
            let known: BTreeSet<&str> =
                all.iter().flat_map(|info| info.metrics.keys()).map(String::as_str).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let error = Error::input(format!(
                "no checkpoint has the metric {metric:?}: which one is the best is not known"
            ));
            return Err(match known.is_empty() {
                true => error.help("these checkpoints have no metrics: leave --best out"),
                false => error.help(format!("they have {}", known.join(", "))),
            });
        }
    }
    let mut kept = jarrah::checkpoint::kept(rules, &all);
    while let Some(newest) = kept.iter().rposition(|kept| *kept) {
        let Err(error) = verified(&steps.path(all[newest].step)) else { break };
        tell_damaged(all.remove(newest).step, &error)?;
        kept = jarrah::checkpoint::kept(rules, &all);
    }
    if !kept.contains(&true) {
        return Err(Error::input(format!("the rules keep none of {} checkpoints", all.len()))
            .help("say --keep 1, too, or remove the folder"));
    }
    for (info, _) in all.iter().zip(&kept).filter(|(_, kept)| !**kept) {
        if !dry_run {
            remove(info.step)?;
        }
        let done = if dry_run { "would be removed" } else { "removed" };
        show(&format!("step {:>8}  {done}\n", info.step))?;
    }
    let count = kept.iter().filter(|kept| **kept).count();
    show(&format!("{count} of {} checkpoints stay\n", all.len()))
}
