//! The few vector operations the microkernels need, for each instruction set.

use jarrah_base::{bf16, c64, c128, f16};

use super::element::{Accumulator, Factor, Pack, Unit, Word};

/// A vector register of `LANES` elements.
///
/// The methods of these traits are inlined into `#[target_feature]` functions, never called outside them.
pub(super) trait Register<E>: Copy {
    const LANES: usize;

    /// # Safety
    /// The instruction set must be present.
    unsafe fn zero() -> Self;

    /// # Safety
    /// The instruction set must be present and `LANES` elements readable at `p`.
    unsafe fn load(p: *const E) -> Self;

    /// # Safety
    /// The instruction set must be present and `LANES` elements writable at `p`.
    unsafe fn store(self, p: *mut E);

    /// Prefetches the elements at `p`, which are needed later.
    fn prefetch(p: *const E);

    /// # Safety
    /// The instruction set must be present.
    unsafe fn add(self, other: Self) -> Self;
}

/// A register of sums, to which products of units of type `U` are added.
pub(super) trait Vector<U: Unit>: Register<U::Acc> {
    /// A register of units.
    type Units: Copy;

    /// Writes the heads of a packed panel's rows, the initial values of their sums; none if sums begin at zero.
    const HEADS: Option<Heads<U>>;

    /// # Safety
    /// The instruction set must be present and `LANES` units readable at `p`.
    unsafe fn units(p: *const U) -> Self::Units;

    /// # Safety
    /// The instruction set must be present.
    unsafe fn splat(x: U) -> Self::Units;

    /// `self` plus the products of the elements of `a`, which is a splat, and `b`, one after another.
    ///
    /// # Safety
    /// The instruction set must be present.
    unsafe fn multiply_add(self, a: Self::Units, b: Self::Units) -> Self;

    /// The initial sums of a row with this head.
    ///
    /// # Safety
    /// The instruction set must be present.
    unsafe fn begin(head: U) -> Self;
}

/// `heads(panel, units, rows)`: the panel begins with a head of each row, followed by `units` units of each.
pub(super) type Heads<U> = unsafe fn(*mut U, usize, usize);

/// Registers whose units are made of rows of elements `T` as they lie.
pub(super) trait Rows<T: Factor>: Vector<T::Unit> {
    /// Loads units from as many rows as a unit has elements, `next` elements apart.
    ///
    /// # Safety
    /// The instruction set must be present and `LANES` elements of each row readable from `p` on.
    unsafe fn of_rows(p: *const T, next: isize) -> Self::Units;
}

macro_rules! portable {
    ($($t:ty, $lanes:literal;)*) => {$(
        impl Register<$t> for [$t; $lanes] {
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn zero() -> Self {
                [<$t>::default(); $lanes]
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
            fn prefetch(_: *const $t) {}

            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                std::array::from_fn(|i| self[i].plus(other[i]))
            }
        }
    )*};
}

portable! {
    c64, 2;
    c128, 1;
    f32, 4;
    f64, 2;
    i32, 4;
    i64, 2;
}

/// Portable registers of sums of the products of units, and of the elements of which rows are read.
macro_rules! portable_units {
    ($($acc:ty, $lanes:literal, $unit:ty: $($elem:ty)*;)*) => {$(
        impl Vector<$unit> for [$acc; $lanes] {
            type Units = [$unit; $lanes];
            const HEADS: Option<Heads<$unit>> = None;

            #[inline(always)]
            unsafe fn units(p: *const $unit) -> [$unit; $lanes] {
                // SAFETY: the caller vouches for `LANES` units at `p`.
                unsafe { p.cast::<[$unit; $lanes]>().read_unaligned() }
            }

            #[inline(always)]
            unsafe fn splat(x: $unit) -> [$unit; $lanes] {
                [x; $lanes]
            }

            #[inline(always)]
            unsafe fn multiply_add(self, a: [$unit; $lanes], b: [$unit; $lanes]) -> Self {
                std::array::from_fn(|i| a[i].multiply_add(b[i], self[i]))
            }

            #[inline(always)]
            unsafe fn begin(_: $unit) -> Self {
                [<$acc>::default(); $lanes]
            }
        }

        $(impl Rows<$elem> for [$acc; $lanes] {
            #[inline(always)]
            unsafe fn of_rows(p: *const $elem, next: isize) -> [$unit; $lanes] {
                let height = <$unit>::TOGETHER;
                // SAFETY: the caller vouches for `LANES` elements of each row.
                std::array::from_fn(|i| unsafe {
                    <$elem>::pack(height, |row| *p.offset(row as isize * next).add(i))
                })
            }
        })*
    )*};
}

