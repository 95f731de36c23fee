use std::str::FromStr;

use jarrah_base::{DType, Element, Error, Literal, Result, with_element};

/// How near a result has to come to the expected one; NaN equals NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Tolerance {
    /// `exact`: equal, and zeros of either sign are equal.
    Exact,
    /// `ulp:3`: this many representable numbers away, each part of a complex number by itself.
    Ulp(u64),
    /// `relative:1e-5`: relative to the largest magnitude of the expected tensor.
    Relative(f64),
}

impl FromStr for Tolerance {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || Error::input(format!("{text:?} is no tolerance"));
        match text.split_once(':') {
            None if text == "exact" => Ok(Tolerance::Exact),
            Some(("ulp", n)) => n.parse().map(Tolerance::Ulp).map_err(|_| wrong()),
            Some(("relative", x)) => x.parse().map(Tolerance::Relative).map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    }
}

impl Tolerance {
    /// Whether `found` is near enough to `expected`.
    ///
    /// # Errors
    /// In words, the first element that is not.
    pub fn check(self, found: &Literal, expected: &Literal) -> std::result::Result<(), String> {
        if found.ty() != expected.ty() {
            return Err(format!("is {}, {} is expected", found.ty(), expected.ty()));
        }
        if found == expected {
            return Ok(());
        }
        let (a, b) = (parts(found), parts(expected));
        let largest = b.iter().filter(|x| x.is_finite()).fold(0.0f64, |m, x| m.max(x.abs()));
        let dtype = found.dtype();
        let integer = dtype.is_integer() || dtype == DType::Bool;
        for (i, (&x, &y)) in a.iter().zip(&b).enumerate() {
            let near = x == y
                || x.is_nan() && y.is_nan()
                || match self {
                    Tolerance::Exact => false,
                    _ if integer => false,
                    Tolerance::Ulp(most) => distance(dtype, x, y) <= most,
                    Tolerance::Relative(most) => (x - y).abs() <= most * largest,
                };
            if !near {
                let at = if dtype.kind() == jarrah_base::ElementKind::Complex { i / 2 } else { i };
                return Err(format!(
                    "element {at} is {x:e}, {y:e} is expected ({self:?}, largest {largest:e})"
                ));
            }
        }
        Ok(())
    }
}

/// The elements, complex ones as two numbers each.
fn parts(x: &Literal) -> Vec<f64> {
    if x.dtype().kind() == jarrah_base::ElementKind::Complex {
        return (0..x.len()).map(|i| x.get_c128(i)).flat_map(|z| [z.re, z.im]).collect();
    }
    x.to_f64_vec()
}

/// How many numbers of the type lie between two of them.
fn distance(dtype: DType, x: f64, y: f64) -> u64 {
    if !x.is_finite() || !y.is_finite() {
        return u64::MAX;
    }
    // Numbers in order of their bits, negative ones mirrored.
    let rank = |x: f64| {
        let magnitude = with_element!(dtype.real(), T => {
            let mut bytes = [0u8; 8];
            let value = <T as Element>::from_f64(x.abs());
            let raw = bytemuck::bytes_of(&value);
            bytes[..raw.len()].copy_from_slice(raw);
            u64::from_le_bytes(bytes) as i128
        });
        if x < 0.0 { -magnitude } else { magnitude }
    };
    u64::try_from((rank(x) - rank(y)).abs()).unwrap_or(u64::MAX)
}
