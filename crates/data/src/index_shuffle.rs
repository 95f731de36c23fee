const ROUNDS: usize = 4;
const MIN_BLOCK_BITS: u32 = 16;

/// A pseudorandom bijection of `0..n`, the one by which Grain shuffles.
///
/// Four rounds of the block cipher Simon over the smallest even number of bits, at least 16, that holds `n - 1`, repeated until
/// the result is below `n`. The round keys are those of C++'s `std::seed_seq`.
///
/// The order is that of `grain` 0.2.18 for each `n` but 2^k + 1 with an even k from 16 on: there Grain's block is one bit too short, so that it
/// delivers one index twice and another one never; here each index is delivered once.
///
/// Source: Beaulieu and others, The Simon and Speck Families of Lightweight Block Ciphers, 2013; Black and Rogaway, Ciphers with Arbitrary
/// Finite Domains, 2002.
///
/// ```
/// use jarrah_data::IndexShuffle;
/// let order: Vec<u64> = (0..5).map(|i| IndexShuffle::new(5, 42).apply(i)).collect();
/// assert_eq!(order, [4, 1, 2, 3, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexShuffle {
    n: u64,
    half_bits: u32,
    keys: [u64; ROUNDS],
}

impl IndexShuffle {
    /// The bijection of `0..n` for `seed`.
    pub fn new(n: u64, seed: u32) -> Self {
        let bits = u64::BITS - n.saturating_sub(1).leading_zeros();
        let half_bits = (bits.div_ceil(2) * 2).max(MIN_BLOCK_BITS) / 2;
        let mask = u64::MAX >> (u64::BITS - half_bits);
        IndexShuffle { n, half_bits, keys: seed_sequence(seed).map(|key| u64::from(key) & mask) }
    }

    /// The image of `index`, which must be below `n`.
    pub fn apply(&self, index: u64) -> u64 {
        debug_assert!(index < self.n, "invariant: the index is one of the domain");
        if self.n <= 1 {
            return 0;
        }
        let mut x = self.encrypt(index);
        while x >= self.n {
            x = self.encrypt(x);
        }
        x
    }

    fn encrypt(&self, x: u64) -> u64 {
        let mask = u64::MAX >> (u64::BITS - self.half_bits);
        let rotate = |x: u64, by: u32| (x << by | x >> (self.half_bits - by)) & mask;
        let f = |x: u64| rotate(x, 1) & rotate(x, 8) ^ rotate(x, 2);
        let (mut left, mut right) = (x >> self.half_bits & mask, x & mask);
        for [first, second] in [[self.keys[0], self.keys[1]], [self.keys[2], self.keys[3]]] {
            left ^= f(right) ^ first;
            right ^= f(left) ^ second;
        }
        left << self.half_bits | right
    }
}

/// Four words of C++'s `std::seed_seq` made of one seed (ISO C++, `[rand.util.seedseq]`).
fn seed_sequence(seed: u32) -> [u32; ROUNDS] {
    const N: usize = ROUNDS;
    let mut words = [0x8b8b_8b8b_u32; N];
    let (p, q) = (1, 2);
    for k in 0..N {
        let mixed = words[k] ^ words[(k + p) % N] ^ words[(k + N - 1) % N];
        let first = 1_664_525_u32.wrapping_mul(mixed ^ mixed >> 27);
        let offset = match k {
            0 => 1,
            1 => 1_u32.wrapping_add(seed),
            _ => k as u32,
        };
        let second = first.wrapping_add(offset);
        words[(k + p) % N] = words[(k + p) % N].wrapping_add(first);
        words[(k + q) % N] = words[(k + q) % N].wrapping_add(second);
        words[k] = second;
    }
    for k in 0..N {
        let mixed = words[k].wrapping_add(words[(k + p) % N]).wrapping_add(words[(k + N - 1) % N]);
        let third = 1_566_083_941_u32.wrapping_mul(mixed ^ mixed >> 27);
        let fourth = third.wrapping_sub(k as u32);
        words[(k + p) % N] ^= third;
        words[(k + q) % N] ^= fourth;
        words[k] = fourth;
    }
    words
}
