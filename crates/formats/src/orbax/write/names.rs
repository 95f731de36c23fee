//! Names of arrays: those that Orbax could not read back are refused.

use jarrah_base::Result;
use rustc_hash::FxHashSet;
use serde_json::{Map, Value};

use super::refused;
use crate::orbax::key::OrbaxKey;

/// The most bytes of the name of a folder on disks.
const LONGEST: usize = 255;

/// Files that an item has beside the folders of its arrays.
const RESERVED: [&str; 11] = [
    "_METADATA",
    "_CHECKPOINT_METADATA",
    "_sharding",
    "_strings.json",
    "array_metadatas",
    "checkpoint",
    "commit_success.txt",
    "d",
    "data.json",
    "manifest.ocdbt",
    "metadata",
];

/// Whether the name of an array can be the key of a database.
pub(super) fn check_key(name: &str) -> Result<()> {
    match name.contains('\0') {
        true => Err(refused(format!(
            "the name {name:?} of an array has a zero byte, which ends a name in TensorStore"
        ))),
        false => Ok(()),
    }
}

/// Whether the name of an array can be a path of folders in that of its item. `is_alone` says that the tree has no other leaf.
pub(super) fn check_path(name: &str, is_alone: bool) -> Result<()> {
    check_key(name)?;
    // The elements of an array without a name lie in the folder of its item.
    if name.is_empty() {
        return Ok(());
    }
    let bad = |why: &str| {
        refused(format!("the array {name:?} can have no folder: {why}"))
            .help("rename the keys of the tree, or write an OCDBT database, whose keys may be any text")
    };
    let parts: Vec<&str> = name.split('/').collect();
    if parts.iter().any(|part| matches!(*part, "" | "." | "..")) || name.contains('\\') {
        return Err(bad("a part of its path is empty, `.` or `..`, or has a backslash"));
    }
    if parts.iter().any(|part| part.len() > LONGEST) {
        return Err(bad("a part of its path has more than 255 bytes"));
    }
    let first = parts.first().copied().unwrap_or("");
    let may_be = first == "checkpoint" && is_alone;
    match !may_be && (RESERVED.contains(&first) || first.starts_with("ocdbt.process_")) {
        true => Err(bad("Orbax has a file or a folder of this name in each item")),
        false => Ok(()),
    }
}

/// Whether no folder of an array lies in that of another, where a chunk may have its name.
pub(super) fn check_apart<'n>(names: impl Iterator<Item = &'n str>) -> Result<()> {
    let names: FxHashSet<&str> = names.collect();
    for name in &names {
        let above = name.match_indices('/').map(|(end, _)| &name[..end]).find(|above| names.contains(above));
        if let Some(above) = above {
            return Err(refused(format!(
                "the folder of the array {name:?} would lie in that of {above:?}, among its chunks"
            ))
            .help("rename the keys of the tree, or write an OCDBT database"));
        }
    }
    Ok(())
}

/// Puts a text into the JSON of `_strings.json`, at its name read as a JSON Pointer, as Orbax reads it.
pub(super) fn put_text(strings: &mut Map<String, Value>, name: &str, text: &str) -> Result<()> {
    let bad =
        |why: &str| refused(format!("the text {name:?} has a name that Orbax could not read back: {why}"));
    let mut at = strings;
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        let escapes =
            part.match_indices('~').all(|(i, _)| matches!(part.as_bytes().get(i + 1), Some(b'0' | b'1')));
        if !escapes {
            return Err(bad("Orbax reads a `~` in it as the beginning of an escape"));
        }
        let part = part.replace("~1", "/").replace("~0", "~");
        let conflict = || bad("another text lies above or below it, or has this name");
        if parts.peek().is_none() {
            return match at.insert(part, text.into()) {
                None => Ok(()),
                Some(_) => Err(conflict()),
            };
        }
        let below = at.entry(part).or_insert_with(|| Value::Object(Map::new()));
        at = below.as_object_mut().ok_or_else(conflict)?;
    }
    Ok(())
}

/// The keys as Python prints a tuple of texts, which is the name of a row in `_METADATA`: `('params', '0')`.
pub(super) fn python_tuple(keys: &[OrbaxKey]) -> String {
    let texts: Vec<String> = keys.iter().map(|key| python_text(&key.to_string())).collect();
    match texts.as_slice() {
        [one] => format!("({one},)"),
        texts => format!("({})", texts.join(", ")),
    }
}

fn python_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if (c as u32) < 0x20 || (0x7f..=0xa0).contains(&(c as u32)) => {
                out.push_str(&format!("\\x{:02x}", c as u32))
            }
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}
