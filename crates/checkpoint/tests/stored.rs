//! Arrays of any checkpoint or file, by name.

use std::fs;

use jarrah_base::{DType, Error, ErrorKind, Literal, c64};
use jarrah_checkpoint::{
    CheckpointManager, CheckpointManagerOptions, Conversion, LeafRules, Statistics, StoredFormat, StoredTree,
    TargetFormat,
};
use jarrah_formats::msgpack::{FlaxNode, write_flax};
use jarrah_formats::{FileFormat, Tensor, save_file};

use crate::common::snapshot;

fn golden(name: &str) -> String {
    format!("{}/../formats/tests/golden/orbax/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn names(tree: &StoredTree) -> Vec<&str> {
    tree.leaves().iter().map(|leaf| leaf.name()).collect()
}

#[test]
fn checkpoints_and_files_of_all_kinds_are_trees_of_named_arrays() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(snapshot(7));
    let run = manager.wait().unwrap().unwrap().path;
    let run = StoredTree::open(run).unwrap();
    assert_eq!(run.format(), StoredFormat::Run);
    assert_eq!(run.get("params.head.b").unwrap().literal().unwrap(), snapshot(7).tensors[1].1);

    let w = Literal::from_slice(&[2], &[1.0f32, 2.0]).unwrap();
    let file = dir.path().join("w.safetensors");
    save_file(&file, &[Tensor::of("a.w", &w)], &Default::default()).unwrap();
    let flax = dir.path().join("w.msgpack");
    let tree = FlaxNode::Map([("w".to_owned(), FlaxNode::Array(w.clone()))].into());
    let tree = FlaxNode::Map([("a".to_owned(), tree)].into());
    fs::write(&flax, write_flax(&tree, 1 << 30).unwrap()).unwrap();
    for (path, format) in [(file, StoredFormat::Tensors(FileFormat::Safetensors)), (flax, StoredFormat::Flax)]
    {
        let tree = StoredTree::open(&path).unwrap();
        assert_eq!((tree.format(), names(&tree)), (format, vec!["a.w"]));
        assert_eq!(tree.leaves()[0].literal().unwrap(), w);
        assert_eq!(tree.leaves()[0].bytes(), Some(8));
    }

    let orbax = StoredTree::open(golden("managed")).unwrap();
    assert_eq!(orbax.format(), StoredFormat::Orbax(0));
    assert_eq!(orbax.get("state.w").unwrap().to_string(), "state.w f32[3,4]");
}

#[test]
fn places_without_arrays_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("text"), "no arrays").unwrap();
    fs::write(dir.path().join("x.msgpack"), [0xc1]).unwrap();
    let refused = |path: &str| -> Error {
        let error = StoredTree::open(dir.path().join(path)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        error
    };
    assert!(refused("nothing").message().starts_with("there is no "));
    assert!(refused(".").message().contains("is no checkpoint of Orbax"));
    assert!(refused("x.msgpack").to_string().contains("begins no value"));
    refused("text");
    let tree = StoredTree::open(golden("managed")).unwrap();
    let error = tree.get("layer.w").unwrap_err().to_string();
    assert!(error.contains("has no leaf \"layer.w\"") && error.contains("it has state.w"), "{error}");
}

fn tree(dir: &std::path::Path, name: &str, tensors: &[(&str, Literal)]) -> StoredTree {
    let path = dir.join(name);
    let tensors: Vec<Tensor<'_>> = tensors.iter().map(|(name, x)| Tensor::of(*name, x)).collect();
    save_file(&path, &tensors, &Default::default()).unwrap();
    StoredTree::open(path).unwrap()
}

#[test]
fn differences_are_of_structure_types_and_elements() {
    let dir = tempfile::tempdir().unwrap();
    let floats = |x: &[f32]| Literal::from_slice(&[x.len() / 2, 2], x).unwrap();
    let one = [1.0, f32::NAN, 3.0, -0.0, 5.0, f32::INFINITY];
    let two = [1.0, f32::NAN, 3.5, 0.0, 5.0, 6.0];
    let complex = |re| Literal::from_slice(&[1], &[c64::new(re, 4.0)]).unwrap();
    let count = |x| Literal::scalar::<i32>(x);
    let a = [
        ("first", floats(&one)),
        ("gone", count(1)),
        ("kind", count(1)),
        ("same", floats(&one)),
        ("z", complex(0.0)),
    ];
    let b = [
        ("first", floats(&two)),
        ("kind", Literal::scalar(1i64)),
        ("new", count(2)),
        ("same", floats(&one)),
        ("z", complex(3.0)),
    ];
    let (a, b) = (tree(dir.path(), "a.safetensors", &a), tree(dir.path(), "b.safetensors", &b));
    let said = |tolerance| -> Vec<String> {
        a.differences(&b, tolerance).unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        said(0.0),
        [
            "first f32[3,2]: 3 of 6 elements, at most 0.5 apart; at [1, 0] 3 and 3.5",
            "only in the first: gone i32[]",
            "kind: i32[] and i64[]",
            "only in the second: new i32[]",
            "z c64[1]: 1 of 1 elements, at most 3 apart; at [0] 4 and 5",
        ]
    );
    // An infinite element and a number are apart by more than any tolerance.
    assert_eq!(said(0.5)[0], "first f32[3,2]: 1 of 6 elements, at most 0 apart; at [2, 1] inf and 6");
    assert_eq!(said(3.0).len(), 4);
    assert!(a.differences(&a, 0.0).unwrap().is_empty());
}

