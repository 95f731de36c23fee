//! Extents of 0 in attention, caches, ragged products and lookups: results and gradients have the shapes they should have.

use std::sync::Arc;

use jarrah_array::nn::{AttentionOptions, dot_product_attention, dot_product_attention_with_residual};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Device, grad, jit, jvp, lax, vjp, vmap, with_default_device};
use jarrah_nn::{
    Context, KvCache, LatentAttention, LatentCache, LatentConfig, Module, MultiHeadAttention, Rope, State,
    Tokens,
};
use jarrah_reference::ReferenceClient;

fn floats(shape: &[usize], dtype: DType) -> Array {
    (Array::arange(shape.iter().product::<usize>() as f32) * 0.7f32).sin().reshape(shape).astype(dtype)
}

fn integers(shape: &[usize], value: i32) -> Array {
    Array::full(shape, value, DType::I32)
}

fn values(x: &Array) -> Vec<f64> {
    x.to_literal().unwrap().to_f64_vec()
}

/// Here, and on the reference evaluator.
fn on_both(f: impl Fn()) {
    f();
    with_default_device(&Device::all(Arc::new(ReferenceClient::new())).swap_remove(0), f);
}

/// B, T, S, N, K, H and E of `dot_product_attention`.
type Extents = [usize; 7];

fn options([b, t, s, n, ..]: Extents) -> Vec<AttentionOptions> {
    let base = AttentionOptions::default;
    let lengths = |of: i32| Some(integers(&[b], of));
    let mut all = vec![
        base(),
        AttentionOptions::causal(),
        AttentionOptions { key_lengths: lengths(1), query_lengths: lengths(1), ..base() },
        AttentionOptions { window: Some((1, 1)), offset: lengths(1), ..base() },
        AttentionOptions { softcap: Some(2.0), ..base() },
        AttentionOptions { key_lengths: lengths(0), hidden: Some(f64::NEG_INFINITY), ..base() },
        AttentionOptions { segments: Some((integers(&[b, t], 0), integers(&[b, s], 0))), ..base() },
    ];
    for (pairs, heads) in [([b, n, t, s], [b, n]), ([1, 1, 1, 1], [1, 1])] {
        all.push(AttentionOptions { bias: Some(Array::zeros(&pairs)), ..base() });
        all.push(AttentionOptions { mask: Some(Array::ones(&pairs).astype(DType::Bool)), ..base() });
        all.push(AttentionOptions { multiplier: Some(Array::ones(&pairs)), ..base() });
        all.push(AttentionOptions { sinks: Some(Array::ones(&heads)), ..base() });
    }
    all
}

/// What has gradients: queries, keys, values, the bias and the sinks.
type Moves = (Array, Array, Array, Option<Array>, Option<Array>);

fn attention([b, t, s, n, k, h, e]: Extents, options: &AttentionOptions, dtype: DType) {
    let f = |(q, k, v, bias, sinks): &Moves| {
        let options = AttentionOptions { bias: bias.clone(), sinks: sinks.clone(), ..options.clone() };
        dot_product_attention_with_residual(q, k, v, &options)
    };
    let both = |args: &Moves| {
        let ((y, lse), pull) = vjp(f, args);
        (pull(&(Array::ones_like(&y), Array::ones_like(&lse))), y, lse)
    };
    let floats = |shape: &[usize]| floats(shape, dtype);
    let (q, key, value) = (floats(&[b, t, n, h]), floats(&[b, s, k, h]), floats(&[b, s, k, e]));
    let args: Moves = (q, key, value, options.bias.clone(), options.sinks.clone());
    let list = |(slopes, y, lse): (Moves, Array, Array)| {
        let (q, k, v, bias, sinks) = slopes;
        [Some(q), Some(k), Some(v), bias, sinks, Some(y), Some(lse)]
    };
    let (found, compiled) = (list(both(&args)), list(jit(both).call(args.clone()).unwrap()));
    let (q, k, v, bias, sinks) = args;
    let (y, lse) = (Array::zeros(&[b, t, n, e]), Array::zeros(&[b, t, n]));
    let like = [Some(q), Some(k), Some(v), bias, sinks, Some(y), Some(lse)];
    for (at, ((found, compiled), like)) in found.iter().zip(&compiled).zip(&like).enumerate() {
        let (Some(found), Some(compiled), Some(like)) = (found, compiled, like) else {
            assert!(found.is_none() && like.is_none());
            continue;
        };
        assert_eq!(found.shape(), like.shape());
        assert_eq!(values(found), values(compiled));
        // The logarithm of no weights is minus infinity.
        assert!(at == 6 || values(found).iter().all(|x| x.is_finite()), "{at}: {found:?}");
        assert!(at != 5 || s > 0 || values(found).iter().all(|&x| x == 0.0), "{found:?}");
    }
}

