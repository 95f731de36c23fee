//! The functions of NumPy, which broadcast operands, promote dtypes and accept negative axes.
//!
//! Functions of one array are methods of [`Array`](crate::Array); functions of several arrays, and of none, stand here. Axes that an
//! array does not have, and shapes that do not broadcast, are a program error in all of them.

mod at;
pub(crate) mod axes;
mod creation;
mod cumulative;
mod index;
mod integers;
mod manipulation;
mod mapping;
mod npy;
mod polynomials;
mod products;
mod selection;
mod sorting;
mod statistics;
mod step;
mod ufunc;
mod windows;

pub use at::At;
pub use axes::IntoAxes;
pub(crate) use axes::{check_positions, elements_along, positions, resolve, resolve_all, resolve_each};
pub use creation::{
    Indexing, IntoArange, diag_indices, fromfunction, ix_, meshgrid, tril_indices, triu_indices,
};
pub use index::{Ellipsis, Index, IntoIndices, NewAxis};
pub use integers::BitOrder;
pub use manipulation::{
    IntoParts, PadMode, block, broadcast_arrays, column_stack, concatenate, dstack, hstack, stack, vstack,
};
pub use mapping::{Finfo, finfo, result_type, vectorize};
pub use npy::{load, loadz, save, savez, savez_compressed};
pub use products::{einsum, einsum_path, tensordot};
pub use selection::{Ends, can_cast, mask_indices};
pub use sorting::{Descending, IntoOrder, Side, Unique, lexsort, ravel_multi_index, unravel_index};
pub use statistics::Quantile;
pub use step::{StepBy, Stepped, steps};
pub use ufunc::Ufunc;
pub use windows::{bartlett, blackman, hamming, hanning, kaiser};

pub use crate::elementwise::{choose, select};
