use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::ErrorKind;
use jarrah_checkpoint::{CheckpointManager, CheckpointManagerOptions, latest};

use crate::common::{Hook, Hooked, large, leftovers, same, snapshot, steps};

/// A disk on which one operation fails: the `fail_at`-th, where writing 64 bytes counts as one too.
///
/// Nothing is really synced, which would take most of the tests' time.
struct Failing {
    done: AtomicU64,
    fail_at: AtomicU64,
}

const UNIT: u64 = 64;

impl Failing {
    fn new() -> Arc<Self> {
        Arc::new(Failing { done: AtomicU64::new(0), fail_at: AtomicU64::new(u64::MAX) })
    }

    /// Counts from here; the operation `n` from now fails.
    fn fail_in(&self, n: u64) {
        self.done.store(0, Ordering::SeqCst);
        self.fail_at.store(n, Ordering::SeqCst);
    }

    /// How many of `n` operations succeed.
    fn take(&self, n: u64) -> io::Result<u64> {
        let (done, fail_at) = (self.done.load(Ordering::SeqCst), self.fail_at.load(Ordering::SeqCst));
        let n = match fail_at.checked_sub(done) {
            Some(0) => 0,
            Some(left) => left.min(n),
            None => n,
        };
        self.done.store(done + n.max(1), Ordering::SeqCst);
        if n == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(n) }
    }
}

impl Hook for Failing {
    fn before(&self, bytes: usize) -> io::Result<usize> {
        let taken = self.take((bytes as u64).div_ceil(UNIT))?;
        Ok(bytes.min((taken * UNIT) as usize))
    }

    fn syncs(&self) -> bool {
        false
    }
}

#[test]
fn whichever_operation_fails_the_last_good_one_stays() {
    let dir = tempfile::tempdir().unwrap();
    let failing = Failing::new();
    let files = Hooked::disk(failing.clone());
    let options = CheckpointManagerOptions::keeping(1, None);
    let mut manager = CheckpointManager::with_files(dir.path(), options.clone(), files.clone()).unwrap();
    manager.save(snapshot(1));
    manager.wait().unwrap().unwrap();
    // Step 2 is written again and again, one more operation succeeding each time, until all do.
    let (mut failures, mut unremoved) = (0, 0);
    for n in 0.. {
        failing.fail_in(n);
        manager.save(snapshot(2));
        let outcome = manager.wait().unwrap();
        let all = failing.done.load(Ordering::SeqCst) < n;
        failing.fail_in(u64::MAX);
        match outcome {
            Err(error) => {
                failures += 1;
                assert_eq!(error.kind(), ErrorKind::Environment, "{error}");
                assert!(error.to_string().contains("free some space"), "{error}");
                let found = steps(dir.path());
                // The new one is there only if nothing but making its name durable failed.
                assert!(found == [1] || found == [1, 2], "{found:?} after {error}");
                if found == [1, 2] {
                    assert!(error.message().starts_with("cannot sync"), "{error}");
                }
            }
            Ok(saved) => {
                unremoved += u64::from(saved.not_removed.is_some());
                assert!(steps(dir.path()).contains(&2));
                if all {
                    break;
                }
            }
        }
        // What a failure could not clear, the next opening clears; then the stage is as before.
        drop(manager);
        manager = CheckpointManager::with_files(dir.path(), options.clone(), files.clone()).unwrap();
        assert!(leftovers(dir.path()).is_empty());
        manager.discard_after(1).unwrap();
        if steps(dir.path()).is_empty() {
            manager.save(snapshot(1));
            manager.wait().unwrap().unwrap();
        }
    }
    assert!(failures > 100 && unremoved > 2, "{failures} failures, {unremoved} not removed");
    assert_eq!(steps(dir.path()), [2]);
    assert!(same(&latest(dir.path()).unwrap().load().unwrap(), &snapshot(2)));
}

#[test]
fn training_goes_on_after_a_full_disk() {
    let dir = tempfile::tempdir().unwrap();
    let failing = Failing::new();
    let files = Hooked::disk(failing.clone());
    let mut manager =
        CheckpointManager::with_files(dir.path(), CheckpointManagerOptions::default(), files).unwrap();
    manager.save(snapshot(1));
    assert!(manager.save(snapshot(2)).previous.unwrap().is_ok());
    manager.wait().unwrap().unwrap();
    failing.fail_in(100);
    manager.save(snapshot(3));
    let error = manager.save(snapshot(4)).previous.unwrap().unwrap_err();
    assert!(error.message().starts_with("cannot write "), "{error}");
    assert!(error.message().contains("step_00000003.orbax-checkpoint-tmp-"), "{error}");
    assert!(error.message().ends_with(": no storage space"), "{error}");
    assert_eq!(manager.wait().unwrap().unwrap().step, 4);
    assert_eq!(steps(dir.path()), [1, 2, 4]);
    assert!(leftovers(dir.path()).is_empty());
}

const CHILD: &str = "JARRAH_TEST_FILE_LIMIT";

/// The operating system itself refuses: the child runs with a limit on the size of a file.
#[test]
fn a_file_over_the_systems_limit_is_like_a_full_disk() {
    if let Some(dir) = std::env::var_os(CHILD) {
        let mut manager =
            CheckpointManager::open(Path::new(&dir), CheckpointManagerOptions::default()).unwrap();
        manager.save(large(1, 1000));
        manager.save(large(2, 10_000_000));
        let error = manager.save(large(3, 1000)).previous.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        assert!(error.to_string().contains("free some space"), "{error}");
        manager.wait().unwrap().unwrap();
        assert!(leftovers(Path::new(&dir)).is_empty());
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let test = "disk_full::a_file_over_the_systems_limit_is_like_a_full_disk";
    let limited = "trap '' XFSZ; ulimit -f 2000; exec \"$@\"";
    let child = Command::new("sh")
        .args(["-c", limited, "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(CHILD, dir.path())
        .output()
        .unwrap();
    assert!(child.status.success(), "{}", String::from_utf8_lossy(&child.stdout));
    assert_eq!(steps(dir.path()), [1, 3]);
    assert!(fs::read_dir(dir.path()).unwrap().count() >= 2);
}

/// A loop that looks at no outcome hears of a save that failed when the manager is closed, though a later one went well.
#[test]
fn a_save_that_failed_is_told_at_the_close_though_a_later_one_went_well() {
    let dir = tempfile::tempdir().unwrap();
    let disk = Failing::new();
    let files = Hooked::disk(disk.clone());
    let mut manager =
        CheckpointManager::with_files(dir.path(), CheckpointManagerOptions::default(), files).unwrap();
    manager.save(snapshot(1));
    manager.wait().unwrap().unwrap();
    disk.fail_in(2);
    manager.save(snapshot(2));
    while manager.is_saving() {
        std::thread::yield_now();
    }
    disk.fail_in(u64::MAX);
    manager.save(snapshot(3));
    let told = manager.close().unwrap_err().to_string();
    assert!(told.contains("the checkpoint of step 2 was not saved"), "{told}");
    assert_eq!(steps(dir.path()), [1, 3]);
}
