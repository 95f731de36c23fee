//! BERT and sentence embeddings.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Result, Tree};
use jarrah_nn::{
    Activation, Context, Dropout, Embedding, Initializer, Layer, LayerNorm, Linear, Module, Tokens, Variable,
};
use serde_json::Value;

use super::{blocks, class, labels, layers};
use crate::architecture::Again;
use crate::decoder::{linear, norm};
use crate::family::{Hf, Row};
use crate::{Architecture, AttentionConfig, DecoderBlock, DecoderConfig, NormPlacement};

/// The shape of a [`Bert`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BertConfig {
    /// The shape of its layers, and the numbers of tokens and positions.
    pub layers: DecoderConfig,
    /// The number of types of tokens.
    pub types: usize,
    /// Whether the first token's state goes through a map of its own.
    pub pooler: bool,
    /// Whether it says which tokens are hidden by masks.
    pub masked: bool,
    /// The number of classes of the classifier, of the whole text where there is a pooler, else of each token.
    pub classes: Option<usize>,
}

/// The types of the tokens of a pass, integers `[B,T]`, which a [`Bert`] finds by [`Context::about`]. Without them, all types
/// are 0.
#[derive(Clone, Debug)]
pub struct TokenTypes(pub Array);

/// How a text becomes one vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BertPooling {
    /// The mean of its tokens.
    Mean,
    /// The state of its first token.
    First,
}

/// An encoder of texts: embeddings of tokens, positions and types, then layers that normalize sums.
///
/// ```text
/// x = norm(embed[tokens] + positions[0..T] + types[..])
/// x = norm(x + attention(x));  x = norm(x + mlp(x))        for each block
/// ```
///
/// As a [`Module`] it maps tokens, integers `[B,T]`, to what its head says: logits `[B,T,vocabulary]` of masked tokens, logits of classes, or, without a head,
/// the states `[B,T,width]`. [`Tokens::masked`] in the pass says which tokens only fill up.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_models::{Bert, BertPooling, PretrainedModel};
/// use jarrah_nn::Context;
/// let json = serde_json::json!({
///     "model_type": "bert", "vocab_size": 30, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2,
///     "intermediate_size": 16, "max_position_embeddings": 16, "architectures": ["BertModel"]});
/// let bert = PretrainedModel::<Bert>::random(json, &Key::new(0))?.model;
/// let (tokens, mask) = (Array::new(&[1i32, 2, 3, 4, 5, 0], &[2, 3]), Array::new(&[1i32, 1, 1, 1, 1, 0], &[2, 3]));
/// let y = bert.embeddings(&tokens, &mask, BertPooling::Mean, &mut Context::eval());
/// assert_eq!(y.shape(), [2, 8]);
/// assert!((y.square().sum(..).item::<f32>()? - 2.0).abs() < 1e-5);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Devlin et al., BERT (2019); of the vectors, Reimers and Gurevych, Sentence-BERT (2019).
#[derive(Clone, Debug, Tree)]
pub struct Bert {
    /// Token embeddings, `[vocabulary, width]`.
    pub embed: Embedding,
    /// Position embeddings, `[context, width]`.
    pub positions: Embedding,
    /// Embeddings of types, `[types, width]`.
    pub types: Embedding,
    /// The normalization of the sum of the embeddings.
    pub embed_norm: Layer,
    /// The dropout on the normalized sum.
    pub dropout: Dropout,
    /// The blocks.
    pub blocks: Vec<DecoderBlock>,
    /// The map of the first token's state, `[width, width]`, followed by `tanh`.
    pub pooler: Option<Linear>,
    /// Which tokens are hidden by masks.
    pub head: Option<MaskedHead>,
    /// `[width, classes]`.
    pub classifier: Option<Linear>,
}

/// The head of a model of masked tokens: `norm(activation(x W + b)) embed^T + bias`, or with `output` in the place of `embed^T`.
#[derive(Clone, Debug, Tree)]
pub struct MaskedHead {
    /// `[width, width]`.
    pub transform: Linear,
    /// The activation behind `transform`.
    pub activation: Activation,
    /// The normalization behind the activation.
    pub norm: Layer,
    /// The output layer, `[width, vocabulary]`, unless it is the token embeddings.
    pub output: Option<Linear>,
    /// `[vocabulary]`.
    pub bias: Variable,
}

