mod buffers;
mod by_program;
mod cache;
mod collectives;
mod complex;
mod contractions;
mod diverging;
mod dtypes;
mod examples;
mod flat;
mod growth;
mod host;
mod kernels;
mod launches;
mod left_out;
mod loops;
mod memory;
mod narrow;
mod narrow_steps;
mod observers;
mod places;
mod points;
mod processes;
mod products;
mod random;
mod scalar_loops;
mod selection;
mod shares;
mod stored;
mod together;
mod windows;

use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::{Builder, Op, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_runtime::{Client, CompileOptions};

/// The program of one op.
pub fn program(op: impl Into<Op>, types: &[Type]) -> Program {
    let mut b = Builder::new("one");
    let operands: Vec<_> = types.iter().map(|&ty| b.param(ty, "")).collect();
    let results = b.push(op, &operands).unwrap();
    b.finish(&results).unwrap()
}

pub fn run(client: &CpuClient, program: &Program, args: &[Literal]) -> Vec<Literal> {
    let executable = client.compile(program, &CompileOptions::default()).unwrap();
    let args = args.iter().map(|a| client.upload(a).unwrap()).collect();
    executable.run(args).unwrap().iter().map(|b| b.read().unwrap()).collect()
}

/// Runs with one, two and three threads, whose bits must agree, and compares with the reference evaluator.
pub fn check(name: &str, program: &Program, args: &[Literal], ulps: f64) -> Vec<Literal> {
    program.verify().unwrap();
    let results = run(&CpuClient::with_threads(1), program, args);
    for threads in [2, 3] {
        let other = run(&CpuClient::with_threads(threads), program, args);
        assert_eq!(results, other, "{name}: with {threads} threads");
    }
    let expected = evaluate(program, args).unwrap();
    assert_eq!(results.len(), expected.len());
    for (i, (found, expected)) in results.iter().zip(&expected).enumerate() {
        compare(&format!("{name}, result {i}"), found, expected, ulps);
    }
    results
}

/// Equal bits for integers; for floats within `ulps` units in the last place, of one at least `1e-6` large.
pub fn compare(name: &str, found: &Literal, expected: &Literal, ulps: f64) {
    assert_eq!(found.ty(), expected.ty(), "{name}");
    if ulps == 0.0 || !found.dtype().is_float() {
        assert_eq!(found, expected, "{name}");
        return;
    }
    let epsilon = match found.dtype() {
        DType::F64 => f64::EPSILON,
        DType::F32 => f64::from(f32::EPSILON),
        DType::F16 => 2f64.powi(-10),
        _ => 2f64.powi(-7),
    };
    for (i, (&f, &e)) in found.to_f64_vec().iter().zip(&expected.to_f64_vec()).enumerate() {
        let good =
            f == e || (f.is_nan() && e.is_nan()) || (f - e).abs() <= ulps * epsilon * e.abs().max(1e-6);
        assert!(good, "{name}: element {i} is {f}, not {e}");
    }
}

/// Values in `[-2, 2)` that repeat after a long time, as any element type.
pub fn numbers(dtype: DType, dims: &[usize], seed: u64) -> Literal {
    let mut literal = Literal::zeros(Type::tensor(dtype, dims.iter().copied())).unwrap();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let count = literal.len();
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f64 / (1u64 << 22) as f64 - 2.0
    };
    let values: Vec<f64> = (0..count).map(|_| next()).collect();
    jarrah_base::with_element!(dtype, T => {
        let dtype_is_bool = dtype == DType::Bool;
        let slice = literal.as_mut_slice::<T>().unwrap();
        for (to, x) in slice.iter_mut().zip(values) {
            let x = if dtype_is_bool { f64::from(x > 0.0) } else if dtype.is_float() { x } else { (x * 4.0).abs().floor() };
            *to = <T as jarrah_base::Element>::from_f64(x);
        }
    });
    literal
}
