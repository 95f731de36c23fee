use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

type Function<T, U> = Arc<dyn Fn(T) -> Result<U> + Send + Sync>;

struct Map<T, U> {
    parent: Arc<dyn IterStage<T>>,
    f: Function<T, U>,
    name: StageName,
}

impl<T: 'static, U: 'static> IterStage<U> for Map<T, U> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<U>>> {
        Ok(Box::new(Mapped { parent: self.parent.iter(lane)?, f: self.f.clone(), name: self.name, count: 0 }))
    }
}

struct Mapped<T, U> {
    parent: Box<dyn Advance<T>>,
    f: Function<T, U>,
    name: StageName,
    /// Elements seen since the iterator was made, for errors.
    count: u64,
}

impl<T, U> Advance<U> for Mapped<T, U> {
    fn next(&mut self) -> Result<Option<U>> {
        let Some(element) = self.parent.next()? else { return Ok(None) };
        self.count += 1;
        self.name.call(self.count - 1, || (self.f)(element)).map(Some)
    }

    fn state(&self) -> IterState {
        self.parent.state()
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.parent.set_state(state)
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// `f` of each element.
    #[track_caller]
    pub fn map<U: 'static>(&self, f: impl Fn(T) -> U + Send + Sync + 'static) -> IterDataset<U> {
        let name = StageName::new("map");
        self.then(name, |parent, _| Ok(Map { parent, f: Arc::new(move |x| Ok(f(x))), name }))
    }

    /// `f` of each element, where `f` may fail; its error names the stage and the element, counted from where the iterator began.
    #[track_caller]
    pub fn try_map<U: 'static>(&self, f: impl Fn(T) -> Result<U> + Send + Sync + 'static) -> IterDataset<U> {
        let name = StageName::new("try_map");
        self.then(name, |parent, _| Ok(Map { parent, f: Arc::new(f), name }))
    }
}
