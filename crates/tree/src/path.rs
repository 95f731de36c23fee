use std::fmt;

/// The way from the root of a tree to a leaf.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Path {
    keys: Vec<Key>,
}

/// One step of a path.
#[derive(Clone, Debug, Eq, Hash)]
#[allow(clippy::derived_hash_with_manual_eq, reason = "equality is that of the fields, found sooner")]
pub enum Key {
    /// A named field of a struct.
    Field(&'static str),
    /// A position in a tuple or sequence.
    Index(usize),
    /// A key of a map.
    Name(String),
}

impl PartialEq for Key {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            // The name of a field is as a rule one and the same string.
            (Key::Field(a), Key::Field(b)) => std::ptr::eq(*a, *b) || a == b,
            (Key::Index(a), Key::Index(b)) => a == b,
            (Key::Name(a), Key::Name(b)) => a == b,
            _ => false,
        }
    }
}

impl Path {
    /// The steps.
    #[inline]
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// The place in words: `what 3.weight` below the root, `the what` at it.
    pub fn below(&self, what: &str) -> String {
        if self.keys.is_empty() { format!("the {what}") } else { format!("{what} {self}") }
    }

    /// Replaces all but the first `shared` steps.
    pub(crate) fn replace_after<'k>(&mut self, shared: usize, keys: impl Iterator<Item = &'k Key>) {
        self.keys.truncate(shared);
        self.keys.extend(keys.cloned());
    }

    /// Runs `f` one step deeper.
    #[inline]
    pub fn enter<R>(&mut self, key: Key, f: impl FnOnce(&mut Path) -> R) -> R {
        self.keys.push(key);
        let result = f(self);
        self.keys.pop();
        result
    }

    /// Runs `f` as many steps deeper as there are `keys`.
    pub fn enter_all<R>(&mut self, keys: &[Key], f: impl FnOnce(&mut Path) -> R) -> R {
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
                Some(key) => *key = Key::Index(i),
                None => self.keys.push(Key::Index(i)),
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

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Field(name) => f.write_str(name),
            Key::Index(index) => write!(f, "{index}"),
            Key::Name(name) => f.write_str(name),
        }
    }
}

impl FromIterator<Key> for Path {
    fn from_iter<T: IntoIterator<Item = Key>>(keys: T) -> Path {
        Path { keys: keys.into_iter().collect() }
    }
}
