//! Solutions of equations, with the derivatives of the equation rather than of the steps that solved it.

use jarrah_base::{Error, Location, Type};
use jarrah_hlo::Program;
use jarrah_hlo::ops::{CustomRule, LinearSolve, Rule, TransposedSolve};
use jarrah_tree::{Difference, Tree};

use crate::array::Array;
use crate::control::{Merged, captures_first};
use crate::error::fail_at;
use crate::function::{Leaves, Shadows, TracedFunction, always, call, fill, or_fail, trace_function};
use crate::trace::{Traced, apply_at};

/// A map of a tree to one like it, as a solver receives it.
pub type SolverMap<'a, T> = &'a dyn Fn(&T) -> T;

/// The solution `x` of the linear equation `matvec(x) = b`, found by `solve(matvec, b)`, which may take any steps: a loop
/// without a derivative, a factorization.
///
/// Its derivative is that of the equation, `matvec(dx) = db - dmatvec(x)`; reverse mode solves the transposed equation, with
/// the same `solve`, which gets the transposed map.
///
/// ```
/// use jarrah_array::{Array, grad, lax};
/// let b = Array::from_slice(&[2.0f32, 8.0]);
/// // A diagonal matrix, whose diagonal the solver finds by asking for it.
/// let f = |d: &Array| {
///     let divide = |map: lax::SolverMap<Array>, b: &Array| b / map(&Array::ones_like(b));
///     lax::custom_linear_solve(|x: &Array| x * d, &b, divide).sum(..)
/// };
/// let d = Array::from_slice(&[1.0f32, 2.0]);
/// assert_eq!(f(&d).item::<f32>()?, 6.0);
/// assert_eq!(grad(f)(&d).to_vec::<f32>()?, [-2.0, -2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.lax.custom_linear_solve`.
#[track_caller]
pub fn custom_linear_solve<T: Tree<Array>>(
    matvec: impl Fn(&T) -> T,
    b: &T,
    solve: impl Fn(SolverMap<T>, &T) -> T,
) -> T {
    custom_linear_solve_with(matvec, b, &solve, &solve)
}

/// As [`custom_linear_solve`], with another function for the transposed equation: `transpose_solve(vecmat, c)`.
///
/// ```
/// use jarrah_array::{Array, grad, lax, linalg};
/// let a = Array::new(&[2.0f32, 0.0, 1.0, 4.0], &[2, 2]);
/// let solve = |_: lax::SolverMap<Array>, b: &Array| linalg::solve(&a, b);
/// let transposed = |_: lax::SolverMap<Array>, c: &Array| linalg::solve(&a.t(), c);
/// let f = |b: &Array| lax::custom_linear_solve_with(|x: &Array| a.matmul(x), b, solve, transposed).sum(..);
/// // The transposed equation, solved for ones.
/// let slope = grad(f)(&Array::from_slice(&[2.0f32, 9.0]));
/// assert_eq!(slope.to_vec::<f32>()?, [0.375, 0.25]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn custom_linear_solve_with<T: Tree<Array>>(
    matvec: impl Fn(&T) -> T,
    b: &T,
    solve: impl Fn(SolverMap<T>, &T) -> T,
    transpose_solve: impl Fn(SolverMap<T>, &T) -> T,
) -> T {
    let (at, op) = (Location::caller(), "custom_linear_solve");
    let vector = Leaves::of(b);
    let types = vector.types();
    let traced = |name: &str, f: &dyn Fn(&T) -> T| {
        let TracedFunction { traced, prototype } =
            trace_function(&format!("{name} of {op}"), at, b, &types, Shadows::Drop, |x: &T| f(x));
        check_alike(op, &format!("result of {name}"), &Leaves::of(&prototype), ("b", &vector), at);
        traced
    };
    let forward = traced("matvec", &matvec);
    let mut linear = vec![true; types.len()];
    linear.resize(forward.program.params().len(), false);
    let transposed = jarrah_transforms::linear_transpose(&forward.program, &linear);
    let transposed = or_fail(at, transposed.map_err(|e| e.help("matvec must be linear in its argument")));
    let apply = |x: &T| {
        let x = Leaves::of(x).arrays;
        fill(b, call(at, forward.program.clone(), &x, &forward.captures))
    };
    let apply_transposed = |y: &T| {
        let y = Leaves::of(y).arrays;
        let known = call(at, transposed.forward.clone(), &forward.captures, &[]);
        fill(b, call(at, transposed.backward.clone(), &known, &y))
    };
    let solved = traced("solve", &|b: &T| solve(&apply, b));
    let back = traced("vecmat", &apply_transposed);
    let solved_back = traced("transpose_solve", &|c: &T| transpose_solve(&apply_transposed, c));
    let merged = Merged::of([&forward, &solved, &back, &solved_back]);
    let consts = merged.captures.len();
    let closed = |f: &Traced| captures_first(&merged.widen(f, &types, at), consts, types.len(), at);
    let transpose = Some(TransposedSolve { matvec: closed(&back), solve: closed(&solved_back) });
    let op = LinearSolve { matvec: closed(&forward), solve: closed(&solved), transpose, consts };
    let operands: Vec<&Array> = merged.captures.iter().chain(&vector.arrays).collect();
    fill(b, apply_at(at, op, &operands))
}

