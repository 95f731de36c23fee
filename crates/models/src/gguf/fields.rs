//! The fields of a GGUF file and the `config.json` that says the same.

use jarrah_array::{Error, Literal, Result};
use jarrah_formats::{GgufField, GgufFields, GgufStore, Tensors};
use serde_json::{Map, Value, json};

use super::{Form, read, rope, tokenizer};
use crate::family::{MOST_LAYERS, range_of};
use crate::{DecoderConfig, MlpConfig, ModelFamily, NormKind};

/// A field of an architecture, by its name behind the architecture's: the entry of `config.json` that it is, and of GPT-2's; its value.
struct Entry {
    field: &'static str,
    key: &'static str,
    gpt2: &'static str,
    of: fn(&DecoderConfig) -> Option<GgufField>,
}

const fn entry(
    field: &'static str,
    key: &'static str,
    gpt2: &'static str,
    of: fn(&DecoderConfig) -> Option<GgufField>,
) -> Entry {
    Entry { field, key, gpt2, of }
}

fn count(count: usize) -> Option<GgufField> {
    u32::try_from(count).ok().map(GgufField::U32)
}

fn float(number: f64) -> Option<GgufField> {
    Some(GgufField::F32(number as f32))
}

fn hidden(config: &DecoderConfig) -> Option<usize> {
    // Layers without experts say how wide they are, wherever there are such.
    let plain = config.layers.iter().find_map(|layer| match layer.mlp {
        MlpConfig::Plain { hidden, .. } | MlpConfig::Gated { hidden, .. } => Some(hidden),
        MlpConfig::Experts(_) | MlpConfig::Both { .. } => None,
    });
    plain.or_else(|| Some(config.experts()?.hidden))
}

fn epsilon(config: &DecoderConfig, layer: bool) -> Option<GgufField> {
    float(config.norm.epsilon.get()).filter(|_| (config.norm.kind == NormKind::Layer) == layer)
}

const ENTRIES: &[Entry] = &[
    entry("context_length", "max_position_embeddings", "n_positions", |c| count(c.context)),
    entry("embedding_length", "hidden_size", "n_embd", |c| count(c.width)),
    entry("block_count", "num_hidden_layers", "n_layer", |c| count(c.layers.len())),
    entry("feed_forward_length", "intermediate_size", "n_inner", |c| count(hidden(c)?)),
    entry("attention.head_count", "num_attention_heads", "n_head", |c| count(c.layers[0].attention.heads())),
    entry("attention.head_count_kv", "num_key_value_heads", "", |c| count(c.layers[0].attention.groups())),
    entry("attention.key_length", "head_dim", "", |c| count(c.layers[0].attention.head_width())),
    entry("attention.value_length", "", "", |c| count(c.layers[0].attention.head_width())),
    entry("attention.layer_norm_rms_epsilon", "rms_norm_eps", "", |c| epsilon(c, false)),
    entry("attention.layer_norm_epsilon", "", "layer_norm_epsilon", |c| epsilon(c, true)),
    entry("attention.sliding_window", "sliding_window", "", |c| {
        count(c.layers.iter().find_map(|layer| layer.attention.window())?)
    }),
    entry("attn_logit_softcapping", "attn_logit_softcapping", "", |c| {
        float(c.layers[0].attention.as_heads()?.softcap?.get())
    }),
    entry("final_logit_softcapping", "final_logit_softcapping", "", |c| float(c.logit_softcap?.get())),
    entry("expert_count", "num_experts", "", |c| count(c.experts()?.count)),
    entry("expert_used_count", "num_experts_per_tok", "", |c| count(c.experts()?.routing.active)),
    entry("expert_feed_forward_length", "moe_intermediate_size", "", |c| count(c.experts()?.hidden)),
    entry("expert_shared_feed_forward_length", "shared_expert_intermediate_size", "", |c| {
        count(c.experts()?.shared?.0)
    }),
    entry("vocab_size", "", "", |c| count(c.vocabulary)),
];

/// The architectures whose windows are read. llama.cpp reads those of phi3 and computes without them; the models have them, as transformers has.
const WINDOWED: [&str; 3] = ["gemma2", "gemma3", "phi3"];

/// Whether an architecture has a field.
fn has(architecture: &str, entry: &Entry) -> bool {
    match architecture {
        // GPT-2 has no heads of another width or number.
        "gpt2" => !entry.gpt2.is_empty() || entry.key.is_empty(),
        _ => entry.key != "sliding_window" || WINDOWED.contains(&architecture),
    }
}

