//! Sorted rows, and the largest elements of rows.

use jarrah_array::kernel::{Block, kernel, next_power_of_2};
use jarrah_array::{Array, DType, along, lax, where_};

use crate::shape::{extents, require, row_blocks};

/// The rows of a matrix in ascending order, NaNs last: a network of `log n (log n + 1) / 2` rounds, in each of which pairs of elements a fixed
/// distance apart change places where they stand in the wrong order.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[3i32, 1, 2, 5, 9, 4]).reshape(&[2, 3]);
/// assert_eq!(jarrah_kernels::bitonic_sort(&x).to_vec::<i32>()?, [1, 2, 3, 4, 5, 9]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Batcher, Sorting networks and their applications (1968).
#[track_caller]
pub fn bitonic_sort(x: &Array) -> Array {
    let [rows, columns] = extents("bitonic_sort", "the matrix", x);
    if x.size() == 0 {
        return x.clone();
    }
    let ((block, blocks), width) = (row_blocks(rows), next_power_of_2(columns));
    // What stands behind the row is not less than any element.
    let largest = x.max(..);
    kernel(|[x, largest, y]| {
        let column = lax::iota(DType::I32, &[block, width], 1);
        let mut row = where_(&column.lt(columns), x.get(), largest.get());
        let mut size = 2;
        while size <= width {
            let mut apart = size / 2;
            while apart > 0 {
                let partner = &column ^ apart;
                let other = row.take_along_axis_with(&partner, 1, jarrah_array::TakeMode::Clip);
                let (low, high) = pair(&row, &other);
                // In an ascending run the first of a pair is the smaller one.
                let ascends = (&column & size).eq(0);
                let first = (&column & apart).eq(0);
                row = where_(&ascends.eq(first), low, high);
                apart /= 2;
            }
            size *= 2;
        }
        y.set(row);
    })
    .name("bitonic_sort")
    .grid(&[blocks])
    .input(Block::new([block, width], |[i]| (i, 0)))
    .input(Block::whole())
    .output(x.ty(), Block::new([block, width], |[i]| (i, 0)))
    .call_one(&[x, &largest])
}

/// The smaller and the larger of two elements, where a NaN is larger than any number.
fn pair(a: &Array, b: &Array) -> (Array, Array) {
    let (low, high) = (a.minimum(b), a.maximum(b));
    if !a.dtype().is_float() {
        return (low, high);
    }
    let (a_nan, b_nan) = (a.ne(a), b.ne(b));
    (where_(&a_nan, b, where_(&b_nan, a, low)), where_(&a_nan, a, where_(&b_nan, b, high)))
}

/// The `k` largest elements of each row of a matrix, in descending order, and their columns, `i32`; of equal elements the first. A NaN is
/// larger than any number.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[3.0f32, 9.0, 2.0, 9.0]).reshape(&[1, 4]);
/// let (values, columns) = jarrah_kernels::top_k(&x, 3);
/// assert_eq!((values.to_vec::<f32>()?, columns.to_vec::<i32>()?), (vec![9.0, 9.0, 3.0], vec![1, 3, 0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn top_k(x: &Array, k: usize) -> (Array, Array) {
    let [rows, columns] = extents("top_k", "the matrix", x);
    require("top_k", k <= columns, || format!("there are {columns} elements in a row, not {k}"));
    let (block, blocks) = row_blocks(rows);
    let results = kernel(|[x, values, places]| {
        let (x, column) = (x.get(), lax::iota(DType::I32, &[block, columns], 1));
        let (lowest, mut left) =
            (x.nanmin(along(1).keepdims()), Array::full(&[block, columns], true, DType::Bool));
        for i in 0..k {
            let largest = where_(&left, &x, &lowest).max(along(1).keepdims());
            let is_largest = &left & (x.eq(&largest) | x.ne(&x));
            let place = where_(&is_largest, &column, columns as i64).min(along(1).keepdims());
            left &= column.ne(&place);
            values.at((.., i)).set(largest.squeeze(1));
            places.at((.., i)).set(place.squeeze(1));
        }
    })
    .name("top_k")
    .grid(&[blocks])
    .input(Block::new([block, columns], |[i]| (i, 0)))
    .output(x.ty().with_dims([rows, k]), Block::new([block, k], |[i]| (i, 0)))
    .output(x.ty().with_dtype(DType::I32).with_dims([rows, k]), Block::new([block, k], |[i]| (i, 0)))
    .call(&[x]);
    (results[0].clone(), results[1].clone())
}
