use jarrah_base::{Error, Location, Type};
use jarrah_hlo::Program;
use jarrah_transforms::{Memo, ResidualPolicy};
use jarrah_tree::{Difference, Tree};

use crate::array::Array;
use crate::error::fail_at;
use crate::function::{
    Function, Leaves, Shadows, TracedFunction, abstracted, always, call, differentiable, fill, or_fail,
    trace_writing,
};
use crate::mutable::{write_back, written_at};

/// The value of `f`, and its gradient with respect to the whole argument.
///
/// `f` returns one float; the gradient has the structure of the argument, with zeros for integer leaves. Under plain
/// `grad` the arrays that `f` receives carry their concrete values, so `f` may branch on them.
///
/// # Errors
///
/// A program error if `f` does not return one float.
///
/// ```
/// use jarrah_array::{Array, value_and_grad};
/// let (value, slope) = value_and_grad(|x: &Array| (x * x).sum(..))(&Array::from_slice(&[1.0f32, -2.0]));
/// assert_eq!(value.item::<f32>()?, 5.0);
/// assert_eq!(slope.to_vec::<f32>()?, [2.0, -4.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn value_and_grad<P: Tree<Array>>(f: impl Function<P, Output = Array>) -> impl Fn(&P) -> (Array, P) {
    let (made, f) = (Location::caller(), move |p: &P| (f.apply(p), ()));
    move |params| {
        let ((value, ()), gradient) = derivative("value_and_grad", made, &f, params);
        (value, gradient)
    }
}

/// The gradient of `f` with respect to the whole argument: see [`value_and_grad`].
///
/// # Errors
///
/// A program error if `f` does not return one float.
///
/// ```
/// use jarrah_array::{Array, grad};
/// let slope = grad(|x: &Array| x.tanh())(&Array::scalar(0.0));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn grad<P: Tree<Array>>(f: impl Function<P, Output = Array>) -> impl Fn(&P) -> P {
    let (made, f) = (Location::caller(), move |p: &P| (f.apply(p), ()));
    move |params| derivative("grad", made, &f, params).1
}

/// As [`value_and_grad`], for a function that also returns `aux`, arrays that are not differentiated:
/// `((value, aux), gradient)`.
///
/// # Errors
///
/// A program error if the value is not one float.
///
/// ```
/// use jarrah_array::{Array, value_and_grad_with_aux};
/// let loss = |x: &Array| ((x * x).sum(..), x.max(..));
/// let ((value, largest), gradient) = value_and_grad_with_aux(loss)(&Array::from_slice(&[1.0f32, -3.0]));
/// assert_eq!((value.item::<f32>()?, largest.item::<f32>()?), (10.0, 1.0));
/// assert_eq!(gradient.to_vec::<f32>()?, [2.0, -6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn value_and_grad_with_aux<P: Tree<Array>, X: Tree<Array>>(
    f: impl Function<P, Output = (Array, X)>,
) -> impl Fn(&P) -> ((Array, X), P) {
    let made = Location::caller();
    move |params| derivative("value_and_grad_with_aux", made, &f, params)
}

/// The programs of gradients, by the parameters that they are with respect to.
static GRADIENTS: Memo<Vec<usize>> = Memo::new(1 << 17);

/// Forgets the programs of gradients.
pub(crate) fn forget() {
    GRADIENTS.clear();
}

