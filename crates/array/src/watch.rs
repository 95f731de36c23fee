//! Reports of traces and retraces with their causes; switches that disable `jit` or enable checks.

use std::cell::{Cell, RefCell};
use std::sync::LazyLock;
use std::thread::LocalKey;
use std::time::Duration;

use jarrah_base::{Location, report};
use jarrah_hlo::Program;

use crate::monitoring::{self, MonitoringEvent};
use crate::scope::Scoped;

thread_local! {
    static DISABLED: Cell<bool> = const { Cell::new(false) };
    static RETRACES_HERE: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
    static TRACES_HERE: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Messages of one kind: collected on a thread for the length of a call, and printed if an environment variable asks for it.
struct Lines {
    here: &'static LocalKey<RefCell<Option<Vec<String>>>>,
    reported: LazyLock<bool>,
}

static RETRACES: Lines =
    Lines { here: &RETRACES_HERE, reported: LazyLock::new(|| is_set("JARRAH_EXPLAIN_RETRACES")) };
static TRACES: Lines =
    Lines { here: &TRACES_HERE, reported: LazyLock::new(|| is_set("JARRAH_LOG_COMPILES")) };

/// Calls `f`, in which compiled functions run as they are written, operation by operation: values can be read everywhere.
///
/// ```
/// use jarrah_array::{Array, disable_jit, jit};
/// let f = jit(|x: &Array| if x.item::<f32>().unwrap() > 0.0 { x * 2.0 } else { -x });
/// let y = disable_jit(|| f.call(Array::scalar(3.0)))?;
/// assert_eq!(y.item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn disable_jit<R>(f: impl FnOnce() -> R) -> R {
    let _scope = Scoped::set(&DISABLED, true);
    f()
}

pub(crate) fn is_jit_disabled() -> bool {
    DISABLED.get()
}

/// Calls `f`, in which the compiler's work is checked: after each of its passes the program and its effects are verified, and at
/// the end that no two values share memory while both are needed. Debug builds always do, as does every build with
/// `JARRAH_ENABLE_CHECKS=1` in the environment.
///
/// ```
/// use jarrah_array::{Array, enable_checks, jit};
/// let y = enable_checks(|| jit(|x: &Array| x.sin() * 2.0).call(Array::zeros(&[3])))?;
/// assert_eq!(y.to_vec::<f32>()?, [0.0; 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn enable_checks<R>(f: impl FnOnce() -> R) -> R {
    jarrah_compiler::with_checks(true, f)
}

/// The result of `f`, and a line for each compiled function that was traced again within it: where it was called, and what was
/// new.
///
/// With `JARRAH_EXPLAIN_RETRACES=1` in the environment all these lines also go to the standard error. If `f` ends in a panic or a
/// program error, its lines go to the surrounding call that collects lines, or else to the standard error.
///
/// ```
/// use jarrah_array::{Array, explain_retraces, jit};
/// let f = jit(|x: &Array| x * 2.0);
/// let ((), lines) = explain_retraces(|| {
///     for n in [3, 3, 4] {
///         f.call(Array::zeros(&[n])).unwrap();
///     }
/// });
/// assert_eq!(lines.len(), 1);
/// assert!(lines[0].contains("the argument is f32[4], it was f32[3]"));
/// ```
pub fn explain_retraces<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    collected(&RETRACES, f)
}

/// The result of `f`, and a line for each compiled function that was traced within it: where, how large, how long it took.
///
/// With `JARRAH_LOG_COMPILES=1` in the environment all these lines also go to the standard error. If `f` ends in a panic or a
/// program error, its lines go to the surrounding call that collects lines, or else to the standard error.
///
/// ```
/// use jarrah_array::{Array, jit, log_compiles};
/// let f = jit(|x: &Array| x * 2.0);
/// let (y, lines) = log_compiles(|| f.call(Array::scalar(3.0)).and_then(|y| y.item::<f32>()));
/// assert_eq!((y?, lines.len()), (6.0, 1));
/// assert!(lines[0].contains("was traced at"));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub fn log_compiles<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    collected(&TRACES, f)
}

fn collected<R>(lines: &'static Lines, f: impl FnOnce() -> R) -> (R, Vec<String>) {
    let collecting = Collecting { lines, around: lines.here.replace(Some(Vec::new())), done: false };
    let result = f();
    (result, collecting.end())
}

/// The collection of lines until this is dropped.
struct Collecting {
    lines: &'static Lines,
    /// The lines that a call around this one has collected.
    around: Option<Vec<String>>,
    /// Whether the lines were returned to the caller.
    done: bool,
}

impl Collecting {
    fn end(mut self) -> Vec<String> {
        self.done = true;
        self.lines.here.with_borrow(|lines| lines.clone().unwrap_or_default())
    }
}

impl Drop for Collecting {
    fn drop(&mut self) {
        // Messages collected in an inner call also belong to the outer call.
        let found = self.lines.here.replace(self.around.take()).unwrap_or_default();
        let is_around = self.lines.here.with_borrow_mut(|around| match around {
            Some(around) => {
                around.extend_from_slice(&found);
                true
            }
            None => false,
        });
        if !self.done && !is_around && !*self.lines.reported {
            found.iter().for_each(|line| report(format_args!("jarrah: {line}")));
        }
    }
}

impl Lines {
    fn add(&'static self, line: impl FnOnce() -> String) {
        let reported = *self.reported;
        if !reported && self.here.with_borrow(Option::is_none) {
            return;
        }
        let line = line();
        if reported {
            report(format_args!("jarrah: {line}"));
        }
        self.here.with_borrow_mut(|lines| lines.iter_mut().for_each(|lines| lines.push(line.clone())));
    }
}

fn is_set(name: &str) -> bool {
    std::env::var(name).is_ok_and(|value| !value.is_empty() && value != "0")
}

/// A function is traced again at a line, because of something new.
pub(crate) fn retraced(name: &str, at: Location, why: &str) {
    monitoring::tell(|| MonitoringEvent::Retrace { function: name.to_owned(), at, why: why.to_owned() });
    RETRACES.add(|| format!("{name} is traced again at {at}: {why}"));
}

/// A function was traced at a line.
pub(crate) fn traced(name: &str, at: Location, program: &Program, took: Duration) {
    let instructions = program.instrs().len();
    monitoring::tell(|| MonitoringEvent::Trace { function: name.to_owned(), at, instructions, took });
    TRACES.add(|| {
        let ms = took.as_secs_f64() * 1e3;
        format!("{name} was traced at {at}: {instructions} instructions in {ms:.1} ms")
    });
}
