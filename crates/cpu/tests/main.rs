//! Tests of the CPU kernels.

// The kernels take raw operands.
#![allow(unsafe_code)]

mod attention;
mod client;
mod copy;
mod gemm;
mod math;
mod threads;
mod tiers;
mod vector;
