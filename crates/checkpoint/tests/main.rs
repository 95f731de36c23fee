//! Tests of the checkpoint crate against a real directory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::single_range_in_vec_init, reason = "a box of one axis is a list of one range")]

mod arrays;
mod backup;
mod common;
mod crash;
mod damage;
mod disk_full;
mod items;
mod kill;
#[cfg(unix)]
mod links;
mod manager;
mod orbax;
mod processes;
mod retention;
mod round_trip;
mod shards;
mod stored;
mod stores;
mod transform;
