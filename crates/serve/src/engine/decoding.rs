//! A decoder that computes the steps planned by the scheduler.

use std::time::Instant;

use jarrah_array::Array;
use jarrah_base::Result;
use jarrah_engine::{Item, Limits, Pace, Scheduler};

use super::drafts::Drafter;
use super::runner::{Batch, Runner, size_for, sizes};
use super::sleep::Sleep;
use super::work::Work;
use super::{Pooling, long};
use crate::sampler::logprobs;

/// The most rows, one of each token, whose logits (for the logprobs of prompts) or states (for pooled vectors) are copied from
/// the device together.
const ROWS: usize = 64;

/// A decoder, its drafter, and the batch of a step.
pub struct Decoding {
    pub runner: Runner,
    /// The pace of steps: how many prompt tokens a step may have beside running answers.
    pub pace: Option<Pace>,
    drafter: Option<Drafter>,
    batch: Batch,
    /// The items of the plan in the order of the batch, and for each item its first row in the batch.
    order: Vec<usize>,
    firsts: Vec<usize>,
    sizes: Vec<usize>,
    /// The number of sizes whose programs are compiled.
    warm: usize,
    most_rows: usize,
    /// The length beyond which the model computes texts in another way (other rotary rates), if there is one.
    long_from: Option<usize>,
}

impl Decoding {
    pub fn new(runner: Runner, drafter: Option<Drafter>, limits: &Limits, paced: bool) -> Decoding {
        Decoding {
            batch: Batch { adapted: vec![0; runner.room().count], ..Batch::default() },
            long_from: runner.weights().shapes().long_from(),
            runner,
            drafter,
            order: Vec::new(),
            firsts: Vec::new(),
            pace: paced.then(|| Pace::new(sizes(limits.tokens_per_step))),
            sizes: sizes(limits.tokens_per_step),
            warm: 0,
            most_rows: limits.sequences,
        }
    }

    /// Frees the memory of keys and values, and that of the weights if `sleep` says so.
    pub fn sleep(&mut self, sleep: Sleep) {
        match &mut self.drafter {
            Some(Drafter::Model(small)) => small.runner.sleep(false),
            Some(Drafter::Heads(heads)) => heads.forget(),
            Some(Drafter::Lookup(_)) | None => {}
        }
        self.runner.sleep(sleep == Sleep::Weights);
    }

    /// Allocates the memory of keys and values again.
    pub fn wake(&mut self) -> Result<()> {
        if let Some(Drafter::Model(small)) = &mut self.drafter {
            small.runner.wake()?;
        }
        self.runner.wake()
    }

    /// Compiles the programs of the next step size, or, when all are compiled, touches the next piece of reserved memory; false
    /// if warming is complete.
    pub fn warm_one(&mut self) -> Result<bool> {
        let Some(&size) = self.sizes.get(self.warm) else {
            let small = match &mut self.drafter {
                Some(Drafter::Model(small)) => small.runner.populate()?,
                _ => false,
            };
            return Ok(self.runner.populate()? || small);
        };
        self.warm += 1;
        // Programs are compiled for every power of two of rows that a step of this size may have.
        let most = size.min(self.most_rows).next_power_of_two();
        let rows: Vec<usize> =
            std::iter::successors(Some(1), |rows| Some(2 * rows)).take_while(|&rows| rows <= most).collect();
        self.runner.compile(size, &rows)?;
        if let Some(Drafter::Model(small)) = &mut self.drafter {
            small.runner.compile(size, &rows)?;
        }
        Ok(true)
    }

