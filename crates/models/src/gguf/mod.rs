//! Decoders in GGUF, the files of llama.cpp: what a family is called there, field by field and tensor by tensor.
//!
//! A file is read as a folder of Hugging Face with the same content would be: its fields become a `config.json` and the files of a tokenizer. An
//! architecture is a [`Form`], a row of data.

mod fields;
mod names;
mod rope;
mod tokenizer;

use std::collections::BTreeSet;
use std::path::Path;

use jarrah_array::{Error, Result};
use jarrah_formats::{Folder, GgufFields, GgufStore, Tensor, Tensors, save_gguf};
use serde_json::Value;

use crate::family::{Row, rows};
use crate::{DecoderConfig, ModelFamily, Pretrained};

/// An architecture of llama.cpp.
struct Form {
    /// The name in `general.architecture`.
    architecture: &'static str,
    /// The family that its files are read as, then others that are written so.
    families: &'static [&'static str],
    names: &'static [&'static [Row]],
}

const FORMS: &[Form] = &[
    form("llama", &["llama", "mistral"], &[names::COMMON, names::LLAMA]),
    form("llama", &["mixtral"], &[names::COMMON, names::LLAMA, names::EXPERTS]),
    form("qwen2", &["qwen2"], &[names::COMMON]),
    form("qwen2moe", &["qwen2_moe"], &[names::COMMON, names::EXPERTS]),
    form("qwen3", &["qwen3"], &[names::COMMON]),
    form("qwen3moe", &["qwen3_moe"], &[names::COMMON, names::EXPERTS]),
    form("gemma", &["gemma"], &[names::COMMON, names::GEMMA]),
    form("gemma2", &["gemma2"], &[names::COMMON, names::GEMMA]),
    form("gemma3", &["gemma3_text"], &[names::COMMON, names::GEMMA]),
    form("phi3", &["phi3"], &[names::COMMON, names::PHI3]),
    form("gpt2", &["gpt2"], &[names::COMMON, names::GPT2]),
];

const fn form(
    architecture: &'static str,
    families: &'static [&'static str],
    names: &'static [&'static [Row]],
) -> Form {
    Form { architecture, families, names }
}

fn known() -> String {
    let mut names: Vec<&str> = FORMS.iter().map(|form| form.architecture).collect();
    names.dedup();
    names.join(", ")
}

impl Form {
    /// The form of the family that a `config.json` names.
    fn of(json: &Value) -> Result<&'static Form> {
        let family = ModelFamily::of(json)?.model_type();
        FORMS.iter().find(|form| form.families.contains(&family)).ok_or_else(|| {
            let error = Error::input(format!("models of the family {family} have no form in GGUF here"));
            error.help(format!("known are {}", known()))
        })
    }

    /// The form of a file.
    fn in_file(fields: &GgufFields) -> Result<&'static Form> {
        let name = fields.get("general.architecture").and_then(|field| field.as_str()).unwrap_or("nothing");
        let experts = fields.get(&format!("{name}.expert_count")).and_then(|field| field.as_usize());
        let mixture = experts.is_some_and(|count| count > 0);
        let fits = |form: &&Form| {
            form.architecture == name && (name != "llama" || mixture == form.families.contains(&"mixtral"))
        };
        FORMS.iter().find(fits).ok_or_else(|| {
            let error = Error::input(format!("the file has a model of the architecture {name}"));
            error.help(format!("known are {}", known()))
        })
    }
}

/// The rows of the names that the tensors of a family have in GGUF.
pub(crate) fn names_of(json: &Value) -> Result<Vec<Row>> {
    Ok(rows(Form::of(json)?.names))
}

/// Sentences on the fields of a file's architecture that nothing here looks at, and on a tokenizer of a kind that is not known here.
pub(crate) fn ignored(fields: &GgufFields) -> Vec<String> {
    let Ok(form) = Form::in_file(fields) else { return Vec::new() };
    let unread: Vec<&str> = fields::unread(form, fields).collect();
    let unread = match unread[..] {
        [] => None,
        [first] => Some(format!("the field {first} of the file is not read")),
        _ => Some(format!("the fields {} of the file are not read", unread.join(", "))),
    };
    unread.into_iter().chain(tokenizer::unread(fields)).collect()
}

/// Checks that all biases of a file are among the `known` tensors.
///
/// # Errors
/// The model has no parameter for a bias (`Input`).
pub(crate) fn check_biases(tensors: &Tensors, known: &BTreeSet<&str>) -> Result<()> {
    let names = tensors.iter().map(|tensor| tensor.name().to_owned());
    match names.filter(|name| name.ends_with(".bias") && !known.contains(name.as_str())).min() {
        None => Ok(()),
        Some(name) => {
            let error =
                Error::input(format!("the file has the bias {name}, which the model has no place for"));
            Err(error.help("biases are on the same maps of all layers here: on q, k and v, or on all maps of attention, or of the MLP"))
        }
    }
}

/// The content of a GGUF file as the small files of a folder.
pub(crate) fn folder(path: &Path, tensors: &Tensors) -> Result<Folder> {
    let form = Form::in_file(tensors.fields())?;
    let json = fields::json(form, tensors)?;
    let mut files = tokenizer::files(tensors.fields())?;
    let text = serde_json::to_vec_pretty(&json).map_err(|error| Error::internal(error.to_string()))?;
    files.insert("config.json".to_owned(), text);
    Folder::of(path, files)
}

impl Pretrained {
    /// Writes the model as a GGUF file, with llama.cpp's names of tensors and fields, and the tokenizer of its folder where that is a byte-level BPE or
    /// a SentencePiece model. Returns sentences on what the file cannot say of the folder's tokenizer.
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_formats::{GgufStore, Tensors};
    /// use jarrah_models::Pretrained;
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let file = dir.path().join("model.gguf");
    /// let model = Pretrained::random(Pretrained::preset("test-llama")?, &Key::new(0))?;
    /// model.save_gguf(&file, GgufStore::F16)?;
    /// assert!(Tensors::open(&file)?.find("blk.0.attn_q.weight").is_some());
    /// assert_eq!(Pretrained::load(&file, None)?.config.layers.len(), model.config.layers.len());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// GGUF has no form for the family, or none for something in its `config.json`; or as [`tensors`](Self::tensors).
    pub fn save_gguf(&self, path: impl AsRef<Path>, store: GgufStore) -> Result<Vec<String>> {
        let form = Form::of(&self.json)?;
        let mut fields = fields::of(form, &self.json, &self.config, store)?;
        let extra = rope::factors(form.architecture, &self.json, &self.config)?;
        fields::check(form, &self.config, &fields, &extra)?;
        let lost = match &self.folder {
            Some(folder) => tokenizer::add(&mut fields, folder, self.config.vocabulary)?,
            None => Vec::new(),
        };
        let made = self.tensors_by(&names_of(&self.json)?, false)?;
        let all = made.iter().chain(&extra).map(|(name, value)| Tensor::of(name.as_str(), value));
        let all: Vec<Tensor<'_>> = all.collect();
        save_gguf(path, &fields, &all, store)?;
        let said = |end: &u32| format!("the file has no field for the token {end}, which ends texts too");
        Ok(lost.iter().map(said).collect())
    }
}

/// The shape of the model that the entries of a file describe.
fn read(json: &Value) -> Result<DecoderConfig> {
    ModelFamily::of(json)?.config(json)
}
