//! A directory of checkpoints as its writer sees it.

use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jarrah_base::{Error, Result};
use jarrah_store::{Draft, FileKind, Files, LocalStore, Name, ObjectStore};

use crate::folder::Folder;
use crate::items::CheckpointItems;
use crate::layout::{self, Hidden, StepNames};
use crate::manifest::Content;
use crate::meeting::{self, Meeting};
use crate::orbax_layout::{Begin, Links, Recorder, Writing};
use crate::processes::Processes;
use crate::together::{PART, Together};
use crate::versions::check;

/// The beginning of the name of the file by which a process tells that it has read the step that is restored.
pub const READ: &str = "read_";

/// The name of the meeting of a restore.
pub fn restore_name(number: u64) -> String {
    format!("restore_{number}")
}

pub struct Directory {
    /// The path as it was given, which errors name.
    path: PathBuf,
    root: PathBuf,
    files: Arc<dyn Files>,
    store: LocalStore,
    names: StepNames,
}

impl Directory {
    pub fn new(path: &Path, names: StepNames, files: Arc<dyn Files>) -> Result<Directory> {
        let root = path::absolute(path).map_err(|e| failed("find", path, &e))?;
        let store = LocalStore::with_files(&root, files.clone());
        Ok(Directory { path: path.to_owned(), root, files, store, names })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder as a store.
    pub fn store(&self) -> &dyn ObjectStore {
        &self.store
    }

    /// The names of the folders of steps.
    pub fn names(&self) -> &StepNames {
        &self.names
    }

    /// The folder of a step.
    pub fn folder(&self, step: u64) -> PathBuf {
        self.path.join(self.names.name(step))
    }

    /// The steps that have a folder, in order.
    pub fn steps(&self) -> Result<Vec<u64>> {
        let listed = match self.files.list(&self.root) {
            Ok(listed) => listed,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(failed("read", &self.path, &e)),
        };
        let is_folder = |name: &str, kind: FileKind| match kind {
            FileKind::Other => {
                self.files.status(&self.root.join(name)).is_ok_and(|status| status.kind == FileKind::Folder)
            }
            kind => kind == FileKind::Folder,
        };
        let step = |listed: jarrah_store::Listed| {
            let name = listed.name.into_string().ok()?;
            self.names.parse(&name).filter(|_| is_folder(&name, listed.kind))
        };
        let mut steps: Vec<u64> = listed.into_iter().filter_map(step).collect();
        steps.sort_unstable();
        Ok(steps)
    }

    /// The checkpoints that are whole but for the bytes of their tensors, in the order of their steps.
    pub fn good(&self) -> Result<Vec<Content>> {
        let mut good = Vec::new();
        for step in self.steps()? {
            let name = Name::new(self.names.name(step))?;
            let content = check(&Folder::new(&self.store, name, self.folder(step)));
            good.extend(content.ok().map(|(content, _)| content).filter(|content| content.step == step));
        }
        Ok(good)
    }

    /// Writes a checkpoint, in the place of one of this step that is there, and gives the bytes written; on an error the one that was there stays. Several
    /// processes write it together, with the number of the save and how long they wait for each other. Shards of `least` bytes and more that are as in the newest
    /// checkpoint are links to its files.
    pub fn write(
        &self,
        items: &CheckpointItems,
        together: Option<(&Processes, u64, Duration)>,
        least: Option<usize>,
    ) -> Result<u64> {
        let folder = self.names.name(items.step());
        let may_write = || self.only_ours(&folder, "replaced");
        let name = Name::new(folder.as_str())?;
        if let Some((processes, save, patience)) = together {
            let (store, files, may_write) = (&self.store, &*self.files, &may_write);
            let before = if processes.is_first() { self.before(least)? } else { None };
            let together = Together { store, files, processes, save, patience, least, before, may_write };
            return together.write(&name, items);
        }
        may_write()?;
        let writing = Writing::new(items, Begin::now(&*self.files))?;
        let draft = Recorder::new(self.store.draft(&name)?);
        let before = self.before(least)?;
        let links = least.map(|least| Links::new(&self.store, before.as_deref(), least)).transpose()?;
        let part = writing.part(&draft, 0, 1, links.as_ref())?;
        let bytes = writing.complete(&draft, vec![part], &*self.files)?;
        Box::new(draft).replace()?;
        Ok(bytes)
    }

    /// Removes what the processes told each other, behind the last save of process 0 and the restore that followed, once all have read its words.
    pub fn leave(&self, processes: &Processes, save: Option<u64>, restore: Option<u64>) -> Result<()> {
        let meeting = |name: &str| Meeting::new(&self.store, processes.session(), name, 0, Duration::ZERO);
        if let Some(number) = save {
            meeting(&number.to_string())?.wait_for(PART, 0)?;
        }
        if let Some(number) = restore {
            meeting(&restore_name(number))?.wait_for(READ, processes.count() - 1)?;
        }
        meeting::clear(&self.store)
    }

    /// The folder of the newest checkpoint, where files may be links to its files.
    fn before(&self, least: Option<usize>) -> Result<Option<String>> {
        let newest = if least.is_some() { self.steps()?.pop() } else { None };
        Ok(newest.map(|step| self.names.name(step)))
    }

    /// Removes the checkpoint of a step: at no moment is half of it to be seen.
    pub fn remove(&self, step: u64) -> Result<()> {
        let folder = self.names.name(step);
        self.only_ours(&folder, "removed")?;
        let name = Name::new(folder.as_str())?;
        if !self.store.delete_folder(&name)? {
            // A folder without files is none of a store.
            let path = self.root.join(&folder);
            match self.is_link(&folder)? {
                true => self.remove_entry(&path, FileKind::Other)?,
                false => self.remove_tree(&path)?,
            }
        }
        Ok(())
    }

    /// Whether an entry of the directory is a symbolic link: removing it leaves what it leads to as it is.
    fn is_link(&self, folder: &str) -> Result<bool> {
        match self.files.list(&self.root) {
            Ok(listed) => {
                Ok(listed.iter().any(|entry| entry.name == *folder && entry.kind == FileKind::Other))
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(e) => Err(failed("read", &self.path, &e)),
        }
    }

    /// Checks that a folder of the directory, if it is there, holds nothing but the files of a checkpoint.
    fn only_ours(&self, folder: &str, action: &str) -> Result<()> {
        if self.is_link(folder)? {
            return Ok(());
        }
        match self.other(folder, "")? {
            None => Ok(()),
            Some(other) => Err(Error::environment(format!(
                "{} is not {action}: it holds {other}",
                self.path.join(folder).display()
            ))
            .help("move that file elsewhere")),
        }
    }

    /// The path of a file or folder below `below` in a folder of the directory, if there is one that no checkpoint has.
    fn other(&self, folder: &str, below: &str) -> Result<Option<String>> {
        let path = self.root.join(folder).join(below);
        let listed = match self.files.list(&path) {
            Ok(listed) => listed,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(failed("read", &path, &e)),
        };
        for entry in listed {
            let shown = entry.name.to_string_lossy();
            let file = if below.is_empty() { shown.into_owned() } else { format!("{below}/{shown}") };
            let other = match entry.kind {
                FileKind::Folder if layout::is_our_folder(&file) => self.other(folder, &file)?,
                FileKind::File if layout::is_ours(&file) => None,
                _ => Some(file),
            };
            if other.is_some() {
                return Ok(other);
            }
        }
        Ok(None)
    }

    /// Ends what a killed writer began: a replaced checkpoint whose successor never came returns, the rest goes. No other writer is there.
    pub fn clear(&self) -> Result<()> {
        let listed = match self.files.list(&self.root) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            listed => listed.map_err(|e| failed("read", &self.path, &e))?,
        };
        for entry in listed {
            let Some(name) = entry.name.to_str() else { continue };
            let Some((reason, step)) = Hidden::parse(name) else { continue };
            let (hidden, path) = (self.root.join(name), self.root.join(self.names.name(step)));
            let is_gone = self.files.status(&path).is_err_and(|e| e.kind() == io::ErrorKind::NotFound);
            if reason == Hidden::Replaced && is_gone {
                self.files.rename(&hidden, &path).map_err(|e| failed("rename", &hidden, &e))?;
                self.sync()?;
            } else if entry.kind == FileKind::Other || self.other(name, "")?.is_none() {
                // The names are made durable first, lest a loss of power bring back half of a checkpoint.
                self.sync()?;
                self.remove_entry(&hidden, entry.kind)?;
            }
        }
        meeting::clear(&self.store)?;
        self.store.clear_entries(&Name::root(), |name| self.names.parse(name).is_some())
    }

    fn sync(&self) -> Result<()> {
        self.files.sync_folder(&self.root).map_err(|e| failed("sync", &self.path, &e))
    }

    /// Removes a folder, which is no link, and all in it.
    fn remove_tree(&self, folder: &Path) -> Result<()> {
        for entry in self.files.list(folder).map_err(|e| failed("read", folder, &e))? {
            self.remove_entry(&folder.join(&entry.name), entry.kind)?;
        }
        removed(folder, self.files.remove_folder(folder))
    }

    /// Removes an entry of this kind: a folder with all in it, a link without what it leads to.
    fn remove_entry(&self, path: &Path, kind: FileKind) -> Result<()> {
        match kind {
            FileKind::Folder => self.remove_tree(path),
            FileKind::File | FileKind::Other => removed(path, self.files.remove_file(path)),
        }
    }
}

fn removed(path: &Path, removed: io::Result<()>) -> Result<()> {
    match removed {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(failed("remove", path, &e)),
        _ => Ok(()),
    }
}

/// A failed operation: the machine's fault, whatever the operating system calls it.
fn failed(action: &str, path: &Path, error: &io::Error) -> Error {
    let failed = Error::environment(format!("cannot {action} {}: {error}", path.display()));
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => failed
            .help("free some space; the checkpoints that are there are whole, and the next one is tried as usual"),
        _ => failed,
    }
}
