//! The start of an engine.

use std::hash::RandomState;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::thread;

use jarrah_array::DType;
use jarrah_base::{Error, Result};
use jarrah_engine::{Limits, Scheduler};
use jarrah_tokenizer::Tokenizer;

use super::adapters::Adapters;
use super::core::{Core, Model};
use super::decoding::Decoding;
use super::drafts::{Drafter, Drafts};
use super::encoder::Encoder;
use super::metrics::EngineMetrics;
use super::offload::{Store, identity};
use super::options::{EngineOptions, in_range};
use super::room::{EngineMemory, layout, length, lengths_with_room, limits, page_bytes, pages};
use super::runner::{AdapterRoom, CacheShape, Runner, bytes_of};
use super::weights::{self, Source};
use super::{Engine, Handle, Parts, Shared, State};
use crate::encoder::ServedEncoder;
use crate::params::Params;
use crate::served::Served;

impl Engine {
    /// Starts an engine: allocates the memory for keys and values, and waits for requests.
    ///
    /// # Errors
    /// A chat template of the model is wrong, an option is out of range, or there is not enough memory (`Input`, `Memory`); the folder for keys and values cannot be written (`Input`,
    /// `Environment`); the system starts no thread (`Environment`).
    pub fn start(served: Served, mut options: EngineOptions) -> Result<Engine> {
        let Served {
            name, mut model, json, tokenizer, templates, ends, defaults, source, mut deferred, ..
        } = served;
        if let Some(error) = served.wrong_templates {
            return Err(error);
        }
        in_range(&options)?;
        // Files of keys and values are found by a hash of all weights, so deferred weights are read now.
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
        let weights = bytes_of(&model) + draft.map_or(0, bytes_of);
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
                // Files hold no keys and values of a draft model.
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

    /// Starts an engine that computes vectors and classes of texts by an encoder; requests must set
    /// [`EngineRequest::pooling`](crate::EngineRequest::pooling).
    ///
    /// The vector of a text has the same bits whatever is computed beside it.
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
        let memory = EngineMemory { weights: bytes_of(&model), cache: 0, cache_tokens: 0 };
        // An encoder has no keys and values, so there are as many pages as the scheduler can want.
        let limits = Limits {
            pages: options.sequences * (max_length.div_ceil(options.page) + 1),
            tokens_per_step: options.tokens_per_step.max(options.sequences),
            ..limits(&options, max_length)
        };
        let encoder = Encoder::new(model, max_length, limits.tokens_per_step);
        // An encoder keeps no keys and values, so there are no prefixes to find.
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

    /// Starts the engine's thread.
    fn begin(
        limits: Limits,
        model: Model,
        (store, source): (Option<Arc<Store>>, Option<Source>),
        parts: Parts,
    ) -> Result<Engine> {
        let mut metrics = EngineMetrics::new();
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
}

/// The size of the vocabulary: the tokenizer's if there is one, since the model may have more rows than tokens.
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
