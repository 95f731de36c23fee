use jarrah_base::Result;
use rustc_hash::FxHashMap;

use crate::limits::{Limits, Request, refused};
use crate::order::{Place, insert, remove};
use crate::pages::{Pages, salted};
use crate::plan::Change;
use crate::prefix::NONE;
use crate::sequence::Sequence;

/// Counters of a scheduler; all but the first five only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Requests that run.
    pub running: usize,
    /// Requests that wait.
    pub waiting: usize,
    /// Pages.
    pub pages: usize,
    /// Pages that sequences hold.
    pub held: usize,
    /// Free pages that still have a block of a prefix.
    pub cached: usize,
    /// Admissions, repeated ones after preemptions included.
    pub admissions: u64,
    /// Tokens that requests had when they were admitted.
    pub sought: u64,
    /// Tokens of those that the prefix cache had.
    pub hits: u64,
    /// Running sequences that gave their pages back for others.
    pub preemptions: u64,
    /// Cached blocks that lost their page to something else.
    pub evictions: u64,
}

/// Decides step by step what a model computes.
///
/// [`add`](Scheduler::add) takes requests, [`step`](Scheduler::step) plans, the caller runs the plan and samples, and
/// [`done`](Scheduler::done) takes the tokens. A plan depends on these calls alone: no clock, no order of a hash map.
///
/// ```
/// use jarrah_engine::{Limits, StepPlan, Request, Scheduler};
/// let mut scheduler = Scheduler::new(Limits { pages: 8, page: 4, sequences: 2, tokens_per_step: 6, ..Limits::default() })?;
/// scheduler.add(Request { id: 1, prompt: vec![5, 6, 7, 8, 9], most_tokens: 2, ..Request::default() })?;
/// scheduler.add(Request { id: 2, prompt: vec![5, 6, 7, 8, 4], most_tokens: 1, ..Request::default() })?;
/// let mut plan = StepPlan::default();
/// scheduler.step(&mut plan);
/// // The prompt of 1, and the first token of 2 that it does not share with 1: it reads the page that 1 fills.
/// let ranges: Vec<_> = plan.items.iter().map(|item| (item.id, item.start..item.end, item.sampled)).collect();
/// assert_eq!(ranges, [(1, 0..5, true), (2, 4..5, true)]);
/// assert_eq!(scheduler.table(1, 0).unwrap()[0], scheduler.table(2, 0).unwrap()[0]);
/// // 2 has all its tokens and ends.
/// assert_eq!(scheduler.done(&plan, &[(1, 30), (2, 31)], &[])?, [2]);
/// scheduler.step(&mut plan);
/// assert_eq!((plan.items[0].start, plan.decodes), (5, 1));
/// assert_eq!(scheduler.done(&plan, &[(1, 32)], &[])?, [1]);
/// assert_eq!(scheduler.counters().held, 0);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # A step
///
/// All items share `tokens_per_step`, or what [`step_within`](Self::step_within) is told. First come the decodes: running sequences of which one position remains, with
/// as many of their drafts as leave a token for every other running sequence that needs one. The rest goes in order
/// to prompts, those running and those waiting, in chunks as large as the rest is; so a long prompt never holds
/// decodes back. A waiting request is admitted when there is a row for it, and when as many pages are free as it and
/// the prompts that run still need. None is admitted before another that precedes it.
///
/// If pages run out, the last running sequence in order gives its pages back and waits at its old place, unless it is
/// the one that asks: that one keeps what it has and sits the step out. Its blocks stay in the prefix cache, so what
/// it computes again is mostly found there.
///
/// # Steps ahead
///
/// `step` may be called again before `done`: the tokens that plans still sample have their positions, and the runner
/// puts them there when it knows them. `done` takes plans in the order in which they were made. A sequence with
/// drafts sits out until it is known how many of them count, and a preempted one until all its tokens are known.
///
/// # Order and fairness
///
/// Requests are ordered by priority, then arrival; a fork stands at its parent's place. **While a request waits, at
/// most K = `overtake` tokens of requests that came later are admitted, whatever their priorities.** An admission is
/// a request's way from waiting to running, the way back after a preemption included, or a fork's that runs at once.
/// It counts with the most tokens that the request can have, prompt and answer. As a sequence computes no position
/// twice in an admission, rejected drafts apart, K also bounds the positions computed for later requests that were
/// admitted meanwhile.
///
/// *Proof.* Each request has a count, of the tokens of all admissions, from its arrival to its end, of requests that
/// came later and precede it in order. Before an admission of `t` tokens, every request that it would count against
/// and whose count would exceed `K - t` is made urgent: it precedes from now on all that is not urgent, and urgent
/// ones are ordered by arrival. Then it is no longer preceded by any request that came later: its count stays as it
/// is, and the admission is tried again from the new order. So no count ever exceeds K. A later request that does not
/// precede a waiting one is not admitted before it, as admissions are in order; so the count has all that the bound
/// speaks of. ∎
///
/// *Every request ends*, if each is forked finitely often and every plan is done. Consider the oldest one. Each
/// admission of others that precede it counts at least one token, so after at most K of them it is first in order for
/// good. Then what runs ends or is preempted, nothing precedes it in being admitted, and once it runs it may take the
/// pages of all others; alone it fits, which `add` has checked. It gets a token of the budget in each step, since the
/// decodes of the others, drafts included, leave one, which `step_within` keeps, and first in order comes first. So it ends, and the next one
/// is the oldest.
pub struct Scheduler {
    pub(crate) limits: Limits,
    pub(crate) pages: Pages,
    pub(crate) sequences: Vec<Option<Sequence>>,
    vacant: Vec<u32>,
    ids: FxHashMap<u64, u32>,
    pub(crate) running: Vec<Place>,
    pub(crate) waiting: Vec<Place>,
    /// The page tables, of each row one for each group.
    pub(crate) tables: Vec<Vec<u32>>,
    /// Rows that no sequence has.
    pub(crate) rows: Vec<usize>,
    /// Entries of page tables that no plan has told yet.
    pub(crate) changes: Vec<Change>,
    pub(crate) serial: u64,
    /// Plans made, and plans done.
    pub(crate) planned: u64,
    pub(crate) finished: u64,
    /// The first of the waiting when it did not fit, and how many pages there were for it.
    pub(crate) blocked: Option<(u64, usize)>,
    pub(crate) ended: Vec<u64>,
    pub(crate) totals: Counters,
}

