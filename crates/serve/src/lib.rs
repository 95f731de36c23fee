//! Answers from trained models.
//!
//! An [`Engine`] is a model on a thread of its own that answers many requests at a time; [`Served`] is a model with what belongs to it, read from a
//! run or a folder. [`Params`] say how tokens are chosen and when an answer ends, [`Stream`] is how it comes. Runs are read by
//! `jarrah_run`.

mod answers;
mod encoder;
mod engine;
mod params;
mod sampler;
mod served;
mod stop;

pub use answers::Question;
pub use encoder::ServedEncoder;
pub use engine::{
    Beam, BeamParams, BeamSearch, Completion, Delta, Drafts, Engine, EngineMemory, EngineOptions,
    EngineRequest, Finish, Finished, Histogram, Lookup, Metrics, Offload, Pooling, Reasoning, Sleep, Stream,
    WeightsCache, nearness, normalize, probability,
};
pub use params::{MOST_LOGPROBS, Params, Repetition};
pub use sampler::{
    LogitsProcessor, Logprob, Place, Sampler, TokenLogprobs, candidates, is_of_the_model, logprobs,
};
pub use served::{LoadOptions, Served};
pub use stop::StopStrings;
