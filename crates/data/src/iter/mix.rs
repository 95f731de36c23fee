use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::dataset::ENDLESS;
use crate::iter_dataset::IterDataset;
use crate::map::Proportions;
use crate::stage::{Lineage, StageName};
use crate::state::IterState;

const STAGE: &str = "mix";

struct Mix<T> {
    parents: Vec<Arc<dyn IterStage<T>>>,
    proportions: Proportions,
}

impl<T: 'static> IterStage<T> for Mix<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        let parents = self.parents.iter().map(|p| p.iter(lane)).collect::<Result<_>>()?;
        Ok(Box::new(Mixed { parents, proportions: self.proportions.clone(), count: 0, ended: false }))
    }
}

struct Mixed<T> {
    parents: Vec<Box<dyn Advance<T>>>,
    proportions: Proportions,
    count: u64,
    ended: bool,
}

impl<T> Advance<T> for Mixed<T> {
    fn next(&mut self) -> Result<Option<T>> {
        if self.ended {
            return Ok(None);
        }
        let (dataset, _) = self.proportions.locate(self.count);
        let element = self.parents[dataset].next()?;
        self.count += 1;
        self.ended = element.is_none();
        Ok(element)
    }

    fn state(&self) -> IterState {
        let parents = self.parents.iter().map(|p| p.state()).collect();
        IterState::new(STAGE, &[self.count, u64::from(self.ended)], parents)
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [count, ended] = state.read(STAGE, Some(self.parents.len()))?;
        if count >= ENDLESS {
            return Err(state.unreachable());
        }
        (self.count, self.ended) = (count, ended != 0);
        self.parents.iter_mut().zip(state.parents()).try_for_each(|(parent, state)| parent.set_state(state))
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// A mixture of the datasets, in equal shares or by `weights`, spread evenly. It ends where the next element's dataset has ended.
    ///
    /// No dataset, and weights that are not greater than zero, are errors of the result.
    ///
    /// ```
    /// use jarrah_data::{IterDataset, MapDataset};
    /// let datasets = [MapDataset::range(0, 4, 1).to_iter(), MapDataset::range(100, 102, 1).to_iter()];
    /// let mixed = IterDataset::mix(&datasets, None);
    /// assert_eq!(mixed.iter()?.collect::<Result<Vec<_>, _>>()?, [0, 100, 1, 101, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn mix(datasets: &[IterDataset<T>], weights: Option<&[f64]>) -> Self {
        let name = StageName::new(STAGE);
        let stage =
            datasets.iter().map(|d| d.stage.clone()).collect::<Result<Vec<_>>>().and_then(|parents| {
                let proportions = Proportions::new(parents.len(), weights)
                    .map_err(|e| e.context(format!("while the stage {name} was added")))?;
                Ok(Mix { parents, proportions })
            });
        IterDataset::made(Lineage::of(name, datasets.iter().map(|d| d.lineage.clone()).collect()), stage)
    }
}
