//! Runs that stop at the first operation whose result is invalid.
//!
//! With `JARRAH_SANITIZE=nan,oob,div` in the environment, or within [`sanitize`], every compiled program fails with the first
//! operation, and its line, that
//!
//! * `nan`: made a NaN that reached a result; `inf`: an infinity;
//! * `oob`: was given a position outside of what it indexes, instead of moving it inside or leaving it out;
//! * `div`: divided by zero.
//!
//! Numbers are looked at in the results alone; only where these are wrong does the program run again, operation by operation,
//! on the same arguments, so functions that it calls in the process are called again then. Arguments are not donated meanwhile.
//! Positions and divisors are looked at in each run. Functions are traced anew for it: elements of a batch that take different
//! branches, or different numbers of steps, run one after the other, so that none fails in what it takes no part in. Without a
//! sanitizer nothing of this costs anything.

use std::cell::Cell;
use std::sync::{Arc, Mutex};

use jarrah_base::{Error, Result, report};
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Builder, Categories, Program, Site, Value, wrong_numbers};
use jarrah_runtime::{Arg, Buffer, CompileOptions, CompiledMemory, Executable, ExecuteOptions, Execution};
use jarrah_transforms::checked;

use crate::checkify::error_of;
use crate::device::Device;
use crate::scope::Choice;

thread_local! {
    static HERE: Cell<Option<Categories>> = const { Cell::new(None) };
}

static CATEGORIES: Choice<Categories> = Choice::new(&HERE, "JARRAH_SANITIZE", |value| {
    let words = value.split(',').map(str::trim).filter(|word| !word.is_empty());
    words.fold(Categories::NONE, |all, word| {
        all | match word {
            "nan" => Categories::NAN,
            "inf" => Categories::INFINITY,
            "oob" => Categories::INDEX,
            "div" => Categories::DIVISION,
            _ => {
                report(format_args!(
                    "jarrah: JARRAH_SANITIZE is a list of nan, inf, oob and div; {word:?} is none of these"
                ));
                Categories::NONE
            }
        }
    })
});

/// Calls `f`, in which compiled programs stop at the first operation that fails in one of these ways.
///
/// ```
/// use jarrah_array::checkify::Categories;
/// use jarrah_array::{Array, jit, sanitize};
/// let f = jit(|x: &Array| x.log().sum(..));
/// let error = sanitize(Categories::NAN, || f.call(Array::from_slice(&[1.0f32, -1.0]))).unwrap_err();
/// assert!(error.to_string().contains("log made a NaN"));
/// ```
pub fn sanitize<R>(categories: Categories, f: impl FnOnce() -> R) -> R {
    CATEGORIES.with(categories, f)
}

/// The categories of failures that this thread looks for.
pub(crate) fn wanted() -> Categories {
    CATEGORIES.now()
}

/// The program, compiled to stop at the first operation that fails.
pub(crate) fn executable(
    device: &Device,
    program: &Arc<Program>,
    categories: Categories,
) -> Result<Arc<dyn Executable>> {
    let numbers = Categories { nan: categories.nan, infinity: categories.infinity, ..Categories::NONE };
    let operands = Categories { user: false, ..categories };
    let operands = Categories { nan: false, infinity: false, ..operands };
    let found = checked(program, operands)?;
    let flagged = with_flag(&found.program, program.results().len(), numbers)?;
    let executable = compile(device, flagged)?;
    Ok(Arc::new(Sanitized {
        program: program.clone(),
        device: device.clone(),
        executable,
        sites: found.sites,
        numbers,
        exact: Mutex::default(),
    }))
}

fn compile(device: &Device, program: Program) -> Result<Arc<dyn Executable>> {
    device.executable(&Arc::new(program), &CompileOptions::default())
}

/// The program with one more result: whether any of its first `results` results contains a NaN or an infinity.
fn with_flag(program: &Program, results: usize, categories: Categories) -> Result<Program> {
    let mut b = Builder::like(program);
    let params: Vec<Value> = program.param_values().collect();
    let mut returned = b.inline(program, &params)?;
    let mut flag = b.constant(jarrah_base::Literal::from_bools(&[], &[false])?)?;
    for &x in &returned[..results] {
        for (_, fails) in wrong_numbers(&mut b, x, categories)? {
            flag = b.binary(ElementwiseKind::Or, flag, fails)?;
        }
    }
    returned.push(flag);
    b.finish(&returned)
}

