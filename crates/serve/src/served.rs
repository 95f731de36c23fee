//! A model with everything that serving it needs.

use std::path::{Path, PathBuf};
use std::thread;

use jarrah_array::{Array, DType, TreeExt};
use jarrah_base::{Error, Result};
use jarrah_formats::Folder;
use jarrah_models::{Decoder, Deferred, LoadAs, Pretrained, QuantizeRules};
use jarrah_run::{is_run, missing, resolve};
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::Templates;
use serde_json::Value;

use crate::params::Params;

/// A model with its tokenizer, chat templates and default sampling parameters.
pub struct Served {
    /// The name of the model.
    pub name: String,
    /// The model.
    pub model: Decoder,
    /// The contents of its `config.json`; adapters name layers by it.
    pub json: Option<Value>,
    /// The tokenizer; without one, the model takes and gives tokens.
    pub tokenizer: Option<Tokenizer>,
    /// The chat templates, if the model has any.
    pub templates: Option<Templates>,
    /// The error in the templates of the model's files, if there is one: [`Engine::start`](crate::Engine::start) fails with it. A
    /// caller that needs no templates, or sets others, removes the error.
    pub wrong_templates: Option<Error>,
    /// Notes on keys and tensors of the files that have no effect, in sentences: see [`PretrainedModel::notes`](jarrah_models::PretrainedModel).
    pub notes: Vec<String>,
    /// The tokens that end a text.
    pub ends: Vec<u32>,
    /// The default parameters of requests.
    pub defaults: Params,
    /// The path and options that the model was loaded with, by which its weights can be read again; nothing for a model made in
    /// memory.
    pub source: Option<(PathBuf, LoadOptions)>,
    /// The reader of the weights without data; nothing if all weights have data.
    pub deferred: Option<Deferred>,
}

/// The options of loading a model.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The checkpoint of a run; none: the latest.
    pub step: Option<u64>,
    /// The dtype of the weights; none: that of the files.
    pub dtype: Option<DType>,
    /// The folder of an adapter of PEFT that is added to the weights of a model of Hugging Face.
    pub adapter: Option<PathBuf>,
    /// The rules by which weights are quantized as they are read; weights that the files have quantized stay as they are.
    pub quantize: Option<QuantizeRules>,
}

impl Served {
    /// A model alone, which takes and gives tokens.
    pub fn new(name: &str, model: Decoder) -> Served {
        Served {
            name: name.to_owned(),
            model,
            json: None,
            tokenizer: None,
            templates: None,
            wrong_templates: None,
            notes: Vec::new(),
            ends: Vec::new(),
            defaults: Params::default(),
            source: None,
            deferred: None,
        }
    }

    /// A model with its tokenizer, whose end token ends texts.
    pub fn with_tokenizer(name: &str, model: Decoder, tokenizer: Tokenizer) -> Served {
        let ends = tokenizer.eos_id().ok().into_iter().collect();
        Served { tokenizer: Some(tokenizer), ends, ..Served::new(name, model) }
    }

    /// Loads the model at `path`: a run (its latest checkpoint, or that of `step`), a folder of Hugging Face, or a GGUF file, to
    /// whose weights an `adapter` of PEFT may be added. Weights are in `dtype`, or in that of the files, and quantized by the
    /// rules. Texts end at the tokens that `generation_config.json` names, or else `config.json`; the numbers in it are the
    /// default parameters.
    ///
    /// # Errors
    /// A file is missing, damaged, or of an unknown family (`Input`).
    pub fn load(path: impl AsRef<Path>, what: &LoadOptions) -> Result<Served> {
        let path = path.as_ref();
        Served::read(path, what, false)
    }

