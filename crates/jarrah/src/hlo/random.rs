//! Arguments for programs that nobody gave any.

use jarrah::Result;
use jarrah_base::{DType, Element, ElementKind, Literal, Type, with_element};

/// A generator of numbers: splitmix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A float in [-1, 1), or in [0, 1) where there is no sign; an integer from -9 to 9, as far as the type reaches.
    fn number(&mut self, dtype: DType) -> f64 {
        let bits = self.next();
        match dtype.integer_range() {
            Some((least, most)) => {
                let (least, most) = (least.max(-9), most.min(9));
                (least + i128::from(bits) % (most - least + 1)) as f64
            }
            None => {
                let x = (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
                match dtype.float_range() {
                    Some((least, _)) if least >= 0.0 => x.abs(),
                    _ => x,
                }
            }
        }
    }
}

/// A tensor of the type `ty` from the generator.
pub fn literal(ty: Type, rng: &mut Rng) -> Result<Literal> {
    let mut literal = Literal::zeros(ty)?;
    let dtype = ty.dtype();
    if dtype == DType::Bool {
        literal.bytes_mut().iter_mut().for_each(|b| *b = rng.number(dtype) as u8);
        return Ok(literal);
    }
    with_element!(dtype, T => {
        for x in literal.as_mut_slice::<T>()? {
            let re = rng.number(dtype);
            *x = match dtype.kind() {
                ElementKind::Complex => T::from_c128(num_complex::Complex::new(re, rng.number(dtype))),
                _ => <T as Element>::from_f64(re),
            };
        }
    });
    Ok(literal)
}
