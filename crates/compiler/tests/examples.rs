use jarrah_hlo::{Builder, Op};

use crate::common::check;

#[test]
fn every_example_keeps_its_bits() {
    for example in Op::examples() {
        if matches!(example.op, Op::CustomTangent(_)) {
            continue;
        }
        let mut b = Builder::new("example");
        let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
        let results = b.push(example.op.clone(), &params).expect("examples are well-formed");
        let program = b.finish(&results).expect("results are values");
        check(&program, &example.operands);
    }
}

#[test]
fn the_tangent_of_a_backward_rule_is_a_program_error() {
    let example = Op::examples().into_iter().find(|e| matches!(e.op, Op::CustomTangent(_)));
    let example = example.expect("there is one");
    let mut b = Builder::new("example");
    let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
    let results = b.push(example.op, &params).expect("examples are well-formed");
    let program = b.finish(&results).expect("results are values");
    let error = jarrah_compiler::compile(&program, &Default::default(), Default::default());
    let error = error.expect_err("there is no forward rule");
    assert_eq!(error.kind(), jarrah_base::ErrorKind::Program);
}
