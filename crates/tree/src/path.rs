use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use crate::shared::Met;

/// The way from the root of a tree to a leaf.
#[derive(Default)]
pub struct Path {
    keys: Vec<PathKey>,
    /// The [`Shared`](crate::Shared) trees met so far on the walk; no part of the path's value.
    pub(crate) met: Met,
}

impl Clone for Path {
    fn clone(&self) -> Self {
        Path { keys: self.keys.clone(), met: Met::default() }
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Path").field(&self.keys).finish()
    }
}

impl PartialEq for Path {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.keys == other.keys
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.keys.hash(state);
    }
}

/// In the order of the steps: fields and keys of maps by their names, positions by number and before names.
impl Ord for Path {
    fn cmp(&self, other: &Self) -> Ordering {
        self.keys.iter().map(PathKey::order).cmp(other.keys.iter().map(PathKey::order))
    }
}

impl PartialOrd for Path {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// One step of a path. A field and a key of a map are the same step if they have the same name.
#[derive(Clone, Debug, Eq)]
pub enum PathKey {
    /// A named field of a struct.
    Field(&'static str),
    /// A position in a tuple or sequence.
    Index(usize),
    /// A key of a map.
    Name(String),
}

impl PartialEq for PathKey {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // The name of a field is as a rule one and the same string.
            (PathKey::Field(a), PathKey::Field(b)) => std::ptr::eq(*a, *b) || a == b,
            (PathKey::Index(a), PathKey::Index(b)) => a == b,
            _ => self.order() == other.order(),
        }
    }
}

impl Hash for PathKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.order().hash(state);
    }
}

impl PathKey {
    /// The value by which keys are compared and hashed: a field and a key of a map are equal if their names are.
    fn order(&self) -> (&str, usize) {
        match self {
            PathKey::Field(name) => (name, 0),
            PathKey::Name(name) => (name, 0),
            PathKey::Index(index) => ("", index.wrapping_add(1)),
        }
    }
}

impl Path {
    /// The path that is written so: `blocks.3.weight`, with a position for each number and a name for everything else.
    ///
    /// ```
    /// # use jarrah_tree::{PathKey, Path};
    /// let keys = [PathKey::Name("blocks".into()), PathKey::Index(3), PathKey::Name("weight".into())];
    /// assert_eq!(Path::parse("blocks.3.weight").keys(), keys);
    /// ```
    pub fn parse(text: &str) -> Path {
        let key = |step: &str| step.parse().map_or_else(|_| PathKey::Name(step.to_owned()), PathKey::Index);
        text.split('.').filter(|step| !step.is_empty()).map(key).collect()
    }

    /// The steps.
    #[inline]
    pub fn keys(&self) -> &[PathKey] {
        &self.keys
    }

    /// The place in words: `what 3.weight` below the root, `the what` at it.
    pub fn below(&self, what: &str) -> String {
        if self.keys.is_empty() { format!("the {what}") } else { format!("{what} {self}") }
    }

    /// Replaces all but the first `shared` steps.
    pub(crate) fn replace_after<'k>(&mut self, shared: usize, keys: impl Iterator<Item = &'k PathKey>) {
        self.keys.truncate(shared);
        self.keys.extend(keys.cloned());
    }

    /// Runs `f` one step deeper.
    #[inline]
    pub fn enter<R>(&mut self, key: PathKey, f: impl FnOnce(&mut Path) -> R) -> R {
        self.keys.push(key);
        let result = f(self);
        self.keys.pop();
        result
    }

    /// Runs `f` as many steps deeper as there are `keys`.
    pub fn enter_all<R>(&mut self, keys: &[PathKey], f: impl FnOnce(&mut Path) -> R) -> R {
        let depth = self.keys.len();
        self.keys.extend_from_slice(keys);
        let result = f(self);
        self.keys.truncate(depth);
        result
    }

    /// Runs `f` with each of `items`, one step deeper: below its index.
    #[inline]
    pub(crate) fn enter_each<'a, T>(&mut self, items: &'a [T], mut f: impl FnMut(&mut Path, &'a T)) {
        let depth = self.keys.len();
        for (i, item) in items.iter().enumerate() {
            // The key of the item before is overwritten: a list may be long, and is visited at each call of a compiled function.
            match self.keys.get_mut(depth) {
                Some(key) => *key = PathKey::Index(i),
                None => self.keys.push(PathKey::Index(i)),
            }
            f(self, item);
        }
        self.keys.truncate(depth);
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, key) in self.keys.iter().enumerate() {
            if i > 0 {
                f.write_str(".")?;
            }
            key.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for PathKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathKey::Field(name) => f.write_str(name),
            PathKey::Index(index) => write!(f, "{index}"),
            PathKey::Name(name) => f.write_str(name),
        }
    }
}

impl FromIterator<PathKey> for Path {
    fn from_iter<T: IntoIterator<Item = PathKey>>(keys: T) -> Path {
        Path { keys: keys.into_iter().collect(), met: Met::default() }
    }
}
