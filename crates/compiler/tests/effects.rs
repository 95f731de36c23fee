//! Effects through the compiler: what is ordered keeps its order, and a pass that breaks them is found out.

use std::sync::{Arc, Mutex};

use jarrah_base::{DType, Literal, Location, Result, Source, Type};
use jarrah_compiler::{PASSES, Reference, check_effects};
use jarrah_hlo::host::{HandlerCall, NamedHandler};
use jarrah_hlo::ops::{CallTarget, Case, CustomCall, Scan};
use jarrah_hlo::{Builder, Effects, Op, Program, Value};
use jarrah_hlo_eval::evaluate;

use crate::common::{Rng, compiled};

const F32: DType = DType::F32;

/// Lines, each with the sum of the values seen there.
type Notes = Arc<Mutex<Vec<(u32, f64)>>>;

/// Notes `value`, with the effects that are given, at line `line`.
fn note(b: &mut Builder, notes: &Notes, value: Value, effects: Effects, line: u32) -> Result<()> {
    let sink = notes.clone();
    let function = NamedHandler::new("note", move |call: &mut HandlerCall<'_>| {
        let values = call.operands[0].literal()?.to_f64_vec();
        sink.lock().expect("no panic holds the lock").push((line, values.iter().sum()));
        Ok(())
    });
    let before = b.set_source(Source::at(Location::new("notes.rs", line, 1)));
    let call = CustomCall { effects, ..CustomCall::new(CallTarget::Function(function), vec![]) };
    b.push(call, &[value])?;
    b.set_source(before);
    Ok(())
}

/// Notes before, in each step of, and after a loop, among work that could be moved, fused, merged and dropped.
fn program(notes: &Notes, seed: u64) -> Result<Program> {
    let mut rng = Rng(seed | 1);
    let ty = Type::tensor(F32, [4]);
    let mut line = 0;
    let mut b = Builder::new("f");
    let mut pool = vec![b.param(ty, "x"), b.param(ty, "y")];
    for _ in 0..12 {
        let (x, y) = (rng.pick(&pool), rng.pick(&pool));
        line += 1;
        match rng.below(6) {
            0 => pool.push(b.add(x, y)?),
            1 => pool.push(b.exp(x)?),
            2 => note(&mut b, notes, x, Effects::ORDERED, line)?,
            3 => {
                let sum = b.sum(x, &[0])?;
                note(&mut b, notes, sum, Effects::ORDERED, line)?;
            }
            4 => {
                let mut body = Builder::new("step");
                let (c, x) = (body.param(ty, ""), body.param(Type::scalar(F32), ""));
                note(&mut body, notes, x, Effects::ORDERED, line)?;
                let scaled = body.scale(c, 0.5)?;
                note(&mut body, notes, scaled, Effects::ORDERED, line)?;
                let body = body.finish(&[scaled])?.into();
                let scan = Scan { body, consts: 0, carry: 1, length: 4, reverse: rng.below(2) == 0 };
                pool.push(b.push(scan, &[x, y])?[0]);
            }
            _ => {
                let branch = |name: &str, twice: bool| -> Result<_> {
                    let mut b = Builder::new(name);
                    let x = b.param(ty, "");
                    for _ in 0..=usize::from(twice) {
                        note(&mut b, notes, x, Effects::ORDERED, line)?;
                    }
                    Ok(b.finish(&[x])?.into())
                };
                let branches = vec![branch("once", false)?, branch("twice", true)?];
                let index = match rng.below(2) {
                    0 => b.constant(Literal::scalar(1i32))?,
                    _ => {
                        let first = b.slice_axis(x, 0, 0, 1)?;
                        let first = b.reshape(first, &[])?;
                        b.convert(first, DType::I32)?
                    }
                };
                pool.push(b.push(Case { branches }, &[index, y])?[0]);
            }
        }
    }
    let result = rng.pick(&pool);
    b.finish(&[result])
}

