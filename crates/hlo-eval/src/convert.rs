use jarrah_base::{DType, Element, Literal, Result, with_element};

/// The same numbers as elements of type `to`.
///
/// Floats become integers by truncation and saturation, NaN becomes 0; integers wrap; what becomes a float is rounded
/// once; what becomes a truth value is compared with 0.
pub fn convert(x: &Literal, to: DType) -> Result<Literal> {
    let mut out = Literal::zeros(x.ty().with_dtype(to))?;
    with_element!(x.dtype(), From => {
        let x = x.as_slice::<From>()?;
        with_element!(to, To => {
            let out = out.as_mut_slice::<To>()?;
            let rule = rule::<From, To>(to);
            for (out, &x) in out.iter_mut().zip(x) {
                *out = rule(x);
            }
        });
    });
    Ok(out)
}

fn rule<A: Element, B: Element>(to: DType) -> fn(A) -> B {
    if to == DType::Bool {
        |x| B::from_i128((x.to_f64() != 0.0).into())
    } else if A::DTYPE.is_float() && B::DTYPE.is_float() {
        |x| Element::from_f64(x.to_f64())
    } else if A::DTYPE.is_float() {
        |x| B::from_f64(x.to_f64())
    } else {
        |x| Element::from_i128(x.to_i128())
    }
}
