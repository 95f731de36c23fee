//! Where the time of a run went.

use std::collections::BTreeMap;
use std::time::Duration;

use super::frame::Prepared;

/// Time, flops and bytes by kind of step and scope.
#[derive(Default)]
pub struct Profile {
    entries: BTreeMap<(&'static str, String), Entry>,
}

#[derive(Default, Clone, Copy)]
struct Entry {
    count: u64,
    time: Duration,
    flops: f64,
    bytes: f64,
}

impl Entry {
    fn take_in(&mut self, other: &Entry) {
        self.count += other.count;
        self.time += other.time;
        self.flops += other.flops;
        self.bytes += other.bytes;
    }

    fn line(&self, name: &str) -> String {
        let seconds = self.time.as_secs_f64().max(1e-9);
        let (gflops, gbytes) = (self.flops / seconds * 1e-9, self.bytes / seconds * 1e-9);
        format!("{:9.3} ms {:6}x {gflops:8.1} GFLOP/s {gbytes:7.1} GB/s  {name}", seconds * 1e3, self.count)
    }
}

impl Profile {
    pub fn add(&mut self, step: &Prepared, time: Duration) {
        let entry = Entry { count: 1, time, flops: step.flops, bytes: step.bytes };
        self.entries.entry((step.kind, step.scope.clone())).or_default().take_in(&entry);
    }

    /// The totals by kind of step, then the 30 scopes that took longest.
    pub fn report(&self, name: &str, whole: Duration) -> String {
        let mut kinds: BTreeMap<&str, Entry> = BTreeMap::new();
        for ((kind, _), entry) in &self.entries {
            kinds.entry(kind).or_default().take_in(entry);
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, e)| std::cmp::Reverse(e.time));
        let mut places: Vec<_> = self.entries.iter().collect();
        places.sort_by_key(|(_, e)| std::cmp::Reverse(e.time));
        let mut lines = vec![format!("profile of {name}: {:.3} ms", whole.as_secs_f64() * 1e3)];
        lines.extend(kinds.iter().map(|(kind, entry)| entry.line(kind)));
        lines.push("longest:".to_owned());
        lines.extend(places.iter().take(30).map(|((kind, scope), e)| e.line(&format!("{kind}  {scope}"))));
        lines.join("\n")
    }
}
