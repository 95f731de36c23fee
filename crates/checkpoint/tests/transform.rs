//! Leaves that rules make of others.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use jarrah_array::Array;
use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_checkpoint::{
    CheckpointItems, CheckpointManager, CheckpointManagerOptions, Conversion, LeafRules, RestoreOptions,
    ShardedTensor, StoredTree, TargetFormat, TensorShard,
};
use jarrah_formats::{Tensor, save_file};

use crate::common::{Random, cut, files};

/// Numbers from `first` on.
fn numbers(dims: &[usize], first: usize) -> Literal {
    let all: Vec<f64> = (0..dims.iter().product()).map(|at: usize| (first + at) as f64).collect();
    Literal::from_f64s(Type::tensor(DType::F32, dims.iter().copied()), &all).unwrap()
}

fn stored(dir: &Path, tensors: &[(&str, Literal)]) -> StoredTree {
    let tensors: Vec<Tensor<'_>> = tensors.iter().map(|(name, x)| Tensor::of(*name, x)).collect();
    save_file(dir.join("w.safetensors"), &tensors, &Default::default()).unwrap();
    StoredTree::open(dir.join("w.safetensors")).unwrap()
}

fn transformed(tree: &StoredTree, rules: &str) -> StoredTree {
    tree.transformed(&LeafRules::parse(rules).unwrap()).unwrap()
}

fn shown(tree: &StoredTree) -> Vec<String> {
    tree.leaves().iter().map(ToString::to_string).collect()
}

#[test]
fn a_fused_projection_is_split_and_the_parts_are_fused_again() {
    let dir = tempfile::tempdir().unwrap();
    let qkv = numbers(&[4, 6], 0);
    let tree = stored(dir.path(), &[("layers.0.qkv.kernel", qkv.clone()), ("step", Literal::scalar(7))]);
    let apart = transformed(
        &tree,
        "layers.*.qkv.** -> layers.*.q.**, layers.*.k.**, layers.*.v.** : split -1 into 3,2,1",
    );
    assert_eq!(
        shown(&apart),
        [
            "layers.0.q.kernel f32[4,3]",
            "layers.0.k.kernel f32[4,2]",
            "layers.0.v.kernel f32[4,1]",
            "step i32[]"
        ]
    );
    assert_eq!(apart.get("layers.0.k.kernel").unwrap().literal().unwrap(), cut(&qkv, &[0..4, 3..5]));
    assert_eq!(
        apart.get("layers.0.k.kernel").unwrap().region(&[1..3, 1..2]).unwrap(),
        cut(&qkv, &[1..3, 4..5])
    );

    let heads = transformed(
        &apart,
        "layers.*.q.kernel, layers.*.k.kernel, layers.*.v.kernel -> layers.*.qkv : concat 1 : reshape 4,-1,2",
    );
    assert_eq!(shown(&heads), ["layers.0.qkv f32[4,3,2]", "step i32[]"]);
    assert_eq!(heads.get("layers.0.qkv").unwrap().literal().unwrap(), qkv.reshape(&[4, 3, 2]).unwrap());
}

#[test]
fn layers_are_scanned_by_their_numbers_and_taken_apart_again() {
    let dir = tempfile::tempdir().unwrap();
    let layers: Vec<(String, Literal)> =
        (0..12).map(|i| (format!("layers_{i}.w"), numbers(&[2, 3], 100 * i))).collect();
    let layers: Vec<(&str, Literal)> = layers.iter().map(|(name, x)| (name.as_str(), x.clone())).collect();
    let tree = stored(dir.path(), &layers);
    for (axis, dims, at) in [(0, [12, 2, 3], 0), (1, [2, 12, 3], 1), (-1, [2, 3, 12], 2)] {
        let scanned = transformed(&tree, &format!("layers_#.w -> layers.w : stack {axis}"));
        let leaf = scanned.get("layers.w").unwrap();
        assert_eq!(leaf.ty().unwrap().dims().to_vec(), dims);
        let whole = leaf.literal().unwrap();
        for number in [2, 11] {
            // The numbers are in the order of numbers, not of texts.
            let mut region: Vec<Range<usize>> = dims.iter().map(|&extent| 0..extent).collect();
            region[at] = number..number + 1;
            let expected = numbers(&[2, 3], 100 * number);
            assert_eq!(cut(&whole, &region).reshape(&[2, 3]).unwrap(), expected);
            assert_eq!(leaf.region(&region).unwrap().reshape(&[2, 3]).unwrap(), expected);
        }
        let apart = transformed(&scanned, &format!("layers.w -> layers_#.w : unstack {axis}"));
        let values: Vec<_> =
            apart.leaves().iter().map(|leaf| (leaf.name(), leaf.literal().unwrap())).collect();
        assert_eq!(values, layers);
    }
    let joined = transformed(&tree, "layers_#.w -> all : concat 0 : cast bf16");
    assert_eq!(shown(&joined), ["all bf16[24,3]"]);
    assert_eq!(joined.leaves()[0].literal().unwrap().to_f64_vec()[66..68], [1104.0, 1104.0]);
}

