//! Entries of `config.json` that a family does not look at, as `transformers` does not, although other families do: whoever wrote them may have meant something by them.

use jarrah_formats::json::python_unmarked;
use serde_json::Value;

use super::Hf;

/// An entry, the families that look at it, and the values that say nothing.
struct Entry {
    name: &'static str,
    read_by: &'static [&'static str],
    says_nothing: fn(&Value) -> bool,
}

pub(super) fn is_off(value: &Value) -> bool {
    value.is_null()
        || *value == false
        || value.as_f64() == Some(0.0)
        || value.as_array().is_some_and(Vec::is_empty)
}

/// Whether all layers see all positions, as they do in a family without kinds of layers.
fn sees_everything(value: &Value) -> bool {
    is_off(value) || value.as_array().is_some_and(|all| all.iter().all(|kind| *kind == "full_attention"))
}

/// The families with a rotary embedding for each kind of layers whose older files have one `rope_scaling`.
const KINDED: [&str; 2] = ["gemma3_text", "olmo3"];

fn is_whole(value: &Value) -> bool {
    value.is_null() || value.as_f64() == Some(1.0)
}

const ENTRIES: &[Entry] = &[
    Entry {
        name: "layer_types",
        read_by: &[
            "llama4_text",
            "mistral",
            "qwen2",
            "qwen2_moe",
            "qwen3",
            "olmo3",
            "gpt_oss",
            "gemma2",
            "gemma3_text",
            "gemma4_text",
        ],
        says_nothing: sees_everything,
    },
    Entry {
        name: "sliding_window",
        read_by: &[
            "mistral",
            "mixtral",
            "phi3",
            "qwen2",
            "qwen2_moe",
            "qwen3",
            "qwen3_moe",
            "olmo3",
            "gpt_oss",
            "gemma2",
            "gemma3_text",
            "gemma4_text",
        ],
        says_nothing: is_off,
    },
    Entry {
        name: "attention_bias",
        read_by: &[
            "llama",
            "llama4_text",
            "qwen3",
            "qwen3_moe",
            "olmo2",
            "olmo3",
            "gpt_oss",
            "deepseek_v2",
            "deepseek_v3",
            "gemma",
            "gemma2",
            "gemma3_text",
            "gemma4_text",
            "gpt_neox",
        ],
        says_nothing: is_off,
    },
    Entry { name: "mlp_bias", read_by: &["llama", "deepseek_v2"], says_nothing: is_off },
    Entry {
        name: "partial_rotary_factor",
        read_by: &["phi3", "stablelm", "gpt_neox", "gemma4_text"],
        says_nothing: is_whole,
    },
    // Gemma 3 has the entry, and computes without it.
    Entry { name: "attn_logit_softcapping", read_by: &["gemma2"], says_nothing: is_off },
    Entry {
        name: "final_logit_softcapping",
        read_by: &["gemma2", "gemma3_text", "gemma4_text"],
        says_nothing: is_off,
    },
    Entry { name: "query_pre_attn_scalar", read_by: &["gemma2", "gemma3_text"], says_nothing: is_off },
    Entry {
        name: "use_bidirectional_attention",
        read_by: &["gemma", "gemma2", "gemma3_text", "gemma4_text"],
        says_nothing: is_off,
    },
    // DeepSeek V2 always pairs neighbours.
    Entry {
        name: "rope_interleave",
        read_by: &["deepseek_v3"],
        says_nothing: |value| value.is_null() || *value == true,
    },
    Entry {
        name: "norm_topk_prob",
        read_by: &["qwen2_moe", "qwen3_moe", "deepseek_v3"],
        says_nothing: is_off,
    },
    Entry { name: "embedding_multiplier", read_by: &[], says_nothing: is_whole },
    Entry { name: "residual_multiplier", read_by: &[], says_nothing: is_whole },
    Entry { name: "attention_multiplier", read_by: &[], says_nothing: is_off },
    Entry { name: "logits_scaling", read_by: &[], says_nothing: is_whole },
    Entry { name: "clip_qkv", read_by: &[], says_nothing: is_off },
    Entry { name: "alibi", read_by: &[], says_nothing: is_off },
];

/// Sentences on the entries of a `config.json` that its family does not look at.
pub fn ignored(json: &Value) -> Vec<String> {
    let Some(kind) = json.get("model_type").and_then(Value::as_str) else { return Vec::new() };
    let c = Hf(json);
    let rope = ["rope_parameters", "rope_scaling"].iter().filter_map(|name| c.find(name));
    let places: Vec<&Value> = std::iter::once(json).chain(rope).collect();
    let unread = ENTRIES.iter().filter(|entry| !entry.read_by.contains(&kind));
    let said = unread.filter_map(|entry| {
        let value = places
            .iter()
            .find_map(|place| place.get(entry.name))
            .filter(|value| !(entry.says_nothing)(value))?;
        Some(format!(
            "`{}` of config.json is {}, which models of the kind {kind} do not look at",
            entry.name,
            python_unmarked(&value.to_string())
        ))
    });
    let mut said: Vec<String> = said.collect();
    if let Some(type_of_rates) = c.lost_rope_type().filter(|_| KINDED.contains(&kind)) {
        said.push(format!(
            "`type` of `rope_scaling` of config.json is {type_of_rates}, which models of the kind {kind} do not look at: they look at `rope_type`"
        ));
    }
    if let (Some(_), Some(_)) = (c.find("rope_scaling"), c.find("rope_parameters")) {
        said.push("config.json has `rope_scaling` and `rope_parameters`: the former goes before, as transformers takes them".to_owned());
    }
    said
}
