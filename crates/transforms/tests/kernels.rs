//! Transformed kernels, drawn at random, against their transformed definitions.

use jarrah_base::Literal;
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
