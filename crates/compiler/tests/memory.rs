//! Donation, updates in place, loops, and programs that do not fit.

use jarrah_base::{DType, ErrorKind, Type};
use jarrah_compiler::{Carry, MemoryPlace, PassOptions, Reference, compile};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Alias, Builder, Op, Program, Value};

use crate::common::{check, compiled_for, literal};

fn cache_type() -> Type {
    Type::tensor(DType::F32, [16, 8])
}

/// `steps` rows written one after another.
fn updates(steps: usize) -> Program {
    let mut b = Builder::new("cache");
    let mut cache = b.param(cache_type(), "cache");
    let row = b.param(Type::tensor(DType::F32, [1, 8]), "row");
    let zero = b.scalar(0i32).expect("scalar");
    for i in 0..steps {
        let at = b.scalar(i as i32).expect("scalar");
        cache = b.one(DynamicUpdateSlice, &[cache, row, at, zero]).expect("fits");
    }
    b.finish(&[cache]).expect("a result")
}

#[test]
fn a_donated_cache_is_updated_in_place() {
    let compiled = compiled_for(&updates(3), &Reference::default(), vec![0]);
    assert_eq!(compiled.buffers.donations, [Some(0)]);
    let updated = compiled.program.instrs().iter().filter(|i| matches!(i.op, Op::DynamicUpdateSlice(_)));
    assert!(
        updated.map(|i| compiled.buffers.places[i.result().index()]).all(|p| p == MemoryPlace::Result(0))
    );
    assert_eq!((compiled.buffers.arena(), compiled.buffers.memory.results), (0, 0));
}

#[test]
fn a_cache_that_is_kept_is_copied_once() {
    let compiled = compiled_for(&updates(3), &Reference::default(), Vec::new());
    assert_eq!(compiled.buffers.donations, [None]);
    assert_eq!((compiled.buffers.arena(), compiled.buffers.memory.results), (0, 16 * 8 * 4));
}

#[test]
fn a_parameter_that_is_read_later_is_not_written_over() {
    let mut b = Builder::new("both");
    let x = b.param(cache_type(), "x");
    let y = b.exp(x).expect("fits");
    let dot = DotGeneral::matmul(0, DType::F32);
    let turned = b.transpose(x, &[1, 0]).expect("fits");
    let z = b.one(dot, &[turned, y]).expect("fits");
    let program = b.finish(&[y, z]).expect("results");
    let compiled = compiled_for(&program, &Reference::default(), vec![0]);
    assert_eq!(compiled.buffers.donations, [None, None]);
}

#[test]
fn a_bitcast_of_what_nothing_else_reads_is_no_copy() {
    for kept in [false, true] {
        let mut b = Builder::new("words");
        let bytes = b.param(Type::tensor(DType::U8, [4, 64]), "bytes");
        let turned = b.transpose(bytes, &[1, 0]).expect("fits");
        let words = b.one(BitcastConvert { to: DType::F32 }, &[turned]).expect("fits");
        let words = b.reshape(words, &[8, 8]).expect("fits");
        let product = b.one(DotGeneral::matmul(0, DType::F32), &[words, words]).expect("fits");
        let results = if kept { vec![product, turned] } else { vec![product] };
        let program = b.finish(&results).expect("results");
        let compiled = compiled_for(&program, &Reference::default(), Vec::new());
        let is_bitcast = |instr: &&jarrah_hlo::Instr| matches!(instr.op, Op::BitcastConvert(_));
        let bitcast = compiled.program.instrs().iter().find(is_bitcast).expect("it is left");
        let place = |value: Value| compiled.buffers.places[value.index()];
        assert_eq!(place(bitcast.operands[0]) == place(bitcast.result()), !kept);
        check(&program, &[literal(Type::tensor(DType::U8, [4, 64]), 5)]);
    }
}

#[test]
fn a_parameter_returned_is_its_own_donation() {
    let mut b = Builder::new("same");
    let (x, y) = (b.param(cache_type(), "x"), b.param(cache_type(), "y"));
    let program = b.finish(&[y, x]).expect("results");
    let compiled = compiled_for(&program, &Reference::default(), vec![0]);
    assert_eq!(compiled.buffers.donations, [None, Some(0)]);
}

/// `x e^x` or `x`, of which `x` is `e^w`; and `x` again, if `kept`.
fn branch(kept: bool) -> Program {
    let branch = |changes: bool| {
        let mut b = Builder::new("branch");
        let x = b.param(cache_type(), "x");
        let y = if changes { b.exp(x).and_then(|y| b.mul(x, y)).expect("fits") } else { x };
        b.finish(&[y]).expect("a result")
    };
    let mut b = Builder::new("main");
    let (which, w) = (b.param(Type::scalar(DType::I32), "which"), b.param(cache_type(), "w"));
    let x = b.exp(w).expect("fits");
    let case = Case { branches: vec![branch(false).into(), branch(true).into()] };
    let y = b.one(case, &[which, x]).expect("fits");
    let sum = b.sum(y, &[0, 1]).expect("fits");
    let results = if kept { vec![sum, x] } else { vec![sum] };
    b.finish(&results).expect("results")
}

