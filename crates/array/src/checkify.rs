//! Failures of a running program as a value that it returns: under `jit`, `vmap`, `grad`, in loops and branches.
//!
//! ```
//! use jarrah_array::checkify::{self, Categories};
//! use jarrah_array::{Array, jit};
//!
//! let f = |x: &Array| {
//!     checkify::check(&x.min(..).gt(0.0), "x must be positive, its least element is {}", &[&x.min(..)]);
//!     x.log()
//! };
//! let (error, y) = jit(checkify::checkify(f, Categories::USER)).call(Array::from_slice(&[1.0f32, -2.0]))?;
//! assert_eq!(error.get()?.unwrap().lines().next(), Some("x must be positive, its least element is -2"));
//! assert!(error.throw().is_err());
//! assert!(y.isnan().any(..).item::<bool>()?);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

use std::cell::Cell;

use jarrah_base::{Error, Location, Result};
use jarrah_hlo::ops::Assert;
use jarrah_hlo::{NUMBERS, Site};
use jarrah_tree::Tree;

pub use jarrah_hlo::Categories;

use crate::array::Array;
use crate::error::{fail, with_context};
use crate::function::{Function, Leaves, Shadows, TracedFunction, call, fill, or_fail, trace_function};
use crate::sanitize;
use crate::scope::Scoped;
use crate::trace::apply;

/// The first failure of a run of a checked function, or none.
///
/// The error is a tree of arrays, so that functions can return it and transformations can pass it on; under vmap it has a batch
/// axis and holds the failure of each element.
#[derive(Clone, Debug, Tree)]
#[tree(crate = jarrah_tree)]
pub struct CheckError {
    /// The number of the check that failed, counted from one; zero if none failed.
    site: Array,
    /// The numbers for its message.
    numbers: Array,
    #[tree(static)]
    sites: Vec<Site>,
}

impl CheckError {
    /// The first failure with its line, or `None` if nothing failed. For a batch, a line of text for each element that failed.
    ///
    /// # Errors
    /// The run failed.
    ///
    /// ```
    /// use jarrah_array::checkify::{Categories, checkify};
    /// use jarrah_array::{Array, vmap};
    /// let log = vmap(checkify(|x: &Array| x.log(), Categories::NAN));
    /// let (error, _) = log(&Array::from_slice(&[1.0f32, -1.0]));
    /// assert!(error.get()?.unwrap().starts_with("at mapped index 1: "));
    /// let (error, _) = log(&Array::from_slice(&[1.0f32, 2.0]));
    /// assert_eq!(error.get()?, None);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn get(&self) -> Result<Option<String>> {
        let failed = self.site.to_vec::<i32>()?;
        let numbers = self.numbers.to_vec::<f64>()?;
        let mut lines = Vec::new();
        for (i, &site) in failed.iter().enumerate().filter(|(_, site)| **site > 0) {
            let error = error_of(&self.sites[site as usize - 1], &numbers[i * NUMBERS..(i + 1) * NUMBERS]);
            let text = error.to_string();
            lines.push(if self.site.rank() == 0 { text } else { format!("at mapped index {i}: {text}") });
        }
        Ok((!lines.is_empty()).then(|| lines.join("\n")))
    }

    /// An error if something went wrong.
    ///
    /// # Errors
    /// Something did, or the run failed.
    ///
    /// ```
    /// use jarrah_array::Array;
    /// use jarrah_array::checkify::{Categories, checkify};
    /// let divide = checkify(|x: &Array| 1.0 / x, Categories::DIVISION);
    /// assert!(divide(&Array::scalar(2.0)).0.throw().is_ok());
    /// assert!(divide(&Array::scalar(0.0)).0.throw().is_err());
    /// ```
    pub fn throw(&self) -> Result<()> {
        match self.get()? {
            Some(message) => Err(Error::program(message)),
            None => Ok(()),
        }
    }
}

/// The failure of a site as an error, with its line.
pub(crate) fn error_of(site: &Site, numbers: &[f64]) -> Error {
    let error = Error::program(site.describe(numbers));
    let error = match site.source.location {
        Some(location) => error.at(location),
        None => error,
    };
    let scope = site.source.scope.path();
    if scope.is_empty() { error } else { error.context(format!("in {scope}")) }
}

thread_local! {
    /// The failures that become values in the function being traced.
    static CHECKED: Cell<Categories> = const { Cell::new(Categories::NONE) };
}

