//! Checkpoints of several items, and the rules by which they are asked for.

use std::time::Duration;

use jarrah_base::{ErrorKind, Literal};
use jarrah_checkpoint::{
    CheckpointItem, CheckpointItems, CheckpointManager, CheckpointManagerOptions, CheckpointWatcher, Keep,
    Preemption, SaveWhen, ShardedTensor, StepNames,
};
use jarrah_formats::OrbaxCheckpoint;
use serde_json::json;

fn items(step: u64) -> CheckpointItems {
    let tensor = |x: f32| Literal::from_slice(&[2], &[x, step as f32]).unwrap();
    CheckpointItems::new(step)
        .tensors("params", [("dense/w", tensor(1.0)), ("dense/b", tensor(2.0))])
        .and_then(|items| items.tensors("opt", [("dense/w", tensor(3.0))]))
        .and_then(|items| items.item("nothing", CheckpointItem::Tree(Vec::new())))
        .and_then(|items| items.json("data", json!({ "position": step, "order": [3, 1] })))
        .unwrap()
        .metric("loss", 1.0 / step as f64)
}

fn manager(dir: &std::path::Path) -> CheckpointManager {
    CheckpointManager::open(dir, CheckpointManagerOptions::default()).unwrap()
}

#[test]
fn items_are_saved_and_restored_by_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    manager.save(items(5));
    let checkpoint = manager.restore(None).unwrap();
    checkpoint.verify().unwrap();
    assert_eq!(checkpoint.items().collect::<Vec<_>>(), ["params", "opt", "nothing", "data"]);
    // A name may be in two items.
    let w = |item: &str| checkpoint.tree(item).unwrap().tensor("dense/w").unwrap().to_f64_vec();
    assert_eq!((w("params"), w("opt")), (vec![1.0, 5.0], vec![3.0, 5.0]));
    assert!(checkpoint.tree("nothing").unwrap().tensors().is_empty());
    assert_eq!(checkpoint.json("data").unwrap(), json!({ "position": 5, "order": [3, 1] }));
    assert!(checkpoint.tensors().is_empty());

    let error = checkpoint.tree("weights").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    assert!(error.message().ends_with("has no item \"weights\" that is a tree of tensors"), "{error}");
    assert_eq!(error.advice(), Some("it has params, opt, nothing, data"));
    assert!(checkpoint.json("params").unwrap_err().message().ends_with("\"params\" that is JSON"));
}

#[test]
fn orbax_has_the_items() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    manager.save(items(3));
    let orbax = OrbaxCheckpoint::open(manager.restore(Some(3)).unwrap().path()).unwrap();
    assert_eq!(orbax.json("data").unwrap()["position"], 3);
    assert_eq!(
        orbax.tree("opt").unwrap().get("dense.w").unwrap().literal().unwrap().to_f64_vec(),
        [3.0, 3.0]
    );
    assert_eq!(orbax.metrics().unwrap()["loss"], 1.0 / 3.0);
}

#[test]
fn the_hash_covers_every_item() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    let mut hash = |items: CheckpointItems| {
        manager.save(items);
        manager.restore(None).unwrap().hash().unwrap()
    };
    let tree = |x: f32| [("w", Literal::scalar(x))];
    let of = |x: f32, position: u64| {
        CheckpointItems::new(1).tensors("params", tree(x)).unwrap().json("data", position).unwrap()
    };
    let first = hash(of(1.0, 2));
    assert_eq!(hash(of(1.0, 2).metric("loss", 3.0)), first);
    assert_ne!(hash(of(1.5, 2)), first);
    assert_ne!(hash(of(1.0, 3)), first);
    assert_ne!(
        hash(CheckpointItems::new(1).tensors("weights", tree(1.0)).unwrap().json("data", 2).unwrap()),
        first
    );
    assert_ne!(hash(CheckpointItems::new(1).tensors("params", tree(1.0)).unwrap()), first);
}

