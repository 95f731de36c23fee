//! The elementwise part of attention on a tile of scores, vectorised for each instruction set.

use super::slopes::{self, Slopes};
use crate::gemm::{Accumulator, Isa};
use crate::math;
use crate::vector::functions::tanh_f32;

/// Keys per block.
pub(super) const BLOCK: usize = 64;

/// Lanes of the sums over keys.
pub(super) const LANES: usize = 16;

/// Functions that attention needs of its accumulator type.
pub trait AttentionFloat:
    Accumulator
    + PartialOrd
    + std::ops::Add<Output = Self>
    + Into<f64>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
{
    /// Minus infinity.
    const NEG_INFINITY: Self;

    /// `x` rounded to the nearest value of this type, ties to even.
    fn from_f64(x: f64) -> Self;

    /// eˣ, within 1 ULP.
    fn exp(self) -> Self;

    /// The natural logarithm, within 1 ULP.
    fn ln(self) -> Self;

    /// The hyperbolic tangent, within 3 ULP.
    fn tanh(self) -> Self;

    /// `self * b + c`, rounded once.
    fn fma(self, b: Self, c: Self) -> Self;

    #[doc(hidden)]
    fn rows(isa: Isa) -> &'static RowKernels<Self>;
}

/// The row kernels of one type on one instruction set.
pub struct RowKernels<A: 'static> {
    /// One block of the online softmax for each row; see [`softmax`].
    pub(super) softmax: unsafe fn(&Softmax<'_, A>),
    /// Scales scores, caps them, and adds the bias; see [`adjust`].
    pub(super) adjust: unsafe fn(*mut A, usize, A, Option<A>, Option<*const A>),
    /// Multiplies weights by the caller's multiplier; see [`times`].
    pub(super) times: unsafe fn(*mut A, *const A, &[u64]),
    /// The scores of one block, and their maxima, in the gradient; see [`slopes::scores`].
    pub(super) scores: unsafe fn(&Slopes<'_, A>),
    /// The exponentials of the scores, and the sums of them; see [`slopes::exponentials`].
    pub(super) exponentials: unsafe fn(&Slopes<'_, A>),
    /// The weights, and the cotangents of scores; see [`slopes::cotangents`].
    pub(super) cotangents: unsafe fn(&Slopes<'_, A>),
    /// Divides each row by its sum of weights; see [`finish`].
    pub(super) finish: unsafe fn(usize, *mut A, *const A, *mut A, usize),
}

/// The arguments of [`softmax`]: scores, maxima, sums and outputs of some rows.
#[derive(Clone, Copy)]
pub(super) struct Softmax<'a, A> {
    /// A block of products of queries and keys for each row.
    pub s: *mut A,
    /// The keys of the block that each row sees: bit j stands for key j.
    pub visible: &'a [u64],
    /// The scores of keys that a row does not see.
    pub hidden: &'a [A; BLOCK],
    /// The factor on products.
    pub scale: A,
    /// The maximum of each row so far.
    pub m: *mut A,
    /// The sum of each row so far.
    pub l: *mut A,
    /// `width` outputs of each row.
    pub acc: *mut A,
    pub width: usize,
}

/// For each row r: scores `s` (in place: probabilities), maximum `m`, sum `l` and output `acc` take in one block.
///
/// m' = max(m, max_j s_j), p_j = exp(s_j - m'), c = exp(m - m'), l = l c + Σ p, acc = acc c; where m' is -∞, 0 is
/// subtracted.
#[inline(always)]
unsafe fn softmax<A: AttentionFloat>(x: &Softmax<'_, A>) {
    // A copy of the arguments, so that the compiler knows that stores below do not change them.
    let (Softmax { scale, width, .. }, hidden) = (*x, *x.hidden);
    for (r, &visible) in x.visible.iter().enumerate() {
        // SAFETY: the caller gives one block of scores, one maximum, one sum and `width` outputs for each row.
        let (s, m, l, acc) = unsafe {
            (
                &mut *x.s.add(r * BLOCK).cast::<[A; BLOCK]>(),
                &mut *x.m.add(r),
                &mut *x.l.add(r),
                std::slice::from_raw_parts_mut(x.acc.add(r * width), width),
            )
        };
        chosen(visible, |j, seen| {
            let (scaled, other) = (s[j] * scale, hidden[j]);
            s[j] = if seen { scaled } else { other };
        });
        let peak = fold(s, |x, y| if y > x { y } else { x });
        let peak = if peak > *m { peak } else { *m };
        let base = if peak == A::NEG_INFINITY { A::default() } else { peak };
        for s in s.iter_mut() {
            *s = (*s - base).exp();
        }
        let sum = fold(s, |x, y| x + y);
        // Where the maximum stays, c is 1.
        if *m == base {
            *l = *l + sum;
            continue;
        }
        let c = (*m - base).exp();
        *l = *l * c + sum;
        *m = peak;
        acc.iter_mut().for_each(|acc| *acc = *acc * c);
    }
}

/// Calls `each` for each j of a block, with whether bit j is set. If `each` loads unconditionally, the loop becomes vector
/// selects, and no selects are needed if all bits are set, as in most blocks.
#[inline(always)]
pub(super) fn chosen(bits: u64, mut each: impl FnMut(usize, bool)) {
    if bits == !0 {
        for j in 0..BLOCK {
            each(j, true);
        }
        return;
    }
    // One loop over the whole block: compilers unroll a shorter loop completely, and then select number by number.
    for j in 0..BLOCK {
        each(j, bits >> j & 1 != 0);
    }
}

/// For each of `count` rows: products `s` become scale s, then cap tanh(s / cap) if there is a cap, then s + `bias`.
#[inline(always)]
unsafe fn adjust<A: AttentionFloat>(
    s: *mut A,
    count: usize,
    scale: A,
    cap: Option<A>,
    bias: Option<*const A>,
) {
    for r in 0..count {
        // SAFETY: the caller gives a block of each for each row.
        let s = unsafe { &mut *s.add(r * BLOCK).cast::<[A; BLOCK]>() };
        s.iter_mut().for_each(|s| *s = *s * scale);
        if let Some(cap) = cap {
            s.iter_mut().for_each(|s| *s = (*s / cap).tanh() * cap);
        }
        if let Some(bias) = bias {
            // SAFETY: as above.
            let bias = unsafe { &*bias.add(r * BLOCK).cast::<[A; BLOCK]>() };
            s.iter_mut().zip(bias).for_each(|(s, &bias)| *s = *s + bias);
        }
    }
}

/// For each row: `s` times `by` where a bit is set, else zero.
#[inline(always)]
unsafe fn times<A: AttentionFloat>(s: *mut A, by: *const A, counted: &[u64]) {
    for (r, &counted) in counted.iter().enumerate() {
        // SAFETY: the caller gives a block of each for each row.
        let (s, by) =
            unsafe { (&mut *s.add(r * BLOCK).cast::<[A; BLOCK]>(), *by.add(r * BLOCK).cast::<[A; BLOCK]>()) };
        chosen(counted, |j, counts| {
            let product = s[j] * by[j];
            s[j] = if counts { product } else { A::default() };
        });
    }
}

/// For each of `count` rows: `acc` becomes acc / l + 0 and `m` becomes m + ln l.
#[inline(always)]
unsafe fn finish<A: AttentionFloat>(count: usize, m: *mut A, l: *const A, acc: *mut A, width: usize) {
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

/// Lane i takes in entries i, i + 16, i + 32, i + 48; then halves are folded until one lane is left.
#[inline(always)]
pub(super) fn fold<A: Copy>(s: &[A; BLOCK], f: impl Fn(A, A) -> A) -> A {
    let mut lanes: [A; LANES] = std::array::from_fn(|i| s[i]);
    for part in 1..BLOCK / LANES {
        for i in 0..LANES {
            lanes[i] = f(lanes[i], s[part * LANES + i]);
        }
    }
    halves(lanes, f)
}

/// Folds halves until one lane is left.
#[inline(always)]
pub(super) fn halves<A: Copy>(mut lanes: [A; LANES], f: impl Fn(A, A) -> A) -> A {
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
            use super::{RowKernels, Slopes, Softmax};

            $(#[$feature])*
            unsafe fn softmax(x: &Softmax<'_, $t>) {
                // SAFETY: the caller's contract.
                unsafe { super::softmax(x) }
            }

            $(#[$feature])*
            unsafe fn adjust(s: *mut $t, count: usize, scale: $t, cap: Option<$t>, bias: Option<*const $t>) {
                // SAFETY: the caller's contract.
                unsafe { super::adjust(s, count, scale, cap, bias) }
            }

            $(#[$feature])*
            unsafe fn times(s: *mut $t, by: *const $t, counted: &[u64]) {
                // SAFETY: the caller's contract.
                unsafe { super::times(s, by, counted) }
            }

            $(#[$feature])*
            unsafe fn scores(x: &Slopes<'_, $t>) {
                // SAFETY: the caller's contract.
                unsafe { super::slopes::scores(x) }
            }

            $(#[$feature])*
            unsafe fn exponentials(x: &Slopes<'_, $t>) {
                // SAFETY: the caller's contract.
                unsafe { super::slopes::exponentials(x) }
            }

            $(#[$feature])*
            unsafe fn cotangents(x: &Slopes<'_, $t>) {
                // SAFETY: the caller's contract.
                unsafe { super::slopes::cotangents(x) }
            }

            $(#[$feature])*
            unsafe fn finish(count: usize, m: *mut $t, l: *const $t, acc: *mut $t, width: usize) {
                // SAFETY: the caller's contract.
                unsafe { super::finish(count, m, l, acc, width) }
            }

            pub(super) static ROWS: RowKernels<$t> = RowKernels { softmax, adjust, times, scores, exponentials, cotangents, finish };
        }
    };
}

macro_rules! real {
    ($t:ident, $exp:ident, $ln:ident, $tanh:path, $portable:ident, $avx2:ident, $avx512:ident) => {
        instantiate!($portable, $t,);
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        instantiate!($avx2, $t, #[target_feature(enable = "avx2,fma")]);
        #[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
        instantiate!($avx512, $t, #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,fma")]);

        impl AttentionFloat for $t {
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
            fn tanh(self) -> $t {
                $tanh(self)
            }

            #[inline(always)]
            fn fma(self, b: $t, c: $t) -> $t {
                self.mul_add(b, c)
            }

            fn rows(isa: Isa) -> &'static RowKernels<$t> {
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

real!(f32, exp_f32, ln_f32, tanh_f32, portable_f32, avx2_f32, avx512_f32);
real!(f64, exp_f64, ln_f64, f64::tanh, portable_f64, avx2_f64, avx512_f64);
