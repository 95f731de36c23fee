//! The thread of an engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use jarrah_array::Array;
use jarrah_base::parallel;
use jarrah_base::{Error, Literal, Result};
use jarrah_engine::{Item, Limits, Plan, Scheduler};
use rustc_hash::FxHashMap;

use super::adapters::AdapterCommand;
use super::answer::Answer;
use super::drafts::Drafter;
use super::encoder::{Encoder, Text};
use super::runner::{Batch, Runner, size_for, sizes};
use super::stream::Finish;
use super::{Metrics, Pooling, Shared};
use crate::sampler::{TokenLogprobs, logprobs};

/// The most rows of logits that are computed together for what is told of prompts.
const ROWS: usize = 64;
/// The fewest logits of a step for which the choice of tokens is shared among threads.
const SHARED: usize = 1 << 19;

/// A token that was chosen, and has not been told.
struct Chosen {
    id: u64,
    token: u32,
    told: Option<TokenLogprobs>,
    finish: Option<Finish>,
    at: Instant,
}

/// The choice of the tokens of an item.
struct Work<'a> {
    item: &'a Item,
    /// Of the position before the drafts, and of each draft.
    logits: &'a [f32],
    /// How many tokens there are, and which, where the choice looks at them.
    length: usize,
    tokens: Vec<u32>,
    answer: Mutex<Answer>,
}

impl Work<'_> {
    /// The next tokens, each with what is told of it and why it is the last, and what failed then. A draft that is chosen is followed by the next one.
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
            // A logits processor is not ours: what it breaks is this answer alone.
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

/// Whether a vector is wanted of an item's answer.
fn pools(answers: &FxHashMap<u64, Answer>, item: &Item) -> bool {
    answers.get(&item.id).is_some_and(|answer| answer.pooling.is_some())
}

