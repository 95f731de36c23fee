//! `POST /v1/completions`.

use axum::response::Response;
use hyper::StatusCode;
use jarrah_tokenizer::chat::ChatValue;
use serde_json::Value;

use crate::answers::{Answer, Answers, End, Tell, done, event, events};
use crate::app::{Begun, Caller};
use crate::constraint::Wanted;
use crate::logprobs::Offset;
use crate::prompt::{Room, add_special, most_tokens, prompts};
use crate::refusal::{Refusal, Result, json_response};
use crate::reply::Reply;
use crate::sampling::{Asked, logprobs};
use crate::usage::Usage;
use jarrah_serve::{AnswerDelta, EngineRequest, TokenLogprobs};
use jarrah_tokenizer::chat::fields::{Fields, flag};

/// The default of `max_tokens`.
const MOST: usize = 16;

/// The settings by which a completion is written.
struct Form {
    reply: Reply,
    /// The tokens of each prompt, and its text where the answer repeats it.
    prompts: Vec<(Vec<u32>, String)>,
    echo: bool,
}

/// Reads a request and begins its answers.
pub fn begin(caller: &Caller, body: &ChatValue) -> Result<Begun> {
    let app = &caller.app;
    let fields = Fields::body(body)?;
    let adapter = app.adapter(&fields)?;
    fields.without("suffix", "the model goes on from the end of the prompt")?;
    let given = fields.need("prompt", |value, path| prompts(app, value, path))?;
    let reply = Reply::read(app, &fields, "cmpl", adapter.as_deref())?;
    let mut asked = Asked::read(app, &fields, given.len())?;
    let wanted = Wanted::read(&fields)?;
    let constraint = wanted.constraint(app)?;
    let echo = fields.flag("echo")?;
    let most = most_tokens(&fields, "max_tokens", 0)?.unwrap_or(MOST);
    if most == 0 && !echo {
        return Err(Refusal::field("max_tokens", "`max_tokens` is 0: give at least 1, or \"echo\": true"));
    }
    let most_logprobs = fields.read("logprobs", logprobs(app))?;
    let prompt_logprobs = fields.read("prompt_logprobs", logprobs(app))?;
    asked.params.logprobs = most_logprobs;
    asked.params.prompt_logprobs = prompt_logprobs.or(most_logprobs.filter(|_| echo));
    let room = Room::read(&fields)?;
    let special = add_special(&fields, true)?;
    let token_ids = fields.read("return_token_ids", flag)?.unwrap_or(app.engine.tokenizer().is_none());
    fields.all_known()?;
    let (mut kept, mut requests) = (Vec::new(), Vec::new());
    for prompt in given {
        let tokens = room.tokens(prompt, app, special, "prompt")?;
        let (tokens, most) = room.fit(tokens, Some(most), app, "prompt")?;
        let text = match app.engine.tokenizer() {
            Some(tokenizer) if echo => tokenizer.decode(&tokens, asked.params.skip_special_tokens)?,
            _ => String::new(),
        };
        let request = asked.request(tokens.clone(), most, adapter.clone());
        requests.push(EngineRequest { constraint: constraint.clone(), ..request });
        kept.push((tokens, text));
    }
    let form = Form {
        reply: Reply { choices: asked.params.n, logprobs: most_logprobs.is_some(), token_ids, ..reply },
        prompts: kept,
        echo,
    };
    // With `max_tokens` 0 only the prompt is echoed, and there is nothing for beam search to find.
    let length_penalty = asked.length_penalty.filter(|_| most > 0);
    let answers = Answers::begin(caller, &form.reply.id, requests, length_penalty, wanted.path())?;
    Ok(Box::pin(respond(answers, form)))
}

async fn respond(answers: Answers, form: Form) -> Result<Response> {
    if form.reply.streaming.on {
        return Ok(events(form.reply.app.clone(), answers, Streamed::new(form)));
    }
    let answers = answers.gather(form.reply.choices).await?;
    Ok(json_response(StatusCode::OK, &form.whole(&answers)))
}

impl Form {
    fn whole(&self, answers: &[Answer]) -> Value {
        let (mut choices, mut usage) = (Vec::new(), Usage::default());
        for ((tokens, text), answer) in self.prompts.iter().zip(answers) {
            usage.prompt += tokens.len();
            usage.cached += answer.cached;
            for choice in &answer.choices {
                let mut piece = Piece {
                    text: choice.text.clone(),
                    tokens: choice.tokens.clone(),
                    logprobs: choice.logprobs.iter().cloned().map(Some).collect(),
                    offset: Offset::default(),
                };
                usage.completion += piece.tokens.len();
                let drawn = piece.tokens.clone();
                if self.echo {
                    piece.put_before(tokens, text, answer.prompt_logprobs.as_deref());
                }
                let end = choice.finish.as_ref();
                let mut written = self.choice(choices.len(), &piece, end, &drawn);
                if self.reply.token_ids {
                    written["prompt_token_ids"] = tokens.as_slice().into();
                }
                if self.reply.prompt_logprobs {
                    let logprobs = answer.prompt_logprobs.as_deref().unwrap_or_default();
                    written["prompt_logprobs"] = self.reply.names().prompt(logprobs);
                }
                choices.push(written);
            }
        }
        self.object(choices, Some(usage))
    }

