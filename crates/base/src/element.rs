use std::cmp::Ordering;
use std::fmt;

use bytemuck::Pod;
pub use half::{bf16, f16};
use num_complex::Complex;

use crate::dtype::DType;
use crate::minifloat::{FloatFormat, Minifloat};
use crate::narrow::{Narrow, i2, i4, u2, u4};

/// A complex number with `f32` parts.
#[allow(non_camel_case_types, reason = "named like f32")]
pub type c64 = Complex<f32>;
/// A complex number with `f64` parts.
#[allow(non_camel_case_types, reason = "named like f64")]
pub type c128 = Complex<f64>;

/// A Rust type whose values are elements of a tensor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type",
    label = "not an element type",
    note = "element types are `i8` to `i64`, `u8` to `u64`, `f16`, `bf16`, `f32`, `f64`, complex numbers of these two, and the narrow types of `jarrah-base`"
)]
pub trait Element: Pod + PartialEq + fmt::Debug + fmt::Display + Send + Sync {
    /// The element type it is.
    const DTYPE: DType;
    /// The nearest value to `x`; integers truncate towards zero and saturate; a complex number has no imaginary part.
    fn from_f64(x: f64) -> Self;
    /// The value as a double; 64-bit integers round, complex numbers lose their imaginary part.
    fn to_f64(self) -> f64;
    /// The value `x` wrapped to this type's width; floats round.
    fn from_i128(x: i128) -> Self;
    /// The value as a wide integer; floats truncate.
    fn to_i128(self) -> i128;
    /// The value as a complex number with double parts.
    fn to_c128(self) -> c128 {
        c128::new(self.to_f64(), 0.0)
    }
    /// The nearest value to `x`, or to its real part where the type is not complex.
    fn from_c128(x: c128) -> Self {
        Self::from_f64(x.re)
    }
    /// The order of the numbers; `None` with a NaN. Complex numbers, which have none, are compared by their real parts,
    /// and where these are equal by their imaginary parts.
    fn order(self, other: Self) -> Option<Ordering>;
}

macro_rules! element {
    ($($t:ty, $d:ident);*) => {$(
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            fn from_f64(x: f64) -> Self {
                x as $t
            }
            fn to_f64(self) -> f64 {
                self as f64
            }
            fn from_i128(x: i128) -> Self {
                x as $t
            }
            fn to_i128(self) -> i128 {
                self as i128
            }
            fn order(self, other: Self) -> Option<Ordering> {
                self.partial_cmp(&other)
            }
        }
    )*};
}
element!(i8, I8; i16, I16; i32, I32; i64, I64; u8, U8; u16, U16; u32, U32; u64, U64; f32, F32; f64, F64);

macro_rules! narrow_element {
    ($($t:ty, $d:ident);*) => {$(
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            fn from_f64(x: f64) -> Self {
                let (low, high) = DType::$d.integer_range().unwrap_or_default();
                Narrow::wrapping((x as i128).clamp(low, high))
            }
            fn to_f64(self) -> f64 {
                f64::from(self.get())
            }
            fn from_i128(x: i128) -> Self {
                Narrow::wrapping(x)
            }
            fn to_i128(self) -> i128 {
                i128::from(self.get())
            }
            fn order(self, other: Self) -> Option<Ordering> {
                self.partial_cmp(&other)
            }
        }
    )*};
}
narrow_element!(i2, I2; i4, I4; u2, U2; u4, U4);

/// `x` as a double rounded to odd at 50 bits, so that rounding this to a narrow float rounds `x` once.
fn rounded_to_odd(x: i128) -> f64 {
    let size = x.unsigned_abs();
    let excess = (128 - size.leading_zeros()).saturating_sub(50);
    let kept = size >> excess;
    let rest = u128::from(kept << excess != size);
    let size = ((kept | rest) << excess) as f64;
    if x < 0 { -size } else { size }
}

macro_rules! half_element {
    ($($t:ty, $d:ident);*) => {$(
        impl Element for $t {
            const DTYPE: DType = DType::$d;
            fn from_f64(x: f64) -> Self {
                // The conversion looks at the upper half of the bits only; what is below is folded into the lowest of
                // those, which lies beyond the rounding position.
                let bits = x.to_bits();
                let rest = u64::from(bits as u32 != 0);
                <$t>::from_f64(f64::from_bits((bits >> 32 | rest) << 32))
            }
            fn to_f64(self) -> f64 {
                self.to_f64()
            }
            fn from_i128(x: i128) -> Self {
                <Self as Element>::from_f64(rounded_to_odd(x))
            }
            fn to_i128(self) -> i128 {
                self.to_f64() as i128
            }
            fn order(self, other: Self) -> Option<Ordering> {
                self.partial_cmp(&other)
            }
        }
    )*};
}
half_element!(bf16, BF16; f16, F16);

