use std::sync::Arc;

use jarrah_base::Result;

use super::{Advance, IterStage, Lane};
use crate::batching::{BatchRows, Stack};
use crate::iter_dataset::IterDataset;
use crate::observe::{bytes_of, probe};
use crate::stage::StageName;
use crate::state::IterState;

type Function<T, U> = Arc<dyn Fn(Vec<T>) -> Result<U> + Send + Sync>;

struct Batch<T, U> {
    parent: Arc<dyn IterStage<T>>,
    size: usize,
    drop_remainder: bool,
    f: Function<T, U>,
    name: StageName,
}

impl<T: 'static, U: 'static> IterStage<U> for Batch<T, U> {
    fn iter(&self, lane: Lane) -> Result<Box<dyn Advance<U>>> {
        Ok(Box::new(Batched {
            parent: self.parent.iter(lane)?,
            size: self.size,
            drop_remainder: self.drop_remainder,
            f: self.f.clone(),
            name: self.name,
            count: 0,
        }))
    }
}

struct Batched<T, U> {
    parent: Box<dyn Advance<T>>,
    size: usize,
    drop_remainder: bool,
    f: Function<T, U>,
    name: StageName,
    /// Batches made since the iterator was made, for errors.
    count: u64,
}

impl<T: 'static, U> Advance<U> for Batched<T, U> {
    fn next(&mut self) -> Result<Option<U>> {
        let mut elements = Vec::with_capacity(self.size.min(1 << 16));
        while elements.len() < self.size {
            match self.parent.next()? {
                Some(element) => elements.push(element),
                None => break,
            }
        }
        probe::holds(|| elements.iter().map(bytes_of).sum());
        if elements.is_empty() || (self.drop_remainder && elements.len() < self.size) {
            return Ok(None);
        }
        self.count += 1;
        self.name.call(self.count - 1, || (self.f)(elements)).map(Some)
    }

    fn state(&self) -> IterState {
        self.parent.state()
    }

    fn set_state(&mut self, state: &IterState) -> Result<()> {
        self.parent.set_state(state)
    }
}

impl<T: Send + 'static> IterDataset<T> {
    /// Batches of `size` elements, stacked as [`Stack`] says; the last one may have fewer.
    ///
    /// Batches of no element are an error of the dataset.
    #[track_caller]
    pub fn batch(&self, size: usize) -> IterDataset<T::Batch>
    where
        T: Stack,
        T::Batch: 'static,
    {
        self.batched(size, false, T::stack, StageName::new("batch"))
    }

    /// Batches of `size` elements, stacked as [`Stack`] says; the last one is filled up with elements that hold `value`.
    ///
    /// ```
    /// use jarrah_data::MapDataset;
    /// let batches = MapDataset::range(1, 5, 1).to_iter().batch_and_pad(3, 0.0);
    /// let batches: Vec<_> = batches.iter()?.map(|b| Ok(b?.to_i128_vec())).collect::<Result<_, jarrah_base::Error>>()?;
    /// assert_eq!(batches, [vec![1, 2, 3], vec![4, 0, 0]]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    #[track_caller]
    pub fn batch_and_pad(&self, size: usize, value: f64) -> IterDataset<T::Batch>
    where
        T: Stack,
        T::Batch: BatchRows + 'static,
    {
        let pad = move |elements| T::stack(elements)?.padded(size, value);
        self.batched(size, false, pad, StageName::new("batch_and_pad"))
    }

    /// Batches of `size` elements as `f` makes them; without the last one if it has fewer and `drop_remainder` says so.
    #[track_caller]
    pub fn batch_with<U: 'static>(
        &self,
        size: usize,
        drop_remainder: bool,
        f: impl Fn(Vec<T>) -> Result<U> + Send + Sync + 'static,
    ) -> IterDataset<U> {
        self.batched(size, drop_remainder, f, StageName::new("batch_with"))
    }

    fn batched<U: 'static>(
        &self,
        size: usize,
        drop_remainder: bool,
        f: impl Fn(Vec<T>) -> Result<U> + Send + Sync + 'static,
        name: StageName,
    ) -> IterDataset<U> {
        self.then(name, |parent, _| match size {
            0 => Err(name.fault("a batch must have at least one element")),
            _ => Ok(Batch { parent, size, drop_remainder, f: Arc::new(f), name }),
        })
    }
}
