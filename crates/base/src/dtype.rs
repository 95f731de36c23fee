use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The family of an element type, by which ops say what they accept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementKind {
    /// Truth values.
    Bool,
    /// Two's-complement integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// IEEE-754, brain and other small floats.
    Float,
    /// Pairs of a real and an imaginary part.
    Complex,
}

macro_rules! dtypes {
    ($($d:ident $name:literal $kind:ident $bits:literal;)*) => {
        /// The element type of a tensor.
        ///
        /// Layouts are StableHLO's: multi-byte elements are little-endian, a `Bool` is one byte, 0 or 1. Elements
        /// narrower than a byte take one each, whose upper bits are 0. A complex number is its real part, then its
        /// imaginary part.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "each variant is its own name")]
        pub enum DType {
            $($d,)*
        }

        impl DType {
            /// Every element type, in declaration order.
            pub const ALL: [DType; [$(DType::$d),*].len()] = [$(DType::$d),*];

            /// The name users read and write: `f32`, `bool`, `u8`.
            pub fn name(self) -> &'static str {
                match self {
                    $(DType::$d => $name,)*
                }
            }

            /// The family.
            pub fn kind(self) -> ElementKind {
                match self {
                    $(DType::$d => ElementKind::$kind,)*
                }
            }

            /// Bits of information per element: 1 for a truth value, 4 for an `i4`.
            pub fn bits(self) -> u32 {
                match self {
                    $(DType::$d => $bits,)*
                }
            }
        }
    };
}

dtypes! {
    Bool "bool" Bool 1;
    I2 "i2" Signed 2;
    I4 "i4" Signed 4;
    I8 "i8" Signed 8;
    I16 "i16" Signed 16;
    I32 "i32" Signed 32;
    I64 "i64" Signed 64;
    U2 "u2" Unsigned 2;
    U4 "u4" Unsigned 4;
    U8 "u8" Unsigned 8;
    U16 "u16" Unsigned 16;
    U32 "u32" Unsigned 32;
    U64 "u64" Unsigned 64;
    F4E2M1FN "f4e2m1fn" Float 4;
    F6E2M3FN "f6e2m3fn" Float 6;
    F6E3M2FN "f6e3m2fn" Float 6;
    F8E3M4 "f8e3m4" Float 8;
    F8E4M3 "f8e4m3" Float 8;
    F8E4M3B11FNUZ "f8e4m3b11fnuz" Float 8;
    F8E4M3FN "f8e4m3fn" Float 8;
    F8E4M3FNUZ "f8e4m3fnuz" Float 8;
    F8E5M2 "f8e5m2" Float 8;
    F8E5M2FNUZ "f8e5m2fnuz" Float 8;
    F8E8M0FNU "f8e8m0fnu" Float 8;
    BF16 "bf16" Float 16;
    F16 "f16" Float 16;
    F32 "f32" Float 32;
    F64 "f64" Float 64;
    C64 "c64" Complex 64;
    C128 "c128" Complex 128;
}

impl DType {
    /// The type with that name.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Bytes an element takes.
    pub fn size(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// The smallest and the largest value of a type of truth values or integers.
    pub fn integer_range(self) -> Option<(i128, i128)> {
        match self.kind() {
            ElementKind::Signed => Some((-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1)),
            ElementKind::Bool | ElementKind::Unsigned => Some((0, (1 << self.bits()) - 1)),
            ElementKind::Float | ElementKind::Complex => None,
        }
    }

    /// The smallest and the largest value of a float type, infinities where it has them.
    pub fn float_range(self) -> Option<(f64, f64)> {
        let largest = match self {
            DType::F4E2M1FN => 6.0,
            DType::F6E2M3FN => 7.5,
            DType::F6E3M2FN => 28.0,
            DType::F8E4M3B11FNUZ => 30.0,
            DType::F8E4M3FN => 448.0,
            DType::F8E4M3FNUZ => 240.0,
            DType::F8E5M2FNUZ => 57344.0,
            DType::F8E8M0FNU => return Some((2f64.powi(-127), 2f64.powi(127))),
            _ => f64::INFINITY,
        };
        self.is_float().then_some((-largest, largest))
    }

    /// The lowest and the largest finite value of a float type.
    ///
    /// ```
    /// use jarrah_base::DType;
    /// assert_eq!(DType::F16.finite_range(), Some((-65504.0, 65504.0)));
    /// ```
    pub fn finite_range(self) -> Option<(f64, f64)> {
        let largest = match self {
            DType::F64 => f64::MAX,
            DType::F32 => f64::from(f32::MAX),
            DType::BF16 => 3.3895313892515355e38,
            DType::F16 => 65504.0,
            DType::F8E5M2 => 57344.0,
            DType::F8E4M3 => 240.0,
            DType::F8E3M4 => 15.5,
            other => return other.float_range(),
        };
        Some((-largest, largest))
    }

    /// Whether values of this type have tangents.
    pub fn is_differentiable(self) -> bool {
        self.is_float() || self.is_complex()
    }

    /// Whether this is a float type.
    pub fn is_float(self) -> bool {
        self.kind() == ElementKind::Float
    }

    /// Whether this is an integer type, signed or not.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), ElementKind::Signed | ElementKind::Unsigned)
    }

