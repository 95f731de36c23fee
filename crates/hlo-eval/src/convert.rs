use jarrah_base::{DType, ElementKind, Literal, Result, Type};
use jarrah_hlo::ops::BitcastConvert;

/// Converts the numbers to elements of type `to`.
///
/// Floats become integers by truncation and saturation, NaN becomes 0; integers wrap; what becomes a float is rounded
/// once; what becomes a truth value is compared with 0. Complex numbers become others by their real parts, and others
/// become complex with no imaginary part.
pub fn convert(x: &Literal, to: DType) -> Result<Literal> {
    let ty = x.ty().with_dtype(to);
    match (x.dtype().kind(), to.kind()) {
        (ElementKind::Complex, ElementKind::Complex) => Literal::from_c128s(ty, &x.to_c128_vec()),
        (ElementKind::Float | ElementKind::Complex, ElementKind::Bool) => {
            let truths: Vec<i128> = x.to_f64_vec().into_iter().map(|x| (x != 0.0).into()).collect();
            Literal::from_i128s(ty, &truths)
        }
        (_, ElementKind::Bool) => {
            let truths: Vec<i128> = x.to_i128_vec().into_iter().map(|x| (x != 0).into()).collect();
            Literal::from_i128s(ty, &truths)
        }
        (ElementKind::Float | ElementKind::Complex, _) => Literal::from_f64s(ty, &x.to_f64_vec()),
        _ => Literal::from_i128s(ty, &x.to_i128_vec()),
    }
}

/// Reads the bits as elements of another type: the bits of a wider element, from the lowest up, are narrower ones.
pub fn bitcast(op: &BitcastConvert, x: &Literal, to: Type) -> Result<Literal> {
    if op.keeps_bytes(x.dtype()) {
        return Literal::from_bytes(to, x.bytes());
    }
    let (from_bits, to_bits) = (x.dtype().bits(), to.dtype().bits());
    let mut bits = x.bytes().chunks_exact(x.dtype().size()).map(|element| {
        let mut word = [0; 16];
        word[..element.len()].copy_from_slice(element);
        u128::from_le_bytes(word)
    });
    let mut out = Literal::zeros(to)?;
    let mut left = 0u128;
    let mut count = 0;
    for element in out.bytes_mut().chunks_exact_mut(to.dtype().size()) {
        while count < to_bits {
            left |= bits.next().unwrap_or(0) << count;
            count += from_bits;
        }
        let word = if to_bits == 128 { left } else { left & ((1 << to_bits) - 1) };
        element.copy_from_slice(&word.to_le_bytes()[..element.len()]);
        left = left.checked_shr(to_bits).unwrap_or(0);
        count -= to_bits;
    }
    Ok(out)
}
