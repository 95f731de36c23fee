//! Models from the files of others, and into them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Literal, Result, TreeExt, Type};
use jarrah_formats::{FileFormat, Folder, SaveOptions, TensorEncoding};
use jarrah_nn::Layer;
use jarrah_quant::QuantizedTensor;
use serde_json::Value;

use crate::architecture::{parameters, shapes, tensors};
use crate::deferred::{Deferred, identity};
use crate::family::{Row, copy};
use crate::opened::{Opened, open};
use crate::packed;
use crate::reader::{Holding, Parameter, Reader, plus};
use crate::rules::{already, check_numbers};
use crate::spelling::Spelling;
use crate::{
    AnyConfig, Architecture, Decoder, JaxWeights, MaxTextTree, ModelFamily, QuantizeRules, say_dtype,
};

/// A model as a folder of Hugging Face or a GGUF file has it.
#[derive(Clone, Debug)]
pub struct PretrainedModel<M: Architecture> {
    /// The model.
    pub model: M,
    /// Its shape.
    pub config: M::Config,
    /// `config.json`, as it was.
    pub json: Value,
    /// The folder it came from: its tokenizer, its chat templates. Of a GGUF file, what says the same.
    pub folder: Option<Folder>,
    /// Of a model that was read, sentences on what its files say that was read otherwise than they say, or not at all. They are for whoever reads it to see.
    pub notes: Vec<String>,
    spelling: Spelling,
    carried: Vec<(String, Literal)>,
    /// The names of tensors that are written again, each with that of the tensor that it repeats.
    copies: Vec<(String, String)>,
    /// The parameters that are numbers here and in few bits in the files, without anybody having asked for numbers.
    unpacked: BTreeSet<String>,
}

/// How the parameters of a file are held.
#[derive(Clone, Debug, Default)]
pub struct LoadAs {
    /// The dtype of those that are numbers; none: that of the file.
    pub dtype: Option<DType>,
    /// Whether weights that the file has in few bits stay so; otherwise they become numbers.
    pub packed: bool,
    /// Which of the others are brought into few bits, each as it is read.
    pub quantize: Option<QuantizeRules>,
}

/// A decoder as a folder of Hugging Face or a GGUF file has it.
///
/// ```no_run
/// use jarrah_models::Pretrained;
/// let model = Pretrained::load("qwen3-0.6b", None)?;
/// println!("{} parameters", model.config.parameters());
/// model.save("copy")?;
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub type Pretrained = PretrainedModel<Decoder>;

impl<M: Architecture> PretrainedModel<M> {
    /// The model of a folder with `config.json` and weights, safetensors, sharded or not, or what `torch.save` writes; or of a GGUF file. Parameters are
    /// in `dtype`, or in that of the file: weights in few bits (MXFP4, GPTQ, AWQ, compressed-tensors, NF4 of bitsandbytes) are kept so, unless a `dtype` is given; of a GGUF file in that of its embeddings, `f32`
    /// where these are quantized. Weights that the files have as they are wanted stay in the mapped files, which must not be changed in place as long as the model is
    /// there, and may be replaced or removed; the memory for the others is all that is taken. Of a model that also sees or hears it is the text that is read, and written as a
    /// folder of its own.
    ///
    /// # Errors
    /// The folder lacks a file, names a family that is not known, or its tensors are not those of the model (`Input`): the error lists what is missing
    /// and what has another shape.
    pub fn load(path: impl AsRef<Path>, dtype: Option<DType>) -> Result<Self> {
        Self::open(path.as_ref(), &LoadAs { dtype, ..LoadAs::default() }, dtype.is_none())
    }

