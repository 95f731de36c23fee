//! Trees of arrays as items of checkpoints, cut over devices as they are, or as they are asked for.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use jarrah_array::{Array, Mesh, NamedSharding, P, Tree, TreeExt, devices};
use jarrah_base::{Error, Literal, Result, Type};
use jarrah_formats::OrbaxSharding;
use jarrah_tree::{Part, Path, PathKey};

use crate::contents::read_all;
use crate::items::{CheckpointItem, CheckpointItems};
use crate::processes::Processes;
use crate::stored::StoredTree;
use crate::tensor::{Grid, ShardedTensor, TensorShard};
use crate::transform::{LeafRules, ReadLeaf, Source, converted, may_become};
use crate::tree::{CheckpointTree, Difference, expect};

impl CheckpointItems {
    /// With an item that is a tree of arrays, which are computed now and copied to the host if they are not there. An array over a mesh is saved in the shards that
    /// this process has.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let state = (Array::from_slice(&[1.0f32, 2.0]), vec![Array::scalar(3)]);
    /// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
    /// manager.save(CheckpointItems::new(100).tree("state", &state)?);
    ///
    /// let like = (Array::from_slice(&[0.0f32, 0.0]), vec![Array::scalar(0)]);
    /// let (w, count) = manager.restore(None)?.tree("state")?.restore(&like)?;
    /// assert_eq!((w.to_vec::<f32>()?, count[0].item::<i32>()?), (vec![1.0, 2.0], 3));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`item`](Self::item); a key holds a slash (`Program`); an array cannot be computed.
    pub fn tree<T: Tree<Array>>(self, name: &str, tree: &T) -> Result<CheckpointItems> {
        let mut named = Vec::new();
        tree.visit(&mut Path::default(), &mut |path, part| {
            if let Part::Leaf(leaf) = part {
                named.push((tensor_name(path), leaf));
            }
        });
        let tensor = |(name, leaf): (Result<String>, &Array)| Ok((name?, ShardedTensor::of_array(leaf)?));
        let tensors = named.into_iter().map(tensor).collect::<Result<_>>()?;
        self.item(name, CheckpointItem::Tree(tensors))
    }
}

/// The name of a leaf's tensor: its keys with slashes between them.
fn tensor_name(path: &Path) -> Result<String> {
    let mut name = String::new();
    for key in path.keys() {
        let key = match key {
            PathKey::Field(key) => (*key).to_owned(),
            PathKey::Name(key) => key.clone(),
            PathKey::Index(index) => index.to_string(),
        };
        if key.is_empty() || key.contains('/') {
            return Err(Error::program(format!("a tree of arrays has the key {key:?}"))
                .op("checkpoint")
                .help("a key is not empty and holds no slash, which stands between keys"));
        }
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(&key);
    }
    // A tree that is one array.
    Ok(if name.is_empty() { "value".to_owned() } else { name })
}

impl ShardedTensor {
    /// The value of an array, or the shards of an array over a mesh that this process saves: of those that several devices have, one device's process saves it.
    ///
    /// # Errors
    /// The array cannot be computed, or is one of a function that is traced (`Program`).
    pub fn of_array(array: &Array) -> Result<ShardedTensor> {
        let Some(sharding) = array.sharding().cloned() else {
            return array.to_literal().map(ShardedTensor::from);
        };
        let ty = array.ty();
        let dims: Vec<usize> = ty.extents().collect();
        let slices = sharding.slices(&dims)?;
        let extents: Vec<usize> =
            slices.first().map_or(dims.clone(), |first| first.iter().map(Range::len).collect());
        let uneven = || Error::internal("an array over a mesh has shards that make no grid");
        let grid = Grid::new(&dims, &extents).ok_or_else(uneven)?;
        let mut owners: Vec<Vec<usize>> = vec![Vec::new(); grid.len()];
        for (device, region) in slices.iter().enumerate() {
            owners[grid.cell(region).ok_or_else(uneven)?].push(device);
        }
        let held = array.shards();
        let mut shards = Vec::new();
        for (cell, owners) in owners.iter().enumerate() {
            // Devices that have one shard take turns from shard to shard.
            let owner = &sharding.devices()[owners[cell % owners.len()]];
            if let Some(shard) = held.iter().find(|shard| shard.device == *owner) {
                shards.push(TensorShard { region: shard.index.clone(), value: shard.data.to_literal()? });
            }
        }
        Ok(ShardedTensor::of_shards(ty, &extents, shards)?.with_sharding(described(&sharding)))
    }
}

