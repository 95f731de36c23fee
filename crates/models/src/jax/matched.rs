//! Which leaf of a tree each tensor of a model is.

use std::collections::{BTreeMap, BTreeSet};

use jarrah_array::{Error, Literal, Result};
use serde_json::Value;

use super::change::Change;
use super::maxtext::{EMBEDDING, MaxText};
use super::row::{Form, Place};
use super::tree::JaxWeights;
use super::{flax, form};
use crate::family::Hf;

/// A tensor that the model has in files of Hugging Face.
#[derive(Debug)]
pub struct Wanted {
    pub name: String,
    pub dims: Vec<usize>,
    /// Whether it has inputs before outputs, as maps have in Flax.
    pub is_input_first: bool,
}

/// The leaves that are read.
pub struct Matched {
    /// By name of the leaf, the tensors in it.
    pub leaves: BTreeMap<String, Vec<Part>>,
    /// The names of the tensors, in the order of the family.
    pub order: Vec<String>,
    /// Sentences on leaves that are not read.
    pub notes: Vec<String>,
}

/// A tensor in a leaf.
#[derive(Debug)]
pub struct Part {
    /// The name of the tensor.
    pub tensor: String,
    dims: Vec<usize>,
    form: Form,
    /// The axis of layers, and the number of the tensor's.
    layer: Option<(usize, usize)>,
    expert: Option<usize>,
    change: Change,
}

impl Part {
    /// The tensor, from its leaf.
    pub fn read(&self, leaf: Literal) -> Result<Literal> {
        let leaf = match self.layer {
            None => leaf,
            Some((axis, index)) => form::layer(&leaf, axis, index)?,
        };
        self.change.to_tensor(self.form.tensor(leaf, self.expert, &self.dims)?)
    }
}

/// The keys below which an optimizer's state and averages stand.
const OTHER_STATES: &[&str] = &["opt_state", "optimizer", "opt", "tx", "mu", "nu", "ema", "ema_params"];

/// The most names that an error has of each kind.
const SHOWN: usize = 12;

/// The names of leaves: MaxText's, or those of Flax NNX.
enum Layout {
    MaxText(MaxText),
    Flax { layers: usize },
}

impl Layout {
    fn places(&self, wanted: &Wanted) -> Vec<Place> {
        match self {
            Layout::MaxText(layout) => layout.places(&wanted.name),
            Layout::Flax { layers } => {
                let mut places = flax::places(&wanted.name, wanted.dims.len(), *layers);
                if wanted.is_input_first {
                    places
                        .iter_mut()
                        .filter(|place| place.form == Form::Map)
                        .for_each(|place| place.form = Form::Plain);
                }
                places
            }
        }
    }

    fn change(&self, form: Form) -> Change {
        match self {
            Layout::MaxText(layout) => layout.change(form),
            Layout::Flax { .. } => Change::default(),
        }
    }

    /// The axes that layers of a scan may be, the likeliest first: MaxText's `param_scan_axis` is 1, that of `nnx.scan` 0.
    fn scan_axes(&self) -> [usize; 2] {
        if matches!(self, Layout::MaxText(_)) { [1, 0] } else { [0, 1] }
    }

    fn name(&self) -> &'static str {
        if matches!(self, Layout::MaxText(_)) { "MaxText's" } else { "Flax NNX's" }
    }
}