#[test]
fn a_box_of_a_reshaped_leaf_has_the_elements_of_the_reshaped_value() {
    let dir = tempfile::tempdir().unwrap();
    let shapes: [&[usize]; 9] =
        [&[48], &[6, 8], &[8, 6], &[4, 12], &[2, 3, 8], &[2, 1, 24], &[3, 2, 2, 4], &[1, 48, 1], &[16, 3]];
    let mut random = Random(0x5eed_0001);
    for from in shapes {
        let whole = numbers(from, 0);
        let tree = stored(dir.path(), &[("w", whole.clone())]);
        for to in shapes {
            let extents = to.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            let view = transformed(&tree, &format!("w -> w : reshape {extents}"));
            let expected = whole.reshape(to).unwrap();
            assert_eq!(view.leaves()[0].literal().unwrap(), expected);
            for _ in 0..8 {
                let side = |&extent: &usize| {
                    let begin = random.below(extent as u64) as usize;
                    begin..begin + 1 + random.below((extent - begin) as u64) as usize
                };
                let region: Vec<Range<usize>> = to.iter().map(side).collect();
                let found = view.leaves()[0].region(&region).unwrap();
                assert_eq!(found, cut(&expected, &region), "{from:?} to {to:?} at {region:?}");
            }
        }
    }
}

#[test]
fn new_leaves_have_one_value_and_empty_ones_none() {
    let dir = tempfile::tempdir().unwrap();
    let tree = stored(dir.path(), &[("w", numbers(&[0, 4], 0))]);
    let rules = "-> bias : fill -0.5 bf16[2,3]\n-> count : fill 3 i32[]\nw -> w : reshape 2,0 : cast f16";
    let made = transformed(&tree, rules);
    assert_eq!(shown(&made), ["w f16[2,0]", "bias bf16[2,3]", "count i32[]"]);
    assert_eq!(made.get("bias").unwrap().region(&[1..2, 0..2]).unwrap().to_f64_vec(), [-0.5, -0.5]);
    assert_eq!(made.get("count").unwrap().literal().unwrap(), Literal::scalar(3i32));
    assert!(made.get("w").unwrap().literal().unwrap().is_empty());
    let error = made.get("bias").unwrap().region(&[0..3, 0..1]).unwrap_err();
    assert!(
        error.kind() == ErrorKind::Program && error.message().contains("the leaf bias bf16[2,3]"),
        "{error}"
    );
}