impl<F: FloatFormat> Element for Minifloat<F> {
    const DTYPE: DType = F::DTYPE;
    fn from_f64(x: f64) -> Self {
        Self::encode(x)
    }
    fn to_f64(self) -> f64 {
        self.decode()
    }
    fn from_i128(x: i128) -> Self {
        Self::encode(rounded_to_odd(x))
    }
    fn to_i128(self) -> i128 {
        self.decode() as i128
    }
    fn order(self, other: Self) -> Option<Ordering> {
        self.partial_cmp(&other)
    }
}

macro_rules! complex_element {
    ($($t:ident, $d:ident);*) => {$(
        impl Element for Complex<$t> {
            const DTYPE: DType = DType::$d;
            fn from_f64(x: f64) -> Self {
                Complex::new(x as $t, 0.0)
            }
            fn to_f64(self) -> f64 {
                self.re.into()
            }
            fn from_i128(x: i128) -> Self {
                Complex::new(x as $t, 0.0)
            }
            fn to_i128(self) -> i128 {
                self.re as i128
            }
            fn to_c128(self) -> c128 {
                c128::new(self.re.into(), self.im.into())
            }
            fn from_c128(x: c128) -> Self {
                Complex::new(x.re as $t, x.im as $t)
            }
            fn order(self, other: Self) -> Option<Ordering> {
                let imaginary = self.im.partial_cmp(&other.im)?;
                Some(self.re.partial_cmp(&other.re)?.then(imaginary))
            }
        }
    )*};
}
complex_element!(f32, C64; f64, C128);

/// Runs `$body` with the type name `$T` bound to the Rust type of a dtype; `Bool` is stored, and seen, as `u8`.
///
/// The body is compiled for each of the types: where only the width matters, copy bytes instead.
///
/// ```
/// use jarrah_base::{DType, with_element};
/// let bytes = with_element!(DType::BF16, T => std::mem::size_of::<T>());
/// assert_eq!(bytes, 2);
/// ```
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $T:ident => $body:expr) => {
        $crate::with_element!(@ $dtype, $T => $body;
            Bool | U8: u8,
            I2: $crate::i2,
            I4: $crate::i4,
            I8: i8,
            I16: i16,
            I32: i32,
            I64: i64,
            U2: $crate::u2,
            U4: $crate::u4,
            U16: u16,
            U32: u32,
            U64: u64,
            F4E2M1FN: $crate::f4e2m1fn,
            F6E2M3FN: $crate::f6e2m3fn,
            F6E3M2FN: $crate::f6e3m2fn,
            F8E3M4: $crate::f8e3m4,
            F8E4M3: $crate::f8e4m3,
            F8E4M3B11FNUZ: $crate::f8e4m3b11fnuz,
            F8E4M3FN: $crate::f8e4m3fn,
            F8E4M3FNUZ: $crate::f8e4m3fnuz,
            F8E5M2: $crate::f8e5m2,
            F8E5M2FNUZ: $crate::f8e5m2fnuz,
            F8E8M0FNU: $crate::f8e8m0fnu,
            BF16: $crate::bf16,
            F16: $crate::f16,
            F32: f32,
            F64: f64,
            C64: $crate::c64,
            C128: $crate::c128,
        )
    };
    (@ $dtype:expr, $T:ident => $body:expr; $($($d:ident)|+: $t:ty,)*) => {
        match $dtype {
            $($($crate::DType::$d)|+ => {
                type $T = $t;
                $body
            })*
        }
    };
}

