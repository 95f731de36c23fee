//! `POST /v1/responses`. The server keeps no responses: a request that continues an earlier one carries the whole conversation in
//! `input`.

use std::sync::Arc;

use axum::response::Response;
use hyper::StatusCode;
use jarrah_serve::{AnswerDelta, EngineRequest, TokenLogprobs};
use jarrah_structured::{Delta as Part, Tool};
use jarrah_tokenizer::chat::{Chat, ChatValue, ValueKind, content, of_json, to_json};
use serde_json::{Value, json};

use crate::answers::{Answers, End, Tell, events};
use crate::app::{App, Begun, Caller};
use crate::chat::{EFFORTS, variables};
use crate::clock::now;
use crate::constraint::Wanted;
use crate::logprobs::Names;
use crate::messages::{messages, role};
use crate::parts::{Division, Parts};
use crate::prompt::{Prompt, Room, most_tokens};
use crate::refusal::{Refusal, Result, json_response};
use crate::sampling::{Asked, VERBOSITIES, logprobs};
use jarrah_tokenizer::chat::fields::{Fields, items, list, object, one_of, text, wrong};

/// The values of `include`, by OpenAI's words; values about features that this server lacks have no effect.
const INCLUDED: &[&str] = &[
    "code_interpreter_call.outputs",
    "computer_call_output.output.image_url",
    "file_search_call.results",
    "message.input_image.image_url",
    "message.output_text.logprobs",
    "reasoning.encrypted_content",
    "web_search_call.action.sources",
    "web_search_call.results",
];

/// The settings by which the response is written.
struct Form {
    app: Arc<App>,
    /// The name of the model in the response.
    model: String,
    id: String,
    created: u64,
    prompt: usize,
    stream: bool,
    logprobs: bool,
    /// The parser that divides the text into reasoning, content and calls.
    parts: Parts,
    /// The fields of the request that the response repeats.
    repeated: Value,
}

