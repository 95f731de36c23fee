//! Host functions in programs: pure callbacks, and callbacks that do something.

use std::cell::Cell;

use jarrah_base::{Error, Literal, Location, Result, Source, Type};
use jarrah_hlo::Effects;
use jarrah_hlo::host::{HandlerCall, NamedHandler};
use jarrah_hlo::ops::{CallTarget, CustomCall, VmapMethod};
use jarrah_tree::{Difference, Tree};

use crate::array::Array;
use crate::eager::Node;
use crate::error::try_trace;
use crate::function::{Leaves, fill};
use crate::scope::Scoped;
use crate::trace::{apply_at, outside};

thread_local! {
    /// Whether this thread runs a host function that a program calls.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether the caller is a host function that a program calls.
pub(crate) fn is_inside() -> bool {
    INSIDE.get()
}

/// Calls `f` with concrete arrays: now, or where a program is traced each time it runs; `f` has no effects that anybody
/// relies on.
///
/// The result has the structure and types of `like`, whose values are not looked at. `f` may be called any number of
/// times: not at all if nothing uses the result, once for what is computed twice. Under `vmap`, `method` says how:
/// other than one element at a time, arrays of the argument and of the result have one more axis in front.
///
/// Under plain `grad` the result has no value yet. There is no derivative; give one with [`custom_jvp`](crate::custom_jvp) or [`custom_vjp`](crate::custom_vjp).
///
/// # Errors
/// Errors and panics of `f` become errors of whatever runs the program, at the line of this call; outside of a trace, program
/// errors at this line.
///
/// ```
/// use jarrah_array::{Array, VmapMethod, jit, pure_callback};
/// let double = |x: &Array| {
///     let values: Vec<f32> = x.to_vec::<f32>()?.iter().map(|x| 2.0 * x).collect();
///     Ok(Array::new(&values, &x.shape()))
/// };
/// let f = jit(move |x: &Array| pure_callback(double, x, x, VmapMethod::BroadcastAll) + 1.0);
/// assert_eq!(f.call(Array::from_slice(&[1.0f32, 2.0]))?.to_vec::<f32>()?, [3.0, 5.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn pure_callback<A, R>(
    f: impl Fn(&A) -> Result<R> + Send + Sync + 'static,
    like: &R,
    args: &A,
    method: VmapMethod,
) -> R
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array>,
{
    call(Location::caller(), "pure_callback", f, like, args, Effects::NONE, method)
}

/// Calls `f` with concrete arrays: at once, or in a traced program exactly as often as the program says.
///
/// The result has the structure and types of `like`, whose values are not looked at. Calls of [`CallbackOrder::Program`] happen in
/// the order of the program, among all that are, [`debug`](crate::debug) included: from step to step of a loop, and
/// under `vmap` from element to element. Others happen in any order.
///
/// `remat` keeps the result instead of calling `f` again. Under plain `grad` the result has no value yet.
///
/// # Errors
/// As [`pure_callback`].
///
/// ```
/// use jarrah_array::{Array, CallbackOrder, io_callback, scan_length};
/// use std::sync::{Arc, Mutex};
/// let log = Arc::new(Mutex::new(Vec::new()));
/// let sink = log.clone();
/// let note = move |x: &Array| {
///     sink.lock().unwrap().push(x.item::<i32>()?);
///     Ok(())
/// };
/// let step = move |i: &Array, (): &()| {
///     io_callback(note.clone(), &(), i, CallbackOrder::Program);
///     (i + 1, ())
/// };
/// let (last, ()) = scan_length(step, &Array::scalar(0), &(), 3);
/// assert_eq!(last.item::<i32>()?, 3);
/// assert_eq!(*log.lock().unwrap(), [0, 1, 2]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn io_callback<A, R>(
    f: impl Fn(&A) -> Result<R> + Send + Sync + 'static,
    like: &R,
    args: &A,
    order: CallbackOrder,
) -> R
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array>,
{
    call(Location::caller(), "io_callback", f, like, args, observed(order), VmapMethod::Sequential)
}

/// When a callback with visible effects runs, relative to other callbacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CallbackOrder {
    /// At any time.
    #[default]
    Any,
    /// In the order of the program, from step to step of a loop, and under `vmap` from element to element.
    Program,
}

/// The effects of a callback that has visible effects.
pub(crate) fn observed(order: CallbackOrder) -> Effects {
    match order {
        CallbackOrder::Any => Effects::OBSERVED,
        CallbackOrder::Program => Effects::ORDERED,
    }
}

/// A call of `f` at the line `at`.
#[track_caller]
pub(crate) fn call<A, R>(
    at: Location,
    name: &str,
    f: impl Fn(&A) -> Result<R> + Send + Sync + 'static,
    like: &R,
    args: &A,
    effects: Effects,
    batching: VmapMethod,
) -> R
where
    A: Tree<Array> + Send + Sync + 'static,
    R: Tree<Array>,
{
    let (leaves, wanted) = (Leaves::of(args), Leaves::of(like));
    let types = wanted.types();
    let prototype = fill(args, leaves.types().into_iter().map(Array::abstracted).collect::<Vec<_>>());
    let wanted = Leaves { arrays: types.iter().map(|&ty| Array::abstracted(ty)).collect(), ..wanted };
    let owned = name.to_owned();
    let handler = move |call: &mut HandlerCall<'_>| {
        let _inside = Scoped::set(&INSIDE, true);
        let outcome = outside(|| run(&f, &prototype, &wanted, at, call));
        outcome.map_err(|error| error.op(&owned).at(at).help("mend the host function that it calls"))
    };
    let target = CallTarget::Function(NamedHandler::new(name, handler));
    let call = CustomCall { effects, batching, ..CustomCall::new(target, types) };
    let operands: Vec<&Array> = leaves.arrays.iter().collect();
    fill(like, apply_at(at, call, &operands))
}

/// An argument of a host function that is called at the line `at`.
fn concrete(literal: Literal, at: Location) -> Array {
    Array::from_node(Node::from_literal(literal, Source::at(at)))
}

/// Calls `f` on the operands of a callback, and writes the arrays that it returns into the results of the call.
fn run<A: Tree<Array>, R: Tree<Array>>(
    f: &impl Fn(&A) -> Result<R>,
    prototype: &A,
    wanted: &Leaves,
    at: Location,
    call: &mut HandlerCall<'_>,
) -> Result<()> {
    let arrays: Vec<Array> =
        call.operands.iter().map(|x| Ok(concrete(x.literal()?, at))).collect::<Result<_>>()?;
    let returned = try_trace(|| f(&fill(prototype, arrays)))??;
    let returned = Leaves::of(&returned);
    // Only the structures are compared: under vmap the returned arrays may have one axis more than was declared.
    if let Some(Difference { path, sides: [wanted, found] }) = wanted.difference(&returned, |_| false) {
        let what = path.below("result");
        return Err(Error::program(format!("{what} is {found}, {wanted} was declared")));
    }
    let literals: Vec<Literal> = returned.arrays.iter().map(Array::to_literal).collect::<Result<_>>()?;
    let paths = wanted.structure.paths();
    for ((literal, output), path) in literals.iter().zip(&mut call.results).zip(paths) {
        let (found, ty): (Type, Type) = (literal.ty(), output.ty);
        let what = path.below("result");
        let error = || Error::program(format!("{what} is {found}, {ty} was declared"));
        output.write(literal).map_err(|_| error())?;
    }
    Ok(())
}
