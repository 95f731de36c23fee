use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, concatenate, fail, lax};

use crate::cache::{Cached, reading};
use crate::{
    Context, Initializer, Layer, Linear, Module, RmsNorm, Rope, Sequential, StaticFloat, Tokens, Variable,
    observed_attention,
};

/// The shape of a [`LatentAttention`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LatentConfig {
    /// The number of heads.
    pub heads: usize,
    /// The width of the latent vector from which the keys and values of all heads are made.
    pub latent: usize,
    /// The width of the latent vector of queries, if they are made from one.
    pub query_latent: Option<usize>,
    /// The elements of a key that are made from the latent vector.
    pub nope: usize,
    /// The elements of a value.
    pub value: usize,
    /// How the elements of a key are turned that all heads share.
    pub rope: Rope,
    /// Whether the maps from and to the residual stream have biases, that of queries without a latent vector aside.
    pub bias: bool,
    /// The factor on scores, if it is not `1 / sqrt(nope + rope)`.
    pub scale: Option<StaticFloat>,
}

impl LatentConfig {
    /// The elements of a key.
    pub fn key(&self) -> usize {
        self.nope + self.rope.width()
    }

    /// The numbers of a position that a [`LatentCache`] holds.
    pub fn cached(&self) -> usize {
        self.latent + self.rope.width()
    }
}

/// Multi-head latent attention: the keys and values of all heads are made from one small vector per position, which is all that a
/// cache holds.
///
/// ```text
/// c = norm(x W_c), r = rope(x W_r), q_h = (n_h, rope(p_h)) from x           per position, and per head h
/// k_h = (c K_h, r), v_h = c V_h;   y = concat over h of softmax(scale q_h k_h^T) v_h, times W_out
/// ```
///
/// It is computed in the absorbed form, which never makes `k_h` and `v_h`: since `n_h . (c K_h) = (n_h K_h^T) . c`, the queries
/// `(n_h K_h^T, rope(p_h))` of all heads attend to the keys `(c, r)` of one group with values `c`, and the results are multiplied by
/// `V_h`. Trainer and server use this form, so their results are the same bits.
///
/// In a pass whose tokens go on from earlier ones, their latent vectors are written to the [`LatentCache`] that the state of the pass has at `cache`,
/// and all that it holds are seen. The weights of the heads, `[B,H,T,S]`, are the value `weights` of the pass.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::{Context, LatentAttention, LatentConfig, Module, Pairing, Rope};
/// let config = LatentConfig {
///     heads: 4, latent: 8, query_latent: Some(12), nope: 4, value: 4,
///     rope: Rope::new(2, 10000.0).paired(Pairing::Neighbours), bias: false, scale: None,
/// };
/// let layer = LatentAttention::new(&Key::new(0), 16, &config);
/// assert_eq!(layer.call(&Array::zeros(&[1, 5, 16]), &mut Context::eval()).shape(), [1, 5, 16]);
/// ```
///
/// Source: DeepSeek-AI, DeepSeek-V2: a strong, economical, and efficient mixture-of-experts language model (2024).
#[derive(Clone, Debug, Tree)]
pub struct LatentAttention {
    /// Of `[width, heads (nope + rope)]`; or one of `[width, query latent]`, a normalization, and one of `[query latent, heads (nope + rope)]`.
    pub q: Layer,
    /// `[width, latent + rope]`.
    pub kv_down: Linear,
    /// Over the latent vector.
    pub kv_norm: Layer,
    /// `[latent, heads nope]`.
    pub k_up: Variable,
    /// `[latent, heads value]`.
    pub v_up: Variable,
    /// `[heads value, width]`.
    pub out: Linear,
    /// The shape.
    #[tree(static)]
    pub config: LatentConfig,
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
        LatentCache { keys: Cached::new(runs, length, 1, config.cached(), dtype) }
    }
}

