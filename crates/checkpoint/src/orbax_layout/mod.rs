//! Versions 2 to 4 of the format: a checkpoint of Orbax, whose item `jarrah` is the manifest and whose item `metrics` has the finite measurements. Version 2 has the
//! item `state` beside them, a tree of whole tensors; version 3 has any items, and tensors in shards; version 4 has items that are JSON of each process, too.
//!
//! The keys of a tree are the parts of a tensor's name between slashes. Its arrays lie uncompressed in an OCDBT database. [`write`] makes a checkpoint, through a
//! [`recorder`] that takes the checksums of its files, of a [`part`] of each process, with [`links`] in the place of files that are there already; [`read`] checks and reads one.

mod links;
mod part;
mod read;
mod recorder;
mod write;

pub use links::Links;
pub use part::Part;
pub use read::{OrbaxLayout, OrbaxReader};
pub use recorder::Recorder;
pub use write::{Begin, Writing};

use jarrah_base::DType;
use serde::{Deserialize, Serialize};

/// A file of a checkpoint beside the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRecord {
    name: String,
    bytes: u64,
    /// The bytes of tensors at its beginning, which the checksums of the tensors cover.
    tensor_bytes: u64,
    /// blake3 of the bytes behind those.
    blake3: String,
}

/// The element type that an array has whose tensor's is `dtype`: bytes where Orbax's arrays lack it.
fn stored(dtype: DType) -> DType {
    match dtype {
        DType::U2 | DType::U4 | DType::F6E2M3FN | DType::F6E3M2FN | DType::F8E4M3 | DType::F8E8M0FNU => {
            DType::U8
        }
        other => other,
    }
}

/// Whether different bytes of a file may be read as one value: the bits above narrow elements, and those of truth values but for the lowest. The checksum of a
/// tensor does not cover them.
fn has_loose_bits(dtype: DType) -> bool {
    dtype == DType::Bool || dtype.bits() < 8
}
