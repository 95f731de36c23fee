//! Random checkpoints that are written here, with the structure and the values that they were made of: read here, and by Orbax and TensorStore
//! (`oracle/orbax_checkpoints.py check`).

use std::fs;
use std::ops::Range;
use std::path::Path;

use jarrah_base::{DType, Literal, Type};
use jarrah_formats::{
    OrbaxArraySpec, OrbaxCompression, OrbaxDescription, OrbaxHandler, OrbaxLeafSpec, OrbaxNode, OrbaxPart,
    OrbaxPlan, OrbaxSharding, OrbaxWriteOptions, Tensor, save_file, write_orbax_json, write_orbax_random_key,
};
use jarrah_store::{Draft, EntryKind, MemoryStore, Name, ObjectStore};
use serde_json::{Map, Value, json};

use super::hostile::scratch;
use super::orbax::{compare, next};

/// Writes all objects below a folder of a store to the disk.
pub fn to_disk(store: &dyn ObjectStore, folder: &Name, path: &Path) {
    fs::create_dir_all(path).unwrap();
    for entry in store.list(folder).unwrap() {
        let name = folder.join(&entry.name).unwrap();
        match entry.kind {
            EntryKind::Folder => to_disk(store, &name, &path.join(&entry.name)),
            EntryKind::Object(length) => {
                let mut bytes = vec![0; length as usize];
                store.open(&name).unwrap().unwrap().read_at(0, &mut bytes).unwrap();
                fs::write(path.join(&entry.name), bytes).unwrap();
            }
        }
    }
}

const DTYPES: [DType; 24] = [
    DType::Bool,
    DType::I2,
    DType::I4,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::F4E2M1FN,
    DType::F8E3M4,
    DType::F8E4M3FN,
    DType::F8E4M3FNUZ,
    DType::F8E4M3B11FNUZ,
    DType::F8E5M2,
    DType::F8E5M2FNUZ,
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
    DType::C64,
    DType::C128,
];

/// Element types that JAX has on no device of a CPU.
const NUMPY_ALONE: [DType; 2] = [DType::I2, DType::F4E2M1FN];

const SHAPES: [&[usize]; 14] = [
    &[],
    &[1],
    &[7],
    &[8],
    &[64],
    &[8, 8],
    &[16, 4],
    &[3, 5],
    &[8, 3, 4],
    &[2, 4, 8, 2],
    &[1, 1, 16],
    &[32, 24],
    &[5, 0, 2],
    &[40, 50],
];

const KEYS: [&str; 14] = [
    "params",
    "kernel",
    "bias",
    "0",
    "layer_1",
    "with space",
    "Ünï",
    "b64",
    "a-b",
    "mu",
    "x.y",
    "p/q",
    "it's \"q\"",
    "1",
];

/// A leaf with its elements.
struct Leaf {
    spec: OrbaxLeafSpec,
    name: String,
    value: Option<Literal>,
    /// The extents of boxes that are written one by one.
    boxes: Vec<usize>,
}

/// A random tree, its leaves, and its description as the script has it.
struct Random {
    state: u64,
    leaves: Vec<Leaf>,
    with_texts: bool,
    node_types: bool,
}

