//! Checkpoints for `oracle/orbax_checkpoints.py run`, which restores them by Orbax and by TensorStore.

use std::path::PathBuf;

use jarrah_base::{DType, Literal, Type};
use jarrah_checkpoint::{CheckpointManager, CheckpointManagerOptions, Snapshot, SnapshotState};
use serde_json::json;

use crate::common::{Random, every_dtype, same, snapshot, steps};

/// The folder that a hundred checkpoints are written to, in the place of a few in one that is removed.
const FOLDER: &str = "JARRAH_CHECKPOINTS";

const PARTS: [&str; 12] =
    ["params", "opt", "mu", "0", "1", "w", "kernel", "with space", "Ünï", "x.y", "it's \"q\"", "a-b"];
const SHAPES: [&[usize]; 9] =
    [&[], &[1], &[7], &[64], &[8, 8], &[3, 5, 2], &[5, 0, 2], &[40, 50], &[300, 200]];

/// A snapshot of tensors with random names, types, shapes and bits.
fn random(step: u64) -> Snapshot {
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ step);
    let mut tensors: Vec<(String, Literal)> = Vec::new();
    for _ in 0..1 + random.below(40) {
        let parts: Vec<&str> =
            (0..1 + random.below(4)).map(|_| PARTS[random.below(PARTS.len() as u64) as usize]).collect();
        let name = parts.join("/");
        let is_apart = |other: &(String, Literal)| {
            let (a, b) = (format!("{name}/"), format!("{}/", other.0));
            !a.starts_with(&b) && !b.starts_with(&a) && a.replace('/', ".") != b.replace('/', ".")
        };
        if !tensors.iter().all(is_apart) {
            continue;
        }
        let dtype = DType::ALL[random.below(DType::ALL.len() as u64) as usize];
        let dims = SHAPES[random.below(SHAPES.len() as u64) as usize];
        let ty = Type::tensor(dtype, dims.iter().copied());
        let is_zero = random.below(6) == 0;
        let bytes = (0..ty.bytes().unwrap()).map(|_| match (is_zero, dtype) {
            (true, _) => 0,
            (false, DType::Bool) => random.next() as u8 & 1,
            (false, _) => random.next() as u8,
        });
        let bytes: Vec<u8> = bytes.collect();
        tensors.push((name, Literal::from_bytes(ty, &bytes).unwrap()));
    }
    let metrics = [("val_loss".to_owned(), (random.below(1000) + 1) as f64 / 8.0)].into();
    let state = SnapshotState { metrics, data: json!({ "position": step }), ..SnapshotState::default() };
    Snapshot { step, tensors, state }
}

#[test]
fn snapshots_of_all_kinds_are_read_here_and_by_orbax() {
    let temporary = tempfile::tempdir().unwrap();
    let asked = std::env::var_os(FOLDER).map(PathBuf::from);
    let last = if asked.is_some() { 100 } else { 12 };
    let folder = asked.unwrap_or(temporary.path().to_owned());
    let snapshots: Vec<Snapshot> = (1..=last)
        .map(|step| match step {
            1 => snapshot(1),
            2 => every_dtype(2),
            step => random(step),
        })
        .collect();
    let mut manager =
        CheckpointManager::open(&folder, CheckpointManagerOptions::keeping(1000, None)).unwrap();
    for snapshot in &snapshots {
        manager.save(snapshot.clone());
        let saved = manager.wait().unwrap().unwrap();
        assert!(same(&jarrah_checkpoint::Checkpoint::open(saved.path).unwrap().load().unwrap(), snapshot));
    }
    assert_eq!(steps(&folder), (1..=last).collect::<Vec<_>>());
}
