use jarrah_array::nn::{AttentionOptions, dot_product_attention};
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail, where_};
use jarrah_nn::{Context, KvCache, Layer, Linear, Module, Rope, StaticFloat, Tokens, Variable};

use super::config::{AttentionConfig, NormConfig, QkNorm};
use super::{linear, norm};

/// Self-attention of a decoder, causal if nothing else is said: grouped heads, with what [`AttentionConfig`] asks for.
///
/// Where the state of the pass has a [`KvCache`] at `cache`, the keys and values of the tokens are written to it, and all that it holds are seen. The
/// weights of the heads, `[B,H,T,S]`, are the value `weights` of the pass: only where somebody asks for them are they made.
#[derive(Clone, Debug, Tree)]
pub struct DecoderAttention {
    /// `[width, heads D]`.
    pub q: Linear,
    /// `[width, groups D]`.
    pub k: Linear,
    /// `[width, groups D]`.
    pub v: Linear,
    /// `[heads D, width]`.
    pub out: Linear,
    /// Of queries.
    pub q_norm: Option<Layer>,
    /// Of keys.
    pub k_norm: Option<Layer>,
    /// `[heads]`.
    pub sinks: Option<Variable>,
    /// The shape.
    #[tree(static)]
    pub config: AttentionConfig,
    /// Whether tokens see none behind them.
    #[tree(static)]
    pub causal: bool,
}

/// What a decoder sees of another text: its states `[B,S,width]`, and its mask `[B,S]`, 0 where a token only fills up.
#[derive(Clone, Debug, Tree)]
pub struct Memory {
    /// The states.
    pub states: Array,
    /// The mask; none: all count.
    pub mask: Option<Array>,
}

/// What attention looks at besides its argument.
#[derive(Default)]
pub(crate) struct Beside<'a> {
    /// Where keys and values come from, if not from the argument.
    pub memory: Option<&'a Memory>,
    /// What is added to scores; it broadcasts to `[B,H,T,S]`.
    pub biases: Option<&'a Array>,
}

impl DecoderAttention {
    pub(crate) fn new(config: &AttentionConfig, width: usize, norms: &NormConfig, key: &Key) -> Self {
        let keys = key.split(4);
        let AttentionConfig { heads, groups, head_width, bias, out_bias, .. } = *config;
        let scale = |heads: usize| {
            config.qk_norm.map(|kind| match kind {
                QkNorm::Heads => norm(norms, head_width),
                QkNorm::Whole => norm(norms, heads * head_width),
            })
        };
        DecoderAttention {
            q: linear(&keys[0], width, heads * head_width, bias),
            k: linear(&keys[1], width, groups * head_width, bias),
            v: linear(&keys[2], width, groups * head_width, bias),
            out: linear(&keys[3], heads * head_width, width, out_bias),
            q_norm: scale(heads),
            k_norm: scale(groups),
            sinks: config.sinks.then(|| Array::zeros(&[heads]).into()),
            config: config.clone(),
            causal: true,
        }
    }

    /// The heads of `x W`, normalized and turned.
    fn heads(
        &self,
        x: &Array,
        name: &str,
        layer: &Linear,
        normed: Option<&Layer>,
        tokens: &Tokens,
        cx: &mut Context,
    ) -> Array {
        let (batch, time) = (x.shape()[0], x.shape()[1]);
        let y = cx.call(name, layer, x);
        let split =
            |y: &Array| y.reshape(&[batch as isize, time as isize, -1, self.config.head_width as isize]);
        let norm_name = format!("{name}_norm");
        let y = match (normed, self.config.qk_norm) {
            (None, _) => split(&y),
            (Some(norm), Some(QkNorm::Whole)) => split(&cx.call(&norm_name, norm, &y)),
            (Some(norm), _) => cx.call(&norm_name, norm, &split(&y)),
        };
        match &self.config.rope {
            Some(rope) if name != "v" => Rope::turn(rope, &y, &tokens.positions),
            _ => y,
        }
    }

