//! Tests of the command, as a person uses it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_input;
mod batch;
mod bench;
mod bits;
mod book;
mod cache;
mod chat;
mod contact;
mod convert;
mod crash;
mod dashboard;
mod data;
mod examples;
mod generate;
mod hlo;
mod jax;
#[cfg(target_os = "linux")]
mod launch;
mod memory;
mod model;
mod model_folders;
mod orbax;
mod plugin;
mod race;
mod serve;
mod steps;
mod stored;
mod support;
mod tasks;
mod train;
