//! The elementwise part of the gradient on a tile of pairs.

use super::AttentionFloat;
use super::rows::{BLOCK, LANES, chosen};

/// The arguments of the gradient's row kernels: some rows of a block of pairs. Each kernel overwrites them for the next one.
#[derive(Clone, Copy)]
pub(super) struct Slopes<'a, A> {
    /// Products of queries and keys; then scores, their exponentials, and weights of values.
    pub s: *mut A,
    /// Products of cotangents of o and values; then these by the multiplier, and cotangents of products of queries and keys.
    pub dp: *mut A,
    /// The cap of the scores, and for each pair the derivative of the capped score.
    pub cap: Option<(A, *mut A)>,
    /// The keys of the block that each row sees: bit j stands for key j.
    pub visible: &'a [u64],
    /// The keys that have a weight, even if they are hidden.
    pub counted: &'a [u64],
    pub scale: A,
    /// The bias that is added to the scores.
    pub bias: Option<*const A>,
    /// The factor on weights.
    pub multiplier: Option<*const A>,
    /// Receives the cotangents of the scores, if they are asked for.
    pub cts: Option<*mut A>,
    pub of: Statistics<A>,
}

/// Statistics of each query.
#[derive(Clone, Copy)]
pub(super) struct Statistics<A> {
    /// The score of hidden keys that have a weight, else minus infinity.
    pub hidden: *mut A,
    /// The maximum of the scores, or 0 if that is minus infinity.
    pub shift: *mut A,
    /// The reciprocal of the sum of exp(score - shift), or 0 if the sum is 0.
    pub norm: *mut A,
    /// The mean of dp, less dlse.
    pub delta: *mut A,
    /// [`LANES`] maxima of scores, sums of exponentials, and of their products with dp.
    pub peaks: *mut A,
    pub totals: *mut A,
    pub products: *mut A,
}

impl<A: Copy> Statistics<A> {
    /// The statistics of the queries from the `i`-th on.
    pub fn from(self, i: usize) -> Statistics<A> {
        Statistics {
            hidden: self.hidden.wrapping_add(i),
            shift: self.shift.wrapping_add(i),
            norm: self.norm.wrapping_add(i),
            delta: self.delta.wrapping_add(i),
            peaks: self.peaks.wrapping_add(i * LANES),
            totals: self.totals.wrapping_add(i * LANES),
            products: self.products.wrapping_add(i * LANES),
        }
    }
}

/// The lanes of row r.
///
/// # Safety
/// There are that many rows, and nothing else refers to this one.
#[inline(always)]
pub(super) unsafe fn lanes<'a, A>(of: *mut A, r: usize) -> &'a mut [A; LANES] {
    // SAFETY: the caller's contract.
    unsafe { &mut *of.add(r * LANES).cast() }
}

/// Row r of a tile.
///
/// # Safety
/// As of [`lanes`].
#[inline(always)]
unsafe fn row<'a, A>(of: *mut A, r: usize) -> &'a mut [A; BLOCK] {
    // SAFETY: the caller's contract.
    unsafe { &mut *of.add(r * BLOCK).cast() }
}

/// Row r of a tile that is only read.
///
/// # Safety
/// There are that many rows, and nothing writes to this one.
#[inline(always)]
unsafe fn given<'a, A>(of: *const A, r: usize) -> &'a [A; BLOCK] {
    // SAFETY: the caller's contract.
    unsafe { &*of.add(r * BLOCK).cast() }
}

