//! T5: an encoder and a decoder of texts.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Result, Tree, concatenate, fail};
use jarrah_formats::Tensors;
use jarrah_nn::{
    Activation, Context, Dropout, Embedding, Initializer, KvCache, Layer, Linear, Module, State, StaticFloat,
    Tokens, Variable,
};
use serde_json::Value;

use crate::architecture::Again;
use crate::decoder::{Beside, linear, mlp, norm};
use crate::family::{Hf, Row, rows};
use crate::{Architecture, AttentionConfig, DecoderAttention, Keys, MlpConfig, NormConfig, NormKind};

pub use crate::decoder::Memory;

/// The shape of a [`T5`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct T5Config {
    /// The number of tokens.
    pub vocabulary: usize,
    /// The width of the residual streams.
    pub width: usize,
    /// The numbers of layers of the encoder and of the decoder.
    pub layers: [usize; 2],
    /// The layer that mixes positions; the decoder's own is causal.
    pub attention: AttentionConfig,
    /// The layer that acts on each position.
    pub mlp: MlpConfig,
    /// How many biases a head has for distances, and the distance from which on they are one.
    pub buckets: (usize, usize),
    /// The kind of all normalizations.
    pub norm: NormConfig,
    /// Whether the token embeddings are the output layer too.
    pub tied: bool,
    /// Whether states are scaled by `1 / sqrt(width)` before the output layer.
    pub scaled: bool,
    /// The token that the decoder begins with.
    pub start: usize,
    /// The rate of dropout.
    pub dropout: StaticFloat,
}

/// An encoder of one text and a decoder of another, which sees the first; positions are biases of attention's scores by distance.
///
/// ```text
/// memory  = encoder(embed[source])
/// logits  = scale decoder(embed[target], memory) head          or the embeddings' transpose
/// ```
///
/// As a [`Module`] it maps tokens, integers `[B,T]`, to the logits `[B,T,vocabulary]` by which it would write the same tokens; [`encode`](T5::encode) and
/// [`decode`](T5::decode) are for two texts, [`next`](T5::next) for one token after another.
///
/// ```
/// use jarrah_array::{Array, DType, random::Key};
/// use jarrah_models::{PretrainedModel, T5};
/// use jarrah_nn::{Context, Tokens};
/// let json = serde_json::json!({
///     "model_type": "t5", "vocab_size": 30, "d_model": 8, "d_kv": 4, "d_ff": 16, "num_layers": 1, "num_heads": 2});
/// let t5 = PretrainedModel::<T5>::random(json, &Key::new(0))?.model;
/// let mut cx = Context::eval();
/// let memory = t5.encode(&Array::new(&[5i32, 6, 7, 1], &[1, 4]), None, &mut cx);
/// let target = Array::new(&[0i32, 8, 9], &[1, 3]);
/// let logits = t5.decode(&target, &memory, &mut cx);
/// let cache = t5.init_cache(&memory, 8, DType::F32);
/// let start = target.slice(1, 0..1);
/// let (first, _) = t5.next(&start, &memory, &cache, &Tokens::next(&Array::scalar(0i32), &start));
/// assert!((logits.slice(1, 0..1) - first).abs().max(..).item::<f32>()? < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Raffel et al., Exploring the limits of transfer learning with a unified text-to-text transformer (2020).
#[derive(Clone, Debug, Tree)]
pub struct T5 {
    /// Token embeddings of both texts, `[vocabulary, width]`.
    pub embed: Embedding,
    /// The layers over the first text.
    pub encoder: T5Stack,
    /// The layers over the second text.
    pub decoder: T5Stack,
    /// The output layer, unless it is the token embeddings.
    pub head: Option<Linear>,
    /// The factor on states before the output layer.
    #[tree(static)]
    pub scale: Option<StaticFloat>,
    /// The token that the decoder begins with.
    #[tree(static)]
    pub start: usize,
}

/// The layers of one side of a [`T5`].
#[derive(Clone, Debug, Tree)]
pub struct T5Stack {
    /// The biases of scores, of all layers.
    pub positions: RelativePositions,
    /// The layers.
    pub blocks: Vec<T5Block>,
    /// The last normalization.
    pub norm: Layer,
    /// The dropout before the first layer and behind the last.
    pub dropout: Dropout,
}

