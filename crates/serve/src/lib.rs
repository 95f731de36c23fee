//! Answers from trained models.
//!
//! An [`Engine`] is a model on a thread of its own that answers many requests at a time; [`Served`] is a model with what belongs to it, read from a
//! run or a folder. [`Params`] say how tokens are chosen and when an answer ends, [`Stream`] is how it comes. Runs are read by
//! `jarrah_run`.
//!
//! # A step
//!
//! A turn of the engine's thread (`engine/core.rs`) takes new requests, asks the scheduler for a plan, and computes it:
//!
//! ```text
//! Scheduler        which positions of which sequences, in which pages              jarrah-engine
//!   |  Batch       their tokens in one row, tokens of one adapter together         engine/decoding.rs
//! Runner           the programs of a step, one for each of a few sizes             engine/runner.rs
//!   |  logits      of the positions that want a token
//! Work             chooses for each Answer: mask, sampler, stop strings; tells Streams    engine/work.rs, answer.rs
//! ```
//!
//! * **Size.** In the program of a step each token is a sequence of one query, so a step has one extent, its number of tokens,
//!   and prompts and answers are alike. Attention takes consecutive positions of one text together (`AttentionCall::part`): they
//!   lie side by side and read the same pages. `jarrah_engine::Pace` bounds the tokens of prompts in a step by the times of
//!   recent steps, unless [`EngineOptions::paced`] is off. Plans depend on times, answers do not.
//! * **Bits.** Sums do not depend on the rest of a batch, so an answer has the same bits at any load. A model whose rotary rates
//!   differ for long texts is told how long each text counts as (`Tokens::lengths`); a sequence that grows past the limit begins
//!   again (`Scheduler::restart`).
//! * **Overlap.** Tokens chosen in a step become text while the next step is computed.
//! * **Drafts** come from the text (`engine/lookup.rs`), from a smaller model whose keys and values lie on the pages of layers
//!   that see a whole text (`engine/drafts.rs`), or from the model's modules for further tokens (`engine/heads.rs`). Each token
//!   is still chosen from its own logits, so no draft changes an answer.
//! * **Pages.** Layers that see the same window share pages (`engine/layout.rs`); layers at one place of all groups share memory,
//!   which a pass finds by `Context::sharing`. Blocks that leave the prefix cache are written to files (`engine/offload.rs`),
//!   which one thread reads for requests before they wait in the queue (`engine/reader.rs`): the engine's thread never waits for
//!   storage.
//! * **Other requests.** Beam search is requests of one token (`engine/beams.rs`). An encoder takes the runner's place
//!   (`engine/encoder.rs`): a text is computed as a whole in the step of its last token, padded to a length that depends on that
//!   text alone. An engine that sleeps gives back pages, and weights that it can read again (`engine/sleep.rs`).
//! * **Weights.** Adapters are arguments of the program (`Adapters` in the state of the pass; a row takes one or none), and
//!   weights are an `array::Prepared` tree, so both are exchanged between two steps without compiling.
//!
//! # A second start
//!
//! A start computes nothing that an earlier start computed. `Pretrained::load_deferred` leaves weights without data;
//! `array::Origin` gives the `Prepared` tree a `DiskCache` in which each computed value (panels, codes, scales) is a file, by a
//! hash of its recipe and of everything its arrays depend on: files with their times (`Tensors::identity`), how weights are held,
//! this program. A file that is there is mapped and checksummed at the speed of memory, so a second start reads, converts,
//! quantizes and packs no weight, and takes no memory but the system's for the files. A missing value is computed, and written by
//! a thread behind the first answers. A weight that is used as its file has it is mapped from there.

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
    AnswerDelta, Beam, BeamParams, BeamSearch, Completion, Drafts, Engine, EngineMemory, EngineMetrics,
    EngineOptions, EngineRequest, Finish, Finished, Histogram, Lookup, Offload, Pooling, Reasoning, Sleep,
    Stream, WeightsCache, nearness, normalize, probability,
};
pub use params::{MOST_LOGPROBS, Params, Repetition};
pub use sampler::{
    AnswerPlace, LogitsProcessor, Logprob, Sampler, TokenLogprobs, candidates, is_of_the_model, logprobs,
};
pub use served::{LoadOptions, Served};
pub use stop::StopStrings;
