//! The layout of MaxText: names of leaves, how layers are scanned, and the numbers that differ from those of Hugging Face's files.
//!
//! Source: MaxText's `checkpoint_conversion/utils/param_mapping.py`, and the initializers of its `layers/attentions.py`.

use jarrah_array::{Error, Result};
use serde_json::Value;

use super::change::Change;
use super::row::{Form, Place, Row};
use crate::family::Hf;

/// The keys above those that the rows name, as MaxText's checkpoints have them.
pub const ROOT: &str = "params.params.";
/// The leaf that tells the layout.
pub const EMBEDDING: &str = "token_embedder.embedding";

/// A family of models as MaxText has it.
#[derive(Debug)]
struct Family {
    model_types: &'static [&'static str],
    rows: &'static [&'static [Row]],
    blocks: Blocks,
    /// Whether the map of queries is divided by the root of the heads' width, and scores are not.
    divides_queries: bool,
    /// Of Gemma: scales have one added, embeddings are times the root of their width, and whether that factor is rounded to `bf16`.
    gemma: Option<bool>,
}

/// Which layers are one block, of which a scan has many.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Blocks {
    /// Each.
    Single,
    /// Two: one that sees a window and one that sees all, which rows tell by the `{}` of their leaf.
    Pairs,
    /// So many; layers that are no whole block stand apart.
    Cycles(usize),
}

#[rustfmt::skip]
const FAMILIES: &[Family] = &[
    family(&["llama", "mistral"], &[TOP, NORMS, ATTENTION, MLP], true),
    family(&["mixtral"], &[TOP, NORMS, ATTENTION, MIXTRAL], true),
    family(&["qwen2"], &[TOP, NORMS, ATTENTION, BIASES, MLP], false),
    family(&["qwen3"], &[TOP, NORMS, ATTENTION, QK_NORMS, MLP], false),
    family(&["qwen3_moe"], &[TOP, NORMS, ATTENTION, QK_NORMS, QWEN_MOE], false),
    Family { gemma: Some(false), ..family(&["gemma"], &[TOP, GEMMA_NORMS, ATTENTION, MLP], true) },
    Family { gemma: Some(false), blocks: Blocks::Pairs, ..family(&["gemma2"], &[TOP, GEMMA2], true) },
    Family { gemma: Some(true), blocks: Blocks::Cycles(6),
        ..family(&["gemma3_text"], &[TOP, GEMMA3_NORMS, ATTENTION, QK_NORMS, MLP], false) },
];

const fn family(
    model_types: &'static [&'static str],
    rows: &'static [&'static [Row]],
    divides_queries: bool,
) -> Family {
    Family { model_types, rows, blocks: Blocks::Single, divides_queries, gemma: None }
}

const TOP: &[Row] = &[
    Row::new(EMBEDDING, "model.embed_tokens.weight", Form::Embedding),
    Row::new("decoder.decoder_norm.scale", "model.norm.weight", Form::Scale),
    Row::new("decoder.logits_dense.kernel", "lm_head.weight", Form::Map),
];

const NORMS: &[Row] = &[
    Row::new("pre_self_attention_layer_norm.scale", "model.layers.{}.input_layernorm.weight", Form::Scale),
    Row::new(
        "post_self_attention_layer_norm.scale",
        "model.layers.{}.post_attention_layernorm.weight",
        Form::Scale,
    ),
];

const ATTENTION: &[Row] = &[
    Row::new("self_attention.query.kernel", "model.layers.{}.self_attn.q_proj.weight", Form::Query),
    Row::new("self_attention.key.kernel", "model.layers.{}.self_attn.k_proj.weight", Form::Key),
    Row::new("self_attention.value.kernel", "model.layers.{}.self_attn.v_proj.weight", Form::Value),
    Row::new("self_attention.out.kernel", "model.layers.{}.self_attn.o_proj.weight", Form::Out),
];

const BIASES: &[Row] = &[
    Row::new("self_attention.query.bias", "model.layers.{}.self_attn.q_proj.bias", Form::HeadBias),
    Row::new("self_attention.key.bias", "model.layers.{}.self_attn.k_proj.bias", Form::HeadBias),
    Row::new("self_attention.value.bias", "model.layers.{}.self_attn.v_proj.bias", Form::HeadBias),
];

