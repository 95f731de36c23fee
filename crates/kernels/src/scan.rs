//! Sums and recurrences along rows: a block goes on where the block before it ended.

use jarrah_array::kernel::{Block, BlockDim, kernel};
use jarrah_array::{Array, DType, Type};

use crate::shape::{extents, require, row_blocks};

/// `y[i, j] = sum of x[i, ..=j]` of a matrix: a block of columns adds what scratch has of the blocks before. Floats are added in `f64`, and
/// each sum is rounded once.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::ones(&[1, 3]);
/// assert_eq!(jarrah_kernels::cumsum(&x).to_vec::<f32>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn cumsum(x: &Array) -> Array {
    let [rows, columns] = extents("cumsum", "the matrix", x);
    let ((block, blocks), width, dtype) = (row_blocks(rows), columns.clamp(1, 128), x.dtype());
    let wide = if dtype.is_float() { DType::F64 } else { dtype };
    kernel(|[x, y, sum]| {
        let own = x.get().astype(wide).cumsum(1).astype(wide) + sum.get();
        sum.set(own.index((.., -1..)));
        y.set(own.astype(dtype));
    })
    .name("cumsum")
    .grid(&[blocks, columns.div_ceil(width)])
    .arbitrary(&[1])
    .input(Block::new([block, width], |[i, j]| [i, j]))
    .output(x.ty(), Block::new([block, width], |[i, j]| [i, j]))
    .scratch(Type::tensor(wide, [block, 1]))
    .call_one(&[x])
}

/// `h[t] = a[t] h[t - 1] + x[t]` from `h[-1] = 0`, of arrays `[time, width]`: one point of the grid a step and a block of the width.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let (a, x) = (Array::full(&[3, 1], 0.5, jarrah_array::DType::F32), Array::ones(&[3, 1]));
/// assert_eq!(jarrah_kernels::linear_recurrence(&a, &x).to_vec::<f32>()?, [1.0, 1.5, 1.75]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: De and others, Griffin: mixing gated linear recurrences with local attention (2024).
#[track_caller]
pub fn linear_recurrence(a: &Array, x: &Array) -> Array {
    let [time, width] = extents("linear_recurrence", "the array", x);
    require("linear_recurrence", a.ty() == x.ty(), || format!("factors are {}, terms {}", a.ty(), x.ty()));
    let block = width.clamp(1, 256);
    let lane = || Block::new((BlockDim::Squeezed, block), |[j, t]| (t, j));
    kernel(|[a, x, y, h]| {
        h.update(|h| a.get() * h + x.get());
        y.set(h.get());
    })
    .name("linear_recurrence")
    .grid(&[width.div_ceil(block), time])
    .arbitrary(&[1])
    .input(lane())
    .input(lane())
    .output(x.ty(), lane())
    .scratch(Type::tensor(x.dtype(), [block]))
    .call_one(&[a, x])
}