/// A sharding as Orbax has it.
fn described(sharding: &NamedSharding) -> OrbaxSharding {
    let mesh = sharding.mesh().axes().iter().map(|axis| (axis.name.to_string(), axis.size)).collect();
    let ids: Vec<usize> =
        sharding.mesh().devices().map(|number| sharding.devices()[number].id().index()).collect();
    let devices = Some(ids).filter(|ids| !ids.iter().copied().eq(0..ids.len()));
    let spec = sharding.spec().axes().map(|axes| axes.iter().map(|axis| axis.to_string()).collect());
    OrbaxSharding::Named { mesh, devices, spec: spec.collect() }
}

/// The ways in which a restored tree may differ from the checkpoint.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// The leaves that are made of those of the checkpoint before they are compared with those of the tree. In rules, keys have dots between them.
    pub rules: LeafRules,
    /// Whether values of another element type are converted to that of the tree: floats to floats, integers to integers or floats.
    pub cast: bool,
    /// Whether the leaves that the checkpoint lacks keep the values that they have; otherwise it is an error.
    pub keep_missing: bool,
    /// Whether tensors of the checkpoint that the tree has no leaf for are left out; otherwise they are an error.
    pub drop_surplus: bool,
}

impl CheckpointTree<'_> {
    /// The tree of this structure with the tensors of the checkpoint. A leaf that lies over a mesh is restored over that mesh, however it was cut when it was saved; any
    /// other lies on the default device. A process holds its own shards only; of the saved shards that they touch it reads all bytes, once, to compare checksums.
    /// Values of `like` are not read.
    ///
    /// ```
    /// use jarrah_array::{Array, Mesh, NamedSharding, P};
    /// use jarrah_checkpoint::{CheckpointItems, CheckpointManager, CheckpointManagerOptions};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let dir = dir.path();
    /// let mut manager = CheckpointManager::open(dir, CheckpointManagerOptions::default())?;
    /// manager.save(CheckpointItems::new(1).tree("params", &vec![Array::arange(8)])?);
    /// let rows = NamedSharding::new(&Mesh::new(&[("data", 1)])?, P!["data"])?;
    /// let like = vec![(Array::arange(8) * 0).to_sharding(&rows)?];
    /// let params = manager.restore(None)?.tree("params")?.restore(&like)?;
    /// assert_eq!(params[0].sharding(), Some(&rows));
    /// assert_eq!(params[0].to_vec::<i32>()?, [0, 1, 2, 3, 4, 5, 6, 7]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The checkpoint is of a tree with other leaves (the first that differ are named), or damaged (`Input`).
    pub fn restore<T: Tree<Array>>(&self, like: &T) -> Result<T> {
        self.restore_as(like, RestoreOptions::default())
    }

    /// As [`restore`](Self::restore), of a tree that may differ from the checkpoint.
    ///
    /// # Errors
    /// As [`restore`](Self::restore), but for what the options allow; shapes always agree.
    pub fn restore_as<T: Tree<Array>>(&self, like: &T, options: RestoreOptions) -> Result<T> {
        let found: Vec<(String, Option<Type>)> =
            self.tensors().iter().map(|entry| (entry.name.clone(), Some(entry.ty))).collect();
        let place = self.contents.path.display().to_string();
        let read = |number: usize, region: &[Range<usize>]| self.region(&found[number].0, region);
        restored(like, &options, &place, &found, &read)
    }
}

