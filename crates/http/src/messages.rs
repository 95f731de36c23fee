//! Converts messages to the shape that chat templates read: content in parts becomes one text, arguments of calls become objects.

use jarrah_tokenizer::chat::{Value, ValueKind, read};

use crate::app::{App, ROLES};
use crate::fields::{Fields, either, list, object, one_of, text, wrong};
use crate::refusal::{Refusal, Result};

/// Reads the messages of a chat.
pub fn messages(app: &App, value: &Value, path: &str) -> Result<Value> {
    let messages = list(|value, path| message(app, value, path))(value, path)?;
    match messages.is_empty() {
        true => Err(Refusal::field(path, format!("`{path}` is an empty list: give at least one message"))),
        false => Ok(Value::from(messages)),
    }
}

/// Turns messages of the role `developer` into the role `system`, OpenAI's earlier name for it: a chat template that does not
/// know developers leaves their messages out, or fails.
pub fn from_system(messages: Value) -> Value {
    let is_developer =
        |message: &Value| message.get_attr("role").is_ok_and(|role| role.as_str() == Some("developer"));
    let mut all = messages.try_iter().into_iter().flatten();
    if !all.any(|message| is_developer(&message)) {
        return messages;
    }
    let rename = |message: Value| match is_developer(&message) {
        true => with(&message, "role", "system".into()),
        false => message,
    };
    messages.try_iter().into_iter().flatten().map(rename).collect()
}

/// Reads the role of a message. A misspelt role is refused: a template would take it for another role, or drop the message.
pub fn role(app: &App, value: &Value, path: &str) -> Result<String> {
    let role = text(value, path)?;
    match app.knows_role(&role) {
        true => Ok(role),
        false => {
            let known = either(ROLES);
            let message =
                format!("`{path}` is `{role}`, but must be {known}, or what the chat template names");
            Err(Refusal::field(path, message))
        }
    }
}

fn message(app: &App, value: &Value, path: &str) -> Result<Value> {
    let fields = Fields::of(value, path.to_owned())?;
    fields.need("role", |value, path| role(app, value, path))?;
    fields.read("name", text)?;
    let content = fields.read("content", content)?;
    let calls = fields.read("tool_calls", list(call))?;
    let mut entries = Vec::new();
    for key in value.try_iter().into_iter().flatten() {
        let item = match key.as_str() {
            Some("content") => content.clone().map(Value::from),
            Some("tool_calls") => calls.clone().map(Value::from),
            _ => value.get_item(&key).ok(),
        };
        entries.extend(item.map(|item| (key, item)));
    }
    if content.is_none() && calls.is_none() && fields.get("reasoning").is_none() {
        let path = fields.path("content");
        return Err(Refusal::field(path.clone(), format!("`{path}` is missing")));
    }
    Ok(Value::from_pairs(entries))
}

/// Reads the content of a message: a string, or parts that are texts, joined by line breaks.
pub fn content(value: &Value, path: &str) -> Result<String> {
    match value.kind() {
        ValueKind::String => text(value, path),
        ValueKind::Seq => Ok(list(part)(value, path)?.join("\n")),
        _ => Err(wrong(path, "a string or a list of parts", value)),
    }
}

fn part(value: &Value, path: &str) -> Result<String> {
    if let Some(text) = value.as_str() {
        return Ok(text.to_owned());
    }
    object(|part| {
        let kind = part.read("type", text)?.unwrap_or_else(|| "text".to_owned());
        match kind.as_str() {
            "text" | "input_text" | "output_text" => part.need("text", text),
            "refusal" => part.need("refusal", text),
            kind => {
                let path = part.path("type");
                Err(Refusal::field(
                    path.clone(),
                    format!("`{path}` is `{kind}`, but this model reads text alone"),
                ))
            }
        }
    })(value, path)
}

/// Reads a call that an assistant made, whose arguments are an object as JSON text.
fn call(value: &Value, path: &str) -> Result<Value> {
    let call = Fields::of(value, path.to_owned())?;
    call.read("type", one_of(&["function"]))?;
    let function = call.need("function", |function, path| {
        let fields = Fields::of(function, path.to_owned())?;
        fields.need("name", text)?;
        let arguments = fields.read("arguments", arguments)?;
        Ok(with(
            function,
            "arguments",
            arguments.unwrap_or_else(|| Value::from_pairs::<[(&str, Value); 0], _, _>([])),
        ))
    })?;
    Ok(with(value, "function", function))
}

fn arguments(value: &Value, path: &str) -> Result<Value> {
    let parsed = match value.as_str().map(str::trim) {
        None => value.clone(),
        Some("") => return Ok(Value::from_pairs::<[(&str, Value); 0], _, _>([])),
        Some(text) => read(text.as_bytes())
            .map_err(|e| Refusal::field(path, format!("`{path}` is no object of JSON: {e}")))?,
    };
    match parsed.kind() {
        ValueKind::Map => Ok(parsed),
        // Some clients write `null` for a call without arguments.
        ValueKind::None => Ok(Value::from_pairs::<[(&str, Value); 0], _, _>([])),
        _ => Err(wrong(path, "the text of an object", &parsed)),
    }
}

/// A copy of `map` with `value` at `name`.
fn with(map: &Value, name: &str, value: Value) -> Value {
    let keys = map.try_iter().into_iter().flatten().filter(|key| key.as_str() != Some(name));
    let entries = keys.map(|key| (key.clone(), map.get_item(&key).unwrap_or_default()));
    Value::from_pairs(entries.chain([(Value::from(name), value)]))
}
