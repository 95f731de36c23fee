use std::any::Any;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jarrah_base::{Error, ErrorKind, Result};

use crate::files::{FileKind, FileStatus, Files, Listed};
use crate::name::{Name, is_reserved};
use crate::store::ObjectVersion;

/// The folder of a store, and how it is made, walked, made durable and cleared.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    pub files: Arc<dyn Files>,
    /// Whether the names of the folders above the root are durable.
    anchored: OnceLock<()>,
    /// Whether the file system takes `A` for `a`.
    folds_case: OnceLock<bool>,
}

/// The kinds of reserved names that this store gives.
#[derive(Clone, Copy, Debug)]
pub enum Unfinished {
    /// An object that is being written.
    Object,
    /// A folder that is being removed.
    Removed,
}

/// The beginning of the name of a folder that is being replaced; its own name follows. The folder comes back under that if its replacement did not arrive.
const REPLACED: &str = ".jarrah-old-";
/// How often a folder is emptied that others still write to.
const ATTEMPTS: usize = 20;
/// How many symbolic links are followed, one behind the other, to find an object.
const MOST_LINKS: usize = 2;

/// The name that a folder called `name` has while it is being replaced.
pub fn replaced(folder: &Path) -> PathBuf {
    let mut name = OsString::from(REPLACED);
    name.push(folder.file_name().unwrap_or_default());
    folder.with_file_name(name)
}

impl Unfinished {
    const ALL: [Unfinished; 2] = [Unfinished::Object, Unfinished::Removed];

    fn prefix(self) -> &'static str {
        match self {
            Unfinished::Object => ".jarrah-object-",
            Unfinished::Removed => ".jarrah-removed-",
        }
    }

    pub fn name(self, token: u64) -> String {
        format!("{}{token:016x}", self.prefix())
    }
}

/// Whether a name is that of something unfinished, so that it may be removed when no writer is there.
fn is_unfinished(name: &str) -> bool {
    Unfinished::ALL.iter().any(|kind| name.starts_with(kind.prefix()))
        || name.starts_with(REPLACED)
        || name.contains(".orbax-checkpoint-tmp")
}

/// Whether a name is one that this store gives to something unfinished, with the token that it draws; `is_ours` takes the names of folders.
fn is_given(name: &str, is_ours: &dyn Fn(&str) -> bool) -> bool {
    let is_token = |token: &str| token.len() == 16 && token.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_draft = |(folder, token): (&str, &str)| is_ours(folder) && is_token(token);
    Unfinished::ALL.iter().any(|kind| name.strip_prefix(kind.prefix()).is_some_and(is_token))
        || name.strip_prefix(REPLACED).is_some_and(is_ours)
        || name.rsplit_once(".orbax-checkpoint-tmp-").is_some_and(is_draft)
}

