//! Objects as files of a file system.

mod draft;
mod place;
mod upload;

use std::io;
use std::ops::Range;
use std::path::{self, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, HostView, MappedFile, Result};

use crate::files::{Disk, FileKind, FileReader, Files};
use crate::name::Name;
use crate::store::{Draft, Entry, EntryKind, Object, ObjectStore, ObjectVersion, Upload, past_the_end};
use draft::LocalDraft;
use place::{Place, failed, is_absent, version};
use upload::LocalUpload;

/// A store in a folder of a file system: its objects are files, its folders are folders.
///
/// **Whole or not at all.** An object is written to a file with a reserved name beside its own and gets its own name once it is durable. A [`Draft`] is a folder
/// called `NAME.orbax-checkpoint-tmp-TOKEN` beside its own name, which Orbax passes over; the files in it become durable when it is published. A folder that is
/// replaced exchanges its name with the draft; where the file system cannot do that, it is called `.jarrah-old-NAME` until the draft has its name; [`clear_unfinished`](ObjectStore::clear_unfinished) brings it back where that did not come about. `finish`,
/// `publish`, `replace`, `delete` and `delete_folder` return when power may be lost.
///
/// **Conditions.** [`Absent`](crate::Condition::Absent) holds for one of all writers, in whatever process, for the file system gives a name once.
/// [`Unchanged`](crate::Condition::Unchanged) is checked and acted upon under a lock of the folder that the object stands in, which every writer and remover of an
/// object takes: it is exact among all processes that write through this type, and knows nothing of those that write files there by other means. Where the file
/// system has no locks, `Unchanged` is an error.
///
/// **Versions.** A version is the file's number, its time of change and its length. Each object is a new file, whose time is set to a random part of the second
/// before its end; so a version changes with the bytes though the clock stands still or goes back and the file system gives a number again.
///
/// **Folders.** A folder is there when there is an object in it or below it: empty folders are passed over, and [`clear_unfinished`](ObjectStore::clear_unfinished) removes
/// them. A name is an object or a folder, not both. A symbolic link is read as what it leads to; where it is removed or replaced, that stays as it is.
///
/// ```
/// use jarrah_store::{Condition, LocalStore, Name, ObjectStore};
/// let root = std::env::temp_dir().join(format!("local-store-{}", std::process::id()));
/// let store = LocalStore::new(&root)?;
/// let mut upload = store.create(&Name::new("runs/1")?)?;
/// upload.write(b"whole")?;
/// assert!(upload.finish(Condition::Absent)?.is_some());
/// assert_eq!(std::fs::read(root.join("runs/1"))?, b"whole");
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LocalStore {
    place: Arc<Place>,
}

impl LocalStore {
    /// The store in a folder of this machine, which the first object makes if it is missing.
    ///
    /// # Errors
    /// The path is empty (`Input`), or relative in a working folder that is gone (`Environment`).
    pub fn new(root: impl AsRef<Path>) -> Result<LocalStore> {
        let root = root.as_ref();
        let absolute = path::absolute(root).map_err(|e| failed("find", root, &e))?;
        Ok(LocalStore::with_files(absolute, Arc::new(Disk)))
    }

    /// The store in a folder of another file system, by its path from the root of that.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use jarrah_store::{LocalStore, Name, SimulatedDisk, ObjectStore};
    /// let store = LocalStore::with_files("/store", Arc::new(SimulatedDisk::new()));
    /// assert!(store.list(&Name::root())?.is_empty());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn with_files(root: impl AsRef<Path>, files: Arc<dyn Files>) -> LocalStore {
        LocalStore { place: Arc::new(Place::new(root.as_ref().to_owned(), files)) }
    }

    /// As [`clear_unfinished`](ObjectStore::clear_unfinished), in a folder that others use, too: removes what writers through this store left directly in it, and brings
    /// back what they were replacing. Drafts are those of folders whose names `is_ours` takes. All else stays: empty folders, and drafts of other programs.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    pub fn clear_entries(&self, folder: &Name, is_ours: impl Fn(&str) -> bool) -> Result<()> {
        self.place.clear_entries(&self.place.path(folder), &is_ours)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        self.place.root()
    }
}

impl ObjectStore for LocalStore {
    fn shown(&self, name: &Name) -> PathBuf {
        self.place.path(name)
    }

    fn open(&self, name: &Name) -> Result<Option<Box<dyn Object>>> {
        let path = self.place.path(name);
        let opened = self.place.files.open(&path).and_then(|file| Ok((file.status()?, file)));
        match opened {
            Ok((status, file)) if status.kind == FileKind::File => {
                let object = LocalObject {
                    file,
                    len: status.len,
                    version: version(&status),
                    path,
                    mapped: OnceLock::new(),
                };
                Ok(Some(Box::new(object)))
            }
            Ok(_) => Ok(None),
            Err(e) if is_absent(&e) => Ok(None),
            Err(e) => Err(failed("open", &path, &e)),
        }
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        name.not_root()?;
        Ok(Box::new(LocalUpload::begin(&self.place, &self.place.path(name), None, false)?))
    }

