use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use jarrah_base::{DType, Literal, Type};
use jarrah_checkpoint::{
    CheckpointItems, CheckpointManager, CheckpointManagerOptions, Preemption, Processes, SaveWhen,
    ShardedTensor, Snapshot, TensorShard, latest,
};

use crate::common::{Hook, Hooked, Random, large, leftovers, steps};

const CHILD: &str = "JARRAH_TEST_KILL_DIR";
const TEST: &str = "kill::killed_at_any_moment_only_whole_checkpoints_are_seen";
/// The number of kills, in the place of 20.
const TRIALS: &str = "JARRAH_TRIALS";
const BYTES: usize = 300_000;
/// Set where unchanged shards are links.
const LINKS: &str = "JARRAH_TEST_KILL_LINKS";

/// A disk slow enough that most moments lie inside an operation.
struct Slow;

impl Hook for Slow {
    fn before(&self, bytes: usize) -> io::Result<usize> {
        sleep(Duration::from_micros(700));
        Ok(bytes.min(50_000))
    }
}

/// A large tensor that changes from step to step, and one that does not.
fn of_step(step: u64) -> Snapshot {
    let mut snapshot = large(step, BYTES);
    let ty = Type::tensor(DType::U8, [BYTES / 3]);
    snapshot.tensors.push(("params/frozen".into(), Literal::full(ty, 77.0).unwrap()));
    snapshot
}

/// Writes checkpoints from the latest one on, each second one twice, and tells each once it is durable.
fn train(dir: &Path) -> ! {
    let link_unchanged = std::env::var_os(LINKS).map(|_| 1000);
    let options = CheckpointManagerOptions { link_unchanged, ..CheckpointManagerOptions::keeping(2, None) };
    let mut manager = CheckpointManager::with_files(dir, options, Hooked::disk(Arc::new(Slow))).unwrap();
    let mut step = latest(dir).map_or(0, |c| c.step());
    loop {
        step += 1;
        for _ in 0..1 + step % 2 {
            manager.save(of_step(step));
            manager.wait().unwrap().unwrap();
            println!("durable {step}");
        }
    }
}

