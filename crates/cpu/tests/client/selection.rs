//! Sorts of which only the first elements are read.

use jarrah_base::{DType, Literal};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{Slice, Sort, SortOrder};
use jarrah_hlo::{Builder, Program};
use jarrah_hlo_eval::evaluate;

use super::{numbers, run};

/// The first `kept` elements of each operand along `axis` in the order of the first.
fn first(args: &[Literal], axis: usize, kept: usize, descending: bool, all: bool) -> Program {
    let mut b = Builder::new("first");
    let params: Vec<_> = args.iter().map(|x| b.param(x.ty(), "")).collect();
    let order = if descending { SortOrder::Descending { keys: 1 } } else { SortOrder::Ascending { keys: 1 } };
    let sorted = b.push(Sort { axis, stable: true, order }, &params).unwrap().to_vec();
    let mut results = Vec::new();
    for &x in &sorted {
        let mut limits = args[0].dims();
        limits[axis] = kept;
        let (starts, strides) = (limits.iter().map(|_| 0).collect(), limits.iter().map(|_| 1).collect());
        results
            .push(b.one(Slice { starts, limits: limits.iter().copied().collect(), strides }, &[x]).unwrap());
    }
    if all {
        results.push(sorted[0]);
    }
    b.finish(&results).unwrap()
}

#[test]
fn the_first_of_many_are_those_of_a_full_sort() {
    let clients = [CpuClient::with_threads(1), CpuClient::with_threads(2)];
    let nan = |mut x: Literal| {
        if let Ok(values) = x.as_mut_slice::<f32>() {
            for (i, value) in values.iter_mut().enumerate() {
                *value = [f32::NAN, 0.0, -0.0, *value, (*value * 4.0).round()][i % 5];
            }
        }
        x
    };
    for dtype in [DType::F32, DType::I32, DType::BF16, DType::U64, DType::Bool] {
        for (dims, axis) in [([3, 1000], 1), ([1000, 7], 0), ([2, 64], 1), ([1, 9], 1)] {
            let x = [nan(numbers(dtype, &dims, 3)), numbers(DType::I16, &dims, 4)];
            for kept in [0, 1, 2, 50, 60, 200, 1000] {
                if kept > dims[axis] {
                    continue;
                }
                for (descending, all) in [(false, false), (true, false), (true, true)] {
                    let program = first(&x, axis, kept, descending, all);
                    let expected = evaluate(&program, &x).unwrap();
                    for client in &clients {
                        let found = run(client, &program, &x);
                        assert!(found == expected, "{kept} of {dims:?} along {axis} of {dtype}");
                    }
                }
            }
        }
    }
}
