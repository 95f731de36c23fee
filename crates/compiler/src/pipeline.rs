use jarrah_base::{Error, ErrorKind, Result};
use jarrah_hlo::Program;

use crate::assignment::Assignment;
use crate::{buffers, canonicalize, cse, dce, expand, fusion, inline, raise, schedule, simplify};

/// What a device can do, as far as the passes care.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TargetInfo {
    /// Whether it runs `Attention` forward and transpose itself; otherwise they are replaced by their definitions. The
    /// tangent always is.
    pub attention: bool,
    /// The bytes it has for arguments, results and temporaries together, if that is to be checked.
    pub memory: Option<usize>,
}

/// What a compilation is asked for.
pub struct Options<'a> {
    /// The parameters whose memory the results may take.
    pub donated: Vec<usize>,
    /// Called after each pass with its name and the program.
    pub dump: Option<&'a mut dyn FnMut(&str, &Program)>,
    /// Whether the verifier runs after each pass and the assignment is checked; the default in debug builds.
    pub verify: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { donated: Vec::new(), dump: None, verify: cfg!(debug_assertions) }
    }
}

/// A program ready for a device: see the [crate's documentation](crate).
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The steps, in order.
    pub program: Program,
    /// Where values lie.
    pub buffers: Assignment,
}

/// A function from program to program that keeps what the program computes.
pub struct Pass {
    /// What it is called in dumps and on the command line.
    pub name: &'static str,
    /// What it does, for people.
    pub summary: &'static str,
    run: fn(&Program, &TargetInfo, &[usize]) -> Result<Program>,
}

impl Pass {
    /// The pass applied to `program`, for `target`, with these parameters donated.
    ///
    /// # Errors
    /// As [`compile`].
    pub fn run(&self, program: &Program, target: &TargetInfo, donated: &[usize]) -> Result<Program> {
        (self.run)(program, target, donated).map_err(|e| in_pass(self.name, e))
    }
}

/// Every pass. Those of [`compile`] come first, in the order in which it runs them before it assigns buffers; the last
/// [`APART`] run only when they are asked for.
pub const PASSES: &[Pass] = &[
    Pass { name: "inline", summary: "calls become what they call", run: |p, _, _| inline::run(p) },
    Pass {
        name: "expand",
        summary: "ops that the target lacks become their definitions",
        run: |p, target, _| expand::run(p, target),
    },
    // Simplification leaves equal values behind that only look equal afterwards, so it comes first; it leaves dead ones
    // too, which must not keep fusion from seeing single uses.
    Pass { name: "simplify", summary: "rewrites that keep every bit", run: |p, _, _| simplify::run(p) },
    Pass { name: "cse", summary: "equal expressions are computed once", run: |p, _, _| cse::run(p) },
    Pass { name: "dce", summary: "what nothing needs goes", run: |p, _, _| dce::run(p) },
    Pass {
        name: "canonicalize",
        summary: "contractions and copies in the form that devices have",
        run: |p, _, _| canonicalize::run(p),
    },
    Pass { name: "fusion", summary: "elementwise work becomes kernels", run: |p, _, _| fusion::run(p) },
    Pass {
        name: "schedule",
        summary: "the order that needs the least memory",
        run: |p, _, donated| schedule::run(p, donated),
    },
    Pass {
        name: "raise",
        summary: "loops of imported programs become scans",
        run: |p, _, _| raise::raise_loops(p),
    },
];

/// How many of [`PASSES`] are not part of [`compile`].
pub const APART: usize = 1;

/// Compiles `program` for `target`.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::{Options, TargetInfo, compile};
/// use jarrah_hlo::{Builder, Op};
///
/// let mut b = Builder::new("f");
/// let x = b.param(Type::tensor(DType::F32, [8usize, 4]), "x");
/// let y = b.exp(x)?;
/// let z = b.add(x, y)?;
/// let compiled = compile(&b.finish(&[z])?, &TargetInfo::default(), Options::default())?;
/// let kernels = compiled.program.instrs().iter().filter(|i| matches!(i.op, Op::Kernel(_)));
/// assert_eq!(kernels.count(), 1);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// The program has symbolic extents, donates a parameter that does not exist, or takes the tangent of a custom backward rule (program errors), does not fit in
/// the target's memory (environment), or a pass is defective (internal, with the pass's name).
pub fn compile(program: &Program, target: &TargetInfo, mut options: Options<'_>) -> Result<Compiled> {
    let count = program.params().len();
    if let Some(&wrong) = options.donated.iter().find(|&&i| i >= count) {
        return Err(Error::program(format!("parameter {wrong} is donated, there are {count}")));
    }
    let mut current = program.clone();
    for pass in &PASSES[..PASSES.len() - APART] {
        current = pass.run(&current, target, &options.donated)?;
        if options.verify {
            current.verify().map_err(|e| in_pass(pass.name, e))?;
        }
        if let Some(dump) = &mut options.dump {
            dump(pass.name, &current);
        }
    }
    let buffers = buffers::run(&current, &options.donated).map_err(|e| in_pass("buffers", e))?;
    if options.verify {
        buffers::check(&current, &buffers).map_err(|e| in_pass("buffers", e))?;
    }
    if let Some(available) = target.memory {
        buffers::check_memory(&current, &buffers, available)?;
    }
    Ok(Compiled { program: current, buffers })
}

/// A defect gets the name of the pass; what the program did wrong stays as it is.
fn in_pass(name: &str, error: Error) -> Error {
    match error.kind() {
        ErrorKind::Internal => error.context(format!("in the compiler's pass {name}")),
        _ => error,
    }
}
