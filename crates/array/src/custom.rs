use std::sync::Arc;

use jarrah_base::{DType, Error, Location, Type};
use jarrah_hlo::ops::{CustomRule, Rule};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_tree::{Tree, TreeExt};

use crate::array::{Array, Repr};
use crate::error::fail;
use crate::function::{Function, Leaves, Shadows, fill, or_fail, trace_function};
use crate::trace::{Traced, apply};

/// `x` as it is, with a derivative of zero.
///
/// ```
/// use jarrah_array::{Array, grad, stop_gradient};
/// let f = |x: &Array| x * stop_gradient(x);
/// let x = Array::scalar(3.0f32);
/// assert_eq!(grad(f)(&x).item::<f32>()?, 3.0);
/// assert_eq!(grad(grad(f))(&x).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn stop_gradient<A: Tree<Array>>(x: &A) -> A {
    // Integers have no tangent, and neither has what is made of them, however often this is differentiated.
    x.map_leaves(|leaf| {
        let bits = match leaf.dtype() {
            dtype if !dtype.is_differentiable() => return leaf.clone(),
            dtype if dtype.size() == 8 => DType::U64,
            dtype if dtype.size() == 4 => DType::U32,
            dtype if dtype.size() == 2 => DType::U16,
            _ => DType::U8,
        };
        leaf.bitcast(bits).bitcast(leaf.dtype())
    })
}

/// `f` with a derivative of your own: `rule(primals, tangents)` returns the value and its tangent, linear in the
/// tangents.
///
/// Tangents of integer leaves are zeros, and whatever the rule returns for integer results is ignored.
///
/// ```
/// use jarrah_array::{Array, custom_jvp, grad};
/// // log(1 + e^x), with a derivative that does not overflow.
/// let f = custom_jvp(
///     |x: &Array| (x.exp() + 1.0).log(),
///     |x: &Array, dx: &Array| ((x.exp() + 1.0).log(), dx * (1.0 - 1.0 / (x.exp() + 1.0))),
/// );
/// let slope = grad(move |x: &Array| f(x))(&Array::scalar(100.0f32));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn custom_jvp<P: Tree<Array>, R: Tree<Array>>(
    f: impl Fn(&P) -> R,
    rule: impl Fn(&P, &P) -> (R, R),
) -> impl Fn(&P) -> R {
    let made = Location::caller();
    move |primals| {
        let leaves = Leaves::of(primals);
        let types = leaves.types();
        let primal = trace_function("custom_jvp", primals, &types, Shadows::Drop, &f);
        let pair = (primals.map_leaves(Array::clone), primals.map_leaves(Array::clone));
        let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
        let traced =
            trace_function("custom_jvp_rule", &pair, &doubled, Shadows::Drop, |(x, dx): &(P, P)| rule(x, dx));
        let captures = captured("custom_jvp", [&primal.traced, &traced.traced], made);
        let results = primal.traced.program.result_types();
        let returned = traced.traced.program.result_types();
        if returned.len() != 2 * results.len()
            || returned.iter().zip(results.iter().chain(&results)).any(|(a, b)| a != b)
        {
            let error = Error::program(format!(
                "the rule returns {returned:?} for a function that returns {results:?}"
            ));
            fail(
                error.op("custom_jvp").at(made).help("return the value and a tangent of the same structure"),
            );
        }
        let program = or_fail(jvp_rule(&traced.traced, &types, &captures, &results));
        let op = CustomRule {
            primal: or_fail(over_primals(&primal.traced, &types, &captures, &[])),
            rule: Rule::Jvp(program),
        };
        let operands: Vec<&Array> = leaves.arrays.iter().chain(&captures).collect();
        fill(&primal.prototype, apply(op, &operands))
    }
}

/// `f` with a backward pass of your own: `forward(primals)` returns the value and what to keep, and
/// `backward(kept, cotangents)` returns the cotangent of the primals.
///
/// Cotangents of integer results are zeros, and whatever `backward` returns for integer primals is ignored.
///
/// ```
/// use jarrah_array::{Array, custom_vjp, grad};
/// // The identity, with gradients clipped to one.
/// let clip = custom_vjp(|x: &Array| x.clone(), |x: &Array| (x.clone(), ()), |_: &(), ct: &Array| ct.clip(-1.0, 1.0));
/// let slope = grad(move |x: &Array| clip(x) * 5.0)(&Array::scalar(2.0f32));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn custom_vjp<P: Tree<Array>, R: Tree<Array>, S: Tree<Array>>(
    f: impl Fn(&P) -> R,
    forward: impl Fn(&P) -> (R, S),
    backward: impl Fn(&S, &R) -> P,
) -> impl Fn(&P) -> R {
    let made = Location::caller();
    move |primals| {
        let leaves = Leaves::of(primals);
        let types = leaves.types();
        let primal = trace_function("custom_vjp", primals, &types, Shadows::Drop, &f);
        let Function { traced: ahead, prototype: (value, kept) } =
            trace_function("custom_vjp_forward", primals, &types, Shadows::Drop, &forward);
        let pair = (kept.map_leaves(Array::clone), value.map_leaves(Array::clone));
        let pair_types = Leaves::of(&pair).types();
        let back =
            trace_function("custom_vjp_backward", &pair, &pair_types, Shadows::Drop, |(s, ct): &(S, R)| {
                backward(s, ct)
            });
        let captures = captured("custom_vjp", [&primal.traced, &ahead, &back.traced], made);
        let results = primal.traced.program.result_types();
        if Leaves::of(&value).types() != results {
            let error = format!(
                "the forward pass returns {:?}, the function {results:?}",
                Leaves::of(&value).types()
            );
            fail(Error::program(error).op("custom_vjp").at(made));
        }
        let returned = back.traced.program.result_types();
        if returned != types {
            let error =
                Error::program(format!("the backward pass returns {returned:?} for primals {types:?}"));
            fail(error.op("custom_vjp").at(made));
        }
        let kept = Leaves::of(&kept).types();
        let forward = or_fail(over_primals(&ahead, &types, &captures, &back.traced.captures));
        let backward = or_fail(backward_program(&back.traced, &types, &captures, &results, &kept));
        let op = CustomRule {
            primal: or_fail(over_primals(&primal.traced, &types, &captures, &[])),
            rule: Rule::Vjp { forward, backward },
        };
        let operands: Vec<&Array> = leaves.arrays.iter().chain(&captures).collect();
        fill(&primal.prototype, apply(op, &operands))
    }
}

