//! Measures the kernels against the machine's limits, both found in the same run.
//!
//! `cargo run --release -p jarrah-cpu --example kernels [pool|gemm|gemv|copy|attention]`

// The kernels take raw operands.
#![allow(unsafe_code)]

use std::hint::black_box;
use std::time::Instant;

use jarrah_cpu::attention::{AttentionCall, Gradients, Heads, HeadsMut, KvStorage, backward, forward};
use jarrah_cpu::buffers::Allocation;
use jarrah_cpu::copy::copy;
use jarrah_cpu::gemm::{Gemm, PackedB, Strided, gemm};
use jarrah_cpu::threads::ThreadPool;

fn main() {
    let only = std::env::args().nth(1);
    let wanted = |name: &str| only.as_deref().is_none_or(|o| o == name);
    let pools = [ThreadPool::new(1), ThreadPool::new(ThreadPool::global().threads())];
    for pool in &pools {
        let peak = fma_peak(pool);
        println!("== {} thread(s): peak {peak:.0} GFLOP/s f32", pool.threads());
        if wanted("pool") {
            let s = best(0.3, || pool.run(2, &|i| _ = black_box(i)));
            println!("empty region of 2 tasks: {:.2} us", s * 1e6);
        }
        if wanted("gemm") {
            products(pool, peak);
        }
        if wanted("gemv") {
            vectors(pool);
        }
        if wanted("copy") {
            copies(pool);
        }
        if wanted("attention") {
            attentions(pool, peak);
        }
    }
}

/// The least time of one call among many, within about `budget` seconds.
fn best(budget: f64, mut f: impl FnMut()) -> f64 {
    f();
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    while start.elapsed().as_secs_f64() < budget {
        let call = Instant::now();
        f();
        least = least.min(call.elapsed().as_secs_f64());
    }
    least
}

/// GFLOP/s of independent multiply-add chains in registers on every thread.
fn fma_peak(pool: &ThreadPool) -> f64 {
    let rounds = 200_000u64;
    let lanes =
        if cfg!(target_arch = "x86_64") && jarrah_cpu::gemm::Isa::detect() != jarrah_cpu::gemm::Isa::Avx512 {
            8
        } else {
            16
        };
    let s = best(0.5, || {
        pool.run(pool.threads(), &|_| chains(rounds));
    });
    (pool.threads() as u64 * rounds * 24 * lanes * 2) as f64 / s * 1e-9
}

