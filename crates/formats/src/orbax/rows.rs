//! The rows of `_METADATA`, read without a value of JSON for each: there may be a hundred thousand.

use std::fmt;
use std::marker::PhantomData;

use jarrah_base::Result;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::array::extents;
use super::key::{DEPTH, OrbaxKey};
use super::packed::Packed;
use super::wrong;

/// The row of a leaf, or of an empty node, in `_METADATA`.
pub(super) struct Row {
    pub keys: Vec<OrbaxKey>,
    pub value_type: String,
    pub write_shape: Option<Vec<usize>>,
    /// The value, where the file `checkpoint` has one for these keys.
    pub packed: Option<Packed>,
}

/// The rows, or the error of the first that is wrong.
pub(super) struct Rows(pub Result<Vec<Row>>);

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rows, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Rows;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object `tree_metadata`")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Rows, A::Error> {
                let mut rows = Ok(Vec::new());
                while let Some((name, row)) = map.next_entry::<String, Lenient<RowFields>>()? {
                    rows = rows.and_then(|mut rows: Vec<Row>| {
                        rows.push(row.0.unwrap_or_default().read(&name)?);
                        Ok(rows)
                    });
                }
                Ok(Rows(rows))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

#[derive(Default)]
struct RowFields {
    keys: Option<Vec<Option<OrbaxKey>>>,
    value: Option<ValueFields>,
}

#[derive(Default)]
struct ValueFields {
    value_type: Option<String>,
    write_shape: Value,
}

impl RowFields {
    fn read(self, name: &str) -> Result<Row> {
        let odd = |field: &str| wrong(format!("the row {name} has no {field} as Orbax writes it"));
        let keys = self.keys.ok_or_else(|| odd("key_metadata"))?;
        if keys.len() > DEPTH {
            return Err(wrong(format!("the row {name} is deeper than {DEPTH}")));
        }
        let keys = keys.into_iter().collect::<Option<_>>().ok_or_else(|| odd("key_metadata"))?;
        let value = self.value.ok_or_else(|| odd("value_metadata"))?;
        let value_type = value.value_type.ok_or_else(|| odd("value_type"))?;
        let write_shape = match value.write_shape {
            Value::Null => None,
            shape => Some(extents(Some(&shape), "write_shape", 0)?),
        };
        Ok(Row { keys, value_type, write_shape, packed: None })
    }
}

/// A part of a row that JSON may have in another form than Orbax's: then it is none.
struct Lenient<T>(Option<T>);

/// The forms that a part may have.
trait Form: Sized {
    /// The part that is an object.
    fn of_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// The part that is a list.
    fn of_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    /// The part that is a text.
    fn of_text(_: &str) -> Option<Self> {
        None
    }

    /// The part that is a number, a truth value or `null`.
    fn of_other(_: Value) -> Option<Self> {
        None
    }
}

impl<'de, T: Form> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any(PhantomData)).map(Lenient)
    }
}

struct Any<T>(PhantomData<T>);

impl<'de, T: Form> Visitor<'de> for Any<T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Option<T>, A::Error> {
        T::of_map(map)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Option<T>, A::Error> {
        T::of_list(list)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Option<T>, E> {
        Ok(T::of_text(text))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<T>, E> {
        Ok(T::of_other(number.into()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Option<T>, E> {
        Ok(T::of_other(number.into()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Option<T>, E> {
        Ok(T::of_other(number.into()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Option<T>, E> {
        Ok(T::of_other(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Option<T>, E> {
        Ok(T::of_other(Value::Null))
    }
}

impl Form for RowFields {
    fn of_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<Self>, A::Error> {
        let mut fields = RowFields::default();
        while let Some(name) = map.next_key::<Word>()? {
            match name {
                Word::KeyMetadata => fields.keys = map.next_value::<Lenient<Vec<Option<OrbaxKey>>>>()?.0,
                Word::ValueMetadata => fields.value = map.next_value::<Lenient<ValueFields>>()?.0,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Some(fields))
    }
}

impl Form for Vec<Option<OrbaxKey>> {
    fn of_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Option<Self>, A::Error> {
        let mut keys = Vec::new();
        while let Some(key) = list.next_element::<Lenient<OrbaxKey>>()? {
            keys.push(key.0);
        }
        Ok(Some(keys))
    }
}

impl Form for OrbaxKey {
    fn of_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<Self>, A::Error> {
        let (mut text, mut kind) = (None, None);
        while let Some(name) = map.next_key::<Word>()? {
            match name {
                Word::Key => text = map.next_value::<Lenient<Scalar>>()?.0,
                Word::KeyType => kind = map.next_value::<Lenient<u64>>()?.0,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(match (text, kind) {
            (Some(Scalar(text)), Some(1)) => text.parse().ok().map(OrbaxKey::Index),
            (Some(Scalar(text)), Some(2)) => Some(OrbaxKey::Name(text)),
            _ => None,
        })
    }
}

impl Form for ValueFields {
    fn of_map<'de, A: MapAccess<'de>>(mut map: A) -> Result<Option<Self>, A::Error> {
        let mut fields = ValueFields::default();
        while let Some(name) = map.next_key::<Word>()? {
            match name {
                Word::ValueType => fields.value_type = map.next_value::<Lenient<String>>()?.0,
                Word::WriteShape => fields.write_shape = map.next_value()?,
                _ => _ = map.next_value::<IgnoredAny>()?,
            }
        }
        Ok(Some(fields))
    }
}

/// The text of a key, which may be a number of JSON.
struct Scalar(String);

impl Form for Scalar {
    fn of_text(text: &str) -> Option<Self> {
        Some(Scalar(text.to_owned()))
    }

    fn of_other(value: Value) -> Option<Self> {
        Some(Scalar(value.to_string()))
    }
}

impl Form for String {
    fn of_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl Form for u64 {
    fn of_other(value: Value) -> Option<Self> {
        value.as_u64()
    }
}

/// The names of a row's fields.
enum Word {
    KeyMetadata,
    ValueMetadata,
    Key,
    KeyType,
    ValueType,
    WriteShape,
    Other,
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        struct Name;
        impl Visitor<'_> for Name {
            type Value = Word;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Word, E> {
                Ok(match name {
                    "key_metadata" => Word::KeyMetadata,
                    "value_metadata" => Word::ValueMetadata,
                    "key" => Word::Key,
                    "key_type" => Word::KeyType,
                    "value_type" => Word::ValueType,
                    "write_shape" => Word::WriteShape,
                    _ => Word::Other,
                })
            }
        }
        deserializer.deserialize_str(Name)
    }
}
