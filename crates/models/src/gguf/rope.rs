//! Rotary embeddings: the fields and tensors that GGUF has for them.

use jarrah_array::{Error, Literal, Result};
use jarrah_formats::{GgufField, GgufFields};
use jarrah_nn::yarn_scale;
use serde_json::{Map, Value, json};

use super::fields::number;
use crate::DecoderConfig;
use crate::family::Hf;

/// Factors that rates are divided by, `[width / 2]`, and those for short and for long contexts.
const FACTORS: &str = "rope_freqs.weight";
const SHORT: &str = "rope_factors_short.weight";
const LONG: &str = "rope_factors_long.weight";

/// The bases that are written where `config.json` names none: of layers that see everything, and of those with windows.
fn bases(architecture: &str) -> [f64; 2] {
    if architecture == "gemma3" { [1_000_000.0, 10_000.0] } else { [10_000.0; 2] }
}

/// The entry of `config.json` that has the context before it was extended.
const ORIGINAL: &str = "original_max_position_embeddings";

/// The base where a file names none.
const BASE: f64 = 10_000.0;

/// The fields of rotary embeddings that are read, behind the architecture's name, and one that says nothing of how a model computes.
const FIELDS: [&str; 15] = [
    "rope.dimension_count",
    "rope.freq_base",
    "rope.freq_base_swa",
    "rope.scale_linear",
    "rope.scaling.type",
    "rope.scaling.factor",
    "rope.scaling.alpha",
    "rope.scaling.attn_factor",
    "rope.scaling.original_context_length",
    "rope.scaling.yarn_ext_factor",
    "rope.scaling.yarn_attn_factor",
    "rope.scaling.yarn_beta_fast",
    "rope.scaling.yarn_beta_slow",
    "rope.scaling.yarn_log_multiplier",
    "rope.scaling.finetuned",
];

/// Whether a field, by its name behind the architecture's, is looked at.
pub fn knows(architecture: &str, field: &str) -> bool {
    FIELDS.contains(&field) && (field != "rope.freq_base_swa" || architecture == "gemma3")
}

/// The rotary embeddings of a file of an architecture.
struct File<'f> {
    architecture: &'f str,
    fields: &'f GgufFields,
    /// The tensor of factors of this name, if there is one.
    factors: &'f dyn Fn(&str) -> Result<Option<Literal>>,
}

