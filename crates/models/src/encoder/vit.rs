//! ViT: pictures as sequences of patches.

use jarrah_array::random::Key;
use jarrah_array::{Array, DType, Error, Result, Tree, concatenate, fail};
use jarrah_nn::{
    Activation, Context, Conv, ConvPadding, Dropout, Initializer, Layer, Linear, Module, Variable,
};
use serde_json::Value;

use super::{blocks, class, labels, layers};
use crate::decoder::{linear, norm};
use crate::family::{Hf, Join, Row};
use crate::{Architecture, AttentionConfig, DecoderBlock, DecoderConfig, NormPlacement};

/// The shape of a [`Vit`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VitConfig {
    /// Its layers.
    pub layers: DecoderConfig,
    /// Height and width of pictures.
    pub size: [usize; 2],
    /// Height and width of patches.
    pub patch: [usize; 2],
    /// The channels of a picture.
    pub channels: usize,
    /// The width of the pooled state and the activation behind it, if the model has a pooler.
    pub pooler: Option<(usize, Activation)>,
    /// The number of classes.
    pub classes: Option<usize>,
}

/// A transformer over the patches of a picture, with one more place for the whole.
///
/// ```text
/// x = [class; patches(pixels)] + positions
/// x = block(x)                                   for each block
/// logits = norm(x)[0] W + b
/// ```
///
/// As a [`Module`] it maps pictures, floats `[B,height,width,channels]`, to logits `[B,classes]`, or, without a classifier, to the states `[B,N+1,width]`.
///
/// ```
/// use jarrah_array::{Array, random::Key};
/// use jarrah_models::{PretrainedModel, Vit};
/// use jarrah_nn::{Context, Module};
/// let json = serde_json::json!({
///     "model_type": "vit", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16,
///     "image_size": 8, "patch_size": 4, "num_labels": 3, "architectures": ["ViTForImageClassification"]});
/// let vit = PretrainedModel::<Vit>::random(json, &Key::new(0))?.model;
/// assert_eq!(vit.call(&Array::ones(&[2, 8, 8, 3]), &mut Context::eval()).shape(), [2, 3]);
/// # Ok::<(), jarrah_array::Error>(())
/// ```
///
/// Source: Dosovitskiy et al., An image is worth 16x16 words (2021).
#[derive(Clone, Debug, Tree)]
pub struct Vit {
    /// A patch to a state.
    pub patches: Conv,
    /// The state of the place for the whole, `[1,1,width]`.
    pub class: Variable,
    /// The embeddings of that place and of each patch, `[1,N+1,width]`.
    pub positions: Variable,
    /// The dropout on the embedded patches.
    pub dropout: Dropout,
    /// The blocks.
    pub blocks: Vec<DecoderBlock>,
    /// The last normalization.
    pub norm: Layer,
    /// The map of the first state behind the normalization.
    pub pooler: Option<Linear>,
    /// The activation behind the pooler.
    pub pooler_activation: Activation,
    /// `[width, classes]`.
    pub classifier: Option<Linear>,
}

impl Vit {
    /// The states `[B,N+1,width]` behind the last normalization.
    #[track_caller]
    pub fn hidden(&self, pixels: &Array, cx: &mut Context) -> Array {
        let patches = cx.call("patches", &self.patches, pixels);
        let shape = patches.shape();
        let [batch, rows, columns, width] = shape[..] else {
            let error = format!("pictures are {}, they must be [B, height, width, channels]", pixels.ty());
            fail(Error::program(error).op("vit"))
        };
        let patches = patches.reshape(&[batch, rows * columns, width]);
        let positions = self.positions.get();
        if positions.shape()[1] != rows * columns + 1 {
            let (found, known) = (rows * columns, positions.shape()[1] - 1);
            let error = format!("pictures {} have {found} patches, and there are {known}", pixels.ty());
            fail(
                Error::program(error).op("vit").help("give pictures of the size that the model was made for"),
            );
        }
        let class = self.class.get().broadcast_to(&[batch, 1, width]).astype(patches.dtype());
        let x = concatenate(&[&class, &patches], 1) + positions;
        let mut x = cx.call("dropout", &self.dropout, &x);
        for (i, block) in self.blocks.iter().enumerate() {
            x = cx.call(&format!("blocks.{i}"), block, &x);
        }
        cx.call("norm", &self.norm, &x)
    }

    /// The state of the whole picture as the pooler leaves it, `[B,width]`; without a pooler as it is.
    #[track_caller]
    pub fn pooled(&self, pixels: &Array, cx: &mut Context) -> Array {
        let first = self.hidden(pixels, cx).slice(1, 0..1).squeeze(1);
        match &self.pooler {
            Some(pooler) => self.pooler_activation.of(&cx.call("pooler", pooler, &first)),
            None => first,
        }
    }
}

impl Module for Vit {
    #[track_caller]
    fn call(&self, pixels: &Array, cx: &mut Context) -> Array {
        let x = self.hidden(pixels, cx);
        match &self.classifier {
            Some(classifier) => cx.call("classifier", classifier, &x.slice(1, 0..1).squeeze(1)),
            None => x,
        }
    }
}

/// An extent, or a pair of them, of a `config.json`.
fn pair(c: &Hf<'_>, name: &str, otherwise: usize) -> Result<[usize; 2]> {
    let sides = match c.find(name).and_then(Value::as_array).map(Vec::as_slice) {
        Some([rows, columns]) => [rows, columns].map(|x| x.as_u64().unwrap_or(0) as usize),
        _ => [c.count_or(name, otherwise)?; 2],
    };
    match sides.iter().all(|side| (1..1 << 16).contains(side)) {
        true => Ok(sides),
        false => Err(Error::input(format!("`{name}` of config.json is {sides:?}"))),
    }
}

