use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use serde_json::Value;

use crate::manifest::SourceFile;

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

/// The documents of a text file: one per line of a `.jsonl` or `.ndjson`, else the whole text; empty ones are left
/// out.
///
/// # Errors
/// A line is not JSON or has neither `text` nor `content` (`Input`, naming file and line).
pub(crate) fn documents(path: &Path, text: String) -> Result<Vec<String>> {
    let lines =
        path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jsonl") || e.eq_ignore_ascii_case("ndjson"));
    let mut documents = if lines {
        let numbered = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        numbered.map(|(i, line)| document(path, i + 1, line)).collect::<Result<_>>()?
    } else {
        vec![text]
    };
    documents.retain(|d| !d.is_empty());
    Ok(documents)
}

fn document(path: &Path, line: usize, json: &str) -> Result<String> {
    let at = || format!("{}:{line}", path.display());
    let mut value: Value = serde_json::from_str(json)
        .map_err(|e| Error::input(format!("{}: the line is not JSON: {e}", at())))?;
    for field in ["text", "content"] {
        if let Some(Value::String(text)) = value.get_mut(field).map(Value::take) {
            return Ok(text);
        }
    }
    Err(Error::input(format!("{}: the line has no `text` or `content` that is a string", at())))
}

/// Reads a file for a new run; a binary file is added to `binary`.
pub(crate) fn found(
    path: PathBuf,
    group: Option<String>,
    binary: &mut Vec<PathBuf>,
) -> Result<Option<ReadFile>> {
    let bytes = bytes(&path)?;
    let source = SourceFile::new(&path, &bytes, group)?;
    match text(bytes) {
        Some(text) => Ok(Some(ReadFile { source, documents: documents(&path, text)? })),
        None => {
            binary.push(path);
            Ok(None)
        }
    }
}
