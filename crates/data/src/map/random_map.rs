use std::sync::Arc;

use jarrah_base::Result;

use super::MapStage;
use crate::dataset::MapDataset;
use crate::random::{Generator, Philox};
use crate::stage::{Seed, StageName};

struct RandomMap<T, F> {
    parent: Arc<dyn MapStage<T>>,
    f: F,
    bits: Philox,
    name: StageName,
}

impl<T, U, F: Fn(&mut Generator, T) -> Result<U> + Send + Sync> MapStage<U> for RandomMap<T, F> {
    fn len(&self) -> u64 {
        self.parent.len()
    }

    fn get(&self, index: u64) -> Result<Option<U>> {
        let Some(element) = self.parent.get(index)? else { return Ok(None) };
        let mut bits = self.bits.clone();
        bits.go_to([0, 0, 0, index]);
        self.name.call(index, || (self.f)(&mut Generator::new(bits), element)).map(Some)
    }
}

impl<T: 'static> MapDataset<T> {
    /// `f` of a generator and of each element. The generator's stream depends on the seed and on the index alone, so that each epoch has other
    /// numbers and a resumed run the same ones.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let noisy = MapDataset::range(0, 4, 1).random_map(7, |rng, x| Ok(x as f64 + rng.normal(0.0, 0.1)));
    /// assert_eq!(noisy.get(2)?, noisy.get(2)?);
    /// assert_ne!(noisy.get(2)?, noisy.get(6)?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn random_map<U: 'static>(
        &self,
        seed: impl Into<Seed>,
        f: impl Fn(&mut Generator, T) -> Result<U> + Send + Sync + 'static,
    ) -> MapDataset<U> {
        let name = StageName::new("random_map");
        self.then(name, |parent, lineage| {
            Ok(RandomMap { parent, f, bits: Philox::seeded(lineage.resolve(seed.into(), &name)?), name })
        })
    }
}
