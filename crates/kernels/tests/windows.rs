//! Convolutions, pools and stencils.

use jarrah_array::{Array, DType, lax};
use jarrah_kernels as kernels;

use crate::{agrees, agrees_within, equals, integers, noise, noise_from};

fn padded(x: &Array) -> Array {
    lax::pad(x, &x.zeros_like().reshape(&[-1]).index(0), &[1, 1], &[1, 1])
}

/// The image moved by one row and column less than these.
fn moved(x: &Array, r: i64, c: i64) -> Array {
    let (rows, columns) = (x.shape()[0] as i64, x.shape()[1] as i64);
    padded(x).index((r..r + rows, c..c + columns))
}

#[test]
fn convolutions() {
    let xs = [noise(&[2, 70, 3]), noise_from(&[4, 3, 5], 1)];
    let plain = |xs: &[Array]| {
        let wide = lax::pad(&xs[0], &Array::scalar(0.0f32), &[0, 1, 0], &[0, 2, 0]);
        let terms = (0..4i64).map(|k| wide.index((.., k..k + 70)).matmul(&xs[1].index(k)));
        vec![terms.reduce(|a, b| a + b).unwrap()]
    };
    agrees_within(1e-4, |xs| vec![kernels::conv1d(&xs[0], &xs[1])], plain, &xs, &[0, 1]);
    let xs = [noise(&[2, 6, 7, 3]), noise_from(&[3, 2, 3, 4], 1)];
    let plain = |xs: &[Array]| {
        let places = (0..3i64).flat_map(|k| (0..2i64).map(move |l| (k, l)));
        let terms = places.map(|(k, l)| xs[0].index((.., k..k + 4, l..l + 6)).matmul(&xs[1].index((k, l))));
        vec![terms.reduce(|a, b| a + b).unwrap()]
    };
    agrees_within(1e-4, |xs| vec![kernels::conv2d(&xs[0], &xs[1])], plain, &xs, &[0, 1]);
    let plain = |xs: &[Array]| {
        let places = (0..3i64).flat_map(|k| (0..2i64).map(move |l| (k, l)));
        let columns: Vec<Array> =
            places.map(|(k, l)| xs[0].index((k..k + 4, l..l + 6)).reshape(&[24])).collect();
        vec![jarrah_array::stack(&columns.iter().collect::<Vec<_>>(), 1)]
    };
    agrees(|xs| vec![kernels::im2col(&xs[0], 3, 2)], plain, &[noise(&[6, 7])], &[0]);
}

#[test]
fn pools() {
    let windows = |x: &Array| x.index((.., ..6, ..4)).reshape(&[2, 3, 2, 2, 2, 3]);
    let x = noise(&[2, 7, 5, 3]);
    let mean = |xs: &[Array]| vec![windows(&xs[0]).mean([2, 4])];
    agrees(|xs| vec![kernels::average_pool(&xs[0], 2)], mean, std::slice::from_ref(&x), &[0]);
    let max = |xs: &[Array]| vec![windows(&xs[0]).max([2, 4])];
    agrees(|xs| vec![kernels::max_pool(&xs[0], 2)], max, &[x], &[0]);
}

#[test]
fn stencils() {
    let x = noise(&[40, 9]);
    let plain = |xs: &[Array]| {
        let x = &xs[0];
        let sum = moved(x, 0, 1) + moved(x, 2, 1) + moved(x, 1, 0) + moved(x, 1, 2) - x * 4;
        vec![x.at((1..39, 1..8)).set(sum.index((1..39, 1..8)))]
    };
    agrees(|xs| vec![kernels::laplace(&xs[0])], plain, std::slice::from_ref(&x), &[0]);
    let plain = |xs: &[Array]| {
        let at = |r, c| moved(&xs[0], r, c);
        let gx = at(0, 2) + at(1, 2) * 2 + at(2, 2) - at(0, 0) - at(1, 0) * 2 - at(2, 0);
        let gy = at(2, 0) + at(2, 1) * 2 + at(2, 2) - at(0, 0) - at(0, 1) * 2 - at(0, 2);
        vec![(gx.square() + gy.square()).sqrt()]
    };
    agrees(|xs| vec![kernels::sobel(&xs[0])], plain, &[x], &[0]);
    let cells = integers(&[40, 30], 2, 1).astype(DType::U8);
    let plain = |xs: &[Array]| {
        let mut neighbours = xs[0].zeros_like();
        for (r, c) in (0..9).map(|i| (i / 3, i % 3)).filter(|place| *place != (1, 1)) {
            neighbours += moved(&xs[0], r, c);
        }
        vec![(neighbours.eq(3) | (neighbours.eq(2) & xs[0].eq(1))).astype(DType::U8)]
    };
    equals(|xs| vec![kernels::life(&xs[0])], plain, &[cells]);
}
