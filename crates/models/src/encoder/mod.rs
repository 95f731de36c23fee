//! Models that are no decoders: BERT, T5, ViT and ResNet. Transformers among them are made of the decoder's blocks.

mod bert;
mod resnet;
mod t5;
mod vit;

use jarrah_array::Result;
use jarrah_array::random::Key;
use jarrah_nn::Activation;

pub use bert::{Bert, BertConfig, BertPooling, MaskedHead, TokenTypes};
pub use resnet::{ConvNorm, ResNet, ResNetBlock, ResNetConfig};
pub use t5::{Memory, RelativePositions, T5, T5Block, T5Config, T5Stack};
pub use vit::{Vit, VitConfig};

use crate::family::Hf;
use crate::{AttentionConfig, DecoderBlock, DecoderConfig, LayerConfig, MlpConfig, NormKind, NormPlacement};

/// The layers of an encoder, by the entries that BERT's and ViT's `config.json` have in common; `attention` with its number and width of heads: each token sees
/// all others unless it is causal.
fn layers(c: &Hf<'_>, attention: AttentionConfig, placement: NormPlacement) -> Result<DecoderConfig> {
    let mlp = MlpConfig::Plain {
        hidden: c.count("intermediate_size")?,
        activation: c.activation("hidden_act", Activation::GELU_EXACT)?,
        bias: true,
    };
    let extents =
        [c.count_or("vocab_size", 1)?, c.count_or("max_position_embeddings", 1)?, c.count("hidden_size")?];
    let norm = c.norm(NormKind::Layer, 1e-12)?;
    let layers = vec![LayerConfig { attention: attention.into(), mlp, placement }; c.layers()?];
    Ok(DecoderConfig {
        tied: true,
        dropout: c.number_or("hidden_dropout_prob", 0.0)?.into(),
        ..DecoderConfig::new(extents, layers, norm)
    })
}

/// The blocks of an encoder.
fn blocks(config: &DecoderConfig, key: &Key) -> Vec<DecoderBlock> {
    let keys = key.split(config.layers.len());
    let made = config.layers.iter().zip(&keys);
    made.map(|(layer, key)| DecoderBlock::new(config, layer, key)).collect()
}

/// The number of classes of a classifier.
fn labels(c: &Hf<'_>) -> Result<usize> {
    let named = c.find("id2label").and_then(serde_json::Value::as_object).map(serde_json::Map::len);
    match named {
        Some(count) => Ok(count),
        None => c.count_or("num_labels", 2),
    }
}

/// The class that a `config.json` names first.
fn class<'a>(c: &Hf<'a>) -> &'a str {
    c.find("architectures").and_then(|classes| classes.get(0)?.as_str()).unwrap_or_default()
}
