use jarrah_base::{DType, ElementKind, Literal, Result};

/// The same numbers as elements of type `to`.
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
