//! Shardings: how tensors are cut over devices.
//!
//! A [`Mesh`] is a grid of devices with named axes. A [`TensorSharding`] says along which axes each dimension of a tensor is cut, as Shardy
//! does (`sdy.sharding`); a [`TileSharding`] says it by tiles and lists of devices, as XLA does (`mhlo.sharding`). Both are read and
//! printed as their texts, and give the part of a tensor that each device has.

mod gspmd;
mod mesh;
mod program;
mod shardy;
mod text;

pub use gspmd::{TileGroup, TileSharding, Tiles};
pub use mesh::{Mesh, MeshAxis, MeshAxisKind};
pub use program::ProgramShardings;
pub use shardy::{
    AxisPart, DimSharding, MeshRef, TensorSharding, Unreduced, manual_axes, per_value, quoted_name,
};
