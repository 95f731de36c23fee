//! The state that all requests to a served model share.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::response::Response;
use hyper::StatusCode;
use jarrah_base::Error;
use jarrah_http::traces::Parent;
use jarrah_http::{RequestRecord, TransportState};
use jarrah_serve::Engine;
use jarrah_structured::{ReasoningFormat, ToolFormat};
use jarrah_tokenizer::Tokenizer;
use jarrah_tokenizer::chat::{Chat, ChatValue};
use serde_json::Value;

use crate::aborts::Aborts;
use crate::batch_store::Batches;
use crate::clock::now;
use crate::file_store::Files;
use crate::options::ApiOptions;
use crate::refusal::{Refusal, Result, tell};
use jarrah_tokenizer::chat::fields::{Fields, text};

/// The special tokens that divide the messages of gpt-oss.
const CHANNELS: [&str; 4] = ["<|start|>", "<|channel|>", "<|message|>", "<|end|>"];

/// The roles of messages, by OpenAI's names.
pub const ROLES: &[&str] = &["system", "developer", "user", "assistant", "tool", "function"];

/// The state that all requests share.
pub struct App {
    pub engine: Engine,
    pub options: ApiOptions,
    /// The state of the transport.
    pub shared: Arc<TransportState>,
    /// The requests to the model, by path.
    pub calls: Vec<(&'static str, Begin)>,
    /// When the server began, in seconds since 1970.
    pub created: u64,
    /// The registry through which running requests are aborted.
    pub aborts: Arc<Aborts>,
    pub files: Files,
    pub batches: Batches,
    /// The number of requests that are being answered.
    load: Arc<AtomicUsize>,
    /// Whether the server was put to sleep at level 0, which pauses the engine and frees no memory.
    is_dozing: AtomicBool,
}

/// The future of the answer to a request that was read and accepted.
pub type Begun = Pin<Box<dyn Future<Output = Result<Response>> + Send>>;
/// A function that reads a request and begins its answer; it may block.
pub type Begin = fn(&Caller, &ChatValue) -> Result<Begun>;

/// The context of a request: the served model, the caller's trace and the log record.
pub struct Caller {
    pub app: Arc<App>,
    /// The span of the caller, if the request is part of a trace.
    pub parent: Option<Parent>,
    /// The log record of the request, if requests are logged.
    pub record: Option<Arc<RequestRecord>>,
}

/// A future that gives `value` as its response at once.
pub fn ready(value: Value) -> Begun {
    Box::pin(async move { Ok(tell(&value)) })
}

/// Counts a request as running until it is dropped.
pub struct Running(Arc<AtomicUsize>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether `name` may name a model: it is not blank and has no control characters.
pub fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains(char::is_control)
}

impl App {
    /// # Errors
    /// A tool or reasoning parser reads marks that the model does not write, or a name is not allowed (`Input`).
    pub fn new(
        engine: Engine,
        mut options: ApiOptions,
        shared: Arc<TransportState>,
        calls: Vec<(&'static str, Begin)>,
    ) -> std::result::Result<App, Error> {
        check_marks(&engine, &options)?;
        if let Some(name) = options.names.iter().find(|name| !is_name(name)) {
            let error = format!("{name:?} is no name of a model: requests give it");
            return Err(
                Error::input(error).help("write some letters, or give no name for that of its folder")
            );
        }
        if options.names.is_empty() {
            options.names.push(engine.name().to_owned());
        }
        Ok(App {
            created: now(),
            aborts: Arc::default(),
            files: Files::new(options.most_files),
            batches: Batches::default(),
            load: Arc::default(),
            is_dozing: AtomicBool::new(false),
            shared,
            calls,
            engine,
            options,
        })
    }

    /// The name of the model in answers: the first of [`ApiOptions::names`].
    pub fn name(&self) -> &str {
        self.options.names.first().map_or("", String::as_str)
    }

    /// Counts a request as running until the returned guard is dropped.
    pub fn running(&self) -> Running {
        self.load.fetch_add(1, Ordering::Relaxed);
        Running(self.load.clone())
    }

    pub fn load(&self) -> usize {
        self.load.load(Ordering::Relaxed)
    }

    /// Whether the server was put to sleep and has not been woken up.
    pub fn is_asleep(&self) -> bool {
        self.is_dozing.load(Ordering::Relaxed) || self.engine.asleep().is_some()
    }

    pub fn set_dozing(&self, is_dozing: bool) {
        self.is_dozing.store(is_dozing, Ordering::Relaxed);
    }

    /// A random id that no other request has: 32 hexadecimal digits.
    pub fn id(&self) -> String {
        self.shared.id()
    }

    /// The function that begins the answer to a request to the model.
    pub fn call(&self, path: &str) -> Option<Begin> {
        self.calls.iter().find(|(known, _)| *known == path).map(|(_, begin)| *begin)
    }

    /// The adapter that the field `model` names, if it does not name the model itself.
    pub fn adapter(&self, fields: &Fields<'_>) -> Result<Option<String>> {
        let named = fields.read("model", text)?;
        named.map_or(Ok(None), |name| self.model(name))
    }

    /// The adapter that `name` names, nothing if it names the model itself.
    pub fn model(&self, name: String) -> Result<Option<String>> {
        if self.options.names.contains(&name) {
            return Ok(None);
        }
        let adapters = self.engine.adapters();
        if adapters.contains(&name) {
            return Ok(Some(name));
        }
        let names = [self.options.names.as_slice(), &adapters].concat().join("`, `");
        let message = format!("there is no model `{name}` here, but `{names}`");
        Err(Refusal::new(StatusCode::NOT_FOUND, message).code("model_not_found").at("model"))
    }

    /// Whether a chat template distinguishes messages of developers from system messages.
    pub fn knows_developers(&self) -> bool {
        writes(&self.engine, "developer")
    }

    /// Whether messages may have this role: one of OpenAI's, or one that a chat template mentions.
    pub fn knows_role(&self, role: &str) -> bool {
        let is_name = !role.is_empty() && role.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
        let is_named =
            || ['\'', '"'].iter().any(|quote| writes(&self.engine, &format!("{quote}{role}{quote}")));
        ROLES.contains(&role) || (is_name && is_named())
    }

    pub fn tokenizer(&self) -> Result<&Tokenizer> {
        let none =
            || Refusal::bad("the model was loaded without a tokenizer: give tokens in the place of text");
        self.engine.tokenizer().ok_or_else(none)
    }

    /// The prompt of a chat, as the model's template writes it.
    pub fn render(&self, chat: &Chat) -> Result<String> {
        let wrong = |e| Refusal::from(e).at("messages");
        let none = || {
            Refusal::bad("the model has no chat template: use /v1/completions, or start the server with one")
        };
        self.engine.templates().ok_or_else(none)?.render(chat).map_err(wrong)
    }
}

/// Whether the source of a chat template contains `text`.
fn writes(engine: &Engine, text: &str) -> bool {
    let templates = engine.templates();
    let mut templates = templates.iter().flat_map(|all| all.names().filter_map(|name| all.get(name)));
    templates.any(|template| template.source().contains(text))
}

/// Checks that the model writes the marks that the tool and reasoning parsers read. With the parser of another family, an answer
/// would be taken for reasoning to its end, and constraints would not apply to it. Where a model writes its reasoning marks as
/// plain text, its chat template mentions them.
///
/// # Errors
/// The model does not write the marks (`Input`).
fn check_marks(engine: &Engine, options: &ApiOptions) -> std::result::Result<(), Error> {
    let Some(tokenizer) = engine.tokenizer() else { return Ok(()) };
    let lacks = |mark: &&&str| tokenizer.token_id(mark).is_none();
    let reads_channels =
        options.tools == Some(ToolFormat::OpenAi) || options.reasoning == Some(ReasoningFormat::OpenAiGptOss);
    if let Some(mark) = CHANNELS.iter().find(lacks).filter(|_| reads_channels) {
        return Err(Error::input(format!(
            "the parsers openai and openai_gptoss read what gpt-oss writes, and the model has no token {mark}"
        ))
        .help("name the parsers of the model's own family, or none"));
    }
    let Some(format) = options.reasoning.filter(|format| format.has_tokens()) else { return Ok(()) };
    let mut marks = format.begins().iter().chain(format.ends());
    match marks.find(|mark| lacks(mark) && !writes(engine, mark)) {
        None => Ok(()),
        Some(mark) => Err(Error::input(format!(
            "the reasoning parser {} reads {mark}, which is no token of the model and does not stand in its chat template",
            format.name()
        ))
        .help(
            "name the parser of the model's own family, or none; of a model that writes it as text, --chat-template gives a template that has it",
        )),
    }
}
