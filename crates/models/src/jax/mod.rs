//! Weights of models that JAX programs trained: trees of arrays, as Orbax or `flax.serialization` saves them.
//!
//! A tree is read as the folder of Hugging Face with the same content would be: a layout says which leaf, and which part of it, each tensor of such a folder
//! is. [`maxtext`] has the layouts of MaxText, which [`save`] writes too, and [`flax`] those of models in Flax NNX; both are tables of [`row`]s. [`form`] has
//! the axes of leaves, [`change`] the arithmetic between numbers, and [`matched`] the search for leaves, with the errors where they are others.

mod change;
mod flax;
mod form;
mod matched;
mod maxtext;
mod row;
mod save;

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_array::{DType, Error, Literal, Result};
use jarrah_checkpoint::{Renames, StoredTree};
use jarrah_formats::{Folder, Tensors};
use serde_json::Value;

pub use save::MaxTextTree;

use crate::architecture::{parameters, shapes, tensors};
use crate::opened::Opened;
use crate::{Architecture, LoadAs, ModelFamily, PretrainedModel};
use matched::{Matched, Wanted};

/// The weights of a model that a JAX program saved: a checkpoint of Orbax, or a file of `flax.serialization`.
///
/// Leaves have the names of MaxText, with scanned layers or without; of Tunix; or of Hugging Face's modules with Flax's parameters, such as
/// `model.layers.0.self_attn.q_proj.kernel`. [`Renames`] give them to leaves of other names. The optimizer's state is not looked at.
///
/// ```no_run
/// use jarrah_checkpoint::Renames;
/// use jarrah_formats::Folder;
/// use jarrah_models::{JaxWeights, LoadAs, Pretrained};
/// let weights = JaxWeights::open("checkpoints/500/items", &Renames::default())?;
/// // `config.json` and the files of the tokenizer.
/// let folder = Folder::open("qwen3-0.6b")?;
/// let model = Pretrained::load_jax(&weights, folder, &LoadAs::default())?;
/// model.save("copy")?;
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Debug)]
pub struct JaxWeights {
    tree: StoredTree,
    /// The leaves of floats, by name.
    leaves: BTreeMap<String, Leaf>,
}

/// A leaf of floats.
#[derive(Debug)]
struct Leaf {
    /// Its number in the tree.
    number: usize,
    dims: Vec<usize>,
    dtype: DType,
}

/// The key that Flax NNX puts below a variable.
const VALUE: &str = ".value";

impl JaxWeights {
    /// Reads the names and types of the leaves at `path`, which get other names by `renames`.
    ///
    /// # Errors
    /// As [`StoredTree::open`]; two leaves get the same name (`Input`).
    pub fn open(path: impl AsRef<Path>, renames: &Renames) -> Result<JaxWeights> {
        let tree = StoredTree::open(path)?;
        let mut leaves = BTreeMap::new();
        for (number, leaf) in tree.leaves().iter().enumerate() {
            let (Some(ty), Some(name)) = (leaf.ty(), renames.apply(leaf.name())) else { continue };
            if !ty.dtype().is_float() {
                continue;
            }
            let name = name.strip_suffix(VALUE).unwrap_or(&name).to_owned();
            let found = Leaf { number, dims: ty.dims().to_vec(), dtype: ty.dtype() };
            if let Some(other) = leaves.insert(name.clone(), found) {
                let other = tree.leaves()[other.number].name();
                return Err(Error::input(format!("{other} and {} are both called {name}", leaf.name()))
                    .help("change the rules of --rename, or drop one with `NAME -> -`"));
            }
        }
        Ok(JaxWeights { tree, leaves })
    }

    /// The step at which the tree was saved, if it has a number called `step`.
    ///
    /// # Errors
    /// The number is damaged (`Input`).
    pub fn step(&self) -> Result<Option<u64>> {
        let is_step = |name: &str| {
            let name = name.strip_suffix(VALUE).unwrap_or(name);
            name.rsplit('.').next() == Some("step")
        };
        let steps = self.tree.leaves().iter().filter(|leaf| is_step(leaf.name()));
        let steps = steps.filter(|leaf| leaf.ty().is_some_and(|ty| ty.rank() == 0 && !ty.dtype().is_float()));
        let Some(leaf) = steps.min_by_key(|leaf| leaf.keys().len()) else { return Ok(None) };
        Ok(u64::try_from(leaf.literal()?.get_i128(0)).ok())
    }

