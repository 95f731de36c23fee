use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, concatenate, fail, lax, named_scope};

use crate::cache::{Cached, Sequences, attend};
use crate::{Initializer, Linear, RmsNorm, StaticFloat, rotary};

/// The shape of a [`LatentAttention`].
#[derive(Clone, Debug, PartialEq)]
pub struct LatentConfig {
    /// The width of the residual stream.
    pub width: usize,
    /// The number of heads.
    pub heads: usize,
    /// The width of the latent vector from which the keys and values of all heads are made.
    pub latent: usize,
    /// The width of the latent vector of queries, if they are made from one.
    pub query_latent: Option<usize>,
    /// The elements of a key that are made from the latent vector.
    pub nope: usize,
    /// The elements of a key that are turned by its position, which all heads share; an even number.
    pub rope: usize,
    /// The elements of a value.
    pub value: usize,
    /// The base of the [rotary] embedding.
    pub base: f64,
}

/// Multi-head latent attention: the keys and values of all heads are made from one small vector per position, which is all that a
/// cache holds.
///
/// ```text
/// c = norm(x W_c), r = rotary(x W_r), q_h = (n_h, rotary(p_h)) from x           per position, and per head h
/// k_h = (c K_h, r), v_h = c V_h;   y = concat over h of softmax(q_h k_h^T / sqrt(nope + rope)) v_h, times proj
/// ```
///
/// It is computed in the absorbed form, which never makes `k_h` and `v_h`: since `n_h . (c K_h) = (n_h K_h^T) . c`, the queries
/// `(n_h K_h^T, rotary(p_h))` of all heads attend to the keys `(c, r)` of one group with values `c`, and the results are multiplied by
/// `V_h`. Trainer and server use this form, so their results are the same bits.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{LatentAttention, LatentConfig};
/// let config = LatentConfig {
///     width: 16, heads: 4, latent: 8, query_latent: Some(12), nope: 4, rope: 2, value: 4, base: 10000.0,
/// };
/// let layer = LatentAttention::new(&Key::new(0), &config);
/// assert_eq!(layer.forward(&Array::zeros(&[1, 5, 16])).shape(), [1, 5, 16]);
/// ```
///
/// Source: DeepSeek-AI, DeepSeek-V2: a strong, economical, and efficient mixture-of-experts language model (2024).
#[derive(Clone, Debug, Tree)]
pub struct LatentAttention {
    /// `[width, query latent]` and a normalization, where queries have a latent vector.
    pub q_down: Option<(Linear, RmsNorm)>,
    /// `[query latent or width, heads (nope + rope)]`.
    pub q_up: Linear,
    /// `[width, latent + rope]`.
    pub kv_down: Linear,
    /// Over the latent vector.
    pub kv_norm: RmsNorm,
    /// `[latent, heads, nope]`.
    pub k_up: Array,
    /// `[latent, heads, value]`.
    pub v_up: Array,
    /// `[heads value, width]`.
    pub proj: Linear,
    /// The base of the [rotary] embedding.
    #[tree(static)]
    pub base: StaticFloat,
}

/// The latent vector and the shared part of the key of the positions that a [`LatentAttention`] has seen.
#[derive(Clone, Debug, Tree)]
pub struct LatentCache {
    /// `[runs, length, 1, latent + rope]`.
    pub keys: Cached,
}

impl LatentCache {
    /// An empty cache of `runs` sequences, or pages, of `length` positions, in `dtype`: floats, or `i8`. See
    /// [`KvCache`](crate::KvCache).
    #[track_caller]
    pub fn new(runs: usize, length: usize, config: &LatentConfig, dtype: DType) -> Self {
        LatentCache { keys: Cached::new(runs, length, 1, config.latent + config.rope, dtype) }
    }
}

