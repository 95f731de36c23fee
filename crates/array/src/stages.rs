//! The stages of a compiled function before it is called: its program, its cost, its code.

use std::sync::Arc;

use jarrah_base::memory::size;
use jarrah_base::{Error, Literal, Location, Result, Type};
use jarrah_compiler::Reference;
use jarrah_hlo::{Cost, Program};
use jarrah_hlo_format::bytecode;
use jarrah_runtime::{CompiledMemory, Executable, MemoryKind, StepLabel};
use jarrah_tree::{Path, Structure, Tree};

use crate::array::Array;
use crate::device::{Device, default_device};
use crate::format::Format;
use crate::function::{Function, Leaves, abstracted, always, or_fail};
use crate::jit::{Entry, Jit};

/// A function traced for arguments of one structure and types; made by [`Jit::lower`].
///
/// ```
/// use jarrah_array::{Array, jit};
/// let f = jit(|(x, y): &(Array, Array)| x.matmul(y));
/// let lowered = f.lower(&(Array::zeros(&[2, 3]), Array::zeros(&[3, 4])));
/// assert_eq!(lowered.program().params().len(), 2);
/// assert!(lowered.as_text().contains("stablehlo.dot_general"));
/// assert!(lowered.bytecode()?.starts_with(b"ML\xefR"));
/// // A product and a sum for each of 2 * 4 * 3 elements.
/// assert_eq!(lowered.cost_analysis()?.flops, 48.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Lowered<R> {
    entry: Arc<Entry<R>>,
    leaves: Leaves,
}

/// A function compiled for arguments of one structure and types; made by [`Lowered::compile`]. It is never compiled for others.
///
/// ```
/// use jarrah_array::{Array, jit};
/// let f = jit(|(x, y): &(Array, Array)| x.matmul(y));
/// let compiled = f.lower(&(Array::zeros(&[2, 3]), Array::zeros(&[3, 4]))).compile()?;
/// assert!(compiled.as_text()?.contains("stablehlo.dot_general"));
/// assert_eq!(compiled.cost_analysis()?.flops, 48.0);
/// let memory = compiled.memory_analysis();
/// assert_eq!((memory.arguments, memory.results), (4 * (6 + 12), 4 * 8));
/// assert_eq!(compiled.arguments().1[0].to_string(), "f32[2,3]");
/// assert_eq!(compiled.runtime_executable().program().params().len(), 2);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Compiled<R> {
    entry: Arc<Entry<R>>,
    leaves: Leaves,
    executable: Arc<dyn Executable>,
    /// The default device at the time of compilation.
    device: Device,
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
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn lower(&self, args: &A) -> Lowered<R> {
        let leaves = Leaves::of(args).abstracted();
        let entry = or_fail(Location::caller(), self.entry(args, &leaves));
        Lowered { entry, leaves }
    }
}

impl<A: Tree<Array>, R: Tree<Array>, F: Function<A, Output = R>> Jit<A, R, F> {
    /// A description of the compiled function's needs: the memory of a call for arguments like `args`, and the steps that are
    /// recomputed to stay within a [memory limit](Jit::memory_limit).
    ///
    /// # Errors
    /// As [`Lowered::compile`].
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let said = jit(|x: &Array| x.sin()).explain(&Array::zeros(&[1000]))?;
    /// assert_eq!(said, "memory: 8000 B (arguments 4000 B, results 4000 B, temporaries 0 B)\n");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn explain(&self, args: &A) -> Result<String> {
        Ok(self.lower(args).compile()?.explain())
    }
}

/// An argument of a compiled function: one leaf of the tree that it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgInfo {
    /// The path of the leaf in the argument.
    pub path: Path,
    /// Its dtype and extents.
    pub ty: Type,
    /// Whether the function may overwrite it.
    pub donated: bool,
}

impl<R> Lowered<R> {
    /// A lowered function for arguments with these leaves.
    pub(crate) fn of(entry: Arc<Entry<R>>, leaves: Leaves) -> Lowered<R> {
        Lowered { entry, leaves }
    }
}

impl<R: Tree<Array>> Lowered<R> {
    /// The arguments, leaf by leaf.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let step = jit(|(state, x): &(Array, Array)| state + x).donate(0);
    /// let lowered = step.lower(&(Array::zeros(&[3]), Array::zeros(&[3])));
    /// let donated: Vec<bool> = lowered.args_info().iter().map(|info| info.donated).collect();
    /// assert_eq!(donated, [true, false]);
    /// ```
    pub fn args_info(&self) -> Vec<ArgInfo> {
        let leaves = self.leaves.with_paths().enumerate();
        let info = |(i, (array, path)): (usize, (&Array, Path))| ArgInfo {
            path,
            ty: array.ty(),
            donated: self.entry.donates(i),
        };
        leaves.map(info).collect()
    }

