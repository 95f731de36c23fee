//! Messages and collectives between the processes of a run.

mod bell;
mod collectives;
#[cfg(target_os = "linux")]
mod environment;
mod exchange;
mod failure;
mod frame;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(target_os = "linux")]
mod local;
mod lock;
mod memory;
mod mesh;
mod messages;
mod ring;
mod threads;

#[cfg(target_os = "linux")]
pub use environment::{ADDRESS, RANK, WORLD_SIZE, from_env};
pub use exchange::Exchange;
#[cfg(target_os = "linux")]
pub use launch::{Ended, Launch};
#[cfg(target_os = "linux")]
pub use local::{Patience, Rendezvous, join};
pub use messages::{Collective, Combine, Messages, Receive, ReceiveInto, Tag};
pub use threads::Threads;
