//! The PJRT C interface, by which frameworks such as JAX drive devices they know nothing about: its structs and function
//! table as Rust types ([`abi`]), the protocol buffer messages that travel through it ([`proto`], [`compile_options`]), and any
//! plugin as a client of the runtime ([`client`]).
//!
//! The C interface is data: a struct is an entry of a `structs!` list, the function table is one list of rows, and a golden file
//! made by a C compiler (`oracle/pjrt_abi.py`) proves every offset. Programs travel to a plugin as portable bytecode in the
//! version that the plugin states, and ops of our own are refused unless the plugin is `jarrah-pjrt-plugin`. A request that the
//! interface cannot express is an error: an alias that must hold, a function of this process. A plugin is initialised once and
//! never unloaded.

#![allow(unsafe_code, reason = "C is described and called here")]

pub mod abi;
pub mod client;
pub mod compile_options;
pub mod element;
pub mod error;
pub mod named;
pub mod proto;

pub use client::PluginClient;
