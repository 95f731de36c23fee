//! What comes of requests, gathered or as it comes.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::response::Response;
use http_body::Frame;
use hyper::StatusCode;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use jarrah_base::{Error, ErrorKind};
use jarrah_structured::is_of_the_constraint;
use jarrah_tokenizer::chat::unmarked;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::aborts::Abortable;
use crate::app::{App, Running};
use crate::calls::Caller;
use crate::record::Record;
use crate::refusal::{Refusal, Result};
use crate::traces::Span;
use jarrah_serve::{
    BeamParams, Delta, Engine, EngineRequest, Finish, Stream, TokenLogprobs, is_of_the_model,
};

/// So many bytes of events are sent together at most, where they are there.
const TOGETHER: usize = 1 << 14;

/// The answers to the prompts of a request. Dropping them ends what still runs.
pub struct Answers {
    prompts: Vec<Prompt>,
    /// The prompt that is asked next: none is starved.
    turn: usize,
    span: Option<Span>,
    record: Option<Arc<Record>>,
    abortable: Abortable,
    _running: Running,
}

/// What comes for one of the prompts.
struct Prompt {
    /// Nothing where all of it has come.
    stream: Option<Source>,
    /// The choices that have not ended.
    open: Vec<usize>,
}

/// Where it comes from.
enum Source {
    Engine(Stream),
    /// A search for the likeliest texts, which tells them when it has ended.
    Beams(UnboundedReceiver<Delta>),
}

impl Source {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Delta>> {
        match self {
            Source::Engine(stream) => stream.poll_next(cx),
            Source::Beams(found) => found.poll_recv(cx),
        }
    }
}

impl Answers {
    /// Hands the requests, one for each prompt, to the engine: all of them or none. By the id they can be ended. With a `length_penalty`, the choices
    /// are the likeliest texts. `form` is the field that says what form the answers have.
    pub fn begin(
        caller: &Caller,
        id: &str,
        requests: Vec<EngineRequest>,
        length_penalty: Option<f64>,
        form: &str,
    ) -> Result<Answers> {
        let app = &caller.app;
        if let Some(record) = &caller.record {
            record.ask(id, &requests);
        }
        let span =
            app.tracer.as_ref().and_then(|tracer| tracer.begin(caller.parent, id, app.name(), &requests));
        let refused = |error: Error| match app.engine.is_closing() {
            true => Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error.message()),
            false if is_of_the_constraint(&error) => Refusal::from(error).at(form),
            false => Refusal::from(error),
        };
        // They find places together, or are refused together.
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

    /// What came for one of the prompts; nothing when all of them are answered.
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, Delta)>> {
        let came = self.poll(cx);
        if let Poll::Ready(Some((_, delta))) = &came {
            if let Some(span) = &mut self.span {
                span.take(delta);
            }
            if let Some(record) = &self.record {
                record.take(delta);
            }
        }
        came
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<(usize, Delta)>> {
        if self.abortable.poll(cx) {
            self.prompts.iter_mut().for_each(|prompt| prompt.stream = None);
            let ended = self.prompts.iter_mut().enumerate().find_map(|(at, p)| Some((at, p.open.pop()?)));
            let finish = match self.abortable.is_left_alone() {
                true => Finish::Failed(Error::environment(
                    "the server is shutting down, and its model sleeps: the request was not answered",
                )),
                false => Finish::Cancelled,
            };
            let end = |choice| Delta { choice, finish: Some(finish), ..Delta::default() };
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

    /// All answers, by prompt, each with `choices` choices.
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

/// Searches the likeliest texts behind a prompt, as many as the request asks for, on a thread of its own.
fn beams(
    engine: &Engine,
    request: EngineRequest,
    length_penalty: f64,
) -> std::result::Result<UnboundedReceiver<Delta>, Error> {
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
            // Nobody waits for it any more, or it is told.
            let _ = tell.send(Delta { finish: Some(Finish::Failed(error)), ..Delta::default() });
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
                    let _ =
                        tell.send(Delta { choice, text, tokens: beam.tokens, finish, ..Delta::default() });
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

/// What came of a prompt.
pub struct Answer {
    /// For each token of the prompt but the first.
    pub prompt_logprobs: Option<Vec<Option<TokenLogprobs>>>,
    /// How many tokens of it the first choice found in the prefix cache.
    pub cached: usize,
    /// As many as were asked for.
    pub choices: Vec<Choice>,
}

/// One of the answers to a prompt.
#[derive(Clone, Default)]
pub struct Choice {
    pub text: String,
    pub tokens: Vec<u32>,
    pub logprobs: Vec<TokenLogprobs>,
    pub finish: Option<End>,
    /// The vector that was asked for in the place of a text.
    pub vector: Option<Vec<f32>>,
}

impl Answer {
    fn push(&mut self, delta: Delta) -> Result<()> {
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

/// Why an answer ended, in OpenAI's words, and what of the request ended it.
#[derive(Clone)]
pub struct End {
    /// `stop`, `length` or `abort`.
    pub reason: &'static str,
    /// The stop string or the stop token.
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
            // What an answer lacks when it has begun is no room in the queue.
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

/// How answers are told as they come.
pub trait Tell: Send + Unpin + 'static {
    /// What comes before the first token.
    fn begin(&mut self, out: &mut String);
    /// What came for the prompt of this number.
    fn delta(&mut self, prompt: usize, delta: Delta, out: &mut String) -> Result<()>;
    /// What comes after the last.
    fn end(&mut self, out: &mut String);
    /// The server failed, and nothing more comes.
    fn fail(&mut self, refusal: Refusal, out: &mut String);
}

/// Answers as server-sent events.
struct Events<T> {
    answers: Option<Answers>,
    tell: T,
    begun: bool,
    _app: Arc<App>,
}

impl<T: Tell> http_body::Body for Events<T> {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Self::Error>>> {
        let this = self.get_mut();
        let mut out = String::new();
        if !this.begun {
            this.begun = true;
            this.tell.begin(&mut out);
        }
        while let Some(answers) = this.answers.as_mut().filter(|_| out.len() < TOGETHER) {
            match answers.poll_next(cx) {
                Poll::Pending if out.is_empty() => return Poll::Pending,
                Poll::Pending => break,
                Poll::Ready(Some((prompt, delta))) => {
                    if let Err(refusal) = this.tell.delta(prompt, delta, &mut out) {
                        this.answers = None;
                        this.tell.fail(refusal, &mut out);
                    }
                }
                Poll::Ready(None) => {
                    this.answers = None;
                    this.tell.end(&mut out);
                }
            }
        }
        Poll::Ready((!out.is_empty()).then(|| Ok(Frame::data(Bytes::from(out)))))
    }
}

/// The response that tells the answers as they come.
pub fn events(app: Arc<App>, answers: Answers, tell: impl Tell) -> Response {
    let mut response =
        Response::new(Body::new(Events { answers: Some(answers), tell, begun: false, _app: app }));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// An event that is a value alone.
pub fn event(out: &mut String, value: &Value) {
    *out += "data: ";
    *out += &unmarked(&value.to_string());
    *out += "\n\n";
}

/// The event after the last.
pub fn done(out: &mut String) {
    *out += "data: [DONE]\n\n";
}
