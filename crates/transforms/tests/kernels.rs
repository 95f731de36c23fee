//! Transformed kernels, drawn at random, against their transformed definitions.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::{BlockIndex, BlockSpec, Comparison, ElementwiseKind, Kernel, Reducer, Scan, Start};
use jarrah_hlo::{Builder, Op, Program};
use jarrah_testing::kernels::random_kernel;
use jarrah_testing::programs::Rng;
use jarrah_transforms::{ResidualPolicy, batch, jvp, vjp};

use crate::common::smooth;
use crate::numbers::{Spread, close, element, run, stacked};

/// A kernel, and the same function in ordinary ops.
fn both(seed: u64) -> (Program, Program, Vec<Literal>) {
    let (kernel, operands) = random_kernel(&mut Rng::new(seed)).unwrap();
    let mut b = Builder::new("one");
    let params: Vec<_> = operands.iter().map(|x| b.param(x.ty(), "")).collect();
    let types = b.types(&params);
    let definition = kernel.definition(&types).unwrap();
    let results = b.push(kernel, &params).unwrap();
    (b.finish(&results).unwrap(), definition, operands)
}

/// The outermost kernels of a program.
fn kernels(program: &Program) -> usize {
    program.instrs().iter().filter(|instr| matches!(instr.op, Op::Kernel(_))).count()
}

fn same(what: &str, found: &[Literal], expected: &[Literal]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        close(what, found, expected, 1e-4);
    }
}

#[test]
fn derivatives_are_those_of_the_definition() {
    let (mut forward, mut backward) = (0, 0);
    for seed in 1..150 {
        let (kernel, definition, operands) = both(seed);
        let (active, wanted) = (smooth(&kernel.param_types()), smooth(&kernel.result_types()));
        if !active.contains(&true) {
            continue;
        }
        let mut spread = Spread::new(seed);
        let of_active = operands.iter().zip(&active).filter(|(_, active)| **active);
        let tangents: Vec<Literal> = of_active.map(|(x, _)| spread.tensor(x.ty())).collect();
        let args = [&operands[..], &tangents].concat();
        let [of_kernel, of_definition] =
            [&kernel, &definition].map(|p| jvp(p, &active, &wanted).unwrap().program);
        same(&format!("seed {seed}, tangents"), &run(&of_kernel, &args), &run(&of_definition, &args));
        forward += kernels(&of_kernel);

        let cotangents: Vec<Literal> =
            kernel.result_types().into_iter().map(|ty| spread.tensor(ty)).collect();
        let [of_kernel, of_definition] = [&kernel, &definition].map(|program| {
            let both = vjp(program, &active, ResidualPolicy::Recompute).unwrap();
            both.forward.verify().unwrap();
            both.backward.verify().unwrap();
            backward += kernels(&both.backward);
            let mut results = run(&both.forward, &operands);
            let mut args = results.split_off(results.len() - both.residuals);
            args.extend(cotangents.iter().cloned());
            results.extend(run(&both.backward, &args));
            results
        });
        same(&format!("seed {seed}, cotangents"), &of_kernel, &of_definition);
    }
    assert!(forward > 100, "{forward} tangents are kernels");
    assert!(backward > 5, "{backward} transposes are kernels");
}

#[test]
fn batches_are_those_of_the_definition() {
    let size = 3;
    for seed in 1..150 {
        let (kernel, _, operands) = both(seed);
        let count = operands.len();
        let mut rng = Rng::new(seed);
        let mask: Vec<bool> = (0..count).map(|_| rng.below(2) == 0).collect();
        let force = vec![true; kernel.results().len()];
        let (batched, _) = batch(&kernel, size, &mask, &force).unwrap();
        let elements: Vec<Vec<Literal>> = (0..size)
            .map(|k| {
                let moved = |x: &Literal| {
                    let values: Vec<f64> = x.to_f64_vec().iter().map(|v| v + k as f64).collect();
                    Literal::from_f64s(x.ty(), &values).unwrap()
                };
                operands.iter().zip(&mask).map(|(x, &m)| if m { moved(x) } else { x.clone() }).collect()
            })
            .collect();
        let args: Vec<Literal> = (0..count)
            .map(|i| {
                let column: Vec<Literal> = elements.iter().map(|e| e[i].clone()).collect();
                if mask[i] { stacked(&column) } else { column[0].clone() }
            })
            .collect();
        let all = run(&batched, &args);
        for (k, operands) in elements.iter().enumerate() {
            for (one, all) in run(&kernel, operands).iter().zip(&all) {
                assert_eq!(&element(all, k), one, "seed {seed} {mask:?}, element {k}");
            }
        }
    }
}

