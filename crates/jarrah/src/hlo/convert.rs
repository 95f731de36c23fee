use std::path::Path;

use jarrah::{Error, Result};
use jarrah_base::files;
use jarrah_hlo_format::bytecode::{self, Version};
use jarrah_hlo_format::ir::IrModule;
use jarrah_hlo_format::{PrintOptions, ProgramFormat, artifact, print_tree};

use super::load;
use crate::cli::Convert;
use crate::output::{note, show_bytes};

pub fn convert(arguments: &Convert) -> Result<()> {
    let to = match &arguments.to {
        Some(name) => named(name)?,
        None => by_extension(&arguments.output)?,
    };
    let version = match &arguments.target {
        Some(text) => text.parse::<Version>()?,
        // The version that JAX 0.10 reads.
        None => Version::new(1, 17),
    };
    let loaded = load::file(&arguments.input)?;
    load::verify(loaded.only()?)?;
    let platform = arguments.platform.as_deref();
    let bytes = match (&loaded.artifact, to) {
        (Some(exported), ProgramFormat::Artifact) => {
            artifact::write(&exported.rewritten(platform, version)?)?
        }
        (None, ProgramFormat::Artifact) => {
            artifact::export(loaded.only()?, platform.unwrap_or("cpu"), version)?
        }
        (Some(exported), to) => {
            let module = exported.module_for(platform)?;
            if exported.platforms.len() > 1 {
                let taken = &exported.platforms[exported.platform(platform)?];
                let all = exported.platforms.join(", ");
                note(&format!("the program for {taken}; the artifact is for {all}"));
            }
            written(&module, to, version)?
        }
        (None, to) => match platform {
            None => written(loaded.only()?, to, version)?,
            Some(_) => {
                let message = format!("{} is no artifact: it does not say what platforms are", loaded.name);
                return Err(Error::input(message).help("--platform is for artifacts"));
            }
        },
    };
    if arguments.output == Path::new("-") {
        return show_bytes(&bytes);
    }
    files::replace(&arguments.output, &bytes)
}

/// The module in a form that holds nothing else.
fn written(module: &IrModule, to: ProgramFormat, version: Version) -> Result<Vec<u8>> {
    match to {
        ProgramFormat::Text => Ok(print_tree(module, &PrintOptions::default()).into_bytes()),
        ProgramFormat::Bytecode | ProgramFormat::Artifact => bytecode::write(module, version),
    }
}

fn named(name: &str) -> Result<ProgramFormat> {
    match name {
        "text" => Ok(ProgramFormat::Text),
        "bytecode" => Ok(ProgramFormat::Bytecode),
        "jax-export" => Ok(ProgramFormat::Artifact),
        _ => Err(Error::input(format!("there is no format {name}")).help("text, bytecode or jax-export")),
    }
}

fn by_extension(path: &Path) -> Result<ProgramFormat> {
    match path.extension().and_then(|e| e.to_str()) {
        _ if path == Path::new("-") => Ok(ProgramFormat::Text),
        Some("mlir") => Ok(ProgramFormat::Text),
        Some("mlirbc" | "bc") => Ok(ProgramFormat::Bytecode),
        Some("jax_export") => Ok(ProgramFormat::Artifact),
        _ => Err(Error::input(format!("{} does not say the format", path.display()))
            .help("end the name with .mlir, .mlirbc or .jax_export, or give --to text|bytecode|jax-export")),
    }
}
