//! Programs in the form in which plugins take them.

use jarrah_base::{DType, Error, Result};
use jarrah_hlo::{Alias, Program};
use jarrah_hlo_format::bytecode::{self, Version};
use jarrah_hlo_format::export;
use jarrah_hlo_format::ir::{Attr, Attributes, ElementTy, IrOp};

use crate::abi::PJRT_Program;

/// The platform of our own plugin, which reads the ops that StableHLO lacks.
const OURS: &str = "jarrah";

/// The program as a portable artifact for a plugin of this platform that reads this version.
///
/// # Errors
/// An alias must hold, which a module cannot say; the program uses what StableHLO or that version of it lacks.
pub(super) fn artifact(
    program: &Program,
    aliases: &[Alias],
    platform: &str,
    version: Version,
) -> Result<Vec<u8>> {
    if let Some(alias) = aliases.iter().find(|alias| alias.must) {
        return Err(Error::program(format!(
            "parameter {} must become a result in place, which cannot be demanded of a plugin",
            alias.parameter
        )));
    }
    let mut module = export(program);
    check(&module.op, platform)?;
    let parameters = program.params().len();
    for function in module.op.regions.iter_mut().flat_map(|region| &mut region.ops) {
        // Key paths of parameters mean nothing to others.
        function.attributes.remove("arg_attrs");
        if function.text("sym_name") == Some("main") && !aliases.is_empty() {
            function.attributes.set("arg_attrs", Attr::Array(given_up(aliases, parameters)));
        }
    }
    bytecode::write(&module, version)
}

/// Attributes of a function's parameters, by which it gives arguments up to be overwritten.
fn given_up(aliases: &[Alias], parameters: usize) -> Vec<Attr> {
    let mut attributes = vec![Attributes::default(); parameters];
    for alias in aliases {
        let (name, value) = match alias.result {
            Some(result) => {
                let number = Attr::Integer(result as i128, ElementTy::Number(DType::I32));
                ("tf.aliasing_output", number)
            }
            None => ("jax.buffer_donor", Attr::Bool(true)),
        };
        attributes[alias.parameter].set(name, value);
    }
    attributes.into_iter().map(Attr::Dictionary).collect()
}

/// Looks for what a plugin of this platform cannot know.
fn check(op: &IrOp, platform: &str) -> Result<()> {
    if op.name().starts_with("jarrah.") && platform != OURS {
        let message =
            format!("[{}] is no op of StableHLO: the platform {platform} does not know it", op.name());
        return Err(Error::program(message));
    }
    if op.attr("jarrah.host_function").is_some() {
        return Err(Error::program(
            "a program that calls a function of this process cannot be given to a plugin",
        )
        .help("register the function with the plugin's platform, and call it by its name"));
    }
    op.regions.iter().flat_map(|region| &region.ops).try_for_each(|inner| check(inner, platform))
}

/// An artifact in C's form; it points to the bytes.
pub(super) fn given(code: &[u8]) -> PJRT_Program {
    const FORMAT: &str = "mlir";
    PJRT_Program {
        code: code.as_ptr().cast_mut().cast(),
        code_size: code.len(),
        format: FORMAT.as_ptr().cast(),
        format_size: FORMAT.len(),
        ..Default::default()
    }
}