#[test]
fn attention_without_elements() {
    let base: Extents = [2, 3, 5, 4, 2, 6, 3];
    let mut cases = vec![base, [2, 0, 0, 4, 2, 6, 3], [0, 0, 0, 0, 2, 0, 0]];
    for axis in [0, 1, 2, 3, 5, 6] {
        let mut case = base;
        case[axis] = 0;
        cases.push(case);
    }
    on_both(|| {
        for &case in &cases {
            for options in options(case) {
                for dtype in [DType::F32, DType::BF16] {
                    attention(case, &options, dtype);
                }
            }
        }
    });
}

/// Tangents, which are computed by the definition, and batches.
#[test]
fn tangents_and_batches_without_elements() {
    for [b, t, s, n, k, h, e] in
        [[2, 0, 5, 4, 2, 6, 3], [2, 3, 0, 4, 2, 6, 3], [2, 3, 5, 0, 2, 6, 3], [0, 3, 5, 4, 2, 0, 0]]
    {
        for options in [AttentionOptions::default(), AttentionOptions::causal()] {
            let f = |(q, k, v): &(Array, Array, Array)| dot_product_attention(q, k, v, &options);
            let args = |lead: &[usize]| {
                let floats = |shape: [usize; 4]| floats(&[lead, &shape].concat(), DType::F32);
                (floats([b, t, n, h]), floats([b, s, k, h]), floats([b, s, k, e]))
            };
            let (y, change) = jvp(f, &args(&[]), &args(&[]));
            assert_eq!((&y.shape()[..], change.shape()), (&[b, t, n, e][..], y.shape()));
            assert!(values(&change).iter().all(|&x| x == 0.0));
            for batch in [0, 2] {
                let y = vmap(f)(&args(&[batch]));
                assert_eq!(y.shape(), [batch, b, t, n, e]);
                let slopes = vmap(grad(|x: &(Array, Array, Array)| f(x).sum(..)))(&args(&[batch]));
                assert!(values(&slopes.1).iter().all(|&x| x == 0.0));
            }
        }
    }
    let x = floats(&[0, 2, 3, 2, 4], DType::F32);
    let y = vmap(|x: &Array| dot_product_attention(x, x, x, &AttentionOptions::causal()))(&x);
    assert_eq!(y.shape(), x.shape());
    let sum = |x: &Array| dot_product_attention(x, x, x, &AttentionOptions::causal()).sum(..);
    assert_eq!(vmap(grad(sum))(&x).shape(), x.shape());
}

#[test]
fn caches_without_elements() {
    let all = [
        [2, 3, 8, 2, 4],
        [2, 0, 8, 2, 4],
        [2, 3, 0, 2, 4],
        [2, 3, 8, 2, 0],
        [0, 3, 8, 2, 4],
        [0, 0, 0, 2, 4],
    ];
    for dtype in [DType::F32, DType::I8, DType::F8E4M3FN] {
        for [batch, tokens, length, groups, width] in all {
            for pages in [None, Some(2), Some(0)] {
                // A table that speaks of no page of any sequence has pages nonetheless.
                let runs = if pages.is_some() { batch.max(1) } else { batch };
                let x = floats(&[batch, tokens, groups, width], DType::F32);
                let q = floats(&[batch, tokens, groups * 2, width], DType::F32);
                let pages = pages.map(|count: usize| integers(&[batch, count], 0));
                let at = Tokens { pages, ..Tokens::next(&integers(&[batch], 0), &x) };
                let f = |(x, q, at): &(Array, Array, Tokens)| {
                    let cache = KvCache::new(runs, length, groups, width, dtype).write(x, x, at);
                    (cache.attend(q, at, &AttentionOptions::default()), cache)
                };
                let (y, cache) = f(&(x.clone(), q.clone(), at.clone()));
                assert_eq!(y.shape(), [batch, tokens, groups * 2, width]);
                assert_eq!(cache.k.values.shape(), [runs, length, groups, width]);
                assert!(values(&y).iter().all(|x| x.is_finite()));
                assert_eq!(values(&y), values(&jit(f).call((x, q, at)).unwrap().0));
            }
        }
    }
}