impl Random {
    fn next(&mut self, count: usize) -> usize {
        next(&mut self.state) % count
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.next(list.len())].clone()
    }

    /// A value with random bits; sometimes it is zero, or repeats itself.
    fn value(&mut self, dtype: DType, dims: &[usize]) -> Literal {
        let mut literal = Literal::zeros(Type::tensor(dtype, dims.iter().copied())).unwrap();
        let period = self.pick(&[0, 1, 3, usize::MAX, usize::MAX, usize::MAX]);
        let mask = match dtype {
            DType::Bool => 1,
            _ if dtype.bits() < 8 => (1 << dtype.bits()) - 1,
            _ => 255,
        };
        let bytes = literal.bytes_mut();
        for i in 0..bytes.len() {
            bytes[i] = match period {
                0 => 0,
                _ if i >= period => bytes[i - period],
                _ => next(&mut self.state) as u8 & mask,
            };
        }
        literal
    }

    /// A number that Python reads and gives back as it was.
    fn number(&mut self) -> (DType, Literal) {
        let value = self.next(1 << 20) as i64 - (1 << 19);
        match self.next(4) {
            0 => (DType::I64, Literal::scalar(value)),
            1 => (DType::F64, Literal::scalar(value as f64 / 8.0)),
            2 => (DType::F32, Literal::scalar(value as f32 / 8.0)),
            _ => (DType::I8, Literal::scalar(value as i8)),
        }
    }

    /// A sharding over eight devices, as far as the extents allow it.
    fn sharding(&mut self, dims: &[usize]) -> (OrbaxSharding, Value) {
        let extents = self.pick(&[[8, 1], [4, 2], [2, 4], [1, 8]]);
        let mut free = vec![("x", extents[0]), ("y", extents[1])];
        let mut spec = Vec::new();
        for extent in dims {
            let count = self.next(free.len() + 1);
            let axes: Vec<(&str, usize)> = free[..count].to_vec();
            let fits = *extent > 0 && extent % axes.iter().map(|axis| axis.1).product::<usize>() == 0;
            let taken = if fits { axes.len() } else { 0 };
            spec.push(free.drain(..taken).map(|axis| axis.0).collect::<Vec<_>>());
        }
        let words = spec.iter().map(|axes| match axes[..] {
            [] => Value::Null,
            [axis] => json!(axis),
            _ => json!(axes),
        });
        let words =
            format!("NamedSharding(x={}, y={}; {})", extents[0], extents[1], words.collect::<Value>());
        let mut sharding = OrbaxSharding::named([("x", extents[0]), ("y", extents[1])], spec);
        if let OrbaxSharding::Named { devices, .. } = &mut sharding {
            *devices = (self.next(3) > 0).then(|| (0..8).collect());
        }
        (sharding, words.into())
    }

    fn array(&mut self, described: &mut Map<String, Value>) -> (OrbaxArraySpec, Literal, Vec<usize>) {
        let kind = self.next(10);
        if kind == 0 {
            let (dtype, value) = self.number();
            described.insert("kind".into(), "Scalar".into());
            return (OrbaxArraySpec::scalar(dtype), value, Vec::new());
        }
        let dims = self.pick(&SHAPES);
        if kind == 1 {
            described.insert("kind".into(), "Array".into());
            described.insert("generator".into(), "threefry2x32".into());
            let device = OrbaxSharding::Device("cpu:0".to_owned());
            let spec = OrbaxArraySpec::array(DType::U32, [3, 2]).generator("threefry2x32").sharding(device);
            return (spec, self.value(DType::U32, &[3, 2]), vec![3, 2]);
        }
        let dtype = self.pick(&DTYPES);
        let value = self.value(dtype, dims);
        // Orbax saves no jax.Array without elements.
        let is_jax = kind < 6 && !NUMPY_ALONE.contains(&dtype) && !dims.contains(&0);
        let mut spec = match is_jax {
            true => OrbaxArraySpec::array(dtype, dims),
            false => OrbaxArraySpec::numpy(dtype, dims),
        };
        let mut boxes = dims.to_vec();
        if is_jax {
            match self.next(4) {
                0 => spec = spec.sharding(OrbaxSharding::Device("cpu:0".to_owned())),
                _ => {
                    let (sharding, words) = self.sharding(dims);
                    described.insert("sharding".into(), words.clone());
                    boxes = shard(dims, words.as_str().unwrap());
                    spec = spec.sharding(sharding);
                }
            }
        } else if self.next(2) == 0 {
            // Chunks of any shape, which end behind the array too.
            boxes = dims.iter().map(|extent| 1 + self.next(extent + 2)).collect();
            spec = spec.chunks(boxes.clone());
            boxes = boxes.iter().map(|extent| extent * (1 + self.next(2))).collect();
        }
        described.insert("kind".into(), if is_jax { "Array" } else { "Numpy" }.into());
        (spec, value, boxes)
    }

    fn leaf(&mut self, path: &[String]) -> (OrbaxNode, Value) {
        let name = path.join(".");
        let mut described = Map::from_iter([("name".to_owned(), name.clone().into())]);
        let leaf = if self.with_texts && self.next(8) == 0 {
            let text = self.pick(&["", "a text", "ünïcode \u{2192} \n\"quoted\" \\", "x"]);
            described.insert("kind".into(), "Text".into());
            described.insert("text".into(), text.into());
            Leaf { spec: OrbaxLeafSpec::Text(text.to_owned()), name, value: None, boxes: Vec::new() }
        } else {
            let (spec, value, boxes) = self.array(&mut described);
            described.insert("dtype".into(), value.dtype().name().into());
            described.insert("shape".into(), value.dims().into());
            Leaf { spec: OrbaxLeafSpec::Array(spec), name, value: Some(value), boxes }
        };
        self.leaves.push(leaf);
        (OrbaxNode::Leaf(self.leaves.len() - 1), json!({ "leaf": described }))
    }

    fn node(&mut self, path: &mut Vec<String>) -> (OrbaxNode, Value) {
        let depth = path.len();
        if depth > 3 || (depth > 0 && self.next(2) == 0) {
            return self.leaf(path);
        }
        if depth > 0 && self.next(5) == 0 {
            return match self.next(4) {
                0 => (OrbaxNode::None, json!({ "none": true })),
                1 => (OrbaxNode::Dict(Vec::new()), json!({ "dict": {} })),
                2 => (OrbaxNode::List(Vec::new()), json!({ "list": [] })),
                _ => (OrbaxNode::Tuple(Vec::new()), json!({ "tuple": [] })),
            };
        }
        let count = 1 + self.next(5);
        let kind = self.next(6);
        let mut keys: Vec<String> = if kind > 2 {
            let mut keys: Vec<&str> = (0..count).map(|_| self.pick(&KEYS)).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.into_iter().map(str::to_owned).collect()
        } else {
            (0..count).map(|i| i.to_string()).collect()
        };
        if kind == 2 {
            keys = ["mu", "nu"].map(str::to_owned).to_vec();
        }
        let mut children = Vec::new();
        for key in keys {
            path.push(key.clone());
            let (node, described) = self.node(path);
            path.pop();
            children.push((key, node, described));
        }
        let nodes = || children.iter().map(|child| child.1.clone()).collect();
        let named = || children.iter().map(|child| (child.0.clone(), child.1.clone())).collect();
        let list = || children.iter().map(|child| child.2.clone()).collect::<Value>();
        let object =
            || Value::Object(children.iter().map(|child| (child.0.clone(), child.2.clone())).collect());
        let typed = |kind: &'static str, other: &'static str| if self.node_types { kind } else { other };
        match kind {
            0 => (OrbaxNode::List(nodes()), json!({ "list": list() })),
            1 => (OrbaxNode::Tuple(nodes()), json!({ typed("tuple", "list"): list() })),
            2 => {
                let node = OrbaxNode::Named { class: "optax.Moments".to_owned(), fields: named() };
                (node, json!({ typed("named", "dict"): object() }))
            }
            _ => (OrbaxNode::Dict(named()), json!({ "dict": object() })),
        }
    }
}

