use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jarrah_base::{Error, Result};

use crate::name::Name;
use crate::store::{
    Condition, Draft, Entry, EntryKind, Object, ObjectStore, ObjectVersion, Upload, past_the_end,
};

/// A store in memory, which ends with its last handle.
///
/// ```
/// use jarrah_store::{Condition, MemoryStore, Name, ObjectStore};
/// let store = MemoryStore::new();
/// let name = Name::new("a/b")?;
/// let mut upload = store.create(&name)?;
/// upload.write(b"one")?;
/// let first = upload.finish(Condition::Absent)?.expect("there was none");
/// // Another writer that saw none comes too late.
/// assert_eq!(store.create(&name)?.finish(Condition::Absent)?, None);
/// assert!(store.create(&name)?.finish(Condition::Unchanged(first))?.is_some());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct MemoryStore {
    shared: Arc<Mutex<Content>>,
}

#[derive(Default, Debug)]
struct Content {
    objects: BTreeMap<Name, MemoryObject>,
    /// The objects of drafts, by the token and the name below the folder.
    drafts: BTreeMap<String, BTreeMap<Name, MemoryObject>>,
    count: u64,
}

#[derive(Clone, Debug)]
struct MemoryObject {
    bytes: Arc<Vec<u8>>,
    version: ObjectVersion,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    fn next(&mut self) -> String {
        self.count += 1;
        self.count.to_string()
    }

    /// The objects of a folder and of the folders in it.
    fn below<'c>(&'c self, folder: &Name) -> impl Iterator<Item = (&'c str, &'c MemoryObject)> {
        let prefix = if folder.is_root() { String::new() } else { format!("{folder}/") };
        self.objects
            .iter()
            .filter_map(move |(name, object)| Some((name.as_str().strip_prefix(prefix.as_str())?, object)))
    }

    /// Removes the objects of a folder, and says whether there were any.
    fn remove_folder(&mut self, folder: &Name) -> Result<bool> {
        let names: Vec<Name> =
            self.below(folder).map(|(below, _)| folder.join(below)).collect::<Result<_>>()?;
        names.iter().for_each(|name| drop(self.objects.remove(name)));
        Ok(!names.is_empty())
    }

    fn publish(&mut self, folder: &Name, objects: BTreeMap<Name, MemoryObject>) {
        self.objects.extend(objects.into_iter().map(|(name, object)| (folder.with(&name), object)));
    }
}

impl ObjectStore for MemoryStore {
    fn open(&self, name: &Name) -> Result<Option<Box<dyn Object>>> {
        let object = self.content().objects.get(name).cloned();
        Ok(object.map(|object| Box::new(object) as Box<dyn Object>))
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        name.not_root()?;
        Ok(Box::new(MemoryUpload { store: self.clone(), draft: None, name: name.clone(), bytes: Vec::new() }))
    }

    fn list(&self, folder: &Name) -> Result<Vec<Entry>> {
        let mut entries: BTreeMap<String, EntryKind> = BTreeMap::new();
        for (below, object) in self.content().below(folder) {
            let (name, kind) = match below.split_once('/') {
                Some((name, _)) => (name, EntryKind::Folder),
                None => (below, EntryKind::Object(object.len())),
            };
            entries.insert(name.to_owned(), kind);
        }
        Ok(entries.into_iter().map(|(name, kind)| Entry { name, kind }).collect())
    }

    fn delete(&self, name: &Name) -> Result<bool> {
        Ok(self.content().objects.remove(name).is_some())
    }

    fn draft(&self, folder: &Name) -> Result<Box<dyn Draft>> {
        folder.not_root()?;
        let mut content = self.content();
        let token = content.next();
        content.drafts.insert(token.clone(), BTreeMap::new());
        Ok(Box::new(MemoryDraft { store: self.clone(), folder: folder.clone(), token, begun_here: true }))
    }

    fn join_draft(&self, folder: &Name, token: &str) -> Result<Box<dyn Draft>> {
        if !self.content().drafts.contains_key(token) {
            return Err(Error::input(format!("no draft {token:?} of {folder} is under way")).op("store"));
        }
        let (folder, token) = (folder.clone(), token.to_owned());
        Ok(Box::new(MemoryDraft { store: self.clone(), folder, token, begun_here: false }))
    }

