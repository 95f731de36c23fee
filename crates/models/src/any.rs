//! Models of any kind, as a folder says which.

use jarrah_array::Result;
use jarrah_array::random::Key;
use jarrah_formats::Tensors;
use jarrah_nn::Layer;
use serde_json::Value;

use crate::architecture::Again;
use crate::family::{Heads, Hf, Row};
use crate::{
    Architecture, Bert, BertConfig, Decoder, DecoderConfig, ResNet, ResNetConfig, T5, T5Config, Vit,
    VitConfig,
};

/// Declares the kinds of models that a folder may have: `model_type`, the model and its shape; what is none of these is a decoder.
macro_rules! kinds {
    ($($model_type:literal $kind:ident($config:ident);)*) => {
        /// The shape of a model of any kind.
        #[derive(Clone, Debug)]
        pub enum AnyConfig {
            /// Of a [`Decoder`].
            Decoder(DecoderConfig),
            $(
                #[doc = concat!("Of a [`", stringify!($kind), "`].")]
                $kind($config),
            )*
        }

        /// A model of any kind: which, its `config.json` says.
        impl Architecture for Layer {
            type Config = AnyConfig;
            const CARRIED: &'static [&'static str] = ResNet::CARRIED;

            fn config(json: &Value) -> Result<AnyConfig> {
                Ok(match Hf(json).text("model_type")? {
                    $($model_type => AnyConfig::$kind($kind::config(json)?),)*
                    _ => AnyConfig::Decoder(Decoder::config(json)?),
                })
            }

            fn build(config: &AnyConfig, key: &Key) -> Self {
                match config {
                    AnyConfig::Decoder(config) => Decoder::build(config, key).into(),
                    $(AnyConfig::$kind(config) => $kind::build(config, key).into(),)*
                }
            }

            fn rows(json: &Value) -> Result<Vec<Row>> {
                match Hf(json).text("model_type")? {
                    $($model_type => $kind::rows(json),)*
                    _ => Decoder::rows(json),
                }
            }

            fn row_path(config: &AnyConfig, path: &str) -> Option<String> {
                match config {
                    AnyConfig::Decoder(config) => Decoder::row_path(config, path),
                    $(AnyConfig::$kind(config) => $kind::row_path(config, path),)*
                }
            }

            fn copies(config: &AnyConfig) -> Vec<(String, String)> {
                match config {
                    AnyConfig::Decoder(config) => Decoder::copies(config),
                    $(AnyConfig::$kind(config) => $kind::copies(config),)*
                }
            }

            fn again(config: &AnyConfig) -> &'static [Again] {
                match config {
                    AnyConfig::Decoder(config) => Decoder::again(config),
                    $(AnyConfig::$kind(config) => $kind::again(config),)*
                }
            }

            fn fit(config: &mut AnyConfig, files: &Tensors) -> Result<Vec<(String, String)>> {
                match config {
                    AnyConfig::Decoder(config) => Decoder::fit(config, files),
                    $(AnyConfig::$kind(config) => $kind::fit(config, files),)*
                }
            }

            fn heads(config: &AnyConfig) -> Heads {
                match config {
                    AnyConfig::Decoder(config) => Decoder::heads(config),
                    $(AnyConfig::$kind(config) => $kind::heads(config),)*
                }
            }
        }

        /// The `model_type`s that are no decoders.
        pub(crate) const OTHERS: &[&str] = &[$($model_type),*];
    };
}

kinds! {
    "bert" Bert(BertConfig);
    "t5" T5(T5Config);
    "vit" Vit(VitConfig);
    "resnet" ResNet(ResNetConfig);
}
