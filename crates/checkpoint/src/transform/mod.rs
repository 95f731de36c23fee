//! Leaves made of other leaves: rules give them names, parts and shapes, and a view reads a box of one from the boxes of the leaves that it is made of.

mod apply;
mod convert;
mod parse;
mod rules;
mod step;
mod view;

pub use apply::{Source, Transformed};
pub use convert::{converted, may_become};
pub use rules::LeafRules;
pub use view::{ReadLeaf, View};