impl LatentAttention {
    /// Attention in a residual stream of `width` elements, with LeCun-normal weights and zero biases, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, width: usize, config: &LatentConfig) -> Self {
        let normal = Initializer::lecun_normal();
        LatentAttention::with(key, width, config, |key, inputs, outputs, bias| {
            Linear::with(key, inputs, outputs, bias, normal)
        })
    }

    /// Latent attention whose maps `linear` makes from a key, the numbers of inputs and outputs, and whether there is a bias.
    #[track_caller]
    pub fn with(
        key: &Key,
        width: usize,
        config: &LatentConfig,
        linear: impl Fn(&Key, usize, usize, bool) -> Linear,
    ) -> Self {
        let &LatentConfig { heads, latent, query_latent, nope, value, bias, .. } = config;
        if [width, heads, latent, config.key(), value].contains(&0) {
            let error = Error::program(format!("there is no latent attention of {config:?}"));
            fail(error.op("attention").help("make the extents at least 1"));
        }
        let keys = key.split(6);
        let norm = |width: usize| RmsNorm::new(width, 1e-6);
        LatentAttention {
            q: match query_latent {
                None => linear(&keys[1], width, heads * config.key(), false).into(),
                Some(inner) => Sequential::new()
                    .and(linear(&keys[0], width, inner, bias))
                    .and(norm(inner))
                    .and(linear(&keys[1], inner, heads * config.key(), false))
                    .into(),
            },
            kv_down: linear(&keys[2], width, config.cached(), bias),
            kv_norm: norm(latent).into(),
            k_up: linear(&keys[3], latent, heads * nope, false).weight,
            v_up: linear(&keys[4], latent, heads * value, false).weight,
            out: linear(&keys[5], heads * value, width, bias),
            config: config.clone(),
        }
    }

    /// The queries of all heads in the space of the keys, `[B,T,heads,latent + rope]`.
    #[track_caller]
    fn queries(&self, x: &Array, at: &Tokens, cx: &mut Context) -> Array {
        let (batch, time) = extents(x);
        let LatentConfig { heads, nope, rope, .. } = &self.config;
        let q = cx.call("q", &self.q, x).reshape(&[batch, time, *heads, self.config.key()]);
        let absorbed = per_head(&q.slice(-1, 0..*nope), &self.of_heads(&self.k_up), 1);
        let turned = rope.turn_of(&q.slice(-1, *nope..self.config.key()), at);
        concatenate(&[&absorbed, &turned], -1)
    }

    /// The keys that all heads share, `[B,T,1,latent + rope]`.
    #[track_caller]
    fn keys(&self, x: &Array, at: &Tokens, cx: &mut Context) -> Array {
        let (batch, time) = extents(x);
        let (rope, latent, both) = (&self.config.rope, self.config.latent, self.config.cached());
        let down = cx.call("kv_down", &self.kv_down, x).reshape(&[batch, time, 1, both]);
        let normed = cx.call("kv_norm", &self.kv_norm, &down.slice(-1, 0..latent));
        let turned = rope.turn_of(&down.slice(-1, latent..both), at);
        concatenate(&[&normed, &turned], -1)
    }

    /// The part of keys that is the values.
    #[track_caller]
    fn latents(&self, keys: &Array) -> Array {
        keys.slice(-1, 0..self.config.latent)
    }

    /// A matrix `[latent, heads D]` as `[heads, D, latent]`.
    fn of_heads(&self, weight: &Variable) -> Array {
        let (latent, heads) = (self.config.latent, self.config.heads);
        weight.get().t().reshape(&[heads, weight.shape()[1] / heads, latent])
    }
}

impl Module for LatentAttention {
    /// `x: [B,T,width]` to the same shape; each token attends to those before it and itself.
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let (batch, time) = extents(x);
        let tokens = Tokens::of(cx, batch, time);
        let q = self.queries(x, &tokens, cx);
        let keys = self.keys(x, &tokens, cx);
        let scale = self.config.scale.map_or(1.0 / (self.config.key() as f64).sqrt(), StaticFloat::get);
        let options = AttentionOptions {
            scale: Some(scale),
            segments: tokens.segments.clone().map(|segments| (segments.clone(), segments)),
            ..AttentionOptions::causal()
        };
        let mixed = match tokens.cached::<LatentCache>(cx) {
            Some(cache) => {
                let keys = cache.keys.write(&keys, &tokens);
                let values = Cached { values: self.latents(&keys.values), scales: keys.scales.clone() };
                let options = reading(&q, &keys, &values, &tokens, &options);
                let (k, v) = (keys.read(q.dtype()), values.read(q.dtype()));
                cx.set("cache", LatentCache { keys });
                observed_attention(&q, &k, &v, options, cx)
            }
            None => observed_attention(&q, &keys, &self.latents(&keys), options, cx),
        };
        let y = per_head(&mixed, &self.of_heads(&self.v_up), 2);
        cx.call("out", &self.out, &y.reshape(&[batch, time, self.config.heads * self.config.value]))
    }
}

/// The product, head by head, of `x: [B,T,heads,D]` and `w: [heads, ..]`, over the last axis of `x` and the axis `along` of `w`.
#[track_caller]
fn per_head(x: &Array, w: &Array, along: usize) -> Array {
    // [heads, B, T, ..].
    let product = lax::dot_general(x, w, (&[3], &[along]), (&[2], &[0]));
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
