//! Normalizations, and the gradients of those of rows.

use jarrah_array::kernel::{Block, BlockDim, kernel};
use jarrah_array::{Array, along, where_};

use crate::shape::{Operand, as_rows, by_rows, extents, require, row_blocks};

/// The weights of a normalization, one for each column.
#[track_caller]
fn one_per_column(op: &str, x: &Array, weights: &[&Array]) {
    let width = x.shape().last().copied().unwrap_or(0);
    for weight in weights {
        require(op, weight.shape() == [width], || format!("there are {width} weights, not {}", weight.ty()));
    }
}

/// `(x - mean) / sqrt(var + epsilon)` of each row of a block, and the divisor's inverse.
#[track_caller]
fn standardized(x: &Array, epsilon: f64) -> (Array, Array) {
    let centered = x - x.mean(along(1).keepdims());
    let inverse = 1.0 / (centered.square().mean(along(1).keepdims()) + epsilon).sqrt();
    (centered * &inverse, inverse)
}

/// `(x - mean) / sqrt(var + epsilon) scale + bias` along the last axis, with weights `[width]`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1.0f32, 3.0]).reshape(&[1, 2]);
/// let y = jarrah_kernels::layer_norm(&x, &Array::ones(&[2]), &Array::zeros(&[2]), 0.0);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ba, Kiros and Hinton, Layer normalization (2016).
#[track_caller]
pub fn layer_norm(x: &Array, scale: &Array, bias: &Array, epsilon: f64) -> Array {
    one_per_column("layer_norm", x, &[scale, bias]);
    let matrix = as_rows("layer_norm", x);
    let operands = [Operand::Rows(&matrix), Operand::Whole(scale), Operand::Whole(bias)];
    let y = by_rows("layer_norm", &operands, &[(matrix.shape()[1], x.dtype())], |xs| {
        vec![standardized(&xs[0], epsilon).0 * &xs[1] + &xs[2]]
    });
    y[0].reshape(&x.shape()[..])
}

/// The gradients of [`layer_norm`] by `x`, `scale` and `bias`, for the gradient `dy` by its result: with `n = (x - mean) / s` and
/// `g = dy scale`, those are `(g - mean(g) - n mean(g n)) / s`, `sum dy n` and `sum dy`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1.0f32, 3.0]).reshape(&[1, 2]);
/// let [_, scale, bias] = jarrah_kernels::layer_norm_gradient(&x, &Array::ones(&[2]), &Array::ones(&[1, 2]), 0.0);
/// assert_eq!((scale.to_vec::<f32>()?, bias.to_vec::<f32>()?), (vec![-1.0, 1.0], vec![1.0, 1.0]));
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn layer_norm_gradient(x: &Array, scale: &Array, dy: &Array, epsilon: f64) -> [Array; 3] {
    let op = "layer_norm_gradient";
    one_per_column(op, x, &[scale]);
    require(op, x.shape() == dy.shape(), || format!("the array is {}, the gradient {}", x.ty(), dy.ty()));
    let (matrix, dy) = (as_rows(op, x), as_rows(op, dy));
    let [rows, width] = extents(op, "the array", &matrix);
    let (block, blocks) = row_blocks(rows);
    let results = kernel(|[x, scale, dy, dx, dscale, dbias]| {
        let (n, inverse) = standardized(&x.get(), epsilon);
        let dy = dy.get();
        let g = &dy * scale.get();
        let mean = |x: Array| x.mean(along(1).keepdims());
        dx.set((&g - mean(g.clone()) - &n * mean(&g * &n)) * inverse);
        // Rows behind the last one have no gradient: dy is zero there.
        dscale.addupdate((&dy * &n).sum(0));
        dbias.addupdate(dy.sum(0));
    })
    .name(op)
    .grid(&[blocks])
    .input(Block::new([block, width], |[i]| (i, 0)))
    .input(Block::whole())
    .input(Block::new([block, width], |[i]| (i, 0)))
    .output(matrix.ty(), Block::new([block, width], |[i]| (i, 0)))
    .output_whole(scale.ty())
    .output_whole(scale.ty())
    .call(&[&matrix, scale, &dy]);
    [results[0].reshape(&x.shape()[..]), results[1].clone(), results[2].clone()]
}

/// `x / sqrt(mean x^2 + epsilon) scale` along the last axis, with weights `[width]`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[3.0f32, -3.0]).reshape(&[1, 2]);
/// assert_eq!(jarrah_kernels::rms_norm(&x, &Array::ones(&[2]), 0.0).to_vec::<f32>()?, [1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Zhang and Sennrich, Root mean square layer normalization (2019).
#[track_caller]
pub fn rms_norm(x: &Array, scale: &Array, epsilon: f64) -> Array {
    one_per_column("rms_norm", x, &[scale]);
    let matrix = as_rows("rms_norm", x);
    let operands = [Operand::Rows(&matrix), Operand::Whole(scale)];
    let y = by_rows("rms_norm", &operands, &[(matrix.shape()[1], x.dtype())], |xs| {
        let x = &xs[0];
        vec![x / (x.square().mean(along(1).keepdims()) + epsilon).sqrt() * &xs[1]]
    });
    y[0].reshape(&x.shape()[..])
}

