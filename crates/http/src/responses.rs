//! `POST /v1/responses`. Nothing of a response is kept: what goes on from an earlier one carries it in `input`.

use std::sync::Arc;

use axum::response::Response;
use hyper::StatusCode;
use jarrah_tokenizer::chat::{Chat, Value as Body, ValueKind};
use serde_json::{Value, json};

use crate::answers::{Answers, Choice, End, Tell, events};
use crate::app::{App, now};
use crate::fields::{Fields, items, list, object, text, wrong};
use crate::logprobs::Names;
use crate::messages::{content, messages};
use crate::prompt::{Prompt, Room, most_tokens};
use crate::refusal::{Refusal, Result, json_response};
use crate::sampling::{Asked, logprobs};
use jarrah_serve::{Delta, TokenLogprobs};

/// What the response is written with.
pub struct Form {
    app: Arc<App>,
    /// The model that the response names.
    model: String,
    id: String,
    item: String,
    created: u64,
    prompt: usize,
    stream: bool,
    logprobs: bool,
    /// What the response repeats of the request.
    repeated: Value,
}

/// Reads a request and begins its answer.
pub fn begin(app: &Arc<App>, body: &Body) -> Result<(Answers, Form)> {
    let fields = Fields::body(body)?;
    let adapter = app.adapter(&fields)?;
    let stateless = "this server keeps no responses: give what was said before in `input`";
    fields.without("background", stateless)?;
    fields.without("previous_response_id", stateless)?;
    fields.without("conversation", stateless)?;
    fields.without("prompt", "there are no stored prompts: give `input`")?;
    let mut asked = Asked::read(app, &fields, 1)?;
    asked.params.n = 1;
    let formed = fields.read("text", object(|text| constrained(&text)))?;
    formed.map_or(Ok(()), |()| Err(unformed()))?;
    fields.read("tools", list(|tool, path| Fields::of(tool, path.to_owned()).map(|_| ())))?;
    let chooses = fields.get("tool_choice").is_none_or(|choice| choice.as_str() != Some("none"));
    if chooses && fields.get("tools").is_some_and(|tools| tools.len().unwrap_or(0) > 0) {
        let message = "calls of tools are read in /v1/chat/completions: leave out `tools`, or say \"tool_choice\": \"none\"";
        return Err(Refusal::field("tools", message));
    }
    let stream = fields.flag("stream")?;
    let most = most_tokens(&fields, "max_output_tokens", 1)?;
    let include = fields.read("include", list(text))?.unwrap_or_default();
    let wants_logprobs = include.iter().any(|name| name == "message.output_text.logprobs");
    let top = fields.read("top_logprobs", logprobs(app))?.unwrap_or(0);
    asked.params.logprobs = wants_logprobs.then_some(top);
    let instructions = fields.read("instructions", text)?;
    let mut said = Vec::new();
    if let Some(instructions) = &instructions {
        said.push(message("system", instructions));
    }
    fields.need("input", |value, path| input(value, path, &mut said))?;
    let messages = messages(&Body::from(said), "input")?;
    let chat = Chat { messages, add_generation_prompt: true, ..Chat::default() };
    let prompt = Prompt::Text(app.render(&chat).map_err(|e| e.at("input"))?).tokens(app, false)?;
    let (prompt, max_tokens) = Room::read(&fields)?.fit(prompt, most, app, "input")?;
    let metadata = fields.read("metadata", object(|fields| fields.json()))?;
    let form = Form {
        app: app.clone(),
        model: adapter.clone().unwrap_or_else(|| app.name().to_owned()),
        id: format!("resp_{}", app.id()),
        item: format!("msg_{}", app.id()),
        created: now(),
        prompt: prompt.len(),
        stream,
        logprobs: wants_logprobs,
        repeated: json!({
            "background": false, "instructions": instructions, "max_output_tokens": most,
            "metadata": metadata.unwrap_or_else(|| json!({})), "parallel_tool_calls": true,
            "previous_response_id": null, "reasoning": null, "service_tier": "default", "store": false,
            "temperature": asked.params.temperature, "text": {"format": {"type": "text"}}, "tool_choice": "none",
            "tools": [], "top_logprobs": top, "top_p": asked.params.top_p, "truncation": "disabled",
            "user": fields.read("user", text)?,
        }),
    };
    Ok((Answers::begin(app, vec![asked.request(prompt, max_tokens, adapter.clone())])?, form))
}

