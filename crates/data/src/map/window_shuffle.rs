use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::index_shuffle::IndexShuffle;
use crate::stage::{Seed, StageName};

struct WindowShuffle<T> {
    parent: Arc<dyn MapStage<T>>,
    window: u64,
    seed: u32,
}

impl<T> MapStage<T> for WindowShuffle<T> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        let (window, index) = (index / self.window, index % self.window);
        let order = IndexShuffle::new(self.window, self.seed.wrapping_add(window as u32));
        self.parent.get(window * self.window + order.apply(index))
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements in a random order within each `window` of indices.
    ///
    /// Windows go on from one epoch to the next: where `window` does not divide the length, the last window of an epoch also has
    /// elements of the next one. The window and the seed are below 2^32.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let shuffled = MapDataset::range(0, 8, 1).window_shuffle(4, 1);
    /// let mut first: Vec<_> = (0..4).map(|i| shuffled.get(i)).collect::<Result<_, _>>()?;
    /// first.sort();
    /// assert_eq!(first, (0..4).map(Some).collect::<Vec<_>>());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn window_shuffle(&self, window: u64, seed: impl Into<Seed>) -> Self {
        let name = StageName::new("window_shuffle");
        self.then(name, |parent, lineage| match window {
            0 => Err(name.fault("a window must have at least one element")),
            _ => Ok(WindowShuffle { parent, window, seed: lineage.resolve_u32(seed.into(), &name)? }),
        })
    }
}