impl DType {
    /// Whether values of this type, or their parts, may be infinite.
    ///
    /// ```
    /// use jarrah_base::DType;
    /// assert!(DType::F16.has_infinity() && DType::C64.has_infinity());
    /// assert!(!DType::F8E4M3FN.has_infinity() && !DType::F4E2M1FN.has_infinity());
    /// assert!(!DType::I32.has_infinity());
    /// ```
    pub fn has_infinity(self) -> bool {
        with_element!(self, T => <T as Element>::from_f64(f64::INFINITY).to_f64().is_infinite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_once() {
        let tie = 1.0 + 2f64.powi(-8);
        assert_eq!(<bf16 as Element>::from_f64(tie).to_f64(), 1.0);
        assert_eq!(<bf16 as Element>::from_f64(tie + 2f64.powi(-50)).to_f64(), 1.0 + 2f64.powi(-7));
        assert_eq!(<bf16 as Element>::from_f64(-tie - 2f64.powi(-50)).to_f64(), -1.0 - 2f64.powi(-7));
        assert_eq!(<bf16 as Element>::from_f64(tie - 2f64.powi(-50)).to_f64(), 1.0);
        let tie = 1.0 + 2f64.powi(-11);
        assert_eq!(<f16 as Element>::from_f64(tie).to_f64(), 1.0);
        assert_eq!(<f16 as Element>::from_f64(tie + 2f64.powi(-50)).to_f64(), 1.0 + 2f64.powi(-10));
        // The smallest subnormal, and half of it.
        assert_eq!(<f16 as Element>::from_f64(2f64.powi(-25)).to_f64(), 0.0);
        assert_eq!(<f16 as Element>::from_f64(2f64.powi(-25) + 2f64.powi(-70)).to_f64(), 2f64.powi(-24));
        assert_eq!(<f16 as Element>::from_f64(65520.0).to_f64(), f64::INFINITY);
        assert!(<bf16 as Element>::from_f64(f64::NAN).is_nan());
    }

    #[test]
    fn wide_integers_are_rounded_once() {
        let tie = (1i128 << 62) + (1 << 54);
        assert_eq!(<bf16 as Element>::from_i128(tie).to_f64(), 2f64.powi(62));
        assert_eq!(<bf16 as Element>::from_i128(tie + 1).to_f64(), 2f64.powi(62) + 2f64.powi(55));
        assert_eq!(<bf16 as Element>::from_i128(-tie - 1).to_f64(), -2f64.powi(62) - 2f64.powi(55));
        assert_eq!(<bf16 as Element>::from_i128(tie - 1).to_f64(), 2f64.powi(62));
        assert_eq!(<f32 as Element>::from_i128((1 << 24) + 1), 16_777_216.0);
        assert_eq!(<i8 as Element>::from_i128(200), -56);
    }

    #[test]
    fn every_element_type_says_its_own_dtype_and_size() {
        for dtype in DType::ALL {
            let (said, size) = with_element!(dtype, T => (<T as Element>::DTYPE, std::mem::size_of::<T>()));
            assert_eq!(said, if dtype == DType::Bool { DType::U8 } else { dtype });
            assert_eq!(size, dtype.size());
            assert_eq!(DType::from_name(dtype.name()), Some(dtype));
            let Some((low, high)) = dtype.integer_range().filter(|_| dtype != DType::Bool) else { continue };
            with_element!(dtype, T => {
                assert_eq!(<T as Element>::from_i128(low).to_i128(), low);
                assert_eq!(<T as Element>::from_i128(high).to_i128(), high);
                assert_eq!(<T as Element>::from_i128(high + 1).to_i128(), low);
                assert_eq!(<T as Element>::from_f64(1e30).to_i128(), high);
                assert_eq!(<T as Element>::from_f64(-1e30).to_i128(), low);
                assert_eq!(<T as Element>::from_f64(f64::NAN).to_i128(), 0);
                assert_eq!(<T as Element>::from_f64(1.9).to_i128(), 1);
            });
        }
    }

    #[test]
    fn float_ranges_hold_every_number() {
        for dtype in DType::ALL.into_iter().filter(|d| d.is_float() && d.bits() <= 8) {
            let (low, high) = dtype.float_range().unwrap();
            let codes: Vec<u8> = (0..=u8::MAX).take(1 << dtype.bits()).collect();
            let all = crate::Literal::from_bytes(crate::Type::tensor(dtype, [codes.len()]), &codes).unwrap();
            let numbers = || all.to_f64_vec().into_iter().filter(|x| !x.is_nan());
            assert_eq!(
                (numbers().fold(high, f64::min), numbers().fold(low, f64::max)),
                (low, high),
                "{dtype}"
            );
        }
    }

    #[test]
    fn complex_numbers_are_ordered_by_their_real_parts_first() {
        let z = |re, im| c64::new(re, im);
        assert_eq!(z(1.0, 5.0).order(z(2.0, 0.0)), Some(Ordering::Less));
        assert_eq!(z(1.0, 5.0).order(z(1.0, 0.0)), Some(Ordering::Greater));
        assert_eq!(z(1.0, f32::NAN).order(z(2.0, 0.0)), None);
        assert_eq!(<c64 as Element>::from_c128(c128::new(0.1, -0.2)), z(0.1, -0.2));
    }
}
