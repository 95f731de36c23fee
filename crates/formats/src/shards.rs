//! Weights in several files, with an index that says which tensor lies in which.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, MappedFile, Result, files};
use serde_json::Value;

use crate::distcp;
use crate::file::is_name_in_folder;
use crate::json;
use crate::safetensors::{bytes_of, check_names, save_file};
use crate::tensor::Tensor;
use crate::tensors::Tensors;

/// The names of files of weights in folders, in the order in which they are looked for: indexes first.
const INDEXES: [&str; 2] = ["model.safetensors.index.json", "pytorch_model.bin.index.json"];
const FILES: [&str; 4] =
    ["model.safetensors", "adapter_model.safetensors", "pytorch_model.bin", "adapter_model.bin"];
const EXTENSIONS: [&str; 4] = ["safetensors", "gguf", "pth", "pt"];
const INDEX: &str = INDEXES[0];

/// How [`save`] divides tensors among files.
#[derive(Clone, Debug)]
pub struct SaveOptions {
    /// The most bytes of tensors in a file, where one tensor does not take more by itself.
    pub shard_bytes: u64,
    /// Texts beside the tensors of each file.
    pub metadata: BTreeMap<String, String>,
}

/// Files of five gigabytes, with the text that other readers expect.
impl Default for SaveOptions {
    fn default() -> Self {
        SaveOptions { shard_bytes: 5_000_000_000, metadata: [("format".to_owned(), "pt".to_owned())].into() }
    }
}

/// Writes tensors as the weights of a folder: `model.safetensors`, or, where they take more than a shard,
/// `model-00001-of-00003.safetensors` and so on with `model.safetensors.index.json`. A shard is filled in the order in which
/// the tensors come. Weights in safetensors files that were in the folder before are removed once the new ones are whole.
///
/// Gives the names of the files of tensors.
///
/// # Errors
/// As [`save_file`].
pub fn save(folder: impl AsRef<Path>, tensors: &[Tensor<'_>], options: &SaveOptions) -> Result<Vec<String>> {
    let folder = folder.as_ref();
    check_names(tensors)?;
    let mut shards: Vec<Vec<Tensor<'_>>> = vec![Vec::new()];
    let (mut filled, mut total) = (0u64, 0u64);
    for tensor in tensors {
        let bytes = bytes_of(tensor)? as u64;
        total += bytes;
        let last = shards.last_mut().expect("invariant: there is a first shard");
        if last.is_empty() || filled.saturating_add(bytes) <= options.shard_bytes {
            filled += bytes;
            last.push(tensor.clone());
        } else {
            filled = bytes;
            shards.push(vec![tensor.clone()]);
        }
    }
    fs::create_dir_all(folder).map_err(|e| Error::io("create", folder, &e))?;
    let mut names = Vec::new();
    let mut places = BTreeMap::new();
    for (i, shard) in shards.iter().enumerate() {
        let name = match shards.len() {
            1 => FILES[0].to_owned(),
            count => format!("model-{:05}-of-{count:05}.safetensors", i + 1),
        };
        save_file(&folder.join(&name), shard, &options.metadata)?;
        places.extend(shard.iter().map(|tensor| (tensor.name().to_owned(), name.clone())));
        names.push(name);
    }
    if names.len() > 1 {
        let index = serde_json::json!({"metadata": {"total_size": total}, "weight_map": places});
        let text = serde_json::to_string_pretty(&index)
            .map_err(|e| Error::internal(format!("the index cannot be written: {e}")))?;
        files::replace(&folder.join(INDEX), format!("{text}\n").as_bytes())?;
    }
    remove_others(folder, &names)?;
    Ok(names)
}

/// Removes the weights of a folder that are not among `names`.
fn remove_others(folder: &Path, names: &[String]) -> Result<()> {
    for name in names_in(folder)? {
        let shard = part(&name, ".safetensors").is_some_and(|(stem, ..)| stem == "model");
        let ours = shard || name == FILES[0] || name == INDEX;
        let kept = names.contains(&name) || (name == INDEX && names.len() > 1);
        if ours && !kept {
            let path = folder.join(name);
            fs::remove_file(&path).map_err(|e| Error::io("remove", &path, &e))?;
        }
    }
    Ok(())
}

/// The stem, the number of the part and the number of parts in a name such as `model-00002-of-00003.gguf`.
fn part<'a>(name: &'a str, ending: &str) -> Option<(&'a str, usize, usize)> {
    let (rest, count) = name.strip_suffix(ending)?.rsplit_once("-of-")?;
    let (stem, at) = rest.rsplit_once('-')?;
    let number = |text: &str| (text.len() == 5).then(|| text.parse().ok()).flatten();
    Some((stem, number(at)?, number(count)?))
}

/// Whether these files, in the order of their names, are all the parts of one.
fn are_parts(paths: &[PathBuf]) -> bool {
    let parts = |path: &PathBuf| {
        part(path.file_name()?.to_str()?, ".gguf").map(|(stem, at, of)| (stem.to_owned(), at, of))
    };
    let first = parts(&paths[0]);
    first.is_some_and(|(stem, _, count)| {
        count == paths.len()
            && paths.iter().zip(1..).all(|(path, at)| parts(path) == Some((stem.clone(), at, count)))
    })
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|e| e == extension)
}

