//! The state of one answer while it is generated.

use std::sync::Arc;
use std::time::Instant;

use jarrah_base::{Error, Result};
use jarrah_structured::{Matcher, Thinking, TokenMask};
use jarrah_tokenizer::DecodeStream;
use rustc_hash::FxHashMap;

use super::Pooling;
use super::adapters::Loaded;
use super::stream::{AnswerDelta, Channel, Finish};
use crate::params::Params;
use crate::sampler::{AnswerPlace, LogitsProcessor, Sampler, TokenLogprobs};
use crate::stop::StopStrings;

/// The times at which an answer arrived and its tokens came.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub arrived: Instant,
    /// When the first step that computes a part of the answer began.
    pub begun: Option<Instant>,
    pub first: Option<Instant>,
    pub last: Option<Instant>,
}

/// Answers by id.
pub type Answers = FxHashMap<u64, Box<Answer>>;

/// An answer that is being generated: how its tokens are chosen, and how they become text.
pub struct Answer {
    pub id: u64,
    pub choice: usize,
    pub channel: Arc<Channel>,
    pub sampler: Sampler,
    /// The matcher of the constraint, which masks tokens.
    pub matcher: Option<Matcher>,
    /// The reasoning that precedes the constrained text, while constraints do not apply.
    pub thinking: Option<Thinking>,
    /// Whether several tokens that mark the beginning of reasoning may still come, before the constrained text.
    pub mark: Option<Mark>,
    pub processor: Option<Arc<dyn LogitsProcessor>>,
    /// The decoder of tokens to text, if the model has a tokenizer.
    pub text: Option<Words>,
    /// The model's end tokens.
    pub ends: Arc<[u32]>,
    /// The request's parameters, with `max_tokens` filled in.
    pub params: Arc<Params>,
    /// The number of tokens in the prompt.
    pub prompt: usize,
    /// The number of tokens chosen so far.
    pub count: usize,
    /// The adapter that the answer is computed with.
    pub adapter: Option<Arc<Loaded>>,
    /// The draft: tokens that may come next.
    pub drafts: Vec<u32>,
    /// The salt of the answer's keys and values in the prefix cache.
    pub salt: Vec<u8>,
    /// Whether the answer's keys and values are kept out of the prefix cache.
    pub is_apart: bool,
    /// The priority of the request.
    pub priority: i32,
    /// The tokens that the sequence has dropped, for an answer that may grow past the context; else nothing.
    pub slides: Option<Vec<u32>>,
    /// The least length that rotary embeddings take for the text's: beyond the model's original context they change.
    pub length: usize,
    /// The number of positions for which the draft model has keys and values, if there is a draft model.
    pub drafted: usize,
    /// The position where the second of two texts begins.
    pub second: Option<usize>,
    /// The pooling, if the request asks for a vector.
    pub pooling: Option<Pooling>,
    /// The vector, or the sum of the tokens' vectors so far.
    pub pooled: Vec<f32>,
    /// The number of likeliest tokens to report at each prompt token, and the logprobs known so far.
    pub prompt_logprobs: Option<(usize, Vec<Option<TokenLogprobs>>)>,
    /// The number of prompt tokens that were found in the prefix cache, until a delta has reported it.
    pub cached: Option<usize>,
    pub times: Times,
    /// Whether the reader got a delta already; `held` is what it has not got yet.
    pub is_told: bool,
    pub held: AnswerDelta,
    /// Whether the reader got the finish reason.
    pub has_ended: bool,
}

/// A mark of several tokens that may begin reasoning, where the constrained text may begin with the same tokens: until they
/// differ, the answer may become either.
pub struct Mark {
    tokens: Vec<u32>,
    matched: usize,
    /// The constraint's matcher in its initial state, for the text behind the reasoning.
    fresh: Matcher,
    /// Whether the tokens so far are also a beginning of the constrained text.
    in_form: bool,
}

impl Mark {
    pub fn of(thinking: Option<&Thinking>, matcher: Option<&Matcher>) -> Option<Mark> {
        let (tokens, fresh) = (thinking?.may_begin_by()?.to_vec(), matcher?.clone());
        Some(Mark { tokens, matched: 0, fresh, in_form: true })
    }
}

impl Drop for Answer {
    /// Ends an answer that was lost by a panic with an error, so that its reader does not wait for ever.
    fn drop(&mut self) {
        if !self.has_ended {
            self.end_with(Finish::Failed(Error::internal("the answer was lost by a panic").op("engine")));
        }
    }
}

impl Answer {
    /// Whether [`choose`](Self::choose) needs the earlier tokens.
    pub fn reads_tokens(&self) -> bool {
        self.processor.is_some() || self.sampler.reads_tokens()
    }

    /// Whether the answer continues past the context: it may slide, and has tokens left to generate.
    pub fn goes_on(&self) -> bool {
        self.slides.is_some() && self.params.max_tokens.is_some_and(|most| self.count < most)
    }

