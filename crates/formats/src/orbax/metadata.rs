//! Orbax's descriptions beside the arrays: `_METADATA`, `_sharding`, `_strings.json` and `array_metadatas`.

use std::fmt;

use jarrah_base::Result;
use rustc_hash::FxHashMap;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::files::{Files, bytes};
use super::key::OrbaxKey;
use super::packed::Packed;
use super::rows::{Row, Rows};
use super::wrong;
use crate::json;

/// The description of a tree.
pub(super) const TREE: &str = "_METADATA";

/// The largest description that is read: one of a million leaves has a quarter of it.
const LARGEST: u64 = 1 << 30;

/// The content of `_METADATA`.
pub(super) struct Description {
    pub rows: Vec<Row>,
    pub use_ocdbt: Option<bool>,
    pub use_zarr3: bool,
    /// Whether chunks that have the fill value alone were stored too, so that a missing chunk is a loss.
    pub all_stored: bool,
    /// The types of nodes, where they were saved: tuples and named tuples are told from lists and dictionaries.
    pub nodes: Option<Value>,
    pub custom: Value,
}

/// The JSON in a file of a folder; none where there is no such file.
pub(super) fn json_file<T: DeserializeOwned>(folder: &Files, name: &str) -> Result<Option<T>> {
    let Some(object) = folder.open(name)? else { return Ok(None) };
    let path = folder.path().join(name);
    if object.len() > LARGEST {
        return Err(wrong(format!("{} is no description: it has {} bytes", path.display(), object.len())));
    }
    let text = bytes(&*object, 0, object.len())?;
    let value = json::value(&text).map_err(|e| wrong(format!("{} is not JSON: {e}", path.display())))?;
    Ok(Some(value))
}

/// The fields of `_METADATA`. Its rows are made one by one, so that no more than one is held as JSON.
pub(super) struct Fields {
    /// The rows, or the error of the first that is wrong; none where there is no object of rows.
    rows: Option<Result<Vec<Row>>>,
    others: Map<String, Value>,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Fields, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Fields { rows: None, others: Map::new() };
                while let Some(name) = map.next_key::<String>()? {
                    match name.as_str() {
                        "tree_metadata" => fields.rows = Some(map.next_value::<Rows>()?.0),
                        _ => _ = fields.others.insert(name, map.next_value()?),
                    }
                }
                Ok(fields)
            }
        }
        deserializer.deserialize_map(Each)
    }
}

impl Description {
    pub fn read(fields: Fields) -> Result<Description> {
        let Fields { rows, others: value } = fields;
        let rows = rows.ok_or_else(|| wrong("it has no object `tree_metadata`"))??;
        let flag = |name: &str| value.get(name).and_then(Value::as_bool);
        let nodes = match value.get("value_metadata_tree") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => Some(
                json::value(text.as_bytes())
                    .map_err(|e| wrong(format!("its `value_metadata_tree` is not JSON: {e}")))?,
            ),
            Some(_) => return Err(wrong("its `value_metadata_tree` is no text")),
        };
        Ok(Description {
            rows,
            use_ocdbt: flag("use_ocdbt"),
            use_zarr3: flag("use_zarr3").unwrap_or(false),
            all_stored: flag("store_array_data_equal_to_fill_value").unwrap_or(false),
            nodes,
            custom: value.get("custom_metadata").cloned().unwrap_or(Value::Null),
        })
    }

    /// The description of a tree that has none but the file `checkpoint`: its arrays are of zarr 2.
    pub fn of_packed(leaves: Vec<(Vec<OrbaxKey>, Packed)>) -> Description {
        let row = |(keys, packed)| Row {
            keys,
            value_type: "jax.Array".to_owned(),
            write_shape: None,
            packed: Some(packed),
        };
        Description {
            rows: leaves.into_iter().map(row).collect(),
            use_ocdbt: None,
            use_zarr3: false,
            all_stored: false,
            nodes: None,
            custom: Value::Null,
        }
    }
}

/// The shardings of arrays, by name.
pub(super) struct Shardings(Value);

impl Shardings {
    pub fn read(folder: &Files) -> Result<Shardings> {
        Ok(Shardings(json_file(folder, "_sharding")?.unwrap_or(Value::Null)))
    }

    /// The sharding of an array in words, such as `NamedSharding(x=4, y=2; ["x","y"])`.
    pub fn of(&self, name: &str) -> Result<Option<String>> {
        let Value::Object(rows) = &self.0 else { return Ok(None) };
        let Some(text) = rows.get(&base64(name.as_bytes())).and_then(Value::as_str) else { return Ok(None) };
        let odd = |e: &dyn std::fmt::Display| wrong(format!("the sharding of {name} is not Orbax's: {e}"));
        let value: Value = serde_json::from_str(text).map_err(|e| odd(&e))?;
        let kind = value.get("sharding_type").and_then(Value::as_str).ok_or_else(|| odd(&"no type"))?;
        let list = |field: &str| value.get(field).and_then(Value::as_array);
        Ok(Some(match (list("axis_names"), list("shape"), value.get("partition_spec")) {
            (Some(names), Some(shape), Some(spec)) => {
                let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let axes = names.iter().zip(shape).map(|(name, n)| format!("{}={n}", word(name)));
                format!("{kind}({}; {spec})", axes.collect::<Vec<_>>().join(", "))
            }
            _ => match value.get("device_str").and_then(Value::as_str) {
                Some(device) => format!("{kind}({device})"),
                None => kind.to_owned(),
            },
        }))
    }
}

/// Base 64 with the letters of URLs, by which `_sharding` names arrays.
pub(super) fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i) & 63) as usize] as char;
            out.push(if i <= group.len() { letter } else { '=' });
        }
    }
    out
}

/// The generators of random keys, by the names of the arrays that have the keys' words.
pub(super) fn key_generators(folder: &Files) -> Result<FxHashMap<String, String>> {
    let mut generators = FxHashMap::default();
    let folder = folder.below("array_metadatas")?;
    // A store that lists nothing may have those of the first process, which Orbax always writes.
    let files = if folder.are_listed() { folder.files()? } else { vec!["process_0".to_owned()] };
    for file in files {
        let Some(value) = json_file::<Value>(&folder, &file)? else { continue };
        let rows = value.get("array_metadatas").and_then(Value::as_array);
        let rows = rows
            .ok_or_else(|| wrong(format!("{} has no list of arrays", folder.path().join(&file).display())))?;
        for row in rows.iter().filter_map(|row| row.get("array_metadata")) {
            let name = row.get("param_name").and_then(Value::as_str);
            let generator = row.pointer("/ext_metadata/random_key_impl").and_then(Value::as_str);
            generators.extend(name.zip(generator).map(|(name, of)| (name.to_owned(), of.to_owned())));
        }
    }
    Ok(generators)
}
