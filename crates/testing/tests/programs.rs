//! Two ways to run a program, one answer: random programs over every op, compiled and evaluated.

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::{Builder, Instr, Op, Program, Value};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions};
use jarrah_testing::programs::random_program;

/// More programs than this are for a person to ask for: `JARRAH_PROGRAMS=100000 cargo test ...`.
const PROGRAMS: u64 = 300;

fn run(client: &CpuClient, program: &Program, arguments: &[Literal]) -> Vec<Literal> {
    let executable = client.compile(program, &CompileOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    let arguments = arguments.iter().map(|a| client.upload(a).unwrap()).collect();
    executable.run(arguments).unwrap().iter().map(|b| b.read().unwrap()).collect()
}

fn alone(program: &Program, instr: &Instr) -> Program {
    let mut b = Builder::new("one");
    let operands: Vec<Value> = instr.operands.iter().map(|&v| b.param(program.ty(v), "")).collect();
    let results = b.push(instr.op.clone(), &operands).unwrap();
    b.finish(&results).unwrap()
}

/// What a rounding of the type is worth, a few times over: functions of floats may differ in their last digits.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 | DType::C128 => 1e-9,
        DType::F32 | DType::C64 => 1e-4,
        DType::F16 => 1e-2,
        DType::BF16 => 0.1,
        _ => 0.6,
    }
}

fn near(found: &Literal, expected: &Literal) -> bool {
    if found == expected {
        return true;
    }
    if found.ty() != expected.ty() || found.dtype().is_integer() || found.dtype() == DType::Bool {
        return false;
    }
    let pairs =
        |x: &Literal| (0..x.len()).map(|i| x.get_c128(i)).flat_map(|z| [z.re, z.im]).collect::<Vec<f64>>();
    let (found_values, expected_values) = (pairs(found), pairs(expected));
    let largest = expected_values.iter().filter(|x| x.is_finite()).fold(1.0f64, |a, x| a.max(x.abs()));
    found_values.iter().zip(&expected_values).all(|(&f, &e)| {
        f == e || f.is_nan() && e.is_nan() || (f - e).abs() <= tolerance(found.dtype()) * largest
    })
}

#[test]
fn compiled_programs_do_what_the_evaluator_does() {
    let count = std::env::var("JARRAH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let client = CpuClient::with_threads(2);
    let mut used = std::collections::BTreeSet::new();
    for seed in 0..count {
        let (program, arguments) = random_program(seed, 8).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        program.verify().unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let results = run(&client, &program, &arguments);

        // Every value of the program at once: each instruction must make of its operands what the evaluator makes.
        let params: Vec<Value> = program.param_values().collect();
        let all: Vec<Value> = program.instrs().iter().flat_map(Instr::results).collect();
        let whole = program.extract(&params, &all).unwrap();
        let values: Vec<Literal> =
            arguments.iter().cloned().chain(run(&client, &whole, &arguments)).collect();
        for instr in program.instrs() {
            used.insert(instr.op.name());
            let operands: Vec<Literal> = instr.operands.iter().map(|v| values[v.index()].clone()).collect();
            // Of a masked key, not even a NaN is seen by the kernel; its definition multiplies it by a weight of zero.
            let finite = |x: &Literal| (0..x.len()).all(|i| x.get_c128(i).is_finite());
            if matches!(instr.op, Op::Attention(_)) && !operands.iter().all(finite) {
                continue;
            }
            let expected = evaluate(&alone(&program, instr), &operands).unwrap();
            for (value, expected) in instr.results().zip(&expected) {
                let found = &values[value.index()];
                let types: Vec<Type> = operands.iter().map(Literal::ty).collect();
                assert!(
                    near(found, expected),
                    "seed {seed}: {:?} of {types:?}\n{operands:?}\nis {found:?}\nnot {expected:?}",
                    instr.op
                );
            }
        }

        // And what else is asked for changes no bit.
        for (found, value) in results.iter().zip(program.results()) {
            assert_eq!(found, &values[value.index()], "seed {seed}: fusion changed the bits of {value:?}");
        }
    }
    assert!(count < PROGRAMS || used.len() > 60, "{used:?}");
}
