use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Mutex;

use rustc_hash::FxBuildHasher;

/// The table that holds every interned value of one type.
pub type Table<T> = Mutex<HashSet<&'static T, FxBuildHasher>>;

/// A type whose values are kept once per process, so that a handle to one is a pointer.
///
/// Interned values live as long as the process: use it for what recurs (scopes, file names), never for data.
pub trait Intern: Hash + Eq + Sized + Sync + 'static {
    /// The table that holds the values.
    fn table() -> &'static Table<Self>;
}

/// A `Copy` handle to a value that exists once per process; equal handles are equal pointers.
pub struct Interned<T: 'static>(&'static T);

impl<T: Intern> Interned<T> {
    /// The handle of `value`, adding it to the table on first sight.
    pub fn new(value: T) -> Self {
        Interned::among(value, usize::MAX, |value| value)
    }

    /// As [`Interned::new`]; but in a table that holds `most` values or more, a new value becomes `other(value)` first,
    /// which is to have few values.
    pub fn among(value: T, most: usize, other: impl FnOnce(T) -> T) -> Self {
        let mut table = T::table().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(&known) = table.get(&value) {
            return Interned(known);
        }
        let value = if table.len() < most { value } else { other(value) };
        if let Some(&known) = table.get(&value) {
            return Interned(known);
        }
        let leaked: &'static T = Box::leak(Box::new(value));
        table.insert(leaked);
        Interned(leaked)
    }
}

impl<T> Interned<T> {
    /// The value, for as long as the process lives.
    pub fn get(self) -> &'static T {
        self.0
    }
}

impl<T> Clone for Interned<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Interned<T> {}
impl<T> PartialEq for Interned<T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl<T> Eq for Interned<T> {}
impl<T> Hash for Interned<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}
impl<T> Deref for Interned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        self.0
    }
}
impl<T: fmt::Debug> fmt::Debug for Interned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
