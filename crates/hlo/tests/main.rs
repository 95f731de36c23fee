//! What the form promises, over every op's examples.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod kernels;
mod missing_rule;
mod rustc;
mod serial;
mod sharding;

use jarrah_base::{DType, Type};
use jarrah_hlo::{Builder, Op, Value};

fn program_of(op: &Op, operands: &[jarrah_base::Literal]) -> jarrah_base::Result<jarrah_hlo::Program> {
    let mut b = Builder::new("example");
    let values: Vec<Value> = operands.iter().map(|l| b.param(l.ty(), "")).collect();
    let results = b.push(op.clone(), &values)?;
    b.finish(&results)
}

#[test]
fn every_example_verifies() {
    let examples = Op::examples();
    assert!(examples.len() > 100, "only {} examples", examples.len());
    for example in examples {
        let program = program_of(&example.op, &example.operands);
        let program = program.unwrap_or_else(|e| panic!("{} ({}): {e}", example.op.name(), example.name));
        program.verify().unwrap_or_else(|e| panic!("{} ({}): {e}", example.op.name(), example.name));
        let operands = program.param_types();
        let cost = example.op.cost(&operands, &program.result_types()).unwrap();
        assert!(cost.flops >= 0.0 && cost.bytes >= 0.0);
        assert!(!example.op.docs().summary.is_empty());
    }
}

#[test]
fn attention_definitions_have_the_inferred_types() {
    for example in Op::examples() {
        let Op::Attention(attention) = &example.op else { continue };
        let types: Vec<Type> = example.operands.iter().map(|l| l.ty()).collect();
        let definition = attention.definition(&types).unwrap();
        definition.verify().unwrap();
        assert_eq!(definition.result_types()[..], example.op.infer(&types).unwrap()[..]);
    }
}

#[test]
fn broadcasts_and_constants_are_numbered() {
    let mut b = Builder::new("numbered");
    let ty = Type::tensor(DType::F32, [4]);
    assert_eq!(b.full(ty, 2.0).unwrap(), b.full(ty, 2.0).unwrap());
    assert_ne!(b.full(ty, 2.0).unwrap(), b.full(ty, 3.0).unwrap());
}

#[test]
fn late_parameters_are_numbered_first() {
    let ty = Type::tensor(DType::F32, [4]);
    let mut b = Builder::new("late");
    let x = b.param(ty, "x");
    let y = b.add(x, x).unwrap();
    let z = b.param(ty, "z");
    let sum = b.mul(y, z).unwrap();
    let program = b.finish(&[sum, x]).unwrap();
    program.verify().unwrap();
    assert_eq!(program.params().len(), 2);
    assert_eq!(program.results()[1], program.param(0));
}

#[test]
fn late_parameters_may_follow_instructions_without_results() {
    let mut b = Builder::new("late");
    let fine = b.param(Type::scalar(DType::Bool), "fine");
    b.push(jarrah_hlo::ops::Assert { message: "first".into() }, &[fine]).unwrap();
    let late = b.param(Type::scalar(DType::Bool), "late");
    b.push(jarrah_hlo::ops::Assert { message: "second".into() }, &[late]).unwrap();
    b.finish(&[]).unwrap().verify().unwrap();
}

#[test]
fn errors_name_op_operands_and_places() {
    let mut b = Builder::new("wrong");
    b.set_source(jarrah_base::Source::at(jarrah_base::Location::new("model.rs", 3, 9)));
    let x = b.zeros(Type::tensor(DType::F32, [2, 3])).unwrap();
    let y = b.zeros(Type::tensor(DType::F32, [4])).unwrap();
    b.set_source(jarrah_base::Source::at(jarrah_base::Location::new("model.rs", 7, 5)));
    let error = b.add(x, y).unwrap_err().to_string();
    for part in ["[add]", "f32[2,3]", "f32[4]", "model.rs:7:5", "model.rs:3:9", "help"] {
        assert!(error.contains(part), "{part} is missing in: {error}");
    }
}
