//! Values in another element type.

use jarrah_base::{DType, Error, Literal, Result, Type};
use jarrah_formats::Tensor;

/// The values in another type, into which they [may be converted](may_become). Integers stay the numbers that they are.
///
/// # Errors
/// An integer is none of the type (`Input`).
pub fn converted(values: &Literal, dtype: DType) -> Result<Literal> {
    let made = Tensor::of("", values).to(dtype)?.literal()?;
    if !(values.dtype().is_integer() && dtype.is_integer()) {
        return Ok(made);
    }
    // An integer that is wrapped does not come back, or has the other sign.
    let back = Tensor::of("", &made).to(values.dtype())?.literal()?;
    let signs = [values, &made].map(|of| of.to_f64_vec().into_iter().map(|x| x < 0.0).collect::<Vec<_>>());
    let size = values.dtype().size();
    let bytes = values.bytes().chunks(size).zip(back.bytes().chunks(size));
    let wrong = bytes.zip(signs[0].iter().zip(&signs[1])).position(|((a, b), (c, d))| a != b || c != d);
    match wrong {
        None => Ok(made),
        Some(at) => Err(Error::input(format!(
            "the element {at} of {} is {}, which is no {dtype}",
            values.ty(),
            values.to_f64_vec()[at]
        ))
        .op("cast")),
    }
}

/// Whether values of a type are converted to another: floats to floats, integers to integers or floats.
pub fn may_become(from: DType, to: DType) -> bool {
    // An element tells it.
    let element = Literal::zeros(Type::scalar(from));
    element.is_ok_and(|element| Tensor::of("", &element).to(to).is_ok())
}
