//! The elementwise part of attention on a tile of scores, vectorised for each instruction set.

use jarrah_base::chains;

use crate::gemm::{Accumulator, Isa};
use crate::math;

/// Keys per block.
pub(super) const BLOCK: usize = 64;

/// Lanes of the fixed sum over a block.
const LANES: usize = 16;

/// What attention needs of its accumulator type.
pub trait Real:
    Accumulator
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
{
    /// Minus infinity.
    const NEG_INFINITY: Self;

    /// The nearest value.
    fn from_f64(x: f64) -> Self;

    /// eˣ, within 1 ULP.
    fn exp(self) -> Self;

    /// The natural logarithm, within 1 ULP.
    fn ln(self) -> Self;

    /// `self * b + c`, rounded once.
    fn fma(self, b: Self, c: Self) -> Self;

    #[doc(hidden)]
    fn rows(isa: Isa) -> &'static Rows<Self>;
}

/// The row kernels of one type on one instruction set.
pub struct Rows<A: 'static> {
    /// One block of the online softmax for each row; see [`softmax`].
    pub(super) softmax: unsafe fn(*mut A, &[usize], A, *mut A, *mut A, *mut A, usize),
    /// Probabilities and score gradients of one block; see [`gradient`].
    pub(super) gradient: unsafe fn(*mut A, *mut A, &[usize], A, *const A, *const A),
    /// The end of each row; see [`finish`].
    pub(super) finish: unsafe fn(usize, *mut A, *const A, *mut A, usize),
    /// The inner product of each pair of rows; see [`dots`].
    pub(super) dots: unsafe fn(usize, usize, *const A, *const A, usize, *mut A),
}

/// For each row r: scores `s` (in place: probabilities), maximum `m`, sum `l` and output `acc` take in one block.
///
/// m' = max(m, max_j s_j), p_j = exp(s_j - m'), c = exp(m - m'), l = l c + Σ p, acc = acc c.
#[inline(always)]
unsafe fn softmax<A: Real>(
    s: *mut A,
    visible: &[usize],
    scale: A,
    m: *mut A,
    l: *mut A,
    acc: *mut A,
    width: usize,
) {
    for (r, &visible) in visible.iter().enumerate() {
        // SAFETY: the caller gives one block of scores, one maximum, one sum and `width` outputs for each row.
        let (s, m, l, acc) = unsafe {
            (
                &mut *s.add(r * BLOCK).cast::<[A; BLOCK]>(),
                &mut *m.add(r),
                &mut *l.add(r),
                std::slice::from_raw_parts_mut(acc.add(r * width), width),
            )
        };
        for (j, s) in s.iter_mut().enumerate() {
            let scaled = *s * scale;
            *s = if (j as i32) < visible as i32 { scaled } else { A::NEG_INFINITY };
        }
        let peak = fold(s, |x, y| if y > x { y } else { x });
        let peak = if peak > *m { peak } else { *m };
        for s in s.iter_mut() {
            *s = (*s - peak).exp();
        }
        let sum = fold(s, |x, y| x + y);
        let c = (*m - peak).exp();
        *l = *l * c + sum;
        *m = peak;
        acc.iter_mut().for_each(|acc| *acc = *acc * c);
    }
}

/// For each row: scores `s` become p_j = exp(s_j scale - lse), and `dp` becomes p_j (dp_j - delta); zero where masked.
#[inline(always)]
unsafe fn gradient<A: Real>(
    s: *mut A,
    dp: *mut A,
    visible: &[usize],
    scale: A,
    lse: *const A,
    delta: *const A,
) {
    for (r, &visible) in visible.iter().enumerate() {
        // SAFETY: the caller gives a block of each kind for each row, and `s` and `dp` are apart.
        let (s, dp, lse, delta) = unsafe {
            (
                &mut *s.add(r * BLOCK).cast::<[A; BLOCK]>(),
                &mut *dp.add(r * BLOCK).cast::<[A; BLOCK]>(),
                *lse.add(r),
                *delta.add(r),
            )
        };
        for (j, (s, dp)) in s.iter_mut().zip(dp.iter_mut()).enumerate() {
            let p = (*s * scale - lse).exp();
            let ds = p * (*dp - delta);
            let shown = (j as i32) < visible as i32;
            *s = if shown { p } else { A::default() };
            *dp = if shown { ds } else { A::default() };
        }
    }
}

/// For each of `count` rows: `acc` becomes acc / l + 0 and `m` becomes m + ln l.
#[inline(always)]
unsafe fn finish<A: Real>(count: usize, m: *mut A, l: *const A, acc: *mut A, width: usize) {
    // SAFETY: the caller gives one maximum, one sum and `width` outputs for each row.
    let (m, l, acc) = unsafe {
        (
            std::slice::from_raw_parts_mut(m, count),
            std::slice::from_raw_parts(l, count),
            std::slice::from_raw_parts_mut(acc, count * width),
        )
    };
    m.iter_mut().zip(l).for_each(|(m, &l)| *m = *m + l.ln());
    for (row, &l) in l.iter().enumerate() {
        acc[row * width..][..width].iter_mut().for_each(|acc| *acc = *acc / l + A::default());
    }
}

