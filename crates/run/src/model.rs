//! The model that a run trained, from its checkpoints.

use std::path::Path;

use jarrah_array::{Array, TreeExt};
use jarrah_base::{Error, Result, Type};
use jarrah_checkpoint::{Checkpoint, at, latest, list};
use jarrah_formats::Folder;
use jarrah_models::{Decoder, ModelSpec, Pretrained, averaged};
use jarrah_nn::State;
use jarrah_tokenizer::Tokenizer;

use crate::names::{self, CHECKPOINTS, MODEL};
use crate::resolve;

/// A checkpoint of the run at `path`, the latest or that of `step`.
///
/// # Errors
/// There is no such run or checkpoint, or it is damaged (`Input`).
pub fn checkpoint(path: impl AsRef<Path>, step: Option<u64>) -> Result<Checkpoint> {
    let path = path.as_ref();
    let run = resolve(path)?;
    let folder = run.join(CHECKPOINTS);
    let none = || {
        Error::input(format!("the run {} has no checkpoint yet", path.display()))
            .help("train on, or wait for its first checkpoint")
    };
    match step {
        _ if !folder.exists() || is_empty(&folder)? => Err(none()),
        None => latest(&folder),
        Some(step) => at(&folder, step),
    }
}

/// The model and tokenizer of the run at `path`.
///
/// # Errors
/// There is no such run or checkpoint, or it is damaged (`Input`).
pub fn load(path: impl AsRef<Path>, step: Option<u64>) -> Result<(Decoder, Tokenizer, ModelSpec)> {
    let path = path.as_ref();
    let checkpoint = checkpoint(path, step)?;
    let (spec, trained) = parameters(&checkpoint)?;
    let tokenizer = Tokenizer::load(&resolve(path)?)?;
    Ok((spec.with(&trained)?, tokenizer, spec))
}

fn is_empty(folder: &Path) -> Result<bool> {
    let listing = list(folder)?;
    Ok(listing.good.is_empty() && listing.damaged.is_empty())
}

/// The model of a checkpoint as data, and the leaves of it that were trained: their average over the steps, where the run kept one.
///
/// # Errors
/// The checkpoint does not say what model it is of, its tensors are not that model's, or it is damaged (`Input`).
pub fn parameters(checkpoint: &Checkpoint) -> Result<(ModelSpec, State)> {
    let within = |e: Error| e.context(format!("in {}", checkpoint.path().display()));
    if checkpoint.state().model.is_null() {
        let message = format!("{} is the checkpoint of no language model", checkpoint.path().display());
        return Err(Error::input(message)
            .help("the program that trained it reads its arrays, with jarrah::train::restored"));
    }
    let spec: ModelSpec = serde_json::from_value(checkpoint.state().model.clone())
        .map_err(|e| within(Error::input(format!("the description of the model is no good: {e}"))))?;
    let trained = spec.trained(&spec.shapes().map_err(within)?);
    let is_of = |group: &str, name: &str| name.strip_prefix(group).is_some_and(|rest| rest.starts_with('/'));
    let is_average = checkpoint.tensors().iter().any(|tensor| is_of(names::AVERAGE, &tensor.name));
    let group = if is_average { names::AVERAGE } else { names::PARAMETERS };
    let name = |path: &str| format!("{group}/{}", names::tensor(path));
    let types = trained.leaves_with_paths().into_iter();
    let held = |a: &Array| if is_average { a.ty().with_dtype(averaged(a.dtype())) } else { a.ty() };
    let mut types: Vec<(String, Type)> =
        types.map(|(path, a): (String, &Array)| (name(&path), held(a))).collect();
    // The optimizer's state is not compared.
    let others = checkpoint.tensors().iter().filter(|t| !is_of(group, &t.name));
    types.extend(others.map(|t| (t.name.clone(), t.ty)));
    checkpoint.expect(&types)?;
    let read =
        |path: &str, a: &Array| Ok(Array::from_literal(checkpoint.tensor(&name(path))?).astype(a.dtype()));
    let trained = trained.try_map_with_paths(read)?;
    Ok((spec, trained))
}

/// The model of the run at `path` as a folder of Hugging Face has it, with its adapters added to the weights under them, and the tokenizer and
/// chat template of the run.
///
/// # Errors
/// There is no such run or checkpoint, or it is damaged; the folder that it began with has changed (`Input`).
pub fn pretrained(path: impl AsRef<Path>, step: Option<u64>) -> Result<Pretrained> {
    let path = path.as_ref();
    let (spec, trained) = parameters(&checkpoint(path, step)?)?;
    let mut merged = spec.merged(&trained)?;
    merged.folder = Some(Folder::with_config(resolve(path)?, &merged.json)?);
    Ok(merged)
}

/// The model of the run at `path` as data, without its numbers.
///
/// # Errors
/// There is no such run, or it has not begun (`Input`).
pub fn spec(path: impl AsRef<Path>) -> Result<ModelSpec> {
    let path = path.as_ref();
    ModelSpec::read(&resolve(path)?.join(MODEL))?.ok_or_else(|| {
        Error::input(format!("the run {} has no {MODEL}", path.display())).help(
            "a run of a language model has it before its first step: train on; runs of other models have none",
        )
    })
}
