//! Many requests at a time through one model.

mod adapters;
mod answer;
mod beams;
mod core;
mod decoding;
mod drafts;
mod encoder;
mod heads;
mod layout;
mod lookup;
mod metrics;
mod offline;
mod offload;
mod reader;
mod runner;
mod sleep;
mod stream;
mod weights;
mod work;

use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use jarrah_array::{Array, DType, TreeExt};
use jarrah_base::{Error, ErrorKind, Result, memory};
use jarrah_engine::{Limits, Scheduler};
use jarrah_models::Decoder;
use jarrah_structured::{Beginning, Constraint, Matcher, ReasoningFormat, Thinking, Vocabulary};
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::Templates;

use self::core::{Core, Model};
use crate::encoder::ServedEncoder;
use crate::params::Params;
use crate::sampler::{LogitsProcessor, Sampler};
use crate::served::{LoadOptions, Served};
use adapters::{AdapterCommand, Adapters, Loaded, no_adapter};
use answer::{Answer, Mark, Times, Words};
pub use beams::{Beam, BeamParams, BeamSearch};
use decoding::Decoding;
use drafts::Drafter;
pub use drafts::Drafts;
use encoder::Encoder;
use layout::Layout;
pub use lookup::Lookup;
pub use metrics::{Finished, Histogram, Metrics};
pub use offline::{Completion, nearness, normalize, probability};
pub use offload::Offload;
use offload::{Identity, Restore, Store, identity};
use runner::{AdapterRoom, CacheShape, Runner};
use sleep::Rest;
pub use sleep::Sleep;
use stream::Channel;
pub use stream::{Delta, Finish, Stream};
pub use weights::WeightsCache;

/// The fewest tokens to which sequences are shortened so that they take less memory.
const SHORTEST: usize = 2048;

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
    /// The most tokens by which a request is overtaken by later ones; none: that of [`Limits`].
    pub overtake: Option<u64>,
    /// The most adapters that are loaded at a time; 0: none can be.
    pub adapters: usize,
    /// The highest rank of an adapter.
    pub adapter_rank: usize,
    /// How tokens are drafted, if they are.
    pub drafts: Option<Drafts>,
    /// Where keys and values are kept whose pages go to others, if anywhere.
    pub offload: Option<Offload>,
    /// Where weights are kept in the form in which they are computed with, if anywhere: for models whose weights are [read when they are needed](Served::open).
    pub weights_cache: Option<WeightsCache>,
    /// Whether prompts are computed in parts beside answers that go on, so that these come at an even [pace](jarrah_engine::Pace); for whole answers, which nobody
    /// reads as they come, larger parts are sooner done.
    pub paced: bool,
    /// Whether programs of all sizes of steps are compiled while there is nothing to answer, the smallest first; a size that has none is compiled when it
    /// is needed.
    pub warm: bool,
}

impl Default for EngineOptions {
    /// 64 sequences, 512 tokens a step, pages of 64 tokens, 1,024 requests waiting.
    fn default() -> Self {
        EngineOptions {
            max_length: None,
            sequences: 64,
            tokens_per_step: 512,
            waiting: 1024,
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

/// What to generate.
#[derive(Clone, Default)]
pub struct EngineRequest {
    /// The tokens to go on from.
    pub prompt: Vec<u32>,
    /// How tokens are chosen, and when answers end.
    pub params: Params,
    /// Requests of a lower number go first.
    pub priority: i32,
    /// Only requests of the same salt use what one another have computed.
    pub salt: Vec<u8>,
    /// The adapter that the answer is made with.
    pub adapter: Option<String>,
    /// What the text must be.
    pub constraint: Option<Constraint>,
    /// How the model reasons before its answer, to which alone the constraint applies.
    pub reasoning: Option<Reasoning>,
    /// What changes the logits first.
    pub processor: Option<Arc<dyn LogitsProcessor>>,
    /// What is wanted is a vector for the prompt, made so of its tokens' vectors, and no text.
    pub pooling: Option<Pooling>,
    /// Where in the prompt the second of two texts begins, for encoders that tell them apart.
    pub second: Option<usize>,
}

/// How a model reasons before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The form.
    pub format: ReasoningFormat,
    /// Whether the answer begins within it.
    pub beginning: Beginning,
    /// The most tokens of reasoning; then it is made to end.
    pub budget: Option<usize>,
}

/// Which vector stands for a text: of what goes into the output layer for each of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// That of the last token.
    Last,
    /// That of the first token.
    First,
    /// The mean of all.
    Mean,
    /// None of these, but the logits of the model's classes.
    Classes,
}

/// What the threads of an engine and of its users share.
pub(crate) struct Shared {
    state: Mutex<State>,
    /// Something came.
    came: Condvar,
    /// The engine has ended.
    ended: Condvar,
    metrics: Mutex<Metrics>,
}

struct State {
    scheduler: Scheduler,
    arrivals: Vec<Answer>,
    aborted: Vec<u64>,
    weights: Vec<NewWeights>,
    /// What gives memory back, or takes it again.
    rests: Vec<(Rest, Sender<Result<Option<Identity>>>)>,
    /// How much memory is given back.
    asleep: Option<Sleep>,
    /// What is to be brought into memory.
    restores: Vec<Restore>,
    adapters: Adapters,
    adapter_commands: Vec<AdapterCommand>,
    /// Places in the queue that searches have taken for the beams of their steps.
    reserved: usize,
    paused: bool,
    /// Nothing new is taken; the engine ends when nothing is left.
    closing: bool,
    /// The engine ends now.
    quitting: bool,
    has_ended: bool,
    forget: bool,
}

/// Weights that take the place of those there are.
struct NewWeights {
    model: Decoder,
    /// Where keys and values are kept in files.
    identity: Option<Identity>,
    /// Who waits for them.
    told: Sender<Result<()>>,
}

/// Where weights come from.
#[derive(Clone, Debug)]
struct Source {
    path: PathBuf,
    what: LoadOptions,
}

/// Where in the queue a request finds its places.
enum Queue {
    /// Where others do, if there are some left.
    Open,
    /// Among those that are reserved for the search that it is of, which holds the adapter of all its requests.
    Reserved { adapter: Option<Arc<Loaded>> },
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