impl Matched {
    /// Finds the leaves of all `wanted` tensors, and that of the tensor `head`, which files may have although `json` ties it.
    ///
    /// # Errors
    /// Leaves are missing, left over, or have other extents (`Input`).
    pub fn of(
        weights: &JaxWeights,
        json: &Value,
        mut wanted: Vec<Wanted>,
        head: Option<&str>,
    ) -> Result<Matched> {
        let (layout, root) = layout(weights, json, &wanted)?;
        let order: Vec<String> = wanted.iter().map(|wanted| wanted.name.clone()).collect();
        let embedding = wanted.first().map(|wanted| wanted.dims.clone());
        let extra = head.filter(|head| wanted.iter().all(|wanted| wanted.name != *head));
        if let (Some(head), Some(dims)) = (extra, embedding) {
            wanted.push(Wanted { name: head.to_owned(), dims, is_input_first: false });
        }
        let (mut found, mut faults) = (Vec::new(), Faults::default());
        for wanted in &wanted {
            let places = layout.places(wanted);
            let is_there = |place: &&Place| weights.leaves.contains_key(&format!("{root}{}", place.leaf));
            match places.iter().find(is_there) {
                Some(place) => found.push((wanted, place.clone())),
                None if extra == Some(wanted.name.as_str()) => {}
                None => {
                    faults.missing.push((places.first().map(|place| format!("{root}{}", place.leaf)), wanted))
                }
            }
        }
        let fits = |axis: usize, (wanted, place): &(&Wanted, Place)| {
            let leaf = &weights.leaves[&format!("{root}{}", place.leaf)];
            fits(&leaf.dims, axis, place, &wanted.dims)
        };
        let [first, second] = layout.scan_axes();
        let axis = if found.iter().all(|found| fits(second, found))
            && !found.iter().all(|found| fits(first, found))
        {
            second
        } else {
            first
        };
        let (mut leaves, mut used) = (BTreeMap::new(), BTreeSet::new());
        for found in found {
            let does_fit = fits(axis, &found);
            let (wanted, Place { leaf, layer, expert, form }) = found;
            let leaf = format!("{root}{leaf}");
            used.insert(leaf.clone());
            if !does_fit {
                faults.mismatched.push((leaf, layer.map(|(_, count)| count), wanted));
                continue;
            }
            let (tensor, dims) = (wanted.name.clone(), wanted.dims.clone());
            let layer = layer.map(|(index, _)| (axis, index));
            let part = Part { tensor, dims, form, layer, expert, change: layout.change(form) };
            leaves.entry(leaf).or_insert_with(Vec::new).push(part);
        }
        let mut others = 0;
        for name in weights.leaves.keys().filter(|name| !used.contains(*name)) {
            match name.strip_prefix(root.as_str()) {
                Some(rest) if !rest.split('.').any(|key| OTHER_STATES.contains(&key)) => {
                    faults.surplus.push(name.clone());
                }
                _ => others += 1,
            }
        }
        faults.check(weights, layout.name())?;
        let mut notes = Vec::new();
        if others > 0 {
            notes.push(format!(
                "{others} leaves beside the weights, such as the optimizer's state, are not read"
            ));
        }
        let extra = extra.map(str::to_owned);
        Ok(Matched { leaves, order: order.into_iter().chain(extra).collect(), notes })
    }
}

/// Whether a leaf has the extents of a tensor in it, if layers are one behind the other along this axis.
fn fits(leaf: &[usize], axis: usize, place: &Place, tensor: &[usize]) -> bool {
    let Some((_, count)) = place.layer else { return place.form.fits(leaf, tensor) };
    let mut own = leaf.to_vec();
    leaf.get(axis) == Some(&count) && {
        own.remove(axis);
        place.form.fits(&own, tensor)
    }
}

/// The layout of a tree, and what stands before its names.
fn layout(weights: &JaxWeights, json: &Value, wanted: &[Wanted]) -> Result<(Layout, String)> {
    if let Some(root) = root(weights, EMBEDDING) {
        return Ok((Layout::MaxText(MaxText::of(json)?), root));
    }
    let layers = ["num_hidden_layers", "n_layer"].iter().find_map(|name| Hf(json).count(name).ok());
    let flax = Layout::Flax { layers: layers.unwrap_or(0) };
    // The first tensor that any leaf is tells what stands before the names of all.
    for wanted in wanted {
        for place in flax.places(wanted) {
            if let Some(root) = root(weights, &place.leaf) {
                return Ok((flax, root));
            }
        }
    }
    let names: Vec<&str> = weights.leaves.keys().map(|name| weights.stored_name(name)).take(SHOWN).collect();
    let error = match names.as_slice() {
        [] => "the tree has no floats".to_owned(),
        names => format!("the tree has no leaf of a known name; it has {}", names.join(", ")),
    };
    Err(Error::input(error).help(
        "name its leaves as MaxText, Tunix or the model's files of Hugging Face do, by a file of rules: --rename FILE, with lines such as `params.Block_*.Dense_0.kernel -> model.layers.*.mlp.up_proj.kernel`",
    ))
}

