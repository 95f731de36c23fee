//! For libraries on top of arrays: what functions refuse wrong programs with, read axes and operands with, and record
//! operations with. [`fail`](crate::fail) and [`relay`](crate::relay) belong here too.

use jarrah_base::Location;
use jarrah_hlo::Program;
use jarrah_tree::Tree;

use crate::array::Array;
use crate::function::{Leaves, Shadows, TracedFunction, trace_function};

pub use crate::error::{fail_at, relay_at, with_context};
pub use crate::numpy::axes::{positions, resolve, resolve_all};
pub use crate::operators::align_inexact;
pub use crate::trace::apply_at;

/// The line at which an array was made, if it is known: for errors about a value that a function returned.
///
/// ```
/// use jarrah_array::{Array, library};
/// let x = Array::scalar(3.0) + 1.0;
/// assert_eq!(library::made_at(&x).map(|line| line.line()), Some(line!() - 1));
/// ```
pub fn made_at(array: &Array) -> Option<Location> {
    array.source().location
}

/// The program of `f` on arguments like `args`, and the arrays that `f` captures, which are its last parameters. Errors name the
/// trace `name` and the line `at`.
///
/// ```
/// use jarrah_array::{Array, Location, eval_program, library};
/// let w = Array::scalar(3.0);
/// let (program, captured) = library::record("scaled", Location::caller(), &w, |x: &Array| x * &w);
/// let args = [&[Array::scalar(2.0)], &captured[..]].concat();
/// assert_eq!(eval_program(&program, &args)[0].item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn record<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    at: Location,
    args: &A,
    f: impl FnOnce(&A) -> R,
) -> (Program, Vec<Array>) {
    let types = Leaves::of(args).types();
    let TracedFunction { traced, .. } = trace_function(name, at, args, &types, Shadows::Drop, f);
    (traced.program, traced.captures)
}
