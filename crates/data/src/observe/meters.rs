use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::graph::Graph;
use crate::stage::Lineage;

/// The counters of a stage, which any thread fills.
#[derive(Default)]
pub(crate) struct Counters {
    pub(crate) elements_in: AtomicU64,
    pub(crate) elements_out: AtomicU64,
    pub(crate) bytes_out: AtomicU64,
    /// Nanoseconds.
    pub(crate) own: AtomicU64,
    pub(crate) waited: AtomicU64,
    pub(crate) idle: AtomicU64,
    /// Bytes that are held now, and the most that were.
    held: AtomicU64,
    pub(crate) held_most: AtomicU64,
}

/// Adds to a counter; each counts for itself, so that no order among them matters.
pub(crate) fn add(counter: &AtomicU64, count: u64) {
    counter.fetch_add(count, Ordering::Relaxed);
}

pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

impl Counters {
    /// Takes note of bytes that the stage holds from now on.
    pub(crate) fn take(&self, bytes: u64) {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
        self.held_most.fetch_max(held, Ordering::Relaxed);
    }

    /// Takes note of bytes that the stage holds no more.
    pub(crate) fn release(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Calls `f`; the time that it takes is time that a thread of the stage is idle.
pub(crate) fn timed<R>(counters: Option<&Counters>, f: impl FnOnce() -> R) -> R {
    let Some(counters) = counters else { return f() };
    let begun = Instant::now();
    let result = f();
    add(&counters.idle, nanoseconds(begun.elapsed()));
    result
}

/// The counters of the stages of a pipeline.
pub(crate) struct Meters {
    pub(crate) graph: Graph,
    pub(crate) counters: Vec<Arc<Counters>>,
    pub(crate) begun: Instant,
    /// The graph knows stages by their addresses, which are these stages' as long as they live.
    _last: Arc<Lineage>,
}

impl Meters {
    pub(crate) fn new(last: &Arc<Lineage>) -> Self {
        let graph = Graph::of(last);
        let counters = graph.stages.iter().map(|_| Arc::default()).collect();
        Meters { graph, counters, begun: Instant::now(), _last: last.clone() }
    }

    /// The counters of a stage; none, if the pipeline does not have it.
    pub(crate) fn of(&self, lineage: &Lineage) -> Option<&Arc<Counters>> {
        self.counters.get(self.graph.number(lineage)?)
    }
}
