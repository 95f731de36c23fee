//! The block of an array that each point of a grid gets.

use std::rc::Rc;

use jarrah_base::{Error, Location, Type};

use crate::array::Array;
use crate::error::{fail_at, with_context};
use crate::kernel::{Bounds, KernelWindow};
use crate::operators::{IntoOperand, Operand};
use crate::tuples::for_tuples;

/// The extent of a block along one axis of its array.
///
/// ```
/// use jarrah_array::DType;
/// use jarrah_array::kernel::{Block, BlockDim};
/// // Of an array of three axes: one matrix, of that eight rows, and all columns.
/// let block = Block::new((BlockDim::Squeezed, 8, BlockDim::Whole), |[b, i]| (b, i, 0));
/// assert_eq!(block.shape(&[4, 16, 5]), [8, 5]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockDim {
    /// Blocks of this many elements side by side: the map gives the number of the block, which begins at that number times the
    /// block's size.
    Blocked(usize),
    /// One element, at the position that the map gives; the block lacks the axis.
    Squeezed,
    /// This many elements, from the position that the map gives: blocks may overlap.
    Element {
        /// The number of elements.
        size: usize,
        /// How many zeros come before the array's first element: position 0 is the first of these zeros.
        before: usize,
    },
    /// At most this many elements: the map gives [`bounds`](super::bounds), the first position and the number of elements from
    /// there on. The elements of the block beyond that number read as zeros and are not stored.
    Bounded(usize),
    /// This many elements, at the positions that the map gives as an integer array: the elements of an operand are gathered,
    /// those of a result scattered; where a position is repeated, the last element is stored. At most one axis of a block may be
    /// indirect.
    Indirect(usize),
    /// The whole axis; the map's number for it is ignored.
    Whole,
}

impl BlockDim {
    /// This many elements, from the position that the map gives.
    ///
    /// ```
    /// use jarrah_array::kernel::BlockDim;
    /// assert_eq!(BlockDim::element(3), BlockDim::Element { size: 3, before: 0 });
    /// ```
    pub fn element(size: usize) -> Self {
        BlockDim::Element { size, before: 0 }
    }

    /// The extent along an array's axis of the block that the body gets at one point, before any gather; `None` if the block
    /// lacks the axis.
    pub(crate) fn seen(self, extent: usize) -> Option<usize> {
        if matches!(self, BlockDim::Indirect(_)) { Some(extent) } else { self.extent(extent) }
    }

    /// The extent along an axis of `extent` elements, if the block has the axis.
    pub(crate) fn extent(self, extent: usize) -> Option<usize> {
        match self {
            BlockDim::Blocked(size)
            | BlockDim::Element { size, .. }
            | BlockDim::Bounded(size)
            | BlockDim::Indirect(size) => Some(size),
            BlockDim::Whole => Some(extent),
            BlockDim::Squeezed => None,
        }
    }
}

impl From<usize> for BlockDim {
    fn from(size: usize) -> Self {
        BlockDim::Blocked(size)
    }
}

/// An unsuffixed integer literal is an `i32`; a negative size is reported when the block is used with an array.
impl From<i32> for BlockDim {
    fn from(size: i32) -> Self {
        BlockDim::Blocked((size as isize).cast_unsigned())
    }
}

/// The extents of a block: an array, a slice or a tuple of numbers and of [`BlockDim`]s.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no extents of a block",
    label = "an extent for each axis is needed",
    note = "write an array or a tuple with an entry for each axis, `[4, 8]` or `(BlockDim::Squeezed, 8)`; of a vector it is `[4]`"
)]
pub trait IntoBlockDims {
    /// One entry for each axis.
    fn into_block_dims(self) -> Vec<BlockDim>;
}

impl<T: Into<BlockDim>, const N: usize> IntoBlockDims for [T; N] {
    fn into_block_dims(self) -> Vec<BlockDim> {
        self.into_iter().map(Into::into).collect()
    }
}
impl<T: Into<BlockDim> + Copy, const N: usize> IntoBlockDims for &[T; N] {
    fn into_block_dims(self) -> Vec<BlockDim> {
        self.iter().map(|&dim| dim.into()).collect()
    }
}
impl<T: Into<BlockDim> + Copy> IntoBlockDims for &[T] {
    fn into_block_dims(self) -> Vec<BlockDim> {
        self.iter().map(|&dim| dim.into()).collect()
    }
}
impl<T: Into<BlockDim>> IntoBlockDims for Vec<T> {
    fn into_block_dims(self) -> Vec<BlockDim> {
        self.into_iter().map(Into::into).collect()
    }
}

/// Where a block begins along an axis, as an index map returns it.
#[derive(Clone, Debug)]
pub struct BlockStart {
    pub(crate) start: Operand,
    /// The number of elements, if the map returns one.
    pub(crate) size: Option<Operand>,
}

