use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_formats::json::{exact, python, python_unmarked};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::manifest::{SourceFile, bytes};

/// The kind of documents that a file is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Documents {
    /// Texts: one in each line of a `.jsonl` (its `text` or `content`), else the whole file.
    Texts,
    /// Values in JSON, as they are written: one in each line of a `.jsonl`, or in the list that a `.json` is.
    Records,
}

/// Where a record stands, shown as `chats.jsonl:21`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordPlace {
    file: Arc<Path>,
    /// From 1 on.
    line: usize,
}

impl fmt::Display for RecordPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// A text, or a record and its place.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) place: Option<RecordPlace>,
}

/// A file's documents, and its entry in the manifest.
pub(crate) struct ReadFile {
    pub(crate) source: SourceFile,
    pub(crate) documents: Vec<Document>,
}

/// The text of a file; `None` if it is binary: has a NUL byte or is not UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

/// The mark by which some editors begin a file in UTF-8. It is no part of JSON.
const MARK: char = '\u{feff}';

/// The documents of a text file: one per line of a `.jsonl` or `.ndjson`, else the whole text or what the list in it holds; empty ones
/// are left out.
///
/// # Errors
/// A line is not JSON or, of texts, has neither `text` nor `content` (`Input`, naming file and line); a file of records is no list.
pub(crate) fn documents(path: &Path, text: String, kind: Documents) -> Result<Vec<Document>> {
    let is = |extension: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension));
    let lines = is("jsonl") || is("ndjson");
    let in_json = text.strip_prefix(MARK).unwrap_or(&text);
    let file: Arc<Path> = path.into();
    let record = |line: usize, text: String| {
        let place = (kind == Documents::Records).then(|| RecordPlace { file: file.clone(), line });
        Document { text, place }
    };
    let mut documents: Vec<Document> = match kind {
        _ if lines => {
            let numbered = in_json.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let read = |(i, line)| Ok(record(i + 1, document(path, i + 1, line, kind)?));
            numbered.map(read).collect::<Result<_>>()?
        }
        Documents::Texts => vec![Document { text, place: None }],
        Documents::Records => {
            let listed = python(in_json.as_bytes());
            let all: Vec<&RawValue> = serde_json::from_slice(&listed).map_err(|e| {
                Error::input(format!("{} is no list in JSON: {e}", path.display()))
                    .help("records are the lines of a .jsonl, or a list in a .json")
            })?;
            let (mut line, mut before) = (1, 0);
            let read = |item: &&RawValue| {
                let start = item.get().as_ptr() as usize - listed.as_ptr() as usize;
                line += listed[before..start].iter().filter(|byte| **byte == b'\n').count();
                before = start;
                record(line, python_unmarked(item.get()).into_owned())
            };
            all.iter().map(read).collect()
        }
    };
    documents.retain(|d| !d.text.is_empty());
    Ok(documents)
}

/// A value of JSON with all that Python's `json` reads: `NaN`, infinities, and numbers that no `f64` holds.
fn parsed(json: &str) -> serde_json::Result<Value> {
    let json = python(json.as_bytes());
    serde_json::from_slice(&exact(&json))
}

fn document(path: &Path, line: usize, json: &str, kind: Documents) -> Result<String> {
    let at = || format!("{}:{line}", path.display());
    let mut value = parsed(json).map_err(|e| Error::input(format!("{}: the line is not JSON: {e}", at())))?;
    if kind == Documents::Records {
        return Ok(json.trim().to_owned());
    }
    for field in ["text", "content"] {
        if let Some(Value::String(text)) = value.get_mut(field).map(Value::take) {
            return Ok(text);
        }
    }
    let error = Error::input(format!("{}: the line has no `text` or `content` that is a string", at()));
    let is_chat = ["messages", "conversations", "prompt", "instruction", "question"]
        .iter()
        .any(|field| value.get(field).is_some());
    Err(match is_chat {
        true => error.help("the line is a chat: `train` reads chats with task=sft, `eval` with --chats"),
        false => error,
    })
}

/// Reads a file for a new run; a binary file is added to `binary`.
pub(crate) fn found(
    path: PathBuf,
    group: Option<String>,
    kind: Documents,
    binary: &mut Vec<PathBuf>,
) -> Result<Option<ReadFile>> {
    let bytes = bytes(&path)?;
    let source = SourceFile::new(&path, &bytes, group)?;
    match text(bytes) {
        Some(text) => Ok(Some(ReadFile { source, documents: documents(&path, text, kind)? })),
        None => {
            binary.push(path);
            Ok(None)
        }
    }
}