portable_units! {
    c64, 2, c64: c64;
    c128, 1, c128: c128;
    f32, 4, f32: f32 f16;
    f64, 2, f64: f64;
    f32, 4, Word<bf16>: bf16;
    i32, 4, Word<i8>: i8;
    i32, 4, Word<i16>: i16;
    i32, 4, i32: i32;
    i64, 2, i64: i64;
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
pub(super) mod x86 {
    use super::*;
    use jarrah_base::{bf16, c64, c128};
    use std::arch::x86_64::*;

    macro_rules! registers {
        ($($v:ty, $t:ty, $lanes:literal, $zero:ident, $load:ident, $store:ident, $add:ident;)*) => {$(
            impl Register<$t> for $v {
                const LANES: usize = $lanes;

                #[inline(always)]
                unsafe fn zero() -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $zero() }
                }

                #[inline(always)]
                unsafe fn load(p: *const $t) -> Self {
                    // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
                    unsafe { $load(p.cast()) }
                }

                #[inline(always)]
                unsafe fn store(self, p: *mut $t) {
                    // SAFETY: the caller vouches for the instruction set and for `LANES` elements at `p`.
                    unsafe { $store(p.cast(), self) }
                }

                #[inline(always)]
                fn prefetch(p: *const $t) {
                    // SAFETY: it reads nothing, and every x86-64 processor has it.
                    unsafe { _mm_prefetch::<_MM_HINT_T0>(p.cast()) }
                }

                #[inline(always)]
                unsafe fn add(self, other: Self) -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $add(self, other) }
                }
            }
        )*};
    }

    registers! {
        __m512, c64, 8, _mm512_setzero_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps;
        __m512d, c128, 4, _mm512_setzero_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd;
        __m256, c64, 4, _mm256_setzero_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps;
        __m256d, c128, 2, _mm256_setzero_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd;
        __m512, f32, 16, _mm512_setzero_ps, _mm512_loadu_ps, _mm512_storeu_ps, _mm512_add_ps;
        __m512d, f64, 8, _mm512_setzero_pd, _mm512_loadu_pd, _mm512_storeu_pd, _mm512_add_pd;
        __m512i, i32, 16, _mm512_setzero_si512, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_add_epi32;
        __m512i, i64, 8, _mm512_setzero_si512, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_add_epi64;
        __m256, f32, 8, _mm256_setzero_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_add_ps;
        __m256d, f64, 4, _mm256_setzero_pd, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_add_pd;
        __m256i, i32, 8, _mm256_setzero_si256, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_add_epi32;
        __m256i, i64, 4, _mm256_setzero_si256, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_add_epi64;
    }

    // An intrinsic in a closure that a function of the standard library calls (`map`, `from_fn`) may be a call: the closure has no instruction set.
    /// Implements [`Vector`] for registers `$v` of sums of type `$acc` and units of type `$unit`, which a register of type
    /// `$units` holds: how units are loaded, how one unit is broadcast, and how products are added.
    macro_rules! units {
        ($($v:ty, $acc:ty, $unit:ty, $units:ty:
            |$p:ident| $load:expr, |$x:ident| $splat:expr, |$sum:ident, $a:ident, $b:ident| $multiply_add:expr;)*) => {$(
            impl Vector<$unit> for $v {
                type Units = $units;
                const HEADS: Option<Heads<$unit>> = None;

                #[inline(always)]
                unsafe fn units($p: *const $unit) -> $units {
                    // SAFETY: the caller vouches for the instruction set and for `LANES` units at `p`.
                    unsafe { $load }
                }

                #[inline(always)]
                unsafe fn splat($x: $unit) -> $units {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $splat }
                }

                #[inline(always)]
                unsafe fn multiply_add(self, $a: $units, $b: $units) -> Self {
                    let $sum = self;
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $multiply_add }
                }

                #[inline(always)]
                unsafe fn begin(_: $unit) -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { <Self as Register<$acc>>::zero() }
                }
            }
        )*};
    }

    units! {
        // The parts of a number on the left, those of numbers `u + vi` on the right, and `-v + ui`.
        __m512, c64, c64, [__m512; 2]:
            |p| {
                let b = _mm512_loadu_ps(p.cast());
                let (turned, sign) = (_mm512_castps_si512(_mm512_permute_ps::<0xb1>(b)), _mm512_set1_epi64(1 << 31));
                [b, _mm512_castsi512_ps(_mm512_xor_si512(turned, sign))]
            },
            |x| [_mm512_set1_ps(x.re), _mm512_set1_ps(x.im)],
            |sum, a, b| _mm512_fmadd_ps(a[1], b[1], _mm512_fmadd_ps(a[0], b[0], sum));
        __m512d, c128, c128, [__m512d; 2]:
            |p| {
                let b = _mm512_loadu_pd(p.cast());
                let turned = _mm512_castpd_si512(_mm512_permute_pd::<0x55>(b));
                let sign = _mm512_set4_epi64(0, i64::MIN, 0, i64::MIN);
                [b, _mm512_castsi512_pd(_mm512_xor_si512(turned, sign))]
            },
            |x| [_mm512_set1_pd(x.re), _mm512_set1_pd(x.im)],
            |sum, a, b| _mm512_fmadd_pd(a[1], b[1], _mm512_fmadd_pd(a[0], b[0], sum));
        __m256, c64, c64, [__m256; 2]:
            |p| {
                let b = _mm256_loadu_ps(p.cast());
                let sign = _mm256_castsi256_ps(_mm256_set1_epi64x(1 << 31));
                [b, _mm256_xor_ps(_mm256_permute_ps::<0xb1>(b), sign)]
            },
            |x| [_mm256_set1_ps(x.re), _mm256_set1_ps(x.im)],
            |sum, a, b| _mm256_fmadd_ps(a[1], b[1], _mm256_fmadd_ps(a[0], b[0], sum));
        __m256d, c128, c128, [__m256d; 2]:
            |p| {
                let b = _mm256_loadu_pd(p.cast());
                let sign = _mm256_set_pd(0.0, -0.0, 0.0, -0.0);
                [b, _mm256_xor_pd(_mm256_permute_pd::<0x5>(b), sign)]
            },
            |x| [_mm256_set1_pd(x.re), _mm256_set1_pd(x.im)],
            |sum, a, b| _mm256_fmadd_pd(a[1], b[1], _mm256_fmadd_pd(a[0], b[0], sum));
        __m512, f32, f32, __m512:
            |p| _mm512_loadu_ps(p), |x| _mm512_set1_ps(x), |sum, a, b| _mm512_fmadd_ps(a, b, sum);
        __m512d, f64, f64, __m512d:
            |p| _mm512_loadu_pd(p), |x| _mm512_set1_pd(x), |sum, a, b| _mm512_fmadd_pd(a, b, sum);
        __m256, f32, f32, __m256:
            |p| _mm256_loadu_ps(p), |x| _mm256_set1_ps(x), |sum, a, b| _mm256_fmadd_ps(a, b, sum);
        __m256d, f64, f64, __m256d:
            |p| _mm256_loadu_pd(p), |x| _mm256_set1_pd(x), |sum, a, b| _mm256_fmadd_pd(a, b, sum);
        // The instruction itself treats subnormal operands and results as zeros.
        __m512, f32, Word<bf16>, __m512i:
            |p| _mm512_loadu_si512(p.cast()), |x| _mm512_set1_epi32(x.bits.cast_signed()),
            |sum, a, b| {
                let words = |x| std::mem::transmute::<__m512i, __m512bh>(x);
                _mm512_dpbf16_ps(sum, words(a), words(b))
            };
        __m512i, i32, Word<i16>, __m512i:
            |p| _mm512_loadu_si512(p.cast()), |x| _mm512_set1_epi32(x.bits.cast_signed()),
            |sum, a, b| _mm512_dpwssd_epi32(sum, a, b);
        __m256i, i32, Word<i16>, __m256i:
            |p| _mm256_loadu_si256(p.cast()), |x| _mm256_set1_epi32(x.bits.cast_signed()),
            |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b));
        // The even elements and the odd ones, as `i16`.
        __m256i, i32, Word<i8>, [__m256i; 2]:
            |p| halves(_mm256_loadu_si256(p.cast())), |x| halves(_mm256_set1_epi32(x.bits.cast_signed())),
            |sum, a, b| {
                let sum = _mm256_add_epi32(sum, _mm256_madd_epi16(a[0], b[0]));
                _mm256_add_epi32(sum, _mm256_madd_epi16(a[1], b[1]))
            };
        __m512i, i32, i32, __m512i:
            |p| _mm512_loadu_si512(p.cast()), |x| _mm512_set1_epi32(x),
            |sum, a, b| _mm512_add_epi32(sum, _mm512_mullo_epi32(a, b));
        __m256i, i32, i32, __m256i:
            |p| _mm256_loadu_si256(p.cast()), |x| _mm256_set1_epi32(x),
            |sum, a, b| _mm256_add_epi32(sum, _mm256_mullo_epi32(a, b));
        __m512i, i64, i64, __m512i:
            |p| _mm512_loadu_si512(p.cast()), |x| _mm512_set1_epi64(x),
            |sum, a, b| _mm512_add_epi64(sum, _mm512_mullo_epi64(a, b));
        __m256i, i64, i64, __m256i:
            |p| _mm256_loadu_si256(p.cast()), |x| _mm256_set1_epi64x(x),
            |sum, a, b| {
                let crossed = _mm256_mullo_epi32(a, _mm256_shuffle_epi32::<0xb1>(b));
                let high = _mm256_add_epi64(_mm256_slli_epi64::<32>(crossed), _mm256_and_si256(crossed, _mm256_set1_epi64x(!0 << 32)));
                _mm256_add_epi64(sum, _mm256_add_epi64(_mm256_mul_epu32(a, b), high))
            };
    }

    /// The instruction multiplies signed bytes by unsigned ones: bytes of the right operand are read as 128 more than they are,
    /// and the sums of a row begin with minus the excess.
    impl Vector<Word<i8>> for __m512i {
        type Units = __m512i;
        const HEADS: Option<Heads<Word<i8>>> = Some(heads);

        #[inline(always)]
        unsafe fn units(p: *const Word<i8>) -> __m512i {
            // SAFETY: the caller vouches for the instruction set and for `LANES` units at `p`.
            unsafe { raised(_mm512_loadu_si512(p.cast())) }
        }

        #[inline(always)]
        unsafe fn splat(x: Word<i8>) -> __m512i {
            // SAFETY: the caller vouches for the instruction set.
            unsafe { _mm512_set1_epi32(x.bits.cast_signed()) }
        }

        #[inline(always)]
        unsafe fn multiply_add(self, a: __m512i, b: __m512i) -> Self {
            // SAFETY: the caller vouches for the instruction set.
            unsafe { _mm512_dpbusd_epi32(self, b, a) }
        }

        #[inline(always)]
        unsafe fn begin(head: Word<i8>) -> Self {
            // SAFETY: the caller vouches for the instruction set.
            unsafe { _mm512_set1_epi32(head.bits.cast_signed()) }
        }
    }

    /// Signed bytes plus 128, as unsigned bytes.
    #[inline(always)]
    unsafe fn raised(x: __m512i) -> __m512i {
        // SAFETY: the caller vouches for the instruction set.
        unsafe { _mm512_xor_si512(x, _mm512_set1_epi8(i8::MIN)) }
    }

    /// Writes the heads of a panel: -128 times the sum of each row.
    ///
    /// # Safety
    /// The instruction set is present; the panel has heads, and `units` units of each of `rows` rows.
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn heads(panel: *mut Word<i8>, units: usize, rows: usize) {
        /// The number of independent sums in flight.
        const APART: usize = 4;
        for first in (0..rows).step_by(16) {
            let mask = if rows - first >= 16 { u16::MAX } else { (1 << (rows - first)) - 1 };
            let mut sums = [_mm512_setzero_si512(); APART];
            // SAFETY: masks keep every access within the rows, and `unit` stays below `units`.
            unsafe {
                for unit in 0..units {
                    let line = panel.add((1 + unit) * rows + first);
                    let line = _mm512_maskz_loadu_epi32(mask, line.cast());
                    let sum = &mut sums[unit % APART];
                    *sum = _mm512_dpbusd_epi32(*sum, _mm512_set1_epi8(i8::MIN), line);
                }
                let sum = sums.into_iter().fold(_mm512_setzero_si512(), |a, b| _mm512_sub_epi32(a, b));
                _mm512_mask_storeu_epi32(panel.add(first).cast(), mask, sum);
            }
        }
    }

    /// The even and the odd bytes, sign-extended to 16 bits.
    #[inline(always)]
    unsafe fn halves(x: __m256i) -> [__m256i; 2] {
        // SAFETY: the caller vouches for AVX2.
        unsafe { [_mm256_srai_epi16::<8>(_mm256_slli_epi16::<8>(x)), _mm256_srai_epi16::<8>(x)] }
    }

    /// Implements [`Rows`]: how rows of elements are read as the units of register `$v`.
    macro_rules! rows {
        ($($v:ty, $t:ty, $units:ty: |$p:ident, $next:ident| $units_of:expr;)*) => {$(
            impl Rows<$t> for $v {
                #[inline(always)]
                unsafe fn of_rows($p: *const $t, $next: isize) -> $units {
                    // SAFETY: the caller vouches for the instruction set and for `LANES` elements of each row.
                    unsafe { $units_of }
                }
            }
        )*};
    }

    rows! {
        __m512, c64, [__m512; 2]: |p, _next| <__m512 as Vector<c64>>::units(p);
        __m512d, c128, [__m512d; 2]: |p, _next| <__m512d as Vector<c128>>::units(p);
        __m256, c64, [__m256; 2]: |p, _next| <__m256 as Vector<c64>>::units(p);
        __m256d, c128, [__m256d; 2]: |p, _next| <__m256d as Vector<c128>>::units(p);
        __m512, f32, __m512: |p, _next| _mm512_loadu_ps(p);
        __m512d, f64, __m512d: |p, _next| _mm512_loadu_pd(p);
        __m256, f32, __m256: |p, _next| _mm256_loadu_ps(p);
        __m256d, f64, __m256d: |p, _next| _mm256_loadu_pd(p);
        __m512i, i32, __m512i: |p, _next| _mm512_loadu_si512(p.cast());
        __m512i, i64, __m512i: |p, _next| _mm512_loadu_si512(p.cast());
        __m256i, i32, __m256i: |p, _next| _mm256_loadu_si256(p.cast());
        __m256i, i64, __m256i: |p, _next| _mm256_loadu_si256(p.cast());
        __m512, f16, __m512: |p, _next| _mm512_cvtph_ps(_mm256_loadu_si256(p.cast()));
        __m256, f16, __m256: |p, _next| _mm256_cvtph_ps(_mm_loadu_si128(p.cast()));
        __m512, bf16, __m512i: |p, next| two_rows(_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.offset(next).cast()));
        __m512i, i16, __m512i: |p, next| two_rows(_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.offset(next).cast()));
        __m256i, i16, __m256i: |p, next| {
            let row = |p: *const i16| _mm256_cvtepu16_epi32(_mm_loadu_si128(p.cast()));
            _mm256_or_si256(row(p), _mm256_slli_epi32::<16>(row(p.offset(next))))
        };
        __m512i, i8, __m512i: |p, next| {
            let [a, b, c, d] = [p, p.offset(next), p.offset(2 * next), p.offset(3 * next)];
            raised(four_rows([
                _mm_loadu_si128(a.cast()),
                _mm_loadu_si128(b.cast()),
                _mm_loadu_si128(c.cast()),
                _mm_loadu_si128(d.cast()),
            ]))
        };
        __m256i, i8, [__m256i; 2]: |p, next| {
            let row = |row: isize| _mm256_cvtepu8_epi32(_mm_loadl_epi64(p.offset(row * next).cast()));
            let low = _mm256_or_si256(row(0), _mm256_slli_epi32::<8>(row(1)));
            let high = _mm256_or_si256(row(2), _mm256_slli_epi32::<8>(row(3)));
            halves(_mm256_or_si256(low, _mm256_slli_epi32::<16>(high)))
        };
    }

    /// Two rows of sixteen elements of two bytes as units.
    ///
    /// # Safety
    /// AVX-512 is present.
    #[inline(always)]
    pub(in crate::gemm) unsafe fn two_rows(first: __m256i, second: __m256i) -> __m512i {
        // SAFETY: the caller's contract.
        unsafe {
            let second = _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(second));
            _mm512_or_si512(_mm512_cvtepu16_epi32(first), second)
        }
    }

    /// Four rows of sixteen bytes as units.
    ///
    /// # Safety
    /// AVX-512 is present.
    #[inline(always)]
    pub(in crate::gemm) unsafe fn four_rows(rows: [__m128i; 4]) -> __m512i {
        // SAFETY: the caller's contract.
        unsafe {
            let two = |a, b| [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
            let (low, high) = (two(rows[0], rows[1]), two(rows[2], rows[3]));
            let quarters = |i: usize| {
                let half = _mm256_castsi128_si256(_mm_unpacklo_epi16(low[i], high[i]));
                _mm256_inserti128_si256::<1>(half, _mm_unpackhi_epi16(low[i], high[i]))
            };
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(quarters(0)), quarters(1))
        }
    }
}
