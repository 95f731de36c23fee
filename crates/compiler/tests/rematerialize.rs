//! Programs under a memory limit: they fit, keep their bits, and say what they compute again.

use jarrah_base::{DType, ErrorKind, Literal, Type, work};
use jarrah_compiler::{CompiledProgram, MemoryPlan, PassOptions, Reference, compile};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Alias, Builder, Program, Value};
use jarrah_hlo_eval::evaluate;

use crate::common::{canonical, literal, same};
use crate::models::{f32s, train_step};

fn within(
    program: &Program,
    limit: Option<usize>,
    aliases: &[Alias],
) -> jarrah_base::Result<CompiledProgram> {
    let options = PassOptions {
        memory_limit: limit,
        aliases: aliases.to_vec(),
        verify: true,
        ..PassOptions::default()
    };
    compile(program, &Reference::default(), options)
}

fn arguments(program: &Program) -> Vec<Literal> {
    program.param_types().into_iter().enumerate().map(|(i, ty)| literal(ty, 11 * i as u64 + 5)).collect()
}

fn bits_agree(program: &Program, a: &Program, b: &Program) {
    let arguments = arguments(program);
    let (a, b) = (evaluate(a, &arguments).expect("runs"), evaluate(b, &arguments).expect("runs"));
    assert!(a.iter().zip(&b).all(|(a, b)| same(a, b)));
}

/// Values that are all made first and all used last, in the opposite order: `depth` of `size` squared.
fn there_and_back(depth: usize, size: usize) -> Program {
    let mut b = Builder::new("back");
    let x = b.param(f32s(&[size, size]), "x");
    let dot = || DotGeneral::matmul(0, DType::F32);
    let mut kept: Vec<Value> = vec![x];
    for _ in 0..depth {
        let last = kept[kept.len() - 1];
        kept.push(b.one(dot(), &[last, x]).expect("fits"));
    }
    let mut y = x;
    for &value in kept.iter().rev() {
        y = b.one(dot(), &[y, value]).expect("fits");
    }
    b.finish(&[y]).expect("a result")
}

#[test]
fn a_chain_fits_into_less_and_keeps_its_bits() {
    let program = there_and_back(16, 32);
    let free = within(&program, None, &[]).expect("compiles");
    assert!(free.recomputed.is_empty());
    let (total, one) = (free.buffers.memory.total(), 32 * 32 * 4);
    for spared in [1, 4, 8, 10] {
        let limit = total - spared * one;
        let compiled = within(&program, Some(limit), &[]).unwrap_or_else(|e| panic!("{spared}: {e}"));
        canonical(&compiled.program);
        assert!(compiled.buffers.memory.total() <= limit);
        assert!(!compiled.recomputed.is_empty());
        bits_agree(&program, &free.program, &compiled.program);
        let bytes = compiled.to_bytes().expect("portable");
        let back = CompiledProgram::from_bytes(&bytes, &Reference::default(), &[]).expect("reads");
        assert_eq!(back.recomputed, compiled.recomputed);
    }
}

#[test]
fn what_fits_is_left_as_it_is() {
    let program = there_and_back(4, 8);
    let free = within(&program, None, &[]).expect("compiles");
    let limited = within(&program, Some(free.buffers.memory.total()), &[]).expect("compiles");
    assert_eq!(free.program, limited.program);
}

#[test]
fn an_impossible_limit_names_the_ten_largest_buffers_at_the_peak() {
    let program = there_and_back(16, 32);
    let error = within(&program, Some(12_000), &[]).expect_err("three matrices are not enough");
    assert_eq!(error.kind(), ErrorKind::Memory);
    let text = error.to_string();
    assert!(text.contains("the limit of 12 kB was asked for"), "{text}");
    assert!(text.contains("4096 B: f32[32,32], the argument x"), "{text}");
    assert!(text.contains("4096 B: f32[32,32], dot_general"), "{text}");
    // A smaller buffer that is never there at the peak is not named, and no more than ten are.
    assert!(text.matches(": f32[32,32]").count() <= 10, "{text}");
}

#[test]
fn only_what_is_there_at_the_peak_is_named() {
    let mut b = Builder::new("peaks");
    let x = b.param(f32s(&[8, 8]), "x");
    let dot = || DotGeneral::matmul(0, DType::F32);
    let y = b.one(dot(), &[x, x]).expect("fits");
    let wide = b.broadcast_in_dim(y, &[64, 8, 8], &[1, 2]).expect("fits");
    let sorted = b.transpose(wide, &[2, 0, 1]).expect("fits");
    let flat = b.reshape(sorted, &[512, 8]).expect("fits");
    let small = b.one(dot(), &[flat, x]).expect("fits");
    let small = b.slice(small, &[0, 0], &[8, 8]).expect("fits");
    let last = b.one(dot(), &[small, x]).expect("fits");
    let last = b.one(dot(), &[last, x]).expect("fits");
    let program = b.finish(&[last]).expect("a result");
    let compiled = within(&program, None, &[]).expect("compiles");
    let plan = MemoryPlan::new(&compiled.program, &compiled.buffers);
    let text = plan.to_string();
    assert!(text.starts_with("memory of peaks: "), "{text}");
    let rows = plan.buffers.len();
    assert_eq!(text.lines().count(), rows + 3, "{text}");
    let named = plan.largest(100).join("\n");
    assert!(named.contains("16 kB: f32[8,64,8], transpose"), "{named}\n{text}");
    // What is made after the peak, or was read for the last time before it, is not there.
    assert!(!named.contains("slice") && !named.contains("f32[512,8]"), "{named}\n{text}");
    assert!(plan.live_at_peak <= compiled.buffers.arena());
    assert!(plan.largest(100).len() < rows, "{named}\n{text}");
}