/// The arrays that the functions capture. A float that is being traced may be one that is differentiated, and a
/// custom rule would drop its gradient: that is an error, never silent.
#[track_caller]
fn captured<'a>(op: &str, functions: impl IntoIterator<Item = &'a Traced>, made: Location) -> Vec<Array> {
    let mut all = Vec::new();
    for array in functions.into_iter().flat_map(|f| &f.captures) {
        if array.dtype().is_differentiable() && matches!(array.repr, Repr::Traced(_)) {
            let error = Error::program(format!(
                "the function captures an array of type {} that is being traced",
                array.ty()
            ));
            let error =
                error.op(op).at(made).help("make it an argument, so that its derivative can be given");
            fail(match array.source().location {
                Some(location) => error.label(location, "it was made"),
                None => error,
            });
        }
        all.push(array.clone());
    }
    all
}

/// A builder with parameters for the primals, then all captures.
fn primals_and_captures(
    function: &Traced,
    types: &[Type],
    captures: &[Array],
) -> (Builder, Vec<Value>, Vec<Value>) {
    let mut b = Builder::new(function.program.name());
    let primals: Vec<Value> = types.iter().map(|&ty| b.param(ty, "")).collect();
    let all: Vec<Value> = captures.iter().map(|a| b.param(a.ty(), "")).collect();
    (b, primals, all)
}

/// The values in `all`, one for each of `captures`, that stand for the arrays in `wanted`.
fn select(wanted: &[Array], captures: &[Array], all: &[Value]) -> Vec<Value> {
    let place = |array: &Array| captures.iter().position(|known| known.is(array));
    wanted.iter().map(|array| all[place(array).expect("invariant: captures were collected")]).collect()
}

/// The function over the primals, then all captures.
/// The function over the primals, then all captures; it returns the captures in `also` besides.
fn over_primals(
    function: &Traced,
    types: &[Type],
    captures: &[Array],
    also: &[Array],
) -> jarrah_base::Result<Arc<Program>> {
    let (mut b, primals, all) = primals_and_captures(function, types, captures);
    let args: Vec<Value> = primals.into_iter().chain(select(&function.captures, captures, &all)).collect();
    let mut results = b.inline(&function.program, &args)?;
    results.extend(select(also, captures, &all));
    Ok(Arc::new(b.finish(&results)?))
}

/// Takes primals and captures, then the tangents of the differentiable ones; those of captures are not used.
fn jvp_rule(
    function: &Traced,
    types: &[Type],
    captures: &[Array],
    results: &[Type],
) -> jarrah_base::Result<Arc<Program>> {
    let (mut b, primals, all) = primals_and_captures(function, types, captures);
    let mut args = primals;
    for &ty in types {
        args.push(if ty.dtype().is_differentiable() { b.param(ty, "") } else { b.zeros(ty)? });
    }
    for capture in captures.iter().filter(|a| a.dtype().is_differentiable()) {
        b.param(capture.ty(), "");
    }
    args.extend(select(&function.captures, captures, &all));
    let all = b.inline(&function.program, &args)?;
    let (values, tangents) = all.split_at(results.len());
    let float =
        tangents.iter().zip(results).filter(|(_, ty)| ty.dtype().is_differentiable()).map(|(v, _)| *v);
    let returned: Vec<Value> = values.iter().copied().chain(float).collect();
    Ok(Arc::new(b.finish(&returned)?))
}

/// Takes what was kept, the arrays that the backward pass captures, then the cotangents of the differentiable results; returns those of the differentiable primals
/// and captures, zero for the latter.
fn backward_program(
    function: &Traced,
    types: &[Type],
    captures: &[Array],
    results: &[Type],
    kept: &[Type],
) -> jarrah_base::Result<Arc<Program>> {
    let mut b = Builder::new(function.program.name());
    let mut args: Vec<Value> = kept.iter().map(|&ty| b.param(ty, "")).collect();
    let own: Vec<Value> = function.captures.iter().map(|a| b.param(a.ty(), "")).collect();
    for &ty in results {
        args.push(if ty.dtype().is_differentiable() { b.param(ty, "") } else { b.zeros(ty)? });
    }
    args.extend(own);
    let all = b.inline(&function.program, &args)?;
    let mut returned: Vec<Value> =
        all.iter().zip(types).filter(|(_, ty)| ty.dtype().is_differentiable()).map(|(v, _)| *v).collect();
    for capture in captures.iter().filter(|a| a.dtype().is_differentiable()) {
        returned.push(b.zeros(capture.ty())?);
    }
    Ok(Arc::new(b.finish(&returned)?))
}
