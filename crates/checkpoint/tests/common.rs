use std::any::Any;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use jarrah_base::{DType, Literal, Type, bf16};
use jarrah_checkpoint::{Listing, Snapshot, SnapshotState, list};
use jarrah_store::{Disk, FileReader, FileStatus, FileWriter, Files, Listed};
use serde_json::json;

/// The xorshift generator: seeded, so that a failure repeats.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
}

/// A snapshot of every kind of value, each depending on `step`.
pub fn snapshot(step: u64) -> Snapshot {
    let x = step as f32;
    Snapshot {
        step,
        tensors: vec![
            (
                "params/wte".into(),
                Literal::from_slice(&[2, 3], &[x, 1.5, -2.0, 0.25, f32::NAN, -0.0]).unwrap(),
            ),
            ("params/head/b".into(), Literal::from_slice(&[3], &[bf16::from_f32(x); 3]).unwrap()),
            ("opt/mu/wte".into(), Literal::zeros(Type::tensor(DType::F64, [1, 2])).unwrap()),
            ("opt/count".into(), Literal::scalar(step as i32)),
            ("opt/mask".into(), Literal::from_bools(&[3], &[true, false, true]).unwrap()),
            ("opt/none".into(), Literal::zeros(Type::tensor(DType::U16, [0, 4])).unwrap()),
        ],
        state: SnapshotState {
            model: json!({"kind": "gpt", "layers": 2}),
            data: json!({"epoch": 1, "position": step * 16, "order": [3, 1, 2]}),
            random: json!({"key": [u64::MAX, 7]}),
            metrics: [("val_loss".into(), 1.0 / (step as f64 + 0.1)), ("grad_norm".into(), f64::INFINITY)]
                .into(),
            extra: json!("batch = 4\n"),
        },
    }
}

/// A snapshot of a small and a larger tensor of each element type, with random bits.
pub fn every_dtype(step: u64) -> Snapshot {
    let mut random = Random(0x1234_5678 + step);
    let mut tensors = Vec::new();
    for dtype in DType::ALL {
        for dims in [vec![3], vec![7, 300]] {
            let ty = Type::tensor(dtype, dims.iter().copied());
            let bytes: Vec<u8> = (0..ty.bytes().unwrap()).map(|_| random.next() as u8).collect();
            let bytes =
                if dtype == DType::Bool { bytes.iter().map(|byte| byte & 1).collect() } else { bytes };
            let literal = Literal::from_bytes(ty, &bytes).unwrap();
            tensors.push((format!("{}/{dtype}", dims.len()), literal));
        }
    }
    Snapshot { step, tensors, state: SnapshotState::default() }
}

/// A snapshot of one tensor of `bytes` bytes.
pub fn large(step: u64, bytes: usize) -> Snapshot {
    let ty = Type::tensor(DType::U8, [bytes]);
    let tensors = vec![("params/w".into(), Literal::full(ty, (step % 251) as f64).unwrap())];
    Snapshot { step, tensors, state: SnapshotState { data: json!(step), ..SnapshotState::default() } }
}

/// Equal to the last bit, NaN included.
pub fn same(a: &Snapshot, b: &Snapshot) -> bool {
    a.step == b.step && a.tensors == b.tensors && a.state == b.state
}

/// The steps in `dir`, all of which must verify.
pub fn steps(dir: &Path) -> Vec<u64> {
    let Listing { good, damaged } = list(dir).unwrap();
    assert!(damaged.is_empty(), "{damaged:?}");
    good.iter().for_each(|c| c.verify().unwrap());
    good.iter().map(|c| c.step()).collect()
}

/// The unfinished folders in `dir`.
pub fn leftovers(dir: &Path) -> Vec<String> {
    let names = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let is_unfinished =
        |n: &String| n.starts_with(".jarrah-") && n != ".jarrah-lock" || n.contains(".orbax-checkpoint-tmp");
    names.filter(is_unfinished).collect()
}

/// All files below a folder, by their paths in it.
pub fn files(folder: &Path) -> Vec<String> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = folders.pop() {
        for entry in std::fs::read_dir(folder.join(&below)).unwrap() {
            let entry = entry.unwrap();
            let path = below.join(entry.file_name());
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false => files.push(path.to_str().unwrap().to_owned()),
            }
        }
    }
    files.sort();
    files
}

/// Copies a folder.
pub fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        std::fs::create_dir_all(to.join(&file).parent().unwrap()).unwrap();
        std::fs::copy(from.join(&file), to.join(&file)).unwrap();
    }
}

