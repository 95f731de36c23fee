//! Damage that is the same each time.

/// Numbers that look random.
pub struct Random(pub u64);

impl Random {
    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// How many damaged inputs a test makes: `JARRAH_MUTANTS`, or `usual`.
pub fn mutants(usual: usize) -> usize {
    std::env::var("JARRAH_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
