//! Tests of the stores.

mod laws;
