use rustc_hash::FxHashMap;

use crate::ir::ValueId;

/// The names of values, where they can be seen.
#[derive(Default)]
pub(super) struct Scopes<'t> {
    seen: FxHashMap<&'t str, Name>,
    /// The names hidden or added by open scopes, with the meanings to restore when the scopes end.
    hidden: Vec<(&'t str, Option<Name>)>,
    /// Where each open scope starts in `hidden`, and what was seen outside if it sees nothing of that.
    open: Vec<(usize, Option<FxHashMap<&'t str, Name>>)>,
}

/// The values of a name: `count` consecutive values from `first`.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub first: ValueId,
    pub count: u32,
    level: usize,
}

impl<'t> Scopes<'t> {
    /// Begins a region; one that is isolated sees nothing from outside.
    pub fn enter(&mut self, isolated: bool) {
        let outside = isolated.then(|| std::mem::take(&mut self.seen));
        self.open.push((self.hidden.len(), outside));
    }

    /// Ends a region.
    pub fn leave(&mut self) {
        let Some((start, outside)) = self.open.pop() else { return };
        match outside {
            Some(outside) => {
                self.hidden.truncate(start);
                self.seen = outside;
            }
            None => {
                for (name, before) in self.hidden.drain(start..).rev() {
                    match before {
                        Some(before) => self.seen.insert(name, before),
                        None => self.seen.remove(name),
                    };
                }
            }
        }
    }

    /// Names `count` values; false if the region has that name already.
    pub fn define(&mut self, name: &'t str, first: ValueId, count: u32) -> bool {
        let level = self.open.len();
        let before = self.seen.insert(name, Name { first, count, level });
        self.hidden.push((name, before));
        before.is_none_or(|b| b.level != level)
    }

    /// The values of the name, if it is visible.
    pub fn find(&self, name: &str) -> Option<Name> {
        self.seen.get(name).copied()
    }

    /// Every name that can be seen.
    pub fn names(&self) -> impl Iterator<Item = &'t str> {
        self.seen.keys().copied()
    }
}
