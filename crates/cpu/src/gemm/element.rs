//! Element types of matrix products, the units that microkernels read of them, and the type each accumulates in.

use jarrah_base::{bf16, f16, flushed, flushed_multiply_add};

use super::kernel::{Kernels, Streams};
use crate::isa::Isa;

/// An element of a matrix, with the type its products are accumulated in.
pub trait Factor: Pack<<Self as Factor>::Unit> + Pack<<Self as Factor>::Acc> + Send + Sync + 'static {
    /// `f32` for `f32`, `bf16` and `f16`; `f64` for `f64`.
    type Acc: Accumulator;

    /// What the microkernels read: [`Pair`]s for `bf16`, for others the accumulator.
    type Unit: Unit<Acc = Self::Acc>;

    /// Whether elements are units and accumulators already, so that neither packing nor storing converts.
    const EXACT: bool;

    /// The same value as an accumulator.
    fn widen(self) -> Self::Acc;

    /// The nearest element, ties to even.
    fn narrow(acc: Self::Acc) -> Self;
}

/// An element whose rows microkernels read as they lie.
pub trait Streamed: Factor {
    /// The microkernels that do, on `isa`.
    fn streams(isa: Isa) -> &'static Streams<Self>;
}

/// A type products are accumulated in.
pub trait Accumulator:
    Factor<Acc = Self, Unit = Self> + Unit<Acc = Self> + PartialEq + std::ops::Add<Output = Self>
{
}

/// What one step of a microkernel takes of each row and column: elements next to one another along K.
pub trait Unit: Copy + Default + Send + Sync + 'static {
    /// What their products are added to.
    type Acc: Accumulator;

    /// The elements in one.
    const TOGETHER: usize;

    /// The microkernels that read such units on `isa`.
    fn kernels(isa: Isa) -> &'static Kernels<Self>;
}

/// An element of which units of type `U` are made.
pub trait Pack<U>: Copy {
    /// The unit of the elements that `at` gives, of which there are `count`; the others are zeros.
    fn pack(count: usize, at: impl Fn(usize) -> Self) -> U;
}

/// Two `bf16` that are next to one another along K, the first in the low half; subnormal numbers count as zeros.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Pair(pub(super) u32);

impl Pair {
    /// The first and the second as `f32`.
    #[inline(always)]
    pub(super) fn halves(self) -> [f32; 2] {
        [f32::from_bits(self.0 << 16), f32::from_bits(self.0 & 0xffff_0000)]
    }

    /// `sum` plus the product of the second elements, plus that of the first ones.
    #[inline(always)]
    pub(super) fn multiply_add(self, other: Pair, sum: f32) -> f32 {
        let ([a0, a1], [b0, b1]) = (self.halves(), other.halves());
        flushed_multiply_add(a0, b0, flushed_multiply_add(a1, b1, sum))
    }
}

impl Pack<Pair> for bf16 {
    #[inline(always)]
    fn pack(count: usize, at: impl Fn(usize) -> bf16) -> Pair {
        let half = |i: usize| if i < count { flushed(at(i).widen()).to_bits() } else { 0 };
        Pair(half(0) >> 16 | half(1))
    }
}

macro_rules! widened {
    ($($t:ty => $acc:ty),*) => {$(
        impl Pack<$acc> for $t {
            #[inline(always)]
            fn pack(_: usize, at: impl Fn(usize) -> $t) -> $acc {
                at(0).widen()
            }
        }
    )*};
}

widened!(f32 => f32, f64 => f64, bf16 => f32, f16 => f32);

macro_rules! exact {
    ($t:ty) => {
        impl Factor for $t {
            type Acc = $t;
            type Unit = $t;
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

        impl Accumulator for $t {}
    };
}

exact!(f32);
exact!(f64);

impl Factor for bf16 {
    type Acc = f32;
    type Unit = Pair;
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
    type Unit = f32;
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
