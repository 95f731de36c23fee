//! The model of a training run, as data.

use std::cell::RefCell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Result, TreeExt, jit};
use jarrah_checkpoint::LeafRules;
use jarrah_formats::{Folder, OrbaxCheckpoint};
use jarrah_nn::{
    Dropout, Filter, Kind, Linear, Lora, LowRank, State, Variable, edit, parts, state, try_update,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::architecture::without_numbers;
use crate::rules::matrix_by_matrix;
use crate::{Decoder, JaxWeights, LoadAs, ModelFamily, Pretrained, QuantizeRules};

/// The model of a run: its shape, the origin of its first numbers, and the adapters and quantization of its weights.
/// Checkpoints hold the specification, and the numbers that are trained.
///
/// ```
/// use jarrah_array::{DType, random::Key};
/// use jarrah_models::{LoraSpec, ModelSpec, Pretrained};
/// let lora = LoraSpec { rank: 4, alpha: 8.0, targets: vec!["q".into(), "v".into()], quantize: None };
/// let config = Pretrained::preset("test-llama")?;
/// let spec = ModelSpec { config, dtype: DType::F32, dropout: 0.0, base: None, lora: Some(lora) };
/// let model = spec.start(&Key::new(0))?;
/// assert_eq!(spec.trained(&model).len(), 2 * 2 * 2);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelSpec {
    /// The content of `config.json`.
    pub config: Value,
    /// The dtype of parameters, those of adapters aside, which are `f32`.
    pub dtype: DType,
    /// The rate of dropout on what layers add, in training.
    pub dropout: f64,
    /// The folder that the first numbers come from; they are random if there is none.
    pub base: Option<Base>,
    /// The adapters, which are trained in the place of the model.
    pub lora: Option<LoraSpec>,
}

/// The dtype in which an average of parameters of `dtype` is held: `f32` for narrow floats, in which small steps would be lost.
pub fn averaged(dtype: DType) -> DType {
    if dtype.is_float() && dtype.size() < DType::F32.size() { DType::F32 } else { dtype }
}

/// A folder of Hugging Face, a GGUF file, or what a JAX program saved, that a model begins with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Base {
    /// The folder, or the file.
    pub folder: PathBuf,
    /// The hash of its weights.
    pub hash: String,
    /// Of [weights of a JAX program](JaxWeights): the rules by which leaves get other names, which may be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jax: Option<String>,
}

/// Adapters of low rank.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoraSpec {
    /// The rank.
    pub rank: usize,
    /// `rank` times the factor on what an adapter adds.
    pub alpha: f64,
    /// The maps of the blocks that have one, by their names (`q`, or `q_proj` as others call it); none: all of them.
    pub targets: Vec<String>,
    /// The [`QuantizeRules`] by which the weights under the adapters are held in few bits, such as `nf4`, with groups that fit; none: as they are.
    pub quantize: Option<String>,
}

impl Base {
    /// The folder, with the hash of its weights as they are.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn of(folder: impl AsRef<Path>) -> Result<Base> {
        let folder = folder.as_ref();
        let folder = fs::canonicalize(folder).map_err(|e| Error::io("read", folder, &e))?;
        let hash = hash(&folder)?;
        Ok(Base { folder, hash, jax: None })
    }

    /// The folder or file that a JAX program saved, with the rules by which its leaves get other names.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_jax(path: impl AsRef<Path>, rules: String) -> Result<Base> {
        Ok(Base { jax: Some(rules), ..Base::of(path)? })
    }

    /// Whether the folder still holds the same weights.
    ///
    /// # Errors
    /// The weights changed (`Input`), or the folder cannot be read.
    pub fn unchanged(&self) -> Result<()> {
        let now = hash(&self.folder)?;
        match now == self.hash {
            true => Ok(()),
            false => Err(Error::input(format!(
                "the weights in {} changed: they had the hash {}, and have {now}",
                self.folder.display(),
                self.hash
            ))
            .help("put the files back that the run began with, or start a new run")),
        }
    }
}

