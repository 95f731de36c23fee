//! Compiled programs outside of the process: serialized executables, which are also the files of the cache on disk.
//!
//! A file holds the result of the passes: the program and its buffer assignment. Steps are built by the process that runs them,
//! since they hold choices that depend on the processor.

use jarrah_base::Result;
use jarrah_compiler::CompiledProgram;
use jarrah_runtime::{CompileOptions, Serialized};

use crate::backend::Backend;
use crate::shared::Shared;

/// A compiled program and its options as bytes.
///
/// # Errors
/// As [`Registry::check_portable`](jarrah_hlo::host::Registry::check_portable).
pub fn to_bytes<D: Backend>(
    client: &Shared<D>,
    compiled: &CompiledProgram,
    options: &CompileOptions,
) -> Result<Vec<u8>> {
    client.registry.check_portable(&compiled.program)?;
    Serialized::new(client.kind().platform(), client.kind().version(), options.clone(), compiled.to_bytes()?)
        .to_bytes()
}

/// Reads a compiled program and its options from bytes that [`to_bytes`] wrote.
///
/// # Errors
/// The bytes are damaged or of another version; the program does not fit in the memory of this machine.
pub fn from_bytes<D: Backend>(client: &Shared<D>, bytes: &[u8]) -> Result<(CompiledProgram, CompileOptions)> {
    let Serialized { options, content, .. } =
        Serialized::from_bytes(bytes, client.kind().platform(), client.kind().version())?;
    let compiled = CompiledProgram::from_bytes(&content, &client.kind().target(), &options.aliases)?;
    client.registry.check_portable(&compiled.program)?;
    Ok((compiled, options))
}
