//! Modules with symbolic extents, as `jax.export` has them, made from modules with numbers.
//!
//! Programs know no symbols: every extent is a number. A module with symbols is the generalisation of modules that one
//! function was traced to at several sizes. They must agree in everything but integers; each integer that differs has to
//! be a polynomial of the sizes, found from some of the sizes and checked at the others. Ops whose extents are
//! polynomials take their dynamic form, with extents computed from those of the arguments.

mod constants;
mod fit;
mod generalize;
mod main;
mod ops;
mod parse;
mod polynomial;
mod scope;

pub use fit::Sizes;
pub use generalize::{Generalized, generalize};
pub use polynomial::Polynomial;
pub use scope::Scope;
