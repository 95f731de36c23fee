use std::fmt;
use std::marker::PhantomData;

use bytemuck::{Pod, Zeroable};

use crate::dtype::DType;

/// The infinities and NaNs of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Specials {
    /// The largest exponent means infinities and NaNs, as in IEEE-754.
    Ieee,
    /// No infinities; all ones is NaN, with either sign.
    AllOnesNan,
    /// No infinities, one zero; what would be -0 is the only NaN.
    NegativeZeroNan,
    /// Finite numbers only: what is too large becomes the largest number, and NaN becomes -0.
    Finite,
    /// Powers of two only: no sign, no zero; all ones is NaN.
    PowersOfTwo,
}

/// The layout of a float of at most 8 bits: from the top a sign, `EXPONENT` bits, `MANTISSA` bits.
pub trait FloatFormat: Pod + Send + Sync {
    /// The element type.
    const DTYPE: DType;
    /// Bits of the exponent.
    const EXPONENT: u32;
    /// Bits of the mantissa.
    const MANTISSA: u32;
    /// The bias of a stored exponent, which is subtracted from it.
    const BIAS: i32;
    /// Infinities, NaNs and zeros.
    const SPECIALS: Specials;

    /// The sign in a code.
    const SIGN: u8 = if matches!(Self::SPECIALS, Specials::PowersOfTwo) {
        0
    } else {
        1 << (Self::EXPONENT + Self::MANTISSA)
    };
    /// The code of infinity in the IEEE formats; elsewhere one past the largest exponent.
    const INFINITY: u32 = ((1 << Self::EXPONENT) - 1) << Self::MANTISSA;
    /// The code of the largest finite number.
    const LARGEST: u32 = match Self::SPECIALS {
        Specials::Ieee => Self::INFINITY - 1,
        Specials::AllOnesNan | Specials::PowersOfTwo => (1 << (Self::EXPONENT + Self::MANTISSA)) - 2,
        Specials::NegativeZeroNan | Specials::Finite => (1 << (Self::EXPONENT + Self::MANTISSA)) - 1,
    };
}

/// A [`FloatFormat`] as a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FloatLayout {
    /// Bits of the exponent.
    pub exponent: u32,
    /// Bits of the mantissa.
    pub mantissa: u32,
    /// The bias of a stored exponent, which is subtracted from it.
    pub bias: i32,
    /// Infinities, NaNs and zeros.
    pub specials: Specials,
    /// The sign in a code.
    pub sign: u32,
    /// The code of the largest finite number.
    pub largest: u32,
}

impl FloatLayout {
    fn of_format<F: FloatFormat>() -> FloatLayout {
        FloatLayout {
            exponent: F::EXPONENT,
            mantissa: F::MANTISSA,
            bias: F::BIAS,
            specials: F::SPECIALS,
            sign: F::SIGN.into(),
            largest: F::LARGEST,
        }
    }
}

/// A float of at most 8 bits, in a byte of its own.
///
/// ```
/// use jarrah_base::{Element, f8e4m3fn};
/// assert_eq!(f8e4m3fn::from_f64(0.3).to_f64(), 0.3125);
/// assert_eq!(f8e4m3fn::from_f64(448.0).to_bits(), 0x7e);
/// assert!(f8e4m3fn::from_f64(1e9).to_f64().is_nan());
/// ```
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct Minifloat<F>(u8, PhantomData<F>);

impl<F: FloatFormat> Minifloat<F> {
    /// The number with this code; bits above its width do not count.
    pub const fn from_bits(code: u8) -> Self {
        let width = F::EXPONENT + F::MANTISSA + (F::SIGN != 0) as u32;
        Minifloat(code & (0xff >> (8 - width)), PhantomData)
    }

    /// The code.
    pub const fn to_bits(self) -> u8 {
        self.0
    }

    /// The number of each code.
    const NUMBERS: &[f64; 256] = &{
        let mut numbers = [0.0; 256];
        let mut code = 0;
        while code < numbers.len() {
            numbers[code] = Self::number(code as u8);
            code += 1;
        }
        numbers
    };

    /// The number itself: every one is a double.
    #[inline]
    pub fn decode(self) -> f64 {
        Self::NUMBERS[usize::from(self.0)]
    }

    const fn number(code: u8) -> f64 {
        let Self(code, _) = Self::from_bits(code);
        let negative = code & F::SIGN != 0;
        let code = (code & !F::SIGN) as u32;
        let negative_zero_is_nan = matches!(F::SPECIALS, Specials::NegativeZeroNan);
        let nan = match F::SPECIALS {
            Specials::Ieee => code > F::INFINITY,
            Specials::AllOnesNan | Specials::PowersOfTwo => code > F::LARGEST,
            Specials::NegativeZeroNan => negative && code == 0,
            Specials::Finite => false,
        };
        if nan {
            return if negative && !negative_zero_is_nan { -f64::NAN } else { f64::NAN };
        }
        let (exponent, mantissa) = ((code >> F::MANTISSA) as i32, code & ((1 << F::MANTISSA) - 1));
        let size = if matches!(F::SPECIALS, Specials::Ieee) && code == F::INFINITY {
            f64::INFINITY
        } else if exponent == 0 && !matches!(F::SPECIALS, Specials::PowersOfTwo) {
            mantissa as f64 * power_of_two(1 - F::BIAS - F::MANTISSA as i32)
        } else {
            (mantissa | 1 << F::MANTISSA) as f64 * power_of_two(exponent - F::BIAS - F::MANTISSA as i32)
        };
        if negative { -size } else { size }
    }

