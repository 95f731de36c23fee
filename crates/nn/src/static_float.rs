use std::fmt;
use std::hash::{Hash, Hasher};

/// A configuration number of a module: compared and hashed by its bits, so that it can be a static field of a tree.
///
/// ```
/// use jarrah_nn::StaticFloat;
/// assert_eq!(StaticFloat::from(0.1), StaticFloat::from(0.1));
/// assert_eq!(StaticFloat::from(0.1).get(), 0.1);
/// ```
#[derive(Clone, Copy)]
pub struct StaticFloat(f64);

impl StaticFloat {
    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl From<f64> for StaticFloat {
    fn from(value: f64) -> Self {
        StaticFloat(value)
    }
}

impl PartialEq for StaticFloat {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}
impl Eq for StaticFloat {}
impl Hash for StaticFloat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Debug for StaticFloat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}
