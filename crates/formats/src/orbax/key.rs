/// How deep a tree may be.
pub(super) const DEPTH: usize = 100;

/// A key of a leaf's path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrbaxKey {
    /// The key of a dictionary, or the name of a field.
    Name(String),
    /// The position in a list.
    Index(usize),
}

/// The name of a leaf's array: its keys with dots between them.
pub(super) fn name(keys: &[OrbaxKey]) -> String {
    let mut name = String::new();
    for (number, key) in keys.iter().enumerate() {
        if number > 0 {
            name.push('.');
        }
        match key {
            OrbaxKey::Name(text) => name.push_str(text),
            OrbaxKey::Index(index) => name.push_str(&index.to_string()),
        }
    }
    name
}

impl std::fmt::Display for OrbaxKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OrbaxKey::Name(name) => f.write_str(name),
            OrbaxKey::Index(index) => write!(f, "{index}"),
        }
    }
}
