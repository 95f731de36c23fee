//! Tests of the CPU kernels.

mod math;
mod threads;
