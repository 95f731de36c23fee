//! Llama, and what differs from it in a few entries: Mistral, Qwen 2, 2.5 and 3, Phi-3, OLMo 2 and 3, StableLM, Mixtral, Qwen's mixtures, gpt-oss.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Routing, Score, StaticFloat};

use super::hf::Hf;
use super::names::{Join, Row};
use crate::{
    AttentionConfig, DecoderConfig, ExpertsConfig, LayerConfig, MlpConfig, NormKind, Placement, QkNorm,
};

/// What differs among these families.
struct Differences {
    /// Whether q, k and v have biases, if `attention_bias` does not say.
    qkv_bias: bool,
    /// Whether the projection of attention's results has one where q, k and v have.
    out_bias: bool,
    qk_norm: Option<QkNorm>,
    placement: Placement,
    /// Which layers see a window alone, if `layer_types` does not say.
    windowed: fn(&Hf<'_>, usize) -> Result<bool>,
    /// The base of the rotary embedding, if the file has none.
    base: f64,
    mixture: fn(&Hf<'_>, usize) -> Result<Option<MlpConfig>>,
}

const LLAMA: Differences = Differences {
    qkv_bias: false,
    out_bias: true,
    qk_norm: None,
    placement: Placement::Before,
    windowed: |_, _| Ok(false),
    base: 10000.0,
    mixture: |_, _| Ok(None),
};

fn decoder(c: &Hf<'_>, by: &Differences) -> Result<DecoderConfig> {
    let (layers, head_width) = (c.layers()?, c.head_width()?);
    let bias = c.flag("attention_bias", by.qkv_bias)?;
    let mut default = Vec::with_capacity(layers);
    for i in 0..layers {
        default.push((by.windowed)(c, i)?);
    }
    let windowed = c.windowed(layers, |i| default[i])?;
    let window = c.maybe_count("sliding_window")?;
    if window == Some(0) && windowed.contains(&true) {
        return Err(Error::input("`sliding_window` of config.json is 0"));
    }
    let is_gpt_oss = c.text("model_type")? == "gpt_oss";
    let mut all = Vec::with_capacity(layers);
    for (i, windowed) in windowed.into_iter().enumerate() {
        let kind = if windowed { "sliding_attention" } else { "full_attention" };
        let attention = AttentionConfig {
            out_bias: bias && by.out_bias,
            qk_norm: by.qk_norm,
            rope: Some(c.rope(head_width, Some(kind), by.base)?),
            window: window.filter(|_| windowed),
            sinks: is_gpt_oss,
            ..c.attention(head_width, bias)?
        };
        let mlp = match (by.mixture)(c, i)? {
            Some(mixture) => mixture,
            None => MlpConfig::Gated {
                hidden: c.count("intermediate_size")?,
                activation: c.activation("hidden_act", Activation::SILU)?,
                bias: c.flag("mlp_bias", false)?,
            },
        };
        all.push(LayerConfig { attention: attention.into(), mlp, placement: by.placement });
    }
    c.decoder(all, NormKind::Rms, 1e-6)
}

pub fn llama(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &LLAMA)
}

pub fn mistral(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &Differences { windowed: |c, _| Ok(c.find("sliding_window").is_some()), ..LLAMA })
}

/// The first layers see everything, the others a window, if windows are used at all.
fn qwen_window(c: &Hf<'_>, layer: usize) -> Result<bool> {
    Ok(c.flag("use_sliding_window", false)? && layer >= c.count_or("max_window_layers", 28)?)
}

pub fn qwen2(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &Differences { qkv_bias: true, out_bias: false, windowed: qwen_window, ..LLAMA })
}

pub fn qwen3(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &Differences { qk_norm: Some(QkNorm::Heads), windowed: qwen_window, ..LLAMA })
}

pub fn phi3(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &Differences { windowed: |c, _| Ok(c.find("sliding_window").is_some()), ..LLAMA })
}

