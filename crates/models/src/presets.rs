//! Published shapes by name.

use jarrah_array::{Error, Result};
use serde_json::{Map, Value};

use crate::family::MTP_MODULES;
use crate::{Architecture, Decoder, DecoderConfig, ModelFamily};

/// The entries that a family's sizes have in common: the beginning of a `config.json`.
const LLAMA2: &str = r#""model_type":"llama","vocab_size":32000,"max_position_embeddings":4096,"rms_norm_eps":1e-5,"rope_theta":10000"#;
const LLAMA3: &str = r#""model_type":"llama","vocab_size":128256,"max_position_embeddings":8192,"rms_norm_eps":1e-5,"rope_theta":500000"#;
const LLAMA31: &str = r#""model_type":"llama","vocab_size":128256,"max_position_embeddings":131072,"rms_norm_eps":1e-5,"rope_theta":500000,"rope_scaling":{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}"#;
const LLAMA32: &str = r#""model_type":"llama","vocab_size":128256,"max_position_embeddings":131072,"rms_norm_eps":1e-5,"rope_theta":500000,"tie_word_embeddings":true,"rope_scaling":{"rope_type":"llama3","factor":32,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":8192}"#;
const LLAMA4: &str = r#""model_type":"llama4_text","vocab_size":202048,"rms_norm_eps":1e-5,"head_dim":128,"intermediate_size_mlp":16384,"num_experts_per_tok":1,"attention_chunk_size":8192,"no_rope_layer_interval":4,"attn_temperature_tuning":true,"floor_scale":8192,"attn_scale":0.1"#;
const MISTRAL: &str = r#""model_type":"mistral","vocab_size":32000,"max_position_embeddings":32768,"rms_norm_eps":1e-5,"rope_theta":10000,"sliding_window":4096"#;
const MIXTRAL: &str = r#""model_type":"mixtral","max_position_embeddings":32768,"rms_norm_eps":1e-5,"rope_theta":1000000,"num_local_experts":8,"num_experts_per_tok":2"#;
const GEMMA: &str = r#""model_type":"gemma","vocab_size":256000,"max_position_embeddings":8192,"rms_norm_eps":1e-6,"rope_theta":10000,"head_dim":256"#;
const GEMMA2: &str = r#""model_type":"gemma2","vocab_size":256000,"max_position_embeddings":8192,"rms_norm_eps":1e-6,"rope_theta":10000,"sliding_window":4096,"attn_logit_softcapping":50,"final_logit_softcapping":30"#;
const GEMMA3: &str = r#""model_type":"gemma3_text","vocab_size":262208,"max_position_embeddings":131072,"rms_norm_eps":1e-6,"sliding_window":1024,"rope_parameters":{"sliding_attention":{"rope_type":"default","rope_theta":10000},"full_attention":{"rope_type":"linear","rope_theta":1000000,"factor":8}}"#;
const GEMMA4: &str = r#""model_type":"gemma4_text","vocab_size":262144,"rms_norm_eps":1e-6,"head_dim":256,"global_head_dim":512,"final_logit_softcapping":30,"rope_parameters":{"sliding_attention":{"rope_type":"default","rope_theta":10000},"full_attention":{"rope_type":"proportional","rope_theta":1000000,"partial_rotary_factor":0.25}}"#;
const QWEN25: &str =
    r#""model_type":"qwen2","max_position_embeddings":131072,"rms_norm_eps":1e-6,"rope_theta":1000000"#;
