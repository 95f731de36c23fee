use std::collections::BTreeMap;
use std::fs;

use jarrah_base::{DType, Literal};
use jarrah_formats::{GgufFields, GgufStore, SaveOptions, Tensor, Tensors, save, save_file, save_gguf};

use super::{golden, open};

fn same_file(ours: &std::path::Path, name: &str) {
    assert!(fs::read(ours).unwrap() == fs::read(golden(name)).unwrap(), "{} is not {name}", ours.display());
}

#[test]
fn a_file_written_again_is_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.safetensors");
    for name in ["types.safetensors", "gguf.safetensors", "lora/adapter_model.safetensors"] {
        let tensors = open(name);
        let all: Vec<Tensor<'_>> = tensors.iter().collect();
        save_file(&path, &all, tensors.metadata()).unwrap();
        same_file(&path, name);
    }
}

/// Transformers fills shards in the order in which a model has its tensors, which a file does not keep: what a shard has is
/// taken from its own index.
#[test]
fn shards_and_their_index_are_those_of_transformers() {
    let folder = tempfile::tempdir().unwrap();
    let tensors = open("llama");
    let mut all: Vec<Tensor<'_>> = tensors.iter().collect();
    all.sort_by_key(|tensor| tensors.file_of(tensor.name()).unwrap().to_owned());
    let options = SaveOptions { shard_bytes: 6000, ..SaveOptions::default() };
    let names = save(folder.path(), &all, &options).unwrap();
    assert_eq!(names.len(), 2);
    for name in &names {
        same_file(&folder.path().join(name), &format!("llama/{name}"));
    }
    let index = |path: &std::path::Path| -> serde_json::Value {
        serde_json::from_slice(&fs::read(path.join("model.safetensors.index.json")).unwrap()).unwrap()
    };
    let (ours, theirs) = (index(folder.path()), index(&golden("llama")));
    assert_eq!(ours["weight_map"], theirs["weight_map"]);
    assert_eq!(ours["metadata"]["total_size"], theirs["metadata"]["total_size"]);
}

/// Shards that an earlier writing left would be read in the place of the new ones.
#[test]
fn writing_again_removes_the_shards_of_before() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("config.json"), "{}").unwrap();
    let tensors = open("llama");
    let all: Vec<Tensor<'_>> = tensors.iter().collect();
    let names = |folder: &std::path::Path| {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let small = SaveOptions { shard_bytes: 3000, ..SaveOptions::default() };
    assert_eq!(save(folder.path(), &all, &small).unwrap().len(), 5);
    assert_eq!(names(folder.path()).len(), 7);
    // The tensors of a folder may be written to that folder.
    let again = Tensors::open(folder.path()).unwrap();
    let again: Vec<Tensor<'_>> = again.iter().collect();
    assert_eq!(save(folder.path(), &again, &SaveOptions::default()).unwrap(), ["model.safetensors"]);
    assert_eq!(names(folder.path()), ["config.json", "model.safetensors"]);
    let whole = Tensors::open(folder.path()).unwrap();
    for tensor in tensors.iter() {
        assert!(whole.get(tensor.name()).unwrap().literal().unwrap() == tensor.literal().unwrap());
    }
}

#[test]
fn a_gguf_file_written_again_is_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gguf");
    for name in ["all.gguf", "floats.gguf"] {
        let tensors = open(name);
        let all: Vec<Tensor<'_>> = tensors.iter().collect();
        save_gguf(&path, tensors.fields(), &all, GgufStore::AsIs).unwrap();
        same_file(&path, name);
    }
}

/// Blocks are those of the `gguf` package's quantizers: zeros, ties, equal magnitudes of both signs, tiny numbers.
#[test]
fn quantized_blocks_are_those_of_gguf() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gguf");
    let golden = open("floats.gguf");
    let exact = golden.get("F32").unwrap();
    for (store, name) in [(GgufStore::Q8_0, "Q8_0"), (GgufStore::Q4_0, "Q4_0")] {
        save_gguf(&path, &GgufFields::default(), std::slice::from_ref(&exact), store).unwrap();
        let ours = Tensors::open(&path).unwrap();
        let ours = ours.get("F32").unwrap();
        assert_eq!(ours.encoding(), golden.get(name).unwrap().encoding());
        assert!(ours.stored() == golden.get(name).unwrap().stored(), "{name}");
    }
    save_gguf(&path, &GgufFields::default(), std::slice::from_ref(&exact), GgufStore::F16).unwrap();
    let ours = Tensors::open(&path).unwrap();
    let half = exact.clone().to(DType::F16).unwrap().literal().unwrap();
    assert!(ours.get("F32").unwrap().literal().unwrap() == half);
}

/// Vectors stay exact, rows that are no whole blocks are halves, integers are integers.
#[test]
fn what_cannot_be_in_blocks_is_stored_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.gguf");
    let vector = Literal::from_slice(&[32], &[0.1f32; 32]).unwrap();
    let odd = Literal::from_slice(&[2, 16], &[0.1f32; 32]).unwrap();
    let ids = Literal::from_slice(&[2, 16], &[3i32; 32]).unwrap();
    let all = [Tensor::of("vector", &vector), Tensor::of("odd", &odd), Tensor::of("ids", &ids)];
    save_gguf(&path, &GgufFields::default(), &all, GgufStore::Q4_0).unwrap();
    let tensors = Tensors::open(&path).unwrap();
    let shown: Vec<String> = tensors.iter().map(|tensor| tensor.to_string()).collect();
    assert_eq!(shown, ["vector f32[32]", "odd f16[2, 16]", "ids i32[2, 16]"]);
    let words = Literal::from_slice(&[2], &[3u32; 2]).unwrap();
    let e = save_gguf(&path, &GgufFields::default(), &[Tensor::of("w", &words)], GgufStore::AsIs)
        .unwrap_err()
        .to_string();
    assert!(e.contains("w u32[2] cannot be stored in a GGUF file"), "{e}");
}

#[test]
fn pickles_become_safetensors() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.safetensors");
    let tensors = open("zip.pt");
    let all: Vec<Tensor<'_>> = tensors.iter().filter(|tensor| tensor.name() != "complex128").collect();
    save_file(&path, &all, &BTreeMap::new()).unwrap();
    let values = open("torch.safetensors");
    for tensor in Tensors::open(&path).unwrap().iter() {
        assert!(
            tensor.literal().unwrap() == values.get(tensor.name()).unwrap().literal().unwrap(),
            "{tensor}"
        );
    }
}

#[test]
fn names_that_clash_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let x = Literal::scalar(1f32);
    let clash = [Tensor::of("a", &x), Tensor::of("b", &x), Tensor::of("a", &x)];
    let e = save(folder.path(), &clash, &SaveOptions::default()).unwrap_err().to_string();
    assert!(e.contains("two tensors are called a"), "{e}");
    let e = save_file(&folder.path().join("x"), &clash, &BTreeMap::new()).unwrap_err().to_string();
    assert!(e.contains("two tensors are called a"), "{e}");
    let e = save(folder.path(), &[Tensor::of("__metadata__", &x)], &SaveOptions::default())
        .unwrap_err()
        .to_string();
    assert!(e.contains("__metadata__"), "{e}");
}
