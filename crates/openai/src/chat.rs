//! `POST /v1/chat/completions`.

use axum::response::Response;
use hyper::StatusCode;
use jarrah_tokenizer::chat::{Chat, ChatValue, ValueKind};
use serde_json::{Map, Value, json};

use crate::answers::{Answer, Answers, End, Tell, done, event, events};
use crate::app::{App, Begun, Caller};
use crate::constraint::Wanted;
use crate::messages::{from_system, messages};
use crate::parts::{Division, Parts};
use crate::prompt::{Prompt, Room, add_special, most_tokens};
use crate::refusal::{Refusal, Result, json_response};
use crate::reply::Reply;
use crate::sampling::{Asked, logprobs};
use crate::usage::Usage;
use jarrah_serve::{AnswerDelta, EngineRequest, TokenLogprobs};
use jarrah_tokenizer::chat::fields::{Fault, Fields, count, flag, list, one_of, wrong};

/// The values of `reasoning_effort`, by the words of OpenAI and vLLM.
pub const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// The settings by which a chat's answer is written.
struct Form {
    reply: Reply,
    /// The parsers that divide the text of each choice into reasoning, content and calls.
    parts: Vec<Parts>,
    prompt: Vec<u32>,
    role: String,
    /// Whether the answer includes the reasoning.
    reasons: bool,
    /// The text of the last message, where the answer repeats it.
    echo: String,
}

/// The conversation of a request: its messages, tools and documents, and how the prompt ends.
pub fn conversation(app: &App, fields: &Fields<'_>) -> Result<Chat> {
    fields.without("chat_template", "the server's operator gives it with --chat-template")?;
    let messages = fields.need("messages", |value, path| messages(app, value, path))?;
    let messages = if app.knows_developers() { messages } else { from_system(messages) };
    let goes_on = fields.flag("continue_final_message")?;
    let generates = fields.read("add_generation_prompt", flag)?;
    if goes_on && generates == Some(true) {
        let message = "`continue_final_message` and `add_generation_prompt` exclude each other";
        return Err(Refusal::field(fields.path("continue_final_message"), message));
    }
    let documents = |value: &ChatValue, path: &str| {
        let each = |item: &ChatValue, path: &str| Fields::of(item, path.to_owned()).map(|_| ());
        list(each)(value, path)?;
        Ok::<_, Fault>(value.clone())
    };
    let effort = fields.read("reasoning_effort", one_of(EFFORTS))?;
    Ok(Chat {
        messages,
        tools: fields.get("tools"),
        documents: fields.read("documents", documents)?,
        add_generation_prompt: generates.unwrap_or(!goes_on),
        continue_final_message: goes_on,
        variables: variables(app, fields, effort)?,
        now: None,
    })
}

/// The variables of a chat template beside the conversation.
pub fn variables(app: &App, fields: &Fields<'_>, effort: Option<String>) -> Result<Vec<(String, ChatValue)>> {
    let entries = |value: &ChatValue, path: &str| {
        if value.kind() != ValueKind::Map {
            return Err(wrong(path, "an object", value));
        }
        let keys = value.try_iter().into_iter().flatten();
        let entry = |key: ChatValue| Some((key.as_str()?.to_owned(), value.get_item(&key).ok()?));
        Ok(keys.filter_map(entry).collect::<Vec<_>>())
    };
    // Where two variables have the same name, the later one holds.
    let mut variables: Vec<(String, ChatValue)> = app.options.template_variables.clone();
    if let Some(effort) = effort {
        let thinks = effort != "none";
        variables.push(("reasoning_effort".to_owned(), effort.into()));
        variables.push(("enable_thinking".to_owned(), thinks.into()));
    }
    variables.extend(fields.read("chat_template_kwargs", entries)?.unwrap_or_default());
    Ok(variables)
}

