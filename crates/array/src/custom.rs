use std::sync::Arc;

use jarrah_base::{DType, ElementKind, Error, Location, Type};
use jarrah_hlo::ops::{CustomRule, Rule};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_tree::{Difference, Tree, TreeExt};

use crate::array::Array;
use crate::error::fail_at;
use crate::function::{
    Function, Leaves, Shadows, TracedFunction, always, differentiable, fill, or_fail, trace_function,
    values_of,
};
use crate::lax;
use crate::random;
use crate::trace::{Traced, apply_at};

/// `x` unchanged, with a derivative of zero.
///
/// ```
/// use jarrah_array::{Array, grad, stop_gradient};
/// let f = |x: &Array| x * stop_gradient(x);
/// let x = Array::scalar(3.0);
/// assert_eq!(grad(f)(&x).item::<f32>()?, 3.0);
/// assert_eq!(grad(grad(f))(&x).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn stop_gradient<A: Tree<Array>>(x: &A) -> A {
    x.map_leaves(without_tangent)
}

/// `x` by way of integers, which have no tangent, nor has anything computed from them, at any order of differentiation.
fn without_tangent(x: &Array) -> Array {
    let dtype = x.dtype();
    let bits = match (dtype.kind(), dtype.bits()) {
        (ElementKind::Bool | ElementKind::Signed | ElementKind::Unsigned, _) => return x.clone(),
        (ElementKind::Complex, _) => {
            return lax::complex(&without_tangent(&x.real()), &without_tangent(&x.imag()));
        }
        (ElementKind::Float, 64) => DType::U64,
        (ElementKind::Float, 32) => DType::U32,
        (ElementKind::Float, 16) => DType::U16,
        (ElementKind::Float, 8) => DType::U8,
        // Not every narrower type has an integer type of its width; `f32` holds them all.
        (ElementKind::Float, _) => return without_tangent(&x.astype(DType::F32)).astype(dtype),
    };
    x.bitcast(bits).bitcast(dtype)
}

/// `f` with a custom derivative: `rule(primals, tangents)` returns the value and its tangent, linear in the tangents.
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
/// let slope = grad(move |x: &Array| f(x))(&Array::scalar(100.0));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn custom_jvp<P: Tree<Array>, R: Tree<Array>>(
    f: impl Function<P, Output = R>,
    rule: impl Fn(&P, &P) -> (R, R),
) -> impl Fn(&P) -> R {
    let made = Location::caller();
    move |primals| {
        let leaves = Leaves::of(primals);
        let types = leaves.types();
        let primal = trace_function("custom_jvp", made, primals, &types, Shadows::Drop, |p: &P| f.apply(p));
        let pair = (primals.map_leaves(Array::clone), primals.map_leaves(Array::clone));
        let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
        let traced = random::unused(|| {
            trace_function("custom_jvp_rule", made, &pair, &doubled, Shadows::Drop, |(x, dx): &(P, P)| {
                rule(x, dx)
            })
        });
        let captures = captured([&primal.traced, &traced.traced]);
        let (value, tangent) = &traced.prototype;
        let (result, value, tangent) =
            (Leaves::of(&primal.prototype), Leaves::of(value), Leaves::of(tangent));
        for (difference, what) in [
            (result.difference(&value, always), "value"),
            (result.difference(&tangent, differentiable), "tangent"),
        ] {
            check(
                difference,
                "custom_jvp",
                (what, "that the rule returns"),
                ("result", "of the function"),
                made,
            );
        }
        let results = result.types();
        let program = or_fail(made, jvp_rule(&traced.traced, &types, &captures, &results));
        let op = CustomRule {
            primal: or_fail(made, over_primals(&primal.traced, &types, &captures, &[])),
            rule: Rule::Jvp(program),
            captures: captures.len(),
        };
        let operands: Vec<&Array> = leaves.arrays.iter().chain(&captures).collect();
        fill(&primal.prototype, apply_at(made, op, &operands))
    }
}

/// `value(x)` with the tangent `dx * slope(x, value(x))`. Higher derivatives differentiate `slope`, whose second argument stands
/// for this function itself, so that the operations inside of `value` are never differentiated.
#[track_caller]
pub(crate) fn with_slope(
    x: &Array,
    value: impl Fn(&Array) -> Array,
    slope: impl Fn(&Array, &Array) -> Array,
) -> Array {
    with_tangent(x, value, |x, y, dx| dx * slope(x, y))
}

