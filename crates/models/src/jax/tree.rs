//! The leaves of a tree that a JAX program saved.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_array::{DType, Error, Literal, Result};
use jarrah_checkpoint::{LeafRules, StoredLeaf, StoredTree};

/// The weights of a model that a JAX program saved: a checkpoint of Orbax, or a file of `flax.serialization`.
///
/// Leaves have the names of MaxText, with scanned layers or without; of Tunix; or of Hugging Face's modules with Flax's parameters, such as
/// `model.layers.0.self_attn.q_proj.kernel`. [`LeafRules`] give them to leaves of other names, and make them of leaves that have other parts. The optimizer's state is not looked at.
///
/// ```no_run
/// use jarrah_checkpoint::LeafRules;
/// use jarrah_formats::Folder;
/// use jarrah_models::{JaxWeights, LoadAs, Pretrained};
/// let weights = JaxWeights::open("checkpoints/500/items", &LeafRules::default())?;
/// // `config.json` and the files of the tokenizer.
/// let folder = Folder::open("qwen3-0.6b")?;
/// let model = Pretrained::load_jax(&weights, folder, &LoadAs::default())?;
/// model.save("copy")?;
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Debug)]
pub struct JaxWeights {
    tree: StoredTree,
    /// The number of steps, if the tree has it.
    step: Option<StoredLeaf>,
    /// The leaves of floats, by name.
    pub(super) leaves: BTreeMap<String, Leaf>,
}

/// A leaf of floats.
#[derive(Debug)]
pub(super) struct Leaf {
    /// Its number in the tree.
    number: usize,
    pub dims: Vec<usize>,
    pub dtype: DType,
}

/// The key that Flax NNX puts below a variable.
const VALUE: &str = ".value";

impl JaxWeights {
    /// Reads the names and types of the leaves at `path`, of which `rules` make others.
    ///
    /// # Errors
    /// As [`StoredTree::open`] and [`StoredTree::transformed`]; two leaves get the same name (`Input`).
    pub fn open(path: impl AsRef<Path>, rules: &LeafRules) -> Result<JaxWeights> {
        let stored = StoredTree::open(path)?;
        let (step, tree) = (step(&stored), stored.transformed(rules)?);
        let mut leaves = BTreeMap::new();
        for (number, leaf) in tree.leaves().iter().enumerate() {
            let Some(ty) = leaf.ty().filter(|ty| ty.dtype().is_float()) else { continue };
            let name = leaf.name().strip_suffix(VALUE).unwrap_or(leaf.name()).to_owned();
            let found = Leaf { number, dims: ty.dims().to_vec(), dtype: ty.dtype() };
            if let Some(other) = leaves.insert(name.clone(), found) {
                let other = tree.leaves()[other.number].name();
                return Err(Error::input(format!("{other} and {} are both called {name}", leaf.name()))
                    .help("change the rules of --rename, or drop one with `NAME -> -`"));
            }
        }
        Ok(JaxWeights { tree, step, leaves })
    }

    /// The step at which the tree was saved, if it has a number called `step`.
    ///
    /// # Errors
    /// The number is damaged (`Input`).
    pub fn step(&self) -> Result<Option<u64>> {
        let Some(leaf) = &self.step else { return Ok(None) };
        Ok(u64::try_from(leaf.literal()?.get_i128(0)).ok())
    }

    /// An error about the tree.
    pub(crate) fn while_reading(&self, error: Error) -> Error {
        error.context(format!("while reading {}", self.tree.path().display()))
    }

    /// The value of a leaf.
    pub(super) fn literal(&self, name: &str) -> Result<Literal> {
        match self.leaves.get(name) {
            Some(leaf) => self.tree.leaves()[leaf.number].literal(),
            None => Err(Error::internal(format!("{name} is no leaf"))),
        }
    }

    /// The name that the leaf has in the tree.
    pub(super) fn stored_name(&self, name: &str) -> &str {
        self.leaves.get(name).map_or("", |leaf| self.tree.leaves()[leaf.number].name())
    }
}

/// The leaf of a number called `step` that lies least deep.
fn step(tree: &StoredTree) -> Option<StoredLeaf> {
    let is_step = |name: &str| {
        let name = name.strip_suffix(VALUE).unwrap_or(name);
        name.rsplit('.').next() == Some("step")
    };
    let steps = tree.leaves().iter().filter(|leaf| is_step(leaf.name()));
    let steps = steps.filter(|leaf| leaf.ty().is_some_and(|ty| ty.rank() == 0 && !ty.dtype().is_float()));
    steps.min_by_key(|leaf| leaf.keys().len()).cloned()
}
