use serde_json::{Map, Value, json};

use super::{Random, damage};

/// The bytes that a value which is repeated may grow to.
const MOST_COPIED: usize = 1 << 18;

/// Does some damage to a value of JSON: numbers at the edges of what types hold, values of another kind, names and entries dropped, doubled,
/// renamed and put into each other's place.
pub fn change(json: &mut Value, random: &mut Random) {
    for _ in 0..=random.below(5) / 3 {
        // Before: a value that is part of what it replaces grows with each round.
        let other = node(json, random).clone();
        let place = node(json, random);
        match random.below(8) {
            0..3 => *place = edge(random),
            3 => *place = other,
            _ => entry(place, random),
        }
    }
}

/// The text of a value that was changed, in one of a few cases with damage to its bytes.
pub fn text_of(json: &Value, random: &mut Random) -> Vec<u8> {
    let mut text = json.to_string().into_bytes();
    if random.below(16) == 0 {
        let other = text.clone();
        damage(&mut text, &other, random);
    }
    text
}

/// Some value within `json`: the children of a value are as likely as each other.
fn node<'a>(json: &'a mut Value, random: &mut Random) -> &'a mut Value {
    let stops = random.below(5) == 0;
    let children = match json {
        Value::Array(items) => items.len(),
        Value::Object(entries) => entries.len(),
        _ => 0,
    };
    if children == 0 || stops {
        return json;
    }
    let at = random.below(children);
    let child = match json {
        Value::Array(items) => items.get_mut(at),
        Value::Object(entries) => entries.values_mut().nth(at),
        _ => None,
    };
    node(child.expect("invariant: there are as many"), random)
}

/// A value that is unlikely where it comes to stand.
fn edge(random: &mut Random) -> Value {
    match random.below(27) {
        24 => json!(10_000),
        26 => json!(1000),
        25 => json!(65_536),
        0 => json!(0),
        1 => json!(-1),
        2 => json!(1),
        3 => json!(3),
        4 => json!(1u64 << 24),
        5 => json!(1u64 << 31),
        6 => json!(u32::MAX),
        7 => json!(1u64 << 63),
        8 => json!(u64::MAX),
        9 => json!(i64::MIN),
        10 => json!(1e308),
        11 => json!(-1e308),
        12 => json!(1e-320),
        13 => json!(0.5),
        14 => json!(""),
        15 => json!("a"),
        16 => json!("\u{fffd}é🦘".repeat(3)),
        17 => json!("a".repeat(1 << 16)),
        18 => json!([]),
        19 => json!({}),
        20 => vec![0; 1 << *random.one_of(&[1, 4, 14])].into(),
        21 => (0..100).fold(json!(1), |inner, _| json!([inner])),
        22 => json!(random.below(2) == 0),
        _ => Value::Null,
    }
}

/// Changes a value as what it is: a number a little, a text, or which entries there are.
fn entry(value: &mut Value, random: &mut Random) {
    match value {
        Value::Null => *value = edge(random),
        Value::Bool(flag) => *flag = !*flag,
        Value::Number(number) => {
            *value = match (number.as_i64(), random.below(4)) {
                (Some(n), 0) => json!(n.wrapping_add(1)),
                (Some(n), 1) => json!(n.wrapping_sub(1)),
                (Some(n), 2) => json!(n.wrapping_mul(2)),
                (Some(n), _) => json!(n as f64 + 0.5),
                (None, 0) => json!(-number.as_f64().unwrap_or(1.0)),
                (None, _) => json!(number.as_f64().unwrap_or(1.0) * 1e9),
            };
        }
        Value::String(text) => {
            let at = text.floor_char_boundary(random.below(text.len() + 1));
            match random.below(5) {
                0 => text.truncate(at),
                1 => drop(text.drain(..at)),
                2 => text
                    .insert(at, *random.one_of(&[' ', 'é', '\0', '#', '(', '\u{2581}', '🦘', '{', '*', '.'])),
                3 => *text = text.repeat(2),
                _ => *text = text.chars().rev().collect(),
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let (at, other) = (random.below(items.len()), random.below(items.len()));
            match random.below(5) {
                0 => drop(items.remove(at)),
                1 => items.insert(other, items[at].clone()),
                2 => items.swap(at, other),
                3 => items.truncate(at),
                _ => {
                    let copy = items[at].clone();
                    let most = MOST_COPIED / copy.to_string().len().max(64);
                    items.splice(at..at, std::iter::repeat_n(copy, most));
                }
            }
        }
        Value::Object(entries) if !entries.is_empty() => {
            let name = |entries: &Map<String, Value>, at| entries.keys().nth(at).cloned().unwrap_or_default();
            let (at, other) = (random.below(entries.len()), random.below(entries.len()));
            let (at, other) = (name(entries, at), name(entries, other));
            match random.below(4) {
                0 | 1 => drop(entries.remove(&at)),
                2 => {
                    let moved = entries.remove(&at).unwrap_or_default();
                    let new = random.one_of(&["", "x", "type", "0", "content"]);
                    entries.insert((*new).to_owned(), moved);
                }
                _ => {
                    let (a, b) = (entries[&at].clone(), entries[&other].clone());
                    entries.insert(at, b);
                    entries.insert(other, a);
                }
            }
        }
        empty => *empty = edge(random),
    }
}
