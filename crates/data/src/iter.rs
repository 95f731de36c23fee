use jarrah_base::{Error, Result};

use crate::batch::{TokenBatch, TokenBatches};
use crate::dataset::{DataState, IterDataset, MapDataset};
use crate::pack::TokenWindow;

/// Batches in order, epoch after epoch.
pub struct BatchIter<D> {
    batches: TokenBatches<D>,
    seed: u64,
    position: u64,
}

impl<D: MapDataset<Item = TokenWindow>> BatchIter<D> {
    /// The batches of data shuffled with `seed`: from `state` on, or from the start.
    ///
    /// The batch size may change between runs: a state counts examples.
    ///
    /// # Errors
    /// `state` has another seed, or comes from data with another number of examples (`Input`).
    pub fn new(batches: TokenBatches<D>, seed: u64, state: Option<&DataState>) -> Result<Self> {
        let examples = batches.examples();
        let position = match state {
            None => 0,
            Some(s) if s.examples != examples => {
                return Err(Error::input(format!(
                    "the data position is for {} sequences an epoch, but the corpus has {examples}",
                    s.examples
                ))
                .help(
                    "resume with the files, the tokenizer and the sequence length that the run began with",
                ));
            }
            Some(s) if s.seed != seed => {
                return Err(Error::input(format!(
                    "the data position is for shuffle seed {}, but the seed is {seed}",
                    s.seed
                )));
            }
            Some(s) => {
                s.epoch.checked_mul(examples).and_then(|p| p.checked_add(s.index)).ok_or_else(|| {
                    Error::input(format!("the data position, epoch {}, is out of range", s.epoch))
                })?
            }
        };
        Ok(BatchIter { batches, seed, position })
    }
}

/// The batches; where one cannot be made, the error stands in its place, and comes again.
impl<D: MapDataset<Item = TokenWindow>> Iterator for BatchIter<D> {
    type Item = Result<TokenBatch>;

    fn next(&mut self) -> Option<Result<TokenBatch>> {
        Some(self.advance())
    }
}

impl<D: MapDataset<Item = TokenWindow>> IterDataset for BatchIter<D> {
    type Item = TokenBatch;

    fn advance(&mut self) -> Result<TokenBatch> {
        let batch = self.batches.at(self.position)?;
        self.position += self.batches.size() as u64;
        Ok(batch)
    }

    fn state(&self) -> DataState {
        let examples = self.batches.examples();
        DataState {
            seed: self.seed,
            epoch: self.position / examples,
            index: self.position % examples,
            examples,
        }
    }
}
