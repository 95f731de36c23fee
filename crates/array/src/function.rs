//! Functions of trees as programs: tracing a function, and calling a program on the leaves of a tree.

use jarrah_base::{Error, Location, Result, Type, work};
use jarrah_hlo::ops::Call;
use jarrah_hlo::{ProgramRef, Value};
use jarrah_tree::{Difference, Path, Structure, Tree, TreeExt};
use rustc_hash::FxHashMap;

use crate::array::Array;
use crate::error::{fail_at, with_context};
use crate::mutable::written;
use crate::random;
pub(crate) use crate::trace::Shadows;
use crate::trace::{Parameter, Traced, apply_at, trace};

/// A function of a tree of arrays: a closure of a reference to one, or a compiled function, [`crate::Jit`].
///
/// Transformations take and give these, so that they can be applied to each other in any order.
///
/// ```
/// use jarrah_array::{Array, grad, jit, vmap};
/// let f = |x: &Array| x.sin();
/// let slopes = jit(vmap(grad(jit(f)))).call(Array::zeros(&[2]))?;
/// assert_eq!(slopes.to_vec::<f32>()?, [1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no function of `&{A}`",
    label = "no function of a reference to one tree of arrays",
    note = "transformations take a closure with one argument whose type is written: `|x: &Array| ...`, \
            `|(x, y): &(Array, Array)| ...`"
)]
pub trait Function<A> {
    /// The type of the function's result.
    type Output;

    /// The value of the function at `args`. An error of the machine is a panic at the user's line, or is returned by
    /// [`crate::try_trace`].
    #[track_caller]
    fn apply(&self, args: &A) -> Self::Output;
}

impl<A, R, F: Fn(&A) -> R> Function<A> for F {
    type Output = R;

    fn apply(&self, args: &A) -> R {
        self(args)
    }
}

/// A flattened tree.
pub(crate) struct Leaves {
    pub(crate) arrays: Vec<Array>,
    pub(crate) structure: Structure,
}

impl Leaves {
    pub(crate) fn of<T: Tree<Array>>(tree: &T) -> Self {
        let (leaves, structure) = tree.flatten();
        Leaves { arrays: owned(leaves), structure }
    }

    /// The parameters of a program on leaves of the given types.
    fn parameters(&self, types: &[Type], shadows: Shadows) -> Vec<Parameter> {
        let parameter = |((array, path), &ty): ((&Array, Path), &Type)| Parameter {
            ty,
            path: path.to_string(),
            shadow: if shadows == Shadows::Keep { array.concrete().cloned() } else { None },
        };
        self.with_paths().zip(types).map(parameter).collect()
    }

    /// Marks random keys as used: those of these arrays that the traced function `traced` of them uses as keys.
    fn consume_keys(&self, traced: &Traced) {
        for &(i, used) in &traced.keys {
            if let Some(words) = self.arrays.get(i) {
                random::consume_at(words, used);
            }
        }
    }

    /// These leaves without data: abstract arrays of equal types.
    pub(crate) fn abstracted(self) -> Leaves {
        let arrays = self.arrays.iter().map(|array| Array::abstracted(array.ty())).collect();
        Leaves { arrays, ..self }
    }

    pub(crate) fn types(&self) -> Vec<Type> {
        self.arrays.iter().map(Array::ty).collect()
    }

    /// The arrays with their paths.
    pub(crate) fn with_paths(&self) -> impl Iterator<Item = (&Array, Path)> {
        self.arrays.iter().zip(self.structure.paths())
    }

    /// The first path at which the other tree has another structure, or an array of another type; types are compared only where
    /// `matter` holds for the type of this tree's array.
    pub(crate) fn difference(&self, other: &Leaves, matter: impl Fn(Type) -> bool) -> Option<Difference> {
        let differ = |a: Type, b: Type| (matter(a) && a != b).then(|| [a, b].map(|ty| ty.to_string()));
        let pairs = self.arrays.iter().zip(&other.arrays);
        self.structure.difference_of(&other.structure, pairs.map(|(a, b)| differ(a.ty(), b.ty())))
    }
}

