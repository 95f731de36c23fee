//! Stages of [`MapDataset`](crate::MapDataset), a transformation a file.

use jarrah_base::Result;

mod batch;
mod filter;
mod filter_map;
mod flat_map;
#[allow(clippy::module_inception, reason = "the transformation is named map")]
mod map;
mod map_with_index;
mod mix;
mod random_map;
mod repeat;
mod select;
mod shuffle;
mod slice;
mod source;
mod window_shuffle;
mod zip;

pub(crate) use mix::Proportions;
pub(crate) use slice::Slice;

/// A stage by index. An index from `len` on belongs to a later epoch; `len` is not zero when `get` is called.
pub(crate) trait MapStage<T>: Send + Sync {
    fn len(&self) -> u64;

    fn get(&self, index: u64) -> Result<Option<T>>;
}