impl StoredTree {
    /// The tree of this structure with the arrays that are stored, whatever wrote them; a key path `layers/0/w` is the name `layers.0.w` here. It lies where
    /// [`CheckpointTree::restore`] says.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_checkpoint::{RestoreOptions, StoredTree};
    /// use jarrah_formats::{Tensor, save_file};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let path = dir.path().join("w.safetensors");
    /// let w = jarrah_base::Literal::from_slice(&[2], &[1.0f32, 2.0])?;
    /// save_file(&path, &[Tensor::of("dense.0", &w)], &Default::default())?;
    /// let like = std::collections::BTreeMap::from([("dense".to_owned(), vec![Array::from_slice(&[0.0f32, 0.0])])]);
    /// let tree = StoredTree::open(&path)?.restore(&like, RestoreOptions::default())?;
    /// assert_eq!(tree["dense"][0].to_vec::<f32>()?, [1.0, 2.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`CheckpointTree::restore_as`].
    pub fn restore<T: Tree<Array>>(&self, like: &T, options: RestoreOptions) -> Result<T> {
        let found: Vec<(String, Option<Type>)> =
            self.leaves().iter().map(|leaf| (leaf.keys().join("/"), leaf.ty())).collect();
        let read = |number: usize, region: &[Range<usize>]| self.leaves()[number].region(region);
        restored(like, &options, &self.path().display().to_string(), &found, &read)
    }
}

fn restored<T: Tree<Array>>(
    like: &T,
    options: &RestoreOptions,
    place: &str,
    found: &[(String, Option<Type>)],
    read: ReadLeaf<'_>,
) -> Result<T> {
    if options.rules.is_empty() {
        return filled(like, options, place, found, &tensor_name, read);
    }
    let dotted: Vec<(String, Option<Type>)> =
        found.iter().map(|(name, ty)| (name.replace('/', "."), *ty)).collect();
    let (made, _) = options.rules.apply(&dotted).map_err(|e| e.context(format!("in {place}")))?;
    let types: Vec<(String, Option<Type>)> = made
        .iter()
        .map(|leaf| match &leaf.content {
            Source::Leaf(number) => (leaf.name.clone(), found[*number].1),
            Source::View(view) => (leaf.name.clone(), Some(view.ty())),
        })
        .collect();
    let name = |path: &Path| tensor_name(path).map(|name| name.replace('/', "."));
    filled(like, options, place, &types, &name, &|number, region| match &made[number].content {
        Source::Leaf(number) => read(*number, region),
        Source::View(view) => view.region(region, read),
    })
}

