use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use jarrah_base::{DType, Literal, Type};
use jarrah_checkpoint::{
    CheckpointItems, CheckpointManager, CheckpointManagerOptions, Processes, ShardedTensor, TensorShard,
    latest,
};

use crate::common::{Hook, Hooked, Random, large, leftovers, steps};

const CHILD: &str = "JARRAH_TEST_KILL_DIR";
const TEST: &str = "kill::killed_at_any_moment_only_whole_checkpoints_are_seen";
/// The number of kills, in the place of 20.
const TRIALS: &str = "JARRAH_TRIALS";
const BYTES: usize = 300_000;

/// A disk slow enough that most moments lie inside an operation.
struct Slow;

impl Hook for Slow {
    fn before(&self, bytes: usize) -> io::Result<usize> {
        sleep(Duration::from_micros(700));
        Ok(bytes.min(50_000))
    }
}

/// Writes checkpoints from the latest one on, each second one twice, and tells each once it is durable.
fn train(dir: &Path) -> ! {
    let mut manager = CheckpointManager::with_files(
        dir,
        CheckpointManagerOptions::keeping(2, None),
        Hooked::disk(Arc::new(Slow)),
    )
    .unwrap();
    let mut step = latest(dir).map_or(0, |c| c.step());
    loop {
        step += 1;
        for _ in 0..1 + step % 2 {
            manager.save(large(step, BYTES));
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
    for _ in 0..trials {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", TEST, "--nocapture"])
            .env(CHILD, dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
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
        assert!(newest.tensors == large(newest.step, BYTES).tensors);
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