/// Which layers of an architecture see a window alone, where no field says it: of every so many all but the last.
fn period(architecture: &str) -> usize {
    match architecture {
        "gemma2" => 2,
        "gemma3" => 6,
        _ => 1,
    }
}

/// The width that scores are divided by the root of, in those models of an architecture that do not take a head's.
fn query_width(architecture: &str, config: &Map<String, Value>) -> Option<usize> {
    let whole = |key: &str| config.get(key)?.as_u64().map(|x| x as usize);
    let layers = whole("num_hidden_layers")?;
    let by_width = (architecture, layers) == ("gemma2", 46) || (architecture, layers) == ("gemma3", 62);
    let width = whole("hidden_size")?.checked_div(whole("num_attention_heads")?)?;
    if by_width { Some(width) } else { whole("head_dim") }
}

/// The `config.json` that a file's fields stand for.
pub fn json(form: &Form, tensors: &Tensors) -> Result<Value> {
    let factors = |name: &str| -> Result<Option<Literal>> {
        tensors.find(name).map(|tensor| tensor.literal()).transpose()
    };
    let there = |name: &str| tensors.find(name).map(|tensor| tensor.dims().to_vec());
    json_of(form, tensors.fields(), &there, &factors)
}

/// The `config.json` of a file with these fields, where `there` says the extents of a tensor and `factors` reads the factors of
/// a rotary embedding.
fn json_of(
    form: &Form,
    fields: &GgufFields,
    there: &dyn Fn(&str) -> Option<Vec<usize>>,
    factors: &dyn Fn(&str) -> Result<Option<Literal>>,
) -> Result<Value> {
    let architecture = form.architecture;
    let get = |name: &str| fields.get(&format!("{architecture}.{name}"));
    let gpt2 = architecture == "gpt2";
    let layers = get("block_count").and_then(GgufField::as_usize);
    let mut config = Map::new();
    for entry in ENTRIES {
        let key = if gpt2 { entry.gpt2 } else { entry.key };
        let Some(field) = get(entry.field).filter(|_| !key.is_empty() && has(architecture, entry)) else {
            continue;
        };
        let field = one(field, layers, &format!("{architecture}.{}", entry.field))?;
        let name = format!("{architecture}.{}", entry.field);
        let number = field.as_f64().ok_or_else(|| Error::input(format!("{name} is no number")))?;
        in_range(&name, number, key)?;
        config.insert(key.to_owned(), field.as_usize().map_or_else(|| json!(number), |count| json!(count)));
    }
    // llama.cpp has no other number in its place.
    let epsilon = if gpt2 { "attention.layer_norm_epsilon" } else { "attention.layer_norm_rms_epsilon" };
    if get(epsilon).is_none() {
        return Err(Error::input(format!("the file has no field {architecture}.{epsilon}")));
    }
    // Files of old say how wide all experts are that a token is given to, and not how wide each is.
    let whole = |key: &str| config.get(key).and_then(Value::as_u64).filter(|count| *count > 0);
    let all = whole("intermediate_size");
    let each = all.zip(whole("num_experts_per_tok")).map(|(all, used)| all / used);
    let old = [("moe_intermediate_size", each), ("shared_expert_intermediate_size", all)];
    let missing = old.into_iter().filter(|(key, _)| whole(key).is_none());
    let missing: Vec<_> = match architecture {
        "qwen2moe" => missing.collect(),
        "qwen3moe" => missing.take(1).collect(),
        _ => Vec::new(),
    };
    config.extend(missing.into_iter().filter_map(|(key, count)| Some((key.to_owned(), json!(count?)))));
    // Without a window, or with one of 0, llama.cpp takes no layer to have windows: such are the files of Phi-4, whose architecture is phi3.
    let has_windows = !matches!(architecture, "phi3" | "gemma3")
        || config.get("sliding_window").is_some_and(|window| *window != 0);
    if !has_windows {
        config.insert("sliding_window".to_owned(), Value::Null);
    }
    let mut set = |key: &str, value: Value| config.insert(key.to_owned(), value);
    let family = ModelFamily::named(form.families[0])?;
    set("model_type", family.model_type().into());
    set("architectures", json!([family.class()]));
    let embeddings = there("token_embd.weight").and_then(|dims| dims.first().copied());
    set("vocab_size", json!(embeddings.ok_or_else(|| Error::input("there is no tensor token_embd.weight"))?));
    // The first two Gemmas of llama.cpp have no output layer of their own: one with other numbers is said, and kept.
    let tied = there("output.weight").is_none() || matches!(architecture, "gemma" | "gemma2");
    set("tie_word_embeddings", tied.into());
    if !gpt2 {
        set("attention_bias", there("blk.0.attn_q.bias").is_some().into());
        set("mlp_bias", there("blk.0.ffn_gate.bias").is_some().into());
    }
    for name in ["bos_token_id", "eos_token_id"] {
        if let Some(id) = tokenizer::token(fields, name) {
            set(name, id.into());
        }
    }
    match architecture {
        "llama" if form.families.contains(&"mixtral") => {
            set("num_local_experts", json!(get("expert_count").and_then(GgufField::as_usize)));
        }
        "qwen2moe" => drop(set("norm_topk_prob", false.into())),
        "qwen3moe" => drop(set("norm_topk_prob", true.into())),
        "gemma" | "gemma2" => drop(set("hidden_act", "gelu_pytorch_tanh".into())),
        _ => {}
    }
    if get("attention.causal").and_then(GgufField::as_bool) == Some(false) {
        let error = format!("{architecture}.attention.causal of the file is false");
        return Err(Error::input(error).help("decoders see what is before a token alone"));
    }
    if period(architecture) > 1 {
        let layers = get("block_count").and_then(GgufField::as_usize).unwrap_or(0).min(MOST_LAYERS);
        let pattern = get("attention.sliding_window_pattern");
        let period = pattern.and_then(GgufField::as_usize).unwrap_or(period(architecture));
        let windowed = |layer: usize| match pattern.and_then(GgufField::as_array) {
            Some(all) => all.get(layer).and_then(GgufField::as_bool).unwrap_or(false),
            None => !(layer + 1).is_multiple_of(period),
        };
        let name =
            |layer| if has_windows && windowed(layer) { "sliding_attention" } else { "full_attention" };
        set("layer_types", (0..layers).map(name).collect());
        let scale = number(fields, &format!("{architecture}.attention.scale"))?.filter(|scale| *scale > 0.0);
        let width = match scale {
            Some(scale) => Some(json!(1.0 / (scale * scale))),
            None => query_width(architecture, &config).map(Value::from),
        };
        config.extend(width.map(|width| ("query_pre_attn_scalar".to_owned(), width)));
    }
    if !gpt2 {
        rope::read(architecture, fields, &mut config, factors)?;
    }
    Ok(Value::Object(config))
}

