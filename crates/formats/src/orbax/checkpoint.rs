use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jarrah_base::Result;
use jarrah_store::{Name, ObjectStore};
use serde_json::Value;

use super::files::Files;
use super::metadata::{TREE, json_file};
use super::packed;
use super::store::Store;
use super::tree::OrbaxTree;
use super::wrong;
use crate::json;

/// The description of a checkpoint.
pub(super) const CHECKPOINT: &str = "_CHECKPOINT_METADATA";
/// The empty file that marks a checkpoint of Orbax's version 1.
pub(super) const MARK: &str = "orbax.checkpoint";
/// The files of an item that is JSON: in version 0 and in version 1.
pub(super) const JSON: [&str; 2] = ["metadata", "data.json"];
/// The item in which a manager of checkpoints has metrics as JSON, and the name of its file.
const METRICS: &str = "metrics";
/// The end of the name of a folder that is being written.
const UNFINISHED: &str = ".orbax-checkpoint-tmp";

/// The kind of an item of a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OrbaxItemKind {
    /// A tree of arrays: see [`OrbaxCheckpoint::tree`].
    Tree,
    /// JSON: see [`OrbaxCheckpoint::json`].
    Json,
    /// Another, such as a protocol buffer or a data iterator, which is not read here.
    Other,
}

/// An item of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrbaxItem {
    /// The name of its folder, such as `state`; empty where the checkpoint's folder is the item's.
    pub name: String,
    /// Its kind.
    pub kind: OrbaxItemKind,
    /// The class in Python that wrote it, where that is known.
    pub handler: Option<String>,
}

/// A checkpoint as Orbax writes it, by version 0 or 1 of its interface: a folder with an item, or with a folder for each item.
///
/// Opening it reads its list of items; [`tree`](Self::tree) reads the description of a tree, a leaf's value is read when that is asked for.
///
/// Source: Orbax's `_src/handlers`, `_src/metadata` and `experimental/v1/_src/layout`, version 0.12.8.
///
/// ```
/// use jarrah_formats::OrbaxCheckpoint;
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/orbax/managed");
/// let checkpoint = OrbaxCheckpoint::open(folder)?;
/// assert_eq!(checkpoint.json("meta")?["step"], 5);
/// let tree = checkpoint.tree("state")?;
/// assert_eq!(tree.get("w")?.to_string(), "w f32[3, 4]");
/// assert_eq!(tree.get("w")?.literal()?.dims(), [3, 4]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Debug)]
pub struct OrbaxCheckpoint {
    files: Files,
    version: u8,
    items: Vec<OrbaxItem>,
    metadata: Value,
}

impl OrbaxCheckpoint {
    /// Whether the folder `path` looks like a checkpoint of Orbax.
    ///
    /// ```
    /// assert!(!jarrah_formats::OrbaxCheckpoint::is_at("/nowhere"));
    /// ```
    pub fn is_at(path: impl AsRef<Path>) -> bool {
        let path = path.as_ref();
        [CHECKPOINT, MARK, TREE].iter().any(|name| path.join(name).is_file())
    }

    /// Reads the list of items in the folder `path`.
    ///
    /// # Errors
    /// It is no folder of a checkpoint, it is being written, or its description is damaged (`Input`).
    pub fn open(path: impl AsRef<Path>) -> Result<OrbaxCheckpoint> {
        let path = path.as_ref();
        let files = Files::local(path)?;
        match path.is_dir() || is_unfinished(&files) {
            true => Self::of(files),
            false => Err(wrong(format!("{} is no folder", path.display()))),
        }
    }

    /// Reads the list of items in a folder of a store. Of an array that is read later, no more bytes are asked for than those of the chunks that a box touches, and of an
    /// uncompressed chunk those of the box. Where the store cannot list, the items are those that `_CHECKPOINT_METADATA` names.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_formats::OrbaxCheckpoint;
    /// use jarrah_store::{LocalStore, Name};
    /// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/orbax");
    /// let store = Arc::new(LocalStore::new(folder)?);
    /// let checkpoint = OrbaxCheckpoint::open_in(store, &Name::new("managed")?)?;
    /// assert_eq!(checkpoint.tree("state")?.get("w")?.region(&[0..3, 1..2])?.dims(), [3, 1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`open`](Self::open); the store cannot be read (`Environment`).
    pub fn open_in(store: Arc<dyn ObjectStore>, folder: &Name) -> Result<OrbaxCheckpoint> {
        Self::of(Files::of(store, folder))
    }

