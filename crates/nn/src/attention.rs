use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail, lax, named_scope};

use crate::{Initializer, Linear};

/// Causal self-attention, `softmax(q k^T / sqrt(D) + mask) v` over heads of width `D`, between two affine maps.
///
/// The columns of `qkv` are q, then k, then v; each group of `heads / groups` heads shares its keys and values.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_nn::CausalSelfAttention;
/// let attention = CausalSelfAttention::new(&Key::new(0), 8, 2);
/// assert_eq!(attention.forward(&Array::zeros(&[1, 5, 8])).shape(), [1, 5, 8]);
/// ```
///
/// Source: Vaswani et al., Attention is all you need (2017); Ainslie et al., GQA (2023).
#[derive(Clone, Debug, Tree)]
pub struct CausalSelfAttention {
    /// `[width, (heads + 2 groups) D]`.
    pub qkv: Linear,
    /// `[heads D, width]`.
    pub proj: Linear,
    /// The number of query heads.
    #[tree(static)]
    pub heads: usize,
    /// The number of key and value heads, a divisor of `heads`.
    #[tree(static)]
    pub groups: usize,
}

/// The keys and values of the positions that an attention layer has seen.
///
/// Both have room for `capacity` positions; the caller's `position` says how many are filled.
#[derive(Clone, Debug, Tree)]
pub struct KvCache {
    /// `[batch, capacity, groups, D]`.
    pub k: Array,
    /// `[batch, capacity, groups, D]`.
    pub v: Array,
}

impl KvCache {
    /// An empty cache: zeros.
    pub fn new(batch: usize, capacity: usize, groups: usize, width: usize, dtype: DType) -> Self {
        // Separate arrays: two handles to one array could not both be donated.
        let zeros = || Array::full(&[batch, capacity, groups, width], 0.0, dtype);
        KvCache { k: zeros(), v: zeros() }
    }

    /// The number of positions that fit.
    pub fn capacity(&self) -> usize {
        self.k.shape()[1]
    }

    /// The cache with `k` and `v`, `[batch, T, groups, D]`, written at `position`, an `i32` scalar. A position
    /// above `capacity - T` is clamped to it.
    #[track_caller]
    pub fn write(&self, k: &Array, v: &Array, position: &Array) -> KvCache {
        let zero = position.zeros_like();
        let starts = [zero.clone(), position.clone(), zero.clone(), zero];
        KvCache {
            k: lax::dynamic_update_slice(&self.k, &k.astype(self.k.dtype()), &starts),
            v: lax::dynamic_update_slice(&self.v, &v.astype(self.v.dtype()), &starts),
        }
    }
}

impl CausalSelfAttention {
    /// Attention with as many groups as heads, LeCun-normal weights and zero biases, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, width: usize, heads: usize) -> Self {
        let initializer = Initializer::lecun_normal();
        Self::with(key, width, heads, heads, true, initializer, initializer)
    }

    /// Attention with an initializer for each weight, in `f32`. `heads` divides the width, and `groups` divides
    /// `heads`.
    #[track_caller]
    pub fn with(
        key: &Key,
        width: usize,
        heads: usize,
        groups: usize,
        bias: bool,
        qkv: Initializer,
        proj: Initializer,
    ) -> Self {
        let divides = |n: usize, by: usize| by > 0 && n.is_multiple_of(by);
        if !divides(width, heads) || !divides(heads, groups) {
            let error =
                Error::program(format!("width {width}, {heads} heads and {groups} groups do not fit"));
            let help = "make the width a multiple of the heads, and the heads a multiple of the groups";
            fail(error.op("attention").help(help));
        }
        let (first, second) = key.pair();
        let columns = width + 2 * groups * (width / heads);
        CausalSelfAttention {
            qkv: Linear::with(&first, width, columns, bias, qkv),
            proj: Linear::with(&second, width, width, bias, proj),
            heads,
            groups,
        }
    }

    /// `x: [B,T,width]` to the same shape; position `i` attends to the positions `0..=i`.
    pub fn forward(&self, x: &Array) -> Array {
        let (q, k, v) = self.project(x);
        let batch = x.shape()[0];
        self.attend(&q, &k, &v, &Array::full(&[batch], 0.0, DType::I32))
    }

    /// As [`forward`](Self::forward), for the positions `position..position + T` of sequences whose earlier keys
    /// and values are in `cache`.
    ///
    /// * `x`: `[B,T,width]`; `position`: `i32` scalar, `position + T` at most the cache's capacity
    ///
    /// Returns the result, and the cache with these positions filled. Each row has the bits of
    /// [`forward`](Self::forward) on the whole sequence.
    pub fn with_cache(&self, x: &Array, cache: &KvCache, position: &Array) -> (Array, KvCache) {
        let (q, k, v) = self.project(x);
        let cache = cache.write(&k, &v, position);
        let offset = position.broadcast_to(&x.shape()[..1]);
        let y = self.attend(&q, &cache.k.astype(q.dtype()), &cache.v.astype(q.dtype()), &offset);
        (y, cache)
    }

    /// q `[B,T,heads,D]`, k and v `[B,T,groups,D]`.
    fn project(&self, x: &Array) -> (Array, Array, Array) {
        let qkv = named_scope("qkv", || self.qkv.forward(x));
        let [batch, time, columns] = qkv.shape()[..] else {
            let error = Error::program(format!("the argument is {}, it must be [B,T,width]", x.ty()));
            fail(error.op("attention"))
        };
        let (heads, groups) = (self.heads, self.groups);
        let width = columns / (heads + 2 * groups);
        let part = |start: usize, heads: usize| {
            let columns = qkv.slice(-1, start * width..(start + heads) * width);
            columns.reshape(&[batch, time, heads, width])
        };
        (part(0, heads), part(heads, groups), part(heads + groups, groups))
    }

    fn attend(&self, q: &Array, k: &Array, v: &Array, offset: &Array) -> Array {
        let shape = q.shape();
        let scale = 1.0 / (shape[3] as f64).sqrt();
        let mixed = lax::attention(q, k, v, offset, scale, lax::AttentionMask::Causal);
        let joined = mixed.reshape((shape[0], shape[1], -1));
        named_scope("proj", || self.proj.forward(&joined))
    }
}
