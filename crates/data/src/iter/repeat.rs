use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::dataset::ENDLESS;
use crate::iter_dataset::IterDataset;
use crate::stage::StageName;
use crate::state::IterState;

const STAGE: &str = "repeat";

struct Repeat<T> {
    parent: Arc<dyn IterStage<T>>,
    epochs: Option<u64>,
}

impl<T: 'static> IterStage<T> for Repeat<T> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<T>>> {
        let parent = self.parent.iter(lane)?;
        Ok(Box::new(Repeated { start: parent.state(), parent, epochs: self.epochs, epoch: 0, empty: true }))
    }
}

struct Repeated<T> {
    parent: Box<dyn Advance<T>>,
    start: IterState,
    epochs: Option<u64>,
    epoch: u64,
    /// Whether this epoch has had no element since it began or was gone to.
    empty: bool,
}

impl<T> Advance<T> for Repeated<T> {
    fn next(&mut self) -> Result<Option<T>> {
        let mut rewound = false;
        while self.epochs != Some(self.epoch) {
            if let Some(element) = self.parent.next()? {
                self.empty = false;
                return Ok(Some(element));
            }
            // An epoch without any element is followed by others like it, without end.
            if rewound && self.empty {
                return Ok(None);
            }
            self.epoch += 1;
            if self.epochs != Some(self.epoch) {
                self.parent.set_state(&self.start)?;
                (self.empty, rewound) = (true, true);
            }
        }
        Ok(None)
    }

    fn state(&self) -> IterState {
        IterState::new(STAGE, &[self.epoch], vec![self.parent.state()])
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        [self.epoch] = state.read(STAGE, Some(1))?;
        if self.epoch > self.epochs.unwrap_or(ENDLESS) {
            return Err(state.unreachable());
        }
        self.empty = true;
        self.parent.set_state(&state.parents()[0])
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// Epochs of equal elements in equal order, `epochs` of them or without end. An epoch without elements is the last one.
    ///
    /// Zero epochs are an error of the dataset. To shuffle each epoch anew, repeat the [`MapDataset`](crate::MapDataset) before `to_iter`.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let twice = MapDataset::range(0, 2, 1).to_iter().repeat(Some(2));
    /// assert_eq!(twice.iter()?.collect::<Result<Vec<_>, _>>()?, [0, 1, 0, 1]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn repeat(&self, epochs: Option<u64>) -> Self {
        let name = StageName::new(STAGE);
        self.then(name, |parent, _| match epochs {
            Some(0) => Err(name.fault("there must be at least one epoch")),
            _ => Ok(Repeat { parent, epochs }),
        })
    }
}
