//! Models that JAX programs saved, as arguments of commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jarrah::array::DType;
use jarrah::checkpoint::LeafRules;
use jarrah::formats::{Folder, OrbaxCheckpoint};
use jarrah::models::{Architecture, JaxWeights, LoadAs, Pretrained, PretrainedModel};
use jarrah::run::is_run;
use jarrah::{Error, Result};

use crate::source::tell;
use crate::steps::Steps;

/// Weights that a JAX program saved, and the folder that describes their model.
pub struct JaxSource {
    weights: JaxWeights,
    folder: Folder,
}

/// Whether a JAX program saved the folder or file at `path`: a checkpoint of Orbax, or a file of `flax.serialization`.
fn is_jax(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "msgpack")
        || (path.is_dir() && OrbaxCheckpoint::is_at(path))
}

/// The checkpoint that a JAX program saved at `path`, or, in a folder of steps, that of `step` or of the last step; none, if there is none or
/// `path` is a run.
pub fn checkpoint_at(path: &Path, step: Option<u64>) -> Option<PathBuf> {
    if is_run(path) {
        return None;
    }
    if step.is_none() && is_jax(path) {
        return Some(path.to_owned());
    }
    let steps = Steps::find(path, step).ok()??;
    let wanted = steps.all().ok()?.into_iter().rev().filter(|found| step.is_none_or(|step| step == *found));
    wanted.map(|step| steps.path(step)).find(|path| is_jax(path))
}

/// The rules of a file; none without a file.
pub fn rules(file: Option<&Path>) -> Result<LeafRules> {
    let Some(file) = file else { return Ok(LeafRules::default()) };
    let text = std::fs::read_to_string(file).map_err(|e| Error::io("read", file, &e))?;
    LeafRules::parse(&text).map_err(|e| e.context(format!("in {}", file.display())))
}

impl JaxSource {
    /// The source at `path`; none, if that is no checkpoint of a JAX program and nothing says that it is one.
    ///
    /// # Errors
    /// The files are damaged, or nothing says of which shape the model is (`Input`).
    pub fn find(path: &Path, config: Option<&str>, rename: Option<&Path>) -> Result<Option<JaxSource>> {
        let is_described = path.join("config.json").is_file();
        let found = checkpoint_at(path, None);
        if config.is_none() && rename.is_none() && (is_described || found.is_none()) {
            return Ok(None);
        }
        let folder = match config {
            Some(config) => described(config)?,
            None if is_described => Folder::open(path)?,
            None => {
                let error = format!("{} has weights, and does not say of which model", path.display());
                return Err(Error::input(error).help(
                    "give --config: a folder with config.json and the tokenizer, such a file, or a published shape such as qwen3-0.6b",
                ));
            }
        };
        Ok(Some(JaxSource {
            weights: JaxWeights::open(found.as_deref().unwrap_or(path), &rules(rename)?)?,
            folder,
        }))
    }

    /// The model, in `dtype` or that of its leaves. Notes on leaves that are not read are [told](tell).
    pub fn load<M: Architecture>(&self, dtype: Option<DType>) -> Result<PretrainedModel<M>> {
        let how = LoadAs { dtype, ..LoadAs::default() };
        let loaded = PretrainedModel::load_jax(&self.weights, self.folder.clone(), &how);
        loaded.inspect(|loaded| tell(&loaded.notes))
    }
}

/// The small files of a folder, a `config.json` alone, or a published shape.
fn described(config: &str) -> Result<Folder> {
    let path = Path::new(config);
    let alone = |text: Vec<u8>| Folder::of(path, BTreeMap::from([("config.json".to_owned(), text)]));
    match path {
        _ if path.is_file() && path.extension().is_some_and(|ending| ending == "json") => {
            alone(std::fs::read(path).map_err(|e| Error::io("read", path, &e))?)
        }
        _ if path.exists() => Pretrained::files(path),
        _ => alone(Pretrained::preset(config)?.to_string().into_bytes()),
    }
}
