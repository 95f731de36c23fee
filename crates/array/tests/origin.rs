//! Parameters that are read when they are needed, and what is made of them in files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jarrah_array::random::Key;
use jarrah_array::*;
use jarrah_runtime::{DiskCache, Kept};

/// Codes and scales of one weight, which are read together, and a matrix and a vector of others.
type Weights = ((Array, Array), (Array, Array));

fn weights() -> Weights {
    let key =
        |seed: u64, shape: &[usize]| Array::from_literal(Key::new(seed).normal(shape).to_literal().unwrap());
    let codes = Key::new(1).randint(&[128, 512], -100, 100).astype(DType::I8).to_literal().unwrap();
    ((Array::from_literal(codes), key(2, &[1, 512])), (key(3, &[512, 250]), key(4, &[250])))
}

fn layer(((codes, scales), (w, bias)): &Weights, x: &Array) -> Array {
    (x.matmul(&(codes.astype(DType::F32) * scales)).matmul(w) + bias).tanh()
}

const FILES: Kept = Kept { ending: ".weights", unwritten: "weights are not kept", says_damage: false };

struct Start {
    weights: Prepared<Weights>,
    reads: Arc<AtomicUsize>,
}

/// Parameters of which all but the last have no data yet.
fn start(identity: u8, files: Option<(&Path, u64)>) -> Start {
    let reads: Arc<AtomicUsize> = Arc::default();
    let count = reads.clone();
    let read = move |path: &str| {
        count.fetch_add(1, Ordering::Relaxed);
        let all: Vec<(String, Array)> = weights()
            .leaves_with_paths()
            .into_iter()
            .map(|(path, x): (_, &Array)| (path, x.clone()))
            .collect();
        let with: &[usize] = if path.starts_with("0.") { &[0, 1] } else { &[2] };
        Ok(with.iter().map(|&at| all[at].clone()).collect())
    };
    let mut at = 0;
    let deferred = weights().map_leaves(|x: &Array| {
        at += 1;
        if at == 4 { x.clone() } else { Array::abstracted(x.ty()) }
    });
    let files = files.map(|(folder, limit)| DiskCache::keeping(FILES, folder, limit));
    let origin = Origin { identity: [identity; 32], read: Box::new(read), files };
    Start { weights: Prepared::of_origin(deferred, origin), reads }
}

/// What a function of the parameters gives for several shapes, once all is written.
fn run(start: &Start) -> Vec<Literal> {
    let ready = jit(|(w, x): &(Weights, Array)| layer(w, x)).prepared(&start.weights);
    let call = |m: usize| ready.call((Key::new(9).normal(&[m, 128]),)).unwrap().to_literal().unwrap();
    let results = [1, 7, 40].map(call).to_vec();
    start.weights.finish_keeping(&|| false);
    results
}

fn expected() -> Vec<Literal> {
    let plain = jit(|(w, x): &(Weights, Array)| layer(w, x)).prepared(&Prepared::new(weights()));
    let call = |m: usize| plain.call((Key::new(9).normal(&[m, 128]),)).unwrap().to_literal().unwrap();
    [1, 7, 40].map(call).to_vec()
}

fn kept(folder: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

const LARGE: u64 = 1 << 30;

#[test]
fn arrays_without_data_are_read_once_and_give_the_same_bits() {
    let start = start(0, None);
    assert_eq!(start.reads.load(Ordering::Relaxed), 0);
    assert_eq!(run(&start), expected());
    assert_eq!(start.reads.load(Ordering::Relaxed), 2);
    // The tree comes back whole.
    let (whole, back) = (weights(), start.weights.get().unwrap());
    for (x, y) in TreeExt::<Array>::leaves(&whole).into_iter().zip(TreeExt::<Array>::leaves(&back)) {
        assert_eq!(x.to_literal().unwrap(), y.to_literal().unwrap());
    }
    assert_eq!(TreeExt::<Array>::leaves(&start.weights.shapes().clone()).len(), 4);
}

#[test]
fn a_second_start_reads_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(1, Some((folder.path(), LARGE)));
    assert_eq!(run(&first), expected());
    let files = kept(folder.path());
    assert!(files.len() >= 3, "{files:?}");
    let second = start(1, Some((folder.path(), LARGE)));
    assert_eq!(run(&second), expected());
    assert_eq!(second.reads.load(Ordering::Relaxed), 0);
    assert_eq!(kept(folder.path()), files);
    // Arrays that nobody has as they are come out of what has all of them, or are read.
    let back = second.weights.get().unwrap();
    assert_eq!(back.0.0.to_literal().unwrap(), weights().0.0.to_literal().unwrap());
    assert_eq!(back.1.0.to_literal().unwrap(), weights().1.0.to_literal().unwrap());
    // Of another identity nothing is taken.
    let other = start(2, Some((folder.path(), LARGE)));
    assert_eq!(run(&other), expected());
    assert_eq!(other.reads.load(Ordering::Relaxed), 2);
    assert_eq!(kept(folder.path()).len(), 2 * files.len());
}

