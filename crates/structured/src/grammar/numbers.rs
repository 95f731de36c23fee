//! Numbers of schemas that `llguidance` does not read digit by digit: it takes them for `f64`, which do not hold every number, and its ranges of numbers
//! between bounds with fractions lack some numbers and hold some that are not within.
//!
//! A `const`, an `enum` or bounds of such numbers become a regular expression here. In the schema that `llguidance` compiles, a text of its own
//! stands in their place, in `$defs`, so that it is a lexeme by itself; and when the grammar is compiled, the regular expression is put in the place of that lexeme.

use jarrah_base::{Error, Result};
use jarrah_formats::json::{Decimal, loses};
use llguidance::api::{GrammarInit, TopLevelGrammar};
use llguidance::derivre::RegexAst;
use serde_json::{Map, Value, json};

use super::ranges::{Bounds, MOST_DIGITS, Number, compare, divisor, text};
use crate::limits;
use crate::vocabulary::MaskVocabulary;

/// The most different numbers of a constraint: each is compared with the lexemes of the whole grammar.
const MOST_NUMBERS: usize = 1000;
/// Integers up to here have bounds that the compiler reads as they are.
const LARGEST: &str = "9007199254740992";
/// The beginning of a text that stands for a number.
const MARK: &str = "jarrah-number-";

pub(super) const BOUNDS: [&str; 4] = ["minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"];
/// Keywords that say nothing of a value.
pub(super) const ABOUT: [&str; 15] = [
    "$schema",
    "$id",
    "id",
    "$defs",
    "definitions",
    "$anchor",
    "$comment",
    "title",
    "description",
    "default",
    "examples",
    "readOnly",
    "writeOnly",
    "deprecated",
    "x-guidance",
];
/// Keywords whose schemas hold beside what stands in the schema itself.
const BESIDE: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];
const OTHER_TYPES: [&str; 5] = ["null", "boolean", "string", "array", "object"];

/// The numbers of a constraint's schemas: regular expressions by number, each with the divisor of multiples.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers(Vec<(String, Option<(u32, u32)>)>);

impl Numbers {
    /// A reference to the definition of numbers of this form.
    fn reference(
        &mut self,
        pattern: String,
        multiple: Option<(u32, u32)>,
    ) -> std::result::Result<Value, String> {
        let one = (pattern, multiple);
        let known = self.0.iter().position(|own| *own == one);
        if known.is_none() && self.0.len() == MOST_NUMBERS {
            return Err(format!(
                "has over {MOST_NUMBERS} different numbers of more than 53 bits or ranges with fractions"
            ));
        }
        let number = known.unwrap_or_else(|| {
            self.0.push(one);
            self.0.len() - 1
        });
        Ok(json!({ "$ref": format!("#/$defs/{MARK}{number}") }))
    }

    /// Adds what references refer to.
    pub fn define(&self, root: &mut Map<String, Value>) {
        if self.0.is_empty() {
            return;
        }
        let definitions = root.entry("$defs").or_insert_with(|| json!({}));
        if let Some(definitions) = definitions.as_object_mut() {
            for number in 0..self.0.len() {
                definitions.insert(format!("{MARK}{number}"), json!({ "const": format!("{MARK}{number}") }));
            }
        }
    }

    /// The grammar with the regular expressions in their places.
    pub fn put(
        &self,
        grammar: TopLevelGrammar,
        vocabulary: &MaskVocabulary,
    ) -> std::result::Result<GrammarInit, String> {
        let init = GrammarInit::Serialized(grammar);
        if self.0.is_empty() {
            return Ok(init);
        }
        let factory = vocabulary.factory();
        let words = |e: &dyn std::fmt::Display| e.to_string();
        let internal = init.to_internal(Some(factory.tok_env().clone()), factory.limits().clone());
        let (grammar, mut spec) = internal.map_err(|e| words(&e))?;
        // A lexeme knows its place in the list, which is made anew from the first on.
        let last = spec.current_class;
        for lexeme in std::mem::take(&mut spec.lexemes) {
            let is_mark = |mark: String| spec.has_forced_bytes(&lexeme, mark.as_bytes());
            let number = match is_mark(format!("\"{MARK}")) {
                true => (0..self.0.len()).find(|number| is_mark(format!("\"{MARK}{number}\""))),
                false => None,
            };
            let Some(number) = number else {
                spec.lexemes.push(lexeme);
                continue;
            };
            let (pattern, multiple) = &self.0[number];
            let mut regex = RegexAst::Regex(pattern.clone());
            if let Some((divisor, places)) = multiple {
                let multiple = RegexAst::MultipleOf(*divisor, *places);
                let signed = RegexAst::Concat(vec![RegexAst::Regex("-?".to_owned()), multiple]);
                regex = RegexAst::And(vec![regex, signed]);
            }
            let before = spec.lexemes.len();
            spec.current_class = lexeme.class();
            let name = format!("number {number}");
            spec.add_greedy_lexeme(name, regex, false, None, usize::MAX).map_err(|e| words(&e))?;
            if spec.lexemes.len() == before {
                return Err("a number of the schema is written as another part of it is".to_owned());
            }
        }
        spec.current_class = last;
        Ok(GrammarInit::Internal(grammar, spec))
    }

