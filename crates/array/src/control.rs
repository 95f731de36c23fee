use std::sync::Arc;

use jarrah_base::{DType, Error, Location, Type};
use jarrah_hlo::ops::{Case, Scan, While};
use jarrah_hlo::{Builder, Program, Value};
use jarrah_tree::{Difference, Tree, TreeExt};
use rustc_hash::FxHashSet;

use crate::array::Array;
use crate::error::{fail, fail_at};
use crate::function::{
    Leaves, Shadows, TracedFunction, always, fill, or_fail, trace_function, trace_writing, values_of,
};
use crate::lax;
use crate::mutable::{read_all, write_back, written_by};
use crate::random;
use crate::trace::{Traced, apply};

/// A loop over the first axis: `carry, y = f(carry, x)` for each slice `x` of `xs` in order.
///
/// Returns the final carry and the stacked `y`. The body is traced once, whatever the length.
///
/// ```
/// use jarrah_array::{Array, scan};
/// let xs = Array::from_slice(&[1.0f32, 2.0, 3.0]);
/// let (total, partial) = scan(|c: &Array, x: &Array| (c + x, c + x), &Array::scalar(0.0), &xs);
/// assert_eq!(total.item::<f32>()?, 6.0);
/// assert_eq!(partial.to_vec::<f32>()?, [1.0, 3.0, 6.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn scan<C: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
    f: impl Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
) -> (C, Y) {
    scan_from("scan", f, init, xs, None, false)
}

/// As [`scan`], from the last slice to the first; `y` is stacked at the index of its `x`.
///
/// ```
/// use jarrah_array::{Array, scan_reverse};
/// let xs = Array::from_slice(&[1.0f32, 2.0, 3.0]);
/// let (total, rest) = scan_reverse(|c: &Array, x: &Array| (c + x, c.clone()), &Array::scalar(0.0), &xs);
/// assert_eq!(total.item::<f32>()?, 6.0);
/// assert_eq!(rest.to_vec::<f32>()?, [5.0, 3.0, 0.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scan_reverse<C: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
    f: impl Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
) -> (C, Y) {
    scan_from("scan", f, init, xs, None, true)
}

/// As [`scan`], with the number of steps given, so that `xs` may have no arrays: `()`.
///
/// ```
/// use jarrah_array::{Array, scan_length};
/// let step = |c: &Array, (): &()| (c * 2.0, c.clone());
/// let (last, powers) = scan_length(step, &Array::scalar(1.0), &(), 4);
/// assert_eq!(last.item::<f32>()?, 16.0);
/// assert_eq!(powers.to_vec::<f32>()?, [1.0, 2.0, 4.0, 8.0]);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn scan_length<C: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
    f: impl Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
    length: usize,
) -> (C, Y) {
    scan_from("scan", f, init, xs, Some(length), false)
}

/// As [`scan_reverse`], with the number of steps given: see [`scan_length`].
///
/// ```
/// use jarrah_array::{Array, scan_length_reverse};
/// let step = |c: &Array, (): &()| (c * 2.0, c.clone());
/// let (_, powers) = scan_length_reverse(step, &Array::scalar(1.0), &(), 4);
/// assert_eq!(powers.to_vec::<f32>()?, [8.0, 4.0, 2.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scan_length_reverse<C: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
    f: impl Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
    length: usize,
) -> (C, Y) {
    scan_from("scan", f, init, xs, Some(length), true)
}

