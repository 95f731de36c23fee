//! The engine's thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use jarrah_array::default_device;
use jarrah_base::{Error, Result};
use jarrah_engine::{PrefixBlock, Scheduler, StepPlan};

use super::adapters::AdapterCommand;
use super::answer::Answers;
use super::decoding::Decoding;
use super::encoder::{Encoder, Text};
use super::offload::{Identity, Restore, Store, hash_of_weights};
use super::sleep::{Rest, Sleep};
use super::stream::Finish;
use super::weights::NewWeights;
use super::work::Work;
use super::{Shared, State};

/// The number of pages read at a time while pages are written to files.
const KEPT: usize = 32;

/// The model of an engine.
pub enum Model {
    /// A decoder, which computes the steps that the scheduler plans.
    Decoder(Box<Decoding>),
    /// An encoder, which computes whole texts.
    Encoder(Box<Encoder>),
}

pub struct Core {
    model: Model,
    work: Work,
    /// Whether programs are compiled, and memory is taken, before requests need them.
    warms: bool,
    /// Whether warming is complete.
    is_warm: bool,
    /// Whether nothing has been computed or compiled yet, so weights may not have been read.
    is_new: bool,
    /// Whether the memory that reading the weights used is still held.
    keeps_room: bool,
    /// The files for keys and values that lose their pages.
    store: Option<Arc<Store>>,
}

impl Core {
    pub fn new(
        shared: Arc<Shared>,
        model: Model,
        vocabulary: usize,
        warms: bool,
        store: Option<Arc<Store>>,
    ) -> Core {
        let work = Work {
            shared,
            answers: Answers::default(),
            plan: StepPlan::default(),
            vocabulary,
            chosen: Vec::new(),
        };
        Core { model, work, warms, is_warm: false, is_new: true, keeps_room: true, store }
    }

    /// Runs turns until the engine is told to end.
    pub fn run(mut self) {
        let ended = catch_unwind(AssertUnwindSafe(|| {
            while self.turn() {}
            let is_graceful = !self.work.shared.lock().quitting;
            if is_graceful {
                self.keep_all();
                if let Model::Decoder(decoding) = &self.model {
                    decoding.runner.weights().finish_keeping(&|| self.work.shared.lock().quitting);
                }
            }
        }));
        if let Some(store) = &self.store {
            store.finish(&|| self.work.shared.lock().quitting);
        }
        let finish = match ended {
            Ok(()) => Finish::Cancelled,
            Err(_) => Finish::Failed(Error::internal("the engine's thread has ended by a panic")),
        };
        let mut state = self.work.shared.lock();
        state.has_ended = true;
        let arrivals = std::mem::take(&mut state.arrivals);
        state.weights.clear();
        state.adapter_commands.clear();
        state.rests.clear();
        state.restores.clear();
        drop(state);
        for mut answer in self.work.answers.drain().map(|(_, answer)| *answer).chain(arrivals) {
            answer.end_with(finish.clone());
        }
        self.work.shared.ended.notify_all();
    }

