//! Checkpoints that Orbax 0.12.8 wrote (`oracle/orbax_checkpoints.py`): structure, types and values as they were saved.

use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{ErrorKind, Result};
use jarrah_formats::{OrbaxCheckpoint, OrbaxItemKind, OrbaxLeaf, OrbaxNode, OrbaxTree, Tensors};
use serde_json::{Map, Value, json};

use super::golden;
use super::hostile::scratch;
use super::orbax_hostile::copy;

/// A leaf as the script describes it.
fn leaf(leaf: &OrbaxLeaf) -> Value {
    let mut out = Map::new();
    out.insert("name".into(), leaf.name().into());
    out.insert("kind".into(), format!("{:?}", leaf.leaf_type()).into());
    for (key, value) in [("generator", leaf.generator()), ("text", leaf.text())] {
        out.extend(value.map(|value| (key.to_owned(), value.into())));
    }
    let named = leaf.sharding().filter(|text| text.starts_with("NamedSharding"));
    out.extend(named.map(|text| ("sharding".to_owned(), text.into())));
    if let Ok(ty) = leaf.ty() {
        out.insert("dtype".into(), ty.dtype().name().into());
        out.insert("shape".into(), leaf.dims().unwrap().into());
    }
    json!({ "leaf": out })
}

fn node(tree: &OrbaxTree, of: &OrbaxNode) -> Value {
    let list = |children: &[OrbaxNode]| children.iter().map(|child| node(tree, child)).collect::<Vec<_>>();
    let fields = |children: &[(String, OrbaxNode)]| -> Map<String, Value> {
        children.iter().map(|(name, child)| (name.clone(), node(tree, child))).collect()
    };
    match of {
        OrbaxNode::Dict(children) => json!({ "dict": fields(children) }),
        OrbaxNode::Named { fields: children, .. } => json!({ "named": fields(children) }),
        OrbaxNode::List(children) => json!({ "list": list(children) }),
        OrbaxNode::Tuple(children) => json!({ "tuple": list(children) }),
        OrbaxNode::None => json!({ "none": true }),
        OrbaxNode::Leaf(number) => leaf(&tree.leaves()[*number]),
    }
}

/// The next of the numbers by which a test chooses: splitmix64.
pub fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) as usize
}

/// Compares a region of a leaf with that of its whole value.
fn region(leaf: &OrbaxLeaf, whole: &[u8], random: &mut u64) {
    let dims = leaf.dims().unwrap();
    let ranges: Vec<_> = dims
        .iter()
        .map(|&extent| {
            let (a, b) = (next(random) % (extent + 1), next(random) % (extent + 1));
            a.min(b)..a.max(b)
        })
        .collect();
    let size = leaf.ty().unwrap().dtype().size();
    let mut expected = Vec::new();
    for position in 0..whole.len() / size {
        let mut rest = position;
        let inside = dims.iter().zip(&ranges).rev().all(|(extent, range)| {
            let at = rest % extent;
            rest /= extent;
            range.contains(&at)
        });
        if inside {
            expected.extend_from_slice(&whole[position * size..][..size]);
        }
    }
    assert_eq!(leaf.region(&ranges).unwrap().bytes(), expected, "{leaf} {ranges:?}");
}

/// Where two descriptions differ.
fn difference(got: &Value, expected: &Value) -> String {
    match (got, expected) {
        (Value::Object(a), Value::Object(b))
            if a.len() == b.len() && a.keys().all(|key| b.contains_key(key)) =>
        {
            let key = a.keys().find(|key| a[*key] != b[*key]).unwrap();
            format!("{key}.{}", difference(&a[key], &b[key]))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let i = (0..a.len()).find(|&i| a[i] != b[i]).unwrap();
            format!("{i}.{}", difference(&a[i], &b[i]))
        }
        _ => format!(" {got} for {expected}"),
    }
}

