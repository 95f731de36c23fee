//! Programs in lower precision: the same types outside, products of rounded operands inside, and derivatives of them.

use jarrah_base::{DType, Literal, Type, bf16};
use jarrah_hlo::ops::{Call, DotGeneral, ElementwiseKind, Scan};
use jarrah_hlo::{Op, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_transforms::{ResidualPolicy, autocast, batch, jvp, value_and_grad, vjp};

use crate::common::{count, program, program_of, smooth};
use crate::numbers::Spread;

fn f32s(dims: &[usize]) -> Type {
    Type::tensor(DType::F32, dims.iter().copied())
}

fn tensor(seed: u64, dims: &[usize]) -> Literal {
    Spread::new(seed).tensor(f32s(dims))
}

/// The sum of the squares of `x w`.
fn loss() -> std::sync::Arc<Program> {
    program("loss", &[f32s(&[3, 5]), f32s(&[5, 4])], |b, args| {
        let y = b.one(DotGeneral::matmul(0, DType::F32), &[args[0], args[1]])?;
        let y = b.mul(y, y)?;
        Ok(vec![b.sum(y, &[0, 1])?])
    })
}

fn rounded(x: &Literal) -> Vec<f64> {
    x.to_f64_vec().iter().map(|&v| bf16::from_f64(v).to_f64()).collect()
}

fn product(a: &[f64], b: &[f64], [m, k, n]: [usize; 3]) -> Vec<f64> {
    let at = |i: usize| (0..k).map(|l| a[i / n * k + l] * b[l * n + i % n]).sum();
    (0..m * n).map(at).collect()
}

fn transposed(a: &[f64], [m, n]: [usize; 2]) -> Vec<f64> {
    (0..m * n).map(|i| a[i % m * n + i / m]).collect()
}

fn assert_close(what: &str, found: &Literal, expected: &[f64]) {
    assert_eq!(found.dtype(), DType::F32, "{what}");
    for (found, expected) in found.to_f64_vec().iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-6 * (1.0 + expected.abs()),
            "{what}: {found} is not {expected}"
        );
    }
}

#[test]
fn products_and_those_of_gradients_take_rounded_operands_and_round_no_sum() {
    let cast = autocast(&loss(), DType::BF16).unwrap();
    let derived = value_and_grad(&cast, &[0, 1], ResidualPolicy::Recompute).unwrap();
    let before = value_and_grad(&loss(), &[0, 1], ResidualPolicy::Recompute).unwrap();
    assert_eq!(derived.result_types(), before.result_types());
    let (x, w) = (tensor(1, &[3, 5]), tensor(2, &[5, 4]));
    let results = evaluate(&derived, &[x.clone(), w.clone()]).unwrap();
    // What the results are over rounded operands, in doubles.
    let (x, w) = (rounded(&x), rounded(&w));
    let y = product(&x, &w, [3, 5, 4]);
    let ct: Vec<f64> = y.iter().map(|y| bf16::from_f64(f64::from(2.0 * *y as f32)).to_f64()).collect();
    assert_close("value", &results[0], &[y.iter().map(|y| y * y).sum()]);
    assert_close("gradient of x", &results[1], &product(&ct, &transposed(&w, [5, 4]), [3, 4, 5]));
    assert_close("gradient of w", &results[2], &product(&transposed(&x, [3, 5]), &ct, [5, 3, 4]));
}

#[test]
fn a_program_that_is_derived_first_has_the_same_gradients() {
    let first = value_and_grad(&loss(), &[0, 1], ResidualPolicy::Recompute).unwrap();
    let args = [tensor(1, &[3, 5]), tensor(2, &[5, 4])];
    let one = evaluate(&autocast(&first, DType::BF16).unwrap(), &args).unwrap();
    let cast = autocast(&loss(), DType::BF16).unwrap();
    let other = evaluate(&value_and_grad(&cast, &[0, 1], ResidualPolicy::Recompute).unwrap(), &args).unwrap();
    assert_eq!(one, other);
}

