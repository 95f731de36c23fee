//! Folders of Hugging Face: those that `save_to_disk` writes, and copies of repositories of the hub.

mod configs;
mod patterns;

use std::fs;
use std::path::{Component, Path, PathBuf};

use jarrah_base::{Error, Result};
use serde_json::Value;

use crate::discover;

const DICT: &str = "dataset_dict.json";
const STATE: &str = "state.json";

/// A folder of a data set of Hugging Face: one that `Dataset.save_to_disk` or `DatasetDict.save_to_disk` has written, or a copy of a repository of the hub.
///
/// The files of a repository are those of its commonest format among Parquet, Arrow, JSON Lines, CSV, text and WebDataset. They are of the splits that `configs` at the
/// head of its `README.md` says, or else of those that the names of files (`data/train-00000-of-00002.parquet`, `test.jsonl`) or folders (`validation/...`) tell; a file whose
/// name tells none is of `train`. Splits of another than the default configuration are named as `configuration/train`.
///
/// ```
/// use jarrah_data::{HuggingFaceFolder, IterDataset, OnDamage};
/// # let folder = std::env::temp_dir().join(format!("hub-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// std::fs::write(folder.join("train.jsonl"), "{\"text\": \"so it goes\"}\n").unwrap();
/// let data_set = HuggingFaceFolder::open(&folder)?;
/// assert_eq!(data_set.splits(), ["train"]);
/// assert_eq!(IterDataset::records(data_set.records("train", OnDamage::Fail)?).iter()?.count(), 1);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// Source: `datasets.load_from_disk`, `datasets.load_dataset`.
pub struct HuggingFaceFolder {
    folder: PathBuf,
    splits: Vec<(String, Vec<PathBuf>)>,
}

/// The endings of files of records, with the names of their formats.
const ENDINGS: [(&str, &str); 9] = [
    ("parquet", "parquet"),
    ("arrow", "arrow"),
    ("jsonl", "jsonl"),
    ("ndjson", "jsonl"),
    ("json", "jsonl"),
    ("csv", "csv"),
    ("tsv", "csv"),
    ("txt", "text"),
    ("tar", "web_dataset"),
];

/// The name of a file's format, by its ending.
pub(crate) fn format_of(path: &Path) -> Option<&'static str> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let plain = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    let end = plain.rsplit_once('.')?.1;
    ENDINGS.iter().find(|(ending, _)| *ending == end).map(|(_, format)| *format)
}

/// The files of a folder that may hold records, as paths below it, by name.
fn data_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    discover::walk(folder, &mut files)?;
    let ignored = ["config.json", "dataset_info.json", "dataset_infos.json", DICT, STATE];
    files.retain(|path| {
        let is_ignored = path.file_name().is_some_and(|name| ignored.iter().any(|other| name == *other));
        !is_ignored && !discover::is_note(path) && format_of(path).is_some()
    });
    Ok(files.iter().filter_map(|path| Some(path.strip_prefix(folder).ok()?.to_owned())).collect())
}

/// The format that most files have, the first one of several.
fn commonest(files: &[PathBuf]) -> Option<&'static str> {
    let count = |format: &str| files.iter().filter(|path| format_of(path) == Some(format)).count();
    // Of equal ones, the last of the reversed order is the first.
    files.iter().rev().filter_map(|path| format_of(path)).max_by_key(|format| count(format))
}

fn read_json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).map_err(|e| Error::io("read", path, &e))?;
    serde_json::from_str(&text).map_err(|e| Error::input(format!("{} is not JSON: {e}", path.display())))
}

/// The path of a name below a folder.
fn below(folder: &Path, name: &str, of: &Path) -> Result<PathBuf> {
    let is_below =
        !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    match is_below {
        true => Ok(folder.join(name)),
        false => Err(Error::input(format!("{}: {name:?} is no path below the folder", of.display()))),
    }
}

