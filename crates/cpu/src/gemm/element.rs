//! Element types of matrix products, the units that microkernels read of them, and the type each accumulates in.

use std::marker::PhantomData;

use jarrah_base::{CHAIN, bf16, c64, c128, f16, flushed_multiply_add};

use super::kernel::{Kernels, Streams};
use crate::isa::Isa;

/// An element of a matrix, with the type its products are accumulated in.
pub trait Factor: Pack<<Self as Factor>::Unit> + Pack<<Self as Factor>::Acc> + Send + Sync + 'static {
    /// `f32` for `f32`, `bf16` and `f16`; `i32` for `i8`, `i16` and `i32`; every other type for itself.
    type Acc: Accumulator;

    /// The unit that microkernels read: a [`Word`] of elements for `bf16`, `i8` and `i16`, the accumulator for others.
    type Unit: Unit<Acc = Self::Acc>;

    /// Whether elements are units and accumulators already, so that neither packing nor storing converts.
    const EXACT: bool;

    /// The element as an accumulator of equal value.
    fn widen(self) -> Self::Acc;
}

/// An element that results may have.
pub trait Rounded: Factor {
    /// The nearest element, ties to even; of integers the low bits.
    fn narrow(acc: Self::Acc) -> Self;
}

/// An element whose rows microkernels read as they lie.
pub trait Streamed: Factor {
    /// The microkernels that read rows of such elements, on `isa`.
    fn streams(isa: Isa) -> &'static Streams<Self>;
}

/// A type products are accumulated in.
pub trait Accumulator: Rounded + Factor<Acc = Self, Unit = Self> + Unit<Acc = Self> + PartialEq {
    /// The sum of two accumulators; integers wrap.
    fn plus(self, other: Self) -> Self;
}

/// The operand that one step of a microkernel takes from each row and column: elements adjacent along K.
pub trait Unit: Tiled + Copy + Default + Send + Sync + 'static {
    /// The type in which products are summed.
    type Acc: Accumulator;

    /// The number of elements in a unit.
    const TOGETHER: usize;

    /// The number of units in a block of K, whose chain begins at zero; for integers all of K is one block.
    const BLOCK: usize;

    /// `sum` plus the products of the elements of both.
    fn multiply_add(self, other: Self, sum: Self::Acc) -> Self::Acc;
}

/// A unit with microkernels.
pub trait Tiled: Sized {
    /// The microkernels that read such units on `isa`.
    fn kernels(isa: Isa) -> &'static Kernels<Self>
    where
        Self: Unit;
}

/// An element of which units of type `U` are made.
pub trait Pack<U>: Copy {
    /// The unit of the `count` elements that `at` gives; its other elements are zeros.
    fn pack(count: usize, at: impl Fn(usize) -> Self) -> U;
}

/// As many elements, adjacent along K, as 32 bits hold, the first in the lowest bits. Subnormal `bf16` are stored as they are:
/// the multiplication takes them as zeros.
#[repr(transparent)]
pub struct Word<T> {
    pub(super) bits: u32,
    elements: PhantomData<T>,
}

impl<T> Clone for Word<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Word<T> {}

impl<T> Default for Word<T> {
    fn default() -> Self {
        Word { bits: 0, elements: PhantomData }
    }
}

impl<T> Word<T> {
    /// The first `count` of the elements whose bits `at` gives.
    #[inline(always)]
    fn of(count: usize, at: impl Fn(usize) -> u32) -> Word<T> {
        let (width, all) = (8 * size_of::<T>(), size_of::<u32>() / size_of::<T>());
        let bits = (0..all.min(count)).fold(0, |bits, i| bits | at(i) << (i * width));
        Word { bits, elements: PhantomData }
    }
}

impl Word<bf16> {
    /// The first and the second as `f32`.
    #[inline(always)]
    pub(super) fn halves(self) -> [f32; 2] {
        [f32::from_bits(self.bits << 16), f32::from_bits(self.bits & 0xffff_0000)]
    }
}

impl Pack<Word<bf16>> for bf16 {
    #[inline(always)]
    fn pack(count: usize, at: impl Fn(usize) -> bf16) -> Word<bf16> {
        Word::of(count, |i| at(i).to_bits().into())
    }
}

impl Pack<Word<i8>> for i8 {
    #[inline(always)]
    fn pack(count: usize, at: impl Fn(usize) -> i8) -> Word<i8> {
        Word::of(count, |i| at(i).cast_unsigned().into())
    }
}

