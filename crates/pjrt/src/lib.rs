//! The PJRT C interface, by which frameworks such as JAX drive devices they know nothing about: its structs and function
//! table as Rust types ([`abi`]), the protocol buffer messages that travel through it ([`proto`], [`compile_options`]), and any
//! plugin as a client of the runtime ([`client`]).

#![allow(unsafe_code, reason = "C is described and called here")]

pub mod abi;
pub mod client;
pub mod compile_options;
pub mod element;
pub mod error;
pub mod named;
pub mod proto;

pub use client::PluginClient;
