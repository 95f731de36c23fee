use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_formats::msgpack::{FlaxNode, write_flax};
use jarrah_formats::{
    OrbaxArraySpec, OrbaxCheckpoint, OrbaxDescription, OrbaxHandler, OrbaxLeaf, OrbaxLeafSpec, OrbaxLeafType,
    OrbaxNode, OrbaxPlan, OrbaxWriteOptions, Tensor, save_file,
};
use jarrah_store::{Condition, LocalStore, Name, ObjectStore};

use super::tree::{StoredLeaf, StoredTree};
use crate::transform::LeafRules;

/// The bytes of an array of Flax that are in one value.
const FLAX_CHUNK: usize = 1 << 30;

/// How deep a tree may be.
const DEPTH: usize = 100;

/// A format that a [`StoredTree`] is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TargetFormat {
    /// One file of safetensors; texts stand in its metadata.
    Safetensors,
    /// A checkpoint of Orbax of version 0 that is one tree. The leaves of a checkpoint of Orbax that is one tree keep its lists, tuples and empty nodes, unless rules make others of
    /// them, and random keys and Python's numbers stay such. The nodes of all others are dictionaries: a position in a list is the key of one.
    Orbax,
    /// A file of `flax.serialization`, which has no texts.
    Flax,
}

/// The changes that leaves go through on their way to another file.
#[derive(Clone, Default, Debug)]
pub struct Conversion {
    /// The leaves that are made of those of the tree.
    pub rules: LeafRules,
    /// The type that floating-point arrays get.
    pub dtype: Option<DType>,
}

impl StoredTree {
    /// Writes the arrays to `target`, which must not be there; it appears when all of it is durable. Returns the number of leaves written.
    ///
    /// To a checkpoint of Orbax one value is in memory at a time; to a file, all are.
    ///
    /// ```
    /// use jarrah_base::{DType, Literal};
    /// use jarrah_checkpoint::{Conversion, LeafRules, StoredTree, TargetFormat};
    /// use jarrah_formats::{Tensor, save_file};
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let (from, to) = (dir.path().join("w.safetensors"), dir.path().join("orbax"));
    /// let w = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
    /// save_file(&from, &[Tensor::of("layers.0.w", &w)], &Default::default())?;
    /// let changes = Conversion { rules: LeafRules::parse("layers.*.w -> params.*.kernel")?, dtype: Some(DType::BF16) };
    /// StoredTree::open(&from)?.write(&to, TargetFormat::Orbax, &changes)?;
    /// assert_eq!(StoredTree::open(&to)?.leaves()[0].to_string(), "params.0.kernel bf16[2]");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// `target` is there already, a rule cannot be applied or two leaves get one name, a leaf is of a type that is not read here or that the format lacks (`Input`); it cannot be
    /// written (`Environment`).
    pub fn write(
        &self,
        target: impl AsRef<Path>,
        format: TargetFormat,
        changes: &Conversion,
    ) -> Result<usize> {
        let target = target.as_ref();
        is_free(target)?;
        let tree = self.transformed(&changes.rules)?;
        let leaves = &tree.leaves;
        if leaves.is_empty() {
            return Err(Error::input(format!("{}: no leaf is left", self.path.display())).op("convert"));
        }
        match format {
            TargetFormat::Safetensors => write_safetensors(target, leaves, changes.dtype)?,
            TargetFormat::Orbax => write_orbax(target, &tree, changes.dtype)?,
            TargetFormat::Flax => write_file_of_flax(target, leaves, changes.dtype)?,
        }
        Ok(leaves.len())
    }
}

/// The value of a leaf in the type that it is written in.
fn value(leaf: &StoredLeaf, dtype: Option<DType>) -> Result<Literal> {
    let literal = leaf.literal()?;
    match dtype.filter(|_| literal.dtype().is_float()) {
        Some(dtype) => Tensor::of(leaf.name(), &literal).to(dtype)?.literal(),
        None => Ok(literal),
    }
}

fn write_safetensors(target: &Path, leaves: &[StoredLeaf], dtype: Option<DType>) -> Result<()> {
    let (mut values, mut texts) = (Vec::new(), BTreeMap::new());
    for leaf in leaves {
        match leaf.text() {
            Some(text) => drop(texts.insert(leaf.name.clone(), text.to_owned())),
            None => values.push((leaf.name(), value(leaf, dtype)?)),
        }
    }
    let tensors: Vec<Tensor<'_>> = values.iter().map(|(name, value)| Tensor::of(*name, value)).collect();
    save_file(target, &tensors, &texts)
}

/// Checks that nothing has the name of a new file or folder.
fn is_free(target: &Path) -> Result<()> {
    match target.symlink_metadata().is_ok() {
        false => Ok(()),
        true => Err(Error::input(format!("{} is there already", target.display()))
            .op("convert")
            .help("name a file or folder that is not there yet")),
    }
}

