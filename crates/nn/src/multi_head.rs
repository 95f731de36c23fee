use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, fail};

use crate::axes::resolved;
use crate::{
    Context, Dropout, Initializer, KvCache, Layer, LayerNorm, Linear, Module, Rope, Tokens, combine_masks,
    make_attention_mask, observed_attention,
};

/// Attention between affine maps: `out(softmax(q k^T / sqrt(D) + mask) v)` with `q = query(x)`, `k = key(y)` and `v = value(z)`, in heads of
/// width `D`. Each group of `heads / groups` heads shares its keys and values.
///
/// As a [`Module`] it is self-attention, causal if it is said to be, among the [`Tokens`] that the pass is about: at their positions, each seeing
/// those of its own segment alone. Where these go on from earlier passes, the [`KvCache`] at `cache` in the state of the pass
/// holds the tokens before them; the pass leaves the cache with these tokens, each of which sees those up to itself. Who asks the pass for
/// `weights` ([`Context::capturing`]) has the attention map `[B, heads, T, S]`, before dropout.
///
/// ```
/// use jarrah_array::{Array, DType, nn::AttentionOptions, random::Key};
/// use jarrah_nn::{Context, KvCache, Module, MultiHeadAttention, State, Tokens};
/// let layer = MultiHeadAttention::new(&Key::new(0), 8, 2);
/// let (x, y) = (Array::ones(&[1, 5, 8]), Array::ones(&[1, 7, 8]));
/// let mut cx = Context::eval().capturing("weights");
/// // Over another sequence.
/// let found = layer.attend(&x, &y, &y, &AttentionOptions::default(), &mut cx);
/// assert_eq!(found.shape(), [1, 5, 8]);
/// assert_eq!(cx.captured().array("weights").unwrap().shape(), [1, 2, 5, 7]);
///
/// // Token by token.
/// let mut state = State::default();
/// state.set("cache", KvCache::new(1, 5, 2, 4, DType::F32));
/// for i in 0..5 {
///     let token = x.slice(1, i..i + 1);
///     let at = Tokens::next(&Array::scalar(i as i32), &token);
///     let mut cx = Context::eval().with_state(&state).with(at);
///     layer.call(&token, &mut cx);
///     state = cx.updates();
/// }
/// ```
///
/// Source: Vaswani et al., Attention is all you need (2017); Ainslie et al., GQA (2023); `flax.nnx.MultiHeadAttention`.
#[derive(Clone, Debug, Tree)]
pub struct MultiHeadAttention {
    /// `[inputs, heads D]`.
    pub query: Linear,
    /// `[inputs of keys, groups D]`.
    pub key: Linear,
    /// `[inputs of values, groups D]`.
    pub value: Linear,
    /// `[heads D, outputs]`.
    pub out: Linear,
    /// Over each query, `[B,T,heads,D]`.
    pub query_norm: Option<Layer>,
    /// Over each key, `[B,S,groups,D]`.
    pub key_norm: Option<Layer>,
    /// Of attention weights, the same for all heads and sequences.
    pub dropout: Dropout,
    /// The number of query heads.
    #[tree(static)]
    pub heads: usize,
    /// The number of key and value heads, a divisor of `heads`.
    #[tree(static)]
    pub groups: usize,
    /// Whether self-attention sees no later position.
    #[tree(static)]
    pub causal: bool,
    /// The rotary embedding of queries and keys; none: they have no positions.
    #[tree(static)]
    pub rope: Option<Rope>,
}

impl MultiHeadAttention {
    /// Attention with as many groups as heads, LeCun-normal weights and zero biases, in `f32`.
    #[track_caller]
    pub fn new(key: &Key, width: usize, heads: usize) -> Self {
        Self::with(key, [width, width, width], width, heads, heads, true)
    }

