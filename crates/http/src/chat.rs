//! `POST /v1/chat/completions`.

use std::sync::Arc;

use axum::response::Response;
use hyper::StatusCode;
use jarrah_structured::{Constraint, ReasoningFormat, ToolChoice};
use jarrah_tokenizer::chat::{Chat, Value as Body, ValueKind};
use serde_json::{Value, json};

use crate::answers::{Answer, Answers, End, Tell, done, event, events};
use crate::app::{App, now};
use crate::constraint::Wanted;
use crate::fields::{Fields, count, flag, list, text, wrong};
use crate::logprobs::Names;
use crate::messages::messages;
use crate::parts::Parts;
use crate::prompt::{Prompt, Room, add_special, most_tokens};
use crate::refusal::{Refusal, Result, json_response};
use crate::sampling::{Asked, logprobs};
use crate::usage::{Streaming, Usage};
use jarrah_serve::{Delta, EngineRequest, Reasoning, TokenLogprobs};

/// What the answer is written with.
pub struct Form {
    app: Arc<App>,
    /// The model that the answer names.
    model: String,
    id: String,
    created: u64,
    choices: usize,
    /// Divides the text of each choice.
    parts: Vec<Parts>,
    prompt: Vec<u32>,
    streaming: Streaming,
    role: String,
    /// The text of the last message, where it is echoed.
    echo: String,
    logprobs: bool,
    prompt_logprobs: bool,
    token_ids: bool,
    names_are_ids: bool,
}

/// The conversation of a request: its messages, tools and documents, and how the prompt ends.
pub fn conversation(fields: &Fields<'_>) -> Result<Chat> {
    fields.without("chat_template", "the server's operator gives it with --chat-template")?;
    let messages = fields.need("messages", messages)?;
    let goes_on = fields.flag("continue_final_message")?;
    let generates = fields.read("add_generation_prompt", flag)?;
    if goes_on && generates == Some(true) {
        let message = "`continue_final_message` and `add_generation_prompt` exclude each other";
        return Err(Refusal::field(fields.path("continue_final_message"), message));
    }
    let documents = |value: &Body, path: &str| {
        list(|item, path| Fields::of(item, path.to_owned()).map(|_| ()))(value, path)?;
        Ok(value.clone())
    };
    let variables = |value: &Body, path: &str| {
        if value.kind() != ValueKind::Map {
            return Err(wrong(path, "an object", value));
        }
        let keys = value.try_iter().into_iter().flatten();
        let entry = |key: Body| Some((key.as_str()?.to_owned(), value.get_item(&key).ok()?));
        Ok(keys.filter_map(entry).collect::<Vec<_>>())
    };
    let mut variables = fields.read("chat_template_kwargs", variables)?.unwrap_or_default();
    if let Some(effort) = fields.read("reasoning_effort", text)? {
        let thinks = effort != "none";
        let said = |name: &str, value: Body| (name.to_owned(), value);
        // What the request says of the template holds.
        variables
            .splice(0..0, [said("reasoning_effort", effort.into()), said("enable_thinking", thinks.into())]);
    }
    Ok(Chat {
        messages,
        tools: fields.get("tools"),
        documents: fields.read("documents", documents)?,
        add_generation_prompt: generates.unwrap_or(!goes_on),
        continue_final_message: goes_on,
        variables,
        now: None,
    })
}

