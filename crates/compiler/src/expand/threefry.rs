use jarrah_base::{Literal, Result, Type};

use jarrah_hlo::Builder;
use jarrah_hlo::Value;
use jarrah_hlo::ops::ElementwiseKind;

/// By how many bits each round rotates, in turn.
const ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];
/// The constant that is combined with both key words to give the third word of the key schedule.
const PARITY: u32 = 0x1BD1_1BDA;

/// [`Threefry2x32`](jarrah_hlo::ops::Threefry2x32) in additions, shifts and exclusive ors: `(k0, k1, x0, x1) -> (y0, y1)`.
pub fn threefry2x32(b: &mut Builder, [k0, k1, x0, x1]: [Value; 4]) -> Result<[Value; 2]> {
    let ty = b.ty(x0);
    let parity = word(b, ty, PARITY)?;
    let mixed = b.binary(ElementwiseKind::Xor, k0, k1)?;
    let schedule = [k0, k1, b.binary(ElementwiseKind::Xor, mixed, parity)?];
    let (mut x0, mut x1) = (b.add(x0, schedule[0])?, b.add(x1, schedule[1])?);
    for round in 0..20usize {
        x0 = b.add(x0, x1)?;
        let by = ROTATIONS[round % ROTATIONS.len()];
        let (left, right) = (word(b, ty, by)?, word(b, ty, 32 - by)?);
        let left = b.binary(ElementwiseKind::ShiftLeft, x1, left)?;
        let right = b.binary(ElementwiseKind::ShiftRightLogical, x1, right)?;
        let rotated = b.binary(ElementwiseKind::Or, left, right)?;
        x1 = b.binary(ElementwiseKind::Xor, rotated, x0)?;
        if round % 4 == 3 {
            let injection = round / 4 + 1;
            x0 = b.add(x0, schedule[injection % 3])?;
            x1 = b.add(x1, schedule[(injection + 1) % 3])?;
            let number = word(b, ty, injection as u32)?;
            x1 = b.add(x1, number)?;
        }
    }
    Ok([x0, x1])
}

/// The tensor of type `ty` full of `value`.
fn word(b: &mut Builder, ty: Type, value: u32) -> Result<Value> {
    let scalar = b.constant(Literal::scalar(value))?;
    b.broadcast_in_dim(scalar, &ty.dims(), &[])
}
