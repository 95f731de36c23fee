//! Arrays by name, in whatever file or folder they lie.

mod convert;
mod difference;
mod statistics;
mod tree;

pub use convert::{Conversion, TargetFormat, write_orbax_item};
pub use difference::LeafDifference;
pub use statistics::Statistics;
pub use tree::{StoredFormat, StoredLeaf, StoredTree};
