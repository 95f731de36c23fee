//! Decoders from the folders of others, and into them.

use std::collections::BTreeMap;
use std::path::Path;

use jarrah_array::{Array, DType, Error, Literal, Result, Tree, TreeExt, Type};
use jarrah_formats::{Folder, Report, SaveOptions, Tensors, save};
use serde_json::Value;

use crate::family::{Family, Tensor, copy, tensors};
use crate::packed::{self, Quantization};
use crate::{Decoder, DecoderConfig};

/// A model as a folder of Hugging Face has it.
///
/// ```no_run
/// use jarrah_models::Pretrained;
/// let model = Pretrained::load("qwen3-0.6b", None)?;
/// println!("{} parameters", model.config.parameters());
/// model.save("copy")?;
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pretrained {
    /// The model.
    pub model: Decoder,
    /// Its shape.
    pub config: DecoderConfig,
    /// `config.json`, as it was.
    pub json: Value,
    /// The folder it came from: its tokenizer, its chat templates.
    pub folder: Option<Folder>,
    /// Where the names of tensors lack what the family's begin with, as in the first files of GPT-2.
    bare: bool,
}

/// The beginnings of names that some files lack.
const PREFIXES: [&str; 2] = ["transformer.", "model."];

/// How files name tensors that a family calls `name`: as it does; without its prefix; or, where the text is part of a larger model, below that part.
const NAMINGS: [fn(&str) -> String; 4] = [
    str::to_owned,
    |name| bare(name).to_owned(),
    |name| match name.strip_prefix("model.") {
        Some(rest) => format!("model.language_model.{rest}"),
        None => name.to_owned(),
    },
    |name| format!("language_model.{name}"),
];

/// The naming by which most of the tensors are in the files; of two alike the first.
fn naming(wanted: &[(String, Tensor)], files: &Tensors) -> usize {
    let found = |naming: usize| {
        let there = |name: &str| {
            let name = NAMINGS[naming](name);
            files.find(&name).is_some() || packed::is_in(files, &name)
        };
        wanted.iter().filter(|(name, _)| there(name)).count()
    };
    (0..NAMINGS.len()).rev().max_by_key(|naming| found(*naming)).unwrap_or(0)
}

