use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jarrah_base::{Error, Result};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::leaf::{OrbaxLeaf, OrbaxLeafType, described};
use super::metadata::{Description, OrbaxKey, Row, Shardings, TREE, json_file, key_generators, name};
use super::store::Store;
use super::wrong;

/// A node of an Orbax tree. An empty dictionary, list or tuple has no children.
#[derive(Clone, Debug)]
pub enum OrbaxNode {
    /// Children by key.
    Dict(Vec<(String, OrbaxNode)>),
    /// Children by position. A tuple is a list too where the tree was saved without the types of its nodes.
    List(Vec<OrbaxNode>),
    /// Children of a tuple.
    Tuple(Vec<OrbaxNode>),
    /// Fields of a named tuple.
    Named {
        /// The module and the name of its class.
        class: String,
        /// The fields.
        fields: Vec<(String, OrbaxNode)>,
    },
    /// `None`.
    None,
    /// The number of a leaf in [`OrbaxTree::leaves`].
    Leaf(usize),
}

/// A tree of arrays as Orbax saves it: its structure and the descriptions of its leaves, without their values.
///
/// ```
/// use jarrah_formats::{OrbaxCheckpoint, OrbaxNode};
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/orbax/v0_ocdbt_zarr3");
/// let tree = OrbaxCheckpoint::open(folder)?.tree("")?;
/// let OrbaxNode::Dict(children) = tree.root() else { unreachable!() };
/// assert_eq!(children.len(), 7);
/// let kernel = tree.get("params.kernel")?;
/// assert_eq!(kernel.to_string(), "params.kernel f32[8, 8]");
/// assert_eq!(kernel.sharding(), Some(r#"NamedSharding(x=4, y=2; ["x","y"])"#));
/// assert_eq!(kernel.region(&[2..4, 0..8])?.dims(), [2, 8]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Debug)]
pub struct OrbaxTree {
    root: OrbaxNode,
    leaves: Vec<OrbaxLeaf>,
    index: FxHashMap<String, usize>,
    custom: Value,
}

impl OrbaxTree {
    /// Reads the descriptions in the folder of a tree.
    pub(super) fn open(folder: &Path) -> Result<OrbaxTree> {
        let path = folder.join(TREE);
        let value = json_file(&path)?.ok_or_else(|| {
            wrong(format!("{} has no {TREE}: the structure of the tree is not known", folder.display()))
        })?;
        let description =
            Description::read(&value).map_err(|e| e.context(format!("in {}", path.display())))?;
        let store = Arc::new(Store::open(folder)?);
        // A tree without arrays has no database.
        let is_lost = description.use_ocdbt == Some(true) && matches!(*store, Store::Folder(_));
        let strings = json_file(&folder.join("_strings.json"))?.unwrap_or(Value::Null);
        let shardings = Shardings::read(folder)?;
        let generators = key_generators(folder)?;
        let (mut leaves, mut builder) = (Vec::new(), Builder::Open);
        for Row { keys, value_type, write_shape } in description.rows {
            let name = name(&keys);
            if let Some(empty) = empty(&value_type) {
                builder.insert(&keys, Builder::Done(empty)).map_err(|e| e.context(format!("at {name}")))?;
                continue;
            }
            let leaf_type = match value_type.as_str() {
                "jax.Array" => OrbaxLeafType::Array,
                "np.ndarray" => OrbaxLeafType::Numpy,
                "scalar" => OrbaxLeafType::Scalar,
                "string" => OrbaxLeafType::Text,
                _ => OrbaxLeafType::Other(value_type),
            };
            let in_file = |e: Error| e.context(format!("in {}", folder.display()));
            let (mut text, mut array) = (None, None);
            match leaf_type {
                OrbaxLeafType::Text => {
                    let value = strings.pointer(&format!("/{name}")).and_then(Value::as_str);
                    let lost = || in_file(wrong(format!("the text {name} is not in _strings.json")));
                    text = Some(value.ok_or_else(lost)?.to_owned());
                }
                OrbaxLeafType::Other(_) => {}
                _ if is_lost => {
                    return Err(in_file(wrong(format!(
                        "there is no manifest.ocdbt, although the array {name} was saved in an OCDBT database"
                    ))));
                }
                _ => {
                    array = Some(Arc::new(described(&store, &name, description.use_zarr3).map_err(in_file)?))
                }
            }
            builder
                .insert(&keys, Builder::Done(OrbaxNode::Leaf(leaves.len())))
                .map_err(|e| e.context(format!("at {name}")))?;
            leaves.push(OrbaxLeaf {
                sharding: shardings.of(&name)?,
                generator: generators.get(&name).cloned(),
                store: store.clone(),
                all_stored: description.all_stored,
                keys,
                name,
                leaf_type,
                text,
                array,
                write_shape,
            });
        }
        let mut root = builder.finish()?;
        if let Some(nodes) = &description.nodes {
            root = retyped(root, nodes);
        }
        Ok(OrbaxTree::of(root, leaves, description.custom))
    }

