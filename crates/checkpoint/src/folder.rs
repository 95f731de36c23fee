//! The folder of a checkpoint, read through a store.

use std::path::{Path, PathBuf};

use blake3::Hasher;
use jarrah_base::{Error, Result, memory};
use jarrah_store::{EntryKind, Name, Object, ObjectStore};

use crate::hash::hex;
use crate::manifest::damaged;

/// Files are hashed in pieces of so many bytes.
const PIECE: u64 = 1 << 20;

/// Folders of a checkpoint lie no deeper.
const DEEPEST: usize = 4;

/// The folder of a checkpoint.
pub struct Folder<'s> {
    store: &'s dyn ObjectStore,
    name: Name,
    /// The path that errors name.
    path: PathBuf,
}

impl<'s> Folder<'s> {
    pub fn new(store: &'s dyn ObjectStore, name: Name, path: impl Into<PathBuf>) -> Self {
        Folder { store, name, path: path.into() }
    }

    /// The path of a file in the folder, or of the folder itself where that is empty.
    pub fn path(&self, file: &str) -> PathBuf {
        if file.is_empty() { self.path.clone() } else { self.path.join(file) }
    }

    /// A file of the folder, if it is there.
    pub fn open(&self, file: &str) -> Result<Option<Box<dyn Object>>> {
        let name = Name::new(file).map_err(|e| damaged(&self.path, e.message().to_owned()))?;
        self.store.open(&self.name.with(&name))
    }

    /// The content of a file, if it is there.
    pub fn read(&self, file: &str) -> Result<Option<Vec<u8>>> {
        let Some(object) = self.open(file)? else { return Ok(None) };
        let path = self.path(file);
        let shown = path.display();
        let len = usize::try_from(object.len()).map_err(|_| Error::input(format!("{shown} is too large")))?;
        memory::check(len, &shown)?;
        let mut bytes = vec![0; len];
        object.read_at(0, &mut bytes)?;
        Ok(Some(bytes))
    }

    /// The paths of the files in a folder of the checkpoint's and below it.
    pub fn files(&self, folder: &str) -> Result<Vec<String>> {
        // A store that lists nothing has no files but those that were asked for by name.
        let listed = self.store.can_list().then(|| folder.to_owned());
        let (mut files, mut folders) = (Vec::new(), Vec::from_iter(listed));
        while let Some(folder) = folders.pop() {
            for entry in self.store.list(&self.name.join(&folder)?)? {
                let path = format!("{folder}/{}", entry.name);
                match entry.kind {
                    EntryKind::Object(_) => files.push(path),
                    // No item is so deep: symbolic links lead in a circle.
                    EntryKind::Folder if path.matches('/').count() > DEEPEST => files.push(path),
                    EntryKind::Folder => folders.push(path),
                }
            }
        }
        files.sort();
        Ok(files)
    }

    /// Checks that a file is there and has so many bytes, and gives it.
    pub fn of_length(&self, file: &str, bytes: u64) -> Result<Box<dyn Object>> {
        let Some(object) = self.open(file)? else {
            return Err(damaged(&self.path(file), "it is missing".into()));
        };
        match object.len() {
            found if found == bytes => Ok(object),
            found => {
                Err(damaged(&self.path(file), format!("it has {found} bytes, but the manifest says {bytes}")))
            }
        }
    }
}

/// blake3 of the bytes of an object from `begin` to `end`.
pub fn hash(object: &dyn Object, begin: u64, end: u64) -> Result<String> {
    let mut hasher = Hasher::new();
    let mut piece = vec![0; end.saturating_sub(begin).min(PIECE) as usize];
    let mut at = begin;
    while at < end {
        let piece = &mut piece[..(end - at).min(PIECE) as usize];
        object.read_at(at, piece)?;
        hasher.update(piece);
        at += piece.len() as u64;
    }
    Ok(hex(&hasher))
}

/// Checks the checksum of a part of the file or folder at `path`.
pub fn compare(path: &Path, part: &str, found: &str, expected: &str) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    Err(damaged(path, format!("{part} has the blake3 checksum {found}, but {expected} was written")))
}
