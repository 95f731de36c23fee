//! Models from the files of others, and into them.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Literal, Result, TreeExt, Type};
use jarrah_formats::{Encoding, Folder, Format, Report, SaveOptions, Tensors, save};
use jarrah_nn::Layer;
use serde_json::Value;

use crate::architecture::{parameters, shapes, tensors};
use crate::family::{Row, Tensor, copy};
use crate::packed::{self, Quantization};
use crate::spelling::Spelling;
use crate::{AnyConfig, Architecture, Decoder, Family, gguf, say_dtype};

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
    spelling: Spelling,
    carried: Vec<(String, Literal)>,
    /// The names of tensors that are written again, each with that of the tensor that it repeats.
    copies: Vec<(String, String)>,
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

/// The small files of a model, and its weights: of a folder, or of a GGUF file or a folder with one.
fn open(path: &Path) -> Result<(Folder, Tensors)> {
    if path.join("config.json").is_file() || (path.is_dir() && Tensors::open(path).is_err()) {
        let folder = Folder::open(path)?;
        let tensors = folder.tensors()?;
        return Ok((folder, tensors));
    }
    let tensors = Tensors::open(path)?;
    if tensors.format() != Format::Gguf {
        let error = Error::input(format!("{} are weights without a config.json", path.display()));
        return Err(error.help("give the folder of a model of Hugging Face, or a GGUF file"));
    }
    Ok((gguf::folder(path, &tensors)?, tensors))
}