/// The folder that a new file or folder stands in, as a store, and its name there.
fn place(target: &Path) -> Result<(LocalStore, Name)> {
    let (Some(name), Some(parent)) = (target.file_name().and_then(|name| name.to_str()), target.parent())
    else {
        return Err(Error::input(format!("{} is no name of a file", target.display())).op("convert"));
    };
    let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    if let Some(within) = parent.ancestors().find(|above| OrbaxCheckpoint::is_at(above)) {
        let error = format!("{} is within the checkpoint {}", target.display(), within.display());
        return Err(Error::input(error).op("convert").help("name another place"));
    }
    fs::create_dir_all(parent).map_err(|e| Error::io("make", parent, &e))?;
    Ok((LocalStore::new(parent)?, Name::new(name)?))
}

fn appeared(written: bool, target: &Path) -> Result<()> {
    match written {
        true => Ok(()),
        false => Err(Error::input(format!("{} was made meanwhile", target.display())).op("convert")),
    }
}

fn write_orbax(target: &Path, tree: &StoredTree, dtype: Option<DType>) -> Result<()> {
    let leaves = &tree.leaves;
    let (mut specs, mut numbers) = (Vec::new(), Vec::new());
    for (number, leaf) in leaves.iter().enumerate() {
        specs.push(match (leaf.text(), leaf.ty()) {
            (Some(text), _) => OrbaxLeafSpec::Text(text.to_owned()),
            (None, Some(ty)) => {
                numbers.push(number);
                let dtype = dtype.filter(|_| ty.dtype().is_float()).unwrap_or(ty.dtype());
                let dims: Vec<usize> = ty.extents().collect();
                let (generator, leaf_type) =
                    (leaf.orbax().and_then(OrbaxLeaf::generator), leaf.orbax().map(OrbaxLeaf::leaf_type));
                OrbaxLeafSpec::Array(match (generator, leaf_type) {
                    (Some(generator), _) => OrbaxArraySpec::array(dtype, dims).generator(generator),
                    (None, Some(OrbaxLeafType::Scalar)) => OrbaxArraySpec::scalar(dtype),
                    (None, _) => OrbaxArraySpec::numpy(dtype, dims),
                })
            }
            (None, None) => return leaf.literal().map(drop),
        });
    }
    let now = now();
    let root = match &tree.root {
        Some(root) if !matches!(root, OrbaxNode::Leaf(_)) => root.clone(),
        _ => orbax_node(nested(named(leaves))?),
    };
    let node_types = has_types(&root);
    let options =
        OrbaxWriteOptions { time_nanos: now, seed: now, node_types, ..OrbaxWriteOptions::default() };
    let plan = OrbaxPlan::new(&root, specs, options)?;
    let (store, name) = place(target)?;
    let draft = store.draft(&name)?;
    let mut writer = plan.writer(&*draft, &Name::root(), 0)?;
    for number in numbers {
        writer.write_literal(leaves[number].name(), &value(&leaves[number], dtype)?)?;
    }
    plan.merge(&*draft, &Name::root(), &[writer.finish()?])?;
    let mut description = OrbaxDescription::new(0, [("", OrbaxHandler::PyTree)]);
    (description.init_nanos, description.commit_nanos) = (now, now);
    description.write(&*draft)?;
    appeared(draft.publish()?, target)
}

/// Whether a tree has tuples, which readers take for lists if the types of nodes are not written.
fn has_types(node: &OrbaxNode) -> bool {
    match node {
        OrbaxNode::Tuple(_) | OrbaxNode::Named { .. } => true,
        OrbaxNode::Dict(children) => children.iter().any(|(_, child)| has_types(child)),
        OrbaxNode::List(children) => children.iter().any(has_types),
        OrbaxNode::None | OrbaxNode::Leaf(_) => false,
    }
}