#[test]
fn leaves_that_cannot_be_made_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let tree = stored(
        dir.path(),
        &[
            ("layers.0.w", numbers(&[2, 3], 0)),
            ("layers.2.w", numbers(&[2, 3], 0)),
            ("q", numbers(&[2, 3], 0)),
            ("k", numbers(&[3, 3], 0)),
            ("n", Literal::scalar(1i32)),
        ],
    );
    for (rules, says) in [
        ("layers.#.w -> layers.w : stack 0", "the leaf layers.1.w is missing: layers.w is made of it"),
        ("q, v -> qv : concat 0", "the leaf v is missing: qv is made of it"),
        (
            "q, k -> qk : stack 0",
            "qk cannot be made of f32[1,2,3] and f32[1,3,3], which do not fit along the axis 0",
        ),
        ("q, n -> qn : concat 0", "qn cannot be made of f32[2,3] and i32[]"),
        ("q -> a, b : split 1", "a, b cannot be 2 equal parts of f32[2,3] along the axis 1"),
        (
            "q -> a, b : split 1 into 1,1",
            "a, b cannot be parts [1, 1] of f32[2,3]: the extent along the axis 1 is 3",
        ),
        ("q -> a, b : split 1 into 1,1,1", "a, b are 2 leaves of 3 parts"),
        ("q -> a, b : split 2", "a, b has no axis 2: there are 2"),
        ("n -> n.# : unstack 0", "n.# has no axis 0: there are 0"),
        ("q -> q : reshape 4,-1", "q cannot have the extents 4,-1 of the elements of f32[2,3]"),
        ("q -> q : cast i32", "q cannot be i32 of f32[2,3]"),
        ("q -> k : reshape 6", "two leaves are called \"k\""),
        ("-> q : fill 0 f32[1]", "two leaves are called \"q\""),
    ] {
        let error = tree.transformed(&LeafRules::parse(rules).unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(error.message().contains(says), "{rules}: {error}");
    }
    for (rules, says) in [
        ("a -> b : mangle 3", "has the step \"mangle 3\", which is none"),
        ("a -> b : split x", "has the step \"split x\""),
        ("a -> b :", "has the step \"\""),
        ("a, b -> c : reshape 3", "takes several leaves, and has no step"),
        ("a -> b, c : reshape 3", "makes several leaves, and has no step"),
        ("a.# -> b : split 0", "has a `#` before `->`"),
        ("a.#.# -> b : stack 0", "has a `#` before `->`"),
        ("a -> b : unstack 0", "needs one `#` behind `->`"),
        ("a -> b.# : stack 0", "needs one `#` behind `->`"),
        ("a -> b : reshape 2 : stack 0", "joins leaves behind another step"),
        ("a -> b, c : split 0 : split 1", "cuts leaves twice"),
        ("a -> b : reshape -1,-1", "has the step \"reshape -1,-1\""),
        ("a -> b : fill 0 f32[1]", "fills a new leaf"),
        ("a -> - : reshape 3", "drops leaves, so no step follows"),
        ("a.* -> b, c.* : split 0", "has other stars"),
    ] {
        let error = LeafRules::parse(rules).unwrap_err();
        assert!(error.message().contains(says), "{rules}: {error}");
    }
    // A colon within a key is a part of it.
    assert_eq!(transformed(&tree, "q -> a:b").get("a:b").unwrap().name(), "a:b");
}

#[test]
fn transformed_leaves_are_written_in_all_formats() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let from = stored(dir.path(), &[("layers.0.w", numbers(&[4], 0)), ("layers.1.w", numbers(&[4], 10))]);
    let rules = || LeafRules::parse("layers.#.w -> params.w : stack 0").unwrap();
    for (name, format) in [
        ("o", TargetFormat::Orbax),
        ("a.msgpack", TargetFormat::Flax),
        ("a.safetensors", TargetFormat::Safetensors),
    ] {
        let changes = Conversion { rules: rules(), dtype: None };
        assert_eq!(from.write(at(name), format, &changes).unwrap(), 1);
        let written = StoredTree::open(at(name)).unwrap();
        assert_eq!(shown(&written), ["params.w f32[2,4]"]);
        assert_eq!(written.leaves()[0].literal().unwrap().to_f64_vec()[3..6], [3.0, 10.0, 11.0]);
    }
}

/// A manager's checkpoint of a fused tensor in four shards, of which two are read where two of three parts are restored.
#[test]
fn of_sharded_leaves_the_needed_shards_alone_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let whole = numbers(&[512, 12], 0);
    let shard = |i: usize| {
        let region = vec![0..512, 3 * i..3 * (i + 1)];
        TensorShard { value: cut(&whole, &region), region }
    };
    let qkv = ShardedTensor::of_shards(whole.ty(), &[512, 3], (0..4).map(shard).collect()).unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(CheckpointItems::new(1).tensors("params", [("a/qkv", qkv)]).unwrap());
    manager.restore(None).unwrap().verify().unwrap();
    let folder = dir.path().join("step_00000001");
    // The last element of the last shard, where it lies in a file.
    let last = 6143f32.to_le_bytes();
    for file in files(&folder) {
        let mut bytes = fs::read(folder.join(&file)).unwrap();
        if let Some(at) = bytes.windows(4).position(|window| window == last) {
            bytes[at] ^= 1;
            fs::write(folder.join(&file), bytes).unwrap();
        }
    }
    let checkpoint = manager.restore(None).unwrap();
    checkpoint.verify().unwrap_err();
    let params = checkpoint.tree("params").unwrap();
    let rules = LeafRules::parse("a.qkv -> a.q, a.k, a.v : split 1 : reshape 512,2,2").unwrap();
    let restored = |names: &[&str]| {
        let zeros = |name: &&str| ((*name).to_owned(), Array::zeros(&[512, 2, 2]));
        let like = BTreeMap::from([("a".to_owned(), names.iter().map(zeros).collect::<BTreeMap<_, _>>())]);
        params.restore_as(
            &like,
            RestoreOptions { rules: rules.clone(), drop_surplus: true, ..Default::default() },
        )
    };
    let whole_parts = restored(&["q", "k"]).unwrap();
    assert_eq!(
        whole_parts["a"]["k"].to_literal().unwrap(),
        cut(&whole, &[0..512, 4..8]).reshape(&[512, 2, 2]).unwrap()
    );
    let error = restored(&["v"]).unwrap_err();
    assert!(error.message().contains("the shard [0..512, 9..12] of tensor a/qkv"), "{error}");
    let stored = StoredTree::open(&folder).unwrap();
    assert!(transformed(&stored, "a.qkv -> a.q, a.k, a.v : split 1").get("a.q").unwrap().literal().is_ok());
}

