//! Element types of matrix products and the type each accumulates in.

use jarrah_base::{bf16, f16};

use super::kernel::Kernels;
use crate::isa::Isa;

/// An element of a matrix, with the type its products are accumulated in.
pub trait Factor: Copy + Send + Sync + 'static {
    /// `f32` for `f32`, `bf16` and `f16`; `f64` for `f64`.
    type Acc: Accumulator;

    /// Whether elements are accumulators already, so that neither packing nor storing converts.
    const EXACT: bool;

    /// The same value as an accumulator.
    fn widen(self) -> Self::Acc;

    /// The nearest element, ties to even.
    fn narrow(acc: Self::Acc) -> Self;
}

/// A type products are accumulated in.
pub trait Accumulator: Factor<Acc = Self> + Default + PartialEq + std::ops::Add<Output = Self> {
    /// The microkernels for this type on `isa`.
    fn kernels(isa: Isa) -> &'static Kernels<Self>;
}

macro_rules! exact {
    ($t:ty) => {
        impl Factor for $t {
            type Acc = $t;
            const EXACT: bool = true;

            #[inline(always)]
            fn widen(self) -> $t {
                self
            }

            #[inline(always)]
            fn narrow(acc: $t) -> $t {
                acc
            }
        }
    };
}

exact!(f32);
exact!(f64);

impl Factor for bf16 {
    type Acc = f32;
    const EXACT: bool = false;

    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }

    #[inline(always)]
    fn narrow(acc: f32) -> bf16 {
        let bits = acc.to_bits();
        let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1));
        // A NaN keeps its sign and upper payload and stays a (quiet) NaN; rounding could carry it to zero.
        let bits = if acc.is_nan() { bits | 0x0040_0000 } else { rounded };
        bf16::from_bits((bits >> 16) as u16)
    }
}

impl Factor for f16 {
    type Acc = f32;
    const EXACT: bool = false;

    #[inline]
    fn widen(self) -> f32 {
        self.to_f32()
    }

    #[inline]
    fn narrow(acc: f32) -> f16 {
        f16::from_f32(acc)
    }
}
