//! Programs inside programs, three deep, under transformations of transformations.

use std::sync::Arc;

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::ops::{Call, Case, Comparison, CustomRule, ElementwiseKind, Remat, Rule, Scan, While};
use jarrah_hlo::{Builder, Program, ProgramRef, Value};
use jarrah_transforms::{ResidualPolicy, batch, jvp, value_and_grad, vjp};

use crate::common::{f64s, program, smooth};
use crate::numbers::{Spread, close, element, moved, run, stacked};

/// The ways to put a function `(w, x) -> y` of vectors into another such function.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Shell {
    Call,
    Remat,
    Scan,
    ScanOverConstants,
    Case,
    While,
    CustomJvp,
    CustomVjp,
}

impl Shell {
    const ALL: [Shell; 8] = [
        Shell::Call,
        Shell::Remat,
        Shell::Scan,
        Shell::ScanOverConstants,
        Shell::Case,
        Shell::While,
        Shell::CustomJvp,
        Shell::CustomVjp,
    ];
}

fn vector() -> Type {
    f64s(&[3])
}

fn leaf(kind: usize) -> ProgramRef {
    program("leaf", &[vector(), vector()], |b, p| {
        let product = b.mul(p[0], p[1])?;
        Ok(vec![match kind % 3 {
            0 => b.unary(ElementwiseKind::Tanh, product)?,
            1 => b.unary(ElementwiseKind::Sine, product)?,
            _ => {
                let sum = b.add(product, p[1])?;
                let half = b.scale(sum, 0.5)?;
                b.unary(ElementwiseKind::Logistic, half)?
            }
        }])
    })
}

/// `y = (sum w)` broadcast, so that elements mix.
fn mixed(b: &mut Builder, x: Value) -> Result<Value> {
    let sum = b.sum(x, &[0])?;
    let sum = b.unary(ElementwiseKind::Sine, sum)?;
    b.broadcast_in_dim(sum, &vector().dims(), &[])
}

/// The program `(w, x) -> y` that has `inner` in a shell.
fn wrapped(shell: Shell, inner: &ProgramRef) -> ProgramRef {
    let counter = Type::scalar(DType::I32);
    match shell {
        Shell::Call => {
            program("call", &[vector(); 2], |b, p| Ok(b.push(Call { callee: inner.clone() }, p)?.to_vec()))
        }
        Shell::Remat => {
            program("remat", &[vector(); 2], |b, p| Ok(b.push(Remat::new(inner.clone()), p)?.to_vec()))
        }
        Shell::Scan => {
            // The carry is a vector and a count; each step has its own slice of an array made of x.
            let body = program("step", &[vector(), counter, vector(), vector()], |b, p| {
                let one = b.scalar(1i32)?;
                let next = b.add(p[1], one)?;
                let y = b.inline(inner, &[p[0], p[2]])?[0];
                let scaled = b.mul(y, p[3])?;
                let mixed = mixed(b, p[3])?;
                let sum = b.add(scaled, mixed)?;
                Ok(vec![next, sum, y])
            });
            let scan = Scan { body, consts: 1, carry: 2, length: 3, reverse: false };
            program("scan", &[vector(); 2], |b, p| {
                let start = b.scalar(0i32)?;
                let array = b.broadcast_leading(p[1], 3)?;
                let array = b.unary(ElementwiseKind::Cosine, array)?;
                let all = b.push(scan, &[p[0], start, p[1], array])?;
                let total = b.sum(all[2], &[0])?;
                Ok(vec![b.add(total, all[1])?])
            })
        }
        Shell::ScanOverConstants => {
            // What depends on w alone does not change from step to step.
            let body = program("step", &[vector(), vector()], |b, p| {
                let fixed = mixed(b, p[0])?;
                let y = b.inline(inner, &[fixed, p[1]])?[0];
                Ok(vec![b.mul(y, fixed)?])
            });
            let scan = Scan { body, consts: 1, carry: 1, length: 2, reverse: true };
            program("scan", &[vector(); 2], |b, p| Ok(b.push(scan, p)?.to_vec()))
        }
        Shell::Case => {
            let other = program("other", &[vector(); 2], |b, p| Ok(vec![b.mul(p[0], p[0])?]));
            let third = program("third", &[vector(); 2], |b, p| {
                let y = b.inline(inner, p)?[0];
                Ok(vec![mixed(b, y)?])
            });
            let case = Case { branches: vec![inner.clone(), other, third] };
            program("case", &[vector(); 2], |b, p| {
                // The branch depends on the operand: 0, 1 or 2 by the size of its first element.
                let first = b.slice(p[1], &[0], &[1])?;
                let first = b.reshape(first, &[])?;
                let size = b.unary(ElementwiseKind::Abs, first)?;
                let scaled = b.scale(size, 3.0)?;
                let index = b.convert(scaled, DType::I32)?;
                Ok(b.push(case, &[index, p[0], p[1]])?.to_vec())
            })
        }
        Shell::While => {
            let params = [vector(), counter, counter, vector()];
            let cond = program("cond", &params, |b, p| Ok(vec![b.compare(Comparison::Lt, p[1], p[2])?]));
            let body = program("body", &params, |b, p| {
                let one = b.scalar(1i32)?;
                let next = b.add(p[1], one)?;
                let y = b.inline(inner, &[p[0], p[3]])?[0];
                Ok(vec![next, p[2], y])
            });
            let loop_ = While { cond, body, consts: 1 };
            program("while", &[vector(); 2], |b, p| {
                // How often depends on the operand, so that a batch stops at different steps.
                let first = b.slice(p[1], &[0], &[1])?;
                let first = b.reshape(first, &[])?;
                let size = b.unary(ElementwiseKind::Abs, first)?;
                let scaled = b.scale(size, 4.0)?;
                let limit = b.convert(scaled, DType::I32)?;
                let start = b.scalar(0i32)?;
                let all = b.push(loop_, &[p[0], start, limit, p[1]])?;
                Ok(vec![all[2]])
            })
        }
        Shell::CustomJvp => {
            let Ok(derived) = jvp(inner, &[true, true], &[true]) else { return inner.clone() };
            let rule = Rule::Jvp(derived.program.into());
            let op = CustomRule::new(inner.clone(), rule);
            program("custom jvp", &[vector(); 2], |b, p| Ok(b.push(op, p)?.to_vec()))
        }
        Shell::CustomVjp => {
            let Ok(both) = vjp(inner, &[true, true], ResidualPolicy::Recompute) else { return inner.clone() };
            let rule = Rule::Vjp { forward: both.forward.into(), backward: both.backward.into() };
            let op = CustomRule::new(inner.clone(), rule);
            program("custom vjp", &[vector(); 2], |b, p| Ok(b.push(op, p)?.to_vec()))
        }
    }
}

