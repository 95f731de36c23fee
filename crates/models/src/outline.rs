//! The description of a model by its files, before any number is read.

use std::path::Path;

use jarrah_array::Result;
use serde_json::Value;

use crate::held::{Held, held};
use crate::opened::Opened;
use crate::{Architecture, PretrainedModel};

/// The description of a model by its files: see [`PretrainedModel::outline`].
#[derive(Clone, Debug)]
pub struct Outline<M: Architecture> {
    /// The model without numbers: the shapes of its parameters.
    pub model: M,
    /// Its shape.
    pub config: M::Config,
    /// `config.json`, or what the fields of a GGUF file say as such, as the model is read.
    pub json: Value,
    /// How the files hold the parameters, in the order of the family.
    pub held: Vec<Held>,
    /// As [`PretrainedModel::notes`].
    pub notes: Vec<String>,
}

impl<M: Architecture> PretrainedModel<M> {
    /// The description of the model by its folder or GGUF file at `path`, as [`load`](Self::load) takes them. Headers are read, and of weights in few bits
    /// one of each kind, which says by which scheme they are.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::{Pretrained, QuantizeRules};
    /// # let folder = tempfile::tempdir().unwrap();
    /// let mut model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
    /// "int4:8".parse::<QuantizeRules>()?.apply(&mut model.model)?;
    /// model.save(folder.path())?;
    /// let outline = Pretrained::outline(folder.path())?;
    /// let up = outline.held.iter().find(|held| held.parameters == ["blocks.0.mlp.up.weight"]).unwrap();
    /// assert_eq!(up.scheme.as_deref(), Some("int4:8"));
    /// // Half a byte for each number, a scale in `f32` for each 8, and the shape of the matrix.
    /// assert_eq!(up.bytes, up.numbers() / 2 + up.numbers() / 8 * 4 + 16);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load), of what is read.
    pub fn outline(path: impl AsRef<Path>) -> Result<Outline<M>> {
        let path = path.as_ref();
        let opened = Opened::<M>::of(path)?;
        let held = held(&opened).map_err(|e| e.context(format!("while reading {}", path.display())))?;
        let Opened { shapes: model, config, json, notes, .. } = opened;
        Ok(Outline { model, config, json, held, notes })
    }
}
