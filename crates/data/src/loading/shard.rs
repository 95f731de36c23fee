use std::ops::Range;

use jarrah_base::{Error, Result};

/// The part of the data that one host of several has.
///
/// ```
/// use jarrah_data::ShardOptions;
/// assert_eq!(ShardOptions::new(1, 4)?.split(10), 3..6);
/// assert_eq!(ShardOptions::new(1, 4)?.drop_remainder().split(10), 2..4);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardOptions {
    index: u64,
    count: u64,
    drop_remainder: bool,
}

impl ShardOptions {
    /// Shard `index` of `count`.
    ///
    /// # Errors
    /// There is no such shard (`Input`).
    pub fn new(index: u64, count: u64) -> Result<Self> {
        match index < count {
            true => Ok(ShardOptions { index, count, drop_remainder: false }),
            false => Err(Error::input(format!("there is no shard {index} of {count}"))
                .help("shards are counted from 0, and there is at least one")),
        }
    }

    /// All of the data on one host.
    pub fn whole() -> Self {
        ShardOptions { index: 0, count: 1, drop_remainder: false }
    }

    /// Leaves out the last records, so that each shard has equally many.
    pub fn drop_remainder(self) -> Self {
        ShardOptions { drop_remainder: true, ..self }
    }

    /// The number of this shard.
    pub fn index(&self) -> u64 {
        self.index
    }

    /// The number of shards.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether the last records are left out.
    pub fn drops_remainder(&self) -> bool {
        self.drop_remainder
    }

    /// The records of this shard where each shard has consecutive ones; the first shards have one more if the count does not divide them.
    pub fn split(&self, records: u64) -> Range<u64> {
        let (each, rest) = (records / self.count, if self.drop_remainder { 0 } else { records % self.count });
        let start = each * self.index + rest.min(self.index);
        start..start + each + u64::from(self.index < rest)
    }
}