/// Reads a request and begins its answer.
pub fn begin(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let adapter = app.adapter(&fields)?;
    let stateless = "this server keeps no responses: give what was said before in `input`";
    fields.without("background", stateless)?;
    fields.without("previous_response_id", stateless)?;
    fields.without("conversation", stateless)?;
    fields.without("prompt", "there are no stored prompts: give `input`")?;
    for name in ["max_tokens", "max_completion_tokens"] {
        fields.without(name, "give `max_output_tokens`")?;
    }
    let mut asked = Asked::read(app, &fields, 1)?;
    asked.params.n = 1;
    let wanted = Wanted::of_response(&fields)?;
    let constraint = wanted.constraint(app)?;
    let stream = fields.flag("stream")?;
    let most = most_tokens(&fields, "max_output_tokens", 1)?;
    let include = fields.read("include", list(one_of(INCLUDED)))?.unwrap_or_default();
    let wants_logprobs = include.iter().any(|name| name == "message.output_text.logprobs");
    let top = fields.read("top_logprobs", logprobs(app))?.unwrap_or(0);
    asked.params.logprobs = wants_logprobs.then_some(top);
    let instructions = fields.read("instructions", text)?;
    let mut said = Vec::new();
    if let Some(instructions) = &instructions {
        said.push(message("system", instructions));
    }
    fields.need("input", |value, path| input(app, value, path, &mut said))?;
    let messages = messages(app, &ChatValue::from(said), "input")?;
    let reasoning = |reasoning: &Fields<'_>| {
        for name in ["summary", "generate_summary"] {
            reasoning.read(name, one_of(&["auto", "concise", "detailed"]))?;
        }
        reasoning.read("effort", one_of(EFFORTS))
    };
    let effort = fields.read("reasoning", object(reasoning))?.flatten();
    let variables = variables(app, &fields, effort.clone())?;
    let tools = Tool::for_template(&wanted.tools);
    let tools = of_json(&tools).map_err(|e| Refusal::field("tools", e.message()))?;
    let tools = Some(tools).filter(|_| !wanted.tools.is_empty());
    let chat = Chat { messages, tools, variables, add_generation_prompt: true, ..Chat::default() };
    let truncation = fields.read("truncation", one_of(&["auto", "disabled"]))?;
    let truncation = truncation.unwrap_or_else(|| "disabled".to_owned());
    let room = Room::read(&fields)?;
    let metadata = fields.read("metadata", object(|fields| fields.json()))?;
    let format = |text: &Fields<'_>| {
        text.read("verbosity", one_of(VERBOSITIES))?;
        text.json()
    };
    let format = fields.read("text", object(format))?;
    let user = fields.read("user", text)?;
    // No call is made here, so there is none to count, and a stream has its usage at its end.
    fields.known(&["max_tool_calls", "stream_options"]);
    fields.all_known()?;
    let rendered = app.render(&chat).map_err(|e| e.at("input"))?;
    let division = Division::of(app, &wanted, &rendered);
    if division.has_marks() {
        asked.params.skip_special_tokens = false;
    }
    let room = if truncation == "auto" { room.or_last() } else { room };
    let prompt = room.tokens(Prompt::Text(rendered), app, false, "input")?;
    let (prompt, max_tokens) = room.fit(prompt, most, app, "input")?;
    let again = |name: &str, usual: Value| match fields.get(name) {
        None => Ok(usual),
        Some(value) => {
            to_json(&value).map_err(|e| Refusal::field(name, format!("`{name}`: {}", e.message())))
        }
    };
    let form = Form {
        app: app.clone(),
        model: adapter.clone().unwrap_or_else(|| app.name().to_owned()),
        id: format!("resp_{}", app.id()),
        created: now(),
        prompt: prompt.len(),
        stream,
        logprobs: wants_logprobs,
        parts: division.parts(app, &wanted),
        repeated: json!({
            "background": false, "instructions": instructions, "max_output_tokens": most,
            "metadata": metadata.unwrap_or_else(|| json!({})), "parallel_tool_calls": wanted.parallel,
            "previous_response_id": null, "reasoning": effort.map(|effort| json!({"effort": effort})),
            "service_tier": "default", "store": false, "temperature": asked.params.temperature,
            "text": format.unwrap_or_else(|| json!({"format": {"type": "text"}})),
            "tool_choice": again("tool_choice", "auto".into())?, "tools": again("tools", json!([]))?,
            "top_logprobs": top, "top_p": asked.params.top_p, "truncation": truncation,
            "user": user,
        }),
    };
    let reasoning = division.reasoning(constraint.as_ref(), None);
    let request = asked.request(prompt, max_tokens, adapter);
    let request = EngineRequest { constraint, reasoning, ..request };
    let answers = Answers::begin(caller, &form.id, vec![request], asked.length_penalty, wanted.path())?;
    Ok(Box::pin(respond(answers, form)))
}

async fn respond(answers: Answers, form: Form) -> Result<Response> {
    let app = form.app.clone();
    let mut written = Written::new(form);
    if written.form.stream {
        return Ok(events(app, answers, written));
    }
    let answers = answers.gather(1).await?;
    let found = answers
        .into_iter()
        .next()
        .and_then(|answer| Some((answer.choices.into_iter().next()?, answer.cached)));
    let (choice, cached) = found.ok_or_else(|| Refusal::internal("the engine gave no answer"))?;
    let mut nothing = String::new();
    written.cached = cached;
    written.take(&choice.text, choice.logprobs, choice.tokens.len(), choice.finish, &mut nothing);
    Ok(json_response(StatusCode::OK, &written.close(&mut nothing)))
}

fn message(role: &str, content: &str) -> ChatValue {
    ChatValue::from_pairs([("role", role), ("content", content)])
}

