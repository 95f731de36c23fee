//! Which ops loops compute, and what work that is.

use crate::parts::has_parts;
use jarrah_base::{DType, Type};
use jarrah_hlo::ops::{Pad, Reducer};
use jarrah_hlo::{Op, family};

use super::functions::{function_work, has_loop};
use super::narrow::is_narrow;

/// Whether loops compute an op for operands and results of these types: elementwise-like ops and reductions with a named
/// reducer; or read through it: broadcasts, iotas, reshapes, transposes, slices, reverses, concatenations, and padding that
/// removes nothing and stands around an array. Of complex numbers, what has a definition over their parts.
///
/// ```
/// use jarrah_base::{DType, Type};
/// use jarrah_hlo::Op;
/// use jarrah_hlo::ops::{Convert, Elementwise, ElementwiseKind};
/// use jarrah_tile::has_op;
///
/// let [x, y, z] = [DType::F32, DType::BF16, DType::C64].map(|dtype| Type::tensor(dtype, [8]));
/// assert!(has_op(&Op::from(Convert { to: DType::BF16 }), &[x], &[y]));
/// assert!(has_op(&Op::from(Elementwise { kind: ElementwiseKind::Multiply }), &[z, z], &[z]));
/// assert!(!has_op(&Op::from(Elementwise { kind: ElementwiseKind::Exponential }), &[z], &[z]));
/// ```
pub fn has_op(op: &Op, operands: &[Type], results: &[Type]) -> bool {
    let all = || operands.iter().chain(results).map(|ty| ty.dtype());
    let complex = all().any(DType::is_complex);
    match op {
        _ if complex && !has_parts(op) => false,
        Op::Elementwise(e) => complex || has_loop(e.kind),
        // One that changes the shape gives several elements of one, or one of several.
        Op::BitcastConvert(_) => operands[0].same_dims(results[0]),
        Op::Reduce(reduce) => !matches!(reduce.reducer, Reducer::General(_)),
        Op::Pad(pad) => is_around(pad),
        Op::Compare(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Convert(_)
        | Op::Complex(_)
        | Op::Real(_)
        | Op::Imag(_)
        | Op::ReducePrecision(_)
        | Op::Threefry2x32(_)
        | Op::Iota(_)
        | family!(Movement) => true,
        _ => false,
    }
}

/// Whether padding removes nothing and stands around an array only.
pub fn is_around(pad: &Pad) -> bool {
    pad.low.iter().chain(&pad.high).all(|&count| count >= 0) && pad.interior.iter().all(|&count| count == 0)
}

/// The work of an op that loops compute, per element, in additions: what the sequences of the loop IR have.
///
/// ```
/// use jarrah_hlo::Op;
/// use jarrah_hlo::ops::{Elementwise, ElementwiseKind};
///
/// let work = |kind| jarrah_tile::work(&Op::from(Elementwise { kind }));
/// assert!(work(ElementwiseKind::Add) < work(ElementwiseKind::Tanh));
/// ```
pub fn work(op: &Op) -> u32 {
    match op {
        Op::Elementwise(e) => function_work(e.kind),
        Op::ReducePrecision(_) => 12,
        Op::Convert(op) if is_narrow(op.to) => 16,
        Op::Threefry2x32(_) => 60,
        _ => 1,
    }
}
