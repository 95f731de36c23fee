//! The few vector operations the microkernels need, for each instruction set.

use jarrah_base::{bf16, f16};

use super::element::{Factor, Pack, Pair};

/// A vector register of `LANES` elements.
///
/// The methods are inlined into `#[target_feature]` functions, never called outside them.
pub(super) trait Vector: Copy {
    /// What is accumulated.
    type Elem: Copy;
    /// What is read of the operands.
    type Unit: Copy;
    /// A register of units.
    type Units: Copy;
    const LANES: usize;

    /// # Safety
    /// The instruction set must be present.
    unsafe fn zero() -> Self;

    /// # Safety
    /// The instruction set must be present and `LANES` elements readable at `p`.
    unsafe fn load(p: *const Self::Elem) -> Self;

    /// # Safety
    /// The instruction set must be present and `LANES` elements writable at `p`.
    unsafe fn store(self, p: *mut Self::Elem);

    /// Asks for the elements at `p`, which are needed later.
    fn prefetch(_p: *const Self::Elem) {}

    /// # Safety
    /// The instruction set must be present and `LANES` units readable at `p`.
    unsafe fn units(p: *const Self::Unit) -> Self::Units;

    /// # Safety
    /// The instruction set must be present.
    unsafe fn splat(x: Self::Unit) -> Self::Units;

    /// `self` plus the products of the elements of `a` and `b`, one after another.
    ///
    /// # Safety
    /// The instruction set must be present.
    unsafe fn multiply_add(self, a: Self::Units, b: Self::Units) -> Self;

    /// # Safety
    /// The instruction set must be present.
    unsafe fn add(self, other: Self) -> Self;
}

/// Registers whose units are made of rows of elements `T` as they lie.
pub(super) trait Rows<T>: Vector {
    /// The units of as many rows as a unit has elements, `next` elements apart.
    ///
    /// # Safety
    /// The instruction set must be present and `LANES` elements of each row readable from `p` on.
    unsafe fn of_rows(p: *const T, next: isize) -> Self::Units;
}

/// Sums of `f32` to which pairs of `bf16` are added, the second product first, with subnormal numbers taken and given as zeros.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Pairs<V>(V);

impl Vector for Pairs<[f32; 4]> {
    type Elem = f32;
    type Unit = Pair;
    type Units = [Pair; 4];
    const LANES: usize = 4;

    #[inline(always)]
    unsafe fn zero() -> Self {
        Pairs([0.0; 4])
    }

    #[inline(always)]
    unsafe fn load(p: *const f32) -> Self {
        // SAFETY: the caller vouches for `LANES` elements at `p`.
        Pairs(unsafe { p.cast::<[f32; 4]>().read_unaligned() })
    }

    #[inline(always)]
    unsafe fn store(self, p: *mut f32) {
        // SAFETY: the caller vouches for `LANES` elements at `p`.
        unsafe { p.cast::<[f32; 4]>().write_unaligned(self.0) }
    }

