use jarrah_base::{DType, Error, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use super::names::{check_apart, check_key, check_path};
use super::options::{OrbaxArraySpec, OrbaxLeafSpec, OrbaxWriteOptions};
use super::{cut, refused};
use crate::element::stored_name;
use crate::orbax::array::{MOST_AXES, MOST_CHUNKS, ZarrArray, array_type};
use crate::orbax::chunk::{Codecs, Index, Layout, elements};
use crate::orbax::key::{DEPTH, OrbaxKey, name};
use crate::orbax::leaf::OrbaxLeafType;
use crate::orbax::node_type::OrbaxNode;
use crate::orbax::write::names::put_text;

/// A tree that is to be written: its structure, and how its arrays are cut into chunks. All processes that write it have the same plan.
///
/// ```
/// use jarrah_base::DType;
/// use jarrah_formats::{OrbaxArraySpec, OrbaxCheckpoint, OrbaxDescription, OrbaxHandler, OrbaxLeafSpec, OrbaxNode, OrbaxPlan, OrbaxWriteOptions};
/// use jarrah_store::{MemoryStore, Name, ObjectStore};
///
/// let root = OrbaxNode::Dict(vec![("kernel".to_owned(), OrbaxNode::Leaf(0)), ("name".to_owned(), OrbaxNode::Leaf(1))]);
/// let kernel = OrbaxArraySpec::numpy(DType::U8, [4, 2]).shards([2, 2]);
/// let leaves = vec![OrbaxLeafSpec::Array(kernel), OrbaxLeafSpec::Text("mlp".to_owned())];
/// let plan = OrbaxPlan::new(&root, leaves, OrbaxWriteOptions::default())?;
///
/// let store = MemoryStore::new();
/// let draft = store.draft(&Name::new("100")?)?;
/// let folder = Name::new("state")?;
/// // One process writes the upper shard, another the lower one.
/// let mut first = plan.writer(&*draft, &folder, 0)?;
/// first.write("kernel", &[0..2, 0..2], &[1, 2, 3, 4])?;
/// let mut second = plan.writer(&*draft, &folder, 1)?;
/// second.write("kernel", &[2..4, 0..2], &[5, 6, 7, 8])?;
/// // One of them makes a tree of the parts.
/// plan.merge(&*draft, &folder, &[first.finish()?, second.finish()?])?;
/// OrbaxDescription::new(0, [("state", OrbaxHandler::PyTree)]).write(&*draft)?;
/// assert!(draft.publish()?);
/// assert!(store.open(&Name::new("100/state/manifest.ocdbt")?)?.is_some());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Debug)]
pub struct OrbaxPlan {
    pub(super) rows: Vec<PlanRow>,
    pub(super) arrays: Vec<PlanArray>,
    /// The arrays' numbers by name.
    pub(super) index: FxHashMap<String, usize>,
    /// The types of nodes, where they are written.
    pub(super) nodes: Option<Value>,
    pub(super) options: OrbaxWriteOptions,
    /// A mark of the tree, its chunks and its options, by which parts of other plans are told.
    pub(super) mark: [u8; 32],
}

/// A leaf or an empty node.
#[derive(Debug)]
pub(super) struct PlanRow {
    pub keys: Vec<OrbaxKey>,
    pub value: PlanValue,
}

#[derive(Debug)]
pub(super) enum PlanValue {
    /// An empty node, by Orbax's name of its type.
    Empty(&'static str),
    Text(String),
    /// The number of an array.
    Array(usize),
}

#[derive(Debug)]
pub(super) struct PlanArray {
    pub name: String,
    pub spec: OrbaxArraySpec,
    pub dtype: DType,
    pub shard: Vec<usize>,
    pub zarr: ZarrArray,
    /// The number of chunks.
    pub chunks: usize,
}

impl OrbaxPlan {
    /// Checks a tree and chooses the chunks of its arrays. The leaves of `root` are numbers of `leaves`, each there once.
    ///
    /// # Errors
    /// A name or an element type is one that Orbax or TensorStore could not read back, two leaves have the same name, a shape does not fit (`Input`), or the
    /// leaves of `root` are not those of `leaves` (`Program`).
    pub fn new(
        root: &OrbaxNode,
        leaves: Vec<OrbaxLeafSpec>,
        options: OrbaxWriteOptions,
    ) -> Result<OrbaxPlan> {
        let mut leaves: Vec<Option<OrbaxLeafSpec>> = leaves.into_iter().map(Some).collect();
        let mut plan = OrbaxPlan {
            rows: Vec::new(),
            arrays: Vec::new(),
            index: FxHashMap::default(),
            nodes: None,
            options,
            mark: [0; 32],
        };
        let is_empty = match root {
            OrbaxNode::Dict(children) => children.is_empty(),
            OrbaxNode::List(children) | OrbaxNode::Tuple(children) => children.is_empty(),
            OrbaxNode::Named { fields, .. } => fields.is_empty(),
            OrbaxNode::None => true,
            OrbaxNode::Leaf(_) => false,
        };
        if is_empty {
            return Err(refused(
                "a tree without leaves and without nodes is written, which Orbax does not read",
            ));
        }
        let nodes = plan.node(root, &mut Vec::new(), &mut leaves)?;
        plan.nodes = plan.options.node_types.then_some(nodes);
        if let Some(number) = leaves.iter().position(Option::is_some) {
            return Err(Error::program(format!("the leaf {number} is not in the tree")).op("orbax"));
        }
        plan.check()?;
        plan.mark = plan.marked();
        Ok(plan)
    }

    /// Adds a node and all below it, and gives its type as `value_metadata_tree` has it.
    fn node(
        &mut self,
        node: &OrbaxNode,
        keys: &mut Vec<OrbaxKey>,
        leaves: &mut [Option<OrbaxLeafSpec>],
    ) -> Result<Value> {
        if keys.len() > DEPTH {
            return Err(refused(format!("the tree is deeper than {DEPTH}")));
        }
        let mut child = |plan: &mut OrbaxPlan, key: OrbaxKey, child: &OrbaxNode| {
            keys.push(key);
            let described = plan.node(child, keys, leaves);
            keys.pop();
            described
        };
        let value = match node {
            OrbaxNode::Leaf(number) => {
                let leaf = leaves.get_mut(*number).and_then(Option::take).ok_or_else(|| {
                    Error::program(format!(
                        "the tree has the leaf {number}, which is not given or is there twice"
                    ))
                    .op("orbax")
                })?;
                self.leaf(leaf, keys)?
            }
            OrbaxNode::Dict(children) if !children.is_empty() => {
                let mut types = serde_json::Map::new();
                for (key, node) in children {
                    if types.contains_key(key) {
                        return Err(refused(format!("a dictionary has the key {key:?} twice")));
                    }
                    types.insert(key.clone(), child(self, OrbaxKey::Name(key.clone()), node)?);
                }
                return Ok(Value::Object(types));
            }
            OrbaxNode::Named { class, fields } if !fields.is_empty() => {
                let (mut entries, mut names) = (Vec::new(), FxHashSet::default());
                for (key, node) in fields {
                    if !names.insert(key.as_str()) {
                        return Err(refused(format!("the named tuple {class} has the field {key:?} twice")));
                    }
                    let value = child(self, OrbaxKey::Name(key.clone()), node)?;
                    entries.push(json!({ "key": key, "value": value }));
                }
                let (module, class) = class.rsplit_once('.').unwrap_or(("", class));
                return Ok(
                    json!({ "category": "namedtuple", "module": module, "clazz": class, "entries": entries }),
                );
            }
            OrbaxNode::List(children) | OrbaxNode::Tuple(children) if !children.is_empty() => {
                let numbered = children.iter().enumerate();
                let types = numbered.map(|(i, node)| child(self, OrbaxKey::Index(i), node));
                let types = types.collect::<Result<Vec<Value>>>()?;
                return Ok(match node {
                    OrbaxNode::Tuple(_) => {
                        json!({ "category": "custom", "clazz": "tuple", "entries": types })
                    }
                    _ => Value::Array(types),
                });
            }
            OrbaxNode::Dict(_) => PlanValue::Empty("Dict"),
            OrbaxNode::List(_) => PlanValue::Empty("List"),
            OrbaxNode::Tuple(_) => PlanValue::Empty("Tuple"),
            OrbaxNode::None => PlanValue::Empty("None"),
            OrbaxNode::Named { .. } if self.options.node_types => PlanValue::Empty("NamedTuple"),
            OrbaxNode::Named { class, .. } => {
                return Err(refused(format!(
                    "the named tuple {class} has no fields: Orbax would read it as None"
                ))
                .help("set the option `node_types`"));
            }
        };
        self.rows.push(PlanRow { keys: keys.clone(), value });
        if !self.options.node_types {
            return Ok(Value::Null);
        }
        let row = self.rows.last().map(|row| self.value_metadata(row));
        Ok(json!({ "category": "custom", "clazz": "ValueMetadataEntry", "data": row }))
    }

    fn leaf(&mut self, leaf: OrbaxLeafSpec, keys: &[OrbaxKey]) -> Result<PlanValue> {
        let spec = match leaf {
            OrbaxLeafSpec::Text(text) => return Ok(PlanValue::Text(text)),
            OrbaxLeafSpec::Array(spec) => spec,
        };
        let name = name(keys);
        let array = planned(name.clone(), spec, &self.options).map_err(|e| {
            e.context(format!("in the leaf {}", if name.is_empty() { "at the root" } else { &name }))
        })?;
        self.arrays.push(array);
        if self.index.insert(name.clone(), self.arrays.len() - 1).is_some() {
            return Err(refused(format!(
                "two arrays have the name {name}, which is their keys with dots between them"
            ))
            .help("rename one of their keys: Orbax would write one over the other"));
        }
        Ok(PlanValue::Array(self.arrays.len() - 1))
    }

    /// Checks the names against one another.
    fn check(&self) -> Result<()> {
        let mut strings = serde_json::Map::new();
        for row in &self.rows {
            if let PlanValue::Text(text) = &row.value {
                put_text(&mut strings, &name(&row.keys), text)?;
            }
        }
        for array in &self.arrays {
            match self.options.use_ocdbt {
                true => check_key(&array.name)?,
                false => check_path(&array.name, self.rows.len() == 1)?,
            }
        }
        match self.options.use_ocdbt {
            true => Ok(()),
            false => check_apart(self.arrays.iter().map(|array| array.name.as_str())),
        }
    }

    /// The mark of the plan: equal plans have equal marks.
    fn marked(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let options = &self.options;
        hasher.update(
            format!(
                "{:?} {} {} {}",
                options.compression, options.use_ocdbt, options.use_zarr3, options.store_zeros
            )
            .as_bytes(),
        );
        for row in &self.rows {
            for key in &row.keys {
                hasher.update(&key_mark(key));
            }
            match &row.value {
                PlanValue::Empty(kind) => hasher.update(kind.as_bytes()),
                PlanValue::Text(text) => hasher.update(text.as_bytes()),
                PlanValue::Array(number) => {
                    let array = &self.arrays[*number];
                    hasher.update(array.zarr.type_name.as_bytes());
                    for extent in array.zarr.dims.iter().chain(&array.zarr.chunk).chain(&array.shard) {
                        hasher.update(&extent.to_le_bytes());
                    }
                    &mut hasher
                }
            };
        }
        *hasher.finalize().as_bytes()
    }
}

/// The bytes of a key in the mark of a plan.
fn key_mark(key: &OrbaxKey) -> Vec<u8> {
    let (kind, text) = match key {
        OrbaxKey::Name(name) => (0, name.clone()),
        OrbaxKey::Index(index) => (1, index.to_string()),
    };
    [&[kind][..], &(text.len() as u64).to_le_bytes(), text.as_bytes()].concat()
}

/// An array with its chunks.
fn planned(name: String, spec: OrbaxArraySpec, options: &OrbaxWriteOptions) -> Result<PlanArray> {
    let (dtype, dims) = (spec.dtype, spec.dims.clone());
    if dims.len() > MOST_AXES {
        return Err(refused(format!("an array has {} axes; the most are {MOST_AXES}", dims.len())));
    }
    let type_name = stored_name(dtype, options.use_zarr3).ok_or_else(|| {
        refused(format!("elements of type {dtype} are written, which TensorStore does not read"))
            .help("cast them to a type that it reads, such as i8, u8 or bf16")
    })?;
    // The size of the array is checked before the shapes of its parts are looked for.
    array_type(dtype, &dims)?;
    let sharded = spec.sharding.as_ref().map(|sharding| sharding.shard(&dims)).transpose()?;
    let shard = spec.shard.clone().or(sharded).unwrap_or_else(|| dims.clone());
    if shard.len() != dims.len()
        || shard.iter().zip(&dims).any(|(each, all)| each > all || (*each == 0 && *all > 0))
    {
        return Err(refused(format!("an array of shape {dims:?} has shards of shape {shard:?}")));
    }
    let chunk = match &spec.chunk {
        Some(chunk) => chunk.clone(),
        None => {
            let target = usize::try_from(options.data_file_bytes).unwrap_or(usize::MAX);
            let bytes =
                elements(&shard).and_then(|count| count.checked_mul(dtype.size())).unwrap_or(usize::MAX);
            // A chunk lies in one data file.
            let most = match (options.chunk_bytes, options.use_ocdbt && target > 0) {
                (most, false) => most,
                (None, true) => (bytes > target).then_some(target),
                (Some(most), true) => Some(most.min(target)),
            };
            cut::chunk(&dims, &shard, dtype.size(), most)?
        }
    };
    let fits = spec.chunk.is_none()
        || spec.shard.is_none()
        || shard.iter().zip(&chunk).all(|(shard, chunk)| *chunk > 0 && shard % chunk == 0);
    if !fits {
        return Err(refused(format!(
            "shards of shape {shard:?} are no multiples of chunks of shape {chunk:?}"
        )));
    }
    let codec: Vec<_> = options.compression.codec().into_iter().collect();
    let axes: Vec<usize> = (0..dims.len()).collect();
    let plain = Codecs { axes: axes.clone(), layout: Layout::Elements { little_endian: true }, bytes: codec };
    let (codecs, fill) = match options.use_zarr3 {
        false => (plain, Value::Null),
        true => {
            let index = Index { little_endian: true, has_checksum: true, is_at_end: true };
            let layout = Layout::Shards { shape: chunk.clone(), codecs: Box::new(plain), index };
            (Codecs { axes, layout, bytes: Vec::new() }, zero(dtype))
        }
    };
    let (prefix, separator) = if options.use_zarr3 { ("c", '/') } else { ("", '.') };
    let zarr = ZarrArray { dims, chunk, type_name, dtype: Some(dtype), fill, codecs, prefix, separator }
        .checked()?;
    let chunks = elements(&zarr.grid()).filter(|count| *count <= MOST_CHUNKS);
    let chunks = chunks.ok_or_else(|| {
        refused(format!("an array has more than {MOST_CHUNKS} chunks of shape {:?}", zarr.chunk))
    })?;
    if spec.leaf_type != OrbaxLeafType::Array && (spec.sharding.is_some() || spec.generator.is_some()) {
        return Err(refused(
            "an array that is no jax.Array has a sharding or a generator, which Orbax would not restore",
        ));
    }
    Ok(PlanArray { name, spec, dtype, shard, zarr, chunks })
}

/// The fill value of zarr 3: a zero of the element type.
fn zero(dtype: DType) -> Value {
    match dtype {
        DType::Bool => json!(false),
        _ if dtype.is_complex() => json!([0.0, 0.0]),
        _ if dtype.is_float() => json!(0.0),
        _ => json!(0),
    }
}
