//! Typed access to the fields of JSON objects: a null field counts as absent, a value of another type is an error with the
//! field's path, and so is a field that no reader asked for, where the reader wants it so.
//!
//! ```
//! use jarrah_tokenizer::chat::fields::{Fields, at_least, text};
//! use jarrah_tokenizer::chat::parse;
//! let body = parse(br#"{"model": "a", "n": 2, "temprature": 0.5}"#)?;
//! let fields = Fields::body(&body)?;
//! assert_eq!((fields.need("model", text)?, fields.read("n", at_least(1))?), ("a".to_owned(), Some(2)));
//! assert_eq!(fields.read("temperature", jarrah_tokenizer::chat::fields::number)?, None);
//! let error = fields.all_known().unwrap_err();
//! assert_eq!(error.message, "there is no field `temprature`: did you mean `temperature`?");
//! # Ok::<(), jarrah_base::Error>(())
//! ```

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use jarrah_base::{Error, nearest};
use minijinja::Value;

use super::ValueKind;
use super::value::{as_f64, to_json};

/// The result of reading a field.
pub type FieldResult<T, E = Fault> = std::result::Result<T, E>;

/// A field that is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The path of the field, such as `messages[1].role`.
    pub path: String,
    /// The reason, with the path in it.
    pub message: String,
}

impl Fault {
    /// The field at `path` is wrong.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Fault {
        Fault { path: path.into(), message: message.into() }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::input(fault.message)
    }
}

/// An object of JSON, its path for error messages, and the names of the fields that were asked for.
#[derive(Clone)]
pub struct Fields<'a> {
    value: &'a Value,
    path: String,
    known: Rc<RefCell<BTreeSet<String>>>,
}

