//! Tensors that are saved in shards, and restored in other ones.

use std::fs;
use std::ops::Range;
use std::path::Path;

use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_checkpoint::{
    Checkpoint, CheckpointItems, CheckpointManager, CheckpointManagerOptions, ShardedTensor, TensorShard,
};
use jarrah_formats::{OrbaxCheckpoint, OrbaxSharding};

use crate::common::{Random, cut, files};
use crate::damage::sign;

/// A value of this type with random bits.
fn value(random: &mut Random, ty: Type) -> Literal {
    let bytes = (0..ty.bytes().unwrap()).map(|_| match ty.dtype() {
        DType::Bool => random.next() as u8 & 1,
        _ => random.next() as u8,
    });
    Literal::from_bytes(ty, &bytes.collect::<Vec<_>>()).unwrap()
}

/// All boxes of a grid.
fn boxes(dims: &[usize], extents: &[usize]) -> Vec<Vec<Range<usize>>> {
    dims.iter().zip(extents).fold(vec![Vec::new()], |all, (&dim, &extent)| {
        let starts: Vec<usize> = (0..dim).step_by(extent.max(1)).collect();
        let with = |of: &Vec<Range<usize>>| -> Vec<Vec<Range<usize>>> {
            starts.iter().map(|&at| of.iter().cloned().chain([at..at + extent]).collect()).collect()
        };
        all.iter().flat_map(with).collect()
    })
}

fn sharded(whole: &Literal, extents: &[usize]) -> ShardedTensor {
    let shard = |region: Vec<Range<usize>>| TensorShard { value: cut(whole, &region), region };
    let shards = boxes(&whole.dims(), extents).into_iter().map(shard).collect();
    ShardedTensor::of_shards(whole.ty(), extents, shards).unwrap()
}

fn saved(dir: &Path, tensors: Vec<(String, ShardedTensor)>) -> Checkpoint {
    let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default()).unwrap();
    manager.save(CheckpointItems::new(1).tensors("state", tensors).unwrap());
    manager.restore(None).unwrap()
}

#[test]
fn tensors_in_random_shards_are_restored_in_other_ones() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(0x5eed);
    for round in 0..12 {
        let dims = [[24, 12, 8], [8, 8, 8], [6, 4, 10]][random.below(3) as usize];
        let mut tensors = Vec::new();
        for dtype in [DType::F32, DType::BF16, DType::Bool, DType::I4, DType::U2, DType::F8E4M3] {
            let whole = value(&mut random, Type::tensor(dtype, dims));
            let extents: Vec<usize> =
                dims.iter().map(|dim| dim / [1, 2, dim / 2][random.below(3) as usize]).collect();
            tensors.push((format!("{dtype}"), whole, extents));
        }
        let tensor =
            |(name, whole, extents): &(String, Literal, Vec<usize>)| (name.clone(), sharded(whole, extents));
        let checkpoint = saved(&dir.path().join(round.to_string()), tensors.iter().map(tensor).collect());
        checkpoint.verify().unwrap();
        let tree = checkpoint.tree("state").unwrap();
        for (name, whole, _) in &tensors {
            assert_eq!(&tree.tensor(name).unwrap(), whole, "{name}");
            for _ in 0..6 {
                let region: Vec<Range<usize>> = dims
                    .iter()
                    .map(|&dim| {
                        let start = random.below(dim as u64) as usize;
                        start..start + 1 + random.below((dim - start) as u64) as usize
                    })
                    .collect();
                assert_eq!(tree.region(name, &region).unwrap(), cut(whole, &region), "{name} {region:?}");
            }
        }
    }
}

#[test]
fn the_hash_does_not_depend_on_the_shards() {
    let dir = tempfile::tempdir().unwrap();
    let whole = value(&mut Random(7), Type::tensor(DType::F32, [8, 6]));
    let hash = |name: &str, tensor: ShardedTensor| {
        saved(&dir.path().join(name), vec![("w".to_owned(), tensor)]).hash().unwrap()
    };
    let first = hash("whole", whole.clone().into());
    assert_eq!(hash("rows", sharded(&whole, &[2, 6])), first);
    assert_eq!(hash("boxes", sharded(&whole, &[4, 3])), first);
    assert_ne!(hash("other", value(&mut Random(8), whole.ty()).into()), first);
}

