//! The identity of a training state, whatever file it lies in.

use blake3::Hasher;
use jarrah_base::Result;
use serde_json::Value;

use crate::layout::orbax::STATE;
use crate::manifest::{Content, ItemRecord, TensorRecord};

/// blake3 over the step, every tensor by name (type, shape and content), the data position, and the items beside `state`.
///
/// `tensor` gives the checksum of a whole tensor by its number, `json` those of the files of an item. Each part is preceded by its length, so no two states feed the same bytes.
///
/// # Errors
/// `tensor` failed.
pub fn content_hash(
    content: &Content,
    tensor: impl Fn(usize) -> Result<String>,
    json: impl Fn(&ItemRecord) -> Vec<String>,
) -> Result<String> {
    let mut hasher = Hasher::new();
    text(&mut hasher, "jarrah training state 1");
    number(&mut hasher, content.step);
    tree(&mut hasher, content, STATE, &tensor)?;
    value(&mut hasher, &content.state.data);
    let mut others: Vec<&ItemRecord> =
        content.items.iter().filter(|item| item.name != STATE || item.is_json).collect();
    others.sort_by(|a, b| a.name.cmp(&b.name));
    for item in others {
        text(&mut hasher, &item.name);
        match item.is_json {
            true => json(item).iter().for_each(|sum| text(&mut hasher, sum)),
            false => tree(&mut hasher, content, &item.name, &tensor)?,
        }
    }
    Ok(hex(&hasher))
}

/// The tensors of an item, by name.
fn tree(
    hasher: &mut Hasher,
    content: &Content,
    item: &str,
    tensor: &impl Fn(usize) -> Result<String>,
) -> Result<()> {
    let mut tensors: Vec<(usize, &TensorRecord)> =
        content.tensors.iter().enumerate().filter(|(_, record)| record.item == item).collect();
    tensors.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name));
    number(hasher, tensors.len() as u64);
    for (at, record) in tensors {
        text(hasher, &record.name);
        text(hasher, &record.dtype);
        number(hasher, record.shape.len() as u64);
        record.shape.iter().for_each(|&n| number(hasher, n as u64));
        text(hasher, &tensor(at)?);
    }
    Ok(())
}

/// The hash as hexadecimal digits.
pub fn hex(hasher: &Hasher) -> String {
    hasher.finalize().to_hex().to_string()
}

fn number(hasher: &mut Hasher, x: u64) {
    hasher.update(&x.to_le_bytes());
}

fn text(hasher: &mut Hasher, s: &str) {
    number(hasher, s.len() as u64);
    hasher.update(s.as_bytes());
}

// Keys are sorted here: whether a map keeps them sorted is a feature some other crate may switch.
fn value(hasher: &mut Hasher, of: &Value) {
    match of {
        Value::Null => text(hasher, "null"),
        Value::Bool(b) => text(hasher, if *b { "true" } else { "false" }),
        Value::Number(n) => {
            text(hasher, "number");
            text(hasher, &n.to_string());
        }
        Value::String(s) => {
            text(hasher, "string");
            text(hasher, s);
        }
        Value::Array(items) => {
            text(hasher, "array");
            number(hasher, items.len() as u64);
            items.iter().for_each(|item| value(hasher, item));
        }
        Value::Object(map) => {
            text(hasher, "object");
            number(hasher, map.len() as u64);
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            for (key, item) in entries {
                text(hasher, key);
                value(hasher, item);
            }
        }
    }
}
