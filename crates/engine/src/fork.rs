use jarrah_base::Result;

use crate::limits::refused;
use crate::order::{Place, insert};
use crate::plan::Change;
use crate::prefix::NONE;
use crate::scheduler::Scheduler;
use crate::sequence::{Running, Sequence};

impl Scheduler {
    /// Continues a sequence in two ways: `child` has the first `keep` tokens of `parent`, and then `tail`. It has its
    /// parent's place, priority, salt and most tokens.
    ///
    /// For several answers to a prompt, fork when its first token is there, with the prompt kept and another first
    /// token as the tail; for beams, with all but the last token kept. What both have computed they share; a page
    /// that is not full is copied by the first of them that writes to it. A child runs at once if a row is free for
    /// it and nothing that waits precedes it; it waits otherwise, and then has what is in the prefix cache.
    ///
    /// # Errors
    /// There is no request `parent`, one `child` already, the parent has no `keep` tokens, or the child has none or
    /// could get none.
    ///
    /// ```
    /// use jarrah_engine::{Limits, StepPlan, Request, Scheduler};
    /// let mut scheduler = Scheduler::new(Limits { pages: 8, page: 4, ..Limits::default() })?;
    /// scheduler.add(Request { id: 1, prompt: vec![5, 6, 7, 8, 9], most_tokens: 3, ..Request::default() })?;
    /// let mut plan = StepPlan::default();
    /// scheduler.step(&mut plan);
    /// scheduler.done(&plan, &[(1, 30)], &[])?;
    /// scheduler.fork(1, 2, 5, &[31])?;
    /// scheduler.step(&mut plan);
    /// assert_eq!(scheduler.tokens(2).unwrap(), [5, 6, 7, 8, 9, 31]);
    /// // Both compute position 5; the first of them gets a copy of the page that both have.
    /// assert_eq!((plan.items.len(), plan.copies.len(), scheduler.counters().held), (2, 1, 3));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn fork(&mut self, parent: u64, child: u64, keep: usize, tail: &[u32]) -> Result<()> {
        let Some(from) = self.sequence(parent) else {
            return Err(refused(
                format!("there is no request {parent} to fork"),
                "fork a request before it ends",
            ));
        };
        let (place, salt, most, is_apart) = (from.place, from.salt.clone(), from.most, from.is_apart);
        let length = keep.saturating_add(tail.len());
        if keep > from.tokens.len() || length == 0 || length >= most {
            let message = format!(
                "a fork of request {parent} keeps {keep} of {} tokens and adds {}, of {most} at most",
                from.tokens.len(),
                tail.len()
            );
            return Err(refused(message, "keep tokens that there are, and leave at least one to sample"));
        }
        let mut tokens = Vec::with_capacity(length);
        tokens.extend_from_slice(&from.tokens[..keep]);
        tokens.extend_from_slice(tail);
        self.fits(child, most)?;
        self.serial += 1;
        let place = Place { serial: self.serial, index: self.vacancy(), ..place };
        let sequence = Sequence {
            id: child,
            place,
            overtaken: 0,
            tokens,
            pending: 0,
            most,
            salt,
            is_apart,
            running: None,
        };
        self.put(sequence);
        if !self.start_fork(parent, place, keep) {
            insert(&mut self.waiting, place);
        }
        Ok(())
    }

    /// Lets a fork run with its parent's pages, if it may.
    fn start_fork(&mut self, parent: u64, place: Place, keep: usize) -> bool {
        let child = self.get(place.index);
        let (last, most) = (child.tokens.len() - 1, child.most as u64);
        let Some(parent) = self.sequence(parent).map(|parent| parent.place.index) else { return false };
        let Some(from) = &self.get(parent).running else { return false };
        let (row, computed) = (from.row, from.computed.min(keep).min(last));
        let (groups, end) = (self.limits.windows.len(), computed.div_ceil(self.limits.page));
        let all_held = (0..groups).all(|group| {
            let table = &self.tables[row * groups + group];
            table[self.pages.first(group, computed).min(end)..end].iter().all(|&page| page != NONE)
        });
        let first = self.waiting.first().is_none_or(|&other| place < other);
        if !first || !all_held || self.rows.is_empty() || !self.may_overtake(place, most) {
            return false;
        }
        let Some(to) = self.rows.pop() else { return false };
        self.overtake(place, most);
        for group in 0..groups {
            let read = self.pages.first(group, computed);
            self.tables[to * groups + group].resize(read.min(end), NONE);
            for block in read..end {
                let page = self.tables[row * groups + group][block];
                self.pages.share(page);
                self.tables[to * groups + group].push(page);
                self.changes.push(Change { group, row: to, block, page });
            }
        }
        let parent = self.sequences[parent as usize].as_mut();
        let Some(from) = parent.and_then(|parent| parent.running.as_mut()) else { return false };
        // The page that it writes to is the child's, too.
        from.settled = 0;
        let blocks = from.chain.blocks().min(computed / self.limits.page);
        let chain = self.pages.branch(&from.chain, blocks);
        self.get_mut(place.index).running = Some(Running::new(to, computed, chain));
        insert(&mut self.running, place);
        self.totals.admissions += 1;
        true
    }
}