    fn metrics(&self) -> MutexGuard<'_, Metrics> {
        self.metrics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn abort(&self, ids: &[u64]) {
        self.lock().aborted.extend_from_slice(ids);
        self.came.notify_one();
    }
}

/// A model that answers requests, many at a time, on a thread of its own. A clone is another handle; the engine ends with the last one.
///
/// Each step computes the next token of every running answer, and parts of prompts. A request's tokens and their probabilities have the same bits
/// whatever runs beside it, however its prompt is cut into parts, and whether these were computed or found in the prefix cache.
///
/// ```
/// use jarrah_array::random::Key;
/// use jarrah_models::{Decoder, DecoderConfig};
/// use jarrah_serve::{Engine, EngineOptions, EngineRequest, Params, Served};
/// let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
/// let engine = Engine::start(Served::new("test", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
/// let params = Params { max_tokens: Some(4), ..Params::greedy() };
/// let mut stream = engine.add(EngineRequest { prompt: vec![1, 2, 3], params, ..EngineRequest::default() })?;
/// let mut tokens = Vec::new();
/// while let Some(delta) = stream.next() {
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
    structured: OnceLock<Result<Arc<Vocabulary>>>,
    store: Option<Arc<Store>>,
    /// The folder that the weights come from, if they come from one.
    source: Mutex<Option<Source>>,
    /// Held by who changes weights, sleeps or wakes up: the hash of the weights that it fell asleep with.
    slept: Mutex<Option<Identity>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Deref for Handle {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// What stays as it is while an engine runs.
struct Parts {
    name: String,
    tokenizer: Option<Tokenizer>,
    templates: Option<Templates>,
    ends: Arc<[u32]>,
    defaults: Params,
    /// The decoder without numbers, and what its `config.json` says.
    shapes: Option<Decoder>,
    json: Option<serde_json::Value>,
    /// The names of an encoder's classes.
    classes: Vec<String>,
    room: AdapterRoom,
    vocabulary: usize,
    options: EngineOptions,
    /// The most tokens of a sequence that the model was made for.
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

/// The memory that an engine has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineMemory {
    /// Bytes of weights.
    pub weights: usize,
    /// Bytes of keys and values.
    pub cache: usize,
    /// Tokens that these have room for, where none lies behind a window.
    pub cache_tokens: usize,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.lock().quitting = true;
        self.shared.came.notify_one();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The thread itself may hold the last handle of a stream, and with it of nothing of ours.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
            let _ = thread.join();
        }
    }
}

