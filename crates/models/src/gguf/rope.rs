//! Rotary embeddings: the fields and tensors that GGUF has for them.

use jarrah_array::{Error, Literal, Result};
use jarrah_formats::{Field, Fields};
use serde_json::{Map, Value, json};

use crate::DecoderConfig;
use crate::family::Hf;

/// Factors that rates are divided by, `[width / 2]`, and those for short and for long contexts.
const FACTORS: &str = "rope_freqs.weight";
const SHORT: &str = "rope_factors_short.weight";
const LONG: &str = "rope_factors_long.weight";

/// The bases where a file names none: of layers that see everything, and of those with windows.
fn bases(architecture: &str) -> [f64; 2] {
    if architecture == "gemma3" { [1_000_000.0, 10_000.0] } else { [10_000.0; 2] }
}

/// Sets the entry `rope_parameters` of a `config.json`.
pub fn read(
    architecture: &str,
    fields: &Fields,
    config: &mut Map<String, Value>,
    factors: &dyn Fn(&str) -> Result<Option<Literal>>,
) -> Result<()> {
    let get = |name: &str| fields.get(&format!("{architecture}.rope.{name}"));
    let number = |name: &str| get(name).and_then(Field::as_f64);
    let [base, local] = bases(architecture);
    let mut by = Map::new();
    let mut set = |key: &str, value: Value| by.insert(key.to_owned(), value);
    set("rope_theta", json!(number("freq_base").unwrap_or(base)));
    set("rope_type", "default".into());
    let whole = |key: &str| config.get(key).and_then(Value::as_u64);
    let head = whole("head_dim").or_else(|| whole("hidden_size")?.checked_div(whole("num_attention_heads")?));
    if let (Some(width), Some(head)) = (get("dimension_count").and_then(Field::as_usize), head)
        && width as u64 != head
        && head > 0
    {
        set("partial_rotary_factor", json!(width as f64 / head as f64));
    }
    match get("scaling.type").and_then(Field::as_str) {
        Some(kind @ ("linear" | "yarn")) => {
            set("rope_type", kind.into());
            set("factor", json!(number("scaling.factor")));
        }
        None | Some("none" | "longrope") => {}
        Some(other) => return Err(Error::input(format!("{architecture}.rope.scaling.type is {other}"))),
    }
    for (field, key) in [
        ("scaling.original_context_length", "original_max_position_embeddings"),
        ("scaling.yarn_beta_fast", "beta_fast"),
        ("scaling.yarn_beta_slow", "beta_slow"),
    ] {
        if let Some(field) = get(field) {
            set(key, field.as_usize().map_or_else(|| json!(field.as_f64()), Value::from));
        }
    }
    let list =
        |name: &str| -> Result<Option<Vec<f64>>> { Ok(factors(name)?.map(|value| value.to_f64_vec())) };
    let pairs = match list(FACTORS)? {
        // Factors that hold for all contexts.
        Some(factors) => {
            set("attention_factor", json!(1.0));
            Some((factors.clone(), factors))
        }
        None => {
            let attention = number("scaling.attn_factor");
            attention.map(|factor| set("attention_factor", json!(factor)));
            list(SHORT)?.zip(list(LONG)?)
        }
    };
    if let Some((short, long)) = pairs {
        set("rope_type", "longrope".into());
        set("short_factor", json!(short));
        set("long_factor", json!(long));
        if let Some(original) = by.get("original_max_position_embeddings") {
            config.insert("original_max_position_embeddings".to_owned(), original.clone());
        }
    }
    let parameters = match architecture {
        "gemma3" => json!({
            "full_attention": by,
            "sliding_attention": {"rope_type": "default", "rope_theta": number("freq_base_swa").unwrap_or(local)},
        }),
        _ => Value::Object(by),
    };
    config.insert("rope_parameters".to_owned(), parameters);
    Ok(())
}

/// What a `config.json` says of the rotary embedding of a kind of layers.
fn parameters<'a>(json: &'a Value, layer: &str) -> &'a Value {
    let outer = &json[if json["rope_parameters"].is_object() { "rope_parameters" } else { "rope_scaling" }];
    if outer[layer].is_object() { &outer[layer] } else { outer }
}