#[track_caller]
pub(crate) fn scan_from<C: Tree<Array>, X: Tree<Array>, Y: Tree<Array>>(
    op: &str,
    f: impl Fn(&C, &X) -> (C, Y),
    init: &C,
    xs: &X,
    mut length: Option<usize>,
    reverse: bool,
) -> (C, Y) {
    let at = Location::caller();
    let arrays = Leaves::of(xs);
    for (array, path) in arrays.with_paths() {
        let place = if path.keys().is_empty() { "xs".to_owned() } else { format!("xs {path}") };
        let Some(&extent) = array.shape().first() else {
            fail(
                Error::program(format!("{place} is a scalar, there is no axis to loop over"))
                    .op(op)
                    .at(at)
                    .help("loop over arrays of at least one axis; capture what every step uses whole"),
            )
        };
        match length {
            Some(known) if known != extent => {
                let error =
                    Error::program(format!("there are to be {known} steps, but {place} has {extent} slices"));
                fail(error.op(op).at(at).help("all arrays of xs have one slice for each step"))
            }
            _ => length = Some(extent),
        }
    }
    let Some(length) = length else {
        fail(
            Error::program("xs has no array, so the number of steps is unknown")
                .op(op)
                .at(at)
                .help("give it to scan_length"),
        )
    };
    let slice = |x: &Array| Array::abstracted(x.ty().without_leading());
    let args = (init.map_leaves(Array::clone), xs.map_leaves(slice));
    let types = Leaves::of(&args).types();
    let TracedFunction { traced, prototype } =
        trace_writing(op, at, &args, &types, Shadows::Drop, |(c, x): &(C, X)| random::repeated(|| f(c, x)));
    let carry = Leaves::of(init);
    check_carry(op, &carry, &Leaves::of(&prototype.0), at);
    check_keys(op, &traced, &carry);
    for &(i, used) in &traced.keys {
        if let Some(words) = i.checked_sub(carry.arrays.len()).and_then(|i| arrays.arrays.get(i)) {
            random::consume_at(words, used);
        }
    }
    // The cells that the body writes are carried too.
    let (cells, lines) = written_by([&traced]);
    let held = read_all(&cells);
    let (own, traced) = (traced.own_results(), traced.through_cells(&cells, types.len(), at));
    let (consts, carried) = (traced.captures.len(), carry.arrays.len());
    let params = traced.program.params().len();
    let mut order: Vec<usize> = (params - consts..params).collect();
    order.extend((0..carried).chain(types.len()..types.len() + cells.len()).chain(carried..types.len()));
    let results: Vec<usize> = (0..carried).chain(own..own + cells.len()).chain(carried..own).collect();
    let body = reordered(&traced.program, &order, &results, at);
    let scan = Scan { body, consts, carry: carried + cells.len(), length, reverse };
    let operands = traced.captures.iter().chain(&carry.arrays).chain(&held).chain(&arrays.arrays);
    let mut results = apply(scan, &operands.collect::<Vec<_>>());
    results[carried..].rotate_left(cells.len());
    write_back(cells.iter().zip(lines), &mut results, at);
    fill(&prototype, results)
}

/// Repeats `state = body(state)` while `condition(state)` is true.
///
/// Forward-mode derivatives only: the number of steps is not known beforehand, so there is nothing to run backwards.
/// Use [`scan`] where a gradient is needed.
///
/// # Errors
///
/// A program error if the condition is not one truth value, or the state changes its structure or types.
///
/// ```
/// use jarrah_array::{Array, while_loop};
/// let halves = while_loop(|x: &Array| x.gt(1.0), |x: &Array| x * 0.5, &Array::scalar(10.0));
/// assert_eq!(halves.item::<f32>()?, 0.625);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn while_loop<C: Tree<Array>>(condition: impl Fn(&C) -> Array, body: impl Fn(&C) -> C, init: &C) -> C {
    let at = Location::caller();
    let carry = Leaves::of(init);
    let types = carry.types();
    let test = |c: &C| random::repeated(|| condition(c));
    let test = trace_function("while_condition", at, init, &types, Shadows::Drop, test);
    let step = |c: &C| random::repeated(|| body(c));
    let step = trace_writing("while_body", at, init, &types, Shadows::Drop, step);
    check_carry("while_loop", &carry, &Leaves::of(&step.prototype), at);
    check_keys("while_loop", &step.traced, &carry);
    let ty = test.prototype.ty();
    if ty != Type::scalar(DType::Bool) {
        let error = Error::program(format!("the condition returns {ty}, it must return one truth value"));
        fail(error.op("while_loop").at(at).help("compare scalars, or reduce with all() or any()"));
    }
    // The cells that the body writes are carried too; the condition sees them.
    let (cells, lines) = written_by([&step.traced]);
    let held = read_all(&cells);
    let test = test.traced.through_cells(&cells, types.len(), at);
    let step = step.traced.through_cells(&cells, types.len(), at);
    let types: Vec<Type> = types.into_iter().chain(held.iter().map(Array::ty)).collect();
    let merged = Merged::of([&test, &step]);
    let consts = merged.captures.len();
    let cond = captures_first(&merged.widen(&test, &types, at), consts, 1, at);
    let body = captures_first(&merged.widen(&step, &types, at), consts, types.len(), at);
    let operands: Vec<&Array> = merged.captures.iter().chain(&carry.arrays).chain(&held).collect();
    let mut results = apply(While { cond, body, consts }, &operands);
    write_back(cells.iter().zip(lines), &mut results, at);
    fill(init, results)
}

