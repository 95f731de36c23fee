use std::sync::Arc;

use jarrah_base::{Error, Result};

use crate::batch::TokenBatch;
use crate::data_state::DataState;
use crate::dataset::{MapDataset, RandomAccess};
use crate::iter_dataset::DatasetIterator;
use crate::pack::Packed;
use crate::state::IterState;

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

/// Endless shuffled training batches, prepared on a separate thread.
///
/// It is the pipeline `source(packed).permute(seed).repeat(None).to_iter().batch_with(..).prefetch(..)`, whose position counts examples: the batch size may
/// change between runs. As an iterator it ends behind its first error, and else never.
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
pub struct Loader {
    batches: DatasetIterator<TokenBatch>,
    seed: u64,
    examples: u64,
    failed: Option<Error>,
}

impl Iterator for Loader {
    type Item = Result<TokenBatch>;

    fn next(&mut self) -> Option<Result<TokenBatch>> {
        self.failed.is_none().then(|| self.advance())
    }
}

impl Loader {
    /// The batches of `packed`: from `state` on, or from the start.
    ///
    /// # Errors
    /// The batch size is zero, or `state` is for other data or another seed (`Input`).
    pub fn new(packed: Arc<Packed>, options: &LoaderOptions, state: Option<&DataState>) -> Result<Self> {
        let examples = RandomAccess::len(&*packed);
        let windows = MapDataset::source(packed).permute(options.seed).repeat(None).to_iter();
        if options.batch_size == 0 {
            return Err(Error::input("a batch must have at least one sequence"));
        }
        let batches = windows.batch_with(options.batch_size, true, |windows| TokenBatch::stack(&windows));
        let mut batches = batches.prefetch(options.prefetch.max(1)).iter()?;
        if let Some(state) = state {
            let position = position(state, options.seed, examples)?;
            batches.set_state(&IterState::new(crate::iter::READ, &[position], Vec::new()))?;
        }
        Ok(Loader { batches, seed: options.seed, examples, failed: None })
    }

    /// The next batch.
    ///
    /// # Errors
    /// The batch could not be made: this error, from then on.
    pub fn advance(&mut self) -> Result<TokenBatch> {
        if let Some(e) = &self.failed {
            return Err(e.clone());
        }
        let next =
            self.batches.next().unwrap_or_else(|| Err(Error::internal("batches without end have ended")));
        self.failed = next.as_ref().err().cloned();
        next
    }

    /// The position: a loader started from it continues as this one does.
    pub fn state(&self) -> DataState {
        let position = self.batches.state().values().first().copied().unwrap_or(0);
        let examples = self.examples;
        DataState { seed: self.seed, epoch: position / examples, index: position % examples, examples }
    }

    /// The next batch, and the state *after* it: a loader started from that state gives the batch that follows.
    ///
    /// # Errors
    /// The batch could not be made.
    pub fn next_batch(&mut self) -> Result<(TokenBatch, DataState)> {
        let batch = self.advance()?;
        Ok((batch, self.state()))
    }
}

/// The number of examples before `state`.
fn position(state: &DataState, seed: u64, examples: u64) -> Result<u64> {
    if state.examples != examples {
        return Err(Error::input(format!(
            "the data position is for {} sequences an epoch, but the corpus has {examples}",
            state.examples
        ))
        .help("resume with the files, the tokenizer and the sequence length that the run began with"));
    }
    if state.seed != seed {
        return Err(Error::input(format!(
            "the data position is for shuffle seed {}, but the seed is {seed}",
            state.seed
        )));
    }
    state
        .epoch
        .checked_mul(examples)
        .and_then(|p| p.checked_add(state.index))
        .ok_or_else(|| Error::input(format!("the data position, epoch {}, is out of range", state.epoch)))
}
