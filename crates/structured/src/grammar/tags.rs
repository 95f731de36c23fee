use jarrah_base::{Error, Result};
use serde_json::{Value, json};

use super::{Dialect, Lark, is_ebnf, pattern};
use crate::limits;

/// How deep formats of a structural tag nest.
const MOST_DEPTH: usize = 16;

/// The body of a grammar for a structural tag in one of its two forms.
pub(crate) fn tags(lark: &mut Lark, value: &Value) -> Result<String> {
    if value["structures"].is_array() {
        let structures = list(value, "structures", "structural tag")?;
        let tags: Vec<Value> = structures
            .iter()
            .map(|tag| {
                let content = json!({"type": "json_schema", "json_schema": tag["schema"]});
                json!({"type": "tag", "begin": tag["begin"], "content": content, "end": tag["end"]})
            })
            .collect();
        return format(
            lark,
            &json!({"type": "triggered_tags", "triggers": value["triggers"], "tags": tags}),
            0,
        );
    }
    match value.get("format") {
        Some(inner) => format(lark, inner, 0),
        None => Err(Error::input("the structural tag has neither `structures` nor a `format`")
            .help(r#"write {"type": "structural_tag", "format": {"type": "triggered_tags", ..}}"#)),
    }
}

fn list<'v>(value: &'v Value, key: &str, what: &str) -> Result<&'v [Value]> {
    let items = value[key].as_array().filter(|items| !items.is_empty());
    let items = items.ok_or_else(|| Error::input(format!("the {what} has no list of `{key}`")))?;
    match items.len() <= 1000 {
        true => Ok(items),
        false => {
            Err(Error::input(format!("the {what} has {} `{key}`; at most 1000 are allowed", items.len())))
        }
    }
}

fn text<'v>(value: &'v Value, key: &str, what: &str) -> Result<&'v str> {
    value[key].as_str().ok_or_else(|| Error::input(format!("the {what} has no text `{key}`")))
}

