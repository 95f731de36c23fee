//! Stacks of fields of bits against the evaluator.

use jarrah_base::{DType, Literal, Type};
use jarrah_hlo::ops::*;
use jarrah_hlo::{Builder, Op, Value};

use crate::common::{Rng, check, count};

/// A field of the bits of `x`, or of something like one, by up to three ops.
fn field(b: &mut Builder, rng: &mut Rng, x: Value) -> Value {
    use ElementwiseKind::{And, Or, ShiftLeft, ShiftRightArithmetic, ShiftRightLogical};
    let (mut y, ty) = (x, b.ty(x));
    for _ in 0..rng.below(4) {
        let kind =
            rng.pick(&[And, And, ShiftLeft, ShiftRightLogical, ShiftRightLogical, ShiftRightArithmetic, Or]);
        let bits = ty.dtype().bits() as usize;
        // Shifts by all bits and more are no fields.
        let number =
            if matches!(kind, And | Or) { rng.next() as i128 & 127 } else { rng.below(bits + 1) as i128 };
        let number = b
            .constant(Literal::from_i128s(Type::scalar(ty.dtype()), &[number]).expect("fits"))
            .expect("valid");
        let number = b.broadcast_in_dim(number, &ty.dims(), &[]).expect("valid");
        let sides = if kind == And && rng.below(2) == 0 { [number, y] } else { [y, number] };
        y = b.binary(kind, sides[0], sides[1]).expect("valid");
    }
    y
}

#[test]
fn stacks_of_fields_keep_every_bit() {
    let mut gone = 0;
    for seed in 1..400 {
        let mut rng = Rng(seed * 0x9e37_79b9);
        let dtype = rng.pick(&[DType::U8, DType::I8, DType::U16, DType::I32, DType::U64, DType::I64]);
        let ty = Type::tensor(dtype, [5, 3]);
        let mut b = Builder::new("fields");
        let x = b.param(ty, "x");
        let axis = rng.below(3);
        let dims: Vec<usize> =
            (0..3).map(|i| if i == axis { 1 } else { 5 - 2 * (i - usize::from(i > axis)) }).collect();
        let parts: Vec<Value> = (0..2 + rng.below(2))
            .map(|_| {
                let part = field(&mut b, &mut rng, x);
                b.reshape(part, &dims).expect("valid")
            })
            .collect();
        let stack = b.one(Concatenate { axis }, &parts).expect("valid");
        let program = b.finish(&[stack]).expect("valid");
        let bytes: Vec<u8> = (0..15 * dtype.size()).map(|_| rng.next() as u8).collect();
        let compiled = check(&program, &[Literal::from_bytes(ty, &bytes).expect("fits")]);
        let mut all = compiled.program.instrs().iter().map(|i| match &i.op {
            Op::Kernel(kernel) => count(&kernel.body, |op| matches!(op, Op::Concatenate(_))),
            op => usize::from(matches!(op, Op::Concatenate(_))),
        });
        gone += usize::from(all.all(|n| n == 0));
    }
    assert!((80..330).contains(&gone), "{gone} stacks are computed where they are read");
}
