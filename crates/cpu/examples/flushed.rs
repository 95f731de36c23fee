//! Compares products of `bf16` on every instruction set that this machine has with [`flushed_multiply_add`], step by step, next to the least
//! normal number: with AVX2 the flags of MXCSR flush subnormal numbers, with AVX-512 the instruction for such products does.
//!
//! `cargo run --release -p jarrah-cpu --example flushed -- 100000000` looks at so many multiply-adds.

// Products take raw operands.
#![allow(unsafe_code)]

use jarrah_base::{bf16, flushed_multiply_add};
use jarrah_cpu::gemm::{Gemm, Isa, Strided, gemm_on};
use jarrah_cpu::threads::ThreadPool;

const SIZE: usize = 64;

fn main() {
    let wanted: u64 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let (pool, mut state) = (ThreadPool::global(), 1u64);
    let mut draw = move |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let (mut seen, mut least, mut flushed, mut subnormal) = (0u64, 0u64, 0u64, 0u64);
    while seen < wanted {
        // One product or two leave sums of few bits, more of them sums of all bits.
        let k = 2 + draw(7) as usize;
        let below = 20 + draw(90);
        let mut number = |exponent: u64| {
            // Few bits meet the halves of units and the least normal number more often than many.
            let bits = [draw(4) << 5, draw(128)][draw(2) as usize];
            let exponent = if draw(16) == 0 { 0 } else { exponent };
            bf16::from_bits((draw(2) << 15 | exponent << 7 | bits) as u16)
        };
        // The exponents of two factors add up to about that of the least normal number.
        let a: Vec<bf16> = (0..SIZE * k).map(|i| number(below + i as u64 % 3)).collect();
        let b: Vec<bf16> = (0..k * SIZE).map(|i| number(125 - below + i as u64 % 4)).collect();
        let mut expected = vec![0.0f32; SIZE * SIZE];
        for (at, sum) in expected.iter_mut().enumerate() {
            let (i, j) = (at / SIZE, at % SIZE);
            for step in 0..k.next_multiple_of(2) {
                // The second of two comes before the first.
                let p = step ^ 1;
                let [x, y] = if p < k { [a[i * k + p].to_f32(), b[p * SIZE + j].to_f32()] } else { [0.0; 2] };
                flushed += u64::from(x.mul_add(y, *sum).is_subnormal());
                *sum = flushed_multiply_add(x, y, *sum);
                least += u64::from(sum.abs() == f32::MIN_POSITIVE);
                subnormal += u64::from(x.is_subnormal() || y.is_subnormal());
                seen += 1;
            }
        }
        for &isa in Isa::available() {
            let mut c = vec![0.0f32; SIZE * SIZE];
            let product = Gemm {
                batch: 1,
                m: SIZE,
                n: SIZE,
                k,
                a: Strided::row_major(a.as_ptr(), k).into(),
                b: Strided::row_major(b.as_ptr(), SIZE).into(),
                c: c.as_mut_ptr(),
                c_row: SIZE,
                c_batch: 0,
                accumulate: false,
                scales: None,
            };
            // SAFETY: the vectors hold what the extents and strides name.
            unsafe { gemm_on(isa, pool, &product, None) };
            for (at, (found, expected)) in c.iter().zip(&expected).enumerate() {
                assert_eq!(
                    found.to_bits(),
                    expected.to_bits(),
                    "{found:e}, not {expected:e} at {at} of K {k} on {isa:?}"
                );
            }
        }
    }
    println!(
        "{seen} multiply-adds: {least} gave the least normal number, {flushed} a subnormal one, which is a zero, {subnormal} had a subnormal operand; {:?} agree",
        Isa::available()
    );
}
