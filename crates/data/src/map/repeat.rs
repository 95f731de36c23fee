use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::{ENDLESS, MapDataset};
use crate::stage::StageName;

struct Repeat<T> {
    parent: Arc<dyn MapStage<T>>,
    len: u64,
    reseed: bool,
}

impl<T> MapStage<T> for Repeat<T> {
    fn len(&self) -> u64 {
        self.len
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        self.parent.get(if self.reseed { index } else { index % self.parent.len() })
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements of `epochs` epochs, or of epochs without end: each is shuffled anew, and random maps draw other numbers.
    ///
    /// Zero epochs, and the repetition of a dataset without end, are errors of the dataset.
    ///
    /// ```
    /// use jarrah_data::{ENDLESS, MapDataset};
    /// assert_eq!(MapDataset::range(0, 3, 1).repeat(Some(2)).len(), 6);
    /// assert_eq!(MapDataset::range(0, 3, 1).repeat(None).len(), ENDLESS);
    /// ```
    #[track_caller]
    pub fn repeat(&self, epochs: Option<u64>) -> Self {
        self.repeated(epochs, true, StageName::new("repeat"))
    }

    /// The elements of the first epoch `epochs` times, or without end.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let dataset = MapDataset::range(0, 3, 1).shuffle(1).repeat_same(None);
    /// assert_eq!(dataset.get(1)?, dataset.get(4)?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn repeat_same(&self, epochs: Option<u64>) -> Self {
        self.repeated(epochs, false, StageName::new("repeat_same"))
    }

    fn repeated(&self, epochs: Option<u64>, reseed: bool, name: StageName) -> Self {
        self.then(name, |parent, _| {
            let len = match (epochs, parent.len()) {
                (Some(0), _) => return Err(name.fault("there must be at least one epoch")),
                (_, len) if len >= ENDLESS => return Err(name.fault("the dataset has no end already")),
                (_, 0) => 0,
                (None, _) => ENDLESS,
                (Some(epochs), len) => len.saturating_mul(epochs).min(ENDLESS),
            };
            Ok(Repeat { parent, len, reseed })
        })
    }
}
