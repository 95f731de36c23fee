//! The families of models that files come from: each is a row of data.
//!
//! A family is added in one file, with a function from its `config.json` to a [`DecoderConfig`] and the names of its tensors, and a row of `FAMILIES`.

mod deepseek;
mod gemma;
mod gemma4;
mod gpt;
mod hf;
mod ignored;
mod llama;
mod llama4;
mod mtp;
mod names;

use jarrah_array::random::Key;
use jarrah_array::{Error, Result};
use jarrah_formats::Tensors;
use serde_json::Value;

pub(crate) use names::{Heads, Join, Piece, Row, Tensor, copy, rows, tensors};

use crate::{Architecture, Decoder, DecoderConfig, MtpConfig};
pub use hf::say_dtype;
pub(crate) use hf::{Hf, MOST_LAYERS, MTP_MODULES, range_of};
pub(crate) use ignored::ignored;
use ignored::is_off;

/// A family of models: the names in its files and the reading of their `config.json`.
pub struct ModelFamily {
    /// The `model_type` of `config.json`.
    model_type: &'static str,
    /// The class that `architectures` names.
    class: &'static str,
    config: fn(&Hf<'_>) -> Result<DecoderConfig>,
    names: &'static [&'static [Row]],
    /// The entries of `config.json` that the family reads, among those that [`ignored`] looks for.
    reads: &'static [&'static str],
}

#[rustfmt::skip]
const FAMILIES: &[ModelFamily] = &[
    family("llama", "LlamaForCausalLM", llama::llama, &[llama::NAMES],
        &["attention_bias", "mlp_bias"]),
    family("llama4_text", "Llama4ForCausalLM", llama4::llama4, &[llama::NAMES, llama4::NAMES],
        &["layer_types", "attention_bias"]),
    family("mistral", "MistralForCausalLM", llama::mistral, &[llama::NAMES],
        &["layer_types", "sliding_window"]),
    family("mixtral", "MixtralForCausalLM", llama::mixtral, &[llama::NAMES, llama::MIXTRAL],
        &["sliding_window"]),
    family("qwen2", "Qwen2ForCausalLM", llama::qwen2, &[llama::NAMES],
        &["layer_types", "sliding_window"]),
    family("qwen2_moe", "Qwen2MoeForCausalLM", llama::qwen2_moe, &[llama::NAMES, llama::QWEN_MOE],
        &["layer_types", "sliding_window", "norm_topk_prob"]),
    family("qwen3", "Qwen3ForCausalLM", llama::qwen3, &[llama::NAMES],
        &["layer_types", "sliding_window", "attention_bias"]),
    family("qwen3_moe", "Qwen3MoeForCausalLM", llama::qwen3_moe, &[llama::NAMES, llama::QWEN_MOE],
        &["sliding_window", "attention_bias", "norm_topk_prob"]),
    family("phi3", "Phi3ForCausalLM", llama::phi3, &[llama::NAMES, llama::PHI3],
        &["sliding_window", "partial_rotary_factor"]),
    family("olmo2", "Olmo2ForCausalLM", llama::olmo2, &[llama::NAMES, llama::OLMO2],
        &["attention_bias"]),
    family("olmo3", "Olmo3ForCausalLM", llama::olmo3, &[llama::NAMES, llama::OLMO2],
        &["layer_types", "sliding_window", "attention_bias"]),
    family("stablelm", "StableLmForCausalLM", llama::stablelm, &[llama::NAMES, llama::STABLELM],
        &["partial_rotary_factor"]),
    family("gpt_oss", "GptOssForCausalLM", llama::gpt_oss, &[llama::NAMES, llama::GPT_OSS],
        &["layer_types", "sliding_window", "attention_bias"]),
    // DeepSeek V2 always pairs neighbours in rotary embeddings: it has no `rope_interleave`.
    family("deepseek_v2", "DeepseekV2ForCausalLM", deepseek::v2, DEEPSEEK,
        &["attention_bias", "mlp_bias"]),
    family("deepseek_v3", "DeepseekV3ForCausalLM", deepseek::v3, DEEPSEEK,
        &["attention_bias", "rope_interleave", "norm_topk_prob"]),
    family("gemma", "GemmaForCausalLM", gemma::gemma, &[llama::NAMES],
        &["attention_bias", "use_bidirectional_attention"]),
    family("gemma2", "Gemma2ForCausalLM", gemma::gemma2, &[llama::NAMES, gemma::BOTH],
        &["layer_types", "sliding_window", "attention_bias", "attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar", "use_bidirectional_attention"]),
    // Gemma 3 has the entry `attn_logit_softcapping`, and computes without it.
    family("gemma3_text", "Gemma3ForCausalLM", gemma::gemma3, &[llama::NAMES, gemma::BOTH],
        &["layer_types", "sliding_window", "attention_bias", "final_logit_softcapping", "query_pre_attn_scalar", "use_bidirectional_attention"]),
    family("gemma4_text", "Gemma4ForCausalLM", gemma4::gemma4, &[llama::NAMES, gemma::BOTH, gemma4::NAMES],
        &["layer_types", "sliding_window", "attention_bias", "partial_rotary_factor", "final_logit_softcapping", "use_bidirectional_attention"]),
    family("gpt2", "GPT2LMHeadModel", gpt::gpt2, &[gpt::GPT2],
        &[]),
    family("gpt_neox", "GPTNeoXForCausalLM", gpt::neox, &[gpt::NEOX],
        &["attention_bias", "partial_rotary_factor"]),
];