/// The result of [`value_and_grad_with_aux`] at `params`; errors name the transformation `name`, made at the line `made`.
fn derivative<P: Tree<Array>, X: Tree<Array>>(
    name: &'static str,
    made: Location,
    f: &impl Function<P, Output = (Array, X)>,
    params: &P,
) -> ((Array, X), P) {
    let leaves = Leaves::of(params);
    let types = leaves.types();
    let TracedFunction { traced, prototype } =
        trace_writing(name, made, params, &types, Shadows::Keep, |p: &P| f.apply(p));
    let ty = prototype.0.ty();
    if ty.rank() != 0 || !ty.dtype().is_float() {
        let error = Error::program(format!("the gradient of a function that returns {ty} is not defined"));
        let help = match ty.dtype().is_float() {
            true => "return one float: sum or average the result; jacrev gives the gradient of each element",
            false => "return one float: convert the result with astype, or differentiate a part of it",
        };
        fail_at(made, error.op(name).help(help));
    }
    let wrt: Vec<usize> = (0..types.len()).filter(|&i| types[i].dtype().is_differentiable()).collect();
    let count = wrt.len();
    let program = GRADIENTS.get(traced.program, wrt, |program, wrt| {
        jarrah_transforms::value_and_grad(program, wrt, ResidualPolicy::default())
    });
    let mut results = call(made, or_fail(made, program), &leaves.arrays, &traced.captures);
    let mut computed = results.split_off(results.len() - count).into_iter();
    write_back(written_at(&traced.cells), &mut results, made);
    let gradient = types.iter().map(|&ty| {
        let computed = if ty.dtype().is_differentiable() { computed.next() } else { None };
        computed.unwrap_or_else(|| Array::zeros_of(ty))
    });
    let gradient = fill(params, gradient.collect::<Vec<_>>());
    (fill(&prototype, results), gradient)
}

/// The value of `f` and its derivative along `tangents`, which have the structure of the argument.
///
/// # Errors
///
/// A program error if the tangents differ from the arguments in structure or types.
///
/// ```
/// use jarrah_array::{Array, jvp};
/// let (y, dy) = jvp(|x: &Array| x.sin(), &Array::scalar(0.0), &Array::scalar(2.0));
/// assert_eq!((y.item::<f32>()?, dy.item::<f32>()?), (0.0, 2.0));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn jvp<P: Tree<Array>, R: Tree<Array>>(
    f: impl Function<P, Output = R>,
    primals: &P,
    tangents: &P,
) -> (R, R) {
    let at = Location::caller();
    let (leaves, directions) = (Leaves::of(primals), Leaves::of(tangents));
    let types = leaves.types();
    if let Some(error) = unlike("tangent", &directions, "primal", &leaves) {
        fail_at(at, error.op("jvp"));
    }
    let TracedFunction { traced, prototype } =
        trace_writing("jvp", at, primals, &types, Shadows::Keep, |p: &P| f.apply(p));
    let mut active: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
    let directions: Vec<Array> =
        directions.arrays.into_iter().zip(&active).filter(|(_, a)| **a).map(|(d, _)| d).collect();
    active.resize(traced.program.params().len(), false);
    let mut wanted: Vec<bool> =
        traced.program.result_types().iter().map(|ty| ty.dtype().is_differentiable()).collect();
    wanted[traced.own_results()..].fill(false);
    let derived = or_fail(at, jarrah_transforms::jvp(&traced.program, &active, &wanted));
    let args: Vec<Array> =
        leaves.arrays.into_iter().chain(traced.captures.clone()).chain(directions).collect();
    let mut results = call(at, derived.program, &args, &[]);
    let mut computed = results.split_off(wanted.len()).into_iter();
    write_back(written_at(&traced.cells), &mut results, at);
    let tangents: Vec<Array> = results
        .iter()
        .zip(&wanted)
        .map(|(result, wanted)| {
            let computed = if *wanted { computed.next() } else { None };
            computed.unwrap_or_else(|| Array::zeros_of(result.ty()))
        })
        .collect();
    (fill(&prototype, results), fill(&prototype, tangents))
}

/// The value of `f`, and the function that pulls a cotangent of the value back to a cotangent of the argument.
///
/// The residuals of the backward pass are computed now and kept by that function.
///
/// # Errors
///
/// A program error if the cotangents that are pulled back differ from the value in structure or types.
///
/// ```
/// use jarrah_array::{Array, vjp};
/// let (y, pull) = vjp(|x: &Array| x * x, &Array::scalar(3.0));
/// assert_eq!(y.item::<f32>()?, 9.0);
/// assert_eq!(pull(&Array::scalar(1.0)).item::<f32>()?, 6.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn vjp<P, R, F>(f: F, primals: &P) -> (R, impl Fn(&R) -> P + use<P, R, F>)
where
    P: Tree<Array>,
    R: Tree<Array>,
    F: Function<P, Output = R>,
{
    let (value, residuals, pullback) = forward(&f, primals, Location::caller());
    (value, move |cotangents: &R| pullback.pull(&residuals, cotangents))
}

