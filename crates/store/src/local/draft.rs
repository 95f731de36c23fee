use std::any::Any;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use jarrah_base::{Error, Result};

use super::place::{Place, failed, is_absent, replaced};
use super::upload::LocalUpload;
use crate::files::{FileKind, Files};
use crate::name::{Name, is_reserved};
use crate::store::{Draft, Upload};

/// The most threads that make a draft durable.
const THREADS: usize = 16;

/// A folder with a reserved name, beside the name that it will have.
#[derive(Debug)]
pub struct LocalDraft {
    place: Arc<Place>,
    name: Name,
    path: PathBuf,
    token: String,
    /// Whether the draft ends with this value.
    begun_here: bool,
}

fn draft_path(place: &Place, folder: &Name, token: &str) -> PathBuf {
    place.path(&folder.folder()).join(format!("{}.orbax-checkpoint-tmp-{token}", folder.last()))
}

impl LocalDraft {
    pub fn begin(place: &Arc<Place>, folder: &Name) -> Result<LocalDraft> {
        folder.not_root()?;
        place.make_folders(&place.path(&folder.folder()), None)?;
        loop {
            let token = format!("{:016x}", place.files.token());
            let path = draft_path(place, folder, &token);
            match place.files.create_folder(&path) {
                Ok(()) => {
                    let (place, name) = (place.clone(), folder.clone());
                    let draft = LocalDraft { place, name, path, token, begun_here: true };
                    draft.place.check_letters(&draft.place.path(folder), &draft.path)?;
                    return Ok(draft);
                }
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(failed("create", &path, &e)),
            }
        }
    }

    pub fn join(place: &Arc<Place>, folder: &Name, token: &str) -> Result<LocalDraft> {
        let is_token = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_hexdigit());
        let path = draft_path(place, folder, token);
        match is_token.then(|| place.files.status(&path)) {
            Some(Ok(status)) if status.kind == FileKind::Folder => {
                let (place, name) = (place.clone(), folder.clone());
                Ok(LocalDraft { place, name, path, token: token.to_owned(), begun_here: false })
            }
            Some(Err(e)) if e.kind() != io::ErrorKind::NotFound => Err(failed("read", &path, &e)),
            _ => Err(no_draft(folder, token)),
        }
    }

    /// Makes all in the draft durable but its own name. An object that is unfinished is left out.
    fn sync(&self) -> Result<()> {
        let (mut files, mut folders) = (Vec::new(), vec![self.path.clone()]);
        let mut next = 0;
        while let Some(folder) = folders.get(next).cloned() {
            next += 1;
            let listed = self.place.files.list(&folder).map_err(|e| failed("read", &folder, &e))?;
            for entry in listed {
                let path = folder.join(&entry.name);
                match entry.kind {
                    FileKind::Folder => folders.push(path),
                    _ if entry.name.to_str().is_some_and(is_reserved) => {
                        self.place.files.remove_file(&path).map_err(|e| failed("remove", &path, &e))?;
                    }
                    _ => files.push(path),
                }
            }
        }
        let files = files.into_iter().map(|path| (path, FileKind::File));
        let folders = folders.into_iter().rev().map(|path| (path, FileKind::Folder));
        sync_all(&*self.place.files, &files.chain(folders).collect::<Vec<_>>())
    }
}

impl LocalDraft {
    /// Makes the draft durable, and gives the lock under which it gets its name: uploads that end later come too late.
    fn complete(&self) -> Result<Option<Box<dyn Any + Send>>> {
        if self.place.is_gone(&self.path) {
            return Err(no_draft(&self.name, &self.token));
        }
        let lock = match self.place.files.lock(&self.path, true) {
            Ok(lock) => Some(lock),
            Err(e) if e.kind() == io::ErrorKind::Unsupported => None,
            Err(e) => return Err(failed("lock", &self.path, &e)),
        };
        self.sync()?;
        Ok(lock)
    }
}

impl LocalDraft {
    /// Exchanges the draft and the folder that it replaces; false where the file system cannot.
    fn exchange(&mut self, target: &Path) -> Result<bool> {
        match self.place.files.exchange(&self.path, target) {
            Ok(()) => {
                // The draft's name is that of the old folder, which stays whole until the new names are durable.
                self.begun_here = false;
                Ok(true)
            }
            Err(e) if e.kind() == io::ErrorKind::Unsupported => Ok(false),
            Err(e) => Err(failed("exchange", &self.path, &e)),
        }
    }
}

