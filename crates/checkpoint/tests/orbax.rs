//! Checkpoints for `oracle/orbax_checkpoints.py run`, which restores them by Orbax and by TensorStore.

use std::ops::Range;
use std::path::PathBuf;

use jarrah_base::{DType, Literal, Type};
use jarrah_checkpoint::{
    CheckpointItems, CheckpointManager, CheckpointManagerOptions, ShardedTensor, Snapshot, SnapshotState,
    TensorShard,
};
use jarrah_formats::OrbaxSharding;
use serde_json::json;

use crate::common::{Random, cut, every_dtype, same, snapshot, steps};

/// The folder that checkpoints are written to, in the place of a few in one that is removed, and their number, in the place of 200.
const FOLDER: &str = "JARRAH_CHECKPOINTS";
const COUNT: &str = "JARRAH_CHECKPOINTS_COUNT";

/// A tensor that all checkpoints have alike, of which all have links to one file.
const FROZEN: &str = "frozen/w";

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
    let frozen: Vec<f32> = (0..4000).map(|i| i as f32).collect();
    tensors.push((FROZEN.to_owned(), Literal::from_slice(&[40, 100], &frozen).unwrap()));
    let metrics = [("val_loss".to_owned(), (random.below(1000) + 1) as f64 / 8.0)].into();
    let state = SnapshotState { metrics, data: json!({ "position": step }), ..SnapshotState::default() };
    Snapshot { step, tensors, state }
}

/// As [`random`], with an item of JSON and a tree beside the state, and with tensors that are cut into shards, over devices or not.
fn in_shards(step: u64) -> CheckpointItems {
    let mut generator = Random(0xd1b5_4a32_d192_ed03 ^ step);
    let Snapshot { tensors, state, .. } = random(step);
    let tensor = |(name, value): (String, Literal)| {
        if name == FROZEN {
            return (name, value.into());
        }
        let (dims, mut extents, mut axes) = (value.dims(), value.dims(), Vec::new());
        let mut devices = 1;
        for extent in &mut extents {
            let parts = [1, 2, 4][generator.below(3) as usize];
            if extent.is_multiple_of(parts) && *extent > 0 && devices * parts <= 8 {
                (*extent, devices) = (*extent / parts, devices * parts);
                axes.push(parts);
            } else {
                axes.push(1);
            }
        }
        let places = dims.iter().zip(&extents).fold(vec![Vec::new()], |all, (&dim, &extent)| {
            let at = (0..dim.max(1)).step_by(extent.max(1));
            all.iter()
                .flat_map(|of: &Vec<Range<usize>>| {
                    at.clone().map(|at| [&of[..], &[at..at + extent]].concat())
                })
                .collect()
        });
        let shard = |region: Vec<Range<usize>>| TensorShard { value: cut(&value, &region), region };
        let tensor =
            ShardedTensor::of_shards(value.ty(), &extents, places.into_iter().map(shard).collect()).unwrap();
        // Orbax restores an array over devices only if its mesh has them all.
        if generator.below(2) == 0 || dims.is_empty() || dims.contains(&0) {
            return (name, tensor);
        }
        let names = ["a", "b", "c"];
        let mut mesh: Vec<(&str, usize)> = names.iter().copied().zip(axes.iter().copied()).collect();
        mesh.push(("rest", 8 / devices));
        let spec =
            axes.iter().zip(names).map(|(&parts, name)| if parts > 1 { vec![name] } else { Vec::new() });
        (name, tensor.with_sharding(OrbaxSharding::named(mesh, spec)))
    };
    let (more, state_tensors): (Vec<_>, Vec<_>) =
        tensors.into_iter().map(tensor).enumerate().partition(|(i, _)| i % 3 == 2);
    let all = |tensors: Vec<(usize, (String, ShardedTensor))>| tensors.into_iter().map(|(_, tensor)| tensor);
    CheckpointItems::new(step)
        .tensors("state", all(state_tensors))
        .and_then(|items| items.tensors("more", all(more)))
        .and_then(|items| items.json("data", json!({ "step": step })))
        .and_then(|items| items.process_json("iterator", json!({ "step": step })))
        .unwrap()
        .metrics(state.metrics)
}

#[test]
fn checkpoints_of_all_kinds_are_read_here_and_by_orbax() {
    let temporary = tempfile::tempdir().unwrap();
    let asked = std::env::var_os(FOLDER).map(PathBuf::from);
    let count = std::env::var(COUNT).map_or(200, |count| count.parse().unwrap());
    let last = if asked.is_some() { count } else { 24 };
    let folder = asked.unwrap_or(temporary.path().to_owned());
    let options = CheckpointManagerOptions {
        link_unchanged: Some(100),
        ..CheckpointManagerOptions::keeping(1000, None)
    };
    let mut manager = CheckpointManager::open(&folder, options).unwrap();
    for step in 1..=last {
        let snapshot = match step {
            1 => snapshot(1),
            2 => every_dtype(2),
            step => random(step),
        };
        // Half of them have several items, and tensors in shards.
        let is_cut = step > 2 && step % 2 == 0;
        manager.save(if is_cut { in_shards(step) } else { snapshot.clone().into() });
        let read = manager.restore(None).unwrap();
        if !is_cut {
            assert!(same(&read.load().unwrap(), &snapshot));
            continue;
        }
        let more = read.tree("more").unwrap().load().unwrap();
        let mut all = read.load().unwrap().tensors.into_iter().chain(more).collect::<Vec<_>>();
        let mut expected = snapshot.tensors;
        all.sort_by(|a, b| a.0.cmp(&b.0));
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        assert!(all == expected, "step {step}");
    }
    assert_eq!(steps(&folder), (1..=last).collect::<Vec<_>>());
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let newest = manager.restore(None).unwrap().path().to_owned();
        let all = crate::common::files(&newest).into_iter();
        let names = all.map(|file| std::fs::metadata(newest.join(file)).unwrap().nlink());
        // The first two have not the tensor.
        assert_eq!(names.max(), Some(last - 2));
    }
}
