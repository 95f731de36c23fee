use std::collections::BTreeMap;

use jarrah_engine::{NONE, StepPlan};

use super::client::Client;
use super::{Checked, ensure, mix};

/// Pages whose places hold a hash of the tokens up to a position, and the weights that computed it.
pub struct Device {
    page: usize,
    windows: Vec<Option<usize>>,
    memory: Vec<Option<(u64, u64)>>,
    tables: BTreeMap<(usize, usize), Vec<u32>>,
    pub version: u64,
}

impl Device {
    pub fn new(pages: usize, page: usize, windows: &[Option<usize>]) -> Device {
        Device {
            page,
            windows: windows.to_vec(),
            memory: vec![None; pages * page],
            tables: BTreeMap::new(),
            version: 0,
        }
    }

    /// The first position that `group` reads to compute `position`.
    pub fn reads(&self, group: usize, position: usize) -> usize {
        self.windows[group].map_or(0, |window| (position + 1).saturating_sub(window))
    }

    /// Changes of tables, and copies: one by one, or all read before any is written.
    pub fn prepare(&mut self, plan: &StepPlan, together: bool) {
        for change in &plan.changes {
            let table = self.tables.entry((change.group, change.row)).or_default();
            table.resize(table.len().max(change.block + 1), NONE);
            table[change.block] = change.page;
        }
        let range = |page: u32, size: usize| page as usize * size..(page as usize + 1) * size;
        if together {
            let read: Vec<_> =
                plan.copies.iter().map(|copy| self.memory[range(copy.from, self.page)].to_vec()).collect();
            for (copy, content) in plan.copies.iter().zip(read) {
                self.memory[range(copy.to, self.page)].copy_from_slice(&content);
            }
        } else {
            for copy in &plan.copies {
                self.memory.copy_within(range(copy.from, self.page), copy.to as usize * self.page);
            }
        }
    }

    /// What is in a page.
    pub fn content(&self, page: u32) -> Vec<Option<(u64, u64)>> {
        self.memory[page as usize * self.page..][..self.page].to_vec()
    }

    pub fn put(&mut self, page: u32, content: &[Option<(u64, u64)>]) {
        self.memory[page as usize * self.page..][..self.page].copy_from_slice(content);
    }

    /// Loses the content of all pages.
    pub fn clear(&mut self) {
        self.memory.fill(None);
        self.tables.clear();
    }

    /// The place of a position, if the tables have one.
    fn place(&self, group: usize, row: usize, position: usize) -> Checked<usize> {
        let page = self.tables.get(&(group, row)).and_then(|table| table.get(position / self.page));
        match page {
            Some(&page) if page != NONE => Ok(page as usize * self.page + position % self.page),
            _ => Err(format!("row {row} has no page for position {position} in group {group}")),
        }
    }

    pub fn page_of(&self, group: usize, row: usize, block: usize) -> Checked<u32> {
        Ok((self.place(group, row, block * self.page)? / self.page) as u32)
    }

    pub fn write(&mut self, client: &Client, row: usize, start: usize, end: usize) -> Checked {
        for group in 0..self.windows.len() {
            for position in start..end {
                let place = self.place(group, row, position)?;
                let content = mix(client.hashes[position], group as u64);
                self.memory[place] = Some((content, self.version));
            }
        }
        Ok(())
    }

    pub fn read(&self, client: &Client, version: u64, row: usize, start: usize, end: usize) -> Checked {
        for group in 0..self.windows.len() {
            for position in self.reads(group, start)..end {
                let found = self.memory[self.place(group, row, position)?];
                let wanted = mix(client.hashes[position], group as u64);
                ensure!(
                    found.is_some_and(|(content, _)| content == wanted),
                    "positions {start}..{end} of row {row} read something else at position {position} of group {group}"
                );
                ensure!(
                    found.is_some_and(|(_, computed)| computed >= version),
                    "position {position} of row {row} is from before the weights changed"
                );
            }
        }
        Ok(())
    }
}
