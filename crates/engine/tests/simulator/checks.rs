//! What must hold after each step, by a plain model.

use std::collections::BTreeSet;

use jarrah_engine::{NONE, StepPlan};

use super::world::{UNBOUNDED, World};
use super::{Checked, ensure};

impl World {
    /// Who is in a plan, and who is not.
    pub(super) fn check_order(&mut self, plan: &StepPlan, decodes: &[u64]) -> Checked {
        let tokens: usize = plan.items.iter().map(|item| item.end - item.start).sum();
        ensure!(tokens == plan.tokens && tokens <= self.limits.tokens_per_step, "{tokens} tokens in a step");
        let planned: BTreeSet<u64> = plan.items.iter().map(|item| item.id).collect();
        let rows: BTreeSet<usize> = plan.items.iter().map(|item| item.row).collect();
        ensure!(
            planned.len() == plan.items.len() && rows.len() == plan.items.len(),
            "an id or a row is there twice"
        );
        let targets: BTreeSet<u32> = plan.copies.iter().map(|copy| copy.to).collect();
        ensure!(targets.len() == plan.copies.len(), "two copies go to one page: {:?}", plan.copies);
        for copy in &plan.copies {
            let mut writes = plan.items.iter().filter(|item| item.row == copy.row);
            let written = writes.next().is_some_and(|item| {
                let block = item.start / self.limits.page;
                let mut tables =
                    (0..self.limits.windows.len()).filter_map(|g| self.scheduler.table(item.id, g));
                tables.any(|table| table.get(block) == Some(&copy.to))
            });
            ensure!(written, "{copy:?} is not where an item begins to write");
        }
        let groups = self.limits.windows.len();
        // Those behind a decode may leave pages behind their windows after its turn.
        let kept = plan.preempted.is_empty() && self.limits.windows.iter().all(Option::is_none);
        for id in decodes.iter().filter(|id| !planned.contains(id) && kept) {
            let free = self.scheduler.pages().free();
            ensure!(free < 2 * groups, "decode {id} is held back, with {free} pages free");
        }
        for (at, item) in plan.items.iter().enumerate() {
            let alone = item.end - item.start - item.drafts == 1;
            ensure!(at >= plan.decodes || alone, "decode {} has several positions", item.id);
            ensure!(at < plan.decodes || !decodes.contains(&item.id), "decode {} is behind", item.id);
        }
        if self.limits.overtake == UNBOUNDED {
            let runs = |id: &u64| self.scheduler.table(*id, 0).is_some();
            for (id, client) in
                self.clients.iter().filter(|(id, client)| runs(id) && client.running.is_none())
            {
                let passed =
                    self.clients.iter().find(|(other, waits)| !runs(other) && waits.place() < client.place());
                ensure!(passed.is_none(), "{id} was admitted before {:?}", passed.map(|(id, _)| id));
            }
            for id in &plan.preempted {
                let place = self.clients[id].place();
                let behind =
                    self.clients.iter().find(|(other, client)| runs(other) && client.place() > place);
                ensure!(behind.is_none(), "{id} was preempted, and not {:?}", behind.map(|(id, _)| id));
            }
        }
        Ok(())
    }

    /// A step is as large as it may be, but for its decodes and a position of prompts.
    pub(super) fn check_within(
        &mut self,
        plan: &StepPlan,
        within: Option<usize>,
        told: Option<(usize, usize)>,
    ) -> Checked {
        let decodes: usize = plan.items[..plan.decodes].iter().map(|item| item.end - item.start).sum();
        let Some((positions, left)) = told else {
            let most = self.limits.tokens_per_step;
            ensure!(decodes == most, "{decodes} decodes left nothing of {most}");
            return Ok(());
        };
        let most = within.unwrap_or(usize::MAX);
        ensure!(positions >= decodes, "{decodes} decodes, and {positions} were told");
        ensure!(plan.tokens <= most.max(positions + 1), "{} positions of {most}", plan.tokens);
        let prompts = plan.tokens - decodes;
        ensure!(left >= prompts, "{prompts} positions of prompts, and {left} were left");
        self.stats.within += u64::from(within.is_some() && prompts > 0 && left > prompts);
        Ok(())
    }

    /// Whether an admitted request found at least what prompts have left, if nothing was evicted.
    pub(super) fn check_hit(&self, id: u64, found: usize, known: &BTreeSet<u64>) -> Checked {
        let (client, page) = (&self.clients[&id], self.limits.page);
        let blocks = (client.tokens.len() - 1) / page;
        let there = (1..=blocks).take_while(|block| known.contains(&client.hashes[block * page - 1])).count();
        let evictions = self.scheduler.counters().evictions;
        ensure!(
            evictions > 0 || found >= there * page,
            "{id} found {found} positions, and {} were computed before",
            there * page
        );
        Ok(())
    }

    /// Tables cover the positions that are computed and read, and nothing else; the runner's tables are the scheduler's.
    pub(super) fn check_tables(&self, id: u64, row: usize, start: usize, end: usize) -> Checked {
        for group in 0..self.limits.windows.len() {
            let table = self.scheduler.table(id, group).unwrap_or(&[]);
            let covered = end.div_ceil(self.limits.page);
            ensure!(table.len() == covered, "{id} has {} blocks of {covered}", table.len());
            let first = self.device.reads(group, start) / self.limits.page;
            for (block, &page) in table.iter().enumerate() {
                ensure!(
                    (page != NONE) == (block >= first),
                    "{id} reads from block {first}, block {block} is {page}"
                );
                if page != NONE {
                    let told = self.device.page_of(group, row, block)?;
                    ensure!(told == page, "block {block} of {id} is in page {page}, and {told} was told");
                }
            }
        }
        Ok(())
    }

    /// Pages are held as often as they stand in tables.
    pub(super) fn check_pages(&self) -> Checked {
        let mut held = vec![0; self.limits.pages];
        for id in self.clients.keys() {
            for group in 0..self.limits.windows.len() {
                let table = self.scheduler.table(*id, group).unwrap_or(&[]);
                table.iter().filter(|page| **page != NONE).for_each(|page| held[*page as usize] += 1);
            }
        }
        let pages = self.scheduler.pages();
        for (page, &held) in held.iter().enumerate() {
            let counted = pages.references(page as u32);
            ensure!(counted == held, "page {page} is in {held} tables, and {counted} hold it");
        }
        let free = held.iter().filter(|held| **held == 0).count();
        ensure!(pages.free() == free, "{} pages are free, not {free}", pages.free());
        ensure!(pages.cached() <= free, "held pages are among the cached ones");
        let counters = self.scheduler.counters();
        let running = self.clients.keys().filter(|id| self.scheduler.table(**id, 0).is_some()).count();
        ensure!(
            counters.running == running && counters.running + counters.waiting == self.clients.len(),
            "{running} run of {}: {counters:?}",
            self.clients.len()
        );
        Ok(())
    }
}
