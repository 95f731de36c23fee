//! Drafts by the modules of a model that predict further tokens.

use jarrah_array::Array;
use jarrah_base::Result;
use jarrah_engine::{Item, Plan};

use super::answer::Answers;
use super::drafts::{Guessed, Guesses, follow, guess};
use super::runner::{Batch, Runner, size_for};

/// What a step computed of a request, as far as the next one needs it.
#[derive(Clone, Copy)]
struct Computed {
    id: u64,
    /// The first position, and its row among the states of the step.
    start: usize,
    first: usize,
    count: usize,
}

/// The positions of an item that the modules see now.
struct Seen {
    item: usize,
    id: u64,
    /// The row of the tables of pages.
    row: usize,
    /// The first position of which the model's state is new, its row among the states, and the position behind the last.
    start: usize,
    first: usize,
    end: usize,
    /// The known tokens from `start + 1` on.
    ahead: Vec<u32>,
    /// The first position that the module has computed that ran last, its row, and the position behind the last.
    made: (usize, usize, usize),
}

/// A state of a module at a position, kept for the next step.
#[derive(Clone, Copy)]
struct Kept {
    id: u64,
    position: usize,
}

/// The model's own modules for further tokens, one after another. Module `k`, from 0, needs at each position the state that the module before, or the model,
/// has there and the token `k + 1` places behind; so it sees a position in a step after the one that computes it, and again once more of its tokens are no
/// drafts any more. Where a request sat out between two steps modules miss some positions, and draft worse. Drafts that are longer than there are modules go on from
/// the last module's own states.
pub struct Heads {
    pub tokens: usize,
    /// The most requests of which states are kept.
    sequences: usize,
    sizes: Vec<usize>,
    /// Those of the last step.
    states: Option<Array>,
    computed: Vec<Computed>,
    seen: Vec<Seen>,
    batch: Batch,
    /// Which states of the model belong to the batch of the first module.
    rows: Vec<usize>,
    /// For each module behind the first what it needs of the module before from an earlier step: a row for each.
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

    /// Forgets what was computed: its keys and values are gone.
    pub fn forget(&mut self) {
        self.states = None;
        self.computed.clear();
        self.kept.clear();
    }

    /// Adds the positions of the item `at` that the step before has computed.
    pub fn add(&mut self, at: usize, item: &Item, tokens: &[u32]) {
        let before = self.computed.iter().find(|computed| computed.id == item.id);
        let Some(&Computed { start, first, count, .. }) = before else { return };
        // One that began again, or stands elsewhere, has nothing to go on from.
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
        answers: &mut Answers,
        vocabulary: usize,
    ) -> Result<()> {
        let (Some(states), false) = (self.states.take(), self.seen.is_empty()) else { return Ok(()) };
        let mut modules = Modules { heads: self, runner, states, module: 0 };
        modules.first()?;
        let open = modules.heads.seen.iter().filter(|seen| plan.items[seen.item].drafts > 0);
        let open = open.map(|seen| (seen.item, seen.last())).collect();
        guess(&mut modules, open, plan, answers, vocabulary)?;
        // Those that drafted nothing see the positions all the same.
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

/// Modules while they run, and the states of the one that ran last.
struct Modules<'a> {
    heads: &'a mut Heads,
    runner: &'a mut Runner,
    states: Array,
    module: usize,
}

impl Modules<'_> {
    /// Runs a module on the batch, of which `rows` of `kept` and of the states are the states before.
    fn run(&mut self, kept: Option<&Array>) -> Result<()> {
        let heads = &self.heads;
        let size = size_for(&heads.sizes, heads.rows.len());
        let states = self.runner.pick(kept, &self.states, &heads.rows, size)?;
        self.states = self.runner.further(self.module, &heads.batch, states)?;
        Ok(())
    }

    /// Runs the first module on what is new.
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

    /// Runs the next module on what the one before has made, as far as its tokens are known or drafted.
    fn next(&mut self, plan: &Plan, answers: &Answers) -> Result<()> {
        self.module += 1;
        let module = self.module;
        let Heads { seen, batch, rows, kept, sequences, .. } = &mut *self.heads;
        batch.clear();
        rows.clear();
        let before = kept.get(module - 1).cloned();
        let room = before.as_ref().map_or(0, |_| *sequences);
        // What the next step needs of the module before: its state at the position from which on more tokens will be known.
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
        plan: &Plan,
        answers: &Answers,
    ) -> Result<Vec<Option<usize>>> {
        if count < self.runner.modules() {
            self.next(plan, answers)?;
            let seen = &self.heads.seen;
            let row = |one: &Guessed| {
                let seen = seen.iter().find(|seen| seen.item == one.item)?;
                // Where the module could not see the last position, it has nothing to say.
                (seen.made.2 == seen.end).then(|| seen.last())
            };
            return Ok(guessed.iter().map(row).collect());
        }
        // The last module goes on by one position.
        let (heads, modules) = (&mut *self.heads, self.runner.modules());
        let made = follow(&mut heads.batch, guessed, plan, |item| item.start + count - modules);
        heads.rows.clear();
        heads.rows.extend(guessed.iter().map(|one| one.row));
        self.run(None)?;
        Ok(made)
    }
}
