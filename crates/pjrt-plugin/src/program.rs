//! Programs and options of their compilation, as C hands them over.

use jarrah_base::Error;
use jarrah_hlo::Program;
use jarrah_hlo_format::ir::IrModule;
use jarrah_hlo_format::{ProgramFormat, lower, read};
use jarrah_pjrt::abi::PJRT_Program;
use jarrah_pjrt::compile_options::{CompileOptionsProto, ShapeProto};
use jarrah_runtime as runtime;

use crate::assignment::DeviceAssignment;
use crate::failure::{Failure, Outcome};
use crate::inspect;
use crate::metadata::Metadata;
use crate::object::{bytes, text, value};
use crate::options;

/// A program that was given, and what it means.
pub struct Given {
    /// The bytes of the module.
    pub code: Vec<u8>,
    /// The serialized options.
    pub options: Vec<u8>,
    /// The program of a partition, on the buffers that hold its arguments and results.
    pub program: Program,
    pub metadata: Metadata,
    pub assignment: DeviceAssignment,
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
        let options = bytes(options, size, "compile options")?.to_vec();
        Given::asking(code.to_vec(), options, inspect::answer)
    }

    /// The program that a module is, which another process may have written, to be compiled with serialized options.
    pub fn read(code: Vec<u8>, options: Vec<u8>) -> Outcome<Given> {
        Given::asking(code, options, |_| Ok(()))
    }

    /// The program that a module is, whose questions `answer` answers.
    fn asking(code: Vec<u8>, options: Vec<u8>, answer: impl FnOnce(&IrModule) -> Outcome) -> Outcome<Given> {
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
        let assignment = DeviceAssignment::of(&wishes)?;
        let processes = (assignment.replicas(), assignment.partitions());
        let import = lower::LowerOptions { processes, ..lower::LowerOptions::default() };
        let program = jarrah_compiler::raise_attention(&lower::entry(module, &import)?.program)?;
        let parts = assignment.partitions();
        let open = &wishes.allow_spmd_sharding_propagation_to_output;
        let metadata = Metadata::read(module, &program, parts, open)?;
        let program = metadata.on_stored(metadata.partition(program, parts)?)?;
        check_layouts(&wishes)?;
        answer(module)?;
        if wishes.parameter_is_tupled_arguments {
            return Err(Failure::unimplemented("arguments cannot come as one tuple"));
        }
        Ok(Given { code, options, program, metadata, assignment })
    }

    /// The options as the runtime takes them.
    pub fn runtime_options(&self) -> runtime::CompileOptions {
        runtime::CompileOptions {
            aliases: self.metadata.aliases.clone(),
            devices: self.assignment.assigned().to_vec(),
            partitions: self.assignment.partitions(),
            ..runtime::CompileOptions::default()
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
