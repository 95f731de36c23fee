use jarrah_base::{Location, Result};
use jarrah_hlo::ops::{CustomRule, Rule};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::custom::{captured, check};
use crate::function::{Leaves, Shadows, always, fill, or_fail, trace_function, values_of};
use crate::trace::{Traced, apply_at};

/// `f(residuals, x)`, a function linear in `x`, with `transpose(residuals, ct)` as its transpose, which runs in the backward
/// pass.
///
/// With `f(r, x) = A(r) x` the transpose is `A(r)^T ct`, of the structure and types of `x`. Nothing checks that it is that matrix. The
/// transpose of the transpose is `f` again. Derivatives in the residuals are those of `f`.
///
/// ```
/// use jarrah_array::{Array, grad, linear_call};
/// // A scaling, whose backward pass does not scale.
/// let f = |x: &Array| linear_call(|r: &Array, x: &Array| x * r, |_, ct| ct.clone(), &Array::scalar(3.0), x);
/// let x = Array::scalar(2.0);
/// assert_eq!((f(&x).item::<f32>()?, grad(f)(&x).item::<f32>()?), (6.0, 1.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.custom_derivatives.linear_call`.
#[track_caller]
pub fn linear_call<S: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
    f: impl Fn(&S, &X) -> Y,
    transpose: impl Fn(&S, &Y) -> X,
    residuals: &S,
    x: &X,
) -> Y {
    let at = Location::caller();
    let (kept, linear) = (Leaves::of(residuals), Leaves::of(x));
    let both = (residuals.map_leaves(Array::clone), x.map_leaves(Array::clone));
    let types = Leaves::of(&both).types();
    let forward = trace_function("linear_call", at, &both, &types, Shadows::Drop, |(r, x): &(S, X)| f(r, x));
    let back = (residuals.map_leaves(Array::clone), forward.prototype.map_leaves(Array::clone));
    let types = Leaves::of(&back).types();
    let backward =
        trace_function("linear_call_transpose", at, &back, &types, Shadows::Drop, |(r, ct): &(S, Y)| {
            transpose(r, ct)
        });
    let difference = linear.difference(&Leaves::of(&backward.prototype), always);
    check(difference, "linear_call", ("result", "of the transpose"), ("argument", ""), at);
    let captures = captured([&forward.traced, &backward.traced]);
    let primal = or_fail(at, with_captures(&forward.traced, kept.arrays.len(), &captures));
    let transposed = or_fail(at, with_captures(&backward.traced, kept.arrays.len(), &captures));
    let op = CustomRule::new(primal, Rule::Transpose(transposed.into()));
    let operands: Vec<&Array> = kept.arrays.iter().chain(&captures).chain(&linear.arrays).collect();
    fill(&forward.prototype, apply_at(at, op, &operands))
}

/// The function as a program with the parameters: residuals, all captures of both functions, then the operands that it is linear
/// in.
fn with_captures(function: &Traced, residuals: usize, captures: &[Array]) -> Result<Program> {
    let explicit = function.program.params().len() - function.captures.len();
    let mut b = Builder::new(function.program.name());
    let types = function.program.param_types();
    let mut args: Vec<Value> = types[..residuals].iter().map(|&ty| b.param(ty, "")).collect();
    let all: Vec<Value> = captures.iter().map(|array| b.param(array.ty(), "")).collect();
    args.extend(types[residuals..explicit].iter().map(|&ty| b.param(ty, "")));
    args.extend(values_of(&function.captures, captures, &all));
    let results = b.inline(&function.program, &args)?;
    b.finish(&results)
}
