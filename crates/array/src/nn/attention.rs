use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{Axes, DotGeneral};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::trace::apply_one;

/// What [`dot_product_attention_with`] does besides the plain formula.
#[derive(Clone, Debug, Default)]
pub struct AttentionOptions {
    /// Added to the scaled scores; broadcasts to `[B, N, T, S]`.
    pub bias: Option<Array>,
    /// Truth values that broadcast to `[B, N, T, S]`: query `t` sees key `s` where they hold.
    pub mask: Option<Array>,
    /// What scores are multiplied by; `1 / sqrt(H)` if absent.
    pub scale: Option<f64>,
    /// Whether query `t` sees no key after `t`.
    pub causal: bool,
    /// The number of queries of each batch, integers of shape `[B]`; results of later queries are 0.
    pub query_lengths: Option<Array>,
    /// The number of keys of each batch, integers of shape `[B]`; later keys are not seen.
    pub key_lengths: Option<Array>,
    /// `(before, after)`: query `t` sees keys from `t - before` to `t + after`.
    pub window: Option<(usize, usize)>,
}

/// Scaled dot-product attention, `softmax(q k^T / sqrt(H)) v` for each head.
///
/// `query` is `[B, T, N, H]`, `key` and `value` are `[B, S, K, H]`, where `K` divides `N`: each group of `N / K` heads shares
/// a key and a value. All three may lack `B`. Scores are computed and normalised in `f32`, or `f64` for `f64` arguments.
///
/// ```
/// use jarrah_array::{Array, nn};
/// let q = Array::zeros(&[2, 5, 4, 8]);
/// let kv = Array::ones(&[2, 7, 2, 8]);
/// let y = nn::dot_product_attention(&q, &kv, &kv);
/// assert_eq!(y.shape(), [2, 5, 4, 8]);
/// ```
///
/// Source: Vaswani et al., Attention is all you need (2017); Ainslie et al., GQA (2023).
#[track_caller]
pub fn dot_product_attention(query: &Array, key: &Array, value: &Array) -> Array {
    dot_product_attention_with(query, key, value, &AttentionOptions::default())
}

/// As [`dot_product_attention`], with options. Where no key is visible to a query, it sees all keys alike.
///
/// ```
/// use jarrah_array::{Array, nn::{self, AttentionOptions}};
/// let x = Array::new(&[1.0f32, 3.0, 5.0], &[1, 3, 1, 1]);
/// let options = AttentionOptions { causal: true, scale: Some(0.0), ..Default::default() };
/// let y = nn::dot_product_attention_with(&x, &x, &x, &options);
/// assert_eq!(y.to_vec::<f32>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dot_product_attention_with(
    query: &Array,
    key: &Array,
    value: &Array,
    options: &AttentionOptions,
) -> Array {
    if query.rank() == 3 && key.rank() == 3 && value.rank() == 3 {
        let (q, k, v) = (query.expand_dims(0), key.expand_dims(0), value.expand_dims(0));
        return dot_product_attention_with(&q, &k, &v, options).squeeze(0);
    }
    let (q, k) = (query.shape(), key.shape());
    let fits = q.len() == 4
        && k.len() == 4
        && key.ty() == value.ty()
        && (q[0], q[3]) == (k[0], k[3])
        && k[2] > 0
        && q[2].is_multiple_of(k[2])
        && query.dtype() == key.dtype()
        && query.dtype().is_float();
    if !fits {
        let (query, key, value) = (query.ty(), key.ty(), value.ty());
        let error = format!("queries {query}, keys {key} and values {value} do not fit together");
        let help = "queries are [B, T, N, H], keys and values [B, S, K, H] of the same floats; K divides N";
        fail(with_context(Error::program(error).op("attention").at(Location::caller()).help(help)));
    }
    let scale = options.scale.unwrap_or(1.0 / (q[3] as f64).sqrt());
    let plain = options.bias.is_none() && options.mask.is_none() && options.window.is_none();
    if plain && options.query_lengths.is_none() && options.key_lengths.is_none() {
        let offset = Array::full(&[q[0]], 0, DType::I32);
        let mask = if options.causal { lax::AttentionMask::Causal } else { lax::AttentionMask::None };
        return lax::attention(query, key, value, &offset, scale, mask);
    }
    let (batch, queries, heads, keys, groups) = (q[0], q[1], q[2], k[1], k[2]);
    let grouped = query.reshape(&[batch, queries, groups, heads / groups, q[3]][..]);
    let wide = if query.dtype() == DType::F64 { DType::F64 } else { DType::F32 };
    // [B, K, T, N/K, S], whose first two axes are the batch.
    let scores = product(&grouped, key, (4, 3), ([0, 2], [0, 2]), wide) * scale;
    let scores = lax::transpose(&scores, &[0, 1, 3, 2, 4]).reshape(&[batch, heads, queries, keys][..]);
    let scores = match &options.bias {
        Some(bias) => (&scores + bias).astype(wide),
        None => scores,
    };
    let scores = match visible(&scores, options) {
        Some(visible) => where_(&visible, &scores, -0.7 * f64::from(f32::MAX)),
        None => scores,
    };
    let shares = scores.softmax(-1).astype(key.dtype());
    let shares = shares.reshape(&[batch, groups, heads / groups, queries, keys][..]);
    // [B, K, N/K, T, H].
    let mixed = product(&shares, value, (4, 1), ([0, 1], [0, 2]), key.dtype());
    let mixed = lax::transpose(&mixed, &[0, 3, 1, 2, 4]).reshape(&q);
    match &options.query_lengths {
        Some(lengths) => {
            let inside = within(lengths, &[batch, queries], 1);
            where_(&inside.reshape(&[batch, queries, 1, 1][..]), &mixed, 0)
        }
        None => mixed,
    }
}

