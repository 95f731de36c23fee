//! Messages of requests, whose roles must be ones that the chat template can write.

use jarrah_tokenizer::chat::fields::{Fault, Fields, either, list, text};
use jarrah_tokenizer::chat::{ChatValue, message, with};

use crate::app::{App, ROLES};
use crate::refusal::{Refusal, Result};

/// Reads the messages of a chat.
pub fn messages(app: &App, value: &ChatValue, path: &str) -> Result<ChatValue> {
    let messages = list(|value, path| of_role(app, value, path))(value, path)?;
    match messages.is_empty() {
        true => Err(Refusal::field(path, format!("`{path}` is an empty list: give at least one message"))),
        false => Ok(ChatValue::from(messages)),
    }
}

/// Turns messages of the role `developer` into the role `system`, OpenAI's earlier name for it: a chat template that does not
/// know developers leaves their messages out, or fails.
pub fn from_system(messages: ChatValue) -> ChatValue {
    let is_developer =
        |message: &ChatValue| message.get_attr("role").is_ok_and(|role| role.as_str() == Some("developer"));
    let mut all = messages.try_iter().into_iter().flatten();
    if !all.any(|message| is_developer(&message)) {
        return messages;
    }
    let rename = |message: ChatValue| match is_developer(&message) {
        true => with(&message, "role", "system".into()),
        false => message,
    };
    messages.try_iter().into_iter().flatten().map(rename).collect()
}

/// Reads the role of a message. A misspelt role is refused: a template would take it for another role, or drop the message.
pub fn role(app: &App, value: &ChatValue, path: &str) -> Result<String, Fault> {
    let role = text(value, path)?;
    match app.knows_role(&role) {
        true => Ok(role),
        false => {
            let known = either(ROLES);
            let message =
                format!("`{path}` is `{role}`, but must be {known}, or what the chat template names");
            Err(Fault::new(path, message))
        }
    }
}

fn of_role(app: &App, value: &ChatValue, path: &str) -> Result<ChatValue, Fault> {
    let fields = Fields::of(value, path.to_owned())?;
    fields.need("role", |value, path| role(app, value, path))?;
    let says = |name: &str| fields.get(name).is_some();
    match says("content") || says("tool_calls") || says("reasoning") {
        true => message(value, path),
        false => {
            let path = fields.path("content");
            Err(Fault::new(path.clone(), format!("`{path}` is missing")))
        }
    }
}
