//! Gemma 4's text: heads of two widths, keys that later layers borrow, embeddings for each layer, experts beside an MLP.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Rope, Score};
use serde_json::json;

use super::hf::{Hf, RopeOf};
use super::llama::routing;
use super::names::Row;
use crate::{
    AttentionConfig, DecoderConfig, ExpertsConfig, Keys, LayerConfig, LayerInputsConfig, MlpConfig, NormKind,
    NormPlacement, QkNorm,
};

pub fn gemma4(c: &Hf<'_>) -> Result<DecoderConfig> {
    if let Some(kind) = c.find("use_bidirectional_attention").filter(|kind| *kind == "all") {
        let error = Error::input(format!("`use_bidirectional_attention` of config.json is {kind}"));
        return Err(error.help("tokens see those before them alone: it can be null or \"vision\""));
    }
    if c.find("rope_scaling").is_some() {
        let error = "`rope_scaling` of config.json says nothing of Gemma 4's kinds of layers";
        return Err(Error::input(error).help("give `rope_parameters` with an entry for each kind"));
    }
    let (layers, width) = (c.layers()?, c.count("hidden_size")?);
    let windowed = c.windowed(layers, |i| (i + 1) % 6 != 0)?;
    // The last layer sees everything, whatever is said of it.
    let windowed: Vec<bool> = windowed.into_iter().enumerate().map(|(i, is)| is && i + 1 < layers).collect();
    let window = c.count_or("sliding_window", 512)?;
    if window == 0 {
        return Err(Error::input("`sliding_window` of config.json is 0"));
    }
    let keys = keys(c, &windowed)?;
    let activation = c.activation("hidden_activation", Activation::GELU)?;
    let bias = c.flag("attention_bias", false)?;
    let mut all = Vec::with_capacity(layers);
    for (i, (&windowed, &keys)) in windowed.iter().zip(&keys).enumerate() {
        let (head_width, groups) = heads(c, i, windowed)?;
        let attention = AttentionConfig {
            bias,
            out_bias: bias,
            qk_norm: Some(QkNorm::Heads),
            keys,
            rope: Some(rope(c, head_width, windowed)?),
            window: windowed.then_some(window),
            scale: Some(1.0.into()),
            ..AttentionConfig::new(c.count("num_attention_heads")?, groups, head_width)
        };
        let borrows = matches!(keys, Keys::Borrowed(_));
        let wide = if borrows && c.flag("use_double_wide_mlp", false)? { 2 } else { 1 };
        let hidden = c.count("intermediate_size")? * wide;
        let mlp = match c.flag("enable_moe_block", false)? {
            false => MlpConfig::Gated { hidden, activation, bias: false },
            true => MlpConfig::Both { hidden, activation, experts: experts(c, activation)? },
        };
        all.push(LayerConfig { attention: attention.into(), mlp, placement: NormPlacement::Both });
    }
    let vocabulary = c.count("vocab_size")?;
    let inputs = c.count_or("hidden_size_per_layer_input", 256)?;
    let inputs_vocabulary = c.count_or("vocab_size_per_layer_input", vocabulary)?;
    Ok(DecoderConfig {
        layer_inputs: (inputs > 0).then_some(LayerInputsConfig {
            vocabulary: inputs_vocabulary,
            width: inputs,
            activation,
        }),
        layer_factors: true,
        embedding_scale: Some((width as f64).sqrt().into()),
        tied: c.flag("tie_word_embeddings", true)?,
        logit_softcap: c.maybe_number("final_logit_softcapping")?.map(Into::into),
        ..c.decoder(all, NormKind::Rms, 1e-6)?
    })
}

/// Where the keys of each layer come from: the last `num_kv_shared_layers` borrow those of the last layer before them that sees as much.
fn keys(c: &Hf<'_>, windowed: &[bool]) -> Result<Vec<Keys>> {
    let shared = c.count_or("num_kv_shared_layers", 0)?;
    let Some(own) = windowed.len().checked_sub(shared) else {
        let layers = windowed.len();
        return Err(Error::input(format!(
            "`num_kv_shared_layers` of config.json is {shared}, of {layers} layers"
        )));
    };
    let joint = c.flag("attention_k_eq_v", false)?;
    let lender = |windows: bool| windowed[..own].iter().rposition(|is| *is == windows);
    let one = |(i, &windows): (usize, &bool)| match lender(windows) {
        _ if i < own => {
            let lent = lender(windows).filter(|lender| *lender == i && shared > 0);
            Ok(Keys::Normed { joint: joint && !windows, lent })
        }
        Some(lender) => Ok(Keys::Borrowed(lender)),
        None => Err(Error::input(format!("no layer of config.json has keys that layer {i} could share"))),
    };
    windowed.iter().enumerate().map(one).collect()
}