    fn folders(&self, folder: &Name) -> Result<Vec<String>> {
        let entries = self.list(folder)?.into_iter();
        Ok(entries.filter(|entry| entry.kind == EntryKind::Folder).map(|entry| entry.name).collect())
    }

    fn delete_folder(&self, folder: &Name) -> Result<bool> {
        folder.not_root()?;
        self.content().remove_folder(folder)
    }

    fn clear_unfinished(&self, _: &Name) -> Result<()> {
        // Drafts end with their handles.
        Ok(())
    }
}

impl Object for MemoryObject {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn version(&self) -> &ObjectVersion {
        &self.version
    }

    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let begin = usize::try_from(offset).ok();
        let from = begin.and_then(|begin| self.bytes.get(begin..begin.checked_add(bytes.len())?));
        let from = from.ok_or_else(|| past_the_end(offset, bytes.len(), self.len()))?;
        bytes.copy_from_slice(from);
        Ok(())
    }
}

struct MemoryUpload {
    store: MemoryStore,
    draft: Option<String>,
    name: Name,
    bytes: Vec<u8>,
}

impl Upload for MemoryUpload {
    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn finish(self: Box<Self>, condition: Condition) -> Result<Option<ObjectVersion>> {
        let mut content = self.store.content();
        let version = ObjectVersion(content.next());
        let objects = match &self.draft {
            None => &mut content.objects,
            Some(token) => content.drafts.get_mut(token).ok_or_else(|| {
                Error::input(format!("the draft of {} was published or dropped", self.name)).op("store")
            })?,
        };
        let holds = match (&condition, objects.get(&self.name)) {
            (Condition::Always, _) | (Condition::Absent, None) => true,
            (Condition::Unchanged(version), Some(object)) => object.version == *version,
            (Condition::Absent, Some(_)) | (Condition::Unchanged(_), None) => false,
        };
        if !holds {
            return Ok(None);
        }
        let object = MemoryObject { bytes: Arc::new(self.bytes), version: version.clone() };
        objects.insert(self.name, object);
        Ok(Some(version))
    }
}

#[derive(Debug)]
struct MemoryDraft {
    store: MemoryStore,
    folder: Name,
    token: String,
    begun_here: bool,
}

impl Draft for MemoryDraft {
    fn token(&self) -> &str {
        &self.token
    }

    fn create(&self, name: &Name) -> Result<Box<dyn Upload>> {
        name.not_root()?;
        let draft = Some(self.token.clone());
        Ok(Box::new(MemoryUpload { store: self.store.clone(), draft, name: name.clone(), bytes: Vec::new() }))
    }

    fn link(&self, name: &Name, object: &Name) -> Result<bool> {
        name.not_root()?;
        let mut content = self.store.content();
        let Some(object) = content.objects.get(object).cloned() else { return Ok(false) };
        let objects = content.drafts.get_mut(&self.token).ok_or_else(|| {
            Error::input(format!("the draft of {name} was published or dropped")).op("store")
        })?;
        match objects.contains_key(name) {
            true => Err(Error::environment(format!("the draft has an object {name} already")).op("store")),
            false => {
                objects.insert(name.clone(), object);
                Ok(true)
            }
        }
    }

    fn publish(self: Box<Self>) -> Result<bool> {
        let mut content = self.store.content();
        let objects = content.drafts.remove(&self.token).unwrap_or_default();
        if content.below(&self.folder).next().is_some() {
            return Ok(false);
        }
        content.publish(&self.folder, objects);
        Ok(true)
    }

    fn replace(self: Box<Self>) -> Result<()> {
        let mut content = self.store.content();
        let objects = content.drafts.remove(&self.token).unwrap_or_default();
        content.remove_folder(&self.folder)?;
        content.publish(&self.folder, objects);
        Ok(())
    }
}

impl Drop for MemoryDraft {
    fn drop(&mut self) {
        if mem::take(&mut self.begun_here) {
            self.store.content().drafts.remove(&self.token);
        }
    }
}
