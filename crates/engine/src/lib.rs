//! The scheduler of a serving engine: which tokens of which requests a model computes next, and in which pages their
//! keys and values lie.
//!
//! A [`Scheduler`] takes [`Request`]s within its [`Limits`] and makes one [`Plan`] after another; [`Pages`] is its
//! memory with the prefix cache. [`Pace`] says how large steps should be. Nothing here knows a model, an array, a clock or
//! a socket.

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
pub use pages::{Block, Chain, Missing, Pages, salted};
pub use plan::{Change, Item, PageCopy, Plan};
pub use prefix::{Key, NONE};
pub use scheduler::{Counters, Scheduler};