    /// Drops the older half of the sequence's `tokens`. Returns the newer half, with which the sequence begins again.
    pub fn slide(&mut self, mut tokens: Vec<u32>) -> Vec<u32> {
        let newer = tokens.split_off(tokens.len() - (tokens.len() / 2).max(1));
        if let Some(dropped) = &mut self.slides {
            dropped.extend(tokens);
        }
        // The new sequence is short and begins anew: the draft model has computed none of it, and it does not count as a long
        // text.
        (self.drafted, self.length) = (0, 0);
        newer
    }

    /// Chooses the token at position `at`. `tokens` are the earlier tokens, if [`reads_tokens`](Self::reads_tokens).
    pub fn choose(
        &mut self,
        logits: &[f32],
        at: usize,
        tokens: &[u32],
    ) -> Result<(u32, Option<TokenLogprobs>)> {
        if self.mark.is_some() {
            return self.choose_by_mark(logits, (at, tokens));
        }
        let processor = self.processor.as_deref();
        let mut mask = None;
        let thinks = self.thinking.as_ref().is_some_and(Thinking::is_thinking);
        if let Some(forced) = self.thinking.as_ref().and_then(Thinking::forced) {
            let mut only = TokenMask::new(logits.len());
            only.allow(forced);
            mask = Some(only);
        } else if let Some(matcher) = self.matcher.as_mut().filter(|_| !thinks) {
            let mut allowed = TokenMask::default();
            matcher.mask(&mut allowed)?;
            if let Some(begin) = self.thinking.as_ref().and_then(Thinking::may_begin) {
                allowed.allow(begin);
            }
            mask = Some(allowed);
        }
        let (token, told) = self.sampler.choose(logits, (at, tokens), mask.as_ref(), processor)?;
        if let Some(thinking) = &mut self.thinking {
            thinking.push(token)?;
        }
        // Tokens of the reasoning are not part of the constrained text.
        let is_thinking = self.thinking.as_ref().is_some_and(Thinking::is_thinking);
        if let Some(matcher) = self.matcher.as_mut().filter(|_| !thinks && !is_thinking) {
            matcher.push(token)?;
        }
        Ok((token, told))
    }

    /// As [`choose`](Self::choose), while the text may still become either a mark of reasoning or the constrained text.
    fn choose_by_mark(
        &mut self,
        logits: &[f32],
        place: (usize, &[u32]),
    ) -> Result<(u32, Option<TokenLogprobs>)> {
        let (Some(mut mark), Some(matcher)) = (self.mark.take(), self.matcher.as_mut()) else {
            return Err(Error::internal("a mark without a form").op("engine"));
        };
        let mut form = TokenMask::new(logits.len());
        if mark.in_form {
            matcher.mask(&mut form)?;
        }
        let mut allowed = form.clone();
        allowed.allow(mark.tokens[mark.matched]);
        let processor = self.processor.as_deref();
        let (token, told) = self.sampler.choose(logits, place, Some(&allowed), processor)?;
        if let Some(thinking) = &mut self.thinking {
            thinking.push(token)?;
        }
        mark.in_form &= form.contains(token);
        if mark.in_form {
            matcher.push(token)?;
        }
        if token == mark.tokens[mark.matched] {
            mark.matched += 1;
            match mark.matched == mark.tokens.len() {
                true => *matcher = mark.fresh,
                false => self.mark = Some(mark),
            }
        } else {
            // The tokens differ from the mark: the text is the answer.
            self.thinking = None;
        }
        Ok((token, told))
    }

    /// The reason why the answer ends with `token`, if it does; `tokens` are all tokens so far, if
    /// [`reads_tokens`](Self::reads_tokens).
    pub fn end(&self, token: u32, tokens: &[u32]) -> Option<Finish> {
        if self.count < self.params.min_tokens {
            None
        } else if self.params.stop_tokens.contains(&token) {
            Some(Finish::StopToken(token))
        } else if !self.params.ignore_eos && self.ends.contains(&token) {
            Some(Finish::EndOfText)
        } else if let Some(repetition) = self.params.repetition
            && repetition.ends(&tokens[tokens.len() - self.count..])
        {
            Some(Finish::Repetition)
        } else {
            None
        }
    }