    fn of(files: Files) -> Result<OrbaxCheckpoint> {
        let shown = files.path().display();
        if is_unfinished(&files) {
            return Err(wrong(format!("{shown} is a save that has not ended"))
                .help("restore a checkpoint whose folder was renamed to its step"));
        }
        let is_one = is_checkpoint(&files) || files.has(packed::FILE);
        if !(is_one || files.are_listed() && has_items(&files)?) {
            let error =
                wrong(format!("{shown} is no checkpoint of Orbax: it has no {CHECKPOINT}, {MARK} or {TREE}"));
            let steps = if files.are_listed() { steps(&files)? } else { Vec::new() };
            return Err(match steps.as_slice() {
                [] => error,
                steps => error.help(format!("it has the steps {}: name one of them", steps.join(", "))),
            });
        }
        let metadata = json_file(&files, CHECKPOINT)?.unwrap_or(Value::Null);
        if !metadata.is_null() && !metadata.is_object() {
            let path = files.path().join(CHECKPOINT);
            return Err(wrong(format!("{} is no object of JSON", path.display())));
        }
        let version = u8::from(files.has(MARK));
        let handlers = metadata.get("item_handlers").unwrap_or(&Value::Null);
        let mut items = Vec::new();
        if let Some(kind) = kind_of(&files).filter(|_| version == 0) {
            let handler = handlers.as_str().map(str::to_owned);
            items.push(OrbaxItem { name: String::new(), kind, handler });
        } else {
            let named = || handlers.as_object().map(|of| of.keys().cloned().collect()).unwrap_or_default();
            for name in if files.are_listed() { files.folders()? } else { named() } {
                let handler = handlers.get(&name).and_then(Value::as_str).map(str::to_owned);
                let folder = files.below(&name)?;
                let kind = kind_of(&folder);
                // A random key is an item of two: its words and the name of its generator.
                let parts = if kind.is_none() && files.are_listed() { folder.folders()? } else { Vec::new() };
                let before = items.len();
                for part in parts {
                    if let Some(kind) = kind_of(&folder.below(&part)?) {
                        let handler = handler.clone();
                        items.push(OrbaxItem { name: format!("{name}/{part}"), kind, handler });
                    }
                }
                if items.len() == before {
                    items.push(OrbaxItem { name, kind: kind.unwrap_or(OrbaxItemKind::Other), handler });
                }
            }
        }
        Ok(OrbaxCheckpoint { files, version, items, metadata })
    }

    /// The version of Orbax's interface that wrote the checkpoint: 0 or 1.
    pub fn version(&self) -> u8 {
        self.version
    }

    /// The items.
    pub fn items(&self) -> &[OrbaxItem] {
        &self.items
    }

    /// The content of `_CHECKPOINT_METADATA`: handlers, metrics, times and `custom_metadata`; `null` where there is none.
    pub fn metadata(&self) -> &Value {
        &self.metadata
    }

    /// The tree that the item `name` is. The name may be empty where one item of the checkpoint is a tree.
    ///
    /// # Errors
    /// There is no such item, it is no tree, or its description or the description of an array of it is missing or damaged (`Input`).
    pub fn tree(&self, name: &str) -> Result<OrbaxTree> {
        let folder = self.folder(name, OrbaxItemKind::Tree)?;
        match folder.has(TREE) || folder.has(packed::FILE) || !is_array(&folder) {
            true => OrbaxTree::open(&folder),
            false => OrbaxTree::of_array(&folder),
        }
    }

    /// The JSON that the item `name` is. The name may be empty where one item of the checkpoint is JSON.
    ///
    /// # Errors
    /// There is no such item, or it is not JSON (`Input`).
    pub fn json(&self, name: &str) -> Result<Value> {
        let folder = self.folder(name, OrbaxItemKind::Json)?;
        for file in json_files(&folder) {
            if let Some(value) = json_file(&folder, file)? {
                return Ok(value);
            }
        }
        Err(wrong(format!("{} has neither {} nor {}", folder.path().display(), JSON[0], JSON[1])))
    }

