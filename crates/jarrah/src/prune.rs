//! `jarrah checkpoint prune`: the checkpoints that no rule keeps are removed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use jarrah::checkpoint::{
    Checkpoint, CheckpointManager, CheckpointManagerOptions, Keep, StepInfo, kept, list_of,
};
use jarrah::formats::OrbaxCheckpoint;
use jarrah::{Error, Result};
use jarrah_store::{LocalStore, Name, ObjectStore};

use crate::output::show;
use crate::steps::Steps;

/// Removes the checkpoints in a folder that no rule keeps, or tells which these are.
pub fn prune(path: &Path, rules: &[Keep], dry_run: bool) -> Result<()> {
    if rules.is_empty() {
        return Err(Error::input("no rule says which checkpoints stay")
            .help("say --keep 3, --every 1000 or --best val_loss; several rules keep more"));
    }
    let Some(steps) = Steps::find(path, None)? else { return Err(no_steps()) };
    if !steps.are_ours()? {
        let all = infos(&steps)?;
        return remove(rules, &all, dry_run, &mut |position| remove_step(&steps, all[position].step));
    }
    // The right to write comes first: nobody adds a checkpoint behind the list.
    let mut manager = if dry_run { None } else { Some(manager(&steps)?) };
    let info = |checkpoint: &Checkpoint| StepInfo {
        step: checkpoint.step(),
        time: fs::metadata(checkpoint.path()).and_then(|of| of.modified()).ok(),
        metrics: checkpoint.state().metrics.clone(),
    };
    let all: Vec<StepInfo> = list_of(&steps.folder, &steps.names)?.good.iter().map(info).collect();
    remove(rules, &all, dry_run, &mut |position| match &mut manager {
        Some(manager) => manager.remove(all[position].step),
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
        let checkpoint = OrbaxCheckpoint::open(&folder)?;
        let nanoseconds = checkpoint.metadata()["commit_timestamp_nsecs"].as_u64();
        let time = nanoseconds.map(|nanoseconds| UNIX_EPOCH + Duration::from_nanos(nanoseconds));
        found.push(StepInfo { step, time, metrics: checkpoint.metrics()? });
    }
    Ok(found)
}

fn no_steps() -> Error {
    Error::input("there are no checkpoints by step")
        .help("name the folder of a run, or the one that a manager of checkpoints was given")
}

/// Removes the checkpoints that no rule keeps, by their positions, and tells their steps.
fn remove(
    rules: &[Keep],
    all: &[StepInfo],
    dry_run: bool,
    remove: &mut dyn FnMut(usize) -> Result<()>,
) -> Result<()> {
    if all.is_empty() {
        return Err(no_steps());
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
    let kept = kept(rules, all);
    if !kept.contains(&true) {
        return Err(Error::input(format!("the rules keep none of {} checkpoints", all.len()))
            .help("say --keep 1, too, or remove the folder"));
    }
    for (position, info) in all.iter().enumerate().filter(|(position, _)| !kept[*position]) {
        if !dry_run {
            remove(position)?;
        }
        let done = if dry_run { "would be removed" } else { "removed" };
        show(&format!("step {:>8}  {done}\n", info.step))?;
    }
    let count = kept.iter().filter(|kept| **kept).count();
    show(&format!("{count} of {} checkpoints stay\n", all.len()))
}
