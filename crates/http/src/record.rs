//! A line for each request, where an operator wants them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use hyper::StatusCode;
use jarrah_serve::{Delta, EngineRequest};

use crate::answers::End;

/// What takes the lines of requests.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// What is known of a request, which is told when nobody has it any more: the request is answered then, or its client has gone.
pub struct Record {
    log: Log,
    route: String,
    /// The id that the client gave, or was given in the head of its answer.
    request: String,
    begun: Instant,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    /// The id of the answer, if one was begun.
    id: Option<String>,
    prompt: usize,
    cached: usize,
    tokens: usize,
    /// How many choices were asked for, how many have ended, and why those of them that are texts.
    choices: usize,
    ended: usize,
    ends: Vec<&'static str>,
    /// Seconds to the first token.
    first: Option<f64>,
    status: Option<StatusCode>,
    refusal: Option<String>,
}

impl Record {
    /// Of a request to a route, if lines are wanted.
    pub fn begin(log: Option<&Log>, route: &str, request: &str) -> Option<Arc<Record>> {
        let (log, route, request) = (log?.clone(), route.to_owned(), request.to_owned());
        Some(Arc::new(Record { log, route, request, begun: Instant::now(), known: Mutex::default() }))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine is asked for the answer of this id.
    pub fn ask(&self, id: &str, requests: &[EngineRequest]) {
        let mut known = self.lock();
        known.id = Some(id.to_owned());
        known.prompt = requests.iter().map(|request| request.prompt.len()).sum();
        known.choices = requests.iter().map(|request| request.params.n).sum();
    }

    /// Takes what came of an answer.
    pub fn take(&self, delta: &Delta) {
        let mut known = self.lock();
        if !delta.tokens.is_empty() {
            known.first.get_or_insert_with(|| self.begun.elapsed().as_secs_f64());
        }
        known.tokens += delta.tokens.len();
        if delta.choice == 0 {
            known.cached += delta.cached.unwrap_or(0);
        }
        if let Some(finish) = &delta.finish {
            known.ended += 1;
            // A vector has no end.
            if delta.vector.is_none() {
                known.ends.push(End::of(finish.clone()).map_or("error", |end| end.reason));
            }
        }
    }

    /// The head of the answer is sent.
    pub fn answer(&self, status: StatusCode, refusal: Option<&str>) {
        let mut known = self.lock();
        (known.status, known.refusal) = (Some(status), refusal.map(str::to_owned));
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let Record { route, request, begun, known, log } = self;
        let known = known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let seconds = |s: f64| format!("{s:.3}");
        let finish = match known {
            Known { refusal: Some(_), status: Some(status), .. } if status.is_client_error() => {
                "refused".to_owned()
            }
            Known { refusal: Some(_), .. } => "error".to_owned(),
            Known { status: None, .. } => "disconnected".to_owned(),
            Known { choices, ended, ends, .. } if *ended < *choices && !ends.contains(&"error") => {
                "disconnected".to_owned()
            }
            Known { ends, .. } if ends.is_empty() => "-".to_owned(),
            Known { ends, .. } => ends.join(","),
        };
        let mut line = format!(
            "request id={} request_id={} route={route} status={} prompt_tokens={} cached_tokens={} answer_tokens={} finish={finish} first_s={} whole_s={}",
            or_dash(known.id.as_deref().map(word)),
            word(request),
            or_dash(known.status.map(|status| status.as_u16().to_string())),
            known.prompt,
            known.cached,
            known.tokens,
            or_dash(known.first.map(seconds)),
            seconds(begun.elapsed().as_secs_f64()),
        );
        if let Some(refusal) = &known.refusal {
            line += &format!(" error={refusal:?}");
        }
        log(&line);
    }
}

/// A text as one field of a line: what a client gave makes no others.
fn word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"=\\".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text.to_owned() } else { format!("{text:?}") }
}
