use std::cell::Cell;
use std::sync::LazyLock;
use std::thread::LocalKey;
use std::time::{Duration, Instant};

use jarrah_base::memory::size;
use jarrah_base::{Error, ErrorKind, Result};
use jarrah_hlo::{Alias, Program};

use crate::effects::check_effects;
use crate::source::source;
use crate::target::Target;
use crate::verify::{CompiledProgram, check_steps, verify};
use crate::{
    buffers, canonicalize, contract, cse, dce, expand, fusion, grouped, inline, portable, raise,
    rematerialize, schedule, simplify,
};

/// Options of [`compile`].
pub struct PassOptions<'a> {
    /// The parameters whose memory results may or must take, each at most once.
    pub aliases: Vec<Alias>,
    /// Called after each pass with its name and the program.
    pub dump: Option<&'a mut dyn FnMut(&str, &Program)>,
    /// Whether to verify the program and its effects after each pass and to check the assignment; by default as
    /// [`with_checks`] says.
    pub verify: bool,
    /// The bytes that arguments, results, temporaries and `scratch` may take together: where they take more, values are
    /// computed again near their later uses, as many as it takes.
    pub memory_limit: Option<usize>,
    /// The bytes that the device needs besides, which count like temporaries.
    pub scratch: usize,
    /// A pass that does not run, one that is [`Pass::optional`]; by default as [`without_pass`] or the environment's
    /// `JARRAH_WITHOUT_PASS` says.
    pub left_out: Option<&'static str>,
    /// Called with the time that each pass, the checks after it, and the assignment of memory took.
    pub timer: Option<&'a mut dyn FnMut(&'static str, Duration)>,
}

impl Default for PassOptions<'_> {
    fn default() -> Self {
        PassOptions {
            aliases: Vec::new(),
            dump: None,
            verify: CHECKS.get().unwrap_or_else(|| *BY_DEFAULT),
            memory_limit: None,
            scratch: 0,
            left_out: left_out(),
            timer: None,
        }
    }
}

thread_local! {
    static CHECKS: Cell<Option<bool>> = const { Cell::new(None) };
    static LEFT_OUT: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// Whether passes are checked where nobody says: in debug builds, and with `JARRAH_ENABLE_CHECKS=1` in the environment.
static BY_DEFAULT: LazyLock<bool> = LazyLock::new(|| {
    let set = std::env::var("JARRAH_ENABLE_CHECKS").is_ok_and(|value| !value.is_empty() && value != "0");
    set || cfg!(debug_assertions)
});

/// Calls `f`, in which [`PassOptions::verify`] is `checks` by default on this thread.
pub fn with_checks<R>(checks: bool, f: impl FnOnce() -> R) -> R {
    with(&CHECKS, checks, f)
}

/// Calls `f`, in which [`PassOptions::left_out`] is this pass by default on this thread: what is computed keeps its bits.
pub fn without_pass<R>(name: &'static str, f: impl FnOnce() -> R) -> R {
    with(&LEFT_OUT, name, f)
}

fn with<T: Copy, R>(setting: &'static LocalKey<Cell<Option<T>>>, value: T, f: impl FnOnce() -> R) -> R {
    struct Restore<T: Copy + 'static>(&'static LocalKey<Cell<Option<T>>>, Option<T>);
    impl<T: Copy + 'static> Drop for Restore<T> {
        fn drop(&mut self) {
            self.0.set(self.1);
        }
    }
    let _restore = Restore(setting, setting.replace(Some(value)));
    f()
}

/// The pass that [`compile`] leaves out where nobody says more, if there is one: programs that are kept are told apart by it.
pub fn left_out() -> Option<&'static str> {
    static BY_DEFAULT: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var("JARRAH_WITHOUT_PASS").ok().filter(|name| !name.is_empty()));
    LEFT_OUT.get().or(BY_DEFAULT.as_deref())
}

/// A function from program to program that keeps the values that the program computes.
pub struct Pass {
    /// The pass's name in dumps and on the command line.
    pub name: &'static str,
    /// One line for people on the pass's work.
    pub summary: &'static str,
    /// Whether [`compile`] leaves the pass out; it runs only when asked for.
    pub apart: bool,
    /// Whether a device runs what the other passes make without this one, slower.
    pub optional: bool,
    run: Run,
}

