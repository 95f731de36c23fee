//! The engine's answers to a request's prompts, gathered into a whole or streamed as server-sent events.

use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::Response;
use hyper::StatusCode;
use jarrah_base::{Error, ErrorKind};
use jarrah_http::{RequestRecord, event_stream};
use jarrah_structured::is_of_the_constraint;
use jarrah_tokenizer::chat::unmarked;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::aborts::Abortable;
use crate::app::{App, Caller, Running};
use crate::refusal::{Refusal, Result};
use crate::spans::Span;
use jarrah_serve::{
    AnswerDelta, BeamParams, Engine, EngineRequest, Finish, Stream, TokenLogprobs, is_of_the_model,
};

/// The answers to the prompts of a request. Dropping them ends what still runs.
pub struct Answers {
    prompts: Vec<Prompt>,
    /// The index of the prompt whose stream is polled next: streams take turns, so none is starved.
    turn: usize,
    span: Option<Span>,
    record: Option<Arc<RequestRecord>>,
    abortable: Abortable,
    _running: Running,
}

/// The stream of deltas for one of the request's prompts.
struct Prompt {
    /// Where the deltas come from; nothing once all of them have come.
    stream: Option<Source>,
    /// The choices that have not ended.
    open: Vec<usize>,
}

/// The producer of a prompt's deltas.
enum Source {
    Engine(Stream),
    /// A beam search for the likeliest texts, which sends them when it has ended.
    Beams(UnboundedReceiver<AnswerDelta>),
}

impl Source {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<AnswerDelta>> {
        match self {
            Source::Engine(stream) => stream.poll_next(cx),
            Source::Beams(found) => found.poll_recv(cx),
        }
    }
}

impl Answers {
    /// Submits the requests, one for each prompt, to the engine: all of them or none. They can be aborted by `id`. With a
    /// `length_penalty`, beam search gives the choices. `form` names the field that constrains the answers, for error messages.
    pub fn begin(
        caller: &Caller,
        id: &str,
        requests: Vec<EngineRequest>,
        length_penalty: Option<f64>,
        form: &str,
    ) -> Result<Answers> {
        let app = &caller.app;
        if let Some(record) = &caller.record {
            let prompt = requests.iter().map(|request| request.prompt.len()).sum();
            record.ask(id, prompt, requests.iter().map(|request| request.params.n).sum());
        }
        let tracer = app.shared.tracer.as_ref();
        let span = tracer.and_then(|tracer| Span::begin(tracer, caller.parent, id, app.name(), &requests));
        let refused = |error: Error| match app.engine.is_closing() {
            true => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error.message()),
            false if is_of_the_constraint(&error) => Refusal::from(error).at(form),
            false => Refusal::from(error),
        };
        // Either the queue has places for all choices of all prompts, or the whole request is refused.
        app.engine.has_places(requests.iter().map(|request| request.params.n).sum()).map_err(refused)?;
        let begin = |request: EngineRequest| {
            if request.pooling.is_none() {
                let checked = request.params.check_fields(app.engine.vocabulary());
                checked.map_err(|(name, error)| Refusal::from(error).at(name))?;
            }
            let open = (0..request.params.n).collect();
            let source = match length_penalty {
                None => Source::Engine(app.engine.add(request).map_err(refused)?),
                Some(penalty) => Source::Beams(beams(&app.engine, request, penalty).map_err(refused)?),
            };
            Ok(Prompt { stream: Some(source), open })
        };
        let prompts = requests.into_iter().map(begin).collect::<Result<_>>()?;
        let record = caller.record.clone();
        Ok(Answers {
            prompts,
            turn: 0,
            span,
            record,
            abortable: app.aborts.begin(id),
            _running: app.running(),
        })
    }

    /// The next delta, with the index of its prompt; nothing when all prompts are answered.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, AnswerDelta)>> {
        let came = self.poll(cx);
        if let Poll::Ready(Some((_, delta))) = &came {
            if let Some(span) = &mut self.span {
                span.take(delta);
            }
            if let Some(record) = &self.record {
                note(record, delta);
            }
        }
        came
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, AnswerDelta)>> {
        if self.abortable.poll(cx) {
            self.prompts.iter_mut().for_each(|prompt| prompt.stream = None);
            let ended = self.prompts.iter_mut().enumerate().find_map(|(at, p)| Some((at, p.open.pop()?)));
            let finish = match self.abortable.is_left_alone() {
                true => Finish::Failed(Error::environment(
                    "the server is shutting down, and its model sleeps: the request was not answered",
                )),
                false => Finish::Cancelled,
            };
            let end = |choice| AnswerDelta { choice, finish: Some(finish), ..AnswerDelta::default() };
            return Poll::Ready(ended.map(|(at, choice)| (at, end(choice))));
        }
        let mut pending = false;
        for _ in 0..self.prompts.len() {
            let at = self.turn;
            self.turn = (self.turn + 1) % self.prompts.len();
            let prompt = &mut self.prompts[at];
            let Some(stream) = &mut prompt.stream else { continue };
            match stream.poll_next(cx) {
                Poll::Ready(Some(delta)) => {
                    if delta.finish.is_some() {
                        prompt.open.retain(|choice| *choice != delta.choice);
                    }
                    return Poll::Ready(Some((at, delta)));
                }
                Poll::Ready(None) => prompt.stream = None,
                Poll::Pending => pending = true,
            }
        }
        if pending { Poll::Pending } else { Poll::Ready(None) }
    }

    /// Waits for all answers: one for each prompt, each with `choices` choices.
    pub async fn gather(mut self, choices: usize) -> Result<Vec<Answer>> {
        let empty = || Answer { prompt_logprobs: None, cached: 0, choices: vec![Choice::default(); choices] };
        let mut answers: Vec<Answer> = self.prompts.iter().map(|_| empty()).collect();
        while let Some((prompt, delta)) = std::future::poll_fn(|cx| self.poll_next(cx)).await {
            answers[prompt].push(delta)?;
        }
        let all = || answers.iter().flat_map(|answer| &answer.choices);
        match all().all(|choice| choice.finish.is_some()) {
            true => Ok(answers),
            false => Err(Refusal::internal("the engine ended before the answer did")),
        }
    }
}

