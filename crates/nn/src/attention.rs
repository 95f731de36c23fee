use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, fail, named_scope};

use crate::object::relay;
use crate::{Initializer, KvCache, Linear, Sequences};

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
    #[track_caller]
    pub fn forward(&self, x: &Array) -> Array {
        let (q, k, v) = self.project(x);
        self.join(&dot_product_attention(&q, &k, &v, &AttentionOptions::causal()))
    }

    /// As [`forward`](Self::forward), for the next `T` positions of sequences whose earlier keys and values are in `cache`.
    ///
    /// * `x`: `[B,T,width]`
    ///
    /// Returns the result, and the cache with these positions filled. Where the cache holds numbers of the type of `x`, each row has the
    /// bits of [`forward`](Self::forward) on its whole sequence, whatever the other sequences, the pages and the cuts between
    /// calls are.
    #[track_caller]
    pub fn with_cache(&self, x: &Array, cache: &KvCache, sequences: &Sequences) -> (Array, KvCache) {
        let (q, k, v) = self.project(x);
        let cache = cache.write(&k, &v, sequences);
        (self.join(&cache.attend(&q, sequences, &AttentionOptions::default())), cache)
    }

    /// q `[B,T,heads,D]`, k and v `[B,T,groups,D]`.
    #[track_caller]
    fn project(&self, x: &Array) -> (Array, Array, Array) {
        let qkv = relay(|| named_scope("qkv", || self.qkv.forward(x)));
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

    /// The projection of what the heads have found, `[B,T,heads,D]`.
    #[track_caller]
    fn join(&self, mixed: &Array) -> Array {
        let shape = mixed.shape();
        let joined = mixed.reshape(&[shape[0], shape[1], shape[2] * shape[3]]);
        relay(|| named_scope("proj", || self.proj.forward(&joined)))
    }
}
