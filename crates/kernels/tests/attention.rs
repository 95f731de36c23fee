//! Attention, its backward pass, caches and positions.

use jarrah_array::{Array, DType, concatenate, lax, where_};
use jarrah_kernels as kernels;

use crate::{agrees_within, close_within, noise, noise_from};

/// Attention of `[heads, queries, d]` to keys and values `[groups, keys, d]`, at the places where `seen` holds.
fn plain(q: &Array, k: &Array, v: &Array, seen: &Array) -> Array {
    let group = q.shape()[0] / k.shape()[0];
    let (k, v) = (k.repeat(group, 0), v.repeat(group, 0));
    let scores = q.matmul(&k.swapaxes(1, 2)) / (q.shape()[2] as f64).sqrt();
    where_(seen, scores, -1e30).softmax(-1).matmul(&v)
}

/// The distance of a query's position from a key's.
fn distance(queries: usize, keys: usize) -> Array {
    lax::iota(DType::I32, &[queries, keys], 0) - lax::iota(DType::I32, &[queries, keys], 1)
}

fn qkv(heads: usize, groups: usize, queries: usize, keys: usize, d: usize) -> [Array; 3] {
    [
        noise(&[heads, queries, d]) * 2.0,
        noise_from(&[groups, keys, d], 1) * 2.0,
        noise_from(&[groups, keys, d], 2),
    ]
}

#[test]
fn blockwise() {
    // Ragged blocks of queries and keys; heads that share keys.
    for (heads, groups, queries, keys) in [(2, 2, 100, 150), (4, 2, 70, 70), (1, 1, 5, 3)] {
        let xs = qkv(heads, groups, queries, keys, 8);
        for causal in [false, true] {
            let seen = if causal { distance(queries, keys).ge(0) } else { distance(queries, keys).ge(-1000) };
            let f = |xs: &[Array]| vec![kernels::flash_attention(&xs[0], &xs[1], &xs[2], causal)];
            agrees_within(1e-4, f, |xs| vec![plain(&xs[0], &xs[1], &xs[2], &seen)], &xs, &[0, 1, 2]);
        }
    }
}

#[test]
fn windowed() {
    for window in [1, 20, 90] {
        let xs = qkv(2, 1, 150, 150, 4);
        let seen = distance(150, 150).ge(0) & distance(150, 150).lt(window as i64);
        let f = |xs: &[Array]| vec![kernels::sliding_window_attention(&xs[0], &xs[1], &xs[2], window)];
        agrees_within(1e-4, f, |xs| vec![plain(&xs[0], &xs[1], &xs[2], &seen)], &xs, &[0, 1, 2]);
    }
}

#[test]
fn of_one_query() {
    let (batch, heads, capacity, d) = (3, 2, 150, 8);
    let lengths = Array::from_slice(&[1i32, 150, 70]);
    let xs = [
        noise(&[batch, heads, d]),
        noise_from(&[batch, heads, capacity, d], 1),
        noise_from(&[batch, heads, capacity, d], 2),
        lengths,
    ];
    let plain = |xs: &[Array]| {
        let scores = (xs[0].expand_dims(2) * &xs[1]).sum(3) / (d as f64).sqrt();
        let seen = lax::iota(DType::I32, &[1, 1, capacity], 2).lt(xs[3].reshape(&[batch, 1, 1]));
        let p = where_(&seen, scores, -1e30).softmax(-1);
        vec![(p.expand_dims(3) * &xs[2]).sum(2)]
    };
    agrees_within(
        1e-4,
        |xs| vec![kernels::decode_attention(&xs[0], &xs[1], &xs[2], &xs[3])],
        plain,
        &xs,
        &[],
    );
    // Without keys, zeros; of no more keys than there are.
    let [q, k, v, _] = &xs;
    let some = kernels::decode_attention(q, k, v, &Array::from_slice(&[0i64, 1 << 33, 70]));
    let all = kernels::decode_attention(q, k, v, &Array::from_slice(&[1i32, capacity as i32, 70]));
    assert_eq!(some.index(0).to_vec::<f32>().unwrap(), vec![0.0; heads * d]);
    assert_eq!(some.index(1..).to_vec::<f32>().unwrap(), all.index(1..).to_vec::<f32>().unwrap());
}

#[test]
fn of_pages() {
    let (heads, d, page) = (2, 4, 8);
    let (starts, lengths) = ([0i64, 3, 4, 9], [20usize, 7, 5]);
    let tables = Array::from_slice(&[5i32, 0, 3, 2, 9, 9, 7, 1, 1]).reshape(&[3, 3]);
    let whole = |x: &[i64]| Array::from_slice(&x.iter().map(|&x| x as i32).collect::<Vec<_>>());
    let lens: Vec<i64> = lengths.iter().map(|&l| l as i64).collect();
    let xs = [
        noise(&[10, heads, d]),
        noise_from(&[8, page, heads, d], 1),
        noise_from(&[8, page, heads, d], 2),
        whole(&starts),
        tables,
        whole(&lens),
    ];
    let rows = [[5i64, 0, 3], [2, 9, 9], [7, 1, 1]];
    let reference = |xs: &[Array]| {
        let mut parts = Vec::new();
        for s in 0..3 {
            let pages = lengths[s].div_ceil(page);
            let gathered = |x: &Array| {
                let all: Vec<Array> = rows[s][..pages].iter().map(|&p| x.index(p)).collect();
                concatenate(&all.iter().collect::<Vec<_>>(), 0).index(..lengths[s] as i64).swapaxes(0, 1)
            };
            let q = xs[0].index(starts[s]..starts[s + 1]).swapaxes(0, 1);
            let count = (starts[s + 1] - starts[s]) as usize;
            let seen = (distance(count, lengths[s]) + (lengths[s] - count) as i64).ge(0);
            parts.push(plain(&q, &gathered(&xs[1]), &gathered(&xs[2]), &seen).swapaxes(0, 1));
        }
        // A token of no sequence.
        parts.push(Array::zeros(&[1, heads, d]));
        vec![concatenate(&parts.iter().collect::<Vec<_>>(), 0)]
    };
    let f = |xs: &[Array]| vec![kernels::paged_attention(&xs[0], &xs[1], &xs[2], &xs[3], &xs[4], &xs[5], 5)];
    agrees_within(1e-4, f, reference, &xs, &[]);
}

#[test]
fn turned() {
    let x = noise(&[3, 150, 8]);
    let plain = |xs: &[Array]| {
        let (place, pair) =
            (Array::arange(150).astype(DType::F32).expand_dims(1), Array::arange(4).astype(DType::F32));
        let angle = place * Array::full(&[4], 10000.0, DType::F32).pow(pair * -0.25);
        let (a, b) = (xs[0].index((jarrah_array::Ellipsis, ..4)), xs[0].index((jarrah_array::Ellipsis, 4..)));
        vec![concatenate(
            &[&(&a * angle.cos() - &b * angle.sin()), &(&b * angle.cos() + &a * angle.sin())],
            2,
        )]
    };
    agrees_within(
        2e-4,
        |xs| vec![kernels::rotary_embedding(&xs[0], 10000.0)],
        plain,
        std::slice::from_ref(&x),
        &[0],
    );
    // A rotation changes no length.
    let y = kernels::rotary_embedding(&x, 100.0);
    close_within(&y.square().sum(-1), &x.square().sum(-1), 1e-5);
}