#[test]
fn statistics_are_those_of_finite_elements() {
    let of = |x: &[f32]| Statistics::of(&Literal::from_slice(&[x.len()], x).unwrap());
    let some = of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, f32::NAN, f32::NEG_INFINITY, 0.0]);
    assert_eq!((some.least, some.largest), (Some(0.0), Some(9.0)));
    assert_eq!((some.count, some.zeros, some.nans, some.infinite), (11, 1, 1, 1));
    assert!((some.mean.unwrap() - 40.0 / 9.0).abs() < 1e-12);
    assert_eq!(some.to_string(), "0 to 9, mean 4.4444, std 2.4545, 1 zero, 1 NaN, 1 infinite");
    assert_eq!(of(&[f32::NAN; 3]).to_string(), "no finite element, 3 NaN");
    assert_eq!(of(&[]).to_string(), "no elements");
    assert_eq!(of(&[1e-8, -1e-8]).to_string(), "-1.000e-8 to 1.000e-8, mean 0, std 1.000e-8");
    let narrow = Literal::full(jarrah_base::Type::tensor(DType::I4, [3]), -2.0).unwrap();
    assert_eq!(Statistics::of(&narrow).mean, Some(-2.0));
}

#[test]
fn rules_that_are_none_are_refused_with_their_line() {
    for (rules, says) in [
        ("a.b", "line 1 of the rules, \"a.b\", has no `->`"),
        ("\n# comment\na.* -> b", "line 3 of the rules, \"a.* -> b\", has other stars"),
        ("a.** -> b.*", "has other stars"),
        ("-> b", "fits no name"),
        ("a ->", "gives no name"),
    ] {
        let error = LeafRules::parse(rules).unwrap_err();
        assert!(error.message().contains(says), "{error}");
    }
}

#[test]
fn the_first_rule_that_fits_gives_the_name() {
    let dir = tempfile::tempdir().unwrap();
    let given = ["a.1.c.d.e", "a.1.2.c.d", "x", "xy", "k.1.2.w", "k.1.w"];
    let all = given.map(|name| (name, Literal::scalar(1f32)));
    let rules = LeafRules::parse("a.*.c.** -> *.**\nx** -> y**\nk.*.*.w -> k.*.*").unwrap();
    let mut renamed: Vec<String> = Vec::new();
    for leaf in all {
        let tree = tree(dir.path(), "one.safetensors", &[leaf]).transformed(&rules).unwrap();
        renamed.push(tree.leaves()[0].name().to_owned());
    }
    assert_eq!(renamed, ["1.d.e", "a.1.2.c.d", "x", "yy", "k.1.2", "k.1.w"]);
}

#[test]
fn trees_are_converted_between_all_formats() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let w = Literal::from_slice(&[2, 2], &[1.0f32, -2.5, f32::NAN, 0.0]).unwrap();
    let step = Literal::scalar(7i32);
    let from = tree(dir.path(), "from.safetensors", &[("layers.0.w", w.clone()), ("step", step.clone())]);
    let as_is = Conversion::default();
    for (name, format, of) in [
        ("orbax", TargetFormat::Orbax, StoredFormat::Orbax(0)),
        ("w.msgpack", TargetFormat::Flax, StoredFormat::Flax),
        ("w.safetensors", TargetFormat::Safetensors, StoredFormat::Tensors(FileFormat::Safetensors)),
    ] {
        assert_eq!(from.write(at(name), format, &as_is).unwrap(), 2);
        let written = StoredTree::open(at(name)).unwrap();
        assert_eq!(written.format(), of);
        assert_eq!(from.differences(&written, 0.0).unwrap(), [], "{name}");
        let error = from.write(at(name), format, &as_is).unwrap_err();
        assert!(error.message().contains("is there already"), "{error}");
    }
    let changes = Conversion {
        rules: LeafRules::parse("layers.** -> params.**\nstep -> -").unwrap(),
        dtype: Some(DType::F64),
    };
    let orbax = StoredTree::open(at("orbax")).unwrap();
    assert_eq!(orbax.write(at("other"), TargetFormat::Orbax, &changes).unwrap(), 1);
    let other = StoredTree::open(at("other")).unwrap();
    assert_eq!(other.leaves()[0].to_string(), "params.0.w f64[2,2]");
    assert_eq!(other.leaves()[0].literal().unwrap().to_f64_vec()[..2], [1.0, -2.5]);
}

