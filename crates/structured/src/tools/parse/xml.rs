use std::collections::HashMap;
use std::sync::Arc;

use jarrah_formats::json::{exact, python, unmarked};
use serde_json::Value;

use super::json::escaped;
use super::marked::{Inside, Step};
use super::pythonic::literal;
use super::{Out, Watch};
use crate::grammar::number_text;

const FUNCTION: &str = "<function=";
const PARAMETER: &str = "<parameter=";
const PARAMETER_END: &str = "</parameter>";
const FUNCTION_END: &str = "</function>";
const CALL_END: &str = "</tool_call>";

/// The longest name of a function or a parameter.
const LONGEST_NAME: usize = 300;

/// A call as Qwen3-Coder writes it: `<function=NAME>`, and `<parameter=KEY>` with a text each.
pub(super) struct Xml {
    schemas: Arc<HashMap<String, Value>>,
    // The text since the mark, which is content if no call begins.
    raw: String,
    name: String,
    count: usize,
    place: Place,
}

enum Place {
    /// `<function=` must come.
    Before,
    /// The name of the function, or of a parameter.
    Name(String),
    Key(String),
    /// Between parameters: what has come of a mark.
    Between(String),
    /// A value.
    Value(Reading),
    /// The function is over; the mark at the end may come.
    End(String),
}

/// A value that is read.
struct Reading {
    watch: Watch,
    // Whether it is a text, which is given as it comes.
    text: bool,
    // The value so far; of a text, which is passed on as it comes, only a line break that may end it.
    held: String,
    begun: bool,
    key: String,
}

impl Xml {
    /// Behind `<tool_call>`, or `inside` `<function=`.
    pub fn new(inside: bool, schemas: Arc<HashMap<String, Value>>) -> Xml {
        let (raw, place) = match inside {
            true => (FUNCTION, Place::Name(String::new())),
            false => ("<tool_call>", Place::Before),
        };
        Xml { schemas, raw: raw.to_owned(), name: String::new(), count: 0, place }
    }

    /// Whether a parameter is a text: its schema says so, or nothing at all.
    fn is_text(&self, key: &str) -> bool {
        let schema = self.schemas.get(&self.name).map_or(&Value::Null, |schema| &schema["properties"][key]);
        let kind = &schema["type"];
        match kind {
            Value::String(kind) => kind == "string",
            Value::Array(kinds) => {
                kinds.iter().any(|kind| kind == "string") && !kinds.iter().any(|kind| kind == "null")
            }
            _ => match schema["enum"].as_array() {
                Some(all) => all.iter().all(Value::is_string),
                None => schema.is_null() || schema["const"].is_string(),
            },
        }
    }

    fn begin_value(&mut self, key: String, out: &mut Out) {
        let comma = if self.count == 0 { "" } else { ", " };
        self.count += 1;
        out.arguments(&format!("{comma}{}: ", Value::from(key.as_str())));
        let text = self.is_text(&key);
        if text {
            out.arguments("\"");
        }
        self.place = Place::Value(Reading {
            watch: Watch::new(&[PARAMETER_END]),
            text,
            held: String::new(),
            begun: false,
            key,
        });
    }

    /// A value that is no text: as JSON if it is, as Python's words and literals for it, or as a text.
    fn other(&self, key: &str, text: &str) -> String {
        let trimmed = text.trim();
        let kind = |kind: &str| {
            let own = self.schemas.get(&self.name).map_or(&Value::Null, |s| &s["properties"][key]["type"]);
            own == kind || own.as_array().is_some_and(|all| all.iter().any(|own| own == kind))
        };
        match trimmed {
            "True" => return "true".to_owned(),
            "False" => return "false".to_owned(),
            "None" => return "null".to_owned(),
            _ => {}
        }
        // Digits stay as they are written. Python's `json` reads `NaN` too, which alone is a text.
        let json = if trimmed.starts_with(['{', '[']) {
            python(trimmed.as_bytes())
        } else {
            trimmed.as_bytes().into()
        };
        match serde_json::from_slice::<Value>(&exact(&json)) {
            Ok(value) if kind("string") && !value.is_null() && !value.is_string() => {
                Value::from(text).to_string()
            }
            Ok(_) => trimmed.to_owned(),
            Err(_) => {
                let is_of_kind = |value: &Value| match value {
                    Value::Array(_) => kind("array"),
                    Value::Number(number) if number.is_f64() => kind("number"),
                    Value::Number(_) => kind("integer") || kind("number"),
                    Value::Object(_) => kind("object") || number_text(value).is_some() && kind("integer"),
                    _ => false,
                };
                let read = literal(trimmed).filter(|value| !kind("string") && is_of_kind(value));
                read.map_or_else(
                    || Value::from(text).to_string(),
                    |value| unmarked(&value.to_string()).into_owned(),
                )
            }
        }
    }
}

