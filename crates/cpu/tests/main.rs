//! Tests of the CPU kernels.

// The kernels take raw operands.
#![allow(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "helpers of tests are no test functions to clippy")]

mod attention;
mod client;
mod copy;
mod gemm;
mod math;
mod threads;
mod tiers;
mod vector;