/// Reads a request and begins its answers.
pub fn begin(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let adapter = app.adapter(&fields)?;
    let reply = Reply::read(app, &fields, "chatcmpl", adapter.as_deref())?;
    let mut asked = Asked::read(app, &fields, 1)?;
    let wanted = Wanted::read(&fields)?;
    let constraint = wanted.constraint(app)?;
    let budget = fields.read("thinking_token_budget", count)?;
    let chat = conversation(app, &fields)?;
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
    asked.params.logprobs = wants_logprobs.then_some(top.unwrap_or(0));
    asked.params.prompt_logprobs = fields.read("prompt_logprobs", logprobs(app))?;
    let room = Room::read(&fields)?;
    let special = add_special(&fields, false)?;
    let reasons = fields.read("include_reasoning", flag)?.unwrap_or(true);
    fields.all_known()?;
    let rendered = app.render(&chat)?;
    let division = Division::of(app, &wanted, &rendered);
    let parts = (0..asked.params.n).map(|_| division.parts(app, &wanted)).collect();
    if division.has_marks() {
        asked.params.skip_special_tokens = false;
    }
    let prompt = room.tokens(Prompt::Text(rendered), app, special, "messages")?;
    let (prompt, most) = room.fit(prompt, most, app, "messages")?;
    let reasoning = division.reasoning(constraint.as_ref(), budget);
    let request = asked.request(prompt.clone(), most, adapter.clone());
    let request = EngineRequest { constraint, reasoning, ..request };
    let form = Form {
        reply: Reply { choices: asked.params.n, logprobs: wants_logprobs, ..reply },
        parts,
        prompt,
        reasons,
        role: echo.1.filter(|_| !chat.add_generation_prompt).unwrap_or_else(|| "assistant".to_owned()),
        echo: echo.0,
    };
    let answers = Answers::begin(caller, &form.reply.id, vec![request], asked.length_penalty, wanted.path())?;
    Ok(Box::pin(respond(answers, form)))
}

/// The text of the last message, if the answer continues it, and its role.
fn last_text(chat: &Chat) -> (String, Option<String>) {
    let last = chat.messages.len().and_then(|n| chat.messages.get_item_by_index(n.wrapping_sub(1)).ok());
    let get = |name: &str| last.as_ref()?.get_attr(name).ok()?.as_str().map(str::to_owned);
    let role = get("role");
    let answers = !chat.add_generation_prompt || role.as_deref() == Some("assistant");
    (get("content").filter(|_| answers).unwrap_or_default(), role)
}

async fn respond(answers: Answers, mut form: Form) -> Result<Response> {
    if form.reply.streaming.on {
        let seen = vec![0; form.reply.choices];
        return Ok(events(form.reply.app.clone(), answers, Streamed { form, seen, cached: 0 }));
    }
    let answers = answers.gather(form.reply.choices).await?;
    let answer = answers.first().ok_or_else(|| Refusal::internal("the engine gave no answer"))?;
    Ok(json_response(StatusCode::OK, &form.whole(answer)))
}

impl Form {
    fn whole(&mut self, answer: &Answer) -> Value {
        let mut usage = Usage { prompt: self.prompt.len(), completion: 0, cached: answer.cached };
        let mut choices = Vec::new();
        for (index, choice) in answer.choices.iter().enumerate() {
            usage.completion += choice.tokens.len();
            let mut parts = self.divided(index, &choice.text, true);
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
                    // A whole answer has no `index` in its calls: their order in the list says it.
                    call.as_object_mut().map(|call| call.remove("index"));
                }
                message.extend(parts);
            }
            written["message"] = message;
            choices.push(written);
        }
        let mut object = self.reply.object("chat.completion", choices, Some(usage));
        if self.reply.token_ids {
            object["prompt_token_ids"] = self.prompt.as_slice().into();
        }
        if self.reply.prompt_logprobs {
            let logprobs = answer.prompt_logprobs.as_deref().unwrap_or_default();
            object["prompt_logprobs"] = self.reply.names().prompt(logprobs);
        }
        object
    }

    /// The fields that a piece of a choice's text adds to its message.
    fn divided(&mut self, index: usize, text: &str, is_last: bool) -> Map<String, Value> {
        let mut parts = self.parts[index].push(text, is_last);
        if !self.reasons {
            parts.remove("reasoning");
        }
        parts
    }

    fn choice(&self, index: usize, logprobs: &[TokenLogprobs], end: Option<&End>, tokens: &[u32]) -> Value {
        let logprobs = match self.reply.logprobs {
            true => json!({"content": self.reply.names().chat(logprobs)}),
            false => Value::Null,
        };
        let end = end.map(|end| End { reason: self.parts[index].reason(end.reason), ..end.clone() });
        self.reply.choice(index, logprobs, end.as_ref(), tokens)
    }
}