/// Reads a request and begins its answers.
pub fn begin(app: &Arc<App>, body: &Body) -> Result<(Answers, Form)> {
    let fields = Fields::body(body)?;
    let adapter = app.adapter(&fields)?;
    let streaming = Streaming::read(&fields)?;
    let mut asked = Asked::read(app, &fields, 1)?;
    let wanted = Wanted::read(&fields)?;
    let constraint = wanted.constraint(app)?;
    let budget = fields.read("thinking_token_budget", count)?;
    let chat = conversation(&fields)?;
    let most = most_tokens(&fields, "max_completion_tokens", 1)?.or(most_tokens(&fields, "max_tokens", 1)?);
    let echo = match fields.flag("echo")? {
        true => last_text(&chat),
        false => (String::new(), None),
    };
    let wants_logprobs = fields.flag("logprobs")?;
    let top = fields.read("top_logprobs", logprobs(app))?;
    if top.is_some_and(|n| n > 0) && !wants_logprobs {
        return Err(Refusal::field("top_logprobs", "`top_logprobs` needs \"logprobs\": true"));
    }
    let prompt_logprobs = fields.read("prompt_logprobs", logprobs(app))?;
    if prompt_logprobs.is_some() && streaming.on {
        let message = "`prompt_logprobs` are given with the whole answer: leave out `stream`";
        return Err(Refusal::field("prompt_logprobs", message));
    }
    asked.params.logprobs = wants_logprobs.then_some(top.unwrap_or(0));
    asked.params.prompt_logprobs = prompt_logprobs;
    let room = Room::read(&fields)?;
    let special = add_special(&fields, false)?;
    let token_ids = fields.flag("return_token_ids")?;
    let names_are_ids = fields.flag("return_tokens_as_token_ids")?;
    let rendered = app.render(&chat)?;
    let calls = app.options.tools.filter(|_| wanted.choice != ToolChoice::None);
    let reasoning = app.options.reasoning.map(|format| (format, format.beginning(&rendered)));
    let parts: Vec<Parts> =
        (0..asked.params.n).map(|_| Parts::new(reasoning, calls, &wanted.tools, app.word())).collect();
    if reasoning.is_some() || calls.is_some() {
        // The marks are special tokens.
        asked.params.skip_special_tokens = false;
    }
    let prompt = Prompt::Text(rendered).tokens(app, special)?;
    let (prompt, most) = room.fit(prompt, most, app, "messages")?;
    // The grammar of calls has the reasoning of Harmony in it.
    let is_within = |format| {
        format == ReasoningFormat::OpenAiGptOss && matches!(constraint, Some(Constraint::ToolCalls { .. }))
    };
    let reasoning = reasoning.filter(|(format, _)| !is_within(*format));
    let reasoning = reasoning.map(|(format, beginning)| Reasoning { format, beginning, budget });
    let request = asked.request(prompt.clone(), most, adapter.clone());
    let request = EngineRequest { constraint, reasoning, ..request };
    let form = Form {
        app: app.clone(),
        model: adapter.unwrap_or_else(|| app.name().to_owned()),
        id: format!("chatcmpl-{}", app.id()),
        created: now(),
        choices: asked.params.n,
        parts,
        prompt,
        streaming,
        role: echo.1.filter(|_| !chat.add_generation_prompt).unwrap_or_else(|| "assistant".to_owned()),
        echo: echo.0,
        logprobs: wants_logprobs,
        prompt_logprobs: prompt_logprobs.is_some(),
        token_ids,
        names_are_ids,
    };
    Ok((Answers::begin(app, vec![request])?, form))
}

/// The text of the last message, and who says it, where that is who answers.
fn last_text(chat: &Chat) -> (String, Option<String>) {
    let last = chat.messages.len().and_then(|n| chat.messages.get_item_by_index(n.wrapping_sub(1)).ok());
    let get = |name: &str| last.as_ref()?.get_attr(name).ok()?.as_str().map(str::to_owned);
    let role = get("role");
    let answers = !chat.add_generation_prompt || role.as_deref() == Some("assistant");
    (get("content").filter(|_| answers).unwrap_or_default(), role)
}

/// The response to a request that was begun.
pub async fn respond(answers: Answers, mut form: Form) -> Result<Response> {
    if form.streaming.on {
        let seen = vec![0; form.choices];
        return Ok(events(form.app.clone(), answers, Streamed { form, seen, cached: 0 }));
    }
    let answers = answers.gather(form.choices).await?;
    let answer = answers.first().ok_or_else(|| Refusal::internal("the engine gave no answer"))?;
    Ok(json_response(StatusCode::OK, &form.whole(answer)))
}

