//! Typed access to the fields of a JSON request: a null field counts as absent, a wrong type is refused with the field's path,
//! and unknown fields are never read.

use jarrah_tokenizer::chat::{Value, ValueKind, as_f64, to_json};

use crate::refusal::{Refusal, Result};

/// An object inside of a request, and its path for error messages.
#[derive(Clone)]
pub struct Fields<'a> {
    value: &'a Value,
    path: String,
}

impl<'a> Fields<'a> {
    /// The fields of a request's body.
    pub fn body(value: &'a Value) -> Result<Fields<'a>> {
        match value.kind() {
            ValueKind::Map => Ok(Fields { value, path: String::new() }),
            _ => Err(Refusal::bad(format!("the body must be an object of JSON, but is {}", kind(value)))),
        }
    }

    /// The fields of the object `value` at `path`.
    pub fn of(value: &'a Value, path: String) -> Result<Fields<'a>> {
        match value.kind() {
            ValueKind::Map => Ok(Fields { value, path }),
            _ => Err(wrong(&path, "an object", value)),
        }
    }

    /// The path of the field `name`.
    pub fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The field `name`, if it is present and not null.
    pub fn get(&self, name: &str) -> Option<Value> {
        let value = self.value.get_item(&Value::from(name)).ok()?;
        (!value.is_undefined() && !value.is_none()).then_some(value)
    }

    /// The field `name`, parsed by `read`; nothing if the field is absent.
    pub fn read<T>(&self, name: &str, read: impl FnOnce(&Value, &str) -> Result<T>) -> Result<Option<T>> {
        self.get(name).map(|value| read(&value, &self.path(name))).transpose()
    }

    /// The required field `name`, parsed by `read`; an absent field is refused.
    pub fn need<T>(&self, name: &str, read: impl FnOnce(&Value, &str) -> Result<T>) -> Result<T> {
        self.read(name, read)?.ok_or_else(|| {
            let path = self.path(name);
            Refusal::field(path.clone(), format!("`{path}` is missing"))
        })
    }

    /// The names of the fields that are present and not null.
    pub fn names(&self) -> Vec<String> {
        let names = self.value.try_iter().into_iter().flatten().map(|name| name.to_string());
        names.filter(|name| self.get(name).is_some()).collect()
    }

    /// The whole object as a `serde_json` value.
    pub fn json(&self) -> Result<serde_json::Value> {
        let path = &self.path;
        to_json(self.value).map_err(|e| Refusal::field(path, format!("`{path}`: {}", e.message())))
    }

    /// The boolean field `name`, `false` by default.
    pub fn flag(&self, name: &str) -> Result<bool> {
        Ok(self.read(name, flag)?.unwrap_or(false))
    }

    /// Refuses the field `name`, an option that is not supported, unless it is absent, null, `false` or 0.
    pub fn without(&self, name: &str, what: &str) -> Result<()> {
        self.without_but(name, &[0.0], "", what)
    }

    /// Refuses the field `name` unless it is absent, null, `false` or one of the numbers `nothing`, which ask for nothing; the
    /// message says that the field is not supported `with` another option.
    pub fn without_but(&self, name: &str, nothing: &[f64], with: &str, what: &str) -> Result<()> {
        let asks = |value: &Value| match as_f64(value) {
            Some(x) => !nothing.contains(&x),
            None => value.is_true(),
        };
        if !self.get(name).is_some_and(|value| asks(&value)) {
            return Ok(());
        }
        let path = self.path(name);
        Err(Refusal::field(path.clone(), format!("`{path}` is not supported{with}: {what}")))
    }
}

/// A reader of an object, whose fields `read` reads.
pub fn object<T>(read: impl FnOnce(Fields<'_>) -> Result<T>) -> impl FnOnce(&Value, &str) -> Result<T> {
    |value, path| read(Fields::of(value, path.to_owned())?)
}

fn kind(value: &Value) -> &'static str {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => "null",
        ValueKind::Bool => "a boolean",
        ValueKind::Number if value.is_integer() => "an integer",
        ValueKind::Number => "a number",
        _ if as_f64(value).is_some() => "a number",
        ValueKind::String => "a string",
        ValueKind::Seq | ValueKind::Iterable => "a list",
        ValueKind::Map => "an object",
        _ => "something else",
    }
}

/// The refusal that the field at `path` must be `wanted`.
pub fn wrong(path: &str, wanted: &str, value: &Value) -> Refusal {
    Refusal::field(path, format!("`{path}` must be {wanted}, but is {}", kind(value)))
}

/// Reads a number, which must be finite as an `f64`.
pub fn number(value: &Value, path: &str) -> Result<f64> {
    let number = as_f64(value).ok_or_else(|| wrong(path, "a number", value))?;
    match number.is_finite() {
        true => Ok(number),
        false => {
            let most = format!(
                "`{path}` must be a finite number: it is beyond {:e}, the largest of 64 bits",
                f64::MAX
            );
            Err(Refusal::field(path, most))
        }
    }
}

/// Reads an integer; `2.0` counts as one.
pub fn integer(value: &Value, path: &str) -> Result<i64> {
    if as_f64(value).is_none() {
        return Err(wrong(path, "an integer", value));
    }
    if value.is_integer() {
        let large = |_| Refusal::field(path, format!("`{path}` is {value}, which is too large"));
        return i64::try_from(value.clone()).map_err(large);
    }
    let number = number(value, path)?;
    let whole = number.fract() == 0.0 && number.abs() < 9e15;
    if whole { Ok(number as i64) } else { Err(wrong(path, "an integer", value)) }
}

/// Reads an integer of at least `least`.
pub fn at_least(least: i64) -> impl FnOnce(&Value, &str) -> Result<usize> {
    move |value, path| match integer(value, path)? {
        n if n < least => Err(Refusal::field(path, format!("`{path}` is {n}, but must be {least} or more"))),
        n => Ok(n as usize),
    }
}

/// Reads an integer of at least 0.
pub fn count(value: &Value, path: &str) -> Result<usize> {
    at_least(0)(value, path)
}

/// Reads a boolean.
pub fn flag(value: &Value, path: &str) -> Result<bool> {
    match value.kind() {
        ValueKind::Bool => Ok(value.is_true()),
        _ => Err(wrong(path, "true or false", value)),
    }
}

/// Reads a string.
pub fn text(value: &Value, path: &str) -> Result<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(path, "a string", value))
}

