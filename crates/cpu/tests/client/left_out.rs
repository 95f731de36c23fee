//! Code of programs that were compiled without one of the passes has the same bits.

use jarrah_base::{Literal, Type};
use jarrah_compiler::{PASSES, without_pass};
use jarrah_hlo::Op;

use super::random::draw;
use super::{check, program};

#[test]
fn examples_and_random_programs_agree_without_each_pass() {
    for pass in PASSES.iter().filter(|pass| pass.optional) {
        without_pass(pass.name, || {
            for example in Op::examples() {
                if matches!(example.op, Op::CustomTangent(_)) {
                    continue;
                }
                let types: Vec<Type> = example.operands.iter().map(Literal::ty).collect();
                let name = format!("{}, {}, without {}", example.op.name(), example.name, pass.name);
                // As with all passes.
                let ulps = if matches!(example.op, Op::Attention(_)) { 64.0 } else { 4.0 };
                check(&name, &program(example.op.clone(), &types), &example.operands, ulps);
            }
            for seed in 100..120 {
                let (program, args) = draw(seed);
                check(&format!("program {seed}, without {}", pass.name), &program, &args, 0.0);
            }
        });
    }
}