impl Engine {
    /// Takes the memory for keys and values, and waits for requests.
    ///
    /// # Errors
    /// An option is out of range, or there is not enough memory (`Input`, `Memory`); the folder for keys and values cannot be written (`Input`,
    /// `Environment`); the system starts no thread (`Environment`).
    pub fn start(served: Served, mut options: EngineOptions) -> Result<Engine> {
        let Served { name, mut model, json, tokenizer, templates, ends, defaults, source, mut deferred } =
            served;
        in_range(&options)?;
        // What is kept in files of keys and values is found by a hash of all weights.
        if let Some(deferred) = deferred.take_if(|_| options.offload.is_some()) {
            model = deferred.fill(&model)?;
        }
        let dtype = options.cache_dtype.unwrap_or_else(|| match model.embed.table.dtype() {
            dtype if dtype.is_float() => dtype,
            _ => DType::F32,
        });
        let layout = |longest: usize| layout(&model, &options, longest, dtype);
        let max_length = match length(&options, model.context)? {
            longest if options.max_length.is_none() => {
                let layout = layout(longest);
                let bytes = page_bytes(&model, &layout, &options, dtype);
                let limits = Limits { windows: layout.windows, ..limits(&options, longest) };
                longest.min(lengths_with_room(&options, &limits, bytes))
            }
            length => length,
        };
        if let Some(drafts) = &options.drafts {
            drafts.check(&model, max_length)?;
        }
        let layout = layout(max_length);
        let limits = Limits {
            windows: layout.windows.clone(),
            tokens_per_step: options.tokens_per_step.max(options.sequences),
            ..limits(&options, max_length)
        };
        let bytes = page_bytes(&model, &layout, &options, dtype).max(1);
        let shape = CacheShape { pages: pages(&limits, &options, bytes)?, page: options.page, dtype };
        let draft = options.drafts.as_ref().and_then(Drafts::model);
        let weights = model_bytes(&model) + draft.map_or(0, model_bytes);
        let cache = shape.pages.saturating_mul(bytes);
        let groups = layout.windows.len();
        let memory = EngineMemory { weights, cache, cache_tokens: shape.pages / groups * shape.page };
        let limits = Limits { pages: shape.pages, ..limits };
        let known = known(tokenizer.as_ref(), model.vocabulary())?;
        let room = AdapterRoom { count: options.adapters, rank: options.adapter_rank };
        if options.offload.is_some() && !options.prefix_caching {
            let error = "what is kept of keys and values in files is the prefix cache's, which is off";
            return Err(Error::input(error).op("engine").help("let prefixes be cached"));
        }
        let store = match &options.offload {
            None => None,
            Some(offload) => {
                // Nothing of a page is a draft model's.
                let bytes = Runner::page_bytes(&model, &layout, options.page, dtype);
                offload.check(bytes)?;
                let identity = identity(&model, json.as_ref(), (&layout, shape))?;
                Some(Arc::new(Store::new(offload, identity, bytes)?))
            }
        };
        let weights = weights::prepared(model, deferred, options.weights_cache.as_ref());
        let mut runner = Runner::new(weights, (layout.clone(), shape), options.sequences, max_length, room)?;
        if let Some(Drafts::Heads { .. }) = &options.drafts {
            runner.reserve_further()?;
        }
        let shapes = Some(runner.weights().shapes().clone());
        let context = shapes.as_ref().map_or(max_length, |model| model.context);
        let drafter = options
            .drafts
            .take()
            .map(|drafts| Drafter::new(drafts, shape, options.sequences, max_length, limits.tokens_per_step));
        let decoding = Decoding::new(runner, drafter.transpose()?, &limits, options.paced);
        Engine::begin(
            limits,
            Model::Decoder(Box::new(decoding)),
            (store, source.map(|(path, what)| Source { path, what })),
            Parts {
                name,
                tokenizer,
                templates,
                ends: ends.into(),
                defaults,
                shapes,
                json,
                classes: Vec::new(),
                room,
                vocabulary: known,
                options,
                context,
                max_length,
                memory,
                layout: Some((layout, shape)),
            },
        )
    }

