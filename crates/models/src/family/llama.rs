//! Llama, and what differs from it in a few entries: Mistral, Qwen 2, 2.5 and 3, Phi-3, OLMo 2 and 3, StableLM, Mixtral, Qwen's mixtures, gpt-oss.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Routing, Score, StaticFloat};
use serde_json::json;

use super::hf::{Hf, RopeOf};
use super::names::{Join, Row};
use crate::{
    AttentionConfig, DecoderConfig, ExpertsConfig, LayerConfig, MlpConfig, NormKind, NormPlacement, QkNorm,
};

/// Which entry of a file says whether maps have biases.
enum Biases {
    /// No linear map of attention has a bias.
    None,
    /// q, k and v have them, if the entry of this name does not say otherwise.
    Qkv(&'static str, bool),
    /// All four have them, if `attention_bias` does not say otherwise.
    All(bool),
    /// q, k and v have them, whatever the file says.
    AlwaysQkv,
}

/// Which layers see a window alone.
enum Windows {
    None,
    /// All layers, where the file has a `sliding_window`; this one, if it says nothing.
    All(Option<usize>),
    /// The layers that `layer_types` names, else the layers of which the function says so; the window is this one, if the file has none.
    Layers(fn(&Hf<'_>, usize) -> Result<bool>, usize),
}

/// The differences among these families.
struct Differences {
    biases: Biases,
    /// Whether `mlp_bias` says that an MLP has biases.
    mlp_bias: bool,
    qk_norm: Option<QkNorm>,
    placement: NormPlacement,
    windows: Windows,
    /// Whether windows are only used where `use_sliding_window` says so.
    windows_asked: bool,
    epsilon: f64,
    rope: RopeOf,
    mixture: fn(&Hf<'_>, usize) -> Result<Option<MlpConfig>>,
}

const LLAMA: Differences = Differences {
    biases: Biases::All(false),
    mlp_bias: true,
    qk_norm: None,
    placement: NormPlacement::Before,
    windows: Windows::None,
    windows_asked: false,
    epsilon: 1e-6,
    rope: RopeOf::base(10_000.0),
    mixture: |_, _| Ok(None),
};

/// Qwen's: a window of 4096, where windows are asked for.
const QWEN: Differences = Differences {
    mlp_bias: false,
    windows: Windows::Layers(|c, layer| Ok(layer >= c.count_or("max_window_layers", 28)?), 4096),
    windows_asked: true,
    ..LLAMA
};

/// The window of each layer.
fn windows(c: &Hf<'_>, layers: usize, by: &Differences) -> Result<Vec<Option<usize>>> {
    let asked = !by.windows_asked || c.flag("use_sliding_window", false)?;
    let window = |otherwise: Option<usize>| match c.0.get("sliding_window") {
        None => Ok(otherwise),
        Some(_) => c.maybe_count("sliding_window"),
    };
    let (window, windowed) = match by.windows {
        Windows::None => return Ok(vec![None; layers]),
        Windows::All(_) if !asked => return Ok(vec![None; layers]),
        Windows::All(otherwise) => (window(otherwise)?, vec![true; layers]),
        Windows::Layers(of, otherwise) => {
            let window = window(Some(otherwise))?.filter(|_| asked);
            let mut default = Vec::with_capacity(layers);
            for layer in 0..layers {
                default.push(window.is_some() && of(c, layer)?);
            }
            let windowed = c.windowed(layers, |layer| default[layer])?;
            if window.is_none() && windowed.contains(&true) {
                let error =
                    "`layer_types` of config.json has layers of sliding_attention, and there is no window";
                let help = match asked {
                    true => "give `sliding_window`",
                    false => "give `sliding_window`, and `use_sliding_window` true",
                };
                return Err(Error::input(error).help(help));
            }
            (window, windowed)
        }
    };
    if window == Some(0) && windowed.contains(&true) {
        return Err(Error::input("`sliding_window` of config.json is 0"));
    }
    Ok(windowed.into_iter().map(|is| window.filter(|_| is)).collect())
}

fn decoder(c: &Hf<'_>, by: &Differences) -> Result<DecoderConfig> {
    let (layers, head_width) = (c.layers()?, c.head_width()?);
    let (bias, out_bias) = match by.biases {
        Biases::None => (false, false),
        Biases::Qkv(entry, otherwise) => (c.flag(entry, otherwise)?, false),
        Biases::All(otherwise) => [c.flag("attention_bias", otherwise)?; 2].into(),
        Biases::AlwaysQkv => (true, false),
    };
    let kind = c.text("model_type")?;
    let mut all = Vec::with_capacity(layers);
    for (i, window) in windows(c, layers, by)?.into_iter().enumerate() {
        let rope = match kind {
            // OLMo 3 has a rotary embedding for each kind of layers.
            "olmo3" if window.is_some() => {
                RopeOf { kind: Some("sliding_attention"), base_entry: None, ..by.rope }
            }
            "olmo3" => RopeOf { kind: Some("full_attention"), ..by.rope },
            _ => by.rope,
        };
        let attention = AttentionConfig {
            out_bias,
            qk_norm: by.qk_norm,
            rope: Some(c.rope(head_width, &rope)?),
            window,
            sinks: kind == "gpt_oss",
            ..c.attention(head_width, bias)?
        };
        let mlp = match (by.mixture)(c, i)? {
            Some(mixture) => mixture,
            None => MlpConfig::Gated {
                hidden: c.count("intermediate_size")?,
                activation: c.activation("hidden_act", Activation::SILU)?,
                bias: by.mlp_bias && c.flag("mlp_bias", false)?,
            },
        };
        all.push(LayerConfig { attention: attention.into(), mlp, placement: by.placement });
    }
    c.decoder(all, NormKind::Rms, by.epsilon)
}

pub fn llama(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &LLAMA)
}

/// Where Mistral's and Mixtral's differ: no biases, and a window for all layers.
const MISTRAL: Differences =
    Differences { biases: Biases::None, mlp_bias: false, windows: Windows::All(Some(4096)), ..LLAMA };

/// Layers of several kinds are Ministral's, whose files have this name too.
pub fn mistral(c: &Hf<'_>) -> Result<DecoderConfig> {
    match c.find("layer_types") {
        None => decoder(c, &MISTRAL),
        Some(_) => decoder(c, &Differences { windows: Windows::Layers(|_, _| Ok(true), 4096), ..MISTRAL }),
    }
}

pub fn qwen2(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &Differences { biases: Biases::AlwaysQkv, ..QWEN })
}

pub fn qwen3(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, &Differences { qk_norm: Some(QkNorm::Heads), ..QWEN })
}

pub fn phi3(c: &Hf<'_>) -> Result<DecoderConfig> {
    let rope = RopeOf { share: Some(1.0), original: Some(4096), long_alone: true, ..RopeOf::base(10_000.0) };
    decoder(c, &Differences { windows: Windows::All(None), epsilon: 1e-5, rope, ..MISTRAL })
}

pub fn olmo2(c: &Hf<'_>) -> Result<DecoderConfig> {
    let olmo2 = Differences {
        mlp_bias: false,
        qk_norm: Some(QkNorm::Whole),
        placement: NormPlacement::After,
        epsilon: 1e-5,
        ..LLAMA
    };
    decoder(c, &olmo2)
}

pub fn olmo3(c: &Hf<'_>) -> Result<DecoderConfig> {
    let olmo3 = Differences {
        mlp_bias: false,
        qk_norm: Some(QkNorm::Whole),
        placement: NormPlacement::After,
        epsilon: 1e-5,
        windows: Windows::Layers(|_, layer| Ok(!(layer + 1).is_multiple_of(4)), 4096),
        rope: RopeOf::base(500_000.0),
        ..LLAMA
    };
    decoder(c, &olmo3)
}

/// LayerNorms with biases where the others have RMSNorms, and a share of the pairs turned.
pub fn stablelm(c: &Hf<'_>) -> Result<DecoderConfig> {
    for missing in ["use_parallel_residual", "qk_layernorm"] {
        if c.flag(missing, false)? {
            return Err(Error::input(format!("a StableLM with `{missing}` is not read here")));
        }
    }
    let rope = RopeOf { share: Some(0.25), ..RopeOf::base(10_000.0) };
    let biases = Biases::Qkv("use_qkv_bias", false);
    let plain = decoder(c, &Differences { biases, mlp_bias: false, rope, ..LLAMA })?;
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
    let rope = RopeOf::base(1_000_000.0);
    decoder(c, &Differences { windows: Windows::All(None), epsilon: 1e-5, rope, mixture, ..MISTRAL })
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
    // Qwen 3's experts share none.
    let shared = match c.text("model_type")? {
        "qwen2_moe" => c.maybe_count("shared_expert_intermediate_size")?,
        _ => None,
    };
    Ok(Some(MlpConfig::Experts(ExpertsConfig {
        shared: shared.map(|hidden| (hidden, true)),
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
    let first = |c: &Hf<'_>, layer: usize| {
        Ok(layer.is_multiple_of(2) && layer < c.count_or("max_window_layers", 28)?)
    };
    let biases = Biases::Qkv("qkv_bias", true);
    decoder(c, &Differences { biases, windows: Windows::Layers(first, 4096), mixture: qwen_mixture, ..QWEN })
}

pub fn qwen3_moe(c: &Hf<'_>) -> Result<DecoderConfig> {
    let windows = Windows::All(Some(4096));
    decoder(c, &Differences { qk_norm: Some(QkNorm::Heads), windows, mixture: qwen_mixture, ..QWEN })
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
    let yarn = || {
        json!({
            "rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false,
            "original_max_position_embeddings": 4096,
        })
    };
    let gpt_oss = Differences {
        biases: Biases::All(true),
        mlp_bias: false,
        windows: Windows::Layers(|_, layer| Ok(layer.is_multiple_of(2)), 128),
        epsilon: 1e-5,
        rope: RopeOf { otherwise: Some(yarn), ..RopeOf::base(150_000.0) },
        mixture,
        ..LLAMA
    };
    decoder(c, &gpt_oss)
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

/// The further rows of StableLM's files.
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