/// As [`while_loop`], of at most `max_steps` steps, and so with a gradient in reverse mode.
///
/// The loop ends after `max_steps` steps even if the condition is still true, so choose more than it needs. Steps that do not run
/// cost next to nothing; the backward pass keeps one carry for each of the `max_steps` steps.
///
/// ```
/// use jarrah_array::{Array, bounded_while_loop, grad};
/// // x doubled until it exceeds 10.
/// let f = |x: &Array| bounded_while_loop(|c: &Array| c.lt(10.0), |c: &Array| c * 2.0, x, 16);
/// assert_eq!(f(&Array::scalar(3.0)).item::<f32>()?, 12.0);
/// assert_eq!(grad(f)(&Array::scalar(3.0)).item::<f32>()?, 4.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn bounded_while_loop<C: Tree<Array>>(
    condition: impl Fn(&C) -> Array,
    body: impl Fn(&C) -> C,
    init: &C,
    max_steps: usize,
) -> C {
    let at = Location::caller();
    let op = "bounded_while_loop";
    let step = |carry: &C, (): &()| {
        let next = || {
            let next = body(carry);
            check_carry(op, &Leaves::of(carry), &Leaves::of(&next), at);
            next
        };
        (cond(&condition(carry), next, || carry.map_leaves(Array::clone)), ())
    };
    scan_from(op, step, init, &(), Some(max_steps), false).0
}

/// The result of `on_true` or `on_false`: `predicate`, one truth value, chooses when the program runs.
///
/// # Errors
///
/// A program error if the predicate is not one truth value, or the results differ in structure or types.
///
/// ```
/// use jarrah_array::{Array, cond};
/// let x = Array::scalar(-2.0);
/// let size = cond(&x.lt(0.0), || -&x, || x.clone());
/// assert_eq!(size.item::<f32>()?, 2.0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[track_caller]
pub fn cond<R: Tree<Array>>(predicate: &Array, on_true: impl Fn() -> R, on_false: impl Fn() -> R) -> R {
    if predicate.ty() != Type::scalar(DType::Bool) {
        let error =
            Error::program(format!("the predicate is {}, it must be one truth value", predicate.ty()));
        fail(
            error
                .op("cond")
                .help("compare scalars, or reduce with all() or any(); where_ chooses for each element")
                .at(Location::caller()),
        );
    }
    let branches: [(&str, &dyn Fn() -> R); 2] = [("on_false", &on_false), ("on_true", &on_true)];
    select("cond", &predicate.astype(DType::I32), &branches)
}

/// The result of branch number `index`, an integer scalar; an index out of range is clamped to the nearest.
///
/// # Errors
///
/// A program error if the index is no integer scalar, there is no branch, or results differ in structure or types.
///
/// ```
/// use jarrah_array::{Array, switch};
/// let x = Array::scalar(3.0);
/// let branch = |i: i32| switch(&Array::scalar(i), &[&|| &x + 1.0, &|| &x * 2.0, &|| -&x]).item::<f32>();
/// assert_eq!((branch(0)?, branch(1)?, branch(7)?), (4.0, 6.0, -3.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn switch<R: Tree<Array>>(index: &Array, branches: &[&dyn Fn() -> R]) -> R {
    let at = Location::caller();
    if index.rank() != 0 || !index.dtype().is_integer() {
        let error = Error::program(format!("the index is {}, it must be one integer", index.ty()));
        fail(error.op("switch").help("compute it as an i32, or convert it with astype").at(at));
    }
    if branches.is_empty() {
        fail(Error::program("there is no branch").op("switch").help("give at least one function").at(at));
    }
    let names: Vec<String> = (0..branches.len()).map(|i| format!("branch {i}")).collect();
    let branches: Vec<(&str, &dyn Fn() -> R)> =
        names.iter().map(String::as_str).zip(branches.iter().copied()).collect();
    let index = lax::wide_index(index, branches.len()).clip(0, branches.len() as i64 - 1).astype(DType::I32);
    select("switch", &index, &branches)
}

/// The result of branch number `index`; errors call the op and its branches by these names.
#[track_caller]
fn select<R: Tree<Array>>(op: &str, index: &Array, branches: &[(&str, &dyn Fn() -> R)]) -> R {
    let at = Location::caller();
    let traced: Vec<TracedFunction<R>> = random::alternatives(branches, |(name, f)| {
        trace_writing(&format!("{name} of {op}"), at, &(), &[], Shadows::Drop, |()| f())
    });
    let leaves: Vec<Leaves> = traced.iter().map(|f| Leaves::of(&f.prototype)).collect();
    for ((name, _), other) in branches.iter().zip(&leaves).skip(1) {
        if let Some(Difference { path, sides: [a, b] }) = leaves[0].difference(other, always) {
            let result = path.below("result");
            let error = Error::program(format!("{result} is {a} in {} and {b} in {name}", branches[0].0));
            fail(error.op(op).at(at).help("return the same structure and types from every branch"));
        }
    }
    // A cell that is written in one branch is a result of every branch.
    let (cells, lines) = written_by(traced.iter().map(|f| &f.traced));
    let held = read_all(&cells);
    let types: Vec<Type> = held.iter().map(Array::ty).collect();
    let branches: Vec<Traced> = traced.iter().map(|f| f.traced.through_cells(&cells, 0, at)).collect();
    let merged = Merged::of(&branches);
    let programs = branches.iter().map(|branch| merged.widen(branch, &types, at).into()).collect();
    let operands: Vec<&Array> = std::iter::once(index).chain(&held).chain(&merged.captures).collect();
    let mut results = apply(Case { branches: programs }, &operands);
    write_back(cells.iter().zip(lines), &mut results, at);
    fill(&traced[0].prototype, results)
}