/// A small checkpoint of version 1, with the snapshot of step 1.
pub fn version_1(dir: &Path) -> PathBuf {
    golden("version_1", dir)
}

/// As [`version_1`], of version 2.
pub fn version_2(dir: &Path) -> PathBuf {
    golden("version_2", dir)
}

fn golden(version: &str, dir: &Path) -> PathBuf {
    let folder = dir.join("step_00000001");
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(version);
    copy(&golden.join("step_00000001"), &folder);
    folder
}

/// A file system with a call before each operation that changes something.
pub struct Hooked<H>(pub Arc<H>, pub Arc<dyn Files>);

impl<H> Hooked<H> {
    /// The machine's file system.
    pub fn disk(hook: Arc<H>) -> Arc<Self> {
        Arc::new(Hooked(hook, Arc::new(Disk)))
    }
}

pub trait Hook: Send + Sync + 'static {
    /// Called before an operation; for a write, with its length. It gives how many bytes are written.
    fn before(&self, bytes: usize) -> io::Result<usize>;

    /// Called before the first file of a checkpoint.
    fn begin(&self) -> io::Result<()> {
        Ok(())
    }

    /// Whether files are made durable, which takes most of the time of tests.
    fn syncs(&self) -> bool {
        true
    }
}

impl<H> std::fmt::Debug for Hooked<H> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hooked")
    }
}

struct HookedWriter<H>(Arc<H>, Box<dyn FileWriter>);

impl<H: Hook> Files for Hooked<H> {
    fn create(&self, path: &Path) -> io::Result<Box<dyn FileWriter>> {
        self.0.before(1)?;
        Ok(Box::new(HookedWriter(self.0.clone(), self.1.create(path)?)))
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn FileReader>> {
        self.1.open(path)
    }
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.0.before(1)?;
        if path.file_name().is_some_and(|name| name.to_string_lossy().contains(".orbax-checkpoint-tmp")) {
            self.0.begin()?;
        }
        self.1.create_folder(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        self.1.list(folder)
    }
    fn status(&self, path: &Path) -> io::Result<FileStatus> {
        self.1.status(path)
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.0.before(1)?;
        if self.0.syncs() { self.1.sync_file(path) } else { Ok(()) }
    }
    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.0.before(1)?;
        if self.0.syncs() { self.1.sync_folder(path) } else { Ok(()) }
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.before(1)?;
        self.1.rename(from, to)
    }
    fn exchange(&self, a: &Path, b: &Path) -> io::Result<()> {
        self.0.before(1)?;
        self.1.exchange(a, b)
    }
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.before(1)?;
        self.1.rename_new(from, to)
    }
    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.before(1)?;
        self.1.link(from, to)
    }
    fn syncs_at_once(&self) -> bool {
        false
    }
    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.0.before(1)?;
        self.1.remove_file(path)
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.0.before(1)?;
        self.1.remove_folder(path)
    }
    fn lock(&self, folder: &Path, exclusive: bool) -> io::Result<Box<dyn Any + Send>> {
        self.1.lock(folder, exclusive)
    }
    fn token(&self) -> u64 {
        self.1.token()
    }
    fn now(&self) -> SystemTime {
        self.1.now()
    }
}

impl<H: Hook> Write for HookedWriter<H> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.0.before(bytes.len())?;
        self.1.write(&bytes[..count])
    }
    fn flush(&mut self) -> io::Result<()> {
        self.1.flush()
    }
}

impl<H: Hook> FileWriter for HookedWriter<H> {
    fn sync(&mut self) -> io::Result<()> {
        self.0.before(1)?;
        if self.0.syncs() { self.1.sync() } else { Ok(()) }
    }
    fn set_modified(&mut self, time: SystemTime) -> io::Result<()> {
        self.1.set_modified(time)
    }
    fn status(&self) -> io::Result<FileStatus> {
        self.1.status()
    }
}

/// A box of a value.
pub fn cut(whole: &Literal, region: &[Range<usize>]) -> Literal {
    let (dims, size) = (whole.dims(), whole.dtype().size());
    let count: usize = region.iter().map(Range::len).product();
    let mut bytes = Vec::new();
    for number in 0..count {
        let (mut rest, mut at, mut stride) = (number, 0, 1);
        for (range, extent) in region.iter().zip(&dims).rev() {
            at += (range.start + rest % range.len()) * stride;
            rest /= range.len();
            stride *= extent;
        }
        bytes.extend(&whole.bytes()[at * size..][..size]);
    }
    Literal::from_bytes(whole.ty().with_dims(region.iter().map(Range::len)), &bytes).unwrap()
}