impl Scheduler {
    /// A scheduler without requests.
    ///
    /// # Errors
    /// A limit is 0, or there are fewer tokens a step than sequences.
    pub fn new(limits: Limits) -> Result<Scheduler> {
        limits.check()?;
        Ok(Scheduler {
            pages: Pages::new(limits.pages, limits.page, &limits.windows),
            sequences: Vec::new(),
            vacant: Vec::new(),
            ids: FxHashMap::default(),
            running: Vec::new(),
            waiting: Vec::new(),
            tables: vec![Vec::new(); limits.sequences * limits.windows.len()],
            rows: (0..limits.sequences).rev().collect(),
            changes: Vec::new(),
            serial: 0,
            planned: 0,
            finished: 0,
            blocked: None,
            ended: Vec::new(),
            totals: Counters::default(),
            limits,
        })
    }

    /// Takes a request, which waits.
    ///
    /// # Errors
    /// As many requests wait as may: one for the caller to answer by "429 Too Many Requests", of the kind
    /// [`Environment`](jarrah_base::ErrorKind::Environment). All others are the request's: it has no prompt, asks for
    /// no token, has the id of another one, or could never fit.
    ///
    /// ```
    /// use jarrah_engine::{Limits, Request, Scheduler};
    /// let mut scheduler = Scheduler::new(Limits { pages: 4, page: 16, ..Limits::default() })?;
    /// let request = Request { id: 1, prompt: vec![0; 60], most_tokens: 6, ..Request::default() };
    /// let error = scheduler.add(request).unwrap_err();
    /// assert_eq!(error.message(), "request 1 needs 5 pages of 16 tokens at its longest, and there are 4");
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn add(&mut self, request: Request) -> Result<()> {
        let id = request.id;
        if request.prompt.is_empty() || request.most_tokens == 0 {
            let message = format!("request {id} has no prompt or asks for no token");
            return Err(refused(message, "give at least one token, and let at least one be sampled"));
        }
        let most = request.prompt.len().saturating_add(request.most_tokens);
        self.fits(id, most)?;
        if self.waiting.len() >= self.limits.waiting {
            let message =
                format!("request {id} finds {} requests waiting, as many as may", self.waiting.len());
            return Err(jarrah_base::Error::environment(message).op("engine").help("send it again later"));
        }
        self.serial += 1;
        let place = Place {
            rank: i64::from(request.priority),
            arrival: self.serial,
            serial: self.serial,
            index: self.vacancy(),
        };
        let sequence = Sequence::new(request, place, self.limits.page);
        self.put(sequence);
        insert(&mut self.waiting, place);
        Ok(())
    }

