//! The files of a model, and which of their tensors its parameters are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use jarrah_array::{DType, Error, Result, Type};
use jarrah_checkpoint::LeafRules;
use jarrah_formats::{FileFormat, Folder, LoadReport, OrbaxCheckpoint, Tensors};
use serde_json::Value;

use crate::architecture::{Again, parameters, shapes, tensors};
use crate::family::{Row, Tensor, ignored};
use crate::packed::{self, Method, Wanted};
use crate::spelling::Spelling;
use crate::{Architecture, JaxWeights, ModelFamily, gguf};

/// The files of a model, and which of their tensors its parameters are.
pub(crate) struct Opened<M: Architecture> {
    pub folder: Folder,
    pub files: Tensors,
    pub config: M::Config,
    pub json: Value,
    /// The model without numbers, and the types of its parameters.
    pub shapes: M,
    pub parameters: BTreeMap<String, Type>,
    /// How the files have weights in few bits, if they may.
    pub method: Option<Arc<dyn Method>>,
    /// The tensors, by their names in the files.
    pub wanted: Vec<(String, Tensor)>,
    pub spelling: Spelling,
    pub copies: Vec<(String, String)>,
    pub notes: Vec<String>,
}

impl<M: Architecture> Opened<M> {
    pub fn of(path: &Path) -> Result<Self> {
        let read = || {
            if path.join("config.json").is_file() && OrbaxCheckpoint::is_at(path) {
                let weights = JaxWeights::open(path, &LeafRules::default())?;
                return Self::of_jax(Folder::open(path)?, &weights);
            }
            let (folder, files) = open(path)?;
            Self::read(folder, files)
        };
        read().map_err(|error| error.context(format!("while reading {}", path.display())))
    }

    /// The model of a folder, whose weights a JAX program saved.
    pub fn of_jax(folder: Folder, weights: &JaxWeights) -> Result<Self> {
        let (tensors, notes) = weights.tensors::<M>(&ModelFamily::text(folder.config().clone()))?;
        let mut opened = Self::read(folder, tensors)?;
        opened.notes.extend(notes);
        Ok(opened)
    }

    /// The model of a folder, of which `files` has the weights.
    fn read(folder: Folder, files: Tensors) -> Result<Self> {
        let is_gguf = files.format() == FileFormat::Gguf;
        let mut json = ModelFamily::text(folder.config().clone());
        let config = M::config(&json)?;
        let rows = if is_gguf { gguf::names_of(&json) } else { M::rows(&json) }?;
        // The ignored keys of config.json as the file has it: the head that is found changes `json` below.
        let ignored = if is_gguf { gguf::ignored(files.fields()) } else { ignored(&json) };
        let method = match is_gguf {
            true => Some(Arc::new(packed::Gguf) as Arc<dyn Method>),
            false => packed::method(&json)?,
        };
        let (mut config, head) = untied::<M>(&mut json, config, &rows, &files, method.as_deref())?;
        let copies = M::fit(&mut config, &files)?;
        let shapes = shapes::<M>(&config)?;
        let parameters = parameters(&shapes);
        let wanted = tensors::<M>(&rows, &parameters, &config)?;
        let spelling = Spelling::in_file(&files, &wanted, method.as_deref());
        let mut wanted: Vec<(String, Tensor)> =
            wanted.into_iter().map(|(name, tensor)| (spelling.of(&name), tensor)).collect();
        let (mut notes, head) = match head {
            Head::Embeddings(name) => (Vec::new(), name),
            Head::Apart(note) => (vec![note], None),
        };
        let embeddings = rows.iter().find_map(|row| row.name_of(EMBEDDINGS)).map(|name| spelling.of(name));
        let (mut again, mut repeated) = (Vec::new(), Vec::new());
        match (head, embeddings) {
            (Some(head), Some(name)) if files.find(&name).is_none() => again.push((name, vec![head], false)),
            (head, _) => repeated.extend(head),
        }
        for Again { name, others, others_first } in M::again(&config) {
            let others = others.iter().map(|other| spelling.of(other));
            let name = spelling.of(name);
            match again.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, known, _)) => known.extend(others),
                None => again.push((name, others.collect(), *others_first)),
            }
        }
        for (name, _) in &mut wanted {
            if let Some((_, others, others_first)) = again.iter().find(|(known, ..)| known == name) {
                let (read, more) = read_as(&files, name, others, *others_first)?;
                *name = read;
                repeated.extend(more);
            }
        }
        if method.is_none() || is_gguf {
            let known = wanted.iter().map(|(name, _)| name).chain(copies.iter().map(|(copy, _)| copy));
            let known = known.chain(&repeated).map(String::as_str).collect();
            if is_gguf {
                gguf::check_biases(&files, &known)?;
            }
            notes.extend(left_over(&files, known, spelling, M::CARRIED));
        }
        notes.extend(ignored);
        let types = wanted.iter().map(|(name, tensor)| {
            let packed = method.as_ref().and_then(|method| method.codes(&files, &Wanted::of(name, tensor)));
            packed.unwrap_or_else(|| (name.clone(), Type::tensor(DType::F32, tensor.dims.iter().copied())))
        });
        LoadReport::new(types, &files).complete()?;
        Ok(Opened {
            folder,
            files,
            config,
            json,
            shapes,
            parameters,
            method,
            wanted,
            spelling,
            copies,
            notes,
        })
    }
}

/// The small files of a model, and its weights: of a folder, or of a GGUF file or a folder with one.
pub(crate) fn open(path: &Path) -> Result<(Folder, Tensors)> {
    if path.join("config.json").is_file() || (path.is_dir() && Tensors::open(path).is_err()) {
        let folder = Folder::open(path)?;
        let tensors = folder.tensors()?;
        return Ok((folder, tensors));
    }
    let tensors = Tensors::open(path)?;
    if tensors.format() != FileFormat::Gguf {
        let error = Error::input(format!("{} are weights without a config.json", path.display()));
        return Err(error.help("give the folder of a model of Hugging Face, or a GGUF file"));
    }
    Ok((gguf::folder(path, &tensors)?, tensors))
}

