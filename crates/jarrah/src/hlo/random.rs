//! Arguments for programs that nobody gave any.

use jarrah::Result;
use jarrah_base::{Element, ElementKind, Literal, Type, with_element};

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

    /// A float in [-1, 1), or an integer below ten, negative ones too where there are any.
    fn number(&mut self, kind: ElementKind) -> f64 {
        let bits = self.next();
        match kind {
            ElementKind::Bool => (bits & 1) as f64,
            ElementKind::Unsigned => (bits % 10) as f64,
            ElementKind::Signed => (bits % 19) as f64 - 9.0,
            ElementKind::Float | ElementKind::Complex => (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0,
        }
    }
}

/// A tensor of the type `ty` from the generator.
pub fn literal(ty: Type, rng: &mut Rng) -> Result<Literal> {
    let mut literal = Literal::zeros(ty)?;
    let kind = ty.dtype().kind();
    if ty.dtype() == jarrah_base::DType::Bool {
        literal.bytes_mut().iter_mut().for_each(|b| *b = rng.number(kind) as u8);
        return Ok(literal);
    }
    with_element!(ty.dtype(), T => {
        for x in literal.as_mut_slice::<T>()? {
            let re = rng.number(kind);
            *x = match kind {
                ElementKind::Complex => T::from_c128(num_complex::Complex::new(re, rng.number(kind))),
                _ => <T as Element>::from_f64(re),
            };
        }
    });
    Ok(literal)
}