/// The extents of a shard of a sharding in words.
fn shard(dims: &[usize], words: &str) -> Vec<usize> {
    let (mesh, spec) =
        words.strip_prefix("NamedSharding(").unwrap().strip_suffix(')').unwrap().split_once("; ").unwrap();
    let size = |axis: &str| {
        mesh.split(", ")
            .find_map(|part| part.strip_prefix(&format!("{axis}=")))
            .unwrap()
            .parse::<usize>()
            .unwrap()
    };
    let spec: Value = serde_json::from_str(spec).unwrap();
    let of = |value: &Value| match value {
        Value::Null => 1,
        Value::String(axis) => size(axis),
        axes => axes.as_array().unwrap().iter().map(|axis| size(axis.as_str().unwrap())).product(),
    };
    dims.iter().zip(spec.as_array().unwrap()).map(|(extent, axes)| extent / of(axes)).collect()
}

/// The elements of a box of an array.
fn boxed(value: &Literal, region: &[Range<usize>]) -> Vec<u8> {
    let (dims, size) = (value.dims(), value.dtype().size());
    let count: usize = region.iter().map(Range::len).product();
    let mut out = Vec::with_capacity(count * size);
    for number in 0..count {
        let (mut rest, mut position, mut distance) = (number, 0, 1);
        for (range, extent) in region.iter().zip(&dims).rev() {
            position += (range.start + rest % range.len()) * distance;
            rest /= range.len();
            distance *= extent;
        }
        out.extend_from_slice(&value.bytes()[position * size..][..size]);
    }
    out
}

