use jarrah_base::{Dims, Error, Result, Type};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// Which block of an array a grid point sees, axis by axis.
///
/// The part of a block that reaches outside of its array reads zeros, and what is stored there is dropped.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct BlockSpec {
    /// One entry per axis of the array.
    pub axes: SmallVec<[BlockIndex; 6]>,
}

/// Which part of an axis a grid point sees.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BlockIndex {
    /// All of it.
    Whole,
    /// `size` elements from `size * position[grid]`.
    Block {
        /// The number of elements.
        size: usize,
        /// The grid axis.
        grid: usize,
    },
    /// The element `position[grid]`; the block lacks this axis.
    Point {
        /// The grid axis.
        grid: usize,
    },
    /// Element 0, for an axis of extent one; the block lacks this axis.
    First,
    /// `size` elements from `unit * map_result`: the map counts blocks where `unit` is `size`, elements where it is 1.
    At {
        /// The number of elements.
        size: usize,
        /// The distance between starts, in elements.
        unit: usize,
        /// Which result of the kernel's map.
        result: usize,
    },
    /// The element at the position that the map gives; the block lacks this axis.
    PointAt {
        /// Which result of the kernel's map.
        result: usize,
    },
}

impl BlockIndex {
    /// The grid axis along which the part moves, where the kernel's map has no say in it.
    pub fn grid(self) -> Option<usize> {
        match self {
            BlockIndex::Block { grid, .. } | BlockIndex::Point { grid } => Some(grid),
            _ => None,
        }
    }

    /// The result of the kernel's map that says where the part begins.
    pub fn result(self) -> Option<usize> {
        match self {
            BlockIndex::At { result, .. } | BlockIndex::PointAt { result } => Some(result),
            _ => None,
        }
    }

    /// How many elements of an axis of `extent` elements the part has; `None` where the block lacks the axis.
    pub fn size(self, extent: usize) -> Option<usize> {
        match self {
            BlockIndex::Whole => Some(extent),
            BlockIndex::Block { size, .. } | BlockIndex::At { size, .. } => Some(size),
            BlockIndex::Point { .. } | BlockIndex::First | BlockIndex::PointAt { .. } => None,
        }
    }
}

impl BlockSpec {
    /// The specification with these entries.
    pub fn new(axes: impl IntoIterator<Item = BlockIndex>) -> Self {
        BlockSpec { axes: axes.into_iter().collect() }
    }

    /// All of an array of that rank.
    pub fn whole(rank: usize) -> Self {
        BlockSpec { axes: SmallVec::from_elem(BlockIndex::Whole, rank) }
    }

