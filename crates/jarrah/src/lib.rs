//! Array programs with composable transformations, neural networks, and what it takes to train and use them.
//!
//! Nothing is defined here: each module is a crate of its own, and [`mod@array`] two.
//!
//! ```
//! use jarrah::array::{Array, jit, value_and_grad};
//! let loss = |w: &Array| (w * w).sum(..);
//! let step = jit(move |w: &Array| {
//!     let (value, slope) = value_and_grad(loss)(w);
//!     (w - slope * 0.1, value)
//! });
//! let (w, value) = step.call(Array::from_slice(&[1.0f32, 2.0]))?;
//! assert_eq!((value.item::<f32>()?, w.to_vec::<f32>()?), (5.0, vec![0.8, 1.6]));
//! # Ok::<(), jarrah::Error>(())
//! ```
//!
//! The program that a function is, as StableHLO text:
//!
//! ```
//! use jarrah::array::{Array, make_program};
//! let program = make_program(|x: &Array| x.sin(), &Array::zeros(&[3]));
//! let text = jarrah::stablehlo::print(&program);
//! assert!(text.contains("stablehlo.sine"), "{text}");
//! ```

#[cfg(doctest)]
mod book;

pub use jarrah_array::export;
pub use jarrah_base::{Error, ErrorKind, Result};
pub use jarrah_checkpoint as checkpoint;
pub use jarrah_cpu as cpu;
pub use jarrah_data as data;
pub use jarrah_formats as formats;
pub use jarrah_hlo as hlo;
pub use jarrah_hlo_format as stablehlo;
pub use jarrah_http as http;
pub use jarrah_kernels as kernels;
pub use jarrah_models as models;
pub use jarrah_nn as nn;
pub use jarrah_openai as openai;
pub use jarrah_optim as optim;
pub use jarrah_pjrt as pjrt;
pub use jarrah_quant as quant;
pub use jarrah_run as run;
pub use jarrah_runtime as runtime;
pub use jarrah_serve as serve;
pub use jarrah_tokenizer as tokenizer;
pub use jarrah_train as train;
pub use jarrah_tree as tree;

/// Arrays, their transformations, and functions of scientific computing.
///
/// ```
/// use jarrah::array::signal::{self, Mode};
/// use jarrah::array::{Array, cluster, image, interpolate, ode, optimize, rotation, sparse, special, stats};
/// let (x, y) = (Array::from_slice(&[1.0f32, 2.0, 3.0]), Array::from_slice(&[1.0f32, 10.0]));
/// let (of_vectors, of_signals) = (x.convolve(&y, Mode::Full), signal::convolve(&x, &y, Mode::Full));
/// assert_eq!(of_vectors.to_vec::<f32>()?, of_signals.to_vec::<f32>()?);
/// # Ok::<(), jarrah::Error>(())
/// ```
pub mod array {
    pub use jarrah_array::*;
    pub use jarrah_science::*;
    // Both crates have a module of this name: `jarrah-science`'s has all of the other's that users need.
    pub use jarrah_science::signal;
}

/// The names that most programs use: `use jarrah::prelude::*;`.
///
/// ```
/// use jarrah::nn::Linear;
/// use jarrah::prelude::*;
/// let model = Linear::new(&Key::new(0), 3, 2);
/// let loss = |model: &Linear, x: &Array| model.call(x, &mut Context::eval()).square().mean(..);
/// let step = jit(move |(model, x): &(Linear, Array)| {
///     let slope = grad(|model: &Linear| loss(model, x))(model);
///     apply_updates(model, &slope.map_leaves(|g: &Array| g * -0.1))
/// });
/// let x = array![[1.0, 2.0, 3.0]];
/// assert_eq!(step.call((model, x))?.weight.shape(), [3, 2]);
/// # Ok::<(), jarrah::Error>(())
/// ```
pub mod prelude {
    pub use jarrah_array::random::Key;
    pub use jarrah_array::{
        Array, DType, JitFn, Tree, TreeExt, array, concatenate, grad, jit, scan, stack, value_and_grad, vmap,
        where_,
    };
    pub use jarrah_base::{Error, Result};
    pub use jarrah_nn::{Context, Layer, Module};
    pub use jarrah_optim::{GradientTransformation, apply_updates, chain};
}

/// The README's program is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
