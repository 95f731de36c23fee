//! Drafts by the model's modules for multi-token prediction.

use jarrah_array::Array;
use jarrah_base::Result;
use jarrah_engine::{Item, StepPlan};

use super::answer::Answers;
use super::guess::{Guessed, Guesses, follow, guess};
use super::runner::{Batch, Runner, size_for};

/// The positions of a request that the last step computed, and where their states are.
#[derive(Clone, Copy)]
struct Computed {
    id: u64,
    /// The first position, and its row in the states of the step.
    start: usize,
    first: usize,
    count: usize,
}

/// The positions of an item that the modules compute in this step.
struct Seen {
    item: usize,
    id: u64,
    /// The sequence's row in the page tables.
    row: usize,
    /// The first position whose state of the model is new, its row in the states, and the end of the positions.
    start: usize,
    first: usize,
    end: usize,
    /// The known tokens from position `start + 1` on.
    ahead: Vec<u32>,
    /// The first position that the module which ran last has computed, its row, and the end of its positions.
    made: (usize, usize, usize),
}

/// The key of a module's state that is kept for the next step: a request and a position.
#[derive(Clone, Copy)]
struct Kept {
    id: u64,
    position: usize,
}

/// The model's modules for multi-token prediction, one after another. At each position, module `k`, from 0, needs the state of
/// the module before (or of the model) at that position, and the token `k + 1` places behind it. So it computes a position one
/// step after the model does, and again once more of its tokens are known rather than drafted. If a request sat out a step,
/// modules miss some positions and draft worse. Drafts longer than the number of modules continue from the last module's own
/// states.
pub struct Heads {
    pub tokens: usize,
    /// The most requests whose states are kept.
    sequences: usize,
    sizes: Vec<usize>,
    /// The model's states of the last step.
    states: Option<Array>,
    computed: Vec<Computed>,
    seen: Vec<Seen>,
    batch: Batch,
    /// The rows of the model's states that the first module's batch reads.
    rows: Vec<usize>,
    /// For each module but the first, the states of the module before it that were kept from earlier steps, and the request and
    /// position of each row.
    kept: Vec<(Vec<Kept>, Array)>,
}

impl Heads {
    pub fn new(tokens: usize, sequences: usize, sizes: Vec<usize>) -> Heads {
        Heads {
            tokens,
            sequences,
            sizes,
            states: None,
            computed: Vec::new(),
            seen: Vec::new(),
            batch: Batch::default(),
            rows: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Begins the batch of a plan.
    pub fn clear(&mut self) {
        self.seen.clear();
    }

    /// Forgets all states: the keys and values of the sequences are gone.
    pub fn forget(&mut self) {
        self.states = None;
        self.computed.clear();
        self.kept.clear();
    }

    /// Adds the positions of item `at` that the last step computed.
    pub fn add(&mut self, at: usize, item: &Item, tokens: &[u32]) {
        let before = self.computed.iter().find(|computed| computed.id == item.id);
        let Some(&Computed { start, first, count, .. }) = before else { return };
        // A sequence that was restarted, or is at another position, has no state to continue from.
        if !(start + 1..=start + count).contains(&item.start) || item.start >= tokens.len() {
            return;
        }
        self.seen.push(Seen {
            item: at,
            id: item.id,
            row: item.row,
            start,
            first,
            end: item.start,
            ahead: tokens[start + 1..].to_vec(),
            made: (start, first, item.start),
        });
    }

    /// Keeps the states that a step computed, for the drafts of the next step.
    pub fn keep(&mut self, states: &Array, plan: &StepPlan, firsts: &[usize]) {
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
        plan: &StepPlan,
        answers: &mut Answers,
        vocabulary: usize,
    ) -> Result<()> {
        let (Some(states), false) = (self.states.take(), self.seen.is_empty()) else { return Ok(()) };
        let mut modules = Modules { heads: self, runner, states, module: 0 };
        modules.first()?;
        let open = modules.heads.seen.iter().filter(|seen| plan.items[seen.item].drafts > 0);
        let open = open.map(|seen| (seen.item, seen.last())).collect();
        guess(&mut modules, open, plan, answers, vocabulary)?;
        // Modules that drafted nothing still compute the positions, so that their keys and values are complete.
        while modules.module + 1 < modules.runner.modules() {
            modules.next(plan, answers)?;
        }
        Ok(())
    }
}

impl Seen {
    /// The row of the last position.
    fn last(&self) -> usize {
        let (from, row, end) = self.made;
        row + end - 1 - from
    }
}

/// The modules while they run, and the states of the one that ran last.
struct Modules<'a> {
    heads: &'a mut Heads,
    runner: &'a mut Runner,
    states: Array,
    module: usize,
}

impl Modules<'_> {
    /// Runs a module on the batch; `rows` select its input states from `kept` followed by `states`.
    fn run(&mut self, kept: Option<&Array>) -> Result<()> {
        let heads = &self.heads;
        let size = size_for(&heads.sizes, heads.rows.len());
        let states = self.runner.pick(kept, &self.states, &heads.rows, size)?;
        self.states = self.runner.further(self.module, &heads.batch, states)?;
        Ok(())
    }

