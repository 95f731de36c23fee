//! The batches of a training run, whose position is that of examples in a shuffled corpus.

use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_data::{DataState, Loader, LoaderOptions, Packed};
use serde_json::Value;

use super::objective::Feed;
use crate::trainer::{Batches, malformed};

/// The batches of a [`Loader`]; checkpoints hold its [`DataState`].
pub(super) struct Feeds {
    packed: Arc<Packed>,
    options: LoaderOptions,
    loader: Loader,
}

impl Feeds {
    /// # Errors
    /// The batch size is zero (`Input`), or the thread of the loader cannot be started.
    pub(super) fn new(packed: Arc<Packed>, options: LoaderOptions) -> Result<Self> {
        let loader = Loader::new(packed.clone(), &options, None)?;
        Ok(Feeds { packed, options, loader })
    }
}

impl Batches for Feeds {
    type Batch = Feed;

    fn next_batch(&mut self) -> Result<(Feed, Value)> {
        let (batch, state) = self.loader.next_batch()?;
        let position = serde_json::to_value(state)
            .map_err(|e| Error::internal(format!("cannot write the data position: {e}")))?;
        Ok((Feed::of(batch), position))
    }

    fn go_to(&mut self, position: &Value) -> Result<()> {
        let state: DataState = serde_json::from_value(position.clone()).map_err(|_| malformed(position))?;
        self.loader = Loader::new(self.packed.clone(), &self.options, Some(&state))?;
        Ok(())
    }
}