impl Place {
    pub fn new(root: PathBuf, files: Arc<dyn Files>) -> Place {
        Place { root, files, anchored: OnceLock::new(), folds_case: OnceLock::new() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn path(&self, name: &Name) -> PathBuf {
        match name.is_root() {
            true => self.root.clone(),
            false => self.root.join(name.as_str()),
        }
    }

    /// The entries of a folder but for reserved names; none where there is no such folder.
    pub fn visible(&self, folder: &Path) -> Result<Vec<Listed>> {
        let mut listed = self.entries(folder)?;
        listed.retain(|entry| entry.name.to_str().is_some_and(|name| !is_reserved(name)));
        Ok(listed)
    }

    /// All entries of a folder; none where there is no such folder.
    fn entries(&self, folder: &Path) -> Result<Vec<Listed>> {
        match self.files.list(folder) {
            Ok(listed) => Ok(listed),
            Err(e) if is_absent(&e) => Ok(Vec::new()),
            Err(e) => Err(failed("read", folder, &e)),
        }
    }

    /// Whether an object is in a folder or below it.
    pub fn has_object(&self, folder: &Path) -> Result<bool> {
        self.has_object_behind(folder, 0)
    }

    /// As [`has_object`](Self::has_object), behind so many symbolic links: a few are followed, as they may lead in a circle.
    fn has_object_behind(&self, folder: &Path, links: usize) -> Result<bool> {
        let entries = self.visible(folder)?;
        if entries.iter().any(|entry| entry.kind == FileKind::File) {
            return Ok(true);
        }
        for entry in entries {
            let path = folder.join(&entry.name);
            // A symbolic link is what it leads to.
            let kind = match entry.kind {
                FileKind::Other => self.files.status(&path).map_or(FileKind::Other, |status| status.kind),
                kind => kind,
            };
            let links = links + usize::from(entry.kind == FileKind::Other);
            let is_near = links <= MOST_LINKS;
            if kind == FileKind::File
                || kind == FileKind::Folder && is_near && self.has_object_behind(&path, links)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether nothing has this name.
    pub fn is_gone(&self, path: &Path) -> bool {
        self.files.status(path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound)
    }

    /// Makes a folder and those above it that are missing, but for the folder of a draft: one that is gone stays so.
    pub fn make_folders(&self, folder: &Path, draft: Option<&Path>) -> Result<()> {
        let error = match self.files.create_folder(folder) {
            Ok(()) => return Ok(()),
            Err(e) => e,
        };
        match (error.kind(), folder.parent()) {
            (io::ErrorKind::NotFound, Some(parent)) if draft != Some(parent) => {
                self.make_folders(parent, draft)?;
                match self.files.create_folder(folder) {
                    Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(failed("create", folder, &e)),
                    _ => Ok(()),
                }
            }
            _ => match self.files.status(folder) {
                Ok(status) if status.kind == FileKind::Folder => Ok(()),
                Ok(_) => Err(Error::input(format!("{} is an object, so it is no folder", folder.display()))
                    .op("store")
                    .help("a name is an object or a folder, not both")),
                // A link to nothing has the name, or the folder cannot be asked for.
                Err(e) if error.kind() == io::ErrorKind::AlreadyExists => Err(failed("read", folder, &e)),
                Err(_) => Err(failed("create", folder, &error)),
            },
        }
    }

    /// Makes the names in a folder durable, and those of the folders down to it.
    pub fn sync_names(&self, folder: &Path) -> Result<()> {
        for above in folder.ancestors() {
            let within = above.starts_with(&self.root);
            if !within && self.anchored.get().is_some() {
                return Ok(());
            }
            match self.files.sync_folder(above) {
                Ok(()) => {}
                // A folder above the root that belongs to others, and a file system that takes no such wish.
                Err(e) if !within && is_refusal(&e) => break,
                Err(e) if e.kind() == io::ErrorKind::InvalidInput => {}
                Err(e) => return Err(failed("sync", above, &e)),
            }
        }
        self.anchored.get_or_init(|| ());
        Ok(())
    }

    /// The lock of a folder; none where the file system has no locks and the lock need not be exclusive.
    pub fn lock(&self, folder: &Path, exclusive: bool) -> Result<Option<Box<dyn Any + Send>>> {
        match self.files.lock(folder, exclusive) {
            Ok(lock) => Ok(Some(lock)),
            Err(e) if e.kind() == io::ErrorKind::Unsupported && !exclusive => Ok(None),
            Err(e) if e.kind() == io::ErrorKind::Unsupported => Err(Error::environment(format!(
                "the file system of {} has no locks",
                folder.display()
            ))
            .op("store")
            .help("keep this store on a disk of this machine: objects are replaced under a condition there")),
            Err(e) => Err(failed("lock", folder, &e)),
        }
    }

    /// The kind of the entry that has a name, where there is one: a link is none of a file or a folder.
    pub fn own_kind(&self, path: &Path) -> Result<Option<FileKind>> {
        let listed = self.entries(path.parent().unwrap_or(&self.root))?;
        Ok(listed.into_iter().find(|entry| Some(&*entry.name) == path.file_name()).map(|entry| entry.kind))
    }

    /// Whether the entry that has a name is a folder, or a link to one or to nothing; nothing where there is no entry.
    pub fn folder_or_link(&self, path: &Path) -> Result<Option<bool>> {
        let is_folder = |kind| match (kind, self.files.status(path)) {
            (FileKind::Other, Ok(status)) => Ok(status.kind == FileKind::Folder),
            (FileKind::Other, Err(e)) if !is_absent(&e) => Err(failed("read", path, &e)),
            (kind, _) => Ok(kind != FileKind::File),
        };
        self.own_kind(path)?.map(is_folder).transpose()
    }

    /// Removes an entry of this kind: a folder with all in it, a link without what it leads to.
    fn remove_entry(&self, path: &Path, kind: FileKind) -> Result<()> {
        match kind {
            FileKind::Folder => self.remove_tree(path),
            FileKind::File | FileKind::Other => gone(self.files.remove_file(path), path),
        }
    }

    /// Removes what has a reserved name, if it is there.
    pub fn remove_hidden(&self, hidden: &Path) -> Result<()> {
        match self.own_kind(hidden)? {
            Some(kind) => self.remove_entry(hidden, kind),
            None => Ok(()),
        }
    }

    /// Removes a folder, which is no link, and all in it.
    pub fn remove_tree(&self, folder: &Path) -> Result<()> {
        // A writer that does not know yet that the folder is going may add to it.
        let mut attempts = 0;
        loop {
            for entry in self.entries(folder)? {
                let path = folder.join(&entry.name);
                self.remove_entry(&path, entry.kind)?;
            }
            attempts += 1;
            match self.files.remove_folder(folder) {
                Err(e) if e.kind() == io::ErrorKind::DirectoryNotEmpty && attempts < ATTEMPTS => {}
                removed => return gone(removed, folder),
            }
        }
    }

    /// Gives a folder a name under which it is removed, for good, and gives that name. Then the first of its files may be removed: no loss of power brings back half
    /// of it.
    pub fn hide(&self, folder: &Path) -> io::Result<PathBuf> {
        let hidden = folder.with_file_name(Unfinished::Removed.name(self.files.token()));
        self.files.rename(folder, &hidden)?;
        Ok(hidden)
    }

    /// Makes the names in a folder durable.
    pub fn sync(&self, folder: &Path) -> Result<()> {
        self.files.sync_folder(folder).map_err(|e| failed("sync", folder, &e))
    }

    /// Removes the folder that `folder` replaced, where it is there still: it does not come back.
    pub fn drop_replaced(&self, folder: &Path) -> Result<()> {
        let old = replaced(folder);
        let hidden = match self.hide(&old) {
            Err(e) if is_absent(&e) => return Ok(()),
            hidden => hidden.map_err(|e| failed("rename", &old, &e))?,
        };
        self.sync(old.parent().unwrap_or(&self.root))?;
        self.remove_hidden(&hidden)
    }

    /// Brings back the folders whose replacements did not arrive.
    fn bring_back(&self, folder: &Path, is_ours: &dyn Fn(&str) -> bool) -> Result<()> {
        for entry in self.entries(folder)? {
            let name = entry.name.to_str().and_then(|name| name.strip_prefix(REPLACED));
            let Some(path) =
                name.filter(|name| !name.is_empty() && is_ours(name)).map(|name| folder.join(name))
            else {
                continue;
            };
            if entry.kind != FileKind::File && self.own_kind(&path)?.is_none() {
                let old = folder.join(&entry.name);
                self.files.rename(&old, &path).map_err(|e| failed("rename", &old, &e))?;
                self.sync(folder)?;
            }
        }
        Ok(())
    }

    /// Removes what is unfinished in a folder and below it, and says whether anything is left there.
    pub fn clear(&self, folder: &Path) -> Result<bool> {
        self.bring_back(folder, &|_| true)?;
        let (mut left, mut is_durable) = (false, false);
        for entry in self.entries(folder)? {
            let path = folder.join(&entry.name);
            let unfinished = entry.name.to_str().is_some_and(is_unfinished);
            // The writer may have been killed before the name that it gave was durable: a loss of power must not bring back the one before.
            if entry.kind == FileKind::Folder && unfinished && !std::mem::replace(&mut is_durable, true) {
                self.sync(folder)?;
            }
            match entry.kind {
                kind if unfinished => self.remove_entry(&path, kind)?,
                FileKind::Folder if self.clear(&path)? => left = true,
                FileKind::Folder => gone(self.files.remove_folder(&path), &path)?,
                FileKind::File | FileKind::Other => left = true,
            }
        }
        Ok(left)
    }

    /// Removes what writers through this store left unfinished directly in a folder: drafts of folders of the names that `is_ours` takes, and entries with other names
    /// that this store gives.
    pub fn clear_entries(&self, folder: &Path, is_ours: &dyn Fn(&str) -> bool) -> Result<()> {
        self.bring_back(folder, is_ours)?;
        let mut is_durable = false;
        for entry in self.entries(folder)? {
            if entry.name.to_str().is_some_and(|name| is_given(name, is_ours)) {
                // As in `clear`: the names that are there stay so.
                if !std::mem::replace(&mut is_durable, true) {
                    self.sync(folder)?;
                }
                self.remove_entry(&folder.join(&entry.name), entry.kind)?;
            }
        }
        Ok(())
    }

    /// Checks that no part of a path stands on the disk in other letters, where the file system takes them for the same. `known` is a file that is there.
    pub fn check_letters(&self, path: &Path, known: &Path) -> Result<()> {
        let folds = *self.folds_case.get_or_init(|| {
            let upper = known.file_name().and_then(|name| name.to_str()).map(str::to_uppercase);
            upper.is_some_and(|upper| self.files.status(&known.with_file_name(upper)).is_ok())
        });
        let parts = path.ancestors().take_while(|part| *part != self.root && part.starts_with(&self.root));
        for part in parts.filter(|_| folds) {
            let (Some(folder), Some(name)) = (part.parent(), part.file_name()) else { continue };
            if self.files.status(part).is_ok()
                && !self.entries(folder)?.iter().any(|entry| entry.name == name)
            {
                return Err(Error::input(format!("{} is there in other letters", part.display()))
                    .op("store")
                    .help("this file system does not tell A from a: choose another name"));
            }
        }
        Ok(())
    }
}

fn gone(removed: io::Result<()>, path: &Path) -> Result<()> {
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed("remove", path, &e)),
        _ => Ok(()),
    }
}

/// Whether an error says that nothing has this name; no file can have one that the file system does not take.
pub fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind as Io;
    matches!(error.kind(), Io::NotFound | Io::NotADirectory | Io::InvalidFilename)
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput)
}

