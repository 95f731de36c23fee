use std::path::{Path, PathBuf};
use std::sync::Arc;

use jarrah_base::{MappedFile, Result};

use super::bytes::Bytes;
use super::location::is_inside;
use super::ocdbt::Database;
use super::wrong;

/// The bytes of a tree's arrays by key, such as `params.kernel/.zarray`.
pub(super) enum Store {
    Database(Box<Database>),
    Folder(PathBuf),
    /// The one chunk of one array.
    Value(Arc<Vec<u8>>),
}

impl Store {
    pub fn open(folder: &Path) -> Result<Store> {
        match Database::is_at(folder) {
            true => Ok(Store::Database(Box::new(Database::open(folder)?))),
            false => Ok(Store::Folder(folder.to_owned())),
        }
    }

    /// The bytes of `key`, if it is there.
    pub fn get(&self, key: &str) -> Result<Option<Bytes>> {
        match self {
            Store::Database(database) => database.get(key),
            Store::Value(value) => Ok(Some(Bytes::Value(value.clone()))),
            Store::Folder(folder) => {
                if !is_inside(key) {
                    return Err(wrong(format!("{key:?} names a file outside of the checkpoint")));
                }
                let path = folder.join(key);
                if !path.is_file() {
                    return Ok(None);
                }
                let file = Arc::new(MappedFile::open(path)?);
                let all = 0..file.len();
                Ok(Some(Bytes::File(file, all)))
            }
        }
    }
}
