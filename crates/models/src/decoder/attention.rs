use jarrah_array::nn::AttentionOptions;
use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Tree, fail};
use jarrah_nn::{
    Context, KvCache, Layer, Linear, Module, RmsNorm, StaticFloat, Tokens, Variable, observed_attention,
};

use super::config::{AttentionConfig, Keys, NormConfig, QkNorm, QueryGrowth};
use super::{linear, norm};

/// Self-attention of a decoder, causal if nothing else is said: grouped heads, with what [`AttentionConfig`] asks for.
///
/// In a pass whose tokens go on from earlier ones, their keys and values are written to the [`KvCache`] that the state of the pass has at `cache`, and all that
/// it holds are seen; a layer that borrows keys and values sees those there, if it has one. The
/// weights of the heads, `[B,H,T,S]`, are the value `weights` of the pass: only where somebody asks for them are they made.
#[derive(Clone, Debug, Tree)]
pub struct DecoderAttention {
    /// `[width, heads D]`.
    pub q: Linear,
    /// `[width, groups D]`, unless keys are borrowed.
    pub k: Option<Linear>,
    /// `[width, groups D]`, unless values are borrowed or made as keys are.
    pub v: Option<Linear>,
    /// `[heads D, width]`.
    pub out: Linear,
    /// The normalization of queries.
    pub q_norm: Option<Layer>,
    /// The normalization of keys.
    pub k_norm: Option<Layer>,
    /// The normalization of values.
    pub v_norm: Option<Layer>,
    /// `[heads]`.
    pub sinks: Option<Variable>,
    /// The shape.
    #[tree(static)]
    pub config: AttentionConfig,
}

/// The encoded text that a decoder attends to: its states `[B,S,width]`, and its mask `[B,S]`, 0 at padding.
#[derive(Clone, Debug, Tree)]
pub struct Memory {
    /// The states.
    pub states: Array,
    /// The mask; none: all count.
    pub mask: Option<Array>,
}

/// The inputs of attention besides its argument.
#[derive(Default)]
pub(crate) struct Beside<'a> {
    /// Where keys and values come from, if not from the argument.
    pub memory: Option<&'a Memory>,
    /// The biases added to the scores; they broadcast to `[B,H,T,S]`.
    pub biases: Option<&'a Array>,
}

impl DecoderAttention {
    pub(crate) fn new(config: &AttentionConfig, width: usize, norms: &NormConfig, key: &Key) -> Self {
        let keys = key.split(4);
        let AttentionConfig { heads, groups, head_width, bias, out_bias, .. } = *config;
        let scale = |heads: usize| {
            config.qk_norm.map(|kind| match kind {
                QkNorm::Heads => norm(norms, head_width),
                QkNorm::HeadsUnscaled => RmsNorm::new(head_width, norms.epsilon.get()).without_scale().into(),
                QkNorm::Whole => norm(norms, heads * head_width),
            })
        };
        let (has_k, has_v, has_v_norm) = match config.keys {
            Keys::Own => (true, true, false),
            Keys::Normed { joint, .. } => (true, !joint, true),
            Keys::Borrowed(_) => (false, false, false),
        };
        let epsilon = norms.epsilon.get();
        DecoderAttention {
            q: linear(&keys[0], width, heads * head_width, bias),
            k: has_k.then(|| linear(&keys[1], width, groups * head_width, bias)),
            v: has_v.then(|| linear(&keys[2], width, groups * head_width, bias)),
            out: linear(&keys[3], heads * head_width, width, out_bias),
            q_norm: scale(heads),
            k_norm: scale(groups).filter(|_| has_k),
            v_norm: has_v_norm.then(|| RmsNorm::new(head_width, epsilon).without_scale().into()),
            sinks: config.sinks.then(|| Array::zeros(&[heads]).into()),
            config: config.clone(),
        }
    }

    /// `[B,T,heads D]` as `[B,T,heads,D]`.
    fn split(&self, y: &Array) -> Array {
        let (batch, time, width) = (y.shape()[0], y.shape()[1], self.config.head_width);
        y.reshape(&[batch, time, y.shape()[2] / width, width])
    }