#[test]
fn a_loop_in_a_body_that_also_carries_what_has_no_tangent() {
    // The two largest of each row, by a scan that marks those it has taken.
    let row = Type::tensor(DType::F32, [4]);
    let mark = Type::tensor(DType::Bool, [4]);
    let mut b = Builder::new("step");
    let (x, taken) = (b.param(row, "x"), b.param(mark, "taken"));
    let low = b.full(row, -9.0).unwrap();
    let left = b.select(taken, low, x).unwrap();
    let big = b.reduce(Reducer::Max, left, &[0]).unwrap();
    let all = b.broadcast_in_dim(big, &[4], &[]).unwrap();
    let place = b.compare(Comparison::Eq, x, all).unwrap();
    let taken = b.binary(ElementwiseKind::Or, taken, place).unwrap();
    let step = b.finish(&[taken, big]).unwrap();
    let scan = Scan { body: step.into(), consts: 1, carry: 1, length: 2, reverse: false };

    let mut b = Builder::new("body");
    let (_, x) = (b.param(Type::scalar(DType::I32), ""), b.param(row, ""));
    let none = b.full(mark, 0.0).unwrap();
    let largest = b.push(scan, &[x, none]).unwrap()[1];
    let block = BlockSpec::new([BlockIndex::Point { grid: 0 }, BlockIndex::Whole]);
    let stateless = Kernel::new(
        [3].into_iter().collect(),
        vec![block.clone()],
        vec![(Type::tensor(DType::F32, [3, 2]), block)],
        b.finish(&[largest]).unwrap().into(),
    );
    let mut held = stateless.clone();
    held.outputs[0].start = Start::Zeros;
    let mut b = Builder::like(&stateless.body);
    let before = b.param(Type::tensor(DType::F32, [2]), "");
    let params: Vec<_> = stateless.body.param_values().collect();
    let largest = b.inline(&stateless.body, &params).unwrap()[0];
    let sum = b.add(before, largest).unwrap();
    held.body = b.finish(&[sum]).unwrap().into();
    for kernel in [stateless, held] {
        check_largest(kernel);
    }
}

/// Checks the gradient of the sum of squares of the two largest of each row.
fn check_largest(kernel: Kernel) {
    let array = Type::tensor(DType::F32, [3, 4]);
    let mut b = Builder::new("f");
    let x = b.param(array, "x");
    let y = b.one(kernel, &[x]).unwrap();
    let y = b.mul(y, y).unwrap();
    let sum = b.sum(y, &[0, 1]).unwrap();
    let f = b.finish(&[sum]).unwrap();
    let both = vjp(&f, &[true], ResidualPolicy::Recompute).unwrap();
    let x: Vec<f32> = (0..12).map(|i| ((i * 7) % 12) as f32).collect();
    let mut known = run(&both.forward, &[Literal::from_slice(&[3, 4], &x).unwrap()]);
    let mut args = known.split_off(1);
    args.push(Literal::scalar(1.0f32));
    let gradient = run(&both.backward, &args)[0].to_f64_vec();
    for (row, of_row) in x.chunks(4).zip(gradient.chunks(4)) {
        let mut sorted = row.to_vec();
        sorted.sort_by(f32::total_cmp);
        let expected = row.iter().map(|&v| if v >= sorted[2] { 2.0 * f64::from(v) } else { 0.0 });
        assert_eq!(of_row, expected.collect::<Vec<_>>());
    }
}
