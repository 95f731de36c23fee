//! Functions as artifacts of `jax.export`, which JAX loads and runs, with symbolic shapes.
//!
//! Every extent of a program is a number. A function of symbolic shapes is traced at several sizes; what differs among the
//! programs has to be a polynomial of the sizes, and becomes an expression of them in the artifact. Where the programs differ
//! in more (a Rust loop over a symbolic extent, a rule that takes another way for small arrays), exporting is an error that
//! names the op and its line. Sizes are at least 1; a size of 1 does not broadcast.
//!
//! Decompositions of linear algebra are refused too with symbolic sizes: StableHLO has no ops for them.
//!
//! ```
//! use jarrah_array::export::{deserialize, export, symbolic_args_specs};
//! use jarrah_array::{Array, jit};
//!
//! let f = jit(|(x, w): &(Array, Array)| x.matmul(w).tanh().mean(..));
//! let args = (Array::zeros(&[4, 3]), Array::zeros(&[3, 2]));
//! let exported = export(&f, symbolic_args_specs(&args, &["b, _", "..."], &[])?)?;
//! assert_eq!(exported.in_avals()[0].shape[0].to_string(), "b");
//!
//! let bytes = exported.serialize(1)?; // `jax.export.deserialize(bytes)` reads it, and may differentiate it once
//! let again = deserialize(&bytes)?;
//! let x = (Array::ones(&[7, 3]), Array::zeros(&[3, 2]));
//! assert_eq!(again.call(&x)[0].item::<f32>()?, 0.0);
//! # Ok::<(), jarrah_array::Error>(())
//! ```

mod exported;
mod named;
mod specs;
mod traced;
mod tree;

use std::cell::Cell;

use jarrah_base::{Location, Result};
use jarrah_hlo_format::artifact;
use jarrah_tree::Tree;

use crate::array::Array;
use crate::function::Function;
use crate::function_name::function_name;

pub use exported::{Exported, deserialize};
pub use jarrah_hlo_format::artifact::{Aval, AvalType, Extent, PyTree as ArtifactTree};
pub use jarrah_hlo_format::symbolic::{Polynomial as SymbolicDim, SymbolicScope};
pub use named::{NodeFields, register_namedtuple_serialization, register_pytree_node_serialization};
pub use specs::{ArgSpecs, symbolic_args_specs};

thread_local! {
    /// Whether a function with symbolic sizes is being traced, whose program has to be the same for all sizes.
    static SIZES_VARY: Cell<bool> = const { Cell::new(false) };
}

/// Whether a function with symbolic sizes is being traced, whose program has to be the same for all sizes. A function that has a
/// shorter program for some sizes then has to use the one that is right for all.
pub(crate) fn sizes_vary() -> bool {
    SIZES_VARY.get()
}

/// The oldest calling convention of artifacts that are read.
pub const MINIMUM_CALLING_CONVENTION_VERSION: u16 = artifact::OLDEST_CONVENTION;
/// The newest calling convention that can be read, which is also the one that is written.
pub const MAXIMUM_CALLING_CONVENTION_VERSION: u16 = artifact::NEWEST_CONVENTION;
/// The platform that a function is exported for, unless [`Exported::for_platforms`] names others. The module contains nothing
/// that depends on the platform.
pub const DEFAULT_EXPORT_PLATFORM: &str = "cpu";

/// Exports `f` for arguments like `args`, whose values do not matter: a tree of arrays, or what [`symbolic_args_specs`] makes of one.
///
/// JAX calls the function with the elements of a tuple as positional arguments; any other tree is the one argument. A tuple is
/// a tuple there, a vector or an array a list, a map a dict, `None` None, and a struct a dict of its fields by name, or a type of its own
/// where [`register_namedtuple_serialization`] says so; a tuple struct or variant is a tuple. Captured arrays become constants.
///
/// # Errors
/// The function is not the same at all sizes, uses an op that StableHLO lacks, or calls a function of this process; a
/// captured array could not be computed.
///
/// ```
/// use jarrah_array::{Array, export::export};
/// let exported = export(&|x: &Array| x * 2.0, &Array::zeros(&[3]))?;
/// assert!(exported.mlir_module()?.contains("stablehlo.multiply"));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn export<'a, A, R, F>(f: &F, args: impl Into<ArgSpecs<'a, A>>) -> Result<Exported>
where
    A: Tree<Array> + 'a,
    R: Tree<Array>,
    F: Function<A, Output = R>,
{
    let name = function_name(std::any::type_name::<F>());
    let traced = traced::Traced::of(f, name, args.into(), Location::caller())?;
    Exported::of(traced)
}