    /// Serves vectors and classes of texts by an encoder: what is asked of it must say how, by [`EngineRequest::pooling`].
    ///
    /// A text's vector has the same bits whatever is computed beside it.
    ///
    /// # Errors
    /// An option is out of range (`Input`); the system starts no thread (`Environment`).
    ///
    /// ```
    /// use jarrah_array::random::Key;
    /// use jarrah_models::{Bert, PretrainedModel};
    /// use jarrah_serve::{Engine, EngineOptions, Pooling, ServedEncoder};
    /// let json = serde_json::json!({
    ///     "model_type": "bert", "vocab_size": 30, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
    ///     "intermediate_size": 16, "max_position_embeddings": 16, "architectures": ["BertModel"]});
    /// let bert = PretrainedModel::<Bert>::random(json, &Key::new(0))?.model;
    /// let engine = Engine::start_encoder(ServedEncoder::new("test", bert), EngineOptions::default())?;
    /// let vectors = engine.embed(vec![vec![1, 2, 3], vec![4]], Pooling::Mean, true)?;
    /// assert_eq!(vectors[1].len(), 8);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn start_encoder(served: ServedEncoder, options: EngineOptions) -> Result<Engine> {
        let ServedEncoder { name, model, tokenizer, classes, .. } = served;
        in_range(&options)?;
        if options.drafts.is_some() || options.adapters > 0 || options.offload.is_some() {
            let error = "an encoder has no drafts, takes no adapters, and keeps no keys and values";
            return Err(Error::input(error).op("engine"));
        }
        let context = model.positions.table.shape()[0];
        let max_length = length(&options, context)?;
        let vocabulary = known(tokenizer.as_ref(), model.embed.table.shape()[0])?;
        let bytes = |x: &Array| x.ty().bytes().unwrap_or(usize::MAX);
        let weights = model.leaves().into_iter().map(bytes).fold(0, usize::saturating_add);
        let memory = EngineMemory { weights, cache: 0, cache_tokens: 0 };
        // There are no keys and values, so there are as many pages as can be wanted.
        let limits = Limits {
            pages: options.sequences * (max_length.div_ceil(options.page) + 1),
            tokens_per_step: options.tokens_per_step.max(options.sequences),
            ..limits(&options, max_length)
        };
        let encoder = Encoder::new(model, max_length, limits.tokens_per_step);
        // What was computed of a text is not found again.
        let options = EngineOptions { prefix_caching: false, ..options };
        Engine::begin(
            limits,
            Model::Encoder(Box::new(encoder)),
            (None, None),
            Parts {
                name,
                tokenizer,
                templates: None,
                ends: Arc::default(),
                defaults: Params::default(),
                shapes: None,
                json: None,
                classes,
                room: AdapterRoom::default(),
                vocabulary,
                options,
                context,
                max_length,
                memory,
                layout: None,
            },
        )
    }

    /// Starts the thread.
    fn begin(
        limits: Limits,
        model: Model,
        (store, source): (Option<Arc<Store>>, Option<Source>),
        parts: Parts,
    ) -> Result<Engine> {
        let mut metrics = Metrics::new();
        (metrics.pages, metrics.page) = (limits.pages, limits.page);
        let mut scheduler = Scheduler::new(limits)?;
        if store.is_some() {
            scheduler.keep_keys();
        }
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                scheduler,
                arrivals: Vec::new(),
                aborted: Vec::new(),
                weights: Vec::new(),
                rests: Vec::new(),
                asleep: None,
                restores: Vec::new(),
                adapters: Adapters::new(parts.options.adapters),
                adapter_commands: Vec::new(),
                reserved: 0,
                paused: false,
                closing: false,
                quitting: false,
                has_ended: false,
                forget: false,
            }),
            came: Condvar::new(),
            ended: Condvar::new(),
            metrics: Mutex::new(metrics),
        });
        let core = Core::new(shared.clone(), model, parts.vocabulary, parts.options.warm, store.clone());
        let thread = thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || core.run())
            .map_err(|e| Error::environment(format!("the engine's thread cannot start: {e}")))?;
        Ok(Engine {
            handle: Arc::new(Handle {
                shared,
                parts,
                next_id: AtomicU64::new(1),
                random: RandomState::new(),
                structured: OnceLock::new(),
                store,
                source: Mutex::new(source),
                slept: Mutex::new(None),
                thread: Mutex::new(Some(thread)),
            }),
        })
    }

    /// Takes a request; its answers come by the stream.
    ///
    /// # Errors
    /// The request asks for what cannot be (`Input`), as many wait as may, or the engine takes nothing any more (`Environment`).
    pub fn add(&self, request: EngineRequest) -> Result<Stream> {
        self.add_to(request, Queue::Open)
    }

    fn add_to(&self, request: EngineRequest, queue: Queue) -> Result<Stream> {
        let handle = &self.handle;
        let EngineRequest {
            prompt,
            mut params,
            priority,
            salt,
            adapter,
            constraint,
            reasoning,
            processor,
            pooling,
            second,
        } = request;
        let wrong = |error: &str| Err(Error::input(error).op("engine"));
        match (handle.shapes.is_some(), pooling) {
            (false, None) => return wrong("the model makes vectors of texts, and writes none"),
            (_, Some(Pooling::Classes)) if handle.classes.is_empty() => {
                return wrong("the model has no classes of texts");
            }
            _ => {}
        }
        if pooling.is_some() {
            // The scheduler is asked for a token, which is not chosen.
            params = Params { max_tokens: Some(1), ..Params::default() };
        }
        params.check(handle.vocabulary)?;
        if let Some(token) = prompt.iter().find(|token| **token as usize >= handle.vocabulary) {
            let error = format!("the prompt has token {token}, the model has {} tokens", handle.vocabulary);
            return Err(Error::input(error).op("engine").help("tokens count from 0"));
        }
        // The token behind the prompt of a vector is not computed.
        let room = (handle.max_length + usize::from(pooling.is_some())).saturating_sub(prompt.len());
        if prompt.is_empty() || room == 0 || params.max_tokens.is_some_and(|most| most > room) {
            let most = params.max_tokens.unwrap_or(1);
            let error = match prompt.len() {
                0 => "the prompt has no token".to_owned(),
                length => format!(
                    "the prompt has {length} tokens and the answer up to {most}, more than the {} of a sequence",
                    handle.max_length
                ),
            };
            return Err(Error::input(error).op("engine").help("shorten the prompt or ask for fewer tokens"));
        }
        if handle.tokenizer.is_none() && !(params.stop.is_empty() && params.bad_words.is_empty()) {
            let error = "stop strings and bad words need a tokenizer, which the model has not";
            return Err(Error::input(error).op("engine").help("give stop_token_ids"));
        }
        let matcher = match &constraint {
            None => None,
            Some(constraint) => Some(Matcher::new(&self.structured()?, constraint)?),
        };
        let seed = params.seed.unwrap_or_else(|| self.random_seed());
        let bad = self.bad_words(&params.bad_words)?;
        let channel = Arc::new(Channel::new(params.n));
        let max_tokens = params.max_tokens.unwrap_or(room);
        let arrived = Instant::now();
        let params = Arc::new(Params { max_tokens: Some(max_tokens), ..params });
        let mut answers = Vec::with_capacity(params.n);
        let mut ids = Vec::with_capacity(params.n);
        for choice in 0..params.n {
            let id = handle.next_id.fetch_add(1, Ordering::Relaxed);
            ids.push(id);
            let words = handle.tokenizer.as_ref().filter(|_| params.detokenize).map(|tokenizer| {
                let stream = tokenizer.decode_stream(params.skip_special_tokens);
                Words::new(stream, &params.stop, params.include_stop)
            });
            let seed = seed.wrapping_add(choice as u64);
            let thinking = self.thinking(reasoning)?;
            answers.push(Answer {
                id,
                choice,
                channel: channel.clone(),
                sampler: Sampler::new(params.clone(), seed, &prompt, bad.clone(), &handle.ends),
                matcher: matcher.clone(),
                mark: Mark::of(thinking.as_ref(), matcher.as_ref()),
                thinking,
                processor: processor.clone(),
                text: words.transpose()?,
                ends: handle.ends.clone(),
                params: params.clone(),
                prompt: prompt.len(),
                count: 0,
                drafts: Vec::new(),
                drafted: 0,
                salt: Vec::new(),
                is_apart: false,
                length: 0,
                adapter: None,
                second,
                pooling,
                pooled: Vec::new(),
                prompt_logprobs: params.prompt_logprobs.filter(|_| choice == 0).map(|top| (top, vec![None])),
                cached: None,
                times: Times { arrived, begun: None, first: None, last: None },
                is_told: false,
                held: Delta::default(),
                has_ended: false,
            });
        }
        self.enter((prompt, max_tokens, priority), answers, (salt, adapter.as_deref()), queue)?;
        Ok(Stream { channel, ids, shared: handle.shared.clone() })
    }

    /// Puts answers to one prompt into the queue: all or none.
    fn enter(
        &self,
        (prompt, most_tokens, priority): (Vec<u32>, usize, i32),
        mut answers: Vec<Answer>,
        (salt, adapter): (Vec<u8>, Option<&str>),
        queue: Queue,
    ) -> Result<()> {
        let handle = &self.handle;
        let count = answers.len();
        let mut state = self.open()?;
        if count > handle.options.waiting {
            let error = format!("{count} answers are asked for, and {} may wait", handle.options.waiting);
            return Err(Error::input(error).op("engine").help("ask for fewer, or let more wait"));
        }
        let is_open = matches!(queue, Queue::Open);
        if is_open {
            self.find_places(&state, count)?;
        }
        let adapter = match (queue, adapter) {
            (Queue::Reserved { adapter }, _) => adapter,
            (Queue::Open, None) => None,
            (Queue::Open, Some(name)) => {
                Some(state.adapters.find(name).ok_or_else(|| no_adapter(name, &state.adapters))?)
            }
        };
        // Keys and values depend on the adapter.
        let adapted = adapter.as_ref().map_or(&[][..], |adapter| &adapter.hash);
        let shared = [&b"salt "[..], &[adapted.len() as u8], adapted, &salt].concat();
        for answer in &mut answers {
            answer.adapter.clone_from(&adapter);
            // What is told of a prompt is not in the prefix cache: a salt that nothing else has finds nothing there.
            answer.is_apart = !handle.options.prefix_caching
                || answer.params.skip_prefix_cache
                || answer.prompt_logprobs.is_some()
                || answer.pooling.is_some_and(|pooling| pooling != Pooling::Last);
            answer.salt = match answer.is_apart {
                true => [b"alone ".as_slice(), &answer.id.to_le_bytes()].concat(),
                false => shared.clone(),
            };
        }
        let may_be_found = answers.iter().any(|answer| !answer.is_apart);
        if handle.store.is_some()
            && may_be_found
            && state.scheduler.counters().waiting < handle.options.waiting
        {
            drop(state);
            let limit = handle.shapes.as_ref().and_then(Decoder::long_from);
            match limit.is_some_and(|limit| prompt.len() > limit) {
                true => handle.restore(&long(&shared), &prompt),
                false => handle.restore(&shared, &prompt),
            }
            state = self.open()?;
        }
        // Others may have come meanwhile.
        if is_open {
            self.find_places(&state, count)?;
        }
        for at in 0..count {
            let answer = &answers[at];
            let request = jarrah_engine::Request {
                id: answer.id,
                prompt: prompt.clone(),
                most_tokens,
                priority,
                salt: answer.salt.clone(),
                is_apart: answer.is_apart,
            };
            if let Err(error) = state.scheduler.add(request) {
                for earlier in &answers[..at] {
                    state.scheduler.abort(earlier.id);
                }
                return Err(error);
            }
        }
        let mut metrics = handle.shared.metrics();
        metrics.n.observe(count as f64);
        drop(metrics);
        state.arrivals.extend(answers);
        drop(state);
        handle.shared.came.notify_one();
        Ok(())
    }

    /// The state of an engine that takes requests.
    fn open(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.handle.shared.lock();
        state.takes_more()?;
        Ok(state)
    }

    /// Whether so many more answers may wait, beside what waits and what is reserved.
    fn find_places(&self, state: &State, count: usize) -> Result<()> {
        let taken = state.scheduler.counters().waiting + state.reserved;
        if taken + count <= self.handle.options.waiting {
            return Ok(());
        }
        self.handle.shared.metrics().rejected += 1;
        let error = match count {
            1 => format!("{taken} requests wait, as many as may"),
            _ => format!("{count} answers find {taken} that wait, and {} may", self.handle.options.waiting),
        };
        Err(Error::environment(error).op("engine").help("send it again later"))
    }

    /// The tokens as grammars see them, made when the first request asks for a form.
    fn structured(&self) -> Result<Arc<Vocabulary>> {
        let handle = &self.handle;
        let Some(tokenizer) = &handle.tokenizer else {
            let error = "a form of the text needs a tokenizer, which the model has not";
            return Err(Error::input(error).op("engine"));
        };
        let made = || Vocabulary::new(tokenizer, &handle.ends, handle.vocabulary).map(Arc::new);
        handle.structured.get_or_init(made).clone()
    }

    fn thinking(&self, reasoning: Option<Reasoning>) -> Result<Option<Thinking>> {
        match (reasoning, &self.handle.tokenizer) {
            (Some(Reasoning { format, beginning, budget }), Some(tokenizer)) => {
                Thinking::new(tokenizer, format, beginning, budget).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn random_seed(&self) -> u64 {
        self.handle.random.hash_one(self.handle.next_id.load(Ordering::Relaxed))
    }

    /// Bad words as tokens: at the beginning of a text, and behind a space.
    fn bad_words(&self, words: &[String]) -> Result<Vec<Vec<u32>>> {
        let Some(tokenizer) = &self.handle.tokenizer else { return Ok(Vec::new()) };
        let mut bad: Vec<Vec<u32>> = Vec::new();
        for word in words {
            for text in [word.trim_start().to_owned(), format!(" {}", word.trim_start())] {
                let tokens = tokenizer.encode(&text)?;
                if !tokens.is_empty() && !bad.contains(&tokens) {
                    bad.push(tokens);
                }
            }
        }
        Ok(bad)
    }

    /// The name of what is served.
    pub fn name(&self) -> &str {
        &self.handle.name
    }

    /// The tokenizer, where the model has one.
    pub fn tokenizer(&self) -> Option<&Tokenizer> {
        self.handle.tokenizer.as_ref()
    }

    /// The templates for chats, where the model has some.
    pub fn templates(&self) -> Option<&Templates> {
        self.handle.templates.as_ref()
    }

    /// The parameters that a request has where it says nothing: those of the model's `generation_config.json`.
    pub fn defaults(&self) -> &Params {
        &self.handle.defaults
    }

    /// The tokens that end a text.
    pub fn ends(&self) -> &[u32] {
        &self.handle.ends
    }

    /// The number of tokens there are.
    pub fn vocabulary(&self) -> usize {
        self.handle.vocabulary
    }

    /// The most tokens of a sequence, prompt and answer together.
    pub fn max_length(&self) -> usize {
        self.handle.max_length
    }

    /// The most tokens of a sequence that the model was made for; [`max_length`](Self::max_length) may be fewer.
    pub fn context(&self) -> usize {
        self.handle.context
    }

    /// The names of the classes of texts, where the model has some.
    pub fn classes(&self) -> &[String] {
        &self.handle.classes
    }

    /// Whether the model makes vectors of texts, and writes none.
    pub fn is_encoder(&self) -> bool {
        self.handle.shapes.is_none()
    }

    /// The options it was started with.
    pub fn options(&self) -> &EngineOptions {
        &self.handle.options
    }

    /// The memory that it has taken.
    pub fn memory(&self) -> EngineMemory {
        self.handle.memory
    }

    /// What it has now, and what happened since it started.
    pub fn metrics(&self) -> Metrics {
        let counters = self.handle.shared.lock().scheduler.counters();
        let mut metrics = self.handle.shared.metrics().clone();
        (metrics.running, metrics.waiting) = (counters.running, counters.waiting);
        metrics.cache_usage = counters.held as f64 / counters.pages.max(1) as f64;
        (metrics.prefix_queries, metrics.prefix_hits) = (counters.sought, counters.hits);
        metrics.preemptions = counters.preemptions;
        metrics
    }

    /// Forgets what the prefix cache has.
    pub fn forget_prefixes(&self) {
        self.handle.shared.lock().forget = true;
        self.handle.shared.came.notify_one();
    }

    /// Stops before the next step, until [`resume`](Self::resume); requests are taken and wait.
    pub fn pause(&self) {
        self.handle.shared.lock().paused = true;
    }

    /// Goes on.
    pub fn resume(&self) {
        self.handle.shared.lock().paused = false;
        self.handle.shared.came.notify_one();
    }

    /// Whether it is paused.
    pub fn is_paused(&self) -> bool {
        self.handle.shared.lock().paused
    }

    /// Puts other weights in the place of those there are, between two steps, and forgets the prefix cache; nothing is compiled or copied. Answers
    /// that run go on with the new weights.
    ///
    /// # Errors
    /// The model has another structure, or a weight another type, which is named (`Input`); or the engine has ended. Then nothing changes.
    pub fn set_weights(&self, model: Decoder) -> Result<()> {
        let _change = self.change();
        self.put_weights(model)?;
        *self.handle.source.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    /// The same with what is at a path: see [`Served::load`].
    ///
    /// # Errors
    /// As [`Served::load`] and [`set_weights`](Self::set_weights).
    pub fn load_weights(&self, path: &Path, what: &LoadOptions) -> Result<()> {
        let model = Served::load(path, what)?.model;
        let _change = self.change();
        self.put_weights(model)?;
        let source = Source { path: path.to_owned(), what: what.clone() };
        *self.handle.source.lock().unwrap_or_else(PoisonError::into_inner) = Some(source);
        Ok(())
    }

    fn put_weights(&self, model: Decoder) -> Result<()> {
        let handle = &self.handle;
        let ended = || Error::environment("the engine has ended").op("engine");
        let identity = match (&handle.store, &handle.layout) {
            (Some(_), Some((layout, shape))) => {
                Some(identity(&model, handle.json.as_ref(), (layout, *shape))?)
            }
            _ => None,
        };
        let (told, answer) = channel();
        let mut state = handle.shared.lock();
        if state.has_ended {
            return Err(ended());
        }
        state.weights.push(NewWeights { model, identity, told });
        drop(state);
        handle.shared.came.notify_one();
        let set = answer.recv().unwrap_or_else(|_| Err(ended()));
        set.map_err(|error| match error.kind() {
            ErrorKind::Program => {
                let message = format!("these are weights of another model: {}", error.message());
                Error::input(message).op("engine").help("give weights of the same shapes and dtypes")
            }
            _ => error,
        })
    }

    /// Whether it takes no more requests: it is shutting down, or has ended.
    pub fn is_closing(&self) -> bool {
        let state = self.handle.shared.lock();
        state.closing || state.quitting || state.has_ended
    }

    /// Whether it computes nothing any more: it was told to end, or has ended by a panic.
    pub fn has_ended(&self) -> bool {
        self.handle.shared.lock().has_ended
    }

    /// Takes no more requests, and returns when all that there were have ended, and what the prefix cache has, and weights as they are
    /// computed with, are in files, where these are asked for.
    pub fn shut_down(&self) {
        let mut state = self.handle.shared.lock();
        state.closing = true;
        state.paused = false;
        self.handle.shared.came.notify_one();
        while !state.has_ended {
            state = self.handle.shared.ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends now: what runs or waits is cancelled.
    pub fn cancel_all(&self) {
        self.handle.shared.lock().quitting = true;
        self.handle.shared.came.notify_one();
    }
}

/// The salt of keys and values of a text that is so long that it is computed in another way.
fn long(salt: &[u8]) -> Vec<u8> {
    [b"long ", salt].concat()
}

/// Whether the numbers are some that an engine can have: of each there are tables.
fn in_range(options: &EngineOptions) -> Result<()> {
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

/// The most tokens of a sequence.
fn length(options: &EngineOptions, context: usize) -> Result<usize> {
    match options.max_length.unwrap_or(context) {
        length if (1..=context).contains(&length) => Ok(length),
        length => {
            let error = format!("sequences of {length} tokens, but the model was made for {context}");
            Err(Error::input(error).op("engine").help("take a shorter length"))
        }
    }
}

/// The longest sequence that the memory for keys and values has room for where nobody asks for a length.
fn lengths_with_room(options: &EngineOptions, limits: &Limits, page_bytes: usize) -> usize {
    let fit = |bytes: usize| {
        let pages = bytes / page_bytes.max(1);
        let (mut fits, mut not) = (0, limits.max_length + 1);
        while not - fits > 1 {
            let middle = fits + (not - fits) / 2;
            match limits.need(middle) <= pages {
                true => fits = middle,
                false => not = middle,
            }
        }
        fits
    };
    match options.cache_bytes {
        Some(given) => fit(given).max(1),
        // Less than this is of little use: then memory is looked for beyond the usual share.
        None => fit(memory::available() / 8).max(SHORTEST),
    }
}

fn limits(options: &EngineOptions, max_length: usize) -> Limits {
    Limits {
        page: options.page,
        sequences: options.sequences,
        // The token behind the last one of a sequence is chosen, not computed.
        max_length: max_length + 1,
        // The engine looks for places itself; searches have some that are not counted among those of others.
        waiting: options.waiting.saturating_mul(2).saturating_add(options.sequences),
        overtake: options.overtake.unwrap_or(Limits::default().overtake),
        ..Limits::default()
    }
}

/// The tokens there are: a model may have room for more.
fn known(tokenizer: Option<&Tokenizer>, vocabulary: usize) -> Result<usize> {
    match tokenizer.map(Tokenizer::vocab_size) {
        None => Ok(vocabulary),
        Some(known) if known <= vocabulary => Ok(known),
        Some(known) => {
            let error = format!("the tokenizer has {known} tokens, but the model knows {vocabulary}");
            Err(Error::input(error).help("use the tokenizer that the model was trained with"))
        }
    }
}

fn model_bytes(model: &Decoder) -> usize {
    let bytes = |x: &Array| x.ty().bytes().unwrap_or(usize::MAX);
    model.leaves().into_iter().map(bytes).fold(0, usize::saturating_add)
}

/// The bytes of the keys and values of a page, those of a draft model among them.
fn page_bytes(model: &Decoder, layout: &Layout, options: &EngineOptions, dtype: DType) -> usize {
    let draft = options.drafts.as_ref().and_then(Drafts::model);
    let of = |model, layout: &Layout| Runner::page_bytes(model, layout, options.page, dtype);
    let further = match &options.drafts {
        Some(Drafts::Heads { .. }) => Runner::further_bytes(model, options.page, dtype),
        _ => 0,
    };
    let draft = draft.map_or(0, |draft| of(draft, &Layout::whole(draft)));
    of(model, layout).saturating_add(draft).saturating_add(further)
}

/// How the layers of a model lie on pages.
///
/// What drafts with keys and values of its own has them on the pages of the layers that see all of a text, and room for them on all others. Where no layer sees all of a text, or
/// that room is more than windows save, all layers lie on the same pages, and none is given back.
fn layout(model: &Decoder, options: &EngineOptions, longest: usize, dtype: DType) -> Layout {
    let layout = Layout::of(model, longest, dtype);
    if let None | Some(Drafts::Lookup(_)) = options.drafts {
        return layout;
    }
    let whole = Layout::whole(model);
    let bytes = |layout: &Layout| {
        let limits = Limits { windows: layout.windows.clone(), ..limits(options, longest) };
        limits.need(longest).saturating_mul(page_bytes(model, layout, options, dtype))
    };
    match layout.windows[0].is_none() && bytes(&layout) < bytes(&whole) {
        true => layout,
        false => whole,
    }
}

/// How many pages of so many bytes there are.
fn pages(limits: &Limits, options: &EngineOptions, bytes: usize) -> Result<usize> {
    // The token behind the last one of a sequence is not computed.
    let max_length = limits.max_length - 1;
    let longest = limits.need(max_length);
    // Behind a window lie pages of a step until it is done.
    let windows = limits.windows.iter().flatten().count();
    let behind = windows * limits.tokens_per_step.min(max_length).div_ceil(options.page);
    let all = longest.saturating_mul(options.sequences).saturating_add(behind);
    let given = options.cache_bytes.unwrap_or_else(|| memory::available() / 8);
    let pages = match options.cache_bytes {
        Some(given) => given / bytes,
        None => (given / bytes).max(longest),
    };
    let pages = pages.min(all).min(i32::MAX as usize);
    if pages < longest {
        let need = longest.saturating_mul(bytes);
        let error = format!(
            "a sequence of {max_length} tokens needs {} for keys and values, there are {}",
            memory::size(need),
            memory::size(given)
        );
        return Err(Error::input(error)
            .op("engine")
            .help("give the cache more memory, or take shorter sequences"));
    }
    let enough = memory::check(pages.saturating_mul(bytes), &"keys and values");
    enough.map_err(|e| e.help("take shorter sequences, or keys and values in 8 bits"))?;
    Ok(pages)
}