/// Compares a checkpoint with the files beside it; gives the number of its arrays.
pub fn compare(path: &Path) -> usize {
    let beside = |end: &str| path.with_extension(end);
    let expected: Value = serde_json::from_slice(&fs::read(beside("json")).unwrap()).unwrap();
    let checkpoint = OrbaxCheckpoint::open(path).unwrap();
    let items = expected["items"].as_object().unwrap();
    let names: Vec<&str> = checkpoint.items().iter().map(|item| item.name.as_str()).collect();
    assert!(
        names.len() == items.len() && names.iter().all(|name| items.contains_key(*name)),
        "{names:?} {items:?}"
    );
    let values = beside("safetensors").exists().then(|| Tensors::open(beside("safetensors")).unwrap());
    let (mut arrays, mut random) = (0, 1);
    for (item, expected) in items {
        if let Some(expected) = expected.get("json") {
            assert_eq!(checkpoint.json(item).unwrap(), *expected);
            continue;
        }
        let tree = checkpoint.tree(item).unwrap();
        // Objects are compared whatever the order of their keys.
        let (got, expected) = (node(&tree, tree.root()), &expected["tree"]);
        assert!(got == *expected, "{} {item}: {}", path.display(), difference(&got, expected));
        for leaf in tree.leaves().iter().filter(|leaf| leaf.dims().is_some()) {
            let name = format!("{item}:{}", leaf.name());
            let expected = values.as_ref().unwrap().get(&name).unwrap().literal().unwrap();
            let value = leaf.literal().unwrap();
            assert_eq!(value.bytes(), expected.bytes(), "{} {leaf}", path.display());
            for _ in 0..2 {
                region(leaf, expected.bytes(), &mut random);
            }
            arrays += 1;
        }
    }
    arrays
}

fn checkpoints(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| path.with_extension(""))
        .collect();
    paths.sort();
    paths
}

#[test]
fn orbax_checkpoints_are_read_bit_for_bit() {
    let paths = checkpoints(&golden("orbax"));
    assert_eq!(paths.len(), 14);
    let arrays: usize = paths.iter().map(|path| compare(path)).sum();
    assert!(arrays > 100, "{arrays}");
}

/// The checkpoints that `oracle/orbax_checkpoints.py FOLDER` made, if `JARRAH_ORBAX` names their folder.
#[test]
fn orbax_checkpoints_of_a_folder_are_read_bit_for_bit() {
    let Some(folder) = std::env::var_os("JARRAH_ORBAX") else {
        eprintln!("skipped: JARRAH_ORBAX names no folder");
        return;
    };
    let paths = checkpoints(Path::new(&folder));
    let (mut failed, mut arrays) = (Vec::new(), 0);
    for path in &paths {
        match std::panic::catch_unwind(|| compare(path)) {
            Ok(count) => arrays += count,
            Err(_) => failed.push(path),
        }
    }
    println!("{} of {} checkpoints, {arrays} arrays bit for bit", paths.len() - failed.len(), paths.len());
    assert!(failed.is_empty(), "{failed:?}");
}

/// A region is read although the chunks beside it are lost.
#[test]
fn a_region_reads_its_chunks_alone() {
    let folder = scratch();
    copy(&golden("orbax").join("v0_files_zarr2"), folder.path());
    let kernel = |path: &Path| {
        let tree = OrbaxCheckpoint::open(path).unwrap().tree("").unwrap();
        tree.get("a.kernel").unwrap().clone()
    };
    let whole = kernel(&golden("orbax").join("v0_files_zarr2"));
    let chunk = whole.chunk_dims().unwrap().to_vec();
    assert!(chunk[0] < 8, "{chunk:?}");
    for entry in fs::read_dir(folder.path().join("a.kernel")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name != ".zarray" && !name.starts_with("0.") {
            fs::remove_file(path).unwrap();
        }
    }
    let damaged = kernel(folder.path());
    let rows = [0..chunk[0], 0..8];
    assert_eq!(damaged.region(&rows).unwrap(), whole.region(&rows).unwrap());
    let e = damaged.literal().unwrap_err().to_string();
    assert!(e.contains("the chunk a.kernel/1.0 is not there"), "{e}");
}

/// Reads everything of a checkpoint: the bytes of its arrays.
pub fn read(path: &Path) -> Result<usize> {
    let checkpoint = OrbaxCheckpoint::open(path)?;
    let mut bytes = 0;
    for item in checkpoint.items() {
        match item.kind {
            OrbaxItemKind::Json => drop(checkpoint.json(&item.name)?),
            OrbaxItemKind::Tree | OrbaxItemKind::Other => {
                for leaf in checkpoint.tree(&item.name)?.leaves().iter().filter(|leaf| leaf.dims().is_some())
                {
                    bytes += leaf.literal()?.bytes().len();
                }
            }
        }
    }
    Ok(bytes)
}