    /// The tree of a folder with one array called `checkpoint`, which Orbax writes for items that are arrays.
    pub(super) fn of_array(folder: &Path) -> Result<OrbaxTree> {
        let store = Arc::new(Store::open(folder)?);
        let key = "checkpoint/zarr.json";
        let array = described(&store, "checkpoint", store.get(key)?.is_some())
            .map_err(|e| e.context(format!("in {}", folder.display())))?;
        let name = "checkpoint".to_owned();
        let leaf = OrbaxLeaf {
            keys: Vec::new(),
            leaf_type: OrbaxLeafType::Array,
            text: None,
            array: Some(Arc::new(array)),
            all_stored: false,
            write_shape: None,
            sharding: Shardings::read(folder)?.of(&name)?,
            generator: None,
            name,
            store,
        };
        Ok(OrbaxTree::of(OrbaxNode::Leaf(0), vec![leaf], Value::Null))
    }

    fn of(root: OrbaxNode, leaves: Vec<OrbaxLeaf>, custom: Value) -> OrbaxTree {
        let index = leaves.iter().enumerate().map(|(i, leaf)| (leaf.name.clone(), i)).collect();
        OrbaxTree { root, leaves, index, custom }
    }

    /// The root.
    pub fn root(&self) -> &OrbaxNode {
        &self.root
    }

    /// The leaves, in the order of the description.
    pub fn leaves(&self) -> &[OrbaxLeaf] {
        &self.leaves
    }

    /// The leaf called `name`: its keys with dots between them.
    ///
    /// # Errors
    /// No leaf has this name.
    pub fn get(&self, name: &str) -> Result<&OrbaxLeaf> {
        let leaf = self.index.get(name).map(|&i| &self.leaves[i]);
        leaf.ok_or_else(|| {
            Error::input(format!("the tree has no leaf {name:?}"))
                .help(format!("it has {} leaves: list their names", self.leaves.len()))
        })
    }

    /// The JSON that was saved with the tree as its `custom_metadata`.
    pub fn custom(&self) -> &Value {
        &self.custom
    }
}

/// The node that a value type of Orbax means where it is none of a leaf.
fn empty(value_type: &str) -> Option<OrbaxNode> {
    Some(match value_type {
        "None" => OrbaxNode::None,
        "Dict" => OrbaxNode::Dict(Vec::new()),
        "List" => OrbaxNode::List(Vec::new()),
        "Tuple" => OrbaxNode::Tuple(Vec::new()),
        "NamedTuple" => OrbaxNode::Named { class: String::new(), fields: Vec::new() },
        _ => return None,
    })
}

/// A tree in the making.
enum Builder {
    Open,
    Dict(Vec<(String, Builder)>, FxHashMap<String, usize>),
    List(BTreeMap<usize, Builder>),
    Done(OrbaxNode),
}

