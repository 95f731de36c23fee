use jarrah_compiler::{Reference, simplified};
use jarrah_hlo::{Builder, Op};
use jarrah_hlo_eval::evaluate;

use crate::common::{check, same};

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

/// What comes before kernels has a text that is read again, and keeps the bits.
#[test]
fn every_simplified_example_can_be_printed() {
    for example in Op::examples() {
        let mut b = Builder::new("example");
        let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
        let results = b.push(example.op.clone(), &params).expect("examples are well-formed");
        let program = b.finish(&results).expect("results are values");
        if matches!(example.op, Op::CustomTangent(_)) || program.calls_functions() {
            continue;
        }
        let simplified = simplified(&program, &Reference::default()).expect("a program");
        simplified.verify().expect("a program");
        let text = jarrah_hlo_format::print(&simplified);
        let read = jarrah_hlo_format::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let [expected, found] =
            [&program, &read].map(|p| evaluate(p, &example.operands).expect("examples have values"));
        for (e, f) in expected.iter().zip(&found) {
            assert!(same(e, f), "{} ({}): {e:?} and {f:?}", example.op.name(), example.name);
        }
    }
}

/// Loops, ciphers and attention become ops of StableHLO, and keep the bits.
#[test]
fn every_portable_example_keeps_its_bits() {
    let own = ["scan", "threefry2x32", "attention", "attention_transpose", "custom_rule", "remat"];
    let mut met = 0;
    for example in Op::examples() {
        if matches!(example.op, Op::CustomTangent(_)) {
            continue;
        }
        let mut b = Builder::new("example");
        let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
        let results = b.push(example.op.clone(), &params).expect("examples are well-formed");
        let program = b.finish(&results).expect("results are values");
        let portable = jarrah_compiler::portable(&program).expect("a program");
        portable.verify().expect("a program");
        let [expected, found] =
            [&program, &portable].map(|p| evaluate(p, &example.operands).expect("examples have values"));
        for (e, f) in expected.iter().zip(&found) {
            assert!(same(e, f), "{} ({}): {e:?} and {f:?}", example.op.name(), example.name);
        }
        if own.iter().any(|name| example.op.name().strip_prefix("jarrah.") == Some(*name)) {
            met += 1;
            let text = jarrah_hlo_format::print(&portable);
            assert!(!text.contains("\"jarrah."), "{text}");
        }
    }
    assert!(met >= 6, "{met} of our own");
}

#[test]
fn the_tangent_of_a_backward_rule_is_a_program_error() {
    let example = Op::examples().into_iter().find(|e| matches!(e.op, Op::CustomTangent(_)));
    let example = example.expect("there is one");
    let mut b = Builder::new("example");
    let params: Vec<_> = example.operands.iter().map(|o| b.param(o.ty(), "")).collect();
    let results = b.push(example.op, &params).expect("examples are well-formed");
    let program = b.finish(&results).expect("results are values");
    let error = jarrah_compiler::compile(&program, &Reference::default(), Default::default());
    let error = error.expect_err("there is no forward rule");
    assert_eq!(error.kind(), jarrah_base::ErrorKind::Program);
}
