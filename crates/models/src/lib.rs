//! Models as trees of parameters.
//!
//! [`Decoder`] is the decoder of most families, declared part by part by a [`DecoderConfig`]; [`Pretrained`] is one from a folder of
//! Hugging Face or a GGUF file, or on its way into one. [`Bert`], [`T5`], [`Vit`] and [`ResNet`] are other kinds, which [`PretrainedModel`] holds
//! likewise. [`ModelSpec`] is the model of a run of `jarrah train`, as data.
//!
//! ```
//! use jarrah_array::{Array, random::Key, value_and_grad};
//! use jarrah_models::{Decoder, DecoderConfig, Extents};
//! use jarrah_nn::{Context, Module};
//! let (layers, width, heads, context, vocabulary) = (Some(1), Some(8), Some(2), Some(8), Some(16));
//! let extents = Extents { layers, width, heads, context, vocabulary, ..Extents::default() };
//! let model = Decoder::new(&DecoderConfig::gpt2(&extents)?, &Key::new(0));
//! let (x, y) = (Array::new(&[1i32, 2, 3], &[1, 3]), Array::new(&[2i32, 3, 4], &[1, 3]));
//! assert_eq!(model.call(&x, &mut Context::eval()).shape(), [1, 3, 16]);
//! let loss = |model: &Decoder| model.loss(&x, &y, None, &mut Context::eval());
//! let (loss, slope) = value_and_grad(loss)(&model);
//! assert!((loss.item::<f32>()? - 16f32.ln()).abs() < 0.1);
//! assert_eq!(slope.embed.table.shape(), [16, 8]);
//! # Ok::<(), jarrah_array::Error>(())
//! ```
//!
//! # Decoders
//!
//! [`Decoder`] is all families; they differ in a [`DecoderConfig`], layer by layer. A layer holds its attention and its MLP as
//! `Layer`s: heads with keys and values ([`DecoderAttention`]) or latent attention; an MLP, experts, or both. Matrices are held
//! as files have them, `[outputs, inputs]`, so loading copies bytes. Modules that predict further tokens stand beside the layers
//! (`decoder/mtp.rs`); files number them behind the layers (`family/mtp.rs`).
//!
//! A **family** is one file of `src/family`: a function from `config.json` to a [`DecoderConfig`], the rows (`Row`, `Join`) that
//! say which parameters each tensor of a file holds, and a line of `FAMILIES` in `family/mod.rs`. `tests/pretrained.rs` asks for
//! three checkpoints of each family, made by `oracle/hf_models.py`. `docs/models.md` lists the families.
//!
//! # Files
//!
//! * [`PretrainedModel`]`<M>` is a folder's model of one [`Architecture`]: how a `config.json` describes it, and its rows;
//!   `spelling.rs` says by which names files have the tensors. [`Pretrained`] is the one of a [`Decoder`]; the encoders
//!   (`encoder/`) are made of the decoder's blocks, whose attention need not be causal; `any.rs` has the table of kinds.
//! * A GGUF file is read as the folder of Hugging Face with the same content (`gguf/`). A file that is written is read again
//!   first, so anything GGUF cannot express is refused.
//! * A checkpoint of a JAX program (`jax/`), such as one of MaxText by Orbax, is read so too: tables say which leaf of its tree each tensor of a folder is.
//! * A way in which files hold weights of few bits is a `Method`, a file of `packed/` and a row of the table there: which tensor
//!   holds the codes, and the `QuantizedTensor` they are. `packed/parts.rs` makes parameters of tensors and tensors of
//!   parameters, cut and joined by outputs.
//! * [`QuantizeRules`] say which weights are quantized, while they are read or later. [`Decoder::calibrate`] does it by a text,
//!   block after block: `Linear` shows its argument to a pass that asks for it (`input`), and `quant` keeps second moments of it,
//!   all that GPTQ and AWQ need.
//! * [`Pretrained::load_deferred`] makes a model whose arrays have no data where files hold the weights in another form (matrices
//!   of GPT-2, whose axes are exchanged; weights to be quantized; blocks of GGUF). Types are known without numbers, and
//!   [`Deferred`] reads a weight when a program needs it.

mod adapters;
mod any;
mod architecture;
mod calibrate;
mod decoder;
mod deferred;
mod encoder;
mod family;
mod files;
mod gguf;
mod held;
mod jax;
mod opened;
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
pub use calibrate::{Calibrated, Calibrator};
pub use decoder::{
    AttentionConfig, AttentionForm, CachedLayer, Decoder, DecoderAttention, DecoderBlock, DecoderConfig,
    ExpertsConfig, Keys, LayerConfig, LayerInput, LayerInputs, LayerInputsConfig, Layers, MlpAndExperts,
    MlpConfig, MtpConfig, MtpModule, NormConfig, NormKind, NormPlacement, QkNorm, QueryGrowth, later,
};
pub use deferred::Deferred;
pub use encoder::{
    Bert, BertConfig, BertPooling, ConvNorm, MaskedHead, Memory, RelativePositions, ResNet, ResNetBlock,
    ResNetConfig, T5, T5Block, T5Config, T5Stack, TokenTypes, Vit, VitConfig,
};
pub use family::{ModelFamily, say_dtype};
pub use files::{LoadAs, Pretrained, PretrainedModel};
pub use held::Held;
pub use jax::{JaxWeights, MaxTextTree};
pub use outline::Outline;
pub use packed::method_name as quantization_method;
pub use presets::{Extents, PRESETS};
pub use rules::QuantizeRules;
pub use spec::{Base, LoraSpec, ModelSpec, averaged};
