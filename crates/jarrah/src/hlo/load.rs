use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jarrah::{Error, Result};
use jarrah_base::Type;
use jarrah_hlo::Program;
use jarrah_hlo_format::artifact::{self, Exported};
use jarrah_hlo_format::{self as format, Format, ir};

/// What a file holds.
pub struct Loaded {
    pub name: String,
    pub modules: Vec<ir::Module>,
    /// What the file says besides, if it is an artifact.
    pub artifact: Option<Exported>,
}

/// The content of a file in any of the formats; `-` is the standard input.
pub fn file(path: &Path) -> Result<Loaded> {
    let mut bytes = Vec::new();
    let name = if path == Path::new("-") {
        io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|e| Error::environment(format!("cannot read the standard input: {e}")))?;
        "<stdin>".to_owned()
    } else {
        bytes = fs::read(path).map_err(|e| Error::io("read", path, &e))?;
        path.display().to_string()
    };
    let (kind, modules) = format::read(&name, &bytes)?;
    let artifact = match kind {
        Format::Artifact => Some(artifact::read(&bytes)?),
        Format::Text | Format::Bytecode => None,
    };
    Ok(Loaded { name, modules, artifact })
}

impl Loaded {
    /// The module of a file that has to hold one.
    pub fn only(&self) -> Result<&ir::Module> {
        match &self.modules[..] {
            [module] => Ok(module),
            modules => {
                Err(Error::input(format!("{} holds {} modules, one is needed", self.name, modules.len()))
                    .help("`jarrah hlo check` takes files of several"))
            }
        }
    }

    /// The program, whose shapes are all known.
    pub fn entry(&self) -> Result<Program> {
        format::import(self.only()?)
    }

    /// The program for arguments of these types.
    pub fn entry_for(&self, types: &[Type]) -> Result<Program> {
        match &self.artifact {
            Some(artifact) => artifact.program(types),
            None => format::import_for(self.only()?, types),
        }
    }
}

pub fn verify(module: &ir::Module) -> Result<()> {
    module.verify()
}

/// The file at `path`, or all programs in the folder.
pub fn files(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(|e| Error::io("read", path, &e))?;
    let mut inside: Vec<PathBuf> = Vec::new();
    for entry in entries {
        inside.push(entry.map_err(|e| Error::io("read", path, &e))?.path());
    }
    inside.sort();
    for path in inside {
        let program = path.extension().is_some_and(|e| e == "mlir" || e == "mlirbc" || e == "bc");
        if path.is_dir() || program {
            files(&path, found)?;
        }
    }
    Ok(())
}
