//! Power loss before every operation, and a fault at every operation, of a disk in memory.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jarrah_base::{ErrorKind, Result};
use jarrah_checkpoint::{CheckpointManager, CheckpointManagerOptions, Snapshot, list};
use jarrah_store::{DiskFault, FileKind, Files, SimulatedDisk};
use serde_json::json;
use tempfile::TempDir;

use crate::common::{Hook, Hooked, same, snapshot};

const DIR: &str = "/above/run";

/// The checkpoints that are there: by step, which of several that were saved at that step.
type Steps = BTreeMap<u64, u64>;

#[derive(Clone, Copy, Debug)]
enum Action {
    Save(u64, u64),
    Remove(u64),
    DiscardAfter(u64),
}

/// The checkpoint that is saved at a step, which differs for each variant.
fn saved(step: u64, variant: u64) -> Snapshot {
    let mut snapshot = snapshot(step);
    snapshot.state.extra = json!(variant);
    // A tensor that lies in no node of the database.
    let values: Vec<u64> = (0..200).map(|i| i * 1000 + variant).collect();
    let large = |values: &[u64]| jarrah_base::Literal::from_slice(&[200], values).unwrap();
    snapshot.tensors.push(("params/large".into(), large(&values)));
    // All checkpoints have one file of it.
    snapshot.tensors.push(("params/frozen".into(), large(&[7; 200])));
    snapshot
}

fn manager(files: &Arc<dyn Files>) -> Result<CheckpointManager> {
    let options =
        CheckpointManagerOptions { link_unchanged: Some(1000), ..CheckpointManagerOptions::keeping(2, None) };
    CheckpointManager::with_files(DIR, options, files.clone())
}

/// Does it, and says whether all of it was done.
fn run(manager: &mut CheckpointManager, action: Action) -> Result<bool> {
    match action {
        Action::Save(step, variant) => {
            manager.save(saved(step, variant));
            manager.wait().expect("a save is under way").map(|saved| saved.not_removed.is_none())
        }
        Action::Remove(step) => manager.remove(step).map(|()| true),
        Action::DiscardAfter(step) => manager.discard_after(step).map(|_| true),
    }
}

fn after(before: &Steps, action: Action) -> Steps {
    let mut steps = before.clone();
    match action {
        Action::Save(step, variant) => {
            steps.insert(step, variant);
            while steps.len() > 2 {
                steps.pop_first();
            }
        }
        Action::Remove(step) => drop(steps.remove(&step)),
        Action::DiscardAfter(step) => steps.retain(|&s, _| s <= step),
    }
    steps
}

/// Whether these checkpoints may be found when the power was lost in the middle of an action. What is saved is there before the first old one goes.
fn is_between(found: &Steps, before: &Steps, action: Action) -> bool {
    let after = after(before, action);
    let of = |steps: &Steps, step: u64| steps.get(&step).copied();
    let all = before.keys().chain(after.keys()).chain(found.keys());
    let each = all.into_iter().all(|&step| {
        let variant = of(found, step);
        variant == of(before, step) || variant == of(&after, step)
    });
    let is_one_gone = before.keys().any(|step| !found.contains_key(step));
    match action {
        Action::Save(step, variant) => each && (!is_one_gone || of(found, step) == Some(variant)),
        Action::Remove(_) | Action::DiscardAfter(_) => each,
    }
}

/// Reads the checkpoints of disks in memory. Equal folders are read once.
struct Reader {
    dir: TempDir,
    known: HashMap<blake3::Hash, (u64, u64)>,
}

impl Reader {
    fn new() -> Reader {
        Reader { dir: tempfile::tempdir().unwrap(), known: HashMap::new() }
    }

    /// The checkpoints of a disk, all of which are whole.
    fn steps(&mut self, disk: &dyn Files) -> Steps {
        let mut steps = Steps::new();
        let listed = disk.list(Path::new(DIR)).unwrap_or_default();
        for entry in &listed {
            let name = entry.name.to_str().unwrap().to_owned();
            // The old folder of a step that is absent, for it was being replaced, is read as that step's.
            let hidden = [".jarrah-old-", ".jarrah-replaced-"];
            let step = hidden.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(&name);
            let is_shown = step == name || !listed.iter().any(|other| other.name == *step);
            if entry.kind == FileKind::Folder
                && step.starts_with("step_")
                && !step.contains("orbax")
                && is_shown
            {
                let content = content(disk, &Path::new(DIR).join(&name));
                let (step, variant) = self.read(&name, &content);
                steps.insert(step, variant);
            }
        }
        steps
    }

