//! Every pair of attention's options, and its gradients: against the plain formula in `f64`, compiled and on the reference evaluator.

use std::sync::Arc;

use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Device, along, jit, lax, vjp, where_, with_default_device};
use jarrah_reference::ReferenceClient;

const B: usize = 2;
const T: usize = 5;
const S: usize = 70;
const N: usize = 4;
const K: usize = 2;
const H: usize = 6;
const E: usize = 3;

type Set = fn(&mut AttentionOptions);

fn ints(values: &[i32]) -> Array {
    Array::from_slice(values)
}

fn truths(shape: &[usize]) -> Array {
    let mask = Key::new(5).uniform(shape).gt(0.3);
    // The second query sees nothing.
    match shape.len() {
        4 => mask & lax::iota(DType::I32, shape, 2).ne(1),
        _ => mask,
    }
}

const OPTIONS: &[(&str, Set)] = &[
    ("bias", |x| x.bias = Some(Key::new(6).normal(&[B, N, T, S]))),
    ("one bias", |x| x.bias = Some(Key::new(6).normal(&[N, 1, S]))),
    ("bias of heads", |x| x.bias = Some(Key::new(6).normal(&[1, N, 1, 1]))),
    ("mask", |x| x.mask = Some(truths(&[B, 1, T, S]))),
    ("mask of heads", |x| x.mask = Some(truths(&[1, N, T, S]))),
    ("mask of keys", |x| x.mask = Some(truths(&[S]))),
    ("scale", |x| x.scale = Some(0.7)),
    ("causal", |x| x.causal = true),
    ("query lengths", |x| x.query_lengths = Some(ints(&[3, 0]))),
    ("key lengths", |x| x.key_lengths = Some(ints(&[66, 0]))),
    ("key lengths beyond", |x| x.key_lengths = Some(ints(&[-4, 1 << 30]))),
    ("window", |x| x.window = Some((2, 1))),
    ("window behind", |x| x.window = Some((0, usize::MAX))),
    ("offset", |x| x.offset = Some(ints(&[63, -3]))),
    ("far offset", |x| x.offset = Some(ints(&[i32::MAX, i32::MIN]))),
    ("segments", |x| {
        let of = |count: usize| {
            (lax::iota(DType::I32, &[B, count], 1) + lax::iota(DType::I32, &[B, count], 0) * 3)
                .floor_divide(2)
        };
        x.segments = Some((of(T), of(S)));
    }),
    ("softcap", |x| x.softcap = Some(0.8)),
    ("sinks", |x| x.sinks = Some(Key::new(7).normal(&[N]))),
    ("sinks of sequences", |x| x.sinks = Some(Key::new(7).normal(&[B, 1]))),
    ("multiplier", |x| {
        x.multiplier = Some(Key::new(8).uniform(&[1, N, T, S]).gt(0.3).astype(DType::F32) / 0.7)
    }),
    ("minus infinity", |x| x.hidden = Some(f64::NEG_INFINITY)),
    ("near", |x| x.hidden = Some(-1.5)),
];

/// What has gradients.
type Moves = (Array, Array, Array, Option<Array>, Option<Array>);

fn attend((q, k, v, bias, sinks): &Moves, x: &AttentionOptions) -> Array {
    dot_product_attention(
        q,
        k,
        v,
        &AttentionOptions { bias: bias.clone(), sinks: sinks.clone(), ..x.clone() },
    )
}

/// Which keys a query sees.
fn visible(x: &AttentionOptions) -> Array {
    let index = |axis| lax::iota(DType::I64, &[B, N, T, S], axis);
    let of = |x: &Array| x.astype(DType::I64).reshape(&[B, 1, 1, 1]);
    let offset = x.offset.as_ref().map_or(Array::zeros(&[B, 1, 1, 1]).astype(DType::I64), of);
    let distance = index(3) - index(2) - offset;
    let mut seen = Array::ones(&[B, N, T, S]).astype(DType::Bool);
    if x.causal {
        seen &= distance.le(0);
    }
    if let Some((before, after)) = x.window {
        seen &= distance.ge(-(before.min(1 << 40) as i64)) & distance.le(after.min(1 << 40) as i64);
    }
    if let Some(mask) = &x.mask {
        seen &= mask;
    }
    seen & of_text(x)
}

