use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use jarrah_checkpoint::{Disk, Manager, ManagerOptions, Sink, Storage, latest};

use crate::common::{Random, large, leftovers, steps};

const CHILD: &str = "JARRAH_TEST_KILL_DIR";
const TEST: &str = "kill::killed_at_any_moment_only_whole_checkpoints_are_seen";
const BYTES: usize = 300_000;

/// A disk slow enough that most moments lie inside an operation.
struct Slow;

fn pause() {
    sleep(Duration::from_micros(700));
}

impl Storage for Slow {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        pause();
        Disk.create_dir(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn Sink>> {
        pause();
        Ok(Box::new(SlowSink(Disk.create(path)?)))
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        pause();
        Disk.sync_dir(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        pause();
        Disk.rename(from, to)
    }
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        pause();
        Disk.remove_file(path)
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        pause();
        Disk.remove_dir(path)
    }
}

struct SlowSink(Box<dyn Sink>);

impl Write for SlowSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        pause();
        self.0.write(&bytes[..bytes.len().min(50_000)])
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Sink for SlowSink {
    fn sync(&mut self) -> io::Result<()> {
        pause();
        self.0.sync()
    }
}

/// Writes checkpoints from the latest one on, each second one twice, and tells each once it is durable.
fn train(dir: &Path) -> ! {
    let mut manager =
        Manager::with_storage(dir, ManagerOptions { keep: 2, best: None }, Arc::new(Slow)).unwrap();
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
    let (mut durable, mut interrupted) = (0, 0);
    for _ in 0..20 {
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

        interrupted += leftovers(dir.path()).len().min(1);
        drop(Manager::open(dir.path(), ManagerOptions::default()).unwrap());
        assert!(leftovers(dir.path()).is_empty());
        let found = steps(dir.path());
        assert!(found.contains(&durable), "step {durable} was durable, {found:?} are there");
        assert!(found.len() <= 3 && *found.last().unwrap() <= durable + 1, "{found:?}");
        let newest = latest(dir.path()).unwrap().load().unwrap();
        assert!(newest.tensors == large(newest.step, BYTES).tensors);
    }
    assert!(durable >= 20);
    assert!(interrupted >= 5, "only {interrupted} of 20 kills fell into a write");
}