#[test]
fn comments_behind_rules_are_passed_over_and_steps_without_a_blank_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let tree = stored(dir.path(), &[("a.0", numbers(&[2], 0)), ("a.1", numbers(&[2], 2))]);
    let joined = transformed(&tree, "a.# -> a : stack 0        # layers apart become scanned ones\n");
    assert_eq!(shown(&joined), ["a f32[2,2]"]);
    let error = LeafRules::parse("a.0 -> b:cast bf16").unwrap_err();
    assert!(error.message().contains("has the step \"cast bf16\" with no blank behind the colon"), "{error}");
    // A colon in a name stays.
    assert_eq!(shown(&transformed(&tree, "a.0 -> b:c")), ["b:c f32[2]", "a.1 f32[2]"]);
}

#[test]
fn rules_that_fit_no_leaf_are_known_by_their_lines() {
    let dir = tempfile::tempdir().unwrap();
    let tree = stored(dir.path(), &[("a.0", numbers(&[2], 0))]);
    let changed = transformed(&tree, "a.* -> b.*\na.0 -> c\n\nparam.** -> -\n-> new : fill 0 f32[1]\n");
    assert_eq!(changed.unused_rules(), [2, 4]);
}

/// Numbers that a type has not are told; none is bent into one that it has.
#[test]
fn casts_and_fills_that_would_change_a_number_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        (
            Literal::from_slice(&[2], &[1i32, 2147483647]).unwrap(),
            "i8",
            "the element 1 of i32[2] is 2147483647, which is no i8",
        ),
        (Literal::from_slice(&[1], &[u64::MAX]).unwrap(), "i64", "which is no i64"),
        (
            Literal::from_slice(&[1], &[i32::MIN]).unwrap(),
            "u64",
            "the element 0 of i32[1] is -2147483648, which is no u64",
        ),
    ];
    for (value, dtype, told) in cases {
        let tree = stored(dir.path(), &[("w", value)]);
        let made = transformed(&tree, &format!("w -> v : cast {dtype}"));
        let error = made.get("v").unwrap().literal().unwrap_err();
        assert!(error.message().contains(told), "{error}");
    }
    let tree = stored(dir.path(), &[("w", Literal::from_slice(&[2], &[-3i64, 127]).unwrap())]);
    let narrow = transformed(&tree, "w -> w : cast i8").get("w").unwrap().literal().unwrap();
    assert_eq!(narrow.to_f64_vec(), [-3.0, 127.0]);
    for (fill, told) in [
        ("300 u8[1]", "fills with 300, which is no u8"),
        ("-1 u8[1]", "which is no u8"),
        ("1.5 i32[1]", "which is no i32"),
        ("nan i32[1]", "which is no i32"),
        ("9007199254740993 i64[1]", "which is no i64"),
        ("70000 f16[1]", "which is no f16"),
    ] {
        let error = LeafRules::parse(&format!("-> x : fill {fill}")).unwrap_err();
        assert!(error.message().contains(told), "{error}");
    }
    LeafRules::parse("-> x : fill 0.1 f16[1]\n-> y : fill -7 i8[2]\n-> z : fill inf f32[1]").unwrap();
    let error = LeafRules::parse("a -> b -> c").unwrap_err();
    assert!(error.message().contains("has two `->`"), "{error}");
}
