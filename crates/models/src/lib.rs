//! Models as trees of parameters.
//!
//! [`Decoder`] is the decoder of most families, declared part by part by a [`DecoderConfig`]; [`Pretrained`] is one from a folder of
//! Hugging Face or a GGUF file, or on its way into one. [`Bert`], [`T5`], [`Vit`] and [`ResNet`] are other kinds, which [`PretrainedModel`] holds
//! likewise. [`ModelSpec`] is the model of a run of `jarrah train`, as data. [`Gpt`] is GPT-2's decoder alone, written by hand.
//!
//! ```
//! use jarrah_array::{Array, random::Key};
//! use jarrah_models::{Gpt, GptConfig};
//! let config = GptConfig { vocabulary: 16, context: 8, layers: 1, heads: 2, width: 8, ..GptConfig::default() };
//! let model = Gpt::init(config, &Key::new(0));
//! let tokens = Array::new(&[1i32, 2, 3, 4], &[1, 4]);
//! assert_eq!(model.logits(&tokens, None).shape(), [1, 4, 16]);
//! ```

mod adapters;
mod any;
mod architecture;
mod block;
mod calibrate;
mod config;
mod decoder;
mod deferred;
mod encoder;
mod family;
mod files;
mod gguf;
mod gpt;
mod held;
mod outline;
mod packed;
mod presets;
mod reader;
mod rules;
mod spec;
mod spelling;

pub use adapters::{AdapterChange, read_adapter};
pub use any::AnyConfig;
pub use architecture::Architecture;
pub use block::Block;
pub use calibrate::{Calibrated, Calibrator};
pub use config::GptConfig;
pub use decoder::{
    AttentionConfig, AttentionKind, CachedLayer, Decoder, DecoderAttention, DecoderBlock, DecoderConfig,
    ExpertsConfig, Growth, Keys, LayerConfig, LayerInput, LayerInputs, LayerInputsConfig, Layers,
    MlpAndExperts, MlpConfig, MtpConfig, MtpModule, NormConfig, NormKind, Placement, QkNorm, later,
};
pub use deferred::Deferred;
pub use encoder::{
    Bert, BertConfig, ConvNorm, MaskedHead, Memory, Pooling, RelativePositions, ResNet, ResNetBlock,
    ResNetConfig, T5, T5Block, T5Config, T5Stack, TokenTypes, Vit, VitConfig,
};
pub use family::{Family, say_dtype};
pub use files::{LoadAs, Pretrained, PretrainedModel};
pub use gpt::Gpt;
pub use held::Held;
pub use outline::Outline;
pub use packed::method_name as quantization_method;
pub use presets::{Extents, PRESETS};
pub use rules::QuantizeRules;
pub use spec::{Base, LoraSpec, ModelSpec, averaged};
