//! The elementwise functions of the reference evaluator against values of 40 digits (`oracle/functions.py`).

use std::collections::BTreeMap;

use jarrah_base::Literal;
use jarrah_hlo::Builder;
use jarrah_hlo::ops::ElementwiseKind;
use jarrah_hlo_eval::evaluate;
use jarrah_testing::golden_tensors;

fn apply(kind: ElementwiseKind, operands: &[Literal]) -> Literal {
    let mut b = Builder::new(kind.name());
    let values: Vec<_> = operands.iter().map(|x| b.param(x.ty(), "")).collect();
    let result =
        if let [x] = values[..] { b.unary(kind, x) } else { b.binary(kind, values[0], values[1]) }.unwrap();
    let program = b.finish(&[result]).unwrap();
    evaluate(&program, operands).unwrap().remove(0)
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

#[test]
fn functions_of_doubles_are_accurate() {
    let tensors: BTreeMap<String, Literal> = golden_tensors("functions.safetensors").unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for &kind in ElementwiseKind::ALL {
        let name = kind.name();
        let column = |c: &str| tensors.get(&format!("{name}/{c}")).cloned();
        let Some(expected) = column("value").map(|v| v.to_f64_vec()) else { continue };
        let operands: Vec<Literal> = ["x", "y"].iter().filter_map(|c| column(c)).collect();
        let found = apply(kind, &operands).to_f64_vec();
        let worst = expected.iter().zip(&found).map(|(&a, &b)| ulps(a, b)).enumerate();
        let (at, worst) = worst.max_by_key(|&(_, u)| u).unwrap();
        let x: Vec<f64> = operands.iter().map(|x| x.to_f64_vec()[at]).collect();
        println!("{name}: {worst} at {x:?}");
        if worst > bound(name) {
            wrong.push(format!("{name}: {worst} ULP at {x:?}, {} instead of {}", found[at], expected[at]));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(seen, 30);
}
