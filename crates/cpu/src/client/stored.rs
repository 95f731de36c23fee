//! Compiled programs outside of the process: in serialized executables, and in the cache on disk, whose files these are.
//!
//! What is kept is what the passes make, the program and its assignment. Steps are built where they run, since they hold
//! what the processor decides.

use std::sync::{Arc, LazyLock};

use jarrah_base::{Error, Result};
use jarrah_compiler::{BUILD, Compiled, Options, left_out};
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

/// The abilities of the processor that code here asks for.
fn features() -> Vec<&'static str> {
    let of = |isa: &Isa| match isa {
        Isa::Portable => std::env::consts::ARCH,
        Isa::Avx2 => "avx2",
        Isa::Avx512 => "avx512",
    };
    Isa::available().iter().map(of).collect()
}

/// The code of a program; the passes are those of an earlier time, if the client's cache has them.
///
/// # Errors
/// As [`jarrah_compiler::compile`].
pub fn executable(client: &Arc<Inner>, program: &Program, options: &CompileOptions) -> Result<CpuExecutable> {
    let compile = || compile(client, program, options);
    let cache = client.cache.as_deref().filter(|_| client.registry.check_portable(program).is_ok());
    let Some(cache) = cache else { return compile() };
    // What has no key is no program that can be compiled, which the compiler says better.
    let Ok(key) = DiskKey::new(program, options, version()) else { return compile() };
    if let Some(known) = cache.get(key, |bytes| from_bytes(client, bytes).map(|(compiled, _)| compiled)) {
        let known = CpuExecutable::new(client.clone(), known, options)?;
        // It was compiled for the scratch that another number of threads needs.
        if options.memory_limit.is_none_or(|limit| known.memory().total() <= limit) {
            return Ok(known);
        }
    }
    let compiled = compile()?;
    cache.put(key, &compiled.serialize()?);
    Ok(compiled)
}

/// How often a program is compiled anew because its steps need more scratch than was set aside for it.
const TRIES: usize = 4;

/// The code of a program, made anew. Under a memory limit, the scratch that the steps need counts as well; how much that is, is known
/// when there are steps.
pub fn compile(client: &Arc<Inner>, program: &Program, options: &CompileOptions) -> Result<CpuExecutable> {
    let mut scratch = 0;
    for _ in 0..TRIES {
        let memory_limit = options.memory_limit;
        let wanted =
            Options { aliases: options.aliases.clone(), memory_limit, scratch, ..Options::default() };
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
pub fn to_bytes(client: &Inner, compiled: &Compiled, options: &CompileOptions) -> Result<Vec<u8>> {
    client.registry.check_portable(&compiled.program)?;
    Serialized::new(PLATFORM, version(), options.clone(), compiled.to_bytes()?).to_bytes()
}

/// What [`to_bytes`] wrote.
///
/// # Errors
/// The bytes are damaged or of another version; the program does not fit in the memory of this machine.
pub fn from_bytes(client: &Inner, bytes: &[u8]) -> Result<(Compiled, CompileOptions)> {
    let Serialized { options, content, .. } = Serialized::from_bytes(bytes, PLATFORM, version())?;
    let compiled = Compiled::from_bytes(&content, &Processor::here(), &options.aliases)?;
    client.registry.check_portable(&compiled.program)?;
    Ok((compiled, options))
}
