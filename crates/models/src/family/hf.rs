//! Reading of `config.json`.

use jarrah_array::{DType, Error, Result};
use jarrah_formats::json;
use jarrah_nn::{Activation, Llama3Rope, Rope, Yarn, yarn_scale};
use serde_json::{Map, Value};

use crate::{AttentionConfig, DecoderConfig, LayerConfig, NormConfig, NormKind};

/// The entry that has the number of modules that predict further tokens.
pub const MTP_MODULES: &str = "num_nextn_predict_layers";

/// The kinds of layers that a file may have a rotary embedding for each of, those that see everything first.
const KINDS: [&str; 3] = ["full_attention", "sliding_attention", "chunked_attention"];
/// The entry that has the context before it was extended.
const ORIGINAL: &str = "original_max_position_embeddings";

/// How a family's files describe its rotary embedding: the defaults of `transformers` for missing entries, and the entries that
/// it reads.
#[derive(Clone, Copy)]
pub struct RopeOf {
    /// The base, if the file has none.
    pub base: f64,
    /// The entry that has the base where `rope_parameters` does not.
    pub base_entry: Option<&'static str>,
    /// The share of the elements of a head that is turned, if the file does not say it; none: the family turns whole heads.
    pub share: Option<f64>,
    /// The entry that has the share where `rope_parameters` does not.
    pub share_entry: &'static str,
    /// The kind of layers that it is for, where the family has one for each kind.
    pub kind: Option<&'static str>,
    /// The context before it was extended, if no entry beside `rope_parameters` says it.
    pub original: Option<usize>,
    /// Whether the family knows no rates but plain ones and those of LongRoPE.
    pub long_alone: bool,
    /// The entries where the file has none.
    pub otherwise: Option<fn() -> Value>,
}

impl RopeOf {
    /// One of whole heads for all layers.
    pub const fn base(base: f64) -> RopeOf {
        RopeOf {
            base,
            base_entry: Some("rope_theta"),
            share: None,
            share_entry: "partial_rotary_factor",
            kind: None,
            original: None,
            long_alone: false,
            otherwise: None,
        }
    }
}

/// Other names of entries, which go before the names, as `attribute_map` of transformers has them: the kind of models, the name, the other name.
const ALIASES: [(&str, &str, &str); 9] = [
    ("deepseek_v2", "n_routed_experts", "num_experts"),
    ("deepseek_v3", "n_routed_experts", "num_local_experts"),
    ("deepseek_v3", MTP_MODULES, "num_mtp_layers"),
    ("gpt2", "n_embd", "hidden_size"),
    ("gpt2", "n_head", "num_attention_heads"),
    ("gpt2", "n_layer", "num_hidden_layers"),
    ("gpt2", "n_positions", "max_position_embeddings"),
    ("gpt_oss", "num_local_experts", "num_experts"),
    ("mixtral", "num_local_experts", "num_experts"),
];

/// The most layers of a model.
pub const MOST_LAYERS: usize = 1000;
/// Each layer has the rates of its rotary embedding: heads of more elements are no model's.
const WIDEST_HEAD: usize = 1 << 16;

