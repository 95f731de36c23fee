//! Products of matrices, plain, grouped, quantized, sparse; factors.

use jarrah_array::{Array, DType, along, concatenate, linalg, nn};
use jarrah_kernels as kernels;

use crate::{agrees_within, equals, integers, noise, noise_from};

#[test]
fn tiles() {
    // Tiles that do not divide the matrices.
    let xs = [noise(&[130, 300]), noise_from(&[300, 140], 1)];
    agrees_within(
        1e-4,
        |xs| vec![kernels::matmul(&xs[0], &xs[1])],
        |xs| vec![xs[0].matmul(&xs[1])],
        &xs,
        &[0, 1],
    );
    let xs = [noise(&[30, 300]), noise_from(&[300, 140], 1), noise_from(&[140], 2)];
    let plain = |xs: &[Array]| vec![nn::gelu(&(xs[0].matmul(&xs[1]) + &xs[2]))];
    agrees_within(1e-4, |xs| vec![kernels::matmul_bias_gelu(&xs[0], &xs[1], &xs[2])], plain, &xs, &[0, 1, 2]);
    let xs = [noise(&[3, 20, 30]), noise_from(&[3, 30, 10], 1)];
    agrees_within(
        1e-4,
        |xs| vec![kernels::batched_matmul(&xs[0], &xs[1])],
        |xs| vec![xs[0].matmul(&xs[1])],
        &xs,
        &[0, 1],
    );
    let xs = [integers(&[20, 300], 10, 1), integers(&[300, 9], 10, 2)];
    equals(|xs| vec![kernels::matmul(&xs[0], &xs[1])], |xs| vec![xs[0].matmul(&xs[1])], &xs);
}

#[test]
fn groups_of_rows() {
    // An empty group, one of more rows than a block, and rows that no group has.
    let sizes = [5i32, 0, 140, 30];
    let xs = [noise(&[180, 12]), noise_from(&[4, 12, 7], 1), Array::from_slice(&sizes)];
    let plain = |xs: &[Array]| {
        let (mut parts, mut from) = (Vec::new(), 0);
        for (g, &size) in sizes.iter().enumerate() {
            let size = size as i64;
            parts.push(xs[0].index((from..from + size, ..)).matmul(&xs[1].index(g as i64)));
            from += size;
        }
        parts.push(Array::zeros(&[180 - from as usize, 7]));
        vec![concatenate(&parts.iter().collect::<Vec<_>>(), 0)]
    };
    agrees_within(1e-4, |xs| vec![kernels::grouped_matmul(&xs[0], &xs[1], &xs[2])], plain, &xs, &[0, 1]);
}

#[test]
fn small_integers() {
    let (x, y) = (noise(&[70, 130]), noise_from(&[66, 130], 1));
    let quantize = |x: &Array| {
        let scale = x.abs().max(along(1).keepdims()) / 127.0;
        ((x / &scale).round().astype(DType::I8), scale.squeeze(1))
    };
    let plain = |xs: &[Array]| {
        let (q, scale) = quantize(&xs[0]);
        vec![q, scale]
    };
    let kernel = |xs: &[Array]| {
        let (q, scale) = kernels::quantize(&xs[0]);
        vec![q, scale]
    };
    agrees_within(1e-6, kernel, plain, std::slice::from_ref(&x), &[]);
    let ((qx, sx), (qy, sy)) = (quantize(&x), quantize(&y));
    let whole = |q: &Array, s: &Array| q.astype(DType::F32) * s.expand_dims(1);
    let args = [qx.clone(), sx.clone()];
    agrees_within(
        1e-6,
        |xs| vec![kernels::dequantize(&xs[0], &xs[1])],
        |xs| vec![whole(&xs[0], &xs[1])],
        &args,
        &[1],
    );
    let plain = |xs: &[Array]| vec![whole(&xs[0], &xs[1]).matmul(&whole(&xs[2], &xs[3]).t())];
    let args = [qx, sx, qy, sy];
    agrees_within(
        1e-4,
        |xs| vec![kernels::int8_matmul(&xs[0], &xs[1], &xs[2], &xs[3])],
        plain,
        &args,
        &[1, 3],
    );

    let (low, high) = (integers(&[65, 20], 16, 3), integers(&[65, 20], 16, 4));
    let packed = (&low + &high * 16).astype(DType::U8);
    let plain = |xs: &[Array]| {
        let halves = [xs[1].astype(DType::I32) & 15, xs[1].astype(DType::I32).shift_right(4)];
        let signed = halves.map(|half| (half + 8) % 16 - 8);
        let w = jarrah_array::stack(&[&signed[0], &signed[1]], 1).reshape(&[130, 20]).astype(DType::F32);
        vec![xs[0].matmul(&(w * &xs[2]))]
    };
    let args = [x, packed, noise_from(&[20], 5)];
    agrees_within(1e-4, |xs| vec![kernels::int4_matmul(&xs[0], &xs[1], &xs[2])], plain, &args, &[0, 2]);
}

#[test]
fn blocks_of_a_sparse_matrix() {
    let (rows, columns) = ([0i32, 0, 2], [1i32, 2, 0]);
    let xs =
        [noise(&[3, 8, 4]), Array::from_slice(&rows), Array::from_slice(&columns), noise_from(&[12, 5], 1)];
    let plain = |xs: &[Array]| {
        let mut dense = Array::zeros(&[32, 12]);
        for b in 0..3 {
            let (i, j) = (rows[b] as i64 * 8, columns[b] as i64 * 4);
            dense = dense.at((i..i + 8, j..j + 4)).set(xs[0].index(b as i64));
        }
        vec![dense.matmul(&xs[3])]
    };
    let kernel = |xs: &[Array]| vec![kernels::block_sparse_matmul(&xs[0], &xs[1], &xs[2], &xs[3], 32)];
    agrees_within(1e-4, kernel, plain, &xs, &[0, 3]);
}

#[test]
fn factors() {
    let a = noise(&[5, 6, 6]);
    let x = a.matmul(&a.swapaxes(1, 2)) + Array::eye(6) * 0.5;
    let plain = |xs: &[Array]| vec![linalg::cholesky(&xs[0])];
    agrees_within(1e-4, |xs| vec![kernels::cholesky(&xs[0])], plain, std::slice::from_ref(&x), &[]);
    // The derivative is that of the steps; symmetric directions are those of both.
    let loss = |f: &dyn Fn(&Array) -> Array, x: &Array| {
        (f(&((x + x.swapaxes(1, 2)) * 0.5)) * noise_from(&[5, 6, 6], 3)).sum(..)
    };
    let slope = jarrah_array::grad(|x: &Array| loss(&kernels::cholesky, x))(&x);
    let wanted = jarrah_array::grad(|x: &Array| loss(&|x| linalg::cholesky(x), x))(&x);
    crate::close_within(&slope, &wanted, 1e-3);
}
