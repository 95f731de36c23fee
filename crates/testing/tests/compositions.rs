//! Random compositions of transformations and control flow, nested three deep: they give JAX's numbers, eagerly and
//! compiled alike.

mod bases;
mod interpreter;
mod nested;
mod shells;

use std::panic::{AssertUnwindSafe, catch_unwind};

use interpreter::{Interpreter, list, text};
use jarrah_array::eager::{self, EagerMode};
use jarrah_array::{Array, DType, jit, try_trace};
use jarrah_base::{Literal, Result};
use jarrah_testing::{golden_tensors, golden_text, relative_error};
use serde_json::Value;

#[test]
fn compositions_agree_with_jax_in_f32() {
    check(DType::F32, "out32", 1e-4);
}

#[test]
fn compositions_agree_with_jax_in_f64() {
    check(DType::F64, "out64", 1e-9);
}

/// Runs all programs with `float` for their floats and compares with the results stored as `<name>/<key>/<i>`.
fn check(float: DType, key: &str, tolerance: f64) {
    let tensors = golden_tensors("compositions.safetensors").unwrap();
    let file: Value = serde_json::from_str(&golden_text("compositions.json").unwrap()).unwrap();
    let programs = list(&file["programs"]);
    assert!(programs.len() >= 200);
    let mut failures = Vec::new();
    let mut worst = 0.0f64;
    for program in programs {
        let name = text(&program["name"]);
        let tensor = |kind: &str, i: usize| tensors[&format!("{name}/{kind}/{i}")].clone();
        let arguments = (0..list(&program["params"]).len()).map(|i| tensor("in", i)).collect();
        let expected: Vec<Literal> = (0..list(&program["results"]).len()).map(|i| tensor(key, i)).collect();
        match outcome(&Interpreter { float }, program, arguments) {
            Err(error) => failures.push(format!("{}: {error}", describe(program))),
            Ok([eager, compiled, strict]) => {
                assert_eq!(eager.len(), expected.len(), "{name}");
                for (i, (found, expected)) in eager.iter().zip(&expected).enumerate() {
                    let error = relative_error(found, expected);
                    worst = worst.max(error);
                    let bound = if expected.dtype().is_float() { tolerance } else { 0.0 };
                    if error > bound {
                        let program = describe(program);
                        failures.push(format!(
                            "{program}, result {i}: off by {error:.1e}: {found:?} is not {expected:?}"
                        ));
                    }
                }
                let same = |(a, b): (&Literal, &Literal)| a.ty() == b.ty() && a.bytes() == b.bytes();
                for (how, other) in [("compiled", compiled), ("operation by operation", strict)] {
                    if !eager.iter().zip(&other).all(same) {
                        let program = describe(program);
                        failures.push(format!("{program}: {eager:?} eagerly, {other:?} {how}"));
                    }
                }
            }
        }
    }
    println!("{} programs in {float}: largest error {worst:.1e}", programs.len());
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), programs.len(), failures.join("\n"));
}

fn describe(program: &Value) -> String {
    let nesting: Vec<&str> = list(&program["nesting"]).iter().map(text).collect();
    format!("{} ({})", text(&program["name"]), nesting.join(" of "))
}

/// The program's results run eagerly, compiled as one, and with each operation run by itself. A panic counts as an error, so
/// that the others still run.
fn outcome(
    interpreter: &Interpreter,
    program: &Value,
    arguments: Vec<Literal>,
) -> std::result::Result<[Vec<Literal>; 3], String> {
    let all = || -> Result<_> {
        let float = |x: Literal| {
            let array = Array::from_literal(x);
            if array.dtype().is_float() { array.astype(interpreter.float) } else { array }
        };
        let arguments: Vec<Array> = arguments.into_iter().map(float).collect();
        let read = |arrays: Vec<Array>| arrays.iter().map(Array::to_literal).collect::<Result<Vec<_>>>();
        let eager = read(interpreter.run(program, &arguments))?;
        let strict = eager::mode(EagerMode::Strict, || read(interpreter.run(program, &arguments)))?;
        let compiled = jit(|x: &Vec<Array>| interpreter.run(program, x)).call(arguments)?;
        Ok([eager, read(compiled)?, strict])
    };
    let caught = catch_unwind(AssertUnwindSafe(|| try_trace(all).and_then(|results| results)));
    match caught {
        Ok(results) => results.map_err(|error| error.to_string()),
        Err(payload) => Err(match payload.downcast::<String>() {
            Ok(message) => format!("panicked: {message}"),
            Err(_) => "panicked".to_owned(),
        }),
    }
}
