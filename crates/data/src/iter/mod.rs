//! Stages of [`IterDataset`](crate::IterDataset), a transformation a file.

use jarrah_base::Result;

use crate::state::IterState;

mod batch;
mod cache;
mod concat_then_split;
mod digest;
mod features;
mod filter;
mod filter_map;
mod flat_map;
mod interleave;
mod limit;
mod map;
mod map_with_index;
mod mix;
mod pack;
mod random_map;
mod read;
mod rebatch;
mod repeat;
mod window_shuffle;
mod zip;

pub use concat_then_split::SplitOptions;
pub use features::Features;
pub use pack::{PackOptions, PackStrategy};
pub use read::ReadOptions;
pub(crate) use read::STAGE as READ;

/// A stage that makes iterators.
pub(crate) trait IterStage<T>: Send + Sync {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>>;
}

/// An iterator with a position. Behind an error its position is undefined until it is set.
pub(crate) trait Advance<T>: Send {
    fn next(&mut self) -> Result<Option<T>>;

    fn state(&self) -> IterState;

    fn set_state(&mut self, state: &IterState) -> Result<()>;
}

/// The lane that an iterator is of: elements `index`, `index + count`, .. of the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    pub(crate) index: u64,
    pub(crate) count: u64,
}

impl Default for Lane {
    fn default() -> Self {
        Lane { index: 0, count: 1 }
    }
}