/// [`with_slope`] of two arrays of one type: the slopes are those by the first and by the second.
#[track_caller]
pub(crate) fn with_slopes(
    at: &(Array, Array),
    value: impl Fn(&(Array, Array)) -> Array,
    slopes: impl Fn(&(Array, Array), &Array) -> (Array, Array),
) -> Array {
    with_tangent(at, value, |at, y, (dx, dy): &(Array, Array)| {
        let (by_first, by_second) = slopes(at, y);
        dx * by_first + dy * by_second
    })
}

/// `value(x)`, an array like the first of `x`, whose tangent is `tangent(x, value(x), dx)`.
#[track_caller]
pub(crate) fn with_tangent<P: Tree<Array>>(
    x: &P,
    value: impl Fn(&P) -> Array,
    tangent: impl Fn(&P, &Array, &P) -> Array,
) -> Array {
    let at = Location::caller();
    let leaves = Leaves::of(x);
    let (types, first) = (leaves.types(), &leaves.arrays[0]);
    let primal = trace_function("function", at, x, &types, Shadows::Drop, |x: &P| value(x));
    let all = (x.map_leaves(Array::clone), first.clone(), x.map_leaves(Array::clone));
    let all_types = [&types[..], &[first.ty()], &types].concat();
    let tangent =
        trace_function("tangent", at, &all, &all_types, Shadows::Drop, |(x, y, dx): &(P, Array, P)| {
            tangent(x, y, dx)
        });
    let captures = captured([&primal.traced, &tangent.traced]);
    let op = CustomRule {
        primal: or_fail(at, over_primals(&primal.traced, &types, &captures, &[])),
        rule: Rule::Tangent(or_fail(at, tangent_rule(&tangent.traced, &types, first.ty(), &captures))),
        captures: captures.len(),
    };
    let operands: Vec<&Array> = leaves.arrays.iter().chain(&captures).collect();
    apply_at(at, op, &operands).swap_remove(0)
}

/// `f` with a custom backward pass: `forward(primals)` returns the value and the residuals, and
/// `backward(residuals, cotangents)` returns the cotangents of the primals.
///
/// Cotangents of integer results are zeros, and whatever `backward` returns for integer primals is ignored.
///
/// ```
/// use jarrah_array::{Array, custom_vjp, grad};
/// // The identity, with gradients clipped to one.
/// let clip = custom_vjp(|x: &Array| x.clone(), |x: &Array| (x.clone(), ()), |_: &(), ct: &Array| ct.clip(-1.0, 1.0));
/// let slope = grad(move |x: &Array| clip(x) * 5.0)(&Array::scalar(2.0));
/// assert_eq!(slope.item::<f32>()?, 1.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn custom_vjp<P: Tree<Array>, R: Tree<Array>, S: Tree<Array>>(
    f: impl Function<P, Output = R>,
    forward: impl Fn(&P) -> (R, S),
    backward: impl Fn(&S, &R) -> P,
) -> impl Fn(&P) -> R {
    let made = Location::caller();
    move |primals| {
        let leaves = Leaves::of(primals);
        let types = leaves.types();
        let primal = trace_function("custom_vjp", made, primals, &types, Shadows::Drop, |p: &P| f.apply(p));
        let TracedFunction { traced: ahead, prototype: (value, kept) } = random::unused(|| {
            trace_function("custom_vjp_forward", made, primals, &types, Shadows::Drop, &forward)
        });
        let pair = (kept.map_leaves(Array::clone), value.map_leaves(Array::clone));
        let pair_types = Leaves::of(&pair).types();
        let back = trace_function(
            "custom_vjp_backward",
            made,
            &pair,
            &pair_types,
            Shadows::Drop,
            |(s, ct): &(S, R)| backward(s, ct),
        );
        let captures = captured([&primal.traced, &ahead, &back.traced]);
        let result = Leaves::of(&primal.prototype);
        let difference = result.difference(&Leaves::of(&value), always);
        let sides = (("value", "that the forward pass returns"), ("result", "of the function"));
        check(difference, "custom_vjp", sides.0, sides.1, made);
        let difference = leaves.difference(&Leaves::of(&back.prototype), differentiable);
        check(
            difference,
            "custom_vjp",
            ("cotangent", "that the backward pass returns"),
            ("primal", ""),
            made,
        );
        let results = result.types();
        let kept = Leaves::of(&kept).types();
        let forward = or_fail(made, over_primals(&ahead, &types, &captures, &back.traced.captures));
        let backward = or_fail(made, backward_program(&back.traced, &types, &results, &kept));
        let op = CustomRule {
            primal: or_fail(made, over_primals(&primal.traced, &types, &captures, &[])),
            rule: Rule::Vjp { forward, backward },
            captures: captures.len(),
        };
        let operands: Vec<&Array> = leaves.arrays.iter().chain(&captures).collect();
        fill(&primal.prototype, apply_at(made, op, &operands))
    }
}