/// Writes arrays as the item `item` of a checkpoint of Orbax of version 0, whose arrays are zarr 3, and `files` beside the item. The folder `target`, which must not
/// be there, appears when all of it is durable.
///
/// * `arrays`: their names, keys with dots between them, and their types
/// * `value`: gives the array of a name; one is in memory at a time
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_checkpoint::{StoredTree, write_orbax_item};
/// # let dir = tempfile::tempdir().unwrap();
/// # let target = dir.path().join("0");
/// let kernel = Literal::from_slice(&[2], &[1.0f32, 2.0])?;
/// let arrays = [("params.kernel".to_owned(), kernel.ty())];
/// write_orbax_item(&target, "items", &arrays, &[("config.json", b"{}")], &mut |_| Ok(kernel.clone()))?;
/// assert_eq!(StoredTree::open(&target)?.get("params.kernel")?.literal()?, kernel);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// `target` is there already, a name is the beginning of another (`Input`); `value` fails; it cannot be written (`Environment`).
pub fn write_orbax_item(
    target: impl AsRef<Path>,
    item: &str,
    arrays: &[(String, Type)],
    files: &[(&str, &[u8])],
    value: &mut dyn FnMut(&str) -> Result<Literal>,
) -> Result<()> {
    let target = target.as_ref();
    is_free(target)?;
    let keys: Vec<Vec<String>> =
        arrays.iter().map(|(name, _)| name.split('.').map(str::to_owned).collect()).collect();
    let names = arrays.iter().zip(&keys).map(|((name, _), keys)| (name.as_str(), keys.as_slice()));
    let spec = |(_, ty): &(String, Type)| {
        OrbaxLeafSpec::Array(OrbaxArraySpec::numpy(ty.dtype(), ty.extents().collect::<Vec<_>>()))
    };
    let now = now();
    let options =
        OrbaxWriteOptions { time_nanos: now, seed: now, use_zarr3: true, ..OrbaxWriteOptions::default() };
    let plan = OrbaxPlan::new(&orbax_node(nested(names)?), arrays.iter().map(spec).collect(), options)?;
    let (store, name) = place(target)?;
    let draft = store.draft(&name)?;
    let folder = Name::new(item)?;
    let mut writer = plan.writer(&*draft, &folder, 0)?;
    for (name, _) in arrays {
        writer.write_literal(name, &value(name)?)?;
    }
    plan.merge(&*draft, &folder, &[writer.finish()?])?;
    for (name, content) in files {
        let mut upload = draft.create(&Name::new(*name)?)?;
        upload.write(content)?;
        upload.finish(Condition::Absent)?;
    }
    let mut description = OrbaxDescription::new(0, [(item, OrbaxHandler::PyTree)]);
    (description.init_nanos, description.commit_nanos) = (now, now);
    description.write(&*draft)?;
    appeared(draft.publish()?, target)
}

/// The nanoseconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64)
}

/// The names and the keys of leaves.
fn named(leaves: &[StoredLeaf]) -> impl Iterator<Item = (&str, &[String])> {
    leaves.iter().map(|leaf| (leaf.name.as_str(), leaf.keys.as_slice()))
}

/// Leaves by the keys of their names: the number of a leaf, or more below a key.
enum Nested {
    Leaf(usize),
    Map(BTreeMap<String, Nested>),
}

fn nested<'a>(leaves: impl IntoIterator<Item = (&'a str, &'a [String])>) -> Result<BTreeMap<String, Nested>> {
    let mut root = BTreeMap::new();
    for (number, (name, keys)) in leaves.into_iter().enumerate() {
        let taken = || {
            Error::input(format!(
                "a leaf is called {name}, and another has its name as the beginning, or the other way"
            ))
            .op("convert")
            .help("change the rules")
        };
        if keys.len() > DEPTH {
            return Err(Error::input(format!("{name} has more than {DEPTH} keys")).op("convert"));
        }
        let mut at = &mut root;
        let mut keys = keys.iter().peekable();
        while let Some(key) = keys.next() {
            let is_last = keys.peek().is_none();
            match at.entry(key.clone()) {
                Entry::Vacant(place) if is_last => {
                    place.insert(Nested::Leaf(number));
                    break;
                }
                Entry::Occupied(_) if is_last => return Err(taken()),
                entry => match entry.or_insert_with(|| Nested::Map(BTreeMap::new())) {
                    Nested::Map(below) => at = below,
                    Nested::Leaf(_) => return Err(taken()),
                },
            }
        }
    }
    Ok(root)
}

fn orbax_node(nodes: BTreeMap<String, Nested>) -> OrbaxNode {
    let node = |(key, node)| match node {
        Nested::Leaf(number) => (key, OrbaxNode::Leaf(number)),
        Nested::Map(below) => (key, orbax_node(below)),
    };
    OrbaxNode::Dict(nodes.into_iter().map(node).collect())
}

fn flax_node(
    nodes: BTreeMap<String, Nested>,
    value: &mut dyn FnMut(usize) -> Result<Literal>,
) -> Result<FlaxNode> {
    let mut map = BTreeMap::new();
    for (key, node) in nodes {
        let node = match node {
            Nested::Leaf(number) => FlaxNode::Array(value(number)?),
            Nested::Map(below) => flax_node(below, value)?,
        };
        map.insert(key, node);
    }
    Ok(FlaxNode::Map(map))
}

fn write_file_of_flax(target: &Path, leaves: &[StoredLeaf], dtype: Option<DType>) -> Result<()> {
    if let Some(StoredLeaf { name, .. }) = leaves.iter().find(|leaf| leaf.text().is_some()) {
        return Err(Error::input(format!("{name} is a text, and Flax's files have arrays alone"))
            .op("convert")
            .help(format!("drop it with a rule: {name} -> -")));
    }
    let root = flax_node(nested(named(leaves))?, &mut |number| value(&leaves[number], dtype))?;
    let bytes = write_flax(&root, FLAX_CHUNK)?;
    let (store, name) = place(target)?;
    let mut upload = store.create(&name)?;
    upload.write(&bytes)?;
    appeared(upload.finish(Condition::Absent)?.is_some(), target)
}
