//! The parts and the parameters of a model.

use std::collections::{BTreeMap, BTreeSet};

use jarrah::Result;
use jarrah::array::Tree;
use jarrah::train::size;
use jarrah::tree::{Node, Part, Path};
use serde_json::{Value, json};

use super::held::{FewBits, Parameter};
use super::{Source, source};
use crate::output::show;

/// A parameter of a model, or a tensor of weights.
struct Leaf {
    path: String,
    dims: Vec<usize>,
    dtype: String,
    bytes: usize,
}

impl Leaf {
    fn parameters(&self) -> usize {
        self.dims.iter().product()
    }
}

/// The leaves of a model by path, or the tensors of weights by name, and the types of the structs that a model has, by path.
fn leaves(name: &str) -> Result<(Vec<Leaf>, BTreeMap<String, &'static str>)> {
    let mut types = BTreeMap::new();
    let leaves = match source(name)? {
        Source::Weights(tensors) => tensors
            .iter()
            .map(|tensor| Leaf {
                path: tensor.name().to_owned(),
                dims: tensor.dims().to_vec(),
                dtype: tensor.encoding().to_string(),
                bytes: tensor.stored().map_or(0, <[u8]>::len),
            })
            .collect(),
        Source::Model(shapes) => {
            let mut leaves = Vec::new();
            let few = FewBits::of(&shapes).map(|few| few.parameters(&shapes)).unwrap_or_default();
            shapes.model.visit(&mut Path::default(), &mut |path, part| match part {
                Part::Leaf(array) => {
                    let path = path.to_string();
                    let held = few.get(&path);
                    leaves.push(Leaf {
                        dims: array.shape().to_vec(),
                        dtype: held.and_then(Parameter::scheme).unwrap_or_else(|| shapes.dtype.to_string()),
                        bytes: held.map_or(shapes.dtype.size() * array.size(), |held| held.bytes),
                        path,
                    });
                }
                Part::Node(Node::Named(name)) => drop(types.insert(path.to_string(), name)),
                Part::Node(_) | Part::Static(_) => {}
            });
            leaves
        }
    };
    Ok((leaves, types))
}
pub fn params(source: &str, as_json: bool) -> Result<()> {
    let (all, _) = leaves(source)?;
    if as_json {
        let row = |leaf: &Leaf| json!({"path": leaf.path, "shape": leaf.dims, "dtype": leaf.dtype, "parameters": leaf.parameters(), "bytes": leaf.bytes});
        return show(&format!("{}\n", Value::Array(all.iter().map(row).collect())));
    }
    let width = all.iter().map(|leaf| leaf.path.len()).max().unwrap_or(0);
    let kinds = all.iter().map(|leaf| leaf.dtype.len()).max().unwrap_or(0).max(8);
    let row = |leaf: &Leaf| {
        let Leaf { path, dims, dtype, bytes } = leaf;
        let memory = size(*bytes);
        format!(
            "{path:width$}  {dtype:>kinds$}  {:>20}  {:>14}  {memory:>9}\n",
            extents(dims),
            leaf.parameters()
        )
    };
    let rows: String = all.iter().map(row).collect();
    let total: usize = all.iter().map(Leaf::parameters).sum();
    let memory = size(all.iter().map(|leaf| leaf.bytes).sum());
    show(&format!("{rows}{:width$}  {:>kinds$}  {:>20}  {total:>14}  {memory:>9}\n", "all", "", ""))
}

fn extents(dims: &[usize]) -> String {
    let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// A part of a model, with the sums over all that is below it.
struct Below {
    path: String,
    /// The type of a container, or the type of an array.
    kind: String,
    arrays: usize,
    parameters: usize,
    bytes: usize,
}

/// The containers of the model, each with its type, and the parameters below it, and arrays beside containers, such as the stacks of experts beside their router; layers
/// that are alike are one row.
pub fn tree(source: &str, as_json: bool) -> Result<()> {
    let (leaves, types) = leaves(source)?;
    let above = |path: &str| path.rsplit_once('.').map_or(String::new(), |(above, _)| above.to_owned());
    let containers: BTreeSet<String> = leaves.iter().map(|leaf| above(&leaf.path)).collect();
    let with_containers: BTreeSet<String> =
        containers.iter().filter(|path| !path.is_empty()).map(|path| above(path)).collect();
    let mut parts: Vec<Below> = Vec::new();
    for leaf in &leaves {
        let mut add = |path: &str, kind: &dyn Fn() -> String| {
            let at = parts.iter().position(|part| part.path == path).unwrap_or_else(|| {
                let path = path.to_owned();
                parts.push(Below { path, kind: kind(), arrays: 0, parameters: 0, bytes: 0 });
                parts.len() - 1
            });
            let part = &mut parts[at];
            part.arrays += 1;
            part.parameters += leaf.parameters();
            part.bytes += leaf.bytes;
        };
        let steps: Vec<&str> = leaf.path.split('.').collect();
        for depth in 0..steps.len() {
            let path = steps[..depth].join(".");
            add(&path, &|| types.get(&path).copied().unwrap_or("").to_owned());
        }
        if with_containers.contains(&above(&leaf.path)) {
            add(&leaf.path, &|| format!("{}{}", leaf.dtype, extents(&leaf.dims)));
        }
    }
    if as_json {
        let row = |part: &Below| json!({"path": part.path, "type": part.kind, "arrays": part.arrays, "parameters": part.parameters, "bytes": part.bytes});
        return show(&format!("{}\n", Value::Array(parts.iter().map(row).collect())));
    }
    // Of equal layers, only the first is shown, with the number of such layers.
    let like = |path: &str| {
        let steps: Vec<&str> = path.split('.').collect();
        let at = steps.iter().position(|step| step.parse::<usize>().is_ok())?;
        Some((steps[..at].join("."), steps[at + 1..].join(".")))
    };
    let kinds = parts.iter().map(|part| part.kind.len()).max().unwrap_or(0).max(18);
    let mut text = format!("{:32} {:kinds$} {:>16} {:>9}\n", "path", "type", "parameters", "memory");
    let mut shown = BTreeSet::new();
    for part in &parts {
        let mut times = String::new();
        if let Some(place) = like(&part.path) {
            let size = |part: &Below| (part.kind.clone(), part.parameters, part.bytes);
            if !shown.insert((place.clone(), size(part))) {
                continue;
            }
            let is_same =
                |other: &&Below| like(&other.path).as_ref() == Some(&place) && size(other) == size(part);
            let same = parts.iter().filter(is_same).count();
            if place.1.is_empty() && same > 1 {
                times = format!("  {same} times");
            }
        }
        let steps: Vec<&str> = part.path.split('.').filter(|step| !step.is_empty()).collect();
        let label = format!("{}{}", "  ".repeat(steps.len()), steps.last().unwrap_or(&"model"));
        let (kind, memory) = (&part.kind, size(part.bytes));
        text += &format!("{label:32} {kind:kinds$} {:>16} {memory:>9}{times}\n", part.parameters);
    }
    show(&text)
}
