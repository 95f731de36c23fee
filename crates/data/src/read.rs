use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::manifest::SourceFile;

/// What the documents of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Documents {
    /// Texts: one in each line of a `.jsonl` (its `text` or `content`), else the whole file.
    Texts,
    /// Values in JSON, as they are written: one in each line of a `.jsonl`, or in the list that a `.json` is.
    Records,
}

/// A file's documents, and its entry in the manifest.
pub(crate) struct ReadFile {
    pub(crate) source: SourceFile,
    pub(crate) documents: Vec<String>,
}

/// The file's bytes.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| Error::io("read", path, &e))
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
pub(crate) fn documents(path: &Path, text: String, kind: Documents) -> Result<Vec<String>> {
    let is = |extension: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension));
    let lines = is("jsonl") || is("ndjson");
    let in_json = text.strip_prefix(MARK).unwrap_or(&text);
    let mut documents: Vec<String> = match kind {
        _ if lines => {
            let numbered = in_json.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let read = |(i, line)| document(path, i + 1, line, kind);
            numbered.map(read).collect::<Result<_>>()?
        }
        Documents::Texts => vec![text],
        Documents::Records => {
            let all: Vec<Box<RawValue>> = serde_json::from_str(in_json).map_err(|e| {
                Error::input(format!("{} is no list in JSON: {e}", path.display()))
                    .help("records are the lines of a .jsonl, or a list in a .json")
            })?;
            all.iter().map(|record| record.get().to_owned()).collect()
        }
    };
    documents.retain(|d| !d.is_empty());
    Ok(documents)
}

fn document(path: &Path, line: usize, json: &str, kind: Documents) -> Result<String> {
    let at = || format!("{}:{line}", path.display());
    let mut value: Value = serde_json::from_str(json)
        .map_err(|e| Error::input(format!("{}: the line is not JSON: {e}", at())))?;
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
