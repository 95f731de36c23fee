//! Shards that did not change are links to the files of the checkpoint before.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jarrah_base::{DType, Literal, Type};
use jarrah_checkpoint::{
    Backup, Checkpoint, CheckpointItems, CheckpointManager, CheckpointManagerOptions, Keep, Processes,
    ShardedTensor, TensorShard,
};
use jarrah_formats::OrbaxCheckpoint;
use jarrah_store::{Files, MemoryStore, Name, ObjectStore, SimulatedDisk};

use crate::common::{Hook, Hooked, files, leftovers};

const LARGE: usize = 400_000;

/// Counts the bytes that are written to files.
#[derive(Default)]
struct Counting(AtomicU64);

impl Hook for Counting {
    fn before(&self, bytes: usize) -> io::Result<usize> {
        // Operations that write nothing count one each.
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}

fn options() -> CheckpointManagerOptions {
    CheckpointManagerOptions { link_unchanged: Some(10_000), keep: Vec::new(), ..Default::default() }
}

/// Numbers that are all different, of the size of [`LARGE`].
fn numbers(first: u32) -> Literal {
    let all: Vec<u32> =
        (0..LARGE as u32 / 4).map(|i| i.wrapping_mul(2_654_435_761).wrapping_add(first)).collect();
    Literal::from_slice(&[all.len()], &all).unwrap()
}

/// A tensor that changes with the step, one that does not, one of truth values that does not, and a small one.
fn items(step: u64) -> CheckpointItems {
    let mask: Vec<bool> = (0..20_000).map(|i| i % 3 == 0).collect();
    CheckpointItems::new(step)
        .tensors("params", [("trained", numbers(step as u32)), ("frozen", numbers(0)), ("same", numbers(0))])
        .and_then(|items| items.tensors("opt", [("mask", Literal::from_bools(&[20_000], &mask)?)]))
        .and_then(|items| items.tensors("small", [("count", Literal::scalar(step as i32))]))
        .unwrap()
}

/// The numbers in the file system of the large files of a checkpoint.
fn inodes(folder: &Path) -> BTreeMap<PathBuf, u64> {
    let all = files(folder).into_iter().map(|file| folder.join(file));
    all.filter_map(|path| {
        let of = fs::metadata(&path).unwrap();
        (of.len() >= 10_000).then(|| (path.strip_prefix(folder).unwrap().to_owned(), of.ino()))
    })
    .collect()
}

fn check(folder: &Path, step: u64) {
    let checkpoint = Checkpoint::open(folder).unwrap();
    checkpoint.verify().unwrap();
    let params = checkpoint.tree("params").unwrap();
    assert_eq!(params.tensor("trained").unwrap(), numbers(step as u32));
    assert_eq!(params.tensor("frozen").unwrap(), numbers(0));
    // The readers of Orbax take it for a checkpoint as any other.
    let orbax = OrbaxCheckpoint::open(folder).unwrap();
    assert_eq!(orbax.tree("params").unwrap().get("same").unwrap().literal().unwrap(), numbers(0));
    assert!(orbax.tree("opt").unwrap().get("mask").unwrap().literal().is_ok());
}

#[test]
fn the_bytes_of_unchanged_shards_are_not_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let counting = Arc::new(Counting::default());
    let mut manager =
        CheckpointManager::with_files(dir.path(), options(), Hooked::disk(counting.clone())).unwrap();
    let mut written = |step: u64| {
        counting.0.store(0, Ordering::Relaxed);
        manager.save(items(step));
        let saved = manager.wait().unwrap().unwrap();
        (counting.0.load(Ordering::Relaxed), saved.bytes, saved.path)
    };
    let (counted, told, first) = written(1);
    // Two equal tensors are one file already.
    let all = 2 * LARGE as u64 + 20_000;
    assert!(
        (all..all + 20_000).contains(&counted) && (all..all + 20_000).contains(&told),
        "{counted} {told}"
    );
    let (counted, told, second) = written(2);
    let changed = LARGE as u64;
    assert!((changed..changed + 20_000).contains(&counted), "{counted}");
    assert!((changed..changed + 20_000).contains(&told), "{told}");
    let (old, new) = (inodes(&first), inodes(&second));
    let linked = new.iter().filter(|(path, number)| old.get(*path) == Some(number)).count();
    assert_eq!((old.len(), new.len(), linked), (3, 3, 2), "{old:?} {new:?}");
    // A step that is saved again.
    let (counted, ..) = written(2);
    assert!(counted < 20_000, "{counted}");
    check(&first, 1);
    check(&second, 2);
    assert!(leftovers(dir.path()).is_empty());
}