impl Architecture for Vit {
    type Config = VitConfig;

    fn config(json: &Value) -> Result<VitConfig> {
        let c = Hf(json);
        c.is_kind("vit")?;
        let (size, patch) = (pair(&c, "image_size", 224)?, pair(&c, "patch_size", 16)?);
        if size.iter().zip(patch).any(|(size, patch)| *size < patch) {
            return Err(Error::input(format!("patches of {patch:?} in pictures of {size:?}")));
        }
        let heads = c.count("num_attention_heads")?;
        let attention = AttentionConfig {
            bias: c.flag("qkv_bias", true)?,
            out_bias: true,
            causal: false,
            ..AttentionConfig::new(heads, heads, c.head_width()?)
        };
        let layers = layers(&c, attention, NormPlacement::Before)?;
        layers.check()?;
        let classified = class(&c) == "ViTForImageClassification";
        let pooled = class(&c) == "ViTModel";
        // A width of 0 is none.
        let pooler_width = c.maybe_count("pooler_output_size")?.filter(|width| *width > 0);
        let pooler_width = pooler_width.unwrap_or(layers.width);
        let act = c.activation("pooler_act", Activation::TANH)?;
        Ok(VitConfig {
            size,
            patch,
            channels: c.count_or("num_channels", 3)?,
            pooler: pooled.then_some((pooler_width, act)),
            classes: if classified { Some(labels(&c)?) } else { None },
            layers,
        })
    }

    fn build(config: &VitConfig, key: &Key) -> Self {
        let keys = key.split(6);
        let width = config.layers.width;
        let count: usize = config.size.iter().zip(config.patch).map(|(size, patch)| size / patch).product();
        let normal = |key: &Key, shape: &[usize]| Initializer::normal(0.02).sample(key, shape, DType::F32);
        Vit {
            patches: Conv::new(&keys[0], config.channels, width, &config.patch)
                .with_strides(&config.patch)
                .with_padding(ConvPadding::Valid),
            class: normal(&keys[1], &[1, 1, width]).into(),
            positions: normal(&keys[2], &[1, count + 1, width]).into(),
            dropout: Dropout::new(config.layers.dropout.get()),
            blocks: blocks(&config.layers, &keys[3]),
            norm: norm(&config.layers.norm, width),
            pooler: config.pooler.map(|(outputs, _)| linear(&keys[4], width, outputs, true)),
            pooler_activation: config.pooler.map_or(Activation::TANH, |(_, activation)| activation),
            classifier: config.classes.map(|classes| linear(&keys[5], width, classes, true)),
        }
    }

    fn rows(_: &Value) -> Result<Vec<Row>> {
        Ok(NAMES.to_vec())
    }
}

/// The names of ViT's files.
const NAMES: &[Row] = &[
    Row::same("vit.embeddings.cls_token", "class"),
    Row::same("vit.embeddings.position_embeddings", "positions"),
    Row::joined("vit.embeddings.patch_embeddings.projection.weight", &["patches.weight"], Join::Filters),
    Row::same("vit.embeddings.patch_embeddings.projection.bias", "patches.bias"),
    Row::same("vit.encoder.layer.{}.layernorm_before.weight", "blocks.{}.attention_norm.scale"),
    Row::same("vit.encoder.layer.{}.layernorm_before.bias", "blocks.{}.attention_norm.bias"),
    Row::same("vit.encoder.layer.{}.attention.attention.query.weight", "blocks.{}.attention.q.weight"),
    Row::same("vit.encoder.layer.{}.attention.attention.query.bias", "blocks.{}.attention.q.bias"),
    Row::same("vit.encoder.layer.{}.attention.attention.key.weight", "blocks.{}.attention.k.weight"),
    Row::same("vit.encoder.layer.{}.attention.attention.key.bias", "blocks.{}.attention.k.bias"),
    Row::same("vit.encoder.layer.{}.attention.attention.value.weight", "blocks.{}.attention.v.weight"),
    Row::same("vit.encoder.layer.{}.attention.attention.value.bias", "blocks.{}.attention.v.bias"),
    Row::same("vit.encoder.layer.{}.attention.output.dense.weight", "blocks.{}.attention.out.weight"),
    Row::same("vit.encoder.layer.{}.attention.output.dense.bias", "blocks.{}.attention.out.bias"),
    Row::same("vit.encoder.layer.{}.layernorm_after.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("vit.encoder.layer.{}.layernorm_after.bias", "blocks.{}.mlp_norm.bias"),
    Row::same("vit.encoder.layer.{}.intermediate.dense.weight", "blocks.{}.mlp.up.weight"),
    Row::same("vit.encoder.layer.{}.intermediate.dense.bias", "blocks.{}.mlp.up.bias"),
    Row::same("vit.encoder.layer.{}.output.dense.weight", "blocks.{}.mlp.down.weight"),
    Row::same("vit.encoder.layer.{}.output.dense.bias", "blocks.{}.mlp.down.bias"),
    Row::same("vit.layernorm.weight", "norm.scale"),
    Row::same("vit.layernorm.bias", "norm.bias"),
    Row::same("vit.pooler.dense.weight", "pooler.weight"),
    Row::same("vit.pooler.dense.bias", "pooler.bias"),
    Row::same("classifier.weight", "classifier.weight"),
    Row::same("classifier.bias", "classifier.bias"),
];