fn bare(name: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

impl Pretrained {
    /// The model of a folder with `config.json` and weights: safetensors, sharded or not, or what `torch.save` writes. Parameters are in `dtype`, or in that
    /// of the file. Of a model that also sees or hears it is the text that is read, and written as a folder of its own. Weights in
    /// MXFP4 are kept in four bits, unless a `dtype` is given. The memory for them is all that is taken.
    ///
    /// # Errors
    /// The folder lacks a file, names a family that is not known, or its tensors are not those of the model (`Input`): the error lists what is missing
    /// and what has another shape.
    pub fn load(folder: impl AsRef<Path>, dtype: Option<DType>) -> Result<Self> {
        let folder = folder.as_ref();
        let within = |error: Error| error.context(format!("while reading {}", folder.display()));
        let mut open = Folder::open(folder)?;
        let json = Family::text(open.config().clone());
        let family = Family::of(&json).map_err(within)?;
        let config = family.config(&json).map_err(within)?;
        let read = Self::read(family, config, json, &open.tensors()?, dtype).map_err(within)?;
        if read.json != *open.config() {
            open.set_config(read.json.clone())?;
        }
        Ok(Pretrained { folder: Some(open), ..read })
    }

    /// The model of these tensors.
    fn read(
        family: &Family,
        config: DecoderConfig,
        mut json: Value,
        files: &Tensors,
        dtype: Option<DType>,
    ) -> Result<Self> {
        let quantization = Quantization::of(&json)?;
        let shapes = Decoder::try_shapes(&config)?;
        let parameters = parameters(&shapes);
        let wanted = tensors_of(family, &config, &parameters)?;
        let naming = naming(&wanted, files);
        let named = NAMINGS[naming];
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
        packed::put(&mut model, few_bits);
        Ok(Pretrained { model, config, json, folder: None, bare: naming == 1 })
    }

    /// The `config.json` of a published shape: see [`PRESETS`](crate::PRESETS).
    ///
    /// # Errors
    /// There is no such name (`Input`).
    pub fn preset(name: &str) -> Result<Value> {
        crate::presets::json(name)
    }

    /// A model with random parameters, of the shape that a `config.json` describes.
    ///
    /// # Errors
    /// It describes none (`Input`).
    pub fn random(json: Value, key: &jarrah_array::random::Key) -> Result<Self> {
        let json = Family::text(json);
        let config = Family::of(&json)?.config(&json)?;
        Ok(Pretrained { model: Decoder::new(&config, key), config, json, folder: None, bare: false })
    }

    /// The same with another model in its place, such as one that was trained.
    #[must_use]
    pub fn with(self, model: Decoder) -> Self {
        Pretrained { model, ..self }
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
        let packed = packed::of(&self.model);
        let shapes = self::parameters(&Decoder::try_shapes(&self.config)?);
        let mut parameters = parameters(&self.model);
        for (path, weight) in &packed {
            parameters.retain(|name, _| name.strip_prefix(path).is_none_or(|rest| !rest.starts_with('.')));
            parameters.insert(path.clone(), Type::tensor(DType::F32, weight.shape()));
        }
        if let Some(name) = parameters.keys().find(|name| !shapes.contains_key(*name)) {
            return Err(no_name(name));
        }
        let family = Family::of(&self.json)?;
        let wanted = tensors_of(family, &self.config, &parameters)?;
        let arrays: BTreeMap<String, &Array> = self.model.leaves_with_paths().into_iter().collect();
        let mut made = Vec::with_capacity(wanted.len());
        // The parameter that was read last: tensors of experts, one after another, are pieces of one.
        let mut last: Option<(&str, Literal)> = None;
        for (name, tensor) in &wanted {
            let name = if self.bare { bare(name).to_owned() } else { name.clone() };
            if let Some(own) = tensor.whole(&parameters) {
                match packed.get(own) {
                    None => made.push((name, arrays[own].to_literal()?)),
                    Some(weight) if tensor.packs => made.extend(packed::tensors(&name, weight)?),
                    Some(_) => return Err(no_name(own)),
                }
                continue;
            }
            if let Some(piece) = tensor.pieces.iter().find(|piece| packed.contains_key(&piece.ours)) {
                return Err(no_name(&piece.ours));
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
            made.push((name, value));
        }
        Ok(made)
    }
}

fn no_name(path: &str) -> Error {
    let error = Error::input(format!("the model has {path}, which files of its family have no name for"));
    error.help("merge adapters into their weights, and dequantize, before the model is written")
}

/// The names and types of the parameters of a model.
fn parameters(model: &Decoder) -> BTreeMap<String, Type> {
    model.leaves_with_paths().into_iter().map(|(path, array): (String, &Array)| (path, array.ty())).collect()
}

fn tensors_of(
    family: &Family,
    config: &DecoderConfig,
    parameters: &BTreeMap<String, Type>,
) -> Result<Vec<(String, Tensor)>> {
    let heads = config.layers[0].attention.heads();
    tensors(&family.rows(), parameters, config.layers.len(), heads)
}

/// The names of the tensors of a file, each with the path of the parameter that it is, or none if it is made of several.
pub(crate) fn names(json: &Value, config: &DecoderConfig) -> Result<Vec<(String, Option<String>)>> {
    let parameters = parameters(&Decoder::try_shapes(config)?);
    let tensors = tensors_of(Family::of(json)?, config, &parameters)?.into_iter();
    Ok(tensors.map(|(name, tensor)| (name, tensor.whole(&parameters).map(str::to_owned))).collect())
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
    }
    Ok(value)
}
