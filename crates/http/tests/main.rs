//! Tests of the transport, over sockets of this machine, with a small API.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod dashboard;
mod front;
mod hosts;
mod https;
mod limits;
mod support;
mod work;