    /// Attention of `[queries' inputs, keys' and values' inputs, width of all heads together]` features to so many `outputs`.
    #[track_caller]
    pub fn with(
        key: &Key,
        [inputs, key_inputs, width]: [usize; 3],
        outputs: usize,
        heads: usize,
        groups: usize,
        bias: bool,
    ) -> Self {
        let divides = |n: usize, by: usize| by > 0 && n.is_multiple_of(by);
        if !divides(width, heads) || !divides(heads, groups) {
            let error =
                Error::program(format!("width {width}, {heads} heads and {groups} groups do not fit"));
            let help = "make the width a multiple of the heads, and the heads a multiple of the groups";
            fail(error.op("attention").help(help));
        }
        let keys = key.split(4);
        let narrow = groups * (width / heads);
        let linear = |i: usize, inputs: usize, outputs: usize| {
            Linear::with(&keys[i], inputs, outputs, bias, Initializer::lecun_normal())
        };
        MultiHeadAttention {
            query: linear(0, inputs, width),
            key: linear(1, key_inputs, narrow),
            value: linear(2, key_inputs, narrow),
            out: linear(3, width, outputs),
            query_norm: None,
            key_norm: None,
            dropout: Dropout::new(0.0).with_broadcast_axes(&[0, 1]),
            heads,
            groups,
            causal: false,
            rope: None,
        }
    }

    /// Self-attention that sees no later position.
    #[must_use]
    pub fn causal(self) -> Self {
        MultiHeadAttention { causal: true, ..self }
    }

    /// Attention with normalized queries and keys, by a [`LayerNorm`] without bias each. Source: Dehghani et al., Scaling vision
    /// transformers to 22 billion parameters (2023).
    #[must_use]
    pub fn with_normalized_queries_and_keys(self) -> Self {
        let width = self.query.weight.shape()[1] / self.heads;
        let norm = || Some(LayerNorm::new(width, 1e-6).without_bias().into());
        MultiHeadAttention { query_norm: norm(), key_norm: norm(), ..self }
    }

    /// Attention with dropout of the weights.
    #[must_use]
    pub fn with_dropout(self, rate: f64) -> Self {
        MultiHeadAttention { dropout: Dropout { rate: rate.into(), ..self.dropout }, ..self }
    }

    /// Attention with rotary positions.
    #[must_use]
    pub fn with_rope(self, rope: Rope) -> Self {
        MultiHeadAttention { rope: Some(rope), ..self }
    }

    /// An empty cache for this layer: see [`KvCache::new`].
    #[track_caller]
    pub fn cache(&self, runs: usize, length: usize, dtype: jarrah_array::DType) -> KvCache {
        KvCache::new(runs, length, self.groups, self.query.weight.shape()[1] / self.heads, dtype)
    }

    /// `x: [B,T,inputs]` to `[B,T,outputs]`, where keys are made of `y: [B,S,..]` and values of `z: [B,S,..]`. Positions of the rotary embedding
    /// begin with 0.
    ///
    /// The pass says nothing of `y`. So where its tokens have segments, the options say which keys each query sees, by `segments` or a `mask`, and a layer with
    /// a rotary embedding takes no tokens that go on from earlier passes: both are errors.
    #[track_caller]
    pub fn attend(
        &self,
        x: &Array,
        y: &Array,
        z: &Array,
        options: &AttentionOptions,
        cx: &mut Context,
    ) -> Array {
        let tokens = cx.about::<Tokens>();
        let segmented = tokens.as_ref().is_some_and(|tokens| tokens.segments.is_some());
        if segmented && options.segments.is_none() && options.mask.is_none() {
            let error = "the tokens of the pass have segments, and nothing says which keys of the other sequence each sees";
            let help = "give `segments` or a `mask` in the options, or run the layer as a module, which is self-attention";
            fail(Error::program(error).op("attention").help(help));
        }
        if tokens.is_some_and(|tokens| tokens.seen.is_some()) && self.rope.is_some() {
            let error = "the tokens of the pass go on from earlier ones, and the rotary positions of attention to another sequence begin with 0";
            let help = "use a layer without a rotary embedding for attention to another sequence";
            fail(Error::program(error).op("attention").help(help));
        }
        let at = |x: &Array| Tokens::first(x.shape()[0], x.shape().get(1).copied().unwrap_or(1));
        let [q, k, v] = self.project([x, y, z], [&at(x), &at(y)], cx);
        self.mix([&q, &k, &v], options.clone(), cx)
    }