    /// One turn: runs a step, or waits for work; false when the engine ends.
    fn turn(&mut self) -> bool {
        let shared = self.work.shared.clone();
        let mut state = shared.lock();
        loop {
            let (rests, restores) = (std::mem::take(&mut state.rests), std::mem::take(&mut state.restores));
            if !rests.is_empty() || !restores.is_empty() {
                drop(state);
                for (rest, told) in rests {
                    // The caller may have given up waiting.
                    let _ = told.send(self.rest(rest));
                }
                restores.into_iter().for_each(|restore| self.restore(restore));
                state = shared.lock();
                // More work may have come while the lock was released.
                continue;
            }
            self.take_answers(&mut state);
            // A sleeping engine computes nothing, so waiting for its answers to end would never return.
            let is_done = self.work.answers.is_empty() || state.asleep.is_some();
            if state.quitting || (state.closing && is_done) {
                return false;
            }
            self.obey(&mut state);
            if !state.paused && state.asleep.is_none() && self.plan(&mut state.scheduler) {
                break;
            }
            state = match self.idle(state.asleep.is_some()) {
                Some(idle) => {
                    drop(state);
                    self.do_idle(idle);
                    shared.lock()
                }
                None => shared.came.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
        if let Model::Decoder(decoding) = &mut self.model {
            decoding.fill(&self.work, &state.scheduler);
        }
        let evicted = state.scheduler.evicted();
        drop(state);
        self.is_new = false;
        self.keep(evicted, false);
        let computed = match &mut self.model {
            Model::Decoder(decoding) => decoding.step(&mut self.work),
            Model::Encoder(encoder) => encode(encoder, &mut self.work),
        };
        if let Err(error) = computed {
            self.work.fail(&error);
        }
        true
    }
}

/// Work that is done while there is no step to compute.
enum Idle {
    /// The tokens of the last step are told.
    Tell,
    /// A program is compiled, or memory is taken, before requests need it.
    Warm,
    /// The memory that reading the weights used is given back.
    GiveBack,
}

impl Core {
    /// The work that is left while there is no step to compute, the most urgent first.
    fn idle(&self, is_asleep: bool) -> Option<Idle> {
        match () {
            () if !self.work.chosen.is_empty() => Some(Idle::Tell),
            () if self.warms && !self.is_warm && !is_asleep => Some(Idle::Warm),
            () if self.keeps_room && !self.is_new => Some(Idle::GiveBack),
            () => None,
        }
    }

    fn do_idle(&mut self, idle: Idle) {
        match idle {
            Idle::Tell => self.work.tell(),
            Idle::Warm => {
                self.is_warm = match &mut self.model {
                    Model::Decoder(decoding) => !decoding.warm_one().unwrap_or(false),
                    Model::Encoder(_) => true,
                };
                self.is_new = false;
            }
            Idle::GiveBack => {
                self.keeps_room = false;
                default_device().give_back_unused();
            }
        }
    }

    /// Takes the answers that have come, and ends those that were aborted.
    fn take_answers(&mut self, state: &mut State) {
        for answer in state.arrivals.drain(..) {
            self.work.answers.insert(answer.id, Box::new(answer));
        }
        for id in std::mem::take(&mut state.aborted) {
            state.scheduler.abort(id);
            if let Some(mut answer) = self.work.answers.remove(&id) {
                self.work.count(&answer, &Finish::Cancelled);
                answer.end_with(Finish::Cancelled);
            }
        }
    }

    /// Sets weights and adapters as callers have told, and forgets the prefixes that were computed with others.
    fn obey(&mut self, state: &mut State) {
        for NewWeights { model, identity, told } in std::mem::take(&mut state.weights) {
            let set = match &mut self.model {
                Model::Decoder(decoding) => decoding.runner.set_weights(model),
                Model::Encoder(_) => {
                    Err(Error::input("the weights of an encoder stay as they are").op("engine"))
                }
            };
            if set.is_ok() {
                state.forget = true;
                state.asleep = state.asleep.map(|_| Sleep::Pages);
                if let (Some(store), Some(identity)) = (&self.store, identity) {
                    store.set_identity(identity);
                }
            }
            // The caller may have given up waiting.
            let _ = told.send(set);
        }
        for AdapterCommand { at, changes, told } in std::mem::take(&mut state.adapter_commands) {
            if let Model::Decoder(decoding) = &mut self.model {
                decoding.runner.set_adapter(at, Some(&changes));
            }
            // The caller may have given up waiting.
            let _ = told.send(());
        }
        if std::mem::take(&mut state.forget) {
            state.scheduler.forget_prefixes();
        }
    }

    /// Plans a step. Returns whether it computes anything.
    fn plan(&mut self, scheduler: &mut Scheduler) -> bool {
        match &mut self.model {
            Model::Decoder(decoding) => {
                decoding.lengthen(&mut self.work, scheduler);
                decoding.draft(&mut self.work, scheduler);
                match &mut decoding.pace {
                    Some(pace) => {
                        let most = |decodes, left| pace.most(decodes, left);
                        scheduler.step_within(&mut self.work.plan, most);
                    }
                    None => scheduler.step(&mut self.work.plan),
                }
            }
            Model::Encoder(_) => scheduler.step(&mut self.work.plan),
        }
        if !self.work.plan.items.is_empty() {
            return true;
        }
        // A plan without items needs no step; its changes of the page tables are applied.
        if let Model::Decoder(decoding) = &mut self.model {
            decoding.runner.apply(&self.work.plan.changes);
        }
        let _ = scheduler.done(&self.work.plan, &[], &[]);
        false
    }

    /// Puts memory to sleep or wakes it. Returns the hash of the weights if they were given back.
    fn rest(&mut self, rest: Rest) -> Result<Option<Identity>> {
        if let Rest::Sleep(_) = rest {
            self.keep_all();
        }
        let shared = self.work.shared.clone();
        let gives_weights =
            rest == Rest::Sleep(Sleep::Weights) && shared.lock().asleep != Some(Sleep::Weights);
        let hash = match &self.model {
            Model::Decoder(decoding) if gives_weights => {
                Some(hash_of_weights(&decoding.runner.weights().get()?)?)
            }
            _ => None,
        };
        let mut state = shared.lock();
        match (&mut self.model, rest) {
            (Model::Decoder(decoding), Rest::Sleep(sleep)) => {
                state.scheduler.clear()?;
                self.work.answers.values_mut().for_each(|answer| answer.drafted = 0);
                decoding.sleep(sleep);
                state.asleep = state.asleep.max(Some(sleep));
            }
            (Model::Decoder(decoding), Rest::Wake) => {
                decoding.wake()?;
                self.is_warm = false;
                state.asleep = None;
            }
            (Model::Encoder(_), Rest::Sleep(sleep)) => state.asleep = Some(sleep),
            (Model::Encoder(_), Rest::Wake) => state.asleep = None,
        }
        Ok(hash)
    }

    /// Writes the pages of evicted blocks to files, before a step reuses the pages.
    fn keep(&self, mut blocks: Vec<PrefixBlock>, may_wait: bool) {
        let (Some(store), Model::Decoder(decoding)) = (&self.store, &self.model) else { return };
        let identity = store.identity();
        let waits = || may_wait && !self.work.shared.lock().quitting;
        blocks.retain(|block| !store.was_there(&identity, &block.key, block.group));
        // The pages of a chunk are read from the device together.
        for part in blocks.chunks(KEPT) {
            if may_wait && self.work.shared.lock().quitting {
                return;
            }
            let pages: Vec<u32> = part.iter().map(|block| block.page).collect();
            // A page that cannot be read now is computed again when it is needed.
            let Ok(pages) = decoding.runner.read_pages(&pages) else { return };
            for (block, page) in part.iter().zip(pages) {
                let is_written = store.write(&block.key, block.group, page, &waits);
                let mut metrics = self.work.shared.metrics();
                match is_written {
                    true => metrics.offloaded_pages += 1,
                    false => metrics.offload_lost_pages += 1,
                }
                drop(metrics);
                // The storage accepts nothing, or the engine must end now.
                if may_wait && !is_written {
                    return;
                }
            }
        }
    }

    /// Writes all blocks of the prefix cache to files, as many as fit, the most recently used last.
    fn keep_all(&self) {
        let Some(store) = &self.store else { return };
        let mut state = self.work.shared.lock();
        if state.asleep.is_some() {
            return;
        }
        let mut blocks = state.scheduler.evicted();
        let cached = state.scheduler.cached_blocks();
        drop(state);
        blocks.extend(cached.into_iter().take(store.most()).rev());
        self.keep(blocks, true);
    }

    /// Copies pages that were read from files into the memory of keys and values.
    fn restore(&mut self, restore: Restore) {
        let Restore { salt, tokens, blocks, pages, identity, told } = restore;
        let mut state = self.work.shared.lock();
        let is_current = self.store.as_ref().is_some_and(|store| store.identity() == identity);
        if !is_current || state.asleep.is_some() {
            let _ = told.send(false);
            return;
        }
        let given = state.scheduler.install(&salt, &tokens, &blocks);
        let evicted = state.scheduler.evicted();
        drop(state);
        self.keep(evicted, false);
        let is_whole = given.iter().all(Option::is_some);
        let pages: Vec<(u32, Vec<u8>)> =
            given.into_iter().zip(pages).filter_map(|(page, content)| Some((page?, content))).collect();
        let written = match &mut self.model {
            Model::Decoder(decoding) => decoding.runner.write_pages(&pages),
            Model::Encoder(_) => Ok(()),
        };
        if written.is_err() {
            // The copy failed half way, so no cached page can be trusted.
            self.work.shared.lock().scheduler.forget_prefixes();
        } else {
            let mut metrics = self.work.shared.metrics();
            metrics.restored_pages += pages.len() as u64;
        }
        let _ = told.send(written.is_ok() && is_whole);
    }
}

/// Computes the texts whose last token is in the plan, each as a whole: an encoder sees a text at once and cannot use parts of
/// it.
fn encode(encoder: &Encoder, work: &mut Work) -> Result<()> {
    work.begin(Instant::now());
    let last = work.plan.items.iter().filter(|item| item.sampled);
    let mut whole = Vec::new();
    {
        let state = work.shared.lock();
        for item in last {
            let tokens = state.scheduler.tokens(item.id).map(<[u32]>::to_vec);
            let answer = work.answers.get(&item.id);
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
        if let Some(answer) = work.answers.get_mut(id) {
            answer.pooled = vector;
            done.push(*id);
        }
    }
    work.sample(None, &done)
}
