//! The peak rates of the machine: operations and bytes a second.

use jarrah_cpu::peak;
use jarrah_cpu::threads::ThreadPool;

/// The most that the threads of a pool do in a second.
pub struct Machine {
    /// Operations of `f32`.
    pub flops: f64,
    /// Bytes of memory that are read.
    pub bytes: f64,
}

impl Machine {
    /// The machine as measured, or as said, in 10^9 operations and 10^9 bytes a second.
    pub fn of(pool: &ThreadPool, gflops: Option<f64>, gbytes: Option<f64>) -> Machine {
        Machine {
            flops: gflops.map_or_else(|| peak::f32_flops(pool), |g| g * 1e9),
            bytes: gbytes.map_or_else(|| peak::read_bandwidth(pool), |g| g * 1e9),
        }
    }
}
