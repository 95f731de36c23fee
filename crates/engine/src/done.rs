use jarrah_base::Result;

use crate::limits::refused;
use crate::plan::{Item, StepPlan};
use crate::scheduler::Scheduler;
use crate::sequence::Sequence;

impl Scheduler {
    /// Takes the tokens that the oldest plan not yet done has sampled.
    ///
    /// `sampled` has the requests in the order of the plan's items: one token for each that samples, and for one with
    /// drafts its accepted drafts and then the token after them. Requests that were aborted since the plan was made
    /// may be left out. `finished` names requests that end with these tokens. Returns those that end because they
    /// have all the tokens that they asked for; they, too, are gone.
    ///
    /// # Errors
    /// The plan is not the oldest that is not done, or tokens are missing or too many; then nothing has changed.
    pub fn done(&mut self, plan: &StepPlan, sampled: &[(u64, u32)], finished: &[u64]) -> Result<&[u64]> {
        if plan.number != self.finished + 1 || plan.number > self.planned {
            let message = format!("plan {} is done, the next one is plan {}", plan.number, self.finished + 1);
            return Err(refused(message, "finish each plan once, in the order in which they were made"));
        }
        self.check(plan, sampled)?;
        self.finished += 1;
        self.ended.clear();
        // Each loop reads one field of all sequences, so that the reads that miss the cache of the processor overlap.
        let mut rest = sampled;
        for item in plan.items.iter().filter(|item| item.sampled) {
            let tokens = tokens_of(item, &mut rest);
            if let Some(sequence) = self.of(item) {
                match tokens {
                    [(_, token)] => sequence.tokens.push(*token),
                    _ => sequence.tokens.extend(tokens.iter().map(|&(_, token)| token)),
                }
                sequence.pending -= 1;
                if item.drafts > 0 {
                    self.decide(item, tokens.len());
                }
            }
        }
        for item in plan.items.iter().filter(|item| item.sampled) {
            let page = self.limits.page;
            let Some(sequence) = self.of(item) else { continue };
            let (id, index) = (sequence.id, item.index);
            let has_ended = sequence.tokens.len() >= sequence.most;
            let has_block = sequence.has_block(page);
            if has_ended {
                self.ended.push(id);
            }
            if has_block {
                self.cache_blocks(index);
            }
        }
        for &id in finished {
            self.abort(id);
        }
        for at in 0..self.ended.len() {
            self.abort(self.ended[at]);
        }
        Ok(&self.ended)
    }

    fn check(&self, plan: &StepPlan, sampled: &[(u64, u32)]) -> Result<()> {
        let mut rest = sampled;
        for item in plan.items.iter().filter(|item| item.sampled) {
            let count = tokens_of(item, &mut rest).len();
            if !(1..=item.drafts + 1).contains(&count) && self.is_there(item) {
                let message = format!(
                    "request {} has {count} tokens of plan {}, with {} drafts",
                    item.id, plan.number, item.drafts
                );
                return Err(refused(
                    message,
                    "give a token for each item that samples, and one more for each draft accepted",
                ));
            }
        }
        match rest.first() {
            None => Ok(()),
            Some((id, _)) => {
                let message = format!("plan {} has no item of request {id} here", plan.number);
                Err(refused(message, "give tokens in the order of the plan's items"))
            }
        }
    }

    /// Whether the sequence of an item has not ended.
    fn is_there(&self, item: &Item) -> bool {
        self.sequences[item.index as usize]
            .as_ref()
            .is_some_and(|sequence| sequence.place.serial == item.serial)
    }

    /// The sequence of an item, if it has not ended.
    fn of(&mut self, item: &Item) -> Option<&mut Sequence> {
        self.sequences[item.index as usize].as_mut().filter(|sequence| sequence.place.serial == item.serial)
    }

    /// Discards the computed positions of rejected drafts: the drafts before the last of `tokens` tokens were accepted.
    fn decide(&mut self, item: &Item, tokens: usize) {
        let (page, groups) = (self.limits.page, self.limits.windows.len());
        let Some(sequence) = &mut self.sequences[item.index as usize] else { return };
        let Some(running) = &mut sequence.running else { return };
        running.undecided = false;
        running.settled = 0;
        running.computed = item.end - item.drafts + tokens - 1;
        let blocks = running.computed.div_ceil(page);
        for table in &mut self.tables[running.row * groups..][..groups] {
            for page in table.drain(blocks.min(table.len())..).rev() {
                self.pages.release(page);
            }
        }
    }
}

/// The tokens of an item, taken from the front of the rest.
fn tokens_of<'a>(item: &Item, rest: &mut &'a [(u64, u32)]) -> &'a [(u64, u32)] {
    let count = rest.iter().take_while(|(id, _)| *id == item.id).count();
    let (tokens, behind) = rest.split_at(count);
    *rest = behind;
    tokens
}
