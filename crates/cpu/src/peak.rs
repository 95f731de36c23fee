//! Measurements of the machine's peak: multiply-adds and memory reads per second.

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use jarrah_base::memory::available;

use crate::threads::ThreadPool;

/// Chains of multiply-adds in flight: more than the units' latency times their number, and few enough that all stay in 16
/// registers with the factor and the summand. With 16 chains two went through memory, and half the peak was seen.
const CHAINS: usize = 12;
/// The number of multiply-adds in a chain.
const ROUNDS: usize = 20_000;
/// The number of timed pieces of a thread in a region.
const PIECES: usize = 8;

/// The most `f32` operations a second that the threads of `pool` reach together, a multiply-add counted as two.
///
/// Takes about 50 ms: independent chains of multiply-adds in registers, on all threads at once. What counts is the median
/// of what a thread takes for a piece of some 50 µs, so that other work on the machine changes little.
///
/// ```
/// use jarrah_cpu::{peak, threads::ThreadPool};
/// assert!(peak::f32_flops(&ThreadPool::new(1)) > 1e8);
/// ```
pub fn f32_flops(pool: &ThreadPool) -> f64 {
    let threads = pool.threads();
    let times = Mutex::new(Vec::new());
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_millis(50) {
        pool.run(threads * PIECES, &|_| {
            let start = Instant::now();
            black_box(chains(black_box(0.999), black_box(1e-3)));
            times.lock().unwrap_or_else(PoisonError::into_inner).push(start.elapsed());
        });
    }
    let mut times = times.into_inner().unwrap_or_else(PoisonError::into_inner);
    let middle = times.len() / 2;
    let median = *times.select_nth_unstable(middle).1;
    (2 * threads * lanes() * CHAINS * ROUNDS) as f64 / median.as_secs_f64()
}

/// The bytes that [`read_bandwidth`] reads if the system has them: more than the caches hold.
const SWEPT: usize = 256 << 20;

/// Words to read: [`SWEPT`] bytes if the system has the memory, or half, or a quarter, and so on; at last none. At most half of
/// the available memory is taken, since memory that the system promises may be missing when it is written to.
fn words() -> Vec<u64> {
    let mut words = Vec::new();
    let mut bytes = SWEPT;
    while bytes > 0 && (bytes > available() / 2 || words.try_reserve_exact(bytes / 8).is_err()) {
        bytes /= 2;
    }
    words.resize(bytes / 8, 1);
    words
}

/// The bytes a second that the threads of `pool` read from memory together.
///
/// Takes about 200 ms: the fastest of five sums over 256 MiB. Where the system has no such memory left, over what it
/// has; of less than the caches hold, their bandwidth is found.
///
/// ```
/// use jarrah_cpu::{peak, threads::ThreadPool};
/// assert!(peak::read_bandwidth(&ThreadPool::new(1)) > 1e8);
/// ```
pub fn read_bandwidth(pool: &ThreadPool) -> f64 {
    let held = words();
    // A page of the stack, if there is no other memory.
    let words = if held.is_empty() { &[1; 512] } else { held.as_slice() };
    let pieces = pool.threads() * PIECES;
    let piece = words.len().div_ceil(pieces);
    let sweep = |_| {
        let start = Instant::now();
        pool.run(pieces, &|i| {
            let from = (i * piece).min(words.len());
            let to = (from + piece).min(words.len());
            black_box(words[from..to].iter().fold(0u64, |a, &x| a.wrapping_add(x)));
        });
        start.elapsed().as_secs_f64()
    };
    size_of_val(words) as f64 / (0..5).map(sweep).fold(f64::INFINITY, f64::min)
}

#[cfg(all(target_arch = "x86_64", not(jarrah_portable)))]
mod units {
    use std::arch::x86_64::*;

    use super::{ROUNDS, starts};
    use crate::isa::Isa;

    fn widest() -> Isa {
        Isa::available().last().copied().unwrap_or(Isa::Portable)
    }

    pub fn lanes() -> usize {
        match widest() {
            Isa::Avx512 => 16,
            Isa::Avx2 => 8,
            Isa::Portable => 1,
        }
    }

    pub fn chains(a: f32, b: f32) -> f32 {
        match widest() {
            // SAFETY: the machine has the features that the function is compiled for.
            Isa::Avx512 => unsafe { chains_avx512(a, b) },
            // SAFETY: as above.
            Isa::Avx2 => unsafe { chains_avx2(a, b) },
            Isa::Portable => super::scalar(a, b),
        }
    }

    #[target_feature(enable = "avx512f")]
    fn chains_avx512(a: f32, b: f32) -> f32 {
        let (a, b) = (_mm512_set1_ps(a), _mm512_set1_ps(b));
        let mut x = starts().map(|start| _mm512_set1_ps(start));
        for _ in 0..ROUNDS {
            for x in &mut x {
                *x = _mm512_fmadd_ps(*x, a, b);
            }
        }
        x.iter().map(|&x| _mm512_reduce_add_ps(x)).sum()
    }

    #[target_feature(enable = "avx2,fma")]
    fn chains_avx2(a: f32, b: f32) -> f32 {
        let (a, b) = (_mm256_set1_ps(a), _mm256_set1_ps(b));
        let mut x = starts().map(|start| _mm256_set1_ps(start));
        for _ in 0..ROUNDS {
            for x in &mut x {
                *x = _mm256_fmadd_ps(*x, a, b);
            }
        }
        x.iter().map(|&x| _mm256_cvtss_f32(x)).sum()
    }
}

#[cfg(not(all(target_arch = "x86_64", not(jarrah_portable))))]
mod units {
    pub fn lanes() -> usize {
        1
    }

    pub fn chains(a: f32, b: f32) -> f32 {
        super::scalar(a, b)
    }
}

use units::{chains, lanes};

/// The initial values of the chains, which differ: otherwise the compiler would merge them.
fn starts() -> [f32; CHAINS] {
    std::array::from_fn(|i| black_box(i as f32))
}

/// Without vector instructions known here: the compiler's code for a plain loop.
fn scalar(a: f32, b: f32) -> f32 {
    let mut x = starts();
    for _ in 0..ROUNDS {
        for x in &mut x {
            *x = *x * a + b;
        }
    }
    x.iter().sum()
}