const QWEN3: &str = r#""model_type":"qwen3","vocab_size":151936,"max_position_embeddings":40960,"rms_norm_eps":1e-6,"rope_theta":1000000,"head_dim":128"#;
const QWEN3_MOE: &str = r#""model_type":"qwen3_moe","vocab_size":151936,"max_position_embeddings":40960,"rms_norm_eps":1e-6,"head_dim":128,"norm_topk_prob":true,"num_experts_per_tok":8"#;
const GPT_OSS: &str = r#""model_type":"gpt_oss","vocab_size":201088,"max_position_embeddings":131072,"rms_norm_eps":1e-5,"head_dim":64,"sliding_window":128,"num_experts_per_tok":4,"attention_bias":true,"rope_parameters":{"rope_type":"yarn","rope_theta":150000,"factor":32,"beta_fast":32,"beta_slow":1,"truncate":false,"original_max_position_embeddings":4096}"#;
const OLMO3: &str = r#""model_type":"olmo3","vocab_size":100278,"max_position_embeddings":65536,"rms_norm_eps":1e-6,"sliding_window":4096,"rope_parameters":{"sliding_attention":{"rope_type":"default","rope_theta":500000},"full_attention":{"rope_type":"yarn","rope_theta":500000,"factor":8,"beta_fast":32,"beta_slow":1,"attention_factor":1.2079441541679836,"original_max_position_embeddings":8192}}"#;
const OLMO3_PT: &str = r#""model_type":"olmo3","vocab_size":100278,"max_position_embeddings":8192,"rms_norm_eps":1e-6,"sliding_window":4096,"rope_theta":500000"#;
const DEEPSEEK2: &str = r#""model_type":"deepseek_v2","vocab_size":102400,"max_position_embeddings":163840,"rms_norm_eps":1e-6,"first_k_dense_replace":1,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"n_shared_experts":2,"num_experts_per_tok":6,"norm_topk_prob":false,"rope_theta":10000,"rope_scaling":{"rope_type":"yarn","factor":40,"beta_fast":32,"beta_slow":1,"mscale":0.707,"mscale_all_dim":0.707,"original_max_position_embeddings":4096}"#;
const DEEPSEEK3: &str = r#""model_type":"deepseek_v3","rms_norm_eps":1e-6,"q_lora_rank":1536,"kv_lora_rank":512,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"v_head_dim":128,"moe_intermediate_size":2048,"n_shared_experts":1,"num_experts_per_tok":8,"norm_topk_prob":true"#;
const GPT2: &str = r#""model_type":"gpt2","vocab_size":50257,"n_positions":1024"#;

