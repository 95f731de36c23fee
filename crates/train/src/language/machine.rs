use std::sync::Arc;

use jarrah_base::parallel::cores;
use jarrah_cpu::threads::ThreadPool;
use jarrah_cpu::{CpuClient, CpuOptions, peak};

/// Computes on `threads` threads from now on; 0 uses every core. The number changes no bit of any result.
///
/// Arrays made before this call cannot be mixed with arrays made after it.
pub fn use_threads(threads: usize) {
    if threads > 0 {
        let options = CpuOptions { threads, ..CpuOptions::from_env() };
        jarrah_array::set_client(Arc::new(CpuClient::with_options(options)));
    }
}

/// The peak `f32` operations per second of so many threads of this machine, from a short measurement.
pub fn peak_flops(threads: usize) -> f64 {
    let threads = if threads == 0 { cores() } else { threads };
    peak::f32_flops(&ThreadPool::new(threads))
}