#[cfg(target_arch = "x86_64")]
fn chains(rounds: u64) {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx512f")]
    fn wide(rounds: u64) {
        let mut acc = [_mm512_set1_ps(black_box(1.0)); 24];
        let (x, y) = (_mm512_set1_ps(black_box(0.5)), _mm512_set1_ps(black_box(0.25)));
        for _ in 0..rounds {
            for acc in &mut acc {
                *acc = _mm512_fmadd_ps(*acc, x, y);
            }
        }
        black_box(acc);
    }

    #[target_feature(enable = "avx2,fma")]
    fn narrow(rounds: u64) {
        for _ in 0..2 {
            let mut acc = [_mm256_set1_ps(black_box(1.0)); 12];
            let (x, y) = (_mm256_set1_ps(black_box(0.5)), _mm256_set1_ps(black_box(0.25)));
            for _ in 0..rounds {
                for acc in &mut acc {
                    *acc = _mm256_fmadd_ps(*acc, x, y);
                }
            }
            black_box(acc);
        }
    }

    match jarrah_cpu::gemm::Isa::detect() {
        // SAFETY: detected.
        jarrah_cpu::gemm::Isa::Avx512 => unsafe { wide(rounds) },
        // SAFETY: detected.
        jarrah_cpu::gemm::Isa::Avx2 => unsafe { narrow(rounds) },
        jarrah_cpu::gemm::Isa::Portable => plain(rounds),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn chains(rounds: u64) {
    plain(rounds);
}

fn plain(rounds: u64) {
    let mut acc = [black_box(1.0f32); 24 * 16];
    let (x, y) = (black_box(0.5f32), black_box(0.25f32));
    for _ in 0..rounds {
        for acc in &mut acc {
            *acc = acc.mul_add(x, y);
        }
    }
    black_box(acc);
}

/// Numbers in the memory a client would give them, on huge pages where large.
struct Numbers(Allocation);

impl Numbers {
    fn as_ptr(&self) -> *const f32 {
        self.0.as_ptr().cast()
    }

    fn as_mut_ptr(&mut self) -> *mut f32 {
        self.0.as_mut_ptr().cast()
    }
}

fn filled(len: usize) -> Numbers {
    let mut memory = Allocation::new(len * 4).expect("little memory");
    for (i, bytes) in memory.bytes_mut().chunks_exact_mut(4).enumerate() {
        bytes.copy_from_slice(&(((i * 7919) % 1000) as f32 * 1e-3 - 0.5).to_ne_bytes());
    }
    Numbers(memory)
}

#[derive(Clone, Copy)]
struct Shape {
    name: &'static str,
    m: usize,
    n: usize,
    k: usize,
    a_cols: bool,
    b_cols: bool,
}

fn product(pool: &ThreadPool, s: Shape, packed: bool) -> f64 {
    let Shape { m, n, k, a_cols, b_cols, .. } = s;
    let (a, b, mut c) = (filled(m * k), filled(k * n), filled(m * n));
    let sa = if a_cols { Strided::col_major(a.as_ptr(), m) } else { Strided::row_major(a.as_ptr(), k) };
    let sb = if b_cols { Strided::col_major(b.as_ptr(), k) } else { Strided::row_major(b.as_ptr(), n) };
    let ready = packed.then(|| {
        // SAFETY: `b` holds k x n elements.
        unsafe { PackedB::new(pool, &sb, k, n) }.expect("little memory")
    });
    let b = ready.as_ref().map_or(sb.into(), |packed| packed.panels().into());
    let g = Gemm {
        batch: 1,
        m,
        n,
        k,
        a: sa.into(),
        b,
        c: c.as_mut_ptr(),
        c_row: n,
        c_batch: 0,
        accumulate: false,
        scales: None,
    };
    // SAFETY: the vectors hold what the extents and strides name.
    let s = best(0.3, || unsafe { gemm(pool, &g, None) });
    black_box(c.as_ptr());
    s
}

fn products(pool: &ThreadPool, peak: f64) {
    let square = |n| Shape { name: "square", m: n, n, k: n, a_cols: false, b_cols: false };
    let x_w = |m, n, k| Shape { name: "X W", m, n, k, a_cols: false, b_cols: false };
    let x_wt = |m, n, k| Shape { name: "X W^T", m, n, k, a_cols: false, b_cols: true };
    let xt_y = |m, n, k| Shape { name: "X^T Y", m, n, k, a_cols: true, b_cols: false };
    let shapes = [
        square(64),
        square(96),
        square(128),
        square(192),
        square(256),
        square(512),
        square(768),
        square(1024),
        square(2048),
        square(4096),
        x_w(3072, 1152, 384),
        x_w(3072, 384, 384),
        x_w(3072, 1536, 384),
        x_w(3072, 384, 1536),
        x_w(3072, 65, 384),
        x_wt(3072, 384, 1152),
        x_wt(3072, 384, 384),
        x_wt(3072, 384, 1536),
        x_wt(3072, 1536, 384),
        x_wt(3072, 384, 65),
        xt_y(384, 1152, 3072),
        xt_y(384, 384, 3072),
        xt_y(384, 1536, 3072),
        xt_y(1536, 384, 3072),
        xt_y(384, 65, 3072),
        x_w(768, 128, 128),
        x_w(768, 512, 128),
        x_w(768, 128, 512),
        x_w(768, 384, 128),
        x_wt(768, 128, 512),
        xt_y(128, 512, 768),
        xt_y(128, 128, 768),
    ];
    for s in shapes {
        let seconds = product(pool, s, false);
        let rate = 2.0 * (s.m * s.n * s.k) as f64 / seconds * 1e-9;
        let Shape { name, m, n, k, .. } = s;
        println!(
            "{name:7} {m:5} x {n:5} x {k:5}: {:9.1} us {rate:7.1} GFLOP/s {:5.1} %",
            seconds * 1e6,
            rate / peak * 100.0
        );
    }
}

fn vectors(pool: &ThreadPool) {
    let bytes = 256usize << 20;
    let data = Allocation::new(bytes).expect("little memory");
    let parts = pool.threads() * 4;
    let chunk = data.len() / parts;
    let s = best(0.5, || {
        pool.run(parts, &|i| {
            let mut sums = [0u64; 32];
            for block in data.bytes()[i * chunk..][..chunk].chunks_exact(256) {
                for (sum, word) in sums.iter_mut().zip(block.chunks_exact(8)) {
                    *sum ^= u64::from_ne_bytes(word.try_into().expect("eight bytes"));
                }
            }
            black_box(sums);
        });
    });
    let limit = bytes as f64 / s * 1e-9;
    println!("read bandwidth {limit:.1} GB/s");
    for m in [1, 2, 4, 8] {
        for (name, b_cols, packed) in
            [("row-major", false, false), ("column-major", true, false), ("packed", true, true)]
        {
            let shape = Shape { name, m, n: 4096, k: 4096, a_cols: false, b_cols };
            let s = product(pool, shape, packed);
            let rate = 4.0 * 4096.0 * 4096.0 / s * 1e-9;
            println!(
                "{m} x 4096 x 4096 {name:12}: {:7.1} us {rate:6.1} GB/s {:5.1} %",
                s * 1e6,
                rate / limit * 100.0
            );
        }
    }
}

fn attentions(pool: &ThreadPool, peak: f64) {
    for (batch, heads, t, d) in [(12, 6, 256, 64), (2, 12, 1024, 64), (1, 16, 4096, 64), (24, 4, 32, 32)] {
        let len = batch * heads * t * d;
        let (q, k, v, d_o) = (filled(len), filled(len + 1), filled(len + 2), filled(len + 3));
        let (mut o, mut lse) = (filled(len), filled(len / d));
        let (mut dq, mut dk, mut dv) = (filled(len), filled(len), filled(len));
        let offset = vec![0; batch];
        let x = AttentionCall {
            offset: &offset,
            after: Some(0),
            ..AttentionCall::full(batch, t, t, heads, heads, d)
        };
        let dense = |p: &Numbers| Heads::dense(p.as_ptr(), t, heads, d);
        let (q, k, v) = (dense(&q), dense(&k), dense(&v));
        let out = HeadsMut::dense(o.as_mut_ptr(), t, heads, d);
        let stat = HeadsMut::dense(lse.as_mut_ptr(), t, heads, 1);
        // SAFETY: every operand is dense with these extents.
        let f = best(0.5, || unsafe {
            forward(pool, &x, q, KvStorage::dense(k), KvStorage::dense(v), out, stat)
        });
        let g = Gradients {
            d_o: dense(&d_o),
            d_lse: None,
            dq: HeadsMut::dense(dq.as_mut_ptr(), t, heads, d),
            dk: HeadsMut::dense(dk.as_mut_ptr(), t, heads, d),
            dv: HeadsMut::dense(dv.as_mut_ptr(), t, heads, d),
            d_bias: None,
            d_sinks: None,
        };
        // SAFETY: as above.
        let b = best(0.5, || unsafe { backward(pool, &x, q, k, v, &g) });
        let flops = 2.0 * (batch * heads * t * t * d) as f64;
        println!(
            "causal {batch} x {heads} x {t} x {d}: forward {:.2} ms ({:.0} % of peak), backward {:.2} ms ({:.0} %)",
            f * 1e3,
            flops / f * 1e-7 / peak,
            b * 1e3,
            2.5 * flops / b * 1e-7 / peak
        );
    }
}

fn copies(pool: &ThreadPool) {
    let cases: [(&str, &[usize], &[isize], &[isize]); 4] = [
        ("plain", &[4096, 4096], &[4096, 1], &[4096, 1]),
        ("transpose", &[4096, 4096], &[4096, 1], &[1, 4096]),
        ("heads", &[12, 256, 6, 64], &[256 * 384, 384, 64, 1], &[256 * 384, 64, 256 * 64, 1]),
        ("heads transposed", &[12, 256, 6, 64], &[256 * 384, 384, 64, 1], &[256 * 384, 1, 256 * 64, 256]),
    ];
    for (name, extents, from, to) in cases {
        let total: usize = extents.iter().product();
        let (src, mut dst) = (filled(total), filled(total));
        let to_ptr = dst.as_mut_ptr();
        // SAFETY: both hold the extents, in dense permutations.
        let s = best(0.3, || unsafe { copy(pool, 4, extents, src.as_ptr().cast(), from, to_ptr.cast(), to) });
        println!("copy {name:16} {extents:?}: {:.1} us, {:.1} GB/s", s * 1e6, total as f64 * 8e-9 / s);
    }
}