/// The names of published shapes, each with the entries that its family has in common, its extents (width, hidden width,
/// layers, heads, heads of keys and values), and the remaining entries.
pub const PRESETS: &[(&str, &str, [usize; 5], &str)] = &[
    ("tinyllama-1.1b", LLAMA2, [2048, 5632, 22, 32, 4], ""),
    ("llama2-7b", LLAMA2, [4096, 11008, 32, 32, 32], ""),
    ("llama2-13b", LLAMA2, [5120, 13824, 40, 40, 40], ""),
    ("llama2-70b", LLAMA2, [8192, 28672, 80, 64, 8], ""),
    ("llama3-8b", LLAMA3, [4096, 14336, 32, 32, 8], ""),
    ("llama3-70b", LLAMA3, [8192, 28672, 80, 64, 8], ""),
    ("llama3-405b", LLAMA3, [16384, 53248, 126, 128, 8], ""),
    ("llama3.1-8b", LLAMA31, [4096, 14336, 32, 32, 8], ""),
    ("llama3.1-70b", LLAMA31, [8192, 28672, 80, 64, 8], ""),
    ("llama3.1-405b", LLAMA31, [16384, 53248, 126, 128, 8], ""),
    ("llama3.2-1b", LLAMA32, [2048, 8192, 16, 32, 8], r#","head_dim":64"#),
    ("llama3.2-3b", LLAMA32, [3072, 8192, 28, 24, 8], r#","head_dim":128"#),
    ("llama3.3-70b", LLAMA31, [8192, 28672, 80, 64, 8], ""),
    (
        "llama4-17b-16e",
        LLAMA4,
        [5120, 8192, 48, 40, 8],
        r#","max_position_embeddings":10485760,"num_local_experts":16,"interleave_moe_layer_step":1,"use_qk_norm":true,"rope_theta":500000,"rope_scaling":{"rope_type":"llama3","factor":16,"low_freq_factor":1,"high_freq_factor":1,"original_max_position_embeddings":8192}"#,
    ),
    (
        "llama4-17b-128e",
        LLAMA4,
        [5120, 8192, 48, 40, 8],
        r#","max_position_embeddings":1048576,"num_local_experts":128,"interleave_moe_layer_step":2,"use_qk_norm":false,"rope_theta":500000"#,
    ),
    ("mistral-7b", MISTRAL, [4096, 14336, 32, 32, 8], ""),
    ("mixtral-8x7b", MIXTRAL, [4096, 14336, 32, 32, 8], r#","vocab_size":32000"#),
    ("mixtral-8x22b", MIXTRAL, [6144, 16384, 56, 48, 8], r#","vocab_size":32768"#),
    ("gemma-2b", GEMMA, [2048, 16384, 18, 8, 1], ""),
    ("gemma-7b", GEMMA, [3072, 24576, 28, 16, 16], ""),
    ("gemma2-2b", GEMMA2, [2304, 9216, 26, 8, 4], r#","head_dim":256,"query_pre_attn_scalar":256"#),
    ("gemma2-9b", GEMMA2, [3584, 14336, 42, 16, 8], r#","head_dim":256,"query_pre_attn_scalar":256"#),
    ("gemma2-27b", GEMMA2, [4608, 36864, 46, 32, 16], r#","head_dim":128,"query_pre_attn_scalar":144"#),
    ("gemma3-4b", GEMMA3, [2560, 10240, 34, 8, 4], r#","head_dim":256,"query_pre_attn_scalar":256"#),
    ("gemma3-12b", GEMMA3, [3840, 15360, 48, 16, 8], r#","head_dim":256,"query_pre_attn_scalar":256"#),
    ("gemma3-27b", GEMMA3, [5376, 21504, 62, 32, 16], r#","head_dim":128,"query_pre_attn_scalar":168"#),
    (
        "gemma4-e2b",
        GEMMA4,
        [1536, 6144, 35, 8, 1],
        r#","layer_period":5,"max_position_embeddings":131072,"sliding_window":512,"num_kv_shared_layers":20,"use_double_wide_mlp":true,"hidden_size_per_layer_input":256,"vocab_size_per_layer_input":262144"#,
    ),
    (
        "gemma4-e4b",
        GEMMA4,
        [2560, 10240, 42, 8, 2],
        r#","layer_period":6,"max_position_embeddings":131072,"sliding_window":512,"num_kv_shared_layers":18,"hidden_size_per_layer_input":256,"vocab_size_per_layer_input":262144"#,
    ),
    (
        "gemma4-26b",
        GEMMA4,
        [2816, 2112, 30, 16, 8],
        r#","layer_period":6,"max_position_embeddings":262144,"sliding_window":1024,"num_global_key_value_heads":2,"attention_k_eq_v":true,"hidden_size_per_layer_input":0,"enable_moe_block":true,"num_experts":128,"top_k_experts":8,"moe_intermediate_size":704"#,
    ),
    (
        "gemma4-31b",
        GEMMA4,
        [5376, 21504, 60, 32, 16],
        r#","layer_period":6,"max_position_embeddings":262144,"sliding_window":1024,"num_global_key_value_heads":4,"attention_k_eq_v":true,"hidden_size_per_layer_input":0"#,
    ),
    ("qwen2.5-1.5b", QWEN25, [1536, 8960, 28, 12, 2], r#","vocab_size":151936,"tie_word_embeddings":true"#),
    ("qwen2.5-7b", QWEN25, [3584, 18944, 28, 28, 4], r#","vocab_size":152064"#),
    ("qwen2.5-14b", QWEN25, [5120, 13824, 48, 40, 8], r#","vocab_size":152064"#),
    ("qwen3-0.6b", QWEN3, [1024, 3072, 28, 16, 8], r#","tie_word_embeddings":true"#),
    ("qwen3-1.7b", QWEN3, [2048, 6144, 28, 16, 8], r#","tie_word_embeddings":true"#),
    ("qwen3-4b", QWEN3, [2560, 9728, 36, 32, 8], r#","tie_word_embeddings":true"#),
    ("qwen3-8b", QWEN3, [4096, 12288, 36, 32, 8], ""),
    ("qwen3-14b", QWEN3, [5120, 17408, 40, 40, 8], ""),
    ("qwen3-32b", QWEN3, [5120, 25600, 64, 64, 8], ""),
    (
        "qwen3-1.7b-base",
        QWEN3,
        [2048, 6144, 28, 16, 8],
        r#","max_position_embeddings":32768,"tie_word_embeddings":true"#,
    ),
    (
        "qwen3-4b-base",
        QWEN3,
        [2560, 9728, 36, 32, 8],
        r#","max_position_embeddings":32768,"tie_word_embeddings":true"#,
    ),
    ("qwen3-8b-base", QWEN3, [4096, 12288, 36, 32, 8], r#","max_position_embeddings":32768"#),
    ("qwen3-14b-base", QWEN3, [5120, 17408, 40, 40, 8], r#","max_position_embeddings":32768"#),
    (
        "qwen3-4b-thinking-2507",
        QWEN3,
        [2560, 9728, 36, 32, 8],
        r#","max_position_embeddings":262144,"rope_theta":5000000,"tie_word_embeddings":true"#,
    ),
    (
        "qwen3-30b-a3b-base",
        QWEN3_MOE,
        [2048, 6144, 48, 32, 4],
        r#","max_position_embeddings":32768,"rope_theta":1000000,"moe_intermediate_size":768,"num_experts":128"#,
    ),
    (
        "qwen3-30b-a3b",
        QWEN3_MOE,
        [2048, 6144, 48, 32, 4],
        r#","rope_theta":1000000,"moe_intermediate_size":768,"num_experts":128"#,
    ),
    (
        "qwen3-235b-a22b",
        QWEN3_MOE,
        [4096, 12288, 94, 64, 4],
        r#","rope_theta":1000000,"moe_intermediate_size":1536,"num_experts":128"#,
    ),
    (
        "qwen3-480b-a35b",
        QWEN3_MOE,
        [6144, 8192, 62, 96, 8],
        r#","rope_theta":10000000,"moe_intermediate_size":2560,"num_experts":160"#,
    ),
    ("gpt-oss-20b", GPT_OSS, [2880, 2880, 24, 64, 8], r#","num_local_experts":32"#),
    ("gpt-oss-120b", GPT_OSS, [2880, 2880, 36, 64, 8], r#","num_local_experts":128"#),
    (
        "deepseek2-16b",
        DEEPSEEK2,
        [2048, 10944, 27, 16, 16],
        r#","moe_intermediate_size":1408,"n_routed_experts":64,"routed_scaling_factor":1,"topk_method":"greedy","n_group":1,"topk_group":1"#,
    ),
    (
        "deepseek2-236b",
        DEEPSEEK2,
        [5120, 12288, 60, 128, 128],
        r#","q_lora_rank":1536,"moe_intermediate_size":1536,"n_routed_experts":160,"routed_scaling_factor":16,"topk_method":"group_limited_greedy","n_group":8,"topk_group":3"#,
    ),
    (
        "deepseek3-671b",
        DEEPSEEK3,
        [7168, 18432, 61, 128, 128],
        r#","vocab_size":129280,"max_position_embeddings":163840,"first_k_dense_replace":3,"n_routed_experts":256,"routed_scaling_factor":2.5,"n_group":8,"topk_group":4,"rope_theta":10000,"rope_scaling":{"rope_type":"yarn","factor":40,"beta_fast":32,"beta_slow":1,"mscale":1,"mscale_all_dim":1,"original_max_position_embeddings":4096}"#,
    ),
    (
        "kimi-k2-1t",
        DEEPSEEK3,
        [7168, 18432, 61, 64, 64],
        r#","vocab_size":163840,"max_position_embeddings":131072,"first_k_dense_replace":1,"n_routed_experts":384,"routed_scaling_factor":2.827,"n_group":1,"topk_group":1,"rope_theta":50000,"rope_scaling":{"rope_type":"yarn","factor":32,"beta_fast":1,"beta_slow":1,"mscale":1,"mscale_all_dim":1,"original_max_position_embeddings":4096}"#,
    ),
    ("olmo3-7b-pt", OLMO3_PT, [4096, 11008, 32, 32, 32], ""),
    ("olmo3-7b", OLMO3, [4096, 11008, 32, 32, 32], ""),
    ("olmo3-32b", OLMO3, [5120, 27648, 64, 40, 8], ""),
    ("gpt2", GPT2, [768, 3072, 12, 12, 12], ""),
    ("gpt2-medium", GPT2, [1024, 4096, 24, 16, 16], ""),
    ("gpt2-large", GPT2, [1280, 5120, 36, 20, 20], ""),
    ("gpt2-xl", GPT2, [1600, 6400, 48, 25, 25], ""),
    ("test-llama", LLAMA3, [16, 32, 2, 4, 2], r#","vocab_size":32,"max_position_embeddings":64"#),
];

/// The `config.json` of the published shape `name`.
///
/// # Errors
/// There is no such name (`Input`): the error lists those that are alike.
pub(crate) fn json(name: &str) -> Result<Value> {
    let Some((_, common, [width, hidden, layers, heads, groups], rest)) =
        PRESETS.iter().find(|(known, ..)| *known == name)
    else {
        let family: String = name.chars().take_while(char::is_ascii_alphabetic).collect();
        let mut alike: Vec<&str> =
            PRESETS.iter().map(|(known, ..)| *known).filter(|known| known.starts_with(&family)).collect();
        if alike.is_empty() || family.is_empty() {
            alike = PRESETS.iter().map(|(known, ..)| *known).collect();
        }
        let error = Error::input(format!("there is no model shape called `{name}`"));
        if name.contains(['/', '\\']) {
            return Err(error.help("nothing is downloaded: give the path of a model's folder"));
        }
        return Err(error.help(format!("there are {}", alike.join(", "))));
    };
    let extents = if *common == GPT2 {
        format!(r#""n_embd":{width},"n_inner":{hidden},"n_layer":{layers},"n_head":{heads}"#)
    } else {
        format!(
            r#""hidden_size":{width},"intermediate_size":{hidden},"num_hidden_layers":{layers},"num_attention_heads":{heads},"num_key_value_heads":{groups}"#
        )
    };
    let text = format!("{{{common},{extents}{rest}}}");
    let mut map: Map<String, Value> = serde_json::from_str(&text)
        .map_err(|error| Error::internal(format!("the preset {name}: {error}")))?;
    // Every so many layers one sees everything, in the row of a preset; files list them all.
    if let Some(period) = map.remove("layer_period").and_then(|period| period.as_u64()) {
        let kind = |i: u64| if i.is_multiple_of(period) { "full_attention" } else { "sliding_attention" };
        map.insert("layer_types".to_owned(), (1..=*layers as u64).map(kind).collect());
    }
    let class = ModelFamily::of(&Value::Object(map.clone()))?.class();
    map.insert("architectures".to_owned(), vec![class].into());
    Ok(Value::Object(map))
}

/// Extents in the place of a published shape's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extents {
    /// The number of layers.
    pub layers: Option<usize>,
    /// The width of the residual stream.
    pub width: Option<usize>,
    /// The width within an MLP.
    pub hidden: Option<usize>,
    /// The number of query heads.
    pub heads: Option<usize>,
    /// The number of heads of keys and values.
    pub groups: Option<usize>,
    /// The width of a head.
    pub head_width: Option<usize>,
    /// The longest sequence.
    pub context: Option<usize>,
    /// The number of tokens.
    pub vocabulary: Option<usize>,
    /// Whether the token embeddings are the output layer too.
    pub tied: Option<bool>,
    /// The number of modules that predict further tokens.
    pub mtp: Option<usize>,
}

impl Extents {
    /// The `config.json` with these extents. A shape without a width of heads of its own has `width / heads`.
    ///
    /// # Errors
    /// It is no object, or the family has no such extent (`Input`).
    ///
    /// ```
    /// use jarrah_models::{Extents, Pretrained};
    /// let small = Extents { layers: Some(2), vocabulary: Some(512), ..Extents::default() };
    /// let json = small.set(Pretrained::preset("qwen3-0.6b")?)?;
    /// assert_eq!((&json["num_hidden_layers"], &json["hidden_size"]), (&2.into(), &1024.into()));
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    pub fn set(&self, mut json: Value) -> Result<Value> {
        let old_names = json.get("n_embd").is_some();
        let map = json.as_object_mut().ok_or_else(|| Error::input("config.json is no object"))?;
        let name = |new: &'static str, old: &'static str| Some(if old_names { old } else { new });
        let new = |new: &'static str| (!old_names).then_some(new);
        let each = [
            ("layers", self.layers, name("num_hidden_layers", "n_layer")),
            ("width", self.width, name("hidden_size", "n_embd")),
            ("hidden", self.hidden, name("intermediate_size", "n_inner")),
            ("heads", self.heads, name("num_attention_heads", "n_head")),
            ("kv_heads", self.groups, new("num_key_value_heads")),
            ("head_width", self.head_width, new("head_dim")),
            ("context", self.context, name("max_position_embeddings", "n_positions")),
            ("vocabulary", self.vocabulary, Some("vocab_size")),
        ];
        for (what, value, key) in each {
            let Some(value) = value else { continue };
            let Some(key) = key else {
                let family = map.get("model_type").and_then(Value::as_str).unwrap_or_default();
                return Err(Error::input(format!("the shape of {family} has no {what} of its own")));
            };
            map.insert(key.to_owned(), value.into());
        }
        if self.layers.is_some() {
            // The kinds of layers follow from their number again.
            map.remove("layer_types");
        }
        match self.mtp {
            // An absent entry means zero.
            Some(0) => drop(map.remove(MTP_MODULES)),
            Some(modules) => drop(map.insert(MTP_MODULES.to_owned(), modules.into())),
            None => {}
        }
        if let Some(tied) = self.tied {
            map.insert("tie_word_embeddings".to_owned(), tied.into());
        }
        Ok(json)
    }
}

impl DecoderConfig {
    /// The published shape of that name, as MaxText and Hugging Face call it: see [`PRESETS`].
    ///
    /// # Errors
    /// There is no such name (`Input`): the error lists those that are alike.
    pub fn named(name: &str) -> Result<DecoderConfig> {
        let json = json(name)?;
        ModelFamily::of(&json)?.config(&json)
    }

    /// GPT-2 with these extents; those that are not given are of its smallest published model, but an MLP is four times as wide as the residual stream.
    ///
    /// ```
    /// use jarrah_models::{DecoderConfig, Extents};
    /// let small = Extents {
    ///     layers: Some(2), width: Some(64), heads: Some(4), context: Some(32), vocabulary: Some(65), ..Extents::default()
    /// };
    /// assert_eq!(DecoderConfig::gpt2(&small)?.parameters(), 106_304);
    /// assert_eq!(DecoderConfig::gpt2(&Extents::default())?.parameters(), 124_439_808);
    /// # Ok::<(), jarrah_array::Error>(())
    /// ```
    ///
    /// # Errors
    /// GPT-2 has no such extent, or there is no such model (`Input`).
    ///
    /// Source: Radford et al., Language models are unsupervised multitask learners (2019).
    pub fn gpt2(extents: &Extents) -> Result<DecoderConfig> {
        let mut json = json("gpt2")?;
        // The family's own rule for the width within an MLP.
        json["n_inner"] = Value::Null;
        Decoder::config(&extents.set(json)?)
    }
}
