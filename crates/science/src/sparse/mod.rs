//! Sparse arrays: the elements that are not zero, with their positions.
//!
//! [`Bcoo`] and [`Bcsr`] are trees, so [`jarrah_array::jit`], [`jarrah_array::grad`] and [`jarrah_array::vmap`] take and return them. [`jarrah_array::grad`] has
//! zeros for the positions, which are integers; [`grad`] keeps them.
//!
//! ```
//! use jarrah_array::Array;
//! use jarrah_science::sparse::{self, Bcoo};
//! let dense = Array::new(&[0.0f32, 2.0, 0.0, 3.0, 0.0, 0.0], &[2, 3]);
//! let sparse = Bcoo::from_dense(&dense, 2);
//! let x = Array::from_slice(&[1.0f32, 10.0, 100.0]);
//! assert_eq!(sparse.matmul(&x).to_vec::<f32>()?, [20.0, 3.0]);
//! let slope = sparse::grad(|m: &Bcoo| m.matmul(&x).sum(..))(&sparse);
//! assert_eq!(slope.to_dense().to_vec::<f32>()?, [0.0, 10.0, 0.0, 1.0, 0.0, 0.0]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

mod arithmetic;
mod coordinates;
mod gradient;
mod layout;
mod lu;
mod products;
mod rows;
mod solve;
mod sparsify;

pub use coordinates::Bcoo;
pub use gradient::{grad, value_and_grad};
pub use products::sampled_matmul;
pub use rows::Bcsr;
pub use sparsify::{MaybeSparse, sparsify};
