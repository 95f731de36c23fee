//! The compiler against the reference evaluator.

mod bits;
mod common;
mod effects;
mod examples;
mod files;
mod growth;
mod left_out;
mod memory;
mod models;
mod raise;
mod raise_counters;
mod raise_qr;
mod random;
mod rematerialize;
mod serial;
mod shapes;
mod split;
mod target;
