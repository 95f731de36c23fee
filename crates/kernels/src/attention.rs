//! Attention block by block: the scores of a block of queries and a block of keys live in one point of the grid only.
//!
//! A point keeps, for each query, the largest score `m` so far, the sum `l` of `e^(s - m)` and the sum of `e^(s - m) v`; a block
//! with a larger score scales both sums down.

use jarrah_array::kernel::{Block, BlockDim, for_each, kernel, num_programs, program_id, when};
use jarrah_array::{Array, DType, Ref, along, custom_vjp, lax, where_};

use crate::backward;
use crate::mask::{Extents, KEYS, Mask};
use crate::shape::{extents, require};

/// A score that takes no part; not infinite, so that the difference of two of them is a number.
pub(crate) const LOWEST: f64 = -1e30;

/// Takes one more block of scores, of which `seen` count, and of values into what a point keeps of its queries.
#[track_caller]
pub(crate) fn fold(scores: &Array, seen: &Array, v: &Array, top: &Ref, sum: &Ref, acc: &Ref) {
    let scores = where_(seen, scores, LOWEST);
    let old = top.get();
    let new = old.maximum(scores.max(along(1).keepdims()));
    let scale = (old - &new).exp();
    let weights = where_(seen, (scores - &new).exp(), 0.0);
    sum.update(|l| l * &scale + weights.sum(along(1).keepdims()));
    acc.update(|acc| acc * &scale + weights.matmul(v));
    top.set(new);
}

/// The result of attention, and `m + log l` of each query, `[heads, queries]`.
#[track_caller]
pub(crate) fn forward(op: &str, q: &Array, k: &Array, v: &Array, mask: Mask) -> (Array, Array) {
    let e = Extents::of(op, q, k, v);
    let scale = 1.0 / (e.width as f64).sqrt();
    let [rows, columns] = e.blocks();
    let one = BlockDim::Squeezed;
    let keys = || Block::new((one, e.bk, e.width), |[h, _, j]| [e.shared(h), j, Array::scalar(0i32)]);
    let results = kernel(|[q, k, v, o, logs, top, sum, acc]| {
        let (i, j) = (program_id(1), program_id(2));
        when(j.eq(0), || {
            top.at(..).set(LOWEST);
            sum.set(0);
            acc.set(0);
        });
        when(e.meets(mask, &i, &j), || {
            let scores = (q.get() * scale).matmul(&k.get().t());
            fold(&scores, &e.seen(mask, &i, &j), &v.get(), &top, &sum, &acc);
        });
        when(j.eq(num_programs(2) as i64 - 1), || {
            let l = sum.get();
            let safe = where_(&l.gt(0.0), &l, 1.0);
            o.set(acc.get() / &safe);
            logs.set((top.get() + safe.log()).squeeze(1));
        });
    })
    .name(op)
    .grid(&[e.heads, rows, columns])
    .arbitrary(&[2])
    .input(Block::new((one, e.bq, e.width), |[h, i, _]| (h, i, 0)))
    .input(keys())
    .input(keys())
    .output(q.ty(), Block::new((one, e.bq, e.width), |[h, i, _]| (h, i, 0)))
    .output(q.ty().with_dims([e.heads, e.queries]), Block::new((one, e.bq), |[h, i, _]| (h, i)))
    .scratch(q.ty().with_dims([e.bq, 1]))
    .scratch(q.ty().with_dims([e.bq, 1]))
    .scratch(q.ty().with_dims([e.bq, e.width]))
    .call(&[q, k, v]);
    (results[0].clone(), results[1].clone())
}

#[track_caller]
fn attend(op: &'static str, q: &Array, k: &Array, v: &Array, mask: Mask) -> Array {
    let e = Extents::of(op, q, k, v);
    let value = move |(q, k, v): &(Array, Array, Array)| forward(op, q, k, v, mask).0;
    let ahead = move |(q, k, v): &(Array, Array, Array)| {
        let (o, logs) = forward(op, q, k, v, mask);
        (o.clone(), ((q.clone(), k.clone(), v.clone()), (o, logs)))
    };
    type Kept = ((Array, Array, Array), (Array, Array));
    let back =
        move |((q, k, v), (o, logs)): &Kept, ct: &Array| backward::backward(e, [q, k, v, o, logs, ct], mask);
    custom_vjp(value, ahead, back)(&(q.clone(), k.clone(), v.clone()))
}

/// `softmax(q k' / sqrt(d)) v` of each head: queries `[heads, queries, d]`, keys and values `[heads, keys, d]`, or, where several heads
/// of queries share theirs, `[groups, keys, d]`. With `causal` a query sees the keys up to its own position, and blocks of later keys
/// are left out.
///
/// Its backward pass is a kernel too: blocks are computed again from `q`, `k` and the log of the sums.
///
/// ```
/// use jarrah_array::Array;
/// let (q, v) = (Array::zeros(&[1, 2, 4]), Array::ones(&[1, 2, 4]));
/// assert_eq!(jarrah_kernels::flash_attention(&q, &q, &v, true).to_vec::<f32>()?, [1.0; 8]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dao, FlashAttention-2 (2023); Ainslie and others, grouped queries, GQA (2023).
#[track_caller]
pub fn flash_attention(q: &Array, k: &Array, v: &Array, causal: bool) -> Array {
    attend("flash_attention", q, k, v, Mask { causal, window: None })
}