/// The number of a field, if there is the field.
///
/// # Errors
/// The field is no number, or not finite (`Input`).
pub fn number(fields: &GgufFields, name: &str) -> Result<Option<f64>> {
    let Some(field) = fields.get(name) else { return Ok(None) };
    let number = field.as_f64().ok_or_else(|| Error::input(format!("{name} of the file is no number")))?;
    in_range(name, number, "").map(|()| Some(number))
}

/// Checks that the number of a field is one that its entry in `config.json` may have.
fn in_range(name: &str, number: f64, key: &str) -> Result<()> {
    let (what, is_in_range) = range_of(key);
    match is_in_range(number) {
        true => Ok(()),
        false => Err(Error::input(format!("{name} of the file is {number}, it must be {what}"))),
    }
}

/// The number that a field is, or that all of its numbers are, one for each layer.
///
/// # Errors
/// The numbers differ, are none, or are not one for each layer (`Input`).
fn one<'a>(field: &'a GgufField, layers: Option<usize>, name: &str) -> Result<&'a GgufField> {
    let Some(all) = field.as_array() else { return Ok(field) };
    let wrong = |what: String| {
        let error = Error::input(format!("{name} of the file {what}"));
        Err(error.help("the layers of a model are alike here: one number, or the same for each layer"))
    };
    match (all.first(), layers) {
        (None, _) => wrong("is a list of no numbers".to_owned()),
        (Some(_), Some(layers)) if all.len() != layers => {
            wrong(format!("has {} numbers for {layers} layers", all.len()))
        }
        (Some(first), _) => match all.iter().enumerate().find(|(_, other)| *other != first) {
            None => Ok(first),
            Some((layer, other)) => wrong(format!(
                "has other numbers for other layers: {} for layer 0, {} for layer {layer}",
                shown(first),
                shown(other)
            )),
        },
    }
}

fn shown(field: &GgufField) -> String {
    field.as_f64().map_or_else(|| format!("{field:?}"), |number| number.to_string())
}

/// The fields that a file has of its architecture besides those of [`ENTRIES`] and of rotary embeddings.
const OTHERS: [&str; 3] = ["attention.scale", "attention.sliding_window_pattern", "attention.causal"];