/// The tree with the values of the leaves of equal names.
fn filled<T: Tree<Array>>(
    like: &T,
    options: &RestoreOptions,
    place: &str,
    found: &[(String, Option<Type>)],
    name_of: &dyn Fn(&Path) -> Result<String>,
    read: ReadLeaf<'_>,
) -> Result<T> {
    let (mut wanted, mut failed) = (Vec::new(), None);
    like.visit(&mut Path::default(), &mut |path, part| {
        if let Part::Leaf(leaf) = part {
            match name_of(path) {
                Ok(name) => wanted.push((name, leaf.ty())),
                Err(error) => failed = Some(error),
            }
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let mut names = HashSet::new();
    if let Some((twice, _)) = wanted.iter().find(|(name, _)| !names.insert(name.as_str())) {
        return Err(
            Error::program(format!("a tree of arrays has two leaves called {twice}")).op("checkpoint")
        );
    }
    let is_allowed = |difference: &Difference| match difference {
        Difference::Missing => options.keep_missing,
        Difference::Surplus => options.drop_surplus,
        Difference::Type(wanted, found) => {
            options.cast && wanted.extents().eq(found.extents()) && may_become(found.dtype(), wanted.dtype())
        }
    };
    expect(place, "tree", &wanted, found, is_allowed).map_err(|error| match options {
        RestoreOptions { cast: false, keep_missing: false, drop_surplus: false, .. } => {
            error.help("RestoreOptions allow other element types, leaves that one of the two lacks, and rules that make leaves of others")
        }
        _ => error,
    })?;
    let known: HashMap<&str, usize> =
        found.iter().enumerate().map(|(number, (name, _))| (name.as_str(), number)).collect();
    // Several threads read the values of arrays on one device. This thread makes the arrays: they lie on its default device.
    let (all, mut leaves) = (like.leaves(), Vec::with_capacity(wanted.len()));
    let whole: Vec<(Option<usize>, Type)> = all
        .iter()
        .zip(&wanted)
        .map(|(leaf, (name, ty))| {
            (known.get(name.as_str()).copied().filter(|_| leaf.sharding().is_none()), *ty)
        })
        .collect();
    let bytes = |(number, ty): &(Option<usize>, Type)| number.map_or(0, |_| ty.bytes().unwrap_or(usize::MAX));
    let values = read_all(&whole, bytes, |(number, ty)| {
        let region: Vec<Range<usize>> = ty.extents().map(|extent| 0..extent).collect();
        number.map(|number| read(number, &region)).transpose()
    })?;
    for ((leaf, (name, ty)), value) in all.into_iter().zip(&wanted).zip(values) {
        leaves.push(match (value, leaf.sharding(), known.get(name.as_str())) {
            (Some(value), _, _) => Array::from_literal(typed(value, *ty)?),
            (None, Some(sharding), Some(&number)) => Array::from_callback(*ty, sharding, |region| {
                typed(read(number, region)?, *ty).map(Array::from_literal)
            })?,
            (None, _, _) => leaf.clone(),
        });
    }
    like.with_leaves(leaves).ok_or_else(|| Error::internal("a tree has other leaves than it has"))
}

/// Values with the elements of a type.
fn typed(values: Literal, ty: Type) -> Result<Literal> {
    if values.dtype() == ty.dtype() { Ok(values) } else { converted(&values, ty.dtype()) }
}

impl Processes {
    /// The processes that drive the devices of the default device's client; none where it is this one alone. All of them call it at the same place of the program: it
    /// is a collective.
    ///
    /// ```
    /// # fn main() -> jarrah_base::Result<()> {
    /// assert!(jarrah_checkpoint::Processes::of_devices()?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Another process failed.
    pub fn of_devices() -> Result<Option<Processes>> {
        let all = devices();
        let count = all.iter().map(|device| device.process() + 1).max().unwrap_or(1);
        let Some(own) = all.iter().find(|device| device.is_addressable()).filter(|_| count > 1) else {
            return Ok(None);
        };
        // The words of the first device's process are those of all.
        let words = random_words();
        let mesh = Mesh::new(&[("all", all.len())])?;
        let sharding = NamedSharding::on(&mesh, P!["all"], all.clone())?;
        let ty = Type::tensor(jarrah_base::DType::U32, [all.len(), words.len()]);
        let rows =
            Array::from_callback(
                ty,
                &sharding,
                |_| Ok(Array::from_slice(&words).reshape(&[1, words.len()])),
            )?;
        let whole = rows.to_sharding(&NamedSharding::on(&mesh, P![], all.clone())?)?.to_vec::<u32>()?;
        let session: String = whole[..words.len()].iter().map(|word| format!("{word:08x}")).collect();
        Processes::new(own.process(), count, session).map(Some)
    }
}

/// Words that no other run has.
fn random_words() -> [u32; 4] {
    use std::hash::{BuildHasher, RandomState};
    let time = std::time::SystemTime::now();
    let (a, b) = (RandomState::new().hash_one(time), RandomState::new().hash_one(std::process::id()));
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}
