use std::fmt;

use bytemuck::Pod;
pub use half::{bf16, f16};

/// The element type of a tensor.
///
/// Names and layouts are StableHLO's; multi-byte elements are little-endian, a `Bool` is one byte, 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is its own name")]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    BF16,
    F16,
    F32,
    F64,
}

/// The family of an element type, by which ops say what they accept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ElementKind {
    /// Truth values.
    Bool,
    /// Two's-complement integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// IEEE-754 and brain floats.
    Float,
}

impl DType {
    /// Every element type, in declaration order.
    pub const ALL: [DType; 13] = [
        DType::Bool,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::BF16,
        DType::F16,
        DType::F32,
        DType::F64,
    ];

    /// The name users read and write: `f32`, `bool`, `u8`.
    pub fn name(self) -> &'static str {
        match self {
            DType::Bool => "bool",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
            DType::BF16 => "bf16",
            DType::F16 => "f16",
            DType::F32 => "f32",
            DType::F64 => "f64",
        }
    }

    /// The type with that name.
    pub fn from_name(name: &str) -> Option<DType> {
        DType::ALL.into_iter().find(|d| d.name() == name)
    }

    /// Bytes per element.
    pub fn size(self) -> usize {
        match self {
            DType::Bool | DType::I8 | DType::U8 => 1,
            DType::I16 | DType::U16 | DType::BF16 | DType::F16 => 2,
            DType::I32 | DType::U32 | DType::F32 => 4,
            DType::I64 | DType::U64 | DType::F64 => 8,
        }
    }

    /// The family.
    pub fn kind(self) -> ElementKind {
        match self {
            DType::Bool => ElementKind::Bool,
            DType::I8 | DType::I16 | DType::I32 | DType::I64 => ElementKind::Signed,
            DType::U8 | DType::U16 | DType::U32 | DType::U64 => ElementKind::Unsigned,
            DType::BF16 | DType::F16 | DType::F32 | DType::F64 => ElementKind::Float,
        }
    }

    /// Whether values of this type have tangents.
    pub fn is_differentiable(self) -> bool {
        self.kind() == ElementKind::Float
    }

    /// Whether this is a float type.
    pub fn is_float(self) -> bool {
        self.kind() == ElementKind::Float
    }

    /// Whether this is an integer type, signed or not.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), ElementKind::Signed | ElementKind::Unsigned)
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

/// A Rust type whose values are elements of a tensor.
pub trait Element: Pod + PartialOrd + fmt::Debug + fmt::Display + Send + Sync {
    /// The element type it is.
    const DTYPE: DType;
    /// The nearest value to `x`; integers truncate towards zero and saturate.
    fn from_f64(x: f64) -> Self;
    /// The value as a double; 64-bit integers round.
    fn to_f64(self) -> f64;
    /// The value `x` wrapped to this type's width; floats round.
    fn from_i128(x: i128) -> Self;
    /// The value as a wide integer; floats truncate.
    fn to_i128(self) -> i128;
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
        }
    )*};
}
element!(i8, I8; i16, I16; i32, I32; i64, I64; u8, U8; u16, U16; u32, U32; u64, U64; f32, F32; f64, F64);

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
                // Rounded to odd on the way to a double, so that only the last rounding counts.
                let size = x.unsigned_abs();
                let excess = (128 - size.leading_zeros()).saturating_sub(50);
                let kept = size >> excess;
                let rest = u128::from(kept << excess != size);
                let size = ((kept | rest) << excess) as f64;
                <Self as Element>::from_f64(if x < 0 { -size } else { size })
            }
            fn to_i128(self) -> i128 {
                self.to_f64() as i128
            }
        }
    )*};
}
half_element!(bf16, BF16; f16, F16);

/// Runs `$body` with the type name `$T` bound to the Rust type of a dtype; `Bool` is stored, and seen, as `u8`.
///
/// ```
/// use jarrah_base::{DType, with_element};
/// let bytes = with_element!(DType::BF16, T => std::mem::size_of::<T>());
/// assert_eq!(bytes, 2);
/// ```
#[macro_export]
macro_rules! with_element {
    ($dtype:expr, $T:ident => $body:expr) => {
        match $dtype {
            $crate::DType::Bool | $crate::DType::U8 => {
                type $T = u8;
                $body
            }
            $crate::DType::I8 => {
                type $T = i8;
                $body
            }
            $crate::DType::I16 => {
                type $T = i16;
                $body
            }
            $crate::DType::I32 => {
                type $T = i32;
                $body
            }
            $crate::DType::I64 => {
                type $T = i64;
                $body
            }
            $crate::DType::U16 => {
                type $T = u16;
                $body
            }
            $crate::DType::U32 => {
                type $T = u32;
                $body
            }
            $crate::DType::U64 => {
                type $T = u64;
                $body
            }
            $crate::DType::BF16 => {
                type $T = $crate::bf16;
                $body
            }
            $crate::DType::F16 => {
                type $T = $crate::f16;
                $body
            }
            $crate::DType::F32 => {
                type $T = f32;
                $body
            }
            $crate::DType::F64 => {
                type $T = f64;
                $body
            }
        }
    };
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
}