/// The files of a folder and of those in it.
fn files_in(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files_in(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// The hash of the files of weights of a folder, by name; of a checkpoint of Orbax, of all its files.
fn hash(folder: &Path) -> Result<String> {
    const WEIGHTS: [&str; 5] = ["safetensors", "bin", "pt", "pth", "gguf"];
    let failed = |path: &Path, e: std::io::Error| Error::io("read", path, &e);
    let mut files = Vec::new();
    if folder.is_file() {
        files.push(folder.to_owned());
    }
    let is_orbax = OrbaxCheckpoint::is_at(folder);
    if is_orbax {
        files_in(folder, &mut files).map_err(|e| failed(folder, e))?;
    }
    for entry in (folder.is_dir() && !is_orbax)
        .then(|| fs::read_dir(folder))
        .transpose()
        .map_err(|e| failed(folder, e))?
        .into_iter()
        .flatten()
    {
        let path = entry.map_err(|e| failed(folder, e))?.path();
        let is = path.extension().and_then(|e| e.to_str()).is_some_and(|e| WEIGHTS.contains(&e));
        files.extend((is && path.is_file()).then_some(path));
    }
    if files.is_empty() {
        return Err(Error::input(format!("there are no weights in {}", folder.display()))
            .help("put the folder or the file back where it was"));
    }
    files.sort();
    let mut all = blake3::Hasher::new();
    for path in files {
        let mut own = blake3::Hasher::new();
        let file = File::open(&path).map_err(|e| failed(&path, e))?;
        own.update_reader(file).map_err(|e| failed(&path, e))?;
        all.update(path.file_name().unwrap_or_default().as_encoded_bytes());
        all.update(own.finalize().as_bytes());
    }
    Ok(all.finalize().to_hex().to_string())
}

impl LoraSpec {
    /// The rules by which the base is held in few bits.
    ///
    /// # Errors
    /// A rule is none, or the rank is zero (`Input`).
    pub fn rules(&self) -> Result<Option<QuantizeRules>> {
        if self.rank == 0 {
            return Err(Error::input("an adapter of rank 0").help("give a rank of 1 or more"));
        }
        let rules = self.quantize.as_deref().map(str::parse::<QuantizeRules>).transpose()?;
        Ok(rules.map(QuantizeRules::fitting))
    }

    /// Whether the map at `path` has an adapter.
    fn adapts(&self, path: &str) -> bool {
        let name = path.rsplit('.').next().unwrap_or_default();
        // Routers choose: what they choose among is adapted.
        let all = !matches!(name, "router" | "shared_gate");
        if self.targets.is_empty() { all } else { self.targets.iter().any(|target| own(target) == name) }
    }

    fn apply(&self, model: &mut Decoder, key: &Key) -> Result<()> {
        let rules = self.rules()?;
        let maps: Vec<String> =
            parts::<_, Linear>(&*model, "blocks").into_iter().map(|(path, _)| path).collect();
        let name = |path: &String| path.rsplit('.').next().unwrap_or_default().to_owned();
        if let Some(target) = self.targets.iter().find(|t| maps.iter().all(|path| name(path) != own(t))) {
            let mut names: Vec<String> = maps.iter().map(name).collect();
            names.sort();
            names.dedup();
            return Err(Error::input(format!("the model has no map called {target} to put an adapter onto"))
                .help(format!("it has {}", names.join(", "))));
        }
        if let Some(rules) = rules {
            let plan = rules.plan(model)?;
            edit(model, .., |path, weight: &mut Variable| {
                if let Some(scheme) = plan.get(path) {
                    *weight = weight.replaced(matrix_by_matrix(&weight.get(), *scheme));
                }
            });
        }
        let mut count = 0;
        edit(model, "blocks", |path, layer: &mut Linear| {
            if self.adapts(path) {
                let Lora { base, adapter: LowRank { a, b }, scale } =
                    Lora::over(layer.weight.clone(), &key.fold_in(count), self.rank, self.alpha);
                let wide = |x: Variable| Variable::from(x.get().astype(DType::F32)).of_kind(Kind::LORA);
                let adapter = LowRank { a: wide(a), b: wide(b) };
                layer.weight = Lora { base, adapter, scale }.into();
                count += 1;
            }
        });
        Ok(())
    }
}

/// Our name of a map that others call `q_proj` or `o_proj`.
fn own(target: &str) -> &str {
    match target.strip_suffix("_proj").unwrap_or(target) {
        "o" => "out",
        name => name,
    }
}

impl ModelSpec {
    /// Reads a file in JSON; none, where there is no such file.
    ///
    /// # Errors
    /// It is no description of a model (`Input`).
    pub fn read(path: impl AsRef<Path>) -> Result<Option<Self>> {
        let path = path.as_ref();
        let Ok(text) = fs::read(path) else { return Ok(None) };
        let read = serde_json::from_slice(&text);
        read.map(Some).map_err(|e| Error::input(format!("{} is damaged: {e}", path.display())))
    }

    /// The model with its first numbers: of the folder, or random; those of adapters too.
    ///
    /// # Errors
    /// The folder cannot be read, or there is no such model (`Input`).
    pub fn start(&self, key: &Key) -> Result<Decoder> {
        let (weights, adapters) = key.pair();
        let mut model = match &self.base {
            Some(base) => self.base_model(base)?,
            None => self.random(&weights)?,
        };
        self.prepare(&mut model, &adapters)?;
        Ok(model)
    }

    /// The model of the folder, with as many modules that predict further tokens as the run has. They use the model's embeddings and output layer.
    fn base_model(&self, base: &Base) -> Result<Decoder> {
        let mut model = match &base.jax {
            None => Pretrained::load(&base.folder, Some(self.dtype))?.model,
            Some(rules) => {
                let weights = JaxWeights::open(&base.folder, &LeafRules::parse(rules)?)?;
                let how = LoadAs { dtype: Some(self.dtype), ..LoadAs::default() };
                let config = self.config.to_string().into_bytes();
                let folder = Folder::of(&base.folder, [("config.json".to_owned(), config)].into())?;
                Pretrained::load_jax(&weights, folder, &how)?.model
            }
        };
        let (wanted, found) =
            (ModelFamily::of(&self.config)?.config(&self.config)?.mtp.len(), model.mtp.len());
        if found < wanted {
            return Err(Error::input(format!(
                "{} has {found} modules that predict further tokens, the run has {wanted}",
                base.folder.display()
            ))
            .help("lower model.mtp"));
        }
        model.mtp.truncate(wanted);
        for module in &mut model.mtp {
            (module.embed, module.head) = (None, None);
        }
        Ok(model)
    }

    fn random(&self, key: &Key) -> Result<Decoder> {
        let config = ModelFamily::of(&self.config)?.config(&self.config)?;
        config.check_random()?;
        let dtype = self.dtype;
        let make = jit(move |key: &Key| Decoder::new(&config, key).map_leaves(|x: &Array| x.astype(dtype)));
        make.call(key.clone())
    }

    fn prepare(&self, model: &mut Decoder, key: &Key) -> Result<()> {
        edit(model, .., |_, dropout: &mut Dropout| *dropout = Dropout::new(self.dropout));
        self.lora.as_ref().map_or(Ok(()), |lora| lora.apply(model, key))
    }

    /// The model without numbers.
    ///
    /// # Errors
    /// There is no such model (`Input`).
    pub fn shapes(&self) -> Result<Decoder> {
        let config = ModelFamily::of(&self.config)?.config(&self.config)?;
        config.check_random()?;
        let prepared = RefCell::new(Ok(()));
        let shapes = without_numbers(|key| {
            let mut model = Decoder::new(&config, key).map_leaves(|x: &Array| x.astype(self.dtype));
            *prepared.borrow_mut() = self.prepare(&mut model, key);
            model
        })?;
        prepared.into_inner().map(|()| shapes)
    }

    /// Which leaves are trained.
    pub fn filter(&self) -> Filter {
        if self.lora.is_some() { Kind::LORA.into() } else { (..).into() }
    }

    /// The leaves that are trained.
    pub fn trained(&self, model: &Decoder) -> State {
        state(model, self.filter())
    }

    /// The leaves that are not.
    pub fn frozen(&self, model: &Decoder) -> State {
        state(model, !self.filter())
    }

    /// The model with the trained numbers in the place of its first ones. The folder is read only for numbers that are not
    /// trained.
    ///
    /// # Errors
    /// The numbers are of another model, or the folder cannot be read or has changed (`Input`).
    pub fn with(&self, trained: &State) -> Result<Decoder> {
        let first = match (&self.lora, &self.base) {
            (None, _) => self.shapes()?,
            (Some(_), Some(base)) => {
                base.unchanged()?;
                // The numbers come from the folder, the configuration from the run: the folder's `config.json` may have
                // changed.
                try_update(&self.shapes()?, &state(&self.start(&Key::new(0))?, ..))?
            }
            (Some(_), None) => {
                return Err(Error::input("adapters onto random weights, which nothing has kept")
                    .help("begin with the folder of a model"));
            }
        };
        try_update(&first, trained)
    }

    /// The model with adapters added to the weights of the folder, in a form that its family's files have. Files of a tokenizer are not with it.
    ///
    /// # Errors
    /// As [`with`](Self::with).
    pub fn merged(&self, trained: &State) -> Result<Pretrained> {
        let whole = |model| Pretrained::of(model, self.config.clone(), None);
        let Some(lora) = &self.lora else { return whole(self.with(trained)?) };
        // Adapters go onto the weights as they were, not as they were held in few bits.
        let plain = LoraSpec { quantize: None, ..lora.clone() };
        let plain = ModelSpec { lora: Some(plain), ..self.clone() };
        let mut merged = whole(plain.with(trained)?)?;
        merged.merge_adapters();
        Ok(merged)
    }
}
