//! Random programs that nest transformations and control flow three deep, against JAX.
//!
//! The programs are data, in the language that `oracle/README.md` describes; this is its interpreter over arrays.

mod interpreter;

use jarrah_array::{Array, jit};
use jarrah_testing::{golden_tensors, golden_text, relative_error};
use serde_json::Value;

use interpreter::{Function, Width};

fn check(width: Width, tolerance: f64, compiled: bool) {
    let tensors = golden_tensors("compositions.safetensors").unwrap();
    let described: Value = serde_json::from_str(&golden_text("compositions.json").unwrap()).unwrap();
    let programs = described["programs"].as_array().unwrap();
    assert!(programs.len() >= 200);
    let mut failures = Vec::new();
    for program in programs {
        let name = program["name"].as_str().unwrap();
        let nesting = &program["nesting"];
        let function = Function::new(program, width);
        let args: Vec<Array> = (0..function.arity())
            .map(|i| Array::from_literal(tensors[&format!("{name}/in/{i}")].clone()))
            .map(|array| if array.dtype().is_float() { array.astype(width.float()) } else { array })
            .collect();
        // A failure of one program should not hide those of the others.
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            if compiled {
                jit(|args: Vec<Array>| function.call(&args)).call(args).unwrap()
            } else {
                function.call(&args)
            }
        }));
        let Ok(results) = outcome else {
            failures.push(format!("{name} {nesting}: panics"));
            continue;
        };
        for (i, result) in results.iter().enumerate() {
            let expected = &tensors[&format!("{name}/{}/{i}", width.golden())];
            match result.to_literal() {
                Ok(found) => {
                    let off = relative_error(&found, expected);
                    if off > tolerance {
                        failures.push(format!("{name} {nesting}: result {i} is off by {off:.1e}"));
                    }
                }
                Err(error) => failures.push(format!("{name} {nesting}: {error}")),
            }
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), programs.len(), failures.join("\n"));
}

#[test]
fn compositions_agree_with_jax_in_f32() {
    check(Width::Single, 1e-4, true);
}

#[test]
fn compositions_agree_with_jax_in_f64() {
    check(Width::Double, 1e-9, true);
}

#[test]
fn compositions_agree_with_jax_without_jit() {
    check(Width::Single, 1e-4, false);
}
