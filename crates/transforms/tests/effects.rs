//! Effects through transformations: each as often as the program says, and in its order.

use std::sync::{Arc, Mutex};

use jarrah_base::{DType, Literal, Result, Type};
use jarrah_hlo::host::{HandlerCall, NamedHandler};
use jarrah_hlo::ops::{self, CallTarget, Case, CustomCall, CustomRule, Remat, Rule, Scan, While};
use jarrah_hlo::{Builder, Effects, Program, ProgramRef, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_transforms::{ResidualPolicy, batch, dce, jvp, partial_eval, transpose, value_and_grad, vjp};

use crate::common::f64s;
use crate::numbers::Spread;

/// What was noted: where, and the sum of the values seen there.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<(usize, f64)>>>);

impl Notes {
    fn take(&self) -> Vec<(usize, f64)> {
        std::mem::take(&mut *self.0.lock().expect("no panic holds the lock"))
    }

    /// Notes `value` at place `place`.
    fn see(&self, b: &mut Builder, value: Value, place: usize) -> Result<()> {
        let sink = self.0.clone();
        let function = NamedHandler::new("note", move |call: &mut HandlerCall<'_>| {
            let sum = call.operands[0].literal()?.to_f64_vec().iter().sum();
            sink.lock().expect("no panic holds the lock").push((place, sum));
            Ok(())
        });
        let effects = Effects::ORDERED;
        b.push(CustomCall { effects, ..CustomCall::new(CallTarget::Function(function), vec![]) }, &[value])?;
        Ok(())
    }

    /// A value that host code gives, from `value`; it may not be asked for twice.
    fn ask(&self, b: &mut Builder, value: Value, place: usize) -> Result<Value> {
        let sink = self.0.clone();
        let function = NamedHandler::new("ask", move |call: &mut HandlerCall<'_>| {
            let x = call.operands[0].literal()?;
            sink.lock().expect("no panic holds the lock").push((place, x.to_f64_vec().iter().sum()));
            call.results[0].write(&x)
        });
        // The bits of floats are integers, so that the call has no derivative and needs none.
        let bits = b.one(ops::BitcastConvert { to: DType::U64 }, &[value])?;
        let ty = b.ty(bits);
        let effects = Effects::ORDERED;
        let call = CustomCall { effects, ..CustomCall::new(CallTarget::Function(function), vec![ty]) };
        let bits = b.one(call, &[bits])?;
        b.one(ops::BitcastConvert { to: DType::F64 }, &[bits])
    }
}

/// A generator of numbers.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }

    fn pick(&mut self, from: &[Value]) -> Value {
        from[self.below(from.len())]
    }
}

/// The type of every value.
fn ty() -> Type {
    f64s(&[2])
}

/// Random work among notes, in loops, branches, calls and rules, over the values in `pool`; gives the last value.
fn work(
    b: &mut Builder,
    pool: &mut Vec<Value>,
    rng: &mut Rng,
    notes: &Notes,
    depth: usize,
    place: &mut usize,
) -> Result<Value> {
    for _ in 0..5 {
        let (x, y) = (rng.pick(pool), rng.pick(pool));
        *place += 1;
        let at = *place;
        let mut inner = |rng: &mut Rng, params: usize| -> Result<ProgramRef> {
            let mut b = Builder::new("inner");
            let mut pool: Vec<Value> = (0..params).map(|_| b.param(ty(), "")).collect();
            let last = work(&mut b, &mut pool, rng, notes, depth - 1, place)?;
            Ok(b.finish(&[last])?.into())
        };
        let kind = if depth > 0 { rng.below(10) } else { rng.below(4) };
        let made = match kind {
            0 => b.mul(x, y)?,
            1 => b.one(ops::Elementwise { kind: ops::ElementwiseKind::Sine }, &[x])?,
            2 => {
                notes.see(b, x, at)?;
                continue;
            }
            3 => notes.ask(b, x, at)?,
            4 => b.one(ops::Call { callee: inner(rng, 2)? }, &[x, y])?,
            5 => b.one(Remat::new(inner(rng, 2)?), &[x, y])?,
            6 => {
                let scan = Scan { body: inner(rng, 2)?, consts: 1, carry: 1, length: 3, reverse: false };
                b.one(scan, &[x, y])?
            }
            7 => {
                let branches = vec![inner(rng, 2)?, inner(rng, 2)?];
                let first = b.slice_axis(x, 0, 0, 1)?;
                let first = b.reshape(first, &[])?;
                let zero = b.full(f64s(&[]), 0.0)?;
                let above = b.compare(ops::Comparison::Gt, first, zero)?;
                let index = b.convert(above, DType::I32)?;
                b.one(Case { branches }, &[index, x, y])?
            }
            8 => rule(inner(rng, 1)?).and_then(|rule| b.one(rule, &[x]))?,
            _ => repeat(b, inner(rng, 2)?, [x, y])?,
        };
        pool.push(made);
    }
    Ok(rng.pick(pool))
}