#[test]
fn names_that_no_item_can_have_are_refused() {
    for (name, words) in [
        ("a/b", "no name of a folder"),
        ("", "no name of a folder"),
        ("_METADATA", "no name of a folder"),
        (".hidden", "no name of a folder"),
        ("jarrah", "of its own"),
        ("metrics", "of its own"),
        ("params", "another one is, too"),
    ] {
        let error = items(1).json(name, 1).unwrap_err();
        assert!(error.kind() == ErrorKind::Program && error.message().contains(words), "{error}");
    }
}

#[test]
fn a_whole_checkpoint_of_items_is_replaced_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    manager.save(items(1));
    let other = CheckpointItems::new(1).tensors("weights", [("w", Literal::scalar(1i32))]).unwrap();
    manager.save(other);
    assert_eq!(manager.restore(Some(1)).unwrap().items().collect::<Vec<_>>(), ["weights"]);
    manager.remove(1).unwrap();
    assert!(manager.steps().unwrap().is_empty());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "but for the lock");
}

#[test]
fn the_newest_checkpoint_stays_whatever_the_rules_are() {
    let dir = tempfile::tempdir().unwrap();
    let best = Keep::Best { metric: "loss".into(), highest: true, count: 1 };
    let options = CheckpointManagerOptions { keep: vec![best], ..Default::default() };
    let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
    for step in 1..=4 {
        manager.save(items(step));
    }
    assert_eq!(manager.restore(None).unwrap().step(), 4);
    assert_eq!(manager.steps().unwrap(), [1, 4]);
    assert_eq!(manager.best_step("loss", true).unwrap(), Some(1));
    assert_eq!(manager.best_step("loss", false).unwrap(), Some(4));
    assert_eq!(manager.best_step("accuracy", false).unwrap(), None);
}

#[test]
fn without_a_rule_all_checkpoints_stay() {
    let dir = tempfile::tempdir().unwrap();
    let options = CheckpointManagerOptions { keep: Vec::new(), ..Default::default() };
    let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
    (1..=5).for_each(|step| drop(manager.save(items(step))));
    manager.wait();
    assert_eq!(manager.steps().unwrap(), [1, 2, 3, 4, 5]);
}

#[test]
fn checkpoints_are_kept_by_the_time_of_their_saves() {
    let dir = tempfile::tempdir().unwrap();
    let keep = vec![Keep::Within(Duration::from_secs(3600))];
    let options = CheckpointManagerOptions { keep, ..Default::default() };
    let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
    (1..=3).for_each(|step| drop(manager.save(items(step))));
    manager.wait();
    assert_eq!(manager.steps().unwrap(), [1, 2, 3]);
    let keep = vec![Keep::Every(Duration::from_secs(3600))];
    drop(manager);
    let options = CheckpointManagerOptions { keep, ..Default::default() };
    let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
    manager.save(items(4));
    manager.wait();
    assert_eq!(manager.steps().unwrap(), [1, 4]);
}