#[test]
fn killed_at_any_moment_only_whole_checkpoints_are_seen() {
    if let Some(dir) = std::env::var_os(CHILD) {
        train(Path::new(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let trials: u64 = std::env::var(TRIALS).map_or(20, |trials| trials.parse().unwrap());
    let (mut durable, mut interrupted) = (0, 0);
    for trial in 0..trials {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", TEST, "--nocapture"]).env(CHILD, dir.path()).stdout(Stdio::piped());
        // Every second one writes unchanged shards as links.
        if trial % 2 == 1 {
            command.env(LINKS, "1");
        }
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(|line| line.unwrap());
        let step = |line: String| line.strip_prefix("durable ").map(|step| step.parse::<u64>().unwrap());
        durable = lines.by_ref().find_map(step).expect("the child ended by itself");
        sleep(Duration::from_micros(random.below(40_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        durable = lines.filter_map(step).last().unwrap_or(durable);

        // A draft is there from the begin of a save until its publication.
        interrupted +=
            u64::from(leftovers(dir.path()).iter().any(|name| name.contains(".orbax-checkpoint-tmp")));
        drop(CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap());
        assert!(leftovers(dir.path()).is_empty());
        let found = steps(dir.path());
        assert!(found.contains(&durable), "step {durable} was durable, {found:?} are there");
        assert!(found.len() <= 3 && *found.last().unwrap() <= durable + 1, "{found:?}");
        let newest = latest(dir.path()).unwrap().load().unwrap();
        assert!(newest.tensors == of_step(newest.step).tensors);
    }
    assert!(durable >= trials);
    println!("{interrupted} of {trials} kills fell between the begin of a save and its publication");
    assert!(interrupted * 3 >= trials, "only {interrupted} of {trials} kills fell into a save");
}

const TOGETHER: &str = "kill::killed_processes_that_save_together_leave_only_whole_checkpoints";
const PROCESS: &str = "JARRAH_TEST_KILL_PROCESS";
const SESSION: &str = "JARRAH_TEST_KILL_SESSION";
const COUNT: usize = 2;
const HALF: usize = 150_000;

/// The half of a tensor that a process has, and all of a small one.
fn halves(step: u64, process: usize) -> CheckpointItems {
    let value =
        |extent: usize| Literal::full(Type::tensor(DType::U8, [extent]), (step % 251) as f64).unwrap();
    let shard = TensorShard { region: vec![process * HALF..(process + 1) * HALF], value: value(HALF) };
    let ty = Type::tensor(DType::U8, [COUNT * HALF]);
    let halves = ShardedTensor::of_shards(ty, &[HALF], vec![shard]).unwrap();
    CheckpointItems::new(step).tensors("params", [("halves", halves), ("small", value(9).into())]).unwrap()
}

/// Writes checkpoints together with the other process, from the latest one on.
fn train_together(dir: &Path, process: usize, session: &str) -> ! {
    let options = CheckpointManagerOptions {
        processes: Some(Processes::new(process, COUNT, session).unwrap()),
        patience: Duration::from_secs(2),
        ..CheckpointManagerOptions::keeping(2, None)
    };
    let mut step = latest(dir).map_or(0, |c| c.step());
    let mut manager = CheckpointManager::with_files(dir, options, Hooked::disk(Arc::new(Slow))).unwrap();
    loop {
        step += 1;
        manager.save(halves(step, process));
        if let Err(error) = manager.wait().unwrap() {
            println!("failed {error}");
            std::process::exit(0);
        }
        println!("durable {step}");
    }
}

#[test]
fn killed_processes_that_save_together_leave_only_whole_checkpoints() {
    if let Some(dir) = std::env::var_os(CHILD) {
        let text = |name: &str| std::env::var(name).unwrap();
        train_together(Path::new(&dir), text(PROCESS).parse().unwrap(), &text(SESSION));
    }
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let trials: u64 = std::env::var(TRIALS).map_or(8, |trials| trials.parse().unwrap());
    let (mut interrupted, mut told) = (0, 0);
    for trial in 0..trials {
        let child = |process: usize| {
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", TOGETHER, "--nocapture"]).env(CHILD, dir.path());
            child.env(PROCESS, process.to_string()).env(SESSION, format!("trial{trial}"));
            child.stdout(Stdio::piped()).spawn().unwrap()
        };
        let mut children = [child(0), child(1)];
        let outputs = children.each_mut().map(|child| BufReader::new(child.stdout.take().unwrap()).lines());
        let [mut first, second] = outputs;
        let step = |line: &str| line.strip_prefix("durable ").map(|step| step.parse::<u64>().unwrap());
        let before = first.by_ref().find_map(|line| step(&line.unwrap()));
        let mut durable = before.expect("the first process ended by itself");
        sleep(Duration::from_micros(random.below(60_000)));
        // One of them, or both.
        let killed = random.below(3) as usize;
        for (process, child) in children.iter_mut().enumerate() {
            if killed == process || killed == COUNT {
                child.kill().unwrap();
            }
        }
        for child in &mut children {
            child.wait().unwrap();
        }
        for line in first.chain(second).map(|line| line.unwrap()) {
            durable = step(&line).unwrap_or(durable).max(durable);
            told += u64::from(line.starts_with("failed ") && line.contains("this save"));
        }
        interrupted +=
            u64::from(leftovers(dir.path()).iter().any(|name| name.contains(".orbax-checkpoint-tmp")));
        drop(CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap());
        assert!(leftovers(dir.path()).is_empty() && !dir.path().join("processes").exists());
        let found = steps(dir.path());
        assert!(found.contains(&durable), "step {durable} was durable, {found:?} are there");
        assert!(found.len() <= 3 && *found.last().unwrap() <= durable + 1, "{found:?}");
        let newest = latest(dir.path()).unwrap();
        let halves = newest.tree("params").unwrap().tensor("halves").unwrap();
        assert!(halves.bytes().iter().all(|&byte| u64::from(byte) == newest.step() % 251));
    }
    println!("{interrupted} of {trials} kills fell into a save of process 0, {told} survivors were told");
    assert!(told * 4 >= trials, "only {told} survivors of {trials} kills were told");
}

const AGREED: &str = "kill::a_process_that_is_killed_does_not_keep_the_others_waiting_for_a_step";
const NOTICE: &str = "notice";
const MACHINES: usize = 3;

/// Saves step 20, and then the one that the processes agree on once a notice is there; tells both, and why they do not agree.
fn train_until_notice(dir: &Path, process: usize, session: &str) -> ! {
    // Every process sees the notice of the first machine, the others have notices that never come.
    let notice = if process == 0 { Preemption::new().or_file(dir.join(NOTICE)) } else { Preemption::new() };
    let options = CheckpointManagerOptions {
        save: vec![SaveWhen::Steps(vec![20]), SaveWhen::Preempted(notice)],
        processes: Some(Processes::new(process, MACHINES, session).unwrap()),
        patience: Duration::from_secs(2),
        ..CheckpointManagerOptions::keeping(2, None)
    };
    let mut manager = CheckpointManager::open(dir, options).unwrap();
    for step in 1.. {
        sleep(Duration::from_millis(2));
        if manager.should_save(step) {
            manager.save(CheckpointItems::new(step).process_json("data", process).unwrap());
        }
        match manager.wait() {
            Some(Ok(saved)) => println!("durable {}", saved.step),
            Some(Err(error)) => {
                println!("failed {error}");
                std::process::exit(0);
            }
            None => {}
        }
        if manager.reached_preemption() {
            break;
        }
    }
    drop(manager);
    std::process::exit(0);
}

#[test]
fn a_process_that_is_killed_does_not_keep_the_others_waiting_for_a_step() {
    if let Some(dir) = std::env::var_os(CHILD) {
        let text = |name: &str| std::env::var(name).unwrap();
        train_until_notice(Path::new(&dir), text(PROCESS).parse().unwrap(), &text(SESSION));
    }
    let mut random = Random(0x0dd_ba11);
    let (mut agreed, mut told) = (0, 0);
    // The kill comes before the notice, in the middle of the agreement, and not at all.
    for (trial, kill_after) in
        [None, Some(0), Some(20 + random.below(100)), Some(150 + random.below(300))].into_iter().enumerate()
    {
        let dir = tempfile::tempdir().unwrap();
        let child = |process: usize| {
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", AGREED, "--nocapture"]).env(CHILD, dir.path());
            child.env(PROCESS, process.to_string()).env(SESSION, format!("trial{trial}"));
            child.stdout(Stdio::piped()).spawn().unwrap()
        };
        let mut children = [child(0), child(1), child(2)];
        let mut outputs =
            children.each_mut().map(|child| BufReader::new(child.stdout.take().unwrap()).lines());
        let first = outputs[0].by_ref().map(|line| line.unwrap()).find(|line| line.starts_with("durable"));
        assert_eq!(first.as_deref(), Some("durable 20"));
        if kill_after == Some(0) {
            children[1].kill().unwrap();
        }
        std::fs::write(dir.path().join(NOTICE), "").unwrap();
        if let Some(time) = kill_after {
            sleep(Duration::from_millis(time));
            children[1].kill().unwrap();
        }
        for child in &mut children {
            child.wait().unwrap();
        }
        let mut last = outputs.map(|lines| {
            let lines = lines.map(|line| line.unwrap());
            lines.filter(|line| line.starts_with("durable ") || line.starts_with("failed ")).last()
        });
        // A process that was killed says what it can.
        let of_killed = std::mem::take(&mut last[1]);
        let [Some(zero), _, Some(two)] = last else { panic!("trial {trial}: {last:?}") };
        assert_eq!(zero.starts_with("durable "), two.starts_with("durable "), "{zero}, {two}");
        if zero.starts_with("durable ") {
            assert_eq!(zero, two);
            agreed += 1;
        } else {
            assert!(zero.contains("process 1 ") && two.contains("process 1 "), "{zero}, {two}");
            assert!(kill_after.is_some());
            told += 1;
        }
        if kill_after.is_none() {
            assert_eq!(of_killed.as_ref(), Some(&zero));
        }
        drop(CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap());
        assert!(leftovers(dir.path()).is_empty());
        let found = steps(dir.path());
        assert!(
            found.contains(&20) && found.len() == 1 + usize::from(zero.starts_with("durable ")),
            "{found:?}"
        );
    }
    assert!(agreed >= 1 && told >= 1, "{agreed} agreed, {told} told");
}
