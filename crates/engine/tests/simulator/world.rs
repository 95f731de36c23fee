use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jarrah_base::ErrorKind;
use jarrah_engine::{Limits, PrefixKey, Request, Scheduler, StepPlan};

use super::client::{Client, Run};
use super::device::Device;
use super::{Checked, Random, Stats, ensure, mix};

/// A bound that nothing reaches.
pub(super) const UNBOUNDED: u64 = 1 << 40;

/// A plan that is not done: its tokens, and who stops.
pub(super) type Flight = (StepPlan, Vec<(u64, u32)>, Vec<u64>);

pub(super) struct World {
    pub(super) random: Random,
    pub(super) limits: Limits,
    pub(super) scheduler: Scheduler,
    pub(super) device: Device,
    pub(super) clients: BTreeMap<u64, Client>,
    pub(super) flights: VecDeque<Flight>,
    /// Most plans that are not done.
    pub(super) ahead: usize,
    pub(super) arrivals: u64,
    /// Blocks of prompts, by hash, that must be found.
    pub(super) blocks: BTreeSet<u64>,
    /// What blocks had that lost their pages, by key and group.
    kept: BTreeMap<(PrefixKey, usize), Vec<Option<(u64, u64)>>>,
    pub(super) stats: Stats,
}

/// Runs the trace of a seed to its end, with all checks.
pub fn trace(seed: u64) -> Checked<Stats> {
    let mut world = World::new(seed);
    let calls = 10 + world.random.below(80);
    let mut quiet = 0;
    for call in 0.. {
        if call < calls {
            world.call()?;
        }
        world.step()?;
        while world.flights.len() > world.ahead || (!world.flights.is_empty() && world.random.once_in(2)) {
            world.land()?;
        }
        quiet += usize::from(call >= calls);
        if call >= calls && world.clients.is_empty() {
            break;
        }
        ensure!(quiet < 20_000, "requests do not end: {:?}", world.clients.keys());
    }
    while !world.flights.is_empty() {
        world.land()?;
    }
    let counters = world.scheduler.counters();
    ensure!(counters.held == 0, "at the end {} pages are held", counters.held);
    ensure!(counters.running + counters.waiting == 0, "at the end requests are left: {counters:?}");
    world.stats.hits = counters.hits;
    world.stats.preemptions = counters.preemptions;
    world.stats.evictions = counters.evictions;
    Ok(world.stats)
}

impl World {
    fn new(seed: u64) -> World {
        let mut random = Random(mix(seed, 99));
        let mut window = || Some(1 + random.below(12));
        let (a, b) = (window(), window());
        let windows = [vec![None], vec![None, a], vec![a], vec![None, a, b], vec![a, b], vec![None, None]];
        let windows = windows[random.below(windows.len())].clone();
        let sequences = 1 + random.below(6);
        let (most_pages, most_tokens) = ([12, 40, 200][random.below(3)], [12, 40][random.below(2)]);
        let limits = Limits {
            pages: 1 + random.below(most_pages),
            page: [1, 2, 3, 4, 8][random.below(5)],
            windows,
            tokens_per_step: sequences + random.below(most_tokens),
            sequences,
            max_length: 12 + random.below(36),
            overtake: [0, 20, 60, 200, UNBOUNDED][random.below(5)],
            waiting: 2 + random.below(10),
        };
        let mut scheduler = Scheduler::new(limits.clone()).unwrap();
        if random.once_in(2) {
            scheduler.keep_keys();
        }
        World {
            ahead: random.below(3),
            random,
            scheduler,
            device: Device::new(limits.pages, limits.page, &limits.windows),
            limits,
            clients: BTreeMap::new(),
            flights: VecDeque::new(),
            arrivals: 0,
            blocks: BTreeSet::new(),
            kept: BTreeMap::new(),
            stats: Stats::default(),
        }
    }