    /// Whether a sequence of at most `most` tokens could run alone.
    pub(crate) fn fits(&self, id: u64, most: usize) -> Result<()> {
        if self.ids.contains_key(&id) {
            return Err(refused(
                format!("there is a request {id} already"),
                "give each request an id of its own",
            ));
        }
        let longest = self.limits.max_length;
        if most > longest {
            let message =
                format!("request {id} has up to {most} tokens, more than the {longest} of a sequence");
            return Err(refused(message, "shorten the prompt or ask for fewer tokens"));
        }
        // The last token is sampled, not computed.
        let (need, pages) = (self.limits.need(most - 1), self.limits.pages);
        if need > pages {
            let page = self.limits.page;
            let message = format!(
                "request {id} needs {need} pages of {page} tokens at its longest, and there are {pages}"
            );
            return Err(refused(message, "ask for fewer tokens, or give the engine more pages"));
        }
        Ok(())
    }

    pub(crate) fn vacancy(&mut self) -> u32 {
        self.vacant.pop().unwrap_or_else(|| {
            self.sequences.push(None);
            self.sequences.len() as u32 - 1
        })
    }

    pub(crate) fn put(&mut self, sequence: Sequence) {
        let index = sequence.place.index;
        self.ids.insert(sequence.id, index);
        self.sequences[index as usize] = Some(sequence);
    }

    /// Asks for up to `drafts` further positions in the next item of a running sequence that is a decode.
    ///
    /// The plan says how many it has room for: the first that the runner has. What `done` gets is the accepted ones
    /// of them and one more token.
    ///
    /// # Errors
    /// There is no request `id` that runs.
    pub fn speculate(&mut self, id: u64, drafts: usize) -> Result<()> {
        let running = self.ids.get(&id).and_then(|&index| self.sequences[index as usize].as_mut());
        let Some(running) = running.and_then(|sequence| sequence.running.as_mut()) else {
            return Err(refused(format!("no request {id} runs"), "ask for drafts while a request decodes"));
        };
        running.drafts = drafts;
        Ok(())
    }

    /// Ends a request, wherever it is; false if there is none. Plans that are not done may still have it: what they
    /// sample for it is ignored.
    pub fn abort(&mut self, id: u64) -> bool {
        let Some(index) = self.ids.remove(&id) else { return false };
        if self.get(index).running.is_some() {
            self.stop(index);
        }
        let place = self.get(index).place;
        remove(&mut self.running, place);
        remove(&mut self.waiting, place);
        self.sequences[index as usize] = None;
        self.vacant.push(index);
        true
    }

