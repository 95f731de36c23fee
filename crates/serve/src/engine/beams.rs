//! Beam search: several of the likeliest continuations of a prompt.

use std::sync::Arc;

use jarrah_base::{Error, Result};

use super::adapters::{Loaded, no_adapter};
use super::request::Queue;
use super::{Engine, EngineRequest, Finish, Shared, Stream};
use crate::params::{MOST_LOGPROBS, Params};

/// The parameters of a beam search.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamParams {
    /// The number of beams that are kept after each step.
    pub width: usize,
    /// The most tokens of a beam.
    pub max_tokens: usize,
    /// Whether the model's end tokens do not end a beam.
    pub ignore_eos: bool,
    /// Tokens that end a beam, beside the model's own.
    pub stop_tokens: Vec<u32>,
    /// The power of the length by which a beam's sum of logprobs is divided.
    pub length_penalty: f64,
}

impl Default for BeamParams {
    /// 4 beams of at most 16 tokens, ordered by the mean logprob of their tokens.
    fn default() -> Self {
        BeamParams {
            width: 4,
            max_tokens: 16,
            ignore_eos: false,
            stop_tokens: Vec::new(),
            length_penalty: 1.0,
        }
    }
}

/// A text that beam search has found.
#[derive(Clone, Debug)]
pub struct Beam {
    /// The tokens, without the prompt and without the token that ended the beam.
    pub tokens: Vec<u32>,
    /// The sum of the logprobs of its tokens, the token that ended it included.
    pub logprob: f64,
    /// The reason why the beam ended.
    pub finish: Finish,
    /// The number of tokens in the sum.
    length: usize,
}

impl Beam {
    /// The score by which beams are ordered.
    ///
    /// ```text
    /// score = logprob / length^penalty          length: the tokens of the sum
    /// ```
    pub fn score(&self, length_penalty: f64) -> f64 {
        self.logprob / (self.length.max(1) as f64).powf(length_penalty)
    }
}

/// A beam search in progress; see [`Engine::beams`].
pub struct BeamSearch {
    engine: Engine,
    request: EngineRequest,
    /// The adapter of all beams, held so that it stays after it is unloaded.
    adapter: Option<Arc<Loaded>>,
    params: BeamParams,
    open: Vec<Beam>,
    ended: Vec<Beam>,
    _places: Places,
}

/// Places in the queue that a search reserves for the beams of its steps, until this is dropped.
struct Places {
    shared: Arc<Shared>,
    count: usize,
}

impl Drop for Places {
    fn drop(&mut self) {
        self.shared.lock().reserved -= self.count;
    }
}

impl Engine {
    /// Begins a beam search; of the request, prompt, priority, salt and adapter are used.
    ///
    /// ```text
    /// step: of all open beams and their 2 width likeliest next tokens, the width likeliest go on; those with an end token have ended
    /// ```
    ///
    /// The beams of a step are requests of one token each, which find their common prefix in the prefix cache. The search holds
    /// places in the queue for all beams from its beginning to its end.
    ///
    /// # Errors
    /// The width or the number of tokens is 0 or too large, the prompt has no token, or the adapter is unknown (`Input`); the
    /// queue has fewer places left than the width, or the engine takes no more requests (`Environment`).
    ///
    /// ```
    /// # use jarrah_array::random::Key;
    /// # use jarrah_models::{Decoder, DecoderConfig};
    /// use jarrah_serve::{BeamParams, Engine, EngineOptions, EngineRequest, Served};
    /// # let model = Decoder::new(&DecoderConfig::named("test-llama").unwrap(), &Key::new(0));
    /// let engine = Engine::start(Served::new("test", model), EngineOptions { warm: false, ..EngineOptions::default() })?;
    /// let request = EngineRequest { prompt: vec![1, 2, 3], ..EngineRequest::default() };
    /// let mut search = engine.beams(request, BeamParams { width: 2, max_tokens: 3, ..BeamParams::default() })?;
    /// while search.step()? {}
    /// let beams = search.finish();
    /// assert_eq!(beams.len(), 2);
    /// assert!(beams[0].logprob >= beams[1].logprob);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    ///
    /// Source: Lowerre, The Harpy speech recognition system, 1976; the lengths: Wu et al., Google's neural machine translation system, 2016.
    pub fn beams(&self, request: EngineRequest, params: BeamParams) -> Result<BeamSearch> {
        let most = (MOST_LOGPROBS / 2).min(self.options().waiting);
        if !(1..=most).contains(&params.width) {
            let error = format!("a search of {} beams", params.width);
            return Err(Error::input(error).op("engine").help(format!("ask for 1 to {most}")));
        }
        if !params.length_penalty.is_finite() {
            let error = format!("length_penalty is {}", params.length_penalty);
            return Err(Error::input(error).op("engine").help("give a finite number; 1 is usual"));
        }
        let room = self.max_length().saturating_sub(request.prompt.len());
        if request.prompt.is_empty() || params.max_tokens == 0 || params.max_tokens > room {
            let error = format!(
                "beams of {} tokens behind a prompt of {}, in sequences of {}",
                params.max_tokens,
                request.prompt.len(),
                self.max_length()
            );
            return Err(Error::input(error)
                .op("engine")
                .help("give a prompt, and ask for 1 token or more that fit"));
        }
        let shared = &self.handle.shared;
        let mut state = shared.lock();
        state.takes_more()?;
        let adapter = match &request.adapter {
            None => None,
            Some(name) => Some(state.adapters.find(name).ok_or_else(|| no_adapter(name, &state.adapters))?),
        };
        self.find_places(&state, params.width)?;
        state.reserved += params.width;
        drop(state);
        let places = Places { shared: shared.clone(), count: params.width };
        let first = Beam { tokens: Vec::new(), logprob: 0.0, finish: Finish::MaxTokens, length: 0 };
        Ok(BeamSearch {
            engine: self.clone(),
            request,
            adapter,
            params,
            open: vec![first],
            ended: Vec::new(),
            _places: places,
        })
    }
}

