use jarrah_base::{Error, Result};
use minijinja::Value;
use minijinja::value::ValueKind;

use super::value::parse;

/// The names that the reasoning of a message goes by; templates read the first.
const REASONING: [&str; 3] = ["reasoning_content", "thinking", "reasoning"];
/// The mark that stands behind the text to go on with, while a template is rendered.
const GOES_ON: &str = "CONTINUE_FINAL_MESSAGE_TAG ";

/// A conversation, and what a template is told beside it.
#[derive(Clone, Debug, Default)]
pub struct Chat {
    /// The messages: a list of maps with `role`, `content` and what else the template knows.
    pub messages: Value,
    /// The tools that the model may call, as JSON schemas.
    pub tools: Option<Value>,
    /// The documents that the model may cite: a list of maps with `title` and `text`.
    pub documents: Option<Value>,
    /// Whether the prompt ends where the model's answer begins.
    pub add_generation_prompt: bool,
    /// Whether the last message is to go on, so that its end is left out.
    pub continue_final_message: bool,
    /// Other variables of the template, such as `enable_thinking`.
    pub variables: Vec<(String, Value)>,
    /// The time that `strftime_now` tells, in seconds since 1970; the system's, in UTC, if it is not given.
    pub now: Option<i64>,
}

impl Chat {
    /// A conversation of these messages, each a role and a text.
    ///
    /// ```
    /// use jarrah_tokenizer::chat::Chat;
    /// let chat = Chat::new([("system", "Be brief."), ("user", "Why?")]);
    /// assert_eq!(chat.messages.len(), Some(2));
    /// ```
    pub fn new<'a>(messages: impl IntoIterator<Item = (&'a str, &'a str)>) -> Chat {
        let message =
            |(role, text)| Value::from_pairs([("role", Value::from(role)), ("content", Value::from(text))]);
        Chat { messages: messages.into_iter().map(message).collect(), ..Chat::default() }
    }

    /// Reads a conversation as JSON: a list of messages, or an object with `messages` and, if wanted, `tools`, `documents`,
    /// `add_generation_prompt`, `continue_final_message` and other variables. Keys keep their order.
    ///
    /// # Errors
    /// It is not JSON, or has no messages (`Input`).
    pub fn parse(json: &str) -> Result<Chat> {
        let value = parse(json.as_bytes()).map_err(|e| {
            let what = e.message().trim_start_matches("it ").to_owned();
            Error::input(format!("the conversation {what}"))
        })?;
        if value.kind() == ValueKind::Seq {
            return Ok(Chat { messages: value, ..Chat::default() });
        }
        let mut chat = Chat::default();
        let mut found = false;
        let keys = value.try_iter().ok().filter(|_| value.kind() == ValueKind::Map);
        for key in keys.into_iter().flatten() {
            let item = value.get_item(&key).unwrap_or_default();
            match key.as_str().unwrap_or_default() {
                "messages" => (chat.messages, found) = (item, true),
                "tools" => chat.tools = Some(item).filter(|item| !item.is_none()),
                "documents" => chat.documents = Some(item).filter(|item| !item.is_none()),
                "add_generation_prompt" => chat.add_generation_prompt = item.is_true(),
                "continue_final_message" => chat.continue_final_message = item.is_true(),
                name => chat.variables.push((name.to_owned(), item)),
            }
        }
        match found {
            true => Ok(chat),
            false => Err(Error::input("the conversation has no `messages`")
                .help(r#"write {"messages": [{"role": "user", "content": "..."}]}"#)),
        }
    }

    /// The messages as templates see them: null values are left out, and reasoning has all names that templates know.
    pub(super) fn prepared(&self) -> Result<Vec<Value>> {
        let wrong = || Error::input("the messages of a conversation are a list of maps");
        let list = self.messages.try_iter().ok().filter(|_| self.messages.kind() == ValueKind::Seq);
        let mut messages = Vec::new();
        for message in list.ok_or_else(wrong)? {
            if message.kind() != ValueKind::Map {
                return Err(wrong());
            }
            let mut entries = Vec::new();
            for key in message.try_iter().map_err(|_| wrong())? {
                let item = message.get_item(&key).map_err(|_| wrong())?;
                if !item.is_none() {
                    entries.push((key, item));
                }
            }
            let get =
                |name: &str| entries.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, item)| item);
            if let Some(reasoning) = REASONING.iter().find_map(|name| get(name)).cloned() {
                // It comes first, wherever it stood.
                let thinking = get(REASONING[1]).unwrap_or(&reasoning).clone();
                entries.retain(|(key, _)| key.as_str() != Some(REASONING[1]));
                entries.insert(0, (Value::from(REASONING[1]), thinking));
                set(&mut entries, REASONING[0], reasoning);
            }
            messages.push(Value::from_pairs(entries));
        }
        if self.continue_final_message {
            let last =
                messages.last_mut().ok_or_else(|| Error::input("there is no last message to go on"))?;
            *last = going_on(last)?;
        }
        Ok(messages)
    }

    /// Cuts the rendered text at the mark where the last message is to go on.
    pub(super) fn cut(&self, mut rendered: String) -> Result<String> {
        if !self.continue_final_message {
            return Ok(rendered);
        }
        let at = rendered.rfind(GOES_ON.trim_end()).ok_or_else(|| {
            Error::input("the last message is to go on, but the template leaves it out, or a part of it")
        })?;
        let whole = rendered[at..].starts_with(GOES_ON);
        rendered.truncate(at);
        if !whole {
            // The template trims the message, so its own white space at the end is not there either.
            rendered.truncate(rendered.trim_end().len());
        }
        Ok(rendered)
    }
}

fn set(entries: &mut Vec<(Value, Value)>, name: &str, item: Value) {
    match entries.iter_mut().find(|(key, _)| key.as_str() == Some(name)) {
        Some((_, old)) => *old = item,
        None => entries.push((Value::from(name), item)),
    }
}

/// A map's entries, in their order.
fn entries(map: &Value) -> Vec<(Value, Value)> {
    let keys = map.try_iter().into_iter().flatten();
    keys.map(|key| (key.clone(), map.get_item(&key).unwrap_or_default())).collect()
}

/// The message with a mark behind its text, which is the last text of a content in parts.
fn going_on(message: &Value) -> Result<Value> {
    let none = || Error::input("the last message is to go on, but has no text");
    let mut message = entries(message);
    let content = message.iter_mut().find(|(key, _)| key.as_str() == Some("content"));
    let (_, content) = content.ok_or_else(none)?;
    let marked = |text: &str| Value::from(format!("{text}{GOES_ON}"));
    *content = match content.as_str() {
        Some(text) => marked(text),
        None => {
            let mut parts: Vec<Value> = content.try_iter().map_err(|_| none())?.collect();
            let text = |part: &Value| part.get_attr("text").ok().and_then(|text| text.as_str().map(marked));
            let (part, text) =
                parts.iter_mut().rev().find_map(|p| text(p).map(|t| (p, t))).ok_or_else(none)?;
            let mut changed = entries(part);
            set(&mut changed, "text", text);
            *part = Value::from_pairs(changed);
            Value::from_iter(parts)
        }
    };
    Ok(Value::from_pairs(message))
}