#[test]
fn layers_without_elements() {
    let config = LatentConfig {
        heads: 4,
        latent: 12,
        query_latent: Some(10),
        nope: 6,
        value: 5,
        rope: Rope::new(4, 10000.0),
        bias: false,
        scale: None,
    };
    let latent = LatentAttention::new(&Key::new(1), 16, &config);
    let plain = MultiHeadAttention::new(&Key::new(0), 16, 2).causal();
    for (batch, tokens, length) in [(2, 0, 8), (0, 3, 8), (2, 3, 0), (0, 0, 0)] {
        for dtype in [DType::F32, DType::I8] {
            let x = floats(&[batch, tokens, 16], DType::F32);
            let pass = |state: &State| {
                Context::eval().with_state(state).with(Tokens::next(&integers(&[batch], 0), &x))
            };
            let mut state = State::default();
            state.set("cache", LatentCache::new(batch, length, &config, dtype));
            assert_eq!(latent.call(&x, &mut pass(&state)).shape(), x.shape());
            state.set("cache", plain.cache(batch, length, dtype));
            assert_eq!(plain.call(&x, &mut pass(&state)).shape(), x.shape());
            let slope = grad(|layer: &LatentAttention| layer.call(&x, &mut Context::eval()).sum(..))(&latent);
            assert!(values(&slope.k_up.get()).iter().all(|&slope| batch * tokens > 0 || slope == 0.0));
            let slope =
                grad(|layer: &MultiHeadAttention| layer.call(&x, &mut Context::eval()).sum(..))(&plain);
            assert!(
                values(&slope.query.weight.get()).iter().all(|&slope| batch * tokens > 0 || slope == 0.0)
            );
        }
    }
}

#[test]
fn ragged_products_without_elements() {
    on_both(|| {
        for (m, k, n, groups) in [(0, 3, 4, 2), (5, 3, 4, 0), (5, 0, 4, 2), (5, 3, 0, 2), (0, 0, 0, 0)] {
            let args = (floats(&[m, k], DType::F32), floats(&[groups, k, n], DType::F32));
            let sizes = integers(&[groups], 2);
            let f = |(x, w): &(Array, Array)| lax::ragged_dot(x, w, &sizes);
            let y = f(&args);
            assert_eq!(y.shape(), [m, n]);
            assert!(values(&y).iter().all(|&x| x == 0.0));
            assert_eq!(values(&y), values(&jit(f).call(args.clone()).unwrap()));
            let slopes = grad(|args: &(Array, Array)| f(args).sum(..))(&args);
            assert_eq!((slopes.0.shape(), slopes.1.shape()), (args.0.shape(), args.1.shape()));
            assert!(values(&slopes.0).iter().chain(&values(&slopes.1)).all(|&x| x == 0.0));
            for batch in [0, 3] {
                let each = vmap(|x: &Array| f(&(x.clone(), args.1.clone())));
                assert_eq!(each(&floats(&[batch, m, k], DType::F32)).shape(), [batch, m, n]);
            }
        }
    });
}

#[test]
fn lookups_without_elements() {
    let cases: [(&[usize], &[usize], isize); 5] = [
        (&[0, 3], &[0, 2], 1),
        (&[0, 3], &[0, 3], 0),
        (&[2, 0], &[2, 0], 1),
        (&[2, 3], &[2, 0], 1),
        (&[2, 3], &[0, 3], 0),
    ];
    on_both(|| {
        for (shape, indices, axis) in cases {
            let (x, at) = (floats(shape, DType::F32), integers(indices, 0));
            let f = |x: &Array| x.take_along_axis(&at, axis);
            assert_eq!(f(&x).shape()[..], *indices);
            assert!(values(&jit(f).call(x.clone()).unwrap()).is_empty());
            let slope = grad(|x: &Array| f(x).sum(..))(&x);
            assert_eq!(slope.shape()[..], *shape);
            assert!(values(&slope).iter().all(|&x| x == 0.0));
        }
    });
}