impl<T: IntoOperand> From<T> for BlockStart {
    fn from(start: T) -> Self {
        BlockStart { start: start.into_operand(), size: None }
    }
}
impl From<Bounds> for BlockStart {
    fn from(bounds: Bounds) -> Self {
        BlockStart { start: bounds.start, size: Some(bounds.size) }
    }
}
impl From<KernelWindow> for BlockStart {
    fn from(window: KernelWindow) -> Self {
        BlockStart { start: window.start, size: None }
    }
}

/// The result of an index map: a tuple, an array or a vector with an entry for each axis of the array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no place of a block",
    label = "an index map gives a position for each axis",
    note = "the map takes the position in the grid as an array and gives a tuple or an array: `|[i, j]| [i, j]`, `|[i]| (i, 0)`"
)]
pub trait IntoStarts {
    /// One entry for each axis.
    fn into_starts(self) -> Vec<BlockStart>;
}

impl<T: Into<BlockStart>, const N: usize> IntoStarts for [T; N] {
    fn into_starts(self) -> Vec<BlockStart> {
        self.into_iter().map(Into::into).collect()
    }
}
impl<T: Into<BlockStart>> IntoStarts for Vec<T> {
    fn into_starts(self) -> Vec<BlockStart> {
        self.into_iter().map(Into::into).collect()
    }
}

for_tuples! { IntoStarts, into_starts, BlockStart }
for_tuples! { IntoBlockDims, into_block_dims, BlockDim }

/// An index map: of the position in the grid, and of the prefetched arrays.
type Starts<'f> = Rc<dyn Fn(&[Array], &[Array]) -> Vec<BlockStart> + 'f>;

#[derive(Clone)]
pub(crate) struct Map<'f> {
    /// How many grid axes the map takes.
    pub(crate) positions: usize,
    /// How many prefetched arrays the map takes, if it takes any.
    pub(crate) prefetched: Option<usize>,
    pub(crate) starts: Starts<'f>,
}

/// The block of an array that each point of the grid gets: its extents, and a map from the position in the grid to the number of
/// the block along each axis.
///
/// The part of a block outside of its array reads as zeros, and stores to it are dropped, so that blocks need not divide their
/// array.
///
/// ```
/// use jarrah_array::kernel::Block;
/// // The tiles of a matrix, and the same of its transpose.
/// let (tile, mirrored) = (Block::new([8, 16], |[i, j]| [i, j]), Block::new([16, 8], |[i, j]| [j, i]));
/// assert_eq!((tile.shape(&[64, 64]), mirrored.shape(&[64, 64])), (vec![8, 16], vec![16, 8]));
/// ```
///
/// Source: `jax.experimental.pallas.BlockSpec`.
#[derive(Clone)]
pub struct Block<'f> {
    /// The extents of the block; `None` for the whole array.
    pub(crate) dims: Option<Vec<BlockDim>>,
    pub(crate) map: Option<Map<'f>>,
    pub(crate) made: Location,
}

