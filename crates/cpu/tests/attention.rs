use jarrah_base::{bf16, chains};
use jarrah_cpu::attention::{AttentionCall, Gradients, Heads, HeadsMut, Real, backward_on, forward_on};
use jarrah_cpu::gemm::{Isa, Rounded};
use jarrah_cpu::threads::Pool;

trait Number: Rounded<Acc: Real + Bits> + Bits {
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

fn numbers<T: Number>(seed: u64, len: usize) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            T::from_f64(((state >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * 4.0)
        })
        .collect()
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
        let (q, k) = (x.batch * x.queries * x.heads * x.dim, x.batch * x.keys * x.kv_heads * x.dim);
        let rows = x.batch * x.queries * x.heads;
        Operands {
            q: numbers(seed, q),
            k: numbers(seed + 1, k),
            v: numbers(seed + 2, k),
            d_o: numbers(seed + 3, q),
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
}

fn kernels<T: Number>(isa: Isa, pool: &Pool, x: &AttentionCall<'_>, data: &Operands<T>) -> Results<T> {
    let garbage = T::from_f64(-7.0);
    let zero = T::Acc::from_f64(-7.0);
    let mut r = Results {
        o: vec![garbage; data.q.len()],
        lse: vec![zero; data.d_lse.len()],
        dq: vec![garbage; data.q.len()],
        dk: vec![garbage; data.k.len()],
        dv: vec![garbage; data.k.len()],
    };
    let q = |p| Heads::dense(p, x.queries, x.heads, x.dim);
    let kv = |p| Heads::dense(p, x.keys, x.kv_heads, x.dim);
    let rows = |p| Heads::dense(p, x.queries, x.heads, 1);
    let (qs, ks, vs) = (q(data.q.as_ptr()), kv(data.k.as_ptr()), kv(data.v.as_ptr()));
    let gradients = Gradients {
        o: q(r.o.as_ptr()),
        lse: rows(r.lse.as_ptr()),
        d_o: q(data.d_o.as_ptr()),
        d_lse: Some(rows(data.d_lse.as_ptr())),
        dq: HeadsMut::dense(r.dq.as_mut_ptr(), x.queries, x.heads, x.dim),
        dk: HeadsMut::dense(r.dk.as_mut_ptr(), x.keys, x.kv_heads, x.dim),
        dv: HeadsMut::dense(r.dv.as_mut_ptr(), x.keys, x.kv_heads, x.dim),
    };
    let o = HeadsMut::dense(r.o.as_mut_ptr(), x.queries, x.heads, x.dim);
    let lse = HeadsMut::dense(r.lse.as_mut_ptr(), x.queries, x.heads, 1);
    // SAFETY: every operand is dense with these extents.
    unsafe {
        forward_on(isa, pool, x, qs, ks, vs, o, lse);
        backward_on(isa, pool, x, qs, ks, vs, &gradients);
    }
    r
}

fn visible(x: &AttentionCall<'_>, b: usize, i: usize) -> usize {
    x.causal.map_or(x.keys, |o| (i as i64 + i64::from(o[b]) + 1).clamp(0, x.keys as i64) as usize)
}

/// The contract, one query and one element at a time.
fn contract<T: Number>(x: &AttentionCall<'_>, data: &Operands<T>) -> Results<T> {
    let (d, zero) = (x.dim, T::Acc::default());
    let scale = T::Acc::from_f64(x.scale);
    let group = x.heads / x.kv_heads;
    let q_at = |b: usize, i: usize, h: usize| ((b * x.queries + i) * x.heads + h) * d;
    let k_at = |b: usize, j: usize, h: usize| ((b * x.keys + j) * x.kv_heads + h) * d;
    let dot = |a: &[T], b: &[T]| {
        let chain = |at: std::ops::Range<usize>| {
            a[at.clone()].iter().zip(&b[at]).fold(zero, |s, (a, b)| a.widen().fma(b.widen(), s))
        };
        chains(d).map(chain).reduce(|sum, chain| sum + chain).unwrap_or(zero)
    };
    let mut r = Results {
        o: vec![T::narrow(zero); data.q.len()],
        lse: vec![T::Acc::NEG_INFINITY; data.d_lse.len()],
        dq: vec![],
        dk: vec![],
        dv: vec![],
    };
    let (mut dq, mut dk, mut dv) =
        (vec![zero; data.q.len()], vec![zero; data.k.len()], vec![zero; data.k.len()]);
    for b in 0..x.batch {
        for (h, tile) in (0..x.heads).flat_map(|h| (0..x.queries).step_by(48).map(move |tile| (h, tile))) {
            let kv = h / group;
            let (mut tile_dk, mut tile_dv) = (vec![zero; data.k.len()], vec![zero; data.k.len()]);
            for i in tile..x.queries.min(tile + 48) {
                let q = &data.q[q_at(b, i, h)..][..d];
                let score = |j: usize| dot(q, &data.k[k_at(b, j, kv)..][..d]) * scale;
                let seen = visible(x, b, i);
                if seen == 0 {
                    continue;
                }
                let (mut m, mut l, mut acc) = (T::Acc::NEG_INFINITY, zero, vec![zero; d]);
                for block in (0..seen).step_by(64) {
                    let s: Vec<_> = (block..seen.min(block + 64)).map(score).collect();
                    let peak = s.iter().fold(m, |m, &s| if s > m { s } else { m });
                    let mut p = [zero; 64];
                    s.iter().zip(&mut p).for_each(|(&s, p)| *p = (s - peak).exp());
                    let mut lanes: Vec<_> =
                        (0..16).map(|i| p[i] + p[i + 16] + p[i + 32] + p[i + 48]).collect();
                    for half in [8, 4, 2, 1] {
                        (0..half).for_each(|i| lanes[i] = lanes[i] + lanes[i + half]);
                    }
                    let c = (m - peak).exp();
                    l = l * c + lanes[0];
                    m = peak;
                    acc.iter_mut().for_each(|a| *a = *a * c);
                    let mut mixed = vec![zero; d];
                    for (j, &p) in p.iter().enumerate().take(s.len()) {
                        let v = &data.v[k_at(b, block + j, kv)..][..d];
                        mixed.iter_mut().zip(v).for_each(|(a, v)| *a = p.fma(v.widen(), *a));
                    }
                    acc.iter_mut().zip(mixed).for_each(|(a, mixed)| *a = *a + mixed);
                }
                let o = &mut r.o[q_at(b, i, h)..][..d];
                o.iter_mut().zip(&acc).for_each(|(o, &a)| *o = T::narrow(a / l + zero));
                let lse = m + l.ln();
                r.lse[(b * x.queries + i) * x.heads + h] = lse;

                let o = &r.o[q_at(b, i, h)..][..d];
                let d_o = &data.d_o[q_at(b, i, h)..][..d];
                let delta = dot(d_o, o) - data.d_lse[(b * x.queries + i) * x.heads + h];
                for block in (0..seen).step_by(64) {
                    let mut block_dq = vec![zero; d];
                    for j in block..seen.min(block + 64) {
                        let p = (score(j) - lse).exp();
                        let ds = p * (dot(d_o, &data.v[k_at(b, j, kv)..][..d]) - delta);
                        for (e, dq) in block_dq.iter_mut().enumerate() {
                            let (at, to) = (q_at(b, i, h) + e, k_at(b, j, kv) + e);
                            *dq = ds.fma(data.k[to].widen(), *dq);
                            tile_dk[to] = ds.fma(data.q[at].widen(), tile_dk[to]);
                            tile_dv[to] = p.fma(data.d_o[at].widen(), tile_dv[to]);
                        }
                    }
                    let dq = &mut dq[q_at(b, i, h)..][..d];
                    dq.iter_mut().zip(block_dq).for_each(|(dq, block)| *dq = *dq + block);
                }
            }
            dk.iter_mut().zip(tile_dk).for_each(|(dk, tile)| *dk = *dk + tile);
            dv.iter_mut().zip(tile_dv).for_each(|(dv, tile)| *dv = *dv + tile);
        }
    }
    let rounded = |x: Vec<T::Acc>, by: T::Acc| x.into_iter().map(|x| T::narrow(x * by + zero)).collect();
    r.dq = rounded(dq, scale);
    r.dk = rounded(dk, scale);
    r.dv = rounded(dv, T::Acc::from_f64(1.0));
    r
}

fn same<T: Bits>(what: &str, x: &[T], y: &[T]) {
    assert_eq!(x.len(), y.len());
    for (i, (x, y)) in x.iter().zip(y).enumerate() {
        assert_eq!(x.bits(), y.bits(), "{what}[{i}]: {x:?}, not {y:?}");
    }
}

fn full(
    batch: usize,
    queries: usize,
    keys: usize,
    heads: usize,
    kv_heads: usize,
    dim: usize,
) -> AttentionCall<'static> {
    AttentionCall {
        batch,
        queries,
        keys,
        heads,
        kv_heads,
        dim,
        causal: None,
        scale: 1.0 / (dim as f64).sqrt(),
    }
}

