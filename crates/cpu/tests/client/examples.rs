use jarrah_base::{Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::Op;
use jarrah_runtime::{Client, CompileOptions};

use super::{check, program};

#[test]
fn every_example_agrees_with_the_reference() {
    let mut names = std::collections::BTreeSet::new();
    for example in Op::examples() {
        let name = format!("{}, {}", example.op.name(), example.name);
        let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
        let one = program(example.op.clone(), &types);
        if matches!(example.op, Op::CustomTangent(_)) {
            let error = CpuClient::with_threads(1).compile(&one, &CompileOptions::default());
            let error = error.err().expect("a tangent without a rule");
            assert!(error.message().contains("no forward derivative"), "{error}");
            continue;
        }
        // The blockwise kernels and the definition sum in other orders.
        let ulps = if matches!(example.op, Op::Attention(_)) { 64.0 } else { 4.0 };
        check(&name, &one, &example.operands, ulps);
        names.insert(example.op.name());
    }
    assert!(names.len() > 60, "{names:?}");
}
