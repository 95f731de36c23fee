//! The files of a checkpoint, in a folder of a store.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{Error, Result, memory};
use jarrah_store::{EntryKind, LocalStore, Name, Object, ObjectStore};

use super::wrong;

/// A folder of a store.
#[derive(Clone, Debug)]
pub(super) struct Files {
    store: Arc<dyn ObjectStore>,
    folder: Name,
    /// The path that errors name.
    path: PathBuf,
}

impl Files {
    /// A folder of this machine.
    pub fn local(path: &Path) -> Result<Files> {
        Ok(Files { store: Arc::new(LocalStore::new(path)?), folder: Name::root(), path: path.to_owned() })
    }

    /// A folder of any store.
    pub fn of(store: Arc<dyn ObjectStore>, folder: &Name) -> Files {
        let path = store.shown(folder);
        Files { store, folder: folder.clone(), path }
    }

    /// The path of the folder, for errors.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last part of the folder's name.
    pub fn name(&self) -> Option<String> {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned())
    }

    /// A folder in this one.
    pub fn below(&self, name: &str) -> Result<Files> {
        let folder = self.folder.join(name)?;
        Ok(Files { store: self.store.clone(), folder, path: self.path.join(name) })
    }

    /// A file of the folder, if it is there.
    pub fn open(&self, name: &str) -> Result<Option<Arc<dyn Object>>> {
        Ok(self.store.open(&self.folder.join(name)?)?.map(Arc::from))
    }

    /// A file of the folder.
    ///
    /// # Errors
    /// It is not there (`Input`).
    pub fn required(&self, name: &str) -> Result<Arc<dyn Object>> {
        self.open(name)?.ok_or_else(|| wrong(format!("{} is not there", self.path.join(name).display())))
    }

    /// Whether a file is there.
    pub fn has(&self, name: &str) -> bool {
        matches!(self.open(name), Ok(Some(_)))
    }

    /// The bytes of a file, if it is there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(object) = self.open(name)? else { return Ok(None) };
        bytes(&*object, 0, object.len()).map(Some)
    }

    /// Whether the store can say which files there are.
    pub fn are_listed(&self) -> bool {
        self.store.can_list()
    }

    /// The names in the folder of these kinds, in order.
    fn names(&self, is_wanted: impl Fn(EntryKind) -> bool) -> Result<Vec<String>> {
        let entries = self.store.list(&self.folder)?.into_iter();
        let names = entries.filter(|entry| is_wanted(entry.kind)).map(|entry| entry.name);
        Ok(names.filter(|name| Name::new(name).is_ok()).collect())
    }

    /// The names of the folders in the folder, in order.
    pub fn folders(&self) -> Result<Vec<String>> {
        self.names(|kind| kind == EntryKind::Folder)
    }

    /// The names of the files in the folder, in order; none where there is no such folder.
    pub fn files(&self) -> Result<Vec<String>> {
        self.names(|kind| kind != EntryKind::Folder)
    }
}

/// So many bytes of an object.
pub(super) fn bytes(object: &dyn Object, offset: u64, length: u64) -> Result<Vec<u8>> {
    let length =
        usize::try_from(length).map_err(|_| Error::environment("a file is larger than any memory"))?;
    memory::check(length, &"a part of a checkpoint")?;
    let mut bytes = vec![0; length];
    object.read_at(offset, &mut bytes)?;
    Ok(bytes)
}
