//! How program errors reach the user: a panic at the user's line, or an `Err` from [`try_trace`].

use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use jarrah_base::{Error, Location, Result};

use crate::trace;

thread_local! {
    static CAUGHT: Cell<u32> = const { Cell::new(0) };
}

/// The typed payload of an unwinding program error.
struct Payload(Error);

/// Ends the current computation with a program error: how libraries over arrays report a wrong program.
///
/// It unwinds to [`try_trace`] if that is active on this thread; otherwise it panics with the message.
///
/// ```
/// use jarrah_array::{Error, fail, try_trace};
/// let error = try_trace(|| -> () { fail(Error::program("heads do not divide the width")) }).unwrap_err();
/// assert_eq!(error.message(), "heads do not divide the width");
/// ```
#[track_caller]
pub fn fail(error: Error) -> ! {
    if CAUGHT.get() > 0 {
        resume_unwind(Box::new(Payload(error)));
    }
    panic!("{error}");
}

/// As [`fail`], at a place that may not be the caller's: the functions that transformations return are closures, which
/// do not know who calls them, and report errors at the line that made them.
///
/// The standard library lets nobody choose the place in a panic's header, so the report is written here and unwinding
/// starts without it: panic hooks do not run.
#[track_caller]
pub(crate) fn fail_at(place: Location, error: Error) -> ! {
    let error = error.at(place);
    if CAUGHT.get() > 0 || place == Location::caller() {
        fail(error);
    }
    let thread = std::thread::current();
    eprintln!("\nthread '{}' panicked at {place}:\n{error}", thread.name().unwrap_or("<unnamed>"));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        eprintln!("stack backtrace:\n{backtrace}");
    }
    resume_unwind(Box::new(error.to_string()));
}

/// Adds what was being traced.
pub(crate) fn with_context(error: Error) -> Error {
    let names = trace::stack_names();
    if names.is_empty() { error } else { error.context(format!("while tracing {}", names.join(" under "))) }
}

/// Runs `f` and turns a program error in it (wrong shapes, dtypes, axes, leaked tracers) into an `Err`.
///
/// Without it such an error panics at the line that caused it. Other panics go on.
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
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            CAUGHT.set(CAUGHT.get() - 1);
        }
    }
    CAUGHT.set(CAUGHT.get() + 1);
    let guard = Guard;
    let outcome = catch_unwind(AssertUnwindSafe(f));
    drop(guard);
    outcome.map_err(|payload| match payload.downcast::<Payload>() {
        Ok(payload) => payload.0,
        Err(other) => resume_unwind(other),
    })
}