/// Notes a delta of an answer in the request's record.
fn note(record: &RequestRecord, delta: &AnswerDelta) {
    let cached = delta.cached.filter(|_| delta.choice == 0).unwrap_or(0);
    record.take(delta.tokens.len(), cached);
    if let Some(finish) = &delta.finish {
        let reason = || End::of(finish.clone()).map_or("error", |end| end.reason);
        // A vector has no finish reason.
        record.end(delta.vector.is_none().then(reason));
    }
}

/// Runs a beam search for the likeliest continuations of a prompt, as many as the request asks for, on a thread of its own.
fn beams(
    engine: &Engine,
    request: EngineRequest,
    length_penalty: f64,
) -> std::result::Result<UnboundedReceiver<AnswerDelta>, Error> {
    let params = BeamParams {
        width: request.params.n,
        max_tokens: request.params.max_tokens.unwrap_or(1),
        ignore_eos: request.params.ignore_eos,
        stop_tokens: request.params.stop_tokens.clone(),
        length_penalty,
    };
    let (skip_special, wanted) = (request.params.skip_special_tokens, request.params.n);
    let mut search = engine.beams(request, params)?;
    let (tell, told) = unbounded_channel();
    let engine = engine.clone();
    let run = move || {
        let fail = |error| {
            // Sending fails only where the receiver is dropped, and then nobody waits for the error.
            let _ = tell.send(AnswerDelta { finish: Some(Finish::Failed(error)), ..AnswerDelta::default() });
        };
        loop {
            match search.step() {
                Ok(true) if tell.is_closed() => return,
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return fail(error),
            }
        }
        let found = search.finish();
        if found.len() < wanted {
            let error =
                format!("there are {} texts, fewer than the {wanted} that are asked for", found.len());
            return fail(Error::input(error).help("ask for fewer, or for more tokens"));
        }
        for (choice, beam) in found.into_iter().enumerate() {
            let text = engine.tokenizer().map(|tokenizer| tokenizer.decode(&beam.tokens, skip_special));
            match text.transpose() {
                Err(error) => return fail(error),
                Ok(text) => {
                    let (text, finish) = (text.unwrap_or_default(), Some(beam.finish));
                    let _ = tell.send(AnswerDelta {
                        choice,
                        text,
                        tokens: beam.tokens,
                        finish,
                        ..AnswerDelta::default()
                    });
                }
            }
        }
    };
    std::thread::Builder::new()
        .name("beams".to_owned())
        .spawn(run)
        .map_err(|e| Error::environment(format!("the thread of a search cannot start: {e}")))?;
    Ok(told)
}

/// The whole answer to one prompt.
pub struct Answer {
    /// The logprobs of the prompt's tokens; the first token has none.
    pub prompt_logprobs: Option<Vec<Option<TokenLogprobs>>>,
    /// The number of prompt tokens that the first choice found in the prefix cache.
    pub cached: usize,
    /// The choices, as many as the request asked for.
    pub choices: Vec<Choice>,
}

