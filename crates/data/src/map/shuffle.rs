use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::index_shuffle::IndexShuffle;
use crate::permutation::Permutation;
use crate::stage::{Seed, StageName};

struct Shuffle<T> {
    parent: Arc<dyn MapStage<T>>,
    seed: u32,
}

impl<T> MapStage<T> for Shuffle<T> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        let len = self.parent.len();
        let (epoch, index) = (index / len, index % len);
        let order = IndexShuffle::new(len, self.seed.wrapping_add(epoch as u32));
        self.parent.get(epoch * len + order.apply(index))
    }
}

struct Permute<T> {
    parent: Arc<dyn MapStage<T>>,
    seed: u64,
}

impl<T> MapStage<T> for Permute<T> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        let len = self.parent.len();
        let (epoch, index) = (index / len, index % len);
        self.parent.get(epoch * len + Permutation::new(len, self.seed, epoch).apply(index))
    }
}

impl<T: 'static> MapDataset<T> {
    /// The elements in a random order, another one in each epoch, without a buffer: the order is that of [`IndexShuffle`].
    ///
    /// The seed is below 2^32.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let shuffled = MapDataset::range(0, 8, 1).shuffle(42).repeat(Some(2));
    /// let mut first: Vec<_> = (0..8).map(|i| shuffled.get(i)).collect::<Result<_, _>>()?;
    /// let second: Vec<_> = (8..16).map(|i| shuffled.get(i)).collect::<Result<_, _>>()?;
    /// assert_ne!(first, second);
    /// first.sort();
    /// assert_eq!(first, (0..8).map(Some).collect::<Vec<_>>());
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn shuffle(&self, seed: impl Into<Seed>) -> Self {
        let name = StageName::new("shuffle");
        self.then(name, |parent, lineage| {
            Ok(Shuffle { parent, seed: lineage.resolve_u32(seed.into(), &name)? })
        })
    }

    /// The elements in a random order, another one in each epoch: the order is that of [`Permutation`], which training runs have.
    #[track_caller]
    pub fn permute(&self, seed: u64) -> Self {
        let name = StageName::new("permute");
        self.then(name, |parent, _| Ok(Permute { parent, seed }))
    }
}