impl BeamSearch {
    /// Extends every open beam by one token; false when the search is over.
    ///
    /// # Errors
    /// The engine ends, or its logits are not numbers.
    pub fn step(&mut self) -> Result<bool> {
        let BeamParams { width, max_tokens, ignore_eos, length_penalty, .. } = self.params;
        if self.open.first().is_none_or(|beam| beam.length >= max_tokens) {
            return Ok(false);
        }
        let looked = (2 * width).min(self.engine.vocabulary());
        let ask = |beam| {
            self.engine.add_to(self.next_of(beam, looked), Queue::Reserved { adapter: self.adapter.clone() })
        };
        let streams: Vec<Stream> = self.open.iter().map(ask).collect::<Result<_>>()?;
        let answers: Vec<_> = streams.into_iter().map(Stream::collect).collect::<Result<_>>()?;
        let mut longer = Vec::with_capacity(looked * self.open.len());
        for (beam, answer) in self.open.iter().zip(answers) {
            let told = answer.into_iter().next().and_then(|answer| answer.logprobs.into_iter().next());
            let told = told.ok_or_else(|| Error::environment("the engine has ended").op("engine"))?;
            for next in told.top {
                // A token of probability zero extends no beam.
                if next.logprob == f32::NEG_INFINITY {
                    continue;
                }
                let finish = match next.token {
                    token if self.params.stop_tokens.contains(&token) => Some(Finish::StopToken(token)),
                    token if !ignore_eos && self.engine.ends().contains(&token) => Some(Finish::EndOfText),
                    _ => None,
                };
                let mut made = Beam { length: beam.length + 1, ..beam.clone() };
                made.logprob += f64::from(next.logprob);
                match finish {
                    Some(finish) => self.ended.push(Beam { finish, ..made }),
                    None => {
                        made.tokens.push(next.token);
                        longer.push(made);
                    }
                }
            }
        }
        // All open beams have the same length, so logprobs are compared directly; the sort is stable, so equal beams keep their
        // order.
        longer.sort_by(|a, b| b.logprob.total_cmp(&a.logprob));
        longer.truncate(width);
        self.open = longer;
        best(&mut self.ended, width, length_penalty);
        Ok(true)
    }

    /// The best beams, at most the width, best first.
    pub fn finish(mut self) -> Vec<Beam> {
        self.ended.append(&mut self.open);
        best(&mut self.ended, self.params.width, self.params.length_penalty);
        self.ended
    }

    /// The request for the likeliest next tokens of a beam.
    fn next_of(&self, beam: &Beam, looked: usize) -> EngineRequest {
        let params = Params {
            max_tokens: Some(1),
            logprobs: Some(looked),
            ignore_eos: true,
            detokenize: false,
            ..Params::greedy()
        };
        let EngineRequest { prompt, priority, salt, .. } = &self.request;
        EngineRequest {
            prompt: [&prompt[..], &beam.tokens].concat(),
            params,
            priority: *priority,
            salt: salt.clone(),
            ..EngineRequest::default()
        }
    }
}

/// Keeps the `count` beams of the highest score.
fn best(beams: &mut Vec<Beam>, count: usize, length_penalty: f64) {
    beams.sort_by(|a, b| b.score(length_penalty).total_cmp(&a.score(length_penalty)));
    beams.truncate(count);
}
