use std::sync::Arc;

use jarrah_base::Result;

use crate::iter::DataState;

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