/// `out[r]` = the sum over d of a\[r, d\] b\[r, d\] in the order of matrix products, for rows of `width` of which `dim`
/// count.
#[inline(always)]
unsafe fn dots<A: Real>(count: usize, dim: usize, a: *const A, b: *const A, width: usize, out: *mut A) {
    /// Rows in flight: one alone waits for each of its own steps.
    const ROWS: usize = 8;
    for first in (0..count).step_by(ROWS) {
        let rows = (count - first).min(ROWS);
        let mut sums = [A::default(); ROWS];
        // SAFETY: the caller gives `count` rows; the surplus ones repeat the last.
        unsafe {
            let at: [usize; ROWS] = std::array::from_fn(|i| (first + i.min(rows - 1)) * width);
            for block in chains(dim) {
                let begun = block.start > 0;
                let mut chain = [A::default(); ROWS];
                for d in block {
                    for (chain, at) in chain.iter_mut().zip(at) {
                        *chain = (*a.add(at + d)).fma(*b.add(at + d), *chain);
                    }
                }
                for (sum, chain) in sums.iter_mut().zip(chain) {
                    *sum = if begun { *sum + chain } else { chain };
                }
            }
            for (i, &sum) in sums.iter().enumerate().take(rows) {
                *out.add(first + i) = sum;
            }
        }
    }
}

/// Lane i takes in entries i, i + 16, i + 32, i + 48; then halves are folded until one lane is left.
#[inline(always)]
fn fold<A: Copy>(s: &[A; BLOCK], f: impl Fn(A, A) -> A) -> A {
    let mut lanes: [A; LANES] = std::array::from_fn(|i| s[i]);
    for part in 1..BLOCK / LANES {
        for i in 0..LANES {
            lanes[i] = f(lanes[i], s[part * LANES + i]);
        }
    }
    let mut half = LANES / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = f(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

macro_rules! instantiate {
    ($name:ident, $t:ty, $(#[$feature:meta])*) => {
        mod $name {
            use super::Rows;

            $(#[$feature])*
            unsafe fn softmax(s: *mut $t, visible: &[usize], scale: $t, m: *mut $t, l: *mut $t, acc: *mut $t, width: usize) {
                // SAFETY: the caller's contract.
                unsafe { super::softmax(s, visible, scale, m, l, acc, width) }
            }

            $(#[$feature])*
            unsafe fn gradient(s: *mut $t, dp: *mut $t, visible: &[usize], scale: $t, lse: *const $t, delta: *const $t) {
                // SAFETY: the caller's contract.
                unsafe { super::gradient(s, dp, visible, scale, lse, delta) }
            }

            $(#[$feature])*
            unsafe fn finish(count: usize, m: *mut $t, l: *const $t, acc: *mut $t, width: usize) {
                // SAFETY: the caller's contract.
                unsafe { super::finish(count, m, l, acc, width) }
            }

            $(#[$feature])*
            unsafe fn dots(count: usize, dim: usize, a: *const $t, b: *const $t, width: usize, out: *mut $t) {
                // SAFETY: the caller's contract.
                unsafe { super::dots(count, dim, a, b, width, out) }
            }

            pub(super) static ROWS: Rows<$t> = Rows { softmax, gradient, finish, dots };
        }
    };
}

macro_rules! real {
    ($t:ident, $exp:ident, $ln:ident, $portable:ident, $avx2:ident, $avx512:ident) => {
        instantiate!($portable, $t,);
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        instantiate!($avx2, $t, #[target_feature(enable = "avx2,fma")]);
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        instantiate!($avx512, $t, #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]);

        impl Real for $t {
            const NEG_INFINITY: $t = $t::NEG_INFINITY;

            #[inline(always)]
            fn from_f64(x: f64) -> $t {
                x as $t
            }

            #[inline(always)]
            fn exp(self) -> $t {
                math::$exp(self)
            }

            #[inline(always)]
            fn ln(self) -> $t {
                math::$ln(self)
            }

            #[inline(always)]
            fn fma(self, b: $t, c: $t) -> $t {
                self.mul_add(b, c)
            }

            fn rows(isa: Isa) -> &'static Rows<$t> {
                match isa {
                    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                    Isa::Avx512 => &$avx512::ROWS,
                    #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
                    Isa::Avx2 => &$avx2::ROWS,
                    _ => &$portable::ROWS,
                }
            }
        }
    };
}

real!(f32, exp_f32, ln_f32, portable_f32, avx2_f32, avx512_f32);
real!(f64, exp_f64, ln_f64, portable_f64, avx2_f64, avx512_f64);
