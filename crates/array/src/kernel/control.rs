//! Branches, loops and scratch memory in the body of a kernel.

use jarrah_base::{DType, Type};

use crate::array::Array;
use crate::control::{cond, scan_length, while_loop};
use crate::mutable::Ref;
use crate::number::Number;
use crate::operators::{IntoOperand, Operand};

/// Calls `f`, which writes [`Ref`]s, where `condition`, one truth value, holds when the program runs.
///
/// ```
/// use jarrah_array::kernel::when;
/// use jarrah_array::{Array, Ref, jit};
/// let f = jit(|x: &Array| {
///     let cell = Ref::new(x);
///     when(x.lt(0.0), || cell.set(0.0));
///     cell.get()
/// });
/// assert_eq!(f.call(Array::scalar(-2.0f32))?.item::<f32>()?, 0.0);
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
/// Where both are numbers, the number of steps is known, and the loop has a gradient in reverse mode.
///
/// ```
/// use jarrah_array::kernel::for_each;
/// use jarrah_array::{Array, Ref};
/// let (sum, end) = (Ref::new(&Array::scalar(0i32)), Array::scalar(5i32));
/// for_each(0, 4, |i| sum.addupdate(i));
/// for_each(4, &end, |i| sum.addupdate(i * 10));
/// assert_eq!(sum.get().item::<i32>()?, 46);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn for_each(from: impl IntoOperand, to: impl IntoOperand, f: impl Fn(&Array)) {
    let (from, to) = (from.into_operand(), to.into_operand());
    let position = |bound: Operand| match bound {
        Operand::Array(bound) => bound.astype(DType::I32),
        Operand::Number(bound) => Array::constant(bound.fit("for_each", DType::I32)),
    };
    if let (Operand::Number(Number::Integer(first)), Operand::Number(Number::Integer(last))) = (&from, &to) {
        let steps = usize::try_from(last - first).unwrap_or(0);
        let step = |i: &Array, (): &()| {
            f(i);
            (i + 1, ())
        };
        scan_length(step, &position(from), &(), steps);
        return;
    }
    let to = position(to);
    let step = |i: &Array| {
        f(i);
        i + 1
    };
    while_loop(|i: &Array| i.lt(&to), step, &position(from));
}

/// Calls `f` with a [`Ref`] of zeros of each of these types, which nothing outside sees.
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
    f(types.map(|ty| Ref::new(&Array::zeros_of(ty))))
}
