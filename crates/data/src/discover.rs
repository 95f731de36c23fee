use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use jarrah_base::{Error, Result};

/// The files that the arguments name, each once: in the order of the arguments, a folder's files by name.
///
/// An argument is a file, a folder with everything below it, or a glob (`src/**/*.rs`). Inside folders, hidden files
/// and folders, build output (`target` beside a `Cargo.toml`, `node_modules`, `__pycache__`) and links to folders are
/// skipped.
///
/// # Errors
/// An argument matches nothing, or a folder cannot be read.
pub(crate) fn files<S: AsRef<str>>(arguments: &[S]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for argument in arguments {
        let argument = argument.as_ref();
        let path = Path::new(argument);
        if path.is_dir() {
            walk(path, &mut files)?;
        } else if path.exists() {
            files.push(path.to_owned());
        } else if argument.contains(['*', '?', '[', '{']) {
            glob(argument, &mut files)?;
        } else {
            return Err(Error::input(format!("there is no file or folder {argument}")));
        }
    }
    let mut seen = HashSet::new();
    files.retain(|f| seen.insert(fs::canonicalize(f).unwrap_or_else(|_| f.clone())));
    Ok(files)
}

/// Adds the files below `folder`.
pub(crate) fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |e| Error::io("read the folder", folder, &e);
    let mut entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let kind = entry.file_type().map_err(failed)?;
        let generated = name == "node_modules"
            || name == "__pycache__"
            || name == "target" && folder.join("Cargo.toml").exists();
        if kind.is_dir() && !generated {
            walk(&path, files)?;
        } else if kind.is_file() || kind.is_symlink() && path.is_file() {
            files.push(path);
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
