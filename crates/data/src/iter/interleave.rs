use jarrah_base::{Error, Result};

use super::{Advance, IterStage, Lane};
use crate::dataset::MapDataset;
use crate::iter_dataset::IterDataset;
use crate::stage::{Lineage, StageName};
use crate::state::IterState;

const STAGE: &str = "interleave";
const SLOT: &str = "slot";

struct Interleave<T> {
    datasets: MapDataset<IterDataset<T>>,
    cycle: usize,
}

impl<T: Send + 'static> IterStage<T> for Interleave<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        let slots = (0..self.cycle).map(|_| None).collect();
        Ok(Box::new(Interleaved { datasets: self.datasets.clone(), lane, slots, slot: 0, next: 0 }))
    }
}

struct Interleaved<T> {
    datasets: MapDataset<IterDataset<T>>,
    lane: Lane,
    /// The datasets that take turns, each with its number.
    slots: Vec<Option<(u64, Box<dyn Advance<T>>)>>,
    /// The slot whose turn it is.
    slot: usize,
    /// The dataset that goes into the next free slot.
    next: u64,
}

impl<T: Send + 'static> Interleaved<T> {
    fn open(&self, number: u64) -> Result<Box<dyn Advance<T>>> {
        let dataset = self.datasets.get(number)?.ok_or_else(|| {
            Error::program(format!("interleave: dataset {number} is missing, as a filter has dropped it"))
        })?;
        dataset.stage?.iter(self.lane)
    }
}

impl<T: Send + 'static> Advance<T> for Interleaved<T> {
    fn next(&mut self) -> Result<Option<T>> {
        if self.slots.is_empty() {
            return Ok(None);
        }
        loop {
            let turn = (self.slot + 1) % self.slots.len();
            if let Some((_, iterator)) = &mut self.slots[self.slot] {
                let element = iterator.next()?;
                if element.is_none() {
                    self.slots[self.slot] = None;
                }
                self.slot = turn;
                match element {
                    Some(element) => return Ok(Some(element)),
                    None => continue,
                }
            }
            if self.next < self.datasets.len() {
                self.slots[self.slot] = Some((self.next, self.open(self.next)?));
                self.next += 1;
            } else if self.slots.iter().all(Option::is_none) {
                return Ok(None);
            } else {
                self.slot = turn;
            }
        }
    }

    fn state(&self) -> IterState {
        let slots = self.slots.iter().map(|slot| match slot {
            Some((number, iterator)) => IterState::new(SLOT, &[*number, 1], vec![iterator.state()]),
            None => IterState::new(SLOT, &[0, 0], Vec::new()),
        });
        IterState::new(STAGE, &[self.slot as u64, self.next], slots.collect())
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [slot, next] = state.read(STAGE, Some(self.slots.len()))?;
        if slot >= self.slots.len().max(1) as u64 || next > self.datasets.len() {
            return Err(Error::input(format!(
                "the data position of the stage `{STAGE}` is out of range: {slot}, {next}"
            )));
        }
        (self.slot, self.next) = (slot as usize, next);
        for (i, state) in state.parents().iter().enumerate() {
            let [number, open] = state.read(SLOT, None)?;
            self.slots[i] = match (open, state.parents()) {
                (0, _) => None,
                (_, [inner]) => {
                    let mut iterator = self.open(number)?;
                    iterator.set_state(inner)?;
                    Some((number, iterator))
                }
                _ => {
                    return Err(Error::input(format!(
                        "the data position of the stage `{STAGE}` is malformed"
                    )));
                }
            };
        }
        Ok(())
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// Elements of `cycle` datasets in turn; where one ends, the next dataset takes its place. One alone chains them.
    ///
    /// A cycle of zero, and datasets that a filter may drop, are errors of the result.
    ///
    /// ```
    /// use jarrah_data::{IterDataset, MapDataset};
    /// let datasets = MapDataset::range(0, 3, 1).map(|i| MapDataset::range(10 * i, 10 * i + 2, 1).to_iter());
    /// let interleaved = IterDataset::interleave(&datasets, 2);
    /// assert_eq!(interleaved.iter()?.collect::<Result<Vec<_>, _>>()?, [0, 10, 1, 11, 20, 21]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn interleave(datasets: &MapDataset<IterDataset<T>>, cycle: usize) -> Self {
        let name = StageName::new(STAGE);
        let stage = datasets.stage.clone().and_then(|_| {
            datasets.refuse_holes(&name)?;
            if cycle == 0 {
                return Err(name.fault("at least one dataset must take its turn"));
            }
            let cycle = cycle.min(usize::try_from(datasets.len()).unwrap_or(usize::MAX));
            Ok(Interleave { datasets: datasets.clone(), cycle })
        });
        IterDataset::made(
            Lineage::fed_by(name, &Lineage::of(name, Vec::new()), vec![datasets.lineage.clone()]),
            stage,
        )
    }
}
