use std::sync::Arc;

use jarrah_base::Result;
use serde::{Deserialize, Serialize};

/// Examples by index, in any order and from any thread.
pub trait MapDataset: Send + Sync {
    /// An example.
    type Item;

    /// The number of examples of one epoch, at least one.
    fn len(&self) -> u64;

    /// Whether there is no example.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The example at `index`; indices from [`len`](Self::len) on belong to later epochs.
    ///
    /// # Errors
    /// The example cannot be read.
    fn get(&self, index: u64) -> Result<Self::Item>;
}

impl<D: MapDataset> MapDataset for Arc<D> {
    type Item = D::Item;

    fn len(&self) -> u64 {
        (**self).len()
    }

    fn get(&self, index: u64) -> Result<D::Item> {
        (**self).get(index)
    }
}

/// The position of an iterator, as a checkpoint stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataState {
    /// The seed of the shuffle.
    pub seed: u64,
    /// The epoch of the next example.
    pub epoch: u64,
    /// The next example's index in its epoch's order.
    pub index: u64,
    /// The number of examples in an epoch, which must match the data on resume.
    pub examples: u64,
}

/// An endless sequence of examples, whose position can be saved and restored.
pub trait IterDataset {
    /// An example.
    type Item;

    /// The next example.
    ///
    /// # Errors
    /// The example cannot be made; the position stays.
    fn advance(&mut self) -> Result<Self::Item>;

    /// The position: an iterator restored from it continues as this one does.
    fn state(&self) -> DataState;
}
