//! Compiles programs for devices, or takes them from the cache on disk.

use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_compiler::PassOptions;
use jarrah_hlo::Program;
use jarrah_runtime::{CompileOptions, DiskKey, Executable};

use crate::backend::Backend;
use crate::executable::DeviceExecutable;
use crate::shared::Shared;
use crate::stored::from_bytes;

/// The executable of a program; the result of the passes is taken from the client's cache, if it is there.
///
/// # Errors
/// As [`jarrah_compiler::compile`].
pub fn executable<D: Backend>(
    client: &Arc<Shared<D>>,
    program: &Program,
    options: &CompileOptions,
) -> Result<DeviceExecutable<D>> {
    let compile = || compile(client, program, options);
    let cache = client.cache.as_deref().filter(|_| client.registry.check_portable(program).is_ok());
    let Some(cache) = cache else { return compile() };
    // A program without a key cannot be compiled; the compiler's error says why.
    let Ok(key) = DiskKey::new(program, options, client.kind().version()) else { return compile() };
    if let Some(known) = cache.get(key, |bytes| from_bytes(client, bytes).map(|(compiled, _)| compiled)) {
        let known = DeviceExecutable::new(client.clone(), known, options)?;
        // The cached program may have been compiled for the scratch of another number of threads.
        if options.memory_limit.is_none_or(|limit| known.memory().total() <= limit) {
            return Ok(known);
        }
    }
    let compiled = compile()?;
    cache.put(key, &compiled.serialize()?);
    Ok(compiled)
}

/// How often a program is compiled again because its steps need more scratch than was reserved.
const TRIES: usize = 4;

/// Compiles a program. Under a memory limit, the scratch that the steps need counts too; its size is known only when the steps
/// are built, so compilation may be repeated.
pub fn compile<D: Backend>(
    client: &Arc<Shared<D>>,
    program: &Program,
    options: &CompileOptions,
) -> Result<DeviceExecutable<D>> {
    let mut scratch = 0;
    for _ in 0..TRIES {
        let memory_limit = options.memory_limit;
        let wanted =
            PassOptions { aliases: options.aliases.clone(), memory_limit, scratch, ..PassOptions::default() };
        let compiled = jarrah_compiler::compile(program, &client.kind().target(), wanted)?;
        let made = DeviceExecutable::new(client.clone(), compiled, options)?;
        if memory_limit.is_none_or(|limit| made.memory().total() <= limit) {
            return Ok(made);
        }
        scratch = made.scratch_bytes();
    }
    Err(Error::memory(format!(
        "{} does not fit into its memory limit: after {TRIES} tries its steps need more scratch than was left for them",
        program.name()
    )))
}
