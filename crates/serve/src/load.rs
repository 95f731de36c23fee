use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, TreeExt, eval_shape};
use jarrah_base::{Error, Result, Type};
use jarrah_checkpoint::{Checkpoint, at, latest, list};
use jarrah_models::{Gpt, GptConfig};
use jarrah_tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::folder::{CHECKPOINTS, TOKENIZER, resolve};

const KIND: &str = "gpt";

/// The model and tokenizer of the run at `path`.
///
/// # Errors
/// There is no such run or checkpoint, or it is damaged (`Input`).
pub fn load(path: &Path, step: Option<u64>) -> Result<(Gpt, Tokenizer)> {
    let run = resolve(path)?;
    let folder = run.join(CHECKPOINTS);
    let none = || {
        Error::input(format!("the run {} has no checkpoint yet", path.display()))
            .help("train on, or wait for its first checkpoint")
    };
    let checkpoint = match step {
        _ if !folder.exists() || is_empty(&folder)? => return Err(none()),
        None => latest(&folder)?,
        Some(step) => at(&folder, step)?,
    };
    let tokenizer = Tokenizer::load(&run.join(TOKENIZER))?;
    Ok((parameters(&checkpoint)?, tokenizer))
}

fn is_empty(folder: &Path) -> Result<bool> {
    let listing = list(folder)?;
    Ok(listing.good.is_empty() && listing.damaged.is_empty())
}

/// The model of a checkpoint.
///
/// # Errors
/// The checkpoint does not say what model it is of, its tensors are not that model's, or it is damaged (`Input`).
pub fn parameters(checkpoint: &Checkpoint) -> Result<Gpt> {
    let config = config_of(&checkpoint.state().model)
        .map_err(|e| e.context(format!("in {}", checkpoint.path().display())))?;
    let model = eval_shape(|key: &Key| Gpt::init(config.clone(), key), &Key::new(0));
    let types = model.leaves_with_paths().into_iter();
    let mut types: Vec<(String, Type)> =
        types.map(|(path, a): (String, &Array)| (name(&path), a.ty())).collect();
    // The rest of the training state is none of ours.
    let others = checkpoint.tensors().iter().filter(|t| !t.name.starts_with("params/"));
    types.extend(others.map(|t| (t.name.clone(), t.ty)));
    checkpoint.expect(&types)?;
    model.try_map_with_paths(|path, _| Ok(Array::from_literal(checkpoint.tensor(&name(path))?)))
}

fn name(path: &str) -> String {
    format!("params/{}", path.replace('.', "/"))
}

/// What a checkpoint says of its model.
pub fn describe(config: &GptConfig) -> Value {
    json!({
        "kind": KIND,
        "vocabulary": config.vocabulary,
        "context": config.context,
        "layers": config.layers,
        "heads": config.heads,
        "groups": config.groups,
        "width": config.width,
        "mlp_ratio": config.mlp_ratio,
        "dropout": config.dropout.get(),
        "tie_embeddings": config.tie_embeddings,
        "bias": config.bias,
        "epsilon": config.epsilon.get(),
    })
}

/// The model that [`describe`] described.
///
/// # Errors
/// It is of another kind, or a part is missing or no good (`Input`).
pub fn config_of(description: &Value) -> Result<GptConfig> {
    let kind = description["kind"].as_str().unwrap_or("unknown");
    if kind != KIND {
        return Err(Error::input(format!("the checkpoint is of a model of kind {kind}, not {KIND}")));
    }
    let bad = |field: &str| {
        Error::input(format!("the description of the model has no usable {field}: {}", description[field]))
    };
    let count =
        |field| description[field].as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| bad(field));
    let number = |field| description[field].as_f64().ok_or_else(|| bad(field));
    let flag = |field| description[field].as_bool().ok_or_else(|| bad(field));
    let config = GptConfig {
        vocabulary: count("vocabulary")?,
        context: count("context")?,
        layers: count("layers")?,
        heads: count("heads")?,
        groups: if description["groups"].is_null() { None } else { Some(count("groups")?) },
        width: count("width")?,
        mlp_ratio: count("mlp_ratio")?,
        dropout: number("dropout")?.into(),
        tie_embeddings: flag("tie_embeddings")?,
        bias: flag("bias")?,
        epsilon: number("epsilon")?.into(),
    };
    config.check()?;
    Ok(config)
}
