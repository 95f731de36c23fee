//! Tests of the HTTP server, over sockets of this machine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapters;
mod batches;
mod chat;
mod client;
mod completions;
mod dashboard;
mod encoders;
mod hosts;
mod https;
mod limits;
mod logprobs;
mod mutants;
mod page;
mod pooling;
mod records;
mod refusals;
mod responses;
mod routes;
mod stopping;
mod support;
mod tools;
mod traces;
