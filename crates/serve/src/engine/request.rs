//! What is asked of an engine, and how it comes into the queue.

use std::hash::BuildHasher;
use std::sync::atomic::Ordering;
use std::sync::{Arc, MutexGuard};
use std::time::Instant;

use jarrah_base::{Error, Result};
use jarrah_models::Decoder;
use jarrah_structured::{Beginning, Constraint, Matcher, ReasoningFormat, Thinking, Vocabulary};

use super::adapters::{Loaded, no_adapter};
use super::answer::{Answer, Mark, Times, Words};
use super::stream::{Channel, Delta, Stream};
use super::{Engine, State};
use crate::params::Params;
use crate::sampler::{LogitsProcessor, Sampler};

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
    /// Whether the answer may grow past the context: where a sequence is as long as it may be, its older half is dropped and the keys and values of the newer
    /// half are computed again from position 0, so that each token sees half a context at least. Without it, an answer ends where the context is full.
    pub slides: bool,
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

/// Where in the queue a request finds its places.
pub enum Queue {
    /// Where others do, if there are some left.
    Open,
    /// Among those that are reserved for the search that it is of, which holds the adapter of all its requests.
    Reserved { adapter: Option<Arc<Loaded>> },
}

impl Engine {
    /// Takes a request; its answers come by the stream.
    ///
    /// # Errors
    /// The request asks for what cannot be (`Input`), as many wait as may, or the engine takes nothing any more (`Environment`).
    pub fn add(&self, request: EngineRequest) -> Result<Stream> {
        self.add_to(request, Queue::Open)
    }

    pub(super) fn add_to(&self, request: EngineRequest, queue: Queue) -> Result<Stream> {
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
            slides,
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
            params = Params { max_tokens: Some(0), ..Params::default() };
        }
        params.check(handle.vocabulary)?;
        if let Some(token) = prompt.iter().find(|token| **token as usize >= handle.vocabulary) {
            let error = format!("the prompt has token {token}, the model has {} tokens", handle.vocabulary);
            return Err(Error::input(error).op("engine").help("tokens count from 0"));
        }
        let room = handle.max_length.saturating_sub(prompt.len());
        let most = if slides { 0 } else { params.max_tokens.unwrap_or(1) };
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
                held: Delta::default(),
                has_ended: false,
            });
        }
        // The token behind the last position of a sequence is chosen there, and computed after the sequence has slid.
        let most_tokens = if slides { max_tokens.min(room + 1) } else { max_tokens };
        // Of the prompt alone, too, the scheduler is asked for a token, which is not chosen.
        self.enter((prompt, most_tokens.max(1), priority), answers, (salt, adapter.as_deref()), queue)?;
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
    pub(super) fn open(&self) -> Result<MutexGuard<'_, State>> {
        let state = self.handle.shared.lock();
        state.takes_more()?;
        Ok(state)
    }

    /// Whether so many more answers may wait now: those of requests that are added together.
    ///
    /// # Errors
    /// They are more than may wait at all (`Input`), more than may wait beside those that do (`Environment`), or the engine takes nothing any more
    /// (`Environment`).
    pub fn has_places(&self, count: usize) -> Result<()> {
        let state = self.open()?;
        self.find_places(&state, count)
    }

    /// Whether so many more answers may wait, beside what waits and what is reserved.
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
}

/// The salt of keys and values of a text that is so long that it is computed in another way.
pub fn long(salt: &[u8]) -> Vec<u8> {
    [b"long ", salt].concat()
}
