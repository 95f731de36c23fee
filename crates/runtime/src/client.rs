use std::sync::Arc;

use jarrah_base::{Literal, Result};
use jarrah_hlo::Program;

use crate::buffer::Buffer;

/// The devices of one kind, and the compiler for them.
pub trait Client: Send + Sync {
    /// The kind of device: `cpu`.
    fn platform(&self) -> &str;

    /// Copies a tensor to the device's memory.
    ///
    /// # Errors
    /// The device is out of memory.
    fn upload(&self, literal: &Literal) -> Result<Buffer>;

    /// Compiles a program.
    ///
    /// # Errors
    /// The program is invalid, uses what the device lacks, or does not fit into its memory.
    fn compile(&self, program: &Program, options: &CompileOptions) -> Result<Arc<dyn Executable>>;
}

/// Options of [`Client::compile`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct CompileOptions {
    /// The parameters whose buffers the executable may overwrite, by index, increasing.
    pub donated: Vec<usize>,
}

/// A compiled program.
pub trait Executable: Send + Sync {
    /// Runs the program.
    ///
    /// A donated argument is overwritten if its buffer is the only handle, and copied otherwise.
    ///
    /// # Errors
    /// The number or types of the arguments are wrong, a buffer belongs to another client, or the device failed.
    fn execute(&self, args: Vec<Buffer>) -> Result<Vec<Buffer>>;

    /// The memory one run needs.
    fn memory(&self) -> Memory;
}

/// The memory one run of an executable needs, known before it runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// Bytes of the arguments.
    pub arguments: usize,
    /// Bytes of the results that do not reuse an argument.
    pub results: usize,
    /// Bytes of intermediate values at their peak.
    pub temporaries: usize,
}

impl Memory {
    /// Arguments, results and temporaries together.
    pub fn total(&self) -> usize {
        self.arguments.saturating_add(self.results).saturating_add(self.temporaries)
    }
}
