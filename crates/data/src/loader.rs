use std::sync::Arc;

use jarrah_base::Result;

use crate::batch::{TokenBatch, TokenBatches};
use crate::dataset::DataState;
use crate::dataset::IterDataset;
use crate::iter::BatchIter;
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
///
/// It is an iterator of `Result<Batch>` that ends behind its first error, and else never.
///
/// ```
/// use std::sync::Arc;
/// use jarrah_data::{Loader, LoaderOptions, Packed, TokenStream};
/// let tokens = TokenStream::new((0..40).collect(), 256)?;
/// let packed = Arc::new(Packed::new(tokens, 8, "training")?);
/// let loader = Loader::new(packed, &LoaderOptions { batch_size: 2, seed: 1, prefetch: 2 }, None)?;
/// for batch in loader.take(3) {
///     assert_eq!(batch?.inputs.ty().to_string(), "i32[2,8]");
/// }
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub struct Loader(Prefetch<TokenBatch>);

impl Iterator for Loader {
    type Item = Result<TokenBatch>;

    fn next(&mut self) -> Option<Result<TokenBatch>> {
        self.0.next()
    }
}

impl Loader {
    /// The batches of `packed`: from `state` on, or from the start.
    ///
    /// # Errors
    /// The batch size is zero, or `state` is for other data or another seed (`Input`).
    pub fn new(packed: Arc<Packed>, options: &LoaderOptions, state: Option<&DataState>) -> Result<Self> {
        let batches = TokenBatches::new(Shuffle::new(packed, options.seed), options.batch_size)?;
        Ok(Loader(Prefetch::new(BatchIter::new(batches, options.seed, state)?, options.prefetch)?))
    }
}

impl IterDataset for Loader {
    type Item = TokenBatch;

    fn advance(&mut self) -> Result<TokenBatch> {
        self.0.advance()
    }

    fn state(&self) -> DataState {
        self.0.state()
    }
}

impl Loader {
    /// The next batch, and the state *after* it: a loader started from that state gives the batch that follows.
    ///
    /// # Errors
    /// The batch could not be made.
    pub fn next_batch(&mut self) -> Result<(TokenBatch, DataState)> {
        let batch = self.0.advance()?;
        Ok((batch, self.0.state()))
    }
}