/// The parameters that are one where a file ties its output layer.
const EMBEDDINGS: &str = "embed.table";
const HEADS: [&str; 2] = ["head.weight", "head.output.weight"];

/// The output layer of files that are said to have the embeddings in its place.
enum Head {
    /// It is the embeddings: the name of the tensor that repeats them, if the files have one.
    Embeddings(Option<String>),
    /// The files have one with other numbers: a sentence on it.
    Apart(String),
}

/// The shape of a model whose files may have an output layer with other numbers than the embeddings, although `json` says that they are one: then `json` says so no
/// longer, as `transformers` keeps both.
fn untied<M: Architecture>(
    json: &mut Value,
    config: M::Config,
    rows: &[Row],
    files: &Tensors,
    method: Option<&dyn packed::Method>,
) -> Result<(M::Config, Head)> {
    const TIED: &str = "tie_word_embeddings";
    let parameters = parameters(&shapes::<M>(&config)?);
    let name = |path: &str| rows.iter().find_map(|row| row.name_of(path));
    let (Some(embeddings), Some(head)) = (name(EMBEDDINGS), HEADS.into_iter().find_map(name)) else {
        return Ok((config, Head::Embeddings(None)));
    };
    let has_head = HEADS.iter().any(|head| parameters.contains_key(*head));
    if has_head || !parameters.contains_key(EMBEDDINGS) {
        return Ok((config, Head::Embeddings(None)));
    }
    let spelling = Spelling::in_file(files, &tensors::<M>(rows, &parameters, &config)?, method);
    let (embeddings, head) = (spelling.of(embeddings), spelling.of(head));
    let (one, other) = match (files.find(&embeddings), files.find(&head)) {
        (Some(one), Some(other)) => (one, other),
        // The output layer is the embeddings' only tensor.
        (None, Some(_)) => return Ok((config, Head::Embeddings(Some(head)))),
        (_, None) => return Ok((config, Head::Embeddings(None))),
    };
    if are_equal(&one, &other)? {
        return Ok((config, Head::Embeddings(Some(head))));
    }
    if let Some(entries) = json.as_object_mut() {
        entries.insert(TIED.to_owned(), false.into());
        if entries.get("model_type").is_some_and(|kind| kind == "t5") {
            // States are scaled before the output layer as they were.
            entries.entry("scale_decoder_outputs").or_insert_with(|| true.into());
        }
    }
    let note = format!(
        "`{TIED}` says that the output layer is the embeddings, but the files have both, and {head} has other numbers than {embeddings}: both are kept"
    );
    Ok((M::config(json)?, Head::Apart(note)))
}

fn are_equal(one: &jarrah_formats::Tensor<'_>, other: &jarrah_formats::Tensor<'_>) -> Result<bool> {
    let alike = one.dims() == other.dims() && one.encoding() == other.encoding();
    Ok(alike && one.literal()?.bytes() == other.literal()?.bytes())
}

/// The tensor of a parameter whose tensor files may have by several names: the name by which it is read, and those by which the files have it again. `others_first`
/// as in [`Again`](crate::architecture::Again).
///
/// # Errors
/// The files have other numbers by another name (`Input`).
fn read_as(
    files: &Tensors,
    name: &str,
    others: &[String],
    others_first: bool,
) -> Result<(String, Vec<String>)> {
    let own = name;
    let there: Vec<&String> = others.iter().filter(|other| files.find(other).is_some()).collect();
    let name = match there.first() {
        Some(first) if others_first || files.find(name).is_none() => first.as_str(),
        _ => name,
    };
    if let Some(one) = files.find(name) {
        for other in there.iter().filter(|other| ***other != name) {
            let tensor = files.find(other);
            if !tensor.map_or(Ok(true), |tensor| are_equal(&one, &tensor))? {
                let error = format!("the files have {name} and {other}, and their numbers differ");
                return Err(
                    Error::input(error).help("one tensor is read for both: give them the same numbers")
                );
            }
        }
    }
    let again = there.into_iter().map(String::as_str).chain([own]).filter(|other| *other != name);
    Ok((name.to_owned(), again.map(str::to_owned).collect()))
}

/// A sentence on the tensors of files that are no parameter of the model, if there are some but those that older files have of tables and masks.
fn left_over(files: &Tensors, known: BTreeSet<&str>, spelling: Spelling, carried: &[&str]) -> Option<String> {
    const TABLES: [&str; 9] = [
        "rotary_emb.inv_freq",
        ".attn.bias",
        ".attn.masked_bias",
        ".attention.bias",
        ".attention.masked_bias",
        "embeddings.position_ids",
        "rope_freqs.weight",
        "rope_factors_short.weight",
        "rope_factors_long.weight",
    ];
    let is_known = |name: &str| {
        known.contains(name)
            || TABLES.iter().chain(carried).any(|end| name.ends_with(end))
            || !spelling.is_own(name)
    };
    let mut left: Vec<&str> = Vec::new();
    let names: Vec<String> = files.iter().map(|tensor| tensor.name().to_owned()).collect();
    left.extend(names.iter().map(String::as_str).filter(|name| !is_known(name)));
    let (first, more) = (left.first()?, left.len() - 1);
    Some(match more {
        0 => format!("the files have a tensor that is no parameter of the model, and is not read: {first}"),
        _ => format!(
            "the files have {} tensors that are no parameters of the model, and are not read: {first} and {more} more",
            more + 1
        ),
    })
}