/// Panics unless a loop's body returns a carry of the structure and types that it receives.
#[track_caller]
fn check_carry(op: &str, carry: &Leaves, returned: &Leaves, at: Location) {
    if let Some(Difference { path, sides: [enters, leaves] }) = carry.difference(returned, always) {
        let place = path.below("carry");
        let error = Error::program(format!("{place} enters the body as {enters} and leaves it as {leaves}"));
        let help =
            "every step takes and returns the same structure and types: convert or broadcast one of them";
        fail_at(at, error.op(op).help(help));
    }
}

/// Panics if the body of a loop draws from a random key and also carries it on unchanged: the next step would use the key again.
fn check_keys(op: &str, body: &Traced, carry: &Leaves) {
    let param = |i: usize| body.program.param_values().nth(i);
    let explicit = body.program.params().len() - body.captures.len();
    for (i, cell) in body.cells.iter().enumerate() {
        let start = explicit + cell.capture;
        let place = body.cells[..i].iter().filter(|cell| cell.written.is_some()).count();
        let end = body.program.results().get(body.own_results() + place).copied();
        let changes = cell.written.is_some() && end != param(start);
        if let Some(&(_, used)) = body.keys.iter().find(|(i, _)| *i == start && !changes) {
            let error = Error::program("a Ref holds a random key that every step of the loop would use");
            fail_at(used, error.op(op).help("split the key: use one part, and write the other to the Ref"))
        }
    }
    let kept = |i: usize| param(i) == body.program.results().get(i).copied();
    let Some(&(i, used)) = body.keys.iter().find(|(i, _)| *i < carry.arrays.len() && kept(*i)) else {
        return;
    };
    let place = carry.structure.paths().swap_remove(i).below("carry");
    let error =
        Error::program(format!("{place} is a random key that a step uses and gives to the next step"));
    fail_at(used, error.op(op).help("split the key: use one part, and carry the other"))
}

/// The captures of several functions, without repetition.
pub(crate) struct Merged {
    pub(crate) captures: Vec<Array>,
}

impl Merged {
    pub(crate) fn of<'a>(functions: impl IntoIterator<Item = &'a Traced>) -> Self {
        let mut known = FxHashSet::default();
        let all = functions.into_iter().flat_map(|f| &f.captures);
        Merged { captures: all.filter(|array| known.insert(array.identity())).cloned().collect() }
    }

    /// The function's program over parameters of these types, then all captures.
    #[track_caller]
    pub(crate) fn widen(&self, function: &Traced, types: &[Type], at: Location) -> Program {
        let mut b = Builder::new(function.program.name());
        let mut args: Vec<Value> = Vec::new();
        for (i, &ty) in types.iter().enumerate() {
            args.push(b.param(ty, function.program.params()[i].path.path()));
        }
        let all: Vec<Value> = self.captures.iter().map(|a| b.param(a.ty(), "")).collect();
        args.extend(values_of(&function.captures, &self.captures, &all));
        or_fail(at, b.inline(&function.program, &args).and_then(|results| b.finish(&results)))
    }
}

/// `program` with its last `captures` parameters moved to the front, as loops take constants first, and with only its first
/// `results`.
#[track_caller]
pub(crate) fn captures_first(
    program: &Program,
    captures: usize,
    results: usize,
    at: Location,
) -> Arc<Program> {
    let params = program.params().len();
    let order: Vec<usize> = (params - captures..params).chain(0..params - captures).collect();
    reordered(program, &order, &(0..results).collect::<Vec<_>>(), at)
}

/// `program` with these of its parameters, which are all, and these of its results, in these orders.
#[track_caller]
fn reordered(program: &Program, params: &[usize], results: &[usize], at: Location) -> Arc<Program> {
    let mut b = Builder::new(program.name());
    let mut values: Vec<(usize, Value)> = Vec::with_capacity(params.len());
    for &index in params {
        values.push((index, b.param_at(program.params()[index])));
    }
    values.sort_unstable_by_key(|(index, _)| *index);
    let args: Vec<Value> = values.into_iter().map(|(_, value)| value).collect();
    let reordered = b.inline(program, &args).and_then(|all| {
        let wanted: Vec<Value> = results.iter().map(|&index| all[index]).collect();
        b.finish(&wanted)
    });
    Arc::new(or_fail(at, reordered))
}
