//! Derivatives as matrices and as linear functions.

use jarrah_base::{Error, Location};
use jarrah_transforms::ResidualPolicy;
use jarrah_tree::{Tree, TreeExt};

use crate::array::Array;
use crate::autodiff::{grad, jvp, vjp};
use crate::error::fail_at;
use crate::function::{
    Function, Leaves, Shadows, TracedFunction, abstracted, call, fill, or_fail, trace_function,
};
use crate::numpy::concatenate;
use crate::vmap::vmap;

/// The Jacobian of `f` by forward mode, a column at a time: for each array of the argument the derivatives of the result by its
/// elements, `J[i.., j..] = dy[i..] / dx[j..]`.
///
/// Runs as many forward passes as the argument has elements, all at once; [`jacrev`] runs one for each element of the result.
///
/// ```
/// use jarrah_array::{Array, jacfwd};
/// let j = jacfwd(|x: &Array| x * x)(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(j.to_vec::<f32>()?, [2.0, 0.0, 0.0, 6.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn jacfwd<P: Tree<Array>>(f: impl Function<P, Output = Array>) -> impl Fn(&P) -> P {
    let made = Location::caller();
    move |x| {
        let leaves = floats(x, "jacfwd", made);
        let sizes: Vec<usize> = leaves.iter().map(Array::size).collect();
        let total: usize = sizes.iter().sum();
        // Each direction is a unit vector: 1 in one element of one array, 0 in all others.
        let mut directions = Vec::with_capacity(leaves.len());
        let mut start = 0;
        for (leaf, size) in leaves.iter().zip(&sizes) {
            let basis = Array::eye_in(total, *size, -(start as isize), leaf.dtype());
            directions.push(basis.reshaped(&[&[total], &leaf.shape()[..]].concat()));
            start += size;
        }
        let columns = vmap(|direction: &P| jvp(|x: &P| f.apply(x), x, direction).1)(&fill(x, directions));
        let out = columns.shape()[1..].to_vec();
        let columns = columns.moveaxis(0, -1);
        let mut jacobians = Vec::with_capacity(leaves.len());
        let mut start = 0;
        for (leaf, size) in leaves.iter().zip(&sizes) {
            let block = columns.slice(-1, start..start + size);
            jacobians.push(block.reshaped(&[&out[..], &leaf.shape()[..]].concat()));
            start += size;
        }
        fill(x, jacobians)
    }
}

/// The Jacobian of `f` by reverse mode, a row at a time: see [`jacfwd`].
///
/// ```
/// use jarrah_array::{Array, jacrev};
/// let j = jacrev(|x: &Array| x.cumsum(0))(&Array::from_slice(&[1.0f32, 3.0]));
/// assert_eq!(j.to_vec::<f32>()?, [1.0, 0.0, 1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn jacrev<P: Tree<Array>>(f: impl Function<P, Output = Array>) -> impl Fn(&P) -> P {
    let made = Location::caller();
    move |x| {
        floats(x, "jacrev", made);
        let (y, pull) = vjp(|x: &P| f.apply(x), x);
        let (size, out) = (y.size(), y.shape().to_vec());
        let basis = Array::eye_in(size, size, 0, y.dtype()).reshaped(&[&[size], &out[..]].concat());
        let rows = vmap(|ct: &Array| pull(ct))(&basis);
        rows.map_leaves(|row| row.reshaped(&[&out[..], &row.shape()[1..]].concat()))
    }
}

/// The second derivatives of `f`, which returns one float, by the elements of its argument: `H[i.., j..]`. Forward mode over
/// reverse mode.
///
/// ```
/// use jarrah_array::{Array, hessian};
/// let h = hessian(|x: &Array| (x * x * x).sum(..))(&Array::from_slice(&[1.0f32, 2.0]));
/// assert_eq!(h.to_vec::<f32>()?, [6.0, 0.0, 0.0, 12.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn hessian(f: impl Function<Array, Output = Array>) -> impl Fn(&Array) -> Array {
    jacfwd(grad(f))
}