    #[inline(always)]
    unsafe fn units(p: *const Pair) -> [Pair; 4] {
        // SAFETY: the caller vouches for `LANES` units at `p`.
        unsafe { p.cast::<[Pair; 4]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn splat(x: Pair) -> [Pair; 4] {
        [x; 4]
    }

    #[inline(always)]
    unsafe fn multiply_add(self, a: [Pair; 4], b: [Pair; 4]) -> Self {
        Pairs(std::array::from_fn(|i| a[i].multiply_add(b[i], self.0[i])))
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        Pairs(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }
}

macro_rules! portable {
    ($t:ty, $lanes:literal) => {
        impl Vector for [$t; $lanes] {
            type Elem = $t;
            type Unit = $t;
            type Units = Self;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn zero() -> Self {
                [0.0; $lanes]
            }

            #[inline(always)]
            unsafe fn load(p: *const $t) -> Self {
                // SAFETY: the caller vouches for `LANES` elements at `p`.
                unsafe { p.cast::<Self>().read_unaligned() }
            }

            #[inline(always)]
            unsafe fn store(self, p: *mut $t) {
                // SAFETY: the caller vouches for `LANES` elements at `p`.
                unsafe { p.cast::<Self>().write_unaligned(self) }
            }

            #[inline(always)]
            unsafe fn units(p: *const $t) -> Self {
                // SAFETY: the caller's contract is that of `load`.
                unsafe { Self::load(p) }
            }

            #[inline(always)]
            unsafe fn splat(x: $t) -> Self {
                [x; $lanes]
            }

            #[inline(always)]
            unsafe fn multiply_add(self, a: Self, b: Self) -> Self {
                std::array::from_fn(|i| a[i].mul_add(b[i], self[i]))
            }

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                std::array::from_fn(|i| self[i] + other[i])
            }
        }
    };
}

portable!(f32, 4);
portable!(f64, 2);

/// Rows of elements that are units.
macro_rules! rows_of_units {
    ($($v:ty, $t:ty;)*) => {$(
        impl Rows<$t> for $v {
            #[inline(always)]
            unsafe fn of_rows(p: *const $t, _: isize) -> Self::Units {
                // SAFETY: the caller's contract is that of `units`.
                unsafe { Self::units(p) }
            }
        }
    )*};
}

rows_of_units! {
    [f32; 4], f32;
    [f64; 2], f64;
}

impl Rows<f16> for [f32; 4] {
    #[inline(always)]
    unsafe fn of_rows(p: *const f16, _: isize) -> [f32; 4] {
        // SAFETY: the caller vouches for `LANES` elements at `p`.
        std::array::from_fn(|i| unsafe { *p.add(i) }.widen())
    }
}

impl Rows<bf16> for Pairs<[f32; 4]> {
    #[inline(always)]
    unsafe fn of_rows(p: *const bf16, next: isize) -> [Pair; 4] {
        // SAFETY: the caller vouches for `LANES` elements of both rows.
        std::array::from_fn(|i| unsafe { bf16::pack(2, |row| *p.offset(row as isize * next).add(i)) })
    }
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod x86 {
    use super::*;
    use jarrah_base::{bf16, flushed_multiply_add};
    use std::arch::x86_64::*;

    macro_rules! registers {
        ($v:ty, $t:ty, $lanes:literal, $zero:ident, $load:ident, $store:ident, $splat:ident, $fma:ident, $add:ident) => {
            impl Vector for $v {
                type Elem = $t;
                type Unit = $t;
                type Units = Self;
                const LANES: usize = $lanes;

                #[inline(always)]
                fn prefetch(p: *const $t) {
                    // SAFETY: it reads nothing, and every x86-64 processor has it.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(p.cast()) }
                }

                #[inline(always)]
                unsafe fn zero() -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $zero() }
                }

                #[inline(always)]
                unsafe fn load(p: *const $t) -> Self {
                    // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
                    unsafe { $load(p) }
                }

                #[inline(always)]
                unsafe fn store(self, p: *mut $t) {
                    // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
                    unsafe { $store(p, self) }
                }

                #[inline(always)]
                unsafe fn units(p: *const $t) -> Self {
                    // SAFETY: the caller's contract is that of `load`.
                    unsafe { $load(p) }
                }

                #[inline(always)]
                unsafe fn splat(x: $t) -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $splat(x) }
                }

                #[inline(always)]
                unsafe fn multiply_add(self, a: Self, b: Self) -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $fma(a, b, self) }
                }

                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $add(self, other) }
                }
            }
        };
    }

    registers!(
        __m512,
        f32,
        16,
        _mm512_setzero_ps,
        _mm512_loadu_ps,
        _mm512_storeu_ps,
        _mm512_set1_ps,
        _mm512_fmadd_ps,
        _mm512_add_ps
    );
    registers!(
        __m512d,
        f64,
        8,
        _mm512_setzero_pd,
        _mm512_loadu_pd,
        _mm512_storeu_pd,
        _mm512_set1_pd,
        _mm512_fmadd_pd,
        _mm512_add_pd
    );
    registers!(
        __m256,
        f32,
        8,
        _mm256_setzero_ps,
        _mm256_loadu_ps,
        _mm256_storeu_ps,
        _mm256_set1_ps,
        _mm256_fmadd_ps,
        _mm256_add_ps
    );
    registers!(
        __m256d,
        f64,
        4,
        _mm256_setzero_pd,
        _mm256_loadu_pd,
        _mm256_storeu_pd,
        _mm256_set1_pd,
        _mm256_fmadd_pd,
        _mm256_add_pd
    );

    rows_of_units! {
        __m512, f32;
        __m512d, f64;
        __m256, f32;
        __m256d, f64;
    }

    impl Rows<f16> for __m512 {
        #[inline(always)]
        unsafe fn of_rows(p: *const f16, _: isize) -> __m512 {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
            unsafe { _mm512_cvtph_ps(_mm256_loadu_si256(p.cast())) }
        }
    }

    impl Rows<f16> for __m256 {
        #[inline(always)]
        unsafe fn of_rows(p: *const f16, _: isize) -> __m256 {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
            unsafe { _mm256_cvtph_ps(_mm_loadu_si128(p.cast())) }
        }
    }

    impl Rows<bf16> for Pairs<__m512> {
        #[inline(always)]
        unsafe fn of_rows(p: *const bf16, next: isize) -> __m512i {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements of both rows.
            unsafe {
                let row = |p: *const bf16| _mm512_cvtepu16_epi32(_mm256_loadu_si256(p.cast()));
                _mm512_or_si512(row(p), _mm512_slli_epi32::<16>(row(p.offset(next))))
            }
        }
    }

    impl Rows<bf16> for Pairs<__m256> {
        #[inline(always)]
        unsafe fn of_rows(p: *const bf16, next: isize) -> [__m256; 2] {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements of both rows.
            unsafe {
                let row = |p: *const bf16| {
                    let half = _mm256_cvtepu16_epi32(_mm_loadu_si128(p.cast()));
                    flush(_mm256_castsi256_ps(_mm256_slli_epi32::<16>(half)))
                };
                [row(p), row(p.offset(next))]
            }
        }
    }

    impl Vector for Pairs<__m512> {
        type Elem = f32;
        type Unit = Pair;
        type Units = __m512i;
        const LANES: usize = 16;

        #[inline(always)]
        fn prefetch(p: *const f32) {
            __m512::prefetch(p);
        }

        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: the caller vouches for the instruction set.
            Pairs(unsafe { _mm512_setzero_ps() })
        }

        #[inline(always)]
        unsafe fn load(p: *const f32) -> Self {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
            Pairs(unsafe { _mm512_loadu_ps(p) })
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut f32) {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
            unsafe { _mm512_storeu_ps(p, self.0) }
        }

        #[inline(always)]
        unsafe fn units(p: *const Pair) -> __m512i {
            // SAFETY: the caller vouches for the instruction set and for `LANES` units at `p`.
            unsafe { _mm512_loadu_si512(p.cast()) }
        }

        #[inline(always)]
        unsafe fn splat(x: Pair) -> __m512i {
            // SAFETY: the caller vouches for the instruction set.
            unsafe { _mm512_set1_epi32(x.0.cast_signed()) }
        }

        /// The instruction takes and gives zeros for subnormal numbers by itself.
        #[inline(always)]
        unsafe fn multiply_add(self, a: __m512i, b: __m512i) -> Self {
            // SAFETY: the caller vouches for the instruction set; both types are registers of bits.
            unsafe {
                let [a, b] = [a, b].map(|x| std::mem::transmute::<__m512i, __m512bh>(x));
                Pairs(_mm512_dpbf16_ps(self.0, a, b))
            }
        }

        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: the caller vouches for the instruction set.
            Pairs(unsafe { _mm512_add_ps(self.0, other.0) })
        }
    }

    /// Zeros of the same sign for subnormal numbers.
    #[inline(always)]
    unsafe fn flush(x: __m256) -> __m256 {
        // SAFETY: the caller vouches for AVX2.
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            let kept =
                _mm256_cmp_ps::<_CMP_NLT_UQ>(_mm256_andnot_ps(sign, x), _mm256_set1_ps(f32::MIN_POSITIVE));
            _mm256_and_ps(x, _mm256_or_ps(kept, sign))
        }
    }

    /// [`flushed_multiply_add`] of numbers that are not subnormal.
    #[inline(always)]
    unsafe fn flushed_steps(a: __m256, b: __m256, sum: __m256) -> __m256 {
        // SAFETY: the caller vouches for AVX2 and FMA.
        unsafe {
            let result = _mm256_fmadd_ps(a, b, sum);
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), result);
            let least = _mm256_cmp_ps::<_CMP_EQ_OQ>(size, _mm256_set1_ps(f32::MIN_POSITIVE));
            match _mm256_movemask_ps(least) {
                0 => flush(result),
                _ => one_by_one(a, b, sum),
            }
        }
    }

    /// Results that were rounded to the least normal number need a look each, and are rare.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn one_by_one(a: __m256, b: __m256, sum: __m256) -> __m256 {
        // SAFETY: both types are registers of bits.
        unsafe {
            let [a, b, sum] = [a, b, sum].map(|x| std::mem::transmute::<__m256, [f32; 8]>(x));
            let all: [f32; 8] = std::array::from_fn(|i| flushed_multiply_add(a[i], b[i], sum[i]));
            std::mem::transmute::<[f32; 8], __m256>(all)
        }
    }

    impl Vector for Pairs<__m256> {
        type Elem = f32;
        type Unit = Pair;
        /// The first elements and the second ones.
        type Units = [__m256; 2];
        const LANES: usize = 8;

        #[inline(always)]
        fn prefetch(p: *const f32) {
            __m256::prefetch(p);
        }

        #[inline(always)]
        unsafe fn zero() -> Self {
            // SAFETY: the caller vouches for the instruction set.
            Pairs(unsafe { _mm256_setzero_ps() })
        }

        #[inline(always)]
        unsafe fn load(p: *const f32) -> Self {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
            Pairs(unsafe { _mm256_loadu_ps(p) })
        }

        #[inline(always)]
        unsafe fn store(self, p: *mut f32) {
            // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
            unsafe { _mm256_storeu_ps(p, self.0) }
        }

        /// Subnormal numbers became zeros when the units were packed.
        #[inline(always)]
        unsafe fn units(p: *const Pair) -> [__m256; 2] {
            // SAFETY: the caller vouches for the instruction set and for `LANES` units at `p`.
            unsafe {
                let both = _mm256_loadu_si256(p.cast());
                let second = _mm256_and_si256(both, _mm256_set1_epi32(0xffff_0000_u32.cast_signed()));
                [_mm256_slli_epi32::<16>(both), second].map(|x| _mm256_castsi256_ps(x))
            }
        }

        #[inline(always)]
        unsafe fn splat(x: Pair) -> [__m256; 2] {
            // SAFETY: the caller vouches for the instruction set.
            x.halves().map(|half| unsafe { _mm256_set1_ps(half) })
        }

        #[inline(always)]
        unsafe fn multiply_add(self, a: [__m256; 2], b: [__m256; 2]) -> Self {
            // SAFETY: the caller vouches for the instruction set.
            unsafe { Pairs(flushed_steps(a[0], b[0], flushed_steps(a[1], b[1], self.0))) }
        }

        #[inline(always)]
        unsafe fn add(self, other: Self) -> Self {
            // SAFETY: the caller vouches for the instruction set.
            Pairs(unsafe { _mm256_add_ps(self.0, other.0) })
        }
    }
}
