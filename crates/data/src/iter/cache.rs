use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::stage::StageName;
use crate::state::IterState;

const STAGE: &str = "cache";

struct Cache<T> {
    parent: Arc<dyn IterStage<T>>,
}

impl<T: Clone + Send + 'static> IterStage<T> for Cache<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        Ok(Box::new(Cached {
            parent: self.parent.iter(lane)?,
            elements: Vec::new(),
            whole: false,
            position: 0,
        }))
    }
}

struct Cached<T> {
    parent: Box<dyn Advance<T>>,
    elements: Vec<T>,
    whole: bool,
    position: usize,
}

impl<T: Clone + Send + 'static> Advance<T> for Cached<T> {
    fn next(&mut self) -> Result<Option<T>> {
        while self.elements.len() <= self.position && !self.whole {
            match self.parent.next()? {
                Some(element) => {
                    probe::took(|| bytes_of(&element));
                    self.elements.push(element);
                }
                None => self.whole = true,
            }
        }
        let element = self.elements.get(self.position).cloned();
        self.position += usize::from(element.is_some());
        Ok(element)
    }

    fn state(&self) -> IterState {
        IterState::new(STAGE, &[self.position as u64], Vec::new())
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [position] = state.read(STAGE, Some(0))?;
        self.position = position as usize;
        Ok(())
    }
}

impl<T: Clone + Send + 'static> IterDataset<T> {
    /// The elements, each kept in memory once it was made: a [`repeat`](Self::repeat) behind it makes none again.
    ///
    /// A position is reached again by making the elements before it.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let cached = MapDataset::range(0, 2, 1).to_iter().cache().repeat(Some(2));
    /// assert_eq!(cached.iter()?.collect::<Result<Vec<_>, _>>()?, [0, 1, 0, 1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn cache(&self) -> Self {
        let name = StageName::new(STAGE);
        self.then(name, |parent, _| Ok(Cache { parent }))
    }
}