    /// The metrics that the checkpoint was saved with, by name: those of the item `metrics`, which Orbax's manager writes, else those of
    /// [`metadata`](Self::metadata); none where there are neither. Metrics that are no numbers are left out.
    ///
    /// ```
    /// use jarrah_formats::OrbaxCheckpoint;
    /// # let dir = tempfile::tempdir().unwrap();
    /// # let folder = dir.path();
    /// # std::fs::write(folder.join("_CHECKPOINT_METADATA"), r#"{"metrics": {}}"#).unwrap();
    /// # std::fs::create_dir(folder.join("metrics")).unwrap();
    /// # std::fs::write(folder.join("metrics/metrics"), r#"{"loss": 2.0}"#).unwrap();
    /// // `folder` is a step that a manager saved with the metrics {"loss": 2.0}.
    /// assert_eq!(OrbaxCheckpoint::open(folder)?.metrics()?["loss"], 2.0);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The item is damaged (`Input`).
    pub fn metrics(&self) -> Result<BTreeMap<String, f64>> {
        let is_there = self.items.iter().any(|item| item.name == METRICS && item.kind == OrbaxItemKind::Json);
        let value = match is_there {
            true => self.json(METRICS)?,
            false => self.metadata.get(METRICS).cloned().unwrap_or(Value::Null),
        };
        match value {
            Value::Null => Ok(BTreeMap::new()),
            Value::Object(metrics) => Ok(metrics
                .into_iter()
                .filter_map(|(name, value)| number(&value).map(|number| (name, number)))
                .collect()),
            _ => Err(wrong(format!("the metrics of {} are no object of JSON", self.files.path().display()))),
        }
    }

    /// The folder of an item.
    fn folder(&self, name: &str, kind: OrbaxItemKind) -> Result<Files> {
        let folder = |item: &OrbaxItem| match item.name.is_empty() {
            true => Ok(self.files.clone()),
            false => self.files.below(&item.name),
        };
        let named = self.items.iter().find(|item| item.name == name);
        let mut of_kind = self.items.iter().filter(|item| item.kind == kind);
        let only = of_kind.next().filter(|_| name.is_empty() && of_kind.next().is_none());
        match named.or(only) {
            Some(item) if item.kind == kind => folder(item),
            // A tree whose description is lost is not known to be one: its folder says what is missing.
            Some(item) if item.kind == OrbaxItemKind::Other => folder(item),
            Some(item) => Err(wrong(format!("the item {:?} is {:?}, not {kind:?}", item.name, item.kind))),
            None => {
                let names: Vec<&str> = self.items.iter().map(|item| item.name.as_str()).collect();
                Err(wrong(format!("{} has no item {name:?}", self.files.path().display()))
                    .help(format!("it has {}", names.join(", "))))
            }
        }
    }
}

/// The value of a number, also of one that JSON lacks and Python writes, such as `NaN`.
fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.get(json::NUMBER)?.as_str()?.parse().ok())
}

/// The kind of the item in a folder; none where nothing in it says that it is an item.
fn kind_of(folder: &Files) -> Option<OrbaxItemKind> {
    let has = |name: &str| folder.has(name);
    match has(TREE) || has(packed::FILE) || is_array(folder) {
        true => Some(OrbaxItemKind::Tree),
        false => json_files(folder).any(has).then_some(OrbaxItemKind::Json),
    }
}

/// The names that the file of an item that is JSON may have.
fn json_files(folder: &Files) -> impl Iterator<Item = &'static str> + use<> {
    let is_metrics = folder.name().is_some_and(|name| name == METRICS);
    JSON.into_iter().chain(is_metrics.then_some(METRICS))
}

/// Whether a folder has an array called `checkpoint` and nothing that describes a tree.
fn is_array(folder: &Files) -> bool {
    let has = |key: &str| matches!(Store::open(folder).and_then(|store| store.get(key)), Ok(Some(_)));
    has("checkpoint/.zarray") || has("checkpoint/zarr.json")
}

/// Whether a folder has the name of one that is being written.
fn is_unfinished(folder: &Files) -> bool {
    folder.name().is_some_and(|name| name.contains(UNFINISHED))
}

/// Whether a folder looks like a checkpoint.
fn is_checkpoint(folder: &Files) -> bool {
    [CHECKPOINT, MARK, TREE].iter().any(|name| folder.has(name))
}

/// Whether a folder without a description has items, as checkpoints before Orbax 0.6 are.
fn has_items(folder: &Files) -> Result<bool> {
    let is_step = |name: &String| name.bytes().all(|b| b.is_ascii_digit());
    let names = folder.folders()?;
    if names.iter().any(is_step) {
        return Ok(false);
    }
    for name in names {
        if kind_of(&folder.below(&name)?).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The names of the folders of steps that a manager of checkpoints wrote into a folder.
fn steps(folder: &Files) -> Result<Vec<String>> {
    let mut steps = folder.folders()?;
    steps.retain(|name| folder.below(name).is_ok_and(|step| is_checkpoint(&step)));
    Ok(steps)
}
