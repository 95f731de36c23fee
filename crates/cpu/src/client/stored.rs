//! Compiled programs outside of the process: in serialized executables, and in the cache on disk, whose files these are.
//!
//! What is kept is what the passes make, the program and its assignment. Steps are built where they run, since they hold
//! what the processor decides.

use std::sync::LazyLock;

use jarrah_base::{Result, memory};
use jarrah_compiler::{BUILD, Compiled, Options, TargetInfo};
use jarrah_hlo::Program;
use jarrah_runtime::{CompileOptions, DiskKey, Serialized};

use super::Inner;

/// The platform that serialized executables name.
pub const PLATFORM: &str = "cpu";

fn target() -> TargetInfo {
    TargetInfo { attention: true, memory: memory::limit() }
}

/// See [`jarrah_runtime::Client::version`].
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        format!("{} of build {BUILD} for {}", env!("CARGO_PKG_VERSION"), features().join(" "))
    });
    &VERSION
}

/// The abilities of the processor that code here asks for.
fn features() -> Vec<&'static str> {
    let mut found = vec![std::env::consts::ARCH];
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! ask {
            ($($name:tt)*) => {
                $(if is_x86_feature_detected!($name) {
                    found.push($name);
                })*
            };
        }
        ask!("avx2" "fma" "f16c" "avx512f" "avx512bw" "avx512dq" "avx512vl");
    }
    found
}

/// The program after the passes; out of the client's cache, if that has it.
///
/// # Errors
/// As [`jarrah_compiler::compile`].
pub fn compiled(client: &Inner, program: &Program, options: &CompileOptions) -> Result<Compiled> {
    let compile = || {
        let wanted = Options { aliases: options.aliases.clone(), ..Options::default() };
        jarrah_compiler::compile(program, &target(), wanted)
    };
    let cache = client.cache.as_deref().filter(|_| client.registry.check_portable(program).is_ok());
    let Some(cache) = cache else { return compile() };
    // What has no key is no program that can be compiled, which the compiler says better.
    let Ok(key) = DiskKey::new(program, options, version()) else { return compile() };
    if let Some(known) = cache.get(key, |bytes| from_bytes(client, bytes).map(|(compiled, _)| compiled)) {
        return Ok(known);
    }
    let compiled = compile()?;
    cache.put(key, &to_bytes(client, &compiled, options)?);
    Ok(compiled)
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
    let compiled = Compiled::from_bytes(&content, &target(), &options.aliases)?;
    client.registry.check_portable(&compiled.program)?;
    Ok((compiled, options))
}
