//! Passes that only make programs faster may be left out, one by one: every bit stays.

use jarrah_base::{DType, ErrorKind, Literal, Type};
use jarrah_compiler::{PASSES, PassOptions, Reference, compile, verify, without_pass};
use jarrah_hlo::{Builder, Op, Program};
use jarrah_hlo_eval::evaluate;

use crate::common::same;
use crate::random::{draw, draw_loops};

fn example(op: &Op, operands: &[Literal]) -> Program {
    let mut b = Builder::new("example");
    let params: Vec<_> = operands.iter().map(|o| b.param(o.ty(), "")).collect();
    let results = b.push(op.clone(), &params).expect("examples are well-formed");
    b.finish(&results).expect("results are values")
}

/// The program compiled for two devices without each of the passes computes the same.
fn check(program: &Program, arguments: &[Literal]) {
    let expected = evaluate(program, arguments).unwrap_or_else(|e| panic!("{e}\n{program:?}"));
    for pass in PASSES.iter().filter(|pass| pass.optional) {
        for contracts in [false, true] {
            let target = Reference { contracts, ..Reference::default() };
            let compiled = without_pass(pass.name, || compile(program, &target, PassOptions::default()))
                .unwrap_or_else(|e| panic!("without {}: {e}\n{program:?}", pass.name));
            verify(&compiled, &target).unwrap_or_else(|e| panic!("without {}: {e}", pass.name));
            let found = evaluate(&compiled.program, arguments)
                .unwrap_or_else(|e| panic!("without {}: {e}\n{program:?}", pass.name));
            for (expected, found) in expected.iter().zip(&found) {
                assert!(same(expected, found), "without {}: {program:?}\n{:?}", pass.name, compiled.program);
            }
        }
    }
}

#[test]
fn examples_keep_their_bits_without_each_pass() {
    let examples = Op::examples();
    let valued = examples.iter().filter(|example| !matches!(example.op, Op::CustomTangent(_)));
    valued.for_each(|e| check(&example(&e.op, &e.operands), &e.operands));
}

#[test]
fn random_programs_keep_their_bits_without_each_pass() {
    for seed in 0..60 {
        let (program, arguments) = draw(1000 + seed);
        check(&program, &arguments);
        let (program, arguments) = draw_loops(1000 + seed);
        check(&program, &arguments);
    }
}

/// Simplification makes constants of them; without it fusion sees them.
#[test]
fn arrays_without_elements_are_left_in_place() {
    let empty = Type::tensor(DType::F32, [0, 3]);
    let mut b = Builder::new("empty");
    let (x, y) = (b.param(Type::scalar(DType::F32), "x"), b.param(empty, "y"));
    let wide = b.broadcast_in_dim(x, &[0, 3], &[]).unwrap();
    let positions = b.iota(empty, 1).unwrap();
    let sum = b.add(wide, y).unwrap();
    let sum = b.add(sum, positions).unwrap();
    let program = b.finish(&[wide, positions, sum]).unwrap();
    check(&program, &[Literal::scalar(1f32), Literal::zeros(empty).unwrap()]);
}

/// `canonicalize` brings reductions over axes that lie anyhow into a form for kernels; without it fusion leaves them as they are.
#[test]
fn fusion_by_itself_leaves_a_reduction_in_no_form() {
    let mut b = Builder::new("anyhow");
    let x = b.param(Type::tensor(DType::I32, [2, 3, 2]), "x");
    let double = b.add(x, x).unwrap();
    let sums = b.sum(double, &[0, 2]).unwrap();
    let program = b.finish(&[sums]).unwrap();
    let fusion = PASSES.iter().find(|pass| pass.name == "fusion").unwrap();
    let fused = fusion.run(&program, &Reference::default(), &[]).unwrap();
    let x = Literal::from_slice(&[2, 3, 2], &(0..12).collect::<Vec<i32>>()).unwrap();
    let arguments = [x];
    assert_eq!(evaluate(&fused, &arguments).unwrap(), evaluate(&program, &arguments).unwrap());
    assert!(fused.instrs().iter().any(|instr| matches!(instr.op, Op::Reduce(_))), "{fused:?}");
}

#[test]
fn a_pass_that_is_needed_is_not_left_out() {
    let optional = PASSES.iter().filter(|pass| pass.optional).count();
    assert!(optional >= 5, "{optional}");
    let (program, _) = draw(1);
    for name in ["inline", "portable", "nonsense"] {
        let error = without_pass(name, || compile(&program, &Reference::default(), PassOptions::default()));
        let error = error.expect_err("it is needed, or unknown");
        assert_eq!(error.kind(), ErrorKind::Input);
        assert!(
            error.to_string().contains("may be left out") && error.to_string().contains("fusion"),
            "{error}"
        );
    }
}
