//! Objects of JSON whose values keep the text that they were written as: a number that is parsed and written again may have another last digit.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Number, Value};

/// The keys of an object, in their order, and the texts of their values.
pub(crate) struct JsonObject(pub(crate) Vec<(String, Box<RawValue>)>);

impl JsonObject {
    /// The object that a record is; `None` if it is none.
    pub(crate) fn read(record: &[u8]) -> Option<Self> {
        serde_json::from_slice(record).ok()
    }

    /// The text of a value.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|entry| entry.0 == key).map(|entry| entry.1.get())
    }
}

impl<'de> Deserialize<'de> for JsonObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;

        impl<'de> Visitor<'de> for Entries {
            type Value = JsonObject;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of JSON")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonObject, A::Error> {
                let mut entries: Vec<(String, Box<RawValue>)> = Vec::new();
                while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    // Of equal keys the last one counts.
                    entries.retain(|entry| entry.0 != key);
                    entries.push((key, value));
                }
                Ok(JsonObject(entries))
            }
        }

        deserializer.deserialize_map(Entries)
    }
}

/// The text of a value: that of a string, and of any other as it is written.
pub(crate) fn plain(value: &str) -> String {
    match value.starts_with('"') {
        true => serde_json::from_str(value).unwrap_or_default(),
        false => value.to_owned(),
    }
}

/// A number in JSON; NaN and infinities are null.
pub(crate) fn double_value(x: f64) -> Value {
    Number::from_f64(x).map_or(Value::Null, Value::Number)
}

/// A number of 32 bits in JSON, of the shortest digits that tell it, which are not those of its 64 bits.
pub(crate) fn single_value(x: f32) -> Value {
    double_value(x.to_string().parse().unwrap_or(f64::NAN))
}

/// Bytes in JSON: a text, or base64 where they are no UTF-8.
pub(crate) fn bytes_value(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => base64(bytes).into(),
    }
}

/// Base64, as RFC 4648 has it.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word =
            three.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - three.len()));
        for i in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * i)) as usize & 63];
            text.push(if i <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}
