//! The exchange between the processes of one machine: shared memory for messages, Unix sockets for signs of life.

mod control;
mod door;
mod handshake;
mod join;
mod secret;
mod sockets;

pub use join::join;
pub use secret::Rendezvous;
