//! MessagePack: the items of a file (`item`), and trees of arrays as `flax.serialization` writes them (`flax`),
//! whose paths have a `budget`.
//!
//! An array is an item of an extension type, `[shape, dtype, bytes]` in MessagePack of its own, with NumPy's name of the dtype.
//! Source: <https://github.com/msgpack/msgpack/blob/master/spec.md>; `flax.serialization`.

mod budget;
mod flax;
mod item;

pub(crate) use budget::PathBudget;
pub(crate) use flax::{ARRAY, CHUNKED, COMPLEX, PackedArray, SCALAR, chunked, complex, flax_name};
pub use flax::{FlaxNode, read_flax, write_flax};
pub(crate) use item::{Item, Items};
