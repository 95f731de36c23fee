use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_checkpoint::{Checkpoint, CheckpointManager, CheckpointManagerOptions, Snapshot, latest};
use jarrah_formats::{OrbaxCheckpoint, OrbaxLeafType};
use serde_json::json;

use crate::common::{every_dtype, same, snapshot, version_1, version_2};

fn saved(dir: &std::path::Path, snapshot: Snapshot) -> Checkpoint {
    let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot);
    let saved = manager.wait().unwrap().unwrap();
    Checkpoint::open(&saved.path).unwrap()
}

#[test]
fn what_is_saved_is_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = saved(dir.path(), snapshot(100));
    assert!(checkpoint.path().ends_with("step_00000100"));
    checkpoint.verify().unwrap();
    assert!(same(&checkpoint.load().unwrap(), &snapshot(100)));
    let params = checkpoint.group("params").unwrap();
    assert_eq!(params.iter().map(|p| p.0.as_str()).collect::<Vec<_>>(), ["wte", "head/b"]);
    assert_eq!(params[0].1, snapshot(100).tensors[0].1);
    let error = checkpoint.tensor("params/nothing").unwrap_err();
    assert!(error.message().ends_with("step_00000100 has no tensor params/nothing"), "{error}");
}

#[test]
fn earlier_versions_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let new = saved(&dir.path().join("new"), snapshot(1));
    for (version, folder) in [(1, version_1(dir.path())), (2, version_2(&dir.path().join("2")))] {
        let old = Checkpoint::open(folder).unwrap();
        old.verify().unwrap();
        assert!(same(&old.load().unwrap(), &snapshot(1)), "version {version}");
        assert_eq!(old.hash().unwrap(), new.hash().unwrap(), "version {version}");
        assert_eq!(old.tensors(), new.tensors());
        assert_eq!(old.items().collect::<Vec<_>>(), ["state"]);
    }
}

#[test]
fn orbax_reads_the_tensors() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = saved(dir.path(), snapshot(3));
    let orbax = OrbaxCheckpoint::open(checkpoint.path()).unwrap();
    assert_eq!(orbax.version(), 0);
    assert_eq!(orbax.metadata()["metrics"], json!({ "val_loss": 1.0 / 3.1 }));
    assert_eq!(orbax.json("jarrah").unwrap()["step"], 3);
    let tree = orbax.tree("state").unwrap();
    assert_eq!(tree.leaves().len(), snapshot(3).tensors.len());
    for (name, value) in snapshot(3).tensors {
        let leaf = tree.get(&name.replace('/', ".")).unwrap();
        assert_eq!(leaf.leaf_type(), &OrbaxLeafType::Numpy);
        assert_eq!(leaf.literal().unwrap(), value, "{name}");
    }
}

#[test]
fn every_element_type_is_saved_and_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = saved(dir.path(), every_dtype(1));
    checkpoint.verify().unwrap();
    assert!(same(&checkpoint.load().unwrap(), &every_dtype(1)));
    assert_eq!(checkpoint.tensors().len(), 60);
}

#[test]
fn a_snapshot_without_tensors_is_saved_and_loaded() {
    let dir = tempfile::tempdir().unwrap();
    let empty = Snapshot { tensors: Vec::new(), ..snapshot(4) };
    let checkpoint = saved(dir.path(), empty.clone());
    checkpoint.verify().unwrap();
    assert!(same(&checkpoint.load().unwrap(), &empty));
}

#[test]
fn the_hash_is_over_tensors_step_and_data_alone() {
    let dir = tempfile::tempdir().unwrap();
    let hash = |s: Snapshot| saved(dir.path(), s).hash().unwrap();
    let first = hash(snapshot(5));
    assert_eq!(first, "ea8e18016fe33c1dbc358d5416ed300eb9cf55c8a0d0e10604c364ecc608709b");

    let mut other = snapshot(5);
    other.tensors.reverse();
    other.state.metrics.clear();
    other.state.model = json!("another description");
    other.state.extra = json!(null);
    other.state.data = json!({"position": 80, "order": [3, 1, 2], "epoch": 1});
    assert_eq!(hash(other), first);

    let changes: [fn(&mut Snapshot); 6] = [
        |s| s.step += 1,
        |s| s.tensors[0].1.bytes_mut()[23] ^= 0x80,
        |s| s.tensors[0].0 = "params/wpe".into(),
        |s| s.tensors[0].1 = s.tensors[0].1.reshape(&[3, 2]).unwrap(),
        |s| s.state.data["position"] = json!(81),
        |s| drop(s.tensors.pop()),
    ];
    for (i, change) in changes.iter().enumerate() {
        let mut other = snapshot(5);
        change(&mut other);
        assert_ne!(hash(other), first, "change {i}");
    }
}

#[test]
fn another_model_is_refused_with_both_shapes() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = saved(dir.path(), snapshot(1));
    let mut model: Vec<(String, Type)> =
        checkpoint.tensors().iter().map(|t| (t.name.clone(), t.ty)).collect();
    model.reverse();
    checkpoint.expect(&model).unwrap();

    model.retain(|(name, _)| name != "opt/count");
    model.push(("params/wpe".into(), Type::tensor(DType::F32, [4])));
    let wte = model.iter_mut().find(|(name, _)| name == "params/wte").unwrap();
    wte.1 = Type::tensor(DType::F32, [2, 4]);
    let error = checkpoint.expect(&model).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    let path = checkpoint.path().display();
    assert_eq!(
        error.to_string(),
        format!(
            "{path} is of another model: 3 of 6 tensors differ\n  \
             = params/wte: the model has f32[2,4], the checkpoint f32[2,3]\n  \
             = params/wpe: the model has f32[4], the checkpoint nothing\n  \
             = opt/count: the model has nothing, the checkpoint i32[]\n  \
             = help: give the recipe the checkpoint was made with"
        )
    );
}

#[test]
fn what_cannot_be_written_is_refused_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    let mut twice = snapshot(1);
    twice.tensors.push(("opt/count".into(), Literal::scalar(0i32)));
    let mut deep = snapshot(1);
    deep.state.extra = (0..200).fold(json!(0), |inner, _| json!([inner]));
    let named = |names: &[&str]| {
        let tensors = names.iter().map(|name| ((*name).to_owned(), Literal::scalar(0i32))).collect();
        Snapshot { tensors, ..snapshot(1) }
    };
    let many = vec!["a"; 200].join("/");
    for (bad, kind, words) in [
        (twice, ErrorKind::Program, "\"opt/count\" is taken"),
        (deep, ErrorKind::Program, "cannot be written as JSON"),
        (named(&["a/b", "a/b/c"]), ErrorKind::Program, "\"a/b\" would have \"a/b/c\" below it"),
        (named(&["a/b", "a.b"]), ErrorKind::Input, "have the name a.b"),
        (named(&["a\0"]), ErrorKind::Input, "zero byte"),
        (named(&[many.as_str()]), ErrorKind::Program, "200 parts"),
    ] {
        manager.save(bad);
        let error = manager.wait().unwrap().unwrap_err();
        assert!(error.kind() == kind && error.message().contains(words), "{error}");
        assert!(crate::common::leftovers(dir.path()).is_empty());
    }
    let error = latest(dir.path()).err().unwrap();
    assert_eq!(error.message(), format!("there is no checkpoint in {}", dir.path().display()));
}
