use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

use super::tf_example::{TfExample, TfFeature};

/// The kind of records, as some of them show it: displayed as `Example: image bytes [1], label ints [1..5]`.
#[derive(Clone, Debug, Default)]
pub struct RecordSchema {
    /// The number of records that were looked at.
    pub records: u64,
    /// The smallest and the largest size of a record in bytes.
    pub sizes: (usize, usize),
    is_no_text: bool,
    is_no_json: bool,
    is_no_example: bool,
    /// The fields of objects of JSON, with the kinds of their values and their number.
    json: BTreeMap<String, (Vec<&'static str>, u64)>,
    /// The features of Examples, with the kinds and the least and greatest number of values, and their number.
    features: BTreeMap<String, (Vec<&'static str>, usize, usize, u64)>,
}

impl RecordSchema {
    /// Looks at a record.
    pub(crate) fn add(&mut self, record: &[u8]) {
        let size = record.len();
        self.sizes = match self.records {
            0 => (size, size),
            _ => (self.sizes.0.min(size), self.sizes.1.max(size)),
        };
        self.records += 1;
        let text = std::str::from_utf8(record);
        self.is_no_text |= text.is_err() || record.contains(&0);
        if !self.is_no_json {
            match text.map(serde_json::from_str) {
                Ok(Ok(Value::Object(fields))) => {
                    fields.iter().for_each(|(name, value)| self.add_field(name, value))
                }
                _ => self.is_no_json = true,
            }
        }
        if !self.is_no_example {
            match TfExample::decode(record) {
                Ok(example) if !example.features.is_empty() => self.add_example(&example),
                _ => self.is_no_example = true,
            }
        }
    }

    fn add_field(&mut self, name: &str, value: &Value) {
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let (kinds, count) = self.json.entry(name.to_owned()).or_default();
        *count += 1;
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }

    fn add_example(&mut self, example: &TfExample) {
        for (name, feature) in &example.features {
            let (kind, length) = match feature {
                TfFeature::Bytes(values) => ("bytes", values.len()),
                TfFeature::Floats(values) => ("floats", values.len()),
                TfFeature::Ints(values) => ("ints", values.len()),
            };
            let (kinds, least, most, count) =
                self.features.entry(name.clone()).or_insert((Vec::new(), length, length, 0));
            (*least, *most, *count) = ((*least).min(length), (*most).max(length), *count + 1);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }

    /// The kind of the records: `empty`, `json`, `example`, `text` or `bytes`.
    pub fn kind(&self) -> &'static str {
        match self {
            _ if self.records == 0 => "empty",
            _ if !self.is_no_json => "json",
            _ if !self.is_no_example => "example",
            _ if !self.is_no_text => "text",
            _ => "bytes",
        }
    }

    /// The fields of records of JSON, and the features of Examples, each with a description: a `?` stands behind one that not all records have.
    pub fn fields(&self) -> Vec<(&str, String)> {
        let optional = |count: u64| if count < self.records { "?" } else { "" };
        match self.kind() {
            "json" => {
                let described = |kinds: &[&str], count| format!("{}{}", kinds.join(" or "), optional(count));
                self.json
                    .iter()
                    .map(|(name, (kinds, count))| (name.as_str(), described(kinds, *count)))
                    .collect()
            }
            "example" => {
                let described = |kinds: &[&str], least: usize, most: usize, count: u64| {
                    let range =
                        if least == most { format!("[{least}]") } else { format!("[{least}..{most}]") };
                    format!("{} {range}{}", kinds.join(" or "), optional(count))
                };
                let features = self.features.iter();
                features
                    .map(|(name, (kinds, least, most, count))| {
                        (name.as_str(), described(kinds, *least, *most, *count))
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for RecordSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind())?;
        for (i, (name, described)) in self.fields().iter().enumerate() {
            write!(f, "{} {name} {described}", if i == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}
