//! Messages as chat templates read them: content in parts becomes one text, arguments of calls become objects. Servers, data sets
//! and evaluation read messages by these readers, so that a model is trained on the prompts that it is served with.

use minijinja::Value;

use super::ValueKind;
use super::fields::{Fault, FieldResult, Fields, list, object, one_of, text, wrong};
use super::value::read;

/// Reads a message: a map with a `role` and, where it has them, `content` and `tool_calls`; its other entries stay.
///
/// ```
/// use jarrah_tokenizer::chat::{message, parse};
/// let given = parse(br#"{"role": "user", "content": [{"type": "text", "text": "Why?"}, "How?"]}"#)?;
/// assert_eq!(message(&given, "messages[0]")?.get_attr("content").unwrap().as_str(), Some("Why?\nHow?"));
/// # Ok::<(), jarrah_base::Error>(())
/// ```
///
/// # Errors
/// It is no map, has no role, or parts that are no texts, or calls whose arguments are no object.
pub fn message(value: &Value, path: &str) -> FieldResult<Value> {
    let fields = Fields::of(value, path.to_owned())?;
    fields.need("role", text)?;
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
    Ok(Value::from_pairs(entries))
}

/// Reads the content of a message: a string, or parts that are texts, joined by line breaks.
///
/// # Errors
/// It is neither, or a part is no text: an image, say.
pub fn content(value: &Value, path: &str) -> FieldResult<String> {
    match value.kind() {
        ValueKind::String => text(value, path),
        ValueKind::Seq => Ok(list(part)(value, path)?.join("\n")),
        _ => Err(wrong(path, "a string or a list of parts", value)),
    }
}

fn part(value: &Value, path: &str) -> FieldResult<String> {
    if let Some(text) = value.as_str() {
        return Ok(text.to_owned());
    }
    object(|part| {
        // Parts have marks for caches, and the citations of an earlier answer.
        part.open();
        let kind = part.read("type", text)?.unwrap_or_else(|| "text".to_owned());
        match kind.as_str() {
            "text" | "input_text" | "output_text" => part.need("text", text),
            "refusal" => part.need("refusal", text),
            kind => {
                let path = part.path("type");
                let message = format!("`{path}` is `{kind}`, but this model reads text alone");
                Err(Fault::new(path, message))
            }
        }
    })(value, path)
}

/// Reads a call that an assistant made, whose arguments are an object as JSON text.
fn call(value: &Value, path: &str) -> FieldResult<Value> {
    let call = Fields::of(value, path.to_owned())?;
    call.read("type", one_of(&["function"]))?;
    let function = call.need("function", |function, path| {
        let fields = Fields::of(function, path.to_owned())?;
        fields.need("name", text)?;
        let arguments = fields.read("arguments", arguments)?;
        Ok::<_, Fault>(with(function, "arguments", arguments.unwrap_or_else(nothing)))
    })?;
    Ok(with(value, "function", function))
}

/// An empty object.
fn nothing() -> Value {
    Value::from_pairs::<[(&str, Value); 0], _, _>([])
}

fn arguments(value: &Value, path: &str) -> FieldResult<Value> {
    let parsed = match value.as_str().map(str::trim) {
        None => value.clone(),
        Some("") => return Ok(nothing()),
        Some(text) => read(text.as_bytes())
            .map_err(|e| Fault::new(path, format!("`{path}` is no object of JSON: {e}")))?,
    };
    match parsed.kind() {
        ValueKind::Map => Ok(parsed),
        // Some clients write `null` for a call without arguments.
        ValueKind::None => Ok(nothing()),
        _ => Err(wrong(path, "the text of an object", &parsed)),
    }
}

/// A copy of `map` with `value` at `name`, at its end.
pub fn with(map: &Value, name: &str, value: Value) -> Value {
    let keys = map.try_iter().into_iter().flatten().filter(|key| key.as_str() != Some(name));
    let entries = keys.map(|key| (key.clone(), map.get_item(&key).unwrap_or_default()));
    Value::from_pairs(entries.chain([(Value::from(name), value)]))
}
