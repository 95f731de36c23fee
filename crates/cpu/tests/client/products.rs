//! Products of integers, exact, and of floats with results of other types.

use jarrah_base::{CHAIN, DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Axes, ConvAxes, Convolution, DotGeneral};
use jarrah_hlo_eval::evaluate;

use super::{check, compare, numbers, program, run};

/// Integers of all sizes of a type.
fn integers(dtype: DType, dims: &[usize], seed: u64) -> Literal {
    let count: usize = dims.iter().product();
    let (low, high) = dtype.integer_range().unwrap();
    let span = high - low + 1;
    let value = |i: usize| {
        let mixed = (i as i128 + i128::from(seed)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
        match i % 7 {
            0 => low,
            1 => high,
            _ => low + mixed.rem_euclid(span),
        }
    };
    Literal::from_i128s(Type::tensor(dtype, dims.iter().copied()), &(0..count).map(value).collect::<Vec<_>>())
        .unwrap()
}

fn axes(list: &[usize]) -> Axes {
    list.iter().copied().collect()
}

/// Runs products of every pair of element types on one and on two threads, and gives what was found and expected to
/// `same`, with words for both.
fn every_pair(
    of: fn(DType) -> bool,
    draw: fn(DType, &[usize], u64) -> Literal,
    same: fn(&str, &[Literal], &[Literal]),
) {
    let clients = [CpuClient::with_threads(1), CpuClient::with_threads(2)];
    let all = DType::ALL.into_iter().filter(|&d| of(d));
    for from in all.clone() {
        for to in all.clone() {
            for (m, k, n) in [(5, 7, 3), (1, 33, 40), (67, 4, 1), (3, 0, 2), (8, 130, 65)] {
                let x = [draw(from, &[m, k], 1), draw(from, &[k, n], 2)];
                let op = DotGeneral {
                    lhs_contract: axes(&[1]),
                    rhs_contract: axes(&[0]),
                    lhs_batch: axes(&[]),
                    rhs_batch: axes(&[]),
                    out: to,
                };
                let types = [x[0].ty(), x[1].ty()];
                if jarrah_hlo::Op::from(op.clone()).infer(&types).is_err() {
                    continue;
                }
                let program = program(op, &types);
                let expected = evaluate(&program, &x).unwrap();
                for client in &clients {
                    let found = run(client, &program, &x);
                    same(&format!("{m} {k} {n} of {from} as {to}"), &found, &expected);
                }
            }
        }
    }
}

#[test]
fn integers_of_every_type() {
    every_pair(DType::is_integer, integers, |what, found, expected| assert_eq!(found, expected, "{what}"));
}

#[test]
fn sums_of_integers_as_floats_and_truth_values() {
    for from in DType::ALL.into_iter().filter(|d| d.is_integer()) {
        for to in [DType::F32, DType::F64, DType::BF16, DType::Bool] {
            let x = [integers(from, &[3, 300], 1), integers(from, &[300, 20], 2)];
            let op = DotGeneral { out: to, ..DotGeneral::matmul(0, from) };
            let program = program(op, &[x[0].ty(), x[1].ty()]);
            check(&format!("{from} as {to}"), &program, &x, 0.0);
        }
    }
}

#[test]
fn batches_in_any_order_of_axes() {
    let clients = [CpuClient::with_threads(1), CpuClient::with_threads(2)];
    for dtype in [DType::I8, DType::U8, DType::I16, DType::U16, DType::I32, DType::I64] {
        // [k, b, m, c] and [n, c, b, k], contracted over c and k.
        let x = [integers(dtype, &[9, 3, 35, 2], 1), integers(dtype, &[37, 2, 3, 9], 2)];
        let op = DotGeneral {
            lhs_contract: axes(&[3, 0]),
            rhs_contract: axes(&[1, 3]),
            lhs_batch: axes(&[1]),
            rhs_batch: axes(&[2]),
            out: DType::I32,
        };
        let program = program(op, &[x[0].ty(), x[1].ty()]);
        let expected = evaluate(&program, &x).unwrap();
        for client in &clients {
            assert_eq!(run(client, &program, &x), expected, "{dtype}");
        }
    }
}

#[test]
fn floats_of_every_type_as_every_other() {
    every_pair(DType::is_float, numbers, |what, found, expected| {
        compare(what, &found[0], &expected[0], 0.0);
    });
}

/// Extents of contractions next to the ends of blocks.
const DEPTHS: [usize; 8] = [CHAIN - 1, CHAIN, CHAIN + 1, 2 * CHAIN, 2 * CHAIN + 1, 4095, 4096, 4097];

#[test]
fn blocks_of_products_are_the_evaluator_s() {
    let clients = [CpuClient::with_threads(1), CpuClient::with_threads(2)];
    for (from, to) in [
        (DType::F32, DType::F32),
        (DType::F64, DType::F64),
        (DType::BF16, DType::BF16),
        (DType::F16, DType::F32),
        (DType::F8E4M3FN, DType::F32),
    ] {
        for k in DEPTHS {
            // [b, m, k], or with k first, times [k, b, n]: n = 1 runs over the rows, m = 1 over the columns.
            for (m, n, first) in [(1, 35, false), (7, 1, false), (13, 19, true), (5, 33, false)] {
                let lhs = if first { [k, 2, m] } else { [2, m, k] };
                let x = [numbers(from, &lhs, 1), numbers(from, &[k, 2, n], 2)];
                let (batch, contract) = if first { (1, 0) } else { (0, 2) };
                let op = DotGeneral {
                    lhs_contract: axes(&[contract]),
                    rhs_contract: axes(&[0]),
                    lhs_batch: axes(&[batch]),
                    rhs_batch: axes(&[1]),
                    out: to,
                };
                let program = program(op, &[x[0].ty(), x[1].ty()]);
                let expected = evaluate(&program, &x).unwrap();
                for client in &clients {
                    let found = run(client, &program, &x);
                    compare(&format!("{m} {k} {n} of {from}"), &found[0], &expected[0], 0.0);
                }
            }
        }
    }
}

#[test]
fn blocks_of_convolutions_are_the_evaluator_s() {
    let clients = [CpuClient::with_threads(1), CpuClient::with_threads(2)];
    let integers =
        [(DType::I8, DType::I32), (DType::U8, DType::I32), (DType::I32, DType::I8), (DType::I64, DType::I64)];
    let floats = [(DType::F32, DType::F32), (DType::F64, DType::F64), (DType::BF16, DType::F32)];
    for (from, to) in floats.into_iter().chain(integers) {
        for depth in DEPTHS {
            let places = [3, 5, 17].into_iter().find(|p| depth % p == 0).unwrap_or(1);
            // Places and features of a window; with one feature each place counts alone.
            for (places, features, groups) in
                [(places, depth / places, 1), (places, depth / places, 2), (depth, 1, 3)]
            {
                let x = [
                    numbers(from, &[2, places + 4, features * groups], 1),
                    numbers(from, &[places, features, 2 * groups], 2),
                ];
                let op = Convolution {
                    lhs_axes: ConvAxes::channels_last(1),
                    rhs_axes: ConvAxes::kernel_last(1),
                    out_axes: ConvAxes::channels_last(1),
                    strides: [2].into_iter().collect(),
                    low: [1].into_iter().collect(),
                    high: [2].into_iter().collect(),
                    lhs_dilations: [1].into_iter().collect(),
                    rhs_dilations: [1].into_iter().collect(),
                    reversed: [false].into_iter().collect(),
                    feature_groups: groups,
                    batch_groups: 1,
                    out: to,
                };
                let program = program(op, &[x[0].ty(), x[1].ty()]);
                let expected = evaluate(&program, &x).unwrap();
                for client in &clients {
                    let found = run(client, &program, &x);
                    let what = format!("{places} places of {features} features of {from} in {groups} groups");
                    compare(&what, &found[0], &expected[0], 0.0);
                }
            }
        }
    }
}