/// For each row: `s` becomes the score cap tanh(s scale / cap) + bias, of hidden keys `hidden`, and minus infinity where a key does not count; lane i of
/// `peaks` takes in keys i, i + 16, i + 32, i + 48.
#[inline(always)]
pub(super) unsafe fn scores<A: AttentionFloat>(x: &Slopes<'_, A>) {
    let one = A::from_f64(1.0);
    for (r, (&visible, &counted)) in x.visible.iter().zip(x.counted).enumerate() {
        // SAFETY: the caller gives a block of each kind, and the numbers of each query, for each row, all of them apart.
        unsafe {
            let (s, hidden) = (row(x.s, r), *x.of.hidden.add(r));
            s.iter_mut().for_each(|s| *s = *s * x.scale);
            if let Some((cap, slope)) = x.cap {
                for (s, slope) in s.iter_mut().zip(row(slope, r)) {
                    let share = (*s / cap).tanh();
                    *s = share * cap;
                    *slope = one - share * share;
                }
            }
            if let Some(bias) = x.bias {
                s.iter_mut().zip(given(bias, r)).for_each(|(s, &bias)| *s = *s + bias);
            }
            chosen(visible, |j, seen| {
                let score = s[j];
                s[j] = if seen { score } else { hidden };
            });
            if hidden > A::NEG_INFINITY {
                chosen(counted, |j, counts| {
                    let score = s[j];
                    s[j] = if counts { score } else { A::NEG_INFINITY };
                });
            }
            let mut peaks = *lanes(x.of.peaks, r);
            for part in s.chunks_exact(LANES) {
                for (peak, &score) in peaks.iter_mut().zip(part) {
                    *peak = if score > *peak { score } else { *peak };
                }
            }
            *lanes(x.of.peaks, r) = peaks;
        }
    }
}

/// For each row: `s` becomes e = exp(s - shift), `dp` becomes dp multiplier, 0 where a key does not count, and the lanes of `totals` and
/// `products` take in e and e dp.
#[inline(always)]
pub(super) unsafe fn exponentials<A: AttentionFloat>(x: &Slopes<'_, A>) {
    for (r, &counted) in x.counted.iter().enumerate() {
        // SAFETY: as above.
        unsafe {
            let (s, dp, shift) = (row(x.s, r), row(x.dp, r), *x.of.shift.add(r));
            if let Some(multiplier) = x.multiplier {
                dp.iter_mut().zip(given(multiplier, r)).for_each(|(dp, &by)| *dp = *dp * by);
            }
            if counted != !0 {
                chosen(counted, |j, counts| {
                    let change = dp[j];
                    dp[j] = if counts { change } else { A::default() };
                });
            }
            s.iter_mut().for_each(|s| *s = (*s - shift).exp());
            let (mut totals, mut products) = (*lanes(x.of.totals, r), *lanes(x.of.products, r));
            for (s, dp) in s.chunks_exact(LANES).zip(dp.chunks_exact(LANES)) {
                for i in 0..LANES {
                    totals[i] = totals[i] + s[i];
                    products[i] = s[i].fma(dp[i], products[i]);
                }
            }
            (*lanes(x.of.totals, r), *lanes(x.of.products, r)) = (totals, products);
        }
    }
}

/// For each row, with p = e norm: `cts` and `dp` become p (dp - delta), 0 where hidden, and `dp` is multiplied by the slope of the cap;
/// `s` becomes p multiplier, 0 where a key does not count.
#[inline(always)]
pub(super) unsafe fn cotangents<A: AttentionFloat>(x: &Slopes<'_, A>) {
    for (r, (&visible, &counted)) in x.visible.iter().zip(x.counted).enumerate() {
        // SAFETY: as above.
        unsafe {
            let (s, dp) = (row(x.s, r), row(x.dp, r));
            let (norm, delta) = (*x.of.norm.add(r), *x.of.delta.add(r));
            chosen(visible, |j, seen| {
                let p = s[j] * norm;
                let ct = p * (dp[j] - delta);
                s[j] = p;
                dp[j] = if seen { ct } else { A::default() };
            });
            if let Some(cts) = x.cts {
                *row(cts, r) = *dp;
            }
            if let Some(multiplier) = x.multiplier {
                s.iter_mut().zip(given(multiplier, r)).for_each(|(s, &by)| *s = *s * by);
            }
            if counted != !0 {
                chosen(counted, |j, counts| {
                    let weight = s[j];
                    s[j] = if counts { weight } else { A::default() };
                });
            }
            if let Some((_, slope)) = x.cap {
                let slope = row(slope, r);
                // Lanes beyond the products hold arbitrary numbers, and so do their slopes.
                chosen(visible, |j, seen| {
                    let change = dp[j] * slope[j];
                    dp[j] = if seen { change } else { A::default() };
                });
            }
        }
    }
}
