//! Drafting from the states of a model: of a draft model, or of heads that predict further tokens.

use jarrah_array::Array;
use jarrah_base::Result;
use jarrah_engine::{Item, StepPlan};

use super::answer::Answers;
use super::runner::Batch;

/// A drafted token of an item that is not the draft's last, and the row of the states that it was guessed from.
pub struct Guessed {
    /// The index of the item in the plan.
    pub item: usize,
    pub row: usize,
    pub token: u32,
}

/// A model that computes the states from which draft tokens are guessed.
pub trait Guesses {
    /// Begins to compute the logits for these rows of the latest states, padded to `size` rows.
    fn logits(&self, rows: &[usize], size: usize) -> Result<Array>;

    /// Computes the states that follow these tokens, each of which is the `count`-th of its draft. Returns their rows; nothing
    /// for tokens without states.
    fn follow(
        &mut self,
        count: usize,
        guessed: &[Guessed],
        plan: &StepPlan,
        answers: &Answers,
    ) -> Result<Vec<Option<usize>>>;
}

/// Drafts the tokens that a plan has room for. `open` are items, each with the row of states that its first draft is guessed
/// from.
pub fn guess(
    guesses: &mut impl Guesses,
    mut open: Vec<(usize, usize)>,
    plan: &StepPlan,
    answers: &mut Answers,
    vocabulary: usize,
) -> Result<()> {
    for count in 1.. {
        if open.is_empty() {
            break;
        }
        let rows: Vec<usize> = open.iter().map(|&(_, row)| row).collect();
        let size = rows.len().next_power_of_two();
        let logits = guesses.logits(&rows, size)?.to_literal()?;
        let logits = logits.as_slice::<f32>()?;
        let width = logits.len() / size;
        let mut guessed = Vec::with_capacity(open.len());
        for (&(at, row), logits) in open.iter().zip(logits.chunks(width)) {
            let item = &plan.items[at];
            let Some(answer) = answers.get_mut(&item.id) else { continue };
            let token = answer.sampler.guess(&logits[..vocabulary], item.end - item.drafts + count - 1);
            answer.drafts.push(token);
            if count < item.drafts {
                guessed.push(Guessed { item: at, row, token });
            }
        }
        open.clear();
        if !guessed.is_empty() {
            let rows = guesses.follow(count, &guessed, plan, answers)?;
            open.extend(guessed.iter().zip(rows).filter_map(|(guessed, row)| Some((guessed.item, row?))));
        }
    }
    Ok(())
}

/// Makes the batch of these tokens, each at the position that `place` gives for its item. Returns the rows of their states.
pub fn follow(
    batch: &mut Batch,
    guessed: &[Guessed],
    plan: &StepPlan,
    place: impl Fn(&Item) -> usize,
) -> Vec<Option<usize>> {
    batch.clear();
    for one in guessed {
        let item = &plan.items[one.item];
        batch.extend(item.row, 0, place(item), [one.token].into_iter());
    }
    (0..guessed.len()).map(Some).collect()
}