impl<M: Architecture> PretrainedModel<M> {
    /// The model of a folder with `config.json` and weights, safetensors, sharded or not, or what `torch.save` writes; or of a GGUF file. Parameters are
    /// in `dtype`, or in that of the file: weights in MXFP4 are kept in four bits, unless a `dtype` is given; of a GGUF file in that of its embeddings, `f32`
    /// where these are quantized. Weights that the files have as they are wanted stay in the mapped files, which must not be changed in place as long as the model is
    /// there, and may be replaced or removed; the memory for the others is all that is taken. Of a model that also sees or hears it is the text that is read, and written as a
    /// folder of its own.
    ///
    /// # Errors
    /// The folder lacks a file, names a family that is not known, or its tensors are not those of the model (`Input`): the error lists what is missing
    /// and what has another shape.
    pub fn load(path: impl AsRef<Path>, dtype: Option<DType>) -> Result<Self> {
        let path = path.as_ref();
        let within = |error: Error| error.context(format!("while reading {}", path.display()));
        let (mut folder, files) = open(path)?;
        let json = Family::text(folder.config().clone());
        let config = M::config(&json).map_err(within)?;
        let gguf = files.format() == Format::Gguf;
        let rows = if gguf { gguf::names_of(&json) } else { M::rows(&json) }.map_err(within)?;
        let of_file = || match files.find("token_embd.weight")?.encoding() {
            Encoding::Plain(dtype) => Some(dtype),
            _ => Some(DType::F32),
        };
        let dtype = dtype.or_else(|| of_file().filter(|_| gguf));
        let read = Self::read(config, json, &rows, &files, dtype).map_err(within)?;
        if read.json != *folder.config() {
            folder.set_config(read.json.clone())?;
        }
        Ok(PretrainedModel { folder: Some(folder), ..read })
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

    /// The model of these tensors.
    fn read(
        mut config: M::Config,
        mut json: Value,
        rows: &[Row],
        files: &Tensors,
        dtype: Option<DType>,
    ) -> Result<Self> {
        let quantization = Quantization::of(&json)?;
        let copies = M::fit(&mut config, files)?;
        let shapes = shapes::<M>(&config)?;
        let parameters = parameters(&shapes);
        let wanted = tensors::<M>(rows, &parameters, &config)?;
        let spelling = Spelling::in_file(files, &wanted);
        let named = |name: &str| spelling.of(name);
        let is_packed = |name: &str, tensor: &Tensor| tensor.packs && packed::is_in(files, name);
        let types = wanted.iter().flat_map(|(name, tensor)| match is_packed(&named(name), tensor) {
            true => packed::types(&named(name), &tensor.dims).to_vec(),
            false => vec![(named(name), Type::tensor(DType::F32, tensor.dims.iter().copied()))],
        });
        Report::new(types, files).complete()?;
        let mut sources: BTreeMap<&str, Vec<(String, &Tensor)>> = BTreeMap::new();
        for (name, tensor) in &wanted {
            for piece in &tensor.pieces {
                let source = sources.entry(&piece.ours).or_default();
                if source.last().is_none_or(|(last, _)| *last != named(name)) {
                    source.push((named(name), tensor));
                }
            }
        }
        let read = |name: &str, dtype| packed::literal(files, name, dtype, quantization);
        let mut few_bits = BTreeMap::new();
        let mut model = shapes.try_map(&mut Default::default(), &mut |path, shape| {
            let path = path.to_string();
            let sources = sources.get(path.as_str()).map(Vec::as_slice).unwrap_or_default();
            if let [(name, tensor)] = sources
                && is_packed(name, tensor)
            {
                let weight = packed::read(files, name, &tensor.dims)?;
                return match dtype {
                    Some(dtype) => Ok(Array::from_literal(weight.dequantize(dtype).to_literal()?)),
                    None => {
                        few_bits.insert(path, weight);
                        Ok(shape.clone())
                    }
                };
            }
            Ok(Array::from_literal(gather(&path, shape.ty(), sources, &parameters, dtype, &read)?))
        })?;
        // What is no longer in few bits is not said to be.
        if let (true, Some(entries)) = (few_bits.is_empty(), json.as_object_mut()) {
            entries.remove("quantization_config");
        }
        if let Some(dtype) = dtype {
            say_dtype(&mut json, dtype);
        }
        packed::put(&mut model, few_bits);
        let carried = files.iter().filter(|tensor| M::CARRIED.iter().any(|end| tensor.name().ends_with(end)));
        let carried = carried.map(|tensor| Ok((tensor.name().to_owned(), tensor.literal()?)));
        let carried = carried.collect::<Result<_>>()?;
        let spelling = spelling.alone();
        Ok(PretrainedModel { model, config, json, folder: None, spelling, carried, copies })
    }

    /// A model with random parameters, of the shape that a `config.json` describes.
    ///
    /// # Errors
    /// It describes none (`Input`).
    pub fn random(json: Value, key: &Key) -> Result<Self> {
        let json = Family::text(json);
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
        let (spelling, carried) = Default::default();
        let copies = M::copies(&config);
        Ok(PretrainedModel { model, config, json, folder, spelling, carried, copies })
    }

    /// The same with another model in its place, such as one that was trained.
    #[must_use]
    pub fn with(self, model: M) -> Self {
        PretrainedModel { model, ..self }
    }

    /// Writes the model as a folder of Hugging Face: safetensors, with the names, shapes and dtypes that were read, `config.json`, and what else the folder had
    /// that it came from.
    ///
    /// # Errors
    /// The model is no longer of its family's form, such as one with adapters (`Input`), or the disk failed.
    pub fn save(&self, folder: impl AsRef<Path>) -> Result<()> {
        let folder = folder.as_ref();
        let made = self.tensors()?;
        let tensors: Vec<jarrah_formats::Tensor<'_>> =
            made.iter().map(|(name, value)| jarrah_formats::Tensor::of(name.as_str(), value)).collect();
        if let Some(from) = &self.folder {
            return from.write(folder, &tensors, &SaveOptions::default()).map(|_| ());
        }
        std::fs::create_dir_all(folder).map_err(|error| Error::io("create", folder, &error))?;
        save(folder, &tensors, &SaveOptions::default())?;
        let text =
            serde_json::to_string_pretty(&self.json).map_err(|error| Error::internal(error.to_string()))?;
        let path = folder.join("config.json");
        std::fs::write(&path, text + "\n").map_err(|error| Error::io("write", &path, &error))
    }

    /// The tensors by the names of the family's files.
    ///
    /// # Errors
    /// The model is no longer of its family's form (`Input`), or the device failed.
    pub fn tensors(&self) -> Result<Vec<(String, Literal)>> {
        let mut made = self.tensors_by(&M::rows(&self.json)?)?;
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

    /// The tensors by the names of rows.
    pub(crate) fn tensors_by(&self, rows: &[Row]) -> Result<Vec<(String, Literal)>> {
        let packed = packed::of(&self.model);
        let shapes = self::parameters(&shapes::<M>(&self.config)?);
        let mut parameters = parameters(&self.model);
        for (path, weight) in &packed {
            parameters.retain(|name, _| name.strip_prefix(path).is_none_or(|rest| !rest.starts_with('.')));
            parameters.insert(path.clone(), Type::tensor(DType::F32, weight.shape()));
        }
        if let Some(name) = parameters.keys().find(|name| !shapes.contains_key(*name)) {
            return Err(no_name(name));
        }
        let wanted = tensors::<M>(rows, &parameters, &self.config)?;
        let arrays: BTreeMap<String, &Array> = self.model.leaves_with_paths().into_iter().collect();
        let mut made = Vec::with_capacity(wanted.len());
        // The parameter that was read last: tensors of experts, one after another, are pieces of one.
        let mut last: Option<(&str, Literal)> = None;
        for (name, tensor) in &wanted {
            if let Some(own) = tensor.whole(&parameters) {
                match packed.get(own) {
                    None => made.push((name.clone(), arrays[own].to_literal()?)),
                    Some(weight) if tensor.packs => made.extend(packed::tensors(name, weight)?),
                    Some(_) => return Err(no_name(own)),
                }
                continue;
            }
            if let Some(piece) = tensor.pieces.iter().find(|piece| packed.contains_key(&piece.ours)) {
                return Err(no_name(&piece.ours));
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
    error.help("merge adapters into their weights, and dequantize, before the model is written")
}

impl From<Pretrained> for PretrainedModel<Layer> {
    fn from(decoder: Pretrained) -> Self {
        let PretrainedModel { model, config, json, folder, spelling, carried, copies } = decoder;
        let (model, config) = (model.into(), AnyConfig::Decoder(config));
        PretrainedModel { model, config, json, folder, spelling, carried, copies }
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

/// `[outputs, inputs, window..]` as `[window.., inputs, outputs]`.
fn filters_last(weight: &Array) -> Array {
    let axes: Vec<isize> = (2..weight.rank() as isize).chain([1, 0]).collect();
    weight.transpose(&axes[..])
}

/// Each number plus another.
fn plus(value: &Literal, more: f64) -> Result<Literal> {
    let sums: Vec<f64> = value.to_f64_vec().into_iter().map(|x| x + more).collect();
    Literal::from_f64s(value.ty(), &sums)
}

/// The parameter at `path`, in `dtype` or that of the first of the tensors that it is in, which `read` reads.
fn gather(
    path: &str,
    ty: Type,
    sources: &[(String, &Tensor)],
    parameters: &BTreeMap<String, Type>,
    dtype: Option<DType>,
    read: &dyn Fn(&str, Option<DType>) -> Result<Literal>,
) -> Result<Literal> {
    let Some((first, tensor)) = sources.first() else {
        return Err(Error::internal(format!("no tensor is named for the parameter {path}")));
    };
    let first = read(first, dtype)?;
    if tensor.whole(parameters).is_some() {
        return Ok(first);
    }
    if tensor.filters {
        return filters_last(&Array::from_literal(first)).to_literal();
    }
    let dtype = first.dtype();
    let mut value = Literal::zeros(Type::tensor(dtype, ty.dims()))?;
    let dims = value.dims();
    let mut first = Some(first);
    for (name, tensor) in sources {
        let mut theirs = match first.take() {
            Some(first) => first,
            None => read(name, Some(dtype))?,
        };
        for piece in tensor.pieces.iter().filter(|piece| piece.ours == path) {
            copy(piece, dtype.size(), (&dims, value.bytes_mut()), (&tensor.dims, theirs.bytes_mut()), true);
        }
        if tensor.plus != 0 {
            value = plus(&value, -f64::from(tensor.plus))?;
        }
    }
    Ok(value)
}
