//! The elementwise functions of the reference evaluator against values of 150 digits (`oracle/functions.py`), and the
//! derivatives of those of complex numbers against JAX (`oracle/slopes.py`).

use std::collections::BTreeMap;

use jarrah_base::{DType, Literal, Type, c128};
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo::{Builder, Program};
use jarrah_hlo_eval::evaluate;
use jarrah_testing::{golden_tensors, golden_text};
use jarrah_transforms::{ResidualPolicy, jvp, vjp};

fn program(kind: ElementwiseKind, operands: &[Literal]) -> Program {
    let mut b = Builder::new(kind.name());
    let values: Vec<_> = operands.iter().map(|x| b.param(x.ty(), "")).collect();
    let result =
        if let [x] = values[..] { b.unary(kind, x) } else { b.binary(kind, values[0], values[1]) }.unwrap();
    b.finish(&[result]).unwrap()
}

fn apply(kind: ElementwiseKind, operands: &[Literal]) -> Literal {
    evaluate(&program(kind, operands), operands).unwrap().remove(0)
}

/// How many doubles lie between two.
fn ulps(a: f64, b: f64) -> u64 {
    let ordered = |x: f64| if x < 0.0 { -i128::from((-x).to_bits()) } else { i128::from(x.abs().to_bits()) };
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0 } else { u64::MAX };
    }
    (ordered(a) - ordered(b)).unsigned_abs() as u64
}

/// The bound of a function in units in the last place.
fn bound(name: &str) -> u64 {
    match name {
        "polygamma" => 12,
        "zeta" | "bessel_i0e" | "bessel_i1e" | "digamma" => 6,
        "lgamma" | "logistic" => 3,
        _ => 2,
    }
}

/// The bound for each part of a complex value: where a part cancels, `power` and `logistic` lose bits of it.
fn complex_bound(name: &str) -> u64 {
    match name {
        "power" => 128,
        "logistic" => 16,
        _ => 3,
    }
}

/// A tensor of complex numbers of one of parts on the last axis, a tensor as it is.
fn number(parts: &Literal) -> Literal {
    let [count, 2] = parts.dims()[..] else { return parts.clone() };
    let values: Vec<c128> =
        parts.to_f64_vec().as_chunks::<2>().0.iter().map(|&[re, im]| c128::new(re, im)).collect();
    Literal::from_slice(&[count], &values).unwrap()
}

/// Checks the functions whose values stand under `prefix`, part by part, and returns how many there are.
fn check(prefix: &str, bound: fn(&str) -> u64) -> usize {
    let tensors: BTreeMap<String, Literal> = golden_tensors("functions.safetensors").unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for &kind in ElementwiseKind::ALL {
        let name = kind.name();
        let column = |c: &str| tensors.get(&format!("{prefix}{name}/{c}")).map(number);
        let Some(expected) = column("value") else { continue };
        let operands: Vec<Literal> = ["x", "y"].iter().filter_map(|c| column(c)).collect();
        let found = apply(kind, &operands).to_c128_vec();
        let worst = expected.to_c128_vec().into_iter().zip(&found).enumerate();
        let worst = worst.map(|(i, (a, b))| (ulps(a.re, b.re).max(ulps(a.im, b.im)), i, a));
        let (ulps, at, value) = worst.max_by_key(|&(ulps, ..)| ulps).unwrap();
        if ulps > bound(name) {
            let x: Vec<c128> = operands.iter().map(|x| x.to_c128_vec()[at]).collect();
            wrong.push(format!("{name}: {ulps} ULP at {x:?}, {} instead of {value}", found[at]));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    seen
}

#[test]
fn functions_of_doubles_are_accurate() {
    assert_eq!(check("", bound), 30);
}

#[test]
fn functions_of_complex_doubles_are_accurate() {
    assert_eq!(check("complex/", complex_bound), 26);
}

#[test]
fn derivatives_of_complex_functions_are_those_of_jax() {
    let tensors = golden_tensors("slopes.safetensors").unwrap();
    let mut seen = 0;
    for &kind in ElementwiseKind::ALL {
        let name = kind.name();
        let column = |c: &str| tensors.get(&format!("{name}/{c}")).map(number);
        let Some(forward) = column("forward") else { continue };
        let columns = |of: [&str; 2]| -> Vec<Literal> { of.iter().filter_map(|c| column(c)).collect() };
        let (operands, tangents) = (columns(["x", "y"]), columns(["dx", "dy"]));
        let program = program(kind, &operands);
        let close = |what: &str, found: &Literal, expected: &Literal| {
            assert_eq!(found.ty(), expected.ty(), "{name}, {what}");
            for (a, b) in found.to_c128_vec().into_iter().zip(expected.to_c128_vec()) {
                assert!((a - b).l1_norm() <= 1e-12 * (1.0 + b.l1_norm()), "{name}, {what}: {a} is not {b}");
            }
        };
        let active = vec![true; operands.len()];
        let derived = jvp(&program, &active, &[true]).unwrap();
        let both: Vec<Literal> = operands.iter().chain(&tangents).cloned().collect();
        let arguments = if derived.program.params().len() == both.len() { &both } else { &operands };
        close("tangent", &evaluate(&derived.program, arguments).unwrap()[1], &forward);

        let both = vjp(&program, &active, ResidualPolicy::Recompute).unwrap();
        let mut arguments = evaluate(&both.forward, &operands).unwrap().split_off(1);
        arguments.extend(column("ct"));
        let found = evaluate(&both.backward, &arguments).unwrap();
        for (found, expected) in found.iter().zip(columns(["back_x", "back_y"])) {
            close("cotangent", found, &expected);
        }
        seen += 1;
    }
    assert_eq!(seen, 29);
}

/// The root of the mean square of the errors, in units in the last place of `dtype`.
fn rms(found: &[f64], expected: &[f64], dtype: DType) -> f64 {
    let digits = if dtype == DType::F32 { 24 } else { 53 };
    let errors = found.iter().zip(expected).map(|(a, b)| (a - b) / 2f64.powi(exponent(*b) + 1 - digits));
    (errors.map(|e| e * e).sum::<f64>() / found.len() as f64).sqrt()
}

/// `floor(log2(x))` of a normal number.
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52) as i32 - 1023
}

#[test]
fn the_incomplete_beta_function_is_as_accurate_as_in_jax() {
    let golden = golden_tensors("betainc.safetensors").unwrap();
    for (name, dtype) in [("f32", DType::F32), ("f64", DType::F64)] {
        let text = golden_text(&format!("corpus/betainc_{name}.mlir")).unwrap();
        let program = jarrah_hlo_format::parse(&text).unwrap();
        let all = |key: &str| golden[&format!("{name}/{key}")].to_f64_vec();
        let operands = [all("a"), all("b"), all("x")];
        let mut found = Vec::new();
        for row in (0..operands[0].len()).step_by(8) {
            let ty = Type::tensor(dtype, [8usize]);
            let row = operands.each_ref().map(|x| Literal::from_f64s(ty, &x[row..row + 8]).unwrap());
            found.extend(evaluate(&program, &row).unwrap()[0].to_f64_vec());
        }
        let (ours, jax) = (rms(&found, &all("true"), dtype), rms(&all("jax"), &all("true"), dtype));
        assert!(ours <= 1.1 * jax, "{name}: {ours} units in the last place, in JAX {jax}");
    }
}
