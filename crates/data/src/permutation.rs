const ROUNDS: u64 = 8;
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A pseudorandom bijection of `0..n`, in constant memory.
///
/// A balanced Feistel network over the next power of four, `(l, r) -> (r, l ^ f(k, round, r))`, repeated until the
/// result is below `n`: a permutation for any `n`, each index computed independently. Checkpoints store only seed and
/// position, so this function must never change.
///
/// Source: Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002.
///
/// ```
/// use jarrah_data::Permutation;
/// let p = Permutation::new(5, 7, 0);
/// let mut all: Vec<u64> = (0..5).map(|i| p.apply(i)).collect();
/// all.sort();
/// assert_eq!(all, [0, 1, 2, 3, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    n: u64,
    half_bits: u32,
    key: u64,
}

impl Permutation {
    /// The bijection of `0..n` for a seed and an epoch.
    pub fn new(n: u64, seed: u64, epoch: u64) -> Self {
        let bits = u64::BITS - n.saturating_sub(1).leading_zeros();
        Permutation { n, half_bits: bits.div_ceil(2).max(1), key: mix(mix(seed).wrapping_add(epoch)) }
    }

    /// The image of `index`, which must be below `n`.
    pub fn apply(&self, index: u64) -> u64 {
        debug_assert!(index < self.n, "invariant: the index is one of the domain");
        let mut x = self.round_trip(index);
        while x >= self.n {
            x = self.round_trip(x);
        }
        x
    }

    fn round_trip(&self, x: u64) -> u64 {
        let mask = u64::MAX >> (u64::BITS - self.half_bits);
        let (mut left, mut right) = (x >> self.half_bits & mask, x & mask);
        for round in 0..ROUNDS {
            let f = mix(self.key ^ right.wrapping_add(round << 56)) >> (u64::BITS - self.half_bits);
            (left, right) = (right, left ^ f);
        }
        left << self.half_bits | right
    }
}

/// The finaliser of SplitMix64: every bit of the result depends on every bit of `x`.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(GOLDEN);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
