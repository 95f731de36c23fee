use std::fs;

use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_checkpoint::{Checkpoint, Manager, ManagerOptions, Snapshot, latest};
use serde_json::json;

use crate::common::{same, snapshot};

fn saved(dir: &std::path::Path, snapshot: Snapshot) -> Checkpoint {
    let mut manager = Manager::open(dir, ManagerOptions::default()).unwrap();
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
fn any_reader_of_the_format_reads_the_tensors() {
    let dir = tempfile::tempdir().unwrap();
    let checkpoint = saved(dir.path(), snapshot(3));
    let bytes = fs::read(checkpoint.path().join("tensors.safetensors")).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let wte = file.tensor("params/wte").unwrap();
    assert_eq!((wte.dtype(), wte.shape()), (safetensors::Dtype::F32, &[2, 3][..]));
    assert_eq!(wte.data(), snapshot(3).tensors[0].1.bytes());
    let address = |data: &[u8]| data.as_ptr() as usize - bytes.as_ptr() as usize;
    for (name, view) in file.tensors() {
        assert_eq!(address(view.data()) * 8 % view.dtype().bitsize(), 0, "{name} is not aligned");
    }
}

#[test]
fn the_hash_is_over_tensors_step_and_data_alone() {
    let dir = tempfile::tempdir().unwrap();
    let hash = |s: Snapshot| saved(dir.path(), s).hash();
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
    let mut manager = Manager::open(dir.path(), ManagerOptions::default()).unwrap();
    let mut twice = snapshot(1);
    twice.tensors.push(("opt/count".into(), Literal::scalar(0i32)));
    let mut deep = snapshot(1);
    deep.state.extra = (0..200).fold(json!(0), |inner, _| json!([inner]));
    for bad in [twice, deep] {
        manager.save(bad);
        assert_eq!(manager.wait().unwrap().unwrap_err().kind(), ErrorKind::Program);
        assert!(crate::common::leftovers(dir.path()).is_empty());
    }
    let error = latest(dir.path()).err().unwrap();
    assert_eq!(error.message(), format!("there is no checkpoint in {}", dir.path().display()));
}
