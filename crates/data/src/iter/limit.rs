use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

const STAGE: &str = "limit";

struct Limit<T> {
    parent: Arc<dyn IterStage<T>>,
    limit: u64,
}

impl<T: 'static> IterStage<T> for Limit<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        Ok(Box::new(Limited { parent: self.parent.iter(lane)?, limit: self.limit, count: 0 }))
    }
}

struct Limited<T> {
    parent: Box<dyn Advance<T>>,
    limit: u64,
    count: u64,
}

impl<T> Advance<T> for Limited<T> {
    fn next(&mut self) -> Result<Option<T>> {
        if self.count >= self.limit {
            return Ok(None);
        }
        let element = self.parent.next()?;
        self.count += u64::from(element.is_some());
        Ok(element)
    }

    fn state(&self) -> IterState {
        IterState::new(STAGE, &[self.count], vec![self.parent.state()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        [self.count] = state.read(STAGE, Some(1))?;
        self.parent.set_state(&state.parents()[0])
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The first `count` elements.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let first = MapDataset::range(0, 3, 1).repeat(None).to_iter().limit(4);
    /// assert_eq!(first.iter()?.collect::<Result<Vec<_>, _>>()?, [0, 1, 2, 0]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn limit(&self, count: u64) -> Self {
        let name = StageName::new(STAGE);
        self.then(name, |parent, _| Ok(Limit { parent, limit: count }))
    }
}
