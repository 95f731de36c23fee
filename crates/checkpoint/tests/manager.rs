use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use jarrah_base::{ErrorKind, Literal};
use jarrah_checkpoint::{Checkpoint, CheckpointItems, CheckpointManager, CheckpointManagerOptions, list};

use crate::common::{Hook, Hooked, large, leftovers, same, snapshot, steps, version_1};

/// A disk that begins no checkpoint before it is told to.
struct Gated(Mutex<Receiver<()>>);

impl Hook for Gated {
    fn before(&self, bytes: usize) -> io::Result<usize> {
        Ok(bytes)
    }
    fn begin(&self) -> io::Result<()> {
        self.0.lock().unwrap().recv().map_err(io::Error::other)
    }
}

fn gated(dir: &Path) -> (CheckpointManager, Sender<()>) {
    let (open, gate) = channel();
    let files = Hooked::disk(Arc::new(Gated(Mutex::new(gate))));
    (CheckpointManager::with_files(dir, CheckpointManagerOptions::default(), files).unwrap(), open)
}

#[test]
fn a_save_runs_behind_and_the_next_waits_for_it() {
    let dir = tempfile::tempdir().unwrap();
    let (mut manager, open) = gated(dir.path());
    assert!(manager.poll().is_none() && manager.wait().is_none());

    // This returns although nothing can be written yet; what is changed afterwards is not saved.
    let mut live = snapshot(1);
    let submitted = manager.save(live.clone());
    assert!(submitted.previous.is_none());
    live.tensors[0].1.bytes_mut().fill(0);
    assert!(manager.poll().is_none());
    assert!(steps(dir.path()).is_empty());

    let delay = Duration::from_millis(50);
    let opener = std::thread::spawn(move || {
        std::thread::sleep(delay);
        (0..2).for_each(|_| open.send(()).unwrap());
        open
    });
    let start = Instant::now();
    let submitted = manager.save(snapshot(2));
    assert!(submitted.waited >= delay / 2 && submitted.waited <= start.elapsed());
    assert_eq!(submitted.previous.unwrap().unwrap().step, 1);
    assert_eq!(manager.wait().unwrap().unwrap().step, 2);
    assert!(manager.wait().is_none());
    opener.join().unwrap();
    assert_eq!(steps(dir.path()), [1, 2]);
    assert!(same(&list(dir.path()).unwrap().good[0].load().unwrap(), &snapshot(1)));
}

#[test]
fn poll_hands_the_outcome_out_once() {
    let dir = tempfile::tempdir().unwrap();
    let (mut manager, open) = gated(dir.path());
    manager.save(snapshot(1));
    assert!(manager.poll().is_none());
    open.send(()).unwrap();
    let saved = loop {
        if let Some(outcome) = manager.poll() {
            break outcome.unwrap();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert_eq!(saved.step, 1);
    assert!(manager.poll().is_none());
}

#[test]
fn dropping_waits_for_the_save_under_way() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot(7));
    drop(manager);
    assert_eq!(steps(dir.path()), [7]);
}

#[test]
fn the_last_ones_and_the_best_are_kept() {
    let dir = tempfile::tempdir().unwrap();
    let options = CheckpointManagerOptions::keeping(2, Some("val_loss"));
    let mut manager = CheckpointManager::open(dir.path(), options).unwrap();
    let losses =
        [Some(5.0), Some(f64::NAN), Some(2.0), None, Some(3.0), Some(2.0), Some(1.0), Some(4.0), Some(4.0)];
    let mut kept = Vec::new();
    for (i, loss) in losses.into_iter().enumerate() {
        let mut next = snapshot(i as u64 + 1);
        next.state.metrics.remove("val_loss");
        next.state.metrics.extend(loss.map(|x| ("val_loss".to_string(), x)));
        manager.save(next);
        let saved = manager.wait().unwrap().unwrap();
        assert!(saved.not_removed.is_none());
        kept.push(steps(dir.path()));
    }
    let expected: [&[u64]; 9] =
        [&[1], &[1, 2], &[2, 3], &[3, 4], &[3, 4, 5], &[3, 5, 6], &[6, 7], &[7, 8], &[7, 8, 9]];
    assert_eq!(kept, expected);
    assert!(leftovers(dir.path()).is_empty());
}

