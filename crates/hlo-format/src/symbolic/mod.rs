//! Modules with symbolic extents, as `jax.export` has them, made from modules with numbers.
//!
//! Programs know no symbols: every extent is a number. A module with symbols is the generalisation of modules that one
//! function was traced to at several sizes. They must agree in everything but integers; each integer that differs has to
//! be a polynomial of the sizes, found from some of the sizes and checked at the others. Ops whose extents are
//! polynomials take their dynamic form, with extents computed from those of the arguments.
//!
//! `jarrah_array::export` traces a function at several sizes: ordinary, small and large ones. An integer that differs (an extent,
//! a bound of a slice, the length of a loop) has to be a polynomial of the sizes with rational coefficients and integral values;
//! it is found from as many sizes as there are monomials, by a linear system modulo a prime, and checked at three more. A float
//! may be `p`, `1/p`, `sqrt(p)`, `1/sqrt(p)` or `ln(p)` of such a polynomial, which covers means. `@main` begins with the sizes,
//! taken by `get_dimension_size` from its arguments, the assertions that the other extents fit, and all extents that ops use.
//! Anything else is an error at the user's line: an op that is there at some sizes only, or a number that is no polynomial. The
//! compiler's pass `portable` runs first: calls are inlined, and `scan`, `attention`, `kernel` and `threefry2x32` become ops of
//! StableHLO. Derivatives are made from the same traces, so an artifact has those that were asked for.

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
pub use scope::SymbolicScope;