    /// Checks that the tree has the weights of the model that `config.json` describes, without reading them.
    ///
    /// # Errors
    /// As [`PretrainedModel::load_jax`], of what names and types say.
    pub fn check<M: Architecture>(&self, json: &Value) -> Result<()> {
        let check = self.matched::<M>(&ModelFamily::text(json.clone()));
        check.map(drop).map_err(|error| self.while_reading(error))
    }

    fn while_reading(&self, error: Error) -> Error {
        error.context(format!("while reading {}", self.tree.path().display()))
    }

    /// The model of a folder, with these weights.
    pub(crate) fn opened<M: Architecture>(&self, folder: Folder) -> Result<Opened<M>> {
        let json = ModelFamily::text(folder.config().clone());
        let (tensors, notes) = self.tensors::<M>(&json)?;
        let mut opened = Opened::read(folder, tensors)?;
        opened.notes.extend(notes);
        Ok(opened)
    }

    /// The leaves that are the tensors of a folder of Hugging Face.
    fn matched<M: Architecture>(&self, json: &Value) -> Result<Matched> {
        let (rows, config) = (M::rows(json)?, M::config(json)?);
        let wanted = tensors::<M>(&rows, &parameters(&shapes::<M>(&config)?), &config)?;
        let wanted = wanted.into_iter().map(|(name, tensor)| Wanted {
            is_input_first: tensor.pieces.iter().all(|piece| piece.swapped),
            dims: tensor.dims,
            name,
        });
        let head = rows.iter().find_map(|row| row.name_of("head.weight"));
        Matched::of(self, json, wanted.collect(), head)
    }

    /// The tensors of a folder of Hugging Face with these weights, and sentences on what of the tree is not among them.
    fn tensors<M: Architecture>(&self, json: &Value) -> Result<(Tensors, Vec<String>)> {
        let matched = self.matched::<M>(json)?;
        let mut made = BTreeMap::new();
        for (leaf, parts) in &matched.leaves {
            let mut whole = Some(self.literal(leaf)?);
            for (number, part) in parts.iter().enumerate() {
                // Nobody else has the last one's numbers, so that they are not copied.
                let own = if number + 1 == parts.len() { whole.take() } else { whole.clone() };
                let own = own.ok_or_else(|| Error::internal(format!("{leaf} was given away")))?;
                made.insert(
                    part.tensor.clone(),
                    part.read(own).map_err(|e| e.context(format!("in {leaf}")))?,
                );
            }
        }
        // In the order of the family, as a file would have them.
        let ordered = matched.order.iter().filter_map(|name| made.remove_entry(name));
        Ok((Tensors::of_values(ordered.collect::<Vec<_>>())?, matched.notes))
    }

    fn literal(&self, name: &str) -> Result<Literal> {
        match self.leaves.get(name) {
            Some(leaf) => self.tree.leaves()[leaf.number].literal(),
            None => Err(Error::internal(format!("{name} is no leaf"))),
        }
    }

    /// The name that the leaf has in the tree.
    fn stored_name(&self, name: &str) -> &str {
        self.leaves.get(name).map_or("", |leaf| self.tree.leaves()[leaf.number].name())
    }
}

impl<M: Architecture> PretrainedModel<M> {
    /// The model with the weights that a JAX program saved; `folder` has its `config.json` and whatever else stands beside weights.
    ///
    /// The leaves are read one after another: the memory that is taken is that of the model and of the largest leaf.
    ///
    /// # Errors
    /// The tree has not the weights of that model: the error lists what is missing, left over, and of other extents (`Input`); a leaf is damaged; or as
    /// [`load_as`](Self::load_as).
    pub fn load_jax(weights: &JaxWeights, folder: Folder, how: &LoadAs) -> Result<Self> {
        let read = || Ok(Self::of_opened(weights.opened(folder)?, how, [false, false])?.0);
        read().map_err(|error| weights.while_reading(error))
    }
}