/// An executable that waits for the end of each run and checks its results.
struct Sanitized {
    program: Arc<Program>,
    device: Device,
    /// Returns the results, the site of a wrong operand and its numbers, and whether a result is wrong.
    executable: Arc<dyn Executable>,
    sites: Vec<Site>,
    numbers: Categories,
    /// The program that looks at every operation, once it was needed.
    exact: Mutex<Option<Exact>>,
}

/// A program that looks at the results of every operation.
#[derive(Clone)]
struct Exact {
    executable: Arc<dyn Executable>,
    sites: Vec<Site>,
}

impl Sanitized {
    fn exact(&self) -> Result<Exact> {
        let mut slot = self.exact.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(exact) = &*slot {
            return Ok(exact.clone());
        }
        let found = checked(&self.program, self.numbers)?;
        let exact = Exact { executable: compile(&self.device, found.program)?, sites: found.sites };
        *slot = Some(exact.clone());
        Ok(exact)
    }

    /// Finds the operation that produced the first wrong number in a run, and returns its error.
    fn locate(&self, args: &[Arg], options: &ExecuteOptions) -> Error {
        let run = || -> Result<Option<Error>> {
            let exact = self.exact()?;
            let mut results = begin(&exact.executable, args, options)?.0;
            let at = results.len() - 2;
            failure(&exact.sites, &results.split_off(at))
        };
        match run() {
            Ok(Some(error)) | Err(error) => error,
            Ok(None) => {
                let error = "a result is no number or infinite, and no operation made it so: an argument was";
                Error::program(error)
            }
        }
    }
}

/// A run on one device, of arguments that are kept.
fn begin(
    executable: &Arc<dyn Executable>,
    args: &[Arg],
    options: &ExecuteOptions,
) -> Result<(Vec<Buffer>, Execution)> {
    let args = args.iter().map(|arg| Arg::Borrow(arg.buffer().clone())).collect();
    let mut execution = executable.execute(vec![args], options)?;
    let results = execution.results.pop().ok_or_else(|| Error::internal("a run on no device"))?;
    execution.done.iter().try_for_each(jarrah_runtime::Event::wait)?;
    Ok((results, execution))
}

/// The failure that is described by the state at the end of a checked program's results: the number of the site and its numbers.
fn failure(sites: &[Site], state: &[Buffer]) -> Result<Option<Error>> {
    let site = state[0].read()?.get_f64(0) as usize;
    let Some(site) = site.checked_sub(1).and_then(|site| sites.get(site)) else { return Ok(None) };
    Ok(Some(error_of(site, &state[1].read()?.to_f64_vec())))
}

impl Executable for Sanitized {
    fn program(&self) -> &Program {
        self.executable.program()
    }

    fn options(&self) -> &CompileOptions {
        self.executable.options()
    }

    fn execute(&self, args: Vec<Vec<Arg>>, options: &ExecuteOptions) -> Result<Execution> {
        let [args] = &args[..] else {
            return Err(Error::program("a sanitized program runs on one device at a time"));
        };
        let (mut results, mut execution) = begin(&self.executable, args, options)?;
        let flag = results.pop().ok_or_else(|| Error::internal("a sanitized program lost its flag"))?;
        let at = results.len() - 2;
        if let Some(error) = failure(&self.sites, &results.split_off(at))? {
            return Err(error);
        }
        if flag.read()?.get_f64(0) != 0.0 {
            return Err(self.locate(args, options));
        }
        execution.results = vec![results];
        Ok(execution)
    }

    fn memory(&self) -> CompiledMemory {
        self.executable.memory()
    }

    fn notes(&self) -> Vec<String> {
        self.executable.notes()
    }

    fn serialize(&self) -> Result<Vec<u8>> {
        Err(Error::program("a sanitized program cannot be serialized")
            .help("serialize it without a sanitizer"))
    }
}