/// Makes files and folders durable. A file system that joins what several threads ask for at once is asked so.
fn sync_all(disk: &dyn Files, all: &[(PathBuf, FileKind)]) -> Result<()> {
    let sync = |part: &[(PathBuf, FileKind)]| -> Result<()> {
        part.iter().try_for_each(|(path, kind)| {
            let synced = match kind {
                FileKind::Folder => disk.sync_folder(path),
                FileKind::File | FileKind::Other => disk.sync_file(path),
            };
            synced.map_err(|e| failed("sync", path, &e))
        })
    };
    if !disk.syncs_at_once() || all.len() < 2 {
        return sync(all);
    }
    thread::scope(|scope| {
        let parts = all.chunks(all.len().div_ceil(THREADS));
        let threads: Vec<_> = parts.map(|part| scope.spawn(|| sync(part))).collect();
        let panicked = |_| Err(Error::internal("a thread that makes files durable panicked").op("store"));
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(panicked))
    })
}

impl Draft for LocalDraft {
    fn token(&self) -> &str {
        &self.token
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        name.not_root()?;
        if self.place.is_gone(&self.path) {
            return Err(no_draft(&self.name, &self.token));
        }
        let target = self.path.join(name.as_str());
        Ok(Box::new(LocalUpload::begin(&self.place, &target, Some(&self.path), !self.begun_here)?))
    }

    fn link(&self, name: &Name, object: &Name) -> Result<bool> {
        name.not_root()?;
        if self.place.is_gone(&self.path) {
            return Err(no_draft(&self.name, &self.token));
        }
        let target = self.path.join(name.as_str());
        if let Some(folder) = target.parent().filter(|folder| **folder != self.path) {
            self.place.make_folders(folder, Some(&self.path))?;
        }
        match self.place.files.link(&self.place.path(object), &target) {
            Ok(()) => Ok(true),
            Err(e) if e.kind() == io::ErrorKind::Unsupported || is_absent(&e) => Ok(false),
            Err(e) => Err(failed("link", &target, &e)),
        }
    }

    fn publish(self: Box<Self>) -> Result<bool> {
        let lock = self.complete()?;
        let target = self.place.path(&self.name);
        let renamed = self.place.files.rename(&self.path, &target);
        drop(lock);
        match renamed {
            Ok(()) => {
                self.place.sync_names(&self.place.path(&self.name.folder()))?;
                Ok(true)
            }
            Err(e) if matches!(e.kind(), io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::AlreadyExists) => {
                match self.place.has_object(&target)? {
                    true => Ok(false),
                    false => Err(unfinished(&target)),
                }
            }
            Err(e) => Err(failed("rename", &self.path, &e)),
        }
    }

    fn replace(mut self: Box<Self>) -> Result<()> {
        let lock = self.complete()?;
        let place = self.place.clone();
        let files = &place.files;
        let target = place.path(&self.name);
        let old = replaced(&target);
        let moved = match place.folder_or_link(&target)? {
            Some(true) => {
                // Uploads that come while the old folder has the draft's name wait for its lock, and find then that they are late.
                let late = files.lock(&target, true).ok();
                if self.exchange(&target)? {
                    drop(lock);
                    place.sync_names(&place.path(&self.name.folder()))?;
                    // Now no loss of power brings the old folder back: what cannot be removed is removed when the unfinished is cleared.
                    let _ = place.remove_hidden(&self.path);
                    return Ok(());
                }
                drop(late);
                // The old name is free for the folder that is there: no loss of power confounds it with an older one.
                place.drop_replaced(&target)?;
                files.rename(&target, &old).map_err(|e| failed("rename", &target, &e))?;
                true
            }
            Some(false) => return Err(no_folder(&target)),
            None => false,
        };
        if let Err(e) = files.rename(&self.path, &target) {
            if moved {
                files.rename(&old, &target).map_err(|e| failed("rename", &old, &e))?;
            }
            return Err(failed("rename", &self.path, &e));
        }
        drop(lock);
        place.sync_names(&place.path(&self.name.folder()))?;
        // The new folder is there for good: an old one that cannot be removed now is removed when the unfinished is cleared.
        let _ = place.drop_replaced(&target);
        Ok(())
    }
}

impl Drop for LocalDraft {
    fn drop(&mut self) {
        // A draft that was published has its folder no more; one that stays has a reserved name.
        if self.begun_here {
            // Under another name no writer that has joined adds to it.
            let _ = match self.place.hide(&self.path) {
                Ok(hidden) => self.place.remove_hidden(&hidden),
                Err(_) => self.place.remove_hidden(&self.path),
            };
        }
    }
}

fn no_draft(folder: &Name, token: &str) -> Error {
    Error::input(format!("no draft {token:?} of {folder} is under way")).op("store")
}

fn no_folder(target: &Path) -> Error {
    Error::input(format!("{} is an object, so no folder can take its place", target.display()))
        .op("store")
        .help("a name is an object or a folder, not both")
}

fn unfinished(target: &Path) -> Error {
    Error::environment(format!("{} holds what a writer left unfinished", target.display()))
        .op("store")
        .help("clear the unfinished objects when no writer is there")
}