    /// The plain formula, for those who ask for the weights.
    fn by_weights(
        &self,
        q: &Array,
        k: &Array,
        v: &Array,
        options: &AttentionOptions,
        cx: &mut Context,
    ) -> Array {
        let (config, shape) = (&self.config, q.shape());
        let (batch, time, heads) = (shape[0], shape[1], shape[2]);
        let keys = k.shape()[1];
        let shares = heads / k.shape()[2];
        let wide = |x: &Array| x.astype(DType::F32);
        let each = |x: &Array| wide(x).repeat(shares, 2).transpose(&[0, 2, 1, 3]);
        let scale = config.scale.map_or(1.0 / (shape[3] as f64).sqrt(), StaticFloat::get);
        let mut scores = wide(q).transpose(&[0, 2, 1, 3]).matmul(&each(k).swapaxes(-1, -2)) * scale;
        if let Some(cap) = config.softcap {
            scores = (scores / cap.get()).tanh() * cap.get();
        }
        if let Some(biases) = &options.bias {
            scores += wide(biases);
        }
        let (rows, columns) =
            (Array::arange(time as i32).expand_dims(1), Array::arange(keys as i32).expand_dims(0));
        let mut seen = match options.causal {
            true => columns.le(&rows),
            false => Array::full(&[time, keys], 1.0, DType::Bool),
        };
        if let Some(window) = config.window {
            seen &= (&rows - &columns).lt(window);
        }
        let mut seen = seen.reshape(&[1, 1, time, keys]);
        if let Some((segments, _)) = &options.segments {
            let same = segments.reshape(&[batch, 1, time, 1]).eq(segments.reshape(&[batch, 1, 1, time]));
            seen &= same;
        }
        if let Some(mask) = &options.mask {
            seen &= mask;
        }
        let scores = where_(&seen, &scores, f64::NEG_INFINITY);
        let weights = match &self.sinks {
            None => scores.softmax(-1),
            Some(sinks) => {
                let sinks =
                    wide(&sinks.get()).reshape(&[1, heads, 1, 1]).broadcast_to(&[batch, heads, time, 1]);
                jarrah_array::concatenate(&[&scores, &sinks], -1).softmax(-1).slice(-1, 0..keys)
            }
        };
        let weights = cx.observe("weights", weights);
        weights.matmul(&each(v)).transpose(&[0, 2, 1, 3]).astype(q.dtype())
    }
}

impl DecoderAttention {
    fn keys_and_values(&self, source: &Array, tokens: &Tokens, cx: &mut Context) -> (Array, Array) {
        let k = self.heads(source, "k", &self.k, self.k_norm.as_ref(), tokens, cx);
        (k, self.heads(source, "v", &self.v, None, tokens, cx))
    }

    /// Leaves in the pass the keys and values of another text, for passes that are given them.
    pub(crate) fn keep(&self, memory: &Memory, cx: &mut Context) {
        let (batch, time) = (memory.states.shape()[0], memory.states.shape()[1]);
        let (k, v) = self.keys_and_values(&memory.states, &Tokens::first(batch, time), cx);
        cx.set("memory_k", Variable::from(k));
        cx.set("memory_v", Variable::from(v));
    }

    /// The result for `x: [B,T,width]`.
    #[track_caller]
    pub(crate) fn mix(&self, x: &Array, beside: &Beside<'_>, cx: &mut Context) -> Array {
        let [batch, time, _] = x.shape()[..] else {
            let error = format!("the argument is {}, it must be [B,T,width]", x.ty());
            fail(Error::program(error).op("attention"))
        };
        let tokens = Tokens::of(cx, batch, time);
        let q = self.heads(x, "q", &self.q, self.q_norm.as_ref(), &tokens, cx);
        let kept = |name: &str| cx.state::<Variable>(name).map(|kept| kept.get());
        let (k, v) = match (beside.memory, kept("memory_k"), kept("memory_v")) {
            (Some(_), Some(k), Some(v)) => (k, v),
            (memory, ..) => self.keys_and_values(memory.map_or(x, |memory| &memory.states), &tokens, cx),
        };
        let segments = tokens.segments.clone().filter(|_| beside.memory.is_none());
        let mask = beside.memory.and_then(|memory| memory.mask.as_ref());
        let options = AttentionOptions {
            causal: self.causal && beside.memory.is_none(),
            window: self.config.window.map(|seen| (seen - 1, 0)),
            scale: self.config.scale.map(StaticFloat::get),
            softcap: self.config.softcap.map(StaticFloat::get),
            sinks: self.sinks.as_ref().map(Variable::get),
            segments: segments.map(|segments| (segments.clone(), segments)),
            bias: beside.biases.cloned(),
            mask: mask.map(|mask| mask.ne(0).reshape(&[batch as isize, 1, 1, -1])),
            ..AttentionOptions::default()
        };
        let cache = cx.state::<KvCache>("cache").filter(|_| beside.memory.is_none());
        let mixed = match (cache, &tokens.sequences) {
            (Some(cache), Some(sequences)) => {
                let cache = cache.write(&k, &v, sequences);
                let mixed = cache.attend(&q, sequences, &options);
                cx.set("cache", cache);
                mixed
            }
            _ if cx.wants("weights") => self.by_weights(&q, &k, &v, &options, cx),
            _ => dot_product_attention(&q, &k, &v, &options),
        };
        cx.call("out", &self.out, &mixed.reshape(&[batch as isize, time as isize, -1]))
    }
}

impl Module for DecoderAttention {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        self.mix(x, &Beside::default(), cx)
    }
}
