//! The variables of the environment by which a launcher tells a process its part in a run.

/// The variable with the folder of the [`Rendezvous`](crate::Rendezvous).
pub const ADDRESS: &str = "JARRAH_EXCHANGE_ADDRESS";
/// The variable with the rank of the process.
pub const RANK: &str = "JARRAH_RANK";
/// The variable with the number of processes. Where it is 1 and no launcher of this machine has set it, the process is a run of its own, whatever
/// else has started it.
pub const WORLD_SIZE: &str = "JARRAH_WORLD_SIZE";