impl File<'_> {
    fn get(&self, name: &str) -> Option<&GgufField> {
        self.fields.get(&format!("{}.rope.{name}", self.architecture))
    }

    fn number(&self, name: &str) -> Result<Option<f64>> {
        number(self.fields, &format!("{}.rope.{name}", self.architecture))
    }

    fn list(&self, tensor: &str) -> Result<Option<Vec<f64>>> {
        Ok((self.factors)(tensor)?.map(|value| value.to_f64_vec()))
    }

    fn refused(&self, name: &str, number: f64, help: &str) -> Result<()> {
        let error = format!("{}.rope.{name} of the file is {number}", self.architecture);
        Err(Error::input(error).help(help.to_owned()))
    }

    /// How many elements of a head are turned. Sets the entry that says which share of the head that is, if it is not the whole head.
    fn turned(&self, config: &Map<String, Value>, by: &mut Map<String, Value>) -> Result<u64> {
        let architecture = self.architecture;
        let whole = |key: &str| config.get(key).and_then(Value::as_u64);
        let head =
            whole("head_dim").or_else(|| whole("hidden_size")?.checked_div(whole("num_attention_heads")?));
        let width = self.get("dimension_count").and_then(GgufField::as_usize).map(|width| width as u64);
        if let (Some(width), Some(head)) = (width, head.filter(|head| *head > 0))
            && width != head
        {
            if architecture != "phi3" {
                let error = format!(
                    "{architecture}.rope.dimension_count of the file is {width}, of heads of {head} elements"
                );
                return Err(Error::input(error).help("models of this architecture turn whole heads here"));
            }
            by.insert("partial_rotary_factor".to_owned(), json!(width as f64 / head as f64));
        }
        Ok(width.or(head).unwrap_or(0))
    }

    /// Sets the entries of scaled rates, of so many pairs of elements.
    fn scaled(&self, pairs: u64, by: &mut Map<String, Value>) -> Result<()> {
        let mut set = |key: &str, value: Value| by.insert(key.to_owned(), value);
        let kind = match self.get("scaling.type").map(|field| field.as_str().unwrap_or("no text")) {
            // A factor without a kind is of the linear one.
            None => "linear",
            Some(kind @ ("none" | "linear" | "yarn" | "longrope")) => kind,
            Some(other) => {
                let error = format!("{}.rope.scaling.type of the file is {other}", self.architecture);
                return Err(Error::input(error).help("known are none, linear, yarn and longrope"));
            }
        };
        // Zero is none; older files have another name for it.
        let factor = match self.number("scaling.factor")? {
            Some(factor) => factor,
            None => self.number("scale_linear")?.unwrap_or(0.0),
        };
        let factor = if kind == "none" || factor == 0.0 { 1.0 } else { factor };
        if !(factor.is_finite() && factor > 0.0) {
            return self.refused("scaling.factor", factor, "give a number above 0");
        }
        let attention = self.number("scaling.attn_factor")?.unwrap_or(1.0);
        let own = match self.list(FACTORS)? {
            // Factors that hold for all contexts.
            Some(factors) => Some((factors.clone(), factors)),
            None => self.list(SHORT)?.zip(self.list(LONG)?),
        };
        let original = self.get("scaling.original_context_length").and_then(GgufField::as_usize);
        match (kind, own) {
            ("yarn", Some(_)) => {
                let error = format!("the file has rates of the kind yarn, and factors of rates ({FACTORS})");
                return Err(Error::input(error).help("either is read: leave one out"));
            }
            ("yarn", None) => {
                set("rope_type", "yarn".into());
                set("factor", json!(factor));
                // It is a factor on that of the kind.
                if attention != 1.0 {
                    set("attention_factor", json!(attention * yarn_scale(factor, 1.0)));
                }
                original.map(|original| set(ORIGINAL, original.into()));
                for (field, key) in
                    [("scaling.yarn_beta_fast", "beta_fast"), ("scaling.yarn_beta_slow", "beta_slow")]
                {
                    self.number(field)?.map(|number| set(key, json!(number)));
                }
            }
            (_, None) if attention == 1.0 => {
                let kind = if factor == 1.0 { "default" } else { "linear" };
                set("rope_type", kind.into());
                if factor != 1.0 {
                    set("factor", json!(factor));
                }
            }
            // A factor on results is of LongRoPE alone in `config.json`, where each pair has factors of its own.
            (_, own) => {
                let plain = || vec![1.0; pairs as usize];
                let (short, long) = own.unwrap_or_else(|| (plain(), plain()));
                let times = |all: Vec<f64>| all.into_iter().map(|x| x * factor).collect::<Vec<f64>>();
                set("rope_type", "longrope".into());
                set("short_factor", json!(times(short)));
                set("long_factor", json!(times(long)));
                set("attention_factor", json!(attention));
                original.map(|original| set(ORIGINAL, original.into()));
            }
        }
        Ok(())
    }
}

/// Sets the entry `rope_parameters` of a `config.json`, and beside it the context before LongRoPE extended it.
pub fn read(
    architecture: &str,
    fields: &GgufFields,
    config: &mut Map<String, Value>,
    factors: &dyn Fn(&str) -> Result<Option<Literal>>,
) -> Result<()> {
    let file = File { architecture, fields, factors };
    for (name, neutral) in
        [("scaling.alpha", 0.0), ("scaling.yarn_ext_factor", 1.0), ("scaling.yarn_attn_factor", 1.0)]
    {
        if let Some(other) = file.number(name)?.filter(|x| *x != neutral && *x != 0.0) {
            return file.refused(name, other, "only YaRN as it is published is read: leave the field out");
        }
    }
    let mut by = Map::new();
    by.insert("rope_theta".to_owned(), json!(file.number("freq_base")?.unwrap_or(BASE)));
    let turned = file.turned(config, &mut by)?;
    file.scaled(turned / 2, &mut by)?;
    if by["rope_type"] == "longrope"
        && let Some(original) = by.get(ORIGINAL)
    {
        config.insert(ORIGINAL.to_owned(), original.clone());
    }
    let local = file.number("freq_base_swa")?.unwrap_or(BASE);
    let parameters = match architecture {
        "gemma3" => json!({
            "full_attention": by,
            "sliding_attention": {"rope_type": "default", "rope_theta": local},
        }),
        _ => Value::Object(by),
    };
    config.insert("rope_parameters".to_owned(), parameters);
    Ok(())
}

