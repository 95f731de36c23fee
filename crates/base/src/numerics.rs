//! Numbers that results' bits depend on; `NUMERICS.md` says how.

use std::ops::Range;

/// The version of the rules that results' bits follow: raised with every change that alters bits.
///
/// Runs store it, so that a resumed one can say that its bits differ from here on, and caches of compiled programs have
/// it in their keys.
pub const NUMERICS_VERSION: u32 = 9;

/// The most products that one chain of fused multiply-adds sums: a contraction is cut into blocks of so many.
pub const CHAIN: usize = 128;

/// The blocks of a contraction over `extent` products, in the order in which their sums are added.
///
/// ```
/// use jarrah_base::{CHAIN, chains};
/// assert_eq!(chains(CHAIN + 1).collect::<Vec<_>>(), [0..CHAIN, CHAIN..CHAIN + 1]);
/// ```
pub fn chains(extent: usize) -> impl Iterator<Item = Range<usize>> {
    (0..extent).step_by(CHAIN).map(move |start| start..extent.min(start + CHAIN))
}

/// `a * b + sum`, rounded once, with subnormal numbers taken as zeros and given as zeros, of their sign: what processors' instructions
/// for products of `bf16` compute.
///
/// A result is subnormal where it is below the least normal number after rounding to the precision of `f32` with any exponent.
///
/// ```
/// use jarrah_base::flushed_multiply_add;
/// assert_eq!(flushed_multiply_add(2.0, 3.0, 1.0), 7.0);
/// assert_eq!(flushed_multiply_add(1e-20, -1e-20, 0.0).to_bits(), (-0.0f32).to_bits());
/// ```
#[inline]
pub fn flushed_multiply_add(a: f32, b: f32, sum: f32) -> f32 {
    let [a, b, sum] = [a, b, sum].map(flushed);
    let result = flushed(a.mul_add(b, sum));
    // What is half a unit of the finer spacing below the least normal number, or more, is not rounded to that number there.
    let is_below =
        |exact: f64| exact.abs() < f64::from(f32::MIN_POSITIVE) - f64::from_bits((1023 - 151) << 52);
    if result.abs() == f32::MIN_POSITIVE && is_below(f64::from(a) * f64::from(b) + f64::from(sum)) {
        return 0.0f32.copysign(result);
    }
    result
}

/// `x`, or a zero of its sign where it is subnormal.
#[inline]
pub fn flushed(x: f32) -> f32 {
    if x.abs() < f32::MIN_POSITIVE { 0.0f32.copysign(x) } else { x }
}