/// A layer of a [`T5`]: `x += attention(norm(x))`, `x += cross(norm(x), memory)` in the decoder, `x += mlp(norm(x))`.
#[derive(Clone, Debug, Tree)]
pub struct T5Block {
    /// The normalization before attention.
    pub attention_norm: Layer,
    /// Self-attention, which mixes positions.
    pub attention: DecoderAttention,
    /// The normalization before the attention to the other text.
    pub cross_norm: Option<Layer>,
    /// The attention to the other text.
    pub cross: Option<DecoderAttention>,
    /// The normalization before the MLP.
    pub mlp_norm: Layer,
    /// The MLP, which acts on each position.
    pub mlp: Layer,
    /// The dropout on all summands.
    pub dropout: Dropout,
}

/// A bias for each head by the distance of query and key, in buckets that are exact for near ones and logarithmic beyond.
///
/// Source: Raffel et al. (2020), section 2.1.
#[derive(Clone, Debug, Tree)]
pub struct RelativePositions {
    /// `[buckets, heads]`.
    pub table: Variable,
    /// The distance from which on there is one bucket.
    #[tree(static)]
    pub farthest: usize,
    /// Whether keys behind the query have buckets of their own, half of them.
    #[tree(static)]
    pub both_sides: bool,
}

impl RelativePositions {
    /// The biases `[B,heads,T,S]` of queries at positions `[B,T]` for keys at positions `0..keys`.
    #[track_caller]
    pub fn biases(&self, queries: &Array, keys: usize) -> Array {
        let buckets = self.table.shape()[0];
        let half = if self.both_sides { buckets / 2 } else { buckets };
        let exact = half / 2;
        // The bucket of each distance, in f32 as the files were trained.
        let bucket = |distance: usize| {
            if distance < exact {
                return distance as i32;
            }
            let share = (distance as f32 / exact as f32).ln() / (self.farthest as f32 / exact as f32).ln();
            (exact + (share * (half - exact) as f32) as usize).min(half - 1) as i32
        };
        let table: Vec<i32> = (0..=self.farthest).map(bucket).collect();
        let table = Array::from_slice(&table);
        let by = Array::arange(keys as i32) - queries.astype(DType::I32).expand_dims(-1);
        let distance = if self.both_sides { by.abs() } else { (-&by).maximum(0) };
        let mut at = table.take(&distance.minimum(self.farthest as i32), 0);
        if self.both_sides {
            at += by.gt(0).astype(DType::I32) * half as i32;
        }
        self.table.rows(&at).transpose(&[0, 3, 1, 2])
    }
}

impl T5Block {
    fn new(config: &T5Config, decodes: bool, key: &Key) -> Self {
        let keys = key.split(3);
        let attention = |key: &Key, causal: bool| {
            let attention = AttentionConfig { causal, ..config.attention.clone() };
            DecoderAttention::new(&attention, config.width, &config.norm, key)
        };
        let norm = || norm(&config.norm, config.width);
        T5Block {
            attention_norm: norm(),
            attention: attention(&keys[0], decodes),
            cross_norm: decodes.then(norm),
            cross: decodes.then(|| attention(&keys[1], false)),
            mlp_norm: norm(),
            mlp: mlp(&config.mlp, config.width, &config.norm, &keys[2]),
            dropout: Dropout::new(config.dropout.get()),
        }
    }

    #[track_caller]
    fn call(&self, x: &Array, biases: &Array, memory: Option<&Memory>, cx: &mut Context) -> Array {
        let normed = cx.call("attention_norm", &self.attention_norm, x);
        let beside = Beside { biases: Some(biases), memory: None };
        let mixed = cx.call_with("attention", |cx| self.attention.mix(&normed, &beside, cx));
        let mut x = x + cx.call("dropout", &self.dropout, &mixed);
        if let (Some(norm), Some(cross), Some(memory)) = (&self.cross_norm, &self.cross, memory) {
            let normed = cx.call("cross_norm", norm, &x);
            let beside = Beside { biases: None, memory: Some(memory) };
            let mixed = cx.call_with("cross", |cx| cross.mix(&normed, &beside, cx));
            x += cx.call("dropout", &self.dropout, &mixed);
        }
        let normed = cx.call("mlp_norm", &self.mlp_norm, &x);
        let fed = cx.call("mlp", &self.mlp, &normed);
        &x + cx.call("dropout", &self.dropout, &fed)
    }
}

impl T5Stack {
    fn new(config: &T5Config, decodes: bool, key: &Key) -> Self {
        let keys = key.split(config.layers[usize::from(decodes)] + 1);
        let shape = [config.buckets.0, config.attention.heads];
        T5Stack {
            positions: RelativePositions {
                table: Initializer::normal(0.02).sample(&keys[0], &shape, DType::F32).into(),
                farthest: config.buckets.1,
                both_sides: !decodes,
            },
            blocks: keys[1..].iter().map(|key| T5Block::new(config, decodes, key)).collect(),
            norm: norm(&config.norm, config.width),
            dropout: Dropout::new(config.dropout.get()),
        }
    }