/// The arrays of an argument, all of which have to be differentiable.
fn floats<P: Tree<Array>>(x: &P, op: &str, made: Location) -> Vec<Array> {
    let leaves = Leaves::of(x);
    for (array, path) in leaves.with_paths() {
        if !array.dtype().is_differentiable() {
            let place = path.below("argument");
            let error = Error::program(format!("{place}, {}, has no derivative", array.ty())).op(op);
            fail_at(made, error.help("capture what is no float instead of passing it"));
        }
    }
    leaves.arrays
}

/// The value of `f`, and the linear function that maps a tangent of the argument to that of the value.
///
/// The parts of `f` that the linear function needs are computed now; it can be called many times.
///
/// ```
/// use jarrah_array::{Array, linearize};
/// let (y, push) = linearize(|x: &Array| x.sin(), &Array::scalar(0.0));
/// assert_eq!((y.item::<f32>()?, push(&Array::scalar(3.0)).item::<f32>()?), (0.0, 3.0));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn linearize<P, R, F>(f: F, primals: &P) -> (R, impl Fn(&P) -> R + use<P, R, F>)
where
    P: Tree<Array>,
    R: Tree<Array>,
    F: Function<P, Output = R>,
{
    let at = Location::caller();
    let leaves = Leaves::of(primals);
    let types = leaves.types();
    let TracedFunction { traced, prototype } =
        trace_function("linearize", at, primals, &types, Shadows::Keep, |p: &P| f.apply(p));
    let mut active: Vec<bool> = types.iter().map(|ty| ty.dtype().is_differentiable()).collect();
    active.resize(traced.program.params().len(), false);
    let split =
        or_fail(at, jarrah_transforms::linearize(&traced.program, &active, ResidualPolicy::default()));
    let count = traced.program.results().len();
    let mut results = call(at, split.known, &leaves.arrays, &traced.captures);
    let residuals = results.split_off(count);
    let value = fill(&prototype, results);
    let like = abstracted(primals);
    let push = move |tangents: &P| {
        let (given, expected) = (Leaves::of(tangents), Leaves::of(&like));
        if let Some(error) = crate::autodiff::unlike("tangent", &given, "primal", &expected) {
            fail_at(at, error.op("linearize"));
        }
        let float = given.arrays.into_iter().filter(|x| x.dtype().is_differentiable());
        let args: Vec<Array> = residuals.iter().cloned().chain(float).collect();
        let mut computed = call(at, split.unknown.clone(), &args, &[]).into_iter();
        let pushed = Leaves::of(&prototype).types().into_iter().map(|ty| {
            let computed = if ty.dtype().is_differentiable() { computed.next() } else { None };
            computed.unwrap_or_else(|| Array::zeros_of(ty))
        });
        fill(&prototype, pushed.collect::<Vec<_>>())
    };
    (value, push)
}

/// The transpose of `f`, which is linear: with `f(x) = A x` the function `ct -> A^T ct`. Only the types of `like` matter.
///
/// ```
/// use jarrah_array::{Array, linear_transpose};
/// let spread = linear_transpose(|x: &Array| x.sum(..) * 2.0, &Array::zeros(&[3]));
/// assert_eq!(spread(&Array::scalar(1.0)).to_vec::<f32>()?, [2.0; 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn linear_transpose<P, R, F>(f: F, like: &P) -> impl Fn(&R) -> P + use<P, R, F>
where
    P: Tree<Array>,
    R: Tree<Array>,
    F: Function<P, Output = R>,
{
    let at = Location::caller();
    let leaves = Leaves::of(like);
    floats(like, "linear_transpose", at);
    let types = leaves.types();
    let TracedFunction { traced, prototype } =
        trace_function("linear_transpose", at, like, &types, Shadows::Drop, |p: &P| f.apply(p));
    let linear: Vec<bool> = (0..traced.program.params().len()).map(|i| i < types.len()).collect();
    let help = "the function may only add, scale and move what it is given";
    let programs = jarrah_transforms::linear_transpose(&traced.program, &linear);
    let programs = or_fail(at, programs.map_err(|error| error.help(help)));
    let residuals = call(at, programs.forward, &traced.captures, &[]);
    let like = abstracted(like);
    move |cotangents| {
        let (given, expected) = (Leaves::of(cotangents), Leaves::of(&prototype));
        if let Some(error) = crate::autodiff::unlike("cotangent", &given, "result", &expected) {
            fail_at(at, error.op("linear_transpose"));
        }
        let args: Vec<Array> = residuals.iter().cloned().chain(given.arrays).collect();
        fill(&like, call(at, programs.backward.clone(), &args, &[]))
    }
}

