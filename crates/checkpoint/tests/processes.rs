//! Several processes save one checkpoint: here they are threads, each with a manager of its own.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jarrah_base::{DType, Error, ErrorKind, Literal, Result, Type};
use jarrah_checkpoint::{
    Backup, CheckpointItems, CheckpointManager, CheckpointManagerOptions, Preemption, Processes, SaveWhen,
    Saved, ShardedTensor, TensorShard,
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

/// JSON that each process has of its own is restored by the process of its number.
#[test]
fn each_process_restores_the_json_that_it_saved() {
    let dir = tempfile::tempdir().unwrap();
    let position = |process: usize| serde_json::json!({ "shard": process, "position": 100 * process });
    let run = |session: &str| {
        each(|process| {
            let options = options(process, session, Duration::from_secs(60));
            let processes = options.processes.clone();
            let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
            manager.save(items(1, process).process_json("iterator", position(process)).unwrap());
            let checkpoint = manager.restore(None).unwrap();
            checkpoint.verify().unwrap();
            (checkpoint.process_json("iterator", processes.as_ref()).unwrap(), checkpoint.hash().unwrap())
        })
    };
    let restored = run("first");
    for (process, (value, hash)) in restored.iter().enumerate() {
        assert_eq!((value, hash), (&position(process), &restored[0].1));
    }
    // A checkpoint of such an item is replaced and removed as any other is.
    assert_eq!(run("second"), restored);
    let checkpoint = jarrah_checkpoint::at(dir.path(), 1).unwrap();
    assert_eq!(checkpoint.all_process_json("iterator").unwrap(), [0, 1, 2, 3].map(position));
    let of_two = Processes::new(1, 2, "other").unwrap();
    let error = checkpoint.process_json("iterator", Some(&of_two)).unwrap_err();
    assert!(
        error
            .message()
            .ends_with("the item \"iterator\" was saved by 4 processes, and is restored by 2 processes"),
        "{error}"
    );
    assert!(checkpoint.process_json("iterator", None).is_err() && checkpoint.json("iterator").is_err());
    assert!(checkpoint.process_json("data", None).unwrap_err().message().contains("JSON of each process"));

    let path = checkpoint.path().join("iterator/process_2-of-4.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("200", "300")).unwrap();
    let error = jarrah_checkpoint::at(dir.path(), 1).unwrap_err();
    assert!(error.message().contains("process_2-of-4.json"), "{error}");
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.remove(1).unwrap();
}

#[test]
fn a_process_that_gives_no_json_of_an_item_is_named() {
    let (errors, dir) = errors(Duration::from_secs(60), |manager, process| {
        let items = items(1, process);
        manager.save(if process == 2 { items } else { items.process_json("iterator", 1).unwrap() });
    });
    assert_eq!(errors[0].message(), "process 2 gave no JSON of the item \"iterator\"");
    assert!(steps(dir.path()).is_empty() && leftovers(dir.path()).is_empty());
}

/// Checkpoints without such items have the version that older programs read.
#[test]
fn the_newest_version_is_that_of_checkpoints_that_need_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(CheckpointItems::new(1).json("data", 1).unwrap());
    manager.save(CheckpointItems::new(2).process_json("data", 1).unwrap());
    manager.close().unwrap();
    for (step, version) in [(1, 3), (2, 4)] {
        let manifest = dir.path().join(format!("step_0000000{step}/jarrah/metadata"));
        let text = std::fs::read_to_string(manifest).unwrap();
        assert!(text.contains(&format!("\"version\": {version},")), "{text}");
    }
}

/// Options of one of `count` processes that ask by these rules.
fn asking(process: usize, count: usize, save: Vec<SaveWhen>, patience: Duration) -> CheckpointManagerOptions {
    let processes = Some(Processes::new(process, count, "run").unwrap());
    CheckpointManagerOptions { save, processes, patience, keep: Vec::new(), ..Default::default() }
}

/// The steps that each process saves of a run that takes as long as the processes differ in speed, and ends at a notice or at the last step.
fn saved_steps(
    count: usize,
    rules: impl Fn(usize) -> Vec<SaveWhen> + Sync,
    at_step: impl Fn(usize, u64) + Sync,
    last: u64,
) -> Vec<(Vec<u64>, bool)> {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        let run = |process: usize| {
            let (dir, rules, at_step) = (dir.path(), &rules, &at_step);
            move || {
                let options = asking(process, count, rules(process), Duration::from_secs(30));
                let mut manager = CheckpointManager::open(dir, options).unwrap();
                let mut saved = Vec::new();
                for step in 1..=last {
                    std::thread::sleep(Duration::from_millis(2 + process as u64));
                    at_step(process, step);
                    if manager.should_save(step) {
                        saved.push(step);
                        manager.save(CheckpointItems::new(step).process_json("data", process).unwrap());
                        manager.wait().unwrap().unwrap();
                    }
                    if manager.reached_preemption() {
                        break;
                    }
                }
                let is_preempted = manager.reached_preemption();
                manager.close().unwrap();
                (saved, is_preempted)
            }
        };
        let threads: Vec<_> = (0..count).map(|process| scope.spawn(run(process))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn a_notice_that_reaches_any_process_makes_all_save_one_step() {
    for count in [2, 3] {
        for reached in 0..count {
            let notices: Vec<Preemption> = (0..count).map(|_| Preemption::new()).collect();
            let rules = |process: usize| vec![SaveWhen::Preempted(notices[process].clone())];
            let give = |process: usize, step: u64| {
                if process == reached && step == 20 {
                    notices[process].give();
                }
            };
            let all = saved_steps(count, rules, give, 100_000);
            assert!(all.iter().all(|of| of == &all[0]), "{all:?}");
            let (saved, is_preempted) = &all[0];
            assert!(saved.len() == 1 && saved[0] > 20 && *is_preempted, "{all:?}");
        }
    }
}

#[test]
fn the_clock_of_process_0_decides_for_all() {
    let (often, never) = (Duration::from_millis(1), Duration::from_secs(3600));
    let of = |first: Duration, others: Duration| {
        let rules = |process: usize| {
            let span = if process == 0 { first } else { others };
            vec![SaveWhen::Every(span), SaveWhen::EverySteps(100)]
        };
        let all = saved_steps(3, rules, |_, _| {}, 300);
        assert!(all.iter().all(|of| of == &all[0]), "{all:?}");
        let (saved, is_preempted) = all[0].clone();
        assert!([100, 200, 300].iter().all(|step| saved.contains(step)) && !is_preempted, "{saved:?}");
        saved
    };
    assert_eq!(of(never, often), [100, 200, 300]);
    assert!(of(often, never).len() > 3);
}

/// A process that is gone agrees on nothing: the others are told, and go on by the other rules.
#[test]
fn processes_that_cannot_agree_are_told_who_is_missing() {
    let dir = tempfile::tempdir().unwrap();
    let notice = Preemption::new();
    notice.give();
    let patience = Duration::from_millis(600);
    let errors: Vec<Error> = std::thread::scope(|scope| {
        let run = |process: usize| {
            let rules = vec![SaveWhen::Preempted(notice.clone()), SaveWhen::Steps(vec![u64::MAX])];
            let options = asking(process, 3, rules, patience);
            let dir = dir.path();
            move || {
                let mut manager = CheckpointManager::open(dir, options).unwrap();
                let begun = std::time::Instant::now();
                let mut step = 0;
                let error = loop {
                    step += 1;
                    assert!(!manager.should_save(step));
                    std::thread::sleep(Duration::from_millis(5));
                    match manager.poll() {
                        Some(outcome) => break outcome.unwrap_err(),
                        None => assert!(begun.elapsed() < Duration::from_secs(30)),
                    }
                };
                assert!(manager.should_save(u64::MAX) && !manager.reached_preemption());
                error
            }
        };
        let threads: Vec<_> = [0, 2].into_iter().map(|process| scope.spawn(run(process))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for error in errors {
        assert_eq!(error.message(), "process 1 did not agree on a step to save within 600ms");
        assert_eq!(error.kind(), ErrorKind::Environment);
    }
}

/// Process 0 restores and ends at once; the others come later, and are told the step all the same.
#[test]
fn process_0_stays_until_all_have_read_which_step_is_restored() {
    let dir = tempfile::tempdir().unwrap();
    let restored = each(|process| {
        let options = options(process, "run", Duration::from_secs(5));
        let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
        manager.save(items(1, process));
        manager.wait().unwrap().unwrap();
        std::thread::sleep(Duration::from_millis(100 * process as u64));
        manager.restore(None).map(|checkpoint| checkpoint.step())
    });
    assert!(restored.iter().all(|step| step.as_ref().is_ok_and(|&step| step == 1)), "{restored:?}");
}