/// The files of a folder of `Dataset.save_to_disk`, and the name of its split.
fn saved(folder: &Path) -> Result<(String, Vec<PathBuf>)> {
    let path = folder.join(STATE);
    let state = read_json(&path)?;
    let files = state["_data_files"].as_array().into_iter().flatten();
    let names: Option<Vec<&str>> = files.map(|file| file["filename"].as_str()).collect();
    let names = names.ok_or_else(|| Error::input(format!("{}: a file has no name", path.display())))?;
    if state.get("_indices_data_files").and_then(Value::as_array).is_some_and(|files| !files.is_empty()) {
        return Err(Error::input(format!(
            "{}: rows that are chosen by a file of indices are not read",
            path.display()
        ))
        .help("save the data set after `flatten_indices`"));
    }
    let paths = names.into_iter().map(|name| below(folder, name, &path)).collect::<Result<_>>()?;
    Ok((state["_split"].as_str().unwrap_or("train").to_owned(), paths))
}

impl HuggingFaceFolder {
    /// Whether a folder has records of the kind: files of `save_to_disk`, or more files of records than images.
    pub fn is_one(folder: impl AsRef<Path>) -> bool {
        let folder = folder.as_ref();
        if folder.join(DICT).is_file() || folder.join(STATE).is_file() {
            return true;
        }
        let mut files = Vec::new();
        let is_image = |path: &&PathBuf| {
            let end = path.extension().and_then(|end| end.to_str()).map(str::to_ascii_lowercase);
            matches!(end.as_deref(), Some("png" | "jpg" | "jpeg"))
        };
        discover::walk(folder, &mut files).is_ok()
            && data_files(folder).is_ok_and(|found| found.len() > files.iter().filter(is_image).count())
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// The folder cannot be read or has no files of records, or its description is damaged (`Input`).
    pub fn open(folder: impl AsRef<Path>) -> Result<Self> {
        let folder = folder.as_ref().to_owned();
        let dict = folder.join(DICT);
        if dict.is_file() {
            let mut splits = Vec::new();
            let dict_value = read_json(&dict)?;
            for name in dict_value["splits"].as_array().into_iter().flatten() {
                let name = name.as_str().unwrap_or_default();
                splits.push((name.to_owned(), saved(&below(&folder, name, &dict)?)?.1));
            }
            return Ok(HuggingFaceFolder { folder, splits });
        }
        if folder.join(STATE).is_file() {
            let splits = vec![saved(&folder)?];
            return Ok(HuggingFaceFolder { folder, splits });
        }
        let mut files = data_files(&folder)?;
        let readme = folder.join("README.md");
        let text = match readme.is_file() {
            true => fs::read_to_string(&readme).map_err(|e| Error::io("read", &readme, &e))?,
            false => String::new(),
        };
        let configs =
            configs::parse(&text).map_err(|e| e.context(format!("while {} was read", readme.display())))?;
        let splits = match configs.is_empty() {
            false => configs::splits(&configs, &files)?,
            true => {
                let Some(format) = commonest(&files) else {
                    return Err(Error::input(format!(
                        "there are no files of records in the folder {}",
                        folder.display()
                    ))
                    .help("read are folders of Parquet, Arrow, JSON Lines, CSV, text and tar files"));
                };
                files.retain(|path| format_of(path) == Some(format));
                patterns::splits(&files)
            }
        };
        let whole = |(name, files): (String, Vec<PathBuf>)| {
            (name, files.into_iter().map(|path| folder.join(path)).collect())
        };
        let splits = splits.into_iter().map(whole).collect();
        Ok(HuggingFaceFolder { folder, splits })
    }

    /// The names of the splits.
    pub fn splits(&self) -> Vec<&str> {
        self.splits.iter().map(|(name, _)| &**name).collect()
    }

    /// The files of a split, in order.
    ///
    /// # Errors
    /// There is no such split (`Input`).
    pub fn files(&self, split: &str) -> Result<&[PathBuf]> {
        let found = self.splits.iter().find(|(name, _)| name == split);
        found.map(|(_, files)| &files[..]).ok_or_else(|| {
            Error::input(format!("there is no split `{split}` in the folder {}", self.folder.display()))
                .help(format!("the splits are {}", self.splits().join(", ")))
        })
    }

    /// A shard of a split that is missing, where others tell of it.
    pub(crate) fn missing_shard(&self, split: &str) -> Result<Option<PathBuf>> {
        Ok(patterns::missing_shard(self.files(split)?))
    }
}
