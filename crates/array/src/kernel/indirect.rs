//! Blocks whose elements are at positions that the index map gives as an array.
//!
//! The point gets the whole axis; the body's reference contains the elements at the positions, which are gathered before the body
//! and, for a result, scattered after it.

use jarrah_base::{DType, Error, Type};

use crate::array::Array;
use crate::checkify;
use crate::elementwise::where_;
use crate::kernel::block::{Block, BlockDim};
use crate::kernel::integers::narrow;
use crate::lax;
use crate::numpy::Index;
use crate::operators::Operand;

/// The positions along the one axis of a block that is indexed by an array of positions.
pub(super) struct Positions {
    /// The axis of the array, and of the block.
    axes: (usize, usize),
    extent: usize,
    positions: Array,
}

impl Positions {
    /// The positions that the index map gives; `None` for a block without an indirect axis.
    #[track_caller]
    pub(super) fn of(
        ty: Type,
        block: &Block<'_>,
        positions: &[Array],
        prefetched: &[Array],
    ) -> Option<Positions> {
        let dims = block.dims.as_ref()?;
        let is_indirect = |dim: &BlockDim| matches!(dim, BlockDim::Indirect(_));
        let axis = dims.iter().position(is_indirect)?;
        if dims.iter().filter(|dim| is_indirect(dim)).count() > 1 {
            let error = Error::program("two axes of a block have positions that are given one by one");
            block.fail(error, "make one axis BlockDim::Indirect, and index the others in the body");
        }
        let starts = block.starts(ty, positions, prefetched)?;
        let size = dims[axis].extent(0)?;
        let positions = match &starts[axis].start {
            Operand::Array(at) if at.shape() == [size] && at.dtype().is_integer() => narrow(at),
            start => {
                let shown = match start {
                    Operand::Array(at) => at.ty().to_string(),
                    Operand::Number(number) => number.to_string(),
                };
                let error = Error::program(format!(
                    "the index map gives {shown} for an axis of {size} positions that are given one by one"
                ));
                block.fail(
                    error,
                    "give an array with an integer for each element of a BlockDim::Indirect axis",
                );
            }
        };
        let before = dims[..axis].iter().filter(|dim| **dim != BlockDim::Squeezed).count();
        let extent = ty.extents().nth(axis)?;
        Some(Positions { axes: (axis, before), extent, positions })
    }

    fn inside(&self) -> Array {
        self.positions.ge(0) & self.positions.lt(self.extent as i64)
    }

    /// Records a check that the positions are inside.
    #[track_caller]
    pub(super) fn check(&self, ty: Type, what: &str) {
        let message = format!("position {{}} along axis {} of {what} lies outside of {ty}", self.axes.0);
        checkify::check(&self.inside(), &message, &[&self.positions]);
    }

    /// The elements of `x` at the positions; zeros for positions outside of `x`.
    #[track_caller]
    pub(super) fn gather(&self, x: &Array) -> Array {
        let shape: Vec<usize> = x.shape().to_vec();
        if self.extent == 0 {
            let sizes = |(axis, size)| if axis == self.axes.1 { self.positions.size() } else { size };
            let shape: Vec<usize> = shape.into_iter().enumerate().map(sizes).collect();
            return Array::zeros_of(x.ty().with_dims(shape));
        }
        let places = self.positions.clip(0, self.extent as i64 - 1);
        let found = lax::take(x, &places, self.axes.1);
        let inside = lax::broadcast_in_dim(&self.inside(), &found.shape(), &[self.axes.1]);
        where_(&inside, &found, found.zeros_like())
    }

    /// `x` with `values` stored at the positions; where a position is repeated, the last value is stored. Values at positions
    /// outside of `x` are dropped.
    #[track_caller]
    pub(super) fn scatter(&self, x: &Array, values: &Array) -> Array {
        let places = where_(&self.inside(), &self.positions, self.extent).astype(DType::I32);
        let mut indices = vec![Index::Slice { start: None, stop: None, step: 1 }; self.axes.1];
        indices.push(Index::Array(places));
        x.at(indices).set(values)
    }
}
