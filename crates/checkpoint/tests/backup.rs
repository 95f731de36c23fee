//! Checkpoints in two places.

use std::path::Path;
use std::sync::Arc;

use jarrah_base::Literal;
use jarrah_checkpoint::{Backup, CheckpointItems, CheckpointManager, CheckpointManagerOptions, Keep};
use jarrah_store::{MemoryStore, Name, ObjectStore};

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
    let backup = || Backup::store(store.clone()).every(2).keep(vec![Keep::Latest(2)]);
    let mut first = manager(dir.path(), backup());
    for step in 1..=9 {
        first.save(items(step));
        assert!(first.wait().unwrap().unwrap().not_backed_up.is_none());
    }
    assert_eq!(store.folders(&Name::root()).unwrap(), ["step_00000006", "step_00000008"]);
    check(&mut first, 9);
    drop(first);

    // A changed byte of the newest one that has a copy is mended from the copy, if a newer one is not there.
    let damaged = dir.path().join("step_00000008");
    let data = files(&damaged).into_iter().find(|file| file.ends_with("_METADATA")).unwrap();
    std::fs::write(damaged.join(data), "{").unwrap();
    std::fs::remove_dir_all(dir.path().join("step_00000009")).unwrap();
    let mut second = manager(dir.path(), backup());
    check(&mut second, 8);
    drop(second);

    // The first place is lost.
    std::fs::remove_dir_all(dir.path()).unwrap();
    let mut third = manager(dir.path(), backup());
    check(&mut third, 8);
    assert_eq!(third.steps().unwrap(), [8]);
    assert_eq!(third.restore(Some(6)).unwrap().step(), 6);
    // A run that goes back makes the later steps anew, in both places.
    assert_eq!(third.discard_after(6).unwrap(), [8]);
    assert_eq!(store.folders(&Name::root()).unwrap(), ["step_00000006"]);
    third.remove(6).unwrap();
    assert!(store.folders(&Name::root()).unwrap().is_empty());
}

#[test]
fn a_damaged_checkpoint_without_a_copy_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path(), Backup::store(Arc::new(MemoryStore::new())).every(2));
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