impl Bert {
    /// The states `[B,T,width]` of the last layer.
    #[track_caller]
    pub fn hidden(&self, tokens: &Array, cx: &mut Context) -> Array {
        let shape = tokens.shape();
        let (batch, time) = (shape[0], shape[1]);
        let at = Tokens::of(cx, batch, time).positions;
        let types = match cx.about::<TokenTypes>() {
            Some(types) => types.0.clone(),
            None => Array::zeros(&[batch, time]).astype(DType::I32),
        };
        let x = cx.call("embed", &self.embed, tokens) + cx.call("types", &self.types, &types);
        let x = x + cx.call("positions", &self.positions, &at);
        let x = cx.call("embed_norm", &self.embed_norm, &x);
        let mut x = cx.call("dropout", &self.dropout, &x);
        for (i, block) in self.blocks.iter().enumerate() {
            x = cx.call(&format!("blocks.{i}"), block, &x);
        }
        x
    }

    /// The number of classes of a text, where there is a classifier of texts.
    pub fn classes(&self) -> Option<usize> {
        let classifier = self.classifier.as_ref().filter(|_| self.pooler.is_some());
        classifier.map(|classifier| classifier.weight.shape()[1])
    }

    /// The logits `[B,classes]` of each text for the states `[B,T,width]` of its tokens, where there is a classifier of texts.
    #[track_caller]
    pub fn classes_of(&self, states: &Array, cx: &mut Context) -> Option<Array> {
        let (pooler, classifier) = (self.pooler.as_ref()?, self.classifier.as_ref()?);
        let first = states.slice(1, 0..1).squeeze(1);
        let x = cx.call("pooler", pooler, &first).tanh();
        let x = cx.call("dropout", &self.dropout, &x);
        Some(cx.call("classifier", classifier, &x))
    }

    /// A vector of length one for each text, `[B,width]`.
    ///
    /// * `mask`: `[B,T]`, 0 where a token only fills up
    #[track_caller]
    pub fn embeddings(&self, tokens: &Array, mask: &Array, pooling: BertPooling, cx: &mut Context) -> Array {
        let x = cx.telling(Tokens::masked(mask), |cx| self.hidden(tokens, cx));
        let x = match pooling {
            BertPooling::First => x.slice(1, 0..1).squeeze(1),
            BertPooling::Mean => {
                let real = mask.ne(0).astype(x.dtype()).expand_dims(-1);
                (x * &real).sum(1) / real.sum(1).maximum(1e-9)
            }
        };
        let length = x.square().sum(&[-1][..]).sqrt().maximum(1e-12).expand_dims(-1);
        x / length
    }
}

impl Module for Bert {
    #[track_caller]
    fn call(&self, tokens: &Array, cx: &mut Context) -> Array {
        let x = self.hidden(tokens, cx);
        if let Some(classes) = self.classes_of(&x, cx) {
            return classes;
        }
        if let Some(classifier) = &self.classifier {
            let x = cx.call("dropout", &self.dropout, &x);
            return cx.call("classifier", classifier, &x);
        }
        match &self.head {
            None => x,
            Some(head) => cx.call_with("head", |cx| {
                let y = head.activation.of(&cx.call("transform", &head.transform, &x));
                let y = cx.call("norm", &head.norm, &y);
                let logits = match &head.output {
                    Some(output) => cx.call("output", output, &y),
                    None => self.embed.attend(&y),
                };
                logits + head.bias.get()
            }),
        }
    }
}

impl Architecture for Bert {
    type Config = BertConfig;

    fn config(json: &Value) -> Result<BertConfig> {
        let c = Hf(json);
        c.is_kind("bert")?;
        let kind = class(&c);
        let heads = c.count("num_attention_heads")?;
        let attention = AttentionConfig {
            bias: true,
            out_bias: true,
            // A BERT that is a decoder sees the tokens before each alone.
            causal: c.flag("is_decoder", false)?,
            ..AttentionConfig::new(heads, heads, c.head_width_of("hidden_size", "num_attention_heads")?)
        };
        let tied = c.flag("tie_word_embeddings", true)?;
        let config = BertConfig {
            layers: DecoderConfig { tied, ..layers(&c, attention, NormPlacement::Sum)? },
            types: c.count_or("type_vocab_size", 2)?,
            pooler: !matches!(kind, "BertForMaskedLM" | "BertForTokenClassification"),
            masked: matches!(kind, "BertForMaskedLM" | "BertForPreTraining"),
            classes: match kind {
                "BertForSequenceClassification" | "BertForTokenClassification" => Some(labels(&c)?),
                _ => None,
            },
        };
        config.layers.check()?;
        if config.types == 0 {
            return Err(Error::input("`type_vocab_size` of config.json must be at least 1"));
        }
        Ok(config)
    }

