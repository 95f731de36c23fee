//! Reading of `config.json`.

use jarrah_array::{DType, Error, Result};
use jarrah_nn::{Activation, Llama3Rope, Rope, Yarn, yarn_scale};
use serde_json::Value;

use crate::{AttentionConfig, DecoderConfig, LayerConfig, NormConfig, NormKind};

/// The entry that has the number of modules that predict further tokens.
pub const MTP_MODULES: &str = "num_nextn_predict_layers";

/// The most layers of a model.
pub const MOST_LAYERS: usize = 1000;
/// Each layer has the rates of its rotary embedding: heads of more elements are no model's.
const WIDEST_HEAD: usize = 1 << 16;

/// Says in a `config.json` that names a dtype that weights are in this one.
pub fn say_dtype(json: &mut Value, dtype: DType) {
    let name = match dtype {
        DType::BF16 => "bfloat16",
        DType::F16 => "float16",
        DType::F64 => "float64",
        _ => "float32",
    };
    for entry in ["dtype", "torch_dtype"] {
        if let Some(said) = json.get_mut(entry) {
            *said = name.into();
        }
    }
}

/// A `config.json`, whose entries are asked for by name and type.
#[derive(Clone, Copy)]
pub struct Hf<'a>(pub &'a Value);

impl<'a> Hf<'a> {
    /// The entry, unless it is missing or null.
    pub fn find(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    fn must<T>(&self, name: &str, what: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<T> {
        let found = self.find(name).ok_or_else(|| Error::input(format!("config.json has no `{name}`")))?;
        read(found)
            .ok_or_else(|| Error::input(format!("`{name}` of config.json is {found}, it must be {what}")))
    }

    fn may<T>(&self, name: &str, what: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<Option<T>> {
        self.find(name).map(|_| self.must(name, what, read)).transpose()
    }

    pub fn count(&self, name: &str) -> Result<usize> {
        self.must(name, "a whole number up to 16777216", as_count)
    }

    pub fn count_or(&self, name: &str, other: usize) -> Result<usize> {
        Ok(self.may(name, "a whole number up to 16777216", as_count)?.unwrap_or(other))
    }

    pub fn maybe_count(&self, name: &str) -> Result<Option<usize>> {
        self.may(name, "a whole number up to 16777216", as_count)
    }

    pub fn number(&self, name: &str) -> Result<f64> {
        self.must(name, "a finite number", Value::as_f64)
    }

    pub fn number_or(&self, name: &str, other: f64) -> Result<f64> {
        Ok(self.may(name, "a finite number", Value::as_f64)?.unwrap_or(other))
    }

    pub fn maybe_number(&self, name: &str) -> Result<Option<f64>> {
        self.may(name, "a finite number", Value::as_f64)
    }

    pub fn flag(&self, name: &str, other: bool) -> Result<bool> {
        Ok(self.may(name, "true or false", Value::as_bool)?.unwrap_or(other))
    }

    pub fn text(&self, name: &str) -> Result<&'a str> {
        self.must(name, "a text", Value::as_str)
    }

    /// Checks that the model is of the kind `known`.
    pub fn is_kind(&self, known: &str) -> Result<()> {
        let kind = self.text("model_type")?;
        if kind == known {
            return Ok(());
        }
        Err(Error::input(format!("the model is of the kind `{kind}`, not `{known}`"))
            .help("`PretrainedModel::<Layer>::load` reads a model of any kind"))
    }

    /// The activation at one of `names`.
    pub fn activation(&self, name: &str, other: Activation) -> Result<Activation> {
        let Some(text) = self.may(name, "a text", Value::as_str)? else { return Ok(other) };
        Activation::named(text).ok_or_else(|| {
            let error = Error::input(format!(
                "`{name}` of config.json is `{text}`, which is no activation known here"
            ));
            error.help(format!("known are {}", Activation::NAMES.join(", ")))
        })
    }

    /// The number of layers.
    pub fn layers(&self) -> Result<usize> {
        self.layers_at("num_hidden_layers")
    }

    /// The number of layers, which the file calls `name`.
    pub fn layers_at(&self, name: &str) -> Result<usize> {
        let layers = self.count(name)?;
        // A number that no model has would be built before anything else could refuse it.
        if layers == 0 || layers > MOST_LAYERS {
            let error = format!("`{name}` of config.json is {layers}, it must be from 1 to {MOST_LAYERS}");
            return Err(Error::input(error));
        }
        Ok(layers)
    }

    /// Which layers see a window alone, of so many: by `layer_types`, else as `otherwise` says for each.
    pub fn windowed(&self, layers: usize, otherwise: impl Fn(usize) -> bool) -> Result<Vec<bool>> {
        let Some(types) = self.may("layer_types", "a list", Value::as_array)? else {
            return Ok((0..layers).map(otherwise).collect());
        };
        if types.len() != layers {
            let (found, wanted) = (types.len(), layers);
            return Err(Error::input(format!(
                "`layer_types` of config.json has {found} entries for {wanted} layers"
            )));
        }
        let one = |kind: &Value| match kind.as_str() {
            Some("sliding_attention") => Ok(true),
            Some("full_attention") => Ok(false),
            _ => {
                let error = Error::input(format!("`layer_types` of config.json has {kind}"));
                Err(error.help("known are sliding_attention and full_attention"))
            }
        };
        types.iter().map(one).collect()
    }

    /// The width of a head.
    pub fn head_width(&self) -> Result<usize> {
        match self.maybe_count("head_dim")? {
            Some(width) => Ok(width),
            None => self.head_width_of("hidden_size", "num_attention_heads"),
        }
    }

    /// The width of a head, where the file calls the width of the model and the number of heads so.
    pub fn head_width_of(&self, width: &str, heads: &str) -> Result<usize> {
        let (extent, count) = (self.count(width)?, self.count(heads)?);
        if count == 0 || !extent.is_multiple_of(count) {
            return Err(Error::input(format!(
                "`{width}` {extent} of config.json is no multiple of {count} heads"
            )));
        }
        Ok(extent / count)
    }

    /// Attention that sees everything before it, without positions, with the heads that the file says.
    pub fn attention(&self, head_width: usize, bias: bool) -> Result<AttentionConfig> {
        let heads = self.count("num_attention_heads")?;
        let groups = self.count_or("num_key_value_heads", heads)?;
        Ok(AttentionConfig { bias, out_bias: bias, ..AttentionConfig::new(heads, groups, head_width) })
    }

    /// The normalizations, whose epsilon has the name of this kind.
    pub fn norm(&self, kind: NormKind, epsilon: f64) -> Result<NormConfig> {
        let name = if kind == NormKind::Layer { "layer_norm_eps" } else { "rms_norm_eps" };
        Ok(NormConfig { kind, epsilon: self.number_or(name, epsilon)?.into() })
    }

    /// A decoder of these layers, with the extents that the file says, and an output layer of its own unless the file ties it.
    pub fn decoder(&self, layers: Vec<LayerConfig>, kind: NormKind, epsilon: f64) -> Result<DecoderConfig> {
        let extents =
            [self.count("vocab_size")?, self.count("max_position_embeddings")?, self.count("hidden_size")?];
        let tied = self.flag("tie_word_embeddings", false)?;
        Ok(DecoderConfig { tied, ..DecoderConfig::new(extents, layers, self.norm(kind, epsilon)?) })
    }

    /// The number of modules that predict further tokens.
    pub fn mtp_modules(&self) -> Result<usize> {
        match self.count_or(MTP_MODULES, 0)? {
            modules if modules > 100 => {
                Err(Error::input(format!("`{MTP_MODULES}` of config.json is {modules}, above 100")))
            }
            modules => Ok(modules),
        }
    }

    /// The kind of rotary embedding that these entries of `rope_parameters` are of.
    pub fn kind(&self) -> &'a str {
        match self.find("rope_type").or_else(|| self.find("type")) {
            None => "default",
            Some(kind) => kind.as_str().unwrap_or("?"),
        }
    }

    /// The plain rotary embedding of heads of `head` elements.
    pub fn plain_rope(&self, head: usize, base: f64) -> Result<Rope> {
        turns(head, 1.0, head, base)?;
        Ok(Rope::new(head, base))
    }

    /// The rotary embedding of heads of `head` elements: `rope_parameters`, or `rope_theta` and `rope_scaling` in older files. `layer` is the kind of
    /// layers that it is for, where there is one for each.
    pub fn rope(&self, head: usize, layer: Option<&str>, base: f64) -> Result<Rope> {
        let outer = self.find("rope_parameters").or_else(|| self.find("rope_scaling"));
        let inner = match (outer, layer) {
            (Some(outer), Some(layer)) => outer.get(layer).filter(|value| !value.is_null()).or(Some(outer)),
            _ => outer,
        };
        let nothing = Value::Object(serde_json::Map::new());
        let by = Hf(inner.unwrap_or(&nothing));
        let base = match by.maybe_number("rope_theta")? {
            Some(base) => base,
            None => self.number_or("rope_theta", base)?,
        };
        let share = match by.maybe_number("partial_rotary_factor")? {
            Some(share) => share,
            None => self.number_or("partial_rotary_factor", self.number_or("rotary_pct", 1.0)?)?,
        };
        let kind = by.kind();
        let width = if kind == "proportional" { head } else { (head as f64 * share) as usize };
        turns(head, share, width, base)?;
        let context = || self.count("max_position_embeddings");
        let original = || match by.maybe_count("original_max_position_embeddings")? {
            Some(original) => Ok(original),
            None => self.count_or("original_max_position_embeddings", context()?),
        };
        match kind {
            "default" => Ok(Rope::new(width, base)),
            "linear" => Ok(Rope::linear(width, base, by.number("factor")?)),
            "proportional" => Ok(Rope::proportional(head, share, base, by.number_or("factor", 1.0)?)),
            "dynamic" => Ok(Rope::dynamic(width, base, by.number("factor")?, context()?)),
            "llama3" => {
                let (low, high) = (by.number("low_freq_factor")?, by.number("high_freq_factor")?);
                if low > high {
                    return Err(Error::input(format!(
                        "`low_freq_factor` {low} of config.json is above `high_freq_factor` {high}"
                    )));
                }
                let by = Llama3Rope { factor: by.number("factor")?, low, high, context: original()? };
                Ok(Rope::llama3(width, base, by))
            }
            "yarn" => {
                let factor = match by.maybe_number("factor")? {
                    Some(factor) => factor,
                    None => context()? as f64 / original()? as f64,
                };
                let attention = match (
                    by.maybe_number("attention_factor")?,
                    by.maybe_number("mscale")?,
                    by.maybe_number("mscale_all_dim")?,
                ) {
                    (Some(attention), ..) => Some(attention),
                    (None, Some(one), Some(all)) if one != 0.0 && all != 0.0 => {
                        Some(yarn_scale(factor, one) / yarn_scale(factor, all))
                    }
                    _ => None,
                };
                let or = |name: &str, other: f64| {
                    Ok::<f64, Error>(by.maybe_number(name)?.filter(|x| *x != 0.0).unwrap_or(other))
                };
                let (fast, slow) = (or("beta_fast", 32.0)?, or("beta_slow", 1.0)?);
                let truncate = by.flag("truncate", true)?;
                Ok(Rope::yarn(
                    width,
                    base,
                    Yarn { factor, context: original()?, fast, slow, truncate, attention },
                ))
            }
            "longrope" | "su" => {
                let list = |name: &str| {
                    by.must(name, "a list of numbers", |value| {
                        value.as_array()?.iter().map(Value::as_f64).collect()
                    })
                };
                let (short, long): (Vec<f64>, Vec<f64>) = (list("short_factor")?, list("long_factor")?);
                if [short.len(), long.len()] != [width / 2; 2] {
                    let (a, b) = (short.len(), long.len());
                    return Err(Error::input(format!(
                        "{a} and {b} factors of config.json for {} pairs",
                        width / 2
                    )));
                }
                let original = original()?;
                let factor = match by.maybe_number("factor")? {
                    Some(factor) => factor,
                    None => context()? as f64 / original as f64,
                };
                let attention = match by.maybe_number("attention_factor")? {
                    Some(attention) => attention,
                    None if factor <= 1.0 => 1.0,
                    None => (1.0 + factor.ln() / (original as f64).ln()).sqrt(),
                };
                Ok(Rope::longrope(width, base, &short, &long, original, attention))
            }
            other => {
                let error = Error::input(format!("config.json has the rope type `{other}`"));
                Err(error.help("known are default, linear, dynamic, llama3, yarn, longrope, proportional"))
            }
        }
    }
}

/// Checks that `width` elements, a share of those of a head, can be turned at the rates of a base.
pub fn turns(head: usize, share: f64, width: usize, base: f64) -> Result<()> {
    let wrong = if base <= 1.0 {
        format!("the base of rotary embeddings of config.json (`rope_theta`) is {base}, it must be above 1")
    } else if head > WIDEST_HEAD {
        format!("config.json has heads of {head} elements to turn, above {WIDEST_HEAD}")
    } else if !(0.0..=1.0).contains(&share) || width == 0 || !width.is_multiple_of(2) {
        format!("config.json turns {share} of {head} elements, which are no pairs")
    } else {
        return Ok(());
    };
    Err(Error::input(wrong))
}

/// A number of things, of which no model has more than this.
fn as_count(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok().filter(|count| *count <= 1 << 24)
}
