use std::sync::Arc;
use std::vec;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::stage::StageName;
use crate::state::IterState;

type Function<T, U> = Arc<dyn Fn(T) -> Vec<U> + Send + Sync>;

struct FlatMap<T, U> {
    parent: Arc<dyn IterStage<T>>,
    f: Function<T, U>,
    name: StageName,
}

impl<T: 'static, U: Send + 'static> IterStage<U> for FlatMap<T, U> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<U>>> {
        let parent = self.parent.iter(lane)?;
        Ok(Box::new(FlatMapped {
            before: parent.state(),
            parent,
            f: self.f.clone(),
            name: self.name,
            parts: Vec::new().into_iter(),
            taken: 0,
            count: 0,
        }))
    }
}

struct FlatMapped<T, U> {
    parent: Box<dyn Advance<T>>,
    f: Function<T, U>,
    name: StageName,
    parts: vec::IntoIter<U>,
    /// The parent's state before the element that `parts` are of.
    before: IterState,
    taken: u64,
    count: u64,
}

impl<T, U: Send + 'static> FlatMapped<T, U> {
    fn refill(&mut self) -> Result<bool> {
        self.before = self.parent.state();
        self.taken = 0;
        let Some(element) = self.parent.next()? else { return Ok(false) };
        self.count += 1;
        self.parts = self.name.call(self.count - 1, || Ok((self.f)(element)))?.into_iter();
        probe::holds(|| self.parts.as_slice().iter().map(bytes_of).sum());
        Ok(true)
    }
}

impl<T, U: Send + 'static> Advance<U> for FlatMapped<T, U> {
    fn next(&mut self) -> Result<Option<U>> {
        loop {
            if let Some(part) = self.parts.next() {
                self.taken += 1;
                return Ok(Some(part));
            }
            if !self.refill()? {
                return Ok(None);
            }
        }
    }

    fn state(&self) -> IterState {
        match self.parts.len() {
            0 => IterState::new(self.name.kind, &[0], vec![self.parent.state()]),
            _ => IterState::new(self.name.kind, &[self.taken], vec![self.before.clone()]),
        }
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [taken] = state.read(self.name.kind, Some(1))?;
        self.parts = Vec::new().into_iter();
        self.parent.set_state(&state.parents()[0])?;
        if taken == 0 {
            return Ok(());
        }
        if !self.refill()? || taken >= self.parts.len() as u64 {
            return Err(state.unreachable());
        }
        self.taken = taken;
        self.parts.by_ref().take(taken as usize).for_each(drop);
        Ok(())
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// All elements that `f` makes of each element, in their order. A position within them is reached again by `f`.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let letters = MapDataset::source(vec!["ab", "", "c"]).to_iter().flat_map(|s| s.chars().collect());
    /// assert_eq!(letters.iter()?.collect::<Result<String, _>>()?, "abc");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn flat_map<U: Send + 'static>(
        &self,
        f: impl Fn(T) -> Vec<U> + Send + Sync + 'static,
    ) -> IterDataset<U> {
        let name = StageName::new("flat_map");
        self.then(name, |parent, _| Ok(FlatMap { parent, f: Arc::new(f), name }))
    }
}