/// The gradients of [`rms_norm`] by `x` and `scale`, for the gradient `dy` by its result: with `n = x / s` and `g = dy scale`, those
/// are `(g - n mean(g n)) / s` and `sum dy n`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[3.0f32, -3.0]).reshape(&[1, 2]);
/// let [_, scale] = jarrah_kernels::rms_norm_gradient(&x, &Array::ones(&[2]), &Array::ones(&[1, 2]), 0.0);
/// assert_eq!(scale.to_vec::<f32>()?, [1.0, -1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn rms_norm_gradient(x: &Array, scale: &Array, dy: &Array, epsilon: f64) -> [Array; 2] {
    let op = "rms_norm_gradient";
    one_per_column(op, x, &[scale]);
    require(op, x.shape() == dy.shape(), || format!("the array is {}, the gradient {}", x.ty(), dy.ty()));
    let (matrix, dy) = (as_rows(op, x), as_rows(op, dy));
    let [rows, width] = extents(op, "the array", &matrix);
    let (block, blocks) = row_blocks(rows);
    let results = kernel(|[x, scale, dy, dx, dscale]| {
        let (x, dy) = (x.get(), dy.get());
        let power = x.square().mean(along(1).keepdims()) + epsilon;
        // Rows behind the last one are zeros, which have no direction.
        let inverse = where_(&power.gt(0.0), 1.0 / power.sqrt(), 0.0);
        let n = &x * &inverse;
        let g = &dy * scale.get();
        dx.set((&g - &n * (&g * &n).mean(along(1).keepdims())) * inverse);
        dscale.addupdate((dy * n).sum(0));
    })
    .name(op)
    .grid(&[blocks])
    .input(Block::new([block, width], |[i]| (i, 0)))
    .input(Block::whole())
    .input(Block::new([block, width], |[i]| (i, 0)))
    .output(matrix.ty(), Block::new([block, width], |[i]| (i, 0)))
    .output_whole(scale.ty())
    .call(&[&matrix, scale, &dy]);
    [results[0].reshape(&x.shape()[..]), results[1].clone()]
}

/// Each of `groups` groups of channels of `x`, `[batch, channels, places]`, less its mean, divided by `sqrt(var + epsilon)`, times
/// `scale[channels]` plus `bias[channels]`.
///
/// ```
/// use jarrah_array::Array;
/// let x = Array::from_slice(&[1.0f32, 3.0, 5.0, 9.0]).reshape(&[1, 2, 2]);
/// let y = jarrah_kernels::group_norm(&x, &Array::ones(&[2]), &Array::zeros(&[2]), 2, 0.0);
/// assert_eq!(y.to_vec::<f32>()?, [-1.0, 1.0, -1.0, 1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Wu and He, Group normalization (2018).
#[track_caller]
pub fn group_norm(x: &Array, scale: &Array, bias: &Array, groups: usize, epsilon: f64) -> Array {
    let [batch, channels, places] = extents("group_norm", "the array", x);
    require("group_norm", groups > 0 && channels % groups == 0, || {
        format!("{groups} groups do not divide {channels} channels")
    });
    require("group_norm", [scale, bias].iter().all(|each| each.shape() == [channels]), || {
        format!("the scale {} and the bias {} are not of {channels} channels", scale.ty(), bias.ty())
    });
    let width = channels / groups;
    kernel(|[x, scale, bias, y]| {
        let x = x.get();
        let centered = &x - x.mean(..);
        let n = &centered / (centered.square().mean(..) + epsilon).sqrt();
        y.set(n * scale.get().expand_dims(1) + bias.get().expand_dims(1));
    })
    .name("group_norm")
    .grid(&[batch, groups])
    .input(Block::new((BlockDim::Squeezed, width, places), |[b, g]| (b, g, 0)))
    .input(Block::new([width], |[_, g]| [g]))
    .input(Block::new([width], |[_, g]| [g]))
    .output(x.ty(), Block::new((BlockDim::Squeezed, width, places), |[b, g]| (b, g, 0)))
    .call_one(&[x, scale, bias])
}

/// `(x - mean) / sqrt(var + epsilon) scale + bias` along the last axis, with means and variances `[width]` that are known.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let (one, x) = (Array::ones(&[2]), Array::full(&[1, 2], 3.0, jarrah_array::DType::F32));
/// assert_eq!(jarrah_kernels::batch_norm(&x, &one, &one, &one, &one, 0.0).to_vec::<f32>()?, [3.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Ioffe and Szegedy, Batch normalization (2015).
#[track_caller]
pub fn batch_norm(x: &Array, mean: &Array, var: &Array, scale: &Array, bias: &Array, epsilon: f64) -> Array {
    one_per_column("batch_norm", x, &[mean, var, scale, bias]);
    let matrix = as_rows("batch_norm", x);
    let operands = [
        Operand::Rows(&matrix),
        Operand::Whole(mean),
        Operand::Whole(var),
        Operand::Whole(scale),
        Operand::Whole(bias),
    ];
    let y = by_rows("batch_norm", &operands, &[(matrix.shape()[1], x.dtype())], |xs| {
        let factor = &xs[3] / (&xs[2] + epsilon).sqrt();
        vec![(&xs[0] - &xs[1]) * factor + &xs[4]]
    });
    y[0].reshape(&x.shape()[..])
}