    /// The program; captured arrays are its last parameters.
    pub fn program(&self) -> &Program {
        &self.entry.program
    }

    /// The program as StableHLO text, without the lines that [`Lowered::bytecode`] has; ops of our own are `jarrah.*`.
    pub fn as_text(&self) -> String {
        jarrah_hlo_format::print(&self.entry.program)
    }

    /// The program as portable bytecode, which JAX, XLA and other readers of StableHLO can read if it contains no op of our own.
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
    ///
    /// ```
    /// use jarrah_array::{Array, compiled_programs, jit};
    /// let lowered = jit(|x: &Array| x.sin()).lower(&Array::zeros(&[3]));
    /// let before = compiled_programs();
    /// let compiled = lowered.compile()?;
    /// assert_eq!(compiled.call(Array::from_slice(&[0.0f32, 0.0, 0.0]))?.to_vec::<f32>()?, [0.0; 3]);
    /// assert_eq!(compiled_programs() - before, 1);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn compile(self) -> Result<Compiled<R>> {
        let device = default_device();
        let executable = self.entry.executable(&device)?;
        Ok(Compiled { entry: self.entry, leaves: self.leaves, executable, device })
    }
}

impl<R: Tree<Array>> Compiled<R> {
    /// The format in which the function takes each array of the argument, in the order of the leaves: an array that was put on no
    /// device goes to this device.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let args = (Array::zeros(&[2, 3]), Array::zeros(&[3]));
    /// let compiled = jit(|(x, y): &(Array, Array)| x + y).lower(&args).compile()?;
    /// assert_eq!(compiled.input_formats(), [args.0.format()?, args.1.format()?]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn input_formats(&self) -> Vec<Format> {
        let format = |array: &Array| Format {
            major_to_minor: (0..array.rank()).collect(),
            device: self.device.clone(),
            memory: MemoryKind::Device,
        };
        self.leaves.arrays.iter().map(format).collect()
    }

    /// Calls the function.
    ///
    /// # Errors
    /// As [`Jit::call`], or the arguments are not like those that it was compiled for: the error names the first that is not, and
    /// both types.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// let compiled = jit(|x: &Array| x * 2.0).lower(&Array::zeros(&[2])).compile()?;
    /// assert_eq!(compiled.call(Array::from_slice(&[1.0f32, 2.0]))?.to_vec::<f32>()?, [2.0, 4.0]);
    /// let error = compiled.call(Array::zeros(&[3])).unwrap_err();
    /// assert!(error.to_string().contains("the argument is f32[3], it was compiled for f32[2]"));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
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

    /// The compiled code and the arrays that the function captured, as bytes for
    /// [`Compiled::deserialize_and_load`]: a server compiles nothing when it starts.
    ///
    /// # Errors
    /// The program calls a function of this process, or uses a [`Ref`](crate::Ref) from outside; a captured array could not be
    /// computed.
    ///
    /// ```
    /// use jarrah_array::{Array, Compiled, jit};
    /// let x = Array::from_slice(&[1.0f32, 2.0]);
    /// let bytes = jit(|x: &Array| x * 2.0).lower(&x).compile()?.serialize()?;
    /// let loaded = Compiled::deserialize_and_load(&bytes, &x, &x)?;
    /// assert_eq!(loaded.call(x)?.to_vec::<f32>()?, [2.0, 4.0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn serialize(&self) -> Result<Vec<u8>> {
        let Some(captures) = self.entry.fixed_captures() else {
            let error =
                Error::program("the function uses a Ref from outside, which is state of this process");
            return Err(error.op("serialize").help("pass what the Ref holds as an argument, and return it"));
        };
        let code = self.executable.serialize()?;
        let mut bytes = (code.len() as u64).to_le_bytes().to_vec();
        bytes.extend(code);
        for capture in captures {
            bytes.extend_from_slice(capture.to_literal()?.bytes());
        }
        Ok(bytes)
    }

    /// Reads a compiled function that [`Compiled::serialize`] wrote, for arguments like `args` and with results like `like`,
    /// whose values do not matter; on the default device, which must have the platform, the version and the processor of the
    /// device it was compiled for.
    ///
    /// The bytes are trusted as code is: damage of the code is found, malice may not be.
    ///
    /// # Errors
    /// The bytes are damaged, or those of another platform, version or processor; the function takes or returns other types.
    ///
    /// ```
    /// use jarrah_array::{Array, Compiled, compiled_programs, jit};
    /// let (scale, x) = (Array::from_slice(&[2.0f32, 3.0]), Array::from_slice(&[1.0f32, 1.0]));
    /// let bytes = jit(move |x: &Array| x * &scale).lower(&x).compile()?.serialize()?;
    /// let before = compiled_programs();
    /// let f = Compiled::deserialize_and_load(&bytes, &x, &x)?;
    /// assert_eq!(f.call(x)?.to_vec::<f32>()?, [2.0, 3.0]);
    /// assert_eq!(compiled_programs(), before);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn deserialize_and_load<A: Tree<Array>>(bytes: &[u8], args: &A, like: &R) -> Result<Self> {
        let damaged = || Error::input("the bytes of a compiled function end too early, or too late");
        let (head, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
        let length = usize::try_from(u64::from_le_bytes(*head)).map_err(|_| damaged())?;
        let (code, mut rest) = rest.split_at_checked(length).ok_or_else(damaged)?;
        let device = default_device();
        let executable = device.client().load(code, None)?;
        let program = executable.program();
        let (leaves, wanted) = (Leaves::of(args).abstracted(), Leaves::of(like));
        let all = program.param_types();
        let refuse = |what: &str, found: &[Type], given: &[Type]| {
            let shown = |types: &[Type]| types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ");
            let error = format!("the function {what} ({}), not ({})", shown(found), shown(given));
            let error = Error::program(error).op("deserialize_and_load").at(Location::caller());
            Err(error.help("give arrays like those that it was compiled for"))
        };
        let own = all.get(..leaves.arrays.len()).unwrap_or(&all);
        if own != leaves.types() {
            return refuse("takes", own, &leaves.types());
        }
        if program.result_types() != wanted.types() {
            return refuse("returns", &program.result_types(), &wanted.types());
        }
        let mut captures = Vec::new();
        for &ty in &all[own.len()..] {
            let (data, others) = rest.split_at_checked(ty.bytes()?).ok_or_else(damaged)?;
            captures.push(Array::from_literal(Literal::from_bytes(ty, data)?));
            rest = others;
        }
        if !rest.is_empty() {
            return Err(damaged());
        }
        let entry = Entry::loaded(&leaves, abstracted(like), captures, executable.clone(), device.clone());
        Ok(Compiled { entry: Arc::new(entry), leaves, executable, device })
    }

    /// The optimized program as StableHLO text, before operations are fused to kernels.
    ///
    /// # Errors
    /// Never for a program that was compiled.
    pub fn as_text(&self) -> Result<String> {
        let program = jarrah_compiler::simplified(&self.entry.program, &Reference::default())?;
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
    pub fn memory_analysis(&self) -> CompiledMemory {
        self.executable.memory()
    }

    /// The steps that a call runs, and how each runs; those of nested programs come before the step that runs them.
    ///
    /// ```
    /// use jarrah_array::{Array, jit};
    /// use jarrah_runtime::Way;
    /// let compiled = jit(|x: &Array| x.matmul(x)).lower(&Array::ones(&[8, 8])).compile()?;
    /// assert_eq!(compiled.steps().iter().map(|step| step.way).collect::<Vec<_>>(), [Way::Product]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn steps(&self) -> Vec<StepLabel> {
        self.executable.steps()
    }

    /// The memory that a call takes, in words, and the steps that run again to stay within a memory limit, a line each.
    pub fn explain(&self) -> String {
        let memory = self.memory_analysis();
        let mut text = format!(
            "memory: {} (arguments {}, results {}, temporaries {})\n",
            size(memory.total()),
            size(memory.arguments),
            size(memory.results),
            size(memory.temporaries)
        );
        for note in self.executable.notes() {
            text += &note;
            text.push('\n');
        }
        text
    }

    /// The types and the structure of the arguments that it was compiled for.
    pub fn arguments(&self) -> (&Structure, Vec<Type>) {
        (&self.leaves.structure, self.leaves.types())
    }

    /// The executable, which takes the flattened arguments, then the captured arrays.
    pub fn runtime_executable(&self) -> &Arc<dyn Executable> {
        &self.executable
    }
}