#[test]
fn random_bits_and_effects_are_never_computed_again() {
    let ty = Type::tensor(DType::U32, [64, 64]);
    let mut b = Builder::new("random");
    let state = b.param(Type::tensor(DType::U64, [2]), "state");
    let mut kept = Vec::new();
    let mut state = state;
    for _ in 0..6 {
        let made = b.push(RngBitGenerator { algorithm: RngAlgorithm::Threefry, ty }, &[state]).expect("fits");
        state = made[0];
        kept.push(made[1]);
    }
    // Read from the last to the first, each by an op that no loop takes.
    let mut total = kept.pop().expect("six");
    while let Some(bits) = kept.pop() {
        let turned = b.transpose(total, &[1, 0]).expect("fits");
        total = b.add(turned, bits).expect("fits");
    }
    let program = b.finish(&[total, state]).expect("results");
    let free = within(&program, None, &[]).expect("compiles");
    let error = within(&program, Some(free.buffers.memory.total() * 2 / 3), &[]);
    assert_eq!(error.expect_err("random bits stay").kind(), ErrorKind::Memory);
}

#[test]
fn a_training_step_fits_into_two_thirds_and_keeps_its_bits() {
    let program = train_step(4, &[8, 16, 16], 2, 10);
    let count = (program.params().len() - 4) / 3;
    let aliases: Vec<Alias> = (0..3 * count).map(Alias::donor).collect();
    let free = within(&program, None, &aliases).expect("compiles");
    let memory = free.buffers.memory;
    let fixed = memory.arguments + memory.results;
    assert!(memory.temporaries > fixed, "activations are what the memory is for: {memory:?}");
    let limit = memory.total() * 7 / 10;
    let compiled = within(&program, Some(limit), &aliases).unwrap_or_else(|e| panic!("{e}"));
    assert!(compiled.buffers.memory.total() <= limit);
    canonical(&compiled.program);
    let flops = |p: &Program| p.cost().expect("known").flops;
    let more = flops(&compiled.program) / flops(&free.program);
    println!("{} steps run again, {more:.2} times the work", compiled.recomputed.len());
    assert!(more < 1.6, "{more}");
    bits_agree(&program, &free.program, &compiled.program);
}

#[test]
fn the_bodies_of_loops_shrink_too() {
    let body = there_and_back(16, 32);
    let mut b = Builder::new("turns");
    let x = b.param(f32s(&[32, 32]), "x");
    let half = b.scale(x, 0.1).expect("scales");
    let scan = Scan { body: body.into(), consts: 0, carry: 1, length: 3, reverse: false };
    let y = b.push(scan, &[half]).expect("fits")[0];
    let program = b.finish(&[y]).expect("a result");
    let free = within(&program, None, &[]).expect("compiles");
    let limit = free.buffers.memory.total() * 2 / 3;
    let compiled = within(&program, Some(limit), &[]).unwrap_or_else(|e| panic!("{e}"));
    assert!(compiled.buffers.memory.total() <= limit && !compiled.recomputed.is_empty());
    bits_agree(&program, &free.program, &compiled.program);
    let error = within(&program, Some(20_000), &[]).expect_err("five matrices are not enough").to_string();
    // The buffers inside the loop are named, not the loop.
    assert!(error.contains("4096 B: f32[32,32], dot_general"), "{error}");
}

#[test]
fn a_large_step_finds_room_with_bounded_work() {
    let counted = |layers| {
        let program = train_step(layers, &[4, 256, 384], 6, 65);
        let aliases: Vec<Alias> = (0..3 * (4 + layers * 16)).map(Alias::donor).collect();
        let target = Reference { attention: true, contracts: true, memory: None };
        let with = |memory_limit| {
            let aliases = aliases.clone();
            let options = PassOptions { aliases, memory_limit, verify: false, ..PassOptions::default() };
            compile(&program, &target, options).unwrap_or_else(|e| panic!("{e}"))
        };
        let memory = with(None).buffers.memory;
        let limit = memory.arguments + memory.results + memory.temporaries / 2;
        let begun = std::time::Instant::now();
        let (steps, compiled) = work::counted(|| with(Some(limit)));
        let again = compiled.recomputed.len();
        println!("{layers} layers: {steps} steps of work, {again} run again, {:?}", begun.elapsed());
        assert!(compiled.buffers.memory.total() <= limit);
        steps
    };
    let (small, large) = (counted(3), counted(6));
    // A round for each value, and all steps in each: the square.
    assert!(large as f64 <= 5.0 * small as f64, "{small} steps, then {large}");
}
