//! Elements that move: transposed, gathered, scattered, counted, packed.

use jarrah_array::kernel::{Block, BlockDim, ds, kernel, program_id};
use jarrah_array::{Array, DType, Type, lax};

use crate::shape::{extents, require};

/// `y[j, i] = x[i, j]`, tile by tile.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::arange(6).reshape(&[2, 3]);
/// assert_eq!(jarrah_kernels::transpose(&x).to_vec::<i32>()?, [0, 3, 1, 4, 2, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn transpose(x: &Array) -> Array {
    let [rows, columns] = extents("transpose", "the matrix", x);
    let (bm, bn) = (rows.clamp(1, 64), columns.clamp(1, 64));
    kernel(|[x, y]| y.set(x.get().t()))
        .name("transpose")
        .grid(&[rows.div_ceil(bm), columns.div_ceil(bn)])
        .input(Block::new([bm, bn], |[i, j]| [i, j]))
        .output(x.ty().with_dims([columns, rows]), Block::new([bn, bm], |[i, j]| [j, i]))
        .call_one(&[x])
}

/// `y[i] = table[rows[i]]`: the positions are known before a point begins, and say which row it sees. Rows outside of the table are
/// zeros.
///
/// ```
/// use jarrah_array::Array;
/// let (table, rows) = (Array::arange(6).reshape(&[3, 2]), Array::from_slice(&[2i32, 0]));
/// assert_eq!(jarrah_kernels::gather_rows(&table, &rows).to_vec::<i32>()?, [4, 5, 0, 1]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn gather_rows(table: &Array, rows: &Array) -> Array {
    let ([_, width], [count]) =
        (extents("gather_rows", "the table", table), extents("gather_rows", "the rows", rows));
    kernel(|[_, x, y]| y.set(x.get()))
        .name("gather_rows")
        .grid(&[count])
        .prefetch(1)
        .input(Block::found((BlockDim::Squeezed, width), |[i], [rows]| (rows.index(i), 0)))
        .output(table.ty().with_dims([count, width]), Block::new((BlockDim::Squeezed, width), |[i]| (i, 0)))
        .call_one(&[rows, table])
}

/// `table` with `updates[i]` added to row `rows[i]`, in order; rows outside of the table are left out.
///
/// ```
/// use jarrah_array::Array;
/// let (rows, ones) = (Array::from_slice(&[2i32, 0, 2]), Array::ones(&[3, 2]));
/// let y = jarrah_kernels::scatter_add_rows(&Array::zeros(&[3, 2]), &rows, &ones);
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 1.0, 0.0, 0.0, 2.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn scatter_add_rows(table: &Array, rows: &Array, updates: &Array) -> Array {
    let op = "scatter_add_rows";
    let ([_, width], [count, columns]) =
        (extents(op, "the table", table), extents(op, "the updates", updates));
    require(op, width == columns && rows.shape() == [count] && table.dtype() == updates.dtype(), || {
        format!("{} at rows {} do not fit {}", updates.ty(), rows.ty(), table.ty())
    });
    let row = || Block::found((BlockDim::Squeezed, width), |[i], [rows]| (rows.index(i), 0));
    kernel(|[_, _, x, y]| y.addupdate(x.get()))
        .name(op)
        .grid(&[count])
        .prefetch(1)
        .input(row())
        .input(Block::new((BlockDim::Squeezed, width), |[i]| (i, 0)))
        .output(table.ty(), row())
        .alias(1, 0)
        .call_one(&[rows, table, updates])
}

/// How many elements of `x`, integers, are 0, 1, ... `bins - 1`, as `i32`; others are not counted.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1i32, 0, 1, 7, -1]);
/// assert_eq!(jarrah_kernels::histogram(&x, 3).to_vec::<i32>()?, [1, 2, 0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn histogram(x: &Array, bins: usize) -> Array {
    require("histogram", x.dtype().is_integer(), || format!("the array is {}, not of integers", x.ty()));
    let (size, block) = (x.size(), x.size().clamp(1, 512));
    // The bin of each element, a number that is none for those that are not counted.
    let bin = x.astype(DType::I64).clip(-1, bins).astype(DType::I32);
    kernel(|[x, counts]| {
        let inside = lax::iota(DType::I32, &[block, 1], 0).lt(size as i64 - program_id(0) * block);
        let here = x.get().expand_dims(1).eq(lax::iota(DType::I32, &[1, bins], 1)) & inside;
        counts.addupdate(here.astype(DType::I32).sum(0));
    })
    .name("histogram")
    .grid(&[size.div_ceil(block)])
    .input(Block::new([block], |[i]| [i]))
    .output_whole(Type::tensor(DType::I32, [bins]))
    .call_one(&[&bin.reshape(&[size])])
}

/// The elements of `x`, `[n]`, where `keep` holds, in order, then zeros; and how many there are, an `i32`.
///
/// A point finds the places of its elements by a prefix sum of the mask, behind those that the points before it have kept.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[5i32, -1, 7, -2, 9]);
/// let (y, count) = jarrah_kernels::compact(&x, &x.gt(0));
/// assert_eq!((y.to_vec::<i32>()?, count.item::<i32>()?), (vec![5, 7, 9, 0, 0], 3));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn compact(x: &Array, keep: &Array) -> (Array, Array) {
    let [n] = extents("compact", "the array", x);
    require("compact", keep.shape() == [n], || format!("the mask is {}, the array {}", keep.ty(), x.ty()));
    let block = n.clamp(1, 256);
    let results = kernel(|[x, keep, y, count]| {
        let (x, keep) = (x.get(), keep.get().astype(DType::I32));
        let place = keep.cumsum(0).astype(DType::I32) - 1;
        // The kept elements at the front of the block, then zeros; others go nowhere.
        let target = jarrah_array::where_(&keep.gt(0), place, block as i64);
        let packed = x.zeros_like().at(&target).set(&x);
        let kept = keep.sum(..).astype(DType::I32);
        let first = count.get();
        let inside = lax::iota(DType::I32, &[block], 0).lt(&kept);
        y.at(ds(&first, block)).mask(&inside).set(packed);
        count.addupdate(kept);
    })
    .name("compact")
    .grid(&[n.div_ceil(block)])
    .input(Block::new([block], |[i]| [i]))
    .input(Block::new([block], |[i]| [i]))
    .output_whole(x.ty())
    .output_whole(Type::scalar(DType::I32))
    .call(&[x, &keep.astype(DType::Bool)]);
    (results[0].clone(), results[1].clone())
}
