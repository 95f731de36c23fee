use std::sync::Arc;

use jarrah_base::Result;

use super::bytes::Bytes;
use super::files::Files;
use super::location::is_inside;
use super::ocdbt::Database;
use super::wrong;

/// The bytes of a tree's arrays by key, such as `params.kernel/.zarray`.
pub(super) enum Store {
    Database(Box<Database>),
    Folder(Files),
    /// The one chunk of one array.
    Value(Arc<Vec<u8>>),
}

impl Store {
    pub fn open(folder: &Files) -> Result<Store> {
        Ok(match Database::open(folder)? {
            Some(database) => Store::Database(Box::new(database)),
            None => Store::Folder(folder.clone()),
        })
    }

    /// The bytes of `key`, if it is there.
    pub fn get(&self, key: &str) -> Result<Option<Bytes>> {
        match self {
            Store::Database(database) => database.get(key),
            Store::Value(value) => Ok(Some(Bytes::Value(value.clone(), 0..value.len()))),
            Store::Folder(folder) => {
                if !is_inside(key) {
                    return Err(wrong(format!("{key:?} names a file outside of the checkpoint")));
                }
                Ok(folder.open(key)?.map(Bytes::of))
            }
        }
    }
}
