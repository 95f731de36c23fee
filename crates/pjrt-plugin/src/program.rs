//! Programs and options of their compilation, as C hands them over.

use jarrah_base::Error;
use jarrah_hlo::Program;
use jarrah_hlo_format::{ProgramFormat, lower, read};
use jarrah_pjrt::abi::PJRT_Program;
use jarrah_pjrt::compile_options::{CompileOptionsProto, ShapeProto};
use jarrah_runtime::{self as runtime, DeviceId};

use crate::failure::{Failure, Outcome};
use crate::metadata::Metadata;
use crate::object::{bytes, text, value};
use crate::options;

/// A program that was given, and what it means.
pub struct Given {
    /// The bytes of the module.
    pub code: Vec<u8>,
    /// The serialized options.
    pub options: Vec<u8>,
    pub program: Program,
    pub metadata: Metadata,
    /// The device of each replica; none if the executable is portable.
    pub devices: Vec<DeviceId>,
    pub replicas: usize,
    pub partitions: usize,
}

impl Given {
    /// The program and options of a call.
    pub fn of(program: *const PJRT_Program, options: *const std::ffi::c_char, size: usize) -> Outcome<Given> {
        let program = value(program, "program")?;
        let format = text(program.format, program.format_size, "format of the program")?;
        if format != "mlir" {
            let known = match format {
                "hlo" | "hlo_with_config" => "programs in the form of XLA's HLO are not read",
                _ => "the format is not known",
            };
            return Err(Failure::unimplemented(format!(
                "a program of the format `{format}` was given: {known}; `mlir` is, as text or bytecode"
            )));
        }
        let code = bytes(program.code.cast_const(), program.code_size, "bytes of the program")?;
        Given::read(code.to_vec(), bytes(options, size, "compile options")?.to_vec())
    }

    /// The program that a module is, to be compiled with serialized options.
    pub fn read(code: Vec<u8>, options: Vec<u8>) -> Outcome<Given> {
        let wishes = CompileOptionsProto::read(&options)?;
        for (name, value) in &wishes.env_option_overrides {
            options::check(name, value)?;
        }
        let (format, modules) = read("the program", &code)?;
        let [module] = &modules[..] else {
            let count = modules.len();
            return Err(Failure::invalid(format!("one module is compiled at a time, {count} were given")));
        };
        if format == ProgramFormat::Artifact {
            return Err(Failure::invalid("an artifact of jax.export was given, in the place of its module"));
        }
        let (replicas, partitions) =
            (count("replicas", wishes.num_replicas)?, count("partitions", wishes.num_partitions)?);
        let import =
            lower::LowerOptions { processes: (replicas, partitions), ..lower::LowerOptions::default() };
        let program = jarrah_compiler::raise_attention(&lower::entry(module, &import)?.program)?;
        let metadata = Metadata::read(module, &program)?;
        let program = metadata.on_stored(program)?;
        check_layouts(&wishes)?;
        let whole = metadata.sharded.as_ref().filter(|_| partitions > 1);
        if let Some(sharded) = whole {
            return Err(Failure::unimplemented(format!(
                "{} is to be split into {partitions} partitions: {sharded}; only programs whose arguments and results \
                 are whole on each device run on several",
                program.name()
            )));
        }
        if wishes.parameter_is_tupled_arguments {
            return Err(Failure::unimplemented("arguments cannot come as one tuple"));
        }
        let wanted = count("replicas and partitions", (replicas * partitions) as i64)?;
        let devices = devices(&wishes, wanted)?;
        Ok(Given { code, options, program, metadata, devices, replicas, partitions })
    }

    /// The devices that run the program. Partitions have the same arguments, each of them whole: of a program that calls back, the
    /// first device makes the calls, once, and the others get copies of its results.
    pub fn computing(&self) -> &[DeviceId] {
        let all = self.devices.len();
        let alike = self.replicas == 1 && !self.program.effects().may_duplicate();
        &self.devices[..if alike { all.min(1) } else { all }]
    }

    /// The options as the runtime takes them.
    pub fn runtime_options(&self) -> runtime::CompileOptions {
        runtime::CompileOptions {
            aliases: self.metadata.aliases.clone(),
            devices: self.computing().to_vec(),
            ..runtime::CompileOptions::default()
        }
    }
}

/// A number of replicas or partitions, each of which takes memory here.
fn count(what: &str, count: i64) -> Outcome<usize> {
    let known = usize::try_from(count).ok().filter(|count| (1..=1 << 20).contains(count));
    known.ok_or_else(|| Failure::invalid(format!("a program cannot run in {count} {what}")))
}

/// The devices that the options name, replica by replica.
fn devices(wishes: &CompileOptionsProto, wanted: usize) -> Outcome<Vec<DeviceId>> {
    let id = |id: i64| {
        let id = u32::try_from(id).map_err(|_| Failure::invalid(format!("there is no device {id}")))?;
        Ok(DeviceId(id))
    };
    let Some(assignment) = &wishes.device_assignment else {
        return match (wanted, wishes.device_ordinal) {
            (1, ordinal) if ordinal >= 0 && !wishes.compile_portable_executable => Ok(vec![id(ordinal)?]),
            (1, _) => Ok(Vec::new()),
            _ => (0..wanted as i64).map(id).collect(),
        };
    };
    if wishes.compile_portable_executable {
        return Ok(Vec::new());
    }
    let replicas = assignment.devices.first().map_or(0, Vec::len);
    let by_replica = (0..replicas).flat_map(|replica| assignment.devices.iter().map(move |ids| ids[replica]));
    let devices: Vec<DeviceId> = by_replica.map(id).collect::<Outcome<_>>()?;
    match devices.len() == wanted {
        true => Ok(devices),
        false => {
            Err(Failure::invalid(format!("{} devices are assigned, {wanted} are needed", devices.len())))
        }
    }
}

/// Layouts that are asked for have to be those that all tensors have.
fn check_layouts(wishes: &CompileOptionsProto) -> Outcome {
    fn check(shape: &ShapeProto) -> Outcome {
        shape.tuple.iter().try_for_each(check)?;
        let Some(order) = &shape.minor_to_major else { return Ok(()) };
        match order.iter().rev().copied().eq(0..order.len() as i64) {
            true => Ok(()),
            false => Err(Failure::unimplemented(format!(
                "the layout {order:?}, from the axis that varies fastest, is asked for; all tensors are row-major"
            ))),
        }
    }
    wishes.argument_layouts.iter().chain(&wishes.result_layout).try_for_each(check)
}

/// An error's message with what was going on.
pub fn during(what: &str, name: &str) -> impl Fn(Error) -> Failure {
    move |error| Failure::from(error.context(format!("while {what} {name}")))
}
