//! The scheduler of a serving engine: which tokens of which requests a model computes next, and in which pages their
//! keys and values lie.
//!
//! A [`Scheduler`] takes [`Request`]s within its [`Limits`] and makes one [`StepPlan`] after another; [`Pages`] is its
//! memory with the prefix cache. [`Pace`] says how large steps should be. Nothing here knows a model, an array, a clock or
//! a socket.
//!
//! A plan is a pure function of the calls before it: continuous batching, chunked prefill, a prefix tree over pages (blocks
//! compared token by token), windows, blocks kept elsewhere than in pages, forks, drafts, steps planned ahead, preemption by
//! recomputation, and priorities under a bound on overtaking that [`Scheduler`] proves. [`Scheduler::step_within`] takes the size
//! of a step from its caller. A runner applies a plan's changes to its page tables, makes its copies, computes its items and
//! gives the tokens to [`Scheduler::done`].
//!
//! A new invariant is a check in `tests/simulator`, which runs random traces against a device of pages that knows what they must
//! hold.

mod done;
mod fork;
mod kept;
mod limits;
mod order;
mod pace;
mod pages;
mod plan;
mod prefix;
mod scheduler;
mod sequence;
mod step;

pub use limits::{Limits, Request};
pub use pace::Pace;
pub use pages::{Chain, Missing, Pages, PrefixBlock, salted};
pub use plan::{Change, Item, PageCopy, StepPlan};
pub use prefix::{NONE, PrefixKey};
pub use scheduler::{Counters, Scheduler};
