use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::index_shuffle::IndexShuffle;
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::stage::{Seed, StageName};
use crate::state::IterState;

struct WindowShuffle<T> {
    parent: Arc<dyn IterStage<T>>,
    size: usize,
    seed: u32,
    name: StageName,
}

impl<T: Send + 'static> IterStage<T> for WindowShuffle<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        let parent = self.parent.iter(lane)?;
        Ok(Box::new(WindowShuffled {
            before: parent.state(),
            parent,
            size: self.size,
            seed: self.seed,
            name: self.name,
            window: Vec::new(),
            number: 0,
            taken: 0,
        }))
    }
}

struct WindowShuffled<T> {
    parent: Box<dyn Advance<T>>,
    size: usize,
    seed: u32,
    name: StageName,
    /// The elements of the window that are left, the next one last.
    window: Vec<T>,
    /// The parent's state before the window.
    before: IterState,
    number: u64,
    taken: u64,
}

impl<T: Send + 'static> WindowShuffled<T> {
    fn refill(&mut self) -> Result<()> {
        self.before = self.parent.state();
        self.taken = 0;
        let mut elements = Vec::new();
        while elements.len() < self.size {
            match self.parent.next()? {
                Some(element) => elements.push(Some(element)),
                None => break,
            }
        }
        probe::holds(|| elements.iter().flatten().map(bytes_of).sum());
        let len = elements.len() as u64;
        let order = IndexShuffle::new(len, self.seed.wrapping_add(self.number as u32));
        self.window = (0..len).filter_map(|i| elements[order.apply(i) as usize].take()).collect();
        Ok(())
    }
}

impl<T: Send + 'static> Advance<T> for WindowShuffled<T> {
    fn next(&mut self) -> Result<Option<T>> {
        if self.window.is_empty() {
            self.refill()?;
        }
        let element = self.window.pop();
        self.taken += u64::from(element.is_some());
        if self.window.is_empty() && element.is_some() {
            self.number = self.number.wrapping_add(1);
        }
        Ok(element)
    }

    fn state(&self) -> IterState {
        match self.window.is_empty() {
            true => IterState::new(self.name.kind, &[self.number, 0], vec![self.parent.state()]),
            false => IterState::new(self.name.kind, &[self.number, self.taken], vec![self.before.clone()]),
        }
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [number, taken] = state.read(self.name.kind, Some(1))?;
        self.parent.set_state(&state.parents()[0])?;
        self.window.clear();
        self.number = number;
        if taken > 0 {
            self.refill()?;
            if taken >= self.window.len() as u64 {
                return Err(state.unreachable());
            }
            self.window.truncate(self.window.len() - taken as usize);
            self.taken = taken;
        }
        Ok(())
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// The elements in a random order within windows of `size`, which are in memory one at a time. A position within a window is reached again by
    /// reading the window.
    ///
    /// A window of no element is an error of the dataset. The seed is below 2^32.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let shuffled = MapDataset::range(0, 6, 1).to_iter().window_shuffle(3, 1);
    /// let mut first = shuffled.iter()?.take(3).collect::<Result<Vec<_>, _>>()?;
    /// first.sort();
    /// assert_eq!(first, [0, 1, 2]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn window_shuffle(&self, size: usize, seed: impl Into<Seed>) -> Self {
        let name = StageName::new("window_shuffle");
        self.then(name, |parent, lineage| match size {
            0 => Err(name.fault("a window must have at least one element")),
            _ => Ok(WindowShuffle { parent, size, seed: lineage.resolve_u32(seed.into(), &name)?, name }),
        })
    }
}