/// Sets the dtype of the weights in a `config.json` that names a dtype.
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
    /// The entry, by any of its names, unless it is missing or null.
    pub fn find(&self, name: &str) -> Option<&'a Value> {
        let aliases = ALIASES.iter().filter(|(_, known, _)| *known == name);
        let aliases = aliases.filter(|(kind, ..)| self.0.get("model_type").is_some_and(|own| own == kind));
        let named = aliases.filter_map(|(.., alias)| self.0.get(alias)).next();
        named.or_else(|| self.0.get(name)).filter(|value| !value.is_null())
    }

    fn must<T>(&self, name: &str, what: &str, read: impl Fn(&'a Value) -> Option<T>) -> Result<T> {
        let found = self.find(name).ok_or_else(|| Error::input(format!("config.json has no `{name}`")))?;
        read(found).ok_or_else(|| {
            let found = found.to_string();
            let found = json::python_unmarked(&found);
            Error::input(format!("`{name}` of config.json is {found}, it must be {what}"))
        })
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
        let (what, is_in_range) = range_of(name);
        self.must(name, what, |value| value.as_f64().filter(|number| is_in_range(*number)))
    }

    pub fn number_or(&self, name: &str, other: f64) -> Result<f64> {
        Ok(self.maybe_number(name)?.unwrap_or(other))
    }

    pub fn maybe_number(&self, name: &str) -> Result<Option<f64>> {
        self.find(name).map(|_| self.number(name)).transpose()
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

    /// The entries of the rotary embedding: `rope_scaling`, which older files have and which goes before, or `rope_parameters`, a map each.
    fn rope_entries(&self) -> Result<[Option<&'a Map<String, Value>>; 2]> {
        let map = |name: &str| {
            let found = self.may(name, "a map of the entries of a rotary embedding", Value::as_object)?;
            Ok::<_, Error>(found.filter(|entries| !entries.is_empty()))
        };
        Ok([map("rope_scaling")?, map("rope_parameters")?])
    }

    /// The entries of the rotary embedding of a family that has one for all layers.
    ///
    /// # Errors
    /// The file has one for each kind of layers.
    pub fn rope_of_all(&self) -> Result<Map<String, Value>> {
        let [scaling, parameters] = self.rope_entries()?;
        let entries = scaling.or(parameters).cloned().unwrap_or_default();
        match entries.iter().find(|(name, value)| KINDS.contains(&name.as_str()) && value.is_object()) {
            None => Ok(entries),
            Some((kind, _)) => {
                let kind = format!("the rotary embedding of config.json has entries for `{kind}`");
                Err(Error::input(kind)
                    .help("layers of this family share one: give its entries in `rope_parameters`"))
            }
        }
    }

    /// The entries of the rotary embedding of layers of this kind, in a family that has one for each kind. `rope_scaling` of older files is of layers that see
    /// everything.
    ///
    /// # Errors
    /// The file has one for all layers.
    pub fn rope_of_kind(&self, kind: &str) -> Result<Map<String, Value>> {
        let [scaling, parameters] = self.rope_entries()?;
        let flat = |entries: &&Map<String, Value>| !KINDS.iter().any(|kind| entries.contains_key(*kind));
        if parameters.as_ref().is_some_and(flat) {
            let error =
                "`rope_parameters` of config.json says nothing of `full_attention` and `sliding_attention`";
            return Err(Error::input(error)
                .help("layers of this family have a rotary embedding for each kind: name it"));
        }
        let own = parameters.and_then(|parameters| parameters.get(kind)).and_then(Value::as_object);
        let mut entries = own.cloned().unwrap_or_default();
        if let Some(scaling) = scaling.filter(|_| kind == KINDS[0]) {
            // In transformers these entries come on top of plain rates, which are named, so that `type`, the name of old, changes nothing.
            if parameters.is_none() {
                entries.insert("rope_type".to_owned(), "default".into());
            }
            entries.extend(scaling.clone());
        }
        Ok(entries)
    }

    /// The kind of rates that a `rope_scaling` names by `type` alone, where rates of layers that see everything have another `rope_type`.
    pub fn lost_rope_type(&self) -> Option<&'a Value> {
        let named = Hf(self.find("rope_scaling")?).find("type")?;
        let entries = Value::Object(self.rope_of_kind(KINDS[0]).ok()?);
        (named.as_str() != Some(Hf(&entries).kind())).then_some(named)
    }

    /// The rotary embedding of heads of `head` elements, as files of the family have it.
    pub fn rope(&self, head: usize, of: &RopeOf) -> Result<Rope> {
        let entries = Value::Object(match of.kind {
            Some(kind) => self.rope_of_kind(kind)?,
            None => self.rope_of_all()?,
        });
        let given = entries.as_object().is_some_and(|entries| !entries.is_empty());
        match of.otherwise {
            Some(otherwise) if !given => self.rope_by(head, of, Hf(&otherwise())),
            _ => self.rope_by(head, of, Hf(&entries)),
        }
    }

    /// The share of the elements of a head that is turned.
    fn turned(&self, of: &RopeOf, by: Hf<'_>, kind: &str) -> Result<f64> {
        let own = by.maybe_number("partial_rotary_factor")?;
        let said = match own {
            Some(share) => Some(share),
            None => self.maybe_number(of.share_entry)?,
        };
        match (of.share, kind) {
            (Some(share), _) => Ok(said.unwrap_or(share)),
            (None, "proportional") => Ok(said.unwrap_or(1.0)),
            // Such a family turns whole heads where rates are plain, whatever is said: see `ignored`.
            (None, "default") => Ok(1.0),
            (None, _) => match said {
                Some(share) if share != 1.0 => {
                    let error = format!(
                        "config.json turns {share} of the elements of heads (`partial_rotary_factor`) at rates of the kind `{kind}`"
                    );
                    Err(Error::input(error).help("this family turns whole heads: leave it out"))
                }
                _ => Ok(1.0),
            },
        }
    }

    /// The context before it was extended. An entry of `config.json` goes before one of `rope_parameters`.
    fn original(&self, of: &RopeOf, by: Hf<'_>) -> Result<usize> {
        let beside = match of.kind {
            None => self.maybe_count(ORIGINAL)?.or(of.original),
            Some(_) => None,
        };
        match beside {
            Some(original) => Ok(original),
            None => by.count_or(ORIGINAL, self.count("max_position_embeddings")?),
        }
    }

    /// The factor by which the context was extended.
    fn extended(&self, of: &RopeOf, by: Hf<'_>) -> Result<f64> {
        match by.maybe_number("factor")? {
            Some(factor) => Ok(factor),
            None => Ok(self.count("max_position_embeddings")? as f64 / self.original(of, by)? as f64),
        }
    }

    fn yarn(&self, of: &RopeOf, by: Hf<'_>) -> Result<Yarn> {
        let factor = self.extended(of, by)?;
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
        // Of layers in kinds transformers looks for it beside the kinds, where there is none.
        let truncate = of.kind.is_some() || by.flag("truncate", true)?;
        Ok(Yarn { factor, context: self.original(of, by)?, fast, slow, truncate, attention })
    }

    fn longrope(&self, width: usize, base: f64, of: &RopeOf, by: Hf<'_>) -> Result<Rope> {
        let list = |name: &str| {
            by.must(name, "a list of numbers", |value| value.as_array()?.iter().map(Value::as_f64).collect())
        };
        let (short, long): (Vec<f64>, Vec<f64>) = (list("short_factor")?, list("long_factor")?);
        if [short.len(), long.len()] != [width / 2; 2] {
            let (a, b) = (short.len(), long.len());
            let error = format!("{a} and {b} factors of config.json for {} pairs", width / 2);
            return Err(Error::input(error));
        }
        let original = self.original(of, by)?;
        let factor = self.extended(of, by)?;
        let attention = match by.maybe_number("attention_factor")? {
            Some(attention) => attention,
            None if factor <= 1.0 => 1.0,
            None => (1.0 + factor.ln() / (original as f64).ln()).sqrt(),
        };
        Ok(Rope::longrope(width, base, &short, &long, original, attention))
    }

    fn rope_by(&self, head: usize, of: &RopeOf, by: Hf<'_>) -> Result<Rope> {
        let base = match (by.maybe_number("rope_theta")?, of.base_entry) {
            (Some(base), _) => base,
            (None, Some(entry)) => self.number_or(entry, of.base)?,
            (None, None) => of.base,
        };
        let kind = match by.kind() {
            // Phi-3's files call it so.
            "su" | "yarn" if of.long_alone => "longrope",
            kind => kind,
        };
        if of.long_alone && !matches!(kind, "default" | "longrope") {
            let error = Error::input(format!("config.json has the rope type `{kind}`"));
            return Err(error.help("known of this family are default and longrope"));
        }
        let share = self.turned(of, by, kind)?;
        let width = if kind == "proportional" { head } else { (head as f64 * share) as usize };
        turns(head, share, width, base)?;
        let context = || self.count("max_position_embeddings");
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
                let by =
                    Llama3Rope { factor: by.number("factor")?, low, high, context: self.original(of, by)? };
                Ok(Rope::llama3(width, base, by))
            }
            "yarn" => Ok(Rope::yarn(width, base, self.yarn(of, by)?)),
            "longrope" => self.longrope(width, base, of, by),
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

/// Entries whose numbers are above 0, in `f32` too: models divide by them.
const ABOVE_ZERO: [&str; 6] = [
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "query_pre_attn_scalar",
    "factor",
    "low_freq_factor",
    "high_freq_factor",
];
/// Entries whose numbers are not below 0.
const NOT_BELOW_ZERO: [&str; 4] = ["layer_norm_eps", "rms_norm_eps", "layer_norm_epsilon", "swiglu_limit"];

/// The range of an entry's numbers: in words, and as a check.
pub fn range_of(name: &str) -> (&'static str, fn(f64) -> bool) {
    match name {
        _ if ABOVE_ZERO.contains(&name) => ("a finite number above 0", |x| x as f32 > 0.0 && x.is_finite()),
        _ if NOT_BELOW_ZERO.contains(&name) => {
            ("a finite number of at least 0", |x| x >= 0.0 && x.is_finite())
        }
        _ => ("a finite number", f64::is_finite),
    }
}

/// A number of things, of which no model has more than this.
fn as_count(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok().filter(|count| *count <= 1 << 24)
}
