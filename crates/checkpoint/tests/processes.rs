//! Several processes save one checkpoint: here they are threads, each with a manager of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jarrah_base::{DType, Error, ErrorKind, Literal, Result, Type};
use jarrah_checkpoint::{
    Backup, CheckpointItems, CheckpointManager, CheckpointManagerOptions, Keep, Processes, SaveWhen, Saved,
    ShardedTensor, TensorShard,
};

use jarrah_store::MemoryStore;

use crate::common::{Hook, Hooked, leftovers, steps};

const COUNT: usize = 4;

fn options(process: usize, session: &str, patience: Duration) -> CheckpointManagerOptions {
    let processes = Some(Processes::new(process, COUNT, session).unwrap());
    CheckpointManagerOptions { processes, patience, ..CheckpointManagerOptions::keeping(2, None) }
}

/// The items of one process: a tensor of which it has a row, one that all have, and a tree that it alone has a shard of.
fn items(step: u64, process: usize) -> CheckpointItems {
    let ty = Type::tensor(DType::F32, [COUNT, 3]);
    let row = [step as f32, process as f32, 0.5];
    let shard = TensorShard {
        region: vec![process..process + 1, 0..3],
        value: Literal::from_slice(&[1, 3], &row).unwrap(),
    };
    let rows = ShardedTensor::of_shards(ty, &[1, 3], vec![shard]).unwrap();
    let same = Literal::from_slice(&[2], &[step as i32, 7]).unwrap();
    CheckpointItems::new(step)
        .tensors("params", [("rows", rows), ("same", same.clone().into()), ("more", same.into())])
        .and_then(|items| items.json("data", step))
        .unwrap()
}

