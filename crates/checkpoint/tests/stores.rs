//! Checkpoints that are read through stores that are no disks.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_checkpoint::{
    Checkpoint, CheckpointItems, CheckpointManager, CheckpointManagerOptions, ShardedTensor, TensorShard,
};
use jarrah_formats::{OrbaxCheckpoint, cut};
use jarrah_store::{
    Condition, Draft, Entry, EntryKind, LocalStore, MemoryStore, Name, Object, ObjectStore, ObjectVersion,
    Upload,
};

/// A store in memory that counts the bytes that are read, and that may refuse to list.
#[derive(Debug)]
struct Counted {
    store: MemoryStore,
    can_list: bool,
    read: Arc<AtomicU64>,
}

impl Counted {
    /// With the files of a folder of this machine.
    fn of(folder: &Path, can_list: bool) -> Arc<Counted> {
        let (from, store) = (LocalStore::new(folder).unwrap(), MemoryStore::new());
        let mut folders = vec![Name::root()];
        while let Some(folder) = folders.pop() {
            for entry in from.list(&folder).unwrap() {
                let name = folder.join(&entry.name).unwrap();
                if entry.kind == EntryKind::Folder {
                    folders.push(name);
                    continue;
                }
                let object = from.open(&name).unwrap().unwrap();
                let mut bytes = vec![0; object.len() as usize];
                object.read_at(0, &mut bytes).unwrap();
                let mut upload = store.create(&name).unwrap();
                upload.write(&bytes).unwrap();
                upload.finish(Condition::Absent).unwrap();
            }
        }
        Arc::new(Counted { store, can_list, read: Arc::default() })
    }

    /// The bytes that `reading` reads.
    fn bytes(&self, reading: impl FnOnce()) -> u64 {
        let before = self.read.load(Ordering::Relaxed);
        reading();
        self.read.load(Ordering::Relaxed) - before
    }
}

fn refused<T>() -> Result<T> {
    Err(Error::environment("this store is read by name"))
}

impl ObjectStore for Counted {
    fn open(&self, name: &Name) -> Result<Option<Box<dyn Object>>> {
        let object = self.store.open(name)?;
        Ok(object.map(|object| Box::new(CountedObject(object, self.read.clone())) as Box<dyn Object>))
    }

    fn create(&self, _: &Name) -> Result<Box<dyn Upload>> {
        refused()
    }

    fn list(&self, folder: &Name) -> Result<Vec<Entry>> {
        if self.can_list { self.store.list(folder) } else { refused() }
    }

    fn can_list(&self) -> bool {
        self.can_list
    }

    fn delete(&self, _: &Name) -> Result<bool> {
        refused()
    }

    fn draft(&self, _: &Name) -> Result<Box<dyn Draft>> {
        refused()
    }

    fn join_draft(&self, _: &Name, _: &str) -> Result<Box<dyn Draft>> {
        refused()
    }

    fn folders(&self, folder: &Name) -> Result<Vec<String>> {
        if self.can_list { self.store.folders(folder) } else { refused() }
    }

    fn delete_folder(&self, _: &Name) -> Result<bool> {
        refused()
    }

    fn clear_unfinished(&self, _: &Name) -> Result<()> {
        refused()
    }
}

struct CountedObject(Box<dyn Object>, Arc<AtomicU64>);

impl Object for CountedObject {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn version(&self) -> &ObjectVersion {
        self.0.version()
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        self.1.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.0.read_at(offset, bytes)
    }
}

const STEP: &str = "step_00000001";

/// A value of 1024 rows of 1024 numbers, and the folder of checkpoints in which the first has it in four shards of rows, and whole beside that.
fn saved(dir: &Path) -> Literal {
    let numbers: Vec<u32> = (0..1 << 20).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
    let whole = Literal::from_slice(&[1024, 1024], &numbers).unwrap();
    let shard = |at: usize| {
        let region = vec![at * 256..(at + 1) * 256, 0..1024];
        TensorShard { value: cut(&whole, &region).unwrap(), region }
    };
    let ty = Type::tensor(DType::U32, [1024, 1024]);
    let sharded = ShardedTensor::of_shards(ty, &[256, 1024], (0..4).map(shard).collect()).unwrap();
    let items = CheckpointItems::new(1)
        .tensors("state", [("in/shards", sharded), ("whole", whole.clone().into())])
        .unwrap()
        .json("data", 7)
        .unwrap();
    let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default()).unwrap();
    manager.save(items);
    manager.close().unwrap();
    whole
}