/// The fields of a file's architecture that nothing looks at.
pub fn unread<'a>(form: &Form, fields: &'a GgufFields) -> impl Iterator<Item = &'a str> {
    let prefix = format!("{}.", form.architecture);
    let architecture = form.architecture;
    fields.0.iter().filter_map(move |(name, _)| {
        let own = name.strip_prefix(&prefix)?;
        let is_entry = ENTRIES.iter().any(|entry| entry.field == own && has(architecture, entry));
        let is_known = is_entry || OTHERS.contains(&own) || rope::knows(architecture, own);
        (!is_known).then_some(name.as_str())
    })
}

/// The fields of a file of the model.
pub fn of(form: &Form, json: &Value, config: &DecoderConfig, store: GgufStore) -> Result<GgufFields> {
    let architecture = form.architecture;
    let mut fields = GgufFields::default();
    fields.push("general.architecture", architecture);
    let kind = match store {
        GgufStore::AsIs | GgufStore::F32 => 0u32,
        GgufStore::F16 => 1,
        GgufStore::Q4_0 => 2,
        GgufStore::Q8_0 => 7,
        GgufStore::BF16 => 32,
    };
    fields.push("general.file_type", kind);
    if matches!(store, GgufStore::Q4_0 | GgufStore::Q8_0) {
        fields.push("general.quantization_version", 2u32);
    }
    for entry in ENTRIES.iter().filter(|entry| has(architecture, entry)) {
        // The width that layers without experts would have is in the file where there are none.
        let idle = (entry.field == "feed_forward_length").then(|| json[entry.key].as_u64()).flatten();
        let field = match idle {
            Some(width) => count(width as usize),
            None => (entry.of)(config),
        };
        if let Some(field) = field {
            fields.push(format!("{architecture}.{}", entry.field), field);
        }
    }
    let first = &config.layers[0].attention;
    let plain = 1.0 / (first.head_width() as f64).sqrt();
    let scale = first.as_heads().and_then(|attention| attention.scale);
    if let Some(scale) = scale.filter(|scale| (scale.get() / plain - 1.0).abs() > 1e-6) {
        fields.push(format!("{architecture}.attention.scale"), scale.get() as f32);
    }
    let windowed = || config.layers.iter().map(|layer| layer.attention.window().is_some());
    let period = period(architecture);
    if period > 1 && windowed().enumerate().any(|(layer, is)| is == (layer + 1).is_multiple_of(period)) {
        let name = format!("{architecture}.attention.sliding_window_pattern");
        fields.push(name, GgufField::array(windowed()));
    }
    rope::write(architecture, json, config, &mut fields)?;
    Ok(fields)
}

/// Checks that fields say of the model what its configuration says.
pub fn check(
    form: &Form,
    config: &DecoderConfig,
    fields: &GgufFields,
    factors: &[(String, Literal)],
) -> Result<()> {
    let bias = |is: bool| is.then(|| vec![0]);
    let there = |name: &str| match name {
        "token_embd.weight" => Some(vec![config.vocabulary, config.width]),
        "output.weight" => (!config.tied).then(|| vec![config.vocabulary, config.width]),
        "blk.0.attn_q.bias" => {
            bias(config.layers[0].attention.as_heads().is_some_and(|attention| attention.bias))
        }
        "blk.0.ffn_gate.bias" => bias(matches!(config.layers[0].mlp, MlpConfig::Gated { bias: true, .. })),
        _ => None,
    };
    let factors =
        |name: &str| Ok(factors.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()));
    let mut again = read(&json_of(form, fields, &there, &factors)?)?;
    again.dropout = config.dropout;
    // The texts of both, in which numbers may differ by what fields of 32 bits lose.
    let (wanted, found) = (format!("{config:?}"), format!("{again:?}"));
    let split = |text: &str| -> Vec<String> {
        text.split([' ', ',', '(', ')', '[', ']'])
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (wanted, found) = (split(&wanted), split(&found));
    let alike = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-6 * a.abs().max(b.abs()),
        _ => a == b,
    };
    let differs = wanted.iter().zip(&found).position(|(a, b)| !alike(a, b));
    match differs.or((wanted.len() != found.len()).then_some(wanted.len().min(found.len()))) {
        None => Ok(()),
        Some(at) => {
            let near = |words: &[String]| words[at.saturating_sub(2)..words.len().min(at + 3)].join(" ");
            let architecture = form.architecture;
            Err(Error::input(format!(
                "a file of the architecture {architecture} cannot say what this model is: it would be read with `{}` for `{}`",
                near(&found),
                near(&wanted)
            )))
        }
    }
}
