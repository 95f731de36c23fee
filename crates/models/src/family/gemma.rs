//! Gemma 1, 2 and 3: scaled embeddings, normalizations with an offset, soft caps, windows.

use jarrah_array::{Error, Result};
use jarrah_nn::Activation;
use serde_json::Value;

use super::hf::{Hf, RopeOf};
use super::names::Row;
use crate::{AttentionConfig, DecoderConfig, LayerConfig, MlpConfig, NormKind, NormPlacement, QkNorm};

fn decoder(c: &Hf<'_>, generation: u32) -> Result<DecoderConfig> {
    // Files of the whole of Gemma 3 leave out what is as in the smallest one.
    let or = |name: &str, other: usize| if generation == 3 { c.count_or(name, other) } else { c.count(name) };
    let (layers, width, head_width) = (c.layers()?, c.count("hidden_size")?, or("head_dim", 256)?);
    if c.find("use_bidirectional_attention").is_some_and(|is| *is != false) {
        let error = "config.json asks for `use_bidirectional_attention`";
        return Err(Error::input(error).help("tokens see those before them alone: it can be null or false"));
    }
    let windowed = match generation {
        1 => vec![false; layers],
        2 => c.windowed(layers, |i| i % 2 == 0)?,
        _ => {
            let pattern = c.count_or("sliding_window_pattern", 6)?.max(1);
            c.windowed(layers, |i| (i + 1) % pattern != 0)?
        }
    };
    // A missing entry is as in the first files; a null one is none.
    let or_null = |name: &str| c.0.get(name).is_some_and(Value::is_null);
    let window = match generation {
        2.. if !or_null("sliding_window") => c.count_or("sliding_window", 4096)?,
        _ => 0,
    };
    if window == 0 && windowed.contains(&true) {
        return Err(Error::input("`sliding_window` of config.json is 0 or null, and layers have windows"));
    }
    // A missing entry of Gemma 2 is as in the first files; Gemma 1 has none, and Gemma 3 none of scores.
    let cap = |name: &str, otherwise: f64, last: u32| match generation {
        2 if c.0.get(name).is_none() => Ok(Some(otherwise)),
        2.. if generation <= last => c.maybe_number(name),
        _ => Ok(None),
    };
    let (softcap, logit_softcap) =
        (cap("attn_logit_softcapping", 50.0, 2)?, cap("final_logit_softcapping", 30.0, 3)?);
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
        let rope = match (generation, windowed) {
            // Gemma 3 has a rotary embedding for each kind of layers.
            (3, true) => RopeOf {
                kind: Some("sliding_attention"),
                base_entry: Some("rope_local_base_freq"),
                ..RopeOf::base(10_000.0)
            },
            (3, false) => RopeOf { kind: Some("full_attention"), ..RopeOf::base(1_000_000.0) },
            _ => RopeOf::base(10_000.0),
        };
        let attention = AttentionConfig {
            bias,
            out_bias: bias,
            qk_norm: (generation == 3).then_some(QkNorm::Heads),
            rope: Some(c.rope(head_width, &rope)?),
            window: windowed.then_some(window),
            scale: scale.map(Into::into),
            softcap: softcap.map(Into::into),
            ..AttentionConfig::new(heads, groups, head_width)
        };
        let mlp = MlpConfig::Gated { hidden: c.count("intermediate_size")?, activation, bias: false };
        let placement = if generation == 1 { NormPlacement::Before } else { NormPlacement::Both };
        all.push(LayerConfig { attention: attention.into(), mlp, placement });
    }
    let extents = [or("vocab_size", 262_208)?, or("max_position_embeddings", 131_072)?, width];
    Ok(DecoderConfig {
        embedding_scale: Some((width as f64).sqrt().into()),
        tied: c.flag("tie_word_embeddings", true)?,
        logit_softcap: logit_softcap.map(Into::into),
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