/// The root `x` of `f(x) = 0`, found by `solve(f, x0)`, which may take any steps.
///
/// Its derivative follows from the implicit function theorem: where `f` depends on `p`, `J dx = -df/dp dp` with the Jacobian
/// `J = df/dx` at the root; `tangent_solve(v -> J v, c)` solves that linear equation. The result does not depend on `x0`.
///
/// ```
/// use jarrah_array::{Array, grad, lax, while_loop};
/// // The square root of p by Newton's steps.
/// let root = |p: &Array| {
///     let newton = |f: lax::SolverMap<Array>, x0: &Array| {
///         while_loop(|x: &Array| f(x).abs().gt(1e-5), |x: &Array| x - f(x) / (x * 2.0), x0)
///     };
///     let divide = |map: lax::SolverMap<Array>, c: &Array| c / map(&Array::ones_like(c));
///     lax::custom_root(|x: &Array| x * x - p, &Array::scalar(1.0), newton, divide)
/// };
/// let slope = grad(root)(&Array::scalar(4.0));
/// assert!((slope.item::<f32>()? - 0.25).abs() < 1e-4);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: `jax.lax.custom_root`.
#[track_caller]
pub fn custom_root<T: Tree<Array>>(
    f: impl Fn(&T) -> T,
    x0: &T,
    solve: impl Fn(SolverMap<T>, &T) -> T,
    tangent_solve: impl Fn(SolverMap<T>, &T) -> T,
) -> T {
    let (at, op) = (Location::caller(), "custom_root");
    let start = Leaves::of(x0);
    let types = start.types();
    if let Some((array, path)) = start.with_paths().find(|(x, _)| !x.dtype().is_differentiable()) {
        let error = format!("{} is {}, only floats have roots", path.below("x0"), array.ty());
        fail_at(at, Error::program(error).op(op));
    }
    let traced = |name: &str, f: &dyn Fn(&T) -> T| {
        let TracedFunction { traced, prototype } =
            trace_function(&format!("{name} of {op}"), at, x0, &types, Shadows::Drop, |x: &T| f(x));
        check_alike(op, &format!("result of {name}"), &Leaves::of(&prototype), ("x0", &start), at);
        traced
    };
    let function = traced("f", &f);
    let apply = |x: &T| {
        let x = Leaves::of(x).arrays;
        fill(x0, call(at, function.program.clone(), &x, &function.captures))
    };
    let solved = traced("solve", &|x: &T| solve(&apply, x));
    let merged = Merged::of([&function, &solved]);
    let widened = |f: &Traced| merged.widen(f, &types, at);
    let (function, solved) = (widened(&function), widened(&solved));
    let operands: Vec<Array> = start.arrays.iter().chain(&merged.captures).cloned().collect();
    let rule = root_rule(&function, types.len(), &operands, at, |map, right| {
        let map = |v: &T| fill(x0, map(&Leaves::of(v).arrays));
        let dx = custom_linear_solve(map, &fill(x0, right), &tangent_solve);
        Leaves::of(&dx).arrays
    });
    let operands: Vec<&Array> = operands.iter().chain(&rule.captures).collect();
    let captures: Vec<Type> = rule.captures.iter().map(Array::ty).collect();
    // The rule's parameters are: operands, roots, tangents, then the arrays that only the rule captures. An op's operands have to
    // come first.
    let tangents = rule.program.params().len() - operands.len();
    let primals = operands.len() - captures.len();
    let op = CustomRule {
        primal: or_fail(at, with_params(&solved, &captures)).into(),
        rule: Rule::Tangent(or_fail(at, moved(&rule.program, primals, tangents)).into()),
        captures: captures.len(),
    };
    fill(x0, apply_at(at, op, &operands))
}

