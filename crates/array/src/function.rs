//! Functions of trees as programs: tracing one, and applying a program to the leaves of one.

use jarrah_base::{Location, Result, Type};
use jarrah_hlo::Program;
use jarrah_hlo::ops::Call;
use jarrah_tree::{Difference, Path, Structure, Tree, TreeExt};

use crate::array::Array;
use crate::error::{fail_at, with_context};
use crate::trace::{Parameter, Traced, apply_at, trace};

/// A tree taken apart.
pub(crate) struct Leaves {
    pub(crate) arrays: Vec<Array>,
    pub(crate) structure: Structure,
}

impl Leaves {
    pub(crate) fn of<T: Tree<Array>>(tree: &T) -> Self {
        let (leaves, structure) = tree.flatten();
        Leaves { arrays: leaves.into_iter().cloned().collect(), structure }
    }

    pub(crate) fn types(&self) -> Vec<Type> {
        self.arrays.iter().map(Array::ty).collect()
    }

    /// The arrays with their paths.
    pub(crate) fn with_paths(&self) -> impl Iterator<Item = (&Array, Path)> {
        self.arrays.iter().zip(self.structure.paths())
    }

    /// The first place where the other tree has another structure or an array of another type; where it need not
    /// `matter` for an array of this tree, types may differ.
    pub(crate) fn difference(&self, other: &Leaves, matter: impl Fn(Type) -> bool) -> Option<Difference> {
        let differ = |a: Type, b: Type| (matter(a) && a != b).then(|| [a, b].map(|ty| ty.to_string()));
        let pairs = self.arrays.iter().zip(&other.arrays);
        self.structure.difference_of(&other.structure, pairs.map(|(a, b)| differ(a.ty(), b.ty())))
    }
}

/// For [`Leaves::difference`]: the types of all arrays matter.
pub(crate) fn always(_: Type) -> bool {
    true
}

/// For [`Leaves::difference`]: tangents and cotangents of other arrays are ignored.
pub(crate) fn differentiable(ty: Type) -> bool {
    ty.dtype().is_differentiable()
}

/// A traced function: its program, and the shape of the tree it returns.
pub(crate) struct Function<R> {
    pub(crate) traced: Traced,
    /// What the function returned, around abstract arrays.
    pub(crate) prototype: R,
}

/// Whether the tracers of a function carry concrete values.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Shadows {
    /// They do, where the arguments have some.
    Keep,
    /// They do not: the program will run on other values.
    Drop,
}

/// Traces `f` for the line `at` on a tree of the same structure as `args`, with leaves of the given types.
#[track_caller]
pub(crate) fn trace_function<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    at: Location,
    args: &A,
    types: &[Type],
    shadows: Shadows,
    f: impl FnOnce(&A) -> R,
) -> Function<R> {
    let leaves = Leaves::of(args);
    let parameters = leaves.with_paths().zip(types).map(|((array, path), &ty)| Parameter {
        ty,
        path: path.to_string(),
        shadow: if shadows == Shadows::Keep { array.concrete().cloned() } else { None },
    });
    let (traced, prototype) = trace(name, at, parameters.collect(), |tracers| {
        let args = args.with_leaves(tracers).expect("invariant: one tracer per leaf");
        let results = f(&args);
        let leaves = results.leaves().into_iter().cloned().collect();
        (leaves, results.map_leaves(|leaf| Array::abstracted(leaf.ty())))
    });
    Function { traced, prototype }
}

/// Runs a program for the line `at` as one instruction of the innermost trace, or on concrete arrays.
#[track_caller]
pub(crate) fn call(at: Location, program: Program, args: &[Array], captures: &[Array]) -> Vec<Array> {
    let operands: Vec<&Array> = args.iter().chain(captures).collect();
    apply_at(at, Call { callee: program.into() }, &operands)
}

/// A transformed program, or the program error that there is none.
#[track_caller]
pub(crate) fn or_fail<T>(at: Location, result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => fail_at(at, with_context(error)),
    }
}

/// The tree `prototype` around these leaves.
pub(crate) fn fill<R: Tree<Array>>(prototype: &R, leaves: impl IntoIterator<Item = Array>) -> R {
    prototype.with_leaves(leaves).expect("invariant: a program has a result for each leaf")
}
