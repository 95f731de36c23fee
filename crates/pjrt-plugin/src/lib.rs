//! A PJRT plugin: the C interface of [`jarrah_pjrt::abi`] in front of the runtime's clients.
//!
//! [`GetPjrtApi`] gives the function table. Each function of it is an implementation of `Call` for its argument struct;
//! `entry` is what C calls: it copies as much of the struct as the caller knows of, calls the implementation, copies the
//! struct back, and turns errors and panics into error objects. So an implementation is ordinary code on a complete struct.
//!
//! Objects behind handles are boxes that C owns; they hold what they need of each other by counted references, so the order
//! in which C frees them does not matter. Devices, memories and descriptions belong to their client or topology.
//!
//! Programs call back by `@jarrah_host_callback` (`callback`), ask for shardings by `@jarrah_inspect_sharding` (`inspect`), and call
//! handlers in C by XLA's foreign function interface (`ffi`).
//! What is not supported is an error with the status `UNIMPLEMENTED` that names it; no entry of the table is null.
//!
//! Pointers are trusted where the header lets C promise that they are valid; null is looked for, and is an error.
//!
//! Facts that a module states beside its program (aliases, kinds of memory, layouts, shardings, tokens) are read from the
//! attributes of `@main`; callers see tokens as buffers, the program has none.
//!
//! A program of several partitions becomes that of each (`jarrah_compiler::partition`), which takes and gives parts as the shardings say.
//!
//! Limits: buffers are dense, without tiles. What is not manual computes on whole tensors.

#![allow(unsafe_code, reason = "C calls in, and hands over pointers")]

mod assignment;
mod backend;
mod buffer;
mod call;
mod callback;
mod client;
mod create;
mod description;
mod device;
mod error;
mod event;
mod executable;
mod execute;
mod extension;
mod failure;
mod ffi;
mod host;
mod inspect;
mod layouts;
mod metadata;
mod object;
mod options;
mod order;
mod processes;
mod profiler;
mod program;
mod propagate;
mod shardings;
mod streams;
mod table;
mod text;
mod topology;
mod transfer;

use jarrah_pjrt::abi::PJRT_Api;

/// The function table; it lives as long as the process.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name by which plugins are found")]
pub extern "C" fn GetPjrtApi() -> *const PJRT_Api {
    table::api()
}
