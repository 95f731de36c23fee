use super::bits::BitGenerator;
use super::seed::SeedSequence;

const MULTIPLIER: u128 = 0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645;

/// The bit generator PCG XSL RR 128/64, which `numpy.random.default_rng` has.
///
/// Source: M. O'Neill, PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms, 2014.
///
/// ```
/// use jarrah_data::random::{BitGenerator, Pcg64};
/// assert_eq!(Pcg64::seeded(42).next_u64(), 14276969152011380360);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pcg64 {
    state: u128,
    increment: u128,
    half: Option<u32>,
}

impl Pcg64 {
    /// The generator whose state and stream are mixed from `seed`, as `numpy.random.PCG64(seed)`.
    pub fn seeded(seed: u64) -> Self {
        let [state_high, state_low, stream_high, stream_low] = SeedSequence::new(&[seed]).long_words();
        let increment = (u128::from(stream_high) << 64 | u128::from(stream_low)) << 1 | 1;
        let mut bits = Pcg64 { state: 0, increment, half: None };
        bits.step();
        bits.state = bits.state.wrapping_add(u128::from(state_high) << 64 | u128::from(state_low));
        bits.step();
        bits
    }

    fn step(&mut self) {
        self.state = self.state.wrapping_mul(MULTIPLIER).wrapping_add(self.increment);
    }
}

impl BitGenerator for Pcg64 {
    fn next_u64(&mut self) -> u64 {
        self.step();
        ((self.state >> 64) as u64 ^ self.state as u64).rotate_right((self.state >> 122) as u32)
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