/// The folders of Orbax's own tests, if `JARRAH_ORBAX_TESTDATA` names their folder.
#[test]
fn orbax_own_test_data_is_read_or_refused() {
    let Some(folder) = std::env::var_os("JARRAH_ORBAX_TESTDATA") else {
        eprintln!("skipped: JARRAH_ORBAX_TESTDATA names no folder");
        return;
    };
    let damaged = [
        ("pytree_checkpointable_missing_metadata", "_METADATA"),
        ("dummy_checkpointable_added", "_METADATA is not JSON"),
        ("missing_pytree_data_dir_d", "No such file"),
        ("missing_pytree_data_file_manifest.ocdbt", "there is no manifest.ocdbt"),
    ];
    let (mut folders, mut whole, mut refused) = (vec![PathBuf::from(folder)], 0, 0);
    while let Some(folder) = folders.pop() {
        let name = folder.file_name().unwrap().to_str().unwrap();
        // Folders of checkpoints.
        let groups = [
            "testdata",
            "checkpoints",
            "_checkpoint",
            "_alterations",
            "metadata_missing",
            "metadata_present",
        ];
        if groups.iter().any(|end| name.ends_with(end)) {
            let children = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            folders.extend(children.filter(|path| path.is_dir()));
            continue;
        }
        match (read(&folder), damaged.iter().find(|(damaged, _)| *damaged == name)) {
            (Ok(bytes), None) => {
                assert!(bytes == 44 || bytes == 88 || name == "deleted_checkpointable", "{name}: {bytes}");
                whole += 1;
            }
            (Err(e), Some((_, says))) => {
                assert!(e.kind() == ErrorKind::Input && e.to_string().contains(says), "{name}: {e}");
                refused += 1;
            }
            (Ok(_), Some(_)) => panic!("{name} was read"),
            (Err(e), None) => panic!("{}: {e}", folder.display()),
        }
    }
    println!("{whole} folders read, {refused} refused");
    assert!(whole > 0 && refused > 0);
}

/// Flax divides an array of more than a gibibyte; the parts are one array again.
#[test]
fn an_array_in_parts_within_the_file_of_messagepack_is_whole() {
    use jarrah_base::Literal;
    use jarrah_formats::msgpack::{FlaxNode, write_flax};
    let folder = scratch();
    let values: Vec<f32> = (0..12).map(|i| i as f32).collect();
    let whole = Literal::from_slice(&[3, 4], &values).unwrap();
    let tree = FlaxNode::Map([("w".to_owned(), FlaxNode::Array(whole.clone()))].into());
    let (one, parts) = (write_flax(&tree, 1 << 30).unwrap(), write_flax(&tree, 20).unwrap());
    assert_ne!(one, parts);
    for bytes in [one, parts] {
        fs::write(folder.path().join("checkpoint"), bytes).unwrap();
        let tree = OrbaxCheckpoint::open(folder.path()).unwrap().tree("").unwrap();
        assert_eq!(tree.get("w").unwrap().literal().unwrap(), whole);
    }
}

/// The item `metrics` that Orbax's manager writes beside the others: the file has the item's name.
#[test]
fn orbax_metrics_of_managers_are_read_as_json() {
    let folder = scratch();
    copy(&golden("orbax").join("managed"), folder.path());
    fs::create_dir(folder.path().join("metrics")).unwrap();
    fs::write(
        folder.path().join("metrics/metrics"),
        r#"{"loss": 2.0, "step": 7, "worst": NaN, "name": "a"}"#,
    )
    .unwrap();
    let checkpoint = OrbaxCheckpoint::open(folder.path()).unwrap();
    let item = checkpoint.items().iter().find(|item| item.name == "metrics").unwrap();
    assert_eq!(item.kind, OrbaxItemKind::Json);
    assert_eq!(checkpoint.json("metrics").unwrap()["loss"], 2.0);
    assert_eq!(checkpoint.json("meta").unwrap()["step"], 5);
    let metrics = checkpoint.metrics().unwrap();
    assert_eq!(metrics.keys().collect::<Vec<_>>(), ["loss", "step", "worst"]);
    assert_eq!((metrics["loss"], metrics["step"]), (2.0, 7.0));
    assert!(metrics["worst"].is_nan());
    fs::write(folder.path().join("metrics/metrics"), "[2.0]").unwrap();
    let e = checkpoint.metrics().unwrap_err();
    assert!(e.kind() == ErrorKind::Input && e.to_string().contains("are no object of JSON"), "{e}");
    // Version 1 has them in the description, and other checkpoints have none.
    fs::remove_dir_all(folder.path().join("metrics")).unwrap();
    assert!(OrbaxCheckpoint::open(folder.path()).unwrap().metrics().unwrap().is_empty());
    fs::write(folder.path().join("_CHECKPOINT_METADATA"), r#"{"metrics": {"loss": 0.5, "name": "a"}}"#)
        .unwrap();
    let metrics = OrbaxCheckpoint::open(folder.path()).unwrap().metrics().unwrap();
    assert_eq!(metrics, [("loss".to_owned(), 0.5)].into());
}
