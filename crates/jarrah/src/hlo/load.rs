use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use jarrah::{Error, Result};
use jarrah_base::Type;
use jarrah_hlo::Program;
use jarrah_hlo::sharding::{Mesh, MeshRef, ProgramShardings, TensorSharding};
use jarrah_hlo_format::artifact::{self, ExportedFunction};
use jarrah_hlo_format::{self as format, ProgramFormat, ir};
use walkdir::WalkDir;

/// The content of a file: its modules and its name.
pub struct Loaded {
    pub name: String,
    pub modules: Vec<ir::IrModule>,
    /// The exported function around the module, if the file is an artifact.
    pub artifact: Option<ExportedFunction>,
}

/// The content of a file in any of the formats; `-` is the standard input.
pub fn file(path: &Path) -> Result<Loaded> {
    let (name, bytes) = bytes(path)?;
    let (kind, modules) = format::read(&name, &bytes)?;
    if modules.iter().all(|module| module.ops().is_empty()) {
        return Err(Error::input(format!("{name} holds no program")));
    }
    let artifact = match kind {
        ProgramFormat::Artifact => Some(artifact::read(&name, &bytes)?),
        ProgramFormat::Text | ProgramFormat::Bytecode => None,
    };
    Ok(Loaded { name, modules, artifact })
}

/// The name of a file for messages, and its bytes; `-` is the standard input.
pub fn bytes(path: &Path) -> Result<(String, Vec<u8>)> {
    if path != Path::new("-") {
        let bytes = fs::read(path).map_err(|e| Error::io("read", path, &e))?;
        return Ok((path.display().to_string(), bytes));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    read.map_err(|e| Error::environment(format!("cannot read the standard input: {e}")))?;
    Ok(("<stdin>".to_owned(), bytes))
}

impl Loaded {
    /// The module of a file that has to hold one.
    pub fn only(&self) -> Result<&ir::IrModule> {
        match &self.modules[..] {
            [module] => Ok(module),
            modules => {
                Err(Error::input(format!("{} holds {} modules, one is needed", self.name, modules.len()))
                    .help("`jarrah hlo check` takes files of several"))
            }
        }
    }

    /// The program, for arguments of these types if any are given.
    pub fn program(&self, types: Option<&[Type]>) -> Result<Program> {
        match (types, &self.artifact) {
            (None, Some(artifact)) => format::import(&artifact.module_for(None)?),
            (None, None) => format::import(self.only()?),
            (Some(types), Some(artifact)) => artifact.program(types),
            (Some(types), None) => format::import_for(self.only()?, types),
        }
    }
}

impl Loaded {
    /// The program of each of so many devices, which takes whole arguments and gives whole results.
    pub fn program_on(&self, types: Option<&[Type]>, devices: usize) -> Result<Program> {
        self.built_on(types, devices).map_err(|error| match self.modules.first().map(devices_of) {
            Some(needed) if needed > 1 && needed != devices => {
                error.help(format!("this is a program of {needed} devices: --devices {needed}"))
            }
            _ => error,
        })
    }

    fn built_on(&self, types: Option<&[Type]>, devices: usize) -> Result<Program> {
        if devices == 1 {
            return self.program(types);
        }
        let read;
        let module = match &self.artifact {
            None => self.only()?,
            Some(artifact) => {
                read = artifact.module_for(None)?;
                &read
            }
        };
        let arguments = types.map(<[Type]>::to_vec);
        let options =
            format::lower::LowerOptions { arguments, processes: (1, devices), ..Default::default() };
        let program = format::lower::entry(module, &options)?.program;
        let whole = |types: Vec<Type>| {
            let whole =
                |ty: &Type| Ok(Some(TensorSharding::replicated(MeshRef::Inline(Mesh::new(&[])?), ty.rank())));
            types.iter().map(whole).collect::<Result<Vec<_>>>()
        };
        let shardings = ProgramShardings {
            parameters: whole(program.param_types())?,
            results: whole(program.result_types())?,
        };
        Ok(jarrah_compiler::partition(&program.with_shardings(shardings)?, devices)?.program)
    }
}

/// The devices that a module of one replica is for: as many partitions as it says, or as its meshes and its collectives have; 1 if nothing says.
fn devices_of(module: &ir::IrModule) -> usize {
    let stated = |name: &str| module.op.attr(name).and_then(ir::Attr::integer).unwrap_or(1);
    match (stated("mhlo.num_replicas"), stated("mhlo.num_partitions")) {
        (..=1, ..=1) => devices_among(module.ops()),
        (..=1, partitions) => usize::try_from(partitions).unwrap_or(1),
        _ => 1,
    }
}

/// The most devices that one of these ops names.
fn devices_among(ops: &[ir::IrOp]) -> usize {
    let dims = |attr: &ir::Attr| match attr {
        ir::Attr::Dense(dense) => dense.ty.dims.clone(),
        _ => None,
    };
    let named = |op: &ir::IrOp| {
        let mesh = match op.attr("mesh") {
            Some(ir::Attr::Opaque(text)) if op.name() == "sdy.mesh" => text.parse::<Mesh>().ok(),
            _ => None,
        };
        let grouped = op.attr("replica_groups").and_then(dims).map_or(1, |dims| {
            let extent = |dim: &Option<u64>| usize::try_from(dim.unwrap_or(1)).unwrap_or(1);
            dims.iter().map(extent).fold(1, usize::saturating_mul)
        });
        let paired = op.attr("source_target_pairs").and_then(ir::Attr::integers).unwrap_or_default();
        let paired =
            paired.into_iter().max().map_or(1, |last| usize::try_from(last).map_or(1, |last| last + 1));
        let inside = op.regions.iter().map(|region| devices_among(&region.ops)).max().unwrap_or(1);
        mesh.map_or(1, |mesh| mesh.len()).max(grouped).max(paired).max(inside)
    };
    ops.iter().map(named).max().unwrap_or(1)
}

pub fn verify(module: &ir::IrModule) -> Result<()> {
    module.verify()
}

/// The file at `path`, or all programs below the folder, in the order of their paths.
pub fn files(path: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|e| {
            let at = e.path().unwrap_or(path).to_owned();
            let links = || io::Error::other("links lead back to a folder above them");
            Error::io("read", &at, &e.into_io_error().unwrap_or_else(links))
        })?;
        let extension = entry.path().extension().and_then(|e| e.to_str()).unwrap_or_default();
        let is_program =
            matches!(extension.to_ascii_lowercase().as_str(), "mlir" | "mlirbc" | "bc" | "jax_export");
        if is_program && !entry.file_type().is_dir() {
            found.push(entry.into_path());
        }
    }
    Ok(())
}
