//! An encoder with everything that serving it needs.

use std::path::Path;

use jarrah_array::DType;
use jarrah_base::{Error, Result};
use jarrah_formats::json;
use jarrah_models::{Bert, PretrainedModel};
use jarrah_tokenizer::Tokenizer;
use serde_json::Value;

use crate::engine::Pooling;

/// A model that computes vectors or classes of whole texts, its tokenizer and the names of its classes.
pub struct ServedEncoder {
    /// The name of the model.
    pub name: String,
    /// The model.
    pub model: Bert,
    /// The tokenizer; without one, the model takes tokens.
    pub tokenizer: Option<Tokenizer>,
    /// The names of the classes, if the model has a classifier of texts.
    pub classes: Vec<String>,
    /// The pooling of requests that name none.
    pub pooling: Pooling,
    /// Notes on keys and tensors of the files that have no effect, in sentences: see [`PretrainedModel::notes`](jarrah_models::PretrainedModel).
    pub notes: Vec<String>,
}

impl ServedEncoder {
    /// A model without a tokenizer.
    pub fn new(name: &str, model: Bert) -> ServedEncoder {
        let count = model.classes().unwrap_or(0);
        let pooling = if count > 0 { Pooling::Classes } else { Pooling::First };
        let classes = (0..count).map(|at| format!("LABEL_{at}")).collect();
        ServedEncoder { name: name.to_owned(), model, tokenizer: None, classes, pooling, notes: Vec::new() }
    }

    /// Whether the folder at `path` has a model of this kind, by the `model_type` in its `config.json`.
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        let json = std::fs::read(path.join("config.json")).ok();
        let json = json.and_then(|bytes| json::value::<Value>(&bytes).ok());
        json.is_some_and(|json| json["model_type"] == "bert")
    }

    /// Loads the model in the folder of Hugging Face, or of Sentence Transformers, at `path`, with weights in `dtype` or else
    /// that of the files. Vectors are pooled as `1_Pooling/config.json` says, or else taken from the first token.
    ///
    /// # Errors
    /// A file is missing, damaged, or names a feature that is not supported (`Input`).
    pub fn load(path: impl AsRef<Path>, dtype: Option<DType>) -> Result<ServedEncoder> {
        let path = path.as_ref();
        let loaded = PretrainedModel::<Bert>::load(path, dtype)?;
        let mut served = ServedEncoder::new(&path.display().to_string(), loaded.model);
        served.notes = loaded.notes;
        served.tokenizer = Tokenizer::is_in(path).then(|| Tokenizer::load(path)).transpose()?;
        for (at, class) in served.classes.iter_mut().enumerate() {
            if let Some(name) = loaded.json["id2label"][at.to_string()].as_str() {
                name.clone_into(class);
            }
        }
        let file = path.join("1_Pooling").join("config.json");
        if served.classes.is_empty() && file.exists() {
            let bytes = std::fs::read(&file).map_err(|e| Error::io("read", &file, &e))?;
            let json: Value = json::value(&bytes)
                .map_err(|e| Error::input(format!("{} is not JSON: {e}", file.display())))?;
            served.pooling = pooling(&json).ok_or_else(|| {
                Error::input(format!("{} asks for no way to make a vector that is there", file.display()))
                    .help("there are the first token, the last and the mean of all")
            })?;
        }
        Ok(served)
    }
}

fn pooling(json: &Value) -> Option<Pooling> {
    let forms = [
        ("pooling_mode_cls_token", Pooling::First),
        ("pooling_mode_mean_tokens", Pooling::Mean),
        ("pooling_mode_lasttoken", Pooling::Last),
    ];
    let asked: Vec<&str> = json
        .as_object()?
        .iter()
        .filter(|(name, value)| name.starts_with("pooling_mode_") && *value == &Value::Bool(true))
        .map(|(name, _)| name.as_str())
        .collect();
    match asked[..] {
        [one] => forms.iter().find(|(name, _)| *name == one).map(|(_, pooling)| *pooling),
        _ => None,
    }
}
