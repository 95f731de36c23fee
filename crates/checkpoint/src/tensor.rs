use std::ops::Range;

use jarrah_base::{Error, Literal, Result, Type};
use jarrah_formats::OrbaxSharding;

/// A part of a tensor: a box of the grid into which it is cut.
#[derive(Clone, PartialEq, Debug)]
pub struct TensorShard {
    /// Its place in the whole tensor, by axis.
    pub region: Vec<Range<usize>>,
    /// Its elements.
    pub value: Literal,
}

/// A tensor that is to be saved, whole or cut into a grid of shards of equal extents, of which this process may have some only.
///
/// ```
/// use jarrah_base::{DType, Literal, Type};
/// use jarrah_checkpoint::{TensorShard, ShardedTensor};
/// let upper = TensorShard { region: vec![0..1, 0..2], value: Literal::from_slice(&[1, 2], &[1i32, 2])? };
/// let lower = TensorShard { region: vec![1..2, 0..2], value: Literal::from_slice(&[1, 2], &[3i32, 4])? };
/// let tensor = ShardedTensor::of_shards(Type::tensor(DType::I32, [2, 2]), &[1, 2], vec![upper, lower])?;
/// assert_eq!(tensor.shards().len(), 2);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct ShardedTensor {
    ty: Type,
    extents: Vec<usize>,
    shards: Vec<TensorShard>,
    sharding: Option<OrbaxSharding>,
}

impl From<Literal> for ShardedTensor {
    fn from(value: Literal) -> ShardedTensor {
        let dims = value.dims();
        let region = dims.iter().map(|&extent| 0..extent).collect();
        ShardedTensor {
            ty: value.ty(),
            extents: dims,
            shards: vec![TensorShard { region, value }],
            sharding: None,
        }
    }
}

impl ShardedTensor {
    /// A tensor whose shards have these extents. Shards that are not given are those of other processes.
    ///
    /// # Errors
    /// The extents do not divide those of the tensor; a shard is no box of the grid, is given twice, or has elements of another type (`Program`).
    pub fn of_shards(ty: Type, extents: &[usize], shards: Vec<TensorShard>) -> Result<ShardedTensor> {
        let refused = |message: String| Err(Error::program(message).op("checkpoint"));
        let Some(grid) = Grid::new(&ty.extents().collect::<Vec<_>>(), extents) else {
            return refused(format!("a tensor {ty} has shards of the extents {extents:?}"));
        };
        let mut given = Vec::with_capacity(shards.len());
        for TensorShard { region, value } in &shards {
            let Some(cell) = grid.cell(region).filter(|cell| !given.contains(cell)) else {
                return refused(format!(
                    "a shard of a tensor {ty} lies at {region:?}: shards of the extents {extents:?} do not, or it is given twice"
                ));
            };
            given.push(cell);
            let wanted = ty.with_dims(extents.iter().copied());
            if value.ty() != wanted {
                return refused(format!("a shard of a tensor {ty} is {}, not {wanted}", value.ty()));
            }
        }
        Ok(ShardedTensor { ty, extents: extents.to_vec(), shards, sharding: None })
    }

    /// The tensor with the devices that it is cut over, which Orbax restores it on.
    pub fn with_sharding(mut self, sharding: OrbaxSharding) -> ShardedTensor {
        self.sharding = Some(sharding);
        self
    }

    /// The type of the whole tensor.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The extents of a shard.
    pub fn extents(&self) -> &[usize] {
        &self.extents
    }

    /// The shards that this process has.
    pub fn shards(&self) -> &[TensorShard] {
        &self.shards
    }

    /// The devices that it is cut over.
    pub fn sharding(&self) -> Option<&OrbaxSharding> {
        self.sharding.as_ref()
    }

    /// The value, if it is in one shard.
    pub fn whole(&self) -> Option<&Literal> {
        let [shard] = self.shards.as_slice() else { return None };
        (shard.value.ty() == self.ty).then_some(&shard.value)
    }

