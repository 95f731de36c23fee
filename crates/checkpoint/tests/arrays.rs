//! Trees of arrays over meshes, saved by one set of processes and devices, and restored by another.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use jarrah_array::{Array, Device, Mesh, NamedSharding, PartitionSpec, SpecAxes, with_default_device};
use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_checkpoint::{
    CheckpointItems, CheckpointManager, CheckpointManagerOptions, LeafRules, Processes, RestoreOptions,
    StoredTree,
};
use jarrah_cpu::{CpuClient, CpuOptions};
use jarrah_exchange::{Exchange, Threads};

use crate::common::Random;

type Tree = BTreeMap<String, Array>;

/// The number of random pairs; a few without it.
const TRIALS: &str = "JARRAH_TRIALS";

const DTYPES: [DType; 5] = [DType::F32, DType::BF16, DType::I32, DType::U8, DType::Bool];
const SHAPES: [&[usize]; 5] = [&[24, 16], &[48], &[], &[16, 3, 24], &[5, 7]];

/// Processes with so many devices each, and the axes of a mesh over all of them.
#[derive(Clone, Debug)]
struct Topology {
    devices: Vec<usize>,
    axes: Vec<(String, usize)>,
}

impl Topology {
    fn random(random: &mut Random) -> Topology {
        let all: [(&[usize], &[usize]); 12] = [
            (&[1], &[1]),
            (&[4], &[4]),
            (&[4], &[2, 2]),
            (&[8], &[8]),
            (&[8], &[2, 4]),
            (&[8], &[2, 2, 2]),
            (&[6], &[3, 2]),
            (&[2, 2], &[2, 2]),
            (&[4, 4], &[2, 4]),
            (&[1, 1, 1], &[3]),
            (&[2, 2, 2, 2], &[8]),
            (&[2, 2, 2, 2], &[4, 2]),
        ];
        let (devices, extents) = all[random.below(all.len() as u64) as usize];
        let axes = ["a", "b", "c"].iter().zip(extents).map(|(name, &size)| ((*name).to_owned(), size));
        Topology { devices: devices.to_vec(), axes: axes.collect() }
    }