/// The backward pass of a function.
#[derive(Clone)]
pub(crate) struct Pullback<P, R> {
    pub(crate) program: Program,
    /// The argument and the result, without data.
    like: P,
    prototype: R,
    /// The types of the final contents of written cells, which have no cotangents.
    held: Vec<Type>,
    at: Location,
}

/// The value of `f`, the residuals of its backward pass, and the backward pass itself.
#[track_caller]
pub(crate) fn forward<P: Tree<Array>, R: Tree<Array>>(
    f: &impl Function<P, Output = R>,
    primals: &P,
    at: Location,
) -> (R, Vec<Array>, Pullback<P, R>) {
    let leaves = Leaves::of(primals);
    let types = leaves.types();
    let TracedFunction { traced, prototype } =
        trace_writing("vjp", at, primals, &types, Shadows::Keep, |p: &P| f.apply(p));
    let mut active: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
    active.resize(traced.program.params().len(), false);
    let programs = or_fail(at, jarrah_transforms::vjp(&traced.program, &active, ResidualPolicy::default()));
    let count = traced.program.results().len();
    let mut results = call(at, programs.forward, &leaves.arrays, &traced.captures);
    let residuals = results.split_off(count);
    write_back(written_at(&traced.cells), &mut results, at);
    let held = traced.program.result_types()[results.len()..].to_vec();
    let value = fill(&prototype, results);
    let like = abstracted(primals);
    (value, residuals, Pullback { program: programs.backward, like, prototype, held, at })
}

impl<P: Tree<Array>, R: Tree<Array>> Pullback<P, R> {
    /// The cotangents of the argument.
    pub(crate) fn pull(&self, residuals: &[Array], cotangents: &R) -> P {
        let cts = Leaves::of(cotangents);
        let results = Leaves::of(&self.prototype);
        if let Some(error) = unlike("cotangent", &cts, "result", &results) {
            fail_at(self.at, error.op("vjp"));
        }
        let cts = cts.arrays.into_iter().zip(results.types());
        let float = cts.filter(|(_, ty)| ty.dtype().is_differentiable()).map(|(ct, _)| ct);
        let held = self.held.iter().filter(|ty| ty.dtype().is_differentiable());
        let none = held.map(|&ty| Array::zeros_of(ty));
        let args: Vec<Array> = residuals.iter().cloned().chain(float).chain(none).collect();
        let mut computed = call(self.at, self.program.clone(), &args, &[]).into_iter();
        let pulled = Leaves::of(&self.like).types().into_iter().map(|ty| {
            let computed = if ty.dtype().is_differentiable() { computed.next() } else { None };
            computed.unwrap_or_else(|| Array::zeros_of(ty))
        });
        fill(&self.like, pulled.collect::<Vec<_>>())
    }

    /// Whether `other` is an equal backward pass: the same program and residuals, for arguments and results of equal structure
    /// and types.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let same = |a: &Leaves, b: &Leaves| a.difference(b, always).is_none();
        self.program == other.program
            && self.held == other.held
            && same(&Leaves::of(&self.like), &Leaves::of(&other.like))
            && same(&Leaves::of(&self.prototype), &Leaves::of(&other.prototype))
    }
}

/// The error if the tangents or cotangents `given` differ in structure or types from the arrays that they belong to;
/// for an array that is not differentiable, any type will do.
pub(crate) fn unlike(what: &str, given: &Leaves, of: &str, expected: &Leaves) -> Option<Error> {
    let Difference { path, sides: [wanted, found] } = expected.difference(given, differentiable)?;
    let (what, of) = (path.below(what), path.below(of));
    let error = Error::program(format!("{what} is {found}, {of} is {wanted}"));
    Some(error.help(format!("give {what} the structure, shape and dtype of {of}")))
}