pub fn olmo2(c: &Hf<'_>) -> Result<DecoderConfig> {
    let windowed =
        |c: &Hf<'_>, layer: usize| Ok(c.text("model_type")? == "olmo3" && !(layer + 1).is_multiple_of(4));
    decoder(c, &Differences { qk_norm: Some(QkNorm::Whole), placement: Placement::After, windowed, ..LLAMA })
}

/// LayerNorms with biases where the others have RMSNorms, and a share of the pairs turned.
pub fn stablelm(c: &Hf<'_>) -> Result<DecoderConfig> {
    for missing in ["use_parallel_residual", "qk_layernorm"] {
        if c.flag(missing, false)? {
            return Err(Error::input(format!("a StableLM with `{missing}` is not read here")));
        }
    }
    let qkv_bias = c.flag("use_qkv_bias", false)?;
    let plain = decoder(c, &Differences { qkv_bias, out_bias: false, ..LLAMA })?;
    Ok(DecoderConfig { norm: c.norm(NormKind::Layer, 1e-5)?, ..plain })
}

/// How each token finds `active` experts of `count`.
pub fn routing(
    (active, count): (usize, usize),
    score: Score,
    normalize: bool,
    factor: f64,
) -> Result<Routing> {
    if active == 0 || active > count {
        return Err(Error::input(format!(
            "each token goes through {active} of {count} experts, says config.json"
        )));
    }
    Ok(Routing { active, score, normalize, factor: factor.into(), groups: None })
}

pub fn mixtral(c: &Hf<'_>) -> Result<DecoderConfig> {
    let mixture = |c: &Hf<'_>, _: usize| {
        let count = c.count("num_local_experts")?;
        Ok(Some(MlpConfig::Experts(ExpertsConfig::new(
            count,
            c.count("intermediate_size")?,
            Gate::Plain(c.activation("hidden_act", Activation::SILU)?),
            routing((c.count("num_experts_per_tok")?, count), Score::Softmax, true, 1.0)?,
        ))))
    };
    decoder(c, &Differences { windowed: |c, _| Ok(c.find("sliding_window").is_some()), mixture, ..LLAMA })
}

/// The mixture of layer `layer` of Qwen's models; some of their layers are plain.
fn qwen_mixture(c: &Hf<'_>, layer: usize) -> Result<Option<MlpConfig>> {
    let only = c.find("mlp_only_layers").and_then(serde_json::Value::as_array);
    let plain = only.is_some_and(|only| only.iter().any(|i| i.as_u64() == Some(layer as u64)));
    if plain || !(layer + 1).is_multiple_of(c.count_or("decoder_sparse_step", 1)?.max(1)) {
        return Ok(None);
    }
    let count = match c.maybe_count("num_experts")? {
        Some(count) => count,
        None => c.count("num_local_experts")?,
    };
    if count == 0 {
        return Ok(None);
    }
    Ok(Some(MlpConfig::Experts(ExpertsConfig {
        shared: c.maybe_count("shared_expert_intermediate_size")?.map(|hidden| (hidden, true)),
        ..ExpertsConfig::new(
            count,
            c.count("moe_intermediate_size")?,
            Gate::Plain(c.activation("hidden_act", Activation::SILU)?),
            routing(
                (c.count("num_experts_per_tok")?, count),
                Score::Softmax,
                c.flag("norm_topk_prob", false)?,
                1.0,
            )?,
        )
    })))
}

pub fn qwen2_moe(c: &Hf<'_>) -> Result<DecoderConfig> {
    let by = Differences {
        qkv_bias: true,
        out_bias: false,
        windowed: qwen_window,
        mixture: qwen_mixture,
        ..LLAMA
    };
    decoder(c, &Differences { qkv_bias: c.flag("qkv_bias", true)?, ..by })
}

pub fn qwen3_moe(c: &Hf<'_>) -> Result<DecoderConfig> {
    let by =
        Differences { qk_norm: Some(QkNorm::Heads), windowed: qwen_window, mixture: qwen_mixture, ..LLAMA };
    decoder(c, &by)
}