    /// As [`load`](Self::load), with parameters held as `how` says. Weights are quantized one after another, as they are read: the memory that is taken is that
    /// of the result and of one weight. No file stays mapped then.
    ///
    /// ```no_run
    /// use jarrah_models::{LoadAs, Pretrained};
    /// let how = LoadAs { quantize: Some("int4:64, head=int8".parse()?), ..LoadAs::default() };
    /// let model = Pretrained::load_as("qwen3-0.6b", &how)?;
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`load`](Self::load); a rule means no weight, or one that is in few bits already (`Input`).
    pub fn load_as(path: impl AsRef<Path>, how: &LoadAs) -> Result<Self> {
        Self::open(path.as_ref(), how, false)
    }

    /// As [`load_as`](Self::load_as), without the data of parameters that files do not have as they are wanted: those are abstract arrays, which [`Deferred`] reads when
    /// they are needed. The files stay mapped as long as it is there.
    ///
    /// ```no_run
    /// use jarrah_models::{LoadAs, Pretrained};
    /// let how = LoadAs { quantize: Some("int8".parse()?), ..LoadAs::default() };
    /// let (pretrained, deferred) = Pretrained::load_deferred("qwen3-0.6b", &how)?;
    /// let model = deferred.fill(&pretrained.model)?;
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`load_as`](Self::load_as); what is wrong with the numbers of a parameter shows when it is read.
    pub fn load_deferred(path: impl AsRef<Path>, how: &LoadAs) -> Result<(Self, Deferred)> {
        Self::opened(path.as_ref(), how, false, true)
    }

    /// `by_method`: whether weights in few bits stay so where their method keeps them.
    fn open(path: &Path, how: &LoadAs, by_method: bool) -> Result<Self> {
        Ok(Self::opened(path, how, by_method, false)?.0)
    }

    /// `defers`: whether parameters are read later whose types are known.
    fn opened(path: &Path, how: &LoadAs, by_method: bool, defers: bool) -> Result<(Self, Deferred)> {
        let opened = Opened::of(path)?;
        Self::of_opened(opened, how, [by_method, defers])
            .map_err(|error| error.context(format!("while reading {}", path.display())))
    }

    /// The model of these files, and what reads the parameters that have no data: see [`opened`](Self::opened).
    pub(crate) fn of_opened(
        opened: Opened<M>,
        how: &LoadAs,
        [by_method, defers]: [bool; 2],
    ) -> Result<(Self, Deferred)> {
        let gguf = opened.files.format() == FileFormat::Gguf;
        let of_file = || match opened.files.find("token_embd.weight")?.encoding() {
            TensorEncoding::Plain(dtype) => Some(dtype),
            _ => Some(DType::F32),
        };
        let how = LoadAs { dtype: how.dtype.or_else(|| of_file().filter(|_| gguf)), ..how.clone() };
        Self::read(opened, &how, [by_method, defers])
    }

    /// The model with the weights that a JAX program saved; `folder` has its `config.json` and whatever else stands beside weights.
    ///
    /// The leaves are read one after another: the memory that is taken is that of the model and of the largest leaf.
    ///
    /// # Errors
    /// The tree has not the weights of that model: the error lists what is missing, left over, and of other extents (`Input`); a leaf is damaged; or as
    /// [`load_as`](Self::load_as).
    pub fn load_jax(weights: &JaxWeights, folder: Folder, how: &LoadAs) -> Result<Self> {
        let read = || Ok(Self::of_opened(Opened::of_jax(folder, weights)?, how, [false, false])?.0);
        read().map_err(|error| weights.while_reading(error))
    }

    /// The small files of a folder, or what the fields of a GGUF file say as such: `config.json`, the tokenizer, chat templates.
    ///
    /// # Errors
    /// There are neither (`Input`).
    pub fn files(path: impl AsRef<Path>) -> Result<Folder> {
        let path = path.as_ref();
        match path.join("config.json").is_file() {
            true => Folder::open(path),
            false => Ok(open(path)?.0),
        }
    }

    /// The model of these files, and what reads the parameters that have no data.
    fn read(opened: Opened<M>, how: &LoadAs, [by_method, defers]: [bool; 2]) -> Result<(Self, Deferred)> {
        let Opened {
            mut folder,
            files,
            config,
            mut json,
            shapes,
            parameters,
            method,
            wanted,
            spelling,
            copies,
            notes,
        } = opened;
        let dtype = how.dtype;
        let keeps = how.packed || (by_method && method.as_ref().is_some_and(|method| method.keeps()));
        let plan = how.quantize.as_ref().map(|rules| rules.plan(&shapes)).transpose()?.unwrap_or_default();
        let transposes = packed::transposes(&shapes);
        let carried = files.iter().filter(|tensor| M::CARRIED.iter().any(|end| tensor.name().ends_with(end)));
        let carried = carried.map(|tensor| Ok((tensor.name().to_owned(), tensor.literal()?)));
        let carried = carried.collect::<Result<_>>()?;
        let reader =
            Reader::new(files, wanted, Holding { parameters, method, plan, transposes, keeps, dtype });
        let unpacked = if by_method { reader.in_few_bits() } else { BTreeSet::new() };
        let identity = identity(&reader, &json, how);
        let (mut few_bits, mut later) = (BTreeMap::new(), BTreeSet::new());
        let mut model = shapes.try_map(&mut Default::default(), &mut |path, shape: &Array| {
            let path = path.to_string();
            let deferred = if defers { reader.without_data(&path)? } else { None };
            if deferred.is_some() {
                later.insert(path.clone());
            }
            Ok(match deferred.map_or_else(|| reader.parameter(&path), Ok)? {
                Parameter::Numbers(numbers) => numbers,
                Parameter::FewBits(weight) => {
                    few_bits.insert(path, *weight);
                    shape.clone()
                }
            })
        })?;
        // A model without weights in few bits is not described as quantized.
        if let (true, Some(entries)) = (few_bits.is_empty(), json.as_object_mut()) {
            entries.remove("quantization_config");
        }
        if let Some(dtype) = dtype {
            say_dtype(&mut json, dtype);
        }
        packed::put(&mut model, few_bits);
        let spelling = spelling.alone();
        if json != *folder.config() {
            folder.set_config(json.clone())?;
        }
        let folder = Some(folder);
        let read =
            PretrainedModel { model, config, json, folder, notes, spelling, carried, copies, unpacked };
        Ok((read, Deferred::new(reader, later, identity)))
    }

    /// A model with random parameters, of the shape that a `config.json` describes.
    ///
    /// # Errors
    /// It describes none (`Input`).
    pub fn random(json: Value, key: &Key) -> Result<Self> {
        let json = ModelFamily::text(json);
        Self::of(M::build(&M::config(&json)?, key), json, None)
    }

    /// The model without numbers, of the shape that a `config.json` describes: the shapes and dtypes of its parameters.
    ///
    /// # Errors
    /// It describes none (`Input`).
    pub fn shapes(json: &Value) -> Result<M> {
        shapes(&M::config(json)?)
    }

    /// A model of the shape that a `config.json` describes; `folder` is where its other files are.
    ///
    /// # Errors
    /// It describes none (`Input`).
    pub fn of(model: M, json: Value, mut folder: Option<Folder>) -> Result<Self> {
        let config = M::config(&json)?;
        if let Some(folder) = folder.as_mut().filter(|folder| *folder.config() != json) {
            folder.set_config(json.clone())?;
        }
        let (notes, spelling, carried, unpacked) = Default::default();
        let copies = M::copies(&config);
        Ok(PretrainedModel { model, config, json, folder, notes, spelling, carried, copies, unpacked })
    }

    /// The files with another model in place of theirs, such as a model that was trained.
    #[must_use]
    pub fn with(self, model: M) -> Self {
        PretrainedModel { model, ..self }
    }

    /// Writes the model as a folder of Hugging Face: safetensors, with the names, shapes and dtypes that were read, `config.json`, and what else the folder had
    /// that it came from. Weights in few bits are written as compressed-tensors, all in NF4 as bitsandbytes, and stacks in MXFP4 as gpt-oss has them.
    ///
    /// # Errors
    /// The model is no longer of its family's form, such as one with adapters (`Input`), or the disk failed.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        let made = self.tensors()?;
        let tensors: Vec<jarrah_formats::Tensor<'_>> =
            made.iter().map(|(name, value)| jarrah_formats::Tensor::of(name.as_str(), value)).collect();
        std::fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
        self.small_files(folder)?.write(folder, &tensors, &SaveOptions::default()).map(|_| ())
    }

    /// The small files of the model's folder, with `config.json` as files of these weights have it; of a model that came from none this file alone, which is said to
    /// be in the folder `path`.
    ///
    /// # Errors
    /// As [`tensors`](Self::tensors).
    pub fn small_files(&self, path: impl AsRef<Path>) -> Result<Folder> {
        let json = self.described()?;
        let Some(from) = &self.folder else {
            let text =
                serde_json::to_string_pretty(&json).map_err(|error| Error::internal(error.to_string()))?;
            let text = jarrah_formats::json::python_unmarked(&(text + "\n")).into_owned();
            return Folder::of(
                path.as_ref(),
                BTreeMap::from([("config.json".to_owned(), text.into_bytes())]),
            );
        };
        let mut from = from.clone();
        if *from.config() != json {
            from.set_config(json)?;
        }
        Ok(from)
    }

    /// Checks that [`save`](Self::save) has a form for the model once these rules are applied to it, so that nothing is computed for what cannot be written.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::Pretrained;
    /// let model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
    /// model.check_rules(&"int8, head=int4:16".parse()?)?;
    /// let error = model.check_rules(&"nf4:16, blocks.0.**=int8".parse()?).unwrap_err();
    /// assert!(error.to_string().contains("matrices are nf4"));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`QuantizeRules::plan`]; a weight is in few bits already, here or in the files that were read without a `dtype`; one has an infinity or a NaN; the family's files have no form for a weight so, such as for a stack of matrices, or for a matrix of
    /// which the rules quantize a part (`Input`).
    pub fn check_rules(&self, rules: &QuantizeRules) -> Result<()> {
        let plan = rules.plan(&self.model)?;
        let packed = packed::of(&self.model);
        let is_packed = |path: &&String| packed.contains_key(*path) || self.unpacked.contains(*path);
        if let Some(path) = plan.keys().find(is_packed) {
            return Err(already(path));
        }
        check_numbers(&self.model, &plan)?;
        let wanted = tensors::<M>(&M::rows(&self.json)?, &self.parameters(&packed)?, &self.config)?;
        let held = packed.iter().map(|(path, weight)| (path.clone(), weight.scheme));
        packed::check(&wanted, &held.chain(plan).collect())
    }

    /// The tensors by the names of the family's files.
    ///
    /// # Errors
    /// The model is no longer of its family's form (`Input`), or the device failed.
    pub fn tensors(&self) -> Result<Vec<(String, Literal)>> {
        let mut made = self.tensors_by(&M::rows(&self.json)?, true)?;
        for (name, _) in &mut made {
            *name = self.spelling.of(name);
        }
        made.extend(self.carried.iter().cloned());
        for (copy, of) in &self.copies {
            let original = made.iter().find(|(name, _)| name == of).map(|(_, value)| value.clone());
            made.extend(original.map(|value| (copy.clone(), value)));
        }
        Ok(made)
    }

    /// The model in the layout of MaxText, with scanned layers along the axis 1.
    ///
    /// # Errors
    /// MaxText's names are not known of the family, or of a tensor of the model (`Input`); or as [`tensors`](Self::tensors).
    pub fn maxtext(&self) -> Result<MaxTextTree> {
        let tensors = self.tensors()?;
        if let Some((name, value)) = tensors.iter().find(|(_, value)| !value.dtype().is_float()) {
            let error = format!("{name} is {}: MaxText's layout has weights that are numbers", value.ty());
            return Err(Error::input(error).help("add --dtype bf16, or another type of floats"));
        }
        MaxTextTree::of(&self.json, tensors)
    }

    /// `config.json` as a file of the weights as they are has it.
    fn described(&self) -> Result<Value> {
        let packed = packed::of(&self.model);
        let mut json = self.json.clone();
        let Some(entries) = json.as_object_mut() else { return Ok(json) };
        if packed.is_empty() {
            entries.remove("quantization_config");
            return Ok(json);
        }
        let parameters = self.parameters(&packed)?;
        let rows = M::rows(&self.json)?;
        let wanted = tensors::<M>(&rows, &parameters, &self.config)?;
        let (mut weights, mut others, mut stacks) = (BTreeMap::new(), Vec::new(), 0);
        // An output layer that is the embeddings is a module of others, of which a file has no tensor.
        if !parameters.contains_key("head.weight") {
            let name = rows.iter().find_map(|row| row.name_of("head.weight"));
            others.extend(name.map(|name| self.spelling.of(name)));
        }
        for (name, tensor) in &wanted {
            let name = self.spelling.of(name);
            match packed::written(&name, tensor, &packed)? {
                Some(_) if tensor.packs => stacks += 1,
                Some(weight) => drop(weights.insert(name, weight)),
                None if tensor.dims.len() == 2 && !name.contains("embed") => others.push(name),
                None => {}
            }
        }
        let dtype = ["dtype", "torch_dtype"].iter().find_map(|name| self.json.get(name)?.as_str());
        packed::check_methods(0, stacks, weights.len())?;
        if stacks > 0 && packed::method_name(&self.json) != Some("mxfp4") {
            entries.insert("quantization_config".to_owned(), packed::of_stacks(&others));
        }
        if !weights.is_empty() {
            let described = packed::described(&weights, &others, dtype.unwrap_or("float32"))?;
            entries.insert("quantization_config".to_owned(), described);
        }
        Ok(json)
    }

    /// The names and types of the parameters, those in few bits as the numbers that they stand for, as the family has them.
    fn parameters(&self, packed: &BTreeMap<String, QuantizedTensor>) -> Result<BTreeMap<String, Type>> {
        let shapes = shapes::<M>(&self.config)?;
        let transposes = packed::transposes(&shapes);
        let mut parameters = parameters(&self.model);
        for (path, weight) in packed {
            parameters.retain(|name, _| name.strip_prefix(path).is_none_or(|rest| !rest.starts_with('.')));
            let mut dims = weight.shape();
            if transposes.contains(path) {
                let last = dims.len() - 1;
                dims.swap(last - 1, last);
            }
            parameters.insert(path.clone(), Type::tensor(DType::F32, dims));
        }
        Ok(parameters)
    }

    /// The tensors by the names of rows; `few`: whether those in few bits stay so.
    pub(crate) fn tensors_by(&self, rows: &[Row], few: bool) -> Result<Vec<(String, Literal)>> {
        let packed = packed::of(&self.model);
        let shapes = self::parameters(&shapes::<M>(&self.config)?);
        let parameters = self.parameters(&packed)?;
        if let Some((path, weight)) = packed.iter().next().filter(|_| !few) {
            return Err(in_few_bits(path, weight));
        }
        let dtype = ["dtype", "torch_dtype"].iter().find_map(|name| self.json.get(name)?.as_str());
        if let Some(name) = parameters.keys().find(|name| !shapes.contains_key(*name)) {
            return Err(no_name(name));
        }
        let wanted = tensors::<M>(rows, &parameters, &self.config)?;
        let arrays: BTreeMap<String, &Array> = self.model.leaves_with_paths().into_iter().collect();
        let mut made = Vec::with_capacity(wanted.len());
        // The parameter that was read last: tensors of experts, one after another, are pieces of one.
        let mut last: Option<(&str, Literal)> = None;
        for (name, tensor) in &wanted {
            if let Some(weight) = packed::written(name, tensor, &packed)? {
                made.extend(packed::tensors(name, &weight, tensor, dtype.unwrap_or("float32"))?);
                continue;
            }
            if let Some(own) = tensor.whole(&parameters) {
                made.push((name.clone(), arrays[own].to_literal()?));
                continue;
            }
            if tensor.filters {
                made.push((name.clone(), filters_first(arrays[&tensor.pieces[0].ours]).to_literal()?));
                continue;
            }
            let dtype = parameters[&tensor.pieces[0].ours].dtype();
            let mut value = Literal::zeros(Type::tensor(dtype, tensor.dims.iter().copied()))?;
            for piece in &tensor.pieces {
                let mut own = match last.take() {
                    Some((path, own)) if path == piece.ours && own.dtype() == dtype => own,
                    _ => arrays[&piece.ours].astype(dtype).to_literal()?,
                };
                let dims = own.dims();
                copy(piece, dtype.size(), (&dims, own.bytes_mut()), (&tensor.dims, value.bytes_mut()), false);
                last = Some((&piece.ours, own));
            }
            if tensor.plus != 0 {
                value = plus(&value, f64::from(tensor.plus))?;
            }
            made.push((name.clone(), value));
        }
        Ok(made)
    }
}

