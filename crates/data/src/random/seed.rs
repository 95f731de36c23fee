const POOL: usize = 4;

/// Entropy of any length mixed into words for the seeds of bit generators, as NumPy's `SeedSequence` does.
///
/// Each integer contributes its 32-bit words, the lowest first, zero one word.
///
/// Source: M. O'Neill, Developing a seed_seq Alternative, 2015; NumPy's `SeedSequence`.
///
/// ```
/// use jarrah_data::random::SeedSequence;
/// assert_eq!(SeedSequence::new(&[42]).words(2), [3444837047, 2669555309]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeedSequence {
    pool: [u32; POOL],
}

impl SeedSequence {
    /// Mixes `entropy`.
    pub fn new(entropy: &[u64]) -> Self {
        let mut words = Vec::with_capacity(entropy.len() * 2);
        for &value in entropy {
            words.push(value as u32);
            if value >> 32 != 0 {
                words.push((value >> 32) as u32);
            }
        }
        let mut hash = Hash { constant: 0x43b0_d7e5, factor: 0x931e_8875 };
        let mut pool = [0; POOL];
        for (i, slot) in pool.iter_mut().enumerate() {
            *slot = hash.next(words.get(i).copied().unwrap_or(0));
        }
        for from in 0..POOL {
            for to in (0..POOL).filter(|&to| to != from) {
                pool[to] = mix(pool[to], hash.next(pool[from]));
            }
        }
        for &word in words.iter().skip(POOL) {
            for slot in &mut pool {
                *slot = mix(*slot, hash.next(word));
            }
        }
        SeedSequence { pool }
    }

    /// The first `count` words of 32 bits.
    pub fn words(&self, count: usize) -> Vec<u32> {
        let mut hash = Hash { constant: 0x8b51_f9dd, factor: 0x58f3_8ded };
        (0..count).map(|i| hash.next(self.pool[i % POOL])).collect()
    }

    /// The first `N` words of 64 bits.
    pub fn long_words<const N: usize>(&self) -> [u64; N] {
        let words = self.words(2 * N);
        std::array::from_fn(|i| u64::from(words[2 * i]) | u64::from(words[2 * i + 1]) << 32)
    }
}

struct Hash {
    constant: u32,
    factor: u32,
}

impl Hash {
    fn next(&mut self, value: u32) -> u32 {
        let value = value ^ self.constant;
        self.constant = self.constant.wrapping_mul(self.factor);
        let value = value.wrapping_mul(self.constant);
        value ^ value >> 16
    }
}

fn mix(x: u32, y: u32) -> u32 {
    let mixed = x.wrapping_mul(0xca01_f9dd).wrapping_sub(y.wrapping_mul(0x4973_f715));
    mixed ^ mixed >> 16
}
