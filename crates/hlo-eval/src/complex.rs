use jarrah_base::{Error, Literal, Result, c128};

/// Complex numbers of their parts.
pub fn complex(re: &Literal, im: &Literal) -> Result<Literal> {
    let dtype = re.dtype().complex().ok_or_else(|| Error::internal(format!("parts of {}", re.dtype())))?;
    let parts = re.to_f64_vec().into_iter().zip(im.to_f64_vec());
    let values: Vec<c128> = parts.map(|(re, im)| c128::new(re, im)).collect();
    Literal::from_c128s(re.ty().with_dtype(dtype), &values)
}

/// The real parts.
pub fn real(x: &Literal) -> Result<Literal> {
    Literal::from_f64s(x.ty().with_dtype(x.dtype().real()), &x.to_f64_vec())
}

/// The imaginary parts.
pub fn imag(x: &Literal) -> Result<Literal> {
    let parts: Vec<f64> = x.to_c128_vec().into_iter().map(|z| z.im).collect();
    Literal::from_f64s(x.ty().with_dtype(x.dtype().real()), &parts)
}