const QK_NORMS: &[Row] = &[
    Row::new("self_attention.query_norm.scale", "model.layers.{}.self_attn.q_norm.weight", Form::Scale),
    Row::new("self_attention.key_norm.scale", "model.layers.{}.self_attn.k_norm.weight", Form::Scale),
];

const MLP: &[Row] = &[
    Row::new("mlp.wi_0.kernel", "model.layers.{}.mlp.gate_proj.weight", Form::Map),
    Row::new("mlp.wi_1.kernel", "model.layers.{}.mlp.up_proj.weight", Form::Map),
    Row::new("mlp.wo.kernel", "model.layers.{}.mlp.down_proj.weight", Form::Map),
];

const QWEN_MOE: &[Row] = &[
    Row::new("moe_block.gate.kernel", "model.layers.{}.mlp.gate.weight", Form::Map),
    Row::new("moe_block.wi_0", "model.layers.{}.mlp.experts.{e}.gate_proj.weight", Form::Expert),
    Row::new("moe_block.wi_1", "model.layers.{}.mlp.experts.{e}.up_proj.weight", Form::Expert),
    Row::new("moe_block.wo", "model.layers.{}.mlp.experts.{e}.down_proj.weight", Form::Expert),
];

const MIXTRAL: &[Row] = &[
    Row::new("MoeBlock_0.gate.kernel", "model.layers.{}.block_sparse_moe.gate.weight", Form::Map),
    Row::new("MoeBlock_0.wi_0", "model.layers.{}.block_sparse_moe.experts.{e}.w1.weight", Form::Expert),
    Row::new("MoeBlock_0.wi_1", "model.layers.{}.block_sparse_moe.experts.{e}.w3.weight", Form::Expert),
    Row::new("MoeBlock_0.wo", "model.layers.{}.block_sparse_moe.experts.{e}.w2.weight", Form::Expert),
];

const GEMMA_NORMS: &[Row] = &[
    Row::new("pre_self_attention_norm.scale", "model.layers.{}.input_layernorm.weight", Form::Scale),
    Row::new("pre_ffw_norm.scale", "model.layers.{}.post_attention_layernorm.weight", Form::Scale),
];

const GEMMA3_NORMS: &[Row] = &[
    Row::new("pre_self_attention_norm.scale", "model.layers.{}.input_layernorm.weight", Form::Scale),
    Row::new(
        "post_self_attention_norm.scale",
        "model.layers.{}.post_attention_layernorm.weight",
        Form::Scale,
    ),
    Row::new("pre_ffw_norm.scale", "model.layers.{}.pre_feedforward_layernorm.weight", Form::Scale),
    Row::new("post_ffw_norm.scale", "model.layers.{}.post_feedforward_layernorm.weight", Form::Scale),
];

const GEMMA2: &[Row] = &[
    Row::new("pre_self_attention_norm{}.scale", "model.layers.{}.input_layernorm.weight", Form::Scale),
    Row::new(
        "post_self_attention_norm{}.scale",
        "model.layers.{}.post_attention_layernorm.weight",
        Form::Scale,
    ),
    Row::new("pre_ffw_norm{}.scale", "model.layers.{}.pre_feedforward_layernorm.weight", Form::Scale),
    Row::new("post_ffw_norm{}.scale", "model.layers.{}.post_feedforward_layernorm.weight", Form::Scale),
    Row::new("self_attention{}.query.kernel", "model.layers.{}.self_attn.q_proj.weight", Form::Query),
    Row::new("self_attention{}.key.kernel", "model.layers.{}.self_attn.k_proj.weight", Form::Key),
    Row::new("self_attention{}.value.kernel", "model.layers.{}.self_attn.v_proj.weight", Form::Value),
    Row::new("self_attention{}.out.kernel", "model.layers.{}.self_attn.o_proj.weight", Form::Out),
    Row::new("mlp{}.wi_0.kernel", "model.layers.{}.mlp.gate_proj.weight", Form::Map),
    Row::new("mlp{}.wi_1.kernel", "model.layers.{}.mlp.up_proj.weight", Form::Map),
    Row::new("mlp{}.wo.kernel", "model.layers.{}.mlp.down_proj.weight", Form::Map),
];