/// The boxes of a grid over an array.
pub fn grid(dims: &[usize], each: &[usize]) -> Vec<Vec<Range<usize>>> {
    let mut boxes = vec![Vec::new()];
    for (extent, step) in dims.iter().zip(each) {
        let ranges: Vec<Range<usize>> =
            (0..*extent).step_by((*step).max(1)).map(|start| start..(start + step).min(*extent)).collect();
        boxes = boxes
            .iter()
            .flat_map(|found| ranges.iter().map(|range| [&found[..], std::slice::from_ref(range)].concat()))
            .collect();
    }
    boxes
}

fn options(random: &mut Random) -> OrbaxWriteOptions {
    OrbaxWriteOptions {
        use_ocdbt: random.next(3) > 0,
        use_zarr3: random.next(2) == 0,
        compression: random.pick(&[
            OrbaxCompression::None,
            OrbaxCompression::Zstd,
            OrbaxCompression::Zstd,
            OrbaxCompression::Gzip,
        ]),
        chunk_bytes: random.pick(&[None, None, Some(16), Some(64), Some(1024)]),
        data_file_bytes: random.pick(&[1 << 31, 0, 2048]),
        inline_bytes: random.pick(&[1024, 1024, 0, 100]),
        node_bytes: random.pick(&[100_000_000, 100_000_000, 0, 300, 2000]),
        compress_nodes: random.next(3) > 0,
        store_zeros: random.next(4) > 0,
        node_types: random.node_types,
        custom_metadata: random.pick(&[Value::Null, json!({ "note": "é", "list": [1, 2.5, null] })]),
        seed: random.next(1 << 30) as u64,
        time_nanos: 1_700_000_000_000_000_000,
    }
}

/// Writes a tree by several processes, which tell one of them of their parts.
fn write_tree(
    draft: &dyn Draft,
    folder: &Name,
    random: &mut Random,
    root: &OrbaxNode,
    options: OrbaxWriteOptions,
) {
    let specs = random.leaves.iter().map(|leaf| leaf.spec.clone()).collect();
    let plan = OrbaxPlan::new(root, specs, options).unwrap();
    let count = 1 + random.next(4);
    let mut writers: Vec<_> =
        (0..count).map(|process| plan.writer(draft, folder, process).unwrap()).collect();
    for leaf in std::mem::take(&mut random.leaves) {
        let Some(value) = &leaf.value else { continue };
        let boxes = grid(&value.dims(), &leaf.boxes);
        if random.next(3) == 0 || boxes.len() > 200 {
            writers[random.next(count)].write_literal(&leaf.name, value).unwrap();
        } else {
            for region in boxes {
                writers[random.next(count)].write(&leaf.name, &region, &boxed(value, &region)).unwrap();
            }
        }
        random.leaves.push(leaf);
    }
    let parts: Vec<Vec<u8>> = writers.into_iter().map(|writer| writer.finish().unwrap().to_bytes()).collect();
    let parts: Vec<OrbaxPart> = parts.iter().map(|bytes| OrbaxPart::from_bytes(bytes).unwrap()).collect();
    plan.merge(draft, folder, &parts).unwrap();
}

