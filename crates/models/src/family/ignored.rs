//! Entries of `config.json` that a family does not look at, as `transformers` does not, although other families do: whoever wrote them may have meant something by them.

use jarrah_formats::json::python_unmarked;
use serde_json::Value;

use super::{Hf, ModelFamily};

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

/// An entry, and the values of it that say nothing.
type Entry = (&'static str, fn(&Value) -> bool);

const ENTRIES: &[Entry] = &[
    ("layer_types", sees_everything),
    ("sliding_window", is_off),
    ("attention_bias", is_off),
    ("mlp_bias", is_off),
    ("partial_rotary_factor", is_whole),
    ("attn_logit_softcapping", is_off),
    ("final_logit_softcapping", is_off),
    ("query_pre_attn_scalar", is_off),
    ("use_bidirectional_attention", is_off),
    ("rope_interleave", |value| value.is_null() || *value == true),
    ("norm_topk_prob", is_off),
    ("embedding_multiplier", is_whole),
    ("residual_multiplier", is_whole),
    ("attention_multiplier", is_off),
    ("logits_scaling", is_whole),
    ("clip_qkv", is_off),
    ("alibi", is_off),
];

/// Sentences on the entries of a `config.json` that its family does not look at.
pub fn ignored(json: &Value) -> Vec<String> {
    let Some(kind) = json.get("model_type").and_then(Value::as_str) else { return Vec::new() };
    let c = Hf(json);
    let rope = ["rope_parameters", "rope_scaling"].iter().filter_map(|name| c.find(name));
    let places: Vec<&Value> = std::iter::once(json).chain(rope).collect();
    let reads = ModelFamily::named(kind).map_or(&[][..], |family| family.reads);
    let unread = ENTRIES.iter().filter(|(name, _)| !reads.contains(name));
    let said = unread.filter_map(|(name, says_nothing)| {
        let value = places.iter().find_map(|place| place.get(name)).filter(|value| !says_nothing(value))?;
        Some(format!(
            "`{name}` of config.json is {}, which models of the kind {kind} do not look at",
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