impl<'a> Fields<'a> {
    /// The fields of a request's body.
    pub fn body(value: &'a Value) -> FieldResult<Fields<'a>> {
        match value.kind() {
            ValueKind::Map => Fields::of(value, String::new()),
            _ => Err(Fault::new("", format!("the body must be an object of JSON, but is {}", kind(value)))),
        }
    }

    /// The fields of the object `value` at `path`.
    pub fn of(value: &'a Value, path: String) -> FieldResult<Fields<'a>> {
        match value.kind() {
            ValueKind::Map => Ok(Fields { value, path, known: Rc::default() }),
            _ => Err(wrong(&path, "an object", value)),
        }
    }

    /// The path of the field `name`.
    pub fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// The field `name`, if it is present and not null.
    pub fn get(&self, name: &str) -> Option<Value> {
        self.known(&[name]);
        self.present(name)
    }

    fn present(&self, name: &str) -> Option<Value> {
        let value = self.value.get_item(&Value::from(name)).ok()?;
        (!value.is_undefined() && !value.is_none()).then_some(value)
    }

    /// Says that these fields are known, though nobody reads them: they have no effect.
    pub fn known(&self, names: &[&str]) {
        let mut known = self.known.borrow_mut();
        for &name in names {
            if !known.contains(name) {
                known.insert(name.to_owned());
            }
        }
    }

    /// Says that the object may have any field.
    pub fn open(&self) {
        let names = self.names();
        self.known.borrow_mut().extend(names);
    }

    /// Checks that the object has no field but null ones and those that were asked for until now.
    ///
    /// # Errors
    /// It has another, which is likely a name that is misspelt.
    pub fn all_known(&self) -> FieldResult<()> {
        let known = self.known.borrow();
        let Some(name) = self.names().into_iter().find(|name| !known.contains(name)) else { return Ok(()) };
        let near = nearest(&name, known.iter().map(String::as_str));
        let path = self.path(&name);
        let message = match near {
            Some(near) => format!("there is no field `{path}`: did you mean `{near}`?"),
            None => format!("there is no field `{path}`"),
        };
        Err(Fault::new(path, message))
    }

    /// The field `name`, parsed by `read`; nothing if the field is absent.
    pub fn read<T, E>(
        &self,
        name: &str,
        read: impl FnOnce(&Value, &str) -> FieldResult<T, E>,
    ) -> FieldResult<Option<T>, E> {
        self.get(name).map(|value| read(&value, &self.path(name))).transpose()
    }

    /// The required field `name`, parsed by `read`; an absent field is refused.
    pub fn need<T, E: From<Fault>>(
        &self,
        name: &str,
        read: impl FnOnce(&Value, &str) -> FieldResult<T, E>,
    ) -> FieldResult<T, E> {
        self.read(name, read)?.ok_or_else(|| {
            let path = self.path(name);
            Fault::new(path.clone(), format!("`{path}` is missing")).into()
        })
    }

    /// The names of the fields that are present and not null.
    pub fn names(&self) -> Vec<String> {
        let names = self.value.try_iter().into_iter().flatten().map(|name| name.to_string());
        names.filter(|name| self.present(name).is_some()).collect()
    }

    /// The whole object as a `serde_json` value.
    pub fn json(&self) -> FieldResult<serde_json::Value> {
        self.open();
        let path = &self.path;
        to_json(self.value).map_err(|e| Fault::new(path, format!("`{path}`: {}", e.message())))
    }

    /// The boolean field `name`, `false` by default.
    pub fn flag(&self, name: &str) -> FieldResult<bool> {
        Ok(self.read(name, flag)?.unwrap_or(false))
    }

    /// Refuses the field `name`, an option that is not supported, unless it is absent, null, `false` or 0.
    pub fn without(&self, name: &str, what: &str) -> FieldResult<()> {
        self.without_but(name, &[0.0], "", what)
    }

    /// Refuses the field `name` unless it is absent, null, `false` or one of the numbers `nothing`, which ask for nothing; the
    /// message says that the field is not supported `with` another option.
    pub fn without_but(&self, name: &str, nothing: &[f64], with: &str, what: &str) -> FieldResult<()> {
        let asks = |value: &Value| match as_f64(value) {
            Some(x) => !nothing.contains(&x),
            None => value.is_true(),
        };
        if !self.get(name).is_some_and(|value| asks(&value)) {
            return Ok(());
        }
        let path = self.path(name);
        Err(Fault::new(path.clone(), format!("`{path}` is not supported{with}: {what}")))
    }
}

/// A reader of an object, whose fields `read` reads, and which has no other.
pub fn object<T, E: From<Fault>>(
    read: impl FnOnce(&Fields<'_>) -> FieldResult<T, E>,
) -> impl FnOnce(&Value, &str) -> FieldResult<T, E> {
    |value, path| {
        let fields = Fields::of(value, path.to_owned())?;
        let found = read(&fields)?;
        fields.all_known()?;
        Ok(found)
    }
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

/// The fault that the field at `path` must be `wanted`.
pub fn wrong(path: &str, wanted: &str, value: &Value) -> Fault {
    Fault::new(path, format!("`{path}` must be {wanted}, but is {}", kind(value)))
}

/// Reads a number, which must be finite as an `f64`.
pub fn number(value: &Value, path: &str) -> FieldResult<f64> {
    let number = as_f64(value).ok_or_else(|| wrong(path, "a number", value))?;
    match number.is_finite() {
        true => Ok(number),
        false => {
            let most = format!(
                "`{path}` must be a finite number: it is beyond {:e}, the largest of 64 bits",
                f64::MAX
            );
            Err(Fault::new(path, most))
        }
    }
}

/// Reads an integer; `2.0` counts as one.
pub fn integer(value: &Value, path: &str) -> FieldResult<i64> {
    if as_f64(value).is_none() {
        return Err(wrong(path, "an integer", value));
    }
    if value.is_integer() {
        let large = |_| Fault::new(path, format!("`{path}` is {value}, which is too large"));
        return i64::try_from(value.clone()).map_err(large);
    }
    let number = number(value, path)?;
    let whole = number.fract() == 0.0 && number.abs() < 9e15;
    if whole { Ok(number as i64) } else { Err(wrong(path, "an integer", value)) }
}

/// Reads an integer of at least `least`.
pub fn at_least(least: i64) -> impl FnOnce(&Value, &str) -> FieldResult<usize> {
    move |value, path| match integer(value, path)? {
        n if n < least => Err(Fault::new(path, format!("`{path}` is {n}, but must be {least} or more"))),
        n => Ok(n as usize),
    }
}

/// Reads an integer of at least 0.
pub fn count(value: &Value, path: &str) -> FieldResult<usize> {
    at_least(0)(value, path)
}

/// Reads a boolean.
pub fn flag(value: &Value, path: &str) -> FieldResult<bool> {
    match value.kind() {
        ValueKind::Bool => Ok(value.is_true()),
        _ => Err(wrong(path, "true or false", value)),
    }
}

/// Reads a string.
pub fn text(value: &Value, path: &str) -> FieldResult<String> {
    value.as_str().map(str::to_owned).ok_or_else(|| wrong(path, "a string", value))
}

/// Reads a string that is one of `known`.
pub fn one_of(known: &'static [&'static str]) -> impl Fn(&Value, &str) -> FieldResult<String> + Copy {
    move |value, path| {
        let given = text(value, path)?;
        match known.contains(&given.as_str()) {
            true => Ok(given),
            false => Err(Fault::new(path, format!("`{path}` is `{given}`, but must be {}", either(known)))),
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
pub fn list<T, E: From<Fault>>(
    mut read: impl FnMut(&Value, &str) -> FieldResult<T, E>,
) -> impl FnMut(&Value, &str) -> FieldResult<Vec<T>, E> {
    move |value, path| {
        let items = items(value).ok_or_else(|| wrong(path, "a list", value))?;
        // The path of an item is made for errors only: lists of tokens are long.
        let item = |(i, item)| read(&item, path).or_else(|_| read(&item, &format!("{path}[{i}]")));
        items.enumerate().map(item).collect()
    }
}

/// Reads a string or a list of strings.
pub fn texts(value: &Value, path: &str) -> FieldResult<Vec<String>> {
    match value.as_str() {
        Some(text) => Ok(vec![text.to_owned()]),
        None if value.kind() == ValueKind::Seq => list(text)(value, path),
        None => Err(wrong(path, "a string or a list of strings", value)),
    }
}

/// Reads the id of a token, below `vocabulary`.
pub fn id(vocabulary: usize) -> impl Fn(&Value, &str) -> FieldResult<u32> + Copy {
    move |value, path| {
        let id = integer(value, path)?;
        let known = u32::try_from(id).ok().filter(|&id| (id as usize) < vocabulary);
        known.ok_or_else(|| {
            Fault::new(
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
