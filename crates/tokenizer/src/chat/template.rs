use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

use jarrah_base::{Error, Result};
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, ErrorKind, State, Value};

use super::Chat;
use super::value::seen;
use super::{filters, json, macros, methods, source, text, time, weight};

/// The work that a template may do: an instruction costs one, and so do 64 bytes of text. A conversation allows for more by its
/// length.
const WORK: u64 = 1_250_000;
/// How many times it may make each byte of the conversation anew.
const PASSES: u64 = 16;
/// How many values the elements of a list may hold, beside those of the conversation, of which each takes a byte at least.
const ELEMENTS: u64 = 4096;
/// The bytes of stack for each unit of work: a list in a list in a list is written, and taken down, by functions that call themselves.
const STACK: u64 = 128;
const NAME: &str = "chat";

/// A template in Jinja that writes a conversation as a prompt.
///
/// It finds what transformers gives it: blocks are trimmed, `tojson` is `json.dumps`, `raise_exception` and `strftime_now`
/// are there, and so are `break`, `continue` and `generation` blocks. Texts, lists and maps have Python's methods. A template
/// that does not end is stopped, and so is one that makes too much or compares too much: what it makes and compares is counted, the
/// elements of elements as often as they are held. `namespace` and `loop` are not held by lists, maps and namespaces.
///
/// Source: `chat_template_utils.py` of transformers.
pub struct Template {
    environment: Environment<'static>,
    source: String,
}

impl Template {
    /// The template with this text.
    ///
    /// # Errors
    /// The text is no template (`Input`, with the line).
    pub fn new(source: &str) -> Result<Template> {
        let mut environment = Environment::new();
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(|e| Error::internal(format!("the syntax of templates: {e}")))?);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        methods::add_to(&mut environment);
        weight::add_to(&mut environment);
        text::add_to(&mut environment);
        filters::add_to(&mut environment);
        macros::add_to(&mut environment);
        environment.add_filter("tojson", json::to_json);
        environment.add_function("raise_exception", |state: &State, message: Value| {
            let message = text::text(state, &message)?.to_string();
            Err::<Value, _>(minijinja::Error::new(ErrorKind::InvalidOperation, message))
        });
        environment.add_function("strftime_now", |state: &State, format: Cow<'_, str>| {
            let now = state.lookup(NOW).and_then(|now| i64::try_from(now).ok()).unwrap_or_default();
            time::strftime(&format, now)
        });
        environment
            .add_template_owned(NAME, source::prepared(source))
            .map_err(|e| failed("the chat template is wrong", &e))?;
        Ok(Template { environment, source: source.to_owned() })
    }

    /// The text of the template.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The prompt of a conversation.
    ///
    /// # Errors
    /// The messages are no list of maps; the template raises an exception, for instance because roles do not take turns;
    /// it asks for what is not there, or does not end (`Input`).
    pub fn render(&self, chat: &Chat) -> Result<String> {
        if chat.continue_final_message && !self.source.contains("content") {
            return Err(Error::input(
                "the last message is to go on, but the chat template does not read its content",
            ));
        }
        let messages = chat.prepared()?;
        let parts = [Some(&chat.messages), chat.tools.as_ref(), chat.documents.as_ref()];
        let bytes: u64 = parts.into_iter().flatten().map(|value| value.to_string().len() as u64).sum();
        let mut environment = self.environment.clone();
        let work = WORK + bytes * PASSES / 64;
        environment.set_fuel(Some(work));
        let template = environment.get_template(NAME);
        let template = template.map_err(|e| Error::internal(format!("the chat template is gone: {e}")))?;
        let now = chat.now.unwrap_or_else(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            since.map_or(0, |since| since.as_secs() as i64)
        });
        let mut variables: Vec<(&str, Value)> = vec![
            (NOW, now.into()),
            (weight::MOST, (ELEMENTS + bytes).into()),
            ("messages", seen(&messages.into())),
            ("tools", chat.tools.as_ref().map_or(Value::from(()), seen)),
            ("documents", chat.documents.as_ref().map_or(Value::from(()), seen)),
            ("add_generation_prompt", chat.add_generation_prompt.into()),
        ];
        variables.extend(chat.variables.iter().map(|(name, value)| (name.as_str(), seen(value))));
        let rendered = std::thread::scope(|scope| {
            let render = move || template.render(Value::from_pairs(variables));
            let thread = std::thread::Builder::new().stack_size((work * STACK) as usize);
            let thread = thread.spawn_scoped(scope, render);
            let thread =
                thread.map_err(|e| Error::environment(format!("no thread for the chat template: {e}")))?;
            thread
                .join()
                .map_err(|_| Error::internal("the engine of the chat template failed"))?
                .map_err(|e| failed("the chat template cannot write the conversation", &e))
        })?;
        chat.cut(rendered)
    }
}

/// The variable that holds the time.
const NOW: &str = " now";

fn failed(what: &str, error: &minijinja::Error) -> Error {
    let line = error.line().map_or(String::new(), |line| format!(", line {line}"));
    let detail = error.detail().unwrap_or_default();
    match error.kind() {
        ErrorKind::OutOfFuel => Error::input(format!("{what}{line}: it does not end"))
            .help("it loops, or the conversation is written many times over"),
        ErrorKind::InvalidOperation if !detail.is_empty() => Error::input(format!("{what}{line}: {detail}")),
        kind if detail.is_empty() => Error::input(format!("{what}{line}: {kind}")),
        kind => Error::input(format!("{what}{line}: {kind}: {detail}")),
    }
}