/// Reads a string that is one of `known`.
pub fn one_of(known: &'static [&'static str]) -> impl Fn(&Value, &str) -> Result<String> + Copy {
    move |value, path| {
        let given = text(value, path)?;
        match known.contains(&given.as_str()) {
            true => Ok(given),
            false => {
                Err(Refusal::field(path, format!("`{path}` is `{given}`, but must be {}", either(known))))
            }
        }
    }
}

/// The names as an English list: "`a`, `b` or `c`".
pub fn either(known: &[&str]) -> String {
    let (last, others) = known.split_last().unwrap_or((&"", &[]));
    let others: Vec<String> = others.iter().map(|name| format!("`{name}`")).collect();
    if others.is_empty() { format!("`{last}`") } else { format!("{} or `{last}`", others.join(", ")) }
}

/// Reads a list, each item by `read`.
pub fn list<T>(
    mut read: impl FnMut(&Value, &str) -> Result<T>,
) -> impl FnMut(&Value, &str) -> Result<Vec<T>> {
    move |value, path| {
        let items = items(value).ok_or_else(|| wrong(path, "a list", value))?;
        // The path of an item is made for errors only: lists of tokens are long.
        let item = |(i, item)| read(&item, path).or_else(|_| read(&item, &format!("{path}[{i}]")));
        items.enumerate().map(item).collect()
    }
}

/// Reads a string or a list of strings.
pub fn texts(value: &Value, path: &str) -> Result<Vec<String>> {
    match value.as_str() {
        Some(text) => Ok(vec![text.to_owned()]),
        None if value.kind() == ValueKind::Seq => list(text)(value, path),
        None => Err(wrong(path, "a string or a list of strings", value)),
    }
}

/// Reads the id of a token, below `vocabulary`.
pub fn id(vocabulary: usize) -> impl Fn(&Value, &str) -> Result<u32> + Copy {
    move |value, path| {
        let id = integer(value, path)?;
        let known = u32::try_from(id).ok().filter(|&id| (id as usize) < vocabulary);
        known.ok_or_else(|| {
            Refusal::field(
                path,
                format!("`{path}` is {id}, but the model's tokens are 0 to {}", vocabulary.saturating_sub(1)),
            )
        })
    }
}

/// The items of a list; nothing if `value` is no list.
pub fn items(value: &Value) -> Option<impl Iterator<Item = Value> + use<>> {
    value.try_iter().ok().filter(|_| value.kind() == ValueKind::Seq)
}
