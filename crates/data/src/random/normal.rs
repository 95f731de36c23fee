//! The ziggurats of the normal and the exponential distribution, with NumPy's tables.
//!
//! Source: Marsaglia and Tsang, The Ziggurat Method for Generating Random Variables, 2000.

use super::bits::BitGenerator;

/// Six tables of 256 words, made by `oracle/ziggurat.py`.
const TABLES: &[u8; 6 * 256 * 8] = include_bytes!("ziggurat.bin");
const NORMAL: usize = 0;
const EXPONENTIAL: usize = 3;
const NORMAL_EDGE: f64 = 3.654_152_885_361_009;
const EXPONENTIAL_EDGE: f64 = 7.697_117_470_131_05;

fn threshold(distribution: usize, layer: usize) -> u64 {
    word(distribution, layer)
}

fn width(distribution: usize, layer: usize) -> f64 {
    f64::from_bits(word(distribution + 1, layer))
}

fn height(distribution: usize, layer: usize) -> f64 {
    f64::from_bits(word(distribution + 2, layer))
}

fn word(table: usize, layer: usize) -> u64 {
    let start = (table * 256 + layer) * 8;
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&TABLES[start..start + 8]);
    u64::from_le_bytes(bytes)
}

/// A double in [0, 1) with 53 bits.
pub(super) fn unit(bits: &mut impl BitGenerator) -> f64 {
    (bits.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}

pub(super) fn standard_normal(bits: &mut impl BitGenerator) -> f64 {
    loop {
        let word = bits.next_u64();
        let layer = (word & 0xff) as usize;
        let negative = word >> 8 & 1 == 1;
        let magnitude = word >> 9 & 0x000f_ffff_ffff_ffff;
        let x = magnitude as f64 * width(NORMAL, layer);
        let x = if negative { -x } else { x };
        if magnitude < threshold(NORMAL, layer) {
            return x;
        }
        if layer == 0 {
            return normal_tail(bits, magnitude >> 8 & 1 == 1);
        }
        let (above, below) = (height(NORMAL, layer - 1), height(NORMAL, layer));
        if (above - below) * unit(bits) + below < (-0.5 * x * x).exp() {
            return x;
        }
    }
}

fn normal_tail(bits: &mut impl BitGenerator, negative: bool) -> f64 {
    loop {
        let x = -(1.0 / NORMAL_EDGE) * (-unit(bits)).ln_1p();
        let y = -(-unit(bits)).ln_1p();
        if y + y > x * x {
            return if negative { -(NORMAL_EDGE + x) } else { NORMAL_EDGE + x };
        }
    }
}

pub(super) fn standard_exponential(bits: &mut impl BitGenerator) -> f64 {
    loop {
        let word = bits.next_u64() >> 3;
        let layer = (word & 0xff) as usize;
        let magnitude = word >> 8;
        let x = magnitude as f64 * width(EXPONENTIAL, layer);
        if magnitude < threshold(EXPONENTIAL, layer) {
            return x;
        }
        if layer == 0 {
            return EXPONENTIAL_EDGE - (-unit(bits)).ln_1p();
        }
        let (above, below) = (height(EXPONENTIAL, layer - 1), height(EXPONENTIAL, layer));
        if (above - below) * unit(bits) + below < (-x).exp() {
            return x;
        }
    }
}
