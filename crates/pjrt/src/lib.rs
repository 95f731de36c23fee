//! The PJRT C interface, by which frameworks such as JAX drive devices they know nothing about: its structs and function
//! table as Rust types ([`abi`]), and the protocol buffer messages that travel through it ([`proto`], [`compile_options`]).

#![allow(unsafe_code, reason = "what C calls is described here, zeros as values of its structs included")]

pub mod abi;
pub mod compile_options;
pub mod proto;
