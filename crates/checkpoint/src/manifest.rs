//! The manifest: what is in a checkpoint, and the checksums that prove it.
//!
//! The last field is the checksum of the manifest itself: blake3 of the file's bytes with its own 64 digits read as
//! `0`. All versions of the format have the field `version` and this ending, so that an old program can tell a newer
//! checkpoint from a damaged one.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jarrah_base::{DType, Error, Result, Type};
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::items::CheckpointItem;
use crate::layout::orbax::{STATE, process_file};
use crate::snapshot::SnapshotState;
use crate::tensor::Grid;

/// The newest version of the format that this program reads.
pub const VERSION: u64 = 4;
/// The version that it writes, unless a checkpoint has items that only the newest one has.
pub const COMMON_VERSION: u64 = 3;
const FORMAT: &str = "jarrah-checkpoint";
const BEFORE_CHECKSUM: &str = "\"checksum\": \"";
const AFTER_CHECKSUM: &str = "\"\n}\n";
const DIGITS: usize = 64;

/// The part of a manifest that all versions have.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub step: u64,
    /// The time of the save, in nanoseconds since 1970; none of versions that had none.
    pub nanos: Option<u64>,
    pub items: Vec<ItemRecord>,
    pub tensors: Vec<TensorRecord>,
    pub state: SnapshotState,
}

impl Content {
    /// The time of the save.
    pub fn time(&self) -> Option<SystemTime> {
        self.nanos.map(|nanos| UNIX_EPOCH + Duration::from_nanos(nanos))
    }
}

/// One item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemRecord {
    pub name: String,
    pub is_json: bool,
    /// How many processes have JSON of their own, if the item is such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<usize>,
}

impl ItemRecord {
    /// The record of an item that so many processes have saved.
    pub fn new(name: &str, item: &CheckpointItem, count: usize) -> ItemRecord {
        let is_of_process = matches!(item, CheckpointItem::ProcessJson(_));
        ItemRecord {
            name: name.to_owned(),
            is_json: !matches!(item, CheckpointItem::Tree(_)),
            processes: is_of_process.then_some(count),
        }
    }

    /// The files of an item that is JSON.
    pub fn json_files(&self) -> Vec<String> {
        match self.processes {
            Some(count) => (0..count).map(|process| process_file(&self.name, process, count)).collect(),
            None if self.is_json => vec![format!("{}/metadata", self.name)],
            None => Vec::new(),
        }
    }

    /// The items of versions that had but one.
    pub fn state() -> Vec<ItemRecord> {
        vec![ItemRecord { name: STATE.to_owned(), is_json: false, processes: None }]
    }
}

/// One tensor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TensorFields")]
pub struct TensorRecord {
    pub name: String,
    /// The item that has it.
    #[serde(skip_serializing_if = "is_state")]
    pub item: String,
    pub dtype: String,
    pub shape: Vec<usize>,
    #[serde(flatten)]
    pub sums: Checksums,
}

/// blake3 of the bytes of a tensor, or of each of its shards.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Checksums {
    Shards {
        /// The extents of a shard.
        shard: Vec<usize>,
        /// In the order of the grid of shards.
        blake3: Vec<String>,
    },
    Whole {
        blake3: String,
    },
}

/// The fields of a tensor as they stand in a manifest.
#[derive(Deserialize)]
struct TensorFields {
    name: String,
    #[serde(default = "state")]
    item: String,
    dtype: String,
    shape: Vec<usize>,
    shard: Option<Vec<usize>>,
    blake3: Sums,
}

/// A checksum, or a list of them.
enum Sums {
    One(String),
    Several(Vec<String>),
}