    /// What clients do between two steps.
    fn call(&mut self) -> Checked {
        for _ in 0..self.random.below(3) {
            self.arrive()?;
        }
        if self.random.once_in(12) {
            let id = 1 + self.random.below(self.arrivals as usize + 2) as u64;
            let there = self.clients.remove(&id).is_some();
            ensure!(self.scheduler.abort(id) == there, "abort of {id} says otherwise");
            self.stats.aborted += u64::from(there);
            self.check_pages()?;
        }
        if self.random.once_in(4) {
            self.fork()?;
        }
        if self.random.once_in(40) {
            self.scheduler.forget_prefixes();
            ensure!(
                self.scheduler.counters().cached == 0,
                "pages are cached after all prefixes are forgotten"
            );
            self.device.version += 1;
            self.blocks.clear();
            self.kept.clear();
            self.stats.forgets += 1;
        }
        if self.random.once_in(40) {
            let cleared = self.scheduler.clear();
            ensure!(cleared.is_ok() == self.flights.is_empty(), "cleared before plans are done: {cleared:?}");
            if cleared.is_ok() {
                let counters = self.scheduler.counters();
                ensure!(counters.held + counters.cached == 0, "pages are left: {counters:?}");
                self.device.clear();
                self.blocks.clear();
                self.clients.values_mut().for_each(Client::wait);
                self.stats.clears += 1;
            }
        }
        let ids: Vec<u64> = self.clients.keys().copied().collect();
        for id in ids {
            if self.random.once_in(3) {
                let drafts = self.random.below(4);
                let runs = self.scheduler.speculate(id, drafts).is_ok();
                let client = self.clients.get_mut(&id).unwrap();
                ensure!(runs == client.running.is_some(), "request {id} runs: {runs}");
                client.drafts = if runs { drafts } else { 0 };
            }
        }
        Ok(())
    }

    fn arrive(&mut self) -> Checked {
        let id = self.arrivals + 1;
        let family = self.random.below(3) as u64;
        let shared = self.random.below(self.limits.max_length);
        let mut prompt: Vec<u32> = (0..shared as u64).map(|at| mix(family, at) as u32 % 3).collect();
        prompt.extend((0..1 + self.random.below(3)).map(|_| self.random.token()));
        let salt = [vec![], vec![1], vec![1, 0]][self.random.below(8).saturating_sub(5)].clone();
        let salt_number = salt.len() as u64;
        let priority = self.random.below(3) as i32;
        let most = prompt.len() + 1 + self.random.below(12);
        if self.random.once_in(2) {
            self.restore(&salt, &prompt)?;
        }
        let request = Request {
            id,
            prompt: prompt.clone(),
            most_tokens: most - prompt.len(),
            priority,
            salt,
            is_apart: false,
        };
        let need = |window: &Option<usize>| {
            let all = (most - 1).div_ceil(self.limits.page);
            // Most pages that a window touches, wherever it lies.
            let touched = |window: usize| {
                (0..self.limits.page).map(|at| (at + window - 1) / self.limits.page + 1).max()
            };
            window.map_or(all, |window| all.min(touched(window).unwrap()))
        };
        let need: usize = self.limits.windows.iter().map(need).sum();
        let fits = most <= self.limits.max_length && need <= self.limits.pages;
        let waiting = self.clients.values().filter(|client| client.running.is_none()).count();
        match self.scheduler.add(request) {
            Ok(()) => {
                ensure!(fits && waiting < self.limits.waiting, "request {id} should have been refused");
                self.arrivals += 1;
                self.clients.insert(id, Client::new(priority, id, most, prompt, salt_number));
            }
            Err(error) if error.kind() == ErrorKind::Input => {
                ensure!(!fits, "refused, though it fits: {error}");
                self.stats.refused += 1;
            }
            Err(error) => {
                ensure!(fits && waiting >= self.limits.waiting, "refused, though there is room: {error}");
                self.stats.full += 1;
            }
        }
        Ok(())
    }