#[test]
fn rules_ask_for_checkpoints() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("preempted");
    let opened = |save: Vec<SaveWhen>, name: &str| {
        let options = CheckpointManagerOptions { save, ..Default::default() };
        CheckpointManager::open(dir.path().join(name), options).unwrap()
    };
    let asked =
        |manager: &CheckpointManager| (1..=10).filter(|&step| manager.should_save(step)).collect::<Vec<_>>();
    assert_eq!(asked(&opened(vec![SaveWhen::EverySteps(4), SaveWhen::Steps(vec![5])], "a")), [4, 5, 8]);
    assert_eq!(asked(&opened(vec![SaveWhen::EverySteps(0)], "b")), Vec::<u64>::new());
    let odd = SaveWhen::Custom(std::sync::Arc::new(|step, saved| saved.is_none() && step % 2 == 1));
    let mut manager = opened(vec![odd], "c");
    assert_eq!(asked(&manager), [1, 3, 5, 7, 9]);
    manager.save(items(2));
    assert!(asked(&manager).is_empty());

    let mut manager = opened(vec![SaveWhen::First, SaveWhen::Every(Duration::from_secs(3600))], "d");
    assert!(manager.should_save(7));
    manager.save(items(7));
    assert!(!manager.should_save(8) && !manager.reached_preemption());
    drop(manager);
    assert!(!opened(vec![SaveWhen::First], "d").should_save(8), "a run before saved");
    assert!(opened(vec![SaveWhen::Every(Duration::ZERO)], "d").should_save(8));
    assert!(!opened(vec![SaveWhen::Every(Duration::ZERO)], "d").should_save(7), "it was saved already");

    let notice = Preemption::new().or_file(&file);
    let manager = opened(vec![SaveWhen::Preempted(notice)], "e");
    assert!(!manager.should_save(1));
    std::fs::write(&file, "").unwrap();
    assert!(manager.should_save(1) && manager.reached_preemption());
    assert!(Preemption::new().or_after(Duration::ZERO).is_given());
}

#[test]
fn what_comes_after_a_step_is_saved_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    (1..=3).for_each(|step| drop(manager.save(items(step))));
    assert!(!manager.should_save(2));
    assert_eq!(manager.discard_after(1).unwrap(), [2, 3]);
    assert!(manager.should_save(2));
    manager.close().unwrap();
}

#[test]
fn an_item_of_one_whole_tensor_shares_its_memory() {
    let value = Literal::scalar(1.5f32);
    let tensor = ShardedTensor::from(value.clone());
    assert_eq!(tensor.whole().unwrap().bytes().as_ptr(), value.bytes().as_ptr());
}

#[test]
fn folders_have_the_names_that_are_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    for (names, shown) in
        [(StepNames::new("", 0).unwrap(), "7"), (StepNames::new("ckpt_", 3).unwrap(), "ckpt_007")]
    {
        let options = CheckpointManagerOptions { names: names.clone(), ..Default::default() };
        let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
        assert!(manager.steps().unwrap().is_empty(), "others have other names");
        manager.save(items(7));
        assert!(manager.restore(None).unwrap().path().ends_with(shown));
        assert_eq!(manager.restore(Some(7)).unwrap().step(), 7);
        let mut watcher = CheckpointWatcher::new(dir.path()).with_names(names);
        assert_eq!(watcher.wait(Duration::ZERO).unwrap().unwrap().step(), 7);
    }
    assert!(jarrah_checkpoint::list(dir.path()).unwrap().good.is_empty());
    assert!(CheckpointWatcher::new(dir.path().join("nowhere")).wait(Duration::ZERO).unwrap().is_none());
}

/// A reader follows a writer that keeps one checkpoint, and is never disturbed by its removals.
#[test]
fn a_reader_follows_a_writer() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    let writer = std::thread::spawn(move || {
        let options = CheckpointManagerOptions { keep: vec![Keep::Latest(1)], ..Default::default() };
        let mut manager = CheckpointManager::open(path, options).unwrap();
        (1..=60).for_each(|step| drop(manager.save(items(step))));
        manager.close().unwrap();
    });
    let mut watcher = CheckpointWatcher::new(dir.path());
    let mut last = 0;
    while last < 60 {
        let checkpoint = watcher.wait(Duration::from_secs(60)).unwrap().expect("one comes");
        assert!(checkpoint.step() > last);
        last = checkpoint.step();
        // Its files may be gone by now: then that is an error in words, and no other value.
        if let Ok(value) = checkpoint.tree("params").and_then(|tree| tree.tensor("dense/w")) {
            assert_eq!(value.to_f64_vec(), [1.0, last as f64]);
        }
    }
    writer.join().unwrap();
    assert!(CheckpointWatcher::new(dir.path()).after(60).wait(Duration::ZERO).unwrap().is_none());
}