/// The layout of one model.
#[derive(Debug)]
pub struct MaxText {
    family: &'static Family,
    layers: usize,
    /// The width of the residual stream, and that of a head.
    width: usize,
    pub head_width: usize,
    /// Whether neighbours are turned by rotary embeddings, where Hugging Face's files turn halves.
    neighbours: bool,
}

impl MaxText {
    /// The layout of the model that a `config.json` describes.
    ///
    /// # Errors
    /// MaxText's names are not known of its family (`Input`), or an entry is missing.
    pub fn of(json: &Value) -> Result<MaxText> {
        let config = Hf(json);
        let model_type = config.text("model_type")?;
        let family = FAMILIES.iter().find(|family| family.model_types.contains(&model_type));
        let family = family.ok_or_else(|| {
            let known: Vec<&str> = FAMILIES.iter().flat_map(|family| family.model_types).copied().collect();
            Error::input(format!("MaxText's names of leaves are not known of the family {model_type}"))
                .help(format!("known are {}; others are read by names that --rename gives", known.join(", ")))
        })?;
        // Of Llama's plain rotary embeddings MaxText turns halves, of those of Llama 3.1 neighbours.
        let rope = ["rope_scaling", "rope_parameters"].iter().find_map(|name| config.find(name));
        let neighbours = rope.is_some_and(|rope| Hf(rope).kind() == "llama3");
        Ok(MaxText {
            family,
            layers: config.layers()?,
            width: config.count("hidden_size")?,
            head_width: config.head_width()?,
            neighbours,
        })
    }

    /// The leaves in which a tensor may lie: of layers one behind the other, then of a layer of its own.
    pub fn places(&self, tensor: &str) -> Vec<Place> {
        let mut found = Vec::new();
        for row in self.family.rows.iter().copied().flatten() {
            let Some([layer, expert]) = row.numbers(tensor) else { continue };
            let place = |leaf: String, layer| Place { leaf, layer, expert, form: row.form };
            match layer {
                None => found.push(place(row.leaf.to_owned(), None)),
                Some(layer) => {
                    let all = [true, false].map(|scanned| self.block(layer, row.leaf, scanned));
                    found.extend(all.into_iter().map(|(leaf, slot)| place(leaf, slot)));
                }
            }
        }
        found
    }

    /// The leaf of a layer, and which layer of its scan that is.
    fn block(&self, layer: usize, leaf: &str, scanned: bool) -> (String, Option<(usize, usize)>) {
        match self.family.blocks {
            Blocks::Single if scanned => (format!("decoder.layers.{leaf}"), Some((layer, self.layers))),
            Blocks::Pairs => {
                let leaf = leaf.replacen("{}", ["_local", "_global"][layer % 2], 1);
                match scanned {
                    true => (format!("decoder.layers.{leaf}"), Some((layer / 2, self.layers / 2))),
                    false => (format!("decoder.layers_{}.{leaf}", layer / 2), None),
                }
            }
            Blocks::Cycles(length) if scanned => {
                let (cycles, apart) = (self.layers / length, self.layers / length * length);
                match layer.checked_sub(apart) {
                    None => {
                        let leaf = format!("decoder.layers.layers_{}.{leaf}", layer % length);
                        (leaf, Some((layer / length, cycles)))
                    }
                    Some(rest) => (format!("decoder.layers_remainder.layers_{rest}.{leaf}"), None),
                }
            }
            Blocks::Single | Blocks::Cycles(_) => (format!("decoder.layers_{layer}.{leaf}"), None),
        }
    }

    /// The difference between the numbers of a leaf and those of the tensor.
    pub fn change(&self, form: Form) -> Change {
        let root = |width: usize| (width as f64).sqrt();
        let plain = Change::default();
        match (form, self.family.gemma) {
            (Form::Query, _) => Change {
                divisor: self.family.divides_queries.then(|| root(self.head_width)),
                neighbours: self.neighbours.then_some(self.head_width),
                ..plain
            },
            (Form::Key, _) => Change { neighbours: self.neighbours.then_some(self.head_width), ..plain },
            (Form::Scale, Some(_)) => Change { more: 1.0, ..plain },
            (Form::Embedding, Some(narrow)) => {
                Change { factor: Some(root(self.width)), narrow_factor: narrow, ..plain }
            }
            _ => plain,
        }
    }
}
