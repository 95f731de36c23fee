use super::bits::BitGenerator;
use super::seed::SeedSequence;

/// The counter-based bit generator Philox 4x64 with ten rounds.
///
/// Source: Salmon, Moraes, Dror and Shaw, Parallel Random Numbers: As Easy as 1, 2, 3, 2011.
///
/// ```
/// use jarrah_data::random::{BitGenerator, Philox};
/// let mut bits = Philox::seeded(42);
/// assert_eq!(bits.next_u64(), 1587852024645073290);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Philox {
    key: [u64; 2],
    counter: [u64; 4],
    block: [u64; 4],
    used: usize,
    half: Option<u32>,
}

impl Philox {
    /// The generator whose key is mixed from `seed`, as `numpy.random.Philox(seed)`.
    pub fn seeded(seed: u64) -> Self {
        Self::keyed(SeedSequence::new(&[seed]).long_words())
    }

    /// The generator with this key, as `numpy.random.Philox(key=key)`.
    pub fn keyed(key: [u64; 2]) -> Self {
        Philox { key, counter: [0; 4], block: [0; 4], used: 4, half: None }
    }

    /// Goes to the beginning of the stream behind `counter`.
    pub fn go_to(&mut self, counter: [u64; 4]) {
        self.counter = counter;
        self.used = 4;
        self.half = None;
    }

    fn refill(&mut self) {
        for word in &mut self.counter {
            *word = word.wrapping_add(1);
            if *word != 0 {
                break;
            }
        }
        let (mut key, mut x) = (self.key, self.counter);
        for round in 0..10 {
            if round > 0 {
                key =
                    [key[0].wrapping_add(0x9e37_79b9_7f4a_7c15), key[1].wrapping_add(0xbb67_ae85_84ca_a73b)];
            }
            let a = u128::from(x[0]) * 0xd2e7_470e_e14c_6c93;
            let b = u128::from(x[2]) * 0xca5a_8263_9512_1157;
            x = [(b >> 64) as u64 ^ x[1] ^ key[0], b as u64, (a >> 64) as u64 ^ x[3] ^ key[1], a as u64];
        }
        self.block = x;
        self.used = 0;
    }
}

impl BitGenerator for Philox {
    fn next_u64(&mut self) -> u64 {
        if self.used == 4 {
            self.refill();
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    fn next_u32(&mut self) -> u32 {
        if let Some(half) = self.half.take() {
            return half;
        }
        let bits = self.next_u64();
        self.half = Some((bits >> 32) as u32);
        bits as u32
    }
}
