//! An engine: one model that answers many requests at a time.

mod adapters;
mod answer;
mod beams;
mod core;
mod decoding;
mod drafts;
mod encoder;
mod guess;
mod heads;
mod layout;
mod lookup;
mod metrics;
mod offline;
mod offload;
mod options;
mod reader;
mod request;
mod room;
mod runner;
mod sleep;
mod start;
mod stream;
mod weights;
mod work;

use std::hash::RandomState;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

use jarrah_base::{Error, Result};
use jarrah_engine::Scheduler;
use jarrah_models::Decoder;
use jarrah_structured::MaskVocabulary;
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::Templates;

use crate::params::Params;
use adapters::{AdapterCommand, Adapters};
use answer::Answer;
pub use beams::{Beam, BeamParams, BeamSearch};
pub use drafts::Drafts;
use layout::Layout;
pub use lookup::Lookup;
pub use metrics::{EngineMetrics, Finished, Histogram};
pub use offline::{Completion, nearness, normalize, probability};
pub use offload::Offload;
use offload::{Identity, Restore, Store};
pub use options::EngineOptions;
use request::long;
pub use request::{EngineRequest, Pooling, Reasoning};
pub use room::EngineMemory;
use runner::{AdapterRoom, CacheShape};
use sleep::Rest;
pub use sleep::Sleep;
pub use stream::{AnswerDelta, Finish, Stream};
pub use weights::WeightsCache;
use weights::{NewWeights, Source};

/// The state that the engine's thread shares with the handles and streams of its users.
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Notified when there is work for the engine's thread.
    came: Condvar,
    /// Notified when the engine has ended.
    ended: Condvar,
    metrics: Mutex<EngineMetrics>,
}

struct State {
    scheduler: Scheduler,
    arrivals: Vec<Answer>,
    aborted: Vec<u64>,
    weights: Vec<NewWeights>,
    /// Orders to put memory to sleep or to wake it, each with the sender of its result.
    rests: Vec<(Rest, Sender<Result<Option<Identity>>>)>,
    /// The depth of the sleep, if the engine sleeps.
    asleep: Option<Sleep>,
    /// Pages read from files, to be copied into memory before the next step.
    restores: Vec<Restore>,
    adapters: Adapters,
    adapter_commands: Vec<AdapterCommand>,
    /// Places in the queue that beam searches have reserved.
    reserved: usize,
    paused: bool,
    /// Whether no more requests are taken; the engine ends when all answers have ended.
    closing: bool,
    /// Whether the engine ends now, without finishing its answers.
    quitting: bool,
    has_ended: bool,
    forget: bool,
}

impl State {
    /// # Errors
    /// The engine takes no more requests (`Environment`).
    fn takes_more(&self) -> Result<()> {
        let why = match () {
            () if self.closing || self.quitting => "it is shutting down",
            () if self.has_ended => "it has ended by a panic",
            () => return Ok(()),
        };
        Err(Error::environment(format!("the engine takes no more requests: {why}")).op("engine"))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn metrics(&self) -> MutexGuard<'_, EngineMetrics> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn abort(&self, ids: &[u64]) {
        self.lock().aborted.extend_from_slice(ids);
        self.came.notify_one();
    }
}

/// A model that answers many requests at a time, on a thread of its own. A clone is another handle; the engine ends with the last
/// handle.
///
/// Each step computes the next token of every running answer, and parts of prompts. The tokens of a request and their
/// probabilities have the same bits whatever runs beside it, however its prompt is split among steps, and whether parts of it
/// were found in the prefix cache.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_models::{Decoder, DecoderConfig};
/// use jarrah_serve::{Engine, EngineOptions, EngineRequest, Params, Served};
/// let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
/// let engine = Engine::start(Served::new("test", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
/// let params = Params { max_tokens: Some(4), ..Params::greedy() };
/// let stream = engine.add(EngineRequest { prompt: vec![1, 2, 3], params, ..EngineRequest::default() })?;
/// let mut tokens = Vec::new();
/// for delta in stream {
///     tokens.extend(delta.tokens);
/// }
/// assert_eq!(tokens.len(), 4);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    handle: Arc<Handle>,
}