    /// Fills the batch with the tokens of the plan, grouped by adapter.
    pub fn fill(&mut self, work: &Work, scheduler: &Scheduler) {
        self.batch.clear();
        let place = |item: &Item| {
            let adapter = work.answers.get(&item.id).and_then(|answer| answer.adapter.as_ref());
            adapter.map_or(usize::MAX, |adapter| adapter.at)
        };
        self.order.clear();
        self.order.extend(0..work.plan.items.len());
        self.order.sort_by_key(|&at| place(&work.plan.items[at]));
        self.firsts.clear();
        self.firsts.resize(work.plan.items.len(), 0);
        match &mut self.drafter {
            Some(Drafter::Model(small)) => small.clear(work.plan.items.len()),
            Some(Drafter::Heads(heads)) => heads.clear(),
            Some(Drafter::Lookup(_)) | None => {}
        }
        for &at in &self.order {
            let item = &work.plan.items[at];
            self.firsts[at] = self.batch.tokens.len();
            if let Some(count) = self.batch.adapted.get_mut(place(item)) {
                *count += (item.end - item.start) as i32;
            }
            let Some(tokens) = scheduler.tokens(item.id) else { continue };
            let answer = work.answers.get(&item.id);
            let known = item.end - item.drafts;
            // A draft model drafts later, so its tokens are 0 for now.
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

    /// Computes the planned step, and chooses tokens.
    pub fn step(&mut self, work: &mut Work) -> Result<()> {
        let begun = Instant::now();
        self.runner.apply(&work.plan.changes);
        self.runner.copy(&work.plan.copies)?;
        self.guess(work)?;
        let count = self.batch.tokens.len();
        let computing = Instant::now();
        let states = self.runner.run(&self.batch, size_for(&self.sizes, count))?;
        let mut rows = Vec::new();
        for (item, first) in work.plan.items.iter().zip(&self.firsts) {
            let end = first + item.end - item.start;
            if item.sampled && work.chooses(item) {
                rows.extend(end - 1 - item.drafts..end);
            }
        }
        let logits = match rows.len() {
            0 => None,
            count => Some(self.runner.logits(&states, &rows, count.next_power_of_two())?),
        };
        work.begin(begun);
        work.tell();
        self.tell_prompts(work, &states)?;
        let read = self.pool(work, &states)?;
        if let Some(Drafter::Heads(heads)) = &mut self.drafter {
            heads.keep(&states, &work.plan, &self.firsts);
        }
        // The step must be over before the next plan is made, so that its time is measured here.
        states.block_until_ready()?;
        if let Some(pace) = &mut self.pace {
            pace.observe(count, computing.elapsed().as_secs_f64());
        }
        let choosing = Instant::now();
        let logits = logits.map(|logits| logits.to_literal()).transpose()?;
        work.sample(logits.as_ref().map(|logits| (logits, self.runner.vocabulary())), &read)?;
        if let Some(pace) = &mut self.pace {
            pace.observe_choice(rows.len(), choosing.elapsed().as_secs_f64());
        }
        Ok(())
    }

    /// Restarts sequences that have grown past the limit beyond which texts are computed in another way.
    pub fn lengthen(&self, work: &mut Work, scheduler: &mut Scheduler) {
        let Some(limit) = self.long_from else { return };
        for (&id, answer) in &mut work.answers {
            let length = scheduler.tokens(id).map_or(0, <[u32]>::len);
            if length > limit && answer.length == 0 {
                answer.length = limit + 1;
                answer.drafted = 0;
                // The sequence exists and no plan is open, so restarting does not fail.
                let _ = scheduler.restart(id, &long(&answer.salt));
            }
        }
    }

    /// Drafts tokens for the running answers, and asks the scheduler for room for them.
    pub fn draft(&self, work: &mut Work, scheduler: &mut Scheduler) {
        let Some(drafter) = &self.drafter else { return };
        for (&id, answer) in &mut work.answers {
            answer.drafts.clear();
            // An answer without its first token has no position to draft from.
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
            // A draft must not carry a text past the limit, which would restart the sequence.
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

    /// Lets the draft model, or the model's modules for further tokens, draft as many tokens as the plan has room for.
    fn guess(&mut self, work: &mut Work) -> Result<()> {
        match &mut self.drafter {
            Some(Drafter::Model(small)) => small.guess(&work.plan, &mut work.answers, work.vocabulary)?,
            Some(Drafter::Heads(heads)) => {
                heads.guess(&mut self.runner, &work.plan, &mut work.answers, work.vocabulary)?;
            }
            Some(Drafter::Lookup(_)) | None => return Ok(()),
        }
        for (item, &first) in work.plan.items.iter().zip(&self.firsts) {
            let Some(answer) = work.answers.get_mut(&item.id) else { continue };
            // An item about which the drafter knows nothing gets the draft token 0.
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

    /// Pools the states of the step's tokens for requests of vectors. Returns the answers that ask about their prompt only and
    /// whose prompt is computed.
    fn pool(&self, work: &mut Work, states: &Array) -> Result<Vec<u64>> {
        let mut done = Vec::new();
        for (item, &first) in work.plan.items.iter().zip(&self.firsts) {
            let end = first + item.end - item.start;
            let Some(answer) = work.answers.get_mut(&item.id).filter(|answer| !answer.chooses()) else {
                continue;
            };
            if item.sampled {
                done.push(item.id);
            }
            let Some(pooling) = answer.pooling else { continue };
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
                let vectors = self.runner.vectors(states, part, size)?.to_literal()?;
                let vectors = vectors.as_slice::<f32>()?;
                let width = vectors.len() / size;
                answer.pooled.resize(width, 0.0);
                for vector in vectors.chunks(width).take(part.len()) {
                    answer.pooled.iter_mut().zip(vector).for_each(|(sum, x)| *sum += x);
                }
            }
            if item.sampled && pooling == Pooling::Mean {
                let count = answer.prompt as f32;
                answer.pooled.iter_mut().for_each(|x| *x /= count);
            }
        }
        Ok(done)
    }

    /// Computes the logprobs of prompt tokens for the answers that report them.
    fn tell_prompts(&self, work: &mut Work, states: &Array) -> Result<()> {
        for (item, &first) in work.plan.items.iter().zip(&self.firsts) {
            let wanted =
                work.answers.get_mut(&item.id).and_then(|a| Some((a.prompt, a.prompt_logprobs.as_mut()?)));
            let Some((prompt, (top, known))) = wanted else { continue };
            // The logits at position p give the logprob of token p + 1. After a preemption, positions are computed again, and
            // skipped here.
            let from = item.start.max(known.len() - 1);
            let positions: Vec<usize> = (from..item.end.min(prompt - 1)).collect();
            if positions.is_empty() {
                continue;
            }
            let tokens = {
                let state = work.shared.lock();
                let tokens = state.scheduler.tokens(item.id).map(<[u32]>::to_vec);
                let Some(tokens) = tokens else { continue };
                tokens
            };
            for part in positions.chunks(ROWS) {
                let rows: Vec<usize> = part.iter().map(|position| first + position - item.start).collect();
                let logits = self.runner.logits(states, &rows, ROWS)?.to_literal()?;
                let width = self.runner.vocabulary();
                for (position, logits) in part.iter().zip(logits.as_slice::<f32>()?.chunks(width)) {
                    known.push(Some(logprobs(&logits[..work.vocabulary], tokens[position + 1], *top)));
                }
            }
        }
        Ok(())
    }
}
