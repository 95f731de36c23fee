use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::{Lineage, StageName};
use crate::state::IterState;

const STAGE: &str = "zip";

struct Zip<T> {
    parents: Vec<Arc<dyn IterStage<T>>>,
    strict: bool,
    name: StageName,
}

impl<T: 'static> IterStage<Vec<T>> for Zip<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<Vec<T>>>> {
        let parents = self.parents.iter().map(|p| p.iter(lane)).collect::<Result<_>>()?;
        Ok(Box::new(Zipped { parents, strict: self.strict, name: self.name }))
    }
}

struct Zipped<T> {
    parents: Vec<Box<dyn Advance<T>>>,
    strict: bool,
    name: StageName,
}

impl<T> Advance<Vec<T>> for Zipped<T> {
    fn next(&mut self) -> Result<Option<Vec<T>>> {
        let mut elements = Vec::with_capacity(self.parents.len());
        for (i, parent) in self.parents.iter_mut().enumerate() {
            match parent.next()? {
                Some(element) if elements.len() == i => elements.push(element),
                None if elements.is_empty() && !self.strict => return Ok(None),
                None if elements.is_empty() => {}
                None if !self.strict => return Ok(None),
                _ => {
                    return Err(self
                        .name
                        .fault(format!("dataset {i} and those before it have different lengths")));
                }
            }
        }
        Ok((elements.len() == self.parents.len()).then_some(elements))
    }

    fn state(&self) -> IterState {
        IterState::new(STAGE, &[], self.parents.iter().map(|p| p.state()).collect())
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [] = state.read(STAGE, Some(self.parents.len()))?;
        self.parents.iter_mut().zip(state.parents()).try_for_each(|(parent, state)| parent.set_state(state))
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The next elements of all datasets at a time. If one ends before another, that is an error if `strict` says so, and else the end.
    ///
    /// No dataset is an error of the result.
    ///
    /// ```
    /// use jarrah_data::{IterDataset, MapDataset};
    /// let datasets = [MapDataset::range(0, 3, 1).to_iter(), MapDataset::range(5, 7, 1).to_iter()];
    /// assert_eq!(IterDataset::zip(&datasets, false).iter()?.collect::<Result<Vec<_>, _>>()?, [[0, 5], [1, 6]]);
    /// assert!(IterDataset::zip(&datasets, true).iter()?.last().is_some_and(|last| last.is_err()));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn zip(datasets: &[IterDataset<T>], strict: bool) -> IterDataset<Vec<T>> {
        let name = StageName::new(STAGE);
        let stage =
            datasets.iter().map(|d| d.stage.clone()).collect::<Result<Vec<_>>>().and_then(|parents| {
                if parents.is_empty() {
                    return Err(name.fault("there must be at least one dataset"));
                }
                Ok(Zip { parents, strict, name })
            });
        IterDataset::made(Lineage::of(name, datasets.iter().map(|d| d.lineage.clone()).collect()), stage)
    }
}
