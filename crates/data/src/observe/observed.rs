use std::sync::Arc;

use jarrah_base::Result;

use super::meters::Counters;
use super::probe;
use crate::iter::{Advance, IterStage, Lane};
use crate::map::MapStage;
use crate::stage::Lineage;
use crate::state::IterState;

/// A stage that fills its counters on threads that measure.
pub(crate) struct Observed<S> {
    stage: S,
    lineage: Arc<Lineage>,
}

impl<S> Observed<S> {
    pub(crate) fn new(stage: S, lineage: &Arc<Lineage>) -> Self {
        Observed { stage, lineage: lineage.clone() }
    }
}

impl<T: 'static, S: MapStage<T>> MapStage<T> for Observed<S> {
    fn len(&self) -> u64 {
        self.stage.len()
    }

    fn get(&self, index: u64) -> Result<Option<T>> {
        match probe::find(&self.lineage) {
            None => self.stage.get(index),
            Some(counters) => probe::run(&counters, || self.stage.get(index)),
        }
    }
}

impl<T: 'static, S: IterStage<T>> IterStage<T> for Observed<S> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        let iterator = self.stage.iter(lane)?;
        Ok(match probe::find(&self.lineage) {
            None => iterator,
            Some(counters) => Box::new(Watched { iterator, counters }),
        })
    }
}

/// An iterator of an observed stage.
struct Watched<T> {
    iterator: Box<dyn Advance<T>>,
    counters: Arc<Counters>,
}

impl<T: 'static> Advance<T> for Watched<T> {
    fn next(&mut self) -> Result<Option<T>> {
        probe::run(&self.counters, || self.iterator.next())
    }

    fn state(&self) -> IterState {
        self.iterator.state()
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.iterator.set_state(state)
    }
}