const DEEPSEEK: &[&[Row]] = &[llama::NAMES, llama::QWEN_MOE, deepseek::NAMES];

const fn family(
    model_type: &'static str,
    class: &'static str,
    config: fn(&Hf<'_>) -> Result<DecoderConfig>,
    names: &'static [&'static [Row]],
    reads: &'static [&'static str],
) -> ModelFamily {
    ModelFamily { model_type, class, config, names, reads }
}

impl ModelFamily {
    /// All families.
    pub fn all() -> &'static [ModelFamily] {
        FAMILIES
    }

    /// The family that a `config.json` names.
    ///
    /// # Errors
    /// The configuration names no family, or one that is not known (`Input`).
    pub fn of(config: &Value) -> Result<&'static ModelFamily> {
        ModelFamily::named(Hf(config).text("model_type")?)
    }

    /// The family with this `model_type`.
    pub(crate) fn named(name: &str) -> Result<&'static ModelFamily> {
        FAMILIES.iter().find(|family| family.model_type == name).ok_or_else(|| {
            let known: Vec<&str> = FAMILIES.iter().map(|family| family.model_type).collect();
            if crate::any::OTHERS.contains(&name) {
                let error = Error::input(format!("a model of the kind `{name}` is no decoder"));
                return error.help("it generates no text, has no form in GGUF and takes no adapters here");
            }
            let error = Error::input(format!("there is no family of models `{name}`"));
            error.help(format!("known are {}", known.join(", ")))
        })
    }

    /// The `config.json` of the text alone, where a model also sees or hears: its `text_config`, as files of that family have it. Any other is what
    /// it was.
    ///
    /// ```
    /// use jarrah_models::ModelFamily;
    /// use serde_json::json;
    /// let whole = json!({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text"}});
    /// assert_eq!(ModelFamily::of(&ModelFamily::text(whole))?.model_type(), "gemma3_text");
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn text(config: Value) -> Value {
        let known = |config: &Value| ModelFamily::of(config).ok();
        let Some((family, mut text)) = config
            .get("text_config")
            .filter(|_| known(&config).is_none())
            .and_then(|text| Some((known(text)?, text.as_object()?.clone())))
        else {
            return config;
        };
        for name in ["dtype", "torch_dtype", "quantization_config", "tie_word_embeddings"] {
            if let (false, Some(outer)) = (text.contains_key(name), config.get(name)) {
                text.insert(name.to_owned(), outer.clone());
            }
        }
        text.insert("architectures".to_owned(), vec![family.class()].into());
        Value::Object(text)
    }

    /// The `model_type` of `config.json`.
    pub fn model_type(&self) -> &'static str {
        self.model_type
    }

    /// The class that `architectures` names.
    pub fn class(&self) -> &'static str {
        self.class
    }

    /// The shape of the model that `config.json` describes.
    ///
    /// # Errors
    /// An entry is missing, of another type, or there is no such model (`Input`).
    pub fn config(&self, config: &Value) -> Result<DecoderConfig> {
        let config = Hf(config);
        // To transformers null is false here.
        if let Some(is) = config.0.get("is_causal").filter(|is| is_off(is)) {
            let error = Error::input(format!("`is_causal` of config.json is {is}"));
            return Err(error.help("tokens see those before them alone: leave it out, or say true"));
        }
        let mut read = (self.config)(&config)?;
        if let (true, Some(last)) = (read.mtp.is_empty(), read.layers.last()) {
            // Where a family has no such modules of its own, their layers are like its last one.
            read.mtp = vec![MtpConfig::shared(last.clone()); config.mtp_modules()?];
        }
        read.check()?;
        Ok(read)
    }
}

impl Architecture for Decoder {
    type Config = DecoderConfig;

    fn config(json: &Value) -> Result<DecoderConfig> {
        ModelFamily::of(json)?.config(json)
    }

    fn build(config: &DecoderConfig, key: &Key) -> Self {
        Decoder::new(config, key)
    }

    fn rows(json: &Value) -> Result<Vec<Row>> {
        let family = ModelFamily::of(json)?;
        Ok(rows(&[family.names, &[mtp::NAMES]].concat()))
    }

    fn heads(config: &DecoderConfig) -> Heads {
        let first = &config.layers[0].attention;
        Heads { count: first.heads(), width: first.head_width() }
    }

    fn row_path(config: &DecoderConfig, path: &str) -> Option<String> {
        mtp::row_path(config, path)
    }

    fn copies(config: &DecoderConfig) -> Vec<(String, String)> {
        mtp::copies(config)
    }

    fn fit(config: &mut DecoderConfig, files: &Tensors) -> Result<Vec<(String, String)>> {
        mtp::fit(config, files)
    }
}
