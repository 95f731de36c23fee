//! Kernels that move elements, count and sort them.

use jarrah_array::{Array, DType, lax};
use jarrah_kernels as kernels;

use crate::{agrees, agrees_within, equals, integers, noise, noise_from};

#[test]
fn transposed() {
    let x = noise(&[70, 130]);
    agrees(|xs| vec![kernels::transpose(&xs[0])], |xs| vec![xs[0].t()], &[x], &[0]);
}

#[test]
fn gathered_and_scattered() {
    let rows = integers(&[9], 6, 1);
    let xs = [noise(&[6, 5]), rows.clone()];
    agrees(|xs| vec![kernels::gather_rows(&xs[0], &xs[1])], |xs| vec![xs[0].take(&xs[1], 0)], &xs, &[0]);
    let xs = [noise(&[6, 5]), rows, noise_from(&[9, 5], 2)];
    let plain = |xs: &[Array]| vec![xs[0].at(&xs[1]).add(&xs[2])];
    agrees(|xs| vec![kernels::scatter_add_rows(&xs[0], &xs[1], &xs[2])], plain, &xs, &[0, 2]);
    // Rows outside.
    let rows = Array::from_slice(&[7i32, -1, 2]);
    let found = kernels::gather_rows(&Array::ones(&[6, 1]), &rows).to_vec::<f32>().unwrap();
    assert_eq!(found, [0.0, 0.0, 1.0]);
    let found = kernels::scatter_add_rows(&Array::zeros(&[3, 1]), &rows, &Array::ones(&[3, 1]))
        .to_vec::<f32>()
        .unwrap();
    assert_eq!(found, [0.0, 0.0, 1.0]);
}

#[test]
fn counted_and_packed() {
    let x = integers(&[1100], 12, 3) - 1;
    let plain = |xs: &[Array]| {
        let counts: Vec<Array> =
            (0..9).map(|bin| xs[0].eq(bin).astype(DType::I32).sum(..).astype(DType::I32)).collect();
        vec![jarrah_array::stack(&counts.iter().collect::<Vec<_>>(), 0)]
    };
    equals(|xs| vec![kernels::histogram(&xs[0], 9)], plain, std::slice::from_ref(&x));
    // Positions past `i32` are none of those that a conversion makes of them.
    let wide = Array::from_slice(&[1i64 << 32, 1, -(1 << 32)]);
    assert_eq!(kernels::histogram(&wide, 2).to_vec::<i32>().unwrap(), [0, 1]);
    let table = Array::from_slice(&[5.0f32, 6.0]).reshape(&[2, 1]);
    assert_eq!(kernels::gather_rows(&table, &wide).to_vec::<f32>().unwrap(), [0.0, 6.0, 0.0]);
    let plain = |xs: &[Array]| {
        let keep = xs[0].gt(5);
        let order = (!&keep).astype(DType::I32).argsort(0);
        let count = keep.astype(DType::I32).sum(..).astype(DType::I32);
        let packed = xs[0].take(&order, 0);
        vec![jarrah_array::where_(&lax::iota(DType::I32, &[1100], 0).lt(&count), packed, 0), count]
    };
    let kernel = |xs: &[Array]| {
        let (y, count) = kernels::compact(&xs[0], &xs[0].gt(5));
        vec![y, count]
    };
    equals(kernel, plain, &[x]);
}

#[test]
fn sorted() {
    for columns in [1, 8, 13] {
        let x = integers(&[40, columns], 50, 1);
        equals(|xs| vec![kernels::bitonic_sort(&xs[0])], |xs| vec![xs[0].sort(1)], &[x]);
        agrees(
            |xs| vec![kernels::bitonic_sort(&xs[0])],
            |xs| vec![xs[0].sort(1)],
            &[noise(&[3, columns])],
            &[0],
        );
    }
    let plain = |xs: &[Array]| {
        let (values, places) = lax::top_k(&xs[0], 4);
        vec![values, places.astype(DType::I32)]
    };
    let kernel = |xs: &[Array]| {
        let (values, places) = kernels::top_k(&xs[0], 4);
        vec![values, places]
    };
    equals(kernel, plain, &[integers(&[35, 20], 9, 2)]);
    agrees_within(0.0, kernel, plain, &[noise(&[35, 20])], &[0]);
}
