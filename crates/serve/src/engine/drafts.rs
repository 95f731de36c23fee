//! Drafts of tokens, which steps then verify.

use jarrah_array::Array;
use jarrah_base::{Error, Literal, Result};
use jarrah_engine::{Item, Plan};
use jarrah_models::Decoder;
use rustc_hash::FxHashMap;

use super::answer::Answer;
use super::lookup::Lookup;
use super::runner::{AdapterRoom, Batch, CacheShape, Runner, size_for, sizes};

/// How tokens are drafted.
///
/// A draft changes no answer: each token is chosen from its own logits as it would be without, and the draft counts as far as it is the same. So the
/// distribution is that of the model, and with a seed the text is.
#[derive(Clone, Debug)]
pub enum Drafts {
    /// From the text itself.
    Lookup(Lookup),
    /// By a smaller model of the same tokens, `tokens` at a time. It draws them with the random numbers of the answer, so that it says what the model
    /// would say wherever it knows as much.
    ///
    /// Source: Leviathan et al., Fast inference from transformers via speculative decoding, 2023.
    Model {
        /// The model.
        model: Box<Decoder>,
        /// The most tokens of a draft.
        tokens: usize,
    },
    /// By the model's own module that predicts a further token, `tokens` at a time: beyond the first it goes on from its own states.
    ///
    /// Source: DeepSeek-AI, DeepSeek-V3 technical report, 2024, section 5.4.3.
    Heads {
        /// The most tokens of a draft.
        tokens: usize,
    },
}

impl Drafts {
    /// A draft model's tokens and length must be those of the model.
    pub(super) fn check(&self, model: &Decoder, max_length: usize) -> Result<()> {
        let wrong = |error: String| Err(Error::input(error).op("engine"));
        let other = match self {
            Drafts::Model { tokens: 0, .. } | Drafts::Heads { tokens: 0 } => {
                return wrong("a draft has 0 tokens".to_owned());
            }
            Drafts::Heads { .. } if model.mtp.is_empty() => {
                return wrong("the model has no module that predicts further tokens".to_owned());
            }
            Drafts::Lookup(_) | Drafts::Heads { .. } => return Ok(()),
            Drafts::Model { model, .. } => model,
        };
        match other {
            other if other.vocabulary() != model.vocabulary() => wrong(format!(
                "the draft model has {} tokens, and the model {}: they must be the same",
                other.vocabulary(),
                model.vocabulary()
            )),
            other if other.context < max_length => wrong(format!(
                "the draft model was made for {} tokens, and sequences have {max_length}",
                other.context
            )),
            _ => Ok(()),
        }
    }

    /// The model that needs keys and values of its own.
    pub(super) fn model(&self) -> Option<&Decoder> {
        match self {
            Drafts::Lookup(_) | Drafts::Heads { .. } => None,
            Drafts::Model { model, .. } => Some(model),
        }
    }
}

/// What drafts.
pub enum Drafter {
    Lookup(Lookup),
    Model(Box<Small>),
    Heads(Box<Heads>),
}

impl Drafter {
    pub fn new(
        drafts: Drafts,
        shape: CacheShape,
        sequences: usize,
        max_length: usize,
        tokens_per_step: usize,
    ) -> Result<Drafter> {
        Ok(match drafts {
            Drafts::Lookup(lookup) => Drafter::Lookup(lookup),
            Drafts::Heads { tokens } => Drafter::Heads(Box::new(Heads { tokens, ..Heads::default() })),
            Drafts::Model { model, tokens } => Drafter::Model(Box::new(Small {
                runner: Runner::new(*model, shape, sequences, max_length, AdapterRoom::default())?,
                tokens,
                // Beside those of a step, the last draft of each sequence.
                sizes: sizes(tokens_per_step + sequences),
                batch: Batch::default(),
                lasts: Vec::new(),
            })),
        })
    }
}

/// A draft model. Its keys and values lie in the pages of the model's, in memory of its own.
pub struct Small {
    pub runner: Runner,
    pub tokens: usize,
    pub sizes: Vec<usize>,
    /// The known tokens of the plan that it has not seen.
    batch: Batch,
    /// Where in the batch the last token of each item is.
    lasts: Vec<usize>,
}

impl Small {
    /// Begins the batch of a plan.
    pub fn clear(&mut self, items: usize) {
        self.batch.clear();
        self.lasts.clear();
        self.lasts.resize(items, 0);
    }

    /// Adds the known tokens of the item `at`, those before `end`.
    pub fn add(&mut self, at: usize, row: usize, tokens: &[u32], from: usize, end: usize) {
        self.batch.extend(row, 0, from, tokens[from..end].iter().copied());
        self.lasts[at] = self.batch.tokens.len().saturating_sub(1);
    }