struct Handle {
    shared: Arc<Shared>,
    parts: Parts,
    next_id: AtomicU64,
    random: RandomState,
    structured: OnceLock<Result<Arc<MaskVocabulary>>>,
    store: Option<Arc<Store>>,
    /// The folder that the weights were read from, if any.
    source: Mutex<Option<Source>>,
    /// Held by the caller that changes weights, sleeps or wakes: the hash of the weights at the last falling asleep.
    slept: Mutex<Option<Identity>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Deref for Handle {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// The parts of an engine that do not change while it runs.
struct Parts {
    name: String,
    tokenizer: Option<Tokenizer>,
    templates: Option<Templates>,
    ends: Arc<[u32]>,
    defaults: Params,
    /// The decoder's shapes without data, and its `config.json`.
    shapes: Option<Decoder>,
    json: Option<serde_json::Value>,
    /// The names of an encoder's classes.
    classes: Vec<String>,
    room: AdapterRoom,
    vocabulary: usize,
    options: EngineOptions,
    /// The longest sequence for which the model was made.
    context: usize,
    max_length: usize,
    memory: EngineMemory,
    layout: Option<(Layout, CacheShape)>,
}

impl Handle {
    fn source(&self) -> Option<Source> {
        self.source.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.lock().quitting = true;
        self.shared.came.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // If the thread itself drops the last handle, it cannot join itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
            let _ = thread.join();
        }
    }
}

impl Engine {
    /// The name of the model.
    pub fn name(&self) -> &str {
        &self.handle.name
    }

    /// The tokenizer, if the model has one.
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.handle.tokenizer.as_ref()
    }

    /// The chat templates, if the model has any.
    pub fn templates(&self) -> Option<&Templates> {
        self.handle.templates.as_ref()
    }

    /// The default parameters of requests: those of the model's `generation_config.json`.
    pub fn defaults(&self) -> &Params {
        &self.handle.defaults
    }

    /// The model's end tokens.
    pub fn ends(&self) -> &[u32] {
        &self.handle.ends
    }

    /// The number of tokens in the vocabulary.
    pub fn vocabulary(&self) -> usize {
        self.handle.vocabulary
    }

    /// The most tokens of a sequence, prompt and answer together.
    pub fn max_length(&self) -> usize {
        self.handle.max_length
    }

    /// The longest sequence for which the model was made; [`max_length`](Self::max_length) may be shorter.
    pub fn context(&self) -> usize {
        self.handle.context
    }

    /// The names of the classes of texts, if the model has a classifier.
    pub fn classes(&self) -> &[String] {
        &self.handle.classes
    }

    /// Whether the model is an encoder, which computes vectors of texts and generates none.
    pub fn is_encoder(&self) -> bool {
        self.handle.shapes.is_none()
    }

    /// The options that the engine was started with.
    pub fn options(&self) -> &EngineOptions {
        &self.handle.options
    }

    /// The memory that the engine has taken.
    pub fn memory(&self) -> EngineMemory {
        self.handle.memory
    }

    /// The engine's present state, and what it has counted since it started.
    pub fn metrics(&self) -> EngineMetrics {
        let counters = self.handle.shared.lock().scheduler.counters();
        let mut metrics = self.handle.shared.metrics().clone();
        (metrics.running, metrics.waiting) = (counters.running, counters.waiting);
        metrics.cache_usage = counters.held as f64 / counters.pages.max(1) as f64;
        (metrics.prefix_queries, metrics.prefix_hits) = (counters.sought, counters.hits);
        metrics.preemptions = counters.preemptions;
        metrics
    }

    /// Empties the prefix cache, before the next step.
    pub fn forget_prefixes(&self) {
        self.handle.shared.lock().forget = true;
        self.handle.shared.came.notify_one();
    }

    /// Pauses before the next step, until [`resume`](Self::resume); requests are accepted and wait.
    pub fn pause(&self) {
        self.handle.shared.lock().paused = true;
    }

    /// Ends a pause.
    pub fn resume(&self) {
        self.handle.shared.lock().paused = false;
        self.handle.shared.came.notify_one();
    }

    /// Whether the engine is paused.
    pub fn is_paused(&self) -> bool {
        self.handle.shared.lock().paused
    }

    /// Whether the engine takes no more requests: it is shutting down, or has ended.
    pub fn is_closing(&self) -> bool {
        let state = self.handle.shared.lock();
        state.closing || state.quitting || state.has_ended
    }

    /// Whether the engine's thread has ended, because it was told to or by a panic.
    pub fn has_ended(&self) -> bool {
        self.handle.shared.lock().has_ended
    }

    /// Waits until the engine has ended. Returns whether it ended by a panic, without being told to.
    pub fn wait_for_end(&self) -> bool {
        let mut state = self.handle.shared.lock();
        while !state.has_ended {
            state = self.handle.shared.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        !state.closing && !state.quitting
    }

    /// Takes no more requests, and returns when all answers have ended. Where files for them are configured, the prefix cache and
    /// the weights in their computed form have been written by then.
    pub fn shut_down(&self) {
        let mut state = self.handle.shared.lock();
        state.closing = true;
        state.paused = false;
        self.handle.shared.came.notify_one();
        while !state.has_ended {
            state = self.handle.shared.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends now: running and waiting answers are cancelled.
    pub fn cancel_all(&self) {
        self.handle.shared.lock().quitting = true;
        self.handle.shared.came.notify_one();
    }
}
