//! The layouts of models written in Flax NNX: the names of Hugging Face with Flax's names of parameters, and those of Tunix.
//!
//! Source: `nnx.Linear`, `nnx.Embed` and `nnx.RMSNorm` of Flax 0.12; the `params.py` of Tunix's models.

use super::row::{Form, Place, Row};

#[rustfmt::skip]
const TUNIX: &[Row] = &[
    Row::new("embedder.input_embedding", "model.embed_tokens.weight", Form::Embedding),
    Row::new("layers.{}.attn.q_proj.w", "model.layers.{}.self_attn.q_proj.weight", Form::Map),
    Row::new("layers.{}.attn.k_proj.w", "model.layers.{}.self_attn.k_proj.weight", Form::Map),
    Row::new("layers.{}.attn.v_proj.w", "model.layers.{}.self_attn.v_proj.weight", Form::Map),
    Row::new("layers.{}.attn.o_proj.w", "model.layers.{}.self_attn.o_proj.weight", Form::Map),
    Row::new("layers.{}.attn.q_bias", "model.layers.{}.self_attn.q_proj.bias", Form::Plain),
    Row::new("layers.{}.attn.k_bias", "model.layers.{}.self_attn.k_proj.bias", Form::Plain),
    Row::new("layers.{}.attn.v_bias", "model.layers.{}.self_attn.v_proj.bias", Form::Plain),
    Row::new("layers.{}.attn.q_norm.w", "model.layers.{}.self_attn.q_norm.weight", Form::Scale),
    Row::new("layers.{}.attn.k_norm.w", "model.layers.{}.self_attn.k_norm.weight", Form::Scale),
    Row::new("layers.{}.mlp.router.kernel", "model.layers.{}.mlp.gate.weight", Form::Map),
    Row::new("layers.{}.input_layernorm.w", "model.layers.{}.input_layernorm.weight", Form::Scale),
    Row::new("layers.{}.post_attention_layernorm.w", "model.layers.{}.post_attention_layernorm.weight", Form::Scale),
    Row::new("final_norm.w", "model.norm.weight", Form::Scale),
    Row::new("lm_head.w", "lm_head.weight", Form::Map),
    // Gemma's.
    Row::new("layers.{}.attn.q_einsum.w", "model.layers.{}.self_attn.q_proj.weight", Form::Heads(0, 1)),
    Row::new("layers.{}.attn.kv_einsum.w", "model.layers.{}.self_attn.k_proj.weight", Form::Heads(0, 2)),
    Row::new("layers.{}.attn.kv_einsum.w", "model.layers.{}.self_attn.v_proj.weight", Form::Heads(1, 2)),
    Row::new("layers.{}.attn.qkv_einsum.w", "model.layers.{}.self_attn.q_proj.weight", Form::Heads(0, 3)),
    Row::new("layers.{}.attn.qkv_einsum.w", "model.layers.{}.self_attn.k_proj.weight", Form::Heads(1, 3)),
    Row::new("layers.{}.attn.qkv_einsum.w", "model.layers.{}.self_attn.v_proj.weight", Form::Heads(2, 3)),
    Row::new("layers.{}.attn.attn_vec_einsum.w", "model.layers.{}.self_attn.o_proj.weight", Form::Map),
    Row::new("layers.{}.attn._query_norm.scale", "model.layers.{}.self_attn.q_norm.weight", Form::Scale),
    Row::new("layers.{}.attn._key_norm.scale", "model.layers.{}.self_attn.k_norm.weight", Form::Scale),
    Row::new("layers.{}.pre_attention_norm.scale", "model.layers.{}.input_layernorm.weight", Form::Scale),
    Row::new("layers.{}.post_attention_norm.scale", "model.layers.{}.post_attention_layernorm.weight", Form::Scale),
    Row::new("layers.{}.pre_ffw_norm.scale", "model.layers.{}.pre_feedforward_layernorm.weight", Form::Scale),
    // Gemma 1 has no normalization behind, so that Hugging Face's files call the one before the MLP otherwise.
    Row::new("layers.{}.pre_ffw_norm.scale", "model.layers.{}.post_attention_layernorm.weight", Form::Scale),
    Row::new("layers.{}.post_ffw_norm.scale", "model.layers.{}.post_feedforward_layernorm.weight", Form::Scale),
    Row::new("final_norm.scale", "model.norm.weight", Form::Scale),
];

/// The ends that a parameter's name has in Flax where it ends in `.weight` in PyTorch: for a tensor of two axes, then for any.
const ENDS: &[(&str, Form, bool)] = &[
    (".kernel", Form::Map, true),
    (".embedding", Form::Embedding, true),
    (".scale", Form::Scale, false),
    (".weight", Form::Plain, false),
];

/// The leaves in which a tensor of so many axes may lie, of `layers` layers.
pub fn places(tensor: &str, axes: usize, layers: usize) -> Vec<Place> {
    let mut found = Vec::new();
    let mut add = |leaf: &str, tensor_layer: Option<usize>, form: Form| {
        let place = |leaf, layer| Place { leaf, layer, expert: None, form };
        let Some(layer) = tensor_layer else { return found.push(place(leaf.to_owned(), None)) };
        found.push(place(leaf.replacen("{}", &layer.to_string(), 1), None));
        found.push(place(leaf.replacen(".{}.", ".", 1), Some((layer, layers))));
    };
    for row in TUNIX {
        if let Some([layer, _]) = row.numbers(tensor) {
            add(row.leaf, layer, row.form);
        }
    }
    let (pattern, layer) = numbered(tensor);
    let short = pattern.strip_prefix("model.").or_else(|| pattern.strip_prefix("transformer."));
    for own in [Some(pattern.as_str()), short].into_iter().flatten() {
        match own.strip_suffix(".weight") {
            Some(start) => {
                for (end, form, of_matrices) in ENDS {
                    if !of_matrices || axes == 2 {
                        add(&format!("{start}{end}"), layer, *form);
                    }
                }
            }
            None => add(own, layer, Form::Plain),
        }
    }
    found
}

/// A name with `{}` in the place of the first number among its keys, and the number.
fn numbered(name: &str) -> (String, Option<usize>) {
    let mut number = None;
    let keys = name.split('.').map(|key| match (number, key.parse::<usize>()) {
        (None, Ok(found)) => {
            number = Some(found);
            "{}"
        }
        _ => key,
    });
    let keys: Vec<&str> = keys.collect();
    (keys.join("."), number)
}
