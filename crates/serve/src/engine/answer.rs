//! One answer while it is made.

use std::sync::Arc;
use std::time::Instant;

use jarrah_base::{Error, Result};
use jarrah_structured::{Mask, Matcher, Thinking};
use jarrah_tokenizer::DecodeStream;
use rustc_hash::FxHashMap;

use super::Pooling;
use super::adapters::Loaded;
use super::stream::{Channel, Delta, Finish};
use crate::params::Params;
use crate::sampler::{LogitsProcessor, Place, Sampler, TokenLogprobs};
use crate::stop::StopStrings;

/// The times of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub arrived: Instant,
    /// The first step that computes something of it.
    pub begun: Option<Instant>,
    pub first: Option<Instant>,
    pub last: Option<Instant>,
}

/// Answers by their ids.
pub type Answers = FxHashMap<u64, Box<Answer>>;

/// An answer: what chooses its tokens, and what makes a text of them.
pub struct Answer {
    pub id: u64,
    pub choice: usize,
    pub channel: Arc<Channel>,
    pub sampler: Sampler,
    /// What keeps the text to a form.
    pub matcher: Option<Matcher>,
    /// Whether the text is still reasoning, to which no form applies.
    pub thinking: Option<Thinking>,
    /// Whether a mark of several tokens may begin reasoning, before the form.
    pub mark: Option<Mark>,
    pub processor: Option<Arc<dyn LogitsProcessor>>,
    /// Of a model with a tokenizer.
    pub text: Option<Words>,
    /// The model's end tokens.
    pub ends: Arc<[u32]>,
    /// What was asked for; how many tokens it may have is said.
    pub params: Arc<Params>,
    /// How many tokens the prompt has.
    pub prompt: usize,
    /// How many tokens were chosen.
    pub count: usize,
    /// The adapter that it is made with.
    pub adapter: Option<Arc<Loaded>>,
    /// Tokens that may come next.
    pub drafts: Vec<u32>,
    /// The salt of its keys and values.
    pub salt: Vec<u8>,
    /// Whether they are of no use to other answers.
    pub is_apart: bool,
    /// The priority of its request.
    pub priority: i32,
    /// Of an answer that may grow past the context, the tokens that its sequence has dropped.
    pub slides: Option<Vec<u32>>,
    /// How long its text counts as at least.
    pub length: usize,
    /// How many positions the draft model has keys and values of, if there is one.
    pub drafted: usize,
    /// Where the second of two texts begins.
    pub second: Option<usize>,
    /// How the vector is made that is wanted, if one is.
    pub pooling: Option<Pooling>,
    /// The vector, or the sum of those so far.
    pub pooled: Vec<f32>,
    /// For how many tokens the probability is told at each token of the prompt, and what is known so far.
    pub prompt_logprobs: Option<(usize, Vec<Option<TokenLogprobs>>)>,
    /// Tokens of the prompt that were found in the prefix cache, until that was told.
    pub cached: Option<usize>,
    pub times: Times,
    /// Whether its reader has been told of anything, and of what not yet.
    pub is_told: bool,
    pub held: Delta,
    /// Whether its reader knows that it has ended.
    pub has_ended: bool,
}

/// A mark that may begin reasoning, of several tokens, which may also be the beginning of a form: until they differ, the text may become either.
pub struct Mark {
    tokens: Vec<u32>,
    matched: usize,
    /// The form at its beginning, for behind the reasoning.
    fresh: Matcher,
    /// Whether the text so far is a beginning of the form, too.
    in_form: bool,
}

impl Mark {
    pub fn of(thinking: Option<&Thinking>, matcher: Option<&Matcher>) -> Option<Mark> {
        let (tokens, fresh) = (thinking?.may_begin_by()?.to_vec(), matcher?.clone());
        Some(Mark { tokens, matched: 0, fresh, in_form: true })
    }
}

impl Drop for Answer {
    /// Whoever reads an answer that a panic took away does not wait for ever.
    fn drop(&mut self) {
        if !self.has_ended {
            self.end_with(Finish::Failed(Error::internal("the answer was lost by a panic").op("engine")));
        }
    }
}

impl Answer {
    /// Whether [`choose`](Self::choose) looks at the tokens before.
    pub fn reads_tokens(&self) -> bool {
        self.processor.is_some() || self.sampler.reads_tokens()
    }

    /// Whether the answer goes on where its sequence is as long as it may be.
    pub fn goes_on(&self) -> bool {
        self.slides.is_some() && self.params.max_tokens.is_some_and(|most| self.count < most)
    }

