//! Convolutions and pools: a point sees the rows that its results need, so blocks overlap.

use jarrah_array::kernel::{Block, BlockDim, kernel};
use jarrah_array::{Array, Ref, Type};

use crate::shape::{extents, require};

/// `y[b, t, o] = sum_{k, c} x[b, t + k - (taps - 1) / 2, c] w[k, c, o]`, zeros outside: `[batch, time, channels]` and
/// `[taps, channels, outputs]`.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::conv1d(&Array::ones(&[1, 4, 1]), &Array::ones(&[3, 1, 1]));
/// assert_eq!(y.to_vec::<f32>()?, [2.0, 3.0, 3.0, 2.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn conv1d(x: &Array, w: &Array) -> Array {
    let ([batch, time, channels], [taps, inputs, outputs]) =
        (extents("conv1d", "x", x), extents("conv1d", "w", w));
    require("conv1d", channels == inputs && taps > 0, || {
        format!("{} and {} have no convolution", x.ty(), w.ty())
    });
    let block = time.clamp(1, 64);
    let window = BlockDim::Element { size: block + taps - 1, before: (taps - 1) / 2 };
    kernel(|[x, w, y]| {
        let (x, w) = (x.get(), w.get());
        for k in 0..taps {
            y.addupdate(x.index((k..k + block, ..)).matmul(&w.index((k, ..))));
        }
    })
    .name("conv1d")
    .grid(&[batch, time.div_ceil(block)])
    .input(Block::new((BlockDim::Squeezed, window, channels), |[b, i]| (b, i * block, 0)))
    .input(Block::whole())
    .output(
        x.ty().with_dims([batch, time, outputs]),
        Block::new((BlockDim::Squeezed, block, outputs), |[b, i]| (b, i, 0)),
    )
    .call_one(&[x, w])
}

/// `y[b, i, j, o] = sum x[b, i + k, j + l, c] w[k, l, c, o]` of whole windows: `[batch, height, width, channels]` and
/// `[rows, columns, channels, outputs]`. A point of the grid makes one row of an image.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::conv2d(&Array::ones(&[1, 3, 3, 2]), &Array::ones(&[2, 2, 2, 1]));
/// assert_eq!(y.to_vec::<f32>()?, [8.0; 4]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn conv2d(x: &Array, w: &Array) -> Array {
    let op = "conv2d";
    let ([batch, height, width, channels], [rows, columns, inputs, outputs]) =
        (extents(op, "x", x), extents(op, "w", w));
    let fits = channels == inputs && (1..=height).contains(&rows) && (1..=width).contains(&columns);
    require(op, fits, || format!("{} and {} have no convolution", x.ty(), w.ty()));
    let (high, wide) = (height - rows + 1, width - columns + 1);
    kernel(|[x, w, y]| {
        let (x, w) = (x.get(), w.get());
        for k in 0..rows {
            for l in 0..columns {
                y.addupdate(x.index((k, l..l + wide, ..)).matmul(&w.index((k, l))));
            }
        }
    })
    .name(op)
    .grid(&[batch, high])
    .input(Block::new((BlockDim::Squeezed, BlockDim::element(rows), width, channels), |[b, i]| (b, i, 0, 0)))
    .input(Block::whole())
    .output(
        x.ty().with_dims([batch, high, wide, outputs]),
        Block::new((BlockDim::Squeezed, BlockDim::Squeezed, wide, outputs), |[b, i]| (b, i, 0, 0)),
    )
    .call_one(&[x, w])
}

/// The windows of images `[height, width]` as rows of a matrix: `[(height - rows + 1) (width - columns + 1), rows columns]`.
///
/// ```
/// use jarrah_array::Array;
/// let windows = jarrah_kernels::im2col(&Array::arange(6).reshape(&[2, 3]), 2, 2);
/// assert_eq!(windows.to_vec::<i32>()?, [0, 1, 3, 4, 1, 2, 4, 5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn im2col(x: &Array, rows: usize, columns: usize) -> Array {
    let [height, width] = extents("im2col", "the image", x);
    let fits = (1..=height).contains(&rows) && (1..=width).contains(&columns);
    require("im2col", fits, || format!("{} has no windows of {rows} rows and {columns} columns", x.ty()));
    let (high, wide) = (height - rows + 1, width - columns + 1);
    kernel(|[x, y]| {
        let x = x.get();
        for k in 0..rows {
            for l in 0..columns {
                y.at((.., k * columns + l)).set(x.index((k, l..l + wide)));
            }
        }
    })
    .name("im2col")
    .grid(&[high])
    .input(Block::new((BlockDim::element(rows), width), |[i]| (i, 0)))
    .output(x.ty().with_dims([high * wide, rows * columns]), Block::new([wide, rows * columns], |[i]| (i, 0)))
    .call_one(&[x])
}

/// Windows of `size` by `size`, `size` apart, of `[batch, height, width, channels]`, reduced by `f`; what makes no whole window is left
/// out.
#[track_caller]
fn pool(op: &str, x: &Array, size: usize, f: impl Fn(&Array) -> Array) -> Array {
    let [batch, height, width, channels] = extents(op, "the array", x);
    require(op, size > 0, || "a window of no elements".to_owned());
    let (high, wide) = (height / size, width / size);
    let body = |[x, y]: [Ref; 2]| {
        let windows = x.get().reshape(&[size, wide, size, channels]);
        y.set(f(&windows.swapaxes(1, 2).reshape(&[size * size, wide, channels])));
    };
    let ty: Type = x.ty().with_dims([batch, high, wide, channels]);
    kernel(body)
        .name(op)
        .grid(&[batch, high])
        .input(Block::new((BlockDim::Squeezed, size, BlockDim::element(wide * size), channels), |[b, i]| {
            (b, i, 0, 0)
        }))
        .output(
            ty,
            Block::new((BlockDim::Squeezed, BlockDim::Squeezed, wide, channels), |[b, i]| (b, i, 0, 0)),
        )
        .call_one(&[x])
}

/// The largest element of each window of `size` by `size` of images `[batch, height, width, channels]`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::arange(16).reshape(&[1, 4, 4, 1]);
/// assert_eq!(jarrah_kernels::max_pool(&x, 2).to_vec::<i32>()?, [5, 7, 13, 15]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn max_pool(x: &Array, size: usize) -> Array {
    pool("max_pool", x, size, |windows| windows.max(0))
}

/// The mean of each window of `size` by `size` of images `[batch, height, width, channels]`.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let x = Array::arange(4).astype(jarrah_array::DType::F32).reshape(&[1, 2, 2, 1]);
/// assert_eq!(jarrah_kernels::average_pool(&x, 2).to_vec::<f32>()?, [1.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn average_pool(x: &Array, size: usize) -> Array {
    pool("average_pool", x, size, |windows| windows.mean(0))
}
