use std::hash::{Hash, Hasher};
use std::mem::discriminant;
use std::sync::Arc;

use jarrah_base::Literal;
use serde::{Deserialize, Serialize};

/// The configuration of a custom call: its attributes besides the operands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Config {
    /// Text that means something to the handler only, and the version of the convention by which the text is passed:
    /// 1, 2 or 3.
    Text(Arc<str>, u8),
    /// Named attributes, as a typed foreign function takes them (version 4).
    Typed(CallAttributes),
}

impl Hash for Config {
    /// A text may be an address, as that of a callback of Python: it differs from process to process, and so would
    /// [`Program::fingerprint`](crate::Program::fingerprint).
    fn hash<H: Hasher>(&self, state: &mut H) {
        discriminant(self).hash(state);
        if let Config::Typed(attributes) = self {
            attributes.hash(state);
        }
    }
}

impl Config {
    /// No attribute.
    pub fn empty() -> Self {
        Config::Typed(CallAttributes::default())
    }

    /// The attribute `name` of a typed configuration.
    pub fn get(&self, name: &str) -> Option<&CallAttribute> {
        match self {
            Config::Text(..) => None,
            Config::Typed(attributes) => attributes.get(name),
        }
    }
}

/// Attributes by name, in alphabetical order.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CallAttributes(Vec<(Arc<str>, CallAttribute)>);

/// The value of an attribute.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CallAttribute {
    /// A number or truth value of a type: a tensor of rank 0.
    Scalar(Literal),
    /// A list of numbers of one type: a tensor of rank 1.
    Array(Literal),
    /// Text.
    Text(Arc<str>),
    /// Further attributes.
    Dictionary(CallAttributes),
}

impl CallAttributes {
    /// The attribute `name`.
    pub fn get(&self, name: &str) -> Option<&CallAttribute> {
        let at = self.0.binary_search_by(|(n, _)| (**n).cmp(name)).ok()?;
        Some(&self.0[at].1)
    }

    /// All of them, in alphabetical order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &CallAttribute)> {
        self.0.iter().map(|(name, attribute)| (&**name, attribute))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Of several attributes with one name the last counts.
impl FromIterator<(Arc<str>, CallAttribute)> for CallAttributes {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, CallAttribute)>>(all: I) -> Self {
        let mut list: Vec<_> = all.into_iter().collect();
        list.reverse();
        list.sort_by(|a, b| a.0.cmp(&b.0));
        list.dedup_by(|later, earlier| later.0 == earlier.0);
        CallAttributes(list)
    }
}