/// The scalar `sum(y)`.
fn summed(inner: &Program) -> Arc<Program> {
    program("summed", &inner.param_types(), |b, p| {
        let y = b.inline(inner, p)?[0];
        Ok(vec![b.sum(y, &[0])?])
    })
}

fn args(seed: u64) -> Vec<Literal> {
    let mut spread = Spread::new(seed);
    (0..2).map(|_| spread.tensor(vector())).collect()
}

/// The slope of the results of `program` along `tangents`: central differences, extrapolated to a step of zero.
fn slopes(program: &Program, args: &[Literal], tangents: &[Literal]) -> Vec<Vec<f64>> {
    let at = |h: f64| -> Vec<Vec<f64>> {
        let point: Vec<Literal> = args.iter().zip(tangents).map(|(x, t)| moved(x, t, h)).collect();
        run(program, &point).iter().map(Literal::to_f64_vec).collect()
    };
    let combined = |a: Vec<Vec<f64>>, b: Vec<Vec<f64>>, f: fn(f64, f64) -> f64| -> Vec<Vec<f64>> {
        let rows = a.into_iter().zip(b);
        rows.map(|(a, b)| a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()).collect()
    };
    let coarse = combined(at(2e-5), at(-2e-5), |a, b| (a - b) / 4e-5);
    let fine = combined(at(1e-5), at(-1e-5), |a, b| (a - b) / 2e-5);
    combined(fine, coarse, |fine, coarse| (4.0 * fine - coarse) / 3.0)
}

fn assert_slopes(what: &str, program: &Program, derived: &Program, args: &[Literal], tangents: &[Literal]) {
    let mut all = args.to_vec();
    all.extend(tangents.iter().cloned());
    let results = run(derived, &all);
    let count = program.results().len();
    for (i, slope) in slopes(program, args, tangents).into_iter().enumerate() {
        let slope = Literal::from_slice(&results[count + i].dims(), &slope).unwrap();
        close(&format!("{what}, tangent {i}"), &results[count + i], &slope, 1e-6);
    }
}

fn assert_batches(what: &str, program: &Program, seed: u64) {
    for mask in [[true, true], [true, false], [false, true]] {
        let force = vec![true; program.results().len()];
        let (batched, _) = batch(program, 4, &mask, &force).unwrap_or_else(|e| panic!("{what}: {e}"));
        batched.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
        let each: Vec<Vec<Literal>> = (0..4)
            .map(|k| {
                let (own, shared) = (args(seed + k), args(seed));
                (0..2).map(|i| if mask[i] { own[i].clone() } else { shared[i].clone() }).collect()
            })
            .collect();
        let whole: Vec<Literal> = (0..2)
            .map(|i| {
                let column: Vec<Literal> = each.iter().map(|e| e[i].clone()).collect();
                if mask[i] { stacked(&column) } else { column[0].clone() }
            })
            .collect();
        let all = run(&batched, &whole);
        for (k, args) in each.iter().enumerate() {
            for (i, (one, all)) in run(program, args).iter().zip(&all).enumerate() {
                close(&format!("{what} {mask:?}, element {k}, result {i}"), &element(all, k), one, 1e-12);
            }
        }
    }
}