/// The state of a chat's answer that is streamed.
struct Streamed {
    form: Form,
    /// The number of tokens that came of each choice.
    seen: Vec<usize>,
    /// How many tokens of the prompt were found in the prefix cache.
    cached: usize,
}

impl Streamed {
    fn usage(&self) -> Usage {
        Usage { prompt: self.form.prompt.len(), completion: self.seen.iter().sum(), cached: self.cached }
    }

    fn chunk(&self, choices: Vec<Value>, usage: Option<Usage>) -> Value {
        self.form.reply.object("chat.completion.chunk", choices, usage)
    }
}

impl Tell for Streamed {
    /// Writes for each choice the chunk with the role and the echoed text.
    fn begin(&mut self, out: &mut String) {
        let (form, reply) = (&self.form, &self.form.reply);
        for index in 0..reply.choices {
            let delta = json!({"role": form.role, "content": form.echo});
            let choice = json!({"index": index, "delta": delta, "logprobs": null, "finish_reason": null});
            let usage = Usage { prompt: form.prompt.len(), ..Usage::default() };
            let mut chunk = self.chunk(vec![choice], reply.continuous(usage));
            if reply.token_ids {
                chunk["prompt_token_ids"] = form.prompt.as_slice().into();
            }
            event(out, &chunk);
        }
    }

    fn delta(&mut self, _: usize, delta: AnswerDelta, out: &mut String) -> Result<()> {
        let end = delta.finish.map(End::of).transpose()?;
        let seen = self.seen.get_mut(delta.choice).ok_or_else(|| Refusal::internal("an unknown choice"))?;
        *seen += delta.tokens.len();
        if delta.choice == 0 {
            self.cached += delta.cached.unwrap_or(0);
        }
        let usage = Usage { prompt: self.form.prompt.len(), completion: *seen, cached: self.cached };
        let form = &mut self.form;
        let parts = form.divided(delta.choice, &delta.text, end.is_some());
        let says_nothing = parts.is_empty() && end.is_none() && !form.reply.logprobs && !form.reply.token_ids;
        if says_nothing {
            return Ok(());
        }
        // Clients treat calls in a chunk with `finish_reason` as unfinished, so `finish_reason` follows in a chunk of its own.
        let apart = end.as_ref().filter(|_| parts.contains_key("tool_calls"));
        let with = if apart.is_some() { None } else { end.as_ref() };
        let mut choices = vec![form.choice(delta.choice, &delta.logprobs, with, &delta.tokens)];
        choices[0]["delta"] = parts.into();
        choices.extend(apart.map(|end| {
            let mut last = form.choice(delta.choice, &[], Some(end), &[]);
            last["delta"] = json!({});
            last
        }));
        for choice in choices {
            event(out, &self.chunk(vec![choice], self.form.reply.continuous(usage)));
        }
        Ok(())
    }

    fn end(&mut self, out: &mut String) {
        if self.form.reply.streaming.usage {
            event(out, &self.chunk(Vec::new(), Some(self.usage())));
        }
        done(out);
    }

    fn fail(&mut self, refusal: Refusal, out: &mut String) {
        event(out, &refusal.json());
        done(out);
    }
}
