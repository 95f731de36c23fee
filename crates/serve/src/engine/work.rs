//! The running answers of an engine: the choice of their tokens, and the deltas to their readers.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use jarrah_base::{Error, Literal, Result, parallel};
use jarrah_engine::{Item, Request, StepPlan};

use super::answer::{Answer, Answers};
use super::stream::Finish;
use super::{EngineMetrics, Shared};
use crate::sampler::TokenLogprobs;

/// The fewest logits in a step for which choosing tokens is split among threads.
const SHARED: usize = 1 << 19;

/// A token that was chosen, and not yet sent to the reader.
pub struct Chosen {
    id: u64,
    token: u32,
    told: Option<TokenLogprobs>,
    finish: Option<Finish>,
    at: Instant,
}

/// The choice of the next tokens of one item of the plan.
struct Choice<'a> {
    item: &'a Item,
    /// The logits at the position before the drafts, and at each draft.
    logits: &'a [f32],
    /// The number of tokens so far, and the tokens themselves if the choice depends on them.
    length: usize,
    tokens: Vec<u32>,
    answer: Mutex<Box<Answer>>,
}

impl Choice<'_> {
    /// The next tokens, each with its logprobs and, for the last one, the finish reason; and an error, if choosing failed then.
    /// If the chosen token is the draft's, the next one is chosen too.
    fn choose(
        &self,
        width: usize,
        vocabulary: usize,
    ) -> (Vec<(u32, Option<TokenLogprobs>, Option<Finish>)>, Option<Error>) {
        let mut answer = self.answer.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = &mut *answer;
        let mut tokens = self.tokens.clone();
        let reads_tokens = answer.reads_tokens();
        let mut chosen = Vec::with_capacity(self.item.drafts + 1);
        for (at, logits) in self.logits.chunks(width).enumerate() {
            // A logits processor is the user's code: if it panics, only this answer fails.
            let choice = catch_unwind(AssertUnwindSafe(|| {
                answer.choose(&logits[..vocabulary], self.length + at, &tokens)
            }));
            let broken = |_| Err(Error::program("the choice of a token panicked").op("engine"));
            let (token, told) = match choice.unwrap_or_else(broken) {
                Ok(choice) => choice,
                Err(error) => return (chosen, Some(error)),
            };
            answer.count += 1;
            if reads_tokens {
                tokens.push(token);
            }
            let finish = answer.end(token, &tokens);
            let ends = finish.is_some();
            chosen.push((token, told, finish));
            if ends || at == self.item.drafts || answer.drafts[at] != token {
                break;
            }
        }
        (chosen, None)
    }
}

fn count_drafts(metrics: &mut EngineMetrics, drafted: usize, chosen: usize) {
    if drafted == 0 {
        return;
    }
    metrics.drafts += 1;
    metrics.drafted_tokens += drafted as u64;
    if metrics.accepted_tokens.len() < drafted {
        metrics.accepted_tokens.resize(drafted, 0);
    }
    let accepted = chosen.saturating_sub(1);
    metrics.accepted_tokens[..accepted].iter_mut().for_each(|count| *count += 1);
}

/// The running answers, and the plan of the current step.
pub struct Work {
    pub shared: Arc<Shared>,
    pub answers: Answers,
    pub plan: StepPlan,
    /// The number of tokens in the vocabulary; a row may have more logits.
    pub vocabulary: usize,
    /// The tokens chosen in the last step, sent to the readers while the next step is computed.
    pub chosen: Vec<Chosen>,
}

impl Work {
    /// Whether the item's answer has tokens to choose; true for an aborted answer.
    pub fn chooses(&self, item: &Item) -> bool {
        self.answers.get(&item.id).is_none_or(|answer| answer.chooses())
    }

    /// Notes the time at which answers are computed for the first time.
    pub fn begin(&mut self, now: Instant) {
        let mut metrics = self.shared.metrics();
        metrics.step_tokens.observe(self.plan.tokens as f64);
        for item in &self.plan.items {
            let Some(answer) = self.answers.get_mut(&item.id) else { continue };
            if answer.times.begun.is_none() {
                answer.times.begun = Some(now);
                answer.cached = Some(item.start);
                metrics.queue.observe((now - answer.times.arrived).as_secs_f64());
                metrics.prompt_length.observe(answer.prompt as f64);
                metrics.max_tokens.observe(answer.params.max_tokens.unwrap_or(0) as f64);
                metrics.prompt_tokens += answer.prompt as u64;
                metrics.cached_prompt_tokens += item.start as u64;
            }
        }
    }