/// The rotary parameters in a `config.json` of the layers with full attention.
fn parameters(architecture: &str, json: &Value) -> Result<Value> {
    let json = Hf(json);
    Ok(Value::Object(match architecture {
        "gemma3" => json.rope_of_kind("full_attention")?,
        _ => json.rope_of_all()?,
    }))
}

/// Adds the fields of the model's rotary embeddings.
pub fn write(
    architecture: &str,
    json: &Value,
    config: &DecoderConfig,
    fields: &mut GgufFields,
) -> Result<()> {
    let Some(rope) = config.layers.iter().find_map(|layer| layer.attention.as_heads()?.rope.as_ref()) else {
        return Ok(());
    };
    let mut push = |name: &str, field: GgufField| fields.push(format!("{architecture}.rope.{name}"), field);
    push("dimension_count", GgufField::U32(rope.width() as u32));
    let [base, local] = bases(architecture);
    let base_of = |by: &Value, outer: f64| -> Result<f64> {
        Ok(match Hf(by).maybe_number("rope_theta")? {
            Some(base) => base,
            None => outer,
        })
    };
    let by = &parameters(architecture, json)?;
    push("freq_base", GgufField::F32(base_of(by, Hf(json).number_or("rope_theta", base)?)? as f32));
    if architecture == "gemma3" {
        let local = Hf(json).number_or("rope_local_base_freq", local)?;
        let own = &json["rope_parameters"]["sliding_attention"];
        push("freq_base_swa", GgufField::F32(base_of(own, local)? as f32));
    }
    let by = Hf(by);
    let kind = by.kind();
    let original = match by.maybe_count(ORIGINAL)? {
        Some(original) => original,
        None => Hf(json).count_or(ORIGINAL, config.context)?,
    };
    match kind {
        "linear" | "yarn" => {
            let factor = by.number_or("factor", config.context as f64 / original as f64)?;
            push("scaling.type", kind.into());
            push("scaling.factor", GgufField::F32(factor as f32));
            if kind == "yarn" {
                push("scaling.original_context_length", GgufField::U32(original as u32));
                for (name, key) in [("yarn_beta_fast", "beta_fast"), ("yarn_beta_slow", "beta_slow")] {
                    if let Some(number) = by.maybe_number(key)? {
                        push(&format!("scaling.{name}"), GgufField::F32(number as f32));
                    }
                }
            }
        }
        "longrope" | "su" => {
            push("scaling.original_context_length", GgufField::U32(original as u32));
            let ratio = by.number_or("factor", config.context as f64 / original as f64)?;
            let attention = match by.maybe_number("attention_factor")? {
                Some(factor) => factor,
                None if ratio <= 1.0 => 1.0,
                None => (1.0 + ratio.ln() / (original as f64).ln()).sqrt(),
            };
            push("scaling.attn_factor", GgufField::F32(attention as f32));
        }
        // Llama 3's kind is a tensor of factors; what has no form shows when the fields are read again.
        _ => {}
    }
    Ok(())
}

/// The tensors of factors of the model's rotary embedding.
pub fn factors(architecture: &str, json: &Value, config: &DecoderConfig) -> Result<Vec<(String, Literal)>> {
    let by = parameters(architecture, json)?;
    let by = Hf(&by);
    let kind = by.kind();
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
