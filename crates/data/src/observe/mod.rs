//! Statistics of the stages of a pipeline: counters of each, filled by the threads that run it.
//!
//! A stage is wrapped in [`Observed`] where it is added. While an observed iterator runs, its [`Meters`] are those of the thread ([`probe`]); without them a stage
//! by index costs a branch, and an iterator is the stage's own.

mod graph;
mod meters;
mod observed;
mod observer;
pub(crate) mod probe;
mod sizes;

pub(crate) use graph::Graph;
pub use graph::PipelineStage;
pub(crate) use meters::{Counters, Meters, timed};
pub(crate) use observed::Observed;
pub use observer::{StageObserver, StageStatistics};
pub(crate) use sizes::bytes_of;
