use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result, files};
use serde_json::Value;

use crate::json;
use crate::shards::{SaveOptions, save};
use crate::tensor::Tensor;
use crate::tensors::Tensors;
use crate::tokenizers::{MORE_TEMPLATES, is_of_tokenizer};

const CONFIG: &str = "config.json";
const GENERATION: &str = "generation_config.json";
/// The files beside the weights, and beside those of the tokenizer, that make a model's folder.
const FILES: [&str; 6] =
    [CONFIG, GENERATION, "preprocessor_config.json", "processor_config.json", "README.md", "LICENSE"];
/// The largest file that is read as a configuration or tokenizer, in bytes.
const LARGEST: u64 = 1 << 28;

/// A model's folder as Hugging Face has it: `config.json`, `generation_config.json`, the files of the tokenizer and of chat
/// templates, and weights. The files are kept as they are, and written as they were.
///
/// ```
/// use jarrah_base::Literal;
/// use jarrah_formats::{Folder, SaveOptions, Tensor};
/// # let dir = tempfile::tempdir().unwrap();
/// # let (from, to) = (dir.path().join("from"), dir.path().join("to"));
/// # std::fs::create_dir(&from).unwrap();
/// std::fs::write(from.join("config.json"), "{\"model_type\":  \"llama\"}").unwrap();
/// let folder = Folder::open(&from)?;
/// assert_eq!(folder.config()["model_type"], "llama");
/// let weight = Literal::scalar(1f32);
/// folder.write(&to, &[Tensor::of("w", &weight)], &SaveOptions::default())?;
/// assert_eq!(std::fs::read(to.join("config.json")).unwrap(), b"{\"model_type\":  \"llama\"}");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    files: BTreeMap<String, Vec<u8>>,
    config: Value,
    generation: Option<Value>,
}

impl Folder {
    /// Reads the small files of the folder `path`. Its weights stay where they are: see [`tensors`](Self::tensors).
    ///
    /// # Errors
    /// There is no `config.json`, a configuration is no JSON object, or a file is too large for what it is (`Input`).
    pub fn open(path: impl Into<PathBuf>) -> Result<Folder> {
        let path = path.into();
        let files = Folder::read(&path)?;
        Folder::of(path, files)
    }

    /// The small files of the folder `path`, such as those of a tokenizer, with this `config.json`.
    ///
    /// # Errors
    /// `config` is no JSON object, or a file is too large for its purpose (`Input`).
    pub fn with_config(path: impl Into<PathBuf>, config: &Value) -> Result<Folder> {
        let path = path.into();
        let mut files = Folder::read(&path)?;
        files.insert(CONFIG.to_owned(), text_of(config));
        Folder::of(path, files)
    }

    fn read(path: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
        let failed = |e: std::io::Error| Error::io("read", path, &e);
        let mut names: Vec<String> = FILES.map(String::from).into();
        for (folder, prefix) in
            [(path.to_owned(), String::new()), (path.join(MORE_TEMPLATES), format!("{MORE_TEMPLATES}/"))]
        {
            if !prefix.is_empty() && !folder.is_dir() {
                continue;
            }
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let Ok(name) = entry.map_err(failed)?.file_name().into_string() else { continue };
                let taken = match prefix.is_empty() {
                    true => is_of_tokenizer(&name),
                    false => name.ends_with(".jinja"),
                };
                names.extend(taken.then(|| format!("{prefix}{name}")));
            }
        }
        let mut files = BTreeMap::new();
        for name in names {
            let file = path.join(&name);
            let Ok(about) = fs::metadata(&file) else { continue };
            if about.len() > LARGEST || !about.is_file() {
                return Err(Error::input(format!("{} has {} bytes", file.display(), about.len()))
                    .help(format!("a file of configuration has at most {LARGEST}")));
            }
            files.insert(name, fs::read(&file).map_err(|e| Error::io("read", &file, &e))?);
        }
        Ok(files)
    }

    /// A folder of these files beside the weights, which are at `path`: for a file of another kind whose content is given as a
    /// folder's.
    ///
    /// # Errors
    /// There is no `config.json`, or a configuration is no JSON object (`Input`).
    pub fn of(path: impl Into<PathBuf>, files: BTreeMap<String, Vec<u8>>) -> Result<Folder> {
        let path = path.into();
        let parsed = |name: &str| files.get(name).map(|text| object(text, &path.join(name))).transpose();
        let config = parsed(CONFIG)?.ok_or_else(|| {
            Error::input(format!("{} has no {CONFIG}", path.display())).help(
                match path.join("checkpoints").is_dir() {
                    true => format!(
                        "it is a run: `jarrah model convert {0} FOLDER` makes a model's folder of it",
                        path.display()
                    ),
                    false => {
                        "a model's folder of Hugging Face has one: give the folder, not a file of weights"
                            .to_owned()
                    }
                },
            )
        })?;
        let generation = parsed(GENERATION)?;
        Ok(Folder { path, files, config, generation })
    }

    /// The content of `generation_config.json` in the folder `path`, if there is such a file.
    ///
    /// # Errors
    /// It is no JSON object (`Input`).
    pub fn generation_in(path: impl AsRef<Path>) -> Result<Option<Value>> {
        let path = path.as_ref();
        let file = path.join(GENERATION);
        let text = fs::read(&file).ok();
        text.map(|text| object(&text, &file)).transpose()
    }

    /// The content of `config.json`.
    pub fn config(&self) -> &Value {
        &self.config
    }

    /// The content of `generation_config.json`: how to sample, if the folder has such a file.
    pub fn generation_config(&self) -> Option<&Value> {
        self.generation.as_ref()
    }

    /// A file of the folder, such as `tokenizer.json`, as it is.
    pub fn file(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// The names of the files beside the weights.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// The weights.
    ///
    /// # Errors
    /// As [`Tensors::open`].
    pub fn tensors(&self) -> Result<Tensors> {
        Tensors::open(&self.path)
    }

    /// Replaces `config.json`, for a model whose weights were changed, such as their type.
    ///
    /// # Errors
    /// `config` is no JSON object (`Input`).
    pub fn set_config(&mut self, config: Value) -> Result<()> {
        let text = text_of(&config);
        self.config = object(&text, Path::new(CONFIG))?;
        self.files.insert(CONFIG.to_owned(), text);
        Ok(())
    }

    /// Writes the folder `path`: these weights, by [`save`], and every other file as it was read.
    ///
    /// # Errors
    /// As [`save`].
    pub fn write(
        &self,
        path: impl AsRef<Path>,
        tensors: &[Tensor<'_>],
        options: &SaveOptions,
    ) -> Result<Vec<String>> {
        let path = path.as_ref();
        let names = save(path, tensors, options)?;
        for (name, content) in &self.files {
            let file = path.join(name);
            if let Some(folder) = file.parent() {
                fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, &e))?;
            }
            files::replace(&file, content)?;
        }
        Ok(names)
    }
}

/// A configuration as it is written.
fn text_of(config: &Value) -> Vec<u8> {
    json::python_unmarked(&format!("{config:#}\n")).into_owned().into_bytes()
}

/// The JSON object of a file.
pub(crate) fn object(text: &[u8], path: &Path) -> Result<Value> {
    let shown = path.display();
    let value: Value = json::value(text).map_err(|e| Error::input(format!("{shown} is not JSON: {e}")))?;
    match value.is_object() {
        true => Ok(value),
        false => Err(Error::input(format!("{shown} is no object of JSON"))),
    }
}
