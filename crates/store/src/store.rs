use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use jarrah_base::{Error, HostView, Result};

use crate::name::Name;

/// A place that holds objects by name.
///
/// Readers see an object whole or not at all. An opened object keeps its bytes: it reads what it was when it was opened, or gives an error.
pub trait ObjectStore: fmt::Debug + Send + Sync {
    /// The path or address of an object or a folder, for errors.
    fn shown(&self, name: &Name) -> PathBuf {
        PathBuf::from(name.as_str())
    }

    /// Opens an object for reading; `None` where there is none of that name.
    ///
    /// # Errors
    /// The place cannot be read (`Environment`).
    fn open(&self, name: &Name) -> Result<Option<Box<dyn Object>>>;

    /// Begins an object, which appears when its upload is finished.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn create(&self, name: &Name) -> Result<Box<dyn Upload>>;

    /// The objects and folders directly in a folder, by name; none where there is no such folder.
    /// Unfinished objects and unpublished folders are not among them.
    ///
    /// # Errors
    /// The place cannot be read (`Environment`).
    fn list(&self, folder: &Name) -> Result<Vec<Entry>>;

    /// Whether [`list`](Self::list) and [`folders`](Self::folders) answer: a server of plain HTTP has objects that one has to know the names of.
    fn can_list(&self) -> bool {
        true
    }

    /// Removes an object, and says whether there was one.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn delete(&self, name: &Name) -> Result<bool>;

    /// Begins a folder, which appears when it is published.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn draft(&self, folder: &Name) -> Result<Box<dyn Draft>>;

    /// A draft that another process or thread began: more objects of it are written here, and it is published there.
    ///
    /// # Errors
    /// There is none (`Input`).
    fn join_draft(&self, folder: &Name, token: &str) -> Result<Box<dyn Draft>>;

    /// The names of the published folders directly in a folder, in order.
    ///
    /// # Errors
    /// The place cannot be read (`Environment`).
    fn folders(&self, folder: &Name) -> Result<Vec<String>>;

    /// Removes a folder and all in it, and says whether there was one. Nobody sees half of it: it is gone before the first object is.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn delete_folder(&self, folder: &Name) -> Result<bool>;

    /// Removes from a folder what writers that have ended left unfinished, and brings back a folder whose replacement did not arrive. The caller has the only right to
    /// write there.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn clear_unfinished(&self, folder: &Name) -> Result<()>;
}

/// An object that is read.
pub trait Object: Send + Sync {
    /// Its length in bytes.
    fn len(&self) -> u64;

    /// Whether it has no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its version.
    fn version(&self) -> &ObjectVersion;

    /// The bytes that one read had better ask for where many are wanted: a read of fewer takes about as long.
    fn block(&self) -> usize {
        128 << 10
    }

    /// Fills `bytes` with those from `offset` on.
    ///
    /// # Errors
    /// The range ends behind the object (`Input`), or the place cannot be read (`Environment`).
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> Result<()>;

    /// These bytes where they lie, if they are mapped into memory; they stay when the object is removed or replaced. None where they would have to be copied.
    fn mapped(&self, range: Range<u64>) -> Option<HostView> {
        let _ = range;
        None
    }
}

/// An object that is being written. Dropping it leaves nothing.
pub trait Upload: Send {
    /// Appends bytes.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn write(&mut self, bytes: &[u8]) -> Result<()>;

    /// Makes the object durable and gives its version, or nothing where the condition does not hold: then all stays as it was.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn finish(self: Box<Self>, condition: Condition) -> Result<Option<ObjectVersion>>;
}

/// A folder that is being written. Dropping it leaves nothing that is listed.
pub trait Draft: fmt::Debug + Send + Sync {
    /// The text by which another process joins in: see [`ObjectStore::join_draft`].
    fn token(&self) -> &str;

    /// Begins an object of the folder, by its name below it.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn create(&self, name: &Name) -> Result<Box<dyn Upload>>;

    /// Gives the draft an object of the store under a name of its own, without its bytes being written again; false where the store has no second names, or no such
    /// object. Either name may be removed: the bytes stay for the other one.
    ///
    /// ```
    /// use jarrah_store::{Condition, LocalStore, Name, ObjectStore};
    /// # let root = std::env::temp_dir().join(format!("link-{}", std::process::id()));
    /// let store = LocalStore::new(&root)?;
    /// let old = Name::new("1/weights")?;
    /// let mut upload = store.create(&old)?;
    /// upload.write(b"0123")?;
    /// upload.finish(Condition::Absent)?;
    /// let draft = store.draft(&Name::new("2")?)?;
    /// assert!(draft.link(&Name::new("weights")?, &old)?);
    /// assert!(draft.publish()?);
    /// store.delete_folder(&Name::new("1")?)?;
    /// assert_eq!(store.open(&Name::new("2/weights")?)?.expect("it is there").len(), 4);
    /// # std::fs::remove_dir_all(&root)?;
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The draft has an object of that name; the place cannot be written (`Environment`).
    fn link(&self, name: &Name, object: &Name) -> Result<bool> {
        let _ = (name, object);
        Ok(false)
    }

    /// Makes the folder and its objects durable and lets them appear at once; false where the folder is there already: then the draft is dropped.
    ///
    /// # Errors
    /// The place cannot be written (`Environment`).
    fn publish(self: Box<Self>) -> Result<bool>;

    /// As [`publish`](Self::publish), in the place of the folder that is there: once this returns, the name has the new objects and none of the old ones; until
    /// then it has the old ones, also after a loss of power at any moment. On a disk of Linux readers find the old folder or the new
    /// one at every moment; where the file system cannot exchange two names, those who ask in the middle may find no folder.
    ///
    /// ```
    /// use jarrah_store::{Condition, MemoryStore, Name, ObjectStore};
    /// let store = MemoryStore::new();
    /// let folder = Name::new("100")?;
    /// for object in ["first", "second"] {
    ///     let draft = store.draft(&folder)?;
    ///     draft.create(&Name::new(object)?)?.finish(Condition::Absent)?;
    ///     draft.replace()?;
    /// }
    /// assert_eq!(store.list(&folder)?.len(), 1);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// The place cannot be written (`Environment`), or keeps a published folder as it is, as a bucket does (`Input`): then the old objects are there.
    fn replace(self: Box<Self>) -> Result<()>;
}

/// The state of a name at which an upload takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Any: an object that is there is replaced.
    Always,
    /// No object of that name is there.
    Absent,
    /// The object that is there has this version.
    Unchanged(ObjectVersion),
}

/// A mark of an object's bytes that changes whenever they do, such as an entity tag.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectVersion(pub String);

/// An object or a folder in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The last part of its name.
    pub name: String,
    /// Whether it is an object.
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    /// An object of so many bytes.
    Object(u64),
    /// A folder.
    Folder,
}

/// The error of a range that ends behind its object.
pub(crate) fn past_the_end(offset: u64, count: usize, len: u64) -> Error {
    Error::input(format!("{count} bytes from {offset} on of an object of {len} bytes")).op("store")
}
