//! `manifest.json`: what is in a checkpoint, and the checksums that prove it.
//!
//! The last field is the checksum of the manifest itself: blake3 of the file's bytes with its own 64 digits read as
//! `0`. Later versions of the format keep the field `version` and this ending, so that an old program can tell a newer
//! checkpoint from a damaged one.

use std::path::Path;

use jarrah_base::{DType, Error, Result, Type};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::snapshot::SnapshotState;

/// The version this program writes, and the newest it reads.
pub const VERSION: u64 = 1;
const FORMAT: &str = "jarrah-checkpoint";
const BEFORE_CHECKSUM: &str = "\"checksum\": \"";
const AFTER_CHECKSUM: &str = "\"\n}\n";
const DIGITS: usize = 64;

#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Manifest {
    pub step: u64,
    pub file: FileRecord,
    pub tensors: Vec<TensorRecord>,
    pub state: SnapshotState,
}

/// The tensor file: its length and checksum, and the same of the header that precedes the tensors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    pub name: String,
    pub bytes: u64,
    pub blake3: String,
    pub header_bytes: u64,
    pub header_blake3: String,
}

/// One tensor: `offsets` are bytes of the tensor file, counted from the end of its header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TensorRecord {
    pub name: String,
    pub dtype: String,
    pub shape: Vec<usize>,
    pub offsets: (u64, u64),
    pub blake3: String,
}

impl TensorRecord {
    /// The type, if the element type is known.
    pub fn ty(&self) -> Option<Type> {
        Some(Type::tensor(DType::from_name(&self.dtype)?, self.shape.iter().copied()))
    }
}

impl Manifest {
    /// The file's text.
    ///
    /// # Errors
    /// The state cannot be read back as it is, for instance because it is nested too deeply.
    pub fn to_text(&self) -> Result<String> {
        let refuse = |e: &dyn std::fmt::Display| {
            Error::program(format!("the state of a checkpoint cannot be written as JSON: {e}"))
                .op("checkpoint")
        };
        let state = serde_json::to_string(&self.state).map_err(|e| refuse(&e))?;
        match serde_json::from_str::<SnapshotState>(&state).and_then(|read| serde_json::to_string(&read)) {
            Ok(again) if again == state => {}
            Ok(_) => return Err(refuse(&"it reads back as something else")),
            Err(e) => return Err(refuse(&e)),
        }
        let file = serde_json::to_string(&self.file).map_err(|e| refuse(&e))?;
        let tensors: Vec<String> = self
            .tensors
            .iter()
            .map(serde_json::to_string)
            .collect::<Result<_, _>>()
            .map_err(|e| refuse(&e))?;
        let mut text = format!(
            "{{\n\"format\": \"{FORMAT}\",\n\"version\": {VERSION},\n\"step\": {},\n\"file\": {file},\n\
             \"tensors\": [\n{}\n],\n\"state\": {state},\n{BEFORE_CHECKSUM}",
            self.step,
            tensors.join(",\n"),
        );
        let checksum = checksum(text.as_bytes());
        text.push_str(&checksum);
        text.push_str(AFTER_CHECKSUM);
        Ok(text)
    }

    /// Reads the text of the file at `path`.
    ///
    /// # Errors
    /// It is damaged, is no manifest, or is of a newer version.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Manifest> {
        let damaged = |what: String| damaged(path, what);
        let value: Option<Value> = serde_json::from_slice(bytes).ok();
        let version = value.as_ref().and_then(|v| v.get("version")).and_then(Value::as_u64);
        let Some((content, found)) = split(bytes) else {
            return Err(match version {
                Some(version) if version > VERSION => newer(path, version),
                _ => damaged(format!("it has {} bytes and does not end with its checksum", bytes.len())),
            });
        };
        let expected = checksum(content);
        if found != expected.as_bytes() {
            let found = String::from_utf8_lossy(found);
            return Err(damaged(format!(
                "the blake3 checksum of its content is {expected}, but it says {found}"
            )));
        }
        let Some(value) = value else {
            return Err(damaged("it is not JSON".into()));
        };
        match version {
            Some(version) if version > VERSION => return Err(newer(path, version)),
            Some(_) if value.get("format").and_then(Value::as_str) == Some(FORMAT) => {}
            _ => return Err(damaged(format!("it is no manifest of format {FORMAT:?}"))),
        }
        serde_json::from_value(value).map_err(|e| damaged(e.to_string()))
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
    Error::input(format!("{}: {what}", path.display())).help(
        "the checkpoint is damaged: --step N takes another; `jarrah checkpoint verify RUN` looks at all of a run, \
         `jarrah checkpoint remove RUN --step N` removes one",
    )
}

fn newer(path: &Path, version: u64) -> Error {
    Error::input(format!(
        "{} has format version {version}, but this program reads versions up to {VERSION}",
        path.display()
    ))
    .help("a newer release of the program wrote it: use that release")
}