/// The arrays of a tree as one vector, and a function that turns such a vector back into a tree with the original dtypes. The
/// function fails with a program error for a vector of another length.
///
/// ```
/// use jarrah_array::{Array, ravel};
/// let (flat, unravel) = ravel(&(Array::zeros(&[2]), Array::ones(&[2, 2])));
/// assert_eq!(flat.shape(), [6]);
/// assert_eq!(unravel(&flat).1.shape(), [2, 2]);
/// ```
#[track_caller]
pub fn ravel<T: Tree<Array>>(tree: &T) -> (Array, impl Fn(&Array) -> T + use<T>) {
    let made = Location::caller();
    let leaves = Leaves::of(tree);
    let types = leaves.types();
    let mut flat = Vec::with_capacity(types.len());
    for array in &leaves.arrays {
        flat.push(array.ravel());
    }
    let flat = match flat.is_empty() {
        true => Array::zeros(&[0]),
        false => concatenate(&flat.iter().collect::<Vec<_>>(), 0),
    };
    let like = abstracted(tree);
    let size = flat.size();
    let unravel = move |flat: &Array| {
        if flat.shape() != [size] {
            let error =
                Error::program(format!("a vector of {size} elements is needed, this is {}", flat.ty()));
            fail_at(made, error.op("ravel").help("give one element for each element of the tree's arrays"));
        }
        let mut start = 0;
        let parts = Leaves::of(&like).types().into_iter().map(|ty| {
            let part = Array::abstracted(ty);
            let (from, shape) = (start, part.shape());
            start += part.size();
            flat.slice(0, from..start).reshaped(&shape).astype(ty.dtype())
        });
        fill(&like, parts.collect::<Vec<_>>())
    };
    (flat, unravel)
}

/// `f` as a function of its argument and of the arrays that it captures, with those arrays: a custom rule needs them as arguments
/// to give them a derivative.
///
/// `args` gives the structure and types of the argument; the function that is returned takes arguments of these.
///
/// ```
/// use jarrah_array::{Array, closure_convert};
/// let w = Array::scalar(3.0);
/// let (f, captured) = closure_convert(|x: &Array| x * &w, &Array::scalar(0.0));
/// assert_eq!(captured.len(), 1);
/// assert_eq!(f(&Array::scalar(2.0), &[Array::scalar(5.0)]).item::<f32>()?, 10.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn closure_convert<P, R, F>(f: F, args: &P) -> (impl Fn(&P, &[Array]) -> R + use<P, R, F>, Vec<Array>)
where
    P: Tree<Array>,
    R: Tree<Array>,
    F: Function<P, Output = R>,
{
    let at = Location::caller();
    let types = Leaves::of(args).types();
    let TracedFunction { traced, prototype } =
        trace_function("closure_convert", at, args, &types, Shadows::Drop, |p: &P| f.apply(p));
    let captured = traced.captures;
    let program = traced.program;
    let converted = move |args: &P, captured: &[Array]| {
        let leaves = Leaves::of(args).arrays;
        fill(&prototype, call(at, program.clone(), &leaves, captured))
    };
    (converted, captured)
}
