use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jarrah_base::{Error, Result};

use super::place::{Place, Unfinished, failed, is_absent, version};
use crate::files::{FileKind, FileWriter};
use crate::store::{Condition, ObjectVersion, Upload};

/// Small writes are gathered into chunks of so many bytes; larger ones go straight to the file.
const CHUNK: usize = 256 << 10;

/// An object on its way to its file.
pub struct LocalUpload {
    place: Arc<Place>,
    /// The folder of the draft that the object belongs to: its files become durable when that is published.
    draft: Option<PathBuf>,
    /// Whether the draft is published by another process, maybe on another machine, which cannot make these bytes durable.
    is_joined: bool,
    target: PathBuf,
    temporary: PathBuf,
    file: Box<dyn FileWriter>,
    gathered: Vec<u8>,
    /// The first failure: bytes are missing after it.
    failure: Option<Error>,
    /// Whether the temporary name is gone.
    moved: bool,
}

impl LocalUpload {
    pub fn begin(
        place: &Arc<Place>,
        target: &Path,
        draft: Option<&Path>,
        is_joined: bool,
    ) -> Result<LocalUpload> {
        match place.files.status(target) {
            Ok(status) if status.kind == FileKind::Folder => {
                // An empty folder is no folder of a store.
                place.files.remove_folder(target).map_err(|_| is_a_folder(target))?;
            }
            Err(e) if !is_absent(&e) || e.kind() == io::ErrorKind::InvalidFilename => {
                return Err(failed("create", target, &e));
            }
            _ => {}
        }
        let folder = target.parent().unwrap_or(place.root());
        if draft.is_none_or(|draft| draft != folder) {
            place.make_folders(folder, draft).map_err(|e| late(place, draft, target).unwrap_or(e))?;
        }
        let (temporary, file) = loop {
            let temporary = folder.join(Unfinished::Object.name(place.files.token()));
            match place.files.create(&temporary) {
                Ok(file) => break (temporary, file),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => {
                    return Err(
                        late(place, draft, target).unwrap_or_else(|| failed("create", &temporary, &e))
                    );
                }
            }
        };
        let upload = LocalUpload {
            place: place.clone(),
            draft: draft.map(Path::to_owned),
            is_joined,
            target: target.to_owned(),
            temporary,
            file,
            gathered: Vec::new(),
            failure: None,
            moved: false,
        };
        place.check_letters(target, &upload.temporary)?;
        Ok(upload)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let put = self.file.write_all(bytes).map_err(|e| failed("write", &self.target, &e));
        self.failure = put.as_ref().err().cloned();
        put
    }

    fn put_gathered(&mut self) -> Result<()> {
        let mut gathered = std::mem::take(&mut self.gathered);
        self.put(&gathered)?;
        gathered.clear();
        self.gathered = gathered;
        Ok(())
    }

    /// Completes the file, and makes it durable unless that is left to the draft's end.
    fn complete(&mut self) -> Result<ObjectVersion> {
        self.put_gathered()?;
        let files = &self.place.files;
        let random = Duration::from_nanos(files.token() % 1_000_000_000);
        let time = files.now().checked_sub(random).unwrap_or(files.now());
        self.file.set_modified(time).map_err(|e| failed("write", &self.target, &e))?;
        if self.draft.is_none() || self.is_joined {
            self.file.sync().map_err(|e| failed("sync", &self.target, &e))?;
        }
        Ok(version(&self.file.status().map_err(|e| failed("read", &self.target, &e))?))
    }

    /// Gives the file its name; false where the condition does not hold.
    fn name(&mut self, condition: &Condition) -> Result<bool> {
        let (files, from, to) = (&self.place.files, &self.temporary, &self.target);
        match condition {
            Condition::Absent => match files.rename_new(from, to) {
                Ok(()) => {
                    self.moved = true;
                    return Ok(true);
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
                Err(e) if e.kind() == io::ErrorKind::Unsupported => {
                    return Err(failed("rename", to, &e).with_help(
                        "this file system can neither rename on condition that a name is free nor give a file two names",
                    ));
                }
                Err(e) => return Err(failed("rename", to, &e)),
            },
            Condition::Unchanged(wanted) => match files.status(to) {
                Ok(status) if status.kind == FileKind::File && version(&status) == *wanted => {}
                Ok(_) => return Ok(false),
                Err(e) if is_absent(&e) => return Ok(false),
                Err(e) => return Err(failed("read", to, &e)),
            },
            Condition::Always => {}
        }
        match files.rename(from, to) {
            Err(e) if e.kind() == io::ErrorKind::IsADirectory => return Err(is_a_folder(to)),
            renamed => renamed.map_err(|e| failed("rename", from, &e))?,
        }
        self.moved = true;
        Ok(true)
    }
}

impl Upload for LocalUpload {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if self.gathered.len() + bytes.len() > CHUNK && !self.gathered.is_empty() {
            self.put_gathered()?;
        }
        match bytes.len() >= CHUNK {
            true => self.put(bytes),
            false => {
                self.gathered.extend_from_slice(bytes);
                self.failure.clone().map_or(Ok(()), Err)
            }
        }
    }

    fn finish(mut self: Box<Self>, condition: Condition) -> Result<Option<ObjectVersion>> {
        let version = self.complete()?;
        let folder = self.target.parent().unwrap_or(self.place.root()).to_owned();
        let locked = self.draft.as_deref().unwrap_or(&folder);
        let lock = match self.place.lock(locked, matches!(condition, Condition::Unchanged(_))) {
            Err(e) => return Err(self.late().unwrap_or(e)),
            Ok(lock) => lock,
        };
        let named = self.name(&condition);
        drop(lock);
        match named {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(e) => return Err(self.late().unwrap_or(e)),
        }
        if self.draft.is_none() {
            self.place.sync_names(&folder)?;
        }
        Ok(Some(version))
    }
}

impl LocalUpload {
    fn late(&self) -> Option<Error> {
        late(&self.place, self.draft.as_deref(), &self.target)
    }
}

impl Drop for LocalUpload {
    fn drop(&mut self) {
        if !self.moved {
            // A file that stays has a reserved name.
            let _ = self.place.files.remove_file(&self.temporary);
        }
    }
}

fn is_a_folder(path: &Path) -> Error {
    Error::input(format!("{} is a folder, so it is no object", path.display()))
        .op("store")
        .help("a name is an object or a folder, not both")
}

/// The error of an object that comes when its draft was published or dropped.
fn late(place: &Place, draft: Option<&Path>, target: &Path) -> Option<Error> {
    draft.filter(|draft| place.is_gone(draft)).map(|_| {
        Error::input(format!("the draft of {} was published or dropped", target.display())).op("store")
    })
}
