use std::collections::BTreeMap;

use jarrah_base::{Error, Result};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::files::Files;
use super::key::{OrbaxKey, name};
use super::leaf::OrbaxLeaf;
use super::metadata::{Description, TREE, json_file};
use super::node_type::OrbaxNode;
use super::packed::{self, Packed};
use super::source::{Source, SourceValue};
use super::wrong;

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
    pub(super) fn open(folder: &Files) -> Result<OrbaxTree> {
        let in_folder = |e: Error| e.context(format!("in {}", folder.path().display()));
        let description = described(folder).map_err(in_folder)?;
        let mut source = Source::open(folder, &description)?;
        let (mut leaves, mut builder) = (Vec::new(), Builder::Open);
        for row in description.rows {
            let keys = row.keys.clone();
            let node = match source.value(row).map_err(in_folder)? {
                SourceValue::Empty(node) => node,
                SourceValue::Leaf(leaf) => {
                    leaves.push(*leaf);
                    OrbaxNode::Leaf(leaves.len() - 1)
                }
            };
            let at = |e: Error| in_folder(e.context(format!("at {}", name(&keys))));
            builder.insert(&keys, Builder::Done(node)).map_err(at)?;
        }
        let mut root = builder.finish()?;
        if let Some(nodes) = &description.nodes {
            root = retyped(root, nodes);
        }
        Ok(OrbaxTree::of(root, leaves, description.custom))
    }

    /// The tree of a folder with one array called `checkpoint`, which Orbax writes for items that are arrays.
    pub(super) fn of_array(folder: &Files) -> Result<OrbaxTree> {
        let leaf = Source::array(folder).map_err(|e| e.context(format!("in {}", folder.path().display())))?;
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

/// The description of a tree: that of `_METADATA`, with the values that the file `checkpoint` has beside it, or the structure of that file alone.
fn described(folder: &Files) -> Result<Description> {
    let description = json_file(folder, TREE)?;
    let description = description.map(Description::read).transpose();
    let description = description.map_err(|e| e.context(format!("in {TREE}")))?;
    let leaves = match folder.read(packed::FILE)? {
        Some(bytes) => packed::read(&bytes).map_err(|e| e.context(format!("in {}", packed::FILE)))?,
        None if description.is_none() => {
            return Err(wrong(format!("the folder has no {TREE}: the structure of the tree is not known")));
        }
        None => Vec::new(),
    };
    let Some(mut description) = description else {
        return Ok(Description::of_packed(leaves));
    };
    let mut values: FxHashMap<String, Packed> =
        leaves.into_iter().map(|(keys, value)| (name(&keys), value)).collect();
    if !values.is_empty() {
        for row in &mut description.rows {
            row.packed = values.remove(&name(&row.keys));
        }
    }
    Ok(description)
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
                if children.last_key_value().is_some_and(|(last, _)| *last >= children.len()) {
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
            // The first of several entries of one field counts.
            let mut types: FxHashMap<&str, &Value> = FxHashMap::default();
            for entry in entries() {
                if let Some(key) = entry.get("key").and_then(Value::as_str) {
                    types.entry(key).or_insert(entry.get("value").unwrap_or(&Value::Null));
                }
            }
            let typed = |(name, field): (String, OrbaxNode)| {
                let field = retyped(field, types.get(name.as_str()).copied().unwrap_or(&Value::Null));
                (name, field)
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
