//! `jarrah model`: shows the parts of a model, converts it, and compares it with another.

mod convert;
mod held;
mod info;
mod quantize;
mod run;
mod tree;

use std::path::Path;

use jarrah::array::DType;
use jarrah::formats::{FileFormat, Tensors};
use jarrah::models::{AnyConfig, Architecture, Held, ModelFamily, Outline, Pretrained, PretrainedModel};
use jarrah::nn::Layer;
use jarrah::run::{is_run, missing};
use jarrah::{Error, Result};
use jarrah_base::quoted;
use serde_json::Value;

use crate::cli::ModelCommand;
use crate::source::{pretrained, tell};
use crate::train::command;

pub fn model(command: ModelCommand) -> Result<()> {
    match command {
        ModelCommand::Info { model, length, json } => info::info(&model, length, json),
        ModelCommand::Tree { model, json } => tree::tree(&model, json),
        ModelCommand::Params { model, json } => tree::params(&model, json),
        ModelCommand::Convert(arguments) => convert::convert(&arguments),
        ModelCommand::Quantize(arguments) => quantize::quantize(arguments),
        ModelCommand::Logits { model, input, out, backend, dtype } => {
            run::logits(&model, &input, &out, backend, dtype)
        }
        ModelCommand::Diff { first, second, input, tolerance } => {
            run::diff(&first, &second, &input, tolerance)
        }
    }
}

/// A model without its numbers: of a run, a folder, a GGUF file, a `config.json`, or a published shape.
struct Shapes {
    json: Value,
    config: AnyConfig,
    model: Layer,
    dtype: DType,
    /// How its files hold the parameters; nothing where no file of weights is looked at.
    held: Vec<Held>,
    /// Notes on keys and tensors of the files that have no effect.
    notes: Vec<String>,
}

/// The input of a command: a model, or a file of weights without a configuration.
enum Source {
    Model(Box<Shapes>),
    Weights(Tensors),
}

fn source(name: &str) -> Result<Source> {
    let path = Path::new(name);
    let described = path.join("config.json").is_file() || path.extension().is_some_and(|e| e == "json");
    if path.exists() && !described && !is_run(path) {
        let tensors = Tensors::open(path)?;
        if tensors.format() != FileFormat::Gguf {
            return Ok(Source::Weights(tensors));
        }
    }
    let shapes = shapes(name)?;
    tell(&shapes.notes);
    Ok(Source::Model(Box::new(shapes)))
}

fn shapes(source: &str) -> Result<Shapes> {
    let path = Path::new(source);
    if is_run(path) {
        let spec = jarrah::run::spec(path)?;
        return Shapes::of(spec.config, spec.dtype);
    }
    let json: Value = match path {
        _ if path.is_file() && path.extension().is_some_and(|e| e == "json") => {
            let text = std::fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
            serde_json::from_str(&text).map_err(|e| {
                Error::input(format!("{source} is no JSON: {e}"))
                    .help("name a config.json, the folder of a model or of a run, or a GGUF file")
            })?
        }
        // A config.json may stand alone.
        _ if path.is_dir() && Tensors::find_in(path)?.is_none() => Pretrained::files(path)?.config().clone(),
        _ if path.exists() => {
            let Outline { model, config, json, held, notes } = AnyModel::outline(path)?;
            return Ok(Shapes { dtype: dtype_of(&json), model, config, json, held, notes });
        }
        _ => Pretrained::preset(source).map_err(|error| {
            let folder = missing(path).advice().unwrap_or_default().to_owned();
            let shapes = error.advice().filter(|_| !source.contains(['/', '\\'])).map(str::to_owned);
            let or = shapes.map_or_else(String::new, |shapes| format!("; of published shapes {shapes}"));
            error.context(format!("there is no folder {source} either")).with_help(folder + &or)
        })?,
    };
    let json = ModelFamily::text(json);
    let dtype = dtype_of(&json);
    Shapes::of(json, dtype)
}

/// The dtype that a `config.json` says weights are in.
fn dtype_of(json: &Value) -> DType {
    let said = json.get("dtype").or_else(|| json.get("torch_dtype")).and_then(Value::as_str);
    match said {
        Some("bfloat16") => DType::BF16,
        Some("float16") => DType::F16,
        _ => DType::F32,
    }
}

impl Shapes {
    fn of(json: Value, dtype: DType) -> Result<Shapes> {
        let (model, config) = (AnyModel::shapes(&json)?, Layer::config(&json)?);
        Ok(Shapes { model, config, json, dtype, held: Vec::new(), notes: Vec::new() })
    }
}

/// A model of any kind.
type AnyModel = PretrainedModel<Layer>;

/// The model at `path`, in `dtype` or that of its files: of a run as [`pretrained`] says. Notes on keys and tensors without effect are [told](tell).
fn load(path: &Path, dtype: Option<DType>) -> Result<AnyModel> {
    match is_run(path) || !path.exists() {
        true => pretrained(path, dtype).map(AnyModel::from),
        false => AnyModel::load(path, dtype).inspect(|loaded| tell(&loaded.notes)),
    }
}

/// The command to try next with a model that was written.
fn next(to: &Path) -> String {
    format!("next: {} serve {}\n", command(), quoted(to.display()))
}
