use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::graph::PipelineStage;
use super::meters::{Counters, Meters};
use crate::stage::Lineage;

/// The counts of a stage since its iterator was made.
///
/// Bytes are those of tensors, records and texts; any other element counts as much as its value takes without what it points to.
#[derive(Clone, Debug, PartialEq)]
pub struct StageStatistics {
    /// The stage.
    pub stage: PipelineStage,
    /// The elements that the stages before delivered to it.
    pub elements_in: u64,
    /// The elements that it delivered.
    pub elements_out: u64,
    /// The bytes of the elements that it delivered.
    pub bytes_out: u64,
    /// The time that it took, on all threads together: without that of the stages before, and without waiting.
    pub own: Duration,
    /// The time that it waited for elements that its threads make: long where the threads are too slow.
    pub waited: Duration,
    /// The time that its threads waited for room, on all threads together: long where its elements are taken slowly.
    pub idle: Duration,
    /// The greatest number of bytes that it held at a time: in the buffers of threads, of a window, of rows that are packed.
    pub held: u64,
}

/// A look at the stages of an observed iterator, at any time and from any thread.
#[derive(Clone)]
pub struct StageObserver(Arc<Meters>);

impl StageObserver {
    pub(crate) fn new(last: &Arc<Lineage>) -> Self {
        StageObserver(Arc::new(Meters::new(last)))
    }

    pub(crate) fn meters(&self) -> &Arc<Meters> {
        &self.0
    }

    /// The time since the iterator was made.
    pub fn elapsed(&self) -> Duration {
        self.0.begun.elapsed()
    }

    /// The counts of each stage, in the order of [`IterDataset::stages`](crate::IterDataset::stages).
    pub fn statistics(&self) -> Vec<StageStatistics> {
        let stages = self.0.graph.stages.iter().zip(&self.0.counters);
        stages.map(|(stage, counters)| statistics(stage, counters)).collect()
    }
}

fn statistics(stage: &PipelineStage, counters: &Counters) -> StageStatistics {
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let time = |counter: &AtomicU64| Duration::from_nanos(count(counter));
    StageStatistics {
        stage: stage.clone(),
        elements_in: count(&counters.elements_in),
        elements_out: count(&counters.elements_out),
        bytes_out: count(&counters.bytes_out),
        own: time(&counters.own),
        waited: time(&counters.waited),
        idle: time(&counters.idle),
        held: count(&counters.held_most),
    }
}
