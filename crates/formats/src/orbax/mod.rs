//! Checkpoints of Orbax: trees of zarr arrays in OCDBT databases or in folders, with their descriptions in JSON.
//!
//! [`checkpoint`] finds the items of a folder, [`tree`] reads the structure of one and [`leaf`] its values. Below them [`array`] cuts an array
//! into chunks, [`chunk`] copies boxes out of them, [`codecs`], [`blosc`] and [`decompress`] decode them, and [`store`] finds the bytes of a key, in a database by
//! [`ocdbt`], [`node`] and [`kept`]. [`packed`] reads the small values of old checkpoints.

mod array;
mod blosc;
mod bytes;
mod checkpoint;
mod chunk;
mod codecs;
mod decompress;
mod encode;
mod files;
mod input;
mod kept;
mod key;
mod leaf;
mod location;
mod metadata;
mod node;
mod node_type;
mod ocdbt;
mod output;
mod packed;
mod rows;
mod source;
mod store;
mod tree;
mod write;
mod zarr2;
mod zarr3;

pub use checkpoint::{OrbaxCheckpoint, OrbaxItem, OrbaxItemKind};
pub use key::OrbaxKey;
pub use leaf::{OrbaxLeaf, OrbaxLeafType, OrbaxStretch};
pub use node_type::OrbaxNode;
pub use tree::OrbaxTree;
pub use write::{
    OrbaxArraySpec, OrbaxCompression, OrbaxDescription, OrbaxHandler, OrbaxLeafSpec, OrbaxPart, OrbaxPlan,
    OrbaxSharding, OrbaxWriteOptions, OrbaxWriter, write_orbax_json, write_orbax_random_key,
};

use jarrah_base::Error;

/// An error about a checkpoint's files.
fn wrong(message: impl Into<String>) -> Error {
    Error::input(message.into()).op("orbax")
}