    /// Keeps what the blocks had that lost their pages.
    fn keep(&mut self) -> Checked {
        for block in self.scheduler.evicted() {
            let content = self.device.content(block.page);
            ensure!(content.iter().all(Option::is_some), "page {} is cached before it is full", block.page);
            let before = self.kept.insert((block.key, block.group), content.clone());
            let hashes =
                |content: &[Option<(u64, u64)>]| content.iter().flatten().map(|x| x.0).collect::<Vec<_>>();
            ensure!(
                before.is_none_or(|before| hashes(&before) == hashes(&content)),
                "two blocks have one key"
            );
        }
        Ok(())
    }

    /// Brings back what is kept of a prompt.
    fn restore(&mut self, salt: &[u8], prompt: &[u32]) -> Checked {
        let kept = &self.kept;
        let find = |scheduler: &Scheduler| {
            scheduler.missing(salt, prompt, |key, group| kept.contains_key(&(*key, group)))
        };
        let missing = find(&self.scheduler);
        let pages = self.scheduler.install(salt, prompt, &missing);
        let is_whole = pages.iter().all(Option::is_some);
        ensure!(!is_whole || find(&self.scheduler).is_empty(), "blocks are missing that have pages");
        self.keep()?;
        for (one, page) in missing.iter().zip(pages) {
            if let Some(page) = page {
                self.device.put(page, &self.kept[&(one.key, one.group)]);
                self.stats.restored += 1;
            }
        }
        self.check_pages()
    }

    fn fork(&mut self) -> Checked {
        let ids: Vec<u64> = self.clients.keys().copied().collect();
        if ids.is_empty() || ids.len() > 12 {
            return Ok(());
        }
        let parent = ids[self.random.below(ids.len())];
        let known = self.scheduler.tokens(parent).unwrap().to_vec();
        let keep = match self.random.below(3) {
            0 => known.len(),
            1 => known.len() - 1,
            _ => self.random.below(known.len() + 1),
        };
        let tail: Vec<u32> = (0..self.random.below(3)).map(|_| self.random.token()).collect();
        let from = &self.clients[&parent];
        ensure!(known[..] == from.tokens[..known.len()], "request {parent} has other tokens");
        let possible = (1..from.most).contains(&(keep + tail.len()));
        self.arrivals += 1;
        let child = self.arrivals;
        let forked = self.scheduler.fork(parent, child, keep, &tail);
        ensure!(forked.is_ok() == possible, "a fork that keeps {keep} and adds {}: {forked:?}", tail.len());
        if !possible {
            return Ok(());
        }
        let tokens = [&known[..keep], &tail].concat();
        let mut client = Client::new(from.priority, from.arrival, from.most, tokens, from.salt);
        if self.scheduler.table(child, 0).is_some() {
            let version = from.running.as_ref().unwrap().version;
            client.running = Some(Run { computed: None, version, whole_blocks: false });
            let first = self.clients.values().filter(|other| other.running.is_none());
            ensure!(
                self.limits.overtake < UNBOUNDED
                    || first.into_iter().all(|other| client.place() <= other.place()),
                "fork {child} runs before one that precedes it"
            );
            self.count_admission(child, client.arrival, client.most)?;
        }
        self.clients.insert(child, client);
        self.stats.forks += 1;
        self.check_pages()
    }