    /// Self-attention with these options among the tokens of the pass: see [`MultiHeadAttention`].
    #[track_caller]
    pub fn attend_itself(&self, x: &Array, options: &AttentionOptions, cx: &mut Context) -> Array {
        let [batch, time, _] = x.shape()[..] else {
            let error = format!("the argument is {}, it must be [B,T,width]", x.ty());
            fail(Error::program(error).op("attention").help("give an argument of three axes"))
        };
        let tokens = Tokens::of(cx, batch, time);
        let [q, k, v] = self.project([x, x, x], [&tokens, &tokens], cx);
        let mut options = options.clone();
        let Some(cache) = tokens.cached::<KvCache>(cx) else {
            match &tokens.segments {
                Some(own) if options.segments.is_some() => {
                    let own = make_attention_mask(own, own, |q, k| q.eq(k));
                    options.mask = combine_masks(&[options.mask.as_ref(), Some(&own)]);
                }
                Some(own) => options.segments = Some((own.clone(), own.clone())),
                None => {}
            }
            return self.mix([&q, &k, &v], options, cx);
        };
        let cache = cache.write(&k, &v, &tokens);
        let options = cache.options(&q, &tokens, &options);
        let (k, v) = (cache.k.read(q.dtype()), cache.v.read(q.dtype()));
        cx.set("cache", cache);
        self.mix([&q, &k, &v], options, cx)
    }

    /// Queries `[B,T,heads,D]`, keys and values `[B,S,groups,D]`, of which the tokens of queries and those of keys say where they stand.
    #[track_caller]
    fn project(&self, [x, y, z]: [&Array; 3], [of_q, of_k]: [&Tokens; 2], cx: &mut Context) -> [Array; 3] {
        let mut q = heads(&cx.call("query", &self.query, x), self.heads);
        let mut k = heads(&cx.call("key", &self.key, y), self.groups);
        let v = heads(&cx.call("value", &self.value, z), self.groups);
        if let Some(norm) = &self.query_norm {
            q = cx.call("query_norm", norm, &q);
        }
        if let Some(norm) = &self.key_norm {
            k = cx.call("key_norm", norm, &k);
        }
        if let Some(rope) = &self.rope {
            (q, k) = (rope.turn_of(&q, of_q), rope.turn_of(&k, of_k));
        }
        [q, k, v]
    }

    /// The results of the heads, joined and mapped by `out`.
    #[track_caller]
    fn mix(&self, [q, k, v]: [&Array; 3], options: AttentionOptions, cx: &mut Context) -> Array {
        let mixed = self.look([q, k, v], options, cx);
        let shape = mixed.shape();
        cx.call("out", &self.out, &mixed.reshape(&[shape[0], shape[1], shape[2] * shape[3]]))
    }

    /// The results of the heads, `[B,T,heads,D]`.
    #[track_caller]
    fn look(&self, [q, k, v]: [&Array; 3], mut options: AttentionOptions, cx: &mut Context) -> Array {
        let dropped = self.dropout.rate.get() > 0.0 && cx.is_training();
        if let Some(key) = dropped.then(|| cx.key("dropout")).flatten() {
            let mut shape = [q.shape()[0], self.heads, q.shape()[1], k.shape()[1]];
            for axis in resolved("attention", &self.dropout.broadcast_axes, 4) {
                shape[axis] = 1;
            }
            let kept = self.dropout.apply(&Array::full(&shape, 1, q.dtype()), &key);
            options.multiplier = Some(match options.multiplier.take() {
                Some(multiplier) => multiplier * kept,
                None => kept,
            });
        }
        observed_attention(q, k, v, options, cx)
    }
}

/// `[B,T,heads D]` as `[B,T,heads,D]`.
#[track_caller]
fn heads(x: &Array, heads: usize) -> Array {
    let [batch, time, columns] = x.shape()[..] else {
        let error = Error::program(format!("projected arguments are {}, they must be [B,T,width]", x.ty()));
        fail(error.op("attention").help("give arguments of three axes"))
    };
    x.reshape(&[batch, time, heads, columns / heads])
}

/// Self-attention.
impl Module for MultiHeadAttention {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let options = AttentionOptions { causal: self.causal, ..AttentionOptions::default() };
        self.attend_itself(x, &options, cx)
    }
}