#[test]
fn a_branch_that_passes_a_value_on_leaves_it_where_it_is() {
    for kept in [false, true] {
        let compiled = compiled_for(&branch(kept), &Reference::default(), Vec::new());
        let is_case = |instr: &&jarrah_hlo::Instr| matches!(instr.op, Op::Case(_));
        let case = compiled.program.instrs().iter().find(is_case).expect("a branch is left");
        let place = |value: Value| match compiled.buffers.places[value.index()] {
            MemoryPlace::Alias(root) => compiled.buffers.places[root.index()],
            place => place,
        };
        assert_eq!(place(case.operands[1]) == place(case.result()), !kept);
        let nested = compiled.buffers.nested.values().next().expect("there is a branch");
        assert_eq!(nested.in_place(), [(0, 0)]);
    }
}

/// A scan that carries a cache, written in every step, and a sum.
fn scan() -> Program {
    let row = Type::tensor(DType::F32, [1, 8]);
    let mut b = Builder::new("step");
    let (at, cache) = (b.param(Type::scalar(DType::I32), "at"), b.param(cache_type(), "cache"));
    let (old, new) = (b.param(row, "old"), b.param(row, "new"));
    let one = b.scalar(1i32).expect("scalar");
    let zero = b.scalar(0i32).expect("scalar");
    let next = b.add(at, one).expect("fits");
    let cache = b.one(DynamicUpdateSlice, &[cache, new, at, zero]).expect("fits");
    // The old row is used after the new one is known, so the two take turns.
    let y = b.sub(old, new).expect("fits");
    let body = b.finish(&[next, cache, new, y]).expect("results");
    let mut b = Builder::new("scan");
    let (cache, rows) =
        (b.param(cache_type(), "cache"), b.param(Type::tensor(DType::F32, [4, 1, 8]), "rows"));
    let zero = b.scalar(0i32).expect("scalar");
    let first = b.zeros(row).expect("zeros");
    let scan = Scan { body: body.into(), consts: 0, carry: 3, length: 4, reverse: false };
    let results: Vec<Value> = b.push(scan, &[zero, cache, first, rows]).expect("fits").to_vec();
    b.finish(&results).expect("results")
}

#[test]
fn a_carried_cache_is_updated_in_place() {
    let program = scan();
    let arguments: Vec<_> = program.param_types().into_iter().map(|ty| literal(ty, 5)).collect();
    check(&program, &arguments);
    let compiled = compiled_for(&program, &Reference::default(), vec![0]);
    assert_eq!(compiled.buffers.donations[1], Some(0));
    let nested = compiled.buffers.nested.values().next().expect("there is a loop");
    assert_eq!(nested.carry[..2], [Carry::InPlace, Carry::InPlace]);
    assert!(matches!(nested.carry[2], Carry::Double { .. }));
}

#[test]
fn temporaries_share_memory() {
    let mut b = Builder::new("chain");
    let ty = Type::tensor(DType::F32, [32, 32]);
    let mut x = b.param(ty, "x");
    for _ in 0..10 {
        x = b.one(DotGeneral::matmul(0, DType::F32), &[x, x]).expect("fits");
    }
    let program = b.finish(&[x]).expect("a result");
    let compiled = compiled_for(&program, &Reference::default(), Vec::new());
    assert_eq!(compiled.buffers.arena(), 2 * 32 * 32 * 4);
}

#[test]
fn what_does_not_fit_names_the_largest_buffers() {
    let target = Reference { memory: Some(1000), ..Reference::default() };
    let error = compile(&updates(1), &target, PassOptions::default()).expect_err("a kilobyte is not enough");
    assert_eq!(error.kind(), ErrorKind::Memory);
    let text = error.to_string();
    assert!(text.contains("1056 B") && text.contains("512 B: f32[16,8], the argument cache"), "{text}");
}

#[test]
fn an_unknown_donation_is_a_program_error() {
    let options = PassOptions { aliases: vec![Alias::donor(7)], ..PassOptions::default() };
    let error = compile(&updates(1), &Reference::default(), options).expect_err("there are two parameters");
    assert_eq!(error.kind(), ErrorKind::Program);
}

#[test]
fn what_is_computed_again_is_not_merged_with_the_first_time() {
    let mut b = Builder::new("f");
    let x = b.param(cache_type(), "x");
    let y = b.exp(x).expect("fits");
    let body = b.finish(&[y]).expect("a result");
    let mut b = Builder::new("twice");
    let x = b.param(cache_type(), "x");
    let first = b.one(Remat::new(body.clone()), &[x]).expect("fits");
    let again = b.one(Remat::new(body), &[x]).expect("fits");
    let total = b.add(first, again).expect("fits");
    let program = b.finish(&[first, total]).expect("results");
    let mut exponentials = 0;
    let mut dump = |pass: &str, p: &Program| {
        if pass == "cse" {
            let is_exp = |i: &&jarrah_hlo::Instr| matches!(&i.op, Op::Elementwise(e) if e.kind == ElementwiseKind::Exponential);
            exponentials = p.instrs().iter().filter(is_exp).count();
        }
    };
    let options = PassOptions { dump: Some(&mut dump), ..PassOptions::default() };
    compile(&program, &Reference::default(), options).expect("compiles");
    assert_eq!(exponentials, 2);
}