impl<'f> Block<'f> {
    /// A block of these extents, at the place given by `map`, a function of the position in the grid: `|[i, j]| (i, j)`.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, kernel};
    /// use jarrah_array::Array;
    /// let x = Array::arange(6).reshape(&[2, 3]);
    /// // Rows, last first.
    /// let flip = kernel(|[x, y]| y.set(x.get()))
    ///     .grid(&[2])
    ///     .input(Block::new([1, 3], |[i]| (1 - i, 0)))
    ///     .output(x.ty(), Block::new([1, 3], |[i]| (i, 0)));
    /// assert_eq!(flip.call_one(&[&x]).to_vec::<i32>()?, [3, 4, 5, 0, 1, 2]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn new<const G: usize, S: IntoStarts>(
        dims: impl IntoBlockDims,
        map: impl Fn([Array; G]) -> S + 'f,
    ) -> Self {
        let starts = move |positions: &[Array], _: &[Array]| {
            let positions = positions.to_vec().try_into();
            map(positions.unwrap_or_else(|_| unreachable!("invariant: counted before"))).into_starts()
        };
        let map = Map { positions: G, prefetched: None, starts: Rc::new(starts) };
        Block { dims: Some(dims.into_block_dims()), map: Some(map), made: Location::caller() }
    }

    /// As [`Block::new`], with a map that also takes the prefetched arrays: `|[i], [table]| (table.index(i), 0)`.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, BlockDim, kernel};
    /// use jarrah_array::{Array, DType};
    /// let (rows, x) = (Array::from_slice(&[2i32, 0]), Array::arange(6).reshape(&[3, 2]));
    /// let gather = kernel(|[_, x, y]| y.set(x.get()))
    ///     .grid(&[2])
    ///     .prefetch(1)
    ///     .input(Block::found((BlockDim::Squeezed, 2), |[i], [rows]| (rows.index(i), 0)))
    ///     .output(x.ty().with_dims([2, 2]), Block::new((BlockDim::Squeezed, 2), |[i]| (i, 0)));
    /// assert_eq!(gather.call_one(&[&rows, &x]).to_vec::<i32>()?, [4, 5, 0, 1]);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    #[track_caller]
    pub fn found<const G: usize, const P: usize, S: IntoStarts>(
        dims: impl IntoBlockDims,
        map: impl Fn([Array; G], [Array; P]) -> S + 'f,
    ) -> Self {
        let starts = move |positions: &[Array], prefetched: &[Array]| match (
            positions.to_vec().try_into(),
            prefetched.to_vec().try_into(),
        ) {
            (Ok(positions), Ok(prefetched)) => map(positions, prefetched).into_starts(),
            _ => unreachable!("invariant: counted before"),
        };
        let map = Map { positions: G, prefetched: Some(P), starts: Rc::new(starts) };
        Block { dims: Some(dims.into_block_dims()), map: Some(map), made: Location::caller() }
    }

    /// The whole array, at each point of the grid.
    ///
    /// ```
    /// use jarrah_array::kernel::Block;
    /// assert_eq!(Block::whole().shape(&[4, 5]), [4, 5]);
    /// ```
    #[track_caller]
    pub fn whole() -> Self {
        Block { dims: None, map: None, made: Location::caller() }
    }

    /// The extents of the block of an array of this shape.
    ///
    /// # Errors
    /// A program error if the block does not have as many axes as the array.
    ///
    /// ```
    /// use jarrah_array::kernel::{Block, BlockDim};
    /// assert_eq!(Block::new((BlockDim::Squeezed, 8), |[i]| (i, 0)).shape(&[4, 20]), [8]);
    /// ```
    #[track_caller]
    pub fn shape(&self, array: &[usize]) -> Vec<usize> {
        let dims = self.dims_of(array.len(), &format!("an array of shape {array:?}"));
        dims.iter().zip(array).filter_map(|(dim, &extent)| dim.extent(extent)).collect()
    }

    /// The extents of the block, one for each of the `rank` axes of the array that errors call `what`.
    #[track_caller]
    pub(crate) fn dims_of(&self, rank: usize, what: &str) -> Vec<BlockDim> {
        let Some(dims) = &self.dims else { return vec![BlockDim::Whole; rank] };
        if dims.len() != rank {
            let error = format!("a block of {} axes is given for {what}", dims.len());
            self.fail(Error::program(error), "give an extent for each axis; BlockDim::Whole takes all of it");
        }
        for (axis, dim) in dims.iter().enumerate() {
            // A negative number of elements, or none.
            let size = dim.extent(1).map(usize::cast_signed);
            if let Some(size) = size.filter(|&size| size <= 0) {
                let error =
                    Error::program(format!("a block of {what} has {size} elements along axis {axis}"));
                self.fail(error, "a block has at least one element along each axis");
            }
        }
        dims.clone()
    }

    /// Fails with an error at the line that made the block.
    #[track_caller]
    pub(crate) fn fail(&self, error: Error, help: &str) -> ! {
        fail_at(self.made, with_context(error.op("kernel").help(help)))
    }

    /// The start of the block along each axis of `ty` at this position; `None` for a block that is the whole array.
    #[track_caller]
    pub(crate) fn starts(
        &self,
        ty: Type,
        positions: &[Array],
        prefetched: &[Array],
    ) -> Option<Vec<BlockStart>> {
        let map = self.map.as_ref()?;
        if map.positions != positions.len() {
            let error = Error::program(format!(
                "the index map takes {} positions, the grid has {} axes",
                map.positions,
                positions.len()
            ));
            let help = match positions.len() {
                0 => "give the kernel a grid, grid(&[..]), of which the map takes one position for each axis",
                1 => "the map takes one position for each axis of the grid: |[i]| ..",
                _ => "the map takes one position for each axis of the grid: |[i, j]| ..",
            };
            self.fail(error, help);
        }
        if map.prefetched.is_some_and(|wanted| wanted != prefetched.len()) {
            let error = Error::program(format!(
                "the index map takes {} prefetched arrays, the kernel has {}",
                map.prefetched.unwrap_or(0),
                prefetched.len()
            ));
            self.fail(error, "say with prefetch(n) how many of the first operands the maps read");
        }
        let starts = (map.starts)(positions, prefetched);
        if starts.len() != ty.rank() {
            let error = Error::program(format!(
                "the index map gives {} positions for the {} axes of {ty}",
                starts.len(),
                ty.rank()
            ));
            self.fail(
                error,
                "the map gives one position for each axis of the array, 0 for an axis seen whole",
            );
        }
        Some(starts)
    }
}
