use jarrah_base::{DType, Error, Location};
use jarrah_hlo::ops::{Attention, AttentionInputs};

use crate::array::Array;
use crate::elementwise::where_;
use crate::error::{fail, with_context};
use crate::lax;
use crate::shape::Shape;
use crate::trace::{acting, apply};

/// The options of [`dot_product_attention`] beyond the plain formula: `AttentionOptions::default()` sets none of them. Any
/// options may be combined.
///
/// The first seven are the arguments of `jax.nn.dot_product_attention`. What is said to broadcast may lack leading axes.
#[derive(Clone, Debug, Default)]
pub struct AttentionOptions {
    /// Floats added to the scaled scores; they broadcast to `[B, N, T, S]`.
    pub bias: Option<Array>,
    /// Truth values that broadcast to `[B, N, T, S]`: query `t` sees key `s` where they hold.
    pub mask: Option<Array>,
    /// The factor on the scores; `1 / sqrt(H)` if absent.
    pub scale: Option<f64>,
    /// Whether query `t` sees no key after its position.
    pub causal: bool,
    /// The number of queries of each sequence, integers `[B]`; results of later queries are 0.
    pub query_lengths: Option<Array>,
    /// The number of keys of each sequence, integers `[B]`; later keys are not seen.
    pub key_lengths: Option<Array>,
    /// `(before, after)`: a query at position `p` sees keys from `p - before` to `p + after`. A number above `u32::MAX` is no bound.
    pub window: Option<(usize, usize)>,
    /// The position of the first query of each sequence among its keys, integers `[B]`; 0 if absent. `causal` and `window` count
    /// from there.
    pub offset: Option<Array>,
    /// The segments of queries, integers `[B, T]`, and of keys, `[B, S]`: a query sees the keys of its own segment.
    pub segments: Option<(Array, Array)>,
    /// The bound `c` of scores, which become `c tanh(s / c)` before the bias is added.
    pub softcap: Option<f64>,
    /// Floats that broadcast to `[B, N]`: one more score for each head, which only makes the weights of the keys smaller.
    pub sinks: Option<Array>,
    /// Floats that broadcast to `[B, N, T, S]`, the factors on the weights after the softmax: dropout of ones is dropout of the weights.
    /// It is a constant in derivatives.
    pub multiplier: Option<Array>,
    /// The score of a pair that `mask`, `causal` or `window` hide, finite or minus infinity; JAX's `-0.7 f32::MAX` if absent. A query that
    /// sees no key weighs all keys of its text alike where it is finite, and all keys if lengths and `segments` leave it none; its result is
    /// 0 where it is minus infinity.
    pub hidden: Option<f64>,
    /// For keys and values that are `i8` or floats of 8 bits: their scales, two arrays `f32[B, S, K]`, in pages
    /// `f32[P, page, K]`. Without derivatives.
    pub scales: Option<(Array, Array)>,
    /// The pages of each sequence, `i32[B, M]`: keys and values are `[P, page, K, ..]`, and key `s` of sequence `b` lies on page
    /// `pages[b, s / page]` at `s % page`, so that `S = M page`. Numbers of pages that there are not are clamped: hide their keys. Without
    /// derivatives.
    pub pages: Option<Array>,
}

impl AttentionOptions {
    /// Attention in which no query sees a later key.
    pub fn causal() -> Self {
        AttentionOptions { causal: true, ..AttentionOptions::default() }
    }

    /// Whether a query may see no key at all.
    fn may_be_blind(&self) -> bool {
        let by_number = self.key_lengths.is_some() || self.offset.is_some() || self.window.is_some();
        by_number || self.mask.is_some() || self.segments.is_some() || self.pages.is_some()
    }
}