    /// The step and the variant of a checkpoint, which is verified.
    fn read(&mut self, name: &str, content: &BTreeMap<String, Vec<u8>>) -> (u64, u64) {
        let mut hasher = blake3::Hasher::new();
        hasher.update(name.as_bytes());
        for (file, bytes) in content {
            hasher.update(file.as_bytes()).update(&bytes.len().to_le_bytes()).update(bytes);
        }
        let dir = self.dir.path();
        *self.known.entry(hasher.finalize()).or_insert_with(|| {
            std::fs::remove_dir_all(dir).unwrap();
            for (file, bytes) in content {
                let path = dir.join(name).join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, bytes).unwrap();
            }
            std::fs::create_dir_all(dir.join(name)).unwrap();
            let listing = list(dir).unwrap();
            assert!(listing.damaged.is_empty(), "{:?}\n{:?}", listing.damaged, content.keys());
            let checkpoint = &listing.good[0];
            checkpoint.verify().unwrap();
            let variant = checkpoint.state().extra.as_u64().unwrap();
            assert!(same(&checkpoint.load().unwrap(), &saved(checkpoint.step(), variant)));
            (checkpoint.step(), variant)
        })
    }
}

/// All files below a folder.
fn content(disk: &dyn Files, folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in disk.list(folder).unwrap() {
        let (path, name) = (folder.join(&entry.name), entry.name.to_str().unwrap().to_owned());
        match entry.kind {
            FileKind::Folder => {
                all.extend(
                    content(disk, &path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)),
                );
            }
            _ => {
                let mut bytes = vec![0; disk.status(&path).unwrap().len as usize];
                disk.open(&path).unwrap().read_at(0, &mut bytes).unwrap();
                drop(all.insert(name, bytes));
            }
        }
    }
    all
}

/// Keeps what a loss of power before each operation leaves.
struct Crashing {
    disk: SimulatedDisk,
    survivors: Mutex<Vec<(u64, SimulatedDisk)>>,
}

const SEEDS: u64 = 4;

impl Hook for Crashing {
    fn before(&self, bytes: usize) -> io::Result<usize> {
        let mut survivors = self.survivors.lock().unwrap();
        let first = self.disk.operations() * SEEDS;
        survivors.extend((first..first + SEEDS).map(|seed| (seed, self.disk.crash(seed))));
        Ok(bytes)
    }
}

/// Opens the directory on a disk whose power has returned, which clears it, and goes on.
fn check_survivor(
    reader: &mut Reader,
    disk: &SimulatedDisk,
    is_allowed: &dyn Fn(&Steps) -> bool,
    told: &str,
) {
    // Readers may come before the writer.
    let uncleared = reader.steps(disk);
    assert!(is_allowed(&uncleared), "{told}: before any clearing {uncleared:?}");
    let files: Arc<dyn Files> = Arc::new(disk.clone());
    let mut manager = manager(&files).expect("cleared");
    let found = reader.steps(disk);
    assert!(is_allowed(&found), "{told}: found {found:?}");
    assert!(
        uncleared.iter().all(|(step, variant)| found.get(step) == Some(variant)),
        "{told}: {uncleared:?}"
    );
    let names = disk.list(Path::new(DIR)).unwrap_or_default().into_iter();
    let left: Vec<_> = names.filter(|entry| !entry.name.to_str().unwrap().starts_with("step_0")).collect();
    assert!(left.is_empty(), "{told}: {left:?}");
    // One of sixteen goes on, by chance.
    if blake3::hash(told.as_bytes()).as_bytes()[0] < 16 {
        assert!(run(&mut manager, Action::Save(9, 9)).expect("it goes on"));
        assert_eq!(reader.steps(&disk.crash(0)), after(&found, Action::Save(9, 9)), "{told}");
    }
}

#[test]
fn power_lost_before_any_operation_leaves_all_whole() {
    use Action::{DiscardAfter, Remove, Save};
    let script = [
        Save(1, 1),
        Save(2, 2),
        Save(2, 3),
        Save(3, 4),
        Save(4, 5),
        Save(3, 6),
        Save(4, 7),
        Remove(3),
        Save(5, 8),
        DiscardAfter(4),
        Save(5, 9),
        Remove(5),
    ];
    // With the exchange of names, and without it.
    let crashes = power_lost_in(&script, true);
    let without = power_lost_in(&script[1..4], false);
    assert!(crashes > 2000 && without > 400, "{crashes}, {without} without");
}

fn power_lost_in(script: &[Action], exchanges: bool) -> u64 {
    let disk = SimulatedDisk::new();
    disk.set_exchanges(exchanges);
    let hook = Arc::new(Crashing { disk: disk.clone(), survivors: Mutex::default() });
    let files: Arc<dyn Files> = Arc::new(Hooked(hook.clone(), Arc::new(disk.clone())));
    let mut manager = manager(&files).unwrap();
    let mut reader = Reader::new();
    let (mut before, mut crashes) = (Steps::new(), 0);
    for &action in script {
        assert!(run(&mut manager, action).unwrap());
        for (seed, survivor) in hook.survivors.lock().unwrap().drain(..) {
            let told = format!("power lost in {action:?}, seed {seed}");
            check_survivor(&mut reader, &survivor, &|found| is_between(found, &before, action), &told);
            crashes += 1;
        }
        before = after(&before, action);
        for seed in 0..SEEDS {
            let told = format!("power lost after {action:?}, seed {seed}");
            check_survivor(&mut reader, &disk.crash(seed), &|found| *found == before, &told);
        }
    }
    crashes
}