impl Pass {
    /// The pass applied to `program`, for `target`, with these parameters given up.
    ///
    /// # Errors
    /// As [`compile`].
    pub fn run(&self, program: &Program, target: &dyn Target, aliases: &[Alias]) -> Result<Program> {
        (self.run)(program, target, aliases).map_err(|e| in_pass(self.name, e))
    }
}

type Run = fn(&Program, &dyn Target, &[Alias]) -> Result<Program>;

const fn pass(name: &'static str, summary: &'static str, run: Run) -> Pass {
    Pass { name, summary, apart: false, optional: false, run }
}

const fn optional(name: &'static str, summary: &'static str, run: Run) -> Pass {
    Pass { optional: true, ..pass(name, summary, run) }
}

/// The pass from which on programs have kernels.
const KERNELS: &str = "fusion";

/// Every pass; those of [`compile`] in the order in which they run before buffers are assigned.
pub const PASSES: &[Pass] = &[
    Pass {
        apart: true,
        ..pass(
            "raise",
            "loops of imported programs become scans, reflections a qr, softmaxes between products attention",
            |p, _, _| raise::raise(p),
        )
    },
    Pass {
        apart: true,
        ..pass("portable", "ops of our own become those of StableHLO", |p, _, _| portable::portable(p))
    },
    pass("inline", "calls become what they call", |p, _, _| inline::run(p)),
    pass("expand", "ops that the target lacks become their definitions", |p, target, _| {
        expand::run(p, target)
    }),
    // Simplification makes values equal that were not, so it comes before cse; it leaves dead ones, which dce drops
    // so that fusion sees single uses.
    optional("simplify", "rewrites that keep every bit", |p, _, _| simplify::run(p)),
    optional("cse", "equal expressions are computed once", |p, _, _| cse::run(p)),
    optional("dce", "what nothing needs goes", |p, _, _| dce::run(p)),
    pass("canonicalize", "contractions and copies in the form that devices have", |p, target, _| {
        canonicalize::run(p, target)
    }),
    // Fusion would make loops of the scales, and of what reads sums in another order.
    optional("groups", "the scaled sums of a product's groups become one step", |p, target, _| {
        grouped::run(p, target)
    }),
    optional(KERNELS, "elementwise work becomes kernels", |p, target, _| fusion::run(p, target)),
    optional("schedule", "the order that needs the least memory", |p, _, aliases| schedule::run(p, aliases)),
    // The schedule puts the kernel that reads a product right behind it.
    optional("contract", "a product and the kernel behind it become one step", |p, target, aliases| {
        contract::run(p, target, aliases)
    }),
];

/// The program after the passes of [`compile`] that come before kernels: simplified, and still in the ops that people know.
///
/// # Errors
/// As [`compile`].
pub fn simplified(program: &Program, target: &dyn Target) -> Result<Program> {
    let mut passes = PASSES.iter().filter(|pass| !pass.apart).take_while(|pass| pass.name != KERNELS);
    passes.try_fold(program.clone(), |current, pass| pass.run(&current, target, &[]))
}

/// The passes of [`compile`], without the one that is left out.
///
/// # Errors
/// It is none that may be left out.
fn passes(left_out: Option<&str>) -> Result<impl Iterator<Item = &'static Pass>> {
    let all = || PASSES.iter().filter(|pass| !pass.apart);
    if let Some(name) = left_out
        && !all().any(|pass| pass.optional && pass.name == name)
    {
        let names: Vec<&str> = all().filter(|pass| pass.optional).map(|pass| pass.name).collect();
        let error = Error::input(format!("there is no pass {name} that may be left out"));
        return Err(error.help(format!("there are {}", names.join(", "))));
    }
    Ok(all().filter(move |pass| left_out != Some(pass.name)))
}

