//! Objects of JSON whose values keep the text that they were written as: a number that is parsed and written again may have another last digit.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

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
