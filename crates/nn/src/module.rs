//! The [`Module`] trait, and [`Layer`], which holds a module of any type.

use std::fmt::Debug;

use jarrah_array::{Array, Tree};

use crate::Context;
use crate::object::object;

/// A function of one array with variables: a layer.
///
/// A module that calls other modules holds them as plain fields, of their own types or as [`Layer`]s, which may be any module.
///
/// ```
/// use jarrah_array::{Array, Tree, random::Key};
/// use jarrah_nn::{Context, Layer, Linear, Module, RmsNorm, gelu};
/// #[derive(Clone, Debug, Tree)]
/// struct Block {
///     norm: Layer,
///     up: Linear,
///     down: Linear,
/// }
/// impl Module for Block {
///     fn call(&self, x: &Array, cx: &mut Context) -> Array {
///         let y = cx.call("norm", &self.norm, x);
///         let y = gelu(&cx.call("up", &self.up, &y));
///         x + cx.call("down", &self.down, &y)
///     }
/// }
/// let (a, b) = Key::new(0).pair();
/// let block = Block { norm: RmsNorm::new(4, 1e-6).into(), up: Linear::new(&a, 4, 8), down: Linear::new(&b, 8, 4) };
/// assert_eq!(block.call(&Array::ones(&[2, 4]), &mut Context::eval()).shape(), [2, 4]);
/// ```
pub trait Module: Tree<Array> + Clone + Debug + Send + Sync + 'static {
    /// The result for `x` in the pass `cx`.
    fn call(&self, x: &Array, cx: &mut Context) -> Array;

    /// The result for `x` outside of training and without state: [`call`](Self::call) in a pass of [`Context::eval`].
    #[track_caller]
    fn forward(&self, x: &Array) -> Array {
        self.call(x, &mut Context::eval())
    }
}

object! {
    /// A [`Module`] of any type, for places of a model that accept every module; assigning another module replaces it.
    ///
    /// It is transparent in the tree: the paths are those of the module that it holds.
    pub struct Layer holds Module by modules {
        /// The result for `x` in the pass `cx`.
        fn call(&self, x: &Array, cx: &mut Context) -> Array;
        /// The result for `x`, as [`Module::forward`] gives it.
        fn forward(&self, x: &Array) -> Array;
    }
}

/// Anything that can be called as a module: a [`Module`] or a [`Layer`].
pub trait Callable {
    #[doc(hidden)]
    fn run(&self, x: &Array, cx: &mut Context) -> Array;
}

impl<M: Module> Callable for M {
    #[track_caller]
    fn run(&self, x: &Array, cx: &mut Context) -> Array {
        self.call(x, cx)
    }
}

impl Callable for Layer {
    #[track_caller]
    fn run(&self, x: &Array, cx: &mut Context) -> Array {
        self.call(x, cx)
    }
}

impl<M: Module> From<M> for Layer {
    fn from(module: M) -> Self {
        Layer::new(module)
    }
}

/// Modules one after another.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Activation, Context, Linear, Module, Sequential};
/// let model = Sequential::new().and(Linear::new(&Key::new(0), 3, 8)).and(Activation::RELU);
/// assert_eq!(model.call(&Array::ones(&[2, 3]), &mut Context::eval()).shape(), [2, 8]);
/// ```
#[derive(Clone, Debug, Default, Tree)]
pub struct Sequential {
    /// The modules, in order.
    pub layers: Vec<Layer>,
}

impl Sequential {
    /// A sequence without modules, which returns its argument.
    pub fn new() -> Self {
        Sequential::default()
    }

    /// This sequence with one more module at the end.
    #[must_use]
    pub fn and(mut self, module: impl Into<Layer>) -> Self {
        self.layers.push(module.into());
        self
    }
}

impl Module for Sequential {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let mut x = x.clone();
        for (i, layer) in self.layers.iter().enumerate() {
            x = cx.call(&format!("layers.{i}"), layer, &x);
        }
        x
    }
}
