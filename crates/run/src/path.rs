use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};

use crate::names::{MARKER, VERSION};

/// The longest name of a folder that a file points to; a longer file is no pointer.
const POINTER: u64 = 4096;

/// The folder that `path` names: `path` itself, or the one whose name is in the file `path`, which takes the place of a link on file systems without links.
fn target(path: &Path) -> Result<PathBuf> {
    if !path.is_file() {
        return Ok(path.to_owned());
    }
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(POINTER).read_to_end(&mut text));
    let length = read.map_err(|e| Error::io("read", path, &e))?;
    let text = std::str::from_utf8(&text).ok().filter(|_| (length as u64) < POINTER);
    let pointer = text.and_then(|text| Some(text.lines().next()?.trim())).filter(|line| !line.is_empty());
    Ok(pointer.map_or_else(|| path.to_owned(), |pointer| path.with_file_name(pointer)))
}

/// Whether `path` names a run.
pub fn is_run(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    target(path).is_ok_and(|folder| folder.join(MARKER).is_file())
}

/// The error that there is nothing at a path that is to be a run or a model.
pub fn missing(path: &Path) -> Error {
    Error::input(format!("{} does not exist", path.display())).help(
        "name the folder of a run, such as runs/latest, or of a model on this machine: nothing is downloaded",
    )
}

/// The folder of the run that `path` names: `path` itself, or the one whose name is in the file `path`, which takes the place of a link on file systems
/// without links.
///
/// # Errors
/// It is missing, is no run, or is a run of a newer version (`Input`).
pub fn resolve(path: impl AsRef<Path>) -> Result<PathBuf> {
    let path = path.as_ref();
    let folder = target(path)?;
    if !folder.is_dir() {
        let what = if path.exists() { "is not the folder of a run" } else { "does not exist" };
        return Err(no_run(format!("{} {what}", path.display())));
    }
    let marker = folder.join(MARKER);
    let Ok(text) = fs::read(&marker) else {
        let message = format!(
            "{} is not the folder of a run or of a model: it has neither {MARKER} nor config.json",
            path.display()
        );
        return Err(no_run(message));
    };
    let version = serde_json::from_slice::<serde_json::Value>(&text).ok().and_then(|v| v["version"].as_u64());
    match version {
        Some(VERSION) => Ok(folder),
        Some(1) => Err(Error::input(format!(
            "{} is a run of version 1, whose model has another form than those of version {VERSION}",
            path.display()
        ))
        .help("use the jarrah that made it, or train anew")),
        Some(newer @ VERSION..) => Err(Error::input(format!(
            "{} is a run of version {newer}, but this program knows versions up to {VERSION}",
            path.display()
        ))
        .help("use a newer jarrah")),
        _ => Err(Error::input(format!("{} is damaged", marker.display()))
            .help(format!("it must hold {{\"version\": {VERSION}}}"))),
    }
}

fn no_run(message: String) -> Error {
    Error::input(message).help("name the folder of a run, such as runs/latest")
}