#[test]
fn what_is_damaged_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    run(&start(1, Some((folder.path(), LARGE))));
    for path in kept(folder.path()) {
        let good = std::fs::read(&path).unwrap();
        let mut bad = good.clone();
        bad[good.len() - 1] ^= 1;
        for bad in [&bad[..], &good[..good.len() / 2], &good[..3], &[]] {
            std::fs::write(&path, bad).unwrap();
            assert_eq!(run(&start(1, Some((folder.path(), LARGE)))), expected());
            assert_eq!(std::fs::read(&path).unwrap(), good, "the file is whole again");
        }
    }
}

#[test]
fn as_much_is_kept_as_there_is_room_for() {
    let folder = tempfile::tempdir().unwrap();
    let limit = 600 << 10;
    for _ in 0..3 {
        assert_eq!(run(&start(1, Some((folder.path(), limit)))), expected());
        let bytes: u64 = kept(folder.path()).iter().map(|path| path.metadata().unwrap().len()).sum();
        assert!(bytes > 0 && bytes <= limit, "{bytes}");
    }
    // A folder that cannot be is none.
    let file = folder.path().join("file");
    std::fs::write(&file, b"").unwrap();
    assert_eq!(run(&start(1, Some((&file.join("below"), LARGE)))), expected());
}

#[test]
fn a_value_that_does_not_fit_leaves_its_room_to_others() {
    // What needs the larger matrix is called first.
    let run = |start: &Start| {
        let large = |((_, (w, _)), x): &(Weights, Array)| x.matmul(w);
        jit(large).prepared(&start.weights).call((Array::ones(&[1, 512]),)).unwrap();
        let small =
            |(((codes, scales), _), x): &(Weights, Array)| x.matmul(&(codes.astype(DType::F32) * scales));
        jit(small).prepared(&start.weights).call((Array::ones(&[1, 128]),)).unwrap();
        start.weights.finish_keeping(&|| false);
    };
    let folder = tempfile::tempdir().unwrap();
    run(&start(1, Some((folder.path(), LARGE))));
    let size = |path: &PathBuf| path.metadata().unwrap().len();
    let mut all = kept(folder.path());
    all.sort_by_key(size);
    let largest = all.pop().unwrap();
    let others: u64 = all.iter().map(size).sum();
    assert!(others < size(&largest), "{others}");
    all.sort();
    // Three quarters of the limit are for one model.
    let limit = (others + size(&largest)) / 2 / 3 * 4;
    std::fs::remove_dir_all(folder.path()).unwrap();
    run(&start(1, Some((folder.path(), limit))));
    assert_eq!(kept(folder.path()), all);
}

#[test]
fn other_arrays_come_from_no_origin() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(1, Some((folder.path(), LARGE)));
    run(&first);
    let files = kept(folder.path());
    let zeros = weights().map_leaves(|x: &Array| Array::zeros_of(x.ty()));
    let second = start(1, Some((folder.path(), LARGE)));
    second.weights.set(zeros).unwrap();
    assert!(run(&second).iter().all(|found| found.to_f64_vec().iter().all(|&x| x == 0.0)));
    assert_eq!(second.reads.load(Ordering::Relaxed), 0);
    assert_eq!(kept(folder.path()), files);
}

#[test]
fn what_cannot_be_read_is_the_error_of_the_call() {
    let ty = Type::tensor(DType::F32, [64, 256]);
    let origin = |read: ReadArrays| Origin { identity: [0; 32], read, files: None };
    let failing = origin(Box::new(|_| Err(Error::input("the disk is gone"))));
    let other = origin(Box::new(|path| Ok(vec![(path.to_owned(), Array::ones(&[2]))])));
    for (origin, said) in [(failing, "the disk is gone"), (other, "is none of the arrays")] {
        let weights = Prepared::of_origin(Array::abstracted(ty), origin);
        let f = jit(|(w, x): &(Array, Array)| x.matmul(w)).prepared(&weights);
        let error = f.call((Array::ones(&[1, 64]),)).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
    }
}
