use crate::order::{Place, insert};
use crate::plan::{Change, Item, PageCopy, StepPlan};
use crate::prefix::NONE;
use crate::scheduler::Scheduler;
use crate::sequence::Running;

/// The outcome of an attempt to admit the first waiting request.
enum Admission {
    Done,
    /// The request does not fit now.
    Blocked,
    /// Other requests became urgent and come first.
    Reordered,
}

impl Scheduler {
    /// Plans the next step into `plan`, whose memory is used again. A plan without items says that there is nothing
    /// to compute until another plan is done or a request is added.
    pub fn step(&mut self, plan: &mut StepPlan) {
        self.step_within(plan, |_, _| usize::MAX);
    }

    /// Plans a step of at most `most(decodes, left)` positions, so that prompts with many positions do not hold decodes up for
    /// longer than the caller wants. The closure is given the number of positions of the decodes, and the number of positions
    /// left to compute of prompts, those in the prefix cache among them; positions beyond [`BACKLOG`](Self::BACKLOG) full steps
    /// are not counted. Whatever it returns, decodes are planned, and prompts get a position if `tokens_per_step` leaves one.
    ///
    /// ```
    /// use jarrah_engine::{Limits, StepPlan, Request, Scheduler};
    /// let mut scheduler = Scheduler::new(Limits::default())?;
    /// scheduler.add(Request { id: 1, prompt: vec![5, 6, 7], most_tokens: 3, ..Request::default() })?;
    /// let mut plan = StepPlan::default();
    /// scheduler.step(&mut plan);
    /// scheduler.done(&plan, &[(1, 30)], &[])?;
    /// scheduler.add(Request { id: 2, prompt: vec![8; 100], most_tokens: 1, ..Request::default() })?;
    /// scheduler.step_within(&mut plan, |decodes, left| {
    ///     assert_eq!((decodes, left), (1, 100));
    ///     32
    /// });
    /// let ends: Vec<_> = plan.items.iter().map(|item| (item.id, item.end)).collect();
    /// assert_eq!(ends, [(1, 4), (2, 31)]);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn step_within(&mut self, plan: &mut StepPlan, most: impl FnOnce(usize, usize) -> usize) {
        self.planned += 1;
        plan.clear(self.planned);
        let left = self.decode(plan);
        if plan.tokens < self.limits.tokens_per_step {
            let most = most(plan.tokens, self.and_waiting(left));
            self.fill(plan, most.max(plan.tokens + 1).min(self.limits.tokens_per_step));
        }
        plan.changes.append(&mut self.changes);
    }

    /// The most full steps of prompts that are counted as left to compute.
    pub const BACKLOG: usize = 64;

    /// Plans the sequences of which one position remains. Gives how many positions the other running ones have left.
    fn decode(&mut self, plan: &mut StepPlan) -> usize {
        // Drafts leave a token for every running sequence that needs one.
        let (mut need, mut left) = (0, 0);
        for place in &self.running {
            let remaining = self.get(place.index).remaining();
            need += usize::from(remaining > 0);
            left += if remaining > 1 { remaining } else { 0 };
        }
        let mut at = 0;
        while at < self.running.len() {
            let index = self.running[at].index;
            if self.get(index).remaining() == 1 {
                need -= 1;
                if !self.compute_settled(index, plan) {
                    let spare = self.limits.tokens_per_step - plan.tokens - 1 - need;
                    let want = 1 + self.drafts(index).min(spare);
                    let granted = self.make_room(at, want, plan);
                    if granted > 0 {
                        self.compute(index, granted, plan);
                        plan.decodes += 1;
                    }
                }
            }
            at += 1;
        }
        left
    }

    /// `left` and the positions that waiting requests have to compute.
    fn and_waiting(&self, mut left: usize) -> usize {
        let most = Self::BACKLOG * self.limits.tokens_per_step;
        for place in &self.waiting {
            if left >= most {
                break;
            }
            left += self.get(place.index).tokens.len();
        }
        left.min(most)
    }

    /// Plans the one position that remains of a running sequence, if that changes no table of pages; false if it may.
    fn compute_settled(&mut self, index: u32, plan: &mut StepPlan) -> bool {
        let Some(sequence) = &mut self.sequences[index as usize] else { return false };
        let Some(running) = &mut sequence.running else { return false };
        let (start, end) = (running.computed, running.computed + 1);
        if start >= running.settled || running.drafts > 0 {
            return false;
        }
        sequence.pending += 1;
        running.computed = end;
        running.seen = self.planned;
        running.item = Some(plan.items.len());
        plan.tokens += 1;
        plan.decodes += 1;
        let (id, row, serial) = (sequence.id, running.row, sequence.place.serial);
        plan.items.push(Item { id, row, start, end, drafts: 0, sampled: true, serial, index });
        true
    }

    /// The drafts that a decode may have, so that it has no more positions than it could need.
    fn drafts(&self, index: u32) -> usize {
        let sequence = self.get(index);
        let drafts = sequence.running.as_ref().map_or(0, |running| running.drafts);
        drafts.min(sequence.most - sequence.length() - 1)
    }

    /// Gives the rest of `most` tokens of the step, in order, to prompts of running and of waiting sequences.
    fn fill(&mut self, plan: &mut StepPlan, most: usize) {
        let (mut at, mut admitting) = (0, true);
        while plan.tokens < most {
            while at < self.running.len() && !self.is_next(self.running[at].index) {
                at += 1;
            }
            let next = self.running.get(at).copied();
            let head = self.waiting.first().copied();
            // A sequence preempted in this step is not admitted again in it: its pages went to others.
            admitting &= plan.preempted.is_empty();
            let head = head.filter(|head| admitting && next.is_none_or(|next| *head < next));
            let admitted = match head.map(|head| self.admit(head)) {
                Some(Admission::Blocked) => {
                    admitting = false;
                    continue;
                }
                Some(Admission::Reordered) => {
                    at = 0;
                    continue;
                }
                Some(Admission::Done) => head,
                None => next,
            };
            let Some(place) = admitted else { break };
            let Ok(at) = self.running.binary_search(&place) else { break };
            let want = self.get(place.index).remaining().min(most - plan.tokens);
            let granted = self.make_room(at, want, plan);
            if granted > 0 {
                self.compute(place.index, granted, plan);
                self.cache_blocks(place.index);
            }
        }
    }

    /// Whether a running sequence has something to compute and was not looked at in this step.
    fn is_next(&self, index: u32) -> bool {
        let sequence = self.get(index);
        sequence.remaining() > 0
            && sequence.running.as_ref().is_some_and(|running| running.seen != self.planned)
    }

    /// Lets the first of the waiting run, if it fits.
    fn admit(&mut self, place: Place) -> Admission {
        let page = self.limits.page;
        if self.rows.is_empty() || self.get(place.index).pending > 0 {
            return Admission::Blocked;
        }
        let room = self.pages.free().saturating_sub(self.owed());
        if self.blocked.is_some_and(|(serial, before)| serial == place.serial && room <= before) {
            return Admission::Blocked;
        }
        let sequence = self.get(place.index);
        let (length, most) = (sequence.tokens.len(), sequence.most as u64);
        let need = self.limits.need(length);
        let Some(sequence) = &self.sequences[place.index as usize] else { return Admission::Blocked };
        // The last token is always computed: its logits are wanted.
        let found = self.pages.find(&sequence.salt, &sequence.tokens[..length - 1]);
        let held = self.pages.found_count() - self.pages.found_free();
        if need.saturating_sub(held) > room {
            self.blocked = Some((place.serial, room));
            return Admission::Blocked;
        }
        if !self.may_overtake(place, most) {
            return Admission::Reordered;
        }
        let Some(row) = self.rows.pop() else { return Admission::Blocked };
        self.waiting.remove(0);
        self.overtake(place, most);
        self.blocked = None;
        let groups = self.limits.windows.len();
        let tables = &mut self.tables[row * groups..][..groups];
        let changes = &mut self.changes;
        for (group, table) in tables.iter_mut().enumerate() {
            table.resize(self.pages.first(group, found * page).min(found), NONE);
        }
        let Some(sequence) = &mut self.sequences[place.index as usize] else { return Admission::Blocked };
        let chain = self.pages.adopt((&sequence.salt, sequence.is_apart), |group, block, page| {
            tables[group].push(page);
            changes.push(Change { group, row, block, page });
        });
        let computed = found * page;
        sequence.running = Some(Running::new(row, computed, chain));
        insert(&mut self.running, place);
        self.totals.admissions += 1;
        self.totals.sought += length as u64;
        self.totals.hits += computed as u64;
        Admission::Done
    }

    /// Pages that running prompts still need.
    fn owed(&self) -> usize {
        let owed = |place: &Place| {
            let sequence = self.get(place.index);
            let Some(running) = sequence.running.as_ref().filter(|_| sequence.remaining() > 1) else {
                return 0;
            };
            let groups = self.limits.windows.iter().enumerate();
            let owed = groups.map(|(group, &window)| {
                let blocks = running.computed.div_ceil(self.limits.page);
                let held = blocks.saturating_sub(self.pages.first(group, running.computed));
                self.limits.need_of(window, sequence.length()).saturating_sub(held)
            });
            owed.sum::<usize>()
        };
        self.running.iter().map(owed).sum()
    }

    /// Finds pages for up to `want` positions of the sequence at `at` of the running ones, at the cost of those
    /// behind it, and says for how many; 0 if it has to sit the step out.
    fn make_room(&mut self, at: usize, want: usize, plan: &mut StepPlan) -> usize {
        let index = self.running[at].index;
        self.leave_window(index);
        loop {
            let granted = self.room(index).min(want);
            let last = self.running.len() - 1;
            if granted > 0 || last == at || !self.preempt(self.running[last], plan) {
                let step = self.planned;
                if let Some(running) = &mut self.get_mut(index).running {
                    running.seen = step;
                    running.item = None;
                }
                return granted;
            }
        }
    }

    /// For how many further positions there are pages.
    fn room(&self, index: u32) -> usize {
        let Some(running) = &self.get(index).running else { return 0 };
        let (page, groups) = (self.limits.page, self.limits.windows.len());
        let copies = (0..groups).filter(|&group| self.is_shared(running, group)).count();
        let Some(free) = self.pages.free().checked_sub(copies) else { return 0 };
        (running.computed.div_ceil(page) + free / groups) * page - running.computed
    }

    /// Whether the page to be written next in `group` is also another's.
    fn is_shared(&self, running: &Running, group: usize) -> bool {
        let block = running.computed / self.limits.page;
        let table = &self.tables[running.row * self.limits.windows.len() + group];
        table.get(block).is_some_and(|&page| self.pages.references(page) > 1)
    }

    /// Gives back the pages that no window of the sequence will see again.
    fn leave_window(&mut self, index: u32) {
        let Some(running) = &self.get(index).running else { return };
        let (row, computed, groups) = (running.row, running.computed, self.limits.windows.len());
        for group in 0..groups {
            let table = &mut self.tables[row * groups + group];
            let seen = self.pages.first(group, computed).min(table.len());
            for page in table[..seen].iter_mut().rev() {
                match std::mem::replace(page, NONE) {
                    NONE => break,
                    page => self.pages.release(page),
                }
            }
        }
    }

    /// Takes the pages of a running sequence, which waits again; not if the plan computes some of its prompt.
    fn preempt(&mut self, place: Place, plan: &mut StepPlan) -> bool {
        let step = self.planned;
        let sequence = self.get_mut(place.index);
        let Some(running) = sequence.running.as_ref() else { return false };
        if let Some(item) = running.item.filter(|_| running.seen == step) {
            if item >= plan.decodes {
                return false;
            }
            sequence.pending -= 1;
            let id = sequence.id;
            let item = plan.items.remove(item);
            plan.decodes -= 1;
            plan.tokens -= item.end - item.start;
            plan.copies.retain(|copy| copy.row != item.row);
            for (at, item) in plan.items.iter().enumerate() {
                if let Some(running) = &mut self.get_mut(item.index).running {
                    running.item = Some(at);
                }
            }
            debug_assert_eq!(item.id, id);
        }
        self.stop(place.index);
        self.running.pop();
        insert(&mut self.waiting, place);
        plan.preempted.push(self.get(place.index).id);
        self.totals.preemptions += 1;
        true
    }

    /// Plans the next `count` positions of a running sequence, for which [`make_room`](Self::make_room) has found
    /// pages.
    fn compute(&mut self, index: u32, count: usize, plan: &mut StepPlan) {
        let (page, groups) = (self.limits.page, self.limits.windows.len());
        let Some(sequence) = &mut self.sequences[index as usize] else { return };
        let length = sequence.length();
        let Some(running) = &mut sequence.running else { return };
        let (row, start, end) = (running.row, running.computed, running.computed + count);
        for group in 0..groups {
            let table = &mut self.tables[row * groups + group];
            if let Some(last) = table.get_mut(start / page) {
                if self.pages.references(*last) > 1 {
                    if let Some(to) = self.pages.take() {
                        self.pages.release(*last);
                        plan.copies.push(PageCopy { row, from: *last, to });
                        *last = to;
                        self.changes.push(Change { group, row, block: start / page, page: to });
                    }
                } else {
                    self.pages.uncache(*last);
                }
            }
            while table.len() < end.div_ceil(page) {
                let Some(page) = self.pages.take() else { break };
                self.changes.push(Change { group, row, block: table.len(), page });
                table.push(page);
            }
        }
        let drafts = end.saturating_sub(length);
        let sampled = end >= length;
        sequence.pending += usize::from(sampled);
        running.computed = end;
        running.drafts = 0;
        running.undecided = drafts > 0;
        running.item = Some(plan.items.len());
        let leaves = (0..groups).map(|group| self.pages.leaves(group, start));
        running.settled = leaves.fold(end.next_multiple_of(page), usize::min);
        plan.tokens += count;
        let (id, serial) = (sequence.id, sequence.place.serial);
        plan.items.push(Item { id, row, start, end, drafts, sampled, serial, index });
    }

    /// Puts the full blocks of a running sequence whose tokens are known into the prefix cache.
    pub(crate) fn cache_blocks(&mut self, index: u32) {
        let (page, groups) = (self.limits.page, self.limits.windows.len());
        let Some(sequence) = &mut self.sequences[index as usize] else { return };
        let Some(running) = &mut sequence.running else { return };
        let full = running.computed.min(sequence.tokens.len()) / page;
        for block in running.chain.blocks()..full {
            let tables = &self.tables[running.row * groups..][..groups];
            let tokens = &sequence.tokens[block * page..][..page];
            if !self.pages.extend(&mut running.chain, tokens, |group| tables[group][block]) {
                break;
            }
        }
    }
}