    fn build(config: &BertConfig, key: &Key) -> Self {
        let keys = key.split(7);
        let DecoderConfig { width, vocabulary, context, .. } = config.layers;
        let embed = |key: &Key, count: usize| Embedding::with(key, count, width, Initializer::normal(0.02));
        let activation = match config.layers.layers[0].mlp {
            crate::MlpConfig::Plain { activation, .. } => activation,
            _ => Activation::GELU_EXACT,
        };
        Bert {
            embed: embed(&keys[0], vocabulary),
            positions: embed(&keys[1], context),
            types: embed(&keys[2], config.types),
            embed_norm: LayerNorm::new(width, config.layers.norm.epsilon.get()).into(),
            dropout: Dropout::new(config.layers.dropout.get()),
            blocks: blocks(&config.layers, &keys[3]),
            pooler: config.pooler.then(|| linear(&keys[4], width, width, true)),
            head: config.masked.then(|| MaskedHead {
                transform: linear(&keys[5], width, width, true),
                activation,
                norm: norm(&config.layers.norm, width),
                output: (!config.layers.tied).then(|| linear(&keys[5].split(2)[1], width, vocabulary, false)),
                bias: Array::zeros(&[vocabulary]).into(),
            }),
            classifier: config.classes.map(|classes| linear(&keys[6], width, classes, true)),
        }
    }

    fn rows(_: &Value) -> Result<Vec<Row>> {
        Ok(NAMES.to_vec())
    }

    fn again(_: &BertConfig) -> &'static [Again] {
        // Models of transformers have both, and compute with the bias of the output layer.
        &[Again {
            name: "cls.predictions.bias",
            others: &["cls.predictions.decoder.bias"],
            others_first: true,
        }]
    }
}

/// The names of BERT's files.
const NAMES: &[Row] = &[
    Row::same("bert.embeddings.word_embeddings.weight", "embed.table"),
    Row::same("bert.embeddings.position_embeddings.weight", "positions.table"),
    Row::same("bert.embeddings.token_type_embeddings.weight", "types.table"),
    Row::same("bert.embeddings.LayerNorm.weight", "embed_norm.scale"),
    Row::same("bert.embeddings.LayerNorm.bias", "embed_norm.bias"),
    Row::same("bert.encoder.layer.{}.attention.self.query.weight", "blocks.{}.attention.q.weight"),
    Row::same("bert.encoder.layer.{}.attention.self.query.bias", "blocks.{}.attention.q.bias"),
    Row::same("bert.encoder.layer.{}.attention.self.key.weight", "blocks.{}.attention.k.weight"),
    Row::same("bert.encoder.layer.{}.attention.self.key.bias", "blocks.{}.attention.k.bias"),
    Row::same("bert.encoder.layer.{}.attention.self.value.weight", "blocks.{}.attention.v.weight"),
    Row::same("bert.encoder.layer.{}.attention.self.value.bias", "blocks.{}.attention.v.bias"),
    Row::same("bert.encoder.layer.{}.attention.output.dense.weight", "blocks.{}.attention.out.weight"),
    Row::same("bert.encoder.layer.{}.attention.output.dense.bias", "blocks.{}.attention.out.bias"),
    Row::same(
        "bert.encoder.layer.{}.attention.output.LayerNorm.weight",
        "blocks.{}.attention_post_norm.scale",
    ),
    Row::same("bert.encoder.layer.{}.attention.output.LayerNorm.bias", "blocks.{}.attention_post_norm.bias"),
    Row::same("bert.encoder.layer.{}.intermediate.dense.weight", "blocks.{}.mlp.up.weight"),
    Row::same("bert.encoder.layer.{}.intermediate.dense.bias", "blocks.{}.mlp.up.bias"),
    Row::same("bert.encoder.layer.{}.output.dense.weight", "blocks.{}.mlp.down.weight"),
    Row::same("bert.encoder.layer.{}.output.dense.bias", "blocks.{}.mlp.down.bias"),
    Row::same("bert.encoder.layer.{}.output.LayerNorm.weight", "blocks.{}.mlp_post_norm.scale"),
    Row::same("bert.encoder.layer.{}.output.LayerNorm.bias", "blocks.{}.mlp_post_norm.bias"),
    Row::same("bert.pooler.dense.weight", "pooler.weight"),
    Row::same("bert.pooler.dense.bias", "pooler.bias"),
    Row::same("cls.predictions.transform.dense.weight", "head.transform.weight"),
    Row::same("cls.predictions.transform.dense.bias", "head.transform.bias"),
    Row::same("cls.predictions.transform.LayerNorm.weight", "head.norm.scale"),
    Row::same("cls.predictions.transform.LayerNorm.bias", "head.norm.bias"),
    Row::same("cls.predictions.decoder.weight", "head.output.weight"),
    Row::same("cls.predictions.bias", "head.bias"),
    Row::same("classifier.weight", "classifier.weight"),
    Row::same("classifier.bias", "classifier.bias"),
];
