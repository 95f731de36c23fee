use std::fmt;

use jarrah_base::{Error, Result};

/// The name of an object or a folder in a store: parts that a slash divides, such as `100/state/_METADATA`.
///
/// No part is empty, `.` or `..`, and none holds a zero byte or a backslash: a name stays below the root of its store, whatever the store is. A part that begins with
/// `.jarrah-` or holds `.orbax-checkpoint-tmp` is reserved: files and folders that are unfinished have such names.
///
/// ```
/// use jarrah_store::Name;
/// let name = Name::new("100/state")?.join("_METADATA")?;
/// assert_eq!(name.to_string(), "100/state/_METADATA");
/// assert!(Name::new("../secrets").is_err());
/// assert!(Name::new("100.orbax-checkpoint-tmp-7/state").is_err());
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(String);

impl Name {
    /// The folder of all objects, whose name is empty.
    pub fn root() -> Name {
        Name(String::new())
    }

    /// A name from its text.
    ///
    /// # Errors
    /// A part of it is empty, `.`, `..` or reserved, or holds a zero byte or a backslash (`Input`).
    pub fn new(text: impl Into<String>) -> Result<Name> {
        let text = text.into();
        let is_part = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\0', '\\']);
        if !text.split('/').all(is_part) {
            return Err(Error::input(format!("{text:?} is no name of an object"))
                .op("store")
                .help("a name has parts that a slash divides; no part is empty, `.` or `..`"));
        }
        match text.split('/').find(|part| is_reserved(part)) {
            None => Ok(Name(text)),
            Some(part) => Err(Error::input(format!("{text:?} is no name of an object: {part:?} is reserved"))
                .op("store")
                .help("names with `.orbax-checkpoint-tmp` in them or `.jarrah-` before them are those of unfinished files")),
        }
    }

    /// The name of `below` in this folder.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn join(&self, below: impl AsRef<str>) -> Result<Name> {
        let below = Name::new(below.as_ref())?;
        Ok(self.with(&below))
    }

    /// The name of `below` in this folder.
    pub fn with(&self, below: &Name) -> Name {
        match (self.is_root(), below.is_root()) {
            (true, _) => below.clone(),
            (_, true) => self.clone(),
            _ => Name(format!("{}/{}", self.0, below.0)),
        }
    }

    /// Whether this is the folder of all objects.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// A name of one part that is reserved.
    #[cfg(feature = "cloud")]
    pub(crate) fn reserved(part: &str) -> Name {
        Name(part.to_owned())
    }

    /// Checks that it is the name of an object or a folder in the store.
    ///
    /// # Errors
    /// It is the root's (`Input`).
    pub(crate) fn not_root(&self) -> Result<()> {
        match self.is_root() {
            false => Ok(()),
            true => {
                Err(Error::input("the root of a store is no object, and is not drafted or deleted")
                    .op("store"))
            }
        }
    }

    /// The folder that it stands in; the root for a name of one part.
    pub fn folder(&self) -> Name {
        Name(self.0.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
    }

    /// The last part.
    pub fn last(&self) -> &str {
        self.0.rsplit_once('/').map_or(self.0.as_str(), |(_, last)| last)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a part of a name is one that unfinished files and folders have.
pub(crate) fn is_reserved(part: &str) -> bool {
    part.starts_with(".jarrah-") || part.contains(".orbax-checkpoint-tmp")
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