/// Adds the fields of the model's rotary embeddings.
pub fn write(architecture: &str, json: &Value, config: &DecoderConfig, fields: &mut Fields) -> Result<()> {
    let Some(rope) = config.layers.iter().find_map(|layer| layer.attention.as_heads()?.rope.as_ref()) else {
        return Ok(());
    };
    let mut push = |name: &str, field: Field| fields.push(format!("{architecture}.rope.{name}"), field);
    push("dimension_count", Field::U32(rope.width() as u32));
    let [base, local] = bases(architecture);
    let base_of = |by: &Value, outer: f64| -> Result<f64> {
        Ok(match Hf(by).maybe_number("rope_theta")? {
            Some(base) => base,
            None => outer,
        })
    };
    let by = parameters(json, "full_attention");
    push("freq_base", Field::F32(base_of(by, Hf(json).number_or("rope_theta", base)?)? as f32));
    if architecture == "gemma3" {
        let local = Hf(json).number_or("rope_local_base_freq", local)?;
        let own = &json["rope_parameters"]["sliding_attention"];
        push("freq_base_swa", Field::F32(base_of(own, local)? as f32));
    }
    let by = Hf(by);
    let kind = by.find("rope_type").or_else(|| by.find("type")).and_then(Value::as_str).unwrap_or("default");
    let original = match by.maybe_count("original_max_position_embeddings")? {
        Some(original) => original,
        None => Hf(json).count_or("original_max_position_embeddings", config.context)?,
    };
    match kind {
        "linear" | "yarn" => {
            let factor = by.number_or("factor", config.context as f64 / original as f64)?;
            push("scaling.type", kind.into());
            push("scaling.factor", Field::F32(factor as f32));
            if kind == "yarn" {
                push("scaling.original_context_length", Field::U32(original as u32));
                for (name, key) in [("yarn_beta_fast", "beta_fast"), ("yarn_beta_slow", "beta_slow")] {
                    if let Some(number) = by.maybe_number(key)? {
                        push(&format!("scaling.{name}"), Field::F32(number as f32));
                    }
                }
            }
        }
        "longrope" | "su" => {
            push("scaling.original_context_length", Field::U32(original as u32));
            let ratio = by.number_or("factor", config.context as f64 / original as f64)?;
            let attention = match by.maybe_number("attention_factor")? {
                Some(factor) => factor,
                None if ratio <= 1.0 => 1.0,
                None => (1.0 + ratio.ln() / (original as f64).ln()).sqrt(),
            };
            push("scaling.attn_factor", Field::F32(attention as f32));
        }
        // Llama 3's kind is a tensor of factors; what has no form shows when the fields are read again.
        _ => {}
    }
    Ok(())
}

/// The tensors of factors of the model's rotary embedding.
pub fn factors(json: &Value, config: &DecoderConfig) -> Result<Vec<(String, Literal)>> {
    let by = Hf(parameters(json, "full_attention"));
    let kind = by.find("rope_type").or_else(|| by.find("type")).and_then(Value::as_str).unwrap_or("default");
    let literal = |factors: &[f64]| {
        let factors: Vec<f32> = factors.iter().map(|&x| x as f32).collect();
        Literal::from_slice(&[factors.len()], &factors)
    };
    let rope = config.layers[0].attention.as_heads().and_then(|attention| attention.rope.as_ref());
    match (kind, rope) {
        ("llama3", Some(rope)) => {
            let base = match by.maybe_number("rope_theta")? {
                Some(base) => base,
                None => Hf(json).number_or("rope_theta", 10_000.0)?,
            };
            let rates = rope.fixed_rates().unwrap_or_default();
            let plain = |pair: usize| base.powf(-2.0 * pair as f64 / rope.width() as f64);
            let factors: Vec<f64> = rates.iter().enumerate().map(|(i, rate)| plain(i) / rate).collect();
            Ok(vec![(FACTORS.to_owned(), literal(&factors)?)])
        }
        ("longrope" | "su", _) => {
            let list = |key: &str| -> Result<Literal> {
                let numbers = by.find(key).and_then(Value::as_array).into_iter().flatten();
                literal(&numbers.filter_map(Value::as_f64).collect::<Vec<f64>>())
            };
            Ok(vec![(LONG.to_owned(), list("long_factor")?), (SHORT.to_owned(), list("short_factor")?)])
        }
        _ => Ok(Vec::new()),
    }
}