/// Compiles `program` for `target`.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_compiler::{PassOptions, Reference, compile};
/// use jarrah_hlo::{Builder, Op};
///
/// let mut b = Builder::new("f");
/// let x = b.param(Type::tensor(DType::F32, [8, 4]), "x");
/// let y = b.exp(x)?;
/// let z = b.add(x, y)?;
/// let compiled = compile(&b.finish(&[z])?, &Reference::default(), PassOptions::default())?;
/// let kernels = compiled.program.instrs().iter().filter(|i| matches!(i.op, Op::Kernel(_)));
/// assert_eq!(kernels.count(), 1);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// A program error if the program donates a parameter that does not exist, or takes the tangent
/// of a custom backward rule, or has an op that the target lacks; an input error if it does not fit in the target's memory; an internal error, with the
/// pass's name, if a pass is defective.
pub fn compile(
    program: &Program,
    target: &dyn Target,
    mut options: PassOptions<'_>,
) -> Result<CompiledProgram> {
    Alias::check(&options.aliases, program)?;
    let mut clock = Clock { timer: options.timer.take(), last: Instant::now() };
    let mut current = program.clone();
    for pass in passes(options.left_out)?.filter(|pass| target.optimizes() || !pass.optional) {
        let next = pass.run(&current, target, &options.aliases)?;
        clock.lap(pass.name);
        step(pass.name, &mut current, next, &mut options, &mut clock)?;
    }
    let mut buffers =
        buffers::run(&current, &options.aliases, target, options.scratch).map_err(|e| in_pass(BUFFERS, e))?;
    let mut recomputed = Vec::new();
    let room = options.memory_limit.map(|limit| limit.saturating_sub(options.scratch));
    if let Some(room) = room.filter(|&room| buffers.memory.total() > room) {
        clock.lap(BUFFERS);
        let run = rematerialize::run(&current, &options.aliases, room, target);
        let (next, again) = run.map_err(|e| in_pass(REMATERIALIZE, e))?;
        clock.lap(REMATERIALIZE);
        step(REMATERIALIZE, &mut current, next, &mut options, &mut clock)?;
        recomputed = again;
        buffers = buffers::run(&current, &options.aliases, target, options.scratch)
            .map_err(|e| in_pass(BUFFERS, e))?;
    }
    clock.lap(BUFFERS);
    // Offsets of an assignment that does not fit may be saturated, so nothing looks at them before this check.
    buffers::check_memory(&current, &buffers, options.scratch, target)?;
    if let Some(limit) = options.memory_limit {
        buffers::check_limit(&current, &buffers, options.scratch, limit).map_err(|error| {
            let asked = size(limit);
            let again = recomputed.len();
            error.context(format!("the limit of {asked} was asked for; {again} steps run again already"))
        })?;
    }
    buffers::check_aliases(program, &buffers, &options.aliases)?;
    let compiled = CompiledProgram { program: current, buffers, recomputed, source: source(program) };
    match options.verify {
        true => verify(&compiled, target).map_err(|e| in_pass(CHECKED, e))?,
        false => check_steps(&compiled.program, target)?,
    }
    clock.lap(CHECKED);
    Ok(compiled)
}

/// The names of what is no [`Pass`] in timings, dumps and errors.
const REMATERIALIZE: &str = "rematerialize";
const BUFFERS: &str = "buffers";
const CHECKED: &str = "verify";
const DUMPED: &str = "dump";

/// Checks and dumps what a pass made, which becomes the program.
fn step(
    name: &str,
    current: &mut Program,
    next: Program,
    options: &mut PassOptions<'_>,
    clock: &mut Clock<'_>,
) -> Result<()> {
    if options.verify {
        next.verify().map_err(|e| in_pass(name, e))?;
        check_effects(current, &next).map_err(|e| in_pass(name, e))?;
        clock.lap(CHECKED);
    }
    *current = next;
    if let Some(dump) = &mut options.dump {
        dump(name, current);
        clock.lap(DUMPED);
    }
    Ok(())
}

/// Tells a timer of the time since the last lap.
struct Clock<'a> {
    timer: Option<&'a mut dyn FnMut(&'static str, Duration)>,
    last: Instant,
}

impl Clock<'_> {
    fn lap(&mut self, name: &'static str) {
        if let Some(timer) = &mut self.timer {
            let now = Instant::now();
            timer(name, now - self.last);
            self.last = now;
        }
    }
}

/// An internal error gets the name of the pass; an error of the program stays as it is.
fn in_pass(name: &str, error: Error) -> Error {
    match error.kind() {
        ErrorKind::Internal => error.context(format!("in the compiler's pass {name}")),
        _ => error,
    }
}
