//! A function with some arguments bound to it, as a tree whose leaves are the bound arrays.

use std::fmt;

use jarrah_base::Result;
use jarrah_tree::{Changer, Node, Part, Path, PathKey, Static, Tree, Visitor};

use crate::array::Array;
use crate::function::Function;

/// A function with its first argument bound: `f(bound, argument)`. The bound arrays are its leaves, so it can be an argument, a
/// result or a carry of any transformation; its gradient is that of the bound arrays.
///
/// The function captures nothing, so two of these are of the same structure exactly if they have the same function.
///
/// ```
/// use jarrah_array::{Array, Partial, grad, jit};
/// let line = Partial::new(|(a, b): &(Array, Array), x: &Array| a * x + b, (Array::scalar(2.0), Array::scalar(1.0)));
/// let x = Array::scalar(3.0);
/// assert_eq!(line.call(&x).item::<f32>()?, 7.0);
/// // As a function, under any transformation ...
/// assert_eq!(jit(grad(&line)).call(x.clone())?.item::<f32>()?, 2.0);
/// // ... and as a tree.
/// let slope = grad(|line: &Partial<(Array, Array), Array, Array>| line.call(&x))(&line);
/// assert_eq!(slope.bound.0.item::<f32>()?, 3.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
pub struct Partial<B, A, R> {
    f: fn(&B, &A) -> R,
    /// The first argument.
    pub bound: B,
}

/// The identity of the function in the structure of a tree: the address of its code.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Code(usize);

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the function at {:#x}", self.0)
    }
}

impl<B, A, R> Partial<B, A, R> {
    /// `f` with `bound` as its first argument.
    pub fn new(f: fn(&B, &A) -> R, bound: B) -> Self {
        Partial { f, bound }
    }

    /// The value at an argument.
    #[track_caller]
    pub fn call(&self, argument: &A) -> R {
        (self.f)(&self.bound, argument)
    }
}

impl<B: Clone, A, R> Clone for Partial<B, A, R> {
    fn clone(&self) -> Self {
        Partial { f: self.f, bound: self.bound.clone() }
    }
}

impl<B: fmt::Debug, A, R> fmt::Debug for Partial<B, A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Partial").field("bound", &self.bound).finish_non_exhaustive()
    }
}

impl<B: Tree<Array>, A, R> Tree<Array> for Partial<B, A, R> {
    fn visit<'a>(&'a self, path: &mut Path, f: &mut Visitor<'_, 'a, Array>) {
        f(path, Part::Node(Node::Named("Partial")));
        path.enter(PathKey::Field("f"), |path| f(path, Part::Static(Static::new(&Code(self.f as usize)))));
        path.enter(PathKey::Field("bound"), |path| self.bound.visit(path, f));
    }

    fn try_map(&self, path: &mut Path, f: &mut dyn FnMut(&Path, &Array) -> Result<Array>) -> Result<Self> {
        let bound = path.enter(PathKey::Field("bound"), |path| self.bound.try_map(path, f))?;
        Ok(Partial { f: self.f, bound })
    }

    fn visit_mut(&mut self, path: &mut Path, f: &mut Changer<'_>)
    where
        Self: 'static,
    {
        path.enter(PathKey::Field("bound"), |path| self.bound.visit_mut(path, f));
        f(path, self);
    }
}

impl<B, A, R> Function<A> for Partial<B, A, R> {
    type Output = R;

    #[track_caller]
    fn apply(&self, args: &A) -> R {
        self.call(args)
    }
}

impl<B, A, R> Function<A> for &Partial<B, A, R> {
    type Output = R;

    #[track_caller]
    fn apply(&self, args: &A) -> R {
        self.call(args)
    }
}
