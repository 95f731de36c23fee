//! Functions of an element and its neighbours: a point sees its rows and the ones around them.

use jarrah_array::kernel::{Block, BlockDim, kernel, program_id};
use jarrah_array::{Array, DType, lax, where_};

use crate::shape::{extents, row_blocks};

/// `f` of the shifts of an image by one row and column: `at(r, c)` has the neighbours `r - 1` rows and `c - 1` columns further on, zeros
/// outside.
#[track_caller]
fn around(name: &str, x: &Array, dtype: DType, f: impl Fn(&dyn Fn(usize, usize) -> Array) -> Array) -> Array {
    let [rows, columns] = extents(name, "the image", x);
    let (block, blocks) = row_blocks(rows);
    let with_neighbours = |size: usize| BlockDim::Element { size: size + 2, before: 1 };
    kernel(|[x, y]| {
        let x = x.get();
        let at = |r: usize, c: usize| x.index((r..r + block, c..c + columns));
        y.set(f(&at));
    })
    .name(name)
    .grid(&[blocks])
    .input(Block::new((with_neighbours(block), with_neighbours(columns)), |[i]| (i * block, 0)))
    .output(x.ty().with_dtype(dtype), Block::new([block, columns], |[i]| (i, 0)))
    .call_one(&[x])
}

/// The sum of the four neighbours less four times the element; the border stays as it is.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::zeros(&[3, 3]).at((1, 1)).set(1.0);
/// assert_eq!(jarrah_kernels::laplace(&x).index((1, 1)).item::<f32>()?, -4.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn laplace(x: &Array) -> Array {
    let [rows, columns] = extents("laplace", "the image", x);
    let block = row_blocks(rows).0;
    around("laplace", x, x.dtype(), |at| {
        let row = lax::iota(DType::I32, &[block, columns], 0) + program_id(0) * block;
        let column = lax::iota(DType::I32, &[block, columns], 1);
        let inner = row.gt(0) & row.lt(rows as i64 - 1) & column.gt(0) & column.lt(columns as i64 - 1);
        where_(&inner, at(0, 1) + at(2, 1) + at(1, 0) + at(1, 2) - at(1, 1) * 4, at(1, 1))
    })
}

/// One step of Conway's game of life on `u8` cells, 0 or 1, with dead cells outside: a cell with three living neighbours lives, and one
/// with two lives on.
///
/// ```
/// use jarrah_array::Array;
/// let blinker = Array::from_slice(&[0u8, 0, 0, 1, 1, 1, 0, 0, 0]).reshape(&[3, 3]);
/// assert_eq!(jarrah_kernels::life(&blinker).to_vec::<u8>()?, [0, 1, 0, 0, 1, 0, 0, 1, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn life(cells: &Array) -> Array {
    around("life", cells, cells.dtype(), |at| {
        let row = |r: usize| at(r, 0) + at(r, 1) + at(r, 2);
        let neighbours = row(0) + row(2) + at(1, 0) + at(1, 2);
        let lives = neighbours.eq(3) | (neighbours.eq(2) & at(1, 1).eq(1));
        lives.astype(cells.dtype())
    })
}

/// `sqrt(gx^2 + gy^2)` of the two filters of Sobel, with zeros outside.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::ones(&[3, 3]);
/// assert_eq!(jarrah_kernels::sobel(&x).index((1, 1)).item::<f32>()?, 0.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sobel(x: &Array) -> Array {
    around("sobel", x, x.dtype(), |at| {
        let gx = at(0, 2) + at(1, 2) * 2 + at(2, 2) - at(0, 0) - at(1, 0) * 2 - at(2, 0);
        let gy = at(2, 0) + at(2, 1) * 2 + at(2, 2) - at(0, 0) - at(0, 1) * 2 - at(0, 2);
        (gx.square() + gy.square()).sqrt()
    })
}
