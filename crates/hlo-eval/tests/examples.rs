use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::{Builder, Op, ops::CustomTangent};
use jarrah_hlo_eval::{evaluate, evaluate_with};

use super::{f32s, program};

#[test]
fn every_example_has_the_inferred_types() {
    let mut names = std::collections::BTreeSet::new();
    for example in Op::examples() {
        let name = format!("{}, {}", example.op.name(), example.name);
        names.insert(example.op.name());
        let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
        let program = program(example.op.clone(), &types).unwrap_or_else(|e| panic!("{name}: {e}"));
        program.verify().unwrap();
        match evaluate(&program, &example.operands) {
            Ok(results) => {
                let found: Vec<Type> = results.iter().map(Literal::ty).collect();
                assert_eq!(found, program.result_types(), "{name}");
            }
            Err(error) => {
                assert!(matches!(example.op, Op::CustomTangent(_)), "{name}: {error}");
                assert!(error.message().contains("no forward derivative"), "{name}: {error}");
            }
        }
    }
    assert!(names.len() > 60, "{names:?}");
}

#[test]
fn wrong_arguments_are_named() {
    let mut b = Builder::new("f");
    let x = b.param(Type::tensor(DType::F32, [2]), "params.bias");
    let program = b.finish(&[x]).unwrap();
    let error = evaluate(&program, &[]).unwrap_err();
    assert_eq!(error.message(), "f takes 1 arguments, 0 were given");
    let error = evaluate(&program, &[f32s(&[3], &[0.0; 3])]).unwrap_err();
    assert_eq!(error.message(), "argument 0 (params.bias) of f is f32[2], f32[3] was given");
}

#[test]
fn the_tangent_of_a_backward_rule_is_refused() {
    let ty = Type::scalar(DType::F32);
    let mut b = Builder::new("backward");
    let ct = b.param(ty, "");
    let backward = std::sync::Arc::new(b.finish(&[ct]).unwrap());
    let program = program(CustomTangent { backward, residuals: 0, results: vec![ty] }, &[ty]).unwrap();
    let error = evaluate(&program, &[Literal::scalar(1.0f32)]).unwrap_err();
    assert_eq!(error.message(), "a function with a backward rule of its own has no forward derivative");
}

#[test]
fn the_observer_sees_every_instruction() {
    let mut b = Builder::new("f");
    let x = b.param(Type::tensor(DType::F32, [2]), "x");
    let y = b.add(x, x).unwrap();
    let z = b.mul(y, x).unwrap();
    let program = b.finish(&[z]).unwrap();
    let mut seen = Vec::new();
    let x = f32s(&[2], &[1.0, 3.0]);
    let results = evaluate_with(&program, &[x], &mut |instr, results| {
        seen.push((instr.op.name(), results[0].to_f64_vec()));
    });
    assert_eq!(results.unwrap(), [f32s(&[2], &[2.0, 18.0])]);
    assert_eq!(seen, [("add", vec![2.0, 6.0]), ("multiply", vec![2.0, 18.0])]);
}