/// One of the answers to a prompt.
#[derive(Clone, Default)]
pub struct Choice {
    pub text: String,
    pub tokens: Vec<u32>,
    pub logprobs: Vec<TokenLogprobs>,
    pub finish: Option<End>,
    /// The vector, where the request asked for one instead of a text.
    pub vector: Option<Vec<f32>>,
}

impl Answer {
    fn push(&mut self, delta: AnswerDelta) -> Result<()> {
        let missing = || Refusal::internal("the engine answered a choice that was not asked for");
        let choice = self.choices.get_mut(delta.choice).ok_or_else(missing)?;
        if delta.choice == 0 {
            self.cached += delta.cached.unwrap_or(0);
        }
        choice.text += &delta.text;
        choice.tokens.extend(delta.tokens);
        choice.logprobs.extend(delta.logprobs);
        if delta.prompt_logprobs.is_some() {
            self.prompt_logprobs = delta.prompt_logprobs;
        }
        choice.vector = delta.vector.or(choice.vector.take());
        if let Some(finish) = delta.finish {
            choice.finish = Some(End::of(finish)?);
        }
        Ok(())
    }
}

/// Why an answer ended, in OpenAI's words, and the stop string or stop token that ended it.
#[derive(Clone)]
pub struct End {
    /// The `finish_reason`: `stop`, `length`, `repetition` or `abort`.
    pub reason: &'static str,
    /// The `stop_reason`: the stop string or the stop token, null without one.
    pub stop: Value,
}

impl End {
    /// # Errors
    /// The engine failed.
    pub fn of(finish: Finish) -> Result<End> {
        let (reason, stop) = match finish {
            Finish::EndOfText => ("stop", Value::Null),
            Finish::StopToken(token) => ("stop", token.into()),
            Finish::StopString(text) => ("stop", text.into()),
            Finish::Repetition => ("repetition", Value::Null),
            Finish::MaxTokens => ("length", Value::Null),
            Finish::Cancelled => ("abort", Value::Null),
            // An `Environment` error after the answer began is the engine's own failure: a full queue refuses requests before
            // they begin.
            Finish::Failed(error) if error.kind() == ErrorKind::Environment => {
                return Err(Refusal::from(error).status(StatusCode::SERVICE_UNAVAILABLE));
            }
            Finish::Failed(error) if is_of_the_model(&error) => {
                return Err(Refusal::from(error).status(StatusCode::INTERNAL_SERVER_ERROR));
            }
            Finish::Failed(error) => return Err(error.into()),
        };
        Ok(End { reason, stop })
    }
}

/// Writes the deltas of an answer as events of one route's format.
pub trait Tell: Send + Unpin + 'static {
    /// Writes the events that come before the first token.
    fn begin(&mut self, out: &mut String);
    /// Writes the events for a delta of the prompt at index `prompt`.
    fn delta(&mut self, prompt: usize, delta: AnswerDelta, out: &mut String) -> Result<()>;
    /// Writes the events that come after the last token.
    fn end(&mut self, out: &mut String);
    /// Writes the error event of a server that failed; no event follows it.
    fn fail(&mut self, refusal: Refusal, out: &mut String);
}

/// An answer that is streamed.
struct Events<T> {
    /// The answers; nothing once they have ended, or failed.
    answers: Option<Answers>,
    tell: T,
    begun: bool,
    _app: Arc<App>,
}

impl<T: Tell> jarrah_http::Events for Events<T> {
    fn poll_next(&mut self, cx: &mut Context<'_>, out: &mut String) -> Poll<bool> {
        if !self.begun {
            self.begun = true;
            self.tell.begin(out);
        }
        let Some(answers) = &mut self.answers else { return Poll::Ready(false) };
        match answers.poll_next(cx) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Some((prompt, delta))) => {
                if let Err(refusal) = self.tell.delta(prompt, delta, out) {
                    self.answers = None;
                    self.tell.fail(refusal, out);
                }
            }
            Poll::Ready(None) => {
                self.answers = None;
                self.tell.end(out);
            }
        }
        Poll::Ready(self.answers.is_some())
    }
}

/// The response that streams the answers as server-sent events.
pub fn events(app: Arc<App>, answers: Answers, tell: impl Tell) -> Response {
    event_stream(Events { answers: Some(answers), tell, begun: false, _app: app })
}

/// Writes an event with `value` as its data and no event name.
pub fn event(out: &mut String, value: &Value) {
    jarrah_http::event(out, &unmarked(&value.to_string()));
}

/// Writes the event that ends a stream: `[DONE]`.
pub fn done(out: &mut String) {
    jarrah_http::event(out, "[DONE]");
}
