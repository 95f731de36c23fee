//! The writer of Orbax's checkpoints: laws of its databases, and trees and shards that it refuses.

#![allow(clippy::single_range_in_vec_init, reason = "a box of one axis has one range")]

use std::fs;
use std::ops::Range;
use std::process::Command;

use jarrah_base::{DType, Error, ErrorKind, Literal, Result, Type};
use jarrah_formats::{
    OrbaxArraySpec, OrbaxCheckpoint, OrbaxDescription, OrbaxHandler, OrbaxLeafSpec, OrbaxNode, OrbaxPart,
    OrbaxPlan, OrbaxSharding, OrbaxWriteOptions,
};
use jarrah_store::{Condition, Draft, MemoryStore, Name, ObjectStore, ObjectVersion, Upload};

use super::hostile::scratch;
use super::memory::peak;
use super::orbax_written::{grid, to_disk};

/// A dictionary of leaves with these keys.
fn dict(keys: &[&str]) -> OrbaxNode {
    let leaf = |(number, key): (usize, &&str)| (key.to_string(), OrbaxNode::Leaf(number));
    OrbaxNode::Dict(keys.iter().enumerate().map(leaf).collect())
}

fn bytes(dims: &[usize]) -> OrbaxLeafSpec {
    OrbaxLeafSpec::Array(OrbaxArraySpec::numpy(DType::U8, dims))
}

fn files() -> OrbaxWriteOptions {
    OrbaxWriteOptions { use_ocdbt: false, ..OrbaxWriteOptions::default() }
}

/// A database of so many keys, which are chunks of one array, read again; gives the height of its tree.
fn keys(count: usize, node_bytes: usize, inline_bytes: usize) -> u64 {
    let spec = OrbaxArraySpec::numpy(DType::U16, [count]).chunks([1]);
    let options = OrbaxWriteOptions {
        node_bytes,
        inline_bytes,
        compress_nodes: false,
        data_file_bytes: 10_000,
        compression: jarrah_formats::OrbaxCompression::None,
        ..OrbaxWriteOptions::default()
    };
    let plan = OrbaxPlan::new(&dict(&["a"]), vec![OrbaxLeafSpec::Array(spec)], options).unwrap();
    let values: Vec<u16> = (0..count).map(|i| (i * 7) as u16).collect();
    let value = Literal::from_slice(&[count], &values).unwrap();
    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("c").unwrap()).unwrap();
    let mut writer = plan.writer(&*draft, &Name::root(), 0).unwrap();
    writer.write_literal("a", &value).unwrap();
    plan.merge(&*draft, &Name::root(), &[writer.finish().unwrap()]).unwrap();
    OrbaxDescription::new(0, [("", OrbaxHandler::PyTree)]).write(&*draft).unwrap();
    draft.publish().unwrap();
    let folder = scratch();
    to_disk(&store, &Name::new("c").unwrap(), folder.path());
    let tree = OrbaxCheckpoint::open(folder.path()).unwrap().tree("").unwrap();
    assert_eq!(tree.get("a").unwrap().literal().unwrap(), value, "{count} keys, {node_bytes} bytes a node");
    height(&fs::read(folder.path().join("manifest.ocdbt")).unwrap())
}

/// The height that a manifest says its root has.
fn height(manifest: &[u8]) -> u64 {
    let mut at = 14 + 16;
    let mut number = || {
        let mut value = 0;
        for shift in (0..).step_by(7) {
            let byte = manifest[at];
            at += 1;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                break;
            }
        }
        value
    };
    // Kind, two sizes, arity, compression, files; the lengths of the path and its base.
    let [.., path, _base] = [(); 8].map(|()| number());
    at += path as usize;
    let mut number = || {
        at += 1;
        u64::from(manifest[at - 1])
    };
    // Versions and the generation.
    assert_eq!([number(), number()], [1, 1]);
    number()
}

#[test]
fn orbax_databases_of_any_number_of_keys_are_read() {
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 100, 1000] {
        for node_bytes in [0, 200, 1000] {
            for inline_bytes in [0, 1024] {
                keys(count, node_bytes, inline_bytes);
            }
        }
    }
    assert_eq!(keys(2, 100_000_000, 1024), 0);
    // Two children a node: 1001 keys with the description.
    assert_eq!(keys(1000, 0, 1024), 9);
    assert!(keys(100_000, 10_000, 1024) >= 2);
}

