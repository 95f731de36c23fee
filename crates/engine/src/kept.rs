//! Blocks that are kept elsewhere than in pages, and memory that is given back.

use crate::limits::refused;
use crate::order::insert;
use crate::pages::{Missing, PrefixBlock, salted};
use crate::prefix::PrefixKey;
use crate::scheduler::Scheduler;

impl Scheduler {
    /// Keeps the [`PrefixKey`]s of blocks, and reports by [`evicted`](Self::evicted) which blocks lose their pages, so that a caller
    /// can keep the content of these pages elsewhere.
    ///
    /// ```
    /// use jarrah_engine::{Limits, StepPlan, Request, Scheduler};
    /// let mut scheduler = Scheduler::new(Limits { pages: 3, page: 2, ..Limits::default() })?;
    /// scheduler.keep_keys();
    /// let mut plan = StepPlan::default();
    /// for (id, prompt) in [(1, vec![5, 6, 7, 8]), (2, vec![1, 2, 3, 4, 5])] {
    ///     scheduler.add(Request { id, prompt, most_tokens: 1, ..Request::default() })?;
    ///     scheduler.step(&mut plan);
    ///     scheduler.done(&plan, &[(id, 9)], &[])?;
    /// }
    /// // The second request has taken the pages of the first, the last one first.
    /// let lost = scheduler.evicted();
    /// assert_eq!(lost.len(), 2);
    /// // They come back: first it is asked which of them are missing, then they get pages.
    /// let missing = scheduler.missing(&[], &[5, 6, 7, 8, 9], |key, _| lost.iter().any(|block| block.key == *key));
    /// assert_eq!(missing.iter().map(|one| one.block).collect::<Vec<_>>(), [0, 1]);
    /// assert!(scheduler.install(&[], &[5, 6, 7, 8, 9], &missing).iter().all(Option::is_some));
    /// scheduler.add(Request { id: 3, prompt: vec![5, 6, 7, 8, 9], most_tokens: 1, ..Request::default() })?;
    /// scheduler.step(&mut plan);
    /// assert_eq!(plan.items[0].start, 4);
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn keep_keys(&mut self) {
        self.pages.keep_keys();
    }

    /// The blocks that have lost their pages since this was asked last. Until the next plan runs, the pages have what they had.
    pub fn evicted(&mut self) -> Vec<PrefixBlock> {
        self.pages.evicted()
    }

    /// The cached blocks of pages that nobody holds, those used last first.
    pub fn cached_blocks(&self) -> Vec<PrefixBlock> {
        self.pages.cached_blocks()
    }

    /// The blocks that must get pages before the longest prefix of `tokens` is found of which all blocks have a page now or are, as `kept` says, kept
    /// elsewhere in that group.
    pub fn missing(
        &self,
        salt: &[u8],
        tokens: &[u32],
        kept: impl FnMut(&PrefixKey, usize) -> bool,
    ) -> Vec<Missing> {
        // The last token is always computed.
        let tokens = &tokens[..tokens.len().saturating_sub(1)];
        self.pages.missing(&salted(salt, self.limits.page), tokens, kept)
    }

    /// Gives free pages to blocks of `tokens`, at the cost of the blocks cached in them: for each of `missing` its page, or
    /// `None` if there is no page for it. The caller writes the pages before the next plan runs.
    pub fn install(&mut self, salt: &[u8], tokens: &[u32], missing: &[Missing]) -> Vec<Option<u32>> {
        self.pages.install(&salted(salt, self.limits.page), tokens, missing)
    }

    /// Takes the pages of all that runs, which waits again at its place, and forgets all cached prefixes: the memory of the pages is to be given back.
    ///
    /// # Errors
    /// A plan is not done.
    ///
    /// ```
    /// use jarrah_engine::{Limits, StepPlan, Request, Scheduler};
    /// let mut scheduler = Scheduler::new(Limits { pages: 8, page: 4, ..Limits::default() })?;
    /// scheduler.add(Request { id: 1, prompt: vec![5, 6, 7, 8, 9], most_tokens: 3, ..Request::default() })?;
    /// let mut plan = StepPlan::default();
    /// scheduler.step(&mut plan);
    /// scheduler.done(&plan, &[(1, 30)], &[])?;
    /// scheduler.clear()?;
    /// assert_eq!((scheduler.counters().held, scheduler.counters().cached), (0, 0));
    /// scheduler.step(&mut plan);
    /// assert_eq!((plan.items[0].start, plan.items[0].end), (0, 6));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn clear(&mut self) -> jarrah_base::Result<()> {
        if self.finished != self.planned {
            let message = format!("plan {} is not done", self.finished + 1);
            return Err(refused(message, "finish all plans first"));
        }
        for place in std::mem::take(&mut self.running) {
            self.stop(place.index);
            insert(&mut self.waiting, place);
            self.totals.preemptions += 1;
        }
        self.changes.clear();
        self.forget_prefixes();
        Ok(())
    }
}
