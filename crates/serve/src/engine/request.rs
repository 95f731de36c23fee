//! Requests to an engine, and their way into the queue.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::Instant;

use jarrah_base::{Error, Result};
use jarrah_models::Decoder;
use jarrah_structured::{Beginning, Constraint, MaskVocabulary, Matcher, ReasoningFormat, Thinking};

use super::adapters::{Loaded, no_adapter};
use super::answer::{Answer, Mark, Times, Words};
use super::stream::{AnswerDelta, Channel, Stream};
use super::{Engine, State};
use crate::params::Params;
use crate::sampler::{LogitsProcessor, Sampler};

/// A request: a prompt, and how to continue it.
#[derive(Clone, Default)]
pub struct EngineRequest {
    /// The prompt as tokens.
    pub prompt: Vec<u32>,
    /// The parameters of sampling, and the conditions that end an answer.
    pub params: Params,
    /// The priority; requests of a lower number go first.
    pub priority: i32,
    /// The salt of the prefix cache: only requests with equal salts reuse each other's keys and values.
    pub salt: Vec<u8>,
    /// The name of the adapter that the answer is computed with.
    pub adapter: Option<String>,
    /// The constraint on the text: a schema, a grammar, tool calls.
    pub constraint: Option<Constraint>,
    /// The reasoning before the answer; the constraint applies to the text behind it.
    pub reasoning: Option<Reasoning>,
    /// A function that changes the logits before everything else.
    pub processor: Option<Arc<dyn LogitsProcessor>>,
    /// The pooling, for a request that wants the prompt's vector instead of a text.
    pub pooling: Option<Pooling>,
    /// The position in the prompt where the second of two texts begins, for encoders that distinguish them.
    pub second: Option<usize>,
    /// Whether the answer may grow past the context. When the sequence is full, its older half is dropped and the keys and values
    /// of the newer half are computed again from position 0, so each token sees at least half a context. Without it, an answer
    /// ends when the context is full.
    pub slides: bool,
}

/// The reasoning of a model before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reasoning {
    /// The marks of the reasoning.
    pub format: ReasoningFormat,
    /// Whether the answer begins inside of the reasoning.
    pub beginning: Beginning,
    /// The most tokens of reasoning; then the end mark is forced.
    pub budget: Option<usize>,
}

/// How the vector of a text is made from the states of its tokens, the inputs of the output layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// The vector of the last token.
    Last,
    /// The vector of the first token.
    First,
    /// The mean of the vectors of all tokens.
    Mean,
    /// The logits of the model's classes instead of a vector.
    Classes,
}

/// The places in the queue that a request takes.
pub enum Queue {
    /// Free places, if there are enough.
    Open,
    /// Places reserved by the beam search that sends the request; the search holds the adapter of all its requests.
    Reserved { adapter: Option<Arc<Loaded>> },
}

impl Engine {
    /// Adds a request to the queue; its answers come through the stream.
    ///
    /// # Errors
    /// The request is invalid (`Input`), the queue is full, or the engine takes no more requests (`Environment`).
    pub fn add(&self, request: EngineRequest) -> Result<Stream> {
        self.add_to(request, Queue::Open)
    }

