use std::fmt;

use bytemuck::{Pod, Zeroable};

/// An integer of `BITS` bits, at most 8, in a byte of its own whose upper bits are 0.
///
/// ```
/// use jarrah_base::{Element, i4};
/// assert_eq!(i4::from_i128(9).to_i128(), -7);
/// assert_eq!(i4::from_f64(9.0).to_i128(), 7);
/// ```
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(transparent)]
pub struct Narrow<const BITS: u32, const SIGNED: bool>(u8);

impl<const BITS: u32, const SIGNED: bool> Narrow<BITS, SIGNED> {
    /// The integer whose two's complement ends in these bits.
    pub const fn wrapping(x: i128) -> Self {
        Narrow(x as u8 & (0xff >> (8 - BITS)))
    }

    /// The value.
    pub const fn get(self) -> i8 {
        let shift = 8 - BITS;
        if SIGNED { ((self.0 << shift) as i8) >> shift } else { ((self.0 << shift) >> shift) as i8 }
    }
}

impl<const BITS: u32, const SIGNED: bool> PartialEq for Narrow<BITS, SIGNED> {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl<const BITS: u32, const SIGNED: bool> PartialOrd for Narrow<BITS, SIGNED> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.get().partial_cmp(&other.get())
    }
}

impl<const BITS: u32, const SIGNED: bool> fmt::Display for Narrow<BITS, SIGNED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.get(), f)
    }
}

impl<const BITS: u32, const SIGNED: bool> fmt::Debug for Narrow<BITS, SIGNED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.get(), f)
    }
}

/// A 2-bit two's-complement integer.
#[allow(non_camel_case_types, reason = "named like i8")]
pub type i2 = Narrow<2, true>;
/// A 4-bit two's-complement integer.
#[allow(non_camel_case_types, reason = "named like i8")]
pub type i4 = Narrow<4, true>;
/// A 2-bit unsigned integer.
#[allow(non_camel_case_types, reason = "named like u8")]
pub type u2 = Narrow<2, false>;
/// A 4-bit unsigned integer.
#[allow(non_camel_case_types, reason = "named like u8")]
pub type u4 = Narrow<4, false>;