impl Builder {
    /// Puts a node at the end of a path.
    fn insert(&mut self, keys: &[OrbaxKey], node: Builder) -> Result<()> {
        let Some((key, rest)) = keys.split_first() else {
            // An empty node was saved before a part of it was: its children count.
            let is_empty = !matches!(node, Builder::Done(OrbaxNode::Leaf(_)));
            return match self {
                Builder::Open => {
                    *self = node;
                    Ok(())
                }
                Builder::Dict(..) | Builder::List(_) if is_empty => Ok(()),
                _ => Err(wrong("two rows of the description have the same keys")),
            };
        };
        if matches!(self, Builder::Done(node) if !matches!(node, OrbaxNode::Leaf(_))) {
            *self = Builder::Open;
        }
        match (&mut *self, key) {
            (Builder::Open, OrbaxKey::Name(_)) => *self = Builder::Dict(Vec::new(), FxHashMap::default()),
            (Builder::Open, OrbaxKey::Index(_)) => *self = Builder::List(BTreeMap::new()),
            _ => {}
        }
        let child = match (self, key) {
            (Builder::Dict(children, index), OrbaxKey::Name(name)) => {
                let at = *index.entry(name.clone()).or_insert(children.len());
                if at == children.len() {
                    children.push((name.clone(), Builder::Open));
                }
                &mut children[at].1
            }
            (Builder::List(children), OrbaxKey::Index(index)) => {
                children.entry(*index).or_insert(Builder::Open)
            }
            _ => {
                return Err(wrong(format!(
                    "the key {key} is not of the type that the keys beside it are of"
                )));
            }
        };
        child.insert(rest, node)
    }

    fn finish(self) -> Result<OrbaxNode> {
        Ok(match self {
            Builder::Open => OrbaxNode::Dict(Vec::new()),
            Builder::Done(node) => node,
            Builder::Dict(children, _) => {
                let child = |(name, child): (String, Builder)| Ok((name, child.finish()?));
                OrbaxNode::Dict(children.into_iter().map(child).collect::<Result<_>>()?)
            }
            Builder::List(children) => {
                if children.last_key_value().is_some_and(|(last, _)| last + 1 != children.len()) {
                    return Err(wrong("the positions of a list's elements have gaps"));
                }
                OrbaxNode::List(children.into_values().map(Builder::finish).collect::<Result<_>>()?)
            }
        })
    }
}

/// Makes tuples and named tuples of the lists and dictionaries that `nodes` says were such.
fn retyped(node: OrbaxNode, nodes: &Value) -> OrbaxNode {
    let text = |field: &str| nodes.get(field).and_then(Value::as_str).unwrap_or("");
    let entries = || nodes.get("entries").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    match (node, text("category"), nodes) {
        (OrbaxNode::List(children), "custom", _) if text("clazz") == "tuple" => {
            let types = entries().iter().chain(std::iter::repeat(&Value::Null));
            OrbaxNode::Tuple(children.into_iter().zip(types).map(|(c, t)| retyped(c, t)).collect())
        }
        (OrbaxNode::Dict(fields), "namedtuple", _) => {
            let typed = |(name, field): (String, OrbaxNode)| {
                let entry = entries().iter().find(|e| e.get("key").and_then(Value::as_str) == Some(&name));
                let types = entry.and_then(|e| e.get("value")).unwrap_or(&Value::Null);
                (name, retyped(field, types))
            };
            let class = format!("{}.{}", text("module"), text("clazz"));
            OrbaxNode::Named { class, fields: fields.into_iter().map(typed).collect() }
        }
        (OrbaxNode::Dict(children), _, Value::Object(types)) => {
            let typed = |(name, child): (String, OrbaxNode)| {
                let child = retyped(child, types.get(&name).unwrap_or(&Value::Null));
                (name, child)
            };
            OrbaxNode::Dict(children.into_iter().map(typed).collect())
        }
        (OrbaxNode::List(children), _, Value::Array(types)) => {
            let types = types.iter().chain(std::iter::repeat(&Value::Null));
            OrbaxNode::List(children.into_iter().zip(types).map(|(c, t)| retyped(c, t)).collect())
        }
        (node, ..) => node,
    }
}
