//! Types and bounds of a number that stand in several schemas, merged into one schema: a range is written digit by digit in one schema alone.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::numbers::{ABOUT, BOUNDS, has_own_range};
use super::ranges::Number;
use super::ranges::text;

/// How many schemas within each other, or referred to by each other, are looked at.
const MOST_HOPS: usize = 8;
/// The types of values; an integer is a number.
const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

/// Puts bounds of numbers that stand in `allOf`, behind a reference or beside alternatives into one schema each, and makes a `oneOf` of values of
/// different types, of which never two hold at once, an `anyOf`. `root` is what references are within.
pub(super) fn merge(entries: &mut Map<String, Value>, root: &Value) {
    if let Some(one) = entries.get("$ref").map(|target| Value::from_iter([("$ref", target.clone())]))
        && let Some(part) = plain(&one, root)
        && (has_own_range(&part) || has_own_range(entries))
        && entries.keys().any(|key| says(key))
        && fold(entries, &part)
    {
        entries.shift_remove("$ref");
    }
    if let Some(Value::Array(all)) = entries.get("allOf") {
        let parts: Vec<_> = all.iter().map(|one| plain(one, root)).collect();
        if has_own_range(entries) || parts.iter().flatten().any(has_own_range) {
            let (all, mut rest) = (all.clone(), Vec::new());
            for (one, part) in all.into_iter().zip(parts) {
                if !part.is_some_and(|part| fold(entries, &part)) {
                    rest.push(one);
                }
            }
            match rest.is_empty() {
                true => drop(entries.shift_remove("allOf")),
                false => drop(entries.insert("allOf".to_owned(), rest.into())),
            }
        }
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(all)) = entries.get(key) else { continue };
        let shared = said(entries);
        let parts: Option<Vec<_>> = all.iter().map(|one| plain(one, root)).collect();
        let Some(mut parts) = parts.filter(|_| !shared.is_empty()) else { continue };
        let matters = has_own_range(&shared) || parts.iter().any(has_own_range);
        if matters && parts.iter_mut().all(|part| fold(part, &shared)) {
            entries.retain(|key, _| !says(key));
            entries.insert(key.to_owned(), parts.into_iter().map(Value::Object).collect());
        }
    }
    if let Some(Value::Array(all)) = entries.get("oneOf").filter(|_| !entries.contains_key("anyOf")) {
        let (mut taken, mut left) = (0, MOST_HOPS * (MOST_HOPS + all.len()));
        let are_apart = all.iter().all(|one| {
            let types = types(one, root, MOST_HOPS, &mut left);
            let is_apart = taken & types == 0;
            taken |= types;
            is_apart
        });
        if let Some(all) = are_apart.then(|| entries.shift_remove("oneOf")).flatten() {
            entries.insert("anyOf".to_owned(), all);
        }
    }
}

/// Whether a keyword says something of a number, or of the types of values.
fn says(key: &str) -> bool {
    matches!(key, "type" | "multipleOf") || BOUNDS.contains(&key)
}

/// The entries of a schema that bound a number or give its type.
fn said(entries: &Map<String, Value>) -> Map<String, Value> {
    entries.iter().filter(|(key, _)| says(key)).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The bounds and type of a number in a schema, or in the schema that it refers to, if it has no other entries.
fn plain(schema: &Value, root: &Value) -> Option<Map<String, Value>> {
    let mut entries = schema.as_object()?;
    for _ in 0..MOST_HOPS {
        let others = |key: &String| ABOUT.contains(&key.as_str());
        let Some(target) = entries.get("$ref") else {
            return entries.keys().all(|key| says(key) || others(key)).then(|| said(entries));
        };
        if !entries.keys().all(|key| key == "$ref" || others(key)) {
            return None;
        }
        entries = root.pointer(target.as_str()?.strip_prefix('#')?)?.as_object()?;
    }
    None
}

/// Merges the constraints of another schema on the number, if one schema can express both.
fn fold(entries: &mut Map<String, Value>, more: &Map<String, Value>) -> bool {
    let mut folded = entries.clone();
    for (key, value) in more {
        let Some(own) = entries.get(key).filter(|own| *own != value) else {
            folded.insert(key.clone(), value.clone());
            continue;
        };
        let both = match key.as_str() {
            "type" => common_types(own, value),
            "multipleOf" => None,
            key => tighter(key, own, value),
        };
        let Some(both) = both else { return false };
        folded.insert(key.clone(), both);
    }
    // Draft 4 says with a truth value what the bound of this schema is.
    let is_of_draft_4 = |key: &str| folded.get(key).is_some_and(Value::is_boolean);
    if is_of_draft_4("exclusiveMinimum") || is_of_draft_4("exclusiveMaximum") {
        return false;
    }
    *entries = folded;
    true
}

/// The types that both schemas allow; `None` if there are none.
fn common_types(a: &Value, b: &Value) -> Option<Value> {
    let list = |types: &Value| match types {
        Value::Array(all) => all.clone(),
        one => vec![one.clone()],
    };
    let (a, b) = (list(a), list(b));
    let has = |types: &[Value], kind: &str| types.iter().any(|own| own == kind);
    let mut both: Vec<Value> = a.iter().filter(|kind| b.contains(kind)).cloned().collect();
    let integers = |a: &[Value], b: &[Value]| has(a, "integer") && has(b, "number");
    if !has(&both, "number") && !has(&both, "integer") && (integers(&a, &b) || integers(&b, &a)) {
        both.push("integer".into());
    }
    match both.len() {
        0 => None,
        1 => both.pop(),
        _ => Some(both.into()),
    }
}

/// The bound of two that fewer numbers are within.
fn tighter(key: &str, a: &Value, b: &Value) -> Option<Value> {
    let (first, second) = (Number::of(&text(a)?).ok()?, Number::of(&text(b)?).ok()?);
    let wanted = if BOUNDS[..2].contains(&key) { Ordering::Less } else { Ordering::Greater };
    Some(if first.order(&second) == wanted { b.clone() } else { a.clone() })
}

/// The types of the values of a schema, and maybe others: a bit for each of [`TYPES`]. At most `left` schemas are looked at.
fn types(schema: &Value, root: &Value, hops: usize, left: &mut usize) -> u8 {
    let all = (1 << TYPES.len()) - 1;
    let entries = match schema {
        Value::Object(entries) if hops > 0 && *left > 0 => entries,
        Value::Bool(false) => return 0,
        _ => return all,
    };
    *left -= 1;
    let named = |kind: &Value| {
        let kind = kind.as_str().map(|kind| if kind == "integer" { "number" } else { kind });
        TYPES.iter().position(|own| Some(*own) == kind).map_or(all, |at| 1 << at)
    };
    let of_value = |value: &Value| match value {
        Value::Null => 1,
        Value::Bool(_) => 2,
        value if text(value).is_some() => 4,
        Value::String(_) => 8,
        Value::Array(_) => 16,
        _ => 32,
    };
    let mut found = all;
    for (key, value) in entries {
        found &= match (key.as_str(), value) {
            ("type", Value::Array(kinds)) => kinds.iter().fold(0, |found, kind| found | named(kind)),
            ("type", kind) => named(kind),
            ("const", value) => of_value(value),
            ("enum", Value::Array(values)) => values.iter().fold(0, |found, value| found | of_value(value)),
            ("anyOf" | "oneOf", Value::Array(some)) => {
                some.iter().fold(0, |found, one| found | types(one, root, hops - 1, left))
            }
            ("$ref", Value::String(target)) => {
                let target = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
                target.map_or(all, |target| types(target, root, hops - 1, left))
            }
            _ => all,
        };
    }
    found
}
