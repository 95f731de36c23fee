//! The filter `tojson`: Python's `json.dumps`.

use std::fmt::Write;

use minijinja::value::{Rest, ValueKind, ValueOrKwargs};
use minijinja::{Error, ErrorKind, State, Value};

use super::arguments::arguments;
use super::float::{float, float_of};
use super::value::wide;
use super::weight::bytes_left;

/// How deep lists and maps may lie in each other.
const DEPTH: usize = 200;

fn wrong(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// The filter `tojson`, with the options of `json.dumps` that transformers passes on, in the order in which transformers has them.
pub fn to_json(state: &State, given: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let names = ["ensure_ascii", "indent", "separators", "sort_keys"];
    let (value, [ascii, indent, separators, sort]) = arguments(names, given)?;
    let indent = indent.filter(|indent| !indent.is_none()).map(|indent| {
        match (indent.as_str(), usize::try_from(indent.clone())) {
            (Some(text), _) => Ok(text.to_owned()),
            (None, Ok(count)) if count <= 64 => Ok(" ".repeat(count)),
            _ => Err(wrong("indent is a number or a text")),
        }
    });
    let indent = indent.transpose()?;
    let separators = separators.filter(|both| !both.is_none());
    let separators = separators.map(|both| both.try_iter().map(Vec::from_iter)).transpose()?;
    let texts = separators.as_ref().map(|both| both.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    let (comma, colon) = match texts.as_deref() {
        Some(&[comma, colon]) => (comma.to_owned(), colon.to_owned()),
        Some(_) => return Err(wrong("separators are two texts")),
        None => ((if indent.is_some() { "," } else { ", " }).to_owned(), ": ".to_owned()),
    };
    let is_true = |value: Option<Value>| value.is_some_and(|value| value.is_true());
    let (ascii, sort) = (is_true(ascii), is_true(sort));
    let writer = Json { indent, comma, colon, ascii, sort, most: bytes_left(state) };
    let mut out = String::new();
    writer.value(&mut out, &value, 0)?;
    Ok(Value::from(out))
}

struct Json {
    indent: Option<String>,
    comma: String,
    colon: String,
    ascii: bool,
    sort: bool,
    /// The longest text that is written.
    most: usize,
}

impl Json {
    fn value(&self, out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
        if depth > DEPTH {
            return Err(wrong(format!("the value is nested deeper than {DEPTH}")));
        }
        if out.len() > self.most {
            return Err(ErrorKind::OutOfFuel.into());
        }
        match value.kind() {
            ValueKind::None => out.push_str("null"),
            ValueKind::Bool => out.push_str(if value.is_true() { "true" } else { "false" }),
            ValueKind::Number => match float_of(value) {
                Some(x) if x.is_nan() => out.push_str("NaN"),
                Some(x) if x.is_infinite() => out.push_str(if x > 0.0 { "Infinity" } else { "-Infinity" }),
                Some(x) => out.push_str(&float(x)),
                None => out.push_str(&value.to_string()),
            },
            ValueKind::String => self.text(out, value.as_str().unwrap_or_default()),
            ValueKind::Seq | ValueKind::Iterable => {
                self.items(out, ['[', ']'], value.try_iter()?, depth, |out, item| {
                    self.value(out, &item, depth + 1)
                })?;
            }
            ValueKind::Map => {
                let mut keys: Vec<Value> = value.try_iter()?.collect();
                if self.sort {
                    keys.sort();
                }
                self.items(out, ['{', '}'], keys.into_iter(), depth, |out, key| {
                    match key.kind() {
                        ValueKind::String => self.text(out, key.as_str().unwrap_or_default()),
                        ValueKind::None | ValueKind::Bool | ValueKind::Number => {
                            let mut text = String::new();
                            self.value(&mut text, &key, depth + 1)?;
                            self.text(out, &text);
                        }
                        _ => return Err(wrong("a key of a map is a text or a number")),
                    }
                    out.push_str(&self.colon);
                    self.value(out, &value.get_item(&key)?, depth + 1)
                })?;
            }
            kind => match wide(value) {
                Some(digits) => out.push_str(digits),
                None => return Err(wrong(format!("{kind} is not written as JSON"))),
            },
        }
        Ok(())
    }

    fn items(
        &self,
        out: &mut String,
        [open, close]: [char; 2],
        items: impl Iterator<Item = Value>,
        depth: usize,
        mut write: impl FnMut(&mut String, Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let line = |out: &mut String, depth: usize| {
            if let Some(indent) = &self.indent {
                out.push('\n');
                (0..depth).for_each(|_| out.push_str(indent));
            }
        };
        out.push(open);
        let mut empty = true;
        for item in items {
            if !empty {
                out.push_str(&self.comma);
            }
            empty = false;
            line(out, depth + 1);
            write(out, item)?;
        }
        if !empty {
            line(out, depth);
        }
        out.push(close);
        Ok(())
    }

    fn text(&self, out: &mut String, text: &str) {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '\u{8}' => out.push_str("\\b"),
                '\u{c}' => out.push_str("\\f"),
                c if c < ' ' || (self.ascii && c > '~') => {
                    let mut units = [0; 2];
                    c.encode_utf16(&mut units).iter().for_each(|unit| {
                        let _ = write!(out, "\\u{unit:04x}");
                    });
                }
                c => out.push(c),
            }
        }
        out.push('"');
    }
}