    /// The nearest number, ties to the even code; among powers of two, ties go up.
    pub fn encode(x: f64) -> Self {
        let sign = if x.is_sign_negative() { F::SIGN } else { 0 };
        let largest = F::LARGEST as u8;
        let code = match F::SPECIALS {
            Specials::NegativeZeroNan if x.is_nan() => 0x80,
            Specials::Finite if x.is_nan() => F::SIGN,
            Specials::PowersOfTwo if x.is_nan() || x <= 0.0 => largest + 1,
            Specials::AllOnesNan if x.is_nan() => sign | (largest + 1),
            Specials::Ieee if x.is_nan() => sign | (F::INFINITY | 1 << (F::MANTISSA - 1)) as u8,
            _ => match (Self::round(x.abs()), F::SPECIALS) {
                (code, Specials::NegativeZeroNan) if code > F::LARGEST => 0x80,
                (code, Specials::Finite) if code > F::LARGEST => sign | largest,
                (code, _) if code > F::LARGEST => sign | (largest + 1),
                (0, Specials::NegativeZeroNan) => 0,
                (code, _) => sign | code as u8,
            },
        };
        Minifloat(code, PhantomData)
    }

    /// The code of the number nearest to `x >= 0`, as if there were no largest exponent.
    fn round(x: f64) -> u32 {
        // Powers of two have no subnormals: their smallest exponent is the one stored as 0.
        let steps = u32::from(F::SPECIALS != Specials::PowersOfTwo);
        let lowest = steps as i32 - F::BIAS;
        let exponent = ((x.to_bits() >> 52) as i32 - 1023).clamp(lowest, lowest + 512);
        let mantissa = (x * power_of_two(F::MANTISSA as i32 - exponent)).round_ties_even();
        // A normal mantissa has its leading 1, which raises the stored exponent by one; so does one rounded up to 2.
        let code = ((exponent - lowest) as u32) << F::MANTISSA;
        code.saturating_add(mantissa.min(65536.0) as u32).saturating_sub(1 - steps)
    }
}

/// 2ⁿ for an exponent a normal double has.
const fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl<F: FloatFormat> PartialEq for Minifloat<F> {
    fn eq(&self, other: &Self) -> bool {
        self.decode() == other.decode()
    }
}

impl<F: FloatFormat> PartialOrd for Minifloat<F> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.decode().partial_cmp(&other.decode())
    }
}

impl<F: FloatFormat> fmt::Display for Minifloat<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.decode(), f)
    }
}

impl<F: FloatFormat> fmt::Debug for Minifloat<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.decode(), f)
    }
}

macro_rules! formats {
    ($($t:ident $d:ident $e:literal $m:literal $bias:literal $specials:ident;)*) => {
        impl FloatLayout {
            /// The layout of a float type of at most 8 bits; `None` of every other type.
            ///
            /// ```
            /// use jarrah_base::{DType, FloatLayout};
            /// assert_eq!(FloatLayout::of(DType::F8E5M2).map(|layout| layout.bias), Some(15));
            /// assert!(FloatLayout::of(DType::F16).is_none());
            /// ```
            pub fn of(dtype: DType) -> Option<FloatLayout> {
                match dtype {
                    $(DType::$d => Some(FloatLayout::of_format::<format::$d>()),)*
                    _ => None,
                }
            }
        }

        /// The layouts, named as their element types.
        pub mod format {
            $(
                #[doc = concat!("The layout of `", stringify!($t), "`.")]
                #[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
                #[repr(C)]
                pub struct $d;
            )*
        }
        $(
            impl FloatFormat for format::$d {
                const DTYPE: DType = DType::$d;
                const EXPONENT: u32 = $e;
                const MANTISSA: u32 = $m;
                const BIAS: i32 = $bias;
                const SPECIALS: Specials = Specials::$specials;
            }
            #[doc = concat!("A float with ", $e, " bits of exponent (bias ", $bias, ") and ", $m, " of mantissa.")]
            #[allow(non_camel_case_types, reason = "named like f32")]
            pub type $t = Minifloat<format::$d>;
        )*
    };
}

formats! {
    f4e2m1fn F4E2M1FN 2 1 1 Finite;
    f6e2m3fn F6E2M3FN 2 3 1 Finite;
    f6e3m2fn F6E3M2FN 3 2 3 Finite;
    f8e3m4 F8E3M4 3 4 3 Ieee;
    f8e4m3 F8E4M3 4 3 7 Ieee;
    f8e4m3b11fnuz F8E4M3B11FNUZ 4 3 11 NegativeZeroNan;
    f8e4m3fn F8E4M3FN 4 3 7 AllOnesNan;
    f8e4m3fnuz F8E4M3FNUZ 4 3 8 NegativeZeroNan;
    f8e5m2 F8E5M2 5 2 15 Ieee;
    f8e5m2fnuz F8E5M2FNUZ 5 2 16 NegativeZeroNan;
    f8e8m0fnu F8E8M0FNU 8 0 127 PowersOfTwo;
}
