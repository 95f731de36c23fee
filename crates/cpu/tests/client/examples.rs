use jarrah_base::{DType, Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{BlockSpec, Kernel};
use jarrah_hlo::{Builder, Op};
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
            assert!(error.message().contains("custom backward rule"), "{error}");
            continue;
        }
        // The blockwise kernels and the definition sum in other orders.
        let ulps = if matches!(example.op, Op::Attention(_)) { 64.0 } else { 4.0 };
        check(&name, &one, &example.operands, ulps);
        names.insert(example.op.name());
    }
    assert!(names.len() > 60, "{names:?}");
}

/// Kernels written by hand may hold any op, kernels and effects included.
#[test]
fn every_example_agrees_within_a_kernel() {
    for example in Op::examples() {
        // What has no value.
        if matches!(example.op, Op::CustomTangent(_)) {
            continue;
        }
        let name = format!("{}, {}", example.op.name(), example.name);
        let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
        let results = example.op.infer(&types).unwrap();
        let mut b = Builder::new("body");
        b.param(Type::scalar(DType::I32), "");
        let operands: Vec<_> = types.iter().map(|&ty| b.param(ty, "")).collect();
        let values = b.push(example.op.clone(), &operands).unwrap();
        let kernel = Kernel::new(
            [1].into_iter().collect(),
            types.iter().map(|ty| BlockSpec::whole(ty.rank())).collect(),
            results.iter().map(|&ty| (ty, BlockSpec::whole(ty.rank()))).collect(),
            b.finish(&values).unwrap().into(),
        );
        let ulps = if matches!(example.op, Op::Attention(_)) { 64.0 } else { 4.0 };
        check(&name, &program(kernel, &types), &example.operands, ulps);
    }
}