    /// Runs the first module on the new positions.
    fn first(&mut self) -> Result<()> {
        let Heads { seen, batch, rows, .. } = &mut *self.heads;
        batch.clear();
        rows.clear();
        for seen in seen {
            let count = seen.end - seen.start;
            seen.made = (seen.start, rows.len(), seen.end);
            batch.extend(seen.row, 0, seen.start, seen.ahead[..count].iter().copied());
            rows.extend(seen.first..seen.first + count);
        }
        self.run(None)
    }

    /// Runs the next module on the states of the module before, as far as the tokens ahead are known or drafted.
    fn next(&mut self, plan: &StepPlan, answers: &Answers) -> Result<()> {
        self.module += 1;
        let module = self.module;
        let Heads { seen, batch, rows, kept, sequences, .. } = &mut *self.heads;
        batch.clear();
        rows.clear();
        let before = kept.get(module - 1).cloned();
        let room = before.as_ref().map_or(0, |_| *sequences);
        // The next step needs the state of the module before at the position from which on more tokens will be known: it is kept.
        let mut keeps = (Vec::new(), Vec::new());
        for seen in seen {
            let (from, first, end) = seen.made;
            if let Some(position) =
                (seen.end + 1).checked_sub(module + 1).filter(|at| (from..end).contains(at))
                && keeps.0.len() < *sequences
            {
                keeps.0.push(Kept { id: seen.id, position });
                keeps.1.push(first + position - from);
            }
            let earlier = before.as_ref().and_then(|(kept, _)| {
                kept.iter().position(|kept| kept.id == seen.id && kept.position + 1 == from)
            });
            let drafts = answers.get(&seen.id).filter(|_| plan.items[seen.item].drafts > 0);
            let drafts = drafts.map_or(&[][..], |answer| &answer.drafts);
            let token = |at: usize| {
                let known = seen.ahead.len();
                seen.ahead.get(at).or_else(|| drafts.get(at - known)).copied()
            };
            let from = from - usize::from(earlier.is_some());
            // The token `module + 1` places behind a position.
            let tokens = (from..end).map_while(|at| token(at + module - seen.start));
            let tokens: Vec<u32> = tokens.collect();
            seen.made = (from, rows.len(), from + tokens.len());
            let old = earlier.into_iter().take(tokens.len());
            let new = tokens.len() - old.len();
            rows.extend(old);
            rows.extend((0..new).map(|i| room + first + i));
            batch.extend(seen.row, 0, from, tokens.into_iter());
        }
        let picked = self.runner.pick(None, &self.states, &keeps.1, *sequences)?;
        match kept.get_mut(module - 1) {
            Some(place) => *place = (keeps.0, picked),
            None => kept.push((keeps.0, picked)),
        }
        if self.heads.rows.is_empty() {
            return Ok(());
        }
        self.run(before.as_ref().map(|(_, states)| states))
    }
}

impl Guesses for Modules<'_> {
    fn logits(&self, rows: &[usize], size: usize) -> Result<Array> {
        self.runner.further_logits(self.module, &self.states, rows, size)
    }

    fn follow(
        &mut self,
        count: usize,
        guessed: &[Guessed],
        plan: &StepPlan,
        answers: &Answers,
    ) -> Result<Vec<Option<usize>>> {
        if count < self.runner.modules() {
            self.next(plan, answers)?;
            let seen = &self.heads.seen;
            let row = |one: &Guessed| {
                let seen = seen.iter().find(|seen| seen.item == one.item)?;
                // If the module has not computed the last position, it cannot draft.
                (seen.made.2 == seen.end).then(|| seen.last())
            };
            return Ok(guessed.iter().map(row).collect());
        }
        // The last module continues from its own states by one position.
        let (heads, modules) = (&mut *self.heads, self.runner.modules());
        let made = follow(&mut heads.batch, guessed, plan, |item| item.start + count - modules);
        heads.rows.clear();
        heads.rows.extend(guessed.iter().map(|one| one.row));
        self.run(None)?;
        Ok(made)
    }
}