    /// Chooses tokens for each item that wants one, from rows of `width` logits. Answers that ask about their prompt only, and
    /// whose prompt is `read`, end.
    pub fn sample(&mut self, logits: Option<(&Literal, usize)>, read: &[u64]) -> Result<()> {
        let (mut all, width) = match logits {
            Some((logits, width)) => (logits.as_slice::<f32>()?, width),
            None => (&[][..], 0),
        };
        let mut works = Vec::new();
        let state = self.shared.lock();
        for item in self.plan.items.iter().filter(|item| item.sampled) {
            if !self.chooses(item) {
                continue;
            }
            let (logits, rest) = all.split_at((item.drafts + 1) * width);
            all = rest;
            // An answer that was aborted meanwhile gets no token.
            let tokens = state.scheduler.tokens(item.id);
            if let (Some(tokens), Some(answer)) = (tokens, self.answers.remove(&item.id)) {
                let dropped = answer.slides.as_deref().unwrap_or_default();
                let length = dropped.len() + tokens.len();
                let tokens = if answer.reads_tokens() { [dropped, tokens].concat() } else { Vec::new() };
                works.push(Choice { item, logits, length, tokens, answer: Mutex::new(answer) });
            }
        }
        drop(state);
        let threads = if works.len() * width < SHARED { 1 } else { parallel::cores() };
        let choices = parallel::map(threads, &works, |work| work.choose(width, self.vocabulary));
        let now = Instant::now();
        let (mut sampled, mut finished) = (Vec::new(), Vec::new());
        let mut metrics = self.shared.metrics();
        for (work, (chosen, failed)) in works.into_iter().zip(choices) {
            let id = work.item.id;
            let mut answer = work.answer.into_inner().unwrap_or_else(PoisonError::into_inner);
            count_drafts(&mut metrics, work.item.drafts, chosen.len());
            for (token, told, finish) in chosen {
                if finish.is_some() {
                    finished.push(id);
                }
                sampled.push((id, token));
                self.chosen.push(Chosen { id, token, told, finish, at: now });
            }
            match failed {
                None => drop(self.answers.insert(id, answer)),
                Some(error) => {
                    // The scheduler expects a token for each item, so an item that fails without one gets token 0.
                    if sampled.last().is_none_or(|(last, _)| *last != id) {
                        sampled.push((id, 0));
                    }
                    finished.push(id);
                    self.chosen.retain(|chosen| chosen.id != id);
                    metrics.finished.error += 1;
                    answer.end_with(Finish::Failed(error));
                }
            }
        }
        drop(metrics);
        // The scheduler expects tokens in the order of the items: items without a token stand between the others.
        for id in read {
            finished.push(*id);
            sampled.push((*id, 0));
            if let Some(mut answer) = self.answers.remove(id) {
                let finished = &mut self.shared.metrics().finished;
                *(if answer.pooling.is_some() { &mut finished.stop } else { &mut finished.length }) += 1;
                answer.end_with_prompt();
            }
        }
        if !read.is_empty() {
            let place = |id: u64| self.plan.items.iter().position(|item| item.id == id);
            sampled.sort_by_key(|(id, _)| place(*id));
        }
        self.finish(&sampled, &finished)
    }

    /// Reports the chosen tokens to the scheduler. Answers with all their tokens end, or continue in a sequence that has dropped
    /// its older half.
    fn finish(&mut self, sampled: &[(u64, u32)], finished: &[u64]) -> Result<()> {
        let mut state = self.shared.lock();
        // The scheduler forgets the tokens of a sequence when it ends, so they are copied before.
        let longest = state.scheduler.limits().max_length;
        let mut sliding: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for &(id, token) in sampled {
            let Some(known) = state.scheduler.tokens(id) else { continue };
            let may_end = known.len() + sampled.len() >= longest && !finished.contains(&id);
            if may_end && self.answers.get(&id).is_some_and(|answer| answer.goes_on()) {
                sliding.entry(id).or_insert_with(|| known.to_vec()).push(token);
            }
        }
        let mut ended = state.scheduler.done(&self.plan, sampled, finished)?.to_vec();
        ended.retain(|id| {
            let (Some(tokens), Some(answer)) = (sliding.remove(id), self.answers.get_mut(id)) else {
                return true;
            };
            let prompt = answer.slide(tokens);
            let left = answer.params.max_tokens.unwrap_or(0) - answer.count;
            let most_tokens = left.min(longest - prompt.len());
            let (priority, salt, is_apart) = (answer.priority, answer.salt.clone(), answer.is_apart);
            let further = Request { id: *id, prompt, most_tokens, priority, salt, is_apart };
            // If the scheduler's queue is full, the answer cannot continue, and ends.
            state.scheduler.add(further).is_err()
        });
        drop(state);
        // Marks the last token of an answer that has reached `max_tokens`.
        for id in ended {
            let last = self.chosen.iter_mut().rev().find(|chosen| chosen.id == id);
            if let Some(last) = last.filter(|chosen| chosen.finish.is_none()) {
                last.finish = Some(Finish::MaxTokens);
            }
        }
        Ok(())
    }