/// Runs a function in each process, as threads.
fn each<R: Send>(f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..COUNT)
            .map(|process| {
                scope.spawn({
                    let f = &f;
                    move || f(process)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn check(dir: &Path, step: u64) {
    let checkpoint = jarrah_checkpoint::at(dir, step).unwrap();
    checkpoint.verify().unwrap();
    let tree = checkpoint.tree("params").unwrap();
    let expected: Vec<f64> = (0..COUNT).flat_map(|process| [step as f64, process as f64, 0.5]).collect();
    assert_eq!(tree.tensor("rows").unwrap().to_f64_vec(), expected);
    assert_eq!(tree.tensor("same").unwrap().to_f64_vec(), [step as f64, 7.0]);
    assert_eq!(checkpoint.json("data").unwrap(), step);
}

#[test]
fn processes_save_one_checkpoint_and_each_is_told_that_it_is_durable() {
    let dir = tempfile::tempdir().unwrap();
    let saved = each(|process| -> Vec<Saved> {
        let options = options(process, "first", Duration::from_secs(60));
        let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
        (1..=3)
            .map(|step| {
                manager.save(items(step, process));
                manager.wait().unwrap().unwrap()
            })
            .collect()
    });
    assert_eq!(steps(dir.path()), [2, 3]);
    check(dir.path(), 2);
    check(dir.path(), 3);
    let bytes: Vec<u64> = saved.iter().map(|saved| saved[2].bytes).collect();
    assert!(bytes.iter().all(|&of| of == bytes[0] && of > 0), "{bytes:?}");
    assert_eq!(saved[0][2].removed, [1]);
    assert!(saved[1..].iter().all(|saved| saved[2].removed.is_empty()));

    // A run that comes after finds nothing of what they told each other.
    each(|process| {
        let mut manager =
            CheckpointManager::open(dir.path(), options(process, "second", Duration::from_secs(60))).unwrap();
        manager.save(items(3, process));
        manager.close().unwrap();
    });
    check(dir.path(), 3);
    assert!(!dir.path().join("jarrah-processes").exists() && leftovers(dir.path()).is_empty());
    // It has the same hash as one of a single process.
    let alone = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(alone.path(), CheckpointManagerOptions::default()).unwrap();
    let together = jarrah_checkpoint::at(dir.path(), 3).unwrap();
    let whole = together.tree("params").unwrap().load().unwrap();
    manager.save(CheckpointItems::new(3).tensors("params", whole).unwrap().json("data", 3).unwrap());
    assert_eq!(manager.restore(None).unwrap().hash().unwrap(), together.hash().unwrap());
}

/// The errors of the processes of a save, of which one does something else.
fn errors(
    patience: Duration,
    save: impl Fn(&mut CheckpointManager, usize) + Sync,
) -> (Vec<Error>, tempfile::TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let outcomes = each(|process| -> Result<Saved> {
        let mut manager = CheckpointManager::open(dir.path(), options(process, "run", patience))?;
        save(&mut manager, process);
        manager.wait().unwrap_or_else(|| Err(Error::program("nothing was saved")))
    });
    (outcomes.into_iter().map(|outcome| outcome.unwrap_err()).collect(), dir)
}

#[test]
fn a_process_that_fails_is_named_by_all_and_nothing_is_left() {
    let (errors, dir) = errors(Duration::from_secs(60), |manager, process| {
        let items = match process {
            // A name that it alone has twice.
            2 => items(1, process)
                .tensors("opt", [("a", Literal::scalar(1i32)), ("a", Literal::scalar(2i32))])
                .unwrap(),
            _ => items(1, process),
        };
        manager.save(items);
    });
    assert!(errors[2].message().contains("\"a\" is taken"), "{}", errors[2]);
    for other in [0, 1, 3] {
        let words = "process 2 did not write its part: the tensor name \"a\" is taken";
        assert_eq!(errors[other].message(), words);
    }
    assert!(steps(dir.path()).is_empty() && leftovers(dir.path()).is_empty());
}

#[test]
fn processes_that_save_different_steps_or_trees_are_told_so() {
    let (errors, dir) = errors(Duration::from_secs(60), |manager, process| {
        manager.save(items(if process == 3 { 2 } else { 1 }, process));
    });
    assert!(
        errors[0]
            .message()
            .contains("process 3 did not write its part: process 3 saves step 2, process 0 step 1"),
        "{}",
        errors[0]
    );
    assert!(steps(dir.path()).is_empty());

    let (errors, dir) = self::errors(Duration::from_secs(60), |manager, process| {
        let items = match process {
            1 => CheckpointItems::new(1).tensors("params", [("rows", Literal::scalar(1i32))]).unwrap(),
            _ => items(1, process),
        };
        manager.save(items);
    });
    assert!(errors[0].message().contains("process 1 wrote a part of another plan"), "{}", errors[0]);
    assert!(steps(dir.path()).is_empty());
}

#[test]
fn a_process_that_never_comes_is_waited_for_with_patience_only() {
    let (errors, dir) = errors(Duration::from_millis(300), |manager, process| {
        if process != 1 {
            manager.save(items(1, process));
        }
    });
    assert_eq!(errors[0].message(), "process 1 did not begin this save within 300ms");
    assert_eq!(errors[0].kind(), ErrorKind::Environment);
    assert!(steps(dir.path()).is_empty() && leftovers(dir.path()).is_empty());
}

#[test]
fn rules_by_clocks_are_refused_where_processes_save_together() {
    let dir = tempfile::tempdir().unwrap();
    let save = vec![SaveWhen::Every(Duration::from_secs(60))];
    let options = CheckpointManagerOptions { save, ..options(0, "run", Duration::from_secs(1)) };
    let error = CheckpointManager::open(dir.path(), options).err().unwrap();
    assert_eq!(error.message(), "4 processes are to save by the rule Every(60s)");
    assert!(matches!(CheckpointManagerOptions::default().keep.as_slice(), [Keep::Latest(3)]));
}

/// A disk on which a process takes longer than the patience.
#[test]
fn a_process_at_work_is_waited_for_however_long_it_takes() {
    struct Slow;
    impl Hook for Slow {
        fn before(&self, bytes: usize) -> std::io::Result<usize> {
            std::thread::sleep(Duration::from_millis(if bytes > 10_000 { 250 } else { 0 }));
            Ok(bytes)
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let begun = std::time::Instant::now();
    each(|process| {
        let options = options(process, "run", Duration::from_millis(1500));
        let mut manager = match process {
            2 => CheckpointManager::with_files(dir.path(), options, Hooked::disk(Arc::new(Slow))).unwrap(),
            _ => CheckpointManager::open(dir.path(), options).unwrap(),
        };
        let many = (0..150).map(|i| (format!("{i}"), Literal::scalar(i)));
        let large = Literal::zeros(Type::tensor(DType::U8, [20_000])).unwrap();
        let mut items = items(1, process).tensors("many", many).unwrap();
        // The third of whole tensors is that of process 2.
        for i in 0..12 {
            let tensors = [("a", Literal::scalar(1)), ("b", Literal::scalar(2)), ("c", large.clone())];
            items = items.tensors(&format!("large{i}"), tensors).unwrap();
        }
        manager.save(items);
        manager.close().unwrap();
    });
    assert!(
        begun.elapsed() > Duration::from_millis(1600),
        "the slow process was not slow: {:?}",
        begun.elapsed()
    );
    check(dir.path(), 1);
}

/// Trees and tensors in another order in each process, of equal types, so that nothing but their names tells them apart.
#[test]
fn processes_may_give_items_and_tensors_in_any_order() {
    let dir = tempfile::tempdir().unwrap();
    let value = |name: &str, process: usize| name.len() as f32 * 10.0 + process as f32;
    let names = ["a", "bb", "ccc"];
    each(|process| {
        let tensor = |name: &str| {
            let shard = TensorShard {
                region: vec![process..process + 1],
                value: Literal::from_slice(&[1], &[value(name, process)]).unwrap(),
            };
            ShardedTensor::of_shards(Type::tensor(DType::F32, [COUNT]), &[1], vec![shard]).unwrap()
        };
        let mut order = names;
        order.rotate_left(process % 3);
        let mut items = CheckpointItems::new(1);
        for item in order {
            let tensors = order.map(|name| (name, tensor(&format!("{item}{name}"))));
            items = items.tensors(item, tensors).unwrap();
        }
        let options = options(process, "run", Duration::from_secs(60));
        let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
        manager.save(items);
        manager.close().unwrap();
    });
    let checkpoint = jarrah_checkpoint::at(dir.path(), 1).unwrap();
    checkpoint.verify().unwrap();
    for item in names {
        for name in names {
            let found = checkpoint.tree(item).unwrap().tensor(name).unwrap().to_f64_vec();
            let expected: Vec<f64> =
                (0..COUNT).map(|process| f64::from(value(&format!("{item}{name}"), process))).collect();
            assert_eq!(found, expected, "{item} {name}");
        }
    }
}

#[test]
fn an_item_that_one_process_alone_has_is_an_error() {
    for (extra, words) in [
        (0, "process 1 gave no tensors of the item \"more\""),
        (2, "process 2 gave the item \"more\", which process 0 has not"),
    ] {
        let (errors, dir) = errors(Duration::from_secs(60), |manager, process| {
            let items = items(1, process);
            let more = items.clone().tensors("more", [("w", Literal::scalar(1i32))]).unwrap();
            manager.save(if process == extra { more } else { items });
        });
        assert_eq!(errors[0].message(), words);
        assert!(steps(dir.path()).is_empty() && leftovers(dir.path()).is_empty());
    }
}

/// Managers one behind the other in one run, as in a loop that opens, saves and closes.
#[test]
fn managers_of_one_run_one_behind_the_other_meet() {
    let dir = tempfile::tempdir().unwrap();
    each(|process| {
        let processes = Processes::new(process, COUNT, "run").unwrap();
        for step in 1..=5 {
            let options = CheckpointManagerOptions {
                processes: Some(processes.clone()),
                patience: Duration::from_secs(60),
                ..CheckpointManagerOptions::keeping(2, None)
            };
            let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
            manager.save(items(step, process));
            manager.close().unwrap();
        }
    });
    assert_eq!(steps(dir.path()), [4, 5]);
    check(dir.path(), 5);
}

/// Process 0 alone sees the backup: all restore the step that it brings back.
#[test]
fn processes_restore_one_step() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::new());
    let options = |process: usize, session: &str| {
        let backup = (process == 0).then(|| Backup::store(store.clone()));
        CheckpointManagerOptions { backup, ..options(process, session, Duration::from_secs(60)) }
    };
    each(|process| {
        let mut manager = CheckpointManager::open(dir.path(), options(process, "first")).unwrap();
        for step in 1..=3 {
            manager.save(items(step, process));
        }
        manager.close().unwrap();
    });
    std::fs::remove_dir_all(dir.path().join("step_00000003")).unwrap();
    let restored = each(|process| {
        let mut manager = CheckpointManager::open(dir.path(), options(process, "second")).unwrap();
        let step = manager.restore(None).unwrap().step();
        let missing = manager.restore(Some(9)).unwrap_err();
        (step, missing.message().contains("there is no checkpoint of step 9"))
    });
    assert_eq!(restored, [(3, true); COUNT]);
}
