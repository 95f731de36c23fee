//! Artifacts of `jax.export`: a module with the types, trees and shardings of the function that it was made from.

mod exported;
mod flat;
mod make;
pub(crate) mod platform;
mod read;
mod write;

use jarrah_base::Result;

pub use exported::{
    Aval, AvalType, DisabledCheck, ExportedFunction, ExportedMesh, ExportedSharding, Extent, MemorySpace,
    MeshDevice, PyTree, Sharding,
};
pub use make::export;

/// The oldest calling convention that is read and written.
pub const OLDEST_CONVENTION: u16 = 9;
/// The newest calling convention that is read and written.
pub const NEWEST_CONVENTION: u16 = 10;

/// Whether `bytes` begin as an artifact does: with the place of a table that holds a module.
pub fn is_artifact(bytes: &[u8]) -> bool {
    let budget = flat::Budget::of(bytes);
    let module = flat::Table::root(bytes, &budget).and_then(|table| table.bytes(13));
    module.is_ok_and(crate::bytecode::is_bytecode)
}

/// The artifact in the content of the file `name`.
///
/// # Errors
/// The bytes are malformed, or the calling convention is none of 9 and 10.
pub fn read(name: &str, bytes: &[u8]) -> Result<ExportedFunction> {
    read::exported(name, bytes).map_err(|e| if name.is_empty() { e } else { e.context(format!("in {name}")) })
}

/// The artifact as bytes, which `jax.export.deserialize` reads.
///
/// # Errors
/// An element type that artifacts have not.
pub fn write(exported: &ExportedFunction) -> Result<Vec<u8>> {
    write::bytes(exported)
}