    /// The states of `x: [B,T,width]`.
    #[track_caller]
    fn call(&self, x: &Array, memory: Option<&Memory>, cx: &mut Context) -> Array {
        let time = x.shape()[1];
        let cached = cx.enter("blocks.0.attention", |cx| cx.state::<KvCache>("cache"));
        let (queries, keys) = match (cached, cx.about::<Tokens>()) {
            (Some(cache), Some(tokens)) if tokens.seen.is_some() => {
                (tokens.positions.clone(), cache.length())
            }
            // Distances are all that counts.
            _ => (Tokens::first(1, time).positions, time),
        };
        let biases = self.positions.biases(&queries, keys);
        let mut x = cx.call("dropout", &self.dropout, x);
        for (i, block) in self.blocks.iter().enumerate() {
            x = cx.call_with(&format!("blocks.{i}"), |cx| block.call(&x, &biases, memory, cx));
        }
        let x = cx.call("norm", &self.norm, &x);
        cx.call("dropout", &self.dropout, &x)
    }
}

impl T5 {
    /// The encoder's states of the text `tokens`, integers `[B,T]`, for the decoder to attend to.
    ///
    /// * `mask`: `[B,T]`, 0 at padding
    #[track_caller]
    pub fn encode(&self, tokens: &Array, mask: Option<&Array>, cx: &mut Context) -> Memory {
        let x = cx.call("embed", &self.embed, tokens);
        // The other text has positions and segments of its own.
        let [batch, time] = tokens.shape()[..] else {
            let error = format!("tokens are {}, they must be integers [B,T]", tokens.ty());
            fail(Error::program(error).op("t5"))
        };
        let own = mask.map_or_else(|| Tokens::first(batch, time), Tokens::masked);
        let states = cx.telling(own, |cx| cx.call_with("encoder", |cx| self.encoder.call(&x, None, cx)));
        Memory { states, mask: mask.cloned() }
    }

    /// The logits `[B,T,vocabulary]` that follow each of the tokens of the second text, integers `[B,T]`.
    #[track_caller]
    pub fn decode(&self, tokens: &Array, memory: &Memory, cx: &mut Context) -> Array {
        let x = cx.call("embed", &self.embed, tokens);
        let x = cx.call_with("decoder", |cx| self.decoder.call(&x, Some(memory), cx));
        let x = self.scale.map_or_else(|| x.clone(), |scale| &x * scale.get());
        match &self.head {
            Some(head) => cx.call("head", head, &x),
            None => cx.call_with("head", |_| self.embed.attend(&x)),
        }
    }

    /// Caches for [`next`](Self::next): of the first text its keys and values, of the second room for `length` tokens in `dtype`.
    #[track_caller]
    pub fn init_cache(&self, memory: &Memory, length: usize, dtype: DType) -> State {
        let mut cx = Context::eval();
        for (i, block) in self.decoder.blocks.iter().enumerate() {
            if let Some(cross) = &block.cross {
                cx.enter(&format!("decoder.blocks.{i}.cross"), |cx| cross.keep(memory, cx));
            }
            let AttentionConfig { groups, head_width, .. } = block.attention.config;
            let cache = KvCache::new(memory.states.shape()[0], length, groups, head_width, dtype);
            cx.set(&format!("decoder.blocks.{i}.attention.cache"), cache);
        }
        cx.updates()
    }

    /// As [`decode`](Self::decode) for the next tokens of texts whose earlier tokens `cache` has seen, and the cache that has seen these too.
    #[track_caller]
    pub fn next(&self, tokens: &Array, memory: &Memory, cache: &State, at: &Tokens) -> (Array, State) {
        let mut cx = Context::eval().with_state(cache).with(at.clone());
        let logits = self.decode(tokens, memory, &mut cx);
        (logits, cache.merged(&cx.updates()))
    }

    /// The tokens that the decoder is given so that it writes these: the first one before them, the last one left out.
    #[track_caller]
    pub fn shifted(&self, tokens: &Array) -> Array {
        let (batch, time) = (tokens.shape()[0], tokens.shape()[1]);
        let start = Array::full(&[batch, 1], self.start as f64, tokens.dtype());
        concatenate(&[&start, &tokens.slice(1, 0..time - 1)], 1)
    }
}