/// All that must hold of one composition.
fn check(shells: &[Shell], kind: usize) {
    let what = format!("{shells:?} over leaf {kind}");
    let inner = shells.iter().rev().fold(leaf(kind), |inner, &shell| wrapped(shell, &inner));
    let f = summed(&inner);
    let seed = 3 + kind as u64;
    let point = args(seed);
    let tangents = args(seed + 100);
    let forward_only = shells.contains(&Shell::While);
    let reverse_only = shells.contains(&Shell::CustomVjp);

    assert_batches(&what, &inner, seed);
    for known in [[true, false], [false, true]] {
        crate::laws::assert_parts(&what, &inner, &point, &known, false);
    }
    if !reverse_only {
        let derived = jvp(&inner, &[true, true], &[true]).unwrap_or_else(|e| panic!("{what}: {e}"));
        derived.program.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_slopes(&what, &inner, &derived.program, &point, &tangents);
    }
    if forward_only {
        let error = value_and_grad(&f, &[0, 1], ResidualPolicy::Recompute).unwrap_err();
        assert!(error.to_string().contains("number of steps"), "{what}: {error}");
        return;
    }
    for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
        let gradient = value_and_grad(&f, &[0, 1], policy).unwrap_or_else(|e| panic!("{what}: {e}"));
        gradient.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
        let results = run(&gradient, &point);
        close(&what, &results[0], &run(&f, &point)[0], 1e-12);
        let expected = slopes(&f, &point, &tangents)[0][0];
        let along: f64 = results[1..]
            .iter()
            .zip(&tangents)
            .flat_map(|(g, t)| g.to_f64_vec().into_iter().zip(t.to_f64_vec()))
            .map(|(g, t)| g * t)
            .sum();
        assert!(
            (along - expected).abs() < 1e-6 * (1.0 + expected.abs()),
            "{what}: {along} against {expected}"
        );

        // Forward over reverse, and the gradient over a batch.
        let wanted = smooth(&gradient.result_types());
        let twice = jvp(&gradient, &[true, true], &wanted).unwrap_or_else(|e| panic!("{what}: {e}"));
        twice.program.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_slopes(&format!("{what}, second derivative"), &gradient, &twice.program, &point, &tangents);
        assert_batches(&format!("{what}, gradient"), &gradient, seed);
    }

    // Reverse over reverse: the gradient of the sum of the gradient.
    let gradient = value_and_grad(&f, &[0, 1], ResidualPolicy::Recompute).unwrap();
    let sum = program("sum of gradient", &[vector(); 2], |b, p| {
        let all = b.inline(&gradient, p)?;
        let both = b.mul(all[1], all[2])?;
        Ok(vec![b.sum(both, &[0])?])
    });
    let second =
        value_and_grad(&sum, &[0, 1], ResidualPolicy::Recompute).unwrap_or_else(|e| panic!("{what}: {e}"));
    second.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
    let results = run(&second, &point);
    let expected = slopes(&sum, &point, &tangents)[0][0];
    let along = crate::numbers::inner(&results[1..], &tangents);
    assert!(
        (along - expected).abs() < 1e-6 * (1.0 + expected.abs()),
        "{what}, twice: {along} against {expected}"
    );

    // The gradient of a batch: of the sum of f over a batch, with w shared.
    let (batched, _) = batch(&f, 4, &[false, true], &[true]).unwrap();
    let total = program("total", &batched.param_types(), |b, p| {
        let y = b.inline(&batched, p)?[0];
        Ok(vec![b.sum(y, &[0])?])
    });
    let of_batch =
        value_and_grad(&total, &[0, 1], ResidualPolicy::Recompute).unwrap_or_else(|e| panic!("{what}: {e}"));
    of_batch.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
    let rows: Vec<Literal> = (0..4).map(|k| args(seed + k)[1].clone()).collect();
    let results = run(&of_batch, &[point[0].clone(), stacked(&rows)]);
    let mut shared = vec![0.0; 3];
    for (k, row) in rows.iter().enumerate() {
        let one = run(&gradient, &[point[0].clone(), row.clone()]);
        close(&format!("{what}, gradient of a batch"), &element(&results[2], k), &one[2], 1e-11);
        shared.iter_mut().zip(one[1].to_f64_vec()).for_each(|(s, g)| *s += g);
    }
    let shared = Literal::from_slice(&[3], &shared).unwrap();
    close(&format!("{what}, shared gradient of a batch"), &results[1], &shared, 1e-11);
}

#[test]
fn one_deep() {
    for (i, &shell) in Shell::ALL.iter().enumerate() {
        check(&[shell], i);
        check(&[shell], i + 1);
    }
}

#[test]
fn two_deep() {
    for (i, &outer) in Shell::ALL.iter().enumerate() {
        for (j, &inner) in Shell::ALL.iter().enumerate() {
            check(&[outer, inner], i + j);
        }
    }
}

#[test]
fn three_deep() {
    let mut spread = Spread::new(5);
    for kind in 0..40 {
        let shells: Vec<Shell> = (0..3).map(|_| Shell::ALL[spread.below(Shell::ALL.len())]).collect();
        check(&shells, kind);
    }
}
