//! A number of a program before the passes, by which processes tell whether they begin the same one.

use std::hash::Hasher;

use jarrah_hlo::{Op, Program};
use rustc_hash::{FxHashMap, FxHasher};

/// A number that equal programs have in every process of one build: their [fingerprint](Program::fingerprint), which has the beginnings of constants alone, and
/// all bytes of their constants, those of programs inside included.
pub fn source(program: &Program) -> u64 {
    number(program, &mut FxHashMap::default())
}

/// As [`source`]; programs that are used several times are looked at once.
fn number(program: &Program, known: &mut FxHashMap<*const Program, u64>) -> u64 {
    if let Some(&number) = known.get(&std::ptr::from_ref(program)) {
        return number;
    }
    let mut hasher = FxHasher::default();
    hasher.write_u64(program.fingerprint());
    for instr in program.instrs() {
        if let Op::Constant(constant) = &instr.op {
            hasher.write(constant.value.bytes());
        }
        for inner in instr.op.programs() {
            hasher.write_u64(number(inner, known));
        }
    }
    let number = hasher.finish();
    known.insert(program, number);
    number
}