/// Which pairs lengths and segments leave.
fn of_text(x: &AttentionOptions) -> Array {
    let mut left = Array::ones(&[B, N, T, S]).astype(DType::Bool);
    if let Some(lengths) = &x.key_lengths {
        let lengths = lengths.astype(DType::I64).reshape(&[B, 1, 1, 1]);
        left &= lax::iota(DType::I64, &[B, N, T, S], 3).lt(lengths);
    }
    if let Some((q, k)) = &x.segments {
        left &= q.reshape(&[B, 1, T, 1]).eq(k.reshape(&[B, 1, 1, S]));
    }
    left
}

/// The documented formula.
fn plain((q, k, v, bias, sinks): &Moves, x: &AttentionOptions) -> Array {
    let heads = |x: &Array, width: usize| {
        let x = x.reshape(&[B, S, K, 1, width]).broadcast_to(&[B, S, K, N / K, width]);
        x.reshape(&[B, S, N, width]).moveaxis(1, 2)
    };
    let (q, k, v) = (q.moveaxis(1, 2), heads(k, H), heads(v, E));
    let mut s = q.matmul(&k.moveaxis(2, 3)) * x.scale.unwrap_or(1.0 / (H as f64).sqrt());
    if let Some(cap) = x.softcap {
        s = (s / cap).tanh() * cap;
    }
    if let Some(bias) = bias {
        s += bias;
    }
    let hidden = x.hidden.unwrap_or(f64::from(-0.7 * f32::MAX));
    s = where_(&visible(x), &s, hidden);
    let of_text = of_text(x);
    let none = !of_text.any(along(-1).keepdims());
    s = where_(&(of_text | none), &s, f64::NEG_INFINITY);
    let mut most = s.max(along(-1).keepdims());
    let sinks = sinks.as_ref().map(|x| x.reshape((-1, x.shape()[x.rank() - 1], 1, 1)));
    if let Some(sinks) = &sinks {
        most = most.maximum(sinks);
    }
    let most = where_(&most.eq(f64::NEG_INFINITY), 0.0, &most);
    let p = (s - &most).exp();
    let mut total = p.sum(along(-1).keepdims());
    if let Some(sinks) = &sinks {
        total += (sinks - &most).exp();
    }
    let mut p = p / where_(&total.eq(0.0), 1.0, &total);
    if let Some(multiplier) = &x.multiplier {
        p *= multiplier.astype(DType::F64);
    }
    let y = p.matmul(&v).moveaxis(1, 2);
    match &x.query_lengths {
        None => y,
        Some(lengths) => {
            let inside = lax::iota(DType::I32, &[B, T, 1, 1], 1).lt(lengths.reshape(&[B, 1, 1, 1]));
            where_(&inside, &y, 0.0)
        }
    }
}

fn both(f: impl Fn(&Moves) -> Array + Clone + 'static, args: &Moves, ct: &Array) -> Vec<Vec<f64>> {
    let ct = ct.clone();
    let (y, slopes) = jit(move |x: &Moves| {
        let (y, pull) = vjp(f.clone(), x);
        (y, pull(&ct))
    })
    .call(args.clone())
    .unwrap();
    let (q, k, v, bias, sinks) = slopes;
    [Some(y), Some(q), Some(k), Some(v), bias, sinks]
        .into_iter()
        .flatten()
        .map(|x| x.to_literal().unwrap().to_f64_vec())
        .collect()
}