/// The text before `name` in the shortest name that ends so and is none of an optimizer's state.
fn root(weights: &JaxWeights, name: &str) -> Option<String> {
    let before = |leaf: &String| {
        let before = leaf.strip_suffix(name).filter(|before| before.is_empty() || before.ends_with('.'))?;
        let is_other = before.split('.').any(|key| OTHER_STATES.contains(&key));
        (!is_other).then(|| before.to_owned())
    };
    weights.leaves.keys().filter_map(before).min_by_key(String::len)
}

/// The differences of a tree from the model.
#[derive(Default)]
struct Faults<'a> {
    /// The leaf where a tensor would lie, if a row names one, and the tensor.
    missing: Vec<(Option<String>, &'a Wanted)>,
    /// A leaf, how many layers it should have, if any, and the tensor in it.
    mismatched: Vec<(String, Option<usize>, &'a Wanted)>,
    surplus: Vec<String>,
}

impl Faults<'_> {
    /// # Errors
    /// There is a fault.
    fn check(&self, weights: &JaxWeights, layout: &str) -> Result<()> {
        let (missing, mismatched, surplus) = (self.missing.len(), self.mismatched.len(), self.surplus.len());
        if missing + mismatched + surplus == 0 {
            return Ok(());
        }
        let mut lines = vec![format!(
            "the tree is not the model of config.json, by {layout} names: {missing} tensors are missing, {mismatched} have other extents, {surplus} leaves are left over"
        )];
        let missing = self.missing.iter().map(|(leaf, wanted)| {
            let leaf = leaf.as_deref().unwrap_or("a leaf of a name that the layout lacks");
            (leaf.to_owned(), format!(", which is {} {:?}", wanted.name, wanted.dims))
        });
        list(&mut lines, "missing", missing);
        let mismatched = self.mismatched.iter().map(|(leaf, layers, wanted)| {
            let found = &weights.leaves[leaf];
            let leaf = format!("{} is {} {:?}", weights.stored_name(leaf), found.dtype, found.dims);
            let layers = layers.map_or_else(String::new, |layers| format!(" of {layers} layers"));
            (leaf, format!(", and has no numbers of {} {:?}{layers}", wanted.name, wanted.dims))
        });
        list(&mut lines, "mismatched", mismatched);
        let surplus = self.surplus.iter().map(|name| {
            let found = &weights.leaves[name];
            (weights.stored_name(name).to_owned(), format!(" {} {:?}", found.dtype, found.dims))
        });
        list(&mut lines, "surplus", surplus);
        Err(Error::input(lines.join("\n")).help(
            "give the config.json of the model that was trained; where leaves have other names, --rename FILE gives them: `FROM -> TO`, and drops others: `NAME -> -`",
        ))
    }
}

/// Adds a line for each leaf: what is said of its first tensor, and how many more there are.
fn list(lines: &mut Vec<String>, kind: &str, all: impl Iterator<Item = (String, String)>) {
    let mut leaves: Vec<(String, String, usize)> = Vec::new();
    for (leaf, said) in all {
        match leaves.iter_mut().find(|(known, ..)| *known == leaf) {
            Some((.., more)) => *more += 1,
            None => leaves.push((leaf, said, 0)),
        }
    }
    for (leaf, said, more) in leaves.iter().take(SHOWN) {
        let more = if *more > 0 { format!(", and {more} more") } else { String::new() };
        lines.push(format!("  {kind}  {leaf}{said}{more}"));
    }
    if let Some(more) = leaves.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        lines.push(format!("  {kind}  and {more} more leaves"));
    }
}
