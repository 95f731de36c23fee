use jarrah_base::{Literal, Type};
use jarrah_cpu::CpuClient;
use jarrah_hlo::ops::{BlockSpec, Kernel, Load, Store};
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

/// What the compiler leaves to the client: kernels written by hand may hold any op.
#[test]
fn every_example_agrees_within_a_kernel() {
    for example in Op::examples() {
        // What has no value, and what stands in no kernel's body: grid points have no order.
        if matches!(example.op, Op::CustomTangent(_) | Op::Kernel(_)) || !example.op.effects().is_pure() {
            continue;
        }
        let name = format!("{}, {}", example.op.name(), example.name);
        let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
        let results = example.op.infer(&types).unwrap();
        let reference = |ty: &Type| Type::reference(ty.dtype(), ty.extents());
        let mut b = Builder::new("body");
        let inputs: Vec<_> = types.iter().map(|ty| b.param(reference(ty), "")).collect();
        let outputs: Vec<_> = results.iter().map(|ty| b.param(reference(ty), "")).collect();
        let operands: Vec<_> = inputs.iter().map(|&r| b.one(Load, &[r]).unwrap()).collect();
        let values = b.push(example.op.clone(), &operands).unwrap();
        for (&output, &value) in outputs.iter().zip(&values) {
            b.push(Store, &[output, value]).unwrap();
        }
        let kernel = Kernel {
            grid: [1].into_iter().collect(),
            inputs: types.iter().map(|ty| BlockSpec::whole(ty.rank())).collect(),
            outputs: results.iter().map(|&ty| (ty, BlockSpec::whole(ty.rank()))).collect(),
            body: b.finish(&[]).unwrap().into(),
        };
        let ulps = if matches!(example.op, Op::Attention(_)) { 64.0 } else { 4.0 };
        check(&name, &program(kernel, &types), &example.operands, ulps);
    }
}
