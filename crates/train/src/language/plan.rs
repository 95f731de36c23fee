//! The model of a run, from its recipe.

use std::fs;
use std::path::Path;

use jarrah_array::{Array, TreeExt};
use jarrah_base::{Error, Result};
use jarrah_checkpoint::LeafRules;
use jarrah_formats::Folder;
use jarrah_models::{
    Base, Decoder, DecoderConfig, Extents, JaxWeights, LoraSpec, ModelFamily, ModelSpec, Outline, Pretrained,
    say_dtype,
};
use jarrah_nn::State;
use serde_json::{Value, json};

use super::fit;
use crate::recipe::Recipe;

/// The longest sequence of a run with a published model, if it does not say.
const CONTEXT: usize = 512;

/// The origin of a run's model: a folder, a published shape, or the extents of a GPT.
pub struct Source {
    json: Value,
    /// The folder with the tokenizer, and with weights unless a JAX program saved them.
    pub folder: Option<Folder>,
    /// The weights that the run begins with.
    begins: Option<Begins>,
    /// Notes on keys and tensors of the files that have no effect, in sentences.
    pub notes: Vec<String>,
    /// A sentence on the weights, where a JAX program saved them.
    pub weights: Option<String>,
}

/// The weights that a run begins with.
enum Begins {
    /// The weights of a folder of Hugging Face, or of a GGUF file.
    With(String),
    /// The checkpoint that a JAX program saved, and the rules by which its leaves get other names.
    WithJax(String, String),
}

impl Begins {
    /// The weights that a JAX program saved, if the recipe names them.
    fn of_jax(recipe: &Recipe) -> Result<Option<Begins>> {
        let model = &recipe.model;
        let rules = match &model.rename {
            None => String::new(),
            Some(file) => fs::read_to_string(file).map_err(|e| Error::io("read", Path::new(file), &e))?,
        };
        match &model.weights {
            Some(weights) => Ok(Some(Begins::WithJax(weights.clone(), rules))),
            None if model.rename.is_some() => {
                let error = "model.rename is for the leaves of model.weights, which is not given";
                Err(Error::input(error).help("give model.weights, or leave out model.rename"))
            }
            None => Ok(None),
        }
    }

    /// Checks that weights that a JAX program saved are those of the model, and says in a sentence what of its state a run begins with.
    fn check(&self, json: &Value) -> Result<Option<String>> {
        let Begins::WithJax(path, rules) = self else { return Ok(None) };
        let rules = LeafRules::parse(rules).map_err(|e| e.context("in model.rename"))?;
        let weights = JaxWeights::open(path, &rules)?;
        weights.check::<Decoder>(json)?;
        let step = weights.step()?.map_or_else(String::new, |step| format!(" of step {step}"));
        Ok(Some(format!("those{step} in {path}; the optimizer's state is not taken, and steps count from 0")))
    }
}