impl Reading {
    /// Takes more of the value.
    fn take(&mut self, text: &str, out: &mut Out) {
        for c in text.chars() {
            // The line break behind the mark is none of the value.
            if !self.begun {
                self.begun = true;
                if c == '\n' {
                    continue;
                }
            }
            if self.text {
                let held = std::mem::take(&mut self.held);
                held.chars().for_each(|c| out.arguments(&escaped(c)));
                match c {
                    '\n' => self.held.push(c),
                    c => out.arguments(&escaped(c)),
                }
            } else {
                self.held.push(c);
            }
        }
    }
}

impl Inside for Xml {
    fn push(&mut self, c: char, out: &mut Out) -> Step {
        match &mut self.place {
            Place::Before => {
                self.raw.push(c);
                let begun = self.raw["<tool_call>".len()..].trim_start();
                if begun == FUNCTION {
                    self.place = Place::Name(String::new());
                } else if !FUNCTION.starts_with(begun) {
                    return Step::Content(std::mem::take(&mut self.raw));
                }
            }
            Place::Name(name) => {
                self.raw.push(c);
                match c {
                    '>' if !name.trim().is_empty() => {
                        self.name = name.trim().to_owned();
                        out.call(&self.name, None);
                        out.arguments("{");
                        self.raw.clear();
                        self.place = Place::Between(String::new());
                    }
                    '>' | '<' | '\n' => return Step::Content(std::mem::take(&mut self.raw)),
                    _ if name.len() > LONGEST_NAME => return Step::Content(std::mem::take(&mut self.raw)),
                    c => name.push(c),
                }
            }
            Place::Between(held) => {
                held.push(c);
                let begun = held.trim_start();
                if begun == PARAMETER {
                    self.place = Place::Key(String::new());
                } else if begun == FUNCTION_END {
                    out.arguments("}");
                    self.place = Place::End(String::new());
                } else if ![PARAMETER, FUNCTION_END].iter().any(|mark| mark.starts_with(begun)) {
                    // The model forgot to end the call, or wrote something between.
                    out.arguments("}");
                    return Step::Content(std::mem::take(held));
                }
            }
            Place::Key(key) => match c {
                '>' => {
                    let key = key.trim().to_owned();
                    self.begin_value(key, out);
                }
                c if key.len() > LONGEST_NAME => {
                    out.arguments("}");
                    let text = format!("{PARAMETER}{key}{c}");
                    return Step::Content(text);
                }
                c => key.push(c),
            },
            Place::Value(reading) => {
                let (text, end) = reading.watch.push(c);
                reading.take(&text, out);
                if end.is_some() {
                    if reading.text {
                        out.arguments("\"");
                    } else {
                        let text = reading.held.strip_suffix('\n').unwrap_or(&reading.held).to_owned();
                        let key = std::mem::take(&mut reading.key);
                        let value = self.other(&key, &text);
                        out.arguments(&value);
                    }
                    self.place = Place::Between(String::new());
                }
            }
            Place::End(held) => {
                held.push(c);
                let begun = held.trim_start();
                if begun == CALL_END {
                    return Step::Done(String::new());
                }
                if !CALL_END.starts_with(begun) {
                    return Step::Done(std::mem::take(held));
                }
            }
        }
        Step::More
    }

    fn finish(&mut self, out: &mut Out) -> String {
        match &mut self.place {
            Place::Before | Place::Name(_) => std::mem::take(&mut self.raw),
            // The beginning of a mark, or of an argument.
            Place::Between(_) | Place::End(_) | Place::Key(_) => String::new(),
            Place::Value(reading) => {
                let text = reading.watch.finish();
                reading.take(&text, out);
                let held = std::mem::take(&mut reading.held);
                match reading.text {
                    true => held.chars().for_each(|c| out.arguments(&escaped(c))),
                    false => out.arguments(&held),
                }
                String::new()
            }
        }
    }
}