#[test]
fn a_checkpoint_in_a_store_is_that_of_the_disk_though_it_cannot_list() {
    let dir = tempfile::tempdir().unwrap();
    let whole = saved(dir.path());
    let on_disk = Checkpoint::open(dir.path().join(STEP)).unwrap();
    for can_list in [true, false] {
        let store = Counted::of(dir.path(), can_list);
        let checkpoint = Checkpoint::open_in(store, &Name::new(STEP).unwrap()).unwrap();
        checkpoint.verify().unwrap();
        assert_eq!(checkpoint.hash().unwrap(), on_disk.hash().unwrap());
        assert_eq!(checkpoint.json("data").unwrap(), 7);
        for name in ["in/shards", "whole"] {
            assert_eq!(checkpoint.tensor(name).unwrap(), whole, "{name}");
        }
    }
    // The first version of the format, which has one file of tensors.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/version_1");
    let first = Checkpoint::open_in(Counted::of(folder.as_ref(), false), &Name::new(STEP).unwrap()).unwrap();
    first.verify().unwrap();
    assert_eq!(first.tensor("params/wte").unwrap().dims(), [2, 3]);
}

#[test]
fn a_box_in_a_store_takes_the_bytes_of_the_shards_that_it_touches() {
    let dir = tempfile::tempdir().unwrap();
    let whole = saved(dir.path());
    let store = Counted::of(dir.path(), true);
    let checkpoint = Checkpoint::open_in(store.clone(), &Name::new(STEP).unwrap()).unwrap();
    let tree = checkpoint.tree("state").unwrap();
    let region = |region: [std::ops::Range<usize>; 2]| {
        assert_eq!(tree.region("in/shards", &region).unwrap(), cut(&whole, &region).unwrap());
    };
    // The description of the tree is read the first time.
    region([0..1, 0..1]);
    const SHARD: u64 = 1 << 20;
    assert_eq!(store.bytes(|| region([256..512, 0..1024])), SHARD);
    // The checksum of a shard is compared once.
    assert_eq!(store.bytes(|| region([600..601, 8..16])), SHARD + 32);
    assert_eq!(store.bytes(|| region([601..603, 0..1024])), 2 * 4096);
    assert_eq!(store.bytes(|| drop(tree.tensor("whole").unwrap())), 4 * SHARD);
}

#[test]
fn a_box_of_an_array_of_orbax_in_a_store_takes_its_own_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let whole = saved(dir.path());
    let store = Counted::of(dir.path(), true);
    let checkpoint = OrbaxCheckpoint::open_in(store.clone(), &Name::new(STEP).unwrap()).unwrap();
    let tree = checkpoint.tree("state").unwrap();
    let leaf = tree.get("whole").unwrap();
    let bytes = |region: [std::ops::Range<usize>; 2]| {
        store.bytes(|| assert_eq!(leaf.region(&region).unwrap(), cut(&whole, &region).unwrap()))
    };
    // The nodes on the way to the array are read the first time.
    bytes([0..1, 0..1]);
    assert_eq!(bytes([3..5, 0..1024]), 2 * 4096);
    assert_eq!(bytes([1023..1024, 1000..1024]), 24 * 4);
    // The rows of a column lie near each other: they are read together, in requests of a mebibyte at most.
    assert!(bytes([0..1024, 512..513]) <= 4 << 20);
    // A row and one that is far behind it are read alone.
    let far = tree.get("in.shards").unwrap();
    far.region(&[0..1, 0..1]).unwrap();
    assert_eq!(store.bytes(|| drop(far.region(&[255..257, 0..1024]).unwrap())), 2 * 4096);
    fs::remove_dir_all(dir.path()).unwrap();
}