    /// Counts an admission against all that came before and wait, and checks the bound.
    fn count_admission(&mut self, id: u64, arrival: u64, most: usize) -> Checked {
        for (other, client) in &mut self.clients {
            if client.running.is_none() && client.arrival < arrival && *other != id {
                client.overtaken += most as u64;
                self.stats.overtakings += 1;
                ensure!(
                    client.overtaken <= self.limits.overtake,
                    "request {other} waits and is overtaken by {} tokens, the last of them of {id}",
                    client.overtaken
                );
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Checked {
        let decodes: Vec<u64> =
            self.clients.iter().filter(|(_, client)| client.is_decode()).map(|(id, _)| *id).collect();
        let prompts = self.clients.values().any(Client::has_prompt_left);
        let idle = self.flights.is_empty() && !self.clients.is_empty();
        let mut plan = StepPlan::default();
        let within = self.random.once_in(3).then(|| self.random.below(self.limits.tokens_per_step));
        let mut told = None;
        self.scheduler.step_within(&mut plan, |decodes, left| {
            told = Some((decodes, left));
            within.unwrap_or(usize::MAX)
        });
        self.check_within(&plan, within, told)?;
        self.keep()?;
        self.stats.plans += 1;
        ensure!(!idle || !plan.items.is_empty(), "nothing is under way and nothing is planned");
        for id in &plan.preempted {
            self.clients.get_mut(id).unwrap().wait();
        }
        self.check_order(&plan, &decodes)?;
        let drafts = plan.items.iter().any(|item| item.drafts > 0);
        let none = prompts && plan.preempted.is_empty() && plan.items.len() == plan.decodes;
        let room = self.scheduler.pages().free() >= 2 * self.limits.windows.len();
        ensure!(!(drafts && none && room), "drafts hold all prompts back");
        let together = self.random.once_in(2);
        self.device.prepare(&plan, together);
        self.stats.copies += plan.copies.len() as u64;
        let flight = self.compute(plan)?;
        self.flights.push_back(flight);
        self.check_pages()
    }

    /// Runs a plan: all writes, then all reads, then samples.
    fn compute(&mut self, plan: StepPlan) -> Checked<Flight> {
        let known = self.blocks.clone();
        for item in &plan.items {
            let id = item.id;
            ensure!(self.clients.contains_key(&id), "request {id} is gone");
            if self.clients[&id].running.is_none() {
                let (arrival, most) = (self.clients[&id].arrival, self.clients[&id].most);
                self.count_admission(id, arrival, most)?;
                let client = self.clients.get_mut(&id).unwrap();
                client.running =
                    Some(Run { computed: None, version: self.device.version, whole_blocks: true });
                self.check_hit(id, item.start, &known)?;
            }
            let client = self.clients.get_mut(&id).unwrap();
            let run = client.running.as_mut().unwrap();
            match run.computed {
                Some(computed) => {
                    ensure!(item.start == computed, "{id} computes {} after {computed}", item.start)
                }
                None => ensure!(
                    !run.whole_blocks || item.start % self.limits.page == 0,
                    "a hit of {} positions is not whole pages",
                    item.start
                ),
            }
            run.computed = Some(item.end);
            let length = client.tokens.len();
            ensure!(!client.undecided, "{id} is planned, though its drafts are not decided");
            ensure!(
                item.start < item.end && item.start < length,
                "{id} computes {}..{}",
                item.start,
                item.end
            );
            ensure!(item.end == length + item.drafts || item.drafts == 0, "{id} has drafts before its end");
            ensure!(item.sampled == (item.end >= length), "{id} samples before its end, or not there");
            ensure!(item.drafts <= client.drafts, "{id} has more drafts than it asked for");
            ensure!(item.end < client.most, "{id} computes a position that it does not need");
            client.drafts = 0;
            client.undecided = item.drafts > 0;
            for _ in 0..item.drafts {
                client.push(self.random.token());
            }
            self.device.write(client, item.row, item.start, item.end)?;
            let fresh = client.running.as_ref().is_some_and(|run| run.version == self.device.version);
            let prompt = item.end.min(self.scheduler.tokens(id).unwrap().len());
            if fresh && item.end - item.start > 1 && item.drafts == 0 {
                let ends = (1..=prompt / self.limits.page).map(|block| block * self.limits.page - 1);
                self.blocks.extend(ends.map(|end| client.hashes[end]));
            }
        }
        let (mut sampled, mut finished) = (Vec::new(), Vec::new());
        for item in &plan.items {
            self.check_tables(item.id, item.row, item.start, item.end)?;
            let client = self.clients.get_mut(&item.id).unwrap();
            let run = client.running.as_mut().unwrap();
            let version = run.version;
            let digest =
                [item.id, item.row as u64, item.start as u64, item.end as u64, u64::from(item.sampled)];
            self.stats.digest = digest.into_iter().fold(self.stats.digest, mix);
            self.device.read(client, version, item.row, item.start, item.end)?;
            if !item.sampled {
                continue;
            }
            let accepted = self.random.below(item.drafts + 1);
            (accepted..item.drafts).for_each(|_| client.pop());
            self.stats.accepted += accepted as u64;
            self.stats.rejected += (item.drafts - accepted) as u64;
            client.running.as_mut().unwrap().computed = Some(item.end - (item.drafts - accepted));
            client.push(self.random.token());
            let tokens = &client.tokens[client.tokens.len() - accepted - 1..];
            sampled.extend(tokens.iter().map(|&token| (item.id, token)));
            if !client.stopped && self.random.once_in(12) {
                client.stopped = true;
                finished.push(item.id);
            }
        }
        for change in &plan.changes {
            let digest =
                [change.group as u64, change.row as u64, change.block as u64, u64::from(change.page)];
            self.stats.digest = digest.into_iter().fold(self.stats.digest, mix);
        }
        Ok((plan, sampled, finished))
    }

    /// The oldest plan is done.
    fn land(&mut self) -> Checked {
        let Some((plan, mut sampled, finished)) = self.flights.pop_front() else { return Ok(()) };
        if self.random.once_in(2) {
            sampled.retain(|(id, _)| self.clients.contains_key(id));
        }
        let finished: Vec<u64> = finished.into_iter().filter(|id| self.clients.contains_key(id)).collect();
        let ended =
            self.scheduler.done(&plan, &sampled, &finished).map_err(|error| error.to_string())?.to_vec();
        ensure!(self.scheduler.done(&plan, &sampled, &finished).is_err(), "a plan is done twice");
        for item in plan.items.iter().filter(|item| item.sampled) {
            let Some(client) = self.clients.get_mut(&item.id) else { continue };
            client.undecided &= item.drafts == 0;
            let gone = self.scheduler.tokens(item.id).is_none();
            let told = self.scheduler.tokens(item.id).map_or(0, <[u32]>::len);
            ensure!(
                gone || client.tokens[..told] == *self.scheduler.tokens(item.id).unwrap(),
                "other tokens"
            );
            let last = !self
                .flights
                .iter()
                .any(|(plan, ..)| plan.items.iter().any(|i| i.id == item.id && i.sampled));
            let all = last && client.tokens.len() == client.most;
            ensure!(
                ended.contains(&item.id) == all,
                "{} of {} tokens: {ended:?}",
                client.tokens.len(),
                client.most
            );
            ensure!(gone == (all || finished.contains(&item.id)), "{} is gone: {gone}", item.id);
            if gone {
                self.clients.remove(&item.id);
                self.stats.ended += 1;
            }
        }
        self.check_pages()
    }
}

impl Client {
    /// Whether one position remains to be computed.
    fn is_decode(&self) -> bool {
        let computed = self.running.as_ref().and_then(|run| run.computed);
        !self.undecided && self.tokens.len() < self.most && computed == Some(self.tokens.len() - 1)
    }

    /// Whether more than one position remains, and nothing has to be known before.
    fn has_prompt_left(&self) -> bool {
        let computed = self.running.as_ref().and_then(|run| run.computed);
        !self.undecided && computed.is_some_and(|computed| computed + 1 < self.tokens.len())
    }

    /// Gives its pages back.
    fn wait(&mut self) {
        self.running = None;
        self.drafts = 0;
        self.undecided = false;
    }
}
