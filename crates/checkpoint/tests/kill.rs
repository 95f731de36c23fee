use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use jarrah_checkpoint::{Manager, ManagerOptions, latest};

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
    let mut manager =
        Manager::with_files(dir, ManagerOptions { keep: 2, best: None }, Hooked::disk(Arc::new(Slow)))
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
        drop(Manager::open(dir.path(), ManagerOptions::default()).unwrap());
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
