//! Tests of the checkpoint crate against a real directory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod arrays;
mod backup;
mod common;
mod crash;
mod damage;
mod disk_full;
mod items;
mod kill;
mod manager;
mod orbax;
mod processes;
mod retention;
mod round_trip;
mod shards;
mod stored;
