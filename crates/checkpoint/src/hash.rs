//! The identity of a training state, whatever file it lies in.

use blake3::Hasher;
use serde_json::Value;

use crate::manifest::{Content, TensorRecord};

/// blake3 over the step, every tensor by name (type, shape and content) and the data position.
///
/// Each part is preceded by its length, so no two states feed the same bytes.
pub fn content_hash(content: &Content) -> String {
    let mut hasher = Hasher::new();
    text(&mut hasher, "jarrah training state 1");
    number(&mut hasher, content.step);
    let mut tensors: Vec<&TensorRecord> = content.tensors.iter().collect();
    tensors.sort_by(|a, b| a.name.cmp(&b.name));
    number(&mut hasher, tensors.len() as u64);
    for tensor in tensors {
        text(&mut hasher, &tensor.name);
        text(&mut hasher, &tensor.dtype);
        number(&mut hasher, tensor.shape.len() as u64);
        tensor.shape.iter().for_each(|&n| number(&mut hasher, n as u64));
        text(&mut hasher, &tensor.blake3);
    }
    json(&mut hasher, &content.state.data);
    hex(&hasher)
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
fn json(hasher: &mut Hasher, value: &Value) {
    match value {
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
            items.iter().for_each(|item| json(hasher, item));
        }
        Value::Object(map) => {
            text(hasher, "object");
            number(hasher, map.len() as u64);
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            for (key, item) in entries {
                text(hasher, key);
                json(hasher, item);
            }
        }
    }
}
