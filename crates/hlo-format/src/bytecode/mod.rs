//! MLIR bytecode: portable artifacts in any version of the portable dialect, and what MLIR writes of a module as it is.
//!
//! The container is a table of strings, one of dialects and ops, one of attributes and types, and the code that refers
//! to them. In a portable artifact ops are of the dialect `vhlo`, whose ops never change: what changes gets a new
//! version. One table says what every version of an op has, and both directions follow it.

mod builtin;
mod container;
mod decoder;
mod dense;
mod dialects;
mod downgrade;
mod encoder;
mod enums;
mod properties;
mod read;
mod scalars;
mod sdy;
mod table;
mod textual;
mod upgrade;
mod version;
mod vhlo;
mod wire;
mod write;

use jarrah_base::Result;

pub use version::Version;

use crate::ir::IrModule;

/// Whether `bytes` begin as MLIR bytecode does.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(container::MAGIC)
}

/// The module in the file `name`.
///
/// # Errors
/// The bytes are malformed, of a newer version, or use what the tree cannot express; the error has the offset.
pub fn read(name: &str, bytes: &[u8]) -> Result<IrModule> {
    read::module(name, bytes)
}

/// The module as a portable artifact that readers of the version `target` understand.
///
/// # Errors
/// An op, an attribute or a type came after `target`; the error says with which version.
pub fn write(module: &IrModule, target: Version) -> Result<Vec<u8>> {
    write::module(module, target)
}