impl Module for T5 {
    #[track_caller]
    fn call(&self, tokens: &Array, cx: &mut Context) -> Array {
        if cx.about::<Tokens>().is_some_and(|tokens| tokens.segments.is_some() || tokens.seen.is_some()) {
            let error = "the pass says where tokens stand, and not of which of the two texts";
            fail(Error::program(error).op("t5").help("call `encode` with a mask, and `decode` or `next`"));
        }
        let memory = self.encode(tokens, None, cx);
        self.decode(&self.shifted(tokens), &memory, cx)
    }
}

impl Architecture for T5 {
    type Config = T5Config;

    fn config(json: &Value) -> Result<T5Config> {
        let c = Hf(json);
        c.is_kind("t5")?;
        let (width, heads, layers) = (c.count("d_model")?, c.count("num_heads")?, c.layers_at("num_layers")?);
        let decoder = match c.maybe_count("num_decoder_layers")? {
            Some(_) => c.layers_at("num_decoder_layers")?,
            None => layers,
        };
        let attention = AttentionConfig {
            heads,
            groups: heads,
            head_width: c.count("d_kv")?,
            bias: false,
            out_bias: false,
            qk_norm: None,
            keys: Keys::Own,
            rope: None,
            causal: false,
            window: None,
            chunk: None,
            growth: None,
            scale: Some(1.0.into()),
            softcap: None,
            sinks: false,
        };
        let hidden = c.count("d_ff")?;
        let activation = c.activation("dense_act_fn", activation(&c)?)?;
        let mlp = match is_gated(&c)? {
            true => MlpConfig::Gated { hidden, activation, bias: false },
            false => MlpConfig::Plain { hidden, activation, bias: false },
        };
        let buckets = c.count_or("relative_attention_num_buckets", 32)?;
        let farthest = c.count_or("relative_attention_max_distance", 128)?;
        let extents = [width, heads, attention.head_width, hidden];
        if extents.contains(&0) || buckets < 4 || farthest <= buckets / 2 || farthest > 1 << 20 {
            return Err(Error::input(format!(
                "config.json has extents {extents:?} and {buckets} buckets for distances up to {farthest}"
            )));
        }
        // Files without an output layer have the embeddings in its place, whatever they say: see `fit`.
        let tied = c.flag("tie_word_embeddings", true)?;
        Ok(T5Config {
            vocabulary: c.count("vocab_size")?,
            width,
            layers: [layers, decoder],
            attention,
            mlp,
            buckets: (buckets, farthest),
            norm: NormConfig {
                kind: NormKind::Rms,
                epsilon: c.number_or("layer_norm_epsilon", 1e-6)?.into(),
            },
            tied,
            scaled: c.flag("scale_decoder_outputs", tied)?,
            start: c.count_or("decoder_start_token_id", c.count_or("pad_token_id", 0)?)?,
            dropout: c.number_or("dropout_rate", 0.1)?.into(),
        })
    }

    fn build(config: &T5Config, key: &Key) -> Self {
        let keys = key.split(4);
        let (vocabulary, width) = (config.vocabulary, config.width);
        T5 {
            embed: Embedding::with(&keys[0], vocabulary, width, Initializer::normal(0.02)),
            encoder: T5Stack::new(config, false, &keys[1]),
            decoder: T5Stack::new(config, true, &keys[2]),
            head: (!config.tied).then(|| linear(&keys[3], width, vocabulary, false)),
            scale: config.scaled.then(|| (1.0 / (width as f64).sqrt()).into()),
            start: config.start,
        }
    }

    fn rows(json: &Value) -> Result<Vec<Row>> {
        Ok(if is_gated(&Hf(json))? { rows(&[NAMES, GATED]) } else { NAMES.to_vec() })
    }

    fn again(_: &T5Config) -> &'static [Again] {
        &[Again {
            name: "shared.weight",
            others: &["encoder.embed_tokens.weight", "decoder.embed_tokens.weight"],
            others_first: false,
        }]
    }

    fn fit(config: &mut T5Config, files: &Tensors) -> Result<Vec<(String, String)>> {
        config.tied |= files.find("lm_head.weight").is_none();
        Ok(Vec::new())
    }
}

/// Whether the MLPs have gates: `is_gated_act` where a file has it, else as `feed_forward_proj` says.
fn is_gated(c: &Hf<'_>) -> Result<bool> {
    let said = c.find("feed_forward_proj").and_then(Value::as_str).unwrap_or_default();
    c.flag("is_gated_act", said.starts_with("gated-"))
}

