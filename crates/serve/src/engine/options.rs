//! The options of an engine: memory, limits and features.

use jarrah_array::DType;
use jarrah_base::{Error, Result};

use super::drafts::Drafts;
use super::offload::Offload;
use super::weights::WeightsCache;

/// The options of an engine: how much of the machine it uses, and how requests share it.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The most tokens of a sequence, prompt and answer together; none: the model's context, or less if the memory for keys and
    /// values has no room for it.
    pub max_length: Option<usize>,
    /// The most sequences that run at a time.
    pub sequences: usize,
    /// The most tokens in a step.
    pub tokens_per_step: usize,
    /// The most answers that wait in the queue.
    pub waiting: usize,
    /// Bytes for keys and values; none: enough for all sequences at full length, but at most an eighth of the available memory,
    /// or what one sequence of the given length needs if that is more.
    pub cache_bytes: Option<usize>,
    /// The dtype of keys and values: a float, or `i8`; none: that of the model's embeddings.
    pub cache_dtype: Option<DType>,
    /// The number of tokens in a page of keys and values.
    pub page: usize,
    /// Whether requests reuse the keys and values of earlier requests with the same prefix.
    pub prefix_caching: bool,
    /// The most tokens by which later requests may overtake a request; none: the default of [`Limits`](jarrah_engine::Limits).
    pub overtake: Option<u64>,
    /// The number of slots for adapters; 0: no adapter can be loaded.
    pub adapters: usize,
    /// The highest rank of an adapter.
    pub adapter_rank: usize,
    /// The method by which tokens are drafted, if they are.
    pub drafts: Option<Drafts>,
    /// The files for keys and values that are evicted from memory, if any.
    pub offload: Option<Offload>,
    /// The files for weights in the form in which the engine computes with them, if any: for models whose weights are [read when
    /// they are needed](crate::Served::open).
    pub weights_cache: Option<WeightsCache>,
    /// Whether prompts are computed in smaller parts beside running answers, so that the answers' tokens come at an even
    /// [pace](jarrah_engine::Pace); without it, larger parts finish all answers sooner, which suits answers that nobody reads as
    /// they come.
    pub paced: bool,
    /// Whether the idle engine compiles the programs of all step sizes, the smallest first, and then touches the memory of keys
    /// and values; otherwise both happen when a step needs them, and the step waits.
    pub warm: bool,
}

impl Default for EngineOptions {
    /// 64 sequences, 512 tokens a step, pages of 64 tokens, 4,096 answers in the queue.
    fn default() -> Self {
        EngineOptions {
            max_length: None,
            sequences: 64,
            tokens_per_step: 512,
            waiting: 4096,
            cache_bytes: None,
            cache_dtype: None,
            page: 64,
            prefix_caching: true,
            overtake: None,
            adapters: 0,
            adapter_rank: 16,
            drafts: None,
            offload: None,
            weights_cache: None,
            paced: true,
            warm: true,
        }
    }
}

/// Checks that the numbers are in range: tables are allocated by them.
pub fn in_range(options: &EngineOptions) -> Result<()> {
    let all = [
        ("sequences", options.sequences, 1, 1 << 16),
        ("tokens_per_step", options.tokens_per_step, 1, 1 << 20),
        ("page", options.page, 1, 1 << 20),
        ("waiting", options.waiting, 1, usize::MAX),
        ("adapters", options.adapters, 0, 1 << 12),
        ("adapter_rank", options.adapter_rank, 0, 1 << 12),
    ];
    match all.iter().find(|(_, value, least, most)| value < least || value > most) {
        None => Ok(()),
        Some((name, 0, ..)) => Err(Error::input(format!("{name} is 0")).op("engine").help("give at least 1")),
        Some((name, value, least, most)) => {
            let error = Error::input(format!("{name} is {value}")).op("engine");
            Err(error.help(format!("give a number between {least} and {most}")))
        }
    }
}