/// The derivative of a root. Its parameters are `x0`, the captures of `f` and `solve`, the root, and the tangents of `x0` and of
/// the captures; it returns the root's tangent. The parameters of `function` are `unknowns` arrays, then its captures.
#[track_caller]
fn root_rule(
    function: &Program,
    unknowns: usize,
    operands: &[Array],
    at: Location,
    tangent_solve: impl Fn(&dyn Fn(&[Array]) -> Vec<Array>, Vec<Array>) -> Vec<Array>,
) -> Traced {
    let smooth = |x: &&Array| x.dtype().is_differentiable();
    let tangents = operands.iter().filter(smooth);
    let prototype: Vec<Array> = operands
        .iter()
        .chain(&operands[..unknowns])
        .chain(tangents)
        .map(|x| Array::abstracted(x.ty()))
        .collect();
    let types: Vec<Type> = prototype.iter().map(Array::ty).collect();
    let float: Vec<bool> = operands.iter().map(|x| x.dtype().is_differentiable()).collect();
    let all = vec![true; unknowns];
    let by = |wanted: &dyn Fn(usize) -> bool| {
        let active: Vec<bool> = float.iter().enumerate().map(|(i, &float)| float && wanted(i)).collect();
        or_fail(at, jarrah_transforms::jvp(function, &active, &all)).program
    };
    let (by_root, by_captures) = (by(&|i| i < unknowns), by(&|i| i >= unknowns));
    trace_function("tangent of custom_root", at, &prototype, &types, Shadows::Drop, |all: &Vec<Array>| {
        let (primals, rest) = all.split_at(operands.len());
        let (root, tangents) = rest.split_at(unknowns);
        let captures = &primals[unknowns..];
        let at_root: Vec<Array> = root.iter().chain(captures).cloned().collect();
        // The tangents of x0 come first: the root does not depend on them.
        let moved = call(at, by_captures.clone(), &at_root, &tangents[unknowns..]).split_off(unknowns);
        let right: Vec<Array> = moved.iter().map(|x| -x).collect();
        let jacobian = |v: &[Array]| call(at, by_root.clone(), &at_root, v).split_off(unknowns);
        tangent_solve(&jacobian, right)
    })
    .traced
}

/// The program with further parameters of these types, which it does not use.
fn with_params(program: &Program, types: &[Type]) -> jarrah_base::Result<Program> {
    let mut b = jarrah_hlo::Builder::like(program);
    let args: Vec<_> = program.param_values().collect();
    for &ty in types {
        b.param(ty, "");
    }
    let results = b.inline(program, &args)?;
    b.finish(&results)
}

/// The program with the `tangents` parameters that follow the first `primals` moved to the end.
fn moved(program: &Program, primals: usize, tangents: usize) -> jarrah_base::Result<Program> {
    let mut params: Vec<_> = program.param_values().collect();
    params[primals..].rotate_left(tangents);
    program.extract(&params, program.results())
}

/// Panics unless `returned`, the result of the user's function `name`, has the structure and types of the vector of unknowns.
#[track_caller]
pub(crate) fn check_alike(
    op: &str,
    name: &str,
    returned: &Leaves,
    (like, vector): (&str, &Leaves),
    at: Location,
) {
    if let Some(Difference { path, sides: [wanted, found] }) = vector.difference(returned, always) {
        let (returned, like) = (path.below(name), path.below(like));
        let error = format!("{returned} is {found}, {like} is {wanted}");
        let help = "x0, b and what the functions return have one structure and the same types";
        fail_at(at, Error::program(error).op(op).help(help));
    }
}