#[test]
fn every_pass_keeps_the_order_of_effects() {
    let mut seen = 0;
    for seed in 0..200 {
        let notes = Notes::default();
        let program = program(&notes, seed).expect("the program is well-formed");
        let x = Literal::from_slice(&[4], &[0.5f32, 1.5, -2.0, 3.0]).expect("four");
        let y = Literal::from_slice(&[4], &[1.0f32, -1.0, 0.25, 2.0]).expect("four");
        let taken = |program: &Program| {
            let results = evaluate(program, &[x.clone(), y.clone()]).expect("the program runs");
            (results, std::mem::take(&mut *notes.lock().expect("no panic holds the lock")))
        };
        let expected = taken(&program);
        seen += expected.1.len();
        let mut current = program.clone();
        for pass in PASSES {
            let next = pass.run(&current, &Reference::default(), &[]).expect("the pass runs");
            check_effects(&current, &next).unwrap_or_else(|e| panic!("{} of {seed}: {e}", pass.name));
            current = next;
            assert_eq!(taken(&current), expected, "{} of {seed}:\n{program:?}\n{current:?}", pass.name);
        }
        assert_eq!(taken(&compiled(&program).program), expected, "{seed}");
    }
    assert!(seen > 1000, "{seen} notes");
}

/// The program with these of its instructions, whose operands are parameters, in this order.
fn with(program: &Program, instrs: &[usize]) -> Program {
    let mut b = Builder::like(program);
    let params: Vec<Value> = program.param_values().collect();
    for &index in instrs {
        let instr = &program.instrs()[index];
        let operands: Vec<Value> = instr.operands.iter().map(|v| params[v.index()]).collect();
        b.copy(program, instr, &operands);
    }
    b.finish(&params).expect("parameters are values")
}

#[test]
fn a_pass_that_loses_doubles_or_reorders_effects_is_found_out() {
    let notes = Notes::default();
    let ty = Type::tensor(F32, [4]);
    let of = |effects: [Effects; 3]| {
        let mut b = Builder::new("f");
        let x = b.param(ty, "x");
        for (line, effects) in (1..).zip(effects) {
            note(&mut b, &notes, x, effects, line).expect("the note is well-formed");
        }
        b.finish(&[x]).expect("the program is well-formed")
    };
    let fails = |before: &Program, after: &Program, line: u32, what: &str| {
        let error = check_effects(before, after).expect_err(what);
        assert!(error.message().ends_with(what), "{error}");
        assert_eq!(error.location().map(|l| l.line()), Some(line), "{error}");
    };
    let ordered = of([Effects::ORDERED; 3]);
    check_effects(&ordered, &ordered).expect("nothing changed");
    let (reversed, without, doubled) = (&[0, 2, 1][..], &[0, 2][..], &[0, 1, 2, 2][..]);
    fails(&ordered, &with(&ordered, reversed), 2, "out of order");
    fails(&ordered, &with(&ordered, without), 2, "lost");
    fails(&ordered, &with(&ordered, doubled), 3, "doubled");
    fails(&with(&ordered, without), &ordered, 2, "into a loop");
    let observed = of([Effects::OBSERVED; 3]);
    check_effects(&observed, &with(&observed, reversed)).expect("the order is free");
    fails(&observed, &with(&observed, without), 2, "lost");
    let droppable = of([Effects::OBSERVED, Effects { once: true, ..Effects::NONE }, Effects::OBSERVED]);
    check_effects(&droppable, &with(&droppable, without)).expect("it may be dropped");
    fails(&droppable, &with(&droppable, doubled), 3, "doubled");
}

#[test]
fn a_loop_keeps_its_effects_when_nothing_uses_its_results() {
    let notes = Notes::default();
    let ty = Type::scalar(F32);
    let mut body = Builder::new("step");
    let c = body.param(ty, "");
    note(&mut body, &notes, c, Effects::OBSERVED, 1).expect("the note is well-formed");
    let body = body.finish(&[c]).expect("the body is well-formed").into();
    let mut b = Builder::new("f");
    let x = b.param(ty, "x");
    b.push(Scan { body, consts: 0, carry: 1, length: 3, reverse: false }, &[x])
        .expect("the scan is well-formed");
    let function = NamedHandler::new("pure", |_: &mut HandlerCall<'_>| Ok(()));
    let unused = CustomCall::new(CallTarget::Function(function), vec![ty]);
    b.push(unused, &[x]).expect("the call is well-formed");
    let compiled = compiled(&b.finish(&[x]).expect("the program is well-formed")).program;
    assert!(!compiled.instrs().iter().any(|i| matches!(i.op, Op::CustomCall(_))), "a pure call is dropped");
    evaluate(&compiled, &[Literal::scalar(2.0f32)]).expect("the program runs");
    assert_eq!(*notes.lock().expect("no panic holds the lock"), [(1, 2.0); 3]);
}
