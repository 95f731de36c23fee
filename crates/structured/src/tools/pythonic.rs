use serde_json::Value;

use crate::grammar::{Lark, number_text, quoted};

/// The depth to which schemas are followed; deeper values are unconstrained.
const MOST_DEPTH: usize = 8;

/// The rule of a Python literal for a schema: its types, its choices, and the elements of its lists. Other keywords are not
/// followed.
pub(super) fn value(lark: &mut Lark, schema: &Value) -> String {
    rule(lark, schema, 0)
}

fn rule(lark: &mut Lark, schema: &Value, depth: usize) -> String {
    let choices =
        schema["enum"].as_array().cloned().or_else(|| schema.get("const").map(|one| vec![one.clone()]));
    if let Some(all) = choices.filter(|all| !all.is_empty()) {
        let all: Vec<String> = all.iter().map(|value| quoted(&literal(value))).collect();
        return format!("({})", all.join(" | "));
    }
    let any = schema["anyOf"].as_array().or_else(|| schema["oneOf"].as_array()).filter(|all| !all.is_empty());
    if let Some(all) = any
        && depth < MOST_DEPTH
    {
        let all: Vec<String> = all.iter().map(|schema| rule(lark, schema, depth + 1)).collect();
        return format!("({})", all.join(" | "));
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if kinds.is_empty() || depth >= MOST_DEPTH {
        return lark.python("any");
    }
    let all: Vec<String> = kinds
        .iter()
        .map(|kind| match *kind {
            "array" if schema["items"].is_object() => {
                let item = rule(lark, &schema["items"], depth + 1);
                format!("\"[\" ({item} (\", \" {item})*)? \"]\"")
            }
            kind => lark.python(kind),
        })
        .collect();
    format!("({})", all.join(" | "))
}

/// The rule of arguments in their order, each required or optional, with commas between the arguments that are present.
pub(super) fn list(lark: &mut Lark, written: &[(String, bool)]) -> String {
    // From the last argument to the first: the rule of the rest if no argument stands before it, and the rule if one does.
    let (mut first, mut behind) = (String::new(), String::new());
    for (argument, required) in written.iter().rev() {
        let (next_first, next_behind) = match required {
            true => (format!("{argument} {behind}"), format!("\", \" {argument} {behind}")),
            false => {
                let with = format!("{argument} {behind}");
                let without =
                    if first.is_empty() { format!("({with})?") } else { format!("({with} | {first})") };
                (without, format!("(\", \" {argument})? {behind}"))
            }
        };
        first = lark.optional(&next_first);
        behind = lark.optional(&next_behind);
    }
    first
}

/// A JSON value as Python writes it.
fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(_) => value.to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(literal).collect();
            format!("[{}]", items.join(", "))
        }
        marked if number_text(marked).is_some() => number_text(marked).unwrap_or_default(),
        Value::Object(entries) => {
            let entries: Vec<String> = entries
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), literal(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