/// Whether the position along `axis` of `shape` is below the length of its batch, the first axis.
#[track_caller]
fn within(lengths: &Array, shape: &[usize], axis: usize) -> Array {
    let lengths = lax::broadcast_in_dim(&lengths.astype(DType::I32), shape, &[0]);
    lax::iota(DType::I32, shape, axis).lt(lengths)
}

/// Which keys the queries see, if not all: truth values that broadcast to the shape of the scores `[B, N, T, S]`.
#[track_caller]
fn visible(scores: &Array, options: &AttentionOptions) -> Option<Array> {
    let shape = scores.shape();
    let (query, key) = (lax::iota(DType::I32, &shape[2..], 0), lax::iota(DType::I32, &shape[2..], 1));
    let (per_batch, flat) = ([shape[0], shape[2], shape[3]], [shape[0], 1, shape[2], shape[3]]);
    let mut all: Option<Array> = options.mask.clone();
    let mut also = |condition: Array| {
        all = Some(match all.take() {
            Some(all) => all & condition,
            None => condition,
        });
    };
    if options.causal {
        also(key.le(&query));
    }
    if let Some((before, after)) = options.window {
        let distance = &key - &query;
        also(distance.ge(-(before as i64)) & distance.le(after));
    }
    if let Some(lengths) = &options.query_lengths {
        also(within(lengths, &per_batch, 1).reshape(&flat[..]));
    }
    if let Some(lengths) = &options.key_lengths {
        also(within(lengths, &per_batch, 2).reshape(&flat[..]));
    }
    all
}

/// A contraction of one axis each with two batch axes each, in dtype `out`.
#[track_caller]
fn product(
    lhs: &Array,
    rhs: &Array,
    contract: (usize, usize),
    batch: ([usize; 2], [usize; 2]),
    out: DType,
) -> Array {
    let dot = DotGeneral {
        lhs_batch: Axes::from_slice(&batch.0),
        rhs_batch: Axes::from_slice(&batch.1),
        lhs_contract: Axes::from_slice(&[contract.0]),
        rhs_contract: Axes::from_slice(&[contract.1]),
        out,
    };
    apply_one(dot, &[lhs, rhs])
}

/// The product of matrices whose rows are scaled block by block: `lhs [B, M, K]` times the transpose of `rhs [B, N, K]`,
/// each multiplied first by its scales `[B, .., K / block]`, in `f32`, as `out`.
///
/// ```
/// use jarrah_array::{Array, DType, nn};
/// let (a, b) = (Array::new(&[1.0f32, 2.0, 3.0], &[1, 1, 3]), Array::new(&[4.0f32, 5.0, 6.0], &[1, 1, 3]));
/// let half = Array::full(&[1, 1, 1], 0.5, DType::F32);
/// assert_eq!(nn::scaled_matmul(&a, &b, &half, &half, DType::F32).item::<f32>()?, 8.0);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Open Compute Project, Microscaling formats specification (2023).
#[track_caller]
pub fn scaled_matmul(lhs: &Array, rhs: &Array, lhs_scales: &Array, rhs_scales: &Array, out: DType) -> Array {
    let a = scaled(lhs, lhs_scales);
    let b = scaled(rhs, rhs_scales);
    let (x, y) = (a.shape(), b.shape());
    if (x[0], x[2]) != (y[0], y[2]) {
        let error = format!("batches and last axes must agree: lhs {}, rhs {}", lhs.ty(), rhs.ty());
        fail(with_context(Error::program(error).op("scaled_matmul").at(Location::caller())));
    }
    lax::dot_general(&a, &b, (&[2], &[2]), (&[0], &[0])).astype(out)
}

/// `x` in `f32`, each block of its last axis times its scale.
#[track_caller]
fn scaled(x: &Array, scales: &Array) -> Array {
    let (shape, blocks) = (x.shape(), scales.shape());
    let fits = shape.len() == 3
        && blocks.len() == 3
        && shape[..2] == blocks[..2]
        && blocks[2] > 0
        && shape[2].is_multiple_of(blocks[2]);
    if !fits {
        let error = format!("{} cannot be scaled by {}", x.ty(), scales.ty());
        let help = "operands are [B, M, K], scales [B, M, K / block]";
        fail(with_context(Error::program(error).op("scaled_matmul").at(Location::caller()).help(help)));
    }
    let blocked = x.astype(DType::F32).reshape(&[shape[0], shape[1], blocks[2], shape[2] / blocks[2]][..]);
    (blocked * scales.astype(DType::F32).expand_dims(-1)).reshape(&shape)
}
