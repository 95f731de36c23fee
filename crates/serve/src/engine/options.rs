//! What an engine takes of the machine.

use jarrah_array::DType;
use jarrah_base::{Error, Result};

use super::drafts::Drafts;
use super::offload::Offload;
use super::weights::WeightsCache;

/// What an engine takes of the machine, and how it shares it.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The most tokens of a sequence, prompt and answer together; none: as many as the model was made for, or as the memory for keys and values has
    /// room for.
    pub max_length: Option<usize>,
    /// The most sequences that run at a time.
    pub sequences: usize,
    /// The most tokens that a step computes.
    pub tokens_per_step: usize,
    /// The most requests that wait.
    pub waiting: usize,
    /// Bytes for keys and values; none: as many as all sequences need at their longest, or an eighth of the memory there is, or what one sequence needs
    /// of the length that is asked for.
    pub cache_bytes: Option<usize>,
    /// How keys and values are kept: floats or `i8`; none: as the model's embeddings are.
    pub cache_dtype: Option<DType>,
    /// Tokens of a page of keys and values.
    pub page: usize,
    /// Whether what earlier requests computed is used again.
    pub prefix_caching: bool,
    /// The most tokens by which a request is overtaken by later ones; none: that of [`Limits`](jarrah_engine::Limits).
    pub overtake: Option<u64>,
    /// The most adapters that are loaded at a time; 0: none can be.
    pub adapters: usize,
    /// The highest rank of an adapter.
    pub adapter_rank: usize,
    /// How tokens are drafted, if they are.
    pub drafts: Option<Drafts>,
    /// Where keys and values are kept whose pages go to others, if anywhere.
    pub offload: Option<Offload>,
    /// Where weights are kept in the form in which they are computed with, if anywhere: for models whose weights are [read when they are needed](crate::Served::open).
    pub weights_cache: Option<WeightsCache>,
    /// Whether prompts are computed in parts beside answers that go on, so that these come at an even [pace](jarrah_engine::Pace); for whole answers, which nobody
    /// reads as they come, larger parts are sooner done.
    pub paced: bool,
    /// Whether programs of all sizes of steps are compiled while there is nothing to answer, the smallest first, and then the memory of keys and values is
    /// taken from the system; otherwise both come when they are needed, and the step waits.
    pub warm: bool,
}

impl Default for EngineOptions {
    /// 64 sequences, 512 tokens a step, pages of 64 tokens, 4,096 answers waiting.
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

/// Whether the numbers are some that an engine can have: of each there are tables.
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