    /// Whether this is a type of complex numbers.
    pub fn is_complex(self) -> bool {
        self.kind() == ElementKind::Complex
    }

    /// The type of the parts of a complex number; every other type itself.
    pub fn real(self) -> DType {
        match self {
            DType::C64 => DType::F32,
            DType::C128 => DType::F64,
            other => other,
        }
    }

    /// The type of the complex numbers with parts of this type, if there is one.
    pub fn complex(self) -> Option<DType> {
        match self {
            DType::F32 => Some(DType::C64),
            DType::F64 => Some(DType::C128),
            _ => None,
        }
    }

    /// The type that elements are multiplied as: `bf16` for narrower floats, all of which it holds as normal numbers, `f32` for
    /// `f8e8m0fnu`, of which it does not; every other type itself.
    pub fn factor(self) -> DType {
        match self {
            DType::F8E8M0FNU => DType::F32,
            _ if self.is_float() && self.bits() < 16 => DType::BF16,
            _ => self,
        }
    }

    /// The type in which products of elements are summed: `f32` for narrower floats, every other type itself. Reductions sum
    /// `f32` in `f64`.
    pub fn accumulator(self) -> DType {
        if self.is_float() && self.bits() < 32 { DType::F32 } else { self }
    }
}

impl FromStr for DType {
    type Err = Error;

    /// Reads a type's name, or the name that NumPy and its extensions have for it: `f32` or `float32`, `bf16` or `bfloat16`,
    /// `f8e4m3fn` or `float8_e4m3fn`.
    ///
    /// ```
    /// use jarrah_base::DType;
    /// assert_eq!("bfloat16".parse::<DType>()?, DType::BF16);
    /// assert!("float12".parse::<DType>().is_err());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    fn from_str(text: &str) -> Result<DType, Error> {
        const LONG: [(&str, &str); 5] =
            [("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("complex", "c")];
        let long = LONG.into_iter().find_map(|(long, short)| Some((short, text.strip_prefix(long)?)));
        let found = match long {
            // The underscore stands between the width and the layout.
            Some((short, rest)) => DType::from_name(&format!("{short}{}", rest.replacen('_', "", 1))),
            None => DType::from_name(text),
        };
        let help = "write f32 or float32, bf16 or bfloat16, i8 or int8";
        found.ok_or_else(|| Error::input(format!("{text:?} is no element type")).help(help))
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_short_and_long() {
        for dtype in DType::ALL {
            assert_eq!(dtype.name().parse::<DType>().unwrap(), dtype);
        }
        let long = "bool int4 int64 uint8 float16 float32 float64 bfloat16 complex64 complex128 float4_e2m1fn \
                    float6_e3m2fn float8_e4m3b11fnuz float8_e8m0fnu";
        let short = "bool i4 i64 u8 f16 f32 f64 bf16 c64 c128 f4e2m1fn f6e3m2fn f8e4m3b11fnuz f8e8m0fnu";
        for (long, short) in long.split_whitespace().zip(short.split_whitespace()) {
            assert_eq!(long.parse::<DType>().unwrap().name(), short);
        }
        for wrong in ["", "float", "float12", "int", "f_32", "floatf32", "bfloat_1_6", "F32"] {
            let error = wrong.parse::<DType>().unwrap_err();
            assert!(error.to_string().contains(&format!("{wrong:?} is no element type")), "{error}");
        }
    }
}