#[test]
fn json_that_could_not_be_read_again_is_refused() {
    let deep = (0..200).fold(json!(0), |inner, _| json!([inner]));
    let error = items(1).json("deep", deep).unwrap_err();
    assert!(error.message().contains("nested too deeply"), "{error}");
}

#[test]
fn an_open_checkpoint_never_gives_the_json_of_another_one() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    manager.save(CheckpointItems::new(1).json("data", "old").unwrap());
    let opened = manager.restore(None).unwrap();
    manager.save(CheckpointItems::new(1).json("data", "new").unwrap());
    manager.wait();
    let error = opened.json("data").unwrap_err();
    assert!(error.message().contains("has the blake3 checksum"), "{error}");
    assert_eq!(manager.restore(None).unwrap().json("data").unwrap(), "new");
}

#[test]
fn a_save_that_failed_is_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    let twice = [("a", Literal::scalar(1i32)), ("a", Literal::scalar(2i32))];
    manager.save(CheckpointItems::new(5).tensors("params", twice).unwrap());
    assert!(!manager.should_save(5), "it is under way");
    assert!(manager.wait().unwrap().is_err());
    assert!(manager.should_save(5));
}

/// Links in a checkpoint that lead to where they lie: a reader ends, with an error or without.
#[cfg(unix)]
#[test]
fn links_in_a_circle_are_not_followed_without_end() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = manager(dir.path());
    manager.save(items(1));
    let folder = manager.restore(None).unwrap().path().join("data/sub");
    std::fs::create_dir(&folder).unwrap();
    for name in ["a", "b"] {
        std::os::unix::fs::symlink(".", folder.join(name)).unwrap();
    }
    let _ = manager.restore(None);
    std::fs::write(folder.join("file"), "").unwrap();
    let error = manager.restore(None).unwrap_err();
    assert!(error.message().contains("it is not in the manifest"), "{error}");
}

#[test]
fn a_folder_of_others_beside_the_checkpoints_stays() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("processes/mine/thesis.txt");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "of others").unwrap();
    manager(dir.path()).save(items(1));
    assert!(file.exists());
}

#[test]
fn the_names_of_steps_are_found_in_their_folder() {
    let found = |dir: &std::path::Path| StepNames::find(dir);
    for (prefix, digits) in [("", 0), ("", 6), ("epoch-", 4), ("ckpt_", 2), ("step_", 8), ("v2.step", 0)] {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(found(dir.path()).unwrap(), None);
        let names = StepNames::new(prefix, digits).unwrap();
        let options = CheckpointManagerOptions { names: names.clone(), ..Default::default() };
        let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
        [1, 2, 12].into_iter().for_each(|step| drop(manager.save(items(step))));
        manager.close().unwrap();
        // Folders of others with numbers are no steps, and one whose manifest is gone is one.
        std::fs::create_dir_all(dir.path().join("logs_1")).unwrap();
        std::fs::remove_dir_all(dir.path().join(names.name(2)).join("jarrah")).unwrap();
        std::fs::remove_file(dir.path().join(names.name(2)).join("_CHECKPOINT_METADATA")).unwrap();
        let again = found(dir.path()).unwrap().unwrap();
        assert_eq!(again, names, "{prefix:?}");
        assert_eq!(again.steps(dir.path()).unwrap(), [1, 2, 12]);
        assert_eq!(jarrah_checkpoint::latest_of(dir.path(), &again).unwrap().step(), 12);
        assert_eq!(jarrah_checkpoint::list_of(dir.path(), &again).unwrap().damaged[0].0, 2);
        assert!(jarrah_checkpoint::at_of(dir.path(), &again, 2).is_err());
    }
    let dir = tempfile::tempdir().unwrap();
    for name in ["7", "007"] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
    }
    let error = found(dir.path()).unwrap_err();
    assert!(error.message().contains("007 and 7, which are no steps of one kind"), "{error}");
}