impl Source {
    /// The origin that a recipe names.
    ///
    /// # Errors
    /// There is no such folder or shape, or keys contradict it (`Input`).
    pub fn of(recipe: &Recipe) -> Result<Source> {
        let m = &recipe.model;
        let extents = Extents {
            layers: m.layers,
            width: m.width,
            hidden: m.hidden,
            heads: m.heads,
            groups: m.kv_heads,
            head_width: m.head_width,
            context: None,
            vocabulary: None,
            tied: m.tie_embeddings,
            mtp: None,
        };
        let begins = Begins::of_jax(recipe)?;
        let mut source = match &m.name {
            None if begins.is_some() && extents == Extents::default() => {
                return Err(Error::input(
                    "a JAX program's checkpoint does not say of which shape its model is",
                )
                .help(
                    "give it: --model FOLDER, whose config.json and tokenizer are taken, or --model SHAPE",
                ));
            }
            None => Source {
                json: gpt(recipe, &extents)?,
                folder: None,
                begins,
                notes: Vec::new(),
                weights: None,
            },
            Some(name) if Path::new(name).exists() => {
                let folder =
                    Pretrained::files(name).map_err(|e| e.context(format!("model.name is {name}")))?;
                if extents != Extents::default() {
                    return Err(Error::input(format!(
                        "model.name is a folder, {name}, whose model has extents of its own"
                    ))
                    .help("leave out the other keys of model but context, dropout and dtype"));
                }
                let (json, begins, notes) = match begins {
                    Some(begins) => (ModelFamily::text(folder.config().clone()), begins, Vec::new()),
                    None => {
                        let Outline { json, notes, .. } = Pretrained::outline(name)?;
                        (json, Begins::With(name.clone()), notes)
                    }
                };
                Source { json, folder: Some(folder), begins: Some(begins), notes, weights: None }
            }
            Some(name) => {
                let shape = Pretrained::preset(name)
                    .map_err(|e| e.context(format!("there is no folder {name} either")))?;
                Source { json: extents.set(shape)?, folder: None, begins, notes: Vec::new(), weights: None }
            }
        };
        let modules = Extents { mtp: Some(m.mtp), ..Extents::default() };
        source.json = modules.set(source.json)?;
        if let Some(begins) = &source.begins {
            source.weights = begins.check(&source.json)?;
            if source.folder.is_none() && recipe.tokenizer.file.is_none() {
                return Err(Error::input(
                    "weights that are not random know the tokenizer that they were trained with",
                )
                .help("give it: tokenizer.file=PATH, or --model FOLDER, whose tokenizer is taken"));
            }
        }
        if recipe.lora.rank > 0 && source.begins.is_none() {
            return Err(Error::input(
                "lora.rank is for a model with weights, but this one begins with random ones",
            )
            .help("give a folder of Hugging Face: --model FOLDER"));
        }
        let config = source.config()?;
        if let Some(context) = m.context.filter(|&context| context > config.context) {
            return Err(Error::input(format!(
                "model.context is {context}, but the model is made for sequences of {}",
                config.context
            )));
        }
        Ok(source)
    }

    /// The shape, with as many tokens as it was published with.
    pub fn config(&self) -> Result<DecoderConfig> {
        ModelFamily::of(&self.json)?.config(&self.json)
    }

    /// Whether the run begins with weights that are not random.
    pub fn has_weights(&self) -> bool {
        self.begins.is_some()
    }

    /// The folder with weights, if there is one.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn base(&self) -> Result<Option<Base>> {
        let base = self.begins.as_ref().map(|begins| match begins {
            Begins::With(path) => Base::of(path),
            Begins::WithJax(path, rules) => Base::of_jax(path, rules.clone()),
        });
        base.transpose()
    }

    /// The model, without the numbers that it begins with, for a tokenizer of so many tokens, whose end-of-text token is `eos`. A shape without weights takes the tokenizer's number of
    /// tokens, if the tokenizer was learned for it.
    ///
    /// # Errors
    /// The tokenizer has more tokens than the model (`Input`).
    pub fn spec(&self, recipe: &Recipe, vocabulary: usize, eos: u32, learned: bool) -> Result<ModelSpec> {
        let mut json = self.json.clone();
        let known = self.config()?.vocabulary;
        if self.begins.is_none() && (learned || vocabulary > known) {
            json = Extents { vocabulary: Some(vocabulary), ..Extents::default() }.set(json)?;
        } else if vocabulary > known {
            return Err(Error::input(format!(
                "the tokenizer has {vocabulary} tokens, but the model knows {known}"
            ))
            .help("use the tokenizer that the model was trained with"));
        }
        if self.begins.is_none() {
            json["eos_token_id"] = eos.into();
        }
        let dtype = recipe.model.dtype.dtype();
        if let Some(entries) = json.as_object_mut() {
            // Weights are read in the run's dtype, and written so.
            entries.remove("quantization_config");
        }
        say_dtype(&mut json, dtype);
        let lora = &recipe.lora;
        let lora = (lora.rank > 0).then(|| LoraSpec {
            rank: lora.rank,
            alpha: lora.alpha.unwrap_or(2.0 * lora.rank as f64),
            targets: lora.targets.clone(),
            quantize: lora.quantize.clone(),
        });
        Ok(ModelSpec { config: json, dtype, dropout: recipe.model.dropout, base: None, lora })
    }
}