#[test]
fn every_example_keeps_its_types_and_stays_near() {
    let mut changed = 0;
    for compute in [DType::BF16, DType::F16] {
        for example in Op::examples() {
            let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
            let cast = autocast(&program, compute).unwrap_or_else(|e| panic!("{name}: {e}"));
            cast.verify().unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(cast.param_types(), program.param_types(), "{name}");
            assert_eq!(cast.result_types(), program.result_types(), "{name}");
            if cast.is_identical(&program) {
                continue;
            }
            changed += 1;
            // Twice is once: nothing wide is left to round, so types stay as they are.
            assert!(autocast(&cast, compute).unwrap().is_identical(&cast), "{name}");
            let Ok(before) = evaluate(&program, &example.operands) else { continue };
            let after = evaluate(&cast, &example.operands).unwrap_or_else(|e| panic!("{name}: {e}"));
            for (before, after) in before.iter().zip(&after) {
                let largest = before.to_f64_vec().iter().fold(1.0f64, |m, v| m.max(v.abs()));
                for (a, b) in before.to_f64_vec().iter().zip(after.to_f64_vec()) {
                    assert!((a - b).abs() <= 0.03 * largest, "{name}: {b} is not near {a}");
                }
            }
        }
    }
    assert!(changed > 20, "{changed} examples");
}

#[test]
fn every_example_is_still_differentiated_and_batched() {
    for example in Op::examples() {
        let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
        let cast = autocast(&program, DType::BF16).unwrap();
        let active = smooth(&program.param_types());
        let wanted = vec![false; program.results().len()];
        if let Ok(before) = vjp(&program, &active, ResidualPolicy::Recompute) {
            let after =
                vjp(&cast, &active, ResidualPolicy::Recompute).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(after.backward.result_types(), before.backward.result_types(), "{name}");
        }
        if jvp(&program, &active, &wanted).is_ok() {
            let after = jvp(&cast, &active, &wanted).unwrap_or_else(|e| panic!("{name}: {e}"));
            after.program.verify().unwrap_or_else(|e| panic!("{name}: {e}"));
        }
        let batched = vec![true; active.len()];
        if batch(&program, 2, &batched, &wanted).is_ok() {
            batch(&cast, 2, &batched, &wanted).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

#[test]
fn what_is_called_computes_so_too_and_is_shared() {
    let step = program("step", &[f32s(&[4, 4]), f32s(&[4, 4])], |b, args| {
        let y = b.one(DotGeneral::matmul(0, DType::F32), &[args[1], args[0]])?;
        Ok(vec![b.unary(ElementwiseKind::Tanh, y)?])
    });
    let whole = program("whole", &[f32s(&[4, 4]), f32s(&[4, 4])], |b, args| {
        let scan = Scan { body: step.clone(), consts: 1, carry: 1, length: 3, reverse: false };
        let y = b.one(scan, &[args[0], args[1]])?;
        let y = b.one(Call { callee: step.clone() }, &[args[0], y])?;
        Ok(vec![b.one(Call { callee: step.clone() }, &[args[0], y])?])
    });
    let narrow = |op: &Op| matches!(op, Op::Convert(c) if c.to == DType::BF16);
    assert_eq!(count(&whole, &narrow), 0);
    let cast = autocast(&whole, DType::BF16).unwrap();
    assert!(count(&cast, &narrow) >= 6);
    let inner: Vec<_> = cast.instrs().iter().flat_map(|i| i.op.programs().into_vec()).collect();
    assert!(inner.windows(2).all(|pair| std::sync::Arc::ptr_eq(pair[0], pair[1])));
    // A program without products is the same one.
    let plain = program("plain", &[f32s(&[3])], |b, args| Ok(vec![b.unary(ElementwiseKind::Tanh, args[0])?]));
    assert!(autocast(&plain, DType::BF16).unwrap().is_identical(&plain));
}

#[test]
fn only_floats_of_sixteen_bits_are_types_to_compute_in() {
    for dtype in [DType::F32, DType::F64, DType::F8E4M3FN, DType::I8] {
        let error = autocast(&loss(), dtype).unwrap_err();
        assert!(error.message().starts_with(&format!("{dtype} is no type to compute in")), "{error}");
    }
}
