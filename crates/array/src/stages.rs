//! A compiled function before it is called: its program, its cost, its code.

use std::sync::Arc;

use jarrah_base::{Error, Location, Result, Type};
use jarrah_compiler::TargetInfo;
use jarrah_hlo::{Cost, Program};
use jarrah_hlo_format::bytecode;
use jarrah_runtime::{Executable, Memory};
use jarrah_tree::{Structure, Tree};

use crate::array::Array;
use crate::device::default_device;
use crate::function::{Function, Leaves, always, or_fail};
use crate::jit::{Entry, Jit};

/// A function traced for arguments of one structure and types: what [`Jit::lower`] gives.
pub struct Lowered<R> {
    entry: Arc<Entry<R>>,
    leaves: Leaves,
}

/// A function compiled for arguments of one structure and types: what [`Lowered::compile`] gives. It compiles nothing more.
pub struct Compiled<R> {
    entry: Arc<Entry<R>>,
    leaves: Leaves,
    executable: Arc<dyn Executable>,
}

impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Jit<A, R, F> {
    /// Traces the function for arguments like `args`, whose values do not matter.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let lowered = jit(|x: &Array| x.sin() * 2.0).lower(&Array::zeros(&[3]));
    /// assert!(lowered.as_text().contains("stablehlo.sine"));
    /// let compiled = lowered.compile()?;
    /// assert_eq!(compiled.memory_analysis().arguments, 12);
    /// assert_eq!(compiled.call(Array::zeros(&[3]))?.to_vec::<f32>()?, [0.0; 3]);
    /// assert!(compiled.call(Array::zeros(&[4])).is_err());
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn lower(&self, args: &A) -> Lowered<R> {
        let leaves = Leaves::of(args).abstracted();
        let entry = or_fail(Location::caller(), self.entry(args, &leaves));
        Lowered { entry, leaves }
    }
}

impl<R: Tree<Array>> Lowered<R> {
    /// The program; captured arrays are its last parameters.
    pub fn program(&self) -> &Program {
        &self.entry.program
    }

    /// The program as StableHLO text; ops of our own are `jarrah.*`.
    pub fn as_text(&self) -> String {
        jarrah_hlo_format::print(&self.entry.program)
    }

    /// The program as portable bytecode, which JAX, XLA and other readers of StableHLO understand where it has no op of our own.
    ///
    /// # Errors
    /// The program calls a function of this process, which no file can hold.
    pub fn bytecode(&self) -> Result<Vec<u8>> {
        if self.entry.program.calls_functions() {
            let error =
                Error::program("the program calls a function of this process, which no file can hold");
            return Err(error.op("bytecode").help("compute its value outside, and pass that as an argument"));
        }
        bytecode::write(&jarrah_hlo_format::export(&self.entry.program), bytecode::Version::CURRENT)
    }

    /// An estimate of the work of a call, before any optimization.
    ///
    /// # Errors
    /// As [`Program::cost`].
    pub fn cost_analysis(&self) -> Result<Cost> {
        self.entry.program.cost()
    }

    /// Compiles the program for the default device, unless that was done before.
    ///
    /// # Errors
    /// Compilation fails; the program does not fit into the memory there is.
    pub fn compile(self) -> Result<Compiled<R>> {
        let executable = self.entry.executable(&default_device())?;
        Ok(Compiled { entry: self.entry, leaves: self.leaves, executable })
    }
}

impl<R: Tree<Array>> Compiled<R> {
    /// Calls the function.
    ///
    /// # Errors
    /// As [`Jit::call`], or the arguments are not like those that it was compiled for: the error names the first that is not, and
    /// both types.
    #[track_caller]
    pub fn call<A: Tree<Array>>(&self, args: A) -> Result<R> {
        let given = Leaves::of(&args);
        if let Some(difference) = self.leaves.difference(&given, always) {
            let [compiled, found] = difference.sides;
            let place = difference.path.below("argument");
            let error = Error::program(format!("{place} is {found}, it was compiled for {compiled}"));
            return Err(error
                .op("call")
                .at(Location::caller())
                .help("compile for these types too, or call the function itself"));
        }
        drop(args);
        self.entry.run(given)
    }

    /// The program as it is after optimization, before what runs together is made kernels of, as StableHLO text.
    ///
    /// # Errors
    /// Never for a program that was compiled.
    pub fn as_text(&self) -> Result<String> {
        let program = jarrah_compiler::simplified(&self.entry.program, &TargetInfo::default())?;
        Ok(jarrah_hlo_format::print(&program))
    }

    /// An estimate of the work of a call.
    ///
    /// # Errors
    /// As [`Program::cost`].
    pub fn cost_analysis(&self) -> Result<Cost> {
        self.executable.program().cost()
    }

    /// The memory that a call takes.
    pub fn memory_analysis(&self) -> Memory {
        self.executable.memory()
    }

    /// The types and the structure of the arguments that it was compiled for.
    pub fn arguments(&self) -> (&Structure, Vec<Type>) {
        (&self.leaves.structure, self.leaves.types())
    }

    /// What runs, with the arguments flat, then the captured arrays.
    pub fn runtime_executable(&self) -> &Arc<dyn Executable> {
        &self.executable
    }
}