/// Scaled dot-product attention, `softmax(q k^T / sqrt(H)) v` for each head, with any of the [options](AttentionOptions).
///
/// ```text
/// s = scale q k^T;   s = softcap tanh(s / softcap);   s = s + bias;   s = hidden where a pair is hidden
/// p = exp(s) / (sum over keys of exp(s) + exp(sink));   result = (p multiplier) v
/// ```
///
/// * `query`: floats `[B, T, N, H]`
/// * `key`: `[B, S, K, H]`, `value`: `[B, S, K, E]`, of the same floats; each group of `N / K` heads shares a key and a value
///
/// All three may lack `B`. Returns `[B, T, N, E]` in the dtype of `query`. Scores and sums are `f32`, or `f64` for `f64` queries; no array of
/// `T x S` elements is made. Programs that do not fit are errors at the caller's line.
///
/// ```
/// use jarrah_array::{Array, nn::{self, AttentionOptions}};
/// let q = Array::zeros(&[2, 5, 4, 8]);
/// let kv = Array::ones(&[2, 7, 2, 8]);
/// let y = nn::dot_product_attention(&q, &kv, &kv, &AttentionOptions::default());
/// assert_eq!(y.shape(), [2, 5, 4, 8]);
///
/// // With scores that are all alike, a query has the mean of the values that it sees.
/// let x = Array::new(&[1.0f32, 3.0, 5.0], &[1, 3, 1, 1]);
/// let options = AttentionOptions { scale: Some(0.0), ..AttentionOptions::causal() };
/// assert_eq!(nn::dot_product_attention(&x, &x, &x, &options).to_vec::<f32>()?, [1.0, 2.0, 3.0]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Vaswani et al., Attention is all you need (2017); Ainslie et al., GQA (2023).
#[track_caller]
pub fn dot_product_attention(query: &Array, key: &Array, value: &Array, options: &AttentionOptions) -> Array {
    dot_product_attention_with_residual(query, key, value, options).0
}

/// As [`dot_product_attention`], and the logarithm of the softmax's denominator, `[B, T, N]` in the dtype of scores.
///
/// Attention over two sets of keys is made of that over each: weigh the results by `exp(residual)`. Unlike JAX's, the residual has a
/// derivative.
///
/// ```
/// use jarrah_array::{Array, nn::{self, AttentionOptions}};
/// let (q, kv) = (Array::zeros(&[1, 1, 1, 1]), Array::ones(&[1, 4, 1, 1]));
/// let (_, lse) = nn::dot_product_attention_with_residual(&q, &kv, &kv, &AttentionOptions::default());
/// assert_eq!(lse.to_vec::<f32>()?, [4f32.ln()]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
#[track_caller]
pub fn dot_product_attention_with_residual(
    query: &Array,
    key: &Array,
    value: &Array,
    options: &AttentionOptions,
) -> (Array, Array) {
    if query.rank() == 3 && key.rank() == 3 && value.rank() == 3 && options.pages.is_none() {
        let (q, k, v) = (query.expand_dims(0), key.expand_dims(0), value.expand_dims(0));
        let (y, lse) = dot_product_attention_with_residual(&q, &k, &v, options);
        return (y.squeeze(0), lse.squeeze(0));
    }
    // The closures below do not know the caller.
    let _line = acting(Location::caller());
    let shape = check(query, key, value, options);
    check_integers(options, shape[0]);
    let mut op = Attention::full(options.scale.unwrap_or(1.0 / (shape[3].max(1) as f64).sqrt()));
    op.softcap_bits = options.softcap.map(f64::to_bits);
    let (before, after) = options.window.unwrap_or((usize::MAX, usize::MAX));
    op.before = u32::try_from(before).ok();
    op.after = if options.causal { Some(0) } else { u32::try_from(after).ok() };
    let hidden = options.hidden.unwrap_or(JAX_HIDDEN);
    if options.hidden.is_some() || options.may_be_blind() {
        op.hidden_bits = hidden.to_bits();
    }
    op.apart = hidden.is_finite() && (options.key_lengths.is_some() || options.segments.is_some());
    let integers = |x: &Array| x.astype(DType::I32);
    let spread = |x: &Array, rank: usize| (x.rank()..rank).fold(x.clone(), |x, _| x.expand_dims(0));
    let offset = match &options.offset {
        Some(offset) => integers(offset),
        None => Array::full(&shape[..1], 0, DType::I32),
    };
    let mut operands = vec![query.clone(), key.clone(), value.clone(), offset];
    // The order of `AttentionOperand`.
    op.inputs = AttentionInputs {
        lengths: optional(&mut operands, options.key_lengths.iter().map(integers)),
        segments: optional(
            &mut operands,
            options.segments.iter().flat_map(|(q, k)| [integers(q), integers(k)]),
        ),
        mask: optional(&mut operands, options.mask.iter().map(|x| spread(x, 4))),
        bias: optional(&mut operands, options.bias.iter().map(|x| spread(x, 4))),
        sinks: optional(&mut operands, options.sinks.iter().map(|x| spread(x, 2))),
        multiplier: optional(&mut operands, options.multiplier.iter().map(|x| spread(x, 4))),
        scales: optional(&mut operands, options.scales.iter().flat_map(|(k, v)| [k.clone(), v.clone()])),
        pages: optional(&mut operands, options.pages.iter().map(integers)),
    };
    let mut results = apply(op, &operands.iter().collect::<Vec<_>>()).into_iter();
    let (Some(y), Some(lse)) = (results.next(), results.next()) else {
        fail(Error::internal("attention has two results").at(Location::caller()))
    };
    match &options.query_lengths {
        None => (y, lse),
        Some(lengths) => {
            let lengths = lax::broadcast_in_dim(&integers(lengths), &shape[..2], &[0]);
            let inside = lax::iota(DType::I32, &shape[..2], 1).lt(lengths).expand_dims(-1);
            (where_(&inside.expand_dims(-1), &y, 0), where_(&inside, &lse, hidden))
        }
    }
}

