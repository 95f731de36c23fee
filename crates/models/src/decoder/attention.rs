use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, Error, Tree, fail};
use jarrah_nn::{
    Context, KvCache, Layer, Linear, Module, Rope, StaticFloat, Tokens, Variable, observed_attention,
};

use super::config::{AttentionConfig, NormConfig, QkNorm};
use super::{linear, norm};

/// Causal self-attention of a decoder: grouped heads, with what [`AttentionConfig`] asks for.
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
}

impl DecoderAttention {
    pub(super) fn new(config: &AttentionConfig, width: usize, norms: &NormConfig, key: &Key) -> Self {
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
}

impl Module for DecoderAttention {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        let [batch, time, _] = x.shape()[..] else {
            let error = format!("the argument is {}, it must be [B,T,width]", x.ty());
            fail(Error::program(error).op("attention"))
        };
        let tokens = Tokens::of(cx, batch, time);
        let q = self.heads(x, "q", &self.q, self.q_norm.as_ref(), &tokens, cx);
        let k = self.heads(x, "k", &self.k, self.k_norm.as_ref(), &tokens, cx);
        let v = self.heads(x, "v", &self.v, None, &tokens, cx);
        let options = AttentionOptions {
            causal: true,
            window: self.config.window.map(|seen| (seen - 1, 0)),
            scale: self.config.scale.map(StaticFloat::get),
            softcap: self.config.softcap.map(StaticFloat::get),
            sinks: self.sinks.as_ref().map(Variable::get),
            segments: tokens.segments.clone().map(|segments| (segments.clone(), segments)),
            ..AttentionOptions::default()
        };
        let mixed = match (cx.state::<KvCache>("cache"), &tokens.sequences) {
            (Some(cache), Some(sequences)) => {
                let cache = cache.write(&k, &v, sequences);
                let mixed = cache.attend(&q, sequences, &options);
                cx.set("cache", cache);
                mixed
            }
            _ => observed_attention(&q, &k, &v, options, cx),
        };
        let joined = mixed.reshape(&[batch, time, self.config.heads * self.config.head_width]);
        cx.call("out", &self.out, &joined)
    }
}
