//! Branches, loops and scratch memory in the body of a kernel.

use jarrah_base::{DType, Error, Location, Type};

use crate::array::Array;
use crate::control::{cond, scan_length, while_loop};
use crate::error::{fail, with_context};
use crate::kernel::integers::narrow;
use crate::mutable::Ref;
use crate::number::Number;
use crate::operators::{IntoOperand, Operand};
use crate::trace::acting;

/// Calls `f`, which writes [`Ref`]s, if `condition`, one truth value, is true when the program runs.
///
/// ```
/// use jarrah_array::kernel::when;
/// use jarrah_array::{Array, Ref, jit};
/// let f = jit(|x: &Array| {
///     let cell = Ref::new(x);
///     when(x.lt(0.0), || cell.set(0.0));
///     cell.get()
/// });
/// assert_eq!(f.call(Array::scalar(-2.0))?.item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.when`.
#[track_caller]
pub fn when(condition: impl IntoOperand, f: impl Fn()) {
    match condition.into_operand() {
        Operand::Number(Number::Bool(true)) => f(),
        Operand::Number(Number::Bool(false)) => {}
        Operand::Number(number) => cond(&Array::constant(number.fit("when", DType::Bool)), f, || ()),
        Operand::Array(condition) => cond(&condition, f, || ()),
    }
}

/// Calls `f`, which writes [`Ref`]s, for each position from `from` on, before `to`: numbers, or integer scalars.
///
/// If both bounds are numbers, the number of steps is known, and the loop has a reverse-mode gradient.
///
/// # Errors
/// A program error if a bound is not one integer, or a number that is no `i32`. What an array has past `i32` counts as its end.
///
/// ```
/// use jarrah_array::kernel::for_each;
/// use jarrah_array::{Array, Ref};
/// let (sum, end) = (Ref::new(&Array::scalar(0)), Array::scalar(5));
/// for_each(0, 4, |i| sum.addupdate(i));
/// for_each(4, &end, |i| sum.addupdate(i * 10));
/// assert_eq!(sum.get().item::<i32>()?, 46);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn for_each(from: impl IntoOperand, to: impl IntoOperand, f: impl Fn(&Array)) {
    let (from, to) = (from.into_operand(), to.into_operand());
    let (start, end) = (bound(&from), bound(&to));
    if let (Operand::Number(Number::Integer(first)), Operand::Number(Number::Integer(last))) = (&from, &to) {
        let steps = usize::try_from(last - first).unwrap_or(0);
        let step = |i: &Array, (): &()| {
            f(i);
            (i + 1, ())
        };
        scan_length(step, &start, &(), steps);
        return;
    }
    let step = |i: &Array| {
        f(i);
        i + 1
    };
    while_loop(|i: &Array| i.lt(&end), step, &start);
}

/// A bound of [`for_each`] as an `i32` scalar.
#[track_caller]
fn bound(bound: &Operand) -> Array {
    let shown = match bound {
        Operand::Array(bound) if bound.rank() == 0 && bound.dtype().is_integer() => return narrow(bound),
        Operand::Number(bound @ Number::Integer(_)) => match bound.literal(DType::I32) {
            Some(literal) => return Array::constant(literal),
            None => {
                let error = Error::program(format!("the bound {bound} is no position: those are i32"));
                let help =
                    "loop over parts in an outer for_each, and over the positions of a part in an inner one";
                fail(with_context(error.op("for_each").at(Location::caller()).help(help)))
            }
        },
        Operand::Array(bound) => bound.ty().to_string(),
        Operand::Number(bound) => bound.to_string(),
    };
    let error = Error::program(format!("a bound is {shown}, it must be one integer"));
    let help = "take one element with index, or convert it with astype";
    fail(with_context(error.op("for_each").at(Location::caller()).help(help)))
}

/// Calls `f` with a [`Ref`] of zeros of each of these types, which exist only within `f`.
///
/// ```
/// use jarrah_array::kernel::run_scoped;
/// use jarrah_array::{Array, DType, Type};
/// let y = run_scoped([Type::tensor(DType::F32, [2])], |[sum]| {
///     sum.addupdate(Array::from_slice(&[1.0f32, 2.0]));
///     sum.get()
/// });
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.experimental.pallas.run_scoped`.
#[track_caller]
pub fn run_scoped<const N: usize, R>(types: [Type; N], f: impl FnOnce([Ref; N]) -> R) -> R {
    let cells = {
        let _line = acting(Location::caller());
        types.map(|ty| Ref::new(&Array::zeros_of(ty)))
    };
    f(cells)
}