    pub(crate) fn grid(&self) -> Grid {
        Grid { dims: self.ty.extents().collect(), extents: self.extents.clone() }
    }
}

/// Boxes of equal extents that an array is cut into, numbered row by row.
pub(crate) struct Grid {
    dims: Vec<usize>,
    extents: Vec<usize>,
}

impl Grid {
    /// None where the extents do not divide those of the array, or the boxes cannot be counted.
    pub fn new(dims: &[usize], extents: &[usize]) -> Option<Grid> {
        let divides = |(&all, &part): (&usize, &usize)| all == part || (part > 0 && all.is_multiple_of(part));
        let fits = dims.len() == extents.len() && dims.iter().zip(extents).all(divides);
        let grid = Grid { dims: dims.to_vec(), extents: extents.to_vec() };
        grid.counts().try_fold(1usize, usize::checked_mul).filter(|_| fits)?;
        Some(grid)
    }

    /// The number of boxes along each axis.
    fn counts(&self) -> impl Iterator<Item = usize> {
        self.dims
            .iter()
            .zip(&self.extents)
            .map(|(&all, &part)| if all == part { 1 } else { all / part.max(1) })
    }

    /// The number of boxes.
    pub fn len(&self) -> usize {
        self.counts().product()
    }

    /// The number of the box at a place, if it is one.
    pub fn cell(&self, region: &[Range<usize>]) -> Option<usize> {
        if region.len() != self.dims.len() {
            return None;
        }
        let mut cell = 0;
        for ((range, &extent), count) in region.iter().zip(&self.extents).zip(self.counts()) {
            let at = range.start.checked_div(extent).unwrap_or(0);
            let is_box = range.len() == extent && range.start == at * extent && at < count;
            cell = is_box.then(|| cell * count + at)?;
        }
        Some(cell)
    }

    /// The place of a box.
    pub fn region(&self, mut cell: usize) -> Vec<Range<usize>> {
        let counts: Vec<usize> = self.counts().collect();
        let mut region = vec![0..0; counts.len()];
        for ((range, &count), &extent) in region.iter_mut().zip(&counts).zip(&self.extents).rev() {
            let at = cell % count;
            cell /= count;
            *range = at * extent..(at + 1) * extent;
        }
        region
    }

    /// The boxes that have an element of a region.
    pub fn touched(&self, region: &[Range<usize>]) -> Vec<usize> {
        if region.iter().any(Range::is_empty) {
            return Vec::new();
        }
        let mut cells = vec![0];
        for ((range, &extent), count) in region.iter().zip(&self.extents).zip(self.counts()) {
            let boxes = range.start / extent.max(1)..range.end.div_ceil(extent.max(1)).min(count);
            cells = cells.iter().flat_map(|cell| boxes.clone().map(move |at| cell * count + at)).collect();
        }
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_numbered_row_by_row() {
        let grid = Grid::new(&[4, 6], &[2, 3]).expect("it divides");
        assert_eq!(grid.len(), 4);
        for cell in 0..4 {
            assert_eq!(grid.cell(&grid.region(cell)), Some(cell));
        }
        assert_eq!(grid.region(3), [2..4, 3..6]);
        assert_eq!(grid.touched(&[1..3, 0..2]), [0, 2]);
        assert_eq!(grid.cell(&[1..3, 0..3]), None);
        assert!(
            Grid::new(&[4], &[3]).is_none()
                && Grid::new(&[4], &[0]).is_none()
                && Grid::new(&[4], &[]).is_none()
        );
        assert_eq!(Grid::new(&[], &[]).expect("one box").len(), 1);
        let empty = Grid::new(&[0, 4], &[0, 2]).expect("it divides");
        assert_eq!((empty.len(), empty.touched(&[0..0, 0..4])), (2, vec![]));
    }
}