/// `f` with the first failure of the kinds in `categories` as a further result, instead of an error.
///
/// After a failure the computation goes on with the values that the operations give. Derivatives are taken inside:
/// `checkify(grad(f), ..)` checks both passes. Custom rules are lost when the result is differentiated from outside.
///
/// Mapped outside, `vmap(checkify(f, ..))`, each element has an error of its own; mapped inside, the batch has one, of the first
/// operation that fails in an element. There elements that take different branches, or different numbers of steps, run one after
/// the other, so that none fails in what it takes no part in.
///
/// ```
/// use jarrah_array::checkify::{Categories, checkify};
/// use jarrah_array::{Array, grad};
/// // The root has a value at zero, but no slope.
/// let slope = |x: &Array| grad(|x: &Array| x.sqrt())(x);
/// let x = Array::scalar(0.0);
/// assert_eq!(checkify(|x: &Array| x.sqrt(), Categories::INFINITY)(&x).0.get()?, None);
/// assert!(checkify(slope, Categories::INFINITY)(&x).0.get()?.is_some());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.checkify.checkify`.
#[track_caller]
pub fn checkify<A: Tree<Array>, R: Tree<Array>>(
    f: impl Function<A, Output = R>,
    categories: Categories,
) -> impl Fn(&A) -> (CheckError, R) {
    let made = Location::caller();
    move |args| {
        let leaves = Leaves::of(args);
        let types = leaves.types();
        let TracedFunction { traced, prototype } = {
            let _scope = Scoped::set(&CHECKED, CHECKED.get() | categories);
            trace_function("checkify", made, args, &types, Shadows::Drop, |args: &A| f.apply(args))
        };
        let checked = or_fail(made, jarrah_transforms::checked(&traced.program, categories));
        let mut results = call(made, checked.program, &leaves.arrays, &traced.captures);
        let numbers = results.pop().expect("invariant: a checked program returns its numbers");
        let site = results.pop().expect("invariant: a checked program returns its site");
        (CheckError { site, numbers, sites: checked.sites }, fill(&prototype, results))
    }
}

/// Checks that every element of `holds`, truth values, is true: if not, the run fails, or the surrounding [`checkify`] returns
/// the failure.
///
/// `message` has a `{}` for each of at most four `numbers`, real arrays that broadcast to the shape of `holds`; it gets those
/// beside the first element that is false. Outside of a trace the failure is a panic at this line, within one an error where a
/// result is read.
///
/// ```
/// use jarrah_array::{Array, checkify, jit};
/// let f = |x: &Array| {
///     checkify::check(&x.lt(10), "{} is too large", &[x]);
///     x * 2
/// };
/// let error = jit(f).call(Array::scalar(12)).and_then(|y| y.item::<i32>()).unwrap_err();
/// assert!(error.to_string().contains("12 is too large"));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn check(holds: &Array, message: &str, numbers: &[&Array]) {
    let at = Location::caller();
    let places = message.matches("{}").count();
    if places != numbers.len() || places > NUMBERS {
        let error = format!("the message has {places} places for {} numbers", numbers.len());
        let help = format!("write a {{}} for each number, at most {NUMBERS}");
        fail(with_context(Error::program(error).op("check").at(at).help(help)));
    }
    let mut operands = vec![holds.clone()];
    for number in numbers {
        operands.push(number.broadcast_to(&holds.shape()[..]));
    }
    let operands: Vec<&Array> = operands.iter().collect();
    if holds.concrete().is_some() && !crate::trace::is_tracing() {
        let values: Result<Vec<_>> = operands.iter().map(|x| x.to_literal()).collect();
        let outcome = values.and_then(|values| Assert { message: message.into() }.evaluate(&values));
        match outcome {
            Ok(()) => return,
            Err(error) => fail(with_context(error.op("check").at(at))),
        }
    }
    apply(Assert { message: message.into() }, &operands);
}

/// As [`check`], but only under [`checkify`] with the checks of the user enabled; elsewhere it costs nothing.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::checkify::{self, Categories};
/// let f = |x: &Array| {
///     checkify::debug_check(&x.gt(0), "{} is not positive", &[x]);
///     x * 2
/// };
/// assert_eq!(f(&Array::scalar(-1)).item::<i32>()?, -2);
/// let (error, _) = checkify::checkify(f, Categories::USER)(&Array::scalar(-1));
/// assert!(error.get()?.unwrap().contains("-1 is not positive"));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn debug_check(holds: &Array, message: &str, numbers: &[&Array]) {
    if is_debugging() {
        check(holds, message, numbers);
    }
}

/// Whether checks for debugging are recorded.
pub(crate) fn is_debugging() -> bool {
    CHECKED.get().user
}

/// Whether [`checkify`] or a sanitizer looks for failures in the function that is being traced.
pub(crate) fn is_looking() -> bool {
    CHECKED.get() | sanitize::wanted() != Categories::NONE
}

/// The checking settings that a trace depends on besides its arguments: whether debugging checks are recorded, and whether
/// failures are looked for.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Looking {
    debugging: bool,
    failures: bool,
}

/// The checking settings of traces that begin now.
pub(crate) fn looking() -> Looking {
    Looking { debugging: is_debugging(), failures: is_looking() }
}

/// Fails as [`check`] does if `error` holds a failure: so a failure that a checkified function returned is passed on to the
/// surrounding one.
///
/// ```
/// use jarrah_array::Array;
/// use jarrah_array::checkify::{Categories, check_error, checkify};
/// let inner = checkify(|x: &Array| x.log(), Categories::NAN);
/// let outer = |x: &Array| {
///     let (error, y) = inner(x);
///     check_error(&error);
///     y
/// };
/// let (error, _) = checkify(outer, Categories::USER)(&Array::scalar(-1.0));
/// assert!(error.get()?.is_some());
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn check_error(error: &CheckError) {
    let numbers: Vec<Array> =
        (0..NUMBERS as i64).map(|i| error.numbers.index((crate::Ellipsis, i))).collect();
    for (i, site) in error.sites.iter().enumerate() {
        let (message, count) = site.template();
        let numbers: Vec<&Array> = numbers.iter().take(count).collect();
        check(&error.site.ne(i as i64 + 1), &message, &numbers);
    }
}
