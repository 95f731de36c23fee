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
    let texts: Vec<String> = keys.iter().map(OrbaxKey::to_string).collect();
    texts.join(".")
}

impl std::fmt::Display for OrbaxKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            OrbaxKey::Name(name) => f.write_str(name),
            OrbaxKey::Index(index) => write!(f, "{index}"),
        }
    }
}