    /// The delta for a chosen token, with the finish reason if the answer ends; `finish` is a reason known before the token
    /// became text.
    pub fn told(&mut self, token: u32, told: Option<TokenLogprobs>, finish: Option<Finish>) -> AnswerDelta {
        let mut delta = AnswerDelta { choice: self.choice, tokens: vec![token], ..AnswerDelta::default() };
        delta.cached = self.cached.take();
        delta.prompt_logprobs = self.prompt_logprobs.take().map(|(_, known)| known);
        let is_end = matches!(finish, Some(Finish::EndOfText | Finish::StopToken(_)));
        let place = self.text.as_mut().map(|words| words.place(token, is_end && !words.include_stop));
        let place = place.unwrap_or_default();
        delta.logprobs.extend(told.map(|told| TokenLogprobs { place, ..told }));
        delta.finish = match self.text.as_mut() {
            None => finish,
            Some(words) => {
                // An end token is not part of the text.
                let is_hidden = is_end && !words.include_stop;
                let may_stop = self.count >= self.params.min_tokens;
                match if is_hidden { Ok(None) } else { words.push(token, may_stop) } {
                    Ok(None) => finish,
                    Ok(Some((text, stop))) => {
                        delta.text = text;
                        stop.map(Finish::StopString).or(finish)
                    }
                    Err(error) => Some(Finish::Failed(error)),
                }
            }
        };
        self.closed(delta)
    }

    /// Whether the answer has tokens to choose; otherwise it ends when its prompt is computed.
    pub fn chooses(&self) -> bool {
        self.pooling.is_none() && self.params.max_tokens != Some(0)
    }

    /// Ends an answer that asks about its prompt only, with the vector or the logprobs of the prompt.
    pub fn end_with_prompt(&mut self) {
        let vector = self.pooling.map(|_| std::mem::take(&mut self.pooled));
        let delta = AnswerDelta {
            choice: self.choice,
            cached: self.cached.take(),
            prompt_logprobs: self.prompt_logprobs.take().map(|(_, known)| known),
            vector,
            finish: Some(Finish::MaxTokens),
            ..AnswerDelta::default()
        };
        self.has_ended = true;
        self.channel.send(delta);
    }

    /// Ends the answer without a further token.
    pub fn end_with(&mut self, finish: Finish) {
        let delta = AnswerDelta { choice: self.choice, finish: Some(finish), ..AnswerDelta::default() };
        let delta = self.closed(delta);
        self.tell(delta);
    }

    /// The delta, and if it ends the answer, the text that was held back as a possible stop string.
    fn closed(&mut self, mut delta: AnswerDelta) -> AnswerDelta {
        if delta.finish.is_some()
            && let Some(words) = self.text.take()
        {
            match words.finish(matches!(delta.finish, Some(Finish::StopString(_)))) {
                Ok((text, stop)) => {
                    delta.text += &text;
                    if let Some(stop) = stop {
                        delta.finish = Some(Finish::StopString(stop));
                    }
                }
                Err(error) => delta.finish = Some(Finish::Failed(error)),
            }
        }
        delta
    }

    /// Sends a delta to the reader, or holds it back until `stream_interval` tokens have come.
    pub fn tell(&mut self, delta: AnswerDelta) {
        let ends = delta.finish.is_some();
        self.has_ended |= ends;
        let mut all = std::mem::take(&mut self.held);
        all.join(delta);
        let waits = self.is_told && !ends && all.tokens.len() < self.params.stream_interval;
        match waits {
            true => self.held = all,
            false => self.channel.send(all),
        }
        self.is_told = true;
    }
}

/// Decodes tokens to text, up to a stop string.
pub struct Words {
    stream: DecodeStream,
    stop: StopStrings,
    include_stop: bool,
    /// Whether the text has a token already.
    begun: bool,
}

impl Words {
    pub fn new(stream: DecodeStream, stop: &[String], include_stop: bool) -> Result<Words> {
        Ok(Words { stream, stop: StopStrings::new(stop)?, include_stop, begun: false })
    }

    /// The place of the next token in the text; a token that `is_hidden` is outside of it.
    fn place(&mut self, token: u32, is_hidden: bool) -> AnswerPlace {
        if is_hidden || self.stream.leaves_out(token) {
            return AnswerPlace::Outside;
        }
        if std::mem::replace(&mut self.begun, true) { AnswerPlace::Within } else { AnswerPlace::Begins }
    }

    /// The text that is certain after this token, and the stop string that ends it; without `may_stop`, no stop string ends it.
    fn push(&mut self, token: u32, may_stop: bool) -> Result<Option<(String, Option<String>)>> {
        let piece = self.stream.push(token)?;
        if !may_stop {
            return Ok(Some((piece, None)));
        }
        let (mut text, stop) = self.stop.push(&piece);
        if let Some(stop) = stop.as_ref().filter(|_| self.include_stop) {
            text += stop;
        }
        Ok(Some((text, stop)))
    }

    /// The text that was held back as a possible stop string; nothing if a stop string ended the text.
    fn finish(mut self, stopped: bool) -> Result<(String, Option<String>)> {
        if stopped {
            return Ok((String::new(), None));
        }
        let (mut text, stop) = self.stop.push(&self.stream.finish()?);
        match &stop {
            None => text += &self.stop.finish(),
            Some(stop) if self.include_stop => text += stop,
            Some(_) => {}
        }
        Ok((text, stop))
    }
}
