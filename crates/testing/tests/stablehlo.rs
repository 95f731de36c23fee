//! Functions that JAX lowered to StableHLO text: they parse, verify, and give JAX's numbers.

use jarrah_base::Literal;
use jarrah_testing::{golden_tensors, golden_text, relative_error};
use serde_json::Value;

/// JAX computes `f32` transcendental functions to a few ULP, and sums in another order.
const TOLERANCE: f64 = 2e-6;

#[test]
fn lowered_functions_agree_with_jax() {
    let tensors = golden_tensors("stablehlo/values.safetensors").unwrap();
    let index: Vec<Value> = serde_json::from_str(&golden_text("stablehlo/index.json").unwrap()).unwrap();
    assert!(index.len() >= 80);
    let mut failures = Vec::new();
    for entry in &index {
        let name = entry["name"].as_str().unwrap();
        let values = |kind: &str, count: &str| -> Vec<Literal> {
            let count = entry[count].as_u64().unwrap();
            (0..count).map(|i| tensors[&format!("{name}/{kind}/{i}")].clone()).collect()
        };
        let (inputs, expected) = (values("in", "inputs"), values("out", "outputs"));
        let text = golden_text(&format!("stablehlo/{name}.mlir")).unwrap();
        let outcome = jarrah_hlo_format::parse_named(name, &text)
            .and_then(|program| program.verify().map(|()| program))
            .and_then(|program| jarrah_hlo_eval::evaluate(&program, &inputs));
        match outcome {
            Err(error) => failures.push(format!("{name}: {error}")),
            Ok(found) => {
                assert_eq!(found.len(), expected.len(), "{name}");
                for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
                    let error = relative_error(a, b);
                    let bound = match name {
                        _ if !b.dtype().is_float() => 0.0,
                        // JAX's `lgamma` in `f32` is off by that much.
                        "special" => 2.0 * TOLERANCE,
                        _ => TOLERANCE,
                    };
                    if error > bound {
                        failures.push(format!("{name}, result {i}: off by {error:.1e}: {a:?} is not {b:?}"));
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), index.len(), failures.join("\n"));
}