fn count_drafts(metrics: &mut Metrics, drafted: usize, chosen: usize) {
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

/// What computes.
pub enum Model {
    /// Steps of texts that go on.
    Decoder(Box<Runner>),
    /// Whole texts.
    Encoder(Box<Encoder>),
}

impl Model {
    fn decoder(&mut self) -> Result<&mut Runner> {
        match self {
            Model::Decoder(runner) => Ok(runner),
            Model::Encoder(_) => Err(Error::internal("an encoder computes no steps").op("engine")),
        }
    }
}

pub struct Core {
    shared: Arc<Shared>,
    model: Model,
    /// The tokens there are; there may be more logits.
    vocabulary: usize,
    answers: FxHashMap<u64, Answer>,
    plan: Plan,
    batch: Batch,
    /// The items of the plan in the order of the batch, and where in it each begins.
    order: Vec<usize>,
    firsts: Vec<usize>,
    sizes: Vec<usize>,
    /// How many of the sizes have programs.
    warm: usize,
    /// Whether programs are compiled before they are needed.
    warms: bool,
    most_rows: usize,
    drafter: Option<Drafter>,
    /// The length beyond which texts are computed in another way.
    long_from: Option<usize>,
    /// What the last step gave: told while the next one is computed.
    chosen: Vec<Chosen>,
}

impl Core {
    pub fn new(
        shared: Arc<Shared>,
        model: Model,
        vocabulary: usize,
        limits: &Limits,
        drafter: Option<Drafter>,
        warms: bool,
    ) -> Core {
        let adapters = match &model {
            Model::Decoder(runner) => runner.room().count,
            Model::Encoder(_) => 0,
        };
        let long_from = match &model {
            Model::Decoder(runner) => runner.weights().shapes().long_from(),
            Model::Encoder(_) => None,
        };
        Core {
            shared,
            long_from,
            model,
            vocabulary,
            answers: FxHashMap::default(),
            plan: Plan::default(),
            batch: Batch { adapted: vec![0; adapters], ..Batch::default() },
            order: Vec::new(),
            firsts: Vec::new(),
            sizes: sizes(limits.tokens_per_step),
            warm: 0,
            warms,
            most_rows: limits.sequences,
            drafter,
            chosen: Vec::new(),
        }
    }

    /// Compiles the programs of the next size that has none; false if all have some.
    fn warm_one(&mut self) -> Result<bool> {
        let (Model::Decoder(runner), Some(&size)) = (&mut self.model, self.sizes.get(self.warm)) else {
            return Ok(false);
        };
        self.warm += 1;
        let rows = [1, size.min(self.most_rows).next_power_of_two()];
        runner.compile(size, &rows)?;
        if let Some(Drafter::Model(small)) = &mut self.drafter {
            small.runner.compile(size, &rows)?;
        }
        Ok(true)
    }

    /// Computes until the engine is told to end.
    pub fn run(mut self) {
        let ended = catch_unwind(AssertUnwindSafe(|| while self.turn() {}));
        let finish = match ended {
            Ok(()) => Finish::Cancelled,
            Err(_) => Finish::Failed(Error::internal("the engine's thread has ended by a panic")),
        };
        let mut state = self.shared.lock();
        state.has_ended = true;
        let arrivals = std::mem::take(&mut state.arrivals);
        state.weights.clear();
        state.adapter_commands.clear();
        drop(state);
        for mut answer in self.answers.drain().map(|(_, answer)| answer).chain(arrivals) {
            answer.end_with(finish.clone());
        }
        self.shared.ended.notify_all();
    }

    /// A step, or the wait for something to do; false when the engine ends.
    fn turn(&mut self) -> bool {
        let shared = self.shared.clone();
        let mut state = shared.lock();
        loop {
            for answer in state.arrivals.drain(..) {
                self.answers.insert(answer.id, answer);
            }
            let aborted = std::mem::take(&mut state.aborted);
            for id in aborted {
                state.scheduler.abort(id);
                if let Some(mut answer) = self.answers.remove(&id) {
                    self.count(&answer, &Finish::Cancelled);
                    answer.end_with(Finish::Cancelled);
                }
            }
            if state.quitting || (state.closing && self.answers.is_empty()) {
                return false;
            }
            for (model, told) in std::mem::take(&mut state.weights) {
                let set = self.model.decoder().and_then(|runner| runner.weights().set(model));
                state.forget |= set.is_ok();
                // Whoever asked may have gone.
                let _ = told.send(set);
            }
            for AdapterCommand { at, changes, told } in std::mem::take(&mut state.adapter_commands) {
                if let Model::Decoder(runner) = &mut self.model {
                    runner.set_adapter(at, Some(&changes));
                }
                // Whoever asked may have gone.
                let _ = told.send(());
            }
            if std::mem::take(&mut state.forget) {
                state.scheduler.forget_prefixes();
            }
            if !state.paused {
                self.lengthen(&mut state.scheduler);
                self.draft(&mut state.scheduler);
                state.scheduler.step(&mut self.plan);
                if !self.plan.items.is_empty() {
                    break;
                }
                // A plan without items is done at once.
                let _ = state.scheduler.done(&self.plan, &[], &[]);
            }
            if !self.chosen.is_empty() {
                drop(state);
                self.tell();
                state = shared.lock();
                continue;
            }
            // While there is nothing else to do.
            if self.warms {
                drop(state);
                self.warms = self.warm_one().unwrap_or(false);
                state = shared.lock();
                continue;
            }
            state = shared.came.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.fill(&state.scheduler);
        drop(state);
        if let Err(error) = self.step() {
            self.fail(&error);
        }
        true
    }

    /// Puts the tokens of the plan into the batch, those of one adapter together.
    fn fill(&mut self, scheduler: &Scheduler) {
        self.batch.clear();
        let place = |item: &Item| {
            let adapter = self.answers.get(&item.id).and_then(|answer| answer.adapter.as_ref());
            adapter.map_or(usize::MAX, |adapter| adapter.at)
        };
        self.order.clear();
        self.order.extend(0..self.plan.items.len());
        self.order.sort_by_key(|&at| place(&self.plan.items[at]));
        self.firsts.clear();
        self.firsts.resize(self.plan.items.len(), 0);
        match &mut self.drafter {
            Some(Drafter::Model(small)) => small.clear(self.plan.items.len()),
            Some(Drafter::Heads(heads)) => heads.clear(self.plan.items.len()),
            Some(Drafter::Lookup(_)) | None => {}
        }
        for &at in &self.order {
            let item = &self.plan.items[at];
            self.firsts[at] = self.batch.tokens.len();
            if let Some(count) = self.batch.adapted.get_mut(place(item)) {
                *count += (item.end - item.start) as i32;
            }
            let Some(tokens) = scheduler.tokens(item.id) else { continue };
            let answer = self.answers.get(&item.id);
            let known = item.end - item.drafts;
            // A draft model has not drafted yet.
            let drafts = answer.map_or(&[][..], |answer| &answer.drafts);
            let drafts = drafts.iter().copied().chain(std::iter::repeat(0)).take(item.drafts);
            let length = answer.map_or(0, |answer| answer.length);
            self.batch.extend(
                item.row,
                length,
                item.start,
                tokens[item.start..known].iter().copied().chain(drafts),
            );
            match &mut self.drafter {
                Some(Drafter::Model(small)) => {
                    let from = answer.map_or(item.start, |answer| answer.drafted.min(item.start));
                    small.add(at, item.row, tokens, from, known);
                }
                Some(Drafter::Heads(heads)) => heads.add(at, item, tokens),
                Some(Drafter::Lookup(_)) | None => {}
            }
        }
    }

    /// Computes the plan, and chooses tokens.
    fn step(&mut self) -> Result<()> {
        let begun = Instant::now();
        if let Model::Encoder(_) = &self.model {
            self.begin(begun);
            let done = self.encode()?;
            return self.sample(None, &done);
        }
        let runner = self.model.decoder()?;
        runner.apply(&self.plan.changes);
        runner.copy(&self.plan.copies)?;
        self.guess()?;
        let runner = self.model.decoder()?;
        let count = self.batch.tokens.len();
        let states = runner.run(&self.batch, size_for(&self.sizes, count))?;
        let mut rows = Vec::new();
        for (item, first) in self.plan.items.iter().zip(&self.firsts) {
            let end = first + item.end - item.start;
            if item.sampled && !pools(&self.answers, item) {
                rows.extend(end - 1 - item.drafts..end);
            }
        }
        let logits = match rows.len() {
            0 => None,
            count => Some(self.model.decoder()?.logits(&states, &rows, count.next_power_of_two())?),
        };
        self.begin(begun);
        self.tell();
        self.tell_prompts(&states)?;
        let pooled = self.pool(&states)?;
        if let Some(Drafter::Heads(heads)) = &mut self.drafter {
            heads.keep(&states, &self.plan, &self.firsts);
        }
        // The step is over before the next one is planned: what it costs is seen where it is computed.
        states.block_until_ready()?;
        let logits = logits.map(|logits| logits.to_literal()).transpose()?;
        self.sample(logits.as_ref(), &pooled)
    }

    /// Lets texts begin again that have become so long that they are computed in another way.
    fn lengthen(&mut self, scheduler: &mut Scheduler) {
        let Some(limit) = self.long_from else { return };
        for (&id, answer) in &mut self.answers {
            let length = scheduler.tokens(id).map_or(0, <[u32]>::len);
            if length > limit && answer.length == 0 {
                answer.length = limit + 1;
                answer.drafted = 0;
                // It is there, and no plan is open.
                let _ = scheduler.restart(id, &[b"long ", &answer.salt[..]].concat());
            }
        }
    }

    /// Asks for drafts of the answers that run.
    fn draft(&mut self, scheduler: &mut Scheduler) {
        let Some(drafter) = &self.drafter else { return };
        for (&id, answer) in &mut self.answers {
            answer.drafts.clear();
            // Before its first token an answer has no place for drafts.
            if answer.count == 0 {
                continue;
            }
            let count = match (drafter, scheduler.tokens(id)) {
                (Drafter::Lookup(lookup), Some(tokens)) => {
                    answer.drafts.extend_from_slice(lookup.draft(tokens));
                    answer.drafts.len()
                }
                (Drafter::Model(small), _) => small.tokens,
                (Drafter::Heads(heads), _) => heads.tokens,
                (Drafter::Lookup(_), None) => 0,
            };
            // Drafts do not make a text begin again.
            let count = match self.long_from.filter(|_| answer.length == 0) {
                Some(limit) => count.min(limit.saturating_sub(scheduler.tokens(id).map_or(0, <[u32]>::len))),
                None => count,
            };
            answer.drafts.truncate(count);
            if scheduler.speculate(id, count).is_err() {
                answer.drafts.clear();
            }
        }
    }

    /// Lets a draft model, or the module for further tokens, draft what the plan has room for.
    fn guess(&mut self) -> Result<()> {
        match &mut self.drafter {
            Some(Drafter::Model(small)) => small.guess(&self.plan, &mut self.answers, self.vocabulary)?,
            Some(Drafter::Heads(heads)) => {
                let runner = self.model.decoder()?;
                heads.guess(runner, &self.plan, &mut self.answers, (self.vocabulary, &self.sizes))?;
            }
            Some(Drafter::Lookup(_)) | None => return Ok(()),
        }
        for (item, &first) in self.plan.items.iter().zip(&self.firsts) {
            let Some(answer) = self.answers.get_mut(&item.id) else { continue };
            // One of which nothing is known has some draft all the same.
            answer.drafts.resize(item.drafts, 0);
            let drafts = answer.drafts.iter().map(|&token| token as i32);
            let places = &mut self.batch.tokens[first..first + item.end - item.start];
            places
                .iter_mut()
                .rev()
                .take(item.drafts)
                .rev()
                .zip(drafts)
                .for_each(|(place, token)| *place = token);
        }
        Ok(())
    }

    /// Computes the texts of which the plan has the last token, each as a whole: one that sees all of a text at once has no use for its parts.
    fn encode(&mut self) -> Result<Vec<u64>> {
        let Model::Encoder(encoder) = &self.model else { return Ok(Vec::new()) };
        let last = self.plan.items.iter().filter(|item| item.sampled);
        let mut whole = Vec::new();
        {
            let state = self.shared.lock();
            for item in last {
                let tokens = state.scheduler.tokens(item.id).map(<[u32]>::to_vec);
                let answer = self.answers.get(&item.id);
                if let (Some(tokens), Some(answer)) = (tokens, answer)
                    && let Some(pooling) = answer.pooling
                {
                    whole.push((item.id, tokens, answer.second, pooling));
                }
            }
        }
        let texts: Vec<Text<'_>> = whole
            .iter()
            .map(|(_, tokens, second, pooling)| Text { tokens, second: *second, pooling: *pooling })
            .collect();
        let vectors = encoder.run(&texts)?;
        let mut done = Vec::with_capacity(whole.len());
        for ((id, ..), vector) in whole.iter().zip(vectors) {
            if let Some(answer) = self.answers.get_mut(id) {
                answer.pooled = vector;
                done.push(*id);
            }
        }
        Ok(done)
    }

    /// Takes the vectors that are wanted of the tokens of a step; gives the answers that have all of theirs.
    fn pool(&mut self, states: &Array) -> Result<Vec<u64>> {
        let mut done = Vec::new();
        let runner = self.model.decoder()?;
        for (item, &first) in self.plan.items.iter().zip(&self.firsts) {
            let end = first + item.end - item.start;
            let Some((answer, pooling)) =
                self.answers.get_mut(&item.id).and_then(|a| a.pooling.map(|p| (a, p)))
            else {
                continue;
            };
            let rows = match pooling {
                Pooling::Last if item.sampled => end - 1..end,
                Pooling::First if item.start == 0 => first..first + 1,
                Pooling::Mean => first..end,
                Pooling::Last | Pooling::First | Pooling::Classes => 0..0,
            };
            if item.start == 0 {
                answer.pooled.clear();
            }
            for part in rows.collect::<Vec<usize>>().chunks(ROWS) {
                let size = part.len().next_power_of_two();
                let vectors = runner.vectors(states, part, size)?.to_literal()?;
                let vectors = vectors.as_slice::<f32>()?;
                let width = vectors.len() / size;
                answer.pooled.resize(width, 0.0);
                for vector in vectors.chunks(width).take(part.len()) {
                    answer.pooled.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
                }
            }
            if item.sampled {
                if pooling == Pooling::Mean {
                    let count = answer.prompt as f32;
                    answer.pooled.iter_mut().for_each(|x| *x /= count);
                }
                done.push(item.id);
            }
        }
        Ok(done)
    }

    /// Notes which answers the plan computes for the first time.
    fn begin(&mut self, now: Instant) {
        let mut metrics = self.shared.metrics();
        metrics.step_tokens.observe(self.batch.tokens.len() as f64);
        for item in &self.plan.items {
            let Some(answer) = self.answers.get_mut(&item.id) else { continue };
            if answer.times.begun.is_none() {
                answer.times.begun = Some(now);
                answer.cached = Some(item.start);
                metrics.queue.observe((now - answer.times.arrived).as_secs_f64());
                metrics.prompt_length.observe(answer.prompt as f64);
                metrics.max_tokens.observe(answer.max_tokens as f64);
                metrics.prompt_tokens += answer.prompt as u64;
                metrics.cached_prompt_tokens += item.start as u64;
            }
        }
    }

    /// Looks at the logits of prompts of which something is to be told.
    fn tell_prompts(&mut self, states: &Array) -> Result<()> {
        let runner = self.model.decoder()?;
        for (item, &first) in self.plan.items.iter().zip(&self.firsts) {
            let wanted =
                self.answers.get_mut(&item.id).and_then(|a| Some((a.prompt, a.prompt_logprobs.as_mut()?)));
            let Some((prompt, (top, known))) = wanted else { continue };
            // Position p tells of token p + 1. After a preemption positions come again.
            let from = item.start.max(known.len() - 1);
            let positions: Vec<usize> = (from..item.end.min(prompt - 1)).collect();
            if positions.is_empty() {
                continue;
            }
            let tokens = {
                let state = self.shared.lock();
                let tokens = state.scheduler.tokens(item.id).map(<[u32]>::to_vec);
                let Some(tokens) = tokens else { continue };
                tokens
            };
            for part in positions.chunks(ROWS) {
                let rows: Vec<usize> = part.iter().map(|position| first + position - item.start).collect();
                let logits = runner.logits(states, &rows, ROWS)?.to_literal()?;
                let width = runner.vocabulary();
                for (position, logits) in part.iter().zip(logits.as_slice::<f32>()?.chunks(width)) {
                    known.push(Some(logprobs(&logits[..self.vocabulary], tokens[position + 1], *top)));
                }
            }
        }
        Ok(())
    }

    /// Chooses tokens for each item that wants some; answers that have their vector, `pooled`, end.
    fn sample(&mut self, logits: Option<&Literal>, pooled: &[u64]) -> Result<()> {
        let width = match &self.model {
            Model::Decoder(runner) => runner.vocabulary(),
            Model::Encoder(_) => 0,
        };
        let mut all = match logits {
            Some(logits) => logits.as_slice::<f32>()?,
            None => &[],
        };
        let mut works = Vec::new();
        let state = self.shared.lock();
        for item in self.plan.items.iter().filter(|item| item.sampled) {
            if pools(&self.answers, item) {
                continue;
            }
            let (logits, rest) = all.split_at((item.drafts + 1) * width);
            all = rest;
            // One that was aborted meanwhile gets nothing.
            let tokens = state.scheduler.tokens(item.id);
            if let (Some(tokens), Some(answer)) = (tokens, self.answers.remove(&item.id)) {
                let length = tokens.len();
                let tokens = if answer.reads_tokens() { tokens.to_vec() } else { Vec::new() };
                works.push(Work { item, logits, length, tokens, answer: Mutex::new(answer) });
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
                    // The scheduler is given some token of an item that ends with it, if it has none.
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
        // In the order of the items: those that have a vector stand between the others.
        for id in pooled {
            finished.push(*id);
            sampled.push((*id, 0));
            if let Some(mut answer) = self.answers.remove(id) {
                self.shared.metrics().finished.stop += 1;
                answer.end_with_vector();
            }
        }
        if !pooled.is_empty() {
            let place = |id: u64| self.plan.items.iter().position(|item| item.id == id);
            sampled.sort_by_key(|(id, _)| place(*id));
        }
        self.finish(&sampled, &finished)
    }

    /// Gives what was chosen to the scheduler; those that have all their tokens end.
    fn finish(&mut self, sampled: &[(u64, u32)], finished: &[u64]) -> Result<()> {
        let mut state = self.shared.lock();
        let ended = state.scheduler.done(&self.plan, sampled, finished)?.to_vec();
        drop(state);
        // The last token of an answer that has all of its own.
        for id in ended {
            let last = self.chosen.iter_mut().rev().find(|chosen| chosen.id == id);
            if let Some(last) = last.filter(|chosen| chosen.finish.is_none()) {
                last.finish = Some(Finish::MaxTokens);
            }
        }
        Ok(())
    }

    /// Makes text of what was chosen, and gives it to the readers.
    fn tell(&mut self) {
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
                // Whoever reads of the end finds it counted.
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
    fn count(&self, answer: &Answer, finish: &Finish) {
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

    /// A step failed: everything that ran fails with it, and nothing computed before is used again.
    fn fail(&mut self, error: &Error) {
        self.chosen.clear();
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
        // All its items are gone, so it has no tokens to be given.
        let _ = state.scheduler.done(&self.plan, &[], &[]);
        state.scheduler.forget_prefixes();
    }
}

/// Notes that a token of an answer came.
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