    /// Lets a request begin again, from its first position, with the keys and values of another salt. It keeps its tokens and
    /// its place.
    ///
    /// # Errors
    /// There is no request `id`, or a plan that is not done samples for it.
    ///
    /// ```
    /// use jarrah_engine::{Limits, StepPlan, Request, Scheduler};
    /// let mut scheduler = Scheduler::new(Limits { pages: 8, page: 4, ..Limits::default() })?;
    /// scheduler.add(Request { id: 1, prompt: vec![5, 6, 7, 8, 9], most_tokens: 2, ..Request::default() })?;
    /// let mut plan = StepPlan::default();
    /// scheduler.step(&mut plan);
    /// scheduler.done(&plan, &[(1, 30)], &[])?;
    /// scheduler.restart(1, b"other")?;
    /// scheduler.step(&mut plan);
    /// assert_eq!((plan.items[0].start, plan.items[0].end), (0, 6));
    /// # Ok::<(), jarrah_base::Error>(())
    /// ```
    pub fn restart(&mut self, id: u64, salt: &[u8]) -> Result<()> {
        let index = self.ids.get(&id).copied().filter(|&index| self.get(index).pending == 0);
        let Some(index) = index else {
            return Err(refused(
                format!("request {id} is not there, or its next token is being sampled"),
                "let a request begin again between two plans",
            ));
        };
        let salt = salted(salt, self.limits.page);
        let sequence = self.get_mut(index);
        sequence.salt = salt;
        let place = sequence.place;
        if sequence.running.is_some() {
            self.stop(index);
            remove(&mut self.running, place);
            insert(&mut self.waiting, place);
            self.totals.preemptions += 1;
        }
        Ok(())
    }

    /// Takes pages, row and chain from a running sequence. The last block goes first: it is the first to be taken for
    /// something else.
    pub(crate) fn stop(&mut self, index: u32) {
        let Some(running) = self.get_mut(index).running.take() else { return };
        let groups = self.limits.windows.len();
        let tables = &mut self.tables[running.row * groups..][..groups];
        let blocks = tables.iter().map(Vec::len).max().unwrap_or(0);
        for block in (0..blocks).rev() {
            for table in tables.iter() {
                if let Some(&page) = table.get(block).filter(|&&page| page != NONE) {
                    self.pages.release(page);
                }
            }
        }
        tables.iter_mut().for_each(Vec::clear);
        self.rows.push(running.row);
        self.pages.close(running.chain);
    }

    /// Forgets all cached prefixes, since weights have changed: running requests keep their pages, and later requests find
    /// nothing that was computed before. Plans made before this call are to run with the weights from before.
    pub fn forget_prefixes(&mut self) {
        self.pages.forget();
    }

    /// The known tokens of a request: its prompt and what was sampled.
    pub fn tokens(&self, id: u64) -> Option<&[u32]> {
        self.sequence(id).map(|sequence| &sequence.tokens[..])
    }

    /// The pages of a running request in a group of layers, block by block; [`NONE`](crate::NONE) before its window.
    pub fn table(&self, id: u64, group: usize) -> Option<&[u32]> {
        let row = self.sequence(id)?.running.as_ref()?.row;
        Some(&self.tables[row * self.limits.windows.len() + group])
    }

    /// The limits that it was made with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The pages.
    pub fn pages(&self) -> &Pages {
        &self.pages
    }

    /// The present state and the totals so far.
    pub fn counters(&self) -> Counters {
        Counters {
            running: self.running.len(),
            waiting: self.waiting.len(),
            pages: self.pages.count(),
            held: self.pages.count() - self.pages.free(),
            cached: self.pages.cached(),
            evictions: self.pages.evictions(),
            ..self.totals
        }
    }

    pub(crate) fn sequence(&self, id: u64) -> Option<&Sequence> {
        self.ids.get(&id).map(|&index| self.get(index))
    }

    pub(crate) fn get(&self, index: u32) -> &Sequence {
        self.sequences[index as usize].as_ref().expect("invariant: queues and ids name sequences that are")
    }

    pub(crate) fn get_mut(&mut self, index: u32) -> &mut Sequence {
        self.sequences[index as usize].as_mut().expect("invariant: queues and ids name sequences that are")
    }
}
