//! Weights of models that JAX programs trained: trees of arrays, as Orbax or `flax.serialization` saves them.
//!
//! A tree is read as the folder of Hugging Face with the same content would be: a layout says which leaf, and which part of it, each tensor of such a folder
//! is. [`maxtext`] has the layouts of MaxText, which [`save`] writes too, and [`flax`] those of models in Flax NNX; both are tables of [`row`]s. [`tree`] has the
//! leaves by name, [`form`] their axes, [`change`] the arithmetic between numbers. [`matched`] searches for the leaves, with the errors where they are others, and
//! [`tensors`] reads them.

mod change;
mod flax;
mod form;
mod matched;
mod maxtext;
mod row;
mod save;
mod tensors;
mod tree;

pub use save::MaxTextTree;
pub use tree::JaxWeights;
