//! Tests of the checkpoint crate against a real directory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod crash;
mod damage;
mod disk_full;
mod kill;
mod manager;
mod orbax;
mod retention;
mod round_trip;
mod stored;