/// Reads `input`: a text, or the conversation so far as messages, function calls and their outputs.
fn input(app: &App, value: &ChatValue, path: &str, said: &mut Vec<ChatValue>) -> Result<()> {
    if let Some(text) = value.as_str() {
        said.push(message("user", text));
        return Ok(());
    }
    let items = items(value).ok_or_else(|| wrong(path, "a string or a list of items", value))?;
    for (i, item) in items.enumerate() {
        let fields = Fields::of(&item, format!("{path}[{i}]"))?;
        match fields.read("type", text)?.as_deref() {
            None | Some("message") => {
                let role = fields.need("role", |value, path| role(app, value, path))?;
                let role = if role == "developer" { "system" } else { &role };
                said.push(message(role, &fields.need("content", content)?));
            }
            Some("function_call") => {
                let pair =
                    |name: &'static str| Ok::<_, Refusal>((name, ChatValue::from(fields.need(name, text)?)));
                let function = ChatValue::from_pairs([pair("name")?, pair("arguments")?]);
                let id = ChatValue::from(fields.need("call_id", text)?);
                let call = [("id", id), ("type", "function".into()), ("function", function)];
                let calls = ChatValue::from(vec![ChatValue::from_pairs(call)]);
                said.push(ChatValue::from_pairs([
                    ("role", ChatValue::from("assistant")),
                    ("tool_calls", calls),
                ]));
            }
            Some("function_call_output") => {
                let output = fields.need("output", content)?;
                let id = fields.need("call_id", text)?;
                let entries = [("role", "tool".into()), ("tool_call_id", id), ("content", output)];
                said.push(ChatValue::from_pairs(entries));
            }
            // Reasoning of earlier turns is not part of the prompt.
            Some("reasoning") => {}
            Some(kind) => {
                let path = fields.path("type");
                let message = format!(
                    "`{path}` is `{kind}`, but must be `message`, `function_call`, `function_call_output` or `reasoning`"
                );
                return Err(Refusal::field(path, message));
            }
        }
    }
    match value.kind() {
        ValueKind::Seq if said.is_empty() => Err(Refusal::field(path, format!("`{path}` is an empty list"))),
        _ => Ok(()),
    }
}

/// The type of a response's item.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Reasoning,
    Message,
    Call { call_id: String, name: String },
}

/// An item of a response: the text of a message or of reasoning, or the arguments of a call.
#[derive(Debug)]
struct Item {
    id: String,
    kind: Kind,
    text: String,
    logprobs: Vec<TokenLogprobs>,
}

/// The state of a response that is being written.
struct Written {
    form: Form,
    /// The number of the next event.
    sequence: usize,
    /// The items so far; the last one is still being written if `is_open`.
    items: Vec<Item>,
    is_open: bool,
    /// Text that is blank so far: it becomes an item only if more text of its kind follows.
    held: Option<(Kind, String, Vec<TokenLogprobs>)>,
    tokens: usize,
    /// The number of prompt tokens that were found in the prefix cache.
    cached: usize,
    finish: Option<End>,
}

impl Written {
    fn new(form: Form) -> Written {
        Written {
            form,
            sequence: 0,
            items: Vec::new(),
            is_open: false,
            held: None,
            tokens: 0,
            cached: 0,
            finish: None,
        }
    }

    fn event(&mut self, out: &mut String, kind: &str, mut value: Value) {
        if !self.form.stream {
            return;
        }
        value["type"] = kind.into();
        value["sequence_number"] = self.sequence.into();
        self.sequence += 1;
        *out += &format!("event: {kind}\n");
        crate::answers::event(out, &value);
    }

    /// Writes an event about the last item.
    fn item_event(&mut self, out: &mut String, kind: &str, mut value: Value) {
        let Some(item) = self.items.last() else { return };
        value["item_id"] = item.id.as_str().into();
        value["output_index"] = (self.items.len() - 1).into();
        if !matches!(item.kind, Kind::Call { .. }) {
            value["content_index"] = 0.into();
        }
        self.event(out, kind, value);
    }

