//! Numbers that results' bits depend on; `NUMERICS.md` says how.

use std::ops::Range;

/// The version of the rules that results' bits follow: raised with every change that alters bits.
///
/// Runs store it, so that a resumed one can say that its bits differ from here on, and caches of compiled programs have
/// it in their keys.
pub const NUMERICS_VERSION: u32 = 4;

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