    /// The type of a block of an array of type `ty`.
    ///
    /// # Errors
    /// The specification has another rank, a grid axis that does not exist, or a block without elements.
    ///
    /// ```
    /// use jarrah_base::{DType, Type};
    /// use jarrah_hlo::ops::{BlockIndex, BlockSpec};
    ///
    /// let rows = BlockSpec::new([BlockIndex::Block { size: 8, grid: 0 }, BlockIndex::Whole]);
    /// let block = rows.block_type(Type::tensor(DType::F32, [20, 64]), &[3])?;
    /// assert_eq!(block, Type::tensor(DType::F32, [8, 64]));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn block_type(&self, ty: Type, grid: &[usize]) -> Result<Type> {
        if self.axes.len() != ty.rank() {
            let error = format!("{} block axes are given for the {} of {ty}", self.axes.len(), ty.rank());
            return Err(Error::program(error));
        }
        let mut block = Dims::new();
        for (axis, (&index, extent)) in self.axes.iter().zip(ty.extents()).enumerate() {
            if let Some(g) = index.grid().filter(|&g| g >= grid.len()) {
                let error = format!("the grid {grid:?} has no axis {g}, by which axis {axis} of {ty} is cut");
                return Err(Error::program(error));
            }
            match index {
                BlockIndex::First if extent != 1 => {
                    let error = format!("axis {axis} of {ty} has {extent} elements, not one");
                    return Err(Error::program(error));
                }
                BlockIndex::Block { size: 0, .. } | BlockIndex::At { size: 0, .. } => {
                    return Err(Error::program(format!("the block along axis {axis} of {ty} is empty")));
                }
                BlockIndex::At { unit: 0, .. } => {
                    let error =
                        format!("all blocks along axis {axis} of {ty} would begin at its first element");
                    return Err(Error::program(error).help("blocks begin at multiples of a positive unit"));
                }
                _ => block.extend(index.size(extent)),
            }
        }
        Ok(ty.with_dims(block))
    }

    /// Whether the kernel's map says where the block is.
    pub fn is_found(&self) -> bool {
        self.axes.iter().any(|index| index.result().is_some())
    }

    /// Whether points at different positions along `grid` see different blocks, whatever the map says.
    pub fn moves_along(&self, grid: usize) -> bool {
        self.axes.iter().any(|index| index.grid() == Some(grid))
    }

    /// Whether no two points of the grid see the same block, whatever the map says.
    pub fn is_distinct(&self, grid: &[usize]) -> bool {
        grid.iter().enumerate().all(|(g, &extent)| extent <= 1 || self.moves_along(g))
    }

    /// Whether the blocks of all points, together, are exactly an array of type `ty`: each element lies in one, and no more
    /// blocks than needed reach outside.
    pub fn covers(&self, ty: Type, grid: &[usize]) -> bool {
        if grid.contains(&0) {
            return ty.extents().any(|extent| extent == 0);
        }
        let mut seen: SmallVec<[usize; 6]> = SmallVec::new();
        self.axes.iter().zip(ty.extents()).all(|(&index, extent)| {
            let (grid_axis, steps) = match index {
                BlockIndex::Whole => return true,
                BlockIndex::First => return extent == 1,
                BlockIndex::Block { size, grid } => (grid, extent.div_ceil(size)),
                BlockIndex::Point { grid } => (grid, extent),
                BlockIndex::At { .. } | BlockIndex::PointAt { .. } => return false,
            };
            // Two axes that move along the same grid axis meet on the diagonal only.
            let again = seen.contains(&grid_axis);
            seen.push(grid_axis);
            grid.get(grid_axis) == Some(&steps) && (!again || steps == 1)
        })
    }

    /// Whether the blocks of all points lie inside an array of type `ty`, whatever the map says.
    pub fn is_inside(&self, ty: Type, grid: &[usize]) -> bool {
        self.axes.iter().zip(ty.extents()).all(|(&index, extent)| {
            let (size, grid_axis) = match index {
                BlockIndex::Whole => return true,
                BlockIndex::First => return extent > 0,
                BlockIndex::Block { size, grid } => (size, grid),
                BlockIndex::Point { grid } => (1, grid),
                BlockIndex::At { .. } | BlockIndex::PointAt { .. } => return false,
            };
            let end = grid.get(grid_axis).and_then(|points| points.checked_mul(size));
            end.is_some_and(|end| end <= extent)
        })
    }

    /// Checks that no two points along an axis that is not `arbitrary` see the same block, where the map has no say in it.
    pub(super) fn stores_once(&self, ty: Type, grid: &[usize], arbitrary: &[bool]) -> Result<()> {
        if self.is_found() {
            return Ok(());
        }
        for (g, (&extent, &in_order)) in grid.iter().zip(arbitrary).enumerate() {
            if extent > 1 && !in_order && !self.moves_along(g) {
                let error =
                    format!("the {extent} grid points along axis {g} all store the same block of {ty}");
                return Err(Error::program(error).help(format!(
                    "mark grid axis {g} as arbitrary, so that its points run one after another, or give the result an \
                     axis for it"
                )));
            }
        }
        Ok(())
    }

    /// The specification under one more grid axis in front, along which a new first axis runs if `batched`.
    pub(super) fn batched(&self, batched: bool) -> BlockSpec {
        let shifted = self.axes.iter().map(|&index| match index {
            BlockIndex::Block { size, grid } => BlockIndex::Block { size, grid: grid + 1 },
            BlockIndex::Point { grid } => BlockIndex::Point { grid: grid + 1 },
            other => other,
        });
        let first = batched.then_some(BlockIndex::Point { grid: 0 });
        BlockSpec { axes: first.into_iter().chain(shifted).collect() }
    }

    /// The index of the block's first element, for a grid point and the results of the map there. It may lie outside of the
    /// array.
    pub fn starts(&self, position: &[usize], found: &[i32]) -> SmallVec<[i64; 6]> {
        let along = |grid: usize| position.get(grid).map_or(0, |&at| at as i64);
        let at = |result: usize| found.get(result).map_or(0, |&at| i64::from(at));
        let start = |index: &BlockIndex| match *index {
            BlockIndex::Whole | BlockIndex::First => 0,
            BlockIndex::Block { size, grid } => (size as i64).saturating_mul(along(grid)),
            BlockIndex::Point { grid } => along(grid),
            BlockIndex::At { unit, result, .. } => at(result).saturating_mul(unit as i64),
            BlockIndex::PointAt { result } => at(result),
        };
        self.axes.iter().map(start).collect()
    }
}
