//! Sums, moments and largest elements.

use jarrah_array::kernel::{Block, kernel, program_id, when};
use jarrah_array::{Array, DType, along, lax, where_};

use crate::shape::{Operand, by_rows, extents, row_blocks};

/// The sum of each row of a matrix: block by block along the row, in order.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::arange(6).reshape(&[2, 3]);
/// assert_eq!(jarrah_kernels::sum_rows(&x).to_vec::<i32>()?, [3, 12]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sum_rows(x: &Array) -> Array {
    let [rows, columns] = extents("sum_rows", "the matrix", x);
    let ((block, blocks), width) = (row_blocks(rows), columns.clamp(1, 512));
    kernel(|[x, y]| y.addupdate(x.get().sum(1)))
        .name("sum_rows")
        .grid(&[blocks, columns.div_ceil(width)])
        .input(Block::new([block, width], |[i, j]| [i, j]))
        .output(x.ty().with_dims([rows]), Block::new([block], |[i, _]| [i]))
        .call_one(&[x])
}

/// The sum of each column of a matrix: blocks of rows in order, blocks of columns at the same time.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::arange(6).reshape(&[2, 3]);
/// assert_eq!(jarrah_kernels::sum_columns(&x).to_vec::<i32>()?, [3, 5, 7]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn sum_columns(x: &Array) -> Array {
    let [rows, columns] = extents("sum_columns", "the matrix", x);
    let ((block, blocks), width) = (row_blocks(rows), columns.clamp(1, 512));
    kernel(|[x, y]| y.addupdate(x.get().sum(0)))
        .name("sum_columns")
        .grid(&[columns.div_ceil(width), blocks])
        .input(Block::new([block, width], |[j, i]| [i, j]))
        .output(x.ty().with_dims([columns]), Block::new([width], |[j, _]| [j]))
        .call_one(&[x])
}

/// The mean and the variance of each row of a matrix, in one pass: a block of `n` columns with mean `m` and sum of squares `s` about it
/// joins those before it, `N`, `M` and `S`, as `M + (m - M) n / (N + n)` and `S + s + (m - M)^2 N n / (N + n)`.
///
/// ```
/// use jarrah_array::Array;
/// let [mean, variance] = jarrah_kernels::mean_variance(&Array::from_slice(&[1.0f32, 3.0]).reshape(&[1, 2]));
/// assert_eq!((mean.to_vec::<f32>()?, variance.to_vec::<f32>()?), (vec![2.0], vec![1.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Welford, Note on a method for calculating corrected sums of squares and products (1962); Chan, Golub and LeVeque (1979).
#[track_caller]
pub fn mean_variance(x: &Array) -> [Array; 2] {
    let [rows, columns] = extents("mean_variance", "the matrix", x);
    let ((block, blocks), width) = (row_blocks(rows), columns.clamp(1, 256));
    let steps = columns.div_ceil(width);
    let column = x.ty().with_dims([rows]);
    let results = kernel(|[x, mean, variance]| {
        let (j, x) = (program_id(1), x.get());
        // The last block may have fewer columns.
        let inside = (lax::iota(DType::I32, &[width], 0) + &j * width).lt(columns);
        let count = inside.astype(x.dtype()).sum(..);
        let before = (&j * width).astype(x.dtype());
        let own = where_(&inside, &x, 0.0).sum(1) / &count;
        let apart = where_(&inside, (&x - own.expand_dims(1)).square(), 0.0).sum(1);
        let step = own - mean.get();
        let share = &count / (&before + &count);
        mean.addupdate(&step * &share);
        variance.addupdate(apart + step.square() * before * share);
        when(j.eq(steps as i64 - 1), || variance.update(|s| s / columns as f64));
    })
    .name("mean_variance")
    .grid(&[blocks, steps])
    .input(Block::new([block, width], |[i, j]| [i, j]))
    .output(column, Block::new([block], |[i, _]| [i]))
    .output(column, Block::new([block], |[i, _]| [i]))
    .call(&[x]);
    [results[0].clone(), results[1].clone()]
}

/// The first position of the largest element of each row of a matrix, an `i32`; a NaN is larger than any number.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1i32, 5, 5, 9, 0, 2]).reshape(&[2, 3]);
/// assert_eq!(jarrah_kernels::argmax_rows(&x).to_vec::<i32>()?, [1, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn argmax_rows(x: &Array) -> Array {
    let [rows, columns] = extents("argmax_rows", "the matrix", x);
    let y = by_rows("argmax_rows", &[Operand::Rows(x)], &[(1, DType::I32)], |xs| {
        let x = &xs[0];
        let largest = x.eq(x.max(along(1).keepdims())) | x.ne(x);
        let column = lax::iota(DType::I32, &x.shape(), 1);
        vec![where_(&largest, column, columns as i64).min(along(1).keepdims())]
    });
    y[0].reshape(&[rows])
}