/// The activation that `feed_forward_proj` names.
fn activation(c: &Hf<'_>) -> Result<Activation> {
    let said = c.find("feed_forward_proj").and_then(Value::as_str).unwrap_or("relu");
    let name = match said.strip_prefix("gated-") {
        // The first files mean GELU by `tanh`.
        Some("gelu") => "gelu_new",
        Some(name) => name,
        None => said,
    };
    Activation::named(name).ok_or_else(|| {
        let error = format!("`feed_forward_proj` of config.json is `{said}`");
        Error::input(error).help(format!("known are {}", Activation::NAMES.join(", ")))
    })
}

/// The names of T5's files.
const NAMES: &[Row] = &[
    Row::same("shared.weight", "embed.table"),
    Row::same("encoder.block.{}.layer.0.SelfAttention.q.weight", "encoder.blocks.{}.attention.q.weight"),
    Row::same("encoder.block.{}.layer.0.SelfAttention.k.weight", "encoder.blocks.{}.attention.k.weight"),
    Row::same("encoder.block.{}.layer.0.SelfAttention.v.weight", "encoder.blocks.{}.attention.v.weight"),
    Row::same("encoder.block.{}.layer.0.SelfAttention.o.weight", "encoder.blocks.{}.attention.out.weight"),
    Row::same(
        "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        "encoder.positions.table",
    ),
    Row::same("encoder.block.{}.layer.0.layer_norm.weight", "encoder.blocks.{}.attention_norm.scale"),
    Row::same("encoder.block.{}.layer.1.DenseReluDense.wi.weight", "encoder.blocks.{}.mlp.up.weight"),
    Row::same("encoder.block.{}.layer.1.DenseReluDense.wo.weight", "encoder.blocks.{}.mlp.down.weight"),
    Row::same("encoder.block.{}.layer.1.layer_norm.weight", "encoder.blocks.{}.mlp_norm.scale"),
    Row::same("encoder.final_layer_norm.weight", "encoder.norm.scale"),
    Row::same("decoder.block.{}.layer.0.SelfAttention.q.weight", "decoder.blocks.{}.attention.q.weight"),
    Row::same("decoder.block.{}.layer.0.SelfAttention.k.weight", "decoder.blocks.{}.attention.k.weight"),
    Row::same("decoder.block.{}.layer.0.SelfAttention.v.weight", "decoder.blocks.{}.attention.v.weight"),
    Row::same("decoder.block.{}.layer.0.SelfAttention.o.weight", "decoder.blocks.{}.attention.out.weight"),
    Row::same(
        "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        "decoder.positions.table",
    ),
    Row::same("decoder.block.{}.layer.0.layer_norm.weight", "decoder.blocks.{}.attention_norm.scale"),
    Row::same("decoder.block.{}.layer.1.EncDecAttention.q.weight", "decoder.blocks.{}.cross.q.weight"),
    Row::same("decoder.block.{}.layer.1.EncDecAttention.k.weight", "decoder.blocks.{}.cross.k.weight"),
    Row::same("decoder.block.{}.layer.1.EncDecAttention.v.weight", "decoder.blocks.{}.cross.v.weight"),
    Row::same("decoder.block.{}.layer.1.EncDecAttention.o.weight", "decoder.blocks.{}.cross.out.weight"),
    Row::same("decoder.block.{}.layer.1.layer_norm.weight", "decoder.blocks.{}.cross_norm.scale"),
    Row::same("decoder.block.{}.layer.2.DenseReluDense.wi.weight", "decoder.blocks.{}.mlp.up.weight"),
    Row::same("decoder.block.{}.layer.2.DenseReluDense.wo.weight", "decoder.blocks.{}.mlp.down.weight"),
    Row::same("decoder.block.{}.layer.2.layer_norm.weight", "decoder.blocks.{}.mlp_norm.scale"),
    Row::same("decoder.final_layer_norm.weight", "decoder.norm.scale"),
    Row::same("lm_head.weight", "head.weight"),
];

/// Where models with gated MLPs differ.
const GATED: &[Row] = &[
    Row::same("encoder.block.{}.layer.1.DenseReluDense.wi_0.weight", "encoder.blocks.{}.mlp.gate.weight"),
    Row::same("encoder.block.{}.layer.1.DenseReluDense.wi_1.weight", "encoder.blocks.{}.mlp.up.weight"),
    Row::same("decoder.block.{}.layer.2.DenseReluDense.wi_0.weight", "decoder.blocks.{}.mlp.gate.weight"),
    Row::same("decoder.block.{}.layer.2.DenseReluDense.wi_1.weight", "decoder.blocks.{}.mlp.up.weight"),
];
