use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use globset::{GlobBuilder, GlobMatcher};
use jarrah_base::{Error, Result};
use walkdir::{DirEntry, WalkDir};

/// The files that arguments name.
#[derive(Default)]
pub(crate) struct Found {
    /// The files, each once: in the order of the arguments, a folder's files by name.
    pub(crate) files: Vec<PathBuf>,
    /// Files of folders that say something about the data and are none of it.
    pub(crate) notes: Vec<PathBuf>,
}

/// The files that the arguments name.
///
/// An argument is a file, a folder with everything below it, or a glob (`src/**/*.rs`). Inside folders, hidden files
/// and folders, build output (`target` beside a `Cargo.toml`, `node_modules`, `__pycache__`) and links to folders are
/// skipped, and [notes](is_note) are set apart; so they are for a glob that names none, as `folder/*`.
///
/// # Errors
/// An argument matches nothing, or a folder cannot be read.
pub(crate) fn files<S: AsRef<str>>(arguments: &[S]) -> Result<Found> {
    let mut found = Found::default();
    for argument in arguments {
        let argument = argument.as_ref();
        let path = Path::new(argument);
        let mut files = Vec::new();
        let mut names_files = true;
        if path.is_dir() {
            walk(path, &mut files)?;
            names_files = false;
        } else if path.exists() {
            files.push(path.to_owned());
        } else if argument.contains(['*', '?', '[', '{']) {
            glob(argument, &mut files)?;
            let last = argument.rsplit(['/', '\\']).next().unwrap_or(argument);
            names_files = last.contains(|c| c != '*');
        } else {
            return Err(Error::input(format!("there is no file or folder {argument}")));
        }
        let (notes, files): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| !names_files && is_note(file));
        found.notes.extend(notes);
        found.files.extend(files);
    }
    let real = |file: &PathBuf| fs::canonicalize(file).unwrap_or_else(|_| file.clone());
    let mut seen = HashSet::new();
    found.files.retain(|file| seen.insert(real(file)));
    // One that another argument names is no note.
    found.notes.retain(|file| seen.insert(real(file)));
    Ok(found)
}

/// The paths that arguments name, in their order: a path itself, a folder included, and the files that a glob matches, by name. A name of shards, such as
/// `train@4.bagz`, stays as it is.
///
/// ```
/// use jarrah_data::record_files;
/// assert!(record_files(&["no-such-folder/*.jsonl"]).unwrap_err().message().contains("no file matches"));
/// ```
///
/// # Errors
/// There is no such file, or a glob matches none (`Input`).
pub fn record_files<S: AsRef<str>>(arguments: &[S]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for argument in arguments {
        let argument = argument.as_ref();
        let path = Path::new(argument);
        if path.exists() || argument.contains('@') {
            files.push(path.to_owned());
        } else if argument.contains(['*', '?', '[', '{']) {
            glob(argument, &mut files)?;
        } else {
            return Err(Error::input(format!("there is no file {argument}")));
        }
    }
    Ok(files)
}

/// The names of files about the data of a folder, without their ends.
const NOTES: [&str; 14] = [
    "readme",
    "license",
    "licence",
    "unlicense",
    "copying",
    "copyright",
    "notice",
    "patents",
    "manifest",
    "changelog",
    "contributing",
    "authors",
    "citation",
    "code_of_conduct",
];
/// The ends of such files; all else is data, as `license.rs` is.
const NOTE_ENDS: [&str; 11] =
    ["", "md", "markdown", "txt", "rst", "adoc", "html", "cff", "bib", "in", "json"];

/// Whether a file is a note on the data beside it, or its licence: `README.md`, `LICENSE`, `LICENSE-MIT`, `MANIFEST.md`, `README.zh.md`.
pub(crate) fn is_note(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let (stem, end) = name.split_once('.').map_or((name, ""), |(stem, rest)| {
        // Of `README.zh.md` the last part is the end.
        (stem, rest.rsplit('.').next().unwrap_or(rest))
    });
    let is = |stem: &str| NOTES.contains(&stem.to_ascii_lowercase().as_str());
    // `LICENSE-MIT` and `README_zh` are shouted, data such as `notice_board` is not.
    let word: &str = stem.split(['-', '_', ' ']).next().unwrap_or(stem);
    let is_shouted = word.bytes().all(|byte| byte.is_ascii_uppercase());
    // `LICENSE-2.0` has an end that is none.
    let ends = NOTE_ENDS.contains(&end.to_ascii_lowercase().as_str())
        || end.bytes().all(|byte| byte.is_ascii_digit());
    ends && (is(stem) || is_shouted && is(word))
}

/// Adds the files below `folder` in the order of their names, but for hidden ones and folders of generated files.
///
/// Links to files are followed, links to folders are not.
pub(crate) fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let is_taken = |entry: &DirEntry| {
        let name = entry.file_name();
        let is_generated = entry.file_type().is_dir()
            && (name == "node_modules"
                || name == "__pycache__"
                || name == "target" && entry.path().with_file_name("Cargo.toml").exists());
        entry.depth() == 0 || !name.as_encoded_bytes().starts_with(b".") && !is_generated
    };
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_taken) {
        let entry = entry.map_err(|e| {
            let at = e.path().unwrap_or(folder).to_owned();
            // Only links that are followed lead in a circle.
            let cause = e.into_io_error().unwrap_or_else(|| io::Error::other("links lead in a circle"));
            Error::io("read the folder", &at, &cause)
        })?;
        let kind = entry.file_type();
        if kind.is_file() || kind.is_symlink() && entry.path().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(())
}

fn glob(pattern: &str, files: &mut Vec<PathBuf>) -> Result<()> {
    let wrong = |e: globset::Error| Error::input(format!("{pattern} is not a pattern of files: {e}"));
    // `./a/*.rs` is matched against paths that begin with `a`.
    let plain = pattern.trim_start_matches("./");
    let matcher = GlobBuilder::new(plain).literal_separator(true).build().map_err(wrong)?.compile_matcher();
    let fixed = Path::new(plain).components().take_while(|c| !has_meta(c)).collect::<PathBuf>();
    let root = if fixed.as_os_str().is_empty() { Path::new(".") } else { &fixed };
    let before = files.len();
    if root.is_dir() {
        let mut below = Vec::new();
        walk(root, &mut below)?;
        files.extend(below.into_iter().filter(|path| matches(&matcher, path)));
    }
    if files.len() == before {
        return Err(Error::input(format!("no file matches {pattern}")));
    }
    Ok(())
}

fn matches(matcher: &GlobMatcher, path: &Path) -> bool {
    matcher.is_match(path.strip_prefix(".").unwrap_or(path))
}

fn has_meta(component: &Component) -> bool {
    component.as_os_str().to_string_lossy().contains(['*', '?', '[', '{'])
}
