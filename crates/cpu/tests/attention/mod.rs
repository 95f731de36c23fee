mod contract;
mod finite;
mod variants;

use jarrah_base::bf16;
use jarrah_cpu::attention::{
    AttentionCall, AttentionFloat, Floats, FloatsMut, Gradients, Heads, HeadsMut, KvStorage, Pairs,
    backward_on, forward_on,
};
use jarrah_cpu::gemm::{Isa, Rounded};
use jarrah_cpu::threads::ThreadPool;

use contract::{Case, contract};

trait Number: Rounded<Acc: AttentionFloat + Bits> + Bits {
    fn from_f64(x: f64) -> Self;
}

trait Bits: Copy + std::fmt::Debug {
    fn bits(self) -> u64;
    fn to_f64(self) -> f64;
}

macro_rules! bits {
    ($($t:ty),*) => {$(
        impl Bits for $t {
            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }

            fn to_f64(self) -> f64 {
                f64::from(self)
            }
        }
    )*};
}

bits!(f32, f64, bf16);

impl Number for f32 {
    fn from_f64(x: f64) -> f32 {
        x as f32
    }
}

impl Number for f64 {
    fn from_f64(x: f64) -> f64 {
        x
    }
}

impl Number for bf16 {
    fn from_f64(x: f64) -> bf16 {
        bf16::from_f64(x)
    }
}

/// Spread numbers below 1, from 0 on.
fn fractions(seed: u64, len: usize) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        })
        .collect()
}

fn numbers<T: Number>(seed: u64, len: usize) -> Vec<T> {
    fractions(seed, len).into_iter().map(|x| T::from_f64((x - 0.5) * 4.0)).collect()
}

struct Operands<T: Number> {
    q: Vec<T>,
    k: Vec<T>,
    v: Vec<T>,
    d_o: Vec<T>,
    d_lse: Vec<T::Acc>,
}

impl<T: Number> Operands<T> {
    fn new(x: &AttentionCall<'_>, seed: u64) -> Self {
        let (rows, keys) = (x.batch * x.queries * x.heads, x.batch * x.keys * x.kv_heads);
        Operands {
            q: numbers(seed, rows * x.dim),
            k: numbers(seed + 1, keys * x.dim),
            v: numbers(seed + 2, keys * x.value_dim),
            d_o: numbers(seed + 3, rows * x.value_dim),
            d_lse: numbers::<f64>(seed + 4, rows).into_iter().map(T::Acc::from_f64).collect(),
        }
    }
}

struct Results<T: Number> {
    o: Vec<T>,
    lse: Vec<T::Acc>,
    dq: Vec<T>,
    dk: Vec<T>,
    dv: Vec<T>,
    d_bias: Vec<f32>,
    d_sinks: Vec<f32>,
}

impl<T: Number> Results<T> {
    fn new(case: &Case, data: &Operands<T>, fill: T, statistic: T::Acc) -> Self {
        Results {
            o: vec![fill; data.d_o.len()],
            lse: vec![statistic; data.d_lse.len()],
            dq: vec![fill; data.q.len()],
            dk: vec![fill; data.k.len()],
            dv: vec![fill; data.v.len()],
            d_bias: vec![-7.0; case.bias.as_ref().map_or(0, |(values, _)| values.len())],
            d_sinks: vec![-7.0; case.sinks.as_ref().map_or(0, |(values, _)| values.len())],
        }
    }
}

/// What the kernels make of dense operands.
fn kernels<T: Number>(isa: Isa, pool: &ThreadPool, case: &Case, data: &Operands<T>) -> Results<T> {
    let x = &case.call();
    let mut r = Results::new(case, data, T::from_f64(-7.0), T::Acc::from_f64(-7.0));
    let rows = |p, dim| Heads::dense(p, x.queries, x.heads, dim);
    let keys = |p, dim| Heads::dense(p, x.keys, x.kv_heads, dim);
    let statistic = |p| Heads::dense(p, x.queries, x.heads, 1);
    let q = rows(data.q.as_ptr(), x.dim);
    let (k, v) = (keys(data.k.as_ptr(), x.dim), keys(data.v.as_ptr(), x.value_dim));
    let written = |values: &mut Vec<f32>| FloatsMut::new(Floats::F32(values.as_mut_ptr().cast_const()));
    let d_bias = case.bias.as_ref().map(|(_, dims)| Pairs::dense(written(&mut r.d_bias), *dims));
    let d_sinks = x.sinks.map(|(_, strides)| (written(&mut r.d_sinks), strides));
    let gradients = Gradients {
        d_o: rows(data.d_o.as_ptr(), x.value_dim),
        d_lse: Some(statistic(data.d_lse.as_ptr())),
        dq: HeadsMut::dense(r.dq.as_mut_ptr(), x.queries, x.heads, x.dim),
        dk: HeadsMut::dense(r.dk.as_mut_ptr(), x.keys, x.kv_heads, x.dim),
        dv: HeadsMut::dense(r.dv.as_mut_ptr(), x.keys, x.kv_heads, x.value_dim),
        d_bias,
        d_sinks,
    };
    let o = HeadsMut::dense(r.o.as_mut_ptr(), x.queries, x.heads, x.value_dim);
    let lse = HeadsMut::dense(r.lse.as_mut_ptr(), x.queries, x.heads, 1);
    // SAFETY: every operand is dense with these extents.
    unsafe {
        forward_on(isa, pool, x, q, KvStorage::dense(k), KvStorage::dense(v), o, lse);
        backward_on(isa, pool, x, q, k, v, &gradients);
    }
    r
}

