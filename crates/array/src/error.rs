//! How program errors reach the user: a panic at the user's line, or an `Err` from [`try_trace`].
//!
//! `#[track_caller]` stands on every public function. The attribute does not pass through closures: a closure that a
//! transformation returns remembers the line that made it, and `fail_at` reports that line in the panic's header (panic hooks do
//! not run for these). Nor does it pass through trait objects: a library on top of arrays runs both in [`relay`], within which
//! its own lines stand for its caller's (`nn` does so where a layer or a weight is called).
//!
//! Failures of the machine are a `Result` where a value is read or a compiled function is called. `ErrorKind::Input` is bad
//! input, and `ErrorKind::Memory` a program or run that does not fit into memory, refused when it is compiled; the binary turns
//! both into exit code 2.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread::LocalKey;

use jarrah_base::{Error, Location, Result};

use crate::scope::Scoped;
use crate::{scope, trace};

thread_local! {
    /// How many [`try_trace`] wait for an error.
    static CAUGHT: Cell<u32> = const { Cell::new(0) };

    /// How many [`relay`] do.
    static RELAYS: Cell<u32> = const { Cell::new(0) };
}

/// The panic payload of a program error, and the line the error is reported at; [`try_trace`] and [`relay`] catch it.
struct Payload(Error, Location);

/// Ends the computation with a program error; libraries on top of arrays report wrong programs with it.
///
/// Unwinds to [`try_trace`] if one is active on this thread; otherwise panics with the message. An error without a place is at
/// the caller's line.
///
/// ```
/// use jarrah_array::{Error, fail, try_trace};
/// let error = try_trace(|| -> () { fail(Error::program("heads do not divide the width")) }).unwrap_err();
/// assert_eq!(error.message(), "heads do not divide the width");
/// ```
#[track_caller]
pub fn fail(error: Error) -> ! {
    fail_at(Location::caller(), error)
}

/// As [`fail`], with the error reported at `place`. Transformations return closures, which cannot see their callers' lines, so
/// they report errors at the line where the closure was made.
///
/// ```
/// use jarrah_array::{Array, Error, Location, library, try_trace};
/// #[track_caller]
/// fn checked() -> impl Fn(&Array) {
///     let made = Location::caller();
///     move |_| library::fail_at(made, Error::program("no array is right"))
/// }
/// let check = checked();
/// let error = try_trace(|| check(&Array::scalar(1.0))).unwrap_err();
/// assert_eq!(error.location().unwrap().line(), line!() - 2);
/// ```
///
/// The standard library does not let a panic's header name another line, so the report is written here and unwinding
/// starts without one: panic hooks do not run.
#[track_caller]
pub fn fail_at(place: Location, error: Error) -> ! {
    let place = trace::acting_line(place);
    let error = error.at(place).moved(trace::acting_line);
    let error = match scope::whereabouts(place) {
        Some(there) => error.context(there),
        None => error,
    };
    raise(error, place)
}

/// Unwinds to who waits for the error, or panics.
#[track_caller]
fn raise(error: Error, place: Location) -> ! {
    if CAUGHT.get() > 0 {
        resume_unwind(Box::new(Payload(error, place)));
    }
    if place == Location::caller() {
        panic!("{error}");
    }
    if RELAYS.get() > 0 {
        resume_unwind(Box::new(Payload(error, place)));
    }
    let thread = std::thread::current();
    eprintln!("\nthread '{}' panicked at {place}:\n{error}", thread.name().unwrap_or("<unnamed>"));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        eprintln!("stack backtrace:\n{backtrace}");
    }
    resume_unwind(Box::new(error.to_string()));
}

/// Adds the names of the open traces to an error: `while tracing grad under jit(f)`.
///
/// ```
/// use jarrah_array::{Array, Error, fail, jit, library, try_trace};
/// let refuse = |_: &Array| -> Array { fail(library::with_context(Error::program("no array is right"))) };
/// let error = try_trace(|| jit(refuse).call(Array::scalar(1.0))).unwrap_err();
/// assert!(error.to_string().contains("while tracing jit("), "{error}");
/// ```
pub fn with_context(error: Error) -> Error {
    let names = trace::stack_names();
    if names.is_empty() { error } else { error.context(format!("while tracing {}", names.join(" under "))) }
}

/// Runs `f` and turns a program error in it (wrong shapes, dtypes, axes, a leaked tracer) into an `Err`.
///
/// Without `try_trace` such an error panics at the line that caused it. Other panics pass through.
///
/// # Errors
/// The first program error in `f`.
///
/// ```
/// use jarrah_array::{Array, try_trace};
/// let (a, b) = (Array::zeros(&[2, 3]), Array::zeros(&[4]));
/// let error = try_trace(|| &a + &b).unwrap_err();
/// assert!(error.message().contains("f32[2,3]"));
/// ```
pub fn try_trace<R>(f: impl FnOnce() -> R) -> Result<R> {
    caught(&CAUGHT, f).map_err(|payload| payload.0)
}

/// Runs `f` so that code in files whose path begins with `folder` acts for the caller: its operations and errors are reported at
/// the caller's line. For libraries on top of arrays, whose closures and trait objects do not know their callers.
///
/// Lines of other files within `f`, such as those of a function given by the user, are reported as they are.
///
/// ```
/// use jarrah_array::{Array, relay, try_trace};
/// #[track_caller]
/// fn doubled(x: &Array) -> Array {
///     relay(file!(), || x.matmul(x))
/// }
/// let error = try_trace(|| doubled(&Array::zeros(&[2, 3]))).unwrap_err();
/// assert_eq!(error.location().unwrap().line(), line!() - 1);
/// ```
#[track_caller]
pub fn relay<R>(folder: &'static str, f: impl FnOnce() -> R) -> R {
    relay_at(Location::caller(), folder, f)
}

/// As [`relay`], for the line `at`: closures that a library returns do not know their callers, so they act for the line that made
/// them.
///
/// ```
/// use jarrah_array::{Array, Location, library, try_trace};
/// #[track_caller]
/// fn doubling() -> impl Fn(&Array) -> Array {
///     let made = Location::caller();
///     move |x| library::relay_at(made, file!(), || x.matmul(x))
/// }
/// let double = doubling();
/// let error = try_trace(|| double(&Array::zeros(&[2, 3]))).unwrap_err();
/// assert_eq!(error.location().unwrap().line(), line!() - 2);
/// ```
#[track_caller]
pub fn relay_at<R>(at: Location, folder: &'static str, f: impl FnOnce() -> R) -> R {
    let _line = trace::acting_in(folder, at);
    match caught(&RELAYS, f) {
        Ok(result) => result,
        Err(payload) => raise(payload.0, payload.1),
    }
}

/// Runs `f` and catches its program errors; `waiting` counts the callers on this thread that do so.
fn caught<R>(waiting: &'static LocalKey<Cell<u32>>, f: impl FnOnce() -> R) -> Result<R, Box<Payload>> {
    let outcome = {
        let _one_more = Scoped::set(waiting, waiting.get() + 1);
        catch_unwind(AssertUnwindSafe(f))
    };
    outcome.map_err(|payload| payload.downcast::<Payload>().unwrap_or_else(|other| resume_unwind(other)))
}
