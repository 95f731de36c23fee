//! The names of tensors in llama.cpp's files.

use crate::family::{Join, Row};

/// The names that most architectures share.
pub const COMMON: &[Row] = &[
    Row::same("token_embd.weight", "embed.table"),
    Row::same("position_embd.weight", "positions.table"),
    Row::same("blk.{}.attn_norm.weight", "blocks.{}.attention_norm.scale"),
    Row::same("blk.{}.attn_norm.bias", "blocks.{}.attention_norm.bias"),
    Row::same("blk.{}.attn_q.weight", "blocks.{}.attention.q.weight"),
    Row::same("blk.{}.attn_q.bias", "blocks.{}.attention.q.bias"),
    Row::same("blk.{}.attn_k.weight", "blocks.{}.attention.k.weight"),
    Row::same("blk.{}.attn_k.bias", "blocks.{}.attention.k.bias"),
    Row::same("blk.{}.attn_v.weight", "blocks.{}.attention.v.weight"),
    Row::same("blk.{}.attn_v.bias", "blocks.{}.attention.v.bias"),
    Row::same("blk.{}.attn_output.weight", "blocks.{}.attention.out.weight"),
    Row::same("blk.{}.attn_output.bias", "blocks.{}.attention.out.bias"),
    Row::same("blk.{}.attn_q_norm.weight", "blocks.{}.attention.q_norm.scale"),
    Row::same("blk.{}.attn_k_norm.weight", "blocks.{}.attention.k_norm.scale"),
    Row::same("blk.{}.post_attention_norm.weight", "blocks.{}.attention_post_norm.scale"),
    Row::same("blk.{}.ffn_norm.weight", "blocks.{}.mlp_norm.scale"),
    Row::same("blk.{}.ffn_norm.bias", "blocks.{}.mlp_norm.bias"),
    Row::same("blk.{}.ffn_gate.weight", "blocks.{}.mlp.gate.weight"),
    Row::same("blk.{}.ffn_gate.bias", "blocks.{}.mlp.gate.bias"),
    Row::same("blk.{}.ffn_up.weight", "blocks.{}.mlp.up.weight"),
    Row::same("blk.{}.ffn_up.bias", "blocks.{}.mlp.up.bias"),
    Row::same("blk.{}.ffn_down.weight", "blocks.{}.mlp.down.weight"),
    Row::same("blk.{}.ffn_down.bias", "blocks.{}.mlp.down.bias"),
    Row::same("blk.{}.post_ffw_norm.weight", "blocks.{}.mlp_post_norm.scale"),
    Row::same("output_norm.weight", "norm.scale"),
    Row::same("output_norm.bias", "norm.bias"),
    Row::same("output.weight", "head.weight"),
];

/// Where Llama differs: llama.cpp turns neighbours, so that rows of q and k stand in another order.
pub const LLAMA: &[Row] = &[
    Row::joined("blk.{}.attn_q.weight", &["blocks.{}.attention.q.weight"], Join::Interleaved),
    Row::joined("blk.{}.attn_q.bias", &["blocks.{}.attention.q.bias"], Join::Interleaved),
    Row::joined("blk.{}.attn_k.weight", &["blocks.{}.attention.k.weight"], Join::Interleaved),
    Row::joined("blk.{}.attn_k.bias", &["blocks.{}.attention.k.bias"], Join::Interleaved),
];

/// Where mixtures differ: their experts.
pub const EXPERTS: &[Row] = &[
    Row::same("blk.{}.ffn_gate_inp.weight", "blocks.{}.mlp.router.weight"),
    Row::joined("blk.{}.ffn_gate_exps.weight", &["blocks.{}.mlp.gate_up"], Join::Part(0, 2)),
    Row::joined("blk.{}.ffn_up_exps.weight", &["blocks.{}.mlp.gate_up"], Join::Part(1, 2)),
    Row::same("blk.{}.ffn_down_exps.weight", "blocks.{}.mlp.down"),
    Row::same("blk.{}.ffn_gate_shexp.weight", "blocks.{}.mlp.shared.gate.weight"),
    Row::same("blk.{}.ffn_up_shexp.weight", "blocks.{}.mlp.shared.up.weight"),
    Row::same("blk.{}.ffn_down_shexp.weight", "blocks.{}.mlp.shared.down.weight"),
    Row::joined("blk.{}.ffn_gate_inp_shexp.weight", &["blocks.{}.mlp.shared_gate.weight"], Join::Flat),
];

/// The rows in which Gemma differs: scales stored with one added to them.
pub const GEMMA: &[Row] = &[
    Row::joined("blk.{}.attn_norm.weight", &["blocks.{}.attention_norm.scale"], Join::PlusOne),
    Row::joined("blk.{}.attn_q_norm.weight", &["blocks.{}.attention.q_norm.scale"], Join::PlusOne),
    Row::joined("blk.{}.attn_k_norm.weight", &["blocks.{}.attention.k_norm.scale"], Join::PlusOne),
    Row::joined("blk.{}.post_attention_norm.weight", &["blocks.{}.attention_post_norm.scale"], Join::PlusOne),
    Row::joined("blk.{}.ffn_norm.weight", &["blocks.{}.mlp_norm.scale"], Join::PlusOne),
    Row::joined("blk.{}.post_ffw_norm.weight", &["blocks.{}.mlp_post_norm.scale"], Join::PlusOne),
    Row::joined("output_norm.weight", &["norm.scale"], Join::PlusOne),
];

const QKV: &[&str] =
    &["blocks.{}.attention.q.weight", "blocks.{}.attention.k.weight", "blocks.{}.attention.v.weight"];

/// Where Phi-3 differs: maps of one argument are one matrix.
pub const PHI3: &[Row] = &[
    Row::joined("blk.{}.attn_qkv.weight", QKV, Join::Rows),
    Row::joined(
        "blk.{}.ffn_up.weight",
        &["blocks.{}.mlp.gate.weight", "blocks.{}.mlp.up.weight"],
        Join::Rows,
    ),
];

/// Where GPT-2 differs: the same of attention alone.
pub const GPT2: &[Row] = &[
    Row::joined("blk.{}.attn_qkv.weight", QKV, Join::Rows),
    Row::joined(
        "blk.{}.attn_qkv.bias",
        &["blocks.{}.attention.q.bias", "blocks.{}.attention.k.bias", "blocks.{}.attention.v.bias"],
        Join::Rows,
    ),
];