#[test]
fn a_checkpoint_is_whole_when_those_that_it_shares_files_with_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    let keep = vec![Keep::Latest(2), Keep::Steps(vec![3])];
    let mut manager =
        CheckpointManager::open(dir.path(), CheckpointManagerOptions { keep, ..options() }).unwrap();
    for step in 1..=9 {
        manager.save(items(step));
        assert!(manager.wait().unwrap().unwrap().not_removed.is_none());
    }
    assert_eq!(manager.steps().unwrap(), [3, 8, 9]);
    for step in [3, 8, 9] {
        check(&dir.path().join(format!("step_0000000{step}")), step);
    }
    manager.remove(9).unwrap();
    manager.remove(3).unwrap();
    check(&dir.path().join("step_00000008"), 8);
    // A tree that has other items is a checkpoint like any other.
    manager.save(CheckpointItems::new(10).tensors("other", [("w", numbers(0))]).unwrap());
    assert!(
        manager.wait().unwrap().unwrap().bytes < 20_000,
        "the item has another name, its bytes are there"
    );
    manager.restore(Some(10)).unwrap().verify().unwrap();
}

/// The newest checkpoint's file is damaged on the disk: its bytes are written anew, and the next checkpoint is whole.
#[test]
fn a_damaged_file_is_not_linked() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), options()).unwrap();
    manager.save(items(1));
    let first = manager.wait().unwrap().unwrap().path;
    for path in inodes(&first).keys() {
        let path = first.join(path);
        let mut bytes = fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, bytes).unwrap();
    }
    manager.save(items(2));
    let saved = manager.wait().unwrap().unwrap();
    assert!(saved.bytes > 2 * LARGE as u64, "{}", saved.bytes);
    check(&saved.path, 2);
    assert!(Checkpoint::open(&first).and_then(|first| first.verify()).is_err());
    // A file that was cut short, and one that is gone.
    let large: Vec<PathBuf> = inodes(&saved.path).into_keys().map(|path| saved.path.join(path)).collect();
    fs::write(&large[0], "short").unwrap();
    fs::remove_file(&large[1]).unwrap();
    manager.save(items(3));
    check(&manager.wait().unwrap().unwrap().path, 3);
}

#[test]
fn without_links_of_the_file_system_all_bytes_are_written() {
    let disk = SimulatedDisk::new();
    disk.set_links(false);
    let files: Arc<dyn Files> = Arc::new(disk.clone());
    let mut manager = CheckpointManager::with_files("/run", options(), files).unwrap();
    for step in [1, 2] {
        manager.save(items(step));
        assert!(manager.wait().unwrap().unwrap().bytes >= 2 * LARGE as u64);
    }
}

#[test]
fn the_shards_of_several_processes_are_links() {
    const COUNT: usize = 3;
    let dir = tempfile::tempdir().unwrap();
    let saved: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let run = |process: usize| {
            let dir = dir.path();
            move || {
                let processes = Some(Processes::new(process, COUNT, "run").unwrap());
                let options =
                    CheckpointManagerOptions { processes, patience: Duration::from_secs(60), ..options() };
                let mut manager = CheckpointManager::open(dir, options).unwrap();
                let shards = |first: u32| {
                    let shard = TensorShard {
                        region: vec![process..process + 1, 0..LARGE / 4],
                        value: numbers(first + process as u32).reshape(&[1, LARGE / 4]).unwrap(),
                    };
                    let ty = Type::tensor(DType::U32, [COUNT, LARGE / 4]);
                    ShardedTensor::of_shards(ty, &[1, LARGE / 4], vec![shard]).unwrap()
                };
                let save = |step: u64| {
                    let tensors = [("frozen", shards(0)), ("trained", shards(1000 * step as u32))];
                    manager.save(CheckpointItems::new(step).tensors("params", tensors).unwrap());
                    manager.wait().unwrap().unwrap().bytes
                };
                [1, 2].map(save).to_vec()
            }
        };
        let threads: Vec<_> = (0..COUNT).map(|process| scope.spawn(run(process))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let half = (COUNT * LARGE) as u64;
    for bytes in saved {
        assert!(bytes[0] > 2 * half && (half..half + 50_000).contains(&bytes[1]), "{bytes:?}");
    }
    let second = jarrah_checkpoint::at(dir.path(), 2).unwrap();
    second.verify().unwrap();
    let frozen = second.tree("params").unwrap().region("frozen", &[2..3, 0..LARGE / 4]).unwrap();
    assert_eq!(frozen.bytes(), numbers(2).bytes());
}

/// A backup has all bytes of each checkpoint.
#[test]
fn copies_in_a_backup_are_whole() {
    let dir = tempfile::tempdir().unwrap();
    let store = Arc::new(MemoryStore::new());
    let backup = Some(Backup::store(store.clone()));
    let mut manager =
        CheckpointManager::open(dir.path(), CheckpointManagerOptions { backup, ..options() }).unwrap();
    for step in [1, 2] {
        manager.save(items(step));
        assert!(manager.wait().unwrap().unwrap().not_backed_up.is_none());
    }
    assert_eq!(store.folders(&Name::root()).unwrap(), ["step_00000001", "step_00000002"]);
    let second = dir.path().join("step_00000002");
    fs::remove_dir_all(&second).unwrap();
    assert_eq!(manager.restore(None).unwrap().step(), 2);
    check(&second, 2);
}