    /// Drops the older half of a sequence of so many `tokens`, and gives the newer half, from which the answer goes on.
    pub fn slide(&mut self, mut tokens: Vec<u32>) -> Vec<u32> {
        let newer = tokens.split_off(tokens.len() - (tokens.len() / 2).max(1));
        if let Some(dropped) = &mut self.slides {
            dropped.extend(tokens);
        }
        // Neither a draft model nor another way to compute long texts has seen the new sequence.
        (self.drafted, self.length) = (0, 0);
        newer
    }

    /// The token at the place `at` of the text, behind `tokens` if these are read.
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
            let mut only = Mask::new(logits.len());
            only.allow(forced);
            mask = Some(only);
        } else if let Some(matcher) = self.matcher.as_mut().filter(|_| !thinks) {
            let mut allowed = Mask::default();
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
        // What belongs to the reasoning is none of the form's.
        let is_thinking = self.thinking.as_ref().is_some_and(Thinking::is_thinking);
        if let Some(matcher) = self.matcher.as_mut().filter(|_| !thinks && !is_thinking) {
            matcher.push(token)?;
        }
        Ok((token, told))
    }

    /// The same while the text may still become a mark of reasoning or a form.
    fn choose_by_mark(
        &mut self,
        logits: &[f32],
        place: (usize, &[u32]),
    ) -> Result<(u32, Option<TokenLogprobs>)> {
        let (Some(mut mark), Some(matcher)) = (self.mark.take(), self.matcher.as_mut()) else {
            return Err(Error::internal("a mark without a form").op("engine"));
        };
        let mut form = Mask::new(logits.len());
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
            // It is an answer.
            self.thinking = None;
        }
        Ok((token, told))
    }

    /// Why the answer ends with `token`, if it does by itself; `tokens` are all so far, if these are read.
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

    /// What is to be told of a token, and why the answer ends, if it does; `finish` says why it is the last, if it is.
    pub fn told(&mut self, token: u32, told: Option<TokenLogprobs>, finish: Option<Finish>) -> Delta {
        let mut delta = Delta { choice: self.choice, tokens: vec![token], ..Delta::default() };
        delta.cached = self.cached.take();
        delta.prompt_logprobs = self.prompt_logprobs.take().map(|(_, known)| known);
        let is_end = matches!(finish, Some(Finish::EndOfText | Finish::StopToken(_)));
        let place = self.text.as_mut().map(|words| words.place(token, is_end && !words.include_stop));
        let place = place.unwrap_or_default();
        delta.logprobs.extend(told.map(|told| TokenLogprobs { place, ..told }));
        delta.finish = match self.text.as_mut() {
            None => finish,
            Some(words) => {
                // A token that ends the text is none of it.
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

    /// Whether tokens are chosen for it; else it ends with its prompt.
    pub fn chooses(&self) -> bool {
        self.pooling.is_none() && self.params.max_tokens != Some(0)
    }

    /// Ends the answer with what was wanted of its prompt: a vector, or what is told of the prompt's tokens.
    pub fn end_with_prompt(&mut self) {
        let vector = self.pooling.map(|_| std::mem::take(&mut self.pooled));
        let delta = Delta {
            choice: self.choice,
            cached: self.cached.take(),
            prompt_logprobs: self.prompt_logprobs.take().map(|(_, known)| known),
            vector,
            finish: Some(Finish::MaxTokens),
            ..Delta::default()
        };
        self.has_ended = true;
        self.channel.send(delta);
    }

    /// Ends the answer without a further token.
    pub fn end_with(&mut self, finish: Finish) {
        let delta = Delta { choice: self.choice, finish: Some(finish), ..Delta::default() };
        let delta = self.closed(delta);
        self.tell(delta);
    }

    /// The same, with what was held back of the text if it ends.
    fn closed(&mut self, mut delta: Delta) -> Delta {
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

    /// Tells the reader, or waits for more to tell.
    pub fn tell(&mut self, delta: Delta) {
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

/// Tokens that become text, until a stop string comes.
pub struct Words {
    stream: DecodeStream,
    stop: StopStrings,
    include_stop: bool,
    /// Whether a token of the text has come.
    begun: bool,
}

impl Words {
    pub fn new(stream: DecodeStream, stop: &[String], include_stop: bool) -> Result<Words> {
        Ok(Words { stream, stop: StopStrings::new(stop)?, include_stop, begun: false })
    }

    /// How the next token stands in the text, which leaves it out if it `is_hidden`.
    fn place(&mut self, token: u32, is_hidden: bool) -> Place {
        if is_hidden || self.stream.leaves_out(token) {
            return Place::Outside;
        }
        if std::mem::replace(&mut self.begun, true) { Place::Within } else { Place::Begins }
    }

    /// The text that is certain with this token, and the stop string that ends it; before `may_stop` none does.
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

    /// What was held back, unless a stop string ended the text.
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
