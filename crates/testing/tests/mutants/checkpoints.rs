use jarrah_base::{DType, Literal, Result, Type};
use jarrah_checkpoint::{
    Checkpoint, CheckpointItems, CheckpointManager, CheckpointManagerOptions, ShardedTensor, StoredTree,
    TensorShard,
};
use serde_json::json;

use super::*;

const STEP: &str = "step_00000001";

/// A small checkpoint of two trees, one of whose tensors is in shards, and JSON; its folder.
fn saved(dir: &Path) -> Result<PathBuf> {
    let ty = Type::tensor(DType::F32, [4, 6]);
    let shard = |at: usize| -> Result<TensorShard> {
        let value = Literal::full(Type::tensor(DType::F32, [2, 6]), at as f64)?;
        Ok(TensorShard { region: vec![at..at + 2, 0..6], value })
    };
    let sharded = ShardedTensor::of_shards(ty, &[2, 6], vec![shard(0)?, shard(2)?])?;
    let narrow = Literal::full(Type::tensor(DType::I4, [3]), 2.0)?;
    let large = Literal::full(Type::tensor(DType::BF16, [700]), 1.5)?;
    let items = CheckpointItems::new(1)
        .tensors("params", [("dense/w", sharded), ("dense/b", narrow.into())])?
        .tensors("opt", [("mu", large)])?
        .json("data", json!({ "position": 16 }))?
        .metric("loss", 0.5);
    let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
    manager.save(items);
    manager.close()?;
    Ok(dir.join(STEP))
}

/// Reads everything of a checkpoint: whole tensors, parts of them, and the rest.
fn used(folder: &Path) -> Result<()> {
    let checkpoint = Checkpoint::open(folder)?;
    let _ = checkpoint.hash();
    let names: Vec<String> = checkpoint.items().map(str::to_owned).collect();
    for name in names {
        match checkpoint.tree(&name) {
            Ok(tree) => {
                for entry in tree.tensors() {
                    let part: Vec<_> =
                        entry.ty.extents().map(|extent| extent / 3..extent.div_ceil(2)).collect();
                    tree.region(&entry.name, &part)?;
                    tree.tensor(&entry.name)?;
                }
            }
            Err(_) => drop(checkpoint.json(&name)?),
        }
    }
    checkpoint.verify()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// The text of a manifest with a checksum that fits.
fn sealed(mut manifest: Value) -> String {
    manifest.as_object_mut().map(|fields| fields.remove("checksum"));
    let text = manifest.to_string();
    let text = text.strip_suffix('}').unwrap_or(&text);
    let (before, after) = (format!("{text},\n\"checksum\": \""), "\"\n}\n");
    let checksum = blake3::hash(format!("{before}{}{after}", "0".repeat(64)).as_bytes()).to_hex();
    format!("{before}{checksum}{after}")
}

#[test]
fn damaged_checkpoints_do_no_harm() {
    alone_within("mutants::checkpoints::damaged_checkpoints_do_no_harm", Some(SPACE), || {
        let place = Place::new();
        let folder = saved(place.path()).unwrap();
        used(&folder).unwrap();
        let files = files_below(&folder);
        let manifest = folder.join("jarrah/metadata");
        trial(4000, |_, random| {
            let (file, bytes) = match random.below(3) {
                // A manifest that lies has a checksum that fits.
                0 => {
                    let mut text: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
                    (0..random.below(3)).for_each(|_| change(&mut text, random));
                    (&manifest, sealed(text).into_bytes())
                }
                _ => {
                    let (file, other) = (random.one_of(&files), random.one_of(&files));
                    let mut bytes = fs::read(file).unwrap();
                    damage(&mut bytes, &fs::read(other).unwrap(), random);
                    (file, bytes)
                }
            };
            let whole = fs::read(file).unwrap();
            fs::write(file, bytes).unwrap();
            let outcome = judged(used(&folder), STEP);
            // By names alone, without the manifest's checksums, as checkpoints of other programs are read.
            if let Ok(tree) = StoredTree::open(&folder) {
                tree.leaves().iter().for_each(|leaf| drop(leaf.literal()));
            }
            fs::write(file, whole).unwrap();
            outcome
        });
    });
}

#[test]
fn damaged_files_of_flax_do_no_harm() {
    alone_within("mutants::checkpoints::damaged_files_of_flax_do_no_harm", Some(SPACE), || {
        let whole = bytes_of("nn/tests/golden/flax_chunks.msgpack");
        let place = Place::new();
        trial(3000, |_, random| {
            let mut bytes = whole.clone();
            damage(&mut bytes, &whole, random);
            let path = place.write("w.msgpack", &bytes);
            let read = StoredTree::open(&path);
            judged(
                read.and_then(|tree| tree.leaves().iter().try_for_each(|leaf| leaf.literal().map(drop))),
                "w.msgpack",
            )
        });
    });
}