/// Panics if a rule returned `what`, of other structure or types than `like`. The message names each side and the function that
/// it belongs to: `by` for the returned tree, `of` for the required one.
pub(crate) fn check(
    difference: Option<Difference>,
    op: &str,
    (what, by): (&str, &str),
    (like, of): (&str, &str),
    made: Location,
) {
    if let Some(Difference { path, sides: [wanted, found] }) = difference {
        let (what, like) = (path.below(what), path.below(like));
        let error = format!("{what} {by} is {found}, {like} {of} is {wanted}").replace("  ", " ");
        fail_at(
            made,
            Error::program(error).op(op).help("a rule returns the structure and types of the function"),
        );
    }
}

/// The arrays that the functions capture. They become further operands, for which the rule gives no derivative: differentiating
/// with respect to a captured array is an error instead of a gradient that is silently zero.
pub(crate) fn captured<'a>(functions: impl IntoIterator<Item = &'a Traced>) -> Vec<Array> {
    functions.into_iter().flat_map(|f| f.captures.iter().cloned()).collect()
}

/// A builder with parameters for the primals, then for all captures.
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

/// The function over the primals, then all captures; it also returns the captures in `also`.
fn over_primals(
    function: &Traced,
    types: &[Type],
    captures: &[Array],
    also: &[Array],
) -> jarrah_base::Result<Arc<Program>> {
    let (mut b, primals, all) = primals_and_captures(function, types, captures);
    let args: Vec<Value> = primals.into_iter().chain(values_of(&function.captures, captures, &all)).collect();
    let mut results = b.inline(&function.program, &args)?;
    results.extend(values_of(also, captures, &all));
    Ok(Arc::new(b.finish(&results)?))
}

/// The program of a forward-mode rule. Its parameters are the primals and captures, then the tangents of the differentiable
/// primals.
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
    args.extend(values_of(&function.captures, captures, &all));
    let all = b.inline(&function.program, &args)?;
    let (values, tangents) = all.split_at(results.len());
    let float =
        tangents.iter().zip(results).filter(|(_, ty)| ty.dtype().is_differentiable()).map(|(v, _)| *v);
    let returned: Vec<Value> = values.iter().copied().chain(float).collect();
    Ok(Arc::new(b.finish(&returned)?))
}

/// The program of a rule. Its parameters are the operands and captures, then the result and the tangents of the operands.
fn tangent_rule(
    function: &Traced,
    types: &[Type],
    result: Type,
    captures: &[Array],
) -> jarrah_base::Result<Arc<Program>> {
    let (mut b, mut args, all) = primals_and_captures(function, types, captures);
    args.push(b.param(result, ""));
    args.extend(types.iter().map(|&ty| b.param(ty, "")).collect::<Vec<_>>());
    args.extend(values_of(&function.captures, captures, &all));
    let results = b.inline(&function.program, &args)?;
    Ok(Arc::new(b.finish(&results)?))
}

/// The program of a backward pass. Its parameters are the residuals, the captures of the backward pass, then the cotangents of
/// the differentiable results; it returns the cotangents of the differentiable primals.
fn backward_program(
    function: &Traced,
    types: &[Type],
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
    let returned: Vec<Value> =
        all.iter().zip(types).filter(|(_, ty)| ty.dtype().is_differentiable()).map(|(v, _)| *v).collect();
    Ok(Arc::new(b.finish(&returned)?))
}
