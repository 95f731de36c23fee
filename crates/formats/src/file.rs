//! Files that tensors lie in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{MappedFile, Result};

use crate::stamp::Stamp;

/// A file that tensors lie in.
pub(crate) struct File {
    pub path: PathBuf,
    pub data: Arc<MappedFile>,
    /// None, where it changed while it was opened, or nobody knows.
    pub stamp: Option<Stamp>,
}

impl File {
    pub fn open(path: &Path) -> Result<File> {
        let before = Stamp::of(path);
        let data = Arc::new(MappedFile::open(path)?);
        let stamp = before.filter(|stamp| Stamp::of(path).as_ref() == Some(stamp));
        Ok(File { path: path.to_owned(), data, stamp })
    }
}

/// Whether `file` names something in a folder itself.
pub(crate) fn is_name_in_folder(file: &str) -> bool {
    !file.is_empty() && file != ".." && !file.contains(['/', '\\', '\0'])
}