    /// Takes the next piece of the answer.
    fn take(
        &mut self,
        text: &str,
        logprobs: Vec<TokenLogprobs>,
        tokens: usize,
        end: Option<End>,
        out: &mut String,
    ) {
        self.tokens += tokens;
        let mut logprobs = Some(logprobs);
        for part in self.form.parts.divide(text, end.is_some()) {
            match part {
                Part::Reasoning(text) => self.say(Kind::Reasoning, &text, Vec::new(), out),
                Part::Content(text) => {
                    self.say(Kind::Message, &text, logprobs.take().unwrap_or_default(), out);
                }
                Part::Call { id, name, .. } => {
                    self.held = None;
                    self.open(Kind::Call { call_id: id, name }, out);
                }
                Part::Arguments { text, .. } => self.append(&text, Vec::new(), out),
            }
        }
        self.finish = end.or(self.finish.take());
    }

    /// Appends a text to the open item of its kind, or begins a new item with it.
    fn say(&mut self, kind: Kind, text: &str, logprobs: Vec<TokenLogprobs>, out: &mut String) {
        if self.is_open && self.items.last().is_some_and(|item| item.kind == kind) {
            return self.append(text, logprobs, out);
        }
        let held = self.held.take().filter(|(held, ..)| *held == kind);
        let (_, mut whole, mut all) = held.unwrap_or_else(|| (kind.clone(), String::new(), Vec::new()));
        whole += text;
        all.extend(logprobs);
        if self.form.parts.is_divided() && whole.trim().is_empty() {
            self.held = Some((kind, whole, all));
            return;
        }
        self.open(kind, out);
        self.append(&whole, all, out);
    }

    fn append(&mut self, text: &str, logprobs: Vec<TokenLogprobs>, out: &mut String) {
        let Some(item) = self.items.last_mut().filter(|_| self.is_open) else { return };
        item.text += text;
        let delta = match &item.kind {
            _ if text.is_empty() && logprobs.is_empty() => return,
            Kind::Reasoning => ("response.reasoning_text.delta", json!({"delta": text})),
            Kind::Call { .. } => ("response.function_call_arguments.delta", json!({"delta": text})),
            Kind::Message => {
                let told = self.form.logprobs(&logprobs);
                ("response.output_text.delta", json!({"delta": text, "logprobs": told}))
            }
        };
        item.logprobs.extend(logprobs);
        self.item_event(out, delta.0, delta.1);
    }

    fn open(&mut self, kind: Kind, out: &mut String) {
        self.shut("completed", out);
        let prefix = match kind {
            Kind::Reasoning => "rs",
            Kind::Message => "msg",
            Kind::Call { .. } => "fc",
        };
        let id = format!("{prefix}_{}", self.form.app.id());
        self.items.push(Item { id, kind, text: String::new(), logprobs: Vec::new() });
        self.is_open = true;
        let Some(item) = self.items.last() else { return };
        let (value, part) = (self.form.item(item, "in_progress"), self.form.part(item));
        let at = self.items.len() - 1;
        self.event(out, "response.output_item.added", json!({"output_index": at, "item": value}));
        if let Some(part) = part {
            self.item_event(out, "response.content_part.added", json!({"part": part}));
        }
    }

    /// Ends the open item, if there is one.
    fn shut(&mut self, status: &str, out: &mut String) {
        let Some(item) = self.items.last().filter(|_| self.is_open) else { return };
        self.is_open = false;
        let (value, part) = (self.form.item(item, status), self.form.part(item));
        let done = match &item.kind {
            Kind::Reasoning => ("response.reasoning_text.done", json!({"text": item.text})),
            Kind::Message => {
                let logprobs = self.form.logprobs(&item.logprobs);
                ("response.output_text.done", json!({"text": item.text, "logprobs": logprobs}))
            }
            Kind::Call { name, .. } => {
                ("response.function_call_arguments.done", json!({"name": name, "arguments": item.text}))
            }
        };
        self.item_event(out, done.0, done.1);
        if let Some(part) = part {
            self.item_event(out, "response.content_part.done", json!({"part": part}));
        }
        let at = self.items.len() - 1;
        self.event(out, "response.output_item.done", json!({"output_index": at, "item": value}));
    }