/// The width of the heads of a layer, and the number of those of keys and values.
fn heads(c: &Hf<'_>, layer: usize, windowed: bool) -> Result<(usize, usize)> {
    let (width, groups) = (c.count("head_dim")?, c.count("num_key_value_heads")?);
    if let Some(layers) = c.find("per_layer_config") {
        return match layers.get(layer.to_string()) {
            None => Ok((width, groups)),
            Some(own) => {
                let own = Hf(own);
                Ok((own.count_or("head_dim", width)?, own.count_or("num_key_value_heads", groups)?))
            }
        };
    }
    if windowed {
        return Ok((width, groups));
    }
    let groups = match c.flag("attention_k_eq_v", false)? {
        true => c.count_or("num_global_key_value_heads", groups)?,
        false => groups,
    };
    Ok((c.count_or("global_head_dim", 512)?, groups))
}

fn rope(c: &Hf<'_>, head_width: usize, windowed: bool) -> Result<Rope> {
    let proportional = || json!({"rope_type": "proportional", "partial_rotary_factor": 0.25});
    let of = match windowed {
        true => RopeOf { kind: Some("sliding_attention"), ..RopeOf::base(10_000.0) },
        false => RopeOf {
            kind: Some("full_attention"),
            otherwise: Some(proportional),
            ..RopeOf::base(1_000_000.0)
        },
    };
    c.rope(head_width, &of)
}

fn experts(c: &Hf<'_>, activation: Activation) -> Result<ExpertsConfig> {
    let count = c.count("num_experts")?;
    Ok(ExpertsConfig::new(
        count,
        c.count("moe_intermediate_size")?,
        Gate::Plain(activation),
        routing((c.count("top_k_experts")?, count), Score::Softmax, true, 1.0)?,
    ))
}

/// Where Gemma 4 differs from Gemma 2 and 3. A tensor with two rows is one parameter in layers with experts, and the other elsewhere.
pub const NAMES: &[Row] = &[
    Row::same("model.embed_tokens_per_layer.weight", "layer_inputs.embed.table"),
    Row::same("model.per_layer_model_projection.weight", "layer_inputs.projection.weight"),
    Row::same("model.per_layer_projection_norm.weight", "layer_inputs.norm.scale"),
    Row::same("model.layers.{}.per_layer_input_gate.weight", "blocks.{}.input.gate.weight"),
    Row::same("model.layers.{}.per_layer_projection.weight", "blocks.{}.input.out.weight"),
    Row::same("model.layers.{}.post_per_layer_input_norm.weight", "blocks.{}.input.norm.scale"),
    Row::same("model.layers.{}.layer_scalar", "blocks.{}.factor"),
    Row::same("model.layers.{}.pre_feedforward_layernorm.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("model.layers.{}.pre_feedforward_layernorm.weight", "blocks.{}.mlp.mlp_norm.scale"),
    Row::same("model.layers.{}.mlp.gate_proj.weight", "blocks.{}.mlp.gate.weight"),
    Row::same("model.layers.{}.mlp.gate_proj.weight", "blocks.{}.mlp.mlp.gate.weight"),
    Row::same("model.layers.{}.mlp.up_proj.weight", "blocks.{}.mlp.up.weight"),
    Row::same("model.layers.{}.mlp.up_proj.weight", "blocks.{}.mlp.mlp.up.weight"),
    Row::same("model.layers.{}.mlp.down_proj.weight", "blocks.{}.mlp.down.weight"),
    Row::same("model.layers.{}.mlp.down_proj.weight", "blocks.{}.mlp.mlp.down.weight"),
    Row::same("model.layers.{}.post_feedforward_layernorm_1.weight", "blocks.{}.mlp.mlp_post_norm.scale"),
    Row::same("model.layers.{}.pre_feedforward_layernorm_2.weight", "blocks.{}.mlp.experts_norm.scale"),
    Row::same("model.layers.{}.post_feedforward_layernorm_2.weight", "blocks.{}.mlp.experts_post_norm.scale"),
    Row::same("model.layers.{}.router.scale", "blocks.{}.mlp.router_norm.scale"),
    Row::same("model.layers.{}.router.proj.weight", "blocks.{}.mlp.experts.router.weight"),
    Row::same("model.layers.{}.router.per_expert_scale", "blocks.{}.mlp.experts.expert_scale"),
    Row::same("model.layers.{}.experts.gate_up_proj", "blocks.{}.mlp.experts.gate_up"),
    Row::same("model.layers.{}.experts.down_proj", "blocks.{}.mlp.experts.down"),
];
