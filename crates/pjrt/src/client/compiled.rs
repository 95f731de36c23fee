//! Cost, memory and text of a program that a plugin has compiled.

use jarrah_base::Result;
use jarrah_runtime::{CompiledMemory, DeviceAttribute};

use super::plugin::{Object, ask};
use crate::abi::*;
use crate::named::{self, text};

/// A program that a plugin has compiled, loaded to devices or not.
pub struct CompiledExecutable(pub(super) Object<PJRT_Executable>);

/// A program after the plugin's passes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptimizedProgram {
    /// The form: `mlir` for MLIR, `hlo` and `hlo_with_config` for messages of XLA.
    pub format: String,
    /// The program in that form.
    pub code: Vec<u8>,
}

impl CompiledExecutable {
    /// Estimates of the work of a run by name, such as `flops`.
    ///
    /// # Errors
    /// The plugin makes none.
    pub fn cost(&self) -> Result<Vec<(String, DeviceAttribute)>> {
        let said = ask!(
            self.0.plugin(),
            PJRT_Executable_GetCostAnalysis(PJRT_Executable_GetCostAnalysis_Args {
                executable: self.0.get()
            })
        )?;
        // SAFETY: the plugin gave the list, which lives as long as the executable.
        unsafe { named::read(said.properties, said.num_properties) }
    }

    /// The memory that a run takes.
    ///
    /// # Errors
    /// The plugin does not know.
    pub fn memory(&self) -> Result<CompiledMemory> {
        let said = ask!(
            self.0.plugin(),
            PJRT_Executable_GetCompiledMemoryStats(PJRT_Executable_GetCompiledMemoryStats_Args {
                executable: self.0.get()
            })
        )?;
        let bytes = |number: i64| usize::try_from(number).unwrap_or(0);
        Ok(CompiledMemory {
            arguments: bytes(said.argument_size_in_bytes),
            results: bytes(said.output_size_in_bytes).saturating_sub(bytes(said.alias_size_in_bytes)),
            temporaries: bytes(said.temp_size_in_bytes),
        })
    }

    /// The program as it runs.
    ///
    /// # Errors
    /// The plugin does not tell.
    pub fn optimized(&self) -> Result<OptimizedProgram> {
        let plugin = self.0.plugin();
        let mut program = PJRT_Program::default();
        let ask = |program: &mut PJRT_Program| {
            ask!(
                plugin,
                PJRT_Executable_OptimizedProgram(PJRT_Executable_OptimizedProgram_Args {
                    executable: self.0.get(),
                    program: program,
                })
            )
        };
        // The first call says how much place the code needs.
        ask(&mut program)?;
        let mut code = vec![0u8; program.code_size];
        program.code = code.as_mut_ptr().cast();
        ask(&mut program)?;
        code.truncate(program.code_size);
        // SAFETY: the plugin gave the text, which lives as long as the executable.
        let format = unsafe { text(program.format, program.format_size, "format of a program")? };
        Ok(OptimizedProgram { format, code })
    }

    /// The program as bytes, which the plugin can load without compiling it again.
    ///
    /// # Errors
    /// The plugin cannot.
    pub fn serialize(&self) -> Result<Vec<u8>> {
        let said = ask!(
            self.0.plugin(),
            PJRT_Executable_Serialize(PJRT_Executable_Serialize_Args { executable: self.0.get() })
        )?;
        let bytes = match said.serialized_bytes.is_null() {
            true => Vec::new(),
            // SAFETY: the plugin gave the bytes, which live until the object is freed.
            false => unsafe {
                std::slice::from_raw_parts(said.serialized_bytes.cast::<u8>(), said.serialized_bytes_size)
                    .to_vec()
            },
        };
        if let Some(free) = said.serialized_executable_deleter {
            // SAFETY: the plugin gave the function for this object, which nothing uses any longer.
            unsafe { free(said.serialized_executable) };
        }
        Ok(bytes)
    }

    /// How many results the program has.
    pub(super) fn results(&self) -> Result<usize> {
        let asked = ask!(
            self.0.plugin(),
            PJRT_Executable_NumOutputs(PJRT_Executable_NumOutputs_Args { executable: self.0.get() })
        )?;
        Ok(asked.num_outputs)
    }
}