    /// Runs a function in each process, as threads with clients of their own, and gives it the devices of all.
    fn each<R: Send>(&self, f: impl Fn(Vec<Device>) -> R + Sync) -> Vec<R> {
        let options = |devices| CpuOptions { threads: 1, devices, ..CpuOptions::default() };
        std::thread::scope(|scope| {
            let start = |(exchange, &count): (Arc<dyn Exchange>, &usize)| {
                let f = &f;
                scope.spawn(move || {
                    let devices = Device::all(Arc::new(CpuClient::join(options(count), exchange).unwrap()));
                    let own = devices.iter().find(|device| device.is_addressable()).unwrap().clone();
                    with_default_device(&own, || f(devices))
                })
            };
            let exchanges = Threads::start(self.devices.len());
            let threads: Vec<_> = exchanges.into_iter().zip(&self.devices).map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    /// A cut of an array of these extents: each axis of the mesh along one dimension that it divides, or along none.
    fn spec(&self, random: &mut Random, dims: &[usize]) -> PartitionSpec {
        let mut axes: Vec<Vec<&str>> = vec![Vec::new(); dims.len()];
        let mut rest = dims.to_vec();
        for (name, size) in &self.axes {
            let Some(at) = (random.below(dims.len() as u64 + 1) as usize).checked_sub(1) else { continue };
            if rest[at].is_multiple_of(*size) {
                rest[at] /= size;
                axes[at].push(name);
            }
        }
        let cut = |axes: Vec<&str>| match axes.as_slice() {
            [] => SpecAxes::from(None),
            [a] => SpecAxes::from(*a),
            [a, b] => SpecAxes::from([*a, *b]),
            [a, b, c, ..] => SpecAxes::from([*a, *b, *c]),
        };
        PartitionSpec::new(axes.into_iter().map(cut))
    }

    fn mesh(&self) -> Mesh {
        let axes: Vec<(&str, usize)> = self.axes.iter().map(|(name, size)| (name.as_str(), *size)).collect();
        Mesh::new(&axes).unwrap()
    }
}

/// The arrays of a random tree: their names, values, and how each is cut; none for one that is on one device.
type Cut = BTreeMap<String, (Literal, Option<PartitionSpec>)>;

fn value(random: &mut Random, ty: Type) -> Literal {
    let bytes = (0..ty.bytes().unwrap()).map(|_| match ty.dtype() {
        DType::Bool => random.next() as u8 & 1,
        // Small numbers, which every type converts to every other one exactly.
        _ => random.next() as u8,
    });
    let bytes: Vec<u8> = bytes.collect();
    match ty.dtype() {
        DType::F32 | DType::BF16 | DType::I32 => {
            let small: Vec<f64> = (0..ty.extents().product()).map(|_| random.below(100) as f64).collect();
            Literal::from_f64s(ty, &small).unwrap()
        }
        _ => Literal::from_bytes(ty, &bytes).unwrap(),
    }
}

/// The part of a value at a place.
fn part(whole: &Literal, region: &[Range<usize>]) -> Array {
    let array = Array::from_literal(whole.clone());
    let (start, stop): (Vec<usize>, Vec<usize>) = region.iter().map(|range| (range.start, range.end)).unzip();
    jarrah_array::lax::slice(&array, &start, &stop, &vec![1; start.len()])
}

/// The tree in one process.
fn tree(cut: &Cut, topology: &Topology, devices: &[Device]) -> Tree {
    let array = |(name, (whole, spec)): (&String, &(Literal, Option<PartitionSpec>))| {
        let array = match spec {
            None => Array::from_literal(whole.clone()),
            Some(spec) => {
                let sharding = NamedSharding::on(&topology.mesh(), spec.clone(), devices.to_vec()).unwrap();
                Array::from_callback(whole.ty(), &sharding, |region| Ok(part(whole, region))).unwrap()
            }
        };
        (name.clone(), array)
    };
    cut.iter().map(array).collect()
}

fn cut(random: &mut Random, topology: &Topology, values: &[(String, Literal)]) -> Cut {
    let cut = |(name, whole): &(String, Literal)| {
        let spec = (random.below(4) > 0).then(|| topology.spec(random, &whole.dims()));
        (name.clone(), (whole.clone(), spec))
    };
    values.iter().map(cut).collect()
}

fn options() -> CheckpointManagerOptions {
    let processes = Processes::of_devices().unwrap();
    CheckpointManagerOptions { processes, patience: Duration::from_secs(60), ..Default::default() }
}

/// Saves a tree in all processes of a topology.
fn save(dir: &Path, cut: &Cut, topology: &Topology) {
    topology.each(|devices| {
        let mut manager = CheckpointManager::open(dir, options()).unwrap();
        manager.save(CheckpointItems::new(1).tree("state", &tree(cut, topology, &devices)).unwrap());
        manager.close().unwrap();
    });
}

#[test]
fn trees_are_restored_over_other_meshes_by_other_processes() {
    let trials = std::env::var(TRIALS).map_or(16, |trials| trials.parse().unwrap());
    for trial in 0..trials {
        let mut random = Random(0xc0ffee + 77 * trial);
        let values: Vec<(String, Literal)> = (0..6)
            .map(|number| {
                let dtype = DTYPES[random.below(5) as usize];
                let dims = SHAPES[random.below(5) as usize];
                (format!("layer{number}"), value(&mut random, Type::tensor(dtype, dims.iter().copied())))
            })
            .collect();
        let (before, after) = (Topology::random(&mut random), Topology::random(&mut random));
        let saved = cut(&mut random, &before, &values);
        let mut wanted = cut(&mut random, &after, &values);
        let is_cast = random.below(4) == 0;
        if is_cast {
            for (whole, _) in wanted.values_mut().filter(|of| of.0.dtype() == DType::I32) {
                *whole = Literal::from_f64s(whole.ty().with_dtype(DType::F32), &whole.to_f64_vec()).unwrap();
            }
        }
        let dir = tempfile::tempdir().unwrap();
        save(dir.path(), &saved, &before);
        after.each(|devices| {
            let checkpoint = jarrah_checkpoint::latest(dir.path()).unwrap();
            let like: Tree = tree(&wanted, &after, &devices);
            let like: Tree = like
                .into_iter()
                .map(|(name, array)| {
                    (name, jarrah_array::jit(|x: &Array| x.zeros_like()).call(array).unwrap())
                })
                .collect();
            let options = RestoreOptions { cast: is_cast, ..RestoreOptions::default() };
            let restored = checkpoint.tree("state").unwrap().restore_as(&like, options).unwrap();
            for (name, array) in &restored {
                let (whole, spec) = &wanted[name];
                let place = format!("trial {trial} {before:?} to {after:?}: {name} {spec:?}");
                assert_eq!(array.sharding(), like[name].sharding(), "{place}");
                assert_eq!(array.ty(), whole.ty(), "{place}");
                for shard in array.shards() {
                    let expected = part(whole, &shard.index).to_literal().unwrap();
                    assert_eq!(shard.data.to_literal().unwrap(), expected, "{place}");
                }
                if spec.is_none() {
                    assert_eq!(&array.to_literal().unwrap(), whole, "{place}");
                }
            }
        });
        // One process that knows nothing of the tree.
        let checkpoint = jarrah_checkpoint::latest(dir.path()).unwrap();
        checkpoint.verify().unwrap();
        for (name, whole) in checkpoint.tree("state").unwrap().load().unwrap() {
            assert_eq!(whole, saved[&name].0, "trial {trial} {name}");
        }
    }
}

#[test]
fn a_tree_that_differs_is_told_and_restored_if_that_is_allowed() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    let tree = |entries: &[(&str, Array)]| -> Tree {
        entries.iter().map(|(name, array)| ((*name).to_owned(), array.clone())).collect()
    };
    let saved = tree(&[("a", Array::arange(4)), ("b", Array::scalar(2.5f32)), ("old", Array::scalar(1))]);
    manager.save(CheckpointItems::new(1).tree("params", &saved).unwrap());
    let checkpoint = manager.restore(None).unwrap();
    let params = checkpoint.tree("params").unwrap();
    let like = tree(&[("a", Array::zeros(&[4])), ("b", Array::scalar(0.0f32)), ("new", Array::scalar(9))]);
    let error = params.restore(&like).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Input);
    let path = checkpoint.path().display();
    assert_eq!(
        error.to_string(),
        format!(
            "{path} is of another tree: 3 of 3 tensors differ\n  \
             = a: the tree has f32[4], the checkpoint i32[4]\n  \
             = new: the tree has i32[], the checkpoint nothing\n  \
             = old: the tree has nothing, the checkpoint i32[]\n  \
             = help: RestoreOptions allow other element types, leaves that one of the two lacks, and rules that make leaves of others"
        )
    );
    let all = || RestoreOptions { cast: true, keep_missing: true, drop_surplus: true, ..Default::default() };
    let restored = params.restore_as(&like, all()).unwrap();
    assert_eq!(restored["a"].to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(restored["b"].item::<f32>().unwrap(), 2.5);
    assert_eq!(restored["new"].item::<i32>().unwrap(), 9);
    let wide = tree(&[("a", Array::zeros(&[5])), ("b", Array::scalar(0.0f32)), ("new", Array::scalar(9))]);
    let error = params.restore_as(&wide, all()).unwrap_err();
    assert!(error.to_string().contains("a: the tree has f32[5], the checkpoint i32[4]"), "{error}");

    // `StoredTree` restores the checkpoint by names alone, as it does those of other programs.
    let stored = StoredTree::open(checkpoint.path()).unwrap();
    let restored = stored.restore(&like, all()).unwrap();
    assert_eq!(restored["a"].to_vec::<f32>().unwrap(), [0.0, 1.0, 2.0, 3.0]);
    assert!(stored.restore(&like, RestoreOptions::default()).is_err());
}

#[test]
fn keys_that_no_tensor_can_have_are_refused() {
    let refused = |key: &str| {
        let tree = BTreeMap::from([(key.to_owned(), Array::scalar(1))]);
        CheckpointItems::new(1).tree("state", &tree).unwrap_err()
    };
    for key in ["a/b", ""] {
        assert!(refused(key).message().contains(&format!("the key {key:?}")));
    }
    let one = CheckpointItems::new(1).tree("state", &Array::scalar(1)).unwrap();
    assert!(
        matches!(&one.items()[0].1, jarrah_checkpoint::CheckpointItem::Tree(tensors) if tensors[0].0 == "value")
    );
}

/// Fused layers over four devices of two processes become three stacked leaves over four devices of one process.
#[test]
fn leaves_over_a_mesh_are_stacked_and_split_over_another_mesh() {
    let axes = |all: &[(&str, usize)]| all.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
    let before = Topology { devices: vec![2, 2], axes: axes(&[("a", 2), ("b", 2)]) };
    let after = Topology { devices: vec![4], axes: axes(&[("a", 4)]) };
    let mut random = Random(0xfeed);
    let ty = Type::tensor(DType::F32, [8, 12]);
    let layers = [value(&mut random, ty), value(&mut random, ty)];
    let spec =
        |axes: &[Option<&'static str>]| PartitionSpec::new(axes.iter().map(|axis| SpecAxes::from(*axis)));
    let saved: Cut = (0..2)
        .map(|i| (format!("layers.{i}.qkv"), (layers[i].clone(), Some(spec(&[Some("a"), Some("b")])))))
        .collect();
    let dir = tempfile::tempdir().unwrap();
    save(dir.path(), &saved, &before);

    let part = |at: usize| {
        let all: Vec<u8> = layers
            .iter()
            .flat_map(|layer| crate::common::cut(layer, &[0..8, 4 * at..4 * at + 4]).bytes().to_vec())
            .collect();
        Literal::from_bytes(ty.with_dims([2, 8, 4]), &all).unwrap()
    };
    let wanted: Cut = [("q", 0, Some(1)), ("k", 1, Some(2)), ("v", 2, None)]
        .map(|(name, at, axis): (&str, usize, Option<usize>)| {
            let mut axes = [None; 3];
            axis.into_iter().for_each(|axis| axes[axis] = Some("a"));
            (name.to_owned(), (part(at), axis.map(|_| spec(&axes))))
        })
        .into();
    let rules = LeafRules::parse("layers.#.qkv -> q, k, v : stack 0 : split -1").unwrap();
    after.each(|devices| {
        let like = tree(&wanted, &after, &devices);
        let options = RestoreOptions { rules: rules.clone(), ..RestoreOptions::default() };
        let checkpoint = jarrah_checkpoint::latest(dir.path()).unwrap();
        let restored = checkpoint.tree("state").unwrap().restore_as(&like, options).unwrap();
        for (name, array) in &restored {
            assert_eq!(array.sharding(), like[name].sharding(), "{name}");
            for shard in array.shards() {
                let expected = crate::common::cut(&wanted[name].0, &shard.index);
                assert_eq!(shard.data.to_literal().unwrap(), expected, "{name} at {:?}", shard.index);
            }
        }
    });
}

/// Keys that have dots may have one name by rules, in which dots stand between keys.
#[test]
fn two_leaves_of_a_tree_with_one_name_by_rules_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager
        .save(CheckpointItems::new(1).tree("params", &Tree::from([("w".into(), Array::scalar(1))])).unwrap());
    let checkpoint = manager.restore(None).unwrap();
    let below = BTreeMap::from([("b".to_owned(), Array::scalar(1))]);
    let dotted = BTreeMap::from([("a.b".to_owned(), Array::scalar(1))]);
    let like = (BTreeMap::from([("a".to_owned(), below)]), dotted);
    let rules = LeafRules::parse("w -> 0.a.b").unwrap();
    let options = RestoreOptions { rules, keep_missing: true, ..RestoreOptions::default() };
    let params = checkpoint.tree("params").unwrap();
    assert!(params.restore_as(&like, options.clone()).is_ok());
    let same = BTreeMap::from([("0.a".to_owned(), like.0["a"].clone()), ("0".to_owned(), like.1.clone())]);
    let error = params.restore_as(&same, options).unwrap_err();
    assert!(error.message().contains("two leaves called 0.a.b"), "{error}");
}