    /// The heads of `y: [B,T,heads D]`, normalized.
    fn normed(&self, y: &Array, name: &str, norm: Option<&Layer>, cx: &mut Context) -> Array {
        match (norm, self.config.qk_norm) {
            (None, _) => self.split(y),
            (Some(norm), Some(QkNorm::Whole)) => self.split(&cx.call(name, norm, y)),
            (Some(norm), _) => cx.call(name, norm, &self.split(y)),
        }
    }

    fn turned(&self, x: Array, tokens: &Tokens) -> Array {
        match &self.config.rope {
            Some(rope) => rope.turn_of(&x, tokens),
            None => x,
        }
    }

    /// Queries by the factors of their positions.
    fn grown(&self, q: Array, tokens: &Tokens) -> Array {
        let Some(QueryGrowth { step, scale }) = self.config.growth else { return q };
        let steps = (&tokens.positions + 1).floor_divide(step).astype(DType::F32);
        let factors = steps.log1p() * scale.get() + 1.0;
        (&q * factors.expand_dims(-1).expand_dims(-1)).astype(q.dtype())
    }

    /// The segments of queries and of the keys that they see: texts, and chunks of them.
    fn segments(&self, seen: &Seen, tokens: &Tokens) -> Option<(Array, Array)> {
        let own = tokens.segments.clone();
        let Some(chunk) = self.config.chunk else { return own.map(|own| (own.clone(), own)) };
        let chunks = tokens.positions.floor_divide(chunk);
        let keys = match seen {
            Seen::Cached { cache } => {
                let pages = tokens.pages.as_ref().map_or(1, |pages| pages.shape()[1]);
                let length = pages * cache.length();
                let of_keys = Array::arange(length as i32).floor_divide(chunk);
                of_keys.expand_dims(0).broadcast_to(&[chunks.shape()[0], length])
            }
            Seen::Now { .. } => match own {
                None => chunks.clone(),
                Some(own) => {
                    // Texts have fewer chunks than this.
                    let both = own.astype(DType::I32) * (chunks.shape()[1] / chunk + 1) + &chunks;
                    return Some((both.clone(), both));
                }
            },
        };
        Some((chunks, keys))
    }

    /// The keys and values of `x`; keys are made by `map`, and turned by the positions of the tokens. Those of another text, which has none of these
    /// positions, are not turned.
    fn made(&self, map: &Linear, x: &Array, tokens: Option<&Tokens>, cx: &mut Context) -> (Array, Array) {
        let made = cx.call("k", map, x);
        let k = self.normed(&made, "k_norm", self.k_norm.as_ref(), cx);
        let k = match tokens {
            Some(tokens) => self.turned(k, tokens),
            None => k,
        };
        let v = self.v.as_ref().map_or(made, |v| cx.call("v", v, x));
        let v = self.split(&v);
        let v = self.v_norm.as_ref().map_or_else(|| v.clone(), |norm| cx.call("v_norm", norm, &v));
        (k, v)
    }

    /// The keys and values of another text: from the state of the pass if it holds them, else computed from the text's states.
    fn of_memory(&self, map: &Linear, memory: &Memory, cx: &mut Context) -> (Array, Array) {
        let [k, v] = OF_MEMORY.map(|name| cx.state::<Variable>(name).map(|kept| kept.get()));
        k.zip(v).unwrap_or_else(|| self.made(map, &memory.states, None, cx))
    }

    /// Leaves in the pass the keys and values of another text, for passes that are given them as their state.
    pub(crate) fn keep(&self, memory: &Memory, cx: &mut Context) {
        let Some(map) = &self.k else { return };
        let (k, v) = self.made(map, &memory.states, None, cx);
        for (name, value) in OF_MEMORY.into_iter().zip([k, v]) {
            cx.set(name, Variable::from(value));
        }
    }

