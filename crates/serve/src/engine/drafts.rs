//! Drafts of tokens, which a step verifies (speculative decoding).

use jarrah_array::{Array, Prepared};
use jarrah_base::{Error, Result};
use jarrah_engine::StepPlan;
use jarrah_models::Decoder;

use super::answer::Answers;
use super::guess::{Guessed, Guesses, follow, guess};
use super::heads::Heads;
use super::layout::Layout;
use super::lookup::Lookup;
use super::runner::{AdapterRoom, Batch, CacheShape, Runner, size_for, sizes};

/// The method by which tokens are drafted.
///
/// A draft changes no answer: each token is chosen from its own logits as it would be without a draft, and the draft counts as
/// far as it agrees. So the distribution is the model's, and with a seed the text is the same.
#[derive(Clone, Debug)]
pub enum Drafts {
    /// Lookup of the text's last tokens in the text itself.
    Lookup(Lookup),
    /// A smaller model with the same vocabulary, which drafts `tokens` at a time. It samples with the random numbers of the
    /// answer, so it draws the model's token wherever its distribution is close.
    ///
    /// Source: Leviathan et al., Fast inference from transformers via speculative decoding, 2023.
    Model {
        /// The model.
        model: Box<Decoder>,
        /// The most tokens of a draft.
        tokens: usize,
    },
    /// The model's own modules for multi-token prediction, one after another, `tokens` at a time; beyond the number of modules,
    /// the last one continues from its own states.
    ///
    /// Source: DeepSeek-AI, DeepSeek-V3 technical report, 2024, section 5.4.3.
    Heads {
        /// The most tokens of a draft.
        tokens: usize,
    },
}

impl Drafts {
    /// Checks that a draft model has the vocabulary and context of the model.
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

    /// The draft model, which needs keys and values of its own.
    pub(super) fn model(&self) -> Option<&Decoder> {
        match self {
            Drafts::Lookup(_) | Drafts::Heads { .. } => None,
            Drafts::Model { model, .. } => Some(model),
        }
    }
}

/// The drafter of an engine.
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
            Drafts::Heads { tokens } => {
                // Beside the step's new tokens, each sequence needs one more position.
                let sizes = sizes(tokens_per_step + sequences);
                Drafter::Heads(Box::new(Heads::new(tokens, sequences, sizes)))
            }
            Drafts::Model { model, tokens } => {
                let layout = Layout::whole(&model);
                let room = AdapterRoom::default();
                Drafter::Model(Box::new(Small {
                    runner: Runner::new(Prepared::new(*model), (layout, shape), sequences, max_length, room)?,
                    tokens,
                    // Beside the step's tokens, each sequence needs its last draft.
                    sizes: sizes(tokens_per_step + sequences),
                    batch: Batch::default(),
                    lasts: Vec::new(),
                }))
            }
        })
    }
}

/// A draft model. Its keys and values lie on the pages of the layers that see the whole text, in memory of its own.
pub struct Small {
    pub runner: Runner,
    pub tokens: usize,
    pub sizes: Vec<usize>,
    /// The batch of the plan's known tokens that the draft model has not computed.
    batch: Batch,
    /// For each item the row of its last token in the batch.
    lasts: Vec<usize>,
}

/// A draft model, and the states that it computed last.
struct Smalls<'a> {
    small: &'a mut Small,
    states: Array,
}

impl Guesses for Smalls<'_> {
    fn logits(&self, rows: &[usize], size: usize) -> Result<Array> {
        self.small.runner.logits(&self.states, rows, size)
    }

    fn follow(
        &mut self,
        count: usize,
        guessed: &[Guessed],
        plan: &StepPlan,
        _: &Answers,
    ) -> Result<Vec<Option<usize>>> {
        let rows = follow(&mut self.small.batch, guessed, plan, |item| item.end - item.drafts + count - 1);
        self.states = self.small.run()?;
        Ok(rows)
    }
}

impl Small {
    /// Begins the batch of a plan with so many items.
    pub fn clear(&mut self, items: usize) {
        self.batch.clear();
        self.lasts.clear();
        self.lasts.resize(items, 0);
    }

    /// Adds the known tokens of item `at` in positions `from..end`.
    pub fn add(&mut self, at: usize, row: usize, tokens: &[u32], from: usize, end: usize) {
        self.batch.extend(row, 0, from, tokens[from..end].iter().copied());
        self.lasts[at] = self.batch.tokens.len().saturating_sub(1);
    }

    fn run(&mut self) -> Result<Array> {
        self.runner.run(&self.batch, size_for(&self.sizes, self.batch.tokens.len()))
    }

    /// Drafts the tokens that the plan has room for.
    pub fn guess(&mut self, plan: &StepPlan, answers: &mut Answers, vocabulary: usize) -> Result<()> {
        self.runner.apply(&plan.changes);
        self.runner.copy(&plan.copies)?;
        let states = self.run()?;
        let items = plan.items.iter().enumerate().filter(|(_, item)| item.drafts > 0);
        let open = items.map(|(at, _)| (at, self.lasts[at])).collect();
        guess(&mut Smalls { small: self, states }, open, plan, answers, vocabulary)?;
        for item in &plan.items {
            if let Some(answer) = answers.get_mut(&item.id) {
                // The last drafted token was not fed to the draft model.
                answer.drafted = item.end - item.drafts + item.drafts.saturating_sub(1);
            }
        }
        Ok(())
    }
}
