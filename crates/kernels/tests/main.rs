//! Kernels beside ordinary array code: values alone, compiled, on the reference evaluator, batched; gradients.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod attention;
mod maps;
mod movement;
mod products;
mod rows;
mod windows;

use jarrah_array::checkify::{Categories, checkify};
use jarrah_array::{Array, Compiled, DType, Tree, grad, jit, make_program, stack, vmap};
use jarrah_runtime::Way;

/// Numbers that look random, from -1 to 1.
fn noise(shape: &[usize]) -> Array {
    noise_from(shape, 0)
}

fn noise_from(shape: &[usize], seed: i64) -> Array {
    let count = shape.iter().product::<usize>() as i64;
    let x = (Array::arange(count) + seed * 131).astype(DType::F64);
    ((x * 12.9898).sin() * 43758.5453 % 2.0 - 1.0).astype(DType::F32).reshape(shape)
}

fn integers(shape: &[usize], range: i64, seed: i64) -> Array {
    ((noise_from(shape, seed) + 1.0) * 0.5 * range as f64).floor().clip(0, range - 1).astype(DType::I32)
}

/// All elements are within `tolerance`, of numbers above one relative.
#[track_caller]
fn close_within(found: &Array, wanted: &Array, tolerance: f64) {
    assert_eq!(found.ty().to_string(), wanted.ty().to_string());
    let (found, wanted) = (found.astype(DType::F64), wanted.astype(DType::F64));
    let error = ((&found - &wanted).abs() / wanted.abs().maximum(1.0)).max(..).to_f64().unwrap();
    assert!(error <= tolerance, "an error of {error}:\n{found}\n{wanted}");
}

/// No step of the code runs on the reference evaluator.
#[track_caller]
fn runs_code<R: Tree<Array>>(compiled: &Compiled<R>) {
    let steps = compiled.steps();
    assert!(!steps.is_empty());
    let slow = steps.iter().filter(|step| step.way == Way::Evaluator);
    let slow: Vec<String> = slow.map(ToString::to_string).collect();
    assert!(slow.is_empty(), "on the evaluator: {slow:?}");
}

/// The results of `f` are those of `plain`, within `tolerance`, and so are its derivatives by the operands `by`. They have the
/// same bits when computed alone and compiled, are those of the reference evaluator, and no check fails. So are batches,
/// tangents and gradients of the first result.
#[track_caller]
fn compare(
    tolerance: f64,
    f: &dyn Fn(&[Array]) -> Vec<Array>,
    plain: &dyn Fn(&[Array]) -> Vec<Array>,
    xs: &[Array],
    by: &[usize],
) {
    let (f, plain) = (|xs: &Vec<Array>| f(xs), |xs: &Vec<Array>| plain(xs));
    let args = xs.to_vec();
    let alone = f(&args);
    let wanted = plain(&args);
    assert_eq!(alone.len(), wanted.len());
    for (found, wanted) in alone.iter().zip(&wanted) {
        close_within(found, wanted, tolerance);
    }
    let code = jit(|xs: &Vec<Array>| f(xs));
    runs_code(&code.lower(&args).compile().unwrap());
    let compiled = code.call(args.clone()).unwrap();
    let program = make_program(|xs: &Vec<Array>| f(xs), &args);
    let operands: Vec<_> = xs.iter().map(|x| x.to_literal().unwrap()).collect();
    let evaluated = jarrah_hlo_eval::evaluate(&program, &operands).unwrap();
    for ((alone, compiled), evaluated) in alone.iter().zip(&compiled).zip(&evaluated) {
        let bits = alone.to_literal().unwrap();
        assert_eq!(bits.bytes(), compiled.to_literal().unwrap().bytes(), "compiled");
        // The evaluator's transcendental functions differ in the last bits.
        close_within(&Array::from_literal(evaluated.clone()), alone, tolerance.min(1e-5));
    }
    let checked = checkify(|xs: &Vec<Array>| f(xs), Categories::USER);
    assert_eq!(checked(&args).0.get().unwrap(), None, "checked");

    // A batch of the operands and of others.
    let other: Vec<Array> =
        xs.iter().map(|x| if x.dtype().is_float() { x * 0.5 } else { x.clone() }).collect();
    let pairs: Vec<Array> = xs.iter().zip(&other).map(|(a, b)| stack(&[a, b], 0)).collect();
    let others = f(&other);
    for ((found, a), b) in vmap(f)(&pairs).iter().zip(&alone).zip(&others) {
        close_within(found, &stack(&[a, b], 0), tolerance);
    }

    for &i in by {
        let weights = noise_from(&wanted[0].shape(), 77) + 0.1;
        let with = |x: &Array| {
            let mut args = args.clone();
            args[i] = x.clone();
            args
        };
        let total = |g: &dyn Fn(&Vec<Array>) -> Vec<Array>, x: &Array| (&g(&with(x))[0] * &weights).sum(..);
        let slope = grad(|x: &Array| total(&f, x))(&xs[i]);
        close_within(&slope, &grad(|x: &Array| total(&plain, x))(&xs[i]), tolerance * 10.0);
        let code = jit(grad(|x: &Array| total(&f, x)));
        runs_code(&code.lower(&xs[i]).compile().unwrap());
        let compiled = code.call(xs[i].clone()).unwrap();
        close_within(&compiled, &slope, tolerance * 10.0);
    }
}

#[track_caller]
fn agrees_within(
    tolerance: f64,
    f: impl Fn(&[Array]) -> Vec<Array>,
    plain: impl Fn(&[Array]) -> Vec<Array>,
    xs: &[Array],
    by: &[usize],
) {
    compare(tolerance, &f, &plain, xs, by);
}

#[track_caller]
fn agrees(
    f: impl Fn(&[Array]) -> Vec<Array>,
    plain: impl Fn(&[Array]) -> Vec<Array>,
    xs: &[Array],
    by: &[usize],
) {
    agrees_within(2e-5, f, plain, xs, by);
}

/// As [`agrees`], to the bit.
#[track_caller]
fn equals(f: impl Fn(&[Array]) -> Vec<Array>, plain: impl Fn(&[Array]) -> Vec<Array>, xs: &[Array]) {
    agrees_within(0.0, f, plain, xs, &[]);
}
