//! GPT-2 and GPT-NeoX.

use jarrah_array::Result;
use jarrah_nn::Activation;

use super::hf::{Hf, RopeOf};
use super::names::{Join, Row};
use crate::{AttentionConfig, DecoderConfig, LayerConfig, MlpConfig, NormConfig, NormKind, NormPlacement};

pub fn gpt2(c: &Hf<'_>) -> Result<DecoderConfig> {
    let (layers, width, heads) = (c.layers_at("n_layer")?, c.count("n_embd")?, c.count("n_head")?);
    let head_width = c.head_width_of("n_embd", "n_head")?;
    let context = c.count_or("n_positions", 1024)?;
    let hidden = c.count_or("n_inner", 4 * width)?;
    let mut all = Vec::new();
    for layer in 0..layers {
        let own = if c.flag("scale_attn_weights", true)? { 1.0 / (head_width as f64).sqrt() } else { 1.0 };
        let by_layer =
            if c.flag("scale_attn_by_inverse_layer_idx", false)? { 1.0 / (layer + 1) as f64 } else { 1.0 };
        let attention = AttentionConfig {
            bias: true,
            out_bias: true,
            scale: Some((own * by_layer).into()),
            ..AttentionConfig::new(heads, heads, head_width)
        };
        let activation = c.activation("activation_function", Activation::GELU)?;
        let mlp = MlpConfig::Plain { hidden, activation, bias: true };
        all.push(LayerConfig { attention: attention.into(), mlp, placement: NormPlacement::Before });
    }
    let norm = NormConfig { kind: NormKind::Layer, epsilon: c.number_or("layer_norm_epsilon", 1e-5)?.into() };
    Ok(DecoderConfig {
        learned_positions: Some(context),
        tied: c.flag("tie_word_embeddings", true)?,
        dropout: c.number_or("resid_pdrop", 0.1)?.into(),
        ..DecoderConfig::new([c.count("vocab_size")?, context, width], all, norm)
    })
}

pub fn neox(c: &Hf<'_>) -> Result<DecoderConfig> {
    let (layers, heads) = (c.layers()?, c.count("num_attention_heads")?);
    let head_width = c.head_width()?;
    let bias = c.flag("attention_bias", true)?;
    let rope = RopeOf {
        base_entry: Some("rotary_emb_base"),
        share: Some(0.25),
        share_entry: "rotary_pct",
        ..RopeOf::base(10_000.0)
    };
    let attention = AttentionConfig {
        bias,
        out_bias: bias,
        rope: Some(c.rope(head_width, &rope)?),
        ..AttentionConfig::new(heads, heads, head_width)
    };
    let mlp = MlpConfig::Plain {
        hidden: c.count("intermediate_size")?,
        activation: c.activation("hidden_act", Activation::GELU_EXACT)?,
        bias: true,
    };
    let placement =
        if c.flag("use_parallel_residual", true)? { NormPlacement::Parallel } else { NormPlacement::Before };
    let layers = vec![LayerConfig { attention: attention.into(), mlp, placement }; layers];
    Ok(DecoderConfig {
        dropout: c.number_or("hidden_dropout", 0.0)?.into(),
        ..c.decoder(layers, NormKind::Layer, 1e-5)?
    })
}

const QKV: &[&str] =
    &["blocks.{}.attention.q.weight", "blocks.{}.attention.k.weight", "blocks.{}.attention.v.weight"];
const QKV_BIAS: &[&str] =
    &["blocks.{}.attention.q.bias", "blocks.{}.attention.k.bias", "blocks.{}.attention.v.bias"];

/// The names of GPT-2's files, whose matrices lie as `[inputs, outputs]`.
pub const GPT2: &[Row] = &[
    Row::same("transformer.wte.weight", "embed.table"),
    Row::same("transformer.wpe.weight", "positions.table"),
    Row::same("transformer.h.{}.ln_1.weight", "blocks.{}.attention_norm.scale"),
    Row::same("transformer.h.{}.ln_1.bias", "blocks.{}.attention_norm.bias"),
    Row::joined("transformer.h.{}.attn.c_attn.weight", QKV, Join::Columns),
    Row::joined("transformer.h.{}.attn.c_attn.bias", QKV_BIAS, Join::Rows),
    Row::joined("transformer.h.{}.attn.c_proj.weight", &["blocks.{}.attention.out.weight"], Join::Columns),
    Row::same("transformer.h.{}.attn.c_proj.bias", "blocks.{}.attention.out.bias"),
    Row::same("transformer.h.{}.ln_2.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("transformer.h.{}.ln_2.bias", "blocks.{}.mlp_norm.bias"),
    Row::joined("transformer.h.{}.mlp.c_fc.weight", &["blocks.{}.mlp.up.weight"], Join::Columns),
    Row::same("transformer.h.{}.mlp.c_fc.bias", "blocks.{}.mlp.up.bias"),
    Row::joined("transformer.h.{}.mlp.c_proj.weight", &["blocks.{}.mlp.down.weight"], Join::Columns),
    Row::same("transformer.h.{}.mlp.c_proj.bias", "blocks.{}.mlp.down.bias"),
    Row::same("transformer.ln_f.weight", "norm.scale"),
    Row::same("transformer.ln_f.bias", "norm.bias"),
    Row::same("lm_head.weight", "head.weight"),
];

/// The names of GPT-NeoX's files.
pub const NEOX: &[Row] = &[
    Row::same("gpt_neox.embed_in.weight", "embed.table"),
    Row::same("gpt_neox.layers.{}.input_layernorm.weight", "blocks.{}.attention_norm.scale"),
    Row::same("gpt_neox.layers.{}.input_layernorm.bias", "blocks.{}.attention_norm.bias"),
    Row::joined("gpt_neox.layers.{}.attention.query_key_value.weight", QKV, Join::Heads),
    Row::joined("gpt_neox.layers.{}.attention.query_key_value.bias", QKV_BIAS, Join::Heads),
    Row::same("gpt_neox.layers.{}.attention.dense.weight", "blocks.{}.attention.out.weight"),
    Row::same("gpt_neox.layers.{}.attention.dense.bias", "blocks.{}.attention.out.bias"),
    Row::same("gpt_neox.layers.{}.post_attention_layernorm.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("gpt_neox.layers.{}.post_attention_layernorm.bias", "blocks.{}.mlp_norm.bias"),
    Row::same("gpt_neox.layers.{}.mlp.dense_h_to_4h.weight", "blocks.{}.mlp.up.weight"),
    Row::same("gpt_neox.layers.{}.mlp.dense_h_to_4h.bias", "blocks.{}.mlp.up.bias"),
    Row::same("gpt_neox.layers.{}.mlp.dense_4h_to_h.weight", "blocks.{}.mlp.down.weight"),
    Row::same("gpt_neox.layers.{}.mlp.dense_4h_to_h.bias", "blocks.{}.mlp.down.bias"),
    Row::same("gpt_neox.final_layer_norm.weight", "norm.scale"),
    Row::same("gpt_neox.final_layer_norm.bias", "norm.bias"),
    Row::same("embed_out.weight", "head.weight"),
];