/// The response to a request that was begun.
pub async fn respond(answers: Answers, form: Form) -> Result<Response> {
    if form.stream {
        return Ok(events(
            form.app.clone(),
            answers,
            Streamed { form, sequence: 0, whole: Choice::default(), cached: 0 },
        ));
    }
    let answers = answers.gather(1).await?;
    let found = answers.first().and_then(|answer| Some((answer.choices.first()?, answer.cached)));
    let (choice, cached) = found.ok_or_else(|| Refusal::internal("the engine gave no answer"))?;
    Ok(json_response(StatusCode::OK, &form.ended(choice, cached)))
}

fn unformed() -> Refusal {
    Refusal::field("text.format", "this server does not keep answers to a form: leave out `text.format`")
}

/// `text`: a format that is not plain text is refused.
fn constrained(fields: &Fields<'_>) -> Result<()> {
    let plain = |format: Fields<'_>| match format.need("type", text)?.as_str() {
        "text" => Ok(()),
        _ => Err(unformed()),
    };
    fields.read("format", object(plain)).map(|_| ())
}

fn message(role: &str, content: &str) -> Body {
    Body::from_pairs([("role", role), ("content", content)])
}

/// A text, or what was said before: messages, calls of functions and what they gave.
fn input(value: &Body, path: &str, said: &mut Vec<Body>) -> Result<()> {
    if let Some(text) = value.as_str() {
        said.push(message("user", text));
        return Ok(());
    }
    let items = items(value).ok_or_else(|| wrong(path, "a string or a list of items", value))?;
    for (i, item) in items.enumerate() {
        let fields = Fields::of(&item, format!("{path}[{i}]"))?;
        match fields.read("type", text)?.as_deref() {
            None | Some("message") => {
                let role = fields.need("role", text)?;
                let role = if role == "developer" { "system" } else { &role };
                said.push(message(role, &fields.need("content", content)?));
            }
            Some("function_call") => {
                let pair =
                    |name: &'static str| Ok::<_, Refusal>((name, Body::from(fields.need(name, text)?)));
                let function = Body::from_pairs([pair("name")?, pair("arguments")?]);
                let id = Body::from(fields.need("call_id", text)?);
                let call = [("id", id), ("type", "function".into()), ("function", function)];
                let calls = Body::from(vec![Body::from_pairs(call)]);
                said.push(Body::from_pairs([("role", Body::from("assistant")), ("tool_calls", calls)]));
            }
            Some("function_call_output") => {
                let output = fields.need("output", content)?;
                let id = fields.need("call_id", text)?;
                let entries = [("role", "tool".into()), ("tool_call_id", id), ("content", output)];
                said.push(Body::from_pairs(entries));
            }
            // What the model thought is not told to it again.
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

    /// The whole response.
    fn ended(&self, choice: &Choice, cached: usize) -> Value {
        let reason = choice.finish.as_ref().map_or("abort", |end| end.reason);
        let status = if reason == "stop" { "completed" } else { "incomplete" };
        let mut object = self.object(status, vec![self.item(status, Some(choice))]);
        if status == "incomplete" {
            let why = if reason == "length" { "max_output_tokens" } else { "cancelled" };
            object["incomplete_details"] = json!({"reason": why});
        }
        let (prompt, completion) = (self.prompt, choice.tokens.len());
        object["usage"] = json!({
            "input_tokens": prompt, "input_tokens_details": {"cached_tokens": cached}, "output_tokens": completion,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": prompt + completion,
        });
        object
    }

    fn item(&self, status: &str, choice: Option<&Choice>) -> Value {
        let content: Vec<Value> = choice.map(|c| self.part(&c.text, &c.logprobs)).into_iter().collect();
        json!({"id": self.item, "type": "message", "role": "assistant", "status": status, "content": content})
    }

    fn part(&self, text: &str, logprobs: &[TokenLogprobs]) -> Value {
        json!({"type": "output_text", "text": text, "annotations": [], "logprobs": self.logprobs(logprobs)})
    }

    fn logprobs(&self, logprobs: &[TokenLogprobs]) -> Value {
        if self.logprobs { Names::of(&self.app, false).chat(logprobs) } else { json!([]) }
    }
}

/// A response as it comes.
struct Streamed {
    form: Form,
    /// The number of the next event.
    sequence: usize,
    whole: Choice,
    /// How many tokens of the prompt were found in the prefix cache.
    cached: usize,
}

impl Streamed {
    fn event(&mut self, out: &mut String, kind: &str, mut value: Value) {
        value["type"] = kind.into();
        value["sequence_number"] = self.sequence.into();
        self.sequence += 1;
        *out += &format!("event: {kind}\n");
        crate::answers::event(out, &value);
    }

    /// An event about the text.
    fn text_event(&mut self, out: &mut String, kind: &str, mut value: Value) {
        value["item_id"] = self.form.item.as_str().into();
        value["output_index"] = 0.into();
        value["content_index"] = 0.into();
        self.event(out, kind, value);
    }
}

impl Tell for Streamed {
    fn begin(&mut self, out: &mut String) {
        let response = self.form.object("in_progress", Vec::new());
        self.event(out, "response.created", json!({"response": response}));
        self.event(out, "response.in_progress", json!({"response": response}));
        let item = self.form.item("in_progress", None);
        self.event(out, "response.output_item.added", json!({"output_index": 0, "item": item}));
        let part = self.form.part("", &[]);
        self.text_event(out, "response.content_part.added", json!({"part": part}));
    }

    fn delta(&mut self, _: usize, delta: Delta, out: &mut String) -> Result<()> {
        let end = delta.finish.map(End::of).transpose()?;
        let logprobs = self.form.logprobs(&delta.logprobs);
        if !delta.text.is_empty() || !delta.logprobs.is_empty() {
            self.text_event(
                out,
                "response.output_text.delta",
                json!({"delta": delta.text, "logprobs": logprobs}),
            );
        }
        self.cached += delta.cached.unwrap_or(0);
        self.whole.text += &delta.text;
        self.whole.tokens.extend(delta.tokens);
        self.whole.logprobs.extend(delta.logprobs);
        self.whole.finish = end.or(self.whole.finish.take());
        Ok(())
    }

    fn end(&mut self, out: &mut String) {
        let whole = std::mem::take(&mut self.whole);
        let ended = self.form.ended(&whole, self.cached);
        let item = ended["output"][0].clone();
        let part = item["content"][0].clone();
        let said = json!({"text": whole.text, "logprobs": part["logprobs"]});
        self.text_event(out, "response.output_text.done", said);
        self.text_event(out, "response.content_part.done", json!({"part": part}));
        self.event(out, "response.output_item.done", json!({"output_index": 0, "item": item}));
        let kind = if ended["status"] == "completed" { "response.completed" } else { "response.incomplete" };
        self.event(out, kind, json!({"response": ended}));
    }

    fn fail(&mut self, refusal: Refusal, out: &mut String) {
        let mut response = self.form.object("failed", Vec::new());
        response["error"] = json!({"code": "server_error", "message": refusal.json()["error"]["message"]});
        self.event(out, "response.failed", json!({"response": response}));
    }
}