fn matches_contract<T: Number>() {
    let pools = [Pool::new(1), Pool::new(2), Pool::new(3)];
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
    for &isa in Isa::available() {
        for (n, (case, offset)) in cases.iter().enumerate() {
            for x in [*case, AttentionCall { causal: Some(offset), ..*case }] {
                let data = Operands::<T>::new(&x, n as u64);
                let expected = contract(&x, &data);
                for pool in &pools {
                    let got = kernels(isa, pool, &x, &data);
                    let what = |name: &str| format!("{name} of {x:?} on {isa:?}");
                    same(&what("o"), &got.o, &expected.o);
                    same(&what("lse"), &got.lse, &expected.lse);
                    same(&what("dq"), &got.dq, &expected.dq);
                    same(&what("dk"), &got.dk, &expected.dk);
                    same(&what("dv"), &got.dv, &expected.dv);
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

#[test]
fn equals_plain_softmax() {
    let x = AttentionCall { causal: Some(&[10]), ..full(1, 90, 100, 2, 2, 12) };
    let data = Operands::<f64>::new(&x, 3);
    let got = kernels(Isa::detect(), &Pool::new(2), &x, &data);
    for i in 0..x.queries {
        for h in 0..2 {
            let row = |from: &[f64], j: usize| from[(j * 2 + h) * 12..][..12].to_vec();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let q = row(&data.q, i);
            let p: Vec<f64> =
                (0..visible(&x, 0, i)).map(|j| (dot(&q, &row(&data.k, j)) * x.scale).exp()).collect();
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
    let offset = [3];
    let x = AttentionCall { causal: Some(&offset), ..full(1, 68, 71, 2, 1, 5) };
    let pool = Pool::new(2);
    let mut data = Operands::<f64>::new(&x, 5);
    let got = kernels(Isa::detect(), &pool, &x, &data);
    let value = |data: &Operands<f64>| -> f64 {
        let r = kernels(Isa::detect(), &pool, &x, data);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(&r.o, &data.d_o) + dot(&r.lse, &data.d_lse)
    };
    for which in 0..3 {
        for at in (which..x.keys * x.dim).step_by(29) {
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
    let whole = AttentionCall { causal: Some(&[0]), ..full(1, prompt, prompt, 2, 1, dim) };
    let data = Operands::<f32>::new(&whole, 8);
    let pool = Pool::new(2);
    let expected = kernels(Isa::detect(), &pool, &whole, &data);
    let row = 2 * dim;
    for chunk in [1, 7, 64] {
        // Beyond the valid keys the cache holds anything.
        let cache = |from: &[f32]| [from, &vec![f32::NAN; (capacity - prompt) * dim]].concat();
        let (k, v) = (cache(&data.k), cache(&data.v));
        for first in (0..prompt).step_by(chunk) {
            let count = chunk.min(prompt - first);
            let offset = [first as i32];
            let x = AttentionCall { causal: Some(&offset), ..full(1, count, capacity, 2, 1, dim) };
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
    let x = AttentionCall { causal: Some(&[0]), ..full(1, 20, 20, 1, 1, 4) };
    let clean = Operands::<f32>::new(&x, 1);
    let mut dirty = Operands::<f32>::new(&x, 1);
    dirty.v[15 * 4] = f32::INFINITY;
    dirty.k[15 * 4] = f32::NAN;
    let pool = Pool::new(1);
    let (clean, dirty) =
        (kernels(Isa::detect(), &pool, &x, &clean), kernels(Isa::detect(), &pool, &x, &dirty));
    same("o", &dirty.o[..15 * 4], &clean.o[..15 * 4]);
    same("lse", &dirty.lse[..15], &clean.lse[..15]);
    assert!(dirty.o[15 * 4..].iter().any(|x| x.is_nan()));
    assert!(clean.o[0].to_f64().is_finite());
}