#[test]
fn a_damaged_shard_is_named_and_the_others_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let whole = value(&mut Random(9), Type::tensor(DType::F32, [64, 64]));
    let checkpoint = saved(dir.path(), vec![("w".to_owned(), sharded(&whole, &[32, 32]))]);
    let folder = checkpoint.path().to_owned();
    let shard = cut(&whole, &[32..64, 0..32]);
    let mut damaged = 0;
    for file in files(&folder).iter().filter(|file| file.contains("/d/")) {
        let mut bytes = fs::read(folder.join(file)).unwrap();
        if let Some(at) = bytes.windows(shard.bytes().len()).position(|w| w == shard.bytes()) {
            bytes[at + 100] ^= 1;
            fs::write(folder.join(file), bytes).unwrap();
            damaged += 1;
        }
    }
    assert_eq!(damaged, 1);
    let checkpoint = Checkpoint::open(&folder).unwrap();
    let tree = checkpoint.tree("state").unwrap();
    let words = "the shard [32..64, 0..32] of tensor w has the blake3 checksum";
    for error in [
        checkpoint.verify().unwrap_err(),
        tree.tensor("w").unwrap_err(),
        // An element of it, which is whole itself.
        tree.region("w", &[40..41, 0..1]).unwrap_err(),
        tree.region("w", &[32..64, 0..32]).unwrap_err(),
    ] {
        assert!(error.message().contains(words), "{error}");
    }
    assert_eq!(tree.region("w", &[0..32, 0..64]).unwrap(), cut(&whole, &[0..32, 0..64]));
}

/// The bytes of a large tensor are those of the file, which nobody copies, and stay when the checkpoint is removed.
#[cfg(target_os = "linux")]
#[test]
fn large_tensors_are_lent_from_the_mapped_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut random = Random(11);
    let small = value(&mut random, Type::tensor(DType::F32, [9, 77]));
    let large: Vec<Literal> =
        [[300, 77], [150, 161]].map(|dims| value(&mut random, Type::tensor(DType::F32, dims))).into();
    let names = ["a", "b"];
    let mut tensors = vec![("0".to_owned(), ShardedTensor::from(small.clone()))];
    tensors.extend(
        names.iter().zip(&large).map(|(name, of)| ((*name).to_owned(), ShardedTensor::from(of.clone()))),
    );
    let checkpoint = saved(dir.path(), tensors);
    let tree = checkpoint.tree("state").unwrap();
    let read = names.map(|name| tree.tensor(name).unwrap());
    assert_eq!(tree.tensor("0").unwrap(), small);
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    for (read, of) in read.iter().zip(&large) {
        let at = read.bytes().as_ptr().addr();
        assert!(at.is_multiple_of(64));
        let holds = |line: &&str| {
            let (from, to) = line.split_once(' ').unwrap().0.split_once('-').unwrap();
            let [from, to] = [from, to].map(|end| usize::from_str_radix(end, 16).unwrap());
            (from..to).contains(&at)
        };
        let line = maps.lines().find(holds).unwrap();
        assert!(line.contains(&*checkpoint.path().to_string_lossy()), "{line}");
        assert_eq!(read, of);
    }
    // Of a damaged file nothing is lent.
    let found = files(checkpoint.path()).into_iter().find_map(|file| {
        let bytes = fs::read(checkpoint.path().join(&file)).unwrap();
        let at = bytes.windows(large[1].bytes().len()).position(|window| window == large[1].bytes())?;
        Some((checkpoint.path().join(file), bytes, at))
    });
    let (path, mut bytes, at) = found.unwrap();
    bytes[at + 70_000] ^= 8;
    fs::remove_file(&path).unwrap();
    fs::write(&path, bytes).unwrap();
    let damaged = Checkpoint::open(checkpoint.path()).unwrap();
    let error = damaged.tree("state").unwrap().tensor("b").unwrap_err();
    assert!(error.message().contains("tensor b has the blake3 checksum"), "{error}");
    assert_eq!(damaged.tree("state").unwrap().tensor("a").unwrap(), large[0]);
    drop((checkpoint, damaged));
    fs::remove_dir_all(dir.path()).unwrap();
    assert!(read.iter().zip(&large).all(|(read, of)| read == of));
}

