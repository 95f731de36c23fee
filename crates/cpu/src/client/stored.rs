//! Compiled programs outside of the process: serialized executables, which are also the files of the cache on disk.
//!
//! A file holds the result of the passes: the program and its buffer assignment. Steps are built by the process that runs them,
//! since they hold choices that depend on the processor.

use std::sync::{Arc, LazyLock};

use jarrah_base::{Error, Result};
use jarrah_compiler::{BUILD, CompiledProgram, PassOptions, left_out};
use jarrah_hlo::Program;
use jarrah_runtime::{CompileOptions, DiskKey, Executable, Serialized};

use super::Inner;
use super::executable::CpuExecutable;
use super::target::{self, Processor};
use crate::isa::Isa;

/// The platform that serialized executables name.
pub const PLATFORM: &str = "cpu";

/// See [`jarrah_runtime::Client::version`].
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let answers = target::version();
        let without = left_out().map_or(String::new(), |pass| format!(" without {pass}"));
        let features = features().join(" ");
        format!("{} of build {BUILD}-{answers} for {features}{without}", env!("CARGO_PKG_VERSION"))
    });
    &VERSION
}

/// The processor features that this crate's code uses.
fn features() -> Vec<&'static str> {
    let of = |isa: &Isa| match isa {
        Isa::Portable => std::env::consts::ARCH,
        Isa::Avx2 => "avx2",
        Isa::Avx512 => "avx512",
    };
    Isa::available().iter().map(of).collect()
}

/// The executable of a program; the result of the passes is taken from the client's cache, if it is there.
///
/// # Errors
/// As [`jarrah_compiler::compile`].
pub fn executable(client: &Arc<Inner>, program: &Program, options: &CompileOptions) -> Result<CpuExecutable> {
    let compile = || compile(client, program, options);
    let cache = client.cache.as_deref().filter(|_| client.registry.check_portable(program).is_ok());
    let Some(cache) = cache else { return compile() };
    // A program without a key cannot be compiled; the compiler's error says why.
    let Ok(key) = DiskKey::new(program, options, version()) else { return compile() };
    if let Some(known) = cache.get(key, |bytes| from_bytes(client, bytes).map(|(compiled, _)| compiled)) {
        let known = CpuExecutable::new(client.clone(), known, options)?;
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
pub fn compile(client: &Arc<Inner>, program: &Program, options: &CompileOptions) -> Result<CpuExecutable> {
    let mut scratch = 0;
    for _ in 0..TRIES {
        let memory_limit = options.memory_limit;
        let wanted =
            PassOptions { aliases: options.aliases.clone(), memory_limit, scratch, ..PassOptions::default() };
        let compiled = jarrah_compiler::compile(program, &Processor::here(), wanted)?;
        let made = CpuExecutable::new(client.clone(), compiled, options)?;
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

/// A compiled program and its options as bytes.
///
/// # Errors
/// As [`Registry::check_portable`](jarrah_hlo::host::Registry::check_portable).
pub fn to_bytes(client: &Inner, compiled: &CompiledProgram, options: &CompileOptions) -> Result<Vec<u8>> {
    client.registry.check_portable(&compiled.program)?;
    Serialized::new(PLATFORM, version(), options.clone(), compiled.to_bytes()?).to_bytes()
}

/// Reads a compiled program and its options from bytes that [`to_bytes`] wrote.
///
/// # Errors
/// The bytes are damaged or of another version; the program does not fit in the memory of this machine.
pub fn from_bytes(client: &Inner, bytes: &[u8]) -> Result<(CompiledProgram, CompileOptions)> {
    let Serialized { options, content, .. } = Serialized::from_bytes(bytes, PLATFORM, version())?;
    let compiled = CompiledProgram::from_bytes(&content, &Processor::here(), &options.aliases)?;
    client.registry.check_portable(&compiled.program)?;
    Ok((compiled, options))
}