#[test]
fn what_is_not_ours_is_not_removed() {
    let dir = tempfile::tempdir().unwrap();
    let options = CheckpointManagerOptions::keeping(1, None);
    let mut manager = CheckpointManager::open(dir.path(), options.clone()).unwrap();
    for step in [1, 2, 3] {
        manager.save(snapshot(step));
        let saved = manager.wait().unwrap().unwrap();
        if step == 1 {
            fs::write(saved.path.join("notes.txt"), "why this one matters").unwrap();
        } else {
            let error = saved.not_removed.unwrap();
            assert!(error.message().ends_with("step_00000001 is not removed: it holds notes.txt"), "{error}");
        }
    }
    assert_eq!(steps(dir.path()), [1, 3]);
    drop(manager);

    // A leftover of ours goes; a folder of that name with something else in it, and any other name, stays.
    let leftover = dir.path().join(".jarrah-new-step_00000004");
    let notes = dir.path().join(".jarrah-dropped-step_00000005");
    let other = dir.path().join(".new-step_00000006");
    for folder in [&leftover, &notes, &other] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("tensors.safetensors"), "half").unwrap();
    }
    fs::write(notes.join("notes.txt"), "mine").unwrap();
    let ours = dir.path().join("step_00000007.orbax-checkpoint-tmp-0123456789abcdef");
    let foreign = [
        "empty/below",
        "sft/100.orbax-checkpoint-tmp-1",
        "other.orbax-checkpoint-tmp-1",
        "step_00000008.orbax-checkpoint-tmp",
        "sft/.jarrah-removed-0123456789abcdef",
    ];
    let foreign = foreign.map(|folder| dir.path().join(folder));
    for folder in foreign.iter().chain([&ours]) {
        fs::create_dir_all(folder).unwrap();
    }
    drop(CheckpointManager::open(dir.path(), options).unwrap());
    assert!(!leftover.exists() && !ours.exists());
    for folder in &foreign {
        assert!(folder.exists(), "{} was removed", folder.display());
    }
    assert_eq!(fs::read_dir(&notes).unwrap().count(), 2);
    assert!(other.join("tensors.safetensors").exists());
}

/// A step that is a link to a folder elsewhere is listed and read; removing or replacing it leaves that folder as it is, whatever is in it.
#[cfg(unix)]
#[test]
fn a_step_that_is_a_link_is_read_and_removed_as_a_link() {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut manager = CheckpointManager::open(elsewhere.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot(1));
    let target = manager.wait().unwrap().unwrap().path;
    drop(manager);
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    let link = dir.path().join("step_00000001");
    for (notes, replaced) in [(false, false), (false, true), (true, false), (true, true)] {
        if notes {
            fs::write(target.join("notes.txt"), "mine").unwrap();
        }
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert_eq!(steps(dir.path()), [1]);
        if replaced {
            manager.save(snapshot(1));
            manager.wait().unwrap().unwrap();
            assert!(link.symlink_metadata().unwrap().is_dir());
        }
        manager.remove(1).unwrap();
        assert!(link.symlink_metadata().is_err() && leftovers(dir.path()).is_empty());
        assert_eq!(steps(elsewhere.path()), [1]);
        assert_eq!(target.join("notes.txt").exists(), notes);
    }
    // A link to a folder without files, and a hidden link of an earlier release.
    let empty = elsewhere.path().join("empty");
    fs::create_dir_all(empty.join("in")).unwrap();
    std::os::unix::fs::symlink(&empty, &link).unwrap();
    manager.remove(1).unwrap();
    drop(manager);
    std::os::unix::fs::symlink(&empty, dir.path().join(".jarrah-dropped-step_00000002")).unwrap();
    drop(CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap());
    assert!(leftovers(dir.path()).is_empty() && empty.join("in").exists());
}

#[test]
fn the_same_step_replaces_and_survives_a_crash_between_the_two_renames() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot(1));
    manager.wait().unwrap().unwrap();
    let mut again = snapshot(1);
    again.state.extra = serde_json::json!("again");
    manager.save(again.clone());
    let path = manager.wait().unwrap().unwrap().path;
    assert!(leftovers(dir.path()).is_empty());
    drop(manager);

    // The second name is the one that earlier releases gave.
    for hidden in [".jarrah-old-step_00000001", ".jarrah-replaced-step_00000001"] {
        fs::rename(&path, dir.path().join(hidden)).unwrap();
        // Readers who come before a writer find it, too.
        assert_eq!(steps(dir.path()), [1]);
        drop(CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap());
        assert_eq!(steps(dir.path()), [1]);
        assert!(same(&list(dir.path()).unwrap().good[0].load().unwrap(), &again));
        assert!(leftovers(dir.path()).is_empty());
    }
}

#[test]
fn the_same_step_does_not_replace_files_of_others() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot(1));
    let path = manager.wait().unwrap().unwrap().path;
    fs::write(path.join("notes.txt"), "why this one matters").unwrap();
    manager.save(snapshot(1));
    let error = manager.wait().unwrap().unwrap_err();
    assert!(error.message().ends_with("step_00000001 is not replaced: it holds notes.txt"), "{error}");
    assert!(path.join("notes.txt").exists() && leftovers(dir.path()).is_empty());
    let error = manager.remove(1).unwrap_err();
    assert!(error.message().ends_with("step_00000001 is not removed: it holds notes.txt"), "{error}");
    fs::remove_file(path.join("notes.txt")).unwrap();
    manager.remove(1).unwrap();
    assert_eq!(manager.remove(1).unwrap_err().kind(), ErrorKind::Input);
    // A folder without files, which is no checkpoint, is removed too.
    fs::create_dir(&path).unwrap();
    manager.remove(1).unwrap();
    assert!(!path.exists());
}

