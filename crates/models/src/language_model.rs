use std::fmt::Debug;

use jarrah_array::{Array, DType, Tree};
use jarrah_nn::{KvCache, Sequences, State};

use crate::{Decoder, Gpt};

/// A model that goes on from tokens: what generating text asks of it.
pub trait LanguageModel: Tree<Array> + Clone + Debug + Send + Sync + 'static {
    /// What it has seen of sequences.
    type Cache: Tree<Array> + Clone + Debug + Send + Sync + 'static;

    /// The number of tokens.
    fn vocabulary(&self) -> usize;

    /// The longest sequence.
    fn context(&self) -> usize;

    /// An empty cache of `runs` sequences of `length` tokens, in the dtype of the model.
    fn empty_cache(&self, runs: usize, length: usize) -> Self::Cache;

    /// The logits after token `at[b]` of each of the next tokens `[B,T]` of sequences, `[B,vocabulary]`, and the cache that has seen them.
    fn next_logits(
        &self,
        tokens: &Array,
        cache: &Self::Cache,
        sequences: &Sequences,
        at: &Array,
    ) -> (Array, Self::Cache);
}

impl LanguageModel for Gpt {
    type Cache = Vec<KvCache>;

    fn vocabulary(&self) -> usize {
        self.config.vocabulary
    }

    fn context(&self) -> usize {
        self.config.context
    }

    fn empty_cache(&self, runs: usize, length: usize) -> Vec<KvCache> {
        self.init_cache(runs, length, None)
    }

    #[track_caller]
    fn next_logits(
        &self,
        tokens: &Array,
        cache: &Vec<KvCache>,
        sequences: &Sequences,
        at: &Array,
    ) -> (Array, Vec<KvCache>) {
        self.decode_at(tokens, cache, sequences, at)
    }
}

impl LanguageModel for Decoder {
    type Cache = State;

    fn vocabulary(&self) -> usize {
        self.embed.table.shape()[0]
    }

    fn context(&self) -> usize {
        self.context
    }

    fn empty_cache(&self, runs: usize, length: usize) -> State {
        let dtype = self.embed.table.dtype();
        self.init_cache(runs, length, if dtype.is_float() { dtype } else { DType::F32 })
    }

    #[track_caller]
    fn next_logits(
        &self,
        tokens: &Array,
        cache: &State,
        sequences: &Sequences,
        at: &Array,
    ) -> (Array, State) {
        self.decode_at(tokens, cache, sequences, at)
    }
}