/// The names of a folder's entries, sorted.
fn names_in(folder: &Path) -> Result<Vec<String>> {
    let failed = |e: std::io::Error| Error::io("read", folder, &e);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.extend(entry.map_err(failed)?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

impl Tensors {
    /// The tensors of the file or folder `path`.
    ///
    /// # Errors
    /// The file is missing, no file of tensors, cut short or contradicts itself; the folder has no weights, or its index
    /// names files and tensors that are not there (`Input`, naming the file).
    pub fn open(path: impl AsRef<Path>) -> Result<Tensors> {
        let path = path.as_ref();
        if path.is_dir() { open(path) } else { Tensors::of_files(&[path.to_owned()]) }
    }

    /// The tensors of the folder `path`, or none where it has no file of weights.
    ///
    /// # Errors
    /// As [`open`](Self::open), of files that are there.
    pub fn find_in(path: impl AsRef<Path>) -> Result<Option<Tensors>> {
        find(path.as_ref())
    }
}

/// The weights of a folder.
fn open(folder: &Path) -> Result<Tensors> {
    find(folder)?.ok_or_else(|| {
        Error::input(format!("{} has no weights", folder.display())).help(format!(
            "weights are looked for as {}, {}, one *.gguf, or .metadata beside *.distcp",
            INDEXES.join(", "),
            FILES.join(", ")
        ))
    })
}

/// The weights of a folder, if it has some.
fn find(folder: &Path) -> Result<Option<Tensors>> {
    let names = names_in(folder)?;
    let there = |name: &&str| names.iter().any(|n| n == name);
    let first_of = |list: &[&'static str]| list.iter().copied().find(there);
    // Safetensors before pickles, an index before a file.
    for (index, file) in [(INDEXES[0], &FILES[..2]), (INDEXES[1], &FILES[2..])] {
        if there(&index) {
            return indexed(folder, index).map(Some);
        }
        if let Some(name) = first_of(file) {
            return Tensors::of_files(&[folder.join(name)]).map(Some);
        }
    }
    if names.iter().any(|name| has_extension(name, distcp::EXTENSION)) {
        if there(&distcp::METADATA) {
            return distcp::open(folder).map(Some);
        }
        let shown = folder.display();
        return Err(Error::input(format!(
            "{shown} has files of a distributed checkpoint of PyTorch and no {}",
            distcp::METADATA
        ))
        .help("this file is written last: the save has not ended, or the file was not copied"));
    }
    for extension in EXTENSIONS {
        let found: Vec<PathBuf> = names
            .iter()
            .filter(|name| has_extension(name, extension))
            .map(|name| folder.join(name))
            .collect();
        match &found[..] {
            [] => {}
            [one] => return Tensors::of_files(std::slice::from_ref(one)).map(Some),
            all if extension == "gguf" && are_parts(all) => return Tensors::of_files(all).map(Some),
            [first, second, ..] => {
                let shown = folder.display();
                return Err(Error::input(format!(
                    "{shown} has {} .{extension} files and no index",
                    found.len()
                ))
                .help(format!(
                    "name one of them, {} or {} ...",
                    first.display(),
                    second.display()
                )));
            }
        }
    }
    Ok(None)
}

/// The weights that the index `name` lists: every tensor has to be in the file that the index says, and none besides.
fn indexed(folder: &Path, name: &str) -> Result<Tensors> {
    let path = folder.join(name);
    let wrong = |message: String| Error::input(format!("{} {message}", path.display()));
    let text = MappedFile::open(&path)?;
    let index: Value = json::value(&text).map_err(|e| wrong(format!("is not JSON: {e}")))?;
    let Some(map) = index["weight_map"].as_object() else {
        return Err(wrong("is no index of tensors: it has no `weight_map`".to_owned()));
    };
    let mut shards = BTreeSet::new();
    for (tensor, file) in map {
        let file = file.as_str().ok_or_else(|| wrong(format!("names no file for {tensor}")))?;
        // A file of another folder is nothing that an index may ask for.
        if !is_name_in_folder(file) {
            return Err(wrong(format!(
                "puts {tensor} into {file:?}, which is no name of a file of the folder"
            )));
        }
        shards.insert(file);
    }
    if let Some(missing) = shards.iter().find(|file| !folder.join(file).is_file()) {
        let count = map.values().filter(|file| file.as_str() == Some(missing)).count();
        return Err(wrong(format!("puts {count} tensors into {missing}, which is not there"))
            .help("copy the missing file into the folder"));
    }
    let paths: Vec<PathBuf> = shards.iter().map(|file| folder.join(file)).collect();
    let tensors = Tensors::of_files(&paths)?;
    for (tensor, file) in map {
        let file = file.as_str().unwrap_or_default();
        match tensors.file_of(tensor) {
            Some(found) if found == file => {}
            Some(found) => return Err(wrong(format!("puts {tensor} into {file}, but it is in {found}"))),
            None => return Err(wrong(format!("puts {tensor} into {file}, which has no such tensor"))),
        }
    }
    if let Some(extra) = tensors.iter().find(|tensor| !map.contains_key(tensor.name())) {
        let file = tensors.file_of(extra.name()).unwrap_or_default();
        return Err(wrong(format!("does not list {}, which is in {file}", extra.name())));
    }
    Ok(tensors)
}