    fn list(&self, folder: &Name) -> Result<Vec<Entry>> {
        let path = self.place.path(folder);
        let mut entries = Vec::new();
        for listed in self.place.visible(&path)? {
            let Ok(name) = listed.name.into_string() else { continue };
            let below = path.join(&name);
            let status = match self.place.files.status(&below) {
                Ok(status) => status,
                // It was removed since, or is a symbolic link to nothing.
                Err(e) if is_absent(&e) => continue,
                Err(e) => return Err(failed("read", &below, &e)),
            };
            match status.kind {
                FileKind::File => entries.push(Entry { name, kind: EntryKind::Object(status.len) }),
                FileKind::Folder if self.place.has_object(&below)? => {
                    entries.push(Entry { name, kind: EntryKind::Folder });
                }
                FileKind::Folder | FileKind::Other => {}
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn delete(&self, name: &Name) -> Result<bool> {
        let path = self.place.path(name);
        match self.place.files.status(&path) {
            Ok(status) if status.kind == FileKind::File => {}
            Ok(_) => return Ok(false),
            Err(e) if is_absent(&e) => return Ok(false),
            Err(e) => return Err(failed("remove", &path, &e)),
        }
        let folder = self.place.path(&name.folder());
        let lock = match self.place.lock(&folder, false) {
            Err(_) if self.place.is_gone(&folder) => return Ok(false),
            lock => lock?,
        };
        match self.place.files.remove_file(&path) {
            Err(e) if is_absent(&e) => return Ok(false),
            removed => removed.map_err(|e| failed("remove", &path, &e))?,
        }
        drop(lock);
        match self.place.files.sync_folder(&folder) {
            // The folder was removed since, and the object's name with it.
            Err(_) if self.place.is_gone(&folder) => Ok(true),
            synced => synced.map(|()| true).map_err(|e| failed("sync", &folder, &e)),
        }
    }

    fn draft(&self, folder: &Name) -> Result<Box<dyn Draft>> {
        Ok(Box::new(LocalDraft::begin(&self.place, folder)?))
    }

    fn join_draft(&self, folder: &Name, token: &str) -> Result<Box<dyn Draft>> {
        Ok(Box::new(LocalDraft::join(&self.place, folder, token)?))
    }

    fn folders(&self, folder: &Name) -> Result<Vec<String>> {
        let entries = self.list(folder)?.into_iter();
        Ok(entries.filter(|entry| entry.kind == EntryKind::Folder).map(|entry| entry.name).collect())
    }

    fn delete_folder(&self, folder: &Name) -> Result<bool> {
        folder.not_root()?;
        let path = self.place.path(folder);
        if !self.place.has_object(&path)? {
            return Ok(false);
        }
        // A folder that was replaced, and could not be removed then, would come back.
        self.place.drop_replaced(&path)?;
        let hidden = match self.place.hide(&path) {
            Err(e) if is_absent(&e) => return Ok(false),
            hidden => hidden.map_err(|e| failed("rename", &path, &e))?,
        };
        self.place.sync(&self.place.path(&folder.folder()))?;
        self.place.remove_hidden(&hidden)?;
        Ok(true)
    }

    fn clear_unfinished(&self, folder: &Name) -> Result<()> {
        self.place.clear(&self.place.path(folder)).map(drop)
    }
}

struct LocalObject {
    file: Box<dyn FileReader>,
    len: u64,
    version: ObjectVersion,
    path: PathBuf,
    mapped: OnceLock<Option<Arc<MappedFile>>>,
}

/// Some bytes of a mapped file.
struct Part {
    file: Arc<MappedFile>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.file[self.range.clone()]
    }
}

impl Object for LocalObject {
    fn len(&self) -> u64 {
        self.len
    }

    fn version(&self) -> &ObjectVersion {
        &self.version
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let end = offset.checked_add(bytes.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(past_the_end(offset, bytes.len(), self.len));
        }
        self.file.read_at(offset, bytes).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => Error::environment(format!(
                "{} was cut short while it was read: it had {} bytes when it was opened",
                self.path.display(),
                self.len
            ))
            .op("store")
            .help("objects are replaced, never changed: look for a program that writes this file in place"),
            _ => failed("read", &self.path, &e),
        })
    }

    fn mapped(&self, range: Range<u64>) -> Option<HostView> {
        let file = self.mapped.get_or_init(|| self.file.map().map(Arc::new)).clone()?;
        let range = usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?;
        file.get(range.clone())?;
        file.will_need(range.clone());
        Some(HostView::new(Part { file, range }))
    }
}
