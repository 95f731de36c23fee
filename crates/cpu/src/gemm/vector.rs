//! The few vector operations the microkernels need, for each instruction set.

/// A vector register of `LANES` elements.
///
/// The methods are inlined into `#[target_feature]` functions, never called outside them.
pub(super) trait Vector: Copy {
    type Elem: Copy;
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
    /// The instruction set must be present.
    unsafe fn splat(x: Self::Elem) -> Self;

    /// `a * b + self`, rounded once.
    ///
    /// # Safety
    /// The instruction set must be present.
    unsafe fn fma(self, a: Self, b: Self) -> Self;

    /// # Safety
    /// The instruction set must be present.
    unsafe fn add(self, other: Self) -> Self;
}

macro_rules! portable {
    ($t:ty, $lanes:literal) => {
        impl Vector for [$t; $lanes] {
            type Elem = $t;
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
            unsafe fn splat(x: $t) -> Self {
                [x; $lanes]
            }

            #[inline(always)]
            unsafe fn fma(self, a: Self, b: Self) -> Self {
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

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod x86 {
    use super::Vector;
    use std::arch::x86_64::*;

    macro_rules! registers {
        ($v:ty, $t:ty, $lanes:literal, $zero:ident, $load:ident, $store:ident, $splat:ident, $fma:ident, $add:ident) => {
            impl Vector for $v {
                type Elem = $t;
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
                unsafe fn splat(x: $t) -> Self {
                    // SAFETY: the caller vouches for the instruction set.
                    unsafe { $splat(x) }
                }

                #[inline(always)]
                unsafe fn fma(self, a: Self, b: Self) -> Self {
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
}