    /// As [`load`](Self::load), without reading the weights that the files do not have in the wanted form: an
    /// [`Engine`](crate::Engine) reads these when it needs them, or maps their form from the files of
    /// [`EngineOptions::weights_cache`](crate::EngineOptions::weights_cache). Runs, and models with an adapter, are loaded whole.
    ///
    /// # Errors
    /// As [`load`](Self::load); an error in the numbers of a weight is reported by the first answer.
    pub fn open(path: impl AsRef<Path>, what: &LoadOptions) -> Result<Served> {
        let path = path.as_ref();
        Served::read(path, what, true)
    }

    fn read(path: &Path, what: &LoadOptions, defers: bool) -> Result<Served> {
        let LoadOptions { step, dtype, adapter, quantize } = what;
        let (step, dtype) = (*step, *dtype);
        let name = path.display().to_string();
        let is_model = path.join("config.json").is_file() || (path.is_file() && !is_run(path));
        if !is_model {
            if !path.exists() {
                return Err(missing(path));
            }
            // A run's adapters are not merged into the weights, so the model computes the numbers that the run computes.
            let (model, tokenizer, spec) = jarrah_run::load(path, step)?;
            let folder = resolve(path)?;
            if let Some(adapter) = adapter {
                return Err(Error::input(format!(
                    "{} is a run, and {} an adapter of a model of Hugging Face",
                    path.display(),
                    adapter.display()
                ))
                .help("`jarrah model convert RUN FOLDER` makes a folder of the run, which takes adapters"));
            }
            let generation = Folder::generation_in(&folder)?;
            let (templates, wrong_templates) = parted(Templates::find_in(&folder));
            let mut model = match dtype {
                None => model,
                Some(dtype) => model
                    .map_leaves(|x: &Array| if x.dtype().is_float() { x.astype(dtype) } else { x.clone() }),
            };
            if let Some(rules) = quantize {
                rules.apply(&mut model)?;
            }
            return Ok(Served {
                templates,
                wrong_templates,
                source: Some((path.to_owned(), what.clone())),
                ..Served::of(name, model, Some(tokenizer), generation, &spec.config)?
            });
        }
        if step.is_some() {
            return Err(Error::input(format!("{} is no run, and has no steps", path.display()))
                .help("leave out --step: the folder has its weights once"));
        }
        // An adapter is added to unquantized weights, and the sums are quantized afterwards.
        let (now, later) =
            if adapter.is_some() { (None, quantize.as_ref()) } else { (quantize.clone(), None) };
        let how = LoadAs { dtype, packed: true, quantize: now };
        let read = || match defers && adapter.is_none() {
            true => Pretrained::load_deferred(path, &how).map(|(loaded, deferred)| (loaded, Some(deferred))),
            false => Pretrained::load_as(path, &how).map(|loaded| (loaded, None)),
        };
        let has_tokenizer = path.is_dir() && Tokenizer::is_in(path);
        let (read, tokenizer) = thread::scope(|scope| {
            // Reading a large vocabulary takes longer than mapping weights, so a thread of its own reads it.
            let beside = || Tokenizer::load(path);
            let started = thread::Builder::new().name("tokenizer".to_owned());
            let started = has_tokenizer.then(|| started.spawn_scoped(scope, beside));
            let read = read();
            let ended = || Err(Error::internal("the thread that reads a tokenizer has ended by a panic"));
            let tokenizer = started.map(|started| match started {
                Ok(thread) => thread.join().unwrap_or_else(|_| ended()),
                Err(_) => Tokenizer::load(path),
            });
            (read, tokenizer)
        });
        let (mut loaded, deferred) = read?;
        if let Some(adapter) = adapter {
            if is_run(adapter) {
                let own = adapter.join("adapter");
                return Err(Error::input(format!("{} is a run, no adapter of PEFT", adapter.display()))
                    .help(format!("give the run in the place of the model, or its {}", own.display())));
            }
            loaded.adapt(adapter)?;
            loaded.merge_adapters();
        }
        if let Some(rules) = later {
            rules.apply(&mut loaded.model)?;
        }
        let (tokenizer, templates) = match (&loaded.folder, path.is_dir()) {
            (Some(files), false) => {
                let find = |name: &str| files.file(name);
                let has_tokenizer = Tokenizer::is_among(find);
                let tokenizer = has_tokenizer.then(|| Tokenizer::from_files(find)).transpose()?;
                (tokenizer, Templates::find(find))
            }
            _ => (tokenizer.transpose()?, Templates::find_in(path)),
        };
        // A model without a tokenizer cannot write chats, so its templates are not read.
        let (templates, wrong_templates) = parted(if tokenizer.is_some() { templates } else { Ok(None) });
        let generation = loaded.folder.as_ref().and_then(|folder| folder.generation_config()).cloned();
        let source = Some((path.to_owned(), what.clone()));
        Ok(Served {
            templates,
            wrong_templates,
            notes: loaded.notes,
            source,
            deferred,
            ..Served::of(name, loaded.model, tokenizer, generation, &loaded.json)?
        })
    }