/// For [`Leaves::difference`]: compares the types of all arrays.
pub(crate) fn always(_: Type) -> bool {
    true
}

/// For [`Leaves::difference`]: compares differentiable arrays only, as other arrays' tangents and cotangents are
/// ignored.
pub(crate) fn differentiable(ty: Type) -> bool {
    ty.dtype().is_differentiable()
}

/// Arrays of their own.
pub(crate) fn owned(leaves: Vec<&Array>) -> Vec<Array> {
    leaves.into_iter().cloned().collect()
}

/// A traced function: its program, and the tree that it returns.
pub(crate) struct TracedFunction<R> {
    pub(crate) traced: Traced,
    /// The tree that the function returned, with abstract arrays.
    pub(crate) prototype: R,
}

/// Traces `f` at the line `at`, on a tree with the structure of `args` and leaves of the given types. It may not write cells
/// from outside.
#[track_caller]
pub(crate) fn trace_function<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    at: Location,
    args: &A,
    types: &[Type],
    shadows: Shadows,
    f: impl FnOnce(&A) -> R,
) -> TracedFunction<R> {
    let function = trace_writing(name, at, args, types, shadows, f);
    refuse_writes(name, at, &function.traced);
    function
}

/// Fails where a function wrote a cell from outside.
#[track_caller]
fn refuse_writes(name: &str, at: Location, traced: &Traced) {
    if let Some(used) = written(&traced.cells).next() {
        let error = Error::program(format!("{name} writes a Ref from outside of it")).op(name);
        let error = match used.written {
            Some(line) => error.label(line, "it is written"),
            None => error,
        };
        fail_at(at, with_context(error.help("return the value from the function, and write it outside")));
    }
}

/// As [`trace_function`], for a caller that takes care of the cells that `f` writes.
#[track_caller]
pub(crate) fn trace_writing<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    at: Location,
    args: &A,
    types: &[Type],
    shadows: Shadows,
    f: impl FnOnce(&A) -> R,
) -> TracedFunction<R> {
    let leaves = Leaves::of(args);
    let (traced, prototype) = trace(name, at, leaves.parameters(types, shadows), shadows, |tracers| {
        let args = args.with_leaves(tracers).expect("invariant: one tracer per leaf");
        let results = f(&args);
        (owned(results.leaves()), abstracted(&results))
    });
    leaves.consume_keys(&traced);
    TracedFunction { traced, prototype }
}

/// The values of the arrays `wanted`, each of which is in `captures`; `all` has the value of each capture.
pub(crate) fn values_of(wanted: &[Array], captures: &[Array], all: &[Value]) -> Vec<Value> {
    work::step(wanted.len() + captures.len());
    let mut values = FxHashMap::default();
    for (array, &value) in captures.iter().zip(all) {
        values.entry(array.identity()).or_insert(value);
    }
    wanted.iter().map(|array| values[&array.identity()]).collect()
}

/// Calls a program at the line `at`: as one instruction of the innermost trace, or on concrete arrays.
#[track_caller]
pub(crate) fn call(
    at: Location,
    program: impl Into<ProgramRef>,
    args: &[Array],
    captures: &[Array],
) -> Vec<Array> {
    let operands: Vec<&Array> = args.iter().chain(captures).collect();
    apply_at(at, Call { callee: program.into() }, &operands)
}

/// The result of a transformation; a program error ends the computation at the line `at`.
#[track_caller]
pub(crate) fn or_fail<T>(at: Location, result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail_at(at, with_context(error)),
    }
}

/// The tree without data.
pub(crate) fn abstracted<T: Tree<Array>>(tree: &T) -> T {
    tree.map_leaves(|leaf| Array::abstracted(leaf.ty()))
}

/// The tree of `prototype` with these leaves.
pub(crate) fn fill<R: Tree<Array>>(prototype: &R, leaves: impl IntoIterator<Item = Array>) -> R {
    prototype.with_leaves(leaves).expect("invariant: a program has a result for each leaf")
}
