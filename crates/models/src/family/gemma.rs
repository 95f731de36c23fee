//! Gemma 1, 2 and 3: scaled embeddings, normalizations with an offset, soft caps, windows.

use jarrah_array::{Error, Result};
use jarrah_nn::Activation;

use super::hf::Hf;
use super::names::Row;
use crate::{AttentionConfig, DecoderConfig, LayerConfig, MlpConfig, NormKind, Placement, QkNorm};

fn decoder(c: &Hf<'_>, generation: u32) -> Result<DecoderConfig> {
    // Files of the whole of Gemma 3 leave out what is as in the smallest one.
    let or = |name: &str, other: usize| if generation == 3 { c.count_or(name, other) } else { c.count(name) };
    let (layers, width, head_width) = (c.layers()?, c.count("hidden_size")?, or("head_dim", 256)?);
    let pattern = c.count_or("_sliding_window_pattern", c.count_or("sliding_window_pattern", 6)?)?.max(1);
    let windowed = c.windowed(layers, |i| match generation {
        1 => false,
        2 => i % 2 == 0,
        _ => (i + 1) % pattern != 0,
    })?;
    let window = c.maybe_count("sliding_window")?;
    if window == Some(0) && windowed.contains(&true) {
        return Err(Error::input("`sliding_window` of config.json is 0"));
    }
    let heads = or("num_attention_heads", 8)?;
    let groups = c.count_or("num_key_value_heads", if generation == 3 { 4 } else { heads })?;
    let bias = c.flag("attention_bias", false)?;
    let scale = match generation {
        1 => None,
        _ => Some(1.0 / c.number_or("query_pre_attn_scalar", 256.0)?.sqrt()),
    };
    let activation = match generation {
        // `gelu` of the first files means GELU by `tanh`.
        1 => Some(c.activation("hidden_act", Activation::GELU)?)
            .filter(|f| *f != Activation::GELU_EXACT)
            .unwrap_or(Activation::GELU),
        _ => c.activation("hidden_activation", Activation::GELU)?,
    };
    let mut all = Vec::with_capacity(layers);
    for windowed in windowed {
        let kind = if windowed { "sliding_attention" } else { "full_attention" };
        let rope = match (generation, windowed, c.maybe_number("rope_local_base_freq")?) {
            // The scaling of older files is that of layers that see everything.
            (3, true, base) if c.find("rope_parameters").is_none() => {
                c.plain_rope(head_width, base.unwrap_or(10_000.0))?
            }
            (3, ..) => c.rope(head_width, Some(kind), if windowed { 10_000.0 } else { 1_000_000.0 })?,
            _ => c.rope(head_width, Some(kind), 10_000.0)?,
        };
        let attention = AttentionConfig {
            bias,
            out_bias: bias,
            qk_norm: (generation == 3).then_some(QkNorm::Heads),
            rope: Some(rope),
            window: window.filter(|_| windowed),
            scale: scale.map(Into::into),
            softcap: c.maybe_number("attn_logit_softcapping")?.map(Into::into),
            ..AttentionConfig::new(heads, groups, head_width)
        };
        let mlp = MlpConfig::Gated { hidden: c.count("intermediate_size")?, activation, bias: false };
        let placement = if generation == 1 { Placement::Before } else { Placement::Both };
        all.push(LayerConfig { attention: attention.into(), mlp, placement });
    }
    let extents = [or("vocab_size", 262_208)?, or("max_position_embeddings", 131_072)?, width];
    Ok(DecoderConfig {
        embedding_scale: Some((width as f64).sqrt().into()),
        tied: c.flag("tie_word_embeddings", true)?,
        logit_softcap: c.maybe_number("final_logit_softcapping")?.map(Into::into),
        ..DecoderConfig::new(extents, all, c.norm(NormKind::RmsWithOffset, 1e-6)?)
    })
}

pub fn gemma(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, 1)
}

pub fn gemma2(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, 2)
}

pub fn gemma3(c: &Hf<'_>) -> Result<DecoderConfig> {
    decoder(c, 3)
}

/// Where Gemma 2 and 3 differ from Llama: normalizations on both sides.
pub const BOTH: &[Row] = &[
    Row::same("model.layers.{}.post_attention_layernorm.weight", "blocks.{}.attention_post_norm.scale"),
    Row::same("model.layers.{}.pre_feedforward_layernorm.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("model.layers.{}.post_feedforward_layernorm.weight", "blocks.{}.mlp_post_norm.scale"),
];