    /// Ends the response. Returns the whole response object.
    fn close(&mut self, out: &mut String) -> Value {
        let reason = self.finish.as_ref().map_or("abort", |end| end.reason);
        let status = if reason == "stop" { "completed" } else { "incomplete" };
        if self.items.is_empty() {
            let held = self.held.take().filter(|(kind, ..)| *kind == Kind::Message);
            let (_, text, logprobs) = held.unwrap_or((Kind::Message, String::new(), Vec::new()));
            self.open(Kind::Message, out);
            self.append(&text, logprobs, out);
        }
        self.shut(status, out);
        let last = self.items.len() - 1;
        let items = self.items.iter().enumerate();
        let items = items.map(|(i, item)| self.form.item(item, if i == last { status } else { "completed" }));
        let mut object = self.form.object(status, items.collect());
        if status == "incomplete" {
            let why = if reason == "length" { "max_output_tokens" } else { "cancelled" };
            object["incomplete_details"] = json!({"reason": why});
        }
        let (prompt, completion) = (self.form.prompt, self.tokens);
        object["usage"] = json!({
            "input_tokens": prompt, "input_tokens_details": {"cached_tokens": self.cached},
            "output_tokens": completion, "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt + completion,
        });
        object
    }
}

impl Form {
    fn object(&self, status: &str, output: Vec<Value>) -> Value {
        let mut object = json!({
            "id": self.id, "object": "response", "created_at": self.created, "model": self.model,
            "status": status, "output": output, "error": null, "incomplete_details": null, "usage": null,
        });
        if let (Some(object), Some(repeated)) = (object.as_object_mut(), self.repeated.as_object()) {
            object.extend(repeated.clone());
        }
        object
    }

    fn item(&self, item: &Item, status: &str) -> Value {
        // An item that has just begun has no content yet.
        let content: Vec<Value> = self.part(item).filter(|_| status != "in_progress").into_iter().collect();
        match &item.kind {
            Kind::Message => json!({
                "id": item.id, "type": "message", "role": "assistant", "status": status, "content": content,
            }),
            Kind::Reasoning => json!({
                "id": item.id, "type": "reasoning", "status": status, "summary": [], "content": content,
            }),
            Kind::Call { call_id, name } => json!({
                "id": item.id, "type": "function_call", "status": status, "call_id": call_id, "name": name,
                "arguments": item.text,
            }),
        }
    }

    /// The content part of an item; calls have none.
    fn part(&self, item: &Item) -> Option<Value> {
        match item.kind {
            Kind::Message => {
                let logprobs = self.logprobs(&item.logprobs);
                Some(
                    json!({"type": "output_text", "text": item.text, "annotations": [], "logprobs": logprobs}),
                )
            }
            Kind::Reasoning => Some(json!({"type": "reasoning_text", "text": item.text})),
            Kind::Call { .. } => None,
        }
    }

    fn logprobs(&self, logprobs: &[TokenLogprobs]) -> Value {
        if self.logprobs { Names::of(&self.app, false).chat(logprobs) } else { json!([]) }
    }
}

impl Tell for Written {
    fn begin(&mut self, out: &mut String) {
        let response = self.form.object("in_progress", Vec::new());
        self.event(out, "response.created", json!({"response": response}));
        self.event(out, "response.in_progress", json!({"response": response}));
    }

    fn delta(&mut self, _: usize, delta: AnswerDelta, out: &mut String) -> Result<()> {
        let end = delta.finish.map(End::of).transpose()?;
        self.cached += delta.cached.unwrap_or(0);
        self.take(&delta.text, delta.logprobs, delta.tokens.len(), end, out);
        Ok(())
    }

    fn end(&mut self, out: &mut String) {
        let ended = self.close(out);
        let kind = if ended["status"] == "completed" { "response.completed" } else { "response.incomplete" };
        self.event(out, kind, json!({"response": ended}));
    }

    fn fail(&mut self, refusal: Refusal, out: &mut String) {
        let mut response = self.form.object("failed", Vec::new());
        response["error"] = json!({"code": "server_error", "message": refusal.json()["error"]["message"]});
        self.event(out, "response.failed", json!({"response": response}));
    }
}
