use std::sync::Arc;

use jarrah_base::Result;

use crate::batch::{Batch, Batched};
use crate::dataset::IterDataset;
use crate::iter::{BatchIter, DataState};
use crate::pack::Packed;
use crate::prefetch::Prefetch;
use crate::shuffle::Shuffle;

/// Options of a [`Loader`].
#[derive(Clone, Debug, PartialEq)]
pub struct LoaderOptions {
    /// Sequences per batch.
    pub batch_size: usize,
    /// The seed of the shuffle.
    pub seed: u64,
    /// Batches prepared ahead.
    pub prefetch: usize,
}

/// Endless shuffled training batches, prepared on a separate thread: `Packed -> Shuffle -> Batched -> Prefetch`.
pub struct Loader(Prefetch<Batch>);

impl Loader {
    /// The batches of `packed`: from `state` on, or from the start.
    ///
    /// # Errors
    /// The batch size is zero, or `state` is for other data or another seed (`Input`).
    pub fn new(packed: Arc<Packed>, options: &LoaderOptions, state: Option<&DataState>) -> Result<Self> {
        let batches = Batched::new(Shuffle::new(packed, options.seed), options.batch_size)?;
        Ok(Loader(Prefetch::new(BatchIter::new(batches, options.seed, state)?, options.prefetch)?))
    }

    /// The next batch, and the state *after* it: a loader started from that state gives the batch that follows.
    ///
    /// # Errors
    /// The batch could not be made.
    pub fn next_batch(&mut self) -> Result<(Batch, DataState)> {
        let batch = self.0.advance()?;
        Ok((batch, self.0.state()))
    }

    /// The state after the last batch that was taken.
    pub fn state(&self) -> DataState {
        self.0.state()
    }
}