/// The error of an operation on a file: a name that cannot be is the caller's fault, the rest the machine's.
pub fn failed(action: &str, path: &Path, error: &io::Error) -> Error {
    use io::ErrorKind as Io;
    let kind = match error.kind() {
        Io::InvalidFilename | Io::InvalidInput | Io::NotADirectory | Io::IsADirectory => ErrorKind::Input,
        _ => ErrorKind::Environment,
    };
    let failed = Error::new(kind, format!("cannot {action} {}: {error}", path.display())).op("store");
    match error.kind() {
        Io::StorageFull | Io::QuotaExceeded | Io::FileTooLarge => {
            failed.help("free some space; the objects that are there are whole")
        }
        Io::InvalidFilename => failed.help(
            "choose a shorter name: most file systems take 255 bytes a part, and a folder that is being written has 38 more than its name",
        ),
        Io::NotADirectory => failed.help("a name is an object or a folder, not both"),
        Io::PermissionDenied | Io::ReadOnlyFilesystem => failed.help("choose a folder that you may write"),
        _ => failed,
    }
}

/// The version of the object in a file.
pub fn version(status: &FileStatus) -> ObjectVersion {
    let nanoseconds = match status.modified.duration_since(std::time::UNIX_EPOCH) {
        Ok(since) => since.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    };
    ObjectVersion(format!("{:x}-{nanoseconds:x}-{:x}", status.number, status.len))
}