    /// The keys and values of `memory`; or of the tokens, which are written to the cache if there is one; or those that an earlier layer has lent.
    fn seen(&self, x: &Array, memory: Option<&Memory>, tokens: &Tokens, cx: &mut Context) -> Seen {
        let Some(map) = &self.k else {
            // Later layers may have written to memory that the lender shares with them.
            if let (Some(cache), Some(_)) = (cx.state::<KvCache>("cache"), &tokens.seen) {
                return Seen::Cached { cache: cache.of_heads(self.config.groups, self.config.head_width) };
            }
            let lent = match self.config.keys {
                Keys::Borrowed(number) => cx.lent(&name_of(number)),
                Keys::Own | Keys::Normed { .. } => None,
            };
            return lent.unwrap_or_else(|| {
                let error =
                    Error::program("no earlier layer lends the keys and values that this one looks at");
                fail(error.op("attention").help("keep the layers that lend before those that borrow"))
            });
        };
        if let Some(memory) = memory {
            if tokens.segments.is_some() {
                let error = "the tokens of the pass have segments, and nothing says which tokens of the other text each sees";
                let help = "give one text to a sequence; what fills it up behind its end needs no mask";
                fail(Error::program(error).op("attention").help(help));
            }
            let (k, v) = self.of_memory(map, memory, cx);
            return Seen::Now { k, v };
        }
        let (k, v) = self.made(map, x, Some(tokens), cx);
        let seen = match tokens.cached::<KvCache>(cx) {
            Some(cache) => {
                let held = &cache.k.values.shape()[2..];
                let written = cache.of_heads(self.config.groups, self.config.head_width);
                let written = written.write(&k, &v, tokens);
                cx.set("cache", written.of_heads(held[0], held[1]));
                Seen::Cached { cache: written }
            }
            None => Seen::Now { k, v },
        };
        if let Keys::Normed { lent: Some(number), .. } = self.config.keys {
            cx.lend(&name_of(number), seen.clone());
        }
        seen
    }
}

/// The keys and values that queries see.
#[derive(Clone, Debug, Tree)]
enum Seen {
    Now { k: Array, v: Array },
    Cached { cache: KvCache },
}

/// The names of the keys and of the values of another text in the state of a pass.
const OF_MEMORY: [&str; 2] = ["memory_k", "memory_v"];

/// The name by which keys and values are lent.
fn name_of(number: usize) -> String {
    format!("keys_and_values.{number}")
}

impl DecoderAttention {
    /// The result for `x: [B,T,width]`.
    #[track_caller]
    pub(crate) fn mix(&self, x: &Array, beside: &Beside<'_>, cx: &mut Context) -> Array {
        let [batch, time, _] = x.shape()[..] else {
            let error = format!("the argument is {}, it must be [B,T,width]", x.ty());
            fail(Error::program(error).op("attention"))
        };
        let tokens = Tokens::of(cx, batch, time);
        let q = cx.call("q", &self.q, x);
        let q = self.normed(&q, "q_norm", self.q_norm.as_ref(), cx);
        let q = self.grown(self.turned(q, &tokens), &tokens);
        let Beside { memory, biases } = *beside;
        let seen = self.seen(x, memory, &tokens, cx);
        let mask = memory.and_then(|memory| memory.mask.as_ref());
        let options = AttentionOptions {
            causal: self.config.causal && memory.is_none(),
            window: self.config.reach().map(|seen| (seen - 1, 0)),
            scale: self.config.scale.map(StaticFloat::get),
            softcap: self.config.softcap.map(StaticFloat::get),
            sinks: self.sinks.as_ref().map(Variable::get),
            segments: if memory.is_none() { self.segments(&seen, &tokens) } else { None },
            bias: biases.cloned(),
            mask: mask.map(|mask| mask.ne(0).reshape(&[batch as isize, 1, 1, -1])),
            ..AttentionOptions::default()
        };
        let mixed = match &seen {
            Seen::Cached { cache } => cache.attend(&q, &tokens, &options),
            Seen::Now { k, v } => observed_attention(&q, k, v, options, cx),
        };
        let joined = mixed.reshape(&[batch, time, self.config.heads * self.config.head_width]);
        cx.call("out", &self.out, &joined)
    }
}

impl Module for DecoderAttention {
    #[track_caller]
    fn call(&self, x: &Array, cx: &mut Context) -> Array {
        self.mix(x, &Beside::default(), cx)
    }
}