/// A node of many equal descriptions, which zstd makes hundreds of times smaller, is read.
#[test]
fn orbax_databases_of_equal_descriptions_are_read() {
    const COUNT: usize = 20_000;
    let names: Vec<String> = (0..COUNT).map(|i| format!("layer_{i}")).collect();
    let root = dict(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let options = OrbaxWriteOptions { use_zarr3: true, ..OrbaxWriteOptions::default() };
    let plan = OrbaxPlan::new(&root, vec![bytes(&[1]); COUNT], options).unwrap();
    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("c").unwrap()).unwrap();
    let mut writer = plan.writer(&*draft, &Name::root(), 0).unwrap();
    names.iter().for_each(|name| writer.write(name, &[0..1], &[3]).unwrap());
    plan.merge(&*draft, &Name::root(), &[writer.finish().unwrap()]).unwrap();
    draft.publish().unwrap();
    let folder = scratch();
    to_disk(&store, &Name::new("c").unwrap(), folder.path());
    let tree = OrbaxCheckpoint::open(folder.path()).unwrap().tree("").unwrap();
    assert_eq!(tree.leaves().len(), COUNT);
    assert_eq!(tree.get("layer_19999").unwrap().literal().unwrap().bytes(), [3]);
}

/// The files that a tree is written in, by name.
fn written(seed: u64) -> Vec<(String, Vec<u8>)> {
    let options = OrbaxWriteOptions { seed, inline_bytes: 10, ..OrbaxWriteOptions::default() };
    let plan = OrbaxPlan::new(&dict(&["a", "b"]), vec![bytes(&[64]), bytes(&[3])], options).unwrap();
    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("c").unwrap()).unwrap();
    let mut writer = plan.writer(&*draft, &Name::root(), 0).unwrap();
    writer.write("a", &[0..64], &[7; 64]).unwrap();
    writer.write("b", &[0..3], &[7; 3]).unwrap();
    plan.merge(&*draft, &Name::root(), &[writer.finish().unwrap()]).unwrap();
    draft.publish().unwrap();
    let folder = scratch();
    to_disk(&store, &Name::new("c").unwrap(), folder.path());
    let mut files = Vec::new();
    let mut folders = vec![folder.path().to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder.path()).unwrap().display().to_string();
                    files.push((name, fs::read(path).unwrap()));
                }
            }
        }
    }
    files.sort();
    files
}

#[test]
fn orbax_equal_seeds_write_equal_files() {
    assert_eq!(written(1), written(1));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|file| file.0.clone()).collect::<Vec<_>>();
    let (one, two) = (names(&written(1)), names(&written(2)));
    let kept: Vec<&String> = one.iter().filter(|name| two.contains(name)).collect();
    assert_eq!(kept, ["_METADATA", "manifest.ocdbt", "ocdbt.process_0/manifest.ocdbt"]);
}

/// The error about a tree, which is the fault of its caller or of its names.
fn refused(root: &OrbaxNode, leaves: Vec<OrbaxLeafSpec>, options: OrbaxWriteOptions) -> String {
    let e = OrbaxPlan::new(root, leaves, options).unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Input | ErrorKind::Program) && e.to_string().starts_with("[orbax]"),
        "{e}"
    );
    e.to_string()
}