    fn of(
        name: String,
        model: Decoder,
        tokenizer: Option<Tokenizer>,
        generation: Option<Value>,
        config: &Value,
    ) -> Result<Served> {
        let mut ends: Vec<u32> = tokenizer.iter().filter_map(|tokenizer| tokenizer.eos_id().ok()).collect();
        ends.extend(named_ends(generation.as_ref(), config)?);
        ends.sort_unstable();
        ends.dedup();
        let defaults = generation.as_ref().map(defaults).unwrap_or_default();
        Ok(Served {
            name,
            model,
            json: Some(config.clone()),
            tokenizer,
            templates: None,
            wrong_templates: None,
            notes: Vec::new(),
            ends,
            defaults,
            source: None,
            deferred: None,
        })
    }
}

/// The templates, or the error in them.
fn parted(read: Result<Option<Templates>>) -> (Option<Templates>, Option<Error>) {
    match read {
        Ok(templates) => (templates, None),
        Err(error) => (None, Some(error)),
    }
}

/// The end tokens that `generation_config.json` names, or else `config.json`; negative numbers mean none.
///
/// # Errors
/// The file names something that is no token (`Input`): texts would not end.
fn named_ends(generation: Option<&Value>, config: &Value) -> Result<Vec<u32>> {
    let named = |json: &Value| json.get("eos_token_id").filter(|id| !id.is_null()).cloned();
    let of_generation = generation.and_then(named);
    let file = if of_generation.is_some() { "generation_config.json" } else { "config.json" };
    let Some(ids) = of_generation.or_else(|| named(config)) else { return Ok(Vec::new()) };
    let each = ids.as_array().map_or(std::slice::from_ref(&ids), Vec::as_slice);
    if !each.iter().all(|id| id.is_i64() || id.is_u64()) {
        let help = "write the number of the token at which texts end, or a list of such";
        return Err(Error::input(format!("`eos_token_id` in {file} is {ids}, no token")).help(help));
    }
    Ok(each.iter().filter_map(|id| id.as_u64().and_then(|id| u32::try_from(id).ok())).collect())
}

/// The sampling parameters of `generation_config.json`, without numbers that are out of range.
fn defaults(generation: &Value) -> Params {
    let number = |name: &str| generation.get(name).and_then(Value::as_f64);
    let mut params = Params::default();
    let fields: [(&str, fn(&mut Params, f64)); 5] = [
        ("temperature", |p, x| p.temperature = x),
        ("top_p", |p, x| p.top_p = x),
        ("min_p", |p, x| p.min_p = x),
        ("repetition_penalty", |p, x| p.repetition_penalty = x),
        ("top_k", |p, x| p.top_k = x as usize),
    ];
    for (name, set) in fields {
        if let Some(x) = number(name) {
            let mut changed = params.clone();
            set(&mut changed, x);
            if changed.check(usize::MAX).is_ok() {
                params = changed;
            }
        }
    }
    params
}