impl<'de> Deserialize<'de> for Sums {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Sums, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Sums;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a checksum or a list of them")
            }

            fn visit_str<E: serde::de::Error>(self, sum: &str) -> Result<Sums, E> {
                Ok(Sums::One(sum.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Sums, A::Error> {
                let mut sums = Vec::new();
                while let Some(sum) = list.next_element()? {
                    sums.push(sum);
                }
                Ok(Sums::Several(sums))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

impl TryFrom<TensorFields> for TensorRecord {
    type Error = String;

    fn try_from(fields: TensorFields) -> Result<TensorRecord, String> {
        let TensorFields { name, item, dtype, shape, shard, blake3 } = fields;
        let sums = match (shard, blake3) {
            (_, Sums::One(blake3)) => Checksums::Whole { blake3 },
            (Some(shard), Sums::Several(blake3)) => Checksums::Shards { shard, blake3 },
            (None, Sums::Several(_)) => {
                return Err(format!("the tensor {name} has several checksums and no shards"));
            }
        };
        Ok(TensorRecord { name, item, dtype, shape, sums })
    }
}

fn state() -> String {
    STATE.to_owned()
}

fn is_state(item: &str) -> bool {
    item == STATE
}

impl TensorRecord {
    /// The type, if the element type is known.
    pub fn ty(&self) -> Option<Type> {
        Some(Type::tensor(DType::from_name(&self.dtype)?, self.shape.iter().copied()))
    }

    /// The grid of the tensor's shards, if there is a checksum for each.
    pub fn grid(&self) -> Option<Grid> {
        match &self.sums {
            Checksums::Whole { .. } => Grid::new(&self.shape, &self.shape),
            Checksums::Shards { shard, blake3 } => {
                Grid::new(&self.shape, shard).filter(|grid| grid.len() == blake3.len())
            }
        }
    }

    /// The checksum of a shard, by its number in the grid.
    pub fn sum(&self, cell: usize) -> &str {
        match &self.sums {
            Checksums::Whole { blake3 } => blake3,
            Checksums::Shards { blake3, .. } => blake3.get(cell).map_or("", String::as_str),
        }
    }
}

/// The state as JSON.
///
/// # Errors
/// It cannot be read back as it is, for instance because it is nested too deeply (`Program`).
pub fn state_text(state: &SnapshotState) -> Result<String> {
    let text = serde_json::to_string(state).map_err(|e| refused(&e))?;
    match serde_json::from_str::<SnapshotState>(&text).and_then(|read| serde_json::to_string(&read)) {
        Ok(again) if again == text => Ok(text),
        Ok(_) => Err(refused(&"it reads back as something else")),
        Err(e) => Err(refused(&e)),
    }
}

/// An array of JSON, an element a line.
pub fn lines<T: Serialize>(items: &[T]) -> Result<String> {
    let lines: Vec<String> =
        items.iter().map(serde_json::to_string).collect::<Result<_, _>>().map_err(|e| refused(&e))?;
    Ok(format!("[\n{}\n]", lines.join(",\n")))
}

fn refused(why: &dyn Display) -> Error {
    Error::program(format!("the state of a checkpoint cannot be written as JSON: {why}")).op("checkpoint")
}

/// The text of a manifest of this version with these fields, whose values are JSON, and its checksum.
pub fn sealed(version: u64, fields: &[(&str, String)]) -> String {
    let mut text = format!("{{\n\"format\": \"{FORMAT}\",\n\"version\": {version},\n");
    for (name, value) in fields {
        text.push_str(&format!("\"{name}\": {value},\n"));
    }
    text.push_str(BEFORE_CHECKSUM);
    let checksum = checksum(text.as_bytes());
    text.push_str(&checksum);
    text.push_str(AFTER_CHECKSUM);
    text
}

/// The fields by which manifests of all versions are told from other JSON.
#[derive(Deserialize)]
pub struct Head {
    format: Option<Value>,
    version: Option<Value>,
}

/// A manifest of some versions, which has those fields among its own: a text of many tensors is read once.
pub trait Fields: DeserializeOwned {
    fn head(&self) -> [&Option<Value>; 2];
}

impl Fields for Head {
    fn head(&self) -> [&Option<Value>; 2] {
        [&self.format, &self.version]
    }
}

/// The fields of a manifest of one of these versions, from the text of the file at `path`.
///
/// # Errors
/// It is damaged, is no manifest of such a version, or is of a newer one (`Input`).
pub fn unsealed<T: Fields>(bytes: &[u8], versions: RangeInclusive<u64>, path: &Path) -> Result<T> {
    let Some((content, digits)) = split(bytes) else {
        let head: Option<Head> = serde_json::from_slice(bytes).ok();
        return Err(match head.and_then(|head| head.version?.as_u64()) {
            Some(found) if found > VERSION => newer(path, found),
            _ => damaged(path, format!("it has {} bytes and does not end with its checksum", bytes.len())),
        });
    };
    let expected = checksum(content);
    if digits != expected.as_bytes() {
        let digits = String::from_utf8_lossy(digits);
        let what = format!("the blake3 checksum of its content is {expected}, but it says {digits}");
        return Err(damaged(path, what));
    }
    match serde_json::from_slice::<T>(bytes) {
        Ok(fields) => is_of(&fields, versions, path).map(|()| fields),
        Err(error) => {
            // One of another version may have other fields.
            let head = serde_json::from_slice::<Head>(bytes);
            is_of(&head.map_err(|_| damaged(path, "it is not JSON".into()))?, versions, path)?;
            Err(damaged(path, error.to_string()))
        }
    }
}

/// Checks the format and the version of a manifest.
fn is_of(fields: &impl Fields, versions: RangeInclusive<u64>, path: &Path) -> Result<()> {
    let [format, version] = fields.head();
    match version.as_ref().and_then(Value::as_u64) {
        Some(found) if found > VERSION => Err(newer(path, found)),
        Some(found)
            if versions.contains(&found) && format.as_ref().and_then(Value::as_str) == Some(FORMAT) =>
        {
            Ok(())
        }
        _ => {
            let what = format!("it is no manifest of format {FORMAT:?}, version {}", versions.end());
            Err(damaged(path, what))
        }
    }
}

/// The bytes before the checksum's digits, and the digits.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_suffix(AFTER_CHECKSUM.as_bytes())?;
    let (content, digits) = rest.split_at_checked(rest.len().checked_sub(DIGITS)?)?;
    content.ends_with(BEFORE_CHECKSUM.as_bytes()).then_some((content, digits))
}

/// blake3 of a manifest whose bytes before the digits are `content`; what follows them never varies.
fn checksum(content: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(content).update(&[b'0'; DIGITS]).update(AFTER_CHECKSUM.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// The error about a file of a damaged checkpoint.
pub fn damaged(path: &Path, what: String) -> Error {
    Error::input(format!("{}: {what}", path.display())).help(DAMAGED)
}

/// The help of errors about damaged checkpoints.
pub const DAMAGED: &str = "the checkpoint is damaged: --step N takes another; `jarrah checkpoint verify FOLDER`, with the folder of the run or of \
     the steps, looks at all of them, `jarrah checkpoint remove FOLDER --step N` removes one";

fn newer(path: &Path, version: u64) -> Error {
    Error::input(format!(
        "{} has format version {version}, but this program reads versions up to {VERSION}",
        path.display()
    ))
    .help("a newer release of the program wrote it: use that release")
}