fn no_name(path: &str) -> Error {
    let error = Error::input(format!("the model has {path}, which files of its family have no name for"));
    error.help("merge adapters into their weights before the model is written")
}

/// The error that files of a kind without weights in few bits are to have one.
fn in_few_bits(path: &str, weight: &QuantizedTensor) -> Error {
    let error = format!("{path} is in few bits ({}), which is not written to GGUF files", weight.scheme);
    Error::input(error).help(
        "`jarrah model convert IN OUT --dtype f32` writes a folder with numbers in their place: take OUT, and `--dtype q8_0` or `q4_0` for blocks of few bits",
    )
}

impl From<Pretrained> for PretrainedModel<Layer> {
    fn from(decoder: Pretrained) -> Self {
        let PretrainedModel { model, config, json, folder, notes, spelling, carried, copies, unpacked } =
            decoder;
        let (model, config) = (model.into(), AnyConfig::Decoder(config));
        PretrainedModel { model, config, json, folder, notes, spelling, carried, copies, unpacked }
    }
}

impl Pretrained {
    /// The `config.json` of a published shape: see [`PRESETS`](crate::PRESETS).
    ///
    /// # Errors
    /// There is no such name (`Input`).
    pub fn preset(name: &str) -> Result<Value> {
        crate::presets::json(name)
    }
}

/// `[window.., inputs, outputs]` as `[outputs, inputs, window..]`.
fn filters_first(weight: &Array) -> Array {
    let rank = weight.rank() as isize;
    let axes: Vec<isize> = [rank - 1, rank - 2].into_iter().chain(0..rank - 2).collect();
    weight.transpose(&axes[..])
}
