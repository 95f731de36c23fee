//! The laws that tie the rules of an op to what it computes, over the examples of every op.

use jarrah_base::{DType, Literal, c128};
use jarrah_hlo::{Op, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_transforms::{ResidualPolicy, batch, jvp, linearize, partial_eval, vjp};

use crate::common::{count, program_of, smooth};
use crate::numbers::{Spread, close, element, inner, moved, run, stacked, wide_literal, widened};

/// The examples in doubles that can be run, each with its operands.
fn doubles() -> Vec<(String, Program, Vec<Literal>)> {
    let mut all = Vec::new();
    for example in Op::examples() {
        let name = format!("{} ({})", example.op.name(), example.name);
        let Ok(program) = widened(&program_of(&example)) else { continue };
        let operands: Vec<Literal> = example.operands.iter().map(wide_literal).collect();
        if evaluate(&program, &operands).is_ok() {
            all.push((name, program, operands));
        }
    }
    assert!(all.len() > 100, "{} examples", all.len());
    all
}

fn pick<T: Clone>(all: &[T], mask: &[bool]) -> Vec<T> {
    all.iter().zip(mask).filter(|(_, m)| **m).map(|(x, _)| x.clone()).collect()
}

/// Whether all floats of the program are doubles, so that differences say something.
fn fine(program: &Program) -> bool {
    let types = program.param_types().into_iter().chain(program.result_types());
    let narrow = |d: DType| d.is_float() && d != DType::F64;
    let rounds = |op: &Op| match op {
        Op::Convert(c) => narrow(c.to),
        Op::ReducePrecision(_) => true,
        _ => false,
    };
    !types.into_iter().any(|t| narrow(t.dtype())) && count(program, &rounds) == 0
}

#[test]
fn tangents_are_limits_of_differences() {
    let mut seen = 0;
    for (name, program, operands) in doubles().into_iter().filter(|(_, p, _)| fine(p)) {
        let (active, wanted) = (smooth(&program.param_types()), smooth(&program.result_types()));
        let Ok(derived) = jvp(&program, &active, &wanted) else { continue };
        if !active.contains(&true) || !wanted.contains(&true) {
            continue;
        }
        let mut spread = Spread::new(7);
        let tangents: Vec<Literal> = program.param_types().into_iter().map(|ty| spread.tensor(ty)).collect();
        let mut args = operands.clone();
        args.extend(pick(&tangents, &active));
        // What is an example of a tangent of a custom backward rule cannot be evaluated.
        let one_way = |op: &Op| matches!(op, Op::CustomTangent(_));
        if count(&derived.program, &one_way) > 0 {
            continue;
        }
        let results = run(&derived.program, &args);
        let primals = run(&program, &operands);
        for (i, primal) in primals.iter().enumerate() {
            close(&format!("{name}, result {i}"), &results[i], primal, 1e-12);
        }
        let h = 1e-6;
        let at = |h: f64| -> Vec<Literal> {
            let along = operands.iter().zip(&tangents).zip(&active);
            let point: Vec<Literal> =
                along.map(|((x, t), a)| if *a { moved(x, t, h) } else { x.clone() }).collect();
            pick(&run(&program, &point), &wanted)
        };
        for (i, ((above, below), tangent)) in
            at(h).iter().zip(at(-h)).zip(&results[primals.len()..]).enumerate()
        {
            let pairs = above.to_c128_vec().into_iter().zip(below.to_c128_vec());
            let slopes: Vec<c128> = pairs.map(|(a, b)| (a - b) / (2.0 * h)).collect();
            let slope = Literal::from_c128s(above.ty(), &slopes).unwrap();
            close(&format!("{name}, tangent {i}"), tangent, &slope, 1e-6);
        }
        seen += 1;
    }
    assert!(seen > 80, "{seen} examples");
}

/// `<ct, A t> = <A^T ct, t>` for the derivative `A` at the operands.
#[test]
fn transposes_are_adjoint() {
    let mut seen = 0;
    for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
        for (name, program, operands) in doubles() {
            let active = smooth(&program.param_types());
            let of_results = smooth(&program.result_types());
            let mut masks = vec![active.clone()];
            masks.extend(
                (0..active.len()).filter(|&i| active[i]).map(|i| (0..active.len()).map(|j| i == j).collect()),
            );
            for mask in masks {
                let Ok(both) = vjp(&program, &mask, policy) else { continue };
                let derived = linearize(&program, &mask, policy).unwrap();
                let mut spread = Spread::new(11);
                let tangents: Vec<Literal> =
                    pick(&program.param_types(), &mask).into_iter().map(|ty| spread.tensor(ty)).collect();
                let cotangents: Vec<Literal> = pick(&program.result_types(), &of_results)
                    .into_iter()
                    .map(|ty| spread.tensor(ty))
                    .collect();
                let primals = run(&program, &operands);
                let mut known = run(&both.forward, &operands);
                let residuals = known.split_off(primals.len());
                for (i, (a, b)) in known.iter().zip(&primals).enumerate() {
                    close(&format!("{name}, result {i}"), a, b, 1e-12);
                }
                let mut args = residuals;
                args.extend(cotangents.iter().cloned());
                let pulled = run(&both.backward, &args);
                // Tangents that are computed may need other residuals than those that are only transposed.
                let mut args = run(&derived.known, &operands).split_off(primals.len());
                args.extend(tangents.iter().cloned());
                // What is an example of a tangent of a custom backward rule cannot be evaluated.
                let Ok(pushed) = evaluate(&derived.unknown, &args) else { continue };
                let (left, right) = (inner(&cotangents, &pushed), inner(&pulled, &tangents));
                let tolerance = if fine(&program) { 1e-9 } else { 5e-2 };
                let size = 1.0 + left.abs().max(right.abs());
                assert!((left - right).abs() <= tolerance * size, "{name} {mask:?}: {left} against {right}");
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} examples");
}

/// Another value of the same type: floats scaled, integers one higher, truth values the other.
fn varied(x: &Literal, k: usize) -> Literal {
    let mut other = x.clone();
    if x.dtype() == DType::Bool {
        other.bytes_mut().iter_mut().for_each(|b| *b ^= (k % 2) as u8);
        return other;
    }
    let change = |v: &f64| if x.dtype().is_float() { v * (1.0 + 0.125 * k as f64) } else { v + k as f64 };
    let values: Vec<f64> = x.to_f64_vec().iter().map(change).collect();
    crate::numbers::fill(&mut other, &values);
    other
}

#[test]
fn batches_are_loops() {
    let (size, mut seen) = (3, 0);
    for example in Op::examples() {
        let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
        // A check holds for the operands of its example, and for no others.
        if evaluate(&program, &example.operands).is_err() || matches!(example.op, Op::Assert(_)) {
            continue;
        }
        let count = program.params().len();
        let mut masks = vec![vec![true; count]];
        masks.extend((0..count).map(|i| (0..count).map(|j| i == j).collect()));
        masks.extend((0..count).map(|i| (0..count).map(|j| i != j).collect()));
        for mask in masks {
            let force = vec![true; program.results().len()];
            let Ok((batched, _)) = batch(&program, size, &mask, &force) else { continue };
            let elements: Vec<Vec<Literal>> = (0..size)
                .map(|k| {
                    let operand = |(x, &m): (&Literal, &bool)| if m { varied(x, k) } else { x.clone() };
                    example.operands.iter().zip(&mask).map(operand).collect()
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
                for (i, (one, all)) in run(&program, operands).iter().zip(&all).enumerate() {
                    close(&format!("{name} {mask:?}, element {k}, result {i}"), &element(all, k), one, 1e-5);
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} examples");
}

/// The two parts of a program, one after the other, are the program.
pub fn assert_parts(name: &str, program: &Program, operands: &[Literal], known: &[bool], forced: bool) {
    let whole = run(program, operands);
    for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
        let split = partial_eval(program, known, &vec![forced; whole.len()], policy);
        let split = split.unwrap_or_else(|e| panic!("{name}: {e}"));
        for part in [&split.known, &split.unknown] {
            part.verify().unwrap_or_else(|e| panic!("{name}: {e}\n{part:?}"));
        }
        let mut first = run(&split.known, &pick(operands, known));
        let mut args = first.split_off(first.len() - split.residuals);
        let waits: Vec<bool> = known.iter().map(|k| !k).collect();
        args.extend(pick(operands, &waits));
        let second = run(&split.unknown, &args);
        let (mut first, mut second) = (first.iter(), second.iter());
        for (i, (&is_known, expected)) in split.known_results.iter().zip(&whole).enumerate() {
            assert!(!(forced && is_known), "{name}");
            let found = if is_known { first.next() } else { second.next() }.unwrap();
            close(&format!("{name} {known:?}, result {i}"), found, expected, 0.0);
        }
        assert!(first.next().is_none() && second.next().is_none(), "{name}");
    }
}

#[test]
fn parts_make_the_whole() {
    let mut seen = 0;
    for example in Op::examples() {
        let (program, name) = (program_of(&example), format!("{} ({})", example.op.name(), example.name));
        if evaluate(&program, &example.operands).is_err() {
            continue;
        }
        let count = program.params().len();
        for i in 0..count {
            for only in [true, false] {
                let known: Vec<bool> = (0..count).map(|j| (i == j) == only).collect();
                assert_parts(&name, &program, &example.operands, &known, false);
                assert_parts(&name, &program, &example.operands, &known, true);
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} splits");
}