    fn object(&self, choices: Vec<Value>, usage: Option<Usage>) -> Value {
        self.reply.object("text_completion", choices, usage)
    }

    fn choice(&self, index: usize, piece: &Piece, end: Option<&End>, drawn: &[u32]) -> Value {
        let logprobs = match self.reply.logprobs {
            true => self.reply.names().completion(&piece.tokens, &piece.logprobs, &mut piece.offset.clone()),
            false => Value::Null,
        };
        let mut choice = self.reply.choice(index, logprobs, end, drawn);
        choice["text"] = piece.text.as_str().into();
        choice
    }
}

/// A piece of a choice's text; `offset` is its beginning in the choice's whole text.
struct Piece {
    text: String,
    tokens: Vec<u32>,
    logprobs: Vec<Option<TokenLogprobs>>,
    offset: Offset,
}

impl Piece {
    /// Puts the prompt before the piece, for `echo`.
    fn put_before(&mut self, tokens: &[u32], text: &str, logprobs: Option<&[Option<TokenLogprobs>]>) {
        self.text.insert_str(0, text);
        self.tokens.splice(0..0, tokens.iter().copied());
        let mut before = logprobs.unwrap_or_default().to_vec();
        before.resize(tokens.len(), None);
        self.logprobs.splice(0..0, before);
    }
}

/// How much of a choice was sent already.
#[derive(Clone, Default)]
struct Seen {
    begun: bool,
    offset: Offset,
    tokens: usize,
}

/// The facts about a prompt that arrived in its stream.
#[derive(Default)]
struct Known {
    logprobs: Option<Vec<Option<TokenLogprobs>>>,
    cached: usize,
    /// Deltas that came before the logprobs of an echoed prompt, which arrive with the first choice: they wait for them.
    held: Vec<AnswerDelta>,
}

/// The state of a completion that is streamed.
struct Streamed {
    form: Form,
    /// The progress of each choice, by prompt, then by choice.
    seen: Vec<Seen>,
    /// The facts about each prompt.
    known: Vec<Known>,
}

impl Streamed {
    fn new(form: Form) -> Streamed {
        Streamed {
            seen: vec![Seen::default(); form.prompts.len() * form.reply.choices],
            known: form.prompts.iter().map(|_| Known::default()).collect(),
            form,
        }
    }

    fn usage(&self) -> Usage {
        Usage {
            prompt: self.form.prompts.iter().map(|(tokens, _)| tokens.len()).sum(),
            completion: self.seen.iter().map(|seen| seen.tokens).sum(),
            cached: self.known.iter().map(|known| known.cached).sum(),
        }
    }

    fn tell(&mut self, prompt: usize, delta: AnswerDelta, out: &mut String) -> Result<()> {
        let form = &self.form;
        let end = delta.finish.map(End::of).transpose()?;
        let index = prompt * form.reply.choices + delta.choice;
        let seen = self.seen.get_mut(index).ok_or_else(|| Refusal::internal("an unknown choice"))?;
        let drawn = delta.tokens.clone();
        let mut piece = Piece {
            text: delta.text,
            tokens: delta.tokens,
            logprobs: delta.logprobs.into_iter().map(Some).collect(),
            offset: seen.offset.clone(),
        };
        let first = !std::mem::replace(&mut seen.begun, true);
        let (tokens, text) = &form.prompts[prompt];
        if form.echo && first {
            piece.put_before(tokens, text, self.known[prompt].logprobs.as_deref());
        }
        if form.reply.logprobs {
            form.reply.names().completion(&piece.tokens, &piece.logprobs, &mut seen.offset);
        }
        seen.tokens += drawn.len();
        let completion = seen.tokens;
        let mut choice = form.choice(index, &piece, end.as_ref(), &drawn);
        if form.reply.token_ids && first {
            choice["prompt_token_ids"] = tokens.as_slice().into();
        }
        let usage = Usage { prompt: tokens.len(), completion, cached: self.known[prompt].cached };
        event(out, &form.object(vec![choice], form.reply.continuous(usage)));
        Ok(())
    }
}

impl Tell for Streamed {
    fn begin(&mut self, _: &mut String) {}

    fn delta(&mut self, prompt: usize, mut delta: AnswerDelta, out: &mut String) -> Result<()> {
        let known = &mut self.known[prompt];
        if delta.choice == 0 {
            known.cached += delta.cached.unwrap_or(0);
        }
        known.logprobs = delta.prompt_logprobs.take().or(known.logprobs.take());
        if self.form.echo && self.form.reply.logprobs && known.logprobs.is_none() && delta.choice != 0 {
            known.held.push(delta);
            return Ok(());
        }
        for held in std::mem::take(&mut known.held) {
            self.tell(prompt, held, out)?;
        }
        self.tell(prompt, delta, out)
    }

    fn end(&mut self, out: &mut String) {
        for prompt in 0..self.known.len() {
            for held in std::mem::take(&mut self.known[prompt].held) {
                if let Err(refusal) = self.tell(prompt, held, out) {
                    return self.fail(refusal, out);
                }
            }
        }
        if self.form.reply.streaming.usage {
            event(out, &self.form.object(Vec::new(), Some(self.usage())));
        }
        done(out);
    }

    fn fail(&mut self, refusal: Refusal, out: &mut String) {
        event(out, &refusal.json());
        done(out);
    }
}