#[test]
fn conversions_that_would_lose_a_leaf_are_refused_and_leave_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let one = || Literal::scalar(1f32);
    let from = tree(dir.path(), "from.safetensors", &[("a", one()), ("b", one()), ("c.d", one())]);
    let refused = |rules: &str, format| {
        let changes = Conversion { rules: LeafRules::parse(rules).unwrap(), dtype: None };
        let error = from.write(dir.path().join("to"), format, &changes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{error}");
        error.to_string()
    };
    for format in [TargetFormat::Safetensors, TargetFormat::Orbax, TargetFormat::Flax] {
        assert!(refused("a -> b", format).contains("two leaves are called \"b\""));
        assert!(refused("** -> -", format).contains("no leaf is left"));
    }
    for format in [TargetFormat::Orbax, TargetFormat::Flax] {
        for rules in ["a -> c", "a -> c.d.e", "c.d -> a.d"] {
            assert!(refused(rules, format).contains("as the beginning"), "{rules}");
        }
    }
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["from.safetensors"]);
}

#[test]
fn integers_beyond_the_floats_differ_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let one = tree(dir.path(), "one.safetensors", &[("n", Literal::scalar((1i64 << 53) + 1))]);
    let two = tree(dir.path(), "two.safetensors", &[("n", Literal::scalar(1i64 << 53))]);
    let far = tree(dir.path(), "far.safetensors", &[("n", Literal::scalar(i64::MIN))]);
    assert_eq!(one.differences(&two, 0.5).unwrap().len(), 1);
    assert!(one.differences(&two, 1.0).unwrap().is_empty());
    assert_eq!(one.differences(&far, 1e18).unwrap().len(), 1);
}

/// A key with a dot is one key, as the names of PyTorch's state dictionaries are.
#[test]
fn keys_with_dots_stay_keys() {
    let dir = tempfile::tempdir().unwrap();
    let w = FlaxNode::Array(Literal::scalar(1f32));
    let inner = FlaxNode::Map([("0.weight".to_owned(), w.clone())].into());
    let at = |name: &str| dir.path().join(name);
    let flax = write_flax(&FlaxNode::Map([("net".to_owned(), inner)].into()), 1 << 30).unwrap();
    fs::write(at("a.msgpack"), flax).unwrap();
    let from = StoredTree::open(at("a.msgpack")).unwrap();
    assert_eq!(from.leaves()[0].keys(), ["net", "0.weight"]);
    from.write(at("orbax"), TargetFormat::Orbax, &Conversion::default()).unwrap();
    let written = StoredTree::open(at("orbax")).unwrap();
    assert_eq!(written.leaves()[0].keys(), ["net", "0.weight"]);
    // Two leaves with one name cannot be told apart.
    let below = FlaxNode::Map([("b".to_owned(), w.clone())].into());
    let twice = FlaxNode::Map([("a".to_owned(), below), ("a.b".to_owned(), w)].into());
    fs::write(at("twice.msgpack"), write_flax(&twice, 1 << 30).unwrap()).unwrap();
    let error = StoredTree::open(at("twice.msgpack")).unwrap_err();
    assert!(error.message().ends_with("has two leaves called a.b"), "{error}");
}

#[test]
fn folders_of_distributed_pytorch_are_trees_of_whole_arrays() {
    let torch = |name: &str| format!("{}/../formats/tests/golden/distcp/{name}", env!("CARGO_MANIFEST_DIR"));
    let tree = StoredTree::open(torch("four")).unwrap();
    assert_eq!(tree.format(), StoredFormat::Tensors(FileFormat::TorchDistributed));
    assert_eq!(tree.others(), ["names"]);
    let values = StoredTree::open(torch("four.safetensors")).unwrap();
    for leaf in values.leaves() {
        assert_eq!(tree.get(leaf.name()).unwrap().literal().unwrap(), leaf.literal().unwrap(), "{leaf}");
    }
    assert_eq!(tree.leaves().len(), values.leaves().len());
    let both = tree.get("both").unwrap();
    assert_eq!(
        both.region(&[1..4, 3..6]).unwrap(),
        values.get("both").unwrap().region(&[1..4, 3..6]).unwrap()
    );
    let dir = tempfile::tempdir().unwrap();
    fs::copy(format!("{}/.metadata", torch("four")), dir.path().join(".metadata")).unwrap();
    fs::write(dir.path().join("__0_0.distcp"), "").unwrap();
    let error = StoredTree::open(dir.path()).unwrap_err().to_string();
    assert!(error.contains("which is not there") || error.contains("cut short"), "{error}");
}