/// The program with a derivative of its own: three times the tangent.
fn rule(primal: ProgramRef) -> Result<CustomRule> {
    let mut b = Builder::new("rule");
    let (x, dx) = (b.param(ty(), ""), b.param(ty(), ""));
    let mut results = b.inline(&primal, &[x])?;
    results.push(b.scale(dx, 3.0)?);
    Ok(CustomRule::new(primal, Rule::Jvp(b.finish(&results)?.into())))
}

/// Two steps of a loop that counts by itself and carries `y`, of integers so that it has a reverse mode: none.
fn repeat(b: &mut Builder, body: ProgramRef, [x, y]: [Value; 2]) -> Result<Value> {
    let count = Type::scalar(DType::I32);
    let bits = b.one(ops::BitcastConvert { to: DType::U64 }, &[y])?;
    let carried = b.ty(bits);
    let mut cond = Builder::new("cond");
    let (_, n, _) = (cond.param(ty(), ""), cond.param(count, ""), cond.param(carried, ""));
    let two = cond.constant(Literal::scalar(2i32))?;
    let holds = cond.compare(ops::Comparison::Lt, n, two)?;
    let cond = cond.finish(&[holds])?.into();
    let mut step = Builder::new("step");
    let (x_in, n, y) = (step.param(ty(), ""), step.param(count, ""), step.param(carried, ""));
    let one = step.constant(Literal::scalar(1i32))?;
    let next = step.add(n, one)?;
    let y = step.one(ops::BitcastConvert { to: DType::F64 }, &[y])?;
    let y = step.inline(&body, &[x_in, y])?[0];
    let y = step.one(ops::BitcastConvert { to: DType::U64 }, &[y])?;
    let body = step.finish(&[next, y])?.into();
    let zero = b.constant(Literal::scalar(0i32))?;
    let results = b.push(While { cond, body, consts: 1 }, &[x, zero, bits])?;
    b.one(ops::BitcastConvert { to: DType::F64 }, &[results[1]])
}

fn program(seed: u64, notes: &Notes) -> Program {
    let build = || -> Result<Program> {
        let mut rng = Rng(seed);
        let mut b = Builder::new("f");
        let mut pool: Vec<Value> = (0..3).map(|_| b.param(ty(), "")).collect();
        let last = work(&mut b, &mut pool, &mut rng, notes, 2, &mut 0)?;
        let sum = b.sum(last, &[0])?;
        b.finish(&[sum])
    };
    build().expect("the program is well-formed")
}

fn operands(count: usize) -> Vec<Literal> {
    let mut spread = Spread::new(3);
    (0..count).map(|_| spread.tensor(ty())).collect()
}

fn run(program: &Program, operands: &[Literal]) -> Vec<Literal> {
    program.verify().unwrap_or_else(|e| panic!("{e}\n{program:?}"));
    evaluate(program, operands).unwrap_or_else(|e| panic!("{e}\n{program:?}"))
}

const SEEDS: std::ops::Range<u64> = 0..100;

#[test]
fn derivatives_have_the_effects_of_the_function() {
    let (notes, x) = (Notes::default(), operands(3));
    let mut seen = 0;
    for seed in SEEDS {
        let f = program(seed, &notes);
        let value = run(&f, &x);
        let expected = notes.take();
        seen += expected.len();
        let pruned = run(&dce(&f).expect("it verifies"), &x);
        assert_eq!((notes.take(), pruned), (expected.clone(), value.clone()), "{seed}");

        let forward = jvp(&f, &[true; 3], &[true]).unwrap_or_else(|e| panic!("{seed}: {e}\n{f:?}"));
        let along = [&x[..], &operands(3)].concat();
        assert_eq!(run(&forward.program, &along)[0], value[0]);
        assert_eq!(notes.take(), expected, "{seed}");

        for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
            let both =
                value_and_grad(&f, &[0, 1, 2], policy).unwrap_or_else(|e| panic!("{seed}: {e}\n{f:?}"));
            assert_eq!(run(&both, &x)[0], value[0]);
            assert_eq!(notes.take(), expected, "{seed}:\n{f:?}\n{both:?}");

            let parts = vjp(&f, &[true; 3], policy).expect("as above");
            let mut results = run(&parts.forward, &x);
            assert_eq!(notes.take(), expected, "{seed}");
            let mut residuals = results.split_off(1);
            residuals.push(Literal::scalar(1.0f64));
            run(&parts.backward, &residuals);
            assert_eq!(notes.take(), [], "{seed}: the backward pass of\n{f:?}\n{:?}", parts.backward);
        }
    }
    assert!(seen > 1000, "{seen} notes");
}

