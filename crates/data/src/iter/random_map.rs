use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::random::{Generator, Philox};
use crate::stage::{Seed, StageName};
use crate::state::IterState;

type Function<T, U> = Arc<dyn Fn(&mut Generator, T) -> Result<U> + Send + Sync>;

struct RandomMap<T, U> {
    parent: Arc<dyn IterStage<T>>,
    f: Function<T, U>,
    bits: Philox,
    name: StageName,
}

impl<T: 'static, U: 'static> IterStage<U> for RandomMap<T, U> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<U>>> {
        Ok(Box::new(Mapped {
            parent: self.parent.iter(lane)?,
            f: self.f.clone(),
            rng: Generator::new(self.bits.clone()),
            name: self.name,
            lane,
            count: 0,
        }))
    }
}

struct Mapped<T, U> {
    parent: Box<dyn Advance<T>>,
    f: Function<T, U>,
    rng: Generator,
    name: StageName,
    lane: Lane,
    count: u64,
}

impl<T, U> Advance<U> for Mapped<T, U> {
    fn next(&mut self) -> Result<Option<U>> {
        let Some(element) = self.parent.next()? else { return Ok(None) };
        let index = self.count.wrapping_mul(self.lane.count).wrapping_add(self.lane.index);
        self.count = self.count.wrapping_add(1);
        self.rng.bits().go_to([0, 0, 0, index]);
        self.name.call(index, || (self.f)(&mut self.rng, element)).map(Some)
    }

    fn state(&self) -> IterState {
        IterState::new(self.name.kind, &[self.count], vec![self.parent.state()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        [self.count] = state.read(self.name.kind, Some(1))?;
        self.parent.set_state(&state.parents()[0])
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// `f` of a generator and of each element. The generator's stream depends on the seed, on the number of elements before and on the lane.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let drawn = MapDataset::range(0, 3, 1).to_iter().random_map(7, |rng, x| Ok(x + rng.integers(0, 100)?));
    /// assert_eq!(drawn.iter()?.collect::<Result<Vec<_>, _>>()?, drawn.iter()?.collect::<Result<Vec<_>, _>>()?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn random_map<U: 'static>(
        &self,
        seed: impl Into<Seed>,
        f: impl Fn(&mut Generator, T) -> Result<U> + Send + Sync + 'static,
    ) -> IterDataset<U> {
        let name = StageName::new("random_map");
        self.then(name, |parent, lineage| {
            let bits = Philox::seeded(lineage.resolve(seed.into(), &name)?);
            Ok(RandomMap { parent, f: Arc::new(f), bits, name })
        })
    }
}
