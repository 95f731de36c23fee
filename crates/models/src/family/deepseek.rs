//! DeepSeek V2 and V3: latent attention, plain layers before mixtures, experts in groups, and experts that all tokens share.

use jarrah_array::{Error, Result};
use jarrah_nn::{Activation, Gate, Groups, LatentConfig, Pairing, Routing, Score, StaticFloat, yarn_scale};
use serde_json::Value;

use super::hf::{Hf, RopeOf};
use super::llama::routing;
use super::names::{Join, Row};
use crate::{DecoderConfig, ExpertsConfig, LayerConfig, MlpConfig, MtpConfig, NormKind, NormPlacement};

/// Differences among these families where `config.json` leaves an entry out.
struct Defaults {
    plain_layers: usize,
    shared: usize,
    factor: f64,
    score: Score,
    /// Whether the weights of a token sum to one.
    normalize: fn(&Hf<'_>) -> Result<bool>,
    /// Whether rotary embeddings turn neighbours.
    interleave: fn(&Hf<'_>) -> Result<bool>,
    groups: fn(&Hf<'_>) -> Result<Option<Groups>>,
    choice_bias: bool,
}

fn decoder(c: &Hf<'_>, by: &Defaults) -> Result<DecoderConfig> {
    let layers = c.layers()?;
    let rope_width = c.count("qk_rope_head_dim")?;
    if rope_width == 0 || !rope_width.is_multiple_of(2) {
        return Err(Error::input(format!("`qk_rope_head_dim` of config.json is {rope_width}, no pairs")));
    }
    let pairing = if (by.interleave)(c)? { Pairing::NeighboursToHalves } else { Pairing::Halves };
    let mut attention = LatentConfig {
        heads: c.count("num_attention_heads")?,
        latent: c.count("kv_lora_rank")?,
        query_latent: c.maybe_count("q_lora_rank")?,
        nope: c.count("qk_nope_head_dim")?,
        value: c.count("v_head_dim")?,
        rope: c.rope(rope_width, &RopeOf::base(10_000.0))?.paired(pairing),
        bias: c.flag("attention_bias", false)?,
        scale: None,
    };
    attention.scale = scale(c, attention.key())?;
    let activation = c.activation("hidden_act", Activation::SILU)?;
    let plain = MlpConfig::Gated { hidden: c.count("intermediate_size")?, activation, bias: false };
    let mixture = mixture(c, by, activation)?;
    let first = c.count_or("first_k_dense_replace", by.plain_layers)?;
    let layer = |i: usize| LayerConfig {
        attention: attention.clone().into(),
        mlp: if i < first { plain.clone() } else { mixture.clone() },
        placement: NormPlacement::Before,
    };
    let modules = c.mtp_modules()?;
    let mtp = (layers..layers + modules).map(|i| MtpConfig::shared(layer(i))).collect();
    Ok(DecoderConfig { mtp, ..c.decoder((0..layers).map(layer).collect(), NormKind::Rms, 1e-6)? })
}

/// The factor on scores of keys of `key` elements, which YaRN raises by the square of its scale where `mscale_all_dim` asks for it.
fn scale(c: &Hf<'_>, key: usize) -> Result<Option<StaticFloat>> {
    let rope = Value::Object(c.rope_of_all()?);
    let rope = Hf(&rope);
    match rope.maybe_number("mscale_all_dim")? {
        Some(all) if all != 0.0 && rope.kind() != "default" => {
            let scale = yarn_scale(rope.number("factor")?, all);
            Ok(Some((scale * scale / (key as f64).sqrt()).into()))
        }
        _ => Ok(None),
    }
}

fn mixture(c: &Hf<'_>, by: &Defaults, activation: Activation) -> Result<MlpConfig> {
    let (count, hidden) = (c.count("n_routed_experts")?, c.count("moe_intermediate_size")?);
    let factor = c.number_or("routed_scaling_factor", by.factor)?;
    let groups = (by.groups)(c)?;
    let active = c.count("num_experts_per_tok")?;
    let routing = Routing { groups, ..routing((active, count), by.score, (by.normalize)(c)?, factor)? };
    if let Some(Groups { count: groups, active, judged_by }) = groups {
        let each = count.checked_div(groups).unwrap_or(0);
        if each * groups != count || each < judged_by || active > groups || active * each < routing.active {
            return Err(Error::input(format!(
                "{count} experts in {groups} groups, of which {active} are looked at for {} experts, are none",
                routing.active
            ))
            .help("look at `n_routed_experts`, `n_group`, `topk_group` and `num_experts_per_tok` of config.json"));
        }
    }
    Ok(MlpConfig::Experts(ExpertsConfig {
        choice_bias: by.choice_bias,
        shared: Some((hidden * c.count_or("n_shared_experts", by.shared)?, false)),
        wide_router: true,
        ..ExpertsConfig::new(count, hidden, Gate::Plain(activation), routing)
    }))
}

pub fn v2(c: &Hf<'_>) -> Result<DecoderConfig> {
    if c.flag("mlp_bias", false)? {
        return Err(Error::input("a DeepSeek V2 with `mlp_bias` is not read here"));
    }
    let groups = |c: &Hf<'_>| match c.find("topk_method").and_then(Value::as_str) {
        None | Some("greedy") => Ok(None),
        Some("group_limited_greedy") => {
            Ok(Some(Groups { count: c.count("n_group")?, active: c.count("topk_group")?, judged_by: 1 }))
        }
        Some(other) => Err(Error::input(format!("`topk_method` of config.json is `{other}`"))
            .help("known are greedy and group_limited_greedy")),
    };
    let by = Defaults {
        plain_layers: 0,
        shared: 2,
        factor: 1.0,
        score: Score::Softmax,
        normalize: |_| Ok(false),
        interleave: |_| Ok(true),
        groups,
        choice_bias: false,
    };
    decoder(c, &by)
}

/// A flag that a missing entry sets, and null does not.
fn is_on(c: &Hf<'_>, name: &str) -> Result<bool> {
    c.flag(name, c.0.get(name).is_none())
}

pub fn v3(c: &Hf<'_>) -> Result<DecoderConfig> {
    // transformers takes rates of the one and turns elements of the other.
    let turned = c.count("qk_rope_head_dim")?;
    if let Some(head) = c.maybe_count("head_dim")?.filter(|head| *head != turned) {
        let error = format!("`head_dim` of config.json is {head}, and `qk_rope_head_dim` {turned}");
        return Err(Error::input(error).help("the former is another name of the latter here: leave it out"));
    }
    let groups = |c: &Hf<'_>| {
        let (count, active) = (c.count_or("n_group", 8)?, c.count_or("topk_group", 4)?);
        Ok(Some(Groups { count, active, judged_by: 2 }))
    };
    let by = Defaults {
        plain_layers: 3,
        shared: 1,
        factor: 2.5,
        score: Score::Sigmoid,
        normalize: |c| is_on(c, "norm_topk_prob"),
        interleave: |c| is_on(c, "rope_interleave"),
        groups,
        choice_bias: true,
    };
    decoder(c, &by)
}

/// Where DeepSeek's names differ from those of Llama and of Qwen's mixtures.
pub const NAMES: &[Row] = &[
    Row::same("model.layers.{}.self_attn.q_proj.weight", "blocks.{}.attention.q.weight"),
    Row::same("model.layers.{}.self_attn.q_a_proj.weight", "blocks.{}.attention.q.layers.0.weight"),
    Row::same("model.layers.{}.self_attn.q_a_proj.bias", "blocks.{}.attention.q.layers.0.bias"),
    Row::same("model.layers.{}.self_attn.q_a_layernorm.weight", "blocks.{}.attention.q.layers.1.scale"),
    Row::same("model.layers.{}.self_attn.q_b_proj.weight", "blocks.{}.attention.q.layers.2.weight"),
    Row::same("model.layers.{}.self_attn.kv_a_proj_with_mqa.weight", "blocks.{}.attention.kv_down.weight"),
    Row::same("model.layers.{}.self_attn.kv_a_proj_with_mqa.bias", "blocks.{}.attention.kv_down.bias"),
    Row::same("model.layers.{}.self_attn.kv_a_layernorm.weight", "blocks.{}.attention.kv_norm.scale"),
    Row::joined(
        "model.layers.{}.self_attn.kv_b_proj.weight",
        &["blocks.{}.attention.k_up", "blocks.{}.attention.v_up"],
        Join::Heads,
    ),
    Row::same("model.layers.{}.mlp.gate.e_score_correction_bias", "blocks.{}.mlp.choice_bias"),
    Row::same("model.layers.{}.mlp.shared_experts.gate_proj.weight", "blocks.{}.mlp.shared.gate.weight"),
    Row::same("model.layers.{}.mlp.shared_experts.up_proj.weight", "blocks.{}.mlp.shared.up.weight"),
    Row::same("model.layers.{}.mlp.shared_experts.down_proj.weight", "blocks.{}.mlp.shared.down.weight"),
];
