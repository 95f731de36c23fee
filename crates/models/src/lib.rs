//! Language models as trees of parameters.
//!
//! [`Decoder`] is the decoder of most families, declared part by part by a [`DecoderConfig`]; [`Pretrained`] is one from a folder of
//! Hugging Face, or on its way into one. [`Gpt`] is what `jarrah train` makes of a recipe.
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
mod block;
mod config;
mod decoder;
mod family;
mod files;
mod gpt;
mod language_model;
mod packed;
mod presets;
mod spec;

pub use block::Block;
pub use config::GptConfig;
pub use decoder::{
    AttentionConfig, AttentionKind, Decoder, DecoderAttention, DecoderBlock, DecoderConfig, ExpertsConfig,
    Growth, Keys, LayerConfig, LayerInput, LayerInputs, LayerInputsConfig, Layers, MlpAndExperts, MlpConfig,
    NormConfig, NormKind, Placement, QkNorm,
};
pub use family::Family;
pub use files::Pretrained;
pub use gpt::Gpt;
pub use language_model::LanguageModel;
pub use presets::{Extents, PRESETS};
pub use spec::{Base, LoraSpec, ModelSpec};