impl Form {
    fn names(&self) -> Names<'_> {
        Names::of(&self.app, self.names_are_ids)
    }

    fn whole(&mut self, answer: &Answer) -> Value {
        let mut usage = Usage { prompt: self.prompt.len(), completion: 0, cached: answer.cached };
        let mut choices = Vec::new();
        for (index, choice) in answer.choices.iter().enumerate() {
            usage.completion += choice.tokens.len();
            let mut parts = self.parts[index].push(&choice.text, true);
            let content = parts
                .remove("content")
                .map_or(String::new(), |text| text.as_str().unwrap_or_default().to_owned());
            let content = format!("{}{content}", self.echo);
            let mut written = self.choice(index, &choice.logprobs, choice.finish.as_ref(), &choice.tokens);
            let has_calls = parts.contains_key("tool_calls");
            let content = if has_calls && content.is_empty() { Value::Null } else { content.into() };
            let mut message = json!({"role": self.role, "content": content, "refusal": null});
            if let Some(message) = message.as_object_mut() {
                for call in parts.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten() {
                    // The place is in the list.
                    call.as_object_mut().map(|call| call.remove("index"));
                }
                message.extend(parts);
            }
            written["message"] = message;
            choices.push(written);
        }
        let mut object = self.object("chat.completion", choices, Some(usage));
        if self.token_ids {
            object["prompt_token_ids"] = self.prompt.as_slice().into();
        }
        if self.prompt_logprobs {
            let logprobs = answer.prompt_logprobs.as_deref().unwrap_or_default();
            object["prompt_logprobs"] = self.names().prompt(logprobs);
        }
        object
    }

    fn object(&self, kind: &str, choices: Vec<Value>, usage: Option<Usage>) -> Value {
        let mut object = json!({
            "id": self.id, "object": kind, "created": self.created, "model": self.model, "choices": choices,
        });
        if let Some(usage) = usage {
            object["usage"] = usage.json();
        }
        object
    }

    fn choice(&self, index: usize, logprobs: &[TokenLogprobs], end: Option<&End>, tokens: &[u32]) -> Value {
        let logprobs = match self.logprobs {
            true => json!({"content": self.names().chat(logprobs)}),
            false => Value::Null,
        };
        let mut choice = json!({
            "index": index, "logprobs": logprobs,
            "finish_reason": end.map(|end| self.parts[index].reason(end.reason)), "stop_reason": end.map(|end| &end.stop),
        });
        if self.token_ids {
            choice["token_ids"] = tokens.into();
        }
        choice
    }
}

/// A chat's answer as it comes.
struct Streamed {
    form: Form,
    /// How many tokens came of each choice.
    seen: Vec<usize>,
    /// How many tokens of the prompt were found in the prefix cache.
    cached: usize,
}

impl Streamed {
    fn usage(&self) -> Usage {
        Usage { prompt: self.form.prompt.len(), completion: self.seen.iter().sum(), cached: self.cached }
    }

    fn chunk(&self, choices: Vec<Value>, usage: Option<Usage>) -> Value {
        self.form.object("chat.completion.chunk", choices, usage)
    }
}

impl Tell for Streamed {
    /// Who answers, and what is echoed.
    fn begin(&mut self, out: &mut String) {
        let form = &self.form;
        for index in 0..form.choices {
            let delta = json!({"role": form.role, "content": form.echo});
            let choice = json!({"index": index, "delta": delta, "logprobs": null, "finish_reason": null});
            let usage =
                form.streaming.continuous.then_some(Usage { prompt: form.prompt.len(), ..Usage::default() });
            let mut chunk = self.chunk(vec![choice], usage);
            if form.token_ids {
                chunk["prompt_token_ids"] = form.prompt.as_slice().into();
            }
            event(out, &chunk);
        }
    }

    fn delta(&mut self, _: usize, delta: Delta, out: &mut String) -> Result<()> {
        let end = delta.finish.map(End::of).transpose()?;
        let seen = self.seen.get_mut(delta.choice).ok_or_else(|| Refusal::internal("an unknown choice"))?;
        *seen += delta.tokens.len();
        if delta.choice == 0 {
            self.cached += delta.cached.unwrap_or(0);
        }
        let usage = Usage { prompt: self.form.prompt.len(), completion: *seen, cached: self.cached };
        let form = &mut self.form;
        let parts = form.parts[delta.choice].push(&delta.text, end.is_some());
        let says_nothing = parts.is_empty() && end.is_none() && !form.logprobs && !form.token_ids;
        if says_nothing {
            return Ok(());
        }
        let mut choice = form.choice(delta.choice, &delta.logprobs, end.as_ref(), &delta.tokens);
        choice["delta"] = parts.into();
        event(out, &self.chunk(vec![choice], self.form.streaming.continuous.then_some(usage)));
        Ok(())
    }

    fn end(&mut self, out: &mut String) {
        if self.form.streaming.usage {
            event(out, &self.chunk(Vec::new(), Some(self.usage())));
        }
        done(out);
    }

    fn fail(&mut self, refusal: Refusal, out: &mut String) {
        event(out, &refusal.json());
        done(out);
    }
}
