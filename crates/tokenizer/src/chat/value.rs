//! Values of JSON in which integers keep every digit, as Python's do.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use jarrah_base::{Error, Result};
use jarrah_formats::json::{NUMBER, exact, is_number, python, unmarked};
use minijinja::Value;
use minijinja::value::{Object, ObjectRepr, ValueKind};
use serde_json::{Map, Number, json};

/// A number of which no type of templates holds every digit: an integer beyond 128 bits, or another with more digits than an `f64`, for which
/// templates see the `f64`.
#[derive(Debug)]
struct Wide(String);

impl Wide {
    /// The `f64` that Python reads, infinite beyond the largest; none of an integer.
    fn float(&self) -> Option<f64> {
        self.0.parse().ok().filter(|_| self.0.contains(['.', 'e', 'E']))
    }
}

impl Object for Wide {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a value of JSON. Numbers keep every digit, for the schemas among them; templates see the `f64` of a number that is no integer, infinite
/// beyond the largest, as in Python.
///
/// ```
/// use jarrah_tokenizer::chat::parse;
/// let value = parse(b"[123456789012345678901234567890123456789012345]")?;
/// assert_eq!(value.to_string(), "[123456789012345678901234567890123456789012345]");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// It is not JSON (`Input`).
pub fn parse(json: &[u8]) -> Result<Value> {
    read(json).map_err(|e| Error::input(format!("it is not JSON: {e}")))
}

/// As [`parse`].
///
/// # Errors
/// It is not JSON: as `serde_json` says it.
pub fn read(json: &[u8]) -> serde_json::Result<Value> {
    let text = exact(json);
    let value: Value = serde_json::from_slice(&text)?;
    Ok(match text {
        Cow::Borrowed(_) => value,
        Cow::Owned(_) => restored(value),
    })
}

/// As [`read`], with the `NaN`, `Infinity` and `-Infinity` that Python's `json` writes.
///
/// ```
/// use jarrah_tokenizer::chat::{as_f64, read_python};
/// assert_eq!(as_f64(&read_python(b"-Infinity").unwrap()), Some(f64::NEG_INFINITY));
/// ```
///
/// # Errors
/// It is not JSON: as `serde_json` says it.
pub fn read_python(json: &[u8]) -> serde_json::Result<Value> {
    match python(json) {
        Cow::Borrowed(json) => read(json),
        Cow::Owned(json) => Ok(restored(serde_json::from_slice(&exact(&json))?)),
    }
}

/// The text of a marked number.
fn marked(value: &Value) -> Option<String> {
    if value.kind() != ValueKind::Map || value.len() != Some(1) {
        return None;
    }
    let text = value.get_attr(NUMBER).ok()?;
    let text = text.as_str()?;
    (is_number(text) || is_beyond(text)).then(|| text.to_owned())
}

/// The value with numbers in the place of marked ones.
fn restored(value: Value) -> Value {
    replaced(&value, &|value| marked(value).map(number)).unwrap_or(value)
}

/// The value with others in it where `with` has others; none where it has none.
fn replaced(value: &Value, with: &impl Fn(&Value) -> Option<Value>) -> Option<Value> {
    if let Some(other) = with(value) {
        return Some(other);
    }
    let is_map = value.kind() == ValueKind::Map;
    if !is_map && value.kind() != ValueKind::Seq {
        return None;
    }
    let items = value.try_iter().into_iter().flatten().map(|item| match is_map {
        true => (item.clone(), value.get_item(&item).unwrap_or_default()),
        false => (Value::UNDEFINED, item),
    });
    let mut any = false;
    let items: Vec<(Value, Value)> = items
        .map(|(key, item)| {
            let other = replaced(&item, with);
            any |= other.is_some();
            (key, other.unwrap_or(item))
        })
        .collect();
    any.then(|| match is_map {
        true => Value::from_pairs(items),
        false => items.into_iter().map(|(_, item)| item).collect(),
    })
}

/// The value as templates see it: a number with more digits than an `f64` is the `f64`.
pub(super) fn seen(value: &Value) -> Value {
    let float = |value: &Value| value.downcast_object_ref::<Wide>()?.float().map(Value::from);
    replaced(value, &float).unwrap_or_else(|| value.clone())
}

/// Whether a text is a number of Python's `json` alone.
fn is_beyond(text: &str) -> bool {
    matches!(text, "NaN" | "Infinity" | "-Infinity")
}

/// The number that a text is.
pub(super) fn number(text: String) -> Value {
    if is_beyond(&text) {
        return text.parse::<f64>().unwrap_or(f64::NAN).into();
    }
    if let Ok(number) = text.parse::<i128>() {
        return number.into();
    }
    if let Ok(number) = text.parse::<u128>() {
        return number.into();
    }
    Value::from_object(Wide(text))
}

/// The digits of a number that templates hold as an object of its own.
pub(super) fn wide(value: &Value) -> Option<&str> {
    value.downcast_object_ref::<Wide>().map(|wide| wide.0.as_str())
}

/// The number that a value is, as an `f64`, if it is one.
///
/// ```
/// use jarrah_tokenizer::chat::{as_f64, parse};
/// assert_eq!(as_f64(&parse(b"0.50000000000000000000001")?), Some(0.5));
/// assert_eq!(as_f64(&parse(b"\"1\"")?), None);
/// # Ok::<(), jarrah_base::Error>(())
/// ```
pub fn as_f64(value: &Value) -> Option<f64> {
    match wide(value) {
        Some(text) => text.parse().ok(),
        None => f64::try_from(value.clone()).ok().filter(|_| value.kind() == ValueKind::Number),
    }
}

/// A value of a template as other crates read JSON, with marks for numbers that these would lose digits of.
///
/// ```
/// use jarrah_tokenizer::chat::{parse, to_json};
/// let value = to_json(&parse(b"{\"const\": 18446744073709551616}")?)?;
/// assert_eq!(value["const"]["$jarrah.number"], "18446744073709551616");
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// It is no value of JSON (`Input`).
pub fn to_json(value: &Value) -> Result<serde_json::Value> {
    if let Some(text) = wide(value) {
        return Ok(json!({ NUMBER: text }));
    }
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None => serde_json::Value::Null,
        ValueKind::Bool => value.is_true().into(),
        ValueKind::Number if value.is_integer() => {
            let text = value.to_string();
            match text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)) {
                Ok(number) => serde_json::Value::Number(number),
                Err(_) => json!({ NUMBER: text }),
            }
        }
        ValueKind::Number => {
            let number = f64::try_from(value.clone()).ok().and_then(Number::from_f64);
            serde_json::Value::Number(
                number.ok_or_else(|| Error::input(format!("{value} is no number of JSON")))?,
            )
        }
        ValueKind::String => value.as_str().unwrap_or_default().into(),
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().into_iter().flatten();
            serde_json::Value::Array(items.map(|item| to_json(&item)).collect::<Result<_>>()?)
        }
        ValueKind::Map => {
            let mut entries = Map::new();
            for key in value.try_iter().into_iter().flatten() {
                let item = value.get_item(&key).unwrap_or_default();
                entries.insert(key.as_str().map_or_else(|| key.to_string(), str::to_owned), to_json(&item)?);
            }
            serde_json::Value::Object(entries)
        }
        kind => return Err(Error::input(format!("{kind} is no value of JSON"))),
    })
}

/// A value of JSON, marked numbers among it, as templates see it.
///
/// # Errors
/// As [`parse`].
pub fn of_json(value: &serde_json::Value) -> Result<Value> {
    parse(unmarked(&value.to_string()).as_bytes())
}
