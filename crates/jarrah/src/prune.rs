//! `jarrah checkpoint prune`: the checkpoints that no rule keeps are removed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use jarrah::checkpoint::{Checkpoint, Keep, Manager, ManagerOptions, StepInfo, kept, list};
use jarrah::formats::OrbaxCheckpoint;
use jarrah::run::names::CHECKPOINTS;
use jarrah::run::{is_run, resolve};
use jarrah::{Error, Result};
use jarrah_store::{LocalStore, Name, ObjectStore};

use crate::output::show;
use crate::stored::step_of;

/// Removes the checkpoints in a folder that no rule keeps, or tells which these are.
pub fn prune(path: &Path, rules: &[Keep], dry_run: bool) -> Result<()> {
    if rules.is_empty() {
        return Err(Error::input("no rule says which checkpoints stay")
            .help("say --keep 3, --every 1000 or --best val_loss; several rules keep more"));
    }
    if !is_run(path) {
        let (all, folders): (Vec<StepInfo>, Vec<Name>) = steps(path)?.into_iter().unzip();
        let store = LocalStore::new(path)?;
        return remove(rules, &all, dry_run, &mut |position| {
            store.delete_folder(&folders[position]).map(drop)
        });
    }
    let folder = resolve(path)?.join(CHECKPOINTS);
    let info = |checkpoint: &Checkpoint| StepInfo {
        step: checkpoint.step(),
        time: fs::metadata(checkpoint.path()).and_then(|of| of.modified()).ok(),
        metrics: checkpoint.state().metrics.clone(),
    };
    let all: Vec<StepInfo> = list(&folder)?.good.iter().map(info).collect();
    if dry_run {
        return remove(rules, &all, true, &mut |_| Ok(()));
    }
    let mut manager = Manager::open(&folder, ManagerOptions::default())?;
    remove(rules, &all, false, &mut |position| manager.remove(all[position].step))
}

/// The checkpoints by step that Orbax's manager wrote into a folder.
fn steps(path: &Path) -> Result<Vec<(StepInfo, Name)>> {
    let failed = |e: std::io::Error| Error::io("read", path, &e);
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let folder = entry.path();
        let Ok(name) = entry.file_name().into_string() else { continue };
        let Some(step) = step_of(&name) else { continue };
        if !OrbaxCheckpoint::is_at(&folder) {
            continue;
        }
        let checkpoint = OrbaxCheckpoint::open(&folder)?;
        let nanoseconds = checkpoint.metadata()["commit_timestamp_nsecs"].as_u64();
        let metrics = checkpoint.metadata()["metrics"].as_object();
        let metrics: BTreeMap<String, f64> = metrics
            .map(|all| all.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect())
            .unwrap_or_default();
        let time = nanoseconds.map(|nanoseconds| UNIX_EPOCH + Duration::from_nanos(nanoseconds));
        found.push((StepInfo { step, time, metrics }, Name::new(name)?));
    }
    found.sort_by_key(|(info, _)| info.step);
    if found.is_empty() {
        return Err(Error::input(format!("{} has no checkpoints by step", path.display()))
            .help("name the folder of a run, or the one that Orbax's manager was given"));
    }
    Ok(found)
}

/// Removes the checkpoints that no rule keeps, by their positions, and tells their steps.
fn remove(
    rules: &[Keep],
    all: &[StepInfo],
    dry_run: bool,
    remove: &mut dyn FnMut(usize) -> Result<()>,
) -> Result<()> {
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
