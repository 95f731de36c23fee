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

    /// The example at `index`; indices at and above [`len`](Self::len) are those of later epochs.
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

/// Examples one after the other, without end, from a position that can be kept and restored.
pub trait IterDataset {
    /// An example.
    type Item;

    /// The next example.
    ///
    /// # Errors
    /// It cannot be made; the position is as before.
    fn advance(&mut self) -> Result<Self::Item>;

    /// The position: a fresh iterator started from it gives what this one gives next.
    fn state(&self) -> DataState;
}
