//! Tests of OpenAI's API, over sockets of this machine.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapters;
mod batches;
mod chat;
mod completions;
mod encoders;
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