    /// Drafts the tokens that the plan has room for.
    pub fn guess(
        &mut self,
        plan: &Plan,
        answers: &mut FxHashMap<u64, Answer>,
        vocabulary: usize,
    ) -> Result<()> {
        self.runner.apply(&plan.changes);
        self.runner.copy(&plan.copies)?;
        let mut states = self.runner.run(&self.batch, size_for(&self.sizes, self.batch.tokens.len()))?;
        let items = plan.items.iter().enumerate().filter(|(_, item)| item.drafts > 0);
        let mut open: Vec<usize> = items.map(|(at, _)| at).collect();
        let mut rows: Vec<usize> = open.iter().map(|&at| self.lasts[at]).collect();
        let mut drafted = 0;
        while !open.is_empty() {
            let logits = self.runner.logits(&states, &rows, rows.len().next_power_of_two())?;
            let logits: Literal = logits.to_literal()?;
            let logits = logits.as_slice::<f32>()?;
            let width = self.runner.vocabulary();
            self.batch.clear();
            rows.clear();
            for (&at, logits) in open.iter().zip(logits.chunks(width)) {
                let item = &plan.items[at];
                let place = item.end - item.drafts + drafted;
                let Some(answer) = answers.get_mut(&item.id) else { continue };
                let token = answer.sampler.guess(&logits[..vocabulary], place);
                answer.drafts.push(token);
                if drafted + 1 < item.drafts {
                    rows.push(self.batch.tokens.len());
                    self.batch.extend(item.row, 0, place, [token].into_iter());
                }
            }
            drafted += 1;
            let goes_on = |at: &usize| {
                let item = &plan.items[*at];
                drafted < item.drafts && answers.contains_key(&item.id)
            };
            open.retain(goes_on);
            if !open.is_empty() {
                states = self.runner.run(&self.batch, size_for(&self.sizes, self.batch.tokens.len()))?;
            }
        }
        for item in &plan.items {
            if let Some(answer) = answers.get_mut(&item.id) {
                // The last draft was not fed.
                answer.drafted = item.end - item.drafts + item.drafts.saturating_sub(1);
            }
        }
        Ok(())
    }
}

/// What a step computed of a request, as far as the next one needs it.
#[derive(Clone, Copy)]
struct Computed {
    id: u64,
    /// The first position, and its row among the states of the step.
    start: usize,
    first: usize,
    count: usize,
}

/// The model's own module for further tokens. At each position it needs the state that the model has there and the token behind, so it sees a position
/// in the step after the one that computes it. Where a request sat out between two steps it misses some, and drafts worse.
#[derive(Default)]
pub struct Heads {
    pub tokens: usize,
    /// Those of the last step.
    states: Option<Array>,
    computed: Vec<Computed>,
    /// The positions to see now: with the tokens behind them, and where their states are.
    batch: Batch,
    rows: Vec<usize>,
    /// Where in the batch the last position of each item is, if there is one.
    lasts: Vec<Option<usize>>,
}

impl Heads {
    /// Begins the batch of a plan.
    pub fn clear(&mut self, items: usize) {
        self.batch.clear();
        self.rows.clear();
        self.lasts.clear();
        self.lasts.resize(items, None);
    }

    /// Adds the positions of the item `at` that the step before has computed.
    pub fn add(&mut self, at: usize, item: &Item, tokens: &[u32]) {
        let before = self.computed.iter().find(|computed| computed.id == item.id);
        let Some(&Computed { start, first, count, .. }) = before else { return };
        // One that began again, or stands elsewhere, has nothing to go on from.
        if !(start + 1..=start + count).contains(&item.start) || item.start >= tokens.len() {
            return;
        }
        self.batch.extend(item.row, 0, start, tokens[start + 1..=item.start].iter().copied());
        self.rows.extend(first..first + item.start - start);
        self.lasts[at] = Some(self.rows.len() - 1);
    }

    /// Keeps what a step has computed.
    pub fn keep(&mut self, states: &Array, plan: &Plan, firsts: &[usize]) {
        self.states = Some(states.clone());
        self.computed.clear();
        self.computed.extend(plan.items.iter().zip(firsts).map(|(item, &first)| Computed {
            id: item.id,
            start: item.start,
            first,
            count: item.end - item.start,
        }));
    }

    /// Drafts the tokens that the plan has room for.
    pub fn guess(
        &mut self,
        runner: &mut Runner,
        plan: &Plan,
        answers: &mut FxHashMap<u64, Answer>,
        (vocabulary, sizes): (usize, &[usize]),
    ) -> Result<()> {
        let (Some(mut states), false) = (self.states.take(), self.rows.is_empty()) else { return Ok(()) };
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, _) in plan.items.iter().enumerate().filter(|(_, item)| item.drafts > 0) {
            open.extend(self.lasts[at].map(|last| (at, last)));
        }
        states = runner.further(&self.batch, &states, &self.rows, size_for(sizes, self.rows.len()))?;
        let mut drafted = 0;
        while !open.is_empty() {
            let lasts: Vec<usize> = open.iter().map(|&(_, last)| last).collect();
            let logits = runner.further_logits(&states, &lasts, lasts.len().next_power_of_two())?;
            let logits = logits.to_literal()?;
            let logits = logits.as_slice::<f32>()?;
            self.batch.clear();
            self.rows.clear();
            let mut rest = Vec::new();
            for (&(at, last), logits) in open.iter().zip(logits.chunks(runner.vocabulary())) {
                let item = &plan.items[at];
                let Some(answer) = answers.get_mut(&item.id) else { continue };
                let token = answer.sampler.guess(&logits[..vocabulary], item.end - item.drafts + drafted);
                answer.drafts.push(token);
                if drafted + 1 < item.drafts {
                    rest.push((at, self.rows.len()));
                    self.rows.push(last);
                    self.batch.extend(item.row, 0, item.start + drafted, [token].into_iter());
                }
            }
            drafted += 1;
            open = rest;
            if !open.is_empty() {
                states =
                    runner.further(&self.batch, &states, &self.rows, size_for(sizes, self.rows.len()))?;
            }
        }
        Ok(())
    }
}
