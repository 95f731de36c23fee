use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::{Advance, IterStage, Lane};
use crate::dataset::MapDataset;
use crate::iter_dataset::IterDataset;
use crate::map::MapStage;
use crate::readers::Readers;
use crate::stage::{Lineage, StageName};
use crate::state::IterState;

pub(crate) const STAGE: &str = "read";

/// Threads that make elements ahead, and the bound of their number.
///
/// The elements, their order and the positions do not depend on these options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Threads that make elements; with zero the thread that asks for an element makes it.
    pub threads: usize,
    /// The greatest number of elements that are made before they are asked for. Each thread may hold one at least.
    pub buffer: usize,
}

impl Default for ReadOptions {
    /// No thread.
    fn default() -> Self {
        ReadOptions { threads: 0, buffer: 500 }
    }
}

struct Read<T> {
    parent: Arc<dyn MapStage<T>>,
    options: ReadOptions,
}

impl<T: Send + 'static> IterStage<T> for Read<T> {
    fn iter(&self, _lane: Lane) -> Result<Box<dyn Advance<T>>> {
        Ok(Box::new(Reading { parent: self.parent.clone(), options: self.options, next: 0, readers: None }))
    }
}

struct Reading<T> {
    parent: Arc<dyn MapStage<T>>,
    options: ReadOptions,
    /// The index behind the last element that was delivered.
    next: u64,
    readers: Option<Readers<T>>,
}

impl<T: Send + 'static> Advance<T> for Reading<T> {
    fn next(&mut self) -> Result<Option<T>> {
        let len = self.parent.len();
        if self.options.threads == 0 {
            while self.next < len {
                let element = self.parent.get(self.next)?;
                self.next += 1;
                if element.is_some() {
                    return Ok(element);
                }
            }
            return Ok(None);
        }
        if self.next >= len {
            return Ok(None);
        }
        let readers = match &mut self.readers {
            Some(readers) => readers,
            none => none.insert(Readers::start(&self.parent, self.next, self.options)?),
        };
        match readers.next()? {
            Some((index, element)) => {
                self.next = index + 1;
                Ok(Some(element))
            }
            None => {
                self.next = len;
                Ok(None)
            }
        }
    }

    fn state(&self) -> IterState {
        IterState::new(STAGE, &[self.next], Vec::new())
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [next] = state.read(STAGE, Some(0))?;
        let len = self.parent.len();
        if next > len {
            return Err(Error::input(format!(
                "the data position is index {next}, but the dataset has {len} elements"
            ))
            .help("resume with the data that the run began with"));
        }
        self.readers = None;
        self.next = next;
        Ok(())
    }
}

impl<T: Send + 'static> MapDataset<T> {
    /// The elements of one epoch in the order of their indices, without holes.
    #[track_caller]
    pub fn to_iter(&self) -> IterDataset<T> {
        self.to_iter_with(ReadOptions::default())
    }

    /// The elements of one epoch in the order of their indices, without holes, made ahead by threads.
    ///
    /// ```
    /// use jarrah_data::{MapDataset, ReadOptions};
    /// let dataset = MapDataset::range(0, 100, 1).map(|x| x * x);
    /// let ahead = dataset.to_iter_with(ReadOptions { threads: 2, buffer: 16 });
    /// assert_eq!(ahead.iter()?.last().transpose()?, dataset.get(99)?);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn to_iter_with(&self, options: ReadOptions) -> IterDataset<T> {
        let lineage = Lineage::of(StageName::new(STAGE), vec![self.lineage.clone()]);
        IterDataset::made(lineage, self.stage.clone().map(|parent| Read { parent, options }))
    }
}