    /// Puts references in the place of what a schema says of numbers that `llguidance` does not read digit by digit; `place` is its pointer, and `beside`
    /// says of a schema that other schemas hold with it, in which keyword it stands.
    ///
    /// # Errors
    /// Schemas beside it say more of the value, no number is allowed, or one has too many digits (`Input`).
    pub fn replace(
        &mut self,
        entries: &mut Map<String, Value>,
        place: &str,
        beside: Option<&str>,
    ) -> Result<()> {
        let wrong = |what: String| Error::input(format!("the JSON schema {what} at {place}"));
        let listed = ["const", "enum"].iter().any(|key| entries.get(*key).is_some_and(has_large));
        let bounded = BOUNDS.iter().any(|key| number(entries, key).is_some_and(|text| is_large(&text)));
        if !listed && !bounded && !is_fractional(entries) {
            return Ok(());
        }
        if let Some(key) = BESIDE.into_iter().find(|key| entries.contains_key(*key)).or(beside) {
            if !listed && !bounded && Bounds::of(entries).map_err(&wrong)?.are_kept() {
                return Ok(());
            }
            let numbers =
                if listed || bounded { "numbers of more than 53 bits" } else { "bounds with fractions" };
            let what = format!("has {numbers} beside `{key}`, which is not supported,");
            return Err(wrong(what).help("write all that is said of the number in one schema"));
        }
        let about = |key: &String| ABOUT.contains(&key.as_str());
        let (kept, own): (Map<String, Value>, Map<String, Value>) =
            entries.iter().map(|(key, value)| (key.clone(), value.clone())).partition(|(key, _)| about(key));
        let bounds = Bounds::of(&own).map_err(&wrong)?;
        let types = own.get("type").map(|kind| match kind {
            Value::Array(all) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            kind => kind.as_str().map(str::to_owned).into_iter().collect(),
        });
        let said = Said { entries: own, bounds, bounded, types };
        let alternatives = match values(&said.entries) {
            Some(values) => self.listed(said, values, &wrong)?,
            None => self.ranged(said, &wrong)?,
        };
        *entries = kept;
        match <[Value; 1]>::try_from(alternatives) {
            Ok([Value::Object(one)]) => entries.extend(one),
            Ok([one]) => drop(entries.insert("anyOf".to_owned(), json!([one]))),
            Err(all) => drop(entries.insert("anyOf".to_owned(), all.into())),
        }
        Ok(())
    }

    /// The schemas whose alternatives are the values that a schema lists.
    fn listed(
        &mut self,
        mut said: Said,
        values: Vec<Value>,
        wrong: &dyn Fn(String) -> Error,
    ) -> Result<Vec<Value>> {
        let (mut alternatives, mut rest) = (Vec::new(), Vec::new());
        for value in values {
            if !(has_large(&value) || said.bounded && text(&value).is_some()) {
                rest.push(value);
                continue;
            }
            let fits = match text(&value) {
                Some(text) => {
                    let number = Number::of(&text).map_err(wrong)?;
                    (said.allows("number") || (said.allows("integer") && number.fraction.is_empty()))
                        && said.bounds.allow(&number)
                }
                None => said.allows(if value.is_array() { "array" } else { "object" }),
            };
            if fits && said.entries.contains_key("multipleOf") {
                let what = "asks for a `multipleOf` of numbers of more than 53 bits, which is not supported,";
                return Err(wrong(what.to_owned()).help("leave `multipleOf` out: the numbers are listed"));
            }
            if fits {
                alternatives.push(self.literal(&value).map_err(wrong)?);
            }
        }
        if !rest.is_empty() {
            said.entries.remove("const");
            said.entries.insert("enum".to_owned(), rest.into());
            if said.bounded {
                said.remove(&BOUNDS);
            }
            alternatives.insert(0, Value::Object(said.entries));
        }
        match alternatives.is_empty() {
            true => Err(wrong("allows none of its values".to_owned())),
            false => Ok(alternatives),
        }
    }

