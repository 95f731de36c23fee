//! Functions of trees as programs: tracing one, and applying a program to the leaves of one.

use jarrah_base::{Result, Type};
use jarrah_hlo::Program;
use jarrah_hlo::ops::Call;
use jarrah_tree::{Path, Tree, TreeExt};

use crate::array::Array;
use crate::error::fail;
use crate::trace::{Parameter, Traced, apply, trace};

/// The leaves of a tree with their paths.
pub(crate) struct Leaves {
    pub(crate) arrays: Vec<Array>,
    pub(crate) paths: Vec<Path>,
}

impl Leaves {
    pub(crate) fn of<T: Tree<Array>>(tree: &T) -> Self {
        let mut leaves = Leaves { arrays: Vec::new(), paths: Vec::new() };
        tree.visit(&mut Path::default(), &mut |path, leaf: &Array| {
            leaves.arrays.push(leaf.clone());
            leaves.paths.push(path.clone());
        });
        leaves
    }

    pub(crate) fn types(&self) -> Vec<Type> {
        self.arrays.iter().map(Array::ty).collect()
    }
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

/// Traces `f` on a tree of the same structure as `args`, with leaves of the given types.
#[track_caller]
pub(crate) fn trace_function<A: Tree<Array>, R: Tree<Array>>(
    name: &str,
    args: &A,
    types: &[Type],
    shadows: Shadows,
    f: impl FnOnce(&A) -> R,
) -> Function<R> {
    let leaves = Leaves::of(args);
    let parameters =
        leaves.arrays.iter().zip(&leaves.paths).zip(types).map(|((array, path), &ty)| Parameter {
            ty,
            path: path.to_string(),
            shadow: if shadows == Shadows::Keep { array.concrete().cloned() } else { None },
        });
    let (traced, prototype) = trace(name, parameters.collect(), |tracers| {
        let args = args.with_leaves(tracers).expect("invariant: one tracer per leaf");
        let results = f(&args);
        let leaves = results.leaves().into_iter().cloned().collect();
        (leaves, results.map_leaves(|leaf| Array::abstracted(leaf.ty())))
    });
    Function { traced, prototype }
}

/// Runs a program as one instruction of the innermost trace, or on concrete arrays.
#[track_caller]
pub(crate) fn call(program: Program, args: &[Array], captures: &[Array]) -> Vec<Array> {
    let operands: Vec<&Array> = args.iter().chain(captures).collect();
    apply(Call { callee: program.into() }, &operands)
}

/// A transformed program, or the program error that there is none.
#[track_caller]
pub(crate) fn or_fail<T>(result: Result<T>) -> T {
    result.unwrap_or_else(|error| fail(crate::error::with_context(error)))
}

/// The tree `prototype` around these leaves.
pub(crate) fn fill<R: Tree<Array>>(prototype: &R, leaves: impl IntoIterator<Item = Array>) -> R {
    prototype.with_leaves(leaves).expect("invariant: a program has a result for each leaf")
}
