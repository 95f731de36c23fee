use std::fs;
use std::path::{Path, PathBuf};

use jarrah_base::{Error, Result};
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

/// The files that a run trains on, with their hashes: written when the run starts, required unchanged when it
/// resumes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    version: u32,
    /// The files in the order in which their documents are used.
    pub files: Vec<SourceFile>,
}

/// One file of a [`Manifest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The size in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of the content, in hexadecimal.
    pub blake3: String,
    /// The name of the crate that the file is held out with; without it, documents are held out separately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
}

/// The file's bytes.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|e| Error::io("read", path, &e))
}

impl SourceFile {
    pub(crate) fn new(path: &Path, bytes: &[u8], group: Option<String>) -> Result<Self> {
        let absolute = std::path::absolute(path).map_err(|e| Error::io("resolve", path, &e))?;
        if absolute.to_str().is_none() {
            return Err(Error::input(format!("the path {} is not valid UTF-8", path.display())));
        }
        let blake3 = blake3::hash(bytes).to_hex().to_string();
        Ok(SourceFile { path: absolute, bytes: bytes.len() as u64, blake3, group })
    }

    /// Reads the file; an error if it is missing or its content has changed.
    pub(crate) fn read_unchanged(&self) -> Result<Vec<u8>> {
        const HELP: &str = "put the file back as it was, or start a new run";
        let path = self.path.display();
        if !self.path.exists() {
            return Err(Error::input(format!(
                "the run's source file {path} is missing ({} bytes, blake3 {})",
                self.bytes, self.blake3
            ))
            .help(HELP));
        }
        let bytes = bytes(&self.path)?;
        let now = blake3::hash(&bytes).to_hex();
        if now.as_str() != self.blake3 {
            return Err(Error::input(format!(
                "the run's source file {path} has changed: it was {} bytes, blake3 {}, and is {} bytes, blake3 {now}",
                self.bytes,
                self.blake3,
                bytes.len()
            ))
            .help(HELP));
        }
        Ok(bytes)
    }
}

impl Manifest {
    pub(crate) fn new(files: Vec<SourceFile>) -> Self {
        Manifest { version: VERSION, files }
    }

    /// The list of these files, which are read for their hashes.
    ///
    /// # Errors
    /// A file cannot be read (`Input`).
    pub fn of_files<P: AsRef<Path>>(paths: &[P]) -> Result<Self> {
        let file = |path: &P| SourceFile::new(path.as_ref(), &bytes(path.as_ref())?, None);
        Ok(Manifest::new(paths.iter().map(file).collect::<Result<_>>()?))
    }

    /// The contents of the files.
    ///
    /// # Errors
    /// A file is missing or has changed (`Input`, with its path and both hashes).
    pub fn read_unchanged(&self) -> Result<Vec<Vec<u8>>> {
        self.files.iter().map(SourceFile::read_unchanged).collect()
    }

    /// The size of all files in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|f| f.bytes).sum()
    }

    /// One hash of the paths and hashes of all files.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for file in &self.files {
            hasher
                .update(file.path.to_string_lossy().as_bytes())
                .update(b"\0")
                .update(file.blake3.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    /// Writes the manifest as JSON to the file `path`.
    ///
    /// # Errors
    /// The file cannot be written (`Environment`).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let mut json = serde_json::to_string_pretty(self)
            .map_err(|e| Error::internal(format!("cannot write the list of source files: {e}")))?;
        json.push('\n');
        fs::write(path, json).map_err(|e| Error::io("write", path, &e))
    }

    /// Reads a manifest that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// The file is missing, is no manifest, or is of a newer version (`Input`).
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bad =
            |what: String| Error::input(format!("{} is not a list of source files: {what}", path.display()));
        let value: serde_json::Value =
            serde_json::from_slice(&bytes(path)?).map_err(|e| bad(e.to_string()))?;
        match value["version"].as_u64() {
            Some(v) if v > u64::from(VERSION) => Err(Error::input(format!(
                "{} has version {v}, but this program knows versions up to {VERSION}",
                path.display()
            ))),
            _ => serde_json::from_value(value).map_err(|e| bad(e.to_string())),
        }
    }
}