#[test]
fn a_fault_at_any_operation_is_an_error_in_words_and_leaves_all_whole() {
    let base = SimulatedDisk::new();
    let files: Arc<dyn Files> = Arc::new(base.clone());
    let mut writer = manager(&files).unwrap();
    assert!(run(&mut writer, Action::Save(1, 1)).unwrap() && run(&mut writer, Action::Save(2, 2)).unwrap());
    let before = Steps::from([(1, 1), (2, 2)]);
    let (mut reader, mut errors, mut unremoved) = (Reader::new(), 0, 0);
    for action in [Action::Save(3, 3), Action::Save(2, 4), Action::Remove(2), Action::DiscardAfter(0)] {
        for fault in [DiskFault::Full, DiskFault::Broken] {
            for operations in 0.. {
                // All is durable: a loss of power copies the disk.
                let disk = base.crash(0);
                let files: Arc<dyn Files> = Arc::new(disk.clone());
                let mut writer = manager(&files).unwrap();
                let begun = disk.operations();
                disk.fail_after(operations, fault);
                let outcome = run(&mut writer, action);
                if disk.operations() - begun <= operations {
                    assert!(outcome.unwrap());
                    break;
                }
                let told = format!("{fault:?} at operation {operations} of {action:?}");
                match &outcome {
                    Err(error) => {
                        errors += 1;
                        assert_eq!(error.kind(), ErrorKind::Environment, "{told}: {error}");
                        assert!(
                            error.message().starts_with("cannot ") && error.message().contains(" /"),
                            "{told}: {error}"
                        );
                        if fault == DiskFault::Full {
                            assert!(
                                error.advice().is_some_and(|help| help.contains("free some space")),
                                "{told}"
                            );
                        }
                    }
                    Ok(is_all) => unremoved += u64::from(!is_all),
                }
                let is_allowed = |found: &Steps| {
                    let is_saved = match action {
                        Action::Save(step, variant) => found.get(&step) == Some(&variant),
                        Action::Remove(step) => !found.contains_key(&step),
                        Action::DiscardAfter(_) => found.is_empty(),
                    };
                    is_between(found, &before, action) && (is_saved || outcome.is_err())
                };
                check_survivor(&mut reader, &disk.crash(operations), &is_allowed, &told);
                check_survivor(&mut reader, &disk, &is_allowed, &told);
            }
        }
    }
    assert!(errors > 300 && unremoved > 10, "{errors} errors, {unremoved} not removed");
}

/// A program of an earlier release was killed and left folders under its reserved names, which are not durable yet; then they are cleared, and the power is lost.
#[test]
fn power_lost_while_leftovers_of_earlier_releases_are_cleared_leaves_all_whole() {
    let mut reader = Reader::new();
    let mut crashes = 0;
    for hidden in
        [".jarrah-dropped-step_00000001", ".jarrah-replaced-step_00000001", ".jarrah-new-step_00000001"]
    {
        let disk = SimulatedDisk::new();
        let files: Arc<dyn Files> = Arc::new(disk.clone());
        let mut writer = manager(&files).unwrap();
        assert!(
            run(&mut writer, Action::Save(1, 1)).unwrap() && run(&mut writer, Action::Save(2, 2)).unwrap()
        );
        disk.rename(&Path::new(DIR).join("step_00000001"), &Path::new(DIR).join(hidden)).unwrap();
        let hook = Arc::new(Crashing { disk: disk.clone(), survivors: Mutex::default() });
        let files: Arc<dyn Files> = Arc::new(Hooked(hook.clone(), Arc::new(disk.clone())));
        drop(manager(&files).unwrap());
        let comes_back = hidden.contains("replaced");
        let both = Steps::from([(1, 1), (2, 2)]);
        assert_eq!(reader.steps(&disk), if comes_back { both.clone() } else { [(2, 2)].into() });
        for (seed, survivor) in hook.survivors.lock().unwrap().drain(..) {
            let is_allowed = |found: &Steps| *found == both || !comes_back && *found == Steps::from([(2, 2)]);
            check_survivor(&mut reader, &survivor, &is_allowed, &format!("{hidden}, seed {seed}"));
            crashes += 1;
        }
    }
    assert!(crashes > 60, "{crashes}");
}

#[test]
fn a_slow_disk_does_not_hold_up_training() {
    let disk = SimulatedDisk::new();
    let files: Arc<dyn Files> = Arc::new(disk.clone());
    let mut manager = manager(&files).unwrap();
    disk.set_latency(Duration::from_millis(4));
    let start = Instant::now();
    assert!(manager.save(saved(1, 1)).previous.is_none());
    assert!(manager.poll().is_none());
    let submitted = start.elapsed();
    let saved = manager.wait().unwrap().unwrap();
    assert!(
        saved.took > Duration::from_millis(100) && submitted < saved.took / 2,
        "{submitted:?} of {:?}",
        saved.took
    );
    assert_eq!(Reader::new().steps(&disk.crash(1)), [(1, 1)].into());
}