    pub(super) fn add_to(&self, mut request: EngineRequest, queue: Queue) -> Result<Stream> {
        let handle = &self.handle;
        if request.pooling.is_some() {
            request.params = Params { max_tokens: Some(0), ..Params::default() };
        }
        let room = self.check(&request)?;
        let EngineRequest {
            prompt,
            params,
            priority,
            salt,
            adapter,
            constraint,
            reasoning,
            processor,
            pooling,
            second,
            slides,
        } = request;
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
                priority,
                slides: slides.then(Vec::new),
                length: 0,
                adapter: None,
                second,
                pooling,
                pooled: Vec::new(),
                prompt_logprobs: params.prompt_logprobs.filter(|_| choice == 0).map(|top| (top, vec![None])),
                cached: None,
                times: Times { arrived, begun: None, first: None, last: None },
                is_told: false,
                held: AnswerDelta::default(),
                has_ended: false,
            });
        }
        // A sliding answer chooses one token past its last position, and computes it after the slide.
        let most_tokens = if slides { max_tokens.min(room + 1) } else { max_tokens };
        // The scheduler plans at least one token, also for a request that only asks about its prompt, which chooses none.
        self.enter((prompt, most_tokens.max(1), priority), answers, (salt, adapter.as_deref()), queue)?;
        Ok(Stream { channel, ids, shared: handle.shared.clone() })
    }

    /// Checks a request by itself. Returns the most tokens that the sequence has room for behind the prompt.
    fn check(&self, request: &EngineRequest) -> Result<usize> {
        let handle = &self.handle;
        let EngineRequest { prompt, params, pooling, slides, .. } = request;
        let wrong = |error: &str| Err(Error::input(error).op("engine"));
        match (handle.shapes.is_some(), pooling) {
            (false, None) => return wrong("the model makes vectors of texts, and writes none"),
            (_, Some(Pooling::Classes)) if handle.classes.is_empty() => {
                return wrong("the model has no classes of texts");
            }
            _ => {}
        }
        params.check(handle.vocabulary)?;
        if let Some(token) = prompt.iter().find(|token| **token as usize >= handle.vocabulary) {
            let error = format!("the prompt has token {token}, the model has {} tokens", handle.vocabulary);
            return Err(Error::input(error).op("engine").help("tokens count from 0"));
        }
        let room = handle.max_length.saturating_sub(prompt.len());
        let most = if *slides { 0 } else { params.max_tokens.unwrap_or(1) };
        if prompt.is_empty() || prompt.len() > handle.max_length || most > room {
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
        Ok(room)
    }

    /// Adds the answers to one prompt to the queue: all or none.
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
            // The prefix cache has no logprobs and no vectors of prompts, so such a request gets a salt of its own, with which
            // nothing is found.
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
        // Others may have taken places while the lock was released.
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

    /// The state of an engine that accepts requests.
    pub(super) fn open(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.handle.shared.lock();
        state.takes_more()?;
        Ok(state)
    }

    /// Checks that `count` more answers, of requests that are added together, may wait now.
    ///
    /// # Errors
    /// `count` is more than the queue holds at all (`Input`), more than the places left in it (`Environment`), or the engine
    /// takes no more requests (`Environment`).
    pub fn has_places(&self, count: usize) -> Result<()> {
        let state = self.open()?;
        self.find_places(&state, count)
    }

    /// Checks that the queue has `count` places beside the answers that wait and the reserved places.
    pub(super) fn find_places(&self, state: &State, count: usize) -> Result<()> {
        let most = self.handle.options.waiting;
        if count > most {
            let error = format!("{count} answers are asked for, and {most} may wait");
            return Err(Error::input(error).op("engine").help("ask for fewer, or let more wait"));
        }
        let taken = state.scheduler.counters().waiting + state.reserved;
        if taken + count <= most {
            return Ok(());
        }
        self.handle.shared.metrics().rejected += 1;
        let error = match count {
            1 => format!("{taken} requests wait, as many as may"),
            _ => format!("{count} answers find {taken} that wait, and {most} may"),
        };
        Err(Error::environment(error).op("engine").help("send it again later"))
    }

    /// The vocabulary as grammars read it, made when the first request has a constraint.
    fn structured(&self) -> Result<Arc<MaskVocabulary>> {
        let handle = &self.handle;
        let Some(tokenizer) = &handle.tokenizer else {
            let error = "a form of the text needs a tokenizer, which the model has not";
            return Err(Error::input(error).op("engine"));
        };
        let made = || MaskVocabulary::new(tokenizer, &handle.ends, handle.vocabulary).map(Arc::new);
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

    /// Bad words as tokens: as they stand at the beginning of a text, and behind a space.
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
}

/// The salt of the keys and values of a text so long that the model computes it in another way.
pub fn long(salt: &[u8]) -> Vec<u8> {
    [b"long ", salt].concat()
}