/// Off by no more than `bound` of the largest number, or of 1.
#[track_caller]
fn near(what: &str, found: &[Vec<f64>], wanted: &[Vec<f64>], bound: f64) {
    assert_eq!(found.len(), wanted.len(), "{what}");
    for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        let size = wanted.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        for (f, w) in found.iter().zip(wanted) {
            assert!((f - w).abs() <= bound * size, "{what}: result {at} is {f}, not {w}");
        }
    }
}

struct Case {
    what: String,
    options: AttentionOptions,
    q: Array,
    k: Array,
    v: Array,
    ct: Array,
}

impl Case {
    /// With the numbers of `bf16`, which all types hold.
    fn args(&self, dtype: DType) -> Moves {
        let [q, k, v] = [&self.q, &self.k, &self.v].map(|x| x.astype(DType::BF16).astype(dtype));
        let scores = if dtype == DType::F64 { dtype } else { DType::F32 };
        let beside = |x: &Option<Array>| x.as_ref().map(|x| x.astype(scores));
        (q, k, v, beside(&self.options.bias), beside(&self.options.sinks))
    }

    /// The result and the gradients of attention.
    fn run(&self, args: &Moves) -> Vec<Vec<f64>> {
        let options = AttentionOptions { bias: None, sinks: None, ..self.options.clone() };
        both(move |x: &Moves| attend(x, &options), args, &self.ct.astype(DType::BF16).astype(args.0.dtype()))
    }

    fn is_near_the_formula(&self, reference: &Device) {
        let options = AttentionOptions { bias: None, sinks: None, ..self.options.clone() };
        let ct = self.ct.astype(DType::BF16).astype(DType::F64);
        let wanted = both(move |x: &Moves| plain(x, &options), &self.args(DType::F64), &ct);
        for (dtype, bound) in [(DType::F64, 1e-12), (DType::F32, 1e-5), (DType::BF16, 0.02)] {
            near(&format!("{} in {dtype}", self.what), &self.run(&self.args(dtype)), &wanted, bound);
        }
        let found = with_default_device(reference, || self.run(&self.args(DType::F32)));
        near(&format!("{}, evaluated", self.what), &found, &wanted, 1e-5);
    }

    /// Keys that nobody sees have the bits of zeros, whatever they are, unless a query that sees no key weighs all alike.
    fn hidden_keys_are_nothing(&self) {
        let visible = visible(&self.options);
        let blind = !visible.any(-1).all(..).item::<bool>().unwrap();
        match self.options.hidden {
            None if blind => return,
            Some(hidden) if hidden > -2.0 => return,
            _ => {}
        }
        let seen = visible.any([1isize, 2]).reshape(&[B, S, 1, 1]);
        for dtype in [DType::F32, DType::BF16] {
            let (q, k, v, bias, sinks) = self.args(dtype);
            let with = |number: f64| {
                let put = |x: &Array| where_(&seen, x, number);
                self.run(&(q.clone(), put(&k), put(&v), bias.clone(), sinks.clone()))
            };
            let zeros = with(0.0);
            for number in [f64::NAN, f64::INFINITY] {
                assert!(with(number) == zeros, "{}: {dtype}: {number} in hidden keys", self.what);
            }
        }
    }
}

#[test]
fn pairs_of_options_are_the_plain_formula() {
    let reference = Device::all(Arc::new(ReferenceClient::new())).swap_remove(0);
    for (i, (one, set)) in OPTIONS.iter().enumerate() {
        for (other, further) in &OPTIONS[i..] {
            let mut options = AttentionOptions::default();
            set(&mut options);
            further(&mut options);
            let normal = |seed: u64, shape: &[usize]| Key::new(seed).normal(shape);
            let case = Case {
                what: format!("{one}, {other}"),
                options,
                q: normal(1, &[B, T, N, H]),
                k: normal(2, &[B, S, K, H]),
                v: normal(3, &[B, S, K, E]),
                ct: normal(4, &[B, T, N, E]),
            };
            case.is_near_the_formula(&reference);
            case.hidden_keys_are_nothing();
        }
    }
}