    /// The schemas whose alternatives are the numbers within the bounds of a schema, and its values of other types.
    fn ranged(&mut self, mut said: Said, wrong: &dyn Fn(String) -> Error) -> Result<Vec<Value>> {
        let multiple = said.entries.get("multipleOf").and_then(text);
        let multiple = multiple.map(|text| divisor(&text).map_err(wrong)).transpose()?;
        let others: Vec<&str> = OTHER_TYPES.into_iter().filter(|kind| said.allows(kind)).collect();
        let mut alternatives = Vec::new();
        if said.allows("number") || said.allows("integer") {
            let integers = !said.allows("number");
            let pattern = if integers { said.bounds.integers() } else { said.bounds.numbers() };
            let lacks = match multiple {
                _ if pattern.is_empty() => Some("number"),
                Some(multiple) if !said.bounds.have_multiple(multiple, integers) => {
                    Some("multiple of its `multipleOf`")
                }
                _ => None,
            };
            match lacks {
                None => alternatives.push(self.reference(pattern, multiple).map_err(wrong)?),
                Some(what) if others.is_empty() => {
                    return Err(wrong(format!("has bounds that no {what} is within")));
                }
                Some(_) => {}
            }
        }
        said.remove(&BOUNDS);
        said.remove(&["multipleOf"]);
        if !others.is_empty() {
            said.entries.insert("type".to_owned(), others.into());
            alternatives.push(Value::Object(said.entries));
        }
        Ok(alternatives)
    }

    /// The schema of one value.
    fn literal(&mut self, value: &Value) -> std::result::Result<Value, String> {
        if let Some(text) = text(value) {
            return match is_large(&text) {
                true => self.reference(Number::of(&text)?.pattern(), None),
                false => Ok(json!({ "const": value })),
            };
        }
        match value {
            Value::Array(items) if has_large(value) => {
                let all: Vec<Value> =
                    items.iter().map(|item| self.literal(item)).collect::<std::result::Result<_, _>>()?;
                let count = all.len();
                Ok(
                    json!({"type": "array", "items": all, "additionalItems": false, "minItems": count, "maxItems": count}),
                )
            }
            Value::Object(entries) if has_large(value) => {
                let mut properties = Map::new();
                for (key, item) in entries {
                    properties.insert(key.clone(), self.literal(item)?);
                }
                let required: Vec<&String> = entries.keys().collect();
                Ok(
                    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}),
                )
            }
            value => Ok(json!({ "const": value })),
        }
    }
}

/// The keywords of a schema that say something of a value.
struct Said {
    entries: Map<String, Value>,
    bounds: Bounds,
    /// Whether a bound has more than 53 bits.
    bounded: bool,
    /// The types of the values; `None` if they may be of any.
    types: Option<Vec<String>>,
}

impl Said {
    fn allows(&self, kind: &str) -> bool {
        self.types.as_ref().is_none_or(|types| types.iter().any(|own| own == kind))
    }

    fn remove(&mut self, keys: &[&str]) {
        keys.iter().for_each(|key| drop(self.entries.shift_remove(*key)));
    }
}

/// The values that a schema lists: those of `enum`, of which `const` leaves one.
fn values(entries: &Map<String, Value>) -> Option<Vec<Value>> {
    match (entries.get("const"), entries.get("enum").and_then(Value::as_array)) {
        (Some(one), Some(all)) => Some(all.iter().filter(|value| *value == one).cloned().collect()),
        (Some(one), None) => Some(vec![one.clone()]),
        (None, all) => all.cloned(),
    }
}

/// Whether the compiler would read the number as another.
fn is_large(text: &str) -> bool {
    let beyond = || {
        let parts = Decimal::of(text).and_then(|number| number.parts(MOST_DIGITS));
        parts.is_none_or(|(whole, fraction)| fraction.is_empty() && compare(&whole, LARGEST).is_gt())
    };
    loses(text) || beyond()
}

/// The text of a number that a schema has under a key.
fn number(entries: &Map<String, Value>, key: &str) -> Option<String> {
    entries.get(key).and_then(text)
}

/// Whether a schema has bounds of numbers with a fraction, or asks for multiples of a number with a fraction, and lists no values.
fn is_fractional(entries: &Map<String, Value>) -> bool {
    let has_fraction = |key: &str| {
        let number = number(entries, key).and_then(|text| Decimal::of(&text));
        number.is_some_and(|number| number.power < number.digits.len() as i64)
    };
    let is_number = match entries.get("type") {
        Some(Value::Array(all)) => all.iter().any(|kind| kind == "number"),
        kind => kind.is_none_or(|kind| kind == "number"),
    };
    let is_listed = entries.contains_key("const") || entries.contains_key("enum");
    !is_listed && (has_fraction("multipleOf") || is_number && BOUNDS.into_iter().any(has_fraction))
}

/// Whether the compiler counts remainders of this number.
pub(super) fn is_divisor(text: &str) -> bool {
    !text.starts_with('-')
        && divisor(text)
            .is_ok_and(|(divisor, places)| divisor <= limits::MOST_MULTIPLE && places <= limits::MOST_PLACES)
}

/// Whether a schema has bounds that are written here.
pub(super) fn has_own_range(entries: &Map<String, Value>) -> bool {
    is_fractional(entries)
        || BOUNDS.iter().any(|key| number(entries, key).is_some_and(|text| is_large(&text)))
}

/// Whether a value is such a number, or holds one.
fn has_large(value: &Value) -> bool {
    if let Some(text) = text(value) {
        return is_large(&text);
    }
    match value {
        Value::Array(items) => items.iter().any(has_large),
        Value::Object(entries) => entries.values().any(has_large),
        _ => false,
    }
}
