//! Tests of the CPU kernels.

// The kernels take raw operands.
#![allow(unsafe_code)]

mod gemm;
mod math;
mod threads;