impl LatentAttention {
    /// Attention with LeCun-normal weights, without biases, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, config: &LatentConfig) -> Self {
        let &LatentConfig { width, heads, latent, query_latent, nope, rope, value, base } = config;
        if rope % 2 != 0 || [width, heads, latent, nope + rope, value].contains(&0) {
            let error = Error::program(format!("there is no latent attention of {config:?}"));
            fail(error.op("attention").help("make rope even, and the other extents at least 1"));
        }
        let normal = Initializer::lecun_normal();
        let keys = key.split(6);
        let linear =
            |key: &Key, inputs: usize, outputs: usize| Linear::with(key, inputs, outputs, false, normal);
        let up = |key: &Key, each: usize| {
            normal.sample(key, &[latent, heads * each], DType::F32).reshape(&[latent, heads, each])
        };
        let norm = |width: usize| RmsNorm::new(width, 1e-6);
        LatentAttention {
            q_down: query_latent.map(|inner| (linear(&keys[0], width, inner), norm(inner))),
            q_up: linear(&keys[1], query_latent.unwrap_or(width), heads * (nope + rope)),
            kv_down: linear(&keys[2], width, latent + rope),
            kv_norm: norm(latent),
            k_up: up(&keys[3], nope),
            v_up: up(&keys[4], value),
            proj: linear(&keys[5], heads * value, width),
            base: base.into(),
        }
    }

    /// `x: [B,T,width]` to the same shape; position `i` attends to the positions `0..=i`.
    #[track_caller]
    pub fn forward(&self, x: &Array) -> Array {
        let (batch, time) = extents(x);
        let positions = lax::iota(DType::I32, &[batch, time], 1);
        let (q, keys) = (self.queries(x, &positions), self.keys(x, &positions));
        let options = AttentionOptions { scale: Some(self.scale()), ..AttentionOptions::causal() };
        self.output(&dot_product_attention(&q, &keys, &self.latents(&keys), &options))
    }

    /// As [`forward`](Self::forward), for the next `T` positions of sequences of which `cache` holds the earlier ones, and the cache that
    /// holds these too. See [`CausalSelfAttention::with_cache`](crate::CausalSelfAttention::with_cache).
    #[track_caller]
    pub fn with_cache(&self, x: &Array, cache: &LatentCache, sequences: &Sequences) -> (Array, LatentCache) {
        let (batch, time) = extents(x);
        let positions = sequences.next(batch, time);
        let q = self.queries(x, &positions);
        let keys = cache.keys.write(&self.keys(x, &positions), sequences);
        let values = Cached { values: self.latents(&keys.values), scales: keys.scales.clone() };
        let options = AttentionOptions { scale: Some(self.scale()), ..AttentionOptions::default() };
        let y = self.output(&attend(&q, &keys, &values, sequences, &options));
        (y, LatentCache { keys })
    }

    fn rope(&self) -> usize {
        self.kv_down.weight.shape()[1] - self.k_up.shape()[0]
    }

    fn scale(&self) -> f64 {
        1.0 / ((self.k_up.shape()[2] + self.rope()) as f64).sqrt()
    }

    /// The queries of all heads in the space of the keys, `[B,T,heads,latent + rope]`.
    fn queries(&self, x: &Array, positions: &Array) -> Array {
        let q = match &self.q_down {
            None => x.clone(),
            Some((down, norm)) => {
                let q = named_scope("q_down", || down.forward(x));
                named_scope("q_norm", || norm.forward(&q))
            }
        };
        let q = named_scope("q_up", || self.q_up.forward(&q));
        let (batch, time) = extents(x);
        let up = self.k_up.shape();
        let (heads, nope, rope) = (up[1], up[2], self.rope());
        let q = q.reshape(&[batch, time, heads, nope + rope]);
        let absorbed = per_head(&q.slice(-1, 0..nope), &self.k_up, 2);
        let turned = rotary(&q.slice(-1, nope..nope + rope), positions, self.base.get());
        concatenate(&[&absorbed, &turned], -1)
    }

    /// The keys that all heads share, `[B,T,1,latent + rope]`.
    fn keys(&self, x: &Array, positions: &Array) -> Array {
        let (batch, time) = extents(x);
        let latent = self.k_up.shape()[0];
        let down = named_scope("kv_down", || self.kv_down.forward(x));
        let down = down.reshape(&[batch, time, 1, latent + self.rope()]);
        let normed = named_scope("kv_norm", || self.kv_norm.forward(&down.slice(-1, 0..latent)));
        let turned = rotary(&down.slice(-1, latent..latent + self.rope()), positions, self.base.get());
        concatenate(&[&normed, &turned], -1)
    }

    /// The part of keys that is the values.
    fn latents(&self, keys: &Array) -> Array {
        keys.slice(-1, 0..self.k_up.shape()[0])
    }

    /// `mixed: [B,T,heads,latent]` through each head's `v_up`, joined and projected.
    fn output(&self, mixed: &Array) -> Array {
        let y = per_head(mixed, &self.v_up, 0);
        let shape = y.shape();
        let joined = y.reshape(&[shape[0], shape[1], shape[2] * shape[3]]);
        named_scope("proj", || self.proj.forward(&joined))
    }
}

/// The product, head by head, of `x: [B,T,heads,D]` and `w: [.., heads, ..]`, over the last axis of `x` and the axis `along` of `w`.
#[track_caller]
fn per_head(x: &Array, w: &Array, along: usize) -> Array {
    // [heads, B, T, ..].
    let product = lax::dot_general(x, w, (&[3], &[along]), (&[2], &[1]));
    lax::transpose(&product, &[1, 2, 0, 3])
}

/// The sequences and the positions of `x`.
#[track_caller]
fn extents(x: &Array) -> (usize, usize) {
    match x.shape()[..] {
        [batch, time, _] => (batch, time),
        _ => {
            let error = format!("the argument is {}, it must be [B,T,width]", x.ty());
            fail(Error::program(error).op("attention"))
        }
    }
}
