//! Checkpoints in two places.

use std::path::Path;
use std::sync::Arc;

use jarrah_base::Literal;
use jarrah_checkpoint::{Backup, CheckpointItems, CheckpointManager, CheckpointManagerOptions, Keep};
use jarrah_store::{LocalStore, MemoryStore, Name, ObjectStore, SimulatedDisk};

use crate::common::files;

fn items(step: u64) -> CheckpointItems {
    let values: Vec<f32> = (0..2000).map(|i| (i * step) as f32).collect();
    CheckpointItems::new(step)
        .tensors("params", [("w", Literal::from_slice(&[2000], &values).unwrap())])
        .unwrap()
}

fn manager(dir: &Path, backup: Backup) -> CheckpointManager {
    let options =
        CheckpointManagerOptions { backup: Some(backup), ..CheckpointManagerOptions::keeping(2, None) };
    CheckpointManager::open(dir, options).unwrap()
}

fn check(manager: &mut CheckpointManager, step: u64) {
    let checkpoint = manager.restore(None).unwrap();
    assert_eq!(checkpoint.step(), step);
    checkpoint.verify().unwrap();
    assert_eq!(checkpoint.tree("params").unwrap().tensor("w").unwrap().get_f64(3), 3.0 * step as f64);
}

#[test]
fn what_survives_is_restored() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::new());
    let backup = || Backup::store(store.clone()).every(2).keep(vec![Keep::Latest(2)]).unwrap();
    let mut first = manager(dir.path(), backup());
    for step in 1..=9 {
        first.save(items(step));
        assert!(first.wait().unwrap().unwrap().not_backed_up.is_none());
    }
    assert_eq!(store.folders(&Name::root()).unwrap(), ["step_00000007", "step_00000009"]);
    check(&mut first, 9);
    drop(first);

    // A changed byte of the newest one.
    let damaged = dir.path().join("step_00000009");
    let data = files(&damaged).into_iter().find(|file| file.ends_with("_METADATA")).unwrap();
    std::fs::write(damaged.join(data), "{").unwrap();
    let mut second = manager(dir.path(), backup());
    check(&mut second, 9);
    drop(second);

    // The first place is lost.
    std::fs::remove_dir_all(dir.path()).unwrap();
    let mut third = manager(dir.path(), backup());
    assert_eq!((third.steps().unwrap(), third.latest_step().unwrap()), (vec![7, 9], Some(9)));
    assert!(!third.should_save(9) && third.should_save(10));
    check(&mut third, 9);
    assert_eq!(third.restore(Some(7)).unwrap().step(), 7);
    // A run that goes back makes the later steps anew, in both places.
    assert_eq!(third.discard_after(7).unwrap(), [9]);
    assert_eq!(store.folders(&Name::root()).unwrap(), ["step_00000007"]);
    assert!(third.should_save(8));
    third.remove(7).unwrap();
    assert!(store.folders(&Name::root()).unwrap().is_empty() && third.steps().unwrap().is_empty());
}

/// A step that is made anew, and not copied, has no copy of what it was.
#[test]
fn a_copy_of_a_step_that_was_made_anew_never_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path(), Backup::store(Arc::new(MemoryStore::new())).every(15));
    let named = |step: u64, name: &str| CheckpointItems::new(step).json("data", name).unwrap();
    manager.save(named(10, "first"));
    manager.save(named(25, "old"));
    manager.save(named(25, "new"));
    manager.save(named(26, "last"));
    manager.wait();
    assert_eq!(manager.restore(Some(25)).unwrap().json("data").unwrap(), "new");
    std::fs::remove_dir_all(dir.path().join("step_00000025")).unwrap();
    let restored = manager.restore(Some(25));
    assert!(restored.is_err() || restored.unwrap().json("data").unwrap() == "new");
}

#[test]
fn a_backup_in_the_folder_itself_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let backup = Backup::folder(dir.path()).unwrap();
    let options = CheckpointManagerOptions { backup: Some(backup), ..Default::default() };
    let error = CheckpointManager::open(dir.path(), options).err().unwrap();
    assert_eq!(error.message(), "the backup of the checkpoints is their own folder");
}

#[test]
fn rules_that_ask_for_more_than_steps_are_refused_for_copies() {
    let best = Keep::Best { metric: "loss".into(), highest: false, count: 1 };
    let error = Backup::store(Arc::new(MemoryStore::new())).keep(vec![best]).unwrap_err();
    assert_eq!(error.message(), "copies are to be kept by the rule Best(1 lowest loss)");
}

#[test]
fn a_damaged_checkpoint_without_a_copy_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path(), Backup::store(Arc::new(MemoryStore::new())).every(100));
    (1..=3).for_each(|step| drop(manager.save(items(step))));
    manager.wait();
    std::fs::write(dir.path().join("step_00000003/jarrah/metadata"), "").unwrap();
    let error = manager.restore(None).unwrap_err();
    assert!(error.to_string().contains("step_00000003/jarrah/metadata"), "{error}");
}

#[test]
fn a_backup_that_cannot_be_written_is_told_and_the_checkpoint_is_good() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "no folder").unwrap();
    let mut manager = manager(&dir.path().join("run"), Backup::folder(&file).unwrap());
    manager.save(items(1));
    let saved = manager.wait().unwrap().unwrap();
    assert!(saved.not_backed_up.is_some());
    check(&mut manager, 1);
}

/// A step that is saved again is copied before the copy that is there goes.
#[test]
fn a_copy_that_cannot_be_made_anew_leaves_the_one_that_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Arc::new(SimulatedDisk::new());
    let store = Arc::new(LocalStore::with_files("/", disk.clone()));
    let mut manager = manager(dir.path(), Backup::store(store.clone()));
    manager.save(items(1));
    assert!(manager.wait().unwrap().unwrap().not_backed_up.is_none());
    disk.set_quota(Some(0));
    manager.save(items(1));
    assert!(manager.wait().unwrap().unwrap().not_backed_up.is_some());
    assert_eq!(store.folders(&Name::root()).unwrap(), ["step_00000001"]);
    std::fs::remove_dir_all(dir.path()).unwrap();
    disk.set_quota(None);
    check(&mut manager, 1);
}
