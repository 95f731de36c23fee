//! A model with what is needed to serve it.

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

/// A model, the tokenizer and chat templates that belong to it, and how it is sampled where nobody says otherwise.
pub struct Served {
    /// What it is called.
    pub name: String,
    /// The model.
    pub model: Decoder,
    /// What its `config.json` says; adapters name layers by it.
    pub json: Option<Value>,
    /// None: it takes and gives tokens.
    pub tokenizer: Option<Tokenizer>,
    /// Where it has some.
    pub templates: Option<Templates>,
    /// What is wrong with the templates of its files, where something is: no [`Engine`](crate::Engine) starts then. Who writes no chats, or by other templates, takes it out.
    pub wrong_templates: Option<Error>,
    /// Notes on keys and tensors of the files that have no effect, in sentences: see [`PretrainedModel::notes`](jarrah_models::PretrainedModel).
    pub notes: Vec<String>,
    /// The tokens that end a text.
    pub ends: Vec<u32>,
    /// The parameters of a request that says nothing.
    pub defaults: Params,
    /// Where it was loaded from, and what of it, if it was: there its weights can be read again.
    pub source: Option<(PathBuf, LoadOptions)>,
    /// What reads those of the weights that have no data yet; none: all have.
    pub deferred: Option<Deferred>,
}

/// What of a folder is served.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The checkpoint of a run; none: the latest.
    pub step: Option<u64>,
    /// The dtype of the weights; none: that of the files.
    pub dtype: Option<DType>,
    /// The folder of an adapter of PEFT that is added to the weights of a model of Hugging Face.
    pub adapter: Option<PathBuf>,
    /// Which weights are brought into few bits, each as it is read; those that the files have in few bits stay so.
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

    /// What is at `path`: a run (its latest checkpoint, or that of `step`), a folder of Hugging Face, or a GGUF file, to whose weights an `adapter` of
    /// PEFT may be added; weights in `dtype`, or that of the files, some in few bits. Texts end at the tokens that `generation_config.json` names, or else `config.json`, and its numbers are the defaults.
    ///
    /// # Errors
    /// A file is missing, damaged, or not of a family that is known (`Input`).
    pub fn load(path: impl AsRef<Path>, what: &LoadOptions) -> Result<Served> {
        let path = path.as_ref();
        Served::read(path, what, false)
    }

    /// As [`load`](Self::load), without the weights that files do not have as they are wanted: an [`Engine`](crate::Engine) reads those when it needs them, or finds what it needs
    /// of them in the files of [`EngineOptions::weights_cache`](crate::EngineOptions::weights_cache). Runs, and models with an adapter, are loaded whole.
    ///
    /// # Errors
    /// As [`load`](Self::load); what is wrong with the numbers of a weight is said by the first answer.
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
            // Adapters stay beside the weights: the numbers are those that the run computes.
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
        // Adapters are added to numbers, which are quantized then.
        let (now, later) =
            if adapter.is_some() { (None, quantize.as_ref()) } else { (quantize.clone(), None) };
        let how = LoadAs { dtype, packed: true, quantize: now };
        let read = || match defers && adapter.is_none() {
            true => Pretrained::load_deferred(path, &how).map(|(loaded, deferred)| (loaded, Some(deferred))),
            false => Pretrained::load_as(path, &how).map(|loaded| (loaded, None)),
        };
        let has_tokenizer = path.is_dir() && Tokenizer::is_in(path);
        let (read, tokenizer) = thread::scope(|scope| {
            // A large vocabulary takes longer than weights that are mapped.
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
        // A model without a tokenizer writes no chats.
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

/// The templates, and what is wrong with them.
fn parted(read: Result<Option<Templates>>) -> (Option<Templates>, Option<Error>) {
    match read {
        Ok(templates) => (templates, None),
        Err(error) => (None, Some(error)),
    }
}

/// The tokens that `generation_config.json` names as ends, or else `config.json`; numbers below zero are none.
///
/// # Errors
/// What is named is no token (`Input`): texts would not end.
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

/// The numbers of `generation_config.json`, those out of range left out.
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