    /// Converts the chosen tokens to text, and sends deltas to the readers.
    pub fn tell(&mut self) {
        if self.chosen.is_empty() {
            return;
        }
        let mut stopped = Vec::new();
        for Chosen { id, token, told, finish, at } in std::mem::take(&mut self.chosen) {
            let Some(answer) = self.answers.get_mut(&id) else { continue };
            observe(&self.shared, answer, at);
            let has_ended = finish.is_some();
            let delta = answer.told(token, told, finish);
            if let Some(finish) = &delta.finish {
                if !has_ended {
                    stopped.push(id);
                }
                // The answer is counted before the reader gets its end, so the reader finds it in the metrics.
                if let Some(mut answer) = self.answers.remove(&id) {
                    self.count(&answer, finish);
                    answer.tell(delta);
                }
            } else {
                answer.tell(delta);
            }
        }
        if !stopped.is_empty() {
            let mut state = self.shared.lock();
            for id in stopped {
                state.scheduler.abort(id);
            }
        }
    }

    /// Counts an answer that has ended.
    pub fn count(&self, answer: &Answer, finish: &Finish) {
        let mut metrics = self.shared.metrics();
        let finished = &mut metrics.finished;
        *match finish {
            Finish::EndOfText | Finish::StopToken(_) | Finish::StopString(_) | Finish::Repetition => {
                &mut finished.stop
            }
            Finish::MaxTokens => &mut finished.length,
            Finish::Cancelled => &mut finished.abort,
            Finish::Failed(_) => &mut finished.error,
        } += 1;
        let times = answer.times;
        let (Some(begun), Some(first), Some(last)) = (times.begun, times.first, times.last) else { return };
        let seconds = |from: Instant| (last - from).as_secs_f64();
        metrics.end_to_end.observe(seconds(times.arrived));
        metrics.inference.observe(seconds(begun));
        metrics.decode.observe(seconds(first));
        metrics.generation_length.observe(answer.count as f64);
        if answer.count > 1 {
            metrics.time_per_output_token.observe(seconds(first) / (answer.count - 1) as f64);
        }
    }

    /// Fails every running answer after an error in a step, and empties the prefix cache. Tokens of earlier steps are sent first:
    /// an answer that ended with the step before is whole.
    pub fn fail(&mut self, error: &Error) {
        self.tell();
        let mut state = self.shared.lock();
        let runs: Vec<u64> =
            self.answers.keys().copied().filter(|&id| state.scheduler.table(id, 0).is_some()).collect();
        for id in runs {
            state.scheduler.abort(id);
            if let Some(mut answer) = self.answers.remove(&id) {
                self.shared.metrics().finished.error += 1;
                answer.end_with(Finish::Failed(error.clone()));
            }
        }
        // All items of the plan are aborted, so no tokens are reported for it.
        let _ = state.scheduler.done(&self.plan, &[], &[]);
        state.scheduler.forget_prefixes();
    }
}

/// Notes the time at which a token of an answer came.
fn observe(shared: &Shared, answer: &mut Answer, at: Instant) {
    let mut metrics = shared.metrics();
    metrics.generation_tokens += 1;
    let times = &mut answer.times;
    match (times.last, times.begun) {
        (Some(last), _) => metrics.inter_token.observe((at - last).as_secs_f64()),
        (None, begun) => {
            metrics.time_to_first_token.observe((at - times.arrived).as_secs_f64());
            if let Some(begun) = begun {
                metrics.prefill.observe((at - begun).as_secs_f64());
            }
            times.first = Some(at);
        }
    }
    times.last = Some(at);
}
