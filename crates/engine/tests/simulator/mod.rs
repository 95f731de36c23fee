//! Random traces of calls, and a device of pages that knows what must be in them.

mod checks;
mod client;
mod device;
mod world;

pub use world::trace;

/// What happened in traces, so that a test can say that everything did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub plans: u64,
    pub ended: u64,
    pub aborted: u64,
    pub refused: u64,
    pub full: u64,
    pub forks: u64,
    pub copies: u64,
    pub accepted: u64,
    pub rejected: u64,
    pub hits: u64,
    pub preemptions: u64,
    pub evictions: u64,
    pub forgets: u64,
    pub overtakings: u64,
    pub restored: u64,
    pub clears: u64,
    pub within: u64,
    /// Of all plans: two runs of a trace have the same.
    pub digest: u64,
}

impl Stats {
    pub fn add(&mut self, other: &Stats) {
        let both = [
            (&mut self.plans, other.plans),
            (&mut self.ended, other.ended),
            (&mut self.aborted, other.aborted),
            (&mut self.refused, other.refused),
            (&mut self.full, other.full),
            (&mut self.forks, other.forks),
            (&mut self.copies, other.copies),
            (&mut self.accepted, other.accepted),
            (&mut self.rejected, other.rejected),
            (&mut self.hits, other.hits),
            (&mut self.preemptions, other.preemptions),
            (&mut self.evictions, other.evictions),
            (&mut self.forgets, other.forgets),
            (&mut self.overtakings, other.overtakings),
            (&mut self.restored, other.restored),
            (&mut self.clears, other.clears),
            (&mut self.within, other.within),
        ];
        for (sum, term) in both {
            *sum += term;
        }
        self.digest = mix(self.digest, other.digest);
    }
}

/// A failed check, in words.
pub type Checked<T = ()> = Result<T, String>;

/// Fails with a text unless something holds.
macro_rules! ensure {
    ($holds:expr, $($text:tt)*) => {
        if !$holds {
            return Err(format!($($text)*));
        }
    };
}
pub(crate) use ensure;

/// A hash of two numbers.
pub fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.rotate_left(25) ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Random numbers from a seed.
pub struct Random(pub u64);

impl Random {
    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        (mix(self.0, 1) % end as u64) as usize
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn token(&mut self) -> u32 {
        self.below(3) as u32
    }
}