fn same<T: Bits>(what: &str, x: &[T], y: &[T]) {
    assert_eq!(x.len(), y.len());
    for (i, (x, y)) in x.iter().zip(y).enumerate() {
        assert_eq!(x.bits(), y.bits(), "{what}[{i}]: {x:?}, not {y:?}");
    }
}

fn all_same<T: Number>(what: &str, x: &Results<T>, y: &Results<T>) {
    same(&format!("o of {what}"), &x.o, &y.o);
    same(&format!("lse of {what}"), &x.lse, &y.lse);
    same(&format!("dq of {what}"), &x.dq, &y.dq);
    same(&format!("dk of {what}"), &x.dk, &y.dk);
    same(&format!("dv of {what}"), &x.dv, &y.dv);
    same(&format!("d_bias of {what}"), &x.d_bias, &y.d_bias);
    same(&format!("d_sinks of {what}"), &x.d_sinks, &y.d_sinks);
}

fn full(batch: usize, queries: usize, keys: usize, heads: usize, kv_heads: usize, dim: usize) -> Case {
    Case::new(AttentionCall::full(batch, queries, keys, heads, kv_heads, dim), &vec![0; batch])
}

fn causal(case: Case, offset: &[i32]) -> Case {
    Case { plain: AttentionCall { after: Some(0), ..case.plain }, offset: offset.to_vec(), ..case }
}

fn matches_contract<T: Number>() {
    let pools = [ThreadPool::new(1), ThreadPool::new(2), ThreadPool::new(3)];
    let cases = [
        (full(1, 1, 1, 1, 1, 1), vec![0]),
        (full(2, 5, 7, 2, 1, 3), vec![0, 2]),
        (full(2, 70, 70, 2, 2, 16), vec![0, 0]),
        (full(1, 150, 150, 1, 1, 24), vec![0]),
        (full(2, 3, 200, 4, 2, 17), vec![130, 64]),
        (full(1, 100, 129, 3, 1, 8), vec![-40]),
        (full(1, 9, 64, 6, 2, 64), vec![63]),
        (full(1, 50, 66, 1, 1, 259), vec![16]),
    ];
    for (n, (case, offset)) in cases.iter().enumerate() {
        for case in [case.clone(), causal(case.clone(), offset)] {
            let data = Operands::<T>::new(&case.plain, n as u64);
            let expected = contract(&case, &data);
            for &isa in Isa::available() {
                for pool in &pools {
                    let what = format!("{case:?} on {isa:?} with {} threads", pool.threads());
                    all_same(&what, &kernels(isa, pool, &case, &data), &expected);
                }
            }
        }
    }
}

#[test]
fn f32_keeps_the_contract() {
    matches_contract::<f32>();
}

#[test]
fn f64_keeps_the_contract() {
    matches_contract::<f64>();
}

#[test]
fn bf16_keeps_the_contract() {
    matches_contract::<bf16>();
}

/// One long sequence of one head, or of a group of heads with one key: threads share blocks of its keys and tiles of its queries.
#[test]
fn one_head_shared_among_threads_has_the_bits_of_one_thread() {
    for heads in [1, 3] {
        let mut case = causal(full(1, 700, 700, heads, 1, 16), &[0]);
        let numbers = |count: usize| numbers::<f32>(8, count);
        case.bias = Some((numbers(700), [1, 1, 1, 700]));
        case.sinks = Some((numbers(heads), [1, heads]));
        let data = Operands::<f32>::new(&case.plain, 5);
        let expected = kernels(Isa::detect(), &ThreadPool::new(1), &case, &data);
        for threads in [2, 7, 16] {
            let found = kernels(Isa::detect(), &ThreadPool::new(threads), &case, &data);
            all_same(&format!("{heads} heads on {threads} threads"), &found, &expected);
        }
    }
}

