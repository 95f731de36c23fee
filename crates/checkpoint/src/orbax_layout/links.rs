//! Shards that are as in a checkpoint before: their files get a second name, and are not written again.

use std::collections::HashMap;

use jarrah_base::{Error, Result};
use jarrah_store::{Condition, Draft, EntryKind, Name, ObjectStore};

use super::recorder::Recorder;

/// Files are compared in pieces of so many bytes.
const PIECE: usize = 1 << 20;

/// The data files of a checkpoint that others may be links to. A file that holds one shard is called by the first digits of its checksum.
#[derive(Debug)]
pub struct Links<'s> {
    store: &'s dyn ObjectStore,
    /// The least bytes of a shard that has a file of its own.
    least: usize,
    files: HashMap<String, Name>,
}

impl<'s> Links<'s> {
    /// The files of the checkpoint in the folder `before`, if there is one.
    ///
    /// # Errors
    /// The store cannot be read (`Environment`).
    pub fn new(store: &'s dyn ObjectStore, before: Option<&str>, least: usize) -> Result<Links<'s>> {
        let mut files = HashMap::new();
        if let Some(before) = before {
            let folder = Name::new(before)?;
            for item in store.folders(&folder)? {
                let item = folder.join(&item)?;
                for process in store.folders(&item)?.iter().filter(|name| name.starts_with("ocdbt.process_"))
                {
                    let data = item.join(process)?.join("d")?;
                    for entry in store.list(&data)? {
                        if matches!(entry.kind, EntryKind::Object(len) if len >= least as u64) {
                            files.insert(entry.name.clone(), data.join(&entry.name)?);
                        }
                    }
                }
            }
        }
        Ok(Links { store, least, files })
    }

    /// Whether a shard of so many bytes has a file of its own.
    pub fn has_file(&self, bytes: usize) -> bool {
        bytes >= self.least.max(1)
    }

    /// Makes the file of a shard with this checksum: a link to one that is there and has these bytes, which are compared, or a new one.
    ///
    /// # Errors
    /// The store cannot be read or written (`Environment`).
    pub fn make(&self, draft: &Recorder, file: &Name, bytes: &[u8], sum: &str) -> Result<()> {
        if let Some(before) = self.files.get(digits(sum))
            && self.is_same(before, bytes)?
            && draft.link(file, before)?
        {
            draft.linked(file, bytes.len() as u64, sum);
            return Ok(());
        }
        let mut upload = draft.create(file)?;
        upload.write(bytes)?;
        match upload.finish(Condition::Always)? {
            Some(_) => Ok(()),
            None => Err(Error::internal(format!("{file} was not written")).op("checkpoint")),
        }
    }

    /// Whether a file has these bytes. One that is damaged is not linked, and neither is one that was removed.
    fn is_same(&self, file: &Name, bytes: &[u8]) -> Result<bool> {
        let Some(object) = self.store.open(file)? else { return Ok(false) };
        if object.len() != bytes.len() as u64 {
            return Ok(false);
        }
        let mut piece = vec![0; PIECE.min(bytes.len())];
        for (number, wanted) in bytes.chunks(PIECE).enumerate() {
            let piece = &mut piece[..wanted.len()];
            // A file that cannot be read is written anew.
            if object.read_at((number * PIECE) as u64, piece).is_err() || piece != wanted {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The name of the data file of a shard with this checksum.
pub fn digits(sum: &str) -> &str {
    sum.get(..32).unwrap_or(sum)
}
