//! The plugin as C calls it: through the table that `GetPjrtApi` gives, with structs made by hand.

#![allow(unsafe_code, reason = "what a C caller does")]

mod buffers;
mod callbacks;
mod caller;
mod client;
mod errors;
mod events;
mod executables;
mod extensions;
mod ffi;
mod flat;
mod layouts;
mod mutants;
mod mutation;
mod partitions;
mod schedules;
mod transfers;