/// As causal [`flash_attention`], where a query sees the last `window` keys only, its own among them. Blocks that no query sees are
/// left out, on both sides.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let (q, v) = (Array::zeros(&[1, 3, 1]), Array::arange(3).astype(jarrah_array::DType::F32).reshape(&[1, 3, 1]));
/// assert_eq!(jarrah_kernels::sliding_window_attention(&q, &q, &v, 2).to_vec::<f32>()?, [0.0, 0.5, 1.5]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Beltagy, Peters and Cohan, Longformer (2020).
#[track_caller]
pub fn sliding_window_attention(q: &Array, k: &Array, v: &Array, window: usize) -> Array {
    require("sliding_window_attention", window > 0, || "a window of no keys".to_owned());
    attend("sliding_window_attention", q, k, v, Mask { causal: true, window: Some(window) })
}

/// Attention of one query to each sequence's first `lengths[b]` keys: queries `[batch, heads, d]`, keys and values
/// `[batch, heads, capacity, d]`, lengths `[batch]`. Blocks behind the end are not looked at.
///
/// ```
/// use jarrah_array::{Array, DType};
/// let (q, v) = (Array::zeros(&[1, 1, 1]), Array::arange(4).astype(jarrah_array::DType::F32).reshape(&[1, 1, 4, 1]));
/// let o = jarrah_kernels::decode_attention(&q, &v, &v, &Array::from_slice(&[3i32]));
/// assert_eq!(o.to_vec::<f32>()?, [1.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dao, Haziza, Massa and Sizov, Flash-decoding (2023).
#[track_caller]
pub fn decode_attention(q: &Array, k: &Array, v: &Array, lengths: &Array) -> Array {
    let op = "decode_attention";
    let ([batch, heads, d], [again, heads_too, capacity, depth]) = (extents(op, "q", q), extents(op, "k", k));
    require(
        op,
        k.ty() == v.ty() && (batch, heads, d) == (again, heads_too, depth) && lengths.shape() == [batch],
        || {
            format!(
                "q {}, k {}, v {} and lengths {} do not fit each other",
                q.ty(),
                k.ty(),
                v.ty(),
                lengths.ty()
            )
        },
    );
    let (bk, one, scale) = (capacity.clamp(1, KEYS), BlockDim::Squeezed, 1.0 / (d as f64).sqrt());
    kernel(|[lengths, q, k, v, o]| {
        let length = lengths.at(program_id(0)).get();
        let query = (q.get() * scale).expand_dims(0);
        let [top, sum, acc] =
            [[1, 1], [1, 1], [1, d]].map(|shape| Ref::new(&Array::zeros_of(q.ty().with_dims(shape))));
        top.at(..).set(LOWEST);
        for_each(0, (&length + (bk as i64 - 1)).floor_divide(bk), |j| {
            let window = (jarrah_array::kernel::ds(j * bk, bk), ..);
            let all = Array::full(&[1, 1], true, DType::Bool);
            let (k, v) = (k.at(window.clone()).mask(&all).get(), v.at(window).mask(&all).get());
            let key = lax::iota(DType::I32, &[1, bk], 1) + j * bk;
            fold(&query.matmul(&k.t()), &key.lt(&length), &v, &top, &sum, &acc);
        });
        // Without keys, zeros.
        let sum = sum.get();
        o.set((acc.get() / where_(&sum.gt(0.0), &sum, 1.0)).squeeze(0));
    })
    .name(op)
    .grid(&[batch, heads])
    .prefetch(1)
    .input(Block::new((one, one, d), |[b, h]| (b, h, 0)))
    .input(Block::new((one, one, capacity, d), |[b, h]| (b, h, 0, 0)))
    .input(Block::new((one, one, capacity, d), |[b, h]| (b, h, 0, 0)))
    .output(q.ty(), Block::new((one, one, d), |[b, h]| (b, h, 0)))
    .call_one(&[&lengths.astype(DType::I64).clip(0, capacity).astype(DType::I32), q, k, v])
}

/// Pairs of elements `(x[j], x[j + d / 2])` of `x`, `[heads, places, d]`, turned by the angle `place base^(-2 j / d)`.
///
/// ```
/// use jarrah_array::Array;
/// let y = jarrah_kernels::rotary_embedding(&Array::ones(&[1, 2, 2]), 10000.0);
/// assert_eq!(y.index((0, 0)).to_vec::<f32>()?, [1.0, 1.0]);
/// assert!((y.index((0, 1, 0)).item::<f32>()? - (1f32.cos() - 1f32.sin())).abs() < 1e-6);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Su and others, RoFormer (2021).
#[track_caller]
pub fn rotary_embedding(x: &Array, base: f64) -> Array {
    let [heads, places, d] = extents("rotary_embedding", "the array", x);
    require("rotary_embedding", d % 2 == 0, || format!("{d} elements are no pairs"));
    let (block, half) = (places.clamp(1, 128), (d / 2) as i64);
    let tile = || Block::new((BlockDim::Squeezed, block, d), |[h, i]| (h, i, 0));
    kernel(|[x, y]| {
        let (x, shape) = (x.get(), [block, d / 2]);
        let place = (lax::iota(DType::I32, &shape, 0) + program_id(1) * block).astype(x.dtype());
        let pair = lax::iota(DType::I32, &shape, 1).astype(x.dtype());
        let angle = place * (pair * (-2.0 / d as f64 * base.ln())).exp();
        let (cos, sin) = (angle.cos(), angle.sin());
        let (a, b) = (x.index((.., ..half)), x.index((.., half..)));
        y.at((.., ..half)).set(&a * &cos - &b * &sin);
        y.at((.., half..)).set(b * cos + a * sin);
    })
    .name("rotary_embedding")
    .grid(&[heads, places.div_ceil(block)])
    .input(tile())
    .output(x.ty(), tile())
    .call_one(&[x])
}