#[test]
fn a_manifest_that_lies_about_shards_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let whole = value(&mut Random(10), Type::tensor(DType::F32, [8, 6]));
    let checkpoint = saved(dir.path(), vec![("w".to_owned(), sharded(&whole, &[2, 6]))]);
    let path = checkpoint.path().join("jarrah/metadata");
    let text = fs::read_to_string(&path).unwrap();
    for (truth, lie) in [
        ("\"shard\":[2,6]", "\"shard\":[3,6]"),
        ("\"shard\":[2,6]", "\"shard\":[4,6]"),
        ("\"shard\":[2,6]", "\"shard\":[0,6]"),
        ("\"shard\":[2,6]", "\"shard\":[2]"),
        ("\"shard\":[2,6]", "\"shard\":[8,1]"),
        ("\"blake3\":[\"", "\"blake3\":[\"0"),
        ("\"is_json\":false", "\"is_json\":true"),
        ("\"name\":\"state\"", "\"name\":\"\""),
        ("\"name\":\"state\"", "\"name\":\"../state\""),
    ] {
        let changed = text.replacen(truth, lie, 1);
        assert_ne!(changed, text, "{truth}");
        fs::write(&path, sign(&changed)).unwrap();
        let read = Checkpoint::open(checkpoint.path())
            .and_then(|checkpoint| checkpoint.verify().map(|()| checkpoint));
        let error = read.and_then(|checkpoint| checkpoint.tree("state")?.tensor("w")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Input, "{lie}: {error}");
    }
}

#[test]
fn orbax_reads_the_shards_and_their_devices() {
    let dir = tempfile::tempdir().unwrap();
    let whole = value(&mut Random(11), Type::tensor(DType::F32, [8, 6]));
    let tensor =
        sharded(&whole, &[2, 6]).with_sharding(OrbaxSharding::named([("data", 4)], [vec!["data"], vec![]]));
    let checkpoint = saved(dir.path(), vec![("w".to_owned(), tensor)]);
    let words = r#"NamedSharding(data=4; ["data",null])"#;
    assert_eq!(checkpoint.tensors()[0].sharding.as_deref(), Some(words));
    let orbax = OrbaxCheckpoint::open(checkpoint.path()).unwrap();
    let tree = orbax.tree("state").unwrap();
    let leaf = tree.get("w").unwrap();
    assert_eq!((leaf.chunk_dims(), leaf.sharding()), (Some(&[2, 6][..]), Some(words)));
    assert_eq!(leaf.literal().unwrap(), whole);
}

#[test]
fn shards_that_make_no_grid_are_refused() {
    let ty = Type::tensor(DType::I32, [4, 2]);
    let shard = |region: Vec<Range<usize>>| {
        let dims: Vec<usize> = region.iter().map(Range::len).collect();
        TensorShard { region, value: Literal::zeros(Type::tensor(DType::I32, dims)).unwrap() }
    };
    for (extents, shards) in [
        (vec![3, 2], vec![]),
        (vec![2], vec![]),
        (vec![2, 2], vec![shard(vec![1..3, 0..2])]),
        (vec![2, 2], vec![shard(vec![0..2, 0..2]), shard(vec![0..2, 0..2])]),
        (vec![2, 2], vec![shard(vec![4..6, 0..2])]),
    ] {
        assert!(ShardedTensor::of_shards(ty, &extents, shards).is_err(), "{extents:?}");
    }
    let wrong = TensorShard {
        region: vec![0..2, 0..2],
        value: Literal::zeros(Type::tensor(DType::F32, [2, 2])).unwrap(),
    };
    assert!(ShardedTensor::of_shards(ty, &[2, 2], vec![wrong]).is_err());
}

#[test]
fn a_shard_that_nobody_gave_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let whole = value(&mut Random(12), Type::tensor(DType::F32, [4, 2]));
    let shard = TensorShard { region: vec![0..2, 0..2], value: cut(&whole, &[0..2, 0..2]) };
    let half = ShardedTensor::of_shards(whole.ty(), &[2, 2], vec![shard]).unwrap();
    let mut manager = CheckpointManager::open(dir.path(), CheckpointManagerOptions::default()).unwrap();
    manager.save(CheckpointItems::new(1).tensors("state", [("w", half)]).unwrap());
    let error = manager.wait().unwrap().unwrap_err();
    assert!(error.message().contains("the chunk [1, 0] of the array \"w\" was not written"), "{error}");
    assert!(error.to_string().contains("knows the others by the `processes` of its options"), "{error}");
    assert!(manager.steps().unwrap().is_empty() && crate::common::leftovers(dir.path()).is_empty());
}