#[test]
fn orbax_trees_that_could_not_be_read_are_refused_in_words() {
    let plain = OrbaxWriteOptions::default;
    let two = |first: &str, second: &str, options| {
        refused(&dict(&[first, second]), vec![bytes(&[1]), bytes(&[1])], options)
    };
    // Names of arrays.
    let nested = OrbaxNode::Dict(vec![
        ("a.b".to_owned(), OrbaxNode::Leaf(0)),
        ("a".to_owned(), OrbaxNode::Dict(vec![("b".to_owned(), OrbaxNode::Leaf(1))])),
    ]);
    assert!(
        refused(&nested, vec![bytes(&[1]), bytes(&[1])], plain()).contains("two arrays have the name a.b")
    );
    assert!(two("a", "a", plain()).contains(r#"has the key "a" twice"#));
    assert!(two("a\0", "b", plain()).contains("has a zero byte"));
    for name in ["/a", "a//b", "a/../b", ".", "a/", "back\\slash"] {
        assert!(two(name, "b", files()).contains("a part of its path is empty"), "{name}");
        OrbaxPlan::new(&dict(&[name]), vec![bytes(&[1])], plain()).unwrap();
    }
    for name in ["_METADATA", "d", "array_metadatas/x", "ocdbt.process_3", "checkpoint"] {
        assert!(two(name, "b", files()).contains("Orbax has a file or a folder of this name"), "{name}");
    }
    assert!(two(&"x".repeat(256), "b", files()).contains("more than 255 bytes"));
    assert!(two("a", "a/0", files()).contains(r#"the array "a/0" would lie in that of "a""#));
    // Names of texts.
    let texts = |keys: [&str; 2]| {
        let text = || OrbaxLeafSpec::Text("t".to_owned());
        refused(&dict(&keys), vec![text(), text()], plain())
    };
    assert!(texts(["t", "t/u"]).contains("another text lies above or below it"));
    assert!(texts(["t/u", "t"]).contains("another text lies above or below it"));
    assert!(texts(["~x", "b"]).contains("the beginning of an escape"));
    // Nodes and leaves.
    for root in [OrbaxNode::None, OrbaxNode::Dict(Vec::new()), OrbaxNode::Tuple(Vec::new())] {
        assert!(refused(&root, Vec::new(), plain()).contains("without leaves"));
    }
    let named = OrbaxNode::List(vec![OrbaxNode::Named { class: "m.Empty".to_owned(), fields: Vec::new() }]);
    assert!(refused(&named, Vec::new(), plain()).contains("the named tuple m.Empty has no fields"));
    OrbaxPlan::new(&named, Vec::new(), OrbaxWriteOptions { node_types: true, ..plain() }).unwrap();
    assert!(
        refused(&OrbaxNode::Leaf(1), vec![bytes(&[1])], plain()).contains("the leaf 1, which is not given")
    );
    assert!(
        refused(&OrbaxNode::Leaf(0), vec![bytes(&[1]), bytes(&[1])], plain())
            .contains("the leaf 1 is not in the tree")
    );
    let deep = (0..200).fold(OrbaxNode::Leaf(0), |node, _| OrbaxNode::List(vec![node]));
    assert!(refused(&deep, vec![bytes(&[1])], plain()).contains("deeper than 100"));
}

#[test]
fn orbax_arrays_that_could_not_be_read_are_refused_in_words() {
    let array =
        |spec| refused(&OrbaxNode::Leaf(0), vec![OrbaxLeafSpec::Array(spec)], OrbaxWriteOptions::default());
    let of = |dims: &[usize]| OrbaxArraySpec::array(DType::F32, dims);
    assert!(array(OrbaxArraySpec::numpy(DType::U4, [2])).contains("which TensorStore does not read"));
    assert!(array(of(&[1; 33])).contains("33 axes"));
    assert!(array(of(&[4]).shards([5])).contains("has shards of shape [5]"));
    assert!(array(of(&[4]).shards([0])).contains("has shards of shape [0]"));
    assert!(array(of(&[4]).shards([1, 1])).contains("has shards of shape [1, 1]"));
    assert!(array(of(&[4]).chunks([0])).contains("chunks of shape [0]"));
    assert!(array(of(&[4]).chunks([1, 1])).contains("chunks of shape [1, 1]"));
    assert!(array(of(&[4]).shards([4]).chunks([3])).contains("no multiples of chunks"));
    assert!(array(of(&[usize::MAX, 2])).contains("larger than any memory"));
    assert!(array(of(&[1 << 40]).chunks([1])).contains("more than 16777216 chunks"));
    let cut = |mesh: &[(&'static str, usize)], spec: &[&[&'static str]]| {
        let spec = spec.iter().map(|axes| axes.to_vec());
        array(of(&[6, 4]).sharding(OrbaxSharding::named(mesh.iter().copied(), spec)))
    };
    assert!(
        cut(&[("x", 4)], &[&["x"]]).contains("an axis of 6 elements is cut along \"x\", which has 4 devices")
    );
    assert!(cut(&[("x", 2)], &[&["x"], &["x"]]).contains("cuts two axes of an array along \"x\""));
    assert!(cut(&[("x", 2)], &[&["y"]]).contains("no axis of its mesh"));
    assert!(cut(&[("x", 2)], &[&[], &[], &[]]).contains("a sharding has 3 axes, its array has 2"));
    assert!(cut(&[("x", 0)], &[]).contains("a mesh has the axes"));
    let devices = OrbaxSharding::Named {
        mesh: vec![("x".to_owned(), 2)],
        devices: Some(vec![1, 2, 3]),
        spec: Vec::new(),
    };
    assert!(array(of(&[2]).sharding(devices)).contains("has not as many devices"));
    let numpy = OrbaxArraySpec::numpy(DType::F32, [2]).sharding(OrbaxSharding::Device("cpu:0".to_owned()));
    assert!(array(numpy).contains("no jax.Array has a sharding"));
    let options = OrbaxWriteOptions { chunk_bytes: Some(3), ..OrbaxWriteOptions::default() };
    let e = refused(&OrbaxNode::Leaf(0), vec![OrbaxLeafSpec::Array(of(&[2]))], options);
    assert!(e.contains("chunks of 3 bytes are asked for, an element has 4"), "{e}");
}

#[test]
fn orbax_shards_that_do_not_fit_are_refused_in_words() {
    for options in [OrbaxWriteOptions::default(), files()] {
        let spec = OrbaxArraySpec::numpy(DType::U16, [4, 6]).shards([2, 3]);
        let leaves = || vec![OrbaxLeafSpec::Array(spec.clone()), bytes(&[2])];
        let plan = OrbaxPlan::new(&dict(&["a", "b"]), leaves(), options.clone()).unwrap();
        let store = MemoryStore::new();
        let draft = store.draft(&Name::new("c").unwrap()).unwrap();
        let root = Name::root();
        let mut writer = plan.writer(&*draft, &root, 0).unwrap();
        let mut write =
            |name: &str, region: &[Range<usize>], bytes: usize| writer.write(name, region, &vec![1; bytes]);
        let says = |result: Result<()>, kind: ErrorKind, words: &str| {
            let e = result.unwrap_err();
            assert!(e.kind() == kind && e.to_string().contains(words), "{e}");
        };
        says(write("x", &[0..4, 0..6], 48), ErrorKind::Program, "the plan has no array \"x\"");
        says(write("a", &[0..4], 8), ErrorKind::Program, "does not lie in an array of shape [4, 6]");
        says(write("a", &[0..5, 0..6], 60), ErrorKind::Program, "does not lie in an array of shape [4, 6]");
        #[allow(clippy::reversed_empty_ranges, reason = "a range that users may give")]
        let reversed = [2..0, 0..6];
        says(write("a", &reversed, 0), ErrorKind::Program, "does not lie in an array of shape [4, 6]");
        says(write("a", &[0..2, 0..3], 11), ErrorKind::Program, "11 bytes are given for the region");
        says(write("a", &[0..2, 0..2], 8), ErrorKind::Input, "cuts chunks, whose shape is [2, 3]");
        says(write("a", &[1..3, 0..3], 12), ErrorKind::Input, "cuts chunks, whose shape is [2, 3]");
        write("a", &[0..2, 0..6], 24).unwrap();
        write("a", &[0..0, 0..6], 0).unwrap();
        says(write("a", &[0..2, 3..6], 12), ErrorKind::Input, "the chunk [0, 1] is written twice");
        write("b", &[0..2], 2).unwrap();
        let half = Literal::zeros(Type::tensor(DType::U8, [4, 6])).unwrap();
        says(
            writer.write_literal("a", &half),
            ErrorKind::Program,
            "the array \"a\" is u16[4, 6], its value u8[4, 6]",
        );
        let first = writer.finish().unwrap();
        let said = |parts: &[OrbaxPart], words: &str| {
            let e: Error = plan.merge(&*draft, &root, parts).unwrap_err();
            assert!(e.kind() == ErrorKind::Input && e.to_string().contains(words), "{e}");
        };
        let again = || OrbaxPart::from_bytes(&first.to_bytes()).unwrap();
        said(&[again()], "the chunk [1, 0] of the array \"a\" was not written: 2 of 4 were");
        let second = |region: &[Range<usize>], bytes: usize| {
            let mut writer = plan.writer(&*draft, &root, 1).unwrap();
            writer.write("a", region, &vec![2; bytes]).unwrap();
            let before = format!("{writer:?}");
            (writer, before)
        };
        let (writer, shown) = second(&[2..4, 0..6], 24);
        assert!(shown.contains("process 1"), "{shown}");
        let rest = writer.finish().unwrap();
        said(&[OrbaxPart::from_bytes(&rest.to_bytes()).unwrap()], "no part is that of process 0");
        said(&[again(), again()], "two parts are those of process 0");
        let other = OrbaxPlan::new(
            &dict(&["a", "b"]),
            leaves(),
            OrbaxWriteOptions { chunk_bytes: Some(2), ..options },
        )
        .unwrap();
        let e = other.merge(&*draft, &root, &[again()]).unwrap_err();
        assert!(e.to_string().contains("process 0 wrote a part of another plan"), "{e}");
        plan.merge(&*draft, &root, &[again(), rest]).unwrap();
        // Nothing is written over.
        assert!(plan.merge(&*draft, &root, &[again()]).is_err());
    }
}

/// Two processes that write one chunk are found when their parts are merged.
#[test]
fn orbax_chunks_of_two_processes_are_refused() {
    [OrbaxWriteOptions::default(), files()].into_iter().for_each(chunks_of_two_processes_are_refused);
}

fn chunks_of_two_processes_are_refused(options: OrbaxWriteOptions) {
    let plan = OrbaxPlan::new(&dict(&["a"]), vec![bytes(&[2])], options).unwrap();
    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("c").unwrap()).unwrap();
    let part = |process| {
        let mut writer = plan.writer(&*draft, &Name::root(), process).unwrap();
        writer.write("a", &[0..2], &[1, 2]).unwrap();
        writer.finish().unwrap()
    };
    let e = plan.merge(&*draft, &Name::root(), &[part(0), part(1)]).unwrap_err().to_string();
    assert!(e.contains("the chunk [0] of the array \"a\" was written by two processes"), "{e}");
    // Parts that are damaged on the way: refused, or merged as what they say.
    let bytes = part(2).to_bytes();
    for length in 0..bytes.len() {
        let _ = OrbaxPart::from_bytes(&bytes[..length])
            .map(|part| plan.merge(&*draft, &Name::root(), &[part]).unwrap_err());
    }
}

/// A part that says that there are chunks of an array without elements is refused.
#[test]
fn orbax_parts_with_chunks_of_no_array_are_refused() {
    let plan = OrbaxPlan::new(&dict(&["a"]), vec![bytes(&[0])], files()).unwrap();
    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("c").unwrap()).unwrap();
    let part = |process| plan.writer(&*draft, &Name::root(), process).unwrap().finish().unwrap();
    let mut forged = part(0).to_bytes();
    // The mark, the process, one array, its number of chunks.
    assert_eq!(forged[32..], [0, 1, 0]);
    forged.splice(34.., [1, 7]);
    let forged = OrbaxPart::from_bytes(&forged).unwrap();
    let e = plan.merge(&*draft, &Name::root(), &[forged, part(1)]).unwrap_err().to_string();
    assert!(e.contains("a part has more chunks of the array \"a\" than there are"), "{e}");
}

/// A draft that forgets what is written.
#[derive(Debug)]
struct Nowhere;

impl Upload for Nowhere {
    fn write(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn finish(self: Box<Self>, _: Condition) -> Result<Option<ObjectVersion>> {
        Ok(Some(ObjectVersion(String::new())))
    }
}

impl Draft for Nowhere {
    fn token(&self) -> &str {
        ""
    }

    fn create(&self, _: &Name) -> Result<Box<dyn Upload>> {
        Ok(Box::new(Nowhere))
    }

    fn publish(self: Box<Self>) -> Result<bool> {
        Ok(true)
    }

    fn replace(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

/// A shard is not held a second time while it is written, compressed or not.
#[cfg(target_os = "linux")]
#[test]
fn orbax_writing_holds_a_shard_once() {
    const NAME: &str = "JARRAH_FORMATS_TEST_ORBAX";
    const BYTES: usize = 48 << 20;
    if let Some(compression) = std::env::var_os(NAME) {
        let compression = match compression.to_str().unwrap() {
            "zstd" => jarrah_formats::OrbaxCompression::Zstd,
            "gzip" => jarrah_formats::OrbaxCompression::Gzip,
            _ => jarrah_formats::OrbaxCompression::None,
        };
        let shard: Vec<u8> = (0..BYTES).map(|i| ((i * i) >> 7) as u8).collect();
        let before = peak();
        for (use_ocdbt, use_zarr3) in [(true, true), (false, false)] {
            let options =
                OrbaxWriteOptions { compression, use_ocdbt, use_zarr3, ..OrbaxWriteOptions::default() };
            let spec = OrbaxArraySpec::numpy(DType::U8, [2, BYTES]).shards([1, BYTES]);
            let plan = OrbaxPlan::new(&dict(&["a"]), vec![OrbaxLeafSpec::Array(spec)], options).unwrap();
            let mut writer = plan.writer(&Nowhere, &Name::root(), 0).unwrap();
            grid(&[2, BYTES], &[1, BYTES])
                .iter()
                .for_each(|region| writer.write("a", region, &shard).unwrap());
            plan.merge(&Nowhere, &Name::root(), &[writer.finish().unwrap()]).unwrap();
        }
        let held = peak() - before;
        assert!(held < 16 << 20, "{held} bytes more");
        return;
    }
    for compression in ["none", "zstd", "gzip"] {
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "orbax_write::orbax_writing_holds_a_shard_once"])
            .env(NAME, compression)
            .output()
            .unwrap();
        assert!(output.status.success(), "{compression}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// A named tuple of very many fields is written and read in a time that grows as their number does.
#[test]
fn orbax_named_tuples_of_very_many_fields_end() {
    const COUNT: usize = 200_000;
    let fields = (0..COUNT).map(|number| (format!("field_{number:06}"), OrbaxNode::None)).collect();
    let root = OrbaxNode::Named { class: "model.State".to_owned(), fields };
    let options = OrbaxWriteOptions { node_types: true, ..OrbaxWriteOptions::default() };
    let plan = OrbaxPlan::new(&root, Vec::new(), options).unwrap();
    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("c").unwrap()).unwrap();
    let writer = plan.writer(&*draft, &Name::root(), 0).unwrap();
    plan.merge(&*draft, &Name::root(), &[writer.finish().unwrap()]).unwrap();
    draft.publish().unwrap();
    let folder = scratch();
    to_disk(&store, &Name::new("c").unwrap(), folder.path());
    let tree = OrbaxCheckpoint::open(folder.path()).unwrap().tree("").unwrap();
    let OrbaxNode::Named { class, fields } = tree.root() else { panic!("no named tuple") };
    assert_eq!((class.as_str(), fields.len()), ("model.State", COUNT));
}

/// A draft like that of a bucket, which puts large objects there without conditions alone.
#[derive(Debug)]
struct Bucket<'d>(&'d dyn Draft);

struct BucketUpload {
    upload: Box<dyn Upload>,
    bytes: usize,
}

impl Upload for BucketUpload {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len();
        self.upload.write(bytes)
    }

    fn finish(self: Box<Self>, condition: Condition) -> Result<Option<ObjectVersion>> {
        match condition == Condition::Always || self.bytes <= 16_000 {
            true => self.upload.finish(condition),
            false => Err(Error::input("the object is too large to be written under a condition")),
        }
    }
}

impl Draft for Bucket<'_> {
    fn token(&self) -> &str {
        self.0.token()
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        Ok(Box::new(BucketUpload { upload: self.0.create(name)?, bytes: 0 }))
    }

    fn publish(self: Box<Self>) -> Result<bool> {
        Err(Error::program("the draft below is published"))
    }

    fn replace(self: Box<Self>) -> Result<()> {
        Err(Error::program("the draft below is published"))
    }
}

#[test]
fn orbax_values_larger_than_conditions_allow_are_written_to_buckets() {
    for use_ocdbt in [true, false] {
        let compression = jarrah_formats::OrbaxCompression::None;
        let options = OrbaxWriteOptions { use_ocdbt, compression, ..OrbaxWriteOptions::default() };
        let plan = OrbaxPlan::new(&dict(&["a"]), vec![bytes(&[50_000])], options).unwrap();
        let store = MemoryStore::new();
        let draft = store.draft(&Name::new("c").unwrap()).unwrap();
        let bucket = Bucket(&*draft);
        let part = || {
            let mut writer = plan.writer(&bucket, &Name::root(), 0)?;
            writer.write("a", &[0..50_000], &[7; 50_000])?;
            writer.finish()
        };
        let first = part().unwrap();
        plan.merge(&bucket, &Name::root(), std::slice::from_ref(&first)).unwrap();
        // A part or an item that is written twice is refused.
        let e = part().unwrap_err();
        assert!(e.kind() == ErrorKind::Input && e.to_string().contains("was written before"), "{e}");
        let e = plan.merge(&bucket, &Name::root(), &[first]).unwrap_err();
        assert!(e.kind() == ErrorKind::Input && e.to_string().contains("was written before"), "{e}");
        draft.publish().unwrap();
        let folder = scratch();
        to_disk(&store, &Name::new("c").unwrap(), folder.path());
        let tree = OrbaxCheckpoint::open(folder.path()).unwrap().tree("").unwrap();
        assert_eq!(tree.get("a").unwrap().literal().unwrap().bytes(), [7; 50_000]);
    }
}