impl Pack<Word<i16>> for i16 {
    #[inline(always)]
    fn pack(count: usize, at: impl Fn(usize) -> i16) -> Word<i16> {
        Word::of(count, |i| at(i).cast_unsigned().into())
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

widened!(c64 => c64, c128 => c128, f32 => f32, f64 => f64, bf16 => f32, f16 => f32, i8 => i32, i16 => i32, i32 => i32, i64 => i64);

macro_rules! exact {
    ($($t:ty, $plus:expr;)*) => {$(
        impl Factor for $t {
            type Acc = $t;
            type Unit = $t;
            const EXACT: bool = true;

            #[inline(always)]
            fn widen(self) -> $t {
                self
            }
        }

        impl Rounded for $t {
            #[inline(always)]
            fn narrow(acc: $t) -> $t {
                acc
            }
        }

        impl Accumulator for $t {
            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                $plus(self, other)
            }
        }
    )*};
}

exact! {
    c64, |a: c64, b: c64| c64::new(a.re + b.re, a.im + b.im);
    c128, |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
    f32, std::ops::Add::add;
    f64, std::ops::Add::add;
    i32, i32::wrapping_add;
    i64, i64::wrapping_add;
}

macro_rules! units {
    ($($t:ty, $acc:ty, $together:literal, $block:expr, |$a:ident, $b:ident, $sum:ident| $multiply_add:expr;)*) => {$(
        impl Unit for $t {
            type Acc = $acc;
            const TOGETHER: usize = $together;
            const BLOCK: usize = $block;

            #[inline(always)]
            fn multiply_add(self, other: $t, $sum: $acc) -> $acc {
                let ($a, $b) = (self, other);
                $multiply_add
            }
        }
    )*};
}

/// `sum` plus the products of the numbers that `a` and `b` are as bytes, little-endian.
macro_rules! products {
    ($t:ty, $a:expr, $b:expr, $sum:expr) => {{
        const SIZE: usize = size_of::<$t>();
        let [a, b] = [$a, $b].map(|word| word.bits.to_le_bytes());
        let at = |bytes: &[u8; 4], i: usize| {
            i32::from(<$t>::from_le_bytes(std::array::from_fn(|byte| bytes[i * SIZE + byte])))
        };
        (0..4 / SIZE).fold($sum, |sum: i32, i| sum.wrapping_add(at(&a, i).wrapping_mul(at(&b, i))))
    }};
}

/// `sum` plus the product, by two fused multiply-adds for each part: a block has half as many complex numbers as real ones.
macro_rules! complex {
    ($t:ty, $a:ident, $b:ident, $sum:ident) => {
        <$t>::new(
            $a.im.mul_add(-$b.im, $a.re.mul_add($b.re, $sum.re)),
            $a.im.mul_add($b.re, $a.re.mul_add($b.im, $sum.im)),
        )
    };
}

units! {
    c64, c64, 1, CHAIN / 2, |a, b, sum| complex!(c64, a, b, sum);
    c128, c128, 1, CHAIN / 2, |a, b, sum| complex!(c128, a, b, sum);
    f32, f32, 1, CHAIN, |a, b, sum| a.mul_add(b, sum);
    f64, f64, 1, CHAIN, |a, b, sum| a.mul_add(b, sum);
    Word<bf16>, f32, 2, CHAIN / 2, |a, b, sum| {
        let ([a0, a1], [b0, b1]) = (a.halves(), b.halves());
        flushed_multiply_add(a0, b0, flushed_multiply_add(a1, b1, sum))
    };
    Word<i8>, i32, 4, usize::MAX, |a, b, sum| products!(i8, a, b, sum);
    Word<i16>, i32, 2, usize::MAX, |a, b, sum| products!(i16, a, b, sum);
    i32, i32, 1, usize::MAX, |a, b, sum| sum.wrapping_add(a.wrapping_mul(b));
    i64, i64, 1, usize::MAX, |a, b, sum| sum.wrapping_add(a.wrapping_mul(b));
}

impl Factor for bf16 {
    type Acc = f32;
    type Unit = Word<bf16>;
    const EXACT: bool = false;

    #[inline(always)]
    fn widen(self) -> f32 {
        f32::from_bits(u32::from(self.to_bits()) << 16)
    }
}

impl Rounded for bf16 {
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

    /// Widens by moving bits and an exact scaling of the exponent, which needs no function call.
    #[inline(always)]
    fn widen(self) -> f32 {
        const INFINITY: u32 = 0x7c00;
        let (sign, size) = (u32::from(self.to_bits() & 0x8000) << 16, u32::from(self.to_bits() & 0x7fff));
        let number = (f32::from_bits(size << 13) * f32::from_bits((127 + 112) << 23)).to_bits();
        let quiet = if size > INFINITY { 0x0040_0000 } else { 0 };
        f32::from_bits(sign | if size < INFINITY { number } else { 0x7f80_0000 | size << 13 | quiet })
    }
}

impl Rounded for f16 {
    #[inline]
    fn narrow(acc: f32) -> f16 {
        f16::from_f32(acc)
    }
}

macro_rules! words {
    ($($t:ty)*) => {$(
        impl Factor for $t {
            type Acc = i32;
            type Unit = Word<$t>;
            const EXACT: bool = false;

            #[inline(always)]
            fn widen(self) -> i32 {
                self.into()
            }
        }

        impl Rounded for $t {
            #[inline(always)]
            fn narrow(acc: i32) -> $t {
                acc as $t
            }
        }
    )*};
}

words!(i8 i16);
