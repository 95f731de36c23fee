use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::batching::BatchRows;
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::stage::StageName;
use crate::state::IterState;

struct Rebatch<B> {
    parent: Arc<dyn IterStage<B>>,
    size: usize,
    drop_remainder: bool,
    name: StageName,
}

impl<B: BatchRows + Send + 'static> IterStage<B> for Rebatch<B> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<B>>> {
        let parent = self.parent.iter(lane)?;
        let drop_remainder = self.drop_remainder;
        Ok(Box::new(Rebatched {
            before: parent.state(),
            parent,
            size: self.size,
            drop_remainder,
            name: self.name,
            open: None,
        }))
    }
}

struct Rebatched<B> {
    parent: Box<dyn Advance<B>>,
    size: usize,
    drop_remainder: bool,
    name: StageName,
    /// A batch of the parent of which elements are left, and how many were taken.
    open: Option<(B, usize)>,
    /// The parent's state before the open batch.
    before: IterState,
}

impl<B: BatchRows + 'static> Rebatched<B> {
    fn reopen(&mut self) -> Result<bool> {
        self.before = self.parent.state();
        self.open = self.parent.next()?.map(|batch| (batch, 0));
        probe::holds(|| self.open.iter().map(|(batch, _)| bytes_of(batch)).sum());
        Ok(self.open.is_some())
    }
}

impl<B: BatchRows + Send + 'static> Advance<B> for Rebatched<B> {
    fn next(&mut self) -> Result<Option<B>> {
        let (mut parts, mut missing) = (Vec::new(), self.size);
        while missing > 0 {
            let Some((batch, taken)) = &mut self.open else {
                match self.reopen()? {
                    true => continue,
                    false => break,
                }
            };
            let rows = batch.rows()?;
            let count = missing.min(rows - *taken);
            if count > 0 {
                parts.push(batch.cut(*taken..*taken + count)?);
            }
            *taken += count;
            missing -= count;
            if *taken == rows {
                self.open = None;
            }
        }
        match parts.is_empty() || (self.drop_remainder && missing > 0) {
            true => Ok(None),
            false => self.name.call(0, || B::join(&parts)).map(Some),
        }
    }

    fn state(&self) -> IterState {
        match &self.open {
            Some((_, taken)) => IterState::new(self.name.kind, &[*taken as u64], vec![self.before.clone()]),
            None => IterState::new(self.name.kind, &[0], vec![self.parent.state()]),
        }
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        let [skipped] = state.read(self.name.kind, Some(1))?;
        self.open = None;
        self.parent.set_state(&state.parents()[0])?;
        if skipped > 0 {
            self.reopen()?;
            match &mut self.open {
                Some((batch, taken)) if skipped < batch.rows()? as u64 => *taken = skipped as usize,
                _ => return Err(state.unreachable()),
            }
        }
        Ok(())
    }
}

impl<B: BatchRows + Send + 'static> IterDataset<B> {
    /// The elements of batches in batches of `size`; the last one may have fewer, and is left out then if `drop_remainder` says so.
    ///
    /// Batches of no element are an error of the dataset.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let batches = MapDataset::range(0, 7, 1).to_iter().batch(3).rebatch(2, true);
    /// let batches: Vec<_> = batches.iter()?.map(|b| Ok(b?.to_i128_vec())).collect::<Result<_, jarrah_base::Error>>()?;
    /// assert_eq!(batches, [vec![0, 1], vec![2, 3], vec![4, 5]]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn rebatch(&self, size: usize, drop_remainder: bool) -> Self {
        let name = StageName::new("rebatch");
        self.then(name, |parent, _| match size {
            0 => Err(name.fault("a batch must have at least one element")),
            _ => Ok(Rebatch { parent, size, drop_remainder, name }),
        })
    }
}