#[test]
fn checkpoints_of_version_1_are_kept_removed_and_replaced_as_those_of_version_2() {
    let dir = tempfile::tempdir().unwrap();
    let folder = version_1(dir.path());
    let options = CheckpointManagerOptions::keeping(2, None);
    let mut manager = CheckpointManager::open(dir.path(), options.clone()).unwrap();
    manager.save(snapshot(2));
    assert!(manager.wait().unwrap().unwrap().removed.is_empty());
    assert_eq!(steps(dir.path()), [1, 2]);
    // Both hold the same state in other files.
    let hash = Checkpoint::open(&folder).unwrap().hash().unwrap();
    manager.save(snapshot(1));
    manager.wait().unwrap().unwrap();
    assert!(folder.join("jarrah/metadata").exists() && !folder.join("manifest.json").exists());
    assert_eq!(Checkpoint::open(&folder).unwrap().hash().unwrap(), hash);
    manager.remove(1).unwrap();
    version_1(dir.path());
    manager.save(snapshot(3));
    assert_eq!(manager.wait().unwrap().unwrap().removed, [1]);
    assert_eq!(steps(dir.path()), [2, 3]);
    assert!(leftovers(dir.path()).is_empty());
}

/// A folder called as the checkpoints are is read whole, or an error in words, while a writer replaces and removes.
#[test]
fn two_read_while_a_third_saves_replaces_and_prunes() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager =
        CheckpointManager::open(dir.path(), CheckpointManagerOptions::keeping(2, None)).unwrap();
    let sized = |step: u64| large(step, 40_000);
    manager.save(sized(1));
    manager.wait().unwrap().unwrap();
    let is_over = AtomicBool::new(false);
    let (loaded, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    for checkpoint in list(dir.path()).unwrap().good {
                        match checkpoint.load() {
                            Ok(found) => {
                                assert!(found == sized(checkpoint.step()));
                                loaded.fetch_add(1, Ordering::Relaxed);
                            }
                            Err(error) => {
                                assert!(error.kind() == ErrorKind::Input && !error.message().is_empty());
                                refused.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    }
                }
            });
        }
        for step in 2..32 {
            for _ in 0..1 + step % 2 {
                manager.save(sized(step));
                assert!(manager.wait().unwrap().unwrap().not_removed.is_none());
            }
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(steps(dir.path()), [30, 31]);
    let (loaded, refused) = (loaded.into_inner(), refused.into_inner());
    assert!(loaded > 30 && refused < loaded, "{loaded} were read, {refused} were not");
}

#[test]
fn going_back_discards_what_came_after() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager =
        CheckpointManager::open(dir.path(), CheckpointManagerOptions::keeping(9, None)).unwrap();
    for step in [1, 2, 3, 4] {
        manager.save(snapshot(step));
    }
    assert_eq!(manager.discard_after(2).unwrap(), [3, 4]);
    assert_eq!(steps(dir.path()), [1, 2]);
    assert!(manager.discard_after(2).unwrap().is_empty());
}

#[test]
fn one_process_writes_a_directory() {
    let dir = tempfile::tempdir().unwrap();
    let first = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    let error = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).err().unwrap();
    assert_eq!(error.message(), format!("another process writes checkpoints to {}", dir.path().display()));
    assert!(
        error.to_string().contains("have their `processes`; `latest` and `CheckpointWatcher` read beside"),
        "{error}"
    );
    drop(first);
    CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
}

#[test]
fn a_folder_that_cannot_be_written_is_bad_input() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    for bad in [file.clone(), file.join("below"), "/proc/none".into()] {
        let error = CheckpointManager::open(&bad, CheckpointManagerOptions::default()).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.message().starts_with(&format!("cannot write checkpoints to {}: ", bad.display())));
    }
    let error =
        CheckpointManager::open(dir.path(), CheckpointManagerOptions::keeping(0, None)).err().unwrap();
    assert_eq!(error.message(), "the latest 0 checkpoints are to be kept");
    let error = list(&dir.path().join("none")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Input);
}

#[test]
fn a_folder_that_is_no_checkpoint_is_told_from_one_of_steps_and_from_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let error = |path: &Path| Checkpoint::open(path).unwrap_err();
    assert!(error(&dir.path().join("none")).message().ends_with("none is not there"));
    fs::write(dir.path().join("file"), "").unwrap();
    assert!(
        error(&dir.path().join("file")).message().ends_with("file is a file, and no folder of a checkpoint")
    );
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot(7));
    manager.close().unwrap();
    let told = error(dir.path()).to_string();
    assert!(told.contains("such as step_00000007, or take `latest`"), "{told}");
}

#[test]
fn a_tensor_that_is_not_there_is_told_with_those_of_a_like_name() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    let items = CheckpointItems::new(1).tensors("state", [("layer/w", Literal::scalar(1.5f32))]).unwrap();
    manager.save(items);
    let checkpoint = manager.restore(None).unwrap();
    let told = checkpoint.tensor("layer.w").unwrap_err().to_string();
    assert!(told.contains("has no tensor layer.w") && told.contains("it has layer/w"), "{told}");
}
