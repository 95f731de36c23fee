//! Llama 4's text: chunks, layers without positions whose queries grow, experts whose inputs are weighted.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Pairing, Score};
use serde_json::Value;

use super::hf::{Hf, RopeOf};
use super::llama::routing;
use super::names::Row;
use crate::{
    AttentionConfig, DecoderConfig, ExpertsConfig, LayerConfig, MlpConfig, NormKind, NormPlacement, QkNorm,
    QueryGrowth,
};

pub fn llama4(c: &Hf<'_>) -> Result<DecoderConfig> {
    let (layers, head_width) = (c.layers()?, c.head_width()?);
    let bias = c.flag("attention_bias", false)?;
    let activation = c.activation("hidden_act", Activation::SILU)?;
    let growth =
        QueryGrowth { step: c.count_or("floor_scale", 8192)?, scale: c.number_or("attn_scale", 0.1)?.into() };
    // Some files have a number for it.
    let tuned = c.find("attn_temperature_tuning");
    let growth = Some(growth).filter(|_| tuned.is_none_or(|is| *is != false && *is != 0));
    let qk_norm = c.flag("use_qk_norm", true)?.then_some(QkNorm::HeadsUnscaled);
    let chunk = match c.0.get("attention_chunk_size") {
        None => Some(8192),
        Some(_) => c.maybe_count("attention_chunk_size")?,
    };
    let mut all = Vec::with_capacity(layers);
    for i in 0..layers {
        let turned = turned(c, i)?;
        let chunked = match c.find("layer_types").map(|types| types.get(i).and_then(Value::as_str)) {
            None => turned,
            Some(Some("chunked_attention")) => true,
            Some(Some("full_attention")) => false,
            Some(kind) => {
                let error = Error::input(format!("`layer_types` of config.json has {kind:?} for layer {i}"));
                return Err(error.help("known are chunked_attention and full_attention"));
            }
        };
        let attention = AttentionConfig {
            // Rotary positions keep the norms of heads, so it does not matter that files were trained with norms behind them.
            qk_norm: qk_norm.filter(|_| turned),
            rope: match turned {
                true => Some(c.rope(head_width, &RopeOf::base(500_000.0))?.paired(Pairing::Neighbours)),
                false => None,
            },
            chunk: chunk.filter(|_| chunked),
            growth: growth.filter(|_| !turned),
            ..c.attention(head_width, bias)?
        };
        let mlp = match is_mixture(c, i)? {
            true => MlpConfig::Experts(experts(c, activation)?),
            false => MlpConfig::Gated { hidden: c.count("intermediate_size_mlp")?, activation, bias: false },
        };
        all.push(LayerConfig { attention: attention.into(), mlp, placement: NormPlacement::Before });
    }
    c.decoder(all, NormKind::Rms, 1e-5)
}

/// Whether a layer turns its queries and keys by their positions: `no_rope_layers` has 1 for those that do.
fn turned(c: &Hf<'_>, layer: usize) -> Result<bool> {
    let listed = c.find("no_rope_layers").and_then(Value::as_array).filter(|list| !list.is_empty());
    let Some(list) = listed else {
        let interval = c.count_or("no_rope_layer_interval", 4)?.max(1);
        return Ok(!(layer + 1).is_multiple_of(interval));
    };
    match list.get(layer).and_then(Value::as_u64) {
        Some(number) => Ok(number != 0),
        None => Err(Error::input(format!("`no_rope_layers` of config.json has no number for layer {layer}"))),
    }
}

fn is_mixture(c: &Hf<'_>, layer: usize) -> Result<bool> {
    match c.find("moe_layers").and_then(Value::as_array) {
        Some(list) => Ok(list.iter().any(|i| i.as_u64() == Some(layer as u64))),
        None => Ok((layer + 1).is_multiple_of(c.count_or("interleave_moe_layer_step", 1)?.max(1))),
    }
}

fn experts(c: &Hf<'_>, activation: Activation) -> Result<ExpertsConfig> {
    let (count, hidden) = (c.count("num_local_experts")?, c.count("intermediate_size")?);
    Ok(ExpertsConfig {
        shared: Some((hidden, false)),
        inputs_first: true,
        weighted_inputs: true,
        ..ExpertsConfig::new(
            count,
            hidden,
            Gate::Plain(activation),
            routing((c.count("num_experts_per_tok")?, count), Score::Sigmoid, false, 1.0)?,
        )
    })
}

/// Where Llama 4's names differ from those of Llama.
pub const NAMES: &[Row] = &[
    Row::same("model.layers.{}.feed_forward.gate_proj.weight", "blocks.{}.mlp.gate.weight"),
    Row::same("model.layers.{}.feed_forward.up_proj.weight", "blocks.{}.mlp.up.weight"),
    Row::same("model.layers.{}.feed_forward.down_proj.weight", "blocks.{}.mlp.down.weight"),
    Row::same("model.layers.{}.feed_forward.router.weight", "blocks.{}.mlp.router.weight"),
    Row::same("model.layers.{}.feed_forward.experts.gate_up_proj", "blocks.{}.mlp.gate_up"),
    Row::same("model.layers.{}.feed_forward.experts.down_proj", "blocks.{}.mlp.down"),
    Row::same(
        "model.layers.{}.feed_forward.shared_expert.gate_proj.weight",
        "blocks.{}.mlp.shared.gate.weight",
    ),
    Row::same("model.layers.{}.feed_forward.shared_expert.up_proj.weight", "blocks.{}.mlp.shared.up.weight"),
    Row::same(
        "model.layers.{}.feed_forward.shared_expert.down_proj.weight",
        "blocks.{}.mlp.shared.down.weight",
    ),
];
