use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

type Predicate<T> = Arc<dyn Fn(&T) -> bool + Send + Sync>;

struct Filter<T> {
    parent: Arc<dyn IterStage<T>>,
    f: Predicate<T>,
    name: StageName,
}

impl<T: 'static> IterStage<T> for Filter<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        Ok(Box::new(Filtered {
            parent: self.parent.iter(lane)?,
            f: self.f.clone(),
            name: self.name,
            count: 0,
        }))
    }
}

struct Filtered<T> {
    parent: Box<dyn Advance<T>>,
    f: Predicate<T>,
    name: StageName,
    /// Elements seen since the iterator was made, for errors.
    count: u64,
}

impl<T> Advance<T> for Filtered<T> {
    fn next(&mut self) -> Result<Option<T>> {
        while let Some(element) = self.parent.next()? {
            self.count += 1;
            if self.name.call(self.count - 1, || Ok((self.f)(&element)))? {
                return Ok(Some(element));
            }
        }
        Ok(None)
    }

    fn state(&self) -> IterState {
        self.parent.state()
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.parent.set_state(state)
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The elements for which `f` is true.
    #[track_caller]
    pub fn filter(&self, f: impl Fn(&T) -> bool + Send + Sync + 'static) -> Self {
        let name = StageName::new("filter");
        self.then(name, |parent, _| Ok(Filter { parent, f: Arc::new(f), name }))
    }
}