#[test]
fn equals_plain_softmax() {
    let x = causal(full(1, 90, 100, 2, 2, 12), &[10]);
    let data = Operands::<f64>::new(&x.plain, 3);
    let got = kernels(Isa::detect(), &ThreadPool::new(2), &x, &data);
    for i in 0..x.plain.queries {
        for h in 0..2 {
            let row = |from: &[f64], j: usize| from[(j * 2 + h) * 12..][..12].to_vec();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let q = row(&data.q, i);
            let seen = (0..100).filter(|&j| x.sees(0, h, i, j));
            let p: Vec<f64> = seen.map(|j| (dot(&q, &row(&data.k, j)) * x.plain.scale).exp()).collect();
            let sum: f64 = p.iter().sum();
            assert!((got.lse[i * 2 + h] - sum.ln()).abs() < 1e-12);
            for e in 0..12 {
                let o: f64 = p.iter().enumerate().map(|(j, p)| p / sum * row(&data.v, j)[e]).sum();
                assert!((got.o[(i * 2 + h) * 12 + e] - o).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn gradients_equal_finite_differences() {
    let x = causal(full(1, 68, 71, 2, 1, 5), &[3]);
    let pool = ThreadPool::new(2);
    let mut data = Operands::<f64>::new(&x.plain, 5);
    let got = kernels(Isa::detect(), &pool, &x, &data);
    let value = |data: &Operands<f64>| -> f64 {
        let r = kernels(Isa::detect(), &pool, &x, data);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&r.o, &data.d_o) + dot(&r.lse, &data.d_lse)
    };
    for which in 0..3 {
        for at in (which..x.plain.keys * x.plain.dim).step_by(29) {
            let h = 1e-5;
            let mut side = |sign: f64| {
                fn slot(data: &mut Operands<f64>, which: usize) -> &mut Vec<f64> {
                    [&mut data.q, &mut data.k, &mut data.v].into_iter().nth(which).expect("three operands")
                }
                let kept = slot(&mut data, which)[at];
                slot(&mut data, which)[at] = kept + sign * h;
                let value = value(&data);
                slot(&mut data, which)[at] = kept;
                value
            };
            let difference = (side(1.0) - side(-1.0)) / (2.0 * h);
            let gradient = [&got.dq, &got.dk, &got.dv][which][at];
            assert!((difference - gradient).abs() < 1e-7, "{which} {at}: {difference} {gradient}");
        }
    }
}

#[test]
fn bits_depend_on_neither_chunking_nor_capacity() {
    let (prompt, capacity, dim) = (140, 300, 32);
    let whole = causal(full(1, prompt, prompt, 2, 1, dim), &[0]);
    let data = Operands::<f32>::new(&whole.plain, 8);
    let pool = ThreadPool::new(2);
    let expected = kernels(Isa::detect(), &pool, &whole, &data);
    let row = 2 * dim;
    for chunk in [1, 7, 64] {
        // Beyond the valid keys the cache holds anything.
        let cache = |from: &[f32]| [from, &vec![f32::NAN; (capacity - prompt) * dim]].concat();
        let (k, v) = (cache(&data.k), cache(&data.v));
        for first in (0..prompt).step_by(chunk) {
            let count = chunk.min(prompt - first);
            let x = causal(full(1, count, capacity, 2, 1, dim), &[first as i32]);
            let part = Operands::<f32> {
                q: data.q[first * row..][..count * row].to_vec(),
                d_o: data.d_o[first * row..][..count * row].to_vec(),
                d_lse: data.d_lse[first * 2..][..count * 2].to_vec(),
                k: k.clone(),
                v: v.clone(),
            };
            let got = kernels(Isa::detect(), &pool, &x, &part);
            same("o", &got.o, &expected.o[first * row..][..count * row]);
            same("lse", &got.lse, &expected.lse[first * 2..][..count * 2]);
            same("dq", &got.dq, &expected.dq[first * row..][..count * row]);
        }
    }
}

#[test]
fn a_masked_infinity_has_no_influence() {
    let x = causal(full(1, 20, 20, 1, 1, 4), &[0]);
    let clean = Operands::<f32>::new(&x.plain, 1);
    let mut dirty = Operands::<f32>::new(&x.plain, 1);
    dirty.v[15 * 4] = f32::INFINITY;
    dirty.k[15 * 4] = f32::NAN;
    let pool = ThreadPool::new(1);
    let (clean, dirty) =
        (kernels(Isa::detect(), &pool, &x, &clean), kernels(Isa::detect(), &pool, &x, &dirty));
    same("o", &dirty.o[..15 * 4], &clean.o[..15 * 4]);
    same("lse", &dirty.lse[..15], &clean.lse[..15]);
    same("dq", &dirty.dq[..15 * 4], &clean.dq[..15 * 4]);
    assert!(dirty.o[15 * 4..].iter().any(|x| x.is_nan()));
    assert!(clean.o[0].to_f64().is_finite());
}