#[test]
fn two_parts_have_the_effects_of_the_whole_in_its_order() {
    let (notes, x) = (Notes::default(), operands(3));
    for seed in SEEDS {
        let f = program(seed, &notes);
        let value = run(&f, &x);
        let expected = notes.take();
        for mask in 0..8 {
            let known: Vec<bool> = (0..3).map(|i| mask >> i & 1 == 1).collect();
            for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
                let split = partial_eval(&f, &known, &[false], policy);
                let split = split.unwrap_or_else(|e| panic!("{seed}: {e}\n{f:?}"));
                let pick = |wanted: bool| {
                    x.iter().zip(&known).filter(move |(_, k)| **k == wanted).map(|(x, _)| x.clone())
                };
                let mut first = run(&split.known, &pick(true).collect::<Vec<_>>());
                let mut residuals = first.split_off(first.len() - split.residuals);
                residuals.extend(pick(false));
                let second = run(&split.unknown, &residuals);
                assert_eq!([first, second].concat(), value, "{seed} {known:?}");
                assert_eq!(
                    notes.take(),
                    expected,
                    "{seed} {known:?}:\n{f:?}\n{:?}\n{:?}",
                    split.known,
                    split.unknown
                );
            }
        }
    }
}

#[test]
fn batches_have_the_effects_of_every_element() {
    let notes = Notes::default();
    for seed in SEEDS {
        let f = program(seed, &notes);
        let elements = [operands(3), operands(6)[3..].to_vec()];
        let results: Vec<Literal> = elements.iter().map(|x| run(&f, x).remove(0)).collect();
        let mut expected = notes.take();
        let (batched, _) = batch(&f, 2, &[true; 3], &[true]).unwrap_or_else(|e| panic!("{seed}: {e}\n{f:?}"));
        let args: Vec<Literal> = (0..3)
            .map(|i| crate::numbers::stacked(&[elements[0][i].clone(), elements[1][i].clone()]))
            .collect();
        let all = run(&batched, &args);
        for (k, result) in results.iter().enumerate() {
            assert_eq!(crate::numbers::element(&all[0], k), *result, "{seed}");
        }
        let mut found = notes.take();
        let sort = |notes: &mut Vec<(usize, f64)>| notes.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
        sort(&mut found);
        sort(&mut expected);
        assert_eq!(found, expected, "{seed}:\n{f:?}\n{batched:?}");
    }
}

#[test]
fn an_effect_on_a_tangent_has_no_transpose() {
    let notes = Notes::default();
    let mut b = Builder::new("f");
    let x = b.param(ty(), "x");
    notes.see(&mut b, x, 0).expect("the note is well-formed");
    let f = b.finish(&[x]).expect("the program is well-formed");
    let error = transpose(&f, &[true], &[true]).expect_err("an effect on a linear value");
    assert!(
        error.message().starts_with("has no transpose: it has an effect on a value that is linear"),
        "{error}"
    );
}

/// `x` noted at place 0, then as it is, with a derivative that notes the tangent at place 1.
fn noting_rule(notes: &Notes) -> Result<CustomRule> {
    let mut primal = Builder::new("primal");
    let x = primal.param(ty(), "");
    let mut rule = Builder::new("rule");
    let (y, dy) = (rule.param(ty(), ""), rule.param(ty(), ""));
    notes.see(&mut rule, dy, 1)?;
    Ok(CustomRule::new(primal.finish(&[x])?, Rule::Jvp(rule.finish(&[y, dy])?.into())))
}

/// The sum of `x` after a rule that notes its tangent and a request for its value, in a loop or not.
fn noted_on_both_sides(notes: &Notes, in_a_loop: bool) -> Result<Program> {
    let mut body = Builder::new("body");
    let x = body.param(ty(), "");
    let y = body.one(noting_rule(notes)?, &[x])?;
    let z = notes.ask(&mut body, x, 0)?;
    let sum = body.add(y, z)?;
    let body = body.finish(&[sum])?;
    let mut b = Builder::new("f");
    let x = b.param(ty(), "x");
    let last = match in_a_loop {
        true => b.one(Scan { body: body.into(), consts: 0, carry: 1, length: 2, reverse: false }, &[x])?,
        false => b.inline(&body, &[x])?[0],
    };
    let sum = b.sum(last, &[0])?;
    b.finish(&[sum])
}

#[test]
fn ordered_effects_on_primals_and_tangents_alternate_in_forward_mode_only() {
    let notes = Notes::default();
    for (in_a_loop, op) in [(true, "[scan]"), (false, "[note]")] {
        let f = noted_on_both_sides(&notes, in_a_loop).expect("the program is well-formed");
        let forward = jvp(&f, &[true], &[true]).expect("a derivative");
        let x = Literal::from_slice(&[2], &[1.0f64, 2.0]).expect("two numbers");
        run(&forward.program, &[x.clone(), x]);
        let places: Vec<usize> = notes.take().into_iter().map(|(place, _)| place).collect();
        assert_eq!(places, if in_a_loop { vec![1, 0, 1, 0] } else { vec![1, 0] });

        for policy in [ResidualPolicy::Recompute, ResidualPolicy::SaveAll] {
            for error in [
                vjp(&f, &[true], policy).map(drop).expect_err("an effect on a tangent"),
                value_and_grad(&f, &[0], policy).map(drop).expect_err("an effect on a tangent"),
            ] {
                assert_eq!(error.kind(), jarrah_base::ErrorKind::Program, "{error}");
                let text = error.to_string();
                assert!(text.contains("ordered effect on a tangent") && text.contains(op), "{text}");
            }
        }
    }
}