/// The score of a hidden pair in JAX.
const JAX_HIDDEN: f64 = -0.7 * f32::MAX as f64;

/// Puts the operands that there are behind the others, and says whether there are any.
fn optional(operands: &mut Vec<Array>, given: impl Iterator<Item = Array>) -> bool {
    let before = operands.len();
    operands.extend(given);
    operands.len() > before
}

/// The shape of the queries, if queries, keys and values fit together.
#[track_caller]
fn check(query: &Array, key: &Array, value: &Array, options: &AttentionOptions) -> Shape {
    let (q, k, v) = (query.shape(), key.shape(), value.shape());
    let scaled = options.scales.is_some();
    let fits = q.len() == 4
        && k.len() == 4
        && v.len() == 4
        && k[..3] == v[..3]
        && q[3] == k[3]
        && (options.pages.is_some() || q[0] == k[0])
        && k[2] > 0
        && q[2].is_multiple_of(k[2])
        && key.dtype() == value.dtype()
        && (scaled || query.dtype() == key.dtype())
        && query.dtype().is_float();
    if fits {
        return q;
    }
    let (query, key, value) = (query.ty(), key.ty(), value.ty());
    let error = format!("queries {query}, keys {key} and values {value} do not fit together");
    let help =
        "queries are [B, T, N, H], keys [B, S, K, H] and values [B, S, K, E] of the same floats; K divides N";
    fail(with_context(Error::program(error).op("attention").at(Location::caller()).help(help)))
}

/// Ends with an error if an option that counts or names has fractions, or there is not one number of queries for each sequence.
#[track_caller]
fn check_integers(options: &AttentionOptions, batch: usize) {
    let (q_segments, k_segments) = options.segments.as_ref().map(|(q, k)| (q, k)).unzip();
    let all = [
        ("query_lengths", options.query_lengths.as_ref()),
        ("key_lengths", options.key_lengths.as_ref()),
        ("offset", options.offset.as_ref()),
        ("segments of queries", q_segments),
        ("segments of keys", k_segments),
        ("pages", options.pages.as_ref()),
    ];
    for (name, given) in all {
        if let Some(x) = given.filter(|x| !x.dtype().is_integer()) {
            let error = Error::program(format!("{name}: {} given, it must be integers", x.ty()));
            let help = "make it of integers, or use astype(DType::I32)";
            fail(with_context(error.op("attention").at(Location::caller()).help(help)));
        }
    }
    if let Some(x) = options.query_lengths.as_ref().filter(|x| x.shape() != [batch]) {
        let error =
            format!("query_lengths is {}, it must be integers [{batch}], one for each sequence", x.ty());
        fail(with_context(Error::program(error).op("attention").at(Location::caller())));
    }
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