/// The body of a rule for a format.
fn format(lark: &mut Lark, value: &Value, depth: usize) -> Result<String> {
    if depth > MOST_DEPTH {
        return Err(Error::input(format!(
            "the structural tag has more than {MOST_DEPTH} formats in each other"
        )));
    }
    let kind = text(value, "type", "format of a structural tag")?;
    let what = &format!("format `{kind}` of the structural tag");
    let flag = |key: &str| value[key].as_bool().unwrap_or(false);
    let schema = |key: &str| value.get(key).filter(|schema| !schema.is_null());
    Ok(match kind {
        "const_string" => literal(lark, text(value, "value", what)?),
        "json_schema" => match schema("json_schema") {
            Some(schema) => lark.json(schema)?,
            None => return Err(Error::input(format!("the {what} has no `json_schema`"))),
        },
        "regex" => {
            let own = text(value, "pattern", what)?;
            let own = pattern(own, Dialect::Python)?;
            lark.terminal(&format!("/{}/", llguidance::regex_to_lark(&own, "")))
        }
        "grammar" => {
            let own = text(value, "grammar", what)?;
            limits::size("the grammar", own.len(), limits::MOST_BYTES)?;
            if !is_ebnf(own) {
                return Err(Error::input(format!("the {what} is not written as EBNF")));
            }
            lark.ebnf(own)?
        }
        "any_text" => "TEXT".to_owned(),
        "sequence" => {
            let parts: Result<Vec<String>> =
                list(value, "elements", what)?.iter().map(|part| grouped(lark, part, depth + 1)).collect();
            parts?.join(" ")
        }
        "or" => {
            let parts: Result<Vec<String>> =
                list(value, "elements", what)?.iter().map(|part| grouped(lark, part, depth + 1)).collect();
            format!("({})", parts?.join(" | "))
        }
        "tag" => {
            let begin = literal(lark, text(value, "begin", what)?);
            format!("{begin} {}", content(lark, value, depth)?)
        }
        "triggered_tags" => {
            let tags = list(value, "tags", what)?;
            let triggers = list(value, "triggers", what)?;
            let mut bodies = vec![Vec::new(); triggers.len()];
            for tag in tags {
                let begin = text(tag, "begin", "tag of the structural tag")?;
                let starts =
                    |trigger: &Value| trigger.as_str().is_some_and(|t| !t.is_empty() && begin.starts_with(t));
                let number = triggers.iter().position(starts).ok_or_else(|| {
                    Error::input(format!("no trigger of the structural tag begins the tag {begin:?}"))
                })?;
                let rest = &begin[triggers[number].as_str().unwrap_or_default().len()..];
                let body = format!("{} {}", literal(lark, rest), content(lark, tag, depth)?);
                bodies[number].push(body);
            }
            let mut rules = Vec::new();
            for (trigger, bodies) in triggers.iter().zip(bodies).filter(|(_, bodies)| !bodies.is_empty()) {
                let before = lark.until(trigger.as_str().unwrap_or_default());
                rules.push(lark.rule(&format!("{before} ({})", bodies.join(" | "))));
            }
            let any = rules.join(" | ");
            // Without triggers in the rest of the text, only the end of the output is left.
            match (flag("at_least_one"), flag("stop_after_first")) {
                (true, true) => format!("({any})"),
                (true, false) => format!("({any})+ TEXT"),
                (false, true) => format!("(({any}) | TEXT)"),
                (false, false) => format!("({any})* TEXT"),
            }
        }
        "tags_with_separator" => {
            let parts: Result<Vec<String>> =
                list(value, "tags", what)?.iter().map(|tag| grouped(lark, tag, depth + 1)).collect();
            let any = lark.rule(&parts?.join(" | "));
            let separator = literal(lark, text(value, "separator", what)?);
            let all = match flag("stop_after_first") {
                true => any,
                false => format!("{any} ({separator} {any})*"),
            };
            if flag("at_least_one") { all } else { format!("({all})?") }
        }
        other => {
            return Err(Error::input(format!("the structural tag has a format of the type {other:?}")).help(
                "known are const_string, json_schema, regex, grammar, any_text, sequence, or, tag, triggered_tags and tags_with_separator",
            ));
        }
    })
}

fn grouped(lark: &mut Lark, value: &Value, depth: usize) -> Result<String> {
    Ok(format!("({})", format(lark, value, depth)?))
}

/// A text that has to come; the empty one is nothing.
fn literal(lark: &Lark, text: &str) -> String {
    lark.text(text)
}

/// The content of a tag and one of its ends.
fn content(lark: &mut Lark, tag: &Value, depth: usize) -> Result<String> {
    let what = "tag of the structural tag";
    let ends: Vec<&str> = match &tag["end"] {
        Value::String(end) => vec![end],
        Value::Array(_) => {
            let ends: Option<Vec<&str>> = list(tag, "end", what)?.iter().map(Value::as_str).collect();
            ends.ok_or_else(|| Error::input(format!("the {what} has an `end` that is no text")))?
        }
        _ => return Err(Error::input(format!("the {what} has no `end`"))),
    };
    if tag["content"]["type"] == "any_text" {
        if let Some(end) = ends.iter().find(|end| end.is_empty()) {
            let error = format!("the {what} has free text and the end {end:?}, which never comes");
            return Err(Error::input(error));
        }
        let all: Vec<String> = ends.iter().map(|end| lark.until(end)).collect();
        return Ok(format!("({})", all.join(" | ")));
    }
    let inner = grouped(lark, &tag["content"], depth + 1)?;
    let all: Vec<String> = ends.iter().map(|end| literal(lark, end)).collect();
    Ok(match all.iter().any(String::is_empty) {
        true if all.len() == 1 => inner,
        true => format!(
            "{inner} ({})?",
            all.into_iter().filter(|end| !end.is_empty()).collect::<Vec<_>>().join(" | ")
        ),
        false => format!("{inner} ({})", all.join(" | ")),
    })
}