/// Writes a random checkpoint into a folder, with its description and its values beside it.
fn checkpoint(folder: &Path, seed: u64) {
    let mut random = Random { state: seed, leaves: Vec::new(), with_texts: false, node_types: false };
    let kind = random.pick(&["v0", "v0", "v0", "standard", "managed", "v1", "v1"]);
    random.with_texts = kind != "standard";
    random.node_types = kind == "v0" && random.next(3) == 0;
    let (root, tree) = random.node(&mut Vec::new());
    let mut options = options(&mut random);
    // Version 1 of Orbax's interface takes chunks that are not stored for lost ones.
    options.store_zeros |= kind == "v1";
    let format = json!({
        "kind": kind,
        "ocdbt": options.use_ocdbt,
        "zarr3": options.use_zarr3,
        "chunk_bytes": options.chunk_bytes,
        "data_file_bytes": options.data_file_bytes,
    });
    let name = format!(
        "{seed:04}_{kind}_{}_{}",
        if options.use_ocdbt { "ocdbt" } else { "files" },
        if options.use_zarr3 { "zarr3" } else { "zarr2" }
    );

    let store = MemoryStore::new();
    let draft = store.draft(&Name::new("checkpoint").unwrap()).unwrap();
    let item = match kind {
        "v0" | "standard" => "",
        _ => "state",
    };
    let at = if item.is_empty() { Name::root() } else { Name::new(item).unwrap() };
    write_tree(&*draft, &at, &mut random, &root, options);
    let mut items = Map::from_iter([(item.to_owned(), json!({ "tree": tree }))]);
    let mut values: Vec<(String, Literal)> = random
        .leaves
        .drain(..)
        .filter_map(|leaf| Some((format!("{item}:{}", leaf.name), leaf.value?)))
        .collect();
    let meta = json!({ "step": seed, "names": ["a", "é"] });
    let folder_of = |name: &str| Name::new(name).unwrap();
    let mut description = match kind {
        "v0" => OrbaxDescription::new(0, [("", OrbaxHandler::PyTree)]),
        "standard" => OrbaxDescription::new(0, [("", OrbaxHandler::Standard)]),
        "managed" => {
            write_orbax_json(&*draft, &folder_of("meta"), 0, &meta).unwrap();
            let words = random.value(DType::U32, &[2]);
            write_orbax_random_key(&*draft, &folder_of("rng"), &words, "cpu:0", true).unwrap();
            items.insert("meta".into(), json!({ "json": meta }));
            items.insert("rng/jax_random_key_metadata".into(), json!({ "json": { "typed": true } }));
            let leaf =
                json!({ "leaf": { "name": "checkpoint", "kind": "Array", "dtype": "u32", "shape": [2] } });
            items.insert("rng/jax_random_key".into(), json!({ "tree": { "dict": { "checkpoint": leaf } } }));
            values.push(("rng/jax_random_key:checkpoint".to_owned(), words));
            let handlers = [
                ("state", OrbaxHandler::PyTree),
                ("meta", OrbaxHandler::Json),
                ("rng", OrbaxHandler::RandomKey),
            ];
            OrbaxDescription::new(0, handlers)
        }
        _ => {
            write_orbax_json(&*draft, &folder_of("about"), 1, &meta).unwrap();
            items.insert("about".into(), json!({ "json": meta }));
            OrbaxDescription::new(1, [("state", OrbaxHandler::PyTree), ("about", OrbaxHandler::Json)])
        }
    };
    description.metrics = json!({ "loss": 0.5 });
    (description.init_nanos, description.commit_nanos) =
        (1_700_000_000_000_000_000, 1_700_000_001_000_000_000);
    description.write(&*draft).unwrap();
    assert!(draft.publish().unwrap());

    to_disk(&store, &Name::new("checkpoint").unwrap(), &folder.join(&name));
    let beside = folder.join(&name);
    fs::write(beside.with_extension("json"), json!({ "items": items, "format": format }).to_string())
        .unwrap();
    if !values.is_empty() {
        let raw = |value: &Literal| Literal::from_slice(&[value.bytes().len()], value.bytes()).unwrap();
        let raw: Vec<(&str, Literal)> =
            values.iter().map(|(name, value)| (name.as_str(), raw(value))).collect();
        let tensors: Vec<Tensor<'_>> = raw.iter().map(|(name, value)| Tensor::of(*name, value)).collect();
        save_file(beside.with_extension("safetensors"), &tensors, &Default::default()).unwrap();
    }
}

#[test]
fn orbax_written_checkpoints_are_read_bit_for_bit() {
    let folder = scratch();
    (0..80).for_each(|seed| checkpoint(folder.path(), seed));
    let mut paths: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 80);
    let arrays: usize = paths.iter().map(|path| compare(path)).sum();
    assert!(arrays > 500, "{arrays}");
}

/// Writes checkpoints for `oracle/orbax_checkpoints.py check FOLDER` into the folder that `JARRAH_ORBAX_WRITE` names: `JARRAH_ORBAX_WRITE_COUNT` (200).
#[test]
fn orbax_written_checkpoints_of_a_folder() {
    let Some(folder) = std::env::var_os("JARRAH_ORBAX_WRITE") else {
        eprintln!("skipped: JARRAH_ORBAX_WRITE names no folder");
        return;
    };
    let count = std::env::var("JARRAH_ORBAX_WRITE_COUNT").map_or(200, |count| count.parse().unwrap());
    fs::create_dir_all(&folder).unwrap();
    (1000..1000 + count).for_each(|seed| checkpoint(Path::new(&folder), seed));
    println!("{count} checkpoints in {}", Path::new(&folder).display());
}