/// The `config.json` of the GPT that a recipe without a name describes.
fn gpt(recipe: &Recipe, extents: &Extents) -> Result<Value> {
    let width = extents.width.unwrap_or(128);
    let heads = extents.heads.unwrap_or(4);
    if !width.is_multiple_of(heads) {
        let message = format!("model.width {width} is no multiple of model.heads {heads}");
        return Err(Error::input(message).help("give each head the same number of columns"));
    }
    Extents { width: Some(width), heads: Some(heads), ..*extents }.set(json!({
        "model_type": "gpt2",
        "architectures": ["GPT2LMHeadModel"],
        "n_layer": 4,
        "n_embd": width,
        "n_head": heads,
        "n_inner": 4 * width,
        "n_positions": recipe.model.context.unwrap_or(128),
        "vocab_size": 1,
        "activation_function": "gelu_new",
        "layer_norm_epsilon": 1e-5,
        "embd_pdrop": recipe.model.dropout,
        "resid_pdrop": recipe.model.dropout,
        "attn_pdrop": 0.0,
        "tie_word_embeddings": true,
    }))
}

/// The longest sequence of a run.
pub fn context(recipe: &Recipe, config: &DecoderConfig) -> usize {
    recipe.model.context.unwrap_or(CONTEXT.min(config.context))
}

/// The model of a run, without its numbers.
pub struct Plan {
    /// The description of the model in checkpoints.
    pub spec: ModelSpec,
    /// Its shape.
    pub config: DecoderConfig,
    /// Its parameters.
    pub shapes: Decoder,
    /// The length of sequences.
    pub context: usize,
}

impl Plan {
    /// The model of a recipe.
    ///
    /// # Errors
    /// There is no such model (`Input`).
    pub fn new(recipe: &Recipe, spec: ModelSpec) -> Result<Plan> {
        let config = ModelFamily::of(&spec.config)?.config(&spec.config)?;
        if config.layers.iter().all(|layer| layer.mlp.experts().is_none()) {
            let of_experts =
                [("loss.balance", recipe.loss.balance), ("capacity_factor", recipe.capacity_factor)];
            if let Some((key, _)) = of_experts.into_iter().find(|(_, value)| *value > 0.0) {
                return Err(Error::input(format!(
                    "{key} is for layers of experts, of which the model has none"
                ))
                .help(format!("leave out {key}, or train a mixture")));
            }
        }
        let context = context(recipe, &config);
        // Before arrays of such extents are thought of.
        fit::check_extents(recipe, &config, context)?;
        let shapes = spec.shapes()?;
        Ok(Plan { spec, config, shapes, context })
    }

    /// The number of parameters, and how many of them are trained. A weight in few bits has as many as it stands for.
    ///
    /// # Errors
    /// There is no such model (`Input`).
    pub fn parameters(&self) -> Result<(usize, usize)> {
        let size = |model: &Decoder| -> usize { model.leaves().into_iter().map(Array::size).sum() };
        let trained = elements(&self.spec.trained(&self.shapes));
        Ok(match self.spec.lora {
            None => (size(&self.shapes), trained),
            Some(_) => (size(&ModelSpec { lora: None, ..self.spec.clone() }.shapes()?) + trained, trained),
        })
    }

    /// The floating-point operations of training on one token, forward and backward. Of weights that are not trained there is no gradient, which is
    /// a third.
    pub fn flops_per_token(&self) -> f64 {
        let all = self.config.training_flops_per_token(self.context);
        match &self.spec.lora {
            None => all,
            // Without pairs of tokens, what is left are the products with weights.
            Some(_) => {
                let weights = self.config.training_flops_per_token(0);
                all - weights / 3.0 + 6.0 * elements(&self.spec.trained(&self.shapes)) as f64
            }
        }
    }
}

fn elements(state: &State) -> usize {
    state.leaves().into_iter().map(Array::size).sum()
}

/// The bytes of the arrays of a tree.
pub fn bytes<T: jarrah_tree::Tree<Array>>(tree: &T) -> usize {
    tree.leaves()
        .into_iter()
        .map(|x: &Array| x.ty().bytes().unwrap_or(usize::MAX))
        .fold(0, usize::saturating_add)
}