pub fn gpt_oss(c: &Hf<'_>) -> Result<DecoderConfig> {
    let mixture = |c: &Hf<'_>, _: usize| {
        let count = c.count("num_local_experts")?;
        let (alpha, limit) = (c.number_or("swiglu_alpha", 1.702)?, c.number_or("swiglu_limit", 7.0)?);
        Ok(Some(MlpConfig::Experts(ExpertsConfig {
            router_bias: true,
            bias: true,
            inputs_first: true,
            ..ExpertsConfig::new(
                count,
                c.count("intermediate_size")?,
                Gate::Clamped { alpha: alpha.into(), limit: StaticFloat::from(limit) },
                routing((c.count("num_experts_per_tok")?, count), Score::SoftmaxOfChosen, false, 1.0)?,
            )
        })))
    };
    let windowed = |_: &Hf<'_>, layer: usize| Ok(layer.is_multiple_of(2));
    decoder(c, &Differences { qkv_bias: true, windowed, base: 150_000.0, mixture, ..LLAMA })
}

/// The names of Llama's files.
pub const NAMES: &[Row] = &[
    Row::same("model.embed_tokens.weight", "embed.table"),
    Row::same("model.layers.{}.input_layernorm.weight", "blocks.{}.attention_norm.scale"),
    Row::same("model.layers.{}.self_attn.q_proj.weight", "blocks.{}.attention.q.weight"),
    Row::same("model.layers.{}.self_attn.q_proj.bias", "blocks.{}.attention.q.bias"),
    Row::same("model.layers.{}.self_attn.k_proj.weight", "blocks.{}.attention.k.weight"),
    Row::same("model.layers.{}.self_attn.k_proj.bias", "blocks.{}.attention.k.bias"),
    Row::same("model.layers.{}.self_attn.v_proj.weight", "blocks.{}.attention.v.weight"),
    Row::same("model.layers.{}.self_attn.v_proj.bias", "blocks.{}.attention.v.bias"),
    Row::same("model.layers.{}.self_attn.o_proj.weight", "blocks.{}.attention.out.weight"),
    Row::same("model.layers.{}.self_attn.o_proj.bias", "blocks.{}.attention.out.bias"),
    Row::same("model.layers.{}.self_attn.q_norm.weight", "blocks.{}.attention.q_norm.scale"),
    Row::same("model.layers.{}.self_attn.k_norm.weight", "blocks.{}.attention.k_norm.scale"),
    Row::same("model.layers.{}.self_attn.sinks", "blocks.{}.attention.sinks"),
    Row::same("model.layers.{}.post_attention_layernorm.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("model.layers.{}.mlp.gate_proj.weight", "blocks.{}.mlp.gate.weight"),
    Row::same("model.layers.{}.mlp.gate_proj.bias", "blocks.{}.mlp.gate.bias"),
    Row::same("model.layers.{}.mlp.up_proj.weight", "blocks.{}.mlp.up.weight"),
    Row::same("model.layers.{}.mlp.up_proj.bias", "blocks.{}.mlp.up.bias"),
    Row::same("model.layers.{}.mlp.down_proj.weight", "blocks.{}.mlp.down.weight"),
    Row::same("model.layers.{}.mlp.down_proj.bias", "blocks.{}.mlp.down.bias"),
    Row::same("model.norm.weight", "norm.scale"),
    Row::same("lm_head.weight", "head.weight"),
];

/// What StableLM's files have besides.
pub const STABLELM: &[Row] = &[
    Row::same("model.layers.{}.input_layernorm.bias", "blocks.{}.attention_norm.bias"),
    Row::same("model.layers.{}.post_attention_layernorm.bias", "blocks.{}.mlp_norm.bias"),
    Row::same("model.norm.bias", "norm.bias"),
];

/// Where OLMo 2 and 3 differ: their normalizations stand behind.
pub const OLMO2: &[Row] = &[
    Row::same("model.layers.{}.post_attention_layernorm.weight", "blocks.{}.attention_post_norm.scale"),
    Row::same("model.layers.{}.post_feedforward_layernorm.weight", "blocks.{}.mlp_post_norm.scale"),
];

/// Where Phi-3 differs: maps of one argument are one matrix.
pub const PHI3: &[Row] = &[
    Row::joined(
        "model.layers.{}.self_attn.qkv_proj.weight",
        &["blocks.{}.attention.q.weight", "blocks.{}.attention.k.weight", "blocks.{}.attention.v.weight"],
        Join::Rows,
    ),
    Row::joined(
        "model.layers.{}.mlp.gate_up_proj.weight",
        &["blocks.{}.mlp.gate.weight", "blocks.{}.mlp.up.weight"],
        Join::Rows,
    ),
];

/// Where Mixtral differs: its experts.
pub const MIXTRAL: &[Row] = &[
    Row::same("model.layers.{}.block_sparse_moe.gate.weight", "blocks.{}.mlp.router.weight"),
    Row::joined(
        "model.layers.{}.block_sparse_moe.experts.{e}.w1.weight",
        &["blocks.{}.mlp.gate_up"],
        Join::Expert(0, 2),
    ),
    Row::joined(
        "model.layers.{}.block_sparse_moe.experts.{e}.w3.weight",
        &["blocks.{}.mlp.gate_up"],
        Join::Expert(1, 2),
    ),
    Row::joined(
        "model.layers.{}.block_sparse_moe.experts.{e}.w2.weight",
        &["blocks.{}.mlp.down"],
        Join::Expert(0, 1),
    ),
];

/// Where Qwen's mixtures differ: their experts, and what they share.
pub const QWEN_MOE: &[Row] = &[
    Row::same("model.layers.{}.mlp.gate.weight", "blocks.{}.mlp.router.weight"),
    Row::joined(
        "model.layers.{}.mlp.experts.{e}.gate_proj.weight",
        &["blocks.{}.mlp.gate_up"],
        Join::Expert(0, 2),
    ),
    Row::joined(
        "model.layers.{}.mlp.experts.{e}.up_proj.weight",
        &["blocks.{}.mlp.gate_up"],
        Join::Expert(1, 2),
    ),
    Row::joined(
        "model.layers.{}.mlp.experts.{e}.down_proj.weight",
        &["blocks.{}.mlp.down"],
        Join::Expert(0, 1),
    ),
    Row::same("model.layers.{}.mlp.shared_expert.gate_proj.weight", "blocks.{}.mlp.shared.gate.weight"),
    Row::same("model.layers.{}.mlp.shared_expert.up_proj.weight", "blocks.{}.mlp.shared.up.weight"),
    Row::same("model.layers.{}.mlp.shared_expert.down_proj.weight", "blocks.{}.mlp.shared.down.weight"),
    Row::same("model.layers.{}.mlp.shared_expert_gate.weight", "blocks.{}.mlp.shared_gate.weight"),
];

/// Where gpt-oss differs: its experts, and the biases of its router.
pub const GPT_OSS: &[Row] = &[
    Row::same("model.layers.{}.mlp.router.weight", "blocks.{}.mlp.router.weight"),
    Row::same("model.layers.{}.mlp.router.bias", "blocks.{}.mlp.router.bias"),
    Row::packed("model.layers.{}.mlp.experts.gate_up_proj", "blocks.{}.mlp.gate_up"),
    Row::same("model.layers.{}.mlp.experts.gate_up_proj_bias", "blocks.{}.mlp.gate_up_bias"),
    Row::packed("model.layers.{}.mlp.experts.down_proj", "blocks.{}.mlp.down"),
    Row::same("model.layers.{}.mlp.experts.down_proj_bias", "blocks.{}.mlp.down_bias"),
];
